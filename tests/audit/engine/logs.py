"""Runs that are kept, ended after some answers, and gone on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.draws.run_log import RunLog
from audit.draws.settings import Settings
from audit.engine.identity import identity_of
from audit.pairs.worst_cases import Pair
from audit.results.sampled_result import AuditResult
from audit.targets.target import Target
from mechanisms.claims import PrivacyClaim


def log_of(
    path: Path,
    target: Target,
    claim: PrivacyClaim,
    pairs: Sequence[Pair],
    settings: Settings,
    *,
    mode: str = "sequential",
) -> RunLog:
    """The log of an audit of given pairs."""
    log = RunLog(path)
    log.open(identity_of(target, claim, pairs, settings, mode=mode))
    return log


class Ends:
    """Ctrl-C whenever a session has got so many answers that no file had; never where it is 0."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int = 0) -> None:
        self.left = after
        ask = RunLog.ask

        def asked(log: RunLog, *told: Any, **more: Any) -> Any:
            found = ask(log, *told, **more)
            if log.live:
                self.left -= 1
                if self.left == 0:
                    raise KeyboardInterrupt
            return found

        monkeypatch.setattr(RunLog, "ask", asked)


def said(result: AuditResult | None) -> str:
    """All that a result says, but for what two runs in one piece do not share: times."""
    assert result is not None
    return repr(replace(result, seconds=0.0, seconds_per_draw=None))
