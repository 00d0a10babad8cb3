"""Reports as JSON that runs wrote, of every kind: what packs hold, and what is read back."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from audit.cli import main
from audit.documents.report_forms import FORMS

__all__ = ["RUNS", "gate_of", "run_report"]

NAN = float("nan")
PROJECT = Path(__file__).parent / "frozen" / "project"

PLAN = """relation = "swap"
delta = "1e-5"
[[step]]
event = "gaussian"
sigma = 5
sensitivity = 1
count = 10
[[step]]
event = "randomized-response"
keep = "1/2"
count = 2
"""
SAMPLED = """relation = "add-remove"
delta = "1e-5"
[[step]]
event = "poisson-gaussian"
sigma = 1
sensitivity = 1
q = "1/10"
"""
PARITY = """from fractions import Fraction

import numpy as np

from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source


def counted(data):
    return int((np.nan_to_num(np.asarray(data, float)) > 0.5).sum())


class Parity:
    order, low, high = Order.FREE, 0, 1

    def __init__(self, epsilon="11/10"):
        self.claim = PrivacyClaim(PureDP(epsilon), Relation.SWAP, Source("user", "a test"))

    def sample(self, data, size, *, rng):
        odd = float(self.exact_law(data)["odd"])
        return list(rng.choice(["odd", "even"], size, p=[odd, 1 - odd]))

    def exact_law(self, data):
        odd = sum(x >= Fraction(1, 2) for x in data) % 2
        p = Fraction(3, 4) if odd else Fraction(1, 4)
        return {"odd": p, "even": 1 - p}
"""
LONG = "a" * 300
AWKWARD = f"""import numpy as np
import pandas as pd

BAD = "\\x1b[31mred\\x9b\\u202e\\u200b\\n::error::x | `a` ]]> <b>&\\x00\\ud800"


def names(data, rng):
    return BAD if len(data) % 2 else f"{{BAD}}2"


def keys(data, rng):
    return {{BAD: float(len(data)) + rng.laplace(scale=0.1), "b": [1, {{"c": None}}]}}


def raises(data, rng):
    if len(data) % 2:
        raise ValueError(BAD)
    return rng.laplace()


def infinite(data, rng):
    return [float("nan"), float("inf"), -float("inf")][len(data) % 3]


def frame(data, rng):
    return pd.DataFrame({{BAD: [len(data)], "b": [float("nan")]}}, index=[BAD])


def both(data, rng):
    return (complex(len(data), 1), b"\\xff\\x1b", {{1, 2}}, np.datetime64("NaT"), len(data))


def {LONG}(data, rng):
    return len(data)
