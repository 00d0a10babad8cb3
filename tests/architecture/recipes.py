"""Recipes of CONTRIBUTING.md, walked: each makes one item in a copy of the packages.

A walk touches the places of the product that its recipe names and no others, and what it makes is
as small as an item can be: mostly another item under a new name, `walked`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import final

from tests.architecture.recipe_texts import (
    ACCOUNT,
    API,
    CORPUS,
    EXPERT,
    FORM,
    LEVEL,
    LEVEL_IMPORTS,
    NOISE,
    PARTITION,
    TARGETS,
)
from tests.architecture.sources import PACKAGES, modules

__all__ = ["NOT_WALKED", "WALKS", "Walk", "copied"]

USE = '        if self.mode == "bound" and self.budget_samples == DETECTABLE:\n'


def copied(folder: Path) -> None:
    """The three packages in a folder of their own, and files for the commands."""
    for module in modules():
        if module.name in PACKAGES:
            shutil.copytree(module.path.parent, folder / module.name)  # and what is compiled
    (folder / "far.py").write_text(TARGETS)
    (folder / "pair.json").write_text('{"data": 0.0, "neighbor": 1.0}')
    (folder / "walked.toml").write_text(ACCOUNT)


def added(path: Path, before: str, line: str) -> None:
    """Put a line before the first place of a text."""
    source = path.read_text(encoding="utf-8")
    head, mark, tail = source.partition(before)
    assert mark, f"{path} has no {before!r}"
    path.write_text(f"{head}{line}{mark}{tail}", encoding="utf-8")


def renamed(source: Path, made: Path, names: dict[str, str]) -> None:
    """A new module that is another one under other names."""
    text = source.read_text(encoding="utf-8")
    for old, new in names.items():
        assert old in text, f"{source} has no {old!r}"
        text = text.replace(old, new)
    made.write_text(text, encoding="utf-8")


def form(root: Path) -> None:
    """Its module, and a row."""
    (root / "audit/report/shout.py").write_text(FORM)
    row = '    "shout": ReportForm("audit.report.shout", "shout"),\n'
    added(root / "audit/documents/report_forms.py", '    "sarif": ReportForm(', row)


def level(root: Path) -> None:
    """Its module, and a line; its null is another one's."""
    folder = root / "audit/levels"
    names = {
        "from fractions": "from dataclasses import dataclass\nfrom fractions",
        "Fraction\n": "Fraction\nfrom typing import final\n",
        "from mechanisms.claims import ApproxDP, TotalVariationDP\n": f"{LEVEL_IMPORTS}{LEVEL}",
    }
    names |= {"TotalVariationDP": "WalkedDP", "TOTAL_VARIATION": "WALKED", '"tv"': '"walked"'}
    names |= {"total-variation": "walked", "total_variation": "walked", "level.tv": "level.walked"}
    names |= {'"corpus.': '"" and "'}
    renamed(folder / "total_variation.py", folder / "walked.py", names)
    added(
        folder / "__init__.py", "from mechanisms.claims", "from audit.levels.walked import WALKED\n"
    )
    added(folder / "__init__.py", "    TRADE_OFF,\n", "    WALKED,\n")


def word(root: Path) -> None:
    """Its row, its field, and its use."""
    row = '        Word("walked", Kind.FLAG, "A walk.", of=Of.SAMPLES),\n'
    request = root / "audit/request/request.py"
    added(root / "audit/request/word_table.py", '        Word("order", Kind.TEXT,', row)
    added(request, "    repeat: tuple[str, ...] = ()\n", "    walked: bool = False\n")
    use = '        if self.walked and self.profile:\n            raise InvalidArgument("walked")\n'
    added(request, USE, use)


def mechanism(root: Path) -> None:
    """Its module, and an entry."""
    folder = root / "mechanisms/add_remove"
    renamed(folder / "swap_mean.py", folder / "walked.py", {"SwapMean": "Walked"})
    entry = '    "ksw.walked": _entry("add_remove.walked:Walked", "a test", "", noise="laplace"),\n'
    added(root / "mechanisms/registry.py", '    "ksw.swap-staircase": _entry(', entry)


def noise(root: Path) -> None:
    """Its module, and an entry."""
    (root / "mechanisms/noise/walked.py").write_text(NOISE)
    entry = '    "walked": NoiseEntry("mechanisms.noise.walked:Walked", "a test"),\n'
    added(root / "mechanisms/registry.py", '    "laplace": NoiseEntry(', entry)


def partition(root: Path) -> None:
    """Its module, and an entry."""
    folder = root / "audit/engine/partitions"
    (folder / "walked.py").write_text(PARTITION)
    line = "from audit.engine.partitions.walked import Walked\n"
    added(folder / "__init__.py", '\n__all__ = [\n    "FOR_RATIOS"', line)
    added(folder / "__init__.py", '    "remainders": ', '    "walked": Walked.fit_columns,\n')


