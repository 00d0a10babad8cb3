"""Formulas, one constant by at most 1 %: the comparison with the ledger must notice."""

from tests.mutations.mutation import Mutation

FORMULAS = "cross/test_noise.py::test_floats_lie_within_1e_12_of_the_ledger"
ERRORS = "cross/test_errors.py"
SAMPLERS = "cross/test_samplers.py::test_a_sampler_has_the_ledgers_law"

MUTATIONS = (
    Mutation(
        "formula-gamma-star",
        "mechanisms/noise/staircase.py",
        "log_y = (-epsilon + math.log1p(math.expm1(-epsilon) / 2)) / 3",
        "log_y = (-epsilon + math.log1p(math.expm1(-epsilon) / 2.01)) / 3",
        "y*^3 is not b (1 + b) / 2",
        (f"{FORMULAS}[S2 gamma*]",),
    ),
    Mutation(
        "formula-variance",
        "mechanisms/noise/staircase.py",
        "return scale**2 * (y**3 + 3 * b * y + b * (1 + b)) / (3 * y * complement**2)",
        "return scale**2 * (y**3 + 3.01 * b * y + b * (1 + b)) / (3 * y * complement**2)",
        "V, and V* with it, is not that of KSW-S1",
        (f"{FORMULAS}[S1 V]", f"{FORMULAS}[S2 V*]"),
    ),
    Mutation(
        "formula-hourglass-height",
        "mechanisms/noise/hourglass.py",
        "        exponent = np.abs(s) + np.abs(np.asarray(t) - s)\n"
        "        top = complement**2 / (2 * marginal.mixing * (1 + b))",
        "        exponent = np.abs(s) + np.abs(np.asarray(t) - s)\n"
        "        top = complement**2 / (2 * marginal.mixing * (1 + 0.99 * b))",
        "the density does not integrate to 1",
        (f"{FORMULAS}[D4 A]",),
    ),
    Mutation(
        "formula-hourglass-sum",
        "mechanisms/noise/hourglass.py",
        "width = x + 2 * float(self.gamma) + 2 * b**2 / (complement * (1 + b))",
        "width = x + 2 * float(self.gamma) + 2.01 * b**2 / (complement * (1 + b))",
        "P(T = t) does not add up to 1",
        (f"{FORMULAS}[H1 P(T = t)]",),
    ),
    Mutation(
        "formula-l1-gamma",
        "mechanisms/noise/l1_staircase.py",
        "2 * b * (5 * b**2 + 2 * b - 1),",
        "2 * b * (5.01 * b**2 + 2 * b - 1),",
        "the l1 gamma* is no stationary point of the variance",
        (f"{FORMULAS}[S4 gamma2*]",),
    ),
    Mutation(
        "formula-l1-variance",
        "mechanisms/noise/l1_staircase.py",
        "y**4 + 6 * b * y**2 + 4 * b * (1 + b) * y + b * (1 + 7 * b + b**2)",
        "y**4 + 6 * b * y**2 + 4 * b * (1 + b) * y + b * (1 + 7.01 * b + b**2)",
        "V2 is not that of KSW-S4",
        (f"{FORMULAS}[S4 V2]",),
    ),
    Mutation(
        "formula-laplace-variance",
        "mechanisms/noise/laplace.py",
        "return 2 * self.scale**2",
        "return 2.01 * self.scale**2",
        "the variance is not twice the squared scale",
        (f"{FORMULAS}[laplace variance]",),
    ),
    Mutation(
        "formula-error",
        "mechanisms/add_remove/mse.py",
        "correction = math.exp(-N) / 4 * (N * (1 - 2 * p) ** 2 - 1 / 3)",
        "correction = math.exp(-N) / 4 * (N * (1 - 2 * p) ** 2 - 1 / 3.01)",
        "the correction of KSW-X2 for negative counts",
        (f"{ERRORS}::test_floats_of_the_laplace_errors_are_the_ledgers[Algorithm 3]",),
    ),
    Mutation(
        "formula-cdf",
        "mechanisms/add_remove/exact_law.py",
        "correction = np.exp(-(A + B)) * (1 - 2 * unit + B - A) / 4",
        "correction = np.exp(-(A + B)) * (1 - 2 * unit + B - A) / 4.01",
        "the cdf of Algorithm 3 is not that of KSW-X1",
        (f"{ERRORS}::test_the_output_law_of_algorithm_3_is_the_ledgers",),
    ),
    Mutation(
        "formula-threshold-law",
        "mechanisms/subset/levels.py",
        "level = numbers.rational(self.epsilon * (least - at.loss) / 2)",
        "level = numbers.rational(self.epsilon * (least - at.loss) * Fraction(99, 200))",
        "the exponent of the threshold's density is 1 % too small",
        ("cross/test_thresholds.py::test_the_density_of_the_threshold_is_the_ledgers",),
    ),
    Mutation(
        "formula-group-delta",
        "mechanisms/group_privacy.py",
        "rounded_up(lambda e, d: d * (1 + next_up(e.exp())), epsilon, delta)",
        "rounded_up(lambda e, d: d * next_up(e.exp()), epsilon, delta)",
        "delta of a group of two forgets the first step",
        ("cross/test_thresholds.py::test_group_privacy_of_two_is_the_ledgers",),
    ),
    Mutation(
        "sampler-transformed-budget",
        "mechanisms/add_remove/transformed_mean.py",
        "noises = (Laplace(epsilon=self.epsilon, sensitivity=1),) * 2",
        'noises = (Laplace(epsilon=self.epsilon, sensitivity="0.9"),) * 2',
        "90 % of the noise that the budget asks for",
        (f"{SAMPLERS}[mean of Algorithm 3]",),
    ),
    Mutation(
        "sampler-l1-scale",
        "mechanisms/noise/l1_staircase.py",
        "u = rng.uniform(-1, 1, size=(2, n)) * (radius / 2)",
        "u = rng.uniform(-1, 1, size=(2, n)) * (radius / 2.1)",
        "diamonds are 5 % too small",
        (f"{SAMPLERS}[l1 staircase, first coordinate]",),
    ),
)
