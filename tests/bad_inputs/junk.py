"""Values that have no meaning where they stand, by the kind of what should stand there."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

__all__ = ["BAD_COUNTS", "BAD_NUMBERS", "DEEP", "other_kind", "places", "replaced", "spoiled"]

DEEP = 100_000
"""Levels of nesting: a reader that calls itself for each would end the process."""

BAD_NUMBERS = (
    *(
        "",
        " ",
        "nan",
        "NaN",
        "inf",
        "-inf",
        "Infinity",
        "one",
        "1/0",
        "0/0",
        "0x10",
        "1e",
        ".",
        "-",
    ),
    *(
        "1 2",
        "1,2",
        "[1]",
        "{}",
        "½",
        "None",
        "True",
        "+-1",
        "1e5/3",
        "1/1e5",
        "1//2",
        "\x00",
        "1\n2",
    ),
    *("1e1000000000", "-1e1000000000", "1e-1000000000", f"1e{'9' * 5_000}", "7" * 5_000),
    *(f"1/{'7' * 5_000}", f"0.{'7' * 5_000}", "1" * 100_000, "\ud800", "1\u202e", "🎲", "1e4001"),
)
"""Texts that are no number that a parameter may be."""

BAD_COUNTS = ("", "-1", "1.5", "1e-3", "x", "nan", "7" * 5_000, "1/2", "0x10", "½", "\ud800", "1 2")
"""Texts that are no count."""

KINDS: dict[str, tuple[Any, ...]] = {
    "null": (None,),
    "flag": (True, False),
    "number": (0, -1, 1, 10**30, 1e308, -0.5),
    "text": ("", "x", "1e1000000000", "7" * 5_000, "\x00", "🎲"),
    "list": ([], [1], [[]], ["x"], [None]),
    "object": ({}, {"a": 1}, {"": None}),
}


def kind_of(value: Any) -> str:
    """The kind of a JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "flag"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return "list"
    return "object"


def other_kind(rng: random.Random, value: Any) -> Any:
    """A value of another kind."""
    kind = rng.choice([name for name in KINDS if name != kind_of(value)])
    return rng.choice(KINDS[kind])


Place = tuple[str | int, ...]


def places(value: Any, at: Place = ()) -> Iterator[Place]:
    """Where something stands in a JSON value, from outside in."""
    yield at
    inner: Iterator[Any] = iter(())
    if isinstance(value, dict):
        inner = iter(value.items())
    elif isinstance(value, list):
        inner = iter(enumerate(value))
    for key, part in inner:
        yield from places(part, (*at, key))


def found_at(value: Any, place: Place) -> Any:
    """What stands at a place."""
    for key in place:
        value = value[key]
    return value


def replaced(value: Any, place: Place, new: Any) -> Any:
    """A copy with something else at a place; Ellipsis takes it away."""
    if not place:
        return new
    first, *rest = place
    whole = json.loads(json.dumps(value))
    if rest or new is not ...:
        whole[first] = replaced(whole[first], tuple(rest), new)
    else:
        del whole[first]
    return whole


def spoiled(rng: random.Random, text: bytes) -> bytes:
    """A JSON text that is none any more, or one beyond the bounds."""
    at = rng.randrange(1, len(text.rstrip()) - 1)
    choices = (
        lambda: text[:at],
        lambda: text[:at] + b"\xff\xfe" + text[at:],
        lambda: text[:at] + b"\x00" + text[at:],
        lambda: b"\xef\xbb\xbf" + text,
        lambda: text.decode().encode("utf-16"),
        lambda: text + text,
        lambda: b"",
        lambda: b" \n\t",
        lambda: b"\x89PNG\r\n\x1a\n" + rng.randbytes(200),
        lambda: b"\x80\x04\x95" + rng.randbytes(200),
        lambda: b"[" * DEEP,
        lambda: b'{"a":' * DEEP,
        lambda: b"[" * DEEP + b"]" * DEEP,
        lambda: b'{"data": ' + b"[" * 101 + b"]" * 101 + b', "neighbor": 1}',
        lambda: b'{"data": [' + b"7" * 5_000 + b'], "neighbor": [1]}',
        lambda: b'{"format": "x", "format": "y", ' + text.lstrip()[1:],
        lambda: b"null",
        lambda: b"NaN",
        lambda: b"-Infinity",
        lambda: b'"' + b"x" * 10**6 + b'"',
        lambda: b"[" + b"[]," * 10**6 + b"0]",
        lambda: b"7" * 10**6,
        lambda: b"\xed\xa0\x80",
        lambda: rng.randbytes(1000),
    )
    return rng.choice(choices)()
