"""The least value that pages, help and errors name is taken at every door; one less is not."""

from __future__ import annotations

import re
from typing import Any

import click
import pytest

from audit.cli import touchstone
from audit.draws.settings import Settings
from audit.levels.word import Kind, Word
from audit.request.word_table import WORDS, keys
from audit.request.word_values import checked, value_of_word
from mechanisms.errors import InvalidArgument
from tests.docs.pages import DOCS

COUNTS = {name: word for name, word in WORDS.items() if word.kind in (Kind.COUNT, Kind.DRAWS)}
PAGES = [(DOCS / "reference" / f"{page}.md").read_text() for page in ("words", "configuration")]


def least_of(text: str) -> int:
    """The least value that a text names."""
    (found,) = re.findall(r"an integer of at least (\d+)", text)
    return int(found)


def of_commands(word: Word) -> list[tuple[click.Parameter, str]]:
    """The word's options of all commands, and the help of each."""
    context = click.Context(touchstone)
    found = []
    for name in ("audit", "gate", "sensitivity"):
        command = touchstone.get_command(context, name)
        assert command is not None
        of = click.Context(command, info_name=name)
        options = [one for one in command.params if word.option in one.opts]
        found += [
            (one, " ".join(record[1].split()))
            for one in options
            if (record := one.get_help_record(of))
        ]
    return found


@pytest.mark.parametrize("name", COUNTS)
def test_the_least_value_that_is_named_is_the_least_that_is_taken(name: str) -> None:
    """It must hold of the pages, the help, a configuration, Python and the command line."""
    word = COUNTS[name]
    least = least_of(word.must_be)
    rows = [
        line for page in PAGES for line in page.splitlines() if line.startswith(f"| `{name}` |")
    ]
    assert len(rows) == 1 + (word in keys())
    assert [least_of(row) for row in rows] == [least] * len(rows)
    told = f"{name} must be {word.must_be}, got {name}={least - 1}"

    def in_python(value: int) -> Any:
        return checked("audit", {name: value}, (name,))[name]

    def in_configuration(value: int) -> Any:
        return value_of_word({name: value}, word)

    for door in (in_python, in_configuration):
        assert door(least) == least
        with pytest.raises(InvalidArgument, match=f"^{re.escape(told)}$"):
            door(least - 1)
    options = of_commands(word)
    assert options
    for option, words in options:
        assert option.type.convert(str(least), option, None) == least
        with pytest.raises(click.BadParameter, match=f"{least - 1} is not in the range x>={least}"):
            option.type.convert(str(least - 1), option, None)
        assert f"[x>={least}]" in words.replace("; x>=", "] [x>=")


def test_first_draws_of_settings_are_those_of_the_word() -> None:
    """It must hold that what runs an audit takes what the word takes, and no less."""
    least = COUNTS["first_draws"].least
    assert Settings(seed=1, first_draws=least).first_draws == least
    with pytest.raises(
        InvalidArgument, match=f"first_draws must be {COUNTS['first_draws'].must_be}"
    ):
        Settings(seed=1, first_draws=least - 1)
