"""Finite laws: products of bits, and the least epsilon at a delta."""

from __future__ import annotations

import math

import numpy as np

from mechanisms.corpus.vectors import Vector

__all__ = ["bits_law", "bits_loss", "least_epsilon_of"]


def bits_law(ones: Vector) -> Vector:
    """Law of independent bits with these probabilities of a 1; the first is the lowest digit."""
    law = np.ones(1)
    for p in ones:
        law = np.concatenate([law * (1 - p), law * p])
    return law


def bits_loss(ones: Vector, other: Vector) -> float:
    """Largest ln P(z) / Q(z) of independent bits with these probabilities of a 1."""
    ratios = np.maximum(np.log(ones / other), np.log((1 - ones) / (1 - other)))
    return float(ratios.sum())


def least_epsilon_of(p: Vector, q: Vector, delta: float = 0) -> float:
    """Return the least epsilon >= 0 with P(S) <= e^epsilon Q(S) + delta for all S.

    Only the prefixes of the order of P / Q matter: the largest ln((P(S) - delta) / Q(S)).
    """
    order = np.argsort(-p / q)
    excess, mass = np.cumsum(p[order]) - delta, np.cumsum(q[order])
    worst = float((excess / mass).max())
    return math.log(worst) if worst > 1 else 0.0
