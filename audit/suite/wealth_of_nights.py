"""The file in which the wealth of a gate's audits is kept from night to night.

What is carried, and why it may be, is in `audit.engine.night_wealth`. For each audit the file holds
what it is about (see `audit.suite.changes.fingerprint`), the seed that its nights' draws come from,
and what each night was worth. An audit that is about something else begins anew, with wealth 1.

The draws of night t come from a seed made of the audit's own and t. So a night that was cut short
from outside and is run again draws the same, and two nights never draw the same, whatever --seed
says. (Of a target whose randomness cannot be seeded, a night that ended before its time is not
counted; that it ended must not depend on what it drew.)
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from audit.engine.night_wealth import Carried
from audit.files.bounded_json import NoSuchFile, NotJSON, read_json
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from audit.suite.replacement import replace_file
from mechanisms.errors import InvalidArgument, InvalidData

if TYPE_CHECKING:
    from audit.request.privacy_plan import PrivacyPlan
    from audit.suite.changes.lock import Held

__all__ = ["Night", "Nights", "NightsFile", "night_seed"]

FORMAT = "touchstone nights 1"
LARGEST_SEED = 2**32

Record = dict[str, Any]
"""What a file holds of one audit."""

LEAST, MOST = -800.0, 1e9
"""Of the logarithm of a wealth: a night's is at least -700 (see `audit.engine.night_wealth`), and
the weights of a million nights are not below e^-25."""


@final
@dataclass(frozen=True, slots=True)
class Night:
    """One night of an audit, before it begins."""

    carried: Carried
    """What earlier nights have left."""
    seed: int
    claimed: int
    """Place of the claim in the grid."""
    why_new: str = ""
    """Why nothing is carried; empty if something is."""

    @property
    def number(self) -> int:
        """Tonight's, counted from 1."""
        return self.carried.nights + 1

    @property
    def wealth_before(self) -> float:
        """Wealth of the nights before at the claim, 1 on the first."""
        return _exp(self.carried.log_wealth(self.claimed))

    @property
    def refuted_before(self) -> bool:
        """Whether an earlier night has refuted the claim."""
        return self.carried.has_rejected(self.claimed)

    def after(self, result: AuditResult) -> Carried:
        """What is left after tonight."""
        assert result.night is not None
        assert result.rejected is not None
        return self.carried.after(result.night, result.rejected)


@final
@dataclass(frozen=True, slots=True)
class NightsFile:
    """The file."""

    path: Path
    """It need not exist."""

    def read(self) -> dict[str, Record]:
        """Records by audit; none where there is no file.

        Raises InvalidData for a file that is none of ours, or damaged. It is left as it is.
        """
        try:
            content = read_json(self.path, finite=True)
        except NoSuchFile:
            return {}
        except NotJSON as exc:
            raise InvalidData(self.foreign(str(exc))) from exc
        match content:
            case {"format": str(form), "digest": str(digest), "audits": dict(records)}:
                whole = form == FORMAT and digest == _digest(records) and len(content) == 3
            case _:
                whole, records = False, {}
        if not whole:
            raise InvalidData(self.foreign())
        wrong = next(filter(None, (wrong_in(record) for record in records.values())), "")
        if wrong:
            raise InvalidData(self.foreign(wrong))
        return records

    def foreign(self, wrong: str = "") -> str:
        """Say that the file is not one of this format, and what is wrong with it."""
        detail = f" ({wrong})" if wrong else ""
        return (
            f"{self.path} holds no wealth of earlier nights, or is damaged{detail}; it was left as "
            "it is: restore it, or remove it to begin anew"
        )

    def write(self, records: Mapping[str, Record]) -> None:
        """Replace the file as a whole.

        Raises InvalidArgument if it cannot be written.
        """
        content = {"format": FORMAT, "digest": _digest(records), "audits": records}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self.path, json.dumps(content, indent=1, allow_nan=False))
        except OSError as exc:
            msg = f"{self.path} cannot be written: {exc.strerror}"
            raise InvalidArgument(msg) from exc


