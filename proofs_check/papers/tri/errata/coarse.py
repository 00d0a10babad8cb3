"""Errata of Algorithms 1 and 2 and of their proofs (Regehr, errata 15, 16 and 17)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, confirms, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import TERMS, Condition, Quantity, all_of, floor, implies, reals, refuted
from proofs_check.papers.tri.chapter4.coarse_exact import exact_delta
from proofs_check.papers.tri.chapter4.coarse_law import threshold
from proofs_check.papers.tri.chapter4.mean_steps import pair_is_private
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "grid_bias", "laplace_delta"]

HALF = Fraction(1, 2)


def laplace_delta(eps: Any, distance: Any, exponential: Callable[[Any], Any]) -> Any:
    """1 - exp((eps - distance)/2): exact delta of unit Laplace noise, for distance >= eps."""
    return 1 - exponential((eps - distance) * HALF)


def nearest_integer(u: Fraction) -> int:
    """The integer k with u in [k - 1/2, k + 1/2), exactly."""
    return int((u + HALF) // 1)


def grid_bias(points: int) -> Fraction:
    """Mean output on data at 0 if T is uniform on -1/2 + j/points, 0 <= j < points."""
    grid = [Fraction(j, points) - HALF for j in range(points)]
    return sum((T + nearest_integer(-T) for T in grid), Fraction(0)) / points


def ties(x: Fraction = Fraction(1, 4)) -> Finding:
    """At x = r = 1/4: -x - r lies in bin 0, but x + r in bin 1, not in the mirrored bin 0."""
    r = Fraction(1, 4)
    left, right = nearest_integer(-x - r), nearest_integer(x + r)
    return exactly(left != -right, f"bins {left} and {right}")


@confirms("It matters for a discrete T: the bias is 1/(2 N) on a grid of N points.", Method.EXACT)
@mutant("1/(3 N) for 1/(2 N)", parts=3)
def discrete_grid(parts: int = 2) -> Finding:
    """With T on a grid of N points the ties leave a bias of 1/(2 N)."""
    rows = []
    for points, printed in ((1, ".5"), (2, ".25"), (10, ".05"), (100, ".005"), (1024, "4.88e-4")):
        bias = grid_bias(points)
        if bias != Fraction(1, parts * points):
            return exactly(False, f"N = {points}: bias {bias}")
        rows.append((f"the bias at N = {points}", printed, ENCLOSED.ball(bias)))
    return as_printed(rows)


@proves("The exact delta of Laplace noise at a distance.", Method.SYMBOLIC)
@mutant("up to (d - eps)/2.02", shift=Fraction(101, 50))
def laplace_divergence(shift: Fraction = Fraction(2)) -> Finding:
    """The hockey-stick integral of Laplace laws at distance d >= eps is 1 - exp((eps - d)/2).

    The density at 0 exceeds e^eps times the one at d up to the point (d - eps)/2.
    """
    t, eps, more = symbols("t epsilon more", positive=True)
    d = eps + more
    below = integrate(exp(-t) / 2 * (1 - exp(eps - d)), (t, 0, oo))
    between = integrate(exp(-t) / 2 - exp(eps - d + t) / 2, (t, 0, more / shift))
    return identical(below + between, laplace_delta(eps, d, exp), {eps: (0, 3), more: (0, 3)})


@refutes("At eps = 1, delta = 1e-6: 31.017 against 29.631.", Method.ENCLOSURE)
@mutant("log(1.98/delta)", doubled=Fraction(99, 50))
def two_thresholds(doubled: Fraction = Fraction(2)) -> Finding:
    """Algorithm 1 and Appendix C.2 print different thresholds: 29.631 and 31.017 at (1, 1e-6)."""
    eps, delta = Fraction(1), Fraction(1, 10**6)
    algorithm = threshold(eps, ENCLOSED.log(1 / delta))
    appendix = threshold(eps, ENCLOSED.log(doubled / delta))
    return as_printed((("Algorithm 1", "29.631", algorithm), ("Appendix C.2", "31.017", appendix)))


@refutes("The difference is (2/eps) log 2.", Method.SYMBOLIC)
@mutant("1/eps for 2/eps", numerator=1)
def threshold_difference(numerator: int = 2) -> Finding:
    """The difference is (2/eps) log 2, positive for every eps."""
    eps, inverse = symbols("epsilon L", positive=True)
    two = symbols("two", positive=True)  # log 2
    return identical(
        threshold(eps, inverse + two) - threshold(eps, inverse),
        numerator / eps * two,
        {eps: (0, 3), inverse: (0, 9), two: (0, 1)},
    )


@refutes("x = 1/4, r = 1/4: bins 0 and 1.", Method.EXACT)
@mutant("x = 0.2525, no tie", x=Fraction(101, 400))
@refuted(
    reals("x r"),
    "The mirrored data have the mirrored histogram, for every offset {r}: the bin of a mirrored record is {right}.",
    at={"x": Fraction(1, 4), "r": Fraction(1, 4)},
)
def mirrored_bins(x: Any, r: Any) -> Condition:
    """The bin of u is floor(u + 1/2)."""
    return floor(-x - r + HALF) == -floor(x + r + HALF)


@refutes("At eps = 1, delta = 1e-6: 31.017 against 29.631.", Method.ENCLOSURE)
@mutant("outside of the domain", delta=2)
@refuted(
    reals("eps delta"),
    "Appendix and algorithm have one threshold, {left}, which is {right}.",
    at={"eps": 1, "delta": Fraction(1, 10**6)},
)
def same_threshold(eps: Any, delta: Any) -> Condition:
    """That of Appendix C.2.1, times n, and that of Algorithm 1."""
    appendix, algorithm = (2 + 2 * TERMS.log(c / delta) / eps for c in (2, 1))
    return implies(all_of(eps > 0, delta > 0, delta <= 1), appendix == algorithm)


@refutes(
    "The two lines are different mechanisms: exact delta q against a smaller one.", Method.ENCLOSURE
)
@mutant("1.01 for 1 - e^((eps - d)/2)", formula=lambda *_: Fraction(101, 100))
@refuted(
    reals("eps inverse"),
    "The output is the mean alone, and also the pair with the coarse estimate: one mechanism, with {left} at most {right}.",
    at={"eps": 1, "inverse": 3},
)
def pair_is_the_mean(
    eps: Any, inverse: Any, *, formula: Callable[..., Any] = laplace_delta
) -> Condition:
    """Exact deltas for one record in each half, sigma = 1, c = 10; inverse is 1 / delta."""
    pair = Quantity(
        "the delta of the pair",
        r"\delta_{(\tilde\mu, \hat\mu)}",
        lambda e, i: exact_delta(e, i, ExpSum.exp).ball(),
    )
    alone = Quantity(
        "that of the mean, from above",
        r"\delta_{\hat\mu}",
        lambda e, i: (
            exact_delta(e, i, ExpSum.exp) * formula(e, Fraction(181, 40), ExpSum.exp)
        ).ball(),
    )
    return implies(all_of(eps > 0, inverse >= 1), pair(eps, inverse) <= alone(eps, inverse))


CLAIMS = (
    Claim(
        id="TRI-ER-15",
        source="Appendix C.2, Lemma C.2.2",
        states=(mirrored_bins,),
        status=Status.REFUTED,
        domain="bins [k - 1/2, k + 1/2), the offset T = r",
        checks=checks_of(mirrored_bins, discrete_grid),
        why="The bins are half open, so a record on an edge is rounded the same way in both.",
        right="For almost every T, which suffices as T is continuous.",
        corrected_by="TRI-LC.2.2",
    ),
    Claim(
        id="TRI-ER-16",
        source="Algorithm 2",
        states=(pair_is_the_mean,),
        status=Status.REFUTED,
        domain="n1 = n2 = 1, sigma = 1, c = 10; the record of the first half moves from 0 to 100",
        checks=checks_of(pair_is_the_mean, laplace_divergence, pair_is_private),
        why="The lines contradict each other; the theorem conditions on mu~, which is thus released.",
        right="Return the pair: its privacy is what is proved, and it implies that of mu^.",
        corrected_by="TRI-T4.2.1",
        steps=(ByCheck("laplace_divergence"),),
        obligations=parts_of(pair_is_private),
    ),
    Claim(
        id="TRI-ER-17",
        source="Appendix C.2.1",
        states=(same_threshold,),
        status=Status.REFUTED,
        domain="eps > 0, 0 < delta <= 1",
        checks=checks_of(same_threshold, two_thresholds, threshold_difference),
        why="Algorithm 1 has log(1/delta).",
        right="Algorithm 1; the symmetry proof does not depend on the threshold.",
        corrected_by="TRI-P4.1.1",
        obligations=parts_of(two_thresholds, threshold_difference),
    ),
)
