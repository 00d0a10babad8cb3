"""`touchstone audit TARGET`."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from audit.cli.options import (
    check_output,
    followed,
    options_of,
    read_param,
    terminable,
    typed_words,
)
from audit.cli.reporting import Reports, report_audit, report_with_certificate
from audit.levels.word import Of
from audit.request.word_table import named
from audit.runs.session import chosen_source, fresh_seed
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    from audit.request.privacy_plan import PrivacyPlan
    from audit.request.request import Request
    from audit.suite.exit_status import Exit

__all__ = ["command"]

EPILOG = """\b
TARGET is a registered name (touchstone list mechanisms), an adapter (touchstone list adapters),
pkg.mod:attribute, file.py:attribute or notebook.ipynb:attribute.
\b
A COMMAND is a program in any language. It reads one line of JSON on standard input, {"data": ...,
"size": ..., "seed": ...}, and writes as many lines as "size" says to standard output, one JSON
value each: the draws.
"""


NO_OPTIONS = ("command",)
"""It stands behind `--`."""

KEY = "audit.cli.audit"


class _Dashes(click.Command):
    """A command whose last argument, TARGET, may be `-- PROGRAM ARGUMENT...` instead."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words behind the first `--`; their text is the argument."""
        if "--" in args:
            place = args.index("--")
            args, words = args[:place], args[place + 1 :]
            if not words and not ctx.resilient_parsing:
                msg = "after -- comes a command: a program and its arguments"
                raise click.UsageError(msg, ctx)
            ctx.meta[KEY] = tuple(words)
            args = [*args, "--", shlex.join(words)] if words else args
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Name both forms of the last argument."""
        pieces = super().collect_usage_pieces(ctx)
        return [*pieces[:-1], f"{pieces[-1]} | -- COMMAND..."]


def _words_behind() -> tuple[str, ...]:
    """The words behind `--` of the command that runs; none where there is no `--`."""
    words: Any = click.get_current_context().meta.get(KEY, ())
    return tuple(words)


@click.command("audit", cls=_Dashes, epilog=EPILOG)
@click.argument("target")
@options_of([word for word in named(~(Of.ENTRY | Of.STABILITY)) if word.name not in NO_OPTIONS])
def command(
    target: str,
    param: tuple[str, ...],
    false_alarm: float | None,
    budget_seconds: float | None,
    seed: int | None,
    jobs: int | None,
    backend: str,
    resume: str | None,
    certificate: str | None,
    form: str,
    output: str | None,
    reports: Reports,
    inconclusive: str | None,
    **request: Any,
) -> int:
    """Audit one mechanism, and say whether it keeps its promise.

    Exit status: 0 consistent or proved, 1 refuted, 2 wrong usage, 3 inconclusive.
    """
    from audit.draws.run_log import RunLog
    from audit.request.meaning import COMMAND_LINE, check_meaning
    from audit.request.privacy_plan import plan_audit
    from audit.request.request import Request, by_field
    from audit.runs.privacy_run import run_plan
    from audit.targets.separation import now_at

    now_at(target)
    is_of_errors = request["utility"]
    check_meaning(typed_words(), request["mode"], COMMAND_LINE, utility=is_of_errors)
    check_output(output)
    check_output(resume, "--resume")
    check_output(certificate, "--certificate")
    log = RunLog(None if resume is None else Path(resume))
    if seed is None:
        seed = log.seed()
    request["n"] = request.pop("count")
    own = by_field(request, dash="--")
    asked = Request(target, param=dict(map(read_param, param)), command=_words_behind(), **own)
    told: dict[str, Any] = {"form": form, "output": output, "reports": reports}
    told["inconclusive"] = inconclusive
    settings: dict[str, Any] = {"seed": seed, "false_alarm": false_alarm}
    settings["budget_seconds"] = budget_seconds
    settings = {name: value for name, value in settings.items() if value is not None}
    if asked.utility is not None:
        return _estimate(asked, {"seed": fresh_seed(), **settings}, told)
    with terminable():  # a command is started to see what its seed does
        plan = plan_audit(asked, stated_in="command line")
    if asked.mode == "exact":
        return _prove(plan, certificate, told)
    settings = {"seed": fresh_seed(), **settings, "log": log}
    settings["source"] = chosen_source(jobs or 1, backend)
    with followed(target, "samples", lambda: _so_far(settings["seed"], resume)) as progress:
        result = run_plan(plan, progress=progress, **settings)
    status = report_audit(result, plan, **told)
    if log.fault:
        raise InvalidArgument(log.fault)
    return status


NO_CERTIFICATE = (
    "no certificate was written: `touchstone verify` states the laws of some mechanisms again, not "
    "of this one, speaks of no listed pairs, or would take long"
)


def _prove(plan: PrivacyPlan, certificate: str | None, told: dict[str, Any]) -> Exit:
    """Audit exactly, and write the certificate of a proof; the report comes in any case."""
    from audit.results.versions import versions
    from audit.runs.privacy_run import prove_plan

    result = prove_plan(plan, {"versions": versions([plan.target.library])})
    if certificate is not None and result.proof is not None and result.proof.certificate is None:
        result = replace(result, notes=(*result.notes, NO_CERTIFICATE))
    made = None if result.proof is None else result.proof.certificate
    return report_with_certificate(result, plan, made, certificate, **told)


def _estimate(asked: Request, settings: dict[str, Any], told: dict[str, Any]) -> Exit:
    """Audit errors."""
    from audit.request.error_plan import plan_utility
    from audit.runs.accuracy_run import run_utility

    plan = plan_utility(asked, stated_in="command line")
    with followed(asked.target, "draws", lambda: f" (seed {settings['seed']})") as progress:
        result = run_utility(plan, progress=progress, **settings)
    return report_audit(result, plan, **told)


def _so_far(seed: int, resume: str | None) -> str:
    kept = ""
    if resume is not None:
        anew = "begins anew: nothing was worth keeping yet"
        goes_on = "goes on" if Path(resume).exists() else anew
        kept = f"; the same command with --resume {resume} {goes_on}"
    return f", not refuted so far (seed {seed}){kept}"
