"""Replay of control flow: what a target asks its generator for, compared between two data sets.

Both sides of a pair are run from the same state of the generator. The sequence of requests (which
law, how many numbers) and the number of random words taken are functions of the data and the state.
Where they differ, the release takes another path on the neighbor: it draws noise for another number
of groups, or goes on after a test that the data decide. That is worth a look and proves nothing: a
mechanism whose number of requests depends on the data may be private (noise for each record of the
local model), and one whose requests agree may not be. So a difference is an outcome of its own and
never a verdict, as in the replay of Re:cord-play (arXiv 2602.17454), which records the noise of
decorated libraries; here the generator is the caller's, so that nothing is decorated.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import partial
from typing import Any

import numpy as np

from audit.draws.containment import apart
from audit.draws.streams import Purpose, stream
from audit.pairs.worst_cases import Pair
from audit.results.control_flow import ControlFlow, FlowDifference
from audit.results.number_words import plural
from audit.screening.caller import words_of
from audit.targets.outcomes import OutOfTime, calling, drawing_until, is_outcome
from audit.targets.target import Target

__all__ = ["RecordedGenerator", "compared", "obstacle"]

RUNS = 3
"""Of each pair: chosen. A path that the data decide differs in each; one that the noise decides as
well is met in some."""

MOST_PAIRS = 4
"""Pairs that are compared where there is no witness: the first of a run and those that screening
chose, in 36 calls."""

ARMS = ("data", "neighbor", "again")
"""What is run of a pair: the data twice."""

SHOWN = 4
"""Requests that are told of either side."""

Flow = tuple[tuple[str, ...], int]
"""Requests in their order, and random words."""

REQUESTS = (
    *("random", "integers", "choice", "bytes", "permutation", "permuted", "shuffle"),
    *("laplace", "normal", "standard_normal", "exponential", "standard_exponential", "geometric"),
    *("uniform", "gumbel", "logistic", "gamma", "standard_gamma", "poisson", "binomial", "beta"),
    *("chisquare", "dirichlet", "multinomial", "multivariate_normal", "negative_binomial"),
    *("standard_cauchy", "standard_t", "rayleigh", "weibull", "pareto", "power", "triangular"),
    *("wald", "vonmises", "zipf", "logseries", "lognormal", "hypergeometric", "f"),
    *("multivariate_hypergeometric", "noncentral_chisquare", "noncentral_f"),
)
"""Methods of numpy's Generator that draw; a test compares them with what it has."""


class RecordedGenerator(np.random.Generator):
    """A generator that writes down what it is asked for; its numbers are those of its bits.

    Parameters
    ----------
    bits : BitGenerator
        As of any generator.
    """

    def __init__(self, bits: np.random.BitGenerator) -> None:
        super().__init__(bits)
        self.requests: list[str] = []
        self.is_asked = False
        """Whether a request is being served: what it asks for in turn is not the target's."""


def _recorded(name: str) -> Any:
    plain = getattr(np.random.Generator, name)

    def asked(self: RecordedGenerator, *arguments: Any, **words: Any) -> Any:
        inside, self.is_asked = self.is_asked, True
        try:
            found = plain(self, *arguments, **words)
        finally:
            self.is_asked = inside
        if not inside:
            drawn = arguments[0] if name == "shuffle" else found
            many = len(drawn) if isinstance(drawn, bytes) else np.size(drawn)
            self.requests.append(f"{name} of {many:,}")
        return found

    return asked


for _name in REQUESTS:
    setattr(RecordedGenerator, _name, _recorded(_name))


def obstacle(target: Target) -> str:
    """Why the control flow of a target is not compared; "" where it is."""
    if target.command:
        return "a program has a generator of its own"
    return "" if target.seedable else "the target does not go by its seed"


def compared(
    target: Target, pairs: Sequence[Pair], *, seed: int, deadline: float = math.inf
) -> ControlFlow | None:
    """Compare what a target asks for on both data sets of some pairs.

    The data are run twice: a run that does not repeat itself goes by more than its state, and is
    left out.

    Parameters
    ----------
    target : Target
        Of `supervised`, or any other.
    pairs : sequence of Pair
        The first of them are compared.
    seed : int
        Of the run; the states are those of no other purpose.
    deadline : float
        On the clock of `time.monotonic`.

    Returns
    -------
    ControlFlow or None
        None where it cannot be compared, or time was up.
    """
    if obstacle(target) or not pairs:
        return None
    chosen = list(pairs[:MOST_PAIRS])
    sides = [side for pair in chosen for side in (pair.data, pair.neighbor, pair.data)]
    try:
        flows = apart(target, flows_of, target, sides, seed, deadline, logs=True, deadline=deadline)
    except OutOfTime:
        return None
    differing, first, n = 0, None, len(ARMS)
    for place, pair in enumerate(chosen):
        for x, y, again in zip(*flows[n * place : n * place + n], strict=True):
            if x is not None and y is not None and x == again and x != y:
                differing += 1
                first = first or FlowDifference(pair.label, x[0], y[0], (x[1], y[1]), told(x, y))
    return ControlFlow(len(chosen), RUNS, differing, first)


def flows_of(
    target: Target, sides: Sequence[Any], seed: int, deadline: float
) -> list[list[Flow | None]]:
    """Run a target on each data set from the same states; it runs where the target is called.

    A call that fails has no flow: the path ends there, and how it fails is an outcome that audits
    see. Such a data set is not asked again, since each call of it may end a process, or hang.
    """
    found: list[list[Flow | None]] = []
    with drawing_until(deadline):
        for place, side in enumerate(sides):
            again = place % len(ARMS) == ARMS.index("again")
            failed = again and None in found[place - 2]
            flows: list[Flow | None] = []
            for run in range(RUNS):
                flow = None if failed else _asked(target, side, seed, run, deadline)
                failed = flow is None
                flows.append(flow)
            found.append(flows)
    return found


def _asked(target: Target, side: Any, seed: int, run: int, deadline: float) -> Flow | None:
    """One run, where a call that its process does not live to answer is a failure, too."""
    if time.monotonic() > deadline:
        raise OutOfTime
    made = calling(1, partial(_flow, target, side, seed, run), single=True)
    return None if isinstance(made, Exception) else made


def _flow(target: Target, side: Any, seed: int, run: int) -> Flow | None:
    bits = stream(seed, Purpose.REPLAY, batch=run).bit_generator
    rng = RecordedGenerator(bits)
    before = words_of(rng)
    try:
        (output,) = target.draw(side, 1, rng)
    except BaseException as failure:
        if not is_outcome(failure):
            raise
        return None
    if isinstance(output, BaseException):
        return None
    return tuple(rng.requests), words_of(rng) - before


def told(x: Flow, y: Flow) -> str:
    """The difference of two flows in words."""
    first, other = x[0], y[0]
    if first == other:
        return (
            f"reads {plural(x[1], 'random word')} on the data and {y[1]:,} on the neighbor, with "
            "the same requests"
        )
    moves = [m for m in SequenceMatcher(None, first, other).get_opcodes() if m[0] != "equal"]
    _, i, k, j, n = moves[0]
    start = f"after {plural(i, 'same request')}, " if i else ""
    return (
        f"{start}asks for {_list(first[i:k])} on the data and {_list(other[j:n])} on the neighbor"
    )


def _list(requests: Sequence[str]) -> str:
    shown = ", ".join(requests[:SHOWN])
    more = f" and {len(requests) - SHOWN:,} more" if len(requests) > SHOWN else ""
    return f"{shown}{more}" if requests else "nothing"
