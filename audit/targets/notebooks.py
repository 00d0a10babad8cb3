"""Notebooks as modules: the code cells of a .ipynb file, one after the other in one namespace.

The file is JSON (nbformat 4), so nothing of Jupyter is needed. What is no Python is skipped, and
said: magics (lines that begin with %), shell lines (!), help (?), and cells in other languages
(%%bash). A line counts as one of these only where Python cannot read it. `%time` before a
statement, and `%%time`, `%%capture` or `%%prun` before a cell, are left away, and the rest runs.
"""

from __future__ import annotations

import linecache
import re
import sys
import traceback
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from audit.files.bounded_json import parse_json, read_text
from audit.interrupts import is_asked_for
from mechanisms.errors import InvalidArgument, InvalidData

SKIPPED = "_touchstone_skipped"
"""Attribute of a notebook's module: the lines that were skipped, each with its cell."""

PYTHON_CELLS = ("%%time", "%%capture", "%%prun")
"""Magics of cells whose other lines are Python."""

TIMED = re.compile(r"(\s*)%time\s+(\S.*)")
NO_PYTHON = re.compile(r"(\s*)([%!?].*|[\w.*]+\?\??\s*|[\w.,\s]+=\s*[%!].*)")
SHOWN = 3


def load_notebook(path: Path) -> tuple[ModuleType, tuple[str, ...]]:
    """Run the code cells of a notebook, once in a process.

    `path`: a file of nbformat 4, in Python. Returns `module`: its names. `notes`: a sentence about
    what was skipped, if anything was. Raises InvalidArgument if the file is no notebook, or a cell
    fails; the message names the cell.
    """
    resolved = path.resolve()
    name = f"_touchstone_notebook_{zlib.crc32(str(resolved).encode()):08x}"
    module = sys.modules.get(name)
    if module is None:
        cells = list(_cells(path))
        module = ModuleType(name)
        module.__file__ = str(resolved)
        vars(module)["display"] = _display
        sys.modules[name] = module  # dataclasses and pickle look the module up
        try:
            vars(module)[SKIPPED] = [
                f"{line} (code cell {number})"
                for number, source in enumerate(cells, start=1)
                for line in _run(source, module, path, number)
            ]
        except BaseException:
            del sys.modules[name]
            raise
    return module, _notes(path, vars(module)[SKIPPED])


def _display(*_: Any, **__: Any) -> None:
    """Stand in for the function that Jupyter gives to notebooks."""


def _notes(path: Path, skipped: list[str]) -> tuple[str, ...]:
    if not skipped:
        return ()
    more = "" if len(skipped) <= SHOWN else f" and {len(skipped) - SHOWN} more"
    return (
        f"{path.name}: lines that are no Python were skipped: {', '.join(skipped[:SHOWN])}{more}",
    )


def _cells(path: Path) -> Iterator[str]:
    """Sources of the code cells."""
    try:
        content = parse_json(read_text(path), "it", repeats=True)
    except InvalidData as exc:
        msg = f"{path} is no notebook: {exc}"
        raise InvalidArgument(msg) from exc
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        msg = f"{path} is no notebook of nbformat 4 (it has no list of cells); save it again as one"
        raise InvalidArgument(msg)
    language = _language(content.get("metadata"))
    if language not in ("", "python"):
        msg = f"{path} is a notebook in {language}; only those in Python can be run"
        raise InvalidArgument(msg)
    for cell in cells:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source", "")
            yield source if isinstance(source, str) else "".join(map(str, source))


def _language(metadata: Any) -> str:
    """The language that a notebook says it is in; "" where it does not."""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        told = metadata.get(part) if isinstance(metadata, dict) else None
        if isinstance(told, dict) and told.get(key):
            return str(told[key]).lower()
    return ""


def _run(source: str, module: ModuleType, path: Path, number: int) -> list[str]:
    """Run one cell in the module's namespace; return the lines that were skipped."""
    place = f"{path} cannot be run: code cell {number}"
    file = f"<{path.name}, code cell {number}>"
    try:
        python, skipped = _python(source)
        code = compile(python, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as exc:
        line = f", line {exc.lineno}" if isinstance(exc, SyntaxError) else ""
        what = exc.msg if isinstance(exc, SyntaxError) else exc
        msg = f"{place}{line}: {type(exc).__name__}: {what}"
        raise InvalidArgument(msg) from exc
    linecache.cache[file] = (len(python), None, python.splitlines(keepends=True), file)
    try:
        exec(code, vars(module))
    except MemoryError:
        raise
    except BaseException as exc:  # as a library in Rust raises when it panics
        if isinstance(exc, KeyboardInterrupt) and is_asked_for():
            raise
        lines = [f.lineno for f in traceback.extract_tb(exc.__traceback__) if f.filename == file]
        where = f", line {lines[-1]}" if lines else ""
        msg = f"{place}{where}: {type(exc).__name__}: {exc}"
        raise InvalidArgument(msg) from exc
    return skipped


def _python(source: str) -> tuple[str, list[str]]:
    """The Python of a cell, its lines in their places, and the lines that are none."""
    lines = source.splitlines()
    first = next((place for place, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].startswith("%%"):
        magic = lines[first].strip()
        if magic.split()[0] not in PYTHON_CELLS:
            return "", [magic]
        lines[first] = ""
    skipped: list[str] = []
    while True:
        text = "\n".join(lines) + "\n"
        try:
            compile(text, "<cell>", "exec", dont_inherit=True)
        except SyntaxError as exc:
            place = (exc.lineno or 0) - 1
            if not 0 <= place < len(lines):
                raise
            if timed := TIMED.fullmatch(lines[place]):
                lines[place] = "".join(timed.groups())
            elif other := NO_PYTHON.fullmatch(lines[place]):
                skipped.append(lines[place].strip())
                _leave_out(lines, place, other[1])
            else:
                raise
        else:
            return text, skipped


def _leave_out(lines: list[str], place: int, indent: str) -> None:
    """Put `pass` in place of a line and of those that a backslash joins to it."""
    goes_on = True
    while goes_on and place < len(lines):
        goes_on = lines[place].endswith("\\")
        lines[place] = f"{indent}pass"
        place += 1
