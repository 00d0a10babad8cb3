"""Renyi differential privacy: D_a(P || Q) <= epsilon at one order a."""

from __future__ import annotations

from audit.levels.examples import positives, sizes
from audit.levels.kind import Ask, Divergence, Grid, LevelKind, Limit
from audit.levels.pure import STATED
from audit.levels.word import Kind, Of, Word
from mechanisms.claims import RenyiDP
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

ORDERS = (1.0, 1.5, 2.0, 4.0, 8.0)
"""That are bet on below the claimed one: a divergence grows with its order."""


LARGEST_ORDER = 10**9
"""Chosen: no release claims one as large. Beyond 1e308 an order is no double."""


def _grid(level: RenyiDP, ask: Ask) -> Grid:  # noqa: ARG001 - the same whatever is asked
    import numpy as np

    from audit.levels.moments import MomentGrid, around, check_divergence
    from audit.levels.nesting import Axis

    check_divergence(level.epsilon, "epsilon")
    if level.alpha > LARGEST_ORDER:
        msg = (
            f"--alpha-order must be at most {LARGEST_ORDER} to be audited by draws, got "
            f"{shown(level.alpha)}"
        )
        raise InvalidArgument(msg)
    values, claimed = around(float(level.epsilon))
    orders = np.array(sorted({x for x in ORDERS if x < level.alpha} | {float(level.alpha)}))
    divergences = np.broadcast_to(values, (orders.size, values.size))
    return MomentGrid(orders, divergences, (Axis("renyi_epsilon", values),), claimed)


def _divergence(level: RenyiDP) -> Divergence:
    order = float(level.alpha)
    name = f"Renyi divergence of order {order:g}"
    return Divergence(name, (order,), float(level.epsilon), times_order=False)


RENYI = LevelKind(
    RenyiDP,
    "renyi",
    "renyi",
    "8, 1",
    (
        Word(
            "alpha_order",
            Kind.EXACT,
            "Makes --epsilon that of Renyi's order.",
            Of.PRIVACY,
            "NUMBER",
        ),
        STATED,
    ),
    RenyiDP,
    grid=_grid,
    limits=(
        Limit(
            "renyi_epsilon",
            "Renyi epsilon {} at the claimed order",
            short="epsilon",
            label="Renyi epsilon",
            claimed=lambda level: level.epsilon,
        ),
    ),
    implies={
        RenyiDP: lambda a, b: a.alpha >= b.alpha and a.epsilon <= b.epsilon,
    },
    example=lambda st: st.builds(RenyiDP, positives(st).map(lambda more: 1 + more), sizes(st)),
    null="corpus.gaussian-renyi",
    title="a Renyi claim",
    divergence=_divergence,
)
"""The kind of `RenyiDP`."""
