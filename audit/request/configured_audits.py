"""One audit of a configuration: an [[audit]] is checked, and its targets and sweep written out."""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, final, get_args

from audit.declaration import declared_in
from audit.levels.word import Kind
from audit.request.meaning import CONFIGURATION, check_meaning
from audit.request.request import AccountAsked, Request, by_field
from audit.request.word_table import keys
from audit.request.word_values import check_keys, file_seen_from, seen_from, value_of, value_of_word
from audit.targets.modules import FILES, find_object
from audit.targets.separation import now_at
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown

__all__ = ["EXPECTATIONS", "Entry", "Expect", "entries_of"]

Expect = Literal["consistent", "refuted"]
"""What a verdict may be expected to be."""

EXPECTATIONS: tuple[str, ...] = get_args(Expect)
"""The same as texts."""

MOST_IN_A_SWEEP = 10_000
"""Each combination is an audit of its own."""

ALL = "*"
"""Attribute that stands for all that is declared in a module."""

PLANS = ("account", "from")
"""What names a plan of releases: a file, or an object that states its parts."""
ACCOUNT_KEYS = (*PLANS, "claim", "delta", "relation", "expect", "slow")
"""Of an entry that adds up a plan of releases."""


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


def entries_of(table: Mapping[str, Any], name: str, folder: Path) -> list[Entry]:
    """Check one [[audit]] and write its sweep out.

    `table`: its keys and values. `name`: what messages call it. `folder`: where its paths are seen
    from. Raises InvalidArgument if a key is unknown, or a value is not of its kind.
    """
    where = f"{name}: "
    if any(key in table for key in PLANS):
        return [_account(table, folder, where)]
    check_keys(table, [word.name for word in keys()], where)
    values = {word.name: value_of_word(table, word, where) for word in keys() if word.name in table}
    given = [name for name, value in values.items() if value is not False]
    mode, of_errors = values.get("mode", "sequential"), values.get("utility", False)
    check_meaning(given, mode, CONFIGURATION, utility=of_errors, where=where)
    command = _command(values, folder, where)
    if command:
        values |= {"target": shlex.join(command), "command": command}
    elif "target" not in values:
        msg = f"{where}the key 'target' (or 'command') is required"
        raise InvalidArgument(msg)
    expect = _checked_expect(values.pop("expect", "consistent"), where)
    slow = values.pop("slow", False)
    targets = values.pop("target")
    values |= {
        name: file_seen_from(values[name], folder) for name in ("data", "schema") if name in values
    }
    if "pair" in values:
        files = [values["pair"]] if isinstance(values["pair"], str) else values["pair"]
        values["pair"] = [file_seen_from(file, folder) for file in files]
    sweep = {
        key: value if isinstance(value, list) else [value]
        for key, value in values.pop("param", {}).items()
    }
    if math.prod(map(len, sweep.values())) > MOST_IN_A_SWEEP:
        msg = f"{where}a sweep has at most {MOST_IN_A_SWEEP} combinations of values"
        raise InvalidArgument(msg)
    entries, asked = [], by_field(values, where=where)
    listed = [targets] if isinstance(targets, str) else targets
    for target in itertools.chain.from_iterable(_each(one, folder, where) for one in listed):
        for choice in itertools.product(*sweep.values()):
            param = dict(zip(sweep, choice, strict=True))
            label = ", ".join(f"{key} = {value}" for key, value in param.items())
            title = f"{target} ({label})" if label else target
            request = Request(_target_seen(target, folder), **asked, param=param)
            entries.append(Entry(title, request, expect, slow))
    if not entries:
        msg = f"{where}a list of targets, or a sweep in param, has no values"
        raise InvalidArgument(msg)
    return entries


def _account(table: Mapping[str, Any], folder: Path, where: str) -> Entry:
    """An entry whose plan is a file of `touchstone account`, or an object of its `--from`."""
    check_keys(table, ACCOUNT_KEYS, where)
    if all(key in table for key in PLANS):
        msg = f"{where}account and from name two plans to add up; give one of them"
        raise InvalidArgument(msg)
    is_object = "from" in table
    if is_object:
        of_object = "an object as pkg.mod:name or file.py:name"
        plan = value_of(table, "from", Kind.TEXT, where, must_be=of_object)
    else:
        plan = value_of(table, "account", Kind.TEXT, where, must_be="a file name")
    expect = _checked_expect(table.get("expect", "consistent"), where)
    total = {
        name: value_of(table, name, Kind.EXACT, where, must_be="a number or its text")
        for name in ("claim", "delta")
    }
    relation = value_of(table, "relation", Kind.TEXT, where, must_be="a relation")
    asked = AccountAsked(relation=relation, is_object=is_object, **total)
    seen = _target_seen(plan, folder) if is_object else seen_from(plan, folder)
    request = Request(seen, mode="exact", account=asked)
    slow = value_of(table, "slow", Kind.FLAG, where, default=False)
    return Entry(plan, request, expect, slow)


def _checked_expect(value: Any, where: str) -> Expect:
    """What a verdict is expected to be."""
    if value not in EXPECTATIONS:
        msg = f"{where}expect must be one of {', '.join(EXPECTATIONS)}, got expect={shown(value)}"
        raise InvalidArgument(msg)
    expect: Expect = value
    return expect


def _command(values: Mapping[str, Any], folder: Path, where: str) -> tuple[str, ...]:
    """The words of a command in place of a target; its program is seen from the folder."""
    if "command" not in values:
        return ()
    if "target" in values:
        msg = f"{where}target and command name two things to audit; give one of them"
        raise InvalidArgument(msg)
    program, *arguments = values["command"]
    return (seen_from(program, folder) if "/" in program else program, *arguments)


def _each(target: str, folder: Path, where: str) -> list[str]:
    """Names of targets; `place:*` stands for all that is declared in a module."""
    place, colon, attribute = target.rpartition(":")
    if attribute != ALL or not colon:
        return [target]
    now_at(target)
    content, _ = find_object(f"{_target_seen(f'{place}:', folder)}__dict__")
    names = declared_in(content)
    if not names:
        msg = f"{where}nothing in {place} is declared with @audit.mechanism(claim)"
        raise InvalidArgument(msg)
    return [f"{place}:{name}" for name in names]


def _target_seen(target: str, folder: Path) -> str:
    place, colon, attribute = target.rpartition(":")
    return f"{seen_from(place, folder)}{colon}{attribute}" if place.endswith(FILES) else target
