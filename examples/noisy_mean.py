"""A private mean as a program of its own; it needs nothing but Python.

It reads one request on standard input, {"data": [...], "size": n, "seed": s}, and writes n lines.
`--epsilon` is its whole budget: half of it for the noisy sum, half for the noisy count.

    touchstone audit --epsilon 1 --relation add-remove --low 0 --high 1 --ideal
        -- python examples/noisy_mean.py --epsilon 1
"""

import argparse
import json
import math
import random
import sys


def laplace(rng: random.Random, scale: float) -> float:
    """Draw Laplace noise."""
    u = rng.random() - 0.5
    return math.copysign(scale, u) * -math.log1p(-2 * abs(u)) if u != -0.5 else 0.0


def main() -> None:
    """Answer one request."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--epsilon", type=float, required=True)
    epsilon = parser.parse_args().epsilon
    request = json.load(sys.stdin)
    rng = random.Random(request["seed"])
    records = [min(max(x, 0.0), 1.0) for x in request["data"]]
    for _ in range(request["size"]):
        total = sum(records) + laplace(rng, 2 / epsilon)
        count = len(records) + laplace(rng, 2 / epsilon)
        sys.stdout.write(json.dumps(min(max(total / max(count, 1.0), 0.0), 1.0)) + "\n")


if __name__ == "__main__":
    main()
