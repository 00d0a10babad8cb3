"""A run that is interrupted and gone on with ends as one that was not."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest

from audit.draws.run_log import FRAME, MAGIC, RunLog
from audit.draws.settings import Settings
from audit.engine.bound import bound_audit as bound
from audit.engine.loop import bet_on, first_draws, next_bet
from audit.engine.run_state import Run
from audit.engine.sequential import audit
from audit.engine.witness.confirm import ConfirmedLimit, LineRule
from audit.interrupts import undisturbed
from audit.levels import grid_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.load import load_target
from audit.targets.target import Target
from mechanisms.claims import PersonalizedDP, PrivacyClaim, Relation
from mechanisms.errors import InvalidArgument
from tests.audit.engine.logs import Ends, log_of, said
from tests.audit.engine.samplers import claim, laplace, stated, target, transformed_mean
from tests.clock import Clock
from tests.slow import by_default

PAIRS = [Pair("0 and 1", 0.0, 1.0), Pair("0 and 1/2", 0.0, 0.5)]
CLAIM = claim(1)
SETTINGS = Settings(
    seed=3, false_alarm=0.05, budget_samples=1_200, budget_seconds=500.0, ideal=True
)


def noise(data: float, size: int, rng: np.random.Generator) -> Any:
    """Sound at claim 1, with labels that some batches meet first."""
    values = data + rng.laplace(size=size)
    return np.where(rng.random(size) < 0.001, np.nan, values)


def leaking(data: float, size: int, rng: np.random.Generator) -> Any:
    """Refuted at claim 1 after a few batches."""
    return data + rng.laplace(scale=0.4, size=size)


def late_failing(data: float, size: int, rng: np.random.Generator) -> Any:
    """Raises when bets have been placed: the run starts again, one draw a call."""
    if (rng.random(size) < 0.002).any():
        raise FloatingPointError
    return rng.normal(size=size) + 0 * data


def repeating(data: float, size: int, rng: np.random.Generator) -> Any:
    """The same draws in every call of one size: found by comparing two batches."""
    return data + np.random.default_rng(int(data) + 5).laplace(size=size)


def sums(data: Any, size: int, rng: np.random.Generator) -> Any:
    """The sum of some records, with too little noise for the second user."""
    return np.sum(data) + rng.laplace(scale=0.3, size=size)


def count(data: Any, size: int, rng: np.random.Generator) -> Any:
    """The number of records, with too little noise."""
    return len(data) + rng.laplace(scale=0.3, size=size)


def words(data: float, size: int, rng: np.random.Generator) -> Any:
    """Numbers, lists and texts, of which the neighbor has a few of its own."""
    return [
        [x] if x > 2 else f"word {x:.0f}" if x > 1 + data else float(x)
        for x in rng.laplace(size=size).tolist()
    ]


@final
@dataclass(frozen=True)
class Kept:
    """An audit that is kept."""

    draw: Any
    verdict: Verdict
    mode: str = "sequential"
    pairs: tuple[Pair, ...] = tuple(PAIRS)
    claim: PrivacyClaim = CLAIM
    settings: Settings = SETTINGS

    def run(
        self, path: Path | None = None, *, seedable: bool = True, draw: Any = None
    ) -> AuditResult:
        """Audit with or without a file; `draw` in place of its own."""
        found = target(draw or self.draw, seedable=seedable)
        asked = (found, self.claim, self.pairs, self.settings)
        log = None if path is None else log_of(path, *asked, mode=self.mode)
        runs: Callable[..., AuditResult] = bound.audit if self.mode == "bound" else audit
        return runs(*asked, log=log)


OF_USERS = PersonalizedDP((Fraction(2), Fraction(1)))
USERS = (
    Pair("of the first", np.array([0.0, 0.0]), np.array([1.0, 0.0]), user=0),
    Pair("of the second", np.array([0.0, 0.0]), np.array([0.0, 1.0]), user=1),
)
ZEROS = (Pair("9 and 10 zeros", np.zeros(9), np.zeros(10), generated=True),)
MORE = replace(SETTINGS, budget_samples=20_000)
CASES = {
    "sound": Kept(noise, Verdict.INCONCLUSIVE),
    "witness": Kept(leaking, Verdict.REFUTED),
    "late": Kept(late_failing, Verdict.INCONCLUSIVE),
    "repeating": Kept(repeating, Verdict.INCONCLUSIVE, settings=MORE),
    "words": Kept(words, Verdict.REFUTED),
    "shrunk": Kept(count, Verdict.REFUTED, pairs=ZEROS),
    "joined": Kept(transformed_mean(), Verdict.INCONCLUSIVE, pairs=ZEROS),
    "personalized": Kept(sums, Verdict.REFUTED, pairs=USERS, claim=stated(OF_USERS, Relation.SWAP)),
    "bound": Kept(leaking, Verdict.REFUTED, "bound", settings=MORE),
    "bound, sound": Kept(noise, Verdict.INCONCLUSIVE, "bound", settings=MORE),
}


@cache
def whole(name: str, seedable: bool) -> AuditResult:
    """The result of a case in one piece, and without a file."""
    return CASES[name].run(seedable=seedable)


def records(content: bytes) -> list[tuple[int, int]]:
    """Begins and ends of the records of a log, the identity left out."""
    found, at = [], len(MAGIC)
    while at < len(content):
        end = at + FRAME.size + FRAME.unpack_from(content, at)[0]
        found.append((at, end))
        at = end
    return found[1:]


def body_of(content: bytes, record: tuple[int, int]) -> bytes:
    """What a record holds."""
    return zlib.decompress(content[record[0] + FRAME.size : record[1]])


def answers(content: bytes) -> list[str]:
    """The questions of a log, in order; a session that has drawn nothing leaves no pause."""
    bodies = (body_of(content, record) for record in records(content))
    asked = [json.loads(body.split(b"\n", 1)[0]) for body in bodies]
    return [question for question, _, kind, *_ in asked if kind != "pause"]


SEEDS = [False, True]


@pytest.mark.parametrize(
    ("name", "seedable"), [("sound", False), ("witness", True), ("shrunk", False), ("bound", False)]
)
def test_a_killed_run_ends_as_one_in_one_piece(name: str, seedable: bool, tmp_path: Path) -> None:
    """It must hold at moments chosen by chance, within records too."""
    assert_same_wherever_killed(name, seedable, tmp_path, 1)


@pytest.mark.long
@pytest.mark.parametrize("seedable", SEEDS, ids=["no seed", "seed"])
@pytest.mark.parametrize("name", CASES)
def test_it_ends_so_wherever_it_is_killed(name: str, seedable: bool, tmp_path: Path) -> None:
    """It must hold of all that a run may be, at sixty moments."""
    assert_same_wherever_killed(name, seedable, tmp_path, 3)


def assert_same_wherever_killed(name: str, seedable: bool, folder: Path, number: int) -> None:
    """Kill a run at moments of its file: what a process has written outlives it, and no more."""
    path, case = folder / "run", CASES[name]
    first = case.run(path, seedable=seedable)
    assert said(first) == said(whole(name, seedable))
    assert first.verdict is case.verdict
    content = path.read_bytes()
    begins = records(content)[0][0]
    rng = random.Random(f"{name} {seedable}")
    for _ in range(number):
        path.write_bytes(content[: rng.randrange(begins, len(content))])
        assert said(case.run(path, seedable=seedable)) == said(first)
        assert answers(path.read_bytes()) == answers(content)


def refused(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Draws nothing."""
    raise AssertionError


