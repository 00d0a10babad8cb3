"""How pairs were found before the first bet: what screening looked at, and what it chose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

__all__ = ["ScoredPairs", "ScreenedPair", "Screening"]


@final
@dataclass(frozen=True, slots=True)
class ScreenedPair:
    """A pair that screening chose.

    Parameters
    ----------
    pair : str
        In words.
    score : float
        In units of the claim, a million where the kinds of outputs differ; it orders pairs, and
        says nothing else.
    score_on_new_draws : float
        What counts of draws, made after the pair was chosen, say of its loss, carefully: in units
        of the claim, too. It decides whether the pair is called suspicious.
    why : str
        What the score comes from, in words.
    family : str
        What made the pair.
    size : int
        Records of the larger data set.
    """

    pair: str
    score: float
    score_on_new_draws: float
    why: str
    family: str
    size: int = 0


@final
@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Pairs of one size and one score, which screening looked at.

    Parameters
    ----------
    size : int
        Records of the larger data set.
    score : float
        In units of the claim, to two digits.
    pairs : int
        How many.
    """

    size: int
    score: float
    pairs: int


@final
@dataclass(frozen=True, slots=True)
class Screening:
    """How the pairs were found that a run bets on first.

    Parameters
    ----------
    how : str
        "coupled" where both data sets had the same random numbers, "independent" where the target
        does not go by its seed, "records" where a data set is one record.
    pairs : int
        Pairs that were looked at, one that was looked at twice counted twice.
    calls, draws : int
        What that took, beside the samples of the run.
    chosen : tuple of ScreenedPair
        The pairs that are bet on for it.
    sized_by_clock : int or None
        Candidates, where the clock chose how many.
    stopped_by_time : bool
        Whether time was up before it ended.
    scored : tuple of ScoredPairs
        All that was scored first, by size and score.
    unchanged : bool
        Whether both data sets of every pair gave equal outputs, from equal random numbers.
    """

    how: str
    pairs: int
    calls: int
    draws: int
    chosen: tuple[ScreenedPair, ...]
    sized_by_clock: int | None = None
    stopped_by_time: bool = False
    scored: tuple[ScoredPairs, ...] = ()
    unchanged: bool = False
