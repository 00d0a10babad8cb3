"""The gate: all audits of a configuration at one false-alarm rate, and one exit status.

Every name is looked up and every file read before the first draw. How the rate is split is in
`audit.suite.shares`: a run in which every claim holds has a false alarm with at most that
probability. Draws end the audits; time is a cap, of each audit and of the run, so that a slow
machine gives the same verdicts. Results are in the order of the configuration.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from audit.accounting.account_result import AccountResult
from audit.request.account_plan import AccountPlan, plan_account, plan_object
from audit.request.configuration import Config
from audit.request.configured_audits import Entry
from audit.request.error_plan import UtilityPlan, plan_utility
from audit.request.plans import GatePlan
from audit.request.privacy_plan import plan_audit
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.runs.account_run import run_account
from audit.runs.accuracy_run import run_utility
from audit.runs.privacy_run import AUDIT_SECONDS, prove_plan, run_plan
from audit.suite.exit_status import Exit, of_audit, worst
from audit.suite.gate_outcome import GateResult, Outcome, Told
from audit.suite.history import History, check_options, open_history
from audit.suite.ledger_claims import ProofOutcome, check_names, run_proofs
from audit.suite.shares import level_of, may_alarm, share_of
from audit.suite.stored_tables import TableOutcome, check_files, run_tables
from audit.targets.separation import ProcessEnded, now_at, separately
from audit.utility.error_result import UtilityResult
from mechanisms.errors import InvalidArgument, TouchstoneError

if TYPE_CHECKING:
    from audit.engine.counts.source import CountSource
    from audit.engine.night_wealth import Carried
    from audit.request.request import Samples
    from audit.suite.wealth_of_nights import Night

__all__ = ["cap_of", "override", "plan_gate", "prepare", "run_gate", "seed_of"]

SHORTEST_SECONDS = 1.0
"""Time that an audit gets even when the run's is used up."""

MOST_SECONDS = 3600.0
"""Cap of a run's wall time where nobody states one: chosen, so that a job ends within its hour."""

TRACEBACK_VARIABLE = "TOUCHSTONE_TRACEBACK"


@final
@dataclass(frozen=True, slots=True)
class _Reply:
    """What comes back from one audit, also from another process."""

    result: AuditResult | ExactResult | UtilityResult | AccountResult | None
    error: str | None = None
    status: Exit = Exit.OK


def override(
    config: Config,
    *,
    false_alarm: float | None = None,
    budget_seconds: float | None = None,
    budget_samples: Samples | None = None,
    resolution: float | None = None,
    ideal: bool = False,
    slow: bool = True,
) -> Config:
    """Put the command line's options over the configuration's; leave slow audits out, or not."""
    changes: dict[str, Any] = {}
    if budget_samples is not None:
        changes["budget_samples"] = budget_samples
    if resolution is not None:
        changes["resolution"] = resolution
    if ideal:
        changes["ideal"] = True
    of_utility = {key: value for key, value in changes.items() if key == "budget_samples"}
    entries = tuple(
        e
        if e.request.mode == "exact"
        else replace(
            e, request=replace(e.request, **(of_utility if e.request.utility else changes))
        )
        for e in config.entries
        if slow or not e.slow
    )
    left_out = len(config.entries) - len(entries)
    if left_out and not entries:
        all_are, them = (f"all {left_out} audits of {config.name} are", "them")
        if left_out == 1:
            all_are, them = f"the only audit of {config.name} is", "it"
        msg = f"{all_are} slow: run {them} with --slow"
        raise InvalidArgument(msg)
    return replace(
        config,
        entries=entries,
        left_out=left_out,
        false_alarm=config.false_alarm if false_alarm is None else false_alarm,
        budget_seconds=config.budget_seconds if budget_seconds is None else budget_seconds,
    )


def prepare(
    whole: Config,
    *,
    seed: int,
    changed_since: str | None = None,
    carry: str | None = None,
    writes: bool = False,
    **changes: Any,
) -> History:
    """Understand every audit, and read what earlier runs have left.

    `whole`: as it is written. `seed`: of the run. `changed_since`, `carry`, `writes`: as in
    `audit.suite.history.open_history`. `**changes`: as in `override`. Returns: its `config` and
    `plans` are those to run. Raises TouchstoneError if something cannot be run; nothing was drawn.
    """
    check_options(whole, changed_since, writes)
    config = override(whole, **changes)
    past: dict[str, Any] = {"changed_since": changed_since, "carry": carry, "writes": writes}
    return open_history(whole, config, plan_gate(config), seed=seed, **past)


