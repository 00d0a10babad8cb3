"""Data sets and laws of records that a utility audit tries, each with what is promised about it.

Without data and laws of the user's own these are the data sets at the bounds: all records at low,
all at high, all in the middle, half and half, and one record at high and the others at low.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.faults import attribute, reading
from audit.results.number_words import plural
from audit.utility.fit import CdfLaw, CellLaw
from audit.utility.record_laws import Law, PointLaw, WithBudgets
from mechanisms.claims import Source
from mechanisms.errors import InvalidArgument
from mechanisms.utility_claims import Quantity, Truth, UtilityClaim
from mechanisms.validation import Number, check_integer, exact, shown

Array = NDArray[np.float64]
Claims = tuple[UtilityClaim, ...]
Read = Callable[[NDArray[Any]], Array]
"""Estimates of an array of releases, whose first axis is the draw."""

DEFAULT_COUNT = 100
"""Records of a data set that is made."""


@final
@dataclass(frozen=True, slots=True)
class ErrorCase:
    """A data set, a law of records, or a noise law; and what is promised of the estimate."""

    label: str
    truth: Truth
    """What is estimated."""
    claims: Claims = ()
    """All about this truth."""
    count: int | None = None
    """Number of records; None for a noise law."""
    data: Array | None = None
    """The records, where they are fixed."""
    law: Law | None = None
    """Of each record, where they are drawn anew for each draw."""
    scale: float = 0.0
    """Size of the largest number in play: errors below 1e-12 of it are taken for rounding."""
    read: Read | None = None
    """Estimates of an array of releases; None where a release is the estimate."""
    column: int | None = None
    """Which number of a release that is, for a script."""
    words: str = ""
    """The law, as `read_law` reads it."""
    fits: tuple[CdfLaw | CellLaw, ...] = ()
    """Laws that the releases are said to have."""
    failure: int | None = None
    """Which number of a release is NaN where a draw that is left out has failed."""

    @property
    def given_success(self) -> bool:
        """Whether draws that fail are left out."""
        return any(claim.given_success for claim in self.claims)

    def of(self, quantity: Quantity) -> Claims:
        """Claims of one quantity."""
        return tuple(claim for claim in self.claims if claim.quantity is quantity)


def user_claims(
    bias: Number | None, mse: Number | None, mae: Number | None, stated_in: str
) -> Claims:
    """Claims in the user's words."""
    asked = ((Quantity.BIAS, bias), (Quantity.MSE, mse), (Quantity.MAE, mae))
    source = Source("user", stated_in)
    return tuple(
        UtilityClaim(quantity, exact(bound, f"--{quantity.value}"), source)
        for quantity, bound in asked
        if bound is not None
    )


def data_case(
    label: str, data: Array, mechanism: Any, own: Claims, truth: Number | None, reach: float
) -> ErrorCase:
    """Make the case of one data set.

    `label`: in words. `data`, shape (n,): finite records. `mechanism`: what may state claims; None
    for a function. `own`: the user's, in place of the mechanism's. `truth`: "mean", "median" or a
    number; None for what the mechanism estimates. `reach`: size of the public bounds.
    """
    stated = _stated(mechanism, "utility_claims", data)
    values = {"mean": lambda: float(np.mean(data)), "median": lambda: float(np.median(data))}
    chosen = _truth(truth, stated, values)
    largest = max(reach, float(np.abs(data).max()), abs(float(chosen.value)))
    return ErrorCase(
        label,
        chosen,
        _about(own or stated, chosen, truth, bool(own)),
        count=int(data.size),
        data=data,
        scale=largest,
        read=_reader(mechanism),
        column=_column(mechanism),
    )


def law_case(
    text: str,
    law: Law,
    count: int,
    mechanism: Any,
    own: Claims,
    truth: Number | None,
    reach: float,
) -> ErrorCase:
    """Make the case of independent records of a law; a constant one is a data set.

    `text`: the law in the user's words. `law`: of each record. `count`: number of records.
    `mechanism`, `own`, `truth`, `reach`: as in `data_case`.
    """
    label = f"{plural(count, 'record')} of {text}"
    beside = row_budgets(mechanism)
    if beside and len(beside) != count:
        msg = f"there must be a record for each of {plural(len(beside), 'budget')}, got n={count}"
        raise InvalidArgument(msg)
    law = WithBudgets(law, beside) if beside else law
    if isinstance(law, PointLaw) and len(law.atoms) == 1:
        data = np.full(count, law.mean)
        return data_case(label, data, mechanism, own, truth, reach)
    stated = _stated(mechanism, "utility_claims_under", law, count)
    chosen = _truth(truth, stated, {"mean": lambda: law.mean, "median": lambda: law.median})
    largest = max(reach, abs(law.mean) + law.variance**0.5, abs(float(chosen.value)))
    return ErrorCase(
        label,
        chosen,
        _about(own or stated, chosen, truth, bool(own)),
        count=count,
        law=law,
        scale=largest,
        read=_reader(mechanism),
        column=_column(mechanism),
        words=text,
    )


