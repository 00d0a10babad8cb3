"""Errata of PDP that concern privacy: errata 1 to 5, 8 and 9."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpRatio, ExpSum
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
from proofs_check.papers.pdp.common import NUMBERS, ball
from proofs_check.papers.pdp.counterexamples.pairs import (
    all_pairs,
    count_moves_by_one,
    sorted_count_moves_by_one,
    sorted_pairs,
    within,
)
from proofs_check.papers.pdp.counterexamples.small import (
    both_parts_together,
    loss_of_the_second,
    noise_of_the_data_range,
    parts_without_noise,
)
from proofs_check.papers.pdp.range.rates import (
    answer_probability,
    diffused_loss,
    exact_right_rate,
    half_rate,
    printed_rate,
)
from proofs_check.papers.pdp.tools.saturation import saturation
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByClaim

__all__ = ["CLAIMS"]

ONE = Fraction(1)
PAIRS = tuple(
    (Fraction(e), Fraction(t))
    for e, t in (("1", "9"), ("1/10", "8"), ("1/2", "51/100"), ("1/100", "1/50"), ("2", "3"))
)
"""Budgets eps < tau."""
BITS = 53


Rate = Callable[[Term, Term], Term]
"""Rate of diffusion, of eps and tau."""


def rate_below_the_right_one(eps: Term, tau: Term) -> Term:
    """0.99 (e^eps - 1) / (e^tau - 1): it keeps the budget."""
    return Fraction(99, 100) * (TERMS.exp(eps) - 1) / (TERMS.exp(tau) - 1)


def rate_fails(rate: Rate) -> Counterexample:
    """P (e^tau - 1) <= e^eps - 1 fails at eps = 1 and tau = 9."""
    eps, tau = real_symbols("eps tau")
    found = rate(eps, tau)
    left, right = found * (TERMS.exp(tau) - 1), TERMS.exp(eps) - 1
    says = "The rate {rate} for a budget below {tau} keeps the budget."
    domain = Domain((eps > 0, eps < tau))
    printed = Inequality(domain, left, "<=", right, says, {"rate": found, "tau": tau})
    return Counterexample(printed, {"eps": 1, "tau": 9})


@refutes("At eps = 1, tau = 9.", Method.ENCLOSURE)
@mutant("0.99 of the right rate", rate=rate_below_the_right_one)
@decided(fails)
def algorithm_rate_fails(rate: Rate = lambda eps, tau: eps / tau) -> Counterexample:
    """The rate of Algorithm 6."""
    return rate_fails(rate)


@refutes("At eps = 1, tau = 9.", Method.ENCLOSURE)
@mutant("0.99 of the right rate", rate=rate_below_the_right_one)
@decided(fails)
def equation_rate_fails(rate: Rate = lambda eps, tau: eps / (2 * tau)) -> Counterexample:
    """The rate of equation (7)."""
    return rate_fails(rate)


@refutes(
    "After diffusion at that rate a tau-private stage loses log(1 + (eps / tau)(e^tau - 1)): too much at five pairs of budgets.",
    Method.EXACT,
)
@mutant("the right rate", rate=exact_right_rate)
def rates_are_too_large(rate: Any = printed_rate) -> Finding:
    """(eps / tau) (e^tau - 1) > e^eps - 1 at all pairs eps < tau of a list."""
    told = []
    for epsilon, tau in PAIRS:
        odds = (ExpSum.exp(tau) - 1) * _as_sum(rate(epsilon, tau))
        if not odds > ExpSum.exp(epsilon) - 1:
            return exactly(False, f"holds at eps = {epsilon}, tau = {tau}")
        loss = float(endpoints(NUMBERS.log((odds + 1).ball()))[0])
        told.append(f"{loss:.4f} for the budget {float(epsilon):g} (tau = {float(tau):g})")
    return exactly(True, f"privacy loss up to {', '.join(told)}")


@refutes(
    "A single record of budget 0.1: tau = 80.1, the ratio is above e^0.1; half the rate of Algorithm 6.",
    Method.EXACT,
)
@mutant("eps = 0.101", epsilon=Fraction(101, 1000))
@mutant("eps / tau", rate=printed_rate)
def half_rates_are_too_large(rate: Any = half_rate, epsilon: Fraction = Fraction(1, 10)) -> Finding:
    """One record of budget 0.1 has tau = 80.1; (7) and Algorithm 6 differ by a factor 2."""
    tau = saturation([epsilon]).tau
    kept = rate(epsilon, tau)
    ratio = answer_probability(kept, tau, 1) / answer_probability(kept, tau, 0)
    factor = printed_rate(epsilon, tau) == 2 * kept
    above = ratio > ExpSum.exp(epsilon)
    return exactly(tau == Fraction(801, 10) and factor and above, f"tau = {tau}, ratio above e^eps")


@refutes(
    "Records (3, 0.1) and (1, 1): the value 3 gets loss 1 against its budget 0.1.", Method.EXACT
)
@mutant("sorted together by budget", together=True)
def both_sorted_apart(together: bool = False) -> Finding:
    """Records (3, budget 0.1) and (1, budget 1), values and budgets sorted apart.

    The value 3 meets the weight of the budget 1, with loss 1 > 0.1.
    """
    records = [(Fraction(3), Fraction(1, 10)), (Fraction(1), ONE)]
    found = saturation(sorted(budget for _, budget in records))
    ordered = sorted(records, key=lambda record: record[1 if together else 0])
    losses = {
        budget: weight / found.total * found.total
        for (_, budget), weight in zip(ordered, found.budgets, strict=True)
    }
    return exactly(
        losses[Fraction(1, 10)] == 1, f"loss {losses[Fraction(1, 10)]} at the budget 0.1"
    )


@refutes("n - 1 for all pairs, n / 2 for sorted pairs.", Method.EXACT)
@mutant(
    "the records as they come, paired once",
    first=lambda d: [abs(x - y) for x, y in zip(d[::2], d[1::2], strict=True)],
)
def pairs_are_too_sensitive(
    first: Callable[[Sequence[Fraction]], list[Fraction]] = all_pairs,
    second: Callable[[Sequence[Fraction]], list[Fraction]] = sorted_pairs,
) -> Finding:
    """For n = 4, 6, 8, 10: n - 1 for all pairs, n / 2 for adjacent pairs of the sorted data."""
    for n in (4, 6, 8, 10):
        equal = [Fraction(0)] * n
        moved = [*equal[1:], Fraction(99)]
        tight = [Fraction(3 * (i // 2)) for i in range(n)]
        shifted = [*tight[1:], Fraction(99)]
        gaps = within(first(equal)) - within(first(moved))
        others = within(second(tight)) - within(second(shifted))
        if (gaps, others) != (n - 1, n // 2):
            return exactly(False, f"{gaps} and {others} at n = {n}")
    return exactly(True, "n - 1 and n / 2 at n = 4, 6, 8, 10")


@proves(
    "The smallest coin 2^-53 has a loss of 43.36 at tau = 80.1, for a budget of 0.1.",
    Method.ENCLOSURE,
)
@mutant("2^-54", bits=54)
def float_coin(bits: int = BITS, text: str = "43.36") -> Finding:
    """A uniform multiple of 2^-53 is below a positive p with probability at least 2^-53.

    At tau = 80.1 the loss is ln(1 + 2^-53 (e^tau - 1)) = 43 instead of 0.1.
    """
    tau, epsilon = Fraction(801, 10), Fraction(1, 10)
    least = Fraction(1, 2**bits)
    tiny = exact_right_rate(epsilon, tau) < least
    above = (ExpSum.exp(tau) - 1) * least > ExpSum.exp(epsilon) - 1
    loss = diffused_loss(ball(least), ball(tau), numbers=NUMBERS)
    return every(
        [exactly(tiny and above), as_printed([("loss", text, loss), ("loss", "43", loss)])]
    )


@proves("The offset is 43.8... at left = 0.1, J = 4, beta = 0.1: no integer.", Method.ENCLOSURE)
@mutant("left = 0.101", left=Fraction(101, 1000))
def counts_are_no_integers(left: Fraction = Fraction(1, 10)) -> Finding:
    """The offset (1 / left) ln(2 J / beta) lies strictly between integers: counts must be rounded."""
    offset = NUMBERS.log(ball(80)) / left
    return as_printed([("offset at left = 0.1, J = 4, beta = 0.1", "43.8", offset)])


def _as_sum(rate: Any) -> Any:
    return rate if isinstance(rate, Fraction) else ExpRatio(rate.numerator, rate.denominator)


CLAIMS = (
    Claim(
        id="PDP-E-01",
        source="Algorithm 6, lines 3 to 6",
        states=(algorithm_rate_fails,),
        domain="a tau-private stage after diffusion at that rate loses log(1 + rate (e^tau - 1))",
        status=Status.REFUTED,
        checks=checks_of(algorithm_rate_fails, rates_are_too_large),
        why="Privacy amplification acts on e^eps - 1, not on eps.",
        right="(e^eps_i - 1) / (e^tau - 1).",
        corrected_by="PDP-E7",
        steps=(
            ByClaim(
                "PDP-E7",
                "(e^x - 1) / x increases strictly (PDP-E7), so the rate is too large for every eps_i < tau: some tau-private mechanism breaks the budget (PDP-CX2), and Algorithm 6 itself does (PDP-CX1).",
            ),
        ),
        obligations=parts_of(rates_are_too_large),
    ),
    Claim(
        id="PDP-E-02",
        source="Equation (7)",
        states=(equation_rate_fails,),
        domain="as PDP-E-01; safe for all budgets iff tau <= 1.25643120862617 (PDP-E7)",
        status=Status.REFUTED,
        checks=checks_of(equation_rate_fails, half_rates_are_too_large),
        why="It contradicts Algorithm 6 by a factor 2, and is too large as soon as tau > 1.256...",
        right="(e^eps_i - 1) / (e^tau - 1).",
        corrected_by="PDP-E7",
        obligations=parts_of(half_rates_are_too_large),
    ),
    Claim(
        id="PDP-E-03",
        source="Section 3.1 and Algorithm 3",
        states=(loss_of_the_second,),
        domain="two records in the order of their values, with the budgets first and second, sorted apart",
        status=Status.REFUTED,
        checks=checks_of(
            reworded(
                loss_of_the_second,
                "Budgets (1, 0.1) in the order of the values: the second record has loss 1.",
            ),
            both_sorted_apart,
        ),
        why="Sorting both apart gives a record the weight of another record's budget.",
        right="Sort the records by budget, each with its value.",
        corrected_by="PDP-A3",
        obligations=parts_of(both_sorted_apart),
    ),
    Claim(
        id="PDP-E-04",
        source="Lemma 11",
        states=(noise_of_the_data_range,),
        domain="n = 1, D = {x}, D' = {y}; A(D) = sum w_i x_i + Lap(|Range(D)| max w_i / eps)",
        status=Status.REFUTED,
        checks=checks_of(noise_of_the_data_range),
        why="The scale reveals the range, and is 0 for one record (PDP-CX5).",
        right="The width of a public or released interval to which the data are clipped.",
        corrected_by="PDP-L11",
    ),
    Claim(
        id="PDP-E-05",
        source="Lemmas 3 and 10, under the bounded relation",
        states=(both_parts_together,),
        domain="change of one record, n = 1; M_j releases the size of its part with noise of scale 1 / eps",
        status=Status.REFUTED,
        checks=checks_of(
            both_parts_together, reworded(parts_without_noise, "The sizes of two parts.")
        ),
        why="A change of one record is one removal and one addition, in two parts (PDP-CX4).",
        right="2 eps; or eps under adding and removing a record.",
        corrected_by="PDP-L3",
        obligations=parts_of(parts_without_noise),
    ),
    Claim(
        id="PDP-E-08",
        source="Algorithm 4, line 2",
        states=(count_moves_by_one, sorted_count_moves_by_one),
        domain="G the distances |x_i - x_j|; change of one record, even n",
        status=Status.REFUTED,
        checks=checks_of(
            reworded(count_moves_by_one, "All pairs of four equal records."),
            reworded(sorted_count_moves_by_one, "Adjacent pairs of four sorted records."),
            pairs_are_too_sensitive,
        ),
        why="Each record is in n - 1 pairs; sorting lets one record shift the partners of all others.",
        right="A random matching, independent of the values (PDP-CX8 has the loss).",
        corrected_by="PDP-A4",
        obligations=parts_of(pairs_are_too_sensitive),
    ),
    Claim(
        id="PDP-E-09",
        source="Algorithms 6 and 8, in floating point",
        says="Coins of probability p_i and samples of Count~ records cannot be taken literally by a program; the print does not speak of machine numbers.",
        latex=r"\Pr(U < p) \ge 2^{-53} \text{ for } p > 0; \quad \widetilde{\mathrm{Count}} \notin \mathbb{N}",
        domain="U a uniform multiple of 2^-53",
        status=Status.REMARK,
        checks=checks_of(float_coin, counts_are_no_integers),
        why="The right rate can be 1.7e-36; counts with real noise are no integers.",
        right="Draw the coin exactly, or round p down to a multiple of 2^-53; round counts down.",
    ),
)
