"""The null rows are exactly at their claim, and the calibration job counts, stops and goes on."""

from __future__ import annotations

import json
import math
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from benchmarks import calibration
from benchmarks.calibration import KINDS, Block, blocks, main, verdict
from benchmarks.journal import read_lines
from benchmarks.nulls import NULLS, SHORT, STEP, Null, laplace_on_lattice
from benchmarks.power_rows import KEPT, gauss_delta
from mechanisms.claims import ApproxDP, PureDP
from mechanisms.corpus.nulls import PersonalizedSum
from mechanisms.corpus.sparse_vector import SparseVector
from tests.calibrated import assert_law, assert_not_law, draws_for


def exact_levels() -> dict[str, tuple[float, Fraction]]:
    """Exact level of the rows whose claim is rounded, and the claim."""
    rappor, svt, gauss = (NULLS[name] for name in ("rappor", "svt", "gaussian-approximate"))
    assert isinstance(rappor.level, PureDP)
    assert isinstance(svt.level, PureDP)
    assert isinstance(gauss.level, ApproxDP)
    bits = rappor.pairs[0].data != rappor.pairs[0].neighbor
    loss = math.log(KEPT / (1 - KEPT)) * int(bits.sum())
    pair = svt.pairs[0]
    svt_loss = SparseVector(1, "svt1").epsilon_exact(pair.data, pair.neighbor)
    return {
        "rappor": (loss, rappor.level.epsilon),
        "svt": (svt_loss, svt.level.epsilon),
        "gaussian-approximate": (gauss_delta(1, 1), gauss.level.delta),
    }


@pytest.mark.parametrize("name", exact_levels())
def test_claims_are_rounded_up_and_hardly(name: str) -> None:
    """It must hold that a rounded claim is true, and at most 1e-5 above the exact level."""
    exact, claimed = exact_levels()[name]
    assert exact < claimed <= exact + 1e-5


def test_each_user_is_at_the_own_budget() -> None:
    """It must hold that the personalized row meets every user's budget with equality."""
    mechanism = PersonalizedSum()
    for pair in NULLS["personalized"].pairs:
        assert pair.user is not None
        loss = mechanism.level_exact(pair.data, pair.neighbor)
        assert loss == mechanism.budgets[pair.user]


def test_lattice_noise_has_the_law_of_its_claim(dp_rng: np.random.Generator) -> None:
    """It must hold that steps are geometric of ratio e^(-2^-10), told from a rate 5 % off."""

    def cdf(z: np.ndarray, rate: float = 1.0) -> np.ndarray:
        r, k = math.exp(-STEP * rate), np.floor(z / STEP)
        return np.where(k < 0, r ** -np.minimum(k, 0), 1 + r - r ** (np.maximum(k, 0) + 1)) / (
            1 + r
        )

    def wrong(z: np.ndarray) -> np.ndarray:
        return cdf(z, 1.05)

    grid = STEP * np.arange(-4000, 4000)
    distance = float(np.abs(cdf(grid) - wrong(grid)).max())
    draws = laplace_on_lattice(0.0, draws_for(distance), dp_rng)
    assert (draws / STEP == np.rint(draws / STEP)).all()
    assert_law(draws, cdf, distance, left_cdf=lambda z: cdf(z - STEP))
    assert_not_law(draws, wrong, distance, left_cdf=lambda z: wrong(z - STEP))


def test_all_rows_are_run_evenly_and_as_often_as_the_goal_says() -> None:
    """It must hold that blocks cover 2,000 long and 20,000 short runs, row by row in turn."""
    planned = list(blocks(["long", "short"], list(NULLS)))
    assert len(set(planned)) == len(planned)
    assert [block.row for block in planned[: len(NULLS)]] == list(NULLS)
    for kind, runs, rows in (("long", 2_000, NULLS), ("short", 20_000, SHORT)):
        for row in rows:
            mine = [b for b in planned if (b.kind, b.row) == (kind, row)]
            seeds = [b.first + i for b in mine for i in range(KINDS[kind].block)]
            assert seeds == list(range(runs))


@pytest.mark.parametrize(
    ("kind", "hits", "runs", "says"),
    [
        ("long", 77, 2_000, "met"),
        ("long", 78, 2_000, "MISSED"),
        ("long", 150, 2_000, "UNSOUND"),
        ("long", 0, 1_975, "below .05 so far"),
        ("long", 13, 500, "below .05 so far"),
        ("long", 15, 500, "open"),
        ("long", 6, 25, "UNSOUND"),
        ("short", 1_000, 20_000, "met"),
        ("short", 1_073, 20_000, "UNSOUND"),
    ],
)
def test_verdicts_follow_the_goal(kind: str, hits: int, runs: int, says: str) -> None:
    """It must hold that a row is unsound where its exact lower limit is above the stated rate."""
    assert verdict(kind, hits, runs) == says


@pytest.mark.long
def test_the_job_goes_on_where_it_was_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a cut line is run again, whole ones are not, and engines are not mixed."""
    kind = calibration.Kind(runs=4, draws=300, block=2, rows=("randomized-response",))
    monkeypatch.setattr(calibration, "KINDS", {"long": kind})
    output = tmp_path / "runs.jsonl"
    monkeypatch.setattr(sys, "argv", ["", "--output", str(output), "--kinds", "long"])
    main()
    whole = output.read_text().splitlines(keepends=True)
    assert [json.loads(line)["first"] for line in whole] == [0, 2]
    output.write_text(whole[0] + whole[1][:-9])
    main()
    again = output.read_text().splitlines(keepends=True)
    assert again[0] == whole[0]
    assert [json.loads(line)["refuted"] for line in again] == [
        json.loads(line)["refuted"] for line in whole
    ]
    assert "| randomized response, epsilon 1 | 0 | 4 |" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="another version"):
        read_lines(output, "another")


def test_a_block_names_the_seeds_that_were_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the line of a block lists the refuted seeds, for a claim that is false."""
    false = calibration.NULLS | {"geometric": Null("bad", NULLS["geometric"].draw, PureDP("0.1"))}
    monkeypatch.setattr(calibration, "NULLS", false)
    kind = calibration.Kind(runs=4, draws=1_000, block=2, rows=("geometric",))
    monkeypatch.setattr(calibration, "KINDS", {"long": kind})
    assert Block("long", "geometric", 2).run()["refuted"] == [2, 3]
