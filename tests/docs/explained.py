"""Pages of explanation with tables of the code: exact audits, and the house."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

from audit.exact.exact_audit import STATEMENTS, Statement
from audit.levels import LEVELS
from tests.architecture.rules import LAYERS, Layer
from tests.docs.facts import cell

__all__ = ["ROUTE", "exact_page", "first_line", "house_page"]

EXACT = """# Exact audits

You will know what `--mode exact` proves and of what, how it says no, and where it stays silent.

## The object of a proof

An audit by samples knows a mechanism by its draws. `--mode exact` draws nothing: the mechanism
*states* its law, and the claim is decided for that law. So the answer has no error rate, and says
nothing of a program whose law is another one. Of registered mechanisms the sampler draws from the
very object that is stated, which is what a stated law is worth elsewhere, too.

```console
$ touchstone audit ksw.transformed-hourglass --mode exact
PROVED: ksw.transformed-hourglass
...
loss        at worst 1 exactly
...
by          KSW-T2, post-processing (64 cases)
...
```

A proof is about all neighbors of all data sets, where a lemma covers them; else about the data sets
that are gone through one by one (`--multisets`), and the report says which. The lemmas are ids of
the [ledger](../how-to/proofs.md#of-the-ledger).

## What can be stated

Statements are tried in this order, and the first that decides is the answer.

| statement | attribute | claims | neighbors | rechecked |
|---|---|---|---|---|
"""
EXACT_FOOT = """
*Rechecked*: of the mechanisms whose law it states again, from the paper, a second program goes
through the certificate before PROVED is said ([the trusted base](trusted-base.md)). It shares no
code with the prover. Any other proof says that there is none.

## How it says no

A refutation is an event and its probabilities on two data sets, as enclosures that exclude the
claim. It has no rate:

```console
$ touchstone audit ksw.transformed-staircase --epsilon 1/2 --mode exact
REFUTED: ksw.transformed-staircase
...
  P         0.636738012006 on the data, 0.234242824029 on the neighbor
...
```

The event is one of the law that is stated. Where the release is a function of noisy sums, it may
hide what the sums lose: a claim that is false of the sums can be true of the release, and PROVED of
the sums is PROVED of the release.

## What decides

Rational numbers, sums of exponentials whose sign is always decided, a solver's answer, and
enclosures whose ends are told apart. What stays open is INCONCLUSIVE and never rounded towards the
claim. Doubles decide nothing, on whichever side they lie:

```console
$ touchstone audit corpus.noisy-max-1 --mode exact
INCONCLUSIVE: corpus.noisy-max-1
The run could not tell: corpus.noisy-max-1 states no law; the least epsilon of these pairs is
0.0946 in double precision, not above the claim, which proves nothing.
...
```

What is not looked at is in every report: the program, and [floating point](floating-point.md).
"""
NEIGHBORS = {"add-remove": "one more or less", "swap": "one replaced", "listed": "listed pairs"}


def exact_page() -> str:
    """The page of exact audits, with the table of statements."""
    return EXACT + "".join(map(_statement, STATEMENTS)) + EXACT_FOOT


def _statement(row: Statement) -> str:
    claims = [kind.name for kind in LEVELS if kind.level in row.levels]
    relations = ", ".join(NEIGHBORS[relation.value] for relation in row.relations)
    rechecked = "yes" if row.recheck else "no"
    return f"| {row.name} | `{row.attribute}` | {', '.join(claims)} | {relations} | {rechecked} |\n"


HOUSE = """# The house

You will know where a thing stands, and what it may use. Three packages: `mechanisms` releases,
`proofs_check` proves, `audit` tells whether the first does what the second says. What checks
shares no code with what is checked: `proofs_check` sees of `mechanisms` the vocabulary alone,
and `audit.certificate` sees of us the vocabulary and enclosures alone. `tests/cross`
compares the two.

How something is added is told by the recipes of [CONTRIBUTING](../../CONTRIBUTING.md), which a
test walks. This page is made from the table that `tests/architecture/rules.py` holds every
import against.

## Layers

A layer may use what lies below it, in its own package; layers of one row do not use each other,
but for those with a `*`, which are one. From the lowest to the highest; *only* names what may be
used where it is less than all below.

| row | layer | what it is | only |
|---|---|---|---|
"""
ROUTE = (
    ("audit.cli.audit", "command", "words become a `Request` (so do those of the other doors)"),
    ("audit.request.privacy_plan", "plan_audit", "a `PrivacyPlan`: target, claim, pairs, domain"),
    (
        "audit.runs.privacy_run",
        "run_plan",
        "pairs are screened; afterwards what is beside a result",
    ),
    ("audit.engine.sequential", "audit", "the run begins, or goes on from what was kept"),
    ("audit.engine.loop", "rounds", "batches, looks, bets, in the order in which they happen"),
    ("audit.engine.conclude", "conclude", "evidence becomes a verdict, with a witness"),
    ("audit.results.sampled_result", "AuditResult", "the result: data, frozen"),
    ("audit.runs.result_kinds", "record_of", "its record, as JSON has it, which is read again"),
    ("audit.engine.privacy_document", "document", "what was read, as sections, rows and tables"),
    ("audit.report.rendering", "rendered", "the report in one of the forms"),
)
"""One audit from samples, from the command to the report."""
WAY = """
## The way of one audit

From `touchstone audit` to its report, by samples; other modes have a plan, a run, a result, a
record and a document of their own, in the folders of their subject.

| where | what happens |
|---|---|
"""


def house_page() -> str:
    """The page of the house: every layer, and the first line of what stands there."""
    rows = (
        f"| {number}{'' if len(layer.names) == 1 else ' *'} | `{name}` "
        f"| {cell(first_line(name))} | {_only(layer)} |\n"
        for number, row in enumerate(LAYERS, start=1)
        for layer in row
        for name in layer.names
    )
    route = (f"| `{module}.{name}` | {what} |\n" for module, name, what in ROUTE)
    return f"{HOUSE}{''.join(rows)}{WAY}{''.join(route)}"


def first_line(module: str) -> str:
    """The first line of what a module says of itself."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def _only(layer: Layer) -> str:
    if layer.only is None:
        return ""
    return ", ".join(f"`{name}`" for name in layer.only)
