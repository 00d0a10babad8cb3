"""What an object of a library offers to an audit: draws, and the budget that it states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from mechanisms.claims import Order, PrivacyClaim, Relation

__all__ = ["Offer", "Pairs"]

Pairs = Sequence[tuple[Any, Any]]
"""Listed pairs (data, neighbor)."""


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """What a library's object offers to an audit.

    Parameters
    ----------
    draw : callable (data, size, rng) -> outputs
        Its releases.
    library : str
        The distribution.
    own_claim : PrivacyClaim or None
        What it states, where this needs no word of the user's.
    promise : callable (relation, pairs) -> PrivacyClaim, or None
        What it states under a relation, for listed pairs.
    seedable : bool
        Whether the generator determines the draws.
    order : Order
        Whether the order of records is data.
    bounds : (Fraction, Fraction) or None
        Of its records.
    count : int or None
        The public number of its records.
    domain, domain_source : str
        What the library declares of its records, and its own words.
    """

    draw: Callable[[Any, int, np.random.Generator], Any]
    library: str
    own_claim: PrivacyClaim | None = None
    promise: Callable[[Relation | None, Pairs], PrivacyClaim] | None = None
    seedable: bool = False
    order: Order = Order.FREE
    bounds: tuple[Fraction, Fraction] | None = None
    count: int | None = None
    domain: str = "any"
    domain_source: str = ""
