"""Pages made from tables say all that the tables hold, and their examples end as they say."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from audit.cli import main
from audit.request.configuration import RUN_KEYS
from audit.request.configured_audits import ACCOUNT_KEYS
from audit.request.word_table import keys
from audit.suite.exit_status import Exit, Interrupted
from tests.architecture.rules import LAYERS
from tests.audit.results import fake_engine
from tests.docs.explained import ROUTE, exact_page, first_line, house_page
from tests.docs.facts import EXAMPLES, configuration_page, exits_page, fields_of, stability_page


def test_a_configuration_has_no_other_keys() -> None:
    """It must hold that each key of a run, an audit and a plan has a row that says something."""
    page = configuration_page()
    for key in (*RUN_KEYS, *(word.name for word in keys())):
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{key}` |")][:1]
        assert row.split("|")[-2].strip(), key
    assert all(f"`{key}`" in page for key in ACCOUNT_KEYS)


def test_every_status_has_a_meaning_and_an_example() -> None:
    """It must hold, each in the text below its name."""
    assert set(EXAMPLES) == set(Exit)
    assert all(fields_of(Exit)[one.name] for one in Exit)
    assert all(f"| {int(one)} | {one.name} |" in exits_page() for one in Exit)
    assert "130, 4, 2, 1, 3, 0" in exits_page()


@pytest.mark.parametrize("status", [one for one in Exit if EXAMPLES[one].words])
def test_an_example_ends_as_it_says(status: Exit) -> None:
    """It must hold of each command of the page."""
    assert main(EXAMPLES[status].words.split()) == status


@pytest.mark.parametrize(
    ("fault", "status"),
    [(RuntimeError("a bug"), Exit.INTERNAL), (Interrupted("so far"), Exit.INTERRUPTED)],
)
def test_what_no_command_does_ends_so_too(
    fault: Exception, status: Exit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a fault of ours, and of an interrupt."""

    def answer(*_: object) -> Any:
        raise fault

    assert not EXAMPLES[status].words
    fake_engine(monkeypatch, answer)
    assert main(["audit", "ksw.shifted-laplace"]) == status


def test_promises_name_formats() -> None:
    """It must hold of each format of ours."""
    page = stability_page(("audit",))
    assert "touchstone baseline" in page


def test_every_layer_has_a_row() -> None:
    """It must hold that the page of the house has each name of the table once, and what it is."""
    page = house_page()
    heights = [(number, layer) for number, row in enumerate(LAYERS, 1) for layer in row]
    for number, layer in heights:
        star = " *" if len(layer.names) > 1 else ""
        for name in layer.names:
            assert page.count(f"\n| {number}{star} | `{name}` | {first_line(name)[:9]}") == 1


def test_the_way_of_an_audit_is_there() -> None:
    """It must hold that each stop is a name of its module."""
    for module, name, _ in ROUTE:
        assert hasattr(importlib.import_module(module), name), (module, name)


def test_statements_of_a_law_have_their_claims() -> None:
    """It must hold of the row of laws, which can be asked about any neighbors."""
    (row,) = [line for line in exact_page().splitlines() if line.startswith("| law |")]
    assert "`exact_law`" in row
    assert "gaussian" in row
    assert "listed pairs" in row
    assert "trade-off" not in row
