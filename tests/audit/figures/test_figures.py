"""Figures: their columns, their look, their files."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from audit.figures import axis_numbers, comparators, privacy_profile, wealth_paths
from audit.figures import personalized_ablation as ablation
from audit.figures.curves import figure_of
from audit.figures.error_curves import CURVES
from audit.figures.figure_kind import Asked, Data, Figure, collect
from audit.figures.figure_registry import FIGURES, find_figure
from audit.figures.picture_files import write_figure
from audit.figures.style import FIRST, LOOKS, SECOND, THIRD, apart, picture
from audit.request.request import Request
from mechanisms.errors import InvalidArgument
from mechanisms.laws import FLOATS
from mechanisms.registry import MECHANISMS, build_noise
from tests.audit.figures.drawn import read_data
from tests.slow import all_but

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "figures.md"

HEADERS = {
    "noise-balls": "space,shape,x,y",
    "hourglass-density": "noise,t,low,high,density",
    "error-over-epsilon": "mean,epsilon,exact,leading,simulated,low,high",
    "error-over-mean": "mean,exact,leading,simulated,low,high",
    "ratio-over-mean": "epsilon,mean,ratio",
    "algorithms-over-epsilon": "algorithm,epsilon,exact,leading,bound,simulated,low,high",
    "algorithms-over-mean": "algorithm,mean,exact,simulated,low,high",
    "noises-over-epsilon": "noise,epsilon,best,exact,limit,simulated,low,high",
    "noises-over-mean": "noise,mean,exact,limit,simulated,low,high",
    "error-over-size": "algorithm,n,exact,leading,simulated,low,high",
    "layer": "N,c,scaled,place",
    "trilemma": "panel,epsilon,beta,lam,floor,lower_printed,lower,upper_sharp,upper_printed",
    "comparators-over-size": "estimator,n,simulated,low,high",
    "comparators-over-epsilon": "estimator,epsilon,simulated,low,high",
    "comparators-over-budgets": "estimator,careful,exact,simulated,low,high",
    "personalized-ablation": "slip,mean,median,low,high,q90",
    "privacy-profile": "target,verdict,epsilon,lower,witness,exact,claimed",
    "wealth-paths": "target,path,samples,log_wealth,threshold",
}


def test_headers_of_the_data() -> None:
    """It must hold that each figure has the columns that users read."""
    assert {name: ",".join(find_figure(name).columns) for name in FIGURES} == HEADERS


def test_each_figure_is_on_the_page() -> None:
    """It must hold that the page of figures names each of them, with its columns."""
    text = PAGE.read_text()
    for name in FIGURES:
        assert f"## {name}\n" in text
        for column in find_figure(name).columns:
            assert f"`{column}`" in text.split(f"## {name}\n")[1].split("\n## ")[0], name


def test_looks_differ_without_color() -> None:
    """It must hold that no two curves of one kind share a color, a line style or a marker."""
    for looks in (LOOKS, (FIRST, SECOND, THIRD)):
        for value in ("color", "line", "marker"):
            assert len({str(getattr(look, value)) for look in looks}) == len(looks)


def area(x: np.ndarray, y: np.ndarray) -> float:
    """Area of a closed polygon."""
    return abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2


def test_balls_of_the_three_algorithms() -> None:
    """It must hold that their areas are 8, 4 and 2, and Algorithm 3's is the hull of all moves."""
    data = collect(find_figure("noise-balls"), Asked()).where(space="sum and count")
    corners = {}
    for name, size in (("Algorithm 1", 8), ("Algorithm 2", 4), ("Algorithm 3", 2)):
        ball = data.where(shape=name)
        x, y = ball.numbers("x"), ball.numbers("y")
        assert area(x, y) == pytest.approx(size)
        corners[name] = {*zip(x, y, strict=True)}
    assert corners["Algorithm 1"] == {(2, 0), (0, 2), (-2, 0), (0, -2)}
    assert corners["Algorithm 2"] == {(1, 0), (1, 2), (-1, 0), (-1, -2)}
    moves = {
        point
        for shape in ("a record added", "a record removed")
        for point in zip(*(data.where(shape=shape).numbers(c) for c in "xy"), strict=True)
    }
    assert corners["Algorithm 3"] == moves == {(0, 1), (1, 1), (0, -1), (-1, -1)}


