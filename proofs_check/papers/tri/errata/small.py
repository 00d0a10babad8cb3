"""Small errata: missing conditions and lost symbols (Regehr, erratum 20)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, refutes
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.exponential import ExpSum
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter4.coarse_law import neighbors
from proofs_check.papers.tri.errata.coarse import laplace_delta
from proofs_check.smt import all_of, choose, exact, implies, reals
from proofs_check.symbolic import exp, identical, integrate, log, symbols

__all__ = ["CLAIMS"]


@refutes("Admitted cases that divide by zero: 2.1.1, 2.1.3, C.1.1, (A.2).", Method.EXACT)
@mutant("gamma = 0.01", gamma=Fraction(1, 100))
@mutant("lam = 1.01", lam=Fraction(101, 100))
@mutant("eps = 0.01", eps=Fraction(1, 100))
@mutant("delta = 0.01", delta=Fraction(1, 100))
def undefined_cases(
    gamma: Fraction = Fraction(0),
    lam: Fraction = Fraction(1),
    eps: Fraction = Fraction(0),
    delta: Fraction = Fraction(0),
) -> Finding:
    """Cases that the print admits and that divide by zero.

    Theorem 2.1.1 at beta = gamma = 0 (tau/gamma); Corollary 2.1.3 at lam = 1 (lam/(lam - 1));
    Lemma C.1.1 at eps = 0 (exp(eps) - 1); (A.2) at delta = 0 (log(1/delta), for log(1/delta1)).
    """
    admitted = 16 * Fraction(0) <= gamma <= Fraction(1, 5)
    divisors = {
        "gamma": gamma,
        "lam - 1": lam - 1,
        "exp(eps) - 1": ExpSum.exp(eps) - 1,
        "delta": delta,
    }
    bad = [name for name, value in divisors.items() if value == 0]
    return exactly(admitted and len(bad) == len(divisors), f"zero: {', '.join(bad)}")


@refutes("B.1 and B.3 without hats leak more than eps, and are biased.", Method.EXACT)
@mutant("with hats, the right form", hats=1)
def lost_hats(hats: int = 0) -> Finding:
    """B.1 and B.3 without hats: not private, and not unbiased (a = 0, b = 1, margin 1, x = 5)."""
    a, b, margin, x = Fraction(0), Fraction(1), Fraction(1), Fraction(5)
    wide = (a - margin, b + margin)
    printed = (a - hats * margin, b + hats * margin)
    eps = Fraction(1)
    # sensitivity of the clipped sum over the noise scale, in units of 1/eps
    distance = eps * (wide[1] - wide[0]) / (printed[1] - printed[0])
    leak = laplace_delta(eps, distance, ExpSum.exp)
    clipped, removed = (min(max(x, ends[0]), ends[1]) for ends in (wide, printed))
    total = clipped + (x - removed)
    return exactly(
        leak > 0 and total != x,
        f"distance {distance}, delta {float(leak.ball().value):.4g} at eps; sum {total} for {x}",
    )


@refutes("C.2 without the minus sign fails for a symmetric law.", Method.EXACT)
@mutant("with the minus sign", sign=-1)
def lost_signs(sign: int = 1) -> Finding:
    """C.2 with Q((-oo, a]) for Q((-oo, -a]): 1 against Q([a, oo)) = 1/3, Q uniform on -1, 0, 1."""
    law = {Fraction(x): Fraction(1, 3) for x in (-1, 0, 1)}
    a = Fraction(1)
    right = sum((p for x, p in law.items() if x >= a), Fraction(0))
    left = sum((p for x, p in law.items() if x <= sign * a), Fraction(0))
    return exactly(left != right, f"{left} against {right}")


@refutes("A.3 without the zero is negative where the probability is small.", Method.SMT)
@mutant("with the zero, the right form", bound=lambda Q, v, d: choose(Q > d, v * (Q - d), exact(0)))
@for_all(reals("Q v d"), polynomial=True)
def lost_zero(
    Q: Any, v: Any, d: Any, *, bound: Callable[..., Any] = lambda Q, v, d: v * (Q - d)
) -> Condition:
    """A.3: exp(-eps) (Q - delta) without the maximum with 0 is negative where Q = 0.

    Its integral over all x is then minus infinity, and the bound empty.
    """
    # v = exp(-eps)
    given = all_of(Q == 0, 0 < v, v <= 1, 0 < d, d <= 1)
    return implies(given, bound(Q, v, d) < 0)


@refutes(
    "R without 0 is not convex; the c of Lemma 2.1.2 need not exist at delta = 0.", Method.EXACT
)
@mutant("the point 0.505 of the way", weight=Fraction(101, 200))
def missing_conditions(weight: Fraction = Fraction(1, 2)) -> Finding:
    """R without 0 is not convex; and P[|Y| > c] <= delta has no solution c at delta = 0.

    The midpoint of -1 and 1 is 0 (B.1.1); P[|Y| > c] = 2^(-c) > 0 for every c (Lemma 2.1.2).
    """
    midpoint = weight * -1 + (1 - weight) * 1
    left = all(Fraction(1, 2) ** c > 0 for c in range(1, 200))
    return exactly(midpoint == 0 and left, f"midpoint {midpoint}; 2^(-c) > 0")


@refutes("Shuffling keeps every record, and a swap keeps the number of records.", Method.EXACT)
@mutant("a permutation cut by one", cut=1)
def wrong_words(cut: int = 0) -> Finding:
    """(2.2): shuffling keeps every record, so is no subsampling; C.1: swaps keep the length."""
    records = ("a", "b", "c")
    kept = all(sorted(p[: len(p) - cut]) == list(records) for p in permutations(records))
    swaps = all(sum(x) == sum(y) for x, y in neighbors(3, 3))
    return exactly(kept and swaps, "6 permutations; all swaps of at most three records")


@refutes("D5.0.1: an integral over a part of the domain does not normalize.", Method.SYMBOLIC)
@mutant("over [0, 2]", end=2)
def partial_integral(end: int = 1) -> Finding:
    """D5.0.1: normalized over a part S = [0, 1] of D = [0, oo) the law does not have mass 1.

    Its mass is then 1/(1 - exp(-s)) for h = 1 and eta = -s.
    """
    x, s = symbols("x s", positive=True)
    part = integrate(exp(-s * x), (x, 0, end))
    return identical((1 / s) / part, 1 / (1 - exp(-s)), {s: (0, 5)})


@refutes("(4.1): the O-form fails for large eps.", Method.SMT)
@mutant("1 for 128", factor=1)
@for_all(reals("C A B epsilon"), polynomial=True)
def large_epsilon_sizes(C: Any, A: Any, B: Any, eps: Any, *, factor: int = 128) -> Condition:
    """(4.1): 128 log(2/gamma) <= C log(n/(gamma delta))/eps fails at eps = C B/A, for every C.

    A and B stand for the two logarithms.
    """
    given = all_of(C > 0, A > 0, B > 0, eps * A == C * B)
    return implies(given, factor * A * eps > C * B)


@refutes("(A.2): log(1/delta) and log(1/delta1) differ.", Method.SYMBOLIC)
@mutant("the same delta", base=0)
def scaled_logarithms(base: int = 1) -> Finding:
    """(A.2): log(1/delta1) is not log(1/delta): they differ by log(delta/delta1)."""
    delta, first = symbols("delta delta_1", positive=True)
    found = identical(
        log(1 / delta), log(1 / (first if base else delta)), {delta: (0, 1), first: (0, 1)}
    )
    return Finding(holds=None if found.holds is None else not found.holds, detail=found.detail)


CLAIMS = (
    Claim(
        id="TRI-ER-20",
        source="Several places",
        says=(
            "Gamma = 0 and lam = 1 are admitted in 2.1.1 and 2.1.3, eps = 0 in C.1.1; "
            "log(1/delta) in (A.2); hats are missing in B.1 and B.3, a minus sign in C.2, a zero in "
            "A.3; R without 0 is called convex, (2.2) subsampling, the chain of C.1 swaps."
        ),
        latex=r"Q((-\infty, a]) = Q([a, \infty)), \quad \mathrm{Lap}\bigl(\tfrac{b-a}{\varepsilon n}\bigr), \quad \int_S h e^{\eta T}",
        status=Status.REFUTED,
        domain="each at the place named",
        checks=checks_of(
            undefined_cases,
            scaled_logarithms,
            lost_hats,
            lost_signs,
            lost_zero,
            missing_conditions,
            wrong_words,
            partial_integral,
            large_epsilon_sizes,
        ),
        why="Slips of notation and missing conditions; no result is affected.",
        right=(
            "gamma > 0, lam > 1, eps > 0; log(1/delta1), with a prime on the second x^; hats; "
            "Q((-oo, -a]); max{., 0}, without the stray index m; convexity of |t|^lam on R; "
            "shuffling; group privacy for adding and removing; the integral over D; eps = O(1) in "
            "(4.1); delta > 0 in the proof of Lemma 2.1.2."
        ),
        obligations=parts_of(
            undefined_cases,
            scaled_logarithms,
            lost_hats,
            lost_signs,
            lost_zero,
            missing_conditions,
            wrong_words,
            partial_integral,
            large_epsilon_sizes,
        ),
    ),
)
