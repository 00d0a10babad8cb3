"""Errata of PDP in the statements and proofs of its tools: errata 14, 15, 18 and 19."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import (
    TERMS,
    Condition,
    Counterexample,
    Domain,
    Inequality,
    Quantity,
    Term,
    all_of,
    decided,
    fails,
    implies,
    real_symbols,
    reals,
    refuted,
)
from proofs_check.papers.pdp.bounds.lower_bound_steps import lower_bound, saturated_error
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.mean.printed_rate import rate_of_equal_budgets
from proofs_check.papers.pdp.tools.divergence_steps import divergence
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS"]

HALF = Fraction(1, 2)
BOT = "placeholder"

Data = tuple[Any, ...]
Law = dict[Any, Fraction]


def diffuse(data: Data, rates: tuple[Fraction, ...]) -> Law:
    """The law of F(D): each record is kept with its rate or replaced by the placeholder."""
    law: Law = {(): Fraction(1)}
    for x, p in zip(data, rates, strict=True):
        law = {(*z, y): q * weight for z, q in law.items() for y, weight in ((x, p), (BOT, 1 - p))}
    return law


@refutes("V0 lives on (z, placeholder); on (z, v) with a value v it is 0.", Method.EXACT)
@mutant("a value for the placeholder", value="v")
def parts(value: Any = BOT) -> Finding:
    """V0 puts on (z, v) what V1 puts on (z, x) for v the placeholder; for a value v it puts 0.

    V0, V1: the law of F(D) given that the last record is replaced, is kept.
    """
    data, rates = ("a", "b", "x"), (HALF, Fraction(1, 3), Fraction(1, 4))
    law = diffuse(data, rates)
    replaced = {z: q / (1 - rates[-1]) for z, q in law.items() if z[-1] == BOT}
    kept = {z: q / rates[-1] for z, q in law.items() if z[-1] == "x"}
    good = all(replaced.get((*z[:-1], value), 0) == q for z, q in kept.items())
    bad = all(replaced.get((*z[:-1], "v"), 0) != q for z, q in kept.items())
    return exactly(good and bad, "V0(z, placeholder) = V1(z, x), V0(z, v) = 0 for a value v")


@refutes(
    "The last display is 0 for every mechanism, also for one that reveals the record.", Method.EXACT
)
@mutant("D' on the right", second=True)
def display_is_empty(second: bool = False) -> Finding:
    """D_a(M(F(D)) | M(F(D))) = 0 even where M reveals the record, so it shows nothing.

    The display meant has D' on the right, and there the divergence is positive.
    """
    first, other = (diffuse((x,), (HALF,)) for x in ("1", "0"))
    outputs = sorted({*first, *other})
    laws = [[law.get(y, Fraction(0)) for y in outputs] for law in (first, other)]
    same = divergence(2, laws[0], laws[1 if second else 0])
    meant = divergence(2, laws[0], laws[1])
    return exactly(same == 0 and meant > 0, f"divergences {same} as printed, {meant} as meant")


@refutes(
    "Privacy on values only does not suffice: a mechanism that is constant on values may release a record after diffusion.",
    Method.EXACT,
)
@mutant("if record 1 is b", trigger="b")
def private_on_values_only(trigger: str = BOT) -> Finding:
    """M releases record 2 if record 1 is the placeholder, else a constant: 0-private on values.

    After diffusion record 2 is released with probability (1 - p1) p2: no finite budget.
    """
    rates = (HALF, HALF)

    def output(data: Data) -> Any:
        return data[1] if data[0] == trigger else "constant"

    constant = {output((x, y)) for x in "ab" for y in "ab"} == {"constant"}
    released = [
        sum(q for z, q in diffuse(("a", x), rates).items() if output(z) == "c") for x in "cd"
    ]
    return exactly(
        constant and released[0] > 0 and released[1] == 0, f"P(c) = {[str(q) for q in released]}"
    )


@refutes("D(Y1 | Y1) is constant; convexity in Y2 is meant of D(Y1 | Y2).", Method.EXACT)
@mutant("D(Y1 | Y2)", printed=False)
def convexity_needs_two_laws(printed: bool = True) -> Finding:
    """D(Y1 | Y1) is 0 for all Y1 and does not contain Y2; D(Y1 | Y2) is not constant."""
    laws = [(HALF, HALF), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(0))]
    values = {divergence(Fraction(5, 4), v, v if printed else w) for v in laws for w in laws}
    return exactly(values == {0}, f"{len(values)} values")


@refutes(
    "Quotient 0.707063 at n = 1000, eps = 0.001; with k1 >= 1 it falls to 0 for growing single budgets.",
    Method.ENCLOSURE,
)
@mutant("8.08 for 8", offset=8 * PERCENT)
def constant_and_range(offset: Fraction = Fraction(8)) -> Finding:
    """A thousand budgets 0.001: quotient 0.707063 < 0.760183; budgets 8, 80 alone, k1 >= 1: falling."""
    thousand = [Fraction(1, 1000)] * 1000
    first = lower_bound(thousand, first=0) / saturated_error(thousand, offset)
    singles = [
        lower_bound([Fraction(e)]) / saturated_error([Fraction(e)], offset) for e in (8, 80, 800)
    ]
    root = NUMBERS.sqrt(ball(Fraction(256, 443)))
    falls = below([("8", singles[0], Fraction(1, 4)), ("80", singles[1], Fraction(1, 39))])
    rows = [("n = 1000", "0.707063", first), ("budget 8", "0.2357", singles[0])]
    return every([as_printed(rows), below([("n = 1000", first, root)]), falls])


def printed_sum(mean: Term) -> Term:
    """The sum of two failures as printed: the exponents are added."""
    return TERMS.exp(-mean / 4)


@refutes("At muN = 8: 2 / e > 1 / e^2.", Method.ENCLOSURE)
@mutant("1.01 times the sum", total=lambda mean: Fraction(202, 100) * TERMS.exp(-mean / 8))
@decided(fails)
def third_term(total: Callable[[Term], Term] = printed_sum) -> Counterexample:
    """Two failures of probability e^(-mu / 8) each are more than e^(-mu / 4)."""
    (mean,) = real_symbols("muN")
    each = TERMS.exp(-mean / 8)
    words = "Two failures of probability {each} add up to {right}."
    domain = Domain((mean >= 0,))
    printed = Inequality(domain, 2 * each, "<=", total(mean), words, {"each": each})
    return Counterexample(printed, {"muN": 8})


@refutes("(2, 8, 8): with k = 3 the threshold is 2/3 for 6.", Method.EXACT)
@mutant("k = k2 = 1", index=1)
@refuted(
    reals("e1 e2 e3"),
    "The threshold of three budgets is {left}, with a sum up to an index that is not stated.",
    at={"e1": 2, "e2": 8, "e3": 8},
)
def threshold_of_any_index(e1: Any, e2: Any, e3: Any, *, index: int = 3) -> Condition:
    """(sum of eps^2 up to k2, plus 8) over a sum up to k, here the number of budgets."""
    budgets = (e1, e2, e3)
    total = sum(budgets[1:index], e1)
    tau = Quantity("tau", r"\tau", lambda *budgets: saturation(budgets).tau)
    k2 = Quantity("k2", "k_2", lambda *budgets: saturation(budgets).k)
    given = all_of(0 < e1, e1 <= e2, e2 <= e3, k2(*budgets) == 1)
    return implies(given, (e1 * e1 + 8) / total == tau(*budgets))


@refutes("Laws on different outcomes: 1 against 0.", Method.EXACT)
@mutant("a common support", w=Fraction(1, 100))
@refuted(
    reals("v w alpha"),
    "The divergence of two laws is an integral of their density over the second: {left} is {right}.",
    at={"v": 1, "w": 0, "alpha": 2},
)
def integral_is_the_supremum(v: Any, w: Any, alpha: Any) -> Condition:
    """Laws with the masses v and 1 - v, w and 1 - w on two outcomes."""
    laws = Quantity(
        "the supremum over events",
        r"\sup_E (V(E) - \alpha V'(E))",
        lambda v, w, a: divergence(a, (v, 1 - v), (w, 1 - w)),
    )
    integral = Quantity(
        "the integral",
        r"\int \Big[\frac{dV}{dV'} - \alpha\Big]_+ dV'",
        lambda v, w, a: sum(
            max(x / y - a, Fraction(0)) * y for x, y in ((v, w), (1 - v, 1 - w)) if y
        ),
    )
    given = all_of(0 <= v, v <= 1, 0 <= w, w <= 1, alpha >= 1)
    return implies(given, laws(v, w, alpha) == integral(v, w, alpha))


CLAIMS = (
    Claim(
        id="PDP-E-14",
        source="Theorem 10, proof",
        says="V0(z, v) = V1(z, x); D(M(F(D)) | M(F(D))) at the end; convexity of D(Y1 | Y1) in Y2; M private on the given records; Theorem 1 for Theorem 5.",
        latex=r"V_0(z \cup v) = V_1(z \cup x_i), \quad D_{e^{\varepsilon_i}}(M^F(D) \,|\, M^F(D)) \le \dots = 0",
        domain="finite examples",
        status=Status.REFUTED,
        checks=checks_of(parts, display_is_empty, convexity_needs_two_laws, private_on_values_only),
        why="Slips; the last one is an assumption that is not stated.",
        right="V0(z, placeholder); D(M(F(D)) | M(F(D'))); D(Y1 | Y2); M private on values and the placeholder.",
        corrected_by="PDP-T10",
        obligations=parts_of(
            parts, display_is_empty, convexity_needs_two_laws, private_on_values_only
        ),
    ),
    Claim(
        id="PDP-E-15",
        source="Lemma 12",
        states=(rate_of_equal_budgets, threshold_of_any_index),
        domain="ascending budgets, n equal ones and three; k and the range of the maximum are not stated",
        status=Status.REFUTED,
        checks=checks_of(rate_of_equal_budgets, threshold_of_any_index, constant_and_range),
        why="No vector with small n eps satisfies it; k1 = 0 is needed; k must be k2.",
        right="Constant 0.624568149768620, k1 from 0 on, sums up to k2.",
        corrected_by="PDP-L12s",
        obligations=parts_of(constant_and_range),
    ),
    Claim(
        id="PDP-E-18",
        source="Lemma 18",
        states=(third_term,),
        status=Status.REFUTED,
        checks=checks_of(third_term),
        why="Exponents are added where probabilities should be; the printed bound itself is neither proved nor refuted.",
        right="exp(-muN / 8): both parts need the same event N >= muN / 2.",
        corrected_by="PDP-L18s",
    ),
    Claim(
        id="PDP-E-19",
        source="Theorem 5",
        states=(integral_is_the_supremum,),
        domain="laws on two outcomes",
        status=Status.REFUTED,
        checks=checks_of(integral_is_the_supremum),
        why="Mass of V where V' has none does not enter the integral.",
        right="Add that mass, or use the sum of the positive parts of V - alpha V'.",
        corrected_by="PDP-T5",
    ),
)
