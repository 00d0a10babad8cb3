"""The law of the center of a range for one user, sound or printed."""

from __future__ import annotations

from typing import Any

from mechanisms.as_printed.center_law import CenterLaw, center_law
from mechanisms.as_printed.range import PrintedRange
from mechanisms.personalized.range.interval import PersonalizedRange
from mechanisms.personalized.users import user_records


def law_of(mechanism: PersonalizedRange | PrintedRange, data: Any) -> CenterLaw:
    """What the printed form states, and what the sound one does not: a part is not its law."""
    if isinstance(mechanism, PrintedRange):
        return mechanism.exact_law(data)
    values = user_records(data, mechanism.count)
    return center_law(values, mechanism.rates, mechanism.tau, mechanism.beta)
