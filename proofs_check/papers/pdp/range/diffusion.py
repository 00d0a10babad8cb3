"""Diffusion of PDP: records are dropped to BOT at random, and how that amplifies privacy (Theorem 10).

Record i survives with probability p_i; a mechanism that is eps-private on the diffused data has loss
ln(1 + p_i (e^eps - 1)) for record i, and p* is the rate for which this is eps_i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, parts_of, proves
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, for_all, implies, reals, valid
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball, below
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "amplified_epsilon", "diffused_law", "private_rate", "private_rate_stable"]

BOT = "BOT"
MANTISSA = Fraction(1, 2**53)

AMPLIFIED = (
    ("0.1", "1", "0.158565078740429"),
    ("0.5", "1", "0.620114506958278"),
    ("0.9", "0.1", "0.0904381728911101"),
    ("0.01", "5", "0.905889462137739"),
    ("0.25", "0.5", "0.150297825112806"),
)


def amplified_epsilon(rate: Any, epsilon: Any, *, numbers: Any) -> Any:
    """ln(1 + p (e^eps - 1)), Theorem 10."""
    return numbers.log(1 + rate * (numbers.exp(epsilon) - 1))


def private_rate(epsilon: Any, tau: Any, *, numbers: Any) -> Any:
    """p* = (e^eps - 1) / (e^tau - 1), for eps < tau."""
    return (numbers.exp(epsilon) - 1) / (numbers.exp(tau) - 1)


def private_rate_stable(epsilon: Any, tau: Any, *, numbers: Any) -> Any:
    """The same as e^(eps - tau) (1 - e^-eps) / (1 - e^-tau), which never overflows."""
    return numbers.exp(epsilon - tau) * (1 - numbers.exp(-epsilon)) / (1 - numbers.exp(-tau))


def diffused_law(data: Sequence[Any], rates: Sequence[Fraction]) -> dict[tuple[Any, ...], Fraction]:
    """Law of F(D, BOT, p): record i is kept with probability p_i, else replaced by BOT."""
    law: dict[tuple[Any, ...], Fraction] = {}
    for kept in product((True, False), repeat=len(data)):
        shown = tuple(x if keep else BOT for x, keep in zip(data, kept, strict=True))
        weight = Fraction(1)
        for keep, rate in zip(kept, rates, strict=True):
            weight *= rate if keep else 1 - rate
        law[shown] = law.get(shown, Fraction(0)) + weight
    return law


def _rates() -> Iterator[tuple[Fraction, ...]]:
    yield from product((Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)), repeat=2)


@proves(
    "The law for two records; changing record 1 moves it by p_1 in total variation.", Method.EXACT
)
@mutant("lost with probability p", lost=lambda p: p)
def law_of_diffusion(lost: Callable[[Fraction], Fraction] = lambda p: 1 - p) -> Finding:
    """Two records: total mass 1, P(record 1 survives) = p_1, and total variation p_1 if it changes."""
    for rates in _rates():
        law, other = diffused_law(("a", "c"), rates), diffused_law(("b", "c"), rates)
        mass = sum(w for shown, w in law.items() if shown[0] == BOT)
        variation = sum(
            max(w - other.get(shown, Fraction(0)), Fraction(0)) for shown, w in law.items()
        )
        if sum(law.values()) != 1 or mass != lost(rates[0]) or variation != 1 - lost(rates[0]):
            return exactly(False, f"rates {[str(r) for r in rates]}: P(BOT) = {mass}")
    return exactly(
        True, "mass 1, P(record 1 lost) = 1 - p_1, total variation p_1, for 16 pairs of rates"
    )


@proves("p* in a form without overflow.", Method.SYMBOLIC)
@mutant("1.01 tau for tau", shift=PERCENT)
def stable_form(shift: Fraction = Fraction(1)) -> Finding:
    """Both forms of p* are the same."""
    e, t = symbols("epsilon tau", positive=True)
    stable = private_rate_stable(e, t * shift.numerator / shift.denominator, numbers=SYMBOLIC)
    return identical(private_rate(e, t, numbers=SYMBOLIC), stable, {e: (0, 3), t: (3, 9)})


@proves("With p* the loss is exactly eps_i; rounding a rate down only lowers it.", Method.EXACT)
@mutant("1.01 p*", scale=PERCENT)
def rate_gives_the_budget(scale: Fraction = Fraction(1)) -> Finding:
    """1 + p* (e^tau - 1) = e^eps exactly, for rational eps < tau, and a smaller rate loses less."""
    for epsilon, tau in (("1/10", "801/10"), ("1", "9"), ("1/2", "3/4"), ("1/100", "2")):
        up = ExpSum.exp(Fraction(epsilon)) - 1
        # (1 + p (e^tau - 1)) for p = scale * up / (e^tau - 1)
        if 1 + scale * up != ExpSum.exp(Fraction(epsilon)):
            return exactly(False, f"the loss differs from eps = {epsilon}, tau = {tau}")
    smaller = valid(
        reals("a p q"),
        lambda a, p, q: implies(
            all_of(a >= 1, 0 <= p, p <= q, q <= 1), 1 + p * (a - 1) <= 1 + q * (a - 1)
        ),
        polynomial=True,
    )
    return every([exactly(True, "the loss is eps for every pair"), smaller])


@proves(
    "eps = 0.1, tau = 80.1: p* is far below 2^-53, and 2^-53 in its place loses over 43.",
    Method.ENCLOSURE,
)
@mutant("43.43", least=Fraction(4343, 100))
def tiny_rates(least: Fraction = Fraction(43)) -> Finding:
    """For eps = 0.1, tau = 80.1: p* = 1.72e-36; a rate of 2^-53 in its place loses more than 43."""
    epsilon, tau = ball("0.1"), ball("80.1")
    rate = private_rate_stable(epsilon, tau, numbers=NUMBERS)
    loss = amplified_epsilon(ball(MANTISSA), tau, numbers=NUMBERS)
    return every(
        [
            as_printed([("p*", "1.71754318128751e-36", rate)]),
            below([("least loss", ball(least), loss), ("p* and 2^-53", rate, ball(MANTISSA))]),
        ]
    )


@proves("The inequality for one record, all others fixed.", Method.SMT)
@mutant("0.99 of the right side", factor=Fraction(99, 100))
@for_all(
    reals("a p A B Bother"),
    "If the chance of an event grows at most by the factor {a} where a record is lost or changed, then after diffusion at the rate {p} it grows at most by {factor}.",
    terms=lambda v: {"factor": 1 + v["p"] * (v["a"] - 1)},
    polynomial=True,
)
def amplification(
    a: Any, p: Any, lost: Any, b: Any, other: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """(1 - p) A + p B <= (1 + p (a - 1)) ((1 - p) A + p B') if B <= a A and B <= a B'.

    A, B, B' are the chances of the event if record i is lost, is x, is x'; the case where x is BOT
    itself is B = A.
    """
    given = all_of(a >= 1, 0 <= p, p <= 1, lost >= 0, other >= 0, b <= a * lost, b <= a * other)
    right = (1 + p * (a - 1)) * ((1 - p) * lost + p * other)
    return implies(given, (1 - p) * lost + p * b <= factor * right)


@proves("Right side minus left side, as the one-line proof has it.", Method.SYMBOLIC)
@mutant("1 - p (a - 1) for 1 + p (a - 1)", sign=-1)
def remainder_of_the_bound(sign: int = 1) -> Finding:
    """Right side minus left side is p [(1 - p)(a - 1) A + (1 + p (a - 1)) B' - B]."""
    a, p, lost, b, other = symbols("a p A B C")
    left = (1 + p * (a - 1)) * ((1 - p) * lost + p * other) - (1 - p) * lost - p * b
    right = p * ((1 - p) * (a - 1) * lost + (1 + sign * p * (a - 1)) * other - b)
    return identical(left, right, dict.fromkeys((a, p, lost, b, other), (0, 3)))


@proves(
    "Randomized response on the diffused record attains it.",
    Method.EXACT,
    cases="12 pairs of a rate and eps",
)
@mutant("0.99 p", share=Fraction(99, 100))
def amplification_is_tight(share: Fraction = Fraction(1)) -> Finding:
    """Answer 1 has weight e^eps if the record is 1, else weight 1: the loss is exactly the bound."""
    for rate in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(1)):
        for epsilon in (Fraction(1, 10), Fraction(1), Fraction(5)):
            gain = ExpSum.exp(epsilon)
            before = sum(
                (
                    w * (gain if d == (1,) else ExpSum.rational(1))
                    for d, w in diffused_law((1,), (rate,)).items()
                ),
                ExpSum({}),
            )
            after = sum(
                (w * ExpSum.rational(1) for w in diffused_law((0,), (rate,)).values()), ExpSum({})
            )
            if before != after * (1 + share * rate * (gain - 1)):
                return exactly(False, f"not attained at p = {rate}, eps = {epsilon}")
    return exactly(True, "attained for 12 pairs (p, eps)")


@encloses("Printed values of ln(1 + p (e^eps - 1)).", Method.ENCLOSURE)
@mutant("1.01 p", scale=PERCENT)
def printed_amplification(scale: Fraction = Fraction(1)) -> Finding:
    """ln(1 + p (e^eps - 1)) at five points."""
    return as_printed(
        (f"p = {p}, eps = {e}", value, amplified_epsilon(ball(p) * scale, ball(e), numbers=NUMBERS))
        for p, e, value in AMPLIFIED
    )


CLAIMS = (
    Claim(
        id="PDP-A-DIFF",
        source="Section 4.1 (diffusion)",
        says="Diffusion keeps record i with probability p_i and replaces it by the placeholder BOT otherwise, independently; the number of records stays.",
        latex=r"F(D, \bot, p)_i = x_i \text{ with probability } p_i, \text{ else } \bot; \quad p^*_i = \frac{e^{\varepsilon_i} - 1}{e^\tau - 1}",
        domain="0 <= p_i <= 1",
        status=Status.DEFINITION,
        checks=checks_of(law_of_diffusion, stable_form, rate_gives_the_budget, tiny_rates),
        note="A random number below p in floating point has probability at least 2^-53 for p > 0: p* must be rounded down to a multiple of 2^-53, or drawn exactly.",
    ),
    Claim(
        id="PDP-T10",
        source="Theorem 10",
        states=(amplification,),
        domain="a = e^eps, so that e^eps_i is the second factor; A, B and Bother are the chances if record i is lost, is x, is replaced",
        status=Status.PROVED,
        checks=checks_of(
            amplification, remainder_of_the_bound, amplification_is_tight, printed_amplification
        ),
        steps=(
            ByCheck("amplification"),
            ByCheck("remainder_of_the_bound"),
            ByHand(
                "Condition on which other records survive: the inequality is linear in the chances A, B, B', so it holds for their averages."
            ),
            ByHand("Both directions follow as D and D' may be exchanged, and x or x' may be BOT."),
        ),
        obligations=parts_of(amplification_is_tight),
    ),
)