@pytest.mark.parametrize("name", ["sound", "witness", "bound"])
def test_a_run_that_has_ended_gives_its_result_again(name: str, tmp_path: Path) -> None:
    """It must hold to the last bit, the time with it, and nothing is drawn."""
    path = tmp_path / "run"
    first = CASES[name].run(path)
    before = path.read_bytes()
    again = CASES[name].run(path, draw=refused)
    assert repr(again) == repr(first)
    assert path.read_bytes() == before


@pytest.mark.parametrize("seedable", by_default([False], SEEDS), ids=["no seed", "seed"])
def test_what_was_drawn_is_not_drawn_again(seedable: bool, tmp_path: Path) -> None:
    """It must hold that a session makes the draws that no other has made, and no more."""
    path, made, case = tmp_path / "run", [0], CASES["sound"]

    def counted(data: float, size: int, rng: np.random.Generator) -> Any:
        made[0] += size
        return noise(data, size, rng)

    case.run(path, seedable=seedable, draw=counted)
    content, (whole_run,) = path.read_bytes(), made
    for share in (0.5, 0.9):
        made[0] = 0
        kept = records(content)[: int(share * len(records(content)))]
        path.write_bytes(content[: kept[-1][1]])
        case.run(path, seedable=seedable, draw=counted)
        answered = sum(b"RUN" in body_of(content, record)[:99] for record in kept)
        assert answered > 10
        assert 0 < made[0] < whole_run
        made.append(made[0])
    assert made[1] > 2 * made[2]


