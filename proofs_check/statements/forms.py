"""The forms of statements: what is claimed, as an object that is decided, printed and spoken.

A sentence is made from its object: of a privacy claim whole, of the others from a template whose
braces are the object's own terms. So a sentence cannot say another number than the one decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, final

from mechanisms.errors import InvalidArgument
from proofs_check.statements.domain import Domain, Quantified
from proofs_check.statements.notation import latex, named_functions, text
from proofs_check.statements.terms import Condition, Kind, Number, Part, Term, all_of, symbol

__all__ = [
    "Always",
    "Counterexample",
    "Inequality",
    "Private",
    "Sentence",
    "Statement",
    "always",
    "sentence",
]

Sign: TypeAlias = Literal["<", "<=", "==", ">=", ">"]
FORBIDDEN = re.compile(r"\d|\beps(ilon)?\b|\bpi\b|\be\^")
"""What a template may not say by itself: numbers, which only the object knows."""


class Statement(Protocol):
    """What every form of statement can do."""

    @property
    def quantified(self) -> Quantified:
        """What is decided."""
        ...

    def words(self) -> str:
        """The statement as a sentence."""
        ...

    def latex(self) -> str:
        """The statement as a formula."""
        ...

    def domain_words(self) -> str:
        """For which values."""
        ...


def sentence(template: str, terms: Mapping[str, Part]) -> str:
    """Fill the braces of a template with terms.

    Raises
    ------
    InvalidArgument
        If the template has a number of its own, or names no term in braces.

    Examples
    --------
    >>> from proofs_check.statements.forms import sentence
    >>> sentence("It is at most {right}.", {"right": 3})
    'It is at most 3.'
    """
    outside = re.sub(r"\{[A-Za-z_0-9]*\}", "", template)
    found = FORBIDDEN.search(outside)
    if found:
        msg = f"a template must take its numbers from its object, got {found[0]!r} in {template!r}"
        raise InvalidArgument(msg)
    named = set(re.findall(r"\{([A-Za-z_0-9]*)\}", template))
    if named - set(terms):
        msg = f"a template must name terms of its object, got {sorted(named - set(terms))}"
        raise InvalidArgument(msg)
    return re.sub(r"\{([A-Za-z_0-9]*)\}", lambda m: text(terms[m[1]]), template)


@final
@dataclass(frozen=True, slots=True)
class Private:
    """A mechanism is private: the loss of every move of a neighbor is within a budget.

    Parameters
    ----------
    mechanism : str
        Such as "The bounded mean".
    relation : str
        Such as "add-remove".
    domain : Domain
        Of parameters, records and points of the noise.
    loss : Term
        Absolute value of the log of the ratio of the densities, or a bound of it.
    budget : Term
        What it is at most.
    attained : bool
        Whether the loss is the budget everywhere.
    """

    mechanism: str
    relation: str
    domain: Domain
    loss: Term
    budget: Term | Number
    attained: bool = False
    quantified: Quantified = field(init=False)

    def __post_init__(self) -> None:
        within = self.loss == self.budget if self.attained else self.loss <= self.budget
        object.__setattr__(self, "quantified", Quantified(self.domain, within))

    def words(self) -> str:
        """Such as "The bounded mean is eps-differentially private under add-remove."."""
        budget = text(self.budget)
        level = f"({budget})" if " " in budget else budget
        also = ", and its loss is that at every point" if self.attained else ""
        return f"{self.mechanism} is {level}-differentially private under {self.relation}{also}."

    def latex(self) -> str:
        """The loss and the budget."""
        return _printed(self.quantified)

    def domain_words(self) -> str:
        """For which values."""
        return self.domain.words()


@final
@dataclass(frozen=True, slots=True)
class Inequality:
    """Two terms compare as stated, everywhere on a domain.

    Parameters
    ----------
    domain : Domain
        Where.
    left : Term
        First term.
    sign : {"<", "<=", "==", ">=", ">"}
        How they compare.
    right : Term or number
        Second term.
    template : str
        The sentence, if a claim states it; in braces "left", "right", and names of `terms`.
    terms : mapping of str to Term
        What else the sentence names.
    """

    domain: Domain
    left: Term
    sign: Sign
    right: Term | Number
    template: str = ""
    terms: Mapping[str, Part] = field(default_factory=dict)
    quantified: Quantified = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", MappingProxyType(dict(self.terms)))
        compared = Condition(self.sign, (self.left, self.right))
        object.__setattr__(self, "quantified", Quantified(self.domain, compared))
        self.words()

    def words(self) -> str:
        """The template with the object's terms."""
        return sentence(self.template, {"left": self.left, "right": self.right, **self.terms})

    def latex(self) -> str:
        """Both terms and their sign."""
        return _printed(self.quantified)

    def domain_words(self) -> str:
        """For which values."""
        return self.domain.words()


