"""How diffprivlib is called: the caller's generator drives it through `random_state`.

mean, sum and count_nonzero calibrate to high - low, the effect of replacing a record, and truncate
their output to a range that depends on the number of records: SWAP. histogram adds geometric noise
of sensitivity 1 to every bin: ADD_REMOVE. median scores ranks by |rank - n/2|, which moves by at
most 1/2 when a record comes or goes and by at most 1 when one is replaced; the library calibrates
to 1, so epsilon holds under either. Of its noise mechanisms the library states no other relation
than values at most the sensitivity apart: listed pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from audit.targets.libraries.library_imports import load_library, records, scalar
from audit.targets.libraries.offer import Releases
from mechanisms.errors import InvalidArgument


def tool(call: str, values: Mapping[str, Any]) -> Releases:
    """A query on records, `tools.NAME(records, epsilon, ...)`; of a histogram the noisy counts."""
    query, options = _found(call), {"epsilon": float(values["epsilon"])}
    limits = (float(values["low"]), float(values["high"])) if "low" in values else None
    bins = values.get("bins")
    named = {"range": limits, "bins": bins} if bins else {"bounds": limits} if limits else {}

    def releases(data: Any, rng: np.random.Generator) -> Callable[[], Any]:
        # The library's default accountant keeps a list of all calls ever made.
        accountant = load_library("diffprivlib", "diffprivlib").BudgetAccountant()
        own = {"random_state": np.random.RandomState(rng.bit_generator), "accountant": accountant}
        arguments, rows = options | named | own, records(data)
        if bins:
            return lambda: query(rows, **arguments)[0]
        return lambda: query(rows, **arguments)

    return releases


def noise(call: str, values: Mapping[str, Any]) -> Releases:
    """A noise mechanism on one value, `mechanisms.NAME(epsilon, ...).randomise(value)`."""
    kind, whole = _found(call), isinstance(values["sensitivity"], int)
    names = ("epsilon", "delta", "sensitivity")
    numbers = {name: float(values[name]) for name in names if name in values}
    if whole:
        numbers["sensitivity"] = values["sensitivity"]

    def releases(data: Any, rng: np.random.Generator) -> Callable[[], Any]:
        value = scalar(data)
        if whole and not value.is_integer():
            msg = f"data must be one integer, got data={data!r}"
            raise InvalidArgument(msg)
        mechanism = kind(random_state=np.random.RandomState(rng.bit_generator), **numbers)
        return lambda: mechanism.randomise(int(value) if whole else value)

    return releases


def _found(call: str) -> Any:
    module, _, name = call.partition(".")
    return getattr(load_library(f"diffprivlib.{module}", "diffprivlib"), name)
