"""Reports in the formats of other programs, and pages."""

from tests.mutations.mutation import Mutation

SARIF = "audit/report/test_sarif.py"
HTML = "audit/report/test_html.py"
FORMS = "audit/report/test_forms.py"
STORED = "audit/report/test_stored.py"

# fmt: off
MUTATIONS = (
    Mutation("audit.readers.values:_scalar",
        old='set(value) <= set("-0123456789/")', new="True",
        breaks="an exact number of a file is computed, however large it says it is",
        tests=(f"{STORED}::test_other_values_are_refused",)),
    Mutation("audit.readers.values:_tuple",
        old="len(each) != len(value)", new="False",
        breaks="parts of a value may be missing",
        tests=(f"{STORED}::test_other_values_are_refused",)),
    Mutation("audit.readers.run:_of_gate",
        old="_mark(one)", new="case.mark",
        breaks="a control that was refuted fails, as an audit by itself would",
        tests=(f"{STORED}::test_a_gate_has_its_marks_again",)),
    Mutation("audit.readers.run:_of_gate",
        old='case.verdict == Verdict.REFUTED and not control and mark == "ok"', new="False",
        breaks="a refuted audit is shown as expected where the file says so",
        tests=(f"{STORED}::test_a_refuted_audit_is_never_ok",)),
    Mutation("audit.readers.run:_run",
        old="(*cases, *_whole(record, cases))", new="cases",
        breaks="a run that was interrupted before its first audit has passed",
        tests=(f"{STORED}::test_a_run_that_ended_badly_never_passed",)),
    Mutation("audit.readers.documents:_proof",
        old='record["delta"]', new="None",
        breaks="a stored proof says nothing of delta",
        tests=(f"{STORED}::test_an_audit_says_again_what_it_said",)),
    Mutation("audit.report.junit", old='ERRORS, FAILURES = ("ERROR",), ("FAIL", "OPEN")',
        new='ERRORS, FAILURES = ("ERROR",), ("FAIL",)',
        breaks="INCONCLUSIVE is no failure although the exit status is 3",
        tests=("audit/report/test_junit.py::test_inconclusive_is_skipped_only_where_it_may_be",)),
    Mutation("audit.report.characters",
        old='"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ud800-\\udfff\\ufdd0-\\ufdef\\ufffe'
        '\\uffff" + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for '
        "plane in range(0x10000, 0x110000, 0x10000))",
        new='"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\ufdd0-\\ufdef\\ufffe\\uffff" + '
        '"".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in '
        "range(0x10000, 0x110000, 0x10000))",
        breaks="a lone surrogate goes into the file, which then cannot be written",
        tests=("audit/report/test_junit.py::test_what_xml_cannot_hold_is_replaced",)),
    Mutation("audit.suite.document:_rule", old="outcome.status == 0",
        new="outcome.status == 0 or verdict == Verdict.CONSISTENT",
        breaks="a positive control that was not refuted is no finding",
        tests=(f"{SARIF}::test_a_run_has_a_finding_for_each_failure",)),
    Mutation("audit.report.sarif:_result", old='f"{rule}\\n{case.name}"',
        new='f"{rule}\\n{case.name}\\n{case_text(case)}"',
        breaks="each run makes a new finding of the same fault",
        tests=(f"{SARIF}::test_a_finding_is_recognized_again",)),
    Mutation("audit.places:_line", old="-1", new="0",
        breaks="a name that is defined again is found where it does not count",
        tests=("audit/report/test_places.py::test_the_last_definition_counts",)),
    Mutation("audit.report.markdown", old='WORST_FIRST = ("ERROR", "FAIL", "OPEN", "ok")',
        new='WORST_FIRST = ("ok", "ERROR", "FAIL", "OPEN")',
        breaks="failures stand below what passed",
        tests=("audit/report/test_markdown.py::test_a_run_is_a_table_with_failures_first",)),
    Mutation("audit.report.html.elements:el", old="_text(_shown(value))", new="_shown(value)",
        breaks="a word of a user's ends an attribute",
        tests=(f"{HTML}::test_elements_escape_what_is_no_markup",)),
    Mutation("audit.report.html.elements:joined", old="isinstance(c, Safe)",
        new="isinstance(c, str)",
        breaks="a target may be named <script>", tests=(f"{HTML}::test_hostile_words_are_text",)),
    Mutation("audit.report.html.page:page",
        old='f"default-src \'none\'; style-src \'{_digest(style)}\'; script-src '
        '\'{_digest(script)}\'; " "img-src data:; base-uri \'none\'; form-action \'none\'"',
        new='f"default-src *; style-src \'{_digest(style)}\'; script-src '
        '\'{_digest(script)}\'; " "img-src data:; base-uri \'none\'; form-action \'none\'"',
        breaks="a page may load from anywhere",
        tests=(f"{HTML}::test_the_policy_allows_our_script_only",)),
    Mutation("audit.report.html.pages:_details", old='f"case-{index}"', new='"case"',
        breaks="a button copies the script of another audit",
        tests=(f"{HTML}::test_every_result_can_be_unfolded_on_one_page",)),
    Mutation("audit.engine.pictures:allowed_delta", old="1 + math.exp(-epsilon)",
        new="1 - math.exp(-epsilon)",
        breaks="the claim seems to allow more than it does",
        tests=("audit/report/test_pictures.py::test_the_allowed_profile_ends_at_the_claim",)),
    Mutation("audit.documents.parts:_allowed",
        old="math.exp(min(epsilon, MOST)) * other + delta",
        new="math.exp(min(epsilon, MOST)) * other",
        breaks="an approximate claim seems to allow less than it does",
        tests=("audit/report/test_pictures.py::test_a_witness_shows_what_the_claim_allows",)),
    Mutation("audit.cli.options:read_reports", old="check_output(file, '--report')", new="",
        breaks="a report that cannot be written is noticed after the run",
        tests=(f"{FORMS}::test_a_report_that_cannot_be_written_is_exit_2_at_once",)),
    Mutation("audit.exact.document:_largest",
        old="if proof.users:\n    each = (f'user {user} {enclosed(loss)} of {budget}' "
        'for user, budget, loss in proof.users)\n    return f"At worst lose {\'; '
        '\'.join(each)}."',
        new="if not proof.users:\n    each = (f'user {user} {enclosed(loss)} of "
        '{budget}\' for user, budget, loss in proof.users)\n    return f"At worst '
        'lose {\'; \'.join(each)}."',
        breaks="the proof of a personalized claim is told as an infinite loss",
        tests=(f"{HTML}::test_a_personalized_proof_says_what_each_user_loses",)),
    Mutation("audit.suite.document:_place",
        old="place_of_registered(request.target)", new="place_of(request.target)",
        breaks="a finding about a registered name has no place, and code hosts refuse the file",
        tests=(f"{SARIF}::test_a_registered_name_stands_in_its_module",)),
    Mutation("audit.exact.document:evidence", old="loss[1] / budget", new="loss[1]",
        breaks="the largest loss of a user is shown as a factor on the budgets",
        tests=("audit/report/test_evidence.py::test_each_kind_of_evidence_has_its_words",)),
    Mutation("audit.figures.privacy_profile", old='BAND_STEPS = "steps-pre"',
        new='BAND_STEPS = "default"',
        breaks="a chord of the lower band goes above the profile",
        tests=("audit/figures/test_figures.py::test_the_band_of_a_profile_is_drawn_as_steps",)),
)
