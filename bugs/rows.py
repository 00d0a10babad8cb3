"""The rows of the board, read from `defects/*.toml` and checked word by word."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, final

__all__ = ["DEFECTS", "NOT_REPORTED", "TARGETS", "Claim", "Defect", "Twin", "defects"]

HERE: Final = Path(__file__).parent
DEFECTS: Final = HERE / "defects"
TARGETS: Final = HERE / "targets"
RELATIONS: Final = ("add-remove", "swap", "listed")
KINDS: Final = ("release", "total")
NOT_REPORTED: Final = "not reported"


@final
@dataclass(frozen=True, slots=True)
class Claim:
    """What a library promises: decimals as it states them."""

    epsilon: str | None = None
    delta: str = "0"
    rho: str | None = None

    def __post_init__(self) -> None:
        """Exactly one of epsilon and rho."""
        if (self.epsilon is None) == (self.rho is None):
            message = f"a claim has either epsilon or rho: {self.epsilon}, {self.rho}"
            raise ValueError(message)

    @property
    def words(self) -> dict[str, str]:
        """Of `audit.audit`."""
        if self.rho is not None:
            return {"rho": self.rho}
        assert self.epsilon is not None
        return {"epsilon": self.epsilon} | ({"delta": self.delta} if float(self.delta) else {})

    def __str__(self) -> str:
        """Write it as the page does."""
        return ", ".join(f"{name} = {value}" for name, value in self.words.items())


@final
@dataclass(frozen=True, slots=True)
class Twin:
    """Where the same target keeps the promise: another release, or another call of this one."""

    what: str
    environment: str | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """A defect of a released library, as verified on fresh draws or computed exactly."""

    id: str
    library: str
    version: str
    environment: str
    call: str
    claim: Claim
    relation: str
    unit: str
    loss: str
    """What is lost in truth, or surely."""
    loss_is: str
    report: str
    """A public address, or "not reported"."""
    note: str
    kind: str = "release"
    left: Any = None
    right: Any = None
    plan: tuple[Mapping[str, Any], ...] = ()
    """Of a total: its steps, as `touchstone account` reads them."""
    search: Mapping[str, Any] = field(default_factory=dict)
    """Words with which pairs can be made by an auditor: low, high, n."""
    twin: Twin | None = None
    same_cause: str | None = None
    seeded: bool = True
    told: str | None = None
    """The day on which somebody told the authors, where no public thread shows it."""
    public_from: str | None = None
    """The day that they agreed to, where it is not the one of SECURITY.md."""

    def __post_init__(self) -> None:
        """Refuse what no page could say."""
        for name, value, choice in (
            ("relation", self.relation, RELATIONS),
            ("kind", self.kind, KINDS),
            ("loss_is", self.loss_is, ("exact", "lower bound")),
        ):
            if value not in choice:
                message = f"{self.id}: {name} is {value!r}, and one of {', '.join(choice)}"
                raise ValueError(message)
        if (self.kind == "total") != bool(self.plan):
            message = f"{self.id}: a total has a plan, a release has none"
            raise ValueError(message)
        for day in (self.told, self.public_from):
            if day is not None:
                date.fromisoformat(day)
        if self.public_from is not None and self.told is None:
            message = f"{self.id}: a day was agreed with nobody"
            raise ValueError(message)

    @property
    def is_public(self) -> bool:
        """Whether there is a public thread."""
        return self.report != NOT_REPORTED

    @property
    def target(self) -> Path:
        """Its file."""
        return TARGETS / f"{self.id}.py"


def _read(row: Mapping[str, Any]) -> Defect:
    words = dict(row)
    words["claim"] = Claim(**words["claim"])
    if "twin" in words:
        words["twin"] = Twin(**words["twin"])
    if "plan" in words:
        words["plan"] = tuple(words["plan"])
    return Defect(**words)


@cache
def defects() -> dict[str, Defect]:
    """All rows by id, in the order of the files."""
    rows = [
        _read(row)
        for file in sorted(DEFECTS.glob("*.toml"))
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["defect"]
    ]
    found = {row.id: row for row in rows}
    if len(found) != len(rows):
        message = "two rows have the same id"
        raise ValueError(message)
    return found


def named(parser: argparse.ArgumentParser, ids: Sequence[str]) -> list[Defect]:
    """Return the rows that a command names, or all; an unknown name ends the command."""
    if unknown := sorted(set(ids) - set(defects())):
        parser.error(f"no row {', '.join(unknown)}")
    return [row for row in defects().values() if not ids or row.id in ids]
