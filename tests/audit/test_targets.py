"""What names a target, how its arguments are bound, and what the user hears otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from audit.targets.libraries.adapters import ADAPTERS
from audit.targets.load import load_target
from mechanisms.claims import Order, PureDP, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, build_mechanism
from tests.user_files import imports_restored

SOURCE = '''
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source

seen = []


def by_size(data, size, rng):
    return data.sum() + rng.laplace(size=size)


def by_n(records, n, seed=None):
    return np.random.default_rng(seed).normal(size=n)


def both(data, size, n=3):
    return np.full(size, float(n))


def each(data, random_state):
    seen.append(random_state)
    return float(len(data))


def bounded(data, size, low, high):
    return np.tile([float(low), float(high)], (size, 1))


def defaults(data, size, low=0.0, high=2.0):
    return np.zeros(size)


def spoils(data):
    data[0] = data[0] + 1
    return float(data[0])


def sometimes(data, rng):
    if rng.random() < 0.5:
        raise KeyError("half of the time")
    return 1.0


def needs(data, epsilon, size):
    return np.full(size, epsilon)


def nothing():
    return 0.0


def keywords(data, **options):
    return options["scale"]


def hidden(data, scale, /):
    return scale


number = 3


@dataclass
class Laplace:
    """A mechanism of the user's."""

    scale: object = 1
    low: object = None
    high: object = None
    order = "fixed"

    @property
    def claim(self):
        return PrivacyClaim(PureDP(1 / Fraction(self.scale)), Relation.SWAP, Source("user", "here"))

    def sample(self, data, size, *, rng):
        data[0] = 7.0
        return data.sum() + rng.laplace(0, float(self.scale), size)


ready = Laplace(2)


class Callable:
    def __init__(self, shift=0.0):
        self.shift = shift

    def __call__(self, data, size, high=0.0):
        return np.full(size, self.shift + high)


class Neither:
    pass
