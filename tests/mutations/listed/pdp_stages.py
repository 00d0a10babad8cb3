"""Stages of PDP on the sparse vector technique: index, grid width, radius, and as printed."""

from tests.mutations.mutation import Mutation

FOLDER = "mechanisms/personalized/sparse"
VECTOR = "mechanisms/personalized/test_sparse_vector.py"
LAW = "mechanisms/personalized/test_index_law.py"
PAIRS = "mechanisms/personalized/test_pairs.py"
WIDTH = "mechanisms/personalized/test_discretization.py"
RADIUS = "mechanisms/personalized/test_radius.py"
PRINTED_WIDTH = "mechanisms/as_printed/test_discretization.py"
PRINTED_RADIUS = "mechanisms/as_printed/test_radius.py"

MUTATIONS = (
    Mutation(
        "sparse-vector-threshold",
        f"{FOLDER}/sparse_vector.py",
        "rng.laplace(scale=2 / epsilon, size=draws)",
        "rng.laplace(scale=1.9 / epsilon, size=draws)",
        "the noise of the threshold is 5 % too small",
        (f"{VECTOR}::test_index_has_the_law_of_the_noises",),
    ),
    Mutation(
        "sparse-vector-query",
        f"{FOLDER}/sparse_vector.py",
        "rng.laplace(scale=4 / epsilon, size=",
        "rng.laplace(scale=3.8 / epsilon, size=",
        "the noise of the queries is 5 % too small",
        (f"{VECTOR}::test_tail_on_ties_tells_a_wrong_scale",),
    ),
    Mutation(
        "sparse-vector-base",
        f"{FOLDER}/sparse_vector.py",
        "start + 1 + fires[done]",
        "start + fires[done]",
        "the first query has index 0",
        (f"{VECTOR}::test_the_first_clear_query_fires",),
    ),
    Mutation(
        "sparse-vector-bars",
        f"{FOLDER}/sparse_vector.py",
        "noisy > bars[running, np.newaxis]",
        "noisy > bars[: running.size, np.newaxis]",
        "later blocks compare with the threshold of another draw",
        (f"{VECTOR}::test_one_threshold_serves_all_blocks",),
    ),
    Mutation(
        "index-law-unit",
        f"{FOLDER}/index_law.py",
        "answer * epsilon / 4 for",
        "answer * epsilon * 25 / 101 for",
        "the stated law belongs to queries with 1 % more noise",
        (f"{LAW}::test_law_is_that_of_the_noises",),
    ),
    Mutation(
        "index-law-peak",
        f"{FOLDER}/index_law.py",
        "numbers.rational(Fraction(3, 2)), root * numbers.sqrt(root)",
        "numbers.rational(Fraction(3, 2)), root",
        "the threshold of the stated law is e^(1/2) of its own",
        (f"{LAW}::test_law_is_that_of_the_noises",),
    ),
    Mutation(
        "octaves-edge",
        f"{FOLDER}/octaves.py",
        "(parts > unit_parts)",
        "(parts >= unit_parts)",
        "a difference equal to the threshold does not count",
        (f"{PAIRS}::test_octave_is_the_least_power_that_covers",),
    ),
    Mutation(
        "octaves-infinite",
        f"{FOLDER}/octaves.py",
        "found[~np.isfinite(sizes)] = FAR",
        "found[~np.isfinite(sizes)] = -FAR",
        "a difference beyond the largest double counts as 0",
        (f"{WIDTH}::test_huge_differences_reach_the_other_cap",),
    ),
    Mutation(
        "width-matching",
        f"{FOLDER}/pairs.py",
        "mixed = rng.permuted(mixed, axis=1)",
        "mixed = np.sort(mixed, axis=1)",
        "sorted neighbors are paired (PDP-E-08)",
        (f"{PAIRS}::test_all_matchings_are_equally_likely",),
    ),
    Mutation(
        "width-left-over",
        f"{FOLDER}/pairs.py",
        "(places + 1 < numbers[rows])",
        "(places < numbers[rows])",
        "the record left over is paired with one of another draw",
        (f"{PAIRS}::test_records_of_each_draw_are_matched_within_it",),
    ),
    Mutation(
        "width-budget",
        f"{FOLDER}/pairs.py",
        "above_threshold(queries[:, CAP - 1 :], 0, epsilon / 2,",
        "above_threshold(queries[:, CAP - 1 :], 0, epsilon,",
        "the first scan spends all of epsilon",
        (f"{WIDTH}::test_draws_have_the_exact_law",),
    ),
    Mutation(
        "width-second-scan",
        f"{FOLDER}/pairs.py",
        "-queries[:, CAP - 1 :: -1]",
        "-queries[:, CAP - 2 :: -1]",
        "the second scan begins at 1/2",
        (f"{WIDTH}::test_draws_have_the_exact_law",),
    ),
    Mutation(
        "width-first-case",
        f"{FOLDER}/discretization.py",
        "np.where(up > 1, up - 3, -down)",
        "np.where(up > 1, up - 2, -down)",
        "the width is not halved in the first case",
        (f"{WIDTH}::test_width_follows_the_scale",),
    ),
    Mutation(
        "width-tiny-negatives",
        f"{FOLDER}/discretization.py",
        "(values < 0), -1.0, steps)",
        "(values < 0), 0.0, steps)",
        "a tiny negative record is rounded up to 0",
        (f"{WIDTH}::test_rounding_is_the_exact_floor",),
    ),
    Mutation(
        "radius-index",
        f"{FOLDER}/radius.py",
        "np.ldexp(unit, index - 1)",
        "np.ldexp(unit, index - 2)",
        "half of the radius that fired is released (PDP-E-11)",
        (f"{RADIUS}::test_without_noise_everything_is_covered",),
    ),
    Mutation(
        "radius-threshold",
        f"{FOLDER}/radius.py",
        "-6 / epsilon * math.log(2 / beta)",
        "-6 / epsilon * math.log(1 / beta)",
        "fewer records may be cut off",
        (f"{RADIUS}::test_draws_have_the_exact_law",),
    ),
    Mutation(
        "radius-placeholders",
        f"{FOLDER}/radius.py",
        "np.nonzero(counted & ~np.isnan(values))",
        "np.nonzero(counted)",
        "a placeholder that survives lies outside every radius",
        (f"{RADIUS}::test_counts_are_the_exact_ones",),
    ),
    Mutation(
        "printed-width-zero",
        "mechanisms/as_printed/discretization.py",
        '((values > 0) | ("E-10" not in slips))',
        '((values >= 0) | ("E-10" not in slips))',
        "0 counts as a positive number",
        (f"{PRINTED_WIDTH}::test_negatives_and_zeros_are_lost",),
    ),
    Mutation(
        "printed-width-late",
        "mechanisms/as_printed/discretization.py",
        '-down - ("E-12" in slips)',
        '-down + ("E-12" in slips)',
        "erratum 12 doubles the width",
        (f"{PRINTED_WIDTH}::test_the_late_index_halves_the_second_scan",),
    ),
    Mutation(
        "printed-width-sorting",
        "mechanisms/as_printed/all_pairs.py",
        'side="right") - places',
        'side="left") - places',
        "differences equal to the threshold are left out among many records",
        (f"{PRINTED_WIDTH}::test_counts_of_many_records_come_from_sorting",),
    ),
    Mutation(
        "printed-radius-half",
        "mechanisms/as_printed/radius.py",
        'return radius / 2 if "E-11" in slips else radius',
        'return radius / 4 if "E-11" in slips else radius',
        "the printed radius is a quarter of the one that fired",
        (f"{PRINTED_RADIUS}::test_rows_follow_the_slips",),
    ),
)
