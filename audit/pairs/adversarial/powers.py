"""Records next to a power of 2.

The spacing changes there, and with it whatever a program derives from the binade of its data.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from audit.pairs.adversarial.public import Public, Runs, pair_of
from audit.pairs.worst_cases import Pair
from audit.results.number_words import plural
from mechanisms.claims import Relation

COUNTS = (1, 3)
"""Records just below the power of 2."""


def power_pairs(public: Public) -> Iterator[Pair]:
    """Records just below the largest power of 2 within the bounds, and one at it."""
    large, _ = public.ends
    power = math.copysign(math.ldexp(1.0, math.frexp(abs(large))[1] - 1), large)
    below = float(np.nextafter(power, 0.0))
    if not (public.allows(power) and public.allows(below)):
        return
    for count in COUNTS:
        rest: Runs = [(below, count if public.relation is Relation.ADD_REMOVE else count - 1)]
        words = f"{plural(count, 'record')} just below {power:g}"
        if public.relation is Relation.ADD_REMOVE:
            label, data = f"power of 2: {words}; one more at {power:g}", rest
        else:
            label = f"power of 2: {words}; one replaced by {power:g}"
            data = [*rest, (below, 1)]
        yield pair_of(label, data, [*rest, (power, 1)])
