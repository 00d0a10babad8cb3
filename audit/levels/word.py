"""A word of an audit: an option of the command, a key of the configuration, an argument in Python.

It is declared once, by a row of `audit.request.word_table` or of a kind of claim, and every door is
made from the row: what it is called, what it may be, where it has a meaning, and what its help
says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any, final

from audit.levels.count import count_of


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, list) and all(map(_is_text, value)))


def _is_exact(value: Any) -> bool:
    return _is_number(value) or _is_text(value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_exact, value))


def _is_count(value: Any) -> bool:
    count = count_of(value)
    return count is not None and count >= 0


class Kind(Enum):
    """What a value of a word may be: in a configuration, and in the words of an error."""

    EXACT = (_is_exact, "a number, or text such as '1/10'")
    EXACTS = (
        lambda value: (
            _is_text(value)
            or (isinstance(value, list) and value != [] and all(map(_is_exact, value)))
        ),
        "a list of numbers, or text such as '1/10, 1, 1'",
    )
    KNOTS = (
        lambda value: (
            _is_text(value)
            or (isinstance(value, list) and value != [] and all(map(_is_pair, value)))
        ),
        "text such as '0:1,1/2:1/10,1:0', or a list of pairs [level, error]",
    )
    FLAG = (lambda value: isinstance(value, bool), "true or false")
    COUNT = (_is_count, "an integer of at least {least}")
    NUMBER = (_is_number, "a number")
    DRAWS = (
        lambda value: _is_count(value) or value == "detectable",
        "an integer of at least {least}, or 'detectable'",
    )
    TEXT = (_is_text, "text")
    TEXTS = (_is_texts, "a list of texts")
    COMMAND = (
        lambda value: isinstance(value, list) and value != [] and all(map(_is_text, value)),
        "a list of texts: a program and its arguments",
    )
    TABLE = (lambda value: isinstance(value, dict), "a table")

    def __init__(self, fits: Callable[[Any], bool], phrase: str) -> None:
        self._fits = fits
        self._phrase = phrase

    def fits(self, value: Any, least: int = 0) -> bool:
        """Whether it is such a value; a count, of at least this."""
        counts = self in (Kind.COUNT, Kind.DRAWS) and not _is_text(value)
        return self._fits(value) and not (counts and value < least)

    def phrase(self, least: int = 0) -> str:
        """What such a value must be, in words."""
        return self._phrase.replace("{least}", str(least))

    def read(self, value: Any) -> Any:
        """A value that fits, as it is used: a count such as 1e9 is an integer, knots are text."""
        if self is Kind.KNOTS and not _is_text(value):
            return ",".join(f"{level}:{error}" for level, error in value)
        counts = self in (Kind.COUNT, Kind.DRAWS) and isinstance(value, float)
        return count_of(value) if counts else value


class Of(Flag):
    """Where a word has a meaning: everywhere else it is refused, or is no word."""

    SEQUENTIAL = auto()
    """In an audit of privacy by samples that bets until something is found."""
    BOUND = auto()
    """In one of a fixed budget, for the tightest limit."""
    EXACT = auto()
    """In one from the stated law."""
    ERRORS = auto()
    """In an audit of errors."""
    RUN = auto()
    """In a run of several audits as a whole: shared with the gate."""
    OUTPUT = auto()
    """Of the report."""
    ENTRY = auto()
    """In an entry of a configuration only."""
    COMMAND = auto()
    """On the command line only."""

    STABILITY = auto()
    """In a search for the sensitivity of a query."""

    NOWHERE = 0
    SAMPLES = SEQUENTIAL | BOUND
    PRIVACY = SAMPLES | EXACT
    AUDIT = SAMPLES | EXACT | ERRORS
    DRAWN = SAMPLES | ERRORS | STABILITY
    """Wherever the target is called."""
    ALL = AUDIT | STABILITY


@final
@dataclass(frozen=True, slots=True)
class Word:
    """One word."""

    name: str
    """With underscores; the option has dashes."""
    kind: Kind
    """What its value may be."""
    help: str = ""
    of: Of = Of.ALL
    """Where it has a meaning."""
    metavar: str | None = None
    """What stands for its value in the help."""
    phrase: str = ""
    """What its value must be, in words; the kind's if empty."""
    choices: tuple[str, ...] = ()
    """Its values, where the command itself checks them."""
    least: int = 0
    """Of a count: the smallest one that is taken."""
    default: Any = None
    shown: bool = False
    """Whether the help shows the default."""
    multiple: bool = False
    within: Of = Of.NOWHERE
    """Of a word of a run or of the command: the audits that it has a meaning in."""

    @property
    def audits(self) -> Of:
        """The audits that it has a meaning in; none of a word that is about no audit."""
        return (self.of | self.within) & Of.AUDIT

    @property
    def option(self) -> str:
        """As the command has it."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def must_be(self) -> str:
        """What its value must be, in words."""
        return self.phrase or self.kind.phrase(self.least)

    def fits(self, value: Any) -> bool:
        """Whether its value may be this one."""
        return self.kind.fits(value, self.least)
