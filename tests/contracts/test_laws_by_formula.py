"""The verdict about two stated laws is that of their formulas, whatever objects state them.

Every ordered pair of the laws below is audited just above and just below its true loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar, NamedTuple

import pytest

from audit.exact.exact_audit import audit
from audit.exact.question import Question
from audit.faults import TargetFault
from audit.results.verdict import Verdict
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from mechanisms.noise.gaussian import GaussianLaw
from mechanisms.noise.laplace import LaplaceLaw
from tests.slow import one_in

F = Fraction
THIRD, HALF = F(1, 3), F(1, 2)


class Plain:
    """Laplace noise of rate 1 about a number; a class without `__eq__`."""

    def __init__(self, at: int = 0) -> None:
        self.at = F(at)

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Its peak."""
        return (self.at,) if lower <= self.at <= upper else ()

    def atoms(self, _: Any) -> dict[Fraction, Any]:
        """None."""
        return {}

    def log_density(self, x: Any, numbers: Any) -> Any:
        """Written as a user would: the form first, then the logarithm."""
        return -abs(x - self.at) - numbers.log(numbers.rational(F(2)))


class AllEqual(Plain):
    """Equal to whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class NoneEqual(Plain):
    """Not even equal to itself."""

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


class Raising(Plain):
    """Cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    def __hash__(self) -> int:
        raise ZeroDivisionError


class Unhashable(Plain):
    """Has no hash."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unhashable)

    __hash__ = None  # type: ignore[assignment]


class Located(LaplaceLaw):  # type: ignore[misc]
    """One more number than its `__eq__` knows."""

    at: Fraction

    def __init__(self, at: int) -> None:
        LaplaceLaw.__init__(self, F(1))
        object.__setattr__(self, "at", F(at))

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Its peak."""
        return (self.at,) if lower <= self.at <= upper else ()

    def log_density(self, point: Any, numbers: Any) -> Any:
        """Moved."""
        return super().log_density(point - self.at, numbers)


class MovedTwice(Moved):  # type: ignore[misc]
    """Says that it is moved by 0, and is moved by 4."""

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Its peak."""
        return (F(4),) if lower <= 4 <= upper else ()

    def log_density(self, point: Any, numbers: Any) -> Any:
        """That of the law about 4."""
        return self.law.log_density(point - 4, numbers)


class Slots:
    """No dictionary of attributes."""

    __slots__ = ("inner",)

    def __init__(self, at: int) -> None:
        self.inner = Plain(at)

    def breakpoints(self, lower: Fraction, upper: Fraction) -> tuple[Fraction, ...]:
        """Of what it holds."""
        return self.inner.breakpoints(lower, upper)

    def atoms(self, _: Any) -> dict[Fraction, Any]:
        """None."""
        return {}

    def log_density(self, x: Any, numbers: Any) -> Any:
        """Of what it holds."""
        return self.inner.log_density(x, numbers)


class AnyNumber(Fraction):
    """A number that says it is every other one."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:  # type: ignore[override]
        return 0


class Bell(Plain):
    """Gaussian noise of variance 1/2, without `__eq__`."""

    def breakpoints(self, *_: Fraction) -> tuple[Fraction, ...]:
        """None."""
        return ()

    def log_density(self, x: Any, numbers: Any) -> Any:
        """Minus the square, less half the logarithm of pi."""
        return -((x - self.at) * (x - self.at)) - numbers.log(numbers.pi()) / 2


class AnyKey:
    """An outcome that is equal to every other, and is its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True)
class Kept:
    """An outcome as a user would write one."""

    name: str


class Pair(NamedTuple):
    """Likewise."""

    x: Any
    name: str


class NoKey(str):
    """A text that is equal to none."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return id(self)


def shared(at: int) -> Callable[[], Any]:
    """The same object again and again, changed."""

    def state() -> Any:
        SHARED.at = F(at)
        return SHARED

    return state


def of_function(at: int) -> Callable[[], Any]:
    """A law whose formula is a function of its own."""

    def state() -> Any:
        law = Plain(at)
        law.log_density = lambda x, n: -abs(x - at) - n.log(n.rational(F(2)))  # type: ignore[assignment, method-assign]
        return law

    return state


SHARED = Plain()
RATE_2 = LaplaceLaw(F(2))

