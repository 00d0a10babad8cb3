"""A test over a table tries every case, and fails where one does."""

from __future__ import annotations

import inspect

import pytest

from tests.table import over


def test_each_case_is_tried_and_each_failure_is_named() -> None:
    """It must hold that a case that fails stops no other, and that all failures are told."""
    tried = []

    @over("low, high", [(1, 2), (3, 2), (2, 2), (4, 1)])
    def ordered(low: int, high: int) -> None:
        tried.append(low)
        with pytest.raises(ZeroDivisionError):
            _ = 1 // (low // high)
        assert low != 2

    with pytest.raises(BaseExceptionGroup, match="3 of 4 cases failed") as caught:
        ordered()  # type: ignore[call-arg]
    assert tried == [1, 3, 2, 4]
    notes = [failure.__notes__ for failure in caught.value.exceptions]
    assert notes == [["case low=3, high=2"], ["case low=2, high=2"], ["case low=4, high=1"]]


def test_a_table_that_holds_passes_with_its_fixtures() -> None:
    """It must hold that tables may stand over each other, and that fixtures are left to pytest."""
    seen = []

    @over("a", [1, pytest.param(2, id="two")])
    @over("b", ["x", "y"])
    def pair(a: int, b: str, dp_rng: object) -> None:
        assert dp_rng is None
        seen.append((a, b))

    assert list(inspect.signature(pair).parameters) == ["dp_rng"]
    pair(dp_rng=None)  # type: ignore[call-arg]
    assert seen == [(1, "x"), (1, "y"), (2, "x"), (2, "y")]


def test_a_table_of_nothing_is_refused() -> None:
    """It must hold that no table is empty, has short rows, or shares what cases change."""
    with pytest.raises(ValueError, match="cases must be some"):
        over("a", [])
    with pytest.raises(ValueError, match="cases must be some"):
        over("a, b", [(1, 2), (1, 2, 3)])
    with pytest.raises(ValueError, match="without marks"):
        over("a", [1, pytest.param(2, marks=pytest.mark.slow)])
    with pytest.raises(ValueError, match=r"must not share .'tmp_path'"):
        over("a", [1])(lambda a, tmp_path: None)
