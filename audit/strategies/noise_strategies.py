"""Strategies for the parameters of noise laws."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from audit.strategies.claim_strategies import positives
from mechanisms.validation import check_choice

__all__ = ["noise_parameters"]

Parameters = dict[str, object]

FINEST_GRID = 64
MOST_SENSITIVE = 8


def noise_parameters(name: str) -> SearchStrategy[Parameters]:
    """Parameters of a registered noise law, as `build_noise(name, **parameters)` takes them.

    Parameters
    ----------
    name : str
        Of `touchstone list noises`.

    Returns
    -------
    SearchStrategy of dict
        Shrinks to 1 everywhere, and to the law's own choice where it has one.

    Raises
    ------
    InvalidArgument
        If the name is unknown.

    Examples
    --------
    >>> from hypothesis import find
    >>> from audit.strategies import noise_parameters
    >>> find(noise_parameters("laplace"), lambda parameters: True)
    {'epsilon': Fraction(1, 1), 'sensitivity': Fraction(1, 1)}
    """
    return LAWS[check_choice(name, "name", tuple(LAWS))]()


def _scaled() -> SearchStrategy[Parameters]:
    return st.fixed_dictionaries({"epsilon": positives(), "sensitivity": positives()})


def _normal() -> SearchStrategy[Parameters]:
    return st.fixed_dictionaries({"sigma": positives(), "sensitivity": positives()})


def _counted() -> SearchStrategy[Parameters]:
    whole = st.integers(1, MOST_SENSITIVE)
    return st.fixed_dictionaries({"epsilon": positives(), "sensitivity": whole})


def _normal_on_integers() -> SearchStrategy[Parameters]:
    sigmas = st.fractions(Fraction(1, 10), 100, max_denominator=100)
    return st.fixed_dictionaries({"sigma": sigmas, "sensitivity": st.integers(1, MOST_SENSITIVE)})


def _stepped() -> SearchStrategy[Parameters]:
    return st.fixed_dictionaries(
        {"epsilon": positives(), "sensitivity": positives()}, optional={"gamma": positives(1)}
    )


def _two_sums() -> SearchStrategy[Parameters]:
    return st.fixed_dictionaries({"epsilon": positives()}, optional={"gamma": positives(1)})


def _on_a_grid() -> SearchStrategy[Parameters]:
    def with_level(grid: int) -> SearchStrategy[Parameters]:
        known = {"epsilon": positives(), "grid": st.just(grid)}
        return st.fixed_dictionaries(known, optional={"level0": st.integers(1, grid)})

    return st.integers(1, FINEST_GRID).flatmap(with_level)


LAWS: dict[str, Callable[[], SearchStrategy[Parameters]]] = {
    "laplace": _scaled,
    "geometric": _counted,
    "gaussian": _normal,
    "discrete-gaussian": _normal_on_integers,
    "staircase": _stepped,
    "l1-staircase": _stepped,
    "hourglass": _two_sums,
    "discrete-hourglass": _on_a_grid,
}
"""A strategy for each registered law."""
