"""The tail of Laplace noise (PDP, Lemma 5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import TERMS, Condition, Quantity, for_all, rearrange
from proofs_check.papers.pdp.common import PERCENT
from proofs_check.smt import all_of, implies, reals
from proofs_check.symbolic import exp, integrate, log, oo, symbols

__all__ = ["CLAIMS", "laplace_tail"]


def laplace_tail(t: Any, *, numbers: Any) -> Any:
    """P(|Lap(1)| >= t) = e^(-t)."""
    return numbers.exp(-t)


@proves("The integral of e^(-x) from ln(1 / beta) on is beta.", Method.SYMBOLIC)
@mutant("ln(1.01 / beta)", scale=PERCENT)
@for_all(
    reals("beta"),
    "Laplace noise of scale {one} exceeds {level} in absolute value with probability {right}, exactly.",
    terms=lambda v: {"one": 1, "level": TERMS.log(1 / v["beta"])},
    by=rearrange,
    box={"beta": (0, 1)},
)
def tail_is_beta(beta: Any, *, scale: Fraction = Fraction(1)) -> Condition:
    """The density e^(-x) of |Lap(1)| has the tail e^(-t), which is beta at ln(c / beta), c = 1."""

    def tail(chance: Any) -> Any:
        x, t = symbols("x t", positive=True)
        above = integrate(exp(-x), (x, t, oo))
        return above.subs(t, log(scale.numerator / (chance * scale.denominator)))

    exceeded = Quantity(
        "P(|Lap(1)| >= ln(1 / beta))", r"P(|\mathrm{Lap}(1)| \ge \ln(1/\beta))", tail
    )
    return implies(all_of(beta > 0, beta < 1), exceeded(beta) == beta)


@proves("The tail of the density e^(-x).", Method.SYMBOLIC)
@mutant("e^(-1.01 t)", rate=PERCENT)
@for_all(reals("t"), "Its tail is {right}.", by=rearrange, box={"t": (0, 9)})
def tail_is_exponential(t: Any, *, rate: Fraction = Fraction(1)) -> Condition:
    """The integral of the density e^(-x) of |Lap(1)| from t on."""

    def tail(start: Any) -> Any:
        x = symbols("x", positive=True)
        return integrate(exp(-x), (x, start, oo))

    above = Quantity("P(|Lap(1)| >= t)", r"P(|\mathrm{Lap}(1)| \ge t)", tail)
    return implies(t > 0, above(t) == laplace_tail(rate * t, numbers=TERMS))


CLAIMS = (
    Claim(
        id="PDP-L5",
        source="Lemma 5",
        states=(tail_is_beta, tail_is_exponential),
        status=Status.PROVED,
        checks=checks_of(tail_is_beta, tail_is_exponential),
    ),
)
