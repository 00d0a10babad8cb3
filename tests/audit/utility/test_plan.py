"""What a request for a utility audit means, and what is refused before the first draw."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.request.configuration import read_config, reference_config
from audit.request.error_plan import UtilityPlan, plan_utility
from audit.request.privacy_plan import PrivacyPlan
from audit.request.repeat import request_command
from audit.request.request import Request, UtilityAsked, by_field
from audit.suite.gate_run import override, plan_gate
from audit.suite.shares import share_of
from audit.utility.error_cases import worst_cases
from mechanisms.errors import InvalidArgument, InvalidData
from mechanisms.registry import MECHANISMS, NOISES
from mechanisms.utility_claims import Quantity
from tests.mechanisms.test_utility_claims import SOUND, WITHOUT

ESTIMATOR = """
import numpy as np


def mean(data, size, rng):
    return np.mean(data) + rng.laplace(scale=0.01, size=size)


class Shrunk:
    low, high = 0, 1

    def __call__(self, data, size, rng):
        return 0.9 * mean(data, size, rng)
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    """Name of a plain function of the user's."""
    path = tmp_path / "estimators_of_test.py"
    path.write_text(ESTIMATOR)
    return f"{path}:mean"


def plan(target: str, utility: UtilityAsked | None = None, **more: Any) -> UtilityPlan:
    """Plan an audit of errors."""
    return plan_utility(
        Request(target, utility=utility or UtilityAsked(), **by_field(more)), stated_in="here"
    )


def test_worst_cases_are_at_the_bounds() -> None:
    """It must hold that each data set has its size, and that equal ones are tried once."""
    found = dict(worst_cases(Fraction(-1), Fraction(3), 5))
    assert {label: data.tolist() for label, data in found.items()} == {
        "5 records at low": [-1.0] * 5,
        "5 records at high": [3.0] * 5,
        "5 records in the middle": [1.0] * 5,
        "2 records at low, 3 at high": [-1, -1, 3, 3, 3],
        "4 records at low, 1 at high": [-1, -1, -1, -1, 3],
    }
    assert len(worst_cases(Fraction(0), Fraction(1), 1)) == 3
    assert len(worst_cases(Fraction(2), Fraction(2), 7)) == 1


def test_the_truth_is_the_mean_unless_told(own: str) -> None:
    """It must hold that the truth is the mean of records or law, or what is asked for."""
    data = {"data": "statsmodels:anes96", "column": "age"}
    values = {
        truth: float(plan(own, UtilityAsked(mse=1, truth=truth), **data).cases[0].truth.value)
        for truth in (None, "mean", "median", "47")
    }
    ages = np.asarray(plan(own, UtilityAsked(mse=1), **data).cases[0].data)
    assert values == {
        None: ages.mean(),
        "mean": ages.mean(),
        "median": np.median(ages),
        "47": 47.0,
    }
    asked = UtilityAsked(law=("points 0:3/4 8:1/4",), n=3, mse=1)
    assert plan(own, asked).cases[0].truth.value == 2.0
    median = UtilityAsked(law=("points 0:3/4 8:1/4",), n=3, mse=1, truth="median")
    assert plan(own, median).cases[0].truth.value == 0.0


def test_a_mechanism_may_name_its_own_truth() -> None:
    """It must hold that claims about another truth are about it, and dropped for a user's."""
    (case,) = plan("tri.tilted-sign", UtilityAsked(law=("tilted 1/2",), n=9)).cases
    assert case.truth.words == "mean of the sign"
    assert float(case.truth.value) == pytest.approx(0.5)
    with pytest.raises(InvalidArgument, match="states no utility about the truth 1"):
        plan("tri.tilted-sign", UtilityAsked(law=("tilted 1/2",), n=9, truth=1))


def test_a_users_claims_replace_the_mechanisms() -> None:
    """It must hold that stated bounds stand alone, and without them the mechanism's do."""
    own_claims = plan("ksw.transformed-laplace").cases[0]
    assert {claim.source.paper for claim in own_claims.claims} == {"KSW"}
    assert len(own_claims.fits) == 1
    users = plan("ksw.transformed-laplace", UtilityAsked(mse="1/10", bias=0)).cases[0]
    assert {str(claim.source) for claim in users.claims} == {"user, here"}
    assert {claim.quantity: claim.bound for claim in users.claims} == {
        Quantity.BIAS: 0,
        Quantity.MSE: Fraction(1, 10),
    }
    assert users.fits == ()


