"""What a mechanism promises: relation, privacy level, claim and source.

Every parameter is exact (`fractions.Fraction`); what a level implies about another level or
another relation stands in `mechanisms.implications` and `mechanisms.group_privacy`, with sources.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias, final

from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_fraction, check_several, shown

__all__ = [
    "ApproxDP",
    "GaussianDP",
    "Level",
    "Order",
    "OrderWord",
    "PersonalizedDP",
    "PrivacyClaim",
    "PureDP",
    "Relation",
    "RelationWord",
    "RenyiDP",
    "Source",
    "TotalVariationDP",
    "TradeOff",
    "ZeroConcentratedDP",
]


SHOWN_BUDGETS = 8
"""Of a personalized claim in words."""


class Relation(StrEnum):
    """Which pairs of data sets are neighbors."""

    ADD_REMOVE = "add-remove"
    """One record added or removed; the number of records is private."""
    SWAP = "swap"
    """One record replaced; the number of records is public."""
    LISTED = "listed"
    """Exactly the listed pairs (scalars, score vectors, bit vectors)."""


RelationWord: TypeAlias = Literal["add-remove", "swap", "listed"]
"""The same as text, for type checkers; a test compares."""


class Order(StrEnum):
    """Whether the order of the records is part of the data."""

    FREE = "free"
    """Data are a multiset: two orders of the same records are at distance 0."""
    FIXED = "fixed"
    """Data are a sequence: the other records keep their places."""


OrderWord: TypeAlias = Literal["free", "fixed"]
"""The same as text."""


LONGEST = 20
"""A quotient of more letters, as libraries' floats make it, is shown as the decimal that it is."""


def _text(number: Fraction) -> str:
    """A parameter in words: 1/10, or 0.03333333333333334 where a quotient would be long."""
    text = str(number)
    if len(text) <= LONGEST:
        return text
    try:
        decimal = repr(float(number))
    except OverflowError:
        return text
    return decimal if Fraction(decimal) == number else text


@dataclass(frozen=True, slots=True)
class Level:
    """What is promised of two neighbors: a subclass for each kind of promise."""


@final
@dataclass(frozen=True, slots=True)
class PureDP(Level):
    """P(S) <= e^epsilon Q(S) for every event S, both ways round.

    Parameters
    ----------
    epsilon : int, float, str or Fraction
        At least 0.
    """

    epsilon: Fraction

    def __init__(self, epsilon: Number) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", at_least=0))

    def __str__(self) -> str:
        return f"epsilon = {_text(self.epsilon)}"


@final
@dataclass(frozen=True, slots=True)
class ApproxDP(Level):
    """P(S) <= e^epsilon Q(S) + delta for every event S, both ways round.

    Parameters
    ----------
    epsilon, delta : int, float, str or Fraction
        epsilon at least 0; delta in [0, 1].
    """

    epsilon: Fraction
    delta: Fraction

    def __init__(self, epsilon: Number, delta: Number) -> None:
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", at_least=0))
        object.__setattr__(self, "delta", check_fraction(delta, "delta", at_least=0, at_most=1))

    def __str__(self) -> str:
        return f"epsilon = {_text(self.epsilon)}, delta = {_text(self.delta)}"


@final
@dataclass(frozen=True, slots=True)
class TotalVariationDP(Level):
    """P(S) <= Q(S) + tv for every event S, both ways round.

    Parameters
    ----------
    tv : int, float, str or Fraction
        In [0, 1].
    """

    tv: Fraction

    def __init__(self, tv: Number) -> None:
        object.__setattr__(self, "tv", check_fraction(tv, "tv", at_least=0, at_most=1))

    def __str__(self) -> str:
        return f"total variation = {self.tv}"


@final
@dataclass(frozen=True, slots=True)
class ZeroConcentratedDP(Level):
    """Renyi divergence of every order a > 1 is at most rho a, both ways round.

    Parameters
    ----------
    rho : int, float, str or Fraction
        At least 0.
    """

    rho: Fraction

    def __init__(self, rho: Number) -> None:
        object.__setattr__(self, "rho", check_fraction(rho, "rho", at_least=0))

    def __str__(self) -> str:
        return f"rho = {_text(self.rho)}"


@final
@dataclass(frozen=True, slots=True)
class RenyiDP(Level):
    """Renyi divergence of order alpha is at most epsilon, both ways round.

    Parameters
    ----------
    alpha, epsilon : int, float, str or Fraction
        alpha greater than 1; epsilon at least 0.
    """

    alpha: Fraction
    epsilon: Fraction

    def __init__(self, alpha: Number, epsilon: Number) -> None:
        object.__setattr__(self, "alpha", check_fraction(alpha, "alpha", above=1))
        object.__setattr__(self, "epsilon", check_fraction(epsilon, "epsilon", at_least=0))

    def __str__(self) -> str:
        return f"Renyi order {_text(self.alpha)}, epsilon = {_text(self.epsilon)}"


@final
@dataclass(frozen=True, slots=True)
class GaussianDP(Level):
    """Telling the two data sets apart is no easier than N(0, 1) from N(mu, 1).

    Parameters
    ----------
    mu : int, float, str or Fraction
        At least 0.
    """

    mu: Fraction

    def __init__(self, mu: Number) -> None:
        object.__setattr__(self, "mu", check_fraction(mu, "mu", at_least=0))

    def __str__(self) -> str:
        return f"mu = {_text(self.mu)}"


