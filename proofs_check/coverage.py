"""Whether the cases that a check went through are all that its statement speaks of.

Three things are asked of a check that found its statement to hold: every symbol that the domain
defines has a value at every point; each region was decided of this very statement, the same object;
and the regions cover the domain. What is not covered is told with a point, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs_check.claim import Finding
from proofs_check.solver import find_point
from proofs_check.statements.decision import Decided
from proofs_check.statements.domain import Domain, Quantified
from proofs_check.statements.readings import replaced
from proofs_check.statements.regions import Region
from proofs_check.statements.terms import Condition, all_of, any_of, implies

__all__ = ["covered", "covering", "total"]


def covering(check: Decided, regions: Sequence[Region]) -> Finding:
    """Decide whether a check that found its statement to hold looked at all of its domain."""
    return covered(check.statement.quantified, regions)


def covered(statement: Quantified, regions: Sequence[Region]) -> Finding:
    """Decide whether regions cover the domain of a statement.

    Examples
    --------
    >>> from proofs_check.coverage import covered
    >>> from proofs_check.statements.domain import Domain, Quantified
    >>> from proofs_check.statements.regions import Region
    >>> from proofs_check.statements.terms import real_symbols
    >>> (x,) = real_symbols("x")
    >>> square = Quantified(Domain((x > 0, x <= 1)), x * x <= x)
    >>> covered(square, [Region(square, (2 * x <= 1,)), Region(square, (2 * x >= 1,))]).holds
    True
    >>> covered(square, [Region(square, (x >= 1,))])
    Finding(holds=None, detail='not covered: x = 1/2')
    """
    cases = [region.case for region in regions if region.of is statement]
    if not cases:
        return Finding(holds=None, detail="not covered: the statement itself was not decided")
    without = total(statement.domain)
    if without.holds is not True or () in cases:
        return without
    found = find_point(
        statement.domain.symbols,
        implies(all_of(*statement.domain.relations), any_of(*(all_of(*case) for case in cases))),
    )
    return _told(found, "not covered")


def total(domain: Domain) -> Finding:
    """Decide whether every symbol that a domain defines has a value at every point of it."""
    before: tuple[Condition, ...] = domain.given
    for symbol, definition in domain.defined.items():
        has = replaced(definition.holds, {symbol.name: definition.witness})
        finding = _told(
            find_point(domain.symbols, implies(all_of(*before), has)),
            f"{symbol.name} has no value",
        )
        if finding.holds is not True:
            return finding
        before = (*before, definition.holds)
    return Finding(holds=True)


def _told(found: str | None, words: str) -> Finding:
    """A finding that never says False: what is missed is not refuted."""
    if found is None:
        return Finding(holds=True)
    return Finding(holds=None, detail=f"{words}: {found or 'a point, or it was not decided'}")
