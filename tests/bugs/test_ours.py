"""Our column: outputs and exceptions reach the audit, and verdicts are those of the draws."""

import math

import numpy as np
import pytest

from bugs import draws as through
from bugs import ours
from bugs.draws import NoDraws
from bugs.rows import Claim, Defect, Twin, defects
from tests.bugs import fakes

FAKE = Defect(
    id="fake",
    library="fake",
    version="1",
    environment="fake",
    call="fake()",
    claim=Claim("1"),
    relation="listed",
    unit="a value",
    left=0,
    right=1,
    loss="infinite",
    loss_is="exact",
    report="not reported",
    note="",
    twin=Twin("another call"),
)


@pytest.fixture
def _runner(tmp_path, monkeypatch):
    """The fake row's folders, and runners that know them."""
    for name, value in fakes.write(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(through, "_runners", {})
    yield
    through.close()


@pytest.mark.long
@pytest.mark.usefixtures("_runner")
def test_a_defect_is_refuted_and_its_twin_is_not():
    """The row's left and right outputs have nothing in common; the twin's have one law."""
    found = ours.audited(FAKE, "pair", 1)
    assert found["verdict"] == "REFUTED"
    assert found["confirmed"] is True
    assert found["draws"] > 0
    assert ours.audited(FAKE, "twin", 1)["verdict"] == "CONSISTENT"


@pytest.mark.usefixtures("_runner")
def test_outputs_are_those_of_the_side_or_of_other_data():
    """Places 0 and 1 stand for the two data sets; without a pair the data are sent."""
    rng = np.random.default_rng(1)
    given = ours.mechanism(FAKE, given=True)
    assert [out[0] for out in given(np.array([1.0]), 2, rng)] == ["[1, 1, 2]"] * 2
    free = ours.mechanism(FAKE, given=False)
    assert free(np.array([3.0]), 1, rng)[0][0] == "[3.0]"


@pytest.mark.usefixtures("_runner")
def test_what_cannot_be_drawn_is_no_verdict():
    """An environment that is not made is an error of the runner, not an output."""
    with pytest.raises(NoDraws, match="no row"):
        through.draws("nobody", seed=1, m=1, side="left")


def test_an_exception_is_an_outcome_by_name(monkeypatch):
    """What a release raises is raised again, under its name."""
    monkeypatch.setattr(ours, "draws", lambda *_, **__: [1.0, {"raises": "ZeroDivisionError"}])
    with pytest.raises(RuntimeError) as caught:
        ours.mechanism(FAKE, given=True)(np.array([0.0]), 2, np.random.default_rng(1))
    assert type(caught.value).__name__ == "ZeroDivisionError"


TOTALS = ("diffpriv_pure_gaussian", "dp_accounting_rdp_gaussian", "dp_accounting_pld_response")
"""Those whose plans take a second; the others are decided in `bugs/results`."""


@pytest.mark.parametrize("name", TOTALS)
def test_a_total_is_refuted_at_what_is_said_and_not_above_the_truth(name):
    """The claim of the row is below the enclosed total; ten thousandths more than it is not."""
    row = defects()[name]
    found = ours.accounted(row, float(row.claim.epsilon))
    assert found["verdict"] == "REFUTED"
    assert ours.accounted(row, 1.0001 * found["limits"]["epsilon"])["verdict"] == "PROVED"


def test_a_delta_is_decided_as_a_delta():
    """The odometer says delta: 0.237 of what is 0.634; 0.635 would be right."""
    row = defects()["smartnoise_odometer"]
    assert ours.accounted(row, float(row.claim.delta))["verdict"] == "REFUTED"
    assert ours.accounted(row, 0.635)["verdict"] == "PROVED"


def test_the_noise_of_the_classical_formula_is_not_understated():
    """The plan's sigma is the formula's, rounded up in the eighth digit."""
    formula = math.sqrt(2 * math.log(1.25 / 1e-5)) / 20
    assert 0 <= float(defects()["diffpriv_pure_gaussian"].plan[0]["sigma"]) - formula <= 1e-8
