"""Checks of the public parameters of the thresholds."""

from __future__ import annotations

import math
from fractions import Fraction

from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_choice, check_fraction, shown

__all__ = ["RANK_MOST", "SPACINGS", "check_alpha", "check_rank", "check_side", "spacing_at"]

RANK_MOST = 2**31
"""Up to this rank doubles hold the losses, to at least six digits behind the point."""

SPACINGS = 2**10
"""Least alpha in units of the spacing of doubles at the bounds."""


def check_rank(rank: object) -> Fraction:
    """Check a public rank, which need not be an integer: from -2^31 to 2^31."""
    return check_fraction(rank, "rank", at_least=-RANK_MOST, at_most=RANK_MOST)


def check_side(side: object) -> str:
    """Check where ranks are counted from: "below" or "above"."""
    return check_choice(side, "side", ("below", "above"))


def spacing_at(low: Fraction, high: Fraction) -> Fraction:
    """Spacing of doubles at the bounds."""
    return Fraction(math.ulp(max(abs(float(low)), abs(float(high)))))


def check_alpha(
    alpha: object, low: Fraction, high: Fraction, name: str = "alpha", parts: int = 20
) -> Fraction:
    """Check a distance in the unit of the data; None stands for (high - low) / `parts`.

    Raises InvalidArgument if it is not greater than 0, or (for low < high) below 2^10 spacings of
    doubles at the bounds: the thresholds of loss 0 would be too few doubles, or none.
    """
    exact = (high - low) / parts if alpha is None else check_fraction(alpha, name, above=0)
    spacing = spacing_at(low, high)
    if low < high and exact < SPACINGS * spacing:
        msg = (
            f"{name} must be at least {SPACINGS} spacings of double precision at the bounds, "
            f"{float(SPACINGS * spacing)!r}, got {name}={shown(alpha)} (low={low}, high={high})"
        )
        raise InvalidArgument(msg)
    return exact
