"""State of a running audit: its pairs and what was drawn from them, the wealth, the budget."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.containment import ApartDraw
from audit.draws.run_log import RunLog
from audit.draws.settings import Settings
from audit.draws.streams import Purpose
from audit.engine.allocation import FIRST_DRAWS, FIRST_DRAWS_OF_PROGRAM, Allocation
from audit.engine.cost import Size
from audit.engine.counts.batch import Arm, as_values, from_values
from audit.engine.counts.block import Task
from audit.engine.counts.source import CountSource
from audit.engine.detectable_power import draws_needed
from audit.engine.experts import Grid, ratio_accounts, shares
from audit.engine.joining_pairs import Search
from audit.engine.night_wealth import Carried
from audit.engine.pair_state import PairState
from audit.engine.shown_witness import Shown
from audit.engine.wealth import Wealth
from audit.levels import grid_of
from audit.levels.nesting import Axis, blocks, lower_limit, stronger
from audit.pairs.worst_cases import Pair
from audit.targets.external_draw import CommandDraw
from audit.targets.tables.draw import TableDraw
from audit.targets.target import Calls, Target
from mechanisms.claims import PersonalizedDP, PrivacyClaim

__all__ = ["Run", "unseen"]

Answer = TypeVar("Answer")

LARGEST_EXPONENT = 700.0
"""Of e, in a double."""


@final
@dataclass(slots=True)
class Run:
    """State of one audit: wealth over the grid, pairs, budget.

    With `carried` it is one of many nights; `idle` is then what the night is worth besides.

    Attributes
    ----------
    purpose, first_pair
        Of its streams: what they are for, and the number of the first pair.
    first : int
        Draws of each arm that a pair learns from before it is bet on.
    checked : int
        Draws that were made before the first batch, to see whether draws of one call depend on
        each other.
    sized_by_time : bool
        Whether the clock had a say in what is drawn.
    seconds_per_draw : float or None
        What one of the first draws costs, where it was measured to choose their number.
    demanded : float
        Times 1/alpha that the wealth against the claim must reach.
    shown : Shown or None
        The witness of a run that goes on because fresh draws did not confirm it.
    log : RunLog
        Through which all comes that is drawn, or that the clock decides.
    until : float or None
        Its deadline on the clock of `time.monotonic`, where that is not the end of its time budget.
    stronger : ndarray of bool, shape (G,)
        Points of the grid that imply the claim, and the claim itself.
    """

    target: Target
    claim: PrivacyClaim
    settings: Settings
    grid: Grid
    pairs: list[PairState]
    progress: Callable[[int, float], None] | None
    level: float
    spent: int = 0
    purpose: Purpose = Purpose.RUN
    first_pair: int = 0
    first: int = FIRST_DRAWS
    checked: int = 0
    sized_by_time: bool = False
    seconds_per_draw: float | None = None
    notes: tuple[str, ...] = ()
    samples: int = 0
    opaque: str | None = None
    failure: str = ""
    source: CountSource = field(default_factory=CountSource)
    log: RunLog = field(default_factory=RunLog)
    until: float | None = None
    search: Search = field(default_factory=Search)
    carried: Carried | None = None
    idle: float = 0.0
    cut: bool = False
    demanded: float = 1.0
    shown: Shown | None = None
    stronger: NDArray[np.bool_] = field(init=False)
    wealth: Wealth = field(init=False)
    allocation: Allocation = field(init=False)

    @classmethod
    def start(
        cls,
        target: Target,
        claim: PrivacyClaim,
        pairs: Sequence[Pair],
        settings: Settings,
        grid: Grid,
        progress: Callable[[int, float], None] | None,
        share: float,
        *,
        carried: Carried | None = None,
        idle: float = 0.0,
    ) -> Run:
        """Begin with nothing drawn, at a share of the false-alarm rate."""
        states = [unseen(index, pair, settings, len(pairs)) for index, pair in enumerate(pairs)]
        level = share * settings.false_alarm
        told: dict[str, Any] = {"carried": carried, "idle": idle}
        return cls(target, claim, settings, grid, states, progress, level, **told)

    def __post_init__(self) -> None:
        self.stronger = stronger(self.grid.axes, self.grid.claimed, self.grid.said)
        self._share()

    def _share(self) -> None:
        """Give the pairs their shares of the wealth and of the draws."""
        levels = np.concatenate(
            [np.full(axis.values.size, axis.share * self.level) for axis in self.grid.axes]
        )
        if self.carried is not None:
            levels = self.carried.levels(levels / self.share, self.share, self.idle)
        learned = ratio_accounts(self.grid)
        self.wealth = Wealth(shares(self.grid), len(self.pairs), levels, learned)
        if self.carried is not None and self.carried.rejected:
            before = np.array(self.carried.rejected)
            if before[self.grid.claimed]:  # it is looked for again, for a witness
                self.wealth.levels[self.grid.claimed] = 1.0
                before[self.grid.claimed] = False
            self.wealth.highest[before] = np.inf
        self.allocation = Allocation.of(
            len(self.pairs), self._needed(), self.settings.budget_samples // 2
        )
        if self.target.calls is Calls.START:
            self.allocation.worth_a_start = FIRST_DRAWS_OF_PROGRAM

    def _needed(self) -> float:
        """Draws of each arm of every pair with which a run of several pairs can be CONSISTENT."""
        if len(self.pairs) == 1:
            return 0.0
        settings, most = self.settings, self.settings.budget_samples // (4 * len(self.pairs))
        learned = min(settings.first_draws or 0, most)
        return max(
            draws_needed(
                grid, false_alarm=self.level, resolution=settings.resolution, learned=learned
            )
            for grid in self.grids().values()
        )

    def ask(
        self,
        question: str,
        answer: Callable[[], Answer],
        *,
        to: Callable[[Answer], Any] | None = None,
        back: Callable[[Any], Answer] | None = None,
        lasting: bool = False,
    ) -> Answer:
        """What comes from outside, in all sessions the same; see `RunLog.ask`.

        That time was up is an answer where the run goes on from it (a search for a smaller pair),
        and where a batch that was cut could not be drawn again as it was.
        """
        final = lasting or self.until is not None or not self.target.seedable
        said = heard_of(self.target)
        return self.log.ask(question, answer, to=to, back=back, lasting=final, heard=said)

    def count(
        self, task: Task, deadline: float | None = None, *, lasting: bool = False
    ) -> tuple[list[Arm], bool]:
        """Draw and count a batch until the deadline of the run, or another; see `CountSource`."""
        place, end = task.place, self.deadline if deadline is None else deadline
        return self.ask(
            f"{place.purpose.name} {place.pair} {place.batch} {task.sizes} {task.single}",
            lambda: self.source.count(task, end),
            to=as_values,
            back=lambda values: from_values(values, task),
            lasting=lasting,
        )

    def seconds(self, stopped_by: str) -> float:
        """What the run has taken in all sessions; of one that has ended it is kept."""

        def taken() -> float:
            return time.monotonic() - self.log.started

        return taken() if self.goes_on(stopped_by) else self.log.ask("seconds", taken, back=float)

    def goes_on(self, stopped_by: str) -> bool:
        """Whether a session that has more time goes on with a run that was stopped."""
        return self.log.path is not None and stopped_by == "seconds" and not self.log.ended

    def take(self, size: Size) -> None:
        """Begin with so many first draws, and so many of the pairs: nothing was drawn yet."""
        self.first, self.sized_by_time = size.first, size.by_time
        if size.by_time:
            note = (
                f"draws are slow: the time cap paid for {size.first} first draws of each data set "
                f"of {size.pairs} of the {len(self.pairs)} pairs, so another machine may draw "
                "otherwise, and calls of one draw were not compared with calls of many; more "
                "--budget-seconds pay for more"
            )
            self.notes += (note,)
        if size.pairs < len(self.pairs):
            self.pairs = self.pairs[: size.pairs]
            for state in self.pairs:
                state.pairs = size.pairs
            self._share()

    @property
    def deadline(self) -> float:
        """End of the time budget, on the clock of `time.monotonic`."""
        if self.until is not None:
            return self.until
        return self.log.started + self.settings.budget_seconds

    @property
    def share(self) -> float:
        """Share of the false-alarm rate that the run has."""
        return self.level / self.settings.false_alarm

    @property
    def refuted(self) -> bool:
        """Whether the wealth against the claim has reached what is demanded of it.

        So must that against all that implies the claim, or a limit could lie below it: the wealths
        of two points come from different bets, and nothing else orders them. The verdict and the
        limits are then wrong together (ENG-T4).
        """
        rejected = self.wealth.rejected()
        return bool(rejected[self.stronger].all()) and self.evidence >= self.demanded

    @property
    def evidence(self) -> float:
        """Largest wealth against the claim so far, over the 1/alpha that refutes it."""
        claimed = self.grid.claimed
        return math.exp(
            min(
                self.wealth.highest[claimed] + math.log(self.wealth.levels[claimed]),
                LARGEST_EXPONENT,
            )
        )

    @property
    def rests_on_ratios(self) -> bool:
        """Whether the wealth of all experts but the bets on learned ratios would not refute."""
        return self.wealth.rests_on_learned(self.grid.claimed)

    @property
    def ended(self) -> str | None:
        """What has ended the run before its budget: "refuted", "failure", or nothing yet."""
        if self.failure:
            return "failure"
        return "refuted" if self.refuted else None

    def lower_limits(self) -> list[tuple[Axis, float]]:
        """Lower confidence limit on each axis of the grid (ENG-T4)."""
        rejected = self.wealth.rejected()
        return [
            (axis, lower_limit(axis.values, rejected[points]))
            for axis, points in blocks(self.grid.axes)
        ]

    def grids(self) -> dict[int | None, Grid]:
        """The grids that the pairs are about: of a personalized claim one for each budget.

        The key is a user with this budget; None where the claim is the same for all.
        """
        if not isinstance(self.claim.level, PersonalizedDP):
            return {None: self.grid}
        budgets = self.claim.level.budgets
        first = {budgets[s.user]: s.user for s in self.given[::-1] if s.user is not None}
        return {user: grid_of(self.claim, user=user) for user in first.values()}

    def grid_for(self, state: PairState) -> Grid:
        """The nested claims about a pair: of a personalized claim those of its user."""
        if isinstance(self.claim.level, PersonalizedDP):
            return grid_of(self.claim, user=state.user)
        return self.grid

    @property
    def given(self) -> Sequence[PairState]:
        """The pairs that the run began with."""
        return self.pairs[: self.wealth.pairs]

    @property
    def learned(self) -> int:
        """Draws of each arm that only taught, of the given pair that had most; 0 before them."""
        return max((state.ends[0] for state in self.given if state.ends), default=0)

    @property
    def left(self) -> int:
        """Draws of each arm that the budget is still enough for."""
        used = self.spent + self.checked + self.samples
        return (self.settings.budget_samples - used) // 2


def unseen(index: int, pair: Pair, settings: Settings, pairs: int) -> PairState:
    """State of a pair that nothing was drawn from."""
    return PairState(
        index,
        pair.label,
        pair.data,
        pair.neighbor,
        settings.ideal,
        pair.generated,
        pairs,
        user=pair.user,
    )


def heard_of(target: Target) -> MutableMapping[str, Any]:
    """What the report will say of the target's failures: how its process ended, its last words."""
    draw = target.draw.draw if isinstance(target.draw, TableDraw) else target.draw
    if isinstance(draw, CommandDraw):
        return draw.said
    if isinstance(draw, ApartDraw) and draw.supervisor is not None:
        return draw.supervisor.ended
    return {}
