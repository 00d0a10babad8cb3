"""No module and no folder needs itself, imports inside functions and for types counted."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.architecture.imports import Import, imports, imports_of
from tests.architecture.sources import PACKAGES, modules

APART = ("mechanisms", "proofs_check")
"""Packages in which a folder's own modules and those of a folder in it need each other one way."""

Graph = dict[str, set[str]]


def needs(sources: Mapping[str, Iterable[Import]]) -> Graph:
    """Which of the modules each imports."""
    found: Graph = {name: set() for name in sources}
    for name, items in sources.items():
        for item in items:
            owner = item.name
            while owner and owner not in sources:
                owner = owner.rpartition(".")[0]
            if owner and owner != name:
                found[name].add(owner)
    return found


def of_folders(graph: Graph, packages: frozenset[str]) -> Graph:
    """The same of folders; a module that lies in no folder but the top one is its own."""

    def folder(name: str) -> str:
        return name if name in packages or name.count(".") < 2 else name.rpartition(".")[0]

    found: Graph = {folder(name): set() for name in graph}
    for name, targets in graph.items():
        found[folder(name)] |= {folder(target) for target in targets} - {folder(name)}
    return found


def of_children(graph: Graph, package: str) -> Graph:
    """The same of what lies directly in a package, each with all below it."""
    depth = package.count(".") + 2
    found: Graph = {}
    for name, targets in graph.items():
        for other in targets:
            if name.startswith(f"{package}.") and other.startswith(f"{package}."):
                one, two = (".".join(end.split(".")[:depth]) for end in (name, other))
                found.setdefault(one, set()).update({two} - {one})
    return found


def cycle(graph: Graph) -> list[str]:
    """Names that need each other in a circle; none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_and_no_folder_needs_itself(package: str) -> None:
    """It must hold that neither modules nor folders of a package import each other in a circle."""
    own = [m for m in modules() if m.name.partition(".")[0] == package]
    graph = needs({m.name: imports_of(m) for m in own})
    assert cycle(graph) == []
    folders = frozenset(m.name for m in own if m.is_package)
    if package in APART:
        assert cycle(of_folders(graph, folders)) == []
    assert [cycle(of_children(graph, folder)) for folder in folders] == [[]] * len(folders)


def parsed(sources: Mapping[str, str], *packages: str) -> tuple[Graph, Graph]:
    """Graphs of modules and of folders of planted sources."""
    graph = needs(
        {
            name: imports(ast.parse(text), name, is_package=name in packages)
            for name, text in sources.items()
        }
    )
    return graph, of_folders(graph, frozenset(packages))


def test_circles_are_seen() -> None:
    """It must hold that circles of modules and of folders are found, lazy ones too."""
    modules_, _ = parsed({"a.b": "import a.c", "a.c": "def f():\n    from a.b import g"})
    assert set(cycle(modules_)) == {"a.b", "a.c"}
    typed = "if TYPE_CHECKING:\n    from a.c import d"
    assert cycle(parsed({"a.b": typed, "a.c": "from a.b import e"})[0])
    through = {
        "a.p": "",
        "a.p.q": "",
        "a.p.one": "from a.p.q import two",
        "a.p.q.two": "import a.p.three",
        "a.p.three": "",
    }
    graph, folders = parsed(through, "a.p", "a.p.q")
    assert cycle(graph) == []
    assert set(cycle(folders)) == {"a.p", "a.p.q"}
    nephews = {"a.p": "", "a.q": "", "a.p.b": "import a.q.c", "a.q.c": "", "a.q.d": "import a.p.e"}
    graph, _ = parsed({**nephews, "a.p.e": ""}, "a.p", "a.q")
    assert cycle(graph) == []
    assert set(cycle(of_children(graph, "a"))) == {"a.p", "a.q"}
    downwards = {**through, "a.p.q.two": ""}
    assert [cycle(one) for one in parsed(downwards, "a.p", "a.p.q")] == [[], []]
