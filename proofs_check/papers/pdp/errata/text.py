"""Errata of PDP in the text and in Section 5: errata 27 to 29 and 31."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import NUMBERS, ball, below
from proofs_check.papers.pdp.errata.counts import coupling_is_exact
from proofs_check.papers.pdp.errata.proofs import diffuse
from proofs_check.papers.pdp.groups.group_counts import count_offset
from proofs_check.papers.pdp.groups.rounding_steps import group_left_end
from proofs_check.papers.pdp.tools.saturation import saturation

__all__ = ["CLAIMS", "group_count"]

ONE = Fraction(1)


def group_count(ratio: Fraction) -> int:
    """J = floor(log2 T) + 1: groups [2^(i-1), 2^i) that meet [1, T], T = eps_max / eps_min."""
    return int(group_left_end(ratio, ONE)).bit_length()


@refutes(
    "Theorem 9's number is no upper bound: a constant mechanism errs by more already at mu = 0.034.",
    Method.ENCLOSURE,
)
@mutant("mu = 0.0337", mean=Fraction(337, 10000))
def lower_bound_is_no_upper_bound(mean: Fraction = Fraction(34, 1000)) -> Finding:
    """100 budgets 1: the constant mechanism 0 has error 0.034 at mu = 0.034, Theorem 9's number is 0.0338.

    The number is (1 / sqrt 2) / (S_k + 2 sqrt(n - k)) at its largest, k = 1.
    """
    weights = [ball(k) + 2 * NUMBERS.sqrt(ball(100 - k)) for k in range(1, 101)]
    number = 1 / (NUMBERS.sqrt(ball(2)) * weights[0])
    largest = below([("k = 1 and another k", weights[0], other) for other in weights[1:]])
    return every([below([("number and error", number, mean)]), Finding(largest.holds)])


@refutes(
    "Diffusion keeps the number of entries: it is for changed records, not for removed ones.",
    Method.EXACT,
)
@mutant("a changed record", after=("a", "c"))
def diffusion_keeps_the_length(after: tuple[str, ...] = ("a",)) -> Finding:
    """F(D) has as many entries as D: if a record is removed, no two outputs are neighbors."""
    lengths = [
        {len(z) for z in diffuse(data, (Fraction(1, 2),) * len(data))}
        for data in (("a", "b"), after)
    ]
    return exactly(lengths == [{2}, {1}], f"lengths {lengths}")


@refutes("Under Definition 4 (records added or removed) ADPM breaks a budget of 1.", Method.EXACT)
@mutant("the same number of records", after=2)
def weights_reveal_the_size(after: int = 1) -> Finding:
    """ADPM, budgets 1, h = 1, all values 0: with 2 and with 1 record the noise has scale 1/2 and 1.

    P(|output| > 2) = e^(-2 A): the ratio e^2 exceeds e^1.
    """
    totals = [saturation([ONE] * n).total for n in (after, 2)]
    tails = [ExpSum.exp(-2 * total) for total in totals]
    return exactly(tails[0] > tails[1] * ExpSum.exp(ONE), f"A = {[str(t) for t in totals]}")


@refutes("The sensitivity is (r - l) w.", Method.EXACT)
@mutant("(r - l) w", sign=-1)
def sensitivity_has_a_sign(sign: int = 1) -> Finding:
    """The sensitivity of w clip(x, [l, r]) is (r - l) w > 0, printed (l - r) w."""
    low, high, w = Fraction(-1), Fraction(2), Fraction(1, 3)
    values = [w * max(low, min(x, high)) for x in map(Fraction, range(-5, 6))]
    found = max(values) - min(values)
    return exactly(found != sign * (low - high) * w and found == (high - low) * w, f"{found}")


@refutes("T = 16: five groups, not 16, 4 or 2.", Method.ENCLOSURE)
@mutant("T = 15.84", ratio=Fraction(1584, 100))
def numbers_of_groups(ratio: Fraction = Fraction(16)) -> Finding:
    """T = 16 has 5 groups; printed: a loop to 2^4 = 16, floor(log2 T) = 4, floor(ln T) = 2."""
    groups = group_count(ratio)
    log2 = groups - 1
    natural = below([("2", ball(2), NUMBERS.log(ball(ratio))), ("3", NUMBERS.log(ball(ratio)), 3)])
    return every([exactly((groups, 2**log2, log2) == (5, 16, 4), f"J = {groups}"), natural])


@refutes("T < 2: ln 0.", Method.EXACT)
@mutant("T = 2.0099", ratio=Fraction(20099, 10000))
def logarithm_of_zero(ratio: Fraction = Fraction(199, 100)) -> Finding:
    """T < 2: floor(log2 T) = 0, so the printed offset has ln 0."""
    return exactly(2 * (group_count(ratio) - 1) == 0, f"ln(2 * {group_count(ratio) - 1} / beta)")


@refutes("The two offsets differ by (2 / left) ln 2.", Method.ENCLOSURE)
@mutant("ln(1.01 J / beta) in the text", text=Fraction(101, 100))
def two_offsets(text: Fraction = Fraction(1)) -> Finding:
    """The text has ln(J / beta), the algorithm ln(2 J / beta): J = 4, beta = 0.1, left = 0.1.

    At the text's scale 2 / left the offsets differ by (2 / left) ln 2 = 13.86.
    """
    offsets = [
        count_offset(ball("0.1"), ball(4) * f / 2, ball("0.1"), numbers=NUMBERS) for f in (text, 2)
    ]
    gap = offsets[1] - offsets[0]
    return below([("13.8", Fraction(138, 10), gap), ("13.9", gap, Fraction(139, 10))])


@proves("So a quarter of the budget is spent where a half may be.", Method.EXACT)
@mutant("distance 2", distance=2)
def mean_stage_share(distance: int = 1) -> Finding:
    """With budgets left / 4 the mean stage costs left / 4, half of the left / 2 that is there."""
    cost = Fraction(distance, 4)
    return exactly(cost == Fraction(1, 2) / 2, f"costs {cost} left")


@proves("The ratio is above 1/2 and at most 1.", Method.SMT)
@mutant("above 0.505", low=Fraction(505, 1000))
@mutant("at most 0.99", high=Fraction(99, 100))
@for_all(
    reals("left eps"),
    "Rounding changes each budget by a ratio between one half and two (print); indeed by one above "
    "{low} and at most {high}.",
    terms=lambda _: {"low": Fraction(1, 2), "high": 1},
)
def rounding_ratio(
    left: Any, epsilon: Any, *, low: Fraction = Fraction(1, 2), high: Fraction = ONE
) -> Condition:
    """For left <= eps < 2 left the ratio left / eps lies in (1/2, 1], never at 1/2, never above 1."""
    given = all_of(left > 0, left <= epsilon, epsilon < 2 * left)
    return implies(given, all_of(left > low * epsilon, left <= high * epsilon))


CLAIMS = (
    Claim(
        id="PDP-E-27",
        source="Sections 1, 2.1, 3.2, 3.3, 3.5, 4.4",
        says="The upper bound of Theorem 9; the unbounded solution relies on diffusing; bounded PDP by Definition 4; sensitivity (l - r) w; and slips of notation (K for Y in Definition 1, a macro in Algorithm 1, domain [-1/2, 1/2] in Section 1 and [0, 1] in Section 3.5).",
        latex=r"|M(D) - \mu| \le \text{Theorem 9}, \quad D \sim_u D' \Rightarrow F(D) \sim F(D'), \quad (l - r) w",
        domain="examples",
        status=Status.REFUTED,
        checks=checks_of(
            lower_bound_is_no_upper_bound,
            diffusion_keeps_the_length,
            weights_reveal_the_size,
            sensitivity_has_a_sign,
        ),
        why="Words for their opposites: lower for upper, bounded for unbounded, Definition 3 for 4.",
        right="The lower bound of Theorem 9; the bounded solution; Definition 3; (r - l) w.",
        obligations=parts_of(
            lower_bound_is_no_upper_bound,
            diffusion_keeps_the_length,
            weights_reveal_the_size,
            sensitivity_has_a_sign,
        ),
        note="The slips of notation in brackets have no content to check; both domains have width 1, so that h = 1 for either.",
    ),
    Claim(
        id="PDP-E-28",
        source="Section 5.2, Algorithm 8, equations (22), (23)",
        says="A loop up to 2^floor(log2 T); floor(log T) sub-domains; offsets with floor(log2 T); ln(J / beta) in the text, ln(2 J / beta) in the algorithm.",
        latex=r"i = 1, \dots, 2^{\lfloor \log_2 T \rfloor}, \quad J = \lfloor \log T \rfloor, \quad \ln\frac{\lfloor \log_2 T \rfloor}{\beta}",
        domain="T = eps_max / eps_min",
        status=Status.REFUTED,
        checks=checks_of(numbers_of_groups, logarithm_of_zero, two_offsets),
        why="The number of groups is floor(log2 T) + 1. The factors 2 and 4 of (22) and (23) are in PDP-E22 and PDP-E23.",
        right="J = floor(log2 T) + 1 everywhere, offset (2 / left) ln(2 J / beta).",
        corrected_by="PDP-E23",
        obligations=parts_of(numbers_of_groups, logarithm_of_zero, two_offsets),
    ),
    Claim(
        id="PDP-E-29",
        source="Theorem 13, proof, and Algorithm 8, last line",
        says="The shrunk datasets of neighbors are said to be at distance at most two, and the mean stage gets a quarter of the budgets; they are at distance at most 1.",
        latex=r"d(\ddot D, \ddot D') \le 1",
        domain="all group sizes and counts",
        status=Status.REMARK,
        checks=checks_of(
            reworded(coupling_is_exact, "A coupling at distance at most 1, with exact marginals."),
            mean_stage_share,
        ),
        why="True, but wasteful: a removed user is replaced by one other user or by a placeholder.",
        right="Distance 1; the mean stage may use half of the budgets.",
        corrected_by="PDP-T13",
    ),
    Claim(
        id="PDP-E-31",
        source="Theorem 13, proof, before equation (25)",
        states=(rounding_ratio,),
        domain="left is the left end of the group of eps",
        status=Status.REMARK,
        checks=checks_of(rounding_ratio),
        why="A ratio above 1 would raise a budget, which property (b) forbids; 1/2 is not attained.",
        right="(1/2, 1].",
        corrected_by="PDP-E25s",
    ),
)
