"""Exact audits of mechanisms that state their law: listed pairs, or all multisets of a grid."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from audit.exact.auditors.pair import LISTED, decided_pair, key_of_pair, pairs_words
from audit.exact.auditors.user import by_user
from audit.exact.certify import certificate_of_multisets, certificate_of_tables
from audit.exact.laws import is_formula
from audit.exact.levels import Broken, Decision, Kept, Open
from audit.exact.outcome import Outcome, Proved, Undecided
from audit.exact.question import Question, broken, listed, refuted
from audit.exact.search import Searched, StatedLaws, search
from audit.exact_result import RELEASE, Proof
from audit.faults import is_ours, reading
from audit.levels import line_of
from audit.rounding import plural
from audit.verdict import Enclosure
from mechanisms.claims import Order, PersonalizedDP, PureDP
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Undecided as OpenBall

__all__ = ["by_law", "pairs_of"]


def by_law(asked: Question) -> Outcome:
    """Audit pair by pair: laws in cells exactly, others by what encloses them."""
    level = asked.claim.level
    if isinstance(level, PersonalizedDP):
        return by_user(asked, level.budgets)
    pairs, words = pairs_of(asked)
    laws = StatedLaws(asked.mechanism, asked.order)
    by = _by_comparison
    if line_of(level) is not None:
        first = next(iter(pairs), None)
        pairs, _ = pairs_of(asked)  # from the first again
        by = _by_comparison if first is not None and is_formula(laws(first[0])) else _by_search
    return replace(by(asked, laws, pairs, words), notes=tuple(laws.notes))


def _by_comparison(
    asked: Question, laws: StatedLaws, pairs: Iterable[tuple[Any, Any]], words: str
) -> Outcome:
    """Decide every pair by the level's own questions; moves of one law are asked once."""
    known: dict[Hashable, tuple[Decision, int, tuple[str, ...]]] = {}
    still_open = ""
    kept: list[Kept] = []
    cells, lemmas = 0, dict[str, None]()
    count = 0
    for data, neighbor in pairs:
        count += 1
        law, other = laws.pair(data, neighbor)
        key = key_of_pair(law, other)
        if key not in known:
            known[key] = decided_pair(asked, asked.claim.level, law, other)
        found, size, reasons = known[key]
        match found:
            case Broken():
                return broken(RELEASE, [listed(data), listed(neighbor)], found)
            case Open(reason):
                still_open = still_open or f"on {words}, {reason}"
            case Kept():
                kept.append(found)
                cells, lemmas = cells + size, lemmas | dict.fromkeys((*reasons, *found.reasons))
    if still_open or not kept:
        return Undecided(still_open or f"there are no pairs of neighbors to audit on {words}")
    name = kept[0].measure
    value = max(one.value[0] for one in kept), max(one.value[1] for one in kept)
    told = plural(count, "pair")
    return Proved(
        _proof(asked, name, value, pairs_words(words, count), cells, lemmas),
        f"the largest {name} on {told} of neighbors is at most {float(value[1]):.6g}",
    )


def _proof(
    asked: Question, name: str, value: Enclosure, pairs: str, cells: int, lemmas: Iterable[str]
) -> Proof:
    line = line_of(asked.claim.level)
    loss = value if isinstance(asked.claim.level, PureDP) else None
    excess = value if line is not None and loss is None else None
    measured = (name, value) if line is None else None
    return Proof(pairs, RELEASE, (), tuple(lemmas), cells, loss, excess=excess, measured=measured)


def _by_search(
    asked: Question, laws: StatedLaws, pairs: Iterable[tuple[Any, Any]], words: str
) -> Outcome:
    """Laws in cells, for claims about events."""
    epsilon, delta = asked.level
    try:
        found = search(asked.mechanism, pairs, epsilon, delta, laws=laws)
    except OpenBall as open_pair:
        return Undecided(f"on {words}, {open_pair}")
    if found.broken is not None:
        likelier, other, event = found.broken
        return refuted(RELEASE, [listed(likelier), listed(other)], event, "data", asked.level)
    certificate = None
    # a certificate is of all sizes
    if not asked.pairs and asked.multisets is not None and not asked.multisets.least:
        if is_ours(asked.mechanism):
            certificate = certificate_of_multisets(asked, asked.multisets, found)
        else:
            with reading(asked.mechanism, "exact_law"):
                certificate = certificate_of_tables(asked, asked.multisets, found, laws)
    proof = Proof(
        pairs_words(words, found.pairs),
        RELEASE,
        (),
        (),
        found.cells,
        found.loss,
        certificate,
        excess=found.excess if delta else None,
    )
    return Proved(proof, _most(found, epsilon, delta))


def pairs_of(asked: Question) -> tuple[Iterable[tuple[Any, Any]], str]:
    """Listed pairs, or all of a grid, and what they are in words.

    Raises InvalidArgument if there are neither pairs nor bounds, or records are read in order.
    """
    if asked.pairs:
        return asked.pairs, LISTED
    if asked.multisets is None:
        msg = f"{asked.name} needs bounds, or --pair, for mode 'exact'"
        raise InvalidArgument(msg)
    if asked.order is Order.FIXED:  # each multiset is gone through in one order
        msg = (
            f"{asked.name} reads its records in order, and mode 'exact' goes through multisets; "
            "give --pair"
        )
        raise InvalidArgument(msg)
    return asked.multisets.pairs(asked.claim.relation), str(asked.multisets)


def _most(found: Searched, epsilon: Fraction, delta: Fraction) -> str:
    """Say how much is lost at worst."""
    on = f"on {plural(found.pairs, 'pair')} of neighbors"
    if delta:
        return f"the largest delta at epsilon = {epsilon} {on} is {float(found.excess[1]):.6g}"
    assert found.loss is not None
    return f"the largest privacy loss {on} is {float(found.loss[1]):.6g}"
