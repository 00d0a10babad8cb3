"""The gate's configuration: [tool.touchstone] of pyproject.toml, or touchstone.toml.

touchstone.toml holds the same keys at its top level, or under [tool.touchstone]. Every key is
checked; an unknown one is an error that names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from audit.files.bounded_toml import read_toml
from audit.levels.word import Kind
from audit.request.configured_audits import Entry, entries_of
from audit.request.titles import titles
from audit.request.word_values import check_keys, seen_from, value_of
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.validation import shown

__all__ = ["SUITE", "Config", "find_config", "is_found", "read_config", "reference_config"]

SUITE = "the reference suite"
"""Name of the configuration that is shipped."""

OWN, PROJECT = "touchstone.toml", "pyproject.toml"
"""Names that are looked for in a folder, the first before the second."""

DEFAULT_FALSE_ALARM = 1e-3
RUN_KEYS = ("false_alarm", "budget_seconds", "proofs", "tables", "baseline", "carry", "audit")


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
    in_tool = path.name == PROJECT or "tool" in document
    content = _tools(document).get("touchstone", {}) if in_tool else document
    try:
        beside = [name for name in document if name != "tool"]
        if in_tool and beside and path.name != PROJECT:
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
    check_keys(content, RUN_KEYS)
    texts = "an id of a claim such as 'KSW-T2', the prefix of a paper, or a list of them"
    proofs = value_of(content, "proofs", Kind.TEXTS, must_be=texts, default=())
    stored = value_of(
        content, "tables", Kind.TEXTS, must_be="a file name or a list of them", default=()
    )
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
    false_alarm = value_of(content, "false_alarm", Kind.NUMBER, default=DEFAULT_FALSE_ALARM)
    seconds = value_of(content, "budget_seconds", Kind.NUMBER)
    names = (proofs,) if isinstance(proofs, str) else tuple(proofs)
    files = (stored,) if isinstance(stored, str) else stored
    baseline = value_of(content, "baseline", Kind.TEXT, must_be="a file name")
    return Config(
        str(path),
        _keyed(entries),
        float(false_alarm),
        None if seconds is None else float(seconds),
        names,
        tables=tuple(seen_from(file, path.parent) for file in files),
        baseline=None if baseline is None else seen_from(baseline, path.parent),
        carry=value_of(content, "carry", Kind.FLAG, default=False),
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
