"""Compositions of private steps, stated again: what every user loses at most.

Nothing here is taken from the mechanisms; the sums are those of the papers and of their repairs.

* SUB-T3.1p: two thresholds with the factor epsilon / 2 and losses that move by 1, a sum that moves
  by w / 2 with noise w / epsilon, and a count with noise 2 / epsilon.
* SUB-T4.3s: two thresholds at epsilon / 4, and a choice on moved data with the factor epsilon / 12
  of scores that move by 3, or epsilon / 8 of those that move by 2.
* TRI-P3.0.3: the clipped mean loses epsilon, the named excess (0, delta).
* TRI-T4.2.1: a record is in one half. The coarse half loses (epsilon, delta) (TRI-P4.1.1), the
  other half epsilon where the coarse estimate succeeds, and (0, delta) where it fails.
* TRI-T2.2.2-clones: two counts, of which all outcomes are gone through.
* PDP-A2: scores that move by 1 and the factor epsilon / 2. PDP-A4: two scans at epsilon / 2, each
  with noise of scales 4 / epsilon and 8 / epsilon. PDP-A5p: one scan, 2 / epsilon and 4 / epsilon.
* PDP-T10 with one bit of each record, told right with odds e^tau: min(budget, tau).
* PDP-A6p: four quarters of tau on survivors, so min(budget, tau) (PDP-T10). One quarter alone, for
  the median: min(budget, tau / 4).
* PDP-T11: the range with half of a budget, and the saturated half for the mean.
* Sampling: one sum at tau on survivors, min(budget, tau). Partitioning: the least budget among
  those with the same floor(log2 budget). AboveThreshold: one scan. Count, then swap: a count at
  epsilon / 2, and the sum of so many records at epsilon / 2.
* Rivals of SUB: a histogram at epsilon / 2 or two scores at epsilon / 4, and a mean at epsilon / 2.
* PDP-A8p: half of the left end of the own group for the count, a quarter for the range and at most
  a quarter for the mean. A user without a group loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb
from typing import Any, final

from audit.certificate.certificate_form import TooLarge, number
from audit.certificate.restated_weights import numbers, saturated
from mechanisms.errors import CertificateError
from proofs_check.enclosure import Balls, endpoints

ZERO, ONE = Fraction(0), Fraction(1)
BITS = 256
MOST_BLOCKS = 512
QUARTER = Fraction(1, 4)


@final
@dataclass(frozen=True, slots=True)
class Composed:
    """What is stated of a mechanism."""

    relation: str
    lemmas: tuple[str, ...]
    losses: tuple[tuple[Fraction, Fraction], ...]
    """Epsilon and delta of each user; where users are alike, one for all."""
    alike: bool = False
    at: Callable[[Fraction], Fraction] | None = None
    """Delta at a level, where the certificate chooses the level."""


def composed(mechanism: str, parameters: Mapping[str, Any]) -> Composed:
    """State the losses of a mechanism.

    Raises CertificateError if a parameter is unknown, missing or out of its domain.
    """
    names, state = COMPOSED[mechanism]
    if set(parameters) != set(names):
        msg = f"parameters of {mechanism} are {', '.join(names)}, got {', '.join(parameters)}"
        raise CertificateError(msg)
    return state(parameters)


def _subset(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon")
    _needs(number(given["low"], "low") <= number(given["high"], "high"), given)
    epsilon = number(given["epsilon"], "epsilon")
    loss = 2 * (2 * epsilon / 2) + (ONE / 2) / (1 / epsilon) + 1 / (2 / epsilon)
    lemmas = "SUB-T3.1p", "PDP-L4", "PDP-A2", "composition"
    return Composed("add-remove", lemmas, ((loss, ZERO),), alike=True)


def _monotone(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon")
    _needs(number(given["low"], "low") <= number(given["high"], "high"), given)
    choices = {"length": (3, 12), "crossing": (2, 8)}
    _needs(given["score"] in choices, given)
    _needs(given["statistic"] in ("median", "quantile", "mean", "power"), given)
    epsilon = number(given["epsilon"], "epsilon")
    move, parts = choices[given["score"]]
    loss = 2 * (2 * (epsilon / 4) / 2) + 2 * move * (epsilon / parts)
    lemmas = "SUB-T4.3s", "PDP-A2", "composition"
    return Composed("add-remove", lemmas, ((loss, ZERO),), alike=True)


def _combined(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon", "delta", "psi")
    _needs(number(given["low"], "low") < number(given["high"], "high"), given)
    _needs(number(given["moment"], "moment") > 2, given)
    if given["distance"] is not None:
        _needs(number(given["distance"], "distance") >= 0, given)
    lemmas = "TRI-P3.0.3", "PDP-L4", "TRI-P3.0.2", "composition"
    return Composed("swap", lemmas, (_pair(given),), alike=True)


def _symmetric(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon", "delta", "distance", "scale")
    halves = given["first"], given["second"]
    _needs(all(type(n) is int for n in halves) and halves[0] >= 0 and halves[1] >= 1, given)
    lemmas = "TRI-T4.2.1", "PDP-L4", "TRI-P3.0.2", "TRI-P4.1.1", "choice"
    return Composed("swap", lemmas, (_pair(given),), alike=True)


def _shuffled(given: Mapping[str, Any]) -> Composed:
    """Sum the positive parts of P - E Q over how many of N answers are of the first clone."""
    _above(given, "epsilon", "delta")
    _needs(number(given["low"], "low") < number(given["high"], "high"), given)
    blocks, rows = given["blocks"], given["rows"]
    _needs(type(blocks) is int and type(rows) is int and blocks >= 1 and rows >= 1, given)
    if blocks > MOST_BLOCKS:
        msg = f"more than {MOST_BLOCKS} blocks are not summed over"
        raise TooLarge(msg)
    at = _excesses(number(given["epsilon"], "epsilon"), blocks)
    return Composed("swap", ("TRI-T2.2.2-clones",), (), alike=True, at=at)


def _excesses(epsilon: Fraction, blocks: int) -> Callable[[Fraction], Fraction]:
    """Give delta at a level, rounded up to 18 decimals."""
    numbers_ = Balls(BITS)
    e = numbers_.exp(numbers_.rational(epsilon))
    q = 1 / e

    def at(level: Fraction) -> Fraction:
        if level >= epsilon:
            return ZERO
        big, total = numbers_.exp(numbers_.rational(level)), ZERO
        for n in range(1, blocks + 1):  # answers that are clones; a of the first kind
            weight = endpoints(q ** (n - 1) * (1 - q) ** (blocks - n))[1] * comb(blocks - 1, n - 1)
            above = ZERO
            for a in range(n, -1, -1):
                # binomial coefficient of (n, a), its share a / n of record 1 and 1 - a / n
                gain = endpoints((e * a + (n - a) - big * (a + e * (n - a))) / (1 + e))[1]
                if gain <= 0:
                    break
                above += Fraction(comb(n, a), n * 2 ** (n - 1)) * gain
            total += weight * above
        return Fraction(ceil(total * 10**18), 10**18)

    return at


def _quantile(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon", "step")
    return _pure(("PDP-A2",), 2 * ONE * number(given["epsilon"], "epsilon") / 2)


def _width(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon")
    return _pure(("PDP-A4", "PDP-A1", "composition"), 2 * _scan(number(given["epsilon"], "e") / 2))


def _radius(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon", "beta", "b")
    return _pure(("PDP-A5p", "PDP-A1"), _scan(number(given["epsilon"], "epsilon")))


def _diffused(given: Mapping[str, Any]) -> Composed:
    _above(given, "tau", "step")
    spent = number(given["tau"], "tau") * QUARTER
    losses = [min(budget, spent) for budget in numbers(given["budgets"], "budgets")]
    return _personal("swap", ("PDP-T10", "PDP-A2"), losses)


def _answers(given: Mapping[str, Any]) -> Composed:
    _above(given, "tau")
    tau = number(given["tau"], "tau")
    losses = [min(budget, tau) for budget in numbers(given["budgets"], "budgets")]
    return _personal("swap", ("PDP-T10", "randomized response"), losses)


def _range(given: Mapping[str, Any]) -> Composed:
    budgets, tau = _budgets_and_tau(given)
    if not any(budgets):
        return _personal("swap", ("PDP-A6p", "PDP-L4"), budgets)
    lemmas = "PDP-A6p", "PDP-A2", "PDP-A1", "PDP-T10", "composition"
    return _personal("swap", lemmas, [min(budget, _stages(tau)) for budget in budgets])


def _mean(given: Mapping[str, Any]) -> Composed:
    budgets, tau = _budgets_and_tau(given)
    half = [budget / 2 for budget in budgets]
    if not any(half):
        return _personal("swap", ("PDP-T11", "PDP-L4"), half)
    spent = [min(one, _stages(tau)) for one in half]
    lemmas = "PDP-T11", "PDP-L4", "PDP-A2", "PDP-A1", "PDP-T10", "composition"
    losses = [x + y for x, y in zip(spent, saturated(half), strict=True)]
    return _personal("swap", lemmas, losses)


def _unbounded(given: Mapping[str, Any]) -> Composed:
    _above(given, "lowest", "highest", "beta")
    lowest, highest = number(given["lowest"], "lowest"), number(given["highest"], "highest")
    _needs(lowest <= highest and type(given["most"]) is int and given["most"] >= 1, given)
    left = [lowest]
    while 2 * left[-1] <= highest:
        left.append(2 * left[-1])
    # a row shows a budget as the decimal of its double
    shown = [max(b, Fraction(repr(float(b)))) for b in numbers(given["budgets"], "budgets")]
    ends = [max((end for end in left if end <= budget), default=ZERO) for budget in shown]
    losses = [end / 2 + end * QUARTER + end * QUARTER for end in ends]
    if not any(ends):
        return _personal("add-remove", ("PDP-A8p", "PDP-L4"), losses)
    lemmas = "PDP-A8p", "PDP-L4", "PDP-A2", "PDP-A1", "PDP-T10", "composition"
    return _personal("add-remove", lemmas, losses)


def _sampled(given: Mapping[str, Any]) -> Composed:
    _above(given, "tau")
    width = number(given["high"], "high") - number(given["low"], "low")
    _needs(width >= 0, given)
    tau = number(given["tau"], "tau") if width else ZERO
    losses = [min(budget, tau) for budget in numbers(given["budgets"], "budgets")]
    return _personal("swap", ("PDP-T10", "PDP-L4"), losses)


def _partitioned(given: Mapping[str, Any]) -> Composed:
    width = number(given["high"], "high") - number(given["low"], "low")
    _needs(width >= 0, given)
    budgets = numbers(given["budgets"], "budgets")
    losses = []
    for own in budgets:
        power = ONE
        while own and power > own:
            power /= 2
        while own and 2 * power <= own:
            power *= 2
        members = [b for b in budgets if own and power <= b < 2 * power]
        losses.append(min(members, default=ZERO) if width else ZERO)
    return _personal("swap", ("PDP-L4",), losses)


def _first(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon")
    _needs(type(given["queries"]) is int and given["queries"] >= 1, given)
    loss = _scan(number(given["epsilon"], "epsilon"))
    return Composed("add-remove", ("PDP-A1",), ((loss, ZERO),), alike=True)


def _counted(given: Mapping[str, Any]) -> Composed:
    _above(given, "epsilon")
    epsilon = number(given["epsilon"], "epsilon")
    width = number(given["high"], "high") - number(given["low"], "low")
    _needs(width >= 0, given)
    loss = 1 / (2 / epsilon) + (width / (2 * width / epsilon) if width else ZERO)
    lemmas = "PDP-A8p", "PDP-L4", "composition"
    return Composed("add-remove", lemmas, ((loss, ZERO),), alike=True)


def _binned(given: Mapping[str, Any]) -> Composed:
    """Two counts move by 1 under noise 4 / epsilon; the mean loses epsilon / 2."""
    _above(given, "epsilon", *({"sigma", "psi"} & set(given)))
    epsilon = number(given["epsilon"], "epsilon")
    loss = 2 / (4 / epsilon) + 1 / (2 / epsilon)
    return Composed("swap", ("PDP-L4", "composition"), ((loss, ZERO),), alike=True)


def _centered(given: Mapping[str, Any]) -> Composed:
    """Two scores that move by 1 with the factor epsilon / 8, and the mean."""
    _above(given, "epsilon", "alpha")
    epsilon = number(given["epsilon"], "epsilon")
    loss = 2 * (2 * epsilon / 8) + 1 / (2 / epsilon)
    return Composed("swap", ("PDP-A2", "PDP-L4", "composition"), ((loss, ZERO),), alike=True)


def _scan(epsilon: Fraction) -> Fraction:
    """Queries that move by 1, a bar with noise 2 / epsilon, queries with noise 4 / epsilon."""
    return 1 / (2 / epsilon) + 2 / (4 / epsilon)


def _stages(tau: Fraction) -> Fraction:
    """Width, first radius, median and second radius, each with a quarter of tau."""
    part = tau * QUARTER
    return 2 * _scan(part / 2) + _scan(part) + 2 * part / 2 + _scan(part)


def _budgets_and_tau(given: Mapping[str, Any]) -> tuple[list[Fraction], Fraction]:
    _above(given, "beta")
    budgets, tau = numbers(given["budgets"], "budgets"), number(given["tau"], "tau")
    _needs(tau > 0 or (tau == 0 and not any(budgets)), given)
    return budgets, tau


def _pair(given: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    epsilon, delta = number(given["epsilon"], "epsilon"), number(given["delta"], "delta")
    _needs(delta <= 1, given)
    return epsilon, delta


def _pure(lemmas: tuple[str, ...], epsilon: Fraction) -> Composed:
    return Composed("swap", lemmas, ((epsilon, ZERO),), alike=True)


def _personal(relation: str, lemmas: tuple[str, ...], losses: Sequence[Fraction]) -> Composed:
    return Composed(relation, lemmas, tuple((loss, ZERO) for loss in losses))


def _above(given: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if number(given[name], name) <= 0:
            msg = f"{name} must be positive, got {given[name]}"
            raise CertificateError(msg)


def _needs(right: bool, given: Mapping[str, Any]) -> None:
    if not right:
        msg = f"these parameters are out of their domain: {dict(given)!r}"
        raise CertificateError(msg)


_PERSONAL = ("budgets", "beta", "tau", "release")
COMPOSED: dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any]], Composed]]] = {
    "sub.subset-mean-public-size": (
        ("epsilon", "low", "high", "expected_size", "gamma", "alpha", "rank", "release"),
        _subset,
    ),
    "sub.subset-mean-noisy-size": (("epsilon", "low", "high", "gamma", "release"), _subset),
    "sub.monotone": (
        ("epsilon", "low", "high", "step", "statistic", "level", "power", "score"),
        _monotone,
    ),
    "tri.combined": (
        ("epsilon", "delta", "low", "high", "psi", "moment", "distance"),
        _combined,
    ),
    "tri.symmetric-mean": (
        ("epsilon", "delta", "distance", "scale", "first", "second"),
        _symmetric,
    ),
    "tri.shuffled-mean": (
        ("epsilon", "delta", "low", "high", "blocks", "rows", "release"),
        _shuffled,
    ),
    "pdp.find-quantile": (("epsilon", "low", "high", "step"), _quantile),
    "pdp.discretization": (("epsilon",), _width),
    "pdp.radius": (("epsilon", "beta", "b"), _radius),
    "pdp.diffused-quantile": (("budgets", "tau", "low", "high", "step"), _diffused),
    "pdp.diffusion": (("budgets", "tau"), _answers),
    "pdp.range": (_PERSONAL, _range),
    "pdp.mean": (_PERSONAL, _mean),
    "pdp.sampled-mean": (("budgets", "low", "high", "tau"), _sampled),
    "pdp.partitioned-mean": (("budgets", "low", "high"), _partitioned),
    "pdp.above-threshold": (("epsilon", "threshold", "low", "high", "queries"), _first),
    "sub.histogram-mean": (("epsilon", "low", "high", "sigma"), _binned),
    "sub.moment-mean": (("epsilon", "low", "high", "psi", "moment"), _binned),
    "sub.radius-mean": (("epsilon", "low", "high", "alpha"), _centered),
    "ksw.count-then-swap": (("epsilon", "low", "high"), _counted),
    "pdp.unbounded-mean": (
        ("budgets", "lowest", "highest", "beta", "release", "most"),
        _unbounded,
    ),
}
"""Names of the parameters of each mechanism, and its losses."""
