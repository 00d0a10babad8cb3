"""Accounts in tests: the mark names a plan, a fixture adds up what it likes."""

from __future__ import annotations

import pytest

from tests.plugin.projects import TINY, make, properties, run

pytest_plugins = ["pytester"]

PLAN = """relation = "swap"
delta = "1e-5"
claim = "8"
[[step]]
event = "gaussian"
sigma = 5
sensitivity = 1
count = 10
"""

MARKED = """
@pytest.mark.privacy(account="plan.toml")
def test_holds():
    pass


@pytest.mark.privacy(account="plan.toml", claim=5)
def test_too_small():
    pass


@pytest.mark.privacy(account="plan.toml", claim="5", expect="refuted")
def test_control():
    pass


@pytest.mark.privacy(account="plan.toml", expect="refuted")
def test_no_control():
    pass


@pytest.mark.privacy(account="plan.toml", expect="proved", claim="5.7595")
def test_proved():
    pass
"""


@pytest.mark.long
def test_a_mark_names_a_plan(pytester: pytest.Pytester) -> None:
    """It must hold that too small totals fail with the report, and controls by not failing."""
    make(pytester, MARKED)
    (pytester.path / "plan.toml").write_text(PLAN)
    result = run(pytester)
    result.assert_outcomes(passed=3, failed=2)
    text = result.stdout.str()
    for words in (
        "REFUTED: plan.toml",
        "The claim (5, 1e-05)-DP in total, swap is false.",
        "NOT REFUTED, as a positive control must be: plan.toml",
        "repeat      pytest test_it.py::test_too_small",
        "total <= 5.76",
    ):
        assert words in text
    told = properties(pytester.path)
    assert told["test_holds"]["verdict"] == "PROVED"
    assert "seed" not in told["test_holds"]


@pytest.mark.long
def test_an_account_takes_no_part_of_the_rate(pytester: pytest.Pytester) -> None:
    """It must hold: two tests that draw share the rate, and one that does not is none of them."""
    audits = "@pytest.mark.privacy(TINY)\ndef test_{0}():\n    return private\n\n\n"
    make(pytester, audits.format("a") + audits.format("b") + MARKED.split("\n\n\n")[0] + "\n")
    (pytester.path / "plan.toml").write_text(PLAN)
    result = run(pytester)
    result.assert_outcomes(passed=3)
    assert "in 2 parts" in result.stdout.str()
    assert TINY


FIXTURE = """
def test_plans(privacy_account):
    step = {"event": "gaussian", "sigma": 5, "sensitivity": 1}
    total = privacy_account({"step": [step]}, relation="swap", delta="1e-5", claim="1.56")
    assert total.verdict == "PROVED"
    assert total.certificate is not None
    assert privacy_account("plan.toml", claim=5, expect="refuted").limits["epsilon"] > 5.7
    privacy_account("plan.toml", claim="5.7")
    raise AssertionError("not reached")
"""


def test_a_fixture_adds_up_plans(pytester: pytest.Pytester) -> None:
    """It must hold that it returns results, and that a refuted total ends the test."""
    make(pytester, FIXTURE)
    (pytester.path / "plan.toml").write_text(PLAN)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "REFUTED: plan.toml" in text
    assert "not reached" not in text.partition("short test summary")[2]


WRONG = {
    "no plan": ("account='other.toml'", "other.toml"),
    "a word of an audit": ("account='plan.toml', epsilon=1", "unknown word 'epsilon'"),
    "a target besides": ("account='plan.toml', target='release:leaky'", "unknown word 'target'"),
    "an unknown relation": ("account='plan.toml', relation='swop'", "relation must be one of"),
    "a claim below 0": ("account='plan.toml', claim=-1", "claim must be at least 0"),
}


def test_what_is_wrong_is_one_line(pytester: pytest.Pytester) -> None:
    """It must hold of each: the test fails, and says why."""
    tests = (
        f"@pytest.mark.privacy({words})\ndef test_{number}():\n    pass\n"
        for number, (words, _) in enumerate(WRONG.values())
    )
    returns = "@pytest.mark.privacy(account='plan.toml')\ndef test_two():\n    return private\n"
    make(pytester, "\n\n".join([*tests, returns]))
    (pytester.path / "plan.toml").write_text(PLAN)
    result = run(pytester)
    result.assert_outcomes(failed=len(WRONG) + 1)
    text = result.stdout.str()
    assert "the mark names a plan, and the test returns a mechanism; give one" in text
    for _, words in WRONG.values():
        assert words in text
