"""The mark `privacy`: what a test returns or names is audited, and fails with its witness."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import textwrap

import pytest

from tests.plugin.projects import make, properties, run

pytest_plugins = ["pytester"]


def test_a_refuted_claim_fails_with_its_witness(pytester: pytest.Pytester) -> None:
    """It must hold that the failure is the report, without a traceback, and repeats by a seed."""
    make(pytester, "@pytest.mark.privacy(TINY)\ndef test_leaky():\n    return leaky\n")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    body = text.partition("test_leaky ____")[2].partition("= privacy audits =")[0]
    assert body.partition("\n")[2].startswith("REFUTED: release:leaky\nThe claim epsilon = 1 (li")
    for words in (
        "witness     output",
        "  counts    ",
        "The witness as a script:",
        "audit.recount(target, D, D_prime, event, ",
    ):
        assert words in body
    for noise in ("Traceback", "_touchstone_pytest", "def test_leaky", "in_tests", "hidden"):
        assert noise not in body
    assert "repeat      pytest test_it.py::test_leaky --privacy-seed 7/1\n" in body
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_leaky - *REFUTED: release:leaky"])


@pytest.mark.long
def test_results_go_into_the_summary_and_junit(pytester: pytest.Pytester) -> None:
    """It must hold that verdict, claim, limit, power, share and seed of each audit are told."""
    make(
        pytester,
        "@pytest.mark.privacy(TINY)\ndef test_leaky():\n    return leaky\n\n\n"
        "@pytest.mark.privacy(TINY)\ndef test_private():\n    return private\n\n\n"
        "def test_plain():\n    pass\n",
    )
    result = run(pytester)
    result.assert_outcomes(failed=1, passed=2)
    result.stdout.fnmatch_lines(
        [
            "*= privacy audits =*",
            "verdict     test                      claim                 shown *seen from  rate",
            "REFUTED     test_it.py::test_leaky    epsilon = 1 (listed)  epsilon > * 0.0005",
            "CONSISTENT  test_it.py::test_private  epsilon = 1 (listed)  epsilon > *  *  0.0005",
            "false-alarm rate 0.001 for the session, in 2 parts; --privacy-seed 7/2 repeats *",
        ]
    )
    told = properties(pytester.path)
    assert told["test_plain"] == {}
    common = {"verdict", "claim", "epsilon_lower", "delta_lower", "false_alarm", "seed", "samples"}
    assert set(told["test_leaky"]) == common
    assert set(told["test_private"]) == common | {"detectable"}
    assert told["test_leaky"]["verdict"] == "REFUTED"
    assert 0 < float(told["test_leaky"]["epsilon_lower"]) < 1 / 0.3
    assert told["test_leaky"]["false_alarm"] == "0.0005"
    assert told["test_leaky"]["seed"] != told["test_private"]["seed"]


RETURNED = """
@pytest.mark.privacy(TINY)
def test_function():
    return leaky


@pytest.mark.privacy(pair="pair.json", ideal=True, budget_samples=20000)
def test_object():
    return Leaky()


@pytest.mark.privacy(pair="pair.json", ideal=True, budget_samples=20000, param={"epsilon": "1/2"})
def test_class():
    return Leaky


@pytest.mark.privacy(TINY)
def test_closure():
    return lambda data, size, rng: leaky(data, size, rng)


@pytest.mark.privacy(TINY)
def test_text():
    return "release.py:leaky"


@pytest.mark.privacy(TINY, target="release:leaky")
def test_target():
    pass


class TestMethods:
    @pytest.mark.privacy(TINY)
    @pytest.mark.parametrize("mechanism", [leaky])
    def test_method(self, mechanism, tmp_path):
        return mechanism
