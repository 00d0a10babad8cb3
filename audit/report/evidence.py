"""The evidence of one audit in a few words, for its line in the table of a run."""

from __future__ import annotations

from collections.abc import Iterator

from audit.report.utility import utility_limits
from audit.report.words import beyond, claimed_first, number_above, number_below, severity_of
from audit.utility.result import UtilityResult
from audit.verdict import AuditResult, DivergenceWitness, ExactResult, ExactWitness, Proof

__all__ = ["evidence_words"]


def evidence_words(result: AuditResult | ExactResult | UtilityResult) -> list[str]:
    """What samples, exact laws and proofs give, each in a few words.

    Parameters
    ----------
    result : AuditResult, ExactResult or UtilityResult
        Of samples the first of the claim's lower limits; of errors, what would have been seen.

    Returns
    -------
    list of str
        Empty where there is no number.
    """
    match result:
        case UtilityResult():
            return utility_limits(result)
        case ExactResult():
            return list(_exact(result.proof, result.witness))
        case AuditResult():
            return list(_sampled(result))


def _sampled(result: AuditResult) -> Iterator[str]:
    if (severity := severity_of(result)) is not None:
        name, limit = severity
        yield f"{name} {beyond(limit, claimed_first(result))}"
    if result.exact is not None:
        if result.exact.reached is not None:
            yield f"exact {result.exact.reached}"
        yield f"proved <= {result.exact.proved}"


def _exact(proof: Proof | None, witness: ExactWitness | DivergenceWitness | None) -> Iterator[str]:
    """The largest loss, of personalized claims as a factor on all budgets, or the witness's."""
    if proof is not None:
        if proof.loss is not None:
            yield f"proved <= {number_above(float(proof.loss[1]))}"
        if proof.users:
            factor = max(loss[1] / budget for _, budget, loss in proof.users)
            yield f"proved factor <= {number_above(float(factor))}"
        if proof.excess is not None:
            yield f"proved delta <= {number_above(float(proof.excess[1]))}"
        if proof.measured is not None:
            name, ends = proof.measured
            yield f"proved {name} <= {number_above(float(ends[1]))}"
    if isinstance(witness, DivergenceWitness):
        lower = "inf" if witness.value is None else number_below(float(witness.value[0]))
        yield f"exact {witness.measure} {'' if lower == 'inf' else '>= '}{lower}"
        return
    if witness is not None and witness.loss is not None:
        yield f"exact loss {number_below(float(witness.loss[0]))}"
    elif witness is not None:
        yield f"exact excess {number_below(float(witness.excess[0]))}"
