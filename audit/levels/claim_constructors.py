"""Claims in Python: a function for each kind of claim, made from `LEVELS`.

Each takes the numbers of its kind in their order, then `relation`, which is never implied, and a
`source`: who promises it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from audit.levels import LEVELS
from audit.levels.kind import LevelKind
from mechanisms.claims import PrivacyClaim, Relation, RelationWord, Source
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, shown

__all__ = [
    "approx",
    "gdp",
    "personalized",
    "pure",
    "renyi",
    "total_variation",
    "trade_off",
    "zcdp",
]

STATED_IN = "Python"
"""Source of a claim that nobody else promises."""


def _constructor(kind: LevelKind) -> Callable[..., PrivacyClaim]:
    names: tuple[str, ...] = kind.level.__match_args__

    def claim(
        *values: Any, relation: Relation | RelationWord, source: str | Source = ""
    ) -> PrivacyClaim:
        level = kind.make(*map(_tuples, values))
        found = Relation(check_choice(relation, "relation", tuple(Relation)))
        return PrivacyClaim(level, found, _source(source))

    claim.__name__ = claim.__qualname__ = kind.constructor
    own = inspect.signature(claim)
    numbers = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in names]
    arguments = [*numbers, *list(own.parameters.values())[1:]]
    claim.__signature__ = own.replace(parameters=arguments)  # type: ignore[attr-defined]
    claim.__doc__ = DOCSTRING.format(
        summary=(kind.level.__doc__ or "").partition("\n")[0],
        names=", ".join(names),
        kind=kind.level.__name__,
        name=kind.constructor,
        example=kind.shown,
    )
    return claim


DOCSTRING = """Claim: {summary}

    Parameters
    ----------
    {names} : as of `mechanisms.claims.{kind}`
        A float is the decimal that was typed; text such as "1/10" is exact.
    relation : {{"add-remove", "swap", "listed"}}
        Which data sets are neighbors.
    source : str or Source
        Who promises it.

    Raises
    ------
    InvalidArgument
        If a number is out of its domain, or there is no such relation.

    Examples
    --------
    >>> import audit
    >>> print(audit.{name}({example}, relation="swap").relation)
    swap
    """
"""Of each."""


def _source(given: object) -> Source:
    if isinstance(given, Source):
        return given
    if isinstance(given, str):
        return Source("user", given or STATED_IN)
    msg = f"source must be text or a Source, got source={shown(given)}"
    raise InvalidArgument(msg)


def _tuples(value: Any) -> Any:
    """Lists and arrays as the tuples that levels are made of."""
    several = isinstance(value, list | tuple) or bool(getattr(value, "shape", ()))
    return tuple(map(_tuples, value)) if several and not isinstance(value, type) else value


if TYPE_CHECKING:  # what a type checker and an editor know of them; a test compares

    def pure(
        epsilon: Number, /, *, relation: Relation | RelationWord, source: str | Source = ""
    ) -> PrivacyClaim:
        """Claim P(S) <= e^epsilon Q(S)."""
        ...

    def approx(
        epsilon: Number,
        delta: Number,
        /,
        *,
        relation: Relation | RelationWord,
        source: str | Source = "",
    ) -> PrivacyClaim:
        """Claim P(S) <= e^epsilon Q(S) + delta."""
        ...

    def zcdp(
        rho: Number, /, *, relation: Relation | RelationWord, source: str | Source = ""
    ) -> PrivacyClaim:
        """Claim Renyi divergences of every order a > 1 of at most rho a."""
        ...

    def gdp(
        mu: Number, /, *, relation: Relation | RelationWord, source: str | Source = ""
    ) -> PrivacyClaim:
        """Claim that no test does better than one of N(0, 1) against N(mu, 1)."""
        ...

    def renyi(
        alpha: Number,
        epsilon: Number,
        /,
        *,
        relation: Relation | RelationWord,
        source: str | Source = "",
    ) -> PrivacyClaim:
        """Claim a Renyi divergence of order alpha of at most epsilon."""
        ...

    def trade_off(
        knots: Sequence[tuple[Number, Number]],
        /,
        *,
        relation: Relation | RelationWord,
        source: str | Source = "",
    ) -> PrivacyClaim:
        """Claim that every test of level a has type II error at least f(a)."""
        ...

    def total_variation(
        tv: Number, /, *, relation: Relation | RelationWord, source: str | Source = ""
    ) -> PrivacyClaim:
        """Claim P(S) <= Q(S) + tv."""
        ...

    def personalized(
        budgets: Sequence[Number],
        /,
        *,
        relation: Relation | RelationWord,
        source: str | Source = "",
    ) -> PrivacyClaim:
        """Claim P(S) <= e^(budgets[i]) Q(S) where the record of user i changes."""
        ...

else:
    _made = {kind.constructor: _constructor(kind) for kind in LEVELS}
    approx, gdp, personalized, pure, renyi, total_variation, trade_off, zcdp = map(
        _made.__getitem__, __all__
    )
