"""One audit in the words in which it is asked for: every door ends here, with the same meaning.

A door reads values in its own way (options that were typed, keys of TOML, arguments in Python);
`by_field` makes fields of them, and `check` refuses what the words alone can tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, final

from audit.levels.statement import read_budgets
from audit.request.word_table import CHOICES, CLAIMS
from mechanisms.claims import Relation
from mechanisms.errors import InvalidArgument
from mechanisms.validation import Number, check_choice, check_fraction, exact, shown

if TYPE_CHECKING:
    from audit.pairs.pair_files import RecordsAtHand, RowsAtHand
    from audit.pairs.worst_cases import Pair
    from audit.targets.tables.table_schema import Schema

__all__ = [
    "DETECTABLE",
    "AccountAsked",
    "Request",
    "Samples",
    "SensitivityQuestion",
    "UtilityAsked",
    "by_field",
]

DETECTABLE: Final = "detectable"
"""A budget of draws: what the power statement needs on the pairs at hand."""

Samples = int | Literal["detectable"]
"""A budget: draws, or what the power statement needs on the pairs at hand."""

DEFAULT_MULTISETS = (4, 5)
"""At most 4 records among 5 points: 280 pairs by add-remove."""

TRUTHS = ("mean", "median")


@final
@dataclass(frozen=True, slots=True)
class UtilityAsked:
    """Claims and records of an audit of errors; None leaves a choice to the mechanism."""

    law: tuple[str, ...] = ()
    """Laws of the records, as `audit.utility.law_words` reads them."""
    n: int | None = None
    """Number of records of each data set that is made, and of the laws."""
    bias: Number | None = None
    """Claimed bound of the absolute bias; 0 for "unbiased"."""
    mse: Number | None = None
    mae: Number | None = None
    """Claimed bounds of the mean squared and the mean absolute error."""
    truth: Number | None = None
    """What is estimated: "mean", "median" or a number."""

    @property
    def states_claims(self) -> bool:
        """Whether the user states claims, in place of the mechanism's own."""
        return not (self.bias is None and self.mse is None and self.mae is None)

    def check(self) -> None:
        """Check what the words alone can tell; raises as `Request.check` does."""
        for name in ("bias", "mse", "mae"):
            value = getattr(self, name)
            if value is not None:
                _check_double(check_fraction(value, f"--{name}", at_least=0), f"--{name}")
        if self.n is not None and self.n < 1:
            msg = f"--n must be at least 1, got {self.n}"
            raise InvalidArgument(msg)
        if self.truth is not None and self.truth not in TRUTHS:
            try:
                truth = exact(self.truth, "--truth")
            except InvalidArgument as exc:
                msg = f"--truth must be mean, median or a number, got {shown(self.truth)}"
                raise InvalidArgument(msg) from exc
            _check_double(truth, "--truth")


def _check_double(number: Fraction, name: str) -> None:
    try:
        float(number)
    except OverflowError as exc:
        msg = f"{name} must be finite in double precision, got {shown(number)}"
        raise InvalidArgument(msg) from exc


