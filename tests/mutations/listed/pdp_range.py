"""The private range and mean of PDP, sound and as printed."""

from tests.mutations.mutation import Mutation

STAGES = "mechanisms/personalized/range/stages.py"
RANGE = "mechanisms/personalized/range/interval.py"
MEAN = "mechanisms/personalized/range/mean.py"
PRINTED = "mechanisms/as_printed/range_stages.py"
PRINTED_MEAN = "mechanisms/as_printed/mean.py"
OF_RANGE = "mechanisms/personalized/test_range.py"
OF_MEAN = "mechanisms/personalized/test_mean.py"
OF_PRINTED = "mechanisms/as_printed/test_range.py"
OF_PRINTED_MEAN = "mechanisms/as_printed/test_mean.py"
CROSS = "cross/test_pdp_range.py"
WITHOUT_NOISE = f"{OF_RANGE}::test_nothing_is_random_but_the_center_at_huge_budgets"

MUTATIONS = (
    Mutation(
        "range-parts",
        "mechanisms/personalized/public_tau.py",
        "STAGES = 4",
        "STAGES = 3",
        "the stages spend 4/3 of tau",
        (f"{CROSS}::test_stages_spend_what_the_ledger_says",),
    ),
    Mutation(
        "range-beta",
        STAGES,
        "float(tau / STAGES), float(beta / STAGES)",
        "float(tau / STAGES), float(beta)",
        "each radius has the failure probability of all stages",
        (f"{CROSS}::test_radius_cuts_off_what_the_ledger_says",),
    ),
    Mutation(
        "range-survivors",
        STAGES,
        "kept = rates.draw(draws, rng=rng) & ~np.isnan(values)",
        "kept = rates.draw(draws, rng=rng) | ~np.isnan(values)",
        "all records take part, whatever their budget",
        (
            f"{OF_RANGE}::test_a_user_without_budget_leaves_no_trace",
            f"{OF_RANGE}::test_order_of_users_is_nothing",
        ),
    ),
    Mutation(
        "range-rounding",
        STAGES,
        "rounded = to_grid(values, b)",
        "rounded = to_grid(values, 2 * b)",
        "records are rounded to half of the grid",
        (WITHOUT_NOISE,),
    ),
    Mutation(
        "range-second-radius",
        STAGES,
        "draw_radius(rounded - center[:, np.newaxis], kept",
        "draw_radius(rounded, kept",
        "the second radius is around 0",
        (WITHOUT_NOISE,),
    ),
    Mutation(
        "range-low-end",
        STAGES,
        "return self.center - self.second_radius + 0.0",
        "return self.center - self.first_radius + 0.0",
        "the range begins at m - R1",
        (f"{OF_RANGE}::test_releases_are_of_one_run",),
    ),
    Mutation(
        "range-tau",
        RANGE,
        "RightRates(exact, self.tau) if any(exact)",
        "RightRates(exact, self.tau / 2) if any(exact)",
        "records survive as if the stages spent half of tau",
        (f"{OF_RANGE}::test_declares_its_promise",),
    ),
    Mutation(
        "mean-half",
        MEAN,
        "RightRates(half, self.tau) if any(half)",
        "RightRates(exact, self.tau) if any(half)",
        "the range spends all of the budgets, and the weights half of them again",
        (
            f"{OF_MEAN}::test_range_has_half_of_the_budgets",
            f"{CROSS}::test_both_stages_keep_the_budgets",
        ),
    ),
    Mutation(
        "mean-weights",
        MEAN,
        "saturate(as_floats(half))",
        "saturate(as_floats(exact))",
        "the weighted mean spends all of the budgets",
        (
            f"{OF_MEAN}::test_noise_is_that_of_the_halved_budgets",
            f"{CROSS}::test_both_stages_keep_the_budgets",
        ),
    ),
    Mutation(
        "mean-beta",
        MEAN,
        "SHARES = 6",
        "SHARES = 5",
        "the range has a fifth of beta",
        (f"{CROSS}::test_radius_cuts_off_what_the_ledger_says",),
    ),
    Mutation(
        "mean-rounding",
        MEAN,
        "mean = found.center + draw_weighted(moved, low, high, spent, rng=rng)",
        "mean = draw_weighted(values, found.low, found.high, spent, rng=rng)",
        "far from 0 the sum is rounded more coarsely than the noise",
        (f"{OF_MEAN}::test_a_far_center_does_not_coarsen_the_sum",),
    ),
    Mutation(
        "mean-noise",
        MEAN,
        "low, high = -found.second_radius, found.second_radius",
        "low, high = -found.second_radius, 0.9 * found.second_radius",
        "records are clipped to less than the range, and the noise is smaller",
        (f"{OF_MEAN}::test_noise_is_that_of_the_halved_budgets",),
    ),
    Mutation(
        "printed-range-rank",
        PRINTED,
        "/ (2 * tau))",
        "/ tau)",
        "the printed rank is twice the printed one",
        (f"{CROSS}::test_printed_rank_is_the_number_of_survivors",),
    ),
    Mutation(
        "printed-range-filter",
        PRINTED,
        "kept = kept & (rounded > 0)",
        "kept = kept & (rounded >= 0)",
        "the placeholder 0 takes part in the choice of the center",
        (f"{OF_PRINTED}::test_placeholder_is_zero_with_the_filter",),
    ),
    Mutation(
        "printed-range-known",
        PRINTED,
        'LESS if "E-11" in slips and "E-13" not in slips else 0',
        'LESS if "E-11" in slips and "E-13" in slips else 0',
        "a pair is stated that keeps the budget",
        (f"{CROSS}::test_stated_counterexamples_lose_more_than_the_budget",),
    ),
    Mutation(
        "printed-mean-tau",
        PRINTED_MEAN,
        "check_printed_tau(tau, half, slips)",
        "check_printed_tau(tau, exact, slips)",
        "the range of the printed mean has the threshold of the whole budgets",
        (f"{OF_PRINTED_MEAN}::test_range_is_the_printed_one",),
    ),
)
