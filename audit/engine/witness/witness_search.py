"""What a run that refutes a claim has to show: the smallest pair, its event, and fresh counts."""

from __future__ import annotations

import time
from dataclasses import replace

from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from audit.engine.shown_witness import Shown
from audit.engine.witness.allowance import fresh_after
from audit.engine.witness.confirm import FEWEST
from audit.engine.witness.smallest import smallest_pair
from audit.engine.witness.written_witness import FreshPlan, find_witness
from mechanisms.claims import PersonalizedDP

__all__ = ["show"]

SHARE_OF_TIME = 0.1
"""Of the time budget: at most to shrink the pair, at least for the fresh draws. These have all that
the run has left: nothing else comes after them, and without them nothing is confirmed."""

SLACK = 1.1
"""Times what the draws of the run took, what fresh ones are taken to: some calls take longer."""

SHRINKING_CUT = "the shrinking of the witness was cut by time: another run may show another pair"
COUNTING_CUT = "the fresh draws of the witness were cut by time: nothing is confirmed"
FEWER = (
    "the fresh draws of the witness were cut by time before the first: {draws} of each data set, "
    "not {wanted}"
)


def show(run: Run, shown: PairState, line: tuple[float, float] | None = None) -> Shown:
    """Shrink the pair of a violation if that is wanted, choose its event, and draw it afresh.

    Parameters
    ----------
    run : Run
        What refuted the claim.
    shown : PairState
        The pair that showed it.
    line : (float, float) or None
        The line p = s q + t of the claim; None for that which the pair's bets are on.
    """
    settings, level = run.settings, run.claim.level
    alpha, learned = settings.false_alarm, run.rests_on_ratios
    least = max(0.5, SHARE_OF_TIME * settings.budget_seconds)
    drawn = max(1, run.spent + run.checked + run.samples)
    pace = run.ask("pace", lambda: (time.monotonic() - run.log.started) / drawn, back=float)
    plan = FreshPlan.of(shown, level, line, learned=learned)
    wanted = plan.wanted(alpha, run.samples)
    smallest, tried, cut, more = shown, 0, False, 0
    if settings.shrink:
        needed = 2 * wanted * SLACK * pace

        def allowed() -> float:
            left = max(0.0, run.deadline - time.monotonic() - needed)
            return least if needed <= least else min(least, left)

        seconds = run.ask("seconds to shrink", allowed, back=float)
        smallest, tried, cut = smallest_pair(run, shown, wanted, seconds)
    if smallest is not shown:  # it was taken for what its draws were: they ask for too few
        plan = FreshPlan.of(smallest, level, line, learned=learned)
        more = plan.wanted(alpha, run.samples)
    wanted = fresh_after(run.samples, tried, wanted, more)
    seconds = run.ask(
        "seconds to confirm", lambda: max(least, run.deadline - time.monotonic()), back=float
    )
    draws = _in_time(wanted, seconds, pace)
    witness, counted, dependence = find_witness(
        run,
        plan,
        wanted=wanted,
        draws=draws,
        false_alarm=alpha,
        seconds=seconds,
    )
    if smallest is not shown:
        witness = replace(witness, shrunk_from=shown.label)
    if smallest.user is not None and isinstance(level, PersonalizedDP):
        budget = level.budgets[smallest.user]
        witness = replace(witness, user=smallest.user + 1, budget=budget)
    cuts = (SHRINKING_CUT,) * cut
    if not witness.draws:
        cuts += (COUNTING_CUT,)
    elif draws < wanted:
        cuts += (FEWER.format(draws=draws, wanted=wanted),)
    return Shown(witness, tried + counted, cuts, dependence)


def _in_time(wanted: int, seconds: float, pace: float) -> int:
    """Fresh draws of each arm, by the time that those of the run took and before the first is made.

    As many as end in time; none where these are too few: the run goes on instead.
    """
    if 2 * wanted * SLACK * pace <= seconds:
        return wanted
    draws = int(seconds / (2 * SLACK * pace))
    return draws if draws >= FEWEST else 0
