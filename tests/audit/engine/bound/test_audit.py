"""The audit of a fixed budget end to end: verdicts, limits, predictability, failures."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.draws.settings import Settings
from audit.engine.alone import COMPARED
from audit.engine.bound import choose, holdout
from audit.engine.bound import training as training_module
from audit.engine.bound.bound_audit import audit
from audit.engine.bound.training import training_share
from audit.engine.pictures import evidence_plot
from audit.engine.two_binomials import Counts
from audit.pairs.worst_cases import Pair, worst_case_pairs
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.domain import Declared, Domain
from mechanisms.claims import GaussianDP, PrivacyClaim, Relation, Source
from mechanisms.errors import InvalidArgument
from tests.audit.engine.samplers import claim, geometric, laplace, target
from tests.clock import Clock

SCALARS = [Pair("0 against 1", 0.0, 1.0)]
BUDGET = 40_000
TRAINED_ON = BUDGET - 4 * COMPARED
HELD_OUT = 2 * round(TRAINED_ON * (1 - training_share(1)) / 2)
UNIT = Domain(Relation.ADD_REMOVE, bounds=(Fraction(0), Fraction(1)), records=Declared.DECLARED)
WORST = worst_case_pairs(UNIT)[:3]


def run(
    draw: Any, epsilon: Any, *, delta: Any = 0, pairs: Any = None, seed: int = 1, **settings: Any
) -> AuditResult:
    """Audit a sampler with a small budget."""
    settings = {"budget_samples": BUDGET, "ideal": True, "false_alarm": 0.05, **settings}
    pairs = SCALARS if pairs is None else pairs
    return audit(target(draw), claim(epsilon, delta), pairs, Settings(seed=seed, **settings))


def gaussian(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Scalar data plus Gaussian noise: delta(1) = 0.12694."""
    return data + rng.normal(size=size)


@pytest.mark.slow
def test_the_limit_is_tight_on_laplace() -> None:
    """It must hold that the mean gap at 1e5 draws of each arm is at most twice the theory's."""
    gaps = np.array(
        [1 - run(laplace(), 1, seed=s, budget_samples=200_000).limits["epsilon"] for s in range(5)]
    )
    print(f"mean gap {gaps.mean():.4f}")
    assert gaps.mean() < 0.0272


@pytest.mark.parametrize(
    ("draw", "epsilon", "delta"),
    [(laplace(), "1/2", 0), (geometric, "0.7", 0), (gaussian, 1, "1/20")],
    ids=["Laplace", "geometric", "Gaussian"],
)
def test_refutes_with_a_limit_above_the_claim(draw: Any, epsilon: Any, delta: Any) -> None:
    """It must hold that a false claim is REFUTED, both limits above it, with a witness."""
    result = run(draw, epsilon, delta=delta)
    assert result.verdict is Verdict.REFUTED
    assert result.stopped_by == "refuted"
    assert result.limits["epsilon"] > float(Fraction(epsilon))
    assert result.limits["delta"] > float(Fraction(str(delta)))
    assert result.witness is not None
    assert result.witness.hits > result.witness.other_hits
    assert result.witness.event in result.reason
    assert result.samples == 40_000 + 2 * result.witness.draws


NULLS = {
    "Laplace": (laplace(), 1, 0),
    "geometric": (geometric, 1, 0),
    "Gaussian": (gaussian, 1, "0.12694"),
}


def refuted_of(runs: int, name: str, **settings: Any) -> int:
    """How many limits at the exact claim exceed it: a verdict asks for fresh draws besides."""
    draw, epsilon, delta = NULLS[name]
    refuted = 0
    for seed in range(runs):
        result = run(draw, epsilon, delta=delta, seed=seed, **settings)
        exceeds = result.limits["epsilon"] > 1 + 1e-9
        assert exceeds or result.verdict is not Verdict.REFUTED
        refuted += exceeds
    return refuted


