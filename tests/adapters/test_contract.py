"""What holds of the calls of every library: the scale of the noise, and what data may be."""

import numpy as np
import pytest

from audit.targets.libraries.adapters import ADAPTERS
from mechanisms.errors import InvalidArgument
from tests.adapters import maker
from tests.calibrated import ALPHA, cdf_distance, draws_for, law_distance

MORE, ROUGH = 5 / 4, 4 / 3
"""By how much a wrong scale is off; the scales 6 and 8 of sums must be told apart: 4/3."""

SLOW = pytest.mark.slow
LAWS = {
    "diffprivlib.laplace": ((2, 3), 0.0, (0.0, 1.5), MORE, ()),
    "opendp.laplace": ((2, 3), 1.0, (1.0, 1.5), ROUGH, SLOW),
    "opendp.sum": (("1/2", 2, 3), [7.0, 2.5, -9.0], (7.5, 6.0), ROUGH, SLOW),
    "opendp.sum of two signs": (("1/2", -1, 3), [7.0, 1.0, -9.0], (3.0, 8.0), ROUGH, SLOW),
    "opendp.mean": (("1/2", -1, 3), [7.0, 1.0, -9.0, 1.0], (1.0, 2.0), ROUGH, SLOW),
    "pydp.laplace": ((2, 3), 1.0, (1.0, 1.5), MORE, ()),
    "pydp.sum": (("1/2", 2, 3), [7.0, 2.5, -9.0], (7.5, 6.0), MORE, ()),
    "pydp.sum of two signs": (("1/2", -1, 3), [7.0, 1.0, -9.0], (3.0, 6.0), MORE, ()),
}
"""Arguments, data, the clamped query on them and its scale, what a wrong scale is off by, marks.

OpenDP takes max(|low|, |high|, high - low) for a sum of floats, PyDP max(|low|, |high|).
"""


def laplace_cdf(center, scale):
    """Distribution function of center + Lap(scale)."""
    return lambda z: np.where(
        z < center,
        0.5 * np.exp(np.minimum(z - center, 0) / scale),
        1 - 0.5 * np.exp(-np.maximum(z - center, 0) / scale),
    )


@pytest.mark.parametrize("name", [pytest.param(name, marks=LAWS[name][-1]) for name in LAWS])
def test_noise_has_the_scale_of_the_claim(name, dp_rng):
    """Draws must follow the clamped query plus Lap(sensitivity / epsilon), of no other scale.

    What cannot be seeded errs with probability 1e-6 (OpenDP) or 1e-9 (PyDP), either way.
    """
    arguments, data, (center, scale), ratio, _ = LAWS[name]
    right = laplace_cdf(center, scale)
    wrong = [laplace_cdf(center, scale * r) for r in (ratio, 1 / ratio)]
    grid = np.linspace(center - 12 * scale, center + 12 * scale, 8001)
    distance = min(law_distance(right, law, grid) for law in wrong)
    size = draws_for(distance, 1e-6 if name.startswith("opendp") else ALPHA)
    adapter = maker(name.partition(" ")[0])(*arguments)
    draws = adapter.sample(data, size, rng=dp_rng)
    assert cdf_distance(draws, right) < distance / 2
    assert all(cdf_distance(draws, law) > distance / 2 for law in wrong)


@pytest.mark.parametrize(
    "name", [n for n, entry in ADAPTERS.items() if "sensitivity" in entry.parameters]
)
@pytest.mark.parametrize("data", [[0.0, 1.0], [], "x", None])
def test_a_noise_mechanism_takes_one_number(name, data, dp_rng):
    """Anything but one number must be refused."""
    with pytest.raises(InvalidArgument, match="data must be one number"):
        maker(name)().sample(data, 1, rng=dp_rng)


BOUNDED = [n for n, entry in ADAPTERS.items() if "low" in entry.parameters]
OF_RECORDS = [n for n, entry in ADAPTERS.items() if "sensitivity" not in entry.parameters]


@pytest.mark.parametrize("name", BOUNDED)
def test_bounds_must_be_apart(name):
    """Equal or crossed bounds are public nonsense and must be refused at once."""
    with pytest.raises(InvalidArgument, match="low must be less than high"):
        maker(name)(low=1, high=1)
    with pytest.raises(InvalidArgument, match="low must be at most high"):
        maker(name)(low=2, high=1)


@pytest.mark.parametrize("name", OF_RECORDS)
def test_records_come_in_one_row(name, dp_rng):
    """A table of records is not one query's input and must be refused."""
    with pytest.raises(InvalidArgument, match="data must be a list of numbers, got 2 dimensions"):
        maker(name)().sample([[0.0], [1.0]], 1, rng=dp_rng)