Truth = tuple[Any, ...]
LAWS: dict[str, tuple[Truth, Callable[[], Any]]] = {
    "laplace": (("laplace", 1, 0), lambda: LaplaceLaw(F(1))),
    "laplace moved by 0": (("laplace", 1, 0), lambda: Moved(LaplaceLaw(F(1)), 0)),
    "laplace moved by 4": (("laplace", 1, 4), lambda: Moved(LaplaceLaw(F(1)), 4)),
    "laplace of rate 2": (("laplace", 2, 0), lambda: RATE_2),
    "rate that equals all": (("laplace", 2, 0), lambda: LaplaceLaw(AnyNumber(2))),
    "moved by what equals all": (("laplace", 1, 4), lambda: Moved(LaplaceLaw(F(1)), AnyNumber(4))),
    "without eq": (("laplace", 1, 0), Plain),
    "without eq, at 4": (("laplace", 1, 4), lambda: Plain(4)),
    "without eq, moved": (("laplace", 1, 4), lambda: Moved(Plain(), 4)),
    "equals all, at 0": (("laplace", 1, 0), AllEqual),
    "equals all, at 4": (("laplace", 1, 4), lambda: AllEqual(4)),
    "equals none": (("laplace", 1, 4), lambda: NoneEqual(4)),
    "cannot be compared": (("laplace", 1, 4), lambda: Raising(4)),
    "has no hash": (("laplace", 1, 4), lambda: Unhashable(4)),
    "subclass with a number more": (("laplace", 1, 4), lambda: Located(4)),
    "subclass of Moved": (("laplace", 1, 4), lambda: MovedTwice(LaplaceLaw(F(1)), 0)),
    "slots": (("laplace", 1, 4), lambda: Slots(4)),
    "changed, at 0": (("laplace", 1, 0), shared(0)),
    "changed, at 4": (("laplace", 1, 4), shared(4)),
    "function": (("laplace", 1, 4), of_function(4)),
    "gaussian": (("gaussian", HALF, 0), lambda: Bell(0)),
    "gaussian of ours": (("gaussian", 1, 0), lambda: GaussianLaw(F(1))),
    "gaussian moved": (("gaussian", HALF, 4), lambda: Moved(Bell(), 4)),
    "outcomes 1, 0": (("table", {1: HALF, 0: HALF}), lambda: {1: HALF, 0: HALF}),
    "outcomes True, 0.0": (
        ("table", {1: THIRD, 0: 1 - THIRD}),
        lambda: {True: THIRD, 0.0: 2 * THIRD},
    ),
    "NaN": (("table", {"nan": F(1)}), lambda: {float("nan"): 1}),
    "equal keys, a": (("table", {"a": F(1)}), lambda: {AnyKey("a"): 1}),
    "equal keys, b": (("table", {"b": F(1)}), lambda: {AnyKey("b"): 1}),
    "dataclass": (("table", {("D", "a"): F(1)}), lambda: {Kept("a"): 1}),
    "named tuple": (("table", {("T", "a"): F(1)}), lambda: {Pair(1, "a"): 1}),
    "text that equals none": (("table", {("S", "a"): F(1)}), lambda: {NoKey("a"): 1}),
}


def true_loss(one: Truth, other: Truth) -> float | None:
    """Largest log-ratio, either way round; None where no verdict is due: laws of two kinds."""
    if (one[0] == "table") != (other[0] == "table"):
        return None
    if one == other:
        return 0.0
    if one[:2] == other[:2] and one[0] == "laplace":
        return float(one[1] * abs(one[2] - other[2]))
    if one[0] == "table":
        if one[1].keys() != other[1].keys():
            return math.inf
        return max(abs(math.log(one[1][z] / other[1][z])) for z in one[1])
    return math.inf  # other rates, or tails that fall at another speed


class Picks:
    """States one law on the one data set, the other on the other."""

    def __init__(self, *makers: Callable[[], Any]) -> None:
        self.makers = makers

    def exact_law(self, data: list[float]) -> Any:
        """State it."""
        return self.makers[int(data[0])]()


def verdict(epsilon: Fraction, *names: str) -> Verdict:
    """Verdict of the exact audit."""
    claim = PrivacyClaim(PureDP(epsilon), Relation.LISTED, Source("user", "here"))
    mechanism = Picks(*(LAWS[name][1] for name in names))
    return audit(Question("laws", mechanism, claim, Order.FIXED, False, (([0.0], [1.0]),))).verdict


