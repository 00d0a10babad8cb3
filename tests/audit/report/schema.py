"""The schema of reports: made of the types that results have, but for a few parts by hand.

`python -m tests.audit.report.schema` writes it anew; a test compares. By hand are what a `JsonForm`
writes, tables, and claims of the ledger: they are kept as they stand in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import Enum
from fractions import Fraction
from importlib.resources import files
from inspect import cleandoc
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from audit.accounting import account_record as added
from audit.accounting.account_result import AccountResult, CurvePoint, StepAlone
from audit.accounting.peers.comparison import PeerComparison
from audit.documents.advice import ADVICE
from audit.documents.typed_json import Codec, is_ends, kept_fields
from audit.engine import privacy_record as sampled
from audit.exact import proof_record as proved
from audit.files.plain import SCHEMA_VERSION
from audit.levels import LEVELS
from audit.levels.kind import LevelKind
from audit.results.document import Place, Provenance
from audit.results.exact_result import DivergenceWitness, ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Limits, Verdict
from audit.runs.result_kinds import KINDS
from audit.stability import sensitivity_record as searched
from audit.stability.norms import Distance
from audit.stability.sensitivity_result import SensitivityResult, SensitivityWitness
from audit.suite import gate_record as of_runs
from audit.suite.exit_status import Exit
from audit.suite.gate_outcome import GateResult, Outcome, Past
from audit.suite.stored_tables import TableOutcome
from audit.surveys import survey_record as of_surveys
from audit.surveys.row import ERROR, NOT_AUDITED, SurveyRow
from audit.surveys.survey_result import SurveyResult
from audit.utility import error_record as estimated
from audit.utility.error_result import Estimate, UtilityResult
from mechanisms.claims import PrivacyClaim, Source
from mechanisms.utility_claims import Truth
from proofs_check.ends import Enclosed
from tests.docs.facts import fields_of

__all__ = ["FILE", "made", "written"]

Schema = dict[str, Any]

FILE = Path(str(files("audit.report") / "schema.json"))
WIDTH = 100
NULL = {"type": "null"}
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _enum(*values: object) -> Schema:
    return {"enum": list(values)}


FORMS: Mapping[type | str, Schema] = {
    PrivacyClaim: _ref("claim"),
    Source: TEXT,
    Limits: _ref("limits"),
    "certificate": {"type": ["object", "null"]},
    DivergenceWitness: _ref("divergence"),
    Estimate: _ref("estimate"),
    Truth: _ref("truth"),
    Distance: _ref("distance"),
    "answer": {},
    SensitivityWitness: _ref("SensitivityWitness"),
    Enclosed: _ref("enclosed"),
    "rounded": _ref("account-ends"),
    StepAlone: _ref("step"),
    CurvePoint: _ref("point"),
    PeerComparison: _ref("peer"),
    Outcome: _ref("Outcome"),
    TableOutcome: _ref("TableOutcome"),
    "claims": _ref("claims-checked"),
    "mismatches": _ref("mismatches"),
    Exit: _ref("exit_status"),
}
"""What forms write (`audit.documents.typed_json`)."""

SIDE = _enum("data", "neighbor")
DRAWN = ("refuted", "samples", "seconds", "failure")
SHAPES = (
    *("2 intervals", "3 intervals", "5 intervals", "box in 2 of 2", "box in 2 of 10"),
    *("checkerboard in 2 of 2", "checkerboard in 2 of 10"),
    *("residue mod 3", "residue mod 10", "residue mod 256"),
)
KIND = {"properties": {"kind": _enum("names", "intervals", "remainders", "product", "box")}}
RATE, SECONDS = _ref("rate"), {"type": "number", "minimum": 0}
PARTS = _enum("consistent", "errors", "proved")

STRICTER: Mapping[str, Schema] = {
    **dict.fromkeys(("false_alarm", "share", "control_level"), RATE),
    **dict.fromkeys(("seconds", "seconds_per_draw", "draw_seconds", "budget_seconds"), SECONDS),
    "likelier": SIDE,
    "versions": _ref("versions"),
    "exit_status": _ref("exit_status"),
    "AuditResult.mode": _enum("sequential", "bound"),
    "AuditResult.stopped_by": _enum(*DRAWN),
    "UtilityResult.stopped_by": _enum(*DRAWN),
    "AuditResult.limits_are": {"const": "strict"},
    "AuditResult.cause": _enum("", "draws", "time", "fails"),
    "Hint.code": _enum(*(row.code for row in ADVICE)),
    "AuditResult.profile": {
        "type": "array",
        "minItems": 1,
        "items": {
            "type": "object",
            "properties": {
                "epsilon": {"type": "number", "minimum": 0},
                "delta_lower": {"type": "number", "minimum": 0, "maximum": 1},
            },
            "required": ["epsilon", "delta_lower"],
            "additionalProperties": False,
        },
    },
    "Witness.delta": {"type": "number", "minimum": 0, "maximum": 1},
    "Witness.stated": {"type": "object", **KIND, "required": ["kind"]},
    "Detectable.others": {"const": "Nothing is said of other events."},
    "Detectable.classes": {
        "type": "array",
        "items": {"type": "array", "items": _enum("single value", "tail", "one interval")},
    },
    "WiderClass.shapes": {"type": "array", "minItems": 1, "items": _enum(*SHAPES)},
    "Screening.how": _enum("coupled", "independent", "records"),
    "SensitivityResult.verdict": _enum("REFUTED", "CONSISTENT", "INCONCLUSIVE"),
    "UtilityResult.verdict": _enum("REFUTED", "CONSISTENT", "INCONCLUSIVE"),
    "ExactResult.verdict": _enum("REFUTED", "PROVED", "INCONCLUSIVE"),
    "SurveyRow.kind": _enum("audit", "sensitivity", "none"),
    "SurveyRow.verdict": _enum("REFUTED", "CONSISTENT", "INCONCLUSIVE", NOT_AUDITED, ERROR),
    "SurveyRow.relation": _enum("", "add-remove", "swap", "listed"),
    "SurveyRow.share": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
    "SurveyResult.resolution": {"type": "number", "exclusiveMinimum": 0},
}
"""Of fields whose types say less than is known, by class and key, or by key alone."""


class Maker:
    """Makes the schema of one kind, and of the classes that it holds."""

    def __init__(self, codec: Codec, found: Schema) -> None:
        self.codec, self.found = codec, found

    def fields(self, kind: type) -> Schema:
        """Properties of a class."""
        told, properties = described(kind), {}
        for part, key, hint in kept_fields(kind):
            if part.metadata.get("flat"):
                properties |= self.fields(_bare(hint))
            else:
                one = self.of(hint, part.metadata, (f"{kind.__name__}.{key}", key))
                about = told.get(part.name, "")
                properties[key] = one | ({"description": about} if about else {})
        for key, (_, hint) in self.codec.computed.get(kind, {}).items():
            properties[key] = self.of(hint, {}, (f"{kind.__name__}.{key}", key))
        return properties

    def of(self, hint: Any, told: Mapping[str, Any], names: tuple[str, ...] = ()) -> Schema:
        """The schema of values of a type."""
        if type(None) in get_args(hint):
            rest = [part for part in get_args(hint) if part is not type(None)]
            return {"oneOf": [NULL, *(self.of(part, told, names) for part in rest)]}
        for name in names:
            if name in STRICTER:
                return dict(STRICTER[name])
        form = told.get("form", hint)
        if isinstance(form, type | str) and form in FORMS:
            return dict(FORMS[form])
        if isinstance(hint, UnionType) or get_origin(hint) is Union:
            return {"oneOf": [self.of(part, told) for part in get_args(hint)]}
        if get_origin(hint) is tuple:
            return self._tuple(get_args(hint), told)
        if is_dataclass(hint):
            kind = cast("type", hint)
            if kind.__name__ not in self.found:
                self.found[kind.__name__] = {}  # for one that holds itself
                self.found[kind.__name__] = closed(self.fields(kind))
            return _ref(kind.__name__)
        return _scalar(hint)

    def _tuple(self, hints: tuple[Any, ...], told: Mapping[str, Any]) -> Schema:
        if told.get("mapping"):
            return {"type": "object", "additionalProperties": self.of(get_args(hints[0])[1], {})}
        if hints[-1] is ...:
            return {"type": "array", "items": self.of(hints[0], told)}
        parts = [self.of(part, {}) for part in hints]
        if "columns" in told:
            return closed(dict(zip(told["columns"], parts, strict=True)))
        if is_ends(tuple[hints]):  # type: ignore[valid-type]
            return _ref("ends")
        return {"type": "array", "prefixItems": parts, "minItems": len(hints), "items": False}


def _scalar(hint: Any) -> Schema:
    if get_origin(hint) is Literal:
        return _enum(*get_args(hint))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(*(one.value for one in hint))
    if get_origin(hint) is not None:
        return {"type": "object"}
    known: dict[Any, Schema] = {
        str: TEXT,
        bool: {"type": "boolean"},
        int: _ref("natural"),
        float: _ref("extended"),
        Fraction: _ref("exact"),
    }
    return dict(known.get(hint, {}))


def closed(properties: Schema) -> Schema:
    """An object with these keys, all of them, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def described(kind: type) -> dict[str, str]:
    """What a class says of its fields, in its docstring or below each of them."""
    _, _, below = cleandoc(kind.__doc__ or "").partition("Parameters\n----------\n")
    found = {name: text for name, text in fields_of(kind).items() if text}
    for block in re.split(r"\n(?=\S)", below.partition("\n\n")[0]):
        names, _, text = block.partition("\n")
        for name in names.partition(" :")[0].split(","):
            found.setdefault(name.strip(), " ".join(text.split()))
    return found


