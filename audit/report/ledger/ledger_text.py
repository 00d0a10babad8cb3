"""What `touchstone prove` found, as text: one line a claim, or all about one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from audit.report.document_lines import row
from proofs_check.claim import Check, Claim, Status
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.evidence import Level, level_of
from proofs_check.prove import conditions, evidence, rests_on
from proofs_check.registry import PAPERS, find
from proofs_check.statements.decision import statement_of
from proofs_check.statements.notation import formula_text
from proofs_check.steps import ByCheck, stands_on

__all__ = [
    "aligned",
    "chain_rows",
    "claim_text",
    "counts_rows",
    "levels_rows",
    "line",
    "methods_of",
    "plain",
    "status_words",
    "step_words",
    "summary",
]

BALL = re.compile(r"Ball\(\[?([^ \])]+)(?: \+/- ([^\])]+))?\]?\)")
FOUND = {True: "holds", False: "FAILS", None: "NOT DECIDED"}


def line(result: ClaimResult, width: int, results: Mapping[str, ClaimResult]) -> str:
    """One claim in one line; ids are padded to `width`."""
    claim = find(result.id)
    differs = "" if result.as_registered else f"  EXPECTED {result.expected.value}"
    methods = ", ".join(methods_of(result)) or "nothing to run"
    unsure = conditions(result.id, results)
    given = f"  conditional on {', '.join(unsure)}" if unsure else ""
    found = evidence(result.id, results)
    return (
        f"{result.id:<{width}}  {result.status.value:<10} {found.level.value if found else '':<10} "
        f"{result.seconds:6.2f} s  "
        f"{claim.source:<34.34}  {methods}{given}{differs}"
    ).rstrip()


def status_words(result: ClaimResult, results: Mapping[str, ClaimResult]) -> str:
    """The status, whether it is that of a part of the print, and how it is known."""
    part = " on part of the printed domain" if find(result.id).printed_domain else ""
    found = evidence(result.id, results)
    return f"{result.status.value}{part}{f', {found.words()}' if found else ''}"


def step_words(claim: Claim) -> Iterator[tuple[str, str]]:
    """Steps of a claim's argument: what each says, and on what it stands."""
    says = {check.name: check.says for check in claim.checks}
    numbers = {check.name: k for k, check in enumerate(claim.checks, 1)}
    for step in claim.steps:
        kind, on = stands_on(step)
        if isinstance(step, ByCheck):
            yield step.says or says[on], f"check {numbers[on]}"
        else:
            yield step.says, on if kind in ("claim", "definition") else f"{kind} {on}".strip()


def plain(detail: str) -> str:
    """A detail for readers: enclosures as middle and radius."""
    return BALL.sub(lambda ball: f"{ball[1]} ± {ball[2]}" if ball[2] else ball[1], detail)


def methods_of(result: ClaimResult) -> list[str]:
    """Methods of a claim's checks, each once."""
    return list(dict.fromkeys(check.method.value for check in result.checks))


def claim_text(
    result: ClaimResult, results: Mapping[str, ClaimResult], versions: Mapping[str, str]
) -> str:
    """All about one claim: what it says, how it was decided, and on what it rests."""
    claim = find(result.id)
    origin = "own result" if claim.ours else PAPERS[claim.paper]
    lines = [f"{status_words(result, results)}: {claim.id}, {claim.source} ({origin})"]
    if not result.as_registered:
        lines.append(f"registered as {result.expected.value}: the checks do not show that")
    lines += ["", *row("states" if not _is_print(claim) else "print", claim.says)]
    lines += row("formula", claim.latex)
    for label, words in (
        ("domain", claim.domain),
        ("printed for", claim.printed_domain),
        ("remark" if claim.status is Status.REMARK else "wrong", claim.why),
        ("right", claim.right),
        ("proved as", claim.corrected_by),
        ("errata", ", ".join(claim.errata)),
        *((f"step {k}", f"[{on}] {says}") for k, (says, on) in enumerate(step_words(claim), 1)),
        ("note", claim.note),
        ("assumes", ", ".join(claim.assumes)),
        ("conditional", ", ".join(conditions(result.id, results))),
    ):
        if words:
            lines += row(label, words)
    for stated, check in zip(claim.checks, result.checks, strict=True):
        lines += ["", *_check_rows(check, stated)]
    libraries = ", ".join(f"{name} {version}" for name, version in versions.items())
    lines += ["", *row("run", f"{result.seconds:.2f} s; {libraries}")]
    return "\n".join(lines) + "\n"


