"""What `audit.load` was told counts wherever its target is used, and a target travels."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from mechanisms.registry import build_mechanism
from tests.api.audited import First, leaky, total
from tests.unforked import unforked
from tests.untimed import TIMES
from tests.user_files import imports_restored

CLAIM = audit.pure(1, relation="add-remove")
PLACES = {"low": 0, "high": 2}


class Scaled:
    """A class with a parameter that is bounds, and one that is not."""

    def __init__(self, scale: Any = 1, high: Any = 1) -> None:
        self.scale, self.high = float(scale), float(high)

    def sample(self, data: Any, size: int, *, rng: Any) -> Any:
        """Draw."""
        return np.clip(data, 0, self.high).sum() + rng.laplace(scale=self.scale, size=size)


def clipped(data: Any, size: int, rng: Any, high: float = 1.0) -> Any:
    """A function whose bound is given later or not."""
    return np.clip(np.nan_to_num(data), 0, high).sum() + rng.laplace(size=size)


def slow(data: Any, rng: Any) -> Any:
    """A function that a timeout stops."""
    import time

    time.sleep(data[0])
    return rng.laplace()


def said(result: audit.Result) -> dict[str, Any]:
    """A report without its time and the words that repeat it."""
    left = (*TIMES, "command", "repeat")
    return {key: value for key, value in result.to_dict().items() if key not in left}


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """What a call of `audit.audit` would run: pairs, claim, and draws of the target."""
    plans: list[Any] = []
    unforked(monkeypatch)
    monkeypatch.setattr("audit.runs.privacy_run.run_plan", lambda plan, **_: plans.append(plan))

    def plan_of(target: Any, claim: Any = None, **words: Any) -> dict[str, Any]:
        audit.audit(target, claim, seed=1, **words)
        plan = plans.pop()
        target, data = plan.target, np.array([0.0, 1.5])
        return {
            "claim": plan.claim,
            "domain": plan.domain,
            "pairs": [(str(p.data), str(p.neighbor), p.label) for p in plan.pairs],
            "target": (target.name, target.bounds, target.order, dict(target.parameters)),
            "draws": list(target.draw(data, 3, np.random.default_rng(1))),
            "timeout": plan.request.timeout,
        }

    return plan_of


SPLITS: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (leaky, PLACES, {}),
    (leaky, {"low": 0}, {"high": 2}),
    (leaky, {}, PLACES),
    (leaky, PLACES, PLACES),
    (clipped, PLACES, {}),
    (clipped, {}, PLACES),
    (clipped, {"low": 0}, {"high": Fraction(2)}),
    (Scaled, {"param": {"scale": 2}}, PLACES),
    (leaky, {"order": "fixed", "timeout": 20}, PLACES),
    ("ksw.shifted-laplace", {}, PLACES),
    ("ksw.shifted-laplace", PLACES, {}),
    ("tests.api.audited:leaky", PLACES, {}),
]


@pytest.mark.parametrize(("target", "first", "then"), SPLITS)
def test_words_count_at_either_place(planned: Any, target: Any, first: Any, then: Any) -> None:
    """It must hold that loading with some words and auditing with others is auditing with both."""
    whole = planned(target, CLAIM, **{**first, **then})
    assert planned(audit.load(target, **first), CLAIM, **then) == whole
    if "param" not in first:
        assert planned(audit.load(audit.load(target), **first), CLAIM, **then) == whole


@pytest.mark.long
def test_words_count_in_every_function(planned: Any) -> None:
    """It must hold for proofs, errors, budgets and draws as well."""
    wide = {"param": {"epsilon": "1/2"}, "low": 0, "high": 2}
    proved = audit.prove(audit.load("ksw.swap-laplace", **wide))
    assert said(proved) == said(audit.prove("ksw.swap-laplace", **wide))
    words: dict[str, Any] = {"mse": 1, "n": 2, "seed": 1, "budget_samples": 4_000}
    errors = audit.accuracy(audit.load(leaky, **PLACES), **words)
    assert said(errors) == said(audit.accuracy(leaky, **words, **PLACES))
    personal = audit.load(leaky, budgets=["1/10", 1], low=0, high=1)
    level = audit.personalized(["1/10", 1], relation="swap").level
    assert planned(personal, relation="swap")["claim"].level == level
    outputs = audit.draw(audit.load(slow, timeout=0.2), [5.0], 1, seed=1)
    assert [type(output).__name__ for output in outputs] == ["NoAnswer"]


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        (
            {"low": 0},
            {"low": 1},
            "low contradicts the target, which was loaded with low=0: got low=1",
        ),
        ({"high": "1/2"}, {"high": 1}, "high contradicts the target"),
        ({"order": "free"}, {"order": "fixed"}, "order contradicts the target"),
        ({"timeout": 3}, {"timeout": 4}, "timeout contradicts the target"),
        ({"budgets": [1, 1]}, {"budgets": "1, 2"}, "budgets contradicts the target"),
        (
            {"budgets": [1, 1]},
            {"epsilon": 1},
            "epsilon and budgets state claims of different kinds",
        ),
        ({}, {"param": {"a": 1}}, "give param to the audit.load that loaded it"),
    ],
)
def test_two_values_of_one_word_contradict(
    first: dict[str, Any], then: dict[str, Any], message: str
) -> None:
    """It must hold that the later one is refused by one sentence, and an equal one is not."""
    target = audit.load(leaky, **first)
    with pytest.raises(audit.InvalidArgument, match=message):
        audit.audit(target, **then, relation="swap")
    if "epsilon" not in then:
        with pytest.raises(audit.InvalidArgument):
            audit.load(target, **then)
    assert audit.load(target, **first).given == first


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"low": 2, "high": 1}, "low must be at most high, got low=2, high=1"),
        ({"low": "x"}, "low must be a finite number"),
        ({"timeout": 0}, "timeout must be positive, got timeout=0"),
        ({"timeout": float("nan")}, "timeout must be positive"),
        ({"budgets": "x"}, "budgets must be a finite number"),
        ({"budgets": [-1]}, "budgets must be at least 0"),
        ({"order": "any"}, "order must be one of free, fixed, got order='any'"),
    ],
)
def test_wrong_words_are_refused_when_it_is_loaded(words: dict[str, Any], message: str) -> None:
    """It must hold that no later call is needed to say so."""
    with pytest.raises(audit.InvalidArgument, match=message):
        audit.load(leaky, **words)


TRAVELING = [
    *(leaky, total, First, First(), Scaled(2.0), build_mechanism("ksw.swap-laplace")),
    *("ksw.swap-laplace", "noise.laplace", "corpus.svt-1", "tests.api.audited:leaky", ["true"]),
]


@pytest.mark.parametrize("target", TRAVELING)
def test_a_target_travels(target: Any) -> None:
    """It must hold that the pickle of a target draws as the target does."""
    found = audit.load(target)
    again = pickle.loads(pickle.dumps(found))
    assert (again.name, again.claim, again.order) == (found.name, found.claim, found.order)
    if target != ["true"]:
        data = found.pairs[0][0] if found.pairs else np.array([1.0, 0.0])
        drawn = [list(each.draw(data, 3, np.random.default_rng(1))) for each in (found, again)]
        assert np.array_equal(*map(np.array, drawn))


def test_what_cannot_travel_is_named() -> None:
    """It must hold that the error is about the user's own object."""
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(audit.load(lambda data, rng: rng.laplace() + len(data)))


