"""The survival rates that are printed, in two versions that contradict each other (PDP).

Algorithm 6 lets user i survive with probability min(1, eps_i / tau) (erratum PDP-E-01), equation
(7) with half of that (PDP-E-02). A tau-private stage on the survivors then costs user i
ln(1 + p_i (e^tau - 1)) (PDP-T10): more than eps_i for every eps_i < tau in the first version, and
for large tau in the second. The right rates are
`mechanisms.personalized.diffusion.rates.RightRates`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mechanisms.as_printed.slips import ALL, check_slips
from mechanisms.errors import InvalidArgument
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates

__all__ = ["RATE_SLIPS", "check_rate_slips", "printed_rates"]

RATE_SLIPS = ("E-01", "E-02")
"""Of Algorithm 6 and of equation (7); a form has at most one of them."""


def check_rate_slips(value: object, others: Sequence[str] = ()) -> frozenset[str]:
    """Read the slips of a form that diffuses.

    `value`: "all", which is Algorithm 6 with "E-01", or errata such as "E-02" or "E-02, E-13".
    `others`: the form's errata besides the rates. Raises InvalidArgument if an erratum is unknown,
    or both rates are named.
    """
    slips = check_slips(value, (*RATE_SLIPS, *others))
    if not slips >= set(RATE_SLIPS):
        return slips
    if str(value).strip() != ALL:
        msg = f"slip must not name both {' and '.join(RATE_SLIPS)}, got slip={value!r}"
        raise InvalidArgument(msg)
    return slips - {"E-02"}


def printed_rates(
    budgets: Sequence[Fraction], tau: Fraction, slips: frozenset[str]
) -> RightRates | RationalRates:
    """Survival rates with the slips that are named, for tau greater than 0."""
    if slips.isdisjoint(RATE_SLIPS):
        return RightRates(tuple(budgets), tau)
    parts = 2 if "E-02" in slips else 1
    return RationalRates(tuple(min(budget, tau) / (parts * tau) for budget in budgets))
