"""Log-ratio and divergences of two densities on the line, as what certainly contains them.

With D = ln(p / q) - epsilon the hockey-stick divergence is the integral of (p - e^epsilon q)^+,
that is of p - e^epsilon q where D > 0. Cells on which the sign of D is certain are integrated; on
a leftover with D <= eta the integrand is between 0 and (1 - e^-eta) p; on an infinite piece a tail
lemma gives the range of D, and the masses are integrals out to infinity. The Renyi divergence of
order a is ln(M) / (a - 1) with the moment M, the integral of p^a q^(1 - a).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar, final

from audit.exact.density.pair import DensityPair
from audit.exact.density.sign_cells import sign_cells
from audit.exact.density.tail_lemmas import Density, NotCovered, Side, TailRange
from audit.exact.forms.closed_forms import NoForm, density_form
from audit.exact.jets.points import Interval
from audit.exact.jets.supremum import BUDGET, Formula, at_most, supremum
from audit.exact.jets.taylor import taylor_integral
from mechanisms.errors import InvalidArgument
from proofs_check.enclosure import Ball, certainly_less, endpoints

TOLERANCE = Fraction(1, 10**9)
"""Width to aim for where integrals have no closed form."""

CLOSED_FORM = 1 << 64
"""How much narrower a part may be where going further out costs no integration."""


@final
@dataclass(frozen=True, slots=True)
class LogRatio:
    """The largest log-ratio ln(p / q), enclosed on the whole support."""

    lower: Fraction | None
    """Reached, or approached on a tail; None if the log-ratio is unbounded."""
    upper: Fraction | None
    """None if the log-ratio is unbounded, or some cell stayed without a bound."""
    unbounded: bool
    """Whether a tail lemma shows that there is no bound."""
    cells: int


def largest_log_ratio(
    pair: DensityPair, *, tolerance: Fraction = TOLERANCE, budget: int = BUDGET
) -> LogRatio:
    """Enclose the supremum of ln(p / q) over the whole support.

    `pair`: the densities. `tolerance`: where the enclosure is this narrow the search ends.
    `budget`: most cells to evaluate. Raises NotCovered if no lemma covers an infinite piece.
    """
    tails = [_narrow(pair, tail, tolerance) for tail in pair.covered_tails()]
    unbounded = any(tail.upper is None for tail in tails)
    known = [endpoints(tail.upper) for tail in tails if tail.upper is not None]
    lowers, uppers = [low for low, _ in known], [high for _, high in known]
    cells, is_bounded = 0, not unbounded
    if ends := _ends(pair, tails):  # branch and bound on all finite pieces together
        found = supremum(
            pair.log_ratio, ends, tolerance=tolerance, budget=budget, numbers=pair.numbers
        )
        lowers += [] if found.lower is None else [found.lower]
        uppers += [] if found.upper is None else [found.upper]
        cells, is_bounded = found.cells, is_bounded and found.upper is not None
    lower = None if unbounded else max(lowers, default=None)
    upper = max(uppers, default=None) if is_bounded else None
    return LogRatio(lower, upper, unbounded, cells)


def _ends(pair: DensityPair, tails: Sequence[TailRange]) -> list[Fraction]:
    """Ends of all finite pieces, ascending; empty where there are none."""
    pieces = pair.finite_pieces(tails)
    return [pieces[0][0], *(upper for _, upper in pieces)] if pieces else []


def _narrow(pair: DensityPair, tail: TailRange, tolerance: Fraction) -> TailRange:
    """Move a tail's start out until its supremum is known to the tolerance."""
    for moved in pair.outward(tail):
        tail = moved
        if tail.upper is None or _width(tail.upper) <= tolerance / 2:
            break
    return tail


def log_ratio_at_most(pair: DensityPair, epsilon: Fraction, *, budget: int = BUDGET) -> bool | None:
    """Decide whether ln(p / q) <= epsilon on the whole support.

    `pair`: the densities. `epsilon`: the claim. `budget`: most cells to evaluate. Returns None
    where a cell or a tail touches the bound too closely to tell. Raises NotCovered if no lemma
    covers an infinite piece.
    """
    settled = [_settled(pair, tail, epsilon) for tail in pair.covered_tails()]
    answers = [answer for _, answer in settled]
    if ends := _ends(pair, [tail for tail, _ in settled]):
        answers.append(
            at_most(pair.log_ratio, ends, epsilon, budget=budget, numbers=pair.numbers).holds
        )
    return False if False in answers else None if None in answers else True


def _settled(
    pair: DensityPair, tail: TailRange, epsilon: Fraction
) -> tuple[TailRange, bool | None]:
    """Move a tail's start out until its supremum is on one side of epsilon, if that happens."""
    for moved in pair.outward(tail):
        above = True if moved.upper is None else certainly_less(epsilon, moved.upper)
        if above is not None:
            return moved, not above
    return tail, None


