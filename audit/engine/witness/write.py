"""From a won bet to a witness that a person can read and run again."""

from __future__ import annotations

import math
import time

from audit.engine.draws import BatchFailed, OutOfTime, draw_batch
from audit.engine.pair_state import PairState
from audit.engine.streams import Place, Purpose
from audit.engine.witness.literal import literal
from audit.engine.witness.readable import Event, readable_event
from audit.tails import binomial_limits
from audit.targets import Target
from audit.verdict import Witness

__all__ = ["find_witness"]

MOST_FRESH_DRAWS, FEWEST_FRESH_DRAWS = 100_000, 1_000
FRESH_OVER_LEARNED = 2
SNIPPET = """\
# counts the event again on fresh draws; run it in the folder of the audit
import numpy as np

from audit.engine.draws import fresh_outputs
from audit.engine.events import (
    form,
    lattice_class,
    lowest_bit,
    number,
    outcome,
    representation,
    residue,
)
{made}
data = {data}
neighbor = {neighbor}


def event(z):
    # {event}
    return {expression}


draws = {draws}
hits = sum(map(event, fresh_outputs(target, data, draws, seed={seed}, arm=0)))
neighbor_hits = sum(map(event, fresh_outputs(target, neighbor, draws, seed={seed}, arm=1)))
print(f"data: {{hits}} of {{draws}}; neighbor: {{neighbor_hits}} of {{draws}}")
"""

BY_NAME = """\
from audit.targets import load_target

target = load_target({target!r}, parameters={parameters!r})"""

BY_OBJECT = """\
from audit.targets import target_of

{made_by}
target = target_of(mechanism, {target!r}, parameters={parameters!r})"""


def find_witness(
    target: Target,
    state: PairState,
    *,
    claim: tuple[float, float],
    false_alarm: float,
    seed: int,
    seconds: float,
) -> tuple[Witness, int]:
    """Choose the event by the past, count it on fresh draws, and write it up.

    Returns
    -------
    Witness
        The event and its counts.
    int
        Fresh draws of both arms together.
    """
    event = readable_event(state, (math.exp(claim[0]), claim[1]))
    size = min(MOST_FRESH_DRAWS, max(FEWEST_FRESH_DRAWS, FRESH_OVER_LEARNED * state.draws))
    counts, size = _count_fresh(target, state, event, size, seed, seconds)
    hits, other_hits = counts[event.arm], counts[1 - event.arm]
    made = BY_NAME if target.mechanism is None else BY_OBJECT
    if target.command:
        made = "{made_by}"
    snippet = SNIPPET.format(
        made=made.format(
            target=target.name, parameters=dict(target.parameters), made_by=target.made_by
        ),
        data=literal(state.data),
        neighbor=literal(state.neighbor),
        event=event.sentence if event.sentence.isprintable() else repr(event.sentence),
        expression=event.expression,
        draws=size,
        seed=seed,
    )
    epsilon_lower = clopper_pearson(hits, other_hits, size, claim[1], false_alarm)
    witness = Witness(
        pair=state.label,
        data=state.data,
        neighbor=state.neighbor,
        event=event.sentence,
        expression=event.expression,
        feature=event.feature,
        likelier=("data", "neighbor")[event.arm],
        hits=hits,
        other_hits=other_hits,
        draws=size,
        epsilon_lower=epsilon_lower,
        confirmed=epsilon_lower > claim[0],
        lower=epsilon_lower,
        allowed=claim[0],
        rerun=snippet,
        delta=claim[1],
        intervals=event.intervals,
    )
    return witness, 2 * size


def _count_fresh(
    target: Target, state: PairState, event: Event, size: int, seed: int, seconds: float
) -> tuple[tuple[int, int], int]:
    """Count the event on both arms; equal numbers of draws, fewer when time runs out."""
    hits, drawn = [0, 0], 0
    blocks = draw_batch(
        target,
        (state.data, state.neighbor),
        size,
        Place(seed, Purpose.CONFIRM, pair=state.index),
        single=state.single,
        small_blocks=True,
        first_block_free=True,
        deadline=time.monotonic() + seconds,
    )
    try:
        for outputs in blocks:
            encoded = [state.encoder.encode(arm) for arm in outputs]
            for arm in (0, 1):
                hits[arm] += int(event.holds(encoded[arm]).sum())
            drawn += len(encoded[0])
    except OutOfTime:
        pass
    except BatchFailed:
        if state.single:
            raise
        state.single = True
        return _count_fresh(target, state, event, size, seed, seconds)
    return (hits[0], hits[1]), drawn


def clopper_pearson(
    hits: int, other_hits: int, draws: int, delta: float, false_alarm: float
) -> float:
    """Lower limit on epsilon from two Clopper-Pearson limits at half the error each."""
    p_lower, _ = binomial_limits(hits, draws, false_alarm / 2)
    _, q_upper = binomial_limits(other_hits, draws, false_alarm / 2)
    return max(0.0, math.log((p_lower - delta) / q_upper)) if p_lower > delta else 0.0
