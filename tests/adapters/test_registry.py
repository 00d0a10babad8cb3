import ast
import importlib
import inspect
import sys

import numpy as np
import pytest

from audit.targets.libraries.adapters import ADAPTERS, build_adapter
from audit.targets.libraries.library_imports import draw_each, load_library
from audit.targets.load import load_target
from audit.targets.wrap import target_of
from mechanisms.claims import Order, PrivacyClaim, Relation
from mechanisms.errors import InvalidArgument, MissingExtra
from mechanisms.protocols import Mechanism

LIBRARIES = (
    "opendp.prelude",
    "diffprivlib.tools",
    "diffprivlib.mechanisms",
    "pydp.algorithms.laplacian",
    "pydp.algorithms.numerical_mechanisms",
)

HELPERS = ("calibrated", "cast_up", "prelude")
"""Of the module of OpenDP; what remains are ways to call it."""


def test_every_entry_builds_a_mechanism_with_the_declared_relation(subtests):
    """Every registered adapter must be a Mechanism, and declare what its entry says."""
    for name in ADAPTERS:
        with subtests.test(name=name):
            adapter = build_adapter(name)
            assert isinstance(adapter, Mechanism)
            assert isinstance(adapter.claim, PrivacyClaim)
            assert adapter.claim.relation is ADAPTERS[name].relation
            assert adapter.order is Order.FREE
            assert adapter.claim.source.paper.startswith(f"{ADAPTERS[name].library} ")


def test_queries_of_records_have_bounds(subtests):
    """Raw noise (neighbors are listed) has no bounds, a query over records has them."""
    for name in ADAPTERS:
        with subtests.test(name=name):
            adapter = build_adapter(name)
            listed = ADAPTERS[name].relation is Relation.LISTED
            assert (adapter.bounds is None) == listed


def test_a_call_at_hand_is_the_target_of_its_name(subtests):
    """An object from Python must be audited as its name is: same claim, bounds and domain."""
    for name in ADAPTERS:
        with subtests.test(name=name):
            by_name, at_hand = load_target(name), target_of(build_adapter(name), name)
            for field in (
                "claim",
                "order",
                "seedable",
                "bounds",
                "library",
                "domain",
                "domain_source",
            ):
                assert getattr(at_hand, field) == getattr(by_name, field)


@pytest.mark.parametrize("name", ADAPTERS)
def test_size_is_the_first_axis(name, dp_rng):
    """Every adapter must return exactly `size` outputs, not all alike (chance below 1e-20)."""
    data = 0.0 if ADAPTERS[name].relation is Relation.LISTED else [0.0, 1.0, 1.0]
    outputs = build_adapter(name).sample(data, 60, rng=dp_rng)
    assert len(outputs) == 60
    assert len({repr(z) for z in outputs}) > 1
    assert not any(isinstance(z, Exception) for z in outputs)


@pytest.mark.parametrize("name", [n for n in ADAPTERS if n.startswith("diffprivlib")])
def test_a_seed_repeats_the_draws(name):
    """A seedable adapter must repeat its draws under one seed and change them under another."""
    adapter = build_adapter(name)
    assert adapter.seedable
    data = 0.0 if ADAPTERS[name].relation is Relation.LISTED else [0.0, 1.0, 1.0]
    first, same, other = (
        repr(list(adapter.sample(data, 20, rng=np.random.default_rng(seed)))) for seed in (5, 5, 6)
    )
    assert first == same != other


@pytest.mark.parametrize("name", [n for n in ADAPTERS if not n.startswith("diffprivlib")])
def test_a_library_of_its_own_source_has_no_seed(name):
    """OpenDP and PyDP draw by themselves: the adapter must say so and leave the generator alone."""
    adapter = build_adapter(name)
    rng, twin = np.random.default_rng(5), np.random.default_rng(5)
    adapter.sample(0.0 if adapter.claim.relation is Relation.LISTED else [0.0, 1.0], 3, rng=rng)
    assert not adapter.seedable
    assert rng.integers(2**62) == twin.integers(2**62)


@pytest.mark.parametrize("library", ["diffprivlib", "opendp", "pydp"])
def test_each_way_to_call_a_library_is_that_of_a_row(library):
    """A function that no row names is reached by nobody, and a row's must be there."""
    module = importlib.import_module(f"audit.targets.libraries.{library}")
    source = ast.parse(inspect.getsource(module)).body
    found = [n.name for n in source if isinstance(n, ast.FunctionDef)]
    found += [ast.unparse(n.targets[0]) for n in source if isinstance(n, ast.Assign)]
    public = [name for name in found if not name.startswith("_") and name not in HELPERS]
    ways = {f"{module.__name__}:{name}" for name in public}
    assert ways == {entry.path for entry in ADAPTERS.values() if entry.extra == library}


def test_unknown_names_and_arguments_are_named():
    """The error for a wrong name or parameter must list what there is."""
    with pytest.raises(InvalidArgument, match=r"unknown adapter 'opendp\.nothing'; known: .*sum"):
        build_adapter("opendp.nothing")
    with pytest.raises(InvalidArgument, match="no parameter scale; it has: epsilon, low, high"):
        build_adapter("opendp.sum", scale=1)


@pytest.mark.parametrize("name", ADAPTERS)
def test_epsilon_must_be_positive(name, monkeypatch):
    """A claim without a positive epsilon must be refused before the library is asked for."""
    for epsilon in [0, -1, "x"]:
        for module in LIBRARIES:
            monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(InvalidArgument, match="epsilon must be"):
            build_adapter(name, epsilon=epsilon)


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("opendp.sum", "opendp.prelude"),
        ("diffprivlib.mean", "diffprivlib.tools"),
        ("diffprivlib.laplace", "diffprivlib.mechanisms"),
        ("pydp.mean", "pydp.algorithms.laplacian"),
        ("pydp.laplace", "pydp.algorithms.numerical_mechanisms"),
    ],
)
def test_a_missing_library_names_the_extra(name, module, monkeypatch):
    """Without its library an adapter must fail at once and say how to install it."""
    monkeypatch.setitem(sys.modules, module, None)
    hint = rf"pip install 'touchstone-dp\[{ADAPTERS[name].extra}\]'"
    with pytest.raises(MissingExtra, match=hint):
        build_adapter(name)


def test_a_library_that_fails_to_import_names_the_extra(tmp_path, monkeypatch):
    """An installed library that does not fit its own dependencies must get the same hint."""
    (tmp_path / "misfit_library.py").write_text("from fractions import DOUBLE\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtra, match=r"cannot import name 'DOUBLE'.*\[diffprivlib\]'"):
        load_library("misfit_library", "diffprivlib")


def test_an_exception_belongs_to_its_own_draw():
    """A draw that fails must not take the other draws with it."""
    answers = iter([1.0, ValueError("no"), 2.0])

    def call():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    first, failed, last = draw_each(call, 3)
    assert (first, last) == (1.0, 2.0)
    assert isinstance(failed, ValueError)


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt])
def test_what_is_no_outcome_propagates(error):
    """Running out of memory and being stopped are never outcomes of a mechanism."""

    def call():
        raise error

    with pytest.raises(error):
        draw_each(call, 2)


def test_warnings_of_the_library_stay_inside(recwarn):
    """A library's warnings must not reach the user (the test run turns them into errors)."""
    import warnings

    def call():
        warnings.warn("privacy leak", UserWarning, stacklevel=1)
        return 1.0

    assert draw_each(call, 2).tolist() == [1.0, 1.0]
    assert not recwarn.list
