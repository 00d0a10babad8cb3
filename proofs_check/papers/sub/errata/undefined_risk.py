"""Errata 15 and 16: a quantile that depends on copies, and a risk of data sets with no point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, refutes
from proofs_check.claim import Claim, Method, Status
from proofs_check.language import Condition, Quantity, all_of, implies, integers, refuted
from proofs_check.papers.sub.common import lower_quantile
from proofs_check.papers.sub.errata.general import interpolated_quantile

__all__ = ["CLAIMS"]


def copies(count: Fraction) -> tuple[int, ...]:
    """That many copies of {0, 1}: data with one distribution function."""
    return (0,) * int(count) + (1,) * int(count)


@refutes("{0, 1} and {0, 0, 1, 1} have the quarter-quantiles 1/4 and 0.", Method.EXACT)
@mutant("x of rank ceil(q n)", quantile=lower_quantile)
@refuted(
    integers("m k"),
    "Quantiles are monotone properties, whichever definition is meant: {m} copies of two points dominate {k} copies, so {left} is at least {right}.",
    at={"m": 2, "k": 1},
)
def quantiles_of_copies(
    m: Any, k: Any, *, quantile: Callable[[Any, Fraction], Any] = interpolated_quantile
) -> Condition:
    """Interpolated quarter-quantiles (type 7, the default of numpy)."""
    of_first, of_second = (
        Quantity(f"that of {name}", tex, lambda n: Fraction(quantile(copies(n), Fraction(1, 4))))
        for name, tex in (("the first", r"\theta(D')"), ("the second", r"\theta(D)"))
    )
    return implies(all_of(m >= 1, k >= 1), of_first(m) >= of_second(k))


@refutes("With n <= 1/eps one of the subsets is empty.", Method.EXACT)
@mutant("n = 3 with 1/eps = 2", n=3)
@refuted(
    integers("n K"),
    "The subset risk is defined for every data set: its smallest subsets have {left} points, at least {right}.",
    at={"n": 1, "K": 2},
)
def subsets_have_a_point(n: Any, k: Any) -> Condition:
    """Subsets of at least n - K points, K = 1 / eps."""
    return implies(all_of(n >= 1, k >= 1), n - k >= 1)


CLAIMS = (
    Claim(
        id="SUB-E15",
        source="Erratum 15, Section 4, quantiles as an example",
        states=(quantiles_of_copies,),
        domain="interpolated quantiles (type 7, the default of numpy)",
        status=Status.REFUTED,
        checks=checks_of(quantiles_of_copies),
        why="Interpolation depends on the size, and not on the distribution function alone.",
        right="theta_q(D) = x of rank ceil(q n).",
        corrected_by="SUB-D4.2",
        obligations=(),
    ),
    Claim(
        id="SUB-E16",
        source="Erratum 16, equation (1)",
        states=(subsets_have_a_point,),
        domain="n the number of records, K = 1/eps",
        status=Status.REFUTED,
        checks=checks_of(subsets_have_a_point),
        why="theta of the empty set is not defined.",
        right="Require n > 1/eps.",
        corrected_by="SUB-D1",
    ),
)
