"""Compositions of private steps: what every record loses at most, for all data sets at once.

The loss of a step follows from its moves and its noise by the lemma about it; losses are then put
together. What comes out is an upper bound, so it proves a claim or leaves it open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate
from math import ceil, comb, floor
from typing import TypeAlias, assert_never

from audit.exact.certify import PAIRS, certificate_of_composition
from audit.exact.exact_numbers import as_ball
from audit.exact.exact_search import StatesLaw, search
from audit.exact.question import (
    Outcome,
    Proved,
    Question,
    Undecided,
    asked_for,
    check_no_pairs,
    worst_users,
)
from audit.results.exact_result import RELEASE, Proof
from audit.results.refutation import Enclosure
from mechanisms.claims import PersonalizedDP, Relation
from mechanisms.composition import (
    AnswerStep,
    CoarseStep,
    Composition,
    Either,
    InTurn,
    LaplaceStep,
    NamedStep,
    ScanStep,
    ScoreStep,
    ShuffledStep,
    Step,
    Survivors,
)
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Balls, endpoints
from proofs_check.enclosure import Undecided as OpenBall

Loss: TypeAlias = tuple[Fraction, Fraction]
"""Epsilon and delta."""
ZERO = Fraction(0)
BITS = 512
"""Of the sums over clones, whose two tails nearly cancel."""
STATEMENTS = {
    "PDP-L4": "Laplace noise of scale s hides a move of at most d with privacy loss d / s",
    "PDP-A2": "probabilities proportional to e^(f score) with scores that move by at most d lose "
    "at most 2 f d",
    "PDP-A1": "the index of the first noisy query above a noisy bar loses at most d / bar + "
    "2 d / query",
    "randomized response": "a bit of one record that is told right with odds e^t loses at most t",
    "TRI-P3.0.2": "a record that is used with probability delta only loses (0, delta)",
    "TRI-P4.1.1": "the bin of the largest noisy count above 2 + s log(1 / delta) loses "
    "(2 / s, delta)",
    "TRI-T2.2.2-clones": "shuffled answers are a function of two counts of clones, of which the "
    "excess is a finite sum",
    "PDP-T10": "on records that survive with probability min(1, (e^b - 1) / (e^tau - 1)) a step "
    "that loses t <= tau loses at most min(b, t)",
    "composition": "losses of steps that are taken in turn add up (Dwork and Roth 2014, "
    "Theorem B.1)",
    "choice": "where a record is seen by one step alone, its loss is that of this step",
}
"""What the lemmas say, in the order in which they are named."""


def by_composition(asked: Question) -> Outcome:
    """Audit by the losses of the steps; a claim that is smaller stays open."""
    members = isinstance(asked.claim.level, PersonalizedDP) and (
        asked.claim.relation is Relation.ADD_REMOVE
    )
    if asked.pairs and not members:  # pairs of members are made where none are given
        if not isinstance(asked.mechanism, StatesLaw):
            check_no_pairs(asked)
        return Undecided("a composition speaks of all neighbors at once")
    stated = asked_for(asked.mechanism, "private_steps", Composition)
    level = asked.claim.level
    if stated.relation is not asked.claim.relation:
        return Undecided(f"the composition is stated for the relation {stated.relation}")
    if members and level != asked.mechanism.claim.level:
        return Undecided("users bring their budgets: only those of the mechanism are stated")
    if isinstance(level, PersonalizedDP):
        return _every_user(asked, stated, level.budgets)
    if stated.relation is Relation.ADD_REMOVE and stated.users:
        return Undecided("a user may bring any budget, so no one epsilon is stated for all")
    losses = losses_of(stated.step, max(stated.users, 1))
    epsilon, delta = asked.level
    worst = max(loss[0] for loss in losses), max(loss[1] for loss in losses)
    if worst[0] > epsilon or worst[1] > delta:
        return Undecided(f"its steps lose at most {_words(worst)}, as far as their lemmas tell")
    reason = f"its steps lose at most {_words(worst)}, whatever the data are"
    return _proved(asked, stated, losses, reason)


def _every_user(asked: Question, stated: Composition, budgets: tuple[Fraction, ...]) -> Outcome:
    if stated.users not in (0, len(budgets)):
        msg = f"{asked.name} has {stated.users} users, the claim has {len(budgets)}"
        raise InvalidArgument(msg)
    losses = losses_of(stated.step, len(budgets))
    for user, (loss, budget) in enumerate(zip(losses, budgets, strict=True), start=1):
        if loss[0] > budget or loss[1]:
            return Undecided(f"user {user} loses at most {_words(loss)}, as far as the lemmas tell")
    return _proved(asked, stated, losses, "no user loses more than the own budget")


def losses_of(step: Step, users: int) -> tuple[Loss, ...]:
    """Largest loss of each of so many users."""
    match step:
        case LaplaceStep(moves=moves, scale=scale):
            if len(moves) not in (1, users):
                msg = f"moves of {step.words} must be of {users} users, got {len(moves)}"
                raise InvalidArgument(msg)
            return tuple((move / scale, ZERO) for move in (moves * users)[:users])
        case ScoreStep(move=move, factor=factor):
            return ((2 * factor * move, ZERO),) * users
        case ScanStep(move=move, bar=bar, query=query):
            return ((move / bar + 2 * move / query, ZERO),) * users
        case AnswerStep(epsilon=epsilon):
            return ((epsilon, ZERO),) * users
        case NamedStep(delta=delta):
            return ((ZERO, min(delta, Fraction(1))),) * users
        case CoarseStep(scale=scale, delta=delta):
            return ((2 / scale, delta),) * users
        case ShuffledStep():
            return ((step.level, _shuffled(step)),) * users
        case InTurn(steps=steps):
            return _each(steps, users, _sum)
        case Either(steps=steps):
            return _each(steps, users, _largest)
        case Survivors(budgets=budgets, tau=tau, step=inner):
            if len(budgets) != users:
                msg = f"survivors must be of {users} users, got {len(budgets)}"
                raise InvalidArgument(msg)
            return tuple(map(_amplified, losses_of(inner, users), budgets, (tau,) * users))
        case _:
            assert_never(step)


def _shuffled(step: ShuffledStep) -> Fraction:
    """Upper end of the excess of the counts of clones at the level, rounded up to 18 decimals."""
    if step.level >= step.epsilon:
        return ZERO
    numbers = Balls(BITS)
    e, big = (numbers.exp(numbers.rational(x)) for x in (step.epsilon, step.level))
    first, last = (e - big) / (1 + e), (1 - e * big) / (1 + e)
    share = (e * big - 1) / ((e - 1) * (1 + big))
    total = numbers.rational(ZERO)
    tails = [1]  # sums of the binomial coefficients of n from k on, k = 0, ..., n
    for n in range(step.blocks):  # clones besides the record's own answer
        turn = floor(endpoints(share * (n + 1))[1])
        part = numbers.rational(ZERO)
        for least in {turn, turn + 1}:  # where the enclosure of the turn holds a whole number
            one, two = (tails[k] if 0 <= k <= n else 0 for k in (least, least + 1))
            found = first * Fraction(one, 2**n) + last * Fraction(two, 2**n)
            part = found if endpoints(found)[1] > endpoints(part)[1] else part
        ways = comb(step.blocks - 1, n)
        total = total + part * ways * (1 / e) ** n * (1 - 1 / e) ** (step.blocks - 1 - n)
        row = [comb(n + 1, k) for k in range(n + 1, -1, -1)]
        tails = list(accumulate(row))[::-1]
    return Fraction(ceil(endpoints(total)[1] * 10**18), 10**18)


def _each(
    steps: tuple[Step, ...], users: int, together: Callable[[Iterable[Loss]], Loss]
) -> tuple[Loss, ...]:
    return tuple(map(together, zip(*(losses_of(step, users) for step in steps), strict=True)))


def _sum(losses: Iterable[Loss]) -> Loss:
    epsilons, deltas = zip(*losses, strict=True)
    return sum(epsilons, ZERO), min(sum(deltas, ZERO), Fraction(1))


def _largest(losses: Iterable[Loss]) -> Loss:
    epsilons, deltas = zip(*losses, strict=True)
    return max(epsilons), max(deltas)


def _amplified(loss: Loss, budget: Fraction, tau: Fraction) -> Loss:
    """Theorem 10 speaks of pure steps that lose at most tau; of others nothing is gained."""
    epsilon, delta = loss
    if delta or epsilon > tau:
        return loss
    return min(budget, epsilon), ZERO


def steps_of(step: Step) -> tuple[str, ...]:
    """Ids of the lemmas that a loss rests on, each once, in the order of `STATEMENTS`."""
    found = set(_lemmas(step))
    return tuple(name for name in STATEMENTS if name in found)


def _lemmas(step: Step) -> Iterable[str]:
    match step:
        case LaplaceStep():
            yield "PDP-L4"
        case ScoreStep():
            yield "PDP-A2"
        case ScanStep():
            yield "PDP-A1"
        case AnswerStep():
            yield "randomized response"
        case NamedStep():
            yield "TRI-P3.0.2"
        case CoarseStep():
            yield "TRI-P4.1.1"
        case ShuffledStep():
            yield "TRI-T2.2.2-clones"
        case Survivors(step=inner):
            yield "PDP-T10"
            yield from _lemmas(inner)
        case InTurn(steps=steps):
            yield "composition"
            for one in steps:
                yield from _lemmas(one)
        case Either(steps=steps):
            yield "choice"
            for one in steps:
                yield from _lemmas(one)
        case _:
            assert_never(step)


def _proved(asked: Question, stated: Composition, losses: tuple[Loss, ...], reason: str) -> Proved:
    names = steps_of(stated.step)
    lemmas = tuple(dict.fromkeys((stated.argument, *names)))
    level = asked.claim.level
    users: tuple[tuple[int, Fraction, Enclosure], ...] = ()
    loss = excess = None
    if isinstance(level, PersonalizedDP):
        each: dict[int, Enclosure] = {i: (ZERO, one[0]) for i, one in enumerate(losses)}
        users = worst_users(each, level.budgets)
    elif asked.level[1]:
        excess = _reached(asked), max(one[1] for one in losses)
    else:
        loss = ZERO, max(one[0] for one in losses)
    proof = Proof(
        PAIRS,
        f"the answers of its steps; {RELEASE} is a function of them",
        lemmas,
        tuple(STATEMENTS[name] for name in names),
        len(losses),
        loss,
        certificate_of_composition(asked, lemmas, losses),
        excess=excess,
        users=users,
    )
    return Proved(proof, reason)


def _reached(asked: Question) -> Fraction:
    """Excess at the claimed epsilon on the lone records at the two ends, where their law is stated.

    How near the bound comes to what is lost; 0 where nothing is known.
    """
    if not isinstance(asked.mechanism, StatesLaw) or asked.multisets is None:
        return ZERO
    pair = (asked.multisets.low,), (asked.multisets.high,)
    try:
        found = search(asked.mechanism, [pair], asked.level[0], ZERO)
    except (OpenBall, InvalidArgument):  # no law, or one that shows nothing there
        return ZERO
    if found.broken is None:
        return ZERO
    return max(ZERO, endpoints(as_ball(found.broken[2].value))[0])


def _words(loss: Loss) -> str:
    epsilon, delta = loss
    return f"epsilon = {epsilon}" + (f", delta = {delta}" if delta else "")
