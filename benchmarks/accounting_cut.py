"""What the constants of a cut cost: how many terms and points its Fourier integrals take.

`python -m benchmarks.accounting_cut` takes few sampled Gaussian steps, sets one constant of
`proofs_check.composition.cut` at a time to other values, and prints how many of the sums are cut
(the others are left to longer lines, or to nodes), the widest relative width of epsilon, the terms
times points of all lines that were made, in millions, and the processor seconds. Nothing is drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from unittest.mock import patch

from proofs_check.composition import cut as module
from proofs_check.composition.cut import cut_of
from proofs_check.composition.epsilon import epsilon_of
from proofs_check.composition.laws import Gaussian, Sampled
from proofs_check.composition.parts import Part
from proofs_check.composition.saddle import Shape
from proofs_check.composition.transform import SampledLine, Transform

DELTA = Fraction(1, 10**5)
ROWS = tuple(product(("0.0001", "0.01", "0.1"), ("0.8", "2"), (10, 100), (False, True)))
"""Rate, sigma, count, and whether a record is added: of the table `composition`."""
VARIANTS: tuple[tuple[str, float], ...] = (
    ("LONGEST", 4.0),
    ("LONGEST", 0.5),
    ("LONGEST", 16.0),
    ("ROOM", 1.05),
    ("ROOM", 1.6),
    ("NEAREST", 0.99),
    ("FARTHEST", 3.0),
    ("LINES", 1),
    ("TRIES", 1),
    ("TRIES", 4),
)
"""Each alone; the first is what is used."""


@contextmanager
def counted() -> Iterator[list[float]]:
    """Terms times points of each line that is made."""
    found: list[float] = []
    real = Transform._sampled

    def sampled(self: Transform, shape: Shape) -> SampledLine:
        found.append(shape.terms)
        return real(self, shape)

    with patch.object(Transform, "_sampled", sampled):
        yield found


def main() -> None:
    """Print the table."""
    print(
        "| constant | sums cut | widest | lines | 10^6 terms | seconds |\n|---|---|---|---|---|---|"
    )
    for name, value in VARIANTS:
        start, cuts, widest = time.process_time(), 0, 0.0
        with patch.object(module, name, value), counted() as terms:
            for rate, sigma, count, adds in ROWS:
                law = Sampled(Gaussian(1 / Fraction(sigma) ** 2), Fraction(rate), adds)
                cut = cut_of((Part(law, count),), DELTA)
                if cut is not None:
                    cuts, width = cuts + 1, epsilon_of(cut.near, DELTA).width
                    widest = max(widest, width)
        seconds = time.process_time() - start
        print(
            f"| {name} = {value:g} | {cuts} of {len(ROWS)} | {widest:.1e} | {len(terms)} "
            f"| {sum(terms) / 1e6:.1f} | {seconds:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