def test_a_session_goes_on_with_the_draws_of_the_file(tmp_path: Path) -> None:
    """It must hold where a target without a seed would now draw otherwise: what is kept stands."""
    path, case = tmp_path / "run", CASES["witness"]
    first = case.run(path, seedable=False)
    content = path.read_bytes()
    fresh = next(r for r in records(content) if b"fresh draws" in body_of(content, r)[:99])
    path.write_bytes(content[: fresh[0]])
    other = case.run(path, seedable=False, draw=noise)
    assert first.witness is not None
    assert first.witness.confirmed
    assert other.witness is None or not other.witness.confirmed


@pytest.mark.long
def test_fresh_draws_are_made_once_over_all_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a witness that was not confirmed is kept, and the level that it asks for.

    A session that forgot it would choose another event, and count that one afresh: one try more.
    """
    unconfirmed = ConfirmedLimit("epsilon", 0.5, 1.0, 0.5)
    monkeypatch.setattr(LineRule, "limit", lambda *_: unconfirmed)
    case, path = CASES["witness"], tmp_path / "run"
    one_piece = case.run()
    assert one_piece.witness is None or not one_piece.witness.confirmed
    assert said(case.run(path)) == said(one_piece)
    content = path.read_bytes()
    asked = [body_of(content, record)[:99] for record in records(content)]
    (fresh,) = (i for i, body in enumerate(asked) if b"fresh draws" in body)
    assert any(b"RUN" in body for body in asked[fresh:])  # the run went on
    path.write_bytes(content[: records(content)[fresh + 2][1]])
    with monkeypatch.context() as patched:
        patched.setattr("audit.engine.witness.written_witness.new_draws", refused)
        assert said(case.run(path)) == said(one_piece)


def test_ctrl_c_within_a_batch_loses_only_that_batch(tmp_path: Path) -> None:
    """It must hold that a batch that was cut is drawn again in full, and nothing before it."""
    calls: list[int] = []

    def cut(data: float, size: int, rng: np.random.Generator) -> Any:
        calls.append(size)
        if len(calls) == 100:
            raise KeyboardInterrupt
        return noise(data, size, rng)

    case = CASES["sound"]
    with pytest.raises(KeyboardInterrupt):
        case.run(tmp_path / "run", draw=cut)
    first = sum(calls[:-1])
    result = case.run(tmp_path / "run", draw=cut)
    assert said(result) == said(whole("sound", True))
    assert sum(calls[100:]) >= result.samples - first
    assert sum(calls) < result.samples + 2_000


def test_a_batch_that_was_cut_leaves_no_trace() -> None:
    """It must hold that a run is the same before and after an interrupted batch."""
    stop = False

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        if stop and data == 1:
            raise KeyboardInterrupt
        return [float(data + x) if x < 3 else f"word {x:.1f}" for x in rng.laplace(size=size)]

    run = Run.start(target(draw), claim(1), PAIRS[:1], SETTINGS, grid_of(claim(1)), None, 1.0)
    first_draws(run, run.pairs[0], 400)

    def left() -> bytes:
        return pickle.dumps([run.pairs, run.wealth, run.allocation, run.samples, run.search])

    bet_on(run, *next_bet(run))
    before, stop = left(), True
    with pytest.raises(KeyboardInterrupt):
        bet_on(run, *next_bet(run))
    assert left() == before
    stop = False
    bet_on(run, *next_bet(run))
    assert left() != before


@pytest.mark.long
def test_a_run_out_of_time_goes_on_with_more_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that all sessions share the time, and a longer one continues the run."""
    slow = Clock().install(monkeypatch).ticking(noise, a_draw=0.005)
    path, settings = tmp_path / "run", replace(SETTINGS, budget_samples=10**8)
    short = Kept(slow, Verdict.INCONCLUSIVE, settings=replace(settings, budget_seconds=5))
    first = short.run(path)
    assert first.stopped_by == "seconds"
    assert f"--resume {path} goes on with this run, given more --budget-seconds" in first.notes
    same = short.run(path)
    assert same.samples == first.samples
    longer = replace(short, settings=replace(settings, budget_seconds=15)).run(path)
    assert longer.samples > first.samples
    assert longer.seconds > 10


