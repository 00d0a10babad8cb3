"""Objects of other libraries that state their parts: read as they say, or refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import audit
from audit.accounting.foreign_events import is_foreign, steps_of
from audit.cli import main
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument, TouchstoneError
from tests.slow import by_default

SWAP, ADD_REMOVE = Relation.SWAP, Relation.ADD_REMOVE


def event(name: str, **attributes: Any) -> Any:
    """An object that looks like an event of dp-accounting."""
    return type(name, (), {"__module__": "dp_accounting.dp_event", **attributes})()


GAUSSIAN = event("GaussianDpEvent", noise_multiplier=5.0)
LAPLACE = event("LaplaceDpEvent", noise_multiplier=0.1)
RESPONSE = event("RandomizedResponseDpEvent", noise_parameter=0.1, num_buckets=4)
GRID = event("DiscreteLaplaceDpEvent", noise_parameter=0.3, sensitivity=2)


def repeated(inner: Any, count: Any) -> Any:
    """An event so many times."""
    return event("SelfComposedDpEvent", event=inner, count=count)


READ: dict[str, tuple[Any, Relation, str]] = {
    "one": (GAUSSIAN, SWAP, "1 of gaussian (sigma 5.0, sensitivity 1)"),
    "many": (repeated(GAUSSIAN, 100), ADD_REMOVE, "100 of gaussian (sigma 5.0, sensitivity 1)"),
    "a tenth as typed": (LAPLACE, SWAP, "1 of laplace (scale 0.1, sensitivity 1)"),
    "many of many": (
        repeated(event("ComposedDpEvent", events=[repeated(RESPONSE, 3)]), 7),
        *(SWAP, "21 of randomized-response (keep 9/10, categories 4)"),
    ),
    "a grid": (GRID, SWAP, "1 of geometric (t 10/3, sensitivity 2)"),
    "a sample": (
        repeated(event("PoissonSampledDpEvent", sampling_probability=0.01, event=GAUSSIAN), 9),
        *(ADD_REMOVE, "9 of poisson-gaussian (sigma 5.0, sensitivity 1, q 0.01)"),
    ),
    "nothing": (event("NoOpDpEvent"), SWAP, ""),
    "no privacy": (event("NonPrivateDpEvent"), SWAP, "1 of approx-dp (epsilon 0, delta 1)"),
}


@pytest.mark.parametrize("name", by_default([name for name in READ if name != "a sample"], READ))
def test_an_event_is_read_with_its_numbers(name: str) -> None:
    """It must hold of every class that states its parts, and of counts within counts."""
    found, relation, words = READ[name]
    assert is_foreign(found)
    result = audit.account(found, relation=relation.value, delta="1e-5")
    told = [f"{alone.step.count} of {alone.step.words}" for alone in result.alone]
    assert told == ([words] if words else [])


def test_the_sum_is_that_of_the_plan() -> None:
    """It must hold of two events in a list with counts, and not of other counts."""
    plan = {"event": "gaussian", "sigma": 5, "sensitivity": 1, "count": 10}
    whole = audit.account({"step": [plan]}, relation="swap", delta="1e-5").epsilon
    one, other = (
        audit.account([(GAUSSIAN, count), GAUSSIAN], relation="swap", delta="1e-5").epsilon
        for count in (9, 10)
    )
    assert one == whole
    assert other != whole


def test_what_was_read_of_a_vector_is_said() -> None:
    """It must hold of Laplace noise, whose l1 bound may be of a vector, and of no other."""
    for found, is_said in ((LAPLACE, True), (GAUSSIAN, False)):
        notes = audit.account(found, relation="add-remove", delta="1e-5").notes
        assert any("one number" in note for note in notes) is is_said


def measurement(metric: str, measure: str, lost: Any) -> Any:
    """An object that looks like a measurement of OpenDP, and what it loses at each distance."""
    words = {"input_metric": metric, "output_measure": measure}
    return type(
        "Measurement", (), {"__module__": "opendp.mod", **words, "map": lambda _, d: lost[d]}
    )()


PURE = measurement("SymmetricDistance()", "MaxDivergence", {1: 0.5, 2: 1.0})
CHANGED = measurement("ChangeOneDistance()", "MaxDivergence", {1: 0.7})
BOTH = measurement("SymmetricDistance()", "Approximate(MaxDivergence)", {1: (0.5, 1e-7)})


def test_a_measurement_is_the_claim_at_the_distance_of_neighbors() -> None:
    """It must hold that a replaced record is two apart where one is added or removed."""
    assert steps_of(PURE, ADD_REMOVE)[0] == [{"event": "pure-dp", "epsilon": 0.5, "count": 1}]
    assert steps_of([(PURE, 3)], SWAP)[0] == [{"event": "pure-dp", "epsilon": 1.0, "count": 3}]
    assert steps_of(CHANGED, SWAP)[0] == [{"event": "pure-dp", "epsilon": 0.7, "count": 1}]
    assert steps_of(BOTH, ADD_REMOVE)[0] == [
        {"event": "approx-dp", "epsilon": 0.5, "delta": 1e-7, "count": 1}
    ]
    result = audit.account(PURE, relation="swap", delta="1e-5", claim="0.9")
    assert (result.verdict, result.is_attained) == ("REFUTED", False)


REFUSED: dict[str, tuple[Any, Relation, str]] = {
    "zCDP": (event("ZCDpEvent", rho=0.1, xi=0.0), SWAP, "ZCDpEvent states no parts"),
    "without replacement": (
        event("SampledWithoutReplacementDpEvent", event=GAUSSIAN),
        *(SWAP, "SampledWithoutReplacementDpEvent states no parts"),
    ),
    "a sample of two": (
        event(
            "PoissonSampledDpEvent",
            sampling_probability=0.1,
            event=event("ComposedDpEvent", events=[GAUSSIAN, GAUSSIAN]),
        ),
        *(ADD_REMOVE, "of one release with noise"),
    ),
    "a sample of many": (
        event("PoissonSampledDpEvent", sampling_probability=0.1, event=repeated(GAUSSIAN, 2)),
        *(ADD_REMOVE, "of one release with noise"),
    ),
    "half a count": (repeated(GAUSSIAN, 0.5), SWAP, "count must be an integer"),
    "a negative count": ([(GAUSSIAN, -1)], SWAP, "count must be an integer of at least 0"),
    "no noise": (event("GaussianDpEvent", noise_multiplier=0.0), SWAP, "greater than 0"),
    "a rate above 1": (
        event("PoissonSampledDpEvent", sampling_probability=1.5, event=GAUSSIAN),
        *(ADD_REMOVE, "q must be at most 1"),
    ),
    "answers without a person": (RESPONSE, ADD_REMOVE, "has no stated law under add-remove"),
    "a number": (measurement("AbsoluteDistance(f64)", "MaxDivergence", {}), SWAP, "does not say"),
    "a changed record": (CHANGED, ADD_REMOVE, "does not say how far"),
    "a Renyi bound": (
        measurement("SymmetricDistance()", "ZeroConcentratedDivergence", {2: 0.1}),
        *(SWAP, "no pair of laws"),
    ),
    "a map that raises": (
        measurement("SymmetricDistance()", "MaxDivergence", {}),
        SWAP,
        "KeyError",
    ),
    "no measurement": (
        type("Domain", (), {"__module__": "opendp.mod"})(),
        *(SWAP, "of OpenDP measurements are added up"),
    ),
    "an event without its numbers": (event("GaussianDpEvent"), SWAP, "noise_multiplier"),
    "a list of strangers": ([GAUSSIAN, 5], SWAP, "plan must be a file of TOML"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_states_no_parts_is_refused_in_one_line(name: str) -> None:
    """It must hold that the line says what is missing."""
    found, relation, words = REFUSED[name]
    with pytest.raises(TouchstoneError, match=words) as caught:
        audit.account(found, relation=relation.value, delta="1e-5")
    assert "\n" not in str(caught.value)


OBJECTS = """
class GaussianDpEvent:
    __module__ = "dp_accounting.dp_event"
    noise_multiplier = 5.0

