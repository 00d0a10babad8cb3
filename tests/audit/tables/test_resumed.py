"""A kept run on tables, its screening with it, goes on where it was interrupted."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.engine.checkpoint import SavedAudit
from audit.pairs.neighbors import Pair
from audit.screening import caller
from audit.screening.memory import Memory, ScreenAnswer, ScreeningLog
from audit.screening.reading import failed
from audit.verdict import AuditResult, Verdict
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
    """Ctrl-C whenever a run offers its state for the so-many-th time of a session."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        unforked(monkeypatch)
        self.after = self.left = 0
        self.requests = 0
        """Requests of screening that were drawn, over all sessions."""
        offer, drawn = SavedAudit.offer, caller.apart

        def offered(save: SavedAudit, state: Any) -> None:
            offer(save, state)
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt

        def counted(target: Any, function: Any, *words: Any, **more: Any) -> Any:
            self.requests += function is caller.readings_of
            return drawn(target, function, *words, **more)

        monkeypatch.setattr(SavedAudit, "offer", offered)
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
    return repr(replace(result, seconds=0.0))


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
    for session in (1, 2):  # amid the screening
        assert runs.session(name, 2, resume=folder / "run") is None
        assert runs.requests == 2 * session
    assert runs.session(name, requests, resume=folder / "run") is None  # amid the bets
    result = runs.session(name, 0, resume=folder / "run")
    assert told(result) == told(whole)
    assert runs.requests == requests
    assert result.screening is not None
    assert (result.verdict is Verdict.REFUTED) is (name == "too_little")


@pytest.mark.long
def test_what_is_forgotten_is_drawn_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold, so that the test above can fail; the pairs are the same."""
    runs = Interruption(monkeypatch)
    words: dict[str, Any] = {"screen": 24, "budget_samples": 6_000}
    whole = runs.session("rows", 0, **words)
    requests, runs.requests = runs.requests, 0
    assert runs.session("rows", 3, resume=folder / "run", **words) is None
    drawn = Memory.drawn

    def forgetful(memory: Memory, key: Any, draw: Any) -> Any:
        del memory.log.answers[memory.place :]
        return drawn(memory, key, draw)

    monkeypatch.setattr(Memory, "drawn", forgetful)
    assert told(runs.session("rows", 0, resume=folder / "run", **words)) == told(whole)
    assert runs.requests > requests


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"seed": 6}, "seed"),
        ({"screen": 8}, "pairs that screening began with"),
        ({"schema": {**SCHEMA, "max_units": 2}}, "schema"),
    ],
    ids=["seed", "screen", "schema"],
)
def test_a_screening_of_another_run_is_refused(
    words: dict[str, Any], part: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a file that was left amid a screening, and the file is left as it is."""
    runs = Interruption(monkeypatch)
    assert runs.session("rows", 2, resume=folder / "run") is None
    before = (folder / "run").read_bytes()
    with pytest.raises(audit.InvalidArgument, match=f"is another audit: its {part} was"):
        runs.session("rows", 0, resume=folder / "run", **words)
    assert (folder / "run").read_bytes() == before


@pytest.mark.long
def test_pairs_that_are_no_neighbors_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a file whose pairs were exchanged: a claim says nothing of them."""
    runs = Interruption(monkeypatch)
    write = SavedAudit.write

    def exchanged(save: SavedAudit, state: Any) -> None:
        if hasattr(save.before, "pairs"):
            first = save.before.pairs[0]
            rows = (first.neighbor.rows or first.data.rows) * 5
            wrong = Pair(first.label, first.data, first.data.with_rows(rows), generated=True)
            save.before = replace(save.before, pairs=(wrong,))
        write(save, state)

    monkeypatch.setattr(SavedAudit, "write", exchanged)
    runs.session("rows", 0, resume=folder / "run", screen=24, budget_samples=4_000)
    with pytest.raises(audit.InvalidArgument, match="data sets that are no neighbors"):
        runs.session("rows", 0, resume=folder / "run", screen=24, budget_samples=4_000)


def test_an_answer_to_another_request_is_not_taken() -> None:
    """It must hold that the log is cut there, and what follows is drawn."""
    old = [ScreenAnswer("other", (failed("old", 1),)), ScreenAnswer("next", (failed("old", 1),))]
    offered: list[ScreeningLog] = []
    memory = Memory(ScreeningLog(answers=old), offered.append)
    (reading,) = memory.drawn([b"asked"], lambda: [failed("new", 1)])
    assert reading.kinds == ("new",)
    assert len(memory.log.answers) == 1
    again = Memory(memory.log, offered.append)
    assert again.drawn([b"asked"], lambda: [failed("newer", 1)]) == [reading]
    assert len(offered) == 1
