"""Direction of imports, module by module; the checker itself is tried on small sources."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from graphlib import TopologicalSorter

from tests.architecture.imports import below, imports, imports_of, layer_of, violations
from tests.architecture.rules import DOORS, LAYERS, SEVERAL
from tests.architecture.sources import PACKAGES, modules
from tests.table import over

MODULES = modules()


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


def test_no_import_cycle() -> None:
    """It must hold that the imports outside functions have no cycle."""
    names = {module.name for module in MODULES}
    graph = {
        module.name: {
            target
            for item in imports_of(module)
            if not item.inside
            for target in (item.name, item.name.rpartition(".")[0])
            if target in names and target not in PACKAGES and target != module.name
        }
        for module in MODULES
    }
    order = list(TopologicalSorter(graph).static_order())
    assert "mechanisms.errors" in order
    assert order.index("mechanisms.errors") < order.index("audit.engine.sequential")


def test_doors_lie_in_our_packages() -> None:
    """It must hold of every module that may import a library alone."""
    assert all(below(door, PACKAGES) for doors in DOORS.values() for door in doors)


def test_a_library_has_one_door() -> None:
    """It must hold, but where the table says why there are several; `load_library` counts too."""
    assert {name for name, doors in DOORS.items() if len(doors) > 1} == set(SEVERAL)
    loaded = re.compile(r"""load_library\(f?["']([a-z]+)""")
    asking = {(found, m.name) for m in MODULES for found in loaded.findall(m.text())}
    assert {name for name, _ in asking} == {"diffprivlib", "opendp", "pydp"}
    assert [one for one in asking if not below(one[1], DOORS[one[0]])] == []


def test_only_printed_forms_know_slips() -> None:
    """It must hold that no module of a sound form mentions slips, the errata of printed ones."""
    knowing = {m.name for m in MODULES if below(m.name, ("mechanisms",)) and "slips" in m.text()}
    assert {name for name in knowing if not below(name, ("mechanisms.as_printed",))} == set()
    assert "mechanisms.as_printed.slips" in knowing


PREPOSITIONS = frozenset(
    "about between by for from in into of over to under with without".split()  # noqa: SIM905
)
PARTICIPLES = re.compile(
    "(.*(ed|ing)|broken|chosen|drawn|found|given|gone|hidden|kept|known|made|proven|said|seen"
    "|shown|taken|told|unseen|written|held_out)"
)
NOUNS = frozenset(
    (  # noqa: SIM905
        "accounting betting coupling halving hashing listing meaning nesting numbering "
        "ranking reading reporting rounding sampling screening shuffling testing tracing training "
        "wording"
    ).split()
)
"""What ends as a participle does, and is a thing that is done."""


def is_noun(name: str) -> bool:
    """Whether the last part of a dotted name is no participle, and no preposition at an end."""
    part = name.rpartition(".")[2]
    first, last = part.partition("_")[0], part.rpartition("_")[2]
    if {first, last} & PREPOSITIONS:
        return False
    participle = PARTICIPLES.fullmatch(last) or PARTICIPLES.fullmatch(part)
    return last in NOUNS or not participle


def test_modules_are_named_by_nouns() -> None:
    """It must hold of all modules and folders; the folders of mechanisms are named by what is."""
    ours = [m for m in MODULES if not (m.is_package and below(m.name, ("mechanisms",)))]
    assert [module.name for module in ours if not is_noun(module.name)] == []
    assert {module.name.rpartition(".")[2].rpartition("_")[2] for module in ours} >= NOUNS


NO_NOUNS = (
    *(
        "audit.suite.checked",
        "mechanisms.shuffled",
        "mechanisms.clipping",
        "audit.engine.bound.kept",
    ),
    *(
        "audit.pairs.given",
        "audit.exact.cells.from_levels",
        "audit.engine.bound.held_out",
        "a.between",
    ),
    *("proofs_check.kernel.by_hand", "proofs_check.two_valued", "audit.engine.experts.unseen"),
)


@over("name", NO_NOUNS)
def test_a_participle_or_a_preposition_is_no_noun(name: str) -> None:
    """It must hold of each of these names."""
    assert not is_noun(name)


def names_twice(trees: Iterable[ast.Module]) -> list[str]:
    """Names of classes that several sources, or places of one, define."""
    nodes = (node for tree in trees for node in ast.walk(tree))
    found = Counter(node.name for node in nodes if isinstance(node, ast.ClassDef))
    return [name for name, times in found.items() if times > 1]


@over("package", PACKAGES)
def test_a_class_name_has_one_meaning(package: str) -> None:
    """It must hold that no two classes of a package have the same name, private ones neither."""
    assert names_twice(m.tree() for m in MODULES if below(m.name, (package,))) == []


def test_a_name_of_two_classes_is_found() -> None:
    """It must hold of classes of two modules, and in functions and classes."""
    sources = (
        "class A: ...\nclass _B: ...",
        "def f():\n    class A: ...",
        "class C:\n    class _B: ...",
    )
    assert names_twice(map(ast.parse, sources)) == ["A", "_B"]


PLANTED = {
    "vocabulary imports an implementation": (
        "mechanisms.claims",
        "from mechanisms.noise.laplace import Laplace",
    ),
    "vocabulary imports numpy": ("mechanisms.errors", "import numpy as np"),
    "vocabulary imports an implementation inside a function": (
        "mechanisms.implications",
        "def f():\n    from mechanisms.add_remove import shifted_mean",
    ),
    "registry imports an implementation": (
        "mechanisms.registry",
        "def f():\n    import mechanisms.noise.laplace",
    ),
    "noise imports a mechanism": (
        "mechanisms.noise.laplace",
        "from mechanisms.add_remove.grid import grid_sum",
    ),
    "mechanism imports the audit": ("mechanisms.add_remove.shifted_mean", "import audit.verdict"),
    "mechanism imports the audit's package": ("mechanisms.add_remove.shifted_mean", "import audit"),
    "relative import": ("mechanisms.noise.laplace", "from ..add_remove import grid"),
    "relative import of the package": ("mechanisms.claims", "from . import registry"),
    "proof imports an implementation": (
        "proofs_check.enclosure",
        "def f():\n    from mechanisms.noise import staircase",
    ),
    "proof imports laws": ("proofs_check.rational", "import mechanisms.laws"),
    "proof imports an audit for its types": (
        "proofs_check.enclosure",
        "if TYPE_CHECKING:\n    from audit.verdict import Verdict",
    ),
    "rational imports balls": ("proofs_check.rational", "import proofs_check.enclosure"),
    "engine imports an implementation": (
        "audit.engine.lines",
        "class A:\n    def f(self):\n        import mechanisms.noise.laplace",
    ),
    "engine imports the command line": ("audit.engine.betting", "from audit.cli import exits"),
    "engine imports an implementation by text": (
        "audit.engine.lines",
        "importlib.import_module('mechanisms.noise.laplace')",
    ),
    "engine imports proofs other than enclosures": (
        "audit.engine.lines",
        "from proofs_check import symbolic",
    ),
    "certificate imports the engine": ("audit.certificate", "import audit.engine.lines"),
    "suite imports the wording of reports": (
        "audit.suite.run",
        "def f():\n    from audit.report.words import number",
    ),
    "layers of one row": ("audit.engine.run", "import audit.utility.run"),
    "command imports the engine when loaded": (
        "audit.cli.audit",
        "from audit.engine.sequential import audit",
    ),
    "report imports a kind of result": (
        "audit.report.ledger.text",
        "def f():\n    from audit.exact import document",
    ),
    "report reads what is stored": ("audit.report.forms", "import audit.readers.run"),
    "report imports a mechanism when loaded": (
        "audit.report.text",
        "try:\n    import mechanisms.noise.laplace\nexcept ImportError:\n    pass",
    ),
    "module without a rule": ("audit.brand_new", "import mechanisms.claims"),
    "package's __init__ imports": ("audit", "from audit.verdict import Verdict"),
    "package's __init__ imports a library": ("mechanisms", "import numpy"),
    "scipy when loaded": ("mechanisms.noise.gaussian", "from scipy import special"),
    "statsmodels when loaded": ("audit.pairs.data", "import statsmodels.datasets.anes96"),
    "rich outside the command line": ("audit.suite.run", "def f():\n    import rich"),
    "sympy beside its door": ("proofs_check.rational", "def f():\n    import sympy"),
    "flint beside its door": ("audit.engine.lines", "def f():\n    from flint import arb"),
    "adapter's library when loaded": (
        "audit.targets.libraries.opendp",
        "import opendp.prelude as dp",
    ),
    "tests in the product": ("audit.suite.run", "def f():\n    from tests.calibrated import ALPHA"),
    "hypothesis in the product": ("audit.suite.run", "def f():\n    import hypothesis"),
}


@over(("module", "source"), PLANTED.values())
def test_checker_sees_a_wrong_import(module: str, source: str) -> None:
    """It must hold that each planted wrong import is found, once."""
    found = imports(ast.parse(source), module, is_package=module in PACKAGES)
    assert len(violations(found, module)) == 1


ALLOWED = {
    "own package": ("mechanisms.noise.hourglass", "from mechanisms.noise.staircase import g"),
    "relative, own package": ("mechanisms.noise.hourglass", "from .staircase import Staircase"),
    "scipy inside a function": ("mechanisms.noise.gaussian", "def f():\n    import scipy.special"),
    "anything inside a command": (
        "audit.cli.audit",
        "def command():\n    from audit.engine.sequential import audit",
    ),
    "types of a command": (
        "audit.cli.gate",
        "if TYPE_CHECKING:\n    from audit.engine.sequential import audit",
    ),
    "targets read adapters' names inside a function": (
        "audit.targets.load",
        "def f():\n    from audit.targets.libraries.registry import ADAPTERS",
    ),
    "flint in its door": ("proofs_check.enclosure", "import flint"),
    "enclosures in exact audits": ("audit.exact.laws", "from proofs_check.enclosure import Balls"),
}


@over(("module", "source"), ALLOWED.values())
def test_checker_accepts_a_right_import(module: str, source: str) -> None:
    """It must hold that imports the table allows raise no alarm."""
    assert violations(imports(ast.parse(source), module), module) == []


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