@final
@dataclass(frozen=True, slots=True)
class Always:
    """Some formulas hold everywhere on a domain.

    Parameters
    ----------
    domain : Domain
        Where.
    conclusions : tuple of Condition
        What holds.
    template : str
        The sentence, if a claim states it; in braces names of `terms`.
    terms : mapping of str to Term
        What the sentence names.
    """

    domain: Domain
    conclusions: tuple[Condition, ...]
    template: str = ""
    terms: Mapping[str, Part] = field(default_factory=dict)
    quantified: Quantified = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", MappingProxyType(dict(self.terms)))
        first, *more = self.conclusions
        joined = all_of(first, *more) if more else first
        object.__setattr__(self, "quantified", Quantified(self.domain, joined))
        self.words()

    def words(self) -> str:
        """The template with the object's terms."""
        return sentence(self.template, self.terms)

    def latex(self) -> str:
        """The formulas, one after the other."""
        return _printed(self.quantified)

    def domain_words(self) -> str:
        """For which values."""
        return self.domain.words()


def always(
    variables: Mapping[str, Kind],
    statement: Callable[..., Condition],
    template: str = "",
    terms: Callable[[Mapping[str, Term]], Mapping[str, Part]] | None = None,
) -> Always:
    r"""Make a statement of a function of its variables.

    Parameters
    ----------
    variables : mapping of str to {"real", "integer"}
        Name and range of each.
    statement : callable
        Of them, in their order; an implication's hypotheses become the domain.
    template : str
        As of `Always`; empty where no claim is stated by it.
    terms : callable
        Of the variables by name: what the template names besides these, and besides "left" and
        "right" of a comparison.

    Examples
    --------
    >>> from proofs_check.statements.forms import always
    >>> from proofs_check.statements.terms import implies
    >>> made = always({"x": "real"}, lambda x: implies(x >= 1, x * x >= x), "A square is larger.")
    >>> made.domain.words()
    'x >= 1'
    >>> print(made.latex())
    x^{2} \ge x\quad \left(x \ge 1\right)
    """
    symbols = [symbol(name, kind) for name, kind in variables.items()]
    given: list[Condition] = []
    conclusion = statement(*symbols)
    while conclusion.op == "implies":
        hypothesis, conclusion = conclusion.parts  # type: ignore[assignment]
        given += _conjuncts(hypothesis)
    known = {made.name: made for made in symbols}
    sides: Mapping[str, Part] = {}
    if conclusion.op in ("<", "<=", "==", ">=", ">"):
        sides = dict(zip(("left", "right"), conclusion.parts, strict=True))
    named: Mapping[str, Part] = {**sides, **known, **(terms(known) if terms else {})}
    return Always(Domain(tuple(given), tuple(symbols)), _conjuncts(conclusion), template, named)


def _conjuncts(formula: Any) -> tuple[Condition, ...]:
    """The parts of a conjunction; comparisons of plain numbers that hold are left out."""
    if formula is True:
        return ()
    if not isinstance(formula, Condition) or formula.op != "and":
        return (formula,)
    return tuple(part for whole in formula.parts for part in _conjuncts(whole))


@final
@dataclass(frozen=True, slots=True)
class Counterexample:
    """A printed statement fails at a point of its domain.

    Parameters
    ----------
    of : Statement
        The print, as an object: its words and its formula are those shown.
    at : mapping of str to (Fraction or int)
        A value for each symbol of the domain.
    """

    of: Statement
    at: Mapping[str, Number]
    refutes: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", MappingProxyType(dict(self.at)))
        wanted = set(self.quantified.domain.symbols)
        if set(self.at) != wanted:
            msg = f"a counterexample needs values of {sorted(wanted)}, got {sorted(self.at)}"
            raise InvalidArgument(msg)

    @property
    def quantified(self) -> Quantified:
        """What fails."""
        return self.of.quantified

    def words(self) -> str:
        """What is printed."""
        return self.of.words()

    def latex(self) -> str:
        """What is printed, as a formula."""
        return self.of.latex()

    def domain_words(self) -> str:
        """For which values the print is."""
        return self.of.domain_words()

    def point(self) -> str:
        """Such as "x = 1/2, n = 3"."""
        return ", ".join(f"{name} = {Fraction(value)}" for name, value in self.at.items())


@final
@dataclass(frozen=True, slots=True)
class Sentence:
    """A part of a statement that is outside the language: integrals, limits, all mechanisms.

    Parameters
    ----------
    template : str
        In words; nothing compares it with what is decided.
    printed : str
        As a formula.
    """

    template: str
    printed: str

    @property
    def statement(self) -> Sentence:
        """Itself: no check decides it."""
        return self

    def words(self) -> str:
        """As written."""
        return self.template

    def latex(self) -> str:
        """As written."""
        return self.printed

    def domain_words(self) -> str:
        """Nothing: the claim says it."""
        return ""


def _printed(quantified: Quantified) -> str:
    """The conclusion, what its named functions stand for, and the domain."""
    conclusion = quantified.conclusion
    meanings = [
        f"{latex(a)} = {latex(b)}"
        for a, b in named_functions(conclusion, *quantified.domain.relations)
    ]
    domain = quantified.domain.latex()
    where = rf"\quad \left({domain}\right)" if domain else ""
    return r",\quad ".join([latex(conclusion), *meanings]) + where
