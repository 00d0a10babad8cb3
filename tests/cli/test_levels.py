"""Claims of every level through the command line: consistent where tight, refuted where too small.

The mechanisms meet their claims with equality, so a smaller claim is false.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.levels.statement import stated_level
from audit.request.configuration import read_config
from tests.reports import check_report
from tests.slow import all_but
from tests.user_files import imports_restored

TARGETS = """
import numpy as np


def weighted(data, size, rng):
    return np.nan_to_num(np.clip(data, 0, 1)) @ np.array([1.0, 0.1, 1.0]) + rng.laplace(size=size)


def named(data, size, rng):
    return data["x"] + rng.laplace(size=size)


def total(data, size, rng):
    return np.nan_to_num(np.clip(data, 0, 1)).sum() + rng.laplace(size=size)


def rare(data, size, rng):
    return (rng.random(size) < 0.1 * data[0]).astype(float)
"""

RUN = (
    "--ideal",
    "--seed",
    "1",
    "--false-alarm",
    "0.05",
    "--budget-samples",
    "200000",
    "--resolution",
    "4",
)
BUDGETS = ("--budgets", "1,.1,1", "--relation", "swap", "--low", "0", "--high", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with mechanisms of three users."""
    (tmp_path / "m.py").write_text(TARGETS)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def report(
    capsys: pytest.CaptureFixture[str], *words: str, samples: int = 200_000
) -> tuple[int, dict[str, Any]]:
    """Exit status and valid JSON report of a seeded audit."""
    status = main(["audit", *words, *RUN, "--budget-samples", str(samples), "--format", "json"])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    check_report(document, "audit")
    return status, document


LEVELS = {
    "zero-concentrated": ("corpus.gaussian-zcdp", "rho", 0.5, {"rho": "1/4"}),
    "gaussian": ("corpus.gaussian-gdp", "mu", 1.0, {"mu": "3/4"}),
    "renyi": (
        "corpus.gaussian-renyi",
        "renyi_epsilon",
        1.0,
        {"epsilon": "2/5", "alpha": "2"},
    ),
    "total-variation": ("corpus.uniform-window", "tv", 0.1, {"tv": "1/20"}),
    "personalized": (
        "corpus.personalized-sum",
        "budget_factor",
        1.0,
        {"budgets": ["1/2", "1", "1"]},
    ),
}
"""Target, limit of the level, the target's own parameter, and a claim that is too small."""


