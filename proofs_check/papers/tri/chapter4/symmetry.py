"""Symmetries of DPUCOARSE and of clipping around it (Regehr, Sections 4.1 and 4.2, Appendix C)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, confirms, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, Sentence, for_all
from proofs_check.papers.tri.chapter4.coarse_law import noise_scale, outcome_law, threshold
from proofs_check.smt import (
    all_of,
    any_of,
    choose,
    exact,
    floor,
    implies,
    integers,
    reals,
    valid,
)
from proofs_check.steps import ByCheck, ByHand

__all__ = ["CLAIMS", "clip", "nearest", "output_density"]

HALF = Fraction(1, 2)


def nearest(u: Any) -> Any:
    """The unique integer k with u in [k - 1/2, k + 1/2), of a z3 term."""
    return floor(u + exact(HALF))


def clip(x: Any, lower: Any, upper: Any) -> Any:
    """min(max(x, lower), upper), of z3 terms."""
    return choose(x < lower, lower, choose(x > upper, upper, x))


def output_density(
    data: Sequence[Fraction], theta: Fraction, scale: Fraction
) -> tuple[Mapping[tuple[Fraction, Fraction], ExpSum], ExpSum]:
    """Density of the released value, piecewise constant, and the probability of failure.

    The bins change only where some x_i - T + 1/2 is an integer; between these points the counts
    are fixed, and the released value is T plus the number of a bin.
    """
    ends = sorted({-HALF, HALF, *((x + HALF + HALF) % 1 - HALF for x in data)})
    pieces: dict[tuple[Fraction, Fraction], ExpSum] = {}
    fails = ExpSum.rational(0)
    for lower, upper in pairwise(ends):
        middle = (lower + upper) / 2
        bins = [(x - middle + HALF) // 1 for x in data]
        labels = sorted(set(bins))
        released, failed = outcome_law([bins.count(k) for k in labels], theta, scale, ExpSum.exp)
        fails += failed * (upper - lower)
        for k, p in zip(labels, released, strict=True):
            pieces[lower + k, upper + k] = p
    return pieces, fails


def mixture(
    law: Mapping[Fraction, Fraction], n: int, theta: Fraction, scale: Fraction
) -> tuple[Callable[[Fraction], ExpSum], list[Fraction]]:
    """Density of the released value on n records drawn from a finite law, and its breakpoints."""
    weighted: list[tuple[Fraction, Mapping[tuple[Fraction, Fraction], ExpSum]]] = []
    for data in product(law, repeat=n):
        weight = Fraction(1)
        for x in data:
            weight *= law[x]
        weighted.append((weight, output_density(data, theta, scale)[0]))
    breaks = sorted({end for _, pieces in weighted for piece in pieces for end in piece})

    def density(y: Fraction) -> ExpSum:
        total = ExpSum.rational(0)
        for weight, pieces in weighted:
            for (lower, upper), p in pieces.items():
                if lower < y < upper:
                    total += p * weight
        return total

    return density, breaks


def cells(breaks: Sequence[Fraction], center: Fraction) -> Iterator[Fraction]:
    """One point of every cell between the breakpoints and their mirror images."""
    ends = sorted({*breaks, *(2 * center - b for b in breaks)})
    for lower, upper in pairwise(ends):
        yield (lower + upper) / 2


@proves(
    "With T' = T - c - j the bins of x + c are those of x, and the output moves by c.", Method.SMT
)
@mutant("T' = T - 1.01 c - j", lag=Fraction(101, 100))
@for_all(
    reals("x c T") | integers("j"),
    "Moving all records by {c}, and the offset with them up to whole numbers, moves every bin by {j} places and its center by {c}.",
)
def translated_bins(x: Any, c: Any, T: Any, j: Any, *, lag: Fraction = Fraction(1)) -> Condition:
    """With T' = T - c - j the bins of x + c are those of x, and T + k = T' + k' + c."""
    moved = T - lag * c - j
    k, k0 = nearest(x + c - T), nearest(x - moved)
    return all_of(k == k0 - j, T + k == moved + k0 + c)


