"""A numpy generator whose next uniform is a chosen one: numpy's own samplers, uniform by uniform.

MT19937 hands out its state word by word, each through an invertible map, and a double is made of
two words, (a >> 5, b >> 6). So a state is written whose first double is k 2^-53. Samplers that
are a function of one uniform (`Generator.laplace`, `gumbel`, `logistic`) can be evaluated at every
uniform; those of another algorithm (`normal`, `exponential`: a ziggurat) cannot.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from audit.floats.machine_numbers import Float
from mechanisms.errors import InvalidArgument

WORDS = 624
MASK = 2**32 - 1
BITS = 53


def generator_at(index: int) -> np.random.Generator:
    """Generator whose first `random()` is index 2^-53."""
    generator = np.random.Generator(np.random.MT19937(0))
    _set(generator, index)
    return generator


def of_generator(sampler: Callable[[np.random.Generator], float]) -> Callable[[Float], float]:
    """Function of the uniform that a sampler computes, for `InverseTransform`.

    `sampler`: of a generator; it must draw exactly one double from it. Raises InvalidArgument from
    the function: where the sampler draws more, or less. Noise that is no monotone function of the
    double is an error of `InverseTransform`.
    """
    generator = generator_at(0)

    def function(uniform: Float) -> float:
        _set(generator, int(float(uniform) * 2**BITS))
        value = sampler(generator)
        used = generator.bit_generator.state["state"]["pos"]
        if used != 2:
            msg = (
                "the sampler must be a function of one uniform number (2 words of its generator), "
                f"it drew {used} words"
            )
            raise InvalidArgument(msg)
        return value

    return function


def _set(generator: np.random.Generator, index: int) -> None:
    """Make `index` 2^-53 the next double of a generator; those after it are about 1/2."""
    key = np.full(WORDS, HALF, dtype=np.uint32)
    key[0] = _word_for((index >> 26) << 5)
    key[1] = _word_for((index & (2**26 - 1)) << 6)
    state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 0}}
    generator.bit_generator.state = state


def _word_for(output: int) -> int:
    """State word that MT19937 hands out as `output`: its four steps undone, the last one first."""
    y = _undo_right(output, 18)
    y = _undo_left(y, 15, 0xEFC60000)
    y = _undo_left(y, 7, 0x9D2C5680)
    return _undo_right(y, 11)


def _undo_right(y: int, shift: int) -> int:
    """Solve x ^ (x >> shift) = y: each round makes `shift` more bits right."""
    x = y
    for _ in range(32 // shift):
        x = y ^ (x >> shift)
    return x


def _undo_left(y: int, shift: int, mask: int) -> int:
    """Solve x ^ ((x << shift) & mask) = y."""
    x = y
    for _ in range(32 // shift):
        x = y ^ ((x << shift) & mask & MASK)
    return x


HALF = _word_for(2**31)
"""Word of a double of about 1/2: a sampler that draws again does not fail, and is seen."""
