"""Replay of control flow: what differs is told, and makes no verdict."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import audit
from audit.draws.containment import supervised
from audit.draws.streams import Purpose, stream
from audit.draws.supervisor import Care
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.screening.replay import REQUESTS, RUNS, RecordedGenerator, compared, obstacle, told
from audit.targets.wrap import target_of

PAIR = Pair("two and three records", np.array([0.0, 1.0]), np.array([0.0, 0.5, 1.0]))

CALLS = {
    "permutation": (4,),
    "permuted": (np.arange(4.0),),
    "shuffle": (np.arange(4.0),),
    "choice": (4,),
    "integers": (4,),
    "bytes": (8,),
    "binomial": (4, 0.5),
    "negative_binomial": (4, 0.5),
    "multinomial": (4, [0.5, 0.5]),
    "dirichlet": ([1.0, 1.0],),
    "multivariate_normal": ([0.0], [[1.0]]),
    "multivariate_hypergeometric": ([4, 4], 2),
    "hypergeometric": (4, 4, 2),
    "triangular": (0.0, 0.5, 1.0),
    "noncentral_f": (2.0, 2.0, 1.0),
    **dict.fromkeys(("beta", "f", "noncentral_chisquare", "vonmises", "wald"), (2.0, 2.0)),
    **dict.fromkeys(("chisquare", "gamma", "standard_gamma", "standard_t"), (2.0,)),
    **dict.fromkeys(("weibull", "pareto", "power", "zipf"), (2.0,)),
    **dict.fromkeys(("geometric", "logseries"), (0.5,)),
}
"""Arguments of the requests that need some."""


def flow_of(function: Any, *pairs: Pair) -> Any:
    """Compare a function's control flow."""
    return compared(target_of(function, "it"), pairs or (PAIR,), seed=1)


def test_all_requests_are_recorded() -> None:
    """It must hold of each method of numpy's Generator that draws, and of no other."""
    public = {name for name in dir(np.random.Generator) if not name.startswith("_")}
    assert public - {"bit_generator", "spawn"} == set(REQUESTS)


@pytest.mark.parametrize("name", REQUESTS)
def test_a_recorded_generator_draws_what_a_plain_one_does(name: str) -> None:
    """It must hold of each request: the replay looks at the same release."""
    plain = stream(1, Purpose.REPLAY)
    recorded = RecordedGenerator(stream(1, Purpose.REPLAY).bit_generator)
    arguments = CALLS.get(name, ())
    first, second = getattr(plain, name)(*arguments), getattr(recorded, name)(*arguments)
    assert np.array_equal(first, second) if name not in ("bytes", "shuffle") else first == second
    assert [request.partition(" ")[0] for request in recorded.requests] == [name]


def by_records(data: Any, rng: np.random.Generator) -> Any:
    """Noise for each record."""
    return float(rng.laplace(size=len(data)).sum())


def test_noise_for_each_record_is_told_and_is_no_verdict() -> None:
    """It must hold: three requests against two, in every run."""
    flow = flow_of(by_records)
    assert (flow.pairs, flow.runs, flow.differing) == (1, RUNS, RUNS)
    assert flow.difference.data == ("laplace of 2",)
    assert flow.difference.neighbor == ("laplace of 3",)
    assert flow.difference.words == (2, 3)
    assert "laplace of 2 on the data and laplace of 3 on the neighbor" in flow.difference.text


def test_the_same_requests_are_no_difference() -> None:
    """It must hold of a broken release as well: control flow does not see the size of the noise."""

    def thin(data: Any, rng: np.random.Generator) -> float:
        return float(len(data) + rng.laplace(scale=0.01))

    flow = flow_of(thin)
    assert (flow.differing, flow.difference) == (0, None)


def test_words_are_compared_where_requests_are_hidden() -> None:
    """It must hold of a RandomState on the same bits, as diffprivlib has it."""

    def hidden(data: Any, rng: np.random.Generator) -> float:
        state = np.random.RandomState(rng.bit_generator)
        return float(state.random_sample(len(data)).sum())

    found = flow_of(hidden).difference
    assert found.data == found.neighbor == ()
    assert found.words[0] < found.words[1]
    assert "same requests" in found.text


