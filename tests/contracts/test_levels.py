"""What every kind of claim keeps, whatever it promises (`audit.levels`)."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.engine.privacy_sentences import limits_words
from audit.levels import LEVELS, LIMITS, grid_of, kind_of, line_of
from audit.levels.claim_records import claim_record, level_from
from audit.levels.implication import implies
from audit.levels.kind import Grid, LevelKind
from audit.levels.statement import stated_level
from audit.levels.supporting_lines import LineGrid
from audit.results.verdict import Limits
from mechanisms import claims
from mechanisms.claims import Level, Order, PersonalizedDP, PrivacyClaim, Relation, Source
from tests.audit.results import BY_LEVEL

each_kind = pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)


def stated(level: Level) -> PrivacyClaim:
    """A claim of a level."""
    return PrivacyClaim(level, Relation.LISTED, Source("test", "stated"))


def grids(level: Level) -> Grid:
    """The grid around a level, of its first user where it has users."""
    return grid_of(stated(level), user=0 if isinstance(level, PersonalizedDP) else None)


def test_every_level_is_of_one_kind() -> None:
    """It must hold that the kinds are those of the vocabulary, each with a name of its own."""
    named = [value for value in vars(claims).values() if isinstance(value, type)]
    stated = {value for value in named if issubclass(value, Level)} - {Level}
    assert stated <= {kind.level for kind in LEVELS}
    assert len({kind.level for kind in LEVELS}) == len(LEVELS)
    assert len({kind.name for kind in LEVELS}) == len(LEVELS)
    assert len({kind.words for kind in LEVELS}) == len(LEVELS)


@each_kind
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_level_implies_itself(kind: LevelKind, data: st.DataObject) -> None:
    """It must hold that examples are of the kind, and imply themselves and not what is stronger."""
    level = data.draw(kind.example(st))
    assert type(level) is kind.level
    assert kind_of(level) is kind
    claim = stated(level)
    assert implies(claim, Order.FREE, claim, Order.FREE)
    assert not implies(claim, Order.FIXED, claim, Order.FREE)


@each_kind
@given(data=st.data())
def test_a_level_is_written_and_read(kind: LevelKind, data: st.DataObject) -> None:
    """It must hold that its record, and its words, make it again."""
    level = data.draw(kind.example(st))
    record = claim_record(stated(level))
    named = {item.name: record[item.name] for item in fields(level)}
    assert record["level"] == kind.name
    assert level_from(kind.name, named) == level
    values = [getattr(level, item.name) for item in fields(level)]
    assert kind.make(*values) == level
    words = list(zip(kind.words, values, strict=True))
    assert stated_level(**{word.name: value for word, value in words}) == level
    assert stated_level(**{word.name: word.kind.read(value) for word, value in words}) == level


@each_kind
@given(data=st.data())
def test_a_grid_is_nested(kind: LevelKind, data: st.DataObject) -> None:
    """It must hold that later points of an axis allow more, and that the claim is one of them."""
    level = data.draw(kind.example(st))
    grid = grids(level)
    names = [axis.name for axis in grid.axes if axis.name]
    assert names == [limit.name for limit in kind.limits]
    assert set(names) <= LIMITS.keys()
    if isinstance(grid, LineGrid):
        q = np.linspace(0, 1, 11)[:, None, None]
        allowed = np.minimum(grid.slopes * q + grid.offsets, 1).min(axis=1)
    else:
        allowed = grid.divergences
    start = 0
    for axis in grid.axes:
        own = allowed[:, start : start + axis.values.size]
        assert np.all(np.diff(axis.values) > 0)
        assert np.all(np.diff(own, axis=1) >= -1e-12)
        start += axis.values.size
    assert start == grid.points > grid.claimed
    for limit in kind.limits:
        axis = next(axis for axis in grid.axes if axis.name == limit.name)
        if limit.claimed is not None:
            assert float(limit.claimed(level)) in axis.values


@each_kind
@given(data=st.data())
def test_a_line_is_the_point_of_the_claim(kind: LevelKind, data: st.DataObject) -> None:
    """It must hold that a claim that is one line is bet against at that line."""
    level = data.draw(kind.example(st))
    line = line_of(level)
    if line is None:
        return
    grid = grids(level)
    assert isinstance(grid, LineGrid)
    assert grid.slopes[:, grid.claimed] == pytest.approx([np.exp(float(line[0]))])
    assert grid.offsets[:, grid.claimed] == [float(line[1])]


@each_kind
def test_a_report_says_each_limit(kind: LevelKind) -> None:
    """It must hold that the tests have a result of the kind, and that its limits are said."""
    result = BY_LEVEL[kind.name]
    assert type(result.claim.level) is kind.level
    limits = Limits(tuple((limit.name, 0.25) for limit in kind.limits))
    words = limits_words(replace(result, limits=limits))
    for limit in kind.limits:
        assert limit.words.partition("{}")[0] in words
    assert kind.limits or words == "nothing is known to be exceeded"
