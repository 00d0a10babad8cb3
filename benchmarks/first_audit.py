"""Processor time of a verdict at 1e6 draws of each arm: import, first audit, later audits.

Each repetition is a process of its own, which prints the processor time that importing the engine
took, that of its first audit (with all that is imported or compiled lazily), and of its second one:
Laplace noise at its exact claim, `ideal`. The least of some repetitions is taken, for load only
adds. Nothing else is imported here, so that nothing is found already loaded.

Run: python -m benchmarks.first_audit [--repeat 3]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any, final

__all__ = ["Seconds", "measured"]

DRAWS = 1_000_000
FIRST, LATER = 0.45, 0.30
"""Goals, in seconds."""


@final
@dataclass(frozen=True, slots=True)
class Seconds:
    """Processor time of the import, of the first audit and of the second."""

    imports: float
    first: float
    later: float

    def __str__(self) -> str:
        """Show both audits beside their goals."""
        first, later = (
            f"{value:.2f} s (goal {goal:.2f} s: {'met' if value <= goal else 'MISSED'})"
            for value, goal in ((self.first, FIRST), (self.later, LATER))
        )
        return f"first audit of a process {first}, second {later}, import {self.imports:.2f} s"


def once() -> Seconds:
    """Import the engine and audit twice, in this process."""
    import numpy as np

    from audit.engine.sequential import Settings, audit
    from audit.pairs.worst_cases import Pair
    from audit.targets.target import Target
    from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

    def draw(data: Any, size: int, rng: np.random.Generator) -> Any:
        return data + rng.laplace(size=size)

    target = Target(name="Laplace", draw=draw, claim=None, order=Order.FIXED)
    claim = PrivacyClaim(PureDP(1), Relation.LISTED, Source("benchmark", "stated"))
    times = [time.process_time()]
    for seed in (0, 1):
        settings = Settings(
            seed=seed,
            false_alarm=0.05,
            ideal=True,
            budget_samples=2 * DRAWS,
            budget_seconds=600,
        )
        result = audit(target, claim, [Pair("0 and 1", 0.0, 1.0)], settings)
        assert result.stopped_by == "samples"
        times.append(time.process_time())
    return Seconds(times[0], times[1] - times[0], times[2] - times[1])


def measured(repeat: int = 3) -> Seconds:
    """The least of some processes, each time by itself."""
    code = "from benchmarks.first_audit import once; import json, dataclasses\n"
    code += "print(json.dumps(dataclasses.astuple(once())))"
    runs = [
        json.loads(
            subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        )
        for _ in range(repeat)
    ]
    return Seconds(*map(min, zip(*runs, strict=True)))


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    print(measured(parser.parse_args().repeat))


if __name__ == "__main__":
    main()
