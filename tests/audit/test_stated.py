"""Words that state a level: which one they mean, and which contradict each other."""

from __future__ import annotations

import re
from typing import Any

import pytest

from audit.levels.statement import read_budgets, stated_level, statements
from audit.request.word_table import CLAIMS
from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    RenyiDP,
    TradeOff,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument

MEANINGS: list[tuple[dict[str, Any], Level | None]] = [
    ({}, None),
    ({"epsilon": 0}, PureDP(0)),
    ({"epsilon": "1/10", "delta": 1e-5}, ApproxDP("1/10", "1/100000")),
    ({"epsilon": 1, "delta": 0}, ApproxDP(1, 0)),
    ({"epsilon": 1, "alpha_order": "5/2"}, RenyiDP("5/2", 1)),
    ({"rho": 0}, ZeroConcentratedDP(0)),
    ({"mu": 0.8}, GaussianDP("4/5")),
    ({"budgets": (0.1, "1", 2)}, PersonalizedDP(("1/10", 1, 2))),
    ({"trade_off": "0:1, 1/2:0.1 ,1:0"}, TradeOff(((0, 1), ("1/2", "1/10"), (1, 0)))),
    ({"trade_off": [[0, 1], [0.5, "1/10"], [1, 0]]}, TradeOff(((0, 1), ("1/2", "1/10"), (1, 0)))),
]


@pytest.mark.parametrize(("words", "level"), MEANINGS)
def test_words_mean_one_level_exactly(words: dict[str, Any], level: Level | None) -> None:
    """It must hold that each kind of words is its level, with exact parameters; zero is a value."""
    assert stated_level(**words) == level


CURVE = {"trade_off": "0:1,1:0"}
KINDS: list[dict[str, Any]] = [{"epsilon": 1}, {"rho": 1}, {"mu": 1}, {"budgets": (1,)}, CURVE]
WRONG: list[tuple[dict[str, Any], str]] = [
    *(
        ({**one, **other}, "state claims of different kinds; give one of them")
        for i, one in enumerate(KINDS)
        for other in KINDS[:i]
    ),
    ({"epsilon": 1, "delta": 0, "alpha_order": 2}, "--delta and --alpha-order state claims"),
    ({"delta": 0}, "--delta states a claim together with --epsilon"),
    ({"rho": 1, "delta": 0}, "--delta states a claim together with --epsilon"),
    ({"alpha_order": 2}, "--alpha-order states a Renyi claim together with --epsilon"),
    ({"mu": 1, "alpha_order": 2}, "--alpha-order states a Renyi claim together with --epsilon"),
    ({"epsilon": 1, "alpha_order": 1}, "alpha must be greater than 1"),
    ({"rho": -1}, "rho must be at least 0, got rho=-1"),
    ({"mu": "one"}, "mu must be a finite number"),
    ({"budgets": ("1", "")}, "budgets must be a finite number"),
    ({"trade_off": "0:1;1:0"}, "--trade-off must be LEVEL:ERROR,... such as 0:1,1/2:1/10,1:0, got"),
    ({"trade_off": "0:1,x:0"}, r"--trade-off: knots \(level\) must be a finite number"),
    ({"trade_off": "0:1,1/2:0"}, r"--trade-off: knots must run .* got \(0, 1\), \(1/2, 0\)$"),
    ({"trade_off": "0:1,1/2:3/5,1:0"}, r"--trade-off: knots must satisfy f\(a\) <= 1 - a, got"),
    ({"trade_off": "0:1/2,1/2:1/2,1:0"}, "--trade-off: knots must be convex and non-increasing"),
    ({"trade_off": "0:1,1:0", "delta": 0}, "--delta states a claim together with --epsilon"),
]


def test_contradictions_are_told(subtests: pytest.Subtests) -> None:
    """It must hold that words of two kinds, or half of a kind, are an error that names them."""
    for words, message in WRONG:
        with (
            subtests.test(words=words, message=message),
            pytest.raises(InvalidArgument, match=message),
        ):
            stated_level(**words)


def test_every_word_of_a_claim_is_named() -> None:
    """It must hold for the word of a kind that was added last, too."""
    for word in CLAIMS.values():
        assert re.search(rf"{word.option}(?![a-z-])", statements()), word.name


def test_budgets_are_read_between_commas() -> None:
    """It must hold that numbers stay text until they are read exactly, and none is lost."""
    assert read_budgets("0.1, 1/3,2") == ("0.1", "1/3", "2")
    assert read_budgets("1,,2") == ("1", "", "2")