@pytest.mark.long
def test_a_batch_that_time_has_cut_ends_a_run_without_a_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold: how long draws take may hang on what they are, and drawn anew they are others.

    Nor is it said that more time goes on with it.
    """
    slow = Clock().install(monkeypatch).ticking(noise, a_draw=0.005)
    path = tmp_path / "run"
    settings = replace(SETTINGS, budget_samples=10**8, budget_seconds=5)
    short = Kept(slow, Verdict.INCONCLUSIVE, settings=settings)
    first = short.run(path, seedable=False)
    assert first.stopped_by == "seconds"
    assert not any("goes on with" in note for note in first.notes)
    longer = replace(short, settings=replace(settings, budget_seconds=15))
    again = longer.run(path, seedable=False, draw=refused)
    assert (again.samples, again.seconds) == (first.samples, first.seconds)


@pytest.mark.parametrize("seedable", by_default([False], SEEDS), ids=["no seed", "seed"])
def test_what_the_clock_decided_stands(
    seedable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of first draws that time paid for: a fast machine goes on with as many."""
    clock, path = Clock().install(monkeypatch), tmp_path / "run"
    slow = clock.ticking(noise, a_call=0.5)
    case = Kept(slow, Verdict.INCONCLUSIVE, settings=replace(SETTINGS, budget_seconds=90.0))
    first = case.run(path, seedable=seedable)
    assert first.first_by_time is not None
    content = path.read_bytes()
    path.write_bytes(content[: records(content)[4][1]])
    fast = case.run(path, seedable=seedable, draw=noise)
    assert fast.first_by_time == first.first_by_time
    assert fast.samples > first.samples


@pytest.mark.long
def test_what_ends_the_process_of_a_target_is_told_in_all_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a target whose process ended in a session before."""
    ends: dict[str, int] = {}
    monkeypatch.setattr("audit.engine.run_state.heard_of", lambda _: ends)
    path, case = tmp_path / "run", CASES["sound"]

    def ending(data: float, size: int, rng: np.random.Generator) -> Any:
        ends["the process ended"] = 7
        return noise(data, size, rng)

    case.run(path, draw=ending)
    ends.clear()
    ends["another session's"] = 1
    case.run(path, draw=refused)
    assert ends == {"the process ended": 7}


OTHERS: dict[str, dict[str, Any]] = {
    "seed": {"settings": replace(SETTINGS, seed=4)},
    "budget samples": {"settings": replace(SETTINGS, budget_samples=40_000)},
    "false alarm": {"settings": replace(SETTINGS, false_alarm=0.01)},
    "ideal": {"settings": replace(SETTINGS, ideal=False)},
    "claim": {"claim": claim("11/10")},
    "pairs": {"pairs": [PAIRS[0], Pair("another", 0.0, 0.25)]},
    "target": {"target": target(noise, name="another")},
    "bounds": {"target": replace(target(noise), bounds=(Fraction(0), Fraction(2)))},
    "parameters": {"target": replace(target(noise), parameters={"scale": 2})},
    "mode": {"mode": "bound"},
}


def interrupted(path: Path, monkeypatch: pytest.MonkeyPatch, found: Target | None = None) -> None:
    """Leave a run of the sound case after some answers."""
    asked = (found or target(noise), claim(1), PAIRS, SETTINGS)
    with monkeypatch.context() as patched:
        Ends(patched, 9)
        with pytest.raises(KeyboardInterrupt):
            audit(*asked, log=log_of(path, *asked))


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_of_another_audit_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that whatever the draws or bets depend on is compared, and named."""
    path = tmp_path / "run"
    interrupted(path, monkeypatch)
    given = {"target": target(noise), "claim": claim(1), "pairs": PAIRS, "settings": SETTINGS}
    before = path.read_bytes()
    with pytest.raises(InvalidArgument, match=f"is another audit: its {name} was") as caught:
        log_of(path, **{**given, **OTHERS[name]})
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


