"""The ledger as a whole: what is decided has its mutants and its reasons."""

from __future__ import annotations

import graphlib
import re
from fractions import Fraction
from inspect import Parameter, signature
from pathlib import Path

from mechanisms.registry import MECHANISMS
from proofs_check.claim import Claim, Method, Status
from proofs_check.prove import rests_on
from proofs_check.registry import claims
from proofs_check.steps import MOST_WORDS, ByClaim, ByDefinition

ALWAYS = (Status.PROVED, Status.REFUTED, Status.CORRECTED)


def argument(claim: Claim) -> tuple[str, ...]:
    """Texts of a claim that argue."""
    return (claim.note, *(step.says for step in claim.steps))


def test_what_is_decided_has_checks_with_mutants() -> None:
    """It must hold that each is described in words, and a test of samples states its error rate."""
    for claim in claims().values():
        assert claim.checks or claim.status not in ALWAYS, claim.id
        for check in claim.checks:
            assert check.mutants, claim.id
            assert all(words.strip() and changed for words, changed in check.mutants.items())
            assert check.method is not Method.STATISTICAL or "error" in check.says, claim.id


ROOM = {
    ("KSW-D5", "gamma = (r - 1.01) / Q"),  # every gamma between (r - 1) / Q and r / Q is right
    ("KSW-D5", "gamma = (r + 0.01) / Q"),
    ("SUB-T3.7", "weights e^(-eps l / 4)"),
    ("SUB-TC.1", "eps log for 2 eps log"),  # the printed slip
    ("PDP-L20s", "half of the mean budget"),
    ("TRI-P4.1.3", "at most n/16 records outside"),
    ("TRI-P4.1.3", "noise up to n/6"),
    ("TRI-P4.1.3", "n/4 records outside"),
    ("KSW-ER20", "the record 1 for 1/2"),  # every record inside the interval moves both sums
}
"""Mutants of statements that stay true when the constant is changed by one percent only."""


def is_small(before: Fraction, value: Fraction) -> bool:
    """Whether a number is changed by at most one percent, turned in its sign, or left out."""
    return not before or value in (0, -before) or abs(value / before - 1) <= Fraction(1, 100)


def test_mutants_replace_parameters_and_numbers_by_one_percent() -> None:
    """It must hold that a mutant names parameters of its check, and hardly changes a fraction.

    The mutant of a counterexample is the right form, or data that are none.
    """
    wrong = []
    for claim in claims().values():
        for check in claim.checks:
            defaults = {n: p.default for n, p in signature(check.decide).parameters.items()}
            assert Parameter.empty not in defaults.values(), (claim.id, check.says)
            for words, changed in check.mutants.items():
                for name, value in changed.items():
                    before = defaults.get(name, Parameter.empty)
                    numbers = isinstance(before, Fraction) and isinstance(value, Fraction)
                    far = numbers and not check.refutes and not is_small(before, value)
                    if before is Parameter.empty or (far and (claim.id, words) not in ROOM):
                        wrong.append((claim.id, words, name))
    assert wrong == []


def test_claims_are_written_for_a_reader() -> None:
    """It must hold that each has a sentence, a formula and a source, and no loose ends."""
    wrong = []
    for claim in claims().values():
        texts = (claim.says, claim.why, claim.right, claim.domain, *argument(claim))
        good = (
            claim.says.strip().endswith((".", ")", "?"))
            and claim.latex.strip()
            and claim.latex.count("{") == claim.latex.count("}")
            and "$" not in claim.latex
            and claim.source.strip()
            and not any("  " in text or "shared/" in text for text in texts)
        )
        if not good:
            wrong.append(claim.id)
    assert wrong == []


SENTENCE_OF_AN_OPEN_ID = re.compile(r"\b((?:KSW|SUB|PDP|TRI|ENG)-[^ ,.;:)]*)[^.]*\bopen\b")


def open_ids(text: str) -> list[str]:
    """Ids that a text calls open."""
    return SENTENCE_OF_AN_OPEN_ID.findall(text)


def test_what_a_text_calls_open_is_open() -> None:
    """It must hold of every id in a sentence with that word, so no text outlives a proof."""
    assert open_ids("Whether it holds for every n is KSW-T3', open.") == ["KSW-T3'"]
    wrong = [
        (claim.id, name)
        for claim in claims().values()
        for text in (claim.says, claim.why, claim.right, claim.domain, *argument(claim))
        for name in open_ids(text)
        if claims()[name].status is not Status.OPEN
    ]
    assert wrong == []


def test_one_object_has_one_status() -> None:
    """It must hold of claims with the same formula on the same domain."""
    found: dict[tuple[str, str], set[Status]] = {}
    for claim in claims().values():
        found.setdefault((claim.latex, claim.domain), set()).add(claim.status)
    assert [key for key, statuses in found.items() if len(statuses) > 1] == []


def test_what_is_measured_is_named_by_a_benchmark() -> None:
    """It must hold of its id."""
    folder = Path(__file__).parents[2] / "benchmarks"
    texts = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    measured = [c.id for c in claims().values() if c.status is Status.MEASURED]
    assert [name for name in measured if name not in texts] == []


def test_arguments_are_steps() -> None:
    """It must hold that none is a text of its own, and a step is short enough to be looked at."""
    assert not hasattr(Claim, "argument")
    long = [
        (claim.id, len(step.says.split()))
        for claim in claims().values()
        for step in claim.steps
        if len(step.says.split()) > MOST_WORDS
    ]
    assert long == []


def test_what_is_unfolded_is_a_definition() -> None:
    """It must hold that a theorem is argued with as a claim, whose own evidence then counts."""
    wrong = []
    for claim in claims().values():
        for step in claim.steps:
            if (
                isinstance(step, ByDefinition)
                and claims()[step.unfolds].status is not Status.DEFINITION
            ):
                wrong.append((claim.id, step.unfolds))
            if isinstance(step, ByClaim) and claims()[step.claim].status is Status.DEFINITION:
                wrong.append((claim.id, step.claim))
    assert wrong == []


def test_checks_have_short_names_where_steps_name_them() -> None:
    """It must hold that a name is an identifier, which no rewording changes."""
    used = [
        (claim.id, part.check)
        for claim in claims().values()
        for part in claim.obligations
        if part.check and not part.check.isidentifier()
    ]
    assert used == []


def test_every_registered_mechanism_names_its_claims() -> None:
    """It must hold that a sound one rests on claims that stand, a printed one on its erratum."""
    for name, entry in MECHANISMS.items():
        found = {claims()[claim].status for claim in entry.claims}
        assert found, name
        assert (Status.REFUTED in found) is (entry.form == "as printed"), name


def test_no_claim_rests_on_itself() -> None:
    """It must hold that what claims assume is in an order."""
    graph = {claim.id: rests_on(claim) for claim in claims().values()}
    assert len(list(graphlib.TopologicalSorter(graph).static_order())) == len(graph)


def test_every_erratum_points_to_what_is_right() -> None:
    """It must hold that what corrects an erratum is itself not false."""
    for claim in claims().values():
        if claim.corrected_by:
            assert claims()[claim.corrected_by].status is not Status.REFUTED, claim.id
        for erratum in claim.errata:
            assert claims()[erratum].status is Status.REFUTED, claim.id
