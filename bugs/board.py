"""The page of the board, from the rows and the stored results: `python -m bugs.board`."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bugs.results import every, latest
from bugs.rows import DEFECTS, Defect, defects

__all__ = ["PAGE", "page"]

PAGE: Final = Path(__file__).parents[1] / "docs" / "reference" / "board.md"
HEAD: Final = """\
# Board of defects of released libraries

Promises of released libraries that do not hold as they are stated, each with the pair of data sets
on which it fails, so that auditors can be compared on what users really meet. Everything needed
stands in the folder [`bugs`](../../bugs/README.md): a row of data, a target of about ten lines, a
runner that speaks JSON and needs no auditor of ours, and pinned environments.

A row is here only if it was seen on fresh draws of the pinned release (a fixed event, counted on
both sides, excludes the claim at 95 %; less is known where an earlier count did not, which the row
says), or if the claim is a number that theorems enclose. Where a library states no relation, no
bound or no range, the row's note says which one was taken: such a row is no broken promise. It says
nothing about other calls or releases of a library. "Not reported" means that we found no public
thread, and that we have not told the authors (else it says "sent", and when); it is no reproach,
and as long as a row says so, [no release is published](../../SECURITY.md). Many rows are about the
last bits of a double, which the same libraries document; some are calls that their authors marked
as experimental. All of these libraries are published with their sources, which is why they can be
looked at so closely, and most of the reports are by their own users.

**Ours** is `audit.audit` with default settings and a limit of 60 s, with the pair (*pair*) or with
bounds and relation only (*no pair*); *twin* is the repaired release, of which a REFUTED would be a
false alarm. Draws are those of both data sets to the verdict, and of the witness; where these
alone do not confirm it, the verdict rests on the whole run. Seconds are wall time on a busy
machine, runner included; a verdict does not depend on them, except that time may end an audit as
INCONCLUSIVE. "Cut by time" beside REFUTED: the claim was refuted before, and the 60 s ended the
search for a smaller witness, or its draws. A *true loss* of "at least" is what can be derived of
the call; fresh draws may exclude more. Totals are decided by `audit.account`, without a draw; their
numbers are cut, not rounded.

**StatDP** and **DP-Sniper** are re-implementations from the publications
(`benchmarks/peer_tests.py`), not the authors' programs. They are told pair and direction, and the
best of all their tunings counts: the least budget with which 9 of 10 seeds show a loss above the
claim at level .05 (ours: .001). Budgets up to 5000 were tried; ours has no such limit, so that
"not with 5000" beside a larger number of ours is no comparison. They are run on pure claims about
numbers of which a draw takes less than 100 us; a dash means that they were not.

