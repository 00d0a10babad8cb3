"""A run that is interrupted and gone on with ends as one that was not."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.draws.settings import Settings
from audit.engine import sequential
from audit.engine.batches import bet_on, first_draws
from audit.engine.checkpoint import MAGIC, OLD_MAGIC, SavedAudit, saved_seed
from audit.engine.evidence import Shown
from audit.engine.pair_choice import next_bet
from audit.engine.run import Run
from audit.engine.sequential import audit
from audit.engine.wealth import Wealth
from audit.engine.witness.confirm import ConfirmedLimit, LineRule
from audit.engine.witness.evidence import show
from audit.interrupts import undisturbed
from audit.levels import grid_of
from audit.pairs.neighbors import Pair
from audit.targets.load import load_target
from audit.verdict import AuditResult, Verdict
from mechanisms.errors import InvalidArgument
from tests.audit.engine.samplers import claim, laplace, target, transformed_mean
from tests.clock import Clock
from tests.slow import all_but

PAIRS = [Pair("0 and 1", 0.0, 1.0), Pair("0 and 1/2", 0.0, 0.5)]
SETTINGS = Settings(
    seed=3, false_alarm=0.05, budget_samples=30_000, budget_seconds=500.0, ideal=True
)


def noise(data: float, size: int, rng: np.random.Generator) -> Any:
    """Sound at claim 1, with labels that some batches meet first."""
    values = data + rng.laplace(size=size)
    return np.where(rng.random(size) < 0.001, np.nan, values)


def leaking(data: float, size: int, rng: np.random.Generator) -> Any:
    """Refuted at claim 1 after a few batches."""
    return data + rng.laplace(scale=0.8, size=size)


def late_failing(data: float, size: int, rng: np.random.Generator) -> Any:
    """Raises when bets have been placed: the run starts again, one draw a call."""
    if (rng.random(size) < 0.0005).any():
        raise FloatingPointError
    return rng.normal(size=size) + 0 * data


def repeating(data: float, size: int, rng: np.random.Generator) -> Any:
    """The same draws in every call of one size: found by comparing two batches."""
    return data + np.random.default_rng(int(data) + 5).laplace(size=size)


MECHANISMS = {
    "sound": (noise, Verdict.INCONCLUSIVE),
    "leaking": (leaking, Verdict.REFUTED),
    "late": (late_failing, Verdict.INCONCLUSIVE),
    "repeating": (repeating, Verdict.INCONCLUSIVE),
}


def told(result: AuditResult) -> str:
    """All that a result says, but for the time."""
    return repr(replace(result, seconds=0.0))


class Interruption:
    """Ctrl-C after some batches, as the progress is told."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, *_: float) -> None:
        """Count down."""
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.long
@pytest.mark.parametrize("name", all_but(["late", "sound"], MECHANISMS))
def test_an_interrupted_run_ends_as_an_uninterrupted_one(name: str, tmp_path: Path) -> None:
    """It must hold that verdict, samples, limits, witness and notes are the same."""
    draw, verdict = MECHANISMS[name]
    sampler = target(draw)
    whole = audit(sampler, claim(1), PAIRS, SETTINGS)
    path = tmp_path / "run"
    for after in (1, 1, 2, 3, 1, 5):
        try:
            stop = Interruption(after)
            result = audit(sampler, claim(1), PAIRS, SETTINGS, progress=stop, resume=path)
            break
        except KeyboardInterrupt:
            assert saved_seed(path) == 3
    else:
        result = audit(sampler, claim(1), PAIRS, SETTINGS, resume=path)
    assert told(result) == told(whole)
    assert whole.verdict is verdict
    again = audit(target(laplace(), name=sampler.name), claim(1), PAIRS, SETTINGS, resume=path)
    assert repr(again) == repr(result)  # nothing was drawn: the file holds the result


