"""Accounts: to which side each end is rounded, and what is not forgotten."""

from tests.mutations.mutation import Mutation

LAWS = "audit/accounting/test_laws.py"
REFERENCES = "audit/accounting/test_references.py"
NODES = f"{LAWS}::test_laws_on_nodes_enclose_the_law"
KNOWN = f"{REFERENCES}::test_totals_are_those_that_are_known"

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
    Mutation("audit.accounting.events:Scalar.shift",
        old="2 * self.sensitivity", new="self.sensitivity",
        breaks="a record that is replaced counts as one that is removed",
        tests=(f"{REFERENCES}::test_a_total_that_forgets_the_factor_two_of_swap_is_refuted",)),
)
