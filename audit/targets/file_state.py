"""Whether what is in memory is what its file says: what a saved run is told apart by.

The digest of a file says nothing of a module that was imported before the file was edited, nor of
an object that was changed since. So functions are compared with those of the file, and attributes
of an object are a part of what it is.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from mechanisms.errors import InvalidArgument

DEEPEST = 6
"""Objects within objects that are looked into."""


def check_as_written(target: str) -> None:
    """Check that the module of a target has the functions and constants that its file has.

    Raises InvalidArgument if one differs.
    """
    module = _module_of(target.rpartition(":")[0])
    loader = getattr(getattr(module, "__spec__", None), "loader", None)
    if module is None or type(loader) is not SourceFileLoader or not module.__file__:
        return
    try:
        source = Path(module.__file__).read_bytes()
        codes = defaultdict[str, list[CodeType]](list)
        for name, code in _codes(compile(source, module.__file__, "exec", dont_inherit=True)):
            codes[name].append(code)
        constants = dict(_constants(ast.parse(source)))
    except (OSError, SyntaxError, ValueError) as exc:
        msg = f"{module.__file__} cannot be read as it was when it was imported: {exc}"
        raise InvalidArgument(msg) from exc
    functions = [function for function in _functions(module) if function.__qualname__ in codes]
    changed = [f.__qualname__ for f in functions if f.__code__ not in codes[f.__qualname__]]
    own = vars(module)
    for name, value in constants.items():
        live = own.get(name)
        if type(live) is not type(value) or live != value:
            changed.append(name)
    if changed:
        msg = (
            f"{changed[0]} is not what {module.__file__} says, which was edited after it was "
            "imported here, or it was changed itself: start Python again for --resume"
        )
        raise InvalidArgument(msg)


def _module_of(place: str) -> ModuleType | None:
    if not place.endswith(".py"):
        return sys.modules.get(place)
    file = str(Path(place).resolve())
    names = (Path(place).stem, f"_touchstone_target_{Path(place).stem}")
    found = [sys.modules[name] for name in names if name in sys.modules]
    return next((one for one in found if getattr(one, "__file__", None) == file), None)


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """Code of a module's functions and methods, with their names."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part.co_qualname, part
            yield from _codes(part)


def _functions(module: ModuleType) -> Iterator[Any]:
    for found in vars(module).values():
        of_class = inspect.isclass(found) and found.__module__ == module.__name__
        for one in vars(found).values() if of_class else [found]:
            function = inspect.unwrap(getattr(one, "__func__", one))
            if inspect.isfunction(function) and function.__module__ == module.__name__:
                yield function


def _constants(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    """Literals of a module that are assigned once, by name."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    stored = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if stored[name] == 1:
                with suppress(ValueError, TypeError):
                    yield name, ast.literal_eval(value)


def state_of(found: Any) -> str:
    """Attributes of an object or a function, in words that another process finds too."""
    if inspect.isclass(found):
        return ""
    names = [name for name in _names(found) if not name.startswith("__")]
    return _words({name: getattr(found, name, None) for name in names}, DEEPEST) if names else ""


def _words(value: Any, depth: int) -> str:
    """A value without addresses; what is too deep, or keeps its parts to itself, is its class."""
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if inspect.isroutine(value) or inspect.isclass(value):
        return f"{getattr(value, '__module__', '')}:{value.__qualname__}"
    if hasattr(value, "tobytes"):
        return f"{kind}(sha256 {hashlib.sha256(value.tobytes()).hexdigest()})"
    if not depth:
        return kind
    if isinstance(value, Mapping):
        return (
            f"{{{', '.join(f'{_words(k, 0)}: {_words(v, depth - 1)}' for k, v in value.items())}}}"
        )
    if isinstance(value, list | tuple):
        return f"({', '.join(_words(part, depth - 1) for part in value)})"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_words(part, depth - 1) for part in value))}}}"
    own = {name: getattr(value, name, None) for name in _names(value)}
    return f"{kind}{_words(own, depth - 1) if own else ''}"


def _names(value: Any) -> list[str]:
    """Attributes of an object itself."""
    slots = [vars(kind).get("__slots__", ()) for kind in type(value).__mro__]
    each = [name for own in slots for name in ([own] if isinstance(own, str) else own)]
    return [*map(str, getattr(value, "__dict__", {})), *each]
