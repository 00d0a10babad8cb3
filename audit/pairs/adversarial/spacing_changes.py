"""One record takes the sum over a power of 2, and all that follows is rounded in another way.

The spacing doubles there. The two sums differ by one record D at first, one below 2^k (spacing u)
and one above (2 u).

*Drain*, where records of both signs are allowed: each record of -0.75 u moves the sum below by -u
and leaves the one above; m of them add m u to the difference.

*Chase*, where they are not: each record of 1.25 u moves the sum below by u and the one above by
2 u, until the one below has passed 2^k; then the difference is 2 D. At 2^(k+1) it doubles again.

*Jump*, for narrow bounds far from 0: where u exceeds the width, the last record falls to one of
two neighboring numbers, and two records next to each other fall to different ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from audit.pairs.adversarial.public import (
    ENOUGH,
    FORMATS,
    MOST_RECORDS,
    Format,
    Public,
    Runs,
    in_words,
    pair_of,
    records_of,
)
from audit.pairs.worst_cases import Pair
from mechanisms.claims import Relation

DRAINED, CHASED = -0.75, 1.25
"""Records, in units of the spacing below the power of 2."""

DOUBLINGS = 2
"""Powers of 2 at which a chase doubles the difference."""

BITS = 6
"""Of the records that make up most of a sum."""

LOWEST, HIGHEST = -900, 1020
"""Exponents of powers of 2 whose spacing, and whose double, are normal numbers."""

MORE = 8
"""Numbers of records after the smallest that a jump is looked for at."""


def rounding_pairs(public: Public) -> Iterator[Pair]:
    """Smallest pair for each format and kind that moves a sum by several sensitivities."""
    for form in FORMATS:
        rest = (_drain(public, form) if public.mixed else []) or _chase(public, form)
        if rest:
            rest = [(value, count) for value, count in rest if value]  # an empty filler
            pair = public.changed(f"rounding in {form.name}", rest)
            if _difference(pair, form) >= ENOUGH * public.sensitivity:
                yield pair
        jump = _jump(public, form)
        if jump is not None:
            yield jump


def _difference(pair: Pair, form: Format) -> float:
    difference = abs(form.total(pair.data) - form.total(pair.neighbor))
    return difference if math.isfinite(difference) else 0.0


def _round_size(public: Public) -> float:
    """Size of the many records: that of the large end, in few bits, so that sums are exact."""
    large, _ = public.ends
    mantissa, exponent = math.frexp(abs(large))
    size = math.ldexp(math.floor(mantissa * 2**BITS), exponent - BITS)
    return size if public.allows(math.copysign(size, large)) else abs(large)


def _powers_above(size: float) -> range:
    """Exponents of the powers of 2 that a sum of so large records can pass."""
    start = math.frexp(size)[1] + 1
    return range(start, min(start + 15, HIGHEST)) if start > LOWEST else range(0)


def _drain(public: Public, form: Format) -> Runs:
    """Records after the first one: to half a change below 2^k, then those that drain."""
    large, other = public.ends
    size, sign = _round_size(public), math.copysign(1.0, large)
    sensitivity = public.sensitivity
    best: Runs = []
    fewest = MOST_RECORDS + 1
    start = 0.0 if public.relation is Relation.ADD_REMOVE else -abs(other)
    for k in _powers_above(size):
        gap = math.ldexp(1.0, k) - sensitivity / 2 - start
        count, unit = int(gap // size), math.ldexp(1.0, k - form.precision)
        drained = math.ceil(ENOUGH * sensitivity / unit)
        if count >= 1 and count + 1 + drained < fewest:
            fewest = count + 1 + drained
            filler, drain = sign * (gap - count * size), sign * DRAINED * unit
            if public.allows(drain) and public.allows(filler):
                best = [(sign * size, count), (filler, 1), (drain, drained)]
    return best


def _chase(public: Public, form: Format) -> Runs:
    """Records after the first one, for the exponent that needs the fewest."""
    large, _ = public.ends
    found = [runs for k in _powers_above(abs(large)) if (runs := _chase_from(public, form, k))]
    return min(found, key=lambda runs: sum(count for _, count in runs), default=[])


def _chase_from(public: Public, form: Format, k: int) -> Runs:
    """Climb to just below 2^k by large records, chase, and again at the next powers of 2."""
    large, other = public.ends
    size, sign = _round_size(public), math.copysign(1.0, large)
    below = 0.0 if public.relation is Relation.ADD_REMOVE else sign * other
    gap = public.sensitivity
    runs: list[tuple[float, int]] = []
    for power in range(k, k + DOUBLINGS):
        limit, unit = math.ldexp(1.0, power), math.ldexp(1.0, power - form.precision)
        if limit < gap + below or not public.allows(sign * CHASED * unit):
            return []
        climbed = int((limit - gap - below) // size)
        filler = limit - gap - below - climbed * size
        chased = math.ceil(gap / unit)
        runs += [(sign * size, climbed), (sign * filler, 1), (sign * CHASED * unit, chased)]
        if sum(count for _, count in runs) > MOST_RECORDS - 1:
            return []
        below, gap = limit, 2 * gap
    return runs


def _jump(public: Public, form: Format) -> Pair | None:
    """Two records next to each other at which the sum of the others and one jumps far."""
    if public.relation is not Relation.SWAP:
        return None
    large, other = public.ends
    wanted = ENOUGH * public.sensitivity
    most = abs(large) * (MOST_RECORDS / 2)
    if not math.isfinite(most) or form.spacing(most) < wanted:
        return None
    count = 1
    while form.spacing(abs(large) * count) < wanted:
        count *= 2
    for more in range(MORE):
        base: Runs = [(large, count + more)]

        def total(last: float, base: Runs = base) -> float:
            return form.total(records_of([*base, (last, 1)]))

        below, above = sorted((large, other))
        start, end = total(below), total(above)
        if not (math.isfinite(start) and math.isfinite(end)) or abs(end - start) < wanted:
            continue
        while np.nextafter(below, above) < above:
            middle = below / 2 + above / 2
            below, above = (middle, above) if total(middle) == start else (below, middle)
        words = f"{in_words(base)}, then one at {below!r}; that one replaced by {above!r}"
        label = f"rounding in {form.name}: {words}"
        pair = pair_of(label, [*base, (below, 1)], [*base, (above, 1)])
        if _difference(pair, form) >= wanted:
            return pair
    return None
