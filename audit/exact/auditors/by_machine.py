"""Exact audits of machine numbers: an output of one data set that its neighbor cannot give.

A mechanism that adds noise to an answer states the answer and all values of its noise; then
`audit.floats` finds, for outputs of either data set, whether any noise takes the other
answer there. An output that none does has probability 0 there, whatever the epsilon.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from audit.exact.question import Outcome, Question, Refuted, Undecided
from audit.floats.machine_numbers import exactly
from audit.floats.noise_values import NoiseValues
from audit.floats.reachable_sums import (
    Reachability,
    Unreachable,
    audit_reachability,
    given_up_by,
    tried_words,
)
from audit.results.exact_result import ExactWitness
from audit.results.verdict import Verdict
from mechanisms.claims import Level
from mechanisms.errors import InvalidArgument


@runtime_checkable
class StatesNoiseValues(Protocol):
    """A mechanism whose release is answer(data) plus noise, in machine numbers."""

    def answer(self, data: Any) -> float:
        """State the answer, a machine number."""
        ...

    def noise_values(self) -> NoiseValues:
        """State what the sampler of the noise can give."""
        ...


def by_machine(asked: Question) -> Outcome:
    """Search each pair, either way round, for an output that only one side can give.

    Raises InvalidArgument if there are no listed pairs, or the noise is no function of one uniform.
    """
    if not asked.pairs:
        msg = f"{asked.name} needs --pair for --adversarial in mode 'exact'"
        raise InvalidArgument(msg)
    noise = _noise_of(asked)
    tried, undecided, allowed = 0, 0, ""
    for data, neighbor in asked.pairs:
        sides = [asked.mechanism.answer(side) for side in (data, neighbor)]
        for side in sides:
            exactly(side, noise.dtype, "the answer")
        found = audit_reachability(asked.claim.level, sides[0], sides[1], noise)
        tried, undecided = tried + found.tried, undecided + found.undecided
        if found.verdict is Verdict.REFUTED and found.witness is not None:
            return _refuted(asked.claim.level, found, (data, neighbor), sides)
        if found.witness is not None:
            allowed = allowed or found.reason
    return Undecided(allowed or tried_words(tried, undecided))


def _noise_of(asked: Question) -> NoiseValues:
    """What the noise can be.

    Raises InvalidArgument, which names the target and what else there is, where it cannot be told.
    """
    try:
        noise: NoiseValues = asked.mechanism.noise_values()
    except InvalidArgument as exc:
        msg = (
            f"{asked.name}: {exc}; without --adversarial mode 'exact' audits the stated law, and "
            "--mode sequential draws samples"
        )
        raise InvalidArgument(msg) from exc
    return noise


def _refuted(
    level: Level, found: Reachability, pair: tuple[Any, Any], answers: list[float]
) -> Refuted:
    """An output, how many uniforms give it, and that none gives it on the other side."""
    seen = found.witness
    assert seen is not None
    first = float(seen.value) == float(answers[0])
    chance = (Fraction(0), Fraction(1)) if seen.probability is None else (seen.probability,) * 2
    given_up = given_up_by(level)
    witness = ExactWitness(
        pair[0],
        pair[1],
        "the release in machine numbers",
        _words(seen),
        "data" if first else "neighbor",
        chance,
        (Fraction(0), Fraction(0)),
        (chance[0] - given_up, chance[1] - given_up),
    )
    return Refuted(witness, found.reason)


def _words(seen: Unreachable) -> str:
    """The event, where it was looked for, and whether a lattice would have shown it."""
    output = float(seen.output)
    first, last = seen.missed.first, seen.missed.last
    window = f"none of the indices {first} to {last}, the only ones near enough, takes it"
    if last < first:
        window = "no noise takes it" if not seen.missed.edges else "no noise lies near enough"
    where = "; both answers and the output lie in one binade" if seen.same_binade else ""
    indices = ", ".join(map(str, seen.reached.hits[:3]))
    return (
        f"z = {output!r} ({output.hex()}): noise of index {indices} takes {float(seen.value)!r} to "
        f"it, {window} from {float(seen.neighbor)!r}{where}"
    )
