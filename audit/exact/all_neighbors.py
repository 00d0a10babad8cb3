"""All neighbors of all data sets: the privacy of a noisy query, and of every function of it.

A record moves the sums by an amount that depends on the record alone, so a lemma on all moves
speaks of every data set, and no function of the noisy sums loses more (post-processing, Dwork and
Roth 2014, Proposition 2.1). That holds of neighbors with the same public facts: a relation that
changes one of those that the release uses is refused.

How far a record moves the sums is decided for all records by z3: a record x moves coordinate i by
c_i x + d_i, whatever the others are, and replacing x by y moves it by c_i (y - x); the statements
are linear.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

from audit.exact.cells.plane.plane_noises import discrete_hourglass_law, hourglass_law
from audit.exact.moves.lemma import MoveCheck, MoveLemma
from audit.exact.moves.noise_lemmas import (
    discrete_hourglass_lemma,
    hourglass_lemma,
    l1_lemma,
    record_lemma,
    shift_lemma,
)
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery, PublicFact
from proofs_check.smt import absolute, all_of, exact, for_all, implies


def check_sensitivity(query: NoisyQuery, relation: Relation, bound: Fraction) -> str:
    """State that neighbors move a query by at most a bound, in l1.

    `query`: its moves and the range of its records. `relation`: ADD_REMOVE or SWAP. Raises
    InvalidArgument for another relation, or if they do not, with a record that is added, or one
    and what replaces it, or if it was not decided.
    """
    if relation not in (Relation.ADD_REMOVE, Relation.SWAP):
        msg = f"a sensitivity is about add-remove or swap, got {relation.value}"
        raise InvalidArgument(msg)
    lower, upper = map(exact, query.records)
    swap = relation is Relation.SWAP

    def within(*records: Any) -> Any:
        x, y = records if swap else (records[0], None)
        moves = [
            exact(slope) * (y - x) if swap else exact(slope) * x + exact(offset)
            for slope, offset in query.moves
        ]
        norm: Any = sum(map(absolute, moves), start=exact(0))
        inside = all_of(*(all_of(lower <= r, r <= upper) for r in records))
        return implies(inside, norm <= exact(bound))

    names = ("x", "y") if swap else ("x",)
    answer = for_all(dict.fromkeys(names, "integer" if query.whole else "real"), within)
    kind = "a record replaced" if swap else "a record"
    first, last = query.records
    statement = f"{kind} of [{first}, {last}] moves {query.words} by at most {bound} in l1 (z3)"
    if answer.holds:
        return statement
    at = ", ".join(map(str, answer.counterexample.values()))
    why = f"not for {at}" if answer.holds is False else "which was not decided"
    msg = f"needed: {statement}; {why}"
    raise InvalidArgument(msg)


CHANGED = {
    Relation.ADD_REMOVE: (PublicFact.COUNT,),
    Relation.SWAP: (),
    Relation.LISTED: tuple(PublicFact),
}
"""Public facts that neighbors may differ in; of a list anything may."""


@final
@dataclass(frozen=True, slots=True)
class AllNeighbors:
    """A lemma about all neighbors, checked."""

    lemma: MoveLemma
    check: MoveCheck
    loss: Fraction | None
    """The largest privacy loss is at most this; None if no bound was found."""
    lemmas: tuple[str, ...]
    """Ids of all that it rests on."""


def query_lemma(query: NoisyQuery, relation: Relation, epsilon: Fraction) -> MoveLemma:
    """State that no neighbors of any data set differ by more than epsilon in the noisy query.

    `query`: the sums, their moves and noises; what the noises state of themselves is checked.
    `relation`: ADD_REMOVE, or SWAP for a query of one coordinate. `epsilon`: claimed bound of the
    loss. Raises InvalidArgument if there is no lemma for such a query.
    """
    lower, upper = query.records
    first = query.noises[0]
    if relation is Relation.SWAP and len(query.moves) == 1:
        slope, _ = query.moves[0]
        most = abs(slope) * (upper - lower)
        known = check_sensitivity(query, relation, most)
        return _knowing(shift_lemma(first, most, epsilon), known)
    if relation is not Relation.ADD_REMOVE:
        msg = f"no lemma covers {query.words} under the relation {relation.value}"
        raise InvalidArgument(msg)
    if first.dimension == 2:
        return _pair_lemma(query, first, epsilon)
    return record_lemma(query.noises, query.moves, query.records, lambda _: epsilon, "KSW-T1")


def check_public_facts(query: NoisyQuery, relation: Relation) -> None:
    """Refuse a relation under which a public fact that the release uses is private.

    Raises InvalidArgument if there is one: the lemmas compare the noisy query alone, and the
    releases on such neighbors may differ in more.
    """
    for fact in query.public_facts:
        if fact in CHANGED[relation]:
            msg = (
                f"{fact} is public for this release (a function of the noisy {query.words} and of "
                f"{fact}), and under {relation.value} it is private: use --relation swap, or "
                "--mode sequential"
            )
            raise InvalidArgument(msg)


def all_neighbors(query: NoisyQuery, relation: Relation, epsilon: Fraction) -> AllNeighbors:
    """Check the lemma of `query_lemma`.

    Where sum and count are noisy, a record that is replaced is one removed and one added: twice the
    loss (group privacy, Dwork and Roth 2014, Theorem 2.2).

    Raises InvalidArgument if there is no lemma for such a query, or neighbors differ in a public
    fact that the release uses.
    """
    check_public_facts(query, relation)
    twice = relation is Relation.SWAP and len(query.moves) > 1
    factor = 2 if twice else 1
    lemma = query_lemma(query, Relation.ADD_REMOVE if twice else relation, epsilon / factor)
    check = lemma.check()
    ends = (check.least, check.largest)
    loss = None if None in ends else factor * max(abs(end) for end in ends if end is not None)
    group = ("group privacy",) if twice else ()
    return AllNeighbors(lemma, check, loss, (lemma.id, *group, "post-processing"))


def _knowing(lemma: MoveLemma, known: str) -> MoveLemma:
    """The lemma with its hypothesis on the query in the words of what decided it."""
    return replace(lemma, hypotheses=(known, *lemma.hypotheses[1:]))


def _pair_lemma(query: NoisyQuery, noise: Any, epsilon: Fraction) -> MoveLemma:
    """The lemma of noise on two coordinates together, by what the noise has."""
    if hasattr(noise, "sensitivity"):
        known = check_sensitivity(query, Relation.ADD_REMOVE, noise.sensitivity)
        return _knowing(l1_lemma(noise, noise.sensitivity, epsilon), known)
    discrete = hasattr(noise, "grid")
    unit = Fraction(noise.grid) if discrete else Fraction(1)
    zero, one = Fraction(0), Fraction(1)
    wanted = ((one, zero), (zero, one)), (zero, unit), discrete
    if (query.moves, query.records, query.whole) != wanted:
        msg = f"hourglass noise is for (sum of x, count) with 0 <= x <= {unit}, got {query!r}"
        raise InvalidArgument(msg)
    if discrete:
        discrete_hourglass_law(noise)
        lemma = discrete_hourglass_lemma(noise.epsilon, noise.grid, noise.level0)
    else:
        hourglass_law(noise)
        lemma = hourglass_lemma(noise.epsilon)
    return replace(lemma, bound=lambda _: epsilon)
