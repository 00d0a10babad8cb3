"""Mistakes that other auditors have made: each a test that this one does not make it.

The defects are those that reading and running the published tools has shown: generators copied to
every worker, a wrong constant in the DKW bound, one coin for all ties, fractional counts, many
tests at the full level, a NaN that passes, a reference mean that leaks, outputs that the tool's
own tester refuses, sides confused.
"""

from __future__ import annotations

import enum
import math
import pickle
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.draws.encode import Encoder
from audit.draws.settings import Settings
from audit.draws.streams import Purpose, stream
from audit.engine.bet_growth import log_e_value
from audit.engine.counts.block import tally
from audit.engine.detectable_power import detectable
from audit.engine.partitions import fit_all
from audit.engine.sequential import audit
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.load import load_target
from mechanisms.claims import ApproxDP, PersonalizedDP, PureDP, Relation
from mechanisms.registry import MECHANISMS
from tests.audit.engine.samplers import claim, geometric, laplace, target
from tests.calibrated import draws_for
from tests.grids import lines_of
from tests.slow import by_default

SCALARS = Pair("0 against 1", 0.0, 1.0)
SURE = 1e-9


def run(draw: Any, epsilon: Any, *pairs: Pair, seed: int = 1, **settings: Any) -> AuditResult:
    """Audit a sampler with small defaults."""
    settings = {"budget_samples": 20_000, "ideal": True, "false_alarm": 0.05, **settings}
    delta = settings.pop("delta", 0)
    return audit(target(draw), claim(epsilon, delta), pairs, Settings(seed=seed, **settings))


def exceeds(alarms: int, runs: int, level: float) -> bool:
    """Whether so many alarms have probability below 1e-9 at the level."""
    return bool(binom.sf(alarms - 1, runs, level) < SURE)


# 1. Shared random state


def correlation(first: np.random.Generator, second: np.random.Generator) -> float:
    """Correlation of 20,000 bits of each."""
    return float(np.corrcoef(first.integers(0, 2, 20_000), second.integers(0, 2, 20_000))[0, 1])


def test_workers_do_not_share_their_random_state() -> None:
    """It must hold that streams of different places are independent, where pickled copies agree."""
    held = np.random.default_rng(7)
    copies = [pickle.loads(pickle.dumps(held)) for _ in range(2)]
    assert correlation(*copies) > 0.99
    names = ("pair", "arm", "batch", "block")
    places = [dict(zip(names, place, strict=True)) for place in product((0, 1), repeat=4)]

    def at(place: dict[str, int]) -> np.random.Generator:
        return stream(5, Purpose.RUN, **place)

    limit = math.sqrt(2 * math.log(2 / SURE) / 20_000)
    assert all(abs(correlation(at(places[0]), at(p))) < limit for p in places[1:])
    words = {int(at(p).integers(2**63)) for p in places}
    assert len(words) == len(places)


def test_a_target_with_a_copied_generator_is_no_pass_and_no_finding() -> None:
    """It must hold that a mechanism whose own generator is copied to each call is INCONCLUSIVE."""
    frozen = pickle.dumps(np.random.default_rng(7))
    result = run(lambda d, n, rng: d + pickle.loads(frozen).laplace(size=n), 1, SCALARS)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "not independent" in result.reason


# 2. The DKW constant


