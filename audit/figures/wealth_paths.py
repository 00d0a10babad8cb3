"""Wealth of an audit over its samples: bets on all pairs, each pair's own, the total, and 1/alpha.

The claim is refuted when the total at any look reaches 1/alpha; if the claim holds, that happens
with a probability of at most alpha (Ville's inequality). The run is the first one of an audit (see
`audit.engine.loop`), whose alpha is nine tenths of the false-alarm rate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from audit.figures.axis_numbers import text
from audit.figures.figure_kind import Asked, Data, Figure
from audit.figures.style import LOOKS, Label, curve, frame, label_ends

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

    from audit.engine.run_state import Run
    from audit.request.privacy_plan import PrivacyPlan

__all__ = ["FIGURE"]

Array = NDArray[np.float64]

EXAMPLES = ("corpus.noisy-sum", "corpus.noisy-sum-halved")
SAMPLES, SECONDS, FALSE_ALARM = 300_000, 50.0, 0.05

TOTAL, COMMON, HIGHEST = "total", "bets on all pairs", "highest total at any look"
"""Paths besides the pairs' own."""

MOST_NAMED = 6
"""Pairs whose own paths get a color and a name: those that end highest."""

LONGEST = 40
"""Letters of a name."""


def _rows(asked: Asked) -> Iterator[tuple[str, ...]]:
    from audit.request.privacy_plan import plan_audit

    for request in asked.requests(EXAMPLES):
        asked_for = request.budget_samples
        samples = asked_for if isinstance(asked_for, int) else SAMPLES
        yield from _paths(
            plan_audit(replace(request, budget_samples=samples), stated_in="the figure"),
            samples,
            asked.seed,
        )


def _paths(plan: PrivacyPlan, samples: int, seed: int) -> list[tuple[str, ...]]:
    from audit.draws.settings import Settings
    from audit.engine.allocation import FEW_PAIRS
    from audit.engine.loop import FIRST_RUN_SHARE, rounds
    from audit.engine.run_state import Run
    from audit.engine.upper import without_reserve
    from audit.levels import grid_of
    from audit.pairs.worst_cases import check_pairs

    check_pairs(plan.pairs)
    settings = Settings(seed, FALSE_ALARM, samples, SECONDS, ideal=plan.request.ideal)
    many = len(plan.pairs) > FEW_PAIRS
    grid = grid_of(plan.claim, user=plan.pairs[0].user, coarse=many)
    betting = without_reserve(settings, plan.claim.level)
    found: list[tuple[str, ...]] = []
    last: dict[str, float] = {}

    def record(drawn: int, _: float) -> None:
        threshold = text(float(-np.log(run.wealth.levels[run.grid.claimed])))
        for path, value in _wealth(run).items():
            if last.get(path) != value:  # a path is a step function
                found.append((plan.target.name, path, str(drawn), text(value), threshold))
                last[path] = value

    run = Run.start(plan.target, plan.claim, plan.pairs, betting, grid, record, FIRST_RUN_SHARE)
    record(0, 0.0)
    rounds(run)
    return found


def _wealth(run: Run) -> dict[str, float]:
    """Logarithm of the wealth against the claim itself, by path."""
    from audit.engine.bet_growth import mixture

    wealth, claimed = run.wealth, run.grid.claimed
    shares = wealth.shares[:-1] / wealth.shares[:-1].sum()
    paths = {
        TOTAL: float(wealth.booked()[claimed]),
        HIGHEST: float(wealth.highest[claimed]),
        COMMON: float(mixture(wealth.log_experts, shares)[claimed]),
    }
    for state in run.given:
        paths[f"pair {state.index + 1}: {state.label}"] = float(
            wealth.log_pairs[state.index, claimed]
        )
    return paths


def _draw(data: Data, canvas: Canvas) -> None:
    targets = data.texts("target")
    panels = np.atleast_1d(canvas.subplots(len(targets), 1))
    for axes, target in zip(panels, targets, strict=True):
        one = data.where(target=target)
        _panel(axes, one)
        frame(axes, "samples of all pairs together", "natural log of the wealth", target)


def _steps(data: Data, path: str, end: float) -> tuple[Array, Array]:
    """A path to the end of the run."""
    one = data.where(path=path)
    x, y = one.numbers("samples"), one.numbers("log_wealth")
    return np.append(x, end), np.append(y, y[-1])


def _panel(axes: Axes, data: Data) -> None:
    threshold = data.numbers("threshold")[0]
    pairs = [path for path in data.texts("path") if path.startswith("pair ")]
    ends = {path: float(data.where(path=path).numbers("log_wealth")[-1]) for path in pairs}
    named = sorted(pairs, key=lambda path: -ends[path])[:MOST_NAMED]
    labels: list[Label] = []
    end = float(data.numbers("samples").max())
    others = [path for path in pairs if path not in named]
    for path in others:
        axes.step(*_steps(data, path, end), where="post", color="#bbbbbb", linewidth=0.8)
    if others:
        labels.append((f"{len(others)} other pairs", min(ends[path] for path in others), "#888888"))
    in_order = [path for path in pairs if path in named]  # alike in all panels if all are named
    for path, look in zip([COMMON, *in_order], [LOOKS[0], *LOOKS[1:], *LOOKS], strict=False):
        x, y = _steps(data, path, end)
        curve(axes, x, y, look, linewidth=1.1, drawstyle="steps-post")
        short = path if len(path) <= LONGEST else path[: LONGEST - 1] + "…"
        labels.append((short, float(y[-1]), look.color))
    x, y = _steps(data, TOTAL, end)
    axes.step(x, y, where="post", color="black", linewidth=2.2)
    labels.append((TOTAL, float(y[-1]), "#000000"))
    highest = data.where(path=HIGHEST).numbers("log_wealth")[-1]
    if highest >= threshold:
        axes.plot(x[-1:], [highest], "*", color="#D55E00", markersize=11, clip_on=False)
        labels.append(("refuted at this look", float(highest), "#D55E00"))
    axes.axhline(threshold, color="black", linewidth=0.9, linestyle=(0, (4, 2)))
    axes.text(0, threshold, " 1 / alpha: refuted", va="bottom")
    axes.set_xlim(0, None)
    axes.margins(y=0.08)
    label_ends(axes, labels)


FIGURE = Figure(
    ("target", "path", "samples", "log_wealth", "threshold"),
    _rows,
    _draw,
    size=(9.0, 7.0),
    of_audit=True,
)
"""The figure."""
