"""The only door to sympy: identities of closed forms, decided by simplification.

An identity counts only if two roads agree: the difference of the sides simplifies to zero, and the
sides agree at random exact points, where they are enclosed by balls. Points where they certainly
differ refute it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any
from zlib import crc32

import sympy
from sympy import (
    Abs,
    Derivative,
    Integral,
    Limit,
    Max,
    Min,
    Piecewise,
    Poly,
    Rational,
    Sum,
    Symbol,
    acosh,
    asinh,
    atanh,
    binomial,
    cancel,
    cos,
    cosh,
    count_roots,
    diff,
    discriminant,
    erf,
    erfc,
    exp,
    expand,
    factor,
    factorial,
    gamma,
    groebner,
    integrate,
    limit,
    log,
    oo,
    pi,
    resultant,
    series,
    simplify,
    sin,
    sinh,
    solve,
    sqrt,
    summation,
    symbols,
    tan,
    tanh,
    together,
)

from proofs_check.claim import Finding
from proofs_check.enclosure import Ball, Balls, Undecided, certainly_less, endpoints

__all__ = [
    "Abs",
    "Derivative",
    "Expression",
    "Integral",
    "Limit",
    "Max",
    "Min",
    "Piecewise",
    "Poly",
    "Rational",
    "Sum",
    "Symbol",
    "acosh",
    "asinh",
    "atanh",
    "binomial",
    "branch",
    "cancel",
    "cos",
    "cosh",
    "count_roots",
    "diff",
    "discriminant",
    "enclose",
    "erf",
    "erfc",
    "exp",
    "expand",
    "factor",
    "factorial",
    "gamma",
    "groebner",
    "identical",
    "integrate",
    "limit",
    "log",
    "oo",
    "pi",
    "resultant",
    "series",
    "simplify",
    "sin",
    "sinh",
    "solve",
    "sqrt",
    "summation",
    "symbols",
    "tan",
    "tanh",
    "together",
]

Expression = Any
"""A sympy expression; sympy ships no types."""

BITS = 256
POINTS = 3
WAYS: tuple[Callable[[Expression], Expression], ...] = (
    lambda e: cancel(together(e)),
    expand,
    simplify,
    lambda e: simplify(e.rewrite(exp)),
)


def identical(
    left: Expression,
    right: Expression,
    domain: Mapping[Expression, tuple[Fraction | int, Fraction | int]],
    *,
    ways: tuple[Callable[[Expression], Expression], ...] = (),
) -> Finding:
    """Decide whether two expressions are the same function of their symbols.

    Parameters
    ----------
    left, right : sympy expression
        Unevaluated sums, integrals, limits and derivatives are worked out.
    domain : mapping of Symbol to (lower, upper)
        Range of every symbol; integer symbols take whole numbers of it, both ends included.
    ways : tuple of callable
        Ways to simplify that are tried first, before `cancel`, `expand`, `simplify` and a writing
        by exponentials.

    Returns
    -------
    Finding
        True if the difference simplifies to zero and no random exact point contradicts it; False
        if the sides certainly differ at a point, which is stated; None otherwise.

    Examples
    --------
    >>> from proofs_check.symbolic import identical, symbols
    >>> x, y = symbols("x y")
    >>> identical((x + y) ** 2, x**2 + 2 * x * y + y**2, {x: (0, 1), y: (0, 1)}).holds
    True
    >>> identical((x + y) ** 2, x**2 + x * y + y**2, {x: (0, 1), y: (0, 1)}).holds
    False
    """
    left, right = (sympy.sympify(side).doit() for side in (left, right))
    points = list(_points(domain, f"{left} = {right}"))
    for point in points:
        answer = _agree(left, right, point)
        if answer is False:
            return Finding(holds=False, detail=f"the sides differ at {_text(point)}")
        if answer is None:
            return Finding(holds=None, detail=f"the sides could not be compared at {_text(point)}")
    difference = left - right
    for way in (*ways, *WAYS):
        if way(difference) == 0:
            at = " and ".join(_text(point) for point in points[:1])
            more = f" and {len(points) - 1} other random points" if len(points) > 1 else ""
            where = f", and the sides agree at {at}{more}" if at else ""
            return Finding(holds=True, detail=f"the difference simplifies to 0{where}")
    return Finding(holds=None, detail=f"the difference does not simplify to 0: {difference}")


def branch(expression: Expression, point: Mapping[Expression, Fraction | int]) -> Expression:
    """Keep of every piecewise definition the piece that holds at a point.

    For sums and integrals, whose conditions of convergence (|b| < 1) are the same in the whole
    domain; `identical` compares the sides at other points of it.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from proofs_check.symbolic import branch, oo, summation, symbols
    >>> b, j = symbols("b j", positive=True)
    >>> branch(summation(b**j, (j, 0, oo)), {b: Fraction(1, 3)})
    1/(1 - b)
    """
    values = {
        symbol: Rational(Fraction(x).numerator, Fraction(x).denominator)
        for symbol, x in point.items()
    }

    def piece(*pieces: Any) -> Expression:
        for value, condition in pieces:
            if condition == True or condition.subs(values) == True:  # noqa: E712 - sympy's truth
                return value
        msg = f"no piece holds at {point}"
        raise Undecided(msg)

    return sympy.sympify(expression).replace(sympy.Piecewise, piece)


def enclose(
    expression: Expression, point: Mapping[Expression, Fraction | int], numbers: Balls
) -> Ball:
    """Enclose the value of an expression at an exact point.

    Parameters
    ----------
    expression : sympy expression
        Of rationals, pi, powers, exp, log, gamma, erf, erfc, |.|, sine, cosine, hyperbolic
        functions, piecewise definitions and the symbols of the point.
    point : mapping of Symbol to Fraction
        A value for each symbol.
    numbers : Balls
        Working precision.

    Raises
    ------
    Undecided
        If a function without an enclosure occurs, or a sign cannot be decided.
    """
    return _enclose(sympy.sympify(expression), dict(point), numbers)


def _agree(
    left: Expression, right: Expression, point: Mapping[Expression, Fraction]
) -> bool | None:
    """Whether the sides agree at a point: False only where they certainly do not."""
    numbers = Balls(BITS)
    try:
        low, high = endpoints(_enclose(left, point, numbers) - _enclose(right, point, numbers))
    except (Undecided, ZeroDivisionError):
        return None
    if low > 0 or high < 0:
        return False
    return True if high - low < Fraction(1, 10**20) else None


def _points(
    domain: Mapping[Expression, tuple[Fraction | int, Fraction | int]], name: str
) -> Iterator[dict[Expression, Fraction]]:
    """Random exact points of the domain, drawn from a seed of the statement's own."""
    if not domain:
        yield {}
        return
    rng = random.Random(crc32(name.encode()))
    for _ in range(POINTS):
        yield {
            symbol: Fraction(rng.randint(int(lower), int(upper)))
            if symbol.is_integer
            else Fraction(lower)
            + (Fraction(upper) - Fraction(lower)) * Fraction(rng.randint(1, 96), 97)
            for symbol, (lower, upper) in domain.items()
        }


