"""Saturated budgets of PDP: where the ratio R_k = (sum of squares + 8) / sum stops falling.

For ascending budgets, S_k and Q_k are the sums of the first k budgets and of their squares plus 8,
R_k = Q_k / S_k; k* is the first k < n with eps_(k+1) >= R_k, else n, and tau = R_(k*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, final

from mechanisms.errors import InvalidArgument
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, for_all
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.printed_values import as_printed
from proofs_check.smt import all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, identical, symbols

__all__ = ["CLAIMS", "EXAMPLES", "Saturation", "examples", "prefix_ratio", "saturation"]

OFFSET = 8
"""The 8 of Q_k: four times the variance of Laplace noise of scale 1."""

EXAMPLES = {
    "100 budgets 1": tuple([Fraction(1)] * 100),
    "10 of 0.1, 10 of 1": tuple([Fraction(1, 10)] * 10 + [Fraction(1)] * 10),
    "0.5, 1, 2, 4, 8, 16": tuple(Fraction(2) ** j for j in range(-1, 5)),
    "0.01, 0.02, ..., 1": tuple(Fraction(j, 100) for j in range(1, 101)),
    "0.1 alone": (Fraction(1, 10),),
}
"""Vectors of budgets with printed saturation."""

PRINTED = (
    ("100 budgets 1", 100, "1.08", "100", "0.0519615242270663"),
    ("10 of 0.1, 10 of 1", 20, "1.64545454545455", "11", "0.193382248965297"),
    ("0.5, 1, 2, 4, 8, 16", 3, "3.78571428571429", "14.8571428571429", "0.252392399007821"),
    ("0.01, 0.02, ..., 1", 78, "0.782989289191821", "48.0357643622201", "0.0638359847159865"),
    ("0.1 alone", 1, "80.1", "0.1", "14.1509716980849"),
)


@final
@dataclass(frozen=True, slots=True)
class Saturation:
    """Saturated budgets: k*, tau, the vector min(eps_i, tau), its sum A and B = sum of squares + 8."""

    k: int
    tau: Fraction
    budgets: tuple[Fraction, ...]

    @property
    def total(self) -> Fraction:
        """A, the sum of the saturated budgets."""
        return sum(self.budgets, Fraction(0))

    @property
    def squares(self) -> Fraction:
        """B, the sum of their squares plus 8."""
        return sum((e * e for e in self.budgets), Fraction(OFFSET))


def prefix_ratio(budgets: Sequence[Any], k: int, offset: Any = OFFSET) -> Any:
    """R_k = (sum over i <= k of eps_i^2 + 8) / (sum over i <= k of eps_i)."""
    return (sum(e * e for e in budgets[:k]) + offset) / sum(budgets[:k])


def saturation(budgets: Sequence[Fraction], offset: Fraction | int = OFFSET) -> Saturation:
    """Saturate ascending positive budgets: tau = R_k at the first k with eps_(k+1) >= R_k."""
    n = len(budgets)
    total, squares = Fraction(0), Fraction(offset)
    for k, epsilon in enumerate(budgets, 1):
        total, squares = total + epsilon, squares + epsilon**2
        if k == n or budgets[k] >= squares / total:
            tau = squares / total
            return Saturation(k, tau, tuple(min(e, tau) for e in budgets))
    msg = f"at least one budget is needed, got {budgets!r}"
    raise InvalidArgument(msg)


def examples() -> Iterator[tuple[Fraction, ...]]:
    """All ascending vectors of at most four budgets out of a few."""
    values = [Fraction(v) for v in ("1/10", "1", "2", "3", "7/2", "6", "17/2", "20")]
    for n in range(1, 5):
        yield from combinations_with_replacement(values, n)


@proves("From a crossing on, R_k <= R_(k+1) <= eps_(k+1): crossings form an up-set.", Method.SMT)
@mutant("1.01 eps^2 for eps^2", square=PERCENT)
@mutant("0.99 eps^2 for eps^2", square=Fraction(99, 100))
@for_all(
    reals("S Q eps"),
    "The ratio {ratio} does not fall where the next budget is at least that, and stays below it;",
    terms=lambda v: {"ratio": v["Q"] / v["S"]},
    polynomial=True,
)
def after_crossing(s: Any, q: Any, e: Any, *, square: Fraction = Fraction(1)) -> Condition:
    """A budget eps >= Q / S implies Q / S <= (Q + eps^2) / (S + eps) <= eps."""
    more = q + square * e * e
    conclusion = all_of(q * (s + e) <= more * s, more <= e * (s + e))
    return implies(all_of(s > 0, q > 0, e * s >= q), conclusion)


@proves("Before it, eps_(k+1) < R_(k+1) < R_k.", Method.SMT)
@mutant("1.01 eps^2 for eps^2", square=PERCENT)
@for_all(
    reals("S Q eps"),
    "it falls where the next budget is smaller, and stays above it.",
    polynomial=True,
)
def before_crossing(s: Any, q: Any, e: Any, *, square: Fraction = Fraction(1)) -> Condition:
    """0 < eps < Q / S implies eps < (Q + eps^2) / (S + eps) < Q / S."""
    more = q + square * e * e
    conclusion = all_of(e * (s + e) < more, more * s < q * (s + e))
    return implies(all_of(s > 0, q > 0, e > 0, e * s < q), conclusion)


@proves("Saturated terms keep the ratio, and B = tau A.", Method.SYMBOLIC)
@mutant("1.01 tau^2 for tau^2", square=PERCENT)
def saturated_steps_stay(square: Fraction = Fraction(1)) -> Finding:
    """With tau = Q / S: (Q + tau^2) / (S + tau) = tau, and Q + m tau^2 = tau (S + m tau)."""
    s, q, m = symbols("S Q m", positive=True)
    tau, c = q / s, Rational(square.numerator, square.denominator)
    box = {s: (0, 9), q: (0, 9)}
    return every(
        [
            identical((q + c * tau**2) / (s + tau), tau, box),
            identical(q + m * c * tau**2, tau * (s + m * tau), {**box, m: (0, 9)}),
        ]
    )


@proves("R_k >= 8 / S_k + S_k / k >= 2 sqrt(8 / k).", Method.SMT)
@mutant("8.08 for 8", constant=8 * PERCENT)
@mutant("7.92 for 8", constant=Fraction(792, 100))
def lower_bounds(constant: Fraction = Fraction(8)) -> Finding:
    """Squares of sum at least S^2 / k give R_k >= 8 / S + S / k, and (8 / S + S / k)^2 >= 32 / k."""

    def cauchy(a: Any, b: Any, c: Any) -> Any:
        return 3 * (a * a + b * b + c * c) >= (a + b + c) * (a + b + c)

    def first(s: Any, k: Any, squares: Any) -> Any:
        given = all_of(s > 0, k >= 1, squares * k >= s * s)
        return implies(given, k * (squares + 8) >= k * exact(constant) + s * s)

    def second(s: Any, k: Any) -> Any:
        left = (exact(constant) * k + s * s) * (exact(constant) * k + s * s)
        return implies(all_of(s > 0, k >= 1), left >= 32 * k * s * s)

    return every(
        [
            valid(reals("a b c"), cauchy),
            valid(reals("S k squares"), first, polynomial=True),
            valid(reals("S k"), second, polynomial=True),
        ]
    )


@proves("R_k(eps / 2) >= R_k(eps) / 2.", Method.SMT)
@mutant("R_k(eps / 2) >= 0.505 R_k(eps)", share=Fraction(505, 1000))
@for_all(
    reals("S Q R half"),
    "The ratio of the halved budgets is at least {share}.",
    terms=lambda v: {"share": Fraction(1, 2) * v["R"]},
    polynomial=True,
)
def halved_budgets(
    s: Any, q: Any, ratio: Any, of_halves: Any, *, share: Fraction = Fraction(1, 2)
) -> Condition:
    """R_k(eps / 2) >= R_k(eps) / 2 for every k, R = (Q + 8) / S; of the halves (Q / 4 + 8) / (S / 2)."""
    given = all_of(s > 0, q >= 0, ratio * s == q + 8, of_halves * s / 2 == q / 4 + 8)
    return implies(given, of_halves >= share * ratio)


@confirms("All of it on all ascending vectors of at most four out of eight budgets.", Method.EXACT)
@mutant("8.08 for 8 in the rule", offset=8 * PERCENT)
def tau_is_the_least_ratio(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """The rule gives tau = min over k of R_k, B = tau A, first k budgets below tau, and tau(eps / 2) >= tau / 2."""
    count = 0
    for budgets in examples():
        count += 1
        found = saturation(budgets, offset)
        half = saturation([e / 2 for e in budgets], offset)
        parts = {
            "tau = min R_k": found.tau
            == min(prefix_ratio(budgets, k) for k in range(1, len(budgets) + 1)),
            "B = tau A": found.squares == found.tau * found.total,
            "eps_k < tau": budgets[found.k - 1] < found.tau,
            "crossings form an up-set": _crosses_from(budgets, found.k),
            "tau(eps / 2) >= tau / 2": half.tau * 2 >= found.tau,
        }
        for words, holds in parts.items():
            if not holds:
                return exactly(False, f"{words} fails for {[str(e) for e in budgets]}")
    return exactly(True, f"all of {count} vectors")


def _crosses_from(budgets: Sequence[Fraction], first: int) -> bool:
    crossing = [budgets[k] >= prefix_ratio(budgets, k) for k in range(1, len(budgets))]
    return crossing == [k >= first for k in range(1, len(budgets))]


@encloses("Printed k*, tau, A and sqrt(B) / (2 A).", Method.ENCLOSURE)
@mutant("8.08 for 8", offset=8 * PERCENT)
def printed_saturation(offset: Fraction = Fraction(OFFSET)) -> Finding:
    """k*, tau, A and sqrt(B) / (2 A) of the examples."""
    rows = []
    for name, k, tau, total, quotient in PRINTED:
        found = saturation(EXAMPLES[name], offset)
        if found.k != k:
            return exactly(False, f"{name}: k* = {found.k}, printed {k}")
        error = NUMBERS.sqrt(ball(found.squares)) / ball(2 * found.total)
        rows += [
            (f"tau of {name}", tau, ball(found.tau)),
            (f"A of {name}", total, ball(found.total)),
            (f"sqrt(B) / (2 A) of {name}", quotient, error),
        ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="PDP-E-SAT",
        source="Section 3.2 (facts used without proof)",
        states=(after_crossing, before_crossing, halved_budgets),
        domain="S is the sum of the first k budgets and Q that of their squares plus 8, R = R_k and half the same of the halved budgets; ascending budgets, the first positive: so tau is the least R_k",
        status=Status.PROVED,
        ours=True,
        checks=checks_of(
            after_crossing,
            before_crossing,
            saturated_steps_stay,
            lower_bounds,
            halved_budgets,
            tau_is_the_least_ratio,
            printed_saturation,
        ),
        steps=(
            ByCheck("after_crossing"),
            ByCheck("before_crossing"),
            ByCheck("saturated_steps_stay"),
            ByCheck("lower_bounds"),
            ByCheck("halved_budgets"),
            ByHand(
                "The first two checks make R_k fall strictly up to k* and never fall afterwards, so tau is its minimum, and all budgets up to k* are below tau."
            ),
            ByHand(
                "The minimum of the termwise bound R_k(eps / 2) >= R_k(eps) / 2 is the last statement."
            ),
            ByHand("Cauchy's inequality is checked for three terms and holds for any number."),
        ),
    ),
)
