"""Tables of a library's calls, as TOML: arguments, relation, claim, and where these were read.

A call is an expression of the library. As `make` it is an object that states its own budget (a
Measurement or Transformation of OpenDP, a mechanism or algorithm); as `release` it is one release
on `data`, whose budget is the `epsilon` that it is given. A table says of each public constructor
which calls stand for it, or why there is none: `audit.surveys.library_constructors` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, final

from audit.files.bounded_toml import read_toml
from audit.levels.word import Kind
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument, InvalidData, close_names
from mechanisms.validation import exact

SHIPPED = "survey."
"""How names of the tables that come with this package begin."""

TABLES = ("opendp", "diffprivlib", "pydp")
"""Libraries that have one."""

NUMBERS = ("epsilon", "delta", "low", "high")


def _is_pairs(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(x, list) and len(x) == 2 for x in value)


TEXT = (Kind.TEXT.fits, "a text")
TEXTS = (
    lambda value: isinstance(value, dict) and all(map(Kind.TEXT.fits, value.values())),
    "a table of texts",
)
COUNT = (
    lambda value: isinstance(value, int) and not isinstance(value, bool),
    "a whole number",
)
OF_TABLE = {
    "library": TEXT,
    "distribution": TEXT,
    "open": (Kind.TABLE.fits, "a table"),
    "modules": TEXTS,
    "imports": TEXTS,
    "prepare": TEXT,
    "left_out": TEXTS,
    "call": (
        lambda value: isinstance(value, list) and all(map(Kind.TABLE.fits, value)),
        "a list of tables",
    ),
}
"""Keys of a table, what they hold, and how that is said."""

OF_CALL = {
    **dict.fromkeys(("name", "make", "release", "unit", "source", "domain"), TEXT),
    **dict.fromkeys(("count", "min_size", "steps"), COUNT),
    "relations": (lambda value: isinstance(value, list), "a list of texts"),
    "pairs": (_is_pairs, "a list of pairs"),
}
"""Keys of a call but those of `NUMBERS`."""


@final
@dataclass(frozen=True, slots=True)
class LibraryCall:
    """One call of a library, with what is promised of it."""

    name: str
    """In its table: the constructor, and after a dash what tells it from its other calls."""
    make: str = ""
    release: str = ""
    """The expression, of an object or of one release; one of them is empty."""
    unit: str = "one record"
    """What a unit of privacy is, in words."""
    source: str = ""
    """Where claim, relation and unit were read."""
    relations: tuple[Relation, ...] = ()
    """Which data sets are neighbors; several where the library leaves it open, none where the call
    is about its own pairs."""
    epsilon: Fraction | None = None
    delta: Fraction | None = None
    """The budget that a release is given."""
    low: Fraction | None = None
    high: Fraction | None = None
    """Bounds of the records."""
    count: int | None = None
    """Their public number."""
    min_size: int = 0
    """Fewest of them."""
    domain: str = "any"
    """What is declared of them: any, finite or declared."""
    pairs: tuple[tuple[Any, Any], ...] = ()
    """Data sets that are neighbors, where no others are made."""
    steps: int = 1
    """Draws that one counts for in the budgets, and in that of screening: more where it is slow."""

    @property
    def constructor(self) -> str:
        """Which public constructor of the library it is a call of."""
        return self.name.partition("-")[0]

    @property
    def expression(self) -> str:
        """As a user would write it."""
        return self.make or self.release

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """Both bounds; None where it has none."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@final
@dataclass(frozen=True, slots=True)
class CallTable:
    """The calls of one library."""

    place: str
    """What targets name it: "survey.opendp", or a file."""
    library: str
    """The import package."""
    distribution: str
    """What is installed."""
    modules: Mapping[str, str] = field(default_factory=dict)
    """Modules with public constructors, and how names of these begin."""
    imports: Mapping[str, str] = field(default_factory=dict)
    """Names of modules in the expressions."""
    prepare: str = ""
    """An expression to evaluate first; empty for none."""
    calls: tuple[LibraryCall, ...] = ()
    """In the order of the table."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Constructors without a call, and why."""

    def find(self, name: str) -> LibraryCall:
        """A call by its name.

        Raises InvalidArgument if there is none.
        """
        for call in self.calls:
            if call.name == name:
                return call
        msg = f"{self.place} has no call {name!r}"
        raise InvalidArgument(msg + close_names(name, [call.name for call in self.calls]))


