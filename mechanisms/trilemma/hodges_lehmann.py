"""The estimator of Hodges and Lehmann for the mean of bits (TRI, Appendix A.2). Not private.

    (sqrt(n) / 2 + sum_i x_i) / (n + sqrt(n))

has the same mean squared error 1 / (4 (sqrt(n) + 1)^2) for every Bernoulli law, the least that any
estimator can promise for all of them.
"""

from __future__ import annotations

import math
from typing import Any

from mechanisms.errors import InvalidArgument
from mechanisms.records import records
from mechanisms.trilemma.records import at_least_one

__all__ = ["hodges_lehmann"]


def hodges_lehmann(bits: Any) -> float:
    """Estimate the mean of a Bernoulli law.

    `bits`, shape (n,): n at least 1. Returns: strictly between 0 and 1. Raises InvalidArgument if
    there are no bits, or something is not a bit. Nothing is kept private here.

    References
    ----------
    .. [1] TRI-A.HL, TRI-EA.2-minimax.
    """
    values = at_least_one(records(bits))
    if not ((values == 0) | (values == 1)).all():
        msg = f"bits must be 0 or 1, got bits={bits!r}"
        raise InvalidArgument(msg)
    root = math.sqrt(values.size)
    return (root / 2 + float(values.sum())) / (values.size + root)