def test_a_constant_law_is_a_data_set() -> None:
    """It must hold that records that are all equal are drawn once."""
    (case,) = plan("ksw.shifted-laplace", UtilityAsked(law=("point 1/2",), n=3)).cases
    assert case.law is None
    assert case.data is not None
    assert case.data.tolist() == [0.5] * 3


def test_sizes_are_those_that_the_target_takes() -> None:
    """It must hold that a fixed number of records is used, and another one refused."""
    assert {case.count for case in plan("tri.shuffled-mean").cases} == {256}
    with pytest.raises(InvalidArgument, match="takes 256 records, got 9"):
        plan("tri.shuffled-mean", UtilityAsked(n=9))


def test_data_sets_without_a_promise_are_named() -> None:
    """It must hold that what is made here and has no claim is left out, and said so."""
    planned = plan("tri.coarse")
    assert [case.label for case in planned.cases] == [
        "100 records at low",
        "100 records at high",
        "100 records in the middle",
        "50 records at low, 50 at high",
    ]
    assert planned.notes == (
        "nothing is promised, so nothing was tried, on: 99 records at low, 1 at high",
    )


def test_records_out_of_range_are_the_users_error() -> None:
    """It must hold that named data about which nothing is promised are refused."""
    with pytest.raises(
        InvalidArgument, match="states no utility on 944 records of statsmodels:anes96, age"
    ):
        plan("ksw.shifted-laplace", data="statsmodels:anes96", column="age")


WRONG: list[tuple[str, UtilityAsked, dict[str, Any], str]] = [
    ("ksw.shifted-laplace", UtilityAsked(), {"timeout": -1.0}, "timeout must be positive"),
    ("ksw.shifted-laplace", UtilityAsked(mse=-1), {}, "--mse must be at least 0"),
    ("ksw.shifted-laplace", UtilityAsked(bias="x"), {}, "--bias must be a finite number"),
    ("ksw.shifted-laplace", UtilityAsked(n=0), {}, "--n must be at least 1"),
    ("ksw.shifted-laplace", UtilityAsked(truth="mode"), {}, "--truth must be mean, median or"),
    ("ksw.shifted-laplace", UtilityAsked(law=("cauchy",)), {}, "law must be one of"),
    ("ksw.shifted-laplace", UtilityAsked(), {"column": "age"}, "--column names a column"),
    ("ksw.shifted-laplace", UtilityAsked(), {"resolution": 0.0}, "resolution must be positive"),
    ("ksw.shifted-laplace", UtilityAsked(law=("uniform 0 1",)), {}, "states no utility on 100"),
    ("pdp.range", UtilityAsked(), {}, "states no utility on the data sets that"),
    ("laplace", UtilityAsked(mse=1), {}, "is a noise law.*leave out claims of your own"),
    ("laplace", UtilityAsked(n=3), {}, "is a noise law.*leave out --n"),
    ("laplace", UtilityAsked(), {"param": {"scale": 1}}, "laplace has no parameter scale"),
    ("nothing", UtilityAsked(), {}, "unknown target 'nothing'"),
    ("ksw.shifted-laplace", UtilityAsked(), {"low": 2, "high": 1}, "low must be at most high"),
]


def test_what_cannot_be_run_is_refused(subtests: pytest.Subtests) -> None:
    """It must hold that a request without a meaning is refused, with what is wrong."""
    for target, asked, more, message in WRONG:
        with (
            subtests.test(target=target, asked=asked),
            pytest.raises(InvalidArgument, match=message),
        ):
            plan(target, asked, **more)


def test_records_come_from_one_place(own: str) -> None:
    """It must hold that data, a law and a number of records exclude each other."""
    data = {"data": "statsmodels:anes96", "column": "age"}
    with pytest.raises(InvalidArgument, match="--law makes the records itself"):
        plan(own, UtilityAsked(law=("uniform 0 1",), mse=1), **data)
    with pytest.raises(InvalidArgument, match="--data has its own"):
        plan(own, UtilityAsked(n=3, mse=1), **data)
    with pytest.raises(InvalidArgument, match="has no bounds to make data sets of"):
        plan(own, UtilityAsked(mse=1))
    with pytest.raises(InvalidArgument, match="--low needs --high"):
        plan(own, UtilityAsked(mse=1), low=0)
    with pytest.raises(InvalidArgument, match="states no utility on the data sets"):
        plan(own, low=0, high=1)
    assert len(plan(own, UtilityAsked(mse=1), low=0, high=1).cases) == 5