def test_paths_and_exact_numbers_are_words(tmp_path: Path, planned: Any) -> None:
    """It must hold for targets, commands and every kind of number, with no digit lost."""
    file = tmp_path / "m.py"
    file.write_text("def draw(data, size, rng):\n    return rng.laplace(size=size)\n")
    with imports_restored(tmp_path):
        assert audit.load(Path(f"{file}:draw")).name == f"{file}:draw"
    program = tmp_path / "release"
    program.write_text("#!/bin/sh\necho 1\n")
    program.chmod(0o700)
    before = Path.cwd()
    try:
        os.chdir(tmp_path)
        assert audit.load([Path("release"), "x"]).command == ("./release", "x")
    finally:
        os.chdir(before)
    for tenth in (Decimal("0.1"), Fraction(1, 10), "1/10", 0.1, np.float32(0.1), np.float64(0.1)):
        level = planned(leaky, epsilon=tenth, relation="swap", **PLACES)["claim"].level
        assert level == audit.pure(tenth, relation="swap").level
        assert level.epsilon == Fraction(1, 10)
    words: dict[str, Any] = {"resolution": Fraction(1, 2), "false_alarm": Decimal("0.001")}
    assert planned(leaky, CLAIM, timeout=Decimal(9), **PLACES, **words)["timeout"] == 9
    for two in (Decimal(2), Fraction(2), np.int64(2)):
        assert audit.load(Scaled, param={"scale": two}).parameters == {"scale": 2}
