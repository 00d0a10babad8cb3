"""All pairs of tables that a search begins with, by family, the plain first."""

from __future__ import annotations

import math

import numpy as np

from audit.pairs.neighbors import Pair
from audit.pairs.tables.families import distinct_tables, hostile, orders, scan, worst_tables
from audit.pairs.tables.mixtures import mixed_tables
from audit.targets.domain import Domain
from audit.targets.outcomes import in_time

TABLE_FAMILIES = ("worst cases", "scan", "orders", "hostile cells", "mixtures")
"""In the order in which a search takes them."""

MIXED = 1_300
"""Pairs of mixed rows: as many as of mixed records (`audit.screening.candidates`). Of the six
broken releases of tests/audit/tables the self-join is found by these alone."""


def table_families(
    domain: Domain, rng: np.random.Generator, *, deadline: float = math.inf
) -> dict[str, list[Pair]]:
    """Pairs of each family; the last one is drawn. Raises OutOfTime behind the deadline."""
    sides = (scan(domain), orders(domain), hostile(domain), mixed_tables(domain, rng, MIXED))
    made = [
        worst_tables(domain),
        *(distinct_tables(in_time(each, deadline), domain) for each in sides),
    ]
    return dict(zip(TABLE_FAMILIES, made, strict=True))
