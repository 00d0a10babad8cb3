"""Two pages that `touchstone prove --format md` writes: the ledger, and the errata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from audit.report.ledger.ledger_text import (
    counts_rows,
    levels_rows,
    methods_of,
    plain,
    status_words,
    step_words,
)
from proofs_check.claim import Check, Claim, Role, Status, is_prose
from proofs_check.decide import CheckResult, ClaimResult
from proofs_check.kernel.acceptance import stored as acceptance
from proofs_check.prove import conditions
from proofs_check.registry import PAPERS, find
from proofs_check.second_solver.agreement import stored as agreement
from proofs_check.statements.decision import statement_of

__all__ = ["RUN", "check_lines", "errata_page", "ledger_page"]

RUN = "*Checked in "
"""How a line begins that says how long a run took."""

LEDGER_HEAD = """# The ledger

Every numbered statement of the papers, restated independently of the implementations and checked by
machine, with results of our own. `touchstone prove` checks all of it again; this page is what
`touchstone prove --format md` prints.

PROVED: the checks hold. CORRECTED: false as printed, and the checks prove the right form. REFUTED:
false as printed, with a counterexample that the check recomputes. CITED: taken from other work.
ASYMPTOTIC: an O-statement, its explicit form is checked. OPEN: neither. DEFINITION: nothing to
prove, its examples are checked. REMARK: the print is true, or silent; what could be sharper. A
claim that is decided on part of the printed domain says so. Each check also refutes its mutants:
the same statement with one symbol, one sign, or one constant (by at most 1 %) changed.

Beside the status stands how a claim is known: KERNEL (checks decide each part of the statement
whole, and the kernel of Coq accepts each as a theorem), MACHINE (checks decide each part whole),
PIECES (checks decide the pieces, and numbered steps put them together), ENUMERATED (a check
looks at finitely many cases), BY HAND (some step is prose) or CITED (some step is taken from other
work); where it rests on a claim with less, both are named. Checks that only enclose printed numbers
(value) or confirm what is proved otherwise (example) lift nothing.
"""

ERRATA_HEAD = """# Errata

What we found wrong in the papers as printed: each with the reason, the right form, and a
counterexample that `touchstone prove ID` recomputes from nothing but the statement. Most are slips
that leave the results standing; those that break a promise of privacy come with a mechanism under
`mechanisms/as_printed` that the auditors refute. We would be glad to be told where we misread.