@proves("T - c, taken back into [-1/2, 1/2), is uniform there.", Method.SMT)
@mutant("taken back by 1.01", width=Fraction(101, 100))
def shifted_uniform(width: Fraction = Fraction(1)) -> Finding:
    """T - f, taken back into [-1/2, 1/2), is uniform there for every f in [0, 1).

    It is at most y for T in [f - 1/2, min(1/2, f + y)] and in [-1/2, min(f - 1/2, f + y - 1)]; the
    lengths of these pieces must add up to y + 1/2.
    """

    def length(lower: Any, upper: Any) -> Any:
        return choose(upper > lower, upper - lower, exact(0))

    def smaller(a: Any, b: Any) -> Any:
        return choose(a < b, a, b)

    def statement(f: Any, y: Any) -> Any:
        half = exact(HALF)
        given = all_of(0 <= f, f < 1, -half <= y, y <= half)
        direct = length(f - half, smaller(half, f + y))
        wrapped = length(-half, smaller(f - half, f + y - exact(width)))
        return implies(given, direct + wrapped == y + half)

    return valid(reals("f y"), statement)


@proves(
    "With -T for T the bins of -x are the mirror images, except where a record lies "
    "on the edge of a bin.",
    Method.SMT,
)
@mutant("also on the edges", ties=True)
@for_all(
    reals("x T"),
    "With the mirrored offset the bins of mirrored records are the mirror images, but for records at an edge.",
)
def reflected_bins(x: Any, T: Any, *, ties: bool = False) -> Condition:
    """With -T the bins of -x are the mirror images, unless x - T + 1/2 is an integer."""
    u = x - T + HALF
    mirrored = nearest(-x + T) == -nearest(x - T)
    return any_of(floor(u) == u, mirrored) if not ties else mirrored


DATA = tuple(
    tuple(Fraction(x, 12) for x in row) for row in ((0, 3, 3, 17), (1, 2, 25, 26), (0, 6, 12, 18))
)
THETA, SCALE = threshold(Fraction(1), Fraction(1, 3)), noise_scale(Fraction(1))


@confirms("The exact output laws of three data sets and of the moved ones agree.", Method.EXACT)
@mutant("output moved by 1.01 c", added=Fraction(5, 12) * Fraction(101, 100))
def laws_of_moved_data(
    sign: int = 1, shift: Fraction = Fraction(5, 12), added: Fraction | None = None
) -> Finding:
    """The exact law of the output on sign x + shift is the moved law, for three data sets."""
    offset = shift if added is None else added
    for data in DATA:
        original, fails = output_density(data, THETA, SCALE)
        moved, fails_too = output_density([sign * x + shift for x in data], THETA, SCALE)
        if fails != fails_too:
            return exactly(False, f"the failure probability of {data} changes")
        ends = {e for piece in moved for e in piece}
        ends |= {sign * e + offset for piece in original for e in piece}
        for y in cells(sorted(ends), Fraction(0)):
            here = _at(moved, y)
            if here != _at(original, sign * (y - offset)):
                return exactly(False, f"the densities of {data} differ at {y}")
    return exactly(True, f"{len(DATA)} data sets, exact densities everywhere")


@confirms("The exact output laws of three data sets and of the mirrored ones agree.", Method.EXACT)
@mutant("an output moved by 0.01 besides", added=Fraction(1, 100))
def laws_of_mirrored_data(added: Fraction = Fraction(0)) -> Finding:
    """The exact law of the output on -x is the mirrored law."""
    return laws_of_moved_data(sign=-1, shift=Fraction(0), added=added)


def _at(pieces: Mapping[tuple[Fraction, Fraction], ExpSum], y: Fraction) -> ExpSum:
    return sum((p for (lower, upper), p in pieces.items() if lower < y < upper), ExpSum.rational(0))


