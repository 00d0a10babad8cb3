"""Two laws with finitely many outcomes, compared outcome by outcome.

Rational masses are compared exactly. Other masses are balls: an event made of the outcomes whose
p - e^epsilon q is certainly positive bounds the hockey-stick divergence from below, all outcomes
where it may be positive bound it from above, and the precision is doubled until either direction
breaks the claim for certain, or both keep it. Where it is 0, no precision tells: such outcomes are
decided by exact exponentials, for the laws that are written with these.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn, final

from audit.exact.cells.cell import Cell, CellPair, outcomes
from audit.exact.cells.cell_divergences import Excess, hockey_stick, largest_ratio
from audit.exact.exact_numbers import add_up, as_ball, sign, simplest
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import FiniteLaw
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints
from proofs_check.exponential import Exact, ExpSum


@final
@dataclass(frozen=True, slots=True, init=False, eq=False)
class FinitePmf:
    """Law on finitely many outcomes.

    Raises InvalidArgument if a mass is negative or the masses do not add up to the total.
    """

    masses: tuple[tuple[Hashable, Exact], ...]
    """Mass of each outcome, at least 0; outcomes of mass 0 are left out."""
    total: Exact
    """What the masses add up to, exactly; a probability is mass / total. Left out it is 1."""

    def __init__(self, masses: Mapping[Hashable, Exact], total: Exact = Fraction(1)) -> None:
        for outcome, mass in masses.items():
            if sign(mass) < 0:
                msg = f"a mass must be at least 0, got {mass!r} at outcome {outcome!r}"
                raise InvalidArgument(msg)
        found = add_up(masses.values())
        if found != total or not sign(total):
            msg = f"the masses add up to {found!r}, not to total={total!r} (or to 0)"
            raise InvalidArgument(msg)
        kept = tuple((outcome, simplest(mass)) for outcome, mass in masses.items() if sign(mass))
        object.__setattr__(self, "masses", kept)
        object.__setattr__(self, "total", simplest(total))

    @classmethod
    def from_weights(cls, weights: Mapping[Hashable, Exact]) -> FinitePmf:
        """Return the law proportional to some weights, not all 0."""
        return cls(weights, add_up(weights.values()))


def cells_of(p: FinitePmf, q: FinitePmf) -> CellPair:
    """Return one cell for each outcome of either law.

    `p`, `q`: laws of the output under the two data sets. Returns: cells in the order of `p`, then
    of what only `q` reaches.
    """
    total: Exact = p.total
    left: Exact = Fraction(1)
    right: Exact = Fraction(1)
    if p.total != q.total:  # one total for both, without any division
        total, left, right = p.total * q.total, q.total, p.total
    under_p, under_q = dict(p.masses), dict(q.masses)
    cells = tuple(
        Cell(
            simplest(under_p.get(outcome, 0) * left),
            simplest(under_q.get(outcome, 0) * right),
            outcomes(outcome),
        )
        for outcome in under_p | under_q
    )
    return CellPair(cells, total)


class NotExponential(ArithmeticError):
    """A number is no quotient of sums of exponentials of rationals."""


@final
@dataclass(frozen=True, slots=True)
class Exponentials:
    """Exact numbers: quotients of rational multiples of e^(rational)."""

    def rational(self, value: Fraction) -> Exact:
        """Return it."""
        return ExpSum.rational(Fraction(value))

    def exp(self, x: Any) -> Exact:
        """Return the exponential of a rational.

        Raises NotExponential if x is not rational.
        """
        if isinstance(x, ExpSum) and all(exponent == 0 for exponent, _ in x.terms):
            return ExpSum.exp(sum((value for _, value in x.terms), Fraction(0)))
        if isinstance(x, Fraction | int):
            return ExpSum.exp(Fraction(x))
        msg = f"the exponential of {x!r} is no quotient of sums of exponentials of rationals"
        raise NotExponential(msg)

    def log(self, x: Any) -> NoReturn:
        """Raise: logarithms are not in the field."""
        self._outside("logarithm", x)

    def sqrt(self, x: Any) -> NoReturn:
        """Raise: roots are not in the field."""
        self._outside("square root", x)

    def erfc(self, x: Any) -> NoReturn:
        """Raise: error functions are not in the field."""
        self._outside("complementary error function", x)

    def _outside(self, name: str, x: Any) -> NoReturn:
        msg = f"the {name} of {x!r} is no quotient of sums of exponentials of rationals"
        raise NotExponential(msg)


Row = tuple[Hashable, Ball, Ball]
"""An outcome and its two masses."""

Known = dict[tuple[int, Any], tuple[FiniteLaw, Mapping[Hashable, Any]]]
"""Laws, kept alive, and their masses by number system."""

FIRST_BITS = 192
MOST_BITS = 6 * 1024


@final
@dataclass(frozen=True, slots=True)
class Rationals:
    """Exact rationals as the part of an `Arithmetic` that rational laws need."""

    def rational(self, value: Fraction) -> Fraction:
        """Return it."""
        return Fraction(value)


@final
@dataclass(frozen=True, slots=True)
class Compared:
    """One law against another, in one direction."""

    excess: Excess
    """An event S and P(S) - e^epsilon Q(S)."""
    at_most: Exact
    """No event has more."""
    ratio: Ball | None
    """Encloses the largest ratio of probabilities; None where it is infinite or a mass may be 0."""
    outcomes: int
    """How many were compared."""

    def exceeds(self, delta: Fraction) -> bool:
        """Whether the event has certainly more than delta."""
        value = self.excess.value
        return endpoints(value)[0] > delta if isinstance(value, Ball) else bool(value > delta)


def finite_cells(law: FiniteLaw, neighbor: FiniteLaw) -> CellPair:
    """Cut two laws of rational masses into their outcomes.

    Raises InvalidArgument if one of the laws is not rational.
    """
    if not (law.rational and neighbor.rational):
        msg = "both laws must have rational masses"
        raise InvalidArgument(msg)
    p, q = _masses(law, neighbor, Rationals(), {})
    zero = Fraction(0)
    cells = (Cell(p.get(z, zero), q.get(z, zero), law.describe(z)) for z in p | q)
    return CellPair(tuple(cells))


def compare(
    law: FiniteLaw,
    neighbor: FiniteLaw,
    epsilon: Fraction,
    delta: Fraction,
    known: Known | None = None,
) -> tuple[Compared, Compared]:
    """Compare two laws in both directions, as finely as the claim needs.

    `law`, `neighbor`: laws of the release on two data sets. `epsilon`, `delta`: the claim. `known`:
    masses that were computed before, of laws without cuts; filled here. Raises Undecided if not
    even the largest precision decides.
    """
    if law.rational and neighbor.rational:
        first, second = finite_cells(law, neighbor).both_ways()
        return _exactly(first, epsilon), _exactly(second, epsilon)
    bits, known = FIRST_BITS, {} if known is None else known
    kept: bool | None = None
    while True:
        numbers = Balls(bits)
        p, q = _masses(law, neighbor, numbers, known)
        found = tuple(_in_balls(law, *sides, epsilon, numbers) for sides in ((p, q), (q, p)))
        broken = any(side.exceeds(delta) for side in found)
        if broken or all(side.at_most <= delta for side in found):
            return found[0], found[1]
        if kept is None:
            kept = not delta and _keep_exactly(law, neighbor, epsilon, known)
        bits *= 2
        # A mass that may be 0 in these bits has no ratio yet, although the claim is kept.
        if kept and (bits > MOST_BITS or all(side.ratio is not None for side in found)):
            return replace(found[0], at_most=Fraction(0)), replace(found[1], at_most=Fraction(0))
        if bits > MOST_BITS:
            msg = f"{MOST_BITS} bits do not decide between delta = {delta} and more"
            raise Undecided(msg)


def same_masses(law: FiniteLaw, other: FiniteLaw) -> bool:
    """Whether two laws may be one: no mass of theirs is certainly another's."""
    numbers = Balls(FIRST_BITS)
    p, q = _masses(law, other, numbers, {})
    zero = numbers.rational(Fraction(0))
    sides = ((p.get(z, zero), q.get(z, zero)) for z in {**p, **q})
    return not any(certainly_less(x, y) or certainly_less(y, x) for x, y in sides)


