"""Tail lemmas: what is true of two densities from a point out to infinity.

No finite number of cells covers an infinite piece, so the density auditor truncates nothing unless
a lemma covers the rest. A lemma has an id, and a rule that checks its hypotheses, exactly or by
balls, for one `Tail` and raises `NotCovered` where one does not hold. Both sides of the line are
seen as y >= start = t, with x = y on the right and x = -y on the left.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from audit.exact.forms.closed_forms import NoForm, Sum, density_form
from audit.exact.forms.curvature import curvature_of
from audit.exact.jets.jet import Jet, JetArithmetic
from audit.exact.jets.points import point_of
from audit.exact.jets.supremum import Formula
from audit.exact.sameness import same
from mechanisms.errors import TouchstoneError
from mechanisms.protocols import ExactLaw
from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints


class NotCovered(TouchstoneError):
    """No lemma covers an infinite piece; the message has the hypothesis that fails."""


class Side(enum.Enum):
    """An end of the line."""

    LEFT = -1
    RIGHT = 1


@final
@dataclass(frozen=True, slots=True, eq=False)
class _OfLaw:
    """The log-density of a law."""

    law: ExactLaw

    def __call__(self, x: Any, numbers: Any) -> Any:
        return self.law.log_density(x, numbers)


@final
@dataclass(frozen=True, slots=True)
class Density:
    """The density of shift + Z on the whole line."""

    noise: Formula
    """Log-density of Z, over an `Arithmetic`."""
    shift: Fraction = Fraction(0)
    breakpoints: tuple[Fraction, ...] = ()
    """All points where the formula of shift + Z changes, ascending."""

    @classmethod
    def from_law(
        cls, law: ExactLaw, shift: Fraction | int = 0, breakpoints: Sequence[Fraction] = ()
    ) -> Density:
        """State shift + Z, Z of a law, of which all breakpoints are given, ascending."""
        return cls(_OfLaw(law), Fraction(shift), tuple(b + shift for b in breakpoints))

    def log_density(self, x: Any, numbers: Any) -> Any:
        """Return the log-density, over an `Arithmetic`."""
        return self.noise(x - self.shift, numbers)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """Two densities on x >= start (right) or x <= -start (left)."""

    p: Density
    q: Density
    side: Side
    start: Fraction
    """Where the tail begins, in y = x or y = -x."""
    numbers: Balls
    """Working precision."""

    def forms(self) -> tuple[Sum, Sum]:
        """Return both densities as sums of exponentials in y."""
        try:
            p, q = self._form(self.p.log_density), self._form(self.q.log_density)
        except NoForm as exc:
            raise NotCovered(str(exc)) from exc
        return p, q

    def mass(self, which: int) -> Ball:
        """Enclose the mass of p (0) or q (1) on the tail.

        By its closed form; else, for a log-concave density with slope l'(t) < 0 of its logarithm at
        the start, the mass is at most density(t) / -l'(t), since l(y) <= l(t) + l'(t) (y - t). For
        a Gaussian law that is the upper bound of its Mills ratio (Gordon 1941, (7)).

        Raises NotCovered if neither is certain, or the mass is infinite.
        """
        formula = (self.p, self.q)[which].log_density
        try:
            return self._form(formula).integral(self.start, None)
        except NoForm as exc:
            reason = str(exc)
        try:
            concave = curvature_of(formula, self.start, sign=self.side.value).concave
        except NoForm as exc:
            reason, concave = f"{reason}; {exc}", False
        slope = self._first_slope(formula) if concave else None
        if slope is None or certainly_less(slope, 0) is not True:
            msg = f"the mass has no closed form, and no bound by concavity ({reason})"
            raise NotCovered(msg)
        most = self._value(formula) / -endpoints(slope)[1]
        return most * self.numbers.between(Fraction(0), Fraction(1))

    def _form(self, formula: Formula) -> Sum:
        return density_form(formula, self.start, None, self.numbers, sign=self.side.value)

    def _value(self, formula: Formula) -> Ball:
        """Density at the start."""
        jet = self._jet(formula, self.start)
        return self.numbers.exp(jet.value)

    def _first_slope(self, formula: Formula) -> Ball | None:
        """Enclose the slope in y of a log-density just beyond the start."""
        slope = self._jet(formula, self.start + Fraction(1, 1 << 20)).slope
        return slope * self.side.value if isinstance(slope, Ball) else None

    def _jet(self, formula: Formula, end: Fraction) -> Jet:
        """Return the jet in x from the start to an end, both in y."""
        left, right = sorted(self.side.value * y for y in (self.start, end))
        low, high = sorted(self.side.value * y for y in (self.start, self.start + 1))
        arithmetic = JetArithmetic(self.numbers)
        x = point_of((left, right), (low, high), arithmetic)
        return arithmetic.rational(formula(x, arithmetic))

    def log_ratio(self) -> Ball:
        """Return ln(p / q) at the start."""
        p, q = (self._jet(one.log_density, self.start).value for one in (self.p, self.q))
        return p - q


@final
@dataclass(frozen=True, slots=True, eq=False)
class TailRange:
    """What a lemma says of ln(p / q) on a tail."""

    lemma: str
    """Id of the lemma."""
    side: Side
    start: Fraction
    """Where the tail begins, in y."""
    lower: Ball | None
    upper: Ball | None
    """Contain the infimum and the supremum. `upper` None: the supremum is infinite; `lower` None:
    no lower bound is known."""


def cover_tail(tail: Tail) -> TailRange:
    """Apply the first lemma that covers a tail.

    Raises NotCovered if none does; the message says why not, lemma by lemma.
    """
    reasons = []
    for name, rule in LEMMAS.items():
        try:
            return rule(tail)
        except NotCovered as exc:
            reasons.append(f"{name}: {exc}")
    where = "x >= " if tail.side is Side.RIGHT else "-x >= "
    msg = f"no lemma covers {where}{tail.start} ({'; '.join(reasons)})"
    raise NotCovered(msg)


def decide_sign(form: Sum, start: Fraction) -> int:
    """Sign of a sum of exponentials on all y >= start.

    The term that wins at infinity decides, where at the start already it exceeds all terms of the
    other sign together and none of these falls off more slowly from there on.

    Returns: -1, 0 or 1; 0 for the empty sum only. Raises NotCovered if the sign is not certain.
    """
    if not form.terms:
        return 0
    (s, r), lead = max(((s, r), c) for (r, s), c in form.terms.items())
    sign = _sign(lead)
    rest = form.numbers.rational(Fraction(0))
    for (k, h), c in form.terms.items():
        if (k, h) == (r, s) or certainly_less(c * sign, 0) is False:
            continue
        if h > s or (k - r) + 2 * (h - s) * start > 0:
            msg = f"the term e^({r} y + {s} y^2) does not yet lead at {start}"
            raise NotCovered(msg)
        exponent = (k - r) * start + (h - s) * start**2
        rest = rest + abs(c) * form.numbers.exp(form.numbers.rational(exponent))
    if certainly_less(rest, lead * sign) is not True:
        msg = f"the sign of a sum is not certain from {start} on"
        raise NotCovered(msg)
    return sign


def _sign(c: Ball) -> int:
    if certainly_less(0, c):
        return 1
    if certainly_less(c, 0):
        return -1
    msg = f"the sign of a coefficient {c!r} is not certain"
    raise NotCovered(msg)


def _single(form: Sum) -> tuple[Fraction, Fraction, Ball]:
    if len(form.terms) != 1:
        msg = f"a density has {len(form.terms)} terms"
        raise NotCovered(msg)
    (((r, s), c),) = form.terms.items()
    if _sign(c) < 0:
        msg = "a density is negative"
        raise NotCovered(msg)
    return r, s, c


def _exponential(tail: Tail) -> TailRange:
    """One exponential under each data set.

    If p = c e^(-r y) and q = d e^(-s y) for y >= t, c, d, r, s > 0, then ln(p / q) is linear there:
    it is the same everywhere (r = s), falls from its value at t to -infinity (r > s), or grows from
    it to infinity (r < s).
    """
    (r, s, _), (k, h, _) = map(_single, tail.forms())
    if s or h or r >= 0 or k >= 0:
        msg = f"exponents {r} y + {s} y^2 and {k} y + {h} y^2"
        raise NotCovered(msg)
    return _range("TAIL-EXPONENTIAL", tail, r - k, Fraction(0), tail.log_ratio())


def _gaussian(tail: Tail) -> TailRange:
    """One Gaussian term under each data set.

    If ln p and ln q are polynomials of degree 2 with negative squares for y >= t, then ln(p / q) is
    a polynomial of degree at most 2, whose range there is between its value at t, its value at a
    vertex beyond t, and its limit.
    """
    (r, s, _), (k, h, _) = map(_single, tail.forms())
    if s >= 0 or h >= 0:
        msg = f"exponents {r} y + {s} y^2 and {k} y + {h} y^2"
        raise NotCovered(msg)
    return _range("TAIL-GAUSSIAN", tail, r - k, s - h, tail.log_ratio())


def _range(lemma: str, tail: Tail, linear: Fraction, square: Fraction, first: Ball) -> TailRange:
    """Range of a polynomial with these coefficients and the value `first` at the start."""
    if not linear and not square:
        return TailRange(lemma, tail.side, tail.start, first, first)
    inner = first
    if square and (vertex := -linear / (2 * square)) > tail.start:
        inner = first - square * (vertex - tail.start) ** 2
    grows = (square or linear) > 0
    lower, upper = (inner, None) if grows else (None, inner)
    return TailRange(lemma, tail.side, tail.start, lower, upper)


def _monotone(tail: Tail) -> TailRange:
    """A log-ratio that is monotone beyond a point: mixtures.

    If p and q are positive sums of exponentials with the same square, and p' q - p q' has one sign
    for y >= t (its leading term exceeds those of the other sign at t and from there on), then
    ln(p / q) is monotone there, and ranges between its value at t and its limit.
    """
    p, q = tail.forms()
    if len({s for form in (p, q) for _, s in form.terms}) > 1:
        msg = "terms of different squares"
        raise NotCovered(msg)
    if decide_sign(p, tail.start) < 1 or decide_sign(q, tail.start) < 1:
        msg = "a density is not positive"
        raise NotCovered(msg)
    slope = Sum({}, tail.numbers)  # p' q - p q', up to a positive factor
    for (r, s), c in p.terms.items():
        for (k, h), d in q.terms.items():
            if r != k:
                slope = slope + Sum({(r + k, s + h): c * d * (r - k)}, tail.numbers)
    sign, first = decide_sign(slope, tail.start), tail.log_ratio()
    (r, c), (k, d) = (max((r, c) for (r, _), c in form.terms.items()) for form in (p, q))
    limit = tail.numbers.log(c / d) if r == k else None
    lower, upper = (first, limit) if sign > 0 else (limit, first)
    if not sign:
        lower = upper = first
    return TailRange("TAIL-MONOTONE", tail.side, tail.start, lower, upper)


def _leading(tail: Tail) -> TailRange:
    """Sums of different squares, such as mixtures of Gaussian laws of different variances.

    If p and q are sums of positive terms and every term of p over the leading term d e^Q of q falls
    for y >= t, then ln(p / q) <= ln(p / (d e^Q)) at t for all y >= t; if the leading term of p wins
    over that of q, ln(p / q) grows to infinity. Below likewise.
    """
    p, q = tail.forms()
    for c in (*p.terms.values(), *q.terms.values()):
        if _sign(c) < 0:
            msg = "a term is negative"
            raise NotCovered(msg)
    at = endpoints(tail.log_ratio())
    over, under = _log_over_leading(p, q, tail.start), _log_over_leading(q, p, tail.start)
    numbers = tail.numbers
    upper = None if over is None else numbers.between(at[0], max(at[1], endpoints(over)[1]))
    lower = None if under is None else numbers.between(min(at[0], -endpoints(under)[1]), at[1])
    return TailRange("TAIL-LEADING", tail.side, tail.start, lower, upper)


def _log_over_leading(p: Sum, q: Sum, start: Fraction) -> Ball | None:
    """Logarithm of p over the leading term of q at the start; None if the quotient grows."""
    (s, r), lead = max(((s, r), d) for (r, s), d in q.terms.items())
    if max((h, k) for k, h in p.terms) > (s, r):
        return None
    total = p.numbers.rational(Fraction(0))
    for (k, h), c in p.terms.items():
        if (k - r) + 2 * (h - s) * start > 0:
            msg = f"the term e^({k} y + {h} y^2) does not yet fall below the leading one"
            raise NotCovered(msg)
        exponent = (k - r) * start + (h - s) * start**2
        total = total + c / lead * p.numbers.exp(p.numbers.rational(exponent))
    return p.numbers.log(total)


def _shifted(tail: Tail) -> TailRange:
    """A log-concave density under a shift.

    If p(y) = f(y - a), q(y) = f(y - b) and l = ln f is concave for y >= t - max(a, b) (convex
    calculus), then ln(p / q) is monotone for y >= t: it falls if a < b and grows if a > b; with
    l' >= m, which must be finite if a > b, it stays between its value at t and (b - a) m.
    """
    if not same(tail.p.noise, tail.q.noise):
        msg = "the densities are not stated as shifts of one"
        raise NotCovered(msg)
    first, second = (tail.side.value * shift for shift in (tail.p.shift, tail.q.shift))
    try:
        start = tail.start - max(first, second)
        bend = curvature_of(tail.p.noise, start, sign=tail.side.value)
    except NoForm as exc:
        raise NotCovered(str(exc)) from exc
    distance, at = second - first, endpoints(tail.log_ratio())
    if not bend.concave or (bend.low is None and distance < 0):
        msg = "the density is not log-concave there, or falls off faster than any exponential"
        raise NotCovered(msg)
    lower = upper = tail.numbers.between(*at)
    if bend.low is not None:  # the mean slope over the distance is at least `low`
        limit = distance * bend.low
        if distance > 0:
            lower = tail.numbers.between(min(limit, at[0]), at[1])
        else:
            upper = tail.numbers.between(at[0], max(limit, at[1]))
    known = lower if bend.low is not None or distance == 0 else None
    return TailRange("TAIL-SHIFTED", tail.side, tail.start, known, upper)


LEMMAS: dict[str, Callable[[Tail], TailRange]] = {
    "TAIL-EXPONENTIAL": _exponential,
    "TAIL-GAUSSIAN": _gaussian,
    "TAIL-MONOTONE": _monotone,
    "TAIL-LEADING": _leading,
    "TAIL-SHIFTED": _shifted,
}
"""In the order in which they are tried."""
