"""Exact audits of personalized claims: each user's own budget, on the pairs that change that user.

Users with the same budget promise the same, but their places may be treated differently, so all
users are gone through.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, nan
from typing import Any

from audit.exact.auditors.pair import LISTED, decided_pair, key_of_pair, pairs_words
from audit.exact.laws import is_formula
from audit.exact.levels import Broken, Decision, Kept, Open
from audit.exact.outcome import Outcome, Proved, Undecided
from audit.exact.question import Question, broken, listed, refuted, worst_users
from audit.exact.search import Searched, StatedLaws, search
from audit.exact_result import RELEASE, Proof
from audit.rounding import plural
from audit.verdict import Enclosure
from mechanisms.claims import PureDP, Relation
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Undecided as OpenBall

__all__ = ["by_user"]

MOST_PAIRS = 20_000
Records = tuple[Any, ...]


def by_user(asked: Question, budgets: Sequence[Fraction]) -> Outcome:
    """Audit a personalized claim about a mechanism that states its law.

    Raises InvalidArgument where there are too many data sets to go through.
    """
    pairs, words = _pairs(asked, budgets)
    laws = StatedLaws(asked.mechanism, asked.order)
    first = next((data for _, own in _pairs(asked, budgets)[0] for data, _ in own), None)
    if first is not None and is_formula(laws(first)):
        return _by_comparison(asked, budgets, laws, pairs, words)
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
    return _proved(_losses(searched, budgets), words, count, cells)


def _proved(
    losses: tuple[tuple[int, Fraction, Enclosure], ...],
    words: str,
    pairs: int,
    cells: int,
    lemmas: tuple[str, ...] = (),
) -> Proved:
    proof = Proof(pairs_words(words, pairs), RELEASE, (), lemmas, cells, None, users=losses)
    return Proved(proof, "no user loses more than the own budget on these pairs")


def _by_comparison(
    asked: Question,
    budgets: Sequence[Fraction],
    laws: StatedLaws,
    pairs: Iterable[tuple[int, Iterable[tuple[Any, Any]]]],
    words: str,
) -> Outcome:
    """Laws by formulas: each pair is held against its user's budget by what encloses them."""
    known: dict[Hashable, tuple[Decision, int, tuple[str, ...]]] = {}
    losses: dict[int, Enclosure] = {}
    count, cells, lemmas, still_open = 0, 0, dict[str, None](), ""
    for user, (data, neighbor) in ((user, pair) for user, own in pairs for pair in own):
        count += 1
        (law, other), budget = laws.pair(data, neighbor), budgets[user]
        key = budget, key_of_pair(law, other)
        if key not in known:
            known[key] = decided_pair(asked, PureDP(budget), law, other)
        found, size, reasons = known[key]
        match found:
            case Broken():
                return broken(RELEASE, [listed(data), listed(neighbor)], found, (user, budget))
            case Open(reason):
                still_open = still_open or f"on {words}, for user {user + 1}, {reason}"
            case Kept():
                losses[user] = max(losses.get(user, found.value), found.value, key=lambda v: v[1])
                cells, lemmas = cells + size, lemmas | dict.fromkeys((*reasons, *found.reasons))
    if still_open:
        return Undecided(still_open)
    return _proved(worst_users(losses, budgets), words, count, cells, tuple(lemmas))


def _losses(
    searched: dict[int, Searched], budgets: Sequence[Fraction]
) -> tuple[tuple[int, Fraction, Enclosure], ...]:
    """Of each budget the user with the largest loss."""
    # where a mass is too small for the balls the claim is kept
    own = {user: found.loss or (Fraction(0), budgets[user]) for user, found in searched.items()}
    return worst_users(own, budgets)


def _pairs(
    asked: Question, budgets: Sequence[Fraction]
) -> tuple[Iterable[tuple[int, Iterable[tuple[Any, Any]]]], str]:
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
    return ((user, _of_place(count, grid, user)) for user in range(count)), words


def _of_place(count: int, grid: Records, user: int) -> Iterator[tuple[Records, Records]]:
    """All pairs of data sets that differ in one place."""
    for others in product(grid, repeat=count - 1):
        for x, y in combinations(grid, 2):
            yield (
                (*others[:user], x, *others[user:]),
                (*others[:user], y, *others[user:]),
            )
