"""Objects of other libraries that state their parts, as the steps of a plan.

* Events of dp-accounting, by the names and attributes of its classes: noise over sensitivity,
  rates, counts. Of what it calls a vector with an l1 bound one number is read (`ONE_NUMBER`).
* Measurements of OpenDP state no noise, but what they lose at a distance of their inputs: where
  that is one of data sets, the map at the distance of neighbors is a claim, and no more is known.

Neither library is imported: an object has been made with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_fraction, check_integer, exact, shown

__all__ = ["ONE_NUMBER", "is_foreign", "steps_of"]

ONE_NUMBER = (
    "Laplace noise of dp-accounting is read as noise of one number: that no vector with the same "
    "l1 bound loses more is believed, and not proved here."
)
"""A note where it matters: the upper end of the total rests on it, the lower one does not."""

Words = dict[str, object]

EVENTS_OF_DP_ACCOUNTING: Mapping[str, Callable[[Any], Words]] = {
    "GaussianDpEvent": lambda e: {
        "event": "gaussian",
        "sigma": e.noise_multiplier,
        "sensitivity": 1,
    },
    "LaplaceDpEvent": lambda e: {"event": "laplace", "scale": e.noise_multiplier, "sensitivity": 1},
    "DiscreteLaplaceDpEvent": lambda e: {
        "event": "geometric",
        "t": 1 / check_fraction(e.noise_parameter, "noise_parameter", above=0),
        "sensitivity": e.sensitivity,
    },
    "RandomizedResponseDpEvent": lambda e: {
        "event": "randomized-response",
        "keep": 1 - exact(e.noise_parameter),
        "categories": e.num_buckets,
    },
    "NonPrivateDpEvent": lambda _: {"event": "approx-dp", "epsilon": 0, "delta": 1},
}
"""By class. A noise multiplier is noise over the most that a record contributes: that is 1."""

COMPOSED_OF_OTHERS = (
    "NoOpDpEvent",
    "ComposedDpEvent",
    "SelfComposedDpEvent",
    "PoissonSampledDpEvent",
)
VECTORS = ("LaplaceDpEvent", "DiscreteLaplaceDpEvent")

APPROXIMATE = ("Approximate(MaxDivergence", "FixedSmoothedMaxDivergence")
"""How OpenDP names (epsilon, delta), in newer and in older versions."""

DATA_SETS: Mapping[str, Mapping[Relation, int]] = {
    "SymmetricDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2},
    "InsertDeleteDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2},
    "ChangeOneDistance": {Relation.SWAP: 1},
    "HammingDistance": {Relation.SWAP: 1},
}
"""How far neighbors are apart in the metrics of OpenDP that are of data sets."""


def is_foreign(found: object) -> bool:
    """Whether an object is of one of these libraries, or a list of such."""
    if isinstance(found, list | tuple):
        return bool(found) and all(is_foreign(one) for one, _ in map(_counted, found))
    return _library(found) in ("dp_accounting", "opendp")


def steps_of(found: object, relation: Relation) -> tuple[list[Words], tuple[str, ...]]:
    """Steps as a plan has them, and what is to be said of how they were read.

    `found`: an event, a measurement, or a list of these, each alone or with its count. Raises
    InvalidArgument if one of them states no parts.
    """
    notes: dict[str, None] = {}
    return list(_steps(found, relation, 1, notes)), tuple(notes)


def _steps(
    found: object, relation: Relation, count: int, notes: dict[str, None]
) -> Iterator[Words]:
    if isinstance(found, list | tuple):
        for one, times in map(_counted, found):
            yield from _steps(one, relation, count * times, notes)
    elif _library(found) == "opendp":
        yield _measurement(found, relation) | {"count": count}
    else:
        yield from _event(found, relation, count, notes)


def _counted(row: object) -> tuple[object, int]:
    """An object and how often it is released."""
    if isinstance(row, tuple) and len(row) == 2 and not is_foreign(row[1]):
        return row[0], check_integer(row[1], "count", at_least=0)
    return row, 1


def _library(found: object) -> str:
    return type(found).__module__.partition(".")[0]


def _event(found: Any, relation: Relation, count: int, notes: dict[str, None]) -> Iterator[Words]:
    """Steps of an event of dp-accounting."""
    name = type(found).__name__
    if name in VECTORS:
        notes[ONE_NUMBER] = None
    if name == "NoOpDpEvent":
        return
    if name == "ComposedDpEvent":
        for one in found.events:
            yield from _event(one, relation, count, notes)
    elif name == "SelfComposedDpEvent":
        times = check_integer(found.count, "count", at_least=0)
        yield from _event(found.event, relation, count * times, notes)
    elif name == "PoissonSampledDpEvent":
        inner = list(_event(found.event, relation, 1, notes))
        # one sample of a composition is not a composition of samples
        named = inner[0]["event"] if [one["count"] for one in inner] == [1] else ""
        if named not in ("gaussian", "laplace", "geometric"):
            msg = f"{name} is read of one release with noise, got {shown(found.event)}"
            raise InvalidArgument(msg)
        sampled = {"event": f"poisson-{named}", "q": found.sampling_probability, "count": count}
        yield inner[0] | sampled
    elif name in EVENTS_OF_DP_ACCOUNTING:
        yield EVENTS_OF_DP_ACCOUNTING[name](found) | {"count": count}
    else:
        known = ", ".join([*EVENTS_OF_DP_ACCOUNTING, *COMPOSED_OF_OTHERS])
        msg = f"{name} states no parts that are added up here: of dp-accounting these do: {known}"
        raise InvalidArgument(msg)


def _measurement(found: Any, relation: Relation) -> Words:
    """The claim of a measurement of OpenDP for neighbors."""
    try:
        metric, measure = str(found.input_metric), str(found.output_measure)
    except AttributeError as exc:
        msg = f"of OpenDP measurements are added up, got {shown(found)}"
        raise InvalidArgument(msg) from exc
    apart = DATA_SETS.get(metric.partition("(")[0], {}).get(relation)
    if apart is None:
        msg = (
            f"a measurement of the metric {metric} does not say how far neighbors are apart "
            f"({relation.value})"
        )
        raise InvalidArgument(msg)
    is_pure = measure.startswith("MaxDivergence")
    if not is_pure and not measure.startswith(APPROXIMATE):
        msg = f"a bound of {measure} alone has no pair of laws, so nothing follows of its parts"
        raise InvalidArgument(msg)
    lost = found.map(apart)
    if is_pure:
        return {"event": "pure-dp", "epsilon": lost}
    return {"event": "approx-dp", "epsilon": lost[0], "delta": lost[1]}
