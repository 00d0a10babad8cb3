"""Hockey-stick divergence in PDP: Theorem 5, and Lemmas 13 and 14 on couplings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, any_of, for_all, implies, reals
from proofs_check.papers.pdp.common import PERCENT, larger
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS", "coupled_order", "coupled_share", "hockey_stick", "printed_integral"]

Masses = Sequence[Fraction]

LAWS: tuple[tuple[Fraction, ...], ...] = tuple(
    tuple(Fraction(x, sum(weights)) for x in weights)
    for weights in (
        (1, 2, 3, 4),
        (4, 3, 2, 1),
        (0, 1, 1, 2),
        (5, 0, 0, 1),
        (1, 1, 1, 1),
        (0, 0, 1, 0),
    )
)


def hockey_stick(p: Masses, q: Masses, a: Fraction) -> Fraction:
    """D_a(P, Q) = sum of [P - a Q]_+."""
    return sum((max(x - a * y, Fraction(0)) for x, y in zip(p, q, strict=True)), Fraction(0))


def printed_integral(p: Masses, q: Masses, a: Fraction) -> Fraction:
    """The integral of [dP/dQ - a]_+ dQ, which sees only what Q sees."""
    seen = [(x, y) for x, y in zip(p, q, strict=True) if y]
    return sum((y * max(x / y - a, Fraction(0)) for x, y in seen), Fraction(0))


def coupled_order(a: Any, eta: Any) -> Any:
    """A' = 1 + eta (a - 1), Lemma 13."""
    return 1 + eta * (a - 1)


def coupled_share(a: Any, eta: Any) -> Any:
    """The share b = a' / a, Lemma 13."""
    return coupled_order(a, eta) / a


@confirms("The largest gain over all 16 events of laws on four points.", Method.EXACT)
@mutant("order 1.01 a", order=PERCENT)
def best_event(order: Fraction = Fraction(1)) -> Finding:
    """The supremum over events of P(E) - a Q(E) = D_a, by all events of laws on four points."""
    orders = (Fraction(1), Fraction(3, 2), Fraction(4))
    for p, q, a in product(LAWS, LAWS, orders):
        events = chain.from_iterable(combinations(range(4), size) for size in range(5))
        best = max(sum(p[i] for i in e) - a * sum(q[i] for i in e) for e in events)
        if best != hockey_stick(p, q, order * a):
            return exactly(False, f"P = {p}, Q = {q}, a = {a}: {best}")
    return exactly(True, f"{len(LAWS) ** 2 * len(orders)} cases")


@proves(
    "An event gains at most [p - a q]_+ at each point, and one that takes the positive terms gains it.",
    Method.SMT,
)
@mutant("weight 1.01", weight=PERCENT)
@for_all(
    reals("p q a c"),
    "An event gains at most the positive part of {gap} at each point, and gains it where it takes the positive ones.",
    terms=lambda v: {"gap": v["p"] - v["a"] * v["q"]},
    polynomial=True,
)
def positive_part_is_best(
    p: Any, q: Any, a: Any, c: Any, *, weight: Fraction = Fraction(1)
) -> Condition:
    """The gain c (p - a q) <= [p - a q]_+ for c in {0, 1}, with equality for the sign of p - a q; termwise."""
    gain = larger(p - a * q, 0)
    chosen = any_of(c == 0, c == weight)
    return all_of(
        implies(chosen, c * (p - a * q) <= gain), any_of(gain == 0, gain == weight * (p - a * q))
    )


@proves("No positive part if and only if p <= a q.", Method.SMT)
@mutant("1.01 a", factor=PERCENT)
@mutant("0.99 a", factor=Fraction(99, 100))
@for_all(
    reals("p q a"),
    "That part is zero just where {private}.",
    terms=lambda v: {"private": v["p"] <= v["a"] * v["q"]},
    polynomial=True,
)
def private_iff_zero(p: Any, q: Any, a: Any, *, factor: Fraction = Fraction(1)) -> Condition:
    """[p - a q]_+ = 0 if and only if p <= a q."""
    zero = larger(p - factor * a * q, 0) == 0
    given = all_of(p >= 0, q >= 0, a >= 1)
    return implies(given, all_of(implies(zero, p <= a * q), implies(p <= a * q, zero)))


