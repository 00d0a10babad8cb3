"""Small counterexamples to privacy claims of PDP: rates, one stage, parallel parts, weights."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Ball
from proofs_check.exponential import ExpRatio, ExpSum
from proofs_check.language import TERMS, Condition, Quantity, all_of, implies, reals, refuted
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.papers.pdp.range.rates import (
    answer_probability,
    exact_right_rate,
    half_rate,
    printed_rate,
    right_rate,
)
from proofs_check.papers.pdp.tools.quantile import rank_score
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed

__all__ = [
    "CLAIMS",
    "both_parts_together",
    "loss_of_the_second",
    "noise_of_the_data_range",
    "quantile_loss",
]

ONE = Fraction(1)

STAGE = (
    ("0.1", 1000, "0.786096798913671", "0.468381342006574"),
    ("0.1", 1_000_000, "3.34059404571576", "2.68225005926988"),
)
"""Budget, largest grid point, loss with the rates of Algorithm 6 and of equation (7)."""


def quantile_loss(p: Any, size: Any, tau: Any, *, numbers: Any) -> Any:
    """ln((1 - p) + p (N + 1) / (1 + N e^(-tau / 8))): the loss of FindQuantile at budget tau / 4."""
    return numbers.log(1 - p + p * (size + 1) / (1 + size * numbers.exp(-tau / 8)))


@refutes("Probabilities, and ratios 901.23 and 451.12 above e.", Method.EXACT)
@mutant("the right rate for eps / tau", first=exact_right_rate)
@mutant("1.01 eps / (2 tau)", second=lambda e, t, **_: half_rate(e, t) * PERCENT)
def rates_break_the_budget(first: Any = printed_rate, second: Any = half_rate) -> Finding:
    """For n = 1, eps = 1, tau = 9: both probabilities and both ratios, above e."""
    one, nine, e = ONE, Fraction(9), ExpSum.exp(ONE)
    probabilities = [answer_probability(first(one, nine), nine, r) for r in (1, 0)]
    others = [answer_probability(second(one, nine), nine, r) for r in (1, 0)]
    ratios = [pair[0] / pair[1] for pair in (probabilities, others)]
    rows = [
        ("P(1 | 1)", "0.111207084670212", probabilities[0].ball(192)),
        ("P(1 | 0)", "0.000123394575986232", probabilities[1].ball(192)),
        ("ratio, Algorithm 6", "901.231547508376", ratios[0].ball(192)),
        ("ratio, equation (7)", "451.115773754188", ratios[1].ball(192)),
        ("right rate", "2.12078996443234e-4", exact_right_rate(one, nine).ball(192)),
    ]
    above = every(exactly(ratio > e, "ratio above e") for ratio in ratios)
    return every([above, as_printed(rows)])


@refutes("The mechanism itself is 9-private, exactly.", Method.EXACT)
@mutant("tau = 8.91", tau=Fraction(891, 100))
def mechanism_is_private(tau: Fraction = Fraction(9)) -> Finding:
    """The mechanism without diffusion: ratio exactly e^9 for both answers, so no weaker promise."""
    kept = [answer_probability(ONE, Fraction(9), r) for r in (1, 0)]
    ratios = [kept[0] / kept[1], (1 - kept[1]) / (1 - kept[0])]
    return exactly(all(r == ExpSum.exp(tau) for r in ratios), "ratio e^9 for both answers")


@refutes(
    "Losses 0.786 and 0.468 at N = 1000, 3.34 and 2.68 at N = 1e6, all above 0.1.", Method.ENCLOSURE
)
@mutant("the right rate for eps / tau", first=right_rate)
@mutant("1.01 eps / (2 tau)", second=lambda e, t, **_: half_rate(e, t) * PERCENT)
def stage_losses(first: Any = printed_rate, second: Any = half_rate) -> Finding:
    """FindQuantile alone, D = {N}, D' = {0}, on {0, ..., N}: printed losses, above the budget."""
    rows, above = [], []
    for text, size, *printed in STAGE:
        epsilon = Fraction(text)
        tau = saturation([epsilon]).tau
        for rate, words in zip((first, second), printed, strict=True):
            p = rate(epsilon, tau, numbers=NUMBERS)
            loss = quantile_loss(_as_ball(p), size, ball(tau), numbers=NUMBERS)
            rows.append((f"N = {size}", words, loss))
            above.append((f"budget and loss, N = {size}", epsilon, loss))
    return every([as_printed(rows), below(above)])


