"""What a run has shown: part of its state, for fresh draws are made once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from audit.results.refutation import Witness

__all__ = ["Shown"]


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """A witness, the draws that it took, and what time has cut, in words.

    `dependence` says how its fresh draws and few ones of the run depend on each other.
    """

    witness: Witness
    draws: int
    cuts: tuple[str, ...] = ()
    dependence: str = ""
