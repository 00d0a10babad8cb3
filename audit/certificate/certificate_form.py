"""A certificate as a document: its fields, its canonical text, and its digest.

Exact numbers are strings such as "1/10". `information` is not part of what is proved (versions,
seconds, number of cases); every other field is covered by the digest and rechecked by `verify`.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from typing import Any, final

from audit.files.bounded_json import NotJSON, parse_json
from mechanisms.errors import CertificateError
from proofs_check.enclosure import Ball, Balls, endpoints

SCHEMA_VERSION = 1
"""Counts changes that a reader of older certificates would not understand."""

INFORMATIONAL = ("information",)
"""Fields that may change without a change of meaning."""

TABLE = {"law": "the table of this certificate"}
"""In the place of parameters, of a mechanism that nobody states again."""

INFINITE = ["inf", "inf"]
"""A loss without end: an outcome of one data set that another does not have."""

MOST_CHARACTERS = 400
"""Of an exact number: the least double takes 326, and what is computed from some can be printed."""

EXACT = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)

DECIMALS = 15
"""Of the enclosure of a loss that is not rational."""

_KINDS: dict[str, type] = {
    "schema_version": int,
    "statement": str,
    "mechanism": str,
    "parameters": dict,
    "claim": dict,
    "covers": dict,
    "lemmas": list,
    "evidence": dict,
    "loss": list,
    "information": dict,
    "digest": str,
}


class NotACertificate(CertificateError):
    """A text that has not the form of a certificate, whatever it states."""


class TooLarge(CertificateError):
    """A certificate that would take too long to recheck; it may be right."""


@final
@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim that was proved, and what its proof rests on.

    Parameters
    ----------
    statement : str
        What is proved, in one sentence; made from the fields by `sentence`.
    mechanism : str
        Registry name.
    parameters : dict
        All parameters of the mechanism; exact numbers as strings.
    claim : dict
        "epsilon", "delta" and "relation"; of a personalized one "budgets" and "relation".
    covers : dict
        For which pairs: "pairs" in words, and what spans them.
    lemmas : list of str
        Ids of the lemmas used.
    evidence : dict
        Cells, breakpoints and what was found on them.
    loss : list of str
        Ends of an enclosure of the largest privacy loss over the pairs.
    information : dict
        Versions and measurements.
    digest : str
        Of all other fields but the informational ones; made by `sealed`.
    """

    statement: str
    mechanism: str
    parameters: Mapping[str, object]
    claim: Mapping[str, object]
    covers: Mapping[str, object]
    lemmas: list[str]
    evidence: Mapping[str, object]
    loss: list[str]
    information: Mapping[str, object] = field(default_factory=dict)
    digest: str = ""
    schema_version: int = SCHEMA_VERSION

    @classmethod
    def read(cls, text: str) -> Certificate:
        """Read the text of a certificate; its digest is not yet compared.

        Raises
        ------
        NotACertificate
            If it is no JSON object, within the bounds of `parse_json`, of exactly these fields
            with these kinds of values.
        """
        try:
            document = parse_json(text, "it", finite=True)
        except NotJSON as exc:
            raise NotACertificate(str(exc)) from exc
        if not isinstance(document, dict):
            msg = "a certificate is a JSON object"
            raise NotACertificate(msg)
        if document.get("schema_version") != SCHEMA_VERSION:
            msg = f"schema_version must be {SCHEMA_VERSION}"
            raise NotACertificate(msg)
        if set(document) != set(_KINDS):
            wrong = ", ".join(sorted(set(document) ^ set(_KINDS)))
            msg = f"fields that are missing or unknown: {wrong}"
            raise NotACertificate(msg)
        for name, kind in _KINDS.items():
            if type(document[name]) is not kind:
                msg = f"{name} must be of type {kind.__name__}, got {document[name]!r}"
                raise NotACertificate(msg)
        return cls(**document)

    def sealed(self) -> Certificate:
        """Return the certificate with its digest."""
        document = asdict(self) | {"digest": self.expected_digest()}
        return Certificate(**document)

    def expected_digest(self) -> str:
        """Digest that the fields should have."""
        meant = {
            item.name: getattr(self, item.name)
            for item in fields(self)
            if item.name not in (*INFORMATIONAL, "digest")
        }
        text = json.dumps(meant, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return "sha256:" + hashlib.sha256(text.encode()).hexdigest()

    def text(self) -> str:
        """Write the document."""
        document = {name: getattr(self, name) for name in _KINDS}
        return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def sentence(
    mechanism: str, parameters: Mapping[str, Any], claim: Mapping[str, Any], covers: str
) -> str:
    """Say what is proved."""
    chosen = ", ".join(f"{name} = {_shown(value)}" for name, value in sorted(parameters.items()))
    level = ", ".join(f"{name} = {claim[name]}" for name in ("epsilon", "delta") if name in claim)
    if "budgets" in claim:
        level = f"budgets = {_shown(claim['budgets'])}"
    return f"{mechanism} with {chosen} keeps {level} ({claim['relation']}) for {covers}"


def _shown(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)


def number(value: object, name: str) -> Fraction:
    """Read an exact number in lowest terms, such as "3/4".

    Raises
    ------
    CertificateError
        If it is written in any other way.
    TooLarge
        If it has more than `MOST_CHARACTERS`.
    """
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        msg = f"{name} has more than {MOST_CHARACTERS} characters"
        raise TooLarge(msg)
    found = None
    # Fraction would also read "1e1000000000", and compute it
    if isinstance(value, str) and EXACT.fullmatch(value):
        over, _, under = value.partition("/")
        found = Fraction(int(over), int(under or 1)) if int(under or 1) else None
    if found is None or str(found) != value:
        msg = f"{name} must be an exact number in lowest terms, got {value!r}"
        raise CertificateError(msg)
    return found


def decimals(ratio: Ball) -> list[str]:
    """Ends of an enclosure of the logarithm of a ratio, rounded outward to 15 decimals."""
    return list(map(str, outward(Balls(ratio.bits).log(ratio), DECIMALS)))


def outward(value: Ball, places: int) -> tuple[Fraction, Fraction]:
    """Ends of an enclosure, rounded outward to so many decimals."""
    scale = 10**places
    lower, upper = (end * scale for end in endpoints(value))
    return Fraction(math.floor(lower), scale), Fraction(math.ceil(upper), scale)
