"""OpenDP: the privacy map of a composition of its own measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from audit.accounting.account_events import Event, GaussianEvent, Noise
from audit.accounting.peers.claimed_total import NotSaid, Total
from audit.targets.libraries.opendp import prelude

if TYPE_CHECKING:
    from audit.accounting.release_plan import AccountClaim, Step
    from mechanisms.claims import Relation

__all__ = ["totals"]

MOST = 10_000
"""Measurements of one composition: it holds them one by one."""


def totals(steps: tuple[Step, ...], claim: AccountClaim) -> tuple[Total, ...]:
    """What `make_composition` says, at the distance 1: noise is over the distance."""
    dp = prelude()
    if sum(step.count for step in steps) > MOST:
        msg = f"a composition of more than {MOST:,} measurements was not made"
        raise NotSaid(msg)
    parts = [m for s in steps for m in [_measurement(dp, s.event, claim.relation)] * s.count]
    if len({str(part.output_measure) for part in parts}) != 1:
        msg = "its compositions are of one measure"
        raise NotSaid(msg)
    whole: Any = dp.c.make_composition(parts)
    if "ZeroConcentrated" in str(whole.output_measure):
        whole = dp.c.make_zCDP_to_approxDP(whole)
        return (Total("make_composition", float(whole.map(1.0).epsilon(float(claim.delta)))),)
    return (Total("make_composition", float(whole.map(1.0))),)


def _measurement(dp: Any, event: Event, relation: Relation) -> Any:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    match event:
        case GaussianEvent() if event.scale.shift(relation):
            scale = float(event.sigma / event.scale.shift(relation))
            return dp.m.make_gaussian(*space, scale=scale)
        case Noise(name="laplace") if event.scale.shift(relation):
            scale = float(event.parameter / event.scale.shift(relation))
            return dp.m.make_laplace(*space, scale=scale)
        case _:
            msg = f"no measurement stands for {type(event).__name__}"
            raise NotSaid(msg)
