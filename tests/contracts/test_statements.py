"""Every mechanism says what it loses by a law, steps or a reason, and so of its errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from audit.exact.exact_audit import STATEMENTS, audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.results.verdict import Verdict
from mechanisms.claims import Relation
from mechanisms.composition import StatesComposition
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, build_mechanism
from mechanisms.utility_claims import StatesUtility, StatesUtilityOfLaws
from tests.mechanisms.test_utility_claims import WITHOUT as WITHOUT_ERRORS
from tests.slow import by_default

SOUND = [name for name, entry in MECHANISMS.items() if entry.form == "sound"]
PRINTED = [name for name, entry in MECHANISMS.items() if entry.form != "sound"]

WITHOUT = {
    "pdp.mean-as-printed": "its range alone breaks the promise, and that is pdp.range-as-printed",
}
"""Mechanisms that state no law and no steps, each with the reason."""

EVERY = ("noisy_query", "weighted_query", "private_steps")
"""Statements from which a lemma speaks of all neighbors of all data sets."""

ON_FEW = {
    "tri.name-and-shame": "its law on few records; TRI-P3.0.2 is for all",
    "tri.coarse": "its law on few records; TRI-P4.1.1 is for all",
    "sub.threshold": "its law on few records; SUB-T3.7p is for all",
    "sub.threshold-grid": "its law on few records; SUB-C3.8p is for all",
    "sub.inverse-sensitivity": "its law on few records; scores of any statistic",
}
"""Sound mechanisms that are gone through on small data alone, each with the reason."""


EVERYWHERE = [name for name in SOUND if name not in ON_FEW]
QUICK = set(EVERYWHERE) - {"ksw.transformed-staircase"}


def proved(name: str) -> Any:
    """The exact audit of the own claim, on multisets where it needs them."""
    mechanism = build_mechanism(name)
    bounds = getattr(mechanism, "low", 0), getattr(mechanism, "high", 1)
    grid = Multisets(2, 2, *bounds)
    return audit(Question(name, mechanism, mechanism.claim, mechanism.order, True, multisets=grid))


def test_each_mechanism_states_a_law_or_its_steps(subtests: pytest.Subtests) -> None:
    """It must hold that one statement of the table fits, or the mechanism is listed."""
    for name in list(MECHANISMS):
        with subtests.test(name=name):
            mechanism = build_mechanism(name)
            stated = [row.name for row in STATEMENTS if isinstance(mechanism, row.protocol)]
            assert bool(stated) != (name in WITHOUT), (name, stated)


def test_each_sound_mechanism_that_is_gone_through_on_few_data_is_listed() -> None:
    """It must hold that any other one states what a lemma speaks of for all neighbors."""
    few = {n for n in SOUND if not any(hasattr(build_mechanism(n), one) for one in EVERY)}
    assert few == set(ON_FEW)


@pytest.mark.parametrize("name", by_default(QUICK, EVERYWHERE))
def test_each_other_sound_mechanism_is_proved_for_all_data(name: str) -> None:
    """It must hold, with a certificate."""
    found = proved(name)
    assert found.verdict is Verdict.PROVED, found.reason
    assert found.proof is not None
    assert found.proof.certificate is not None
    assert found.proof.pairs == "all neighbors of all data sets"


def test_no_printed_form_is_proved_by_steps(subtests: pytest.Subtests) -> None:
    """It must hold that no form with a slip states private steps, by which it would be proved."""
    for name in PRINTED:
        with subtests.test(name=name):
            assert not isinstance(build_mechanism(name), StatesComposition)


def test_each_sound_mechanism_states_errors_or_says_why_not(subtests: pytest.Subtests) -> None:
    """It must hold that it has the method, or is listed with why there is nothing to state."""
    for name in SOUND:
        with subtests.test(name=name):
            mechanism = build_mechanism(name)
            stated = isinstance(mechanism, (StatesUtility, StatesUtilityOfLaws))
            assert stated or name in WITHOUT_ERRORS


@pytest.mark.parametrize(
    "name", [name for name in SOUND if hasattr(build_mechanism(name), "private_steps")]
)
def test_steps_say_nothing_of_the_other_relation(name: str) -> None:
    """It must hold that the steps of a mechanism do not prove its claim of other neighbors."""
    mechanism = build_mechanism(name)
    stated = mechanism.private_steps().relation
    assert stated is mechanism.claim.relation
    other = Relation.SWAP if stated is Relation.ADD_REMOVE else Relation.ADD_REMOVE
    claim = replace(mechanism.claim, relation=other)
    try:
        found = audit(
            Question(name, mechanism, claim, mechanism.order, True, multisets=Multisets(1, 2, 0, 1))
        )
    except InvalidArgument:
        return
    assert found.verdict is not Verdict.PROVED or not found.proof or not found.proof.lemmas
