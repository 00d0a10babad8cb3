"""The registry of all claims: which module states what.

A module of `proofs_check.papers.PAPER` with a tuple `CLAIMS` is registered by its name in
`MODULES` of that package. Nothing is found by searching.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from mechanisms.errors import InvalidArgument, close_names
from proofs_check.claim import Claim
from proofs_check.steps import ByClaim, ByDefinition

__all__ = ["PAPERS", "claims", "find", "identifiers", "module_of", "select"]

PAPERS = {
    "KSW": "Kulesza, Suresh, Wang: Mean estimation in the add-remove model of differential privacy",
    "SUB": "Dick, Kulesza, Sun, Suresh: Subset-based instance optimality in private estimation",
    "PDP": "Dong, Ge: Tight bounds for Gaussian mean estimation under personalized privacy",
    "TRI": "Regehr: A bias-variance-privacy trilemma for statistical estimation",
    "ENG": "The theorems that the audit engine rests on (our own)",
}
"""Title by prefix of the ids, in the order of the ledger."""


@cache
def _by_module() -> Mapping[str, tuple[Claim, ...]]:
    found: dict[str, tuple[Claim, ...]] = {}
    for paper in PAPERS:
        package = f"proofs_check.papers.{paper.lower()}"
        for name in import_module(package).MODULES:
            module = f"{package}.{name}"
            found[module] = import_module(module).CLAIMS
    return MappingProxyType(found)


@cache
def claims() -> Mapping[str, Claim]:
    """Return all claims by id, in the order of the ledger: by paper, then by id (L9 before L10).

    Raises
    ------
    InvalidArgument
        If two claims have the same id, or a claim names one that does not exist.
    """
    found: dict[str, Claim] = {}
    for module, stated in _by_module().items():
        for claim in stated:
            if claim.id in found:
                msg = f"two claims have the id {claim.id!r}; the second is in {module}"
                raise InvalidArgument(msg)
            found[claim.id] = claim
    found = {name: found[name] for name in sorted(found, key=_place)}
    for claim in found.values():
        for other in _named(claim):
            if other not in found:
                msg = f"{claim.id} names {other!r}, which no module states"
                raise InvalidArgument(msg)
    return MappingProxyType(found)


def _named(claim: Claim) -> Iterator[str]:
    """Ids that a claim names."""
    yield from (*claim.assumes, *claim.errata, *filter(None, [claim.corrected_by]))
    for step in claim.steps:
        if isinstance(step, ByClaim):
            yield step.claim
        elif isinstance(step, ByDefinition):
            yield step.unfolds


def identifiers() -> list[str]:
    """Return the ids of `claims()` from the text of their modules, importing none of these.

    Each id stands there between quotes: where it is stated, and where it is referred to.
    """
    quoted = re.compile(rf"[\"]((?:{'|'.join(PAPERS)})-[A-Za-z0-9.'-]*[A-Za-z0-9'])[\"]")
    found: set[str] = set()
    for paper in PAPERS:
        folder = Path(__file__).parent / "papers" / paper.lower()
        for file in folder.rglob("*.py"):
            found.update(quoted.findall(file.read_text(encoding="utf-8")))
    return sorted(found, key=_place)


def _place(identifier: str) -> tuple[int, list[int | str]]:
    paper, _, rest = identifier.partition("-")
    parts = re.split(r"(\d+)", rest)
    place = list(PAPERS).index(paper) if paper in PAPERS else len(PAPERS)
    return place, [int(part) if k % 2 else part for k, part in enumerate(parts)]


def find(identifier: str) -> Claim:
    """Return the claim of an id.

    Raises
    ------
    InvalidArgument
        If there is none; the message names ids that are close.
    """
    known = claims()
    if identifier in known:
        return known[identifier]
    hint = close_names(identifier, known)
    msg = f"no claim has the id {identifier!r}{hint} (see `touchstone list claims`)"
    raise InvalidArgument(msg)


def module_of(identifier: str) -> str:
    """Return the name of the module that states a claim."""
    for module, stated in _by_module().items():
        if any(claim.id == identifier for claim in stated):
            return module
    msg = f"no claim has the id {identifier!r}"
    raise InvalidArgument(msg)


def select(names: Iterable[str]) -> list[Claim]:
    """Return the claims of ids and papers, in the order of the ledger, each once.

    Parameters
    ----------
    names : iterable of str
        Ids, and prefixes of papers such as "KSW"; all claims if there are none.

    Raises
    ------
    InvalidArgument
        If a name is neither.
    """
    wanted: set[str] = set()
    chosen = list(names)
    for name in chosen:
        if name in PAPERS:
            wanted |= {claim.id for claim in claims().values() if claim.paper == name}
        else:
            wanted.add(find(name).id)
    return [claim for claim in claims().values() if claim.id in wanted or not chosen]
