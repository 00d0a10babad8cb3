"""O-statements that are false: along a family of their domain every constant is exceeded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, final

from mechanisms.errors import InvalidArgument
from proofs_check.statements.domain import Domain, Quantified
from proofs_check.statements.forms import sentence
from proofs_check.statements.notation import latex
from proofs_check.statements.readings import replaced
from proofs_check.statements.terms import Number, Part, Term, all_of, real_symbols

__all__ = ["CONSTANT", "Diverges"]

(CONSTANT,) = real_symbols("C")
"""The constant that a family exceeds: what a family may depend on."""


@final
@dataclass(frozen=True, slots=True)
class Diverges:
    """A printed "left is O(right)" for which no constant is large enough.

    What is decided: for every constant C > 0 the family at C lies in the domain, and there left
    exceeds C times right.

    Parameters
    ----------
    domain : Domain
        Of the print.
    left, right : Term or number
        What is compared.
    family : mapping of str to (Term or number)
        For each symbol of the domain, a term of `CONSTANT`.
    template : str
        The print, in words; in braces "left", "right" and symbols of the domain.
    """

    domain: Domain
    left: Term
    right: Term | Number
    family: Mapping[str, Term | Number]
    template: str = ""
    quantified: Quantified = field(init=False)
    refutes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "family", MappingProxyType(dict(self.family)))
        if set(self.family) != set(self.domain.symbols):
            wanted = sorted(self.domain.symbols)
            msg = f"a family needs terms for {wanted}, got {sorted(self.family)}"
            raise InvalidArgument(msg)
        above = self.left > CONSTANT * self.right
        parts = [replaced(part, self.family) for part in (*self.domain.relations, above)]
        quantified = Quantified(Domain((CONSTANT > 0,)), all_of(*parts))
        object.__setattr__(self, "quantified", quantified)
        self.words()

    def words(self) -> str:
        """The template with the object's terms."""
        named: dict[str, Part] = {"left": self.left, "right": self.right}
        return sentence(self.template, named)

    def latex(self) -> str:
        """The print, with its O, and its domain."""
        domain = self.domain.latex()
        where = rf"\quad \left({domain}\right)" if domain else ""
        return rf"{latex(self.left)} = O\left({latex(self.right)}\right)" + where

    def domain_words(self) -> str:
        """For which values the print is."""
        return self.domain.words()
