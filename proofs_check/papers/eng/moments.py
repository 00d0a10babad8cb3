"""T5b: bets against Renyi, zCDP and KL claims by payoffs of a table on the cells."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, for_all
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import diff, identical, limit, log, symbols

__all__ = ["CLAIMS", "payoffs"]

ONE_PERCENT = Fraction(101, 100)


def payoffs(r: Any, a: Any, sign: int = 1) -> tuple[Any, Any]:
    """U = a r^(a-1) and v = -(a-1) r^a."""
    return a * r ** (a - 1), -sign * (a - 1) * r**a


@proves("Cell by cell P u + Q v is P^a Q^(1-a) less Q r^a g(y).", Method.SYMBOLIC)
@mutant("v with its sign turned", sign=-1)
def cell_of_order_a(sign: int = 1) -> Finding:
    """P u + Q v = P^a Q^(1-a) - Q r^a (y^a - a y + a - 1) with y = P / (Q r)."""
    p, q, r, a = symbols("P Q r a", positive=True)
    u, v = payoffs(r, a, sign)
    y = p / (q * r)
    right = p**a * q ** (1 - a) - q * r**a * (y**a - a * y + a - 1)
    return identical(p * u + q * v, right, {p: (0, 1), q: (0, 1), r: (0, 3), a: (1, 4)})


@proves("g(1) = 0 and g' has the sign of y - 1, so g >= 0.", Method.SYMBOLIC)
@mutant("1.01 a y", times=ONE_PERCENT)
def tangent_of_a_power(times: Fraction = Fraction(1)) -> Finding:
    """g(y) = y^a - a y + a - 1 has g(1) = 0 and g'(y) = a (y^(a-1) - 1), of the sign of y - 1."""
    y, a = symbols("y a", positive=True)
    g = y**a - times * a * y + a - 1
    domain = {y: (0, 4), a: (1, 5)}
    slope = identical(diff(g, y), a * (y ** (a - 1) - 1), domain)
    return every([slope, identical(g.subs(y, 1), 0 * a, {a: (1, 5)})])


@confirms("g >= 0 for a = 3/2, 2, 3, 4.", Method.SMT)
@mutant("1.01 a y", times=ONE_PERCENT)
def tangents_over_the_reals(times: Fraction = Fraction(1)) -> Finding:
    """y^a - a y + a - 1 >= 0 for y >= 0 and a = 2, 3, 4, and for a = 3/2 with y = z^2."""
    found = [
        valid(
            reals("z"),
            lambda z, a=a: implies(z >= 0, z**a - exact(times * a) * z + a - 1 >= 0),
            polynomial=True,
        )
        for a in (2, 3, 4)
    ]
    half = valid(
        reals("z"),
        lambda z: implies(z >= 0, 2 * z**3 - exact(times * 3) * z**2 + 1 >= 0),
        polynomial=True,
    )
    return every([*found, half])


@proves("The limit a -> 1 gives 1 + log r and -r, and the bound by KL.", Method.SYMBOLIC)
@mutant("-1.01 r", times=ONE_PERCENT)
def order_one(times: Fraction = Fraction(1)) -> Finding:
    """(u - 1)/(a - 1) -> 1 + log r, v/(a - 1) -> -r; P log r + P - Q r = P log(P/Q) - Q r h(y)."""
    p, q, r, a, y = symbols("P Q r a y", positive=True)
    u, v = payoffs(r, a)
    limits = [
        identical(limit((u - 1) / (a - 1), a, 1), 1 + log(r), {r: (0, 3)}),
        identical(limit(v / (a - 1), a, 1), -times * r, {r: (0, 3)}),
    ]
    ratio = p / (q * r)
    gap = ratio * log(ratio) - ratio + 1
    cell = identical(
        p * log(r) + p - times * q * r,
        p * log(p / q) - q * r * gap,
        {p: (0, 1), q: (0, 1), r: (0, 3)},
    )
    h = y * log(y) - y + 1
    return every([*limits, cell, identical(diff(h, y), log(y), {y: (0, 4)})])


