"""Remainders are chosen by the past: bets on them stay e-values, and not where they are peeked at.

Every remainder of `kept_parity` by an even number is exactly at the claim. The first half of the
past chooses the moduli, the rest is counted, and a fresh batch is bet on with all likely events.
"""

from __future__ import annotations

import math

import numpy as np

from audit.draws.encode import Encoder, Outcomes
from audit.engine.experts import make_bets, shares
from audit.engine.partitions import fit_all
from audit.engine.partitions.halves import counted_part
from audit.engine.partitions.residues import Residues
from audit.levels.nesting import Axis
from audit.levels.supporting_lines import LineGrid
from benchmarks.nulls import kept_parity
from tests.theorems.simulate import SLOPE

RUNS, PAST, BATCH = 60, 400, 400
CLAIM = LineGrid(np.full((1, 1), SLOPE), np.zeros((1, 1)), (Axis("epsilon", np.ones(1)),), 0)
Arms = tuple[Outcomes, Outcomes]


def drawn(rng: np.random.Generator, size: int) -> Arms:
    """Both arms."""
    encoder = Encoder()
    data, neighbor = (encoder.encode(kept_parity(x, size, rng)) for x in (0, 1))
    return data, neighbor


def counted(partition: Residues, arms: Arms) -> np.ndarray:
    """Counts by half, arm and cell."""
    codes = [partition.codes(arm) for arm in arms]
    return np.array(
        [[np.bincount(c[half::2], minlength=partition.size) for c in codes] for half in (0, 1)],
        dtype=float,
    )


def log_wealth(chosen_by: Arms, counted_on: Arms, batch: Arms) -> float:
    """Wealth of the experts after one batch, made by moduli and counts of other draws."""
    fitted = fit_all(Encoder(), *chosen_by, ideal=True)
    found = [p for p in fitted if isinstance(p, Residues)]
    if not found:
        return 0.0
    counts = [counted(p, counted_on) for p in found]
    single = [np.zeros(p.size, dtype=bool) for p in found]
    bets = make_bets(counts, [p.ordered for p in found], single, CLAIM)
    values = bets.log_e([counted(p, batch).sum(axis=0) for p in found], BATCH)
    weights = shares(CLAIM)[:-1]
    return float(np.log(np.exp(values[:, 0]) @ weights / weights.sum()))


def clearly_positive(log_values: list[float]) -> bool:
    """Whether the mean logarithm is above 0, to 3 sigma: of an e-value it never is (Jensen)."""
    sigma = np.std(log_values, ddof=1) / math.sqrt(len(log_values))
    return bool(np.mean(log_values) > 3 * sigma)


def test_bets_on_remainders_that_the_past_chose_are_e_values(dp_rng: np.random.Generator) -> None:
    """The wealth does not grow at the claim, and some of it is staked."""
    values = []
    for _ in range(RUNS):
        past = drawn(dp_rng, PAST)
        rest = counted_part(past[0]), counted_part(past[1])
        values.append(log_wealth(past, rest, drawn(dp_rng, BATCH)))
    assert not clearly_positive(values)
    assert len(set(values)) > RUNS / 2


def test_remainders_chosen_on_the_draws_that_they_bet_on_are_convicted(
    dp_rng: np.random.Generator,
) -> None:
    """The same statistic tells that moduli and events were chosen with hindsight."""
    batches = [drawn(dp_rng, BATCH) for _ in range(RUNS)]
    assert clearly_positive([log_wealth(batch, batch, batch) for batch in batches])
