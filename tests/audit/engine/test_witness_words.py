"""What is said of an event of many pieces: their number, and some that are in it."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

import numpy as np
import pytest

from audit.draws.encode import Encoder
from audit.draws.output_words import form, number, outcome
from audit.engine.partitions.column_table import ColumnTable
from audit.engine.partitions.line_pieces import MOST_PIECES_IN_WORDS
from audit.engine.sequential import Settings, audit
from audit.pairs.worst_cases import Pair
from audit.results.refutation import Witness
from tests.audit.engine.samplers import claim, target

SCRIPT = {"form": form, "number": number, "outcome": outcome}
NAMES = [
    *("a, b", "c or d", "e and f", "it's", "two\nlines", "x" * 10_000, "x" * 10_000 + "y"),
    *(True, False, None, "True", "such as", "(all are in the JSON)", math.nan, math.inf),
]
MIXED = [*NAMES, *(ValueError("x"), 0.0, 1.0, 2.5, -3.0, 7.25, 1e300)]


def table_of(values: list[Any]) -> tuple[Encoder, ColumnTable]:
    """A table of a single value, where each of some values is met often."""
    encoder = Encoder()
    drawn = values * 200
    encoder.fix_layout([drawn, drawn])
    arms = encoder.encode(drawn), encoder.encode(drawn)
    return encoder, ColumnTable.fit_columns(encoder, *arms)[0]


@pytest.mark.parametrize("values", [NAMES, MIXED], ids=["names", "mixed"])
def test_words_number_the_pieces_and_name_members(
    values: list[Any], dp_rng: np.random.Generator
) -> None:
    """It must hold of any cells that the expression is the set, and the words speak of it alone."""
    encoder, table = table_of(values)
    encoded = encoder.encode(values)
    lengths = []
    for _ in range(60):
        cells = dp_rng.random(table.size) < dp_rng.choice([0.3, 0.6, 0.95])
        cells[-1] = False
        weights = dp_rng.normal(size=table.size)
        words, expression = table.describe(cells, weights)
        test = eval(f"lambda z: {expression}", SCRIPT)
        inside = cells[table.codes(encoded)].tolist()
        assert [bool(test(z)) for z in values] == inside
        single = [np.arange(table.size) == cell for cell in np.flatnonzero(cells)]
        pieces = len(table.ends(cells)) + int(cells[table.ordered :].sum())
        found = re.match(r"(?:output is )?one of (\d+) (names|sets|intervals), such as ", words)
        assert (found is not None) == (pieces > MOST_PIECES_IN_WORDS)
        if found is None:
            continue
        lengths.append(len(words))
        assert int(found[1]) == pieces
        assert (found[2] == "names") == (
            not cells[: table.ordered].any() and "raises" not in expression
        )
        if found[2] == "names":
            best = sorted(single, key=lambda one: -float(weights[one].sum()))[:3]
            named = [table.describe(one)[0].removeprefix("output is ") for one in best]
            assert words[found.end() :] == (
                f"{named[0]}, {named[1]} and {named[2]} (all are in the JSON)"
            )
    assert lengths
    assert max(lengths) < 450
    assert "\n" not in words


def stripes(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A bit that is kept in 85 of 100 draws, in which half of 20 stripes a draw lies."""
    cell = np.floor(rng.normal(0, 2.5, size))
    bit = (rng.random(size) < 0.85) == (data == 1)
    return cell + 0.5 * bit + 0.5 * rng.random(size)


def tokens(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A name of 2,000, of which the other data set has none."""
    return [f"tok{2 * k + int(data)}" for k in rng.integers(2_000, size=size).tolist()]


def witness_of(law: Any, seed: int) -> Witness:
    """Of a refuted claim."""
    settings = Settings(seed=seed, false_alarm=0.05, ideal=True, budget_samples=400_000)
    result = audit(target(law), claim(1), [Pair("0 and 1", 0, 1)], settings)
    assert result.witness is not None
    return result.witness


@pytest.mark.long
@pytest.mark.parametrize(("seed", "intervals"), [(1, 3), (2, 3), (3, 11)])
def test_of_many_stripes_three_are_told_where_they_are_as_strong(seed: int, intervals: int) -> None:
    """It must hold that fresh draws confirm what is told; where three are weaker, all are."""
    witness = witness_of(stripes, seed)
    assert witness.intervals is not None
    assert len(witness.intervals) == intervals
    assert witness.confirmed
    assert ("such as" in witness.event) == (intervals > MOST_PIECES_IN_WORDS)


@pytest.mark.long
def test_names_beyond_a_sentence_are_in_the_json_and_in_the_script() -> None:
    """It must hold that a reader has their number and three, and a machine all of them."""
    witness = witness_of(tokens, 2)
    assert witness.stated is not None
    labels = witness.stated["labels"]
    assert isinstance(labels, list)
    assert len(labels) > MOST_PIECES_IN_WORDS
    assert witness.event.startswith(f"output is one of {len(labels)} names, such as 'tok")
    assert len(witness.event) < 120
    shown = re.findall(r"'tok\d+'", witness.event)
    assert len(shown) == 3
    assert {f"is {name}" for name in shown} <= set(labels)
    (listed,) = re.findall(r"return outcome\(z\) in (\[.+\])", witness.rerun)
    assert ast.literal_eval(listed) == labels
