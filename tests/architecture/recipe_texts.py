"""Files that walks of recipes write, and those that their commands read."""

from __future__ import annotations

__all__ = ["ACCOUNT", "API", "CORPUS", "EXPERT", "FORM", "NOISE", "PARTITION", "TARGETS"]

FORM = '''"""A form of one line."""

from audit.documents.report_cases import Report
from audit.report.document_lines import case_text


def render(run: Report) -> str:
    """Every case, with its verdict in front."""
    return "".join(f"{case.verdict}! {case_text(case)[:60]}" for case in run.cases)
'''

NOISE = '''"""Laplace noise under another name."""

from mechanisms.noise.laplace import Laplace as Walked

__all__ = ["Walked"]
'''

LEVEL = '''

@final
@dataclass(frozen=True, slots=True)
class WalkedDP(Level):
    """P(S) <= Q(S) + walked for every event S, both ways round."""

    walked: Fraction

    def __init__(self, walked: Number) -> None:
        object.__setattr__(self, "walked", check_fraction(walked, "walked", at_least=0, at_most=1))

    def __str__(self) -> str:
        return f"walked = {self.walked}"


@add_remove_to_swap.register
def _of_two(level: WalkedDP) -> tuple[Level, Source]:
    return WalkedDP(min(Fraction(1), 2 * level.walked)), Source("a test", "groups of two")
'''

LEVEL_IMPORTS = """from mechanisms.claims import ApproxDP, Level, Source
from mechanisms.group_privacy import add_remove_to_swap
from mechanisms.validation import Number, check_fraction
"""

CORPUS = '''"""Laplace noise under another name."""

from mechanisms.corpus.noise import LaplaceNoise as Walked

__all__ = ["Walked"]
'''

PARTITION = '''"""How many bits of a whole number are 1: odd or even."""

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np


@final
@dataclass(frozen=True, slots=True)
class Walked:
    """Cells: not odd, odd."""

    name: str
    ordered: ClassVar[int] = 0
    feature: ClassVar[str] = "bits"
    supervised: ClassVar[bool] = False
    reads: ClassVar[None] = None
    size: ClassVar[int] = 2

    @classmethod
    def fit_columns(cls, encoder, arm, other_arm):
        """One for the first column."""
        return [cls(encoder.columns[0][0])]

    def codes(self, outcomes):
        """Cell of each draw."""
        numbers = outcomes.numbers[:, 0].tolist()
        return np.array([int(x).bit_count() % 2 for x in numbers], dtype=np.intp)

    def describe(self, cells):
        """A set of cells in words, and in Python."""
        odd = bool(cells[1])
        return f"{self.name} has {'odd' if odd else 'even'} walked bits", (
            f"int(z).bit_count() % 2 == {int(odd)}"
        )
'''

EXPERT = '''"""An expert that bets nothing: its e-value is 1."""

import sys

import numpy as np


class WalkedBets:
    """Made from the past, of which it learns nothing."""

    def __init__(self, counts, grid):
        self.points = grid.points
        sys.stderr.write("walked: a bet\\n")

    def log_e(self, counts, size):
        """Logarithm of 1, shape (1, G)."""
        return np.zeros((1, self.points))
'''

API = '''

def walked() -> str:
    """What a walk has added."""
    return "the name of a walk"
'''

TARGETS = '''"""Targets for the copy."""

import numpy as np


def far(data, size, rng):
    return float(data) + rng.laplace(scale=0.1, size=size)


def bits(data, size, rng):
    """Uniform but for the parity of all bits, which is the data."""
    x = rng.integers(2**20, size=size)
    ones = np.unpackbits(x.astype("<u4").view(np.uint8).reshape(size, 4), axis=1).sum(axis=1)
    return 2 * x + (ones + int(data)) % 2
'''
ACCOUNT = """relation = "swap"
delta = "1e-5"

[[step]]
event = "walked"
epsilon = "1/2"
count = 2
"""
