"""The level of a claim, as the words of a command line or configuration state it."""

from __future__ import annotations

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    Level,
    PersonalizedDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number

__all__ = ["read_budgets", "stated_level"]


def read_budgets(text: str) -> tuple[str, ...]:
    """Read "0.1, 1, 1": one budget a user, exact numbers between commas."""
    return tuple(part.strip() for part in text.split(","))


def stated_level(
    *,
    epsilon: Number | None = None,
    delta: Number | None = None,
    rho: Number | None = None,
    mu: Number | None = None,
    alpha_order: Number | None = None,
    budgets: tuple[Number, ...] = (),
) -> Level | None:
    """Make the one level that is stated; None where none is.

    Parameters
    ----------
    epsilon, delta : int, float, str, Fraction or None
        A pure claim, or with delta an approximate one.
    rho, mu : int, float, str, Fraction or None
        A zero-concentrated, a Gaussian claim.
    alpha_order : int, float, str, Fraction or None
        Makes `epsilon` that of a Renyi claim of this order.
    budgets : tuple of int, float, str or Fraction
        A personalized claim: one epsilon a user.

    Raises
    ------
    InvalidArgument
        If the words contradict each other, or a parameter is out of its domain.

    Examples
    --------
    >>> from audit.stated import stated_level
    >>> str(stated_level(epsilon="1/2", alpha_order=8))
    'Renyi order 8, epsilon = 1/2'
    """
    kinds = {
        "--epsilon": epsilon is not None,
        "--rho": rho is not None,
        "--mu": mu is not None,
        "--budgets": bool(budgets),
    }
    given = [option for option, stated in kinds.items() if stated]
    if len(given) > 1:
        _contradict(*given[:2])
    if delta is not None and epsilon is None:
        msg = "--delta states a claim together with --epsilon; give both"
        raise InvalidArgument(msg)
    if alpha_order is not None and epsilon is None:
        msg = "--alpha-order states a Renyi claim together with --epsilon; give both"
        raise InvalidArgument(msg)
    if delta is not None and alpha_order is not None:
        _contradict("--delta", "--alpha-order")
    if rho is not None:
        return ZeroConcentratedDP(rho)
    if mu is not None:
        return GaussianDP(mu)
    if budgets:
        return PersonalizedDP(budgets)
    if epsilon is None:
        return None
    if alpha_order is not None:
        return RenyiDP(alpha_order, epsilon)
    return PureDP(epsilon) if delta is None else ApproxDP(epsilon, delta)


def _contradict(first: str, second: str) -> None:
    msg = f"{first} and {second} state claims of different kinds; give one of them"
    raise InvalidArgument(msg)