def _text(point: Mapping[Expression, Fraction]) -> str:
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items()) or "the one point"


def _enclose(e: Expression, point: Mapping[Expression, Fraction], numbers: Balls) -> Ball:
    """Enclose an expression, by its outermost operation."""
    if e in point:
        return numbers.rational(Fraction(point[e]))
    if e.is_Rational:
        return numbers.rational(Fraction(int(e.p), int(e.q)))
    if e is sympy.pi:
        return numbers.pi()
    if e is sympy.E:
        return numbers.exp(numbers.rational(Fraction(1)))
    if isinstance(e, sympy.Piecewise):
        return _piece(e, point, numbers)
    arguments = [_enclose(argument, point, numbers) for argument in e.args]
    if e.is_Add:
        return sum(arguments[1:], arguments[0])
    if e.is_Mul:
        product = arguments[0]
        for factor_ in arguments[1:]:
            product = product * factor_
        return product
    if e.is_Pow:
        return _power(e.args[1], arguments, numbers)
    function = _FUNCTIONS.get(e.func)
    if function is None or not arguments:
        msg = f"no enclosure of {e}"
        raise Undecided(msg)
    return function(numbers, *arguments)


def _power(exponent: Expression, arguments: list[Ball], numbers: Balls) -> Ball:
    base, ball = arguments
    if exponent.is_Integer:
        return base ** int(exponent)
    if exponent.is_Rational:
        root = numbers.sqrt(base) if exponent.q == 2 else numbers.root(base, int(exponent.q))
        return root ** int(exponent.p)
    if certainly_less(0, base):
        return numbers.power(base, ball)
    msg = f"no enclosure of a power of {base!r}"
    raise Undecided(msg)


def _piece(e: Expression, point: Mapping[Expression, Fraction], numbers: Balls) -> Ball:
    values = {symbol: Rational(x.numerator, x.denominator) for symbol, x in point.items()}
    for value, condition in e.args:
        decided = condition.subs(values)
        if decided == True:  # noqa: E712 - sympy's own truth
            return _enclose(value, point, numbers)
        if decided != False:  # noqa: E712
            break
    msg = f"no piece of {e} is certain"
    raise Undecided(msg)


def _sine(numbers: Balls, x: Ball) -> Ball:
    return numbers.sinc(x) * x


def _half_exponentials(numbers: Balls, x: Ball) -> tuple[Ball, Ball]:
    return numbers.exp(x) / 2, numbers.exp(-x) / 2


def _sinh(numbers: Balls, x: Ball) -> Ball:
    up, down = _half_exponentials(numbers, x)
    return up - down


def _cosh(numbers: Balls, x: Ball) -> Ball:
    up, down = _half_exponentials(numbers, x)
    return up + down


def _factorial(numbers: Balls, x: Ball) -> Ball:
    return numbers.gamma(x + 1)


_FUNCTIONS: dict[Any, Callable[..., Ball]] = {
    exp: Balls.exp,
    sin: _sine,
    cos: lambda numbers, x: _sine(numbers, x + numbers.pi() / 2),
    log: Balls.log,
    gamma: Balls.gamma,
    erfc: Balls.erfc,
    erf: lambda numbers, x: 1 - numbers.erfc(x),
    Abs: lambda _, x: abs(x),
    sinh: _sinh,
    cosh: _cosh,
    tanh: lambda numbers, x: _sinh(numbers, x) / _cosh(numbers, x),
    factorial: _factorial,
    binomial: lambda numbers, n, k: (
        _factorial(numbers, n) / (_factorial(numbers, k) * _factorial(numbers, n - k))
    ),
}