def by_success(case: ErrorCase, mechanism: Any) -> list[ErrorCase]:
    """Split what is claimed of all draws from what is claimed of those that do not fail.

    `mechanism`: may name the number of a release that is NaN where a draw fails; of others, whose
    estimate itself is NaN then, and without such claims, the case stays as it is.
    """
    failure = attribute(mechanism, "failure_column")
    given = tuple(claim for claim in case.claims if claim.given_success)
    if failure is None or not given:
        return [case]
    with reading(mechanism, "failure_column"):
        failed = check_integer(failure, "failure_column", at_least=0)
    read = case.read
    assert read is not None

    def estimates(releases: NDArray[Any]) -> Array:
        fails = np.isnan(np.asarray(releases[:, failed], dtype=np.float64))
        return np.where(fails, np.nan, read(releases))

    rest = tuple(claim for claim in case.claims if not claim.given_success)
    label = f"{case.label}, of the draws that do not fail"
    success = replace(case, label=label, claims=given, read=estimates, fits=(), failure=failed)
    return [replace(case, claims=rest), success] if rest or case.fits else [success]


def row_budgets(mechanism: Any) -> tuple[float, ...]:
    """Budgets beside the records, where the data of a mechanism are rows of both; else none."""
    budgets = attribute(mechanism, "row_budgets")
    if budgets is None:
        return ()
    with reading(mechanism, "row_budgets"):
        if not isinstance(budgets, list | tuple):  # others may have no end
            msg = f"row_budgets must be a list of numbers, got row_budgets={shown(budgets)}"
            raise InvalidArgument(msg)
        return tuple(float(exact(budget, "row_budgets")) for budget in budgets)


def worst_cases(low: Fraction, high: Fraction, count: int) -> list[tuple[str, Array]]:
    """Data sets at the bounds, with labels.

    `low`, `high`: where records lie. `count`: number of records.
    """
    a, b, middle = float(low), float(high), float((low + high) / 2)
    few = count // 2
    found = [
        (f"{plural(count, 'record')} at low", [a] * count),
        (f"{plural(count, 'record')} at high", [b] * count),
        (f"{plural(count, 'record')} in the middle", [middle] * count),
        (f"{plural(few, 'record')} at low, {count - few} at high", [a] * few + [b] * (count - few)),
        (f"{plural(count - 1, 'record')} at low, 1 at high", [a] * (count - 1) + [b]),
    ]
    seen: dict[tuple[float, ...], tuple[str, Array]] = {}
    for label, records in found:
        seen.setdefault(tuple(records), (label, np.array(records)))
    return list(seen.values())


def _stated(mechanism: Any, name: str, *of: Any) -> Claims:
    """Ask a mechanism for its claims; none where it has no such method."""
    ask = attribute(mechanism, name)
    if ask is None:
        return ()
    with reading(mechanism, name):
        found: Any = ask(*of)
        whole = isinstance(found, tuple | list)
        if not (whole and all(isinstance(claim, UtilityClaim) for claim in found)):
            msg = f"it must return a tuple of UtilityClaim, got {shown(found)}"
            raise InvalidArgument(msg)
    return tuple(found)


def _truth(
    asked: Number | None, stated: Sequence[UtilityClaim], values: dict[str, Callable[[], float]]
) -> Truth:
    if asked is not None and asked not in values:
        return Truth(exact(asked, "--truth"), "the stated truth")
    own = {claim.truth for claim in stated if claim.truth is not None}
    if asked is None and own:
        return own.pop()
    word = "mean" if asked is None else str(asked)
    return Truth(values[word](), word)


def _about(claims: Claims, chosen: Truth, asked: Number | None, of_user: bool) -> Claims:
    """Claims about the chosen truth: a mechanism's are not about what the user names instead."""
    if of_user:
        return claims
    if asked is None:
        return tuple(claim for claim in claims if claim.truth in (None, chosen))
    return tuple(claim for claim in claims if claim.truth is None and chosen.words == "mean")


def _reader(mechanism: Any) -> Read | None:
    """Take the estimate's column of a release of several numbers, where the mechanism names it."""
    column = _column(mechanism)
    if column is None:
        return None
    return lambda releases: np.asarray(releases[:, column], dtype=np.float64)


def _column(mechanism: Any) -> int | None:
    column = attribute(mechanism, "estimate_column")
    if column is None:
        return None
    with reading(mechanism, "estimate_column"):
        return check_integer(column, "estimate_column", at_least=0)
