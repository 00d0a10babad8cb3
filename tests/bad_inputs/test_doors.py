"""Pair files, claims, schemas, plans and calls of Python: one line, a status, and nothing else."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import audit
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown
from tests.bad_inputs.calls import complaint_of_call, generate_calls
from tests.bad_inputs.case import Case, complaint, run_here
from tests.bad_inputs.claims import generate_claims
from tests.bad_inputs.documents import generate_documents
from tests.bad_inputs.pair_files import generate_pairs

MAKES: dict[str, tuple[Callable[[int, int], Iterator[Case]], int, int]] = {
    "pair files": (generate_pairs, 40, 600),
    "claims": (generate_claims, 40, 800),
    "documents": (generate_documents, 60, 900),
}
"""Each generator, and how many of its inputs are tried by default and in all."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder: each input brings its files."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TOUCHSTONE_TRACEBACK", raising=False)
    return folder


def complaints(project: Path, cases: Iterator[Case]) -> list[str]:
    """What is wrong with the outcomes."""
    found = ((case, complaint(case, run_here(project, case))) for case in cases)
    return [f"{case}: {wrong}" for case, wrong in found if wrong]


@pytest.mark.long
@pytest.mark.parametrize("kind", MAKES)
def test_a_few_bad_inputs_of_a_door_are_one_line(kind: str, project: Path) -> None:
    """It must hold of a sample."""
    make, few, _ = MAKES[kind]
    assert complaints(project, make(0, few)) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKES)
def test_bad_inputs_of_a_door_are_one_line(kind: str, project: Path) -> None:
    """It must hold of all."""
    make, _, all_of_them = MAKES[kind]
    assert complaints(project, make(1, all_of_them)) == []


def faults_of_calls(seed: int, count: int) -> list[str]:
    """What is wrong with calls of Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ((call, complaint_of_call(call)) for call in generate_calls(seed, count))
        return [f"{call}: {wrong}" for call, wrong in found if wrong]


@pytest.mark.long
def test_a_few_wrong_values_of_python_are_one_sentence(project: Path) -> None:
    """It must hold of every public function."""
    assert faults_of_calls(0, 80) == []


@pytest.mark.slow
def test_wrong_values_of_python_are_one_sentence(project: Path) -> None:
    """It must hold of 700 in all."""
    assert faults_of_calls(1, 700) == []


def test_bad_inputs_are_the_same_for_the_same_seed() -> None:
    """It must hold, so that a failure can be repeated, and of others for others."""
    for make, few, _ in MAKES.values():
        first, again, other = ([str(case) for case in make(s, few)] for s in (3, 3, 4))
        assert first == again != other
    calls, same = ([str(call.name) for call in generate_calls(s, 30)] for s in (3, 3))
    assert calls == same


SIDES = ("x", {"a": 1}, [1, [2]], None, 10**400, [0.0, "1"])
"""No number, or none that double precision holds."""


@pytest.mark.parametrize("target", ["noise.laplace", "corpus.svt-6", "ksw.transformed-laplace"])
@pytest.mark.parametrize("side", SIDES, ids=[str(i) for i in range(len(SIDES))])
def test_a_built_in_mechanism_refuses_a_pair_of_no_numbers(side: Any, target: str) -> None:
    """It must hold in Python in both modes, that the message names the side, and of its length."""
    pair = {"data": side, "neighbor": 0.0}
    words: dict[str, Any] = {"epsilon": 1, "relation": "listed", "pair": pair}
    for call in (audit.prove, audit.audit):
        with pytest.raises(InvalidArgument, match=r"takes numbers, got data=") as caught:
            call(target, **words)
        assert len(str(caught.value)) <= 300


def test_a_function_of_the_users_may_take_any_pair() -> None:
    """It must hold that what it raises on one side is an outcome, and no error."""

    def total(data: Any, size: int, rng: Any) -> Any:
        return float(data) + rng.laplace(size=size)

    pair = {"data": "x", "neighbor": 0.0}
    result = audit.audit(
        total, epsilon=1, relation="listed", pair=pair, seed=1, budget_samples=2_000
    )
    assert result.verdict is audit.Verdict.REFUTED


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ({"epsilon": "1e400"}, "--epsilon must be at most 200 to be audited by draws, got 1"),
        ({"epsilon": 201}, "--epsilon must be at most 200 to be audited by draws, got 201$"),
        ({"rho": "1e400"}, "--rho must be at most 50 to be audited by draws, got 1"),
        ({"mu": "1e400"}, "--mu must be at most 12 to be audited by draws, got 1"),
        ({"epsilon": "1e400", "alpha_order": 2}, "--epsilon must be at most 50 to be audited"),
        ({"epsilon": 1, "alpha_order": "1e400"}, "--alpha-order must be at most 1000000000 to"),
        ({"budgets": ["201"]}, "--budgets must be at most 200 to be audited by draws, got 201"),
        ({"budgets": ["1e400"]}, "--budgets must be at most 10\\^300, got 1"),
    ],
    ids=str,
)
def test_a_claim_that_no_draws_refute_is_one_sentence(words: dict[str, Any], limit: str) -> None:
    """It must hold of numbers that no double is, in each kind of claim; Python has no dashes."""

    def noisy(data: Any, size: int, rng: Any) -> Any:
        return rng.laplace(size=size)

    with pytest.raises(InvalidArgument, match=limit.replace("--", "").replace("-order", "_order")):
        audit.audit(noisy, **words, relation="swap", low=0, high=1)


def test_the_largest_epsilon_is_audited() -> None:
    """It must hold that 200, which is let in, has a verdict, whatever the draws are."""
    result = audit.audit(
        lambda data, size, rng: data + 0 * rng.laplace(size=size),
        epsilon=200,
        relation="listed",
        pair={"data": 0.0, "neighbor": 1.0},
        seed=1,
        budget_samples=4_000,
    )
    assert result.verdict in (audit.Verdict.INCONCLUSIVE, audit.Verdict.CONSISTENT)


def test_numbers_are_shown_as_they_were_typed() -> None:
    """It must hold that no more than 20 digits are, and no class of ours or of Python's."""
    assert shown(Fraction(3)) == shown("3") == "3"
    assert shown([Fraction(1, 2)]) == "[1/2]"
    assert shown("1e-5000") == "1e-5000"
    assert shown("nan") == "'nan'"
    assert shown(10**400) == f"1{'0' * 19}... (401 digits)"
    assert shown("0." + "3" * 90) == f"0.{'3' * 20}... (90 digits)"
    assert shown(Fraction(10**5_000, 7)) == "a number of more than 4,300 digits"

    class Silent:
        def __repr__(self) -> str:
            raise RuntimeError

    assert shown(Silent()) == "an object of type Silent, which has no text"
