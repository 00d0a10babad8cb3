"""Numbers that code forgets: NaN, infinities, and what is far out of range."""

from __future__ import annotations

import math

WIDTHS = 10
"""Widths out of range: such a record moves a sum without a clip by 11 sensitivities, so that few
draws show it."""

HUGE, TINY = 1e300, 5e-324
"""A record whose square overflows, and the smallest one: a width made of it is denormal."""

INTEGER_EDGES = {
    "2^31": 2**31,
    "-2^31 - 1": -(2**31) - 1,
    "2^53 + 1": 2**53 + 1,
    "2^63 - 1": 2**63 - 1,
}
"""The first integers that 32 bits, a double, and 64 bits after one more step do not hold."""


def numbers_outside(
    low: float, high: float, *, few: bool = False, finite: bool = False
) -> dict[str, float]:
    """Records outside of bounds, by what they are in words.

    `few` leaves out those that one larger data set is enough for, `finite` those that are none.
    """
    width = (high - low) or 1.0
    none = {} if finite else {"NaN": math.nan}
    if few:
        return none | {"1 width above high": high + width, "1 width below low": low - width}
    infinite = {} if finite else {"inf": math.inf, "-inf": -math.inf}
    far = {
        f"{WIDTHS} widths above high": high + WIDTHS * width,
        f"{WIDTHS} widths below low": low - WIDTHS * width,
        f"{HUGE:g}": HUGE,
    }
    small = {f"{TINY:g}": TINY, "-0.0": -0.0} if low <= 0 <= high else {}
    found = none | infinite | far | small
    return {k: x for k, x in found.items() if math.isfinite(x)} if finite else found