def test_a_file_of_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the versions of what draws and bets are named."""
    path = tmp_path / "run"
    interrupted(path, monkeypatch)
    monkeypatch.setattr("audit.engine.identity._version", lambda name: f"{name} 99")
    with pytest.raises(InvalidArgument, match=r"its version was .*, and is .* 99"):
        log_of(path, target(noise), claim(1), PAIRS, SETTINGS)


def test_a_changed_source_file_is_another_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a function that was edited is not gone on with."""
    file, path = tmp_path / "edited.py", tmp_path / "run"
    source = "def noise(data, size, rng):\n    return data + rng.laplace({}, 1, size)\n"
    file.write_text(source.format("0"))
    found = load_target(f"{file}:noise")
    interrupted(path, monkeypatch, found)
    file.write_text(source.format("0.0"))
    with pytest.raises(InvalidArgument, match="its source of the target was"):
        log_of(path, found, claim(1), PAIRS, SETTINGS)


def amid(content: bytes) -> int:
    """A byte of a record that others follow."""
    begin, end = records(content)[3]
    return (begin + FRAME.size + end) // 2


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "text": lambda content: b"notes of mine\n",
    "cut in the identity": lambda content: content[: len(MAGIC) + 20],
    "changed amid the file": lambda content: (
        content[: (at := amid(content))] + bytes([content[at] ^ 1]) + content[at + 1 :]
    ),
    "another form": lambda content: content.replace(MAGIC, b"touchstone run 0\n"),
    "no seed": lambda content: MAGIC + framed(b'{"seed": "one"}'),
    "an endless seed": lambda content: MAGIC + framed(b'{"seed": "' + b"7" * 5_000 + b'"}'),
    "no identity": lambda content: MAGIC + framed(b"[" * 100_000),
}