def test_the_command_says_what_was_asked() -> None:
    """It must hold that the words of a request give the request again."""
    asked = UtilityAsked(law=("uniform 0 1", "normal 1/2 1"), n=30, bias=0, mse="1/4", truth="1/2")
    words = request_command(Request("a.py:f", low=0, high=1, resolution=0.2, utility=asked))
    assert words == [
        *("touchstone", "audit", "a.py:f", "--low", "0", "--high", "1", "--resolution", "0.2"),
        *("--utility", "--law", "uniform 0 1", "--law", "normal 1/2 1", "--n", "30"),
        *("--unbiased", "--mse", "1/4", "--truth", "1/2"),
    ]
    assert request_command(Request("a", utility=UtilityAsked(bias="1/8")))[-2:] == ["--bias", "1/8"]


def configuration(folder: Path, text: str) -> Path:
    """Write a configuration of one audit."""
    path = folder / "touchstone.toml"
    path.write_text(f'[[audit]]\ntarget = "tri.combined"\n{text}\n')
    return path


def test_the_configuration_has_the_same_words(tmp_path: Path) -> None:
    """It must hold that each word of utility is read, and texts and lists alike."""
    text = 'utility = true\nlaw = "normal 0 1"\nn = 30\nunbiased = true\nmse = "1/4"\ntruth = 0'
    (entry,) = read_config(configuration(tmp_path, text)).entries
    expected = UtilityAsked(("normal 0 1",), 30, 0, "1/4", None, 0)
    assert entry.request.utility == expected
    (entry,) = read_config(configuration(tmp_path, "utility = false")).entries
    assert entry.request.utility is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mse = 1", "audit 1: mse goes with utility"),
        ("unbiased = true\nlaw = 'uniform 0 1'", "audit 1: law, unbiased go with utility"),
        ("utility = true\nunbiased = true\nbias = 1", "unbiased claims a bias of 0"),
        ("utility = 1", "utility must be true or false"),
        ("utility = true\nlaw = 3", "law must be text such as"),
    ],
)
def test_wrong_words_of_the_configuration_are_named(
    tmp_path: Path, text: str, message: str
) -> None:
    """It must hold that words that mean nothing are an error of the configuration."""
    with pytest.raises(InvalidData, match=message):
        read_config(configuration(tmp_path, text))


def test_utility_audits_take_their_share(tmp_path: Path) -> None:
    """It must hold that they count among the audits that draw, and keep their resolution."""
    text = 'utility = true\nresolution = 0.3\n[[audit]]\ntarget = "tri.combined"\nideal = true'
    text += '\n[[audit]]\ntarget = "tri.clipped-mean"\nmode = "exact"'
    config = override(read_config(configuration(tmp_path, text)), resolution=2.0, budget_samples=9)
    first, second, _ = config.entries
    assert (first.request.resolution, first.request.budget_samples) == (0.3, 9)
    assert second.request.resolution == 2.0
    plans = plan_gate(config)
    assert [type(planned) for planned in plans] == [UtilityPlan, PrivacyPlan, PrivacyPlan]
    assert share_of(config, plans) == config.false_alarm / 2


@pytest.mark.long
def test_the_reference_suite_holds_every_utility() -> None:
    """It must hold that each mechanism with claims or a law has an entry, and each noise law."""
    entries = [e for e in reference_config().entries if e.request.utility is not None]
    sound = {e.request.target for e in entries if e.expect == "consistent"}
    with_law = {"sub.inverse-sensitivity", "sub.monotone"}
    assert sound == (set(SOUND) - set(WITHOUT)) | with_law | set(NOISES)
    refuted = {e.request.target for e in entries if e.expect == "refuted"}
    assert refuted <= set(MECHANISMS)
    assert refuted
    for entry in entries:
        assert plan_utility(entry.request, stated_in="test").cases
