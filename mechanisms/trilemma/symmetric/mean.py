"""A private mean that symmetric laws leave without bias (TRI, Algorithm 2, DPUMEAN).

With the coarse estimate of the first n1 records and the other n2 records x_i,

    mu~ = sigma DPUCOARSE(x_1 / sigma, ..., x_n1 / sigma),
    mu^ = (1 / n2) sum clip_[mu~ - c, mu~ + c](x_i) + Lap(2 c / (n2 epsilon)),

and where the coarse estimate fails, mu^ is name-and-shame on the second half: 1 / (n2 delta) times
the sum of the records whose coin, of probability delta, shows heads. The pair (mu~, mu^) is
released. A record lies in one of the halves, so the losses of the two steps do not add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mechanisms.claims import ApproxDP, Order, PrivacyClaim, Relation, Source
from mechanisms.composition import CoarseStep, Composition, Either, LaplaceStep, NamedStep
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.noise.parameters import check_epsilon, check_scale
from mechanisms.records import records
from mechanisms.trilemma.coarse.draw import draw_coarse
from mechanisms.trilemma.coarse.law import FAILURE, CoarseLaw
from mechanisms.trilemma.coarse.mean import coarse_records
from mechanisms.trilemma.coarse.rule import coarse_rule
from mechanisms.trilemma.coins import named_means
from mechanisms.trilemma.parameters import check_delta
from mechanisms.trilemma.symmetric.error import law_bounds
from mechanisms.trilemma.utility import laplace_noise, named_noise, symmetric_about
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim
from mechanisms.validation import Number, check_integer, check_size

__all__ = ["SymmetricMean", "clipped_differences"]

Array = NDArray[np.float64]
CELLS = 1 << 18
"""About so many clipped records are held at a time."""

MOST_FAILURES = 0.5
"""Of the coarse estimate: where it fails more often, too few draws tell the error without."""


@final
@dataclass(frozen=True, slots=True)
class SymmetricMean:
    """Mean of a public number of records, unbiased if their law is symmetric.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        Privacy parameter.
    delta : int, float, str or Fraction
        In (0, 1], at least 1e-75.
    distance : int, float, str or Fraction
        In print c: records of the second half are clipped this far from the coarse estimate. In
        the unit of the data, from 1e-75 to 1e75.
    scale : int, float, str or Fraction
        In print sigma: width of the bins of the coarse estimate, in the unit of the data, from
        1e-75 to 1e75.
    first, second : int
        In print n1 and n2: records of the coarse estimate, at least 0, and of the mean, at least
        1. The split is by position.

    Claims
    ------
    Approximate, swap: (epsilon, delta), for the pair. The exact delta is the larger one of that of
    the coarse estimate, delta exp(-epsilon / 2) / 2 (for delta <= 2 (exp(epsilon / 2) - 1)), and of
    delta times the largest probability that it fails.

    References
    ----------
    .. [1] Regehr, "A bias-variance-privacy trilemma for statistical estimation", MMath thesis,
       University of Waterloo, 2023, Algorithm 2 and Theorem 4.2.1 (TRI-A.DPUM, TRI-T4.2.1).
    """

    epsilon: Fraction
    delta: Fraction
    distance: Fraction
    scale: Fraction
    first: int
    second: int
    order: ClassVar[Order] = Order.FIXED

    def __init__(
        self,
        epsilon: Number = 1,
        delta: Number = "1/100",
        distance: Number = 12,
        scale: Number = 10,
        first: int = 100,
        second: int = 100,
    ) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))
        object.__setattr__(self, "delta", check_delta(delta))
        object.__setattr__(self, "distance", check_scale(distance, "distance"))
        object.__setattr__(self, "scale", check_scale(scale, "scale"))
        object.__setattr__(self, "first", check_integer(first, "first", at_least=0))
        object.__setattr__(self, "second", check_integer(second, "second", at_least=1))
        check_scale(self.noise_scale, "2 distance / (second epsilon)")

    @property
    def claim(self) -> PrivacyClaim:
        """Epsilon and delta for one record replaced."""
        source = Source("TRI", "Algorithm 2 and Theorem 4.2.1")
        return PrivacyClaim(ApproxDP(self.epsilon, self.delta), Relation.SWAP, source)

    @property
    def count(self) -> int:
        """Public number of records."""
        return self.first + self.second

    @property
    def record_range(self) -> tuple[Fraction, Fraction]:
        """Ends of different bins, each clipped if the others lie around 0."""
        reach = self.scale + 2 * self.distance
        return -reach, reach

    @property
    def estimate_column(self) -> int:
        """The mean is the second number of a release."""
        return 1

    @property
    def failure_column(self) -> int:
        """The coarse estimate is the first number; NaN where there is none."""
        return 0

    @property
    def noise_scale(self) -> Fraction:
        """Scale of the Laplace noise on the mean of the second half, in the unit of the data."""
        return 2 * self.distance / (self.second * self.epsilon)

    def private_steps(self) -> Composition:
        """State what sees a record: the coarse estimate, or one of the two means."""
        coarse = CoarseStep(
            "the counts of the first half", coarse_rule(self.epsilon, self.delta).scale, self.delta
        )
        move = 2 * self.distance / self.second
        clipped = LaplaceStep("the mean of the second half", (move,), self.noise_scale)
        named = NamedStep("a record of the second half, after a failure", self.delta)
        return Composition(
            Relation.SWAP, Either((coarse, Either((clipped, named)))), 0, "TRI-T4.2.1"
        )

    def utility_claims(self, data: Any) -> tuple[UtilityClaim, ...]:
        """State no bias on records whose halves are both symmetric about one center.

        And the error where no record of the second half can be clipped: that of the noise where
        the coarse estimate succeeds, which is the error given that it does, and that of the named
        records where it fails.
        """
        values = records(data)
        if values.size != self.count or not np.isfinite(values).all():
            return ()
        halves = [half for half in np.split(values, [self.first]) if half.size]
        centers = {symmetric_about(half) for half in halves}
        center = centers.pop()
        if centers or center is None:
            return ()
        first, second = np.split(values, [self.first])
        return (_without_bias(center == 0), *self._error(first, second))

    def _error(self, first: Array, second: Array) -> tuple[UtilityClaim, ...]:
        """Exact error, where a coarse estimate is within the distance of all records.

        It is within half a bin of some record of the first half.
        """
        fails = 1.0
        if first.size:
            far = max(second.max() - first.min(), first.max() - second.min())
            if far > float(self.distance - self.scale / 2):
                return ()
            scaled = tuple(Fraction(x) / self.scale for x in np.sort(first).tolist())
            law = CoarseLaw(coarse_rule(self.epsilon, self.delta), scaled)
            fails = float(law.masses(FLOATS)[FAILURE])
        noise = laplace_noise(float(self.noise_scale))
        named = named_noise(second, float(self.delta))
        error, fourth = (
            (1 - fails) * noise.variance + fails * named.variance,
            (1 - fails) * noise.fourth + fails * named.fourth,
        )
        source = Source("TRI", "Theorem 4.2.1 (identity, ours)")
        whole = UtilityClaim(Quantity.MSE, error, source, exactly=True, square=fourth)
        if fails > MOST_FAILURES:
            return (whole,)
        source = Source("TRI", "Theorem 4.2.1, fifth display (identity, ours)")
        given = UtilityClaim(
            Quantity.MSE,
            noise.variance,
            source,
            exactly=True,
            square=noise.fourth,
            given_success=True,
        )
        return whole, given

    def utility_claims_under(self, law: RecordLaw, count: int) -> tuple[UtilityClaim, ...]:
        """State no bias for records of a symmetric law, and the bounds for laws of the class."""
        if not law.symmetric or count != self.count:
            return ()
        bounds = law_bounds(
            law,
            epsilon=float(self.epsilon),
            delta=float(self.delta),
            distance=float(self.distance),
            scale=float(self.scale),
            first=self.first,
            second=self.second,
        )
        return (_without_bias(law.mean == 0), *bounds)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw independent releases.

        `data`, shape (first + second,): records. One that is not finite counts as 0, except that in
        the second half an infinite one is clipped if there is something to clip to. Returns shape
        (size, 2): the coarse estimate, NaN for the failure symbol, and the mean, in the unit of the
        data; infinite where it is beyond double precision.
        """
        size = check_size(size)
        values = records(data)
        if values.size != self.count:
            msg = (
                f"data must hold first + second = {self.first} + {self.second} = {self.count} "
                f"records, got {values.size}"
            )
            raise InvalidArgument(msg)
        pair = np.empty((size, 2))
        pair[:, 0] = self._coarse(values[: self.first], size, rng=rng)
        failed = np.isnan(pair[:, 0])
        half = np.where(np.isnan(values[self.first :]), 0.0, values[self.first :])
        centers = pair[~failed, 0]
        noise = rng.laplace(scale=float(self.noise_scale), size=centers.size)
        # The center comes last: added before the noise, its rounding could move records apart.
        pair[~failed, 1] = clipped_differences(half, centers, float(self.distance)) + noise
        pair[~failed, 1] += centers
        if failed.any():
            finite = np.where(np.isfinite(half), half, 0.0)
            number = int(np.count_nonzero(failed))
            pair[failed, 1] = named_means(finite, float(self.delta), number, rng=rng)
        return pair + 0.0  # without -0.0

    def _coarse(
        self, half: NDArray[np.float64], size: int, *, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Coarse estimate in the unit of the data; what a division makes infinite counts as 0."""
        unit = float(self.scale)
        with np.errstate(over="ignore"):
            scaled = coarse_records(half / unit)
            estimate = unit * draw_coarse(
                scaled, coarse_rule(self.epsilon, self.delta), size, rng=rng
            )
        largest = np.finfo(np.float64).max
        return np.asarray(np.clip(estimate, -largest, largest))


def _without_bias(symmetric: bool) -> UtilityClaim:
    """The claim; where the center is 0, the mean of the named records is symmetric as well."""
    source = Source("TRI", "Theorem 4.2.1")
    return UtilityClaim(Quantity.BIAS, Fraction(0), source, symmetric=symmetric)


def clipped_differences(
    values: NDArray[np.float64], centers: NDArray[np.float64], distance: float
) -> NDArray[np.float64]:
    """Mean difference from each center of the records clipped to within a distance of it.

    One far record then cannot cost the others their digits, as it would in sums that are made once
    and subtracted.

    `values`, shape (n,): records, n at least 1; infinite ones are clipped. `centers`, shape (k,):
    finite. `distance`: greater than 0, finite. Returns shape (k,): each at most `distance` from 0.
    """
    means = np.empty(centers.size)
    rows = max(1, CELLS // values.size)
    for start in range(0, centers.size, rows):
        part = slice(start, start + rows)
        with np.errstate(over="ignore"):
            off = values - centers[part, None]
        np.clip(off, -distance, distance, out=off)
        means[part] = off.mean(axis=1)
    return means
