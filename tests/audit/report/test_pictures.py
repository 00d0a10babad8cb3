"""Pictures: what they compute and where they put it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.engine.pictures import (
    allowed_delta,
    evidence_plot,
    power_plot,
    profile_plot,
    witness_plot,
)
from audit.report.html.html_plots import figure
from audit.report.html.svg import WIDTH, Axes, ticks
from audit.results.plot_parts import Plot
from mechanisms.claims import ApproxDP, PureDP
from tests.audit.results import ALL, BY_LEVEL, CLAIM, CONSISTENT, REFUTED, WITNESS


def hockey_stick(epsilon: float, delta: float, at: float) -> float:
    """Privacy profile of the mechanism that meets (epsilon, delta) with equality.

    It reveals its bit with probability delta, and otherwise answers by randomized response.
    """
    truth, lie = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    p = [delta, 0.0, (1 - delta) * truth, (1 - delta) * lie]
    q = [0.0, delta, (1 - delta) * lie, (1 - delta) * truth]
    return sum(max(0.0, x - math.exp(at) * y) for x, y in zip(p, q, strict=True))


@given(st.floats(0, 20), st.floats(0, 1), st.floats(0, 20))
def test_the_allowed_profile_is_that_of_randomized_response(
    epsilon: float, delta: float, at: float
) -> None:
    """It must hold that the mechanism that meets the claim with equality has this profile."""
    expected = hockey_stick(epsilon, delta, at)
    assert allowed_delta(epsilon, delta, at) == pytest.approx(expected, abs=1e-9)


def test_the_allowed_profile_ends_at_the_claim() -> None:
    """It must hold that it is delta from epsilon on, 1 at most, and defined for large claims."""
    assert allowed_delta(1.0, 1e-5, 1.0) == allowed_delta(1.0, 1e-5, 9.0) == 1e-5
    assert allowed_delta(math.log(3), 0.0, 0.0) == pytest.approx(0.5)
    assert allowed_delta(5000.0, 0.0, 0.0) == 1.0


@given(st.floats(1e-6, 1e6))
def test_ticks_are_few_round_and_reach_the_top(top: float) -> None:
    """It must hold that they begin at 0, have equal steps of 1, 2, 2.5 or 5, and end at the top."""
    marks = ticks(top)
    assert marks[0] == 0
    assert 2 <= len(marks) <= 7
    assert marks[-2] < top * (1 + 1e-6)
    assert marks[-1] >= top * (1 - 1e-6)
    assert f"{marks[1]:.6e}".partition("e")[0] in ("1.000000", "2.000000", "2.500000", "5.000000")


def test_axes_keep_order_and_stay_inside() -> None:
    """It must hold that larger values lie to the right and higher, and none outside."""
    axes = Axes(0.0, 2.0, 5.0)
    assert 0 < axes.x_of(0.0) < axes.x_of(1.0) < axes.x_of(2.0) < WIDTH
    assert axes.height > axes.y_of(0.0) > axes.y_of(1.0) > axes.y_of(5.0) == axes.y_of(9.0) > 0


def drawn(plots: Iterator[Plot]) -> str:
    """The one plot as a page has it."""
    (plot,) = plots
    return figure(plot, "k")


def bars_of(drawing: str) -> list[tuple[str, float]]:
    """Class and length of each bar."""
    found = re.findall(
        r'<rect x="[^"]*" y="[^"]*" width="([^"]*)" height="12" class="(\w+)', drawing
    )
    return [(kind, float(width)) for width, kind in found]


def test_bars_are_as_long_as_their_numbers() -> None:
    """It must hold that the bars of a witness are in the ratio of its counts."""
    (one, long), (other, short) = bars_of(drawn(witness_plot(REFUTED)))
    assert (one, other) == ("broken", "samples")
    assert long / short == pytest.approx(8123 / 310, rel=0.01)


@pytest.mark.parametrize(
    ("level", "allowed"),
    [(PureDP(1), "0.0843"), (ApproxDP(1, "1/10"), "0.184"), (PureDP(1000), "1")],
    ids=str,
)
def test_a_witness_shows_what_the_claim_allows(level: PureDP | ApproxDP, allowed: str) -> None:
    """It must hold that the line is at e^epsilon q + delta, and never beyond 1."""
    result = replace(REFUTED, claim=replace(CLAIM, level=level))
    drawing = drawn(witness_plot(result))
    assert f">allowed: {allowed}<" in drawing
    caption = f"the claim allows at most {allowed} on the neighbor."
    assert caption in drawing


def test_a_refuted_number_is_marked() -> None:
    """It must hold that the bars of a refuted audit, and its witness, are those of a violation."""
    broken = drawn(evidence_plot(REFUTED))
    assert [kind for kind, _ in bars_of(broken)] == ["broken", "broken"]
    assert "witness: confirmed on fresh draws: epsilon &gt; 3.07 &gt; 1" in broken
    assert [kind for kind, _ in bars_of(drawn(evidence_plot(CONSISTENT)))] == ["samples"]


@pytest.mark.parametrize("name", ["pure", "zero-concentrated", "renyi", "gaussian", "personalized"])
def test_every_level_has_its_scale(name: str) -> None:
    """It must hold that claimed number and lower limit are those of the level."""
    result = BY_LEVEL[name]
    level = result.claim.level
    claims = {
        "pure": ("epsilon", "0.333", "0.2"),
        "zero-concentrated": ("rho", "0.1", "0.08"),
        "renyi": ("Renyi epsilon", "1", "0.91"),
        "gaussian": ("mu", "0.9", "0.9"),
        "personalized": ("factor on all budgets", "1", "0.85"),
    }
    axis, claim, lower = claims[name]
    if name == "gaussian":
        claim = "1"
    drawing = drawn(evidence_plot(result))
    assert f">claimed: {claim}<" in drawing, level
    assert f">samples: {axis} &gt; {lower}<" in drawing
    assert f">{axis}</text>" in drawing


def test_what_has_no_number_has_no_picture() -> None:
    """It must hold of a trade-off curve, of a run that failed, and of a pass without a profile."""
    assert list(evidence_plot(BY_LEVEL["trade-off"])) == []
    assert list(power_plot(ALL["failed"])) == []
    assert list(profile_plot(CONSISTENT)) == []
    assert list(witness_plot(CONSISTENT)) == []
    assert list(witness_plot(replace(REFUTED, witness=replace(WITNESS, draws=0)))) == []


def dots(drawing: str) -> list[tuple[float, float, str, str]]:
    """Place, class and words of each dot."""
    found = re.findall(
        r'<circle cx="([^"]*)" cy="([^"]*)" r="4.5" class="(\w+) dot"><title>([^<]*)', drawing
    )
    return [(float(x), float(y), kind, words) for x, y, kind, words in found]


def test_the_profile_marks_what_breaks_the_claim() -> None:
    """It must hold that a lower limit above the allowed curve, and no other, is marked."""
    profile = ((0.0, 0.46), (0.25, 0.4), (1.0, 0.001))
    drawing = drawn(profile_plot(replace(CONSISTENT, profile=profile)))
    assert allowed_delta(1.0, 0.0, 0.25) < 0.4
    assert [kind for _, _, kind, _ in dots(drawing)] == ["samples", "broken", "broken"]
    assert "at epsilon 0.25 delta &gt; 0.4" in drawing


def test_the_power_curve_falls_as_events_grow() -> None:
    """It must hold that dots stand in order, and that what is never seen is an arrow."""
    drawing = drawn(power_plot(CONSISTENT))
    seen = [(x, y) for x, y, kind, _ in dots(drawing) if kind == "samples"]
    assert seen == sorted(seen, reverse=True, key=lambda place: place[0])
    assert [y for _, y in seen] == sorted((y for _, y in seen), reverse=True)
    assert len(seen) == 4
    assert drawing.count("never") == 1
    assert len([1 for *_, kind, _ in dots(drawing) if kind == "proved"]) == 2