def chain_rows(identifier: str, results: Mapping[str, ClaimResult]) -> Iterator[str]:
    """The claims that a claim rests on, as a tree; a claim shown above is not opened again."""
    shown: set[str] = set()

    def rows(name: str, depth: int) -> Iterator[str]:
        claim, known = find(name), results.get(name)
        status = known.status if known is not None else claim.status
        again = name in shown and rests_on(claim)
        level = level_of(claim)
        own = f", {level.value}" if level is not None else ""
        yield (
            f"{'  ' * depth}{name}  {status.value}{own}  {claim.source}"
            f"{' (see above)' if again else ''}"
        )
        if name not in shown:
            shown.add(name)
            for other in rests_on(claim):
                yield from rows(other, depth + 1)

    yield from rows(identifier, 0)
    unsure = conditions(identifier, results)
    if unsure:
        yield f"conditional on {', '.join(unsure)}"


def counts_rows(results: Sequence[ClaimResult]) -> list[list[str]]:
    """Counts by paper and status, a head and a last row with the totals."""
    present = [status for status in Status if any(r.status is status for r in results)]
    rows = [["", *(status.value for status in present), "all"]]
    for paper in PAPERS:
        own = [r for r in results if find(r.id).paper == paper]
        if own:
            counts = Counter(r.status for r in own)
            rows.append([paper, *(str(counts[s] or "") for s in present), str(len(own))])
    totals = Counter(r.status for r in results)
    rows.append(["all", *(str(totals[s]) for s in present), str(len(results))])
    return rows


def levels_rows(
    results: Sequence[ClaimResult], every: Mapping[str, ClaimResult]
) -> list[list[str]]:
    """Counts by status and level of evidence, of what is decided."""
    counts = Counter(
        (result.status, found.level)
        for result in results
        if (found := evidence(result.id, every)) is not None
    )
    levels = [level for level in Level if any(found is level for _, found in counts)]
    rows = [["", *(level.value for level in levels), "all"]]
    for status in Status:
        row_of = [counts[status, level] for level in levels]
        if any(row_of):
            rows.append([status.value, *(str(n or "") for n in row_of), str(sum(row_of))])
    totals = [sum(n for (_, found), n in counts.items() if found is level) for level in levels]
    rows.append(["all", *map(str, totals), str(sum(totals))])
    return rows


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as columns: the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            f"{cell:<{width}}" if k == 0 else f"{cell:>{width}}"
            for k, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        for cells in rows
    )
    return "\n".join(lines) + "\n"


def summary(results: Sequence[ClaimResult], seconds: float) -> str:
    """Last line of a run."""
    wrong = [r.id for r in results if not r.as_registered]
    counts = Counter(r.status.value for r in results)
    by_status = ", ".join(f"{counts[s.value]} {s.value}" for s in Status if counts[s.value])
    noun = "claim" if len(results) == 1 else "claims"
    told = f"differs from the registry: {', '.join(wrong)}" if wrong else "all as registered"
    return f"{len(results)} {noun} ({by_status}) in {seconds:.1f} s; {told}\n"


def _check_rows(check: CheckResult, stated: Check) -> Iterator[str]:
    yield from row("check", f"{check.says} [{check.method.value}]")
    made = statement_of(stated)
    if made is not None:
        conclusion, domain = formula_text(made.quantified.conclusion), made.domain_words()
        yield from row("decides", f"{conclusion} (for {domain})")
    found = FOUND[check.holds]
    if check.refutes and check.holds:
        found = "the print fails"
    yield from row("found", f"{found}: {plain(check.detail)}" if check.detail else found)
    for words, holds in check.mutants.items():
        verdict = "refuted" if holds is False else "NOT REFUTED"
        yield from row("mutant", f"{words}: {verdict}")


def _is_print(claim: Claim) -> bool:
    return claim.status is Status.REFUTED
