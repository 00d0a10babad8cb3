"""What a witness may draw: the search for a smaller pair and the fresh draws, together.

At most half of the samples of the run, or `FLOOR` where that is more. Samples are draws of either
data set, as reports count them. Where a target makes many draws in one call, a search may take more
in a short run (`smallest`).
"""

from __future__ import annotations

__all__ = ["FEWEST_AT_MOST", "FLOOR", "allowance", "fresh_after", "search_allowance"]

SHARE = 0.5
"""Of the run's samples: the witness of a user who pays for each draw adds half to the bill, and it
can be said before (docs/how-to/verdicts.md)."""

FEWEST_AT_MOST = 256
"""Fresh draws of each arm that any run may make. A run that bets early
refutes with tens of draws, and half of them confirm little: of 16 seeds each at a rate of .001, a
-0 was confirmed in 6, 16 and 16 runs by at most 64, 128 and 256 fresh draws, Laplace noise of .4
against claim 1 in 9, 14 and 14, of .6 in 7, 8 and 13, for 15 % more draws in all at most."""

FLOOR = 2 * FEWEST_AT_MOST
"""Samples that any witness may take: what its fresh draws may be. What these leave is for the
search, so a leak that 32 fresh draws of each arm confirm has 416 of them."""

MORE = 1.5
"""Times the fresh draws that the pair which was found wants, those that are left: a smaller one is
known by fewer draws, and taken for what they were."""


def allowance(samples: int) -> int:
    """Samples that the witness of a run of so many may take in all."""
    return max(FLOOR, int(SHARE * samples))


def search_allowance(samples: int, wanted: int, least: int = 0) -> int:
    """Of these, what the search for a smaller pair may take.

    Half of it, or `FLOOR`, but nothing of what fresh draws are for: a witness that is confirmed
    says more than one that is small.

    Parameters
    ----------
    samples : int
        Of the run.
    wanted : int
        Fresh draws of each arm for the pair that was found.
    least : int
        What it may take in any case.
    """
    most = allowance(samples)
    left = most - 2 * min(int(MORE * wanted), FEWEST_AT_MOST)
    return max(least, min(max(FLOOR, most // 2), left))


def fresh_after(samples: int, spent: int, wanted: int, more: int = 0) -> int:
    """Fresh draws of each arm that are left of what is wanted, where a search took some samples.

    `wanted` is for the pair that was found, by which the search was allowed, `more` for the smaller
    one. What the search took beyond its part of the allowance is not taken from them.
    """
    spent = min(spent, search_allowance(samples, wanted))
    return min(max(wanted, more), (allowance(samples) - spent) // 2)
