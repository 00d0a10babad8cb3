"""Steps from couplings to the amplification by diffusion (PDP, equations (2), (3), (5), (6)).

Everything is decided outcome by outcome: identities and inequalities between the probabilities v
and w of one outcome under two laws V and V', which are then summed over the outcomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, for_all, implies, smallest
from proofs_check.papers.pdp.common import LESS, PERCENT, larger, smaller
from proofs_check.smt import absolute, exact, maximum, reals
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import Rational, identical, symbols

__all__ = ["CLAIMS", "coupling", "divergence", "total_variation"]

Law = tuple[Fraction, ...]


def total_variation(
    first: Sequence[Any], second: Sequence[Any], share: Any = Fraction(1, 2)
) -> Any:
    """Equation (2): half the sum of |V(y) - V'(y)|."""
    return share * sum(abs(v - w) for v, w in zip(first, second, strict=True))


def coupling(first: Sequence[Any], second: Sequence[Any]) -> list[list[Any]]:
    """W = (1 - eta) W0 + eta W1: the mass in common on the diagonal, the rest independent."""
    eta = total_variation(first, second)
    common = [min(v, w) for v, w in zip(first, second, strict=True)]
    return [
        [
            (common[i] if i == j else 0) + (first[i] - common[i]) * (second[j] - common[j]) / eta
            for j in range(len(second))
        ]
        for i in range(len(first))
    ]


def divergence(alpha: Any, first: Sequence[Any], second: Sequence[Any]) -> Any:
    """D_alpha(V | V') = sum of the positive parts of V(y) - alpha V'(y)."""
    return sum(max(v - alpha * w, 0) for v, w in zip(first, second, strict=True))


def laws(outcomes: int = 3, parts: int = 4) -> list[Law]:
    """All laws on a few outcomes whose probabilities are multiples of 1 / parts."""
    return [
        tuple(Fraction(c, parts) for c in counts)
        for counts in product(range(parts + 1), repeat=outcomes)
        if sum(counts) == parts
    ]


def events(outcomes: int) -> list[tuple[int, ...]]:
    """All sets of outcomes."""
    return [e for size in range(outcomes + 1) for e in combinations(range(outcomes), size)]


@confirms(
    "It is the largest gap over all events, for all laws on three outcomes in quarters.",
    Method.EXACT,
)
@mutant("0.505 for 1/2", share=Fraction(505, 1000))
def distance_is_the_largest_gap(share: Fraction = Fraction(1, 2)) -> Finding:
    """Half the sum of |V - V'| is the largest V(E) - V'(E), by enumeration of all events."""
    pairs = list(product(laws(), repeat=2))
    for first, second in pairs:
        gap = max(sum(first[y] - second[y] for y in event) for event in events(3))
        if gap != total_variation(first, second, share):
            return exactly(False, f"differs from the largest gap {gap} at {first}, {second}")
    return exactly(True, f"{len(pairs)} pairs of laws, all events")


@proves("Outcome by outcome: |v - w| / 2 = (v + w) / 2 - min, and [v - w]+ = v - min.", Method.SMT)
@mutant("0.505 for 1/2", share=Fraction(505, 1000))
@for_all(
    reals("v w"),
    "Half of the distance of two probabilities is their mean less the smaller one, and the positive part of their gap is the first less the smaller one.",
)
def distance_pointwise(v: Any, w: Any, *, share: Fraction = Fraction(1, 2)) -> Condition:
    """|v - w| / 2 = (v + w) / 2 - min(v, w), and the positive part of v - w is v - min(v, w)."""
    low = smaller(v, w)
    return all_of(share * absolute(v - w) == (v + w) / 2 - low, larger(v - w, 0) == v - low)


