"""One-dimensional noise laws as exact laws on the line, made from what the laws state.

Nothing about a law is assumed: its stated `log_density` is run on all points of a region at once
(`audit.exact.symbolic.affine`). To either side of 0 the points are +-step (n + f), n = 0, 1, ...
and 0 <= f < 1 (one half-line for a law without periods, f = 0 for atoms), and the run gives the
density there as factor * e^(affine form), case by case. So f(z + period) = e^-decay f(z) is read
off for all n together. The weights are then summed and compared with the stated normalizer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from audit.exact.cells.line.line_law import Atom, LineLaw, PeriodicTail, Piece, Term
from audit.exact.sameness import whole
from audit.exact.symbolic.affine import Affine, NotAffine, Range, Region, box, explore
from audit.exact.symbolic.log_numbers import ExactLogs, LogNumber, log_density
from mechanisms.errors import InvalidArgument
from mechanisms.protocols import ExactLaw, Noise
from proofs_check.exponential import ExpSum

Case = tuple[Region, LogNumber]
MOST_PERIODS = 64


def line_law(noise: Noise) -> LineLaw:
    """State a one-dimensional noise law as exact data, checked against its own statement.

    `noise`: of dimension 1, with a law made of exponentials of rationals. Returns: weights:
    densities without the normalizer, which is 1 / total. Raises NotAffine if the law is not
    piecewise exponential between exact breakpoints (the Gaussian is not). Raises InvalidArgument if
    the dimension is not 1, or the stated density does not integrate to 1.
    """
    if noise.dimension != 1:
        msg = f"the law must have dimension 1, got dimension={noise.dimension}"
        raise InvalidArgument(msg)
    stated = noise.exact_law()
    if is_lattice(stated):
        sides = _sides(stated, spacing(stated), (((0, None),), ((1, None),)))
    else:
        try:
            sides = _sides(stated, Fraction(1), (((0, None),), ((0, None),)), integral=False)
        except NotAffine:  # a law with infinitely many breakpoints
            whole: tuple[Range, ...] = ((0, None), (0, 1))
            sides = _sides(stated, spacing(stated), (whole, whole))
    first = sides[0][1][0][1]
    if not all(number.same_factor(first) for _, cases in sides for _, number in cases):
        msg = f"the stated law has more than one normalizer: {sides!r}"
        raise InvalidArgument(msg)
    law = _assembled([_side(step, cases) for step, cases in sides])
    if first.factor * law.total != 1:
        msg = f"the stated law has total mass {first.factor * law.total!r}, not 1"
        raise InvalidArgument(msg)
    return law


def _sides(
    stated: ExactLaw,
    step: Fraction,
    ranges: tuple[tuple[Range, ...], tuple[Range, ...]],
    *,
    integral: bool = True,
) -> list[tuple[Fraction, list[Case]]]:
    """Run the law to the right and to the left of 0; the first variable may be an integer."""
    found = []
    for signed, variables in zip((step, -step), ranges, strict=True):
        region = box(variables, (integral, False)[: len(variables)])

        def program(x: tuple[Affine, ...], scale: Fraction = signed) -> LogNumber:
            return log_density(stated, (x[0] + x[1] if len(x) > 1 else x[0]) * scale)

        found.append((signed, list(explore(program, region))))
    return found


def is_lattice(stated: ExactLaw) -> bool:
    """Whether a law consists of atoms."""
    numbers: Any = ExactLogs()
    return next(iter(stated.atoms(numbers)), None) is not None


def spacing(stated: ExactLaw) -> Fraction:
    """Distance of the breakpoints right of 0: a proposal of the period, for the run decides.

    Raises NotAffine if there are finitely many.
    """
    reach = Fraction(1, 2**300)
    points: list[Fraction] = []
    while len(points) < 3:
        reach *= 2
        points = whole(stated.breakpoints(reach / 4, reach), "breakpoints")
        if reach > 2**300:
            msg = f"no period is seen in the breakpoints of {stated!r}"
            raise NotAffine(msg)
    return points[-1] - points[-2]


def _assembled(sides: list[LineLaw]) -> LineLaw:
    return LineLaw(
        tuple(piece for side in sides for piece in side.pieces),
        tuple(atom for side in sides for atom in side.atoms),
        tuple(tail for side in sides for tail in side.tails),
    )


def _side(step: Fraction, cases: list[Case]) -> LineLaw:
    """Put the cases of one side together: a half-line, or some periods and a tail."""
    if not cases[0][0].integral[0]:
        return LineLaw(tuple(_half_line(step, *case) for case in cases))
    if not all(region.is_product() for region, _ in cases):
        msg = f"the cases of the law do not repeat from period to period: {cases!r}"
        raise NotAffine(msg)
    spans = [region.ends(0) for region, _ in cases]
    first = int(max(end for span in spans for end in span if end is not None))
    least = int(min(end for span in spans for end in span if end is not None))
    if first - least > MOST_PERIODS:
        msg = f"the law repeats only after {first} periods, at most {MOST_PERIODS} are opened"
        raise NotAffine(msg)
    if any(lower == upper == first for lower, upper in spans):
        first += 1
    parts: list[LineLaw] = []
    for n in range(least, first + 1):
        now = [
            case
            for case, (lower, upper) in zip(cases, spans, strict=True)
            if (lower is None or lower <= n) and (upper is None or n <= upper)
        ]
        pieces = tuple(_piece(step, n, *case) for case in now if len(case[0].integral) > 1)
        atoms = tuple(_atom(step, n, *case) for case in now if len(case[0].integral) == 1)
        if n < first:
            parts.append(LineLaw(pieces, atoms))
            continue
        decays = {-_form(number).vector[0] for _, number in now}
        if len(decays) > 1:
            msg = f"the tail falls at different rates: {decays}"
            raise NotAffine(msg)
        parts.append(LineLaw(tails=(PeriodicTail(step * n, step, decays.pop(), pieces, atoms),)))
    return _assembled(parts)


def _half_line(step: Fraction, region: Region, number: LogNumber) -> Piece:
    slope, at_zero = _form(number).vector
    ends = [None if end is None else end * step for end in region.ends(0)]
    lower, upper = ends if step > 0 else ends[::-1]
    return Piece(lower, upper, (Term(ExpSum.exp(at_zero), slope / step),))


def _piece(step: Fraction, n: int, region: Region, number: LogNumber) -> Piece:
    """Case of z = step (n + f) for one n: exponent c n + d f + e = (d / step) z + (c - d) n + e."""
    c, d, e = _form(number).vector
    ends = sorted(step * (n + end) for end in region.ends(1) if end is not None)
    return Piece(ends[0], ends[1], (Term(ExpSum.exp((c - d) * n + e), d / step),))


def _atom(step: Fraction, n: int, region: Region, number: LogNumber) -> Atom:  # noqa: ARG001
    c, e = _form(number).vector
    return Atom(step * n, ExpSum.exp(c * n + e))


def _form(number: LogNumber) -> Affine:
    if not isinstance(number.exponent, Affine):
        msg = f"a density that is the same at all points of the region: {number!r}"
        raise NotAffine(msg)
    return number.exponent
