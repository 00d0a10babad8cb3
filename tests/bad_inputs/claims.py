"""Words of claims with numbers that are huge, tiny, negative, or none: options, files, calls."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.bad_inputs.case import Case

__all__ = ["NUMBERS", "generate_claims"]

NUMBERS = (
    *("1e400", "1e300", "1e30", "201", "200", "1e10", "0", "-1", "-1e400", "1e-400", "1e-200"),
    *(
        "1e-30",
        "1e-5000",
        "1e5000",
        "nan",
        "inf",
        "-inf",
        "1/10",
        "7/3",
        "1" * 500,
        "0." + "3" * 90,
    ),
    *("1/" + "7" * 300, "0x10", "", "1,5", "1e", "½", "1e-310", "0.5", "1", "2"),
)

WORDS = {
    "--epsilon": ("--delta", "--alpha-order"),
    "--rho": (),
    "--mu": (),
    "--tv": (),
    "--trade-off": (),
    "--budgets": (),
}

SOURCE = "def noisy(data, size, rng):\n    return rng.laplace(size=size)\n"


def _value(rng: random.Random, word: str) -> str:
    if word == "--trade-off":
        knots = rng.randrange(1, 4)
        return ",".join(f"{rng.choice(NUMBERS)}:{rng.choice(NUMBERS)}" for _ in range(knots))
    if word == "--budgets":
        return ",".join(rng.choice(NUMBERS) for _ in range(rng.randrange(1, 4)))
    return rng.choice(NUMBERS)


def generate_claims(seed: int, count: int) -> Iterator[Case]:
    """So many claims by option or in a file, the same for the same seed."""
    rng = random.Random(seed)
    targets: tuple[str, ...] = (
        "m.py:noisy",
        "m.py:noisy",
        "m.py:noisy",
        "noise.laplace",
        "noise.gaussian",
    )
    targets += ("ksw.transformed-laplace", "tri.coarse", "corpus.laplace")
    for _ in range(count):
        word = rng.choice(("--epsilon", "--epsilon", *WORDS))
        stated = {word: _value(rng, word)}
        for also in WORDS[word]:
            if rng.random() < 0.4:
                stated[also] = _value(rng, also)
        if rng.random() < 0.3:
            stated |= {rng.choice(("--low", "--high")): rng.choice(NUMBERS)}
        else:
            stated |= {"--low": "0", "--high": "1"}
        stated["--relation"] = rng.choice(("add-remove", "swap"))
        target = rng.choice(targets)
        if target != "m.py:noisy" and rng.random() < 0.5:
            stated["--mode"] = "exact"
        elif rng.random() < 0.2:
            stated["--resolution"] = rng.choice(NUMBERS)
        drawn = {"--budget-samples": "400", "--budget-seconds": "5", "--screen": "0"}
        if rng.random() < 0.1:
            drawn[rng.choice(tuple(drawn))] = rng.choice(NUMBERS)
        if rng.random() < 0.7:
            words = ["audit", target]
            for name, value in (stated | ({} if "--mode" in stated else drawn)).items():
                words.append(f"{name}={value}")
            files = {"m.py": SOURCE.encode()}
        else:
            bare = rng.random() < 0.5
            lines = ["[[audit]]", f'target = "{target}"']
            for name, value in (stated | ({} if "--mode" in stated else drawn)).items():
                key = name[2:].replace("-", "_")
                text = f'"{value}"'
                if key in ("budget_samples", "budget_seconds", "screen") or (
                    bare and _is_toml(value)
                ):
                    text = value or '""'
                lines.append(f"{key} = {text}")
            words = ["gate", "--seed", "1", "--jobs", "1"]
            toml = "\n".join(line for line in lines if "budget_seconds" not in line)
            files = {"m.py": SOURCE.encode(), "touchstone.toml": toml.encode()}
        yield Case("claim", tuple(words), files, frozenset({0, 1, 2, 3}))


def _is_toml(value: str) -> bool:
    return value.replace("-", "").replace(".", "").replace("e", "").isdigit() and value[0] != "."
