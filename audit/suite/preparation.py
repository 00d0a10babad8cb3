"""What a run of the gate needs before its first draw."""

from __future__ import annotations

from typing import Any

from audit.request.configuration import Config
from audit.suite.history import History, check_options, open_history
from audit.suite.run import override, plan_gate

__all__ = ["prepare"]


def prepare(
    whole: Config,
    *,
    seed: int,
    changed_since: str | None = None,
    carry: str | None = None,
    writes: bool = False,
    **changes: Any,
) -> History:
    """Understand every audit, and read what earlier runs have left.

    `whole`: as it is written. `seed`: of the run. `changed_since`, `carry`, `writes`: as in
    `audit.suite.history.open_history`. `**changes`: as in `audit.suite.run.override`. Returns: its
    `config` and `plans` are those to run. Raises TouchstoneError if something cannot be run;
    nothing was drawn.
    """
    check_options(whole, changed_since, writes)
    config = override(whole, **changes)
    plans = plan_gate(config)
    return open_history(
        whole,
        config,
        plans,
        seed=seed,
        changed_since=changed_since,
        carry=carry,
        writes=writes,
    )
