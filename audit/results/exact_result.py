"""What an exact audit says: what was proved, an event or divergence that refutes, result."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, final

from audit.results.base_result import VerdictResult
from audit.results.refutation import Enclosure
from audit.results.verdict import Limits, Verdict
from mechanisms.claims import Order, PrivacyClaim

__all__ = [
    "MOVED",
    "RELEASE",
    "DivergenceWitness",
    "ExactResult",
    "ExactWitness",
    "Proof",
]

RELEASE = "the release"
"""What an exact event is about, if not about noisy sums that the release is a function of."""

MOVED = ", less the sums of the data"
"""Said of noisy sums whose law is that of the noise, and of the noise moved by a record."""


@final
@dataclass(frozen=True, slots=True)
class Proof:
    """What an exact audit proved.

    Parameters
    ----------
    pairs : str
        Of which neighbors it speaks.
    about : str
        Which output has the law; the release is a function of it.
    lemmas : tuple of str
        Ids of the lemmas used.
    statements : tuple of str
        What these say, and what was seen to: their hypotheses.
    cases : int
        Cases, or cells, that were gone through.
    loss : Enclosure or None
        Of the largest privacy loss over these pairs; None where it is infinite.
    certificate : Any
        The `Certificate` for a program that checks the proof again, where there is one.
    records : tuple of (Fraction, Fraction)
        Some records and the exact loss of adding or removing each, whatever the others are.
    excess : Enclosure or None
        Of the largest delta at the claimed epsilon over these pairs, for an approximate claim.
    users : tuple of (int, Fraction, Enclosure)
        Of a personalized claim: the first user of each budget, counted from 1, the budget, and the
        largest privacy loss.
    measured : (str, Enclosure) or None
        What else was enclosed, and its largest value over these pairs: the divergence that a claim
        of another level bounds. `loss` is then None where it is not known, too.
    """

    pairs: str
    about: str
    lemmas: tuple[str, ...]
    statements: tuple[str, ...]
    cases: int
    loss: Enclosure | None
    certificate: Any = field(default=None, metadata={"form": "certificate"})
    records: tuple[tuple[Fraction, Fraction], ...] = field(
        default=(), metadata={"columns": ("record", "loss")}
    )
    excess: Enclosure | None = field(default=None, metadata={"key": "delta"})
    users: tuple[tuple[int, Fraction, Enclosure], ...] = field(
        default=(), metadata={"columns": ("user", "budget", "loss")}
    )
    measured: tuple[str, Enclosure] | None = field(
        default=None, metadata={"columns": ("name", "ends")}
    )


@final
@dataclass(frozen=True, slots=True)
class ExactWitness:
    """An event whose exact probabilities break the claim.

    Parameters
    ----------
    data, neighbor : Any
        The two data sets.
    about : str
        Which output the event is of.
    event : str
        In words.
    likelier : {"data", "neighbor"}
        On which of the two the event is too likely.
    p, q : Enclosure
        Its probabilities on the likelier and on the other data set.
    excess : Enclosure
        p - e^epsilon q - delta at the claim, of a Gaussian claim p less what q allows: greater
        than 0.
    user, budget : int or None, Fraction or None
        Of a personalized claim, whose promise is broken, counted from 1, and what was promised.
    loss : Enclosure or None
        Of log(p / q); None where q may be 0.
    """

    data: Any
    neighbor: Any
    about: str
    event: str
    likelier: str
    p: Enclosure
    q: Enclosure
    excess: Enclosure
    user: int | None = None
    budget: Fraction | None = None
    loss: Enclosure | None = None


@final
@dataclass(frozen=True, slots=True)
class DivergenceWitness:
    """A divergence that is larger than the claim allows.

    Parameters
    ----------
    data, neighbor : Any
        The two data sets.
    about : str
        Which output it is of.
    measure : str
        Its name, such as "Renyi divergence of order 2".
    likelier : {"data", "neighbor"}
        The data set whose law is compared with the other one's.
    value : (Fraction, Fraction or None) or None
        Ends of an enclosure, no upper one where none is known; None of an infinite divergence.
    allowed : Fraction
        What the claim allows, which is less.
    """

    data: Any
    neighbor: Any
    about: str
    measure: str
    likelier: str
    value: tuple[Fraction, Fraction | None] | None
    allowed: Fraction


@final
@dataclass(frozen=True, slots=True)
class ExactResult(VerdictResult):
    """Outcome of an exact audit.

    Parameters
    ----------
    target : str
        Name as the user gave it.
    verdict : Verdict
        PROVED, REFUTED or INCONCLUSIVE.
    claim : PrivacyClaim
        What was audited.
    order : Order
        How the data were read.
    reason : str
        One sentence: why this verdict.
    seconds : float
        Wall time.
    proof : Proof or None
        With PROVED.
    witness : ExactWitness or DivergenceWitness or None
        With REFUTED.
    not_tried : tuple of str
        What the verdict says nothing of.
    notes : tuple of str
        What else there is to know.
    limits : Limits
        Lower ends of what was enclosed, by name: the true values are not below them.
    asked : object
        What was asked, as in an `AuditResult`.
    """

    target: str
    verdict: Verdict
    claim: PrivacyClaim
    order: Order
    reason: str
    seconds: float = field(metadata={"places": 3})
    proof: Proof | None = None
    witness: ExactWitness | DivergenceWitness | None = None
    not_tried: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    asked: Any = field(default=None, repr=False, compare=False, metadata={"kept": False})
