"""Tests of queries without noise: `audit.sensitivity`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Unpack

from audit.levels.claim_constructors import STATED_IN
from audit.request.call import SENSITIVITY, Call, apart, in_python, shows
from audit.request.keywords import SensitivityWords
from audit.request.word_values import checked
from audit.runs.session import fresh_seed

if TYPE_CHECKING:
    from audit.stability.sensitivity_result import SensitivityResult

__all__ = ["sensitivity"]


@apart
@shows(SENSITIVITY)
def sensitivity(target: Any, /, **words: Unpack[SensitivityWords]) -> SensitivityResult:
    """Test how far apart the answers of a query to neighboring data sets are.

    The query has no noise: a function of the data alone. What is found is computed from its answers
    as fractions, so that REFUTED has no error rate.

    Parameters
    ----------
    target : callable or str
        A function of data; a Transformation of OpenDP, which states its own claim and domain; the
        name of one, "pkg.mod:attr", "file.py:attr" or "notebook.ipynb:attr"; what `audit.load`
        returned.
    **words
        The options of `touchstone sensitivity`: `norm` and `at_most` state the claim, `relation`
        says which data sets are neighbors, `rows` in how many records these differ, `low`, `high`,
        `count` and `domain` which data sets there are.

    Raises
    ------
    TypeError
        For an unknown word.
    TouchstoneError
        If anything is missing or contradictory, or the query answers twice otherwise on the same
        data.

    Examples
    --------
    >>> import audit
    >>> def total(data):
    ...     return data.clip(0, 2).sum()
    >>> result = audit.sensitivity(
    ...     total, norm="l1", at_most=1, relation="add-remove", low=0, high=1, seed=1
    ... )
    >>> result.verdict.value, str(result.witness.distance)
    ('REFUTED', '2')
    """
    started = time.monotonic()
    from audit.request.stability_plan import plan_sensitivity
    from audit.runs.sensitivity_run import run_sensitivity

    with in_python():
        call = Call.of("sensitivity", target, checked("sensitivity", words, SENSITIVITY))
        plan = plan_sensitivity(call.request, stated_in=STATED_IN, load=call.load)
        return run_sensitivity(plan, started=started, **{"seed": fresh_seed(), **call.run})
