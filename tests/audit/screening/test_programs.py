"""Programs are screened, a start for each data set: their pairs are found without one given."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cli import main
from audit.screening.choice import ScreenBudget
from audit.screening.size import FEWEST_STARTED, PROGRAM_SIZES, ScreenSize, program_size
from audit.targets.command import heard_apart, load_command, notes_of
from audit.targets.external_draw import CommandFailed
from audit.targets.target import Calls
from tests.audit.screening.releases import screened, target_of
from tests.slow import all_but

EXAMPLES = Path(__file__).parents[3] / "examples"
SEEDS = range(1, 6)
MOST_RECORDS = 4
"""Of a witness: a person and the rows of another, who may have three."""

NUMBERS = """\
function number(key) {
  match($0, "\\"" key "\\": *[0-9]+")
  return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}
function laplace(  u) {
  u = rand() - 0.5
  if (u == -0.5) u = 0
  return (u < 0 ? -1 : 1) * log(1 - 2 * (u < 0 ? -u : u))
}
{
  match($0, /\\[[^\\]]*\\]/)
  n = split(substr($0, RSTART + 1, RLENGTH - 2), record, ",")
  for (i = 1; i <= n; i++) {
    x = record[i] < 0 ? 0 : record[i] > 1 ? 1 : record[i] + 0
    sum += WORTH
  }
  srand(SEED)
  size = number("size")
  for (i = 1; i <= size; i++) printf "%.17g\\n", sum + laplace()
}
"""
"""A clipped sum of records, with noise at its claim where each is worth what it is."""

ROWS = """\
BEGIN { FS = "," }
function laplace(  u) {
  u = rand() - 0.5
  if (u == -0.5) u = 0
  return 3 * (u < 0 ? -1 : 1) * log(1 - 2 * (u < 0 ? -u : u))
}
NR > 1 && $3 != "" && $3 == $3 + 0 { sum += $3 < 0 ? 0 : $3 > 1 ? 1 : $3; known++ }
END {
  srand(ENVIRON["TOUCHSTONE_SEED"] + 0)
  for (i = 1; i <= ENVIRON["TOUCHSTONE_SIZE"]; i++) printf "%.17g\\n", (sum + laplace()) / PRIVATE
}
"""
"""A sum of clipped incomes of people with at most three rows, with noise for three."""

OF_RECORDS = ["--relation", "add-remove", "--low", "0", "--high", "1"]
OF_PEOPLE = ["--schema", str(EXAMPLES / "people.toml"), "--takes", "csv"]
HIDDEN = "x > .3 && x < .32 ? 30 * x : x"
"""A fault in a fiftieth of the domain, which no worst case meets."""

PRIVATE_NUMBER = "(known > 1 ? known : 1)"


def of_records(worth: str = "x", seed: str = 'number("seed")') -> list[str]:
    """A program that gets records in a line of JSON."""
    text = NUMBERS.replace("WORTH", worth).replace("SEED", seed)
    return [*OF_RECORDS, "--", "awk", text]


def of_people(divided_by: str = "1") -> list[str]:
    """A program that gets people as CSV."""
    return [*OF_PEOPLE, "--", "awk", ROWS.replace("PRIVATE", divided_by)]


def own_seed(worth: str = "x") -> list[str]:
    """A program with random numbers of its own, from the system."""
    *words, text = of_records(worth, "own")
    half = "$(( $(od -An -N4 -tu4 /dev/urandom) / 2 ))"  # awk has seeds below 2^31
    script = f'exec awk -v own="{half}" "$0"'
    return [*words[:-1], "sh", "-c", script, text]


def told(capsys: pytest.CaptureFixture[str], words: list[str], *more: str) -> dict[str, Any]:
    """The report of an audit at epsilon 1; of 60,000 draws."""
    few = ["--budget-samples", "60000", "--resolution", "2", "--format", "json"]
    main(["audit", "--epsilon", "1", "--ideal", *few, *more, *words])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def chosen(report: dict[str, Any]) -> str:
    """What a report says of the pairs that were screened."""
    return " ".join(note for note in report["notes"] if note.startswith("screening chose"))


BROKEN: dict[str, Callable[[], list[str]]] = {
    "hidden": lambda: of_records(HIDDEN),
    "private number": lambda: of_people(PRIVATE_NUMBER),
    "no seed": lambda: own_seed("3 * x"),
}


def check_refuted(name: str, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Refute a program on a pair that was screened, or a smaller one."""
    report = told(capsys, BROKEN[name](), "--seed", str(seed))
    assert report["verdict"] == "REFUTED", report["reason"]
    assert chosen(report)
    assert report["samples"] <= 20_000
    witness = report["witness"]
    assert max(len(witness["data"]), len(witness["neighbor"])) <= MOST_RECORDS


