"""What an audit of errors says, as a document: estimates beside claims, and what would be seen."""

from __future__ import annotations

from collections.abc import Iterator

from audit.documents.phrases import data_words, sentence
from audit.documents.shared_sections import (
    ledger_rows,
    ledger_words,
    page_of,
    run_lines,
    strong,
    unseen_rows,
    witness_script,
)
from audit.results.document import (
    Cards,
    Document,
    DocumentTable,
    Marked,
    Part,
    Provenance,
    Row,
    Rows,
    Section,
    Text,
    View,
    Words,
)
from audit.results.number_words import number
from audit.utility.error_result import (
    METHODS,
    CaseResult,
    Estimate,
    Fit,
    UtilityResult,
    UtilityWitness,
    claim_words,
)
from audit.utility.error_sentences import (
    NAMES,
    evidence,
    headline,
    power_words,
    seen_words,
    sources_words,
)
from audit.utility.estimates import ROUNDING
from mechanisms.utility_claims import Quantity, UtilityClaim

DIGITS = 4
MEASURES = {"cdf band": "cdf", "relative entropy": "relative entropy"}
WIDTHS = (10, 12, 26, 24, 10, 0)
"""Of the columns of estimates on a terminal."""


def document(result: UtilityResult, provenance: Provenance) -> Document:
    """What it says."""
    witness = result.witness
    below = () if witness is None else (Words(f"{witness.case}: {witness.says}"),)
    return Document(
        result.target,
        result.verdict,
        headline(result),
        result.reason,
        (
            *_lines(result, provenance),
            *_page(result, provenance),
            *(Section("", (part,), view=View.BELOW) for part in below),
        ),
        claim=result.claim,
        samples=f"{result.samples:,}",
        command=provenance.command,
        finding="utility-refuted",
        evidence=tuple(evidence(result)),
        facts=(("seed", str(result.seed)), ("false alarm", number(result.false_alarm))),
        not_tried=result.not_tried,
        seconds=result.seconds,
    )


def _lines(result: UtilityResult, provenance: Provenance) -> Iterator[Section]:
    sources = sources_words(result)
    claims = (Row("claims", sources),) if sources else ()
    parts: list[tuple[Part, ...]] = [(Rows((*claims, *ledger_rows(provenance.ledger))),)]
    parts += [tuple(_case(case)) for case in result.cases]
    if (witness := result.witness) is not None:
        data = () if witness.data is None else (Row("data", data_words(witness.data), 1),)
        parts.append((Rows((Row("witness", f"{witness.case}: {witness.says}"), *data)),))
    if (power := power_words(result)) is not None:
        parts.append((Rows((Row("power", power),)),))
    yield from (Section("", each, view=View.LINES) for each in parts)
    repeats = "" if result.reproducible else "; not repeated exactly by its seed"
    yield run_lines(
        result.not_tried,
        result.notes,
        f"{_run(result)}, seed {result.seed}{repeats}",
        provenance.command,
        before=tuple(_limits(result)),
        reproducible=result.reproducible,
    )
    if witness is not None:
        yield Section("", (_script(witness),), view=View.LINES)


def _run(result: UtilityResult) -> str:
    rate = number(result.false_alarm)
    return f"{result.samples:,} draws in {result.seconds:.1f} s, false-alarm rate {rate}"


def _script(witness: UtilityWitness) -> Part:
    return witness_script(witness.rerun, "estimates the errors on draws of its own")


def _case(case: CaseResult) -> Iterator[Part]:
    """One data set: what was estimated, beside what is claimed."""
    failed = f", {case.failures:,} of them no number" if case.failures else ""
    words = case.truth.words.removeprefix("the ")
    truth = f"truth {_number(float(case.truth.value))}, the {words}"
    yield Words(f"on {case.label} ({truth}; {case.draws:,} draws{failed})")
    open_ = UNDECIDED if case.undecided else ""
    rows = tuple(row for estimate in case.estimates for row in _estimate(estimate, open_))
    yield DocumentTable("", (), rows, widths=WIDTHS)
    yield Rows(tuple(_fit(fit, open_) for fit in case.fits))
    if not (case.estimates or case.fits):
        yield Words("nothing was estimated", 2)


def _fit(fit: Fit, open_: str) -> Row:
    mark = "  FALSE" if fit.refuted else f"  {open_}" if open_ else ""
    off = f"{_number(fit.distance)} off the stated law in {MEASURES[fit.by]}"
    limit = f"whose own draws are at most {_number(fit.limit)} off"
    return Row("law", f"{fit.words}: {off}, {limit}{mark}", 2)


def _estimate(estimate: Estimate, open_: str) -> Iterator[tuple[str, ...]]:
    """Rows of one quantity; `open_`: what to say of a claim that no test excludes."""
    ends = f"[{_number(estimate.interval.lower)}, {_number(estimate.interval.upper)}]"
    head = (NAMES[estimate.quantity], _number(estimate.value), ends)
    if not estimate.claims:
        yield head
    for claim in sorted(estimate.claims, key=lambda one: one.bound):
        found = "FALSE" if claim in estimate.refuted else open_
        found = "doubted" if claim in estimate.excluded_approximately else found
        yield (*head, _claimed(claim), _ratio(claim, estimate), found)
        head = ("", "", "")


