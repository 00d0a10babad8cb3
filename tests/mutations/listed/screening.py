"""Screening: what is scored, chosen and kept apart from the bets."""

from tests.mutations.mutation import Mutation

SCORE = "audit/screening/test_score.py"
CANDIDATES = "audit/screening/test_candidates.py"
SEARCHES = "audit/screening/test_searches.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.screening.score:coupled_score", old="rows != others", new="rows == others",
        breaks="outcomes that agree count as those that differ",
        tests=(f"{SCORE}::test_outcomes_that_never_differ_hide_a_pair",)),
    Mutation("audit.screening.score:_apart", old="not {kind, other} <= known.kinds", new="True",
        breaks="kinds that a release has at random are a violation",
        tests=(f"{SCORE}::test_kinds_that_plain_data_have_by_chance_are_outcomes",)),
    Mutation("audit.screening.score:_ratio",
        old="np.abs(ratios / middle - 1).max() > CONSTANT", new="False",
        breaks="a ratio that is not constant is one of scales",
        tests=(f"{SCORE}::test_noise_of_another_state_has_no_ratio",)),
    Mutation("audit.screening.calibration:calibration_of", old="spread == 0", new="spread < 0",
        breaks="noise that is mostly zero has no scale, and every shift is infinite",
        tests=(f"{SCORE}::test_noise_that_is_mostly_zero_is_a_category",)),
    Mutation("audit.screening.yardstick:Yardstick.loss", old="p - delta", new="p",
        breaks="events as rare as delta allows break a claim",
        tests=(f"{SCORE}::test_an_event_at_the_claim_shows_one_unit",)),
    Mutation("audit.screening.candidates:_each",
        old="domain.admits(pair.data, pair.neighbor)", new="True",
        breaks="candidates leave the domain",
        tests=(f"{CANDIDATES}::test_every_candidate_is_of_the_domain",)),
    Mutation("audit.screening.candidates:others_than_candidates",
        old="key_of_pair(pair) not in keys", new="True",
        breaks="a pair at hand is left out, or comes twice",
        tests=(f"{CANDIDATES}::test_a_pair_at_hand_is_no_candidate_twice",)),
    Mutation("audit.screening.candidates:candidates_of", old="_each(domain, seed)",
        new="_each(domain, 1)",
        breaks="every run screens the same pairs",
        tests=(f"{CANDIDATES}::test_the_first_candidates_are_those_of_the_whole_list",)),
    Mutation("audit.screening.caller:Caller.independent", old="(stage, number, APART)",
        new="(stage, 0, APART)",
        breaks="independent draws share their random numbers",
        tests=(f"{SEARCHES}::test_halving_draws_both_sides_apart",)),
)
