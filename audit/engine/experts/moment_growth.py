"""The bet on tables of payoffs that grows most, for many tables at a time (ENG-T5b)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["factors_of", "largest_growth"]

Array = NDArray[np.float64]

LEAST_FACTOR = 0.005
LARGEST_STAKE = 1e6
"""A larger m would multiply the rounding of payoffs that are nearly constant into a gain."""

NEWTON_STEPS = 25
SMALLEST_GAIN = 1e-9
"""Of growth, for one draw: what a Newton step must promise."""

SHRINK = 1.0
"""Standard errors of the payoffs' mean by which the claim is taken to be larger."""


def largest_growth(
    p: Array, q: Array, u: Array, v: Array, bound: Array, n: float
) -> tuple[Array, Array, Array]:
    """Growth, A and m of the bets a = A + m u, b = 2 - m M - A + m v that grow most.

    They are made against a claim that is larger by the standard error of the payoffs; no bet (A =
    1, m = 0) where the payoffs are not above that.

    Parameters
    ----------
    p, q, u, v : ndarray of float, shape (B, K)
        Estimates of P and Q, and the payoffs of the cells on them.
    bound : ndarray of float, shape (B, G)
        M, infinite where nothing is claimed.
    n : float
        Draws of each arm that the estimates come from.

    Returns
    -------
    growth, A, m : ndarray of float, shape (B, G)
    """
    growth, al, m = np.zeros(bound.shape), np.ones(bound.shape), np.zeros(bound.shape)
    mean = (p * u).sum(axis=1), (q * v).sum(axis=1)
    variance = (p * u**2).sum(axis=1) - mean[0] ** 2 + (q * v**2).sum(axis=1) - mean[1] ** 2
    spread = np.sqrt(np.maximum(variance, 0.0) / n)[:, None]
    larger = bound + SHRINK * spread
    row, point = np.nonzero(np.isfinite(bound) & ((mean[0] + mean[1])[:, None] > larger))
    if not row.size:
        return growth, al, m
    p, q, u, v, bound = p[row], q[row], u[row], v[row], bound[row, point]
    found, stake = _newton(p, q, u, v, larger[row, point])
    # what the bet is really made against, a smaller bound, leaves b larger
    a, b = factors_of(u, v, bound[:, None], found[:, None], stake[:, None])
    valid = (b > 0).all(axis=1) & (stake < LARGEST_STAKE)
    log_growth = (np.log(a) * p).sum(axis=1) + (np.log(np.where(b > 0, b, 1.0)) * q).sum(axis=1)
    row, point = row[valid], point[valid]
    growth[row, point], al[row, point], m[row, point] = (
        x[valid] for x in (log_growth, found, stake)
    )
    return growth, al, m


def factors_of(u: Array, v: Array, bound: Array, al: Array, m: Array) -> tuple[Array, Array]:
    """Return a = A + m u and b = 2 - m M - A + m v; M may be infinite where nothing is staked."""
    return al + m * u, np.asarray(2 - m * np.where(m > 0, bound, 0.0) - al + m * v)


def _newton(p: Array, q: Array, u: Array, v: Array, bound: Array) -> tuple[Array, Array]:
    """A and m that maximize the growth of each row, by damped Newton steps."""
    al, m = np.ones(bound.size), np.zeros(bound.size)
    w = v - bound[:, None]
    active = np.arange(bound.size)
    for _ in range(NEWTON_STEPS):
        step_al, step_m, gain = _newton_step(p, q, u, w, al[active], m[active])
        al[active] += step_al
        m[active] += step_m
        goes_on = gain >= SMALLEST_GAIN
        if not goes_on.any():
            break
        if not goes_on.all():
            active = active[goes_on]
            p, q, u, w = (x[goes_on] for x in (p, q, u, w))
    return al, np.maximum(m, 0.0)


def _newton_step(
    p: Array, q: Array, u: Array, w: Array, al: Array, m: Array
) -> tuple[Array, Array, Array]:
    """Changes of A and m, cut so that all factors stay positive, and the growth they promise."""
    a = al[:, None] + m[:, None] * u
    b = 2 - al[:, None] + m[:, None] * w
    pa, qb = p / a, q / b
    pua, qwb = pa * u, qb * w
    ga, gm = (pa - qb).sum(axis=1), (pua + qwb).sum(axis=1)
    haa = (pa / a + qb / b).sum(axis=1)
    ham = (pua / a - qwb / b).sum(axis=1)
    hmm = (pua * u / a + qwb * w / b).sum(axis=1)
    det = np.maximum(haa * hmm - ham**2, 1e-300)
    da, dm = (hmm * ga - ham * gm) / det, (haa * gm - ham * ga) / det
    step = np.ones(al.size)
    for value, change in (
        (a, da[:, None] + dm[:, None] * u),
        (b, -da[:, None] + dm[:, None] * w),
    ):
        falls = change < 0
        room = np.where(falls, (value - LEAST_FACTOR) / np.where(falls, -change, 1.0), 9.0)
        step = np.minimum(step, 0.9 * np.maximum(room.min(axis=1), 0.0))
    return step * da, step * dm, step * (ga * da + gm * dm)
