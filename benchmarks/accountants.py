"""Totals of released accountants that are below what is lost, beside the exact ones.

`python -m benchmarks.accountants`, with the extra `accountants`: each row is one account with
`--compare dp-accounting,autodp,prv-accountant,opendp`. Exit status 1 if an accountant is unsound
that is not listed, or sound that is. Nothing is drawn.
"""

from __future__ import annotations

from typing import Any

import audit
from audit.accounting.peers.comparison import Standing
from audit.accounting.words import compared_words, epsilon_words

LIBRARIES = "dp-accounting,autodp,prv-accountant,opendp"
GAUSSIAN = {"event": "gaussian", "sigma": 5, "sensitivity": 1}
LAPLACE = {"event": "laplace", "scale": 10, "sensitivity": 1, "count": 100}
RESPONSE = {"event": "randomized-response", "keep": "1/2", "count": 100}
SAMPLED = {"event": "poisson-gaussian", "sigma": 1, "sensitivity": 1, "q": ".01"}

ROWS: tuple[tuple[dict[str, Any], str, str, tuple[str, ...]], ...] = (
    (GAUSSIAN | {"count": 100}, "add-remove", "1e-5", ()),
    (GAUSSIAN, "swap", "1e-5", ("RdpAccountant",)),
    (LAPLACE, "swap", "1e-5", ("RdpAccountant",)),
    (RESPONSE, "swap", "1e-5", ("PLDAccountant",)),
    (SAMPLED | {"count": 1000}, "add-remove", "1e-5", ()),
    (SAMPLED | {"count": 10_000}, "add-remove", "1e-10", ("PLDAccountant",)),
)
"""Step, relation, delta, and the accountants that claimed too little (dp-accounting 0.6.0)."""


def main() -> None:
    """Print each row, and compare with what is listed."""
    others = 0
    for step, relation, delta, listed in ROWS:
        result = audit.account({"step": [step]}, relation=relation, delta=delta, compare=LIBRARIES)
        print(f"{step}, {relation}, delta {delta}: epsilon {epsilon_words(result.epsilon)}")
        for one in result.compared:
            print(f"  {one.library} {one.accountant}: {compared_words(one)}")
        unsound = {o.accountant for o in result.compared if o.standing is Standing.UNSOUND}
        others += unsound != set(listed)
    print(f"{len(ROWS) - others} of {len(ROWS)} rows as listed")
    raise SystemExit(1 if others else 0)


if __name__ == "__main__":
    main()
