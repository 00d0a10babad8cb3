"""The same records in another order, which is distance 0: small ones after large ones are lost.

Once a running sum has reached N times the large end, a record below half the spacing there does
not move it; added first, such records count. The loss grows with the square of the number of
records, so single precision fails by several sensitivities at 2^14 records.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.pairs.adversarial.public import (
    ENOUGH,
    FORMATS,
    MOST_RECORDS,
    Format,
    Public,
    Runs,
    in_words,
    pair_of,
    records_of,
)
from audit.pairs.worst_cases import Pair

LOST = 0.375
"""Of the spacing: a record is below half of it whatever the last bit of the sum."""


def reordered_pairs(public: Public) -> Iterator[Pair]:
    """Smallest pair for each format whose sum in one order is off by several sensitivities."""
    for form in FORMATS:
        for opposite in (False, True) if public.mixed else (False,):
            pair = _smallest(public, form, opposite=opposite)
            if pair is not None:
                yield pair


def _smallest(public: Public, form: Format, *, opposite: bool) -> Pair | None:
    """A pair for one format; with `opposite`, the large records cancel in the end."""
    large, other = public.ends
    count = 2
    while (3 if opposite else 2) * count <= MOST_RECORDS and count * abs(large) <= form.largest:
        spacing = form.spacing(count * abs(large))
        for small in _small_records(public, spacing) if spacing > 0 else ():
            after: Runs = [(other, count)] if opposite else []
            last = [(large, count), (small, count), *after]
            first = [(small, count), (large, count), *after]
            loss = abs(form.total(records_of(last)) - form.total(records_of(first)))
            if ENOUGH * public.sensitivity <= loss < float("inf"):
                kind = "cancellation" if opposite else "another order"
                label = (
                    f"{kind}: {in_words(last)}, against those at {small:.6g} first "
                    f"(a running sum in {form.name} moves by {loss:.6g})"
                )
                return pair_of(label, last, first)
        count *= 2
    return None


def _small_records(public: Public, spacing: float) -> list[float]:
    """Allowed records that a sum of this spacing does not see, or sees a part of."""
    large, other = public.ends
    sign = 1.0 if large > 0 else -1.0
    lost = sign * LOST * spacing
    nearest = spacing * (other // spacing + (sign > 0))  # a multiple that rounds to itself
    return [small for small in (lost, nearest + lost, other) if public.allows(small) and small != 0]