PLAN = {"relation": "swap", "delta": "1e-5", "step": [
    {"event": "gaussian", "sigma": 5, "sensitivity": 1}]}
EVENT = GaussianDpEvent()
TEXT = "plan.toml"

def make():
    return [(EVENT, 4)]

def more(count):
    return EVENT

def fails():
    raise RuntimeError("not today")
"""


@pytest.fixture
def objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with objects, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("parts_of_a_test.py").write_text(OBJECTS)


@pytest.mark.usefixtures("objects")
@pytest.mark.parametrize("name", ["PLAN", "EVENT", "make"])
def test_a_command_names_an_object(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of a plan, an event, and a function that makes some; it can be repeated."""
    words = ["--from", f"parts_of_a_test.py:{name}", "--relation", "swap", "--delta", "1e-5"]
    assert main(["account", *words, "--claim", "1.5"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"REFUTED: parts_of_a_test.py:{name}\n")
    assert f"repeat      touchstone account {' '.join(words)} --claim 1.5" in out
    assert main(["account", *words, "--claim", "4"]) == 0


WRONG = {
    "neither": ([], "give PLAN.toml, or --from OBJECT"),
    "both": (["plan.toml", "--from", "parts_of_a_test.py:EVENT"], "give PLAN.toml, or --from"),
    "no relation": (["--from", "parts_of_a_test.py:EVENT", "--delta", "1e-5"], "needs relation"),
    "no such name": (["--from", "parts_of_a_test.py:EVENTS"], "has no attribute"),
    "no name": (["--from", "parts_of_a_test.py"], "unknown target"),
    "a text": (["--from", "parts_of_a_test.py:TEXT"], "must be a plan or an object"),
    "a function of more": (["--from", "parts_of_a_test.py:more"], "cannot be read"),
    "a function that raises": (["--from", "parts_of_a_test.py:fails"], "not today"),
}


@pytest.mark.usefixtures("objects")
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_object_is_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold: exit 2, and no report."""
    words, said = WRONG[name]
    assert main(["account", *words]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert said in error
    assert error.count("\n") == 1


def test_measurements_of_opendp_are_read() -> None:
    """It must hold of the released library: a count of scale 2 loses 1 for a replaced record."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    count = space >> dp.t.then_count() >> dp.m.then_laplace(scale=2.0)
    (step,) = audit.account([(count, 10)], relation="swap", delta="1e-5").alone
    assert (step.step.words, step.step.count) == ("pure-dp (epsilon 1.0)", 10)
    with pytest.raises(InvalidArgument, match="does not say how far neighbors are apart"):
        audit.account(
            dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=2.0),
            relation="swap",
            delta="1e-5",
        )
