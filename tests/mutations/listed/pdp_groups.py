"""Rows, groups, counts and the mean of users with private budgets (PDP, Algorithm 8)."""

from tests.mutations.mutation import Mutation

ROWS = "mechanisms/personalized/test_rows.py"
GROUPS = "mechanisms/personalized/test_groups.py"
COUNTS = "mechanisms/personalized/test_group_counts.py"
UNBOUNDED = "mechanisms/personalized/test_unbounded.py"
PRINTED = "mechanisms/as_printed/test_unbounded.py"
CROSS = "cross/test_pdp_groups.py"

MUTATIONS = (
    Mutation(
        "rows-order",
        "mechanisms/personalized/groups/rows.py",
        "order = np.lexsort((values, budgets))",
        'order = np.argsort(budgets, kind="stable")',
        "rows with equal budgets keep the order in which they came",
        (
            f"{ROWS}::test_order_of_rows_is_nothing",
            f"{ROWS}::test_order_of_equal_budgets_is_nothing",
        ),
    ),
    Mutation(
        "rows-infinite-budget",
        "mechanisms/personalized/groups/rows.py",
        "keep = np.isfinite(budgets) & (budgets > 0)",
        "keep = budgets > 0",
        "an infinite budget takes part",
        (f"{ROWS}::test_without_a_budget_the_row_is_left_out",),
    ),
    Mutation(
        "groups-number",
        "mechanisms/personalized/groups/exponential.py",
        "for i in range(whole_octaves(lowest, highest) + 1)",
        "for i in range(whole_octaves(lowest, highest) or 1)",
        "there are floor(log2 T) groups, as the text prints",
        (
            f"{GROUPS}::test_number_of_groups",
            f"{CROSS}::test_number_of_groups_is_the_ledgers",
        ),
    ),
    Mutation(
        "groups-typed",
        "mechanisms/personalized/groups/exponential.py",
        "return Fraction(repr(float(budget)))",
        "return Fraction(float(budget))",
        "a budget is the double, which may lie above or below what was typed",
        (f"{GROUPS}::test_a_typed_decimal_is_what_was_typed",),
    ),
    Mutation(
        "groups-closed-end",
        "mechanisms/personalized/groups/exponential.py",
        'np.searchsorted(budgets, thresholds, side="left")',
        'np.searchsorted(budgets, thresholds, side="right")',
        "a budget at a left end is in the group below",
        (f"{GROUPS}::test_ends_of_the_groups_belong_to_the_upper_group",),
    ),
    Mutation(
        "groups-sample",
        "mechanisms/personalized/groups/exponential.py",
        "chosen[open_rows, first:last] = rng.permuted(chosen[open_rows, first:last], axis=1)",
        "chosen[open_rows, first:last] = rng.permutation(chosen[open_rows, first:last], axis=1)",
        "all draws sample the same users",
        (f"{GROUPS}::test_every_subset_is_equally_likely",),
    ),
    Mutation(
        "group-counts-scale",
        "mechanisms/personalized/groups/unbounded_mean.py",
        "rates = halves(self.left_ends)",
        "rates = self.left_ends",
        "counts have noise of scale 1 / left, as printed",
        (
            f"{UNBOUNDED}::test_no_user_pays_more_than_half_of_the_left_end_for_the_counts",
            f"{CROSS}::test_offsets_are_the_ledgers",
        ),
    ),
    Mutation(
        "group-counts-offset",
        "mechanisms/personalized/groups/unbounded_mean.py",
        "2 * len(rates) / self.beta",
        "len(rates) / self.beta",
        "offsets have ln(J / beta), as the text prints",
        (f"{CROSS}::test_offset_of_the_reference",),
    ),
    Mutation(
        "group-counts-floor",
        "mechanisms/personalized/groups/counts.py",
        "np.floor(noisy - self.offsets)",
        "np.rint(noisy - self.offsets)",
        "counts are rounded to the nearest integer",
        (f"{COUNTS}::test_sampler_has_the_stated_law",),
    ),
    Mutation(
        "group-counts-limit",
        "mechanisms/personalized/groups/counts.py",
        "np.floor(noisy - self.offsets), 0, self.most)",
        "np.floor(noisy - self.offsets), 0, None)",
        "a count has no limit",
        (f"{COUNTS}::test_counts_are_whole_and_limited",),
    ),
    Mutation(
        "group-counts-law-tail",
        "mechanisms/personalized/groups/counts.py",
        "return True, tail * numbers.rational(1 / (2 * q))",
        "return True, tail * numbers.rational(1 / q)",
        "the stated tails are twice as large",
        (f"{CROSS}::test_counts_have_the_ledgers_law",),
    ),
    Mutation(
        "group-mean-halves",
        "mechanisms/personalized/groups/mean.py",
        "which, half = which.ravel(), halves(self.budgets)",
        "which, half = which.ravel(), self.budgets",
        "level and weights are those of the whole budgets",
        (f"{UNBOUNDED}::test_mean_of_the_samples_is_algorithm_7",),
    ),
    Mutation(
        "group-mean-placeholder",
        "mechanisms/personalized/groups/plan.py",
        "found = saturate(np.repeat(floats, counts))",
        "found = saturate(np.repeat(floats, np.minimum(counts, 2)))",
        "the weights of places add up to more than 1",
        (f"{UNBOUNDED}::test_mean_of_the_samples_is_algorithm_7",),
    ),
    Mutation(
        "group-mean-sample",
        "mechanisms/personalized/groups/mean.py",
        "parts[~chosen | np.isnan(parts)] = 0.0",
        "parts[np.isnan(parts)] = 0.0",
        "users who are not in the sample count in the mean",
        (f"{UNBOUNDED}::test_mean_of_a_sample_is_a_mixture",),
    ),
    Mutation(
        "group-mean-survivors",
        "mechanisms/personalized/groups/mean.py",
        "kept = self.chosen.copy()",
        "kept = np.ones_like(self.chosen)",
        "users who are not in the sample survive",
        (f"{UNBOUNDED}::test_who_is_not_sampled_does_not_survive",),
    ),
    Mutation(
        "group-mean-rates",
        "mechanisms/personalized/groups/mean.py",
        "rate_of(budget, tau) for budget in halves(self.budgets)",
        "rate_of(budget, tau) for budget in self.budgets",
        "users survive with the rates of their whole budgets",
        (f"{UNBOUNDED}::test_range_stage_has_half_of_the_budgets",),
    ),
    Mutation(
        "group-mean-zeros",
        "mechanisms/personalized/groups/mean.py",
        "np.arange(zeros) < missing[:, np.newaxis]",
        "np.arange(zeros) >= missing[:, np.newaxis]",
        "a sample has the zeros that other draws lack",
        (f"{UNBOUNDED}::test_zeros_fill_the_missing_places",),
    ),
    Mutation(
        "unbounded-mean-share",
        "mechanisms/personalized/groups/unbounded_mean.py",
        "ends, halves(self.left_ends), self.beta / 2)",
        "ends, self.left_ends, self.beta / 2)",
        "the mean spends the whole left end",
        (f"{UNBOUNDED}::test_mean_stage_gets_half_of_the_left_ends_and_of_beta",),
    ),
    Mutation(
        "printed-unbounded-scale",
        "mechanisms/as_printed/unbounded_mean.py",
        'share = 1 if "E-06" in self.slips else Fraction(1, 2)',
        "share = Fraction(1, 2)",
        "the printed counts cost half of the left end",
        (
            f"{PRINTED}::test_counts_alone_cost_the_whole_left_end",
            f"{CROSS}::test_loss_of_the_counts_is_the_ledgers",
        ),
    ),
    Mutation(
        "printed-unbounded-quarter",
        "mechanisms/as_printed/unbounded_mean.py",
        'Fraction(1, 4 if "E-29" in self.slips else 2)',
        "Fraction(1, 2)",
        "the printed mean stage gets half of the left end",
        (f"{PRINTED}::test_mean_stage_is_the_printed_one",),
    ),
)
