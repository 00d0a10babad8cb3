"""T9: what PASS means, relative to finitely many events, and why no sample can mean more."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.eng.binomial import binomial, lower_limit, upper_limit
from proofs_check.symbolic import identical, symbols

__all__ = ["CLAIMS"]

LEVEL = Fraction(1, 40)


@proves(
    "Clopper and Pearson's limits fail with probability at most their level.",
    Method.EXACT,
    cases="samples of 10, at every jump of the limits",
)
@mutant("P(X <= x - 1) for P(X <= x)", fewer=1)
def limits_cover(n: int = 10, fewer: int = 0) -> Finding:
    """P(p > U(X)) and P(q < L(X)) are at most the level, at every jump of the limits and 0, ..., 1."""
    upper = [upper_limit(n, x - fewer, LEVEL) if x >= fewer else Fraction(0) for x in range(n + 1)]
    lower = [lower_limit(n, x, LEVEL) for x in range(n + 1)]
    tiny = Fraction(1, 10**9)
    places = {Fraction(j, 100) for j in range(101)}
    places |= {min(Fraction(1), u + tiny) for u in upper} | {
        max(Fraction(0), v - tiny) for v in lower
    }
    worst = Fraction(0)
    for p in places:
        law = [binomial(n, x, p) for x in range(n + 1)]
        above = sum((law[x] for x in range(n + 1) if p > upper[x]), Fraction(0))
        below = sum((law[x] for x in range(n + 1) if p < lower[x]), Fraction(0))
        worst = max(worst, above, below)
    return exactly(worst <= LEVEL, f"a limit fails with probability at most {float(worst):.4f}")


@proves("2K limits at alpha / (2K) fail with probability at most alpha.", Method.SYMBOLIC)
@mutant("0.505 alpha / K", share=Fraction(505, 1000))
def union_bound(share: Fraction = Fraction(1, 2)) -> Finding:
    """2K limits at alpha / (2K) each fail with probability at most alpha."""
    k, alpha = symbols("K alpha", positive=True)
    return identical(2 * k * (alpha * share / k), alpha, {k: (1, 200), alpha: (0, 1)})


@proves("Limits of p and q within the claim put the event within the claim.", Method.SMT)
@mutant("an upper limit of q", sign=-1)
@for_all(reals("p q upper lower s delta"), polynomial=True)
def limits_bound_the_event(
    p: Any, q: Any, upper: Any, lower: Any, s: Any, delta: Any, *, sign: int = 1
) -> Condition:
    """P <= p_U, q >= q_L and p_U - delta <= s q_L imply p <= s q + delta."""
    given = all_of(
        p <= upper, sign * (q - lower) >= 0, lower > 0, s >= 0, upper - delta <= s * lower
    )
    return implies(given, p <= s * q + delta)


@proves("The quotient of the limits bounds the quotient.", Method.SMT)
@mutant("1.01 delta on the right", kept=Fraction(101, 100))
@for_all(reals("p q upper lower delta"), polynomial=True)
def quotients_are_bounded(
    p: Any, q: Any, upper: Any, lower: Any, delta: Any, *, kept: Fraction = Fraction(1)
) -> Condition:
    """P <= p_U, q >= q_L > 0 and p_U >= delta imply (p - delta)/q <= (p_U - delta)/q_L."""
    given = all_of(0 <= p, p <= upper, q >= lower, lower > 0, upper >= delta, delta >= 0)
    return implies(given, (p - delta) * lower <= (upper - kept * delta) * q)


@proves("Induction step of (1 - eta)^n >= 1 - n eta.", Method.SMT)
@mutant("n + 0.99", times=Fraction(99, 100))
@for_all(reals("n eta"), polynomial=True)
def rare_events_stay_unseen(n: Any, eta: Any, *, times: Fraction = Fraction(1)) -> Condition:
    """(1 - n eta)(1 - eta) >= 1 - (n + 1) eta: n draws miss an event of chance eta mostly."""
    given = all_of(n >= 0, eta > 0)
    return implies(given, (1 - n * eta) * (1 - eta) >= 1 - (n + times) * eta)


@proves(
    "An outcome of chance eta > delta that the neighbor never has breaks every eps.", Method.SMT
)
@mutant("chance 0.01 on the neighbor", slack=Fraction(1, 100))
@for_all(reals("eta s delta"), polynomial=True)
def unseen_events_break_every_claim(
    eta: Any, s: Any, delta: Any, *, slack: Fraction = Fraction(0)
) -> Condition:
    """P puts chance eta > delta on an outcome that Q never has: P(S) > s Q(S) + delta for every s."""
    given = all_of(delta >= 0, eta > delta, s >= 0)
    return implies(given, eta > s * slack + delta)


CLAIMS = (
    Claim(
        id="ENG-T9",
        source="our own",
        says=(
            "PASS(r), all limits log((p_U - delta)/q_L) of K events at most eps + r with "
            "confidence levels alpha/(2K), bounds these K events with probability at least "
            "1 - alpha; no black-box test can accept more, whatever its sample size."
        ),
        latex=(
            r"P\bigl(\exists k:\ p_k > e^{\varepsilon + r} q_k + \delta \text{ and PASS}(r)\bigr)"
            r" \le \alpha"
        ),
        domain="events learned on other data; K counts event, direction and pair",
        status=Status.PROVED,
        checks=checks_of(
            limits_cover,
            union_bound,
            limits_bound_the_event,
            quotients_are_bounded,
            rare_events_stay_unseen,
            unseen_events_break_every_claim,
        ),
        ours=True,
        steps=(
            *by_checks(
                limits_cover,
                union_bound,
                limits_bound_the_event,
                quotients_are_bounded,
                rare_events_stay_unseen,
                unseen_events_break_every_claim,
            ),
            *by_hand(
                "Off the failure of one of the 2K limits p_k <= p_U and q_k >= q_L for every event, so the limits' claim is the events' claim; the events are fixed given the data that taught them, and coverage holds given these.",
                "Coverage for every p: P(p > U(X)) is P(X <= x) for the largest x with U(x) < p, which is largest just above U(x), where it is the level.",
                "No test accepts: replace P by (1 - eta) P + eta times a new outcome. n draws do not meet it with probability (1 - eta)^n >= 1 - n eta, so whatever accepts the first mechanism accepts the second, which satisfies no claim with delta < eta, with nearly the same probability; eta can be as small as one likes for delta = 0.",
            ),
        ),
    ),
)
