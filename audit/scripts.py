"""What the script of a witness imports besides `audit`: its event, and laws of records, in words.

`form`, `number`, `label`, `key_order` ... say what one output is (`audit.draws.output_words`);
`read_law` makes the law of the records of an audit of errors, `WithBudgets` puts budgets beside
them, `generator` draws them, and `coordinates` are those of the draws of a noise law; `csv_command`
wraps a command that gets tables.
"""

from __future__ import annotations

import numpy as np

from audit.draws.output_words import (
    form,
    key_order,
    label,
    lattice_class,
    lowest_bit,
    number,
    outcome,
    representation,
    residue,
)
from audit.draws.streams import Purpose, stream
from audit.targets.command import csv_command
from audit.utility.law_words import read_law
from audit.utility.noise_moments import coordinates
from audit.utility.record_laws import WithBudgets

__all__ = [
    "WithBudgets",
    "coordinates",
    "csv_command",
    "form",
    "generator",
    "key_order",
    "label",
    "lattice_class",
    "lowest_bit",
    "number",
    "outcome",
    "read_law",
    "representation",
    "residue",
]


def generator(seed: int) -> np.random.Generator:
    """Random numbers of a script: of another stream than those of the run with this seed."""
    return stream(seed, Purpose.RERUN)
