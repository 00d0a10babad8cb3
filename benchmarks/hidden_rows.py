"""Rows 23 to 31 of the power benchmark: strong violations, and events that no single cut shows.

A data set is 0 or 1, the claim 1 and the true loss as named, unless said otherwise. Mechanisms and
their constants stand here, the exact laws of their outputs in `benchmarks.hidden_laws`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BOX",
    "KEPT_BIT",
    "NAMES",
    "PIECE",
    "STRIPE",
    "box",
    "checker",
    "leak",
    "mod7",
    "name_weights",
    "names",
    "response_of_3",
    "six",
    "stripes",
]

Array = NDArray[np.float64]

KEPT_BIT = math.exp(1.3) / (1 + math.exp(1.3))
"""Probability that stripes and the checkerboard keep the record's bit: a loss of 1.3."""

STRIPE, SPREAD = 1.6, 4.0
"""Width of a stripe, and standard deviation of what is cut into stripes."""

PIECES, PIECE, PIECES_MASS, PIECES_LOSS = 6, 0.02, 0.12, 1.6
"""Intervals [k / 6, k / 6 + .02), and what they lose together."""

BOX = (0.45, 0.35, 0.158)
"""Center and half side of a square of the unit square."""
BOX_MASS, BOX_LOSS = 0.1, 1.6

MODULUS, LOW_RESIDUES, LOW_MASS, RESIDUE_LOSS = 7, 3, 0.5, 1.3
QUOTIENTS = 40_000

NAMES, DECAY = 150, 0.9
"""Number of labels; label i has weight 1 / (i + 3)^.9 before the neighbor's factors."""


def leak(data: Any, size: int, rng: np.random.Generator) -> Array:
    """The record, plus a number of at most 0.4."""
    return float(data) + 0.4 * rng.random(size)


def response_of_3(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """One bit, kept with probability e^3 / (1 + e^3)."""
    kept = rng.random(size) < math.exp(3) / (1 + math.exp(3))
    return np.where(kept, int(data), 1 - int(data))


def _kept_bit(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.where(rng.random(size) < KEPT_BIT, int(data), 1 - int(data))


def stripes(data: Any, size: int, rng: np.random.Generator) -> Array:
    """A stripe of the line, in the half of it that the kept bit says."""
    cell = np.floor(SPREAD * rng.normal(size=size) / STRIPE)
    bit = _kept_bit(data, size, rng)
    return np.asarray((cell + 0.5 * bit + 0.5 * rng.random(size)) * STRIPE)


def six(data: Any, size: int, rng: np.random.Generator) -> Array:
    """A number in [0, 1): in one of six short intervals, or uniform outside of them."""
    mass = PIECES_MASS * (math.exp(-PIECES_LOSS) if data == 1 else 1.0)
    inside = rng.random(size) < mass
    rest = 1 / PIECES - PIECE
    within = np.where(inside, PIECE * rng.random(size), PIECE + rest * rng.random(size))
    return np.asarray(rng.integers(0, PIECES, size) / PIECES + within)


def box(data: Any, size: int, rng: np.random.Generator) -> Array:
    """A point of the unit square: in a square, or uniform outside of it."""
    x, y, half = BOX
    low, high = np.array([x - half, y - half]), np.array([x + half, y + half])
    mass = BOX_MASS * (math.exp(-BOX_LOSS) if data == 1 else 1.0)
    inside = rng.random(size) < mass
    points = low + 2 * half * rng.random((size, 2))
    wrong = ~inside
    while wrong.any():  # drawn again until it lies outside
        points[wrong] = rng.random((int(wrong.sum()), 2))
        wrong = ~inside & ((points >= low) & (points < high)).all(axis=1)
    return points


def checker(data: Any, size: int, rng: np.random.Generator) -> Array:
    """Three uniform numbers; whether the first and third lie in different halves is a kept bit."""
    outputs = rng.random((size, 3))
    different = (outputs[:, 0] < 0.5) ^ (outputs[:, 2] < 0.5)
    mirrored = different != (_kept_bit(data, size, rng) == 1)
    outputs[mirrored, 2] = 1 - outputs[mirrored, 2]
    return outputs


def mod7(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """A large multiple of 7, plus a rest: below 3 more often without the record than with it."""
    mass = LOW_MASS * (math.exp(-RESIDUE_LOSS) if data == 1 else 1.0)
    low = rng.integers(0, LOW_RESIDUES, size)
    high = rng.integers(LOW_RESIDUES, MODULUS, size)
    rest = np.where(rng.random(size) < mass, low, high)
    return np.asarray(MODULUS * rng.integers(0, QUOTIENTS, size) + rest)


def name_weights(data: Any) -> Array:
    """Probabilities of the labels: on 1 every fourth is likelier, every fourth less likely."""
    i = np.arange(NAMES)
    weights = 1 / (i + 3) ** DECAY
    if data == 1:
        weights = weights * np.select([i % 4 == 0, i % 4 == 2], [math.exp(0.8), math.exp(-0.5)], 1)
    return np.asarray(weights / weights.sum())


LABELS = np.array([f"name {i:03}" for i in range(NAMES)])


def names(data: Any, size: int, rng: np.random.Generator) -> NDArray[np.str_]:
    """One of 150 labels."""
    return LABELS[rng.choice(NAMES, size, p=name_weights(data))]
