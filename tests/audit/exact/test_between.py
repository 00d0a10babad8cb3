"""Releases between two thresholds: the printed numbers of SUB-E1, and what stays open."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from audit.exact.auditors.by_thresholds import Between, StatesThresholds, events, search_between
from audit.exact.cells.level_laws import Levels, probability
from audit.exact.exact_audit import audit
from audit.exact.exact_numbers import as_ball, log_ball
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.as_printed.subset_mean import PrintedSubsetMean
from mechanisms.claims import ApproxDP, PrivacyClaim, Relation, Source
from mechanisms.subset.levels import LevelLaw, LevelPiece
from mechanisms.subset.threshold import Threshold
from proofs_check.enclosure import Balls, agrees_with_print, endpoints

F = Fraction
RULES = ("nearest integer", "ceiling", "interval")
ROWS = [
    (1, "1/100", ("4.538", "4.472", "4.696")),
    (1, "1e-6", ("13.80", "13.61", "13.92")),
    (1, "1e-9", ("20.82", "20.69", "20.87")),
    ("1/10", "1/100", ("22.67", "22.66", "22.91")),
]
"""Epsilon, gamma, and the log-ratio over epsilon by rule, cut."""


@dataclass(frozen=True)
class Known:
    """Two thresholds of Algorithm 2 with public alpha and rank: sound at 2 epsilon."""

    alpha: Fraction
    rank: int

    def threshold_laws(self, data: Any) -> tuple[Levels, Levels]:
        """State both laws."""
        lower, upper = (
            Threshold(1, -1, 1, self.rank, side, self.alpha).exact_law(data)
            for side in ("below", "above")
        )
        return lower, upper


def event_at(mechanism: StatesThresholds, words: str, epsilon: Fraction) -> Between:
    """One event on the mechanism's counterexample."""
    laws = [mechanism.threshold_laws(side) for side in mechanism.counterexample]  # type: ignore[attr-defined]
    return next(e for e, _ in events(laws[0], laws[1], epsilon) if e.words == words)


def asked(mechanism: Any, *, known: bool = False, claim: PrivacyClaim | None = None) -> ExactResult:
    """Audit at the mechanism's claim, on its counterexample or on small multisets."""
    pairs = (mechanism.counterexample,) if known else ()
    return audit(
        Question(
            "sub.subset-mean-as-printed",
            mechanism,
            claim or mechanism.claim,
            mechanism.order,
            floating_point=True,
            pairs=pairs,
            multisets=Multisets(2, 3, mechanism.low, mechanism.high),
        )
    )


def test_probabilities_of_the_erratum() -> None:
    """The band and the two tails must have the printed probabilities of SUB-E1, in all digits."""
    printed = PrintedSubsetMean()
    assert printed.counterexample is not None
    first, second = map(printed.threshold_laws, printed.counterexample)
    t, end = F(1, 9800), F(1, 9700)
    p = probability(first[0], t, end) * probability(first[1], t, end)
    q = probability(second[0], t, F(1)) + probability(second[1], t, F(1))
    assert agrees_with_print(as_ball(p), "2.60308035e-5")
    assert agrees_with_print(as_ball(q), "2.783666471e-7")
    assert agrees_with_print(log_ball(p / q), "4.538")
    found = event_at(printed, "z > 1/9800", F(3))
    assert found.p[0] > endpoints(as_ball(p))[1]
    assert found.q[1] < endpoints(as_ball(q))[0]


@pytest.mark.parametrize(("epsilon", "gamma", "texts"), ROWS)
@pytest.mark.parametrize("rule", RULES)
def test_log_ratios_of_the_erratum(
    epsilon: Any, gamma: Any, texts: tuple[str, ...], rule: str
) -> None:
    """Each row and rule must have the printed log-ratio, cut after its digits, beyond 3."""
    printed = PrintedSubsetMean(epsilon, gamma=gamma, rule=rule)
    assert printed.counterexample is not None
    t = printed.gamma / len(printed.counterexample[1])
    found = event_at(printed, f"z > {t}", 3 * printed.epsilon)
    numbers = Balls(128)
    ratio = numbers.rational(found.p[0]) / numbers.rational(found.q[1])
    lower, upper = (x / printed.epsilon for x in endpoints(numbers.log(ratio)))
    text = texts[RULES.index(rule)]
    step = F(1, 10 ** len(text.partition(".")[2]))
    assert F(text) <= lower
    assert upper < F(text) + step
    assert found.excess[0] > 0