@refutes("P and P' on different points: the supremum is 1, the printed integral 0.", Method.EXACT)
@mutant("P' = (1/2, 1/2)", q=(Fraction(1, 2), Fraction(1, 2)))
def integral_misses_mass(q: Masses = (Fraction(0), Fraction(1))) -> Finding:
    """P = (1, 0) and Q = (0, 1): the supremum is 1 and the printed integral 0."""
    p, a = (Fraction(1), Fraction(0)), Fraction(2)
    supremum, integral = hockey_stick(p, q, a), printed_integral(p, q, a)
    return exactly(supremum != integral, f"supremum {supremum}, integral {integral}")


@proves("V - a' V' is eta times V1 - a ((1 - b) V0 + b V1'), point by point.", Method.SYMBOLIC)
@mutant("1.01 a in a' and b", order=PERCENT)
def coupled_identity(order: Fraction = Fraction(1)) -> Finding:
    """V - a' V' = eta [V1 - a ((1 - b) V0 + b V1')] for V = (1 - eta) V0 + eta V1, V' likewise."""
    a, eta, v0, v1, w1 = symbols("a eta V0 V1 W1", positive=True)
    c = order.numerator * a / order.denominator
    share = coupled_share(c, eta)
    left = (1 - eta) * v0 + eta * v1 - coupled_order(c, eta) * ((1 - eta) * v0 + eta * w1)
    right = eta * (v1 - a * ((1 - share) * v0 + share * w1))
    return identical(left, right, {a: (1, 9), **dict.fromkeys((eta, v0, v1, w1), (0, 1))})


@proves("b lies in [0, 1].", Method.SMT)
@mutant("a >= 0.99", least=Fraction(99, 100))
@for_all(reals("a eta"), polynomial=True)
def share_is_a_share(a: Any, eta: Any, *, least: Fraction = Fraction(1)) -> Condition:
    """0 <= a' <= a for a >= 1 and 0 <= eta <= 1, so b lies in [0, 1]."""
    order = coupled_order(a, eta)
    return implies(all_of(a >= least, 0 <= eta, eta <= 1), all_of(0 <= order, order <= a))


@confirms("The equation for laws on four points.", Method.EXACT)
@mutant("1.01 a'", order=PERCENT)
def coupled_laws(order: Fraction = Fraction(1)) -> Finding:
    """D_a'(V, V') = eta D_a(V1, (1 - b) V0 + b V1') for laws on four points."""
    count = 0
    for v0, v1, w1 in product(LAWS[:4], LAWS, LAWS):
        for eta, a in product((Fraction(1, 3), Fraction(4, 5)), (Fraction(1), Fraction(5, 2))):
            mixed, other = (_mix(eta, v0, v) for v in (v1, w1))
            left = hockey_stick(mixed, other, coupled_order(a, eta) * order)
            count += 1
            if left != eta * hockey_stick(v1, _mix(coupled_share(a, eta), v0, w1), a):
                return exactly(False, f"differs for eta = {eta}, a = {a}")
    return exactly(True, f"{count} cases")


def _mix(share: Fraction, p: Masses, q: Masses) -> tuple[Fraction, ...]:
    return tuple((1 - share) * x + share * y for x, y in zip(p, q, strict=True))


@proves(
    "The positive part of a weighted sum is at most the weighted sum of the positive parts.",
    Method.SMT,
)
@mutant("0.99 of a weight", weight=Fraction(99, 100))
@for_all(reals("w1 w2 x1 x2"), polynomial=True)
def parts_of_a_sum(
    w1: Any, w2: Any, x1: Any, x2: Any, *, weight: Fraction = Fraction(1)
) -> Condition:
    """[w1 x1 + w2 x2]_+ <= w1 [x1]_+ + w2 [x2]_+ for weights of a coupling."""
    zero = 0
    right = w1 * larger(x1, zero) + weight * w2 * larger(x2, zero)
    return implies(all_of(w1 >= 0, w2 >= 0), larger(w1 * x1 + w2 * x2, zero) <= right)


