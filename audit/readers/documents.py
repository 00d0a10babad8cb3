"""What a stored report says: of audits by samples and by laws the document that they had.

The record of such an audit holds all that its document reads, so the result is made again and
describes itself, in today's words. Of the other kinds the page has verdict, reason and what stands
in the record as single values, and says what it leaves out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from audit.documents.document import Document, Provenance, Row, Rows, Script, Section
from audit.documents.phrases import sentence
from audit.exact_result import DivergenceWitness, ExactResult, ExactWitness, Proof
from audit.kinds import KINDS
from audit.levels.records import level_from
from audit.plain import SCHEMA_VERSION
from audit.readers.values import Unlike, value_as
from audit.rounding import number
from audit.verdict import AuditResult, Limits, Verdict
from mechanisms.claims import PrivacyClaim, Relation, Source
from mechanisms.errors import TouchstoneError

__all__ = ["check_version", "stored_document", "stored_result"]

Record = Mapping[str, Any]

COMMON = frozenset(
    {
        *("schema_version", "kind", "target", "parameters", "verdict", "reason", "ledger"),
        *("not_tried", "notes", "command", "versions", "seconds"),
    }
)
"""What every kind of record has, and a page says elsewhere."""

SIDES = ("data", "neighbor")
BY_SIDE = ("instead", "always")
"""What a witness has of each."""

DAMAGED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, TouchstoneError)
"""What reading raises where a part is missing, is of another kind, or too large for doubles."""


def stored_document(record: Record) -> Document:
    """Make the document of a stored report.

    Raises Unlike if this version did not write it.
    """
    try:
        check_version(record)
        found = stored_result(record)
        return (
            _plain(record)
            if found is None
            else KINDS[type(found)].document(found, _provenance(record))
        )
    except Unlike:
        raise
    except DAMAGED as exc:
        msg = f"it cannot be read: {type(exc).__name__}: {exc}"
        raise Unlike(msg) from exc


def check_version(record: Record) -> None:
    """Raise Unlike unless a report is of this version of the format."""
    version = record.get("schema_version")
    if version != SCHEMA_VERSION or type(version) is not int:
        msg = f"its schema_version must be {SCHEMA_VERSION}, got {version!r:.40}"
        raise Unlike(msg)


def stored_result(record: Record) -> AuditResult | ExactResult | None:
    """The result that a report of this version holds; None of a kind whose report is not whole.

    Raises one of `DAMAGED`, or Unlike, if it holds none.
    """
    kind = record.get("kind")
    if kind == KINDS[AuditResult].name:
        return _sampled(record)
    return _proved(record) if kind == KINDS[ExactResult].name else None


def _sampled(record: Record) -> AuditResult:
    told = {
        **record,
        "claim": _claim(record["claim"]),
        "limits": Limits(
            tuple((name, value_as(float, v, name)) for name, v in record["limits"].items())
        ),
        "witness": _with_data(record["witness"]),
        "planned": record["budget_samples"],
        "profile": record["profile"] and [[*row.values()] for row in record["profile"]],
        "seconds": record.get("seconds", 0.0),
    }
    found: AuditResult = value_as(AuditResult, told, "the report")
    return found


def _proved(record: Record) -> ExactResult:
    proof, witness = record["proof"], _with_data(record["witness"])
    kind: Any = ExactWitness if witness is None or "event" in witness else DivergenceWitness
    if witness is not None and kind is DivergenceWitness:
        ends = [witness["lower"], witness["upper"]]
        witness = {**witness, "value": None if ends[0] == "inf" else ends}
    told = {
        **record,
        "claim": _claim(record["claim"]),
        "proof": None if proof is None else _proof(proof),
        "witness": None if witness is None else value_as(kind, witness, "witness"),
        "seconds": record.get("seconds", 0.0),
    }
    found: ExactResult = value_as(ExactResult, told, "the report")
    return found


def _with_data(witness: Any) -> Any:
    """A witness whose data sets have numbers again where JSON has none for them."""
    if not isinstance(witness, Mapping):
        return witness
    told = {key: _numbers(witness[key]) for key in SIDES}
    both = {key: [witness[key][side] for side in SIDES] for key in BY_SIDE if key in witness}
    return {**witness, **told, **both}


def _numbers(data: Any) -> Any:
    if isinstance(data, list):
        return [_numbers(one) for one in data]
    # a text of a user's that reads so is shown without its quotes
    return float(data) if data in ("nan", "inf", "-inf") else data


def _proof(record: Record) -> Proof:
    # it loads the enclosures, and few reports hold one
    from audit.certificate.document import Certificate

    measured, held = record.get("measured"), record.get("certificate")
    rows = [[row["record"], row["loss"]] for row in record["records"]]
    users = [[row["user"], row["budget"], row["loss"]] for row in record["users"]]
    told = {
        **record,
        "excess": record["delta"],
        "records": rows,
        "users": users,
        "measured": None if measured is None else [measured["name"], measured["ends"]],
        "certificate": Certificate.read(json.dumps(held)) if held else record["rechecked"] or None,
    }
    found: Proof = value_as(Proof, told, "proof")
    return found


def _plain(record: Record) -> Document:
    """Verdict, reason and single values."""
    shared = _shared(record)
    single = {
        key: value
        for key, value in record.items()
        if key not in COMMON and isinstance(value, str | int | float)
    }
    left_out = [key for key, value in record.items() if key not in {*COMMON, *single} and value]
    rows = [Row(key.replace("_", " "), _short(value)) for key, value in single.items()]
    rows += [Row("not tried", "; ".join(shared["not_tried"]))] if shared["not_tried"] else []
    rows += [Row("note", note) for note in shared["notes"]]
    if left_out:
        rows.append(Row("file only", ", ".join(left_out)))
    command = value_as(str, record["command"], "command")
    again = Script("repeat", "console", command)
    return Document(
        shared["target"],
        shared["verdict"],
        sentence(shared["reason"]),
        shared["reason"],
        (Section("What was found", (Rows(tuple(rows)), again), "found"),),
        claim=str(record["kind"]),
        samples=f"{record['samples']:,}" if isinstance(record.get("samples"), int) else "",
        command=command,
        finding="claim-refuted",
        facts=(("seed", str(record["seed"])),) if "seed" in record else (),
        not_tried=shared["not_tried"],
        seconds=shared["seconds"],
    )


def _short(value: Any) -> str:
    return number(value) if isinstance(value, float) else str(value)


def _shared(record: Record) -> dict[str, Any]:
    texts = tuple[str, ...]
    return {
        "target": value_as(str, record["target"], "target"),
        "verdict": value_as(
            Verdict | None if record.get("kind") == "account" else Verdict,
            record["verdict"],
            "verdict",
        ),
        "reason": value_as(str, record["reason"], "reason"),
        "seconds": value_as(float, record.get("seconds", 0.0), "seconds"),
        "not_tried": value_as(texts, record["not_tried"], "not_tried"),
        "notes": value_as(texts, record["notes"], "notes"),
    }


def _provenance(record: Record) -> Provenance:
    return Provenance(
        value_as(str, record["command"], "command"),
        value_as(str, record.get("mode", "exact"), "mode"),
        value_as(tuple[str, ...], record["ledger"], "ledger"),
    )


def _claim(record: Record) -> PrivacyClaim:
    own = ("level", "relation", "source", "derived")
    parameters = {key: value for key, value in record.items() if key not in own}
    level = level_from(record["level"], parameters)
    derived = tuple(map(_source, record["derived"]))
    return PrivacyClaim(level, Relation(record["relation"]), _source(record["source"]), derived)


def _source(text: Any) -> Source:
    paper, _, item = str(value_as(str, text, "source")).partition(", ")
    return Source(paper, item)
