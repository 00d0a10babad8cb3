"""Weighted sums with Laplace noise: the privacy loss of every user, for all data sets at once.

Replacing the record of user i moves sum_j w_j clip(x_j) by at most w_i (high - low), and this is
reached; Laplace noise of scale s hides a move d with loss exactly d / s (PDP-L4).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from audit.exact.certify import PAIRS, certificate_of_weights
from audit.exact.question import (
    Outcome,
    Proved,
    Question,
    Refuted,
    Undecided,
    asked_for,
    check_no_pairs,
    enclosed_log,
    listed,
    worst_users,
)
from audit.results.exact_result import RELEASE, ExactWitness, Proof
from audit.results.refutation import Enclosure
from mechanisms.claims import PersonalizedDP, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.weighted_query import WeightedQuery
from proofs_check.enclosure import Balls, endpoints

LEMMA = "PDP-L4"
STATEMENT = "Laplace noise of scale s hides a move of at most d with privacy loss d / s"
BITS = 128


def loss_of(query: WeightedQuery, user: int) -> Fraction | None:
    """Largest privacy loss of a user; None where it is infinite."""
    move = query.weights[user] * (query.high - query.low)
    if move == 0:
        return Fraction(0)
    return move / query.scale if query.scale else None


def by_weights(asked: Question) -> Outcome:
    """Audit a mechanism that states a weighted sum: each user's budget, or one epsilon for all."""
    check_no_pairs(asked)
    query, level = asked_for(asked.mechanism, "weighted_query", WeightedQuery), asked.claim.level
    if isinstance(level, PersonalizedDP):
        return _every_user(asked, query, level.budgets, Fraction(0))
    epsilon, delta = asked.level
    return _every_user(asked, query, [epsilon] * len(query.weights), delta)


def _every_user(
    asked: Question, query: WeightedQuery, budgets: Sequence[Fraction], delta: Fraction
) -> Outcome:
    """Compare the loss of every user with what was promised.

    Raises InvalidArgument if a user may leave, or there are not as many weights as budgets.
    """
    if asked.claim.relation is not Relation.SWAP:
        msg = f"a weighted sum has a weight for each user: relation must be {Relation.SWAP}"
        raise InvalidArgument(msg)
    if len(query.weights) != len(budgets):
        msg = f"{asked.name} has {len(query.weights)} users, the claim has {len(budgets)}"
        raise InvalidArgument(msg)
    losses: dict[int, Enclosure] = {}
    still_open = ""
    for user, budget in enumerate(budgets):
        loss = loss_of(query, user)
        if loss is not None and loss <= budget:
            losses[user] = loss, loss
        elif witness := _broken(query, user, budget, loss, delta):
            lost = f"that user's privacy loss is {loss} exactly"
            return Refuted(witness, "there is no noise" if loss is None else lost)
        else:
            still_open = f"user {user + 1} loses {loss}, but in no event surely beyond delta"
    if still_open:
        return Undecided(still_open)
    certificate = certificate_of_weights(asked, LEMMA, [loss for loss, _ in losses.values()])
    proof = Proof(
        PAIRS,
        "the weighted sum of the clipped records plus Laplace noise; the release is a function "
        "of it",
        (LEMMA,),
        (STATEMENT,),
        len(budgets),
        None,
        certificate,
        users=worst_users(losses, budgets),
    )
    return Proved(proof, "no user loses more than the own budget")


def _broken(
    query: WeightedQuery, user: int, budget: Fraction, loss: Fraction | None, delta: Fraction
) -> ExactWitness | None:
    """One record from end to end: the release is not above the noiseless sum, or not far above it.

    With a delta the event ends where the two densities have the ratio e^budget: none has more
    probability beyond e^budget times its probability under the neighbor. None if that is within
    delta, as far as known.
    """
    lows = (query.low,) * len(query.weights)
    data, neighbor = listed(lows), listed((*lows[:user], query.high, *lows[user + 1 :]))
    center = sum(query.weights) * query.low
    numbers = Balls(BITS)
    above = (loss - budget) / 2 if delta and loss is not None else Fraction(0)
    half = Fraction(1, 2)
    first, second = (Fraction(1), Fraction(1)), (Fraction(0), Fraction(0))
    if loss is not None:
        first = endpoints(1 - numbers.exp(numbers.rational(-above)) * half)
        second = endpoints(numbers.exp(numbers.rational(above - loss)) * half)
    excess = endpoints(
        numbers.between(*first)
        - numbers.exp(numbers.rational(budget)) * numbers.between(*second)
        - delta
    )
    if excess[0] <= 0:
        return None
    return ExactWitness(
        data,
        neighbor,
        RELEASE,
        f"output <= {center + above * query.scale}",
        "data",
        first,
        second,
        excess,
        user=user + 1,
        budget=budget,
        loss=enclosed_log(first, second) if above or loss is None else (loss, loss),
    )
