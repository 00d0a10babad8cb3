"""What every kind of readable event owes: one set in four forms, and a target on which it is found.

The sentence is read by a reader of its own (below), which shares nothing with what wrote it.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from audit.draws.encode import Encoder
from audit.draws.output_words import form, is_container, number, outcome, residue
from audit.engine.sequential import Settings, audit
from audit.engine.witness.kinds import KINDS, proposals
from audit.engine.witness.kinds.boxes import Box
from audit.engine.witness.kinds.conditions import Condition
from audit.engine.witness.kinds.names import Names
from audit.engine.witness.kinds.past_of_event import Arms
from audit.engine.witness.kinds.products import Product
from audit.engine.witness.kinds.readable_kind import Readable
from audit.engine.witness.kinds.remainders import Remainders
from audit.engine.witness.kinds.unions import Union
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from tests.audit.engine.samplers import claim, target

LINE = (math.e, 0.0)
SCRIPT = {"form": form, "number": number, "outcome": outcome, "residue": residue}
Law = Callable[[float, int, np.random.Generator], Any]


def scalars(data: float, size: int, rng: np.random.Generator) -> Any:
    """Numbers, both zeros, NaN, infinities, names and failures; five intervals when 1."""
    u = rng.random(size)
    inside = (u * 10 % 2 < 0.2) & (rng.random(size) < 0.9)
    values = np.where(inside & (data == 1), rng.random(size), u).tolist()
    odd = {0: -0.0, 1: math.nan, 2: math.inf, 3: "a or b", 4: None, 5: ValueError("x"), 6: 0.0}
    odd |= {7: -math.inf, 8: 5e-324, 9: True}
    return [odd.get(int(k), x) for k, x in zip(rng.integers(60, size=size), values, strict=True)]


def vectors(data: float, size: int, rng: np.random.Generator) -> Any:
    """Three coordinates, the sign of the product of two of them tells; some are no numbers."""
    a, b, c = rng.normal(size=(3, size))
    turn = (a * c < 0) & (rng.random(size) < 0.8) & (data == 1)
    rows = np.column_stack([np.where(turn, -a, a), b, c]).tolist()
    odd = {0: math.nan, 1: -0.0, 2: None, 3: "x", 4: math.inf, 5: 1e-300}
    for row, k in zip(rows, rng.integers(40, size=size).tolist(), strict=True):
        if k in odd:
            row[k % 3] = odd[k]
    for i in range(0, size, 50):
        rows[i] = rows[i][:2]
    return rows


def boxed(data: float, size: int, rng: np.random.Generator) -> Any:
    """A square of a tenth of the mass, from which four of five draws are moved."""
    u = rng.random((size, 2))
    inside = (np.abs(u - [0.45, 0.35]) < 0.158).all(axis=1) & (rng.random(size) < 0.85)
    return np.where((inside & (data == 1))[:, None], rng.random((size, 2)), u)


def integers(data: float, size: int, rng: np.random.Generator) -> Any:
    """Integers of any size and sign whose last digit tells; some are none."""
    values = rng.integers(-(10**6), 10**6, size).astype(object) * 10 + (4 if data else 0)
    values = values * rng.choice([1, 10**15 + 1], size)
    odd = {0: None, 1: 10.0, 2: math.nan, 3: "4", 4: 4.0, 5: -6, 6: 2**53 + 4}
    return [odd.get(int(k), x) for k, x in zip(rng.integers(80, size=size), values, strict=True)]


def named(data: float, size: int, rng: np.random.Generator) -> Any:
    """Names, two of which are rare on the neighbor; numbers and failures besides."""
    weights = np.array([3, 3, 0.3 if data else 3, 0.3 if data else 3, 2, 1])
    kinds = ["it's", "b", "c or d", None, 1.0, KeyError("k")]
    return [kinds[i] for i in rng.choice(6, size=size, p=weights / weights.sum())]


LAWS: dict[str, Law] = {law.__name__: law for law in (scalars, vectors, boxed, integers, named)}


def side(text: str) -> str | int | None:
    """Coordinate of a subject: output, output[0]."""
    found = re.fullmatch(r"output(?:\[(\d+)\])?", text)
    assert found is not None, text
    return None if found[1] is None else int(found[1])


def leaf(z: Any, subject: str) -> Any:
    """What a subject is of an output; an ellipsis where there is none."""
    place = side(subject)
    if isinstance(z, Exception):
        return z if place is None else ...
    if place is None:
        return z if not is_container(z) else ...
    parts = list(z) if is_container(z) else [z]
    return parts[place] if place < len(parts) else ...


def real(z: Any) -> float | None:
    """A finite number, or None."""
    if isinstance(z, bool) or not isinstance(z, int | float):
        return None
    return z if abs(z) <= 2**53 else (None if isinstance(z, int) or math.isinf(z) else z)


NUMBER = r"-?(?:\d[\d.]*(?:e[+-]?\d+)?)"
SUBJECT = r"output(?:\[\d+\])?"


def piece_holds(text: str, z: Any) -> bool:
    """Whether one piece of a sentence is true of an output, in exact arithmetic."""
    if found := re.fullmatch(rf"({SUBJECT}) (<=|<|>=|>|==) ({NUMBER})", text):
        x = real(leaf(z, found[1]))
        bound = float(found[3])
        told = {"<=": 0, "<": 0, ">=": 0, ">": 0, "==": 0}
        assert found[2] in told
        return x is not None and bool(eval(f"x {found[2]} b", {"x": x, "b": bound}))
    if found := re.fullmatch(rf"({NUMBER}) (<=|<) ({SUBJECT}) (<=|<) ({NUMBER})", text):
        x = real(leaf(z, found[3]))
        ends = {"a": float(found[1]), "b": float(found[5]), "x": x}
        return x is not None and bool(eval(f"a {found[2]} x {found[4]} b", ends))
    if found := re.fullmatch(rf"({SUBJECT}) is a number", text):
        return real(leaf(z, found[1])) is not None
    if found := re.fullmatch(rf"({SUBJECT}) mod (\d+) is ([\d, or]+)", text):
        x = leaf(z, found[1])
        whole = isinstance(x, int) and not isinstance(x, bool)
        whole |= isinstance(x, float) and x.is_integer() and abs(x) <= 2**53
        return whole and int(x) % int(found[2]) in map(int, re.findall(r"\d+", found[3]))
    if found := re.fullmatch(rf"({SUBJECT}) raises (\w+)", text):
        return type(z).__name__ == found[2] and isinstance(z, Exception)
    if found := re.fullmatch(rf"({SUBJECT}) has length (\d+)", text):
        return is_container(z) and len(z) == int(found[2])
    if found := re.fullmatch(rf"({SUBJECT}) is a single value", text):
        return not is_container(z) and not isinstance(z, Exception)
    if found := re.fullmatch(rf"({SUBJECT}) is (.+)", text):
        x = leaf(z, found[1])
        infinite = {"NaN": math.isnan, "+inf": math.inf.__eq__, "-inf": (-math.inf).__eq__}
        if found[2] in infinite:
            return isinstance(x, float) and bool(infinite[found[2]](x))
        value = int(found[2], 16) if "0x" in found[2] else ast.literal_eval(found[2])
        return type(x) is type(value) and x == value
    raise AssertionError(text)


def factor(text: str, z: Any) -> float:
    """Sign of a coordinate, or of its difference from a number; NaN for what is no number."""
    found = re.fullmatch(rf"\(?({SUBJECT})(?: ([+-]) ({NUMBER})\))?", text)
    assert found is not None, text
    x = real(leaf(z, found[1]))
    if x is None:
        return math.nan
    cut = 0.0 if found[3] is None else float(found[3]) * (1 if found[2] == "-" else -1)
    return float(bool(x > cut)) - float(bool(x < cut))


def pieces_of(text: str) -> list[str]:
    """Pieces between the words `or` that stand before a subject, outside of quotes."""
    return re.split(rf" or (?=(?:{SUBJECT}|{NUMBER}) )(?=(?:[^'\"]|'[^']*'|\"[^\"]*\")*$)", text)


def sentence_holds(text: str, z: Any) -> bool:
    """Whether a sentence is true of an output."""
    if found := re.fullmatch(r"the product of (.+) is (negative|positive)", text):
        sign = math.prod(factor(part, z) for part in re.split(", | and ", found[1]))
        return sign < 0 if found[2] == "negative" else sign > 0
    sides = re.split(rf" and (?=(?:{SUBJECT}|{NUMBER}) )", text)
    if len(sides) == 2:
        return all(any(piece_holds(p, z) for p in pieces_of(s)) for s in sides)
    return any(piece_holds(piece, z) for piece in pieces_of(text))


def arms_of(law: Law, rng: np.random.Generator, size: int = 4_000) -> tuple[Arms, Arms]:
    """Draws of a law, seen from either arm."""
    encoder = Encoder()
    drawn = [law(arm, size, rng) for arm in (0.0, 1.0)]
    encoder.fix_layout(drawn)
    data, neighbor = (encoder.encode(outputs) for outputs in drawn)
    return Arms(encoder, data, neighbor, LINE), Arms(encoder, neighbor, data, LINE)


def proposed(law: Law, rng: np.random.Generator) -> tuple[Encoder, list[Readable]]:
    """What all kinds propose on a law."""
    both = arms_of(law, rng)
    return both[0].encoder, [event for arms in both for event in proposals(arms)]


def disagreements(event: Readable, encoder: Encoder, fresh: Sequence[Any]) -> list[str]:
    """Where sentence, expression and code are not the same set."""
    sentence, expression = event.describe()
    test = eval(f"lambda z: {expression}", SCRIPT)
    coded = event.holds(encoder.encode(fresh)).tolist()
    found = []
    for z, is_in in zip(fresh, coded, strict=True):
        if bool(test(z)) is not is_in:
            found.append(f"{expression} of {z!r}")
        if sentence_holds(sentence, z) is not is_in:
            found.append(f"{sentence} of {z!r}")
    return found


def ends_hit(event: Readable, encoder: Encoder, fresh: list[Any]) -> list[Any]:
    """The outputs, and besides such as lie exactly at an end of the event, and next to it."""
    ends = [
        float(x)
        for end in event.ends
        for x in (end, np.nextafter(end, math.inf), np.nextafter(end, -math.inf))
    ]
    if encoder.width is None:
        return [*fresh, *ends]
    inside = event.holds(encoder.encode(fresh))
    members = [z for z, is_in in zip(fresh, inside, strict=True) if is_in and is_container(z)][:3]
    moved = [
        [*list(z)[:place], end, *list(z)[place + 1 :]]
        for z in members
        for end in ends
        for place in range(len(z))
    ]
    return [*fresh, *moved]


@pytest.mark.parametrize("name", LAWS)
def test_sentence_expression_and_code_are_one_set(name: str, dp_rng: np.random.Generator) -> None:
    """It must hold for all that is proposed, on fresh outputs of any law, and at the ends."""
    encoder, events = proposed(LAWS[name], dp_rng)
    assert events
    strangers = [z for law in LAWS.values() for z in law(1.0, 60, dp_rng)]
    fresh = [*LAWS[name](0.0, 200, dp_rng), *strangers]
    for event in events:
        outputs = ends_hit(event, encoder, fresh)
        assert disagreements(event, encoder, outputs) == []


def off_by_one(event: Readable) -> Readable:
    """The same event with a boundary that is a little wrong."""
    if isinstance(event, Union | Box):
        side = event.condition if isinstance(event, Union) else event.first
        low, low_closed, high, high_closed = side.intervals[0]
        finite = math.isfinite(low), math.isfinite(high)
        flipped = (low, low_closed ^ finite[0], high, high_closed ^ finite[1])
        wrong = replace(side, intervals=(flipped, *side.intervals[1:]))
        return Union(wrong) if isinstance(event, Union) else Box(wrong, event.second)
    if isinstance(event, Product):
        return replace(event, negative=not event.negative)
    if isinstance(event, Remainders):
        modulus = event.residues.modulus
        return replace(event, chosen=tuple(sorted((r + 1) % modulus for r in event.chosen)))
    assert isinstance(event, Names)
    return replace(event, labels=(*event.labels[:-1], "is 'another'"))


class Mixed:
    """Words of one event and code of another."""

    def __init__(self, words: Readable, code: Readable) -> None:
        self.words, self.code = words, code
        self.ends = words.ends

    def describe(self) -> tuple[str, str]:
        """Words of the one."""
        return self.words.describe()

    def holds(self, outcomes: Any) -> Any:
        """Code of the other."""
        return self.code.holds(outcomes)


@pytest.mark.parametrize(
    ("law", "kind"),
    [("scalars", Union), ("vectors", Product), ("boxed", Box), ("integers", Remainders),
     ("named", Names)],
)  # fmt: skip
def test_a_boundary_that_is_off_by_one_is_convicted(
    law: str, kind: type[Any], dp_rng: np.random.Generator
) -> None:
    """It must hold that the law above notices >= for >, another remainder, another name."""
    encoder, events = proposed(LAWS[law], dp_rng)
    event = next(e for e in events if isinstance(e, kind))
    fresh = ends_hit(event, encoder, list(LAWS[law](0.0, 300, dp_rng)))
    mixed: Any = Mixed(off_by_one(event), event)
    assert disagreements(mixed, encoder, fresh)


@pytest.mark.parametrize("name", LAWS)
def test_an_event_says_as_values_what_it_is(name: str, dp_rng: np.random.Generator) -> None:
    """It must hold that JSON takes them, with the kind's name first and no infinity."""
    for event in proposed(LAWS[name], dp_rng)[1]:
        told = event.as_json()
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert told["kind"] in KINDS
        assert event.pieces >= 1
        assert event.with_ends(event.ends).describe() == event.describe()


