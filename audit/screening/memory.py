"""What a screening has drawn so far, so that an interrupted one goes on where it was.

Its draws are a function of the seed and of what was drawn before, so the answers of an earlier
session stand in for the first requests of this one, in their order. Each is told by a digest of
what was asked: where that differs, the rest is drawn anew. How much is screened is kept as well,
as the clock may have had a say in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import final

from audit.screening.reading import Reading
from audit.screening.size import ScreenSize

__all__ = ["Memory", "ScreenAnswer", "ScreeningLog"]


@final
@dataclass(frozen=True, slots=True)
class ScreenAnswer:
    """What one request has drawn."""

    asked: str
    """Digest of the request."""
    readings: tuple[Reading, ...]


@final
@dataclass(slots=True)
class ScreeningLog:
    """A screening under way, as a file has it."""

    size: ScreenSize | None = None
    """How much is screened; None where that is not known yet."""
    by_time: bool = False
    """Whether the clock had a say in that."""
    answers: list[ScreenAnswer] = field(default_factory=list)


@final
@dataclass(slots=True)
class Memory:
    """A log that is gone on with.

    Parameters
    ----------
    log : ScreeningLog
        What earlier sessions have drawn; this one adds to it.
    offer : callable
        Takes the log behind each request, and keeps it now and then.
    """

    log: ScreeningLog
    offer: Callable[[ScreeningLog], None]
    place: int = 0
    """Answers that were taken in this session."""

    def drawn(self, key: Sequence[bytes], draw: Callable[[], Sequence[Reading]]) -> list[Reading]:
        """The readings of a request: those of an earlier session, or what `draw` makes now.

        `key`: what the request is, in bytes.
        """
        asked = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in key)).hexdigest()
        answers = self.log.answers
        if self.place == len(answers) or answers[self.place].asked != asked:
            del answers[self.place :]
            answers.append(ScreenAnswer(asked, tuple(draw())))
            self.offer(self.log)
        self.place += 1
        return list(answers[self.place - 1].readings)