@final
@dataclass(frozen=True, slots=True)
class TradeOff(Level):
    """Every test of level a has type II error at least f(a), f piecewise linear.

    Parameters
    ----------
    knots : tuple of (a, f(a))
        At least two exact points, from a = 0 to a = 1, a increasing; f convex, non-increasing,
        f(a) <= 1 - a, f(1) = 0.
    """

    knots: tuple[tuple[Fraction, Fraction], ...]

    def __init__(self, knots: tuple[tuple[Number, Number], ...]) -> None:
        points = tuple(map(_knot, check_several(knots, "knots", PAIRS)))
        _check_trade_off(points)
        object.__setattr__(self, "knots", points)

    def __call__(self, level: Fraction) -> Fraction:
        """Value f(a) at an exact level a in [0, 1]."""
        for (a0, b0), (a1, b1) in pairwise(self.knots):
            if a0 <= level <= a1:
                return b0 + (b1 - b0) * (level - a0) / (a1 - a0)
        msg = f"level must lie in [0, 1], got level={level!r}"
        raise InvalidArgument(msg)

    def __str__(self) -> str:
        return f"trade-off through {_through(self.knots)}"


PAIRS = "pairs (level, error)"


def _through(points: tuple[tuple[Fraction, Fraction], ...]) -> str:
    return ", ".join(f"({_text(a)}, {_text(b)})" for a, b in points)


def _knot(given: object) -> tuple[Fraction, Fraction]:
    pair = check_several(given, "a knot of knots", "a level and an error")
    if len(pair) != 2:
        msg = f"knots must be a list of {PAIRS}, got the knot {shown(given)}"
        raise InvalidArgument(msg)
    level, error = pair
    return (
        check_fraction(level, "knots (level)", at_least=0, at_most=1),
        check_fraction(error, "knots (error)", at_least=0, at_most=1),
    )


def _check_trade_off(points: tuple[tuple[Fraction, Fraction], ...]) -> None:
    msg = f"knots must run from level 0 to (1, 0) with increasing levels, got {_through(points)}"
    if len(points) < 2 or points[0][0] != 0 or points[-1] != (Fraction(1), Fraction(0)):
        raise InvalidArgument(msg)
    if any(a1 <= a0 for (a0, _), (a1, _) in pairwise(points)):
        raise InvalidArgument(msg)
    if any(b > 1 - a for a, b in points):
        msg = f"knots must satisfy f(a) <= 1 - a, got {_through(points)}"
        raise InvalidArgument(msg)
    slopes = [(b1 - b0) / (a1 - a0) for (a0, b0), (a1, b1) in pairwise(points)]
    if any(s > 0 for s in slopes) or any(s1 < s0 for s0, s1 in pairwise(slopes)):
        msg = f"knots must be convex and non-increasing, got {_through(points)}"
        raise InvalidArgument(msg)


@final
@dataclass(frozen=True, slots=True)
class PersonalizedDP(Level):
    """Changing the record of user i changes no probability by more than e^(budgets[i]).

    Parameters
    ----------
    budgets : tuple of int, float, str or Fraction
        One epsilon per user, each at least 0.
    """

    budgets: tuple[Fraction, ...]

    def __init__(self, budgets: tuple[Number, ...]) -> None:
        several = check_several(budgets, "budgets", "numbers, one for each user")
        exact_budgets = tuple(check_fraction(b, "budgets", at_least=0) for b in several)
        if not exact_budgets:
            msg = "budgets must name at least one user, got budgets=()"
            raise InvalidArgument(msg)
        object.__setattr__(self, "budgets", exact_budgets)

    def __str__(self) -> str:
        users, shown = len(self.budgets), map(_text, self.budgets[:SHOWN_BUDGETS])
        rest = f", ... for {users} users" if users > SHOWN_BUDGETS else ""
        return f"budgets = ({', '.join(shown)}{rest})"


@final
@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from.

    Parameters
    ----------
    paper : str
        Short name ("KSW") or full reference; "user" for a claim stated on the command line.
    item : str
        Number in the paper ("Theorem 2"), or how it follows.
    """

    paper: str
    item: str

    def __str__(self) -> str:
        return f"{self.paper}, {self.item}"


@final
@dataclass(frozen=True, slots=True)
class PrivacyClaim:
    """A privacy level under a relation, with the source of the promise.

    Parameters
    ----------
    level : Level
        What is promised.
    relation : Relation
        For which pairs; never implied.
    source : Source
        Who says so.
    derived : tuple of Source
        The implications that led here from the original claim, in order.
    """

    level: Level
    relation: Relation
    source: Source
    derived: tuple[Source, ...] = field(default=())

    def __post_init__(self) -> None:
        """Check what each part is."""
        for name, kind in (("level", Level), ("relation", Relation), ("source", Source)):
            if not isinstance(value := getattr(self, name), kind):
                msg = f"{name} must be a {kind.__name__}, got {name}={shown(value)}"
                raise InvalidArgument(msg)

    def __str__(self) -> str:
        return f"{self.level} ({self.relation.value})"