def _claimed(claim: UtilityClaim) -> str:
    if claim.quantity is Quantity.BIAS:
        return "unbiased" if claim.bound == 0 else f"at most {_number(float(claim.bound))}"
    relation = "equal to" if claim.exactly else "at most"
    return f"{relation} {_number(float(claim.bound))}"


def _ratio(claim: UtilityClaim, estimate: Estimate) -> str:
    bound = float(claim.bound)
    return f"{abs(estimate.value) / bound:.3g} of it" if bound else ""


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def _limits(result: UtilityResult) -> Iterator[Row]:
    """Which limits were used, what each assumes, and how surely it holds."""
    used: dict[str, set[str]] = {}
    for case in result.cases:
        for estimate in case.estimates:
            interval, name = estimate.interval, NAMES[estimate.quantity]
            if interval.lower_method == interval.upper_method:
                used.setdefault(interval.lower_method, set()).add(name)
                continue
            used.setdefault(interval.lower_method, set()).add(f"lower {name}")
            used.setdefault(interval.upper_method, set()).add(f"upper {name}")
        for fit in case.fits:
            used.setdefault(fit.by, set()).add("law")
    if not used:
        return
    error = result.false_alarm / max(result.ends, 1)
    yield Row(
        "intervals",
        f"each end by itself is wrong with probability at most {number(error)} (of the variance: "
        f"{number(3 * error)}), and all {result.ends} that the claims are tested by at once with "
        f"{number(result.false_alarm)}; errors below {ROUNDING:g} of the largest number are "
        "rounding",
    )
    for name, words in METHODS.items():
        if name in used:
            yield Row("", f"{', '.join(sorted(used[name], key=str.lower))}: {words}")


def _page(result: UtilityResult, provenance: Provenance) -> tuple[Section, ...]:
    run = f"{_run(result)} over {result.ends:,} tests of one side, seed {result.seed}"
    return page_of(
        Section("Witness", tuple(_witness(result.witness)), "witness", View.PAGE),
        tuple(_evidence(result, provenance.ledger)),
        (Row("claims", result.claim), Row("run", run)),
        (*_unseen(result), *unseen_rows(result.not_tried, result.notes)),
        provenance=provenance,
        reproducible=result.reproducible,
    )


def _witness(witness: UtilityWitness | None) -> Iterator[Part]:
    if witness is None:
        return
    rows = [Row("claim", (strong(witness.says),)), Row("records", witness.case)]
    if witness.data is not None:
        rows.append(Row("data", data_words(witness.data)))
    yield Rows((*rows, Row("draws", f"{witness.draws:,}")))
    yield _script(witness)


def _evidence(result: UtilityResult, ledger: tuple[str, ...]) -> Iterator[Part]:
    estimates = [(case, one) for case in result.cases for one in case.estimates]
    fits = [(case, fit) for case in result.cases for fit in case.fits]
    intervals = [one.interval for _, one in estimates]
    used = {name for one in intervals for name in (one.lower_method, one.upper_method)}
    used |= {fit.by for _, fit in fits}
    if not (estimates or fits):
        yield Words("Nothing was estimated.")
    if estimates:
        yield DocumentTable(
            "Errors of the estimates",
            ("records", "quantity", "estimate", "limits", "claimed", "found"),
            tuple(_estimate_cells(case, one) for case, one in estimates),
            numeric=frozenset({2, 3}),
        )
    if fits:
        yield DocumentTable(
            "Draws beside the stated law",
            ("records", "what has the law", "distance", "limit", "found"),
            tuple(
                (
                    case.label,
                    fit.words,
                    number(fit.distance),
                    number(fit.limit),
                    REFUTED if fit.refuted else UNDECIDED * case.undecided,
                )
                for case, fit in fits
            ),
            numeric=frozenset({2, 3}),
        )
    yield Rows(tuple(Row(name, sentence(METHODS[name])) for name in sorted(used)))
    if ledger:
        yield Cards((Section("Proved", ledger_words(ledger)),))


REFUTED: Text = (Marked("REFUTED", "verdict"),)
UNDECIDED = "not decided"
"""Of a claim, where the run stopped at another one."""


def _estimate_cells(case: CaseResult, one: Estimate) -> tuple[Text, ...]:
    interval = one.interval
    claims = (claim_words(claim, number(float(claim.bound))) for claim in one.claims)
    return (
        case.label,
        NAMES[one.quantity],
        number(one.value),
        f"{number(interval.lower)} to {number(interval.upper)}",
        "; ".join(claims) or "nothing",
        REFUTED
        if one.refuted
        else "doubted"
        if one.excluded_approximately
        else UNDECIDED * (case.undecided and bool(one.claims)),
    )


def _unseen(result: UtilityResult) -> Iterator[Part]:
    seen = [(case, case.seen) for case in result.cases if case.seen is not None]
    if not seen:
        yield Words("Nothing is known of what would have been seen: the run says nothing.")
        return
    yield Words(sentence(power_words(result) or "nothing"))
    yield Words(f"For CONSISTENT an excess of {number(result.resolution)} must be seen.")
    yield DocumentTable(
        "Smallest faults that would have been seen",
        ("records", "draws", "seen from"),
        tuple(
            (case.label, f"{case.draws:,}", "; ".join(seen_words(power)) or "nothing")
            for case, power in seen
        ),
        numeric=frozenset({1}),
    )
