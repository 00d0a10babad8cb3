"""Tail lemmas: what is true of two densities from a point out to infinity.

No finite number of cells covers an infinite piece, so the density auditor truncates nothing unless
a lemma covers the rest. A `TailLemma` has an id, a statement and hypotheses; its rule checks them,
exactly or by balls, for one `Tail` and raises `NotCovered` where one does not hold. Both sides of
the line are seen as y >= start, with x = y on the right and x = -y on the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from audit.exact.density.tail import NotCovered, Side, Tail, TailLemma, TailRange
from audit.exact.forms.curvature import curvature_of
from audit.exact.forms.quadratic import NoForm
from audit.exact.forms.sums import Sum
from proofs_check.enclosure import Ball, certainly_less, endpoints

__all__ = [
    "EXPONENTIAL",
    "GAUSSIAN",
    "LEADING",
    "LEMMAS",
    "MONOTONE",
    "SHIFTED",
    "cover_tail",
    "decide_sign",
]


def cover_tail(tail: Tail, lemmas: Sequence[TailLemma] | None = None) -> TailRange:
    """Apply the first lemma that covers a tail.

    `tail`: the piece. `lemmas`: in the order in which to try them; by default `LEMMAS`. Raises
    NotCovered if none does; the message says why not, lemma by lemma.
    """
    reasons = []
    for lemma in LEMMAS if lemmas is None else lemmas:
        try:
            return lemma.rule(tail)
        except NotCovered as exc:
            reasons.append(f"{lemma.id}: {exc}")
    where = "x >= " if tail.side is Side.RIGHT else "-x >= "
    msg = f"no lemma covers {where}{tail.start} ({'; '.join(reasons) or 'none was given'})"
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
    (r, s, _), (k, h, _) = map(_single, tail.forms())
    if s or h or r >= 0 or k >= 0:
        msg = f"exponents {r} y + {s} y^2 and {k} y + {h} y^2"
        raise NotCovered(msg)
    return _range("TAIL-EXPONENTIAL", tail, r - k, Fraction(0), tail.log_ratio())


def _gaussian(tail: Tail) -> TailRange:
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
    if tail.shifts is None:
        msg = "the densities are not stated as shifts of one"
        raise NotCovered(msg)
    first, second = (tail.side.value * shift for shift in (tail.shifts.first, tail.shifts.second))
    try:
        bend = curvature_of(
            tail.shifts.noise, tail.start - max(first, second), sign=tail.side.value
        )
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


EXPONENTIAL = TailLemma(
    "TAIL-EXPONENTIAL",
    "If p = c e^(-r y) and q = d e^(-s y) for y >= t, then ln(p / q) is linear there: it is the "
    "same everywhere (r = s), falls from its value at t to -infinity (r > s), or grows from it to "
    "infinity (r < s).",
    (
        "both log-densities are polynomials of degree 1 on y >= t (their formulas run exactly)",
        "c, d > 0 and r, s > 0",
    ),
    "lower and upper",
    _exponential,
)
"""One exponential under each data set."""
GAUSSIAN = TailLemma(
    "TAIL-GAUSSIAN",
    "If ln p and ln q are polynomials of degree 2 with negative squares for y >= t, then "
    "ln(p / q) is a polynomial of degree at most 2, whose range there is between its value at t, "
    "its value at a vertex beyond t, and its limit.",
    ("both log-densities are polynomials of degree 2 on y >= t", "both squares are negative"),
    "lower and upper",
    _gaussian,
)
"""One Gaussian term under each data set."""
MONOTONE = TailLemma(
    "TAIL-MONOTONE",
    "If p' q - p q' has one sign for y >= t, then ln(p / q) is monotone there, and ranges between "
    "its value at t and its limit.",
    (
        "p and q are sums of exponentials with the same square on y >= t, and positive",
        "the leading term of p' q - p q' exceeds those of the other sign at t and from there on",
    ),
    "lower and upper",
    _monotone,
)
"""A log-ratio that is monotone beyond a point: mixtures."""
LEADING = TailLemma(
    "TAIL-LEADING",
    "If p and q are sums of positive terms and every term of p over the leading term d e^Q of q "
    "falls for y >= t, then ln(p / q) <= ln(p / (d e^Q)) at t for all y >= t; if the leading term "
    "of p wins over that of q, ln(p / q) grows to infinity. Below likewise.",
    (
        "p and q are sums of exponentials on y >= t with positive coefficients",
        "no exponent over the leading one of the other density grows beyond t",
    ),
    "lower and upper",
    _leading,
)
"""Sums of different squares, such as mixtures of Gaussian laws of different variances."""
SHIFTED = TailLemma(
    "TAIL-SHIFTED",
    "If p(y) = f(y - a), q(y) = f(y - b) and l = ln f is concave for y >= t - max(a, b), then "
    "ln(p / q) is monotone for y >= t: it falls if a < b and grows if a > b; with l' >= m it stays "
    "between its value at t and (b - a) m.",
    (
        "p and q are stated as shifts of one formula",
        "the formula is concave on the half-line, with a finite m if a > b (convex calculus)",
    ),
    "lower and upper",
    _shifted,
)
"""A log-concave density under a shift."""
LEMMAS: tuple[TailLemma, ...] = (EXPONENTIAL, GAUSSIAN, MONOTONE, LEADING, SHIFTED)
"""In the order in which they are tried."""