"""


@pytest.mark.long
def test_everything_that_is_a_mechanism_is_audited(pytester: pytest.Pytester) -> None:
    """It must hold that functions, objects, classes, closures and names are all refuted."""
    make(pytester, RETURNED)
    result = run(pytester)
    result.assert_outcomes(failed=7)
    told = properties(pytester.path)
    assert {row["verdict"] for row in told.values()} == {"REFUTED"}
    assert told["test_object"]["claim"] == "epsilon = 1 (listed)"
    assert told["test_class"]["claim"] == "epsilon = 1/2 (listed)"


@pytest.mark.long
@pytest.mark.parametrize("order", ["own claim", "stated claim"])
def test_a_mechanism_that_states_its_law_is_proved(pytester: pytest.Pytester, order: str) -> None:
    """It must hold that mode exact proves a name and an object, and takes no share of the rate."""
    epsilon = "" if order == "own claim" else ', epsilon="9/10"'
    make(
        pytester,
        "from mechanisms.registry import build_mechanism\n\n\n"
        f'@pytest.mark.privacy(mode="exact"{epsilon})\ndef test_name():\n'
        '    return "ksw.shifted-laplace"\n\n\n'
        f'@pytest.mark.privacy(mode="exact"{epsilon})\ndef test_object():\n'
        '    return build_mechanism("ksw.shifted-laplace")\n\n\n'
        "@pytest.mark.privacy(TINY)\ndef test_samples():\n    return private\n",
    )
    result = run(pytester)
    told = properties(pytester.path)
    verdict = "PROVED" if order == "own claim" else "REFUTED"
    assert {told[name]["verdict"] for name in ("test_name", "test_object")} == {verdict}
    assert "false_alarm" not in told["test_name"]
    assert told["test_samples"]["false_alarm"] == "0.001"
    result.assert_outcomes(**({"passed": 3} if verdict == "PROVED" else {"passed": 1, "failed": 2}))


@pytest.mark.long
def test_what_could_not_tell_fails_unless_allowed(pytester: pytest.Pytester) -> None:
    """It must hold that INCONCLUSIVE fails, and passes by the option or the setting."""
    words = 'epsilon=1, relation="listed", pair="pair.json", ideal=True, budget_samples=600'
    make(pytester, f"@pytest.mark.privacy({words})\ndef test_coarse():\n    return private\n")
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["INCONCLUSIVE: release:private", "--privacy-inconclusive=ok lets such a test pass."]
    )
    for allowed in ("--privacy-inconclusive=ok", "-oprivacy_inconclusive=ok"):
        result = run(pytester, allowed)
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines(["INCONCLUSIVE  test_it.py::test_coarse *"])


@pytest.mark.long
def test_a_positive_control_must_be_refuted(pytester: pytest.Pytester) -> None:
    """It must hold that expect="refuted" passes for a broken mechanism, and for no other."""
    make(
        pytester,
        '@pytest.mark.privacy(TINY, expect="refuted")\ndef test_leaky():\n    return leaky\n\n\n'
        '@pytest.mark.privacy(TINY, expect="refuted")\ndef test_private():\n    return private\n',
    )
    result = run(pytester, "--privacy-inconclusive=ok")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["NOT REFUTED, as a positive control must be: release:private", "CONSISTENT: *"]
    )


AS_IN_PYTHON = """
import numpy as np
import touchstone_dp as ts

CLAIM = ts.pure(1, relation="listed", source="me")
CURVE = ts.trade_off([(0, "9/10"), (1, 0)], relation="listed")
WORDS = {"pair": (0.0, 1.0), "ideal": True, "budget_samples": 20000, "resolution": 9}


@pytest.mark.privacy(CLAIM, **WORDS)
def test_claim():
    return private


@pytest.mark.privacy(claim=CURVE, expect="refuted", **WORDS)
def test_curve():
    return leaky


@pytest.mark.privacy(CLAIM, expect="REFUTED", **{**WORDS, "pair": ["pair.json", (0.0, 0.5)]})
def test_pairs():
    return leaky


@pytest.mark.privacy(CLAIM, expect="inconclusive", **{**WORDS, "budget_samples": 600})
def test_too_few():
    return private