@pytest.mark.parametrize("right", [True, False], ids=["log(2/alpha)", "log(2)"])
def test_dkw_errs_at_the_stated_rate(right: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that our draws for a distance keep alpha, and those of a wrong constant not."""
    distance, alpha, runs = 0.2, 0.05, 2_000
    size = draws_for(distance, alpha) if right else math.ceil(2 * math.log(2) / distance**2)
    draws = np.sort(dp_rng.random((runs, size)), axis=1)
    place = np.arange(1, size + 1) / size
    seen = np.maximum(place - draws, draws - place + 1 / size).max(axis=1)
    alarms = int((seen >= distance / 2).sum())
    print(f"right={right}: {alarms / runs:.4f}")
    assert exceeds(alarms, runs, alpha) != right


# 3. One tie coin for the whole sample


@pytest.mark.parametrize("one_coin", [False, True], ids=["by draw", "one coin"])
def test_ties_are_no_finding(one_coin: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that one coin for all ties of an arm refutes identical laws."""
    runs, size, q0 = 4_000, 100, 0.3
    ties = dp_rng.binomial(size, 0.6, (2, runs))
    coins = dp_rng.random((2, runs)) < 0.5
    hits, other = np.where(coins, ties, 0) if one_coin else dp_rng.binomial(ties, 0.5)
    mu = 0.3 / (1 - q0)
    numbers = (np.array(x) for x in (q0, mu, 1.0, 0.0))
    value = log_e_value(hits.astype(float), other.astype(float), size, *numbers)
    alarms = int((value >= math.log(20)).sum())
    print(f"one_coin={one_coin}: {alarms / runs:.4f}")
    assert exceeds(alarms, runs, 0.05) == one_coin


@pytest.mark.parametrize("ideal", [True, False], ids=["ideal", "with lattices"])
def test_equal_outputs_fall_into_equal_cells(ideal: bool, dp_rng: np.random.Generator) -> None:
    """It must hold that a partition has no coin: the cell is a function of the output."""
    places = np.arange(-3, 4) / 10  # whole numbers have no lattices
    values = dp_rng.choice(places, (2, 1000))
    values[:, ::7] = np.nan
    encoder = Encoder()
    arms = [encoder.encode(arm) for arm in values]
    fitted = fit_all(encoder, arms[0], arms[1], ideal=ideal)
    assert len(fitted) == (1 if ideal else 3)
    for partition in fitted:
        codes = np.concatenate([partition.codes(arm) for arm in arms])
        flat = values.ravel()
        kinds = [flat == v for v in places] + [np.isnan(flat)]
        assert [np.unique(codes[kind]).size for kind in kinds] == [1] * 8


# 4. Fractional counts


def test_counts_are_whole_and_complete(dp_rng: np.random.Generator) -> None:
    """It must hold that each draw counts once in one cell, of whatever partition."""
    values = dp_rng.laplace(size=(2, 501))
    values[0, ::5], values[1, ::9] = np.nan, np.inf
    encoder = Encoder()
    first, second = (encoder.encode(arm) for arm in values)
    fitted = fit_all(encoder, first, second, ideal=False)
    assert len(fitted) == 3
    for partition in fitted:
        for arm in (first, second):
            counts = tally(partition, arm, start=0, look=250)
            assert counts.dtype == np.int64
            assert counts.sum(axis=-1).tolist() == [[125, 125], [126, 125]]


# 5. Family-wise control (the rates themselves: tests/theorems/test_pairs.py)


@pytest.mark.slow
def test_many_pairs_at_the_claim_share_one_level() -> None:
    """It must hold that 12 pairs, each at its exact claim, are refuted no more often than one."""
    pairs = [Pair(f"{k} and {k + 1}", k, k + 1) for k in range(12)]
    seeds = range(60)
    alarms = sum(
        run(geometric, 1, *pairs, seed=seed, budget_samples=30_000).verdict is Verdict.REFUTED
        for seed in seeds
    )
    print(f"12 pairs: {alarms} of {len(seeds)}")
    assert not exceeds(alarms, len(seeds), 0.05)


# 6. Silent nothing


@pytest.mark.parametrize("draws", [0, 1, 200, 10_000])
@pytest.mark.parametrize("level", [(0.0, 0.0), (1.0, 0.0), (1.0, 0.999), (200.0, 0.0)])
def test_the_power_statement_is_never_nan(draws: int, level: tuple[float, float]) -> None:
    """It must hold that too few draws and extreme claims give infinity, which passes nothing."""
    promise = ApproxDP(*level) if level[1] else PureDP(level[0])
    power = detectable(
        draws, 1, grid=lines_of(promise, Relation.LISTED), false_alarm=0.05, resolution=None
    )
    assert not any(math.isnan(x) for x in (*power.epsilons, power.limit))
    if draws <= 200 or level[0] == 200:
        assert min(power.epsilons) > power.limit


@pytest.mark.parametrize(("epsilon", "delta"), [(200, 0), (20, "1e-3"), (1, "0.999")])
def test_what_cannot_be_tested_is_inconclusive(epsilon: int, delta: Any) -> None:
    """It must hold that a claim out of reach of the samples is not called consistent."""
    result = run(lambda d, n, rng: np.full(n, d), epsilon, SCALARS, delta=delta, budget_samples=900)
    assert result.verdict is Verdict.INCONCLUSIVE


def test_nan_on_one_side_is_a_finding() -> None:
    """It must hold that NaN is an output: one that is likelier on one side refutes."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        return np.where(rng.random(size) < 0.05 + 0.3 * data, np.nan, 0.0)

    result = run(draw, 1, SCALARS, budget_samples=100_000)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness.likelier == "neighbor"


# 7. A reference mean that leaks


def private_mean(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Mean on [0, 1] at epsilon 1, half on a count that divides the sum and the noise scale."""
    count = len(data) + rng.laplace(scale=2.0, size=size)
    return np.sum(data) / count + rng.laplace(size=size) * np.maximum(1e-12, 2 / count)


@pytest.mark.long
@pytest.mark.parametrize("ideal", [True, False], ids=["ideal", "with lattices"])
def test_a_mean_whose_noise_vanishes_is_refuted(ideal: bool) -> None:
    """It must hold that a noise scale that a negative noisy count turns off is found."""
    pair = Pair("one record and two", np.zeros(1), np.array([0.0, 1.0]))
    result = run(private_mean, 1, pair, budget_samples=200_000, ideal=ideal)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness.likelier == "data"
    assert result.limits["epsilon"] >= 1


SOUND = [name for name, entry in MECHANISMS.items() if entry.form == "sound"]


@pytest.mark.parametrize(
    "name", by_default(["ksw.swap-laplace", "pdp.mean", "tri.combined"], SOUND)
)
def test_our_own_mechanisms_are_testable_and_do_not_leak(name: str) -> None:
    """It must hold that each reference mechanism is auditable, and kept on a tiny data set."""
    own = load_target(name)
    assert own.claim is not None
    relation = own.claim.relation
    small, large = np.zeros(own.count or 1), np.array([0.0, 1.0])
    swapped = np.where(np.arange(small.size) == 0, 1.0, small)
    other = large if relation is Relation.ADD_REMOVE else swapped
    user = None
    if isinstance(own.claim.level, PersonalizedDP):
        user = 0
        if relation is Relation.ADD_REMOVE:  # rows (record, budget)
            small, other = np.zeros((0, 2)), np.array([[1.0, float(own.claim.level.budgets[0])]])
    pair = Pair("tiny", small, other, user=user)
    settings = Settings(
        seed=1, false_alarm=1e-6, ideal=MECHANISMS[name].floating_point, budget_samples=1_000
    )
    result = audit(own, own.claim, [pair], settings)
    assert result.verdict is not Verdict.REFUTED
    assert result.stopped_by == "samples"


# 8. Outputs that are no numbers


class Answer(enum.Enum):
    """Outputs as the sparse vector technique has them."""

    ABOVE = "above"
    BELOW = "below"


@pytest.mark.slow
def test_arrays_of_enum_members_are_outputs() -> None:
    """It must hold that object arrays of symbols are audited, and only a lie is refuted."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        above = data + rng.laplace(size=(size, 2)) > 0.5
        return np.array(list(Answer), dtype=object)[above.astype(int)]

    assert draw(0.0, 3, np.random.default_rng(1)).dtype == object
    assert run(draw, "1/2", SCALARS, budget_samples=100_000).verdict is Verdict.REFUTED
    assert run(draw, 2, SCALARS).verdict is not Verdict.REFUTED


# 9. Confused sides


def one_way(data: float, size: int, rng: np.random.Generator) -> Any:
    """An event of probability 0.02 on 0 and 0.32 on 1: the claim breaks in one direction only."""
    return (rng.random(size) < 0.02 + 0.3 * data).astype(float)


@pytest.mark.parametrize("seed", by_default([0], range(2)))
def test_swapped_sides_mirror_the_witness(seed: int) -> None:
    """It must hold that data and neighbor swapped give the same verdict and the same culprit."""
    settings = {"seed": seed, "budget_samples": 100_000}
    here = run(one_way, 1, SCALARS, **settings)
    there = run(one_way, 1, Pair("1 against 0", 1.0, 0.0), **settings)
    assert here.verdict is there.verdict is Verdict.REFUTED
    assert here.witness is not None
    assert there.witness is not None
    assert (here.witness.likelier, there.witness.likelier) == ("neighbor", "data")
    for witness in (here.witness, there.witness):
        assert witness.hits > 5 * witness.other_hits


@pytest.mark.long
@pytest.mark.parametrize("draw", [laplace(), geometric], ids=["Laplace", "geometric"])
@pytest.mark.parametrize("epsilon", ["1/2", 1], ids=["broken", "kept"])
def test_swapped_sides_have_the_same_verdict(draw: Any, epsilon: Any) -> None:
    """It must hold that a symmetric mechanism is judged alike whichever side comes first."""
    pairs = [SCALARS, Pair("1 against 0", 1.0, 0.0)]
    budget = {"1/2": 20_000, 1: 4_000}[epsilon]  # what is kept is drawn to the end
    verdicts = {
        run(draw, epsilon, pair, budget_samples=budget, false_alarm=0.001).verdict for pair in pairs
    }
    assert len(verdicts) == 1
    assert (Verdict.REFUTED in verdicts) == (epsilon == "1/2")


@pytest.mark.parametrize("bias", [0.0, 0.2])
def test_epsilon_zero_is_a_claim(bias: float) -> None:
    """It must hold that equal laws keep epsilon = 0 and unequal ones break it."""
    result = run(lambda d, n, rng: rng.random(n) < 0.3 + bias * d, 0, SCALARS)
    assert (result.verdict is Verdict.REFUTED) == (bias > 0)


# Identical laws


NULLS: dict[str, Any] = {
    "normal": lambda d, n, rng: rng.normal(size=n),
    "atoms": lambda d, n, rng: rng.integers(0, 5, n),
    "NaN at times": lambda d, n, rng: np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
    "vectors": lambda d, n, rng: rng.normal(size=(n, 3)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NULLS)
def test_identical_laws_have_no_lower_limit(name: str) -> None:
    """It must hold that laws that ignore the data get a lower limit above 0 within the level."""
    seeds = range(16)
    results = [run(NULLS[name], 0, SCALARS, seed=seed, budget_samples=8_000) for seed in seeds]
    alarms = sum(r.verdict is Verdict.REFUTED or r.limits["epsilon"] > 0 for r in results)
    assert not exceeds(alarms, len(seeds), 0.05)
