"""Random near-perfect matchings of the survivors, and their coupling (PDP, Algorithm 4 repaired).

A matching pairs as many survivors as possible; one is left over if their number is odd. Differences
within pairs are the set G. Removing a survivor, or exchanging its value, changes one element of G.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from proofs_check.checks import mutant, proves
from proofs_check.claim import Finding, Method, exactly

__all__ = ["coupling_changes_one_pair", "matchings", "remove_survivor"]

Matching = frozenset[frozenset[int]]
"""Pairs, and a set of one for the survivor left over."""


def matchings(members: Sequence[int]) -> Iterator[Matching]:
    """All near-perfect matchings of the members, each once."""
    if not members:
        yield frozenset()
        return
    first, rest = members[0], members[1:]
    for other in rest:
        for more in matchings([x for x in rest if x != other]):
            yield more | {frozenset((first, other))}
    if len(members) % 2:
        for more in matchings(rest):
            yield more | {frozenset((first,))}


def remove_survivor(matching: Matching, gone: int) -> Matching:
    """Drop a survivor: its partner is left over, or takes the one left over as its partner."""
    single = next((s for s in matching if len(s) == 1), None)
    block = next(s for s in matching if gone in s)
    if block == single:
        return matching - {block}
    partner = block - {gone}
    if single is None:
        return (matching - {block}) | {partner}
    return (matching - {block, single}) | {partner | single}


def keep_partner_single(matching: Matching, gone: int) -> Matching:
    """A wrong rule: the partner is dropped from all pairs, even if another one is left over."""
    block = next(s for s in matching if gone in s)
    return frozenset(s for s in matching if len(s) == 2 and s != block)


@proves(
    "Random matchings of at most six survivors can be coupled so that one pair changes; exact marginals.",
    Method.EXACT,
)
@mutant("partner and the one left over stay apart", remove=keep_partner_single)
def coupling_changes_one_pair(
    remove: Callable[[Matching, int], Matching] = remove_survivor, most: int = 6
) -> Finding:
    """For m <= 6 survivors: the new matching is uniform, and at most one pair leaves and one enters.

    Each query Count(G, r) - |G| / 2 then moves by at most 1 (a pair exchanged) or 1/2.
    """
    for m in range(1, most + 1):
        old = list(matchings(range(m)))
        new = Counter(remove(matching, 0) for matching in old)
        expected = set(matchings(range(1, m)))
        if set(new) != expected or len(set(new.values())) != 1:
            return exactly(False, f"m = {m}: the new matching is not uniform")
        for matching in old:
            pairs, others = ({s for s in x if len(s) == 2} for x in (matching, remove(matching, 0)))
            gone, came = len(pairs - others), len(others - pairs)
            move = max(Fraction(gone + came, 2), Fraction(abs(gone - came), 2))
            if gone > 1 or came > 1 or move > 1:
                return exactly(False, f"m = {m}: {gone} pairs leave and {came} enter")
    return exactly(True, f"all matchings of at most {most} survivors")
