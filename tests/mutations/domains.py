"""Hypotheses narrowed in silence, and false sentences over true checks: each must be told.

Kind `domain`: a check of a claim decides its statement on a part of the domain only. The claim must
become UNKNOWN, and `touchstone prove` end with 1. What a narrowing says in a formula's place is a
function of the statement's symbols, by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, final

from proofs_check.registry import find
from proofs_check.statements.decision import Decided
from proofs_check.statements.enumeration import Enumerated
from proofs_check.statements.terms import Condition, symbol

__all__ = ["FALSE_SENTENCES", "NARROWINGS", "FewerCases", "Narrowing"]


@final
@dataclass(frozen=True, slots=True)
class Narrowing:
    """A statement that is decided on a part of its domain.

    Parameters
    ----------
    claim, check : str
        Id of the claim, name of the check.
    part : callable
        Of a function that gives the symbol of a name: what holds on the part.
    words : str
        The part.
    """

    claim: str
    check: str
    part: Callable[[Callable[[str], Any]], Condition]
    words: str

    def decided(self) -> Decided:
        """The function of the check."""
        found = next(c.decide for c in find(self.claim).checks if c.name == self.check)
        assert isinstance(found, Decided)
        return found

    def case(self) -> Condition:
        """The part, as a formula."""
        kinds = self.decided().statement.quantified.domain.symbols
        return self.part(lambda name: symbol(name, kinds[name]))


@final
@dataclass(frozen=True, slots=True)
class FewerCases:
    """An enumeration that stops early.

    Parameters
    ----------
    claim, check : str
        Id of the claim, name of the check.
    least : int
        How many cases it looks at.
    """

    claim: str
    check: str
    least: int

    @property
    def words(self) -> str:
        """The part."""
        return f"the first {self.least} cases"

    def decided(self) -> Enumerated:
        """The check's function, as it would be if it stopped early."""
        found = next(c.decide for c in find(self.claim).checks if c.name == self.check)
        assert isinstance(found, Enumerated)
        look = found.look
        return Enumerated(found.over, lambda cases, **w: look(islice(cases, self.least), **w))


NARROWINGS: tuple[Narrowing | FewerCases, ...] = (
    Narrowing("KSW-T2", "noise_is_private", lambda s: 2 * s("gamma") >= 1, "gamma >= 1/2"),
    Narrowing("KSW-T2", "noise_is_private", lambda s: s("t") >= 5, "lines t >= 5"),
    Narrowing("SUB-L3.3p", "mean_is_private", lambda s: s("a") >= 1, "count noise a >= 1"),
    Narrowing("KSW-T3'", "one_record", lambda s: 4 * s("theta") <= 1, "theta <= 1/4"),
    Narrowing("KSW-L1", "remainder_is_bounded", lambda s: s("za") <= 0, "za <= 0"),
    Narrowing("PDP-A1", "moved_noise_fires_alike", lambda s: s("noise") >= 0, "query noise >= 0"),
    Narrowing("SUB-L3.3b", "box_proof", lambda s: s("N") <= 60, "boxes up to N = 60"),
    FewerCases("SUB-T4.3s", "images_are_near", 5000),
)
"""The eight that once left their claims as registered, with exit status 0."""


FALSE_SENTENCES = (
    ("KSW-T2", "noise_is_private", Fraction(1, 2), "1/2 eps"),
    ("SUB-L3.3p", "mean_is_private", Fraction(1, 2), "1/2 eps"),
)
"""Claims that would say half of their budget: the sentence changes, and the check fails."""
