"""Words that were given to an audit in which they have no meaning: each is refused by name.

What has a meaning where stands in the rows of `audit.request.word_table`. The doors ask here, since
only they know which words were given: a default says nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import final

from audit.levels.word import Of
from audit.request.word_table import WORDS
from mechanisms.errors import InvalidArgument

__all__ = ["COMMAND_LINE", "CONFIGURATION", "PYTHON", "Spelling", "check_meaning", "lacking"]

MODES = {"sequential": Of.SEQUENTIAL, "bound": Of.BOUND, "exact": Of.EXACT}
"""Of audits of privacy."""


@final
@dataclass(frozen=True, slots=True)
class Spelling:
    """How a door writes words."""

    mode: str
    """A mode."""
    utility: str
    """That an audit is one of errors."""
    has_dashes: bool = False
    """Whether a word is an option."""

    def word(self, name: str) -> str:
        """A word."""
        return WORDS[name].option if self.has_dashes else name


COMMAND_LINE = Spelling("--mode {}", "--utility", has_dashes=True)
"""Options."""
CONFIGURATION = Spelling('mode = "{}"', "utility = true")
"""Keys of TOML, and words of a mark of pytest."""
PYTHON = Spelling("mode={!r}", "audit.accuracy")
"""Arguments."""


def lacking(given: Collection[str], audit: Of) -> list[str]:
    """Those of the words given that have a meaning in some audit, and none in this one."""
    wheres = {name: WORDS[name].audits for name in given if name in WORDS}
    return [name for name, where in wheres.items() if where and not where & audit]


def check_meaning(
    given: Collection[str],
    mode: str,
    spelling: Spelling,
    *,
    utility: bool = False,
    where: str = "",
) -> None:
    """Check that each word has a meaning in the audit that is asked for.

    `given`: names of the words that the user gave. `mode`: that of the audit; one that is unknown
    is refused elsewhere. `utility`: whether it is one of errors. `where`: beginning of the message.
    Raises InvalidArgument, which names the words and the mode.
    """
    if not utility and mode not in MODES:
        return
    audit = Of.ERRORS if utility else MODES[mode]
    wrong = lacking(given, audit)
    if audit in Of.SAMPLES:  # words of errors are refused with their own
        wrong = [name for name in wrong if WORDS[name].audits & Of.PRIVACY]
    if wrong:
        msg = where + _sentence(wrong, audit, spelling)
        raise InvalidArgument(msg)


def _sentence(wrong: list[str], audit: Of, spelling: Spelling) -> str:
    words = ", ".join(map(spelling.word, wrong))
    if audit is Of.EXACT:
        return f"{spelling.mode.format('exact')} draws no samples; leave out {words}"
    if audit in Of.SAMPLES:
        homes = {mode: [w for w in wrong if WORDS[w].audits & of] for mode, of in MODES.items()}
        return "; ".join(
            f"{', '.join(map(spelling.word, names))} {'goes' if len(names) == 1 else 'go'} with "
            f"{spelling.mode.format(mode)}"
            for mode, names in homes.items()
            if names
        )
    of_privacy = [name for name in wrong if WORDS[name].of & Of.PRIVACY]
    if of_privacy:
        claims = ", ".join(map(spelling.word, ("unbiased", "bias", "mse")))
        return (
            f"{spelling.utility} audits errors, not privacy; leave out {words} (claims of utility "
            f"are {claims} and {spelling.word('mae')}; a mechanism's own parameters are set with "
            f"{spelling.word('param')})"
        )
    return f"{spelling.utility} runs in this process and keeps no state; leave out {words}"