def _bare(hint: Any) -> Any:
    return next((part for part in get_args(hint) if part is not type(None)), hint)


def made(schema: Schema) -> Schema:
    """The schema, with what types and kinds of claims say made anew."""
    found: Schema = {}
    by_hand = {name: part for name, part in schema["$defs"].items() if name[0].islower()}
    limits = [_limits(kind) for kind in LEVELS]
    kinds = {
        "audit": _kind(AuditResult, sampled.CODEC, found, allOf=[*RULES, *limits]),
        "exact-audit": _kind(ExactResult, proved.CODEC, found),
        "utility-audit": _kind(UtilityResult, estimated.CODEC, found, allOf=[HAS_WITNESS]),
        "sensitivity": _kind(SensitivityResult, searched.CODEC, found),
        "account": _kind(AccountResult, added.CODEC, found),
        "gate": _gate(found),
        "survey": _survey(found),
        "claim": {"oneOf": [_claim(kind) for kind in LEVELS]},
    }
    inner = Maker(searched.INNER, found)
    found["SensitivityWitness"] = closed(inner.fields(SensitivityWitness))
    account = kinds["account"]["properties"]
    del account["certificate"], account["uncertified"]
    account["proof"] = {"oneOf": [NULL, _ref("account-proof")]}
    account["verdict"] = {"oneOf": [NULL, _enum("REFUTED", "PROVED", "INCONCLUSIVE")]}
    kinds["account"]["required"] = list(account)
    return schema | {"$defs": by_hand | kinds | dict(sorted(found.items()))}


