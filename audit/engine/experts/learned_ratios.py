"""Log ratios of two arms by cell, learned from counts.

Of a cell with the log ratio r = log(P / Q) a draw of either arm is the first arm's with probability
e^r / (1 + e^r), so x and y draws of the two arms speak for r by e^(r x) / (1 + e^r)^(x + y). Two
things are not known: which ratios there are, and which cells have the same one.

*Ratios.* The maximum-likelihood prior of the ratios of all cells, on a grid, by EM (Kiefer and
Wolfowitz, 1956). Many cells with few different ratios pool their evidence: the prior becomes as
many spikes as there are ratios. Cells without an order (names in classes) have nothing else.

*Pieces.* Ordered cells are halved again and again; each node of the tree is a piece, all of whose
cells have one ratio drawn from the prior, or is halved. Sums over all ways to cut (the context
trees of Willems, Shtarkov and Tjalkens, 1995) take one pass up the tree and one down, and the share
of pieces on each level is estimated as well. An interval that fine cells cut in many is a few
pieces, and so is a box where halves of the order are halves of either coordinate; a smooth ratio is
cut as finely as the draws are worth. What halves cut through in one tree need not be cut in
another, so the cells may have several, and what they say is averaged. (Weights by how likely a tree
makes the past were worse: the mean is also smoother.)

Nothing here decides validity: whatever is learned from the past, `ratio_bets` makes an e-value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

__all__ = ["NO_PRIOR", "Learned", "Prior", "learn"]

Array = NDArray[np.float64]

RATIOS: Array = np.linspace(-5.0, 5.0, 51)
"""Log ratios that the prior is on. Between two of them a spike is split, and then moved."""

LOG_SHARES: Array = -np.logaddexp(0, np.stack([-RATIOS, RATIOS]))
"""Logarithm of the probability that a draw is the first arm's, or the second's."""

FIRST_CUTS, NEXT_CUTS, STEPS = 8, 3, 5
"""How often the pieces are weighed anew, beginning with the uniform prior or with that of fewer
draws, and EM steps of the prior each time: they decide time and power, no validity. With (8, 2, 4),
(8, 2, 2) and (8, 1, 4) an interval of an eighth and stripes are learned later (the growth of bets
on 64 and 256 cells), with 101 ratios nothing is learned earlier, at 1.5 times the time."""

UNIFORM = 0.001
"""Share of the uniform prior that is mixed in: a ratio without a share would never get one."""

MOVED_BEFORE = 1.0
"""Draws that each of the grid's ratios has had before, in its own shares."""

PIECES_BEFORE = 1.0
"""Nodes of each level that were pieces, and as many that were halved, before any was seen."""


@final
@dataclass(frozen=True, slots=True)
class Prior:
    """What EM begins with.

    Parameters
    ----------
    shares : ndarray of float, shape (R,)
        Of the grid's ratios; empty for none.
    pieces : ndarray of float, shape (levels,)
        Share of the nodes of each level above the leaves that are pieces, the root's last.
    """

    shares: Array
    pieces: Array


NO_PRIOR = Prior(np.empty(0), np.empty(0))
"""Before anything was learned."""


@final
@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned of the ratios of K cells.

    Parameters
    ----------
    ratios : ndarray of float, shape (R,)
        Near those of the grid.
    weights : ndarray of float, shape (K, R)
        Of each cell the probabilities of these ratios.
    prior : Prior
        For the next time.
    """

    ratios: Array
    weights: Array
    prior: Prior

    @property
    def shares(self) -> Array:
        """Probability that a draw of a cell is the first arm's, shape (K,)."""
        return np.asarray(self.weights @ (1 / (1 + np.exp(-self.ratios))))

    def functions(self, slopes: Array) -> Array:
        """max(0, E u_s(r)) and max(0, E u_s(-r)) of each cell, shape (2, M, K).

        Parameters
        ----------
        slopes : ndarray of float, shape (M,)
            The claims' s. u_s(r) = (1 - s e^-r) / (1 + e^-r) is, up to its scale, the bet on the
            first arm's draws that grows most against P <= s Q where the ratio is r.
        """
        share = 1 / (1 + np.exp(-np.stack([self.ratios, -self.ratios])))[:, None]
        gain = share - slopes[:, None] * (1 - share)
        return np.maximum(gain @ self.weights.T, 0.0)