@pytest.mark.long
def test_fresh_draws_are_made_once_over_all_sessions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a witness that was not confirmed is kept, and the level that it asks for.

    A session that forgot it would choose another event, and count that one afresh: one try more.
    """
    unconfirmed = ConfirmedLimit("epsilon", 0.5, 1.0, 0.5)
    monkeypatch.setattr(LineRule, "limit", lambda *_: unconfirmed)
    shown: list[Shown] = []

    def counted(*arguments: Any) -> Shown:
        shown.append(show(*arguments))
        return shown[-1]

    monkeypatch.setattr(sequential, "show", counted)
    sampler = target(leaking)
    whole = audit(sampler, claim(1), PAIRS, SETTINGS)
    assert len(shown) == 1
    path, sessions = tmp_path / "run", 0
    while True:
        sessions += 1
        try:
            stop = Interruption(3)
            result = audit(sampler, claim(1), PAIRS, SETTINGS, progress=stop, resume=path)
            break
        except KeyboardInterrupt:
            continue
    assert sessions > 2
    assert len(shown) == 2
    assert told(result) == told(whole)
    assert result.witness is None or not result.witness.confirmed


@pytest.mark.slow
def test_ctrl_c_within_a_batch_loses_only_that_batch(tmp_path: Path) -> None:
    """It must hold that a batch that was cut is drawn again in full, and nothing before it."""
    calls: list[int] = []

    def cut(data: float, size: int, rng: np.random.Generator) -> Any:
        calls.append(size)
        if len(calls) == 20:
            raise KeyboardInterrupt
        return noise(data, size, rng)

    with pytest.raises(KeyboardInterrupt):
        audit(target(cut), claim(1), PAIRS, SETTINGS, resume=tmp_path / "run")
    first = sum(calls[:-1])
    result = audit(target(cut), claim(1), PAIRS, SETTINGS, resume=tmp_path / "run")
    assert told(result) == told(audit(target(noise), claim(1), PAIRS, SETTINGS))
    assert sum(calls[20:]) > result.samples - first
    assert sum(calls) < result.samples + 2_000


@pytest.mark.long
def test_pairs_that_joined_are_kept_too(tmp_path: Path) -> None:
    """It must hold that a run whose pairs were searched for goes on in the middle of any batch."""
    calls = [0]
    cuts = iter([5, 9, 14, 11, 17, 10**6])
    cut_at = [next(cuts)]

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        calls[0] += 1
        if calls[0] == cut_at[0]:
            cut_at[0] = calls[0] + next(cuts)
            raise KeyboardInterrupt
        return transformed_mean()(data, size, rng)

    pairs = [Pair("3 and 4 zeros", np.zeros(3), np.zeros(4), generated=True)]
    settings = replace(SETTINGS, budget_samples=40_000)
    whole = audit(target(transformed_mean()), claim(1), pairs, settings)
    interrupted = 0
    while True:
        try:
            result = audit(target(draw), claim(1), pairs, settings, resume=tmp_path / "run")
            break
        except KeyboardInterrupt:
            interrupted += 1
    assert interrupted == 5
    assert whole.pairs > 1
    assert told(result) == told(whole)


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
        return pickle.dumps(run.state() | {"elapsed": 0})

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
    slow = target(Clock().install(monkeypatch).ticking(noise, a_call=0.03))
    path = tmp_path / "run"
    short = replace(SETTINGS, budget_samples=10**8, budget_seconds=5)
    first = audit(slow, claim(1), PAIRS, short, resume=path)
    assert first.stopped_by == "seconds"
    assert any(f"--resume {path} goes on" in note for note in first.notes)
    same = audit(slow, claim(1), PAIRS, short, resume=path)
    assert same.samples == first.samples
    longer = audit(slow, claim(1), PAIRS, replace(short, budget_seconds=15), resume=path)
    assert longer.samples > first.samples
    assert longer.seconds > 13


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
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_of_another_audit_is_refused(name: str, tmp_path: Path) -> None:
    """It must hold that whatever the draws or bets depend on is compared, and named."""
    path = tmp_path / "run"
    given: dict[str, Any] = {
        "target": target(noise), "claim": claim(1), "pairs": PAIRS, "settings": SETTINGS
    }  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        audit(**given, progress=Interruption(3), resume=path)
    before = path.read_bytes()
    with pytest.raises(InvalidArgument, match=f"is another audit: its {name} was"):
        audit(**given | OTHERS[name], resume=path)
    assert path.read_bytes() == before


def test_a_changed_source_file_is_another_audit(tmp_path: Path) -> None:
    """It must hold that a function that was edited is not gone on with."""
    file, path = tmp_path / "edited.py", tmp_path / "run"
    source = "def noise(data, size, rng):\n    return data + rng.laplace({}, 1, size)\n"
    file.write_text(source.format("0"))
    found = load_target(f"{file}:noise")
    with pytest.raises(KeyboardInterrupt):
        audit(found, claim(1), PAIRS, SETTINGS, progress=Interruption(3), resume=path)
    file.write_text(source.format("0.0"))
    with pytest.raises(InvalidArgument, match="its source of the target was"):
        audit(found, claim(1), PAIRS, SETTINGS, resume=path)


DAMAGES = {
    "empty": lambda content: b"",
    "text": lambda content: b"notes of mine\n",
    "truncated": lambda content: content[:-100],
    "changed": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "changed identity": lambda content: content.replace(b'"seed": "3"', b'"seed": "4"'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_and_left_alone(damage: str, tmp_path: Path) -> None:
    """It must hold that no byte of a file that is not ours, or broken, is run or overwritten."""
    path = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        audit(target(noise), claim(1), PAIRS, SETTINGS, progress=Interruption(3), resume=path)
    broken = DAMAGES[damage](path.read_bytes())
    assert broken != path.read_bytes()
    path.write_bytes(broken)
    with pytest.raises(InvalidArgument, match="is no saved audit, or is damaged"):
        audit(target(noise), claim(1), PAIRS, SETTINGS, resume=path)
    assert path.read_bytes() == broken


class Touch:
    """Creates a file when it is read from a pickle."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def sealed(magic: bytes, content: bytes) -> bytes:
    """A file with a digest that is right."""
    return magic + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def test_a_file_of_the_old_format_is_not_read(tmp_path: Path) -> None:
    """It must hold that the pickle in it runs nothing, and one line says why it is refused."""
    path, harm = tmp_path / "run", tmp_path / "was read"
    content = b'{"seed": "1"}\n' + pickle.dumps(Touch(harm))
    for magic in (OLD_MAGIC, MAGIC):
        path.write_bytes(sealed(magic, content))
        with pytest.raises(InvalidArgument, match=r"by an earlier version|does not fit") as caught:
            SavedAudit(path, {"seed": "1"}).read()
        assert "\n" not in str(caught.value)
        assert not harm.exists()
    pickle.loads(pickle.dumps(Touch(harm)))
    assert harm.exists()


