"""`touchstone sensitivity TARGET`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from audit.cli.options import check_output, options_of, read_param, status_line, terminable
from audit.cli.reporting import Reports, report_audit
from audit.levels.word import Of
from audit.request.word_table import named
from audit.runs.session import fresh_seed

if TYPE_CHECKING:
    from audit.stability.properties import Measured

__all__ = ["command"]


@click.command("sensitivity")
@click.argument("target")
@options_of(named(Of.STABILITY | Of.OUTPUT))
def command(
    target: str,
    param: tuple[str, ...],
    seed: int | None,
    budget_seconds: float | None,
    form: str,
    output: str | None,
    reports: Reports,
    inconclusive: str | None,
    **request: Any,
) -> int:
    """Test how far apart the answers of a query to neighboring data sets are.

    TARGET is a function of the data without noise, or a Transformation of OpenDP, which states its
    own claim: pkg.mod:attribute, file.py:attribute or notebook.ipynb:attribute. REFUTED is exact.

    The seconds of --budget-seconds count from the start of the work. What loading TARGET takes is
    among them, but loading is not cut.

    Exit status: 0 consistent, 1 refuted, 2 wrong usage, 3 inconclusive.
    """
    started = time.monotonic()
    from audit.request.request import Request, by_field
    from audit.request.stability_plan import plan_sensitivity
    from audit.runs.sensitivity_run import run_sensitivity
    from audit.suite.exit_status import Interrupted
    from audit.targets.separation import now_at

    now_at(target)
    check_output(output)
    own = by_field(request, is_search=True)
    asked = Request(target, param=dict(map(read_param, param)), **own)
    plan = plan_sensitivity(asked, stated_in="command line")
    settings: dict[str, Any] = {"seed": fresh_seed() if seed is None else seed}
    if budget_seconds is not None:
        settings["budget_seconds"] = budget_seconds
    done = "no pair was measured"
    with terminable(), status_line(f"searching {target}") as show:

        def progress(pairs: int, furthest: Measured | None) -> None:
            nonlocal done
            done = _so_far(pairs, furthest)
            show(f"searching {target}: {done}")

        try:
            result = run_sensitivity(plan, started=started, progress=progress, **settings)
        except KeyboardInterrupt as exc:
            msg = f"interrupted: {target}, {done}, not refuted so far (seed {settings['seed']})"
            raise Interrupted(msg) from exc
    told: dict[str, Any] = {"form": form, "output": output, "reports": reports}
    return report_audit(result, plan, inconclusive=inconclusive, **told)


def _so_far(pairs: int, furthest: Measured | None) -> str:
    """How far a search is."""
    if furthest is None:
        return f"{pairs:,} pairs"
    return f"{pairs:,} pairs, largest distance {float(furthest.distance):.6g}"
