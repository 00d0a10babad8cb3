"""What one privacy level implies about another under the same relation.

Only steps that are theorems are here; each carries its source. Where the implied parameter is
irrational it is rounded up, so that the implied claim is true.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PrivacyClaim,
    PureDP,
    Source,
    ZeroConcentratedDP,
)
from mechanisms.errors import NotImplied
from mechanisms.validation import Number, check_fraction

__all__ = [
    "gaussian_delta",
    "gaussian_to_approx",
    "pure_to_approx",
    "pure_to_zcdp",
    "under_level",
    "zcdp_to_approx",
]

_DIGITS = 40  # of the rounded-up rationals; far beyond any use of them
LARGEST_EXPONENT = 10**6
"""e to a larger power leaves the range of decimals."""
_LARGEST_DOUBLE = 10**100  # its square is a double

PURE_IS_APPROX = Source("Dwork and Roth 2014", "Definition 2.4 with delta = 0")
PURE_TO_ZCDP = Source("Bun and Steinke 2016", "Proposition 1.4: rho = epsilon^2 / 2")
ZCDP_TO_APPROX = Source(
    "Bun and Steinke 2016", "Proposition 1.3: epsilon = rho + 2 sqrt(rho ln(1 / delta))"
)
GAUSSIAN_TO_APPROX = Source("Dong, Roth and Su 2022", "Corollary 2.13")


def pure_to_approx(level: PureDP) -> ApproxDP:
    """Return (epsilon, 0)-DP, the same promise in the larger family.

    References
    ----------
    .. [1] Dwork, Roth, "The algorithmic foundations of differential privacy", 2014, Def. 2.4.
    """
    return ApproxDP(level.epsilon, 0)


def pure_to_zcdp(level: PureDP) -> ZeroConcentratedDP:
    """Return epsilon^2/2-zCDP, exactly.

    References
    ----------
    .. [1] Bun, Steinke, "Concentrated differential privacy", TCC 2016, Proposition 1.4.
    """
    return ZeroConcentratedDP(level.epsilon**2 / 2)


def zcdp_to_approx(level: ZeroConcentratedDP, delta: Number) -> ApproxDP:
    """Return (rho + 2 sqrt(rho ln(1/delta)), delta)-DP, epsilon rounded up.

    Parameters
    ----------
    level : ZeroConcentratedDP
        The promise.
    delta : int, float, str or Fraction
        In (0, 1].

    References
    ----------
    .. [1] Bun, Steinke, "Concentrated differential privacy", TCC 2016, Proposition 1.3.
    """
    exact_delta = check_fraction(delta, "delta", above=0, at_most=1)
    if level.rho == 0:
        return ApproxDP(0, exact_delta)

    def epsilon(rho: Decimal, inverse_delta: Decimal) -> Decimal:
        return rho + 2 * next_up((next_up(rho * next_up(inverse_delta.ln()))).sqrt())

    return ApproxDP(rounded_up(epsilon, level.rho, 1 / exact_delta), exact_delta)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Value delta(epsilon) of the Gaussian trade-off curve, nearest double (not a bound).

    delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).

    Parameters
    ----------
    mu, epsilon : float
        mu at least 0; epsilon any real.

    References
    ----------
    .. [1] Dong, Roth, Su, "Gaussian differential privacy", JRSS-B 2022, Corollary 2.13.
    """
    from scipy.special import erfcx, log_ndtr, ndtr

    if mu == 0:
        return max(0.0, -math.expm1(min(epsilon, 0.0)))
    x, y = epsilon / mu - mu / 2, epsilon / mu + mu / 2
    if x <= 0:
        return float(ndtr(-x)) - math.exp(epsilon + float(log_ndtr(-y)))
    # epsilon = (y^2 - x^2) / 2: both terms have the factor e^(-x^2 / 2), taken out before they
    # are subtracted
    root = math.sqrt(2)
    return math.exp(-x * x / 2) * float(erfcx(x / root) - erfcx(y / root)) / 2


