"""What is left of a row of `power` where the event or the loss is given."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.given import GUILTY, best_event, log_ratio, masses, row_of
from benchmarks.limits import LAWS, project_laws
from benchmarks.power_rows import ROWS
from tests.calibrated import assert_law, assert_not_law, draws_for

BITS = ("5", "12", "29", "30", "31")
"""Rows whose best event tells all that there is."""


@pytest.mark.long
@pytest.mark.parametrize("row", [*BITS, "2", "6", "10"])
def test_the_best_event_is_the_best_of_the_log_ratio(row: str) -> None:
    """It must hold that no cut of the log ratio tells more, and no bit more than all outputs."""
    p, q = LAWS[row]()
    event = best_event(row, p, q)
    assert event is not None
    told = project_laws(row, *masses(event, p, q)).rate
    ratio = log_ratio(p, q)
    for level in np.quantile(ratio, (0.05, 0.3, 0.5, 0.7, 0.95)):
        for other in (ratio >= level, ratio > level):
            if 0 < other.sum() < other.size:
                assert project_laws(row, *masses(other, p, q)).rate <= told * 1.02
    every = project_laws(row, p, q).rate
    assert told <= every * (1 + 1e-6)
    assert (told >= every * (1 - 1e-6)) is (row in BITS)


@pytest.mark.long
def test_no_bit_breaks_a_claim_of_order_one() -> None:
    """It must hold that nothing is given where no event's two masses break the claim."""
    assert row_of(ROWS["16b"], "event") is None
    assert row_of(ROWS["2"], "pair") is None


@pytest.mark.parametrize("arm", [0, 1])
def test_a_given_event_has_its_mass(arm: int, dp_rng: np.random.Generator) -> None:
    """It must hold that the bit of row 29 is drawn from its data set's law, not the other's."""
    row = row_of(ROWS["29"], "event")
    assert row is not None
    mass, other = (law[0] for law in (LAWS["29"]()[arm], LAWS["29"]()[1 - arm]))
    bits = row.draw(float(arm), draws_for(abs(mass - other)), dp_rng).astype(float)

    def cdf_of(share: float) -> object:
        return lambda z: np.where(z < 0, 0.0, np.where(z < 1, 1 - share, 1.0))

    def before(share: float) -> object:
        return lambda z: np.where(z <= 0, 0.0, np.where(z <= 1, 1 - share, 1.0))

    gap = abs(mass - other)
    assert_law(bits, cdf_of(mass), gap, left_cdf=before(mass))
    assert_not_law(bits, cdf_of(other), gap, left_cdf=before(other))


def test_a_given_loss_is_the_log_ratio(dp_rng: np.random.Generator) -> None:
    """It must hold that row 10 is then one number, of the values of the log ratio."""
    row = row_of(ROWS["10"], "loss")
    assert row is not None
    drawn = row.draw(0.0, 1000, dp_rng)
    assert drawn.shape == (1000,)
    assert set(drawn) <= set(log_ratio(*LAWS["10"]()))


def test_a_given_pair_is_the_guilty_one() -> None:
    """It must hold that row 19 is then audited on the one pair at distance 1.2."""
    row = row_of(ROWS["19"], "pair")
    assert row is not None
    (pair,) = row.pairs
    assert pair is ROWS["19"].pairs[GUILTY]
    assert pair.neighbor - pair.data == pytest.approx(1.2)
