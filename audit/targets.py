"""What can be audited: registered mechanisms, adapters, the corpus, the user's own objects.

A target is named by a registry name ("ksw.shifted-laplace"), an adapter ("opendp.laplace"), a
mechanism of the corpus ("corpus.svt-1"), an attribute of a module ("pkg.mod:attr") or of a file
("file.py:attr").
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, final

import numpy as np

from audit.binding import BOUNDS, bind, exact_argument, fresh_copy, missing_bounds, plain
from audit.recipe import LoadedDraw, Recipe
from mechanisms.claims import Order, PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, build_mechanism
from mechanisms.validation import Number, check_bounds, exact

__all__ = ["Target", "load_target"]

UNSEEDABLE = frozenset({"ksw.release-mean"})
"""Registered mechanisms that draw from the operating system's source."""


@final
@dataclass(frozen=True, slots=True)
class Target:
    """Something to draw from.

    Parameters
    ----------
    name : str
        As the user gave it.
    draw : callable (data, size, rng) -> outputs
        `size` outputs along the first axis, made from a fresh copy of the data. An exception, or
        an exception among the outputs, is an outcome.
    claim : PrivacyClaim or None
        Its own promise.
    order : Order
        How it reads the data.
    seedable : bool
        Whether the generator determines the outputs.
    bounds : (Fraction, Fraction) or None
        Its public bounds low and high.
    parameters : mapping
        What `load_target` needs besides the name to make it again; plain values.
    library : str or None
        Distribution that is audited, where there is one.
    pairs : tuple of (data, neighbor)
        Its own listed pairs; none for most targets.
    ledger : tuple of str
        Ids of the claims of the ledger about it; none but for registered mechanisms.
    record_range : (Fraction, Fraction) or None
        Between which numbers records matter to it, where it says so and these are not its bounds.
    count : int or None
        The public number of records that its data must have, where it says so.
    counterexample : (data, neighbor) or None
        A pair known to break the claim of a printed form at these parameters.
    placeholder : bool
        Whether NaN is a record that is missing.
    """

    name: str
    draw: Callable[[Any, int, np.random.Generator], Any]
    claim: PrivacyClaim | None
    order: Order = Order.FREE
    seedable: bool = True
    bounds: tuple[Fraction, Fraction] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    library: str | None = None
    pairs: tuple[tuple[Any, Any], ...] = ()
    ledger: tuple[str, ...] = ()
    record_range: tuple[Fraction, Fraction] | None = None
    count: int | None = None
    counterexample: tuple[Any, Any] | None = None
    placeholder: bool = False


def load_target(
    spec: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    order: Order | None = None,
    low: Fraction | None = None,
    high: Fraction | None = None,
    budgets: tuple[Number, ...] = (),
) -> Target:
    """Find and wrap what the user named.

    Parameters
    ----------
    spec : str
        A registry name, an adapter, a name of the corpus, "pkg.mod:attr" or "file.py:attr".
    parameters : mapping
        Arguments of the mechanism or function; text such as "5/3" is a number.
    order : Order or None
        How to read the data; None for the target's own declaration, and FREE for a function.
    low, high : Fraction or None
        Public bounds, passed on where the target has such arguments.
    budgets : tuple of Number
        Of a personalized claim, passed on where the target has such an argument: how many users
        there are is a part of both.

    Raises
    ------
    InvalidArgument
        If there is no such target, or its arguments do not fit.
    """
    recipe = Recipe(spec, dict(parameters or {}), order, low, high, str(Path.cwd()), budgets)
    target = _loaded(spec, parameters or {}, order, low, high, budgets)
    return replace(target, draw=LoadedDraw(target.draw, recipe))


