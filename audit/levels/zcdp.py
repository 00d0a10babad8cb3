"""Zero-concentrated differential privacy: D_a(P || Q) <= rho a for all orders a > 1."""

from __future__ import annotations

from audit.levels.examples import sizes
from audit.levels.kind import Ask, Divergence, Grid, LevelKind, Limit
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import ApproxDP, ZeroConcentratedDP
from mechanisms.implications import zcdp_to_approx

ORDERS = (1.0, 1.5, 2.0, 4.0)
"""That are bet on."""
ORDERS_OF_EVENTS = (1.0, 1.1, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0)
"""At which an event is held against a claim, which is about all above 1."""


def _grid(level: ZeroConcentratedDP, ask: Ask) -> Grid:  # noqa: ARG001 - the same for all
    import numpy as np

    from audit.levels.moments import MomentGrid, around, check_divergence
    from audit.levels.nesting import Axis

    check_divergence(level.rho, "rho")
    values, claimed = around(float(level.rho))
    orders = np.array(ORDERS)
    return MomentGrid(orders, orders[:, None] * values, (Axis("rho", values),), claimed)


ZERO_CONCENTRATED = LevelKind(
    ZeroConcentratedDP,
    "zero-concentrated",
    "zcdp",
    '"1/2"',
    (Word("rho", Kind.EXACT, "Claim zero-concentrated privacy instead.", Of.PRIVACY, "NUMBER"),),
    ZeroConcentratedDP,
    grid=_grid,
    limits=(Limit("rho", "rho {}", claimed=lambda level: level.rho),),
    implies={
        ZeroConcentratedDP: lambda a, b: a.rho <= b.rho,
        ApproxDP: lambda a, b: b.delta > 0 and zcdp_to_approx(a, b.delta).epsilon <= b.epsilon,
    },
    example=lambda st: st.builds(ZeroConcentratedDP, sizes(st)),
    null="corpus.gaussian-zcdp",
    divergence=lambda level: Divergence(
        "rho", ORDERS_OF_EVENTS, float(level.rho), times_order=True
    ),
)
"""The kind of `ZeroConcentratedDP`."""
