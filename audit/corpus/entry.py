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
    """One mechanism of the corpus.

    Parameters
    ----------
    path : str
        "module:attribute" of the class.
    source : str
        Where the literature has it.
    claim : Level
        What it promises at the entry's parameters (a test compares with the class).
    form : {"sound", "broken"}
        Whether the algorithm on real numbers keeps the promise.
    arguments : mapping
        Defaults of this entry on top of the class's own.
    relation : Relation
        The neighbors are the listed pairs.
    """

    path: str
    source: str
    claim: Level
    form: Form = "sound"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    relation: Relation = Relation.LISTED