@refutes("The closed form against the law by its definition.", Method.EXACT)
@mutant("rank 2 for rank 1", steps=2)
def stage_law(steps: int = 1) -> Finding:
    """The law by its definition: scores of one record N on {0, ..., N}, and uniform on no record.

    The placeholder is 0, so the record 0 counts as no record; if it is kept as a record, output N
    is less likely than 1 / (N + 1), and the loss is larger.
    """
    size = 12
    weight = ExpSum.exp(Fraction(-3, 2))  # e^(-tau / 8)
    p = Fraction(1, 5)

    def law(record: int | None) -> ExpRatio:
        weights = [
            _power(weight, -rank_score(int(record < y), int(record <= y), steps))
            if record is not None
            else ExpSum.rational(1)
            for y in range(size + 1)
        ]
        return ExpRatio(weights[-1], sum(weights[1:], weights[0]))

    uniform, kept, zero = law(None), law(size), law(0)
    ratio = (kept * p + uniform * (1 - p)) / uniform
    formula = ExpRatio(ExpSum.rational(size + 1), weight * size + 1) * p + (1 - p)
    return exactly(
        ratio == formula and uniform == Fraction(1, size + 1) and zero < uniform,
        "the closed form is the exact ratio; N is less likely if 0 is kept",
    )


@refutes("Without noise the pair of sizes tells -1 from 1.", Method.EXACT)
@mutant("D' = {-2}", after=-2)
def parts_without_noise(after: int = 1) -> Finding:
    """D = {-1}, D' = {1}, split at 0: the sizes (1, 0) and (0, 1) are outputs of 0-private parts."""
    sizes = [(int(x < 0), int(x >= 0)) for x in (-1, after)]
    return exactly(sizes == [(1, 0), (0, 1)], "P = 1 against P = 0: no finite budget")


def _power(base: ExpSum, exponent: int) -> ExpSum:
    total = ExpSum.rational(1)
    for _ in range(exponent):
        total = total * base
    return total


def _as_ball(p: Any) -> Ball:
    return p if isinstance(p, Ball) else ball(p)