def test_the_hourglass_is_that_of_its_law(dp_rng: np.random.Generator) -> None:
    """KSW-D4: at 200 points of the lines the pieces are the exact law's, and those of k + 1 not."""
    data = collect(find_figure("hourglass-density"), Asked())
    law = build_noise("hourglass", epsilon=1).exact_law()
    pieces = data.where(noise="hourglass")
    assert pieces.texts("t") == tuple(map(str, range(-3, 4)))
    for _ in range(200):
        z, t = Fraction(int(dp_rng.integers(-3999, 4000)), 1000), int(dp_rng.integers(-3, 4))
        line = pieces.where(t=str(t))
        place = int(np.flatnonzero(line.numbers("low") <= float(z))[-1])
        assert float(z) <= line.numbers("high")[place]
        shown = line.numbers("density")[place]
        exact = np.exp(law.log_density((z, Fraction(t)), FLOATS))
        assert shown == pytest.approx(exact, rel=1e-9)
        assert shown != pytest.approx(exact / np.e, rel=1e-2)
    square = data.where(noise="l1-staircase")
    rings = square.numbers("high") ** 2 - square.numbers("low") ** 2
    assert 0.98 < 2 * float(rings @ square.numbers("density")) < 1


@pytest.mark.long
@pytest.mark.parametrize("form", all_but(["png", "pdf"], ["png", "svg", "pdf"]))
def test_pictures_are_the_same_every_time(form: str, tmp_path: Path) -> None:
    """It must hold that two drawings are equal byte by byte, without a date or the user's style."""
    import matplotlib as mpl

    figure = find_figure("noise-balls")
    files = [tmp_path / f"{name}.{form}" for name in "ab"]
    write_figure(figure, str(files[0]), Asked())
    with mpl.rc_context({"font.size": 20, "lines.linewidth": 9}):
        data = write_figure(figure, str(files[1]), Asked())
        assert mpl.rcParams["font.size"] == 20
    first, second = (file.read_bytes() for file in files)
    assert first == second
    assert b"Date" not in first
    assert b"dc:date" not in first
    assert read_data(files[0].with_suffix(".csv")) == data


def test_curves_on_a_small_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that simulated errors fit the exact ones, and another seed moves only them."""
    monkeypatch.setattr(axis_numbers, "REPETITIONS", 2_000)
    one_mean = replace(CURVES["algorithms-over-mean"], places=lambda: [Fraction(1, 2)])
    figure = figure_of(one_mean)
    one, other = (collect(figure, Asked(seed)) for seed in (1, 2))
    exact = one.numbers("exact")
    assert (exact == other.numbers("exact")).all()
    assert (one.numbers("simulated") != other.numbers("simulated")).all()
    half = (one.numbers("high") - one.numbers("low")) / 2
    assert one.texts("mean") == ("0.5",)
    assert (np.abs(one.numbers("simulated") - exact) <= 2 * half).all()
    assert collect(figure, Asked(1)) == one
    expected = [10.0004800729807, 2.00004800384065, 1.00003000168015]
    assert exact == pytest.approx(expected)


@pytest.mark.slow
def test_the_mean_of_the_largest_error_is_among_the_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that the M has its peak 0.96889820 at 0.013579 and 0.986421."""
    monkeypatch.setattr(axis_numbers, "REPETITIONS", 2_000)
    whole = CURVES["error-over-mean"]
    ends = {mean: min(mean, 1 - mean) for mean in whole.places()}
    few = [m for m, end in ends.items() if 0.012 < end < 0.015 or float(end) in (0.002, 0.5)]
    data = collect(figure_of(replace(whole, places=lambda: few)), Asked())
    assert data.texts("mean") == ("0.002", "0.013579", "0.5", "0.986421", "0.998")
    expected = [0.624192268, 0.968898197, 0.500060013, 0.968898197, 0.624192268]
    assert data.numbers("exact") == pytest.approx(expected)


