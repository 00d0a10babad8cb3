"""Sentences of reports: what a verdict is worth, and limits that are strict."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.documents.phrases import GUARANTEES, beyond
from audit.engine.privacy_sentences import (
    confidence,
    confirmed_words,
    headline,
    limits_words,
    severity_of,
)
from audit.report.rendering import audit_report
from audit.results.number_words import number_above, number_below
from audit.results.verdict import Limits, Verdict
from mechanisms.claims import PureDP
from tests.audit.report.runs import outcome_of
from tests.audit.results import (
    CLAIM,
    COARSE,
    CONSISTENT,
    FAILED,
    GAUSSIAN_REFUTED,
    REFUTED,
    WITNESS,
)

ROOT = Path(__file__).parents[3]
PAGES = ("README.md", "docs/how-to/verdicts.md")
REPORTS = ("text", "html", "markdown", "junit", "sarif")


def plain(text: str) -> str:
    """Text of a page in one line."""
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", GUARANTEES)
def test_pages_say_what_reports_say(page: str, name: str) -> None:
    """It must hold that each sentence stands on the page word for word."""
    assert GUARANTEES[name] in plain((ROOT / page).read_text())


def test_reports_say_what_a_refutation_is_worth() -> None:
    """It must hold that the words of the page stand in the report, with the run's rate."""
    words = GUARANTEES["refuted"].partition("This is ")[2].replace("RATE", "0.05").rstrip(".")
    outcome = outcome_of("x", REFUTED)
    assert words in plain(audit_report("text", outcome))
    assert words in plain(audit_report("html", outcome))
    assert words not in plain(audit_report("text", outcome_of("x", CONSISTENT)))


@pytest.mark.parametrize("form", REPORTS)
def test_no_report_says_at_least_of_a_limit(form: str) -> None:
    """It must hold of every form that the limit of a refutation is strict."""
    said = plain(audit_report(form, outcome_of("x", REFUTED)))
    said, *_ = said.partition("What the words mean")  # of all verdicts, a power among them
    assert "at least" not in said
    assert re.search(r"epsilon (>|&gt;|\\>) ?3\.07", said)


def test_what_could_not_be_told_says_why_and_time_comes_first() -> None:
    """It must hold that INCONCLUSIVE begins with its sentence, and a cut run with the cut."""
    assert headline(FAILED).startswith("The run could not tell: the mechanism fails")
    assert headline(COARSE) == (
        "Cut by time after 123,456 of 2,000,000 draws. "
        "The run could not tell: the run is too coarse."
    )
    cut = replace(CONSISTENT, stopped_by_time=True, samples=7)
    assert headline(cut).startswith("Cut by time after 7 of 2,000,000 draws. Nothing")


@given(st.floats(1e-6, 1e6), st.integers(1, 6))
def test_lower_limits_are_rounded_down_and_upper_ones_up(value: float, digits: int) -> None:
    """It must hold that a printed limit is never beyond the limit, nor a whole step off."""
    exact = Fraction(repr(value))
    low, high = (Fraction(f(value, digits)) for f in (number_below, number_above))
    assert low <= exact <= high
    assert high - low <= exact * Fraction(10) ** (1 - digits)


@given(
    st.fractions(Fraction(1, 1000), 20, max_denominator=9999),
    st.floats(0, 2),
    st.booleans(),
)
def test_a_limit_beyond_the_claim_is_not_shown_below_it(
    claimed: Fraction, more: float, equal: bool
) -> None:
    """It must hold whatever the digits of the claim; the claim itself may be shown."""
    limit = float(claimed) * (1 + more)
    shown = Fraction(beyond(limit, claimed, equal=equal).removeprefix("> "))
    assert shown >= claimed
    assert shown <= max(claimed, Fraction(repr(limit)))


def test_shown_limits() -> None:
    """It must hold that three digits do where they are enough, and the claim's own text else."""
    assert beyond(1.0, Fraction(1)) == "> 1"
    assert beyond(5.889, Fraction(1)) == "> 5.88"
    assert beyond(float("inf"), Fraction(1)) == "is infinite"
    assert beyond(1 / 3, Fraction(1, 3)) == "> 1/3"
    assert beyond(1.2345, Fraction("1.2345")) == "> 1.2345"
    assert beyond(1.00049, Fraction(1), equal=False) == "> 1.0004"
    assert beyond(0.3) == "> 0.3"
    assert beyond(0.9999, Fraction(1)) == "> 0.999"


def test_the_number_shown_first_is_the_limit_of_the_run() -> None:
    """It must hold whatever the new draws show: the larger of two limits has no such rate."""
    for lower in (1.5, 3.0751, 0.0):
        assert severity_of(replace(REFUTED, witness=replace(WITNESS, lower=lower))) == (
            "epsilon",
            2.0,
        )
    doubtful = replace(REFUTED, witness=replace(WITNESS, confirmed=False))
    assert severity_of(doubtful) == ("epsilon", 2.0)
    assert severity_of(GAUSSIAN_REFUTED) == ("mu", 1.25)
    assert severity_of(FAILED) is None
    assert limits_words(FAILED) == "nothing is known to be exceeded"
    third = replace(
        REFUTED, claim=replace(CLAIM, level=PureDP("1/3")), limits=Limits.of(epsilon=1 / 3)
    )
    assert "> 1/3 by the whole run, > 3.07 by these new draws" in limits_words(third)


def test_both_limits_are_shown_with_their_confidence() -> None:
    """It must hold that neither is left out, and that all digits of the rate are kept."""
    assert limits_words(replace(REFUTED, false_alarm=0.000111)) == (
        "epsilon > 2 by the whole run, > 3.07 by these new draws at the claimed delta; "
        "delta > 0.25 at the claimed epsilon (each with 99.9889 % confidence)"
    )
    doubtful = replace(REFUTED, witness=replace(WITNESS, confirmed=False, lower=0.6))
    assert "> 2 by the whole run, only > 0.6 by these new draws" in limits_words(doubtful)
    alone = replace(REFUTED, limits=Limits.of(epsilon=2.0, delta=0.0), witness=None)
    assert limits_words(alone) == "epsilon > 2 at the claimed delta (with 95 % confidence)"
    assert [confidence(rate) for rate in (0.001, 1e-9, 0.5)] == ["99.9 %", "99.9999999 %", "50 %"]


def test_a_number_below_the_claim_is_not_without_its_word() -> None:
    """It must hold that fresh draws that do not break the claim are called not confirmed."""
    words = confirmed_words(replace(WITNESS, confirmed=False, lower=0.479, epsilon_lower=0.479))
    assert words == GUARANTEES["not confirmed"].replace("> Y", "> 0.479")
    words = confirmed_words(WITNESS)
    assert words == GUARANTEES["confirmed"].replace("Y", "3.07").replace("claim", "1")
    for lower in (0.0, -0.737):
        none = confirmed_words(replace(WITNESS, confirmed=False, lower=lower))
        assert none.startswith("not confirmed: fresh draws alone show nothing;")
    assert REFUTED.verdict is Verdict.REFUTED
