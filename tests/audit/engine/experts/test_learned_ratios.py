"""What is learned of the ratios of cells: the sums over all cuts, and what they are good for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from audit.engine.experts.learned_ratios import LOG_SHARES, NO_PRIOR, RATIOS, Prior, _Nodes, learn
from tests.theorems.exact import Array


def slow_cuts(leaves: int, levels: int, pieces: Array) -> list[tuple[float, list[slice]]]:
    """All ways to cut so many leaves into pieces, with their prior probabilities."""
    whole = [slice(0, leaves)]
    if levels == 0:
        return [(1.0, whole)]
    stop = float(pieces[levels - 1])
    halves = slow_cuts(leaves // 2, levels - 1, pieces)
    cuts = [(stop, whole)]
    for p, left in halves:
        for q, right in halves:
            moved = [slice(s.start + leaves // 2, s.stop + leaves // 2) for s in right]
            cuts.append(((1 - stop) * p * q, left + moved))
    return cuts


def slow_weights(counts: Array, shares: Array, pieces: Array) -> tuple[Array, float]:
    """Of each leaf the probabilities of the ratios, summed over all cuts one by one.

    And the logarithm of the probability of all draws.
    """
    leaves, levels = counts.shape[1], len(pieces)
    total, weights = 0.0, np.zeros((leaves, RATIOS.size))
    for prior, cut in slow_cuts(leaves, levels, pieces):
        joint = [shares * np.exp(counts[:, s].sum(axis=1) @ LOG_SHARES) for s in cut]
        evidence = prior * np.prod([x.sum() for x in joint])
        total += evidence
        for piece, x in zip(cut, joint, strict=True):
            weights[piece] += evidence * x / x.sum()
    return weights / total, math.log(total)


@pytest.mark.parametrize("ordered", [8, 7, 5])
def test_one_pass_sums_over_all_cuts(ordered: int, dp_rng: np.random.Generator) -> None:
    """It must hold that the pass up and down is the sum over all cuts; other shares differ."""
    counts = dp_rng.integers(1, 9, (2, 8)).astype(float)
    counts[:, ordered:] = 0  # what the tree is filled up with
    shares = dp_rng.dirichlet(np.ones(RATIOS.size))
    pieces = np.array([0.3, 0.6, 0.8])
    nodes = _Nodes.of(counts[:, :ordered], ordered, np.arange(ordered))
    found = nodes.of_cells(nodes.weights(nodes.cut(shares, pieces)[0], shares))
    expected, likely = slow_weights(counts, shares, pieces)
    np.testing.assert_allclose(found, expected[:ordered], rtol=1e-9)
    assert log_likelihood(counts, shares, pieces) == pytest.approx(likely, abs=1e-9)
    other, _ = slow_weights(counts, shares, pieces * 0.99)
    assert np.abs(found / other[:ordered] - 1).max() > 1e-4


def log_likelihood(counts: Array, shares: Array, pieces: Array) -> float:
    """Of all draws, summed over the cuts from the root down."""
    own = counts.sum(axis=1) @ LOG_SHARES
    whole = own.max() + np.log(np.exp(own - own.max()) @ shares)
    if not len(pieces):
        return float(whole)
    middle = counts.shape[1] // 2
    halves = (counts[:, :middle], counts[:, middle:])
    halved = sum(log_likelihood(half, shares, pieces[:-1]) for half in halves)
    return float(np.logaddexp(whole + np.log(pieces[-1]), halved + np.log1p(-pieces[-1])))


def test_learning_makes_the_past_likelier(dp_rng: np.random.Generator) -> None:
    """It must hold that EM ends far above where it begins, and that more steps hardly matter."""
    p = np.repeat(dp_rng.dirichlet(np.ones(8)), 8) / 8
    q = p * np.repeat([1.0, 1, 3, 1, 1, 1, 3, 1], 8)
    counts = np.array([dp_rng.multinomial(3_000, law / law.sum()) for law in (p, q)], dtype=float)
    uniform = np.full(RATIOS.size, 1 / RATIOS.size)
    first = learn(counts, 64).prior
    more = learn(counts, 64, learn(counts, 64, first).prior).prior
    begins = log_likelihood(counts, uniform, np.full(6, 0.5))
    once, again = (log_likelihood(counts, x.shares, x.pieces) for x in (first, more))
    assert once > begins + 5
    assert abs(again - once) < 0.5


def test_names_in_two_classes_pool_their_evidence(dp_rng: np.random.Generator) -> None:
    """It must hold that ratios of many names come near two spikes, nearer than each name's own."""
    true = np.where(np.arange(400) % 3 == 0, 1.2, -0.5)
    total = dp_rng.poisson(40, 400)
    first = dp_rng.binomial(total, 1 / (1 + np.exp(-true)))
    counts = np.array([first, total - first], dtype=float)
    learned = learn(counts, 0)
    np.testing.assert_allclose(learned.weights.sum(axis=1), 1)
    pooled = learned.weights @ learned.ratios
    alone = np.log((counts[0] + 0.5) / (counts[1] + 0.5))
    assert np.abs(pooled - true).mean() < np.abs(alone - true).mean() / 2


def test_cells_without_an_order_may_come_in_any(dp_rng: np.random.Generator) -> None:
    """It must hold that names are learned alike in another order, and that values are not."""
    counts = dp_rng.poisson([[30.0], [20.0]], (2, 32)).astype(float)
    counts[0, :16] *= 2
    order = dp_rng.permutation(32)
    for ordered, alike in ((0, True), (32, False)):
        found, moved = learn(counts, ordered), learn(counts[:, order], ordered)
        differ = np.abs(found.shares[order] - moved.shares).max()
        assert (differ < 1e-9) == alike


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_any_counts_can_be_learned_from(size: int) -> None:
    """It must hold of one cell, of few, and of absurd counts."""
    for count in (0.0, 1.0, 1e6):
        counts = np.full((2, size), count)
        counts[0] *= np.arange(size) % 2
        for ordered in {0, size}:
            learned = learn(counts, ordered, learn(counts, ordered, NO_PRIOR).prior)
            functions = learned.functions(np.array([0.5, np.e, 1e80]))
            assert functions.shape == (2, 3, size)
            assert np.isfinite(functions).all()
            assert ((functions >= 0) & (functions <= 1)).all()


def test_trees_are_averaged(dp_rng: np.random.Generator) -> None:
    """It must hold that two trees say the mean of what each says, in any places of their leaves."""
    counts = dp_rng.poisson([[30.0] * 16, [20.0] * 6 + [45.0] * 10]).astype(float)
    places = dp_rng.permutation(16) + 8
    first = learn(counts, 16)
    moved = np.zeros((2, 32))
    moved[:, places] = counts
    second = learn(moved, 32, Prior(first.prior.shares, np.empty(0)))
    both = learn(counts, 16, trees=(places,))
    expected = (first.weights + second.weights[places]) / 2
    np.testing.assert_allclose(both.weights, expected, atol=1e-12)
    assert np.abs(both.weights - first.weights).max() > 1e-3
