"""The sequential audit end to end: what it refutes, what it leaves alone, what it admits."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from audit.draws.new_draws import fresh_outputs
from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair, worst_case_pairs
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.domain import Declared, Domain
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from tests.audit.engine.samplers import (
    claim,
    geometric,
    laplace,
    shifted_mean,
    target,
    transformed_mean,
)
from tests.clock import Clock
from tests.slow import all_but

SCALARS = [Pair("0 against 1", 0.0, 1.0)]
UNIT = Domain(Relation.ADD_REMOVE, bounds=(Fraction(0), Fraction(1)), records=Declared.DECLARED)
WORST = worst_case_pairs(UNIT)
MIXED = [Pair("three ones against four", np.ones(3), np.ones(4)), *WORST[:3]]


def run(
    draw: Any, epsilon: Any, pairs: list[Pair], *, delta: Any = 0, seed: int = 1, **settings: Any
) -> AuditResult:
    """Audit a sampler with small defaults."""
    settings = {"budget_samples": 60_000, "ideal": True, "false_alarm": 0.05, **settings}
    return audit(target(draw), claim(epsilon, delta), pairs, Settings(seed=seed, **settings))


REFUTED: dict[str, tuple[Any, Any, Any, list[Pair]]] = {
    "Laplace at half the claim": (laplace(), "1/2", 0, SCALARS),
    "geometric at half the claim": (geometric, "1/2", 0, SCALARS),
    "Gaussian with too small a delta": (
        lambda d, n, rng: d + rng.normal(size=n), 1, "1/20", SCALARS
    ),
    "Algorithm 3 with half the noise": (transformed_mean(0.5), 1, 0, WORST),
    "Algorithm 2, count noise 1/4": (shifted_mean(0.25), 1, 0, WORST),
    "Algorithm 2, noisy pair released": (shifted_mean(1.0, pair=True), 1, 0, WORST),
    "the number of records": (lambda d, n, rng: np.full(n, len(d)), 1, 0, WORST),
    "a vector of constants": (lambda d, n, rng: np.full((n, 2), float(len(d))), 1, 0, WORST[:4]),
    "the text of a category": (
        lambda d, n, rng: ["many" if len(d) > 2 else "few"] * n, 1, 0, WORST
    ),
    "a number in a dictionary": (
        lambda d, n, rng: [{"mean": x} for x in 9 * len(d) + rng.normal(size=n)], 1, 0, WORST[:4]
    ),
    "a complex number": (
        lambda d, n, rng: 9j * len(d) + rng.normal(size=n), 1, 0, WORST[:4]
    ),
    "integers beyond 2^53": (lambda d, n, rng: np.full(n, 2**60 + len(d)), 1, 0, WORST[:4]),
    "which exception": (
        lambda d, n, rng: [KeyError() if len(d) else ValueError()] * n, 1, 0, WORST[:4]
    ),
    "a rare word among many": (
        lambda d, n, rng: [
            "bad" if u < (0.3 if len(d) else 0.02) else f"id {k}"
            for u, k in zip(rng.random(n), rng.integers(2**60, size=n), strict=True)
        ], 1, 0, WORST[:1]
    ),
    "NaN for a NaN": (lambda d, n, rng: np.full(n, np.nan if len(d) == 3 else 0.0), 1, 0, WORST),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize(
    "name", all_but(["Algorithm 2, noisy pair released", "Algorithm 2, count noise 1/4"], REFUTED)
)
def test_refutes(name: str) -> None:
    """A broken promise is REFUTED, with a witness whose fresh counts differ."""
    draw, epsilon, delta, pairs = REFUTED[name]
    result = run(draw, epsilon, pairs, delta=delta, budget_samples=1_000_000)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness.hits > result.witness.other_hits
    assert result.witness.event in result.reason


SOUND: dict[str, tuple[Any, Any, Any, list[Pair]]] = {
    "Laplace": (laplace(), 1, 0, SCALARS),
    "geometric": (geometric, 1, 0, SCALARS),
    "Gaussian": (lambda d, n, rng: d + rng.normal(size=n), 1, "0.12694", SCALARS),
    "a constant": (lambda d, n, rng: np.full(n, 0.5), 0, 0, WORST[:4]),
    "a coin": (lambda d, n, rng: rng.random(n) < 0.5, 0, 0, WORST[:4]),
    "Algorithm 2 as a ratio, count noise 1": (shifted_mean(1.0), 1, 0, MIXED),
    "lists of varying length": (
        lambda d, n, rng: [rng.normal(size=k).tolist() for k in rng.poisson(1, n)], 1, 0, WORST[:2]
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", all_but(["lists of varying length"], SOUND))
def test_leaves_alone(name: str) -> None:
    """A promise that is kept exactly is not refuted, and the result states its power."""
    draw, epsilon, delta, pairs = SOUND[name]
    result = run(draw, epsilon, pairs, delta=delta, budget_samples=20_000)
    assert result.verdict in {Verdict.CONSISTENT, Verdict.INCONCLUSIVE}
    assert result.detectable is not None
    assert result.limits["epsilon"] <= float(Fraction(str(epsilon)))


@pytest.mark.long
def test_float_noise_is_refuted_by_the_lattice_and_only_by_it() -> None:
    """Numpy's Laplace at its exact claim: refuted on the doubles, left alone in real numbers."""
    floats = run(laplace(), 1, SCALARS, ideal=False)
    assert floats.verdict is Verdict.REFUTED
    assert floats.witness is not None
    assert floats.witness.feature == "floating-point lattice"
    real = run(laplace(), 1, SCALARS, ideal=True, budget_samples=floats.samples)
    assert real.verdict is not Verdict.REFUTED


