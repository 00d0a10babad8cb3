"""The budget that a library's own object states: the claim need not be typed again.

* a Measurement of OpenDP: see `opendp_measurement`;
* a mechanism of diffprivlib: its `epsilon` and `delta`, for values at most the sensitivity apart;
* a mechanism of PyDP: likewise; an algorithm of PyDP: its `epsilon` and `delta`, for records that
  come or go.

An object is recognized by its type, and no library is imported for that: who made it has done so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from audit.targets.libraries.library_imports import records, scalar, version_of
from audit.targets.libraries.offer import Offer, Pairs, Promise
from audit.targets.libraries.opendp_measurement import offer_of_opendp
from mechanisms.claims import ApproxDP, Level, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidData
from mechanisms.group_privacy import under_relation
from mechanisms.validation import exact


def offer_of(found: Any, name: str) -> Offer | None:
    """Recognize an object of a library; None for any other.

    `found`: an object. `name`: what messages call it.
    """
    if isinstance(found, Offer):
        return found
    if _is_a(found, "opendp.mod", "Measurement"):
        return offer_of_opendp(found, name)
    if _is_a(found, "diffprivlib.mechanisms.base", "DPMechanism"):
        return _of_diffprivlib(found)
    if _is_a(found, "pydp.algorithms.numerical_mechanisms", "NumericalMechanism"):
        return _of_pydp_noise(found)
    if _is_a(found, "pydp.algorithms._algorithm", "MetaAlgorithm"):
        return _of_pydp_algorithm(found)
    return None


def _is_a(found: Any, module: str, kind: str) -> bool:
    known = getattr(sys.modules.get(module), kind, None)
    return isinstance(known, type) and isinstance(found, known)


def _of_diffprivlib(found: Any) -> Offer:
    """A copy draws for each call, from our generator: a mechanism keeps its source in `_rng`."""
    seedable = hasattr(found, "_rng")

    def releases(data: Any, rng: np.random.Generator) -> Callable[[], Any]:
        own = found.copy()
        if seedable:
            own._rng = np.random.RandomState(rng.bit_generator)
        return partial(own.randomise, data)

    claim = _claim("diffprivlib", found, Relation.LISTED)
    return Offer(releases, "diffprivlib", claim, _within(found, claim), seedable=seedable)


def _of_pydp_noise(found: Any) -> Offer:
    claim = _claim("python-dp", found, Relation.LISTED)
    return Offer(
        lambda data, _: partial(found.add_noise, data if isinstance(data, int) else scalar(data)),
        "python-dp",
        claim,
        _within(found, claim),
    )


def _of_pydp_algorithm(found: Any) -> Offer:
    integers = str(getattr(found, "dtype", "float")).startswith("int")

    def releases(data: Any, _: np.random.Generator) -> Callable[[], Any]:
        values = records(data).tolist()
        return partial(found.quick_result, [round(x) for x in values] if integers else values)

    return Offer(releases, "python-dp", _claim("python-dp", found, Relation.ADD_REMOVE))


def _claim(distribution: str, found: Any, relation: Relation) -> PrivacyClaim | None:
    """What an object states by its epsilon and delta; None where these are no promise."""
    epsilon, delta = found.epsilon, getattr(found, "delta", 0)
    if not 0 < epsilon < float("inf"):
        return None
    level: Level = ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
    parts = [f"epsilon={epsilon:g}", *([f"delta={delta:g}"] if delta else [])]
    if (sensitivity := _sensitivity(found)) is not None:
        parts.append(f"sensitivity={sensitivity:g}")
    item = f"{type(found).__name__}({', '.join(parts)})"
    return PrivacyClaim(level, relation, Source(version_of(distribution), item))


def _sensitivity(found: Any) -> Any:
    """How far values may move; None where a mechanism has no such number."""
    values = (getattr(found, name, None) for name in ("sensitivity", "l2_sensitivity"))
    return next((value for value in values if isinstance(value, int | float)), None)


def _within(found: Any, claim: PrivacyClaim | None) -> Promise | None:
    """The claim, for listed values that are not further apart than it speaks of."""
    if claim is None:
        return None
    sensitivity = _sensitivity(found)

    def promise(relation: Relation | None, pairs: Pairs) -> PrivacyClaim:
        for data, neighbor in pairs if sensitivity is not None else ():
            gap = abs(exact(scalar(data)) - exact(scalar(neighbor)))
            if gap > exact(sensitivity):
                msg = (
                    f"the values {data!r} and {neighbor!r} of a listed pair are {float(gap):g} "
                    f"apart, and {claim.source.item} states nothing of such a pair"
                )
                raise InvalidData(msg)
        return claim if relation is None else under_relation(claim, relation)

    return promise