def _keep_exactly(law: FiniteLaw, neighbor: FiniteLaw, epsilon: Fraction, known: Known) -> bool:
    """Whether no outcome is more than e^epsilon times as likely, in exact exponentials.

    Also False where a mass is not written with these.
    """
    try:
        p, q = _masses(law, neighbor, Exponentials(), known)
    except NotExponential:
        return False
    zero, factor = Exponentials().rational(Fraction(0)), ExpSum.exp(epsilon)
    masses = ((p.get(z, zero), q.get(z, zero)) for z in {**p, **q})
    return all(not x > factor * y and not y > factor * x for x, y in masses)


def _masses(law: FiniteLaw, neighbor: FiniteLaw, numbers: Any, known: Known) -> Any:
    cuts = sorted({*law.cuts, *neighbor.cuts})
    if cuts:
        return law.masses(numbers, cuts), neighbor.masses(numbers, cuts)
    for one in (law, neighbor):
        if (id(one), numbers) not in known:
            known[id(one), numbers] = one, one.masses(numbers)
    return known[id(law), numbers][1], known[id(neighbor), numbers][1]


def _exactly(pair: CellPair, epsilon: Fraction) -> Compared:
    found, largest = hockey_stick(pair, epsilon), largest_ratio(pair).ratio
    assert not isinstance(found.value, Ball)
    ratio = None if largest is None else as_ball(largest)
    return Compared(found, found.value, ratio, len(pair.cells))


