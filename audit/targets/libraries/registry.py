"""Names of the adapters to released libraries, with import paths as strings.

Reading the registry imports no library. To add an adapter: its class, one entry here, and its
tests in `tests/adapters`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument

__all__ = ["ADAPTERS", "AdapterEntry", "build_adapter"]


@final
@dataclass(frozen=True, slots=True)
class AdapterEntry:
    """One registered adapter.

    Parameters
    ----------
    path : str
        "module:attribute" of the class.
    extra : str
        Extra of the distribution that installs the library.
    source : str
        The library's call.
    relation : Relation
        What the class declares (a test compares).
    arguments : mapping
        Defaults of this entry on top of the class's own.
    """

    path: str
    extra: str
    source: str
    relation: Relation
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def library(self) -> str:
        """Distribution that is audited."""
        return {"pydp": "python-dp"}.get(self.extra, self.extra)


_TOOLS = "audit.targets.libraries.diffprivlib"
_NOISE = "audit.targets.libraries.diffprivlib_noise"
_OPENDP = "audit.targets.libraries.opendp"
_PYDP = "audit.targets.libraries.pydp"
_PYDP_NOISE = "audit.targets.libraries.pydp_noise"

ADAPTERS: dict[str, AdapterEntry] = {
    "diffprivlib.laplace": AdapterEntry(
        f"{_NOISE}:Laplace", "diffprivlib", "mechanisms.Laplace", Relation.LISTED
    ),
    "diffprivlib.gaussian": AdapterEntry(
        f"{_NOISE}:Gaussian", "diffprivlib", "mechanisms.Gaussian", Relation.LISTED
    ),
    "diffprivlib.gaussian-analytic": AdapterEntry(
        f"{_NOISE}:Gaussian",
        "diffprivlib",
        "mechanisms.GaussianAnalytic",
        Relation.LISTED,
        arguments={"analytic": True},
    ),
    "diffprivlib.geometric": AdapterEntry(
        f"{_NOISE}:Geometric", "diffprivlib", "mechanisms.Geometric", Relation.LISTED
    ),
    "diffprivlib.mean": AdapterEntry(f"{_TOOLS}:Mean", "diffprivlib", "tools.mean", Relation.SWAP),
    "diffprivlib.sum": AdapterEntry(f"{_TOOLS}:Sum", "diffprivlib", "tools.sum", Relation.SWAP),
    "diffprivlib.median": AdapterEntry(
        f"{_TOOLS}:Median", "diffprivlib", "tools.median", Relation.ADD_REMOVE
    ),
    "diffprivlib.histogram": AdapterEntry(
        f"{_TOOLS}:Histogram", "diffprivlib", "tools.histogram", Relation.ADD_REMOVE
    ),
    "diffprivlib.count-nonzero": AdapterEntry(
        f"{_TOOLS}:CountNonzero", "diffprivlib", "tools.count_nonzero", Relation.SWAP
    ),
    "opendp.laplace": AdapterEntry(
        f"{_OPENDP}:Laplace", "opendp", "make_laplace on a float", Relation.LISTED
    ),
    "opendp.sum": AdapterEntry(
        f"{_OPENDP}:Sum", "opendp", "then_clamp >> then_sum >> then_laplace", Relation.ADD_REMOVE
    ),
    "opendp.mean": AdapterEntry(
        f"{_OPENDP}:Mean", "opendp", "then_clamp >> sized then_mean >> then_laplace", Relation.SWAP
    ),
    "opendp.count": AdapterEntry(
        f"{_OPENDP}:Count", "opendp", "then_count >> then_laplace", Relation.ADD_REMOVE
    ),
    "pydp.laplace": AdapterEntry(
        f"{_PYDP_NOISE}:Laplace", "pydp", "LaplaceMechanism", Relation.LISTED
    ),
    "pydp.gaussian": AdapterEntry(
        f"{_PYDP_NOISE}:Gaussian", "pydp", "GaussianMechanism", Relation.LISTED
    ),
    "pydp.mean": AdapterEntry(f"{_PYDP}:Bounded", "pydp", "BoundedMean", Relation.ADD_REMOVE),
    "pydp.sum": AdapterEntry(
        f"{_PYDP}:Bounded",
        "pydp",
        "BoundedSum",
        Relation.ADD_REMOVE,
        arguments={"kind": "BoundedSum"},
    ),
    "pydp.variance": AdapterEntry(
        f"{_PYDP}:Bounded",
        "pydp",
        "BoundedVariance",
        Relation.ADD_REMOVE,
        arguments={"kind": "BoundedVariance"},
    ),
    "pydp.median": AdapterEntry(
        f"{_PYDP}:Bounded",
        "pydp",
        "Median",
        Relation.ADD_REMOVE,
        arguments={"kind": "Median"},
    ),
    "pydp.count": AdapterEntry(f"{_PYDP}:Count", "pydp", "Count", Relation.ADD_REMOVE),
}
"""Adapters by name `library.query`."""


def build_adapter(name: str, **arguments: Any) -> Any:
    """Make a registered adapter; `arguments` override the entry's.

    Raises
    ------
    InvalidArgument
        If the name is unknown, or an argument is not one of the adapter's or out of its domain.
    MissingExtra
        If the library cannot be imported; the message says how to install it.
    """
    import importlib
    import inspect

    if name not in ADAPTERS:
        msg = f"unknown adapter {name!r}; known: {', '.join(ADAPTERS)}"
        raise InvalidArgument(msg)
    entry = ADAPTERS[name]
    module, _, attribute = entry.path.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    known = inspect.signature(kind).parameters
    if unknown := sorted(set(arguments) - set(known)):
        msg = f"{name} has no parameter {', '.join(unknown)}; it has: {', '.join(known)}"
        raise InvalidArgument(msg)
    return kind(**{**entry.arguments, **arguments})