@pytest.mark.slow
def test_wealth_of_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the paths begin at 0 and are those of the audit's own run."""
    monkeypatch.setattr(wealth_paths, "SAMPLES", 20_000)
    asked = Asked(3, (Request("corpus.noisy-sum-halved", ideal=True),))
    data = collect(wealth_paths.FIGURE, asked)
    assert data.texts("target") == ("corpus.noisy-sum-halved",)
    pairs = [path for path in data.texts("path") if path.startswith("pair ")]
    assert len(pairs) == 2
    first = data.where(samples="0")
    assert len(first.rows) == 5
    assert first.numbers("log_wealth") == pytest.approx(0, abs=1e-12)
    highest = data.where(path=wealth_paths.HIGHEST).numbers("log_wealth")
    assert (np.diff(highest) > 0).all()
    assert highest[-1] >= data.where(path=wealth_paths.TOTAL).numbers("log_wealth").max()
    assert collect(wealth_paths.FIGURE, asked) == data


def drawn(figure: Figure, data: Data) -> Canvas:
    """A figure on a canvas."""
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas()
    figure.draw(data, canvas)
    return canvas


def test_the_picture_of_an_audit_is_drawn() -> None:
    """It must hold that one target and many pairs can be drawn."""
    rows = [("t", wealth_paths.TOTAL, "0", "0", "3"), ("t", wealth_paths.TOTAL, "10", "4", "3")]
    for path in (wealth_paths.HIGHEST, wealth_paths.COMMON, *(f"pair {k}: x" for k in range(30))):
        rows += [("t", path, "0", "0", "3"), ("t", path, "10", "4", "3")]
    figure = wealth_paths.FIGURE
    data = Data(figure.columns, tuple(rows))
    assert picture(lambda canvas: figure.draw(data, canvas), (4, 3), "svg").startswith(b"<?xml")


def test_the_band_of_a_profile_is_drawn_as_steps() -> None:
    """It must hold that no chord of the band goes above a profile that its points are below."""
    columns = privacy_profile.FIGURE.columns
    rows = [
        ("t", "REFUTED", "0", "0.2", "", "0.3", "0.5"),
        ("t", "REFUTED", "1", "0.1", "0.05", "0.1", "0"),
    ]
    (axes,) = drawn(privacy_profile.FIGURE, Data(columns, tuple(rows))).axes
    lines = {line.get_label(): line for line in axes.lines}
    assert lines["lower band, 95% jointly"].get_drawstyle() == "steps-pre"
    assert lines["seen: above the claim"].get_xydata().tolist() == [[1.0, 0.1]]
    assert lines["seen by the witness"].get_xydata().tolist() == [[1.0, 0.05]]


def test_pairs_look_alike_in_all_panels() -> None:
    """It must hold that the color of a pair does not depend on how it ends."""
    figure, paths = wealth_paths.FIGURE, (wealth_paths.COMMON, "pair 1: x", "pair 2: y")
    every = (*paths, wealth_paths.TOTAL, wealth_paths.HIGHEST)
    rows = [
        (target, path, samples, value, "3")
        for target, ends in (("a", "0120"), ("b", "0210"))
        for path, end in zip(every, ends + "0", strict=True)
        for samples, value in (("0", "0"), ("9", end))
    ]
    panels = drawn(figure, Data(figure.columns, tuple(rows))).axes
    looks = [[line.get_color() for line in axes.lines[: len(paths)]] for axes in panels]
    assert looks[0] == looks[1]
    heights = [[line.get_ydata()[-1] for line in axes.lines[: len(paths)]] for axes in panels]
    assert heights == [[0, 1, 2], [0, 2, 1]]


