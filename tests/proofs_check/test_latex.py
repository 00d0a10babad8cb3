"""Formulas of the ledger are LaTeX: commands that exist, braces and fences in pairs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from proofs_check.registry import claims

PAPERS = Path(__file__).parents[2] / "proofs_check" / "papers"

COMMANDS = frozenset(
    re.findall(
        r"\w+",
        """
        alpha arg bar begin beta bmod Big big bigl Bigl Bigr bigr boldsymbol bot cap cdot circ cosh
        cup ddot Delta delta dot dots downarrow ell emptyset end equiv eta exists exp forall
        frac gamma Gamma ge gg hat iff implies in inf infty int kappa lambda Lambda lceil le
        left Leftrightarrow lfloor ln log mapsto mathbb mathcal mathit mathrm max mid min mp mu
        ne ni not notin oint
        Omega omega operatorname partial Phi phi pi pm Pr prod propto psi qquad quad rceil
        rfloor rho right Rightarrow setminus sigma sim sinh sqrt subset subseteq succ sum sup
        tanh tau text textstyle tfrac Theta theta tilde to varepsilon varphi vee widehat widetilde
        xi zeta
        """,
    )
)
"""Known commands; a new one is looked at before it is written here."""
TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}]|[^\\{}]+", re.DOTALL)


def faults(text: str) -> list[str]:
    """What is wrong with a formula."""
    found: list[str] = []
    depth = fences = 0
    if any(ord(letter) < 32 or letter == "$" for letter in text):
        found.append("a control character or a dollar sign")
    tokens = TOKEN.findall(text)
    if "".join(tokens) != text:
        found.append("a last backslash")
    for token in tokens:
        depth += (token == "{") - (token == "}")
        fences += (token == r"\left") - (token == r"\right")
        if depth < 0 or fences < 0:
            found.append(f"{token} closes nothing")
        if len(token) > 2 and token[0] == "\\" and token[1:] not in COMMANDS:
            found.append(f"no command {token}")
    if depth or fences:
        found.append("a brace or a fence stays open")
    return found


def test_every_formula_of_the_ledger_is_one() -> None:
    """It must hold that nothing is unbalanced, misspelt, or eaten by an escape."""
    wrong = {c.id: found for c in claims().values() if (found := faults(c.latex))}
    assert wrong == {}


@pytest.mark.parametrize(
    "text",
    ["\tfrac12", r"\fracc12", r"\frac{1}{2", r"\left( x", r"x \right)", r"}{", "$x$", "x\\"],
    ids=range(8),
)
def test_a_broken_formula_is_told(text: str) -> None:
    """It must hold of each kind of fault: the first is a tab and "frac12"."""
    assert faults(text)


def test_no_text_of_the_ledger_has_a_control_character() -> None:
    """It must hold of every field in words."""
    wrong = [
        claim.id
        for claim in claims().values()
        for text in (claim.source, claim.says, claim.domain, claim.why, claim.right, claim.note)
        if any(ord(letter) < 32 for letter in text)
    ]
    assert wrong == []


def is_raw(segment: str) -> bool:
    """Whether a string in source is raw, or has no backslash that could be eaten."""
    return "\\" not in segment or segment.lower().startswith(("r", "rf", "fr"))


def test_formulas_are_raw_strings() -> None:
    """It must hold of each `latex=` in the papers, part by part."""
    assert is_raw(r'r"\frac"')
    assert not is_raw(r'"\frac"')
    wrong = []
    for path in PAPERS.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.keyword) and node.arg == "latex":
                value = ast.get_source_segment(source, node.value) or ""
                parts = re.findall(r'[A-Za-z]*"(?:[^"\\]|\\.)*"', value)
                wrong += [(path.name, part) for part in parts if not is_raw(part)]
    assert wrong == []
