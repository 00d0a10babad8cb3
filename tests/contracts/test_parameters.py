"""A mechanism refuses public parameters out of their domain by name, before there are data.

What all of them share, `epsilon`, `delta` and bounds, is refused in `test_mechanisms.py`.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from mechanisms.errors import InvalidArgument
from mechanisms.registry import MECHANISMS, build_mechanism
from mechanisms.validation import shown

ALONE: dict[str, dict[str, tuple[Any, ...]]] = {
    "ksw.independent-laplace": {"sum_scale": (0,)},
    "ksw.shifted-laplace": {"count_scale": (-1,), "sum_scale": (math.nan,), "release": ("ratio",)},
    "ksw.transformed-laplace": {"noise": ("gaussian",)},
    "ksw.release-mean": {"grid": (0, -1, 1.5, 2**33, "8")},
    "ksw.swap-laplace": {"noise": ("hourglass",)},
    "tri.clipped-mean": {"beta": (0, "1e-80")},
    "tri.name-and-shame": {"delta": (0, "1.01", "1e-76")},
    "tri.combined": {"psi": (0,), "distance": (-1, math.inf)},
    "tri.coarse": {"threshold": ("lowest",)},
    "tri.symmetric-mean": {
        "distance": (0, math.inf),
        "scale": (0, -10),
        "first": (-1, 1.5),
        "second": (0,),
    },
    "tri.shuffled-mean": {
        "delta": (2, "1e-9"),
        "epsilon": (3,),
        "blocks": (0,),
        "rows": (0, 1.5, 2**24),
        "release": ("sum",),
    },
    "sub.threshold": {
        "alpha": (0, -1, math.inf, "1e-17"),
        "rank": (math.nan, 2**31 + 1),
        "side": ("left",),
    },
    "sub.threshold-grid": {"points": (0, 2**24 + 1), "rule": ("nearest",), "rank": ("1e10",)},
    "sub.subset-mean-public-size": {
        "expected_size": (0, 2.5),
        "gamma": (0,),
        "alpha": (-1,),
        "rank": ("1e10",),
    },
    "sub.subset-mean-noisy-size": {"gamma": ("1e-30",)},
    "sub.subset-mean-as-printed": {"gamma": ("-1",), "rule": ("floor",)},
    "sub.inverse-sensitivity": {
        "step": (0, "0.3"),
        "statistic": ("mode",),
        "score": ("distance",),
    },
    "sub.monotone": {"step": (0, "3/10"), "statistic": ("mode",), "score": ("len",)},
    "sub.monotone-as-printed": {"step": (0, 3), "statistic": ("mode",)},
    "pdp.radius": {"beta": (0, 1, -1, "1e-101", math.nan, "x", None)},
    "pdp.diffusion": {"tau": (0, math.inf)},
    "pdp.diffused-quantile": {"tau": (0, "1e10"), "step": (0,)},
    "pdp.range": {
        "beta": (0, 1),
        "tau": (0, "1e-10", "1e10", "saturation"),
        "release": ("mean",),
    },
    "pdp.mean": {"tau": (-1,), "release": ("range",), "beta": ("1e-101",)},
    "pdp.unbounded-mean": {"beta": (0, 1), "release": ("median",), "most": (0, 1.5)},
    "pdp.parallel-counts-as-printed": {"noise": ("laplace",)},
    "pdp.diffused-quantile-as-printed": {"beta": (0, 1), "tau": (0,)},
    "pdp.discretization-as-printed": {"pairs": ("random",)},
    "pdp.range-as-printed": {"tau": ("saturated", 0), "beta": (2,), "release": ("mean",)},
    "pdp.mean-as-printed": {"release": ("range",), "tau": ("1e11",)},
}
"""Values of single parameters that must be named as `parameter=value`."""

WORDS = (
    ("tri.clipped-mean", {"low": 1, "high": 1}, "low must be less than high, got low=1"),
    ("tri.clipped-mean", {"beta": "1e-75", "epsilon": "1e-9"}, "width of the clip / epsilon"),
    ("tri.clipped-mean", {"low": "1e20", "high": "100000000000000000001"}, "different doubles"),
    ("tri.clipped-mean", {"moment": "1.9"}, "moment must be at least 2, got moment=1.9"),
    ("tri.clipped-mean", {"moment": 10**7}, "moment must be at most 1000000"),
    ("tri.clipped-mean", {"constant": "best"}, "constant must be one of printed, sharp"),
    ("tri.combined", {"moment": 2}, "moment must be greater than 2"),
    ("tri.combined", {"low": 0, "high": 0}, "low must be less than high"),
    ("tri.coarse", {"threshold": "lower", "delta": "1/2"}, "delta=1/2"),
    ("tri.symmetric-mean", {"distance": "1e75", "epsilon": "1e-9"}, "2 distance / (second eps"),
    ("tri.shuffled-mean", {"low": 1, "high": 1}, "low=1, high=1"),
    ("tri.shuffled-mean", {"high": "1e80"}, "width of the clip / epsilon"),
    ("tri.shuffled-mean", {"low": "1e20", "high": "100000000000000000001"}, "different doubles"),
    ("tri.tilted-sign", {"epsilon": 501}, "epsilon must be at most 500"),
    ("sub.bounded-mean", {"high": "1e80"}, "(high - low) / epsilon"),
    ("sub.bounded-mean", {"release": "sum"}, "release must be one of mean, pair"),
    ("sub.threshold", {"low": 1, "high": "1.00000000000001"}, "alpha=None"),
    ("sub.threshold", {"low": 10**9, "high": 10**9 + 1, "alpha": "1e-8"}, "alpha=1e-8"),
    ("sub.subset-mean-public-size", {"expected_size": 10**15}, "gamma / expected_size must be at"),
    ("sub.subset-mean-noisy-size", {"high": "1e90"}, "(high - low) / epsilon"),
    ("sub.subset-mean-as-printed", {"high": "1e90"}, "(high - low) / epsilon"),
    ("sub.inverse-sensitivity", {"step": "1e-8"}, "at most 16777216"),
    ("sub.inverse-sensitivity", {"step": "1/9000", "statistic": "power"}, "at most 8192"),
    ("sub.inverse-sensitivity", {"level": "1/3"}, "level=1/3"),
    ("sub.inverse-sensitivity", {"power": 3, "statistic": "mean"}, "power=3"),
    (
        "sub.inverse-sensitivity",
        {"step": "1/1000", "statistic": "mean", "score": "length"},
        "at most 256",
    ),
    ("sub.monotone", {"epsilon": "1e-7"}, "the rank 7 r / 4 is at most 2147483648"),
    ("sub.monotone", {"level": "1/3"}, "level"),
    ("sub.monotone", {"statistic": "quantile", "level": 1}, "level must be less than 1"),
    ("sub.monotone", {"power": 3}, "power"),
    ("sub.monotone", {"statistic": "power", "power": 1}, "power must be greater than 1"),
    ("sub.monotone", {"statistic": "power", "power": 3, "score": "length"}, "score"),
    ("sub.monotone", {"step": "1e-8"}, "step"),
    ("sub.monotone-as-printed", {"epsilon": "1e-8"}, "epsilon must be so large"),
    ("pdp.weighted-mean", {"weights": ()}, "at least one record"),
    ("pdp.weighted-mean", {"weights": (1, -1)}, "weights must be at least 0"),
    ("pdp.weighted-mean", {"weights": (10**10,)}, "weights must be at most"),
    ("pdp.weighted-mean", {"weights": (math.nan,)}, "weights must be a finite number"),
    ("pdp.weighted-mean", {"low": 0, "high": 10**80}, "max w / epsilon must be at most"),
    ("pdp.adpm", {"budgets": ()}, "at least one user"),
    ("pdp.adpm", {"budgets": (1, -1)}, "budgets must be at least 0"),
    ("pdp.adpm", {"budgets": (10**10,)}, "budgets must be at most"),
    ("pdp.adpm", {"budgets": ("1e-400",)}, "saturated budgets) must be at most"),
    ("pdp.adpm", {"low": 0, "high": "1e-90"}, "saturated budgets) must be at least"),
    ("pdp.radius", {"b": 0}, "b must be"),
    ("pdp.radius", {"b": -1}, "b must be"),
    ("pdp.radius", {"b": math.inf}, "b must be"),
    ("pdp.radius", {"b": "1e76"}, "b must be"),
    ("pdp.radius", {"b": "1e-76"}, "b must be"),
    ("pdp.diffusion", {"budgets": (-1,)}, "budgets"),
    ("pdp.diffused-quantile", {"budgets": ()}, "budgets"),
    ("pdp.range", {"budgets": ()}, "budgets"),
    ("pdp.range", {"budgets": (1, -1)}, "budgets"),
    ("pdp.range", {"budgets": (1, math.nan)}, "budgets"),
    ("pdp.range", {"budgets": (1, "1e10")}, "budgets"),
    ("pdp.range", {"budgets": ("1e-10", 0)}, "tau=1e-10"),
    ("pdp.mean", {"budgets": "1, -1"}, "budgets"),
    ("pdp.mean", {"budgets": ("1e-9", 0)}, "tau=5e-10"),
    ("pdp.mean", {"budgets": ("1e-320",), "tau": 1}, "sum of the saturated budgets"),
    ("pdp.unbounded-mean", {"budgets": ()}, "budgets=()"),
    ("pdp.unbounded-mean", {"budgets": (-1,)}, "budgets=-1"),
    ("pdp.unbounded-mean", {"budgets": (0,)}, "lowest and highest must be given"),
    ("pdp.unbounded-mean", {"lowest": 3, "highest": 2}, "lowest=3"),
    ("pdp.range-as-printed", {"slip": "E-01, E-02"}, "must not name both"),
    ("pdp.range-as-printed", {"budgets": ()}, "budgets"),
    ("pdp.range-as-printed", {"budgets": "1e-101"}, "saturation threshold"),
    ("pdp.mean-as-printed", {"slip": "E-01, E-02"}, "must not name both"),
)
"""Parameters that do not go together, or whose fault has words of its own."""

SLIPS = [name for name in MECHANISMS if hasattr(build_mechanism(name), "slip")]


def refusal(name: str, arguments: dict[str, Any]) -> str:
    """What the class of a registered mechanism says of its arguments."""
    with pytest.raises(InvalidArgument) as caught:
        type(build_mechanism(name))(**arguments)
    return str(caught.value)


def test_a_value_out_of_its_domain_is_named(subtests: pytest.Subtests) -> None:
    """It must hold of each parameter, beside the defaults of the others."""
    for name in ALONE:
        with subtests.test(name=name):
            for parameter, values in ALONE[name].items():
                for value in values:
                    assert f"{parameter}={shown(value)}" in refusal(name, {parameter: value})


def test_the_fault_is_said(subtests: pytest.Subtests) -> None:
    """It must hold that the message says which parameters are at fault."""
    for name, arguments, words in WORDS:
        with subtests.test(name=name, arguments=arguments):
            assert words in refusal(name, arguments)


def test_a_slip_that_a_printed_form_does_not_have_is_named(subtests: pytest.Subtests) -> None:
    """It must hold of unknown ones, of none, of known ones that no comma parts, and of a number."""
    for name in SLIPS:
        with subtests.test(name=name):
            for slip in ("E-00", "E-08, E-00", "E-06 E-28", "", 3):
                assert f"slip={slip!r}" in refusal(name, {"slip": slip})
