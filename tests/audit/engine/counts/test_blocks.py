"""Blocks, tallies and their merger, each against a plain twin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.draws.blocks import (
    FIRST_BLOCK,
    LARGEST_BLOCK,
    LARGEST_BLOCK_VALUES,
    LATER_FIRST_BLOCK,
    Block,
    blocks_of,
    draw_batch,
)
from audit.draws.encode import Encoder, Outcomes
from audit.draws.output_words import form, is_container, outcome
from audit.engine.counts.batch import Arm, merge
from audit.engine.counts.block import WORTH_REFINING, Task, count_block, tallies, tally
from audit.engine.counts.source import CountSource
from audit.engine.homogeneity import watches_of
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.table_refinement import refined
from tests.audit.engine.counts.cases import LATER, assert_same, batch_of, later, merged, mixed
from tests.audit.engine.samplers import laplace, target


@given(
    st.lists(st.integers(0, 3_000_000), min_size=1, max_size=2),
    st.sampled_from([FIRST_BLOCK, LATER_FIRST_BLOCK]),
    st.integers(1, 300),
)
def test_blocks_cover_a_batch_once(sizes: list[int], first: int, columns: int) -> None:
    """It must hold that blocks follow each other, fill the batch, and stay small enough."""
    blocks = blocks_of(tuple(sizes), first=first, columns=columns)
    assert [b.index for b in blocks] == list(range(len(blocks)))
    for arm, size in enumerate(sizes):
        own = [b.sizes[arm] for b in blocks]
        assert [b.starts[arm] for b in blocks] == [sum(own[:i]) for i in range(len(own))]
        assert sum(own) == size
    assert all(1 <= max(b.sizes) <= LARGEST_BLOCK for b in blocks)
    assert all(max(b.sizes) * columns <= LARGEST_BLOCK_VALUES for b in blocks)


class Parts:
    """Cells are the numbers themselves."""

    size, ordered, feature, supervised, reads = 5, 5, "value", False, None

    def codes(self, outcomes: Outcomes) -> Any:
        """Read the cell off the number."""
        return outcomes.numbers[:, 0].astype(np.intp)

    def describe(self, cells: Any) -> tuple[str, str]:
        """Name the cells."""
        return str(cells), ""


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(0, 30), st.integers(0, 80))
def test_a_tally_counts_by_side_parity_and_cell(values: list[int], start: int, look: int) -> None:
    """It must hold that each draw counts once: in its cell, by its number in the batch."""
    expected = np.zeros((2, 2, 5), dtype=int)
    for i, value in enumerate(values, start):
        expected[int(i >= look), i % 2, value] += 1
    column = np.array(values, dtype=float)[:, None]
    found = tally(Parts(), Outcomes(column, np.zeros(column.shape, np.int32)), start, look)
    np.testing.assert_array_equal(found, expected)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 3]), st.integers(1, 3))
def test_tables_of_one_column_are_counted_together(seed: int, digits: int, tables: int) -> None:
    """It must hold that counts by a common refinement are those of each table by itself."""
    rng = np.random.default_rng(seed)
    encoder = Encoder()

    def draws(size: int) -> Outcomes:
        values = np.round(rng.laplace(size=size), 4 * digits)
        odd = rng.random(size) < 0.1
        words = rng.choice(np.array(["a", "b", "c", "d", "e"]), size=size)
        return encoder.encode(
            [str(w) if o else v for v, o, w in zip(values, odd, words, strict=True)]
        )

    fitted = [ColumnTable.fit(encoder, draws(int(rng.integers(2, 60))), 0) for _ in range(tables)]
    fresh = draws(200)
    edges = np.concatenate([table.breaks for table in fitted])
    fresh.numbers[: edges.size, 0] = edges[:200]
    fresh.categories[: edges.size, 0] = 0
    common, cells = refined(fitted)
    found = common.codes(fresh)
    assert found.max() < common.size
    for table, cell in zip(fitted, cells, strict=True):
        np.testing.assert_array_equal(cell[found], table.codes(fresh))
        assert cell.size == common.size


def test_large_blocks_are_counted_as_small_ones() -> None:
    """It must hold that counting tables together gives the counts of each."""
    task = later(target(mixed))
    encoder, (table, *rest) = task.encoder, task.partitions
    assert encoder is not None
    after = encoder.copy()
    outcomes = after.encode(mixed(0.5, 2 * WORTH_REFINING, np.random.default_rng(2)))
    other = ColumnTable.fit(after, outcomes[slice(None, 300)], 0)
    assert isinstance(table, ColumnTable)
    for together in ((table, other, *rest), (*rest, other, table, other)):
        found = tallies(together, outcomes, 3, 5_000)
        for partition, counts in zip(together, found, strict=True):
            np.testing.assert_array_equal(counts, tally(partition, outcomes, 3, 5_000))


def test_a_batch_is_counted_as_one_list_of_draws_would_be() -> None:
    """It must hold that looks and halves of a batch in blocks are those of the draws in a row."""
    task = later(target(mixed))
    batch = batch_of(CountSource(), task)
    assert batch.looks == (10_000, 20_001)
    assert batch.arms is not None
    for place, partition in enumerate(task.partitions):
        for arm in (0, 1):
            cells = partition.codes(batch.arms[arm])
            for draws in batch.looks:
                counts = np.bincount(cells[:draws], minlength=partition.size)
                np.testing.assert_array_equal(batch.counts(draws)[place][arm], counts)
            for half in (0, 1):
                counts = np.bincount(cells[half::2], minlength=partition.size)
                np.testing.assert_array_equal(batch.by_half()[place][half, arm], counts)


def test_draws_keep_their_outcome_on_the_way() -> None:
    """It must hold that numbers and labels of a merged batch are those of the raw outputs."""
    task = later(target(mixed), 5_000)
    batch = batch_of(CountSource(), task)
    assert batch.arms is not None
    assert len(batch.encoder.labels) > len(task.encoder.labels)  # type: ignore[union-attr]
    drawn = list(draw_batch(task.target, task.sides, 5_000, task.place))
    for side, arm in enumerate(batch.arms):
        raw = [z for block in drawn for z in block[side]]
        codes = arm.categories[:, 0].tolist()
        labels = [batch.encoder.label(code) if code else "" for code in codes]
        assert labels == [outcome(z) for z in raw]
        numbers = [z if label == "" else np.nan for z, label in zip(raw, labels, strict=True)]
        np.testing.assert_array_equal(arm.numbers[:, 0], numbers)


def test_a_target_may_reuse_its_array() -> None:
    """It must hold that draws are kept as they were when they were returned."""
    buffer = np.empty(20_000)

    def reusing(data: float, size: int, rng: np.random.Generator) -> Any:
        buffer[:size] = laplace()(data, size, rng)
        return buffer[:size]

    batches = (
        batch_of(CountSource(), later(target(d), draw=laplace())) for d in (reusing, laplace())
    )
    assert_same(*batches)


@pytest.mark.long
def test_the_order_in_which_blocks_come_changes_nothing() -> None:
    """It must hold that a batch is merged by the numbers of its blocks, not by their arrival."""
    task = later(target(mixed))
    watches = watches_of(*_drawn(task))
    task = replace(task, watches=tuple(watches))
    orders: dict[str, list[Arm]] = {"ascending": [], "descending": []}
    for order, arms in orders.items():
        arms += [Arm(), Arm()]
        blocks = task.blocks()
        for block in blocks if order == "ascending" else blocks[::-1]:
            for arm, found in zip(arms, count_block(task, block), strict=True):
                arm.add(block.index, found)
    ascending, descending = (merged(arms, task) for arms in orders.values())
    for one, other in zip(ascending.watched, descending.watched, strict=True):
        for stretches, others in zip(one, other, strict=True):
            np.testing.assert_array_equal(stretches.counts, others.counts)
            np.testing.assert_array_equal(stretches.turn, others.turn)
    assert_same(ascending, descending)


def _drawn(task: Task) -> tuple[Encoder, tuple[Outcomes, Outcomes]]:
    """Encoder and draws of a batch."""
    batch = batch_of(CountSource(), task)
    assert batch.arms is not None
    return batch.encoder, batch.arms


LAYOUTS = {
    "single values": [1.0, None, 2.5, ValueError(), "text", 3],
    "vectors": [[1.0, 2.0], (3.0,), [], ValueError(), [1.0, None, 2.0], 4.0],
    "vectors of one length": [[1.0, 2.0], [3.0, 4.0]],
    "late vectors": [1.0, 2.0, ValueError(), 3.0, "text", [1.0, 2.0, 3.0]],
}


@pytest.mark.parametrize("outputs", LAYOUTS.values())
@pytest.mark.parametrize("cut", [1, 2, 4])
def test_the_first_batch_has_one_layout(outputs: list[Any], cut: int) -> None:
    """It must hold that blocks with layouts of their own merge to the layout of all outputs."""
    left = [iter(outputs), iter(outputs[::-1])]
    task = Task(
        target(lambda data, size, rng: [next(left[int(data)]) for _ in range(size)]),
        (0, 1), LATER, (len(outputs), len(outputs)), False, None, (), True,
    )  # fmt: skip
    arms = [Arm(), Arm()]
    for index, (start, end) in enumerate([(0, min(cut, len(outputs))), (cut, len(outputs))]):
        block = Block(index, (start, start), (end - start, end - start))
        if start < end:
            for arm, found in zip(arms, count_block(task, block), strict=True):
                arm.add(index, found)
    batch = merge(arms, len(outputs), None, [])
    whole = Encoder()
    whole.fix_layout([outputs])
    assert batch.encoder.width == whole.width
    assert batch.arms is not None
    expected = whole.encode(outputs)
    got = batch.arms[0]
    np.testing.assert_array_equal(got.numbers, expected.numbers)
    for row in range(len(outputs)):
        words = [batch.encoder.label(int(c)) if c else "" for c in got.categories[row]]
        wanted = [whole.label(int(c)) if c else "" for c in expected.categories[row]]
        assert words == wanted
        assert words[-1] == (form(outputs[row]) if whole.width else outcome(outputs[row]))
    assert whole.width is None or any(map(is_container, outputs))
