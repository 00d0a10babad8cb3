"""Sampling without replacement from a Poisson sample in PDP: Lemma 18.

As in Lemma 19; T is the sum of m survivors drawn without replacement, M the width, s2 the variance.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.papers.pdp.tools.concentration import bernstein_tail
from proofs_check.papers.pdp.tools.poisson_sample import (
    VALUES,
    few_survivors,
    half_of_chernoff,
    lemma_symbols,
    ratio_stage,
    unit_box,
)
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByClaim, ByHand, Cited
from proofs_check.symbolic import Rational, identical, log

__all__ = ["CLAIMS", "first_stage", "second_stage"]


def first_stage(
    t: Any, m: Any, n: Any, s2: Any, mu: Any, width: Any, c: Any = Fraction(8, 3), *, numbers: Any
) -> Any:
    """e1 = exp(-t^2 / (16 m n s2 / muN + (8/3) M t)), Lemma 18; even with 4/3 for 8/3."""
    return numbers.exp(-(t**2) / (16 * m * n * s2 / mu + c * width * t))


def second_stage(
    t: Any,
    m: Any,
    eta: Any,
    s2: Any,
    mu: Any,
    width: Any,
    c: Any = Fraction(16, 3),
    *,
    numbers: Any,
) -> Any:
    """e2 = exp(-t^2 muN / (32 m^2 eta s2 + (16/3) M m t)), Lemma 18; even with 8/3 for 16/3."""
    return numbers.exp(-(t**2) * mu / (32 * m**2 * eta * s2 + c * width * m * t))


@confirms("exp(-0.1534 muN) holds as well.", Method.ENCLOSURE)
@mutant("1.01 of the rate", scale=PERCENT)
def sharper_chernoff(scale: Fraction = Fraction(1)) -> Finding:
    """Chernoff's exponent at 1/2 without the square is (1 - ln 2) / 2 = 0.1534..."""
    rate = (1 - NUMBERS.log(ball(2))) / 2 * scale
    return as_printed([("rate", "0.153426409720027", rate)])


@proves(
    "Half of t in each stage gives the exponents, even with 4/3 and 8/3 for 8/3 and 16/3.",
    Method.SYMBOLIC,
)
@mutant("0.495 t in each", half=Fraction(495, 1000))
def stages_from_lemmas(half: Fraction = Fraction(1, 2)) -> Finding:
    """Half of t in each stage: Bernstein with variance 2 n s2 / muN, and Lemma 19 with eta = n wmax.

    The exponents are those of the print with 4/3 for 8/3 and 8/3 for 16/3.
    """
    t, m, n, w, s2, mu, width = lemma_symbols()
    c = Rational(half.numerator, half.denominator)
    one = bernstein_tail(m, SYMBOLIC.sqrt(2 * n * s2 / mu), width, c * t, numbers=SYMBOLIC)
    two = ratio_stage(c * t, m, n, w, s2, mu, width, numbers=SYMBOLIC)
    sharp_one = first_stage(t, m, n, s2, mu, width, Fraction(4, 3), numbers=SYMBOLIC)
    sharp_two = second_stage(t, m, n * w, s2, mu, width, Fraction(8, 3), numbers=SYMBOLIC)
    box = unit_box(t, m, n, w, s2, mu, width)
    return every(
        [identical(log(one), log(sharp_one), box), identical(log(two), log(sharp_two), box)]
    )


@proves("The variance of the survivors is at most 2 n sigma^2 / muN if N >= muN / 2.", Method.SMT)
@mutant("1.98 for 2", two=Fraction(198, 100))
def variance_of_survivors(two: Fraction = Fraction(2)) -> Finding:
    """N sigma_S^2 <= sum over survivors of (a - abar)^2 <= n s2, and n s2 / N <= 2 n s2 / muN if N >= muN / 2."""

    def statement(x: Any, y: Any, z: Any, center: Any) -> Any:
        mean = (x + y) / 2
        kept = (x - mean) * (x - mean) + (y - mean) * (y - mean)
        around = (x - center) * (x - center) + (y - center) * (y - center)
        return all_of(kept <= around, around <= around + (z - center) * (z - center))

    def fewer(total: Any, size: Any, mu: Any) -> Any:
        given = all_of(total >= 0, mu > 0, 2 * size >= mu)
        return implies(given, total * mu <= exact(two) * total * size)

    return every(
        [
            valid(reals("x y z center"), statement, polynomial=True),
            valid(reals("total N muN"), fewer, polynomial=True),
        ]
    )


