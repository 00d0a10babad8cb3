"""Answers that refuse, lie, never end or hold themselves: an outcome, or a sentence."""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.draws.layers import flatten
from audit.draws.leaf_words import VALUELESS, label_of
from audit.draws.portable import portable, portable_draw
from tests.slow import one_in


class Refuses:
    """Everything raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class Fails:
    """Each of its own methods raises."""

    def _fail(self, *_: Any) -> Any:
        raise RuntimeError

    __repr__ = __eq__ = __hash__ = __len__ = __iter__ = __float__ = _fail


class Recurs:
    """Each of its own methods calls itself."""

    def __repr__(self) -> str:
        return repr(self)

    def __eq__(self, other: object) -> bool:
        return self == other

    def __hash__(self) -> int:
        return hash(self)

    def __float__(self) -> float:
        return float(self)


class Lies:
    """Its class is none of anyone's business."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError

    @__class__.setter
    def __class__(self, kind: Any) -> None:
        raise RuntimeError


class Texts:
    """Its text is a number, its `==` a text."""

    def __repr__(self) -> str:
        return 5  # type: ignore[return-value]

    def __eq__(self, other: object) -> Any:
        return "yes"

    __hash__ = None  # type: ignore[assignment]


class Surrogates:
    """Its text is none that a file takes."""

    def __repr__(self) -> str:
        return "\udc80\x1b[31m"

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class Forever(Sequence[int]):
    """A sequence of three that never ends."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, place: Any) -> Any:
        return place

    def __iter__(self) -> Iterator[int]:
        return itertools.count()


class Keys(Mapping[str, int]):
    """A mapping without what its keys say."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, key: str) -> int:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter("abc")


class Itself:
    """A list that is made of itself."""

    def tolist(self) -> Any:
        """Two of it."""
        return [self, self]


class Unhashed(type):
    """Classes that cannot be looked up."""

    def __hash__(cls) -> int:
        raise RuntimeError

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError


class OfUnhashed(metaclass=Unhashed):
    """An object of one."""


class BadText(str):
    """A text without a length."""

    __slots__ = ()

    def __repr__(self) -> str:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


def cyclic() -> Any:
    """A list that holds itself ten times."""
    x: list[Any] = [1]
    x.extend([x] * 10)
    return x


def cyclic_mapping() -> Any:
    """A mapping that holds itself."""
    x: dict[str, Any] = {"b": 1}
    x["a"] = x
    return x


def cyclic_array(*shape: int) -> Any:
    """An array of objects that holds itself."""
    x = np.empty(shape, object)
    x[...] = None
    x[(0,) * len(shape)] = x
    return x


def cyclic_series() -> Any:
    """A Series that holds itself."""
    x = pd.Series([None, 1], dtype=object)
    x.iloc[0] = x
    return x


def cyclic_namespace() -> Any:
    """A namespace that holds itself."""
    x = types.SimpleNamespace()
    x.a = x
    return x


def nested(depth: int, wrapped: Callable[[Any], Any]) -> Any:
    """Containers in containers."""
    x: Any = 1
    for _ in range(depth):
        x = wrapped(x)
    return x


def bad_objects() -> Any:
    """An array of bad answers."""
    x = np.empty(4, object)
    for place, part in enumerate((Fails(), cyclic(), Refuses(), iter([1]))):
        x[place] = part
    return x


