"""From a won bet to a witness that a person can read and run again."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Any, NamedTuple, final

from audit.draws.blocks import BatchFailed, OutOfTime
from audit.draws.containment import ApartDraw
from audit.draws.encode import Encoder, Outcomes
from audit.draws.new_draws import new_draws
from audit.draws.supervisor import Care
from audit.engine.pair_state import PairState
from audit.engine.run_state import Run
from audit.engine.two_binomials import Counts
from audit.engine.witness.confirm import ClaimRule, ConfirmedLimit, fresh_draws, rule_of
from audit.engine.witness.dependence import Fresh, dependence_of
from audit.engine.witness.event import WitnessEvent, witness_event
from audit.engine.witness.instead import GivenInstead
from audit.engine.witness.strength import Halves
from audit.pairs.literal import imports_of, literal, quoted
from audit.pairs.tables.two_tables import two_tables
from audit.results.refutation import Witness
from audit.targets.target import Target
from mechanisms.claims import Level

__all__ = ["FreshPlan", "find_witness"]

SNIPPET = """\
{head}
import numpy as np

import audit
{imported}
{made}
{data}


def event(z):  # {event}
    return {expression}


on_D, on_D_prime = audit.recount(target, D, D_prime, event, {told})
print(f"{{on_D}} of {draws} draws on D, {{on_D_prime}} of {draws} on D'"){counted}
"""

AGAIN = """\
# Counts the output of the counterexample on the report's own new draws again. Run it in the folder
# of the audit."""

OWN_DRAWS = """\
# Counts the output of the counterexample on draws of its own, so the counts differ from those of
# the report: {why}. Run it in the folder of the audit."""

NAMES = (
    *("form", "key_order", "label", "lattice_class", "lowest_bit", "number", "outcome"),
    *("representation", "residue"),
)
"""Functions of one output that an event may be written with."""

BY_NAME = "target = audit.load({target}{also})"

BY_OBJECT = """\
{made_by}
target = audit.load(mechanism{also})"""

LONGEST_LINE = 99
"""Characters of a line of a script that may stand beside another."""


def _script(
    target: Target,
    state: PairState,
    event: WitnessEvent,
    counts: tuple[int, int] | None,
    wanted: int,
    seed: int,
) -> str:
    """Python source that counts an event again; it imports public names only.

    `counts`: of the event on the data and on the neighbor; None where nothing was drawn.
    """
    names = [name for name in NAMES if re.search(rf"\b{name}\(", event.expression)]
    also = f", param={dict(target.parameters)!r}" if target.parameters else ""
    made = BY_NAME if target.mechanism is None else BY_OBJECT
    if target.command:
        made = "{made_by}"
    data, neighbor = literal(state.data), literal(state.neighbor)
    both = f"D, D_prime = {data}, {neighbor}"
    if len(both) > LONGEST_LINE:
        both = f"D = {data}\nD_prime = {neighbor}"
    imported = [f"from audit.scripts import {', '.join(names)}"] if names else []
    head, counted = AGAIN, ""
    if counts is None:
        head = OWN_DRAWS.format(why="its time was up before new draws")
    elif not target.seedable:
        head = OWN_DRAWS.format(why="the target does not follow a seed")
    else:
        counted = f"  # {counts[0]} and {counts[1]}"
    told = f"draws={wanted}, seed={seed}" + ", one_a_call=True" * state.single
    if isinstance(target.draw, ApartDraw):
        kept, usual = target.draw.care, Care()
        told += f", timeout={kept.timeout!r}" * (kept.timeout != usual.timeout)
        told += f", memory={kept.memory!r}" * (kept.memory != usual.memory)
    return SNIPPET.format(
        head=head,
        imported="".join(f"{line}\n" for line in (*imported, *imports_of(data, neighbor))),
        made=made.format(target=quoted(target.name), also=also, made_by=target.made_by),
        data=both,
        event=event.sentence if event.sentence.isprintable() else repr(event.sentence),
        expression=event.expression,
        told=told,
        draws=wanted,
        counted=counted,
    )


@final
@dataclass(frozen=True, slots=True)
class FreshPlan:
    """The event of a pair, and what its past says of how many fresh draws confirm it.

    `line` is that of the claim which the event breaks. `guess` are its probabilities on its arm and
    on the other, from `known_by` draws of each.
    """

    state: PairState
    line: tuple[float, float]
    event: WitnessEvent
    rule: ClaimRule
    guess: tuple[float, float]
    known_by: int

    @classmethod
    def of(
        cls, state: PairState, level: Level, line: tuple[float, float] | None, *, learned: bool
    ) -> FreshPlan:
        """Choose the event by the past.

        Parameters
        ----------
        state : PairState
            The pair with its past.
        level, line
            The claim, and the line p = s q + t of it that the event breaks; None for that which
            the pair's bets are on.
        learned : bool
            Whether only the bet on a learned function has shown the violation.
        """
        assert state.bets is not None
        line = line or state.bets.line
        event = witness_event(state, line, learned=learned)
        guess, known_by = _estimates(state, event)
        return cls(state, line, event, rule_of(level, line), guess, known_by)

    def wanted(self, false_alarm: float, samples: int) -> int:
        """Fresh draws of each arm, within what a run of so many samples allows its witness."""
        known_by = self.known_by
        return fresh_draws(self.rule, self.guess, false_alarm, samples, known_by=known_by)


class OfSide(NamedTuple):
    """What the fresh draws of a data set gave: see `instead` and `always` of a `Witness`."""

    instead: tuple[tuple[str, int], ...]
    always: str