def _kind(result: type, codec: Codec, found: Schema, **rules: Any) -> Schema:
    """A kind of result of one audit."""
    name = next(kind.name for of, kind in KINDS.items() if of is result)
    own = Maker(codec, found).fields(result) | Maker(Codec(), found).fields(Provenance)
    return closed({**_first(name), **own}) | rules


def _first(kind: str) -> Schema:
    return {"schema_version": {"const": SCHEMA_VERSION}, "kind": {"const": kind}}


def _gate(found: Schema) -> Schema:
    maker = Maker(of_runs.codec_of(None), found)
    simple = Maker(of_runs.SIMPLE, found)
    place = simple.of(Place | None, {})
    found["Outcome"] = closed(
        {
            "name": TEXT,
            "title": TEXT,
            "red": TEXT,
            "expect": _enum("consistent", "refuted"),
            "passed": {"type": "boolean"},
            "exit_status": _ref("exit_status"),
            "error": {"oneOf": [NULL, TEXT]},
            "section": PARTS,
            "place": place,
            **simple.fields(Past),
            "report": {"oneOf": [NULL, *map(_ref, OF_AUDITS)]},
        }
    )
    found["TableOutcome"] = closed(simple.fields(TableOutcome) | {"place": place})
    more = {"place": place, "versions": _ref("versions")}
    return closed({**_first("gate"), **maker.fields(GateResult), **more})


