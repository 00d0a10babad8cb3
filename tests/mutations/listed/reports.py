"""Reports in the formats of other programs, and pages."""

from tests.mutations.mutation import Mutation

JUNIT = "audit/report/test_junit.py"
SARIF = "audit/report/test_sarif.py"
MARKDOWN = "audit/report/test_markdown.py"
HTML = "audit/report/test_html.py"
PICTURES = "audit/report/test_pictures.py"
FORMS = "audit/report/test_forms.py"
PLACES = "audit/report/test_places.py"

MUTATIONS = (
    Mutation(
        "junit-inconclusive-passes",
        "audit/report/junit.py",
        '("ERROR",), ("FAIL", "OPEN")',
        '("ERROR",), ("FAIL",)',
        "INCONCLUSIVE is no failure although the exit status is 3",
        (f"{JUNIT}::test_inconclusive_is_skipped_only_where_it_may_be",),
    ),
    Mutation(
        "junit-surrogates",
        "audit/report/characters.py",
        "\\ud800-\\udfff",
        "",
        "a lone surrogate goes into the file, which then cannot be written",
        (f"{JUNIT}::test_what_xml_cannot_hold_is_replaced",),
    ),
    Mutation(
        "case-control-passes",
        "audit/report/sarif.py",
        'if case.mark in ("ok", "ERROR"):',
        'if case.mark in ("ok", "ERROR") or case.verdict == Verdict.CONSISTENT:',
        "a positive control that was not refuted is no finding",
        (f"{SARIF}::test_a_run_has_a_finding_for_each_failure",),
    ),
    Mutation(
        "sarif-fingerprint-of-the-findings-text",
        "audit/report/sarif.py",
        'key = f"{rule}\\n{case.name}"',
        'key = f"{rule}\\n{case.name}\\n{case.text}"',
        "each run makes a new finding of the same fault",
        (f"{SARIF}::test_a_finding_is_recognized_again",),
    ),
    Mutation(
        "place-first-definition",
        "audit/report/places.py",
        "tree = defined[-1]",
        "tree = defined[0]",
        "a name that is defined again is found where it does not count",
        (f"{PLACES}::test_the_last_definition_counts",),
    ),
    Mutation(
        "markdown-order",
        "audit/report/markdown.py",
        'WORST_FIRST = ("ERROR", "FAIL", "OPEN", "ok")',
        'WORST_FIRST = ("ok", "ERROR", "FAIL", "OPEN")',
        "failures stand below what passed",
        (f"{MARKDOWN}::test_a_run_is_a_table_with_failures_first",),
    ),
    Mutation(
        "html-attribute-unescaped",
        "audit/report/html/elements.py",
        "{_text(_shown(value))}",
        "{_shown(value)}",
        "a word of a user's ends an attribute",
        (f"{HTML}::test_elements_escape_what_is_no_markup",),
    ),
    Mutation(
        "html-text-unescaped",
        "audit/report/html/elements.py",
        "c if isinstance(c, Safe) else _text(c)",
        "c if isinstance(c, str) else _text(c)",
        "a target may be named <script>",
        (f"{HTML}::test_hostile_words_are_text",),
    ),
    Mutation(
        "html-policy",
        "audit/report/html/page.py",
        "default-src 'none'; ",
        "default-src *; ",
        "a page may load from anywhere",
        (f"{HTML}::test_the_policy_allows_our_script_only",),
    ),
    Mutation(
        "html-same-identifiers",
        "audit/report/html/pages.py",
        'key = f"case-{index}"',
        'key = "case"',
        "a button copies the script of another audit",
        (f"{HTML}::test_every_result_can_be_unfolded_on_one_page",),
    ),
    Mutation(
        "profile-allowed",
        "audit/report/html/curves.py",
        "/ (1 + math.exp(-epsilon))",
        "/ (1 - math.exp(-epsilon))",
        "the claim seems to allow more than it does",
        (f"{PICTURES}::test_the_allowed_profile_ends_at_the_claim",),
    ),
    Mutation(
        "witness-allowed-without-delta",
        "audit/report/html/plots.py",
        "* other + delta)",
        "* other)",
        "an approximate claim seems to allow less than it does",
        (f"{PICTURES}::test_a_witness_shows_what_the_claim_allows",),
    ),
    Mutation(
        "report-late",
        "audit/cli/options.py",
        '        check_output(file, "--report")\n',
        "",
        "a report that cannot be written is noticed after the run",
        (f"{FORMS}::test_a_report_that_cannot_be_written_is_exit_2_at_once",),
    ),
    Mutation(
        "html-exact-loss-of-users",
        "audit/report/html/exact.py",
        "    if proof.users:",
        "    if not proof.users:",
        "the proof of a personalized claim is told as an infinite loss",
        (f"{HTML}::test_a_personalized_proof_says_what_each_user_loses",),
    ),
    Mutation(
        "sarif-finding-nowhere",
        "audit/report/sarif.py",
        "place_of_registered(case.outcome.plan.request.target)",
        "place_of(case.outcome.plan.request.target)",
        "a finding about a registered name has no place, and code hosts refuse the file",
        (f"{SARIF}::test_a_registered_name_stands_in_its_module",),
    ),
    Mutation(
        "evidence-of-users-not-a-factor",
        "audit/report/evidence.py",
        "loss[1] / budget for",
        "loss[1] for",
        "the largest loss of a user is shown as a factor on the budgets",
        ("audit/report/test_evidence.py::test_each_kind_of_evidence_has_its_words",),
    ),
    Mutation(
        "figure-band-as-chords",
        "audit/report/figures/privacy_profile.py",
        'BAND_STEPS = "steps-pre"',
        'BAND_STEPS = "default"',
        "a chord of the lower band goes above the profile",
        ("audit/figures/test_figures.py::test_the_band_of_a_profile_is_drawn_as_steps",),
    ),
)
