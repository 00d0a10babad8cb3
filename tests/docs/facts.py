"""Pages of reference made from tables of the code: the configuration, exit statuses, promises."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import final

from audit.certificate.certificate_form import SCHEMA_VERSION as OF_CERTIFICATES
from audit.files.plain import SCHEMA_VERSION as OF_REPORTS
from audit.request.configuration import RUN_KEYS, Config
from audit.request.configured_audits import ACCOUNT_KEYS
from audit.request.word_table import keys
from audit.suite.baseline.file import FORMAT as OF_BASELINES
from audit.suite.exit_status import Exit
from audit.suite.wealth_of_nights import FORMAT as OF_NIGHTS

__all__ = [
    "EXAMPLES",
    "Example",
    "cell",
    "configuration_page",
    "exits_page",
    "fields_of",
    "stability_page",
]


def fields_of(kind: type) -> dict[str, str]:
    """What stands below each name that a class binds, by name; nothing where nothing does."""
    (node,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(node, ast.ClassDef)
    found = {}
    for part, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(part, ast.AnnAssign | ast.Assign):
            target = part.target if isinstance(part, ast.AnnAssign) else part.targets[0]
            text = following.value if isinstance(following, ast.Expr) else None
            told = text.value if isinstance(text, ast.Constant) else ""
            found[ast.unparse(target)] = " ".join(str(told).split())
    return found


def cell(text: str) -> str:
    """A text in a table of Markdown."""
    return " ".join(text.split()).replace("|", "&#124;").replace("<", "&lt;")


CONFIGURATION = """# Configuration

Every key of `touchstone.toml`, or of `[tool.touchstone]` in `pyproject.toml`; the first that a
folder has is read. Paths are seen from the folder of the file, and an unknown key is an error.
How a gate is set up is told under [a gate in CI](../how-to/ci.md). This page is made from
`audit.request.configuration` and `audit.request.word_table`.

```toml
# touchstone.toml
false_alarm = 1e-3
proofs = "KSW-T2"

[[audit]]
target = "ksw.swap-laplace"
mode = "exact"

[[audit]]
target = "corpus.laplace"
epsilon = "1/20"
mode = "exact"
expect = "refuted"
```

```console
$ touchstone gate --seed 1
...
3 of 3 as expected...
...
```

## Of the run

| key | what it says |
|---|---|
"""
OF_ENTRIES = """
## Of an audit

`[[audit]]`, one for each. A word means what it means on the command line ([words](words.md)). A
list of targets is an audit of each, and so is a list of values in `param`.

| key | value | what it says |
|---|---|---|
"""
OF_ACCOUNTS = """
## Of a plan of releases

An `[[audit]]` with `account`, the file of a [plan](../how-to/accounting.md), or `from`, an
object that states its parts, adds up what its releases lose together. It has these keys and no
others: {}.
"""
ENTRY = {
    "target": "What is audited; required, or `command`. `place:*` is all that is declared there.",
    "command": "A command that is audited in place of a target.",
    "expect": "`consistent`, or `refuted`: a control that passes only if it is REFUTED.",
    "slow": "Whether it waits for `touchstone gate --slow`.",
    "column": "Of `data`: its column.",
    "audit": "The audits, each a table `[[audit]]`; at least one, or `proofs`, or `tables`.",
}
"""Of keys that have no help on the command line."""


def configuration_page() -> str:
    """The page of keys: of a run, of its audits, of its plans of releases."""
    told = fields_of(Config)
    run = (f"| `{key}` | {cell(ENTRY.get(key) or told[key])} |\n" for key in RUN_KEYS)
    audits = "".join(
        f"| `{word.name}` | {cell(word.must_be)} | {cell(ENTRY.get(word.name) or word.help)} |\n"
        for word in keys()
    )
    accounts = ", ".join(f"`{key}`" for key in ACCOUNT_KEYS)
    return CONFIGURATION + "".join(run) + OF_ENTRIES + audits + OF_ACCOUNTS.format(accounts)


@final
@dataclass(frozen=True, slots=True)
class Example:
    """A command, or what else ends so."""

    words: str
    """After `touchstone`; empty where no command ends so by itself."""
    otherwise: str = ""


EXAMPLES = {
    Exit.OK: Example("audit ksw.swap-laplace --mode exact"),
    Exit.REFUTED: Example("audit corpus.laplace --epsilon 1/20 --mode exact"),
    Exit.USAGE: Example("audit no.such-mechanism"),
    Exit.INCONCLUSIVE: Example("audit corpus.laplace --budget-samples 100 --ideal --seed 1"),
    Exit.INTERNAL: Example("", "a fault of this program; please report it"),
    Exit.INTERRUPTED: Example("", "Ctrl-C"),
}
"""One for each status; tests run the commands, and bring the others about."""

EXITS = """# Exit statuses

What scripts rely on: every command of `touchstone` ends with one of these. Of several results
the status is that of the worst: the order is {}. In Python they are the `exit_status` of a
gate's result; `Result.expect` takes their names. This page is made from `audit.suite.exit_status`.

| status | name | means | for example |
|---|---|---|---|
"""
EXITS_FOOT = """
What a command adds stands in its `--help` ([the command line](command-line.rst)). With
`--inconclusive ok` INCONCLUSIVE is a pass, but never of a positive control.
"""


def exits_page() -> str:
    """The page of exit statuses."""
    from audit.suite.exit_status import worst

    told = fields_of(Exit)
    order, left = [], set(Exit)
    while left:
        order.append(worst(left))
        left.remove(order[-1])
    rows = (
        f"| {int(one)} | {one.name} | {cell(told[one.name])} | {_example(EXAMPLES[one])} |\n"
        for one in Exit
    )
    return EXITS.format(", ".join(str(int(one)) for one in order)) + "".join(rows) + EXITS_FOOT


def _example(example: Example) -> str:
    return f"`touchstone {example.words}`" if example.words else example.otherwise


STABILITY = """# What stays

Ids of claims of the ledger, names of the registry and of the corpus, [exit
statuses](exit-statuses.md), [words](words.md), keys of [reports in JSON](json.md) and of the
[configuration](configuration.md) never change their meaning: a new meaning has a new name.

## Names in Python

Public are the names in `__all__` of these modules ([each has an entry](python.rst)); all else
may move without notice.

| module | names |
|---|---|
"""
FORMATS = """
## Formats of files

| file | says of itself |
|---|---|
| reports in JSON | `schema_version` {reports} |
| baselines | `{baselines}` |
| wealth of nights | `{nights}` |
| certificates | `schema_version` {certificates} |

A file of another format is refused in one line (exit status 2), and left as it is.

Verdicts are words, too, and what each is worth is [a sentence that stays](../how-to/verdicts.md).
"""


def stability_page(modules: tuple[str, ...]) -> str:
    """The page of promises; `modules`: those that are public."""
    rows = (f"| `{name}` | {len(import_module(name).__all__)} |\n" for name in modules)
    formats = FORMATS.format(
        reports=OF_REPORTS,
        baselines=OF_BASELINES,
        nights=OF_NIGHTS,
        certificates=OF_CERTIFICATES,
    )
    return STABILITY + "".join(rows) + formats
