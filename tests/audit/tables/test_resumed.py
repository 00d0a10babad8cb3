"""A kept run on tables, its screening with it, goes on where it was interrupted."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.draws.run_log import RunLog
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.screening import caller
from tests.unforked import unforked
from tests.user_files import imports_restored

SCHEMA: dict[str, Any] = {
    "relation": "add-remove",
    "takes": "records",
    "columns": {
        "day": {
            "type": "date",
            "low": datetime.date(2020, 1, 1),
            "high": datetime.date(2021, 1, 1),
            "nullable": True,
        },
        "income": {"type": "float", "low": 0, "high": 1},
    },
}
RELEASES = """
def rows(table, size, rng):
    return len(table) + rng.laplace(size=size)


def too_little(table, size, rng):
    return len(table) + rng.laplace(scale=0.4, size=size)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A working folder with releases of tables."""
    (tmp_path / "releases.py").write_text(RELEASES)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


class Interruption:
    """Ctrl-C whenever a session has so many answers that no file had."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        unforked(monkeypatch)
        self.after = self.left = 0
        self.requests = 0
        """Requests of screening that were drawn, over all sessions."""
        ask, drawn = RunLog.ask, caller.apart

        def asked(log: RunLog, *told: Any, **more: Any) -> Any:
            found = ask(log, *told, **more)
            self.left -= log.live
            if self.left == 0 and log.live:
                raise KeyboardInterrupt
            return found

        def counted(target: Any, function: Any, *words: Any, **more: Any) -> Any:
            self.requests += function is caller.readings_of
            return drawn(target, function, *words, **more)

        monkeypatch.setattr(RunLog, "ask", asked)
        monkeypatch.setattr(caller, "apart", counted)

    def session(self, name: str, after: int, **words: Any) -> AuditResult | None:
        """A session of a run; None where it was interrupted."""
        self.left = after
        own: dict[str, Any] = {"epsilon": 1, "schema": SCHEMA, "ideal": True, "seed": 5}
        try:
            return audit.audit(f"releases.py:{name}", **{**own, "budget_samples": 12_000, **words})
        except KeyboardInterrupt:
            return None


def told(result: AuditResult | None) -> str:
    """What a result says, but for the time."""
    assert result is not None
    return repr(replace(result, seconds=0.0, seconds_per_draw=None))


@pytest.mark.long
@pytest.mark.parametrize("name", ["rows", pytest.param("too_little", marks=pytest.mark.slow)])
def test_an_interrupted_run_ends_as_an_uninterrupted_one(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold within the screening and behind it, and that no request is drawn twice."""
    runs = Interruption(monkeypatch)
    whole = runs.session(name, 0)
    requests, runs.requests = runs.requests, 0
    assert requests > 4
    for _ in (1, 2):  # amid the screening
        assert runs.session(name, 4, resume=folder / "run") is None
        assert 0 < runs.requests < requests
    assert runs.session(name, requests + 9, resume=folder / "run") is None  # amid the bets
    assert runs.requests == requests
    result = runs.session(name, 0, resume=folder / "run")
    assert told(result) == told(whole)
    assert runs.requests == requests
    assert result.screening is not None
    assert (result.verdict is Verdict.REFUTED) is (name == "too_little")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"seed": 6}, "seed"),
        ({"screen": 8}, "screen"),
        ({"schema": {**SCHEMA, "max_units": 2}}, "schema"),
    ],
    ids=["seed", "screen", "schema"],
)
def test_a_screening_of_another_run_is_refused(
    words: dict[str, Any], part: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a file that was left amid a screening, and the file is left as it is."""
    runs = Interruption(monkeypatch)
    assert runs.session("rows", 3, resume=folder / "run") is None
    before = (folder / "run").read_bytes()
    with pytest.raises(audit.InvalidArgument, match=f"is another audit: its {part} was"):
        runs.session("rows", 0, resume=folder / "run", **words)
    assert (folder / "run").read_bytes() == before
