from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.errors import InvalidArgument
from proofs_check.rational import printed_interval, root_interval


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("0.5", "0.45", "0.55"),
        ("0.50", "0.495", "0.505"),
        ("7", "6.5", "7.5"),
        ("-1.2", "-1.25", "-1.15"),
        ("2.5e-3", "0.00245", "0.00255"),
        ("9e2", "850", "950"),
    ],
)
def test_a_print_stands_for_half_a_unit_to_either_side(text, lower, upper):
    """The interval must be the printed number plus and minus half a unit of its last digit."""
    assert printed_interval(text) == (Fraction(lower), Fraction(upper))


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1/2"])
def test_what_is_no_finite_decimal_is_refused(text):
    """Only finite decimals have a last printed digit."""
    with pytest.raises(InvalidArgument, match="text must be a finite decimal"):
        printed_interval(text)


@given(
    value=st.fractions(min_value=0, max_value=10**6, max_denominator=10**6),
    degree=st.integers(1, 5),
    bits=st.integers(1, 100),
)
def test_a_root_lies_between_its_fractions(value, degree, bits):
    """The powers of the ends must straddle the value, and the ends be as close as promised."""
    lower, upper = root_interval(value, degree, bits)
    assert lower**degree <= value <= upper**degree
    assert value == 0 or value < upper**degree
    assert (upper - lower) * 2**bits <= max(upper, Fraction(1, value.denominator) * (value != 0))


@given(root=st.fractions(min_value=0, max_denominator=10**9), degree=st.integers(1, 5))
def test_an_exact_root_is_the_lower_end(root, degree):
    """Where the root is a fraction of the value's denominator, the lower end must be it."""
    assert root_interval(root**degree, degree, 10)[0] == root


@pytest.mark.parametrize(
    "arguments", [(Fraction(-1), 2, 10), (Fraction(1), 0, 10), (Fraction(1), 2, 0)]
)
def test_roots_of_negatives_are_refused(arguments):
    """A negative radicand, and a degree or precision below 1, must be refused."""
    with pytest.raises(InvalidArgument, match="value must be at least 0"):
        root_interval(*arguments)
