"""Exact audits of mechanisms that state their law: listed pairs, or all data sets of a grid.

Of a personalized claim each user's own budget is audited, on the pairs that change that user. Users
with the same budget promise the same, but their places may be treated differently, so all users are
gone through.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, nan
from typing import Any

from audit.exact.cells.cell import OpenCell
from audit.exact.certify import certificate_of_multisets, certificate_of_tables
from audit.exact.comparison.cells import Comparison
from audit.exact.density.tail_lemmas import NotCovered
from audit.exact.exact_search import Searched, StatedLaws, search
from audit.exact.levels import Broken, Decision, Kept, Open, decide
from audit.exact.question import (
    Outcome,
    Proved,
    Question,
    Undecided,
    broken,
    listed,
    refuted,
    worst_users,
)
from audit.exact.sameness import key_of
from audit.exact.stated_laws import compared, is_formula, part_told
from audit.faults import is_ours, reading
from audit.levels import line_of
from audit.results.exact_result import RELEASE, Proof
from audit.results.number_words import plural
from audit.results.refutation import Enclosure
from mechanisms.claims import Level, Order, PersonalizedDP, PureDP, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.laws import Moved
from proofs_check.enclosure import Undecided as OpenBall

LISTED = "the listed pairs"
"""What is gone through, where the user or the claim says which pairs."""

MOST_PAIRS = 20_000
Records = tuple[Any, ...]
Pairs = Iterable[tuple[Any, Any]]
Row = tuple[int | None, tuple[Any, Any]]
"""The user whose record a pair changes, None where all are promised the same; and the pair."""


def by_law(asked: Question) -> Outcome:
    """Audit pair by pair: laws in cells exactly, others by what encloses them."""
    level = asked.claim.level
    laws = StatedLaws(asked.mechanism, asked.order)
    if isinstance(level, PersonalizedDP):
        return _by_user(asked, laws, level.budgets)
    pairs, words = pairs_of(asked)
    by_search = False
    if line_of(level) is not None:
        first = next(iter(pairs), None)
        pairs, _ = pairs_of(asked)  # from the first again
        by_search = first is None or not is_formula(laws(first[0]))
    if by_search:
        found = _by_search(asked, laws, pairs, words)
    else:
        found = _by_comparison(asked, laws, ((None, pair) for pair in pairs), words)
    return replace(found, notes=tuple(laws.notes))


def pairs_of(asked: Question) -> tuple[Pairs, str]:
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


def _pairs_words(words: str, count: int) -> str:
    """Say which pairs were gone through: all of `words`, and how many these are."""
    if words == LISTED:
        return f"{plural(count, 'listed pair')}, either way round"
    return f"{words}: {plural(count, 'pair')}, either way round"


def _by_comparison(asked: Question, laws: StatedLaws, rows: Iterable[Row], words: str) -> Outcome:
    """Decide every pair by the level's own questions; moves of one law are asked once."""
    level = asked.claim.level
    budgets = level.budgets if isinstance(level, PersonalizedDP) else ()
    known: dict[Hashable, tuple[Decision, int, tuple[str, ...]]] = {}
    kept: list[tuple[int | None, Kept]] = []
    count, cells, lemmas, still_open = 0, 0, dict[str, None](), ""
    for user, (data, neighbor) in rows:
        count += 1
        law, other = laws.pair(data, neighbor)
        budget = None if user is None else budgets[user]
        key = budget, key_of_pair(law, other)
        if key not in known:
            promised = level if budget is None else PureDP(budget)
            known[key] = _decided_pair(asked, promised, law, other)
        found, size, reasons = known[key]
        match found:
            case Broken():
                who = None if user is None or budget is None else (user, budget)
                return broken(RELEASE, [listed(data), listed(neighbor)], found, who)
            case Open(reason):
                whose = "" if user is None else f"for user {user + 1}, "
                still_open = still_open or f"on {words}, {whose}{reason}"
            case Kept():
                kept.append((user, found))
                cells, lemmas = cells + size, lemmas | dict.fromkeys((*reasons, *found.reasons))
    if still_open or not kept:
        return Undecided(still_open or f"there are no pairs of neighbors to audit on {words}")
    if budgets:
        losses: dict[int, Enclosure] = {}
        for user, one in kept:
            if user is not None:
                losses[user] = max(losses.get(user, one.value), one.value, key=lambda v: v[1])
        return _proved_of_users(losses, budgets, words, count, cells, tuple(lemmas))
    name = kept[0][1].measure
    value = max(one.value[0] for _, one in kept), max(one.value[1] for _, one in kept)
    loss = value if isinstance(level, PureDP) else None
    line = line_of(level)
    proof = Proof(
        _pairs_words(words, count),
        RELEASE,
        (),
        tuple(lemmas),
        cells,
        loss,
        excess=value if line is not None and loss is None else None,
        measured=(name, value) if line is None else None,
    )
    told = plural(count, "pair")
    reason = f"the largest {name} on {told} of neighbors is at most {float(value[1]):.6g}"
    return Proved(proof, reason)


