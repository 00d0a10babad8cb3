"""`touchstone account PLAN.toml`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from audit.cli.options import check_output, options_of, status_line, terminable, write
from audit.cli.reporting import Reports, report_with_certificate
from audit.levels.word import Of
from audit.request.word_table import named
from mechanisms.errors import InvalidArgument

__all__ = ["command"]

NO_CERTIFICATE = "no certificate was written: "


@click.command("account")
@click.argument("plan", metavar="[PLAN.toml]", required=False)
@click.option(
    "--from",
    "place",
    metavar="OBJECT",
    help="An object that states its parts, pkg.mod:name or file.py:name; in place of PLAN.toml.",
)
@click.option("--claim", metavar="EPSILON", help="The claimed total; in place of the plan's own.")
@click.option("--delta", metavar="NUMBER", help="Of the total; in place of the plan's own.")
@click.option(
    "--relation",
    metavar="[add-remove|swap|listed]",
    help="Which data sets are neighbors; in place of the plan's own.",
)
@click.option("--profile", is_flag=True, help="Also both ends of delta at other epsilons.")
@click.option("--csv", metavar="FILE", help="Write these ends to a file, too.")
@click.option(
    "--compare",
    metavar="LIBRARIES",
    help="Ask dp-accounting,autodp,prv-accountant,opendp for the same total.",
)
@click.option("--certificate", metavar="FILE", help="Write the certificate of a proved total.")
@options_of(named(Of.OUTPUT))
def command(
    plan: str | None,
    place: str | None,
    claim: str | None,
    delta: str | None,
    relation: str | None,
    profile: bool,
    csv: str | None,
    compare: str | None,
    certificate: str | None,
    form: str,
    output: str | None,
    reports: Reports,
    inconclusive: str | None,
) -> int:
    """Add up what the releases of a plan lose together, and decide a claimed total.

    PLAN.toml lists mechanisms, how often each is released, and which data sets are neighbors; or
    --from names a plan in Python, an event of dp-accounting, a measurement of OpenDP, a list of
    these, or a function that makes one. Both ends of the total are theorems; nothing is drawn.
    Without a claim, totals that other libraries claim (--compare) are decided.

    Exit status: 0 proved, 1 refuted, 2 wrong usage, 3 inconclusive.
    """
    from audit.accounting.account_sentences import profile_text
    from audit.request.account_plan import plan_account, plan_object
    from audit.runs.account_run import run_account
    from audit.suite.exit_status import Interrupted
    from audit.targets.separation import now_at

    now_at(plan or place or "")
    check_output(output)
    check_output(csv, "--csv")
    check_output(certificate, "--certificate")
    profile = profile or csv is not None
    if (plan is None) == (place is None):
        msg = "give PLAN.toml, or --from OBJECT in place of it"
        raise InvalidArgument(msg)
    words: dict[str, Any] = {"relation": relation, "delta": delta, "claim": claim}
    words |= {"profile": profile, "compare": compare}
    asked = plan_account(plan, **words) if place is None else plan_object(place, **words)
    with terminable(), status_line(f"adding up {asked.target.name}"):
        try:
            result = run_account(asked)
        except KeyboardInterrupt as exc:
            msg = f"interrupted: {asked.target.name}, not decided"
            raise Interrupted(msg) from exc
    if csv is not None:
        write(profile_text(result), csv, "--csv")
    if certificate is not None and result.certificate is None:
        result = replace(result, notes=(*result.notes, NO_CERTIFICATE + result.uncertified))
    told: dict[str, Any] = {"form": form, "output": output, "reports": reports}
    told |= {"inconclusive": inconclusive}
    return report_with_certificate(result, asked, result.certificate, certificate, **told)
