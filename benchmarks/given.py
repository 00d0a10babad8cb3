"""Where the draws of a row of `power` are lost: beside the row, what is left where more is given.

* oracle: knows both laws (`limits`);
* event given: the engine on one bit, whether the output lies in the event whose two probabilities
  tell the most against the claim; what it does not know are these probabilities;
* loss given: the engine on one number, the log ratio of the two laws at the output; it has to find
  the event, but on the only axis that matters;
* pair given (row 19 alone): the engine on the pair that breaks the claim;
* as it is: the row.

From the oracle to "event given" goes what betting without the probabilities costs, from there to
"loss given" the choice of a cut, from there to "as it is" the search for that axis. The rows are
those of `power` whose "must" was missed or open when they were last run; 100 seeds each.

Run: python -m benchmarks.given [--rows 2,29] [--reps 100] [--seed 0] [--output FILE] [--minutes M]
[--jobs 2]
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.pairs.worst_cases import Pair
from benchmarks.journal import Journal, digest
from benchmarks.limits import LAWS, project_laws, read_limits
from benchmarks.power import audit_row, rows_of
from benchmarks.power_rows import ROWS, Row
from benchmarks.quantiles import Quantile

__all__ = ["GIVEN", "best_event", "row_of"]

Array = NDArray[np.float64]
Masses = tuple[Array, Array]

MISSED = "1-3,5,6,9-12,14,16b,19,28-31"
GIVEN = ("event", "loss", "pair", "nothing")
THRESHOLDS = 64
"""Of the log ratio, at equal shares of the outputs: so many events are compared."""
LEAST = 1e-9
"""K that rounding may give where there is none."""
GUILTY = 7
"""The pair of row 19 that breaks the claim."""
BLOCK = 20


def log_ratio(p: Array, q: Array) -> Array:
    """Log ratio of two laws by cell; a cell that one of them lacks has an infinite one."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - np.log(q))


def best_event(row: str, p: Array, q: Array) -> NDArray[np.bool_] | None:
    """Cells of the event, above or below a log ratio, whose two masses tell the most.

    What they tell is K of `limits` for laws of two outputs; None where no bit breaks the claim.
    """
    ratio = log_ratio(p, q)
    levels = np.unique(np.quantile(ratio, np.linspace(0, 1, THRESHOLDS + 1), method="higher"))
    events = [ratio >= level for level in levels[1:]]
    with np.errstate(all="ignore"):  # of a pair that breaks nothing the bets are all of the wealth
        rates = [project_laws(row, *masses(event, p, q)).rate for event in events]
    best = int(np.argmax(rates))
    return events[best] if rates[best] > LEAST else None


def masses(event: NDArray[np.bool_], p: Array, q: Array) -> Masses:
    """Laws of the bit "the output lies in the event"."""
    inside = p[event].sum(), q[event].sum()
    one, other = (np.array([mass, 1 - mass]) for mass in inside)
    return one, other


def row_of(row: Row, given: str) -> Row | None:
    """The row with more given; None where that is nothing else."""
    if given == "nothing":
        return row
    if given == "pair":
        return replace(row, pairs=[row.pairs[GUILTY]]) if len(row.pairs) > 1 else None
    p, q = LAWS[row.number]()
    values: NDArray[Any] = log_ratio(p, q)
    if given == "event":
        event = best_event(row.number, p, q)
        if event is None:
            return None
        (p, q), values = masses(event, p, q), np.array([1, 0])

    def draw(data: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        law = p if data == 0 else q
        return np.asarray(values[rng.choice(law.size, size, p=law / law.sum())])

    return replace(row, draw=draw, pairs=[Pair("0 and 1", 0.0, 1.0)], vector=False)


@final
@dataclass(frozen=True, slots=True)
class Block:
    """Some seeds of a row with something given."""

    row: str
    given: str
    first: int
    runs: int

    def run(self) -> dict[str, Any]:
        """Audit with every seed: a line of the output file."""
        row = row_of(ROWS[self.row], self.given)
        assert row is not None
        draws = [audit_row(row, self.first + i).draws for i in range(self.runs)]
        return {
            "row": self.row,
            "given": self.given,
            "first": self.first,
            "draws": [None if math.isinf(one) else one for one in draws],
        }


def measured(journal: Journal, row: Row, given: str, seeds: range, processes: int) -> str:
    """The quantile of these seeds, made where they are not in the journal; "-" where none is."""
    if row_of(row, given) is None:
        return "-"
    firsts = {line["first"] for line in journal.of(row=row.number, given=given)}
    wanted = [first for first in seeds[::BLOCK] if first not in firsts]
    blocks = [
        Block(row.number, given, first, min(BLOCK, seeds[-1] + 1 - first)) for first in wanted
    ]
    journal.do(blocks, processes=processes)
    draws = [
        math.inf if one is None else one
        for line in journal.of(row=row.number, given=given)
        if line["first"] in seeds
        for one in line["draws"]
    ]
    return str(Quantile.of(draws)) if draws else "-"


def main() -> None:
    """Print the table, each row as it finishes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default=MISSED)
    parser.add_argument("--reps", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="JSON lines, appended to")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no more after")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    limits = read_limits()
    journal = Journal(options.output, digest(__file__), time.monotonic() + 60 * options.minutes)
    seeds = range(options.seed, options.seed + options.reps)
    names = ("event given", "loss given", "pair given", "as it is")
    print(f"| row | mechanism / claim | must | oracle q90 | {' | '.join(names)} |")
    print("|" + "---|" * 8, flush=True)
    for number in rows_of(options.rows):
        row = ROWS[number]
        cells = [measured(journal, row, given, seeds, options.jobs) for given in GIVEN]
        oracle = f"{limits[number].oracle}" if number in limits else "-"
        print(f"| {' | '.join([number, row.name, str(row.must), oracle, *cells])} |", flush=True)


if __name__ == "__main__":
    main()
