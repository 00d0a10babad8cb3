"""Steps of accounts, stated again for the check of certificates.

`sensitivity` is the most that one record contributes: answers to neighbors are that far apart when
a record is added or removed, and twice as far when one is replaced, unless `swap_sensitivity` says
otherwise. Laplace noise is taken as the claim that it keeps, scalar over scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, final

from audit.certificate.account_losses import (
    FiniteLoss,
    NormalLoss,
    StepLoss,
    claimed_loss,
    discrete_gaussian_loss,
    geometric_loss,
    listed_loss,
)
from audit.certificate.document import number
from mechanisms.errors import CertificateError

__all__ = ["ACCOUNT_STEPS", "BothWays", "step_losses"]

MOST_RELEASES = 10**9
MOST_ROWS = 1_000
LARGEST = Fraction(10**400)

BothWays = tuple[StepLoss, StepLoss]
"""To remove and to add a record; or to replace it, and the other way round."""

StepWords = Mapping[str, Any]


@final
@dataclass(frozen=True, slots=True)
class StatedEvent:
    """An event: what it loses, the words that it needs and may have, and its relations."""

    losses: Callable[[StepWords, str], BothWays]
    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    relations: tuple[str, ...] = ("add-remove", "swap")


def _wrong(reason: str) -> NoReturn:
    msg = f"a step is stated wrongly: {reason}"
    raise CertificateError(msg)


def _above_zero(words: StepWords, name: str) -> Fraction:
    found = number(words[name], name)
    if found <= 0:
        _wrong(f"{name} must be above 0, got {found}")
    return found


def _up_to(words: StepWords, name: str, most: Fraction = LARGEST) -> Fraction:
    found = number(words[name], name)
    if not 0 <= found <= most:
        _wrong(f"{name} must be between 0 and {most}, got {found}")
    return found


def _apart(words: StepWords, relation: str) -> Fraction:
    """How far answers to neighbors are apart."""
    once = _up_to(words, "sensitivity")
    twice = _up_to(words, "swap_sensitivity") if "swap_sensitivity" in words else 2 * once
    return twice if relation == "swap" else once


def _whole_apart(words: StepWords, relation: str) -> int:
    found = _apart(words, relation)
    if found.denominator != 1:
        _wrong(f"answers on a grid are an integer apart, got {found}")
    return int(found)


def _alike(law: NormalLoss | FiniteLoss | None, kept: Fraction = Fraction(1)) -> BothWays:
    return StepLoss(law, kept), StepLoss(law, kept)


def _gaussian_step(words: StepWords, relation: str) -> BothWays:
    mu = _apart(words, relation) / _above_zero(words, "sigma")
    return _alike(NormalLoss(mu**2) if mu else None)


def _gdp_step(words: StepWords, relation: str) -> BothWays:
    del relation
    mu = _up_to(words, "mu")
    return _alike(NormalLoss(mu**2) if mu else None)


def _laplace_step(words: StepWords, relation: str) -> BothWays:
    epsilon = _apart(words, relation) / _above_zero(words, "scale")
    return _alike(claimed_loss(epsilon, is_whole=False))


def _geometric_step(words: StepWords, relation: str) -> BothWays:
    return _alike(geometric_loss(_whole_apart(words, relation), _above_zero(words, "t")))


def _discrete_gaussian_step(words: StepWords, relation: str) -> BothWays:
    variance = _above_zero(words, "sigma_squared")
    return _alike(discrete_gaussian_loss(_whole_apart(words, relation), variance))


def _claimed_step(words: StepWords, relation: str) -> BothWays:
    del relation
    delta = _up_to(words, "delta", Fraction(1)) if "delta" in words else Fraction(0)
    return _alike(claimed_loss(_up_to(words, "epsilon"), is_whole=True), 1 - delta)


def _response_step(words: StepWords, relation: str) -> BothWays:
    del relation
    keep, categories = _up_to(words, "keep", Fraction(1)), words["categories"]
    if type(categories) is not int or not 2 <= categories <= MOST_RELEASES:
        _wrong(f"categories must be an integer of at least 2, got {categories!r}")
    other = (1 - keep) / categories
    rest = 1 - keep - 2 * other
    rows = [(keep + other, other), (other, keep + other), (rest, rest)]
    return listed_loss(rows), listed_loss(rows)


def _listed_step(words: StepWords, relation: str) -> BothWays:
    del relation
    sides = []
    for name in ("p", "q"):
        if type(words[name]) is not list or len(words[name]) > MOST_ROWS:
            _wrong(f"{name} must be a list of at most {MOST_ROWS} probabilities")
        side = [number(one, name) for one in words[name]]
        if any(one < 0 for one in side) or sum(side) != 1:
            _wrong(f"{name} must be probabilities that add up to 1")
        sides.append(side)
    if len(sides[0]) != len(sides[1]):
        _wrong("p and q must be as long")
    rows = list(zip(*sides, strict=True))
    return listed_loss(rows), listed_loss([(q, p) for p, q in rows])


ONE_MORE = ("swap_sensitivity",)
CLAIMED = ("add-remove", "swap", "listed")

ACCOUNT_STEPS: Mapping[str, StatedEvent] = {
    "gaussian": StatedEvent(_gaussian_step, ("sigma", "sensitivity"), ONE_MORE),
    "laplace": StatedEvent(_laplace_step, ("scale", "sensitivity"), ONE_MORE),
    "geometric": StatedEvent(_geometric_step, ("t", "sensitivity"), ONE_MORE),
    "discrete-gaussian": StatedEvent(
        _discrete_gaussian_step, ("sigma_squared", "sensitivity"), ONE_MORE
    ),
    "randomized-response": StatedEvent(_response_step, ("keep", "categories"), (), ("swap",)),
    "pure-dp": StatedEvent(_claimed_step, ("epsilon",), (), CLAIMED),
    "approx-dp": StatedEvent(_claimed_step, ("epsilon", "delta"), (), CLAIMED),
    "gdp": StatedEvent(_gdp_step, ("mu",), (), CLAIMED),
    "law": StatedEvent(_listed_step, ("p", "q"), (), ("listed",)),
}
"""By name; of any other event there are no certificates."""


def step_losses(words: object, relation: str) -> tuple[BothWays, int]:
    """What a step loses, and how often it is released.

    Raises CertificateError if it is stated wrongly, TooLarge if it is not gone through.
    """
    name = words.get("event") if isinstance(words, dict) else None
    if not isinstance(words, dict) or not isinstance(name, str) or name not in ACCOUNT_STEPS:
        _wrong(f"event must be one of {', '.join(ACCOUNT_STEPS)}, got {name!r}")
    stated = ACCOUNT_STEPS[name]
    needed = {"event", "count", *stated.needs}
    if not needed <= set(words) <= needed | set(stated.may):
        _wrong(f"{name} has the words {', '.join(sorted(needed | set(stated.may)))}")
    if relation not in stated.relations:
        _wrong(f"{name} has no stated law under {relation}")
    count = words["count"]
    if type(count) is not int or not 0 <= count <= MOST_RELEASES:
        _wrong(f"count must be an integer of 0 to {MOST_RELEASES}, got {count!r}")
    return stated.losses(words, relation), count
