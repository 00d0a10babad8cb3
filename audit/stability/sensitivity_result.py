"""What a search for the sensitivity of a query came to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from audit.results.base_result import VerdictResult
from audit.results.verdict import Limits, Verdict
from audit.stability.answers import Value
from audit.stability.claim import StabilityClaim
from audit.stability.norms import Distance
from audit.stability.properties import Property


@final
@dataclass(frozen=True, slots=True)
class SensitivityWitness:
    """Two data sets whose answers break the claim; or one, which is answered twice."""

    broken: Property
    """What they break."""
    pair: str
    """The pair in words."""
    data: Any
    neighbor: Any
    """The two data sets, as the query reads them; the same one where one alone shows it."""
    answer: Value = field(metadata={"form": "answer"})
    other: Value = field(metadata={"form": "answer"})
    """What was answered about each; a failure in words."""
    distance: Distance
    """Of the answers, exactly."""
    bound: Fraction
    """What is claimed of it."""
    rerun: str
    """Python source that repeats the finding."""
    family: str = ""
    """Which family of candidates the pair was found in, or climbed from."""

    @property
    def is_single(self) -> bool:
        """Whether one data set alone shows it."""
        return self.broken in (Property.FUNCTION, Property.RANGE)


@final
@dataclass(frozen=True, slots=True)
class SensitivityResult(VerdictResult):
    """Outcome of a search for the sensitivity of a query.

    Parameters
    ----------
    target : str
        Name as the user gave it.
    verdict : Verdict
        REFUTED, CONSISTENT or INCONCLUSIVE; never PROVED.
    claim : StabilityClaim
        What was tested.
    reason : str
        One sentence: why this verdict.
    largest : Distance or None
        The largest distance found, relative to its bound; None where nothing was measured.
    ratio : float
        Of it to its bound.
    tried : tuple of (str, int)
        Pairs by family.
    calls : int
        Calls of the query.
    seconds : float
        Wall time.
    seed : int
        Of the search.
    reproducible : bool
        Whether the seed repeats it: nothing was cut by time.
    witnesses : tuple of SensitivityWitness
        With REFUTED: one for each property that is broken.
    rounding : SensitivityWitness or None
        With CONSISTENT: a pair that breaks the claim by the rounding of its answers alone.
    not_tried : tuple of str
        What the verdict says nothing of.
    notes : tuple of str
        What else there is to know.
    asked : object
        What was asked, as in an `AuditResult`.
    """

    target: str
    verdict: Verdict
    claim: StabilityClaim
    reason: str
    largest: Distance | None
    ratio: float
    tried: tuple[tuple[str, int], ...] = field(metadata={"columns": ("family", "pairs")})
    calls: int
    seconds: float = field(metadata={"places": 3})
    seed: int
    reproducible: bool = True
    witnesses: tuple[SensitivityWitness, ...] = ()
    rounding: SensitivityWitness | None = None
    not_tried: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    asked: Any = field(default=None, repr=False, compare=False, metadata={"kept": False})

    @property
    def pairs(self) -> int:
        """Pairs that were measured."""
        return sum(count for _, count in self.tried)

    @property
    def witness(self) -> SensitivityWitness | None:
        """The plainest of the witnesses."""
        return self.witnesses[0] if self.witnesses else None

    @property
    def limits(self) -> Limits:
        """The largest distance found, rounded down: the sensitivity is not below it."""
        if self.largest is None:
            return Limits()
        return Limits.of(sensitivity=_below(self.largest))


def _below(distance: Distance) -> float:
    """A double that is not above a distance."""
    value = float(distance)
    if distance.exact is not None:
        while value > 0 and not _is_at_least(distance, Fraction(min(value, MOST))):
            value = math.nextafter(min(value, MOST), 0)
        value = min(value, MOST)
    return value


MOST = math.nextafter(math.inf, 0)


def _is_at_least(distance: Distance, value: Fraction) -> bool:
    assert distance.exact is not None
    return distance.exact >= (value * value if distance.is_square else value)
