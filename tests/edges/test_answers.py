"""An answer is its values and their labels, in their order; what is not looked at is said."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import audit
import audit.scripts
from audit.draws.hidden_values import HIDES, UNSEEN, FacesSeen
from audit.draws.layers import flatten
from audit.draws.leaf_words import label_of
from audit.draws.output_words import detail_of
from audit.draws.portable import portable_draw
from tests.edges.answer_objects import Short, Slotted
from tests.edges.answers import DIFFER, HIDE, ONE, ROWS, UNSEEN_FACES, AnswerRow
from tests.slow import by_default, one_in

SCRIPT = {name: getattr(audit.scripts, name) for name in audit.scripts.__all__}


def encoding(z: Any) -> Any:
    """All that an audit takes from an answer."""
    leaves, shape = flatten(z)
    return shape, [(label_of(leaf)[0], repr(label_of(leaf)[1]), detail_of(leaf)) for leaf in leaves]


def target(row: AnswerRow, **kept: Any) -> Callable[[Any, np.random.Generator], Any]:
    """The first answer on the data, the second on the neighbor, and a fair coin beside it."""
    made = {0: row.first, 1: row.second}
    return lambda data, rng: (made[int(data[0])](), int(rng.integers(2)) ^ int(data[0]))


def audited(draw: Callable[..., Any], budget: int) -> audit.AuditResult:
    """Audit at one pair, so coarsely that a run that finds nothing is CONSISTENT."""
    result = audit.audit(
        draw,
        epsilon=1,
        relation="listed",
        pair=[([0], [1])],
        seed=1,
        budget_samples=budget,
        resolution=6,
        false_alarm=0.05,
    )
    assert isinstance(result, audit.AuditResult)
    return result


def holds(expression: str, z: Any) -> bool:
    """Whether an answer is in the event of a script."""
    return bool(eval(expression, SCRIPT | {"z": z}))


def test_there_are_sixty_kinds() -> None:
    """It must hold that the table is as long as it says, and names no kind twice."""
    assert len(ROWS) >= 60
    assert len({row.kind for _, row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=lambda row: row.kind)
def test_an_answer_travels_as_it_is(row: AnswerRow) -> None:
    """It must hold that what leaves the process of the target is encoded as the answer is."""
    for z in (row.first(), row.second()):
        assert encoding(portable_draw(z)) == encoding(z)
        assert encoding(portable_draw([z, 0])) == encoding([z, 0])


@pytest.mark.parametrize("row", by_default(DIFFER[::4], DIFFER), ids=lambda row: row.kind)
def test_answers_that_differ_are_refuted(row: AnswerRow) -> None:
    """It must hold within 1,000 draws, and the expression is true of one answer alone."""
    result = audited(target(row), 3_000)
    assert result.verdict == "REFUTED"
    assert result.samples <= 1_000
    assert result.witness is not None
    answers = [target(row)([side], np.random.default_rng(0)) for side in (0, 1)]
    told = [holds(result.witness.expression, z) for z in answers]
    assert told == [holds(result.witness.expression, portable_draw(z)) for z in answers]
    assert sorted(told) == [False, True]


@pytest.mark.parametrize("row", ONE, ids=lambda row: row.kind)
def test_one_answer_has_one_encoding(row: AnswerRow) -> None:
    """It must hold however it is written down."""
    assert encoding(row.first()) == encoding(row.second())


@pytest.mark.parametrize(
    "row", [row for row in HIDE if "the same" in row.kind], ids=lambda r: r.kind
)
def test_unequal_objects_of_one_text_are_said(row: AnswerRow) -> None:
    """It must hold wherever they stand in an answer."""
    seen = FacesSeen()
    seen.look(None, [row.first(), row.second()])
    assert any(remark.startswith(f"{HIDES}Short have") for remark in seen.remarks)


@pytest.mark.parametrize("row", UNSEEN_FACES, ids=lambda row: row.kind)
def test_a_face_that_is_not_looked_at_is_named(row: AnswerRow) -> None:
    """It must hold that answers that differ in it alone are one, and that a remark says so."""
    assert encoding(row.first()) == encoding(row.second())
    seen = FacesSeen()
    seen.look(None, [row.first()])
    seen.look(None, [row.second()])
    assert UNSEEN + row.note in seen.remarks
    assert not any(remark.startswith(HIDES) for remark in seen.remarks)


@pytest.mark.long
@pytest.mark.parametrize("row", one_in(4, [*ONE, *UNSEEN_FACES]), ids=lambda row: row.kind)
def test_a_run_on_one_answer_finds_nothing_and_says_what_it_did_not_see(row: AnswerRow) -> None:
    """It must hold that the two answers are not told apart, and the report names the face."""
    result = audited(target(row), 12_000)
    assert result.verdict == "CONSISTENT"
    assert not row.note or UNSEEN + row.note in result.notes


@pytest.mark.long
@pytest.mark.parametrize("row", one_in(3, HIDE), ids=lambda row: row.kind)
def test_texts_that_hide_values_are_inconclusive(row: AnswerRow) -> None:
    """It must hold that nothing is said of what cannot be seen."""
    result = audited(target(row), 3_000)
    assert result.verdict == "INCONCLUSIVE"
    assert "cannot be seen" in result.reason


@pytest.mark.long
def test_the_sentence_of_a_text_that_hides_values() -> None:
    """It must hold that the type is named, and what to do."""
    result = audited(target(HIDE[0]), 3_000)
    assert result.reason == (
        "two answers of type Short have the same text and are not equal: what they hold cannot be "
        "seen; return it"
    )


KEPT = Short(0.0)


@pytest.mark.long
def test_one_object_that_changes_hides_its_value_too() -> None:
    """It must hold where a target gives the same object again and again."""

    def draw(data: Any, rng: np.random.Generator) -> Any:
        KEPT.value = float(data[0])
        return [KEPT, int(rng.integers(2))]

    assert audited(draw, 3_000).reason.startswith("two answers of type Short")


def test_equal_objects_with_a_short_text_hide_nothing() -> None:
    """It must hold that no more than unequal objects is taken for a hidden value."""
    seen = FacesSeen()
    for _ in range(3):
        seen.look(None, [Short(1.0), Slotted(2.0), {float("nan")}])
    assert not seen.remarks


def test_a_hundred_and_twenty_comparisons_are_made() -> None:
    """It must hold that a slow `==` is asked no more often."""
    asked = []

    class Counted(Short):
        def __eq__(self, other: object) -> bool:
            asked.append(other)
            return True

        __hash__ = Short.__hash__

    seen = FacesSeen()
    for _ in range(20):
        seen.look(None, [Counted(1.0) for _ in range(20)])
    assert len(asked) <= 2 * 120 + 2


def noisy(make: Callable[[int, float], Any]) -> Callable[..., Any]:
    """Answers of which a label, or the order, tells, with right noise on the number."""
    return lambda data, rng: make(int(data[0]), float(rng.laplace()))


WORDS: dict[str, tuple[Callable[[int, float], Any], tuple[str, ...], tuple[str, ...]]] = {
    "label": (
        lambda side, x: pd.Series([x, 1.0], index=["N", "SW"[side]]),
        ("the label of row 1 is 'S'", "the label of row 1 is 'W'"),
        ("label(z, 1) == \"is 'S'\"", "label(z, 1) == \"is 'W'\""),
    ),
    "number": (
        lambda side, x: pd.DataFrame({"n": [x, x]}, index=[0.25, 0.5 + side]),
        ("the label of row 1 <= 1.0", "the label of row 1 > 1.0"),
        ("number(z, 3) <= 1.0", "number(z, 3) > 1.0"),
    ),
    "level": (
        lambda side, x: pd.Series([x], index=pd.MultiIndex.from_tuples([("a", "bc"[side])])),
        ("the label of row 0, level 1 is 'b'", "the label of row 0, level 1 is 'c'"),
        ("label(z, 0, 1) == \"is 'b'\"", "label(z, 0, 1) == \"is 'c'\""),
    ),
    "order": (
        lambda side, x: {"S": x, "N": x} if side else {"N": x, "S": x},
        ("the keys come as 'N', 'S'", "the keys come as 'S', 'N'"),
        ("key_order(z) == \"'N', 'S'\"", "key_order(z) == \"'S', 'N'\""),
    ),
    "order within": (
        lambda side, x: [{"S": x, "N": x} if side else {"N": x, "S": x}],
        ("output[2]: the keys come as 'N', 'S'", "output[2]: the keys come as 'S', 'N'"),
        ("outcome(z, 2) == \"come as 'N', 'S'\"", "outcome(z, 2) == \"come as 'S', 'N'\""),
    ),
    "stored": (
        lambda side, x: sp.csr_matrix([[0, 1.0], [3 * side + 2, x]]),
        ("stored value 1 <= 2.0", "stored value 1 >= 5.0"),
        ("number(z, 5) <= 2.0", "number(z, 5) >= 5.0"),
    ),
    "form": (
        lambda side, x: pd.Series([x], name="ab"[side]),
        ("output has length 1 named 'a'", "output has length 1 named 'b'"),
        ("form(z) == \"has length 1 named 'a'\"", "form(z) == \"has length 1 named 'b'\""),
    ),
}


@pytest.mark.parametrize("name", list(WORDS))
def test_words_of_a_witness(name: str) -> None:
    """It must hold that sentence and script name the label, the order, the entry or the form."""
    make, sentences, expressions = WORDS[name]
    result = audited(noisy(make), 3_000)
    assert result.witness is not None
    assert result.witness.event in sentences
    assert result.witness.expression in expressions
    assert result.witness.expression in result.witness.rerun


@pytest.mark.long
@pytest.mark.parametrize("name", ["label", "order"])
def test_the_script_of_a_label_counts_what_the_report_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of labels and orders, which are certain on one side and never on the other."""
    (tmp_path / "told.py").write_text(
        "import pandas as pd\n"
        "def label(data, rng):\n"
        "    return pd.Series([rng.laplace(), 1.0], index=['N', 'SW'[int(data[0])]])\n"
        "def order(data, rng):\n"
        "    keys = 'NS' if data[0] else 'SN'\n"
        "    return {key: rng.laplace() for key in keys}\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = audited(f"told.py:{name}", 3_000)  # type: ignore[arg-type]
    assert result.witness is not None
    exec(compile(result.witness.rerun, "script", "exec"), {"__name__": "script"})
    sys.modules.pop("told", None)
    draws = result.witness.draws
    counts = {"data": (draws, 0), "neighbor": (0, draws)}[result.witness.likelier]
    told = f"{counts[0]} of {draws} draws on D, {counts[1]} of {draws} on D'\n"
    assert capsys.readouterr().out == told


def records(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A table whose rows are the draws, with right noise and labels that tell."""
    side = int(data[0])
    first, second = rng.geometric(1 - np.exp(-1.0), size=(2, size))
    return pd.DataFrame({"a": side + first - second}, index=["xy"[side]] * size)


@pytest.mark.long
def test_the_index_of_a_table_of_draws_is_not_looked_at_and_said() -> None:
    """It must hold that rows are draws, and that the report says what was left out."""
    result = audited(records, 12_000)
    assert result.verdict == "CONSISTENT"
    assert UNSEEN + "the index of a table whose rows are the draws" in result.notes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_twins_with_labels_fixed_in_advance_are_not_refuted(seed: int) -> None:
    """It must hold of every kind of answer: the same label on both sides, and right noise."""
    for row in DIFFER:

        def draw(data: Any, rng: np.random.Generator, row: AnswerRow = row) -> Any:
            return [row.first(), rng.laplace() + data[0]]

        result = audit.audit(
            draw,
            epsilon=1,
            relation="listed",
            pair=[([0], [1])],
            seed=seed,
            budget_samples=2_000,
            ideal=True,
        )
        assert result.verdict != "REFUTED", row.kind
