"""Functions and laws refuse arguments out of their domain, and name them.

What mechanisms refuse is in `test_parameters` and `test_mechanisms`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from mechanisms.add_remove.exact_law import TransformedLaplaceLaw
from mechanisms.add_remove.mse import (
    mse_independent_laplace,
    mse_shifted_laplace,
    mse_transformed_laplace,
)
from mechanisms.add_remove.mse_hourglass import mse_transformed_hourglass
from mechanisms.errors import InvalidArgument
from mechanisms.noise.discrete_hourglass import DiscreteHourglass
from mechanisms.noise.gaussian import Gaussian
from mechanisms.personalized.bounds import bounded_error_lower
from mechanisms.personalized.budgets import check_budgets
from mechanisms.personalized.diffusion.rates import RationalRates, RightRates
from mechanisms.personalized.groups.exponential import check_ends
from mechanisms.personalized.public_tau import best_tau
from mechanisms.personalized.quantile.point_grid import check_grid as check_points
from mechanisms.subset.points import PointLaw
from mechanisms.subset.scores.statistic import Statistic, check_grid
from mechanisms.trilemma.amplification import shuffle_delta_upper
from mechanisms.trilemma.errors import (
    bias_clipped,
    bias_scarf,
    mse_clipped,
    mse_combined,
    mse_combined_exact,
    mse_combined_sharp,
    mse_hodges_lehmann,
    mse_name_and_shame,
)
from mechanisms.trilemma.hodges_lehmann import hodges_lehmann
from mechanisms.weighted_query import WeightedQuery

F = Fraction
ONE = (F(1),)

REFUSED: tuple[tuple[Callable[..., object], tuple[tuple[Any, str], ...]], ...] = (
    (
        TransformedLaplaceLaw,
        (
            ((0, 1, 1), "epsilon must be greater than 0"),
            ((1, -1, 1), "first must be at least 0"),
            ((1, 1, "-1/2"), "second must be at least 0"),
            ((1, 1, 1, 2, 1), "low must be at most high"),
        ),
    ),
    (mse_transformed_laplace, (((-1, 0.5), "N must be at least 0"),)),
    (mse_shifted_laplace, (((math.nan, 0.5), "N must be a finite number"),)),
    (mse_independent_laplace, (((1, 1.5), "p must be at most 1"),)),
    (
        mse_transformed_hourglass,
        (
            ((0, 0.5, 1), "n must be an integer of at least 1"),
            ((1, -0.1, 1), "p must be at least 0"),
            ((1, 0.5, 0), "epsilon must be greater than 0"),
            ((1, 0.5, 0.001), "epsilon must be at least 1/100"),
            ({"n": 1, "p": 0.5, "epsilon": 1, "gamma": 0}, "gamma must be greater than 0"),
        ),
    ),
    (
        DiscreteHourglass,
        (
            ({"grid": 0}, "grid must be an integer of at least 1"),
            ({"grid": 2.0}, "grid must be an integer"),
            ({"grid": 2**40, "epsilon": "1e-8"}, "grid / epsilon must be at most 2^56"),
            ({"level0": 0}, "level0 must be an integer of at least 1"),
            ({"grid": 8, "level0": 9}, "level0 must be at most grid=8, got level0=9"),
        ),
    ),
    (
        Gaussian.from_approx_dp,
        (
            ((-1, "1e-5", 1), "epsilon must be"),
            ((501, "1e-5", 1), "epsilon must be"),
            ((1, 0, 1), "delta must be"),
            ((1, 1, 1), "delta must be"),
            ((1, "1e-5", 0), "sensitivity must be"),
        ),
    ),
    (
        mse_clipped,
        (
            ((0, 1, "1/10"), "count must be an integer of at least 1, got count=0"),
            ((1.5, 1, "1/10"), "count=1.5"),
            ((5, 0, "1/10"), "epsilon must be greater than 0"),
            ((5, 1, 0), "beta must be greater than 0"),
            ((5, 1, 1, "3/2"), "moment must be at least 2"),
            ((5, 1, 1, 2, 1, 0), "low must be at most high"),
            ((5, 1, 1, 2, 0, 1, "own"), "constant must be one of"),
        ),
    ),
    (
        mse_name_and_shame,
        (
            ((5, 0, 1, 0), "delta must be greater than 0"),
            ((5, "1/2", -1, 0), "variance must be at least 0"),
            ((5, "1/2", 1, math.nan), "mean must be a finite number"),
        ),
    ),
    (
        mse_combined,
        (
            ((5, 1, "1/2", 0), "psi must be greater than 0"),
            ((5, 1, "1/2", 1, 2), "moment must be greater than 2"),
        ),
    ),
    (mse_combined_sharp, (((5, 1, "1/2", 1, 4, 0, 1, 0), "distance must be greater than 0"),)),
    (
        mse_combined_exact,
        (
            ((5, 1, "1/2", 0, 1, 1), "width must be greater than 0"),
            ((5, 1, "1/2", 1, 1, -1), "excess must be at least 0"),
        ),
    ),
    (bias_clipped, (((1, 1), "moment must be at least 2"), ((2, 0), "distance must be greater"))),
    (bias_scarf, (((0,), "distance must be greater than 0"),)),
    (
        hodges_lehmann,
        ((([],), "at least one record"), (([0.5],), "bits must be 0 or 1, got bits=")),
    ),
    (mse_hodges_lehmann, (((0,), "count must be an integer of at least 1"),)),
    (
        shuffle_delta_upper,
        (
            ((0, 256, "0.01"), "epsilon=0"),
            ((-1, 256, "0.01"), "epsilon=-1"),
            ((math.inf, 256, "0.01"), "epsilon=inf"),
            ((1, 0, "0.01"), "blocks=0"),
            ((1, 2.5, "0.01"), "blocks=2.5"),
            ((1, 2**31 + 1, "0.01"), "blocks=2147483649"),
            ((1, 256, 0), "delta=0"),
            ((1, 256, "1.01"), "delta=1.01"),
            ((1, 256, math.nan), "delta=nan"),
            ((1, 256, "0.005"), "delta=0.005"),
            ((500, 256, 1), "epsilon=500"),
            ((1, 256, "0.01", -1), "block_delta=-1"),
            ((1, 256, "0.01", 2), "block_delta=2"),
        ),
    ),
    (
        Statistic.checked,
        (
            (("mode", "1/2", 2, "crossing"), "statistic='mode'"),
            (("quantile", 0, 2, "crossing"), "level=0"),
            (("quantile", 1, 2, "crossing"), "level=1"),
            (
                ("quantile", "0.1234567", 2, "crossing"),
                "at most 1000000, got level=1234567",
            ),
            (("median", "1/3", 2, "crossing"), "level=1/3 with statistic='median'"),
            (("power", "1/2", 1, "crossing"), "power=1"),
            (("power", "1/2", 65, "crossing"), "power=65"),
            (("power", "1/2", "1.234", "crossing"), "at most 100, got power=617/500"),
            (("mean", "1/2", 3, "crossing"), "power=3 with statistic='mean'"),
            (("power", "1/2", 3, "length"), "score 'length' needs power 2"),
            (("mean", "1/2", 2, "distance"), "score='distance'"),
        ),
    ),
    (
        check_grid,
        (
            ((F(0), F(3, 2), 0), "step=0"),
            ((F(0), F(3, 2), -1), "step=-1"),
            ((F(0), F(3, 2), "1/3"), "step=1/3"),
            ((F(0), F(3, 2), 4), "step=4"),
        ),
    ),
    (
        check_points,
        (
            ((1, 0, 1), "low=1"),
            ((0, 1, 0), "step=0"),
            ((0, 1, -1), "step=-1"),
            ((0, 1, "1e-400"), "step=1e-400"),
            ((0, 1, "1e301"), "step=1e301"),
            ((0, 1, "1e-11"), "step=1e-11"),
            ((0, 1, math.nan), "step=nan"),
            ((0, math.inf, 1), "high=inf"),
        ),
    ),
    (
        check_ends,
        (
            ((ONE, 0, 1), "lowest=0"),
            ((ONE, -1, 1), "lowest=-1"),
            ((ONE, "1e-10", 1), "lowest=1e-10"),
            ((ONE, math.nan, 1), "lowest=nan"),
            ((ONE, 1, math.inf), "highest=inf"),
            ((ONE, 1, 10**10), "highest=10000000000"),
            ((ONE, 2, 1), "lowest=2, highest=1"),
        ),
    ),
    (
        bounded_error_lower,
        (
            (([], 1), "at least one number"),
            (([[1.0]], 1), "at least one number"),
            (([1, -1], 1), "at least 0"),
            (([math.nan], 1), "finite"),
            (([math.inf], 1), "finite"),
            (([1], 0), "sigma must be greater than 0"),
            (([1], math.nan), "sigma must be greater than 0"),
        ),
    ),
    (
        RightRates,
        (
            ((ONE, F(0)), "tau must be"),
            ((ONE, F(-1)), "tau must be"),
            ((ONE, F(10**9) + 1), "tau must be"),
            (((F(1), F(-1)), F(1)), "budgets must be at least 0"),
        ),
    ),
    (
        RationalRates,
        tuple((((F(1, 2), rate),), "rates must be from 0 to 1") for rate in (F(-1, 9), F(10, 9))),
    ),
    (
        check_budgets,
        # a number of users is a whole number from 1 to a million
        tuple(((text,), "") for text in ("1*0", "1*-2", "1*x", "1*2*2", "1*9999999", "*3")),
    ),
    (best_tau, ((([F(0), F(0)],), "positive budget"),)),
    (
        WeightedQuery,
        (
            ((ONE, F(1), F(0), F(1)), "low must be at most high"),
            ((ONE, F(0), F(1), F(-1)), "scale must be at least 0"),
        ),
    ),
    (
        PointLaw,
        (((F(1), (F(1), F(0)), (((F(1), F(0)),), ((F(1), F(0)),))), "must ascend"),),
    ),
)
"""By function: arguments, in order or by name, and words of the message."""


def test_arguments_out_of_their_domain_are_named(subtests: pytest.Subtests) -> None:
    """It must hold of each row."""
    for function, cases in REFUSED:
        for arguments, words in cases:
            with subtests.test(function=function, arguments=arguments):
                with pytest.raises(InvalidArgument) as caught:
                    function(**arguments) if isinstance(arguments, dict) else function(*arguments)
                assert words in str(caught.value)
