"""The lemmas on noisy queries, checked anew by short arguments of their own.

* KSW-T1 (KSW-D2 for one number), Laplace noise of scales b: the loss at a record x is at most
  sum |c x + d| / b, and is that where all noises are far below 0. It is convex in x, and linear
  between its kinks.
* KSW-D2 and KSW-D3, staircases: the log-density is -step times a level that never falls with the
  norm and grows by one with each unit of it, so a move of norm r changes it by at most ceil(r)
  levels (triangle inequality), and does for r = 1 far out.
* KSW-T2 and KSW-D5, hourglasses: a record lifts the signed level s of z1 by a rise that the places
  of the levels allow, and t by one. The exponent k(s, t) = |s| + |t - s| has kinks at s = 0 and
  t = s only, so its changes are all seen near those.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from audit.certificate.queries import Query

__all__ = ["LEMMAS", "evidence_of"]

LEMMAS = {
    ("laplace", "add-remove"): "KSW-T1",
    ("laplace", "swap"): "KSW-D2",
    ("staircase", "add-remove"): "KSW-D3",
    ("staircase", "swap"): "KSW-D2",
    ("hourglass", "add-remove"): "KSW-T2",
    ("grid-hourglass", "add-remove"): "KSW-D5",
}
"""Which lemma is about which noise, under which relation."""

NEAR = 4
"""Levels beyond the kinks that stand for all farther ones."""

MOST_RISE = 4


def evidence_of(query: Query) -> tuple[str, dict[str, object], Fraction]:
    """Lemma, evidence and largest loss of a query."""
    lemma = LEMMAS[query.noise, query.relation]
    if query.noise == "laplace":
        return lemma, *_laplace(query)
    if query.noise == "staircase":
        return lemma, *_staircase(query)
    # of the two conditions of `_reaches` at most one depends on gamma, monotonically
    gammas = [Fraction(0), Fraction(1)]
    if query.noise == "grid-hourglass":
        # level 0 holds |j| < r with 1 <= r <= grid: as for gamma = (r - 1/2) / grid
        gammas = [Fraction(1, 2 * query.grid), 1 - Fraction(1, 2 * query.grid)]
    return lemma, *_hourglass(query, gammas)


def _laplace(query: Query) -> tuple[dict[str, object], Fraction]:
    lowest, highest = query.records
    if query.relation == "swap":  # the largest move is from one end to the other
        places = [highest - lowest]
        moves = [(c, Fraction(0)) for c, _ in query.moves]
    else:
        kinks = {-d / c for c, d in query.moves if c}
        places = sorted({lowest, highest} | {x for x in kinks if lowest < x < highest})
        moves = list(query.moves)
    pairs = list(zip(moves, query.scales, strict=True))
    losses = [sum((abs(c * x + d) / b for (c, d), b in pairs), Fraction(0)) for x in places]
    table = [[str(x), str(loss)] for x, loss in zip(places, losses, strict=True)]
    return {"loss of a record": table}, max(losses)


def _staircase(query: Query) -> tuple[dict[str, object], Fraction]:
    lowest, highest = query.records
    places = [highest - lowest] if query.relation == "swap" else sorted({lowest, highest})
    norms = []
    for x in places:
        offsets = [Fraction(0) if query.relation == "swap" else d for _, d in query.moves]
        pairs = zip(query.moves, offsets, strict=True)
        norms.append(sum((abs(c * x + d) for (c, _), d in pairs), Fraction(0)))
    losses = [query.step * ceil(norm) for norm in norms]
    rows = zip(places, norms, losses, strict=True)
    return {"norm and loss of a record": [list(map(str, row)) for row in rows]}, max(losses)


def _hourglass(query: Query, gammas: list[Fraction]) -> tuple[dict[str, object], Fraction]:
    rows: list[list[str]] = []
    largest = Fraction(0)
    for s in range(-NEAR, NEAR + 1):
        for rise in range(-MOST_RISE, MOST_RISE + 1):
            if any(_reaches(s, rise, gamma) for gamma in gammas):
                changes = {_exponent(s + rise, t + 1) - _exponent(s, t) for t in _lines(s, rise)}
                losses = sorted(query.step * change for change in changes)
                largest = max(largest, *map(abs, losses))
                rows.append([str(s), str(rise), *map(str, losses)])
    return {"level, rise and losses": rows}, largest


def _reaches(s: int, rise: int, gamma: Fraction) -> bool:
    """Whether a move by 0 to 1 can lead from level s to level s + rise."""
    return _lower(s + rise, gamma) < _upper(s, gamma) + 1 and (
        _upper(s + rise, gamma) > _lower(s, gamma)
    )


def _lower(s: int, gamma: Fraction) -> Fraction:
    """Lower end of the places of level s: s - 1 + gamma, -gamma, s - gamma."""
    return s - 1 + gamma if s > 0 else s - gamma


def _upper(s: int, gamma: Fraction) -> Fraction:
    return -_lower(-s, gamma)


def _exponent(s: int, t: int) -> int:
    return abs(s) + abs(t - s)


def _lines(s: int, rise: int) -> range:
    """Lines t near the kinks: beyond them the change of the exponent stays the same."""
    return range(min(s, s + rise) - 2, max(s, s + rise) + 3)
