"""Monotone statistics between two thresholds (SUB, Algorithm 4)."""

from tests.mutations.mutation import Mutation

MOVES = "mechanisms/subset/test_moves.py"
MONOTONE = "mechanisms/subset/test_monotone.py"
PRINTED = "mechanisms/as_printed/test_monotone.py"
CROSS = "cross/test_monotone.py"

MUTATIONS = (
    Mutation(
        "moves-down",
        "mechanisms/subset/moves.py",
        "down = np.clip(k - (reached - counts), 0, counts)",
        "down = np.clip(k + 1 - (reached - counts), 0, counts)",
        "one record too many moves down",
        (f"{MOVES}::test_ranks_move_one_by_one",),
    ),
    Mutation(
        "moves-up",
        "mechanisms/subset/moves.py",
        "stay = max(k, int(reached[-1]) - k)",
        "stay = max(k, int(reached[-1]) - k - 1)",
        "one record too many moves up, the i >= n - k of the print (SUB-E8)",
        (f"{MOVES}::test_ranks_move_one_by_one",),
    ),
    Mutation(
        "moves-low-wins",
        "mechanisms/subset/moves.py",
        "stay = max(k, int(reached[-1]) - k)",
        "stay = int(reached[-1]) - k",
        "a record may move both ways",
        (f"{MOVES}::test_images_of_neighbors_differ_by_at_most_three",),
    ),
    Mutation(
        "pruned-swap",
        "mechanisms/subset/pruned_selection.py",
        "both = both + first[b] * second[a]",
        "both = both + first[b] * second[b]",
        "thresholds that cross are not exchanged in the law",
        (f"{MONOTONE}::test_law_is_the_sum_over_all_windows",),
    ),
    Mutation(
        "pruned-diagonal",
        "mechanisms/subset/pruned_selection.py",
        "if a < b:",
        "if a <= b:",
        "equal thresholds count twice",
        (f"{MONOTONE}::test_masses_add_up",),
    ),
    Mutation(
        "pruned-window",
        "mechanisms/subset/pruned_selection.py",
        "scores = self.statistic.scores(counts[a : b + 1])",
        "scores = self.statistic.scores(counts)[a : b + 1]",
        "records outside the window keep their weight in the law",
        (f"{MONOTONE}::test_law_is_the_sum_over_all_windows",),
    ),
    Mutation(
        "pruned-draws-window",
        "mechanisms/subset/pruned_selection.py",
        "scores = self.statistic.scores(inside[a : b + 1])",
        "scores = self.statistic.scores(inside)[a : b + 1]",
        "records outside the window keep their weight in the draws",
        (f"{MONOTONE}::test_sampler_has_the_exact_law",),
    ),
    Mutation(
        "pruned-draws-exponent",
        "mechanisms/subset/pruned_selection.py",
        "weights = np.exp(-float(self.exponent) * (scores - scores.min()))",
        "weights = np.exp(-1.05 * float(self.exponent) * (scores - scores.min()))",
        "the draws have another exponent than the law",
        (f"{MONOTONE}::test_sampler_has_the_exact_law",),
    ),
    Mutation(
        "monotone-rank-constant",
        "mechanisms/subset/monotone.py",
        "Fraction(3 * max(steps, 1) ** 2) ** (4 * times)",
        "Fraction(303 * max(steps, 1) ** 2, 100) ** (4 * times)",
        "6 R B / (L beta^2) is 1 % larger",
        (f"{MONOTONE}::test_ranks_follow_the_reference", f"{CROSS}"),
    ),
    Mutation(
        "monotone-rank",
        "mechanisms/subset/monotone.py",
        "return 7 * quarter, 6 * quarter",
        "return 6 * quarter, 6 * quarter",
        "too few records lie outside the thresholds",
        (f"{MONOTONE}::test_ranks_follow_the_reference",),
    ),
    Mutation(
        "monotone-exponent",
        "mechanisms/subset/monotone.py",
        '{"length": 3, "crossing": 2}[score]',
        '{"length": 3, "crossing": 1}[score]',
        "the crossing score is taken to change by 1",
        (
            f"{MOVES}::test_scores_of_images_change_by_at_most_two",
            f"{MONOTONE}::test_exponents_cost_half_of_epsilon",
        ),
    ),
    Mutation(
        "monotone-thresholds-epsilon",
        "mechanisms/subset/monotone.py",
        "return PrunedSelection(self.epsilon / 4, ",
        "return PrunedSelection(self.epsilon / 2, ",
        "each threshold spends half of epsilon",
        (f"{MONOTONE}::test_parameters_reach_the_steps",),
    ),
    Mutation(
        "printed-monotone-exponent",
        "mechanisms/as_printed/monotone.py",
        "else self.epsilon / 4\n",
        "else self.epsilon / Fraction(101, 25)\n",
        "the printed exponent is 1 % smaller",
        (f"{PRINTED}::test_figures_of_the_erratum",),
    ),
    Mutation(
        "printed-monotone-rank",
        "mechanisms/as_printed/monotone.py",
        "rank_error(epsilon, steps).ceiling()",
        "rank_error(epsilon, steps).floor()",
        "the printed rank is rounded down",
        (f"{PRINTED}::test_data_of_the_erratum",),
    ),
    Mutation(
        "printed-monotone-slip",
        "mechanisms/as_printed/monotone.py",
        'sound = self.slip == "E4"',
        'sound = self.slip == "E7"',
        "the slips keep each other's erratum",
        (f"{PRINTED}::test_slips_keep_one_erratum",),
    ),
)
