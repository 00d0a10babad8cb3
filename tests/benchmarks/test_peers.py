"""The tests that ours is compared with are valid, find what they should, and are swept fairly."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom

from benchmarks import peer_sweep, peers
from benchmarks.journal import Journal
from benchmarks.peer_cases import CASES, Case, Given
from benchmarks.peer_sweep import Bench, Best, budgets, sweep
from benchmarks.peer_tests import PEERS, clopper_pearson, split, thinned_p_value
from benchmarks.quantiles import Quantile

LEVEL = 0.05
QUICK = {
    "sniper": "logistic, 0.2",
    "classifier": "logistic, 0.2",
    "mixture": "logistic, 0.5",
    "statdp": "24",
    "kernel": "",
}
"""A tuning of each that is fast."""


def bit(epsilon: float, claim: float) -> Given:
    """Randomized response of some loss, held against a claim."""
    kept = math.exp(epsilon) / (1 + math.exp(epsilon))

    def draw(data: Any, size: int, rng: np.random.Generator) -> np.ndarray:
        return np.where(rng.random(size) < kept, data, 1 - data)

    return Given(draw, 1, 0, claim)


def test_every_test_has_a_case_here() -> None:
    """It must hold that no test of the comparison is left out."""
    assert set(QUICK) == set(PEERS)


@pytest.mark.long
@pytest.mark.parametrize("peer", [peer for peer in PEERS if peer != "kernel"])
def test_tests_keep_their_level_and_find_more(peer: str) -> None:
    """It must hold that a claim at the loss is rarely beaten, and one far below it always."""
    runs, tuning = 40, QUICK[peer]
    for claim, budget in ((1.0, 1_000), (0.2, 4_000)):
        given = bit(1.0, claim)
        found = [
            PEERS[peer].certify(given, tuning, budget, np.random.default_rng([seed, 5]))
            for seed in range(runs if claim == 1 else 5)
        ]
        for reading in found[0]:
            beaten = sum(one[reading] for one in found)
            if claim == 1:
                assert beaten <= binom.isf(1e-6, runs, LEVEL)
            elif reading != "c = 0.01":  # so small an event needs more draws
                assert beaten == 5


def test_the_kernel_test_finds_a_leak() -> None:
    """It must hold that it shows a total leak, and not randomized response at its loss."""
    rng = np.random.default_rng(0)
    assert PEERS["kernel"].certify(CASES["total leak / 1"].given(), "", 400, rng) == {"": True}
    assert PEERS["kernel"].certify(bit(1.0, 1.0), "", 400, rng) == {"": False}


def test_limits_are_clopper_and_pearsons() -> None:
    """It must hold that limits are beta quantiles, and 0 and 1 at the ends."""
    low = clopper_pearson(7, 50, upper=False, alpha=0.025)
    up = clopper_pearson(7, 50, upper=True, alpha=0.025)
    assert (low, up) == pytest.approx((beta.ppf(0.025, 7, 44), beta.ppf(0.975, 8, 43)))
    assert clopper_pearson(0, 50, upper=False, alpha=0.025) == 0
    assert clopper_pearson(50, 50, upper=True, alpha=0.025) == 1


@pytest.mark.long
def test_thinning_makes_the_claim_an_equality(dp_rng: np.random.Generator) -> None:
    """It must hold that at P = e^epsilon Q small p-values are rare, and usual beyond."""
    n, q, epsilon = 2_000, 0.1, 0.7
    small = dict.fromkeys((0.7, 1.2), 0)
    for loss in small:
        for _ in range(300):
            hits, other = dp_rng.binomial(n, q * math.exp(loss)), dp_rng.binomial(n, q)
            small[loss] += thinned_p_value(hits, other, n, epsilon, dp_rng) < LEVEL
    assert small[0.7] <= binom.isf(1e-6, 300, LEVEL)
    assert small[1.2] > 200


def test_no_draw_is_used_twice() -> None:
    """It must hold that training and test draws are disjoint, and together all."""
    arms = np.arange(10), np.arange(10, 20)
    first, rest = split(arms, 0.3)
    assert [*first[0], *rest[0], *first[1], *rest[1]] == list(range(20))
    assert len(first[0]) == len(first[1]) == 3


@pytest.mark.parametrize("name", CASES)
def test_cases_are_violations_in_the_given_direction(name: str) -> None:
    """It must hold that the given pair violates the claim, likelier on the first data set."""
    case = CASES[name]
    given = case.given()
    p, q = case.laws(case.best)
    if given.likelier is not case.best.data:
        p, q = q, p
    assert (p.sum(), q.sum()) == pytest.approx((1, 1), abs=1e-6)
    s = math.exp(given.epsilon)
    forth, back = np.maximum(p - s * q, 0).sum(), np.maximum(q - s * p, 0).sum()
    assert forth > 0
    assert forth >= back
    with np.errstate(divide="ignore", invalid="ignore"):
        loss = np.log(p) - np.log(q)
    assert loss[p > 1e-12].max() > given.epsilon


def test_laws_of_own_mechanisms_are_the_samplers(dp_rng: np.random.Generator) -> None:
    """It must hold that hits of an event have the cells' probability, told from 10 % less."""
    events = {
        "Gauss clipped to [0, 1], 1.15 / .9": (lambda z: z == 0, 0, lambda p: p[0]),
        "exponential mechanism, 12 outcomes, 1.15 / 1": (lambda z: z < 4, 1, lambda p: p[:4].sum()),
        "sum of two noisy coordinates, 2 / 1": (lambda z: z <= 0, 1, lambda p: p[:2001].sum()),
    }
    for name, (event, arm, mass_of) in events.items():
        case: Case = CASES[name]
        mass = float(mass_of(case.laws(case.best)[arm]))
        data = (case.best.data, case.best.neighbor)[arm]
        size = math.ceil(14_400 / mass)
        hits = int(event(case.draw(data, size, dp_rng)).sum())
        assert binom.ppf(5e-10, size, mass) <= hits <= binom.isf(5e-10, size, mass)
        assert hits > binom.isf(5e-10, size, 0.9 * mass)


