"""What a run that refutes a claim has to show: the smallest pair, its event, and fresh counts."""

from __future__ import annotations

from dataclasses import replace

from audit.engine.evidence import Shown
from audit.engine.pair_state import PairState
from audit.engine.run import Run
from audit.engine.witness.smallest import smallest_pair
from audit.engine.witness.write import find_witness
from mechanisms.claims import PersonalizedDP

__all__ = ["show"]

SHARE_OF_TIME = 0.2
"""Of the time budget, at most: half to shrink the pair, half for the fresh draws."""

SHRINKING_CUT = "the shrinking of the witness was cut by time: another run may show another pair"
COUNTING_CUT = "the fresh draws of the witness were cut by time: nothing is confirmed"


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
    settings = run.settings
    seconds = max(1.0, SHARE_OF_TIME * settings.budget_seconds) / 2
    smallest, tried, cut = (
        smallest_pair(run, shown, seconds) if settings.shrink else (shown, 0, False)
    )
    assert smallest.bets is not None
    witness, counted, dependence = find_witness(
        run.target,
        smallest,
        level=run.claim.level,
        line=line or smallest.bets.line,
        false_alarm=settings.false_alarm,
        seed=settings.seed,
        run_draws=run.samples // 2,
        spent=tried // 2,
        seconds=seconds,
        learned=run.rests_on_ratios,
    )
    if smallest is not shown:
        witness = replace(witness, shrunk_from=shown.label)
    if smallest.user is not None and isinstance(run.claim.level, PersonalizedDP):
        budget = run.claim.level.budgets[smallest.user]
        witness = replace(witness, user=smallest.user + 1, budget=budget)
    cuts = (SHRINKING_CUT,) * cut + (COUNTING_CUT,) * (not witness.draws)
    return Shown(witness, tried + counted, cuts, dependence)
