"""Whatever can add up a list must agree: engines with each other, and with the recheck."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.accounting.enclosed_total import directions_of
from audit.accounting.exact_steps import exact_step
from audit.accounting.release_plan import read_steps
from audit.certificate.accounts import lost_together
from audit.certificate.certificate_form import TooLarge
from mechanisms.claims import Relation
from proofs_check.composition.choice import Disagreement, check_overlap
from proofs_check.composition.closed_forms import closed_form
from proofs_check.composition.group import Bracket
from proofs_check.composition.parts import Part, Profile
from proofs_check.composition.sums import lattice_of, steps_of
from proofs_check.composition.transform import Transform, transform_of
from proofs_check.enclosure import Balls, endpoints
from tests.audit.accounting.plans import composed
from tests.audit.accounting.test_laws import noises

DELTA = Fraction("1e-5")
FEW = settings(max_examples=5, deadline=None)
"""Each example is a composition or two, of a tenth of a second."""
EXPONENT = 40.0
"""Tails that a lattice leaves out are below exp(-40)."""

Words = dict[str, Any]


def engines(parts: tuple[Part, ...]) -> Iterator[Profile]:
    """All that takes these parts, the lattice at two distances of its nodes."""
    form, transform = closed_form(parts), transform_of(parts, DELTA)
    lattices = (lattice_of(parts, step, EXPONENT) for step in list(steps_of(parts, EXPONENT))[2:4])
    yield from (one for one in (form, transform, *lattices) if one is not None)


def excludes(one: Profile, other: Profile) -> bool:
    """Whether two enclosures cannot be of one sum."""
    try:
        check_overlap(one, other, DELTA)
    except Disagreement:
        return True
    return False


@FEW
@given(noises(), st.integers(1, 12), st.sampled_from([Relation.ADD_REMOVE, Relation.SWAP]))
def test_all_engines_overlap(step: Words, count: int, relation: Relation) -> None:
    """It must hold of every two of them, and not if one of them adds up one release more."""
    (parts, more) = (
        directions_of(read_steps([step | {"count": n}], relation), relation)[0].parts
        for n in (count, count + 1)
    )
    found = list(engines(parts))
    assert len(found) >= 2
    assert not any(excludes(one, other) for one, other in itertools.combinations(found, 2))
    assert any(excludes(found[0], other) for other in engines(more))


CERTIFIED = st.one_of(
    noises(),
    st.builds(
        lambda keep, k: {"event": "randomized-response", "keep": str(keep), "categories": k},
        st.fractions("1/10", "9/10", max_denominator=10),
        st.integers(2, 6),
    ),
    st.builds(
        lambda e, d: {"event": "approx-dp", "epsilon": str(e), "delta": d},
        st.fractions("1/10", 2, max_denominator=10),
        st.sampled_from(["0", "1/1000000", "1/1000"]),
    ),
)


@pytest.mark.long
@settings(FEW, max_examples=10)
@given(CERTIFIED, st.integers(1, 12), st.fractions(0, 4, max_denominator=50))
def test_the_recheck_is_no_less_than_the_lower_end(
    step: Words, count: int, epsilon: Fraction
) -> None:
    """It must hold at every epsilon; and it is no more than the upper end, of what is one law."""
    read = read_steps([step | {"count": count}], Relation.SWAP)
    ends = composed([step | {"count": count}], "swap").delta(epsilon)
    try:
        found = lost_together([exact_step(one) for one in read], "swap", epsilon, DELTA)
    except TooLarge:
        return
    assert found.delta >= ends[0]
    if found.is_whole:
        assert found.delta <= ends[1] + Fraction(1, 10**30)
    else:
        assert step["event"] == "laplace"


masses = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), min_size=3, max_size=5)


def law(rows: list[tuple[int, int]]) -> Words:
    """A listed law with these weights."""
    p, q = ([row[side] for row in rows] for side in (0, 1))
    sides = {"p": [f"{x}/{sum(p)}" for x in p], "q": [f"{y}/{sum(q)}" for y in q]}
    return {"event": "law", **sides}


def directions(rows: list[tuple[int, int]]) -> list[Transform]:
    """What the transform finds of a law twice, in both directions."""
    read = read_steps([law(rows) | {"count": 2}], Relation("listed"))
    sides = directions_of(read, Relation("listed"))
    return [found for one in sides if (found := transform_of(one.parts, DELTA)) is not None]


@settings(FEW, max_examples=6)
@given(masses.filter(lambda rows: sum(p for p, _ in rows) > 0), st.integers(1, 2))
def test_merged_outcomes_lose_no_more(rows: list[tuple[int, int]], count: int) -> None:
    """It must hold of the first two outcomes told as one, at every epsilon, in every count."""
    (p, q), (x, y), *rest = rows
    whole, merged = (
        composed([law(one) | {"count": count}], "listed", tries=1)
        for one in (rows, [(p + x, q + y), *rest])
    )
    for number in range(5):
        epsilon = Fraction(number, 3)
        assert merged.delta(epsilon)[0] <= whole.delta(epsilon)[1]


def test_ends_of_a_line_far_away_are_short() -> None:
    """A line of losses below 0 alone lies where all is 2^-10^6: fractions of it took minutes."""
    rows = [(1, 1), (0, 6), (3, 2)]
    found = [end for side in directions(rows) for end in side.excess(Fraction(1, 10**9))]
    assert found
    assert max(end.denominator.bit_length() for end in found) < 10_000


def test_merged_outcomes_may_lose_less() -> None:
    """It must hold of outcomes that speak for different data sets."""
    whole, merged = (
        composed([law(rows)], "listed") for rows in ([(3, 1), (1, 3), (2, 2)], [(4, 4), (2, 2)])
    )
    lower, upper = whole.delta(Fraction(0))
    assert lower <= Fraction(1, 3) <= upper
    assert lower > Fraction(3, 10)
    assert merged.delta(Fraction(0))[1] == 0


@FEW
@given(st.fractions("1/20", 1, max_denominator=20), st.integers(1, 5), st.integers(1, 5))
def test_normal_noise_adds_up_as_squares(size: Fraction, first: int, second: int) -> None:
    """It must hold of mu that are sides of right triangles, and of n^2 releases."""
    parts = [
        {"event": "gdp", "mu": str(3 * size), "count": first**2},
        {"event": "gdp", "mu": str(4 * size * first / second), "count": second**2},
    ]
    whole = [{"event": "gdp", "mu": str(5 * size * first)}]
    one, other = (composed(steps).epsilon(DELTA) for steps in (parts, whole))
    assert one == other
    assert composed(whole * 2).epsilon(DELTA) != other


@pytest.mark.long
@FEW
@given(noises(), st.integers(1, 8), st.fractions("1/10", 3, max_denominator=10))
def test_a_replaced_record_is_a_group_of_two(step: Words, count: int, epsilon: Fraction) -> None:
    """It must hold: removing and adding bounds it from above, at twice the epsilon."""
    steps = [step | {"count": count}]
    swap, removed = composed(steps, "swap"), composed(steps)
    group = Bracket(swap, removed, removed).delta(2 * epsilon)
    assert swap.delta(2 * epsilon)[0] <= group[1]
    least, most = removed.delta(epsilon)
    factor = endpoints(1 + Balls(128).exp(Balls(128).rational(epsilon)))
    assert min(least * factor[0], 1) <= group[1] <= min(most * factor[1] + Fraction(1, 10**20), 1)


@FEW
@given(noises(), st.integers(2, 6))
def test_nearer_nodes_raise_no_upper_end(step: Words, count: int) -> None:
    """It must hold of half the distance: spread over nodes nearer by, cells exceed no more."""
    steps = read_steps([step | {"count": count}], Relation.ADD_REMOVE)
    parts = directions_of(steps, Relation.ADD_REMOVE)[0].parts
    distances = list(steps_of(parts, EXPONENT))[2:4]
    if distances[0].times != 2 * distances[1].times:  # nodes that are the losses themselves
        return
    wide, near = (lattice_of(parts, one, EXPONENT) for one in distances)
    if wide is None or near is None:
        return
    for number in range(4):
        epsilon = Fraction(number, 2)
        assert near.excess(epsilon)[1] <= wide.excess(epsilon)[1] + Fraction(1, 10**12)
        assert near.excess(epsilon)[1] >= wide.excess(epsilon)[0]
