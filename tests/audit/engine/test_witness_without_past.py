"""A witness where the past does not show what a later test found."""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.draws.streams import BatchPlace, Purpose
from audit.engine.counts.batch import merge
from audit.engine.counts.block import Task
from audit.engine.counts.source import CountSource
from audit.engine.pair_state import PairState
from audit.engine.witness.event import witness_event
from audit.levels import grid_of
from tests.audit.engine.samplers import claim, target


def test_an_event_is_chosen_though_no_z_of_the_past_is_positive() -> None:
    """It must hold that there is a witness where training had seen nothing above 0."""

    def coin(data: float, size: int, rng: np.random.Generator) -> Any:
        return rng.integers(2, size=size)

    state = PairState(0, "one law", 0.0, 0.0, ideal=True)
    place = BatchPlace(1, Purpose.RUN)
    task = Task(target(coin), (0.0, 0.0), place, (400, 400), False, None, (), keep=True)
    arms, _ = CountSource().count(task)
    state.learn(merge(arms, 400, None, []), grid_of(claim(1)))
    assert state.bets is not None
    assert state.bets.suspicion < 0
    event = witness_event(state, state.bets.line)
    assert event.sentence.startswith("output")