@confirms("Tables of order 2 stay below the moment, and P / Q attains it.", Method.EXACT)
@mutant("v with its sign turned", sign=-1)
def tables_never_gain(sign: int = 1, order: int = 2) -> Finding:
    """Order 2, three cells: E u + E v <= sum P^2 / Q for 64 tables, with equality at r = P / Q."""
    p, q = [Fraction(n, 10) for n in (5, 3, 2)], [Fraction(n, 20) for n in (3, 7, 10)]
    moment = sum(x**order * y ** (1 - order) for x, y in zip(p, q, strict=True))

    def payoff(table: Sequence[Fraction]) -> Fraction:
        pairs = [payoffs(r, order, sign) for r in table]
        return sum((x * u + y * v for x, y, (u, v) in zip(p, q, pairs, strict=True)), Fraction(0))

    steps = [Fraction(n, 2) for n in (1, 2, 4, 7)]
    worst = max(payoff(table) for table in product(steps, repeat=3))
    attained = payoff([x / y for x, y in zip(p, q, strict=True)]) == moment
    return exactly(worst <= moment and attained, f"largest {float(worst):.4f}, moment {moment}")


@proves("Centered by M / 2 and any c the two factors have means that sum to at most 2.", Method.SMT)
@mutant("0.495 M for M / 2", share=Fraction(495, 1000))
@for_all(reals("m u v M c"), polynomial=True)
def centered_bet(
    m: Any, u: Any, v: Any, most: Any, c: Any, *, share: Fraction = Fraction(1, 2)
) -> Condition:
    """A = 1 + m (u - M/2 - c), b = 1 + m (v - M/2 + c) with E u + E v <= M: E a E b <= 1."""
    first, second = (1 + m * (x - share * most + y) for x, y in ((u, -c), (v, c)))
    given = all_of(m >= 0, most >= 0, u + v <= most, first >= 0, second >= 0)
    return implies(given, first + second <= 2)


@confirms("N(0, 1) and N(1, 1) have D_a = a / 2, that is rho = 1/2.", Method.SYMBOLIC)
@mutant("1.01 a (a - 1) / 2", times=ONE_PERCENT)
def gaussian_moments(times: Fraction = Fraction(1)) -> Finding:
    """p^a q^(1-a) of N(0, 1), N(1, 1) is e^(a(a-1)/2) times the density at x - (1 - a): D_a = a/2."""
    x, a = symbols("x a", real=True)
    exponent = -a * x**2 / 2 - (1 - a) * (x - 1) ** 2 / 2
    right = -((x - (1 - a)) ** 2) / 2 + times * a * (a - 1) / 2
    return identical(exponent, right, {x: (-3, 3), a: (2, 5)})


CLAIMS = (
    Claim(
        id="ENG-T5b",
        source="our own",
        says=(
            "For any positive table r on the cells, the payoffs a r^(a-1) on the data and "
            "-(a-1) r^a on the neighbor sum in the mean to at most e^((a-1) D_a(P||Q)), so they "
            "bet against Renyi and zCDP claims, and against KL in the limit a -> 1."
        ),
        latex=(
            r"E_P[a r^{a-1}] - (a-1) E_Q[r^a] \le e^{(a-1) D_a(P\|Q)},\quad "
            r"E_P[\log r] + 1 - E_Q[r] \le \mathrm{KL}(P\|Q)"
        ),
        domain="a > 1, r > 0; partitions only lower the divergence",
        status=Status.PROVED,
        checks=checks_of(
            cell_of_order_a,
            tangent_of_a_power,
            tangents_over_the_reals,
            order_one,
            tables_never_gain,
            centered_bet,
            gaussian_moments,
        ),
        assumes=("ENG-T2", "ENG-T3"),
        ours=True,
        steps=(
            *by_checks(cell_of_order_a, tangent_of_a_power, centered_bet),
            ByHand(
                "Sum over cells: g >= 0 is convexity of y^a, so the payoffs sum to at most sum P^a Q^(1-a) on the cells, which is at most e^((a-1) D_a) of the whole laws (data processing)."
            ),
            ByCheck("order_one", "For a = 1 the gap is Q r h(y) with h(1) = 0 and h' = log y."),
            ByClaim(
                "ENG-T2",
                "With means that sum to at most 2 and factors a, b >= 0 T2's step gives E a E b <= 1.",
            ),
        ),
    ),
)
