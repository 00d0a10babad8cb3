"""The document of a result that decides a claim exactly, or by a search: its frame."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from audit.results.document import Document, Provenance, Section
from audit.results.verdict import Verdict

__all__ = ["Decides", "document_of_claim"]


class Decides(Protocol):
    """What is asked of such a result."""

    @property
    def target(self) -> str:
        """What was looked at."""
        ...

    @property
    def verdict(self) -> Verdict | None:
        """What was decided."""
        ...

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        ...

    @property
    def claim(self) -> object:
        """What was claimed; as text, it says it."""
        ...

    @property
    def not_tried(self) -> tuple[str, ...]:
        """What the verdict says nothing of."""
        ...

    @property
    def seconds(self) -> float:
        """Wall time."""
        ...


def document_of_claim(
    result: Decides,
    headline: str,
    sections: Iterable[Section],
    provenance: Provenance,
    *,
    evidence: Iterable[str],
    samples: str = "exact",
    facts: tuple[tuple[str, str], ...] = (),
) -> Document:
    """What a result says, from its sentences and sections.

    `headline`: what the verdict means. `evidence`: what was found, each in a few words. `samples`:
    what was gone through. `facts`: what else repeats it.
    """
    return Document(
        result.target,
        result.verdict,
        headline,
        result.reason,
        tuple(sections),
        claim=str(result.claim),
        samples=samples,
        command=provenance.command,
        finding="claim-refuted",
        evidence=tuple(evidence),
        facts=facts,
        not_tried=result.not_tried,
        seconds=result.seconds,
    )
