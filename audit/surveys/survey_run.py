"""The run of a survey: every row within its share of the rate, the time and the draws.

The false-alarm rate is that of the whole survey: each row that draws samples has the same part of
it, by the union bound, and a row without noise none, since its refutation is exact. Every REFUTED
is confirmed: the counts of fresh draws, made after the event was chosen, break the claim by
themselves at that part of the rate, or fresh processes have answered again. What is not confirmed
is INCONCLUSIVE. Time is split among the rows that remain, so what one leaves goes to the others.
"""

from __future__ import annotations

import datetime
import fnmatch
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final
from zlib import crc32

from audit.draws.streams import Purpose, derived_seed
from audit.engine.privacy_document import evidence
from audit.request.privacy_plan import PrivacyPlan
from audit.results.number_words import number_above
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.results.versions import touchstone_version
from audit.runs.privacy_run import run_plan
from audit.runs.sensitivity_run import run_sensitivity
from audit.stability.properties import Property
from audit.stability.sensitivity_result import SensitivityResult
from audit.stability.sensitivity_sentences import distance_words, number_words
from audit.surveys.row import ERROR, NOT_AUDITED, SurveyRow
from audit.surveys.survey_journal import open_journal, seed_in
from audit.surveys.survey_result import FALSE_ALARM, SurveyResult
from audit.surveys.survey_scope import Scope, SurveyCase, plan_of, scope_of
from audit.targets.separation import ProcessEnded, separately
from mechanisms.errors import InvalidArgument, TouchstoneError

__all__ = ["SECONDS", "SurveySettings", "ask_survey", "run_case", "run_survey"]

SECONDS = 600.0
"""Cap of the wall time of a survey: chosen, a coffee break."""

SHORTEST_SECONDS = 2.0
"""Time that a row gets even when that of the survey is used up."""

CONFIRMATIONS = 3
"""Runs at most that are to confirm what the first one refuted: chosen. Of nine runs on three
mechanisms of diffprivlib whose bits tell the value, all refuted and four were confirmed."""

RANDOM = (
    "it answers twice otherwise on the same data: what it promises is about random answers, and a "
    "search for two single answers does not test that"
)

OTHER_PAIRS = "other pairs of values than those of the table, of which the claim speaks as well"

UNCONFIRMED = "not confirmed: on fresh draws alone the claim is not broken ({})"


@final
@dataclass(frozen=True, slots=True)
class SurveySettings:
    """How a survey is run."""

    seed: int
    """Of the survey; each row has one of its own, by its name."""
    false_alarm: float = FALSE_ALARM
    """Of all rows together."""
    samples: int | None = None
    """Draws that a row may take; None for what its power statement needs."""
    seconds: float = SECONDS
    """Cap of the wall time."""
    resolution: float | None = None
    """How far above its claim a violation may lie unseen; see `SurveyResult`."""
    ideal: bool = False
    """Whether floating-point features are left out."""
    only: str = ""
    """A part of the names of rows, or a pattern as of files; empty for all."""
    table: str = ""
    """The user's own table; empty for none."""
    resume: Path | None = None
    """Where rows are kept as they are done."""

    def check(self) -> None:
        """Check what the numbers alone can tell.

        Raises InvalidArgument if one of them is out of its domain.
        """
        if not 0 < self.false_alarm < 1:
            msg = f"false_alarm must lie in (0, 1), got false_alarm={self.false_alarm!r}"
            raise InvalidArgument(msg)
        for name in ("samples", "seconds", "resolution"):
            value, word = getattr(self, name), name if name == "resolution" else f"budget_{name}"
            if value is not None and not value > 0:
                msg = f"{word} must be positive, got {word}={value!r}"
                raise InvalidArgument(msg)


def ask_survey(
    library: str,
    *,
    fresh: int,
    seed: int | None = None,
    only: str | None = None,
    rows: str | None = None,
    false_alarm: float = FALSE_ALARM,
    budget_samples: int | None = None,
    budget_seconds: float = SECONDS,
    resolution: float | None = None,
    ideal: bool = False,
    resume: Path | None = None,
    on_row: Callable[[int, int, str], None] | None = None,
) -> SurveyResult:
    """Run a survey.

    `library`: a library that has a table, or a module. `fresh`: the seed where none is given or
    kept. `seed`: of the survey; None for the one that is kept, or a fresh one. `only`: rows whose
    name holds this, or fits it as a pattern; None for all. `rows`: a table of the user's.
    `false_alarm`, `budget_samples`, `budget_seconds`, `resolution`, `ideal`: as of
    `SurveySettings`. `resume`: where rows are kept. `on_row`: as of
    `run_survey`. Raises TouchstoneError if a word is out of its domain, or a
    table or the library cannot be read.
    """
    kept = seed_in(resume) if seed is None else seed
    settings = SurveySettings(
        fresh if kept is None else kept,
        float(false_alarm),
        budget_samples,
        float(budget_seconds),
        None if resolution is None else float(resolution),
        ideal,
        only or "",
        rows or "",
        resume,
    )
    settings.check()
    return run_survey(scope_of(library, rows), settings, on_row=on_row)