@refutes("With Lap(1 / eps) on each size, at eps = 1/2.", Method.ENCLOSURE)
@mutant("2.02 eps for eps", factor=Fraction(202, 100))
@refuted(
    reals("eps"),
    "Mechanisms on disjoint sets of values, each {eps}-private, are jointly {eps}-private when one "
    "record may change: {left} is at most {right}.",
    at={"eps": Fraction(1, 2)},
)
def both_parts_together(eps: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """P(X > 1, Y < 0) of the sizes of two parts with Lap(1 / eps): from (1, 0) to (0, 1)."""
    before, after = (
        Quantity(
            f"P(M(D{mark}) in K)",
            rf"\Pr((M_1(D{mark} \cap R_1), M_2(D{mark} \cap R_2)) \in K)",
            lambda eps, rate=rate: NUMBERS.exp(ball(-2 * rate * eps)) / 4,
        )
        for mark, rate in (("", 0), ("'", 1))
    )
    return implies(eps > 0, before(eps) <= TERMS.exp(factor * eps) * after(eps))


def released(x: Fraction, record: Fraction) -> Fraction:
    """P(output = x) for one record: the range of the data, so the noise, has width 0."""
    return Fraction(int(x == record))


@refutes("The range of one record has width 0.", Method.ENCLOSURE)
@mutant("D' = D", y=0)
@refuted(
    reals("x y eps"),
    "A weighted mean with noise scaled by the data's own range is private: {left} is at most {right}.",
    at={"x": 0, "y": 1, "eps": 1},
)
def noise_of_the_data_range(x: Any, y: Any, eps: Any) -> Condition:
    """P(A({x}) = x) <= e^eps P(A({y}) = x)."""
    before = Quantity("P(A(D) = x)", r"\Pr(A(D) = x)", released)
    after = Quantity("P(A(D') = x)", r"\Pr(A(D') = x)", released)
    return implies(eps > 0, before(x, x) <= TERMS.exp(eps) * after(x, y))


def second_loss(first: Fraction, second: Fraction) -> Fraction:
    """The loss of record 2, which gets the second of the sorted weights."""
    return saturation(sorted((first, second))).budgets[1]


@refutes("Budgets (1, 0.1) in the order of the records: record 2 has loss 1.", Method.EXACT)
@mutant("budgets in ascending order", first=Fraction(1, 20))
@refuted(
    reals("first second"),
    "ADPM sorts the budgets, not the records, and is private with each record's budget: {left} is "
    "at most {right}.",
    at={"first": 1, "second": Fraction(1, 10)},
)
def loss_of_the_second(first: Any, second: Any) -> Condition:
    """w_(2) A <= eps_2."""
    loss = Quantity("the loss of record two", r"w_{(2)} h \cdot \frac{A}{h}", second_loss)
    return implies(all_of(first > 0, second > 0), loss(first, second) <= second)


def rate_that_keeps(eps: Any, tau: Any) -> Any:
    """0.99 of the right rate."""
    return Fraction(99, 100) * (TERMS.exp(eps) - 1) / (TERMS.exp(tau) - 1)


@refutes("At eps = 1, tau = 9, with the rate of Algorithm 6.", Method.ENCLOSURE)
@mutant("0.99 of the right rate", rate=rate_that_keeps)
@refuted(
    reals("eps tau"),
    "After diffusion at the printed rate every mechanism that is private with {tau} keeps the "
    "budget of each record: {left} is at most {right}.",
    at={"eps": 1, "tau": 9},
)
def loss_after_diffusion(eps: Any, tau: Any, *, rate: Any = printed_rate) -> Condition:
    """Answer 1 with probability e^tau / (1 + e^tau) if the record is 1, else 1 / (1 + e^tau)."""
    p, e, growth = rate(eps, tau), TERMS.exp(eps), TERMS.exp(tau)
    kept = p * (growth / (1 + growth)) + (1 - p) * (1 / (1 + growth))
    return implies(all_of(eps > 0, eps < tau), kept <= e * (1 / (1 + growth)))


@refutes("At eps = 1, tau = 9, with the rate of equation (7).", Method.ENCLOSURE)
@mutant("0.99 of the right rate", rate=rate_that_keeps)
@refuted(
    reals("eps tau"),
    "So it does at half of that rate: {left} is at most {right}.",
    at={"eps": 1, "tau": 9},
)
def loss_at_half_the_rate(eps: Any, tau: Any, *, rate: Any = half_rate) -> Condition:
    """The same at the rate of equation (7)."""
    p, e, growth = rate(eps, tau), TERMS.exp(eps), TERMS.exp(tau)
    kept = p * (growth / (1 + growth)) + (1 - p) * (1 / (1 + growth))
    return implies(all_of(eps > 0, eps < tau), kept <= e * (1 / (1 + growth)))


@refutes("At eps = 0.1, tau = 80.1, N = 1000, with the rate of Algorithm 6.", Method.ENCLOSURE)
@mutant("0.99 of the right rate", rate=rate_that_keeps)
@refuted(
    reals("eps tau N"),
    "The median stage alone, at a quarter of the budget {tau} on the diffused record, keeps the "
    "record's budget: {left} is at most {right}.",
    at={"eps": Fraction(1, 10), "tau": Fraction(801, 10), "N": 1000},
)
def loss_of_the_median_stage(
    eps: Any, tau: Any, size: Any, *, rate: Any = printed_rate
) -> Condition:
    """The loss of output N, of D = {N} against D' = {0}."""
    loss = quantile_loss(rate(eps, tau), size, tau, numbers=TERMS)
    return implies(all_of(eps > 0, eps < tau, size >= 1), loss <= eps)


CLAIMS = (
    Claim(
        id="PDP-CX2",
        source="Theorem 10 with the rates of Algorithm 6 and equation (7) (our counterexample)",
        states=(loss_after_diffusion, loss_at_half_the_rate),
        domain="n = 1; answer 1 with probability e^tau / (1 + e^tau) if the record is 1, else 1 / (1 + e^tau); the rates of Algorithm 6 and of equation (7)",
        status=Status.REFUTED,
        checks=checks_of(
            loss_after_diffusion,
            loss_at_half_the_rate,
            rates_break_the_budget,
            mechanism_is_private,
        ),
        why="Theorem 10 grants ln(1 + p (e^tau - 1)) and no less: 6.80 and 6.11 instead of 1.",
        right="p = (e^eps - 1) / (e^tau - 1) makes the ratio exactly e^eps.",
        corrected_by="PDP-E7",
        obligations=parts_of(rates_break_the_budget, mechanism_is_private),
    ),
    Claim(
        id="PDP-CX3",
        source="Algorithm 6, median stage (our counterexample)",
        states=(loss_of_the_median_stage,),
        domain="n = 1; grid {0, ..., N}, D = {N}, D' = {0} with 0 the placeholder, output N; the rate of Algorithm 6 (that of equation (7) loses too much too)",
        status=Status.REFUTED,
        checks=checks_of(loss_of_the_median_stage, stage_losses, stage_law),
        why="The stage has the budget tau / 4, and the printed rate does not scale it down to the record's budget.",
        right="p = (e^eps - 1) / (e^tau - 1).",
        corrected_by="PDP-E7",
        obligations=parts_of(stage_losses, stage_law),
    ),
    Claim(
        id="PDP-CX4",
        source="Lemmas 3 and 10 (our counterexample)",
        states=(both_parts_together,),
        domain="n = 1, M_j releases the size of its part with noise of scale 1 / eps; K: the first above 1, the second below 0",
        status=Status.REFUTED,
        checks=checks_of(both_parts_together, parts_without_noise),
        why="The size of a dataset is constant under changes of one record, but a changed record moves between the parts, so both parts change.",
        right="2 eps, if each mechanism is eps-private under adding and removing a record.",
        corrected_by="PDP-L3",
        obligations=parts_of(parts_without_noise),
    ),
    Claim(
        id="PDP-CX5",
        source="Lemma 11 (our counterexample)",
        states=(noise_of_the_data_range,),
        domain="n = 1, D = {x}, D' = {y}; A(D) = sum w_i x_i + Lap(|Range(D)| max w_i / eps)",
        status=Status.REFUTED,
        checks=checks_of(noise_of_the_data_range),
        why="The scale of the noise depends on the data, and is 0 for a single record.",
        right="A public or already released interval, to which the records are clipped.",
        corrected_by="PDP-L11",
    ),
    Claim(
        id="PDP-CX6",
        source="Algorithm 3 (our counterexample)",
        states=(loss_of_the_second,),
        domain="two records, with the budgets first and second",
        status=Status.REFUTED,
        checks=checks_of(loss_of_the_second),
        why="Record 2 with budget 0.1 gets the weight of the budget 1.",
        right="Records and budgets are sorted together; then each loss is min(eps_i, tau).",
        corrected_by="PDP-A3",
    ),
)
