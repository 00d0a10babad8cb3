"""A wrong value of any argument of a public function is one line that names the argument.

What may be anything at all, and what Python itself says of a call, is listed with its reason.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit import strategies, tracing
from audit.levels import LEVELS
from audit.levels.statement import stated_level
from audit.request.word_values import checked
from audit.screening.choice import Choice
from audit.targets.objects import name_of
from audit.testing import audit_in_test
from mechanisms.registry import build_mechanism
from tests.slow import by_default

VALUES: dict[str, Any] = {
    "None": None,
    "object": object(),
    "nan": math.nan,
    "-1": -1,
    "'x'": "x",
    "''": "",
    "[]": [],
    "{}": {},
    "b'x'": b"x",
    "lambda": lambda: None,
    "1e400": 10**400,
}
"""What is given for each argument in turn."""

ROWS = {"columns": {"b": {"type": "bool"}}}
"""A schema."""

LEFT_OUT = {"None"}
"""Of a word: as if it were not given."""

RUNS = ("audit", "prove", "accuracy", "sensitivity", "account", "survey", "gate", "load")
"""Functions of words."""

RIGHT: dict[str, set[str]] = {
    **{key: {"-1"} for key in ("low", "high", "truth")},
    "param": {"{}"},
    **{key: {"'x'"} for key in ("resume", "carry", "changed_since")},
    **{key: {"'x'", "''"} for key in ("source", "name", "expect")},
    "law": {"[]"},
    "pair": {"[]"},
    "plan": {"{}"},
    "claim": LEFT_OUT,
    "configuration": LEFT_OUT,
    "ax": LEFT_OUT,
    "data": set(VALUES),
    "neighbor": set(VALUES),
    "event": {"lambda"},
}
"""Values among these that are no mistake. Of `audit.draw` the data are handed on as they are."""

HUGE = {
    *("epsilon", "rho", "mu", "alpha", "bias", "mse", "mae", "truth", "budgets", "largest"),
    *("at_most", "memory", "size", "seed", "stream", "max_size", "max_users", "low", "high"),
    "claim",
}
"""Exact numbers, and those of which any number goes before the first draw, however large."""

NAMED = {"alpha_order": "alpha"}
"""What an error calls an argument, where it is not its name."""

NOT_CALLED = {
    "made by a run, never by a user": (
        *("AuditResult", "ExactResult", "GateResult", "UtilityResult", "Result", "Limits"),
        *("AccountResult", "Certificate", "SensitivityResult", "SurveyResult", "Target", "Verdict"),
    ),
    "errors": (
        *("CertificateError", "InvalidArgument", "InvalidData", "MissingExtra", "NotImplied"),
        *("ShadowedPackage", "TouchstoneError", "UnexpectedVerdict"),
    ),
}
"""Public names that are no functions for users."""


class Reached(BaseException):
    """Everything was understood, and the first draw would come now."""


def reached(*_: Any, **__: Any) -> Any:
    """Stand in for a run."""
    raise Reached


@pytest.fixture(autouse=True)
def no_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let every run end before its first draw, in a folder with a configuration."""
    for place in (
        *("audit.engine.sequential.audit", "audit.exact.exact_audit.audit"),
        *("audit.runs.accuracy_run.audit_utility", "audit.suite.gate_run.run_gate"),
        "audit.draws.new_draws.fresh_outputs",
        "audit.draws.new_draws.recounted",
        "audit.runs.sensitivity_run.find_sensitivity",
        *("audit.accounting.enclosed_total.find_account", "audit.surveys.survey_run.run_case"),
    ):
        monkeypatch.setattr(place, reached)
    # what it screens is checked before, and it draws for seconds in all
    monkeypatch.setattr("audit.runs.privacy_run.screened", lambda plan, **_: (plan, Choice()))
    (tmp_path / "touchstone.toml").write_text('[[audit]]\ntarget = "ksw.swap-laplace"\n')
    monkeypatch.chdir(tmp_path)


