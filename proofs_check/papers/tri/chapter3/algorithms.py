"""The estimators of chapter 3 as defined: clipped mean, name-and-shame, and their combination.

Their exact privacy is computed on pairs of data sets: hockey-stick divergences of mixtures of
Laplace laws and of laws on finitely many outputs, as sums of exponentials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from proofs_check.checks import checks_of, mutant, proves
from proofs_check.claim import Check, Claim, Finding, Method, Status, every, exactly
from proofs_check.exponential import ExpSum
from proofs_check.papers.tri.chapter3.clipped_mean import clipped_sum_moves
from proofs_check.papers.tri.chapter3.combined_estimator import combined_is_exact
from proofs_check.printed_values import as_printed

__all__ = ["CLAIMS", "combined_loss", "mixture_excess", "named_law"]

ONE_PERCENT = Fraction(101, 100)

COMBINED = (
    ("0.001", "4.87705755e-4"),
    ("0.01", "3.934693403e-3"),
    ("0.1", "9.93262053e-3"),
    ("1", "0.01000000"),
)
"""Excess z on either side and the exact delta, at eps = 1, delta = 0.01, width 2."""

Mixture = Sequence[tuple[Fraction, Fraction]]
"""Weights and centers, in units of the noise scale."""


def _density(mixture: Mixture, t: Fraction) -> ExpSum:
    """Twice the density of a mixture of Laplace laws of scale 1."""
    return sum((ExpSum.exp(-abs(t - c), w) for w, c in mixture), ExpSum({}))


def _mass(mixture: Mixture, lower: Fraction, upper: Fraction) -> ExpSum:
    """Twice its mass on an interval without a center inside."""
    total = ExpSum({})
    for w, c in mixture:
        near, far = sorted((abs(lower - c), abs(upper - c)))
        total = total + ExpSum.exp(-near, w) - ExpSum.exp(-far, w)
    return total


def mixture_excess(p: Mixture, q: Mixture, eps: Fraction, more: Sequence[Fraction] = ()) -> ExpSum:
    """Hockey-stick divergence of two mixtures of Laplace laws of scale 1, exactly.

    Between neighboring centers P - e^eps Q is A e^t + B e^-t, which changes its sign at most once,
    so equal signs at both ends decide it; `more` are points where it changes elsewhere.
    """
    e = ExpSum.exp(eps)
    ends = sorted({c for _, c in (*p, *q)} | set(more))
    total = ExpSum({})
    for outside in (ends[0], ends[-1]):  # beyond the ends the ratio is constant
        above = _density(p, outside) - e * _density(q, outside)
        if above.sign() > 0:
            total = total + above
    for lower, upper in pairwise(ends):
        signs = {(_density(p, t) - e * _density(q, t)).sign() for t in (lower, upper)} - {0}
        if signs == {1}:
            total = total + _mass(p, lower, upper) - e * _mass(q, lower, upper)
        elif len(signs) > 1:
            message = f"the sign changes between {lower} and {upper}"
            raise ArithmeticError(message)
    return total * Fraction(1, 2)


@proves(
    "Its exact loss is eps: delta(e') = 1 - exp((e' - eps)/2) below eps, 0 at eps.", Method.EXACT
)
@mutant("a noise scale 1 % too small", scale=ONE_PERCENT)
def clipped_is_exactly_private(scale: Fraction = Fraction(1)) -> Finding:
    """A record from one end of the clip to the other: delta(e') = 1 - exp((e' - eps)/2), 0 at eps.

    eps = 1; the centers are eps apart in units of the scale width/(eps n).
    """
    eps = scale
    p, q = [(Fraction(1), eps)], [(Fraction(1), Fraction(0))]
    at_eps = mixture_excess(p, q, Fraction(1), ((eps + 1) / 2,))
    rows = []
    for level in (Fraction(0), Fraction(1, 2), Fraction(99, 100)):
        crossing = (eps + level) / 2
        found = mixture_excess(p, q, level, (crossing,))
        rows.append(found == 1 - ExpSum.exp((level - eps) / 2))
    return exactly(not at_eps and all(rows), f"delta(1) = {at_eps}, and exact below it")


def combined_loss(delta: Fraction, ratio: Fraction) -> ExpSum:
    """Delta (1 - e^-u): a record from excess z below to z above, u = z eps / (delta width)."""
    return delta - ExpSum.exp(-ratio, delta)


@proves(
    "One record moved from z below to z above: exact delta(eps) = delta (1 - e^-u), "
    "u = z eps/(delta width), with four printed values.",
    Method.EXACT,
)
@mutant("coins of rate 1.01 delta", rate=ONE_PERCENT)
def combined_is_private(rate: Fraction = Fraction(1)) -> Finding:
    """Exact delta at eps of the combined estimator on such a pair, against the formula and print.

    The centers are eps apart; the coin, of rate delta, moves each by u further away.
    """
    eps, delta, width = Fraction(1), Fraction(1, 100), Fraction(2)
    found: list[Finding] = []
    for z, printed in COMBINED:
        u = Fraction(z) * eps / (delta * width)
        coin = rate * delta
        p = [(1 - coin, eps), (coin, eps + u)]
        q = [(1 - coin, Fraction(0)), (coin, -u)]
        exact = mixture_excess(p, q, eps)
        found.append(exactly(exact == combined_loss(delta, u) and exact < delta, f"z = {z}"))
        found.append(as_printed([(f"z = {z}", printed, exact.ball(128))]))
    return every(found, detail="exact delta as printed, below 0.01, for 4 excesses")


def named_law(records: Sequence[Fraction], delta: Fraction) -> Mapping[Fraction, Fraction]:
    """Law of name-and-shame on some records: every outcome of the coins."""
    law: dict[Fraction, Fraction] = {}
    for coins in product((0, 1), repeat=len(records)):
        weight, total = Fraction(1), Fraction(0)
        for x, coin in zip(records, coins, strict=True):
            weight *= delta if coin else 1 - delta
            total += x / delta if coin else 0
        mean = total / len(records)
        law[mean] = law.get(mean, Fraction(0)) + weight
    return law


@proves(
    "On two records the exact delta is delta for every eps tried; delta = 1 releases the mean.",
    Method.EXACT,
)
@mutant("coins of rate 1.01 delta", rate=ONE_PERCENT)
def named_is_exactly_private(rate: Fraction = Fraction(1)) -> Finding:
    """(1, 7) -> (1, 19) and (4, 7) -> (2, 7): the exact delta is delta for eps = 0, 1/2, 3.

    With delta = 1 the output is the sample mean.
    """
    delta = Fraction(1, 10)
    for first, second in (((1, 7), (1, 19)), ((4, 7), (2, 7))):
        p, q = (
            named_law([Fraction(x) for x in records], rate * delta) for records in (first, second)
        )
        for eps in (Fraction(0), Fraction(1, 2), Fraction(3)):
            e, total = ExpSum.exp(eps), ExpSum({})
            for y in set(p) | set(q):
                above = p.get(y, Fraction(0)) - e * q.get(y, Fraction(0))
                total = total + above if above.sign() > 0 else total
            if total != delta:
                return exactly(False, f"{first} -> {second}, eps = {eps}: {total}")
    raw = named_law([Fraction(2), Fraction(5)], Fraction(1))
    return exactly({y: w for y, w in raw.items() if w} == {Fraction(7, 2): 1}, "delta, 6 times")


CLAIMS = (
    Claim(
        id="TRI-A.CLIP",
        source="Proposition 3.0.1 (the mechanism)",
        says=(
            "Clip every record to [a - c, b + c] with c = beta^(-1/(lam-1)), average, and add "
            "Laplace noise of scale width/(eps n)."
        ),
        latex=r"\frac1n\sum_i\mathrm{clip}_{[\hat a,\hat b]}(x_i)+"
        r"\mathrm{Lap}\Big(\frac{\hat b-\hat a}{\varepsilon n}\Big)",
        domain="n >= 1, eps > 0, beta > 0, a < b, lam >= 2",
        status=Status.DEFINITION,
        checks=checks_of(
            Check(
                "The clipped sum moves by at most the width, and by all of it between the ends.",
                Method.SMT,
                clipped_sum_moves,
                mutants={"0.99 of the width": {"reach": Fraction(99, 100)}},
            ),
            clipped_is_exactly_private,
        ),
    ),
    Claim(
        id="TRI-A.NS",
        source="Proposition 3.0.2 (the mechanism)",
        says="Average A(x_i), where A(x) is x/delta with probability delta, else 0.",
        latex=r"\frac1n\sum_i\frac{x_i\xi_i}{\delta},\qquad \xi_i\sim\mathrm{Bernoulli}(\delta)",
        domain="n >= 1, 0 < delta <= 1",
        status=Status.DEFINITION,
        checks=checks_of(named_is_exactly_private),
    ),
    Claim(
        id="TRI-A.COMB",
        source="Proposition 3.0.3 (the mechanism)",
        says=(
            "The noisy clipped mean with margin c, plus name-and-shame of what was clipped off; "
            "only the sum is released."
        ),
        latex=r"\frac1n\sum_i\mathrm{clip}(x_i)+\mathrm{Lap}\Big(\frac{\hat b-\hat a}{n\varepsilon}"
        r"\Big)+\frac1n\sum_iA\big(x_i-\mathrm{clip}(x_i)\big)",
        domain="n >= 1, eps > 0, 0 < delta <= 1, any c >= 0 (in 3.0.3 that of lam > 2 and psi)",
        status=Status.DEFINITION,
        checks=checks_of(
            combined_is_private,
            Check(
                "Two records of a law on three points: unbiased.",
                Method.EXACT,
                combined_is_exact,
                mutants={"excess term 1 % more": {"factor": ONE_PERCENT}},
            ),
        ),
    ),
)