@final
@dataclass(frozen=True, slots=True)
class SensitivityQuestion:
    """Claim and pairs of a test of a sensitivity; None leaves a choice to the query."""

    norm: str | None = None
    """Of the answers."""
    at_most: Number | None = None
    """How far apart answers to neighbors are at most."""
    rows: int = 1
    """In how many records neighbors differ at most."""
    count: int | None = None
    """The public number of records."""
    budget_pairs: int | None = None
    """Pairs at most."""
    strict: bool = False
    """Whether rounding alone refutes the claim."""

    def check(self) -> None:
        """Check what the words alone can tell; raises as `Request.check` does."""
        if self.norm is not None:
            check_choice(self.norm, "norm", CHOICES["norm"])
        if self.at_most is not None:
            check_fraction(self.at_most, "at_most", at_least=0)
        for name in ("rows", "budget_pairs"):
            value = getattr(self, name)
            if value is not None and value < 1:
                msg = f"{name} must be at least 1, got {name}={shown(value)}"
                raise InvalidArgument(msg)


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
    """What the target gets of a table; see `audit.targets.tables.table_schema.Form`."""
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
        """Words that are not as usual, by name; those of its parts among them."""
        return _told(self)

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
        What has no meaning in the audit that is asked for was refused at the door, which knows the
        words that were given (`audit.request.meaning`).
        """
        errors, has_data = self.utility, self.data is not None
        if errors is not None:
            errors.check()
        faults = {
            "--column names a column of --data; give both": (
                self.column is not None and not has_data
            ),
            "--law makes the records itself; leave out --data, or --law": (
                errors is not None and bool(errors.law) and has_data
            ),
            "--n is the number of records that are made; --data has its own": (
                errors is not None and errors.n is not None and has_data
            ),
            "--relation listed needs --pair: the neighbors are exactly the listed pairs": (
                self.relation == Relation.LISTED
                and not self.pair
                and not self.target.startswith(("corpus.", "noise."))  # these have their own pairs
            ),
            "--relation listed has no generated pairs; leave out --generate, --adversarial and "
            "--data": (
                self.relation == Relation.LISTED
                and (self.generate or (self.adversarial and self.mode != "exact") or has_data)
            ),
            "--pair replaces the pairs made from --data; add --generate to have both": (
                bool(self.pair) and has_data and not self.generate
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
        for name in ("mode", "constant", "domain", "takes"):
            if (word := getattr(self, name)) is not None:
                check_choice(word, name, CHOICES[name])
        if self.mode == "bound" and self.budget_samples == DETECTABLE:
            msg = (
                "--budget-samples detectable is what a sequential audit's power statement needs; "
                "give --mode bound a number"
            )
            raise InvalidArgument(msg)
        size = self.multisets
        if size is not None and not re.fullmatch(r"[1-9][0-9]?,[1-9][0-9]?", size):
            msg = (
                "multisets must be SIZE,POINTS such as 4,5 (records at most, and points between "
                f"the bounds), got multisets={size!r}"
            )
            raise InvalidArgument(msg)
        for name in ("resolution", "budget_samples", "timeout", "memory"):
            value = getattr(self, name)
            if value not in (None, DETECTABLE) and not value > 0:
                msg = f"{name} must be positive, got {name}={shown(value)}"
                raise InvalidArgument(msg)


def _told(asked: Request | UtilityAsked | SensitivityQuestion | AccountAsked) -> dict[str, object]:
    found = dict[str, object]()
    for part in fields(asked):
        match value := getattr(asked, part.name):
            case UtilityAsked():
                found |= {"utility": True} | _told(value)
            case SensitivityQuestion() | AccountAsked():
                found |= _told(value)
            case _ if part.name == "stated":
                found |= value
            case _ if value not in (part.default, {}):
                found[part.name] = value
    return found


def by_field(
    words: Mapping[str, Any], *, where: str = "", dash: str = "", is_search: bool = False
) -> dict[str, Any]:
    """Words that a door has read, as fields of a `Request`; None is what was left out.

    Those that state a claim are one field, and so are those of errors and of a sensitivity.
    `where`: beginning of a message. `dash`: what stands before the name of a word in a message.
    `is_search`: whether a sensitivity is asked for. Raises InvalidArgument if a word of errors is
    given without "utility", or two contradict each other.
    """
    rest = {name: value for name, value in words.items() if value is not None}
    found: dict[str, Any] = {}
    if "budgets" in rest:
        own = rest.pop("budgets")
        found["budgets"] = read_budgets(own) if isinstance(own, str) else tuple(own)
    if "pair" in rest:
        files = rest.pop("pair")
        found["pair"] = (files,) if isinstance(files, str) else tuple(files)
    found["stated"] = {name: rest.pop(name) for name in CLAIMS if name in rest}
    if (utility := _utility_of(rest, where, dash)) is not None:
        found["utility"] = utility
    if is_search:
        names = [part.name for part in fields(SensitivityQuestion) if part.name in rest]
        found["sensitivity"] = SensitivityQuestion(**{name: rest.pop(name) for name in names})
    return rest | found


def _utility_of(words: dict[str, Any], where: str, dash: str) -> UtilityAsked | None:
    """Take the words of an audit of errors out of all others; None for an audit of privacy."""
    wanted, unbiased = words.pop("utility", False), words.pop("unbiased", False)
    names = [part.name for part in fields(UtilityAsked) if part.name in words]
    found = {name: words.pop(name) for name in names}
    laws = found.get("law", ())
    found["law"] = (laws,) if isinstance(laws, str) else tuple(laws)
    told = [f"{dash}{name}" for name in names if name != "law" or laws]
    told += [f"{dash}unbiased"] if unbiased else []
    if not wanted and told:
        msg = f"{where}{', '.join(told)} {'goes' if len(told) == 1 else 'go'} with {dash}utility"
        raise InvalidArgument(msg)
    if unbiased and "bias" in found:
        msg = f"{where}{dash}unbiased claims a bias of 0; leave it out, or {dash}bias"
        raise InvalidArgument(msg)
    if unbiased:
        found["bias"] = 0
    return UtilityAsked(**found) if wanted else None
