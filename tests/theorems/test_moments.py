"""ENG-T5b: bets on divergences, exactly, and the variants that gain under the claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from audit.draws.settings import Settings
from audit.engine.candidate_events import propose
from audit.engine.experts import moment_bets
from audit.engine.experts.moment_bets import MomentBets, two_cell_bet
from audit.engine.sequential import audit
from audit.levels.moments import MomentGrid, binary_divergence, payoffs
from audit.levels.nesting import Axis
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from mechanisms.claims import Level, RenyiDP, ZeroConcentratedDP
from tests.audit.engine.samplers import stated, target
from tests.grids import moments_of
from tests.theorems.exact import Array, laws, mean, pasts, quarter, table
from tests.theorems.simulate import significantly_above

ORDERS = [1.0, 1.5, 2.0, 4.0, 8.0]
ROUNDING = 1e-9

tables = st.lists(st.floats(-3, 3).map(math.exp), min_size=3, max_size=3).map(np.array)


def divergence(p: Array, q: Array, order: float) -> float:
    """Renyi divergence, Kullback-Leibler's at order 1."""
    kept = p > 0
    if (q[kept] == 0).any():
        return math.inf
    p, q = p[kept], q[kept]
    if order == 1:
        return float((p * np.log(p / q)).sum())
    return float(np.logaddexp.reduce(order * np.log(p) + (1 - order) * np.log(q))) / (order - 1)


def moment(p: Array, q: Array, order: float) -> float:
    """The right side of T5b: e^((a - 1) D_a), or D_1 at order 1."""
    value = divergence(p, q, order)
    return value if order == 1 else math.exp((order - 1) * value)


@pytest.mark.parametrize("order", ORDERS)
@given(tables, laws(3), laws(3))
def test_payoffs_of_any_table_are_bounded_by_the_divergence(
    order: float, ratio: Array, p: Array, q: Array
) -> None:
    """It must hold that E_P u + E_Q v <= e^((a - 1) D_a(P || Q)) for every positive table."""
    u, v = payoffs(ratio, order)
    right = moment(p, q, order)
    assert p @ u + q @ v <= right + ROUNDING * max(1.0, abs(right), np.abs(v).max())


@pytest.mark.parametrize("order", ORDERS)
@given(laws(3), laws(3))
def test_the_likelihood_ratio_attains_the_divergence(order: float, p: Array, q: Array) -> None:
    """It must hold that the bound is met with equality by r = p / q, and by no scaled one."""
    p, q = (0.9 * law + 0.1 / 3 for law in (p, q))
    right = moment(p, q, order)
    for scale in (1.0, 0.7, 1.3):
        u, v = payoffs(scale * p / q, order)
        left = float(p @ u + q @ v)
        assert (left == pytest.approx(right, rel=1e-9, abs=1e-9)) == (scale == 1.0)


@pytest.mark.parametrize("order", ORDERS)
def test_divergences_of_an_event_are_those_of_its_two_cells(order: float) -> None:
    """It must hold that `binary_divergence` is the sum's logarithm, with scipy and at the ends."""
    from scipy.special import rel_entr

    for p, q in ((0.3, 0.1), (0.1, 0.3), (0.999, 0.5), (1.0, 0.2), (0.0, 0.3), (0.5, 0.5)):
        found = binary_divergence(p, q, order)
        if order == 1:
            expected = float(rel_entr(p, q) + rel_entr(1 - p, 1 - q))
        else:
            sum_of_both = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
            expected = math.log(sum_of_both) / (order - 1)
        assert found == pytest.approx(expected, abs=1e-12)
    assert binary_divergence(0.1, 0.0, order) == math.inf
    assert binary_divergence(0.1, 1.0, order) == math.inf
    assert binary_divergence(0.0, 0.0, order) == 0.0


def test_divergences_of_a_large_order_do_not_overflow() -> None:
    """It must hold that order 1000 is near the largest loss, which is its limit."""
    assert binary_divergence(0.5, 0.5 * math.exp(-30), 1000.0) == pytest.approx(30, rel=1e-3)


@pytest.mark.parametrize("order", ORDERS)
def test_the_divergence_of_gaussians_is_on_the_line_of_rho(order: float) -> None:
    """It must hold that N(0, 1) and N(1, 1) have D_a = a / 2: the case of the tests below."""
    log_ratio = lambda x: norm.logpdf(x) - norm.logpdf(x - 1)  # noqa: E731
    if order == 1:
        value = quad(lambda x: norm.pdf(x) * log_ratio(x), -12, 12)[0]
    else:
        total = quad(lambda x: norm.pdf(x) * np.exp((order - 1) * log_ratio(x)), -25, 12)[0]
        value = math.log(total) / (order - 1)
    assert value == pytest.approx(order / 2, abs=1e-7)
    grid = moments_of(ZeroConcentratedDP("1/2"))
    place = np.flatnonzero(grid.orders == order)
    if place.size:
        assert grid.divergences[place[0], grid.claimed] == pytest.approx(order / 2)