def _in_balls(
    law: FiniteLaw,
    p: Mapping[Hashable, Ball],
    q: Mapping[Hashable, Ball],
    epsilon: Fraction,
    numbers: Balls,
) -> Compared:
    zero, factor = numbers.rational(Fraction(0)), numbers.exp(numbers.rational(epsilon))
    rows: list[Row] = [(z, p.get(z, zero), q.get(z, zero)) for z in {**p, **q}]
    for outcome, *masses in rows:
        if any(certainly_less(mass, 0) for mass in masses):
            msg = f"a mass must be at least 0, got {masses} at {law.describe(outcome)}"
            raise InvalidArgument(msg)
    for total in _totals(rows, zero):
        if certainly_less(total, 1) or certainly_less(1, total):
            msg = f"the masses add up to {total!r}, not to 1"
            raise InvalidArgument(msg)
    event = [row for row in rows if certainly_less(row[2] * factor, row[1])]
    over, under = _totals(event, zero)
    words = tuple(law.describe(z) for z, _, _ in event)
    excess = Excess(ExpSum.exp(epsilon), over - factor * under, words, over, under)
    at_most = sum((max(Fraction(0), endpoints(x - factor * y)[1]) for _, x, y in rows), Fraction(0))
    return Compared(excess, at_most, _largest_ratio(rows, numbers), len(rows))


def _totals(rows: Sequence[Row], zero: Ball) -> tuple[Ball, Ball]:
    """Sum of the masses of either law."""
    return sum((x for _, x, _ in rows), start=zero), sum((y for _, _, y in rows), start=zero)


def _largest_ratio(rows: Sequence[Row], numbers: Balls) -> Ball | None:
    lower = upper = Fraction(0)
    for _, x, y in rows:
        if endpoints(x)[1] <= 0:
            continue
        if endpoints(y)[0] <= 0:
            return None
        least, most = endpoints(x / y)
        lower, upper = max(lower, least), max(upper, most)
    return numbers.between(lower, upper)
