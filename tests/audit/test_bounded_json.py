"""JSON files of strangers: one line for whatever is wrong, within the bounds on time and memory."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest

from audit.files import bounded_json
from audit.files.bounded_json import NoSuchFile, NotJSON, parse_json, read_json, read_text
from mechanisms.errors import InvalidData

HOSTILE = {
    "100,000 nested lists": ("[" * 100_000 + "]" * 100_000, "nested deeper than 100 levels"),
    "100,000 nested objects": ('{"a":' * 100_000, "nested deeper than 100 levels"),
    "101 nested lists": ("[" * 101 + "]" * 101, "nested deeper than 100 levels"),
    "an integer of 5,000 digits": ("[" + "7" * 5_000 + "]", "a number of more than 4000 digits"),
    "a decimal of 5,000 digits": ("[0." + "7" * 5_000 + "]", "a number of more than 4000 digits"),
    "a name twice": ('{"a": 1, "b": {"a": 1, "a": 2}}', "holds a name twice in one object"),
    "half a surrogate pair": (r'{"a": "\ud800"}', "holds half of a surrogate pair"),
    "half a surrogate pair in a name": (r'{"\udc00": 1}', "holds half of a surrogate pair"),
    "many values": ("[" + "[]," * 2_000_001 + "0]", "more than 4000000 values"),
    "nothing": ("", "is not JSON"),
    "more than one value": ("1 2", "is not JSON"),
    "a byte order mark": ("\ufeff[]", "is not JSON"),
    "half a text": ('{"a": [1, ', "is not JSON"),
}


def test_what_is_beyond_the_bounds_is_named(subtests: pytest.Subtests) -> None:
    """It must hold in one line, for texts and for files."""
    for text, message in HOSTILE.values():
        with subtests.test(text=text, message=message):
            with pytest.raises(NotJSON, match=message) as caught:
                parse_json(text, "the file")
            assert "\n" not in str(caught.value)
            assert str(caught.value).startswith("the file ")
            assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[" * 100 + "]" * 100, json.loads("[" * 100 + "]" * 100)),
        ("7" * 4_000, int("7" * 4_000)),
        ("-1.5e-3", -0.0015),
        ('{"a": [1, {"b": null}], "c": true}', {"a": [1, {"b": None}], "c": True}),
        (r'"\ud83d\ude00"', "\U0001f600"),
    ],
)
def test_what_is_within_the_bounds_is_read(text: str, value: object) -> None:
    """It must hold up to the bounds themselves."""
    assert parse_json(text, "t") == value


def test_numbers_that_are_not_finite_are_read_unless_refused() -> None:
    """It must hold as Python's json reads them; an overflowing decimal is one of them."""
    for text in ("NaN", "Infinity", "-Infinity", "1e999", "-1e999"):
        assert not math.isfinite(parse_json(text, "t"))
        with pytest.raises(NotJSON, match=r"which is no number|beyond double precision"):
            parse_json(f"[{text}]", "t", finite=True)
    assert parse_json("[1e300]", "t", finite=True) == [1e300]


def test_a_repeated_name_may_be_allowed() -> None:
    """It must hold that the last one counts."""
    assert parse_json('{"a": 1, "a": 2}', "t", repeats=True) == {"a": 2}


def test_files_that_are_not_regular_are_refused_without_waiting(tmp_path: Path) -> None:
    """It must hold of folders, endless devices, and pipes that nobody writes to."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, Path("/dev/zero"), Path("/dev/null"), tmp_path / "pipe"):
        with pytest.raises(InvalidData, match="is not a regular file"):
            read_json(path)


def test_a_missing_file_has_its_own_error(tmp_path: Path) -> None:
    """It must hold, so that a caller can say what makes one; a name that is none is told too."""
    with pytest.raises(NoSuchFile, match="there is no file"):
        read_json(tmp_path / "no.json")
    for name in ("a\0b", "n" * 5_000):
        with pytest.raises(InvalidData, match="cannot be read"):
            read_json(name)


def test_large_files_and_other_encodings_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold of a byte too many; a file as large as allowed is read."""
    path = tmp_path / "f.json"
    path.write_text("[1, 2]")
    assert read_text(path, most=6) == "[1, 2]"
    with pytest.raises(InvalidData, match="is larger than 5 bytes"):
        read_text(path, most=5)
    monkeypatch.setattr(bounded_json, "MOST_VALUES", 1)
    with pytest.raises(NotJSON, match="more than 1 values"):
        read_json(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidData, match="cannot be read: 'utf-8' codec"):
        read_json(path)