def allowed_along(p: Array, far: Array, grid: MomentGrid, point: int) -> Array:
    """The pair of P on the way to another law that satisfies the claim just so, both ways."""

    def satisfied(q: Array) -> bool:
        limits = grid.divergences[:, point]
        return all(
            divergence(*pair, float(order)) <= limit
            for pair in ((p, q), (q, p))
            for order, limit in zip(grid.orders, limits, strict=True)
        )

    if satisfied(far):
        return far
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if satisfied((1 - middle) * p + middle * far) else (low, middle)
    return (1 - low) * p + low * far


LEVELS: list[Level] = [
    ZeroConcentratedDP("1/2"),
    ZeroConcentratedDP(0),
    RenyiDP(2, 1),
    RenyiDP(8, "1/2"),
    RenyiDP("11/10", "1/10"),
    RenyiDP(64, 5),
    RenyiDP(1000, 1),
]


@pytest.mark.parametrize("level", LEVELS, ids=str)
@quarter
@given(pasts(3), laws(3), laws(3), st.integers(0, 30), st.sampled_from([0, 2, 6]))
def test_bets_on_moments_never_gain_under_the_claim(
    level: Level, case: tuple[Array, int], p: Array, q: Array, point: int, groups: int
) -> None:
    """It must hold that no e-value has a mean above 1 on the boundary, whatever the past was."""
    past, ordered = case
    size = past.shape[2]
    p, q = (0.98 * law[:size] / max(law[:size].sum(), 0.01) + 0.02 / size for law in (p, q))
    p, q = p / p.sum(), q / q.sum()
    grid = moments_of(level)
    point %= grid.points
    if groups:
        bets = MomentBets.on_groups([past], [ordered], grid, groups)
    else:
        bets = MomentBets.on_events(propose([past], [ordered]), [past], grid)
    assert all(np.isfinite(factors).all() for factors in bets.log_factors)
    values = table(lambda counts: bets.log_e([counts], 2)[point], size, 2)
    other = allowed_along(p, q, grid, point)
    assert mean(values, p, other) <= 1 + ROUNDING
    assert mean(values, other, p) <= 1 + ROUNDING
    # the pair that the bet itself takes for likely
    likely, likelier = (law / law.sum() for law in past.sum(axis=0) + 0.5)
    assert mean(values, likely, allowed_along(likely, likelier, grid, point)) <= 1 + ROUNDING
    assert mean(values, allowed_along(likelier, likely, grid, point), likelier) <= 1 + ROUNDING


def grid_of_one(order: float, divergence: float) -> MomentGrid:
    """A claim on one order."""
    return MomentGrid(np.array([order]), np.array([[divergence]]), (Axis("x", np.ones(1)),), 0)


def gain(p: Array, q: Array, grid: MomentGrid, expected: Array | None = None) -> float:
    """Exact mean of the e-value of one draw of each arm, the bet made for an expected Q."""
    past = np.broadcast_to(1e6 * np.stack([p, q if expected is None else expected]), (2, 2, 3))
    bets = MomentBets.on_groups([past], [0], grid, 6)
    return float(mean(table(lambda c: bets.log_e([c], 1)[0], 3, 1), p, q))


@pytest.mark.parametrize("order", ORDERS)
def test_half_of_the_right_side_is_no_claim(order: float) -> None:
    """It must hold that a bet gains against half of the true divergence, and not against it."""
    p, q = np.array([0.5, 0.3, 0.2]), np.array([0.15, 0.35, 0.5])
    true = divergence(p, q, order)
    assert gain(p, q, grid_of_one(order, true)) <= 1 + ROUNDING
    assert gain(p, q, grid_of_one(order, true / 2)) > 1.001


def test_a_bound_of_order_two_is_none_of_order_four() -> None:
    """It must hold that a divergence bounds smaller orders only."""
    p, q = np.array([0.2, 0.4, 0.4]), np.array([0.01, 0.49, 0.5])
    of_two = divergence(p, q, 2.0)
    for order in (1.0, 1.5, 2.0):
        assert gain(p, q, grid_of_one(order, of_two)) <= 1 + ROUNDING
    assert gain(p, q, grid_of_one(4.0, of_two)) > 1.005
    assert max(moments_of(RenyiDP(2, 1)).orders) == 2.0
    assert max(moments_of(RenyiDP("5/2", 1)).orders) == 2.5


