"""Random streams by purpose: no two places share one, and nothing else makes generators."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import audit
from audit.draws.streams import LARGEST_SEED, BatchPlace, Purpose, derived_seed, stream
from mechanisms.errors import InvalidArgument

SOURCES = Path(audit.__file__).parent

APART = ("tracing/auditor.py",)
"""A docstring's example."""


def first(*place: int, seed: int = 1, purpose: Purpose = Purpose.RUN) -> int:
    """What a stream begins with."""
    names = ("pair", "arm", "batch", "block")
    return int(stream(seed, purpose, **dict(zip(names, place, strict=True))).integers(2**63))


def test_no_two_places_share_a_stream() -> None:
    """It must hold for all purposes and places, and for seeds of one word and of two."""
    seeds = (0, 1, 5, 2**32, 2**32 + 5, 5 * 2**32, LARGEST_SEED)
    found = {
        first(*place, seed=seed, purpose=purpose)
        for seed in seeds
        for purpose in Purpose
        for place in product((0, 1, 2**32 - 1), repeat=4)
    }
    assert len(found) == len(seeds) * len(Purpose) * 3**4


def test_keys_of_several_lengths_meet() -> None:
    """It must hold that the traps are real: numpy pads short keys, and a large seed is two."""

    def of(*key: int) -> int:
        return int(np.random.SeedSequence(key).generate_state(1)[0])

    assert of(1, 2) == of(1, 2, 0)
    assert of(2**32 + 5, 1, 2) == of(5, 1, 1, 2)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_that_fits_no_key_is_refused(seed: int) -> None:
    """It must hold that a seed is an integer in [0, 2^64)."""
    with pytest.raises(InvalidArgument, match="seed must lie in"):
        stream(seed, Purpose.RUN)


def test_derived_seeds_differ_by_purpose_and_number() -> None:
    """It must hold that parts of a run have seeds of their own, whatever their number."""
    numbers = (0, 1, 2**32, 2**32 + 1, 2**63)
    found = {derived_seed(3, p, n) for p in (Purpose.GATE, Purpose.NIGHT) for n in numbers}
    assert len(found) == 2 * len(numbers)
    assert max(found) < 2**32


def test_the_order_of_the_arms_is_no_stream_of_theirs() -> None:
    """It must hold that coins of the order do not repeat the draws, for any purpose."""
    words = set()
    used = [purpose for purpose in Purpose if purpose is not Purpose.ORDER]
    for purpose in used:
        place = BatchPlace(1, purpose)
        streams = [place.stream(arm=0), place.stream(arm=1), place.order(block=0)]
        words |= {int(one.integers(2**63)) for one in streams}
    assert len(words) == 3 * len(used)


def test_generators_are_made_in_one_place() -> None:
    """It must hold that no other module of ours makes a generator or a seed sequence."""
    made = re.compile(r"\b(default_rng|SeedSequence|Philox|PCG64)\(")
    where = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if made.search(path.read_text())
    }
    assert where - set(APART) == {"draws/streams.py"}