This page is written by `python -m bugs.board` from `bugs/results`; how the columns are made again
stands in `bugs/README.md`.
"""
TITLES: Final = {
    "opendp": "OpenDP",
    "diffprivlib": "diffprivlib",
    "local": "Libraries of local differential privacy",
    "others": "Other libraries",
    "totals": "Totals of many releases",
}
COLUMNS: Final = (
    "row",
    "release, call",
    "claim",
    "relation: neighbors differ in",
    "true loss",
    "fresh draws exclude",
    "ours, pair",
    "ours, no pair",
    "ours, twin",
    "StatDP",
    "DP-Sniper",
    "report",
)
TOTALS: Final = ("row", "release, call", "relation", "said", "truth", "ours", "report")
NOT_RUN: Final = "not run"

Lines = Mapping[tuple[Any, ...], Mapping[str, Any]]


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(columns) + " |"
    yield "|" + "---|" * len(columns)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _report(row: Defect) -> str:
    report = row.report
    if not row.is_public:
        return report if row.told is None else f"sent {row.told}"
    parts = report.rstrip("/").split("/")
    return f"[{'#' if parts[-2] in ('issues', 'pull') else 'arXiv '}{parts[-1]}]({report})"


def _release(row: Defect) -> str:
    return f"{row.library} {row.version}: `{row.call}`"


def _loss(row: Defect) -> str:
    return f"at least {row.loss}" if row.loss_is != "exact" and row.loss[0].isdigit() else row.loss


def _fresh(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return NOT_RUN
    (left, m), (right, n) = line["left"], line["right"]
    above = line["epsilon_above"]
    shown = f"epsilon {math.floor(100 * above) / 100:g}" if math.isfinite(above) else "the claim"
    beside = "; an earlier count did not" if line["missed"] else ""
    return f"{shown} ({left} of {m}, {right} of {n}){beside}" if line["excluded"] else "nothing"


def _counts() -> Lines:
    """Counts on fresh draws, the latest of each row, and whether one did not exclude the claim."""
    missed = {line["id"] for line in every("fresh") if not line.get("excluded", True)}
    found = latest("fresh", "id")
    return {key: {**line, "missed": line["id"] in missed} for key, line in found.items()}


def _ours(line: Mapping[str, Any] | None) -> str:
    if line is None:
        return NOT_RUN
    witness = f" + {line['witness_draws']}" if line["witness_draws"] else ""
    more = ", cut by time" if line["stopped_by_time"] else ""
    if line["confirmed"] is False and line["witness_draws"]:
        more += ", witness not confirmed"
    return f"{line['verdict']}, {line['draws']}{witness}, {line['seconds']:.0f} s{more}"


def _peer(line: Mapping[str, Any] | None, name: str) -> str:
    if line is None or name not in line:
        return "-"
    return "not with 5000" if line[name] is None else str(line[name])


def _released(row: Defect, fresh: Lines, ours: Lines, peers: Lines) -> tuple[str, ...]:
    told = {way: ours.get((row.id, way)) for way in ("pair", "no pair", "twin")}
    peer = peers.get((row.id,))
    return (
        f"`{row.id}`",
        _release(row),
        str(row.claim),
        f"{row.relation}: {row.unit}",
        _loss(row),
        _fresh(fresh.get((row.id,))),
        _ours(told["pair"]),
        _ours(told["no pair"]) if row.search else "-",
        f"{row.twin.what}: {_ours(told['twin'])}" if row.twin else "-",
        _peer(peer, "statdp"),
        _peer(peer, "sniper"),
        _report(row),
    )


def _total(row: Defect, ours: Lines) -> tuple[str, ...]:
    line = ours.get((row.id, "total"))
    told = NOT_RUN if line is None else f"{line['verdict']}, {line['seconds']:.0f} s"
    return (
        f"`{row.id}`",
        _release(row),
        f"{row.relation}: {row.unit}",
        str(row.claim),
        row.loss,
        told,
        _report(row),
    )


def _notes(rows: list[Defect]) -> Iterator[str]:
    for row in rows:
        same = f" Same cause as `{row.same_cause}`." if row.same_cause else ""
        yield f"* `{row.id}`: {row.note}{same}"


def _summary(rows: list[Defect], ours: Lines) -> Iterator[str]:
    ways = [line for (name, _), line in ours.items() if name in {row.id for row in rows}]
    verdicts = Counter((line["way"], line["verdict"]) for line in ways)
    causes = len({row.same_cause or row.id for row in rows})
    libraries = len({row.library for row in rows})
    yield f"{len(rows)} rows of {libraries} libraries, with {causes} different causes."
    untold = sum(not row.is_public and row.told is None for row in rows)
    yield f"Of {untold} rows we have not told the authors yet."
    for way in ("pair", "no pair", "twin", "total"):
        told = [f"{n} {verdict}" for (of, verdict), n in sorted(verdicts.items()) if of == way]
        if told:
            yield f"Ours, {way}: {', '.join(told)}."
    dates = sorted({f"{line['date']} at {line['commit']}, seed {line['seed']}" for line in ways})
    yield f"Measured {'; '.join(dates)}."


def page() -> str:
    """Write the page."""
    rows = list(defects().values())
    fresh, ours, peers = _counts(), latest("ours", "id", "way"), latest("peers", "id")
    lines = [HEAD, *_summary(rows, ours), ""]
    for file in sorted(DEFECTS.glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        here = [row for row in rows if f'id = "{row.id}"' in text]
        lines += [f"## {TITLES[file.stem]}", ""]
        if file.stem == "totals":
            lines += _table(TOTALS, [_total(row, ours) for row in here])
        else:
            lines += _table(COLUMNS, [_released(row, fresh, ours, peers) for row in here])
        lines += ["", *_notes(here), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def main() -> int:
    """Write it to its file."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
