"""Each listed slip turns a test red."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutations.mutation import Mutation
from tests.mutations.mutations import MUTATIONS
from tests.mutations.run import GREEN, RED, apply, copy_tree, occurrences, untouched

each_mutation = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: m.name)


@each_mutation
def test_old_text_is_there_once(mutation: Mutation) -> None:
    """It must hold that a mutation still fits its source, and changes it."""
    assert occurrences(mutation) == 1
    assert mutation.new != mutation.old


def test_there_are_enough_mutations() -> None:
    """It must hold that names are unique, and that at least 18 mutations are listed."""
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 18


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources in which every test of the mutations is green."""
    folder = copy_tree(tmp_path_factory.mktemp("copy"))
    status, output = untouched(folder, MUTATIONS)
    assert status == GREEN, output
    return folder


@pytest.mark.slow
@each_mutation
def test_mutation_is_killed(mutation: Mutation, copy: Path) -> None:
    """It must hold that the tests see the mutation."""
    status, output = apply(mutation, copy)
    assert status == RED, f"survived: {mutation.breaks}\n{output}"
