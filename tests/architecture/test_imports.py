"""Direction of imports, module by module; the checker itself is tried on small sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.architecture.imports import Import, below, imports, imports_of, layer_of, violations
from tests.architecture.rules import DOORS, LAYERS
from tests.architecture.sources import PACKAGES, modules

MODULES = modules()
Graph = dict[str, set[str]]


def test_imports_follow_the_rules() -> None:
    """It must hold that a module imports only what the table allows."""
    assert [
        found for module in MODULES for found in violations(imports_of(module), module.name)
    ] == []


def test_every_module_is_in_a_layer() -> None:
    """It must hold that no module of ours is outside the table, and that nothing there is gone."""
    names = {module.name for module in MODULES} - {*PACKAGES}
    assert [name for name in names if layer_of(name) is None] == []
    named = [name for row in LAYERS for layer in row for name in layer.names]
    assert sorted(set(named)) == sorted(named)
    assert [name for name in named if name not in names | {*PACKAGES}] == []
    assert len(LAYERS) <= 20


def test_a_library_that_is_loaded_by_its_name_has_one_door() -> None:
    """It must hold that `load_library` counts as an import does."""
    loaded = re.compile(r"""load_library\(f?["']([a-z]+)""")
    asking = {(found, m.name) for m in MODULES for found in loaded.findall(m.text())}
    assert {name for name, _ in asking} == {"diffprivlib", "opendp", "pydp"}
    assert [one for one in asking if not below(one[1], DOORS[one[0]])] == []


def test_only_printed_forms_know_slips() -> None:
    """It must hold that no module of a sound form mentions slips, the errata of printed ones."""
    knowing = {m.name for m in MODULES if below(m.name, ("mechanisms",)) and "slips" in m.text()}
    assert {name for name in knowing if not below(name, ("mechanisms.as_printed",))} == set()
    assert "mechanisms.as_printed.slips" in knowing


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
    """It must hold also inside functions and for types."""
    own = [m for m in MODULES if m.name.partition(".")[0] == package]
    graph = needs({m.name: imports_of(m) for m in own})
    assert cycle(graph) == []
    folders = [m.name for m in own if m.is_package]
    assert [cycle(of_children(graph, folder)) for folder in folders] == [[]] * len(folders)


def test_circles_are_seen() -> None:
    """It must hold that circles of modules and of folders are found, lazy and typed ones too."""

    def graph(**sources: str) -> Graph:
        named = {name.replace("_", "."): text for name, text in sources.items()}
        return needs({name: imports(ast.parse(text), name) for name, text in named.items()})

    lazy = "def f():\n    from a.b import g"
    assert set(cycle(graph(a_b="import a.c", a_c=lazy))) == {"a.b", "a.c"}
    typed = "if TYPE_CHECKING:\n    from a.c import d"
    assert cycle(graph(a_b=typed, a_c="from a.b import e"))
    nephews = graph(a_p_b="import a.q.c", a_q_c="", a_q_d="import a.p.e", a_p_e="")
    assert cycle(nephews) == []
    assert set(cycle(of_children(nephews, "a"))) == {"a.p", "a.q"}


PLANTED = (
    ("mechanisms.claims", "from mechanisms.noise.laplace import Laplace"),
    ("mechanisms.errors", "import numpy as np"),
    ("mechanisms.implications", "def f():\n    from mechanisms.add_remove import shifted_mean"),
    ("mechanisms.noise.laplace", "from mechanisms.add_remove.grid import grid_sum"),
    ("mechanisms.add_remove.shifted_mean", "import audit"),
    ("mechanisms.noise.laplace", "from ..add_remove import grid"),
    ("mechanisms.trilemma.coins", "import mechanisms.subset.window"),
    ("proofs_check.rational", "import mechanisms.noise.laplace"),
    ("audit.certificate.certificate_check", "from audit.exact import audit"),
    ("audit.engine.run_state", "def f():\n    from audit.report.rendering import rendered"),
    ("audit.engine.run_state", "import audit.utility.error_audit"),
    ("audit.report.ledger.ledger_text", "def f():\n    from audit.exact import proof_document"),
    (
        "audit.report.text_form",
        "try:\n    import mechanisms.noise.laplace\nexcept ImportError:\n    pass",
    ),
    ("audit.brand_new", "import mechanisms.claims"),
    ("audit", "from audit.results.verdict import Verdict"),
    ("mechanisms", "import numpy"),
    ("mechanisms.noise.gaussian", "from scipy import special"),
    ("audit.suite.gate_run", "def f():\n    import rich"),
    ("proofs_check.rational", "def f():\n    import sympy"),
    ("audit.targets.libraries.opendp", "import opendp.prelude as dp"),
    ("audit.suite.gate_run", "def f():\n    from tests.calibrated import ALPHA"),
)

ALLOWED = (
    ("mechanisms.noise.hourglass", "from .staircase import Staircase"),
    ("mechanisms.noise.gaussian", "def f():\n    import scipy.special"),
    ("audit.cli.audit", "def command():\n    from audit.engine.sequential import audit"),
    ("proofs_check.enclosure", "import flint"),
    ("audit.exact.stated_laws", "from proofs_check.enclosure import Balls"),
)


def test_the_checker_tells_wrong_imports_from_right_ones() -> None:
    """It must hold that each planted wrong import is found, once, and no right one."""
    for found, rows in ((1, PLANTED), (0, ALLOWED)):
        for module, source in rows:
            items = imports(ast.parse(source), module, is_package=module in PACKAGES)
            assert len(violations(items, module)) == found, (module, source)


def test_checker_sees_every_kind_of_import() -> None:
    """It must hold that plain, renamed, relative, nested and textual imports are all found."""
    source = (
        "import a, b.c as d\n"
        "from e import f as g, h\n"
        "from . import i\n"
        "from ..j import k\n"
        "async def l():\n    import m\n"
        "n = lambda: __import__('o')\n"
        "if TYPE_CHECKING:\n    import p\nelse:\n    import q\n"
    )
    found = {item.name: item.inside for item in imports(ast.parse(source), "x.y.z")}
    outside = {name for name, inside in found.items() if not inside}
    assert outside == {"a", "b.c", "e.f", "e.h", "x.y.i", "x.j.k", "q"}
    assert set(found) - outside == {"m", "o", "p"}
