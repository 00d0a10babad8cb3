"""Name-and-shame: each record is released, divided by delta, with probability delta (3.0.2)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals, rearrange
from proofs_check.papers.tri.common import printed_table
from proofs_check.steps import ByDefinition, ByHand

__all__ = [
    "CLAIMS",
    "LAW",
    "coin_is_private",
    "mean_and_variance",
    "mean_square_error",
    "name_and_shame_error",
]

NAMED = (
    ((1000, "0.001", 1, "0.5"), "1.24975"),
    ((100, "0.1", 2, 0), "0.2"),
    ((10, 1, 1, 3), "0.1"),
    ((1000, "0.000001", "0.25", "0.5"), "499.99975"),
)
"""(n, delta, variance, mean) and the mean square error."""

ONE_PERCENT = Fraction(101, 100)
LAW = ((Fraction(-1), Fraction(1, 2)), (Fraction(1), Fraction(1, 3)), (Fraction(4), Fraction(1, 6)))
"""Points and probabilities of the law of the examples."""


def name_and_shame_error(n: Any, delta: Any, var: Any, mu: Any) -> Any:
    """Proposition 3.0.2: (Var + (1 - delta) mu^2) / (delta n)."""
    return (var + (1 - delta) * mu * mu) / (delta * n)


@proves(
    "Laws that agree but for an event of probability delta differ by at most delta.", Method.SMT
)
@mutant("0.99 delta", total=Fraction(99, 100))
@for_all(
    reals("p0 p1 q0 q1 delta e"),
    "Where a coin of chance {delta} lets go what is private at the factor {e} without it, chances grow at most by that factor and {delta}.",
    polynomial=True,
)
def coin_is_private(
    p0: Any, p1: Any, q0: Any, q1: Any, delta: Any, e: Any, *, total: Fraction = Fraction(1)
) -> Condition:
    """Without the coin the laws satisfy p0 <= E q0; with it, p <= E q + delta. E = 1: total."""
    unit = all_of(*(all_of(0 <= x, x <= 1) for x in (p0, p1, q0, q1, delta)))
    p = (1 - delta) * p0 + delta * p1
    q = (1 - delta) * q0 + delta * q1
    return implies(all_of(unit, e >= 1, p0 <= e * q0), p <= e * q + total * delta)


def mean_square_error(
    release: Callable[[Fraction], list[tuple[Fraction, Fraction]]], n: int
) -> tuple[Fraction, Fraction]:
    """Bias and mean square error of the mean of n independent released records of `LAW`."""
    mu = sum((x * p for x, p in LAW), Fraction(0))
    outcomes = [(y, p * q) for x, p in LAW for y, q in release(x)]
    bias = square = Fraction(0)
    for drawn in product(outcomes, repeat=n):
        weight = Fraction(1)
        for _, q in drawn:
            weight *= q
        off = sum((y for y, _ in drawn), Fraction(0)) / n - mu
        bias += weight * off
        square += weight * off * off
    return bias, square


def mean_and_variance() -> tuple[Fraction, Fraction]:
    """Mean and variance of `LAW`."""
    mu = sum((x * p for x, p in LAW), Fraction(0))
    return mu, sum(((x - mu) ** 2 * p for x, p in LAW), Fraction(0))


@confirms(
    "Two records of a law on three points, every outcome: unbiased, error exact.", Method.EXACT
)
@mutant("coins of rate 1.01 delta", rate=ONE_PERCENT)
def named_error_is_exact(delta: Fraction = Fraction(1, 7), rate: Fraction = Fraction(1)) -> Finding:
    """Two records, every outcome of law and coins: no bias, and the error of the formula."""

    def release(x: Fraction) -> list[tuple[Fraction, Fraction]]:
        return [(x / delta, rate * delta), (Fraction(0), 1 - rate * delta)]

    bias, square = mean_square_error(release, 2)
    mu, var = mean_and_variance()
    expected = name_and_shame_error(2, delta, var, mu)
    return exactly(bias == 0 and square == expected, f"bias {bias}, mean square error {square}")


@proves("Mean and variance of released records, for all means and variances.", Method.SYMBOLIC)
@mutant("1.01 delta", factor=ONE_PERCENT)
@mutant("coins of rate 1.01 delta", rate=ONE_PERCENT)
@for_all(
    reals("delta var mu n"),
    "Releasing each record of mean {mu} and variance {var}, divided by {delta}, with probability {delta} (name-and-shame) has the mean {mean}, so no bias; the mean square error of {n} of them is exactly {error}.",
    terms=lambda v: {
        "mean": v["mu"],
        "error": name_and_shame_error(v["n"], v["delta"], v["var"], v["mu"]),
    },
    by=rearrange,
    box={"delta": (0, 1), "var": (0, 2), "mu": (1, 3), "n": (1, 9)},
)
def named_error(
    delta: Any,
    var: Any,
    mu: Any,
    n: Any,
    *,
    factor: Fraction = Fraction(1),
    rate: Fraction = Fraction(1),
) -> Condition:
    """X xi / delta: its mean, and E X^2 / delta - mu^2 = (Var + (1 - delta) mu^2) / delta, over n."""
    mean = rate * delta * (mu / delta)
    variance = delta * (var + mu**2) / delta**2 - mu**2
    error = name_and_shame_error(n, factor * delta, var, mu)
    given = all_of(0 < delta, delta <= 1, var >= 0, n >= 1)
    return implies(given, all_of(mean == mu, variance / n == error))


@encloses("Values of the error.", Method.ENCLOSURE)
@mutant("1.01 delta", factor=ONE_PERCENT)
def named_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of the error; delta is multiplied by a factor under the mutant."""
    return printed_table(
        lambda n, delta, var, mu, **_: name_and_shame_error(n, factor * delta, var, mu), NAMED
    )


CLAIMS = (
    Claim(
        id="TRI-P3.0.2",
        source="Proposition 3.0.2",
        states=(
            coin_is_private,
            named_error,
        ),
        domain="p0 and q0 are the chances of an event on neighbors without the coin of the record that changes, p1 and q1 with it; e = 1 for name-and-shame; any law with a mean, n independent records",
        status=Status.PROVED,
        checks=checks_of(coin_is_private, named_error, named_error_is_exact, named_values),
        steps=(
            *by_checks(coin_is_private, named_error),
            ByDefinition(
                "TRI-A.NS",
                "A neighbor changes the output only if the coin of the changed record shows 1.",
            ),
            ByHand(
                "The released records are independent, so the variance of their mean is that of one over n."
            ),
        ),
    ),
)