@pytest.mark.long
@pytest.mark.parametrize("name", NULLS)
def test_a_true_claim_is_rarely_refuted(name: str) -> None:
    """It must hold that audits at the exact claim refute it rarely, by verdict and by limit."""
    refuted = refuted_of(15, name, budget_samples=4_000, false_alarm=0.2)
    print(f"{refuted} of 15")
    assert binom.sf(refuted - 1, 15, 0.2) > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
def test_null_calibration(name: str) -> None:
    """It must hold that of 400 audits at the exact claim no more are refuted than level .05 has."""
    refuted = refuted_of(400, name, budget_samples=10_000)
    print(f"{name}: {refuted} of 400")
    assert binom.sf(refuted - 1, 400, 0.05) > 1e-4


def test_a_claim_of_a_point_mass_is_refuted_exactly() -> None:
    """It must hold that different constants are REFUTED, and equal ones are not."""
    result = run(lambda d, n, rng: np.full(n, float(d)), 1)
    assert result.verdict is Verdict.REFUTED
    assert result.limits["epsilon"] > 5
    assert run(lambda d, n, rng: np.full(n, 0.5), 0).verdict is not Verdict.REFUTED


def test_rare_events_are_tested_with_random_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a rare event gets arms of random sizes, and delta > 0 fixed ones."""
    drawn: list[tuple[bool, int, int]] = []
    original = holdout.judge

    def watched(choice: Any, counts: Any, **rest: Any) -> Any:
        drawn.append((choice.conditional, round(HELD_OUT * choice.label_share), counts.draws))
        assert counts.draws + counts.other_draws == HELD_OUT
        return original(choice, counts, **rest)

    monkeypatch.setattr("audit.engine.bound.bound_audit.judge", watched)

    def rare(data: float, size: int, rng: np.random.Generator) -> Any:
        return np.where(rng.random(size) < 0.01 * data, 5.0, 0.0)

    assert run(rare, 1).verdict is Verdict.REFUTED
    assert run(rare, 1, delta="1/1000").verdict is Verdict.REFUTED
    (conditional, expected, first), (unconditional, fixed, size) = drawn
    assert conditional
    assert 0 < abs(first - expected) < 6 * math.sqrt(8_000)
    assert not unconditional
    assert size == fixed


@pytest.mark.long
def test_the_choice_reads_training_draws_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that event, test, sizes and grid stand before the first held-out draw."""
    chosen: list[tuple[Any, ...]] = []
    original = holdout.count_held_out

    def watched(run: Any, choice: Any, draws: int) -> Any:
        grid = holdout.grid_around(choice, 1.0)
        chosen.append((choice.cells.tolist(), choice.arm, choice.conditional, draws, grid))
        return original(run, choice, draws)

    monkeypatch.setattr("audit.engine.bound.bound_audit.count_held_out", watched)
    drawn = 0

    def changing(calm: bool) -> Any:
        def draw(data: float, size: int, rng: np.random.Generator) -> Any:
            nonlocal drawn
            drawn += size
            scale = 1.0 if calm or drawn <= BUDGET - HELD_OUT + 4 * COMPARED else 0.01
            return data + rng.laplace(scale=scale, size=size)

        return draw

    first = run(changing(True), 1)
    drawn = 0
    second = run(changing(False), 1)
    assert chosen[0] == chosen[1]
    assert first.limits["epsilon"] != second.limits["epsilon"]


CHOICE = choose.ChosenEvent(
    None,  # type: ignore[arg-type]
    None,  # type: ignore[arg-type]
    np.array([True]),
    0,
    conditional=False,
    label_share=0.5,
    safe=True,
    score=1.0,
    predicted=1.03,
    spread=0.007,
)