'''


@pytest.fixture
def user_file(tmp_path: Path) -> Iterator[str]:
    """A user's file."""
    (tmp_path / "helper_of_the_user.py").write_text("value = 5\n")
    file = tmp_path / "user_targets.py"
    file.write_text("import helper_of_the_user\n" + SOURCE)
    with imports_restored(tmp_path):
        yield str(file)


def test_size_and_rng_are_bound_by_name(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that a function with `size` makes all draws in one call."""
    target = load_target(f"{user_file}:by_size")
    assert target.draw(np.ones(3), 5, dp_rng).shape == (5,)
    assert (target.claim, target.order, target.seedable) == (None, Order.FREE, True)
    assert target.bounds is None


def test_n_and_seed_are_bound_by_name(user_file: str) -> None:
    """It must hold that `n` is the size, and that the generator determines the seed."""
    target = load_target(f"{user_file}:by_n")
    first, second, other = (target.draw(0.0, 4, np.random.default_rng(s)) for s in (3, 3, 4))
    assert first.shape == (4,)
    assert (first == second).all()
    assert (first != other).all()


def test_n_beside_size_is_a_parameter(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that `size` wins, and that a parameter of the user's is never filled in."""
    assert load_target(f"{user_file}:both").draw(0.0, 2, dp_rng).tolist() == [3.0, 3.0]
    set_by_user = load_target(f"{user_file}:both", parameters={"n": 10})
    assert set_by_user.draw(0.0, 2, dp_rng).tolist() == [10.0, 10.0]


def test_without_size_each_draw_is_a_call_with_its_own_seed(user_file: str) -> None:
    """It must hold that every call gets another integer seed below 2^32."""
    target = load_target(f"{user_file}:each")
    outputs = target.draw(np.ones(2), 50, np.random.default_rng(0))
    assert outputs.tolist() == [2.0] * 50
    seeds = sys.modules["user_targets"].seen
    assert len(set(seeds)) == 50
    assert all(type(seed) is int and 0 <= seed < 2**32 for seed in seeds)


def test_bounds_reach_the_function(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that low and high are passed on, as numbers, and are the target's bounds."""
    target = load_target(f"{user_file}:bounded", low=Fraction(1, 3), high=Fraction(2))
    assert target.draw(0.0, 1, dp_rng).tolist() == [[1 / 3, 2.0]]
    assert target.bounds == (Fraction(1, 3), Fraction(2))


def test_parameters_win_over_bounds(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that --param low=... is what the function gets."""
    target = load_target(f"{user_file}:bounded", parameters={"low": -1}, low=Fraction(0), high=2)
    assert target.draw(0.0, 1, dp_rng).tolist() == [[-1.0, 2.0]]


def test_default_bounds_are_found(user_file: str) -> None:
    """It must hold that bounds with defaults are the target's bounds."""
    assert load_target(f"{user_file}:defaults").bounds == (0, 2)


@pytest.mark.parametrize("data", [np.zeros(2), [0.0, 0.0]], ids=["array", "list"])
def test_every_call_gets_a_fresh_copy(
    user_file: str, data: object, dp_rng: np.random.Generator
) -> None:
    """It must hold that a function which changes its input sees the same input every time."""
    outputs = load_target(f"{user_file}:spoils").draw(data, 3, dp_rng)
    assert list(outputs) == [1.0, 1.0, 1.0]
    assert list(data) == [0.0, 0.0]  # type: ignore[call-overload]


def test_a_draw_that_raises_is_an_outcome(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that a failing draw leaves its exception among the outputs."""
    outputs = load_target(f"{user_file}:sometimes").draw(0.0, 40, dp_rng)
    assert {type(z) for z in outputs} == {float, KeyError}
    assert len(outputs) == 40


def test_unseeded_functions_are_not_seedable(user_file: str) -> None:
    """It must hold that a function without rng or seed cannot be repeated."""
    assert not load_target(f"{user_file}:spoils").seedable


def test_quotients_are_numbers(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that text such as "5/3" reaches a function as a float."""
    target = load_target(f"{user_file}:needs", parameters={"epsilon": "5/3"})
    assert target.draw(0.0, 1, dp_rng).tolist() == [5 / 3]
    assert target.parameters == {"epsilon": "5/3"}


def test_any_name_goes_with_keyword_arguments(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that **options take every parameter."""
    target = load_target(f"{user_file}:keywords", parameters={"scale": 4.0})
    assert list(target.draw(0.0, 2, dp_rng)) == [4.0, 4.0]


def test_a_class_is_instantiated_with_parameters(
    user_file: str, dp_rng: np.random.Generator
) -> None:
    """It must hold that a mechanism class gets --param exactly, and its data as a copy."""
    target = load_target(f"{user_file}:Laplace", parameters={"scale": "5/3"}, low=0, high=1)
    assert target.claim is not None
    assert target.claim.level == PureDP("3/5")
    assert (target.order, target.bounds) == (Order.FIXED, (0, 1))
    data = np.zeros(1)
    assert target.draw(data, 3, dp_rng).shape == (3,)
    assert data[0] == 0.0


def test_an_instance_is_used_as_it_is(user_file: str) -> None:
    """It must hold that an object with claim and sample is a mechanism."""
    target = load_target(f"{user_file}:ready")
    assert target.claim is not None
    assert target.claim.relation is Relation.SWAP


def test_order_can_be_told(user_file: str) -> None:
    """It must hold that the user's order wins."""
    assert load_target(f"{user_file}:ready", order=Order.FREE).order is Order.FREE
    assert load_target(f"{user_file}:by_size", order=Order.FIXED).order is Order.FIXED


def test_a_class_of_callables_is_instantiated(user_file: str, dp_rng: np.random.Generator) -> None:
    """It must hold that a class whose objects are functions works too."""
    target = load_target(f"{user_file}:Callable", parameters={"shift": 2.0}, high=Fraction(3))
    assert target.draw(0.0, 2, dp_rng).tolist() == [5.0, 5.0]
    again = load_target(f"{user_file}:Callable", parameters=target.parameters)
    assert again.draw(0.0, 1, dp_rng).tolist() == [5.0]


def test_a_module_of_the_working_folder_is_found(
    user_file: str, monkeypatch: pytest.MonkeyPatch, dp_rng: np.random.Generator
) -> None:
    """It must hold that "module:attribute" looks in the working folder."""
    monkeypatch.chdir(Path(user_file).parent)
    assert load_target("user_targets:by_size").draw(np.ones(1), 2, dp_rng).shape == (2,)


def test_a_file_may_have_the_name_of_a_loaded_module(
    tmp_path: Path, user_file: str, dp_rng: np.random.Generator
) -> None:
    """It must hold that a user's audit.py is the user's, and ours stays ours."""
    ours = sys.modules["audit"]
    (tmp_path / "audit.py").write_text("def f(data):\n    return 1.0\n")
    assert list(load_target(f"{tmp_path / 'audit.py'}:f").draw(0.0, 1, dp_rng)) == [1.0]
    assert sys.modules["audit"] is ours


MESSAGES = {
    "nowhere": "unknown target 'nowhere': expected a registered name",
    "ksw.shifted-laplac": "notebook.ipynb:attribute; close: ksw.shifted-laplace",
    "diffprivlib.laplase": "; close: diffprivlib.laplace",
    "nothing:here": "no module 'nothing'",
    "missing.py:f": "no file 'missing.py'",
    "{file}:missing": "has no attribute 'missing'",
    "{file}:by_sise": "has no attribute 'by_sise'; close: by_size",
    "{file}:number": "must be callable, or have sample\\(data",
    "{file}:nothing": "must take the data as its first argument",
    "{file}:needs": "needs a value for epsilon .*--param epsilon=VALUE; --epsilon states the claim",
    "{file}:bounded": "needs a value for low, high .*--low and --high",
    "{file}:hidden": "must take scale by name",
    "{file}:Neither": "must be callable, or have sample\\(data",
}


@pytest.mark.parametrize("spec", MESSAGES)
def test_what_is_no_target_is_named(user_file: str, spec: str) -> None:
    """It must hold that each fault is an InvalidArgument whose text says what is wrong."""
    with pytest.raises(InvalidArgument, match=MESSAGES[spec]):
        load_target(spec.format(file=user_file))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{file}:by_size", "has no parameter slip to set; it has: size, rng"),
        ("{file}:ready", "is a finished mechanism"),
        ("{file}:Laplace", "cannot be made: got an unexpected keyword argument 'slip'"),
        ("ksw.shifted-laplace", "has no parameter slip"),
        ("diffprivlib.mean", "has no parameter slip"),
    ],
)
def test_unknown_parameters_are_named(user_file: str, spec: str, message: str) -> None:
    """It must hold that a parameter that nobody takes is an error."""
    with pytest.raises(InvalidArgument, match=message):
        load_target(spec.format(file=user_file), parameters={"slip": "E4"})


@pytest.mark.parametrize(
    ("content", "fault"),
    [("import no_such_thing", "ModuleNotFoundError"), ("1 / 0", "ZeroDivisionError"),
     ("def f(:", "SyntaxError"), ("raise SystemExit(0)", "SystemExit")],
    ids=["import", "error", "syntax", "exit"],
)  # fmt: skip
def test_a_file_that_fails_is_a_user_error(
    tmp_path: Path, user_file: str, content: str, fault: str
) -> None:
    """It must hold that an error inside the user's file is told with its name."""
    (tmp_path / "broken.py").write_text(content)
    with pytest.raises(InvalidArgument, match=rf"broken.py cannot be imported: {fault}"):
        load_target(f"{tmp_path / 'broken.py'}:f")


def test_registered_mechanisms_take_the_bounds(
    subtests: pytest.Subtests, dp_rng: np.random.Generator
) -> None:
    """It must hold that every registered name loads, with the user's bounds, and draws."""
    for name in MECHANISMS:
        with subtests.test(name=name):
            target = load_target(name, low=Fraction(18), high=Fraction(100))
            own = hasattr(build_mechanism(name), "low")
            assert target.bounds == ((18, 100) if own else None)
            assert target.claim is not None
            assert target.claim.relation is MECHANISMS[name].relation
            assert target.seedable == (name != "ksw.release-mean")
            data = np.full(target.count or 3, 50.0)
            if MECHANISMS[name].claim == "budgets" and target.claim.relation is Relation.ADD_REMOVE:
                data = np.column_stack((data, np.ones(3)))  # rows (record, budget)
            assert len(target.draw(data, 2, dp_rng)) == 2
            again = load_target(name, parameters=target.parameters)
            assert again.bounds == target.bounds


def test_adapters_load_with_and_without_bounds(subtests: pytest.Subtests) -> None:
    """It must hold that bounds reach an adapter that has them, and do not disturb the others."""
    for name in ADAPTERS:
        with subtests.test(name=name):
            of_noise = ADAPTERS[name].relation is Relation.LISTED
            fixed = of_noise or name in ("diffprivlib.count-nonzero", "opendp.count", "pydp.count")
            target = load_target(name)
            assert target.bounds == (None if of_noise else (0, 1))
            assert target.library == ADAPTERS[name].library
            assert target.claim is not None
            told = load_target(name, low=Fraction(0), high=Fraction(5))
            assert told.bounds == (target.bounds if fixed else (0, 5))
