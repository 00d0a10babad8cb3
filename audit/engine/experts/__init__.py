"""The experts that share the wealth, and how much of it each has (ENG-T3).

An expert turns the past of the pair that is bet on next into a bet: something that gives the
logarithm of a batch's e-value from its counts. Mixtures of e-processes are e-processes, so no
correction is needed for their number. To add one: its file here, its part of `LINE_SHARES` (or
`MOMENT_SHARES`), one line in `shares` and `make_bets`, and its null test in `tests/theorems`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from audit.engine.candidate_events import Candidates, propose
from audit.engine.experts.moment_bets import MomentBets
from audit.engine.experts.posterior_bets import EFFECT_PRIOR, PosteriorBets, event_scores
from audit.engine.experts.ratio_bets import RATIO_PRIOR, RatioBets
from audit.engine.experts.ratio_choice import RatioChoice
from audit.engine.experts.unseen_bets import UNSEEN_PRIOR, UnseenBets
from audit.levels.moments import MomentGrid
from audit.levels.supporting_lines import LineGrid

__all__ = ["Bet", "Bets", "Grid", "make_bets", "noise_level", "ratio_accounts", "shares"]

Array = NDArray[np.float64]
Grid = LineGrid | MomentGrid
"""Nested claims, as lines or as divergences."""

LINE_SHARES = (0.387, 0.132, 0.12, 0.361)
"""Bets on likely events, on the unseen, on learned ratios, and the pairs' persistent bets. The
ratios' share is taken from the others in proportion: -log .88 = .13 nats, 1 to 2 % of the draws of
a row of benchmarks/power.py where they do not help."""
MOMENT_GROUPS = (10, 24)
MOMENT_SHARES = (0.5, 0.3, 0.2, 0.0)
"""Coarse and fine tables, single events; divergences have no persistent bets."""


class Bet(Protocol):
    """A bet on the next batch, made from the past."""

    def log_e(self, counts: Sequence[Array], size: int) -> Array:
        """Logarithm of the e-value of `size` draws of each arm, shape (G,).

        Parameters
        ----------
        counts : sequence of ndarray, shape (2, K)
            Counts by arm and cell, one array a partition.
        size : int
            Draws of each arm that were counted.
        """
        ...


def shares(grid: Grid) -> Array:
    """Weights of the experts and, last, of the pairs' own bets; their sum is 1."""
    if isinstance(grid, MomentGrid):
        return np.array(MOMENT_SHARES)
    likely, unseen, ratios, pairs = LINE_SHARES
    return np.concatenate(
        [likely * EFFECT_PRIOR, unseen * UNSEEN_PRIOR, ratios * RATIO_PRIOR, [pairs]]
    )


def ratio_accounts(grid: Grid) -> tuple[int, int]:
    """The accounts that bet on learned ratios, from the first to before the second: the last ones.

    There are none against divergences.
    """
    accounts = shares(grid).size - 1
    return accounts - (RATIO_PRIOR.size if isinstance(grid, LineGrid) else 0), accounts


def noise_level(pairs: int) -> float:
    """About the largest gap, in standard errors, that chance alone brings."""
    return math.sqrt(2 * math.log(2 * pairs))


@final
@dataclass(frozen=True, slots=True)
class Bets:
    """All experts' bets on the next batch of a pair, and what the past says of it.

    Parameters
    ----------
    experts : tuple of Bet
        One bet an expert.
    candidates : Candidates
        Events of the past: a witness is chosen among them.
    line : (float, float)
        s and t of the line against which their gap is largest at the claim.
    suspicion : float
        That gap in standard errors, or that of the learned ratios where it is larger: what the
        choice of the pair goes by.
    at_claim : tuple of Bet
        One newer bet an expert, at the point of the claim alone; none where all are as new.
    claimed : int
        That point.
    ratios : RatioBets or None
        The one on learned ratios, which is among the experts; None against divergences.
    """

    experts: tuple[Bet, ...]
    candidates: Candidates
    line: tuple[float, float]
    suspicion: float
    at_claim: tuple[Bet, ...] = ()
    claimed: int = 0
    ratios: RatioBets | None = None

    def log_e(self, counts: Sequence[Array], size: int) -> Array:
        """Logarithms of the e-values of all accounts, shape (A, G)."""
        values = np.vstack([bet.log_e(counts, size) for bet in self.experts])
        if self.at_claim:
            newer = np.vstack([bet.log_e(counts, size) for bet in self.at_claim])
            values[:, self.claimed] = newer[:, 0]
        return values

    def renewed(self, newer: Bets, claimed: int) -> Bets:
        """Bet on the claim as newer bets do, which are about it alone; on other points as before.

        Bets are predictable however old they are: those of the limits cost time, and no draws.
        """
        return replace(newer, experts=self.experts, at_claim=newer.experts, claimed=claimed)


def make_bets(
    counts: Sequence[Array],
    ordered: Sequence[int],
    single: Sequence[NDArray[np.bool_]],
    grid: Grid,
    *,
    pairs: int = 1,
    choice: RatioChoice | None = None,
    shared: int | None = None,
) -> Bets:
    """Make every expert's bet on a pair.

    Parameters
    ----------
    counts : sequence of ndarray, shape (2, 2, K)
        The pair's past by half, arm and cell, one array a partition.
    ordered : sequence of int
        How many leading cells of each partition are in order of the value.
    single : sequence of ndarray of bool, shape (K,)
        Which cells of each partition hold one value, category or row.
    grid : Grid
        Nested claims about the pair.
    pairs : int
        Among how many pairs a violation is looked for.
    choice : RatioChoice or None
        On which partition a function is learned, if on any.
    shared : int or None
        How many leading partitions all experts read; the ratio expert reads the rest. None for all.
    """
    every, counts, ordered = (counts, ordered), counts[:shared], ordered[:shared]
    candidates = propose(counts, ordered)
    if isinstance(grid, MomentGrid):
        made = [MomentBets.on_groups(counts, ordered, grid, groups) for groups in MOMENT_GROUPS]
        made.append(MomentBets.on_events(candidates, counts, grid))
        gain = max(float(bet.growth[grid.claimed]) for bet in made)
        # growth times draws is half the square of a gap in standard errors
        draws = float(counts[0][:, 0].sum())
        return Bets(tuple(made), candidates, (1.0, 0.0), (2 * draws * gain) ** 0.5)
    z = event_scores(candidates, grid)
    ratios = RatioBets.make(choice, *every, grid)
    bets = (
        PosteriorBets.make(candidates, counts, grid, z, pairs=pairs),
        UnseenBets.make(counts, ordered, single[:shared], grid),
        ratios,
    )
    at_claim = z[:, :, grid.claimed]
    event, line = np.unravel_index(int(at_claim.argmax()), at_claim.shape)
    s, t = (float(a[line, grid.claimed]) for a in (grid.slopes, grid.offsets))
    suspicion = max(float(at_claim[event, line]), -np.inf if choice is None else choice.z)
    return Bets(bets, candidates, (s, t), suspicion, ratios=ratios)
