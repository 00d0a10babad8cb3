"""Imports stay light: the command starts fast and our modules pull in no large library."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.architecture.imports import below
from tests.architecture.sources import PACKAGES, modules

HEAVY = (
    "scipy",
    "sympy",
    "z3",
    "flint",
    "pandas",
    "statsmodels",
    "rich",
    "joblib",
    "matplotlib",
    "opendp",
    "diffprivlib",
    "sklearn",
)
NUMERIC = (*HEAVY, "numpy")
MOST_MODULES = 180
"""137 with Python 3.11, of which click loads most: 0.2 s on an idle machine."""
BEHIND_FLINT = (
    "proofs_check.arithmetic",
    "proofs_check.enclosure",
    "proofs_check.exponential",
    "proofs_check.cover",
    "proofs_check.identities",
    "proofs_check.language",
    "proofs_check.papers",
    "proofs_check.points",
    "proofs_check.printed_values",
    "proofs_check.symbolic",
    "proofs_check.tables",
    "audit.accounting.enclosed_total",
    "audit.accounting.certification",
    "proofs_check.composition",
    "audit.attestation.check",
    "audit.attestation.pack",
    "audit.attestation.predicate",
    "audit.attestation.packed_proofs",
    "audit.certificate",
    "audit.exact",
    "audit.exact.recheck",
)
"""What computes in balls or formulas; no other module imports these but inside functions."""

VERSION = "from audit.cli import main; assert main(['--version']) == 0"

LIGHT = {
    "touchstone --version": (VERSION, NUMERIC),
    "touchstone --help": ("from audit.cli import main; assert main(['--help']) == 0", NUMERIC),
    "touchstone list mechanisms": (
        "from audit.cli import main; assert main(['list', 'mechanisms']) == 0",
        HEAVY,
    ),
    "touchstone list tables": (
        "from audit.cli import main; assert main(['list', 'tables']) == 0",
        NUMERIC,
    ),
    "vocabulary, verdicts and names": (
        "import mechanisms.implications, audit.results.verdict, mechanisms.corpus.registry",
        NUMERIC,
    ),
    "names of mechanisms and adapters": (
        "import mechanisms.registry, audit.targets.libraries.adapters",
        NUMERIC,
    ),
    "pytest plugin": ("import _touchstone_pytest", (*NUMERIC, *PACKAGES)),
    "accounts": (
        "import audit.accounting.enclosed_total, audit.accounting.peers.comparison",
        ("scipy", "dp_accounting", "autodp", "prv_accountant", "opendp"),
    ),
    "every module but those behind the door to flint": (
        "import " + ", ".join(m.name for m in modules() if not below(m.name, BEHIND_FLINT)),
        HEAVY,
    ),
}


IMPLEMENTATIONS = ("add_remove", "trilemma", "subset", "personalized", "as_printed")


def modules_after(statement: str) -> set[str]:
    """Names of the modules that are loaded after a statement in a fresh interpreter."""
    code = f"import sys\n{statement}\nimport json\nprint()\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def loaded_by(statement: str) -> set[str]:
    """Top-level names that are loaded after a statement in a fresh interpreter."""
    return {name.partition(".")[0] for name in modules_after(statement)}


@pytest.mark.parametrize(("statement", "forbidden"), LIGHT.values(), ids=LIGHT.keys())
def test_import_is_light(statement: str, forbidden: tuple[str, ...]) -> None:
    """It must hold that a fresh interpreter loads none of the large libraries."""
    assert loaded_by(statement) & set(forbidden) == set()


def test_loaded_modules_are_seen() -> None:
    """It must hold that the check above sees a library that is loaded."""
    assert {"numpy", "mechanisms"} <= loaded_by("import mechanisms.noise.laplace")
    assert "flint" in loaded_by("import proofs_check.enclosure")


def implementations(statement: str) -> set[str]:
    """Families of mechanisms of which a statement loads a module."""
    loaded = modules_after(statement)
    return {name for name in IMPLEMENTATIONS if any(f"mechanisms.{name}." in m for m in loaded)}


@pytest.mark.long
def test_what_asks_for_one_mechanism_imports_no_other() -> None:
    """It must hold that help and names import no mechanism, an audit its own, and a list all."""
    for statement, families in (
        ("from audit.cli import main; main(['--help'])", set()),
        ("from mechanisms.registry import MECHANISMS", set()),
        (
            "from audit.targets.load import load_target; load_target('tri.clipped-mean')",
            {"trilemma"},
        ),
        (
            "from audit.cli import main; main(['audit', 'ksw.swap-laplace', '--mode', 'exact'])",
            {"add_remove"},
        ),
        ("from audit.cli import main; main(['list', 'mechanisms'])", set(IMPLEMENTATIONS)),
    ):
        assert implementations(statement) == families, statement


def test_version_loads_little() -> None:
    """It must hold that `touchstone --version` loads few modules, of the standard library too."""
    code = f"import sys\nbare = set(sys.modules)\n{VERSION}\nprint(len(set(sys.modules) - bare))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    version, count = done.stdout.splitlines()
    assert version.startswith("touchstone ")
    assert int(count) < MOST_MODULES
