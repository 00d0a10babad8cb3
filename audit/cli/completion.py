"""Completion by the shell: what may stand where the cursor is, loading no library for it.

The metavar of a parameter says what it takes: FILE a path, [A|B] one of these words, TARGET what
can be audited; the other arguments stand in `NAMES`. Completing is never an error.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable
from typing import Any, final

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete
from click.types import StringParamType

from audit.documents.report_forms import FORMS
from mechanisms.errors import InvalidArgument

__all__ = ["VARIABLE", "complete", "give_completions"]

VARIABLE = "_TOUCHSTONE_COMPLETE"
"""Set by the shell's script, to what it asks: `bash_source`, `zsh_complete`, ..."""

SHELLS = ("bash", "zsh", "fish")


def complete(program: click.Command, instruction: str) -> int:
    """Answer the shell's script, or print that script; the exit status is 0.

    Raises InvalidArgument if there is no script for the shell.
    """
    shell, _, asked = instruction.partition("_")
    if asked == "complete" and get_completion_class(shell) is not None:
        with contextlib.suppress(Exception):  # a word that cannot be read has no completion
            shell_complete(program, {}, "touchstone", VARIABLE, instruction)
        return 0
    if asked != "source" or get_completion_class(shell) is None:
        known = ", ".join(f"{name}_source" for name in SHELLS)
        msg = f"{VARIABLE} must be one of {known}, got {instruction!r}"
        raise InvalidArgument(msg)
    return shell_complete(program, {}, "touchstone", VARIABLE, instruction)


def _targets() -> Iterable[str]:
    from audit.targets.libraries.adapters import ADAPTERS
    from mechanisms.corpus.registry import CORPUS
    from mechanisms.registry import MECHANISMS

    return [*MECHANISMS, *ADAPTERS, *CORPUS]


def _tables() -> Iterable[str]:
    from audit.cli.table import ALL
    from proofs_check.tables.registry import TABLES

    return [*TABLES, ALL]


def _figures() -> Iterable[str]:
    from audit.figures.figure_registry import FIGURES

    return FIGURES


def _kinds() -> Iterable[str]:
    from audit.cli.listing import KINDS

    return KINDS


def _claims() -> Iterable[str]:
    from proofs_check.registry import PAPERS, identifiers

    return [*PAPERS, *identifiers()]


def _none() -> Iterable[str]:
    return ()


NAMES: dict[tuple[str, str], Callable[[], Iterable[str]]] = {
    ("table", "name"): _tables,
    ("figure", "name"): _figures,
    ("list", "kind"): _kinds,
    ("prove", "ids"): _claims,
}
"""Names by command and argument."""

FILES = {("audit", "target"), ("figure", "target"), ("init", "module")}
"""Parameters that are a file among other things."""


@final
class _Completed(StringParamType):
    """A word as it was typed, with completions."""

    def __init__(self, names: Callable[[], Iterable[str]], *, files: bool) -> None:
        self.names = names
        self.files = files

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's signature
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem[Any]]:
        """Files first: the script of bash forgets the words that come before them."""
        files = [CompletionItem(incomplete, type="file")] if self.files else []
        return [
            *files,
            *(CompletionItem(name) for name in self.names() if name.startswith(incomplete)),
        ]


def give_completions(command: click.Command) -> None:
    """Give completions to each parameter that is plain text and has some."""
    for parameter in command.params:
        if parameter.type is not click.STRING:
            continue
        names, files = _completions(command.name or "", parameter)
        if files or names is not _none:
            parameter.type = _Completed(names, files=files)


def _completions(
    command: str, parameter: click.Parameter
) -> tuple[Callable[[], Iterable[str]], bool]:
    key, metavar = (command, parameter.name or ""), parameter.metavar or ""
    if parameter.name == "target":
        return _targets, True
    if parameter.name == "reports":
        return lambda: [f"{form}=" for form in FORMS], False
    if parameter.name == "pair":
        return lambda: ["counterexample"], True
    if words := re.fullmatch(r"\[?([a-z-]+(?:\|[a-z-]+)+)(?:\|[A-Z]+)?\]?", metavar):
        return lambda: words[1].split("|"), False
    return NAMES.get(key, _none), metavar.startswith("FILE") or key in FILES
