"""What came of a run of the gate: an outcome for each audit, and all of them together."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import final

from audit.accounting.account_result import AccountResult
from audit.request.configuration import SUITE, is_found
from audit.request.configured_audits import Expect
from audit.request.plans import AnyPlan
from audit.results.base_result import Result
from audit.results.document import Provenance
from audit.results.exact_result import ExactResult
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.stability.sensitivity_result import SensitivityResult
from audit.suite.baseline.compare import Regression
from audit.suite.changes.select import Selection
from audit.suite.exit_status import Exit
from audit.suite.ledger_claims import ProofOutcome
from audit.suite.stored_tables import TableOutcome
from audit.utility.error_result import UtilityResult

__all__ = ["BaselineTold", "GateResult", "NightTold", "Outcome", "Past", "Told"]

CONTRADICTION = "contradiction"
"""How the reason begins where samples and a proof disagree (`audit.runs.privacy_run`)."""


@final
@dataclass(frozen=True, slots=True)
class NightTold:
    """What one night did to the wealth against a target."""

    number: int
    """Of the night, counted from 1."""
    wealth_before: float = field(metadata={"key": "evidence_before"})
    wealth: float = field(metadata={"key": "evidence"})
    """Of the nights before, and with tonight; infinite where it is too large for a number."""
    why_new: str
    """Why nothing was carried; empty if something was."""
    refuted_before: bool
    """Whether an earlier night refuted the claim."""


@final
@dataclass(frozen=True, slots=True)
class Past:
    """An audit beside what was known of it."""

    regressions: tuple[Regression, ...] = ()
    """What is worse than in the baseline."""
    night: NightTold | None = field(default=None, metadata={"key": "carried"})
    """Where its wealth is carried."""


@final
@dataclass(frozen=True, slots=True)
class BaselineTold:
    """What became of the baseline."""

    file: str
    missing: tuple[str, ...] = ()
    """Audits in it that the configuration no longer lists."""
    new: tuple[str, ...] = ()
    """Audits of this run that are not in it."""
    written: bool = False
    why_not: str = ""
    """Why not, where that was asked for."""


@final
@dataclass(frozen=True, slots=True)
class Told:
    """What reports of a run say of earlier ones."""

    selection: Selection | None = field(default=None, metadata={"key": "changed_since"})
    """What `--changed-since` chose."""
    nights: str | None = field(default=None, metadata={"key": "carried"})
    """The file of carried wealth."""
    baseline: BaselineTold | None = None
    """What became of it."""
    fault: str = field(default="", metadata={"key": "not_carried"})
    """Why the wealth of the run is not kept."""


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """One audit of the run: what was planned, what came, and what that means.

    The title tells it from the others of its configuration; empty where it is the name.
    """

    name: str
    expect: Expect
    plan: AnyPlan | Provenance
    """What was planned; of a stored run, what its report says of it."""
    result: AuditResult | ExactResult | UtilityResult | SensitivityResult | AccountResult | None
    error: str | None
    status: Exit
    past: Past = Past()
    title: str = ""

    @property
    def red(self) -> str:
        """What makes it red, in a few words; empty if nothing does.

        Of these only "refuted" is what the false-alarm rate covers.
        """
        if self.status == 0:
            return ""
        if self.result is None:
            return "error"
        verdict = self.result.verdict
        if self.expect == "refuted":
            return "control not refuted"
        if verdict is Verdict.INCONCLUSIVE:
            return "inconclusive"
        if verdict is Verdict.REFUTED:
            contradicts = self.result.reason.startswith(CONTRADICTION)
            return "samples contradict a proof" if contradicts else "refuted"
        if self.past.regressions:
            return "worse than the baseline"
        return "refuted on an earlier night"


@final
@dataclass(frozen=True, slots=True)
class GateResult(Result):
    """A run of the gate.

    Parameters
    ----------
    configuration : str
        Where the audits come from.
    outcomes : tuple of Outcome
        In the order of the configuration; fewer than `planned` after an interruption.
    planned : int
        Number of audits.
    status : Exit
        The worst of all.
    false_alarm, share : float
        Of the run and of each control, and of each audit that can raise a false alarm.
    budget_seconds, seconds : float
        Time given and used.
    seed : int
        Of the run; each audit's own is in its result.
    interrupted : bool
        Whether Ctrl-C ended it.
    proofs : tuple of ProofOutcome
        One for each name that the configuration lists under `proofs`.
    left_out : int
        Slow audits that were not run.
    tables : tuple of TableOutcome
        One for each stored table that the configuration lists under `tables`.
    told : Told
        What it took from earlier runs.
    sharing : int
        Number of audits that can raise a false alarm.
    not_run : tuple of str
        Audits, then proofs and tables, that an interruption left.
    """

    configuration: str
    outcomes: tuple[Outcome, ...] = field(metadata={"key": "audits"})
    planned: int
    status: Exit = field(metadata={"key": "exit_status"})
    false_alarm: float
    share: float
    budget_seconds: float
    seconds: float = field(metadata={"places": 3})
    seed: int
    interrupted: bool
    proofs: tuple[ProofOutcome, ...] = ()
    left_out: int = 0
    tables: tuple[TableOutcome, ...] = ()
    told: Told = field(default=Told(), metadata={"flat": True})
    sharing: int = 0
    not_run: tuple[str, ...] = ()

    @property
    def outcome(self) -> str:
        """The name of the exit status."""
        return self.status.name

    @property
    def was_run(self) -> bool:
        """A run made it."""
        return True

    @property
    def repeat(self) -> str:
        """The command that repeats it, where the gate was called."""
        path, seed = Path(self.configuration), str(self.seed)
        if self.configuration == SUITE:
            return shlex.join(["touchstone", "gate", "--reference", "--seed", seed])
        if not is_found(path):  # of another name: the command takes none
            call = f"import audit; print(audit.gate({self.configuration!r}, seed={seed}))"
            return shlex.join(["python", "-c", call])
        command = shlex.join(["touchstone", "gate", "--seed", seed])
        folder = shlex.quote(str(path.parent))
        return command if path.parent == Path() else f"(cd {folder} && {command})"

    @classmethod
    def outcomes_known(cls) -> tuple[str, ...]:
        """Names of the exit statuses."""
        return tuple(status.name for status in Exit)

    def without_sampler(self) -> GateResult:
        """The same without what draws, so that it travels to other processes."""
        return replace(
            self, outcomes=tuple(replace(one, plan=_lasting(one.plan)) for one in self.outcomes)
        )


def _lasting(plan: AnyPlan | Provenance) -> AnyPlan | Provenance:
    return plan if isinstance(plan, Provenance) else plan.without_sampler()
