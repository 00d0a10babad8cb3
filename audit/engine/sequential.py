"""The sequential audit: one wealth over all pairs, directions and events (ENGINE T3, T4, T6).

T6. The claim is about every pair, so one wealth may bet on any pair; which one is chosen by the
past. Each batch draws fresh samples for both arms. Looks within a batch are compared with 1/alpha
and not multiplied in (ENGINE T3): only a whole batch changes the wealth.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.engine.betting import mixture
from audit.engine.draws import OutOfTime, draw_batch
from audit.engine.encode import Outcomes
from audit.engine.independence import find_dependence
from audit.engine.lines import Grid, grid_of, supporting_line
from audit.engine.neighbors import Pair
from audit.engine.pair_state import Batch, PairState
from audit.engine.power import detectable
from audit.engine.witness import find_witness
from audit.targets import Target
from audit.verdict import AuditResult, Detectable, Verdict, Witness
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_integer

__all__ = ["Settings", "audit"]

FIRST_DRAWS = 400
FEWEST_FIRST_DRAWS = 50
SMALLEST_BATCH = 50
GROWTH = {"few pairs": 1.25, "many pairs": 1.5}
FEW_PAIRS = 4
EXPLORED_SHARE = 2 / 3
HALVES = np.log([0.5, 0.5])
NUMERICAL_SLACK = 1e-6
WITNESS_SHARE_OF_TIME = 0.2

IDEAL_NOTE = (
    "floating point was left out: noise in double precision may leak where the reals do not"
)
FLOAT_NOTE = (
    "of floating point, the lowest bit and (sign, binade, trailing zeros) of each number were "
    "tried; a leak within one binade, or one that a division hides, shows in neither"
)


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How to run an audit.

    Parameters
    ----------
    seed : int
        At least 0; the run is repeated by it and by `budget_samples`.
    false_alarm : float
        Probability of REFUTED although the claim holds, in (0, 1).
    budget_samples : int
        Draws of all arms and pairs together.
    budget_seconds : float
        Wall time; a batch that the deadline cuts is not used.
    ideal : bool
        Leave the floating-point lattices out.
    resolution : float or None
        Largest distance of the detectable epsilon (mass 0.1) from the claim that still counts as
        CONSISTENT; None for max(0.5, claim / 2).
    """

    seed: int
    false_alarm: float = 0.05
    budget_samples: int = 2_000_000
    budget_seconds: float = 50.0
    ideal: bool = False
    resolution: float | None = None

    def __post_init__(self) -> None:
        """Check the settings."""
        check_integer(self.seed, "seed", at_least=0)
        check_integer(self.budget_samples, "budget_samples", at_least=1)
        if not 0 < self.false_alarm < 1:
            msg = f"false_alarm must lie in (0, 1), got false_alarm={self.false_alarm!r}"
            raise InvalidArgument(msg)
        if not self.budget_seconds > 0:
            msg = f"budget_seconds must be positive, got budget_seconds={self.budget_seconds!r}"
            raise InvalidArgument(msg)
        if self.resolution is not None and not self.resolution > 0:
            msg = f"resolution must be positive, got resolution={self.resolution!r}"
            raise InvalidArgument(msg)


