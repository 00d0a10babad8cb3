"""Private targets whose laws move or whose calls depend on each other are never blamed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from audit.request.privacy_plan import plan_audit
from audit.request.request import Request, by_field
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.runs.privacy_run import run_plan
from tests.edges.seeds import SEEDS
from tests.slow import one_in
from tests.user_files import imports_restored

TARGETS = Path(__file__).with_name("targets.py")

MOVING = {
    "drift": "changes|depend on each other",
    "random_walk": "changes|depend on each other",
    "warm_up": "changes|depend on each other",
    "antithetic": "not independent",
    "shared_offset": "depend on each other|changes",
    "constant_after_3000": "changes|depend on each other|not independent",
}
"""Targets, and what a report says of them."""


def audited(name: str, seed: int, folder: Path, **words: Any) -> AuditResult:
    """Audit a target of a copy of the file, whose counters begin anew, as the command does."""
    copied = shutil.copy(TARGETS, folder / "targets.py")
    asked = {"epsilon": "1", "relation": "add-remove", "low": 0, "high": 1, "ideal": True, **words}
    asked = {"budget_samples": 100_000, "screen": 0, **asked}  # all laws here move on every pair
    request = Request(f"{copied}:{name}", **by_field(asked))
    return run_plan(plan_audit(request, stated_in="a test"), seed=seed, false_alarm=0.001)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", one_in(3, MOVING))
def test_what_follows_the_clock_is_told_and_never_blamed(
    name: str, seed: int, tmp_path: Path
) -> None:
    """It must hold that the run says what moves, and neither REFUTED nor CONSISTENT without it."""
    epsilon = "0.1" if name == "shared_offset" else "1"
    with imports_restored(tmp_path):
        result = audited(name, seed, tmp_path, epsilon=epsilon)
    assert result.verdict is not Verdict.REFUTED
    said = " ".join((result.reason, *result.notes))
    assert re.search(f"{MOVING[name]}|one draw a call has another law", said), said