def mean(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A mechanism."""
    return data.mean() + rng.laplace(size=size)


CLAIM = audit.pure(1, relation="swap")
RESULT = audit.prove("ksw.swap-laplace")

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]

STATED = {word.name for kind in LEVELS for word in kind.words} | {"relation"}
PLACES: dict[str, Any] = {"low": 0, "high": 1}
TRACED: dict[str, Any] = {
    "rng": np.random.default_rng(1),
    "value": 1,
    "probability": "1/2",
    "records": 1,
    "draws": 2,
    "bound": 1,
}

CALLS: dict[str, Call] = {
    "audit": (audit.audit, (mean, CLAIM), PLACES),
    "prove": (audit.prove, ("ksw.swap-laplace", None), {}),
    "accuracy": (audit.accuracy, (mean,), {"mse": 5, "n": 2, **PLACES}),
    "sensitivity": (
        audit.sensitivity,
        (len,),
        {"norm": "l1", "at_most": 1, "relation": "swap", "budget_pairs": 10, **PLACES},
    ),
    "account": (
        audit.account,
        ({"step": []},),
        {"relation": "swap", "delta": "1/10", "claim": 1, "profile": False},
    ),
    "survey": (audit.survey, ("math",), {}),
    "gate": (audit.gate, (None,), {}),
    "verify": (audit.verify, (RESULT.to_dict(),), {}),
    "load": (audit.load, (mean,), {}),
    "draw": (audit.draw, (mean, [0.0], 2), {"seed": 1}),
    "recount": (audit.recount, (mean, [0.0], [1.0], bool), {"draws": 2, "seed": 1}),
    "mechanism": (audit.mechanism, (CLAIM,), {}),
    "PrivacyClaim": (audit.PrivacyClaim, (CLAIM.level, CLAIM.relation, CLAIM.source), {}),
    **{
        kind.constructor: (
            getattr(audit, kind.constructor),
            eval(f"(lambda *values: values)({kind.shown})"),
            {"relation": "swap"},
        )
        for kind in LEVELS
    },
    "Result.save": (RESULT.save, ("report.txt",), {}),
    "Result.plot": (RESULT.plot, (None,), {}),
    "Result.expect": (RESULT.expect, ("proved",), {}),
    "strategies.budgets": (strategies.budgets, (), {}),
    "strategies.datasets": (strategies.datasets, (), {}),
    "strategies.neighboring_pairs": (strategies.neighboring_pairs, ("swap",), {}),
    "strategies.neighboring_tables": (strategies.neighboring_tables, (ROWS, "swap"), {}),
    "strategies.noise_parameters": (strategies.noise_parameters, ("laplace",), {}),
    "strategies.personalized_pairs": (strategies.personalized_pairs, ((1, 1),), {}),
    "strategies.privacy_levels": (strategies.privacy_levels, (), {}),
    "strategies.tables": (strategies.tables, (ROWS,), {}),
    "tracing.trace": (tracing.trace, (build_mechanism("ksw.swap-laplace"),), TRACED),
}
"""Each public function with right arguments."""


def arguments(name: str) -> Iterator[str]:
    """Arguments of a function; `derived` of a claim is what theorems write."""
    parameters = inspect.signature(CALLS[name][0]).parameters
    yield from (key for key in parameters if key != "derived")


def outcome(name: str, argument: str, value: Any) -> str:
    """What comes of a call with one value in place of a right one: "" where it was taken."""
    function, own, words = CALLS[name]
    by_place = list(inspect.signature(function).parameters)[: len(own)]
    values, given = list(own), dict(words)
    if argument in STATED and name == "audit":  # in place of the claim
        values, given = [mean, None], {**given, "relation": "swap"}
        given |= {"epsilon": 1} if argument in ("delta", "alpha_order", "relation") else {}
    if argument == "column":
        given["data"] = [0.0]
    if argument in by_place:
        values[by_place.index(argument)] = value
    elif argument == "kinds":
        values = [value]
    else:
        given[argument] = value
    try:
        function(*values, **given)
    except audit.TouchstoneError as exc:
        return str(exc)
    except Reached:
        return ""
    return ""


SHARED = set(arguments("audit"))
SLOWER = ("prove", "accuracy", "sensitivity")
EVERY = [(name, argument) for name in CALLS for argument in arguments(name)]
CASES = [case for case in EVERY if case[0] not in SLOWER or case[1] not in SHARED]
"""Of words that `audit.audit` has, the others are checked by the same rows elsewhere."""

ELSEWHERE = [pytest.param(*case, marks=pytest.mark.slow) for case in EVERY if case not in CASES]


@pytest.mark.parametrize(
    ("name", "argument"),
    [*by_default(CASES[::4], CASES), *ELSEWHERE],
    ids=lambda part: str(part),
)
def test_a_wrong_value_is_named(name: str, argument: str) -> None:
    """It must hold for every public function, argument and value; another error is its failure."""
    default = inspect.signature(CALLS[name][0]).parameters[argument].default
    is_word = default is None or (name in RUNS and default is not inspect.Parameter.empty)
    right = RIGHT.get(argument, set()) | (LEFT_OUT if is_word else set())
    for label, value in VALUES.items():
        said = outcome(name, argument, value)
        if label in right or (label == "1e400" and argument in HUGE):
            continue
        assert said, f"{name}({argument}={label}) was taken"
        assert "\n" not in said
        names = (NAMED.get(argument, argument), name_of(value))
        assert any(one in said for one in names), f"{name}({argument}={label}): {said}"


def test_every_public_function_is_called() -> None:
    """It must hold that a new public name is in the table, or among those that are no functions."""
    others = {name for names in NOT_CALLED.values() for name in names}
    of_audit = {name for name in CALLS if "." not in name}
    assert of_audit | others == set(audit.__all__)
    assert not of_audit & others
    for module in (strategies, tracing):
        own = module.__name__.removeprefix("audit.")
        names = {f"{own}.{name}" for name in module.__all__ if name != "TracingResult"}
        assert names == {name for name in CALLS if name.startswith(f"{own}.")}
    methods = {name for name, _ in inspect.getmembers(audit.Result, inspect.isfunction)}
    methods = {name for name in methods if not name.startswith("_")}
    assert methods - {"document", "to_dict"} == {  # these take nothing
        name.removeprefix("Result.") for name in CALLS if name.startswith("Result.")
    }


@pytest.mark.parametrize("word", ["trade_off", "epsilon", "low", "resolution"])
def test_an_array_of_two_dimensions_is_no_error_of_ours(word: str) -> None:
    """It must hold of words of audits: an array is no empty text, whatever it compares with."""
    words: dict[str, Any] = {word: np.full((2, 2), 7.0)}
    with pytest.raises(audit.InvalidArgument, match=word):
        audit.audit(mean, relation="swap", **words)


@pytest.mark.parametrize("word", ["in_process", "backend"])
def test_an_array_does_not_choose_the_process(word: str) -> None:
    """It must hold of the words that say where work is done, which are read before all others."""
    words: dict[str, Any] = {word: np.array([[1.0, 2.0]])}
    with pytest.raises(audit.InvalidArgument, match=word):
        audit.audit(mean, epsilon=1, relation="swap", low=0, high=1, **words)


def test_an_array_of_a_mark_does_not_choose_the_process(tmp_path: Path) -> None:
    """It must hold of a test with the mark: it fails with the sentence of the word."""
    words = {"epsilon": 1, "relation": "swap", "low": 0, "high": 1, "in_process": np.ones(2)}
    of_session: dict[str, Any] = {"seed": 1, "false_alarm": 1e-3, "profile": "quick", "repeat": ()}
    told = audit_in_test(mean, words, place="t.py::test", folder=tmp_path, **of_session)
    assert told.failure is not None
    assert "in_process must be" in told.failure


@pytest.mark.parametrize("spec", ["{}", "{}.py:f", "math:{}", "{}:f"])
def test_a_name_of_a_target_is_shown_short(spec: str) -> None:
    """It must hold of a name, a file, a module and an attribute of 5,000 characters."""
    with pytest.raises(audit.InvalidArgument) as caught:
        audit.audit(spec.format("x" * 5_000), epsilon=1, relation="swap", low=0, high=1)
    assert len(str(caught.value)) <= 300


def test_a_curve_may_be_an_array() -> None:
    """It must hold that knots in two columns are those of a list."""
    knots = [[0, 1], [0.5, 0.25], [1, 0]]
    words = [checked("audit", {"trade_off": k}, ("trade_off",)) for k in (knots, np.array(knots))]
    assert [stated_level(**told) for told in words] == [
        audit.trade_off(knots, relation="swap").level
    ] * 2