OF_AUDITS = ("audit", "exact-audit", "utility-audit", "sensitivity", "account")
"""What the audits of a gate are reported as."""


def _survey(found: Schema) -> Schema:
    maker = Maker(of_surveys.CODEC, found)
    own = maker.fields(SurveyResult)
    more = {"exit_status": _ref("exit_status"), "command": TEXT}
    found["SurveyRow"] = closed(maker.fields(SurveyRow) | more)
    return closed({**_first("survey"), **own, "versions": _ref("versions")})


OBJECT = {"type": "object"}
REFUTED = {"properties": {"verdict": {"const": Verdict.REFUTED.value}}}
HAS_WITNESS = {
    "if": REFUTED,
    "then": {"properties": {"witness": OBJECT}},
    "else": {"properties": {"witness": NULL}},
}
RULES = (
    {
        "if": REFUTED,
        "then": {"anyOf": [{"properties": {key: OBJECT}} for key in ("witness", "exact")]},
        "else": {"properties": {"witness": NULL}},
    },
    {
        "if": {"properties": {"verdict": {"const": Verdict.CONSISTENT.value}}},
        "then": {"properties": {"detectable": OBJECT}},
    },
)
"""What audits from samples have with which verdict."""


def written(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON text in which what fits a line is one, and words fill theirs."""
    line = json.dumps(value)
    if indent + before + len(line) < WIDTH or not isinstance(value, dict | list):
        return line
    inner, margin = indent + 2, " " * (indent + 2)
    if isinstance(value, list) and not any(isinstance(item, dict | list) for item in value):
        lines = [margin + json.dumps(value[0])]
        for item in map(json.dumps, value[1:]):
            fits = len(lines[-1]) + len(item) + 3 <= WIDTH
            lines[-1:] = [f"{lines[-1]}, {item}"] if fits else [f"{lines[-1]},", margin + item]
        return "\n".join(["[", *lines, f"{' ' * indent}]"])
    if isinstance(value, list):
        parts, ends = [written(item, inner) for item in value], "[]"
    else:
        names = [(f"{json.dumps(name)}: ", item) for name, item in value.items()]
        parts, ends = [name + written(item, inner, len(name)) for name, item in names], "{}"
    body = ",\n".join(margin + part for part in parts)
    return f"{ends[0]}\n{body}\n{' ' * indent}{ends[1]}"


def _claim(kind: LevelKind) -> Schema:
    """A claim of this kind: its exact parameters."""
    parameters = {name: _exact(hint) for name, hint in get_type_hints(kind.level).items()}
    return closed(
        {
            "level": {"const": kind.name},
            **parameters,
            "relation": _enum("add-remove", "swap", "listed"),
            "source": TEXT,
            "derived": TEXTS,
        }
    )


def _exact(hint: Any) -> Schema:
    """An exact number, or tuples of them."""
    if hint is Fraction:
        return _ref("exact")
    items = get_args(hint)
    if items[-1] is ...:
        return {"type": "array", "items": _exact(items[0])}
    sizes = {"minItems": len(items), "maxItems": len(items)}
    return {"type": "array", "items": _exact(items[0]), **sizes}


def _limits(kind: LevelKind) -> Schema:
    """The limits of a claim of this kind, and no others."""
    own = [limit.name for limit in kind.limits]
    limits = closed(dict.fromkeys(own, _ref("extended")))
    profile = {} if "epsilon" in own else {"profile": NULL}
    return {
        "if": {"properties": {"claim": {"properties": {"level": {"const": kind.name}}}}},
        "then": {"properties": {"limits": limits, **profile}},
    }


if __name__ == "__main__":
    FILE.write_text(written(made(json.loads(FILE.read_text("utf-8")))) + "\n", "utf-8")
