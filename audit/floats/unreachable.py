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
    """An output of one data value that the other one cannot have.

    Parameters
    ----------
    value, neighbor : float
        The two data values: answers of the query on two neighbors.
    output : float
        Reachable from `value`, and not from `neighbor`.
    reached : Window
        Search for the noise that takes `value` to the output; its hits are all there is.
    missed : Window
        The same for `neighbor`; no hits, and no indices where no machine number at all does it.
    probability : Fraction or None
        Of the output, given `value`; 0 given `neighbor`. None where the sampler does not say.
    same_binade : bool
        Whether both data values and the output have the same exponent and sign, so that no
        lattice tells the data apart.
    """

    value: Float
    neighbor: Float
    output: Float
    reached: Window
    missed: Window
    probability: Fraction | None
    same_binade: bool

    def script(self, noise: str) -> str:
        """Python source that repeats the finding with nothing of ours.

        Parameters
        ----------
        noise : str
            Source that defines `noise(k)`, the noise of index k, in the format of the data.
        """
        value, neighbor, output = map(_spelled, (self.value, self.neighbor, self.output))
        return (
            f"import numpy as np\n\n{noise.strip()}\n\n"
            f"value, neighbor, output = {value}, {neighbor}, {output}\n"
            f"reached = [k for k in {_range(self.reached)} if value + noise(k) == output]\n"
            "# noise(k) is monotone in k: outside this window its values are too small or too "
            "large\n"
            f"missed = [k for k in {_range(self.missed)} if neighbor + noise(k) == output]\n"
            f"edges = [neighbor + noise(k) for k in {list(self.missed.edges)}]\n"
            'print(f"reached by {reached}, from the neighbor by {missed}")\n'
            "assert reached and not missed and output not in edges\n"
        )


def _range(window: Window) -> str:
    return f"range({window.first}, {window.last + 1})"


def _spelled(number: Float) -> str:
    return f"np.{type(number).__name__}({float(number)!r})"
