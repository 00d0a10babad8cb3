"""The mean of a Poisson sample in PDP: Lemma 19.

Values a_i of width M and variance s2, rates p_i, muN = sum p_i, w_i = p_i / muN, muT = sum w_i a_i;
N records survive, with mean muS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, confirms, encloses, mutant, proves
from proofs_check.claim import Claim, Finding, Method, Status, exactly
from proofs_check.enclosure import certainly_less
from proofs_check.language import Condition, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.papers.pdp.tools.concentration import chernoff_lower
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByHand
from proofs_check.symbolic import Rational, identical, log, symbols

__all__ = ["CLAIMS", "VALUES", "few_survivors", "lemma_symbols", "ratio_stage", "unit_box"]

VALUES: Mapping[str, str | int] = {
    "m": 5,
    "n": 100,
    "s2": "0.04",
    "width": "0.9",
    "mu": 40,
    "eta": 2,
    "t": 2,
}
"""The printed example; wmax = eta / n."""


def few_survivors(mu: Any, *, numbers: Any) -> Any:
    """P(N < muN / 2) <= exp(-muN / 8)."""
    return numbers.exp(-mu / 8)


def ratio_stage(
    t: Any, m: Any, n: Any, largest: Any, s2: Any, mu: Any, width: Any, *, numbers: Any
) -> Any:
    """exp(-t^2 muN / (8 m^2 n wmax s2 + (4/3) M m t)), the first term of Lemma 19."""
    return numbers.exp(
        -(t**2) * mu / (8 * m**2 * n * largest * s2 + Fraction(4, 3) * width * m * t)
    )


def lemma_symbols() -> Any:
    """Names of the quantities of both lemmas."""
    return symbols("t m n wmax s2 muN M", positive=True)


def unit_box(*names: Any) -> dict[Any, tuple[Fraction | int, Fraction | int]]:
    """The range (1, 9) for each."""
    return dict.fromkeys(names, (1, 9))


@proves("Bernstein's exponent at t muN / (2 m).", Method.SYMBOLIC)
@mutant("0.33 for 1/3", third=Fraction(33, 100))
def bernstein_step(third: Fraction = Fraction(1, 3)) -> Finding:
    """Bernstein at u = t muN / (2 m) with variance V = muN n wmax s2 gives Lemma 19's exponent."""
    t, m, n, w, s2, mu, width = lemma_symbols()
    u = t * mu / (2 * m)
    c = Rational(third.numerator, third.denominator)
    left = SYMBOLIC.exp(-(u**2) / (2 * (mu * n * w * s2 + width * u * c)))
    right = ratio_stage(t, m, n, w, s2, mu, width, numbers=SYMBOLIC)
    return identical(log(left), log(right), unit_box(t, m, n, w, s2, mu, width))


@proves("The deviation is a centered sum over N (three records).", Method.SYMBOLIC)
@mutant("b = a - 1.01 muT", center=PERCENT)
def centerd_ratio(center: Fraction = Fraction(1)) -> Finding:
    """With b_i = a_i - muT: sum of p_i b_i = 0, so muS - muT is the sum of (I_i - p_i) b_i over N."""
    a = symbols("a1 a2 a3")
    p = symbols("p1 p2 p3", positive=True)
    kept = symbols("I1 I2 I3", positive=True)
    mu, size = sum(p), sum(kept)
    c = Rational(center.numerator, center.denominator)
    mean = sum(x * y for x, y in zip(p, a, strict=True)) / mu
    left = sum(x * y for x, y in zip(kept, a, strict=True)) / size - mean
    right = sum((k - q) * (x - c * mean) for k, q, x in zip(kept, p, a, strict=True)) / size
    return identical(left, right, unit_box(*a, *p, *kept))


@proves(
    "The weighted variance is at most n wmax sigma^2 (identity for three records).", Method.SYMBOLIC
)
@mutant("cube for square", power=3)
def variance_of_weights(power: int = 2) -> Finding:
    """Sum of w_i (a_i - muT)^2 = sum of w_i (a_i - abar)^2 - (abar - muT)^2, so at most n wmax s2."""
    a = symbols("a1 a2 a3")
    u, v = symbols("w1 w2", positive=True)
    w = (u, v, 1 - u - v)
    mean = sum(x * y for x, y in zip(w, a, strict=True))
    plain = sum(a) / 3
    left = sum(x * (y - mean) ** 2 for x, y in zip(w, a, strict=True))
    right = sum(x * (y - plain) ** 2 for x, y in zip(w, a, strict=True)) - (plain - mean) ** power
    return identical(left, right, {**unit_box(*a), u: (0, Fraction(1, 3)), v: (0, Fraction(1, 3))})


@proves("Termwise bounds of variance and range.", Method.SMT)
@mutant("0.99 of each", bound=Fraction(99, 100))
@for_all(reals("p b w wmax M I"), polynomial=True)
def one_rate(
    p: Any, b: Any, w: Any, wmax: Any, width: Any, kept: Any, *, bound: Fraction = Fraction(1)
) -> Condition:
    """Termwise: p (1 - p) b^2 <= p b^2, w_i d_i^2 <= wmax d_i^2, |(I - p) b| <= M, and T N >= t muN / 2 if N >= muN / 2."""
    given = all_of(0 <= p, p <= 1, b <= width, -b <= width, 0 <= w, w <= wmax, 0 <= kept, kept <= 1)
    moved = (kept - p) * b
    return implies(
        given,
        all_of(
            p * (1 - p) * b * b <= bound * p * b * b,
            w * b * b <= bound * wmax * b * b,
            moved <= bound * width,
            -moved <= bound * width,
        ),
    )