def run_survey(
    scope: Scope,
    settings: SurveySettings,
    *,
    on_row: Callable[[int, int, str], None] | None = None,
) -> SurveyResult:
    """Go through the rows of a survey.

    `scope`: all of them. `settings`: how. `on_row`: told how many are done, of how many, and the
    name of the next. Raises InvalidArgument if a number is out of its domain, no row fits the
    pattern, or the file is another survey's.
    """
    settings.check()
    started = time.monotonic()
    cases = _chosen(scope, settings.only)
    share = settings.false_alarm / max(1, scope.sharing)
    journal = open_journal(settings.resume, _asked(scope, settings), seconds=settings.seconds)
    rows: list[SurveyRow] = []
    interrupted = False
    try:
        for place, case in enumerate(cases):
            if on_row is not None:
                on_row(place, len(cases), case.name)
            if case.name not in journal.rows:
                left = settings.seconds - (time.monotonic() - started)
                waiting = sum(
                    case.name not in journal.rows and case.kind != "none" for case in cases[place:]
                )
                seconds = max(SHORTEST_SECONDS, left / max(1, waiting))
                journal.add(_run_apart(case, settings, share=share, seconds=seconds))
            rows.append(journal.rows[case.name])
    except KeyboardInterrupt:
        interrupted = True
    return SurveyResult(
        scope.name,
        scope.subject,
        datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        tuple(rows),
        len(cases),
        settings.false_alarm,
        share,
        scope.sharing,
        settings.samples,
        settings.resolution,
        settings.seconds,
        time.monotonic() - started,
        settings.seed,
        settings.only,
        settings.table,
        settings.ideal,
        interrupted,
    )


def _chosen(scope: Scope, only: str) -> list[SurveyCase]:
    """The row of this name; else those whose name holds it, or fits it as a pattern."""
    if not only:
        return list(scope.cases)
    found = [case for case in scope.cases if case.name == only]
    found = found or [
        case for case in scope.cases if only in case.name or fnmatch.fnmatchcase(case.name, only)
    ]
    if not found:
        msg = f"only: no row of {scope.name} is named like {only!r}"
        raise InvalidArgument(msg)
    return found


def _asked(scope: Scope, settings: SurveySettings) -> dict[str, Any]:
    """What tells one survey from another, for the file that it is kept in."""
    return {
        "library": scope.name,
        "of": scope.subject,
        "rows": f"{len(scope.cases)} rows, {crc32(repr(scope.cases).encode()):08x}",
        "seed": settings.seed,
        "false_alarm": settings.false_alarm,
        "budget_samples": settings.samples,
        "resolution": settings.resolution,
        "ideal": settings.ideal,
        "touchstone": touchstone_version(),
    }


def _run_apart(case: SurveyCase, settings: SurveySettings, **told: float) -> SurveyRow:
    """Audit one row in a process of its own: where that ends, this row alone has no verdict."""
    try:
        return separately(lambda: run_case(case, settings, **told))
    except ProcessEnded as exc:
        return replace(_begun(case), verdict=ERROR, reason=str(exc))


def run_case(
    case: SurveyCase, settings: SurveySettings, *, share: float, seconds: float
) -> SurveyRow:
    """Audit one row; what is wrong with it is what the row says."""
    row = _begun(case)
    if case.kind == "none":
        return row
    seed = derived_seed(settings.seed, Purpose.SURVEY, crc32(case.name.encode()))
    started = time.monotonic()
    try:
        plan = plan_of(
            case,
            samples=settings.samples,
            resolution=settings.resolution,
            ideal=settings.ideal,
        )
    except TouchstoneError as exc:
        return replace(row, kind="none", reason=f"no audit of it is known: {exc}")
    told: dict[str, Any] = {"seed": seed, "budget_seconds": seconds}
    try:
        if isinstance(plan, PrivacyPlan):
            found = _of_audit(replace(row, share=share), _audited(plan, share, told))
            if case.call is not None and case.call.pairs:
                found = replace(found, not_tried=(OTHER_PAIRS, *found.not_tried))
            return found
        return _of_sensitivity(row, run_sensitivity(plan, started=started, **told))
    except TouchstoneError as exc:
        return replace(row, verdict=ERROR, reason=str(exc), seed=seed)
    except Exception as exc:  # noqa: BLE001 - one row's error must not end the survey
        return replace(row, verdict=ERROR, reason=f"{type(exc).__name__}: {exc}", seed=seed)


