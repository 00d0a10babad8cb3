"""One audit in the words in which it is asked for.

The command line and the configuration file both end here, so the same words mean the same thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, final

from audit.levels.word import Of
from audit.request.errors import UtilityAsked
from audit.request.stability import SensitivityQuestion
from audit.request.words import CLAIMS, WORDS, named
from audit.targets.domain import ASKED
from audit.targets.tables.schema import FORMS
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, exact, shown

if TYPE_CHECKING:
    from audit.pairs.data import RecordsAtHand, RowsAtHand
    from audit.pairs.neighbors import Pair
    from audit.targets.tables.schema import Schema

__all__ = ["DETECTABLE", "AccountAsked", "Request", "Samples", "by_field"]

DETECTABLE: Final = "detectable"
"""A budget of draws: what the power statement needs on the pairs at hand."""

Samples = int | Literal["detectable"]
"""A budget: draws, or what the power statement needs on the pairs at hand."""

DEFAULT_MULTISETS = (4, 5)
"""At most 4 records among 5 points: 280 pairs by add-remove."""


@final
@dataclass(frozen=True, slots=True)
class AccountAsked:
    """A total that stands in place of a plan's own."""

    relation: str | None = None
    delta: int | float | str | None = None
    claim: int | float | str | None = None
    is_object: bool = False
    """Whether the plan is an object in Python, and no file."""


