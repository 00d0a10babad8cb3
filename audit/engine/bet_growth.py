"""Bets on the probability of an event under two data sets (ENG-T1, ENG-T3).

Setting: draws are independent within an arm and between the arms, and everything chosen before a
batch is a function of the batches before it.

T1. Let the claim be P(S) <= s Q(S) + t for all S. For any event S, any q0 in [0, 1] with
p0 = s q0 + t, and any mu >= 0 with

    a = 1 + mu (1_S - p0) >= 0    and    b = 1 - s mu (1_S - q0) >= 0,

E a(X) E b(Y) = (1 + mu (p - p0)) (1 - mu s (q - q0)) <= 1, for p - p0 <= s (q - q0) = w under the
claim and (1 + mu w)(1 - mu w) <= 1. The product over m draws of *each* arm therefore has mean at
most 1, whatever the order of the draws: the counts of S suffice. Unequal arms break it.

T3. Products over batches of such e-values, with predictable weights, events and mu, are
non-negative supermartingales under the claim, so by Ville's inequality they ever reach 1/alpha
with probability at most alpha.

Nothing here depends on how good the estimates are: q0 and mu only decide the power. Arrays are
broadcast; the last axis runs over the grid of nested claims.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CLIP",
    "EFFECTS",
    "LARGEST_STAKE",
    "SMALLEST",
    "boundary_point",
    "effect_evidence",
    "log_e_value",
    "mixture",
    "stakes",
    "within_reach",
    "z_score",
]

Array = NDArray[np.float64]

CLIP = 0.995
"""Share of the largest admissible mu that a bet may use: no factor ever reaches 0."""

LARGEST_STAKE = 0.8
"""Share of the largest admissible mu that an account stakes on one event."""

EFFECTS: Array = 10.0 ** np.arange(-5.0, -0.2, 0.5)
"""Growth per draw of each arm that the accounts of the experts aim at."""

SMALLEST = 1e-300
"""What a variance of 0 is replaced by where something is divided by it."""
LOWEST_GAP = -20.0
"""In standard errors; of less, only rounding would be left in the weights."""
_NEWTON_STEPS = 7


def boundary_point(p: Array, q: Array, s: Array, t: Array) -> Array:
    """Return q0 of the point (s q0 + t, q0) of the line nearest to (p, q) in Kullback-Leibler.

    The root of s (p0 - p) / (p0 (1 - p0)) + (q0 - q) / (q0 (1 - q0)) = 0: the growth-optimal
    product bet against the line is the likelihood ratio of (p, q) to this point, and there b's
    coefficient is s times a's, as T1 asks. For t = 0 the equation is a quadratic; otherwise Newton
    steps start at the normal approximation. Only power depends on how exactly it is solved. With
    t = 1 the claim allows everything, and its only point is p0 = 1.
    """
    p, q, s, t = np.broadcast_arrays(p, q, s, t)
    quarter, product = 0.25 * (1 + s + p + s * q) / s, 0.5 * (p + q) / s
    root = product / (quarter + np.sqrt(np.maximum(quarter**2 - product, 0.0)))
    curved = (t > 0) & (t < 1)
    if curved.any():
        root = np.array(root)
        root[curved] = _newton(p[curved], q[curved], s[curved], t[curved])
    largest = (1 - t) / s
    return np.clip(root, 1e-12 * largest, (1 - 1e-12) * largest)


def _newton(p: Array, q: Array, s: Array, t: Array) -> Array:
    on_line = np.clip((p - t) / s, 0.0, (1 - t) / s)
    lower = np.maximum(np.minimum(q, on_line), 1e-12 * (1 - t) / s)
    upper = np.maximum(np.minimum(np.maximum(q, on_line), (1 - 1e-9) * (1 - t) / s), lower)
    variance, other = p * (1 - p), s**2 * q * (1 - q)
    q0 = q + other * (p - s * q - t) / (s * (variance + other))
    for _ in range(_NEWTON_STEPS):
        q0 = np.clip(q0, lower, upper)
        p0 = s * q0 + t
        v, w = p0 * (1 - p0), q0 * (1 - q0)
        a, b = (p0 - p) / v, (q0 - q) / w
        slope = s**2 * (1 - a * (1 - 2 * p0)) / v + (1 - b * (1 - 2 * q0)) / w
        q0 = q0 - (s * a + b) / slope
    return np.clip(q0, lower, upper)


def stakes(p: Array, q: Array, s: Array, t: Array) -> tuple[Array, Array, Array]:
    """Return (p0, q0, mu): the edge point nearest to (p, q), and the accounts' stakes.

    An account that aims at the growth K has mu = sqrt(2 K / V), V the variance of a draw of each
    arm at the edge, or the largest admissible one; mu has a leading axis of accounts.
    """
    q0 = boundary_point(p, q, s, t)
    p0 = s * q0 + t
    variance = np.maximum(p0 * (1 - p0) + s**2 * q0 * (1 - q0), SMALLEST)
    largest = LARGEST_STAKE * np.minimum(1 / p0, 1 / (s * (1 - q0)))
    effects = EFFECTS.reshape((-1,) + (1,) * variance.ndim)
    return p0, q0, np.minimum(np.sqrt(2 * effects / variance), largest)


def effect_evidence(z: Array, draws: Array | float) -> Array:
    """Logarithm of the evidence for a violation of each account's size over none.

    z z_K - z_K^2 / 2 with z_K = sqrt(2 n K), for a gap of z standard errors in n draws of each
    arm; a gap below 0 speaks as much for itself. The result has a leading axis of accounts.
    """
    expected = np.sqrt(2 * draws * EFFECTS.reshape((-1,) + (1,) * z.ndim))
    return np.asarray(z * expected - expected**2 / 2 - np.clip(z, LOWEST_GAP, 0.0) ** 2 / 2)


def within_reach(da: Array, db: Array, axis: int) -> Array:
    """Share of a bet a = 1 + da, b = 1 + db that leaves all factors along an axis positive."""
    lowest = np.minimum(da.min(axis=axis), db.min(axis=axis))
    return np.asarray(np.minimum(1.0, CLIP / np.maximum(-lowest, SMALLEST)))


def z_score(p: Array, q: Array, n: Array, s: Array, t: Array) -> Array:
    """Estimated gap p - s q - t in standard errors, from n draws of each arm."""
    variance = p * (1 - p) + s**2 * q * (1 - q)
    return np.asarray((p - s * q - t) / np.sqrt(variance / n))


def log_e_value(
    hits: Array, other_hits: Array, size: int, q0: Array, mu: Array, s: Array, t: Array
) -> Array:
    """Logarithm of the e-value of `size` draws of each arm, `hits` and `other_hits` in S (T1)."""
    p0 = s * q0 + t
    return np.asarray(
        hits * np.log1p(mu * (1 - p0))
        + (size - hits) * np.log1p(-mu * p0)
        + other_hits * np.log1p(-s * mu * (1 - q0))
        + (size - other_hits) * np.log1p(s * mu * q0)
    )


def mixture(log_values: Array, weights: Array) -> Array:
    """Logarithm of the weighted mean of e-values along the first axis."""
    top = log_values.max(axis=0)
    shape = (-1,) + (1,) * (log_values.ndim - 1)
    return np.asarray(top + np.log((weights.reshape(shape) * np.exp(log_values - top)).sum(axis=0)))
