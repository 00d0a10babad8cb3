"""What a strict type checker says of a user's file."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import audit
from audit.levels import LEVELS

REVEALED = {
    'audit.audit("x")': "audit.results.sampled_result.AuditResult",
    'audit.audit("x", epsilon=1, relation="swap", seed=None)': (
        "audit.results.sampled_result.AuditResult"
    ),
    'audit.audit("x", mode="bound", budget_samples="detectable")': (
        "audit.results.sampled_result.AuditResult"
    ),
    'audit.audit("x", mode="exact")': "audit.results.exact_result.ExactResult",
    'audit.prove("x", multisets="3,3")': "audit.results.exact_result.ExactResult",
    'audit.sensitivity("x", norm="l1", at_most="1/2")': (
        "audit.stability.sensitivity_result.SensitivityResult"
    ),
    'audit.account("x", claim=1)': "audit.accounting.account_result.AccountResult",
    'audit.accuracy("x", mse="1/10")': "audit.utility.error_result.UtilityResult",
    'audit.survey("x", only="y", resolution=2)': "audit.surveys.survey_result.SurveyResult",
    "audit.gate(reference=True, seed=1)": "audit.suite.gate_outcome.GateResult",
    'audit.verify("x")': "audit.certificate.certificate_form.Certificate",
    'audit.load("x", low=0)': "audit.targets.target.Target",
    'audit.draw("x", [0.0], 3, seed=1)': "list[Any]",
    'audit.recount("x", 0.0, 1.0, bool, draws=3, seed=1)': "tuple[int, int]",
    'audit.pure(1, relation="swap")': "mechanisms.claims.PrivacyClaim",
    'audit.trade_off([(0, 1), (1, 0)], relation="swap")': "mechanisms.claims.PrivacyClaim",
    'audit.mechanism(audit.pure(1, relation="swap"))(mean)': "def (data: list[float]) -> float",
    'audit.audit("x").verdict': "audit.results.base_result.Verdict",
    'audit.audit("x").limits["epsilon"]': "float",
    'audit.audit("x").expect("proved")': "audit.results.sampled_result.AuditResult",
    'audit.audit("x").witness': "audit.results.refutation.Witness | None",
    'ts.prove("x")': "audit.results.exact_result.ExactResult",
}
"""Expressions of a user, and their types."""

ERRORS = {
    'audit.audit("x", epsilom=1)': "call-overload",
    'audit.audit("x", mode="exact", seed=1)': "call-overload",
    'audit.prove("x", epsilom=1)': "call-arg",
    'audit.prove("x", epsilon=[1])': "arg-type",
    'audit.audit("x", epsilon=1, relation="swop")': "call-overload",
    'audit.audit("x", order="any")': "call-overload",
    'audit.prove("x", relation="swop")': "arg-type",
    'audit.gate(backend="slurm")': "arg-type",
    'audit.gate(inconclusive="okay")': "arg-type",
    'audit.pure(1, relation="swop")': "arg-type",
    'audit.mechanism(audit.pure(1, relation="swap"), order="any")': "arg-type",
    'audit.audit("x").expect("prooved")': "arg-type",
    "audit.pure(1)": "call-arg",
    "audit.nothing": "attr-defined",
    "ts.nothing": "attr-defined",
    'audit.account({}, relation="swop")': "arg-type",
    'audit.sensitivity("x", norm="l3")': "arg-type",
}
"""Expressions that are wrong, and the code of the error."""

HEAD = """\
import audit
import touchstone_dp as ts


def mean(data: list[float]) -> float:
    return sum(data)


"""


def test_every_function_has_a_type() -> None:
    """It must hold that the table above speaks of each function and decorator."""
    functions = {name for name in audit.__all__ if inspect.isfunction(getattr(audit, name))}
    constructors = {kind.constructor for kind in LEVELS} - {"pure", "trade_off"}
    said = " ".join(REVEALED)
    assert {name for name in functions if f"audit.{name}(" not in said} == constructors


@pytest.mark.slow
def test_types_of_a_users_file(tmp_path: Path) -> None:
    """It must hold that each expression has its type or its error, and that there is no other."""
    lines = [f"reveal_type({expression})" for expression in REVEALED]
    (tmp_path / "user.py").write_text(HEAD + "\n".join([*lines, *ERRORS]) + "\n")
    root = str(Path(audit.__file__).parents[1])
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-error-summary"]
    done = subprocess.run(
        [*command, "--ignore-missing-imports", "--follow-imports=silent", "user.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    said: dict[int, list[str]] = {}
    for number, text in re.findall(r"^user\.py:(\d+): (.*)$", done.stdout, re.MULTILINE):
        said.setdefault(int(number) - HEAD.count("\n") - 1, []).append(text)
    for place, kind in enumerate(REVEALED.values()):
        revealed = kind.replace("list[", "builtins.list[").replace("float", "builtins.float")
        texts = {t.replace("builtins.", "") for t in said.pop(place, [])}
        assert texts == {f'note: Revealed type is "{revealed.replace("builtins.", "")}"'}
    for place, code in enumerate(ERRORS.values(), start=len(REVEALED)):
        assert any(text.endswith(f"[{code}]") for text in said.pop(place, [])), code
    assert said == {}, done.stdout
    assert 'did you mean "epsilon"' in done.stdout
