"""Shuffled blocks, each answered by a private mechanism, and their average (TRI, section 2.2).

The data are m blocks of n records. Row j, the j-th records of all blocks, is permuted by a uniform
permutation pi_j of the blocks; the rows are permuted independently, and a record never changes its
place j within a block. Mechanisms L_1, .., L_m then answer one block each, in turn:

    block i becomes (x^1_(pi_1(i)), .., x^n_(pi_n(i))),   y_i = L_i(y_1 .. y_(i-1), block i).

Theorem 2.2.2 says how much more private y_1 .. y_m are than each single answer: see
`mechanisms.trilemma.amplification`, and `mechanisms.trilemma.clones` for what is several times
sharper. With the same L_i everywhere the average of the answers has
the bias of one answer and hardly more than 1 / m of its variance (Theorem 2.2.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.composition import Composition, ShuffledStep
from mechanisms.errors import InvalidArgument
from mechanisms.records import records
from mechanisms.trilemma.amplification import check_amplification, shuffle_epsilon_upper
from mechanisms.trilemma.clones import MOST_BLOCKS, clones_epsilon_upper
from mechanisms.trilemma.parameters import check_clip, check_mean_range
from mechanisms.trilemma.utility import additive_claims, clipped_moments, laplace_noise
from mechanisms.utility_claims import RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_choice, check_integer, check_size

__all__ = ["ShuffledMean", "shuffled_composition"]

Array = NDArray[np.float64]
Step = Callable[[tuple[Any, ...], NDArray[Any], np.random.Generator], Any]
"""One mechanism: the answers so far, a block of shape (n,), and the generator, to an answer."""

RECORDS_MOST = 2**31

ITEM = "Theorem 2.2.3 (identity, ours)"

STATED = 10**6
"""The claim states epsilon1 in units of 1 / STATED, rounded up."""

_KEYS = 2**20
"""About so many records are permuted at a time."""


def shuffled_composition(
    data: Any, steps: Sequence[Step], rows: int, *, rng: np.random.Generator
) -> tuple[Any, ...]:
    """Answer shuffled blocks one after the other; one draw of any composition of Theorem 2.2.2.

    `data`, shape (n m,): records of any kind; block i, counted from 0, is data[i n : (i + 1) n].
    `steps`: L_1, .., L_m. Each must be private in the block, of shape (n,), whatever the earlier
    answers (a tuple) are. `rows`: number n of records of a block, at least 1. Returns: the m
    answers. Raises InvalidArgument if there is no step, or the number of records is not n m.
    """
    blocks = check_integer(len(steps), "number of steps", at_least=1)
    rows = check_integer(rows, "rows", at_least=1)
    if not isinstance(data, np.ndarray):  # one record must not change the type of the others
        data = np.fromiter(data, dtype=object)
    table = _blocks(data, blocks, rows)
    answers: tuple[Any, ...] = ()
    for step, block in zip(steps, _shuffled(table, 1, rng)[0], strict=True):
        answers = (*answers, step(answers, block, rng))
    return answers


@final
@dataclass(frozen=True, slots=True)
class ShuffledMean:
    """Means of shuffled blocks with Laplace noise, or the average of all of them.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        epsilon0: budget of the answer to each block.
    delta : int, float, str or Fraction
        delta1 of the claim, from 2 exp(-blocks / (16 e^epsilon)) to 1.
    low, high : int, float, str or Fraction
        Public bounds, `low < high`; records are clipped to them, NaN is the midpoint.
    blocks : int
        Number m of blocks.
    rows : int
        Number n of records of a block: the data are n m records, and block i, counted from 0, is
        records i n to (i + 1) n - 1. A record keeps its place within a block.
    release : {"mean", "blocks"}
        The average of the m answers, or all of them in the order of the shuffled blocks.

    Claims
    ------
    Approximate, swap: delta1, and the epsilon1 at which clones lose it (`clones`); for more than
    512 blocks that of (2.2). Rounded up.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Theorems 2.2.2 and 2.2.3 (TRI-A.SHUF, TRI-A.AVG,
       TRI-T2.2.2-clones).
    .. [2] Feldman, McMillan, Talwar, "Hiding among the clones", FOCS 2021, and "Stronger privacy
       amplification by shuffling for Renyi and approximate differential privacy", SODA 2023.
    """

    epsilon: Fraction
    delta: Fraction
    low: Fraction
    high: Fraction
    blocks: int
    rows: int
    release: str
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self,
        epsilon: Number = 1,
        delta: Number = "1/100",
        low: Number = 0,
        high: Number = 1,
        blocks: int = 256,
        rows: int = 1,
        release: str = "mean",
    ) -> None:
        exact_epsilon, count, exact_delta = check_amplification(epsilon, blocks, delta)
        exact_low, exact_high = check_mean_range(low, high)
        height = check_integer(rows, "rows", at_least=1)
        if count * height > RECORDS_MOST:
            msg = f"blocks x rows must be at most {RECORDS_MOST}, got blocks={blocks}, rows={rows}"
            raise InvalidArgument(msg)
        object.__setattr__(self, "epsilon", exact_epsilon)
        object.__setattr__(self, "delta", exact_delta)
        object.__setattr__(self, "low", exact_low)
        object.__setattr__(self, "high", exact_high)
        object.__setattr__(self, "blocks", count)
        object.__setattr__(self, "rows", height)
        object.__setattr__(self, "release", check_choice(release, "release", ("mean", "blocks")))
        check_clip(self.ends, self.epsilon)

    @property
    def claim(self) -> PrivacyClaim:
        """Approximate (epsilon1, delta1) for one record replaced."""
        item = "Theorem 2.2.2" + (", clones summed exactly" if self.is_summed else "")
        level = ApproxDP(self.epsilon1, self.delta)
        return PrivacyClaim(level, Relation.SWAP, Source("TRI", item))

    @property
    def promise(self) -> str:
        """The claim in words, which its own epsilon is not."""
        return "(epsilon_1, delta) of clones"

    @property
    def is_summed(self) -> bool:
        """Whether there are so few blocks that what clones lose is summed exactly."""
        return self.blocks <= MOST_BLOCKS

    @property
    def epsilon1(self) -> Fraction:
        """What all answers lose together, besides delta."""
        return self._summed if self.is_summed else self.printed_epsilon1

    @property
    def printed_epsilon1(self) -> Fraction:
        """The same by equation (2.2), whose theorem is cited: several times as large."""
        upper = shuffle_epsilon_upper(self.epsilon, self.blocks, self.delta)
        return Fraction(math.ceil(upper * STATED), STATED)

    @property
    def _summed(self) -> Fraction:
        return clones_epsilon_upper(self.epsilon, self.blocks, self.delta)

    def private_steps(self) -> Composition:
        """State the shuffled answers; of many blocks nothing is stated but the theorem."""
        if not self.is_summed:
            msg = f"private steps are stated for at most {MOST_BLOCKS} blocks, got {self.blocks}"
            raise InvalidArgument(msg)
        step = ShuffledStep("the shuffled answers", self.epsilon, self.blocks, self.epsilon1)
        return Composition(Relation.SWAP, step, 0, "TRI-T2.2.2-clones")

    @property
    def count(self) -> int:
        """Public number n m of records."""
        return self.blocks * self.rows

    @property
    def estimate_column(self) -> int | None:
        """Of all answers the first one, which estimates the mean as each other does."""
        return 0 if self.release == "blocks" else None

    @property
    def ends(self) -> tuple[float, float]:
        """The two doubles that records are clipped to."""
        return float(self.low), float(self.high)

    @property
    def scale(self) -> float:
        """Scale of the noise of one block, in the unit of the data."""
        lower, upper = map(Fraction, self.ends)
        return float((upper - lower) / (self.rows * self.epsilon))

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State bias and error of the average on `data`, or of the first answer."""
        values = records(data)
        if not (values.size == self.count and np.isfinite(values).all()):
            return ()
        clipped = np.clip(values, *self.ends)
        moved = math.fsum(clipped - values) / values.size
        if self.release == "mean":
            return additive_claims(ITEM, laplace_noise(self.scale, self.blocks), bias=moved)
        # one answer: each row gives it a record that is uniform among those of its own
        spread = math.fsum(np.var(_blocks(clipped, self.blocks, self.rows), axis=0))
        return additive_claims(
            ITEM,
            laplace_noise(self.scale),
            bias=moved,
            spread=spread / self.rows**2,
            on_data=False,
        )

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State bias and error of the average under a law, or of the first answer."""
        if count != self.count:
            return ()
        mean, spread = clipped_moments(law, *self.ends)
        answers, of = (self.blocks, count) if self.release == "mean" else (1, self.rows)
        noise = laplace_noise(self.scale, answers)
        moved = mean - law.mean
        return additive_claims(ITEM, noise, bias=moved, spread=spread / of, on_data=False)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Array:
        """Draw independent releases.

        `data`, shape (n m,): records, in the unit of the bounds, block after block. Returns shape
        (size,) or (size, m): in the unit of the data, not clipped: the averages, or the answers.
        """
        size = check_size(size)
        low, high = self.ends
        middle = float((self.low + self.high) / 2)
        read = np.nan_to_num(records(data), nan=middle, posinf=high, neginf=low)
        table = _blocks(np.clip(read, low, high) - low, self.blocks, self.rows)
        if self.release == "blocks":
            return low + self._answers(table, size, rng)
        # The average of the block means is the mean of all records, whatever the permutations
        # are; a Laplace variate is the difference of two exponential ones, so that the sum of m
        # of them is the difference of two of the gamma law of shape m.
        mean = math.fsum(table.ravel()) / self.count
        ahead, behind = rng.standard_gamma(self.blocks, (2, size))
        return np.asarray(low + (mean + self.scale / self.blocks * (ahead - behind)))

    def _answers(self, table: Array, size: int, rng: np.random.Generator) -> Array:
        """Answers of each draw, less `low`, shape (size, m); from records less `low`, (m, n)."""
        answers = np.empty((size, self.blocks))
        draws = max(1, _KEYS // self.count)
        for start in range(0, size, draws):
            part = answers[start : start + draws]
            # einsum, because sum and mean are slow along an axis of length 1
            means = np.einsum("smn->sm", _shuffled(table, len(part), rng)) / self.rows
            part[:] = means + rng.laplace(scale=self.scale, size=part.shape)
        return answers


def _blocks(values: NDArray[Any], blocks: int, rows: int) -> NDArray[Any]:
    """Arrange records as blocks, shape (m, n); their public number must be n m."""
    if values.ndim != 1:
        msg = f"data must be a 1-d array of records, got {values.ndim}-d data"
        raise InvalidArgument(msg)
    if values.size != blocks * rows:
        msg = (
            f"data must hold blocks x rows = {blocks} x {rows} = {blocks * rows} records, "
            f"got {values.size} records"
        )
        raise InvalidArgument(msg)
    return values.reshape(blocks, rows)


def _shuffled(table: NDArray[Any], size: int, rng: np.random.Generator) -> NDArray[Any]:
    """Permute the blocks of each row by itself, independently in each draw, shape (size, m, n)."""
    return rng.permuted(np.broadcast_to(table, (size, *table.shape)), axis=1)
