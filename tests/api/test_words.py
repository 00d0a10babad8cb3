"""Words of the API are those of the table: for a type checker and when it runs."""

from __future__ import annotations

import inspect
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pytest

import audit
from audit.levels.word import Of
from audit.request.call import ACCURACY, AUDIT, GATE, PROVE
from audit.request.word_table import CHOICES, WORDS, named
from audit.results.base_result import OutcomeWord
from audit.results.verdict import Verdict
from audit.stability.norms import Norm
from audit.suite.exit_status import Exit
from audit.targets.domain import ASKED, DomainWord
from audit.targets.tables.table_schema import FORMS
from mechanisms.claims import Order, OrderWord, Relation, RelationWord
from tests.api.words_stub import FUNCTIONS, IN_SIGNATURE, STUB, stub


def test_typed_words_are_those_of_the_table() -> None:
    """It must hold that what a type checker knows is made from it."""
    assert STUB.read_text() == stub()


def test_words_of_a_few_are_the_same_for_a_type_checker() -> None:
    """It must hold that each is written in literals that are the members of its enumeration."""
    assert get_args(RelationWord) == tuple(Relation) == CHOICES["relation"]
    assert get_args(OrderWord) == tuple(Order) == CHOICES["order"]
    assert get_args(DomainWord) == ASKED
    assert CHOICES["takes"] == FORMS
    assert CHOICES["norm"] == tuple(Norm)
    assert eval(audit.gate.__annotations__["inconclusive"]) == Literal["ok"] | None
    assert CHOICES["inconclusive"] == ("ok",)
    known = [*Verdict, *(status.name for status in Exit)]
    words = [word for part in get_args(OutcomeWord) for word in get_args(part) or [part]]
    assert set(words) == {*known, *map(str.lower, known)}


def test_words_of_functions_have_a_meaning_there() -> None:
    """It must hold that the table says where: of errors none in an audit of privacy."""
    for known, of in ((AUDIT, Of.SAMPLES | Of.RUN), (PROVE, Of.EXACT), (GATE, Of.RUN)):
        assert all(WORDS[name].of & of or name == "resume" for name in known)
    names = {word.name for word in named(Of.SAMPLES | Of.RUN)}
    assert names - set(AUDIT) == {"command", "mode"}
    assert {word.name for word in named(Of.ERRORS)} - set(ACCURACY) == {"command", "utility"}
    assert set(IN_SIGNATURE["accuracy"]) <= set(inspect.signature(audit.accuracy).parameters)


def test_a_signature_shows_its_words() -> None:
    """It must hold that notebooks can complete the words."""
    for function, known in FUNCTIONS.items():
        assert set(known) <= set(inspect.signature(getattr(audit, function)).parameters)


def mean(data: Any, size: int, rng: Any) -> Any:
    """Any function."""
    return data.mean() + rng.laplace(size=size)


def test_an_unknown_word_is_named() -> None:
    """It must hold that each function refuses it with the nearest one."""
    for function, close in (("audit", "epsilon"), ("prove", "epsilon")):
        with pytest.raises(TypeError, match=f"unexpected word 'epsilom'; close: {close}"):
            getattr(audit, function)(mean, epsilom=1)
    with pytest.raises(TypeError, match="unexpected word 'sed'; close: seed"):
        audit.gate(sed=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected word 'relation'"):
        audit.accuracy(mean, relation="swap")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected word 'epsilon'"):
        audit.load(mean, epsilon=1)  # type: ignore[call-arg]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "not exact": ({"epsilon": "x"}, "epsilon must be a finite number"),
    "no text": ({"epsilon": [1]}, "epsilon must be a number, or text such as '1/10'"),
    "no flag": ({"ideal": 1}, "ideal must be true or false, got ideal=1"),
    "too small": ({"first_draws": 7}, "first_draws must be an integer of at least 8, got"),
    "no choice": ({"backend": "slurm"}, "backend must be one of loky, dask"),
    "no mapping": ({"param": [1]}, r"param must be a mapping, got param=\[1\]"),
    "no claim": ({"low": 0, "high": 1}, "makes no claim of its own; state one with epsilon"),
    "no relation": ({"epsilon": 1}, "needs its relation: relation add-remove"),
    "no bounds": ({"epsilon": 1, "relation": "swap"}, "give low and high, data FILE.csv, or pair"),
    "no pair": ({"pair": [[0.0], [1.0]]}, r"a pair is \(data, neighbor\), a mapping"),
    "no records": ({"data": []}, "data must be numbers in one dimension"),
    "no number": ({"data": [0.0, float("nan")]}, "data, row 2: expected a finite number"),
    "no column": ({"data": [0.0], "column": "age"}, "column names a column of a file or of a data"),
    "exact, seeded": ({"mode": "exact", "seed": 1}, "draws no samples; leave out seed"),
    "another mode": ({"mode": "quick"}, "mode must be one of sequential, bound, exact"),
}


def test_a_wrong_value_is_one_sentence(subtests: pytest.Subtests) -> None:
    """It must hold that it is an InvalidArgument or InvalidData in the words of Python."""
    for words, message in WRONG.values():
        with (
            subtests.test(words=words, message=message),
            pytest.raises((audit.InvalidArgument, audit.InvalidData), match=message),
        ):
            audit.audit(mean, **words)


def test_a_claim_is_stated_once() -> None:
    """It must hold that an object and words for one claim contradict each other."""
    claim = audit.pure(Fraction(1, 2), relation="swap")
    with pytest.raises(audit.InvalidArgument, match=r"stated twice: .* and by epsilon, relation"):
        audit.audit(mean, claim, epsilon=1, relation="swap")
    with pytest.raises(audit.InvalidArgument, match="claim must be a PrivacyClaim"):
        audit.audit(mean, 1)  # type: ignore[call-overload]


async def later(data: Any, rng: Any) -> Any:
    """A function that cannot be audited."""
    return rng.laplace()


def test_an_asynchronous_function_is_refused_by_name() -> None:
    """It must hold for every function that takes a target."""
    for function in (audit.audit, audit.prove, audit.load, audit.accuracy):
        with pytest.raises(audit.InvalidArgument, match="later cannot be audited: async functions"):
            function(later)  # type: ignore[operator]


def test_words_that_an_object_cannot_follow_are_refused(tmp_path: Path) -> None:
    """It must hold that no evidence is carried to another object, and that no parameter is lost."""

    def far(data: Any, size: int, rng: np.random.Generator) -> Any:
        return np.sum(data) + rng.laplace(size=size)

    words: dict[str, Any] = {"epsilon": 1, "relation": "swap", "pair": ([0.0], [1.0])}
    with pytest.raises(audit.InvalidArgument, match="resume needs a target that a name finds"):
        audit.audit(far, **words, resume=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    with pytest.raises(audit.InvalidArgument, match="give param to"):
        audit.audit(audit.load(far), **words, param={"scale": 2})
