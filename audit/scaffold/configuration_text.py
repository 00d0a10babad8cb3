"""The text of a first configuration: entries with their reasons, and what else there is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

__all__ = [
    "DEFAULT",
    "DOMAIN",
    "IDEAL",
    "IN_PLACE",
    "SCHEMA",
    "TAKES",
    "Draft",
    "configuration",
    "summary",
]

HEAD = """\
# What `touchstone gate` audits. It ends with 0 (as expected), 1 (a claim is refuted, or something
# is worse than in the baseline), 2 (wrong configuration) or 3 (inconclusive).

# Chance that an audit is refuted although every claim holds; shared by all but positive controls.
# false_alarm = 1e-3

# A cap of the time for the whole run, which cuts what hangs. Each audit ends by its draws: as many
# as its power statement needs, or its own budget_samples.
# budget_seconds = 3600

# What the audits promise and show is kept there by `touchstone gate --write-baseline`; from then on
# a change for the worse is red, even where the claim still holds.
# baseline = "touchstone-baseline.json"

# For runs of every night: the evidence against an unchanged mechanism adds up over the nights, and
# the false-alarm rate is that of all nights together.
# carry = true
"""

TEMPLATE = """\
# [[audit]]
# target = "src/release.py:mean"  # fill in: file.py:function, or package.module:function
# epsilon = 1                     # fill in: what it promises; also delta, rho, mu
# relation = "add-remove"         # one record more or less; or "swap": one record replaced
# low = 0                         # public bounds of the records
# high = 1
# domain = "any"                  # NaN, far records too; "declared" if it never gets them
# ideal = true                    # on real numbers: in floating point numpy's noise mostly fails
"""

TAIL = """\
# A positive control shows that the gate would see a fault: the same claim about a mechanism with
# too little noise, which must be refuted.
# [[audit]]
# target = "{target}"  # fill in: the other keys as above
# param = {{scale = 0.5}}  # fill in: what makes the noise too small
# expect = "refuted"
"""

DOMAIN = 'NaN, infinite, far records too; "declared" if it never gets them'
"""What to know of `domain`."""
IDEAL = "on real numbers: in floating point numpy's noise mostly fails"
"""What to know of `ideal`."""
IN_PLACE = {
    "relation": "a guess: the number of parts tells how many records there are",
    "order": 'as many parts as records: each in its place? else "free"',
}
"""What to know of the keys of a release with a part for each record."""
SCHEMA = "fill in: `touchstone schema FILE.csv` proposes one"
"""What to know of `schema`."""
TAKES = {"values": "the one column of the schema, as a list", "pandas": "a DataFrame"}
"""What to know of `takes`, by its word."""
ORDER = (
    *("target", "epsilon", "delta", "relation", "order", "low", "high", "schema", "takes"),
    *("domain", "param", "ideal"),
)
DEFAULT = "the default of its argument"
"""How a remark on a value begins that is no guess."""
GROUPED = 10_000
"""From there on the digits of an integer are grouped."""
WIDTH = 28


@final
@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that was found."""

    table: dict[str, Any]
    """Its keys and values."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """What to know of a key, by key."""
    fault: str = ""
    """Why it cannot run as it stands: then it is commented out. Empty if it can. Kept as one line
    of printable text: exceptions of users may say anything."""

    def __post_init__(self) -> None:
        """Make a line of the fault."""
        words = " ".join(self.fault.split())
        line = "".join(letter if letter.isprintable() else "?" for letter in words)
        object.__setattr__(self, "fault", line)

    def with_keys(self, keys: Mapping[str, Any], remarks: Mapping[str, str]) -> Draft:
        """The same with other values, and what to know of them."""
        known = {**self.remarks, **remarks}
        return replace(self, table={**self.table, **keys}, remarks=known)


def summary(draft: Draft) -> str:
    """What an entry claims, and which part of it is a guess."""
    table = draft.table
    if "relation" not in table:
        return "its own claim"
    shown = {key: f"{x:g}" if isinstance(x, float) else x for key, x in table.items()}
    words: dict[str, str] = {
        key: f"{key} = {shown[key]}" for key in ("epsilon", "delta") if key in table
    }
    words["relation"] = table["relation"] + ", order fixed" * ("order" in table)
    words["low"] = f"records in [{shown['low']}, {shown['high']}]"
    own: list[str] = []
    guessed: list[str] = []
    for key, said in words.items():
        ends = ("low", "high") if key == "low" else (key,)
        default = all(draft.remarks.get(end, "").startswith(DEFAULT) for end in ends)
        (own if default else guessed).append(said)
    parts = [
        f"{', '.join(part)} ({one if len(part) == 1 else several})"
        for part, one, several in (
            (own, "its default", "its defaults"),
            (guessed, "a guess", "guesses"),
        )
        if part
    ]
    return "; ".join(parts)


def configuration(drafts: Sequence[Draft]) -> str:
    """Write a configuration; without entries it holds one to be filled in."""
    parts = [HEAD]
    parts += ["\n".join(_entry(draft)) + "\n" for draft in drafts] or [TEMPLATE]
    good = next((draft for draft in drafts if not draft.fault), None)
    if good is not None:
        parts.append(TAIL.format(target=good.table["target"]))
    return "\n".join(parts)


def _entry(draft: Draft) -> Iterator[str]:
    mark = "# " if draft.fault else ""
    if draft.fault:  # a comment still, when the marks are taken off the whole entry
        yield f"## Not audited: {draft.fault}."
    yield f"{mark}[[audit]]"
    for key in ORDER:
        if key in draft.table:
            line = f"{mark}{key} = {_toml(draft.table[key])}"
            remark = draft.remarks.get(key)
            yield f"{line:<{WIDTH}}  # {remark}" if remark else line


def _toml(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:_}" if abs(value) >= GROUPED else str(value)
        case float():
            return repr(value)
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {_toml(part)}" for key, part in value.items())
            return f"{{{inside}}}"
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").isalnum() else json.dumps(key)
