"""The witness of a leak of machine numbers: an output that one of two data values cannot have."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.floats.machine import Float
from audit.floats.noise_values import Window

__all__ = ["Unreachable"]


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
