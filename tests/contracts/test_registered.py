"""What could be registered is: contracts run over the registries."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from audit.engine.partitions import FOR_RATIOS, PARTITIONS
from mechanisms.corpus.registry import CORPUS
from mechanisms.registry import MECHANISMS, NOISES
from tests.architecture.sources import modules


def is_noise(kind: type) -> bool:
    """Whether a class is a noise law."""
    return all(callable(getattr(kind, name, None)) for name in ("sample", "exact_law", "variance"))


def is_mechanism(kind: type) -> bool:
    """Whether a class is a mechanism with a promise."""
    return hasattr(kind, "claim") and callable(getattr(kind, "sample", None))


def classes(package: str, wanted: Callable[[type], bool]) -> set[str]:
    """Paths "module:class" of the concrete classes of a package that are of a kind."""
    found = set()
    for module in modules():
        if module.name.startswith(f"{package}."):
            loaded = importlib.import_module(module.name)
            for name, kind in inspect.getmembers(loaded, inspect.isclass):
                own = kind.__module__ == module.name and not getattr(kind, "_is_protocol", False)
                if own and wanted(kind) and not inspect.isabstract(kind):
                    found.add(f"{module.name}:{name}")
    return found


def paths(registry: Mapping[str, Any]) -> set[str]:
    """Import paths of a registry."""
    return {entry.path for entry in registry.values()}


@pytest.mark.parametrize(
    ("package", "wanted", "registry"),
    [
        ("mechanisms", is_noise, NOISES),
        ("mechanisms", is_mechanism, MECHANISMS),
        ("mechanisms.corpus", is_mechanism, CORPUS),
    ],
    ids=["noise", "mechanism", "corpus"],
)
def test_each_class_is_registered(
    package: str, wanted: Callable[[type], bool], registry: Mapping[str, Any]
) -> None:
    """It must hold that each class of a kind is registered, and nothing else is."""
    found = classes(package, wanted)
    if registry is not CORPUS:
        found -= classes("mechanisms.corpus", wanted)
    assert found == paths(registry)


def test_each_noise_file_defines_a_registered_law() -> None:
    """It must hold that a file of `mechanisms.noise` is a registered law's, or a named helper."""
    helpers = {f"mechanisms.noise.{name}" for name in ("exact_bits", "levels", "parameters")}
    laws = {path.partition(":")[0] for path in paths(NOISES)}
    files = {m.name for m in modules() if m.name.startswith("mechanisms.noise.")}
    assert files == helpers | laws


def test_each_partition_is_registered() -> None:
    """It must hold that each way to fit partitions is in the list of them, and no other class is.

    A way is the method `fit_columns` of a class, or a function `fit_...` of a score.
    """
    fitting = classes("audit.engine.partitions", lambda kind: hasattr(kind, "fit_columns"))
    assert classes(
        "audit.engine.partitions",
        lambda kind: all(hasattr(kind, name) for name in ("codes", "describe")),
    ) == fitting | {"audit.engine.partitions.score_table:ScoreTable"}
    ways = {f"{name}.fit_columns" for name in fitting}
    for module in modules():
        if module.name.startswith("audit.engine.partitions."):
            functions = inspect.getmembers(importlib.import_module(module.name), inspect.isfunction)
            own = (name for name, function in functions if function.__module__ == module.name)
            ways |= {f"{module.name}:{name}" for name in own if name.startswith("fit_")}
    assert ways == {
        f"{fit.__module__}:{fit.__qualname__}" for fit in (PARTITIONS | FOR_RATIOS).values()
    }


def test_printed_forms_are_named_so() -> None:
    """It must hold that exactly the names ending in `-as-printed` are of the printed form."""
    printed = {name for name, entry in MECHANISMS.items() if entry.form == "as printed"}
    assert printed
    assert printed == {name for name in MECHANISMS if name.endswith("-as-printed")}
