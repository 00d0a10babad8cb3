"""What a run of the gate takes from earlier ones: baseline, wealth of other nights, failures.

`open_history` reads everything before the first draw, and leaves out what `--changed-since` need
not run. Each outcome is then compared and booked as it comes, and the rest is written at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, final

from audit.request.account_plan import AccountPlan
from audit.request.configuration import Config
from audit.request.error_plan import UtilityPlan
from audit.request.plans import GatePlan
from audit.results.sampled_result import AuditResult
from audit.suite.baseline.compare import Regression
from audit.suite.baseline.file import matched, read_baseline, write_baseline
from audit.suite.changes.fingerprint import versions_of
from audit.suite.changes.last import Failures, cache_folder, name_in_cache
from audit.suite.changes.select import Selection, select
from audit.suite.exit_status import Exit, worst
from audit.suite.gate_outcome import BaselineTold, NightTold, Outcome, Past, Told
from audit.suite.shares import may_alarm
from audit.suite.wealth_of_nights import Night, Nights, NightsFile
from mechanisms.errors import InvalidArgument

if TYPE_CHECKING:
    pass

__all__ = ["History", "check_options", "open_history"]


@final
@dataclass(slots=True)
class History:
    """What is known of a configuration's audits, while they run."""

    config: Config
    plans: Sequence[GatePlan]
    """Of its entries."""
    selection: Selection | None = None
    """What `--changed-since` chose."""
    failures: Failures | None = None
    """The record of what failed."""
    nights: Nights | None = None
    """Carried wealth."""
    tonight: list[Night | None] = field(default_factory=list)
    """One for each entry."""
    stored: dict[str, dict[str, object]] | None = None
    """Audits of the baseline."""
    names: dict[str, str] = field(default_factory=dict)
    """Keys in the baseline, by key of the audit."""
    missing: tuple[str, ...] = ()
    """Audits of the baseline that are none of the configuration's."""
    writes: bool = False
    """Whether the baseline is written at the end."""
    fault: str = ""
    """Why tonight's wealth is not kept; the results are."""

    def night(self, index: int) -> Night | None:
        """What tonight begins with, for one audit."""
        return self.tonight[index] if self.tonight else None

    def finish(self, index: int, outcome: Outcome) -> Outcome:
        """Book an outcome, and say what is worse than before."""
        key, night, result = self.config.entries[index].key, self.night(index), outcome.result
        status, told = outcome.status, None
        if night is not None and isinstance(result, AuditResult):
            assert self.nights is not None
            wealth = self.nights.book(key, night, result)
            self.keep()
            told = NightTold(
                night.number, night.wealth_before, wealth, night.why_new, night.refuted_before
            )
            if night.refuted_before:
                status = worst((status, Exit.REFUTED))
        regressions = self._regressions(key, outcome)
        if regressions:
            status = worst((status, Exit.REFUTED))
        return replace(outcome, status=status, past=Past(regressions, told))

    def keep(self) -> None:
        """Write the wealth; where that fails the run goes on, and says so."""
        assert self.nights is not None
        try:
            self.nights.keep()
            self.fault = ""
        except InvalidArgument as exc:
            self.fault = str(exc)

    def _regressions(self, key: str, outcome: Outcome) -> tuple[Regression, ...]:
        from audit.suite.baseline.baseline_values import values_of
        from audit.suite.baseline.compare import compare

        if self.stored is None or self.writes or key not in self.names or outcome.result is None:
            return ()
        return compare(self.stored[self.names[key]], values_of(outcome.result))

    def end(self, outcomes: Sequence[Outcome], status: Exit) -> tuple[Told, Exit]:
        """Write what is kept; say what became of it, and the status of the run."""
        if self.nights is not None:
            self.nights.close()
        ran = [entry.key for entry in self.config.entries[: len(outcomes)]]
        if self.failures is not None:
            failed = [key for key, o in zip(ran, outcomes, strict=True) if o.status != Exit.OK]
            self.failures.write(ran, failed, versions_of())
        baseline = None
        if self.writes:
            baseline = self._write(outcomes, status)
        elif self.stored is not None:
            new = tuple(
                entry.key
                for entry in self.config.entries
                if entry.expect == "consistent" and entry.key not in self.names
            )
            assert self.config.baseline is not None
            baseline = BaselineTold(self.config.baseline, self.missing, new)
            if self.missing:
                status = worst((status, Exit.REFUTED))
        if self.fault or (baseline is not None and baseline.why_not and status == Exit.OK):
            status = worst((status, Exit.USAGE))
        return self.told(baseline), status

    def told(self, baseline: BaselineTold | None = None) -> Told:
        """What reports say of earlier runs."""
        nights = None if self.nights is None else str(self.nights.file.path)
        return Told(self.selection, nights, baseline, self.fault)

    def _write(self, outcomes: Sequence[Outcome], status: Exit) -> BaselineTold:
        from audit.suite.baseline.baseline_values import values_of

        file = self.config.baseline
        assert file is not None
        if status != Exit.OK:
            why_not = f"the run ended with {int(status)}: a baseline is of runs as expected"
            return BaselineTold(file, why_not=why_not)
        stored = self.stored or {}
        kept = {key: stored[old] for key, old in self.names.items()}
        for entry, outcome in zip(self.config.entries, outcomes, strict=True):
            if entry.expect == "consistent" and outcome.result is not None:
                kept[entry.key] = values_of(outcome.result)
        try:
            write_baseline(Path(file), kept)
        except InvalidArgument as exc:
            return BaselineTold(file, why_not=str(exc))
        return BaselineTold(file, written=True)


