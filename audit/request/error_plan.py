"""What a request for a utility audit means: target, records, claims, before the first draw."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from audit.faults import users_faults
from audit.pairs.pair_files import read_column
from audit.request.privacy_plan import PrivacyPlan, find_target
from audit.request.request import Request, UtilityAsked
from audit.results.number_words import plural
from audit.targets.load import load_target, mechanism_of
from audit.targets.target import Target
from audit.utility.error_cases import (
    DEFAULT_COUNT,
    ErrorCase,
    by_success,
    data_case,
    law_case,
    row_budgets,
    user_claims,
    worst_cases,
)
from audit.utility.exact_laws import law_of_mechanism
from audit.utility.law_words import KINDS, read_law
from audit.utility.noise_moments import noise_cases, noise_target
from mechanisms.errors import InvalidArgument
from mechanisms.registry import NOISES
from mechanisms.utility_claims import UtilityClaim

__all__ = ["Planned", "UtilityPlan", "plan_utility"]

BY_NAME = "target = audit.load({name!r}{also})"

BY_OBJECT = """\
{made_by}
target = audit.load(mechanism{also})"""

OF_NOISE = """\
from audit.scripts import coordinates
from mechanisms.registry import build_noise

noise = build_noise({name!r}, **{parameters!r})"""


@final
@dataclass(frozen=True, slots=True)
class UtilityPlan:
    """A request that has been understood."""

    request: Request
    target: Target
    cases: tuple[ErrorCase, ...]
    """On which records, and what is claimed."""
    made: str
    """Lines of Python that make the target in a script."""
    notes: tuple[str, ...] = ()
    """To be told with the result."""

    def without_sampler(self) -> UtilityPlan:
        """What reports say of it: without the sampler, its object and the data, so it travels."""
        return replace(self, target=self.target.without_sampler(), cases=())


Planned = PrivacyPlan | UtilityPlan
"""An audit of privacy or of errors, understood."""


@users_faults()
def plan_utility(
    request: Request, *, stated_in: str, load: Callable[..., Target] = load_target
) -> UtilityPlan:
    """Find the target, its records and what is claimed.

    Arguments and errors are those of `audit.request.privacy_plan.plan_audit`.
    """
    asked = request.utility
    assert asked is not None
    request.check()
    if request.target in NOISES:
        return _of_noise(request, asked)
    low, high = request.bounds
    target = find_target(request, load)
    _check_budgets(request, target)
    try:
        mechanism = mechanism_of(target)[0]
    except InvalidArgument:  # a function, an adapter: it states nothing
        mechanism = None
    own = user_claims(asked.bias, asked.mse, asked.mae, stated_in)
    bounds = _bounds(low, high, target)
    cases = _cases(request, asked, target, mechanism, own, bounds)
    _check_count(target, cases)
    if not asked.states_claims and asked.truth is None:
        cases = [_with_law(case, mechanism) for case in cases]
    cases, notes = _promised(request, asked, cases)
    cases = [part for case in cases for part in by_success(case, mechanism)]
    made = BY_NAME if target.mechanism is None else BY_OBJECT
    if target.command:
        made = "{made_by}"
    also = f", param={dict(target.parameters)!r}" if target.parameters else ""
    lines = made.format(name=target.name, also=also, made_by=target.made_by)
    target = replace(target, bounds=bounds)
    return UtilityPlan(request, target, tuple(cases), lines, (*target.notes, *notes))


def _of_noise(request: Request, asked: UtilityAsked) -> UtilityPlan:
    """Plan the audit of a noise law, which reads no data."""
    given: dict[str, object] = {"--data": request.data, "--law": asked.law, "--n": asked.n}
    given |= {"--low": request.low, "--high": request.high, "--budgets": request.budgets}
    given["--truth"] = asked.truth
    wrong = [option for option, value in given.items() if value not in (None, ())]
    if asked.states_claims:
        wrong.append("claims of your own")
    if wrong:
        msg = (
            f"{request.target} is a noise law, which reads no records and states its own moments; "
            f"leave out {', '.join(wrong)}"
        )
        raise InvalidArgument(msg)
    target, noise = noise_target(request.target, request.param)
    lines = OF_NOISE.format(name=request.target, parameters=dict(request.param))
    return UtilityPlan(request, target, tuple(noise_cases(request.target, noise)), lines)


def _check_budgets(request: Request, target: Target) -> None:
    """Errors are claimed of no user: budgets are those that a mechanism is made with, or none."""
    if request.budgets and ("budgets" in request.param or "budgets" not in target.parameters):
        msg = (
            f"--utility audits errors, and {target.name} is not made with --budgets; leave out "
            "--budgets"
        )
        raise InvalidArgument(msg)


def _bounds(
    low: Fraction | None, high: Fraction | None, target: Target
) -> tuple[Fraction, Fraction] | None:
    """Where records of data sets that are made lie."""
    if target.record_range is not None and (target.bounds is not None or low is None):
        return target.record_range
    return target.filled_bounds(low, high)


def _cases(
    request: Request,
    asked: UtilityAsked,
    target: Target,
    mechanism: Any,
    own: tuple[UtilityClaim, ...],
    bounds: tuple[Fraction, Fraction] | None,
) -> list[ErrorCase]:
    reach = 0.0 if bounds is None else max(abs(float(end)) for end in bounds)
    rest = (mechanism, own, asked.truth, reach)
    if request.data is not None:
        data = read_column(request.data, request.column)
        column = "" if request.column is None else f", {request.column}"
        return [data_case(f"{plural(data.size, 'record')} of {request.data}{column}", data, *rest)]
    count = asked.n or target.count or len(row_budgets(mechanism)) or DEFAULT_COUNT
    if asked.law:
        return [law_case(text, read_law(text), count, *rest) for text in asked.law]
    if bounds is None:
        msg = (
            f"{target.name} has no bounds to make data sets of; give --data FILE.csv, --law LAW "
            f"({KINDS}) with --n, or --low and --high"
        )
        raise InvalidArgument(msg)
    return [data_case(label, data, *rest) for label, data in worst_cases(*bounds, count)]


def _check_count(target: Target, cases: list[ErrorCase]) -> None:
    for case in cases:
        if target.count is not None and case.count != target.count:
            msg = (
                f"{target.name} takes {target.count} records, got {case.count} ({case.label}); "
                "leave out --n, or set the mechanism's own parameters with --param"
            )
            raise InvalidArgument(msg)


def _with_law(case: ErrorCase, mechanism: Any) -> ErrorCase:
    """Add the law that a mechanism states for the release on a data set."""
    if case.data is None or mechanism is None:
        return case
    law = law_of_mechanism(mechanism, case.data)
    return case if law is None else replace(case, fits=(law,))


def _promised(
    request: Request, asked: UtilityAsked, cases: list[ErrorCase]
) -> tuple[list[ErrorCase], tuple[str, ...]]:
    """Keep the data sets about which something is claimed; a verdict is about claims.

    Raises InvalidArgument if nothing is claimed about any, or about one that the user named.
    """
    kept = [case for case in cases if case.claims or case.fits]
    missing = [case.label for case in cases if not (case.claims or case.fits)]
    named = request.data is not None or bool(asked.law)
    if kept and not (missing and named):
        words = f"nothing is promised, so nothing was tried, on: {', '.join(missing)}"
        return kept, (words,) if missing else ()
    about = f" about the truth {asked.truth}" if asked.truth is not None else ""
    where = f" on {missing[0]}" if named else " on the data sets that are made here"
    msg = (
        f"{request.target} states no utility{about}{where}: state a claim with --unbiased, "
        "--bias B, --mse B or --mae B (estimates and intervals are shown whatever the bound is), "
        "or give other records with --data, or --law and --n"
    )
    raise InvalidArgument(msg)
