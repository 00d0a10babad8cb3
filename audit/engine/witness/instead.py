"""What the new draws of both sides gave: all of them, and where the event did not come.

An outcome is a failure, a form, a text, or a number. An exception is named with what the first one
of its class said on that side; the text is for readers alone, and no outcome of a bet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from audit.draws.encode import Encoder, Outcomes
from audit.draws.output_words import MISSING
from audit.results.verdict import FAILED
from audit.targets.outcomes import NoAnswer, said_by

__all__ = ["ANOTHER", "OTHERS", "GivenInstead", "answer_of", "is_one_answer"]

ANOTHER, OTHERS = "another number", "other values"
"""Numbers that came once each, or too many different ones, and answers in the event's own form."""

NAMED = 2
"""Outcomes of each side that are told."""

MOST_ROWS, MOST_VALUES = 4_096, 2**19
"""Different draws that are told apart, and values that are compared at once."""

LONGEST = 80
"""Characters of an answer."""

Key = tuple[int, bytes]
"""Kind of a draw (its failure, form or text; 0 for a number), and its bits."""


@final
@dataclass(slots=True)
class GivenInstead:
    """The new draws of one side, by outcome.

    Attributes
    ----------
    whole, others : Counter
        All draws, and those that are not in the event; of too many different ones by kind alone.
    first : dict
        A draw of each kind.
    said : dict of str to str
        What the first exception of each class said.
    """

    whole: Counter[Key] = field(default_factory=Counter)
    others: Counter[Key] = field(default_factory=Counter)
    first: dict[Key, Outcomes] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)

    def add(self, outputs: Any, encoded: Outcomes, inside: NDArray[np.bool_]) -> None:
        """Count draws: as they came, as they are encoded, and whether the event holds."""
        if not isinstance(outputs, np.ndarray):
            self._listen(outputs)
        step = max(1, MOST_VALUES // encoded.numbers.shape[1])
        for start in range(0, len(encoded), step):
            part = slice(start, start + step)
            for outside in (False, True):
                chosen = ~inside[part] if outside else inside[part]
                for key, count, row in _keyed(encoded[part], chosen):
                    self.first.setdefault(key, row)
                    self.whole[key] += count
                    self.others[key] += count * outside
        if len(self.whole) > MOST_ROWS:
            self.whole, self.others = _by_kind(self.whole), _by_kind(self.others)
            self.first = {(kind, b""): row for (kind, _), row in self.first.items()}

    def _listen(self, outputs: Iterable[Any]) -> None:
        for output in outputs:
            if isinstance(output, Exception) and not isinstance(output, NoAnswer):
                self.said.setdefault(type(output).__name__, said_by(output))

    def always(self, encoder: Encoder) -> str:
        """What every draw was: one answer, or failures; "" where they differ."""
        if len(self.whole) == 1:
            ((key, _),) = self.whole.items()
            return self._words(encoder, key, alone=True) if key[1] else ""
        named = [(self._words(encoder, key, alone=False), n) for key, n in self.whole.items()]
        failed = all(words.startswith(FAILED) for words, _ in named)
        return max(named, key=lambda one: one[1])[0] if named and failed else ""

    @property
    def inside(self) -> set[int]:
        """Kinds of the draws that are in the event."""
        return {kind for kind, _ in self.whole - self.others}

    def commonest(self, encoder: Encoder, inside: Set[int]) -> tuple[tuple[str, int], ...]:
        """The outcomes that came most often in place of the event, whose draws have these kinds."""
        kinds = Counter(kind for kind, _ in +self.others)
        found: Counter[str] = Counter()
        for key, count in (+self.others).items():
            alone = bool(key[1]) and (kinds[key[0]] == 1 or (key[0] == 0 and count > 1))
            words = self._words(encoder, key, alone=alone)
            is_form = key[0] != 0 and encoder.label(key[0]).startswith("has ")
            found[OTHERS if is_form and not alone and key[0] in inside else words] += count
        return tuple(found.most_common(NAMED))

    def _words(self, encoder: Encoder, key: Key, *, alone: bool) -> str:
        """An outcome; `alone`: whether its kind has one value here, which is told."""
        label = encoder.label(key[0]) if key[0] else ""
        name = label.removeprefix("raises ")
        if name != label and (said := self.said.get(name)):
            return f"{label}: {said}"
        if label and (not label.startswith("has ") or not alone):
            return label
        return answer_of(encoder, self.first[key], label) if alone else ANOTHER


def answer_of(encoder: Encoder, row: Outcomes, form: str) -> str:
    """An answer in words: its number, or its form and what it holds."""
    labels = [encoder.label(int(code)) if code else "" for code in row.categories[0]]
    each = [
        label.removeprefix("is ") or repr(float(value))
        for value, label in zip(row.numbers[0], labels, strict=True)
    ]
    if not form:
        return each[0]
    held = [one for one, label in zip(each[:-1], labels, strict=False) if label != MISSING]
    text = f"{form}: {', '.join(held)}" if held else form
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def is_one_answer(drawn: Outcomes) -> bool:
    """Whether all draws are one answer, bit for bit, and none is a failure by all signs."""
    bits = drawn.numbers.view(np.int64)
    same = (drawn.categories == drawn.categories[0]) & ((bits == bits[0]) | (drawn.categories > 0))
    return bool(same.all())


def _by_kind(counts: Counter[Key]) -> Counter[Key]:
    found: Counter[Key] = Counter()
    for (kind, _), count in counts.items():
        found[kind, b""] += count
    return found


def _keyed(encoded: Outcomes, chosen: NDArray[np.bool_]) -> Iterable[tuple[Key, int, Outcomes]]:
    """Different draws among those chosen: what tells each, how often it came, and one of them."""
    places = np.flatnonzero(chosen)
    if not places.size:
        return
    numbers = np.ascontiguousarray(encoded.numbers[places]).view(np.int64)
    rows = np.ascontiguousarray(np.hstack([numbers, encoded.categories[places]]))
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, firsts, counts = np.unique(whole, return_index=True, return_counts=True)
    for first, count in zip(firsts.tolist(), counts.tolist(), strict=True):
        place = int(places[first])
        kind = int(encoded.categories[place, -1])
        yield (kind, whole[first].tobytes()), count, encoded[place : place + 1]
