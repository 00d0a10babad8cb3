"""Steps of a plan in exact words, as a certificate states them."""

from __future__ import annotations

from audit.accounting.account_events import (
    GaussianEvent,
    Masses,
    Noise,
    Pure,
    RandomizedResponseEvent,
    Scalar,
    Stated,
)
from audit.accounting.release_plan import Step

__all__ = ["ExactWords", "exact_step"]

ExactWords = dict[str, str | int | list[str]]
"""An event, its count, and its words: exact numbers as text."""

PARAMETERS = {"laplace": "scale", "geometric": "t", "discrete-gaussian": "sigma_squared"}


def exact_step(step: Step) -> ExactWords | None:
    """A step in exact words; None of one that no certificate speaks of."""
    named: ExactWords
    match step.event:
        case GaussianEvent(sigma=sigma, scale=scale):
            named = {"event": "gaussian", "sigma": str(sigma), **_scaled(scale)}
        case Noise(name=name, parameter=parameter, scale=scale):
            named = {"event": name, PARAMETERS[name]: str(parameter), **_scaled(scale)}
        case RandomizedResponseEvent(keep=keep, categories=categories):
            named = {"event": "randomized-response", "keep": str(keep), "categories": categories}
        case Pure(epsilon=epsilon, delta=delta) if delta:
            named = {"event": "approx-dp", "epsilon": str(epsilon), "delta": str(delta)}
        case Pure(epsilon=epsilon):
            named = {"event": "pure-dp", "epsilon": str(epsilon)}
        case Stated(mu=mu):
            named = {"event": "gdp", "mu": str(mu)}
        case Masses(rows=rows):
            p, q = ([str(row[side]) for row in rows] for side in (0, 1))
            named = {"event": "law", "p": p, "q": q}
        case _:
            return None
    return {**named, "count": step.count}


def _scaled(scale: Scalar) -> ExactWords:
    found: ExactWords = {"sensitivity": str(scale.sensitivity)}
    if scale.swap_sensitivity is not None:
        found["swap_sensitivity"] = str(scale.swap_sensitivity)
    return found
