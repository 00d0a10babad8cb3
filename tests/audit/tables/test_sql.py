"""Releases by SQL from a schema alone: no pair is given."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import audit
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.audit.tables.sql_releases import BROKEN, PEOPLE, SOUND
from tests.slow import all_but

MOST_SAMPLES = 3_000
"""Draws to a refutation: measured at most 1,700 for seed 1."""

MOST_ROWS = {"self_join": 16}
"""Of a witness, where it is not four: the loss of a join grows with the rows that are there."""


def run(release: Any, **words: Any) -> AuditResult:
    """Audit a release of the tables of people."""
    claim = audit.pure(1, relation="add-remove")
    return audit.audit(release, claim, schema=PEOPLE, ideal=True, **{"seed": 1, **words})


@cache
def first_run(release: Any) -> AuditResult:
    """The run of seed 1, of which several tests ask."""
    return run(release)


@pytest.mark.long
@pytest.mark.parametrize("release", all_but(BROKEN[2:], BROKEN), ids=lambda one: one.__name__)
def test_a_broken_release_is_refuted(release: Any) -> None:
    """It must hold of each, by few draws and with few rows."""
    result = first_run(release)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.samples - result.witness_samples <= MOST_SAMPLES
    assert result.witness is not None
    rows = max(len(result.witness.data), len(result.witness.neighbor))
    assert rows <= MOST_ROWS.get(release.__name__, 4)
    assert result.screening is not None
    assert result.screening.pairs > 1_000


@pytest.mark.slow
@pytest.mark.parametrize("release", BROKEN, ids=lambda one: one.__name__)
def test_broken_releases_are_refuted_for_other_seeds(release: Any) -> None:
    """It must hold of four more."""
    assert all(run(release, seed=seed).verdict is Verdict.REFUTED for seed in range(2, 6))


@pytest.mark.slow
@pytest.mark.parametrize("release", SOUND, ids=lambda one: one.__name__)
def test_a_sound_release_is_not_refuted(release: Any) -> None:
    """It must hold of ten seeds at a rate of .001, with all that is hostile."""
    found = [run(release, seed=seed, budget_samples=20_000).verdict for seed in range(10)]
    assert Verdict.REFUTED not in found


@pytest.mark.long
def test_noise_for_the_rows_that_a_person_may_have_is_enough() -> None:
    """It must hold that nobody has more rows than the schema says; with one more it is refuted."""

    def count(rows: Any, size: int, rng: Any) -> Any:
        return len(rows) + rng.laplace(scale=2.0, size=size)

    for most, verdict in ((2, False), (3, True)):
        schema = {**PEOPLE, "max_rows_per_unit": most}
        claim = audit.pure(1, relation="add-remove")
        words: dict[str, Any] = {"ideal": True, "budget_samples": 30_000, "seed": 3}
        result = audit.audit(count, claim, schema=schema, **words)
        assert (result.verdict is Verdict.REFUTED) is verdict, most


@pytest.mark.long
def test_the_witness_is_a_table_that_names_what_matters() -> None:
    """It must hold of the text and of JSON."""
    result = first_run(BROKEN[0])
    text = str(result)
    assert "neighbor only" in text or "data only" in text
    assert "income alone is not at its simplest cell everywhere" in text
    (hint,) = result.warnings
    assert hint.option == "--domain declared"
    assert "has income outside of [0, 1]. If the mechanism never gets such records" in hint.text
    assert result.witness is not None
    assert result.to_dict()["witness"]["neighbor"] in (
        [],
        result.witness.neighbor.tolist(),
        [{"person": 1, "region": "N", "income": "inf", "age": 18}],
        [{"person": 1, "region": "N", "income": "-inf", "age": 18}],
    )


@pytest.mark.long
def test_the_script_of_a_witness_repeats_it(tmp_path: Any) -> None:
    """It must hold that what it counts shows the event on one side far more often."""
    result = first_run(BROKEN[1])
    assert result.witness is not None
    script = tmp_path / "witness.py"
    script.write_text(result.witness.rerun)
    import re
    import subprocess
    import sys
    from pathlib import Path

    printed = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    ).stdout
    hits = [int(n) for n in re.findall(r"(\d+) of", printed)]
    assert sorted(hits) == sorted([result.witness.hits, result.witness.other_hits])