def signs(data: float, size: int, rng: np.random.Generator) -> Any:
    """Two coordinates, of which the sign of the product tells."""
    a, b = rng.normal(size=(2, size))
    turn = (a * b < 0) & (rng.random(size) < 0.8) & (data == 1)
    return np.column_stack([np.where(turn, -a, a), b])


def few_intervals(data: float, size: int, rng: np.random.Generator) -> Any:
    """Uniform draws that leave three intervals when 0."""
    u = rng.random(size)
    move = (u * 3 % 1 < 0.1) & (rng.random(size) < 0.9) & (data == 0)
    return np.where(move, rng.random(size), u)


def digits(data: float, size: int, rng: np.random.Generator) -> Any:
    """Integers whose last digit tells."""
    return 10 * rng.integers(10**6, size=size) + 4 * int(data)


FOUND: dict[str, tuple[Law, str]] = {
    "names": (named, r"output is 'c or d'|output is None"),
    "intervals": (few_intervals, r"output <= 0\.0\d+ or 0\.\d+ < output <= 0\.\d+"),
    "remainders": (digits, r"^output mod (5|10) is 4$"),
    "product": (signs, r"^the product of output\[0\] and output\[1\] is (negative|positive)$"),
    "box": (boxed, r"^0\.\d+ < output\[0\] <= 0\.\d+ and 0\.\d+ < output\[1\] <= 0\.\d+$"),
}