@final
@dataclass(frozen=True, slots=True)
class Request:
    """What to audit, in the words of the command line; None leaves a choice to the target."""

    target: str
    """Registry name, adapter, "pkg.mod:attr", "file.py:attr" or "notebook.ipynb:attr"."""
    stated: Mapping[str, Number] = field(default_factory=dict)
    """The claim under audit, of one kind: words of `audit.levels` and their values."""
    budgets: tuple[Number, ...] = ()
    """A personalized claim: one epsilon a user."""
    param: Mapping[str, Any] = field(default_factory=dict)
    """The mechanism's own parameters."""
    relation: str | None = None
    order: str | None = None
    low: Number | None = None
    high: Number | None = None
    """Public bounds."""
    data: str | RecordsAtHand | RowsAtHand | None = None
    column: str | None = None
    """The user's records: a file, or what Python has in memory."""
    schema: str | Schema | None = None
    """Of tables: a file, or what Python has in memory."""
    takes: str | None = None
    """What the target gets of a table; see `audit.targets.tables.schema.Form`."""
    min_size: int = 0
    """Smallest size of generated data sets."""
    pair: tuple[str | Pair, ...] = ()
    """Pair files, or pairs in memory; they replace the generated pairs unless `generate`."""
    generate: bool = False
    """More pairs."""
    screen: int | None = None
    """Pairs that are screened at most; None for as many as the draws of the run pay for."""
    domain: str | None = None
    """What is declared of the records: see `audit.targets.domain.Declared`."""
    constant: str | None = None
    """As "ok", the output may ignore the data."""
    adversarial: bool = False
    """Also pairs on which sums in machine numbers go wrong."""
    ideal: bool = False
    """Leave floating-point features out."""
    resolution: float | None = None
    """See `Settings`."""
    budget_samples: Samples | None = None
    """Draws of all arms and pairs together; None for what is usual in the mode, in a sequential
    audit "detectable"."""
    first_draws: int | None = None
    """See `Settings`."""
    mode: str = "sequential"
    """As "sequential" it stops at a violation, as "bound" it spends the budget on the tightest
    lower limit, as "exact" it proves the claim from the stated law, or refutes it with exact
    probabilities."""
    profile: bool = False
    """Also a lower band of the privacy profile, for a pure or approximate claim."""
    multisets: str | None = None
    """As "SIZE,POINTS", the data sets that mode "exact" goes through where no lemma speaks of
    all."""
    repeat: tuple[str, ...] = ()
    """Words of the command that repeats the audit, where this is not `touchstone audit`."""
    call: str = ""
    """Of an object at hand: the call in Python that asks for the audit, up to its words."""
    command: tuple[str, ...] = ()
    """Words of an external command, whose text is the target."""
    timeout: float | None = None
    """Seconds without an answer after which a call is given up: see `audit.targets.command` for
    commands and `audit.draws.supervisor` for other targets."""
    in_process: bool = False
    """Draw in the process of the audit, and not in a child."""
    memory: int | None = None
    """Megabytes that a call may take."""
    utility: UtilityAsked | None = None
    """An audit of errors instead of privacy: its claims, and the records that are made for it."""
    sensitivity: SensitivityQuestion | None = None
    """A test of a declared sensitivity instead of an audit."""
    account: AccountAsked | None = None
    """A plan of releases to be added up instead of an audit."""

    def told(self) -> dict[str, object]:
        """Words that are not as usual, by name."""
        found = dict[str, object]()
        for part in fields(self):
            value = getattr(self, part.name)
            if part.name == "stated":
                found |= value
            elif value not in (part.default, {}):
                found[part.name] = value
        return found

    @property
    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """Public bounds, exactly."""
        low = None if self.low is None else exact(self.low, "low")
        return low, None if self.high is None else exact(self.high, "high")

    @property
    def multisets_size(self) -> tuple[int, int]:
        """Most records and number of points of the multisets that are gone through."""
        if self.multisets is None:
            return DEFAULT_MULTISETS
        size, _, points = self.multisets.partition(",")
        return int(size), int(points)

    def check(self) -> None:
        """Check what the words alone can tell.

        Raises InvalidArgument if two of them contradict each other, or one is out of its domain.
        """
        faults = {
            "--column names a column of --data; give both": (
                self.column is not None and self.data is None
            ),
            "--relation listed needs --pair: the neighbors are exactly the listed pairs": (
                self.relation == Relation.LISTED
                and not self.pair
                and not self.target.startswith(("corpus.", "noise."))  # these have their own pairs
            ),
            "--relation listed has no generated pairs; leave out --generate, --adversarial and "
            "--data": (
                self.relation == Relation.LISTED
                and (
                    self.generate
                    or (self.adversarial and self.mode != "exact")
                    or self.data is not None
                )
            ),
            "--pair replaces the pairs made from --data; add --generate to have both": (
                bool(self.pair) and self.data is not None and not self.generate
            ),
            "--screen looks for pairs besides generated ones; add --generate to --pair": (
                bool(self.pair) and bool(self.screen) and not self.generate
            ),
            "--column is one of records without a schema; leave out --column or --schema": (
                self.column is not None and self.schema is not None
            ),
            "the schema says where cells lie: leave out --low and --high": (
                self.schema is not None and (self.low is not None or self.high is not None)
            ),
            "--takes says what a target gets of a table; it needs --schema": (
                self.takes is not None and self.schema is None
            ),
            "--schema is no part of a personalized claim; leave out --budgets": (
                self.schema is not None and bool(self.budgets)
            ),
            "--in-process and --memory are for targets in Python, not for commands": (
                bool(self.command) and (self.in_process or self.memory is not None)
            ),
            "--timeout and --memory are limits of a child process; leave out --in-process": (
                self.in_process and (self.timeout is not None or self.memory is not None)
            ),
        }
        for msg, wrong in faults.items():
            if wrong:
                raise InvalidArgument(msg)
        check_choice(self.mode, "mode", WORDS["mode"].choices)
        if self.constant is not None:
            check_choice(self.constant, "constant", WORDS["constant"].choices)
        if self.mode == "bound" and self.budget_samples == DETECTABLE:
            msg = (
                "--budget-samples detectable is what a sequential audit's power statement needs; "
                "give --mode bound a number"
            )
            raise InvalidArgument(msg)
        if self.domain is not None:
            check_choice(self.domain, "domain", ASKED)
        if self.takes is not None:
            check_choice(self.takes, "takes", FORMS)
        if self.multisets is not None:
            self._check_multisets()
        if self.mode == "exact":
            self._check_exact()
        for name in ("resolution", "budget_samples", "timeout", "memory"):
            value = getattr(self, name)
            if value not in (None, DETECTABLE) and not value > 0:
                msg = f"{name} must be positive, got {name}={shown(value)}"
                raise InvalidArgument(msg)

    def _check_exact(self) -> None:
        """No samples are drawn."""
        words = [word for word in named(Of.SAMPLES) if not word.of & Of.EXACT]
        wrong = [word.option for word in words if getattr(self, word.name, None)]
        if wrong:
            msg = f"--mode exact draws no samples; leave out {', '.join(wrong)}"
            raise InvalidArgument(msg)

    def _check_multisets(self) -> None:
        assert self.multisets is not None
        if self.mode != "exact":
            msg = "--multisets goes with --mode exact"
            raise InvalidArgument(msg)
        if re.fullmatch(r"[1-9][0-9]?,[1-9][0-9]?", self.multisets) is None:
            msg = (
                "multisets must be SIZE,POINTS such as 4,5 (records at most, and points between "
                f"the bounds), got multisets={self.multisets!r}"
            )
            raise InvalidArgument(msg)


def by_field(words: Mapping[str, Any]) -> dict[str, Any]:
    """Words as fields of a `Request`: those that state a claim are one of them."""
    stated = {name: words[name] for name in CLAIMS if name in words and name != "budgets"}
    rest = {name: value for name, value in words.items() if name not in stated}
    return rest | {"stated": {name: v for name, v in stated.items() if v is not None}}