@final
@dataclass(slots=True)
class Nights:
    """The nights of a gate's audits."""

    file: NightsFile
    """Where they are kept."""
    seed: int
    """Of the run: audits that begin anew get theirs from it."""
    records: dict[str, Record] = field(init=False)
    lock: Held | None = field(init=False)

    def __post_init__(self) -> None:
        """Read the file, and hold it: of two runs at once one would lose the other's night."""
        from audit.suite.changes.lock import hold

        self.lock = hold(self.file.path)
        try:
            self.records = self.file.read()
        except InvalidData:
            self.close()
            raise

    def close(self) -> None:
        """Let other runs have the file."""
        if self.lock is not None:
            self.lock.close()

    def begin(self, key: str, plan: PrivacyPlan, folder: Path) -> Night:
        """What tonight begins with.

        `key`: of the audit in its configuration. `plan`: the audit. `folder`: the working folder.
        """
        from audit.suite.changes.fingerprint import fingerprint

        axes, claimed, points = _grid_of(plan)
        about = {**fingerprint(plan, folder), "grid": axes}
        record, why_new = self.records.get(key), ""
        if record is None:
            why_new = "no earlier night is known"
        elif different := sorted(k for k in about if record["about"].get(k) != about[k]):
            why_new = f"changed since the last night: {', '.join(different)}"
        if why_new or record is None:
            record = {"about": about, "seed": _fresh_seed(self.seed, key), "nights": []}
            record |= {"log_invested": [], "rejected": []}
            self.records[key] = record
        if record["log_invested"] and len(record["log_invested"]) != points:
            raise InvalidData(self.file.foreign(f"{key!r} is about another grid"))
        carried = Carried(
            tuple(record["log_invested"]), tuple(record["rejected"]), len(record["nights"])
        )
        return Night(carried, night_seed(record["seed"], carried.nights + 1), claimed, why_new)

    def keep(self) -> None:
        """Write the file."""
        self.file.write(self.records)

    def book(self, key: str, night: Night, result: AuditResult) -> float:
        """Book what tonight was worth, and return the wealth of all nights together."""
        assert result.night is not None
        record, left = self.records[key], night.after(result)
        wealth = left.log_wealth(night.claimed)
        record["nights"].append(
            {
                "ended": datetime.now(UTC).isoformat(timespec="seconds"),
                "samples": result.samples,
                "log_value": result.night[night.claimed],
                "log_wealth": wealth,
                "verdict": result.verdict.value,
            }
        )
        record |= {"log_invested": list(left.log_invested), "rejected": list(left.rejected)}
        return _exp(wealth)


def night_seed(seed: int, number: int) -> int:
    """Seed of a night of an audit: below 2^32, so that it can be typed."""
    from audit.draws.streams import Purpose, derived_seed

    return derived_seed(seed, Purpose.NIGHT, number)


def _fresh_seed(seed: int, key: str) -> int:
    own = hashlib.sha256(key.encode(errors="surrogateescape")).digest()
    return night_seed(seed, int.from_bytes(own[:8]))


def _grid_of(plan: PrivacyPlan) -> tuple[str, int, int]:
    """Digest of the grid of nested claims, the place of the claim in it, and its points."""
    from audit.engine.allocation import FEW_PAIRS
    from audit.levels import grid_of

    grid = grid_of(
        plan.claim,
        user=plan.pairs[0].user,
        profile=plan.request.profile,
        coarse=len(plan.pairs) > FEW_PAIRS,
    )
    axes = [(axis.name, axis.values.tolist(), axis.share, axis.at) for axis in grid.axes]
    return _digest(axes), grid.claimed, grid.points


def _digest(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _exp(logarithm: float) -> float:
    return math.exp(logarithm) if logarithm < 700 else math.inf


def wrong_in(record: object) -> str:
    """What is wrong with a record; empty if nothing is.

    A file whose digest is right may still be none that was written: the digest tells what was
    damaged, and is no signature.
    """
    if not isinstance(record, dict):
        return "an audit is no object"
    wrong = _wrong_fields(record, FIELDS)
    if wrong:
        return wrong
    for night in record["nights"]:
        wrong = _wrong_fields(night, NIGHT)
        if wrong:
            return wrong
    lengths = len(record["log_invested"]), len(record["rejected"])
    if lengths[0] != lengths[1] or bool(record["nights"]) != bool(lengths[0]):
        return "nights, log_invested and rejected do not fit together"
    return ""


def _wrong_fields(record: object, fields: Mapping[str, Callable[[Any], bool]]) -> str:
    if not isinstance(record, dict) or record.keys() != fields.keys():
        return f"an object must have the keys {', '.join(fields)}"
    wrong = [name for name, fits in fields.items() if not fits(record[name])]
    return f"{wrong[0]} is of the wrong kind" if wrong else ""


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_wealth(value: Any) -> bool:
    return type(value) in {int, float} and math.isfinite(value) and LEAST <= value <= MOST


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_seed(value: Any) -> bool:
    return _is_count(value) and value < LARGEST_SEED


def _are(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "about": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    "seed": _is_seed,
    "nights": _are(lambda value: isinstance(value, dict)),
    "log_invested": _are(_is_wealth),
    "rejected": _are(lambda value: isinstance(value, bool)),
}
"""Of an audit."""

NIGHT: Mapping[str, Callable[[Any], bool]] = {
    "ended": _is_text,
    "samples": _is_count,
    "log_value": _is_wealth,
    "log_wealth": _is_wealth,
    "verdict": lambda value: isinstance(value, str) and value in set(Verdict),
}
"""Of one of its nights."""
