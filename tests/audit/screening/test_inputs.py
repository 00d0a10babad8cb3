"""What a run from bounds alone does: declared domains, public sizes, slow and moving releases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest

import audit
from audit.cli import main
from audit.pairs.adversarial.generate import adversarial_pairs
from audit.results.verdict import Verdict
from audit.screening.candidate_pairs import candidates_of
from audit.suite.exit_status import Exit
from audit.targets.domain import Domain
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source
from tests.audit.screening import moving
from tests.audit.tables.released import slow_failing

RELEASE = """\
def total(data, size, rng):
    return data.sum() + rng.laplace(scale=1.0, size=size)
"""


@pytest.mark.slow
def test_the_gate_of_init_finds_a_sum_without_a_clip_unless_it_is_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that declared records are not tried, and that the gate says so."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.py").write_text(RELEASE)
    assert main(["init", "release.py"]) == Exit.OK
    assert main(["gate", "--seed", "1", "--jobs", "1"]) == Exit.REFUTED
    assert "outside of [0, 1]" in capsys.readouterr().out
    file = tmp_path / "touchstone.toml"
    file.write_text(file.read_text().replace('domain = "any"', 'domain = "declared"', 1))
    words = ["--report", "json=gate.json"]
    assert main(["gate", "--seed", "1", "--jobs", "1", *words]) == Exit.OK
    said = (tmp_path / "gate.json").read_text()
    assert "CONSISTENT" in said
    assert "records outside of [0, 1] (the domain is declared)" in said


OF_FOUR = PrivacyClaim(PureDP(1), Relation.SWAP, Source("a test", ""))


@final
@dataclass(frozen=True)
class MeanOfFour:
    """A mean of four records, private for so many alone."""

    count: int | None = 4
    claim: PrivacyClaim = OF_FOUR
    record_range: tuple[int, int] = (0, 1)

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> Any:
        """Draw."""
        records = np.clip(np.nan_to_num(data, nan=0.0), 0, 1)
        return records.sum() / max(1, records.size) + rng.laplace(scale=1 / 4, size=size)


@pytest.mark.long
def test_all_pairs_have_the_public_number_of_records() -> None:
    """It must hold of screened and adversarial ones; without one there are others."""
    bounds = (PureDP(1).epsilon * 0, PureDP(1).epsilon)
    for count, sizes in ((4, {4}), (None, None)):
        domain = Domain(Relation.SWAP, bounds=bounds, count=count)
        pairs = [one.pair for one in candidates_of(domain, 1)] + adversarial_pairs(domain)
        found = {len(side) for pair in pairs for side in (pair.data, pair.neighbor)}
        assert found == sizes if sizes else len(found) > 4


@pytest.mark.slow
@pytest.mark.parametrize("words", [{}, {"adversarial": True}], ids=["default", "adversarial"])
def test_a_mean_of_four_is_never_refuted(words: dict[str, Any]) -> None:
    """It must hold of 20 seeds at a rate of .001; without the public number it is refuted."""
    run: dict[str, Any] = {"low": 0, "high": 1, "ideal": True, "budget_samples": 20_000, **words}
    found = [audit.audit(MeanOfFour(), seed=seed, **run).verdict for seed in range(20)]
    assert Verdict.REFUTED not in found
    assert audit.audit(MeanOfFour(None), seed=1, **run).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_slow_release_that_fails_on_nan_is_refuted_in_time() -> None:
    """It must hold of 50 seconds, with few draws besides those of the screening."""
    claim = audit.pure(1, relation="add-remove")
    result = audit.audit(slow_failing, claim, low=0, high=1, seed=1, budget_seconds=50)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.samples <= 600
    assert "ValueError" in result.witness.event  # type: ignore[union-attr]


@pytest.mark.long
def test_a_release_that_moves_and_has_too_little_noise_is_refuted() -> None:
    """It must hold, so that the next test can fail."""
    claim = audit.pure(1, relation="add-remove")
    words: dict[str, Any] = {"low": 0, "high": 1, "ideal": True, "budget_samples": 30_000}
    release = f"{Path(moving.__file__)}:counted_too_little"
    assert audit.audit(release, claim, seed=1, **words).verdict is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["counted", "walking", "swinging"])
def test_a_release_that_moves_is_never_refuted(name: str) -> None:
    """It must hold of 20 seeds at a rate of .001, each with 30,000 draws."""
    claim = audit.pure(1, relation="add-remove")
    words: dict[str, Any] = {"low": 0, "high": 1, "ideal": True, "budget_samples": 30_000}
    release = f"{Path(moving.__file__)}:{name}"
    found = [audit.audit(release, claim, seed=seed, **words).verdict for seed in range(20)]
    assert Verdict.REFUTED not in found
