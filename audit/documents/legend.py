"""The terms of a report, and what they mean."""

from __future__ import annotations

from audit.documents.phrases import GUARANTEES

__all__ = ["LEGEND"]

NEIGHBORS = "one record more or less; one record replaced; the listed pairs alone"
LEGEND = (
    ("REFUTED", GUARANTEES["refuted"]),
    ("REFUTED (exact)", GUARANTEES["refuted, exact"]),
    ("PROVED", GUARANTEES["proved"]),
    ("CONSISTENT", GUARANTEES["consistent"]),
    ("INCONCLUSIVE", f"{GUARANTEES['inconclusive']}."),
    ("ok, FAIL, OPEN, ERROR", "as expected; not as expected; inconclusive; without a result"),
    (
        "epsilon, delta",
        "an event may be e^epsilon times as likely, and delta besides, on a neighbor",
    ),
    ("add-remove, swap, listed", f"what neighboring data sets are: {NEIGHBORS}"),
    ("limit", "a lower confidence limit: the true value is greater"),
    ("witness", "two neighboring data sets and an event whose probabilities break the claim"),
    ("power", "how large a loss would have been found, by how probable its event is"),
    ("false alarm", f"{GUARANTEES['rate']}."),
    ("not tried", "inputs and observations of which the verdict says nothing"),
    ("trust", GUARANTEES["trust"]),
    ("time", GUARANTEES["time"]),
)
"""Terms of a report, and what they mean."""
