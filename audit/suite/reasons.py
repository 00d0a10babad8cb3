"""Why an audit in a run of the gate is not as expected, in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.verdict import Verdict

if TYPE_CHECKING:
    from audit.suite.outcome import Outcome

__all__ = ["red_words"]

CONTRADICTION = "contradiction"
"""How the reason begins where samples and a proof disagree (`audit.run`)."""


def red_words(one: Outcome) -> str:
    """Say what makes an audit red; empty if nothing does.

    Of these only "refuted" is what the false-alarm rate covers.
    """
    if one.status == 0:
        return ""
    if one.result is None:
        return "error"
    verdict = one.result.verdict
    if one.expect == "refuted":
        return "control not refuted"
    if verdict is Verdict.INCONCLUSIVE:
        return "inconclusive"
    if verdict is Verdict.REFUTED:
        contradicts = one.result.reason.startswith(CONTRADICTION)
        return "samples contradict a proof" if contradicts else "refuted"
    if one.past.regressions:
        return "worse than the baseline"
    return "refuted on an earlier night"
