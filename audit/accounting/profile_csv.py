"""The profile of an account as CSV: epsilon, and both ends of delta, rounded outward."""

from __future__ import annotations

import math

from audit.accounting.result import AccountResult
from audit.accounting.words import rounded

__all__ = ["profile_text"]

DIGITS = 15
"""As in the report in JSON: a double holds them."""


def profile_text(result: AccountResult) -> str:
    """A header, and a line for each epsilon."""
    lines = ["epsilon,delta lower,delta upper"]
    for point in result.profile:
        ends = rounded(point.lower, math.floor, DIGITS), rounded(point.upper, math.ceil, DIGITS)
        lines.append(",".join((repr(float(point.epsilon)), *ends)))
    return "\n".join(lines) + "\n"