@final
@dataclass(slots=True)
class _Run:
    """State of one audit."""

    target: Target
    claim: PrivacyClaim
    settings: Settings
    grid: Grid
    pairs: list[PairState]
    progress: Callable[[int, float], None] | None
    started: float = field(default_factory=time.monotonic)
    samples: int = 0
    explored: int = 0
    log_adaptive: NDArray[np.float64] = field(init=False)
    log_persistent: NDArray[np.float64] = field(init=False)
    highest: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        points = self.grid.slopes.size
        self.log_adaptive = np.zeros(points)
        self.log_persistent = np.zeros((len(self.pairs), points))
        self.highest = np.zeros(points)

    @property
    def deadline(self) -> float:
        return self.started + self.settings.budget_seconds

    @property
    def refuted(self) -> bool:
        return bool(self._rejected()[self.grid.claimed])

    def _rejected(self) -> NDArray[np.bool_]:
        return self.highest >= math.log(1 / self.settings.false_alarm) + NUMERICAL_SLACK

    def lower_limits(self) -> tuple[float, float]:
        return self.grid.lower_limits(self._rejected())

    def draw(self, state: PairState, size: int) -> tuple[Outcomes, Outcomes]:
        """Draw one batch of both arms, fresh and from separate streams."""
        outputs = [
            list(
                draw_batch(
                    self.target,
                    data,
                    size,
                    (self.settings.seed, state.index, arm, state.batches),
                    deadline=self.deadline,
                )
            )
            for arm, data in enumerate((state.data, state.neighbor))
        ]
        if state.batches == 0:
            state.encoder.fix_layout([block for blocks in outputs for block in blocks])
        arms = [
            Outcomes.concatenate([state.encoder.encode(block) for block in blocks])
            for blocks in outputs
        ]
        self.samples += 2 * size
        if self.progress is not None:
            self.progress(self.samples, time.monotonic() - self.started)
        return arms[0], arms[1]

    def bet_on(self, state: PairState, size: int) -> tuple[Outcomes, Outcomes]:
        """Draw a batch, look at its first half, book the whole of it, and learn from it."""
        bet, persistent = state.bet, state.persistent
        assert bet is not None
        assert persistent is not None
        batch = state.code(self.draw(state, size))
        for draws in (size // 2, size):
            *counts, fixed = batch.counts(slice(draws))
            log_e = bet.log_e(counts, draws, self.grid)
            log_e_fixed = persistent.log_e(fixed, draws, self.grid)
            self._compare(self.log_adaptive + log_e, state.index, persistent.log_mean(log_e_fixed))
        self.log_adaptive = self.log_adaptive + log_e
        persistent.settle(fixed, size, log_e_fixed)
        self.log_persistent[state.index] = persistent.log_mean()
        state.learn(batch, self.grid)
        return batch.arms

    def _compare(
        self, adaptive: NDArray[np.float64], index: int, persistent: NDArray[np.float64]
    ) -> None:
        over_pairs = self.log_persistent.copy()
        over_pairs[index] = persistent
        spread = mixture(over_pairs, np.full(len(over_pairs), 1 / len(over_pairs)))
        wealth = mixture(np.stack([adaptive, spread]), np.array([0.5, 0.5]))
        self.highest = np.maximum(self.highest, wealth)

    def next_pair(self) -> PairState:
        """Spend a share of the draws on the least-sampled pair, the rest on the most suspicious."""
        if self.explored <= EXPLORED_SHARE * self.samples:
            state = min(self.pairs, key=lambda s: s.draws)
            self.explored += 2 * self.next_size(state)
            return state
        return max(self.pairs, key=lambda s: s.bet.claimed_z if s.bet else -math.inf)

    def next_size(self, state: PairState) -> int:
        """Size of a pair's next batch: a function of its past size and the budget."""
        left = (self.settings.budget_samples - self.samples) // 2
        growth = GROWTH["few pairs" if len(self.pairs) <= FEW_PAIRS else "many pairs"]
        return min(max(SMALLEST_BATCH, math.ceil((growth - 1) * state.draws)), left)


def audit(
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    progress: Callable[[int, float], None] | None = None,
) -> AuditResult:
    """Audit a claim on pairs of neighboring data sets.

    Stops at a violation, otherwise runs to the budget.

    Parameters
    ----------
    target : Target
        What to draw from.
    claim : PrivacyClaim
        The claim under audit: pure or approximate.
    pairs : sequence of Pair
        Neighboring data sets, at least one.
    settings : Settings
        Error rate, budgets, seed.
    progress : callable or None
        Called with (samples, seconds) after every batch.

    Raises
    ------
    InvalidArgument
        For a level that cannot be audited, no pairs, or outputs of the wrong number.
    """
    grid = grid_of(claim.level)
    if not pairs:
        msg = "at least one pair of neighboring data sets is needed, got pairs=[]"
        raise InvalidArgument(msg)
    states = [
        PairState(index, pair.label, pair.data, pair.neighbor, settings.ideal)
        for index, pair in enumerate(pairs)
    ]
    run = _Run(target, claim, settings, grid, states, progress)
    try:
        stopped_by, reason = _rounds(run)
    except OutOfTime:
        stopped_by, reason = "seconds", ""
    return _result(run, stopped_by, reason)


def _rounds(run: _Run) -> tuple[str, str]:
    """Draw and bet until something stops the run: what, and a failure in words."""
    budget = run.settings.budget_samples
    enough = budget >= 2 * FIRST_DRAWS * len(run.pairs)
    first = FIRST_DRAWS if enough else budget // (4 * len(run.pairs))
    if first < FEWEST_FIRST_DRAWS:
        needed = 4 * FEWEST_FIRST_DRAWS * len(run.pairs)
        return "failure", (
            f"{budget} samples are too few for {len(run.pairs)} pairs; at least {needed} are needed"
        )
    firsts: dict[int, tuple[Outcomes, Outcomes]] = {}
    for state in run.pairs:
        arms = run.draw(state, first)
        if dependence := find_dependence(arms):
            return "failure", _dependent(dependence, state)
        state.learn(Batch(arms), run.grid)
        firsts[state.index] = arms
    failures = {_only_failures(state.encoder, firsts[state.index]) for state in run.pairs}
    if None not in failures:
        names = ", ".join(sorted(name for name in failures if name))
        return "failure", f"the mechanism fails on every input tried ({names})"
    while run.samples + 2 <= budget:
        state = run.next_pair()
        arms = run.bet_on(state, run.next_size(state))
        if state.index in firsts and (dependence := find_dependence(firsts.pop(state.index), arms)):
            return "failure", _dependent(dependence, state)
        if run.refuted:
            return "refuted", ""
    return "samples", ""


def _dependent(dependence: str, state: PairState) -> str:
    return (
        f"the draws are not independent: {dependence} (pair: {state.label}); "
        "every guarantee of the audit rests on independent draws"
    )


def _only_failures(encoder: object, arms: tuple[Outcomes, Outcomes]) -> str | None:
    """Labels of the exceptions if both arms hold nothing else."""
    from audit.engine.encode import Encoder

    assert isinstance(encoder, Encoder)
    codes = np.unique(np.concatenate([arm.categories[:, -1] for arm in arms]))
    labels = [encoder.label(int(code)) if code else "" for code in codes]
    return ", ".join(labels) if all(label.startswith("raises ") for label in labels) else None


def _result(run: _Run, stopped_by: str, failure: str) -> AuditResult:
    settings, target = run.settings, run.target
    line = supporting_line(run.claim.level)
    claim = (float(line[0]), float(line[1]))
    witness: Witness | None = None
    power: Detectable | None = None
    notes: list[str] = []
    if stopped_by == "refuted":
        state = max(run.pairs, key=lambda s: s.bet.claimed_z if s.bet else -math.inf)
        witness, fresh = find_witness(
            target,
            state,
            claim=claim,
            false_alarm=settings.false_alarm,
            seed=settings.seed,
            seconds=max(1.0, WITNESS_SHARE_OF_TIME * settings.budget_seconds),
        )
        run.samples += fresh
        verdict = Verdict.REFUTED
        reason = f"{witness.event}: too likely on the {witness.likelier}"
    elif stopped_by == "failure":
        verdict, reason = Verdict.INCONCLUSIVE, failure
    else:
        least = min(state.draws for state in run.pairs)
        power = detectable(
            least,
            len(run.pairs),
            claim=claim,
            false_alarm=settings.false_alarm,
            resolution=settings.resolution,
        )
        at_tenth = power.epsilons[power.masses.index(0.1)]
        if at_tenth <= power.limit:
            verdict, reason = Verdict.CONSISTENT, "no violation found on the pairs tried"
            notes.append(IDEAL_NOTE if settings.ideal else FLOAT_NOTE)
        else:
            verdict = Verdict.INCONCLUSIVE
            reason = (
                f"the run is too coarse: an event of probability 0.1 would have been found only "
                f"from epsilon {at_tenth:.3g} on, and {power.limit:.3g} is the limit; give it more "
                "samples or seconds, or fewer pairs"
            )
    if stopped_by == "seconds" and all(state.draws for state in run.pairs):
        notes.append(f"stopped by time; --budget-samples {run.samples} repeats this run")
    epsilon_lower, delta_lower = run.lower_limits()
    return AuditResult(
        target=target.name,
        verdict=verdict,
        claim=run.claim,
        order=target.order,
        false_alarm=settings.false_alarm,
        samples=run.samples,
        seconds=time.monotonic() - run.started,
        seed=settings.seed,
        reproducible=target.seedable,
        ideal=settings.ideal,
        pairs=len(run.pairs),
        epsilon_lower=epsilon_lower,
        delta_lower=delta_lower,
        reason=reason,
        witness=witness,
        detectable=power,
        notes=tuple(notes),
        stopped_by=stopped_by,
    )
