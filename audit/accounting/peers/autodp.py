"""autodp: its composition of mechanisms; of neighbors it knows the noise over their distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audit.accounting.account_events import (
    Event,
    GaussianEvent,
    Noise,
    Poisson,
    Pure,
    RandomizedResponseEvent,
)
from audit.accounting.peers.claimed_total import NotSaid, Total
from mechanisms.claims import Relation

if TYPE_CHECKING:
    from audit.accounting.release_plan import AccountClaim, Step

__all__ = ["totals"]


def totals(steps: tuple[Step, ...], claim: AccountClaim) -> tuple[Total, ...]:
    """What the composed mechanism says; a single one says it by itself."""
    from autodp import mechanism_zoo, transformer_zoo

    found = [_mechanism(mechanism_zoo, transformer_zoo, s.event, claim.relation) for s in steps]
    if len(found) == 1 and steps[0].count == 1:
        name, whole = type(found[0]).__name__, found[0]
    else:
        name = "Composition"
        whole = transformer_zoo.Composition()(found, [step.count for step in steps])
    return (Total(name, float(whole.get_approxDP(float(claim.delta)))),)


def _mechanism(zoo: Any, transformers: Any, event: Event, relation: Relation) -> Any:
    match event:
        case GaussianEvent() if event.scale.shift(relation):
            return zoo.GaussianMechanism(float(event.sigma / event.scale.shift(relation)))
        case Noise(name="laplace") if event.scale.shift(relation):
            return zoo.LaplaceMechanism(float(event.parameter / event.scale.shift(relation)))
        case RandomizedResponseEvent(categories=2):
            return zoo.RandresponseMechanism(float(event.keep + (1 - event.keep) / 2))
        case Pure() if not event.delta:
            return zoo.PureDP_Mechanism(float(event.epsilon))
        case Poisson(inner=GaussianEvent()) if relation is Relation.ADD_REMOVE:
            inner = _mechanism(zoo, transformers, event.inner, relation)
            inner.neighboring = "add_remove"
            sample = transformers.AmplificationBySampling(PoissonSampling=True)
            return sample(inner, float(event.rate), improved_bound_flag=True)
        case _:
            msg = f"it has no mechanism for {type(event).__name__}"
            raise NotSaid(msg)