@pytest.mark.slow
def test_a_grid_release_has_no_lattice_to_find() -> None:
    """Noise on a public grid passes with the lattices on."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        noise = rng.geometric(1 - np.exp(-1 / 1024), size) - rng.geometric(
            1 - np.exp(-1 / 1024), size
        )
        return (int(data * 1024) + noise) / 1024

    assert run(draw, 1, SCALARS, ideal=False).verdict is Verdict.CONSISTENT


@pytest.mark.long
def test_failures_are_outcomes_with_a_sentence() -> None:
    """A mechanism that fails on one neighbor is refuted by "raises"."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        if len(data) == 3:
            raise ZeroDivisionError
        return rng.normal(size=size)

    result = run(draw, 1, WORST, budget_samples=200_000)
    assert result.witness is not None
    assert result.witness.event == "output raises ZeroDivisionError"


@pytest.mark.long
def test_a_failing_draw_spoils_no_other_draw() -> None:
    """A batch that raises is drawn again one by one: rare failures keep their frequency."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        values = rng.random(size)
        if (values < 0.1).any():
            raise RuntimeError
        return values

    result = run(draw, 1, SCALARS, budget_samples=20_000)
    assert result.verdict is not Verdict.REFUTED
    assert "fails on every input" not in result.reason


def test_failing_on_every_input_is_inconclusive() -> None:
    """Nothing can be said of a mechanism that never answers."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        raise KeyError(size)

    result = run(draw, 1, SCALARS)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "fails on every input tried (raises KeyError: 1)" in result.reason


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_the_machine_failing_is_no_outcome(error: type[BaseException]) -> None:
    """Running out of memory, and stopping, go through."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        raise error

    with pytest.raises(error):
        run(draw, 1, SCALARS)


def test_cached_draws_are_inconclusive() -> None:
    """A sampler with a fixed seed inside voids the guarantees, and the reason says so."""
    result = run(lambda d, n, rng: d + np.random.default_rng(1).laplace(size=n), 1, SCALARS)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "not independent" in result.reason


@pytest.mark.long
def test_same_seed_same_result() -> None:
    """The seed and the number of samples repeat a run exactly."""
    few = {"budget_samples": 10_000}
    first, second = (run(transformed_mean(), 1, MIXED, seed=5, **few) for _ in range(2))
    assert (first.samples, first.limits["epsilon"]) == (second.samples, second.limits["epsilon"])
    assert first.detectable == second.detectable


@pytest.mark.long
def test_stopped_by_time_names_the_samples_that_repeat_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run cut by the clock is repeated by the printed number of samples."""
    timed = Clock().install(monkeypatch).ticking(laplace(), a_call=0.01)
    slow = run(timed, 1, SCALARS, budget_samples=10**9, budget_seconds=30)
    assert slow.stopped_by == "seconds"
    assert slow.repeat_samples is not None
    assert 0 <= slow.repeat_samples - slow.samples < 2  # both arms are drawn from alike
    assert any(f"--budget-samples {slow.repeat_samples} " in note for note in slow.notes)
    again = run(laplace(), 1, SCALARS, budget_samples=slow.repeat_samples)
    assert again.samples == slow.samples
    assert again.limits["epsilon"] == slow.limits["epsilon"]
    assert again.detectable == slow.detectable


@pytest.mark.long
def test_budget_is_kept() -> None:
    """Never more draws than the budget, refuted or not (fresh draws of a witness come on top)."""
    for budget in (8_001, 20_000):
        result = run(transformed_mean(), 1, MIXED, budget_samples=budget)
        assert budget - 2 * len(MIXED) - 2 <= result.samples <= budget
        assert result.upper is not None
        assert 0 <= budget // 8 - 2 * len(MIXED) * result.upper.draws <= 2 * len(MIXED)


@pytest.mark.long
def test_too_small_a_budget_is_said() -> None:
    """Too few samples for the pairs is INCONCLUSIVE with the number that is needed."""
    result = run(transformed_mean(), 1, WORST, budget_samples=100)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "at least 2414 are needed" in result.reason
    enough = run(transformed_mean(), 1, WORST, budget_samples=2_414)
    assert enough.stopped_by == "samples"


def test_bad_settings_are_refused() -> None:
    """Each setting outside its domain is an error that names it."""
    for name, value in (
        ("seed", -1),
        ("false_alarm", 0.0),
        ("false_alarm", 1.0),
        ("budget_samples", 0),
        ("budget_seconds", 0.0),
        ("resolution", 0.0),
    ):
        with pytest.raises(InvalidArgument, match=f"{name}={value}"):
            Settings(**{"seed": 1, name: value})
    with pytest.raises(InvalidArgument, match="pair"):
        run(laplace(), 1, [])


