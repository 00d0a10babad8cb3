"""How figures look: colors that print and that the color-blind tell apart, and labels at curves.

The colors are those of Okabe and Ito ("Color universal design", 2008). Each comes with a line style
and a marker of its own, so that no curve is told from another by its color alone.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import ArrayLike

from audit.figures.figure_kind import Data
from mechanisms.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = [
    "ALONE",
    "BLACK",
    "FIRST",
    "LOOKS",
    "SECOND",
    "THIRD",
    "Label",
    "Look",
    "apart",
    "curve",
    "frame",
    "label_ends",
    "picture",
    "simulated",
]


@final
@dataclass(frozen=True, slots=True)
class Look:
    """How a curve looks: color, line style and marker, as matplotlib has them."""

    color: str
    line: Any
    marker: str


FIRST = Look("#D55E00", (0, (1, 1.2)), "^")
"""Algorithm 1 in all figures."""

SECOND = Look("#E69F00", (0, (5, 2)), "s")
"""Algorithm 2."""

THIRD = Look("#0072B2", "-", "o")
"""Algorithm 3."""

BLACK = Look("#000000", (0, (6, 1.5, 1, 1.5)), "")
"""Of a bound."""

LOOKS = (
    THIRD,
    FIRST,
    Look("#009E73", (0, (5, 2)), "s"),
    Look("#CC79A7", (0, (6, 1.5, 1, 1.5)), "D"),
    Look("#E69F00", (0, (3, 1, 1, 1, 1, 1)), "v"),
    Look("#56B4E9", (0, (1, 2.5)), "P"),
)
"""Of curves of one kind, in order."""

ALONE: dict[str, Any] = {"linewidth": 1.0, "color": "#777777"}
"""A thin line that is no curve."""

SETTINGS: dict[str, Any] = {
    "figure.dpi": 150,
    "savefig.dpi": 150,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "legend.frameon": False,
    "svg.hashsalt": "touchstone",
    "svg.fonttype": "path",
    "pdf.compression": 6,
}

UNDATED: dict[str, dict[str, Any]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""What leaves the date out of a picture, by format."""

GAP = 0.062
"""Least distance of two labels, as a share of the height of the axes."""


def picture(draw: Callable[[Canvas], None], size: tuple[float, float], form: str) -> bytes:
    """Draw a picture: the same bytes whenever the same is drawn with the same matplotlib.

    `draw`: draws on an empty canvas. `size`: width and height, in inches. `form`: one of "png",
    "svg" and "pdf". Raises MissingExtra if matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Canvas
    except ImportError as exc:
        msg = (
            f"matplotlib cannot be imported ({exc}); "
            "install it with: pip install 'touchstone-dp[report]'"
        )
        raise MissingExtra(msg) from exc
    out = io.BytesIO()
    settings: Any = SETTINGS  # matplotlib has a type for each key
    with mpl.rc_context():  # nothing of the user's own settings
        mpl.rcdefaults()
        mpl.rcParams.update(settings)
        canvas = Canvas(figsize=size, layout="constrained")
        draw(canvas)
        canvas.savefig(out, format=form, metadata=UNDATED[form])
    return out.getvalue()


def frame(axes: Axes, x: str, y: str, title: str = "") -> None:
    """Name both axes with their units, and the panel."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, loc="left")


def curve(axes: Axes, x: ArrayLike, y: ArrayLike, look: Look, **more: Any) -> None:
    """Draw a curve without its markers; a NaN is a gap."""
    axes.plot(x, y, color=look.color, linestyle=look.line, **more)


def simulated(axes: Axes, data: Data, x: str, look: Look, estimate: str = "simulated") -> None:
    """Draw estimates with their intervals, columns "low" and "high", where there are any."""
    at, value, low, high = (data.numbers(name) for name in (x, estimate, "low", "high"))
    known = ~np.isnan(value)
    ends = np.vstack([value - low, high - value])[:, known]
    axes.errorbar(
        at[known],
        value[known],
        yerr=np.maximum(ends, 0.0),
        fmt=look.marker,
        color=look.color,
        markerfacecolor="white",
        markeredgewidth=0.9,
        elinewidth=0.9,
        capsize=1.5,
    )


Label = tuple[str, float, str]
"""Text, height at the right end of its curve, color."""


def label_ends(axes: Axes, labels: Sequence[Label]) -> None:
    """Write labels right of the axes at the ends of their curves, moved apart where they collide.

    The limits of the axes must be final.
    """
    inside = axes.transData + axes.transAxes.inverted()
    left = axes.get_xlim()[0]
    heights = [float(inside.transform((left, y))[1]) for _, y, _ in labels]
    order = sorted(range(len(labels)), key=lambda k: heights[k])
    for k, height in zip(order, apart([heights[k] for k in order], GAP), strict=True):
        text, _, color = labels[k]
        axes.text(1.015, height, text, color=color, transform=axes.transAxes, va="center")


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Move ascending heights at least a gap apart, each group around its middle, inside 0 to 1.

    Examples
    --------
    >>> from audit.figures.style import apart
    >>> [round(height, 3) for height in apart([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    groups: list[list[float]] = []
    starts: list[float] = []
    for height in heights:
        groups.append([height])
        starts.append(_start(groups[-1], gap))
        while len(groups) > 1 and starts[-2] + gap * len(groups[-2]) > starts[-1]:
            last = groups.pop()
            starts.pop()
            groups[-1] += last
            starts[-1] = _start(groups[-1], gap)
    return [
        start + gap * k
        for start, group in zip(starts, groups, strict=True)
        for k in range(len(group))
    ]


def _start(group: Sequence[float], gap: float) -> float:
    """Lowest place of a group whose middle is that of its heights."""
    length = gap * (len(group) - 1)
    return min(max(sum(group) / len(group) - length / 2, 0.0), max(1.0 - length, 0.0))
