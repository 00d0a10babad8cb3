"""What a Transformation of OpenDP states: its domains, its metrics, and `map(d_in)`.

`map` speaks of the distance of two data sets, so for two orders of the same records it is asked for
`map(0)`: under the symmetric distance that is above 0 for sums of doubles, which follow the order.
"""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.targets.libraries.opendp_measurement import (
    BY_RELATION,
    IN_ORDER,
    distances_of,
    metric_of,
    stated_at,
)
from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds

NORMS = {
    "AbsoluteDistance": "l1",
    "L1Distance": "l1",
    "L2Distance": "l2",
    "LInfDistance": "linf",
    "SymmetricDistance": "symmetric",
    "InsertDeleteDistance": "insert-delete",
    "ChangeOneDistance": "change-one",
    "HammingDistance": "hamming",
    "DiscreteDistance": "discrete",
}
"""Names of norms here, by the metric of the output; that of two numbers is of one coordinate."""


@final
@dataclass(frozen=True, slots=True)
class Transformation:
    """A Transformation on data sets, and what it states."""

    found: Any
    """The object."""
    name: str
    """What messages call it."""
    element: str
    """The type of a record: "f64", "i32", "String" ..."""

    @property
    def metric(self) -> str:
        """Of the data sets."""
        return metric_of(self.found)

    @property
    def norm(self) -> str:
        """Of the answers.

        Raises InvalidArgument if it is none that is known here.
        """
        metric = str(self.found.output_metric).partition("(")[0]
        if metric not in NORMS:
            msg = f"the output metric of {self.name}, {metric}, is none of {', '.join(NORMS)}"
            raise InvalidArgument(msg)
        return NORMS[metric]

    @property
    def order(self) -> Order:
        """Whether the order of the records is data."""
        return Order.FIXED if self.metric in IN_ORDER else Order.FREE

    @property
    def count(self) -> int | None:
        """The public number of records, where the domain has one."""
        size = self.found.input_domain.size
        return None if size is None else int(size)

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """Of the records; None for a type without an order, too."""
        try:
            bounds = self.found.input_domain.element_domain.bounds
        except Exception:  # noqa: BLE001 - the library raises for texts
            return None
        return None if bounds is None else check_bounds(*(Fraction(end) for end in bounds))

    @property
    def words(self) -> str:
        """Its domain, as the library writes it."""
        return f"opendp: the input domain is {self.found.input_domain}"

    def distances(self) -> dict[Relation, int]:
        """The distance of neighbors, by the relations that the metric and the domain know."""
        return distances_of(self.found)

    def claimed(self, d_in: int) -> Fraction:
        """`map(d_in)`, as the number that it is.

        Raises InvalidArgument if the library cannot say, or states no finite number.
        """
        stated = stated_at(self.found, self.name, d_in)
        if not isinstance(stated, int | float) or not math.isfinite(stated):
            msg = f"{self.name} states no finite number, but map({d_in}) = {stated!r}"
            raise InvalidArgument(msg)
        return Fraction(stated)

    def holds(self, data: Any) -> bool:
        """Whether the library takes a data set for one of the input domain."""
        return _is_member(self.found.input_domain, data) is True

    def fits(self, output: Any) -> bool:
        """Whether an answer is of the output domain; where the library cannot say, it is."""
        return _is_member(self.found.output_domain, output) is not False


def _is_member(domain: Any, value: Any) -> bool | None:
    """What a domain says of a value; None where it cannot read it, and warns or raises."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = bool(domain.member(value))
        except Exception:  # noqa: BLE001 - of some domains it cannot say
            return None
    return None if said else found


def transformation_of(found: Any, name: str) -> Transformation | None:
    """Recognize a Transformation on vectors; None for any other object.

    Raises InvalidArgument if it is one of other things, of which no pairs are made.
    """
    kind: Any = getattr(sys.modules.get("opendp.mod"), "Transformation", None)
    if not (isinstance(kind, type) and isinstance(found, kind)):
        return None
    own: Any = found
    carrier = str(own.input_domain.carrier_type)
    if metric_of(own) not in BY_RELATION or not carrier.startswith("Vec<"):
        msg = (
            f"{name} is a transformation of {carrier} under {own.input_metric}, and data sets "
            f"are made for vectors under {', '.join(BY_RELATION)}"
        )
        raise InvalidArgument(msg)
    return Transformation(found, name, carrier.removeprefix("Vec<").removesuffix(">"))
