"""Claims of the ledger that a gate's configuration lists, checked beside its audits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from audit.suite.exit_status import Exit

if TYPE_CHECKING:
    from proofs_check.decide import ClaimResult

__all__ = ["ProofOutcome", "check_names", "run_proofs"]


@final
@dataclass(frozen=True, slots=True)
class ProofOutcome:
    """Claims that one name of the configuration stands for, and what their checks found."""

    name: str
    """Id of a claim, or prefix of a paper."""
    results: tuple[ClaimResult, ...] = field(metadata={"key": "claims", "form": "claims"})
    status: Exit = field(metadata={"key": "exit_status"})
    """OK if every status is as registered."""
    seconds: float = field(metadata={"places": 3})
    """Time of the checks, whenever they ran: results are kept between runs."""


def check_names(names: Sequence[str]) -> None:
    """Find out before a long run that a name is none of the ledger's.

    Raises InvalidArgument if a name is neither the id of a claim nor the prefix of a paper.
    """
    if names:
        from proofs_check.registry import select

        select(names)


def run_proofs(names: Sequence[str], *, jobs: int) -> Iterator[ProofOutcome]:
    """Check the claims of each name; what earlier runs found is not checked again."""
    from proofs_check.prove import needed, prove
    from proofs_check.registry import select
    from proofs_check.store import Store, default_folder

    store = Store(default_folder())
    for name in names:
        chosen = select([name])
        every = prove(needed(chosen), jobs=jobs, store=store)
        results = tuple(every[claim.id] for claim in chosen)
        good = all(result.as_registered for result in results)
        seconds = sum(result.seconds for result in results)
        yield ProofOutcome(name, results, Exit.OK if good else Exit.REFUTED, seconds)
