"""Names of the corpus: mechanisms of the auditing literature, with import paths as strings.

Reading the registry imports no implementation. To add one: its class, one entry in `entries` or
`entries_local`, its values in `exact_values`, and its exact epsilon in `tests/corpus`.
"""

from __future__ import annotations

from typing import Any

from mechanisms.corpus.entries import CENTRAL
from mechanisms.corpus.entries_local import LOCAL
from mechanisms.corpus.entry import CorpusEntry
from mechanisms.errors import InvalidArgument

__all__ = ["CORPUS", "build_corpus", "exact_of_pairs"]

CORPUS: dict[str, CorpusEntry] = CENTRAL | LOCAL
"""Mechanisms by name `corpus.NAME`."""


def build_corpus(name: str, **arguments: Any) -> Any:
    """Make a mechanism of the corpus; `arguments` override the entry's.

    Besides `claim`, `order` and `sample` it has `pairs` (the literature's, at the entry's sizes)
    and `epsilon_exact(data, neighbor)`: the least epsilon that holds for a pair, at the claim's
    delta. Where the claim is of another kind it has `level_exact(data, neighbor)` instead: the
    least rho, mu, Renyi epsilon or budget.

    Raises
    ------
    InvalidArgument
        If the name is unknown, or an argument is not one of the class's or out of its domain.
    """
    import importlib
    import inspect

    if name not in CORPUS:
        msg = f"unknown mechanism of the corpus {name!r}; known: {', '.join(CORPUS)}"
        raise InvalidArgument(msg)
    entry = CORPUS[name]
    module, _, attribute = entry.path.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    known = inspect.signature(kind).parameters
    if unknown := sorted(set(arguments) - set(known)):
        msg = f"{name} has no parameter {', '.join(unknown)}; it has: {', '.join(known)}"
        raise InvalidArgument(msg)
    return kind(**{**entry.arguments, **arguments})


def exact_of_pairs(name: str) -> list[float]:
    """Compute the least level that holds for each of an entry's pairs, in their order."""
    mechanism = build_corpus(name)
    exact = getattr(mechanism, "epsilon_exact", None) or mechanism.level_exact
    return [exact(data, neighbor) for data, neighbor in mechanism.pairs]