@confirms("Four couplings of three datasets, all triples of six laws on four points.", Method.EXACT)
@mutant("0.99 of the right side", weight=Fraction(99, 100))
def coupled_mechanisms(weight: Fraction = Fraction(1)) -> Finding:
    """Laws of M on three datasets, mixed by couplings of V and V' on them."""
    count, tight = 0, 0
    couplings = [
        {(0, 1): Fraction(1, 2), (1, 2): Fraction(1, 2)},
        {(0, 0): Fraction(1, 3), (0, 2): Fraction(1, 6), (1, 2): Fraction(1, 2)},
        {(2, 1): Fraction(1)},
        {(i, j): Fraction(1, 9) for i in range(3) for j in range(3)},
    ]
    for laws, coupling in product(combinations(LAWS, 3), couplings):
        for a in (Fraction(1), Fraction(3, 2)):
            first, second = (_average(laws, coupling, side) for side in (0, 1))
            left = hockey_stick(first, second, a)
            right = sum(w * hockey_stick(laws[i], laws[j], a) for (i, j), w in coupling.items())
            count, tight = count + 1, tight + (left == right)
            if left > weight * right:
                return exactly(False, f"{left} > {right}")
    return exactly(True, f"{count} cases, {tight} with equality")


def _average(
    laws: Sequence[Masses], coupling: Mapping[tuple[int, int], Fraction], side: int
) -> Masses:
    zero = Fraction(0)
    return [sum((w * laws[pair[side]][y] for pair, w in coupling.items()), zero) for y in range(4)]


CLAIMS = (
    Claim(
        id="PDP-T5",
        source="Theorem 5",
        states=(positive_part_is_best, private_iff_zero),
        domain="p and q are the probabilities of one outcome, c says whether the event has it, a = e^eps; the divergence is the sum of the positive parts, printed as an integral against the second law",
        status=Status.CORRECTED,
        checks=checks_of(integral_misses_mass, positive_part_is_best, best_event, private_iff_zero),
        why="The integral against P' misses mass that P' does not see.",
        right="D_a(P, P') = sup over E of P(E) - a P'(E) = integral of [p - a p']_+ with densities against P + P'.",
        errata=("PDP-E-19",),
        steps=(
            ByCheck("positive_part_is_best"),
            ByCheck("private_iff_zero"),
            ByHand(
                "With densities against a common measure the termwise inequality is integrated."
            ),
        ),
        obligations=parts_of(integral_misses_mass),
    ),
    Claim(
        id="PDP-L13",
        source="Lemma 13",
        says="The divergence of two mixtures that share the part V0 is eta times one of the other parts, at a larger order.",
        latex=r"D_{a'}(V, V') = \eta\, D_a(V_1, (1 - b) V_0 + b V_1'), \quad a' = 1 + \eta (a - 1),\ b = a' / a",
        domain="a >= 1, 0 <= eta <= 1, V = (1 - eta) V0 + eta V1, V' = (1 - eta) V0 + eta V1'",
        status=Status.PROVED,
        checks=checks_of(coupled_identity, share_is_a_share, coupled_laws),
        steps=(
            ByCheck("coupled_identity"),
            ByCheck("share_is_a_share"),
            ByClaim(
                "PDP-T5",
                "The divergence is the sum of positive parts of these differences, and eta >= 0.",
            ),
        ),
    ),
    Claim(
        id="PDP-L14",
        source="Lemma 14",
        says="Pushing two laws of datasets through M, the divergence is at most the average over a coupling of the divergences at the coupled datasets.",
        latex=r"D_{e^\varepsilon}(VM, V'M) \le \sum \pi(D, D')\, D_{e^\varepsilon}(M(D), M(D')) \le \sum \pi(D, D')\, \delta_{M, d(D, D')}(\varepsilon)",
        domain="every coupling pi of V and V'",
        status=Status.PROVED,
        checks=checks_of(parts_of_a_sum, coupled_mechanisms),
        steps=(
            ByCheck("parts_of_a_sum"),
            ByHand(
                "VM - a V'M is the sum over pi of M(D) - a M(D'): apply the first check at each output, for two terms at a time, and sum over the outputs."
            ),
            ByHand(
                "The second inequality is the definition of delta as the largest divergence at a distance."
            ),
        ),
    ),
)
