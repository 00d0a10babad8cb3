"""What is to be found from bounds or a schema alone, row by row, and how often screening found it.

`python -m tests.audit.screening.acceptance FILE.jsonl [--seeds 5] [--only ROW]` runs each case for
each seed, keeps a line for each run that is done, goes on from there, and prints the table of
benchmarks/README.md. No case is given a pair.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, final

import audit
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.audit.screening import accidents, defects, libraries, moving
from tests.audit.screening.kept_runs import keep, kept
from tests.audit.tables import released, sql_releases

__all__ = ["CASES", "NUMBERS", "Case", "Outcome", "audited_plainly", "outcome", "table"]

HERE = Path(__file__).parent
NUMBERS: dict[str, Any] = {"epsilon": 1, "relation": "add-remove", "low": 0, "high": 1}


@final
@dataclass(frozen=True, slots=True)
class Case:
    """A release that is audited from its domain alone."""

    row: str
    """What it is an example of."""
    name: str
    refuted: bool
    """Whether it breaks its claim."""
    run: Callable[[int], AuditResult]


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run has found."""

    row: str
    name: str
    seed: int
    is_right: bool
    """Broken and REFUTED, or sound and not."""
    screened: bool | None
    """Whether the witness's pair, or the one that it was shrunk from, is one that screening chose;
    None where nothing was refuted."""
    verdict: str
    samples: int
    records: int
    """Of the larger data set of the witness."""
    pairs: int
    calls: int
    """Of the screening."""
    seconds: float
    """Wall time on a shared machine."""


def outcome(case: Case, seed: int) -> Outcome:
    """Run a case."""
    started = time.monotonic()
    result = case.run(seed)
    refuted = result.verdict is Verdict.REFUTED
    witness, told = result.witness, result.screening
    screened, records = None, 0
    if refuted and witness is not None:
        found = witness.shrunk_from or witness.pair
        screened = told is not None and found in [one.pair for one in told.chosen]
        records = max(len(witness.data), len(witness.neighbor))
    return Outcome(
        case.row,
        case.name,
        seed,
        refuted == case.refuted,
        screened,
        result.verdict.value,
        result.samples,
        records,
        0 if told is None else told.pairs,
        0 if told is None else told.calls,
        round(time.monotonic() - started, 1),
    )


def _audited(release: Any, **words: Any) -> Callable[[int], AuditResult]:
    def run(seed: int) -> AuditResult:
        return audit.audit(release, seed=seed, **words)

    return run


def audited_plainly(row: defects.Row, **words: Any) -> Callable[[int], AuditResult]:
    """Audit a release of numbers from its bounds alone, by a seed."""
    release = f"{HERE / 'defects.py'}:{row.name}"
    own = {**NUMBERS, "relation": row.relation, "low": row.low, "high": row.high, "ideal": True}
    return _audited(release, **own, **words)


def _cases() -> Iterator[Case]:
    for row in defects.BROKEN:
        yield Case("numbers, broken", row.name, True, audited_plainly(row))
    for row in defects.SOUND:
        yield Case("numbers, sound", row.name, False, audited_plainly(row, budget_samples=20_000))
    for name, relation in (("median", "add-remove"), ("mean", "swap"), ("histogram", "swap")):
        release = f"{Path(libraries.__file__)}:{name}"
        run = _audited(release, **{**NUMBERS, "relation": relation})
        yield Case("diffprivlib 0.6.6", name, True, run)
    for release in sql_releases.BROKEN:
        yield Case("SQL, broken", release.__name__, True, _of_people(release))
    for release in sql_releases.SOUND:
        run = _of_people(release, budget_samples=20_000)
        yield Case("SQL, sound", release.__name__, False, run)
    yield from _of_releases()
    for release in accidents.ONE_SIDED:
        words = {**NUMBERS, "ideal": True, "timeout": 1.0}
        yield Case("accident on one record", release.__name__, True, _audited(release, **words))
    for name in ("counted", "walking", "swinging"):
        words = {**NUMBERS, "ideal": True, "budget_samples": 30_000}
        release = f"{Path(moving.__file__)}:{name}"
        yield Case("law that moves", name, False, _audited(release, **words))


def _of_people(release: Any, **words: Any) -> Callable[[int], AuditResult]:
    people = {"schema": sql_releases.PEOPLE, "ideal": True, "epsilon": 1}
    return _audited(release, **people, **words)


def _of_releases() -> Iterator[Case]:
    """Releases of other libraries, and slow ones."""
    local = {"domain": "declared", "relation": "swap"}
    filters = released.categories(list(range(1, 9)))
    words = {**local, "epsilon": released.CLAIM_OF_FILTER, "schema": filters}
    yield Case("pure-ldp 1.2.0", "rappor", True, _audited(released.rappor, **words))
    words = {**local, "epsilon": 1, "schema": released.categories([0, 1], [0, 1])}
    yield Case("multi-freq-ldpy 0.2.5", "fake_data", True, _audited(released.fake_data, **words))
    run = _audited(released.private_count, **NUMBERS)
    yield Case("diffpriv-pure 0.1.0", "private_count", True, run)
    words = {**NUMBERS, "budget_seconds": 50}
    run = _audited(released.slow_failing, **words)
    yield Case("40 ms a draw", "slow_failing", True, run)
    words = {"epsilon": 1, "relation": "swap", "schema": released.LINES, "budget_seconds": 120}
    yield Case("260 ms a draw", "slope", True, _audited(released.slope, **words))


CASES = tuple(_cases())


def table(found: list[Outcome]) -> str:
    """What the runs of each row have found, for benchmarks/README.md."""
    lines = [
        "| what | releases | runs | right | pair by screening | samples, median and most |",
        "|---|---|---|---|---|---|",
    ]
    order = list(dict.fromkeys(case.row for case in CASES))
    by_row = sorted(found, key=lambda one: order.index(one.row))
    for row, group in groupby(by_row, key=lambda one: one.row):
        runs = list(group)
        hits = [one.screened for one in runs if one.screened is not None]
        samples = sorted(one.samples for one in runs)
        cells = (
            row,
            len({one.name for one in runs}),
            len(runs),
            sum(one.is_right for one in runs),
            f"{sum(hits)} of {len(hits)}" if hits else "",
            f"{samples[len(samples) // 2]:,}, {samples[-1]:,}",
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    hits = [one.screened for one in found if one.screened is not None]
    lines.append(f"\nScreening chose the pair of {sum(hits)} of {len(hits)} refutations.")
    return "\n".join(lines)


def main() -> None:
    """Run what is not done yet, seed by seed, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose name holds this")
    asked = parser.parse_args()
    found = kept(asked.file, Outcome)
    done = {(one.row, one.name, one.seed) for one in found}
    for seed in range(1, asked.seeds + 1):
        for case in CASES:
            if asked.only in case.row and (case.row, case.name, seed) not in done:
                found.append(outcome(case, seed))
                keep(asked.file, found[-1])
    print(table(found))


if __name__ == "__main__":
    main()
