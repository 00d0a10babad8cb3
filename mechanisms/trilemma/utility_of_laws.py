"""What TRI promises of errors under laws: bounds in print for classes of laws, and identities.

TRI-P3.0.1 is about laws with mean in [a, b] and E|X - mu|^lam <= 1, and TRI-P3.0.3 about laws with
mean in [a, b], variance at most 1 and E|X - mu|^lam <= psi^lam. Under any law the clipped mean has
the bias E clip(X) - mu and the mean squared error Var clip(X) / n + bias^2 + v, v the variance of
its noise; the error of the combined estimator is TRI-P3.0.3-exact, that of name-and-shame
TRI-P3.0.2.
"""

from __future__ import annotations

from fractions import Fraction

from mechanisms.claims import Source
from mechanisms.trilemma.errors import (
    mse_clipped,
    mse_combined,
    mse_combined_exact,
    mse_name_and_shame,
)
from mechanisms.trilemma.margins import clipping_constant
from mechanisms.trilemma.utility import NoiseMoments, additive_claims, clipped_moments
from mechanisms.utility_claims import Quantity, RecordLaw, UtilityClaim
from mechanisms.validation import exact

__all__ = ["clipped_law_claims", "combined_law_claims", "in_class", "named_law_claims"]

Claims = tuple[UtilityClaim, ...]

SLACK = 1e-9
"""Relative error of a moment that is computed in doubles."""


def in_class(law: RecordLaw, low: Fraction, high: Fraction, order: float, largest: float) -> bool:
    """Whether the mean lies in [low, high] and the central moment is at most `largest`."""
    inside = float(low) <= law.mean <= float(high)
    return inside and law.central_moment(order) <= largest * (1 + SLACK)


def clipped_law_claims(
    law: RecordLaw,
    count: int,
    noise: NoiseMoments,
    *,
    ends: tuple[float, float],
    epsilon: Fraction,
    low: Fraction,
    high: Fraction,
    beta: Fraction,
    moment: Fraction,
    constant: str,
) -> Claims:
    """Promises of the clipped mean.

    `law`: of each record. `count`: number of records. `noise`: of the release. `ends`: what records
    are clipped to. `epsilon`, `low`, `high`, `beta`, `moment`, `constant`: parameters of
    `ClippedMean`.
    """
    mean, spread = clipped_moments(law, *ends)
    item = "Proposition 3.0.1"
    moved = mean - law.mean
    found: Claims = additive_claims(
        f"{item} (identity, ours)", noise, bias=moved, spread=spread / count, on_data=False
    )
    lam = float(moment)
    if not in_class(law, low, high, lam, 1.0):
        return found
    bias, words = float(beta), f"{item} (sharp margin, ours)"
    if constant == "printed":
        bias, words = bias * clipping_constant(lam), f"{item} (K(lam) beta, ours)"
    error = mse_clipped(count, epsilon, beta, moment, low, high, constant)
    return (
        UtilityClaim(Quantity.BIAS, bias, Source("TRI", words)),
        *found,
        UtilityClaim(Quantity.MSE, error, Source("TRI", item)),
    )


def named_law_claims(law: RecordLaw, count: int, delta: Fraction) -> Claims:
    """Promises of name-and-shame: no bias, and the error of TRI-P3.0.2."""
    error = mse_name_and_shame(count, delta, exact(law.variance), exact(law.mean))
    source = Source("TRI", "Proposition 3.0.2")
    return (
        UtilityClaim(Quantity.BIAS, Fraction(0), source),
        UtilityClaim(Quantity.MSE, error, source, exactly=True),
    )


def combined_law_claims(
    law: RecordLaw,
    count: int,
    *,
    ends: tuple[float, float],
    epsilon: Fraction,
    delta: Fraction,
    low: Fraction,
    high: Fraction,
    psi: Fraction,
    moment: Fraction,
    printed: bool,
) -> Claims:
    """Promises of the combined estimator: no bias, the exact error, and for its class the bound.

    `law`, `count`: as in `clipped_law_claims`. `ends`: what so many records are clipped to.
    `epsilon`, `delta`, `low`, `high`, `psi`, `moment`: parameters of `CombinedMean`. `printed`:
    whether the margin is the paper's.
    """
    lower, upper = ends
    beyond = law.expectation(lambda x: (x - min(max(x, lower), upper)) ** 2, ends)
    width = Fraction(upper) - Fraction(lower)
    error = mse_combined_exact(count, epsilon, delta, width, exact(law.variance), exact(beyond))
    source = Source("TRI", "Proposition 3.0.3")
    found = (
        UtilityClaim(Quantity.BIAS, Fraction(0), source),
        UtilityClaim(
            Quantity.MSE, error, Source("TRI", "Proposition 3.0.3 (identity, ours)"), exactly=True
        ),
    )
    lam = float(moment)
    of_class = in_class(law, low, high, lam, float(psi) ** lam) and law.variance <= 1 + SLACK
    if not (printed and of_class):
        return found
    bound = mse_combined(count, epsilon, delta, psi, moment, low, high)
    return (*found, UtilityClaim(Quantity.MSE, bound, source))
