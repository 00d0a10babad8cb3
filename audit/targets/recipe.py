"""A loaded target's sampler on its way to another process: it travels as what it was loaded from.

Samplers are closures over objects of any library, which need not be picklable, and functions of a
user's file belong to no installed module. Their name, parameters and folder say all there is.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from audit.targets.modules import FILES
from mechanisms.claims import Order
from mechanisms.validation import Number

Draw = Callable[[Any, int, np.random.Generator], Any]
"""A sampler (data, size, rng) -> outputs."""


@final
@dataclass(frozen=True, slots=True)
class Recipe:
    """Arguments of `load_target`, and the folder that it was called in."""

    spec: str
    parameters: dict[str, object]
    order: Order | None
    low: Fraction | None
    high: Fraction | None
    folder: str
    budgets: tuple[Number, ...] = ()

    @property
    def key(self) -> bytes:
        """What tells it from others."""
        return pickle.dumps(self)

    @property
    def absolute(self) -> str:
        """The name with the whole path of a file."""
        place, colon, attribute = self.spec.rpartition(":")
        if not place.endswith(FILES):
            return self.spec
        return os.path.join(self.folder, place) + colon + attribute  # noqa: PTH118


@final
@dataclass(frozen=True, slots=True)
class LoadedDraw:
    """A sampler (data, size, rng) -> outputs that is pickled as its recipe; `again` loads it."""

    draw: Draw
    recipe: Recipe
    again: Callable[[Recipe], Draw]

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw."""
        return self.draw(data, size, rng)

    def __reduce__(self) -> tuple[Callable[[Recipe], Draw], tuple[Recipe]]:
        return self.again, (self.recipe,)


@final
@dataclass(frozen=True, slots=True)
class DrawAtHand:
    """A sampler of an object at hand, pickled as a call that wraps the object again.

    So it travels where the object does: a function that can be imported, an object of such a class.
    """

    draw: Draw
    wrap: Callable[[], Draw]

    def __call__(self, data: Any, size: int, rng: np.random.Generator) -> Any:
        """Draw."""
        return self.draw(data, size, rng)

    def __reduce__(self) -> tuple[Callable[[], Draw], tuple[()]]:
        return self.wrap, ()