def learn(
    counts: Array,
    ordered: int,
    prior: Prior = NO_PRIOR,
    trees: Sequence[NDArray[np.intp]] = (),
) -> Learned:
    """Learn the ratios of cells.

    Parameters
    ----------
    counts : ndarray of float, shape (2, K)
        By arm and cell.
    ordered : int
        How many leading cells are in order.
    prior : Prior
        Of an earlier time.
    trees : sequence of ndarray of int, shape (ordered,)
        Places of the ordered cells among the leaves of more trees.
    """
    ordered = ordered if ordered > 1 else 0
    first = _fit(counts, ordered, prior)
    begin = Prior(first.prior.shares, np.empty(0))
    fits = [first, *(_fit(counts, ordered, begin, places) for places in trees if ordered)]
    by_arm = np.mean([fit.by_arm for fit in fits], axis=0)
    weights = np.mean([fit.weights for fit in fits], axis=0)
    return Learned(_moved(by_arm), weights, first.prior)


@final
@dataclass(frozen=True, slots=True)
class _Fit:
    """What one tree says: draws by arm and ratio, and weights of the cells."""

    by_arm: Array
    weights: Array
    prior: Prior


def _fit(counts: Array, ordered: int, prior: Prior, places: NDArray[np.intp] | None = None) -> _Fit:
    """Estimate the prior, and weigh the ratios of the cells by it."""
    nodes = _Nodes.of(counts, ordered, np.arange(ordered) if places is None else places)
    shares, pieces, cuts = nodes.begin(prior)
    for _ in range(cuts):
        whole, halved = nodes.cut(shares, pieces)
        pieces = nodes.shares_of_pieces(whole, halved)
        for _ in range(STEPS):
            shares = nodes.shares_of_ratios(whole, shares)
    of_nodes = nodes.weights(nodes.cut(shares, pieces)[0], shares)
    return _Fit(nodes.counts @ of_nodes, nodes.of_cells(of_nodes), Prior(shares, pieces))


def _moved(by_arm: Array) -> Array:
    """The grid's ratios, each moved to that of its draws, at most half of a step."""
    by_arm = by_arm + MOVED_BEFORE * np.exp(LOG_SHARES)
    step = (RATIOS[1] - RATIOS[0]) / 2
    return np.asarray(np.clip(np.log(by_arm[0] / by_arm[1]), RATIOS - step, RATIOS + step))