def framed(body: bytes) -> bytes:
    """A record whose checksum is right."""
    packed = zlib.compress(body)
    return FRAME.pack(len(packed), zlib.crc32(packed)) + packed


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_and_left_alone(
    damage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that no byte of a file that is not ours, or broken, is run or overwritten."""
    path = tmp_path / "run"
    interrupted(path, monkeypatch)
    broken = DAMAGES[damage](path.read_bytes())
    assert broken != path.read_bytes()
    path.write_bytes(broken)
    with pytest.raises(InvalidArgument, match="is no saved audit, or is damaged") as caught:
        CASES["sound"].run(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == broken


def of_another_kind(rng: random.Random, value: Any) -> Any:
    """A value with a part of it exchanged."""
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], of_another_kind(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, dict) and "array" in value:
        dtype, kept, order, *shape = value["array"]
        said = rng.choice(
            [["O", kept, order, *shape], [dtype, "<i8", order, 10**9, 10**9], [dtype, kept],
             ["<f4", kept, order, *shape], [dtype, kept, "K", *shape], [dtype, kept, order, -1]]
        )  # fmt: skip
        return {"array": said}
    return rng.choice([None, [], "x", {}, 1.5, [[[]]], {"array": 3}])


@pytest.mark.parametrize("number", by_default(range(0, 40, 8), range(40)))
def test_an_answer_that_cannot_be_is_refused(number: int, tmp_path: Path) -> None:
    """It must hold of whole records with right checksums: one line says it, and no memory is asked.

    Where what was exchanged says as much as before, the run may go on.
    """
    path, case, rng = tmp_path / "run", CASES["witness"], random.Random(number)
    case.run(path)
    content = path.read_bytes()
    begin, end = rng.choice(records(content)[:-1])
    line, _, arrays = body_of(content, (begin, end)).partition(b"\n")
    said = json.loads(line)
    forged = json.dumps([*said[:4], of_another_kind(rng, said[4])]).encode() + b"\n" + arrays
    path.write_bytes(content[:begin] + framed(forged) + content[end:])
    try:
        case.run(path, draw=refused)
    except InvalidArgument as exc:
        assert "does not fit this one" in str(exc)  # noqa: PT017
        assert "\n" not in str(exc)  # noqa: PT017


def test_questions_of_another_engine_are_refused(tmp_path: Path) -> None:
    """It must hold that an answer is read to the question that it was given to, and no other."""
    path, case = tmp_path / "run", CASES["sound"]
    case.run(path)
    content = path.read_bytes()
    first, second = records(content)[2:4]
    path.write_bytes(content[: first[0]] + content[second[0] :])
    with pytest.raises(InvalidArgument, match="does not fit this one: it answers"):
        case.run(path)


def test_files_that_are_no_files_are_refused(tmp_path: Path) -> None:
    """It must hold of folders, endless devices, and pipes that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(InvalidArgument, match="is not a regular file"):
            RunLog(path).seed()


@pytest.mark.long
def test_a_file_that_cannot_be_written_ends_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that the result says so, and what was written before can be gone on with."""
    path, case, left = tmp_path / "run", CASES["sound"], 4

    def full(_: int) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("audit.draws.run_log.SECONDS_BETWEEN", 0.0)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        result = case.run(path)
    note = f"--resume {path} cannot be written: No space left on device"
    assert result.notes[-1] == note
    assert said(replace(result, notes=result.notes[:-1])) == said(whole("sound", True))
    assert [file.name for file in tmp_path.iterdir()] == ["run"]
    assert len(records(path.read_bytes())) == 4
    assert said(case.run(path)) == said(whole("sound", True))


def test_a_record_that_was_cut_is_left_out(tmp_path: Path) -> None:
    """It must hold that what is left of it does not stand behind the next one."""
    path = tmp_path / "log"

    def session(*asked: tuple[str, Any]) -> list[Any]:
        log = RunLog(path)
        log.open({"seed": "1"})
        return [log.ask(question, lambda told=told: told) for question, told in asked]

    long = np.random.default_rng(1).random(1_000).tolist()
    session(("a", 1), ("b", long))
    path.write_bytes(path.read_bytes()[:-1])
    assert session(("a", 2), ("b", 3)) == [1, 3]
    assert len(path.read_bytes()) < 500  # else its bytes may pass for the length of a record
    assert session(("a", 4), ("b", 5), ("c", 6)) == [1, 3, 6]


def test_nothing_is_written_where_nothing_is_kept(tmp_path: Path) -> None:
    """It must hold that a run without a file asks the same questions, and writes none of them."""
    log = RunLog()
    assert log.ask("x", lambda: object()) is not None
    log.pause()
    assert not list(tmp_path.iterdir())


ARRAYS = [
    np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.array([2**40, -1]), np.zeros((0, 4)), np.array([np.nan, -0.0]), np.zeros((2, 0), np.int32),
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS, ids=range(6))
def test_arrays_are_read_bit_for_bit(array: Any, tmp_path: Path) -> None:
    """It must hold of kind, shape, order in memory and every bit."""
    path = tmp_path / "log"
    for _ in range(2):
        log = RunLog(path)
        log.open({"seed": "1"})
        (found,) = log.ask("array", lambda: [array])
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tobytes() == array.tobytes()
    assert found.flags.f_contiguous == array.flags.f_contiguous


@pytest.mark.long
def test_the_file_of_a_long_run_is_small(tmp_path: Path) -> None:
    """It must hold of 10^6 draws of one number, without a seed.

    The draws of the first batches are all that takes room, and their number is bounded; a run of
    10^9 draws has some dozens of batches more, each with a few kilobytes of counts.
    """
    case = Kept(
        laplace(),
        Verdict.INCONCLUSIVE,
        pairs=(Pair("0 and 1/10", 0.0, 0.1),),
        settings=replace(SETTINGS, budget_samples=1_000_000, budget_seconds=900.0),
    )
    path = tmp_path / "run"
    case.run(path, seedable=False)
    content = path.read_bytes()
    each = [end - begin for begin, end in records(content)]
    assert len(content) < 2**22
    assert len(each) < 120
    assert max(each[-8:]) < 2**13


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM])
def test_signals_wait_until_a_batch_is_booked(which: signal.Signals) -> None:
    """It must hold that an interruption within the booking comes right after it."""

    def handler(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def book() -> None:
        with undisturbed():
            signal.raise_signal(which)
            booked.append(1)

    before = signal.signal(which, handler)
    booked: list[int] = []
    try:
        with pytest.raises(KeyboardInterrupt):
            book()
        assert booked == [1]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(which)
    finally:
        signal.signal(which, before)
