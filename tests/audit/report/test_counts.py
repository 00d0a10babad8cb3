"""Numbers of things in sentences: 0, 1 and 2 of them, and infinite ones."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import audit
from audit.documents.phrases import beyond
from audit.exact.grid_multisets import Multisets
from audit.pairs.coverage import coverage
from audit.results.number_words import plural
from audit.targets.domain import Domain
from mechanisms.claims import Order, Relation

WRONG = re.compile(r"(^|[^\d.,])1 (records|pairs|cases|cells|draws|samples|users|audits|rows)\b")
FEWER_THAN_NONE = re.compile(r"(fewer|less) than 0 |more than 0 |\b(inf|nan|is are)\b")
SIDES = ((), (0.0,), (0.0, 1.0), (np.inf,), (np.nan, 0.0))


@pytest.mark.parametrize("relation", [Relation.SWAP, Relation.ADD_REMOVE, Relation.LISTED])
def test_what_was_tried_is_said_in_grammar(relation: Relation) -> None:
    """It must hold of data sets of 0, 1 and 2 records, with bounds or none, and any count."""
    said = set()
    for bounds, count, data, other in product(
        (None, (Fraction(0), Fraction(1))), (None, 0, 1, 2), SIDES, SIDES
    ):
        domain = Domain(relation, Order.FREE, bounds, count=count)
        pair = np.array(data, dtype=float), np.array(other, dtype=float)
        for pairs in ([pair], [pair, pair]):
            told = coverage(domain, pairs, made=False, ideal=True)
            said |= {*told.tried.values(), *told.not_tried.values()}
    assert not [words for words in said if WRONG.search(words) or FEWER_THAN_NONE.search(words)]
    if relation is not Relation.LISTED:
        assert {"more than 1 record", "more than 2 records", "data sets without records"} <= said


@pytest.mark.parametrize("size", [1, 2])
def test_an_exact_report_of_one_pair_is_said_in_grammar(size: int) -> None:
    """It must hold of proofs, of what is undecided, and of an infinite level."""
    reports = [
        str(audit.prove("noise.laplace", relation="listed", **claim))
        for claim in ({"mu": 3}, {"tv": 1}, {"epsilon": 1}, {"epsilon": 1, "alpha_order": 2})
    ]
    multisets = f"{size},2"
    reports.append(str(audit.prove("sub.threshold", epsilon=1, multisets=multisets)))
    reports.append(str(audit.prove("corpus.noisy-max-4")))
    assert "is infinite in double precision" in " ".join(reports[-1].split())
    for report in reports:
        words = " ".join(report.split())
        assert not WRONG.search(words), words
        assert not re.search(r"\b(inf|nan)\b", words), words
    assert str(Multisets(1, 2, Fraction(0), Fraction(1))).startswith(
        "multisets of at most 1 record "
    )


def test_an_infinite_limit_is_a_sentence() -> None:
    """It must hold of what is put behind the name of a limit."""
    assert f"epsilon {beyond(float('inf'), 1)}" == "epsilon is infinite"


def test_plurals() -> None:
    """It must hold of 0, 1 and 2."""
    assert [plural(n, "pair") for n in range(3)] == ["0 pairs", "1 pair", "2 pairs"]


@pytest.mark.long
def test_certificates_keep_their_words() -> None:
    """It must hold that only their sentences say "1 records": older ones would not be accepted."""
    home = Path(audit.__file__).parent
    found = {
        file.relative_to(home).as_posix()
        for file in home.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr) and "at most {" in ast.unparse(node)
        if "} records among" in ast.unparse(node)
    }
    assert found == {"certificate/certificate_check.py", "exact/certify.py"}
