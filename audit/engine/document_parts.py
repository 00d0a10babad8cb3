"""What a document of an audit says beside its verdict: the screened pairs, and the control flow."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from audit.results.document import DocumentTable, Part, Row
from audit.results.number_words import number, plural
from audit.results.plot_parts import Curves, Mark
from audit.results.sampled_result import AuditResult
from audit.results.screened_pairs import ScoredPairs, ScreenedPair, Screening

__all__ = ["flow_rows", "screened_parts"]

UNIT = "score, in units of the claim"
"""1 is what the claim allows; a score orders pairs, and says nothing else."""

SIZE = "records of the larger data set"

LEFT, TICKS = -0.3, (0, 1, 3, 10, 30, 100, 300, 1_000, 3_000)
"""Left end of the picture, and sizes that are written below it; sizes grow by factors."""

TOP = 5.0
"""Highest score that is drawn: scores above are alike (`audit.screening.coupled_score.SURE`)."""


def flow_rows(result: AuditResult) -> list[Row]:
    """What a target asked its generator for, where it differs between two data sets."""
    flow = result.control_flow
    if flow is None or flow.difference is None:
        return []
    found = flow.difference
    of = f"{flow.differing:,} of {plural(flow.pairs * flow.runs, 'run')} from equal states"
    words = (
        f"{found.text} (in {of}; {found.words[0]:,} and {found.words[1]:,} random words): the "
        "control flow depends on the data, which by itself is no violation"
    )
    beside = [] if result.witness is not None else [Row("on", found.pair, 1)]
    return [Row("flow", words), *beside]


def screened_parts(told: Screening | None) -> Iterator[Part]:
    """All pairs that screening looked at, by size and score, the chosen ones marked."""
    if told is None or not told.scored:
        return
    words = (
        f"{plural(sum(one.pairs for one in told.scored), 'pair')} by the size of their data sets "
        f"and their score; {len(told.chosen)} chosen for the bets"
    )
    yield Curves(
        "screened",
        "Screened pairs",
        (SIZE, UNIT),
        LEFT,
        _right(told),
        min(TOP, max(1.1, *(one.score for one in told.scored))),
        tuple(_marks(told)),
        words,
        ticks=tuple((_place(size), str(size)) for size in TICKS if _place(size) <= _right(told)),
        caption=f"{words}. A score of 1 is what the claim allows; it orders pairs, no more.",
    )
    yield _table(told)
    if told.chosen:
        yield _chosen(told.chosen)


def _marks(told: Screening) -> Iterator[Mark]:
    """From back to front: all pairs, what is beyond the plot, and the chosen ones."""
    inside = [one for one in told.scored if one.score <= TOP]
    beyond = sorted({(_place(one.size), TOP) for one in told.scored if one.score > TOP})
    yield Mark(
        "dots",
        tuple((_place(one.size), one.score) for one in inside),
        "samples",
        tuple(f"{plural(one.pairs, 'pair')} of score {number(one.score)}" for one in inside),
    )
    if beyond:
        yield Mark("beyond", tuple(beyond), "samples", (f"above {number(TOP)}",))
    yield Mark("line", ((LEFT, 1.0), (_right(told), 1.0)), "claimed")
    yield Mark(
        "dots",
        tuple((_place(one.size), min(one.score, TOP)) for one in told.chosen),
        "broken",
        tuple(f"chosen: {one.pair}, score {number(one.score)}" for one in told.chosen),
    )


def _place(size: int) -> float:
    """Place of a size: most pairs are small, and some have a thousand records."""
    return math.log2(1 + size)


def _right(told: Screening) -> float:
    """The right end of the picture."""
    sizes = [*(one.size for one in told.scored), *(one.size for one in told.chosen)]
    return _place(max(sizes)) + 0.3


def _table(told: Screening) -> DocumentTable:
    """What the picture shows, by size."""
    by_size: dict[int, list[ScoredPairs]] = defaultdict(list)
    for one in told.scored:
        by_size[one.size].append(one)
    rows = []
    for size, each in sorted(by_size.items()):
        above = sum(one.pairs for one in each if one.score > 1)
        chosen = sum(one.size == size for one in told.chosen)
        counts = (sum(one.pairs for one in each), above, chosen)
        rows.append((str(size), number(max(one.score for one in each)), *map(str, counts)))
    head = ("records", "largest score", "pairs", "pairs above 1", "chosen")
    return DocumentTable(
        f"Screened pairs, by {SIZE}; scores in units of the claim",
        head,
        tuple(rows),
        numeric=frozenset(range(1, 5)),
    )


def _chosen(chosen: tuple[ScreenedPair, ...]) -> DocumentTable:
    rows = [
        (
            one.pair,
            str(one.size),
            number(one.score),
            number(one.score_on_new_draws),
            one.why or "nothing",
        )
        for one in chosen
    ]
    return DocumentTable(
        "Chosen for the bets; score and counts in units of the claim",
        ("pair", "records", "score", "counted on fresh draws", "why"),
        tuple(rows),
        numeric=frozenset({1, 2, 3}),
    )
