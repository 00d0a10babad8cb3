"""Exact rationals, as far as a law with rational masses asks for an arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


class _Rationals:
    def rational(self, value: Fraction) -> Fraction:
        """Return it."""
        return value


RATIONALS: Any = _Rationals()
"""Given to `masses` of a law that is rational."""
