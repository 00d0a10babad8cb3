"""The front door is lazy and typed, and its lists agree."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from pathlib import Path

import pytest

import audit
import mechanisms.errors
from audit.levels import LEVELS
from tests.architecture.test_light_import import NUMERIC, modules_after

SOURCE = ast.parse(Path(audit.__file__).read_text(encoding="utf-8"))


def typed_names() -> dict[str, str]:
    """Names that a type checker sees, and the modules that they are imported from."""
    (first, *_) = [node for node in SOURCE.body if isinstance(node, ast.If)]
    found = {}
    for node in first.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            if alias.asname is not None:
                assert alias.asname == alias.name
                found[alias.name] = str(node.module)
    return found


def test_lists_of_names_agree() -> None:
    """It must hold that what is public, typed and loaded are the same names."""
    assert typed_names() == audit._HOME
    assert sorted(audit.__all__) == sorted(audit._HOME)
    assert set(audit.__all__) <= set(dir(audit))


def test_a_name_is_loaded_and_documented(subtests: pytest.Subtests) -> None:
    """It must hold that each name is there, says what it is, and is no module."""
    for name in audit.__all__:
        with subtests.test(name=name):
            found = getattr(audit, name)
            assert not inspect.ismodule(found)
            assert inspect.getdoc(found)


def test_a_wrong_name_has_no_attribute() -> None:
    """It must hold that other names are errors, those of later functions among them."""
    for name in ("nothing", "synthesize"):
        with pytest.raises(AttributeError, match=f"module 'audit' has no attribute '{name}'"):
            getattr(audit, name)


def test_no_module_hides_a_name() -> None:
    """It must hold that no module or folder of the package is called like a public name."""
    assert {module.name for module in pkgutil.iter_modules(audit.__path__)} & set(
        audit._HOME
    ) == set()


def test_import_loads_nothing_else() -> None:
    """It must hold that `import audit` loads typing and one small module, a function numpy."""
    loaded = modules_after("import audit")
    assert loaded - modules_after("from typing import TYPE_CHECKING") == {
        *("__future__", "audit", "audit.results", "audit.results.showing")
    }
    tops = {name.partition(".")[0] for name in modules_after("import audit; audit.audit")}
    assert tops & set(NUMERIC) == {"numpy"}


def test_every_error_is_public() -> None:
    """It must hold that the errors of the vocabulary stand in `audit`."""
    own = vars(mechanisms.errors).values()
    errors = {e.__name__ for e in own if inspect.isclass(e) and issubclass(e, Exception)}
    assert errors == {name for name in errors if hasattr(audit, name)} == errors & {*audit.__all__}


def test_each_kind_of_claim_has_a_constructor() -> None:
    """It must hold that a new kind of claim is stated by a public function."""
    assert {kind.constructor for kind in LEVELS} <= {*audit.__all__}
