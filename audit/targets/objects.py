"""Objects that Python has at hand: what reports call them, and how a script makes them again."""

from __future__ import annotations

import os
import sys
import sysconfig
from decimal import Decimal
from enum import StrEnum
from functools import reduce
from numbers import Integral, Real
from pathlib import Path, PurePath
from typing import Any

from mechanisms.errors import InvalidArgument
from mechanisms.validation import exact


def plain_value(value: Any) -> Any:
    """Write a value with what a configuration file has; what it has not stays as it is."""
    match value:
        case StrEnum():
            return value.value
        case PurePath():
            return str(value)
        case bool():
            return value
        case Integral():
            return int(value)
        case float():
            return float(value)
        case Real() | Decimal():  # a float of fewer digits stands for its own decimal
            return _exact(value)
        case tuple() | list():
            return [plain_value(part) for part in value]
        case _ if isinstance(value, type) or getattr(value, "shape", None) is None:
            return value
        case _ if len(value.shape) == 1:
            return [plain_value(part) for part in value]
        case _:
            return value.item() if value.shape == () else value


def _exact(value: Any) -> Any:
    try:
        number = exact(value)
    except InvalidArgument:
        return value
    return number.numerator if number.denominator == 1 else str(number)


def name_of(mechanism: Any) -> str:
    """What reports call an object: where it is defined, or the class that it is of."""
    kind = type(mechanism)
    if not (hasattr(mechanism, "__qualname__") and hasattr(mechanism, "__module__")):
        return f"{kind.__qualname__} object"
    return f"{mechanism.__module__}:{mechanism.__qualname__}"


def made_by(mechanism: Any, place: str, folder: Path) -> str:
    """Lines of a script that import an object; otherwise a line that says what belongs there."""
    origin = origin_of(mechanism)
    if origin is None:
        return f"mechanism = ...  # put here what {place} gave to the audit"
    module, attribute, home = origin
    lines = [f"import {module}", f"mechanism = {module}.{attribute}"]
    if "." not in attribute:
        lines = [f"from {module} import {attribute} as mechanism"]
    if str(home) not in sysconfig.get_paths().values():
        near = os.path.relpath(home, folder) if home.is_relative_to(folder) else str(home)
        lines = ["import sys", f"sys.path.insert(0, {near!r})", *lines]
    return "\n".join(lines)


def origin_of(mechanism: Any) -> tuple[str, str, Path] | None:
    """Module, attribute and folder that an object is imported from; None where it is not."""
    module = getattr(mechanism, "__module__", None)
    attribute = getattr(mechanism, "__qualname__", "<none>")
    loaded = sys.modules.get(module or "")
    file = getattr(loaded, "__file__", None)
    home = None if module is None or file is None else _home(module, Path(file))
    found = reduce(lambda thing, name: getattr(thing, name, None), attribute.split("."), loaded)
    if home is None or found is not mechanism:
        return None
    return str(module), attribute, home


def _home(module: str, file: Path) -> Path | None:
    """The folder on sys.path from which a file is a module of this name."""
    parts = module.split(".")
    path = file.parent if file.stem == "__init__" else file.with_suffix("")
    fits = list(path.parts[-len(parts) :]) == parts
    return path.parents[len(parts) - 1] if fits else None
