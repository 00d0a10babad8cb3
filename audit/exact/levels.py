"""What every level asks of two laws, in both directions, from the answers of `Comparison`.

Pure: the log-ratio is at most epsilon. One line: no event has more than delta beyond e^epsilon.
Renyi: the divergence of one order. Zero-concentrated: of all orders a > 1, at most rho a. Gaussian:
no event tells the laws apart better than N(0, 1) from N(mu, 1).

Where the largest log-ratio L is known, the laws are (L^2 / 2)-zero-concentrated (Bun and Steinke
2016, Proposition 1.4), and mu-Gaussian where 1 / (1 + e^L) >= Phi(-mu / 2): their trade-off curve
lies above that of randomized response, which consists of two chords that meet at this number, and
the curve of N(mu, 1) is convex, has the same ends and the fixed point Phi(-mu / 2).
Orders between a and b are covered by the divergence of order b, which grows with the order (van
Erven and Harremoes 2014, Theorem 3), and orders of at least L / rho by L itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, final

from audit.exact.cells.cell import OpenCell
from audit.exact.comparison.cells import Comparison, Gap
from audit.exact.comparison.gaussians import NUMBERS, normal
from audit.exact.density.tail_lemmas import NotCovered
from audit.exact.exact_numbers import as_ball
from audit.levels import supporting_line
from audit.results.refutation import Enclosure
from mechanisms.claims import (
    GaussianDP,
    Level,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from proofs_check.enclosure import Ball, certainly_less, endpoints
from proofs_check.enclosure import Undecided as OpenBall

Pair: TypeAlias = tuple[Comparison, Comparison]
"""Two laws against each other, in both directions."""

MOST_ORDERS = 200
"""Renyi divergences that a zero-concentrated claim may take; some ms with a closed form, else 4 s
each on one core of 2 GHz."""

ORDERS = tuple(
    Fraction(n, d) for n, d in ((2, 1), (5, 4), (4, 1), (17, 16), (16, 1), (3, 2), (64, 1))
)
"""Orders at which a zero-concentrated claim is tried first."""

EPSILONS = tuple(Fraction(n, 4) for n in (0, 1, -1, 2, -2, 4, -4, 8, -8, 16, 32))
"""Where events that may break a Gaussian claim are taken, in units of mu and of its square."""

DIGITS = Fraction(1, 10**40)
"""Of a normal quantile, beyond which a comparison is left open."""


@final
@dataclass(frozen=True, slots=True)
class Kept:
    """The claim holds; what was measured, and its largest value in either direction."""

    measure: str
    value: Enclosure
    reasons: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Broken:
    """The claim is false in one direction."""

    place: int
    """0: the first law is too far from the second; 1: the other way round."""
    gap: Gap | None = None
    """An event that shows it."""
    excess: Enclosure | None = None
    """How far the event goes beyond what the claim allows."""
    measure: str = ""
    """Else a divergence that does,"""
    value: tuple[Fraction, Fraction | None] | None = None
    """its ends (None: infinite),"""
    allowed: Fraction = Fraction(0)
    """and what the claim allows."""


@final
@dataclass(frozen=True, slots=True)
class Open:
    """Not decided, and why."""

    reason: str


Decision: TypeAlias = Kept | Broken | Open
"""Of one claim about two laws."""


def decide(level: Level, pair: Pair) -> Decision:
    """Decide a claim about two laws, in both directions.

    `level`: one of `DECIDERS`, or one line. `pair`, (Comparison, Comparison): either way round.
    """
    try:
        return DECIDERS.get(type(level), _line)(level, pair)
    except (NotCovered, OpenCell, OpenBall) as exc:
        return Open(str(exc))


def _pure(level: PureDP, pair: Pair) -> Decision:
    answers = [one.at_most(level.epsilon) for one in pair]
    if all(answers):
        return Kept("privacy loss", _loss(pair) or (Fraction(0), level.epsilon))
    found = _event([one.gap(level.epsilon) for one in pair], Fraction(0))
    return found or Open(f"whether the log-ratio exceeds epsilon = {level.epsilon} stayed open")


def _line(level: Level, pair: Pair) -> Decision:
    epsilon, delta = supporting_line(level)
    gaps = [one.gap(epsilon) for one in pair]
    if all(gap.within(delta) for gap in gaps):
        values = [endpoints(as_ball(gap.value))[0] for gap in gaps]
        most = [endpoints(as_ball(gap.most))[1] for gap in gaps if gap.most is not None]
        return Kept(f"delta at epsilon = {epsilon}", (max(Fraction(0), *values), max(most)))
    found = _event(gaps, delta)
    return found or Open(f"no enclosure of delta({epsilon}) is on one side of {delta}")


def _event(gaps: list[Gap], delta: Fraction) -> Broken | None:
    """An event with more than delta beyond e^epsilon, in either direction."""
    for place, gap in enumerate(gaps):
        if gap.exceeds(delta):
            lower, upper = endpoints(as_ball(gap.value))
            return Broken(place, gap, (lower - delta, upper - delta))
    return None


def _renyi(level: RenyiDP, pair: Pair) -> Decision:
    name = f"Renyi divergence of order {level.alpha}"
    found = [one.renyi(level.alpha) for one in pair]
    for place, value in enumerate(found):
        if value is None or value[0] > level.epsilon:
            return Broken(place, measure=name, value=value, allowed=level.epsilon)
    ends = _ends([value for value in found if value is not None])
    if ends is not None and ends[1] <= level.epsilon:
        return Kept(name, ends)
    return Open(f"no enclosure of the {name} is on one side of {level.epsilon}")


def _concentrated(level: ZeroConcentratedDP, pair: Pair) -> Decision:
    rho = level.rho
    known = [one.rho for one in pair if one.rho is not None]
    if len(known) == len(pair):
        most = max(known)
        if most <= rho:
            return Kept("rho", (most, most))
        return _at_order(Fraction(2), rho, pair) or Open("no order of the divergence shows it")
    loss = _loss(pair)
    if loss is not None and loss[1] ** 2 / 2 <= rho:
        step = "an epsilon-private law is epsilon^2 / 2 zero-concentrated (Bun and Steinke 2016)"
        return Kept("rho", (Fraction(0), loss[1] ** 2 / 2), (step,))
    for order in ORDERS:
        found = _at_order(order, rho, pair)
        if found is not None:
            return found
    if loss is None:
        why = "the log-ratio has no known bound, and no finite number of orders speaks of all"
        return Open(f"{why}; none of those tried breaks the claim")
    return _all_orders(rho, loss[1], pair)


def _at_order(order: Fraction, rho: Fraction, pair: Pair) -> Broken | None:
    """Whether the divergence of one order exceeds rho times the order."""
    for place, one in enumerate(pair):
        value = one.renyi(order)
        if value is None or value[0] > rho * order:
            name = f"Renyi divergence of order {order}"
            return Broken(place, measure=name, value=value, allowed=rho * order)
    return None


def _all_orders(rho: Fraction, loss: Fraction, pair: Pair) -> Decision:
    """Cover the orders from 1 to loss / rho by intervals whose last divergence fits the first."""
    if rho == 0:
        return Open("the laws differ, and no order that was tried tells by how much")
    first, last, largest = Fraction(1), loss / rho, Fraction(0)
    step = min(last - first, Fraction(1, 2))
    for _ in range(MOST_ORDERS):
        if first >= last:
            why = "the Renyi divergence grows with the order, and is at most the loss"
            return Kept("rho", (Fraction(0), largest or rho), (why,))
        order = first + step
        ends = _ends([value for one in pair if (value := one.renyi(order)) is not None])
        if ends is None or ends[0] > rho * order:
            return _at_order(order, rho, pair) or Open(f"the divergence of order {order} is open")
        if ends[1] <= rho * first:
            largest, first, step = max(largest, ends[1] / first), order, 2 * step
        else:
            step /= 2
    return Open(
        f"the orders from {float(first):.6g} on stayed open after {MOST_ORDERS} divergences"
    )


def _gaussian(level: GaussianDP, pair: Pair) -> Decision:
    mu = level.mu
    known = [one.mu_squared for one in pair if one.mu_squared is not None]
    if len(known) == len(pair) and max(known) <= mu**2:
        root = endpoints(NUMBERS.sqrt(NUMBERS.rational(max(known))))
        return Kept("mu", (root[0], min(root[1], mu)))
    loss = _loss(pair)
    if loss is not None:
        at_zero = 1 / (1 + NUMBERS.exp(NUMBERS.rational(loss[1])))
        if certainly_less(at_zero, normal(-mu / 2)) is False:
            step = "1 / (1 + e^L) >= Phi(-mu / 2) for the largest log-ratio L"
            return Kept("mu", (Fraction(0), mu), (step,))
    for place, one in enumerate(pair):
        for gap in _events(one, mu):
            excess = _beyond(gap, mu)
            if excess is not None:
                return Broken(place, gap, excess)
    return Open("no event that was tried breaks the claim, and nothing that is known implies it")


def _events(one: Comparison, mu: Fraction) -> Iterator[Gap]:
    """Events at some epsilons, with probabilities between 0 and 1."""
    for unit in dict.fromkeys((mu or Fraction(1), mu**2 or Fraction(1))):
        for factor in EPSILONS:
            gap = one.gap(factor * unit)
            p, q = (endpoints(as_ball(x)) for x in (gap.p, gap.q))
            if p[0] > 0 and q[1] < 1:
                yield gap


def _beyond(gap: Gap, mu: Fraction) -> Enclosure | None:
    """How far P(S) is beyond Phi(x + mu), Phi(x) >= Q(S); None where it is not."""
    p, q = as_ball(gap.p), as_ball(gap.q)
    most = endpoints(q)[1]
    if most <= 0:
        return endpoints(p)
    place = quantile_above(most)
    if place is None:
        return None
    excess = endpoints(p - normal(place + mu))
    return excess if excess[0] > 0 else None


def quantile_above(q: Fraction) -> Fraction | None:
    """A number x a little above the quantile, Phi(x) >= q for certain."""
    from scipy.special import ndtri

    near = float(ndtri(float(q)))
    if not abs(near) < 36:
        return None
    place = Fraction(near)
    for _ in range(3):  # Newton's method from a double: each step doubles the digits
        slope = NUMBERS.exp(NUMBERS.rational(-(place**2) / 2)) / NUMBERS.sqrt(2 * NUMBERS.pi())
        place += _middle((q - normal(place)) / slope)
    above = place + DIGITS
    return above if certainly_less(normal(above), q) is False else None


def _middle(ball: Ball) -> Fraction:
    lower, upper = endpoints(ball)
    return Fraction(round((lower + upper) / 2 * 2**160), 2**160)


def _loss(pair: Pair) -> Enclosure | None:
    """Ends of the largest log-ratio, either way round; None where it has no known bound."""
    return _ends([found for one in pair if (found := one.loss()) is not None], len(pair))


def _ends(values: list[tuple[Fraction, Fraction | None]], wanted: int = 2) -> Enclosure | None:
    """Ends of the largest of some enclosed numbers; None where one is missing or has no end."""
    uppers = [upper for _, upper in values if upper is not None]
    if len(uppers) < wanted:
        return None
    return max(lower for lower, _ in values), max(uppers)


DECIDERS: dict[type, Callable[..., Decision]] = {
    PureDP: _pure,
    RenyiDP: _renyi,
    ZeroConcentratedDP: _concentrated,
    GaussianDP: _gaussian,
}
"""What decides each level; of those that are one line and not here, the line."""