@pytest.mark.privacy(target="ksw.swap-laplace", mode="exact", expect="proved")
def test_proved():
    pass


@pytest.mark.privacy(CLAIM, expect="proved", **WORDS)
def test_not_proved():
    return private


def test_fixture(privacy_audit):
    result = privacy_audit(private, CLAIM, **WORDS)
    assert str(result.claim.source) == "user, me"
    data = np.array([0.0, 0.5, 1.0])
    words = {"data": data, "ideal": True, "budget_samples": 600, "expect": "inconclusive"}
    mean = lambda data, size, rng: data.mean() + rng.laplace(size=size)
    privacy_audit(mean, ts.pure(1, relation="swap"), **words)
"""


@pytest.mark.long
def test_a_mark_takes_what_the_api_takes(pytester: pytest.Pytester) -> None:
    """It must hold for claims, pairs and data in memory, and for every verdict to expect."""
    make(pytester, AS_IN_PYTHON)
    result = run(pytester)
    result.assert_outcomes(passed=6, failed=1)
    result.stdout.fnmatch_lines(["NOT PROVED, as the test expects: release:private"])


WRONG = {
    "nothing": ("(TINY)", "pass", "the test must return a mechanism, or its mark name one"),
    "twice": ("(TINY, target='m:f')", "return leaky", "the mark names a target, and the test ret"),
    "unknown": (
        "(epsilonn=1)",
        "return leaky",
        "unknown word 'epsilonn'; known: command, epsilon, delta",
    ),
    "session": ("(false_alarm=0.1)", "return leaky", "with --privacy-false-alarm"),
    "place": ("(1)", "return leaky", "by name, such as epsilon=1, got 1"),
    "number": ("(TINY)", "return 3", "must be callable, or have sample"),
    "generator": ("(TINY)", "return (x for x in ())", "generator object must be callable, or"),
    "kind": ("(epsilon=1, rho=1)", "return leaky", "--epsilon and --rho state claims of different"),
    "hint": ("(epsilon=1, rho=1)", "return leaky", "(Options of `touchstone audit` are words of a"),
    "value": ("(epsilon=-1, relation='swap')", "return leaky", "epsilon must be at least 0, got"),
    "type": ("(epsilon=[1])", "return leaky", "privacy: epsilon must be a number, or text such as"),
    "seconds": ("(budget_seconds='1')", "return leaky", "budget_seconds must be a number, got"),
    "claim": ("(low=0, high=1)", "return leaky", "release:leaky makes no claim of its own; state"),
    "finished": ("(param={'a': 1})", "return Leaky()", "Leaky object is a finished mechanism"),
    "file": ("(TINY, target='no.py:f')", "pass", "there is no file 'no.py'"),
    "law": ("(TINY, mode='exact')", "return leaky", "leave out"),
    "claims": (
        "(touchstone_dp.pure(1, relation='swap'), epsilon=1)",
        "return leaky",
        "the claim is stated twice: as epsilon = 1 (swap) and by epsilon",
    ),
    "no_claim": ("(claim=1)", "return leaky", "claim must be a PrivacyClaim, such as audit.pure"),
    "pair": ("(epsilon=1, relation='swap', pair=[1, 2])", "return leaky", "a pair is (data, nei"),
    "expect": ("(TINY, expect='maybe')", "return leaky", "expect must be one of consistent, ref"),
}


@pytest.mark.long
def test_wrong_words_fail_the_test_and_say_why(pytester: pytest.Pytester) -> None:
    """It must hold that each wrong use is one failed test with one message, and no traceback."""
    tests = [
        f"@pytest.mark.privacy{mark}\ndef test_{name}():\n    {body}\n"
        for name, (mark, body, _) in WRONG.items()
    ]
    make(pytester, "import touchstone_dp\n\n\n" + "\n\n".join(tests))
    result = run(pytester)
    result.assert_outcomes(failed=len(WRONG))
    text = result.stdout.str()
    for name, (_, _, message) in WRONG.items():
        body = text.partition(f" test_{name} ___")[2].partition("\n___")[0].partition("\n")[2]
        assert body.startswith("no audit: "), name
        assert message in body, (name, body)
        assert "Error" not in body.partition("\n=")[0], name
    assert "privacy audits =" not in text


def test_only_plain_functions_can_return_one(pytester: pytest.Pytester) -> None:
    """It must hold that a mark that could do nothing is an error, and never a silent pass."""
    make(
        pytester,
        """
