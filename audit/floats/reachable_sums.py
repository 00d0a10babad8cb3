"""Additive noise in machine numbers: outputs that one neighbor can give and the other cannot.

A release y = fl(a + z) is reachable from a data value b if some value z of the sampler has fl(b +
z) = y. Such z are an interval (`audit.floats.machine_numbers`), and a sampler by inverse transform
has few values there, or none (`audit.floats.noise_values`). An output with none has
probability 0 under b and more under a: every claim of the kind fails that does not give up this
probability, whatever its epsilon (Mironov, "On significance of the least significant bits for
differential privacy", CCS 2012). Unlike the lattices of the black-box audit, it also tells data
apart whose outputs lie in one binade, such as 100 and 101.

The search is exact: the witness names the data values, the output, the uniforms that give it, and
the window of uniforms that was searched for the other value without success. That no uniform
outside the window counts rests on one statement of the user's about an inverse transform: how far
rounding takes it from a monotone function (`slack`, checked on samples and in every window).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.floats.machine_numbers import Float, add, addends, binade, exactly
from audit.floats.noise_values import NoiseValues, Window
from audit.levels import line_of
from audit.results.number_words import plural
from audit.results.verdict import Verdict
from mechanisms.claims import Level, TradeOff


@final
@dataclass(frozen=True, slots=True)
class Unreachable:
    """An output of one data value that the other one cannot have."""

    value: Float
    neighbor: Float
    """The two data values: answers of the query on two neighbors."""
    output: Float
    """Reachable from `value`, and not from `neighbor`."""
    reached: Window
    """Search for the noise that takes `value` to the output; its hits are all there is."""
    missed: Window
    """The same for `neighbor`; no hits, and no indices where no machine number at all does it."""
    probability: Fraction | None
    """Of the output, given `value`; 0 given `neighbor`. None where the sampler does not say."""
    same_binade: bool
    """Whether both data values and the output have the same exponent and sign, so that no lattice
    tells the data apart."""


@final
@dataclass(frozen=True, slots=True)
class Reachability:
    """What the search found."""

    verdict: Verdict
    """REFUTED with a witness; INCONCLUSIVE without one: other outputs were not tried."""
    reason: str
    tried: int
    """Outputs whose reachability was decided, both ways round."""
    witness: Unreachable | None = None
    """With REFUTED, or where the claim gives up more than its probability."""
    undecided: int = 0
    """Outputs of which it could not be told."""


def audit_reachability(
    level: Level,
    value: float | Fraction | Float,
    neighbor: float | Fraction | Float,
    noise: NoiseValues,
) -> Reachability:
    """Search for an output of one of two neighboring data values that the other cannot have.

    `level`: the claim: of an approximate one, delta is what it gives up. `value`, `neighbor`:
    answers of the query on two neighbors, exact in the format of the noise. `noise`: what the
    sampler can give; the release is the sum, rounded to the format, and the outputs of
    `noise.examples` are tried. Raises InvalidArgument if a number is not of the format.
    """
    sides = [exactly(x, noise.dtype, "value") for x in (value, neighbor)]
    ways = (sides, sides[::-1])
    values = map(noise.value, noise.examples())
    cases = [(a, b, add(a, z)) for z in values for a, b in ways]
    cases.sort(key=lambda case: not _same_binade(*case))  # stable: the likeliest stay first
    undecided = 0
    for tried, case in enumerate(cases, start=1):
        found = _decide(*case, noise)
        if isinstance(found, Unreachable):
            return _result(level, found, tried)
        undecided += found is None
    reason = tried_words(len(cases), undecided)
    return Reachability(Verdict.INCONCLUSIVE, reason, len(cases), undecided=undecided)


def tried_words(tried: int, undecided: int) -> str:
    """Say what became of the outputs of one pair, or of several."""
    found = f"of {plural(tried, 'output')} tried,"
    both = "reachable from both data values"
    if not undecided:
        return f"{found} {'all are' if tried > 1 else 'it is'} {both}"
    are = ["is" if count == 1 else "are" for count in (tried - undecided, undecided)]
    return f"{found} {tried - undecided} {are[0]} {both} and {undecided} {are[1]} undecided"


def _search(value: Float, output: Float, noise: NoiseValues) -> Window | None:
    """Noise that takes a value to an output; None where the search would take too long."""
    interval = addends(value, output)
    return Window(0, -1, ()) if interval is None else noise.between(*interval)


def _decide(
    value: Float, neighbor: Float, output: Float, noise: NoiseValues
) -> Unreachable | bool | None:
    """A witness if the output is reachable from the value only; True if not; None if undecided."""
    missed = _search(neighbor, output, noise)
    if missed is None or missed.hits:
        return None if missed is None else True
    reached = _search(value, output, noise)
    if reached is None or not reached.hits:
        return None if reached is None else True
    count = noise.indices
    return Unreachable(
        value,
        neighbor,
        output,
        reached,
        missed,
        None if count is None else Fraction(len(reached.hits), count),
        _same_binade(value, neighbor, output),
    )


def _same_binade(*numbers: Float) -> bool:
    if any(number == 0 for number in numbers):
        return False
    return len({(number > 0, binade(number)) for number in numbers}) == 1


def _result(level: Level, found: Unreachable, tried: int) -> Reachability:
    where = f"{float(found.output)!r} is reachable from {float(found.value)!r}"
    never = f"never from {float(found.neighbor)!r}"
    given_up = given_up_by(level)
    if given_up and (found.probability is None or found.probability <= given_up):
        reason = f"{where} and {never}, which a claim with delta = {given_up} allows"
        return Reachability(Verdict.INCONCLUSIVE, reason, tried, found)
    reason = f"the output {where} and {never}: no epsilon is large enough"
    return Reachability(Verdict.REFUTED, reason, tried, found)


def given_up_by(level: Level) -> Fraction:
    """Largest probability that the claim allows an event that is impossible on the other side."""
    if isinstance(level, TradeOff):
        return 1 - level(Fraction(0))
    line = line_of(level)
    return Fraction(0) if line is None else line[1]
