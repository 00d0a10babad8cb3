"""The mutations that the tests must kill, by what they break."""

from tests.mutations.listed import (
    add_remove,
    claims,
    engine,
    exact,
    experts,
    formulas,
    found,
    ledger,
    noise,
    thresholds,
)

MODULES = (noise, add_remove, formulas, thresholds, claims, engine, experts, found, exact, ledger)

MUTATIONS = tuple(mutation for module in MODULES for mutation in module.MUTATIONS)
