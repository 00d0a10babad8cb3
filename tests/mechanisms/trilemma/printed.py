"""Numbers as the specification prints them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest


def as_printed(text: str) -> Any:
    """What a value with these digits equals: half a unit of the last one, or 1e-13 if less."""
    exponent = Decimal(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return pytest.approx(float(text), rel=1e-13, abs=0.5001 * 10.0**exponent)
