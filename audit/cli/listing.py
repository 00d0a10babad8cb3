"""`touchstone list KIND`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mechanisms.errors import InvalidArgument

__all__ = ["command"]


def _mechanisms() -> Iterator[tuple[str, ...]]:
    from mechanisms.registry import MECHANISMS

    for name, entry in MECHANISMS.items():
        yield name, entry.relation.value, entry.order.value, entry.claim, entry.form, entry.source


def _noises() -> Iterator[tuple[str, ...]]:
    from mechanisms.registry import NOISES

    for name, entry in NOISES.items():
        yield name, entry.source


def _claims() -> Iterator[tuple[str, ...]]:
    from proofs_check.prove import evidence
    from proofs_check.registry import claims

    for name, claim in claims().items():
        found = evidence(name, {})
        yield name, claim.status.value, found.level.value if found else "", claim.source


def _tables() -> Iterator[tuple[str, ...]]:
    from proofs_check.tables.registry import TABLES

    for name, entry in TABLES.items():
        yield name, entry.title


def _figures() -> Iterator[tuple[str, ...]]:
    from audit.figures.figure_registry import FIGURES

    for name, entry in FIGURES.items():
        yield name, entry.title


def _auditors() -> Iterator[tuple[str, ...]]:
    from audit.engine.partitions import LATTICES, PARTITIONS, THOROUGH

    for name in PARTITIONS:
        when = "left out with --ideal" if name in LATTICES else "always"
        when = "with --mode bound" if name in THOROUGH else when
        yield name.replace(" ", "-"), "partition of the output space", when
    yield "tracing", "fingerprinting statistic of a mean", "from Python: audit.tracing.trace"


def _adapters() -> Iterator[tuple[str, ...]]:
    from audit.targets.libraries.adapters import ADAPTERS

    for name, entry in ADAPTERS.items():
        yield name, entry.relation.value, entry.source, f"pip install touchstone-dp[{entry.extra}]"


def _corpus() -> Iterator[tuple[str, ...]]:
    from mechanisms.corpus.exact_values import EXACT_ON_PAIRS
    from mechanisms.corpus.registry import CORPUS

    for name, entry in CORPUS.items():
        exact = f"exact on its pairs: {EXACT_ON_PAIRS[name]}"
        yield name, entry.form, str(entry.claim), exact, entry.source


KINDS = {
    "mechanisms": _mechanisms,
    "noises": _noises,
    "claims": _claims,
    "tables": _tables,
    "figures": _figures,
    "auditors": _auditors,
    "adapters": _adapters,
    "corpus": _corpus,
}


@click.command("list")
@click.argument("kind")
def command(kind: str) -> None:
    """List what there is of a KIND, one item a line, its name first.

    KIND: mechanisms, noises, claims, tables, figures, auditors, adapters or corpus.
    """
    if kind not in KINDS:
        msg = f"nothing of the kind {kind!r} to list; kinds: {', '.join(KINDS)}"
        raise InvalidArgument(msg)
    rows = list(KINDS[kind]())
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
