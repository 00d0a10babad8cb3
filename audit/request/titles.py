"""Names that tell the audits of a configuration apart.

Several audits may have one name: of the same target by samples, exactly and of its errors, at other
budgets, on other records. The title of each adds the kind, and the fewest words of the
configuration in which those of one kind differ whose names are equal but for numbers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from audit.request.request import Request

__all__ = ["NUMBER", "titles"]

NUMBER = re.compile(r"(?<![\w.-])[0-9]+(?:[.,][0-9]+)*")
"""A number by itself; one within a word, such as E-01, is a part of the word."""

TOLD_FIRST = ("budgets", "data", "law", "n", "pair")
"""Words that say more than others which would tell as much apart."""

NOT_TOLD = ("target", "command", "param", "repeat", "utility", "mode")
"""Words that the name has, and those that the kind says."""


def titles(
    names: Sequence[str], requests: Sequence[Request], controls: Sequence[bool]
) -> list[str]:
    """Titles of audits, no two the same.

    `names`: target and parameters of each. `requests`: all that each asks for. `controls`: whether
    each must be refuted.
    """
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    kinds = map(_kind, requests, controls)
    for index, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        groups[NUMBER.sub("#", name), kind].append(index)
    found = [""] * len(names)
    for (_, kind), members in groups.items():
        words = [_words(requests[index]) for index in members]
        for index, own in zip(members, _apart(words), strict=True):
            found[index] = ", ".join([names[index], *filter(None, [kind]), *own])
    seen: Counter[str] = Counter()
    for index, title in enumerate(found):
        seen[title] += 1
        if seen[title] > 1:
            found[index] = f"{title} [{seen[title]}]"
    return found


def _kind(request: Request, control: bool) -> str:
    """What kind of audit it is; nothing is said of sequential audits that are no controls."""
    if request.account is not None:
        return " ".join(filter(None, ("control" * control, "account")))
    of = "errors" if request.utility is not None else request.mode
    return " ".join(filter(None, ("control" * control, of * (of != "sequential"))))


def _words(request: Request) -> dict[str, str]:
    """Words that are not as usual, those of an audit of errors among them."""
    return {name: _text(value) for name, value in request.told().items() if name not in NOT_TOLD}


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is True else str(value)


def _apart(words: Sequence[dict[str, str]]) -> list[list[str]]:
    """For each the values of so few words, in their order, that they tell as many apart as all."""
    every = dict.fromkeys(key for own in words for key in own)
    keys = sorted(every, key=lambda key: key not in TOLD_FIRST)
    chosen: list[str] = []

    def told(by: Sequence[str]) -> int:
        return len({tuple(own.get(key) for key in by) for own in words})

    while told(chosen) < told(keys):
        chosen.append(max(keys, key=lambda key: told([*chosen, key])))
    return [
        [f"{key} = {own[key]}" if own[key] else key for key in keys if key in chosen and key in own]
        for own in words
    ]
