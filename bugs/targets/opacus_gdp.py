"""Opacus 1.6.0: the accountant by a central limit theorem is below the truth for some plans."""

import importlib.util
import sysconfig
from pathlib import Path

PLACE = Path(sysconfig.get_paths()["purelib"]) / "opacus" / "accountants" / "analysis" / "gdp.py"
SPEC = importlib.util.spec_from_file_location("gdp", PLACE)  # the package needs torch
module = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(module)


def release(_, __):
    """Answer the epsilon of 1,000 sampled Gaussian releases."""
    return module.compute_eps_poisson(
        steps=1000, noise_multiplier=1.0, sample_rate=0.01, delta=1e-5
    )