@pytest.mark.parametrize("order", [1.0, 2.0])
def test_the_sign_of_the_second_payoff_matters(
    order: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that v with its sign turned makes bets that gain under the claim."""

    def turned(ratio: Array, order: float) -> tuple[Array, Array]:
        u, v = payoffs(ratio, order)
        return u, -v

    p, q, farther = (np.array(x) for x in ([0.5, 0.3, 0.2], [0.15, 0.35, 0.5], [0.05, 0.35, 0.6]))
    grid = grid_of_one(order, divergence(p, q, order))
    assert gain(p, q, grid, farther) <= 1 + ROUNDING
    monkeypatch.setattr(moment_bets, "payoffs", turned)
    assert gain(p, q, grid, farther) > 1.01


@example(p=0.01, q=0.010000000000000002, order=1.0, share=1.0)
@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), st.sampled_from(ORDERS), st.floats(0.1, 1.5))
def test_the_bet_on_a_known_event_is_fair_at_its_claim(
    p: float, q: float, order: float, share: float
) -> None:
    """It must hold that it grows where the claim is broken, and does not gain where it holds."""
    bound = moment(np.array([p, 1 - p]), np.array([q, 1 - q]), order)
    if order > 1:
        bound = bound**share
    else:
        bound *= share
    bet = two_cell_bet(p, q, order, bound)
    if share >= 1:
        assert bet is None
        return
    if bet is None:
        assert share > 0.9 or abs(p - q) < 0.1
        return
    a, rest_a, b, rest_b = (math.exp(x) for x in bet)
    assert (
        p * math.log(a) + (1 - p) * math.log(rest_a) + q * math.log(b) + (1 - q) * math.log(rest_b)
        > 0
    )
    # a pair that satisfies the claim: Q moved towards P
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        near = q + middle * (p - q)
        inside = moment(np.array([p, 1 - p]), np.array([near, 1 - near]), order) <= bound
        low, high = (low, middle) if inside else (middle, high)
    near = q + high * (p - q)
    assert (p * a + (1 - p) * rest_a) * (near * b + (1 - near) * rest_b) <= 1 + 1e-9


CUTS = np.array([-1.0, -0.3, 0.2, 0.5, 0.8, 1.3, 2.0])
"""Of a table of 8 cells for N(0, 1) and N(1, 1)."""


def alarms(level: Level, runs: int, rng: np.random.Generator) -> Array:
    """Which of some runs on cells of N(0, 1) and N(1, 1) refuted a claim, at 1/20."""
    grid = moments_of(level)
    laws = [np.diff(norm.cdf(CUTS - mean), prepend=0.0, append=1.0) for mean in (0.0, 1.0)]
    found = np.zeros(runs, dtype=bool)
    for run in range(runs):
        past = np.stack([[rng.multinomial(100, law) for law in laws] for _ in (0, 1)]).astype(float)
        log_wealth = 0.0
        for size in (200, 400, 800, 1600):
            bets = MomentBets.on_groups([past], [8], grid, 6)
            halves = np.stack([[rng.multinomial(size // 2, law) for law in laws] for _ in (0, 1)])
            log_wealth += float(bets.log_e([halves.sum(axis=0)], size)[grid.claimed])
            found[run] |= log_wealth >= math.log(20)
            past = past + halves
    return found


@pytest.mark.parametrize(
    ("true", "false"),
    [(ZeroConcentratedDP("1/2"), ZeroConcentratedDP("3/10")), (RenyiDP(2, 1), RenyiDP(2, "3/5"))],
    ids=["zCDP", "Renyi"],
)
def test_gaussian_noise_has_its_divergence_and_no_smaller_one(
    true: Level, false: Level, dp_rng: np.random.Generator
) -> None:
    """It must hold that bets rarely refute rho = .5, and mostly .3."""
    wrong, right = (alarms(level, 40, dp_rng) for level in (true, false))
    print(f"{wrong.mean():.3f}, {right.mean():.3f}")
    assert not significantly_above(wrong)
    assert significantly_above(right)


def test_bets_against_half_of_the_right_side_are_convicted(
    dp_rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the same runs convict an engine that bets against M / 2."""
    original = MomentGrid.bounds.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(MomentGrid, "bounds", property(lambda self: original(self) / 2))
    assert significantly_above(alarms(ZeroConcentratedDP("1/2"), 30, dp_rng))


@pytest.mark.parametrize("level", [ZeroConcentratedDP("3/10"), RenyiDP(2, "3/5")], ids=str)
def test_an_audit_refutes_what_gaussian_noise_breaks(level: Level) -> None:
    """It must hold that the whole engine finds N(0, 1) and N(1, 1) beyond, and limits it."""
    draw = lambda data, size, rng: data + rng.normal(size=size)  # noqa: E731
    settings = Settings(seed=1, false_alarm=0.05, ideal=True, budget_samples=20_000)
    result = audit(target(draw), stated(level), [Pair("0 and 1", 0.0, 1.0)], settings)
    assert result.verdict is Verdict.REFUTED
    [(name, limit)] = result.limits.items()
    true = {"rho": 0.5, "renyi_epsilon": 1.0}[name]
    claimed = 0.3 if isinstance(level, ZeroConcentratedDP) else 0.6
    assert claimed <= limit <= true
