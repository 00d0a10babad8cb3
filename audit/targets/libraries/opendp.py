"""Measurements of OpenDP, calibrated so that the library itself affirms the claim.

The noise scale is the smallest double above (the library's own sensitivity) / epsilon for which
`measurement.check(d_in, epsilon)` holds. OpenDP draws from the operating system's source: there
is no seed. Records outside the bounds are clamped by the library, and of a sum its sensitivity is
max(|low|, |high|, high - low): with bounds of two signs that is larger than the effect of a record,
and the true loss is below the claim. NaN records are outside the domains (`nan=False`) that OpenDP
offers for sums, and raise: these queries say so, and NaN is tried with --domain any only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from audit.targets.libraries.library_imports import load_library, records, scalar
from audit.targets.libraries.offer import Releases


def noise(call: str, values: Mapping[str, Any]) -> Releases:
    """Noise on one float: neighbors are values at most `sensitivity` apart."""
    dp, d_in = prelude(), cast_up(values["sensitivity"])

    def releases(data: Any, _: np.random.Generator) -> Callable[[], Any]:
        value = scalar(data)
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
        build = partial(getattr(dp.m, call), *space)
        return partial(calibrated(build, d_in, d_in, values["epsilon"]), value)

    return releases


def query(call: str, values: Mapping[str, Any], *, sized: bool = False) -> Releases:
    """A query on floats, clamped where it has bounds, plus Laplace noise.

    Where the number of records is public (`sized`, at least 1), a replaced record is 2 in the
    symmetric distance; where it is private, one that comes or goes is 1.
    """
    dp, d_in, clamped = prelude(), 2 if sized else 1, "low" in values

    def releases(data: Any, _: np.random.Generator) -> Callable[[], Any]:
        rows = records(data).tolist()
        floats = dp.atom_domain(T=float, **({"nan": False} if clamped else {}))
        domain = dp.vector_domain(floats, size=len(rows) if sized else None)
        space = domain, dp.symmetric_distance()
        if clamped:
            space = space >> dp.t.then_clamp((float(values["low"]), float(values["high"])))
        exact = space >> getattr(dp.t, call)()
        sensitivity = float(exact.map(d_in))
        release = calibrated(
            lambda scale: exact >> dp.m.then_laplace(scale), d_in, sensitivity, values["epsilon"]
        )
        return partial(release, rows)

    return releases


sized_query = partial(query, sized=True)
"""A query on records whose number is public."""


def prelude() -> Any:
    """The library, with the features that its contributors vouch for.

    Raises MissingExtra if it is not installed.
    """
    dp = load_library("opendp.prelude", "opendp")
    dp.enable_features("contrib")
    return dp


def calibrated(
    build: Callable[[float], Any], d_in: float, sensitivity: float, epsilon: Fraction
) -> Any:
    """Build a measurement with the least noise for which the library affirms epsilon at d_in.

    `build`: measurement of a given noise scale. `d_in`: distance of neighbors in the measurement's
    input metric. `sensitivity`: what the library says of the query at d_in. `epsilon`: greater than
    0; rounded down to a double.
    """
    eps = -cast_up(-epsilon)
    scale = sensitivity / eps
    while not (measurement := build(scale)).check(d_in, eps):
        scale = math.nextafter(scale, math.inf)
    return measurement


def cast_up(x: Fraction) -> float:
    """Find the smallest double that is at least x."""
    nearest = float(x)
    return nearest if Fraction(nearest) >= x else math.nextafter(nearest, math.inf)
