"""Exact means of bets: over the worst pair that satisfies a claim, and over all counts.

A claim that lines support is a polytope of pairs (P, Q): P(S) <= s Q(S) + t for every event S and
line. The largest E_P a + E_Q b over it is a linear program, so no event or pair is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

Array = NDArray[np.float64]
Lines = Sequence[tuple[float, float]]

ROUNDING = 1e-7
"""Of the linear program, whose constraints hold to 1e-9 each."""

quarter = settings(max_examples=max(5, settings().max_examples // 4))
"""Examples of a test whose examples take long: a quarter of the profile's."""


def worst_pair(
    a: Array, b: Array, lines: Lines, *, one_way: bool = False
) -> tuple[float, Array, Array]:
    """Largest E_P a + E_Q b under a claim, and P and Q where it is attained.

    Parameters
    ----------
    a, b : ndarray of float, shape (K,)
        Payoffs by cell on the data and on the neighbor.
    lines : sequence of (s, t)
        The claim; of one that holds one way the neighbor's probabilities are bounded.
    """
    size = len(a)
    unit = np.eye(size)
    # the sum of the positive parts of P - s Q is the largest P(S) - s Q(S)
    parts = [(s, t, arm) for s, t in lines for arm in ((1,) if one_way else (0, 1))]
    width = size * (2 + len(parts))
    rows, limits = [], []
    for place, (s, t, arm) in enumerate(parts):
        excess = np.zeros((size, width))
        excess[:, arm * size : (arm + 1) * size] = unit / s
        excess[:, (1 - arm) * size : (2 - arm) * size] = -unit
        own = slice(size * (2 + place), size * (3 + place))
        excess[:, own] = -unit / s
        total = np.zeros((1, width))
        total[0, own] = 1.0
        rows += [excess, total]
        limits += [np.zeros(size), np.array([t])]
    sums = np.zeros((2, width))
    sums[0, :size] = sums[1, size : 2 * size] = 1.0
    found = linprog(
        -np.concatenate([a, b, np.zeros(width - 2 * size)]),
        A_ub=np.concatenate(rows),
        b_ub=np.concatenate(limits),
        A_eq=sums,
        b_eq=np.ones(2),
        bounds=(0, 1),
    )
    assert found.status == 0, found.message
    p, q = (np.maximum(x, 0) for x in (found.x[:size], found.x[size : 2 * size]))
    return -float(found.fun), p / p.sum(), q / q.sum()


def all_counts(size: int, draws: int) -> tuple[Array, Array]:
    """Every vector of counts of so many draws, shape (C, K), and its number of orders, (C,)."""
    drawn = list(combinations_with_replacement(range(size), draws))
    counts = np.array([np.bincount(cells, minlength=size) for cells in drawn], dtype=float)
    orders = [math.factorial(draws) / math.prod(map(math.factorial, c)) for c in counts.astype(int)]
    return counts, np.array(orders)


def table(log_e: Callable[[Array], Array], size: int, draws: int) -> tuple[Array, Array, Array]:
    """E-values of all counts of both arms, (C, C, ...), and what `mean` needs besides."""
    counts, orders = all_counts(size, draws)
    values = [[np.exp(log_e(np.stack([arm, other]))) for other in counts] for arm in counts]
    return np.array(values), counts, orders


def mean(values: tuple[Array, Array, Array], p: Array, q: Array) -> Array:
    """Exact mean of the e-value of a table over independent draws from P and Q."""
    e_values, counts, orders = values
    on_data, on_neighbor = (orders * np.prod(law**counts, axis=1) for law in (p, q))
    return np.asarray(np.einsum("i,j,ij...->...", on_data, on_neighbor, e_values))


@st.composite
def pasts(draw: st.DrawFn, largest_size: int = 4) -> tuple[Array, int]:
    """Counts of a past by half, arm and cell, absurd ones too, and how many cells are ordered."""
    size = draw(st.integers(2, largest_size))
    draws = draw(st.integers(1, 12))
    cells = st.lists(st.integers(0, size - 1), min_size=draws, max_size=draws)
    counts = [np.bincount(draw(cells), minlength=size) for _ in range(4)]
    scale = draw(st.sampled_from([1, 30, 100_000]))
    past = scale * np.array(counts, dtype=float).reshape(2, 2, size)
    return past, draw(st.integers(0, size))


def laws(size: int) -> st.SearchStrategy[Array]:
    """Probabilities of the cells, zeros among them."""
    weights = st.lists(st.integers(0, 20), min_size=size, max_size=size).filter(any)
    return weights.map(lambda w: np.array(w, dtype=float) / sum(w))
