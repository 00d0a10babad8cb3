"""What a saved run is written as: the same values again, and nothing that can run code."""

from __future__ import annotations

import dataclasses
import datetime
import importlib
import io
import json
import math
import pkgutil
import re
import typing
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

import audit.engine
from audit.draws.encode import Encoder, Outcomes
from audit.engine.archive import CannotBeKept, Foreign, read, write
from audit.engine.archive.classes import classes
from audit.engine.archive.kinds import fits, kinds_of
from audit.engine.archive.reader import MOST_DIGITS, MOST_VALUES
from audit.engine.run import GIVEN, Run
from audit.screening.choice import Choice
from audit.screening.memory import ScreenAnswer, ScreeningLog
from audit.verdict import AuditResult, Detectable, Verdict
from mechanisms.claims import Level, Relation
from tests.architecture.imports import below, imports_of
from tests.architecture.sources import modules
from tests.table import over


def written(value: Any) -> bytes:
    """The bytes of a value."""
    parts: list[bytes] = []
    write(value, parts.append)
    return b"".join(parts)


def read_back(content: bytes) -> Any:
    """The value of bytes."""
    line, _, arrays = content.partition(b"\n")
    return read(json.loads(line), io.BytesIO(arrays), len(arrays))


def again(value: Any) -> Any:
    """A value after it was written and read."""
    return read_back(written(value))


VALUES = [
    *(None, True, False, 0, -1, 2**63, -(10**50), 1.5, -0.0, math.inf, -math.inf, 5e-324),
    *(
        datetime.date(1, 1, 1),
        datetime.date(2020, 2, 29),
        "",
        "text",
        "Ω",
        "\ud800",
        b"",
        b"\x00\xff",
        Fraction(1, 3),
        Fraction(-(10**9_000), 7),
    ),
    *([], [1, [2, (3, "x")]], (), {}, {1: "a", "b": [None]}, {(1, 2), (3, 4)}, frozenset({1})),
    *(Verdict.PROVED, Relation.SWAP, np.float64(0.1), np.int32(-3), np.bool_(True)),
]


@over("value", VALUES)
def test_values_come_back_with_their_types(value: Any) -> None:
    """It must hold bit by bit."""
    found = again(value)
    assert type(found) is type(value)
    assert found == value
    assert isinstance(value, Fraction) or repr(found) == repr(value)


ARRAYS = [
    np.arange(6.0).reshape(2, 3),
    np.arange(12)[::-2],
    np.array([np.nan, -np.nan, -0.0, np.inf]),
    np.zeros((0, 3), dtype=np.int32),
    np.array(5.0),
    np.array([True, False]),
    np.array(["a", "bc"]),
    np.arange(3, dtype=">i8"),
]


@over("array", ARRAYS)
def test_arrays_come_back_bit_by_bit(array: Any) -> None:
    """It must hold of several in a row, and that they can be changed."""
    for found in again([array, array.copy()]):
        assert found.dtype.str == array.dtype.str
        assert found.shape == array.shape
        assert found.tobytes() == array.tobytes()
        assert found.flags.writeable


def test_arrays_keep_their_order_in_memory() -> None:
    """It must hold, since sums over another order have other last digits."""
    rows = np.arange(6.0).reshape(2, 3)
    by_rows, by_columns = again([rows, np.asfortranarray(rows)])
    assert by_rows.flags.c_contiguous
    assert by_columns.flags.f_contiguous
    assert (by_rows == by_columns).all()


def test_a_value_that_is_shared_stays_shared() -> None:
    """It must hold: an encoder that two records hold learns once."""
    encoder = Encoder(None, {"is NaN": 1})
    first, second = again([{"a": encoder}, (encoder, encoder)])
    assert first["a"] is second[0] is second[1]
    assert first["a"].labels == {"is NaN": 1}


def test_records_come_back_field_by_field() -> None:
    """It must hold of frozen ones too."""
    detectable = Detectable((0.5, 0.1), (1.0, math.inf), 100, 1, 1.5, (("tail",), ()))
    assert again(detectable) == detectable
    outcomes = again(Outcomes(np.ones((2, 1)), np.zeros((2, 1), dtype=np.int32)))
    assert isinstance(outcomes, Outcomes)
    assert len(outcomes) == 2


@final
@dataclass
class Stranger:
    """No class of a saved run."""

    x: int = 0


STRANGERS = [Stranger(), object(), len, Stranger, np.array([None]), 1j, Path()]
STRANGERS += [np.array(["2020-01-01"], "M8[D]"), np.ma.masked_array([1.0], [True])]


@over("value", STRANGERS)
def test_what_is_not_listed_is_not_written(value: Any) -> None:
    """It must hold, also far inside, and the class is named."""
    with pytest.raises(CannotBeKept, match=type(value).__name__):
        written([[{"a": value}]])


def nodes(*built: list[Any], root: Any = None) -> bytes:
    """A file of nodes; its value is the last."""
    return json.dumps([list(built), root or [len(built) - 1]]).encode() + b"\n"


