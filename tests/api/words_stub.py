"""Words of the API for type checkers, made from the table: `python -m tests.api.words_stub`."""

from __future__ import annotations

from pathlib import Path

from audit.levels.word import Kind, Word
from audit.request import call
from audit.request.word_table import CHOICES, WORDS

__all__ = ["FUNCTIONS", "IN_SIGNATURE", "STUB", "stub"]

STUB = Path(call.__file__).with_name("keywords.py")

FUNCTIONS = {
    "load": call.LOAD,
    "prove": call.PROVE,
    "audit": call.AUDIT,
    "accuracy": call.ACCURACY,
    "sensitivity": call.SENSITIVITY,
    "gate": call.GATE,
}
IN_SIGNATURE = {"accuracy": ("unbiased", "bias", "mse", "mae", "law", "n", "truth")}
"""Words that stand in the signature of a function itself."""

HEAD = '''"""Words of the API for type checkers: what `**words` may be, function by function.

Made from `audit.request.word_table` by `python -m tests.api.words_stub`; a test compares. None is
what a word is when it is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

from mechanisms.claims import Order, Relation
from mechanisms.validation import Number

__all__ = [
'''

ALIASES = '''
Real: TypeAlias = float | Fraction | Decimal
"""A number that is read as a float."""

Data: TypeAlias = Any
"""Data of a mechanism: an array, a data frame, or whatever it takes."""
'''

CLASS = '''class {name}(TypedDict, total=False):
    """Words of `audit.{function}`."""

'''

TYPES = {
    Kind.EXACT: "Number",
    Kind.EXACTS: "Sequence[Number] | str",
    Kind.KNOTS: "Sequence[tuple[Number, Number]] | str",
    Kind.FLAG: "bool",
    Kind.COUNT: "int",
    Kind.NUMBER: "Real",
    Kind.DRAWS: 'int | Literal["detectable"]',
    Kind.TEXT: "str",
    Kind.TABLE: "Mapping[str, Any]",
}
IN_MEMORY = {"data": "Data", "pair": "Data", "schema": "Data", "resume": "str | Path"}
"""Words that take more than their kind: objects of Python."""

ENUMERATED = {"relation": "Relation", "order": "Order"}
"""Words of a few that are members of an enumeration, too."""

WIDTH = 100
"""Of a line, as the formatter has it."""


def stub() -> str:
    """The module."""
    known = {
        function: [name for name in names if name not in IN_SIGNATURE.get(function, ())]
        for function, names in FUNCTIONS.items()
    }
    few = [name for name in CHOICES if any(name in names for names in known.values())]
    classes = [f"{function.capitalize()}Words" for function in known]
    parts = [
        HEAD + "".join(f'    "{name}",\n' for name in sorted(classes)) + "]\n",
        *(_literal(name) for name in few),
        ALIASES.strip("\n"),
    ]
    text = "\n".join(parts)
    for (function, names), own in zip(known.items(), classes, strict=True):
        rows = "".join(f"    {name}: {_type(WORDS[name])}\n" for name in names)
        text += f"\n\n\n{CLASS.format(name=own, function=function)}{rows.rstrip()}"
    return f"{text}\n"


def _literal(name: str) -> str:
    """A type of a few words."""
    words = ", ".join(f'"{word}"' for word in CHOICES[name])
    line = f"{_alias(name)}: TypeAlias = Literal[{words}]"
    if len(line) > WIDTH:
        line = f"{_alias(name)}: TypeAlias = Literal[\n    {words}\n]"
    return f"{line}\n"


def _alias(name: str) -> str:
    return f"{name.capitalize()}Word"


def _type(word: Word) -> str:
    kind = IN_MEMORY.get(word.name) or TYPES[word.kind]
    if word.name in CHOICES:
        kind = " | ".join(filter(None, (ENUMERATED.get(word.name), _alias(word.name))))
    return kind if kind == "Data" else f"{kind} | None"


if __name__ == "__main__":
    STUB.write_text(stub())