@final
@dataclass(frozen=True, slots=True)
class EnclosedExcess:
    """A hockey-stick divergence, and an event that shows it."""

    value: Ball
    """Contains delta(epsilon)."""
    event: tuple[tuple[Fraction | None, Fraction | None], ...]
    """Intervals on which p > e^epsilon q for certain; None stands for infinity."""
    p: Ball
    q: Ball
    """Contain the probabilities P(S) and Q(S) of the event; P(S) - e^epsilon Q(S) is a lower bound
    of delta(epsilon)."""


def hockey_stick(
    pair: DensityPair, epsilon: Fraction, *, tolerance: Fraction = TOLERANCE
) -> EnclosedExcess:
    """Enclose delta(epsilon), the largest P(S) - e^epsilon Q(S) over all events S.

    `pair`: the densities. `epsilon`: any rational, also negative. `tolerance`: width to aim for
    where integrals have no closed form. Raises NotCovered if no lemma covers an infinite piece, or
    none gives its mass.
    """
    numbers, epsilon = pair.numbers, Fraction(epsilon)
    factor, zero = numbers.exp(numbers.rational(epsilon)), numbers.rational(Fraction(0))
    event: list[tuple[Fraction | None, Fraction | None]] = []
    tails: list[TailRange] = []
    p, q, open_part = zero, zero, zero
    for first in pair.covered_tails():
        fine = tolerance / (CLOSED_FORM if _has_forms(pair, first) else 8)
        excess_of = partial(_tail_excess, pair, epsilon, factor)
        tail, (part, inside) = _far_enough(pair, first, excess_of, fine)
        tails.append(tail)
        if inside:
            whole, at = pair.tail(tail.side, tail.start), tail.start * tail.side.value
            p, q = p + whole.mass(0), q + whole.mass(1)
            event.append((at, None) if tail.side is Side.RIGHT else (None, at))
        else:
            open_part = open_part + part

    def above(x: Any, arithmetic: Any) -> Any:
        return pair.log_ratio(x, arithmetic) - arithmetic.rational(epsilon)

    pieces = pair.finite_pieces(tails)
    share = tolerance / (2 * max(1, len(pieces)))
    for piece in pieces:
        for cell in sign_cells(above, *piece, numbers):
            if cell.sign < 0:
                continue
            ends = (cell.lower, cell.upper)
            mass = _mass(pair, pair.p.log_density, *ends, piece, share)
            if not cell.sign:
                open_part = open_part + mass * _part(pair, cell.most)
                continue
            p, q = p + mass, q + _mass(pair, pair.q.log_density, *ends, piece, share)
            event.append(ends)
    value = p - factor * q + open_part
    return EnclosedExcess(value, tuple(event), p, q)


def mass(density: Density, *, tolerance: Fraction = TOLERANCE) -> Ball:
    """Enclose the integral of a density: 1, whatever a formula claims to be.

    Raises NotCovered if no lemma gives the mass of a tail.
    """
    pair = DensityPair(density, density)
    total, tails = pair.numbers.rational(Fraction(0)), []
    for first in pair.covered_tails():
        tail, (part,) = _far_enough(pair, first, partial(_tail_mass, pair), tolerance)
        tails.append(tail)
        total = total + part
    pieces = pair.finite_pieces(tails)
    for piece in pieces:
        share = tolerance / (2 * len(pieces))
        total = total + _mass(pair, density.log_density, *piece, piece, share)
    return total


def renyi(pair: DensityPair, order: Fraction, *, tolerance: Fraction = TOLERANCE) -> Ball | None:
    """Enclose the Renyi divergence of an order above 1.

    `pair`: the densities. `order`: greater than 1. `tolerance`: width of the moment to aim for
    where integrals have no closed form. Returns None where a closed form shows that the moment is
    infinite. Raises NotCovered if no lemma bounds the log-ratio and the mass on an
    infinite piece.

    References
    ----------
    .. [1] van Erven, Harremoes, "Renyi divergence and Kullback-Leibler divergence", IEEE Trans.
       Inf. Theory 2014, Definition 2.
    """
    order, numbers = Fraction(order), pair.numbers
    if order <= 1:
        msg = f"order must be greater than 1, got order={order!r}"
        raise InvalidArgument(msg)

    def log_moment(x: Any, arithmetic: Any) -> Any:
        p, q = pair.p.log_density(x, arithmetic), pair.q.log_density(x, arithmetic)
        return p * _whole(order) - q * _whole(order - 1)

    total = numbers.rational(Fraction(0))
    tails: list[TailRange] = []
    for first in pair.covered_tails():
        of_moment = partial(_tail_moment, pair, log_moment, order)
        tail, (part,) = _far_enough(pair, first, of_moment, tolerance / 4)
        if part is None:
            return None
        tails.append(tail)
        total = total + part
    pieces = pair.finite_pieces(tails)
    for piece in pieces:
        total = total + _mass(pair, log_moment, *piece, piece, tolerance / (2 * len(pieces)))
    return numbers.log(total) / (order - 1)


