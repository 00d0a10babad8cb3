"""Exponential mechanism: exact laws, its promise, and printed cases of threshold estimation."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.exact.cells import interval
from audit.exact.divergences import hockey_stick, largest_ratio
from audit.exact.finite import cells_of
from audit.exact.numbers import as_ball, quotient
from audit.exact.selection import (
    StepLoss,
    largest_change,
    selection,
    selection_cells,
    selection_rate,
)
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import agrees_with_print
from proofs_check.exponential import ExpSum
from tests.audit.exact.laws import few

LOSSES = st.integers(-6, 6).map(lambda n: Fraction(n, 2))
RATES = st.fractions(Fraction(1, 10), 3, max_denominator=10)
F = Fraction


def steps(draw_points: list[Fraction], losses: list[Fraction]) -> StepLoss:
    """A loss on [0, 1] with the given inner breakpoints."""
    inner = sorted(draw_points)
    return StepLoss((F(0), *inner, F(1)), tuple(losses[: len(inner) + 1]))


@st.composite
def step_losses(draw: st.DrawFn) -> StepLoss:
    """Losses on [0, 1] of up to four pieces."""
    inner = draw(st.lists(st.fractions(0, 1, max_denominator=10), max_size=3))
    losses = draw(st.lists(LOSSES, min_size=4, max_size=4))
    return steps(inner, losses)


@given(
    st.lists(st.tuples(LOSSES, LOSSES), min_size=1, max_size=4),
    st.fractions(Fraction(1, 10), 2, max_denominator=10),
)
@few
def test_a_finite_selection_keeps_its_promise(
    losses: list[tuple[Fraction, Fraction]], epsilon: Fraction
) -> None:
    """It must hold that the loss is at most epsilon, and the masses are e^(-rate loss) / Z."""
    sensitivity = max(abs(x - y) for x, y in losses) or Fraction(1)
    rate = selection_rate(epsilon, sensitivity)
    laws = [selection(dict(enumerate(column)), rate) for column in zip(*losses, strict=True)]
    for law, column in zip(laws, zip(*losses, strict=True), strict=True):
        weights = [ExpSum.exp(-rate * loss) for loss in column]
        z = sum(weights, start=ExpSum({}))
        assert [law.probability(i) for i in range(len(losses))] == [w / z for w in weights]
    assert all(largest_ratio(pair).at_most(epsilon) for pair in cells_of(*laws).both_ways())


@given(step_losses(), step_losses(), RATES)
@few
def test_a_selection_on_an_interval_keeps_its_promise(
    loss: StepLoss, neighbor: StepLoss, epsilon: Fraction
) -> None:
    """It must hold for all step losses with the change as the sensitivity."""
    rate = selection_rate(epsilon, largest_change(loss, neighbor) or Fraction(1))
    pair = selection_cells(loss, neighbor, rate)
    assert all(largest_ratio(one).at_most(epsilon) for one in pair.both_ways())


@given(step_losses(), RATES, LOSSES.filter(bool))
@few
def test_losses_in_one_direction_need_half_the_noise(
    loss: StepLoss, epsilon: Fraction, change: Fraction
) -> None:
    """It must hold where the losses of some outcomes rise and the others stay."""
    raised = tuple(x + abs(change) * (i % 2) for i, x in enumerate(loss.losses))
    neighbor = StepLoss(loss.breakpoints, raised)
    rate = selection_rate(epsilon, abs(change), one_direction=True)
    pair = selection_cells(loss, neighbor, rate)
    assert all(largest_ratio(one).at_most(epsilon) for one in pair.both_ways())


@pytest.mark.parametrize("on_interval", [False, True], ids=["finite", "interval"])
def test_one_percent_less_noise_is_refuted(on_interval: bool) -> None:
    """It must hold on a worst case: a rare outcome gains what all others lose."""
    epsilon, rare = Fraction(1), Fraction(1, 10**4)

    def loss_of(rate: Fraction) -> bool:
        if on_interval:
            points = (F(0), rare, F(1))
            pair = selection_cells(
                StepLoss(points, (F(0), F(1))), StepLoss(points, (F(1), F(0))), rate
            )
        else:
            base = {"rare": rare, "rest": 1 - rare}
            pair = cells_of(
                selection({"rare": F(0), "rest": F(1)}, rate, base),
                selection({"rare": F(1), "rest": F(0)}, rate, base),
            )
        return all(largest_ratio(one).at_most(epsilon) for one in pair.both_ways())

    rate = selection_rate(epsilon, Fraction(1))
    assert loss_of(rate)
    assert not loss_of(rate * Fraction(101, 100))
    assert not loss_of(selection_rate(epsilon, Fraction(1), one_direction=True))


def test_threshold_estimation_has_its_printed_cells() -> None:
    """It must hold that SUB-A2 on {.1, .4, .4, .9} has the specified cells and losses."""
    points = tuple(map(F, ("0", "0.05", "0.15", "0.35", "0.45", "0.85", "0.95", "1")))
    loss = StepLoss(points, tuple(map(F, (2, 1, 1, 0, 1, 1, 2))))
    pair = selection_cells(loss, loss, selection_rate(F(1), F(1)))
    printed = (
        "0.0295717093947697",
        "0.0975110125802391",
        "0.195022025160478",
        "0.160768480568548",
        "0.390044050320956",
        "0.0975110125802391",
        "0.0295717093947697",
    )
    for cell, text in zip(pair.cells, printed, strict=True):
        assert agrees_with_print(as_ball(quotient(cell.p, pair.total)), text)
    for added, losses, where, text in (
        (".1", (2, 0, 0, 0, 2, 2, 3), interval(F("0.05"), F("0.15")), "0.513795852638274"),
        (".9", (2, 1, 1, 0, 1, 1, 3), interval(F("0.95"), F(1)), "0.488296216149662"),
    ):
        neighbor = StepLoss(points, tuple(map(F, losses)))
        both = selection_cells(loss, neighbor, selection_rate(F(1), F(1))).both_ways()
        found = max(map(largest_ratio, both), key=lambda one: one.ratio)
        assert found.where == where, added
        assert agrees_with_print(found.log(), text)


def test_a_private_scale_is_refuted_with_its_probabilities() -> None:
    """It must hold that SUB-E1's smallest case has the printed event, at the claimed epsilon 1."""
    loss = StepLoss((F(-1), F(-1, 6), F(1, 6), F(1)), (F(1), F(0), F(2)))
    neighbor = StepLoss((F(-1), F(-1, 8), F(1, 8), F(1)), (F(1), F(0), F(3)))
    pair = selection_cells(loss, neighbor, selection_rate(F(1), F(1)))
    found = largest_ratio(pair)
    assert found.where == interval(F(1, 8), F(1, 6))
    assert not found.at_most(F(1))
    assert agrees_with_print(found.log(), "1.33995630853686")
    cell = next(cell for cell in pair.cells if cell.where == found.where)
    assert agrees_with_print(as_ball(quotient(cell.p, pair.total)), "0.0363792436972327")
    assert agrees_with_print(as_ball(quotient(cell.q, pair.total)), "0.00952616359128164")
    assert hockey_stick(pair, F(1)).event == (found.where,)


def test_what_is_no_step_loss_is_refused() -> None:
    """It must hold for falling breakpoints, a wrong number of pieces, and two intervals."""
    for points, losses in (((F(1), F(0)), (F(0),)), ((F(0), F(1)), ()), ((F(0), F(0)), (F(0),))):
        with pytest.raises(InvalidArgument):
            StepLoss(points, losses)
    short, long = (StepLoss((F(0), end), (F(0),)) for end in (F(1), F(2)))
    with pytest.raises(InvalidArgument, match="one interval"):
        selection_cells(short, long, F(1))
    with pytest.raises(InvalidArgument, match="greater than 0"):
        selection_rate(F(0), F(1))
