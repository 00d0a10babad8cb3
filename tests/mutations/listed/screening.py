"""Screening: what is scored, chosen and kept apart from the bets."""

from tests.mutations.mutation import Mutation

SCORE = "audit/screening/test_score.py"
CANDIDATES = "audit/screening/test_candidates.py"
SEARCHES = "audit/screening/test_searches.py"
PROGRAMS = "audit/screening/test_programs.py"
RESUMED = "audit/tables/test_resumed.py"

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
    Mutation("audit.screening.candidates:candidates_of",
        old="domain.admits(pair.data, pair.neighbor)", new="True",
        breaks="candidates leave the domain",
        tests=(f"{CANDIDATES}::test_every_candidate_is_of_the_domain",)),
    Mutation("audit.screening.caller:Caller.independent", old="(stage, number, APART)",
        new="(stage, 0, APART)",
        breaks="independent draws share their random numbers",
        tests=(f"{SEARCHES}::test_halving_draws_both_sides_apart",)),
    Mutation("audit.screening.size:program_size",
        old="max(least.pairs - too_many, FEWEST_STARTED)", new="max(least.pairs - too_many, 0)",
        breaks="a program that is slow to start is not screened",
        tests=(f"{PROGRAMS}::test_the_number_of_pairs_names_how_much_is_screened",)),
    Mutation("audit.screening.size:program_size",
        old="(needed(least) - seconds) / of_a_pair", new="0.0",
        breaks="the starts of a slow program take more than the time for them",
        tests=(f"{PROGRAMS}::test_a_slow_start_is_paid_for_by_fewer_pairs",)),
    Mutation("audit.targets.command:heard_apart", old="replace(draw, said={})", new="draw",
        breaks="what fails on screened data is a note of the audit",
        tests=(f"{PROGRAMS}::test_what_fails_while_a_program_is_screened_is_no_note_of_its_audit",)),
    Mutation("audit.screening.memory:Memory.drawn",
        old="answers[self.place].asked != asked", new="False",
        breaks="draws of another request stand in for those that are asked for",
        tests=(f"{RESUMED}::test_an_answer_to_another_request_is_not_taken",)),
    Mutation("audit.run_screening:_kept",
        old="plan.domain.admits(pair.data, pair.neighbor)", new="True",
        breaks="a file with pairs that are no neighbors refutes a claim",
        tests=(f"{RESUMED}::test_pairs_that_are_no_neighbors_are_refused",)),
    Mutation("audit.engine.checkpoint:SavedAudit.read", old="begun and was is None", new="begun",
        breaks="a screening goes on for another audit",
        tests=(f"{RESUMED}::test_a_screening_of_another_run_is_refused",)),
    Mutation("audit.pairs.tables.families:hostile", old="column.nullable and not few", new="False",
        breaks="a null never comes beside many others",
        tests=("audit/tables/test_pairs.py::test_a_null_comes_beside_many_others",)),
)
