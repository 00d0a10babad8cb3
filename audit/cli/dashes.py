"""Words behind `--` on the command line are a program and its arguments."""

from __future__ import annotations

import shlex
from typing import Any

import click

__all__ = ["Dashes", "words_behind"]

KEY = "audit.cli.dashes"


class Dashes(click.Command):
    """A command whose last argument, TARGET, may be `-- PROGRAM ARGUMENT...` instead."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words behind the first `--`; their text is the argument."""
        if "--" in args:
            place = args.index("--")
            args, words = args[:place], args[place + 1 :]
            if not words and not ctx.resilient_parsing:
                msg = "after -- comes a command: a program and its arguments"
                raise click.UsageError(msg, ctx)
            ctx.meta[KEY] = tuple(words)
            args = [*args, "--", shlex.join(words)] if words else args
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Name both forms of the last argument."""
        pieces = super().collect_usage_pieces(ctx)
        return [*pieces[:-1], f"{pieces[-1]} | -- COMMAND..."]


def words_behind() -> tuple[str, ...]:
    """The words behind `--` of the command that runs; none where there is no `--`."""
    words: Any = click.get_current_context().meta.get(KEY, ())
    return tuple(words)
