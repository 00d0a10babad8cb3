"""What all adapters share: importing the library, one scalar of data, and draws one by one."""

from __future__ import annotations

import importlib
import importlib.metadata
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.targets.outcomes import call_each
from mechanisms.errors import InvalidArgument, MissingExtra
from mechanisms.validation import check_size


def load_library(module: str, extra: str) -> Any:
    """Import a module of an optional library, its warnings kept from the user.

    Raises MissingExtra if it is not installed, or its own imports fail (a release that does not fit
    the rest).
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as exc:
        msg = (
            f"{module} cannot be imported ({exc}); "
            f"install it with: pip install 'touchstone-dp[{extra}]'"
        )
        raise MissingExtra(msg) from exc


def version_of(distribution: str) -> str:
    """Name and installed version of a distribution ("opendp 0.16.0"), for a claim's source."""
    return f"{distribution} {importlib.metadata.version(distribution)}"


def scalar(data: Any) -> float:
    """Read data that are one number (a scalar, or an array or list of one element)."""
    values = np.asarray(data)
    if values.size != 1 or values.dtype.kind not in "iuf":
        msg = f"data must be one number (a noise mechanism has one value), got data={data!r}"
        raise InvalidArgument(msg)
    return float(values.reshape(-1)[0])


def records(data: Any) -> NDArray[np.float64]:
    """Read data that are a list of numbers: ndarray of float, shape (n,), n may be 0."""
    values = np.array(data, dtype=np.float64)
    if values.ndim != 1:
        msg = f"data must be a list of numbers, got {values.ndim} dimensions"
        raise InvalidArgument(msg)
    return values


def draw_each(call: Callable[[], Any], size: int) -> NDArray[Any] | list[Any]:
    """Call a library once per draw, its warnings kept from the user (see `call_each`).

    `call`: one release. `size`: number of draws, at least 1. Returns shape (size,): a list where an
    output is not a float; an exception stands as its instance. What is no outcome
    (`audit.targets.outcomes.is_outcome`) propagates.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call_each(call, check_size(size))