def test_a_refuted_claim_is_not_above_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a point below the claim that stands takes REFUTED away."""
    counts = Counts(900, 100, 1_000, 1_000)
    finding = holdout.judge(CHOICE, counts, claim=(1.0, 0.0), false_alarm=0.05)
    assert finding.refuted
    assert finding.epsilon_lower > 1
    monkeypatch.setattr(holdout.berger_boos, "epsilon_lower", lambda *_, **__: 0.9)
    doubtful = holdout.judge(CHOICE, counts, claim=(1.0, 0.0), false_alarm=0.05)
    assert not doubtful.refuted


def test_a_limit_far_from_the_prediction_is_found_too() -> None:
    """It must hold that the grid has points near any limit: steps of 1 % of epsilon or less."""
    grid = np.array(holdout.grid_around(CHOICE, 1.0))
    assert (np.diff(grid) > 0).all()
    assert np.diff(grid[grid < 15]).max() < 0.011
    assert np.diff(grid[np.abs(grid - 1.03) < 0.05]).max() < 1e-4
    assert {0.0, 1.0, 200.0} <= set(grid.tolist())


def test_every_draw_is_fresh() -> None:
    """It must hold that training, test and witness share no random numbers, nor do the arms."""
    seen: list[float] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        noise = rng.laplace(size=size)
        seen.extend(noise)
        return data + noise

    result = run(draw, "1/2", budget_samples=12_000)
    assert result.verdict is Verdict.REFUTED
    assert len(seen) == result.samples
    assert len(set(seen)) == len(seen)


@pytest.mark.long
def test_the_same_seed_repeats_a_run() -> None:
    """It must hold that two runs with one seed agree, and another seed differs."""
    first, second = (run(laplace(), 1, pairs=[*SCALARS, Pair("0, 2", 0.0, 2.0)]) for _ in "ab")
    assert first.limits["epsilon"] == second.limits["epsilon"]
    assert first.notes == second.notes
    assert first.reproducible
    assert run(laplace(), 1, seed=2).limits["epsilon"] != run(laplace(), 1).limits["epsilon"]


@pytest.mark.long
def test_the_guilty_pair_is_found() -> None:
    """It must hold that of several pairs the one with the largest loss is tested."""
    pairs = [Pair(f"0 and {d}", 0.0, d) for d in (0.1, 0.3, 0.05, 2.0, 0.2)]
    result = run(laplace(), 1, pairs=pairs, budget_samples=100_000)
    assert "[0 and 2.0]" in result.notes[0]
    assert 1.8 < result.limits["epsilon"] < 2.05


@pytest.mark.long
def test_the_witness_is_shrunk() -> None:
    """It must hold that ten records shrink to the smallest pair that shows the violation."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return data.sum() + rng.laplace(scale=0.3, size=size)

    pairs = [Pair("ten zeros and a one", np.zeros(10), np.append(np.zeros(10), 1.0))]
    result = run(draw, 1, pairs=pairs)
    assert result.witness is not None
    assert len(result.witness.neighbor) == 1
    assert result.witness.shrunk_from == "ten zeros and a one"


@pytest.mark.long
def test_limits_grow_with_the_budget_and_do_not_depend_on_the_claim() -> None:
    """It must hold that more draws bring the mean limit closer, and a claim does not move it."""
    few, many = (
        np.mean([run(laplace(), 1, seed=s, budget_samples=n).limits["epsilon"] for s in range(3)])
        for n in (10_000, 100_000)
    )
    assert few < many
    limits = [run(laplace(), c, budget_samples=20_000).limits["epsilon"] for c in ("1/2", 1, 2)]
    assert max(limits) - min(limits) < 0.01


@pytest.mark.long
def test_failures_are_outcomes() -> None:
    """It must hold that a mechanism that fails on one data set is refuted by "raises"."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        if len(data) == 1:
            raise ZeroDivisionError
        return rng.normal(size=size)

    result = run(draw, 1, pairs=WORST)
    assert result.witness is not None
    assert result.witness.event == "output raises ZeroDivisionError"


def test_a_failure_within_the_test_says_nothing() -> None:
    """It must hold that a call for many held-out draws that raises ends the audit undecided."""
    calls = 0

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        nonlocal calls
        calls += size
        if calls > 30_000:
            raise RuntimeError
        return data + rng.laplace(size=size)

    result = run(draw, "1/2")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.stopped_by == "failure"
    assert "raised RuntimeError" in result.reason
    assert result.limits["epsilon"] == 0


def test_a_test_that_time_cuts_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that no limit is made from a part of the held-out draws."""
    monkeypatch.setattr(training_module, "SHARE_OF_TIME", 50.0)
    timed = Clock().install(monkeypatch).ticking(laplace(), a_draw=2e-5)
    result = run(timed, "1/2", budget_seconds=0.5)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "the time ran out" in result.reason
    assert result.limits["epsilon"] == result.limits["delta"] == 0


