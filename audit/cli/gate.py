"""`touchstone gate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.cli.options import (
    check_output,
    options_of,
    status_line,
    terminable,
)
from audit.cli.reporting import Reports, write_all
from audit.levels.word import Of
from audit.request.word_table import named
from audit.runs.session import chosen_source, fresh_seed, processes

if TYPE_CHECKING:
    from audit.request.request import Samples
    from audit.suite.gate_outcome import Outcome
    from audit.suite.ledger_claims import ProofOutcome
    from audit.suite.stored_tables import TableOutcome

__all__ = ["command"]


@click.command("gate")
@click.option(
    "--reference",
    is_flag=True,
    help="Run the built-in suite: every registered mechanism and its twin with too little noise.",
)
@click.option("--slow", is_flag=True, help="Also the audits that are marked slow = true.")
@click.option(
    "--changed-since",
    metavar="REV",
    help="Only audits of what has changed since a commit, and those that did not pass last.",
)
@click.option(
    "--write-baseline",
    is_flag=True,
    help="Keep what the audits promise and show in the configuration's baseline file.",
)
@click.option(
    "--carry",
    metavar="FILE",
    help="Carry the wealth against unchanged targets from run to run in FILE: the false-alarm rate "
    "is then that of all runs together.",
)
@click.option("--verbose", is_flag=True, help="A line for every audit, claim and table.")
@options_of(named(Of.RUN | Of.OUTPUT))
def command(
    reference: bool,
    slow: bool,
    verbose: bool,
    changed_since: str | None,
    write_baseline: bool,
    carry: str | None,
    false_alarm: float | None,
    budget_samples: Samples | None,
    budget_seconds: float | None,
    resolution: float | None,
    seed: int | None,
    jobs: int | None,
    backend: str,
    ideal: bool,
    form: str,
    output: str | None,
    reports: Reports,
    inconclusive: str | None,
) -> int:
    """Run all audits that touchstone.toml, or pyproject.toml under tool.touchstone, lists.

    Exit status: 0 all as expected, 1 refuted, worse than the baseline, or a positive control that
    was not refuted, 2 wrong configuration, 3 inconclusive, 4 internal error, 130 interrupted.
    """
    from audit.cli.progress import GateProgress
    from audit.report.characters import as_lines
    from audit.report.gate_text import run_sections
    from audit.report.rendering import gate_report
    from audit.request.configuration import find_config, reference_config
    from audit.suite.earlier_runs import head_text
    from audit.suite.gate_document import gate_cases
    from audit.suite.gate_run import prepare, run_gate
    from audit.suite.gate_sentences import gate_head, gate_left_out, gate_summary
    from audit.suite.shares import share_of

    check_output(output)
    check_output(carry, "--carry")
    seed = fresh_seed() if seed is None else seed
    history = prepare(
        reference_config() if reference else find_config(Path()),
        seed=seed,
        changed_since=changed_since,
        carry=carry,
        writes=write_baseline,
        false_alarm=false_alarm,
        budget_seconds=budget_seconds,
        budget_samples=budget_samples,
        resolution=resolution,
        ideal=ideal,
        slow=slow,
    )
    config, chosen = history.config, history.plans
    check_output(config.baseline if write_baseline else None, "baseline")
    live = form == "text" and output is None
    if live:
        head = gate_head(
            config.name,
            len(chosen),
            config.false_alarm,
            seed,
            share_of(config, chosen),
            controls=sum(entry.expect == "refuted" for entry in config.entries),
        )
        click.echo(as_lines(head + gate_left_out(config.left_out) + head_text(history.told())))
    progress = GateProgress.of(config)
    with terminable(), status_line(progress.words()) as show:

        def on_outcome(outcome: Outcome | ProofOutcome | TableOutcome) -> None:
            progress.add(outcome)
            show(progress.words())

        result = run_gate(
            config,
            chosen,
            seed=seed,
            jobs=1 if backend == "dask" else jobs or processes(),
            source=chosen_source(jobs or processes(), backend) if backend == "dask" else None,
            inconclusive_ok=inconclusive == "ok",
            on_outcome=on_outcome,
            history=history,
        )
    if live:
        sections = run_sections(gate_cases(result), verbose=verbose)
        click.echo(as_lines(f"{sections}\n{gate_summary(result)}"), nl=False)
    write_all(
        lambda one: gate_report(one, result, verbose=verbose),
        None if live else form,
        output,
        reports,
    )
    return int(result.status)
