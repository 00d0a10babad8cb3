"""One test over a table of cases: as `pytest.mark.parametrize`, but collected and reported once.

An item of pytest costs 1.8 ms of two workers (3,000 items of nothing: 8.5 s of CPU under `-n 2`,
one item: 3.2 s), and most rows of a table take less. All rows are tried; a failure names each one
that failed, with its values and its traceback. What needs its own `tmp_path` or `monkeypatch`, or
takes long, stays parametrized.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import pytest

__all__ = ["over"]

Test = TypeVar("Test", bound=Callable[..., None])
_Param = type(pytest.param())
KEPT_APART = frozenset({"tmp_path", "monkeypatch", "capsys", "capfd", "recwarn", "request"})
"""Fixtures that a case may change for the next one."""


def over(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test once over all cases.

    Parameters
    ----------
    names : str or tuple of str
        Of the arguments that a case gives.
    cases : iterable
        Values of a case: one value where `names` is one word; or `pytest.param` without marks.

    Raises
    ------
    ValueError
        If there is no case, one has marks, or the test has a fixture that cases must not share.
    """
    one = isinstance(names, str) and "," not in names
    keys = names.replace(" ", "").split(",") if isinstance(names, str) else list(names)
    cases = [case if isinstance(case, _Param) else _param(case, one) for case in cases]
    rows = [case.values for case in cases]
    if not rows or any(len(row) != len(keys) for row in rows) or any(c.marks for c in cases):
        msg = f"cases must be some, each of {keys}, without marks"
        raise ValueError(msg)

    def fold(test: Test) -> Test:
        signature = inspect.signature(test)
        if shared := KEPT_APART & set(signature.parameters):
            msg = f"cases must not share {sorted(shared)}"
            raise ValueError(msg)

        @functools.wraps(test)
        def each(**fixtures: Any) -> None:
            failures = []
            own = _streams(fixtures, len(rows))
            for row, stream in zip(rows, own, strict=True):
                case = dict(zip(keys, row, strict=True))
                try:
                    test(**case, **fixtures | stream)
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001
                    failures.append(_named(failure, case))
            if failures:
                count = f"{len(failures)} of {len(rows)} cases failed"
                raise BaseExceptionGroup(count, failures)

        rest = [p for name, p in signature.parameters.items() if name not in keys]
        each.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return each  # type: ignore[return-value]

    return fold


def _streams(fixtures: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """A stream for each case, which another case does not change."""
    if "dp_rng" not in fixtures:
        return [{}] * count
    return [{"dp_rng": stream} for stream in fixtures["dp_rng"].spawn(count)]


def _param(case: Any, one: bool) -> Any:
    return pytest.param(case) if one else pytest.param(*case)


def _named(failure: BaseException, case: dict[str, Any]) -> BaseException:
    """A failure that says of which case it is."""
    failure.add_note("case " + ", ".join(f"{name}={value!r}" for name, value in case.items()))
    return failure
