"""Statements over reals and integers, against known answers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.smt import (
    absolute,
    all_of,
    any_of,
    choose,
    exact,
    floor,
    for_all,
    implies,
    integers,
    maximum,
    negate,
    real,
    reals,
    valid,
)

numbers = st.fractions(min_value=-9, max_value=9, max_denominator=20)


@given(numbers, numbers, numbers)
def test_a_linear_statement_is_decided(slope: Fraction, offset: Fraction, bound: Fraction) -> None:
    """It must hold as at both ends of the range, and a counterexample is one."""

    def below(x: Any) -> Any:
        return implies(all_of(x >= 0, x <= 1), exact(slope) * x + exact(offset) <= exact(bound))

    answer = for_all({"x": "real"}, below)
    assert answer.holds is (max(offset, slope + offset) <= bound)
    if not answer.holds:
        x = answer.counterexample["x"]
        assert 0 <= x <= 1
        assert slope * x + offset > bound


def test_whole_numbers_are_not_reals() -> None:
    """It must hold that a half is a counterexample for reals alone."""
    assert for_all({"n": "integer"}, lambda n: 2 * n != 1).holds is True
    answer = for_all({"x": "real"}, lambda x: 2 * x != 1)
    assert (answer.holds, answer.counterexample) == (False, {"x": Fraction(1, 2)})
    answer = for_all({"n": "integer"}, lambda n: n != 3)
    assert answer.counterexample == {"n": Fraction(3)}


def test_what_is_not_decided_is_open() -> None:
    """It must hold that too few steps give no answer, and never a yes."""

    def fermat(x: Any, y: Any, z: Any) -> Any:
        positive = all_of(x > 0, y > 0, z > 0)
        return implies(positive, x * x * x + y * y * y != z * z * z)

    answer = for_all(dict.fromkeys("xyz", "integer"), fermat, rlimit=20_000)
    assert (answer.holds, answer.counterexample) == (None, {})


def test_no_earlier_problem_changes_the_steps_of_a_later_one() -> None:
    """It must hold that the fewest steps that decide a problem decide it after others too."""

    def decided(steps: int) -> bool:
        def exact_move(x: Any, z: Any, t: Any) -> Any:
            first, second = floor(z), floor(z + x)
            given = all_of(x >= 0, x <= 1)
            before, after = absolute(t - first), absolute(t + 1 - second)
            return implies(given, all_of(after - before <= 1, before - after <= 1))

        kinds = {"x": "real", "z": "real", "t": "integer"}
        return for_all(kinds, exact_move, rlimit=steps).holds is True  # type: ignore[arg-type]

    fewest = next(steps for steps in range(100, 20_000, 20) if decided(steps))
    for power in (2, 4, 6):
        assert for_all(reals("x y"), lambda x, y, p=power: x**p + y**2 >= -1).holds
        assert for_all(integers("t s"), lambda t, s, p=power: p * t != 2 * s + 1).holds
        assert decided(fewest)


def test_a_counterexample_that_is_irrational_is_not_stated() -> None:
    """It must hold of the square root of 2."""

    def differs(x: Any) -> Any:
        return x * x != 2

    answer = for_all({"x": "real"}, differs)
    assert (answer.holds, answer.counterexample) == (False, {})


def test_an_unknown_kind_is_refused() -> None:
    """It must hold with its name."""
    with pytest.raises(InvalidArgument, match="'complex' for z"):
        for_all({"z": "complex"}, lambda z: z == z)  # type: ignore[dict-item]


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=4), numbers)
def test_a_linear_program_has_the_maximum_of_its_corners(
    rows: list[tuple[Fraction, Fraction]], slope: Fraction
) -> None:
    """It must hold of a product of intervals, where the optimum is known."""
    ends = [(min(row), max(row)) for row in rows]
    names = [f"x{k}" for k in range(len(ends))]
    found = maximum(
        names,
        lambda *xs: sum((exact(slope) * x for x in xs), exact(0)),
        lambda *xs: [
            side
            for x, (low, high) in zip(xs, ends, strict=True)
            for side in (x >= exact(low), x <= exact(high))
        ],
    )
    assert found.value == sum(max(slope * low, slope * high) for low, high in ends)
    assert sum(slope * found.at[name] for name in names) == found.value


def test_a_linear_program_without_an_optimum_says_so() -> None:
    """It must hold of an empty and of an unbounded one."""
    with pytest.raises(InvalidArgument, match="no feasible point"):
        maximum(["x"], lambda x: x, lambda x: [x <= 0, x >= 1])
    with pytest.raises(InvalidArgument, match="no maximum"):
        maximum(["x"], lambda x: x, lambda x: [x >= 1])


def test_terms_are_what_they_say() -> None:
    """It must hold of floors, choices, readings as reals and negations."""
    whole = valid(
        reals("x") | integers("n"),
        lambda x, n: (all_of(real(n) <= x, x < real(n) + 1)) == (floor(x) == n),
    )
    assert whole.holds is True
    larger = valid(
        reals("x y"), lambda x, y: all_of(choose(x > y, x, y) >= x, choose(x > y, x, y) >= y)
    )
    assert larger.holds is True
    assert valid(reals("x"), lambda x: any_of(x > 0, negate(x > 0))).holds is True
    wrong = valid(reals("x"), lambda x: absolute(x) > 0)
    assert (wrong.holds, wrong.detail) == (False, "fails at x = 0")


def test_a_polynomial_statement_is_decided_either_way() -> None:
    """It must hold with the procedure for polynomials as without."""
    for polynomial in (False, True):
        mean = valid(reals("x y"), lambda x, y: x * x + y * y >= 2 * x * y, polynomial=polynomial)
        assert mean.holds is True
        other = valid(reals("x y"), lambda x, y: x * x + y * y > 2 * x * y, polynomial=polynomial)
        assert other.holds is False
    open_ = valid(reals("x y"), lambda x, y: x * x + y * y > 2 * x * y - 1, rlimit=1)
    assert (open_.holds, open_.detail) == (None, "not decided in 1 steps")
