"""Exact output law of Algorithm 3 with Laplace noise (our own): tail, atoms, privacy of an atom."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Ball, Balls
from proofs_check.papers.ksw.error.laplace_error import (
    HALF,
    LAW,
    below_zero_transformed,
    laplace_sum_tail,
)
from proofs_check.printed_values import as_printed
from proofs_check.symbolic import exp, identical, integrate, limit, oo, symbols

__all__ = ["CLAIMS", "at_lower_end", "at_upper_end"]

Formula = Callable[..., Any]


def at_lower_end(A: Any, B: Any, e_A: Any, e_N: Any) -> Any:
    """P(X = 0) of Algorithm 3 (KSW-X1): A = eps s1, B = eps s2, e_A = e^(-A), e_N = e^(-A-B)."""
    return e_A / 2 - e_N / 4 * (1 + B - A)


def at_upper_end(A: Any, B: Any, e_B: Any, e_N: Any) -> Any:
    """P(X = 1) of Algorithm 3 (KSW-X1)."""
    return at_lower_end(B, A, e_B, e_N)


@proves("S is the tail of alpha L1 + beta L2, and for equal scales its limit.", Method.SYMBOLIC)
@mutant(
    "a sum for the difference in the numerator",
    tail=lambda a, b, e, f: (a**2 * e + b**2 * f) / (2 * (a**2 - b**2)),
)
def sum_of_two(tail: Formula = laplace_sum_tail) -> Finding:
    """P(L1 + r L2 > r T) by convolution in the three ranges of L2, and its limit for r -> 1."""
    r, T, v, g = symbols("r T v g", positive=True)  # g = 1 - r
    low = exp(-r * T) / 4 * integrate(exp(v * (1 + r)), (v, -oo, 0))
    middle = exp(-r * T) / 4 * integrate(exp(-v * g), (v, 0, T))
    high = integrate(exp(-v) / 2 - exp(r * T) / 4 * exp(-v * (1 + r)), (v, T, oo))
    convolution = (low + middle + high).subs(g, 1 - r)
    closed = tail(1, r, exp(-r * T), exp(-T))
    equal = (1 + T / 2) * exp(-T) / 2
    return every(
        [
            identical(convolution, closed, {r: (0, 1), T: (0, 5)}),
            identical(limit(closed, r, 1), equal, {T: (0, 5)}),
        ]
    )


@proves(
    "The three regions with a negative count add up to e^-N (1 - 2x + B - A) / 4.", Method.SYMBOLIC
)
@mutant(
    "1 - 2.02 x for 1 - 2 x",
    below=lambda x, N, p, e: below_zero_transformed(x, N, p, e) - e * x / 200,
)
@mutant("A - B for B - A", below=lambda x, N, p, e: below_zero_transformed(x, -N, p, e))
def negative_count_transformed(below: Formula = below_zero_transformed) -> Finding:
    """D(x) of Algorithm 3: P(W < 0, count < 0) - P(W > 0, count < 0), over the three regions."""
    A, B, k, q, r = symbols("A B k q r", positive=True)
    quadrant = integrate(integrate(exp(-r - q), (r, k * q, oo)), (q, 0, oo))  # W < 0, both < 0

    def mixed(own: Any, other: Any) -> Any:
        inner = integrate(exp(-other), (q, 0, other)) + integrate(
            exp(other - 2 * q), (q, other, oo)
        )
        return exp(-own) / 4 * inner

    regions = exp(-A - B) / 4 * (2 * quadrant - 1) + mixed(A, B) - mixed(B, A)
    x, N = k / (1 + k), A + B
    return identical(regions, below(x, N, A / N, exp(-N)), {A: (0, 4), B: (0, 4), k: (0, 5)})


@proves(
    "The tail at x = 0 and x = 1 gives the atoms; without records the law is an atom "
    "of 1/4 at each end and uniform between.",
    Method.SYMBOLIC,
)
@mutant(
    "1 - B + A for 1 + B - A", lower=lambda A, B, e, f: at_lower_end(A, B, e, f) + f / 2 * (B - A)
)
def atoms_transformed(lower: Formula = at_lower_end) -> Finding:
    """The atoms at both ends and P(count < 0) from the tail; the law without records."""
    A, B, x = symbols("A B x", positive=True)
    N = A + B
    domain = {A: (0, 4), B: (0, 4)}

    def left(at: Any) -> Any:
        return below_zero_transformed(at, N, A / N, exp(-N))

    one = Fraction(1)
    empty = HALF + below_zero_transformed(x, 0, HALF, one)  # tau = 0 at N = 0
    zero_atom = lower(0, 0, one, one)
    return every(
        [
            identical(1 - (1 - exp(-A) / 2) - left(0), lower(A, B, exp(-A), exp(-N)), domain),
            identical(exp(-B) / 2 + left(1), lower(B, A, exp(-B), exp(-N)), domain),
            identical(empty, zero_atom + (1 - 2 * zero_atom) * (1 - x), {x: (0, 1)}),
        ]
    )


@encloses(
    "Privacy loss of {X = 0} when u joins n copies of l: four reference values.", Method.ENCLOSURE
)
@mutant("0.2525 for 1/4", quarter=Fraction(101, 400))
def losses_at_the_lower_end(quarter: Fraction = Fraction(1, 4)) -> Finding:
    """Log ratio of P(X = 0) when a record u joins n copies of l."""
    numbers = Balls(160)

    def atom(A: Fraction, B: Fraction) -> Ball:
        e_A, e_N = (numbers.exp(numbers.rational(-t)) for t in (A, A + B))
        return e_A / 2 - e_N * quarter * (1 + B - A)

    rows = (
        ("1", 0, "0.306852819440055"),
        ("1", 1, "0.744591909528113"),
        ("1", 10, "0.9999772946233"),
        ("5", 1, "4.98295372504203"),
    )
    return as_printed(
        (f"eps = {eps}, n = {n}", printed, numbers.log(atom(Fraction(0), B) / atom(e, B)))
        for eps, n, printed in rows
        for e in (Fraction(eps),)
        for B in (n * e,)
    )


CLAIMS = (
    Claim(
        id="KSW-X1",
        source="our own",
        ours=True,
        says=(
            "The exact law of the output of Algorithm 3 with Laplace noise: its tail, its atoms at "
            "both ends of the interval, and the probability of a negative noisy count."
        ),
        latex=(
            r"P(X > x) = S(xB - (1-x)A;\, 1-x,\, x) + \tfrac14 e^{-N}(1 - 2x + B - A),\quad "
            r"S(\tau;\alpha,\beta) = \frac{\alpha^2 e^{-\tau/\alpha} - \beta^2 e^{-\tau/\beta}}"
            r"{2(\alpha^2 - \beta^2)},\quad P(X = 0) = \tfrac12 e^{-A} - \tfrac14 e^{-N}(1 + B - A)"
        ),
        domain=LAW + "; 0 <= x < 1; S(-tau) = 1 - S(tau)",
        status=Status.PROVED,
        checks=checks_of(
            sum_of_two, negative_count_transformed, atoms_transformed, losses_at_the_lower_end
        ),
        steps=(
            *by_checks(sum_of_two, negative_count_transformed, atoms_transformed),
            *by_hand(
                "With a = A + L1, b = B + L2 and W = (1 - x) a - x b, X > x means that W and the noisy count a + b have the same sign, so P(X > x) = P(W > 0) + P(W < 0, a + b < 0) - P(W > 0, a + b < 0).",
                "The first is S.",
                "For a + b < 0 there are three regions: a and b negative, where W < 0 with probability 1 - x given the region's mass e^-N / 4; a < 0 < b, where W < 0; b < 0 < a, where W > 0.",
                "P(a + b < 0) = S(N; 1, 1).",
            ),
        ),
    ),
)
