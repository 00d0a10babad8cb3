"""The fixture `privacy_audit`: as many audits as a test likes, each with a share of its part."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.plugin.projects import make, properties, run

pytest_plugins = ["pytester"]


@pytest.mark.long
def test_it_returns_the_result_and_fails_on_a_refuted_claim(pytester: pytest.Pytester) -> None:
    """It must hold that a test goes on with the result, and stops at a witness."""
    make(
        pytester,
        """
def test_both(privacy_audit):
    result = privacy_audit(private, TINY)
    assert result.verdict == "CONSISTENT"
    assert type(result).__name__ == "AuditResult"
    assert result.limits["epsilon"] < 1
    proof = privacy_audit("ksw.shifted-laplace", mode="exact")
    assert proof.verdict == "PROVED"
    control = privacy_audit(leaky, TINY, expect="refuted")
    assert control.witness.hits > control.witness.other_hits
    print("so far")
    privacy_audit(leaky, TINY)
    print("never here")
""",
    )
    result = run(pytester)
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    assert "REFUTED: release:leaky\nThe claim epsilon = 1 (listed) is false." in text
    assert "so far" in text
    assert "never here" not in text
    assert "Traceback" not in text
    assert text.count("\nREFUTED  ") == 2
    told = properties(pytester.path)["test_both"]
    assert [told[f"verdict{number}"] for number in ("", " 2", " 3", " 4")] == [
        "CONSISTENT",
        "PROVED",
        "REFUTED",
        "REFUTED",
    ]


@pytest.mark.long
def test_shares_decline_and_never_sum_to_more(pytester: pytest.Pytester) -> None:
    """It must hold that the k-th audit of a test takes 1 / (k (k + 1)) of its part of the rate."""
    make(
        pytester,
        """
@pytest.fixture
def audited(privacy_audit):
    privacy_audit(private, FEW)
    return privacy_audit


def test_many(audited):
    for _ in range(4):
        audited(private, FEW)


def test_one(privacy_audit):
    privacy_audit(private, FEW)


@pytest.mark.privacy(FEW)
def test_both(privacy_audit):
    privacy_audit(private, FEW)
    return private
""",
    )
    result = run(pytester, "--privacy-false-alarm", "0.04", "--privacy-inconclusive=ok")
    result.assert_outcomes(passed=3)
    told = properties(pytester.path)
    rates = {
        name: [Fraction(row[key]) for key in row if key.startswith("false_alarm")]
        for name, row in told.items()
    }
    part = Fraction("0.01")  # of four: one a test, and two for the one that audits both ways
    assert [float(rate / part) for rate in rates["test_many"]] == pytest.approx(
        [1 / 2, 1 / 6, 1 / 12, 1 / 20, 1 / 30]
    )
    assert sum(map(sum, rates.values())) < Fraction("0.04")
    assert [float(rate / part) for rate in rates["test_one"]] == [0.5]
    assert sorted(float(rate / part) for rate in rates["test_both"]) == [0.5, 1.0]
    seeds = [value for row in told.values() for key, value in row.items() if "seed" in key]
    assert len(seeds) == len(set(seeds)) == 8


def test_audits_that_were_not_counted_are_refused(pytester: pytest.Pytester) -> None:
    """It must hold that the fixture must be seen at collection, or the rate would be exceeded."""
    make(
        pytester,
        'def test_late(request):\n    request.getfixturevalue("privacy_audit")(private, TINY)\n',
    )
    result = run(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["no audit: privacy_audit must be an argument of the test, *"])


def test_a_refuted_claim_in_a_fixture_is_an_error(pytester: pytest.Pytester) -> None:
    """It must hold that an audit in the setup of a test is told with the setup's report."""
    make(
        pytester,
        """
@pytest.fixture
def mechanism(privacy_audit):
    privacy_audit(leaky, TINY)
    return leaky


def test_it(mechanism):
    pass
""",
    )
    result = run(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["REFUTED: release:leaky", "REFUTED  test_it.py::test_it *"])


LISTED = {
    "--fixtures": ("privacy_audit", "Audit a mechanism: privacy_audit("),
    "--markers": ("@pytest.mark.privacy(epsilon=", "audit the mechanism that the test returns"),
    "--help": ("--privacy-seed", "--privacy-profile", "privacy_false_alarm (float):"),
}


def test_the_fixture_is_listed(pytester: pytest.Pytester) -> None:
    """It must hold that pytest's own help names the fixture, the mark and the options."""
    make(pytester, "")
    listed = {word: run(pytester, word).stdout.str() for word in LISTED}
    for word, names in LISTED.items():
        assert [name for name in names if name not in listed[word]] == [], word
