"""prv-accountant of Microsoft: two ends of the total, by privacy random variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audit.accounting.account_events import Event, GaussianEvent, Noise, Poisson, Pure, Stated
from audit.accounting.peers.claimed_total import NotSaid, Total
from mechanisms.claims import Relation

if TYPE_CHECKING:
    from audit.accounting.release_plan import AccountClaim, Step

__all__ = ["totals"]

EPSILON_ERROR = 0.01
"""How far apart its own two ends are asked to be, on either side: the value of its examples."""
DELTA_SHARE = 1e-3
"""Of delta, for its own errors: as its documentation says."""


def totals(steps: tuple[Step, ...], claim: AccountClaim) -> tuple[Total, ...]:
    """What PRVAccountant says."""
    import prv_accountant
    from prv_accountant import privacy_random_variables as variables

    delta, counts = float(claim.delta), [step.count for step in steps]
    accountant = prv_accountant.PRVAccountant(
        prvs=[_variable(variables, step.event, claim.relation) for step in steps],
        eps_error=EPSILON_ERROR,
        delta_error=DELTA_SHARE * delta,
        max_self_compositions=counts,
    )
    lower, _, upper = accountant.compute_epsilon(delta, counts)
    return (Total("PRVAccountant", float(upper), float(lower)),)


def _variable(variables: Any, event: Event, relation: Relation) -> Any:
    match event:
        case GaussianEvent() if event.scale.shift(relation):
            return variables.GaussianMechanism(float(event.sigma / event.scale.shift(relation)))
        case Stated():
            return variables.GaussianMechanism(float(1 / event.mu))
        case Noise(name="laplace") if event.scale.shift(relation):
            return variables.LaplaceMechanism(
                mu=float(event.scale.shift(relation) / event.parameter)
            )
        case Poisson(inner=GaussianEvent() as inner) if relation is Relation.ADD_REMOVE:
            return variables.PoissonSubsampledGaussianMechanism(
                float(event.rate), float(inner.sigma / inner.scale.shift(relation))
            )
        case Pure() if not event.delta:
            return variables.PureDPMechanism(float(event.epsilon))
        case Pure():
            return variables.ApproximateDPMechanism(float(event.epsilon), float(event.delta))
        case _:
            msg = f"it has no variable for {type(event).__name__}"
            raise NotSaid(msg)