@pytest.mark.long
@pytest.mark.parametrize("level", all_but(["zero-concentrated", "renyi", "personalized"], LEVELS))
def test_a_tight_claim_stands(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a target's own claim is audited as it is, and its limit is below."""
    name, limit, claimed, _ = LEVELS[level]
    status, document = report(capsys, name, samples=60_000)
    assert (status, document["verdict"]) == (0, "CONSISTENT")
    assert document["claim"]["level"] == level
    assert 0 < document["limits"][limit] < claimed


@pytest.mark.long
@pytest.mark.parametrize(
    "level", all_but(["zero-concentrated", "gaussian", "personalized"], LEVELS)
)
def test_a_smaller_claim_falls(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a claim of the same kind that is too small is refuted, and repeats."""
    name, limit, _, smaller = LEVELS[level]
    stated: list[str] = []
    for key, value in smaller.items():
        option = "--alpha-order" if key == "alpha" else f"--{key}"
        stated += [option, value if isinstance(value, str) else ",".join(value)]
    status, document = report(capsys, name, *stated)
    assert (status, document["verdict"]) == (1, "REFUTED")
    parameters = {"level": level, **smaller}
    assert document["claim"] == {**document["claim"], **parameters}
    assert document["limits"][limit] > 0
    assert (document["witness"]["delta"] > 0) == (level in {"gaussian", "total-variation"})
    words = shlex.split(document["command"])[1:]
    assert main([*words, "--format", "json"]) == 1
    again = json.loads(capsys.readouterr().out)
    assert (again["witness"], again["samples"]) == (document["witness"], document["samples"])


def test_the_noise_must_be_enough_for_the_smallest_budget(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that noise for a budget of 1 breaks one of 1/10, and names that user's pair."""
    status, document = report(capsys, "m.py:total", *BUDGETS)
    assert (status, document["verdict"]) == (1, "REFUTED")
    witness = document["witness"]
    assert "that of user 2 (budget 1/10)" in witness["pair"]
    assert (witness["user"], witness["budget"]) == (2, "1/10")
    differ = [x != y for x, y in zip(witness["data"], witness["neighbor"], strict=True)]
    assert differ == [False, True, False]
    assert document["order"] == "fixed"


@pytest.mark.slow
def test_each_user_is_held_to_the_own_budget(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that records weighted by their budgets keep a claim that no weight breaks."""
    status, document = report(capsys, "m.py:weighted", *BUDGETS)
    assert (status, document["verdict"]) == (0, "CONSISTENT")
    assert document["pairs"] == 16
    assert 0 <= document["limits"]["budget_factor"] < 1
    assert document["detectable"]["user"] == 1  # the larger budget is the harder to test


@pytest.mark.slow
def test_a_named_user_is_another_claim(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that one pair of data sets is refuted for a small budget, not for a large."""
    pair = {"data": [0, 0, 0], "neighbor": [0, 1, 0], "user": 2}
    (folder / "p.json").write_text(json.dumps(pair))
    for budgets, expected in (("1,.1,1", 1), (".1,1,.1", 0)):
        words = ("--budgets", budgets, "--relation", "swap", "--pair", "p.json")
        status, _ = report(capsys, "m.py:total", *words)
        assert status == expected


@pytest.mark.slow
def test_the_power_is_that_of_the_hardest_budget(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a budget that no draw can speak about leaves the run inconclusive."""
    for budgets, user in (("1,5,1", 2), ("5,1,1", 1), ("1,1,1", 1)):
        words = ("--budgets", budgets, "--relation", "swap", "--low", "0", "--high", "1")
        status, document = report(capsys, "m.py:total", *words, "--resolution", "1")
        assert document["detectable"]["user"] == user
        assert status == (3 if "5" in budgets else 0)


@pytest.mark.long
def test_another_user_is_another_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a saved run about one user's pair does not go on about another's."""
    words = ("--budgets", "2,1", "--relation", "listed", "--pair", "p.json", "--resume", "run.bin")
    for user, expected in ((1, 0), (1, 0), (2, 2)):
        pair = {"data": {"x": 0}, "neighbor": {"x": 1}, "user": user}
        (folder / "p.json").write_text(json.dumps(pair))
        assert main(["audit", "m.py:named", *words, *RUN]) == expected
    assert "is another audit: its first list of pairs was" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("claim", [("--rho", "1/2"), ("--epsilon", "1", "--alpha-order", "2")])
def test_an_event_of_one_arm_only_breaks_a_divergence(
    folder: Path, claim: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that an event of probability 0.1 that is impossible on the other is found."""
    (folder / "p.json").write_text('{"data": [1], "neighbor": [0]}')
    status, document = report(capsys, "m.py:rare", *claim, "--relation", "swap", "--pair", "p.json")
    assert (status, document["verdict"]) == (1, "REFUTED")


@pytest.mark.slow
def test_the_profile_is_printed_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that delta falls with epsilon, stays below the truth, and comes on request."""
    _, document = report(capsys, "corpus.laplace", "--epsilon", "1", "--profile")
    rows = [(row["epsilon"], row["delta_lower"]) for row in document["profile"]]
    assert rows == sorted(rows)
    deltas = [delta for _, delta in rows]
    assert deltas == sorted(deltas, reverse=True)
    assert deltas[0] > 0
    assert all(delta == 0 for epsilon, delta in rows if epsilon >= 1)
    _, without = report(capsys, "corpus.laplace", "--epsilon", "1")
    assert without["profile"] is None


@pytest.mark.slow
def test_the_gate_audits_every_level(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the gate's line has the limit that belongs to each claim."""
    entry = '[[audit]]\ntarget = "{}"\nideal = true\nbudget_samples = 20000\nresolution = 9\n{}\n'
    claims = {
        "corpus.gaussian-gdp": "mu = 2",
        "corpus.gaussian-zcdp": "rho = 2",
        "corpus.gaussian-renyi": "epsilon = 3\nalpha_order = 2",
        "corpus.uniform-window": 'tv = "1/10"',
        "corpus.personalized-sum": 'budgets = ["1/2", 1, 2]',
    }
    (folder / "touchstone.toml").write_text("".join(entry.format(*item) for item in claims.items()))
    assert main(["gate", "--seed", "1", "--jobs", "1", "--inconclusive=ok"]) == 0
    out = capsys.readouterr().out.splitlines()
    lines = [line for line in out if line.startswith("ok")]
    for line, name in zip(lines, ("mu", "rho", "epsilon", "tv", "factor"), strict=True):
        assert f" {name} >" in line


CURVE = "0:1,1/4:1/2,1/2:1/4,1:0"
"""Above that of Gaussian DP with mu = 1, which is 0.37 at 1/4; the second lies below it."""
LOWER = "0:1/2,1/2:0,1:0"


@pytest.mark.parametrize(
    ("knots", "verdict"),
    [(CURVE, "REFUTED"), pytest.param(LOWER, "CONSISTENT", marks=pytest.mark.long)],
)
def test_a_trade_off_curve_is_audited_from_every_door(
    knots: str, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that an option, a key and an argument state the same claim, with one verdict."""
    words = "audit corpus.gaussian-gdp --ideal --seed 1 --budget-samples 200000 --trade-off"
    status = main([*words.split(), knots, "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], status) == (verdict, int(verdict == "REFUTED"))
    pairs = [knot.split(":") for knot in knots.split(",")]
    assert report["claim"]["level"] == "trade-off"
    assert report["claim"]["knots"] == pairs
    result = audit.audit(
        "corpus.gaussian-gdp", trade_off=pairs, ideal=True, seed=1, budget_samples=200_000
    )
    assert result.claim == audit.trade_off(pairs, relation="listed", source=result.claim.source)
    assert (result.verdict.value, result.samples) == (verdict, report["samples"])
    for told in (f'"{knots}"', json.dumps(pairs)):
        file = tmp_path / "touchstone.toml"
        file.write_text(f'[[audit]]\ntarget = "corpus.gaussian-gdp"\ntrade_off = {told}\n')
        (entry,) = read_config(file).entries
        assert stated_level(**entry.request.stated) == result.claim.level


def test_a_curve_is_not_proved(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that mode exact refuses it by one line that says what it audits."""
    assert main(["audit", "corpus.laplace", "--mode", "exact", "--trade-off", "0:1,1:0"]) == 2
    assert "by which mode 'exact' audits PureDP" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("knots", "how"),
    [("0:1,1e-400:0,1:0", "steep"), ("0:1e-400,1:0", "flat"), ("0:1,1/2:1e-400,1:0", "flat")],
)
def test_a_slope_beyond_doubles_is_refused(
    knots: str, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a curve no double holds is a fault of the user's, told in one line."""
    words = ["audit", "corpus.laplace", *RUN, "--trade-off", knots]
    assert main(words) == 2
    err = capsys.readouterr().err
    assert f"to be audited by draws, got one that is so {how}: " in err
    assert err.count("\n") == 1
