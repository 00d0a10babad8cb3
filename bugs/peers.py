"""Columns of other auditors: re-implementations of `benchmarks.peer_tests`, tuned as there.

`python -m bugs.peers [ID ...]` gives each test the pair, the likelier data set and the claim, and
tries all of its tunings and readings. Its figure is the least budget (draws of both data sets
together) with which one of them shows a loss above the claim with at least 9 of 10 seeds, at level
.05. Only pure claims, only outputs that are numbers, and only rows of which a draw takes less than
100 us of processor time, as the runner counts it: ten seeds of the largest budget are then 5 s.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.peer_cases import Given
from benchmarks.peer_tests import PEERS
from bugs.draws import asked, draws, is_installed
from bugs.fresh import count
from bugs.results import latest, store
from bugs.rows import Defect, named

__all__ = ["NAMES", "least_budget"]

NAMES: Final = ("statdp", "sniper")
BUDGETS: Final = (100, 200, 500, 1000, 2000, 5000)
SEEDS: Final = 10
ENOUGH: Final = 9
MICROSECONDS: Final = 100.0
TIMED: Final = 200
"""Nine of ten seeds as in `benchmarks.peer_sweep`; budgets in steps of about two, up to what ten
seeds of a row of 100 us take in 5 s."""

Pool = dict[str, NDArray[Any]]


def microseconds(row: Defect, seed: int) -> float:
    """Processor time of a draw, by the runner's own count, the less of two."""
    return min(
        1e6 * asked(row.id, seed=seed + n, m=TIMED, side="left")["seconds"] / TIMED
        for n in range(2)
    )


def pool(row: Defect, seed: int) -> Pool:
    """Draw as many as the largest budget needs."""
    half = BUDGETS[-1] // 2
    return {
        side: np.array(draws(row.id, seed=2 * seed + n, m=half, side=side))
        for n, side in enumerate(("left", "right"))
    }


def given(row: Defect, drawn: Pool, likelier: str) -> Given:
    """Say what a test is told."""
    other = "right" if likelier == "left" else "left"
    assert row.claim.epsilon is not None
    return Given(
        lambda side, size, _: drawn[side][:size], likelier, other, float(row.claim.epsilon)
    )


def least_budget(row: Defect, likelier: str, pools: list[Pool], name: str) -> int | None:
    """Return the least budget that is enough for one tuning and reading, None if none is."""
    for budget in BUDGETS:
        shown: dict[str, int] = {}
        for seed, drawn in enumerate(pools):
            for tuning in PEERS[name].tunings:
                found = PEERS[name].certify(
                    given(row, drawn, likelier), tuning, budget, np.random.default_rng([seed, 7])
                )
                for reading, certified in found.items():
                    key = f"{tuning}, {reading}"
                    shown[key] = shown.get(key, 0) + bool(certified)
        if max(shown.values()) >= ENOUGH:
            return budget
    return None


def measure(row: Defect, seed: int) -> dict[str, Any]:
    """Measure both tests on a row, or say why they were not run."""
    if row.kind == "total" or row.claim.rho is not None or float(row.claim.delta):
        return {"id": row.id, "left_out": "no pure claim about a release"}
    if (cost := microseconds(row, seed)) >= MICROSECONDS:
        return {"id": row.id, "left_out": f"a draw takes {cost:.0f} us"}
    try:
        pools = [pool(row, seed + 1 + n) for n in range(SEEDS)]
    except ValueError:  # numpy: outputs of several lengths
        return {"id": row.id, "left_out": "the outputs have several lengths"}
    if any(drawn[side].dtype.kind not in "bif" for drawn in pools for side in drawn):
        return {"id": row.id, "left_out": "the outputs are no numbers"}
    if any(not np.isfinite(drawn[side].astype(float)).all() for drawn in pools for side in drawn):
        return {"id": row.id, "left_out": "the outputs are no finite numbers"}
    pools = [{side: drawn[side] * 1 for side in drawn} for drawn in pools]
    rates = {n: count(row, n, seed=seed) for n in ("left", "right")}
    likelier = max(rates, key=lambda n: rates[n][0] / rates[n][1])
    return {
        "id": row.id,
        "microseconds": round(cost, 1),
        **{name: least_budget(row, likelier, pools, name) for name in NAMES},
    }


def main() -> int:
    """Run what has no result yet, or the rows that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    done = latest("peers", "id")
    for row in named(parser, words.ids):
        if not words.ids and (row.id,) in done:
            continue
        if is_installed(row.id):
            line = measure(row, words.seed)
            store("peers", line, seed=words.seed)
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