def _width(ball: Ball) -> Fraction:
    low, high = endpoints(ball)
    return high - low


def _whole(factor: Fraction) -> Fraction | int:
    return int(factor) if factor.denominator == 1 else factor


def _has_forms(pair: DensityPair, tail: TailRange) -> bool:
    try:
        pair.tail(tail.side, tail.start).forms()
    except NotCovered:
        return False
    return True


Part = TypeVar("Part", bound=tuple[Ball | bool | None, ...])


def _far_enough(
    pair: DensityPair, first: TailRange, part_of: Callable[[TailRange], Part], tolerance: Fraction
) -> tuple[TailRange, Part]:
    """Move a tail's start out until its part, `part_of(tail)[0]`, is enclosed to the tolerance."""
    found: tuple[TailRange, Part] | None = None
    reason: NotCovered | None = None
    for tail in pair.outward(first):
        try:
            found = tail, part_of(tail)
        except NotCovered as exc:
            reason = exc
            continue
        value = found[1][0]
        if not isinstance(value, Ball) or _width(value) <= tolerance:
            break
    if found is None:
        msg = f"no part of the tail from {first.start} on is covered: {reason}"
        raise NotCovered(msg)
    return found


def _tail_mass(pair: DensityPair, tail: TailRange) -> tuple[Ball]:
    return (pair.tail(tail.side, tail.start).mass(0),)


def _tail_excess(
    pair: DensityPair, epsilon: Fraction, factor: Ball, tail: TailRange
) -> tuple[Ball, bool]:
    """Integral of (p - e^epsilon q)^+ over a tail, and whether the tail is part of the event."""
    whole = pair.tail(tail.side, tail.start)
    most = None if tail.upper is None else endpoints(tail.upper)[1] - epsilon
    if most is not None and most <= 0:
        return pair.numbers.rational(Fraction(0)), False
    # whether the log-ratio is nowhere below epsilon, up to the width of the ball
    if tail.lower is None or certainly_less(tail.lower, epsilon) is True:
        return whole.mass(0) * _part(pair, most), False
    least = endpoints(tail.lower)[0] - epsilon
    gain = whole.mass(0) - factor * whole.mass(1)
    if least >= 0:
        return gain, True
    # where D < 0 the loss is p (e^-D - 1), and -D is at most the width of a ball
    unit = pair.numbers.between(Fraction(0), Fraction(1))
    loss = (pair.numbers.exp(pair.numbers.rational(-least)) - 1) * unit
    return gain + whole.mass(0) * loss, False


def _part(pair: DensityPair, most: Fraction | None) -> Ball:
    """Enclose (1 - e^-D)^+ for unknown D <= most."""
    numbers = pair.numbers
    unit = numbers.between(Fraction(0), Fraction(1))
    if most is None:
        return unit
    return (1 - numbers.exp(numbers.rational(-max(most, Fraction(0))))) * unit


def _mass(
    pair: DensityPair,
    formula: Formula,
    lower: Fraction,
    upper: Fraction,
    piece: Interval,
    tolerance: Fraction,
) -> Ball:
    """Integral of e^formula over an interval inside one piece."""
    try:
        return density_form(formula, *piece, pair.numbers).integral(lower, upper)
    except NoForm:
        return taylor_integral(formula, lower, upper, pair.numbers, tolerance, piece=piece)


def _tail_moment(
    pair: DensityPair, log_moment: Formula, order: Fraction, tail: TailRange
) -> tuple[Ball | None]:
    """Integral of p^a q^(1 - a) over a tail; None where it is infinite."""
    numbers, sign = pair.numbers, tail.side.value
    try:
        form = density_form(log_moment, tail.start, None, numbers, sign=sign)
    except NoForm as exc:
        if tail.upper is None:
            msg = f"no closed form bounds the moment on a tail: {exc}"
            raise NotCovered(msg) from exc
        zero, high = numbers.rational(Fraction(0)), numbers.exp(tail.upper * (order - 1))
        low = zero if tail.lower is None else numbers.exp(tail.lower * (order - 1))
        unit = numbers.between(Fraction(0), Fraction(1))
        return (pair.tail(tail.side, tail.start).mass(0) * (low + (high - low) * unit),)
    if any(certainly_less(0, c) is not True for c in form.terms.values()):
        msg = "a term of the moment is not certainly positive"
        raise NotCovered(msg)
    try:
        return (form.integral(tail.start, None),)
    except NoForm:  # a positive term that does not fall off
        return (None,)