def test_what_does_not_repeat_itself_is_left_out() -> None:
    """It must hold: a target that counts its calls would differ from itself."""
    calls = [0]

    def counting(data: Any, rng: np.random.Generator) -> float:
        calls[0] += 1
        return float(rng.laplace(size=calls[0]).sum())

    assert flow_of(counting).differing == 0


def test_a_failure_is_no_difference_of_flow() -> None:
    """It must hold: audits see an exception as an outcome."""

    def failing(data: Any, rng: np.random.Generator) -> float:
        if len(data) == 3:
            raise ValueError
        return float(rng.laplace())

    assert flow_of(failing).differing == 0


def test_the_end_of_a_process_is_a_failure_and_happens_once() -> None:
    """It must hold: the audit goes on, and a record that ends the process does so once here."""

    def leaving(data: Any, rng: np.random.Generator) -> float:
        if len(data) == 3:
            os._exit(0)
        return float(rng.laplace())

    with supervised(target_of(leaving, "it"), Care(30.0)) as (target, accidents):
        flow = compared(target, [PAIR], seed=1)
        assert flow is not None
        assert flow.differing == 0
        assert [note for note in accidents() if "once" in note]


def test_data_that_are_no_numbers_are_compared() -> None:
    """It must hold of the texts and scalars of listed pairs."""

    def named(data: Any, rng: np.random.Generator) -> float:
        return float(rng.laplace(size=2 if data == "a" else 3).sum())

    for data, neighbor in (("a", "b"), ([[1], [1, 2]], [[1], [2, 2]]), ({"x": 1}, {"x": 2})):
        rows = Pair("two of these", data, neighbor)
        assert flow_of(named, rows).differing == RUNS * (data == "a"), data


def test_the_place_of_the_first_difference_is_told() -> None:
    """It must hold that what both sides ask for before it is counted, not listed."""
    same = ("normal of 1",) * 5
    words = told(((*same, "laplace of 1"), 6), (same, 5))
    assert words == (
        "after 5 same requests, asks for laplace of 1 on the data and nothing on the neighbor"
    )


def test_a_source_of_its_own_is_not_compared() -> None:
    """It must hold of a target that does not go by its seed."""

    def own(data: Any) -> float:
        return float(len(data) + np.random.default_rng().laplace())

    target = target_of(own, "own")
    assert obstacle(target)
    assert compared(target, [PAIR], seed=1) is None


def result_of(function: Any, **words: Any) -> AuditResult:
    """Audit as real numbers, with few draws."""
    asked: dict[str, Any] = {"ideal": True, "seed": 1, "budget_samples": 4000, "low": 0, "high": 1}
    return audit.audit(function, audit.pure(1, relation="add-remove"), **asked | words)


@pytest.mark.long
def test_a_difference_never_refutes() -> None:
    """It must hold: noise for each record beside noise enough; the report tells it in a row."""

    def private(data: Any, rng: np.random.Generator) -> float:
        rng.laplace(size=len(data))
        return float(len(data) + rng.laplace(scale=1.1))

    result = result_of(private)
    assert result.verdict is not Verdict.REFUTED
    assert result.control_flow is not None
    assert result.control_flow.difference is not None
    assert "which by itself is no violation" in " ".join(str(result).split())
    assert result.to_dict()["control_flow"]["differing"] > 0  # type: ignore[index,call-overload]


@pytest.mark.long
def test_a_difference_stands_beside_the_witness() -> None:
    """It must hold: of a refutation it is about the pair of the witness."""

    def groups(data: Any, rng: np.random.Generator) -> float:
        return float(rng.laplace(scale=0.1, size=1 + len(data)).sum() + 5 * len(data))

    result = result_of(groups)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.control_flow is not None
    assert result.control_flow.difference is not None
    assert result.control_flow.difference.pair == result.witness.pair
    assert str(result).index("flow ") < str(result).index("witness ")


@pytest.mark.long
def test_a_plain_release_has_no_row() -> None:
    """It must hold that a report without a difference says nothing of it."""

    def plain(data: Any, rng: np.random.Generator) -> float:
        return float(len(data) + rng.laplace())

    result = result_of(plain)
    assert result.control_flow is not None
    assert result.control_flow.difference is None
    assert "\nflow" not in str(result)
