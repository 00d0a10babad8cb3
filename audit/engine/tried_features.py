"""What a run that found nothing has looked at, in notes that claim no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from audit.draws.encode import LARGEST_WIDTH, Encoder, Outcomes
from audit.draws.hidden_values import UNSEEN
from audit.engine.pair_state import PairState
from audit.engine.partitions.float_lattice import READS, LowestBit
from audit.engine.partitions.residues import MODULI, integer_columns
from audit.results.verdict import FAILED

__all__ = ["IDEAL_NOTE", "VECTOR_NOTE", "tried_notes"]

IDEAL_NOTE = (
    "floating point was left out: noise in double precision may leak where the reals do not"
)
"""Said with `--ideal`."""
LATTICE_NOTE = (
    "of floating point, the lowest bit and (sign, binade, trailing zeros) of {} were tried, and "
    "which zero or NaN it is{}; a leak within one binade, or one that a division hides, shows in "
    "none of them"
)
NO_FRACTIONS_NOTE = (
    "of floating point, which zero or NaN an output is was tried, and nothing else: no fraction "
    "was seen"
)
RESIDUE_NOTE = (
    "of the integers in {}, the remainders by {} were looked at, and the two counted that told "
    "the data sets apart best{}"
)
VECTOR_NOTE = (
    "the power statement was measured on outputs of one number: a loss in one coordinate among "
    "many, in several together, or spread over them, may need more draws"
)
"""Said where outputs have several coordinates."""

WIDE_NOTE = (
    f"of an output, the first {LARGEST_WIDTH} coordinates were looked at, and of those beyond only "
    "how many they are: no number of draws shows what they tell"
)
"""Said where outputs have so many coordinates, or more."""
FAILURE_NOTE = "of an exception, the type was looked at, and not the text"
"""Said where some draw raised."""

MOST_NAMES = 4


class _Column(Protocol):
    """What is looked at in a column."""

    @property
    def name(self) -> str: ...


def tried_notes(pairs: Sequence[PairState], *, ideal: bool) -> Iterator[str]:
    """Notes on the features of outputs that were looked at, by what the last fits saw."""
    fractions = _names(pairs, LowestBit.fit_columns)
    if ideal:
        yield IDEAL_NOTE
    elif fractions:
        yield LATTICE_NOTE.format(_listed(fractions), _limit(pairs))
    else:
        yield NO_FRACTIONS_NOTE
    integers = _names(pairs, integer_columns)
    if integers:
        moduli = ", ".join(map(str, MODULI[:-1])) + f" and {MODULI[-1]}"
        yield RESIDUE_NOTE.format(_listed(integers), moduli, _limit(pairs))
    if any(state.encoder.width for state in pairs):
        yield VECTOR_NOTE
    if any(state.encoder.width == LARGEST_WIDTH for state in pairs):
        yield WIDE_NOTE
    if any(label.startswith(FAILED) for state in pairs for label in state.encoder.labels):
        yield FAILURE_NOTE
    said = (label for state in pairs for label in state.encoder.labels if label.startswith(UNSEEN))
    yield from dict.fromkeys(said)


def _names(
    pairs: Sequence[PairState], fit: Callable[[Encoder, Outcomes, Outcomes], Sequence[_Column]]
) -> list[str]:
    """Columns that a feature was looked at in, on any pair: what its last fit would find again."""
    found = {
        column.name: None
        for state in pairs
        if state.past[0]
        for column in fit(state.encoder, state.past[0][0], state.past[1][0])
    }
    return list(found)


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more coordinates"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _limit(pairs: Sequence[PairState]) -> str:
    """Say so where not all draws were looked at."""
    beyond = any(state.draws > READS for state in pairs)
    return f" (in the first {READS:,} draws of each data set)" if beyond else ""