def is_table(place: str) -> bool:
    """Whether the first part of a target's name is a table of calls."""
    return place.endswith(".toml") or place in {f"{SHIPPED}{name}" for name in TABLES}


def read_table(place: str) -> CallTable:
    """Read a table by what targets call it: one that is shipped, or a file.

    Raises InvalidData if it cannot be read, or a key is unknown, missing or out of its domain.
    """
    name = place.removeprefix(SHIPPED)
    if not place.endswith(".toml") and name not in TABLES:
        msg = f"a table of calls is a file that ends in .toml, got {place!r}"
        raise InvalidData(msg)
    own = files("audit.targets.libraries") / f"{name}.toml"
    path = Path(place) if place.endswith(".toml") else Path(str(own))
    content: Mapping[str, Any] = read_toml(path)
    if unknown := sorted(set(content) - set(OF_TABLE)):
        msg = f"{place} has unknown keys: {', '.join(unknown)}; known: {', '.join(OF_TABLE)}"
        raise InvalidData(msg)
    for key in ("library", "distribution"):
        if key not in content:
            msg = f"{place} needs {key}, a text"
            raise InvalidData(msg)
    _check(place, content, OF_TABLE)
    defaults = content.get("open", {})
    calls = tuple(_call(place, defaults | one) for one in content.get("call", ()))
    twice = sorted({one.name for one in calls if [c.name for c in calls].count(one.name) > 1})
    if twice:
        msg = f"{place} has two calls of one name: {', '.join(twice)}"
        raise InvalidData(msg)
    told = {key: value for key, value in content.items() if key not in ("open", "call")}
    return CallTable(place, calls=calls, **told)


def _check(
    where: str, given: Mapping[str, Any], keys: Mapping[str, tuple[Callable[[object], bool], str]]
) -> None:
    """Raise InvalidData for a value that is not what its key holds."""
    for key, (holds, what) in keys.items():
        if key in given and not holds(given[key]):
            msg = f"{where} needs {key}, {what}, got {given[key]!r}"
            raise InvalidData(msg)


def _call(place: str, row: Mapping[str, Any]) -> LibraryCall:
    known = [part.name for part in fields(LibraryCall)]
    name = row.get("name")
    where = f"{place}: call {name!r}"
    if not isinstance(name, str) or not name:
        msg = f"{place}: every call needs a name, got {name!r}"
        raise InvalidData(msg)
    if unknown := sorted(set(row) - set(known)):
        msg = f"{where} has unknown keys: {', '.join(unknown)}; known: {', '.join(known)}"
        raise InvalidData(msg)
    _check(where, row, OF_CALL)
    if bool(row.get("make")) == bool(row.get("release")):
        msg = f"{where} needs one of make and release"
        raise InvalidData(msg)
    if row.get("release") and "epsilon" not in row:
        msg = f"{where} is a release, which states no claim itself: it needs epsilon"
        raise InvalidData(msg)
    if not row.get("source"):
        msg = f"{where} needs source: where its claim, relation and unit were read"
        raise InvalidData(msg)
    try:
        numbers = {key: exact(row[key], key) for key in NUMBERS if key in row}
        relations = tuple(Relation(word) for word in row.get("relations", ()))
    except (InvalidArgument, ValueError) as exc:
        msg = f"{where}: {exc}"
        raise InvalidData(msg) from exc
    pairs = tuple((x, y) for x, y in row.get("pairs", ()))
    if Relation.LISTED in relations or bool(pairs) == bool(relations):
        msg = f"{where} needs either relations (add-remove, swap) or pairs"
        raise InvalidData(msg)
    return LibraryCall(**{**row, **numbers, "relations": relations, "pairs": pairs})
