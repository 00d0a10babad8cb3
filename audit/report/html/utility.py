"""The parts of a page about one utility audit: estimates beside claims, and what would be seen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from audit.report.html.audit import ledger_words
from audit.report.html.elements import Child, Safe, el, joined
from audit.report.html.parts import badge, card, copied, facts, section, table
from audit.report.utility import NAMES, power_words
from audit.report.words import data_words, number, sentence

if TYPE_CHECKING:
    from audit.utility.result import CaseResult, Estimate, Seen, UtilityResult

__all__ = ["utility_parts"]

NUMBERS = frozenset({2, 3})


def utility_parts(
    result: UtilityResult, command: str, ledger: tuple[str, ...], *, heading: int, key: str
) -> Safe:
    """All parts.

    Parameters
    ----------
    result : UtilityResult
        What came.
    command : str
        Repeats the run.
    ledger : tuple of str
        Claims of the ledger about the target.
    heading : int
        Level of the headings.
    key : str
        Beginning of all identifiers, which differ on a page with several audits.
    """
    run = (
        f"{result.samples:,} draws in {result.seconds:.1f} s, false-alarm rate "
        f"{number(result.false_alarm)} over {result.ends:,} tests of one side, seed {result.seed}"
    )
    tested = [("claims", result.claim), ("run", run)]
    return joined(
        section(heading, "Witness", *_witness(result, heading, key), key=f"{key}-witness"),
        section(heading, "Evidence", *_evidence(result, ledger, heading), key=f"{key}-evidence"),
        section(heading, "What was tested", facts(tested), key=f"{key}-tested"),
        section(
            heading,
            "What could not have been seen",
            *_unseen(result),
            facts([("not tried", sentence(part)) for part in result.not_tried]),
            facts([("note", sentence(note)) for note in result.notes]),
            key=f"{key}-power",
        ),
        section(
            heading,
            "Repeat this run" if result.reproducible else "Run it again",
            copied(command, "command", key=f"{key}-command", wrapped=True),
            key=f"{key}-again",
        ),
    )


def _witness(result: UtilityResult, heading: int, key: str) -> list[Child]:
    witness = result.witness
    if witness is None:
        return []
    rows: list[tuple[str, Child]] = [
        ("claim", el("strong", witness.says)),
        ("records", witness.case),
        ("data", data_words(witness.data) if witness.data is not None else None),
        ("draws", f"{witness.draws:,}"),
    ]
    return [
        facts([row for row in rows if row[1] is not None]),
        el(f"h{heading + 1}", "The witness as a script"),
        el("p", "Run it in the folder of the audit: it estimates the errors on fresh draws."),
        copied(witness.rerun, "script", key=f"{key}-script"),
    ]


def _evidence(result: UtilityResult, ledger: tuple[str, ...], heading: int) -> list[Child]:
    from audit.utility.result import METHODS

    estimates = [row for case in result.cases for row in _estimates(case)]
    fits = [row for case in result.cases for row in _fits(case)]
    used = {
        name
        for case in result.cases
        for estimate in case.estimates
        for name in (estimate.interval.lower_by, estimate.interval.upper_by)
    } | {fit.by for case in result.cases for fit in case.fits}
    parts: list[Child] = [el("p", "Nothing was estimated.")] if not (estimates or fits) else []
    if estimates:
        head = ["records", "quantity", "estimate", "limits", "claimed", "found"]
        parts.append(table("Errors of the estimates", head, estimates, numeric=NUMBERS))
    if fits:
        head = ["records", "what has the law", "distance", "limit", "found"]
        parts.append(table("Draws beside the stated law", head, fits, numeric=NUMBERS))
    parts.append(facts([(name, sentence(METHODS[name])) for name in sorted(used)]))
    if ledger:
        parts.append(el("div", card(heading + 1, "Proved", ledger_words(ledger)), class_="cards"))
    return parts


def _estimates(case: CaseResult) -> Iterator[list[Child]]:
    for one in case.estimates:
        interval = one.interval
        yield [
            case.label,
            NAMES[one.quantity],
            number(one.value),
            f"{number(interval.lower)} to {number(interval.upper)}",
            _claimed(one),
            badge("REFUTED") if one.refuted else "doubted" if one.doubted else None,
        ]


def _claimed(estimate: Estimate) -> str:
    from audit.utility.result import claim_words

    words = (claim_words(one, number(float(one.bound))) for one in estimate.claims)
    return "; ".join(words) or "nothing"


def _fits(case: CaseResult) -> Iterator[list[Child]]:
    for fit in case.fits:
        refuted = badge("REFUTED") if fit.refuted else None
        yield [case.label, fit.words, number(fit.distance), number(fit.limit), refuted]


def _unseen(result: UtilityResult) -> list[Child]:
    seen = [(case, case.seen) for case in result.cases if case.seen is not None]
    if not seen:
        return [el("p", "Nothing is known of what would have been seen: the run says nothing.")]
    words = f"For CONSISTENT an excess of {number(result.resolution)} must be seen."
    rows = [
        [case.label, f"{case.draws:,}", "; ".join(_seen(power)) or "nothing"]
        for case, power in seen
    ]
    head = ["records", "draws", "seen from"]
    return [
        el("p", sentence(power_words(result) or "nothing")),
        el("p", words),
        table("Smallest faults that would have been seen", head, rows, numeric=frozenset({1})),
    ]


def _seen(power: Seen) -> Iterator[str]:
    if power.bias is not None:
        scaled = power.bias_scaled
        known = scaled is not None and math.isfinite(scaled)
        errors = f" ({number(scaled or 0.0)} root mean squared errors too much)" if known else ""
        yield f"a bias of {number(power.bias)}{errors}"
    for name, factor in power.factors:
        yield f"{NAMES[name]} of {number(factor)} times the claimed"
    for name, factor in power.small_factors:
        yield f"{NAMES[name]} of at most {number(factor)} times the claimed"
    if power.distance is not None:
        yield f"another law at distance {number(power.distance)}"