@final
@dataclass(frozen=True, slots=True)
class _Nodes:
    """The tree of the ordered cells, level by level from its leaves, then the other cells.

    Parameters
    ----------
    counts : ndarray of float, shape (2, N)
        By arm.
    met : ndarray of int, shape (M,)
        The nodes that have draws: others say what the prior says.
    likelihood : ndarray of float, shape (M, R)
        Of each ratio for all draws of such a node, over the largest.
    largest : ndarray of float, shape (M,)
        Logarithm of that.
    told : ndarray of float, shape (N,)
        1 where both halves of a node have draws.
    starts : ndarray of int, shape (levels + 1,)
        Where each level begins, and the other cells; no level is one without an order.
    places : ndarray of int, shape (ordered,)
        Leaves of the ordered cells; there are a power of two of them.
    """

    counts: Array
    met: NDArray[np.intp]
    likelihood: Array
    largest: Array
    told: Array
    starts: NDArray[np.intp]
    places: NDArray[np.intp]

    @classmethod
    def of(cls, counts: Array, ordered: int, places: NDArray[np.intp]) -> _Nodes:
        """Add the counts up."""
        levels, told = [], []
        if ordered:
            leaves = 2 ** int(places.max()).bit_length()
            levels.append(np.zeros((2, leaves)))
            levels[0][:, places] = counts[:, :ordered]
            told.append(np.zeros(leaves))
            while levels[-1].shape[1] > 1:
                halves = levels[-1]
                met = halves.sum(axis=0) > 0
                levels.append(halves[:, ::2] + halves[:, 1::2])
                told.append((met[::2] & met[1::2]).astype(np.float64))
        rest = counts[:, ordered:]
        nodes = np.concatenate([*levels, rest], axis=1)
        starts = np.cumsum([0, *(level.shape[1] for level in levels)])
        filled = np.flatnonzero(nodes.sum(axis=0))
        log_likelihood = nodes[:, filled].T @ LOG_SHARES
        largest = log_likelihood.max(axis=1)
        likelihood = np.exp(log_likelihood - largest[:, None])
        of_told = np.concatenate([*told, np.zeros(rest.shape[1])])
        return cls(nodes, filled, likelihood, largest, of_told, starts, places)

    @property
    def depth(self) -> int:
        """Levels above the leaves."""
        return max(0, self.starts.size - 2)

    def begin(self, prior: Prior) -> tuple[Array, Array, int]:
        """Prior, shares of pieces, and how often to cut."""
        pieces = np.full(self.depth, 0.5)
        if not prior.shares.size:
            return np.full(RATIOS.size, 1 / RATIOS.size), pieces, FIRST_CUTS
        known = min(self.depth, prior.pieces.size)
        pieces[self.depth - known :] = prior.pieces[prior.pieces.size - known :]
        return prior.shares, pieces, NEXT_CUTS

    def cut(self, shares: Array, pieces: Array) -> tuple[Array, Array]:
        """Probability of each node that it is a piece, and that it is halved; shape (N,) each."""
        size = self.counts.shape[1]
        whole, halved = np.ones(size), np.zeros(size)
        if not self.depth:
            return whole, halved
        stops = self._stops(np.log(self.likelihood @ shares) + self.largest, pieces)
        reached = np.ones(1)
        starts = self.starts.tolist()
        for level in range(self.depth, -1, -1):
            begin, end = starts[level], starts[level + 1]
            of_level = whole[begin:end]
            np.multiply(reached, stops[level], out=of_level)
            goes_on = np.subtract(reached, of_level, out=halved[begin:end])
            reached = goes_on.repeat(2)
        return whole, halved

    def _stops(self, of_met: Array, pieces: Array) -> list[Array]:
        """Probability of the nodes of each level that they are pieces if they are reached."""
        evidence = np.zeros(self.counts.shape[1])
        evidence[self.met] = of_met
        starts = self.starts.tolist()
        log_piece, log_halved = np.log(pieces), np.log1p(-pieces)
        below = evidence[: starts[1]]
        stops = [np.ones(below.size)]
        for level in range(1, self.depth + 1):
            stop = evidence[starts[level] : starts[level + 1]]
            stop += log_piece[level - 1]
            halve = below[::2] + below[1::2]
            halve += log_halved[level - 1]
            below = np.logaddexp(stop, halve)
            stop -= below
            stops.append(np.exp(stop, out=stop))
        return stops

    def shares_of_pieces(self, whole: Array, halved: Array) -> Array:
        """Of each level above the leaves, over the nodes both of whose halves have draws."""
        if not self.depth:
            return np.empty(0)
        are, are_not = (np.add.reduceat(x * self.told, self.starts[:-1]) for x in (whole, halved))
        return np.asarray((PIECES_BEFORE + are) / (2 * PIECES_BEFORE + are + are_not))[1:]

    def shares_of_ratios(self, whole: Array, shares: Array) -> Array:
        """One EM step of the prior."""
        if not self.met.size:
            return shares
        found = shares * ((whole[self.met] / (self.likelihood @ shares)) @ self.likelihood)
        return np.asarray((1 - UNIFORM) * found / found.sum() + UNIFORM / RATIOS.size)

    def weights(self, whole: Array, shares: Array) -> Array:
        """Probability that a node is a piece with each of the ratios, shape (N, R)."""
        of_nodes = whole[:, None] * shares
        by_draws = self.likelihood / (self.likelihood @ shares)[:, None]
        of_nodes[self.met] *= by_draws
        return of_nodes

    def of_cells(self, of_nodes: Array) -> Array:
        """Add up what the nodes above a cell say of its ratio, shape (K, R)."""
        if not self.depth:
            return of_nodes
        above = np.zeros((1, RATIOS.size))
        for level in range(self.depth, -1, -1):
            above = above + of_nodes[self.starts[level] : self.starts[level + 1]]
            above = np.repeat(above, 2, axis=0) if level else above
        return np.concatenate([above[self.places], of_nodes[self.starts[-1] :]])