This page is what `touchstone prove --errata --format md` prints.
"""


def ledger_page(results: Sequence[ClaimResult], every: Mapping[str, ClaimResult]) -> str:
    """Write the page of all claims, a section for each paper."""
    lines = [LEDGER_HEAD, "## Counts", "", *_table(counts_rows(results)), ""]
    lines += [*_table(levels_rows(results, every)), ""]
    lines += _table(_methods(results))
    lines += [*_objects(results), "", *_other_provers(results), "", _run_line(results)]
    for paper, title in PAPERS.items():
        own = [result for result in results if find(result.id).paper == paper]
        if own:
            lines += ["", f"## {paper}: {title}"]
        for result in own:
            lines += ["", *_claim(result, every)]
    return "\n".join(lines) + "\n"


def errata_page(results: Sequence[ClaimResult], every: Mapping[str, ClaimResult]) -> str:
    """Write the page of all that is false as printed."""
    lines = [ERRATA_HEAD.rstrip()]
    for paper, title in PAPERS.items():
        own = [r for r in results if find(r.id).paper == paper]
        if own:
            lines += ["", f"## {title}"]
        for result in own:
            lines += ["", *_erratum(result, every)]
    return "\n".join(lines) + "\n"


def _claim(result: ClaimResult, every: Mapping[str, ClaimResult]) -> Iterator[str]:
    claim = find(result.id)
    ours = ", our own" if claim.ours and claim.source != "our own" else ""
    yield f"### {claim.id}: {status_words(result, every)}"
    yield ""
    yield f"{claim.source[:1].upper()}{claim.source[1:]}{ours}. {claim.says}"
    yield ""
    yield f"$${claim.latex}$$"
    yield ""
    notes = _notes(claim, every)
    yield from notes
    for number, check in enumerate(result.checks, 1):
        yield from check_lines(check, claim.checks[number - 1], number)
    if notes or result.checks:
        yield ""
    yield f"{RUN}{result.seconds:.2f} s.*"


def _margin(on: str) -> str:
    return "**by hand**" if on == "by hand" else on


def _notes(claim: Claim, every: Mapping[str, ClaimResult]) -> list[str]:
    numbered = enumerate(step_words(claim), 1)
    words_by_label = (
        ("Domain", claim.domain),
        ("Printed for", claim.printed_domain),
        ("Remark" if claim.status is Status.REMARK else "Wrong in print", claim.why),
        ("Right", claim.right),
        ("Proved as", claim.corrected_by),
        ("Errata", ", ".join(claim.errata)),
        *((f"Step {k}", f"{says} ({_margin(on)})") for k, (says, on) in numbered),
        ("Note", claim.note),
        ("Rests on", ", ".join(claim.assumes)),
        ("Conditional on", ", ".join(conditions(claim.id, every))),
    )
    return [f"* {label}: {words}" for label, words in words_by_label if words]


def _erratum(result: ClaimResult, every: Mapping[str, ClaimResult]) -> Iterator[str]:
    claim = find(result.id)
    yield f"### {claim.id}: {claim.source}"
    yield ""
    if claim.status is Status.REFUTED:
        yield f"Printed: {claim.says}"
        yield ""
        yield f"$${claim.latex}$$"
        yield ""
    yield f"* Why it is wrong: {claim.why}"
    yield f"* Right: {claim.right}{_proved_in(claim, every)}"
    if claim.errata:
        yield f"* See {', '.join(claim.errata)}."
    for check in result.checks:
        if check.refutes or claim.status is not Status.REFUTED:
            yield from check_lines(check)


def _proved_in(claim: Claim, every: Mapping[str, ClaimResult]) -> str:
    other = claim.corrected_by
    if not other:
        return ""
    status = every[other].status if other in every else find(other).status
    return f" ({other}: {status.value})"


def check_lines(check: CheckResult, stated: Check | None = None, number: int = 0) -> Iterator[str]:
    """Say what a check decides, what it found, and whether each mutant was told."""
    kind = "Counterexample" if check.refutes else "Check"
    kind += f" {number}" if number else ""
    about = [check.method.value]
    if stated is not None and stated.role is not Role.PROOF:
        about.append(stated.role.value)
    if stated is not None and stated.cases:
        about.append(f"cases: {stated.cases}")
    yield f"* {kind} ({'; '.join(about)}): {check.says}"
    made = statement_of(stated) if stated is not None else None
    if made is not None:
        yield f"  * decided: ${made.latex()}$"
    held = {True: "holds", False: "fails", None: "not decided"}[check.holds]
    if check.refutes and check.holds:
        held = "the print fails"
    yield f"  * found: {held}{': ' + plain(check.detail) if check.detail else ''}"
    for words, holds in check.mutants.items():
        yield f"  * mutant, {'refuted' if holds is False else 'NOT REFUTED'}: {words}"


def _methods(results: Iterable[ClaimResult]) -> list[list[str]]:
    """How many claims use each method, and how many checks and mutants there are of it."""
    claims: Counter[str] = Counter()
    checks: Counter[str] = Counter()
    mutants: Counter[str] = Counter()
    for result in results:
        claims.update(methods_of(result))
        for check in result.checks:
            checks[check.method.value] += 1
            mutants[check.method.value] += len(check.mutants)
    rows = [["method", "claims", "checks", "mutants refuted"]]
    rows += [[name, str(claims[name]), str(checks[name]), str(mutants[name])] for name in claims]
    return rows


def _other_provers(results: Sequence[ClaimResult]) -> Iterator[str]:
    """What a second solver and a kernel say of the solver's problems, as it is stored."""
    shown = {result.id for result in results}
    yield f"Who checks the checker: {agreement().among(shown).words()}."
    yield f"And {acceptance().among(shown).words()}."
    yield "What remains to be trusted: [the trusted base](../explanation/trusted-base.md)."


def _objects(results: Iterable[ClaimResult]) -> Iterator[str]:
    """How many checks decide an object, and how many claims are read off one."""
    chosen = [find(result.id) for result in results]
    made = sum(statement_of(check) is not None for claim in chosen for check in claim.checks)
    whole = sum(bool(claim.states) and not any(map(is_prose, claim.states)) for claim in chosen)
    if made:
        yield ""
        yield f"{made} checks decide an object, shown below, on all of its domain: what is left out"
        yield f"makes the claim UNKNOWN. Sentence, formula, domain of {whole} claims are read off"
        yield "these objects."


def _run_line(results: Sequence[ClaimResult]) -> str:
    from proofs_check.store import versions

    libraries = ", ".join(f"{name} {version}" for name, version in versions().items())
    total = sum(result.seconds for result in results)
    return f"{RUN}{total:.0f} s of one core: {libraries}.*"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *body = rows
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in body:
        yield f"| {' | '.join(row)} |"
