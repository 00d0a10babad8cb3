"""The scores of SUB, and the release by them."""

from tests.mutations.mutation import Mutation

SCORES = "mechanisms/subset/test_scores.py"
RELEASE = "mechanisms/subset/test_inverse_sensitivity.py"
PRINTED = "mechanisms/as_printed/test_inverse_sensitivity.py"
CERTIFICATE = "certificate/test_inverse_sensitivity.py"
CROSS = "cross/test_inverse_sensitivity.py"
SEARCH = f"{SCORES}::test_scores_are_those_of_a_search"
SENSITIVITY = f"{SCORES}::test_sensitivity_is_one_by_enumeration"

QUANTILE = "mechanisms/subset/scores/quantile.py"
SUMS = "mechanisms/subset/scores/sums.py"
MEAN = "mechanisms/subset/scores/mean.py"
POWER = "mechanisms/subset/scores/power.py"
RESTATED = "audit/certificate/inverse_sensitivity.py"

MUTATIONS = (
    Mutation(
        "median-score-tie",
        QUANTILE,
        "np.maximum(below - at - above + 1, above - below - at)",
        "np.maximum(below - at - above, above - below - at)",
        "the median of an even number of records may be the upper one",
        (SEARCH, f"{CROSS}::test_the_median_is_the_ledgers"),
    ),
    Mutation(
        "quantile-length-side",
        QUANTILE,
        "((2 * p - s, up), (2 * (s - p), down))",
        "((2 * p - s, up), (2 * p, down))",
        "records removed from below lower B as those from above do",
        (SEARCH, f"{CROSS}::test_quantiles_are_the_ledgers"),
    ),
    Mutation(
        "quantile-length-rounding",
        QUANTILE,
        "least = np.maximum(least, -(limit // -slope))",
        "least = np.maximum(least, limit // slope)",
        "the least number of removals is rounded down",
        (f"{CROSS}::test_quantiles_are_the_ledgers",),
    ),
    Mutation(
        "quantile-length-strict",
        QUANTILE,
        "up, down = p * k - a - 1, (s - p) * k - b",
        "up, down = p * k - a, (s - p) * k - b",
        "theta >= t already at A = 0",
        (SEARCH, f"{CROSS}::test_quantiles_are_the_ledgers"),
    ),
    Mutation(
        "quantile-crossing-up",
        QUANTILE,
        "below + (a - (s - p) * below) // p + 1)",
        "below + (a - (s - p) * below) // p)",
        "additions after all removals stop one early",
        (SEARCH, f"{CROSS}::test_quantiles_are_the_ledgers"),
    ),
    Mutation(
        "quantile-crossing-empty",
        QUANTILE,
        "(up_to == 0) & (edits == above)",
        "(up_to == 0) & (edits > above)",
        "the data may become empty",
        (SEARCH, f"{CROSS}::test_quantiles_are_the_ledgers"),
    ),
    Mutation(
        "sum-score-empty",
        SUMS,
        "(self.last >= 0) & (self.edits == count)",
        "(self.last >= 0) & (self.edits > count)",
        "the data may become empty on the way to a sum",
        (SEARCH, f"{CROSS}::test_the_mean_is_the_ledgers"),
    ),
    Mutation(
        "sum-score-no-records",
        SUMS,
        "return np.ones_like(self.edits)",
        "return self.edits",
        "no records have the score 0",
        (SEARCH, SENSITIVITY),
    ),
    Mutation(
        "sum-score-additions",
        SUMS,
        "- -(total - removed(first)) // np.maximum(addition, 1)",
        "+ (total - removed(first)) // np.maximum(addition, 1)",
        "the number of additions is rounded down",
        (SEARCH, SENSITIVITY),
    ),
    Mutation(
        "sum-score-reached",
        SUMS,
        "(total > 0) & (removed(first) >= total)",
        "(total > 0) & (removed(first) > total)",
        "removals that hit the sum exactly are taken for additions",
        (SEARCH,),
    ),
    Mutation(
        "mean-score-addition",
        MEAN,
        'first = np.searchsorted(places, y, side="right")',
        'first = np.searchsorted(places, y + 2, side="right")',
        "records that are worth a little more than an addition stay",
        (SEARCH,),
    ),
    Mutation(
        "mean-score-tolerance",
        MEAN,
        "up = _steps(counts[::-1], 1).crossing(count)[::-1]",
        "up = _steps(counts[::-1], 0).crossing(count)[::-1]",
        "the tolerance of half a step holds on one side only",
        (SEARCH,),
    ),
    Mutation(
        "mean-length-other-records",
        MEAN,
        "if left > t and not _lowered(counts, largest, taken, over):",
        "if left > t and over > 0:",
        "only the largest records may be removed",
        (f"{SCORES}::test_length_of_the_mean_needs_the_sum",),
    ),
    Mutation(
        "mean-length-last-addition",
        MEAN,
        "if left > t and not",
        "if left >= t and not",
        "the last removal is not replaced by the largest addition",
        (SEARCH, f"{CROSS}::test_the_mean_is_the_ledgers"),
    ),
    Mutation(
        "mean-length-balance",
        MEAN,
        "min(int(counts[largest]) - taken, by)",
        "by",
        "as many records as one likes stand at the last place",
        (f"{CROSS}::test_the_mean_is_the_ledgers",),
    ),
    Mutation(
        "power-table-exponent",
        POWER,
        "** float(exponent)).astype",
        "** (1.01 * float(exponent))).astype",
        "powers that are rounded have 1.01 (p - 1) in the exponent",
        (f"{SCORES}::test_tables_of_powers_are_odd_powers",),
    ),
    Mutation(
        "power-table-least",
        POWER,
        "np.maximum(scaled, 1)",
        "np.maximum(scaled, 0)",
        "records next to the target do not count",
        (f"{SCORES}::test_tables_of_powers_are_odd_powers",),
    ),
    Mutation(
        "power-score-tie",
        POWER,
        "np.count_nonzero(worth > table[t][:, None], axis=1)",
        "np.count_nonzero(worth >= table[t][:, None], axis=1)",
        "records that are worth an addition are removed, so that all may be gone",
        (SEARCH,),
    ),
    Mutation(
        "inverse-sensitivity-exponent",
        "mechanisms/subset/inverse_sensitivity.py",
        "return draw_points(scores, self.epsilon / 2, self.low, self.step, size, rng=rng)",
        "return draw_points(scores, self.epsilon * 21 / 40, self.low, self.step, size, rng=rng)",
        "draws have 5 % more in the exponent",
        (f"{RELEASE}::test_sampler_has_the_exact_law",),
    ),
    Mutation(
        "inverse-sensitivity-law",
        "mechanisms/subset/inverse_sensitivity.py",
        "return score_law(scores, self.epsilon, self.low, self.step)",
        "return score_law(scores, self.epsilon * 101 / 100, self.low, self.step)",
        "the stated law has 1 % more in the exponent",
        (f"{RELEASE}::test_reference_probabilities", f"{CROSS}::test_the_laws_are_the_ledgers"),
    ),
    Mutation(
        "printed-inverse-sensitivity",
        "mechanisms/as_printed/inverse_sensitivity.py",
        "return score_law(self._scores(data), Fraction(2),",
        "return score_law(self._scores(data), self.epsilon,",
        "the printed law has the exponent epsilon / 2",
        (f"{PRINTED}::test_counterexample_loses_almost_two",),
    ),
    Mutation(
        "printed-inverse-sensitivity-draws",
        "mechanisms/as_printed/inverse_sensitivity.py",
        "self._scores(data), Fraction(1), self.low",
        "self._scores(data), self.epsilon / 2, self.low",
        "printed draws have the exponent epsilon / 2",
        (f"{PRINTED}::test_sampler_has_the_exact_law",),
    ),
    Mutation(
        "restated-quantile-rank",
        RESTATED,
        "rank = math.ceil(level * sum(now))",
        "rank = math.floor(level * sum(now)) + 1",
        "the certificate has the upper quantile",
        (f"{CERTIFICATE}::test_scores_are_those_of_the_mechanism",),
    ),
    Mutation(
        "restated-tolerance",
        RESTATED,
        'tolerance = int(self.score == "crossing")',
        "tolerance = 1",
        "the certificate has the tolerance for len too",
        (f"{CERTIFICATE}::test_scores_are_those_of_the_mechanism",),
    ),
    Mutation(
        "restated-exponent",
        RESTATED,
        "return ExpSum.exp(-self.epsilon * score / 2)",
        "return ExpSum.exp(-self.epsilon * score * 101 / 200)",
        "the certificate has 1 % more in the exponent",
        (f"{CERTIFICATE}::test_what_was_proved_is_accepted",),
    ),
)