def test_wrong_number_of_outputs_is_an_error_not_an_outcome() -> None:
    """A sampler that returns too few draws is told so."""
    with pytest.raises(InvalidArgument, match="must return"):
        run(lambda d, n, rng: rng.normal(size=n // 2), 1, SCALARS)


def rarely_failing(data: float, size: int, rng: np.random.Generator) -> Any:
    """Many draws a call; each draw on 0 fails with probability 0.02, and spoils its call."""
    if data == 0 and (rng.random(size) < 0.02).any():
        raise FloatingPointError
    return rng.normal(size=size)


def late_failing(data: float, size: int, rng: np.random.Generator) -> Any:
    """The same with probability 0.0005: the first bets are placed before a call fails."""
    if (rng.random(size) < 0.0005).any():
        raise FloatingPointError
    return rng.normal(size=size) + 0 * data


@pytest.mark.long
def test_a_failing_call_keeps_the_frequency_of_failures() -> None:
    """A call for many draws that raises does not say which failed; drawn singly, 2 % do."""
    result = run(rarely_failing, 1, SCALARS, budget_samples=400_000)
    assert result.witness is not None
    assert result.witness.event == "output raises FloatingPointError"
    share = result.witness.hits / result.witness.draws
    assert abs(share - 0.02) < 7 * (0.02 / result.witness.draws) ** 0.5


@pytest.mark.slow
def test_a_late_failure_starts_again_and_is_not_blamed() -> None:
    """Failures that are equally rare on both sides are no violation, whenever they first occur."""
    first = run(late_failing, 1, SCALARS, budget_samples=60_000)
    assert first.verdict is not Verdict.REFUTED
    assert 60_000 - 200 <= first.samples <= 60_000


def test_an_empty_promise_is_never_called_consistent() -> None:
    """A mechanism without any noise at claim 20: the sample is too small to say, and it says so."""
    result = run(lambda d, n, rng: np.full(n, d), 20, SCALARS, budget_samples=200_000)
    assert result.verdict is Verdict.INCONCLUSIVE


@pytest.mark.slow
def test_values_that_cannot_be_compared_are_no_pass() -> None:
    """Outputs that are a text of their own each hide everything: INCONCLUSIVE, with the reason."""
    result = run(
        lambda d, n, rng: [str(d + x) for x in rng.normal(size=n)], 1, SCALARS, budget_samples=9_000
    )
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "return numbers" in result.reason


@pytest.mark.slow
def test_objects_that_show_no_value_are_no_pass() -> None:
    """A release of the raw data in an object without a text hides all of it: INCONCLUSIVE."""

    class Release:
        def __init__(self, data: float) -> None:
            self.data = data

    result = run(lambda d, n, rng: [Release(d)] * n, 1, SCALARS, budget_samples=200_000)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "shows no value: Release; what it holds cannot be seen" in result.reason


def test_equal_data_sets_are_no_pair() -> None:
    """A pair whose sides are equal is an error, not a pass."""
    with pytest.raises(InvalidArgument, match="they are equal: twice the same"):
        run(laplace(), 1, [Pair("twice the same", np.ones(2), np.ones(2))])


@pytest.mark.long
def test_a_second_run_draws_from_streams_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failing call the first draws are not drawn again."""
    Clock().install(monkeypatch)  # draws that only tell the time are made again if they are slow
    seen: list[float] = []

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        values = rng.normal(size=size)
        seen.append(float(values[0]))
        if len(seen) > 60 and size > 1:
            raise RuntimeError
        return values

    run(draw, 1, SCALARS, budget_samples=10_000)
    assert len(seen) > 100
    assert len(set(seen)) == len(seen)


def test_failures_do_not_keep_the_data_alive() -> None:
    """An exception that is an outcome holds no frame, and so no copy of the data."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        raise ValueError(size)

    outcomes = fresh_outputs(target(draw), np.ones(10), 5, seed=1)
    assert [(type(z).__name__, z.__traceback__) for z in outcomes] == [("ValueError", None)] * 5


@pytest.mark.slow
def test_lazy_outputs_fail_like_others() -> None:
    """A generator that raises while it is read is a failing call."""

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return (1 / (len(data) - 3) + x for x in rng.normal(size=size))

    result = run(draw, 1, WORST, budget_samples=200_000)
    assert result.witness is not None
    assert "ZeroDivisionError" in result.witness.event


@pytest.mark.slow
def test_one_telling_coordinate_among_many_is_found() -> None:
    """99 coordinates of pure noise do not hide the one that moves (q90 4,558 an arm)."""
    pair = Pair("one of 100 moves", np.zeros(100), np.eye(100)[3])
    result = run(
        lambda d, n, rng: d + rng.laplace(size=(n, 100)), "4/5", [pair], budget_samples=40_000
    )
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert "output[3]" in result.witness.event
