"""Errata of PDP in Lemma 16 and in the error bound of Theorem 11: errata 20 to 23."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import Ball
from proofs_check.exponential import ExpSum
from proofs_check.language import (
    TERMS,
    Condition,
    Quantity,
    all_of,
    for_all,
    implies,
    integers,
    reals,
    refuted,
)
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.errata.third_terms import (
    constant_of_the_first,
    second_block_of_the_lemma,
    third_term_of_the_lemma,
)
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.steps import ByHand
from proofs_check.symbolic import Poly, Rational, count_roots, symbols

__all__ = ["CLAIMS", "VECTORS", "printed_xi"]

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
VECTORS = tuple(
    tuple(Fraction(e) for e in text.split()) for text in ("2 8 8", "1/2 1 2 4 8 16", "1/10 3/10 1")
)
"""Ascending budgets: with saturation, with more of it, without."""

Rates = Sequence[Fraction]


def coin_law(rates: Rates) -> list[Fraction]:
    """P(N = 0), P(N = 1), ... for independent coins."""
    law = [Fraction(1)]
    for p in rates:
        law = [
            (law[k] if k < len(law) else 0) * (1 - p) + (law[k - 1] * p if k else 0)
            for k in range(len(law) + 1)
        ]
    return law


def equal_coins(rates: Rates) -> list[Fraction]:
    """The same for coins that all fall alike."""
    return [1 - rates[0], *[Fraction(0)] * (len(rates) - 1), rates[0]]


@confirms(
    "Still the law of floor(N / 2) is that of a sum of coins: its generating function has real roots only, on samples.",
    Method.EXACT,
)
@mutant("coins that all fall alike", law=equal_coins)
def pairs_are_a_sum_of_coins(law: Callable[[Rates], list[Fraction]] = coin_law) -> Finding:
    """The generating function of floor(N / 2) has only real roots: it is a sum of other coins."""
    z = symbols("z")
    samples = ("1/2 1/3 1/5 2/7", "9/10 4/5 7/10 1/2 1/9", "1/3 1/4 1/5 1/6 1/7 1/8")
    for text in samples:
        found = law([Fraction(p) for p in text.split()])
        terms = sum(
            Rational(q.numerator, q.denominator) * z ** (k // 2) for k, q in enumerate(found)
        )
        polynomial = Poly(terms, z)
        if count_roots(polynomial) != polynomial.degree():
            return exactly(False, f"a root is not real for rates {text}")
    return exactly(True, f"{len(samples)} samples")


@proves("N - 1 <= 2 floor(N / 2) <= N.", Method.SMT)
@mutant("N <= 2 floor(N / 2)", slack=0)
@for_all(integers("N half"))
def half_of_a_number(n: Any, half: Any, *, slack: int = 1) -> Condition:
    """N - 1 <= 2 floor(N / 2) <= N, so the mean of floor(N / 2) is within 1/2 of E N / 2."""
    floor_of_half = all_of(2 * half <= n, n < 2 * half + 2)
    return implies(all_of(n >= 0, floor_of_half), all_of(2 * half >= n - slack, 2 * half <= n))


@confirms("E N / 2 = A / (4 tau) with the rates of (7).", Method.EXACT)
@mutant("0.505 eps / tau", share=Fraction(505, 1000))
def expected_pairs(share: Fraction = HALF) -> Finding:
    """Under (7) E N = A / (2 tau), so E |G| = A / (4 tau) up to 1/2."""
    for vector in VECTORS:
        found = saturation(vector)
        mean = sum((share * e / found.tau for e in found.budgets), Fraction(0))
        if mean / 2 != found.total / (4 * found.tau):
            return exactly(False, f"E N / 2 = {mean / 2} for {[str(e) for e in vector]}")
    return exactly(True, f"{len(VECTORS)} vectors")


@refutes(
    "With the printed filter at mu = 0, or the rates of Algorithm 6, the mean is half or twice the printed one.",
    Method.EXACT,
)
@mutant("50.5 % kept", kept=Fraction(505, 1000))
@mutant("1.01 eps / tau", share=PERCENT)
def other_rates_and_filter(kept: Fraction = HALF, share: Fraction = Fraction(1)) -> Finding:
    """E N / 2 is half of the print with the filter at mu = 0, twice the print with eps / tau.

    E |G| lies within 1/2 of E N / 2, and the print is 248 for a thousand budgets 1.
    """
    found = saturation([Fraction(1)] * 1000)
    printed = found.total / (4 * found.tau)
    filtered = kept * found.total / (2 * found.tau) / 2
    doubled = share * found.total / found.tau / 2
    return exactly(
        2 * filtered == printed and doubled == 2 * printed and printed > 240,
        f"means about {filtered} and {doubled}, printed {printed}",
    )


@refutes("ln ln(1 / sigma) does not exist for sigma = 1.005.", Method.ENCLOSURE)
@mutant("sigma = 0.996", sigma=Fraction(996, 1000))
def double_logarithm(sigma: Fraction = Fraction(1005, 1000)) -> Finding:
    """ln(1 / sigma) < 0 for sigma = 1.005: its logarithm does not exist."""
    return below([("ln(1 / sigma)", -NUMBERS.log(ball(sigma)), Fraction(0))])


def printed_xi(total: Ball, _: Ball, __: Ball) -> Ball:
    """Xi / sigma = c ln A with c = 10, as printed but for the constant."""
    return 10 * NUMBERS.log(total)


def sufficient_xi(_: Ball, n: Ball, level: Ball) -> Ball:
    """Xi / sigma = sqrt(2 ln(24 n / beta)); level = ln(1 / beta)."""
    return NUMBERS.sqrt(2 * (NUMBERS.log(24 * n) + level))


@refutes("A single record leaves the interval with probability above beta / 12.", Method.ENCLOSURE)
@mutant("xi = sigma sqrt(2 ln(24 n / beta))", xi=sufficient_xi)
def interval_is_too_short(xi: Callable[[Ball, Ball, Ball], Ball] = printed_xi) -> Finding:
    """For n = 1e12 budgets 1, A = 1e12; ln(1 / beta) = 1e6: a record leaves with more than beta / 12.

    That n is of the order ln(1 / beta)^2 that Theorem 11 asks for.
    """
    n, level = ball(10**12), ball(10**6)
    leaves = NUMBERS.erfc(xi(n, n, level) / NUMBERS.sqrt(ball(2)))
    return below([("beta / 12 and P(|x - mu| > xi)", NUMBERS.exp(-level) / 12, leaves)])


@refutes("xi < 0 for a hundred budgets 0.009955.", Method.ENCLOSURE)
@mutant("budgets 0.010045", budget=Fraction(2009, 200_000))
def interval_is_negative(budget: Fraction = Fraction(1991, 200_000)) -> Finding:
    """A hundred budgets 0.009955: A = 0.9955 < 1, so xi = c ln A < 0."""
    total = saturation([budget] * 100).total
    return below([("ln A", NUMBERS.log(ball(total)), Fraction(0))])


@refutes(
    "Lemma 18 has muN / 4 = A / (8 tau), and muN(2) / 4; equal budgets give quotient 1/4.",
    Method.EXACT,
)
@mutant("0.505 eps / tau", share=Fraction(505, 1000))
def third_terms(share: Fraction = HALF) -> Finding:
    """Lemma 18's muN / 4 is A / (8 tau) under (7), printed A / (4 tau); second block muN for muN / 4.

    And A / (4 tau) >= n eps_1 / tau fails: for equal budgets the quotient is 1/4.
    """
    for vector in (*VECTORS, (Fraction(1),) * 20):
        found = saturation(vector)
        mean = sum((share * e / found.tau for e in found.budgets), Fraction(0))
        printed = found.total / (4 * found.tau)
        rest = len(vector) - mean
        smaller = ExpSum.exp(-printed) < ExpSum.exp(-mean / 4)
        if printed != mean / 2 or not smaller or not ExpSum.exp(-rest) < ExpSum.exp(-rest / 4):
            return exactly(False, f"muN / 4 = {mean / 4}, printed {printed}")
    equal = saturation([Fraction(1)] * 20)
    quotient = (equal.total / (4 * equal.tau)) / (20 / equal.tau)
    return exactly(
        quotient == QUARTER, f"printed exponents twice and 4 times too large; {quotient}"
    )


@refutes("At A / tau = 1000: 500 against 250.", Method.EXACT)
@mutant("0.505 eps / tau", share=Fraction(505, 1000))
@refuted(
    reals("A tau"),
    "The number of pairs is a sum of coins with the mean {mean} up to a constant: so is {left}, that with the rates of Algorithm Six, at most {right};",
    at={"A": 1000, "tau": 1},
    terms=lambda v: {"mean": v["A"] / (4 * v["tau"])},
)
def number_of_pairs(total: Any, tau: Any, *, share: Fraction = Fraction(1)) -> Condition:
    """Half of the expected survivors; up to 100 pairs."""
    return implies(all_of(total > 0, tau > 0), share * total / (2 * tau) <= total / (4 * tau) + 100)


@refutes("ln(1 / sigma) < 0 for sigma = 1.005.", Method.ENCLOSURE)
@mutant("sigma = 0.996", sigma=Fraction(249, 250))
@refuted(
    reals("sigma"),
    "and a number of records of the order of a double logarithm suffices, which exists: {left} is positive.",
    at={"sigma": Fraction(1005, 1000)},
)
def logarithm_is_positive(sigma: Any) -> Condition:
    """Ln ln(1 / sigma) needs ln(1 / sigma) > 0."""
    return implies(sigma > 0, TERMS.log(1 / sigma) > 0)


@refutes(
    "n = A = 1e12, ln(1 / beta) = 1e6: a record leaves it with more than beta / 12.",
    Method.ENCLOSURE,
)
@mutant("xi = sigma sqrt(2 ln(24 n / beta))", xi=sufficient_xi)
@refuted(
    reals("n L"),
    "The estimated range lies within the interval of half width {xi}, with a universal factor, except with a chance of {right}: so does each record.",
    at={"n": 10**12, "L": 10**6},
    terms=lambda v: {"xi": 10 * TERMS.log(v["n"])},
)
def records_stay_in_the_interval(
    n: Any, level: Any, *, xi: Callable[[Ball, Ball, Ball], Ball] = printed_xi
) -> Condition:
    """P(|x - mu| > xi) <= beta / 12 for n = A budgets 1, L = ln(1 / beta), sigma = 1."""

    def beyond(count: Fraction, depth: Fraction) -> Ball:
        return NUMBERS.erfc(xi(ball(count), ball(count), ball(depth)) / NUMBERS.sqrt(ball(2)))

    leaves = Quantity("P(|x - mu| > xi)", r"\Pr(|x - \mu| > \xi)", beyond)
    return implies(all_of(n >= 1, level > 0), leaves(n, level) <= TERMS.exp(-level) / 12)


@refutes("Three outliers: three times the clipping error.", Method.EXACT)
@mutant("one outlier", n=1)
@refuted(
    reals("xi T A") | integers("n"),
    "The clipping error of {n} outliers with the total budget {T} is a sum over them of {each}: {left} is {right}.",
    at={"xi": 1, "T": 6, "A": 40, "n": 3},
    terms=lambda v: {"each": 2 * v["xi"] * v["T"] / v["A"]},
)
def sum_over_outliers(xi: Any, total: Any, all_: Any, n: Any) -> Condition:
    """2 xi T / A, once and n times."""
    once = 2 * xi * total / all_
    given = all_of(xi > 0, total > 0, all_ > 0, n >= 1)
    return implies(given, once == n * once)


CLAIMS = (
    Claim(
        id="PDP-E-20",
        source="Lemma 16, proof",
        states=(number_of_pairs, logarithm_is_positive),
        domain="the filter and the rates as printed; at most 100 pairs more count as up to a constant, any other constant fails likewise",
        status=Status.REFUTED,
        checks=checks_of(
            logarithm_is_positive,
            number_of_pairs,
            other_rates_and_filter,
            double_logarithm,
            half_of_a_number,
            expected_pairs,
            pairs_are_a_sum_of_coins,
        ),
        why="The mean depends on the rates, printed in two versions, and on the filter; for sigma >= 1 the condition has no meaning.",
        right="|G| = floor(N / 2) with N the number of survivors; its mean is A / (4 tau) up to 1/2 with the rates of (7) and no positivity filter; |ln sigma| in the condition.",
        corrected_by="PDP-L16",
        obligations=parts_of(other_rates_and_filter, double_logarithm, half_of_a_number),
        note="The even and odd parts of a polynomial with negative roots interlace (Hermite and Biehler), so their sum has negative roots only: Chernoff's inequality applies to |G| as printed, though its coins are not the pairs.",
    ),
    Claim(
        id="PDP-E-21",
        source="Theorem 11, proof",
        states=(records_stay_in_the_interval,),
        domain="n = A budgets 1, L = ln(1 / beta), sigma = 1 and c = 10; any other c likewise",
        status=Status.REFUTED,
        checks=checks_of(records_stay_in_the_interval, interval_is_too_short, interval_is_negative),
        why="xi does not depend on beta, and ln A may be negative.",
        right="xi of the order sigma sqrt(ln(n / beta)).",
        steps=(
            ByHand(
                "With n = C ln(1 / beta)^2 the interval grows like ln ln(1 / beta), so for every c a small beta refutes it."
            ),
        ),
        obligations=parts_of(interval_is_too_short, interval_is_negative),
        note="Lemma 17, from which the inclusion is drawn, bounds the width of the estimated range by that of the sample, and the sample already leaves the interval too often.",
    ),
    Claim(
        id="PDP-E-22",
        source="Equations (12) and (13)",
        states=(sum_over_outliers,),
        domain="any outliers; A the sum of the saturated budgets",
        status=Status.REFUTED,
        checks=checks_of(sum_over_outliers),
        why="T is a sum already.",
        right="2 xi T / A.",
        corrected_by="PDP-E12",
    ),
    Claim(
        id="PDP-E-23",
        source="Theorem 11, third terms and C1",
        states=(third_term_of_the_lemma, second_block_of_the_lemma, constant_of_the_first),
        domain="rates of (7): muN(1) = A / (2 tau); m = muN(2)",
        status=Status.REFUTED,
        checks=checks_of(
            second_block_of_the_lemma, constant_of_the_first, third_term_of_the_lemma, third_terms
        ),
        why="Exponents twice and four times too large; the inequality for C1 needs a factor 4.",
        right="exp(-muN / 8) by the corrected Lemma 18, and C1 >= n eps_1 / (16 tau).",
        corrected_by="PDP-L18s",
        obligations=parts_of(third_terms),
    ),
)
