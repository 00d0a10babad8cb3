"""Which columns can be measured: by our own mechanisms, or by libraries that are installed."""

from __future__ import annotations

from importlib.util import find_spec

from audit.tables.samplers import (
    TableSource,
    absolute_errors,
    class_errors,
    coin_errors,
    gaussian_errors,
    hourglass_noise,
    mean_error,
    noise,
    passes,
    scaled_error,
    sum_over_count,
)

__all__ = ["SOURCES", "sources_of"]


def sources_of(table: str) -> tuple[dict[str, TableSource], tuple[str, ...]]:
    """Sources of a table by column, and why others are left out."""
    sources = SOURCES.get(table, {})
    missing = {
        name: source.library
        for name, source in sources.items()
        if source.library and find_spec(IMPORTED[source.library]) is None
    }
    left_out = tuple(f"{name}: {library} is not installed" for name, library in missing.items())
    return {name: one for name, one in sources.items() if name not in missing}, left_out


IMPORTED = {"diffprivlib": "diffprivlib", "opendp": "opendp", "python-dp": "pydp"}
"""Module by distribution."""


SOURCES: dict[str, dict[str, TableSource]] = {
    "variance": {
        "laplace_swap": noise("laplace"),
        "geometric_swap": noise("geometric"),
        "staircase_swap": noise("staircase"),
        "laplace_add_remove": noise("laplace"),
        "l1_staircase_add_remove": noise("l1-staircase"),
        "hourglass_add_remove": noise("hourglass"),
    },
    "staircase": {
        "variance": noise("staircase"),
        "mean_absolute": noise("staircase", 1, absolute=True),
    },
    "l1-staircase": {
        "variance": noise("l1-staircase"),
        "mean_absolute": noise("l1-staircase", 1, absolute=True),
    },
    "hourglass": {
        "sum_is_0": hourglass_noise(lambda z: z[:, 1] == 0),
        "sum_is_1": hourglass_noise(lambda z: z[:, 1] == 1),
        "variance": hourglass_noise(lambda z: z[:, 0] ** 2),
        "covariance": hourglass_noise(lambda z: z[:, 0] * (z[:, 1] - z[:, 0])),
    },
    "leading": {
        "laplace_swap": noise("laplace"),
        "staircase_swap": noise("staircase"),
    },
    "mse": {
        "algorithm_1_laplace": mean_error("ksw.independent-laplace"),
        "algorithm_2_laplace": mean_error("ksw.shifted-laplace"),
        "algorithm_3_laplace": mean_error("ksw.transformed-laplace"),
        "algorithm_3_hourglass": mean_error("ksw.transformed-hourglass"),
        "algorithm_3_l1_staircase": mean_error("ksw.transformed-staircase"),
    },
    "error-ratio": {
        "scaled_1": scaled_error("ksw.independent-laplace"),
        "scaled_2": scaled_error("ksw.shifted-laplace"),
        "scaled_3": scaled_error("ksw.transformed-laplace"),
        "ksw.count-then-swap": scaled_error("ksw.count-then-swap"),
        "ksw.swap-laplace": scaled_error("ksw.swap-laplace"),
    },
    "trilemma": {
        name: class_errors(name)
        for name in ("tri.clipped-mean", "sub.moment-mean", "ksw.swap-laplace")
    },
    "subset-risk": {
        name: absolute_errors(name)
        for name in (
            "sub.subset-mean-noisy-size",
            "sub.bounded-mean",
            "sub.histogram-mean",
            "sub.moment-mean",
            "sub.radius-mean",
        )
    },
    "personalized-error": {
        name: gaussian_errors(name)
        for name in ("pdp.mean", "pdp.unbounded-mean", "pdp.adpm", "pdp.least-budget")
    },
    "personalized": {
        "adpm_error": coin_errors(),
        "stretched_error": coin_errors("pdp.stretched-mean"),
        "partitioned_error": coin_errors("pdp.partitioned-mean"),
        "sampled_error": coin_errors("pdp.sampled-mean"),
        "least_budget_error": coin_errors("pdp.least-budget"),
    },
    "saturation": {"error": coin_errors()},
    "coarse": {"delta_exact": TableSource("tri.coarse", passes)},
    "libraries": {
        "diffprivlib_mean": mean_error(
            "diffprivlib.mean", scaled=True, library="diffprivlib", draws=6_000
        ),
        "opendp_mean": mean_error("opendp.mean", scaled=True, library="opendp", draws=2_000),
        "opendp_sum_over_count": TableSource(
            "opendp.sum over opendp.laplace of the count", sum_over_count, 2_000, "opendp"
        ),
        "pydp_bounded_mean": mean_error("pydp.mean", scaled=True, library="python-dp", draws=8_000),
        "algorithm_3_laplace": mean_error("ksw.transformed-laplace", scaled=True),
        "algorithm_3_hourglass": mean_error("ksw.transformed-hourglass", scaled=True),
    },
}
"""By table and column."""
