"""Tables of sums: ends that are checked by what they claim, and the standing of other claims."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from audit.accounting.enclosed_total import directions_of as plan_directions
from audit.accounting.release_plan import read_steps
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from proofs_check.tables.accountants import TABLE as ACCOUNTANTS
from proofs_check.tables.composition import TABLE
from proofs_check.tables.enclosed_sums import goal_of
from proofs_check.tables.mechanism_words import directions_of, mechanism_words
from proofs_check.tables.storage import compare, read_stored, write_csv
from proofs_check.tables.table import Built

STORED = Path(__file__).parents[3] / "docs" / "reference" / "tables"
Record = dict[str, str]


def stored(name: str) -> list[Record]:
    """Rows of a stored table."""
    path = STORED / f"{name}.csv"
    table = TABLE if name == "composition" else ACCOUNTANTS
    return [dict(row) for row in read_stored(table, path.read_text(encoding="utf-8"), str(path))]


def named(record: Record) -> set[str]:
    """Columns of a row that do not hold."""
    return {one.column for one in compare(TABLE, [record])}


def made(steps: str) -> Record:
    """A row of one sum, as it is stored."""
    texts = {"steps": steps, "k": "1", "relation": "add-remove", "delta": "1e-5"}
    row = TABLE.row({key.name: key.read(texts[key.name]) for key in TABLE.keys})
    return dict(read_stored(TABLE, write_csv(Built(TABLE, (row,))), "made")[0])


ROW = made("gaussian sigma=5")
ENDS = ("epsilon lower", "epsilon upper")


def moved(end: str, by: str) -> Record:
    """The row with another end, and the width that it would have."""
    changed = ROW | {end: str(float(ROW[end]) * float(by))}
    lower, upper = (Fraction(changed[end]) for end in ENDS)
    return changed | {"width": f"{float((upper - lower) / upper) * 1.001:.1e}"}


CHANGES = {
    "lower end above the number": moved("epsilon lower", "1.0000000001"),
    "upper end below it": moved("epsilon upper", "0.9999999999"),
    "no number": ROW | {"epsilon upper": "nan"},
    "infinite": ROW | {"epsilon upper": "inf"},
    "a quotient": ROW | {"epsilon lower": "1/3"},
    "empty": ROW | {"epsilon lower": ""},
    "below 0": ROW | {"epsilon lower": "-1"},
    "ends exchanged": ROW | {ENDS[0]: ROW[ENDS[1]], ENDS[1]: ROW[ENDS[0]]},
    "of another delta": ROW | {"delta": "2e-5"},
    "of one more": ROW | {"k": "2"},
    "of other neighbors": ROW | {"relation": "swap"},
}


def test_an_end_that_is_none_is_named(subtests: pytest.Subtests) -> None:
    """It must be, and the row as it stands holds."""
    for name in CHANGES:
        with subtests.test(name=name):
            assert named(ROW) == set()
            assert named(CHANGES[name]) & set(ENDS)


def test_ends_further_apart_hold_with_their_own_width_alone() -> None:
    """It must hold that they are ends, that the width is theirs, and that they miss the goal."""
    wide = ROW | {"epsilon lower": "0.5", "epsilon upper": "1"}
    assert named(wide) == {"width", "goal"}
    assert named(wide | {"width": "0.50"}) == {"goal"}
    assert named(wide | {"width": "0.50", "goal": "MISSED"}) == set()
    assert named(ROW | {"engine": "transform"}) == {"engine"}


def test_a_goal_is_that_of_its_engine() -> None:
    """It must hold on both sides of each."""
    for engine, width in (("closed form", "1e-10"), ("transform", "1e-6"), ("lattice", "1e-6")):
        assert goal_of(engine, Fraction(width)) == "met"
        assert goal_of(engine, Fraction(width) * Fraction(11, 10)) == "MISSED"
    assert goal_of("transform and the closed form", Fraction("1e-7")) == "met"


def test_every_stored_row_is_as_near_as_is_asked_for() -> None:
    """It must hold of at least 200 sums, by the ends and the engine that are stored."""
    rows = stored("composition")
    assert len(rows) >= 200
    for row in rows:
        lower, upper = (Fraction(row[end]) for end in ENDS)
        assert goal_of(row["engine"], (upper - lower) / upper) == row["goal"] == "met", row


def _step(words: str) -> dict[str, object]:
    count, _, rest = words.rpartition(" of ")
    name, *pairs = rest.split()
    step: dict[str, object] = {"event": name, "count": int(count or 1)}
    for pair in pairs:
        word, value = pair.split("=")
        step[word] = int(value) if value.isdecimal() else value
    needs = name not in ("randomized-response", "approx-dp")
    return step | ({"sensitivity": 1} if needs else {})


def test_words_of_tables_are_those_of_plans() -> None:
    """It must hold of every row that both make the same laws of its words."""
    for row in stored("composition"):
        relation = Relation(row["relation"])
        steps = [_step(words) for words in row["steps"].split(" + ")]
        plan = [step | {"count": step["count"] * int(row["k"])} for step in steps]  # type: ignore[operator]
        found = directions_of(row["steps"], int(row["k"]), row["relation"])
        assert found == plan_directions(read_steps(plan, relation), relation)
        assert mechanism_words(row["steps"]) == row["steps"]


WRONG = {
    "gauss sigma=5": "there is no mechanism 'gauss'",
    "gaussian": "gaussian has the parameters sigma, each once",
    "gaussian sigma=5 sigma=5": "gaussian has the parameters sigma, each once",
    "gaussian sigma=5 q=.1": "gaussian has the parameters sigma, each once",
    "gaussian sigma=0": "sigma must be greater than 0",
    "gaussian sigma=nan": "sigma",
    "0 of gaussian sigma=5": "a mechanism must be such as",
    "poisson-gaussian q=1 sigma=1": "q must be between 0 and 1",
    "randomized-response keep=.5 categories=1.5": "categories must be an integer",
    "approx-dp epsilon=1 delta=1": "delta must be at least 0 and less than 1",
    "": "a mechanism must be such as",
}


def test_wrong_words_are_told(subtests: pytest.Subtests) -> None:
    """The message must say what is wrong."""
    for text in WRONG:
        with subtests.test(text=text), pytest.raises(InvalidArgument, match=WRONG[text]):
            mechanism_words(text)


@pytest.mark.parametrize(
    ("steps", "relation"),
    [
        ("randomized-response keep=1/2 categories=2", "add-remove"),
        ("poisson-gaussian q=.1 sigma=1", "swap"),
    ],
)
def test_a_relation_that_a_mechanism_has_not_is_told(steps: str, relation: str) -> None:
    """It must never be converted in silence."""
    with pytest.raises(InvalidArgument, match=f"is not of relation {relation}"):
        directions_of(steps, 1, relation)


def standing(claimed: Fraction) -> str:
    """Of a claim for one Gaussian."""
    point = {
        "steps": "gaussian sigma=5",
        "k": Fraction(1),
        "relation": "add-remove",
        "delta": Fraction("1e-5"),
        "accountant": "library 1.0 accountant",
        "claimed": claimed,
    }
    return ACCOUNTANTS.columns[1].rounded(point, 5)[0]


LOWER, UPPER = (Fraction(ROW[end]) for end in ENDS)
STANDINGS = {
    "far above": (UPPER * Fraction(102, 100), "LOOSE, 1.0200 times what is lost"),
    "above": (UPPER * Fraction(1009, 1000), "SOUND"),
    "just above": (UPPER, "SOUND"),
    "below by rounding": (LOWER * (1 - Fraction(1, 10**12)), "BELOW BY ROUNDING"),
    "just below": (LOWER * (1 - Fraction(2, 10**9)), "UNSOUND, 1.0000 times that is lost"),
    "far below": (LOWER / 2, "UNSOUND, 2.0000 times that is lost"),
    "nothing": (Fraction(0), "UNSOUND, infinitely many times that is lost"),
}


def test_a_claim_stands_by_delta_at_its_epsilon(subtests: pytest.Subtests) -> None:
    """It must hold on both sides of what is lost."""
    for name in STANDINGS:
        with subtests.test(name=name):
            claimed, word = STANDINGS[name]
            assert standing(claimed) == word


KNOWN = {
    ("gaussian sigma=5", "swap", "RdpAccountant"),
    ("laplace scale=10", "swap", "RdpAccountant"),
    ("randomized-response keep=0.5 categories=2", "swap", "PLDAccountant"),
    ("poisson-gaussian q=0.01 sigma=1", "add-remove", "PLDAccountant"),
}
"""Of dp-accounting 0.6.0; of sampled Gaussians, for a small delta and many steps."""


def test_accountants_below_what_is_lost_are_those_that_are_known() -> None:
    """It must hold of the stored table, and of no other accountant, library or sum."""
    rows = [row for row in stored("accountants") if row["standing"].startswith("UNSOUND")]
    found = {(row["steps"], row["relation"], row["accountant"].split()[-1]) for row in rows}
    assert found == KNOWN
    assert all(row["accountant"].startswith("dp-accounting 0.6.0 ") for row in rows)
    sampled = [row for row in rows if row["steps"].startswith("poisson")]
    assert all(Fraction(row["delta"]) <= Fraction("1e-9") for row in sampled)
    assert not [row for row in stored("accountants") if row["standing"] == "INCONCLUSIVE"]


def test_a_stored_standing_is_decided_again() -> None:
    """It must hold of a claim that is loose and of one that is not, and of no other words."""
    for row in stored("accountants")[:2]:
        assert list(compare(ACCOUNTANTS, [row])) == []
        (one,) = compare(ACCOUNTANTS, [row | {"standing": "UNSOUND, 2 times that is lost"}])
        assert (one.column, one.right) == ("standing", row["standing"])
        (other,) = compare(ACCOUNTANTS, [row | {"claimed": "0.7"}])
        assert other.right.startswith("UNSOUND, 1.0364 times")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["composition", "accountants"])
def test_stored_tables_of_sums_hold(name: str) -> None:
    """Every cell must."""
    table = TABLE if name == "composition" else ACCOUNTANTS
    assert list(compare(table, stored(name))) == []
