"""The mutations that the tests must kill, by what they break."""

from tests.mutations.listed import (
    add_remove,
    claims,
    coarse,
    engine,
    exact,
    experts,
    formulas,
    found,
    inverse_sensitivity,
    ledger,
    monotone,
    noise,
    shuffled,
    subset_mean,
    thresholds,
    trilemma,
)

MODULES = (
    noise,
    add_remove,
    formulas,
    thresholds,
    shuffled,
    claims,
    engine,
    experts,
    found,
    exact,
    ledger,
    subset_mean,
    inverse_sensitivity,
    monotone,
    trilemma,
    coarse,
)

MUTATIONS = tuple(mutation for module in MODULES for mutation in module.MUTATIONS)
