"""The gate's configuration: [tool.touchstone] of pyproject.toml, or touchstone.toml.

touchstone.toml holds the same keys at its top level, or under [tool.touchstone]. Every key is
checked; an unknown one is an error that names it.
"""

from __future__ import annotations

import itertools
import math
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, final

from audit.bounded_toml import read_toml
from audit.declaration import declared_in
from audit.levels.statement import read_budgets
from audit.pairs.data import COUNTEREXAMPLE, STATSMODELS
from audit.request.errors import asked_of
from audit.request.meaning import CONFIGURATION, check_meaning
from audit.request.request import AccountAsked, Request, by_field
from audit.request.titles import titles
from audit.request.words import keys
from audit.targets.modules import FILES, find_object
from mechanisms.errors import InvalidArgument, InvalidData, close_names
from mechanisms.validation import shown

__all__ = [
    "SUITE",
    "Config",
    "Entry",
    "entries_of",
    "find_config",
    "is_found",
    "read_config",
    "reference_config",
]

SUITE = "the reference suite"
"""Name of the configuration that is shipped."""

OWN, PROJECT = "touchstone.toml", "pyproject.toml"
"""Names that are looked for in a folder, the first before the second."""

MOST_IN_A_SWEEP = 10_000
"""Each combination is an audit of its own."""

Expect = Literal["consistent", "refuted"]

DEFAULT_FALSE_ALARM = 1e-3
RUN_KEYS = ("false_alarm", "budget_seconds", "proofs", "tables", "baseline", "carry", "audit")
ALL = "*"
"""Attribute that stands for all that is declared in a module."""
EXPECTATIONS = ("consistent", "refuted")


@final
@dataclass(frozen=True, slots=True)
class Entry:
    """One audit of the configuration: its name, what to audit, and the expected verdict.

    A slow one is run with --slow only. The key is the name, numbered where several have it: it
    tells the audit from the others of its configuration, whichever of them are run. So does the
    title, in words; stored files rest on the key alone.
    """

    name: str
    request: Request
    expect: Expect = "consistent"
    slow: bool = False
    key: str = ""
    title: str = ""


@final
@dataclass(frozen=True, slots=True)
class Config:
    """What the gate runs."""

    name: str
    """Where it was read from."""
    entries: tuple[Entry, ...]
    """The audits, sweeps written out."""
    false_alarm: float = DEFAULT_FALSE_ALARM
    """For the whole run."""
    budget_seconds: float | None = None
    """Cap for the whole run; None for the sum of its audits' caps."""
    proofs: tuple[str, ...] = ()
    """Ids of claims, and prefixes of papers, to be checked as well."""
    left_out: int = 0
    """Slow audits that this run leaves out."""
    tables: tuple[str, ...] = ()
    """Files of stored tables, to be checked as well."""
    baseline: str | None = None
    """File of what the audits promised and showed before."""
    carry: bool = False
    """Whether wealth against unchanged targets is carried from run to run."""
    shared_by: int | None = None
    """Audits over which the false-alarm rate is shared; None for those that are run."""

    def __post_init__(self) -> None:
        """Check what the whole run shares."""
        if not 0 < self.false_alarm < 1:
            msg = f"false_alarm must lie in (0, 1), got false_alarm={self.false_alarm!r}"
            raise InvalidArgument(msg)
        if self.budget_seconds is not None and not self.budget_seconds > 0:
            msg = f"budget_seconds must be positive, got budget_seconds={self.budget_seconds!r}"
            raise InvalidArgument(msg)


def find_config(folder: Path) -> Config:
    """Read touchstone.toml, or else [tool.touchstone] of pyproject.toml.

    Raises InvalidData if neither is there, or a key or value is wrong.
    """
    own, project = folder / OWN, folder / PROJECT
    if own.is_file():
        return read_config(own)
    if project.is_file() and "touchstone" in _tools(read_toml(project)):
        return read_config(project)
    if not folder.is_dir():
        msg = f"there is no configuration {str(folder)!r}: neither a file nor a folder"
        raise InvalidData(msg)
    place = "this folder" if folder == Path() else f"the folder {str(folder)!r}"
    msg = (
        f"no configuration: write {OWN} (or [tool.touchstone] in {PROJECT}) in {place}, or run the "
        "built-in suite with --reference"
    )
    raise InvalidData(msg)


def is_found(path: Path) -> bool:
    """Whether the command, called in the folder of a configuration, reads this one."""
    return path.name == OWN or (path.name == PROJECT and not path.with_name(OWN).is_file())


def reference_config() -> Config:
    """Read the built-in suite: every registered mechanism at its claim, each with its twin."""
    from importlib.resources import as_file, files

    with as_file(files("audit") / "reference.toml") as path:
        return replace(read_config(path), name=SUITE)