@proves("Chernoff's bound at 1/2.", Method.SYMBOLIC)
@mutant("0.505 for 1/2", eta=PERCENT / 2)
def half_of_chernoff(eta: Fraction = Fraction(1, 2)) -> Finding:
    """Theorem 6 at eta = 1/2 is exp(-muN / 8)."""
    mu = symbols("muN", positive=True)
    e = Rational(eta.numerator, eta.denominator)
    return identical(
        chernoff_lower(e, mu, numbers=SYMBOLIC), few_survivors(mu, numbers=SYMBOLIC), {mu: (1, 9)}
    )


@encloses("Printed values.", Method.ENCLOSURE)
@mutant("1.01 t", scale=PERCENT)
def printed_ratio(scale: Fraction = Fraction(1)) -> Finding:
    """Both terms of Lemma 19 for the printed example."""
    t, m, n, s2, mu, width = (ball(VALUES[name]) for name in ("t", "m", "n", "s2", "mu", "width"))
    first = ratio_stage(t * scale, m, n, Fraction(1, 50), s2, mu, width, numbers=NUMBERS)
    return as_printed(
        [
            ("first term", "0.00329850575593909", first),
            ("second term", "0.00673794699908547", few_survivors(mu, numbers=NUMBERS)),
        ]
    )


@confirms("Exact probabilities for 4, 8 and 40 records against the bound.", Method.EXACT)
@mutant("the plain mean for muT", plain=True)
def small_samples(plain: bool = False) -> Finding:
    """Exact probabilities of {m (muS - muT) >= t, N >= 1} for m = 5 against the bound.

    Many records have rate 0 or 1, so that only the others are enumerated.
    """
    worst, count = Fraction(0), 0
    for a, rates, t in _samples():
        mu, n = sum(rates, Fraction(0)), len(a)
        mean = sum((p * x for p, x in zip(rates, a, strict=True)), Fraction(0)) / mu
        center = sum(a, Fraction(0)) / n
        s2 = sum(((x - center) ** 2 for x in a), Fraction(0)) / n
        probability = _tail(a, rates, center if plain else mean, t)
        first = ratio_stage(ball(t), 5, n, max(rates) / mu, s2, ball(mu), 1, numbers=NUMBERS)
        if (
            certainly_less(ball(probability), first + few_survivors(ball(mu), numbers=NUMBERS))
            is not True
        ):
            return exactly(False, f"n = {n}, t = {t}: probability {float(probability):.4f}")
        worst, count = max(worst, probability), count + 1
    return exactly(True, f"{count} cases, largest probability {float(worst):.4f}")


def _samples() -> Iterator[tuple[list[Fraction], list[Fraction], Fraction]]:
    one, zero, half = Fraction(1), Fraction(0), Fraction(1, 2)
    for t in (Fraction(1, 2), Fraction(1), Fraction(12, 5)):
        yield [one] * 20 + [zero] * 20, [one] * 19 + [half] * 2 + [zero] * 19, t
        yield [one] * 4 + [zero] * 4, [Fraction(k, 9) for k in range(1, 9)], t
        yield [one, half, zero, zero], [half, one, Fraction(1, 5), half], t


def _tail(
    a: Sequence[Fraction], rates: Sequence[Fraction], center: Fraction, t: Fraction
) -> Fraction:
    total = Fraction(0)
    for kept in product(*((0, 1) if 0 < p < 1 else (int(p),) for p in rates)):
        size = sum(kept)
        weight = Fraction(1)
        for k, p in zip(kept, rates, strict=True):
            weight *= p if k else 1 - p
        mean = sum((x * k for x, k in zip(a, kept, strict=True)), Fraction(0)) / max(size, 1)
        if size and 5 * (mean - center) >= t:
            total += weight
    return total


CLAIMS = (
    Claim(
        id="PDP-L19",
        source="Lemma 19",
        says="The mean of a Poisson sample is close to the mean weighted by the rates: a Bernstein term and the probability that few records survive.",
        latex=r"P(m(\mu_S - \mu_T) \ge t,\ N \ge 1) \le \exp\left(-\frac{t^2 \mu_N}{8 m^2 n w_{\max} \sigma^2 + \frac43 M m t}\right) + e^{-\mu_N / 8}",
        domain="a_i in an interval of width M, independent I_i ~ Ber(p_i), t > 0",
        status=Status.PROVED,
        assumes=("PDP-T6", "PDP-T7"),
        checks=checks_of(
            centerd_ratio,
            variance_of_weights,
            one_rate,
            bernstein_step,
            half_of_chernoff,
            small_samples,
            printed_ratio,
        ),
        steps=(
            ByCheck("centerd_ratio"),
            ByCheck("variance_of_weights"),
            ByCheck("one_rate"),
            ByCheck("bernstein_step"),
            ByCheck("half_of_chernoff"),
            ByHand(
                "On N >= muN / 2 the event implies that the sum of (I_i - p_i) b_i is at least t muN / (2 m), to which Bernstein's inequality applies with variance at most sum of p_i b_i^2 <= muN n wmax sigma^2 and range M; the other event has probability at most exp(-muN / 8)."
            ),
            ByHand("The identities hold for any number of records alike."),
        ),
    ),
)