import unittest


class TestOld(unittest.TestCase):
    @pytest.mark.privacy(TINY, target="release:leaky")
    def test_case(self):
        pass


@pytest.mark.privacy(TINY)
async def test_async():
    return leaky


@pytest.mark.privacy(epsilon=1)
@pytest.mark.privacy(epsilon=2)
def test_two_claims():
    return leaky
""",
    )
    result = run(pytester)
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines_random(
        [
            "no audit: only a test function can return a mechanism, and test_case is none",
            "no audit: an async test returns no mechanism; return it from a plain function",
            "no audit: two marks of test_two_claims say epsilon; write a test for each claim",
        ]
    )


@pytest.mark.long
def test_marks_of_a_class_are_filled_up_by_those_of_its_tests(pytester: pytest.Pytester) -> None:
    """It must hold that words of the test win over words of the class, and these over the file."""
    make(
        pytester,
        """
pytestmark = pytest.mark.privacy(TINY)


def test_file():
    return leaky


@pytest.mark.privacy(epsilon=2)
class TestClass:
    def test_of_class(self):
        return leaky

    @pytest.mark.privacy(epsilon=5)
    def test_own(self):
        return leaky
""",
    )
    result = run(pytester, "--privacy-inconclusive=ok")
    told = properties(pytester.path)
    assert [told[name]["claim"] for name in ("test_file", "test_of_class", "test_own")] == [
        "epsilon = 1 (listed)",
        "epsilon = 2 (listed)",
        "epsilon = 5 (listed)",
    ]
    result.assert_outcomes(failed=2, passed=1)


@pytest.mark.long
def test_failures_skips_and_expected_failures_stay_what_they_are(
    pytester: pytest.Pytester,
) -> None:
    """It must hold that a test that ends before it returns is not audited."""
    make(
        pytester,
        """
@pytest.mark.privacy(TINY)
def test_assertion():
    answer = 41
    assert answer == 42
    return leaky


@pytest.mark.privacy(TINY)
def test_skip():
    pytest.skip("not today")


@pytest.mark.xfail
@pytest.mark.privacy(TINY)
def test_known():
    return leaky
""",
    )
    result = run(pytester)
    result.assert_outcomes(failed=1, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines([">       assert answer == 42", "E       assert 41 == 42"])
    assert "audited(" not in result.stdout.str()
    assert {name for name, row in properties(pytester.path).items() if row} == {"test_known"}


@pytest.mark.long
def test_warnings_are_no_outcomes(pytester: pytest.Pytester) -> None:
    """It must hold that a mechanism that warns is not refuted where warnings are errors."""
    make(
        pytester,
        """
import warnings


def warns(data, size, rng):
    if data > 0:
        warnings.warn("a large record")
    return private(data, size, rng)


def raises(data, size, rng):
    if data > 0:
        raise ValueError
    return private(data, size, rng)


@pytest.mark.privacy(TINY)
def test_warns():
    return warns


@pytest.mark.privacy(TINY, expect="refuted")
def test_raises():
    return raises