BAD: dict[str, Callable[[], Any]] = {
    **{kind.__name__: kind for kind in (Refuses, Fails, Recurs, Lies, Texts, Surrogates, Keys)},
    "itself": Itself,
    "of a class of classes": OfUnhashed,
    "text": lambda: BadText("a"),
    "cyclic": cyclic,
    "cyclic mapping": cyclic_mapping,
    "cyclic Series": cyclic_series,
    "cyclic array": lambda: cyclic_array(2),
    "cyclic matrix": lambda: cyclic_array(2, 2),
    "cyclic single value": lambda: cyclic_array(),
    "cyclic namespace": cyclic_namespace,
    "nested lists": lambda: nested(20_000, lambda x: [x]),
    "nested tuples": lambda: nested(20_000, lambda x: (x,)),
    "nested mappings": lambda: nested(20_000, lambda x: {"a": x, "b": 1}),
    "nested sets": lambda: nested(2_000, lambda x: frozenset([x])),
    "nested arrays": lambda: nested(300, lambda x: np.array([x, None], object)),
    "ten of ten of ten": lambda: nested(40, lambda x: [x] * 10),
    "generator": lambda: (x for x in [1]),
    "no end": itertools.count,
    "half a pair": lambda: {"\udc80": "\udc80", "b": 2},
    "long text": lambda: "x" * 10**6,
    "bad objects": bad_objects,
    "bad keys": lambda: {Texts: 1, "a": Surrogates()},
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_answer_is_an_outcome(name: str) -> None:
    """It must hold that it is read, travels as it is read, and its words can be printed."""
    z = BAD[name]()
    leaves, shape = flatten(z)
    told = [label_of(leaf)[0] for leaf in leaves[:256]]
    leaves, travelled = flatten(portable([z])[0])
    assert travelled == shape
    assert [label_of(leaf)[0] for leaf in leaves[:256]] == told
    assert "".join([shape, *told]).isprintable()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "in_process"),
    one_in(5, itertools.product([name for name in BAD if "of ten" not in name], [False, True])),
)
def test_a_run_on_bad_answers_has_a_verdict(name: str, in_process: bool) -> None:
    """It must hold in the process of the audit, too."""
    if name == "no end" and in_process:
        return

    def draw(data: Any, rng: np.random.Generator) -> Any:
        return BAD[name]() if rng.random() < 0.5 else 1.0

    result = audit.audit(
        draw,
        epsilon=1,
        relation="listed",
        pair=[([0], [1])],
        seed=1,
        budget_samples=60,
        ideal=True,
        in_process=in_process,
    )
    assert result.verdict == "INCONCLUSIVE"


def test_what_lies_too_deep_shows_no_value() -> None:
    """It must hold that 17 layers are said to be more than are looked into, and 16 are not."""
    (leaf,), _ = flatten(nested(17, lambda x: [x]))
    assert label_of(leaf)[0] == ""
    (leaf,), _ = flatten(nested(18, lambda x: [x]))
    assert label_of(leaf)[0] == f"is {VALUELESS}list (nested more than 16 deep)"


def test_what_holds_itself_says_so() -> None:
    """It must hold that a cycle is a leaf of its own."""
    assert [label_of(leaf)[0] for leaf in flatten(cyclic())[0]] == [
        "",
        *["is a part of itself"] * 10,
    ]


def test_a_sequence_without_an_end_is_cut() -> None:
    """It must hold that as many parts as are looked at are taken of it."""
    assert len(flatten(Forever())[0]) == 2**14
    assert len(portable_draw(Forever()).leaves) == 2**14


def never_ending(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Draws without an end."""
    return itertools.count()


@pytest.mark.long
def test_draws_without_an_end_are_one_line() -> None:
    """It must hold that no more than was asked for is taken."""
    with pytest.raises(audit.InvalidArgument, match="must return"):
        audit.audit(never_ending, epsilon=1, relation="listed", pair=[([0], [1])], seed=1)


def beside(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A label on one side and a number on the other, beside a second number."""
    first = ["refused"] * size if data[0] == 0 else rng.laplace(scale=2, size=size).tolist()
    return [{"a": a, "b": b} for a, b in zip(first, rng.laplace(size=size).tolist(), strict=True)]


def among_three(data: Any, size: int, rng: np.random.Generator) -> Any:
    """The same among three coordinates."""
    return [(*row.values(), rng.laplace()) for row in beside(data, size, rng)]


def infinite(data: Any, size: int, rng: np.random.Generator) -> Any:
    """An infinity in place of the label."""
    return [
        (np.inf if row["a"] == "refused" else row["a"], row["b"]) for row in beside(data, size, rng)
    ]


def half(data: Any, size: int, rng: np.random.Generator) -> Any:
    """One of two coordinates is a number at a time."""
    numbers = rng.laplace(size=size).tolist()
    return [("x", x) if (x < 0) == (data[0] == 0) else (x, "x") for x in numbers]


@pytest.mark.long
@pytest.mark.parametrize("draw", one_in(2, [beside, among_three, infinite, half]))
@pytest.mark.parametrize("ideal", [False, True])
def test_a_label_on_one_side_and_a_number_on_the_other(draw: Any, ideal: bool) -> None:
    """It must hold that the search for two intervals finds no number between the sides."""
    result = audit.audit(
        draw,
        epsilon=1,
        relation="listed",
        pair=[([0], [1])],
        budget_samples=4_000,
        seed=1,
        ideal=ideal,
    )
    assert result.verdict == "REFUTED"
