"""Inputs at the edges: what code forgets is tried by default, and what is not tried is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.request.privacy_plan import plan_audit
from audit.request.request import Request
from tests.edges.seeds import SEEDS
from tests.slow import one_in
from tests.user_files import imports_restored

TARGETS = Path(__file__).with_name("targets.py")
RUN = "--ideal --false-alarm 0.001 --budget-seconds 600"
CLAIM = f"--epsilon 1 --relation add-remove --low 0 --high 1 {RUN}"
NOT_TRIED = "--domain declared"


def audited(name: str, options: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, Any]:
    """Exit status and report of an audit."""
    with imports_restored(TARGETS.parent):
        status = main(["audit", f"{TARGETS}:{name}", *options.split(), "--format", "json"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_missing_clip_is_found_by_default(seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the plainest outsider is shown, and named in the reason."""
    status, report = audited("unclipped", f"{CLAIM} --seed {seed}", capsys)
    assert (status, report["verdict"]) == (1, "REFUTED")
    assert [hint["code"] for hint in report["warnings"]] == ["unusual-record"]
    assert "a record outside of [0, 1]. " in report["warnings"][0]["text"]
    assert report["warnings"][0]["option"] == NOT_TRIED
    assert report["not_tried"][-1].endswith(f"{NOT_TRIED} leaves it out)")
    assert len(report["witness"]["data"]) <= 2
    assert not any("outside" in part for part in report["not_tried"])


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_nan_through_the_clip_is_found_by_default(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that NaN is tried, and kept where no other record shows it."""
    status, report = audited("nan_through_clip", f"{CLAIM} --seed {seed}", capsys)
    assert (status, report["verdict"]) == (1, "REFUTED")
    assert "unusual-record" in [hint["code"] for hint in report["warnings"]]
    assert "has a record that is NaN. " in report["warnings"][0]["text"]


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(2, ["unclipped", "nan_through_clip"]))
def test_a_declared_domain_is_not_left(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that nothing is refuted on declared records, and that the rest is listed."""
    options = f"{CLAIM} --domain declared --seed 1 --budget-samples 6000"
    status, report = audited(name, options, capsys)
    assert (status, report["verdict"]) != (1, "REFUTED")
    assert "records outside of [0, 1] (the domain is declared)" in report["not_tried"]
    assert "records that are NaN (the domain is declared)" in report["not_tried"]


@pytest.mark.long
def test_a_plain_witness_is_preferred(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that too little noise is shown on records within the bounds."""
    status, report = audited("half", f"{CLAIM} --seed 4", capsys)
    assert status == 1
    records = [*report["witness"]["data"], *report["witness"]["neighbor"]]
    assert all(isinstance(record, float) and 0 <= record <= 1 for record in records)
    assert report["warnings"] == []


def test_a_public_count_is_kept_by_adversarial_pairs() -> None:
    """It must hold that no data set of another size is tried, by any maker of pairs."""
    for adversarial in (False, True):
        request = Request(f"{TARGETS}:FourRecords", adversarial=adversarial)
        with imports_restored(TARGETS.parent):
            plan = plan_audit(request, stated_in="test")
        sizes = {len(side) for pair in plan.pairs for side in (pair.data, pair.neighbor)}
        assert sizes == {4}


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_public_count_is_kept_by_the_search(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a release that is private for four records only is not refuted."""
    options = f"--adversarial --seed {seed} --budget-samples 30000 {RUN}"
    status, report = audited("FourRecords", options, capsys)
    assert status != 1
    assert "numbers of records other than 4 (it is public)" in report["not_tried"]


def test_a_file_of_another_count_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a pair that the claim says nothing about is refused in one line."""
    pair = tmp_path / "p.json"
    pair.write_text('{"data": [0, 1], "neighbor": [0, 0]}')
    with imports_restored(TARGETS.parent):
        status = main(["audit", f"{TARGETS}:FourRecords", "--pair", str(pair)])
    assert status == 2
    message = "a data set has 2 records, and the public number of records is 4"
    assert message in capsys.readouterr().err


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose release has no clip, with the configuration that init writes."""
    (tmp_path / "release.py").write_text(
        "import numpy as np\n\n\ndef unclipped(data, size, rng):\n"
        "    return np.asarray(data, float).sum() + rng.laplace(size=size)\n"
    )
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        assert main(["init", "release.py"]) == 0
    return tmp_path


def gate(folder: Path, *options: str) -> int:
    """Exit status of the project's gate."""
    with imports_restored(folder):
        return main(["gate", "--seed", "1", *options])


@pytest.mark.slow
def test_what_init_writes_finds_a_missing_clip(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the gate is red, and names the record."""
    assert 'domain = "any"' in (project / "touchstone.toml").read_text()
    assert gate(project) == 1
    assert "a record outside of [0, 1]" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "markdown", "html", "junit", "sarif"])
def test_a_declared_domain_passes_and_every_form_says_so(
    form: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that what was not tried is told in the report of a single audit."""
    file = project / "touchstone.toml"
    file.write_text(file.read_text().replace('domain = "any"', 'domain = "declared"'))
    if form == "text":
        assert gate(project) == 0
        capsys.readouterr()
    words = f"{CLAIM} --domain declared --seed 1 --budget-samples 60000 --format {form}"
    with imports_restored(project):
        main(["audit", "release.py:unclipped", *words.split()])
    out = " ".join(capsys.readouterr().out.split())
    assert "ecords outside of [0, 1] (the domain is declared)" in out
