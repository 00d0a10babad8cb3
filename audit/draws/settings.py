"""How to run an audit: error rate, budgets, seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_integer

FEWEST_FIRST_DRAWS = 8
"""Of each arm of a pair: fewer teach nothing."""


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How to run an audit."""

    seed: int
    """At least 0; the run is repeated by it and by `budget_samples`."""
    false_alarm: float = 0.001
    """Probability of REFUTED although the claim holds, in (0, 1)."""
    budget_samples: int = 2_000_000
    """Draws of all arms and pairs together; a witness's fresh draws come on top."""
    budget_seconds: float = 600.0
    """Cap of the wall time; a batch that the deadline cuts is not used."""
    ideal: bool = False
    """Leave the floating-point lattices out."""
    resolution: float | None = None
    """Largest distance of the detectable epsilon (mass 0.1) from the claim that still counts as
    CONSISTENT; None for max(0.5, claim / 2)."""
    min_size: int = 0
    """Smallest size of a data set that a witness may be shrunk to."""
    first_draws: int | None = None
    """Draws of each arm of a pair that only learn; None for 16 (of a program 200), or as many as
    the time cap pays for. Fewer than 256 are asked for where draws are slow: calls of one draw are
    then not compared with calls of many."""
    profile: bool = False
    """Also state a simultaneous lower band for the privacy profile, for a pure or approximate
    claim."""
    shrink: bool = True
    """Whether the pair of a violation is made smaller before it is shown."""

    def __post_init__(self) -> None:
        """Check the settings."""
        check_integer(self.seed, "seed", at_least=0)
        check_integer(self.budget_samples, "budget_samples", at_least=1)
        check_integer(self.min_size, "min_size", at_least=0)
        if self.first_draws is not None:
            check_integer(self.first_draws, "first_draws", at_least=FEWEST_FIRST_DRAWS)
        if not 0 < self.false_alarm < 1:
            msg = f"false_alarm must lie in (0, 1), got false_alarm={self.false_alarm!r}"
            raise InvalidArgument(msg)
        if not self.budget_seconds > 0:
            msg = f"budget_seconds must be positive, got budget_seconds={self.budget_seconds!r}"
            raise InvalidArgument(msg)
        if self.resolution is not None and not self.resolution > 0:
            msg = f"resolution must be positive, got resolution={self.resolution!r}"
            raise InvalidArgument(msg)
