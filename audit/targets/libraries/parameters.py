"""Public parameters of a library's calls: their defaults, and how each is read and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds, check_choice, check_fraction, check_integer, exact


class _Parameter(NamedTuple):
    """A default, and a function (value, name) that checks a value and reads it exactly."""

    default: Any
    read: Callable[[Any, str], Any]


Parameters = Mapping[str, _Parameter]
"""What a call takes, by name."""
KINDS = ("BoundedMean", "BoundedSum", "BoundedVariance", "Median")
"""Algorithms of PyDP with the same parameters."""
_positive = partial(check_fraction, above=0)
_counting = partial(check_integer, at_least=1)


def _relation(value: Any, name: str) -> Relation:
    if value not in (Relation.ADD_REMOVE, Relation.SWAP):
        msg = f"{name} must be 'add-remove' or 'swap', got {name}={value!r}"
        raise InvalidArgument(msg)
    return Relation(value)


ALONE: Parameters = {"epsilon": _Parameter(1, _positive)}
"""Of a count."""
QUERY = {**ALONE, "low": _Parameter(0, exact), "high": _Parameter(1, exact)}
"""Of a query on records between public bounds."""
HISTOGRAM = {**QUERY, "bins": _Parameter(2, _counting)}
"""Bins are of equal width; records outside the bounds count in none."""
MEDIAN = {**QUERY, "relation": _Parameter(Relation.ADD_REMOVE, _relation)}
"""The relation is the user's to choose."""
NOISE = {**ALONE, "sensitivity": _Parameter(1, _positive)}
"""Of noise on one value."""
INTEGER_NOISE = {**ALONE, "sensitivity": _Parameter(1, _counting)}
"""Of noise on one integer."""
GAUSSIAN = {**ALONE, "delta": _Parameter("1e-5", partial(_positive, at_most=1)), **NOISE}
"""Of Gaussian noise on one value."""


def analytic(default: bool) -> Parameters:
    """A Gaussian of diffprivlib: calibrated exactly ("Analytic") or by the classical formula."""
    return {**GAUSSIAN, "analytic": _Parameter(default, _analytic)}


def _analytic(value: object, name: str) -> str:
    if not isinstance(value, bool):
        msg = f"{name} must be true or false, got {name}={value!r}"
        raise InvalidArgument(msg)
    return "Analytic" if value else ""


def of_kind(default: str) -> Parameters:
    """A query of PyDP, of one of several kinds."""
    return {**QUERY, "kind": _Parameter(default, partial(check_choice, choices=KINDS))}


def values_of(parameters: Parameters, given: Mapping[str, Any]) -> dict[str, Any]:
    """Read what is given, and the defaults of the rest.

    Raises InvalidArgument if a value is out of its domain, or bounds are not apart.
    """
    told = {name: given.get(name, parameter.default) for name, parameter in parameters.items()}
    values = {name: parameters[name].read(value, name) for name, value in told.items()}
    if "low" in told:
        low, high = told["low"], told["high"]
        if len({*check_bounds(low, high)}) == 1:
            msg = f"low must be less than high, got low={low!r}, high={high!r}"
            raise InvalidArgument(msg)
    if values.get("analytic") == "":  # the classical formula holds up to 1
        check_fraction(told["epsilon"], "epsilon", at_most=1)
    return values
