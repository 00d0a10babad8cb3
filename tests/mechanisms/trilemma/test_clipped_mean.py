"""The noisy clipped mean: its law, its margins, and noise for exactly the width of the clip."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.noise.laplace import Laplace
from mechanisms.trilemma.clipped_mean import ClippedMean
from mechanisms.trilemma.margins import printed_margin, sharp_margin
from tests.mechanisms.trilemma.printed import as_printed

F = Fraction


@pytest.mark.parametrize(
    ("beta", "moment", "margin"),
    [
        ("0.1", 2, "2.4"),
        ("0.01", 2, "24.99"),
        ("0.1", 3, "1.21716123890037"),
        ("0.01", 4, "2.19301330365965"),
        ("1/2", 2, "0"),
        ("7", 2, "0"),
    ],
)
def test_sharp_margins_are_the_reference(beta: str, moment: int, margin: str) -> None:
    """TRI-P3.0.1-sharp: the printed digits must come out, and the ends lie a margin outside."""
    found = sharp_margin(float(F(beta)), moment)
    assert found == as_printed(margin)
    ends = ClippedMean(1, 0, 1, beta, moment, "sharp").ends
    assert ends == pytest.approx((-found, 1 + found), rel=1e-15)


@pytest.mark.parametrize(("beta", "moment", "c"), [("0.1", 2, 10.0), ("1/8", 4, 2.0), (32, 6, 0.5)])
def test_printed_margin(beta: str, moment: int, c: float) -> None:
    """The margin must be beta^(-1/(lam - 1))."""
    assert printed_margin(float(F(beta)), moment) == pytest.approx(c, rel=1e-15)
    assert ClippedMean(1, 0, 1, beta, moment).ends == pytest.approx((-c, 1 + c), rel=1e-15)


BOUND = st.fractions(-(10**6), 10**6, max_denominator=1000)


@given(
    low=BOUND,
    width=st.fractions("1/1000", 10**6, max_denominator=1000),
    beta=st.fractions("1/10000", 10, max_denominator=10**4),
    moment=st.fractions(2, 20, max_denominator=7),
    constant=st.sampled_from(["printed", "sharp"]),
)
def test_noise_is_for_exactly_the_width_of_the_clip(
    low: Fraction, width: Fraction, beta: Fraction, moment: Fraction, constant: str
) -> None:
    """The width of the query must be the exact difference of the doubles that clip the records."""
    mechanism = ClippedMean(1, low, low + width, beta, moment, constant)
    lower, upper = mechanism.ends
    assert mechanism.record_range == (F(lower), F(upper))
    query = mechanism.noisy_query()
    assert (query.origin, query.unit) == (F(lower), F(upper) - F(lower))
    assert query.noises == (Laplace(1, 1),)
    assert lower <= float(low) < float(low + width) <= upper


def test_records_beyond_the_ends_change_nothing() -> None:
    """A record at a clip end must count as one far beyond it."""
    mechanism = ClippedMean()
    far, near = ([x, 0.5, y] for x, y in ((-1e300, 1e300), (-10.0, 11.0)))
    rng = (np.random.default_rng(5) for _ in range(2))
    np.testing.assert_array_equal(
        mechanism.sample(far, 9, rng=next(rng)), mechanism.sample(near, 9, rng=next(rng))
    )
