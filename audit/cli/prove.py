"""`touchstone prove`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from audit.cli.options import Count, check_output, status_line, terminable, write
from audit.runs.session import processes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from proofs_check.claim import Claim
    from proofs_check.decide import ClaimResult

__all__ = ["command"]


@click.command("prove")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--paper",
    type=click.Choice(["KSW", "TRI", "PDP", "SUB", "ENG"]),
    multiple=True,
    help="All claims of a paper; repeatable.",
)
@click.option(
    "--status", "counts", is_flag=True, help="Counts by paper, status and level of evidence."
)
@click.option("--errata", is_flag=True, help="Only what is false as printed.")
@click.option("--why", is_flag=True, help="What each ID rests on, down to definitions.")
@click.option("--lint", is_flag=True, help="Name checks that cannot fail; solve nothing.")
@click.option(
    "--second",
    type=click.Choice(["cvc5"]),
    help="Ask a second solver each problem that z3 decides; nothing else is checked.",
)
@click.option("--smt2", metavar="DIR", help="Write the solver's problems as SMT-LIB, with answers.")
@click.option(
    "--kernel",
    type=click.Choice(["coq"]),
    help="Ask Coq's kernel again for each problem that it accepts; nothing else is checked.",
)
@click.option("--jobs", type=Count(min=1), help="Processes that check  [2]")
@click.option("--fresh", is_flag=True, help="Check again what earlier runs found.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "md", "json"]),
    default="text",
    show_default=True,
)
@click.option("--output", metavar="FILE", help="Write the report to a file.")
def command(
    ids: tuple[str, ...],
    paper: tuple[str, ...],
    counts: bool,
    errata: bool,
    why: bool,
    lint: bool,
    second: str | None,
    smt2: str | None,
    kernel: str | None,
    jobs: int | None,
    fresh: bool,
    form: str,
    output: str | None,
) -> int:
    """Machine-check claims of the ledger: all, those of a paper, or single IDs.

    Exit status: 0 all as registered, 1 a status differs, 2 wrong usage, 130 interrupted.
    """
    from audit.suite.exit_status import Exit, Interrupted
    from proofs_check.prove import needed, prove
    from proofs_check.registry import select
    from proofs_check.store import Store, default_folder

    check_output(output)
    chosen = [claim for claim in select([*ids, *paper]) if claim.is_erratum or not errata]
    if lint:
        return _lint(chosen, output)
    if second or smt2 or kernel:
        return _others(chosen, second=bool(second), smt2=smt2, kernel=bool(kernel), output=output)
    every = needed(chosen)
    store = Store(default_folder(), fresh=fresh)
    started, done = time.perf_counter(), 0
    with terminable(), status_line(f"0 of {len(every)} claims checked") as show:

        def on_result(result: ClaimResult) -> None:
            nonlocal done
            done += 1
            show(f"{done} of {len(every)} claims checked; last: {result.id}")

        try:
            results = prove(every, jobs=jobs or processes(), store=store, on_result=on_result)
        except KeyboardInterrupt as exc:
            msg = f"interrupted: {done} of {len(every)} claims checked; the next run goes on there"
            raise Interrupted(msg) from exc
    seconds = time.perf_counter() - started
    report = _report(
        [results[claim.id] for claim in chosen],
        results,
        seconds,
        form=_page(form, errata=errata, one_by_one=bool(ids)),
        counts=counts,
        why=why,
        one_by_one=bool(ids),
    )
    write(report, output)
    wrong = any(not results[claim.id].as_registered for claim in chosen)
    return Exit.REFUTED if wrong else Exit.OK


def _page(form: str, *, errata: bool, one_by_one: bool) -> str:
    """Which page Markdown is: of all that is false, of single claims, or of the ledger."""
    if form != "md":
        return form
    return "errata" if errata else "claims" if one_by_one else form


def _lint(chosen: list[Claim], output: str | None) -> int:
    from audit.suite.exit_status import Exit
    from proofs_check.claim import Method
    from proofs_check.lint import idle_checks

    idle = idle_checks(chosen)
    rows = [f"{name}: {check} holds by rearrangement alone\n" for name, check in idle]
    solved = sum(check.method is Method.SMT for claim in chosen for check in claim.checks)
    write("".join([*rows, f"{len(idle)} of {solved} solver checks cannot fail\n"]), output)
    return Exit.REFUTED if idle else Exit.OK


def _others(
    chosen: list[Claim], *, second: bool, smt2: str | None, kernel: bool, output: str | None
) -> int:
    """Ask who checks the checker: a second solver, a kernel; or write the problems for others."""
    from audit.cli.other_provers import ask_again, ask_second, write_problems
    from audit.suite.exit_status import Exit

    text, good = "", True
    if second:
        said, good = ask_second(chosen)
        text += said
    if smt2:
        text += write_problems(chosen, smt2)
    if kernel:
        said, held = ask_again(chosen)
        text, good = text + said, good and held
    write(text, output)
    return Exit.OK if good else Exit.REFUTED


def _report(
    shown: list[ClaimResult],
    results: Mapping[str, ClaimResult],
    seconds: float,
    *,
    form: str,
    counts: bool,
    why: bool,
    one_by_one: bool,
) -> str:
    from audit.report.json_text import dump
    from audit.report.ledger.claim_page import claim_pages
    from audit.report.ledger.ledger_json import ledger_document
    from audit.report.ledger.ledger_markdown import errata_page, ledger_page
    from audit.report.ledger.ledger_text import (
        aligned,
        chain_rows,
        claim_text,
        counts_rows,
        levels_rows,
        line,
        summary,
    )
    from proofs_check.store import versions

    match form:
        case "json":
            return dump(ledger_document(shown, results, seconds, versions()))
        case "md":
            return ledger_page(shown, results)
        case "claims":
            return claim_pages(shown, results)
        case "errata":
            return errata_page(shown, results)
    parts = []
    if counts:
        parts += [aligned(counts_rows(shown)), aligned(levels_rows(shown, results))]
    elif one_by_one:
        parts += [claim_text(result, results, versions()) for result in shown]
    else:
        width = max((len(result.id) for result in shown), default=0)
        parts.append("".join(f"{line(result, width, results)}\n" for result in shown))
    if why:
        parts += ["".join(f"{row}\n" for row in chain_rows(result.id, results)) for result in shown]
    if not one_by_one:
        parts.append(summary(shown, seconds))
    return "\n".join(parts)
