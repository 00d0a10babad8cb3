"""Verification without an auditor: the fixed event of a target, counted on fresh draws.

`python -m bugs.fresh [ID ...]` draws as often on either side, counts, and stores the largest
epsilon that the counts exclude: two Clopper-Pearson limits, each at 97.5 %, so that the pair holds
at 95 %; of a claim with delta, the delta is given away first. A row enters the board only where
this exceeds the claim, or where it is a total that is enclosed by theorems. A row that is counted
again has another seed, so that no draw is looked at twice; of one whose first count did not exclude
the claim less than 95 % is known, and the page names it.

Where the fixed event is not in a claim's language (rho), epsilon stands for itself, and the claim
is excluded where the binary Renyi divergence of the two limits is above alpha rho for one alpha.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from scipy.stats import beta

from bugs import run
from bugs.draws import NoDraws, draws, is_installed
from bugs.results import latest, store
from bugs.rows import Claim, Defect, named

__all__ = ["epsilon_above", "excludes", "limits"]

ALPHA: Final = 0.025
BLOCK: Final = 25
MOST: Final = 20_000
SECONDS: Final = 10.0
"""Draws of a call and of a side, and the time for both sides: what a row of the slowest library
(3 s a draw) and of the fastest can both use; only the width of the interval depends on it."""


def limits(hits: int, of: int) -> tuple[float, float]:
    """Clopper-Pearson limits of a probability, each at 97.5 %."""
    low = 0.0 if hits == 0 else float(beta.ppf(ALPHA, hits, of - hits + 1))
    high = 1.0 if hits == of else float(beta.ppf(1 - ALPHA, hits + 1, of - hits))
    return low, high


def epsilon_above(likelier: tuple[int, int], other: tuple[int, int], delta: float = 0.0) -> float:
    """Largest epsilon that (hits, draws) of either side exclude at this delta."""
    low, high = limits(*likelier)[0] - delta, limits(*other)[1]
    return math.log(low / high) if low > 0 else -math.inf


def excludes(claim: Claim, likelier: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether the counts exclude the claim."""
    if claim.epsilon is not None:
        return epsilon_above(likelier, other, float(claim.delta)) > float(claim.epsilon)
    p, q = limits(*likelier)[0], limits(*other)[1]
    if p <= q:
        return False
    assert claim.rho is not None
    rho = float(claim.rho)
    return any(_renyi(p, q, a) > a * rho for a in (1.0001, 1.1, 1.5, 2.0, 3.0, 5.0, 10.0))


def _renyi(p: float, q: float, a: float) -> float:
    """Divergence of order a of two coins; smaller for a smaller p above q and a larger q."""
    first = math.exp(a * math.log(p) + (1 - a) * math.log(q))
    rest = 0.0 if p == 1 else math.exp(a * math.log1p(-p) + (1 - a) * math.log1p(-q))
    return math.log(first + rest) / (a - 1)


def events(row: Defect) -> Callable[[Any], bool]:
    """Read the fixed event off the target's source, without its imports.

    The event is arithmetic on an output, so that it can be had where the library is not.
    """
    source = row.target.read_text(encoding="utf-8")
    names: dict[str, Any] = {"math": math}
    if row.id == "pure_ldp_rappor":
        start = source.index("HASHES"), source.index("CLIENT")
        exec(compile(source[slice(*start)], row.target.name, "exec"), names)
    exec(compile(source[source.index("def event") :], row.target.name, "exec"), names)
    event: Callable[[Any], bool] = names["event"]
    return event


def count(
    row: Defect, side: str, *, seed: int, most: int | None = None, twin: bool = False
) -> tuple[int, int]:
    """Count the event among `most` draws of one side, or among those that the time allows."""
    event, hits, of, started = events(row), 0, 0, time.monotonic()
    while of < (most or MOST) and (
        most or of < 2 * BLOCK or time.monotonic() - started < SECONDS / 2
    ):
        found = draws(row.id, seed=seed + of, m=BLOCK, side=side, twin=twin)
        hits, of = hits + sum(bool(event(output)) for output in found), of + len(found)
    return hits, of


def verify(row: Defect, seed: int, most: int | None = None) -> dict[str, Any]:
    """Count on both sides, and of a total ask for its number."""
    if row.kind == "total":
        return {"id": row.id, "stated": draws(row.id, seed=seed, m=1, side="left")[0]}
    left, right = (
        count(row, side, seed=seed + n, most=most) for n, side in ((0, "left"), (10**6, "right"))
    )
    first, second = sorted((left, right), key=lambda pair: pair[0] / pair[1], reverse=True)
    return {
        "id": row.id,
        "left": left,
        "right": right,
        "epsilon_above": epsilon_above(first, second, float(row.claim.delta)),
        "excluded": excludes(row.claim, first, second),
    }


def main() -> int:
    """Verify rows that have no result yet, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--draws", type=int, help="of each side; else what 10 s allow")
    words = parser.parse_args()
    done = latest("fresh", "id")
    for row in named(parser, words.ids):
        if not words.ids and (row.id,) in done:
            continue
        if not is_installed(row.id):
            print(f"{row.id}: environment {row.environment} is not made")
            continue
        seed = 1 + int(done.get((row.id,), {"seed": 0})["seed"])
        try:
            line = verify(row, seed, words.draws)
        except NoDraws as error:
            print(f"{row.id}: {error}", flush=True)
            continue
        store("fresh", line, seed=seed)
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    assert run.HERE.name == "bugs"
    sys.exit(main())
