"""The power statement for several intervals, boxes and remainders is what was measured, no more."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from audit.engine import factors
from audit.engine.detectable_power import (
    LEARNING_DRAWS,
    allowed,
    detectable,
    oracle_power,
    smallest_epsilon,
)
from audit.engine.privacy_sentences import SHAPES, detectable_limit_words, shapes_words, wider_words
from audit.levels.moments import MomentGrid
from audit.levels.supporting_lines import LineGrid
from audit.results.sampled_result import Detectable
from mechanisms.claims import ApproxDP, GaussianDP, PureDP, Relation, ZeroConcentratedDP
from tests.grids import lines_of, moments_of

ONE = lines_of(PureDP(1), Relation.LISTED)
STORED: dict[str, Any] = json.loads(factors.FACTORS.read_text())
FITS: dict[str, Any] = STORED["second class"]["fits"]["lines"]
MASSES = [float(mass) for mass in FITS]


def stated(draws: int, grid: LineGrid | MomentGrid = ONE) -> Detectable:
    """The statement after so many draws."""
    return detectable(draws, 1, grid=grid, false_alarm=0.05, resolution=None)


@pytest.mark.parametrize("mass", MASSES)
def test_the_figure_is_that_of_the_second_factor(mass: float) -> None:
    """It must hold that e2 is the oracle's loss at the N that a N + b sqrt(N) = n gives, not e1."""
    draws, fit = 60_000, FITS[repr(mass)]
    (a, b), (fewest, most) = fit["factor"], fit["oracle"]
    every = range(fewest, most)
    oracle = max(n for n in every if a * n + b * math.sqrt(n) <= draws - LEARNING_DRAWS)
    assert fewest < oracle < most
    power = stated(draws)
    found = {wider.mass: wider for wider in power.wider}[mass]
    assert list(found.shapes) == fit["shapes"]
    asked = {"grid": ONE, "false_alarm": 0.05}
    assert oracle_power(mass, found.epsilon, oracle + 1, **asked) >= 0.9
    assert oracle_power(mass, found.epsilon * (1 - 1.1e-3), oracle, **asked) < 0.9
    of_first = power.epsilons[power.masses.index(mass)]
    assert oracle_power(mass, of_first, oracle, **asked) < 0.9  # e1 in its place is convicted


def test_nothing_is_said_beyond_what_was_measured() -> None:
    """It must hold: nothing below the fewest draws, and beyond the most no smaller loss."""
    for mass in MASSES:
        (a, b), (fewest, most) = FITS[repr(mass)]["factor"], FITS[repr(mass)]["oracle"]

        def said(oracle: float, mass: float = mass, a: float = a, b: float = b) -> list[float]:
            draws = LEARNING_DRAWS + math.ceil(a * oracle + b * math.sqrt(oracle))
            return [wider.epsilon for wider in stated(draws).wider if wider.mass == mass]

        assert said(0.98 * fewest) == []
        assert len(said(1.02 * fewest)) == 1
        assert said(4 * most) == said(1.01 * most)
        assert said(4 * most) == [smallest_epsilon(mass, most, ONE, 0.05)]


def test_nothing_is_said_of_a_kind_of_claim_that_was_not_measured() -> None:
    """It must hold: of divergences, and of masses without a fit."""
    assert "divergences" not in STORED["second class"]["fits"]
    assert stated(1_000_000, moments_of(ZeroConcentratedDP("0.1"))).wider == ()
    assert [wider.mass for wider in stated(1_000_000).wider] == MASSES


def test_nothing_is_said_of_claims_below_or_beside_those_measured() -> None:
    """It must hold: of epsilon 0.9, and of a curve; of epsilon 1, 3 and (1, 0.01) it is said."""
    draws = 1_000_000
    for level in (PureDP("0.1"), PureDP("0.9"), GaussianDP(1)):
        assert stated(draws, lines_of(level, Relation.LISTED)).wider == ()
    for level in (PureDP(1), PureDP(3), ApproxDP(1, "0.01")):
        assert [of.mass for of in stated(draws, lines_of(level, Relation.LISTED)).wider] == MASSES


@pytest.mark.parametrize("without", ["all of it", "a mass", "the shapes"])
def test_nothing_is_said_without_a_fit(
    without: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It must hold for a file without the class, a mass or its shapes; the rest stays as it was."""
    content = json.loads(json.dumps(STORED))
    if without == "all of it":
        del content["second class"]
    elif without == "a mass":
        del content["second class"]["fits"]["lines"]["0.1"]
    else:
        content["second class"]["fits"]["lines"]["0.1"]["shapes"] = []
    whole = stated(100_000)
    path = tmp_path / "factors.json"
    path.write_text(json.dumps(content))
    monkeypatch.setattr(factors, "FACTORS", path)
    less = stated(100_000)
    assert 0.1 not in [wider.mass for wider in less.wider]
    assert 0.1 in [wider.mass for wider in whole.wider]
    assert (less.epsilons, less.limit) == (whole.epsilons, whole.limit)
    if without == "all of it":
        assert wider_words(less) == []


def test_a_figure_is_never_below_the_claim_or_infinite() -> None:
    """It must hold that what is printed could be found at all."""
    for draws in (201, 5_000, 30_000, 10**7):
        for wider in stated(draws).wider:
            assert allowed(wider.mass, ONE) < wider.epsilon < math.inf


def test_only_named_shapes_are_said() -> None:
    """It must hold that a shape that is left out is not in the sentence."""
    assert shapes_words(("2 intervals", "residue mod 10")) == (
        "two intervals of one coordinate; or remainders of an integer by 10"
    )
    every = [shape for _, words in SHAPES for shape in words]
    for shape in every:
        others = [one for one in every if one != shape]
        assert shapes_words(others) != shapes_words(every)


def test_one_sentence_says_the_figures_of_all_masses() -> None:
    """It must hold for equal shapes; and that the last sentence is still there."""
    power = stated(100_000)
    (sentence,) = wider_words(power)
    assert sentence.count(" at 0.") == 2
    assert {fit["epsilon"] for fit in FITS.values()} == {1}
    assert sentence.endswith("(measured on claims of epsilon 1)")
    assert "Nothing is said of other events" in detectable_limit_words(power)