def seed_of(seed: int, index: int) -> int:
    """Seed of one audit of a run: below 2^32, so that it can be typed."""
    from audit.draws.streams import Purpose, derived_seed

    return derived_seed(seed, Purpose.GATE, index)


def plan_gate(config: Config) -> list[GatePlan]:
    """Understand every audit, every name of a proof and every stored table before any is run.

    Raises TouchstoneError at the first that cannot be run; the message begins with its name.
    """
    check_names(config.proofs)
    check_files(config.tables)
    plans = []
    for entry in config.entries:
        now_at(entry.name)
        try:
            plans.append(_planned(entry, config.name))
        except TouchstoneError as exc:
            msg = f"{entry.name}: {exc}"
            raise type(exc)(msg) from exc
    return plans


def _planned(entry: Entry, stated_in: str) -> GatePlan:
    """Understand one audit, of privacy or of errors, or a plan of releases."""
    asked = entry.request.account
    if asked is not None:
        read = plan_object if asked.is_object else plan_account
        return read(
            entry.request.target, relation=asked.relation, delta=asked.delta, claim=asked.claim
        )
    plan = plan_audit if entry.request.utility is None else plan_utility
    return plan(entry.request, stated_in=stated_in)


def cap_of(config: Config) -> float:
    """Wall time of a run: as stated, or the sum of its audits' caps, at most an hour."""
    if config.budget_seconds is not None:
        return config.budget_seconds
    return min(MOST_SECONDS, AUDIT_SECONDS * max(1, len(config.entries)))


def run_gate(
    config: Config,
    plans: Sequence[GatePlan],
    *,
    seed: int,
    jobs: int = 1,
    source: CountSource | None = None,
    inconclusive_ok: bool = False,
    on_outcome: Callable[[Outcome | ProofOutcome | TableOutcome], None] | None = None,
    history: History | None = None,
) -> GateResult:
    """Run the audits of a configuration, then its proofs, and check its stored tables.

    `plans`: from `plan_gate`, in the order of the configuration. `jobs`: processes over which the
    audits are spread; the draws do not depend on their number. `source`: where each audit draws its
    samples; needs `jobs` = 1. `inconclusive_ok`: whether INCONCLUSIVE counts as a pass.
    `on_outcome`: called with each outcome as it comes. `history`: what is known of earlier runs;
    its configuration and plans are those that are run.
    """
    started = time.time()
    share = share_of(config, plans)
    outcomes: list[Outcome] = []
    proofs: list[ProofOutcome] = []
    tables: list[TableOutcome] = []
    interrupted = False
    cap = cap_of(config)
    nights = [None if history is None else history.night(i) for i in range(len(plans))]
    replies = _replies(config, plans, seed, nights, share, started + cap, jobs, source)
    try:
        for entry, plan, reply in zip(config.entries, plans, replies, strict=True):
            status = reply.status
            if reply.result is not None:
                status = of_audit(
                    reply.result, expect=entry.expect, inconclusive_ok=inconclusive_ok
                )
            outcome = Outcome(
                entry.name,
                entry.expect,
                plan,
                reply.result,
                reply.error,
                status,
                title=entry.title,
            )
            if history is not None:
                outcome = history.finish(len(outcomes), outcome)
            outcomes.append(outcome)
            if on_outcome is not None:
                on_outcome(outcome)
        for proof in run_proofs(config.proofs, jobs=jobs):
            proofs.append(proof)
            if on_outcome is not None:
                on_outcome(proof)
        for table in run_tables(config.tables):
            tables.append(table)
            if on_outcome is not None:
                on_outcome(table)
    except KeyboardInterrupt:
        interrupted = True
    done: list[Outcome | ProofOutcome | TableOutcome] = [*outcomes, *proofs, *tables]
    status = Exit.INTERRUPTED if interrupted else worst(one.status for one in done)
    listed = [entry.title or entry.name for entry in config.entries]
    missing = [*listed[len(outcomes) :], *config.proofs[len(proofs) :]]
    missing += config.tables[len(tables) :]
    told = Told()
    if history is not None:
        told, status = history.end(outcomes, status)
    return GateResult(
        configuration=config.name,
        outcomes=tuple(outcomes),
        planned=len(plans),
        status=status,
        false_alarm=config.false_alarm,
        share=share,
        budget_seconds=cap,
        seconds=time.time() - started,
        seed=seed,
        interrupted=interrupted,
        proofs=tuple(proofs),
        left_out=config.left_out,
        tables=tuple(tables),
        told=told,
        sharing=sum(map(may_alarm, config.entries, plans)),
        not_run=tuple(missing),
    )


