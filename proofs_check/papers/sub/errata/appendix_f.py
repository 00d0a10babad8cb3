"""What Appendix F prints of the minimizer and of subsets (SUB, erratum 21)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import mutant, refutes
from proofs_check.claim import Method
from proofs_check.language import Condition, all_of, implies, reals, refuted

__all__ = ["formula_is_the_minimum", "subsets_stay_below"]


@refutes("N = 3, k = 1, p = 2: the formula gives 1/3, the minimum itself is 2/3.", Method.EXACT)
@mutant("no minimizer", y=Fraction(1, 2))
@refuted(
    reals("y"),
    "Appendix F writes the minimum for the minimizer: {left} is the minimum, {right};",
    at={"y": Fraction(1, 3)},
)
def formula_is_the_minimum(y: Any) -> Condition:
    """N = 3, k = 1, p = 2: the formula gives 1/3, at which the sum of squares is least."""
    return implies(3 * y == 1, y == 2 * y * y + (1 - y) * (1 - y))


@refutes("A subset has a minimizer above mu_p(D).", Method.EXACT)
@mutant("no zero removed", K=0)
@refuted(
    reals("n K"),
    "it keeps minimizers of subsets below that of the data: without {K} zeros {left} is at most {right};",
    at={"n": 10, "K": 3},
)
def subsets_stay_below(n: Any, k: Any) -> Condition:
    """mu_p(D') <= mu_p(D) for p = 2, the mean."""
    return implies(all_of(n >= 2, k >= 0, k < n - 1), 1 / (n - k) <= 1 / n)
