"""Privacy amplification by shuffling (Theorems A.4.1 and 2.2.2), and what follows for a mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import ENCLOSED, SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.papers.tri.chapter2.shuffle_law import (
    EXACT,
    arrays_after_shuffling,
    average_of_blocks,
    in_domain,
    randomized_response_obeys,
    reduction_to_one_row,
    shuffled_delta,
    shuffled_epsilon,
)
from proofs_check.papers.tri.common import Box, printed_table
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import diff, identical, symbols

__all__ = [
    "CLAIMS",
    "averaging_bound",
]

ONE_PERCENT = Fraction(101, 100)
DELTA0 = Fraction(1, 10**12)

AMPLIFIED: tuple[tuple[tuple[Any, ...], str, str], ...] = (
    ((1, 1000, "0.000001"), "0.566201489482801", "1.00326952413984e-6"),
    (("0.5", 10000, "1e-9"), "0.112096260408017", "2.86112468951611e-8"),
    ((2, 5000, "0.00001"), "0.615301657065121", "1.00152154097444e-5"),
    (("0.1", 400, "0.0001"), "0.067182104291703", "1.00001202306525e-4"),
)
"""(eps0, m, delta1), eps1, and the total delta for delta0 = 1e-12."""

AVERAGES = (
    ((100, "0.1", "0.003", 146779, 11), "1.418114635"),
    ((1000, "0.1", "0.001", 100000, 11), "0.1284817021"),
    ((10, "0.05", "0.01", 464158, 13), "47.85188535"),
)
BETTER = (
    ((100, "0.1", "0.003", 143442, "0.00017444076"), "1.42160989"),
    ((1000, "0.1", "0.001", 117197, "0.0001939453"), "0.12919629"),
    ((10, "0.05", "0.01", 440177, "0.0000457571394"), "47.8882772"),
)
"""(n, eps, beta, m, third) with delta1 = 10^(-third/3); and with a better m and delta1."""

TARGETS = (
    ((100, "0.1", "0.003"), "1111.1"),
    ((1000, "0.1", "0.001"), "100"),
    ((10, "0.05", "0.01"), "40000"),
)
"""(n, eps, beta) and 1/(n eps beta)^2."""


def averaging_bound(
    n: Any, eps: Any, beta: Any, m: Any, delta1: Any, c: Any, *, numbers: Any
) -> Any:
    """Theorem 2.2.3, evaluable, delta = 0: m (c min{1, 1/(n m (eps1 + delta1))} - beta^2)."""
    floor = 1 / (n * m * (shuffled_epsilon(eps, m, delta1, numbers=numbers) + delta1))
    return m * (c * numbers.smallest(Fraction(1), floor) - beta * beta)


@encloses("Values of eps1 and of the total delta.", Method.ENCLOSURE)
@mutant("1.01 eps0", factor=ONE_PERCENT)
def amplified_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values of eps1 and of the total delta, with each delta1 in the domain."""

    def epsilon(eps0: Any, m: Any, delta1: Any, *, numbers: Any) -> Any:
        return shuffled_epsilon(factor * eps0, m, delta1, numbers=numbers)

    def total(eps0: Any, m: Any, delta1: Any, *, numbers: Any) -> Any:
        return shuffled_delta(factor * eps0, m, delta1, DELTA0, numbers=numbers)

    return every(
        (
            printed_table(epsilon, ((row, value) for row, value, _ in AMPLIFIED)),
            printed_table(total, ((row, value) for row, _, value in AMPLIFIED)),
            every(in_domain(*map(Fraction, row)) for row, *_ in (*AMPLIFIED, *EXACT)),
        )
    )


@proves("In the domain E/m is at most 0.2551 of the root, and tanh(x) <= x.", Method.SMT)
@mutant("0.2526 of it", ratio=Fraction(2526, 10000))
def small_epsilon(ratio: Fraction = Fraction(2551, 10000)) -> Finding:
    """E/m <= 0.2551 sqrt(E log(4/delta1)/m) in the domain; 8 (E-1)/(E+1) <= 4 eps0.

    With x^2 = E/m the domain says 16 x^2 log(2/delta1) <= 1; the worst delta1 is 1. Hence
    eps1 <= 4 * 1.2551 eps0 sqrt(E log(4/delta1)/m).
    """
    log2 = ENCLOSED.log(2)

    def statement(x: Any, root: Any, short: Any, long: Any) -> Any:
        """Let x > 0, root^2 = log(4/delta1), short = log(2/delta1), long = their product's bound."""
        given = all_of(x > 0, root > 0, short > 0, 16 * x * x * short <= 1)
        wide = all_of(root * root * short >= long, long * 16 * exact(ratio * ratio) >= 1)
        return implies(all_of(given, wide), x <= exact(ratio) * root)

    x = symbols("x", positive=True)
    sinh, cosh = SYMBOLIC.sinh(x), SYMBOLIC.sinh(x) + SYMBOLIC.exp(-x)
    return every(
        (
            valid(reals("x root short long"), statement, polynomial=True),
            exactly(2 * log2 * log2 * 16 * ratio * ratio > 1),
            identical(diff(x * cosh - sinh, x), x * sinh, {x: (0, 4)}),
        )
    )