DETECTABLE = "audit.verdict:Detectable"
GOOD = {
    "masses": [0],
    "epsilons": [0],
    "draws": 1,
    "pairs": 1,
    "limit": 1.5,
    "classes": [1],
    "user": None,
    "wider": [1],
}
DOUBLED: list[list[Any]] = [["list", 1, 1], *(["list", [i], [i]] for i in range(40))]

HOSTILE = {
    "no list": b"{}\n",
    "no nodes": b"[[], [0]]\n",
    "nothing known": nodes(["call", "os.system", "true"]),
    "no kind": nodes([]),
    "a class of ours that no run has": nodes(["record", "audit.engine.counts.block:Task", {}]),
    "a module of Python": nodes(["record", "subprocess:Popen", {"args": "true"}]),
    "an enumeration as a record": nodes(["record", "audit.verdict:Verdict", {}]),
    "a record as an enumeration": nodes(["enum", DETECTABLE, "masses"]),
    "no member": nodes(["enum", "audit.verdict:Verdict", "TRUE"]),
    "a later node": nodes(["list", [1]], ["list"], root=[0]),
    "itself": nodes(["list", [0]]),
    "before the first": nodes(["list", [-1]]),
    "true is no place": nodes(["list"], ["list", [True]]),
    "a field too few": nodes(["tuple", 1.0], ["record", DETECTABLE, {"masses": [0]}]),
    "a field too many": nodes(
        ["tuple", 1.0], ["tuple"], ["record", DETECTABLE, GOOD | {"__class__": 1}]
    ),
    "another kind": nodes(
        ["tuple", 1.0], ["tuple"], ["record", DETECTABLE, GOOD | {"draws": "many"}]
    ),
    "true is no number": nodes(
        ["tuple", 1.0], ["tuple"], ["record", DETECTABLE, GOOD | {"draws": True}]
    ),
    "a list for a tuple": nodes(["list", 1.0], ["tuple"], ["record", DETECTABLE, GOOD]),
    "text in a tuple": nodes(["tuple", "1"], ["tuple"], ["record", DETECTABLE, GOOD]),
    "objects": nodes(["array", "|O", "C", [1]]) + b"\0" * 8,
    "an array beyond the file": nodes(["array", "<f8", "C", [10**15]]) + b"\0" * 8,
    "an array of nothing": nodes(["array", "<U0", "C", [10**15]]),
    "no day": nodes(["date", "2021-02-29"]),
    "a negative length": nodes(["array", "<f8", "C", [-1, -1]]) + b"\0" * 8,
    "many dimensions": nodes(["array", "<f8", "C", [1] * 100]) + b"\0" * 8,
    "bytes left over": nodes(["array", "<f8", "C", [1]]) + b"\0" * 9,
    "an unhashable key": nodes(["list"], ["dict", [0], 1]),
    "a key without a value": nodes(["dict", 1]),
    "a denominator of 0": nodes(["fraction", "1", "0"]),
    "a number without end": nodes(["int", "f" * (MOST_DIGITS + 1)]),
    "no hexadecimal": nodes(["int", "x"]),
    "a list of lists of lists": nodes(*DOUBLED),
}


@over("content", HOSTILE.values())
def test_what_is_not_ours_is_refused(content: bytes) -> None:
    """It must hold for every part of a file that was made to harm, quickly, in one line."""
    with pytest.raises(Foreign) as caught:
        read_back(content)
    assert "\n" not in str(caught.value)


def test_a_record_that_fits_is_read() -> None:
    """It must hold: the hostile ones are refused for what is changed in them."""
    found = read_back(nodes(["tuple", 1.0], ["tuple"], ["record", DETECTABLE, GOOD]))
    assert found == Detectable((1.0,), (1.0,), 1, 1, 1.5, ())
    few = nodes(*DOUBLED[:20])
    assert len(read_back(few)) == 2 < MOST_VALUES


def test_a_name_for_a_kind_is_what_it_stands_for() -> None:
    """Plain, with arguments, or of another name; numpy 2.5 gives `NDArray` as one."""
    scalar = typing.TypeVar("scalar", bound=np.generic)
    made = np.ndarray[Any, np.dtype[scalar]]
    arrays: Any = TypeAliasType("arrays", made, type_params=(scalar,))
    number: Any = TypeAliasType("number", int)
    for kind in (arrays[np.float64], NDArray[np.float64]):
        assert fits(np.ones(2), kind)
        assert fits(np.ones(2), kind | None)
        assert not fits(np.ones(2, dtype=np.int32), kind)
        assert not fits([1.0, 1.0], kind)
    assert fits((1, 2), tuple[TypeAliasType("again", number), ...])
    assert not fits((1, "2"), tuple[number, ...])


def engine_classes() -> list[type[Any]]:
    """All dataclasses of the engine."""
    found = set()
    for module in pkgutil.walk_packages(audit.engine.__path__, "audit.engine."):
        loaded = vars(importlib.import_module(module.name)).values()
        found |= {x for x in loaded if isinstance(x, type) and dataclasses.is_dataclass(x)}
    return sorted(found, key=str)


