"""The targets at the edges can be loaded and drawn from."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

PATH = Path(__file__).with_name("targets.py")

PLAIN = ("good", "half", "drift", "warm_up", "unclipped", "one_percent_exact")


@pytest.mark.parametrize("name", PLAIN)
def test_draws_as_many_as_asked(name, dp_rng):
    """Each returns `size` draws of finite numbers for records within the bounds."""
    spec = importlib.util.spec_from_file_location("edge_targets", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outputs = getattr(module, name)(np.array([0.0, 1.0]), 7, dp_rng)
    assert outputs.shape == (7,)
    assert np.isfinite(outputs).all()