def three_signs(data: float, size: int, rng: np.random.Generator) -> Any:
    """Three coordinates, no two of which tell: the sign of the product of all does."""
    values = rng.normal(size=(size, 3))
    turn = (values.prod(axis=1) < 0) & (rng.random(size) < 0.8) & (data == 1)
    values[turn, 0] *= -1
    return values


@pytest.mark.parametrize("sign", ["negative", "positive"])
def test_a_sign_of_three_is_proposed_and_is_the_strongest(
    sign: str, dp_rng: np.random.Generator
) -> None:
    """It must hold where no box and no pair of them tells, and of the arm that has too many."""
    data, neighbor = arms_of(three_signs, dp_rng)
    arms = replace(data if sign == "negative" else neighbor, line=(1.2, 0.0))

    def z(event: Readable) -> float:
        return float(arms.z(*(np.array(event.holds(arm).sum()) for arm in arms.both)))

    best = max(proposals(arms), key=z)
    words = f"the product of output[0], output[1] and output[2] is {sign}"
    cuts = [0.0] * 3
    assert best.with_ends(cuts).describe()[0] == words
    assert best.ends == pytest.approx(cuts, abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_target_on_which_it_is_told(kind: str) -> None:
    """It must hold for the audit as a whole: the violation is of this kind, and is told so."""
    law, words = FOUND[kind]
    settings = Settings(seed=3, false_alarm=0.05, ideal=True, budget_samples=400_000)
    result = audit(target(law), claim("1/2"), [Pair("0 and 1", 0.0, 1.0)], settings)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness.stated is not None
    assert result.witness.stated["kind"] == kind, result.witness.event
    assert re.search(words, result.witness.event), result.witness.event


def test_an_interval_that_would_be_empty_is_none() -> None:
    """It must hold that rounding cannot turn a condition into another kind of set."""
    one = Condition(0, "output", None, ((0.1, False, 0.2, True), (0.3, False, math.inf, False)))
    assert one.ends == (0.1, 0.2, 0.3)
    assert one.with_ends(iter([0.0, 0.2, 0.3])).describe()[0].startswith("0.0 < output <= 0.2 or ")
    for wrong in ([0.2, 0.2, 0.3], [0.3, 0.2, 0.3], [0.1, 0.3, 0.3], [0.1, 0.4, 0.3]):
        with pytest.raises(ValueError, match=r"^$"):
            one.with_ends(iter(wrong))