def classes_in(kind: Any) -> set[type[Any]]:
    """Classes that values of a kind may be of; of a Protocol, every dataclass that has it all."""
    if typing.get_args(kind):
        inner = (*typing.get_args(kind), typing.get_origin(kind))
        return set().union(*map(classes_in, inner))
    if getattr(kind, "_is_protocol", False):
        return {found for found in engine_classes() if has_all(found, kind)}
    if kind is Level:
        return set(Level.__subclasses__())
    ours = isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, Enum))
    return {kind} if ours else set()


def has_all(found: type[Any], protocol: Any) -> bool:
    """Whether a class has every public member of a protocol."""
    members = {*vars(protocol), *vars(protocol).get("__annotations__", {})}
    own = {*dir(found), *(f.name for f in dataclasses.fields(found))}
    return own >= {name for name in members if not name.startswith("_")}


def reached() -> set[type[Any]]:
    """Classes of a saved run, by following the fields of a run, a result and a screening."""
    kinds = [kind for name, kind in kinds_of(Run).items() if name not in GIVEN]
    waiting = {AuditResult, Choice, ScreeningLog}.union(*map(classes_in, kinds))
    found: set[type[Any]] = set()
    while waiting:
        one = waiting.pop()
        found.add(one)
        if dataclasses.is_dataclass(one):
            waiting |= set().union(*map(classes_in, kinds_of(one).values())) - found
    return found


def test_every_class_of_a_run_is_listed() -> None:
    """It must hold: a new partition, expert or field of a result is named here."""
    missing = {f"{c.__module__}:{c.__qualname__}" for c in reached()} - classes().keys()
    assert missing == set(), "add it to audit/engine/archive/classes.py"


def test_no_class_is_listed_that_no_run_has() -> None:
    """It must hold: what can be read from a file is no more than what is written."""
    assert set(classes().values()) - reached() == set()


def test_classes_are_plain() -> None:
    """It must hold that setting a field of a listed class runs nothing of it."""
    for found in classes().values():
        assert issubclass(found, Enum) or dataclasses.is_dataclass(found)
        assert not hasattr(found, "__del__")
        kept = (
            {f.name for f in dataclasses.fields(found)} if dataclasses.is_dataclass(found) else ()
        )
        assert not any(isinstance(getattr(found, name, None), property) for name in kept)


def test_kinds_are_told_apart() -> None:
    """It must hold for each that fields of saved classes have."""
    numbers = np.zeros(2)
    kinds = {name: kind for c in classes().values() if dataclasses.is_dataclass(c)
             for name, kind in kinds_of(c).items()}  # fmt: skip
    assert not any(fits(object(), kind) for kind in kinds.values() if kind is not Any)
    assert fits(numbers, kinds_of(Outcomes)["numbers"])
    assert not fits(numbers, kinds_of(Outcomes)["categories"])
    assert not fits([numbers], kinds_of(Outcomes)["numbers"])
    assert fits(1, float)
    assert not fits(True, int)
    assert not fits(1.0, int)


def test_no_module_of_saved_runs_knows_pickle() -> None:
    """It must hold: pickle is for our own processes, and for writing what has no other text.

    A record without a hash is compared by its bytes, and a data set without a text is bytes in
    the script of a witness: both are written only.
    """
    users = {
        module.name
        for module in modules()
        if "pickle" in module.text() or "marshal" in module.text()
        if any(below(found.name, ("pickle", "marshal")) for found in imports_of(module))
    }
    own = {
        f"audit.targets.{name}"
        for name in ("child", "journal", "messages", "recipe", "separation", "service")
    }
    own.add("audit.targets.surroundings")  # it looks whether a target has replaced it
    written = {"audit.pairs.literal", "audit.targets.rows"}
    assert users == own | written | {"audit.engine.counts.workers", "audit.draws.supervisor"}
    read = re.compile(r"pickle\.(?:loads?|Unpickler)\(")
    quoted = re.compile(r'f"[^"]*"')
    texts = {m.name: quoted.sub("", m.text()) for m in modules() if m.name in written}
    assert not [name for name, text in texts.items() if read.search(text)]


def test_a_class_that_no_saved_run_has_is_named() -> None:
    """It must hold of a name that is nearly one."""
    now = written(ScreeningLog(answers=[ScreenAnswer("digest", ())]))
    with pytest.raises(Foreign, match="the unknown class"):
        read_back(now.replace(b"memory:ScreenAnswer", b"memory:ScreenAnswers"))


def test_a_class_that_has_other_fields_now_is_named() -> None:
    """It must hold of a saved run of a version whose classes had other fields."""
    now = written(ScreeningLog(answers=[ScreenAnswer("digest", ())]))
    with pytest.raises(Foreign, match=r"other fields of audit\.screening\.memory:ScreeningLog"):
        read_back(now.replace(b'"answers"', b'"answeRs"'))
