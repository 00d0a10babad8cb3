"""The page on pytest says what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import _touchstone_pytest
import touchstone_dp
from audit.testing import PROFILES
from tests.plugin.projects import properties, run

pytest_plugins = ["pytester"]

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "pytest.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.slow
def test_the_tests_of_the_page_pass(pytester: pytest.Pytester) -> None:
    """It must hold that the tests behave as the page says, with the draws of the default."""
    pytester.makepyfile("\n\n".join(BLOCKS[:2]))
    run(pytester).assert_outcomes(passed=5)
    told = {name: row["verdict"] for name, row in properties(pytester.path).items()}
    assert told == {
        "test_noisy_sum": "CONSISTENT",
        "test_the_same_noise_is_too_little_for_half_of_it": "REFUTED",
        **{f"test_registered_means[{epsilon}]": "PROVED" for epsilon in ("1/2", 1, 2)},
    }


def test_the_page_has_the_numbers_of_the_product() -> None:
    """It must hold that profiles, the rate and the way out of a clash are those of the code."""
    for name, (samples, seconds) in PROFILES.items():
        needed = "what the power statement needs, at most 20,000,000,"
        draws = needed if samples is None else f"{samples:,}"
        assert re.search(rf"`{name}` \({draws}( draws)? or {seconds:.0f} s", PAGE), name
    assert f"one rate, {_touchstone_pytest.FALSE_ALARM} by default" in PAGE
    clash = touchstone_dp.CLASH.format(package="audit", place="...", ours="").partition(" in :")[0]
    assert clash in PAGE.replace("\n", " ")
