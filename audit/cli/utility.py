"""`touchstone audit TARGET --utility`: its options, and its run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from audit.cli.options import fresh_seed, status_line, terminable

if TYPE_CHECKING:
    from audit.request import Request
    from audit.suite.exits import Exit
    from audit.utility.asked import UtilityAsked

__all__ = ["read_utility", "run_utility_command", "utility_options"]

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = (
    click.option(
        "--utility",
        is_flag=True,
        help="Audit errors instead of privacy: bias, variance, mean squared and mean absolute "
        "error, against what the target states of them or what the next options state.",
    ),
    click.option(
        "--law",
        multiple=True,
        metavar="'KIND NUMBERS'",
        help="With --utility: fresh records for each draw, of 'uniform A B', 'normal MU SIGMA', "
        "'bernoulli P', 'point X', 'points X:P X:P ...' or 'tilted ETA' (repeatable).",
    ),
    click.option(
        "--n",
        "count",
        type=click.IntRange(min=1),
        help="With --utility: records of a law, or of each data set at the bounds  [100]",
    ),
    click.option("--unbiased", is_flag=True, help="With --utility: claim a bias of 0."),
    click.option("--bias", metavar="NUMBER", help="With --utility: claim a bias of at most this."),
    click.option(
        "--mse",
        metavar="NUMBER",
        help="With --utility: claim a mean squared error of at most this; it makes the test of a "
        "bias exact.",
    ),
    click.option(
        "--mae",
        metavar="NUMBER",
        help="With --utility: claim a mean absolute error of at most this.",
    ),
    click.option(
        "--truth",
        metavar="mean|median|NUMBER",
        help="With --utility: what is estimated  [mean of the records, or of the law]",
    ),
)


def utility_options(function: F) -> F:
    """Give a command the options of utility audits."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function


def read_utility(options: dict[str, Any]) -> UtilityAsked | None:
    """Take these options out of all others; None for an audit of privacy."""
    from audit.utility.asked import asked_of

    options["n"] = options.pop("count")
    return asked_of(options, dash="--")


def run_utility_command(
    asked: Request,
    settings: dict[str, Any],
    told: dict[str, Any],
    not_used: dict[str, Any],
) -> Exit:
    """Run a utility audit and write its reports.

    Parameters
    ----------
    asked : Request
        With `utility`.
    settings : dict
        Seed, false-alarm rate and seconds; None for what is used then.
    told : dict
        Where the reports go; see `audit.cli.reporting.report_audit`.
    not_used : dict
        Values of options by name that have no meaning here; None where not given.

    Raises
    ------
    InvalidArgument
        If one of them is given.
    """
    from audit.cli.reporting import report_audit
    from audit.suite.exits import Interrupted
    from audit.utility.plan import plan_utility
    from audit.utility.run import run_utility
    from mechanisms.errors import InvalidArgument

    wrong = [option for option, value in not_used.items() if value is not None]
    if wrong:
        msg = f"--utility runs in this process and keeps no state; leave out {', '.join(wrong)}"
        raise InvalidArgument(msg)
    plan = plan_utility(asked, stated_in="command line")
    settings = {"seed": fresh_seed()} | {k: v for k, v in settings.items() if v is not None}
    done = (0, 0.0)
    with terminable(), status_line(f"auditing {asked.target}") as show:

        def progress(samples: int, seconds: float) -> None:
            nonlocal done
            done = (samples, seconds)
            show(f"auditing {asked.target}: {samples:,} draws, {seconds:.0f} s")

        try:
            result = run_utility(plan, progress=progress, **settings)
        except KeyboardInterrupt as exc:
            samples, seconds = done
            msg = (
                f"interrupted: {asked.target} after {samples:,} draws in {seconds:.1f} s (seed "
                f"{settings['seed']})"
            )
            raise Interrupted(msg) from exc
    return report_audit(result, plan, **told)
