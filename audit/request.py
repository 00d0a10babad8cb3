"""One audit as the user asks for it, and what it means: target, claim, pairs, settings.

The command line and the configuration file both end here, so the same words mean the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from audit.data import check_neighbors, read_column, read_pair
from audit.targets import Target, load_target
from audit.verdict import AuditResult
from mechanisms.claims import ApproxDP, Level, Order, PrivacyClaim, PureDP, Relation, Source
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
    epsilon, delta : Number or None
        The claim under audit.
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
    generate, hostile, ideal : bool
        More pairs; records out of range; leave floating-point features out.
    resolution : float or None
        See `Settings`.
    budget_samples : int or None
        Draws of all arms and pairs together.
    mode : str
        "sequential" stops at a violation; "bound" spends the budget on the tightest lower limit.
    """

    target: str
    epsilon: Number | None = None
    delta: Number | None = None
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
    ideal: bool = False
    resolution: float | None = None
    budget_samples: int | None = None
    mode: str = "sequential"

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
    _check_request(request)
    records = None if request.data is None else read_column(request.data, request.column)
    low, high = _asked_bounds(request)
    notes: list[str] = []
    order = None if request.order is None else _word(Order, request.order, "order")
    target = load_target(request.target, parameters=request.param, order=order, low=low, high=high)
    claim = _claim(request, target, stated_in)
    bounds = _bounds(low, high, target)
    if bounds is None and records is not None:
        bounds = (exact(float(records.min())), exact(float(records.max())))
        ends = f"low = {float(bounds[0])!r} and high = {float(bounds[1])!r}"
        notes.append(f"{ends} were taken from the data; a mechanism's bounds should be public")
    target = replace(target, bounds=bounds)
    pairs = _pairs(request, target, claim.relation, records)
    return Plan(request, target, claim, tuple(pairs), tuple(notes))


def _check_request(request: Request) -> None:
    faults = {
        "--delta states a claim together with --epsilon; give both": (
            request.delta is not None and request.epsilon is None
        ),
        "--column names a column of --data; give both": (
            request.column is not None and request.data is None
        ),
        "--relation listed needs --pair: the neighbors are exactly the listed pairs": (
            request.relation == Relation.LISTED
            and not request.pair
            and not request.target.startswith("corpus.")  # its names have pairs of their own
        ),
        "--relation listed has no generated pairs; leave out --generate and --data": (
            request.relation == Relation.LISTED and (request.generate or request.data is not None)
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


def _claim(request: Request, target: Target, stated_in: str) -> PrivacyClaim:
    relation = None if request.relation is None else _word(Relation, request.relation, "relation")
    own = target.claim
    if request.epsilon is None:
        if own is None:
            msg = (
                f"{target.name} makes no claim of its own; state one with --epsilon "
                "(and --delta) and --relation"
            )
            raise InvalidArgument(msg)
        return own if relation is None else under_relation(own, relation)
    level: Level = PureDP(request.epsilon)
    if request.delta is not None:
        level = ApproxDP(request.epsilon, request.delta)
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


def _pairs(request: Request, target: Target, relation: Relation, records: Any) -> list[Pair]:
    from audit.engine.neighbors import Pair, pairs_from_records, worst_case_pairs

    pairs = [read_pair(path) for path in request.pair]
    for pair in pairs:
        check_neighbors(pair, relation, target.order)
    if pairs and not request.generate:
        return pairs
    if relation is Relation.LISTED and target.pairs:
        return pairs + [Pair(f"{_words(x)} and {_words(y)}", x, y) for x, y in target.pairs]
    if relation is Relation.LISTED:
        msg = f"the claim of {target.name} is about listed pairs: give each with --pair FILE.json"
        raise InvalidArgument(msg)
    if target.bounds is None:
        msg = (
            f"{target.name} has no bounds to make neighboring data sets from: give --low and "
            "--high, --data FILE.csv, or --pair FILE.json"
        )
        raise InvalidArgument(msg)
    low, high = target.bounds
    sizes: dict[str, Any] = {"order": target.order, "min_size": request.min_size}
    pairs += worst_case_pairs(relation, low, high, hostile=request.hostile, **sizes)
    if records is not None:
        pairs += pairs_from_records(records, relation, low, high, **sizes)
    if not pairs:
        msg = f"no pair of data sets has at least min_size={request.min_size} records"
        raise InvalidArgument(msg)
    return pairs


def _words(x: Any) -> str:
    """A vector of query answers in words."""
    return "(" + ", ".join(f"{value:g}" for value in x) + ")"


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
