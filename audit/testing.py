"""An audit that a test asks for: the words of the configuration, an object at hand or a name.

The pytest plugin ends here, as the gate's configuration does, so the same words mean the same
thing. Paths are seen from the project's root folder. Warnings of a mechanism are shown as the
command line shows them and are never turned into errors: an exception is an outcome, and what a
mechanism does must not depend on the test runner's filters.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, final

from audit.accounting.account_sentences import rounded
from audit.request.word_values import asks
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.targets.separation import ProcessEnded, now_at, separately
from mechanisms.errors import InvalidArgument, TouchstoneError
from mechanisms.validation import check_choice, shown

if TYPE_CHECKING:
    from audit.accounting.account_result import AccountResult
    from audit.request.configured_audits import Entry
    from audit.request.privacy_plan import PrivacyPlan
    from audit.targets.target import Target
    from mechanisms.claims import PrivacyClaim

__all__ = ["PROFILES", "ToldAudit", "account_in_test", "audit_in_test", "words_of_tests"]

PROFILES: dict[str, tuple[int | None, float]] = {
    "quick": (500_000, 120.0),
    "default": (None, 600.0),
    "thorough": (50_000_000, 3600.0),
}
"""Draws of one audit (None: as many as `touchstone audit` takes by default, for its power
statement), and a cap of its seconds, unless its own words say otherwise."""

OF_THE_SESSION = ("false_alarm", "seed")

Row = dict[str, str | int | float]


@final
@dataclass(frozen=True, slots=True)
class ToldAudit:
    """What an audit tells a test."""

    result: AuditResult | ExactResult | AccountResult | None
    """None where the words were wrong."""
    failure: str | None
    """Why the test fails: the report, or what was wrong."""
    row: Row
    """For summaries: plain texts and numbers."""


F = TypeVar("F", bound=Callable[..., "ToldAudit"])


def _apart(function: F) -> F:
    """Let it work in a process of its own: the session of pytest goes on whatever ends that."""

    @wraps(function)
    def told(subject: Any, words: Mapping[str, Any], **where: Any) -> ToldAudit:
        def work() -> ToldAudit:
            now_at(words.get("target", "") if subject is None else subject)
            return function(subject, words, **where)

        try:
            return separately(work, forks=not asks(words, "in_process", True))
        except ProcessEnded as exc:
            return ToldAudit(None, _wrong(str(exc)), {})

    return told  # type: ignore[return-value]


@_apart
def audit_in_test(
    mechanism: Any,
    words: Mapping[str, Any],
    *,
    place: str,
    folder: Path,
    seed: int,
    false_alarm: float,
    profile: str,
    repeat: Sequence[str],
    inconclusive_ok: bool = False,
) -> ToldAudit:
    """Audit a mechanism, and say whether the test that gave it fails.

    `mechanism`: an object (mechanism, class of them, or function), or a text that names one; None
    for a command. `words`: what to audit, as in the configuration; see `words_of_tests`. `place`:
    the test, as the source of its claim. `folder`: where paths are seen from. `seed`,
    `false_alarm`: this audit's. `profile`: one of `PROFILES`. `repeat`: words of the command that
    repeats the test. `inconclusive_ok`: whether INCONCLUSIVE passes.
    """
    from audit.report.document_lines import document_text
    from audit.request.call import stated_words
    from audit.runs.result_kinds import document_of
    from audit.suite.exit_status import of_audit

    try:
        with _imports_kept(folder), warnings.catch_warnings():
            warnings.simplefilter("default")
            own = dict(words)
            claim, expect = own.pop("claim", None), _expectation(own)
            own |= stated_words(claim, own)
            entry, seconds = _read(mechanism, own, folder, profile, tuple(repeat))
            plan = _plan(mechanism, entry, place, folder, claim)
            result = _run(plan, seed, false_alarm, seconds)
    except TouchstoneError as exc:
        return ToldAudit(None, _wrong(str(exc)), {})
    text = document_text(document_of(result, plan))
    failure = None
    if expect is not None:
        if result.verdict is not expect:
            failure = f"NOT {expect}, as the test expects: {result.target}\n\n{text}"
    elif of_audit(result, expect=entry.expect, inconclusive_ok=inconclusive_ok):
        failure = text
        if entry.expect == "refuted":
            failure = f"NOT REFUTED, as a positive control must be: {result.target}\n\n{text}"
        elif result.verdict is Verdict.INCONCLUSIVE:
            failure = f"{text.rstrip()}\n\n--privacy-inconclusive=ok lets such a test pass.\n"
    return ToldAudit(result, failure, _row(result, seed, false_alarm))


OF_AN_ACCOUNT = ("relation", "delta", "claim", "expect")
"""Words of a plan in a test: as those of an entry `account` of the gate."""


@_apart
def account_in_test(
    plan: Any,
    words: Mapping[str, Any],
    *,
    folder: Path,
    repeat: Sequence[str],
    inconclusive_ok: bool = False,
) -> ToldAudit:
    """Add up a plan, and say whether the test that gave it fails.

    `plan`: as for `audit.account`; a file is seen from `folder`. `words`: those of
    `OF_AN_ACCOUNT`. `repeat`: words of the command that repeats the test. `inconclusive_ok`:
    whether INCONCLUSIVE passes.
    """
    from audit.report.document_lines import document_text
    from audit.request.account_plan import plan_account
    from audit.runs.account_run import run_account
    from audit.runs.result_kinds import document_of
    from audit.suite.exit_status import of_audit

    own = dict(words)
    try:
        unknown = [word for word in own if word not in OF_AN_ACCOUNT]
        if unknown:
            msg = f"unknown word {unknown[0]!r} of an account; known: {', '.join(OF_AN_ACCOUNT)}"
            raise InvalidArgument(msg)
        expect = _expectation(own)
        expected = own.pop("expect", None) or "consistent"
        file = folder / plan if isinstance(plan, str | Path) else plan
        asked = plan_account(file, **own)
        request = replace(asked.request, repeat=tuple(repeat), call="")
        asked = replace(asked, request=request)
        if isinstance(plan, str | Path):  # by the name that the test has for the file
            asked = replace(asked, target=replace(asked.target, name=str(plan)))
        result = run_account(asked)
    except TouchstoneError as exc:
        return ToldAudit(None, f"no account: {exc}", {})
    text = document_text(document_of(result, asked))
    row: Row = {"verdict": result.outcome, "claim": str(result.claim)}
    if result.epsilon.upper is not None:
        row["limit"] = f"total <= {rounded(result.epsilon.upper, math.ceil, 3)}"
    failure = None
    if expect is not None:
        if result.verdict is not expect:
            failure = f"NOT {expect}, as the test expects: {result.target}\n\n{text}"
    elif of_audit(result, expect=expected, inconclusive_ok=inconclusive_ok):
        failure = text
        if expected == "refuted":
            failure = f"NOT REFUTED, as a positive control must be: {result.target}\n\n{text}"
    return ToldAudit(result, failure, row)


def words_of_tests() -> list[str]:
    """What an audit in a test may be told: what an entry may say, of privacy and of one target."""
    from audit.levels.word import Of
    from audit.request.word_table import keys

    own = [word.name for word in keys() if word.of & Of.PRIVACY or word.name == "expect"]
    return [*own, "budget_seconds", "claim"]


def _expectation(words: dict[str, Any]) -> Verdict | None:
    """Take out of the words the verdict that alone passes, where the configuration has no word."""
    from audit.request.configured_audits import EXPECTATIONS

    given = words.get("expect")
    known = {verdict.value.lower(): verdict for verdict in Verdict}
    if given is None:
        return None
    words_known = tuple(dict.fromkeys([*EXPECTATIONS, *known]))
    word = check_choice(given.lower() if isinstance(given, str) else given, "expect", words_known)
    if word in EXPECTATIONS:  # those say more: CONSISTENT or PROVED, and a positive control
        words["expect"] = word
        return None
    del words["expect"]
    return known[word]


def _read(
    mechanism: Any, words: Mapping[str, Any], folder: Path, profile: str, repeat: tuple[str, ...]
) -> tuple[Entry, float]:
    """Check the words as those of the configuration are, and fill up from the profile."""
    from audit.request.call import at_hand
    from audit.request.configured_audits import entries_of
    from audit.request.meaning import CONFIGURATION, check_meaning
    from audit.request.word_values import AS_GIVEN
    from audit.targets.objects import name_of, plain_value

    known = words_of_tests()
    for key in words:
        if key in OF_THE_SESSION:
            option = f"--privacy-{key.replace('_', '-')}"
            msg = f"{key} is one for all audits of a session: set it with {option}"
            raise InvalidArgument(msg)
        if key not in known:
            msg = f"unknown word {key!r}; known: {', '.join(known)}"
            raise InvalidArgument(msg)
    told = {key: value for key, value in words.items() if value is not None}
    table = {k: v if k in AS_GIVEN else plain_value(v) for k, v in told.items()}
    if isinstance(table.get("param"), dict):  # here a list is a value, not a sweep
        table["param"] = {key: [value] for key, value in table["param"].items()}
    samples, seconds = PROFILES[profile]
    mode = table.get("mode", "sequential")
    if isinstance(mode, str):
        given = [name for name in known if table.get(name, False) is not False]
        check_meaning(given, mode, CONFIGURATION, where="privacy: ")
    seconds = _seconds(table.pop("budget_seconds", seconds))
    table.setdefault("budget_samples", None if mode == "exact" else samples)
    if table["budget_samples"] is None:
        del table["budget_samples"]
    if mechanism is not None:
        table["target"] = mechanism if isinstance(mechanism, str) else name_of(mechanism)
    if str(table.get("target", "")).endswith(":*"):
        msg = f"a test audits one mechanism, got target={table['target']!r}"
        raise InvalidArgument(msg)
    seen_from = Path() if folder == Path.cwd() else folder
    memory = at_hand(table, seen_from)
    rest = {name: value for name, value in table.items() if name not in memory}
    (entry,) = entries_of(rest, "privacy", seen_from)
    return replace(entry, request=replace(entry.request, repeat=repeat, **memory)), seconds


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        msg = f"budget_seconds must be a number, got budget_seconds={shown(value)}"
        raise InvalidArgument(msg)
    return float(value)


def _plan(
    mechanism: Any, entry: Entry, place: str, folder: Path, claim: PrivacyClaim | None
) -> PrivacyPlan:
    from audit.request.privacy_plan import plan_audit
    from audit.targets.load import load_target
    from audit.targets.objects import made_by
    from audit.targets.wrap import target_of

    load: Callable[..., Target] = load_target
    if not isinstance(mechanism, str | None):
        load = partial(target_of, mechanism, made_by=made_by(mechanism, place, folder))
    return plan_audit(entry.request, stated_in=place, load=load, claim=claim)


def _run(
    plan: PrivacyPlan, seed: int, false_alarm: float, seconds: float
) -> AuditResult | ExactResult:
    from audit.runs.privacy_run import prove_plan, run_plan

    if plan.request.mode == "exact":
        return prove_plan(plan)
    return run_plan(plan, seed=seed, false_alarm=false_alarm, budget_seconds=seconds)


@contextmanager
def _imports_kept(folder: Path) -> Iterator[None]:
    """Find modules of the project's folder, and leave sys.path as it was."""
    before = list(sys.path)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = before


def _wrong(message: str) -> str:
    hint = ""
    if "--" in message:
        hint = "\n(Options of `touchstone audit` are words of a test: --low 0 is low=0.)"
    return f"no audit: {message}{hint}"


def _row(result: AuditResult | ExactResult, seed: int, false_alarm: float) -> Row:
    """What summaries say of an audit."""
    from audit.engine.privacy_document import evidence
    from audit.engine.privacy_sentences import limits_of
    from audit.results.number_words import number_above

    row: Row = {"verdict": result.verdict.value, "claim": str(result.claim)}
    if isinstance(result, ExactResult):
        loss = None if result.proof is None else result.proof.loss
        return row if loss is None else row | {"limit": f"proved <= {number_above(float(loss[1]))}"}
    row |= {f"{name}_lower": limit for name, limit in result.limits.items()}
    if limits_of(result):
        row["limit"] = next(evidence(result))
    if result.detectable is not None:
        row["detectable"] = result.detectable.at_tenth
    return row | {"false_alarm": false_alarm, "seed": seed, "samples": result.samples}
