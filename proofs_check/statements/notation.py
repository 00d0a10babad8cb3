"""How expressions are printed: as text in a line, and in LaTeX.

Both print the tree as it was built; only brackets are added where they are needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from proofs_check.statements.terms import Condition, Function, Part, Quantity, Term

__all__ = ["formula_text", "latex", "latex_name", "named_functions", "text"]

GREEK = (
    *("alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu"),
    *("xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega", "Delta", "Gamma"),
)
ALIASES = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}
SIGNS = {"<=": r"\le", ">=": r"\ge", "!=": r"\ne", "==": "=", "<": "<", ">": ">"}
PLACES = {
    **dict.fromkeys(("implies", "iff"), 0),
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(SIGNS, 4),
    "+": 5,
    "-": 5,
    "neg": 6,
    "*": 6,
    "/": 6,
    "%": 6,
    "**": 8,
    "power": 8,
}
"""How tightly an operator binds; what is not here binds most."""

MOST = 9


def _place(part: Part) -> int:
    if isinstance(part, Term | Condition):
        return PLACES.get(part.op, MOST)
    if Fraction(part) < 0:
        return PLACES["neg"]
    return MOST if Fraction(part).denominator == 1 else PLACES["/"]


def _after(op: str, right: Part) -> int:
    """How tightly the second operand must bind; after a sign a negative one is in brackets."""
    if op not in ("+", "-"):
        return PLACES[op] + 1
    starts = right.op == "neg" if isinstance(right, Term | Condition) else Fraction(right) < 0
    return MOST if starts else PLACES[op] + (op == "-")


def _factor(left: Part) -> int:
    """How tightly a first factor must bind: a quotient stands in brackets before another factor."""
    return 7 if isinstance(left, Term) and left.op == "/" else 6


def text(part: Part, least: int = 0) -> str:
    """Write an expression in a line, in brackets if it binds less tightly than asked.

    Examples
    --------
    >>> from proofs_check.statements.notation import text
    >>> from proofs_check.statements.terms import absolute, real_symbols
    >>> a, eps = real_symbols("a eps")
    >>> text(eps * (absolute(a - 1) - a) / 2)
    'eps (|a - 1| - a) / 2'
    """
    written = _text(part)
    return f"({written})" if _place(part) < least else written


def _text(part: Part) -> str:
    if not isinstance(part, Term | Condition):
        return str(part)
    op, parts = part.op, part.parts
    if op == "symbol":
        return _name(part)
    if op in ("+", "-", *SIGNS):
        left, right = parts
        sign = "=" if op == "==" else op
        return f"{text(left, PLACES[op])} {sign} {text(right, _after(op, right))}"
    if op == "*" and (power := _power_of(part)):
        return f"{text(power[0], MOST)}^{power[1]}"
    if op == "*":
        return f"{text(parts[0], _factor(parts[0]))} {text(parts[1], 7)}"
    if op in ("/", "%"):
        sign = "/" if op == "/" else "mod"
        return f"{text(parts[0], 6)} {sign} {text(parts[1], 7)}"
    if op == "**":
        return f"{text(parts[0], MOST)}^{parts[1]}"
    if op == "power":
        return f"{text(parts[0], MOST)}^{text(parts[1], MOST)}"
    if op == "neg":
        return f"-{text(parts[0], 6)}"
    if op == "abs":
        return f"|{text(parts[0])}|"
    if op == "exp":
        return f"e^{text(parts[0], MOST)}" if _place(parts[0]) > 6 else f"e^({text(parts[0])})"
    if op in ("and", "or"):
        joint = ", " if op == "and" else " or "
        return joint.join(text(p, 3) for p in parts)
    if op == "not":
        return f"not ({text(parts[0])})"
    if op == "implies":
        return f"if {text(parts[0], 1)}, then {text(parts[1], 1)}"
    if op == "iff":
        return f"{text(parts[0], 1)} just if {text(parts[1], 1)}"
    if op == "choose":
        return f"({text(parts[1])} if {text(parts[0])}, else {text(parts[2])})"
    if op == "root":
        return f"root_{parts[1]}({text(parts[0])})"
    if _is_short(part):
        return _name(part)
    arguments = parts[1:] if op == "named" else parts
    return f"{_name(part) or op}({', '.join(map(text, arguments))})"


def _is_short(part: Part) -> bool:
    """Whether a name is printed alone: of a quantity, where what it depends on is not a number."""
    if not isinstance(part, Term) or part.means is None:
        return False
    if isinstance(part.means, Quantity):
        return all(isinstance(argument, Term) for argument in part.parts)
    return part.means.short


def _name(part: Term | Condition) -> str:
    return part.name if isinstance(part, Term) else ""


def formula_text(part: Part) -> str:
    """Write an expression in a line with what its named functions stand for."""
    return "; ".join([text(part), *(f"{text(a)} = {text(b)}" for a, b in named_functions(part))])


def latex_name(name: str) -> str:
    """Write a symbol's name in LaTeX.

    Examples
    --------
    >>> from proofs_check.statements.notation import latex_name
    >>> latex_name("z1"), latex_name("za")[1:]
    ('z_{1}', 'mathit{za}')
    """
    base, _, below = name.partition("_")
    if not below and (found := re.fullmatch(r"([A-Za-z]+?)(\d+)", base)):
        base, below = found[1], found[2]
    if base in ALIASES:
        base = ALIASES[base]
    elif base in GREEK:
        base = rf"\{base}"
    elif len(base) > 1:
        base = rf"\mathit{{{base}}}"
    if not below:
        return base
    return (
        f"{base}_{{{below}}}"
        if len(below) == 1 or below.isdigit()
        else (rf"{base}_{{\mathrm{{{below}}}}}")
    )


def latex(part: Part, least: int = 0) -> str:
    """Write an expression in LaTeX, without dollar signs."""
    written = _latex(part)
    return rf"\left({written}\right)" if _latex_place(part) < least else written


def _latex_place(part: Part) -> int:
    """As `_place`; a fraction stands for itself."""
    if isinstance(part, Term | Condition):
        return 7 if part.op == "/" else _place(part)
    return PLACES["neg"] if Fraction(part) < 0 else 7 if Fraction(part).denominator > 1 else MOST


def _latex(part: Part) -> str:
    if not isinstance(part, Term | Condition):
        number = Fraction(part)
        if number.denominator == 1:
            return str(number.numerator)
        sign = "-" if number < 0 else ""
        return rf"{sign}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
    op, parts = part.op, part.parts
    if op == "symbol":
        return latex_name(_name(part))
    if op in ("+", "-"):
        return f"{latex(parts[0], 5)} {op} {latex(parts[1], _after(op, parts[1]))}"
    if op in SIGNS:
        return f"{latex(parts[0], 5)} {SIGNS[op]} {latex(parts[1], 5)}"
    if op == "*" and (power := _power_of(part)):
        return f"{latex(power[0], MOST)}^{{{power[1]}}}"
    if op == "*":
        dot = r" \cdot" if _starts_with_digit(parts[1]) else r" \," if _is_power(parts[0]) else ""
        return f"{latex(parts[0], 6)}{dot} {latex(parts[1], 7)}"
    if op == "/":
        return rf"\frac{{{latex(parts[0])}}}{{{latex(parts[1])}}}"
    if op == "%":
        return rf"{latex(parts[0], 6)} \bmod {latex(parts[1], 7)}"
    if op == "**":
        return f"{latex(parts[0], MOST)}^{{{parts[1]}}}"
    if op == "power":
        return f"{latex(parts[0], MOST)}^{{{latex(parts[1])}}}"
    if op == "neg":
        return f"-{latex(parts[0], 6)}"
    if op in ("and", "or"):
        joint = r",\ " if op == "and" else r"\ \vee\ "
        return joint.join(latex(p, 3) for p in parts)
    if op == "not":
        return rf"\neg \left({latex(parts[0])}\right)"
    if op in ("implies", "iff"):
        arrow = r"\Rightarrow" if op == "implies" else r"\Leftrightarrow"
        return rf"{latex(parts[0], 4)}\ {arrow}\ {latex(parts[1], 4)}"
    if isinstance(part, Term) and isinstance(part.means, Quantity):
        at = "" if _is_short(part) else f"({', '.join(map(latex, parts))})"
        return part.means.tex + at
    if _is_short(part):
        return latex_name(_name(part))
    return _latex_function(op, parts, _name(part))


def _latex_function(op: str, parts: tuple[Part, ...], name: str) -> str:
    inside = [latex(part) for part in (parts[1:] if op == "named" else parts)]
    around = {
        "abs": (r"\left|", r"\right|"),
        "floor": (r"\left\lfloor ", r" \right\rfloor"),
        "sqrt": (r"\sqrt{", "}"),
        "exp": ("e^{", "}"),
        "log": (r"\log\left(", r"\right)"),
    }
    if op in around:
        return f"{around[op][0]}{inside[0]}{around[op][1]}"
    if op == "root":
        return rf"\sqrt[{parts[1]}]{{{inside[0]}}}"
    if op == "mean_exp":
        return rf"\frac{{e^{{{inside[0]}}} - 1}}{{{inside[0]}}}"
    if op == "choose":
        rows = rf"{inside[1]} & \text{{if }} {inside[0]} \\ {inside[2]} & \text{{else}}"
        return rf"\begin{{cases}} {rows} \end{{cases}}"
    called = latex_name(name) if op in ("named", "opaque") else rf"\{op}"
    return rf"{called}({', '.join(inside)})"


def _power_of(part: Part) -> tuple[Term, int] | None:
    """Base and exponent of a product of one and the same factor."""
    exponent = 1
    while isinstance(part, Term) and part.op == "*":
        rest, factor = part.parts
        base = rest
        while isinstance(base, Term) and base.op == "*":
            base = base.parts[1]
        if base is not factor:
            return None
        part, exponent = rest, exponent + 1
    return (part, exponent) if isinstance(part, Term) else None


def _starts_with_digit(part: Part) -> bool:
    while isinstance(part, Term | Condition) and part.op in ("*", "**", "+", "-", "/"):
        if part.op == "/":
            return False
        part = part.parts[0]
    return not isinstance(part, Term | Condition) and Fraction(part).denominator == 1


def _is_power(part: Part) -> bool:
    return isinstance(part, Term) and part.op in ("exp", "named", "opaque")


def named_functions(*parts: Part) -> Iterator[tuple[Term, Term]]:
    """Yield each named function once, of its parameters, with what it stands for."""
    seen: set[str] = set()
    waiting: list[Part] = [*reversed(parts)]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Term | Condition):
            continue
        if isinstance(node, Term) and isinstance(node.means, Function) and node.name not in seen:
            seen.add(node.name)
            yield node.means.general()
        waiting += reversed(node.parts)
