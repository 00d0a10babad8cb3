"""Two kernel betting tests of differential privacy, to compare with.

`PublishedTest` is the test of Gonzalez, Dulce-Rubio, Ramdas, Ribero, "Sequentially auditing
differential privacy" (arXiv 2509.07055, NeurIPS 2025), Algorithm 1. For a kernel with values in
[0, 1], (epsilon, delta)-DP gives (Theorem 3.1)

    MMD(P, Q) <= tau = sqrt(2) (1 - 2 (1 - delta) / (1 + e^epsilon)),

and the wealth is the product of 1 + lam_t (f_t(X_t) - f_t(Y_t) - tau), with f_t in the unit ball
learned by online gradient ascent and lam_t by an online Newton step. It refutes a claim only where
MMD > tau, however many the draws.

`SignedTest` is a sharper bettor of the same family, made here so that the comparison is not won by
tau alone. For any f with values in [0, 1], (epsilon, delta)-DP gives E_P f - e^epsilon E_Q f <=
delta, both ways round, so 1 + lam (f(X) - e^epsilon f(Y) - delta) is a bet for 0 <= lam < 1 /
(e^epsilon + delta). Its f is the positive part of the witness of the signed embeddings, mu_P -
e^epsilon mu_Q, scaled to a maximum of 1, or its support. Bandwidths, shapes, directions and lam are
mixed. It sees outputs as cells (a fixed fine grid of numbers, or the possible outputs): claims
survive post-processing, and sums over the past become counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["PublishedTest", "SignedTest", "median_distance"]

Array = NDArray[np.float64]

ALPHA = 0.05
BANDWIDTHS = (0.125, 0.25, 0.5, 1.0)
"""Of the signed test, in medians of the distances."""
STAKES = 0.95 * np.array([1.0, 0.5, 0.25, 0.12, 0.06, 0.03, 0.015])
"""lam of the signed test, in units of the largest."""


def distances(x: Array, y: Array) -> Array:
    """Squared Euclidean distances of the rows, shape (len(x), len(y))."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(x, y, "sqeuclidean"))


def median_distance(x: Array, y: Array) -> float:
    """Median of the positive distances within the first draws of both arms."""
    both = np.concatenate([x, y])
    d = distances(both, both)
    return math.sqrt(np.median(d[d > 0]))


@final
@dataclass(slots=True)
class PublishedTest:
    """The published test, one pair of draws at a time.

    Parameters
    ----------
    epsilon, delta : float
        The claim.
    bandwidth : float
        Of the Gaussian kernel exp(-d^2 / (2 bandwidth^2)).
    """

    epsilon: float
    delta: float
    bandwidth: float
    log_wealth: float = 0.0
    stake: float = 0.0
    newton: float = 1.0
    moment: float = 0.0
    norm: float = 0.0

    @property
    def tau(self) -> float:
        """Largest MMD under the claim."""
        return math.sqrt(2) * (1 - 2 * (1 - self.delta) / (1 + math.exp(self.epsilon)))

    def draws_to_reject(self, x: Array, y: Array) -> float:
        """Pairs of draws, rows of x and y, until the wealth is 1 / alpha; infinite if it never is.

        The witness is a sum over i of weights[i] (k(x_i, .) - k(y_i, .)).
        """
        weights = np.zeros(len(x))
        for t in range(len(x)):
            past = slice(0, t)
            value = float(weights[past] @ self._embedded(x, y, past, t)) if t else 0.0
            self._bet(value)
            if self.log_wealth >= math.log(1 / ALPHA):
                return t + 1
            self._ascend(weights, t, value, 2 - 2 * float(self._kernel(x[t : t + 1], y[t])[0]))
        return math.inf

    def _kernel(self, rows: Array, point: Array) -> Array:
        square = ((rows - point) ** 2).sum(axis=1)
        return np.asarray(np.exp(-square / (2 * self.bandwidth**2)))

    def _embedded(self, x: Array, y: Array, past: slice, t: int) -> Array:
        of_x = self._kernel(x[past], x[t]) - self._kernel(y[past], x[t])
        return of_x - self._kernel(x[past], y[t]) + self._kernel(y[past], y[t])

    def _bet(self, value: float) -> None:
        """Settle with the payoff f(X) - f(Y) - tau, then take a Newton step."""
        payoff = value - self.tau
        self.log_wealth += math.log1p(self.stake * payoff)
        slope = -payoff / (1 + self.stake * payoff)
        self.newton += slope**2
        step = 2 / (2 - math.log(3)) * slope / self.newton
        self.stake = min(max(self.stake - step, 0.0), 1 / (8 + 4 * self.tau))

    def _ascend(self, weights: Array, t: int, value: float, square: float) -> None:
        """Take a gradient step of size 1 / (2 sqrt(sum of squared norms)), and project."""
        self.moment += square
        step = 1 / (2 * math.sqrt(self.moment)) if self.moment > 0 else 0.0
        weights[t] = step
        self.norm = math.sqrt(max(self.norm**2 + 2 * step * value + step**2 * square, 0.0))
        if self.norm > 1:
            weights[: t + 1] /= self.norm
            self.norm = 1.0


