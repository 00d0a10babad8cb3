"""`@audit.mechanism` attaches a promise, and everything finds it."""

from __future__ import annotations

import ast
import functools
import inspect
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.cli import main
from audit.declaration import declared_in
from audit.levels import LEVELS, claim_constructors
from audit.request.configuration import read_config
from mechanisms.claims import Order, PrivacyClaim, Relation, Source
from tests.api import audited
from tests.user_files import imports_restored

FILE = """
import numpy as np
from numpy import asarray

import audit


@audit.mechanism(audit.pure(1, relation="add-remove"), low=0, high=1)
def total(data, size, rng):
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(size=size)


again = total


@audit.mechanism(audit.pure(1, relation="swap"), low=0, high=1)
class First:
    def sample(self, data, size, *, rng):
        return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(size=size)


def plain(data, size, rng):
    return data.sum() + rng.laplace(size=size)
"""
PAIR = ([0.0], [0.0, 1.0])
SMALL: dict[str, Any] = {"seed": 1, "budget_samples": 20_000, "ideal": True}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder of a user with a module of declared mechanisms."""
    (tmp_path / "m.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


@pytest.mark.long
def test_a_declared_function_needs_no_words() -> None:
    """It must hold that claim, bounds and order are its own, and that it is called as before."""
    target = audit.load(audited.total)
    assert target.claim == audit.pure(1, relation="add-remove")
    assert target.bounds == (0, 1)
    assert audited.total.__name__ == "total"
    result = audit.audit(audited.total, pair=PAIR, **SMALL)
    assert result.claim == target.claim
    assert result.verdict is not audit.Verdict.REFUTED
    assert result.limits["epsilon"] < 1
    half = audit.audit(audited.total, epsilon="1/4", pair=PAIR, **SMALL)
    assert half.verdict is audit.Verdict.REFUTED


def test_a_declared_class_is_loaded_with_its_order() -> None:
    """It must hold for the class and for its objects, and that words come first."""
    for found in (audited.First, audited.First()):
        target = audit.load(found)
        assert str(target.claim) == "epsilon = 1, delta = 1/100 (swap)"
        assert target.order is Order.FIXED
        assert audit.load(found, order="free").order is Order.FREE


def test_declarations_are_checked() -> None:
    """It must hold that a wrong one is an error where it stands."""
    claim = audit.pure(1, relation="swap")
    for words, message in (
        ({"low": 0}, "low and high go together"),
        ({"low": 1, "high": 0}, "low must be at most high"),
        ({"order": "any"}, "order must be one of free, fixed, got order='any'"),
    ):
        with pytest.raises(audit.InvalidArgument, match=message):
            audit.mechanism(claim, **words)  # type: ignore[arg-type]
    with pytest.raises(audit.InvalidArgument, match="claim must be a PrivacyClaim"):
        audit.mechanism(1)  # type: ignore[arg-type]

    class Own:
        claim = audit.pure(2, relation="swap")

    with pytest.raises(audit.InvalidArgument, match="has a claim of its own"):
        audit.mechanism(claim)(Own)


class Methods:
    """Methods of every kind that say what they promise."""

    claim_of = audit.mechanism(audit.pure(1, relation="add-remove"), low=0, high=1)

    @claim_of
    def own(self, data: Any, size: int, rng: Any) -> Any:
        """A method."""
        return audited.leaky(data, size, rng)

    @claim_of
    @staticmethod
    def plain(data: Any, size: int, rng: Any) -> Any:
        """A function of the class, decorated last."""
        return audited.leaky(data, size, rng)

    @staticmethod
    @claim_of
    def plainer(data: Any, size: int, rng: Any) -> Any:
        """The same, decorated first."""
        return audited.leaky(data, size, rng)

    @claim_of
    @classmethod
    def of_class(cls, data: Any, size: int, rng: Any) -> Any:
        """A method of the class."""
        return audited.leaky(data, size, rng)


@pytest.mark.parametrize("name", ["own", "plain", "plainer", "of_class"])
def test_a_method_is_declared(name: str) -> None:
    """It must hold for every kind of method, in either order of the decorators."""
    target = audit.load(getattr(Methods(), name))
    assert target.claim == audit.pure(1, relation="add-remove")
    assert len(target.draw(np.zeros(1), 2, np.random.default_rng(1))) == 2


def test_a_method_without_its_object_is_refused() -> None:
    """It must hold that the error says whose method is needed."""
    with pytest.raises(
        audit.InvalidArgument, match=r"Methods\.own is a method: give that of an ob"
    ):
        audit.load(Methods.own)


async def later(data: Any, rng: Any) -> Any:
    """A function that cannot be audited."""
    return rng.laplace()


def test_what_cannot_be_declared_is_refused_where_it_stands() -> None:
    """It must hold for a second claim, async functions, and what holds no attribute."""
    attach = audit.mechanism(audit.pure(1, relation="swap"))

    def draw(data: Any, size: int, rng: Any) -> Any:
        return rng.laplace(size=size)

    assert attach(attach(draw)) is draw  # the same claim
    with pytest.raises(
        audit.InvalidArgument, match=r"is declared twice: epsilon = 1 .* = 2 \(swap"
    ):
        audit.mechanism(audit.pure(2, relation="swap"))(draw)

    @functools.wraps(draw)
    def half(data: Any, size: int, rng: Any) -> Any:
        return draw(data[::2], size, rng)

    audit.mechanism(audit.pure(2, relation="swap"))(half)
    assert str(audit.load(half).claim) == "epsilon = 2 (swap)"
    assert str(audit.load(draw).claim) == "epsilon = 1 (swap)"
    with pytest.raises(audit.InvalidArgument, match="cannot be audited: async functions are not"):
        attach(later)
    for wrong in (None, 3, len, property(draw), [draw]):
        with pytest.raises(audit.InvalidArgument, match="must stand before a function, or a class"):
            attach(wrong)


@pytest.mark.long
def test_a_gate_finds_what_is_declared(folder: Path) -> None:
    """It must hold that `*` stands for each declared object of a module, once."""
    config = folder / "touchstone.toml"
    config.write_text('[[audit]]\ntarget = "m.py:*"\nideal = true\nbudget_samples = 4000\n')
    entries = read_config(config).entries
    assert [entry.request.target for entry in entries] == [str(folder / f"m.py:{n}") for n in NAMES]
    result = audit.gate(folder, seed=1, jobs=1, inconclusive="ok")
    assert result.expect() is result
    assert [str(one.result.claim) for one in result.outcomes if one.result is not None] == [
        "epsilon = 1 (add-remove)",
        "epsilon = 1 (swap)",
    ]
    assert result.to_dict()["exit_status"] == 0
    (folder / "n.py").write_text("def plain(data, rng):\n    return rng.laplace()\n")
    config.write_text('[[audit]]\ntarget = "n.py:*"\n')
    with pytest.raises(
        audit.InvalidData, match=r"nothing in n\.py is declared with @audit.mechanism"
    ):
        audit.gate(config)


NAMES = ("total", "First")


def test_init_finds_what_is_declared(folder: Path) -> None:
    """It must hold that such an entry states no claim, and that the others are as before."""
    assert main(["init", "m.py"]) == 0
    tables = tomllib.loads((folder / "touchstone.toml").read_text())["audit"]
    by_target = {table["target"]: table for table in tables}
    assert "epsilon" not in by_target["m.py:total"]
    assert "relation" not in by_target["m.py:First"]
    assert by_target["m.py:plain"]["epsilon"] == 1


def test_names_of_what_is_declared_are_those_of_the_module() -> None:
    """It must hold that what a module imports is not its own."""
    content = {**vars(audited), "__name__": "elsewhere"}
    assert declared_in(content) == []
    assert declared_in(vars(audited)) == ["total", "First"]


def typed(name: str) -> list[str]:
    """Arguments of a constructor as a type checker knows them."""
    tree = ast.parse(inspect.getsource(claim_constructors))
    (found,) = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name)
    return [argument.arg for argument in (*found.args.posonlyargs, *found.args.kwonlyargs)]


@pytest.mark.parametrize("kind", LEVELS)
def test_a_constructor_states_its_kind(kind: Any) -> None:
    """It must hold that it makes a claim of its kind, for which a relation must be given."""
    make = getattr(audit, kind.constructor)
    claim = eval(f"make({kind.shown}, relation='listed', source='me')", {"make": make})
    assert isinstance(claim, PrivacyClaim)
    assert type(claim.level) is kind.level
    assert claim.relation is Relation.LISTED
    assert claim.source == Source("user", "me")
    with pytest.raises(TypeError, match="relation"):
        eval(f"make({kind.shown})", {"make": make})
    names = list(inspect.signature(make).parameters)
    assert (
        names == [*type(claim.level).__match_args__, "relation", "source"] == typed(make.__name__)
    )
    with pytest.raises(audit.InvalidArgument, match="relation must be one of add-remove, swap"):
        eval(f"make({kind.shown}, relation='both')", {"make": make})


@pytest.mark.parametrize("kind", LEVELS)
def test_the_example_of_a_constructor_runs(kind: Any) -> None:
    """It must hold that the docstring's example prints what it says."""
    import doctest

    make = getattr(audit, kind.constructor)
    (example,) = doctest.DocTestFinder().find(make, kind.constructor, module=False)
    assert doctest.DocTestRunner().run(example).failed == 0
    assert len(example.examples) == 2
