"""Records so close together that a one-pass variance cancels below zero.

The mean of the squares less the square of the mean is at least 0 for real numbers; rounded, it can
be negative, and a square root of it is NaN or an error: an output that tells two data sets apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from audit.pairs.adversarial.public import FORMATS, Format, Public, Runs, in_words, pair_of
from audit.pairs.worst_cases import Pair
from mechanisms.claims import Relation

FEWEST, MOST = 2, 12
"""Records of a data set that are tried."""

PLACES = tuple(Fraction(i, 10) for i in (1, 3, 7, 9, 2, 4, 6, 8))
"""Of a record, in units of the width above low: no sum of few powers of 2."""


def cancellation_pairs(public: Public) -> Iterator[Pair]:
    """For single and double precision, a pair of which one side has a negative variance."""
    places = [float(public.low + (public.high - public.low) * place) for place in PLACES]
    for form in FORMATS[1:]:
        if (MOST + 1) * abs(public.ends[0]) * abs(public.ends[0]) > form.largest:
            continue
        for count, place in product(range(FEWEST, MOST + 1), places):
            data: Runs = [(place, count)]
            neighbor = _neighbor(public, place, count)
            signs = [_variance(runs, form) < 0 for runs in (data, neighbor)]
            if signs[0] != signs[1] and public.allows(place):
                which = "before" if signs[0] else "after"
                label = (
                    f"cancellation: {in_words(data)}; one "
                    f"{'more' if public.relation is Relation.ADD_REMOVE else 'replaced'} (their "
                    f"one-pass variance in {form.name} is negative {which})"
                )
                yield pair_of(label, data, neighbor)
                break


def _neighbor(public: Public, place: float, count: int) -> Runs:
    """One more of the same, or one replaced by the larger end."""
    if public.relation is Relation.ADD_REMOVE:
        return [(place, count + 1)]
    return [(place, count - 1), (public.ends[0], 1)]


def _variance(runs: Runs, form: Format) -> float:
    """Mean of the squares less the square of the mean, each step rounded to the format."""
    records = np.repeat([form.dtype(value) for value, _ in runs], [count for _, count in runs])
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        count = form.dtype(records.size)
        mean = form.dtype(form.total(records)) / count
        squares = form.dtype(form.total(records * records)) / count
        return float(squares - mean * mean)
