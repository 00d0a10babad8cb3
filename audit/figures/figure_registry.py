"""The registry of all figures: name, module and title. Reading it imports none of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, final

from mechanisms.errors import InvalidArgument, close_names

if TYPE_CHECKING:
    from audit.figures.figure_kind import Figure

__all__ = ["FIGURES", "FigureEntry", "find_figure"]


@final
@dataclass(frozen=True, slots=True)
class FigureEntry:
    """A registered figure."""

    module: str
    """Below `audit.figures`; its `FIGURE` is the figure, or one of its `FIGURES`."""
    title: str
    """What it shows, in a line, with the figure of the paper that it redraws."""


FIGURES: dict[str, FigureEntry] = {
    "noise-balls": FigureEntry(
        "noise_balls", "what Algorithms 1 to 3 hide: unit balls of their noise (KSW, Figure 1)"
    ),
    "hourglass-density": FigureEntry(
        "hourglass_density",
        "density of the hourglass beside the l1 staircase (KSW v2, Figure 1(b), reconstructed)",
    ),
    "error-over-epsilon": FigureEntry(
        "error_curves", "error of Algorithm 3 over epsilon, by mean (KSW v1, Figure 2a)"
    ),
    "error-over-mean": FigureEntry(
        "error_curves", "error of Algorithm 3 over the mean: the M (KSW v1, Figure 2b)"
    ),
    "ratio-over-mean": FigureEntry(
        "error_curves", "error of Algorithm 2 over that of Algorithm 3 (KSW v1, Figure 2c)"
    ),
    "algorithms-over-epsilon": FigureEntry(
        "error_curves",
        "Algorithms 1 to 3 and the worst-case bound over epsilon (KSW v2, Figure 2, left)",
    ),
    "algorithms-over-mean": FigureEntry(
        "error_curves", "Algorithms 1 to 3 over the mean (KSW v2, Figure 2, middle)"
    ),
    "noises-over-epsilon": FigureEntry(
        "error_curves",
        "Algorithm 3 with three noises over epsilon (KSW v2, Figure 2, right)",
    ),
    "noises-over-mean": FigureEntry(
        "error_curves", "Algorithm 3 with three noises over the mean (KSW v2, Figure 3)"
    ),
    "error-over-size": FigureEntry(
        "error_curves",
        "Algorithms 2 and 3 over the number of records (KSW v2, Appendix H)",
    ),
    "layer": FigureEntry("layer", "Algorithm 3 where the mean is close to a bound (KSW, errata)"),
    "trilemma": FigureEntry(
        "trilemma", "bias, variance, privacy: bounds on the error over bias and moment (TRI)"
    ),
    "comparators-over-size": FigureEntry(
        "comparators", "what the papers compare with, over the number of records (KSW, SUB)"
    ),
    "comparators-over-epsilon": FigureEntry(
        "comparators", "what the papers compare with, over epsilon (KSW, SUB)"
    ),
    "comparators-over-budgets": FigureEntry(
        "comparators", "what the papers compare with, over the share of careful users (PDP)"
    ),
    "personalized-ablation": FigureEntry(
        "personalized_ablation", "personalized mean: what each slip of the print costs (PDP)"
    ),
    "privacy-profile": FigureEntry(
        "privacy_profile", "privacy profile of an audited mechanism: lower band, exact, claimed"
    ),
    "wealth-paths": FigureEntry(
        "wealth_paths", "wealth of an audit over its samples: every pair, the total, 1/alpha"
    ),
}
"""Figures by name, in the order of their page."""


def find_figure(name: str) -> Figure:
    """Return a figure by its name.

    Raises InvalidArgument if there is none; the message names those that are close.
    """
    if name not in FIGURES:
        hint = close_names(name, FIGURES)
        msg = f"there is no figure {name!r}{hint} (see `touchstone list figures`)"
        raise InvalidArgument(msg)
    module = import_module(f"audit.figures.{FIGURES[name].module}")
    figure: Figure = module.FIGURES[name] if hasattr(module, "FIGURES") else module.FIGURE
    return figure
