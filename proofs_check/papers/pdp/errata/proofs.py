"""Errata of PDP in the statements and proofs of its tools: errata 14, 15, 18 and 19."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.claim import Check, Claim, Finding, Method, Obligation, Status, every, exactly
from proofs_check.language import (
    TERMS,
    Counterexample,
    Domain,
    Inequality,
    Term,
    decided,
    fails,
    real_symbols,
)
from proofs_check.papers.pdp.bounds.lower_bound_steps import lower_bound, saturated_error
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.tools.divergence_steps import divergence
from proofs_check.papers.pdp.tools.saturation import prefix_ratio, saturation
from proofs_check.printed import as_printed

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


def convexity_needs_two_laws(printed: bool = True) -> Finding:
    """D(Y1 | Y1) is 0 for all Y1 and does not contain Y2; D(Y1 | Y2) is not constant."""
    laws = [(HALF, HALF), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(0))]
    values = {divergence(Fraction(5, 4), v, v if printed else w) for v in laws for w in laws}
    return exactly(values == {0}, f"{len(values)} values")


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


def index_slip(k: int = 3) -> Finding:
    """Budgets (2, 8, 8): with k = k2 = 1 the threshold is 6; with another k, here n, it is not."""
    budgets = [Fraction(e) for e in (2, 8, 8)]
    found = saturation(budgets)
    other = (sum(e * e for e in budgets[: found.k]) + 8) / sum(budgets[:k])
    return exactly(
        found.tau == prefix_ratio(budgets, 1) == 6 and other == Fraction(2, 3), f"{other} for 6"
    )


def printed_sum(mean: Term) -> Term:
    """The sum of two failures as printed: the exponents are added."""
    return TERMS.exp(-mean / 4)


@decided(fails)
def third_term(total: Callable[[Term], Term] = printed_sum) -> Counterexample:
    """Two failures of probability e^(-mu / 8) each are more than e^(-mu / 4)."""
    (mean,) = real_symbols("muN")
    each = TERMS.exp(-mean / 8)
    words = "Two failures of probability {each} add up to {right}."
    domain = Domain((mean >= 0,))
    printed = Inequality(domain, 2 * each, "<=", total(mean), words, {"each": each})
    return Counterexample(printed, {"muN": 8})


def singular_mass(overlap: Fraction = Fraction(0)) -> Finding:
    """V on 0, V' on 1: the supremum is 1; the integral of [dV/dV' - a]+ over V' is 0.

    The density is 0 at the outcome 1, and the mass of V at 0 is nowhere in the integral.
    """
    first, second = (1 - overlap, overlap), (overlap, 1 - overlap)
    alpha = Fraction(2)
    events = [e for size in range(3) for e in combinations(range(2), size)]
    supremum = max(sum(first[y] - alpha * second[y] for y in e) for e in events)
    integral = sum(
        max(first[y] / second[y] - alpha, Fraction(0)) * second[y] for y in range(2) if second[y]
    )
    return exactly(supremum != integral, f"supremum {supremum}, integral {integral}")


CLAIMS = (
    Claim(
        id="PDP-E-14",
        source="Theorem 10, proof",
        says="V0(z, v) = V1(z, x); D(M(F(D)) | M(F(D))) at the end; convexity of D(Y1 | Y1) in Y2; M private on the given records; Theorem 1 for Theorem 5.",
        latex=r"V_0(z \cup v) = V_1(z \cup x_i), \quad D_{e^{\varepsilon_i}}(M^F(D) \,|\, M^F(D)) \le \dots = 0",
        domain="finite examples",
        status=Status.REFUTED,
        checks=(
            Check(
                "V0 lives on (z, placeholder); on (z, v) with a value v it is 0.",
                Method.EXACT,
                parts,
                mutants={"a value for the placeholder": {"value": "v"}},
                refutes=True,
            ),
            Check(
                "The last display is 0 for every mechanism, also for one that reveals the record.",
                Method.EXACT,
                display_is_empty,
                mutants={"D' on the right": {"second": True}},
                refutes=True,
            ),
            Check(
                "D(Y1 | Y1) is constant; convexity in Y2 is meant of D(Y1 | Y2).",
                Method.EXACT,
                convexity_needs_two_laws,
                mutants={"D(Y1 | Y2)": {"printed": False}},
                refutes=True,
            ),
            Check(
                "Privacy on values only does not suffice: a mechanism that is constant on values may release a record after diffusion.",
                Method.EXACT,
                private_on_values_only,
                mutants={"if record 1 is b": {"trigger": "b"}},
                refutes=True,
            ),
        ),
        why="Slips; the last one is an assumption that is not stated.",
        right="V0(z, placeholder); D(M(F(D)) | M(F(D'))); D(Y1 | Y2); M private on values and the placeholder.",
        corrected_by="PDP-T10",
        obligations=(
            Obligation("parts", "parts"),
            Obligation("display is empty", "display_is_empty"),
            Obligation("convexity needs two laws", "convexity_needs_two_laws"),
            Obligation("private on values only", "private_on_values_only"),
        ),
    ),
    Claim(
        id="PDP-E-15",
        source="Lemma 12",
        says="The constant sqrt(256 / 443), a maximum over k1 whose range is not stated, and a sum up to k.",
        latex=r"\sqrt{256/443}, \quad \max_{k_1}, \quad \frac{\sum_{i \le k_2} \varepsilon_i^2 + 8}{\sum_{i \le k} \varepsilon_i}",
        domain="ascending budgets",
        status=Status.REFUTED,
        checks=(
            Check(
                "Quotient 0.707063 at n = 1000, eps = 0.001; with k1 >= 1 it falls to 0 for growing single budgets.",
                Method.ENCLOSURE,
                constant_and_range,
                mutants={"8.08 for 8": {"offset": 8 * PERCENT}},
                refutes=True,
            ),
            Check(
                "(2, 8, 8): with another k than k2 the threshold is 2/3 for 6.",
                Method.EXACT,
                index_slip,
                mutants={"k = k2 = 1": {"k": 1}},
                refutes=True,
            ),
        ),
        why="No vector with small n eps satisfies it; k1 = 0 is needed; k must be k2.",
        right="Constant 0.624568149768620, k1 from 0 on, sums up to k2.",
        corrected_by="PDP-L12s",
        obligations=(
            Obligation("constant and range", "constant_and_range"),
            Obligation("index slip", "index_slip"),
        ),
    ),
    Claim(
        id="PDP-E-18",
        source="Lemma 18",
        states=(third_term,),
        status=Status.REFUTED,
        checks=(
            Check(
                "At muN = 8: 2 / e > 1 / e^2.",
                Method.ENCLOSURE,
                third_term,
                mutants={
                    "1.01 times the sum": {
                        "total": lambda mean: Fraction(202, 100) * TERMS.exp(-mean / 8)
                    }
                },
                refutes=True,
            ),
        ),
        why="Exponents are added where probabilities should be; the printed bound itself is neither proved nor refuted.",
        right="exp(-muN / 8): both parts need the same event N >= muN / 2.",
        corrected_by="PDP-L18s",
    ),
    Claim(
        id="PDP-E-19",
        source="Theorem 5",
        says="The divergence as an integral of the density dV / dV' over V'.",
        latex=r"\sup_E (V(E) - \alpha V'(E)) = \int \Big[\frac{dV}{dV'} - \alpha\Big]_+ dV'",
        domain="any laws",
        status=Status.REFUTED,
        checks=(
            Check(
                "Laws on different outcomes: 1 against 0.",
                Method.EXACT,
                singular_mass,
                mutants={"a common mass of 1/100": {"overlap": Fraction(1, 100)}},
                refutes=True,
            ),
        ),
        why="Mass of V where V' has none does not enter the integral.",
        right="Add that mass, or use the sum of the positive parts of V - alpha V'.",
        corrected_by="PDP-T5",
        obligations=(Obligation("singular mass", "singular_mass"),),
    ),
)
