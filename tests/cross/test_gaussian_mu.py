"""The Gaussian claim of an (epsilon, delta) claim, against another enclosure."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.levels.gaussian_mu import gaussian_mu
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import certainly_less
from tests.cross.gaussian_curve import Constants, gaussian_delta

REFERENCE = [
    ("1", "1e-5", "0.268051123211294"),
    ("1", "1e-6", "0.236704380663436"),
    ("2", "1e-5", "0.501551689169657"),
    ("0.1", "1e-5", "0.0325207840562039"),
    ("8", "1e-5", "1.66603059784572"),
    ("1", "1e-3", "0.388401248306584"),
]
"""By bisection with 30 digits."""


def unit(text, digits):
    """One step of the last of so many digits."""
    return Fraction(10) ** (Decimal(text).adjusted() + 1 - digits)


@pytest.mark.parametrize("row", REFERENCE)
def test_is_the_reference_rounded_down_and_up(row):
    """The ends must be the known number, down to five digits and up to four."""
    epsilon, delta, known = row
    lower, upper = gaussian_mu(Fraction(epsilon), Fraction(delta))
    below, above, mu = Fraction(lower), Fraction(upper), Fraction(known)
    assert below <= mu < below + unit(known, 5)
    assert above - unit(known, 4) <= mu < above


@given(
    epsilon=st.floats(0.01, 20).map(lambda x: Fraction(repr(x))),
    exponent=st.floats(-12, -0.5),
)
def test_the_lower_end_keeps_the_claim_and_the_next_number_breaks_it(epsilon, exponent):
    """Of two neighbors of five digits only the lower may keep it; the upper end must break it."""
    delta = Fraction(repr(10**exponent))
    lower, upper = gaussian_mu(epsilon, delta)
    below = Fraction(lower)
    keeps = certainly_less(gaussian_delta(Constants(), below, epsilon), delta)
    assert keeps
    for above in (below + unit(lower, 5), Fraction(upper)):
        assert certainly_less(delta, gaussian_delta(Constants(), above, epsilon))


@pytest.mark.parametrize(
    "numbers",
    [("0", "1e-400"), ("1", "1e-5000"), ("1e-300", "1e-5"), ("2000", "1e-5"), ("1e-9", "0.999")],
)
def test_extreme_numbers_are_enclosed_closely(numbers):
    """Far out the ends must still lie within a thousandth of each other."""
    lower, upper = map(Fraction, gaussian_mu(*map(Fraction, numbers)))
    assert 0 < lower < upper < lower * Fraction(1002, 1000)


@pytest.mark.parametrize("numbers", [(-1, "1e-5"), (1, 0), (1, 1), (1, -1)])
def test_what_is_no_claim_is_refused(numbers):
    """A delta of 0 or 1 has no such number."""
    with pytest.raises(InvalidArgument):
        gaussian_mu(*map(Fraction, numbers))
