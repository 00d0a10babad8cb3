"""All audits of a configuration: `audit.gate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, Unpack

from audit.levels.word import Kind
from audit.request.call import GATE, apart, in_python, shows
from audit.request.keywords import GateWords
from audit.request.word_values import check_kind, checked
from audit.runs.session import chosen_source, fresh_seed, processes
from mechanisms.errors import InvalidArgument
from mechanisms.validation import check_choice

if TYPE_CHECKING:
    from audit.suite.gate_outcome import GateResult

__all__ = ["gate"]


@apart
@shows(GATE)
def gate(
    configuration: str | Path | None = None,
    /,
    *,
    reference: bool = False,
    slow: bool = False,
    changed_since: str | None = None,
    write_baseline: bool = False,
    carry: str | Path | None = None,
    inconclusive: Literal["ok"] | None = None,
    **words: Unpack[GateWords],
) -> GateResult:
    r"""Run all audits that a configuration lists, at one false-alarm rate.

    Parameters
    ----------
    configuration : str, Path or None
        A file, or a folder with touchstone.toml or pyproject.toml; None for this folder.
    reference : bool
        Run the built-in suite instead.
    slow : bool
        Also the audits that are marked slow.
    changed_since : str or None
        Only audits of what has changed since this commit, and those that did not pass last.
    write_baseline : bool
        Keep what the audits promise and show in the configuration's baseline file.
    carry : str, Path or None
        Carry the wealth against unchanged targets from run to run in this file.
    inconclusive : {"ok"} or None
        Whether INCONCLUSIVE passes.
    **words
        Of a run: false_alarm, budget_samples, budget_seconds, resolution, seed, jobs, backend,
        ideal.

    Returns
    -------
    GateResult
        Its outcomes, and the exit status; `expect()` raises unless all is as expected.

    Raises
    ------
    TypeError
        For an unknown word.
    TouchstoneError
        If the configuration is wrong, or an audit cannot be run.

    Examples
    --------
    >>> import audit, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "touchstone.toml")
    ...     _ = file.write_text('[[audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n')
    ...     result = audit.gate(folder, seed=1)
    >>> result.status.name, [outcome.result.verdict.value for outcome in result.outcomes]
    ('OK', ['PROVED'])
    """
    from audit.request.configuration import find_config, read_config, reference_config
    from audit.suite.gate_run import prepare, run_gate

    with in_python():
        run = checked("gate", words, GATE)
        check_kind(Kind.FLAG, reference=reference, slow=slow, write_baseline=write_baseline)
        check_kind(Kind.TEXT, configuration=configuration, changed_since=changed_since, carry=carry)
        if inconclusive is not None:
            check_choice(inconclusive, "inconclusive", ("ok",))
        if reference and configuration is not None:
            msg = f"reference has its own configuration, got configuration={str(configuration)!r}"
            raise InvalidArgument(msg)
        place = Path() if configuration is None else Path(configuration)
        found = reference_config if reference else lambda: find_config(place)
        whole = read_config(place) if place.is_file() else found()
        seed, backend = run.pop("seed", None), run.pop("backend", "loky")
        seed, jobs = fresh_seed() if seed is None else seed, run.pop("jobs", None) or processes()
        history = prepare(
            whole,
            seed=seed,
            changed_since=changed_since,
            carry=None if carry is None else str(carry),
            writes=write_baseline,
            slow=slow,
            **run,
        )
        return run_gate(
            history.config,
            history.plans,
            seed=seed,
            jobs=1 if backend == "dask" else jobs,
            source=chosen_source(jobs, backend) if backend == "dask" else None,
            inconclusive_ok=inconclusive == "ok",
            history=history,
        ).without_sampler()
