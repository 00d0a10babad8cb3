"""Exact audits of mechanisms that state a noisy query: all neighbors of all data sets.

Of pure and approximate claims a lemma speaks (`audit.exact.all_neighbors`). Where the noise is
Gaussian a move m of the sums is a pair of Gaussian laws at mu^2 = sum of m_i^2 / sigma_i^2, convex
in the record, so that the largest one is at an end of its range; all levels are monotone in mu. For
other levels and other noise, whatever loses at most L for all neighbors is a function of randomized
response at L (Kairouz, Oh and Viswanath 2015, Theorem 3.3); a pair of neighbors may refute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from audit.exact.all_neighbors import AllNeighbors, all_neighbors, check_public_facts
from audit.exact.cells.cell import Cell, CellPair, outcomes
from audit.exact.certify import PAIRS, certificate_of_query
from audit.exact.comparison.cells import Gap, OfCells
from audit.exact.comparison.gaussians import OfGaussians
from audit.exact.exact_numbers import as_ball
from audit.exact.levels import Broken, Kept, Open, decide
from audit.exact.neighbor_pair import (
    laws_on_pairs,
    loss_reached,
    losses_of_records,
    pair_that_shows,
)
from audit.exact.question import (
    Outcome,
    Proved,
    Question,
    Undecided,
    asked_for,
    broken,
    check_no_pairs,
    listed,
    refuted,
)
from audit.exact.stated_laws import gaussian
from audit.exact.symbolic.affine import NotAffine
from audit.levels import line_of
from audit.results.exact_result import MOVED, Proof
from audit.results.verdict import Verdict
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.noisy_query import NoisyQuery
from proofs_check.enclosure import endpoints
from proofs_check.exponential import ExpSum

Records = tuple[Fraction, ...]
MONOTONE = (
    "Gaussian noise hides a move m of the sums with mu^2 = sum of m_i^2 / sigma_i^2, which is "
    "largest at an end of the range of a record; every level is monotone in mu"
)
RESPONSE = (
    "a mechanism that loses at most L on all neighbors is a function of randomized response at L "
    "(Kairouz, Oh and Viswanath 2015)"
)


def by_query(asked: Question) -> Outcome:
    """Audit by the law of the noisy sums; the release is a function of them."""
    check_no_pairs(asked)
    query = asked_for(asked.mechanism, "noisy_query", NoisyQuery)
    level = asked.claim.level
    if _gaussian_variances(query) is not None:
        return _by_gaussians(asked, query)
    line = line_of(level)
    epsilon = Fraction(0) if line is None else line[0]
    try:
        found = all_neighbors(query, asked.claim.relation, epsilon)
    except NotAffine as exc:
        msg = f"no lemma covers the noise of {query.words}; state exact_law(data) instead ({exc})"
        raise InvalidArgument(msg) from exc
    if line is None:
        return _by_response(asked, query, found)
    if found.check.verdict is Verdict.PROVED and found.loss is not None:
        return _by_lemma(asked, query, found)
    pair = pair_that_shows(query, asked.claim.relation, *asked.level)
    if pair is not None:
        sides = [listed(tuple(side)) for side in (pair.data, pair.neighbor)]
        return refuted(_about(query), sides, pair.excess, pair.likelier, asked.level)
    if line[1]:
        decided = _response(asked, query, found)
        if isinstance(decided, Proved):
            return decided
    return Undecided(_open(found))


def _about(query: NoisyQuery) -> str:
    return f"the noisy {query.words}{MOVED}"


def _by_lemma(asked: Question, query: NoisyQuery, found: AllNeighbors) -> Proved:
    """The lemma holds."""
    relation, loss = asked.claim.relation, found.loss
    assert loss is not None
    if relation is Relation.ADD_REMOVE:
        records = losses_of_records(query)
        reached = max((one for _, one in records), default=None)
    else:
        records, reached = (), loss_reached(query, relation)
    proof = Proof(
        PAIRS,
        f"the noisy {query.words}; the release is a function of it",
        found.lemmas,
        (found.lemma.statement, *found.lemma.hypotheses),
        found.check.cases,
        (Fraction(0) if reached is None else reached, loss),
        certificate_of_query(asked, query, found),
        records,
    )
    return Proved(proof, f"no record loses more than epsilon = {loss}, whatever the others are")


def _open(found: AllNeighbors) -> str:
    """Say what stayed undecided."""
    at = ""
    if found.check.witness is not None:
        values = zip(found.lemma.variables, found.check.witness, strict=True)
        at = " at " + ", ".join(f"{name} = {value}" for name, value in values)
    return (
        f"the lemma {found.lemma.id} does not hold{at}, but no pair that was tried breaks the claim"
    )


def _gaussian_variances(query: NoisyQuery) -> tuple[Fraction, ...] | None:
    """Variances of independent Gaussian noise about 0; None of other noise."""
    found = [
        gaussian(noise.exact_law()) if noise.dimension == 1 else None for noise in query.noises
    ]
    if any(one is None or one[0] for one in found):
        return None
    return tuple(one[1] for one in found if one is not None)


def _by_gaussians(asked: Question, query: NoisyQuery) -> Outcome:
    """Gaussian noise: the neighbors with the largest mu decide."""
    relation = asked.claim.relation
    check_public_facts(query, relation)
    variances = _gaussian_variances(query)
    assert variances is not None
    lower, upper = query.records
    pairs: list[tuple[Records, Records, Records]]
    if relation is Relation.ADD_REMOVE:
        pairs = [((), (x,), query.move(x)) for x in (upper, lower)]
    elif relation is Relation.SWAP:
        move = tuple(slope * (upper - lower) for slope, _ in query.moves)
        pairs = [((lower,), (upper,), move)]
    else:
        msg = f"no lemma covers {query.words} under the relation {relation.value}"
        raise InvalidArgument(msg)
    data, neighbor, move = max(pairs, key=lambda pair: _mu_squared(pair[2], variances))
    if len(move) == 1:
        at, variance = move[0], variances[0]
    else:  # the law of the sum of m_i z_i / sigma_i^2
        at = _mu_squared(move, variances)
        variance = at or Fraction(1)
    pair = OfGaussians(Fraction(0), at, variance), OfGaussians(at, Fraction(0), variance)
    sides = [listed(tuple(map(query.record, side))) for side in (data, neighbor)]
    match decide(asked.claim.level, pair):
        case Broken() as found:
            return broken(_about(query), sides, found)
        case Open(reason):
            return Undecided(reason)
        case Kept() as kept:
            return _proved(query, kept, (MONOTONE,), ("Gaussian noise", "post-processing"))


def _mu_squared(move: Sequence[Fraction], variances: Sequence[Fraction]) -> Fraction:
    return sum((m**2 / v for m, v in zip(move, variances, strict=True)), Fraction(0))


def _by_response(asked: Question, query: NoisyQuery, found: AllNeighbors) -> Outcome:
    """Other levels and other noise: by the largest loss, or by a pair that shows otherwise."""
    decided = _response(asked, query, found)
    if isinstance(decided, Proved):
        return decided
    for laws in laws_on_pairs(query, asked.claim.relation):
        parts = tuple(OfCells(part) for part in laws.parts)
        one = parts[0] if len(parts) == 1 else OfParts(parts)
        shown = decide(asked.claim.level, (one, one))
        if isinstance(shown, Broken):
            sides = [listed(tuple(map(query.record, r))) for r in (laws.data, laws.neighbor)]
            if laws.likelier == "neighbor":
                sides.reverse()
            return broken(_about(query), sides, shown)
    return decided


def _response(asked: Question, query: NoisyQuery, found: AllNeighbors) -> Outcome:
    """Decide the claim of randomized response at the loss that all neighbors keep to."""
    if found.loss is None:
        return Undecided(f"the lemma {found.lemma.id} gives no bound of the loss")
    factor, one = ExpSum.exp(found.loss), ExpSum.rational(1)
    pair = CellPair((Cell(factor, one, outcomes(1)), Cell(one, factor, outcomes(0))), factor + one)
    decided = decide(asked.claim.level, (OfCells(pair), OfCells(pair.swapped())))
    if isinstance(decided, Kept):  # the mechanism may be better than what it is a function of
        decided = replace(decided, value=(Fraction(0), decided.value[1]))
        statements = (*found.lemma.hypotheses, f"at worst L = {found.loss}: {RESPONSE}")
        return _proved(query, decided, statements, (*found.lemmas, "randomized response"))
    return Undecided(
        f"every neighbor keeps to a loss of {found.loss}, of which the claim does not follow, and "
        "no pair that was tried breaks it"
    )


def _proved(
    query: NoisyQuery, found: Kept, statements: tuple[str, ...], lemmas: tuple[str, ...]
) -> Proved:
    proof = Proof(
        PAIRS,
        f"the noisy {query.words}; the release is a function of it",
        lemmas,
        (*statements, *found.reasons),
        1,
        None,
        measured=(found.measure, found.value),
    )
    most = f"{float(found.value[1]):.6g}"
    return Proved(proof, f"on no neighbors the {found.measure} is more than {most}")


@final
@dataclass(frozen=True, slots=True)
class OfParts:
    """Independent coordinates: losses and Renyi divergences add up; events are of one of them."""

    parts: tuple[OfCells, ...]
    rho: None = None
    mu_squared: None = None
    lemmas: tuple[str, ...] = ()

    @property
    def cells(self) -> int:
        """Of all coordinates."""
        return sum(part.cells for part in self.parts)

    def at_most(self, epsilon: Fraction) -> bool | None:
        """Decided where the enclosed losses do."""
        loss = self.loss()
        return None if loss is None or loss[0] <= epsilon < loss[1] else loss[1] <= epsilon

    def loss(self) -> tuple[Fraction, Fraction] | None:
        """The sum."""
        return _total([part.loss() for part in self.parts])

    def gap(self, epsilon: Fraction) -> Gap:
        """The best event of a single coordinate: others may have more."""
        best = max((part.gap(epsilon) for part in self.parts), key=least_of)
        return Gap(best.words, best.p, best.q, best.value, None)

    def renyi(self, order: Fraction) -> tuple[Fraction, Fraction] | None:
        """The sum."""
        return _total([part.renyi(order) for part in self.parts])


def least_of(gap: Gap) -> Fraction:
    """Lower end of what an event has."""
    return endpoints(as_ball(gap.value))[0]


def _total(values: list[tuple[Fraction, Fraction] | None]) -> tuple[Fraction, Fraction] | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return sum((v[0] for v in known), Fraction(0)), sum((v[1] for v in known), Fraction(0))
