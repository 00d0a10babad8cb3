"""One audit as the user asks for it, and what it means: target, claim, pairs, settings.

The command line and the configuration file both end here, so the same words mean the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from audit.data import read_column
from audit.pairs import find_pairs
from audit.stated import stated_level
from audit.targets import Target, load_target
from audit.verdict import AuditResult
from mechanisms.claims import (
    ApproxDP,
    Level,
    Order,
    PersonalizedDP,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
)
from mechanisms.errors import InvalidArgument
from mechanisms.group_privacy import under_relation
from mechanisms.validation import Number, check_bounds, check_choice, exact

if TYPE_CHECKING:
    from pathlib import Path

    from audit.engine.counts.source import CountSource
    from audit.engine.neighbors import Pair

__all__ = ["DEFAULT_SAMPLES", "DEFAULT_SECONDS", "Plan", "Request", "plan_audit", "run_plan"]

DEFAULT_FALSE_ALARM = 0.05
DEFAULT_SAMPLES = 2_000_000
"""Draws of an audit, all arms and pairs together."""

DEFAULT_SECONDS = 50.0
"""Wall time of an audit."""

MODES = ("sequential", "bound")
"""Ways to spend the budget."""


@final
@dataclass(frozen=True, slots=True)
class Request:
    """What to audit, in the words of the command line; None leaves a choice to the target.

    Parameters
    ----------
    target : str
        Registry name, adapter, "pkg.mod:attr" or "file.py:attr".
    epsilon, delta, rho, mu, alpha_order : Number or None
        The claim under audit, of one kind: see `audit.stated`.
    budgets : tuple of Number
        A personalized claim: one epsilon a user.
    param : mapping
        The mechanism's own parameters.
    relation, order : str or None
        As in `Relation` and `Order`.
    low, high : Number or None
        Public bounds.
    data, column : str or None
        The user's records.
    min_size : int
        Smallest size of generated data sets.
    pair : tuple of str
        Pair files; they replace the generated pairs unless `generate`.
    generate, hostile, adversarial, ideal : bool
        More pairs; records out of range; data sets on which sums in machine numbers go wrong;
        leave floating-point features out.
    resolution : float or None
        See `Settings`.
    budget_samples : int or None
        Draws of all arms and pairs together.
    mode : str
        "sequential" stops at a violation; "bound" spends the budget on the tightest lower limit.
    profile : bool
        Also a lower band of the privacy profile, for a pure or approximate claim.
    """

    target: str
    epsilon: Number | None = None
    delta: Number | None = None
    rho: Number | None = None
    mu: Number | None = None
    alpha_order: Number | None = None
    budgets: tuple[Number, ...] = ()
    param: Mapping[str, Any] = field(default_factory=dict)
    relation: str | None = None
    order: str | None = None
    low: Number | None = None
    high: Number | None = None
    data: str | None = None
    column: str | None = None
    min_size: int = 0
    pair: tuple[str, ...] = ()
    generate: bool = False
    hostile: bool = False
    adversarial: bool = False
    ideal: bool = False
    resolution: float | None = None
    budget_samples: int | None = None
    mode: str = "sequential"
    profile: bool = False

    def command(self, result: AuditResult) -> list[str]:
        """Words of the command that repeats a run."""
        words = ["touchstone", "audit", self.target]
        for item in fields(self):
            value, option = getattr(self, item.name), f"--{item.name.replace('_', '-')}"
            if item.name in ("target", "budget_samples") or value == item.default:
                continue
            if item.name == "param":
                for key, setting in value.items():
                    words += [option, f"{key}={_spelled(setting)}"]
            elif item.name == "budgets":
                words += [option, ",".join(map(str, value))]
            elif item.name == "pair":
                for path in value:
                    words += [option, path]
            else:
                words += [option] if value is True else [option, str(value)]
        words += ["--false-alarm", repr(result.false_alarm), "--seed", str(result.seed)]
        if result.stopped_by == "seconds":
            seconds = str(10 * max(1, round(result.seconds)))
            samples = str(result.repeat_samples or result.samples)
            return [*words, "--budget-samples", samples, "--budget-seconds", seconds]
        budget = self.budget_samples
        return words if budget is None else [*words, "--budget-samples", str(budget)]


def _spelled(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value)


@final
@dataclass(frozen=True, slots=True)
class Plan:
    """A request that has been understood: every name found, every file read."""

    request: Request
    target: Target
    claim: PrivacyClaim
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()


def plan_audit(request: Request, *, stated_in: str) -> Plan:
    """Find the target, its claim and its pairs.

    Parameters
    ----------
    request : Request
        What the user asks for.
    stated_in : str
        Where a claim of the user's was stated, for its source.

    Raises
    ------
    TouchstoneError
        If anything is missing, contradictory or out of its domain.
    """
    level = stated_level(
        epsilon=request.epsilon,
        delta=request.delta,
        rho=request.rho,
        mu=request.mu,
        alpha_order=request.alpha_order,
        budgets=request.budgets,
    )
    _check_request(request)
    records = None if request.data is None else read_column(request.data, request.column)
    low, high = _asked_bounds(request)
    notes: list[str] = []
    order = None if request.order is None else _word(Order, request.order, "order")
    target = load_target(request.target, parameters=request.param, order=order, low=low, high=high)
    claim = _claim(request, target, level, stated_in)
    if isinstance(claim.level, PersonalizedDP):
        target = _with_places(target, claim.relation, order)
    if request.profile:
        _check_profile(request, claim)
    bounds = _bounds(low, high, target)
    if bounds is None and records is not None:
        bounds = (exact(float(records.min())), exact(float(records.max())))
        ends = f"low = {float(bounds[0])!r} and high = {float(bounds[1])!r}"
        notes.append(f"{ends} were taken from the data; a mechanism's bounds should be public")
    target = replace(target, bounds=bounds)
    pairs = find_pairs(
        target,
        claim,
        files=request.pair,
        generate=request.generate,
        records=records,
        min_size=request.min_size,
        hostile=request.hostile,
        adversarial=request.adversarial,
    )
    return Plan(request, target, claim, tuple(pairs), tuple(notes))


def _check_request(request: Request) -> None:
    faults = {
        "--column names a column of --data; give both": (
            request.column is not None and request.data is None
        ),
        "--relation listed needs --pair: the neighbors are exactly the listed pairs": (
            request.relation == Relation.LISTED
            and not request.pair
            and not request.target.startswith("corpus.")  # its names have pairs of their own
        ),
        "--relation listed has no generated pairs; leave out --generate, --adversarial, --data": (
            request.relation == Relation.LISTED
            and (request.generate or request.adversarial or request.data is not None)
        ),
        "--pair replaces the pairs made from --data; add --generate to have both": (
            bool(request.pair) and request.data is not None and not request.generate
        ),
    }
    for msg, wrong in faults.items():
        if wrong:
            raise InvalidArgument(msg)
    check_choice(request.mode, "mode", MODES)
    for name in ("resolution", "budget_samples"):
        value = getattr(request, name)
        if value is not None and not value > 0:
            msg = f"{name} must be positive, got {name}={value!r}"
            raise InvalidArgument(msg)


def _word(kind: type[StrEnum], value: str, name: str) -> Any:
    try:
        return kind(value)
    except ValueError as exc:
        known = ", ".join(kind)
        msg = f"{name} must be one of {known}, got {name}={value!r}"
        raise InvalidArgument(msg) from exc


def _asked_bounds(request: Request) -> tuple[Fraction | None, Fraction | None]:
    low = None if request.low is None else exact(request.low, "low")
    high = None if request.high is None else exact(request.high, "high")
    if request.low is not None and request.high is not None:
        check_bounds(request.low, request.high)
    return low, high


def _bounds(
    low: Fraction | None, high: Fraction | None, target: Target
) -> tuple[Fraction, Fraction] | None:
    """The user's bounds, each filled up from the target's."""
    own_low, own_high = target.bounds or (None, None)
    low = own_low if low is None else low
    high = own_high if high is None else high
    if low is None and high is None:
        return None
    if low is None or high is None:
        given, other = ("--high", "--low") if low is None else ("--low", "--high")
        msg = f"{given} needs {other}: {target.name} has no bounds of its own"
        raise InvalidArgument(msg)
    return check_bounds(low, high)


def _claim(request: Request, target: Target, level: Level | None, stated_in: str) -> PrivacyClaim:
    relation = None if request.relation is None else _word(Relation, request.relation, "relation")
    own = target.claim
    if level is None:
        if own is None:
            msg = (
                f"{target.name} makes no claim of its own; state one with --epsilon "
                "(and --delta or --alpha-order), --rho, --mu or --budgets, and --relation"
            )
            raise InvalidArgument(msg)
        return own if relation is None else under_relation(own, relation)
    if relation is None and own is None:
        msg = (
            f"a claim about {target.name} needs its relation: --relation add-remove (the number "
            "of records is private), swap (public) or listed (with --pair)"
        )
        raise InvalidArgument(msg)
    if relation is None:
        assert own is not None
        relation = own.relation
    return PrivacyClaim(level, relation, Source("user", stated_in))


def _with_places(target: Target, relation: Relation, order: Order | None) -> Target:
    """A budget belongs to a place among the records, so their order counts."""
    if relation is Relation.ADD_REMOVE:
        msg = (
            "a personalized claim is about the record of a user that is replaced: relation must "
            f"be {Relation.SWAP} or {Relation.LISTED}, got relation={str(relation)!r}"
        )
        raise InvalidArgument(msg)
    if order is Order.FREE:
        msg = "a personalized claim is about records in the order of the budgets: order is fixed"
        raise InvalidArgument(msg)
    return replace(target, order=Order.FIXED)


def _check_profile(request: Request, claim: PrivacyClaim) -> None:
    if not isinstance(claim.level, PureDP | ApproxDP):
        msg = (
            "--profile goes with a pure or approximate claim, "
            f"got {claim.level} (type {type(claim.level).__name__})"
        )
        raise InvalidArgument(msg)
    if request.mode == "bound":
        msg = "--profile is a part of --mode sequential; leave it out with --mode bound"
        raise InvalidArgument(msg)


def run_plan(
    plan: Plan,
    *,
    seed: int,
    false_alarm: float = DEFAULT_FALSE_ALARM,
    budget_seconds: float = DEFAULT_SECONDS,
    progress: Callable[[int, float], None] | None = None,
    source: CountSource | None = None,
    resume: Path | None = None,
) -> AuditResult:
    """Run the audit of a plan; see `audit.engine.sequential.audit`."""
    from audit.engine import sequential
    from audit.engine.bound import audit as bound

    request, budget = plan.request, plan.request.budget_samples
    settings = sequential.Settings(
        seed=seed,
        false_alarm=false_alarm,
        budget_samples=DEFAULT_SAMPLES if budget is None else budget,
        budget_seconds=budget_seconds,
        ideal=request.ideal,
        resolution=request.resolution,
        min_size=request.min_size,
        profile=request.profile,
    )
    if request.mode == "bound":
        if resume is not None:
            msg = "--resume keeps runs of --mode sequential; leave it out with --mode bound"
            raise InvalidArgument(msg)
        result = bound.audit(
            plan.target, plan.claim, plan.pairs, settings, progress=progress, source=source
        )
        return replace(result, notes=(*plan.notes, *result.notes))
    result = sequential.audit(
        plan.target,
        plan.claim,
        plan.pairs,
        settings,
        progress=progress,
        source=source,
        resume=resume,
    )
    return replace(result, notes=(*plan.notes, *result.notes))
