"""dp-accounting of Google: its accountants by Renyi divergences and by privacy losses.

Its events state noise over sensitivity, and its accountants are told which data sets are neighbors;
what a replaced record changes is theirs to know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from audit.accounting.account_events import (
    Event,
    GaussianEvent,
    Noise,
    Poisson,
    RandomizedResponseEvent,
    Scalar,
)
from audit.accounting.peers.claimed_total import NotSaid, Total
from mechanisms.claims import Relation

if TYPE_CHECKING:
    from audit.accounting.release_plan import AccountClaim, Step

__all__ = ["totals"]


def totals(steps: tuple[Step, ...], claim: AccountClaim) -> tuple[Total, ...]:
    """What RdpAccountant and PLDAccountant say."""
    import dp_accounting
    from dp_accounting import pld, rdp

    relations = {
        Relation.ADD_REMOVE: dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
        Relation.SWAP: dp_accounting.NeighboringRelation.REPLACE_ONE,
    }
    neighbors = relations.get(claim.relation)
    if neighbors is None:
        msg = f"it has no relation {claim.relation.value}"
        raise NotSaid(msg)
    event = _composed(dp_accounting, steps)
    makers = {
        "RdpAccountant": lambda: rdp.RdpAccountant(neighboring_relation=neighbors),
        "PLDAccountant": lambda: pld.PLDAccountant(neighbors),
    }
    return tuple(_total(name, make, event, float(claim.delta)) for name, make in makers.items())


def _total(name: str, make: Any, event: Any, delta: float) -> Total:
    from dp_accounting import UnsupportedEventError

    try:
        return Total(name, float(make().compose(event).get_epsilon(delta)))
    except (UnsupportedEventError, NotImplementedError, ValueError, OverflowError) as exc:
        return Total(name, None, why_not=str(exc).partition("\n")[0])


def _composed(library: Any, steps: tuple[Step, ...]) -> Any:
    def parts() -> Iterator[Any]:
        for step in steps:
            event = _event(library, step.event)
            yield library.SelfComposedDpEvent(event, step.count) if step.count != 1 else event

    found = list(parts())
    return found[0] if len(found) == 1 else library.ComposedDpEvent(found)


def _sensitivity(scale: Scalar) -> Any:
    if scale.swap_sensitivity is not None:
        msg = "its events have no swap_sensitivity"
        raise NotSaid(msg)
    if not scale.sensitivity:
        msg = "its events have no sensitivity of 0"
        raise NotSaid(msg)
    return scale.sensitivity


def _event(library: Any, event: Event) -> Any:
    match event:
        case GaussianEvent():
            return library.GaussianDpEvent(float(event.sigma / _sensitivity(event.scale)))
        case Noise(name="laplace"):
            return library.LaplaceDpEvent(float(event.parameter / _sensitivity(event.scale)))
        case Noise(name="geometric"):
            steps = int(_sensitivity(event.scale))
            return library.DiscreteLaplaceDpEvent(float(1 / event.parameter), steps)
        case RandomizedResponseEvent():
            return library.RandomizedResponseDpEvent(float(1 - event.keep), event.categories)
        case Poisson():
            inner = _event(library, event.inner)
            return library.PoissonSampledDpEvent(float(event.rate), inner)
        case _:
            msg = f"it has no event such as {type(event).__name__}"
            raise NotSaid(msg)
