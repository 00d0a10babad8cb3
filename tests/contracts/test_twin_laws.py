"""Laws that are written beside a sampler: each is listed with the test that ties the two.

Where a mechanism states a noisy query its sampler draws from that (`test_noisy_queries`). Elsewhere
the law and the sampler are written twice, and a test compares them: draws with masses, calibrated,
with a wrong law that it rejects.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from mechanisms.noisy_query import StatesNoisyQuery
from mechanisms.registry import MECHANISMS, build_mechanism
from tests.contracts.test_sampler_laws import ROWS

HERE = Path(__file__).parents[1] / "mechanisms"

TWINS = {
    "tri.name-and-shame": "trilemma/test_name_and_shame.py::test_sampler_has_the_exact_law",
    "tri.combined": "trilemma/test_combined.py::test_release_has_the_law_of_noise_and_coins",
    "pdp.unbounded-mean": "personalized/test_group_counts.py::test_sampler_has_the_stated_law",
    "pdp.weighted-mean-as-printed": (
        "as_printed/test_weighted_mean.py::test_equal_records_are_certain"
    ),
    "pdp.parallel-counts-as-printed": "as_printed/test_parallel.py::test_sampler_has_the_noise",
    "pdp.range-as-printed": "as_printed/test_center_law.py::test_sampler_has_the_exact_law",
    "pdp.unbounded-mean-as-printed": (
        "personalized/test_group_counts.py::test_sampler_has_the_stated_law"
    ),
}
"""Those that have no row in `test_sampler_laws`, and the test that compares draws with the law."""


def states_a_law_beside_its_sampler(mechanism: Any) -> bool:
    """Whether a law is stated that is no noisy query, so that the sampler is a second copy."""
    return hasattr(mechanism, "exact_law") and not isinstance(mechanism, StatesNoisyQuery)


def test_every_twin_is_listed() -> None:
    """It must hold that a law beside a sampler has its rows or its line, and no line is left."""
    stated = {n for n in MECHANISMS if states_a_law_beside_its_sampler(build_mechanism(n))}
    assert sorted(stated) == sorted([*TWINS, *{row.name for row in ROWS}])


@pytest.mark.parametrize("name", TWINS)
def test_a_twin_is_tied(name: str) -> None:
    """It must hold that its test is there, in a file that makes the mechanism or its parts."""
    file, _, function = TWINS[name].partition("::")
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert function in functions
    kind = type(build_mechanism(name))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    parts = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert kind.__name__ in imported | parts or name in PARTS


PARTS = {
    "pdp.unbounded-mean": "its law is that of its noisy counts, drawn and stated by one class",
    "pdp.unbounded-mean-as-printed": "the same with the printed scale",
}
"""Mechanisms that are tied through a part of theirs, with which."""
