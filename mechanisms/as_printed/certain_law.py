"""The law of a release without noise: one outcome, as a `FiniteLaw`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

from mechanisms.protocols import Arithmetic

__all__ = ["CertainLaw"]


@final
@dataclass(frozen=True, slots=True)
class CertainLaw:
    """Law of a release that is certain."""

    release: Hashable
    """The only outcome."""
    words: str = "z ="
    """What stands before the outcome where it is told."""
    rational: ClassVar[bool] = True
    cuts: ClassVar[tuple[Fraction, ...]] = ()

    def masses(self, numbers: Arithmetic[Any], cuts: object = ()) -> Mapping[Hashable, Any]:  # noqa: ARG002
        """Probability of the release."""
        return {self.release: numbers.rational(Fraction(1))}

    def describe(self, outcome: Any) -> str:
        """Say in words what the release `z` is."""
        return f"{self.words} {outcome}"
