"""Targets whose blocks tell where they were drawn, and tasks to draw them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from audit.draws.encode import Encoder
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.counts.batch import Arm, Batch, merge
from audit.engine.counts.block import Task
from audit.engine.counts.source import CountSource
from audit.engine.partitions import fit_all
from audit.targets.target import Target
from tests.audit.engine.samplers import Draw, laplace, target

LATER = BatchPlace(1, Purpose.RUN, batch=3)


def mixed(data: float, size: int, rng: np.random.Generator) -> list[Any]:
    """Numbers, texts that each block meets for the first time, None, and failures."""
    values = data + rng.laplace(size=size)
    kinds = rng.integers(12, size=size)
    texts = [f"word {int(k)}" for k in rng.integers(40, size=size)]
    odd: dict[int, Any] = {0: None, 1: ValueError("on this draw"), 2: float("inf")}
    return [
        text if kind == 3 else odd.get(int(kind), float(value))
        for text, kind, value in zip(texts, kinds, values, strict=True)
    ]


def learned(draw: Draw, size: int = 600) -> tuple[Encoder, tuple[Any, ...]]:
    """An encoder and partitions that know some of the labels."""
    encoder = Encoder()
    rng = np.random.default_rng(5)
    past = [encoder.encode(draw(float(arm), size, rng)) for arm in (0, 1)]
    return encoder, tuple(fit_all(encoder, past[0], past[1], ideal=False))


def later(found: Target, size: int = 20_001, *, draw: Draw | None = None) -> Task:
    """A later batch, counted in partitions that `draw` was learned from."""
    encoder, partitions = learned(mixed if draw is None else draw)
    return Task(found, (0.0, 1.0), LATER, (size, size), False, encoder, partitions, True)


def batch_of(source: CountSource, task: Task) -> Batch:
    """Draw a batch and merge it."""
    return merged(source.count(task)[0], task)


def merged(arms: list[Arm], task: Task) -> Batch:
    """Merge arms in the order of their partitions."""
    return merge(arms, task.sizes[0], task.encoder, range(len(task.partitions)))


def assert_same(one: Batch, other: Batch) -> None:
    """Check that counts, draws and codes are equal."""
    assert one.encoder.labels == other.encoder.labels
    assert list(one.encoder.labels) == list(other.encoder.labels)
    assert len(one.tallies) == len(other.tallies)
    for counts, others in zip(one.tallies, other.tallies, strict=True):
        np.testing.assert_array_equal(counts, others)
    assert one.arms is not None
    assert other.arms is not None
    for arm, other_arm in zip(one.arms, other.arms, strict=True):
        np.testing.assert_array_equal(arm.numbers, other_arm.numbers)
        np.testing.assert_array_equal(arm.categories, other_arm.categories)


DYING = 1024
"""Draws of a call of a batch of 20,001."""


def dies_once(flag: Path) -> Target:
    """Laplace noise from a process that ends within one block, the first time."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        values = laplace()(data, size, rng)
        if size == DYING and not flag.exists():
            flag.touch()
            os._exit(1)
        return values

    return target(draw)


def always_dies(*, seedable: bool) -> Target:
    """A sampler that ends its process."""

    def draw(data: float, size: int, rng: np.random.Generator) -> Any:
        os._exit(1)

    return target(draw, seedable=seedable)
