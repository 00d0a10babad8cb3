"""Laws that mechanisms and noises state, in the form that draws are compared with.

A mechanism's law is compared where it has a cdf, or finitely many numbers as outcomes; a noise law
by the cdf of each coordinate, and one of two coordinates also by what their marginals do not tell:
the hourglasses by the integer sum of the coordinates given the level of the first, the l1-staircase
by the sum of absolute values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.faults import attribute, bounded, reading, users_faults
from audit.utility.fit import Cdf, CdfLaw, CellLaw
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.validation import shown

Array = NDArray[np.float64]

REACH = 40
"""Levels, and sums beyond a level, that have cells of their own; the rest is below e^-40 or is in
the last cells."""

MOST_LEVELS = 12
ROUNDING = 1e-9


def law_of_mechanism(mechanism: Any, data: Array) -> CdfLaw | None:
    """Law of the release on a data set, if the mechanism states one that can be compared."""
    state = attribute(mechanism, "exact_law")
    if state is None:
        return None
    try:
        with users_faults(mechanism, "exact_law"):
            law = state(data)
    except InvalidArgument:  # too many outcomes
        return None
    words = "release"
    with reading(mechanism, "exact_law"):
        if hasattr(law, "cdf"):
            stated = bounded(law.atoms(FLOATS).items(), "atoms")
            atoms = {float(point): float(mass) for point, mass in stated}
            cdf = _checked(mechanism, law.cdf)
            return CdfLaw(words, cdf, lambda z: cdf(z) - _masses(atoms, z))
        masses = _finite(law)
        return None if masses is None else law_of_points(words, masses)


def _checked(mechanism: Any, cdf: Any) -> Cdf:
    """A stated cdf whose values are looked at."""

    def checked(z: Array) -> Array:
        with reading(mechanism, "exact_law"):
            p = np.asarray(cdf(z), dtype=np.float64)
            if p.shape != z.shape or not np.all((p > -ROUNDING) & (p < 1 + ROUNDING)):
                msg = f"its cdf must give a number of [0, 1] for each of {z.size}, got {shown(p)}"
                raise InvalidArgument(msg)
        return p

    return checked


def _finite(law: Any) -> Mapping[Any, float] | None:
    """Probabilities of finitely many numbers."""
    found: Any = None
    if hasattr(law, "masses") and not getattr(law, "cuts", ()):
        found = law.masses(FLOATS)
    elif hasattr(law, "points") and hasattr(law, "atoms"):
        found = law.atoms(FLOATS)
    if found is None:
        return None
    if not isinstance(found, Mapping):
        msg = f"its masses must be a mapping, got a {type(found).__name__}"
        raise InvalidArgument(msg)
    stated = bounded(found.items(), "masses")
    if not all(isinstance(point, Fraction) for point, _ in stated):
        return None
    masses = {point: float(mass) for point, mass in stated}
    total = sum(masses.values())
    if not (abs(total - 1) < ROUNDING and all(mass > -ROUNDING for mass in masses.values())):
        msg = f"its masses must be at least 0 and add up to 1, got a sum of {total!r}"
        raise InvalidArgument(msg)
    return masses


def law_of_points(words: str, masses: Mapping[Any, float]) -> CdfLaw:
    """Law on finitely many numbers; a draw may miss its number by 1e-9 of the largest.

    A draw is taken for the number next to it, since others may be as near: powers of 2 are.
    """
    ordered = sorted((float(point), mass) for point, mass in masses.items())
    points = np.array([point for point, _ in ordered])
    middles, slack = (points[1:] + points[:-1]) / 2, ROUNDING * float(np.abs(points).max())
    reached = np.concatenate([[0.0], np.cumsum([mass for _, mass in ordered])])
    reached /= reached[-1]

    def meant(z: Array) -> Array:
        own = points[np.searchsorted(middles, z)]
        return np.where(np.abs(z - own) <= slack, own, z)

    return CdfLaw(
        words,
        lambda z: reached[np.searchsorted(points, meant(z), side="right")],
        lambda z: reached[np.searchsorted(points, meant(z), side="left")],
    )


def _masses(atoms: Mapping[float, float], z: Array) -> Array:
    return np.array([atoms.get(float(x), 0.0) for x in z]) if atoms else np.zeros(z.size)


def laws_of_noise(noise: Any) -> tuple[CdfLaw | CellLaw, ...]:
    """Laws that draws of a registered noise law have.

    `noise`: with what the registered laws offer beyond the protocol: `cdf` or `marginal_cdf`, and
    of two coordinates `total_pmf` or the rings of the l1-staircase.
    """
    step = 1.0 if hasattr(noise, "pmf") else 0.0
    if noise.dimension == 1:
        line = CdfLaw("noise", noise.cdf, lambda z: noise.cdf(z - step))
        return (line, _of_integers(noise)) if step else (line,)
    first = CdfLaw(
        "first coordinate",
        noise.marginal_cdf,
        lambda z: noise.marginal_cdf(z - step),
        lambda draws: np.asarray(draws[:, 0], dtype=np.float64),
    )
    if hasattr(noise, "total_pmf"):
        return (first, _of_levels(noise), _of_total(noise))
    second = CdfLaw(
        "second coordinate",
        noise.marginal_cdf,
        noise.marginal_cdf,
        lambda draws: np.asarray(draws[:, 1], dtype=np.float64),
    )
    return (first, second, _of_rings(noise))


def _of_integers(noise: Any) -> CellLaw:
    """Cells of the integers next to 0; those beyond are taken together."""
    scale = float(noise.sigma) if hasattr(noise, "sigma") else 1 / float(noise.epsilon)
    most = max(1, math.ceil(MOST_LEVELS * scale))
    chances = noise.pmf(np.arange(-most, most + 1))
    chances[[0, -1]] = noise.cdf(np.array([-most, -most]))

    def cell(draws: NDArray[Any]) -> NDArray[np.int64]:
        return np.asarray(np.clip(draws, -most, most) + most, dtype=np.int64)

    return CellLaw("integers", chances, cell)


def _of_total(noise: Any) -> CdfLaw:
    """Law of the integer sum T of an hourglass."""
    reach = math.ceil(REACH / float(noise.epsilon)) + 2
    totals = np.arange(-reach, reach + 1)
    reached = np.concatenate([[0.0], np.cumsum(noise.total_pmf(totals))])

    def below(z: Array, shift: int) -> Array:
        return np.asarray(reached[np.clip(z.astype(np.int64) + reach + shift, 0, totals.size)])

    return CdfLaw(
        "sum of the coordinates",
        lambda z: below(z, 1),
        lambda z: below(z, 0),
        lambda draws: np.asarray(draws[:, 1], dtype=np.float64),
    )


def _of_levels(noise: Any) -> CellLaw:
    """Cells of the level s of the first coordinate and of T - s, which is independent of it.

    P(s, T - s = d) = P(s) (1 - b) / (1 + b) b^|d| with b = e^-epsilon (KSW-L4); levels and
    differences beyond the last are taken together.
    """
    lattice = hasattr(noise, "pmf")
    level = noise.level if lattice else noise.marginal().level
    b = math.exp(-float(noise.epsilon))
    most = min(MOST_LEVELS, math.ceil(4 / float(noise.epsilon)))
    ends = np.arange(-most, most) + 0.5  # between the levels -most .. most
    at = np.array([_last_of_level(noise, math.floor(end), lattice=lattice) for end in ends])
    reached = np.concatenate([[0.0], noise.marginal_cdf(at), [1.0]])
    of_level = np.diff(reached)
    gaps = np.arange(-most, most + 1)
    of_gap = (1 - b) / (1 + b) * b ** np.abs(gaps).astype(np.float64)
    of_gap[[0, -1]] = b**most / (1 + b)  # all beyond
    width = 2 * most + 1

    def cell(draws: NDArray[Any]) -> NDArray[np.int64]:
        s = np.asarray(level(draws[:, 0]), dtype=np.int64)
        gap = np.asarray(draws[:, 1], dtype=np.int64) - s
        row, column = np.clip(s, -most, most) + most, np.clip(gap, -most, most) + most
        return np.asarray(row * width + column, dtype=np.int64)

    return CellLaw("level and sum", np.outer(of_level, of_gap).ravel(), cell)


def _last_of_level(noise: Any, s: int, *, lattice: bool) -> float:
    """Largest first coordinate of level s (its upper end, for a density)."""
    if lattice:
        q, r = noise.grid, noise.level0
        return float(s * q + r - 1 if s >= 0 else (s + 1) * q - r)
    gamma = float(noise.gamma)
    return s + gamma if s >= 0 else s + 1 - gamma


def _of_rings(noise: Any) -> CdfLaw:
    """Law of |z1| + |z2|, whose density at r is 4 r times that of the noise on its diamond."""
    scale = float(noise.sensitivity)
    far = scale * (REACH / float(noise.epsilon) + 4)
    rings = [0.0, *map(float, noise.exact_law().breakpoints(Fraction(0), Fraction(far))), far]
    edges = np.unique(rings)
    middles = (edges[1:] + edges[:-1]) / 2
    masses = 2 * np.diff(edges**2) * noise.density(middles, np.zeros(middles.size))
    reached = np.concatenate([[0.0], np.cumsum(masses)])

    def cdf(r: Array) -> Array:
        place = np.clip(np.searchsorted(edges, r, side="right") - 1, 0, middles.size - 1)
        share = (np.minimum(r, far) ** 2 - edges[place] ** 2) / np.diff(edges**2)[place]
        return np.asarray(reached[place] + share * masses[place])

    return CdfLaw(
        "sum of absolute values",
        cdf,
        cdf,
        lambda draws: np.abs(np.asarray(draws, dtype=np.float64)).sum(axis=1),
    )
