"""Privacy of DPUCOARSE: group privacy and Proposition 4.1.1 (Regehr, Section 4.1, Appendix C.1)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks
from proofs_check.arithmetic import ENCLOSED
from proofs_check.checks import checks_of, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, every
from proofs_check.language import Condition, for_all
from proofs_check.papers.tri.chapter4.coarse_law import (
    lone_passes,
    threshold,
    total_delta,
)
from proofs_check.printed_values import as_printed
from proofs_check.smt import absolute, all_of, exact, implies, reals, valid
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import exp, identical, integrate, oo, symbols

__all__ = ["CLAIMS", "group_delta"]


def group_delta(k: Any, eps: Any, delta: Any, exponential: Callable[[Any], Any]) -> Any:
    """Delta (exp(k eps) - 1) / (exp(eps) - 1) after k swaps, Lemma C.1.1."""
    return delta * (exponential(k * eps) - 1) / (exponential(eps) - 1)


@proves("One more swap multiplies by e^eps and adds delta: the step of the induction.", Method.SMT)
@mutant("0.99 for the added 1", growth=Fraction(99, 100))
@for_all(reals("P Q S a A d s"), polynomial=True)
def group_step(
    P: Any, Q: Any, S: Any, a: Any, A: Any, d: Any, s: Any, *, growth: Fraction = Fraction(1)
) -> Condition:
    """P <= a Q + d and Q <= A S + d s imply P <= a A S + d (1 + a s)."""
    given = all_of(a >= 1, A >= 1, d >= 0, s >= 0, S >= 0, P <= a * Q + d, Q <= A * S + d * s)
    return implies(given, P <= a * A * S + d * (growth + a * s))


@proves("The closed form is delta at k = 1 and satisfies that recursion.", Method.SYMBOLIC)
@mutant("the sum starts at k = 0", base=0)
@mutant(
    "e^(k eps) + 1 for e^(k eps) - 1",
    closed=lambda k, eps, delta, e: delta * (e(k * eps) + 1) / (e(eps) - 1),
)
def group_recursion(base: int = 1, closed: Callable[..., Any] = group_delta) -> Finding:
    """The closed form starts at delta and satisfies d_(k+1) = delta + exp(eps) d_k."""
    k, eps, delta = symbols("k epsilon delta", positive=True)
    box: dict[Any, tuple[Fraction | int, Fraction | int]] = {
        k: (1, 9),
        eps: (Fraction(1, 9), 3),
        delta: (0, 1),
    }
    return every(
        (
            identical(closed(base, eps, delta, exp), delta, box),
            identical(
                closed(k + 1, eps, delta, exp),
                delta + exp(eps) * closed(k, eps, delta, exp),
                box,
            ),
        )
    )


@proves("A count that changes by one changes each score density by a factor e^(eps/2).", Method.SMT)
@mutant("a count that moves by 1.01", shift=Fraction(101, 100))
@for_all(
    reals("t c epsilon"),
    "A record that is added or removed changes the log density of the score of its bin by at most half of {epsilon}.",
    polynomial=True,
)
def density_ratio(t: Any, c: Any, eps: Any, *, shift: Fraction = Fraction(1)) -> Condition:
    """A count that moves by one changes the log density of its score by at most eps / 2."""
    moved = eps / 2 * absolute(t - c - shift) - eps / 2 * absolute(t - c)
    return implies(eps > 0, all_of(moved <= eps / 2, -moved <= eps / 2))


@proves(
    "A lone record passes the threshold with probability q = delta e^(-eps/2) / 2.", Method.SYMBOLIC
)
@mutant("the density with 0.505 for 1/2", half=Fraction(101, 200))
@mutant("theta = 2 + (1/eps) log(1/delta)", formula=lambda e, inv: 2 + inv / e)
def lone_record_passes(half: Fraction = Fraction(1, 2), formula: Any = threshold) -> Finding:
    """The integral of the Laplace density above theta - 1 is delta exp(-eps / 2) / 2."""
    eps, inverse, t = symbols("epsilon L t", positive=True)  # L = log(1 / delta)
    density = half * eps / 2 * exp(-t * eps / 2)
    above = integrate(density, (t, formula(eps, inverse) - 1, oo))
    box: dict[Any, tuple[Fraction | int, Fraction | int]] = {
        eps: (Fraction(1, 9), 3),
        inverse: (0, 9),
    }
    return identical(above, exp(-inverse) * exp(-eps / 2) / 2, box)


@proves(
    "A bin that is new and passes with probability q moves every event by at most q.", Method.SMT
)
@mutant("1.01 q S for q S", part=Fraction(101, 100))
@for_all(
    reals("R S P q"),
    "A new bin that passes with the chance {q} changes chances by at most that.",
    polynomial=True,
)
def new_bin(R: Any, S: Any, P: Any, q: Any, *, part: Fraction = Fraction(1)) -> Condition:
    """If a new bin passes with probability q, and independently, both laws differ by at most q.

    With R the probability of an event before and S its probability given that the new bin passes,
    the event has probability (1 - q) R + q S afterwards.
    """
    given = all_of(0 <= R, R <= 1, 0 <= S, S <= 1, 0 <= q, q <= 1, P == (1 - q) * R + part * q * S)
    return implies(given, all_of(P <= R + q, R <= P + q, (1 - q) * R <= P))


@proves("Removing and adding: the factors multiply, and delta is q (1 + e^(eps/2)).", Method.SMT)
@mutant("e^(eps/2) for e^eps", moves=1)
@for_all(
    reals("P R Q u q"),
    "A record that is replaced, by a removal and an addition, changes chances at most by the factor {factor} and {more}.",
    terms=lambda v: {"factor": v["u"] ** 2, "more": v["q"] * (1 + v["u"])},
    polynomial=True,
)
def two_moves(P: Any, R: Any, Q: Any, u: Any, q: Any, *, moves: int = 2) -> Condition:
    """Removing a record and adding it elsewhere is (eps, q (1 + exp(eps / 2)))-private."""
    given = all_of(u >= 1, q >= 0, Q >= 0, P <= u * R + q, R <= u * Q + q)
    return implies(given, P <= u**moves * Q + q * (1 + u))


@proves("That delta is delta (1 + e^(-eps/2)) / 2, at most delta.", Method.SMT)
@mutant("e^(-eps/2) up to 1.01", reach=Fraction(101, 100))
def total_is_small(reach: Fraction = Fraction(1)) -> Finding:
    """Q (1 + exp(eps / 2)) is delta (1 + exp(-eps / 2)) / 2, at most delta."""
    eps, delta, inverse = symbols("epsilon delta L", positive=True)
    q = delta * exp(-eps / 2) / 2
    box: dict[Any, tuple[Fraction | int, Fraction | int]] = {
        eps: (Fraction(1, 9), 3),
        delta: (0, 1),
    }

    def statement(d: Any, v: Any) -> Any:  # v = exp(-eps / 2)
        return implies(all_of(d >= 0, 0 < v, v <= exact(reach)), d * (1 + v) / 2 <= d)

    return every(
        (
            identical(q * (1 + exp(eps / 2)), total_delta(eps, delta, exp), box),
            identical(
                lone_passes(eps, threshold(eps, inverse), exp),
                exp(-inverse) * exp(-eps / 2) / 2,
                {eps: (Fraction(1, 9), 3), inverse: (0, 9)},
            ),
            valid(reals("d v"), statement, polynomial=True),
        )
    )


ROWS = (
    ("1", "1e-6", "29.6310211159285", "3.03265329856317e-7", "8.03265329856317e-7"),
    (".5", "1e-3", "29.6310211159285", "3.89400391535702e-4", "8.89400391535702e-4"),
    (".1", "1e-9", "416.465316738928", "4.75614712250357e-10", "9.75614712250357e-10"),
    ("2", ".05", "4.99573227355399", "9.19698602928606e-3", ".0341969860292861"),
)
"""eps, delta, theta, probability that a lone record passes, total delta of the proof."""


@encloses("theta, q and the total delta at four points.", Method.ENCLOSURE)
@mutant("theta with 2.02 for 2", formula=lambda e, inv: Fraction(101, 50) + 2 / e * inv)
@mutant(
    "theta with log(2/delta), as in C.2", formula=lambda e, inv: 2 + 2 / e * (inv + ENCLOSED.log(2))
)
def reference_values(formula: Callable[[Any, Any], Any] = threshold) -> Finding:
    """Evaluate theta, the probability of a lone record, and the total delta of the proof."""
    rows = []
    for eps_text, delta_text, theta_text, q_text, total_text in ROWS:
        eps, delta = Fraction(eps_text), Fraction(delta_text)
        theta = formula(eps, ENCLOSED.log(1 / delta))
        name = f"at eps = {eps}, delta = {delta}"
        rows += [
            (f"theta {name}", theta_text, theta),
            (f"q {name}", q_text, lone_passes(eps, theta, ENCLOSED.exp)),
            (f"the total {name}", total_text, total_delta(eps, delta, ENCLOSED.exp)),
        ]
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="TRI-LC.1.1",
        source="Lemma C.1.1",
        says="After k swaps a private mechanism has (k eps, delta (e^(k eps) - 1) / (e^eps - 1)).",
        latex=r"P_0(E) \le e^{k\varepsilon} P_k(E) + \delta\,\frac{e^{k\varepsilon}-1}{e^{\varepsilon}-1}",
        status=Status.PROVED,
        domain="k >= 1, eps > 0, 0 <= delta <= 1; for eps = 0 the delta is k delta",
        checks=checks_of(group_step, group_recursion),
        steps=(
            ByCheck("group_recursion"),
            ByCheck(
                "group_step",
                "Induction over k; the induction holds for any chain of neighbors, so also for removing and adding records.",
            ),
        ),
        note="At eps = 0 the recursion gives k delta.",
    ),
    Claim(
        id="TRI-P4.1.1",
        source="Proposition 4.1.1",
        states=(
            density_ratio,
            new_bin,
            two_moves,
        ),
        status=Status.PROVED,
        domain="u = e^(eps/2), and q = delta e^(-eps/2) / 2 is the chance that a lone record passes; 0 < delta <= 1, data of equal length that differ in one record",
        checks=checks_of(
            density_ratio, lone_record_passes, new_bin, two_moves, total_is_small, reference_values
        ),
        assumes=("TRI-LC.1.1",),
        steps=(
            *by_checks(lone_record_passes, total_is_small),
            ByHand(
                "Condition on T, whose law does not depend on the data; the released value is then a function of the scores of the occupied bins."
            ),
            ByCheck(
                "density_ratio",
                "Adding a record to an occupied bin shifts one score by one: (eps/2, 0).",
            ),
            ByCheck(
                "new_bin",
                "Adding it to an empty bin adds one independent score, which changes the outcome only if it passes: (0, q).",
            ),
            ByCheck("two_moves", "A swap removes one record and adds one."),
        ),
    ),
)
