"""The law of the center of the range of PDP for one user, and laws of a part of a release."""

from tests.mutations.mutation import Mutation

LAW = "mechanisms/as_printed/center_law.py"
SILENCE = "mechanisms/personalized/sparse/silence.py"
POINTS = "mechanisms/as_printed/test_center_law.py::test_law_is_that_of_all_points"
NOISES = "mechanisms/personalized/test_silence.py::test_masses_are_those_of_the_noises"
LEDGER = "cross/test_pdp_center.py::test_probabilities_are_the_ledgers"
PARTIAL = "audit/exact/test_partial_laws.py"

MUTATIONS = (
    Mutation(
        "center-half-radius",
        LAW,
        'radii = [2**i >> ("E-11" in self.slips)',
        'radii = [2**i >> ("E-11" not in self.slips)',
        "the stated law has the half radius where the sampler has not",
        (POINTS, LEDGER),
    ),
    Mutation(
        "center-misses",
        LAW,
        "return (max(1, abs(place or 0)) - 1).bit_length()",
        "return max(1, abs(place or 0)).bit_length()",
        "the first radius that covers the record counts as a miss",
        (POINTS, LEDGER),
    ),
    Mutation(
        "center-score",
        LAW,
        "half = numbers.exp(numbers.rational(-self.tau / STAGES / 4))",
        "half = numbers.exp(numbers.rational(-self.tau / STAGES / 2))",
        "centered scores on one record are -1 in place of -1/2",
        (POINTS, "mechanisms/as_printed/test_center_law.py::test_sampler_has_the_exact_law"),
    ),
    Mutation(
        "center-rank",
        LAW,
        "return one, numbers.rational(Fraction(1)) if large else one",
        "return one, one",
        "a printed rank that is moved beyond the record counts as rank 1",
        (POINTS, LEDGER),
    ),
    Mutation(
        "center-beta-share",
        LAW,
        "points = numbers.rational((2 * radius + 1) * STAGES / self.beta)",
        "points = numbers.rational((2 * radius + 1) / self.beta)",
        "the printed rank is moved with beta in place of beta / 4",
        (POINTS,),
    ),
    Mutation(
        "center-beyond-the-radius",
        LAW,
        "if place is None or abs(place) > radius:",
        "if place is None or abs(place) > 2 * radius:",
        "a record beyond the radius counts for the center",
        (POINTS,),
    ),
    Mutation(
        "center-survival",
        LAW,
        "silent, numbers) + (1 - kept) * found",
        "silent, numbers) + found",
        "without survival the event counts in full",
        ("mechanisms/as_printed/test_center_law.py::test_survival_mixes_the_laws",),
    ),
    Mutation(
        "silence-threshold",
        SILENCE,
        "log_u = numbers.log(numbers.rational(beta / 2)) * Fraction(3, 2)",
        "log_u = numbers.log(numbers.rational(beta / 2)) * Fraction(4, 3)",
        "the threshold is another multiple of ln(2 / beta)",
        (NOISES, LEDGER),
    ),
    Mutation(
        "silence-between",
        SILENCE,
        "between[c] - quarter * between[c - 1]",
        "between[c] - s * between[c - 1]",
        "between -1 and 0 the noise of a missing query is wrong",
        (NOISES, LEDGER),
    ),
    Mutation(
        "silence-above",
        SILENCE,
        "rest * above[c] + s * above[c + 1]",
        "rest * above[c + 1] + s * above[c]",
        "above 0 the noise of a missing query is wrong",
        (NOISES,),
    ),
    Mutation(
        "partial-law-proves",
        "audit/exact/search.py",
        "    if part and found.broken is None:\n",
        "    if part is None and found.broken is None:\n",
        "the law of one event proves a claim about the whole release",
        (
            f"{PARTIAL}::test_a_whole_law_proves_and_a_part_does_not",
            f"{PARTIAL}::test_a_sound_range_is_not_proved_by_its_center",
        ),
    ),
    Mutation(
        "partial-law-as-release",
        "audit/exact/release_events.py",
        "if law.cuts or isinstance(law, PartialLaw):",
        "if law.cuts:",
        "an event of the samples is looked up among outcomes that are no releases",
        (f"{PARTIAL}::test_outcomes_of_a_part_are_no_releases",),
    ),
)