"""
TARGETS = f"{PROJECT}/targets.py"
DRAWN = ("--epsilon", "1", "--relation", "add-remove", "--low", "0", "--high", "1", "--seed", "1")
FEW = (*DRAWN, "--budget-samples", "20000")
SHORT = (*DRAWN, "--budget-samples", "4000")
EXACT = ("--mode", "exact")
ERRORS = ("audit", "ksw.swap-laplace", "--utility", "--seed", "1")
QUERY = ("--relation", "swap", "--low", "0", "--high", "1", "--seed", "1")

RUNS: dict[str, tuple[str, ...]] = {
    "proved by a query": ("audit", "ksw.swap-laplace", *EXACT),
    "proved of an hourglass": ("audit", "ksw.transformed-hourglass", *EXACT),
    "proved by weights": ("audit", "pdp.weighted-mean", *EXACT),
    "proved for each user": ("audit", "pdp.adpm", *EXACT),
    "proved of a composition": ("audit", "sub.monotone", *EXACT),
    "proved with delta": ("audit", "tri.symmetric-mean", *EXACT),
    "proved by tables": ("audit", "parity.py:Parity", *EXACT, "--multisets", "2,2"),
    "disproved": ("audit", "ksw.transformed-laplace-as-printed", *EXACT),
    "disproved by tables": (
        *("audit", "parity.py:Parity", *EXACT, "--multisets", "2,2", "--param", "epsilon=1"),
    ),
    "added": ("account", "plan.toml", "--claim", "8"),
    "added without a claim": ("account", "plan.toml", "--claim", "none"),
    "added above the claim": ("account", "plan.toml", "--claim", "2"),
    "sampled steps": ("account", "sampled.toml"),
    "refuted": ("audit", f"{TARGETS}:half", *FEW),
    "consistent": (
        *("audit", f"{TARGETS}:total", "--epsilon", "1", "--relation", "listed", "--seed", "1"),
        *("--pair", "one.json", "--ideal", "--budget-samples", "20000", "--resolution", "2"),
    ),
    "inconclusive": ("audit", f"{TARGETS}:total", *DRAWN, "--budget-samples", "64"),
    "useful": (*ERRORS, "--budget-samples", "100000"),
    "useless": (*ERRORS, "--budget-samples", "100000", "--mse", "1/10000"),
    "of unknown use": (*ERRORS, "--budget-samples", "400"),
    "outcomes that are names": ("audit", "awkward.py:names", *SHORT),
    "outcomes with keys": ("audit", "awkward.py:keys", *SHORT),
    "an exception": ("audit", "awkward.py:raises", *SHORT),
    "no numbers": ("audit", "awkward.py:infinite", *SHORT),
    "frames": ("audit", "awkward.py:frame", *SHORT),
    "many kinds": ("audit", "awkward.py:both", *SHORT),
    "a long name": ("audit", f"awkward.py:{LONG}", *SHORT),
    "records that are texts": (
        *("audit", "awkward.py:names", "--epsilon", "1", "--relation", "listed", "--seed", "1"),
        *("--pair", "pair.json", "--budget-samples", "4000"),
    ),
    "far": ("sensitivity", "parity.py:counted", "--norm", "l2", "--at-most", "1/7", *QUERY),
    "near": ("sensitivity", "parity.py:counted", "--norm", "l2", "--at-most", "7/5", *QUERY),
}
"""Words of the commands, by what comes."""


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Where the commands run."""
    made = tempfile.TemporaryDirectory()
    files = {"plan.toml": PLAN, "sampled.toml": SAMPLED, "parity.py": PARITY, "awkward.py": AWKWARD}
    pair = {"data": ["\x1b[31m\u202e", NAN, {"a\n": "::error::"}], "neighbor": [[], None]}
    files["pair.json"] = json.dumps(pair)
    files["one.json"] = '{"data": [0], "neighbor": [1]}'
    for name, text in files.items():
        (Path(made.name) / name).write_text(text)
    return made


def run_report(name: str, form: str = "json") -> str:
    """The report that the command writes in a form."""
    return (_run(name) / f"report.{form}").read_text(encoding="utf-8")


@cache
def _run(name: str) -> Path:
    """Run a command once, with a report in each form."""
    place = Path(folder().name) / name
    place.mkdir()
    words = [word for form in FORMS for word in ("--report", f"{form}={place}/report.{form}")]
    with contextlib.chdir(folder().name), contextlib.redirect_stdout(io.StringIO()):
        status = main([*RUNS[name], *words])
    assert status in (0, 1, 3), (name, status)
    return place


def gate_of(*names: str) -> dict[str, Any]:
    """A gate's report of some of them, and of an audit that came to no result."""
    none = {"report": None, "error": "it ended", "exit_status": 4, "section": "consistent"}
    audits = [{"name": name, "report": json.loads(run_report(name))} for name in names]
    shared = {"expect": "consistent", "red": "", "passed": False, "place": None, "error": None}
    past = {"regressed": False, "regressions": [], "carried": None}
    rows = [
        {"title": one["name"], "exit_status": 1, "section": "proved", **shared, **past, **one}
        for one in (*audits, {"name": "of no result", **none})
    ]
    return {
        "schema_version": 1,
        "kind": "gate",
        "configuration": "touchstone.toml",
        "planned": len(rows),
        "seed": 1,
        "false_alarm": 0.001,
        "control_level": 0.001,
        "share": 0.0001,
        "sharing": 10,
        "budget_seconds": 60.0,
        "seconds": 1.0,
        "interrupted": False,
        "passed": False,
        "exit_status": 1,
        "left_out": 0,
        "not_run": [],
        "changed_since": None,
        "carried": None,
        "baseline": None,
        "not_carried": "",
        "proofs": [],
        "tables": [],
        "place": None,
        "audits": rows,
        "versions": {"touchstone": "0.1.0", "python": "3", "numpy": "2", "scipy": "1"},
    }
