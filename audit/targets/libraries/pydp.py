"""How PyDP, the Python interface of Google's library, is called; it draws from its own source.

Of records, one comes or goes, with one contribution (`l0_sensitivity` = `linf_sensitivity` = 1):
ADD_REMOVE. They are clamped to the bounds, and NaN records are passed over (the count alone counts
them). The mean is a noisy sum around the middle of the bounds over a noisy count; the sum has
sensitivity max(|low|, |high|). Results are doubles: of type int, sums wrap at 32 bits.

Of values, neighbors are listed pairs at most the sensitivity apart. The noise is a multiple of a
power of two, and the value is rounded to one. For Laplace noise this grid is coarse enough for
doubles (2^-40 at epsilon = 1 and sensitivity 1). That of the Gaussian is not (2^-54 at a deviation
of 3.7): near 0 the bits below 2^-53 show, and on a value of 1 they are rounded away, so that an
audit of the machine numbers refutes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from audit.targets.libraries.library_imports import load_library, records, scalar, version_of
from audit.targets.libraries.offer import Releases
from mechanisms.errors import InvalidArgument


def algorithm(call: str, values: Mapping[str, Any]) -> Releases:
    """An algorithm on records; `quick_result` forgets the records of the call before."""
    names = {"epsilon": "epsilon", "low": "lower_bound", "high": "upper_bound"}
    numbers = {word: float(values[name]) for name, word in names.items() if name in values}
    found = _built("laplacian", call, numbers | {"dtype": "float"})
    return lambda data, _: partial(found.quick_result, records(data).tolist())


def noise(call: str, values: Mapping[str, Any]) -> Releases:
    """A noise mechanism on one value, on a grid of doubles."""
    numbers = {name: float(value) for name, value in values.items()}
    found = _built("numerical_mechanisms", call, numbers)
    return lambda data, _: partial(found.add_noise, scalar(data))


def _built(module: str, kind: str, arguments: Mapping[str, Any]) -> Any:
    """Make an object of the library, which may refuse its public parameters."""
    library = load_library(f"pydp.algorithms.{module}", "pydp")
    try:
        return getattr(library, kind)(**arguments)
    except RuntimeError as exc:
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        msg = f"{version_of('python-dp')} refuses {kind}({given}): {exc}"
        raise InvalidArgument(msg) from exc
