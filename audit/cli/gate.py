"""`touchstone gate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from audit.cli.options import (
    check_output,
    chosen_source,
    fresh_seed,
    processes,
    run_options,
    status_line,
    terminable,
)
from audit.cli.reporting import Reports, write_all

if TYPE_CHECKING:
    from audit.gate import Outcome
    from audit.request import Samples

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
@run_options
def command(
    reference: bool,
    slow: bool,
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
    from audit.config import find_config, reference_config
    from audit.gate import override, plan_gate, run_gate
    from audit.history import check_options, open_history
    from audit.proofs import ProofOutcome
    from audit.report.forms import gate_report
    from audit.report.gate_text import (
        MARKS,
        gate_head,
        gate_left_out,
        gate_line,
        gate_summary,
        proof_line,
    )
    from audit.report.history import head_text
    from audit.report.tables.checked import table_line
    from audit.shares import share_of
    from audit.tables import TableOutcome

    check_output(output)
    check_output(carry, "--carry")
    whole = reference_config() if reference else find_config(Path())
    check_options(whole, changed_since, write_baseline)
    config = override(
        whole,
        false_alarm=false_alarm,
        budget_seconds=budget_seconds,
        budget_samples=budget_samples,
        resolution=resolution,
        ideal=ideal,
        slow=slow,
    )
    plans = plan_gate(config)
    seed = fresh_seed() if seed is None else seed
    history = open_history(
        whole,
        config,
        plans,
        seed=seed,
        changed_since=changed_since,
        carry=carry,
        writes=write_baseline,
    )
    config, chosen = history.config, history.plans
    names = [*(entry.name for entry in config.entries), *config.proofs, *config.tables]
    width = max(map(len, names), default=0)
    head = gate_head(config.name, len(chosen), config.false_alarm, seed, share_of(config, chosen))
    live = form == "text" and output is None
    done = 0
    if live:
        click.echo(head + gate_left_out(config.left_out) + head_text(history.told()))
    with terminable(), status_line(f"running 1 of {len(names)}") as show:

        def on_outcome(outcome: Outcome | ProofOutcome | TableOutcome) -> None:
            nonlocal done
            done += 1
            if live:
                show(None)
                if isinstance(outcome, ProofOutcome):
                    click.echo(proof_line(outcome, width), nl=False)
                elif isinstance(outcome, TableOutcome):
                    mark = MARKS[int(outcome.status)]
                    click.echo(table_line(outcome, mark, width), nl=False)
                else:
                    click.echo(gate_line(outcome, width), nl=False)
            show(f"running {min(done + 1, len(names))} of {len(names)}")

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
        click.echo("\n" + gate_summary(result), nl=False)
    write_all(lambda one: gate_report(one, result), None if live else form, output, reports)
    return int(result.status)