def test_budgets_are_the_steps_around_ours() -> None:
    """It must hold that they begin at the step below, and end within the last."""
    assert budgets(250, 2_200) == [200, 300, 500, 700, 1_000, 1_500, 2_000]
    assert budgets(5, 40) == [20, 30]
    assert budgets(9_000, 6_000) == [5_000]


def swept(
    monkeypatch: pytest.MonkeyPatch, least: dict[int, Sequence[int]], ours: float
) -> tuple[Best | None, list[tuple[int, int]]]:
    """Sweep a test whose seeds show the violation only at certain budgets."""
    asked: list[tuple[int, int]] = []

    def run(self: peer_sweep.Trial) -> dict[str, Any]:
        asked.append((self.budget, self.first))
        seeds = range(self.first, self.first + self.runs)
        found = {"": [seed in least.get(self.budget, ()) for seed in seeds]}
        line = {"case": self.case, "peer": self.peer, "tuning": self.tuning, "found": found}
        return line | {
            "budget": self.budget,
            "first": self.first,
            "runs": self.runs,
            "seconds": 1.0,
        }

    monkeypatch.setattr(peer_sweep.Trial, "run", run)
    monkeypatch.setitem(PEERS, "statdp", peer_sweep.PEERS["kernel"])
    return sweep(Bench(Journal(None, ""), 1, "", "statdp"), ours), asked


ALL = (*range(10), *range(1_000, 1_020))


def test_the_least_confirmed_budget_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that nine of ten are enough, that 16 of 20 do not confirm, and 17 do."""
    least = {
        1_000: range(8),
        1_500: (*range(9), *range(1_000, 1_016)),
        2_000: (*range(1, 10), *range(1_000, 1_017)),
    }
    best, asked = swept(monkeypatch, least, 2_000)
    assert best is not None
    assert (best.budget, best.below, best.confirmed) == (2_000, 1_500, "17 of 20")
    assert (500, 0) in asked
    assert (500, 5) not in asked  # two failures: left


def test_a_first_budget_that_is_enough_is_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that smaller budgets are tried where a quarter of ours is enough."""
    best, _ = swept(monkeypatch, dict.fromkeys((150, 200, 300, 500), ALL), 2_000)
    assert best is not None
    assert (best.budget, best.below) == (150, 100)


