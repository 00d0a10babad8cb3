"""Audits of errors: `audit.accuracy`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from audit.levels.claim_constructors import STATED_IN
from audit.request.call import ACCURACY, Call, apart, in_python, shows
from audit.request.keywords import AccuracyWords
from audit.request.word_values import checked
from audit.runs.session import fresh_seed
from mechanisms.validation import Number

if TYPE_CHECKING:
    from audit.utility.error_result import UtilityResult

__all__ = ["accuracy"]


@apart
@shows(ACCURACY)
def accuracy(
    target: Any,
    /,
    *,
    unbiased: bool = False,
    bias: Number | None = None,
    mse: Number | None = None,
    mae: Number | None = None,
    law: str | Sequence[str] = (),
    n: int | None = None,
    truth: Number | None = None,
    **words: Unpack[AccuracyWords],
) -> UtilityResult:
    """Audit the errors of a mechanism: bias, variance, mean squared and mean absolute error.

    Parameters
    ----------
    target : callable, class, object or str
        As in `audit`.
    unbiased : bool
        Claim a bias of 0.
    bias, mse, mae : int, float, str, Fraction or None
        Claim at most so much; None of all for what the mechanism states itself.
    law : str or list of str
        Fresh records for each draw, such as "uniform 0 1" or "bernoulli 1/4".
    n : int or None
        Records of a law, or of each data set at the bounds; None for the target's own number, or
        100.
    truth : "mean", "median", number or None
        What is estimated; None for the mean of the records, or what the mechanism states.
    **words
        As in `audit`, where they have a meaning.

    Raises
    ------
    TypeError
        For an unknown word.
    TouchstoneError
        As in `audit`.

    Examples
    --------
    >>> import audit
    >>> def mean(data, size, rng):
    ...     return data.mean() + 0.1 + rng.laplace(scale=0.01, size=size)
    >>> result = audit.accuracy(mean, unbiased=True, mse=1, low=0, high=1, n=4, seed=1)
    >>> result.verdict.value, min(result.limits.values()) >= 0
    ('REFUTED', True)
    """
    from audit.request.error_plan import plan_utility
    from audit.runs.accuracy_run import run_utility

    claims = {"unbiased": unbiased, "bias": bias, "mse": mse, "mae": mae}
    records = {"law": law, "n": n, "truth": truth}
    with in_python():
        asked = checked("accuracy", {**claims, **records, **words}, ACCURACY)
        call = Call.of("accuracy", target, {**asked, "utility": True})
        plan = plan_utility(call.request, stated_in=STATED_IN, load=call.load)
        return run_utility(plan, **{"seed": fresh_seed(), **call.run})
