"""smartnoise-synth 1.0.5: records are clamped, and the covariance is that of the others."""

import importlib.util
import sys
import sysconfig
from pathlib import Path

import pandas as pd

PLACE = Path(sysconfig.get_paths()["purelib"]) / "snsynth" / "models" / "dp_covariance.py"
SPEC = importlib.util.spec_from_file_location("dp_covariance", PLACE)  # the package needs torch
sys.modules["dp_covariance"] = module = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(module)


def release(data, _):
    """Answer the noisy variance of the first column; the second one is 0."""
    frame = pd.DataFrame({"x": data, "y": [0.0] * len(data)})
    bounds = pd.DataFrame([[0, 0], [1, 1]])
    return module.DPcovariance(len(data), ["x", "y"], bounds, 1.0).release(frame)[0]


def event(output):
    """Say whether the variance is above the middle."""
    return output > 1000