def test_beyond_sixteen_times_ours_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a test that never shows it has the largest budget that was tried."""
    best, _ = swept(monkeypatch, {}, 300)
    assert best is not None
    assert math.isinf(best.budget)
    assert best.below == 3_000  # of 4,800, the kernel test's largest being 6,000


def test_goals_compare_with_the_best_published_test() -> None:
    """It must hold that a mixture of tools decides nothing, and time is judged by the sampler's."""
    case = CASES["Laplace, 1 / .8"]
    ours = peers.Measured(Quantile(1_000, 900, 1_200), Quantile(2_300, 2_000, 2_500), 0.2)
    others = {
        "mixture": Best(1_500, 1_000, "", 0.01, "20 of 20"),
        "statdp": Best(2_000, 1_500, "24", 0.1, "18 of 20"),
        "sniper": Best(2_000, 1_500, "", 0.3, "18 of 20"),
    }
    compared = peers.Compared(case, ours, ours, others)
    assert compared.peer == "statdp"
    assert compared.goals == ("open", "met", "open", "met")
    assert "2.00 [1.25, 2.22]" in compared.line()
    slower = peers.Compared(case, peers.Measured(ours.draws, ours.every, 0.31), ours, others)
    assert slower.goals[3] == "missed"


@pytest.mark.parametrize(
    ("below", "budget", "goals"),
    [
        (2_400, 3_000, ("met", "met", "open")),
        (700, 890, ("missed", "missed", "missed")),
        (1_200, 1_500, ("missed", "met", "missed")),
        (2_900, math.inf, ("met", "met", "met")),
    ],
)
def test_goals_are_met_by_intervals(below: float, budget: float, goals: tuple[str, ...]) -> None:
    """It must hold that a goal is met, or missed, where no end of the ratio says otherwise."""
    ours = peers.Measured(Quantile(1_000, 900, 1_200), Quantile(2_300, 2_000, 2_900), 0.2)
    case, others = CASES["Laplace, 1 / .8"], {"statdp": Best(budget, below, "24", 0.1, "20 of 20")}
    assert peers.Compared(case, ours, ours, others).goals[:3] == goals


def test_what_we_never_find_is_missed() -> None:
    """It must hold where our quantile is infinite and the other test's is not."""
    never = Quantile(math.inf, 5_000, math.inf)
    ours, case = peers.Measured(never, never, 0.2), CASES["Laplace, 1 / .8"]
    found = peers.Compared(case, ours, ours, {"statdp": Best(1_000, 700, "24", 0.1, "20 of 20")})
    assert found.goals[:3] == ("missed", "missed", "missed")
    both = peers.Compared(case, ours, ours, {"statdp": Best(math.inf, 9_000)})
    assert both.goals[:3] == ("open", "open", "open")


def test_kinds_of_classifiers_can_be_left_out() -> None:
    """It must hold that their tunings are not tried, that others are, and that this is said."""
    whole = Bench(Journal(None, ""), 1, "", "classifier")
    some = Bench(Journal(None, ""), 1, "", "classifier", ("network",))
    left = set(whole.tunings) - set(some.tunings)
    assert left
    assert all(tuning.startswith("network") for tuning in left)
    assert not any(tuning.startswith("network") for tuning in some.tunings)
    assert peers.left_out(["statdp"], ["network"])[-1] == "network"
    assert "StatDP" not in peers.left_out(["statdp"], [])


@pytest.mark.long
def test_the_job_ends_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a case with tiny budgets is compared, and that nothing is run twice."""
    words = ["", "--output", str(tmp_path), "--cases", "14", "--peers", "statdp,kernel"]
    monkeypatch.setattr(sys, "argv", [*words, "--seeds", "2"])
    peers.main()
    lines = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert set(lines) == {"ours.jsonl", "peers.jsonl"}
    peers.main()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == lines
    printed = capsys.readouterr().out
    assert "| total leak / 1 |" in printed
    assert "of 1 cases" in printed