def expert(root: Path) -> None:
    """Its module, its share, and a line where bets are made."""
    folder = root / "audit/engine/experts"
    (folder / "walked.py").write_text(EXPERT)
    package = folder / "__init__.py"
    line = "from audit.engine.experts.walked import WalkedBets\n"
    added(package, "from audit.levels.supporting_lines", line)
    names = {"LINE_SHARES = (0.387, ": "LINE_SHARES = (0.377, 0.01, "}
    names |= {"likely, unseen, ratios": "likely, walked, unseen, ratios"}
    names |= {"[likely * EFFECT_PRIOR, ": "[likely * EFFECT_PRIOR, [walked], "}
    names |= {
        "        UnseenBets.make(": "        WalkedBets(counts, grid),\n        UnseenBets.make("
    }
    renamed(package, package, names)


def adapter(root: Path) -> None:
    """An entry."""
    row = (
        '    "diffprivlib.walked": Row("diffprivlib:noise", LISTED, "mechanisms.Laplace", NOISE),\n'
    )
    added(root / "audit/targets/libraries/adapters.py", '    "diffprivlib.mean": Row', row)


def call(root: Path) -> None:
    """A row of its library's table."""
    row = """[[call]]
name = "mechanisms.Binary-walked"
make = "mechanisms.Binary(epsilon=2, value0='a', value1='b')"
unit = "a value that is replaced"
source = "its parameter epsilon"
pairs = [["a", "b"]]

"""
    table = root / "audit/targets/libraries/diffprivlib.toml"
    added(table, '[[call]]\nname = "mechanisms.Binary"\n', row)


def corpus(root: Path) -> None:
    """Its class, an entry, and its exact values."""
    folder = root / "mechanisms/corpus"
    (folder / "walked.py").write_text(CORPUS)
    entry = (
        '"corpus.walked": CorpusEntry("mechanisms.corpus.walked:Walked", "a test", _TENTH),\n    '
    )
    added(folder / "entries.py", '"corpus.geometric": CorpusEntry(', entry)
    added(
        folder / "exact_values.py", '    "corpus.geometric":', '    "corpus.walked": "0.1 0.1",\n'
    )


def claim(root: Path) -> None:
    """Its module, and a line in its paper."""
    paper = root / "proofs_check/papers/sub"
    names = {"SUB-A5p": "SUB-WALK", "inverse_sensitivity_is_private": "walked_is_private"}
    renamed(paper / "general/privacy.py", paper / "general/walked.py", names)
    added(paper / "__init__.py", '    "general.monotone",\n', '    "general.walked",\n')


def table(root: Path) -> None:
    """Its module, and an entry."""
    folder = root / "proofs_check/tables"
    renamed(folder / "staircase.py", folder / "walked.py", {'name="staircase"': 'name="walked"'})
    entry = '    "walked": TableEntry("walked", "a table of a test"),\n'
    added(folder / "registry.py", '    "l1-staircase": TableEntry(', entry)


def figure(root: Path) -> None:
    """Its module, and an entry."""
    folder = root / "audit/figures"
    names = {'"scaled"': '"walked"', '("100", "1000", "100000")': '("100",)'}
    names |= {'"0:10:lin:21,12,14,16,18,20"': '"0,5,20"'}
    renamed(folder / "layer.py", folder / "walked.py", names)
    entry = '    "walked": FigureEntry("walked", "a figure of a test"),\n'
    added(folder / "figure_registry.py", '    "error-over-mean": FigureEntry(', entry)


def name(root: Path) -> None:
    """A function beside `audit.draw`, and its name three times."""
    front = root / "audit/__init__.py"
    names = r'"([\w.]+)": \("draw", "load", "recount"\)'
    found = re.search(names, front.read_text(encoding="utf-8"))
    assert found is not None
    module = (root / found[1].replace(".", "/")).with_suffix(".py")
    module.write_text(module.read_text(encoding="utf-8") + API, encoding="utf-8")
    line = f"    from {found[1]} import walked as walked\n"
    added(front, "    from audit.levels.claim_constructors import approx as approx\n", line)
    added(front, '    "zcdp",\n]', '    "walked",\n')
    renamed(front, front, {'("draw", "load", "recount")': '("draw", "load", "recount", "walked")'})


def event(root: Path) -> None:
    """A class, and a row with what reads it."""
    events = root / "audit/accounting/account_events.py"
    text = events.read_text(encoding="utf-8")
    found = text[text.index("@final\n@dataclass(frozen=True, slots=True)\nclass Pure:") :]
    found = found[: found.index("\n\n\n") + 3].replace("class Pure:", "class Walked:")
    added(events, "@final\n@dataclass(frozen=True, slots=True)\nclass Pure:", found)
    plan = root / "audit/accounting/release_plan.py"
    added(plan, "    Stated,\n)", "    Walked,\n")
    read = (
        'EventKind(lambda words: Walked(check_fraction(words["epsilon"], "epsilon")), ("epsilon",))'
    )
    added(plan, '    "approx-dp": EventKind(', f'    "walked": {read},\n')