@pytest.mark.long
@pytest.mark.parametrize("name", all_but(["private number", "no seed"], BROKEN))
def test_a_broken_program_is_refuted_without_a_pair(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of one seed, by few draws, with a small witness."""
    check_refuted(name, 1, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_broken_programs_are_refuted_for_other_seeds(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of four more."""
    for seed in SEEDS[1:]:
        check_refuted(name, seed, capsys)


@pytest.mark.slow
def test_without_screening_what_is_hidden_is_not_refuted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that no worst case meets it: screening is what finds it."""
    report = told(capsys, of_records(HIDDEN), "--seed", "1", "--screen", "0")
    assert report["verdict"] != "REFUTED"
    assert any("not screened (--screen 0)" in line for line in report["not_tried"])


@pytest.mark.slow
@pytest.mark.parametrize("size", PROGRAM_SIZES, ids=lambda size: f"{size.pairs}")
def test_each_size_finds_a_private_number(
    size: ScreenSize, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of the sizes that slow programs and runs of few draws have, too."""
    samples = "60000" if size.first < 16 else "1000000"
    found = ["--budget-samples", samples, "--screen", f"{size.pairs}"]
    assert program_size(int(samples), pairs=size.pairs) == (size, False)
    report = told(capsys, of_people(PRIVATE_NUMBER), "--seed", "1", *found)
    assert report["verdict"] == "REFUTED"
    assert chosen(report)


@pytest.mark.slow
@pytest.mark.parametrize("program", [of_records, of_people, own_seed])
def test_a_sound_program_is_not_refuted(
    program: Callable[[], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of three seeds at a rate of .001, and that all of them are screened."""
    for seed in ("1", "2", "3"):
        report = told(capsys, program(), "--seed", seed, "--budget-samples", "8000")
        assert report["verdict"] != "REFUTED", report["witness"]
        assert chosen(report)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("Rscript") is None, reason="Rscript is not installed")
def test_a_script_in_r_is_refuted_without_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of a mean that divides by a private number, for five seeds."""
    words = [*OF_PEOPLE, "--", "Rscript", str(EXAMPLES / "noisy_mean.R")]
    for seed in map(str, SEEDS):
        report = told(capsys, words, "--seed", seed)
        assert report["verdict"] == "REFUTED"
        assert chosen(report)


def test_the_number_of_pairs_names_how_much_is_screened() -> None:
    """It must hold that --screen N repeats what the clock has chosen, whatever it was."""
    found = set()
    for samples in (3_000, 8_000, 30_000, 300_000, 3_000_000):
        for start in (1e-4, 1e-2, 0.05, 0.2, 0.5, 5.0):
            for per_draw in (0.0, 1e-4, 0.04):
                words = {"seconds": 20.0, "start": start, "per_draw": per_draw}
                size, by_time = program_size(samples, **words)
                if size is None:
                    continue
                found.add((size.pairs, by_time))
                assert size.pairs >= FEWEST_STARTED
                if by_time:
                    assert program_size(samples, pairs=size.pairs) == (size, False)
    assert len({pairs for pairs, _ in found}) >= len(PROGRAM_SIZES)
    assert {by_time for _, by_time in found} == {True, False}


def test_a_slow_start_is_paid_for_by_fewer_pairs() -> None:
    """It must hold that starts stay within the time, as long as eight pairs do."""
    for start in np.linspace(0.01, 1.0, 100):
        size, _ = program_size(3_000_000, seconds=20.0, start=float(start))
        assert size is not None
        assert size.calls * start <= 20.0 or size.pairs == FEWEST_STARTED
    quick, by_time = program_size(3_000_000, seconds=20.0, start=0.005)
    assert (quick, by_time) == (PROGRAM_SIZES[0], False)


def test_what_fails_while_a_program_is_screened_is_no_note_of_its_audit() -> None:
    """It must hold of commands; of the same target that fails in its audit it is one."""
    target = load_command(["sh", "-c", "exit 3"])
    rng = np.random.default_rng(1)
    with pytest.raises(CommandFailed):
        heard_apart(target).draw([0.0], 1, rng)
    assert notes_of(target) == ()
    with pytest.raises(CommandFailed):
        target.draw([0.0], 1, rng)
    assert notes_of(target) != ()
    release = target_of(lambda data, size, rng: rng.laplace(size=size))
    assert heard_apart(release) is release


@pytest.mark.long
def test_a_start_counts_as_a_call_of_many_draws() -> None:
    """It must hold that the search is that of its seed, or by halving, as of what is called."""
    for seedable, how in ((True, "coupled"), (False, "independent")):
        target = replace(target_of(private), calls=Calls.START, seedable=seedable)
        choice = screened(target, budget=ScreenBudget(1_000_000, 6_000.0))
        assert choice.told is not None
        assert choice.told.how == how
        assert choice.told.pairs <= 3 * PROGRAM_SIZES[0].pairs
        assert choice.suspicious


def private(data: Any, size: int, *, rng: np.random.Generator) -> Any:
    """A clipped sum over the number of records, which is private."""
    records = np.clip(np.nan_to_num(data), 0, 1)
    return (records.sum() + rng.laplace(size=size)) / max(1, records.size)
