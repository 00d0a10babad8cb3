"""Accounts: to which side each end is rounded, and what is not forgotten."""

from tests.mutations.mutation import Mutation

LAWS = "audit/accounting/test_laws.py"
REFERENCES = "audit/accounting/test_references.py"
NODES = f"{LAWS}::test_laws_on_nodes_enclose_the_law"
KNOWN = f"{REFERENCES}::test_totals_are_those_that_are_known"

TRANSFORM = "audit/accounting/test_transform.py"
FEW_POINTS = f"{TRANSFORM}::test_a_rule_of_few_points_encloses_as_well"
INTEGRALS = f"{TRANSFORM}::test_moments_on_a_line_are_integrals"

# fmt: off
MUTATIONS = (
    Mutation("proofs_check.composition.nodes:times",
        old="first.is_upper", new="not first.is_upper",
        breaks="products of lower laws are rounded up, and of upper laws down",
        tests=(f"{LAWS}::test_products_enclose_the_sum",)),
    Mutation("proofs_check.composition.nodes:_cut",
        old="infinite += _sum(law.rows[high + 1 :])", new="infinite += 0",
        breaks="mass beyond the last node is lost to the upper law",
        tests=(f"{LAWS}::test_products_enclose_the_sum",)),
    Mutation("proofs_check.composition.cells:_upper",
        old="found[place + 1] += -(-(max(above, 0) << WIDE) // rest)",
        new="found[place] += -(-(max(above, 0) << WIDE) // rest)",
        breaks="the upper share of a cell stands on its lower node",
        tests=(NODES,)),
    Mutation("proofs_check.composition.cells:_lower",
        old="left * below_before > least << SHARE", new="False",
        breaks="more of a cell is merged than keeps the ratio of the node",
        tests=(NODES,)),
    Mutation("proofs_check.composition.epsilon:Composition.delta",
        old="max(upper for _, upper in whole)", new="min(upper for _, upper in whole)",
        breaks="the direction that loses less is taken",
        tests=(f"{REFERENCES}::test_stated_laws_contain_the_exact_excess",)),
    Mutation("proofs_check.composition.parts:merged",
        old="mu_squared += part.count * part.law.mu_squared",
        new="mu_squared += part.law.mu_squared",
        breaks="the count of Gaussians is dropped",
        tests=(KNOWN,)),
    Mutation("proofs_check.composition.transform:SampledLine.excess",
        old="found[0] - spare - self._aliased(epsilon)", new="found[0] - spare",
        breaks="what the trapezoid rule adds is taken for delta",
        tests=(FEW_POINTS,)),
    Mutation("proofs_check.composition.transform:SampledLine._aliased",
        old="above + min(below)", new="above",
        breaks="the rule's copies on one side are forgotten",
        tests=(FEW_POINTS,)),
    Mutation("proofs_check.composition.transform:SampledLine.excess",
        old="found[1] + spare", new="found[1] - spare",
        breaks="what lies beyond the points is taken off the upper end",
        tests=(FEW_POINTS,)),
    Mutation("proofs_check.composition.decay:upper_bound",
        old="height * layer.length / 2", new="height * layer.length",
        breaks="uniform laws decay twice as fast as they do",
        tests=(f"{TRANSFORM}::test_a_uniform_law_decays_as_its_sinc",)),
    Mutation("proofs_check.composition.quadrature:_gaussian_terms",
        old="tails + rule", new="tails",
        breaks="the error of the trapezoid rule of a moment is left out",
        tests=(INTEGRALS,)),
    Mutation("proofs_check.composition.quadrature:_laplace_terms",
        old="error + _panel_error(of, inner, (middle, half), power, (height, count))", new="error",
        breaks="the error of Gauss's rule is left out",
        tests=(INTEGRALS,)),
    Mutation("proofs_check.composition.ratio:Ratio.power",
        old="1 + c", new="c",
        breaks="the moment is taken under the other law",
        tests=(INTEGRALS,)),
    Mutation("audit.accounting.events:Scalar.shift",
        old="2 * self.sensitivity", new="self.sensitivity",
        breaks="a record that is replaced counts as one that is removed",
        tests=(f"{REFERENCES}::test_a_total_that_forgets_the_factor_two_of_swap_is_refuted",)),
)
