"""A test over a table tries every case, and fails where one does."""

from __future__ import annotations

import inspect

import numpy as np
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
    def pair(a: int, b: str, tmp_home: str) -> None:
        assert tmp_home == "here"
        seen.append((a, b))

    assert list(inspect.signature(pair).parameters) == ["tmp_home"]
    pair(tmp_home="here")  # type: ignore[call-arg]
    assert seen == [(1, "x"), (1, "y"), (2, "x"), (2, "y")]


def test_each_case_has_its_own_stream() -> None:
    """It must hold that draws of a case do not depend on what the others draw, or how many."""

    def drawn(*counts: int) -> list[float]:
        seen = []

        @over("count", counts)
        def draws(count: int, dp_rng: np.random.Generator) -> None:
            seen.append(dp_rng.random(count)[-1])
            assert count

        draws(dp_rng=np.random.default_rng(5))  # type: ignore[call-arg]
        return seen

    assert drawn(3, 2, 4)[:2] == [drawn(3)[0], drawn(1, 2)[1]]
    assert drawn(1, 1)[0] != drawn(1, 1)[1]


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
