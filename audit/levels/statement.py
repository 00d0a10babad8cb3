"""The level of a claim, as the words of a command line or configuration state it."""

from __future__ import annotations

from typing import Any

from audit.levels import LEVELS
from audit.levels.kind import LevelKind
from audit.levels.word import Kind
from mechanisms.claims import Level
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown


def read_budgets(text: str) -> tuple[str, ...]:
    """Read "0.1, 1, 1": one budget a user, exact numbers between commas."""
    return tuple(part.strip() for part in text.split(","))


def read_knots(text: str, option: str) -> tuple[tuple[str, ...], ...]:
    """Read "0:1, 1/2:1/10, 1:0": the knots of a curve, each a level and an error.

    Raises InvalidArgument, which names the option, for another text.
    """
    pairs = tuple(tuple(end.strip() for end in knot.split(":")) for knot in text.split(","))
    if any(len(pair) != 2 for pair in pairs):
        msg = f"{option} must be LEVEL:ERROR,... such as 0:1,1/2:1/10,1:0, got {shown(text)}"
        raise InvalidArgument(msg)
    return pairs


def stated_level(**stated: Any) -> Level | None:
    """Make the one level that is stated; None where none is.

    `**stated`: words of `audit.levels.LEVELS` and their values: numbers, or a tuple of them; None
    and () are not stated. Raises InvalidArgument if the words contradict each other, or a parameter
    is out of its domain.

    Examples
    --------
    >>> from audit.levels.statement import stated_level
    >>> str(stated_level(epsilon="1/2", alpha_order=8))
    'Renyi order 8, epsilon = 1/2'
    """
    given = {word: value for word, value in stated.items() if value not in (None, ())}
    if not given:
        return None
    for kind, words in _STATED.items():
        if given.keys() == set(words):
            return _made(kind, [given[word] for word in words])
    alone = [word for word in given if (word,) in _STATED.values()]
    if len(alone) > 1:
        raise _contradiction(*alone[:2])
    for word in given.keys() - {*alone}:
        kind, words = next((kind, words) for kind, words in _STATED.items() if word in words)
        first = next(other for other in words if other != word)
        if first not in given:
            msg = f"{_option(word)} states {kind.title} together with {_option(first)}; give both"
            raise InvalidArgument(msg)
    raise _contradiction(*(word for word in given if word not in alone))


def _made(kind: LevelKind, values: list[Any]) -> Level:
    """A level of the values of its words."""
    if not any(word.kind is Kind.KNOTS for word in kind.words):
        return kind.make(*values)
    (word,), (knots,) = kind.words, values
    pairs = read_knots(knots, word.option) if isinstance(knots, str) else knots
    try:
        return kind.make(pairs)
    except InvalidArgument as exc:
        msg = f"{word.option}: {exc}"
        raise InvalidArgument(msg) from exc


_STATED = {kind: tuple(word.name for word in kind.words) for kind in LEVELS}


def statements() -> str:
    """The words that state a claim, as a message names them: one alone, or with others.

    Examples
    --------
    >>> from audit.levels.statement import statements
    >>> statements()
    '--epsilon (and --delta or --alpha-order), --rho, --mu, --tv, --trade-off or --budgets'
    """
    *others, last = [_with(words[0]) for words in _STATED.values() if len(words) == 1]
    return f"{', '.join(others)} or {last}"


def _with(word: str) -> str:
    also = [_option(w) for words in _STATED.values() if word in words for w in words if w != word]
    return f"{_option(word)} (and {' or '.join(also)})" if also else _option(word)


def _option(word: str) -> str:
    return f"--{word.replace('_', '-')}"


def _contradiction(first: str, second: str) -> InvalidArgument:
    first, second = _option(first), _option(second)
    return InvalidArgument(
        f"{first} and {second} state claims of different kinds; give one of them"
    )
