"""Errata of PDP in the proof of Theorem 9 and in Theorem 6: errata 16 and 17."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Ball, endpoints
from proofs_check.language import TERMS, Condition, Quantity, all_of, implies, reals, refuted
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import erf, exp, identical, integrate, pi, sqrt, symbols

__all__ = ["CLAIMS", "printed_variation", "true_variation"]

COINS = 100_000
TAILS = (
    ("0.0005", "0.9", "9.62716567227e-9", "1.60522805519e-9"),
    ("0.004", "0.5", "6.32618e-21", "1.92875e-22"),
)
"""Probability of each coin, eta, tail of the number of heads, bound with delta = 0."""


def true_variation(t: Any, *, numbers: Any) -> Any:
    """TV(N(-t, 1), N(t, 1)) = erf(t / sqrt 2)."""
    return 1 - numbers.erfc(t / numbers.sqrt(numbers.rational(Fraction(2))))


def printed_variation(t: Any, *, numbers: Any) -> Any:
    """TV = erf(t) / sqrt 2, as printed in the proof of Theorem 9."""
    return (1 - numbers.erfc(t)) / numbers.sqrt(numbers.rational(Fraction(2)))


@refutes("The printed distance is too small.", Method.ENCLOSURE)
@mutant(
    "1.01 of the true distance",
    formula=lambda t, *, numbers: PERCENT * true_variation(t, numbers=numbers),
)
def wrong_variation(formula: Any = printed_variation) -> Finding:
    """The printed distance is below the true one, at all t of a list."""
    rows = [
        (f"t = {t}", formula(ball(t), numbers=NUMBERS), true_variation(ball(t), numbers=NUMBERS))
        for t in ("0.01", "0.1", "0.5", "1", "3")
    ]
    return below(rows)


@refutes("The printed integral is 0.1573 at t = 1, the distance 0.6827.", Method.SYMBOLIC)
@mutant("mean t", shift=1)
def wrong_integral(shift: int = -1) -> Finding:
    """The integral over [0, 2 t] of the density with mean -t is 0.1573 at t = 1; with mean t 0.6827."""
    x = symbols("x", real=True)
    t = symbols("t", positive=True)
    density = exp(-((x - shift * t) ** 2) / 2) / sqrt(2 * pi)
    found = integrate(density, (x, 0, 2 * t))
    printed = identical(found, (erf(3 * t / sqrt(2)) - erf(t / sqrt(2))) / 2, {t: (1, 2)})
    root = NUMBERS.sqrt(ball(2))
    values = [(NUMBERS.erfc(1 / root) - NUMBERS.erfc(3 / root)) / 2, 1 - NUMBERS.erfc(1 / root)]
    rows = [("mean -1", "0.1573", values[0]), ("mean 1", "0.6827", values[1])]
    return every([printed, as_printed(rows)])


@refutes(
    "With the factor 2 the printed constant gives P >= -0.064; the route reaches 0.313328534328875.",
    Method.ENCLOSURE,
)
@mutant("2.02 for 2", factor=2 * PERCENT)
def missing_factor_two(factor: Fraction = Fraction(2)) -> Finding:
    """With the factor 2 of Lemma 15, C = 1 / sqrt 2 gives only P >= -0.064; its route C = 0.3133."""
    slope = NUMBERS.sqrt(2 / NUMBERS.pi()) * factor
    least = (1 - slope / NUMBERS.sqrt(ball(2))) / 2
    reached = 1 / (2 * slope)
    rows = [("P", "-0.064", least), ("C", "0.313328534328875", reached)]
    return every([as_printed(rows), below([("P and 1/4", least, Fraction(1, 4))])])


@refutes("erf(x) <= x fails below 0.617446879080607.", Method.ENCLOSURE)
@mutant("0.6236...", root="0.623621347871413")
def error_function_above_x(root: str = "0.617446879080607") -> Finding:
    """The bound erf(x) <= x fails for 0 < x < 0.617446879080607: erf(x) / x falls, and is 1 there."""
    half = Fraction(1, 2 * 10**15)
    ends = [Fraction(root) + sign * half for sign in (-1, 1)]
    quotients = [(1 - NUMBERS.erfc(ball(x))) / x for x in ends]
    inside = [Fraction(j, 100) for j in (1, 20, 40, 60)]
    rows = [(f"x = {x}", ball(x), 1 - NUMBERS.erfc(ball(x))) for x in inside]
    one = ball(1)
    return below([*rows, ("below", one, quotients[0]), ("above", quotients[1], one)])


@refutes("The last term is t sqrt(n - k).", Method.SYMBOLIC)
@mutant("without the 2", printed=False)
def divergence_term(printed: bool = True) -> Finding:
    """sqrt((n - k) / 2 * 2 t^2) = t sqrt(n - k); printed t sqrt(2 (n - k)), sqrt 2 more."""
    t, m = symbols("t m", positive=True)
    right = t * sqrt(2 * m) if printed else t * sqrt(m)
    left = sqrt(m / 2 * (2 * t**2))
    found = identical(left, right, {t: (1, 5), m: (1, 9)})
    return Finding(None if found.holds is None else not found.holds, found.detail)


@refutes("1e5 coins of 0.0005 and of 0.004: the tail is above the bound.", Method.ENCLOSURE)
@mutant("delta = eta", delta=lambda eta: eta)
def chernoff_without_delta(
    delta: Callable[[Fraction], Fraction] = lambda _: Fraction(0),
) -> Finding:
    """For n = 1e5 coins the exact tail is above exp(-eta^2 mu / (2 + delta)) with delta = 0."""
    rows = []
    for text, eta in ((p, Fraction(e)) for p, e, *_ in TAILS):
        mean = COINS * Fraction(text)
        bound = NUMBERS.exp(ball(-(eta**2) * mean / (2 + delta(eta))))
        tail = binomial_tail(COINS, Fraction(text), (1 + eta) * mean)
        rows.append((f"bound and tail at mean {mean}", bound, tail))
    return below(rows)


@refutes("Tails and bounds to all printed digits.", Method.ENCLOSURE)
@mutant("1.01 p", factor=PERCENT)
def printed_tails(factor: Fraction = Fraction(1)) -> Finding:
    """The tails and the bounds with delta = 0, to all printed digits."""
    rows = []
    for text, eta, tail, bound in TAILS:
        p = Fraction(text) * factor
        found = binomial_tail(COINS, p, (1 + Fraction(eta)) * COINS * Fraction(text))
        limit = NUMBERS.exp(ball(-(Fraction(eta) ** 2) * COINS * p / 2))
        rows += [(f"tail, p = {text}", tail, found), (f"bound, p = {text}", bound, limit)]
    return as_printed(rows)


def binomial_tail(n: int, p: Fraction, least: Fraction) -> Ball:
    """P(Bin(n, p) >= least): terms while they matter, the rest by a geometric series."""
    k = -(-least.numerator // least.denominator)
    log_first = NUMBERS.log(ball(comb(n, k))) + NUMBERS.log(ball(p)) * k
    term = NUMBERS.exp(log_first + NUMBERS.log(ball(1 - p)) * (n - k))
    total, first = ball(0), term
    while not endpoints(term)[1] < endpoints(first)[0] / 10**25:
        total = total + term
        term = term * (Fraction(n - k, k + 1) * p / (1 - p))
        k += 1
    ratio = Fraction(n - k, k + 1) * p / (1 - p)
    return total + NUMBERS.between(Fraction(0), endpoints(term)[1] / (1 - ratio))


@refutes("1e5 coins of 0.0005, eta = 0.9: 9.6e-9 above 1.6e-9.", Method.ENCLOSURE)
@mutant("delta = eta", delta=lambda eta: eta)
@refuted(
    reals("p eta"),
    "The upper tail of a sum of coins, {left}, is at most {right}: with an undefined number besides the two, zero as in the lower tail.",
    at={"p": Fraction(5, 10000), "eta": Fraction(9, 10)},
)
def upper_tail(p: Any, eta: Any, *, delta: Callable[[Any], Any] = lambda _: 0) -> Condition:
    """P(S >= (1 + eta) mu) <= exp(-eta^2 mu / (2 + delta)) of 10^5 coins."""
    tail = Quantity(
        "P(S >= (1 + eta) mu)",
        r"\Pr(S \ge (1 + \eta)\mu)",
        lambda p, eta: binomial_tail(COINS, p, (1 + eta) * COINS * p),
    )
    bound = TERMS.exp(-(eta * eta) * (COINS * p) / (2 + delta(eta)))
    return implies(all_of(p > 0, p < 1, eta > 0), tail(p, eta) <= bound)


CLAIMS = (
    Claim(
        id="PDP-E-16",
        source="Theorem 9, proof",
        says="TV = erf(t) / sqrt 2 from an integral of the density with mean -t; the factor 2 of Lemma 15 is dropped; erf(x) <= x; a term t sqrt(2 (n - k)).",
        latex=r"\mathrm{TV} = \int_0^{2t} p_1 = \tfrac{1}{\sqrt 2}\mathrm{erf}(t), \quad \mathrm{erf}(x) \le x, \quad \sqrt{\tfrac{n-k}{2} \cdot 2 t^2} = t \sqrt{2(n-k)}",
        domain="sigma = 1, t > 0",
        status=Status.REFUTED,
        checks=checks_of(
            wrong_variation,
            wrong_integral,
            missing_factor_two,
            error_function_above_x,
            divergence_term,
        ),
        why="The printed chain does not prove the printed constant.",
        right="The statement holds, with a constant 1 even, by another proof.",
        corrected_by="PDP-T9",
        obligations=parts_of(
            wrong_variation,
            wrong_integral,
            missing_factor_two,
            error_function_above_x,
            divergence_term,
        ),
    ),
    Claim(
        id="PDP-E-17",
        source="Theorem 6, upper tail",
        states=(upper_tail,),
        domain="10^5 coins of probability p, mu their expected number of heads; the print has 2 + delta, delta undefined",
        status=Status.REFUTED,
        checks=checks_of(upper_tail, chernoff_without_delta, printed_tails),
        why="The upper tail is heavier than the lower one.",
        right="exp(-eta^2 mu / (2 + eta)).",
        corrected_by="PDP-T6",
        obligations=parts_of(chernoff_without_delta, printed_tails),
    ),
)