@confirms(
    "Two draws of a symmetric three-point law: the exact density of the released "
    "value is symmetric about the center.",
    Method.EXACT,
)
@mutant("weights tilted by 0.01", tilt=Fraction(1, 100))
@mutant("a center larger by 1 percent", center=Fraction(101, 500))
def released_law_is_symmetric(
    tilt: Fraction = Fraction(0), center: Fraction = Fraction(1, 5), n: int = 2
) -> Finding:
    """On n draws of a symmetric law the density of the released value is symmetric, exactly."""
    mean, side = Fraction(1, 5), Fraction(1, 4)
    law = {
        mean - Fraction(7, 10): side + tilt,
        mean: 1 - 2 * side,
        mean + Fraction(7, 10): side - tilt,
    }
    density, breaks = mixture(law, n, THETA, SCALE)
    points = list(cells(breaks, center))
    for y in points:
        if density(y) != density(2 * center - y):
            return exactly(False, f"the densities at {y} and {2 * center - y} differ")
    return exactly(True, f"{len(points)} cells, exactly")


@proves("The pointwise identity, for all real x, y and c > 0.", Method.SMT)
@mutant("no minus sign on the right", flip=1)
@mutant("lower end -y - 1.01 c", reach=Fraction(101, 100))
@for_all(
    reals("x y c"), "Clipping the mirrored point around the mirrored center mirrors the result."
)
def clipped_reflection(
    x: Any, y: Any, c: Any, *, flip: int = -1, reach: Fraction = Fraction(1)
) -> Condition:
    """Clipping the mirrored point around the mirrored center mirrors the result."""
    mirrored = clip(-x, -y - reach * c, -y + c)
    return implies(c > 0, mirrored == flip * clip(x, y - c, y + c))


CLAIMS = (
    Claim(
        id="TRI-LC.2.1",
        source="Lemma C.2.1",
        states=(translated_bins,),
        status=Status.PROVED,
        domain="T is uniform in [0, 1), x a record",
        checks=checks_of(translated_bins, shifted_uniform, laws_of_moved_data),
        steps=(
            *by_checks(translated_bins, shifted_uniform),
            ByHand(
                "All bins change by the same integer j, the noise is independent of the labels, and T' has the law of T."
            ),
        ),
    ),
    Claim(
        id="TRI-LC.2.2",
        source="Lemma C.2.2",
        states=(reflected_bins,),
        status=Status.PROVED,
        domain="T is uniform in [0, 1), so that edges have probability 0",
        checks=checks_of(reflected_bins, laws_of_mirrored_data),
        steps=(
            ByCheck("reflected_bins"),
            *by_hand(
                "-T has the law of T.",
                "The edges are finitely many values of T, of probability 0: the proof in print states the pointwise identity for all T, where it fails (TRI-ER-15).",
            ),
        ),
    ),
    Claim(
        id="TRI-P4.1.2",
        source="Proposition 4.1.2",
        states=(
            reflected_bins,
            Sentence(
                "So if the data law is symmetric, the coarse estimate, given that it does not fail, is symmetric about the same center.",
                r"(\tilde\mu - \mu \mid \tilde\mu \ne \bot) =_d (\mu - \tilde\mu \mid \tilde\mu \ne \bot)",
            ),
        ),
        status=Status.PROVED,
        domain="T is uniform in [0, 1); n >= 1 independent draws of a law symmetric about mu",
        checks=checks_of(
            released_law_is_symmetric,
            reworded(
                reflected_bins, "The pointwise reflection of the bins that Lemma C.2.2 rests on."
            ),
        ),
        assumes=("TRI-LC.2.1", "TRI-LC.2.2"),
        steps=(
            ByCheck("reflected_bins"),
            *by_hand(
                "The records X_i - mu and mu - X_i have the same joint law.",
                "So DPUCOARSE(X) - mu =_d DPUCOARSE(X - mu) =_d DPUCOARSE(mu - X) =_d -DPUCOARSE(X - mu) =_d mu - DPUCOARSE(X), by the two lemmas applied for each value of the data; failure is kept throughout, and P[not failed] > 0 because n >= 1, so conditioning keeps the equality.",
            ),
        ),
    ),
    Claim(
        id="TRI-LC.4.1",
        source="Lemma C.4.1",
        states=(clipped_reflection,),
        status=Status.PROVED,
        domain="x is clipped to [y - c, y + c]",
        checks=checks_of(clipped_reflection),
        steps=(
            ByCheck("clipped_reflection"),
            *by_hand(
                "Take mu = 0 by translation.",
                "(-X, -Y) has the law of (X, Y) by independence, so the clipped variable has the law of its negative.",
            ),
        ),
    ),
)
