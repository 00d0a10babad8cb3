"""Notes of a run that found nothing claim no more than it looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.draws.encode import Encoder
from audit.engine.pair_state import PairState
from audit.engine.sequential import Settings, audit
from audit.engine.tried_features import IDEAL_NOTE, VECTOR_NOTE, tried_notes
from audit.pairs.worst_cases import Pair
from audit.results.verdict import Verdict
from tests.audit.engine.samplers import claim, target


def notes(outputs: Any, *, ideal: bool = False, draws: int = 400) -> str:
    """Notes about a pair of which both data sets gave these outputs."""
    encoder = Encoder()
    encoder.fix_layout([outputs])
    arm = encoder.encode(outputs)
    state = PairState(0, "a pair", 0, 1, ideal, encoder=encoder, draws=draws, past=([arm], [arm]))
    return "; ".join(tried_notes([state], ideal=ideal))


def test_of_integers_no_bit_is_said_to_be_tried(dp_rng: np.random.Generator) -> None:
    """It must hold: their remainders were looked at, their lowest bits were not."""
    said = notes(dp_rng.integers(0, 1000, 400))
    assert "lowest bit" not in said
    assert "of the integers in output, the remainders by 2, 3, 5, 7, 10, 100, 8," in said
    assert "65536 were looked at" in said
    assert "remainders" not in notes(dp_rng.integers(0, 7, 400))
    assert "remainders" in notes(dp_rng.integers(0, 1000, 400), ideal=True)


def test_columns_are_named(dp_rng: np.random.Generator) -> None:
    """It must hold for outputs of which some coordinates are fractions and others integers."""
    columns = [dp_rng.normal(size=400), dp_rng.integers(0, 1000, 400), dp_rng.normal(size=400)]
    said = notes(np.column_stack(columns))
    assert "trailing zeros) of output[0] and output[2] were tried" in said
    assert "of the integers in output[1]," in said
    assert VECTOR_NOTE in said
    many = notes(dp_rng.normal(size=(400, 30)))
    assert "output[3] and 12 more coordinates were tried" in many  # of 16 that are looked at


def test_fractions_and_the_end_of_reading(dp_rng: np.random.Generator) -> None:
    """It must hold that a note says where only the first draws were looked at."""
    fractions = dp_rng.normal(size=400)
    assert "of output were tried, and which zero or NaN it is; a leak" in notes(fractions)
    said = notes(fractions, draws=1_500_000)
    assert "it is (in the first 1,000,000 draws of each data set); a leak" in said
    assert notes(fractions, ideal=True) == IDEAL_NOTE


@pytest.mark.parametrize(("values", "words"), [(6, "no fraction was seen"), (4000, "remainders")])
def test_a_consistent_audit_says_what_it_tried(values: int, words: str) -> None:
    """It must hold of a whole run, here of a target that ignores its data."""

    def blind(data: float, size: int, rng: np.random.Generator) -> Any:
        return rng.integers(0, values, size)

    settings = Settings(seed=1, budget_samples=10_000, resolution=3.0)
    result = audit(target(blind), claim(1), [Pair("0 and 1", 0.0, 1.0)], settings)
    assert result.verdict is Verdict.CONSISTENT
    assert any(words in note for note in result.notes)
    assert not any("lowest bit" in note for note in result.notes)
