"""Theorem 11 of PDP with constants: the error of Algorithm 7 on Gaussian records.

In units of sigma it is at most a sampling error, a clipping error and a noise, with the weights
w_i = eps~_i / A of the halved budgets, W = sum w_i^2, w = max w_i, L1 = ln(1 / s), L2 = ln(2 / s).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_check.arithmetic import SYMBOLIC
from proofs_check.checks import checks_of, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status, every, exactly
from proofs_check.language import Condition, absolute, all_of, for_all, implies, reals
from proofs_check.papers.pdp.common import LESS, NUMBERS, PERCENT, ball, larger, smaller
from proofs_check.papers.pdp.mean.mean_estimation import ORDER
from proofs_check.papers.pdp.range.gaussian_range import normal_tail, record_spread
from proofs_check.papers.pdp.range.range_estimation import tail_of_the_width
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByHand
from proofs_check.symbolic import (
    Rational,
    diff,
    erfc,
    exp,
    gamma,
    identical,
    integrate,
    limit,
    log,
    oo,
    pi,
    sqrt,
    summation,
    symbols,
)

__all__ = ["CLAIMS", "clipping_bound", "gaussian_error", "noise_bound", "sampling_bound"]

EVENTS = {"the range": 4, "sampling": 1, "clipping": 1, "noise": 1}
"""What else may fail than the two radii, with probability s each."""


def sampling_bound(squares: Any, share: Any, *, numbers: Any) -> Any:
    """sqrt(2 W ln(1 / s)): the weighted mean of the records is N(mu, W sigma^2)."""
    return numbers.sqrt(2 * squares * numbers.log(1 / share))


def clipping_bound(z: Any, squares: Any, largest: Any, share: Any, *, numbers: Any) -> Any:
    """phi(z) - z Q(z) + (2 / z) sqrt(Q(z) W ln(2 / s)) + (w / z) ln(2 / s)."""
    tail, level = normal_tail(z, numbers=numbers), numbers.log(2 / share)
    mean = numbers.exp(-(z**2) / 2) / numbers.sqrt(2 * numbers.pi()) - z * tail
    return mean + 2 / z * numbers.sqrt(tail * squares * level) + largest / z * level


def noise_bound(u: Any, total: Any, share: Any, *, numbers: Any) -> Any:
    """(8 u + 4) ln(1 / s) / A: Laplace noise for a range of the largest width."""
    return (8 * u + 4) * numbers.log(1 / share) / total


def gaussian_error(
    z: Any, u: Any, squares: Any, largest: Any, total: Any, share: Any, *, numbers: Any
) -> Any:
    """The bound of the error in units of sigma: sampling, clipping and noise."""
    return (
        sampling_bound(squares, share, numbers=numbers)
        + clipping_bound(z, squares, largest, share, numbers=numbers)
        + noise_bound(u, total, share, numbers=numbers)
    )


@proves("The mean of (Z - z)_+ is phi(z) - z Q(z).", Method.SYMBOLIC)
@mutant("e^(-z^2 / 2.02)", two=2 * PERCENT)
def mean_beyond(two: Fraction = Fraction(2)) -> Finding:
    """E (Z - z)_+, the integral of (x - z) phi(x) from z on, is phi(z) - z Q(z): by z Q(x) - phi(x)."""
    z, x = symbols("z x", positive=True)
    c = Rational(two.numerator, two.denominator)
    density, tail = exp(-(x**2) / c) / sqrt(2 * pi), erfc(x / sqrt(2)) / 2
    whole = z * tail - density
    slope = (x - z) * exp(-(x**2) / 2) / sqrt(2 * pi)
    return every(
        [
            identical(diff(whole, x), slope, {x: (0, 4), z: (0, 4)}),
            exactly(limit(tail, x, oo) == 0 == limit(density, x, oo), "0 at infinity"),
        ]
    )


@proves("The hazard phi / Q of the Gaussian law is at least t.", Method.SYMBOLIC)
@mutant("1.01 t", factor=PERCENT)
def hazard_rises(factor: Fraction = Fraction(1)) -> Finding:
    """phi(t) - t Q(t) falls, as its slope is -Q(t), and tends to 0: so phi / Q >= t, the hazard.

    Hence (ln Q)' = -phi / Q <= -z beyond z, and Q(z + x) <= Q(z) e^(-z x).
    """
    t = symbols("t", positive=True)
    c = Rational(factor.numerator, factor.denominator)
    tail, density = erfc(t / sqrt(2)) / 2, exp(-(t**2) / 2) / sqrt(2 * pi)
    gap = density - c * t * tail
    ends = limit(density, t, oo), limit(t * tail, t, oo)
    return every(
        [
            identical(diff(gap, t), -tail, {t: (0, 4)}),
            identical(diff(log(tail), t), -density / tail, {t: (0, 4)}),
            exactly(all(end == 0 for end in ends), "both terms tend to 0"),
        ]
    )


@proves("Moments of the exponential law of rate z.", Method.SYMBOLIC)
@mutant("(j + 1)! for j!", shift=1)
def moments_beyond(shift: int = 0) -> Finding:
    """The integral of j x^(j - 1) e^(-z x) is j! / z^j, a bound of E (Z - z)_+^j over Q(z)."""
    x, z, j = symbols("x z j", positive=True)
    left = integrate(j * x ** (j - 1) * exp(-z * x), (x, 0, oo))
    return identical(left, gamma(j + 1 + shift) / z**j, {z: (1, 4), j: (1, 5)})


@proves(
    "Their series is that of a sub-gamma variable, v = 2 Q / z^2 and c = 1 / z.", Method.SYMBOLIC
)
@mutant("2.02 Q / z^2", two=2 * PERCENT)
def series_beyond(two: Fraction = Fraction(2)) -> Finding:
    """Sum over j >= 2 of Q (l / z)^j is v l^2 / (2 (1 - c l)) with v = 2 Q / z^2 and c = 1 / z."""
    q, z, rate = symbols("Q z l", positive=True)
    j = symbols("j", integer=True, positive=True)
    ratio = symbols("r", positive=True)
    series = summation(ratio**j, (j, 2, oo)).args[0][0]
    v, c = Rational(two.numerator, two.denominator) * q / z**2, 1 / z
    right = v * rate**2 / (2 * (1 - c * rate))
    return every(
        [
            identical(series, ratio**2 / (1 - ratio), {ratio: (0, Fraction(9, 10))}),
            identical(
                q * series.subs(ratio, rate / z), right, {q: (0, 1), z: (5, 9), rate: (1, 4)}
            ),
        ]
    )


@proves("Its deviation is that of the bound.", Method.SYMBOLIC)
@mutant("2.02 Q / z^2", two=2 * PERCENT)
def deviation_beyond(two: Fraction = Fraction(2)) -> Finding:
    """sqrt(2 v L) + c L with v = (2 Q / z^2) W and c = w / z is the random part of the clipping bound."""
    z, squares, largest, share = symbols("z W w s", positive=True)
    level = log(2 / share)
    q = normal_tail(z, numbers=SYMBOLIC)
    v = Rational(two.numerator, two.denominator) * q / z**2 * squares
    stated = clipping_bound(z, squares, largest, share, numbers=SYMBOLIC)
    mean = exp(-(z**2) / 2) / sqrt(2 * pi) - z * q
    right = mean + sqrt(2 * v * level) + largest / z * level
    return identical(stated, right, {z: (0, 3), squares: (0, 1), largest: (0, 1), share: (0, 1)})


@proves(
    "Clipping to what covers [p, q] raises by (p - x)_+ at most, and lowers by (x - q)_+.",
    Method.SMT,
)
@mutant("0.99 of it", share=LESS)
@for_all(reals("x low high p q"))
def clipping_is_one_sided(
    x: Any, low: Any, high: Any, p: Any, q: Any, *, share: Fraction = Fraction(1)
) -> Condition:
    """A range that covers [p, q] raises a record by at most (p - x)_+, and lowers it by (x - q)_+."""
    moved = larger(low, smaller(x, high)) - x
    given = all_of(low <= p, p <= q, q <= high)
    raised, lowered = larger(p - x, 0 * x), larger(x - q, 0 * x)
    return implies(given, all_of(moved <= share * raised, -moved <= share * lowered))


@proves("The three parts, of which clipping counts on one side only.", Method.SMT)
@mutant("0.99 C", share=LESS)
@for_all(reals("sample clip noise E C B up down"))
def parts_add_up(
    sample: Any,
    clip: Any,
    noise: Any,
    e: Any,
    c: Any,
    b: Any,
    up: Any,
    down: Any,
    *,
    share: Fraction = Fraction(1),
) -> Condition:
    """|sampling + clipping + noise| <= E + C + B if clipping lies in [-down, up], both at most C."""
    given = all_of(
        absolute(sample) <= e,
        absolute(noise) <= b,
        up >= 0,
        down >= 0,
        up <= c,
        down <= c,
        clip <= up,
        -clip <= down,
    )
    return implies(given, absolute(sample + clip + noise) <= e + share * c + b)


@proves("The sampling error exceeds its bound with probability at most s.", Method.SYMBOLIC)
@mutant("1.98 W ln(1 / s)", two=2 * LESS)
def sampling_tail(two: Fraction = Fraction(2)) -> Finding:
    """P(|N(0, W)| > t) = erfc(t / sqrt(2 W)) <= e^(-t^2 / (2 W)), which is s at the sampling bound."""
    squares, share = symbols("W s", positive=True)
    t = sqrt(Rational(two.numerator, two.denominator) * squares * log(1 / share))
    stated = sampling_bound(squares, share, numbers=SYMBOLIC)
    box = {squares: (0, 1), share: (0, 1)}
    return every([identical(stated, t, box), identical(exp(-(t**2) / (2 * squares)), share, box)])


@proves("Two radii and seven events make beta.", Method.EXACT)
@mutant("three radii", radii=3)
def events_add_up(radii: int = 2) -> Finding:
    """Two radii with beta / 24 and seven events with 11 beta / 84 make beta."""
    total = Fraction(radii, 24) + sum(EVENTS.values()) * Fraction(11, 84)
    return exactly(total == 1, f"{total} beta")


ROWS = (
    (20_000, "0.7587890625", "0.190363518601139"),
    (100_000, "1.4150390625", "0.0518787521541189"),
    (1_000_000, "2.1611328125", "0.0091116415071849"),
)
"""Users with budget 1, a z that they allow at beta = 0.1, and the bound of the error."""


@encloses("The bound for three numbers of users with budget 1.", Method.ENCLOSURE)
@mutant("1.01 s", scale=PERCENT)
def error_values(scale: Fraction = Fraction(1)) -> Finding:
    """The bound with n budgets of 1: A = n / 2, as no half of a budget is saturated."""
    rows, share = [], ball(Fraction(11, 840) * scale)
    for n, z, printed in ROWS:
        total = Fraction(n, 2)
        u = record_spread(ball(n), share, numbers=NUMBERS)
        found = gaussian_error(
            ball(z), u, ball(Fraction(1, n)), Fraction(1, n), ball(total), share, numbers=NUMBERS
        )
        rows.append((f"bound for {n} users", printed, found))
    return as_printed(rows)


CLAIMS = (
    Claim(
        id="PDP-T11u",
        source="Theorem 11, its error, with constants",
        says=(
            "On Gaussian records Algorithm 7 errs by at most a sampling error, a clipping error and a noise with explicit constants, with probability at least 1 - beta."
        ),
        latex=r"\frac{|\hat\mu - \mu|}{\sigma} \le \sqrt{2 W L_1} + \varphi(z) - z Q(z) + \frac{2}{z}\sqrt{Q(z) W L_2} + \frac{w}{z} L_2 + \frac{(8 u + 4) L_1}{A}, \quad W = \sum_i w_i^2,\ w = \max_i w_i",
        domain=(
            "as PDP-L17u with budgets eps / 2, b' = beta / 24 and s = 11 beta / 84; w_i = eps~_i / A with the saturated halves of the budgets and their sum A; L1 = ln(1 / s), L2 = ln(2 / s)"
        ),
        status=Status.PROVED,
        ours=True,
        assumes=("PDP-L17u", "PDP-A7", "PDP-L5", "PDP-T8"),
        checks=checks_of(
            mean_beyond,
            hazard_rises,
            moments_beyond,
            series_beyond,
            deviation_beyond,
            clipping_is_one_sided,
            parts_add_up,
            reworded(tail_of_the_width, "erfc(x) <= e^(-x^2)."),
            sampling_tail,
            events_add_up,
            error_values,
        ),
        steps=(
            ByClaim(
                "PDP-L17u",
                "But for 2 b' + 4 s the range covers [mu - (z + 1) sigma, mu + z sigma] and is at most (8 u + 4) sigma wide.",
            ),
            ByHand(
                "The weights are fixed and add up to 1, and the release is the weighted sum of clipped records and noise; so the error is the weighted mean of the records less mu, what clipping adds, and the noise."
            ),
            ByCheck("tail_of_the_width"),
            ByCheck(
                "sampling_tail", "The weighted mean of the records is N(mu, W sigma^2) exactly."
            ),
            ByCheck(
                "clipping_is_one_sided",
                "Where the range covers that interval clipping lowers the sum by at most sigma sum of w_i (Z_i - z)_+, and raises it by at most sigma sum of w_i (-Z_i - z)_+: functions of the records alone, whatever the range is.",
            ),
            ByCheck("mean_beyond"),
            ByCheck("hazard_rises"),
            ByCheck(
                "moments_beyond",
                "Hence E (Z - z)_+^j, the integral of j x^(j - 1) Q(z + x), is at most Q(z) j! / z^j.",
            ),
            ByCheck(
                "series_beyond",
                "So ln E e^(l w_i ((Z - z)_+ - E (Z - z)_+)) is at most (l w_i)^2 v / (2 (1 - l w_i / z)), by e^x >= 1 + x, and the sum over i at most l^2 v W / (2 (1 - l w / z)).",
            ),
            ByClaim(
                "PDP-T8",
                "As in its proof, such a sum exceeds sqrt(2 v W L) + (w / z) L with probability at most e^-L; with L = ln(2 / s) for either side.",
            ),
            ByCheck("deviation_beyond"),
            ByClaim(
                "PDP-L5",
                "The noise Lap(width / A) exceeds width ln(1 / s) / A with probability s, whatever the range is.",
            ),
            ByCheck("parts_add_up"),
            ByCheck("events_add_up"),
        ),
        note="How far it is from the lower bound of PDP-T9, and from what is measured, is in the table personalized-error. The loose part is clipping: z follows from the 24 ln(..) / tau records that a radius may leave out.",
    ),
    Claim(
        id="PDP-T11o",
        source="Theorem 11, the order of its error",
        says="For large enough n the error of Algorithm 7 is of the printed order, sigma log(A) sqrt(B) / A and sigma log(A) loglog / A.",
        latex=r"|\hat\mu - \mu| \le O\left(\frac{\sigma \ln A}{A} \ln\frac{\ln\ln(A / (\beta\tau))}{\beta} + \frac{\sigma \sqrt{B}}{A} \ln A \ln\frac1\beta\right)",
        domain="Gaussian data; n large enough, which the print does not make explicit",
        status=Status.OPEN,
        ours=True,
        assumes=("PDP-T11u", "PDP-L19"),
        checks=ORDER,
        note="The checks are the steps of the printed proof that have explicit constants, with the errata PDP-E-21 to PDP-E-24. PDP-T11u has explicit constants; that it implies the printed order for all vectors of budgets is not proved: the number of survivors that it needs is one of the range stage's own tau.",
    ),
)
"""The claims."""
