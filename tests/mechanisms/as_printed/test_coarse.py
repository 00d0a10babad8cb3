"""The coarse estimate with the threshold of Appendix C.2, and with noise of half the scale."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from mechanisms.as_printed.coarse import PrintedCoarseMean
from mechanisms.as_printed.coarse_scale import MutantCoarseMean
from mechanisms.laws import FLOATS
from mechanisms.trilemma.coarse.mean import CoarseMean
from proofs_check.enclosure import Balls, agrees_with_print
from tests.mechanisms.trilemma.finite import hockey_stick

F = Fraction
BALLS = Balls(192)


def test_the_printed_threshold_is_larger() -> None:
    """Theta must be 31.017 in place of 29.631 (TRI-ER-17), with the noise of Algorithm 1."""
    printed, sound = PrintedCoarseMean(1, "1e-6").rule, CoarseMean(1, "1e-6").rule
    assert f"{printed.threshold(FLOATS):.3f}" == "31.017"
    assert f"{sound.threshold(FLOATS):.3f}" == "29.631"
    assert printed.scale == sound.scale == 2


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1/100"), ("1/2", "1e-6"), ("2", "1")])
def test_the_printed_form_has_half_the_delta(epsilon: str, delta: str) -> None:
    """A lone record must show delta e^(-epsilon / 2) / 4, and no other small swap more."""
    printed, q = PrintedCoarseMean(epsilon, delta), float(F(delta)) * math.exp(-F(epsilon) / 2) / 4
    found = []
    for rest in ([], [0.0], [10.0], [0.25, 10.0], [20.0, 20.0]):
        laws = (printed.exact_law([*rest, x]) for x in (0.0, 10.0))
        found.append(hockey_stick(*laws, printed.epsilon, FLOATS))
    assert found[0] == pytest.approx(q, rel=1e-12)
    assert max(found) == pytest.approx(q, rel=1e-9)


@pytest.mark.parametrize(
    ("epsilon", "delta", "many", "printed"),
    [("1", "1/100", 22, ".13212"), ("1/2", "1/100", 41, ".0451"), ("2", "1e-6", 26, ".297")],
)
def test_the_counterexample_refutes_the_mutant(
    epsilon: str, delta: str, many: int, printed: str
) -> None:
    """The heavy balanced pair must show the delta of the reference table, the sound form none."""
    mutant = MutantCoarseMean(epsilon, delta)
    pair = mutant.counterexample
    assert pair is not None
    data, neighbor = pair
    assert len(data) == len(neighbor) == 2 * many
    assert sorted(data)[:-1] != sorted(neighbor)[:-1]
    assert sum(x != y for x, y in zip(data, neighbor, strict=True)) == 1
    found = hockey_stick(*map(mutant.exact_law, pair), mutant.epsilon, BALLS)
    assert agrees_with_print(found, printed)
    sound = CoarseMean(epsilon, delta)
    assert hockey_stick(*map(sound.exact_law, pair), sound.epsilon, FLOATS) < sound.delta


def test_few_records_show_nothing_of_the_mutant() -> None:
    """The lone record's delta must be 1.8e-5, far below the claim."""
    mutant = MutantCoarseMean()
    laws = (mutant.exact_law([x]) for x in (0.0, 10.0))
    assert agrees_with_print(hockey_stick(*laws, mutant.epsilon, BALLS), "1.8e-5")


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("1/10", "1/100"), ("1", ".1322"), ("1e-9", "1/2"), ("1e-4", "1e-10")]
)
def test_no_counterexample_where_the_pair_keeps_the_claim(epsilon: str, delta: str) -> None:
    """None must stand for pairs within the claim, and for those too long to write down."""
    assert MutantCoarseMean(epsilon, delta).counterexample is None


@pytest.mark.parametrize("epsilon", ["1/10", "1/4", "1", "3"])
def test_counterexamples_exceed_the_claim(epsilon: str) -> None:
    """Whenever a pair is given its exact delta must be larger than the claimed one."""
    given = []
    for k in range(1, 12):
        mutant = MutantCoarseMean(epsilon, F(1, 3**k))
        if mutant.counterexample is not None:
            laws = map(mutant.exact_law, mutant.counterexample)
            given.append(hockey_stick(*laws, mutant.epsilon, FLOATS) > mutant.delta)
    assert given
    assert all(given)
