"""Calls of released libraries that can be audited by name: a call is a row.

Reading the registry imports no library. To add a call: one entry here, and what it must do in
`tests/adapters`; a call of another kind needs a function in its library's module first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, final

from mechanisms.claims import ApproxDP, Level, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_bounds, check_choice, check_fraction, check_integer, exact

if TYPE_CHECKING:
    from audit.targets.libraries.offer import Offer


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


@final
@dataclass(frozen=True, slots=True)
class AdapterEntry:
    """One call of a library."""

    way: str
    """How it is called: "library:function" of `audit.targets.libraries`."""
    relation: Relation
    """What its calibration means, unless a parameter says so."""
    call: str
    """Its name in the library; {NAME} stands for the value of a parameter here and in `item`."""
    parameters: Parameters
    item: str = ""
    """What the source of its claim names; "" for the one of its way."""
    title: str = ""
    """What lists show; "" where it is `call`."""
    domain_source: str = ""
    """The library's own declaration that records are finite, if it makes one."""

    @property
    def path(self) -> str:
        """Import path of the function."""
        return f"audit.targets.libraries.{self.way}"

    @property
    def extra(self) -> str:
        """Extra of the distribution that installs the library."""
        return self.way.partition(":")[0]

    @property
    def library(self) -> str:
        """Distribution that is audited."""
        return {"pydp": "python-dp"}.get(self.extra, self.extra)

    @property
    def source(self) -> str:
        """The library's call, at its defaults."""
        return self.title or self.call.format(**values_of(self.parameters, {}))


MOVED = "a value that moves by at most the sensitivity"
ITEMS = {
    "diffprivlib:noise": f"{{call}}({{budget}}), {MOVED}",
    "diffprivlib:tool": "{call}, epsilon={epsilon}, [{low}, {high}]",
    "opendp:noise": "{call} (f64), check({sensitivity}, {epsilon}) holds",
    "pydp:algorithm": "{call}(epsilon={epsilon}, [{low}, {high}]).quick_result",
    "pydp:noise": f"{{call}}({{budget}}).add_noise, {MOVED}",
}
"""What sources of claims name; {budget} stands for epsilon, delta and sensitivity."""

LISTED, ADD_REMOVE, SWAP = Relation.LISTED, Relation.ADD_REMOVE, Relation.SWAP
NOT_NAN = "opendp: vector_domain(atom_domain(T=float, nan=False))"
GAUSS = "mechanisms.Gaussian{analytic}"
HISTOGRAM_ITEM = "{call}(bins={bins}), epsilon={epsilon}, [{low}, {high}]"

Row = AdapterEntry
ADAPTERS: dict[str, AdapterEntry] = {
    "diffprivlib.laplace": Row("diffprivlib:noise", LISTED, "mechanisms.Laplace", NOISE),
    "diffprivlib.gaussian": Row("diffprivlib:noise", LISTED, GAUSS, analytic(False)),
    "diffprivlib.gaussian-analytic": Row("diffprivlib:noise", LISTED, GAUSS, analytic(True)),
    "diffprivlib.geometric": Row(
        "diffprivlib:noise", LISTED, "mechanisms.Geometric", INTEGER_NOISE
    ),
    "diffprivlib.mean": Row("diffprivlib:tool", SWAP, "tools.mean", QUERY),
    "diffprivlib.sum": Row("diffprivlib:tool", SWAP, "tools.sum", QUERY),
    "diffprivlib.median": Row("diffprivlib:tool", ADD_REMOVE, "tools.median", MEDIAN),
    "diffprivlib.histogram": Row(
        "diffprivlib:tool", ADD_REMOVE, "tools.histogram", HISTOGRAM, HISTOGRAM_ITEM
    ),
    "diffprivlib.count-nonzero": Row("diffprivlib:tool", SWAP, "tools.count_nonzero", ALONE),
    "opendp.laplace": Row(
        "opendp:noise", LISTED, "make_laplace", NOISE, title="make_laplace on a float"
    ),
    "opendp.sum": Row(
        "opendp:query",
        ADD_REMOVE,
        "then_sum",
        QUERY,
        "{call} >> then_laplace (f64), check(1, {epsilon}) holds",
        "then_clamp >> then_sum >> then_laplace",
        NOT_NAN,
    ),
    "opendp.mean": Row(
        "opendp:sized_query",
        SWAP,
        "then_mean",
        QUERY,
        "sized {call} >> then_laplace (f64), check(2, {epsilon}) holds",
        "then_clamp >> sized then_mean >> then_laplace",
        NOT_NAN,
    ),
    "opendp.count": Row(
        "opendp:query",
        ADD_REMOVE,
        "then_count",
        ALONE,
        "{call} >> then_laplace (i32), check(1, {epsilon}) holds",
        "then_count >> then_laplace",
    ),
    "pydp.laplace": Row("pydp:noise", LISTED, "LaplaceMechanism", NOISE),
    "pydp.gaussian": Row("pydp:noise", LISTED, "GaussianMechanism", GAUSSIAN),
    "pydp.mean": Row("pydp:algorithm", ADD_REMOVE, "{kind}", of_kind("BoundedMean")),
    "pydp.sum": Row("pydp:algorithm", ADD_REMOVE, "{kind}", of_kind("BoundedSum")),
    "pydp.variance": Row("pydp:algorithm", ADD_REMOVE, "{kind}", of_kind("BoundedVariance")),
    "pydp.median": Row("pydp:algorithm", ADD_REMOVE, "{kind}", of_kind("Median")),
    "pydp.count": Row(
        "pydp:algorithm", ADD_REMOVE, "Count", ALONE, "{call}(epsilon={epsilon}).quick_result"
    ),
}
"""Calls by name `library.query`."""


def build_adapter(name: str, **arguments: Any) -> Offer:
    """Make a registered call ready: a mechanism.

    Raises
    ------
    InvalidArgument
        If the name is unknown, or an argument is not one of the call's or out of its domain.
    MissingExtra
        If the library cannot be imported; the message says how to install it.
    """
    import importlib

    from audit.targets.libraries.library_imports import version_of
    from audit.targets.libraries.offer import Offer

    if name not in ADAPTERS:
        msg = f"unknown adapter {name!r}; known: {', '.join(ADAPTERS)}"
        raise InvalidArgument(msg)
    entry = ADAPTERS[name]
    if unknown := sorted(set(arguments) - set(entry.parameters)):
        known = ", ".join(entry.parameters)
        msg = f"{name} has no parameter {', '.join(unknown)}; it has: {known}"
        raise InvalidArgument(msg)
    values = values_of(entry.parameters, arguments)
    call, epsilon = entry.call.format(**values), values["epsilon"]
    module, _, way = entry.path.partition(":")
    releases = getattr(importlib.import_module(module), way)(call, values)
    level: Level = ApproxDP(epsilon, values["delta"]) if "delta" in values else PureDP(epsilon)
    numbers = (key for key in ("epsilon", "delta", "sensitivity") if key in values)
    filled = {"low": Fraction(0), "high": Fraction(1), **values, "call": call}
    filled["budget"] = ", ".join(f"{key}={values[key]}" for key in numbers)
    item = (entry.item or ITEMS[entry.way]).format(**filled)
    relation = values.get("relation", entry.relation)
    return Offer(
        releases,
        entry.library,
        PrivacyClaim(level, relation, Source(version_of(entry.library), item)),
        seedable=entry.extra == "diffprivlib",
        bounds=None if relation is LISTED else (filled["low"], filled["high"]),
        domain="finite" if entry.domain_source else "any",
        domain_source=entry.domain_source,
    )