def _replies(
    config: Config,
    plans: Sequence[GatePlan],
    seed: int,
    nights: Sequence[Night | None],
    share: float,
    deadline: float,
    jobs: int,
    source: CountSource | None,
) -> Iterator[_Reply]:
    """Run the audits, here or in other processes; replies in order."""
    own_cap = max(AUDIT_SECONDS, cap_of(config) / max(1, len(plans)))
    run: dict[str, Any] = {"deadline": deadline, "cap": own_cap}
    places: list[dict[str, Any]] = [
        {
            "own_seed": seed_of(seed, index) if night is None else night.seed,
            "carried": None if night is None else night.carried,
            "level": level_of(entry, config, share),
            "shrink": entry.expect != "refuted",  # of a control it is enough that it is refuted
        }
        for index, (entry, night) in enumerate(zip(config.entries, nights, strict=True))
    ]
    jobs = min(jobs, len(plans)) or 1
    if jobs == 1:
        for entry, plan, place in zip(config.entries, plans, places, strict=True):
            # workers of dask are reached by threads, which no fork has
            own = partial(_run_one, plan, source=source, **place, **run)
            yield _contained(entry, own, forks=source is None)
        return
    from joblib import Parallel, delayed

    folder = str(Path.cwd())
    parallel = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="n_jobs")
    tasks = (
        delayed(_plan_and_run)(entry, config.name, folder, **place, **run)
        for entry, place in zip(config.entries, places, strict=True)
    )
    try:
        yield from parallel(tasks)
    except BaseException:
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=False, kill_workers=True)
        raise


def _plan_and_run(entry: Entry, stated_in: str, folder: str, **run: Any) -> _Reply:
    """Plan again in a process of its own: samplers do not travel.

    The process may be left from an earlier run in another folder.
    """
    os.chdir(folder)
    return _contained(entry, lambda: _run_one(_planned(entry, stated_in), **run))


def _contained(entry: Entry, run: Callable[[], _Reply], *, forks: bool = True) -> _Reply:
    """Run one audit in a process of its own: where that ends, this audit alone has no verdict."""
    forks = forks and not entry.request.in_process
    try:
        return separately(run, forks=forks)
    except ProcessEnded as exc:
        return _Reply(None, str(exc), Exit.USAGE)


def _run_one(
    plan: GatePlan,
    *,
    own_seed: int,
    carried: Carried | None,
    level: float,
    deadline: float,
    cap: float,
    shrink: bool = True,
    source: CountSource | None = None,
) -> _Reply:
    """Run one audit within its cap and what the run's leaves; a failure is a reply."""
    seconds = max(SHORTEST_SECONDS, min(cap, deadline - time.time()))
    try:
        settings: dict[str, Any] = {"false_alarm": level, "budget_seconds": seconds}
        if isinstance(plan, AccountPlan):
            return _Reply(run_account(plan))
        if isinstance(plan, UtilityPlan):
            return _Reply(run_utility(plan, seed=own_seed, **settings))
        if plan.request.mode == "exact":
            return _Reply(prove_plan(plan))
        told: dict[str, Any] = {"source": source, "carried": carried, "shrink": shrink}
        return _Reply(run_plan(plan, seed=own_seed, **told, **settings))
    except TouchstoneError as exc:
        return _Reply(None, str(exc), Exit.USAGE)
    except (KeyboardInterrupt, SystemExit):  # whoever waits for the process knows whose it is
        raise
    except BaseException as exc:  # noqa: BLE001 - one audit's error must not end the run
        if os.environ.get(TRACEBACK_VARIABLE):
            import traceback

            traceback.print_exc()
        return _Reply(None, f"internal error: {type(exc).__name__}: {exc}", Exit.INTERNAL)
