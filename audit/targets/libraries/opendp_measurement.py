"""What a Measurement of OpenDP states: `map(d_in)`, in its output measure.

What d_in means, the user says. Under the symmetric (or insert-delete) distance a record that comes
or goes is 1, and a replaced one 2; under the change-one (or Hamming) distance a replaced one is 1,
and nothing is stated of one that comes or goes. The values of a listed pair are as far apart as the
metric says, and the claim is that of the farthest pair.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from audit.targets.libraries.library_imports import version_of
from audit.targets.libraries.offer import Offer, Pairs
from audit.targets.libraries.opendp import cast_up
from mechanisms.claims import (
    ApproxDP,
    Level,
    Order,
    PrivacyClaim,
    PureDP,
    Relation,
    Source,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds

BY_RELATION = {
    "SymmetricDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2},
    "InsertDeleteDistance": {Relation.ADD_REMOVE: 1, Relation.SWAP: 2},
    "ChangeOneDistance": {Relation.SWAP: 1},
    "HammingDistance": {Relation.SWAP: 1},
}
"""d_in of neighbors, by the metric on data sets."""

MEASURES: dict[str, Callable[..., Level]] = {
    "MaxDivergence": PureDP,
    "Approximate(MaxDivergence)": ApproxDP,
    "ZeroConcentratedDivergence": ZeroConcentratedDP,
}
"""Levels of claims, by the measure of the output."""

SHOWN = 200
IN_ORDER = ("InsertDeleteDistance", "HammingDistance")
OF_VALUES = ("AbsoluteDistance", "L1Distance", "L2Distance", "LInfDistance", "DiscreteDistance")


def offer_of_opendp(found: Any, name: str) -> Offer:
    """What a Measurement offers.

    `found`: the object. `name`: what messages call it.
    """
    domain, metric = found.input_domain, metric_of(found)
    carrier = str(domain.carrier_type)
    of_records = carrier.startswith("Vec<") and metric in BY_RELATION
    size = getattr(domain, "size", None) if of_records else None
    bounds = getattr(getattr(domain, "element_domain", None), "bounds", None)

    def promise(relation: Relation | None, pairs: Pairs) -> PrivacyClaim:
        relation, d_in = _asked(found, name, relation, pairs)
        stated = stated_at(found, name, d_in)
        item = f"map({d_in}) = {stated} under {found.input_metric}"
        source = Source(version_of("opendp"), item)
        return PrivacyClaim(_level(found, name, stated), relation, source)

    return Offer(
        lambda data, _: partial(found, _carried(data, carrier)),
        "opendp",
        promise=promise,
        order=Order.FIXED if metric in IN_ORDER else Order.FREE,
        bounds=check_bounds(*map(float, bounds)) if of_records and bounds is not None else None,
        count=size,
        domain=_declared(domain, carrier, bounds),
        domain_source=f"opendp: the input domain is {domain}",
    )


def _declared(domain: Any, carrier: str, bounds: Any) -> str:
    """What a domain declares of its records: bounds (so does an integer type), or no NaN."""
    whole = carrier.removeprefix("Vec<")[:1] in ("i", "u")
    if whole or bounds is not None:
        return "declared"
    if carrier not in ("Vec<f32>", "Vec<f64>"):
        return "any"
    return "any" if getattr(domain.element_domain, "nan", True) else "finite"


def metric_of(found: Any) -> str:
    """The name of the metric of its data sets."""
    return str(found.input_metric).partition("(")[0]


def distances_of(found: Any) -> dict[Relation, int]:
    """The distance of neighbors, by the relations that the metric and the domain know."""
    known = BY_RELATION.get(metric_of(found), {})
    if getattr(found.input_domain, "size", None) is None:
        return known
    return {key: d_in for key, d_in in known.items() if key is Relation.SWAP}


def _carried(data: Any, carrier: str) -> Any:
    """Data as the library takes them; where it takes integers, numbers are rounded to them."""
    inner = carrier.removeprefix("Vec<").removesuffix(">")

    def read(x: Any) -> Any:
        if isinstance(x, bool) or not isinstance(x, int | float):
            return x
        if inner in ("f32", "f64"):
            return float(x)
        return round(x) if math.isfinite(x) and inner[:1] in ("i", "u") else x

    values = data.tolist() if hasattr(data, "tolist") else data
    return [read(x) for x in values] if isinstance(values, list) else read(values)


def _asked(
    found: Any, name: str, relation: Relation | None, pairs: Pairs
) -> tuple[Relation, int | float]:
    """The relation of the claim, and the distance of its neighbors."""
    metric, known = metric_of(found), distances_of(found)
    if relation in known:
        assert relation is not None
        return relation, known[relation]
    if metric in OF_VALUES and relation in (None, Relation.LISTED):
        return Relation.LISTED, _farthest(found, name, pairs)
    if relation is Relation.LISTED and metric in ("SymmetricDistance", "ChangeOneDistance"):
        return relation, _farthest(found, name, pairs)
    meant = [f"--relation {key} for map({d_in})" for key, d_in in known.items()]
    if metric in OF_VALUES:
        meant = ["--relation listed with --pair FILE.json"]
    hint = " or ".join(meant) or "a claim of your own (--epsilon, and --relation)"
    fixed = " on data sets of a public size" if known and len(known) == 1 else ""
    msg = (
        f"what {name} states depends on which data sets are neighbors; its metric is "
        f"{found.input_metric}{fixed}: give {hint}"
    )
    raise InvalidArgument(msg)


def _farthest(found: Any, name: str, pairs: Pairs) -> int | float:
    """The largest distance of listed pairs, in the type of the metric's distances."""
    if not pairs:
        msg = f"the claim of {name} is about listed pairs: give each with --pair FILE.json"
        raise InvalidArgument(msg)
    metric, kind = metric_of(found), str(found.input_metric.distance_type)
    try:
        largest = max(_distance(metric, *map(_listed, pair)) for pair in pairs)
    except (TypeError, ValueError, OverflowError) as exc:
        msg = f"the distance of a listed pair under {found.input_metric} is not known: {exc}"
        raise InvalidArgument(msg) from exc
    return cast_up(largest) if kind in ("f32", "f64") else math.ceil(largest)


