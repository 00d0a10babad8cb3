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
from audit.accounting.peers.comparison import Standing
from audit.accounting.words import compared_words, epsilon_words
from proofs_check.tables import accountant_claims
from proofs_check.tables.accountant_claims import Claimed
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

from typing import NamedTuple, final

__all__ = ["CLAIMED", "DATE", "Claimed"]

DATE = "{date}"


@final
class Claimed(NamedTuple):
    """A claim: mechanisms, how often, relation, delta, the accountant and its epsilon."""

    steps: str
    k: int
    relation: str
    delta: str
    accountant: str
    epsilon: str


# fmt: off
CLAIMED = (
'''


def step_of(words: str, count: int) -> dict[str, Any]:
    """A mechanism of tables as a step of a plan."""
    name, *pairs = mechanism_words(words).split()
    step: dict[str, Any] = {"event": name, "count": count}
    for word, value in (pair.split("=") for pair in pairs):
        step[word] = int(value) if value.isdecimal() else value
    return step if name == "randomized-response" else step | {"sensitivity": 1}


def asked() -> Iterator[tuple[Claimed, bool, str]]:
    """Each claim, whether it is unsound, and what is to be printed of it."""
    for (words, count, relation, delta), (libraries, _) in SUMS.items():
        plan = {"step": [step_of(words, count)]}
        result = audit.account(plan, relation=relation, delta=delta, compare=libraries)
        total = f"{count} of {words}, {relation}, delta {delta}: {epsilon_words(result.epsilon)}"
        for one in result.compared:
            print(f"{total}; {one.library} {one.accountant}: {compared_words(one)}", flush=True)
            said = one.total.epsilon
            if said is not None and math.isfinite(said):
                name = f"{one.library} {one.accountant}"
                text = mechanism_words(words), count, relation, delta, name, repr(said)
                yield Claimed(*text), one.standing is Standing.UNSOUND, one.accountant


def _record(claims: list[Claimed]) -> None:
    rows = "".join(f"    Claimed{tuple(claim)!r},\n" for claim in claims)
    head = HEAD.format(date=datetime.now(UTC).date().isoformat())
    FILE.write_text(f'{head}{rows})\n"""What they said."""\n'.replace("'", '"'), encoding="utf-8")


def main() -> None:
    """Ask, print, and compare with what is recorded and known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true")
    record = parser.parse_args().record
    found = list(asked())
    if record:
        _record([claim for claim, _, _ in found])
    known = {claim[:5]: float(claim.epsilon) for claim in accountant_claims.CLAIMED}
    other = [
        claim
        for claim, _, _ in found
        if not math.isclose(known.get(claim[:5], math.nan), float(claim.epsilon), rel_tol=1e-6)
    ]
    wrong = [
        claim
        for claim, is_unsound, accountant in found
        if is_unsound != (accountant in SUMS[claim[:4]][1])
    ]
    for claim in () if record else other:
        print(f"not as recorded: {claim}")
    for claim in wrong:
        print(f"not known to stand so: {claim}")
    print(f"{len(found)} claims, {len(wrong)} of another standing than is known")
    raise SystemExit(1 if wrong or (other and not record) else 0)


if __name__ == "__main__":
    main()
