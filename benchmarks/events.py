"""Samplers of one event that violates: its shape, and its probability on either data set.

What lies outside of the event has the same law on both data sets, and what lies inside too, so that
the loss of a pair is that of its event. First class: one coordinate; a single value, a tail, one
interval. Second class: a union of intervals, a box or a checkerboard of two coordinates, alone or
among ten, residues of an integer. No statement is made of others.

Only the order of values matters to the engine, so an interval's width is none of its properties;
its place is the share of the other values that lies below it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FIRST_CLASS", "SECOND_CLASS", "event_sampler"]

Array = NDArray[np.float64]

FIRST_CLASS = ("atom", "tail", "interval at .3", "interval at .7", "interval beside an atom")
UNIONS = {"2 intervals": 2, "3 intervals": 3, "5 intervals": 5}
PLANES = {
    "box in 2 of 2": (2, (0, 1)),
    "box in 2 of 10": (10, (2, 6)),
    "checkerboard in 2 of 2": (2, (0, 1)),
    "checkerboard in 2 of 10": (10, (2, 6)),
}
"""Number of coordinates, and the two of the event."""
RESIDUES = {"residue mod 3": (3, 1), "residue mod 10": (10, 3), "residue mod 256": (256, 16)}
"""Modulus, and how many residues, from 0 on, are the event."""
SECOND_CLASS = (*UNIONS, *PLANES, *RESIDUES)

WIDTH = 0.1
ATOM = 0.25
"""Probability, outside the event, of the atom that the last shape has at the event's lower end."""
CORNER = np.array([0.43, 0.28])
"""Lower corner of a box, in shares of the room that its side leaves: on no grid of halves."""
LARGEST = 10**6
"""Of the quotients of an integer by its modulus."""


def event_sampler(shape: str, p: float, q: float) -> Any:
    """Draw outputs with an event of probability p on data set 0 and q on the other."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        inside = rng.random(size) < (p if data == 0 else q)
        if shape in UNIONS:
            return _union(inside, UNIONS[shape], rng)
        if shape in PLANES:
            return _plane(inside, shape, p, rng)
        if shape in RESIDUES:
            return _residues(inside, *RESIDUES[shape], rng)
        return _interval(inside, shape, rng)

    return draw


def _interval(inside: NDArray[np.bool_], shape: str, rng: np.random.Generator) -> Array:
    """One coordinate in [0, 1): an interval of width 0.1, or the value in its middle."""
    size = len(inside)
    below = {"tail": 0.0, "interval at .7": 0.7}.get(shape, 0.3)
    place = below * (1 - WIDTH)
    outside = rng.random(size) * (1 - WIDTH)
    outside = np.where(outside < place, outside, outside + WIDTH)
    if shape == "interval beside an atom":
        outside = np.where(rng.random(size) < ATOM, place, outside)
    event = np.full(size, place + WIDTH / 2)
    if shape != "atom":
        event = place + WIDTH * rng.random(size)
    return np.where(inside, event, outside)


def _union(inside: NDArray[np.bool_], pieces: int, rng: np.random.Generator) -> Array:
    """One coordinate in [0, 1): in each of some equal parts the first tenth is the event."""
    size = len(inside)
    part = np.floor(pieces * rng.random(size))
    within = np.where(inside, WIDTH * rng.random(size), WIDTH + (1 - WIDTH) * rng.random(size))
    return np.asarray((part + within) / pieces)


def _plane(inside: NDArray[np.bool_], shape: str, mass: float, rng: np.random.Generator) -> Array:
    """Uniform coordinates; a square of area `mass`, or the pairs in different halves of [0, 1)."""
    size = len(inside)
    columns, place = PLANES[shape]
    outputs = rng.random((size, columns))
    if shape.startswith("checkerboard"):
        first, second = (outputs[:, i] < 0.5 for i in place)
        mirrored = (first != second) != inside
        outputs[mirrored, place[1]] = 1 - outputs[mirrored, place[1]]
        return outputs
    side = np.sqrt(mass)
    corner = CORNER * (1 - side)
    while True:  # whoever should lie outside and does not is drawn again
        where = outputs[:, place]
        wrong = ((where >= corner) & (where < corner + side)).all(axis=1) & ~inside
        if not wrong.any():
            break
        outputs[np.ix_(wrong, place)] = rng.random((int(wrong.sum()), 2))
    outputs[np.ix_(inside, place)] = corner + side * rng.random((int(inside.sum()), 2))
    return outputs


def _residues(
    inside: NDArray[np.bool_], modulus: int, few: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    size = len(inside)
    rest = np.where(inside, rng.integers(0, few, size), rng.integers(few, modulus, size))
    return np.asarray(modulus * rng.integers(0, LARGEST, size) + rest)
