"""Write examples/first_audit.ipynb: the tutorial's cells. `python examples/make_first_audit.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

WORDS = """# Audit your first mechanism

The page of this name in the documentation, as cells: a bug is found, read, and repaired.
---
import numpy as np

import audit


def total(data, size, rng, low=0.0, high=1.0):
    \"\"\"The sum of all records, clipped, with too little Laplace noise.\"\"\"
    records = np.clip(np.nan_to_num(data), low, high)
    return records.sum() + rng.laplace(scale=0.5 * (high - low), size=size)
---
It promises epsilon = 1 when one person is added or removed.
---
refuted = audit.audit(
    total, epsilon=1, relation="add-remove", low=0, high=1, ideal=True, seed=1, jobs=1
)
refuted
---
The witness: two data sets, and an event that is too likely on one of them.
---
witness = refuted.witness
witness.event, list(witness.data), list(witness.neighbor), witness.hits, witness.other_hits
---
A sum that one person changes by up to 1 needs scale 1.
---
def repaired(data, size, rng, low=0.0, high=1.0):
    \"\"\"The sum of all records, clipped, with Laplace noise.\"\"\"
    records = np.clip(np.nan_to_num(data), low, high)
    return records.sum() + rng.laplace(scale=1.0 * (high - low), size=size)


consistent = audit.audit(
    repaired,
    epsilon=1,
    relation="add-remove",
    pair=(np.array([]), np.array([1.0])),
    ideal=True,
    budget_samples=200_000,
    seed=1,
    jobs=1,
)
consistent
---
CONSISTENT says how large a violation would have been found, by how probable its event is.
---
dict(zip(consistent.detectable.masses, consistent.detectable.epsilons, strict=True))
---
Double precision is another matter: without `ideal` the repaired sum is refuted too.
---
floats = audit.audit(
    repaired, epsilon=1, relation="add-remove", pair=(np.array([]), np.array([1.0])), seed=1, jobs=1
)
floats.witness.event
"""


def cell(number: int, text: str) -> dict[str, Any]:
    """A cell: words and code take turns."""
    source = text.strip("\n").splitlines(keepends=True)
    if number % 2 == 0:
        return {"cell_type": "markdown", "id": f"c{number}", "metadata": {}, "source": source}
    code = {"cell_type": "code", "execution_count": None, "id": f"c{number}", "metadata": {}}
    return code | {"outputs": [], "source": source}


def notebook() -> dict[str, Any]:
    """The whole notebook."""
    cells = [cell(number, text) for number, text in enumerate(WORDS.split("---\n"))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    path = Path(__file__).with_name("first_audit.ipynb")
    path.write_text(json.dumps(notebook(), indent=1) + "\n", encoding="utf-8")
