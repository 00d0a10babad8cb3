"""Shuffled blocks of TRI, and the tracing auditor."""

from tests.mutations.mutation import Mutation

AMPLIFICATION = "mechanisms/trilemma/amplification.py"
SHUFFLED = "mechanisms/trilemma/shuffled_mean.py"
AUDITOR = "audit/tracing/auditor.py"
GAINS = "mechanisms/trilemma/test_amplification.py"
BLOCKS = "mechanisms/trilemma/test_shuffled.py"
TRACING = "audit/test_tracing.py"
INEQUALITY = "audit/test_tracing_inequality.py"
CROSS = "cross/test_amplification.py"

MUTATIONS = (
    Mutation(
        "shuffle-constant",
        AMPLIFICATION,
        "_log(1 + 8 * (e - 1)",
        "_log(1 + Fraction(808, 100) * (e - 1)",
        "the constant of (2.2) is 8.08",
        (f"{GAINS}::test_reference_values",),
    ),
    Mutation(
        "shuffle-logarithm",
        AMPLIFICATION,
        "root = _sqrt(e * _log(4 / delta1) / m)",
        "root = _sqrt(e * _log(2 / delta1) / m)",
        "(2.2) has log(2 / delta1)",
        (f"{GAINS}::test_reference_values",),
    ),
    Mutation(
        "shuffle-domain",
        AMPLIFICATION,
        "needed = 16 * _exp(eps0)",
        "needed = Fraction(1599, 100) * _exp(eps0)",
        "too small a delta1 is taken",
        (f"{GAINS}::test_limit_of_the_domain",),
    ),
    Mutation(
        "shuffle-total-delta",
        AMPLIFICATION,
        "(_exp(-eps0) / 2 + 1)",
        "(_exp(-eps0) + 1) / 2",
        "the total delta counts delta0 half",
        (f"{GAINS}::test_reference_values",),
    ),
    Mutation(
        "shuffle-rounding",
        AMPLIFICATION,
        "math.ceil((value",
        "math.floor((value",
        "epsilon1 is rounded down",
        (f"{CROSS}::test_epsilon_of_the_thesis_is_rounded_up",),
    ),
    Mutation(
        "shuffle-together",
        SHUFFLED,
        "rng.permuted(np.broadcast_to(",
        "rng.permutation(np.broadcast_to(",
        "whole blocks are permuted, alike in all draws",
        (f"{BLOCKS}::test_every_arrangement_of_each_row_is_equally_likely",),
    ),
    Mutation(
        "shuffle-not-at-all",
        SHUFFLED,
        "_shuffled(table, len(part), rng)) / self.rows",
        "np.broadcast_to(table, (len(part), *table.shape))) / self.rows",
        "answers are released in the order of the blocks",
        (f"{BLOCKS}::test_answers_come_from_shuffled_blocks",),
    ),
    Mutation(
        "shuffle-prefix",
        SHUFFLED,
        "step(answers, block, rng)",
        "step((), block, rng)",
        "steps do not see the earlier answers",
        (f"{BLOCKS}::test_composition_has_the_exact_law",),
    ),
    Mutation(
        "shuffle-scale",
        SHUFFLED,
        "return float((upper - lower) / (self.rows * self.epsilon))",
        "return float((upper - lower) / (2 * self.rows * self.epsilon))",
        "blocks have half the noise",
        (f"{BLOCKS}::test_average_has_its_law",),
    ),
    Mutation(
        "shuffle-width",
        SHUFFLED,
        "lower, upper = map(Fraction, self.ends)",
        "lower, upper = self.low, self.high",
        "the noise is for the bounds, not for the doubles that clip the records",
        (f"{BLOCKS}::test_noise_is_for_the_width_of_the_clip",),
    ),
    Mutation(
        "shuffle-types",
        SHUFFLED,
        "np.fromiter(data, dtype=object)",
        "np.asarray(data)",
        "one word among the records makes words of the others",
        (f"{BLOCKS}::test_records_of_a_composition_stay_as_they_are",),
    ),
    Mutation(
        "shuffle-average",
        SHUFFLED,
        "rng.standard_gamma(self.blocks, (2, size))",
        "rng.standard_gamma(self.blocks - 1, (2, size))",
        "the average has the noise of one block less",
        (f"{BLOCKS}::test_average_has_its_law",),
    ),
    Mutation(
        "shuffle-claim",
        SHUFFLED,
        "shuffle_epsilon_upper(self.epsilon, self.blocks, self.delta)",
        "shuffle_epsilon_upper(self.epsilon, self.count, self.delta)",
        "the claim is that of as many blocks as records",
        (f"{BLOCKS}::test_claim_is_that_of_the_theorem",),
    ),
    Mutation(
        "tracing-share",
        AUDITOR,
        "return growth / (1 + p * growth), growth",
        "return growth / (1 + p * growth) * 99 / 100, growth",
        "k+ is 1 % too small",
        (
            f"{INEQUALITY}::test_randomized_response_attains_the_bound",
            f"{CROSS}::test_shares_of_tracing_are_the_derivatives_of_the_ledgers_integrals",
        ),
    ),
    Mutation(
        "tracing-delta",
        AUDITOR,
        "+ 2 * delta * law.bound",
        "+ 198 * delta * law.bound / 100",
        "delta is not allowed for in full",
        (f"{INEQUALITY}::test_telling_with_probability_delta_attains_the_bound",),
    ),
    Mutation(
        "tracing-sign",
        AUDITOR,
        "down * np.maximum(-w, 0)",
        "down * np.maximum(w, 0)",
        "releases below the mean are not allowed for",
        (f"{INEQUALITY}::test_randomized_response_attains_the_bound",),
    ),
    Mutation(
        "tracing-failures",
        AUDITOR,
        "w[failed] = 0.0",
        "w[failed] = law.bound",
        "a failure counts as the largest release",
        (f"{TRACING}::test_failures_are_outcomes",),
    ),
    Mutation(
        "tracing-order",
        "audit/tracing/draws.py",
        "if mechanism.order is Order.FREE:",
        "if mechanism.order is Order.FIXED:",
        "records are sorted where their order counts",
        (f"{TRACING}::test_order_of_the_records_is_kept_where_it_counts",),
    ),
    Mutation(
        "tracing-reference",
        AUDITOR,
        "reference=law.value * law.p * (1 - law.p)",
        "reference=law.value * law.p",
        "the reference lacks 1 - p",
        (f"{TRACING}::test_statistic_of_a_mean_is_the_reference",),
    ),
)
