"""A stored baseline: what the audits of a configuration promised and showed, and what is worse now.

For each audit that is expected to hold the file has its claim, the exact values that its law gives,
its lower limits, and the mean squared errors of utility audits with their intervals. A change for
the worse is a regression, even where the claim still holds:

* the claim: the new one does not imply the old one (a larger epsilon or delta, swap in place of
  add-remove, data read as a sequence in place of a multiset; a larger bound of an error);
* exact values: larger by more than 1e-9 of itself, or no longer given;
* mean squared errors: the intervals are disjoint, with 1 % of the old upper end between them;
* an audit of the baseline that the configuration no longer lists.

Lower limits are kept to be read. Two of them differ by chance and by budget, so neither is worse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.levels.claim_records import level_from
from audit.levels.implication import implies
from mechanisms.claims import Order, PrivacyClaim, Relation, Source
from mechanisms.validation import exact

__all__ = [
    "EXACT_MARGIN",
    "MSE_MARGIN",
    "Regression",
    "compare",
]

EXACT_MARGIN = Fraction(1, 10**9)
"""Relative: of exact values."""
MSE_MARGIN = 0.01
"""Relative, of the old upper end: between the intervals of mean squared errors."""

EXACT_VALUES = {
    "attained": "exact loss of a pair of neighbors",
    "proved": "proved bound of the loss",
    "loss": "exact loss",
    "excess": "exact delta at the claimed epsilon",
    "divergence": "exact divergence",
}
"""Keys of exact values, in words."""

Record = Mapping[str, Any]


@final
@dataclass(frozen=True, slots=True)
class Regression:
    """Something that is worse than in the baseline."""

    what: str
    before: str
    now: str
    """In the baseline, and in this run."""

    def __str__(self) -> str:
        return f"{self.what}: {self.before} in the baseline, {self.now} now"


def compare(before: Record, now: Record) -> tuple[Regression, ...]:
    """Say what is worse.

    `before`, `now`: from `values_of`, the first out of a file.
    """
    kinds = (_claims, _bounds, _exact_values, _mean_squares)
    return tuple(regression for kind in kinds for regression in kind(before, now))


def _claims(before: Record, now: Record) -> Iterable[Regression]:
    if "claim" not in before:
        return
    if "claim" not in now:
        yield Regression("claim", str(_claim(before)[0]), "none")
        return
    old, new = _claim(before), _claim(now)
    if not implies(*new, *old):
        orders = old[1] is not new[1]
        words = [f"{claim}, order {order}" if orders else str(claim) for claim, order in (old, new)]
        yield Regression("claim", *words)


def _bounds(before: Record, now: Record) -> Iterable[Regression]:
    """Claims about errors: a bound that is larger, or no longer claimed."""
    new = now.get("bounds", {})
    for what, old in before.get("bounds", {}).items():
        bound = new.get(what)
        if bound is None or exact(bound) > exact(old) * (1 + EXACT_MARGIN):
            words = (str(old), "none" if bound is None else str(bound))
            yield Regression(f"claimed bound of the {what}", *words)


def _exact_values(before: Record, now: Record) -> Iterable[Regression]:
    old, new = before.get("exact") or {}, now.get("exact") or {}
    for key, words in EXACT_VALUES.items():
        first, second = old.get(key), new.get(key)
        if first in {None, "inf"} or (second is None and key == "attained"):
            continue
        if second in {None, "inf"} or exact(second) > exact(first) * (1 + EXACT_MARGIN):
            yield Regression(words, first, second or "none")


def _mean_squares(before: Record, now: Record) -> Iterable[Regression]:
    new = now.get("mse", {})
    for label, old in before.get("mse", {}).items():
        if label not in new:
            yield Regression(f"mean squared error on {label}", _interval(old), "none")
        elif float(new[label]["lower"]) > float(old["upper"]) * (1 + MSE_MARGIN):
            words = (_interval(old), _interval(new[label]))
            yield Regression(f"mean squared error on {label}", *words)


def _interval(error: Mapping[str, Any]) -> str:
    value, lower, upper = (f"{float(error[key]):.6g}" for key in ("value", "lower", "upper"))
    return f"{value} ({lower} to {upper})"


def _claim(record: Record) -> tuple[PrivacyClaim, Order]:
    said = dict(record["claim"])
    name, relation = said.pop("level"), Relation(said.pop("relation"))
    claim = PrivacyClaim(level_from(name, said), relation, Source("baseline", "stored"))
    return claim, Order(record["order"])
