"""The mark `privacy` on releases of tables."""

from __future__ import annotations

import pytest

from tests.plugin.projects import make, run

pytest_plugins = ["pytester"]

SCHEMA = """\
relation = "add-remove"
[columns.region]
type = "category"
values = ["N", "S"]
"""

BODY = """\
PEOPLE = {"relation": "add-remove", "columns": {"region": {"type": "bool"}}}


@pytest.mark.privacy(epsilon=1, schema="people.toml", QUICK)
def test_rows():
    return lambda data, size, rng: 2.0 * len(data) + rng.laplace(size=size)


@pytest.mark.privacy(epsilon=1, schema=PEOPLE, takes="records", QUICK)
def test_records():
    return lambda data, size, rng: 2.0 * len(data) + rng.laplace(size=size)


@pytest.mark.privacy(epsilon=1, schema={"column": {}}, ideal=True)
def test_wrong():
    return lambda data, size, rng: 2.0 * len(data) + rng.laplace(size=size)
"""


@pytest.mark.long
def test_a_mark_takes_a_schema(pytester: pytest.Pytester) -> None:
    """It must hold of a file's name and of a mapping; a wrong one is one sentence."""
    pytester.makefile(".toml", people=SCHEMA)
    make(pytester, BODY.replace("QUICK", 'expect="refuted", ideal=True, budget_samples=9000'))
    result = run(pytester)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*schema: unknown key 'column'; close: columns*"])