def _decided_pair(
    asked: Question, level: Level, law: Any, other: Any
) -> tuple[Decision, int, tuple[str, ...]]:
    """Decide a level on one pair of laws; how many cells it took, and what it rests on."""
    try:
        with reading(asked.mechanism, "exact_law"):
            pair: tuple[Comparison, Comparison] = compared(law, other), compared(other, law)
            found = decide(level, pair)
            part = part_told(law, other)
            if isinstance(found, Kept) and part:
                found = Open(f"the stated law tells only {part}; the release may lose more")
            elif isinstance(found, Kept):
                return found, pair[0].cells, pair[0].lemmas
    except (NotCovered, OpenCell, OpenBall) as exc:
        found = Open(str(exc))
    return found, 0, ()


def key_of_pair(law: Any, other: Any) -> Hashable:
    """The same for pairs that differ by a common move, of laws of one class and state."""
    if type(law) is Moved and type(other) is Moved and not isinstance(law.by, tuple):
        return key_of(law.law), key_of(other.law), other.by - law.by
    return key_of(law), key_of(other)


def _by_search(asked: Question, laws: StatedLaws, pairs: Pairs, words: str) -> Outcome:
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
        _pairs_words(words, found.pairs),
        RELEASE,
        (),
        (),
        found.cells,
        found.loss,
        certificate,
        excess=found.excess if delta else None,
    )
    on = f"on {plural(found.pairs, 'pair')} of neighbors"
    if delta:
        most = f"the largest delta at epsilon = {epsilon} {on} is {float(found.excess[1]):.6g}"
        return Proved(proof, most)
    assert found.loss is not None
    return Proved(proof, f"the largest privacy loss {on} is {float(found.loss[1]):.6g}")


def _by_user(asked: Question, laws: StatedLaws, budgets: Sequence[Fraction]) -> Outcome:
    """Hold the pairs that change a user against that user's budget.

    Raises InvalidArgument where there are too many data sets to go through.
    """
    pairs, words = _pairs_of_users(asked, budgets)
    first = next((data for _, own in _pairs_of_users(asked, budgets)[0] for data, _ in own), None)
    if first is not None and is_formula(laws(first)):
        rows: Iterator[Row] = ((user, pair) for user, own in pairs for pair in own)
        return _by_comparison(asked, laws, rows, words)
    searched: dict[int, Searched] = {}
    still_open = ""
    for user, own in pairs:
        try:
            found = search(asked.mechanism, own, budgets[user], Fraction(0))
        except OpenBall as undecided:
            still_open = still_open or f"on {words}, for user {user + 1}, {undecided}"
            continue
        if found.broken is not None:
            likelier, other, event = found.broken
            sides = [listed(likelier), listed(other)]
            level, who = (budgets[user], Fraction(0)), (user, budgets[user])
            return refuted(RELEASE, sides, event, "data", level, who)
        searched[user] = found
    if still_open:
        return Undecided(still_open)
    count = sum(found.pairs for found in searched.values())
    cells = sum(found.cells for found in searched.values())
    # where a mass is too small for the balls the claim is kept
    losses = {user: found.loss or (Fraction(0), budgets[user]) for user, found in searched.items()}
    return _proved_of_users(losses, budgets, words, count, cells)


def _proved_of_users(
    losses: dict[int, Enclosure],
    budgets: Sequence[Fraction],
    words: str,
    count: int,
    cells: int,
    lemmas: tuple[str, ...] = (),
) -> Proved:
    """Of each budget the user with the largest loss."""
    users, pairs = worst_users(losses, budgets), _pairs_words(words, count)
    proof = Proof(pairs, RELEASE, (), lemmas, cells, None, users=users)
    return Proved(proof, "no user loses more than the own budget on these pairs")


def _pairs_of_users(
    asked: Question, budgets: Sequence[Fraction]
) -> tuple[Iterable[tuple[int, Pairs]], str]:
    """Users and the pairs that change them: the listed ones, or all of a grid."""
    if asked.pairs:
        of_user: dict[int, list[tuple[Any, Any]]] = {}
        for user, pair in zip(asked.users, asked.pairs, strict=True):
            of_user.setdefault(user, []).append(pair)
        return of_user.items(), LISTED
    if asked.claim.relation is not Relation.SWAP or asked.multisets is None:
        msg = f"{asked.name} needs --pair for mode 'exact'"
        raise InvalidArgument(msg)
    grid: Records = (*asked.multisets.grid, *((nan,) if asked.placeholder else ()))
    count = len(budgets)
    each = len(grid) ** (count - 1) * comb(len(grid), 2)
    if each * count > MOST_PAIRS:
        msg = (
            f"{each * count} pairs of data sets of {count} users among {len(grid)} records are too "
            f"many (at most {MOST_PAIRS}); give --pair, or fewer points with --multisets"
        )
        raise InvalidArgument(msg)
    missing = " or missing" if asked.placeholder else ""
    points, low, high = asked.multisets.points, asked.multisets.low, asked.multisets.high
    words = (
        f"data sets of {plural(count, 'user')} with records among {points} points from {low} to "
        f"{high}{missing}"
    )
    return ((user, _pairs_of_place(count, grid, user)) for user in range(count)), words


def _pairs_of_place(count: int, grid: Records, user: int) -> Iterator[tuple[Records, Records]]:
    """All pairs of data sets that differ in one place."""
    for others in product(grid, repeat=count - 1):
        for x, y in combinations(grid, 2):
            yield (*others[:user], x, *others[user:]), (*others[:user], y, *others[user:])
