"""What every kind of claim does in an audit: a true claim stands, one a little too small falls.

The mechanisms meet their claims with equality. Of a kind without a mechanism of the corpus the test
states one here; a new kind is asked by itself, and needs either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

import audit
from audit.levels import LEVELS, kind_of
from audit.levels.implication import implies
from audit.levels.kind import LevelKind
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from mechanisms.claims import Level, Order, PrivacyClaim, Relation, Source, TradeOff
from mechanisms.corpus.registry import build_corpus
from mechanisms.errors import InvalidArgument
from tests.slow import one_in

TENTH = Fraction(1, 10)
WITHOUT = {
    "trade-off": ("corpus.uniform-window", TradeOff(((0, 1 - TENTH), (1 - TENTH, 0), (1, 0))))
}
"""Of kinds without a null: a mechanism, and the claim that it meets with equality.

Of two windows of ten values a tenth of each lies outside of the other, so a test of level a has
error max(0, 9/10 - a) of the second kind, and none has less.
"""

each_kind = pytest.mark.parametrize("kind", LEVELS, ids=lambda kind: kind.name)


def null_of(kind: LevelKind) -> tuple[str, Level]:
    """A mechanism that meets a claim of the kind with equality, and the claim."""
    if kind.name in WITHOUT:
        return WITHOUT[kind.name]
    return kind.null, build_corpus(kind.null).claim.level


def stated(level: Level) -> PrivacyClaim:
    """A claim about the mechanism's own pairs."""
    return PrivacyClaim(level, Relation.LISTED, Source("test", "stated"))


def is_stronger(level: Level, other: Level) -> bool:
    """Whether one level implies another, and not the other way round."""
    one, two = stated(level), stated(other)
    return implies(one, Order.FREE, two, Order.FREE) and not implies(
        two, Order.FREE, one, Order.FREE
    )


def scaled(value: Any, factor: Fraction) -> Any:
    """A number, or all numbers of a tuple, times a factor; errors of a curve move towards 1."""
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return tuple((a, 1 - a - factor * (1 - a - b) if b else b) for a, b in value)
        return tuple(scaled(one, factor) for one in value)
    return value * factor


def smaller(level: Level, factor: Fraction) -> Level:
    """A claim of the same kind that is stronger: as many of its numbers as can be are scaled."""
    names = [part.name for part in fields(level)]
    for count in range(len(names), 0, -1):
        for chosen in combinations(names, count):
            values = {
                name: scaled(getattr(level, name), factor)
                if name in chosen
                else getattr(level, name)
                for name in names
            }
            try:
                made = kind_of(level).make(*values.values())
            except InvalidArgument:
                continue  # such as an order of at most 1
            if is_stronger(made, level):
                return made
    msg = f"{level} has no smaller claim of its kind"
    raise AssertionError(msg)


def audited(kind: LevelKind, level: Level, samples: int) -> AuditResult:
    """Audit the mechanism of a kind at a level."""
    name, _ = null_of(kind)
    claim = stated(level)
    return audit.audit(name, claim, seed=1, budget_samples=samples, ideal=True, resolution=4)


def reached(kind: LevelKind, result: AuditResult) -> Iterator[tuple[float, float]]:
    """The lower limits of a result, each with what the true claim says."""
    _, level = null_of(kind)
    for limit in kind.limits:
        if limit.claimed is not None and limit.name in dict(result.limits):
            yield result.limits[limit.name], float(limit.claimed(level))


@pytest.mark.long
@each_kind
def test_a_kind_has_a_null(kind: LevelKind) -> None:
    """It must hold that a mechanism promises a claim of this kind, and of no other."""
    assert bool(kind.null) != (kind.name in WITHOUT)
    _, level = null_of(kind)
    assert kind_of(level) is kind


@pytest.mark.long
@pytest.mark.parametrize("kind", one_in(3, LEVELS), ids=lambda kind: kind.name)
def test_the_null_is_kept(kind: LevelKind) -> None:
    """It must hold that a claim that is met with equality is not refuted, nor a limit above it."""
    _, level = null_of(kind)
    result = audited(kind, level, 20_000)
    assert result.verdict is not Verdict.REFUTED
    assert all(limit < true for limit, true in reached(kind, result))


@pytest.mark.long
@pytest.mark.parametrize("kind", one_in(3, LEVELS), ids=lambda kind: kind.name)
def test_a_smaller_claim_is_refuted(kind: LevelKind) -> None:
    """It must hold that half of what is true is refuted by the same mechanism."""
    _, level = null_of(kind)
    result = audited(kind, smaller(level, Fraction(1, 2)), 400_000)
    assert result.verdict is Verdict.REFUTED


@pytest.mark.slow
@each_kind
def test_a_slightly_smaller_claim_is_refuted(kind: LevelKind) -> None:
    """It must hold that four fifths of what is true are refuted with more draws."""
    _, level = null_of(kind)
    result = audited(kind, smaller(level, Fraction(4, 5)), 8_000_000)
    assert result.verdict is Verdict.REFUTED
