"""Words of the command, or the call in Python, that asks for an audit again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from audit.request.request import Request
from audit.results.sampled_result import AuditResult
from mechanisms.validation import exact

if TYPE_CHECKING:
    from audit.stability.sensitivity_result import SensitivityResult
    from audit.utility.error_result import UtilityResult

__all__ = ["request_command", "rerun_command", "search_command"]

NOT_ASKED = ("target", "command", "call", "budget_samples")
"""Fields that stand elsewhere in the command, or among the words of its run."""

BY_NAME = ("mode", "pair", "data", "schema")
"""What has no short text in Python stands under its own name; so does a mode."""


def request_command(request: Request, **more: Any) -> list[str]:
    """Words of the command that asks for an audit; `more` are options of its run, by name.

    Of an object at hand, which no command names, it is one word: the call in Python.
    """
    if request.repeat:
        return list(request.repeat)
    asked = {name: value for name, value in request.told().items() if name not in NOT_ASKED}
    if request.call:
        told = [f"{name}={value}" for name, value in _in_python(asked, request.call)]
        told += [f"{name}={value!r}" for name, value in more.items()]
        return [f"{', '.join([request.call, *told])})"]
    command = "audit" if request.sensitivity is None else "sensitivity"
    words = ["touchstone", command, *([] if request.command else [request.target])]
    if "budgets" in asked:
        asked["budgets"] = ",".join(map(str, request.budgets))
    for name, value in (*asked.items(), *more.items()):
        option = f"--{name.replace('_', '-')}"
        match value:
            case True:
                words.append(option)
            case Mapping():
                for key, own in value.items():
                    words += [option, f"{key}={own if isinstance(own, str) else json.dumps(own)}"]
            case tuple():
                for one in value:
                    words += [option, str(one)]
            case _ if name == "bias" and exact(value) == 0:
                words.append("--unbiased")
            case _:
                words += [option, str(value)]
    return [*words, *(["--", *request.command] if request.command else [])]


def rerun_command(request: Request, result: AuditResult | UtilityResult) -> list[str]:
    """Words of the command that repeats a run."""
    if request.repeat:
        return request_command(request)
    more: dict[str, object] = {"false_alarm": result.false_alarm, "seed": result.seed}
    if result.stopped_by == "seconds":
        samples = result.repeat_samples or result.samples or request.budget_samples
        if isinstance(samples, int):  # else nothing was drawn, and no number was asked for
            more["budget_samples"] = samples
        more["budget_seconds"] = 10 * max(1, round(result.seconds))
    elif isinstance(request.budget_samples, int):
        more["budget_samples"] = request.budget_samples
    if isinstance(result, AuditResult):  # by the clock, which would choose otherwise elsewhere
        screened = None if result.screening is None else result.screening.sized_by_clock
        sized = {"first_draws": result.first_by_time, "screen": screened}
        more |= {name: count for name, count in sized.items() if count is not None}
    return request_command(request, **more)


def search_command(request: Request, result: SensitivityResult) -> list[str]:
    """Words of the command that repeats a search."""
    more: dict[str, object] = {"seed": result.seed}
    if not result.reproducible:
        more["budget_seconds"] = 10 * max(1, round(result.seconds))
    return request_command(request, **more)


def _in_python(asked: Mapping[str, Any], call: str) -> Iterator[tuple[str, str]]:
    """Words as arguments of the call."""
    for name, value in asked.items():
        if name == "budgets":
            yield name, repr([str(budget) for budget in value])
        elif name in BY_NAME and not isinstance(value, str):
            yield name, name
        elif name != "utility" and (name != "mode" or not call.startswith("audit.prove(")):
            yield name, repr(str(value) if isinstance(value, Fraction) else value)
