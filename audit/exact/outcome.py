"""What an exact auditor answers: proved, refuted, or undecided, each with what shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, final

from audit.exact_result import DivergenceWitness, ExactWitness, Proof

__all__ = ["Outcome", "Proved", "Refuted", "Undecided"]


@final
@dataclass(frozen=True, slots=True)
class Proved:
    """The claim holds by the stated law; `reason` says how much is lost at worst."""

    proof: Proof
    reason: str
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Refuted:
    """The claim is false; the witness shows it in exact numbers."""

    witness: ExactWitness | DivergenceWitness
    reason: str
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither was found; `reason` says what stands in the way."""

    reason: str
    notes: tuple[str, ...] = ()


Outcome: TypeAlias = Proved | Refuted | Undecided
"""Of one exact audit."""
