"""Statements over reals and integers, against known answers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.smt import all_of, exact, for_all, implies

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
