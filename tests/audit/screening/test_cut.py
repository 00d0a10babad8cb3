"""What a report says of a screening that time has cut, wherever the cut falls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.draws.run_log import RunLog
from audit.engine.privacy_sentences import run_words
from audit.results.sampled_result import AuditResult
from audit.runs.pair_screening import screening_notes, screening_words
from audit.screening import choice as selection
from audit.screening.caller import REQUEST, Caller
from audit.screening.choice import Choice
from audit.screening.size import SIZES
from audit.targets.outcomes import OutOfTime
from tests.audit.screening.defects import clean_sum, no_clip
from tests.audit.screening.releases import WHOLE, screened, target_of

CALIBRATION, FIRST, SECOND = 0, 1, 2
"""Stages of the draws."""


def cut_after(monkeypatch: pytest.MonkeyPatch, stage: int, requests: int) -> None:
    """Let time be up after so many requests of a stage, and in all stages behind it."""
    made = 0
    answer = Caller._answer

    def counted(caller: Caller, sides: Any, places: Sequence[Any], size: int) -> Any:
        nonlocal made
        made += places[0][0] == stage
        if places[0][0] > stage or made > requests:
            raise OutOfTime
        return answer(caller, sides, places, size)

    monkeypatch.setattr(Caller, "_answer", counted)


def found(requests: int, stage: int) -> Choice:
    """What a screening of a broken release comes to."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        cut_after(monkeypatch, stage, requests)
        return screened(target_of(no_clip))


def test_an_answer_is_of_the_data_sets_that_are_asked(tmp_path: Path) -> None:
    """It must hold that draws of another request do not stand in for those of this one."""

    def drawn(side: float) -> list[float]:
        log = RunLog(tmp_path / "log")
        log.open({"seed": "1"})
        (reading,) = Caller(target_of(clean_sum), 1, log=log).coupled([np.array([side])], 0, 4)
        return reading.values.ravel().tolist()

    first = drawn(0.0)
    assert drawn(0.0) == first
    with pytest.raises(audit.InvalidArgument, match="does not fit this one: it answers"):
        drawn(0.5)


@pytest.mark.long
def test_pairs_that_were_scored_are_chosen_from() -> None:
    """It must hold where the first stage is cut within: what it had scored is not lost."""
    choice = found(3, FIRST)
    told = choice.told
    assert told is not None
    assert told.stopped_by_time
    assert REQUEST <= told.pairs < SIZES[0].pairs
    assert told.pairs == sum(one.pairs for one in told.scored)
    assert len(choice.pairs) == 3
    assert max(one.score for one in told.chosen) > 1
    assert screening_notes(told)[-1].startswith(f"screening was cut by time after {told.pairs}")
    assert screening_words(choice, 7)[1]
    again = found(1_000, FIRST).told  # all of the first stage, and no other
    assert again is not None
    assert again.stopped_by_time
    assert told.pairs < again.pairs <= SIZES[0].pairs


def test_a_screening_that_saw_nothing_says_so() -> None:
    """It must hold that no report calls pairs tried that nothing was chosen from."""
    choice = found(0, FIRST)
    told = choice.told
    assert told is not None
    assert (told.stopped_by_time, told.pairs, choice.pairs) == (True, 0, ())
    assert screening_notes(told) == ("screening was cut by time after 0 pairs: it chose nothing",)
    words, tried = screening_words(choice, 7)
    assert not tried
    assert words.endswith("none was chosen (screening was cut by time after 0 pairs)")
    before = found(0, CALIBRATION)
    assert before.told is None
    assert "before plain data sets had answered" in before.why_not


@pytest.mark.long
def test_one_that_was_not_cut_says_nothing_of_time() -> None:
    """It must hold of the whole of it."""
    choice = screened(target_of(no_clip))
    assert choice.told is not None
    assert not choice.told.stopped_by_time
    assert not any("time" in note for note in screening_notes(choice.told))


def raises_out_of_range(data: Any, size: int, *, rng: Any) -> Any:
    """It answers nothing where a record is above the bound."""
    if (np.nan_to_num(data) > 1).any():
        raise ValueError
    return clean_sum(data, size, rng=rng)


@pytest.mark.long
@pytest.mark.parametrize("release", [raises_out_of_range, clean_sum])
def test_a_slow_screening_ends_with_what_cannot_look_worse(
    release: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold where as many pairs as are bet on differ in kind in every draw, and only there.

    These are suspicious, although no time was left to count them: few others are bet on.
    """
    monkeypatch.setattr(selection, "SHARE_OF_TIME", 1e-12)
    monkeypatch.setattr(selection, "GRACE", 1e15)
    choice = screened(target_of(release), budget=replace(WHOLE, pairs=SIZES[0].pairs))
    told = choice.told
    assert told is not None
    assert told.stopped_by_time is choice.suspicious is (release is raises_out_of_range)
    assert (told.pairs < SIZES[0].pairs) is told.stopped_by_time
    assert (max(one.score_on_new_draws for one in told.chosen) == 0) is told.stopped_by_time


def run(**words: Any) -> AuditResult:
    """Audit a release of a few draws."""
    own: dict[str, Any] = {"epsilon": 1, "relation": "add-remove", "low": 0, "high": 1}
    return audit.audit(no_clip, **own, ideal=True, budget_samples=20_000, seed=1, **words)


@pytest.mark.long
@pytest.mark.parametrize("cut", [False, True])
def test_a_run_whose_screening_was_cut_cannot_be_repeated(
    cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that it says so and why, though no bet was cut; and of no other."""
    if cut:
        cut_after(monkeypatch, FIRST, 1)
    result = run()
    assert result.screening is not None
    assert result.screening.stopped_by_time is cut
    assert result.reproducible is not cut
    assert ("screening was cut by time, which may cut" in run_words(result)) is cut
    assert "cannot be seeded" not in run_words(result)


@pytest.mark.long
def test_a_run_that_the_clock_has_sized_blames_the_clock() -> None:
    """It must hold of first draws, and of screening; without either it is the target."""
    result = replace(run(), reproducible=False)
    assert "cannot be seeded" in run_words(result)
    sized = (
        replace(result, first_by_time=8),
        replace(result, screening=replace(result.screening, sized_by_clock=24)),  # type: ignore[type-var]
    )
    for one in sized:
        assert "the clock chose how much is drawn" in run_words(one)
        assert "cannot be seeded" not in run_words(one)
