"""What the registry of the corpus knows about a mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

from mechanisms.claims import Level, Relation

__all__ = ["CorpusEntry"]

Form = Literal["sound", "broken"]


@final
@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """One mechanism of the corpus."""

    path: str
    """The class, as "module:attribute"."""
    source: str
    claim: Level
    """What it promises at the entry's parameters (a test compares with the class)."""
    form: Form = "sound"
    """Whether the algorithm on real numbers keeps the promise."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of this entry on top of the class's own."""
    relation: Relation = Relation.LISTED
    """The neighbors are the listed pairs."""
