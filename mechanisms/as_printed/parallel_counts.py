"""Parallel composition over disjoint sets of values, as printed for a fixed number of records.

Lemmas 3 and 10 of PDP run a mechanism on the records of each of several disjoint sets of values and
promise its epsilon for all outputs together, "bounded and unbounded" (erratum PDP-E-05). If a
record is replaced it may leave one set and enter another, so that two outputs change. Here the sets
are the numbers below 0 and the numbers from 0 on, and the outputs are the numbers of their records:

    with geometric noise of ratio e^-epsilon each, epsilon for a record added or removed: 2 epsilon;
    without noise, 0 for a fixed number of records: (1, 0) against (0, 1), no epsilon (PDP-CX4).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.as_printed.certain_law import CertainLaw
from mechanisms.as_printed.count_law import NoisyCounts
from mechanisms.as_printed.slips import check_slips
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.noise.geometric import Geometric
from mechanisms.noise.parameters import check_epsilon
from mechanisms.records import records
from mechanisms.validation import Number, check_choice, check_size

__all__ = ["PrintedCounts"]

MOST_RECORDS = 64
"""Of an exact law: it has the square of it as outcomes."""


@final
@dataclass(frozen=True, slots=True)
class PrintedCounts:
    """Numbers of records below 0 and from 0 on.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        What the print promises for both counts.
    noise : {"geometric", "none"}
        Two-sided geometric of ratio e^-epsilon on each count, or nothing.
    slip : {"all", "E-05"}
        The erratum: its only one.

    Claims
    ------
    Pure, swap: epsilon, as printed. False: 2 epsilon exactly with noise, infinite without.

    References
    ----------
    .. [1] Dong, Ge, "Tight bounds for Gaussian mean estimation under personalized differential
       privacy", Lemmas 3 and 10 (PDP-L3, PDP-L10, PDP-E-05, PDP-CX4).
    """

    epsilon: Fraction
    noise: str
    slip: str
    order: ClassVar[Order] = Order.FREE
    record_range: ClassVar[tuple[Fraction, Fraction]] = (Fraction(-1), Fraction(1))
    """Records of both sets."""
    placeholder: ClassVar[bool] = True
    """NaN is a record that is missing: it is in neither set."""

    def __init__(self, epsilon: Number = 1, noise: str = "geometric", slip: str = "all") -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "noise", check_choice(noise, "noise", ("geometric", "none")))
        check_slips(slip, ("E-05",))
        object.__setattr__(self, "slip", slip)

    @property
    def claim(self) -> PrivacyClaim:
        """What the print promises for one record replaced."""
        source = Source("PDP", "Lemmas 3 and 10 (erratum PDP-E-05)")
        return PrivacyClaim(PureDP(self.epsilon), Relation.SWAP, source)

    @property
    def counterexample(self) -> tuple[list[float], list[float]]:
        """One record, on either side of 0."""
        return [-1.0], [1.0]

    def exact_law(self, data: Any) -> NoisyCounts | CertainLaw:
        """State the output law on `data`, array_like of shape (n,), n up to 64.

        Raises InvalidArgument if there are more records. Never because of a record.
        """
        values = records(data)
        if values.size > MOST_RECORDS:
            msg = f"an exact law needs at most {MOST_RECORDS} records, got {values.size}"
            raise InvalidArgument(msg)
        counts = _counts(values)
        if self.noise == "none":
            return CertainLaw(counts, "the counts are")
        return NoisyCounts(self.epsilon, max(values.size, 1), counts)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw independent releases.

        `data`, shape (n,): records; n may be 0. NaN is counted in neither set. Returns shape (size,
        2): counts below 0 and from 0 on; with noise they may be negative.
        """
        size = check_size(size)
        counts = np.tile(np.array(_counts(records(data)), dtype=np.int64), (size, 1))
        if self.noise == "none":
            return counts
        return counts + Geometric(self.epsilon).sample(2 * size, rng=rng).reshape(size, 2)


def _counts(values: NDArray[np.float64]) -> tuple[int, int]:
    return int(np.count_nonzero(values < 0)), int(np.count_nonzero(values >= 0))