""",
    )
    result = run(pytester, "-W", "error")
    result.assert_outcomes(passed=2)  # what a target warns of stays in its own process


@pytest.mark.parametrize("where", ["terminal", "CI"])
def test_the_report_is_printed_once(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """It must hold that the line of a failure has the verdict alone, where pytest cuts none too."""
    monkeypatch.setenv("CI", "true" if where == "CI" else "")
    make(pytester, "@pytest.mark.privacy(TINY)\ndef test_it():\n    return leaky\n")
    result = run(pytester)
    lines = result.stdout.str().splitlines()
    assert "FAILED test_it.py::test_it - Failed: REFUTED: release:leaky" in lines
    assert sum(line.startswith("The claim epsilon = 1 (listed) is false.") for line in lines) == 1


@pytest.mark.long
def test_the_script_of_a_witness_runs(pytester: pytest.Pytester) -> None:
    """It must hold that the printed script finds what it needs, or says what to put in."""
    make(
        pytester,
        "@pytest.mark.privacy(TINY)\ndef test_it():\n    return leaky\n\n\n"
        "@pytest.mark.privacy(TINY)\ndef test_closure():\n    return lambda *, x: x\n\n\n"
        "@pytest.mark.privacy(TINY)\ndef test_lambda():\n"
        "    return lambda data, size, rng: leaky(data, size, rng)\n",
    )
    text = run(pytester).stdout.str()
    scripts = [
        textwrap.dedent(part.partition("\n____")[0].partition("\n====")[0])
        for part in text.split("The witness as a script:\n")[1:]
    ]
    for name, script in zip(("first", "second"), scripts, strict=True):
        (pytester.path / f"{name}.py").write_text(script)
    counted = subprocess.run(
        [sys.executable, "first.py"], capture_output=True, text=True, check=True, cwd=pytester.path
    )
    hits, other = map(int, re.findall(r"(\d+) of ", counted.stdout))
    likelier, rarer = max(hits, other), min(hits, other)
    assert likelier > math.e * rarer  # the claim is false on these draws too
    assert "mechanism = ...  # put here what test_it.py::test_lambda gave to" in scripts[1]


def test_paths_are_seen_from_the_root_folder(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that files are found from any folder, and sys.path stays as it was."""
    make(
        pytester,
        """
import sys

PATHS = []


@pytest.mark.privacy(TINY, target="other/mod.py:leaky")
def test_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    PATHS.append(list(sys.path))


def test_path():
    assert PATHS == [sys.path]
""",
    )
    folder = pytester.mkdir("other")
    (folder / "mod.py").write_text("from release import leaky\n")
    monkeypatch.chdir(folder)
    result = run(pytester, "--rootdir=..", "-c", "../tox.ini", "../test_it.py")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["REFUTED: */other/mod.py:leaky"])


@pytest.mark.long
def test_a_release_of_labels_gets_the_list(pytester: pytest.Pytester) -> None:
    """It must hold that the release of a marked test gets the list."""
    more = 'schema="labels.toml", takes="values", screen=0, ideal=True, expect="refuted"'
    make(
        pytester,
        "import random\n\n\ndef count(labels):\n    assert type(labels) is list\n"
        "    return labels.count('red') + random.gauss(0, 0.01)\n\n\n"
        f"@pytest.mark.privacy(epsilon=1, {more})\ndef test_labels():\n    return count\n",
    )
    (pytester.path / "labels.toml").write_text(
        'relation = "add-remove"\n[columns.label]\ntype = "category"\nvalues = ["red", "green"]\n'
    )
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.long
def test_a_release_that_nothing_changes_fails_unless_it_is_meant(
    pytester: pytest.Pytester,
) -> None:
    """It must hold that the mark has the word, and that without it the question is asked."""
    silent = "def silent(data, size, rng):\n    return rng.laplace(size=size)\n\n\n"
    make(
        pytester,
        f"{silent}@pytest.mark.privacy(TINY)\ndef test_open():\n    return silent\n\n\n"
        '@pytest.mark.privacy(TINY, constant="ok")\ndef test_meant():\n    return silent\n',
    )
    result = run(pytester)
    result.assert_outcomes(failed=1, passed=1)
    assert "no pair of data sets changed the output: does" in result.stdout.str()
