"""Whatever a law of a user's states: a verdict, INCONCLUSIVE, or one line."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import audit
from audit.faults import TargetFault
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from tests.slow import by_default

F = Fraction
HALF = F(1, 2)


class Law:
    """Laplace noise, to be broken."""

    def breakpoints(self, lower: F, upper: F) -> Any:
        """Its peak."""
        return (F(0),) if lower <= 0 <= upper else ()

    def atoms(self, _: Any) -> Any:
        """None."""
        return {}

    def log_density(self, x: Any, numbers: Any) -> Any:
        """As a user would write it."""
        return -abs(x) - numbers.log(numbers.rational(F(2)))


def law(**parts: Any) -> Any:
    """A law with other parts."""
    return type("Broken", (Law,), parts)()


def curved(_: Any, x: Any, numbers: Any) -> Any:
    """A branch at 1 / sqrt(3), which is no breakpoint."""
    normal = numbers.log(numbers.rational(F(2)))
    return -abs(x) * abs(x) - normal if x * x < F(1, 3) else -abs(x) - normal


def raises(*_: Any) -> Any:
    """What no formula does."""
    msg = "no\nlogarithm"
    raise ValueError(msg)


def ended(*_: Any) -> Any:
    """Likewise."""
    raise SystemExit(3)


def run(none: Any, some: Any, **words: Any) -> ExactResult:
    """Audit a mechanism that states one law on no records, and another on a record."""

    class Mechanism:
        def sample(self, _: Any, size: int, *, rng: np.random.Generator) -> Any:
            return rng.normal(size=size)

        def exact_law(self, data: list[float]) -> Any:
            return some() if len(data) else none()

    claim = audit.pure(1, relation="add-remove")
    words = {"pair": ([], [1.0])} | words
    found = audit.audit(Mechanism(), claim, mode="exact", **words)
    assert isinstance(found, ExactResult)
    return found


OPEN: dict[str, tuple[dict[str, Any], str]] = {
    "branch that is no breakpoint": ({"log_density": curved}, "breakpoints must name it"),
    "logarithm of 0": (
        {"log_density": lambda _, x, n: n.log(n.rational(F(0)))},
        "not certainly a finite number",
    ),
    "tail that no lemma covers": (
        {"log_density": lambda _, x, n: -n.log(n.pi()) - n.log(n.rational(F(1)) + x * x)},
        "no lemma covers",
    ),
}
LINES: dict[str, tuple[dict[str, Any], str]] = {
    "returns NaN": ({"log_density": lambda *_: math.nan}, "must return a number"),
    "returns an infinite level": ({"log_density": lambda *_: -math.inf}, "must return a number"),
    "returns nothing": ({"log_density": lambda *_: None}, "must return a number"),
    "returns a text": ({"log_density": lambda *_: "x"}, "must return a number"),
    "raises": ({"log_density": raises}, "raised ValueError: no logarithm"),
    "ends the process": ({"log_density": ended}, "raised SystemExit"),
    "is not callable": ({"log_density": 3}, "cannot be read"),
    "has mass 2": ({"log_density": lambda _, x, n: -abs(x) + n.rational(F(0))}, "integrates to"),
    "breakpoints without end": (
        {"breakpoints": lambda *_: iter(int, 1)},
        "must be a tuple of Fractions",
    ),
    "breakpoints that are texts": ({"breakpoints": lambda *_: "ab"}, "must be a tuple"),
    "breakpoints that are NaN": ({"breakpoints": lambda *_: (math.nan,)}, "must be a tuple"),
    "no breakpoints at all": ({"breakpoints": lambda *_: None}, "must be a tuple"),
    "atoms that are none": ({"atoms": lambda *_: 3}, "cannot be read"),
    "atoms of negative probability": (
        {"atoms": lambda _, n: {F(0): n.rational(F(-1)), F(1): n.rational(F(2))}},
        "must be at least 0",
    ),
    "atoms of more than 1": ({"atoms": lambda _, n: {F(0): n.rational(F(2))}}, "more than 1"),
    "atoms of doubles": ({"atoms": lambda *_: {F(0): 0.5}}, "cannot be read"),
}
FINE: dict[str, dict[str, Any]] = {
    "unsorted and double": {"breakpoints": lambda *_: (F(3), F(0), F(-2), F(0))},
    "outside": {"breakpoints": lambda *_: (F(10**6), F(0))},
    "branch that changes nothing": {
        "log_density": lambda _, x, n: (
            -abs(x) - n.log(n.rational(F(2))) if x < F(1, 3) else -n.log(n.rational(F(2))) - abs(x)
        )
    },
}


@pytest.mark.parametrize("name", list(OPEN))
@pytest.mark.long
def test_what_no_enclosure_decides_is_inconclusive(name: str) -> None:
    """It must come with a sentence, and not as an exception of ours."""
    parts, words = OPEN[name]
    found = run(partial(law, **parts), lambda own=parts: Moved(law(**own), 1))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert words in found.reason


@pytest.mark.long
def test_what_is_no_law_is_told_in_a_line(subtests: pytest.Subtests) -> None:
    """It must name what is wrong."""
    for name in LINES:
        with subtests.test(name=name):
            parts, words = LINES[name]
            with pytest.raises((InvalidArgument, TargetFault)) as told:
                run(partial(law, **parts), lambda own=parts: Moved(law(**own), 1))
            message = str(told.value)
            assert words in message
            assert len(message) <= 300
            assert "\n" not in message


@pytest.mark.parametrize("name", list(FINE))
@pytest.mark.long
def test_more_breakpoints_than_needed_change_nothing(name: str) -> None:
    """It must hold of any order, any number, anywhere."""
    found = run(lambda: law(**FINE[name]), lambda: Moved(law(**FINE[name]), 1))
    assert found.verdict is Verdict.PROVED


class Mark:
    """An outcome that is known by its place in memory."""


TABLES: dict[str, tuple[Callable[[], Any], Callable[[], Any], Any]] = {
    "1 and True": (
        lambda: {1: HALF, 0: HALF},
        lambda: {True: F(1, 4), 0.0: F(3, 4)},
        Verdict.PROVED,
    ),
    "numpy numbers": (lambda: {1: 1}, lambda: {np.float64(1): 1}, Verdict.PROVED),
    "zeros": (lambda: {0.0: 1}, lambda: {-0.0: 1}, Verdict.PROVED),
    "fractions": (lambda: {F(1): 1}, lambda: {1: 1}, Verdict.PROVED),
    "NaN": (lambda: {math.nan: 1}, lambda: {np.float64("nan"): 1}, Verdict.PROVED),
    "NaN in a tuple": (
        lambda: {(math.nan, 1): 1},
        lambda: {(float("nan"), True): 1},
        Verdict.PROVED,
    ),
    "two NaN": (
        lambda: {math.nan: HALF, float("nan"): HALF},
        lambda: {math.nan: 1},
        Verdict.PROVED,
    ),
    "no order": (
        lambda: {1: HALF, "a": F(1, 4), None: F(1, 4)},
        lambda: {None: HALF, (1,): F(0), "a": F(1, 4), 1: F(1, 4)},
        Verdict.PROVED,
    ),
    "text and number": (lambda: {"1": 1}, lambda: {1: 1}, Verdict.REFUTED),
    "texts of probabilities": (
        lambda: {1: "1/2", 0: "0.5"},
        lambda: {1: 0.5, 0: HALF},
        Verdict.PROVED,
    ),
    "not 1": (lambda: {1: HALF}, lambda: {1: 1}, "add up to 1"),
    "doubles that are not 1": (lambda: {1: 0.1, 2: 0.2, 3: 0.7}, lambda: {1: 1}, "add up to 1"),
    "negative": (lambda: {1: F(3, 2), 0: -HALF}, lambda: {1: 1}, "at least 0"),
    "infinite": (lambda: {1: math.inf}, lambda: {1: 1}, "must be a number"),
    "no number": (lambda: {1: math.nan}, lambda: {1: 1}, "must be a number"),
    "empty": (dict, lambda: {1: 1}, "add up to 1"),
    "marks": (lambda: {Mark(): 1}, lambda: {Mark(): 1}, "made of these"),
    "no law": (lambda: None, lambda: {1: 1}, "states no law"),
    "a list": (lambda: [1], lambda: [1], "no exact cells"),
    "a law beside a table": (lambda: {1: 1}, Law, "of different kinds"),
}


@pytest.mark.parametrize(
    "name", by_default(["1 and True", "text and number", "two NaN", "not 1", "no law"], TABLES)
)
def test_tables_are_compared_by_outcomes(name: str) -> None:
    """Equal keys of Python must be one outcome, and no table may end in an error of ours."""
    first, second, wanted = TABLES[name]
    for laws in ((first, second), (second, first)):
        if isinstance(wanted, Verdict):
            assert run(*laws).verdict is wanted
            continue
        with pytest.raises((InvalidArgument, TargetFault), match=wanted) as told:
            run(*laws)
        assert len(str(told.value)) <= 300


def test_the_report_says_which_outcomes_are_one() -> None:
    """A note must name both, and the certificate must be accepted."""
    found = run(lambda: {1: HALF, 0: HALF}, lambda: {True: F(1, 4), 0: F(3, 4)})
    assert "the outcomes 1 and True are equal in Python, and count as one outcome" in found.notes
    assert all("equal in Python" not in note for note in run(*[lambda: {1: 1}] * 2).notes)
    grid = run(
        lambda: {1: HALF, 0: HALF}, lambda: {True: F(1, 4), 0.0: F(3, 4)}, pair=None, low=0, high=1
    )
    assert grid.verdict is Verdict.PROVED
    assert grid.proof is not None
    assert grid.proof.certificate is not None


def test_outcomes_of_one_name_have_no_certificate() -> None:
    """A text and a number of one text on two data sets must not be taken for one by the check."""
    key = type(
        "Key", (), {"__init__": lambda s, x: setattr(s, "x", x), "__repr__": lambda _: "key"}
    )
    found = run(lambda: {key(1): 1}, lambda: {key(1): HALF, key(2): HALF}, pair=None, low=0, high=1)
    assert found.verdict is Verdict.REFUTED
    mixed = run(
        lambda: {key(1): HALF, 0: HALF},
        lambda: {key(1): F(1, 4), 0: F(3, 4)},
        pair=None,
        low=0,
        high=1,
    )
    assert mixed.verdict is Verdict.PROVED
