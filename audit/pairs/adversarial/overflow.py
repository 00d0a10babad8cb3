"""Records whose sum passes the largest number of a format: infinite, or NaN where it cancels."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from audit.pairs.adversarial.public import (
    FORMATS,
    MOST_RECORDS,
    Public,
    Runs,
    in_words,
    pair_of,
    records_of,
)
from audit.pairs.worst_cases import Pair
from mechanisms.claims import Order


def overflow_pairs(public: Public) -> Iterator[Pair]:
    """For each format, pairs of which one side overflows a plain running sum."""
    large, other = public.ends
    for form in FORMATS:
        count = int(Fraction(form.largest) / Fraction(abs(large)))
        if not 1 <= count < MOST_RECORDS:
            continue
        for fewer in (count, count - 1, count - 2):  # the limit may be rounded to or away from
            if fewer < 1:
                continue
            pair = public.changed(f"overflow of {form.name}", [(large, fewer)])
            ends = [math.isfinite(form.total(side)) for side in (pair.data, pair.neighbor)]
            if ends == [True, False]:
                yield pair
                break
        if public.mixed and public.order is Order.FREE and 2 * count + 2 <= MOST_RECORDS:
            back = math.ceil(abs(large) / abs(other))
            last: Runs = [(large, count + 1), (other, back)]
            first: Runs = [(other, back), (large, count + 1)]
            if len({math.isfinite(form.total(records_of(runs))) for runs in (last, first)}) == 2:
                label = (
                    f"overflow of {form.name}: {in_words(last)}, against those at {other:.6g} first"
                )
                yield pair_of(label, last, first)
