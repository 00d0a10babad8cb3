"""Numbers of the rows of a stored table: a row that is gone, or one too many, shows.

The grid of a stored table is that of its own rows. So that a row that was deleted can be told from
one that was never there, each row says which one it is, and of how many: "3 of 14".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from proofs_check.tables.table import MOST_ROWS

__all__ = ["ROW", "row_text", "wrong_rows"]

ROW = "row"
"""Header of the column of the numbers."""


def row_text(number: int, count: int) -> str:
    """Write which row it is, from 1.

    Examples
    --------
    >>> from proofs_check.tables.numbering import row_text
    >>> row_text(3, 14)
    '3 of 14'
    """
    return f"{number} of {count}"


def wrong_rows(texts: Sequence[str]) -> Iterator[tuple[int | None, str, str]]:
    """Say which rows are missing, and which are wrong or too many.

    Parameters
    ----------
    texts : sequence of str
        The numbers of all rows, in any order.

    Yields
    ------
    place : int or None
        Index of a row that is wrong; None of a row that is missing.
    stored, right : str
        What it has, and what it must have.

    Examples
    --------
    >>> from proofs_check.tables.numbering import wrong_rows
    >>> list(wrong_rows(["1 of 3", "3 of 3", "3 of 3"]))
    [(2, '3 of 3', 'each row once'), (None, '', '2 of 3')]
    """
    found = [re.fullmatch(r"([1-9][0-9]{0,8}) of ([1-9][0-9]{0,8})", text) for text in texts]
    counts = Counter(int(match[2]) for match in found if match)
    if not counts:
        yield 0, texts[0], row_text(1, len(texts))
        return
    ((count, _),) = counts.most_common(1)
    seen: set[int] = set()
    for place, (text, match) in enumerate(zip(texts, found, strict=True)):
        number = int(match[1]) if match and int(match[2]) == count else 0
        if not 1 <= number <= count:
            yield place, text, f"K of {count}"
        elif number in seen:
            yield place, text, "each row once"
        seen.add(number)
    for number in range(1, min(count, MOST_ROWS) + 1):
        if number not in seen:
            yield None, "", row_text(number, count)
