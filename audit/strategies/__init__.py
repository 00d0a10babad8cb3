"""Hypothesis strategies for tests of private mechanisms: data sets, neighbors, claims, noise.

They need Hypothesis (extra `hypothesis`). Everything is built by construction, never filtered, so a
failing example shrinks to the smallest pair that fails and stays a pair of neighbors.
"""

from __future__ import annotations

from mechanisms.errors import MissingExtra

try:
    import hypothesis  # noqa: F401 - only whether it is there
except ImportError as exc:
    _msg = (
        f"audit.strategies needs Hypothesis ({exc}); "
        "install it with: pip install 'touchstone-dp[hypothesis]'"
    )
    raise MissingExtra(_msg) from exc

from audit.strategies.claim_strategies import budgets, privacy_levels
from audit.strategies.noise_strategies import noise_parameters
from audit.strategies.pairs import neighboring_pairs, personalized_pairs
from audit.strategies.record_strategies import datasets
from audit.strategies.table_strategies import neighboring_tables, tables

__all__ = [
    "budgets",
    "datasets",
    "neighboring_pairs",
    "neighboring_tables",
    "noise_parameters",
    "personalized_pairs",
    "privacy_levels",
    "tables",
]