def read_config(path: Path) -> Config:
    """Read and check one configuration file; its paths are relative to its folder."""
    document = read_toml(path)
    in_tool = path.name == "pyproject.toml" or "tool" in document
    content = _tools(document).get("touchstone", {}) if in_tool else document
    try:
        beside = [name for name in document if name != "tool"]
        if in_tool and beside and path.name != "pyproject.toml":
            msg = (
                f"it has {', '.join(beside)} beside [tool.touchstone]; write everything there, or "
                "everything at the top level"
            )
            raise InvalidArgument(msg)
        if not isinstance(content, dict):
            msg = f"tool.touchstone must be a table, got {shown(content)}"
            raise InvalidArgument(msg)
        return _config(content, path)
    except InvalidArgument as exc:
        msg = f"{path}: {exc}"
        raise InvalidData(msg) from exc


def _tools(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """What [tool] holds; nothing where it is no table."""
    tools = document.get("tool", {})
    return tools if isinstance(tools, dict) else {}


def _config(content: Mapping[str, Any], path: Path) -> Config:
    _check_keys(content, RUN_KEYS, "")
    texts = "an id of a claim such as 'KSW-T2', the prefix of a paper, or a list of them"
    proofs = _value(content, "proofs", _is_texts, texts, "", ())
    stored = _value(content, "tables", _is_texts, "a file name or a list of them", "", ())
    tables = content.get("audit", [])
    listed = isinstance(tables, list) and all(isinstance(table, dict) for table in tables)
    if not (listed and (tables or proofs or stored)):
        msg = "it lists no [[audit]]"
        raise InvalidArgument(msg)
    entries = [
        entry
        for number, table in enumerate(tables, start=1)
        for entry in entries_of(table, f"audit {number}", path.parent)
    ]
    false_alarm = _value(content, "false_alarm", _is_number, "a number", "", DEFAULT_FALSE_ALARM)
    seconds = _value(content, "budget_seconds", _is_number, "a number", "")
    names = (proofs,) if isinstance(proofs, str) else tuple(proofs)
    files = (stored,) if isinstance(stored, str) else stored
    baseline = _value(content, "baseline", _is_text, "a file name", "")
    return Config(
        str(path),
        _keyed(entries),
        float(false_alarm),
        None if seconds is None else float(seconds),
        names,
        tables=tuple(_seen(file, path.parent) for file in files),
        baseline=None if baseline is None else _seen(baseline, path.parent),
        carry=_value(content, "carry", _is_flag, "true or false", "", False),
    )


def _keyed(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Give each audit a key and a title of its own."""
    seen: Counter[str] = Counter()
    keyed = []
    told = titles(
        [entry.name for entry in entries],
        [entry.request for entry in entries],
        [entry.expect == "refuted" for entry in entries],
    )
    for entry, title in zip(entries, told, strict=True):
        seen[entry.name] += 1
        count = seen[entry.name]
        key = entry.name if count == 1 else f"{entry.name} [{count}]"
        keyed.append(replace(entry, key=key, title=title))
    return tuple(keyed)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_texts(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and all(map(_is_text, value)))


def _check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in table:
        if key not in known:
            near = close_names(key, known)
            msg = f"{where}unknown key {shown(key)}{near}; known: {', '.join(known)}"
            raise InvalidArgument(msg)


def _value(
    table: Mapping[str, Any],
    key: str,
    fits: Callable[[Any], bool],
    kind: str,
    where: str,
    default: Any = None,
) -> Any:
    value = table.get(key, default)
    if key in table and not fits(value):
        msg = f"{where}{key} must be {kind}, got {key}={shown(value)}"
        raise InvalidArgument(msg)
    return value


def entries_of(table: Mapping[str, Any], name: str, folder: Path) -> list[Entry]:
    """Check one [[audit]] and write its sweep out.

    `table`: its keys and values. `name`: what messages call it. `folder`: where its paths are seen
    from. Raises InvalidArgument if a key is unknown, or a value is not of its kind.
    """
    where = f"{name}: "
    if any(key in table for key in PLANS):
        return [_account(table, folder, where)]
    _check_keys(table, [word.name for word in keys()], where)
    values = {
        word.name: word.kind.read(_value(table, word.name, word.kind.fits, word.must_be, where))
        for word in keys()
        if word.name in table
    }
    given = [name for name, value in values.items() if value is not False]
    mode, of_errors = values.get("mode", "sequential"), values.get("utility", False)
    check_meaning(given, mode, CONFIGURATION, utility=of_errors, where=where)
    command = _command(values, folder, where)
    if command:
        values |= {"target": shlex.join(command), "command": command}
    elif "target" not in values:
        msg = f"{where}the key 'target' (or 'command') is required"
        raise InvalidArgument(msg)
    expect = values.pop("expect", "consistent")
    if expect not in EXPECTATIONS:
        msg = f"{where}expect must be one of {', '.join(EXPECTATIONS)}, got expect={shown(expect)}"
        raise InvalidArgument(msg)
    slow = values.pop("slow", False)
    targets = values.pop("target")
    values |= _paths(values, folder)
    if "hostile" in values:  # the name of earlier versions
        values.setdefault("domain", "any" if values.pop("hostile") else "declared")
    values["utility"] = asked_of(values, where)
    if "budgets" in values:
        own = values["budgets"]
        values["budgets"] = read_budgets(own) if isinstance(own, str) else tuple(own)
    sweep = {
        key: value if isinstance(value, list) else [value]
        for key, value in values.pop("param", {}).items()
    }
    if math.prod(map(len, sweep.values())) > MOST_IN_A_SWEEP:
        msg = f"{where}a sweep has at most {MOST_IN_A_SWEEP} combinations of values"
        raise InvalidArgument(msg)
    entries = []
    listed = [targets] if isinstance(targets, str) else targets
    for target in itertools.chain.from_iterable(_each(one, folder, where) for one in listed):
        for choice in itertools.product(*sweep.values()):
            param = dict(zip(sweep, choice, strict=True))
            label = ", ".join(f"{key} = {value}" for key, value in param.items())
            title = f"{target} ({label})" if label else target
            request = Request(_target_seen(target, folder), **by_field(values), param=param)
            entries.append(Entry(title, request, expect, slow))
    if not entries:
        msg = f"{where}a list of targets, or a sweep in param, has no values"
        raise InvalidArgument(msg)
    return entries


PLANS = ("account", "from")
"""What names a plan of releases: a file, or an object that states its parts."""
ACCOUNT_KEYS = (*PLANS, "claim", "delta", "relation", "expect", "slow")
"""Of an entry that adds up a plan of releases."""


def _account(table: Mapping[str, Any], folder: Path, where: str) -> Entry:
    """An entry whose plan is a file of `touchstone account`, or an object of its `--from`."""
    _check_keys(table, ACCOUNT_KEYS, where)
    if all(key in table for key in PLANS):
        msg = f"{where}account and from name two plans to add up; give one of them"
        raise InvalidArgument(msg)
    is_object = "from" in table
    if is_object:
        plan = _value(table, "from", _is_text, "an object as pkg.mod:name or file.py:name", where)
    else:
        plan = _value(table, "account", _is_text, "a file name", where)
    expect = _value(
        table, "expect", EXPECTATIONS.__contains__, f"one of {', '.join(EXPECTATIONS)}", where
    )
    total = {
        name: _value(table, name, _is_exact, "a number or its text", where)
        for name in ("claim", "delta")
    }
    relation = _value(table, "relation", _is_text, "a relation", where)
    asked = AccountAsked(relation=relation, is_object=is_object, **total)
    seen = _target_seen(plan, folder) if is_object else _seen(plan, folder)
    request = Request(seen, mode="exact", account=asked)
    slow = _value(table, "slow", _is_flag, "true or false", where, False)
    return Entry(plan, request, expect or "consistent", slow)


def _is_exact(value: Any) -> bool:
    return _is_number(value) or _is_text(value)


def _command(values: Mapping[str, Any], folder: Path, where: str) -> tuple[str, ...]:
    """The words of a command in place of a target; its program is seen from the folder."""
    if "command" not in values:
        return ()
    if "target" in values:
        msg = f"{where}target and command name two things to audit; give one of them"
        raise InvalidArgument(msg)
    program, *arguments = values["command"]
    return (_seen(program, folder) if "/" in program else program, *arguments)


def _seen(path: str, folder: Path) -> str:
    """A path of the configuration, seen from its own folder."""
    return path if folder == Path() else str(folder / path)


def _each(target: str, folder: Path, where: str) -> list[str]:
    """Names of targets; `place:*` stands for all that is declared in a module."""
    place, colon, attribute = target.rpartition(":")
    if attribute != ALL or not colon:
        return [target]
    content, _ = find_object(f"{_target_seen(f'{place}:', folder)}__dict__")
    names = declared_in(content)
    if not names:
        msg = f"{where}nothing in {place} is declared with @audit.mechanism(claim)"
        raise InvalidArgument(msg)
    return [f"{place}:{name}" for name in names]


def _target_seen(target: str, folder: Path) -> str:
    place, colon, attribute = target.rpartition(":")
    return f"{_seen(place, folder)}{colon}{attribute}" if place.endswith(FILES) else target


def _paths(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Files of data and of pairs."""
    found: dict[str, Any] = {}
    if "data" in values and not values["data"].startswith(STATSMODELS):
        found["data"] = _seen(values["data"], folder)
    if "schema" in values:
        found["schema"] = _seen(values["schema"], folder)
    if "pair" in values:
        pair = values["pair"]
        files = [pair] if isinstance(pair, str) else pair
        found["pair"] = tuple(p if p == COUNTEREXAMPLE else _seen(p, folder) for p in files)
    return found