def check_options(whole: Config, changed_since: str | None, writes: bool) -> None:
    """Find out at once that a configuration has no history of the kind that is asked for.

    `whole`: the configuration. `changed_since`: a revision. `writes`: whether the baseline is
    written. Raises InvalidArgument if the configuration is none of a project's, or has no baseline.
    """
    if changed_since is not None and not Path(whole.name).is_file():
        msg = f"--changed-since goes with a configuration in a file, not with {whole.name}"
        raise InvalidArgument(msg)
    if writes and whole.baseline is None:
        msg = (
            "--write-baseline needs to know where: put the key "
            'baseline = "touchstone-baseline.json" into the configuration'
        )
        raise InvalidArgument(msg)


def open_history(
    whole: Config,
    config: Config,
    plans: Sequence[GatePlan],
    *,
    seed: int,
    changed_since: str | None = None,
    carry: str | None = None,
    writes: bool = False,
) -> History:
    """Read what earlier runs have left, and choose what is run.

    `whole`: the configuration, slow audits and all. `config`: what would be run. `plans`: of its
    entries. `seed`: of the run. `changed_since`: a revision. `carry`: file of carried wealth, in
    place of the configuration's choice. `writes`: whether the baseline is written. Raises
    InvalidArgument for a revision that git does not know, an audit whose wealth cannot be carried,
    or a baseline without a file. Raises InvalidData for a file that is damaged, or a baseline that
    is not there.
    """
    check_options(whole, changed_since, writes)
    folder, in_file = Path.cwd(), Path(whole.name).is_file()
    history = History(config, plans, writes=writes)
    if in_file:
        history.failures = Failures.of(whole.name)
    _read_baseline(history, whole)
    if changed_since is not None:
        assert history.failures is not None
        kept = () if carry is None else (Path(carry),)
        history.selection = select(config, changed_since, folder, history.failures, kept=kept)
        chosen = [i for i, choice in enumerate(history.selection.choices) if choice.run]
        history.config = replace(config, entries=tuple(config.entries[i] for i in chosen))
        history.plans = [plans[i] for i in chosen]
    if carry is not None or whole.carry:
        path = cache_folder() / f"{name_in_cache(whole.name)}.nights.json"
        history.nights = Nights(NightsFile(path if carry is None else Path(carry)), seed)
        history.config = replace(history.config, shared_by=sum(map(may_alarm, whole.entries)))
        history.tonight = [
            _night(history.nights, entry.key, entry.expect, plan, folder)
            for entry, plan in zip(history.config.entries, history.plans, strict=True)
        ]
        history.keep()  # seeds of audits that begin anew, before anything is drawn
    return history


def _read_baseline(history: History, whole: Config) -> None:
    if whole.baseline is None:
        return
    path = Path(whole.baseline)
    history.stored = {} if history.writes and not path.exists() else read_baseline(path)
    history.names, history.missing = matched(history.stored, whole.entries)


def _night(nights: Nights, key: str, expect: str, plan: GatePlan, folder: Path) -> Night | None:
    """What tonight begins with; None for controls, proofs and audits of errors."""
    request = plan.request
    if (
        expect != "consistent"
        or request.mode == "exact"
        or isinstance(plan, UtilityPlan | AccountPlan)
    ):
        return None
    if request.mode != "sequential":
        msg = f'{key}: wealth is carried with mode = "sequential", got mode={request.mode!r}'
        raise InvalidArgument(msg)
    return nights.begin(key, plan, folder)
