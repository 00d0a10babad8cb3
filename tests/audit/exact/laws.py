"""Random exact laws on few outcomes, for property tests, and plain twins of the divergences."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from fractions import Fraction

from hypothesis import settings
from hypothesis import strategies as st

from audit.exact.cells.finite_laws import FinitePmf
from audit.exact.exact_numbers import add_up, quotient
from proofs_check.exponential import Exact, ExpSum

few = settings(max_examples=max(8, settings.default.max_examples // 8))
"""For tests whose exact arithmetic takes milliseconds an example."""

EPSILONS = st.fractions(-2, 3, max_denominator=6)
_WEIGHTS = st.fractions(0, 4, max_denominator=6)
_EXPONENTS = st.integers(-4, 4).map(lambda n: Fraction(n, 2))


def weights(exponential: bool) -> st.SearchStrategy[Exact]:
    """Weights of outcomes: rationals, or rationals times exponentials; 0 among them."""
    if not exponential:
        return _WEIGHTS
    return st.builds(ExpSum.exp, _EXPONENTS, _WEIGHTS)


@st.composite
def pmfs(draw: st.DrawFn, *, most: int = 8, positive: bool = False) -> FinitePmf:
    """Laws on at most `most` outcomes 0, 1, ...; with `positive` each outcome has a mass."""
    size = draw(st.integers(1, most))
    kind = weights(draw(st.booleans()))
    masses = [draw(kind.filter(bool) if positive else kind) for _ in range(size)]
    if not any(masses):
        masses[0] = Fraction(1)
    return FinitePmf.from_weights(dict(enumerate(masses)))


@st.composite
def pairs_of_pmfs(draw: st.DrawFn, *, most: int = 8) -> tuple[FinitePmf, FinitePmf]:
    """Two laws of the same kind, exponential ones on at most 4; their supports may differ."""
    exponential = draw(st.booleans())
    size = draw(st.integers(1, min(most, 4) if exponential else most))
    kind = weights(exponential)
    laws = []
    for _ in range(2):
        masses = [draw(kind) for _ in range(size)]
        laws.append(FinitePmf.from_weights(dict(enumerate(masses if any(masses) else [1]))))
    return laws[0], laws[1]


def events(p: FinitePmf, q: FinitePmf) -> Iterator[tuple[Exact, Exact]]:
    """P(S) and Q(S) for all sets S of outcomes, as parts of the product of the totals."""
    masses = [dict(p.masses), dict(q.masses)]
    sums: list[tuple[Exact, Exact]] = [(Fraction(0), Fraction(0))]
    for outcome in support(p, q):
        x, y = (law.get(outcome, 0) for law in masses)
        sums += [(left + x * q.total, right + y * p.total) for left, right in sums]
    yield from sums


def chance(law: FinitePmf, *event: Hashable) -> Exact:
    """Probability that one of the given outcomes comes."""
    return quotient(add_up(mass for z, mass in law.masses if z in event), law.total)


def support(*laws: FinitePmf) -> set[Hashable]:
    """Outcomes that one of some laws has."""
    return {z for law in laws for z, _ in law.masses}


def merged(law: FinitePmf, modulus: int) -> FinitePmf:
    """Law of the outcome modulo a number."""
    masses = [add_up(m for z, m in law.masses if z % modulus == rest) for rest in range(modulus)]
    return FinitePmf(dict(enumerate(masses)), law.total)


def number(value: Exact) -> float:
    """An exact number in doubles."""
    if isinstance(value, Fraction | int):
        return float(value)
    return float(value.ball(128).value.mid())


def slow_renyi(p: FinitePmf, q: FinitePmf, order: float) -> float:
    """Rényi divergence in doubles, term by term."""
    total = 0.0
    for outcome in support(p, q):
        x, y = number(chance(p, outcome)), number(chance(q, outcome))
        if x and not y and order >= 1:
            return math.inf
        if x and y:
            total += x * math.log(x / y) if order == 1 else x**order * y ** (1 - order)
    if order == 1:
        return total
    return math.log(total) / (order - 1) if total else math.inf
