"""The totals of released accountants beside the exact one.

A library's epsilon is a claim. It is SOUND from the upper end on, and LOOSE where it is more than
1.01 times that; it is UNSOUND below the lower end. An accountant that counts in machine numbers may
be below by their last digits: that is said by its own name, and refutes nothing.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import final

from audit.accounting.peers.claimed_total import NotSaid, Total
from audit.accounting.release_plan import AccountClaim, Step
from mechanisms.errors import InvalidArgument, close_names
from mechanisms.validation import shown
from proofs_check.ends import Enclosed

__all__ = ["PEERS", "PeerComparison", "Standing", "check_peers", "compared"]

PEERS = {
    "dp-accounting": "audit.accounting.peers.dp_accounting",
    "autodp": "audit.accounting.peers.autodp",
    "prv-accountant": "audit.accounting.peers.prv",
    "opendp": "audit.accounting.peers.opendp_totals",
}
"""Distributions, and the module that asks each."""

LOOSE = Fraction(101, 100)
"""A total this many times the exact one is called loose."""

ROUNDING = Fraction(1, 10**9)
"""Of the lower end: what machine numbers of an accountant that adds up well may lack."""


@final
class Standing(Enum):
    """How a claimed total stands to the exact one."""

    SOUND = "SOUND"
    LOOSE = "LOOSE"
    UNSOUND = "UNSOUND"
    ROUNDING = "BELOW BY ROUNDING"
    OPEN = "INCONCLUSIVE"
    NOT_SAID = "NOT SAID"


@final
@dataclass(frozen=True, slots=True)
class PeerComparison:
    """One accountant of a library, what it claims, and how that stands."""

    library: str
    """The distribution, and its version where it is installed."""
    accountant: str
    total: Total
    standing: Standing
    factor: float | None = None
    """Claim over upper end where it is loose, lower end over claim where it is unsound."""


def check_peers(names: object) -> tuple[str, ...]:
    """Read names of libraries, with commas between.

    Raises InvalidArgument if one is none of `PEERS`.
    """
    if not isinstance(names, str):
        msg = (
            f"compare must be names of libraries, got {shown(names)} (type {type(names).__name__})"
        )
        raise InvalidArgument(msg)
    found = tuple(dict.fromkeys(name.strip() for name in names.split(",")))
    for name in found:
        if name not in PEERS:
            msg = f"compare must name some of {', '.join(PEERS)}, got {name!r}"
            raise InvalidArgument(msg + close_names(name, PEERS))
    return found


def compared(
    names: tuple[str, ...], steps: tuple[Step, ...], claim: AccountClaim, exact: Enclosed
) -> Iterator[PeerComparison]:
    """Ask each library for the total of the steps."""
    done = tuple(step for step in steps if step.count)
    for name in names:
        try:
            number = version(name)
        except PackageNotFoundError:
            why = "not installed (pip install 'touchstone-dp[accountants]')"
            yield _silent(name, why)
            continue
        library = f"{name} {number}"
        try:
            module = import_module(PEERS[name])
            if not done or not claim.delta:
                msg = "it is not asked for the total of nothing, or at delta 0"
                raise NotSaid(msg)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the library's numerics
                found = module.totals(done, claim)
        except NotSaid as exc:
            yield _silent(library, str(exc))
        except Exception as exc:  # noqa: BLE001 - whatever a library raises is what it says
            yield _silent(library, f"{type(exc).__name__}: {str(exc).partition(chr(10))[0]}")
        else:
            yield from (_standing(library, total, exact) for total in found)


def _silent(library: str, why: str) -> PeerComparison:
    return PeerComparison(library, "", Total("", None, why_not=why), Standing.NOT_SAID)


def _standing(library: str, total: Total, exact: Enclosed) -> PeerComparison:
    said = total.epsilon
    if said is None or math.isnan(said):
        return PeerComparison(library, total.accountant, total, Standing.NOT_SAID)
    if exact.lower is None:
        kind = Standing.SOUND if math.isinf(said) else Standing.UNSOUND
        return PeerComparison(library, total.accountant, total, kind)
    lower, upper = exact.lower, exact.upper
    if math.isinf(said) or (upper is not None and Fraction(said) >= upper):
        factor = math.inf if math.isinf(said) or not upper else float(Fraction(said) / upper)
        kind = Standing.LOOSE if factor > LOOSE else Standing.SOUND
        is_loose = kind is Standing.LOOSE
        return PeerComparison(library, total.accountant, total, kind, factor if is_loose else None)
    claimed = Fraction(said)
    if claimed >= lower:
        return PeerComparison(library, total.accountant, total, Standing.OPEN)
    if claimed >= lower * (1 - ROUNDING):
        return PeerComparison(library, total.accountant, total, Standing.ROUNDING)
    factor = float(lower / claimed) if claimed > 0 else math.inf
    return PeerComparison(library, total.accountant, total, Standing.UNSOUND, factor)
