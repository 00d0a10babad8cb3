"""Masses of cases: volumes of polygons times sums of exponentials over integers.

A geometric series over n >= 0 of e^(-decay n) is 1 / (1 - e^-decay). Masses keep such denominators
apart, so that many of them can be brought to one denominator without a division.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.exact.symbolic.affine import Affine, NotAffine, variables
from audit.exact.symbolic.levels import Number
from audit.exact.symbolic.region import Region
from proofs_check.exponential import ExpSum

__all__ = ["CaseMass", "case_mass", "one_denominator"]


@final
@dataclass(frozen=True, slots=True)
class CaseMass:
    """A mass: finite / product of (1 - e^-decay) over the decays of `series`."""

    finite: ExpSum
    """Numerator."""
    series: Counter[Fraction]
    """One decay for each geometric series."""


def case_mass(region: Region, log_weight: Number, density: Fraction) -> CaseMass:
    """Mass of a case: its volume times the sum of the weights over the integers.

    `region`: a product of a polygon of the reals and of ranges of the integers. `log_weight`:
    logarithm of the weight, the same at all points of the polygon. `density`: volume for each unit
    of the reals. Raises NotAffine if the region is no product, the weight varies over the polygon,
    or the sum is infinite.
    """
    form = log_weight if isinstance(log_weight, Affine) else variables(region)[0] * 0 + log_weight
    if not region.is_product():
        msg = f"the case is no product of polygon and integers: {region!r}"
        raise NotAffine(msg)
    mass = ExpSum.exp(form.vector[-1], region.volume() * density)
    series: Counter[Fraction] = Counter()
    for i, is_integer in enumerate(region.integral):
        rate, (lower, upper) = form.vector[i], region.ends(i)
        if not is_integer:
            if rate:
                msg = f"the weight varies with a real variable: {form!r}"
                raise NotAffine(msg)
        elif lower is not None and upper is not None:
            mass = mass * _finite_sum(rate, math.ceil(lower), math.floor(upper))
        else:
            first, decay = (lower, -rate) if upper is None else (upper, rate)
            if first is None or decay <= 0:
                msg = f"the sum of e^({rate} n) from {lower} to {upper} is infinite"
                raise NotAffine(msg)
            mass = mass * ExpSum.exp(rate * first)
            series[decay] += 1
    return CaseMass(mass, series)


def _finite_sum(rate: Fraction, first: int, last: int) -> ExpSum:
    """Sum of e^(rate n) over first <= n <= last."""
    if not rate:
        return ExpSum.rational(last - first + 1)
    return ExpSum({rate * n: Fraction(1) for n in range(first, last + 1)})


def one_denominator(masses: Sequence[CaseMass]) -> tuple[tuple[ExpSum, ...], ExpSum]:
    """Bring masses to one denominator: their numerators, and the denominator."""
    common: Counter[Fraction] = Counter()
    for mass in masses:
        common = common | mass.series
    numerators = (mass.finite * _product(common - mass.series) for mass in masses)
    return tuple(numerators), _product(common)


def _product(decays: Counter[Fraction]) -> ExpSum:
    result = ExpSum.rational(1)
    for decay in decays.elements():
        result = result * (1 - ExpSum.exp(-decay))
    return result
