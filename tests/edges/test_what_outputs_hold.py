"""What outputs hold is looked at, or the report does not say that nothing was found."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.draws.leaf_words import VALUELESS
from audit.draws.output_words import label_of, outcome
from audit.engine.tried_features import FAILURE_NOTE, WIDE_NOTE


class Model:
    """A model that shows nothing of what it was fitted to."""

    def __init__(self, fitted: float) -> None:
        self.fitted = fitted

    def __repr__(self) -> str:
        return "Model()"


def audited(draw: Callable[..., Any], budget: int = 3_000) -> audit.AuditResult:
    """Audit at one pair, so coarsely that a run that finds nothing is CONSISTENT."""
    result = audit.audit(
        draw,
        epsilon=1,
        relation="swap",
        pair=(np.zeros(2), np.array([0.0, 1.0])),
        seed=1,
        budget_samples=budget,
        resolution=6,
        false_alarm=0.05,
    )
    assert isinstance(result, audit.AuditResult)
    return result


def model(data: Any, size: int, rng: np.random.Generator) -> list[Any]:
    """A fitted model for each draw."""
    return [Model(data.sum()) for _ in range(size)]


def model_in_a_mapping(data: Any, size: int, rng: np.random.Generator) -> list[Any]:
    """Noise, and a fitted model."""
    return [{"noise": int(rng.integers(5)), "model": Model(data.sum())} for _ in range(size)]


@pytest.mark.long
@pytest.mark.parametrize("draw", [model, model_in_a_mapping])
def test_objects_that_hide_what_they_hold_are_inconclusive(draw: Callable[..., Any]) -> None:
    """It must hold that their text is not taken for what they are."""
    result = audited(draw)
    assert result.verdict == "INCONCLUSIVE"
    assert VALUELESS in result.reason


def long_frame(data: Any, rng: np.random.Generator) -> Any:
    """A table whose text leaves out the row that tells."""
    column = np.zeros(100, int)
    column[30] = int(data.sum())
    return pd.DataFrame({"a": column})


def named_rows(data: Any, rng: np.random.Generator) -> Any:
    """A table whose rows have names, which tell."""
    return pd.DataFrame({"a": [1, 2]}, index=["x", f"y{data.sum():.0f}"])


def small_digits(data: Any, size: int, rng: np.random.Generator) -> list[Decimal]:
    """Decimals that tell beyond the digits of a double."""
    return [
        Decimal(int(k)) + Decimal(int(data.sum())).scaleb(-25) for k in rng.integers(1, 9, size)
    ]


def small_parts(data: Any, size: int, rng: np.random.Generator) -> list[Fraction]:
    """Fractions that do."""
    return [int(k) + Fraction(int(data.sum()), 10**30) for k in rng.integers(1, 9, size)]


def long_doubles(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Floats of more digits that do."""
    return rng.integers(1, 9, size).astype(np.longdouble) + data.sum() * np.longdouble(2) ** -60


TELLING = [long_frame, named_rows, small_digits, small_parts]
if np.finfo(np.longdouble).eps <= 2**-60:  # elsewhere they are doubles
    TELLING.append(long_doubles)


@pytest.mark.parametrize("draw", TELLING)
def test_what_a_double_or_a_text_leaves_out_is_seen(draw: Callable[..., Any]) -> None:
    """It must hold that a release of the sum itself is refuted, wherever it stands."""
    assert audited(draw).verdict == "REFUTED"


def kept_names(data: Any, rng: np.random.Generator) -> set[int]:
    """Each of two numbers by a coin, put in in an order that the data choose: they collide."""
    numbers = [8, 0] if data.sum() else [0, 8]
    return {x for x in numbers if rng.random() < 0.5}


@pytest.mark.long
def test_equal_sets_are_one_outcome() -> None:
    """It must hold that the order in which a set was filled is none of its value."""
    assert repr({8, 0}) != repr({0, 8})
    assert outcome({8, 0}) == outcome({0, 8}) == "is set {0, 8}"
    assert outcome(frozenset({"a"})) == "is frozenset {'a'}"
    assert audited(kept_names, 20_000).verdict == "CONSISTENT"


@pytest.mark.parametrize(
    "z", [Decimal("0.1"), Decimal("-12.34"), Fraction(3, 8), np.longdouble(0.5), np.float32(0.1)]
)
def test_ordinary_numbers_stay_numbers(z: Any) -> None:
    """It must hold that decimals of few digits and exact fractions are ordered by their value."""
    assert label_of(z) == ("", float(z))


WIDEST = 8
"""Coordinates that are looked at in this test: 256 take seconds."""


def wide(data: Any, size: int, rng: np.random.Generator) -> Any:
    """More coordinates than are looked at; the last is the sum."""
    drawn = rng.integers(0, 2, (size, WIDEST + 2)).astype(float)
    drawn[:, -1] = data.sum()
    return drawn


def failing(data: Any, size: int, rng: np.random.Generator) -> list[Any]:
    """Failures by a coin, whose text tells."""
    return [ValueError(f"{data.sum()}") if fails else 1.0 for fails in rng.random(size) < 0.5]


@pytest.mark.long
@pytest.mark.parametrize(("draw", "note"), [(wide, WIDE_NOTE), (failing, FAILURE_NOTE)])
def test_what_is_not_looked_at_is_said(
    draw: Callable[..., Any], note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a run that could not see it says so, and is open if it is all."""
    for place in ("audit.draws.encode", "audit.engine.tried_features"):
        monkeypatch.setattr(f"{place}.LARGEST_WIDTH", WIDEST)
    result = audited(draw, 8_000)
    assert result.verdict == ("CONSISTENT" if draw is wide else "INCONCLUSIVE")
    assert note in result.notes