@pytest.mark.long
@pytest.mark.parametrize("first", one_in(4, LAWS))
def test_the_verdict_is_that_of_the_formulas(first: str) -> None:
    """Just above the true loss it must be PROVED, just below REFUTED; of two kinds neither."""
    for second in LAWS:
        loss = true_loss(LAWS[first][0], LAWS[second][0])
        if loss is None:
            with pytest.raises((InvalidArgument, TargetFault)):
                verdict(F(1), first, second)
            continue
        if loss < math.inf:
            assert verdict(F(loss + 1e-3), first, second) is Verdict.PROVED, second
        if loss:
            below = F(100) if loss == math.inf else F(loss - 1e-3)
            assert verdict(below, first, second) is Verdict.REFUTED, second


def test_there_are_pairs_of_both_kinds() -> None:
    """Equal objects of unequal formula, and unequal objects of one formula, must be among them."""
    made = {
        name: (truth, make) for name, (truth, make) in LAWS.items() if name != "cannot be compared"
    }
    pairs = [(a, b, x() == y()) for (a, x), (b, y) in product(made.values(), repeat=2)]
    assert sum(a != b and equal for a, b, equal in pairs) >= 20
    assert sum(a == b and not equal for a, b, equal in pairs) >= 20


@dataclass
class Elsewhere:
    """Laws that look at what the mechanism changes with each data set."""

    way: str
    now: int = 0

    def exact_law(self, data: list[float]) -> Any:
        """State it."""
        self.now = 4 * int(data[0])
        if self.way == "class":
            State.at = F(self.now)
            return State()
        if self.way == "function":
            law = Plain()
            law.log_density = lambda x, n: Plain(self.now).log_density(x, n)  # type: ignore[assignment, method-assign]
            return law
        return Masses()


class State(Plain):
    """Its number is the class's."""

    at: ClassVar[Fraction] = Fraction(0)  # type: ignore[misc]

    def __init__(self) -> None:
        return


class Masses:
    """A finite law that looks at the class above."""

    rational, cuts = True, ()

    def masses(self, numbers: Any, _: Any = ()) -> dict[int, Any]:
        """By where the mechanism is."""
        State.at += 1
        return {
            0: numbers.rational(1 / (State.at + 2)),
            1: numbers.rational(1 - 1 / (State.at + 2)),
        }

    def describe(self, outcome: Any) -> str:
        """It."""
        return str(outcome)


@pytest.mark.parametrize("way", ["class", "function", "masses"])
def test_a_law_that_changes_after_it_was_stated_is_refused(way: str) -> None:
    """The verdict would be about another law: a line must say so."""
    claim = PrivacyClaim(PureDP(F(1)), Relation.LISTED, Source("user", "here"))
    asked = Question("laws", Elsewhere(way), claim, Order.FIXED, False, (([0.0], [1.0]),))
    with pytest.raises(InvalidArgument, match="changed afterwards"):
        audit(asked)


def test_one_formula_in_two_objects_has_no_order() -> None:
    """A law class without `__eq__` must not make a law depend on the order of the records."""

    class Sums:
        def exact_law(self, data: list[float]) -> Any:
            return Moved(Plain(), sum(map(F, data)))

    claim = PrivacyClaim(PureDP(F(1)), Relation.LISTED, Source("user", "here"))
    pairs = (([0.25, 0.5], [0.25, 0.5, 1.0]),)
    found = audit(Question("laws", Sums(), claim, Order.FREE, False, pairs))
    assert found.verdict is Verdict.PROVED


def test_a_law_of_the_first_record_depends_on_the_order() -> None:
    """The same sentence must still be said where it is true."""

    class First:
        def exact_law(self, data: list[float]) -> Any:
            return Plain(int(data[0]))

    claim = PrivacyClaim(PureDP(F(1)), Relation.LISTED, Source("user", "here"))
    pairs = (([0.0, 1.0], [0.0, 1.0, 1.0]),)
    with pytest.raises(InvalidArgument, match="depends on the order"):
        audit(Question("laws", First(), claim, Order.FREE, False, pairs))


def test_records_that_equal_all_are_told_apart() -> None:
    """The law on one data set must not be taken for that on another, whose records say so."""

    class ByName:
        def exact_law(self, data: list[AnyKey]) -> Any:
            return {data[0].name: 1}

    claim = PrivacyClaim(PureDP(F(1)), Relation.LISTED, Source("user", "here"))
    pairs = (([AnyKey("a")], [AnyKey("b")]),)
    found = audit(Question("laws", ByName(), claim, Order.FIXED, False, pairs))
    assert found.verdict is Verdict.REFUTED