class FreshCounts(NamedTuple):
    """What the fresh draws of a witness have shown: all that is kept of them.

    `hits` are on the event's arm and on the other, of `size` draws each; `sides` are the data and
    the neighbor; `labels` are those of the pair's encoder, which goes on with them.
    """

    hits: tuple[int, int]
    size: int
    sides: tuple[OfSide, OfSide]
    dependence: str
    single: bool
    labels: list[str]

    @classmethod
    def of(cls, values: Any) -> FreshCounts:
        """What a file has of it."""
        (hits, other), size, sides, dependence, single, labels = values
        data, neighbor = (
            OfSide(tuple((str(what), int(n)) for what, n in instead), str(always))
            for instead, always in sides
        )
        counts = int(hits), int(other)
        told = list(map(str, labels))
        return cls(counts, int(size), (data, neighbor), str(dependence), bool(single), told)


def find_witness(
    run: Run,
    plan: FreshPlan,
    *,
    wanted: int,
    draws: int,
    false_alarm: float,
    seconds: float,
) -> tuple[Witness, int, str]:
    """Count the event on fresh draws, and write it up.

    The number of fresh draws is fixed before the first; where time is not enough for all of them
    there are none, and nothing is confirmed.

    Parameters
    ----------
    run, plan
        What to draw from, and the event of the pair.
    wanted, draws : int
        Fresh draws of each arm: by what the past asks for, and those that there is time for.
    false_alarm : float
        Of the run.
    seconds : float
        Time for the fresh draws.

    Returns
    -------
    Witness
        The event and its counts.
    int
        Fresh draws of both arms together.
    str
        How these draws and the pair's depend on each other; empty where nothing was found.
    """
    state, event, rule, guess = plan.state, plan.event, plan.rule, plan.guess
    target, seed = run.target, run.settings.seed

    def counted() -> FreshCounts:
        fresh = Fresh()
        hits, size, given = _count_fresh(target, state, event, draws, seed, seconds, fresh)
        inside = given[0].inside | given[1].inside
        return FreshCounts(
            hits,
            size,
            (_side(given[0], state.encoder, inside), _side(given[1], state.encoder, inside)),
            dependence_of(state, fresh),
            state.single,
            list(state.encoder.labels),
        )

    found = run.ask("fresh draws", counted, back=FreshCounts.of)
    state.single = found.single
    state.encoder.labels = {label: code for code, label in enumerate(found.labels, 1)}
    (hits, other_hits), size, dependence = found.hits, found.size, found.dependence
    counts = (hits, other_hits) if event.arm == 0 else (other_hits, hits)
    limit = ConfirmedLimit("epsilon", 0.0, 0.0, 0.0)
    if size:
        limit = rule.limit(Counts(hits, other_hits, size, size), guess, false_alarm)
    witness = Witness(
        pair=state.label,
        data=state.data,
        neighbor=state.neighbor,
        event=event.sentence,
        expression=event.expression,
        feature=event.feature,
        likelier=("data", "neighbor")[event.arm],
        hits=hits,
        other_hits=other_hits,
        draws=size,
        epsilon_lower=limit.epsilon_lower,
        confirmed=limit.exceeds,
        measure=limit.measure,
        lower=limit.lower,
        allowed=limit.allowed,
        rerun=_script(target, state, event, counts if size else None, draws or wanted, seed),
        delta=plan.line[1] if limit.measure == "epsilon" else 0.0,
        intervals=event.intervals,
        stated=event.stated,
        instead=(found.sides[0].instead, found.sides[1].instead),
        always=(found.sides[0].always, found.sides[1].always),
        tables=two_tables(state.data, state.neighbor),
    )
    return witness, 2 * size, dependence


def _side(given: GivenInstead, encoder: Encoder, inside: set[int]) -> OfSide:
    return OfSide(given.commonest(encoder, inside), given.always(encoder))


def _count_fresh(
    target: Target,
    state: PairState,
    event: WitnessEvent,
    size: int,
    seed: int,
    seconds: float,
    fresh: Fresh,
) -> tuple[tuple[int, int], int, tuple[GivenInstead, GivenInstead]]:
    """Count the event on its arm and on the other; nothing is counted where time runs out.

    The first draws are put into `fresh`. Returns also what the data and the neighbor gave.
    """
    hits, drawn, given = [0, 0], 0, (GivenInstead(), GivenInstead())
    fresh.begin(target, size, single=state.single)
    end = time.monotonic() + seconds
    blocks = new_draws(
        target, (state.data, state.neighbor), size, seed, single=state.single, deadline=end
    )
    try:
        for outputs in blocks:
            encoded = [state.encoder.encode(arm) for arm in outputs]
            for arm in (0, 1):
                inside = event.holds(encoded[arm])
                hits[arm] += int(inside.sum())
                given[arm].add(outputs[arm], encoded[arm], inside)
            fresh.add(encoded)
            drawn += len(encoded[0])
    except OutOfTime:
        return (0, 0), 0, (GivenInstead(), GivenInstead())
    except BatchFailed:
        if state.single:
            raise
        state.single = True
        return _count_fresh(target, state, event, size, seed, seconds, fresh)
    return (hits[event.arm], hits[1 - event.arm]), drawn, given


def _estimates(state: PairState, event: WitnessEvent) -> tuple[tuple[float, float], int]:
    """Probabilities of the event on its arm and on the other, and from how many draws of each.

    By draws that did not choose it: those that did overrate it, and fresh draws would be too few.
    """
    arms = [Outcomes.concatenate(kept) for kept in state.past if kept]
    if len(arms) < 2:
        return (0.5, 0.5), 0
    judging = Halves.of((arms[0], arms[1])).judging
    draws = len(judging[0])
    if event.chances is not None:
        return event.chances, draws
    p, q = (
        (int(event.holds(judging[arm]).sum()) + 0.5) / (draws + 1)
        for arm in (event.arm, 1 - event.arm)
    )
    return (p, q), draws
