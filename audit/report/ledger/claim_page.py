"""A page for one claim: what is stated, how it is known, by which checks, and who rests on it.

`touchstone prove ID --format md` writes it. What depends on a run begins as on the ledger's page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from audit.report.ledger.ledger_markdown import RUN, check_lines
from audit.report.ledger.ledger_text import status_words, step_words
from mechanisms.registry import MECHANISMS
from proofs_check.claim import Claim, Status, is_prose
from proofs_check.decide import ClaimResult
from proofs_check.evidence import Level, level_of
from proofs_check.kernel.acceptance import stored as acceptance
from proofs_check.prove import conditions, foundations, rests_on
from proofs_check.registry import PAPERS, claims, find
from proofs_check.second_solver.agreement import file_name
from proofs_check.second_solver.agreement import stored as agreement

__all__ = ["claim_pages"]

READ_OFF = "Sentence, formula and domain are read off the objects that the checks decide."
IN_PART = "A part of the sentence is prose that no object says."
BY_HAND = "The sentence is written by hand beside the checks."

LEVELS = {
    Level.KERNEL: "checks decide each part whole, and the kernel of Coq accepts each as a theorem",
    Level.MACHINE: "checks decide each part of the statement whole",
    Level.PIECES: "checks decide the pieces, and the steps put them together",
    Level.ENUMERATED: "a check looks at finitely many cases, which are not all",
    Level.BY_HAND: "some step is prose",
    Level.CITED: "some step is taken from other work",
}


def claim_pages(results: Sequence[ClaimResult], every: Mapping[str, ClaimResult]) -> str:
    """Write a page for each of some claims, one below the other.

    Parameters
    ----------
    results : sequence of ClaimResult
        Of the claims that are shown.
    every : mapping of str to ClaimResult
        Of all that they rest on.
    """
    return "\n".join("\n".join(_page(result, every)) + "\n" for result in results)


def _page(result: ClaimResult, every: Mapping[str, ClaimResult]) -> Iterator[str]:
    claim = find(result.id)
    origin = "our own" if claim.ours else PAPERS[claim.paper]
    yield f"# {claim.id}: {claim.source}"
    yield ""
    yield f"{origin}. **{status_words(result, every)}**."
    yield from _section("Printed" if claim.status is Status.REFUTED else "Statement")
    yield claim.says
    yield ""
    yield f"$${claim.latex}$$"
    yield ""
    yield _read(claim)
    yield from _section("Domain")
    yield claim.domain or "All values."
    if claim.printed_domain:
        yield ""
        yield f"Printed for more: {claim.printed_domain}"
    yield from _fault(claim)
    yield from _evidence(claim, every)
    yield from _section("Checks")
    for number, check in enumerate(result.checks, 1):
        yield from check_lines(check, claim.checks[number - 1], number)
    if not result.checks:
        yield "None."
    yield from _others(claim)
    yield from _above(claim)
    yield ""
    yield f"{RUN}{result.seconds:.2f} s.*"


def _section(title: str) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""


def _read(claim: Claim) -> str:
    if not claim.states:
        return BY_HAND
    return IN_PART if any(map(is_prose, claim.states)) else READ_OFF


def _fault(claim: Claim) -> Iterator[str]:
    """What is wrong in print, or could be sharper."""
    if not claim.why:
        return
    yield from _section("Remark" if claim.status is Status.REMARK else "What is wrong in print")
    yield claim.why
    yield ""
    yield f"Right: {claim.right}"
    for words, ids in (("Proved as", (claim.corrected_by,)), ("Errata", claim.errata)):
        if any(ids):
            yield ""
            yield f"{words}: {', '.join(ids)}"


def _evidence(claim: Claim, every: Mapping[str, ClaimResult]) -> Iterator[str]:
    """The level, the parts and the numbered steps, and what is below."""
    level = level_of(claim)
    if level is None:
        return
    yield from _section("How it is known")
    yield f"{level.value}: {LEVELS[level]}."
    yield ""
    numbers = {check.name: k for k, check in enumerate(claim.checks, 1)}
    for part in claim.obligations:
        by = f"check {numbers[part.check]}, whole" if part.check else "no check"
        yield f"* part: {part.what} ({by})"
    for number, (says, on) in enumerate(step_words(claim), 1):
        yield f"{number}. {says} ({'**by hand**' if on == 'by hand' else on})"
    if claim.note:
        yield ""
        yield f"Note: {claim.note}"
    near, far = rests_on(claim), [other.id for other in foundations(claim)]
    if far:
        yield ""
        further = [name for name in far if name not in near]
        yield f"Rests on {', '.join(near)}{_further(further)}."
    unsure = conditions(claim.id, every)
    if unsure:
        yield ""
        yield f"Conditional on {', '.join(unsure)}."


def _further(ids: Sequence[str]) -> str:
    return f"; by these on {', '.join(ids)}" if ids else ""


def _others(claim: Claim) -> Iterator[str]:
    """The solver's problems: their files, a second solver's answers, and the kernel's."""
    asked = agreement().among([claim.id]).problems
    if not asked:
        return
    yield from _section("Solver files")
    yield "`touchstone prove --smt2 DIR` writes them; a second solver and Coq were asked too."
    yield ""
    proved = {(row.check, row.number): row.by for row in acceptance().among([claim.id]).problems}
    for row in asked:
        by = proved.get((row.check, row.number), "")
        kernel = f"Coq: {by}" if by else "not accepted by Coq"
        name = file_name(row.claim, row.check, row.number)
        yield f"* `{name}`: z3 {row.z3}, cvc5 {row.cvc5}; {kernel}"


def _above(claim: Claim) -> Iterator[str]:
    """Who rests on the claim: other claims, and mechanisms whose promise it is."""
    yield from _section("Who rests on it")
    above = [other.id for other in claims().values() if claim.id in rests_on(other)]
    named = [other.id for other in claims().values() if _points_to(other, claim.id)]
    promised = [name for name, entry in MECHANISMS.items() if claim.id in entry.claims]
    rows = (("Claims", above), ("Named by", named), ("Mechanisms", promised))
    shown = [f"* {words}: {', '.join(names)}" for words, names in rows if names]
    yield from shown or ["Nothing."]


def _points_to(other: Claim, identifier: str) -> bool:
    return identifier in (*other.errata, other.corrected_by)