def test_the_ablation_needs_its_mechanisms(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that missing mechanisms are named; registered ones give the whole table."""
    monkeypatch.setattr(ablation, "MEANS", (0, 50))
    monkeypatch.setattr(ablation, "DRAWS", 30)
    missing = [name for name in (ablation.SOUND, ablation.PRINTED) if name not in MECHANISMS]
    if missing:
        with pytest.raises(InvalidArgument, match=f"{missing[0]}.* not registered"):
            collect(ablation.FIGURE, Asked())
        return
    data = collect(ablation.FIGURE, Asked())
    assert data.texts("slip") == (ablation.REPAIRED, *ablation.SLIPS)
    far = {slip: float(data.where(slip=slip, mean="50").numbers("median")[0]) for slip in ("E-11",)}
    assert far["E-11"] > 10 * data.where(slip=ablation.REPAIRED, mean="50").numbers("median")[0]
    assert (data.numbers("low") <= data.numbers("median")).all()
    assert (data.numbers("median") <= data.numbers("high")).all()


def test_comparators_share_their_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that all estimators see the same records, at any epsilon; another seed others.

    And that at n = 1000 the subset mean is the best and count, then swap the worst.
    """
    monkeypatch.setattr(comparators, "RUNS", 5)
    monkeypatch.setattr(comparators, "SIZES", (1000,))
    monkeypatch.setattr(comparators, "LEVELS", (Fraction(1), Fraction(2)))
    name = comparators.NO_PRIVACY
    over = {w: find_figure(f"comparators-over-{w}") for w in ("size", "epsilon")}
    size, level, other = (
        collect(over[words], Asked(seed))
        for words, seed in (("size", 1), ("epsilon", 1), ("size", 2))
    )
    (floor,) = size.where(estimator=name).numbers("simulated")
    assert level.where(estimator=name).numbers("simulated").tolist() == [floor, floor]
    assert other.where(estimator=name).numbers("simulated")[0] != floor
    values = dict(zip(size.texts("estimator"), size.numbers("simulated"), strict=True))
    assert list(values) == [name, *comparators.ESTIMATORS]
    del values[name]
    assert min(values, key=lambda n: values[n]) == "sub.subset-mean-noisy-size"
    assert max(values, key=lambda n: values[n]) == "ksw.count-then-swap"
    count = level.where(estimator="ksw.count-then-swap").numbers("simulated")
    assert count[1] < 0.75 * count[0]  # twice the epsilon


@pytest.mark.long
def test_comparators_over_budgets_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that all agree where budgets do, and that saturation is never the worse."""
    monkeypatch.setattr(comparators, "CAREFUL", (0, 70, 100))
    monkeypatch.setattr(comparators, "RUNS_OF_COINS", 300)
    data = collect(find_figure("comparators-over-budgets"), Asked())
    for careful, error in (("0", 0.0519615242270663), ("100", 0.15)):
        assert data.where(careful=careful).numbers("exact") == pytest.approx([error] * 5)
        one = data.where(careful=careful)
        half = (one.numbers("high") - one.numbers("low")) / 2
        off = np.abs(one.numbers("simulated") - error)
        assert (off <= 2 * half).all()
        assert (np.abs(one.numbers("simulated") - 1.5 * error) > 2 * half).all()
    middle = data.where(careful="70")
    best = dict(zip(middle.texts("estimator"), middle.numbers("exact"), strict=True))
    assert min(best.values()) == best["pdp.adpm"]
    assert max(best, key=lambda n: best[n]) == "pdp.least-budget"


def test_only_figures_of_an_audit_take_a_target() -> None:
    """It must hold that a target is not silently left out."""
    with pytest.raises(InvalidArgument, match="privacy-profile or wealth-paths"):
        collect(find_figure("layer"), Asked(1, (Request("sub.threshold"),)))


@pytest.mark.parametrize(
    "heights", [[0.0], [0.5] * 5, [0.1, 0.11, 0.5], [0.98, 0.99, 1.2], [-0.3, -0.2, 0.0]]
)
def test_labels_are_apart_and_inside(heights: list[float]) -> None:
    """It must hold that labels keep their order and a gap, and stay between 0 and 1."""
    placed = apart(heights, 0.05)
    assert all(upper - lower >= 0.05 - 1e-9 for lower, upper in pairwise(placed))
    assert placed[0] >= 0
    assert placed[-1] <= 1 + 1e-9
    if len(heights) == 1:
        assert placed == heights
