"""Draws the blocks of a batch, here or in workers, and hands over all of them or none."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from audit.draws.blocks import BatchFailed, Block, OutOfTime
from audit.engine.counts.batch import Arm
from audit.engine.counts.block import Tally, Task, count_block, count_blocks
from audit.engine.counts.workers import BlockFailure, WorkerDied, Workers, packed, reraise
from mechanisms.errors import InvalidArgument

__all__ = ["CountSource"]

PAYS_FROM = 1.0
"""Seconds of drawing from which on workers are started: that takes about as long."""

WORTH_ASKING = 0.05
"""Seconds of drawing from which on workers that may be started are asked."""

RESTARTS = 3
"""How often the workers of one batch are replaced."""

BLOCKS_A_WORKER = 2
"""Blocks under way for each worker: one that it draws, and one that waits for it."""


@final
@dataclass(slots=True)
class CountSource:
    """Where samples are drawn.

    Parameters
    ----------
    workers : Workers or None
        Other processes; None for this one only.
    pays_from : float
        Workers are started for what would take this process as many seconds, or once it has drawn
        for as many.

    Attributes
    ----------
    seconds_a_draw : float
        Of the last block that was drawn here. It decides where a block is drawn, which changes
        nothing of what is drawn.
    seconds_here : float
        Of all blocks that were.
    """

    workers: Workers | None = None
    pays_from: float = PAYS_FROM
    seconds_a_draw: float = 0.0
    seconds_here: float = 0.0

    def count(
        self, task: Task, deadline: float = math.inf, *, blocks: Sequence[Block] | None = None
    ) -> tuple[list[Arm], bool]:
        """Draw all blocks of a batch, or some of them.

        Parameters
        ----------
        task : Task
            The batch.
        deadline : float
            On the clock of `time.monotonic`.
        blocks : sequence of Block or None
            Which of the task's blocks; None for all.

        Returns
        -------
        list of Arm
            With every block; of a pair's first batch, if the deadline passes within it, with those
            that were drawn before.
        bool
            Whether the deadline passed.

        Raises
        ------
        BatchFailed, OutOfTime
            As `draw_block` does; nothing of the batch is left then.
        WorkerDied
            Where workers end again and again.
        """
        arms = [Arm() for _ in task.sides]
        queue = deque(task.blocks() if blocks is None else blocks)
        if self.workers is None and task.encoder is not None and not task.single:
            for block, tally in zip(
                queue, count_blocks(task, queue, deadline=deadline), strict=True
            ):
                _book(arms, block, tally)
            return arms, False
        left = sum(block.draws for block in queue)
        while queue:
            if self.workers is not None and self._pays(self.seconds_a_draw * left):
                self._ask(self.workers, task, queue, arms, deadline)
                break
            block = queue.popleft()
            started = time.monotonic()
            try:
                _book(arms, block, count_block(task, block, deadline=deadline))
            except OutOfTime:
                if task.encoder is None and block.index:
                    return arms, True  # nothing has been bet on this pair
                raise
            seconds = time.monotonic() - started
            self.seconds_a_draw = seconds / block.draws
            self.seconds_here += seconds
            left -= block.draws
        return arms, False

    def _pays(self, seconds: float) -> bool:
        """Whether to ask the workers for what would take so long here."""
        wanted = self.seconds_here >= self.pays_from and seconds >= WORTH_ASKING
        return wanted or seconds >= self.pays_from

    def close(self) -> None:
        """End the workers, whatever they do."""
        if self.workers is not None:
            self.workers.close()

    def _ask(
        self,
        workers: Workers,
        task: Task,
        queue: deque[Block],
        arms: Sequence[Arm],
        deadline: float,
    ) -> None:
        """Let the workers draw what is left.

        A block whose worker died is drawn again: its stream is fixed, so its draws do not depend
        on how often it was begun. Draws of a target that goes by no seed would; a batch that lost
        a worker's would then consist of such as let their worker live.
        """
        payload, seedable = packed(task), task.target.seedable
        if workers.draws_again and not seedable:
            msg = (
                f"{task.target.name} does not take its randomness from us, and this cluster "
                "may draw a block twice; leave out --backend dask"
            )
            raise InvalidArgument(msg)
        for restarts in range(RESTARTS + 1):
            under_way: dict[Any, Block] = {}
            try:
                while queue or under_way:
                    while queue and len(under_way) < BLOCKS_A_WORKER * workers.size:
                        left = deadline - time.monotonic()
                        job = workers.submit(payload, queue[0], left)
                        under_way[job] = queue.popleft()  # only now that it has been taken
                    self._collect(workers, under_way, arms, deadline)
                return
            except WorkerDied as exc:
                if restarts == RESTARTS or not seedable:
                    raise WorkerDied(_died(task.target.name, restarts + 1)) from exc
                queue.extendleft(under_way.values())
                workers.restart()
            except BatchFailed:
                workers.forget(list(under_way))
                raise
            except BaseException:
                workers.close()  # what is still being drawn may take long, and is of no use
                raise

    @staticmethod
    def _collect(
        workers: Workers,
        under_way: dict[Any, Block],
        arms: Sequence[Arm],
        deadline: float,
    ) -> None:
        """Book the blocks that have ended; the first failure ends the batch."""
        done = workers.wait(list(under_way), deadline - time.monotonic())
        if not done:
            raise OutOfTime
        for job in done:
            reply = workers.reply(job)
            block = under_way.pop(job)
            if isinstance(reply, BlockFailure):
                raise reraise(reply)
            _book(arms, block, reply)


def _book(arms: Sequence[Arm], block: Block, tallies: Sequence[Tally]) -> None:
    for arm, tally in zip(arms, tallies, strict=True):
        arm.add(block.index, tally)


def _died(name: str, times: int) -> str:
    return (
        f"the process that draws from {name} ended {times} time{'s' if times > 1 else ''} in one "
        "batch, without an answer (it may exit by itself, crash, or use too much memory)"
    )
