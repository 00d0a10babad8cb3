"""Source mutations: a change of one line that breaks a promise, and tests that must turn red.

Scales, thresholds, signs and budgets: each is a slip that somebody has made, or could make, in
print or in code. The old text must occur exactly once in its file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one file.

    Parameters
    ----------
    name : str
        Short name, unique.
    file : str
        Path from the folder that holds the packages.
    old, new : str
        Text to replace, and what it becomes.
    breaks : str
        What is no longer true.
    tests : tuple of str
        Tests that must turn red, as pytest's arguments below `tests`.
    """

    name: str
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]
