"""Samplers that are written beside their laws draw from them, and not from slightly wrong ones.

A row is a mechanism, its data, and what a slightly wrong twin has in place of it: other
parameters, other data, or another mechanism. Draws are counted in the cells of the stated law and
pass its chi-square test; as many of the twin, enough to tell it, fail.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, final

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.exact.cells.level_laws import point_pmf
from audit.exact.exact_numbers import as_ball
from mechanisms.laws import FLOATS
from mechanisms.registry import build_mechanism
from mechanisms.subset.log_rank import RULES
from mechanisms.subset.pruned_selection import PrunedSelection
from mechanisms.subset.scores.statistic import Statistic
from proofs_check.enclosure import endpoints
from tests.mechanisms.personalized.finite_masses import masses
from tests.mechanisms.personalized.index_reference import merged
from tests.mechanisms.subset import chi_square
from tests.mechanisms.trilemma.finite import coarse_counts

__all__ = ["ROWS", "Row"]

Array = NDArray[np.float64]

F = Fraction
BOT = math.nan
MOST = 3_000_000
"""Draws of a row: a twin that needs more is not wrong enough for a test."""


class Cells(Protocol):
    """The cells of a law: what they have under another one, and how many draws are in each."""

    def __init__(self, law: Any, least: float) -> None: ...

    def masses(self, law: Any) -> Array:
        """Probability of each cell."""
        ...

    def counts(self, draws: NDArray[Any]) -> NDArray[np.int64]:
        """Draws in each cell."""
        ...


class Points:
    """The releases of a finite law, rare neighboring ones together."""

    def __init__(self, law: Any, least: float) -> None:
        found = _point_masses(law)
        self.values = np.array(list(found))
        alone = [slice(at, at + 1) for at in range(len(found))]
        self.groups = merged(np.array(list(found.values())), least) if least else alone

    def masses(self, law: Any) -> Array:
        """Probability of each cell."""
        found = _point_masses(law)
        p = np.array([found.get(z, 0.0) for z in self.values.tolist()])
        return np.array([p[group].sum() for group in self.groups])

    def counts(self, draws: NDArray[Any]) -> NDArray[np.int64]:
        """Draws in each cell."""
        assert np.isin(draws, self.values).all(), "a release that the law does not have"
        starts = self.values[[group.start for group in self.groups]]
        places = np.searchsorted(starts, draws, side="right") - 1
        return np.bincount(places, minlength=len(self.groups))


def _point_masses(law: Any) -> dict[float, float]:
    """Probability of each release, in ascending order."""
    if hasattr(law, "masses"):
        return masses(law)
    return {float(z): float(p) for z, p in sorted(law.atoms(FLOATS).items())}


class Pieces:
    """The intervals on which the density of a law is constant."""

    def __init__(self, law: Any, least: float) -> None:  # noqa: ARG002
        self.ends = np.array([float(end) for end in law.breakpoints(F(-9), F(9))])

    def masses(self, law: Any) -> Array:
        """Probability of each cell."""
        return np.diff(law.cdf(self.ends))

    def counts(self, draws: NDArray[Any]) -> NDArray[np.int64]:
        """Draws in each cell."""
        return np.histogram(draws, self.ends)[0]


class Bits:
    """Vectors of bits."""

    def __init__(self, law: Any, least: float) -> None:  # noqa: ARG002
        self.law = law

    def masses(self, law: Any) -> Array:
        """Probability of each cell."""
        pmf = point_pmf(law)
        found = {bits: as_ball(mass, 256) / as_ball(pmf.total, 256) for bits, mass in pmf.masses}
        return np.array([float(sum(endpoints(found[bits])) / 2) for bits in sorted(found)])

    def counts(self, draws: NDArray[Any]) -> NDArray[np.int64]:
        """Draws in each cell."""
        powers = 2 ** np.arange(draws.shape[1])[::-1]
        return np.bincount(draws @ powers, minlength=2 ** draws.shape[1])


class Bins:
    """Outcomes of a coarse estimate: its bin, where the coin lies, and failure."""

    def __init__(self, law: Any, least: float) -> None:  # noqa: ARG002
        self.law = law

    def masses(self, law: Any) -> Array:
        """Probability of each cell."""
        return np.array(list(law.masses(FLOATS).values()))

    def counts(self, draws: NDArray[Any]) -> NDArray[np.int64]:
        """Draws in each cell."""
        return coarse_counts(draws, self.law.masses(FLOATS))


@final
@dataclass(frozen=True, slots=True)
class Row:
    """A mechanism on data, and a twin on its own."""

    name: str
    """Of the registered mechanism."""
    right: Any
    data: Any
    wrong: Any
    moved: Any
    """Data of the twin."""
    cells: type[Cells] = Points
    least: float = 0.0
    """Share of a cell below which neighbors are counted together."""


def rows(
    name: str,
    data: Any,
    *twins: dict[str, Any],
    cells: type[Cells] = Points,
    least: float = 0.0,
    **arguments: Any,
) -> Iterator[Row]:
    """A row for each twin: arguments in place of the right ones, `data`, or another `name`."""
    right = build_mechanism(name, **arguments)
    for twin in twins:
        other = {key: value for key, value in twin.items() if key not in ("data", "name")}
        wrong = build_mechanism(twin.get("name", name), **arguments | other)
        yield Row(name, right, data, wrong, twin.get("data", data), cells, least)


def selection(exponent: Fraction, epsilon: Fraction) -> PrunedSelection:
    """The steps of `sub.monotone` for the median of few records, at ranks that matter there."""
    median = Statistic.checked("median", "1/2", 2, "crossing")
    return PrunedSelection(epsilon / 4, F(0), F(4), 4, 2, 1, median, exponent)


EXAMPLE = [0.1, 0.4, 0.4, 0.9]
SIX = [0.1, 0.2, 0.5, 0.5, 0.9, 0.9]
FIVE = [0.0, 0.2, 0.5, 0.5, 1.0]
EIGHT = [0.0, 0.3, 0.6, 0.6, 1.0, 1.2, 1.7, 2.0]
BINS = [-1.25, 0.0, 0.25, 0.25, 0.5, 3.0, 3.25]
NINE = [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0]
UNIT: dict[str, Any] = {"low": 0, "high": 1}


def threshold(data: list[float], *, alpha: Any = None, **arguments: Any) -> Iterator[Row]:
    """Rows of `sub.threshold`: epsilon 5 % larger, and the window 10 % wider."""
    made = build_mechanism("sub.threshold", **UNIT, **arguments, alpha=alpha)
    twins = {"epsilon": made.epsilon * F(21, 20)}, {"alpha": made.alpha * F(11, 10)}
    return rows("sub.threshold", data, *twins, cells=Pieces, **UNIT, **arguments, alpha=alpha)


def radius(data: list[Any], *, epsilon: int, **arguments: Any) -> Iterator[Row]:
    """Rows of `pdp.radius`: epsilon 10 % larger, and beta 20 % smaller."""
    beta = build_mechanism("pdp.radius", **arguments).beta
    twins = {"epsilon": epsilon * F(11, 10)}, {"beta": beta * F(4, 5)}
    return rows("pdp.radius", data, *twins, least=0.004, epsilon=epsilon, **arguments)


def widths(name: str, epsilon: int, data: list[Any], **arguments: Any) -> Iterator[Row]:
    """A row of a grid width: epsilon 20 % smaller."""
    twin = {"epsilon": epsilon * F(4, 5)}
    return rows(name, data, twin, least=0.004, epsilon=epsilon, **arguments)


ROWS = (
    *rows("pdp.find-quantile", [2.0, 3.0, 3.0, 9.0], {"epsilon": "5/4"}),
    *rows("pdp.find-quantile", [BOT, 11.0], {"data": [BOT, 11.0, 10.0]}),
    *rows("pdp.find-quantile", [7.5], {"epsilon": 5}, epsilon=4),
    *rows(
        *("pdp.find-quantile", [1.0, 1.4, 2.0], {"epsilon": "15/4"}),
        low="1/3",
        high=3,
        step="1/3",
        epsilon=3,
    ),
    *rows(
        *("pdp.diffused-quantile", [0.0, 2.0, 2.5]),
        *({"budgets": (2, 1, 4)}, {"tau": 4}, {"data": [0.0, BOT, 2.5]}),
        budgets=(1, 2, 4),
        tau=3,
        low=0,
        high=4,
        step="1/2",
    ),
    *rows(
        *("pdp.diffused-quantile-as-printed", [8.0, 1.0, 8.0], {"slip": "E-02, E-10"}),
        budgets=(1, 2, 1),
        tau=5,
        high=8,
        slip="all",
    ),
    *rows(
        *("pdp.diffused-quantile-as-printed", [8.0, 1.0, 8.0], {"slip": "E-13"}),
        budgets=(1, 2, 1),
        tau=5,
        high=8,
        slip="E-02, E-13",
    ),
    *rows(
        *("pdp.diffusion", [1.0, 0.0, 0.75], {"tau": F(5, 2)}, {"tau": F(8, 5)}),
        budgets=("1/2", 1, 3),
        tau=2,
        cells=Bits,
    ),
    *widths("pdp.discretization", 3, [0.0, 0.3, 1.1, -2.0]),
    *widths("pdp.discretization", 3, [0.0, 0.3, 1.1, -2.0, 5.0]),
    *widths("pdp.discretization", 6, [0.25, None, 0.5, BOT, 40.0, math.inf, 0.3]),
    *widths("pdp.discretization", 5, [2.0] * 6),
    *widths("pdp.discretization", 8, [1e308, -1e308, 0.0, 3.0, 1e30, 7.0]),
    # on no pair at all epsilon is nothing
    *rows("pdp.discretization", [7.0], {"data": [7.0, 7.0], "epsilon": 4}, least=0.004),
    *widths("pdp.discretization-as-printed", 2, [1.0, 1.3, 2.0, 40.0, -5.0, None]),
    *widths("pdp.discretization-as-printed", 3, [1.0, 1.3, 2.0, 40.0, 0.0, -7.0], pairs="sorted"),
    *widths("pdp.discretization-as-printed", 2, [1.0, -1.3, 2.0, 0.0], slip="E-08, E-12"),
    *widths("pdp.discretization-as-printed", 4, [1.0, -1.3, 2.0, 0.1, 0.0, 7.0], slip="E-10"),
    *widths("pdp.discretization-as-printed", 4, [0.01, -0.2, 0.1, 0.15], slip="E-12"),
    *radius([300.0] * 40 + [1.0] * 5, epsilon=1),
    *radius([-2.7, 2.7, 2.7] * 3, epsilon=2, b="1/3"),
    *radius([3.0, -20.0, 0.5, 7.0, 100.0], epsilon=1, beta="9/10"),
    *radius([9.0] * 6 + [None, BOT, math.inf, "x"], epsilon=5),
    *radius([5.0] * 6 + [40.0] * 4, epsilon=5, beta="1e-3"),
    *rows(
        *("pdp.radius-as-printed", [3.0, -20.0, 0.5, 7.0, 100.0], {"epsilon": "11/10"}),
        epsilon=1,
        beta="9/10",
        least=0.004,
    ),
    *threshold(EXAMPLE, rank=2, alpha="0.05"),
    *threshold(EXAMPLE, rank=1, side="above"),
    *threshold([0.2, 0.2, 0.5, 0.8], rank="3/2", epsilon=3),
    *threshold([0.3, 0.6], rank=7, epsilon=2),
    *threshold([0.0] * 3 + [1.0] * 2, rank=2, epsilon=2, alpha="1/5"),
    *threshold([-math.inf, 7.0, BOT], rank=1, alpha="1/5"),
    *rows("sub.threshold-grid", FIVE, {"epsilon": "1.05"}, **UNIT, points=6, rank=2),
    *rows(
        *("sub.threshold-grid", FIVE, {"epsilon": "2.1"}),
        **{**UNIT, "points": 6, "rank": "5/2", "side": "above", "epsilon": 2},
    ),
    *rows("sub.threshold-grid", FIVE, {"epsilon": "1.05"}, **UNIT, points=6, rank=2, rule="direct"),
    *rows("sub.threshold-grid", FIVE, {"epsilon": "1.05"}, **UNIT, points=2, rank=9),
    # the printed rank is 1/2 + log(512), between 6 and 7: gamma is large
    *(
        row
        for rule in RULES
        for own in ({}, {"rank": "3/2"}, {"alpha": "1/5"})
        for row in rows(
            *("sub.threshold-as-printed", EIGHT, {"epsilon": "2.1"}),
            **{"epsilon": 2, "low": 0, "high": 2, "gamma": 2, "rule": rule, "cells": Pieces, **own},
        )
    ),
    *(
        row
        for own in (
            {},
            {"statistic": "quantile", "level": "3/4"},
            {"statistic": "quantile", "level": "1/3", "score": "length"},
            {"statistic": "mean"},
            {"statistic": "mean", "score": "length"},
            {"statistic": "power", "power": 3},
            {"statistic": "power", "power": 1.5},
        )
        for row in rows(
            "sub.inverse-sensitivity", SIX, {"epsilon": "1.05"}, step="1/5", **UNIT, **own
        )
    ),
    *rows(
        *("sub.inverse-sensitivity-as-printed", [0.0, 1.0, 1.0, 3.0]),
        {"name": "sub.inverse-sensitivity", "epsilon": "2.1", "step": 1},
        low=0,
        high=4,
        statistic="mean",
        score="length",
    ),
    *rows("pdp.above-threshold", [0.1, 0.3, 0.6, 0.9], {"threshold": 3}, threshold=2),
    *rows("pdp.diffusion-as-printed", [1.0], {"slip": "E-02"}, slip="E-01", cells=Bits),
    *rows("pdp.diffusion-as-printed", [1.0], {"slip": "E-01"}, slip="E-02", cells=Bits),
    Row("sub.monotone", selection(F(1), F(4)), NINE, selection(F(21, 20), F(4)), NINE),
    Row("sub.monotone", selection(F(1), F(4)), NINE, selection(F(1), F(21, 5)), NINE),
    *rows(
        *("sub.monotone-as-printed", np.repeat([2.0, 9.0, 13.0, 20.0], [40, 70, 60, 45])),
        {"slip": "E7"},
        epsilon=2,
        statistic="mean",
        score="crossing",
        least=0.001,
    ),
    *(
        row
        for rule in ("printed", "lower")
        for row in rows(
            *("tri.coarse", BINS, {"delta": F(285, 1000)}, {"epsilon": F(21, 20)}),
            epsilon=1,
            delta="3/10",
            threshold=rule,
            cells=Bins,
        )
    ),
    *(
        row
        for form in ("tri.coarse-as-printed", "tri.coarse-mutant")
        for row in rows(
            *(form, [-0.3, 0.1, 0.1, 0.2, 0.75, 3.0, 3.5], {"name": "tri.coarse"}),
            epsilon=2,
            delta="1/2",
            cells=Bins,
        )
    ),
)

NUMBERS = [Counter(row.name for row in ROWS[:i])[row.name] for i, row in enumerate(ROWS)]
IDS = [f"{row.name}-{number}" for row, number in zip(ROWS, NUMBERS, strict=True)]


LONG = {
    *(f"pdp.discretization-{number}" for number in range(1, 6)),
    *(f"pdp.discretization-as-printed-{number}" for number in (1, 3, 4)),
    *("pdp.diffused-quantile-1", "sub.monotone-0", "tri.coarse-mutant-0"),
}
"""Rows of a second and more, where another row guards the same sampler."""


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=name, marks=[pytest.mark.long] * (name in LONG))
        for row, name in zip(ROWS, IDS, strict=True)
    ],
)
def test_a_sampler_has_its_law(row: Row, dp_rng: np.random.Generator) -> None:
    """Draws must pass the chi-square test of the stated law that those of the twin fail."""
    law = row.right.exact_law(row.data)
    cells = row.cells(law, row.least)
    p, q = cells.masses(law), cells.masses(row.wrong.exact_law(row.moved))
    assert p.sum() == pytest.approx(1, abs=1e-9)
    size = chi_square.draws_for(p, q)
    assert size < MOST
    for mechanism, data, holds in ((row.right, row.data, True), (row.wrong, row.moved, False)):
        counts = cells.counts(mechanism.sample(data, size, rng=dp_rng))
        value, limit = chi_square.statistic(counts, p)
        assert (value < limit) == holds
