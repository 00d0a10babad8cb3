"""For which values a statement is made: symbols, relations between them, and what they define.

The door that decides a statement builds the implication itself, from the domain and the cases that
a check goes through; so what a check leaves out is seen (`proofs_check.coverage`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, final

from mechanisms.errors import InvalidArgument
from proofs_check.statements.notation import latex, latex_name, text
from proofs_check.statements.readings import symbols_of
from proofs_check.statements.terms import Condition, Kind, Term

__all__ = ["Definition", "Domain", "Quantified"]


@final
@dataclass(frozen=True, slots=True)
class Definition:
    """What a symbol stands for that is defined by others.

    Parameters
    ----------
    holds : Condition
        What defines it.
    witness : Term
        A value that satisfies it, of the symbols before: so no point is left without a value.
    says : str
        In words, such as "the staircase level of z".
    """

    holds: Condition
    witness: Term
    says: str


@final
@dataclass(frozen=True, slots=True)
class Domain:
    """All values of symbols for which relations hold.

    Parameters
    ----------
    given : tuple of Condition
        The relations.
    free : tuple of Term
        Symbols that no relation bounds.
    defined : mapping of Term to Definition
        Symbols that are defined by others, in an order in which they can be.
    """

    given: tuple[Condition, ...]
    free: tuple[Term, ...] = ()
    defined: Mapping[Term, Definition] = field(default_factory=dict)
    symbols: Mapping[str, Kind] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "defined", MappingProxyType(dict(self.defined)))
        free = symbols_of(*self.free, *self.given)
        both = [symbol.name for symbol in self.defined if symbol.name in free]
        if both:
            msg = f"defined symbols must not be in `given` or `free`, got {both}"
            raise InvalidArgument(msg)
        known = dict(free)
        for symbol, definition in self.defined.items():
            later = set(symbols_of(definition.witness)) - set(known)
            known[symbol.name] = symbol.kind
            later |= set(symbols_of(definition.holds)) - set(known)
            if later:
                msg = f"{symbol.name} is defined by what comes later: {sorted(later)}"
                raise InvalidArgument(msg)
        object.__setattr__(self, "symbols", MappingProxyType(known))

    @property
    def relations(self) -> tuple[Condition, ...]:
        """The relations and the definitions."""
        return (*self.given, *(definition.holds for definition in self.defined.values()))

    def words(self) -> str:
        """Such as "0 < gamma <= 1, t integer; s is the staircase level of z"."""
        listed = [*_bounds(self.given, text, " < ", " <= ")]
        bounded = {name for _, name in listed if name}
        whole = [n for n, kind in self._free() if kind == "integer"]
        rest = [n for n, kind in self._free() if kind == "real" and n not in bounded]
        parts = [written for written, _ in listed]
        if rest:
            parts.append(f"{', '.join(rest)} real")
        if whole:
            parts.append(f"{', '.join(whole)} whole")
        meant = [f"{symbol.name} is {d.says}" for symbol, d in self.defined.items()]
        return "; ".join(filter(None, [", ".join(parts), *meant]))

    def latex(self) -> str:
        """The relations, without what is defined."""
        parts = [written for written, _ in _bounds(self.given, latex, " < ", r" \le ")]
        whole = [latex_name(n) for n, kind in self._free() if kind == "integer"]
        if whole:
            parts.append(rf"{', '.join(whole)} \in \mathbb{{Z}}")
        return r",\ ".join(parts)

    def _free(self) -> list[tuple[str, Kind]]:
        defined = {symbol.name for symbol in self.defined}
        return [(name, kind) for name, kind in self.symbols.items() if name not in defined]


@final
@dataclass(frozen=True, slots=True)
class Quantified:
    """For all values of a domain a conclusion holds.

    Parameters
    ----------
    domain : Domain
        For which values.
    conclusion : Condition
        What holds.
    """

    domain: Domain
    conclusion: Condition

    def __post_init__(self) -> None:
        unknown = set(symbols_of(self.conclusion)) - set(self.domain.symbols)
        if unknown:
            msg = f"the domain does not speak of {sorted(unknown)}"
            raise InvalidArgument(msg)


def _bounds(
    given: tuple[Condition, ...], written: Any, less: str, at_most: str
) -> Iterator[tuple[str, str]]:
    """Each relation, two bounds of one symbol as one, with that symbol's name."""
    signs = {"<": less, "<=": at_most}
    waiting = [*given]
    while waiting:
        lower = waiting.pop(0)
        below = _bound(lower, (">", ">="))
        if below is not None:
            name, symbol = below
            upper = next((k for k, g in enumerate(waiting) if _bounds_above(g, name)), None)
            first = signs[lower.op.replace(">", "<")]
            left = f"{written(lower.parts[1])}{first}{written(symbol)}"
            if upper is not None:
                other = waiting.pop(upper)
                yield f"{left}{signs[other.op]}{written(other.parts[1])}", name
            else:
                yield written(lower), name
        else:
            above = _bound(lower, ("<", "<="))
            yield written(lower), above[0] if above else ""


def _bounds_above(formula: Condition, name: str) -> bool:
    found = _bound(formula, ("<", "<="))
    return found is not None and found[0] == name


def _bound(formula: Condition, signs: tuple[str, ...]) -> tuple[str, Term] | None:
    symbol = formula.parts[0]
    if formula.op in signs and isinstance(symbol, Term) and symbol.op == "symbol":
        return symbol.name, symbol
    return None
