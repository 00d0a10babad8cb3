"""Reports of gate runs as text: sections with their counts, and what is not as expected in full.

Every audit, claim and table has a line of at most 120 characters, in a section by what it was to
be. These lines are left out where they are many and all is as expected, unless --verbose asks.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Final

from audit.report.evidence import evidence_words
from audit.report.history import head_text, past_rows, tail_text
from audit.report.red import red_words
from audit.report.table_check import table_line
from audit.report.text import number, witness_rows, wrapped
from audit.report.words import UNCOVERED_WORDS
from audit.run import NEEDS, repeat_line
from audit.suite.proofs import ProofOutcome
from audit.suite.tables import TableOutcome
from audit.utility.result import UtilityResult
from audit.verdict import AuditResult, ExactResult

if TYPE_CHECKING:
    from audit.suite.outcome import GateResult, Outcome

__all__ = [
    "MARKS",
    "WIDTH",
    "gate_head",
    "gate_left_out",
    "gate_line",
    "gate_sections",
    "gate_summary",
    "gate_text",
    "gate_top",
    "name_of",
    "proof_line",
    "section_of",
]

WIDTH = 120
"""Most characters of a line."""

WIDEST_NAME = 58
"""Longer names lose their middle."""

FEW = 24
"""So many lines are shown without --verbose: they fit on a screen."""

SECTIONS: Final = ("refuted as expected", "consistent", "proved", "ledger", "errors", "tables")
"""What an audit, a claim or a stored table was to be, in the order of the report."""


def gate_head(
    configuration: str,
    audits: int,
    false_alarm: float,
    seed: int,
    share: float | None = None,
    *,
    controls: int = 0,
) -> str:
    """First lines of a gate run.

    Parameters
    ----------
    configuration : str
        Where its audits are listed.
    audits : int
        Number of them.
    false_alarm, share : float
        Of the run, and of each audit that can raise a false alarm.
    seed : int
        Of the run.
    controls : int
        Audits that must be refuted, each at a level of its own.
    """
    noun = "audit" if audits == 1 else "audits"
    each = number(false_alarm / max(audits, 1) if share is None else share)
    text = (
        f"{configuration}: {audits} {noun}, false-alarm rate {number(false_alarm)} for the run, "
        f"{each} for each; seed {seed}\n"
    )
    if controls:
        noun = "positive control" if controls == 1 else "positive controls"
        text += (
            f"{controls} {noun} at a level of {number(false_alarm)} each, outside of that rate\n"
        )
    return text


def gate_left_out(count: int) -> str:
    """Say how many slow audits a run leaves out; nothing if none."""
    noun = "audit" if count == 1 else "audits"
    return f"{count} slow {noun} left out (--slow runs all)\n" if count else ""


MARKS = {0: "ok", 1: "FAIL", 2: "ERROR", 3: "OPEN", 4: "ERROR"}
"""How a line begins, by exit status."""


def name_of(one: Outcome | ProofOutcome | TableOutcome) -> str:
    """What tells it from all others of the run."""
    return one.name if isinstance(one, ProofOutcome | TableOutcome) else one.title or one.name


def _cut(text: str, width: int) -> str:
    """Text of at most so many characters, without its middle where it is longer."""
    if len(text) <= width:
        return text
    tail = (width - 3) // 3
    return f"{text[: width - 3 - tail]}...{text[-tail:]}"


def gate_line(outcome: Outcome, width: int) -> str:
    """One audit of a gate run; names are padded to `width`."""
    mark, result, name = MARKS[int(outcome.status)], outcome.result, name_of(outcome)
    width = min(width, WIDEST_NAME)
    if result is None:
        line = f"{mark:<6}{_cut(name, width)}: {outcome.error}"
        if len(line) <= WIDTH and "\n" not in line:
            return f"{line}\n"
        rows = wrapped(" " * 6, outcome.error or "")
        return "\n".join([f"{mark:<6}{_cut(name, width)}: error", *rows]) + "\n"
    samples = "exact" if isinstance(result, ExactResult) else f"{result.samples:,}"
    first = f"{mark:<6}{_cut(name, width):<{width}}  {result.verdict.value:<12} "
    last = f" {samples:>10} {result.seconds:6.1f} s"
    said = ", ".join(evidence_words(result)[:1])
    said = f"{said}; claim {result.claim}" if said else f"claim {result.claim}"
    room = WIDTH - len(first) - len(last)
    line = f"{first}{textwrap.shorten(said, room, placeholder='...'):<{room}}{last}\n"
    if outcome.status == 0:
        return line
    if isinstance(result, AuditResult) and result.witness is not None:
        rows = wrapped(" " * 6, result.reason) if NEEDS in result.reason else []
        rows += [f"      {row}" for row in witness_rows(result.witness)]
    elif isinstance(result, UtilityResult) and result.witness is not None:
        rows = wrapped(" " * 6, f"{result.witness.case}: {result.witness.says}")
    elif outcome.expect == "refuted":
        rows = wrapped(" " * 6, f"a positive control must be REFUTED; {result.reason}")
    elif outcome.past is not None and outcome.past.regressions:
        rows = []
    else:
        rows = wrapped(" " * 6, result.reason)
    rows += past_rows(outcome)
    request = outcome.plan.request
    rows.append(f"      {repeat_line(request, result)}")
    return line + "\n".join(rows) + "\n"


def proof_line(proof: ProofOutcome, width: int) -> str:
    """Claims of one name in a gate run; the ones whose status differs below."""
    counts = Counter(result.status.value for result in proof.results)
    found = ", ".join(
        status if len(proof.results) == 1 else f"{n} {status}" for status, n in counts.items()
    )
    line = f"{MARKS[int(proof.status)]:<6}{proof.name:<{min(width, WIDEST_NAME)}}  {found}\n"
    wrong = [result for result in proof.results if not result.as_registered]
    rows = (
        f"      {r.id} is {r.status.value}, registered {r.expected.value}: touchstone prove {r.id}"
        "\n"
        for r in wrong
    )
    return line + "".join(rows)


def section_of(one: Outcome | ProofOutcome | TableOutcome) -> str:
    """Where a line stands: by what it was to be, not by what it came to."""
    if isinstance(one, ProofOutcome):
        return "ledger"
    if isinstance(one, TableOutcome):
        return "tables"
    if one.expect == "refuted":
        return "refuted as expected"
    if one.plan.request.mode == "exact":
        return "proved"
    return "consistent" if one.plan.request.utility is None else "errors"


def _line(one: Outcome | ProofOutcome | TableOutcome, width: int) -> str:
    if isinstance(one, ProofOutcome):
        return proof_line(one, width)
    if isinstance(one, TableOutcome):
        return table_line(one, MARKS[int(one.status)], min(width, WIDEST_NAME))
    return gate_line(one, width)


def gate_sections(gate: GateResult, *, verbose: bool = False) -> str:
    """Counts of each section, its lines where they are few or asked for, and what is not well."""
    every = _everything(gate)
    width = max((len(name_of(one)) for one in every), default=0)
    shown = verbose or len(every) <= FEW
    text = ""
    for section in SECTIONS:
        own = [one for one in every if section_of(one) == section]
        good = [one for one in own if one.status == 0]
        if own:
            text += f"{section:<21}{len(good):>4} of {len(own)}\n"
        if shown:
            text += "".join(_line(one, width) for one in good)
    bad = [one for one in every if one.status != 0]
    if bad:
        counts = Counter(map(red_words, bad))
        reasons = ", ".join(f"{count} {words}" for words, count in counts.items())
        text += f"{'not as expected':<21}{len(bad):>4}: {reasons}\n"
        text += "".join(_line(one, width) for one in bad)
    return text


def gate_summary(gate: GateResult) -> str:
    """Last lines of a gate run."""
    statuses = [one.status for one in _everything(gate)]
    good, done = sum(status == 0 for status in statuses), len(statuses)
    text = f"{good} of {done} as expected in {gate.seconds:.1f} s; exit status {int(gate.status)}\n"
    if gate.interrupted:
        text = f"interrupted: {len(gate.outcomes)} of {gate.planned} audits done; {text}"
    return f"{tail_text(gate.told)}{UNCOVERED_WORDS}\n{text}"


def _everything(gate: GateResult) -> list[Outcome | ProofOutcome | TableOutcome]:
    return [*gate.outcomes, *gate.proofs, *gate.tables]


def gate_top(gate: GateResult) -> str:
    """First lines of a whole run."""
    controls = sum(outcome.expect == "refuted" for outcome in gate.outcomes)
    head = gate_head(
        gate.configuration,
        gate.planned,
        gate.false_alarm,
        gate.seed,
        gate.share,
        controls=controls,
    )
    return head + gate_left_out(gate.left_out) + head_text(gate.told)


def gate_text(gate: GateResult, *, verbose: bool = False) -> str:
    """Report of a whole run, as the command writes it."""
    return f"{gate_top(gate)}\n{gate_sections(gate, verbose=verbose)}\n{gate_summary(gate)}"