@final
@dataclass(slots=True)
class SignedTest:
    """The signed test on cells.

    Parameters
    ----------
    epsilon, delta : float
        The claim.
    points : ndarray of float, shape (m, d)
        Places of the cells.
    median : float
        Unit of the bandwidths.
    """

    epsilon: float
    delta: float
    points: Array
    median: float
    counts: Array = field(init=False)
    log_wealth: Array = field(init=False)
    kernels: list[Array] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        d = distances(self.points, self.points)
        self.kernels = [np.exp(-d / (2 * (f * self.median) ** 2)) for f in BANDWIDTHS]
        self.counts = np.zeros((2, len(self.points)))
        self.log_wealth = np.zeros((4 * len(BANDWIDTHS), STAKES.size))

    def witnesses(self) -> Array:
        """Functions of the cells with values in [0, 1], shape (experts, m), from the past."""
        s, found = math.exp(self.epsilon), []
        for kernel in self.kernels:
            for arm in (0, 1):
                witness = np.maximum(kernel @ (self.counts[arm] - s * self.counts[1 - arm]), 0)
                found += [witness / max(float(witness.max()), 1e-300), (witness > 0) * 1.0]
        return np.array(found)

    def learn(self, x: NDArray[np.intp], y: NDArray[np.intp]) -> None:
        """Count the draws of both arms."""
        for row, cells in zip(self.counts, (x, y), strict=True):
            row += np.bincount(cells, minlength=row.size)

    def bet(self, x: NDArray[np.intp], y: NDArray[np.intp]) -> float:
        """Bet on a batch of cells; the first pair at which the wealth is 1 / alpha, or infinity."""
        s, f = math.exp(self.epsilon), self.witnesses()
        forward = np.tile([True, True, False, False], len(BANDWIDTHS))[:, None]
        payoff = np.where(forward, f[:, x] - s * f[:, y], f[:, y] - s * f[:, x]) - self.delta
        stakes = STAKES[:, None] / (s + self.delta)
        paths = self.log_wealth[..., None] + np.cumsum(
            np.log1p(stakes * payoff[:, None, :]), axis=2
        )
        self.log_wealth = paths[..., -1]
        self.learn(x, y)
        wealth = np.exp(np.minimum(paths, 500)).mean(axis=(0, 1))
        crossed = np.flatnonzero(wealth >= 1 / ALPHA)
        return float(crossed[0] + 1) if crossed.size else math.inf

    def draws_to_reject(
        self, x: NDArray[np.intp], y: NDArray[np.intp], *, first: int = 20, growth: float = 0.05
    ) -> float:
        """Pairs of draws until the wealth is 1 / alpha; witnesses are learned anew each batch."""
        start = 0
        while start < len(x):
            stop = min(start + max(first, int(growth * start)), len(x))
            crossed = self.bet(x[start:stop], y[start:stop])
            if crossed < math.inf:
                return start + crossed
            start = stop
        return math.inf
