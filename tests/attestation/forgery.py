"""What somebody does who changes a pack and makes all of its hashes anew."""

from __future__ import annotations

import hashlib
import json
import math
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from audit.attestation.predicate import DIGEST, RESULT, STATEMENT
from audit.certificate.certificate_form import Certificate

__all__ = ["Forged", "change_document", "differences", "is_uncovered", "random_change", "values_of"]

Place = tuple[str | int, ...]
"""A file, and keys in it."""

UNCOVERED_PLACES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{STATEMENT}/predicate/(made|environment|answers)\b.*",
        rf"{STATEMENT}/subject/[1-9]\d*/digest/sha256",
        rf"{STATEMENT}/predicate/audits/\d+/source/(files|libraries|unseen)\b.*",
        rf"{RESULT}/run\b.*",
        rf"{RESULT}/audits/\d+/(name|report)\b.*",
        r"certificates/.*/evidence/laws\b.*",
    )
)
"""As `UNCOVERED` says them in words."""


MADE_ANEW = re.compile(
    rf"{STATEMENT}/(subject/0|predicate/files/\d+)/digest/sha256|certificates/.*/digest"
)
"""Digests that sealing makes fit again, whatever they were changed to."""


def is_uncovered(place: Place) -> bool:
    """Whether the check itself says that it does not cover a place."""
    text = "/".join(map(str, place))
    return any(pattern.fullmatch(text) for pattern in UNCOVERED_PLACES)


def differences(one: Any, other: Any, place: Place = ()) -> list[Place]:
    """Places at which two documents differ, but for digests that were made anew."""
    if json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True):
        return []
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [p for key in one for p in differences(one[key], other[key], (*place, key))]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [p for key, both in pairs for p in differences(*both, (*place, key))]
    return [] if MADE_ANEW.fullmatch("/".join(map(str, place))) else [place]


class Forged:
    """A pack as values: its documents can be changed, and are sealed when it is written."""

    def __init__(self, pack: Path) -> None:
        names = [STATEMENT, RESULT, *sorted(f"certificates/{p.name}" for p in pack.glob("c*/*"))]
        self.documents = {name: json.loads((pack / name).read_text()) for name in names}
        self.program = (pack / "verify_evidence.py").read_bytes()

    def copy(self) -> Forged:
        """Another, equal one."""
        made = object.__new__(Forged)
        made.documents = json.loads(json.dumps(self.documents))
        made.program = self.program
        return made

    def write(self, folder: Path) -> Path:
        """Write it, with all digests made anew."""
        contents: dict[str, bytes] = {"verify_evidence.py": self.program}
        for name, document in self.documents.items():
            if name.startswith("certificates/"):
                document = _sealed(document)
            if name != STATEMENT:
                contents[name] = json.dumps(document, indent=2).encode()
        statement = json.loads(json.dumps(self.documents[STATEMENT]))
        for place, value in values_of(statement):
            if place[-1:] == ("name",) and isinstance(value, str) and value in contents:
                row = _at(statement, place[:-1])
                if isinstance(row.get("digest"), dict) and "sha256" in row["digest"]:
                    row["digest"]["sha256"] = hashlib.sha256(contents[str(value)]).hexdigest()
        contents[STATEMENT] = (json.dumps(statement, indent=2) + "\n").encode()
        digest = hashlib.sha256(contents[STATEMENT]).hexdigest()
        contents[DIGEST] = f"{digest}  {STATEMENT}\n".encode()
        for name, content in contents.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_bytes(content)
        return folder


def _sealed(document: Any) -> Any:
    """A certificate with the digest of its fields, where it still has the form of one."""
    try:
        return json.loads(Certificate.read(json.dumps(document)).sealed().text())
    except Exception:  # noqa: BLE001 - an attacker's document may be anything
        return document


def values_of(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every place of a document with what is there, containers too."""
    yield place, value
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            yield from values_of(inner, (*place, key))


def _at(value: Any, place: Place) -> Any:
    for key in place:
        value = value[key]
    return value


def random_change(forged: Forged, chosen: random.Random) -> None:
    """Change one thing in one of the documents."""
    change_document(forged.documents[chosen.choice(list(forged.documents))], chosen)


def change_document(document: Any, chosen: random.Random) -> None:
    """Change one thing in it: a value, a type, a key, a list, or two places."""
    place, value = chosen.choice(places := [found for found in values_of(document) if found[0]])
    _change(document, place, value, places, chosen)


def _change(
    document: Any,
    place: Place,
    value: Any,
    places: list[tuple[Place, Any]],
    chosen: random.Random,
) -> None:
    parent, key = _at(document, place[:-1]), place[-1]
    how = chosen.choice(("value", "value", "drop", "add", "rename", "type", "swap", "list"))
    if how == "drop":
        parent.pop(key)
    elif how == "add" and isinstance(value, dict):
        value["more"] = 1
    elif how == "rename" and isinstance(parent, dict):
        parent[f"{key}s"] = parent.pop(key)
    elif how == "type":
        other = (None, [value], {"a": value}, str(value), True, 0, -1.5, "", [], {})
        parent[key] = chosen.choice(other)
    elif how == "swap":
        other_place, other = chosen.choice(places)
        inside = place[: len(other_place)] == other_place or other_place[: len(place)] == place
        if not inside:
            parent[key], _at(document, other_place[:-1])[other_place[-1]] = other, value
    elif how == "list" and isinstance(value, list) and value:
        chosen.choice((value.pop, value.reverse, lambda: value.append(value[0])))()
    else:
        parent[key] = _another(value, chosen)


def _another(value: Any, chosen: random.Random) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chosen.choice((-1, 1, 10**20))
    if isinstance(value, float):
        return chosen.choice((math.nextafter(value, 9e9), -value, value / 2))
    if isinstance(value, str):
        words = ("x", "", f"{value} ", "PROVED", "1/3", "swap", "add-remove", value.swapcase())
        return chosen.choice((*words, re.sub("[0-9]", "7", value), value[:-1]))
    return None if value is not None else 1