def test_the_time_sets_the_number_of_held_out_draws_beforehand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that a slow target is tested on fewer draws, within its time."""
    timed = Clock().install(monkeypatch).ticking(laplace(0.3), a_draw=5e-5)
    result = run(timed, 1, budget_samples=10**7, budget_seconds=2.0)
    assert result.verdict is Verdict.REFUTED
    assert result.samples < 200_000
    assert not result.reproducible
    assert result.notes[-1].startswith("the time, not the samples")


def test_dependent_draws_are_no_evidence() -> None:
    """It must hold that a sampler that repeats itself is INCONCLUSIVE."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        return data + np.random.default_rng(0).laplace(size=size)

    result = run(draw, "1/2")
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "not independent" in result.reason


def test_what_was_undecided_states_its_power() -> None:
    """It must hold that CONSISTENT states what would have been found, from the held-out draws."""
    result = run(laplace(), 1)
    assert result.detectable is not None
    assert result.detectable.draws == HELD_OUT // 2
    assert run(laplace(), 1, budget_samples=4 * BUDGET).verdict is Verdict.CONSISTENT
    coarse = run(laplace(), 1, budget_samples=1_000)
    assert coarse.verdict is Verdict.INCONCLUSIVE
    assert "too coarse" in coarse.reason
    power = coarse.detectable
    assert power is not None
    assert math.isinf(power.at_tenth)
    assert "0.1 would not have been found for certain, however large its loss, and" in coarse.reason
    assert not re.search(r"\binf\b", coarse.reason)
    (scale,) = (plot for plot in evidence_plot(coarse))
    assert "would not have been seen, whatever it lost" in scale.words


@pytest.mark.long
def test_the_power_statement_is_met() -> None:
    """It must hold that violations as large as stated are refuted in most of the runs."""
    stated = run(laplace(), 1).detectable
    assert stated is not None
    for mass in (0.5, 0.01):
        true = stated.epsilons[stated.masses.index(mass)]

        def draw(
            data: float, size: int, rng: np.random.Generator, mass: float = mass, true: float = true
        ) -> Any:
            p = mass if data == 0 else mass * math.exp(-true)
            return (rng.random(size) < p).astype(float)

        refuted = sum(run(draw, 1, seed=s).verdict is Verdict.REFUTED for s in range(6))
        print(f"mass {mass}, epsilon {true:.3f}: {refuted} of 6")
        assert refuted >= 4


@pytest.mark.parametrize("false_alarm", [0.01, 0.3])
def test_budgets_too_small_are_said_so(false_alarm: float) -> None:
    """It must hold that a budget of a few draws is INCONCLUSIVE with the number needed."""
    result = run(laplace(), 1, budget_samples=200, false_alarm=false_alarm)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert f"at least {math.ceil(100 / training_share(1))} are needed" in result.reason


def test_other_claims_name_the_mode_that_audits_them() -> None:
    """It must hold that a claim that is no single line is refused with a hint."""
    other = PrivacyClaim(GaussianDP(1), Relation.LISTED, Source("user", "stated in a test"))
    with pytest.raises(InvalidArgument, match="use mode 'sequential'"):
        audit(target(laplace()), other, SCALARS, Settings(seed=1, false_alarm=0.05))


@pytest.mark.parametrize("pairs", [[], [Pair("the same", 0.0, 0.0)]], ids=["none", "equal"])
def test_pairs_are_checked(pairs: list[Pair]) -> None:
    """It must hold that no pairs, or equal data sets, are refused."""
    with pytest.raises(InvalidArgument, match="pair"):
        run(laplace(), 1, pairs=pairs)
