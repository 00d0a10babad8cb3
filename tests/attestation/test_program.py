"""The program of a pack: the standard library alone, and the package's answers."""

from __future__ import annotations

import ast
import builtins
import json
import random
import symtable
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit.attestation.check import USAGE
from audit.attestation.program import verifier
from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate
from audit.exact.exact_audit import audit as prove
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from mechanisms.errors import CertificateError
from mechanisms.registry import MECHANISMS, build_mechanism
from tests.attestation.packs import CERTIFIED, bare, certificate, certificate_of, program


def test_it_imports_the_standard_library_only() -> None:
    """It must hold of every import, and that a Python without any path runs it."""
    names = set()
    for node in ast.walk(ast.parse(verifier())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.level == 0
            names.add(node.module.partition(".")[0])
    assert names <= sys.stdlib_module_names


def undefined(source: str) -> set[str]:
    """Names that a text reads and nothing in it binds."""
    table = symtable.symtable(source, "file", "exec")
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    bound |= set(dir(builtins)) | {"__name__", "__file__"}
    missing, waiting = set(), [table]
    while waiting:
        inner = waiting.pop()
        waiting += inner.get_children()
        missing |= {
            s.get_name() for s in inner.get_symbols() if s.is_global() and s.is_referenced()
        } - bound
    return missing


def test_every_name_is_defined() -> None:
    """It must hold that what was left out is not missed, and that a missing name would be seen."""
    assert undefined(verifier()) == set()
    assert undefined(verifier().replace("def _named(", "def named_(")) == {"_named"}


def lines_of_code(text: str) -> Counter[str]:
    """Lines that are neither empty nor a comment nor a docstring, by the module they are of."""
    shown = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node.value.value, str) and node.end_lineno is not None
        for number in range(node.lineno, node.end_lineno + 1)
    }
    found, module = Counter[str](), ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("# ---- "):
            module = line.removeprefix("# ---- ")
        if line.strip() and not line.strip().startswith("#") and number not in shown:
            found[module] += 1
    return found


def test_the_page_says_how_long_it_is() -> None:
    """It must hold that the page has the lines of code, of all and of totals, as they are."""
    assert lines_of_code('"""A."""\n# ---- m\n\nx = 1  # one\n"""X\n\nis 1."""\n') == {"m": 1}
    found = lines_of_code(verifier())
    assert found.total() <= 2_200, "more than a reader should be asked for"
    totals = sum(n for name, n in found.items() if name.startswith("audit.certificate.account"))
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "evidence.md").read_text("utf-8")
    assert f"with {found.total():,} lines of code" in page
    assert f", {totals} of them for totals of accounts" in page


@pytest.mark.long
def test_it_accepts_what_the_package_accepts(subtests: pytest.Subtests) -> None:
    """It must hold of each kept certificate, in the same words."""
    for name in CERTIFIED:
        with subtests.test(name=name):
            bare_one, ours = certificate(certificate_of(name))
            assert program().verify(bare_one) == verify(ours)


def changes(record: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    """Each place of a record with another value: a number a little larger, a word with a letter."""
    if isinstance(record, dict):
        return [c for key, value in record.items() for c in changes(value, (*path, key))]
    if isinstance(record, list):
        return [c for key, value in enumerate(record) for c in changes(value, (*path, key))]
    if isinstance(record, int):
        return [(path, record + 1)]
    try:
        return [(path, str(Fraction(str(record)) + Fraction(1, 10**15)))]
    except ValueError:
        return [(path, f"{record}x")]


def changed(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with one other value."""
    copy = json.loads(json.dumps(record))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def answer(module: Any, error: type[Exception], text: str) -> str:
    """What a check says of a certificate that was sealed anew."""
    try:
        return str(module.verify(module.Certificate.read(text).sealed()))
    except error as exc:
        return f"rejected: {exc}"


class Package:
    """The package's check, with the names of the program."""

    Certificate, verify = Certificate, staticmethod(verify)


@pytest.mark.long
def test_it_rejects_what_the_package_rejects(subtests: pytest.Subtests) -> None:
    """It must hold of a sample of single changes, sealed anew, with the same reason."""
    for name in CERTIFIED:
        with subtests.test(name=name):
            record = json.loads(certificate_of(name))
            every = [c for c in changes(record) if c[0][0] not in ("information", "digest")]
            chosen = random.Random(name).sample(every, min(4, len(every)))
            answers = set()
            for path, value in chosen:
                text = json.dumps(changed(record, path, value))
                said = answer(program(), program().CertificateError, text)
                assert said == answer(Package, CertificateError, text)
                answers.add(said.partition(":")[0])
            assert "rejected" in answers


@pytest.mark.long
def test_wrong_usage_is_two(tmp_path: Path) -> None:
    """It must hold without arguments, and of no folder; a folder without a pack is rejected."""
    file = tmp_path / "verify_evidence.py"
    file.write_text(verifier(), encoding="utf-8")
    nowhere = tmp_path / "nowhere"
    for words in ((), (nowhere,), (file,), (tmp_path, "--sources"), (tmp_path, "--sources", file)):
        done = bare(file, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(f"{USAGE}\n")
    assert f"{nowhere} is no folder" in bare(file, nowhere).stderr
    done = bare(file, "--help")
    assert (done.returncode, done.stdout) == (0, f"{USAGE}\n")
    done = bare(file, tmp_path)
    assert (done.returncode, done.stdout.partition(":")[0]) == (1, "REJECTED")


@pytest.mark.slow
def test_the_largest_certificates_agree() -> None:
    """It must hold where the bare arithmetic works most: 1,260 pairs of data sets, 7 s."""
    mechanism = build_mechanism("sub.threshold")
    floating = MECHANISMS["sub.threshold"].floating_point
    asked = Question(
        *("sub.threshold", mechanism, mechanism.claim, mechanism.order, floating),
        multisets=Multisets(5, 6, 0, 1),
    )
    proof = prove(asked).proof
    assert proof is not None
    bare_one, ours = certificate(proof.certificate.text())
    assert program().verify(bare_one) == verify(ours)
