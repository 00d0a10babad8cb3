"""Touchstone tells whether a differentially private mechanism keeps its promise.

>>> import audit
>>> audit.prove("ksw.swap-laplace").verdict.value
'PROVED'

`audit.audit`, `prove` and `accuracy` audit a mechanism, `sensitivity` tests a query without noise,
`account` adds up what a list of releases loses together, `survey` audits a library, `gate` runs all
that a configuration lists, and `verify` rechecks a certificate. Claims are made by `pure`,
`approx`, `zcdp`, `gdp`, `renyi`, `total_variation`, `trade_off` and `personalized`, and attached by
the decorator `mechanism`. Names are loaded when they are first read, so that importing this package
imports nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from audit.accounting.result import AccountResult as AccountResult
    from audit.api.audits import audit as audit
    from audit.api.audits import prove as prove
    from audit.api.certificates import verify as verify
    from audit.api.configurations import gate as gate
    from audit.api.errors import accuracy as accuracy
    from audit.api.libraries import survey as survey
    from audit.api.queries import sensitivity as sensitivity
    from audit.api.targets import draw as draw
    from audit.api.targets import load as load
    from audit.api.targets import recount as recount
    from audit.api.totals import account as account
    from audit.certificate.document import Certificate as Certificate
    from audit.declaration import mechanism as mechanism
    from audit.exact_result import ExactResult as ExactResult
    from audit.levels.constructors import approx as approx
    from audit.levels.constructors import gdp as gdp
    from audit.levels.constructors import personalized as personalized
    from audit.levels.constructors import pure as pure
    from audit.levels.constructors import renyi as renyi
    from audit.levels.constructors import total_variation as total_variation
    from audit.levels.constructors import trade_off as trade_off
    from audit.levels.constructors import zcdp as zcdp
    from audit.result import Limits as Limits
    from audit.result import Result as Result
    from audit.result import Verdict as Verdict
    from audit.stability.result import SensitivityResult as SensitivityResult
    from audit.suite.outcome import GateResult as GateResult
    from audit.surveys.result import SurveyResult as SurveyResult
    from audit.targets.target import Target as Target
    from audit.utility.result import UtilityResult as UtilityResult
    from audit.verdict import AuditResult as AuditResult
    from mechanisms.claims import PrivacyClaim as PrivacyClaim
    from mechanisms.errors import CertificateError as CertificateError
    from mechanisms.errors import InvalidArgument as InvalidArgument
    from mechanisms.errors import InvalidData as InvalidData
    from mechanisms.errors import MissingExtra as MissingExtra
    from mechanisms.errors import NotImplied as NotImplied
    from mechanisms.errors import ShadowedPackage as ShadowedPackage
    from mechanisms.errors import TouchstoneError as TouchstoneError
    from mechanisms.errors import UnexpectedVerdict as UnexpectedVerdict

__all__ = [
    "AccountResult",
    "AuditResult",
    "Certificate",
    "CertificateError",
    "ExactResult",
    "GateResult",
    "InvalidArgument",
    "InvalidData",
    "Limits",
    "MissingExtra",
    "NotImplied",
    "PrivacyClaim",
    "Result",
    "SensitivityResult",
    "ShadowedPackage",
    "SurveyResult",
    "Target",
    "TouchstoneError",
    "UnexpectedVerdict",
    "UtilityResult",
    "Verdict",
    "account",
    "accuracy",
    "approx",
    "audit",
    "draw",
    "gate",
    "gdp",
    "load",
    "mechanism",
    "personalized",
    "prove",
    "pure",
    "recount",
    "renyi",
    "sensitivity",
    "survey",
    "total_variation",
    "trade_off",
    "verify",
    "zcdp",
]

_HOMES = {
    "audit.accounting.result": ("AccountResult",),
    "audit.api.audits": ("audit", "prove"),
    "audit.api.certificates": ("verify",),
    "audit.api.configurations": ("gate",),
    "audit.api.errors": ("accuracy",),
    "audit.api.libraries": ("survey",),
    "audit.api.queries": ("sensitivity",),
    "audit.api.targets": ("draw", "load", "recount"),
    "audit.api.totals": ("account",),
    "audit.certificate.document": ("Certificate",),
    "audit.declaration": ("mechanism",),
    "audit.exact_result": ("ExactResult",),
    "audit.levels.constructors": (
        *("approx", "gdp", "personalized", "pure", "renyi", "total_variation", "trade_off"),
        "zcdp",
    ),
    "audit.result": ("Limits", "Result", "Verdict"),
    "audit.stability.result": ("SensitivityResult",),
    "audit.suite.outcome": ("GateResult",),
    "audit.surveys.result": ("SurveyResult",),
    "audit.targets.target": ("Target",),
    "audit.utility.result": ("UtilityResult",),
    "audit.verdict": ("AuditResult",),
    "mechanisms.claims": ("PrivacyClaim",),
    "mechanisms.errors": (
        *("CertificateError", "InvalidArgument", "InvalidData", "MissingExtra", "NotImplied"),
        *("ShadowedPackage", "TouchstoneError", "UnexpectedVerdict"),
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
"""Module of each public name."""

if not TYPE_CHECKING:  # else every misspelt attribute would have a type

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            msg = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(msg)
        import importlib

        value = globals()[name] = getattr(importlib.import_module(_HOME[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted([*globals(), *_HOME])
