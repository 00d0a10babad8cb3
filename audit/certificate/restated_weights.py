"""Weighted sums with Laplace noise, stated again: the privacy loss of every user.

Nothing here is taken from the mechanisms. Noise of scale s hides a move of d with loss d / s
(PDP-L4), and the record of user i moves the sum of w_j x_j by at most w_i (high - low):

* PDP-L11: s = (high - low) max w / epsilon, so user i loses epsilon w_i / max w.
* Stretching: w_i = budget_i / S and s = (high - low) / S with S the sum of the budgets, so user i
  loses the own budget. With everyone at the least budget, each loses that.
* PDP-A3: w_i = x_i / A and s = (high - low) / A with A = sum x_i, so user i loses x_i = min(budget,
  tau). The threshold tau is the number with sum x_i^2 + 8 = tau sum x_i (PDP-E-SAT).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from audit.certificate.certificate_form import TooLarge, number
from mechanisms.errors import CertificateError

LEMMA = "PDP-L4"
"""Laplace noise hides a move of its scale with loss 1."""
MOST_USERS = 100
"""More exact numbers take long to add up: their denominators multiply."""

NOISE = Fraction(8)
"""Of the objective that the weights minimize (PDP-E-SAT)."""


def numbers(values: object, name: str) -> list[Fraction]:
    """Read a list of exact numbers that are at least 0.

    Raises CertificateError if it is anything else. Raises TooLarge if it has more than
    `MOST_USERS`.
    """
    if type(values) is not list or not values:
        msg = f"{name} must be a list of exact numbers, got {values!r}"
        raise CertificateError(msg)
    if len(values) > MOST_USERS:
        msg = f"{name} has more than {MOST_USERS} numbers"
        raise TooLarge(msg)
    found = [number(value, name) for value in values]
    if min(found) < 0:
        msg = f"{name} must be at least 0, got {min(found)}"
        raise CertificateError(msg)
    return found


def losses_of(mechanism: str, parameters: Mapping[str, Any]) -> list[Fraction]:
    """Privacy loss of every user, in their order.

    Raises CertificateError if a parameter is unknown, missing or out of its domain.
    """
    names, state = WEIGHTED[mechanism]
    if set(parameters) != set(names):
        msg = f"parameters of {mechanism} are {', '.join(names)}, got {', '.join(parameters)}"
        raise CertificateError(msg)
    low, high = (number(parameters[name], name) for name in ("low", "high"))
    if low > high:
        msg = f"low must be at most high, got {low} and {high}"
        raise CertificateError(msg)
    losses = state(parameters)
    return losses if low < high else [Fraction(0)] * len(losses)


def _weighted_mean(given: Mapping[str, Any]) -> list[Fraction]:
    epsilon, weights = number(given["epsilon"], "epsilon"), numbers(given["weights"], "weights")
    if epsilon <= 0:
        msg = f"epsilon must be positive, got {epsilon}"
        raise CertificateError(msg)
    largest = max(weights)
    return [epsilon * w / largest if largest else Fraction(0) for w in weights]


def _adpm(given: Mapping[str, Any]) -> list[Fraction]:
    return saturated(numbers(given["budgets"], "budgets"))


def saturated(budgets: list[Fraction]) -> list[Fraction]:
    """Cut budgets at the number tau with sum x_i^2 + 8 = tau sum x_i, x_i = min(budget, tau)."""
    positive = [budget for budget in budgets if budget]
    for whole in range(1, len(positive) + 1):  # so many of the smallest stay as they are
        kept = sorted(positive)[:whole]
        tau = sum((x * x for x in kept), NOISE) / sum(kept, Fraction(0))
        cut = [min(budget, tau) for budget in positive]
        if sum((x * x for x in cut), NOISE) == tau * sum(cut):
            return [min(budget, tau) for budget in budgets]
    return [Fraction(0)] * len(budgets)  # without a positive budget nothing is released


def _stretched(given: Mapping[str, Any]) -> list[Fraction]:
    budgets = numbers(given["budgets"], "budgets")
    total = sum(budgets, Fraction(0))
    return [budget / total / (1 / total) if total else total for budget in budgets]


def _least(given: Mapping[str, Any]) -> list[Fraction]:
    budgets = numbers(given["budgets"], "budgets")
    return [min(budgets)] * len(budgets)


WEIGHTED: dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any]], list[Fraction]]]] = {
    "pdp.weighted-mean": (("epsilon", "weights", "low", "high"), _weighted_mean),
    "pdp.adpm": (("budgets", "low", "high"), _adpm),
    "pdp.stretched-mean": (("budgets", "low", "high"), _stretched),
    "pdp.least-budget": (("budgets", "low", "high"), _least),
}
"""Names of the parameters of each mechanism, and the losses of its users."""
