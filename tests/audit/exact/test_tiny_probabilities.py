"""A probability that doubles do not hold is written by its logarithm, and is never 0."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.files.plain import ends_record
from audit.report.stored_runs import Stored, report_of
from audit.results.number_words import probability_words
from audit.results.verdict import Verdict

LOGS = {"p": -499507.951195, "q": -500507.952195}
"""Of the event output < -999.5 under N(0, 1) and N(1, 1), by erfc with 30 digits."""


def test_words_have_six_digits_of_the_logarithm() -> None:
    """It must hold just below 1e-300 too, and of nothing else."""
    assert probability_words(Fraction(1, 10**301)) == "exp(-693.078)"
    assert probability_words(Fraction(1, 10**100_000)) == "exp(-230,259)"
    assert probability_words(Fraction(1, 10**300)) == "1e-300"
    assert probability_words(Fraction(0)) == "0"
    assert probability_words(Fraction(1, 3)) == "0.333333"


@pytest.mark.long
def test_every_form_of_a_report_has_the_logarithms(tmp_path: Path) -> None:
    """None may say 0, and the JSON report must be read back."""
    found = audit.audit("noise.gaussian", epsilon=1000, mode="exact")
    assert found.verdict is Verdict.REFUTED
    for form in ("txt", "html", "md", "sarif", "json"):
        file = tmp_path / f"report.{form}"
        found.save(file)
        text = file.read_text(encoding="utf-8")
        assert "exp(-499,508)" in text, form
        assert "exp(-500,508)" in text, form
        assert "probability 0 " not in text, form
    record: Any = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    for side, wanted in LOGS.items():
        for end in record["witness"][side].values():
            value = Fraction(end)
            log = math.log(value.numerator) - math.log(value.denominator)
            assert log == pytest.approx(wanted, abs=1e-5)
    (case,) = report_of(Stored("report.json", json.dumps(record))).cases
    assert case.verdict == "REFUTED"


@pytest.mark.parametrize("epsilon", [700, 5000])
def test_laplace_noise_says_no_zero(epsilon: int) -> None:
    """It must hold of noise of twice the loss that is claimed."""
    target = audit.load("noise.laplace", param={"epsilon": 2 * epsilon})
    found = audit.audit(target, epsilon=epsilon, mode="exact")
    assert found.verdict is Verdict.REFUTED
    assert "exp(-" in found.reason
    assert found.to_dict()["verdict"] == "REFUTED"


@pytest.mark.parametrize("power", [1, 9_000, 300_000])
def test_ends_in_json_enclose(power: int) -> None:
    """Rounded ends must lie outside, and closely."""
    value = Fraction(2, 3**power)
    record = ends_record((value, value))
    lower, upper = Fraction(record["lower"]), Fraction(record["upper"])
    assert lower <= value <= upper <= lower * (1 + Fraction(1, 10**20))