@encloses("Values of the explicit form with c = 1, and of 1/(n eps beta)^2.", Method.ENCLOSURE)
@mutant("1.01 eps", factor=ONE_PERCENT)
def average_values(factor: Fraction = Fraction(1)) -> Finding:
    """Values at the printed parameters, at better ones, and the targets; constant 1 for c."""

    def third(n: Any, eps: Any, beta: Any, m: Any, power: Any, *, numbers: Any) -> Any:
        delta1 = numbers.power(Fraction(10), -power / 3)
        return averaging_bound(n, factor * eps, beta, m, delta1, Fraction(1), numbers=numbers)

    def better(n: Any, eps: Any, beta: Any, m: Any, delta1: Any, *, numbers: Any) -> Any:
        return averaging_bound(n, factor * eps, beta, m, delta1, Fraction(1), numbers=numbers)

    return every(
        (
            printed_table(third, AVERAGES),
            printed_table(better, BETTER),
            printed_table(lambda n, eps, beta, **_: 1 / (n * eps * beta) ** 2, TARGETS),
        )
    )


@proves("The best number of blocks.", Method.SYMBOLIC)
@mutant("2.02 for 2", two=Fraction(202, 100))
def best_number_of_blocks(two: Fraction = Fraction(2)) -> Finding:
    """C s/(n eps L) - s^2 beta^2 is largest at s = C/(2 n eps L beta^2)."""
    s, c, cost, beta = symbols("s c cost beta", positive=True)
    value = c * s / cost - s**2 * beta**2
    at = c / (two * cost * beta**2)
    domain: Box = dict.fromkeys((c, cost, beta), (Fraction(1, 3), 3))
    return every(
        (
            identical(diff(value, s).subs(s, at), 0, domain),
            identical(value.subs(s, at), c**2 / (4 * cost**2 * beta**2), domain),
        )
    )


