"""Formulas, one constant by at most 1 %: the comparison with the ledger must notice."""

from tests.mutations.mutation import Mutation

NOISE = "cross/test_noise.py"
ERRORS = "cross/test_errors.py"
SAMPLERS = "cross/test_samplers.py"

# fmt: off
MUTATIONS = (
    Mutation("mechanisms.noise.staircase:optimal_gamma", old="math.expm1(-epsilon) / 2",
        new="math.expm1(-epsilon) / 2.01",
        breaks="y*^3 is not b (1 + b) / 2",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[S2 gamma*]",)),
    Mutation("mechanisms.noise.staircase:Staircase.variance", old="3 * b", new="3.01 * b",
        breaks="V, and V* with it, is not that of KSW-S1",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[S1 V]",
            f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[S2 V*]")),
    Mutation("mechanisms.noise.hourglass:Hourglass.density", old="1 + b", new="1 + 0.99 * b",
        breaks="the density does not integrate to 1",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[D4 A]",)),
    Mutation("mechanisms.noise.hourglass:Hourglass.total_pmf", old="2 * b**2", new="2.01 * b**2",
        breaks="P(T = t) does not add up to 1",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[H1 P(T = t)]",)),
    Mutation("mechanisms.noise.l1_staircase:optimal_gamma", old="5 * b**2", new="5.01 * b**2",
        breaks="the l1 gamma* is no stationary point of the variance",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[S4 gamma2*]",)),
    Mutation("mechanisms.noise.l1_staircase:L1Staircase.variance", old="7 * b", new="7.01 * b",
        breaks="V2 is not that of KSW-S4",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[S4 V2]",)),
    Mutation("mechanisms.noise.laplace:Laplace.variance", old="2 * self.scale**2",
        new="2.01 * self.scale**2",
        breaks="the variance is not twice the squared scale",
        tests=(f"{NOISE}::test_floats_lie_within_1e_12_of_the_ledger[laplace variance]",)),
    Mutation("mechanisms.add_remove.mse:mse_transformed_laplace", old="1 / 3", new="1 / 3.01",
        breaks="the correction of KSW-X2 for negative counts",
        tests=(f"{ERRORS}::test_floats_of_the_laplace_errors_are_the_ledgers[Algorithm 3]",)),
    Mutation("mechanisms.add_remove.exact_law:TransformedLaplaceLaw.cdf",
        old="np.exp(-(A + B)) * (1 - 2 * unit + B - A) / 4",
        new="np.exp(-(A + B)) * (1 - 2 * unit + B - A) / 4.01",
        breaks="the cdf of Algorithm 3 is not that of KSW-X1",
        tests=(f"{ERRORS}::test_the_output_law_of_algorithm_3_is_the_ledgers",)),
    Mutation("mechanisms.subset.levels:LevelLaw.log_density",
        old="self.epsilon * (least - at.loss) / 2",
        new="self.epsilon * (least - at.loss) * Fraction(99, 200)",
        breaks="the exponent of the threshold's density is 1 % too small",
        tests=("cross/test_thresholds.py::test_the_density_of_the_threshold_is_the_ledgers",)),
    Mutation("mechanisms.group_privacy:_group_delta", old="1 + next_up(e.exp())",
        new="next_up(e.exp())",
        breaks="delta of a group of two forgets the first step",
        tests=("cross/test_thresholds.py::test_group_privacy_of_two_is_the_ledgers",)),
    Mutation("mechanisms.add_remove.transformed_mean:TransformedMean.noisy_query",
        old="Laplace(epsilon=self.epsilon, sensitivity=1)",
        new='Laplace(epsilon=self.epsilon, sensitivity="0.9")',
        breaks="90 % of the noise that the budget asks for",
        tests=(f"{SAMPLERS}::test_a_sampler_has_the_ledgers_law[mean of Algorithm 3]",)),
)
