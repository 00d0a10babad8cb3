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
    write,
)

if TYPE_CHECKING:
    from audit.gate import Outcome

__all__ = ["command"]


@click.command("gate")
@click.option(
    "--reference",
    is_flag=True,
    help="Run the built-in suite: every registered mechanism and its twin with too little noise.",
)
@click.option("--slow", is_flag=True, help="Also the audits that are marked slow = true.")
@run_options
def command(
    reference: bool,
    slow: bool,
    false_alarm: float | None,
    budget_samples: int | None,
    budget_seconds: float | None,
    resolution: float | None,
    seed: int | None,
    jobs: int | None,
    backend: str,
    ideal: bool,
    form: str,
    output: str | None,
    inconclusive: str | None,
) -> int:
    """Run all audits that touchstone.toml, or pyproject.toml under tool.touchstone, lists.

    Exit status: 0 all as expected, 1 refuted or a positive control that was not, 2 wrong
    configuration, 3 inconclusive, 4 internal error, 130 interrupted.
    """
    from audit.config import find_config, reference_config
    from audit.gate import override, plan_gate, run_gate, share_of
    from audit.proofs import ProofOutcome
    from audit.report.gate_text import gate_head, gate_left_out, gate_line, gate_summary, proof_line
    from audit.report.json import dump, gate_document

    check_output(output)
    config = override(
        reference_config() if reference else find_config(Path()),
        false_alarm=false_alarm,
        budget_seconds=budget_seconds,
        budget_samples=budget_samples,
        resolution=resolution,
        ideal=ideal,
        slow=slow,
    )
    plans = plan_gate(config)
    seed = fresh_seed() if seed is None else seed
    names = [*(entry.name for entry in config.entries), *config.proofs]
    width = max(map(len, names))
    head = gate_head(config.name, len(plans), config.false_alarm, seed, share_of(config, plans))
    lines = [head + gate_left_out(config.left_out)]
    live = form == "text" and output is None
    if live:
        click.echo(lines[0])
    with terminable(), status_line(f"running 1 of {len(names)}") as show:

        def on_outcome(outcome: Outcome | ProofOutcome) -> None:
            if isinstance(outcome, ProofOutcome):
                lines.append(proof_line(outcome, width))
            else:
                lines.append(gate_line(outcome, width))
            if live:
                show(None)
                click.echo(lines[-1], nl=False)
            show(f"running {min(len(lines), len(names))} of {len(names)}")

        result = run_gate(
            config,
            plans,
            seed=seed,
            jobs=1 if backend == "dask" else jobs or processes(),
            source=chosen_source(jobs or processes(), backend) if backend == "dask" else None,
            inconclusive_ok=inconclusive == "ok",
            on_outcome=on_outcome,
        )
    summary = "\n" + gate_summary(result)
    if live:
        click.echo(summary, nl=False)
    else:
        text = lines[0] + "\n" + "".join(lines[1:]) + summary
        write(dump(gate_document(result)) if form == "json" else text, output)
    return int(result.status)