def backend(root: Path) -> None:
    """Its class, a line, and the choice of the word."""
    folder = root / "audit/engine/counts"
    begins = '        """Begin to run `work`."""\n'
    told = f'{begins}        print("walked: a block")\n'
    names = {"LokyWorkers": "WalkedWorkers", begins: told}
    renamed(folder / "loky.py", folder / "walked.py", names)
    backends = folder / "backends.py"
    renamed(backends, backends, {'BACKENDS = ("loky", ': 'BACKENDS = ("loky", "walked", '})
    lines = (
        'if backend == "walked":',
        "    from audit.engine.counts.walked import WalkedWorkers",
        "    return CountSource(WalkedWorkers(jobs), pays_from=0.0)",
    )
    added(backends, "    if jobs == 1:\n", "".join(f"    {line}\n" for line in lines))
    words = root / "audit/request/word_table.py"
    renamed(words, words, {'choices=("loky", "dask")': 'choices=("loky", "dask", "walked")'})


@final
@dataclass(frozen=True, slots=True)
class Walk:
    """How a recipe is walked, and what shows that its item is reached."""

    recipe: str
    """The heading of its section, after "Add "."""
    make: Callable[[Path], None]
    words: tuple[str, ...]
    """Of the command that needs the item; after "-c" a line of Python."""
    status: int
    said: str
    """What it prints; without the walk it does not."""

    @property
    def title(self) -> str:
        """The heading of its section."""
        return f"Add {self.recipe}"


SMALL = ("--budget-samples", "4000", "--seed", "1", "--pair", "pair.json", "--relation", "listed")
WALKS: dict[str, Walk] = {
    "form": Walk(
        "a form of report",
        form,
        ("audit", "ksw.swap-laplace", "--mode", "exact", "--format", "shout"),
        0,
        "PROVED! PROVED: ksw.swap-laplace",
    ),
    "level": Walk(
        "a claim level",
        level,
        ("audit", "far.py:far", "--walked", "1/10", *SMALL, "--ideal"),
        1,
        "--walked 1/10",
    ),
    "word": Walk(
        "a word (an option, a key, an argument)",
        word,
        ("audit", "far.py:far", "--epsilon", "1", "--walked", *SMALL, "--ideal"),
        1,
        " --walked",
    ),
    "mechanism": Walk(
        "a mechanism",
        mechanism,
        ("audit", "ksw.walked", "--mode", "exact"),
        0,
        "PROVED: ksw.walked",
    ),
    "noise": Walk(
        "a noise law",
        noise,
        ("audit", "noise.walked", "--mode", "exact"),
        0,
        "PROVED: noise.walked",
    ),
    "partition": Walk(
        "an auditor (a partition of the outputs)",
        partition,
        ("audit", "far.py:bits", "--epsilon", "1", *SMALL, "--ideal"),
        1,
        "walked bits",
    ),
    "expert": Walk(
        "an expert (a way to bet)",
        expert,
        ("audit", "far.py:far", "--epsilon", "1", *SMALL, "--ideal"),
        1,
        "walked: a bet",
    ),
    "adapter": Walk(
        "an adapter (a call of a released library)",
        adapter,
        ("audit", "diffprivlib.walked", "--epsilon", "1/100", *SMALL, "--ideal"),
        1,
        "REFUTED: diffprivlib.walked",
    ),
    "call": Walk(
        "a call to a survey, or a library",
        call,
        (
            *("survey", "diffprivlib", "--only", "Binary-walked", "--seed", "1"),
            *("--budget-samples", "4000"),
        ),
        3,
        "Binary-walked",
    ),
    "corpus": Walk(
        "a mechanism of the literature (a corpus entry)",
        corpus,
        ("audit", "corpus.walked", "--epsilon", "1/100", "--mode", "exact"),
        1,
        "REFUTED: corpus.walked",
    ),
    "claim": Walk(
        "a claim of the ledger", claim, ("prove", "SUB-WALK", "--jobs", "1"), 0, "SUB-WALK"
    ),
    "table": Walk(
        "a table of bounds", table, ("table", "walked", "--epsilon", "1"), 0, "gamma_absolute"
    ),
    "figure": Walk("a figure", figure, ("figure", "walked", "-o", "drawn.svg"), 0, "drawn.csv"),
    "name": Walk(
        "a name of the API", name, ("-c", "import audit; print(audit.walked())"), 0, "of a walk"
    ),
    "event": Walk(
        "an event of accounts, or a family of pairs that is screened",
        event,
        ("account", "walked.toml"),
        0,
        "walked",
    ),
    "backend": Walk(
        "a backend (a place where samples are drawn)",
        backend,
        ("audit", "far.py:far", "--epsilon", "40", "--backend", "walked", "--jobs", "2", *SMALL),
        3,
        "walked: a block",
    ),
}
"""By what is added."""

NOT_WALKED = {
    "State what its errors are (`--utility`)": "methods of the class that a mechanism is",
    "Make a mechanism provable (`--mode exact`)": "the walked mechanism is proved",
    "Add a kind of result": "a kind has a command, a plan and a run; contracts go over `KINDS`",
    "Add a page": "pages are followed to the letter in tests/docs, and lie outside of the packages",
}
"""Recipes that no walk follows, and why."""