def _listed(side: Any) -> list[Any]:
    values = side.tolist() if hasattr(side, "tolist") else side
    return list(values) if isinstance(values, list | tuple) else [values]


def _distance(metric: str, data: list[Any], neighbor: list[Any]) -> Fraction:
    """Distance of two data sets or values; that of L2 is rounded up."""
    if metric in ("SymmetricDistance", "ChangeOneDistance"):
        first, second = Counter(map(repr, data)), Counter(map(repr, neighbor))
        fewer, more = (first - second).total(), (second - first).total()
        return Fraction(fewer + more if metric == "SymmetricDistance" else max(fewer, more))
    if metric == "DiscreteDistance":
        return Fraction(int(data != neighbor))
    if len(data) != len(neighbor):
        msg = f"they have {len(data)} and {len(neighbor)} values"
        raise ValueError(msg)
    gaps = [abs(Fraction(x) - Fraction(y)) for x, y in zip(data, neighbor, strict=True)]
    if metric == "L2Distance":
        square = sum((gap * gap for gap in gaps), Fraction(0))
        root = math.sqrt(square)
        while Fraction(root) ** 2 < square:
            root = math.nextafter(root, math.inf)
        return Fraction(root)
    return max(gaps, default=Fraction(0)) if metric == "LInfDistance" else sum(gaps, Fraction(0))


def stated_at(found: Any, name: str, d_in: int | float) -> Any:
    """What the library says of neighbors at a distance; raises InvalidArgument if it cannot."""
    try:
        return found.map(d_in)
    except Exception as exc:
        msg = f"{name} cannot say what map({d_in}) is: {' '.join(str(exc).split())[:SHOWN]}"
        raise InvalidArgument(msg) from exc


def _level(found: Any, name: str, stated: Any) -> Level:
    """The level of a claim that the measure of the output makes of it."""
    measure = str(found.output_measure)
    if measure not in MEASURES:
        msg = (
            f"{name} states its budget as {measure}, which is none of {', '.join(MEASURES)}; state "
            "a claim of your own (--epsilon, and --relation)"
        )
        raise InvalidArgument(msg)
    try:
        return MEASURES[measure](*(stated if isinstance(stated, tuple) else (stated,)))
    except InvalidArgument as exc:
        msg = f"{name} states no finite budget, but {stated!r}"
        raise InvalidArgument(msg) from exc
