"""What the print of PDP says of the third terms of Lemma 18 in Theorem 11 (erratum 23)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import mutant, refutes
from proofs_check.claim import Method
from proofs_check.language import TERMS, Condition, all_of, implies, reals, refuted

__all__ = ["constant_of_the_first", "second_block_of_the_lemma", "third_term_of_the_lemma"]


@refutes("A / tau = 8: e^(-2) against e^(-1).", Method.ENCLOSURE)
@mutant("1.01 eps / tau", share=Fraction(101, 100))
@refuted(
    reals("A tau"),
    "The third terms of Theorem Eleven are those of the lemma: {left} is at least {right},",
    at={"A": 8, "tau": 1},
)
def third_term_of_the_lemma(total: Any, tau: Any, *, share: Fraction = Fraction(1, 2)) -> Condition:
    """e^(-A / (4 tau)) >= e^(-muN / 4), muN = A / (2 tau)."""
    mean = share * total / tau
    given = all_of(total > 0, tau > 0)
    return implies(given, TERMS.exp(-total / (4 * tau)) >= TERMS.exp(-mean / 4))


@refutes("muN(2) = 4: e^(-4) against e^(-1).", Method.ENCLOSURE)
@mutant("1.01 m for m / 4", quarter=Fraction(101, 100))
@refuted(reals("m"), "{left} is at least {right},", at={"m": 4})
def second_block_of_the_lemma(m: Any, *, quarter: Fraction = Fraction(1, 4)) -> Condition:
    """e^(-muN(2)) >= e^(-muN(2) / 4)."""
    return implies(m > 0, TERMS.exp(-m) >= TERMS.exp(-quarter * m))


@refutes("Equal budgets give a quarter.", Method.EXACT)
@mutant("A / tau", four=1)
@refuted(
    reals("n eps tau"),
    "and of equal budgets {left} is at least {right}.",
    at={"n": 20, "eps": 1, "tau": 2},
)
def constant_of_the_first(n: Any, eps: Any, tau: Any, *, four: int = 4) -> Condition:
    """A / (4 tau) >= n eps_1 / tau with A = n eps."""
    return implies(all_of(n >= 1, 0 < eps, eps <= tau), n * eps / (four * tau) >= n * eps / tau)