def gaussian_to_approx(level: GaussianDP, epsilon: Number) -> ApproxDP:
    """Return (epsilon, delta(epsilon))-DP, delta rounded up.

    The double-precision value is enlarged by 1e-9 of itself, by some ulps of the larger of the
    two terms it is the difference of, and by 1e-307, which covers its rounding and its underflow
    (compared with ball arithmetic in `tests/cross`).

    References
    ----------
    .. [1] Dong, Roth, Su, "Gaussian differential privacy", JRSS-B 2022, Corollary 2.13.
    """
    from scipy.special import ndtr

    exact_epsilon = check_fraction(epsilon, "epsilon", at_least=0)
    if max(level.mu, exact_epsilon) > _LARGEST_DOUBLE:
        return ApproxDP(exact_epsilon, 1 if level.mu else 0)
    mu, eps = float(level.mu), float(exact_epsilon)
    larger_term = float(ndtr(mu / 2 - eps / mu)) if mu else 0.0
    delta = gaussian_delta(mu, eps)
    rounding = 1e-15 * (1 + eps + min(mu + eps / mu, 1e100) ** 2) if mu else 0.0
    delta_upper = Fraction(delta * (1 + 1e-9) + larger_term * rounding)
    underflow = Fraction(1, 10**307) if level.mu else 0
    return ApproxDP(exact_epsilon, min(Fraction(1), delta_upper + underflow))


_LEVEL_STEPS: dict[tuple[type, type], tuple[Callable[..., Level], Source]] = {
    (PureDP, ApproxDP): (pure_to_approx, PURE_IS_APPROX),
    (PureDP, ZeroConcentratedDP): (pure_to_zcdp, PURE_TO_ZCDP),
    (ZeroConcentratedDP, ApproxDP): (zcdp_to_approx, ZCDP_TO_APPROX),
    (GaussianDP, ApproxDP): (gaussian_to_approx, GAUSSIAN_TO_APPROX),
}


def under_level(claim: PrivacyClaim, kind: type[Level], *parameters: Number) -> PrivacyClaim:
    """Return the claim that `claim` implies at another kind of level, with the source of the step.

    Parameters
    ----------
    claim : PrivacyClaim
        The promise.
    kind : type
        `ApproxDP` (from pure; from zCDP with a delta; from Gaussian with an epsilon) or
        `ZeroConcentratedDP` (from pure).
    parameters : int, float, str or Fraction
        The delta, or the epsilon, where the step leaves it open.

    Raises
    ------
    NotImplied
        Where no step is known.

    Examples
    --------
    >>> from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source, ZeroConcentratedDP
    >>> from mechanisms.implications import under_level
    >>> claim = PrivacyClaim(PureDP("1/2"), Relation.SWAP, Source("user", "stated"))
    >>> implied = under_level(claim, ZeroConcentratedDP)
    >>> str(implied), str(implied.derived[0])
    ('rho = 1/8 (swap)', 'Bun and Steinke 2016, Proposition 1.4: rho = epsilon^2 / 2')
    """
    if isinstance(claim.level, kind) and not parameters:
        return claim
    if (type(claim.level), kind) not in _LEVEL_STEPS:
        msg = f"no implication from {type(claim.level).__name__} to {kind.__name__} is known"
        raise NotImplied(msg)
    step, source = _LEVEL_STEPS[type(claim.level), kind]
    level = step(claim.level, *parameters)
    return PrivacyClaim(level, claim.relation, claim.source, (*claim.derived, source))


def next_up(x: Decimal) -> Decimal:
    """Return the next decimal: `exp` and `ln` round to nearest whatever the context says."""
    return x.next_plus()


def rounded_up(formula: Callable[[Decimal, Decimal], Decimal], *values: Fraction) -> Fraction:
    """Evaluate an increasing formula in decimals, every step rounded up."""
    with localcontext(prec=_DIGITS, rounding=ROUND_CEILING):
        first, second = (Decimal(v.numerator) / Decimal(v.denominator) for v in values)
        return Fraction(formula(first, second))
