"""From a won bet to a witness that a person can read and run again."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import z_score
from audit.engine.boxes import find_box
from audit.engine.candidates import Order
from audit.engine.draws import BatchFailed, OutOfTime, draw_batch
from audit.engine.encode import Outcomes
from audit.engine.events import is_sequence
from audit.engine.pair_state import PairState
from audit.engine.partitions import Partition
from audit.engine.partitions.lattice import FEATURE
from audit.targets import Target
from audit.verdict import Witness

__all__ = ["find_witness", "literal"]

MOST_FRESH_DRAWS, FEWEST_FRESH_DRAWS = 20_000, 1_000
LEAST_SHARE_OF_Z = 0.6
SNIPPET = '''\
# counts the event again on fresh draws; run it in the folder of the audit
import numpy as np

from audit.engine.draws import fresh_outputs
from audit.engine.events import form, lattice_class, lowest_bit, number, outcome
from audit.targets import load_target

target = load_target({target!r}, parameters={parameters!r})
data = {data}
neighbor = {neighbor}


def event(z):
    """{event}"""
    return {expression}


draws = {draws}
hits = sum(map(event, fresh_outputs(target, data, draws, seed={seed}, arm=0)))
neighbor_hits = sum(map(event, fresh_outputs(target, neighbor, draws, seed={seed}, arm=1)))
print(f"data: {{hits}} of {{draws}}; neighbor: {{neighbor_hits}} of {{draws}}")
'''


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
    assert state.bet is not None
    line = (math.exp(claim[0]), claim[1])
    order, cells = _readable_event(state, line)
    partition, direction = state.partitions[order.partition], order.direction
    chosen = _filled(cells, state.used_cells(order.partition), partition)
    sentence, expression = partition.describe(chosen)
    feature = partition.feature

    def inside(outcomes: Outcomes) -> NDArray[np.bool_]:
        return chosen[partition.codes(outcomes)]

    if partition.feature == "score":
        arms = [Outcomes.concatenate(memory) for memory in state.past]
        box = find_box(state.encoder, arms[direction], arms[1 - direction], line)
        if box is not None and box.z > LEAST_SHARE_OF_Z * state.bet.claimed_z:
            (sentence, expression), feature, inside = box.describe(), "value", box.contains
    size = min(MOST_FRESH_DRAWS, max(FEWEST_FRESH_DRAWS, state.draws))
    counts, size = _count_fresh(target, state, inside, size, seed, time.monotonic() + seconds)
    hits, other_hits = counts[direction], counts[1 - direction]
    snippet = SNIPPET.format(
        target=target.name,
        parameters=dict(target.parameters),
        data=literal(state.data),
        neighbor=literal(state.neighbor),
        event=sentence,
        expression=expression,
        draws=size,
        seed=seed,
    )
    witness = Witness(
        pair=state.label,
        data=state.data,
        neighbor=state.neighbor,
        event=sentence,
        expression=expression,
        feature=feature,
        likelier=("data", "neighbor")[direction],
        hits=hits,
        other_hits=other_hits,
        draws=size,
        epsilon_lower=_clopper_pearson(hits, other_hits, size, claim[1], false_alarm),
        rerun=snippet,
    )
    return witness, 2 * size


def _readable_event(state: PairState, line: tuple[float, float]) -> tuple[Order, NDArray[np.intp]]:
    """The simplest event (fewest pieces) among those whose z comes close to the best."""
    assert state.bet is not None
    candidates = state.bet.candidates
    z = z_score(candidates.p, candidates.q, candidates.n, *map(np.array, line))[:, 0]
    close = np.flatnonzero(z >= LEAST_SHARE_OF_Z * z.max())

    def difficulty(event: int) -> tuple[bool, int, bool, float]:
        order, cells = candidates.locate(event)
        partition = state.partitions[order.partition]
        numbers = np.searchsorted(
            state.used_cells(order.partition), np.sort(cells[cells < partition.ordered])
        )
        pieces = cells.size - numbers.size + int((np.diff(numbers) > 1).sum()) + (numbers.size > 0)
        return partition.feature == FEATURE, pieces, numbers.size > 0, -float(z[event])

    return candidates.locate(min(map(int, close), key=difficulty))


def _filled(
    cells: NDArray[np.intp], used: NDArray[np.intp], partition: Partition
) -> NDArray[np.bool_]:
    """The event as a mask; ordered cells that no draw has met go with the next one that was."""
    chosen = np.zeros(partition.size, dtype=bool)
    chosen[cells] = True
    line = used[used < partition.ordered]
    if line.size:
        all_cells = np.arange(partition.ordered)
        nearest = line[np.minimum(np.searchsorted(line, all_cells), line.size - 1)]
        chosen[: partition.ordered] = chosen[nearest]
    return chosen


def _count_fresh(
    target: Target,
    state: PairState,
    inside: Any,
    size: int,
    seed: int,
    deadline: float,
) -> tuple[tuple[int, int], int]:
    """Count the event on both arms; equal numbers of draws, fewer when a batch is cut short."""
    hits, drawn = [0, 0], 0
    batch = state.batches
    blocks = [
        draw_batch(
            target,
            data,
            size,
            (seed, state.index, arm, batch),
            single=state.single[arm],
            deadline=deadline,
        )
        for arm, data in enumerate((state.data, state.neighbor))
    ]
    try:
        for both in zip(*blocks, strict=True):
            encoded = [state.encoder.encode(outputs) for outputs in both]
            for arm in (0, 1):
                hits[arm] += int(inside(encoded[arm]).sum())
            drawn += len(encoded[0])
    except (BatchFailed, OutOfTime):
        pass
    return (hits[0], hits[1]), drawn


def _clopper_pearson(
    hits: int, other_hits: int, draws: int, delta: float, false_alarm: float
) -> float:
    """Lower limit on epsilon from two Clopper-Pearson limits at half the error each."""
    from scipy.stats import beta

    if hits == 0 or draws == 0:
        return 0.0
    p_lower = float(beta.ppf(false_alarm / 2, hits, draws - hits + 1))
    q_upper = 1.0
    if other_hits < draws:
        q_upper = float(beta.ppf(1 - false_alarm / 2, other_hits + 1, draws - other_hits))
    return max(0.0, math.log((p_lower - delta) / q_upper)) if p_lower > delta else 0.0


def literal(data: Any) -> str:
    """Write a data set as Python; runs of equal records are folded."""
    if isinstance(data, np.ndarray) and data.ndim == 1 and data.dtype.kind in "fiu":
        return _array_literal(data)
    if isinstance(data, np.ndarray):
        return f"np.array({_plain(data.tolist())})"
    if is_sequence(data) and data and all(type(x) is float for x in data):
        folded = _array_literal(np.array(data))
        return f"{folded}.tolist()" if isinstance(data, list) else f"tuple({folded}.tolist())"
    return _plain(data)


def _array_literal(data: NDArray[Any]) -> str:
    if data.size == 0:
        return "np.array([], dtype=float)"
    same = (data[1:] == data[:-1]) | (np.isnan(data[1:]) & np.isnan(data[:-1]))
    starts = np.flatnonzero(np.append(True, ~same))
    lengths = np.diff(np.append(starts, data.size))
    values = _plain([float(x) for x in data[starts]])
    if (lengths == 1).all():
        return f"np.array({values})"
    return f"np.repeat({values}, {lengths.tolist()})"


def _plain(value: Any) -> str:
    """Python source of plain values, with NaN and infinities spelled for numpy."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"nan": "np.nan", "inf": "np.inf", "-inf": "-np.inf"}[repr(value)]
    if type(value) is list:
        return "[" + ", ".join(map(_plain, value)) + "]"
    if type(value) is tuple:
        return "(" + "".join(_plain(x) + ", " for x in value) + ")"
    if type(value) is dict:
        return "{" + ", ".join(f"{k!r}: {_plain(v)}" for k, v in value.items()) + "}"
    return repr(value)