def test_files_that_are_no_files_are_refused(tmp_path: Path) -> None:
    """It must hold of folders, endless devices, and pipes that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, Path("/dev/zero"), tmp_path / "pipe"):
        with pytest.raises(InvalidArgument, match="is not a regular file"):
            saved_seed(path)


STATES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no state": lambda state: [state],
    "a field less": lambda state: {k: v for k, v in state.items() if k != "samples"},
    "a field of another class": lambda state: state | {"target": "os.system"},
    "another kind": lambda state: state | {"samples": "many"},
    "no time": lambda state: state | {"elapsed": float("nan")},
    "another level": lambda state: state | {"level": None},
    "no pairs": lambda state: state | {"pairs": []},
    "another pair": lambda state: state | {"pairs": [*state["pairs"][::-1]]},
    "another shape": lambda state: (
        state | {"wealth": replaced(state["wealth"], highest=np.zeros(1))}
    ),
}


def replaced(wealth: Wealth, **arrays: Any) -> Wealth:
    """A copy with other arrays."""
    found = copy.copy(wealth)
    for name, array in arrays.items():
        setattr(found, name, array)
    return found


@pytest.mark.parametrize("name", STATES)
def test_a_state_that_cannot_be_is_refused(name: str, tmp_path: Path) -> None:
    """It must hold of a whole file with a right digest: every field is looked at."""
    run = Run.start(target(noise), claim(1), PAIRS, SETTINGS, grid_of(claim(1)), None, 1.0)
    first_draws(run, run.pairs[0], 400)
    save = SavedAudit(tmp_path / "run", {"seed": "1"})
    save.write(STATES[name](run.state()))
    fresh = Run.start(target(noise), claim(1), PAIRS, SETTINGS, grid_of(claim(1)), None, 1.0)
    with pytest.raises(InvalidArgument, match="by a version that does not fit this one") as caught:
        fresh.restore(save.read())
    assert "\n" not in str(caught.value)
    assert fresh.samples == 0
    save.write(run.state())
    fresh.restore(save.read())
    assert fresh.samples == run.samples


def test_data_that_cannot_be_kept_are_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    """It must hold that a run of hours is not lost at its first interruption."""
    pairs = [Pair("dates", np.array(["2020-01-01"], "M8[D]"), np.array([], "M8[D]"))]
    with pytest.raises(InvalidArgument, match=r"--resume keeps numbers, text, .*ndarray"):
        audit(target(noise), claim(1), pairs, SETTINGS, resume=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_target_without_our_seed_cannot_be_gone_on_with(tmp_path: Path) -> None:
    """It must hold that cut batches which cannot be drawn again are not drawn anew instead."""
    with pytest.raises(InvalidArgument, match="leave out --resume"):
        audit(target(noise, seedable=False), claim(1), PAIRS, SETTINGS, resume=tmp_path / "run")


def test_a_file_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that a write that fails leaves the old file, and nothing beside it."""
    save = SavedAudit(tmp_path / "run", {"seed": "1"})
    save.write({"samples": 1})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidArgument, match="No space left"):
        save.write({"samples": 2})
    assert save.read() == {"samples": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


def test_saving_takes_a_small_share_of_the_time(tmp_path: Path) -> None:
    """It must hold that a state is not written again at once, and less often if it is slow."""
    save = SavedAudit(tmp_path / "run", {"seed": "1"})
    save.offer({"samples": 1})
    assert not save.path.exists()
    save.written_at -= 4
    save.cost = 1.0
    save.offer({"samples": 1})
    assert not save.path.exists()
    save.cost = 0.01
    save.offer({"samples": 1})
    assert save.path.exists()


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
