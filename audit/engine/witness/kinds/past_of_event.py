"""Past draws of both arms, seen from the one on which an event is to be too likely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes

__all__ = ["PRICES", "Arms", "priced"]

Array = NDArray[np.float64]

PRICES = (0.0, 0.05, 0.15, 0.35, 0.6)
"""What a cell must give beyond the line p = s q, as a share of what it adds to the variance of the
gap. An event of the largest gap p - s q has price 0; the one of the largest gap in standard errors
has the price gap / (2 variance), which rises with the loss of what violates: so all are tried, and
the draws decide."""


def priced(p: Array, q: Array, s: float) -> Array:
    """What cells of such shares add to the gap p - s q, less each price; a new first axis."""
    prices = np.array(PRICES).reshape((-1,) + (1,) * p.ndim)
    return np.asarray((p - s * q) - prices * (p + s**2 * q))


@final
@dataclass(frozen=True, slots=True)
class Arms:
    """Draws to propose from.

    Parameters
    ----------
    encoder : Encoder
        Of the draws.
    likelier, other : Outcomes
        Of the arm on which the event is to be too likely, and of the other.
    line : (float, float)
        s and t of the line p = s q + t.
    """

    encoder: Encoder
    likelier: Outcomes
    other: Outcomes
    line: tuple[float, float]

    @property
    def both(self) -> tuple[Outcomes, Outcomes]:
        """The two, the likelier first."""
        return self.likelier, self.other

    def gains(self, hits: Array, other_hits: Array) -> Array:
        """What cells with so many draws add to the gap p - s q, less each price; a new first axis.

        Parameters
        ----------
        hits, other_hits : ndarray
            Draws of the likelier and of the other arm by cell, of one shape.
        """
        p, q = hits / max(1, len(self.likelier)), other_hits / max(1, len(self.other))
        return priced(p, q, self.line[0])

    def z(self, hits: Array, other_hits: Array) -> Array:
        """The gap of events in standard errors."""
        from audit.engine.bet_growth import z_score

        n, m = len(self.likelier), len(self.other)
        p, q = (hits + 0.5) / (n + 1), (other_hits + 0.5) / (m + 1)
        return z_score(p, q, *(np.array(float(x)) for x in (n, *self.line)))
