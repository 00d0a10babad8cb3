"""Pages of reference that are made from the code: `python -m tests.docs.reference` writes them."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator

import audit
from audit.cli import COMMANDS
from audit.levels.word import Of, Word
from audit.request.word_table import WORDS
from tests.docs.explained import exact_page, house_page
from tests.docs.facts import configuration_page, exits_page, stability_page
from tests.docs.pages import DOCS

__all__ = ["MODULES", "PAGES", "paged", "python_page", "undocumented", "words_page"]

MODULES = (
    "audit.strategies",
    "audit.tracing",
    "audit.scripts",
    "mechanisms.claims",
    "mechanisms.registry",
    "proofs_check.claim",
    "proofs_check.registry",
    "proofs_check.prove",
)
"""Public besides `audit`."""

WORDS_HEAD = """# Words

What an audit can be told, under one name everywhere: `--min-size 2` on the command line,
`min_size = 2` in an entry of `touchstone.toml` or `tool.touchstone`, `min_size=2` in Python and in
a mark of pytest. Where a word has no meaning it is refused, not ignored. This page is made from
`audit.request.word_table`.

| word | value | in | what it says |
|---|---|---|---|
"""

PLACES = {
    Of.SAMPLES: "samples",
    Of.SEQUENTIAL: "sequential",
    Of.EXACT: "exact",
    Of.ERRORS: "errors",
    Of.STABILITY: "sensitivity",
    Of.RUN: "run",
    Of.OUTPUT: "output",
    Of.ENTRY: "entry",
    Of.COMMAND: "command",
}
WORDS_FOOT = """
*In*: audits by `samples`, those of them that are `sequential` (not `--mode bound`), from the stated
law (`exact`), of `errors` (`--utility`); searches for a `sensitivity`; a `run` of several audits as
a whole; the `output`; an `entry` of a configuration only; the `command` line only.
"""

PYTHON_HEAD = """Every public name
=================

Made from ``audit.__all__`` and the public modules beside it; :doc:`api` has a line for each name of
``audit``.

"""


def words_page() -> str:
    """The page of words."""
    return WORDS_HEAD + "".join(map(_row, WORDS.values())) + WORDS_FOOT


def _row(word: Word) -> str:
    told = word.of | word.within
    places = ", ".join(
        text
        for of, text in PLACES.items()
        if of in told and not (of is Of.SEQUENTIAL and Of.SAMPLES in told)
    )
    value = ", ".join(f"`{choice}`" for choice in word.choices) or word.must_be
    told = f"{word.help} Default: `{word.default}`." if word.shown else word.help
    told = told or "See the page of the task."
    return f"| `{word.name}` | {_cell(value)} | {places} | {_cell(told)} |\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "&#124;").replace("<", "&lt;")


def python_page() -> str:
    """The page of public names: each has one of its own, from its docstring."""
    return PYTHON_HEAD + "".join(_section(module, names) for module, names in paged().items())


def paged() -> dict[str, tuple[str, ...]]:
    """The public names that have a page of their own, by module."""
    return {"audit": tuple(audit.__all__)} | {
        module: tuple(n for n in importlib.import_module(module).__all__ if _has_page(module, n))
        for module in MODULES
    }


def _has_page(module: str, name: str) -> bool:
    """Whether a name is a class or a function; a constant stands with its module."""
    found = inspect.unwrap(getattr(importlib.import_module(module), name))
    return inspect.isclass(found) or inspect.isfunction(found)


def _section(module: str, names: tuple[str, ...]) -> str:
    lines = "".join(f"   {name}\n" for name in names)
    return (
        f"{module}\n{'-' * len(module)}\n\n.. currentmodule:: {module}\n\n"
        f".. autosummary::\n   :toctree: generated\n\n{lines}\n"
    )


def undocumented() -> Iterator[str]:
    """Public names without a docstring of their own."""
    for module in ("audit", *MODULES):
        loaded = importlib.import_module(module)
        for name in loaded.__all__:
            found = getattr(loaded, name)
            own = inspect.isclass(found) or inspect.isroutine(found)
            if own and not (found.__doc__ or "").strip():
                yield f"{module}.{name}"


COMMANDS_HEAD = """The command line
================

What ``--help`` says of each command, in one place. Exit statuses stand with each command.

"""


def commands_page() -> str:
    """The page of commands: what each says of itself."""
    rows = (
        f".. click:: {module}:command\n   :prog: touchstone {name}\n   :nested: none\n\n"
        for name, (module, _) in COMMANDS.items()
    )
    return COMMANDS_HEAD + "".join(rows).rstrip("\n") + "\n"


def _answers_page() -> str:
    # it makes answers of libraries that the site's own environment has not
    from tests.docs.answers import answers_page

    return answers_page()


PAGES: dict[str, Callable[[], str]] = {
    "explanation/exact-audits.md": exact_page,
    "explanation/house.md": house_page,
    "reference/answers.md": _answers_page,
    "reference/command-line.rst": commands_page,
    "reference/configuration.md": configuration_page,
    "reference/exit-statuses.md": exits_page,
    "reference/python.rst": python_page,
    "reference/stability.md": lambda: stability_page(("audit", *MODULES)),
    "reference/words.md": words_page,
}
"""By file of the site."""


if __name__ == "__main__":
    for file, make in PAGES.items():
        (DOCS / file).write_text(make(), encoding="utf-8")
