"""What a call or an object of a library offers to an audit: releases, and the budget it states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.targets.libraries.library_imports import draw_each
from mechanisms.claims import Order, PrivacyClaim, Relation

Pairs = Sequence[tuple[Any, Any]]
"""Listed pairs (data, neighbor)."""
Promise = Callable[[Relation | None, Pairs], PrivacyClaim]
"""What is stated under a relation, for listed pairs."""
Releases = Callable[[Any, np.random.Generator], Callable[[], Any]]
"""From data, a function without arguments that makes one release after another."""


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """What a library offers to an audit: a mechanism."""

    releases: Releases
    """One release a call."""
    library: str
    """The distribution; "" for none that is installed."""
    claim: PrivacyClaim | None = None
    """What it states, where this needs no word of the user's."""
    promise: Promise | None = None
    """What it states under a relation, for listed pairs."""
    seedable: bool = False
    """Whether the generator determines the draws."""
    order: Order = Order.FREE
    """Whether the order of records is data."""
    bounds: tuple[Fraction, Fraction] | None = None
    count: int | None = None
    """The public number of its records."""
    domain: str = "any"
    domain_source: str = ""
    """What the library declares of its records, and its own words."""
    pairs: Pairs = ()
    """Of a claim about listed pairs, where no others are given."""

    def sample(self, data: Any, size: int, *, rng: np.random.Generator) -> NDArray[Any] | list[Any]:
        """Draw `size` releases on `data`; see `draw_each` for exceptions."""
        return draw_each(self.releases(data, rng), size)
