"""Releases whose generator, and not whose answer, goes by the data; and a broken one among them.

Coupled draws of both data sets say nothing of them: what is the same state of the generator is
other noise. None is given a pair, and all claim epsilon = 1 for records in [0, 1].
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import audit
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.slow import one_in

STAYS = np.exp(-1.0)
"""Of the geometric law whose difference with itself is the noise of a count."""


def _clipped(data: Any) -> Any:
    return np.clip(np.nan_to_num(data, nan=0.0), 0, 1)


def _noise(rng: Any, size: Any) -> Any:
    return rng.geometric(1 - STAYS, size) - rng.geometric(1 - STAYS, size)


def shuffles(data: Any, size: int, rng: Any) -> Any:
    """Seeds numpy's own generator, which first shuffles the sorted records: n random words."""
    np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - as old code does
    records = np.sort(_clipped(data))
    np.random.shuffle(records)  # noqa: NPY002
    return int(np.round(records).sum()) + _noise(np.random, size)


def mirrored(data: Any, size: int, rng: Any) -> Any:
    """Noise whose sign goes by the answer: the sides of a pair mirror each other."""
    answer = int(np.round(_clipped(data)).sum())
    return answer + (1 - 2 * (answer % 2)) * _noise(rng, size)


def dealt_out(data: Any, size: int, rng: Any) -> Any:
    """A histogram whose noise is dealt out in the order of its counts."""
    counts = np.bincount(np.minimum((4 * _clipped(data)).astype(int), 3), minlength=4)
    return counts + _noise(rng, (size, 4))[:, np.argsort(counts, kind="stable")]


def burnt(data: Any, size: int, rng: Any) -> Any:
    """Takes numpy's own generator, unseeded, and throws random words away for each record."""
    records = _clipped(data)
    np.random.random(len(records) + int(3 * records.sum()))  # noqa: NPY002
    return int(np.round(records).sum()) + _noise(np.random, size)


SOUND = (shuffles, mirrored, dealt_out, burnt)


def ties(data: Any, size: int, rng: Any) -> Any:
    """Three equal records that are at no end count for three more."""
    records = _clipped(data)
    _, counts = np.unique(records[(records > 0) & (records < 1)], return_counts=True)
    return int(np.round(records).sum()) + 3 * int((counts >= 3).any()) + _noise(rng, size)


def audited(release: Any, *, false_alarm: float) -> AuditResult:
    """Audit from bounds alone."""
    words: dict[str, Any] = {"epsilon": 1, "relation": "add-remove", "low": 0, "high": 1}
    return audit.audit(release, **words, false_alarm=false_alarm, budget_samples=30_000, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("release", one_in(4, SOUND), ids=lambda release: release.__name__)
def test_a_generator_that_goes_by_the_data_refutes_nothing(release: Any) -> None:
    """It must hold at a false-alarm rate of .05, and that no pair of them is called suspicious."""
    result = audited(release, false_alarm=0.05)
    assert result.verdict is not Verdict.REFUTED, result.witness
    assert result.screening is not None
    assert max(one.score_on_new_draws for one in result.screening.chosen) <= 1


@pytest.mark.long
def test_what_no_worst_case_meets_is_found() -> None:
    """It must hold that screening found the pair: no worst case shows anything of ties."""
    result = audited(ties, false_alarm=0.001)
    assert result.verdict is Verdict.REFUTED, result.reason
    assert result.screening is not None
    assert result.witness is not None
    chosen = [one.pair for one in result.screening.chosen]
    assert (result.witness.shrunk_from or result.witness.pair) in chosen
    assert result.samples <= 10_000
