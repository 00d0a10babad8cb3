"""Touchstone tells whether a differentially private mechanism keeps its promise.

>>> import audit
>>> audit.prove("ksw.swap-laplace").verdict.value
'PROVED'

`audit.audit`, `prove` and `accuracy` audit a mechanism, `sensitivity` tests a query without noise,
`account` adds up what a list of releases loses together, `survey` audits a library, `gate` runs all
that a configuration lists, and `verify` rechecks a certificate. Claims are made by `pure`,
`approx`, `zcdp`, `gdp`, `renyi`, `total_variation`, `trade_off` and `personalized`, and attached by
the decorator `mechanism`. Names are loaded when they are first read, so that importing this package
imports no other part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.results import showing as _showing

if TYPE_CHECKING:
    from typing import Any

    from audit.accounting.account_result import AccountResult as AccountResult
    from audit.api.account_function import account as account
    from audit.api.accuracy_function import accuracy as accuracy
    from audit.api.audits import audit as audit
    from audit.api.audits import prove as prove
    from audit.api.certificates import verify as verify
    from audit.api.configurations import gate as gate
    from audit.api.libraries import survey as survey
    from audit.api.sensitivity_function import sensitivity as sensitivity
    from audit.api.targets import draw as draw
    from audit.api.targets import load as load
    from audit.api.targets import recount as recount
    from audit.certificate.certificate_form import Certificate as Certificate
    from audit.declaration import mechanism as mechanism
    from audit.levels.claim_constructors import approx as approx
    from audit.levels.claim_constructors import gdp as gdp
    from audit.levels.claim_constructors import personalized as personalized
    from audit.levels.claim_constructors import pure as pure
    from audit.levels.claim_constructors import renyi as renyi
    from audit.levels.claim_constructors import total_variation as total_variation
    from audit.levels.claim_constructors import trade_off as trade_off
    from audit.levels.claim_constructors import zcdp as zcdp
    from audit.results.base_result import Result as Result
    from audit.results.exact_result import ExactResult as ExactResult
    from audit.results.sampled_result import AuditResult as AuditResult
    from audit.results.verdict import Limits as Limits
    from audit.results.verdict import Verdict as Verdict
    from audit.stability.sensitivity_result import SensitivityResult as SensitivityResult
    from audit.suite.gate_outcome import GateResult as GateResult
    from audit.surveys.survey_result import SurveyResult as SurveyResult
    from audit.targets.target import Target as Target
    from audit.utility.error_result import UtilityResult as UtilityResult
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
    "audit.accounting.account_result": ("AccountResult",),
    "audit.api.audits": ("audit", "prove"),
    "audit.api.certificates": ("verify",),
    "audit.api.configurations": ("gate",),
    "audit.api.accuracy_function": ("accuracy",),
    "audit.api.libraries": ("survey",),
    "audit.api.sensitivity_function": ("sensitivity",),
    "audit.api.targets": ("draw", "load", "recount"),
    "audit.api.account_function": ("account",),
    "audit.certificate.certificate_form": ("Certificate",),
    "audit.declaration": ("mechanism",),
    "audit.results.exact_result": ("ExactResult",),
    "audit.levels.claim_constructors": (
        *("approx", "gdp", "personalized", "pure", "renyi", "total_variation", "trade_off"),
        "zcdp",
    ),
    "audit.results.verdict": ("Limits", "Verdict"),
    "audit.results.base_result": ("Result",),
    "audit.stability.sensitivity_result": ("SensitivityResult",),
    "audit.suite.gate_outcome": ("GateResult",),
    "audit.surveys.survey_result": ("SurveyResult",),
    "audit.targets.target": ("Target",),
    "audit.utility.error_result": ("UtilityResult",),
    "audit.results.sampled_result": ("AuditResult",),
    "mechanisms.claims": ("PrivacyClaim",),
    "mechanisms.errors": (
        *("CertificateError", "InvalidArgument", "InvalidData", "MissingExtra", "NotImplied"),
        *("ShadowedPackage", "TouchstoneError", "UnexpectedVerdict"),
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
"""Module of each public name."""


def _reports() -> _showing.Reports:
    from audit.report import present

    return present


_showing.shown_by(_reports)

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