@proves("The rows of W sum to V.", Method.SYMBOLIC)
@mutant("W1 divided by eta for eta^2", power=1)
def coupling_has_the_marginals(power: int = 2) -> Finding:
    """Sum over y' of W(y, y') is V(y): with eta the mass that V' does not share, all y'."""
    v, low, eta = symbols("v m eta", positive=True)
    agreeing = (1 - eta) * low / (1 - eta)
    disagreeing = eta * (v - low) * eta / eta**power
    return identical(agreeing + disagreeing, v, {v: (1, 2), low: (0, 1), eta: (0, Rational(1, 2))})


@confirms("W agrees as often as any coupling can: an exact linear program.", Method.LINEAR_PROGRAM)
@mutant("V = (101, 67, 32) / 200", first=("101/200", "67/200", "32/200"))
def no_coupling_agrees_more(first: Sequence[str] = ("1/2", "1/3", "1/6")) -> Finding:
    """The largest P(equal) of any coupling is 1 - eta, as a linear program; W attains it."""
    rows, columns = [Fraction(v) for v in first], [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    names = [f"w{i}{j}" for i in range(3) for j in range(3)]

    def constraints(*w: Any) -> list[Any]:
        return [
            *(x >= 0 for x in w),
            *(w[3 * i] + w[3 * i + 1] + w[3 * i + 2] == exact(rows[i]) for i in range(3)),
            *(w[j] + w[j + 3] + w[j + 6] == exact(columns[j]) for j in range(3)),
        ]

    best = maximum(names, lambda *w: w[0] + w[4] + w[8], constraints).value
    found = coupling([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], columns)
    diagonal = sum((found[i][i] for i in range(3)), Fraction(0))
    return exactly(best == diagonal == 1 - total_variation(rows, columns), f"P(equal) = {best}")


@confirms(
    "The parts are laws and mix to V and V', for all laws on three outcomes in quarters.",
    Method.EXACT,
)
@mutant("0.99 eta", share=LESS)
def decomposition(share: Fraction = Fraction(1)) -> Finding:
    """V = (1 - eta) V0 + eta V1 with laws V0, V1, and V1, V1' never on the same outcome."""
    pairs = [(v, w) for v, w in product(laws(), repeat=2) if 0 < total_variation(v, w) < 1]
    for first, second in pairs:
        eta = total_variation(first, second) * share
        common = [min(v, w) for v, w in zip(first, second, strict=True)]
        agreeing = [c / (1 - eta) for c in common]
        parts = [
            [(v - c) / eta for v, c in zip(law, common, strict=True)] for law in (first, second)
        ]
        ones = [sum(law) for law in (agreeing, *parts)]
        back = [
            [(1 - eta) * a + eta * p for a, p in zip(agreeing, part, strict=True)] for part in parts
        ]
        apart = all(p * q == 0 for p, q in zip(*parts, strict=True))
        if ones != [1, 1, 1] or back != [list(first), list(second)] or not apart:
            return exactly(False, f"not a decomposition of {first}, {second}")
    return exactly(True, f"{len(pairs)} pairs of laws")


@proves("V1 and V1' have no outcome in common.", Method.SMT)
@mutant("0.99 min(v, w)", share=LESS)
@for_all(
    reals("v w eta"),
    "Both laws are mixtures of a common part {common} with weight {weight} and of parts {first} and {second} that never meet.",
    terms=lambda v: {
        "common": smallest(v["v"], v["w"]) / (1 - v["eta"]),
        "weight": 1 - v["eta"],
        "first": (v["v"] - smallest(v["v"], v["w"])) / v["eta"],
        "second": (v["w"] - smallest(v["v"], v["w"])) / v["eta"],
    },
    polynomial=True,
)
def decomposition_pointwise(
    v: Any, w: Any, eta: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """(1 - eta) m / (1 - eta) + eta (v - m) / eta = v, and (v - m) (w - m) = 0, m = min(v, w)."""
    low = share * smallest(v, w)
    common, first, second = low / (1 - eta), (v - low) / eta, (w - low) / eta
    mixed = ((1 - eta) * common + eta * part == law for part, law in ((first, v), (second, w)))
    given = all_of(0 < eta, eta < 1, v >= 0, w >= 0)
    return implies(given, all_of(*mixed, first * second == 0))


@proves("Event by event, given the coins of all other records.", Method.SMT)
@mutant("0.99 p_i", factor=LESS)
@for_all(
    reals("p a u v w"),
    "If the chance of an event grows at most by the factor {a} where a record is lost or changed, then after diffusion at the rate {p} it grows at most by {factor}.",
    terms=lambda v: {"factor": 1 + v["p"] * (v["a"] - 1)},
    polynomial=True,
)
def goal_pointwise(
    p: Any, a: Any, u: Any, v: Any, w: Any, *, factor: Fraction = Fraction(1)
) -> Condition:
    """P(E | D) <= (1 + p (a - 1)) P(E | D') for each event, where M is private at level a.

    u, v, w: P(E) on the placeholder, on x_i and on x_i', given all other coins.
    """
    given = all_of(0 <= p, p <= 1, a >= 1, u >= 0, w >= 0, v >= 0, v <= a * u, v <= a * w)
    allowed = 1 + factor * p * (a - 1)
    return implies(given, (1 - p) * u + p * v <= allowed * ((1 - p) * u + p * w))


@confirms("Divergence zero is the same as privacy of every event.", Method.EXACT)
@mutant("alpha = 1.98", alpha=2 * LESS)
def goal_is_privacy(alpha: Fraction = Fraction(2)) -> Finding:
    """D_alpha(V | V') = 0 iff V(E) <= alpha V'(E) for all events, on all pairs of laws."""
    pairs = list(product(laws(), repeat=2))
    for first, second in pairs:
        private = all(sum(first[y] - 2 * second[y] for y in event) <= 0 for event in events(3))
        if private != (divergence(alpha, first, second) == 0):
            return exactly(False, f"differs at {first}, {second}")
    return exactly(True, f"{len(pairs)} pairs of laws, alpha = 2")


@proves("V - alpha' V' = eta (V1 - alpha ((1 - beta) V0 + beta V1')).", Method.SYMBOLIC)
@mutant("beta = 1.01 alpha' / alpha", slip=PERCENT)
def joint_identity(slip: Fraction = Fraction(1)) -> Finding:
    """V - a' V' = eta (V1 - a ((1 - b) V0 + b V1')), a' = 1 + eta (a - 1), b = a' / a."""
    eta, a, v0, v1, w1 = symbols("eta a v0 v1 w1", positive=True)
    raised = 1 + eta * (a - 1)
    b = raised / a * Rational(slip.numerator, slip.denominator)
    left = (1 - eta) * v0 + eta * v1 - raised * ((1 - eta) * v0 + eta * w1)
    right = eta * (v1 - a * ((1 - b) * v0 + b * w1))
    return identical(left, right, {eta: (0, 1), a: (1, 9), v0: (0, 1), v1: (0, 1), w1: (0, 1)})


@proves("The positive part is convex in the second law.", Method.SMT)
@mutant("0.99 beta on the right", weight=LESS)
@for_all(
    reals("v u w a b"),
    "The positive part of the excess over a mixture is at most the mixture of the positive parts of the excesses.",
    polynomial=True,
)
def convex_in_the_second(
    v: Any, u: Any, w: Any, a: Any, b: Any, *, weight: Fraction = Fraction(1)
) -> Condition:
    """[v - a ((1 - b) u + b w)]+ <= (1 - b) [v - a u]+ + b [v - a w]+ for b in [0, 1]."""
    given = all_of(0 <= b, b <= 1, a >= 1, u >= 0, v >= 0, w >= 0)
    left = larger(v - a * ((1 - b) * u + b * w), 0)
    right = (1 - b) * larger(v - a * u, 0) + weight * b * larger(v - a * w, 0)
    return implies(given, left <= right)


@proves("beta lies in [0, 1].", Method.SMT)
@mutant("alpha' = 1 + 1.01 eta (alpha - 1)", slip=PERCENT)
@for_all(
    reals("eta a"),
    "The weights of diffusion, {raised} over {a}, are those of a mixture.",
    terms=lambda v: {"raised": 1 + v["eta"] * (v["a"] - 1)},
    polynomial=True,
)
def weights_are_a_mixture(eta: Any, a: Any, *, slip: Fraction = Fraction(1)) -> Condition:
    """B = a' / a lies in [0, 1] for eta in [0, 1], a >= 1."""
    raised = 1 + slip * eta * (a - 1)
    return implies(all_of(0 <= eta, eta <= 1, a >= 1), all_of(raised >= 0, raised <= a))


CLAIMS = (
    Claim(
        id="PDP-E2",
        source="Section 3.6, equation (2) and the maximal coupling",
        states=(distance_pointwise,),
        domain="v and w are the probabilities of one outcome under both laws, finite or countable; eta is the sum over all",
        status=Status.PROVED,
        checks=checks_of(
            distance_pointwise,
            distance_is_the_largest_gap,
            coupling_has_the_marginals,
            no_coupling_agrees_more,
        ),
        steps=(
            ByCheck("distance_pointwise"),
            ByCheck("coupling_has_the_marginals"),
            ByHand(
                "Summed over the outcomes, the first identity gives eta = 1 - sum of minima = sum of positive parts; any event has V(E) - V'(E) at most the sum of positive parts, with equality where V > V'."
            ),
            ByHand(
                "The mass of V that V' does not share is eta as well, which makes the rows of W sum to V, and by symmetry its columns to V'."
            ),
            ByHand(
                "Any coupling has W(y, y) <= min(V(y), V'(y)), so it agrees with probability at most 1 - eta."
            ),
        ),
    ),
    Claim(
        id="PDP-E3",
        source="Section 3.6, equation (3)",
        states=(decomposition_pointwise,),
        domain="v and w are the masses of an outcome; eta is the total variation, so that the parts are laws",
        status=Status.PROVED,
        checks=checks_of(decomposition_pointwise, decomposition),
        assumes=("PDP-E2",),
        steps=(
            ByClaim(
                "PDP-E2",
                "V0 = min(V, V') / (1 - eta) and V1 = (V - min(V, V')) / eta are laws because the minima sum to 1 - eta (PDP-E2); the mixture is V by construction.",
            ),
        ),
    ),
    Claim(
        id="PDP-E5",
        source="Section 4.2, equation (5)",
        states=(goal_pointwise,),
        domain="a = e^eps; u, v and w are the chances of an event with the placeholder, with x_i, and with what replaces it, given all other coins",
        status=Status.PROVED,
        checks=checks_of(goal_pointwise, goal_is_privacy),
        steps=(
            ByCheck("goal_pointwise"),
            ByHand(
                "The inequality is averaged over the coins of the other records, which are the same for D and D'."
            ),
            ByHand(
                "The two laws on discrete outcomes stand for any: the positive part is attained on the event where V > alpha V'."
            ),
        ),
    ),
    Claim(
        id="PDP-E6",
        source="Section 4.2, equation (6)",
        states=(convex_in_the_second, weights_are_a_mixture),
        domain="v, u and w are the chances of an outcome under the differing part, the common part and the other differing part; b is the quotient of the weights",
        status=Status.PROVED,
        checks=checks_of(joint_identity, convex_in_the_second, weights_are_a_mixture),
        assumes=("PDP-E3",),
        steps=(
            ByCheck("joint_identity"),
            ByCheck("convex_in_the_second"),
            ByCheck("weights_are_a_mixture"),
            ByHand(
                "Apply M to both sides of the identity, take positive parts, which commute with the factor eta >= 0, use convexity at each outcome, and sum."
            ),
        ),
        note="The printed text writes convexity of D(Y1 | Y1) in Y2 for that of D(Y1 | Y2).",
    ),
)
