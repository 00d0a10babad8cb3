"""Algorithm 6 as printed breaks its promise (PDP): the privacy loss of one record, end to end.

D = {x} and D' = {1}; the event is that the center of the released range lies in (x - 1, x], with
x = 1001.3. The law of the center is enclosed in `range_law`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.enclosure import Ball, Balls, certainly_less
from proofs_check.language import Condition, Quantity, all_of, implies, reals, refuted
from proofs_check.papers.pdp.common import PERCENT, below
from proofs_check.papers.pdp.range.range_law import (
    DIGITS_3,
    DIGITS_6,
    RangeStage,
    Terms,
    center_probability,
    release_probability,
)
from proofs_check.papers.pdp.range.rates import half_rate, printed_rate, right_rate
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByHand

__all__ = ["CLAIMS", "range_loss"]

Rate = Callable[..., Fraction | Ball]
ONE = Fraction(1)
TENTH = Fraction(1, 10)

SMALL_BUDGET = (
    ("survivor x", "3.428686e-3"),
    ("placeholder", "2.33284e-9"),
    ("survivor 1", "5.2474e-9"),
)

LOSSES = (
    ("0.2", "2.669", "2.047"),
    ("0.3", "1.455", "0.977"),
    ("0.4", "0.896", "0.551"),
    ("0.5", "0.651", "0.383"),
    ("1", "0.399", "0.227"),
)
"""Budget, loss with the rates of Algorithm 6 and of equation (7)."""


def range_loss(stage: RangeStage, rate: Rate, terms: Terms) -> Ball:
    """The loss ln P(E | D) / P(E | D') of the end-to-end event."""
    numbers = Balls(terms.bits)
    kept = rate(stage.epsilon, stage.tau, numbers=numbers)
    quotient = release_probability(stage, stage.x, kept, terms) / release_probability(
        stage, ONE, kept, terms
    )
    return numbers.log(quotient)


def _more(rate: Rate) -> Rate:
    return lambda epsilon, tau, *, numbers: rate(epsilon, tau, numbers=numbers) * PERCENT


@refutes(
    "At eps = 0.1 the loss is 7.5137 with the rates of Algorithm 6 and 6.8219 with those of (7); 10.688 and 9.996 with the radius index repaired.",
    Method.ENCLOSURE,
)
@mutant("1.01 eps / tau", first=_more(printed_rate))
@mutant("the right rate for eps / (2 tau)", second=right_rate)
def loss_at_a_tenth(first: Rate = printed_rate, second: Rate = half_rate) -> Finding:
    """Components, P(E | D), P(E | D') and losses at eps = 0.1, with both radius indices."""
    stage, repaired = RangeStage(TENTH), RangeStage(TENTH, lag=0)
    numbers = Balls(DIGITS_6.bits)
    rates = [rate(TENTH, stage.tau, numbers=numbers) for rate in (first, second)]
    probabilities = [
        release_probability(stage, record, rate, DIGITS_6)
        for rate in rates
        for record in (stage.x, ONE)
    ]
    records = (stage.x, None, ONE)
    parts = [center_probability(stage, record, DIGITS_6) for record in records]
    rows = [(name, text, part) for (name, text), part in zip(SMALL_BUDGET, parts, strict=True)]
    texts = ("4.282837e-6", "2.33648e-9", "2.142585e-6", "2.33466e-9")
    rows += [("probability", t, p) for t, p in zip(texts, probabilities, strict=True)]
    losses = [
        ("loss, Algorithm 6", "7.5137", range_loss(stage, first, DIGITS_6)),
        ("loss, equation (7)", "6.8219", range_loss(stage, second, DIGITS_6)),
        ("loss, radius repaired, Algorithm 6", "10.688", range_loss(repaired, first, DIGITS_6)),
        ("loss, radius repaired, equation (7)", "9.996", range_loss(repaired, second, DIGITS_6)),
    ]
    above = [(f"0.1 and the {name}", TENTH, loss) for name, _, loss in losses]
    return every([below(above), as_printed([*rows, *losses])])


@refutes(
    "The loss exceeds the budget up to eps = 0.5 with the rates of Algorithm 6, up to 0.4 with those of (7); at eps = 1 this event shows nothing.",
    Method.ENCLOSURE,
)
@mutant("the right rate for eps / tau", first=right_rate)
@mutant("1.01 eps / (2 tau)", second=_more(half_rate))
def loss_by_budget(first: Rate = printed_rate, second: Rate = half_rate) -> Finding:
    """Losses at larger budgets; above the budget up to 0.5 for Algorithm 6, up to 0.4 for (7)."""
    rows, above = [], []
    for budget, *texts in LOSSES:
        epsilon = Fraction(budget)
        stage = RangeStage(epsilon)
        for rate, text, largest in zip((first, second), texts, ("0.5", "0.4"), strict=True):
            loss = range_loss(stage, rate, DIGITS_3)
            rows.append((f"loss at {budget}", text, loss))
            if epsilon <= Fraction(largest):
                above.append((f"budget {budget}", epsilon, loss))
    return every([as_printed(rows), below(above)])


@refutes("With x = 1023.9 the loss at eps = 0.5 is above 0.68.", Method.ENCLOSURE)
@mutant("x = 1013.9", x=Fraction(10139, 10))
@mutant("the right rate for eps / tau", rate=right_rate)
def loss_nearer_the_radius(
    rate: Rate = printed_rate, x: Fraction = Fraction(10239, 10), least: str = "0.68"
) -> Finding:
    """Just below a power of 2 the event is stronger: a loss above 0.68 at eps = 0.5."""
    stage = RangeStage(Fraction(1, 2), x=x)
    loss = range_loss(stage, rate, DIGITS_3)
    return Finding(certainly_less(Fraction(least), loss), f"loss {loss!r} with x = {float(x)}")


def loss_of(rate: Rate, scale: Fraction) -> Callable[[Fraction, Fraction], Ball]:
    """The loss of the event at a budget, with a rate times a factor."""
    return lambda epsilon, x: range_loss(
        RangeStage(epsilon, x=x),
        lambda *key, numbers: rate(*key, numbers=numbers) * scale,
        DIGITS_3,
    )


@refutes("At eps = 0.1 and x = 1001.3 the loss is 7.51.", Method.ENCLOSURE)
@mutant("0.99 of the right rate", rate=right_rate, scale=Fraction(99, 100))
@refuted(
    reals("eps x"),
    "Algorithm Six is private with the budgets it is given: {left} is at most {right}.",
    at={"eps": TENTH, "x": Fraction(10013, 10)},
)
def budget_is_kept(
    eps: Any, x: Any, *, rate: Rate = printed_rate, scale: Fraction = Fraction(1)
) -> Condition:
    """The event that the center of the range lies in (x - 1, x], D = {x} and D' = {1}."""
    loss = Quantity(
        "the loss of one record",
        r"\ln \frac{\Pr(\hat m \in (x-1, x] \mid \{x\})}{\Pr(\hat m \in (x-1, x] \mid \{1\})}",
        loss_of(rate, scale),
    )
    return implies(all_of(eps > 0, x > 1), loss(eps, x) <= eps)


CLAIMS = (
    Claim(
        id="PDP-CX1",
        source="Algorithm 6, Lemma 17 (our counterexample)",
        states=(budget_is_kept,),
        domain="n = 1, beta = 0.9, D = {x}, D' = {1}; the event is that the center lies in (x - 1, x]; rates of Algorithm 6 (those of equation (7) lose too much too)",
        status=Status.REFUTED,
        checks=checks_of(budget_is_kept, loss_at_a_tenth, loss_by_budget, loss_nearer_the_radius),
        assumes=("PDP-A1-TAIL",),
        why="The rates p = eps / tau and eps / (2 tau) grant Theorem 10's loss ln(1 + p (e^tau - 1)), far above eps once tau is large; tau = (eps^2 + 8) / eps for one record.",
        right="p = min(1, (e^eps - 1) / (e^tau - 1)); the same event then has a loss below 1e-6.",
        corrected_by="PDP-E7",
        steps=(
            ByHand(
                "The full law of the center is enclosed: sums over grids and radii go term by term up to a bound, and the rest is enclosed from both sides."
            ),
            ByHand(
                "With one record no pair exists, so all queries of Discretization equal their threshold; only grids with b <= 1 have a point in the event."
            ),
        ),
        obligations=parts_of(loss_at_a_tenth, loss_by_budget, loss_nearer_the_radius),
        note="Where the print is ambiguous the reading is the one stated in `range_law`. In Algorithm 7 the range stage is called with eps / 2, so the losses at 0.1 are those of a record with budget 0.2 there.",
    ),
)
