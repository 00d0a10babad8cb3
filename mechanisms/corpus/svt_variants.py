"""The sparse vector technique's published algorithms, as a table of scales and rules.

Lyu, Su, Li, PVLDB 2017, Algorithms 1 to 6; DP-Auditorium's, where they differ (2 does not redraw
the threshold, 5 and 6 stop); CheckDP's gap variants; NumericalSVT.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, final

__all__ = ["VARIANTS", "Variant"]

Release = Literal["answer", "value", "gap", "fresh"]


@final
@dataclass(frozen=True, slots=True)
class Variant:
    """One algorithm: scales in units of 1 / epsilon, and what is released above the threshold."""

    item: str
    """Where it stands."""
    rho: Fraction
    nu: Fraction
    """Scale of the threshold's and of a query's noise."""
    rho_by_c: bool = False
    nu_by_c: bool = True
    """Whether the scale is also times c."""
    redraws: bool = False
    """Whether rho is drawn again after each 1."""
    stops: bool = True
    """Whether the c-th 1 ends the run."""
    release: Release = "answer"
    """The answer 1, the value x_i + nu_i, its gap to T + rho, or x_i + Lap(3 c / epsilon)."""

    def scales(self, epsilon: Fraction, c: int) -> tuple[float, float]:
        """Scales of the threshold's and of a query's noise."""
        rho = self.rho * (c if self.rho_by_c else 1) / epsilon
        nu = self.nu * (c if self.nu_by_c else 1) / epsilon
        return float(rho), float(nu)


_TWO, _FOUR = Fraction(2), Fraction(4)

VARIANTS: dict[str, Variant] = {
    "svt1": Variant("Algorithm 1", _TWO, _FOUR),
    "svt2": Variant("Algorithm 2 (Dwork and Roth)", _TWO, _FOUR, rho_by_c=True, redraws=True),
    "svt3": Variant("Algorithm 3 (Roth's notes)", _TWO, _TWO, release="value"),
    "svt4": Variant("Algorithm 4 (Lee and Clifton)", _FOUR, Fraction(4, 3), nu_by_c=False),
    "svt5": Variant("Algorithm 5 (Stoddard et al.)", _TWO, Fraction(0), stops=False),
    "svt6": Variant("Algorithm 6 (Chen et al.)", _TWO, _TWO, nu_by_c=False, stops=False),
    "auditorium-2": Variant("Algorithm 2 of DP-Auditorium", _TWO, _FOUR, rho_by_c=True),
    "auditorium-5": Variant("Algorithm 5 of DP-Auditorium", _TWO, Fraction(0)),
    "auditorium-6": Variant("Algorithm 6 of DP-Auditorium", _TWO, _TWO, nu_by_c=False),
    "gap": Variant("CheckDP's gapsparsevector", _TWO, _FOUR, release="gap"),
    "bad-gap": Variant("CheckDP's badgapsparsevector", _TWO, _FOUR, release="value"),
    "numerical": Variant(
        "NumericalSVT (Wang et al. 2019)", Fraction(3), Fraction(6), release="fresh"
    ),
}
"""The algorithms by name."""
