"""Surveys and replay: what counts as refuted, what is kept, and what is compared."""

from tests.mutations.mutation import Mutation

RUN = "audit/surveys/test_run.py"
TABLES = "audit/surveys/test_tables.py"
REPLAY = "audit/screening/test_replay.py"
ASKED = "test_a_file_of_another_survey_is_refused"

# fmt: off
MUTATIONS = (
    Mutation("audit.surveys.run:_audited",
        old="first.verdict is not Verdict.REFUTED or is_confirmed(first)",
        new="is_confirmed(first)",
        breaks="a later run refutes what the first did not: four runs at the rate of one",
        tests=(f"{RUN}::test_no_later_run_refutes_what_the_first_did_not",)),
    Mutation("audit.surveys.run:_of_audit",
        old="verdict is Verdict.REFUTED and not confirmed", new="False",
        breaks="what fresh draws do not confirm is REFUTED",
        tests=(f"{RUN}::test_only_what_fresh_draws_confirm_is_refuted",)),
    Mutation("audit.surveys.run:run_survey", old="max(1, scope.sharing)", new="max(1, len(cases))",
        breaks="a row alone has the rate of the whole table",
        tests=(f"{RUN}::test_the_rate_is_that_of_the_whole_table",)),
    Mutation("audit.surveys.row:status_of", old="refuted >= row.relations", new="refuted >= 1",
        breaks="one reading of several that is refuted refutes a library",
        tests=(f"{RUN}::test_one_reading_alone_stays_open",)),
    Mutation("audit.surveys.journal:open_journal", old="first.get(key) != head[key]", new="False",
        breaks="rows of another seed or rate are taken for these",
        tests=(f"{RUN}::{ASKED}",)),
    Mutation("audit.surveys.journal:_lines", old="len(whole) < len(text)", new="False",
        breaks="a line that an interruption left is written on to",
        tests=(f"{RUN}::test_an_interrupted_survey_loses_nothing",)),
    Mutation("audit.targets.libraries.evaluation:_told", old="relation not in call.relations",
        new="False",
        breaks="a call whose relation is open is audited under none that was chosen",
        tests=(f"{TABLES}::test_a_library_that_leaves_the_relation_open_is_asked_for_one",)),
    Mutation("audit.screening.replay:compared", old="x == again", new="True",
        breaks="a target that does not repeat itself differs between data sets",
        tests=(f"{REPLAY}::test_what_does_not_repeat_itself_is_left_out",)),
    Mutation("audit.screening.replay:_flow", old="isinstance(output, BaseException)", new="False",
        breaks="a path that ends in an exception is a difference of control flow",
        tests=(f"{REPLAY}::test_a_failure_is_no_difference_of_flow",)),
)