CLAIMS = (
    Claim(
        id="TRI-A.SHUF",
        source="Theorem 2.2.2 (the mechanism)",
        says=(
            "Given m blocks of n records, permute for each position j the m records there by an "
            "independent uniform permutation, and answer the new blocks one after the other."
        ),
        latex=r"y_i=L_i\big(y_{<i},\,(x^1_{\pi_1(i)},\dots,x^n_{\pi_n(i)})\big)",
        domain="L_i is (eps0, delta0)-DP in its block for each prefix y_<i",
        status=Status.DEFINITION,
        checks=checks_of(arrays_after_shuffling),
    ),
    Claim(
        id="TRI-A.AVG",
        source="proof of Theorem 2.2.3",
        says="Shuffle m blocks, run the same mechanism M on each, and average the answers.",
        latex=r"A_m=\tfrac1m\sum_iy_i,\qquad \mathrm{MSE}(A_m)\le\beta^2+\alpha^2/m",
        domain="independent records of one law, m >= 1",
        status=Status.DEFINITION,
        checks=checks_of(average_of_blocks),
        note="Shuffling independent records of one law does not change their joint law.",
    ),
    Claim(
        id="TRI-TA.4.1",
        source="Theorem A.4.1 (Feldman, McMillan, Talwar 2022, Theorem 3.8)",
        says=(
            "Shuffling m records before m adaptive local randomizers, each (eps0, delta0)-DP, "
            "gives the stated (eps1, delta): the case n = 1 of Theorem 2.2.2."
        ),
        latex=r"\varepsilon_1=\log\Big(1+8\tfrac{e^{\varepsilon_0}-1}{e^{\varepsilon_0}+1}"
        r"\Big(\sqrt{\tfrac{e^{\varepsilon_0}\log(4/\delta_1)}{m}}+\tfrac{e^{\varepsilon_0}}{m}"
        r"\Big)\Big)",
        domain="2 exp(-m/(16 e^eps0)) <= delta1 <= 1",
        status=Status.CITED,
        checks=checks_of(randomized_response_obeys),
        steps=(
            Cited(
                "Feldman, McMillan and Talwar 2022, Hiding among the clones",
                "Theorem 3.8",
                "Not proved here.",
            ),
        ),
        note="The exact eps is 4.6 and 8.3 times smaller than the bound. (One 1 more in both data sets gives slightly larger ones, 0.042805 and 0.141002.)",
    ),
    Claim(
        id="TRI-T2.2.2",
        source="Theorem 2.2.2 and inequality (2.2)",
        says=(
            "Answering m shuffled blocks of n records is (eps1, delta)-DP, with the eps1 and delta "
            "of shuffled single records."
        ),
        latex=r"\delta=\delta_1+(e^{\varepsilon_1}+1)(e^{-\varepsilon_0}/2+1)\,m\,\delta_0",
        domain="2 exp(-m/(16 e^eps0)) <= delta1 <= 1, so m >= 16 e^eps0 log 2",
        status=Status.PROVED,
        assumes=("TRI-TA.4.1",),
        checks=checks_of(reduction_to_one_row, amplified_values),
        steps=(
            ByClaim(
                "TRI-TA.4.1",
                "The theorem for single records, to which the case of neighbors that differ in row 1 is reduced.",
            ),
            ByHand(
                "Given the other rows' permutations, R_i(y, a) = L_i(y, (a, x_i^2, ...)) is a local randomizer, so Theorem A.4.1 holds conditionally; the law is a mixture over those permutations, and the hockey-stick divergence is convex."
            ),
        ),
    ),
    Claim(
        id="TRI-R2.2",
        source="remark after (2.2)",
        says="For eps0 = O(1): eps1 = O(eps0 sqrt(log(1/delta1)/m)).",
        latex=r"\varepsilon_1\le5.03\,\varepsilon_0\sqrt{e^{\varepsilon_0}\log(4/\delta_1)/m}",
        domain="the domain of Theorem 2.2.2; log(4/delta1) is O(log(1/delta1)) for delta1 <= 1/2",
        status=Status.ASYMPTOTIC,
        assumes=("TRI-T2.2.2",),
        checks=checks_of(small_epsilon),
        steps=(
            ByCheck("small_epsilon"),
            ByHand(
                "log(1 + y) <= y, 8 tanh(eps0/2) <= 4 eps0, and log(2/delta1) log(4/delta1) >= 2 log(2)^2 for delta1 <= 1."
            ),
            ByClaim("TRI-T2.2.2", "The amplified budget in explicit form."),
        ),
        note="The domain itself makes m at least a constant.",
    ),
    Claim(
        id="TRI-T2.2.3",
        source="Theorem 2.2.3",
        says=(
            "Bias at most beta and error at most alpha^2 under (eps, delta)-DP need alpha^2 of "
            "order 1/(n^2 eps^2 beta^2 log(1/(n eps^2 beta^2)))."
        ),
        latex=r"\alpha^2\ge m\Big(c\min\Big\{1,\frac{1}{nm(\varepsilon_1+\delta_1)}\Big\}-\beta^2"
        r"\Big)\quad\text{for all }m,\delta_1",
        domain=(
            "explicit form, delta = 0: (m, delta1) in the domain of Theorem 2.2.2, c = 1/16 by "
            "TRI-T2.2.1; asymptotic form: eps, beta = O(1), beta^2 of at most order 1/(n eps) up "
            "to logarithms (the print has Omega), delta <= O(n^3 eps^4 beta^6)"
        ),
        status=Status.ASYMPTOTIC,
        assumes=("TRI-T2.2.1", "TRI-T2.2.2", "TRI-A.AVG"),
        checks=checks_of(
            reworded(average_of_blocks, "MSE(A_m) is at most beta^2 + alpha^2/m."),
            best_number_of_blocks,
            average_values,
        ),
        steps=(
            *by_checks(average_of_blocks, best_number_of_blocks),
            ByClaim(
                "TRI-T2.2.1",
                "The average of m shuffled blocks is (eps1, delta1)-DP on n m records, so Theorem 2.2.1 bounds its error from below.",
            ),
            ByClaim("TRI-T2.2.2", "The budget of the average of shuffled blocks."),
        ),
        note="The printed values are the largest on a grid of m and delta1; better ones are checked as well. Box slips: TRI-ER-13.",
    ),
)
