"""Which pairs an audit bets on first, and why choosing them touches no error rate.

Let G be all that screening saw: outputs from the streams of purpose SCREEN, which no bet, no
learning draw and no witness uses. The list of pairs handed over is a function of G. The draws that
are bet on come from other streams, so given G they are independent of it and have the law of the
target on the pairs chosen. ENG-T1 to ENG-T6 hold, conditionally on G, for every list of pairs of
neighbors; hence P(refuted) <= alpha given G under the claim, and so without the condition.
Choosing three of two thousand pairs needs no correction, since nothing that chose them is bet on.

Three conditions:

1. What screening drew enters no count, no learned partition, no bound and no witness. The arms of
   coupled draws depend on each other, and where one mirrors the other the factors of ENG-T1 have a
   mean above 1: betting on them refutes sound mechanisms far more often than stated. So what
   leaves this module is data sets and words, never an output.
2. The target keeps no state. Screening has a process of its own, which ends before the first bet,
   so counters, caches and seeded globals do not travel to the draws that are bet on. (Each start of
   a program is such a process.) What a target writes into files does; the page on verdicts says so.
3. The list is a function of the domain, the seed and the number of draws that the run may take: the
   processes that draw (`--jobs`) have no part in it. Where draws are so slow that the clock had a
   say in how much is screened, the report says so, and the command that repeats it states how much
   was.

tests/audit/screening/test_validity.py has a test of each, and a variant without the first that a
calibrated test convicts.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import final

from audit.draws.containment import cannot_fork, supervised
from audit.draws.run_log import RunLog
from audit.draws.supervisor import Care
from audit.pairs.worst_cases import Pair
from audit.results.screened_pairs import ScoredPairs, ScreenedPair, Screening
from audit.screening.calibration import bases_of, calibrated
from audit.screening.caller import Caller
from audit.screening.candidate_pairs import (
    Candidate,
    candidates_of,
    key_of_pair,
    others_than_candidates,
)
from audit.screening.coupling import Coupled
from audit.screening.event_counts import event_score
from audit.screening.halving import STAGES, Halving
from audit.screening.local_records import Local, is_local, records_of
from audit.screening.ranking import Ranked, handed_over
from audit.screening.size import SIZES, ScreenSize, program_size, size_for
from audit.screening.yardstick import Yardstick, yardstick_of
from audit.targets.command import heard_apart
from audit.targets.domain import Domain, RecordKind
from audit.targets.outcomes import OutOfTime
from audit.targets.target import Calls, Target
from mechanisms.claims import PersonalizedDP, PrivacyClaim

__all__ = ["Choice", "ScreenBudget", "beside", "obstacle", "screen"]

SHARE_OF_TIME, MOST_SECONDS = 0.15, 20.0
"""Of the time cap, and at most: chosen. Draws end a screening that is not slow."""

AGAIN = 3
"""Draws that are made twice on each plain data set, to see whether the seed determines them."""

TRIED = 8
"""Calls of one draw on each plain data set, where calls for many all fail: what fails in each of
them is not screened."""

MORE, QUICK = 16, 0.005
"""Draws that are timed on each plain data set, where one takes less than so many seconds."""

GRACE = 3.0
"""Times the seconds that were allowed after which a screening is cut: calls on other data sets may
take longer than those that were timed."""

SUSPICIOUS, VERY_CAREFUL = 1.0, 2.5
"""A pair is suspicious where counts of fresh draws are beyond the claim, each count with so many
standard errors. Of sound releases the counts have come to .86 of the claim, and of eleven of twelve
broken ones to more than it (tests/audit/screening/test_defects.py)."""

COUNTED, COUNTED_OF_LAST = 60, 8
"""Stage of the streams of these draws, and how many times those of the last stage they are."""

FEWEST = 8
"""Of these draws, where the last stage has none."""

PLAINEST = 7
"""Worst cases beside suspicious pairs: on few pairs a run finds in a few hundred draws what it is
shown. Where nothing is suspicious all of them stay, as screening does not see rare events."""

MOST_HALVED = 40_000
"""Draws of successive halving: 1,000 pairs begin."""


@final
@dataclass(frozen=True, slots=True)
class ScreenBudget:
    """What a screening may take.

    Parameters
    ----------
    samples : int
        Draws of the run that follows: screening takes a fifth as many at most.
    seconds : float
        Time cap of the run.
    pairs : int or None
        How many pairs are screened at most, whatever the time; None for as many as these pay for.
    """

    samples: int
    seconds: float
    pairs: int | None = None


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """What screening has found.

    Parameters
    ----------
    pairs : tuple of Pair
        To bet on, the best first.
    told : Screening or None
        What a report says of it; None where nothing was screened.
    why_not : str
        Why not.
    suspicious : bool
        Whether a pair looks worse than any of a sound release does.
    """

    pairs: tuple[Pair, ...] = ()
    told: Screening | None = None
    why_not: str = ""
    suspicious: bool = False


def obstacle(target: Target, claim: PrivacyClaim, domain: Domain, care: Care | None) -> str:
    """Why the pairs of a target are not screened; "" where they are."""
    if isinstance(claim.level, PersonalizedDP) or domain.kind is RecordKind.MEMBERS:
        return "a record belongs to its user"
    no_bounds = domain.bounds is None or domain.ends[0] == domain.ends[1]
    if domain.schema is None and no_bounds:
        return "there are no bounds to make records between"
    if care is None:
        return "--in-process: it would leave its state to what is bet on"
    return "" if target.command else cannot_fork(target)


def screen(
    target: Target,
    claim: PrivacyClaim,
    domain: Domain,
    given: Sequence[Pair],
    budget: ScreenBudget,
    *,
    seed: int,
    care: Care,
    log: RunLog | None = None,
) -> Choice:
    """Screen the candidates of a domain, in a process that ends with it.

    Parameters
    ----------
    target, claim, domain
        What is audited.
    given : sequence of Pair
        The pairs at hand, which are candidates, too.
    budget : ScreenBudget
        How much it may take.
    seed : int
        Of the run.
    care : Care
        How the target is looked after.
    log : RunLog or None
        Where what is drawn is kept, and goes on from.
    """
    bases = bases_of(domain)
    if not bases or (budget.pairs is None and _whole(budget) is None):
        return Choice(why_not="the draws of the run are few")
    if budget.pairs == 0:
        return Choice(why_not="--screen 0")
    allowed = min(MOST_SECONDS, SHARE_OF_TIME * budget.seconds)
    now = time.monotonic()
    with supervised(heard_apart(target), care) as (apart_from, _):
        caller = Caller(apart_from, seed, now + GRACE * allowed, now + allowed)
        caller.log = log or caller.log
        try:
            size, by_time = caller.log.ask(
                "size of screening",
                lambda: _size(caller, bases, budget, allowed),
                to=lambda found: [found[0] and astuple(found[0]), found[1]],
                back=lambda found: (found[0] and ScreenSize(*map(int, found[0])), bool(found[1])),
                lasting=True,
            )
            if size is None:
                return Choice(why_not="the draws of the run are few")
            return _searched(caller, claim, domain, given, bases, size, by_time)
        except OutOfTime:
            return Choice(why_not="time was up before plain data sets had answered")


def _whole(budget: ScreenBudget) -> ScreenSize | None:
    return size_for(budget.samples)[0]


def _with_given(given: Sequence[Pair], domain: Domain, seed: int, most: int) -> list[Candidate]:
    """So many candidates, and before them the pairs at hand that are none."""
    more = others_than_candidates(given, domain, seed)
    own = [Candidate(pair, "at hand", place) for place, pair in enumerate(more, -len(more))]
    return [*own, *candidates_of(domain, seed, most)][:most]


def _size(
    caller: Caller, bases: Sequence[object], budget: ScreenBudget, allowed: float
) -> tuple[ScreenSize | None, bool]:
    """How much is screened; the clock has a say where draws are slow."""
    if caller.target.calls is Calls.START:
        return _size_of_program(caller, bases, budget, allowed)
    if budget.pairs is not None:
        return size_for(budget.samples, pairs=budget.pairs)
    single = caller.target.calls is Calls.ONE
    seconds = caller.seconds(bases[:1], 1)
    if seconds < QUICK:
        seconds = caller.seconds(bases, MORE) / (MORE if single else 1)
    most = allowed / max(seconds, 1e-9)
    if single:
        return size_for(budget.samples, most_draws=most)
    return size_for(budget.samples, most_calls=most)


def _size_of_program(
    caller: Caller, bases: Sequence[object], budget: ScreenBudget, allowed: float
) -> tuple[ScreenSize | None, bool]:
    """The same where a call is a start, and most of what it takes is that."""
    if budget.pairs is not None:
        return program_size(budget.samples, pairs=budget.pairs)
    start, several = (caller.seconds(bases[:1], draws) for draws in (1, 1 + MORE))
    per_draw = max(0.0, several - start) / MORE
    return program_size(budget.samples, seconds=allowed, start=start, per_draw=per_draw)


def _searched(
    caller: Caller,
    claim: PrivacyClaim,
    domain: Domain,
    given: Sequence[Pair],
    bases: Sequence[object],
    size: ScreenSize,
    by_time: bool,
) -> Choice:
    yardstick: Yardstick = yardstick_of(claim.level)
    known = calibrated(caller, bases, size.calibration, again=AGAIN)
    if known.silent and caller.always_fails(bases, TRIED):
        return Choice(why_not="it fails on every plain data set")
    search: Coupled | Halving | Local
    if is_local(domain):
        how, search = "records", Local(caller, yardstick, domain, size.calibration / 512)
    elif known.goes_by_seed:
        how, search = "coupled", Coupled(caller, known, yardstick, domain, size)
    elif caller.target.calls is Calls.START:  # more draws of a start cost little
        of_each = STAGES * 2 * size.first
        search = Halving(caller, known, yardstick, domain, size.pairs * of_each, size.first)
        how = "independent"
    else:
        most = int(MOST_HALVED * size.draws / SIZES[0].draws)
        how, search = "independent", Halving(caller, known, yardstick, domain, most)
    cut = False
    try:
        if isinstance(search, Local):
            chosen = search.search(records_of(domain))
        else:
            chosen = search.search(_with_given(given, domain, caller.seed, search.most))
        counted = _counted(caller, chosen, yardstick, COUNTED_OF_LAST * size.third or FEWEST)
    except OutOfTime:
        chosen, cut = handed_over(search.found or search.scored, domain), True
        counted = [0.0] * len(chosen)
    told = Screening(
        how,
        search.pairs,
        caller.calls,
        caller.draws,
        tuple(map(_told, chosen, counted)),
        size.pairs if by_time else None,
        cut,
        scored_pairs(search.scored),
        isinstance(search, Coupled) and search.answered and not search.moved,
    )
    of_kinds = cut and any(one.score.kind == 1 for one in chosen)
    looks_bad = of_kinds or max(counted, default=0.0) > SUSPICIOUS
    pairs = tuple(one.pair for one in chosen)
    return Choice(pairs, told, suspicious=yardstick.known and looks_bad)


def _counted(caller: Caller, chosen: Sequence[Ranked], claim: Yardstick, draws: int) -> list[float]:
    """What counts of fresh draws say of the pairs that were chosen: scores may be far off.

    The scale of the noise may depend on the number of records, which is public, and an output that
    is clipped moves by more than the noise that is left.
    """
    firsts = caller.independent([one.pair.data for one in chosen], COUNTED, draws)
    others = caller.independent([one.pair.neighbor for one in chosen], COUNTED + 1, draws)
    each = zip(firsts, others, strict=True)
    return [event_score(x, y, claim, careful=VERY_CAREFUL).event for x, y in each]


def _told(one: Ranked, counted: float) -> ScreenedPair:
    score, found = (float(f"{x:.6g}") for x in (one.score.value, counted))  # not the last bits
    why, family = one.score.why, one.candidate.family
    return ScreenedPair(one.pair.label, score, found, why, family, size_of(one))


def scored_pairs(found: Sequence[Ranked]) -> tuple[ScoredPairs, ...]:
    """All that was scored first, by size and score: a picture needs no more than two digits."""
    counts = Counter((size_of(one), float(f"{one.score.value:.2g}")) for one in found)
    return tuple(ScoredPairs(*key, count) for key, count in sorted(counts.items()))


def size_of(one: Ranked) -> int:
    """Records of the larger data set of a pair."""
    return max(len(one.pair.data), len(one.pair.neighbor))


def beside(choice: Choice, pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs of a run: its first one, then those chosen, then the others.

    Where a chosen one is suspicious, only the plainest of the others: it is worth the draws. The
    first one is plain: whether calls of one draw have the law of calls of many is looked at there.
    """
    others = pairs[1:PLAINEST] if choice.suspicious else pairs[1:]
    first: dict[tuple[bytes, bytes], Pair] = {}
    for pair in (*pairs[:1], *choice.pairs, *others):
        first.setdefault(key_of_pair(pair), replace(pair, generated=True))
    return tuple(first.values())