def load_mechanism(spec: str, *, parameters: Mapping[str, Any]) -> tuple[Any, bool]:
    """Find a mechanism for what it states of itself.

    Parameters
    ----------
    spec : str
        As for `load_target`.
    parameters : mapping
        Those of the loaded target, bounds included.

    Returns
    -------
    mechanism : Any
        The object.
    floating_point : bool
        Whether it draws in plain double precision.

    Raises
    ------
    InvalidArgument
        If the target is no registered mechanism, and no mechanism of the user's.
    """
    given = {key: plain(value) for key, value in parameters.items()}
    if spec in MECHANISMS:
        return build_mechanism(spec, **given), MECHANISMS[spec].floating_point
    if not (_is_adapter(spec) or _is_in_corpus(spec)):
        found = _find(spec)
        if inspect.isclass(found):
            found, _ = _instance(found, spec, given)
        if _is_mechanism(found):
            return found, True
    msg = f"{spec} is no mechanism that states its law; leave out --mode exact"
    raise InvalidArgument(msg)


def _loaded(
    spec: str,
    parameters: Mapping[str, Any],
    order: Order | None,
    low: Fraction | None,
    high: Fraction | None,
    budgets: tuple[Number, ...],
) -> Target:
    """Find the target; its sampler cannot travel yet."""
    given = {key: plain(value) for key, value in parameters.items()}
    public = {"low": low, "high": high, "budgets": ", ".join(map(str, budgets)) or None}
    asked = {key: plain(value) for key, value in public.items() if value is not None}
    if spec in MECHANISMS:
        return _registered(spec, given, asked, order)
    if _is_adapter(spec):
        return _adapter(spec, given, asked, order)
    if _is_in_corpus(spec):
        return _from_corpus(spec, given, order)
    found, parameters = _find(spec), given
    if inspect.isclass(found):
        missing = missing_bounds(found, given)
        parameters = given | {key: asked[key] for key in missing if key in asked}
        found, given = _instance(found, spec, parameters)
    elif _is_mechanism(found) and given:
        msg = f"{spec} is a finished mechanism: it has no parameter {', '.join(given)} to set"
        raise InvalidArgument(msg)
    if _is_mechanism(found):
        return _mechanism(found, spec, parameters, order)
    if not callable(found):
        msg = (
            f"{spec} must be callable, or have a claim and sample(data, size, *, rng), "
            f"got a {type(found).__name__}"
        )
        raise InvalidArgument(msg)
    filled = {key: asked[key] for key in missing_bounds(found, given) if key in asked}
    given, parameters = given | filled, parameters | filled
    draw, seedable = bind(found, spec, given)
    return Target(
        name=spec,
        draw=draw,
        claim=None,
        order=order or Order.FREE,
        seedable=seedable,
        bounds=_own_bounds(found, given),
        parameters=parameters,
        library=_library_of(found),
    )


