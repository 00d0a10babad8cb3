"""The noisy queries of registered means, stated again for the check of certificates.

Nothing here is taken from the mechanisms: sums, moves and noises are those of the papers
(KSW Algorithms 1 to 3, eqs. (1), (3), (7), (11), (12), KSW-D5; erratum KSW-ER1; SUB Algorithm 1;
TRI Proposition 3.0.1 and chapter 5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.certificate.document import number
from mechanisms.errors import CertificateError

__all__ = ["QUERIES", "Query", "restated"]

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
