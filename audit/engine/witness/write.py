"""From a won bet to a witness that a person can read and run again."""

from __future__ import annotations

import time

from audit.draws.blocks import BatchFailed, OutOfTime, draw_batch
from audit.draws.encode import Outcomes
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.pair_state import PairState
from audit.engine.two_binomials import Counts
from audit.engine.witness.confirm import ConfirmedLimit, fresh_draws, rule_of
from audit.engine.witness.readable import Event, readable_event
from audit.pairs.literal import literal
from audit.targets.target import Target
from audit.verdict import Witness
from mechanisms.claims import Level

__all__ = ["find_witness"]

MOST_READ = 100_000
"""Draws of each arm from which the event's probabilities are estimated."""

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
outputs = fresh_outputs(target, (data, neighbor), draws, seed={seed})
hits, neighbor_hits = (sum(map(event, arm)) for arm in outputs)
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
    level: Level,
    line: tuple[float, float],
    false_alarm: float,
    seed: int,
    run_draws: int,
    seconds: float,
) -> tuple[Witness, int]:
    """Choose the event by the past, count it on fresh draws, and write it up.

    The number of fresh draws is fixed by the past; where time is not enough for all of them there
    are none, and nothing is confirmed.

    Parameters
    ----------
    target, state
        What to draw from, and the pair with its past.
    level, line
        The claim, and the line p = s q + t of it that the event breaks.
    false_alarm, seed : float, int
        Of the run.
    run_draws : int
        Draws of each arm that the run made.
    seconds : float
        Time for the fresh draws.

    Returns
    -------
    Witness
        The event and its counts.
    int
        Fresh draws of both arms together.
    """
    event, rule = readable_event(state, line), rule_of(level, line)
    guess = _estimates(state, event)
    wanted = fresh_draws(rule, guess, false_alarm, run_draws)
    (hits, other_hits), size = _count_fresh(target, state, event, wanted, seed, seconds)
    limit = ConfirmedLimit("epsilon", 0.0, 0.0, 0.0)
    if size:
        limit = rule.limit(Counts(hits, other_hits, size, size), guess, false_alarm)
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
        draws=wanted,
        seed=seed,
    )
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
        epsilon_lower=limit.epsilon_lower,
        confirmed=limit.exceeds,
        measure=limit.measure,
        lower=limit.lower,
        allowed=limit.allowed,
        rerun=snippet,
        delta=line[1] if limit.measure == "epsilon" else 0.0,
        intervals=event.intervals,
    )
    return witness, 2 * size


def _count_fresh(
    target: Target, state: PairState, event: Event, size: int, seed: int, seconds: float
) -> tuple[tuple[int, int], int]:
    """Count the event on its arm and on the other; nothing is counted where time runs out."""
    hits, drawn = [0, 0], 0
    blocks = draw_batch(
        target,
        (state.data, state.neighbor),
        size,
        BatchPlace(seed, Purpose.CONFIRM, pair=state.index),
        single=state.single,
        small_blocks=True,
        deadline=time.monotonic() + seconds,
    )
    try:
        for outputs in blocks:
            encoded = [state.encoder.encode(arm) for arm in outputs]
            for arm in (0, 1):
                hits[arm] += int(event.holds(encoded[arm]).sum())
            drawn += len(encoded[0])
    except OutOfTime:
        return (0, 0), 0
    except BatchFailed:
        if state.single:
            raise
        state.single = True
        return _count_fresh(target, state, event, size, seed, seconds)
    return (hits[event.arm], hits[1 - event.arm]), drawn


def _estimates(state: PairState, event: Event) -> tuple[float, float]:
    """Probabilities of the event on its arm and on the other, as the past has them."""
    shares = []
    for arm in (event.arm, 1 - event.arm):
        kept = state.past[arm]
        past = Outcomes.concatenate(kept)[slice(MOST_READ)] if kept else None
        hits, draws = (0, 0) if past is None else (int(event.holds(past).sum()), len(past))
        shares.append((hits + 0.5) / (draws + 1))
    return shares[0], shares[1]
