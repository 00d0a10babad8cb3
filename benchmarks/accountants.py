"""Totals that released accountants claim: asked anew, and recorded for the table of them.

`python -m benchmarks.accountants`, with the extra `accountants`: each sum is one account with
`--compare`, and what is claimed is compared with what is recorded: exit status 1 if they differ by
more than a millionth (other versions may), or if an accountant is unsound that is not known to be,
or sound that is. `--record` writes `proofs_check/tables/accountant_claims.py` anew. Nothing is
drawn.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import audit
from audit.accounting.account_sentences import compared_words, epsilon_words
from audit.accounting.peers.comparison import Standing
from proofs_check.tables import accountant_claims
from proofs_check.tables.mechanism_words import mechanism_words

ALL = "dp-accounting,autodp,prv-accountant,opendp"
GOOGLE = "dp-accounting"
"""Alone, of many steps and small delta: the others take minutes."""
PLD, RDP = "PLDAccountant", "RdpAccountant"

SAMPLED = "poisson-gaussian q=0.01 sigma=1"
FEW = "poisson-gaussian q=0.001 sigma=0.8"
RESPONSE = "randomized-response keep=0.5 categories=2"

Sum = tuple[str, int, str, str]

SUMS: dict[Sum, tuple[str, tuple[str, ...]]] = {
    ("gaussian sigma=5", 1, "add-remove", "1e-5"): (ALL, ()),
    ("gaussian sigma=5", 100, "add-remove", "1e-5"): (ALL, ()),
    ("gaussian sigma=5", 1, "swap", "1e-5"): (ALL, (RDP,)),
    ("gaussian sigma=5", 100, "swap", "1e-5"): (ALL, (RDP,)),
    ("laplace scale=10", 100, "add-remove", "1e-5"): (ALL, ()),
    ("laplace scale=10", 1, "swap", "1e-5"): (ALL, (RDP,)),
    ("laplace scale=10", 100, "swap", "1e-5"): (ALL, (RDP,)),
    (RESPONSE, 10, "swap", "1e-5"): (ALL, (PLD,)),
    (RESPONSE, 100, "swap", "1e-5"): (ALL, (PLD,)),
    (SAMPLED, 1, "add-remove", "1e-5"): (ALL, ()),
    (SAMPLED, 10, "add-remove", "1e-5"): (ALL, ()),
    (SAMPLED, 100, "add-remove", "1e-5"): (ALL, ()),
    (SAMPLED, 1000, "add-remove", "1e-5"): (ALL, ()),
    (SAMPLED, 10_000, "add-remove", "1e-5"): (GOOGLE, ()),
    (SAMPLED, 10_000, "add-remove", "1e-9"): (GOOGLE, (PLD,)),
    (SAMPLED, 10_000, "add-remove", "1e-10"): (GOOGLE, (PLD,)),
    (SAMPLED, 10_000, "add-remove", "1e-11"): (GOOGLE, (PLD,)),
    (SAMPLED, 10_000, "add-remove", "1e-12"): (GOOGLE, (PLD,)),
    (SAMPLED, 10_000, "add-remove", "1e-14"): (GOOGLE, ()),
    (SAMPLED, 3000, "add-remove", "1e-9"): (GOOGLE, ()),
    (SAMPLED, 3000, "add-remove", "1e-10"): (GOOGLE, (PLD,)),
    (SAMPLED, 3000, "add-remove", "1e-11"): (GOOGLE, (PLD,)),
    (SAMPLED, 3000, "add-remove", "1e-12"): (GOOGLE, (PLD,)),
    (FEW, 10_000, "add-remove", "1e-6"): (GOOGLE, ()),
    (FEW, 10_000, "add-remove", "1e-10"): (GOOGLE, ()),
    ("laplace scale=10", 1000, "add-remove", "1e-5"): (GOOGLE, ()),
    ("laplace scale=10", 1000, "add-remove", "1e-10"): (GOOGLE, ()),
}
"""Mechanisms, how often, relation and delta: who is asked, and who claims too little."""

FILE = Path(accountant_claims.__file__)
HEAD = '''"""Epsilons that released accountants claim: recorded, so that tables need none of them.

Written by `python -m benchmarks.accountants --record` on {date}; each is what the accountant of
this version returned for the sum, as its float is written.
"""

from __future__ import annotations

__all__ = ["CLAIMED", "DATE"]

DATE = "{date}"
"""On which they were asked."""

CLAIMED: dict[tuple[str, int, str, str], dict[str, str]] = {{
'''
TAIL = '''}}
"""Mechanisms, how often, relation and delta; what each accountant claims."""
'''

Found = tuple[Sum, str, str]
"""A sum, an accountant, and the epsilon that it claims."""


def step_of(words: str, count: int) -> dict[str, Any]:
    """A mechanism of tables as a step of a plan."""
    name, *pairs = mechanism_words(words).split()
    step: dict[str, Any] = {"event": name, "count": count}
    for word, value in (pair.split("=") for pair in pairs):
        step[word] = int(value) if value.isdecimal() else value
    return step if name == "randomized-response" else step | {"sensitivity": 1}


def asked() -> Iterator[tuple[Found, bool]]:
    """Each claim, and whether it is of another standing than is known."""
    for one, (libraries, known) in SUMS.items():
        words, count, relation, delta = one
        plan = {"step": [step_of(words, count)]}
        result = audit.account(plan, relation=relation, delta=delta, compare=libraries)
        total = f"{count} of {words}, {relation}, delta {delta}: {epsilon_words(result.epsilon)}"
        for claim in result.compared:
            name = f"{claim.library} {claim.accountant}"
            print(f"{total}; {name}: {compared_words(claim)}", flush=True)
            said = claim.total.epsilon
            if said is not None and math.isfinite(said):
                is_unsound = claim.standing is Standing.UNSOUND
                yield (one, name, repr(said)), is_unsound != (claim.accountant in known)


def _record(found: list[Found]) -> None:
    """Write the module of claims."""
    lines = []
    for one in SUMS:
        lines.append(f"    {one!r}: {{")
        lines += [f"        {name!r}: {said!r}," for which, name, said in found if which == one]
        lines.append("    },")
    body = "\n".join(lines).replace("'", '"')
    date = datetime.now(UTC).date().isoformat()
    FILE.write_text(f"{HEAD.format(date=date)}{body}\n{TAIL.format()}", encoding="utf-8")


def main() -> None:
    """Ask, print, and compare with what is recorded and known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    record = parser.parse_args().record
    found = list(asked())
    if record:
        _record([claim for claim, _ in found])
    wrong = [claim for claim, is_other in found if is_other]
    other = [claim for claim, _ in found if not _is_recorded(*claim)]
    for claim in () if record else other:
        print(f"not as recorded: {claim}")
    for claim in wrong:
        print(f"not known to stand so: {claim}")
    print(f"{len(found)} claims, {len(wrong)} of another standing than is known")
    raise SystemExit(1 if wrong or (other and not record) else 0)


def _is_recorded(one: Sum, name: str, said: str) -> bool:
    """To a millionth: other versions of numpy add up in another order."""
    known = float(accountant_claims.CLAIMED.get(one, {}).get(name, "nan"))
    return math.isclose(known, float(said), rel_tol=1e-6)


if __name__ == "__main__":
    main()