def _registered(
    name: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    arguments = _accepted(MECHANISMS[name].path, asked) | given
    target = _mechanism(build_mechanism(name, **arguments), name, arguments, order)
    seedable = target.seedable and name not in UNSEEDABLE
    return replace(target, seedable=seedable, ledger=MECHANISMS[name].claims)


def _accepted(path: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Those of the bounds and budgets that a class "module:attribute" has among its parameters."""
    module, _, attribute = path.partition(":")
    known = inspect.signature(getattr(importlib.import_module(module), attribute)).parameters
    return {key: value for key, value in asked.items() if key in known}


def _mechanism(
    mechanism: Any, name: str, parameters: dict[str, Any], order: Order | None
) -> Target:
    """Wrap an object that has a claim and a sampler."""
    claim = mechanism.claim
    if not isinstance(claim, PrivacyClaim):
        msg = f"the claim of {name} must be a PrivacyClaim, got {claim!r}"
        raise InvalidArgument(msg)

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return mechanism.sample(fresh_copy(data), size, rng=rng)

    low, high = (getattr(mechanism, key, None) for key in BOUNDS)
    return Target(
        name=name,
        draw=draw,
        claim=claim,
        order=order or Order(getattr(mechanism, "order", Order.FREE)),
        seedable=bool(getattr(mechanism, "seedable", True)),
        bounds=None if low is None or high is None else check_bounds(low, high),
        parameters=parameters,
        library=_library_of(type(mechanism)),
        record_range=getattr(mechanism, "record_range", None),
        count=getattr(mechanism, "count", None),
        counterexample=getattr(mechanism, "counterexample", None),
        placeholder=bool(getattr(mechanism, "placeholder", False)),
    )


def _is_adapter(name: str) -> bool:
    from audit.adapters.registry import ADAPTERS

    return name in ADAPTERS


def _adapter(
    name: str, given: dict[str, Any], asked: dict[str, Any], order: Order | None
) -> Target:
    from audit.adapters.registry import ADAPTERS, build_adapter

    arguments = _accepted(ADAPTERS[name].path, asked) | given
    target = _mechanism(build_adapter(name, **arguments), name, arguments, order)
    return replace(target, library=ADAPTERS[name].extra)


def _is_in_corpus(name: str) -> bool:
    from audit.corpus.registry import CORPUS

    return name in CORPUS


def _from_corpus(name: str, given: dict[str, Any], order: Order | None) -> Target:
    from audit.corpus.registry import build_corpus

    mechanism = build_corpus(name, **given)
    return replace(_mechanism(mechanism, name, given, order), pairs=mechanism.pairs)


def _is_mechanism(found: Any) -> bool:
    return hasattr(found, "claim") and callable(getattr(found, "sample", None))


def _instance(kind: type[Any], name: str, given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Make an object of a class; what is left over is for the object's own call, if it has one."""
    known = inspect.signature(kind).parameters
    is_function = any("__call__" in vars(base) for base in kind.__mro__)
    rest = {key: value for key, value in given.items() if is_function and key not in known}
    arguments = {key: exact_argument(value) for key, value in given.items() if key not in rest}
    try:
        inspect.signature(kind).bind(**arguments)
    except TypeError as exc:
        names = ", ".join(known) or "none"
        msg = f"{name} cannot be made: {exc}; set its parameters ({names}) with --param NAME=VALUE"
        raise InvalidArgument(msg) from exc
    return kind(**arguments), rest


def _own_bounds(
    function: Callable[..., Any], given: Mapping[str, Any]
) -> tuple[Fraction, Fraction] | None:
    """Bounds that a plain function has been given, or has as defaults."""
    known = inspect.signature(function).parameters
    values = [given.get(key, known[key].default if key in known else None) for key in BOUNDS]
    if any(value is None for value in values):
        return None
    return check_bounds(exact(values[0], "low"), exact(values[1], "high"))


def _find(spec: str) -> Any:
    place, colon, attribute = spec.rpartition(":")
    if not (colon and place and attribute):
        msg = (
            f"unknown target {spec!r}: expected a registered name (see `touchstone list "
            "mechanisms`), pkg.mod:attribute or file.py:attribute"
        )
        raise InvalidArgument(msg)
    found: Any = _file(Path(place)) if place.endswith(".py") else _module(place)
    for part in attribute.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as exc:
            msg = f"{place} has no attribute {attribute!r}"
            raise InvalidArgument(msg) from exc
    return found


def _module(name: str) -> Any:
    _put_first(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as exc:
        if exc.name is not None and (name == exc.name or name.startswith(f"{exc.name}.")):
            msg = f"there is no module {name!r} (looked in this folder and on sys.path)"
            raise InvalidArgument(msg) from exc
        raise _import_failure(name, exc) from exc
    except (Exception, SystemExit) as exc:
        raise _import_failure(name, exc) from exc


def _file(path: Path) -> Any:
    if not path.is_file():
        msg = f"there is no file {str(path)!r}"
        raise InvalidArgument(msg)
    _put_first(path.resolve().parent)
    name = path.stem
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path.resolve()):
        return loaded
    if loaded is not None:  # another module of this name, perhaps one of ours
        name = f"_touchstone_target_{name}"
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look the module up
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as exc:
        del sys.modules[name]
        raise _import_failure(str(path), exc) from exc
    return module


def _import_failure(place: str, exc: BaseException) -> InvalidArgument:
    return InvalidArgument(f"{place} cannot be imported: {type(exc).__name__}: {exc}")


def _put_first(folder: Path) -> None:
    if sys.path[:1] != [str(folder)]:
        sys.path.insert(0, str(folder))


def _library_of(found: Any) -> str | None:
    """Distribution of the module's root, if it is installed under that name and not ours."""
    from importlib.metadata import PackageNotFoundError, version

    root = (getattr(found, "__module__", None) or "").partition(".")[0]
    try:
        version(root)
    except (PackageNotFoundError, ValueError):
        return None
    return root
