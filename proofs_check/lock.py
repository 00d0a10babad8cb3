"""The lock of the ledger: a line for each claim, with its status, its level, and two digests.

`ledger.lock` is in git, so that no claim, and nothing of one, changes without a line that changes.
`python -m proofs_check.lock` writes it anew and names what changed; with `--check` it writes
nothing, and compares the lock with what the checks find: kept results count, others are run.

The first digest is of the statement: its words, its formula and domain, the same of every object
that a check decides, and the constants of the checks. The second is of the checks, each with its
mutants, and of the steps that put them together. Both are of texts and exact numbers alone, so that
they are the same on every machine and in every run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from inspect import signature
from numbers import Rational
from typing import Any

from proofs_check.claim import Check, Claim
from proofs_check.decide import ClaimResult
from proofs_check.knowledge import FIELDS, FILE, rows
from proofs_check.prove import evidence, prove
from proofs_check.registry import claims
from proofs_check.statements.decision import statement_of
from proofs_check.statements.forms import Counterexample
from proofs_check.statements.notation import formula_text
from proofs_check.steps import stands_on
from proofs_check.store import Store, default_folder

__all__ = ["argument_digest", "differences", "main", "statement_digest", "written"]

LENGTH = 16
"""Hexadecimal digits of a digest: a change is overlooked with probability 2^-64."""


def written(results: Mapping[str, ClaimResult] | None = None) -> str:
    """Return the lock as it should be.

    Parameters
    ----------
    results : mapping of str to ClaimResult, optional
        What a run found; a claim that is not among them counts as registered.
    """
    found = results or {}
    lines = ["\t".join(FIELDS)]
    for name, claim in claims().items():
        level = evidence(name, found)
        status = found[name].status if name in found else claim.status
        known = level.level.value if level else ""
        digests = (statement_digest(claim), argument_digest(claim))
        lines.append("\t".join((name, status.value, known, *digests)))
    return "\n".join(lines) + "\n"


def statement_digest(claim: Claim) -> str:
    """Return the digest of what is claimed: as told, as decided, and the constants decided on."""
    told = (claim.source, claim.says, claim.latex, claim.domain, claim.printed_domain)
    wrong = (claim.why, claim.right, claim.corrected_by, claim.errata)
    return _digest([*told, *wrong, claim.ours, *(_decided(check) for check in claim.checks)])


def _decided(check: Check) -> list[Any]:
    constants = {name: p.default for name, p in signature(check.decide).parameters.items()}
    made = statement_of(check)
    if made is None:
        return [check.name, _plain(constants)]
    at = made.point() if isinstance(made, Counterexample) else ""
    conclusion = formula_text(made.quantified.conclusion)
    return [check.name, _plain(constants), made.domain_words(), conclusion, at]


def argument_digest(claim: Claim) -> str:
    """Return the digest of how it is known: checks with their mutants, parts and steps."""
    checks = [
        [c.name, c.says, c.method.name, c.role.name, c.refutes, c.cases, _plain(c.mutants)]
        for c in claim.checks
    ]
    parts = [[part.what, part.check] for part in claim.obligations]
    steps = [[*stands_on(step), step.says] for step in claim.steps]
    return _digest([checks, parts, steps, claim.assumes])


def differences(before: str, after: str) -> list[str]:
    """Return a line for each claim of which two locks say different things, and in what."""
    old, new = rows(before), rows(after)
    changed = []
    for name in dict.fromkeys([*old, *new]):
        if name not in old or name not in new:
            changed.append(f"{name}: {'gone' if name in old else 'new'}")
        elif old[name] != new[name]:
            changed.append(f"{name}: {', '.join(_changed(old[name], new[name]))}")
    if not changed and before != after:
        changed.append("the order of the lines, or their form")
    return changed


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for field in ("status", "level"):
        if old[field] != new[field]:
            yield f"{field} ({old[field] or 'none'}, now {new[field] or 'none'})"
    if old["statement"] != new["statement"]:
        yield "statement"
    if old["checks"] != new["checks"]:
        yield "checks or steps"


def _plain(value: object) -> Any:
    """A constant as JSON has it; of a function its name, as no other text of it is stable."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Rational):
        return str(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, Mapping):
        return [[_plain(key), _plain(one)] for key, one in value.items()]
    if isinstance(value, tuple | range):
        return [_plain(one) for one in value]
    if callable(value):
        return getattr(value, "__name__", type(value).__name__)
    msg = f"the lock has no text of a constant of {type(value)}, got {value!r}"
    raise TypeError(msg)


def _digest(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:LENGTH]


def main(words: list[str]) -> int:
    """Write the lock, or compare; 1 if something differs that should not, or is gone."""
    parser = argparse.ArgumentParser(prog="python -m proofs_check.lock", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what the checks find")
    check = parser.parse_args(words).check
    results = prove([*claims().values()], store=Store(default_folder())) if check else {}
    before = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    after = written(results)
    changed = differences(before, after)
    sys.stdout.write("".join(f"{line}\n" for line in changed))
    if check:
        sys.stdout.write(f"{len(claims())} claims; {len(changed)} differ from {FILE.name}\n")
        return int(bool(changed))
    gone = [name for name in rows(before) if name not in claims()]
    if gone:
        msg = f"{gone} gone: an id stays; if it must go, its line is deleted by hand\n"
        sys.stdout.write(msg)
        return 1
    FILE.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
