"""The parts of a page about one audit from samples.

A refutation shows its witness first. Then the evidence side by side, what was tested, what could
not have been seen, and how to run it again.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from audit.report.html.curves import power_plot, profile_plot
from audit.report.html.elements import Child, Safe, el, joined
from audit.report.html.parts import card, copied, facts, section, table
from audit.report.html.plots import evidence_plot, witness_plot
from audit.report.words import (
    LATTICE,
    LATTICE_HINT,
    bounds_words,
    chances_words,
    claim_words,
    counts_words,
    data_words,
    detectable_limit_words,
    detectable_lines,
    detectable_words,
    limits_of,
    limits_words,
    meaning,
    number,
    number_above,
    number_below,
    profile_words,
    run_words,
    sentence,
    upper_words,
)
from audit.run import repeat_line
from audit.verdict import AuditResult, Detectable, ExactBounds, Upper, Witness

if TYPE_CHECKING:
    from audit.request.plan import Plan

__all__ = ["audit_parts", "ledger_words"]

NOT_STATED = "Nothing: the law of this target's output is not stated, or not for such a claim."
FROM_ANY = frozenset(range(1, 20))


def audit_parts(result: AuditResult, plan: Plan, *, heading: int, key: str) -> Safe:
    """All parts.

    Parameters
    ----------
    result : AuditResult
        What came.
    plan : Plan
        What was asked.
    heading : int
        Level of the headings.
    key : str
        Beginning of all identifiers, which differ on a page with several audits.
    """
    tested = facts(
        [
            ("claim", claim_words(result)),
            *(("worth", worth) for worth in (meaning(result),) if worth is not None),
            ("run", run_words(result)),
            ("mode", plan.request.mode),
            *(("note", sentence(note)) for note in plan.notes),
        ]
    )
    again = "Repeat this run" if result.reproducible else "Run it again"
    command = copied(
        repeat_line(plan.request, result),
        "command",
        key=f"{key}-command",
        wrapped=True,
    )
    return joined(
        section(heading, "Witness", *_witness(result, heading, key), key=f"{key}-witness"),
        section(heading, "Evidence", *_evidence(result, plan, heading, key), key=f"{key}-evidence"),
        section(heading, "What was tested", tested, key=f"{key}-tested"),
        section(
            heading,
            "What could not have been seen",
            *_unseen(result, key),
            facts([("not tried", sentence(part)) for part in result.not_tried]),
            facts([("note", sentence(note)) for note in result.notes if note not in plan.notes]),
            key=f"{key}-power",
        ),
        section(heading, "Privacy profile", *_profile(result, key), key=f"{key}-profile"),
        section(heading, again, command, key=f"{key}-again"),
    )


def _witness(result: AuditResult, heading: int, key: str) -> list[Child]:
    witness = result.witness
    if witness is None:
        return []
    return [
        facts(_witness_rows(witness)),
        witness_plot(result, f"{key}-event"),
        el(f"h{heading + 1}", "The witness as a script"),
        el("p", "Run it in the folder of the audit: it counts the event on fresh draws."),
        copied(witness.rerun, "script", key=f"{key}-script"),
    ]


def _witness_rows(witness: Witness) -> list[tuple[str, Child]]:
    rows: list[tuple[str, Child]] = [
        ("event", el("strong", witness.event)),
        ("as Python", el("code", witness.expression)),
        ("pair", witness.pair),
        ("data", data_words(witness.data)),
        ("neighbor", data_words(witness.neighbor)),
        ("counts", counts_words(witness)),
    ]
    if witness.exact is not None:
        rows.append(("exactly", chances_words(witness.exact, witness)))
    if witness.shrunk_from is not None:
        rows.append(("shrunk from", witness.shrunk_from))
    if witness.feature == LATTICE:
        rows.append(("hint", sentence(LATTICE_HINT)))
    return rows


def _evidence(result: AuditResult, plan: Plan, heading: int, key: str) -> list[Child]:
    samples: list[Child] = [el("p", "No lower limit: the run did not get that far.")]
    if limits_of(result):
        samples = [el("p", sentence(limits_words(result)))]
    plot = evidence_plot(result, f"{key}-scale")
    cards = el(
        "div",
        card(heading + 1, "Samples (black box)", *samples),
        card(heading + 1, "Exact", el("p", _exactly(result))),
        card(heading + 1, "Proved", *_proved(result.exact, plan.target.ledger)),
        class_="cards",
    )
    return [cards, None if plot is None else el("figure", plot)]


def _exactly(result: AuditResult) -> str:
    said = []
    if result.exact is not None and result.exact.reached is not None:
        said.append(f"A pair of neighbors loses {result.exact.reached} exactly.")
    if result.witness is not None and result.witness.exact is not None:
        chances = chances_words(result.witness.exact, result.witness)
        said.append(f"The event of the witness: {chances}.")
    return " ".join(said) or NOT_STATED


def _proved(bounds: ExactBounds | None, ledger: tuple[str, ...]) -> list[Child]:
    bound = NOT_STATED if bounds is None else sentence(bounds_words(bounds))
    return [el("p", bound), ledger_words(ledger)]


def ledger_words(ledger: tuple[str, ...]) -> Safe | None:
    """Name the claims of the ledger about a target, and what checks them."""
    if not ledger:
        return None
    check = shlex.join(["touchstone", "prove", *ledger])
    return el("p", f"Of the ledger: {', '.join(ledger)}; ", el("code", check), " checks them.")


def _unseen(result: AuditResult, key: str) -> list[Child]:
    power = result.detectable
    if power is None:
        if result.witness is not None:
            return [el("p", "A violation was found; a power statement is for runs that find none.")]
        return [el("p", "Nothing is known of what would have been seen: the run says nothing.")]
    plot = power_plot(result, f"{key}-detectable")
    caption = "Dots: the smallest loss that would have been seen. A smaller one (shaded) would not."
    parts: list[Child] = [
        el("p", f"{sentence(detectable_words(power))[:-1]}:"),
        el("ul", *(el("li", f"{mass}: {which}") for mass, which in detectable_lines(power))),
        _power_table(power),
        el("p", sentence(detectable_limit_words(power))),
        None if plot is None else el("figure", plot, el("figcaption", caption)),
    ]
    if result.upper is not None:
        parts += [el("p", sentence(upper_words(result.upper, result.false_alarm)))]
        parts += [_power_table(result.upper)]
    return parts


def _power_table(found: Detectable | Upper) -> Safe:
    """Epsilons by the probability of the event."""
    name = "Smallest loss seen" if isinstance(found, Detectable) else "Largest loss"
    return table(
        f"{name}, by the probability of the event",
        ["event", *map(number, found.masses)],
        [["epsilon", *map(number_above, found.epsilons)]],
        numeric=FROM_ANY,
    )


def _profile(result: AuditResult, key: str) -> list[Child]:
    if result.profile is None:
        return []
    plot = profile_plot(result, f"{key}-band")
    caption = (
        "Dots: delta is larger than this. Dashed: the most that the claim allows. A dot above the "
        "dashed line breaks the claim."
    )
    return [
        el("p", sentence(profile_words(result.false_alarm))),
        table(
            "Lower band of the privacy profile",
            ["epsilon", *(number(epsilon) for epsilon, _ in result.profile)],
            [["delta", *(number_below(delta) for _, delta in result.profile)]],
            numeric=FROM_ANY,
        ),
        None if plot is None else el("figure", plot, el("figcaption", caption)),
    ]
