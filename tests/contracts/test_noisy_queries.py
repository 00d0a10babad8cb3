"""What is proved is what runs: every sampler draws from the query that its mechanism states."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mechanisms.add_remove.release import exact_hourglass
from mechanisms.noise.laplace import Laplace
from mechanisms.noise.staircase import Staircase
from mechanisms.noisy_query import NoisyQuery, StatesNoisyQuery
from mechanisms.query_draws import RecordSum, draw_query
from mechanisms.registry import MECHANISMS, build_mechanism

F = Fraction
SIZE = 2000
DATA = [0.5, 2.0, -1.0, 2.0, 1.25]
BOUNDS = {"low": "-1", "high": "2"}
Sums = tuple[NDArray[Any], ...]


def ratio(mechanism: Any, above: Any, under: Any, offset: float, unit: float = 3) -> NDArray[Any]:
    """Offset plus a ratio in units, clipped to the bounds; a zero denominator gives the middle."""
    low, high = float(mechanism.low), float(mechanism.high)
    with np.errstate(all="ignore"):
        return np.where(
            under == 0, (low + high) / 2, np.clip(offset + unit * above / under, low, high)
        )


RELEASES: dict[str, Callable[[Any, Sums], NDArray[Any]]] = {
    "ksw.independent-laplace": lambda m, s: ratio(m, s[0], s[1], 0, 1),
    "ksw.shifted-laplace": lambda m, s: ratio(m, s[0], s[1], 0.5, 1),
    "sub.bounded-mean": lambda m, s: ratio(m, s[0], s[1], 0.5),
    "ksw.transformed-laplace": lambda m, s: ratio(m, s[0], s[0] + s[1], -1),
    "ksw.transformed-laplace-as-printed": lambda m, s: ratio(m, s[0], s[0] + s[1], -1),
    "ksw.transformed-staircase": lambda m, s: ratio(m, s[0], s[0] + s[1], -1),
    "ksw.transformed-hourglass": lambda m, s: ratio(m, s[0], s[1], -1),
    "ksw.release-mean": lambda m, s: ratio(m, s[0] / m.grid, s[1], -1),
    "ksw.swap-laplace": lambda m, s: ratio(m, s[0], np.full(SIZE, len(DATA)), -1),
    "ksw.swap-staircase": lambda m, s: ratio(m, s[0], np.full(SIZE, len(DATA)), -1),
    "tri.clipped-mean": lambda m, s: m.ends[0] + (m.ends[1] - m.ends[0]) * s[0] / len(DATA),
    "tri.tilted-sign": lambda m, s: s[0] / len(DATA),
}
"""The release as a function of the noisy sums and of public facts, for bounds -1 and 2."""


def records(mechanism: Any, query: NoisyQuery) -> list[Fraction]:
    """The x of the data."""
    if type(mechanism).__name__ == "TiltedSign":
        return [F(int(np.sign(x))) for x in DATA]
    least, most = (query.record(x) for x in query.records)
    return [(min(max(F(x), least), most) - query.origin) / query.unit for x in DATA]


def noisy_sums(mechanism: Any, rng: np.random.Generator, factor: float = 1) -> Sums:
    """Sums of the moves, exactly, plus the stated noise: one law after the other."""
    query = mechanism.noisy_query()
    moves = [query.move(x) for x in records(mechanism, query)]
    sums = [float(sum(column)) for column in zip(*moves, strict=True)]
    if type(mechanism).__name__ == "ReleaseMean":
        (law,) = query.noises
        drawn = [np.stack(exact_hourglass(law.epsilon, law.grid, law.level0, SIZE, rng.bytes)).T]
    else:
        drawn = [law.sample(SIZE, rng=rng).reshape(SIZE, -1) for law in query.noises]
    noise = np.concatenate(drawn, axis=1).astype(np.float64) * factor
    return tuple(total + column for total, column in zip(sums, noise.T, strict=True))


def test_releases_of_all_that_states_a_query_are_known() -> None:
    """It must hold that the table above names exactly the mechanisms that state one."""
    stating = {n for n in MECHANISMS if isinstance(build_mechanism(n), StatesNoisyQuery)}
    assert stating == set(RELEASES)


@pytest.mark.parametrize("name", RELEASES)
def test_a_sampler_draws_from_the_stated_query(name: str) -> None:
    """The same seed must give the release of sums and stated noise; 1 % less noise must show."""
    kind = type(build_mechanism(name))
    known = inspect.signature(kind).parameters
    arguments: dict[str, Any] = {key: value for key, value in BOUNDS.items() if key in known}
    drawn, rng = np.random.default_rng(7), np.random.default_rng(7)
    if "bits" in known:
        arguments["bits"] = drawn.bytes
    mechanism = build_mechanism(name, epsilon="3/4", **arguments)
    found = mechanism.sample(DATA, SIZE, rng=drawn)
    expected = RELEASES[name](mechanism, noisy_sums(mechanism, rng))
    assert np.median(np.abs(found - expected)) < 1e-12
    assert np.abs(found - expected).max() < 1e-9
    less = RELEASES[name](mechanism, noisy_sums(mechanism, np.random.default_rng(7), 0.99))
    assert np.abs(found - less).max() > 1e-4


def test_coordinates_are_the_moves_of_the_records(dp_rng: np.random.Generator) -> None:
    """It must hold that each is c sum + d count plus its own noise, and 0 if no record moves it."""
    tiny, wide = Laplace(1, F(1, 10**12)), Staircase(500, 1)
    query = NoisyQuery(
        "two sums, a count, nothing",
        ((F(2), F(-3)), (F(-1), F(1)), (F(0), F(1)), (F(0), F(0))),
        (F(0), F(1)),
        (tiny, tiny, wide, wide),
    )
    found = draw_query(query, RecordSum(F(7, 2), 5), 100, rng=dp_rng)
    means = [float(column.mean()) for column in found]
    assert means[:2] == pytest.approx([7 - 15, 5 - 3.5], abs=1e-9)
    assert means[2] == pytest.approx(5, abs=1)
    assert not found[3].any()
    assert all(column.shape == (100,) for column in found)
