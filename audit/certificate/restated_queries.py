"""The noisy queries of registered means, stated again for the check of certificates.

Nothing here is taken from the mechanisms: sums, moves and noises are those of the papers
(KSW Algorithms 1 to 3, eqs. (1), (3), (7), (11), (12), KSW-D5; erratum KSW-ER1; SUB Algorithm 1;
TRI Proposition 3.0.1 and chapter 5).

The lemmas on them are checked anew by short arguments of their own.

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

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, final

from audit.certificate.certificate_form import number
from mechanisms.errors import CertificateError

ZERO, ONE = Fraction(0), Fraction(1)


@final
@dataclass(frozen=True, slots=True)
class Query:
    """Moves c x + d of the coordinates by a record x, its range, and the noise."""

    relation: str
    """Under which a record moves the query like this; for "swap" the move is c (y - x)."""
    moves: tuple[tuple[Fraction, Fraction], ...]
    """(c, d) of each coordinate."""
    records: tuple[Fraction, Fraction]
    """Lowest and highest x."""
    noise: str
    """Kind of noise: it says which lemma is about it."""
    scales: tuple[Fraction, ...] = ()
    """Of Laplace noise, one for each coordinate."""
    step: Fraction = ZERO
    """Height of a step of the log-density of the other noises, whose sensitivity is 1."""
    grid: int = 1
    """Integers x in a unit, for noise on a grid."""


def restated(mechanism: str, parameters: Mapping[str, Any]) -> Query:
    """State the noisy query of a mechanism.

    Raises CertificateError if the mechanism or a parameter is unknown, missing or out of its
    domain.
    """
    if mechanism not in QUERIES:
        msg = f"mechanism must be one that states a noisy query, got {mechanism!r}"
        raise CertificateError(msg)
    names, state = QUERIES[mechanism]
    if set(parameters) != set(names):
        msg = f"parameters of {mechanism} are {', '.join(names)}, got {', '.join(parameters)}"
        raise CertificateError(msg)
    epsilon = number(parameters["epsilon"], "epsilon")
    low, high = (  # a query without bounds is stated without them
        number(parameters[name], name) if name in names else ZERO for name in ("low", "high")
    )
    if not (epsilon > 0 and low <= high):
        msg = f"epsilon must be positive and low at most high, got {dict(parameters)!r}"
        raise CertificateError(msg)
    return state(epsilon, low, high, parameters)


def _independent(
    epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]
) -> Query:
    _one_of(given, "release", ("mean", "pair"))
    largest = max(-low, high) or ONE
    scales = _scales(given, 2 * largest / epsilon, 2 / epsilon)
    return Query("add-remove", ((ONE, ZERO), (ZERO, ONE)), (low, high), "laplace", scales)


def _shifted(epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]) -> Query:
    _one_of(given, "release", ("mean", "pair"))
    scales = _scales(given, (high - low or ONE) / epsilon, 2 / epsilon)
    moves = (ONE, -(low + high) / 2), (ZERO, ONE)
    return Query("add-remove", moves, (low, high), "laplace", scales)


def _transformed(
    epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]
) -> Query:
    del low, high  # records in units of the width
    noise = _one_of(given, "noise", ("laplace", "l1-staircase", "hourglass"))
    if noise == "hourglass":
        moves = (ONE, ZERO), (ZERO, ONE)
        return Query("add-remove", moves, (ZERO, ONE), "hourglass", step=epsilon)
    moves = (ONE, ZERO), (-ONE, ONE)
    if noise == "laplace":
        scales = 1 / epsilon, 1 / epsilon
        return Query("add-remove", moves, (ZERO, ONE), "laplace", scales)
    return Query("add-remove", moves, (ZERO, ONE), "staircase", step=epsilon)


def _printed_transformed(
    epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]
) -> Query:
    del given
    scale = (high - low or ONE) / epsilon
    moves = (ONE, ZERO), (-ONE, ONE)
    return Query("add-remove", moves, (ZERO, ONE), "laplace", (scale, scale))


def _release(epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]) -> Query:
    del low, high
    grid = given["grid"]
    if type(grid) is not int or grid < 1:
        msg = f"grid must be a positive integer, got {grid!r}"
        raise CertificateError(msg)
    moves = (ONE, ZERO), (ZERO, ONE)
    records = ZERO, Fraction(grid)
    return Query("add-remove", moves, records, "grid-hourglass", step=epsilon, grid=grid)


def _swap(epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]) -> Query:
    del low, high
    noise = _one_of(given, "noise", ("laplace", "staircase"))
    if noise == "laplace":
        return Query("swap", ((ONE, ZERO),), (ZERO, ONE), noise, (1 / epsilon,))
    return Query("swap", ((ONE, ZERO),), (ZERO, ONE), noise, step=epsilon)


def _bounded(epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]) -> Query:
    del low, high  # records in units of the width
    _one_of(given, "release", ("mean", "pair"))
    moves = (ONE, -ONE / 2), (ZERO, ONE)
    return Query("add-remove", moves, (ZERO, ONE), "laplace", (1 / epsilon, 2 / epsilon))


def _clipped(epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]) -> Query:
    """Records in units of the width of the clip, whatever its margin: TRI, Proposition 3.0.1."""
    _one_of(given, "constant", ("printed", "sharp"))
    beta, moment = (number(given[name], name) for name in ("beta", "moment"))
    if not (low < high and beta > 0 and moment >= 2):
        msg = f"low < high, beta > 0 and moment >= 2 are needed, got {dict(given)!r}"
        raise CertificateError(msg)
    return Query("swap", ((ONE, ZERO),), (ZERO, ONE), "laplace", (1 / epsilon,))


def _signs(epsilon: Fraction, low: Fraction, high: Fraction, given: Mapping[str, Any]) -> Query:
    """The sum of signs, from -1 to 1, with Lap(2 / epsilon): TRI, chapter 5."""
    del low, high, given
    return Query("swap", ((ONE, ZERO),), (-ONE, ONE), "laplace", (2 / epsilon,))


def _scales(given: Mapping[str, Any], *defaults: Fraction) -> tuple[Fraction, ...]:
    """Scales of sum and count."""
    found = tuple(
        default if given[name] is None else number(given[name], name)
        for name, default in zip(("sum_scale", "count_scale"), defaults, strict=True)
    )
    if min(found) <= 0:
        msg = f"scales must be positive, got {found}"
        raise CertificateError(msg)
    return found


def _one_of(given: Mapping[str, Any], name: str, known: tuple[str, ...]) -> str:
    if given[name] not in known:
        msg = f"{name} must be one of {', '.join(known)}, got {given[name]!r}"
        raise CertificateError(msg)
    return str(given[name])


_BOUNDED = ("epsilon", "low", "high")
_WITH_SCALES = (*_BOUNDED, "sum_scale", "count_scale", "release")
_State = Callable[[Fraction, Fraction, Fraction, Mapping[str, Any]], Query]
QUERIES: dict[str, tuple[tuple[str, ...], _State]] = {
    "ksw.independent-laplace": (_WITH_SCALES, _independent),
    "ksw.shifted-laplace": (_WITH_SCALES, _shifted),
    "ksw.transformed-laplace": ((*_BOUNDED, "noise"), _transformed),
    "ksw.transformed-staircase": ((*_BOUNDED, "noise"), _transformed),
    "ksw.transformed-hourglass": ((*_BOUNDED, "noise"), _transformed),
    "ksw.transformed-laplace-as-printed": (_BOUNDED, _printed_transformed),
    "ksw.release-mean": ((*_BOUNDED, "grid"), _release),
    "ksw.swap-laplace": ((*_BOUNDED, "noise"), _swap),
    "ksw.swap-staircase": ((*_BOUNDED, "noise"), _swap),
    "sub.bounded-mean": ((*_BOUNDED, "release"), _bounded),
    "tri.clipped-mean": ((*_BOUNDED, "beta", "moment", "constant"), _clipped),
    "tri.tilted-sign": (("epsilon",), _signs),
}
"""Names of the parameters of each mechanism, and its query stated again."""


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
