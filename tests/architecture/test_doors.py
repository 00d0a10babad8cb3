"""Every module of `audit` has a door: a command, the plugin, a public name, or a registry.

Imports are followed from there, lazy ones too; a registry names modules in text.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import _touchstone_pytest
from tests.architecture.imports import imports, imports_of
from tests.architecture.sources import Module, modules

PLUGIN = Path(_touchstone_pytest.__file__)
DOORS = (
    "audit",
    "audit.cli",
    "audit.testing",
    "audit.scripts",
    "audit.strategies",
    "audit.tracing",
)
"""Packages and modules whose names a user writes."""

BY_LAST_PART = {
    "audit.figures.figure_registry": "audit.figures.",
    "audit.targets.libraries.adapters": "audit.targets.libraries.",
}
"""Registries that name modules of their packages by the last part."""

CLOSED: frozenset[str] = frozenset()
"""Modules without a door; none."""


def owner(name: str, known: dict[str, Module]) -> str:
    """The module that holds an imported name."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


@cache
def words_of(module: Module) -> frozenset[str]:
    """Texts in a module, up to a colon."""
    constants = (node for node in ast.walk(module.tree()) if isinstance(node, ast.Constant))
    return frozenset(n.value.partition(":")[0] for n in constants if isinstance(n.value, str))


def leads_to(module: Module, known: dict[str, Module]) -> set[str]:
    """Modules that a module imports, names in text, or lies below."""
    words = words_of(module)
    names = {found.name for found in imports_of(module)} | (words & known.keys())
    if package := BY_LAST_PART.get(module.name):
        names |= {f"{package}{word}" for word in words if f"{package}{word}" in known}
    return {owner(name, known) for name in names} | {module.name.rpartition(".")[0]}


def reached(known: dict[str, Module], closed: frozenset[str] = frozenset()) -> set[str]:
    """Modules behind the doors; those that are `closed` lead nowhere."""
    plugin = imports(ast.parse(PLUGIN.read_text(encoding="utf-8")), PLUGIN.stem)
    begin = {owner(found.name, known) for found in plugin}
    begin |= {name for name in known if name.startswith(tuple(f"{door}." for door in DOORS[1:]))}
    waiting, seen = [*(begin | set(DOORS)) & known.keys()], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name in closed:
            continue
        seen.add(name)
        waiting += leads_to(known[name], known) & known.keys()
    return seen


def test_every_module_has_a_door() -> None:
    """It must hold of each module of `audit`."""
    known = {module.name: module for module in modules() if module.name.startswith("audit")}
    assert set(known) - reached(known) == CLOSED


def test_a_room_without_a_door_is_seen() -> None:
    """It must hold that what only the exact audit leads to is closed with it."""
    known = {module.name: module for module in modules() if module.name.startswith("audit")}
    shut = frozenset(
        {
            "audit.exact.stated_laws",
            "audit.exact.comparison.lattice_comparison",
            "audit.exact.auditors.by_machine",
        }
    )
    missing = set(known) - reached(known, shut)
    assert {
        "audit.exact.density.pair",
        "audit.exact.jets.taylor",
        "audit.exact.comparison.lattice_comparison",
    } <= missing