@proves(
    "The printed proof's two terms exp(-muN / 8) exceed the printed exp(-muN / 4) for every muN.",
    Method.SMT,
)
@mutant("one term for two", factor=1)
def printed_third_term(factor: int = 2) -> Finding:
    """The printed proof adds two terms exp(-muN / 8), and 2 e^(-x/8) > e^(-x/4) for every x >= 0."""
    y = reals("y")  # y = e^(-x/8)
    return valid(y, lambda z: implies(all_of(0 < z, z <= 1), factor * z > z * z))


@encloses("Printed values.", Method.ENCLOSURE)
@mutant("1.01 t", scale=PERCENT)
def printed_stages(scale: Fraction = Fraction(1)) -> Finding:
    """The four terms for the printed example."""
    t, m, n, s2, mu, width, eta = (
        ball(VALUES[x]) for x in ("t", "m", "n", "s2", "mu", "width", "eta")
    )
    t = t * scale
    return as_printed(
        [
            ("e1", "0.731615628946642", first_stage(t, m, n, s2, mu, width, numbers=NUMBERS)),
            ("e2", "0.239651036441776", second_stage(t, m, eta, s2, mu, width, numbers=NUMBERS)),
            ("exp(-muN / 4)", "4.53999297624849e-5", NUMBERS.exp(-mu / 4)),
            ("exp(-muN / 8)", "0.00673794699908547", few_survivors(mu, numbers=NUMBERS)),
        ]
    )


CLAIMS = (
    Claim(
        id="PDP-L18",
        source="Lemma 18",
        says="Drawing m of the survivors of a Poisson sample without replacement: their sum exceeds m muT by t with probability at most e1 + e2 + exp(-muN / 4).",
        latex=r"P(N \ge m,\ T - m \mu_T \ge t) \le e_1 + e_2 + e^{-\mu_N / 4}",
        domain="as PDP-L18s, with its e_1 and e_2",
        status=Status.OPEN,
        assumes=("PDP-L18s",),
        checks=checks_of(printed_third_term),
        note="The printed proof adds two terms exp(-muN / 8), which are more than exp(-muN / 4) (PDP-E-18); with exp(-muN / 8) the statement is PDP-L18s. The printed bound itself is neither proved nor refuted.",
    ),
    Claim(
        id="PDP-L18s",
        source="Lemma 18, with the third term that its proof gives",
        says="Drawing m of the survivors of a Poisson sample without replacement: their sum exceeds m muT by t with probability at most e1 + e2 + exp(-muN / 8).",
        latex=r"P(N \ge m,\ T - m \mu_T \ge t) \le e_1 + e_2 + e^{-\mu_N / 8}, \quad e_1 = e^{-t^2 / (16 m n \sigma^2 / \mu_N + \frac83 M t)},\ e_2 = e^{-t^2 \mu_N / (32 m^2 \eta \sigma^2 + \frac{16}{3} M m t)}",
        domain="a_i in an interval of width M, independent survivors, eta = n max p_i / muN, t > 0",
        status=Status.PROVED,
        assumes=("PDP-T7", "PDP-L19"),
        checks=checks_of(
            stages_from_lemmas,
            variance_of_survivors,
            half_of_chernoff,
            sharper_chernoff,
            printed_stages,
        ),
        ours=True,
        steps=(
            ByCheck("stages_from_lemmas"),
            ByCheck("variance_of_survivors"),
            ByCheck("half_of_chernoff"),
            Cited(
                "Hoeffding 1963, Probability inequalities for sums of bounded random variables",
                "Theorem 4, on draws without replacement",
                "Draws without replacement have no larger moment generating function than draws with replacement (Hoeffding), so Bernstein's inequality holds for the first stage given the survivors, with variance sigma_S^2.",
            ),
            ByClaim("PDP-L19", "Lemma 19 without its last term bounds the second."),
            ByHand(
                "Both stages leave out the same event N < muN / 2; T is not defined where N < m."
            ),
        ),
        note="The printed constants 8/3 and 16/3 only enlarge the bounds.",
    ),
)
