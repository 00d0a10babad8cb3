"""Algorithm 3 with the printed noise scale."""

from __future__ import annotations

import numpy as np
import pytest

from mechanisms.add_remove.transformed_mean import TransformedMean
from mechanisms.as_printed.transformed_scale import PrintedTransformedMean


@pytest.mark.parametrize(
    ("low", "high", "sound_epsilon"), [(0, "1/2", "2"), (0, "1", "1"), (-2, "2", "1/4")]
)
def test_is_the_sound_form_at_another_epsilon(
    low: int, high: object, sound_epsilon: object
) -> None:
    """As printed, the draws must be those of the sound form at epsilon / w: that is the loss."""
    data = [0.1, 0.25, 0.5, -1.0]
    printed = PrintedTransformedMean(1, low, high).sample(data, 500, rng=np.random.default_rng(1))
    sound = TransformedMean(sound_epsilon, low, high).sample(
        data, 500, rng=np.random.default_rng(1)
    )
    np.testing.assert_array_equal(printed, sound)
