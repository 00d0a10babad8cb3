"""Our column: every row audited with default settings, and its twin.

`python -m bugs.ours [ID ...]` does it in these ways:

* **pair**: the auditor is told the two data sets (their places, 0 and 1, stand for them, so that
  data of any type can be audited) and the claim.
* **no pair**: where a row has `search` words, the auditor is told these bounds and the relation,
  and makes pairs.
* **twin**: as with a pair, of the repaired release: what is refuted there is a false alarm.
* **total**: the library is asked for its number, and `audit.account` decides it; nothing is drawn.

Results are kept, so that the command can be stopped and started again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import audit
from bugs.draws import NoDraws, draws, is_installed
from bugs.results import latest, store
from bugs.rows import Defect, named
from mechanisms.errors import TouchstoneError

__all__ = ["WAYS", "accounted", "audited", "mechanism"]

WAYS: Final = ("total", "pair", "twin", "no pair")
SECONDS: Final = 60
"""Time limit of an audit, so that the column takes less than an hour on two cores; what it cuts is
INCONCLUSIVE, and the page says so."""
SIDES: Final = ("left", "right")


def mechanism(row: Defect, *, given: bool, twin: bool = False) -> Callable[..., Any]:
    """Make a function of data, size and rng that draws through the runner."""

    def release(data: Any, size: int, rng: np.random.Generator) -> list[Any]:
        words = {"side": SIDES[int(data[0])]} if given else {"data": np.asarray(data).tolist()}
        seed = int(rng.integers(2**31))
        found = draws(row.id, seed=seed, m=size, twin=twin, **words)
        for output in found:
            if isinstance(output, dict):
                raise type(str(output["raises"]), (RuntimeError,), {})
        return found

    release.__name__ = row.id
    return release


def audited(row: Defect, way: str, seed: int) -> dict[str, Any]:
    """Audit a release in one of the ways, and keep what the page shows."""
    if way == "no pair":
        words: dict[str, Any] = {"relation": row.relation, **row.search}
    else:
        words = {"relation": "listed", "pair": ([0.0], [1.0])}
    if way == "twin":
        words["constant"] = "ok"  # what was repaired may answer the same on both data sets
    target = mechanism(row, given=way != "no pair", twin=way == "twin")
    started = time.monotonic()
    result = audit.audit(
        target, seed=seed, budget_seconds=SECONDS, jobs=1, **row.claim.words, **words
    )
    told = result.to_dict()
    witness = told["witness"] or {}
    return {
        "id": row.id,
        "way": way,
        "verdict": told["verdict"],
        "reason": told["reason"],
        "limits": told["limits"],
        "draws": told["samples"],
        "witness_draws": told["witness_samples"],
        "confirmed": witness.get("confirmed"),
        "event": witness.get("event"),
        "stopped_by_time": told["stopped_by_time"],
        "seconds": round(time.monotonic() - started, 1),
    }


def accounted(row: Defect, stated: float) -> dict[str, Any]:
    """Decide what a library says of a total."""
    started = time.monotonic()
    claim, delta = row.claim.epsilon, row.claim.delta
    assert claim is not None
    if stated < 1 <= float(claim):  # the library states delta, and the row holds its epsilon
        delta = repr(stated)
    else:
        claim = repr(stated)
    plan = {"step": [dict(step) for step in row.plan]}
    result = audit.account(plan, relation=row.relation, delta=delta, claim=claim)  # type: ignore[arg-type]
    return {
        "id": row.id,
        "way": "total",
        "verdict": result.verdict.value,
        "stated": stated,
        "limits": {name: float(value) for name, value in result.limits.items()},
        "seconds": round(time.monotonic() - started, 1),
    }


def ways(row: Defect) -> list[str]:
    """Which audits a row has."""
    if row.kind == "total":
        return ["total"]
    return ["pair", *(["no pair"] if row.search else []), *(["twin"] if row.twin else [])]


def run_one(row: Defect, way: str, seed: int) -> dict[str, Any]:
    """Do one of the ways."""
    if way == "total":
        return accounted(row, draws(row.id, seed=seed, m=1, side="left")[0])
    return audited(row, way, seed)


def main() -> int:
    """Run what has no result yet, or the rows that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    done = latest("ours", "id", "way")
    rows = named(parser, words.ids)
    for way in WAYS:
        for row in rows:
            if way not in ways(row) or (not words.ids and (row.id, way) in done):
                continue
            if not is_installed(row.id, twin=way == "twin"):
                print(f"{row.id}, {way}: the environment is not made")
                continue
            try:
                line = run_one(row, way, words.seed)
            except (NoDraws, TouchstoneError) as error:
                print(f"{row.id}, {way}: {error}", flush=True)
                continue
            store("ours", line, seed=words.seed)
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