def _audited(plan: PrivacyPlan, share: float, told: dict[str, Any]) -> AuditResult:
    """Audit a row; what is refuted and not confirmed by its own fresh draws has other runs.

    Only a claim that the first run has refuted at its share of the rate is looked at again, so
    however many runs are to confirm it, a claim that holds is REFUTED with no more than that share.
    """
    first = run_plan(plan, false_alarm=share, **told)
    if first.verdict is not Verdict.REFUTED or is_confirmed(first):
        return first
    samples = first.samples
    for number in range(CONFIRMATIONS):
        again = derived_seed(told["seed"], Purpose.SURVEY, number)
        result = run_plan(plan, false_alarm=share, **{**told, "seed": again})
        samples += result.samples
        if is_confirmed(result):
            return replace(result, samples=samples)
    return replace(first, samples=samples)


def is_confirmed(result: AuditResult) -> bool:
    """Whether the fresh draws of a witness alone break the claim."""
    return result.witness is not None and result.witness.confirmed


def _begun(case: SurveyCase) -> SurveyRow:
    """What is known of a row before it is run."""
    call = case.call
    row = SurveyRow(case.name, case.constructor, case.kind, NOT_AUDITED, case.why_not)
    if call is None:
        return row
    return replace(
        row,
        call=call.expression,
        unit=call.unit,
        source=call.source,
        relations=case.relations,
        relation="" if case.relation is None else case.relation.value,
    )


def _of_audit(row: SurveyRow, result: AuditResult) -> SurveyRow:
    """A row of an audit from samples."""
    witness, reason, verdict = result.witness, result.reason, result.verdict
    confirmed = is_confirmed(result)
    draws = result.samples + (0 if result.screening is None else result.screening.draws)
    if verdict is Verdict.REFUTED and not confirmed:
        verdict, reason = Verdict.INCONCLUSIVE, UNCONFIRMED.format(reason)
    return replace(
        row,
        verdict=verdict.value,
        reason=reason,
        claim=str(result.claim.level),
        relation=result.claim.relation.value,
        source=row.source or str(result.claim.source),
        evidence="".join([*evidence(result)][:1]),
        event="" if witness is None else witness.event,
        pair="" if witness is None else witness.pair,
        is_confirmed=confirmed,
        samples=result.samples,
        pairs=result.pairs,
        seconds=round(result.seconds, 3),
        draw_seconds=float(f"{result.seconds / max(1, draws):.3g}"),
        seed=result.seed,
        not_tried=result.not_tried,
        notes=result.notes,
        detectable="" if result.detectable is None else number_above(result.detectable.at_tenth),
    )


def _of_sensitivity(row: SurveyRow, result: SensitivityResult) -> SurveyRow:
    """A row of a search for a sensitivity."""
    claim, witness = result.claim, result.witness
    largest, verdict, reason = result.largest, result.verdict, result.reason
    is_random = any(one.broken is Property.FUNCTION for one in result.witnesses)
    if is_random:
        verdict, reason = Verdict.INCONCLUSIVE, RANDOM
    told = "" if largest is None else f"{distance_words(largest)} of {number_words(claim.at_most)}"
    return replace(
        row,
        verdict=verdict.value,
        reason=reason,
        claim=f"{claim.norm.value} distance at most {number_words(claim.at_most)}",
        relation=claim.relation.value,
        evidence=told,
        event="" if witness is None else witness.broken.value,
        pair="" if witness is None else witness.pair,
        is_confirmed=witness is not None and not is_random,
        samples=result.calls,
        pairs=result.pairs,
        seconds=round(result.seconds, 3),
        draw_seconds=float(f"{result.seconds / max(1, result.calls):.3g}"),
        seed=result.seed,
        not_tried=result.not_tried,
        notes=result.notes,
    )
