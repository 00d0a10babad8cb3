"""Errata 7, 10 to 13, 15 and 16: general properties, their risk and loss, and Algorithm 4."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.enclosure import Balls, certainly_less
from proofs_check.language import (
    TERMS,
    Always,
    Condition,
    Counterexample,
    Domain,
    Quantity,
    absolute,
    all_of,
    decided,
    fails,
    implies,
    integers,
    real_symbols,
    reals,
    refuted,
    valid,
)
from proofs_check.papers.sub.common import distance, dominates, mean, multisets
from proofs_check.papers.sub.errata.accounting import low_first
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS", "interpolated_quantile"]

NUMBERS = Balls(192)


@refutes(
    "Rank r/4 leaves between 0 and r/2 points outside; Lemma D.1 needs 3r/2 to 2r.", Method.EXACT
)
@mutant("7r/4 for r/4", nominal=Fraction(7, 4))
@decided(fails)
def rank_is_too_small(nominal: Fraction = Fraction(1, 4)) -> Counterexample:
    """With |r' - r/4| <= r/4 the hypothesis r' >= 3r/2 fails; with 7r/4 it holds."""
    r, found = real_symbols("r found")
    domain = Domain((r > 0, absolute(found - nominal * r) <= r / 4))
    inside = (2 * found >= 3 * r, found <= 2 * r)
    says = "Thresholds of rank {rank} and its mirror image leave between {least} and {most} points outside."
    named = {"rank": r / 4, "least": 3 * r / 2, "most": 2 * r}
    return Counterexample(Always(domain, inside, says, named), {"r": 4, "found": nominal * 4})


@refutes("With no point outside the conclusion of Lemma D.1 fails.", Method.EXACT)
@mutant("3r/2 points outside on each side", outside=3)
def sandwich_fails(outside: int = 0, r: int = 2) -> Finding:
    """D of zeros, r = 2, (l, u) = (0, 1), D' = {0, ..., 0, 1}: D minus L_8 does not dominate D'."""
    inside = (0,) * (9 - outside)
    data = (-1,) * outside + inside + (2,) * outside
    other = (*inside, 1)
    near = distance(inside, other) <= r // 2
    holds = dominates(data[4 * r :], other) and dominates(other, data[: len(data) - 4 * r])
    return exactly(near and not holds, f"D minus L_8 = {data[4 * r :]}, D' = {other}")


@refutes(
    "The release belongs to the moved data: for 10 zeros their mean is 3/7, not 0.", Method.EXACT
)
@mutant("no point moves", k=0)
def moved_data_have_another_mean(size: int = 10, k: int = 3) -> Finding:
    """{0}^10: Delta = 0, but the moved and pruned data have mean 3/7: 3 L beta is missing."""
    data = (0,) * size
    delta = mean(data[8:]) - mean(data[: size - 8])
    pruned = tuple(x for x in low_first(data, k) if 0 <= x <= 1)
    beyond = abs(mean(pruned)) > delta
    return exactly(beyond and delta == 0 and mean(pruned) <= 3, f"{pruned}, mean {mean(pruned)}")


@refutes("The terms of the repaired proof sum to 7.5 L beta.", Method.EXACT)
@mutant("no term for the moves", conversion=Fraction(0))
def sum_of_terms(conversion: Fraction = Fraction(3), printed: Fraction = Fraction(7)) -> Finding:
    """2 (thresholds) + 1 (release) + 3 (moves) + 3/2 (moves and rounding) = 15/2 > 7, times L beta."""
    total = 2 + 1 + conversion + Fraction(3, 2)
    return exactly(total > printed, f"{total} L beta, printed {printed}")


@refutes("Adding two maxima doubles the constant, which is 2 e^2 for one.", Method.ENCLOSURE)
@mutant("one maximum", maxima=1)
def packing_constant(maxima: int = 2) -> Finding:
    """Two maxima of e^2 R(D, eps) 2 each: 4 e^2 > 2 e^2 > the printed 2 e."""
    e = NUMBERS.exp(NUMBERS.rational(Fraction(1)))
    added = maxima * 2 * e**2
    holds = certainly_less(2 * e**2, added) is True and certainly_less(2 * e, 2 * e**2) is True
    return exactly(holds, "4 e^2 is not 2 e^2, and 2 e is less than both")


@refutes("The failure term is B Pr(not E); B Pr(E) is no less than B (1 - 2 eta).", Method.SMT)
@mutant("Pr(not E)", complement=True)
def wrong_event(complement: bool = False) -> Finding:
    """B P(E) <= 2 eta B is false for P(E) >= 1 - 2 eta and eta < 1/4; B P(not E) <= 2 eta B holds."""

    def statement(chance: Any, eta: Any) -> Any:
        given = all_of(0 < eta, 4 * eta < 1, chance >= 1 - 2 * eta, chance <= 1)
        return implies(given, (1 - chance if complement else chance) <= 2 * eta)

    found = valid(reals("chance eta"), statement)
    if found.holds is None:
        return found
    return exactly(not found.holds, f"P(E) <= 2 eta {found.detail}")


@refutes(
    "A metric on three points has the printed property and not its mirror image.", Method.EXACT
)
@mutant("l(x, a) = 1 for 2", inner=1)
@mutant("l(x, a) = 3 for 2", inner=3)
@decided(fails)
def one_direction_does_not_do(inner: int = 2) -> Counterexample:
    """l(b, x) = l(b, a) = 1, l(x, a) = 2: a metric, monotone from above, but not from below."""
    near, far, rest = real_symbols("u v w")
    metric = (near <= far + rest, far <= near + rest, rest <= near + far)
    domain = Domain((near > 0, far > 0, rest > 0, *metric, near <= far))
    says = "A loss that is monotone from above, so that {near} is at most {far}, is used as if it were monotone in both directions: {rest} is at most {far}."
    named = {"near": near, "far": far, "rest": rest}
    printed = Always(domain, (rest <= far,), says, named)
    return Counterexample(printed, {"u": 1, "v": 1, "w": inner})


@refutes(
    "Half of the mean is monotone, and len is infinite on all of T where l = u = R.", Method.EXACT
)
@mutant("the mean itself", share=Fraction(1))
def half_mean(share: Fraction = Fraction(1, 2), r: int = 4) -> Finding:
    """Theta = mean / 2: all data at R give l = u = R, T = {R}, and no data of [R, R] have theta R."""
    monotone = all(
        share * mean(d) >= share * mean(other)
        for d in multisets((-r, 0, r), range(1, 4))
        for other in multisets((-r, 0, r), range(1, 4))
        if dominates(d, other)
    )
    reached = any(share * mean((r,) * n) == r for n in range(1, 50))
    return exactly(monotone and not reached, "len(D, R) is infinite for every D")


def interpolated_quantile(data: Sequence[Any], level: Fraction) -> Fraction:
    """Linear interpolation between the points around (n - 1) q (type 7)."""
    place = (len(data) - 1) * level
    low = place.numerator // place.denominator
    high = min(low + 1, len(data) - 1)
    return Fraction(data[low]) + (place - low) * Fraction(data[high] - data[low])


@refutes(
    "Ten zeros against eight zeros and two ones: the claim is 0.0135, the risk 0.", Method.ENCLOSURE
)
@mutant("a subset of D for D2", subset=True, ones=0)
@mutant("three ones for two", ones=3)
def outside_of_the_data(ones: int = 2, subset: bool = False) -> Finding:
    """D = {0}^10, eps = 1/2, D2 = {0^8, 1, 1}: d = 4, the claim is R >= 0.0135, but R(D) = 0."""
    data, other = (0,) * 10, (0,) * (10 if subset else 8) + (0 if subset else 1,) * ones
    claimed = abs(mean(other) - mean(data)) / (2 * NUMBERS.exp(NUMBERS.rational(Fraction(2))))
    allowed = distance(data, other) <= 4 and len(other) >= 8
    risk = max(abs(mean(data[:k])) for k in (8, 9, 10))  # the constant release 0
    beyond = exactly(allowed and certainly_less(risk, claimed) is True, "R = 0 is below the claim")
    return every([beyond, as_printed([("claimed", "0.0135335283236613", claimed)])])


@refutes(
    "Ten zeros against eight zeros and two ones: the claim is 0.0135, the risk 0.", Method.ENCLOSURE
)
@mutant("a subset of D for D2", m=0)
@refuted(
    integers("m"),
    "The lower bound by a pair of data sets is printed without asking that both are subsets of the "
    "data: of ten zeros against eight zeros and {m} ones, {left} is at most {right}.",
    at={"m": 2},
)
def pair_outside_of_the_data(ones: Any) -> Condition:
    """l(theta(D1), theta(D2)) / (2 e^2) <= R(D, eps), eps = 1/2; a constant has no loss on zeros."""
    gap = Quantity(
        "the loss between the means",
        r"\ell(\theta(D_1), \theta(D_2))",
        lambda count: mean((0,) * 8 + (1,) * int(count)),
    )
    risk = Quantity(
        "the risk of ten zeros",
        r"R(D, \varepsilon)",
        lambda: max(abs(mean((0,) * k)) for k in (8, 9, 10)),
    )
    given = all_of(ones >= 0, ones <= 2)
    return implies(given, gap(ones) / (2 * TERMS.exp(2)) <= risk())


@refutes("Half of the mean is monotone, and at most R / 2.", Method.EXACT)
@mutant("the mean itself", share=Fraction(1))
@refuted(
    reals("R"),
    "Any monotone property with values between the ends is admitted: half of the mean, which is {left} of data at {R}, is {R} there.",
    at={"R": 4},
)
def every_property_reaches_the_end(end: Any, *, share: Fraction = Fraction(1, 2)) -> Condition:
    """Where l = u = R some data have the value R."""
    return implies(end > 0, share * end == end)


CLAIMS = (
    Claim(
        id="SUB-E7",
        source="Erratum 7, Algorithm 4, steps 3 and 4 (a step of the proof of Theorem 4.3)",
        states=(rank_is_too_small,),
        domain="found is the rank within the error r/4, as the proof of Theorem 4.3 needs it",
        status=Status.REFUTED,
        checks=checks_of(rank_is_too_small, sandwich_fails),
        why="The proof of Theorem 4.3 uses |r' - 7r/4| <= r/4.",
        right="Ranks 7r/4 from below and from above.",
        corrected_by="SUB-T4.3s",
        obligations=parts_of(sandwich_fails),
        note="The proof of Theorem 4.3 does not apply to the printed ranks. Whether its statement holds for them is SUB-E7o.",
    ),
    Claim(
        id="SUB-E7o",
        source="Theorem 4.3, for the printed ranks",
        says="With ranks r/4 and |D| - r/4, and an exponent that makes it private, Algorithm 4 loses at most 2 e^2 R(D, eps') + O(L beta).",
        latex=r"E\, \ell \le 2 e^2 R(D, \varepsilon') + O(L \beta)",
        domain="As Theorem 4.3; its proof needs other ranks (SUB-E7)",
        status=Status.OPEN,
        ours=True,
    ),
    Claim(
        id="SUB-E10",
        source="Erratum 10, Lemma 4.4",
        states=(pair_outside_of_the_data,),
        domain="D of 10 zeros, eps = 1/2, pairs at distance at most 4",
        status=Status.REFUTED,
        checks=checks_of(pair_outside_of_the_data, outside_of_the_data),
        why="Data outside of D say nothing about the risk over subsets of D.",
        right="D1 and D2 subsets of D, and eps in (0, 1].",
        corrected_by="SUB-L4.4s",
        obligations=parts_of(outside_of_the_data),
    ),
    Claim(
        id="SUB-E11",
        source="Erratum 11, proof of Theorem 4.3",
        says=(
            "The proof bounds the loss by 7 L beta and a packing term with constant 2e, adding two "
            "maxima, the failure term B Pr(E), and no term for moving the data."
        ),
        latex=r"E\,\ell \le 2eR(D, \varepsilon') + 7L\beta \quad\text{(as its proof adds up)}",
        domain="n > 4.5 r",
        status=Status.REFUTED,
        checks=checks_of(moved_data_have_another_mean, sum_of_terms, packing_constant, wrong_event),
        why=(
            "The step from the image to the original data is missing, an event stands for its "
            "complement, and the packing constant loses a factor e (or doubles)."
        ),
        right="E loss <= 2 e^2 R(D, 1/(4r)) + 7.5 L beta.",
        corrected_by="SUB-T4.3s",
        obligations=parts_of(
            moved_data_have_another_mean, sum_of_terms, packing_constant, wrong_event
        ),
    ),
    Claim(
        id="SUB-E12",
        source="Erratum 12, Section 4, the assumption on the loss",
        states=(one_direction_does_not_do,),
        domain="u = l(b, x), v = l(b, a) and w = l(x, a) are the distances of points a < x < b of an ordered set",
        status=Status.REFUTED,
        checks=checks_of(one_direction_does_not_do),
        why="One direction does not imply the other.",
        right="Ask it also for theta <= theta1 <= theta2.",
        corrected_by="SUB-T4.3s",
    ),
    Claim(
        id="SUB-E13",
        source="Erratum 13, Section 4, the assumption on the property",
        states=(every_property_reaches_the_end,),
        domain="Algorithms 4 and 5, with both thresholds at R",
        status=Status.REFUTED,
        checks=checks_of(every_property_reaches_the_end, half_mean),
        why="The algorithm looks for releases between the thresholds, where theta need not be.",
        right="Require min D <= theta(D) <= max D.",
        corrected_by="SUB-T4.3s",
        obligations=parts_of(half_mean),
    ),
)
