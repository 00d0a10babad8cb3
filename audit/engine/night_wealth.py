"""Wealth that is carried from one night's run to the next (ENG-T3, ENG-T6).

A run that never ends a year of nights errs once in its stated rate; 365 runs that begin anew err
365 times in it: at 1e-3 a night the chance of a false alarm within a year is 1 - 0.999^365 = 31 %.
So the wealth against an unchanged target goes on: tonight's run multiplies into it, and the claim
is refuted when the product reaches 1/alpha, alpha being the rate of all nights together.

What a night is worth. Let W be the wealth at the claim at the end of a run, in whole batches. It
is a supermartingale that starts at 1 (T3), and a run ends where the past says so, hence E W <= 1.
The share r of the rate that is kept for a second run (see `rounds`) is money not bet, so

    E = (1 - r) W + r                    if the first run came to its end,
    E = r W'                             if it failed, W' the wealth of the second,

with mean at most (1 - r) + r = 1: what a failed first run had won is lost.

A batch that the deadline cuts is another matter: how long draws take may depend on what they are,
so to leave a batch out for its length is to choose by what it showed. A run that is carried starts
no batch that may not end in time (`night_run.fits` looks at the past only). Where one is cut all
the same, everything that the run has bet is lost: then W = 0, and the night is worth the money not
bet. What decides that may be anything, since W is only made smaller. (No value of a run that was
cut can be added for nothing: where just the losing batches are cut, those that win are already
worth 1.)

The nights together. The draws of each night are fresh, so given all nights before, E_t has mean at
most 1 under the claim, and for every j the product of E_j, ..., E_t is a supermartingale in t that
starts at 1. A mean of them with weights w_j that sum to 1, those not yet begun counting 1, is one
as well, and by Ville's inequality it ever reaches 1/alpha with probability at most alpha:

    M_t = S_t + c_t,   S_t = (S_(t-1) + w_t) E_t,   c_t = 1 - w_1 - ... - w_t = 0.2 / sqrt(t).

The first product has weight 0.8. The later ones cost a fifth, which is 3 % more draws at 1e-3, and
keep a long time in which nothing is found from using up the wealth: at its claim, a night of 2,000
draws of a Laplace mechanism loses a third of what is bet (mean of log E: -0.38), so a hundred
nights leave e^-38 of a plain product, and 3e-4 here.

Nothing of this needs the hash of the target. If the claim held every night, of whatever was
audited then, M is a supermartingale; the hash is there so that what an old version showed is not
held against a new one. Nor does the power statement of a run look at M: it is that of a run which
begins anew, and a violation of an unchanged target has had all nights to show.

All points of the grid of nested claims are carried, each as a claim of its own (T4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Carried", "kept_back", "night_value", "weight"]

Array = NDArray[np.float64]

LATER_WEIGHT = 0.2
"""Of all products together that begin after the first night."""

LOG_NOTHING = -700.0
"""What a file can hold for the logarithm of 0; far below what rounding does to a mean of 1."""


def kept_back(nights: int) -> float:
    """Weight c_t of the products that have not begun after so many nights."""
    return LATER_WEIGHT / math.sqrt(nights) if nights else 1.0


def weight(night: int) -> float:
    """Weight w_t of the product that begins with a night, counted from 1."""
    return kept_back(night - 1) - kept_back(night)


@final
@dataclass(frozen=True, slots=True)
class Carried:
    """What earlier nights have left, at the beginning of one.

    Parameters
    ----------
    log_invested : tuple of float
        Logarithm of S at each point of the grid; empty before the first night.
    rejected : tuple of bool
        Points that some night has refuted.
    nights : int
        How many there were.
    """

    log_invested: tuple[float, ...] = ()
    rejected: tuple[bool, ...] = ()
    nights: int = 0

    def has_rejected(self, point: int) -> bool:
        """Whether a point was refuted before tonight: it stays so."""
        return bool(self.rejected) and self.rejected[point]

    def staked(self, points: int) -> Array:
        """Logarithm of what tonight multiplies, shape (G,)."""
        fresh = np.full(points, math.log(weight(self.nights + 1)))
        if not self.nights:
            return fresh
        return np.asarray(np.logaddexp(np.array(self.log_invested), fresh))

    def levels(self, alphas: Array, share: float, idle: float) -> Array:
        """Error rate of a run of tonight that refutes where all nights together do.

        Parameters
        ----------
        alphas : ndarray of float, shape (G,)
            Of all nights together.
        share, idle : float
            A run whose wealth is W makes the night worth share * W + idle.

        Returns
        -------
        ndarray of float, shape (G,)
            W reaches the inverse of this where M reaches 1 / alpha; at most 1.
        """
        left = (1 / alphas - kept_back(self.nights + 1)) * np.exp(-self.staked(alphas.size))
        return np.asarray(np.minimum(1.0, share / np.maximum(left - idle, share)))

    def after(self, log_value: Sequence[float], rejected: Sequence[bool]) -> Carried:
        """What is left after tonight.

        Parameters
        ----------
        log_value : sequence of float, shape (G,)
            Logarithms of tonight's e-values.
        rejected : sequence of bool, shape (G,)
            Points that are refuted now.
        """
        invested = self.staked(len(log_value)) + np.array(log_value)
        return Carried(tuple(invested.tolist()), tuple(map(bool, rejected)), self.nights + 1)

    def log_wealth(self, point: int) -> float:
        """Logarithm of M at a point of the grid."""
        if not self.nights:
            return 0.0
        return float(np.logaddexp(self.log_invested[point], math.log(kept_back(self.nights))))


def night_value(log_wealth: Array, share: float, idle: float) -> Array:
    """Logarithm of share * W + idle, at least `LOG_NOTHING`."""
    bet = math.log(share) + log_wealth
    value = bet if idle == 0 else np.logaddexp(bet, math.log(idle))
    return np.asarray(np.maximum(value, LOG_NOTHING))