@pytest.mark.parametrize("rule", RULES)
def test_printed_form_is_refuted_on_its_counterexample(rule: str) -> None:
    """The audit must give the pair, an event of the release and certain bounds."""
    result = asked(PrintedSubsetMean(rule=rule), known=True)
    assert result.verdict is Verdict.REFUTED
    witness = result.witness
    assert witness is not None
    assert (len(witness.data), len(witness.neighbor)) == (97, 98)
    assert witness.about == "the release"
    assert witness.p[0] < witness.p[1]
    assert witness.excess[0] > 0
    factor = endpoints(Balls(192).exp(Balls(192).rational(F(3))))[1]
    assert witness.p[0] - factor * witness.q[1] <= witness.excess[0] + F(1, 10**40)
    assert "at least 2.60" in result.reason


def test_delta_counts() -> None:
    """A delta above the excess must not be refuted, one below it must."""
    printed = PrintedSubsetMean()
    for delta, verdict in (("1e-5", Verdict.REFUTED), ("1e-4", Verdict.INCONCLUSIVE)):
        claim = PrivacyClaim(ApproxDP(3, delta), Relation.ADD_REMOVE, Source("test", "here"))
        assert asked(printed, known=True, claim=claim).verdict is verdict


def test_small_multisets_leave_it_open() -> None:
    """Where no event breaks the claim the verdict must be open, and say why."""
    result = asked(PrintedSubsetMean())
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.proof is None
    assert "its own law, which could prove it, is not stated" in result.reason
    assert asked(PrintedSubsetMean(1, 2, 2)).verdict is Verdict.INCONCLUSIVE


def test_sound_thresholds_are_not_refuted() -> None:
    """With public parameters no event may break 2 epsilon, at the very pair of the erratum."""
    pair = [0.0] * 97, [0.0] * 98
    sound = Known(F(1, 9700), 43)
    assert search_between(sound, [pair], F(2), F(0)) == (1, None)
    assert search_between(PrintedSubsetMean(), [pair], F(2), F(0))[1] is not None


def test_likelier_side_comes_first() -> None:
    """A pair given the other way round must give the same witness."""
    printed = PrintedSubsetMean()
    assert printed.counterexample is not None
    data, neighbor = printed.counterexample
    found = [
        search_between(printed, [pair], F(3), F(0))[1]
        for pair in ((data, neighbor), (neighbor, data))
    ]
    assert found[0] is not None
    assert found[0] == found[1]
    assert found[0].data == data


def test_bounds_of_two_uniform_thresholds() -> None:
    """For uniform thresholds {z > t} must lie in [(1 - t)^2, 1 - t^2], {z < t} in [t^2, 1 - ..]."""
    uniform = LevelLaw(F(1), (LevelPiece(F(0), F(1), F(0)),))
    cut = LevelLaw(F(1), (LevelPiece(F(0), F(1, 4), F(5)), LevelPiece(F(1, 4), F(1), F(5))))
    (below, same), (above, _) = events((uniform, cut), (uniform, uniform), F(0))
    assert (same.p, same.q) == (below.q, below.p)
    for event, t, least in ((below, F(1, 4), F(1, 16)), (above, F(1, 4), F(9, 16))):
        most = 1 - (F(9, 16) if event is below else F(1, 16))
        assert event.words == f"z {'<' if event is below else '>'} {t}"
        for ends in (event.p, event.q):
            assert abs(ends[0] - least) < F(1, 10**40)
            assert abs(ends[1] - most) < F(1, 10**40)
        assert abs(event.excess[0] - (least - most)) < F(1, 10**40)


def test_factors_count_in_the_tails() -> None:
    """Tails must be those of the exact probabilities, factors included."""
    pieces = (
        LevelPiece(F(0), F(1), F(1)),
        LevelPiece(F(1), F(3), F(0), F(5)),
        LevelPiece(F(3), F(4), F(2)),
    )
    law = LevelLaw(F(1), pieces)
    for event, _ in events((law, law), (law, law), F(1)):
        _, sign, end = event.words.split()
        tail = probability(law, F(0), F(end)) if sign == "<" else probability(law, F(end), F(4))
        lower, upper = endpoints(as_ball(tail * tail))
        assert event.p[0] <= upper
        assert abs(event.p[0] - lower) < F(1, 10**40)
