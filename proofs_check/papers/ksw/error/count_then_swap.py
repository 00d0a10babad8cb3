"""The leading constant of a noisy count followed by a swap mean, which KSW compares with (ours).

With L = Lap(2 / eps) rounded to an integer, k = n + L records enter, with noise of scale 2 w / (k
eps). For large n, records of mean low + w p and variance w^2 V,

    n^2 MSE / w^2 -> 8 / eps^2 + V E[L^-] + (p - 1/2)^2 E[(L^+)^2],

E[L^-] = sqrt(q) / (2 (1 - q)) and E[(L^+)^2] = sqrt(q) (1 + q) / (2 (1 - q)^2), q = e^(-eps / 2).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_hand
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Balls
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "count_then_swap_constant"]

ONE_PERCENT = Fraction(101, 100)
Box = dict[Any, tuple[Fraction | int, Fraction | int]]

VALUES = (
    ("1", "0", "9.01019"),
    ("1", "1/2", "8.24741"),
    ("1/10", "1/10", "864.907"),
)
"""Epsilon, mean of bits, and the constant."""


def count_then_swap_constant(eps: Any, p: Any, spread: Any, *, numbers: Any) -> Any:
    """Limit of n^2 MSE / w^2; `spread` is V."""
    root = numbers.exp(-eps / 4)
    q = root * root
    less = root / (2 * (1 - q))
    more = root * (1 + q) / (2 * (1 - q) * (1 - q))
    return 8 / (eps * eps) + spread * less + (p - Fraction(1, 2)) ** 2 * more


@proves("Sums of m q^m and m^2 q^m, as differences of tails.", Method.SYMBOLIC)
@mutant("1.01 for 1", one=ONE_PERCENT)
def sums_of_powers(one: Fraction = Fraction(1)) -> Finding:
    """Sums of m q^m and of m^2 q^m from 1 on: each term is a difference of their tails.

    The tails behind m - 1 are q^m (m - (m - 1) q) / (1 - q)^2 and q^m (m^2 - (2 m^2 - 2 m - 1) q +
    (m - 1)^2 q^2) / (1 - q)^3; they vanish for large m, and are the sums at m = 1.
    """
    q, m = symbols("q m", positive=True)

    def first(m: Any) -> Any:
        return q**m * (m - (m - 1) * q) / (1 - q) ** 2

    def second(m: Any) -> Any:
        inner = m**2 - (2 * m**2 - 2 * m - one) * q + (m - 1) ** 2 * q**2
        return q**m * inner / (1 - q) ** 3

    domain: Box = {q: (Fraction(1, 9), Fraction(8, 9)), m: (1, 5)}
    return every(
        (
            identical((first(m) - first(m + 1)) / q**m, m, domain),
            identical((second(m) - second(m + 1)) / q**m, m**2, domain),
            identical(first(1), q / (1 - q) ** 2, {q: (0, 1)}),
            identical(second(1), q * (1 + q) / (1 - q) ** 3, {q: (0, 1)}),
        )
    )


@encloses("Three values for bits.", Method.ENCLOSURE)
@mutant("1.01 eps", factor=ONE_PERCENT)
def values(factor: Fraction = Fraction(1)) -> Finding:
    """The constant for records that are bits, V = p (1 - p)."""
    numbers = Balls(128)
    rows = []
    for eps, mean, printed in VALUES:
        e, p = factor * Fraction(eps), Fraction(mean)
        ball = numbers.rational(e)
        found = count_then_swap_constant(ball, p, p * (1 - p), numbers=numbers)
        rows.append((f"eps = {eps}, mean {mean}", printed, found))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="KSW-CMP",
        source="our own, for what Section 1 compares with",
        ours=True,
        says=(
            "A count with noise Lap(2/eps), rounded, then the mean of so many records with noise "
            "Lap(2 w/(k eps)): the limit of n^2 MSE / w^2, before the clip."
        ),
        latex=r"\frac8{\varepsilon^2}+V\frac{\sqrt q}{2(1-q)}+\Big(p-\frac12\Big)^2"
        r"\frac{\sqrt q\,(1+q)}{2(1-q)^2},\qquad q=e^{-\varepsilon/2}",
        domain="eps > 0; records of mean low + w p and variance w^2 V; n to infinity",
        status=Status.PROVED,
        checks=checks_of(sums_of_powers, values),
        steps=(
            *by_hand(
                "Given k the noise adds 8 w^2/(k eps)^2; a sample of k < n adds w^2 V (n - k)/(k (n - 1)), padding by the midpoint with k > n a bias of w (k - n)/k (p - 1/2).",
                "n^2 times these tend to 8 w^2/eps^2, w^2 V L^- and w^2 (p - 1/2)^2 (L^+)^2, dominated for k >= n/2; k < n/2 has a probability that falls exponentially in n, and an error of at most a constant.",
                "The rounded noise is m > 0 with probability (1 - q) q^m / (2 sqrt(q)), and -m alike.",
            ),
            ByCheck("sums_of_powers", "So the two means are as stated."),
        ),
    ),
)
