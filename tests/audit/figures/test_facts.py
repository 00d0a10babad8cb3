"""What the figures must show holds in the data beside them: KSW, v1 and v2, and their errata."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from audit.figures.figure_kind import Data
from audit.figures.figure_registry import FIGURES
from tests.audit.figures.drawn import read_data, seconds_of, whole

SECONDS = 60.0
IMAGES = Path(__file__).parents[3] / "docs" / "images"
QUICK = "noise-balls"
"""The figure that takes less than a second; all else in this file is slow."""
SIMULATED = [
    "error-over-epsilon",
    "error-over-mean",
    "algorithms-over-epsilon",
    "algorithms-over-mean",
    "noises-over-epsilon",
    "noises-over-mean",
    "error-over-size",
    "comparators-over-budgets",
]


def only(data: Data, column: str, **at: str) -> float:
    """The one number of a column where other columns have these texts."""
    (value,) = data.where(**at).numbers(column)
    return float(value)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == QUICK else pytest.mark.slow) for name in FIGURES],
)
def test_each_figure_is_drawn_in_a_minute(name: str) -> None:
    """It must hold that a figure takes less than 60 s of a processor, and has data."""
    assert seconds_of(name) < SECONDS
    assert len(whole(name).rows) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATED)
def test_simulated_points_fit_the_exact_curves(name: str) -> None:
    """It must hold that no point is 5.2 standard errors off, and that a factor 1.5 would be."""
    data = whole(name)
    exact, value = data.numbers("exact"), data.numbers("simulated")
    half = (data.numbers("high") - data.numbers("low")) / 2
    known = ~np.isnan(value) & ~np.isnan(exact)
    assert known.sum() >= 10
    assert (np.abs(value - exact) <= 2 * half)[known].all()
    assert (np.abs(value - 1.5 * exact) > 2 * half)[known].any()


@pytest.mark.slow
def test_error_over_epsilon_falls_with_its_square() -> None:
    """It must hold that n^2 MSE is (2 - 4 q) / eps^2 inside, 1 / eps^2 at 0, below 2 / eps^2."""
    data = whole("error-over-epsilon")
    for mean, constant in (("0", 1.0), ("0.01", 1.9604), ("0.1", 1.64), ("0.5", 1.0)):
        at_ten = only(data, "exact", mean=mean, epsilon="10")
        assert at_ten * 100 == pytest.approx(constant, rel=1e-3)
        if mean != "0":
            assert only(data, "leading", mean=mean, epsilon="10") * 100 == pytest.approx(constant)
    assert (data.numbers("exact") < 2 / data.numbers("epsilon") ** 2).all()


@pytest.mark.slow
def test_error_over_mean_is_an_m() -> None:
    """It must hold that the curve starts at 0.494, peaks at 0.9689 near both ends, and is 0.5."""
    data = whole("error-over-mean")
    for mean, value in (
        ("0", 0.494082772736208),
        ("0.002", 0.624192267964344),
        ("0.013579", 0.96889820),
        ("0.5", 0.500060013444841),
    ):
        assert only(data, "exact", mean=mean) == pytest.approx(value, abs=1e-8)
    curve = data.numbers("exact")
    assert curve.max() < 1
    assert data.numbers("mean")[curve.argmax()] in (0.013579, 1 - 0.013579)
    assert curve == pytest.approx(curve[::-1])


RATIOS = {
    "0.1": (1.97578, 1.82784, 2.00485, 1.99881),
    "1": (1.99707, 1.99891, 2.00006, 1.99999),
}


@pytest.mark.slow
def test_algorithm_2_has_about_twice_the_error_of_algorithm_3() -> None:
    """It must hold that the ratio has its known values, and dips where n eps mean is 1 to 3."""
    data = whole("ratio-over-mean")
    for epsilon, values in RATIOS.items():
        for mean, value in zip(("0", "0.01", "0.1", "0.5"), values, strict=True):
            found = only(data, "ratio", epsilon=epsilon, mean=mean)
            assert found == pytest.approx(value, abs=6e-6)
    for epsilon in ("0.1", "0.5", "1"):
        one = data.where(epsilon=epsilon)
        dip = one.numbers("mean")[one.numbers("ratio").argmin()]
        assert 1 < dip * 1000 * float(epsilon) < 3


@pytest.mark.slow
def test_algorithm_3_meets_the_bound_for_small_epsilon_only() -> None:
    """It must hold that A3 is at 2 - 4 q, A2 at twice that, A1 at 8 (1 + mu^2)."""
    data = whole("algorithms-over-epsilon")
    for algorithm, constant in (("1", 8.08), ("2", 3.28), ("3", 1.64)):
        assert only(data, "exact", algorithm=algorithm, epsilon="10") == pytest.approx(
            constant, rel=1e-3
        )
    one = data.where(algorithm="3")
    bound, error, epsilon = (one.numbers(c) for c in ("bound", "exact", "epsilon"))
    assert only(one, "bound", epsilon="1") == pytest.approx(1.91810353123553)
    assert (error < bound)[epsilon <= 1].all()
    assert (error > 1.2 * bound)[epsilon > 3.1].all()


@pytest.mark.slow
def test_algorithms_2_and_3_are_an_m_over_the_mean() -> None:
    """It must hold that both fall to half of their worst case at both ends and in the middle."""
    data = whole("algorithms-over-mean")
    for algorithm, worst, near in (("2", 4, 3.9178107209515), ("3", 2, 1.95997574692384)):
        one = data.where(algorithm=algorithm)
        for mean in ("0", "0.5", "1"):
            assert only(one, "exact", mean=mean) == pytest.approx(worst / 2, rel=0.01)
        assert only(one, "exact", mean="0.01") == pytest.approx(near)
        assert near <= one.numbers("exact").max() < worst
    first = data.where(algorithm="1")
    for mean in ("0.1", "0.5", "0.9"):
        assert only(first, "exact", mean=mean) == pytest.approx(
            8 * (1 + float(mean) ** 2), rel=1e-4
        )


@pytest.mark.slow
def test_the_hourglass_stays_at_the_best_constant() -> None:
    """It must hold that it is at 1, and the staircase above it by 1.035, 1.58 and 3.11."""
    data = whole("noises-over-epsilon")
    hourglass = data.where(noise="hourglass")
    at_tenth = 100.259934988981 / (199.916680561059 / 2)
    assert only(hourglass, "exact", epsilon="0.1") == pytest.approx(at_tenth)
    assert (np.diff(hourglass.numbers("exact")) < 0).all()
    assert only(hourglass, "exact", epsilon="10") == pytest.approx(1, abs=2e-6)
    for epsilon, ratio in (("1", 1.0350922588), ("5", 1.580587803), ("10", 3.112506519)):
        assert only(data, "limit", noise="l1 staircase", epsilon=epsilon) == pytest.approx(ratio)
        assert only(data, "exact", noise="l1 staircase", epsilon=epsilon) == pytest.approx(
            ratio, rel=1e-4
        )
    at_one = only(data, "exact", noise="Laplace", epsilon="1")
    assert at_one == pytest.approx(2 / 1.91810353123553, rel=1e-4)


@pytest.mark.slow
def test_both_noises_are_an_m_over_the_mean() -> None:
    """It must hold that the hourglass is at 1.0000025 (1 - 2 q) at 0.1 and at 0.4992 at 0."""
    data = whole("noises-over-mean")
    hourglass = data.where(noise="hourglass")
    assert only(hourglass, "exact", mean="0") == pytest.approx(0.4992, abs=5e-5)
    assert only(hourglass, "exact", mean="0.1") / 0.82 == pytest.approx(1.0000025, abs=6e-8)
    assert hourglass.numbers("exact").max() < 1
    staircase = data.where(noise="l1 staircase")
    middle = only(staircase, "exact", mean="0.5") / only(hourglass, "exact", mean="0.5")
    assert middle == pytest.approx(1.5806, abs=1e-4)


@pytest.mark.slow
def test_the_order_reverses_for_few_records() -> None:
    """It must hold that Algorithm 2 is better up to n eps = 0.409, and twice as bad in the end."""
    data = whole("error-over-size")
    second, third = (data.where(algorithm=a).numbers("exact") for a in ("2", "3"))
    few = data.where(algorithm="3").numbers("n") * 0.1 < 0.409184967767
    assert few.sum() == 4
    assert ((second < third) == few).all()
    assert third[-1] == pytest.approx(1.64, rel=1e-3)
    assert second[-1] / third[-1] == pytest.approx(2, rel=1e-3)


@pytest.mark.slow
def test_the_layer_tends_to_its_limit() -> None:
    """It must hold that the error is 2 - (1 + c) e^-c for large N, and its maximum moves out."""
    data = whole("layer")
    one = data.where(N="100000")
    c = one.numbers("c")
    assert one.numbers("scaled") == pytest.approx(2 - (1 + c) * np.exp(-c), abs=1e-3)
    top = data.where(place="largest")
    assert top.numbers("c") == pytest.approx([5.0075, 7.5709, 12.666], abs=5e-4)
    largest = [2 * 0.886602, 2 * 0.982782, 2 * 0.999725]
    assert top.numbers("scaled") == pytest.approx(largest, abs=2e-6)
    for size in data.texts("N"):
        curve = data.where(N=size)
        assert curve.numbers("scaled").max() == curve.where(place="largest").numbers("scaled")[0]


@pytest.mark.slow
def test_bounds_of_the_trilemma_do_not_cross() -> None:
    """It must hold that printed lower <= sharp lower < sharp upper < printed upper."""
    data = whole("trilemma")
    lower, upper = data.numbers("lower"), data.numbers("upper_sharp")
    printed = data.numbers("lower_printed")
    known = ~np.isnan(printed)
    assert not np.isnan(lower).any()
    assert (lower < upper).all()
    assert (upper <= data.numbers("upper_printed")).all()
    assert (printed[known] < lower[known]).all()
    for epsilon in ("0.1", "1"):
        one = data.where(panel="bias", epsilon=epsilon).numbers("lower")
        assert (np.diff(one) <= 0).all()
    assert only(data, "lower", panel="moment", epsilon="1", lam="2") == pytest.approx(
        0.105905282389629
    )


@pytest.mark.slow
def test_profiles_lie_in_order() -> None:
    """It must hold that band <= exact, exact <= claimed if the promise is kept, and not if not."""
    data = whole("privacy-profile")
    band, exact = data.numbers("lower"), data.numbers("exact")
    seen = ~np.isnan(band)
    assert (band <= exact)[seen].all()
    assert (band[seen] > 0).sum() >= 4
    kept, broken = (data.where(verdict=word) for word in ("CONSISTENT", "REFUTED"))
    assert (kept.numbers("exact") <= kept.numbers("claimed")).all()
    assert only(broken, "exact", epsilon="1") > only(broken, "claimed", epsilon="1") == 0
    seen = max(only(broken, column, epsilon="1") for column in ("lower", "witness"))
    assert only(broken, "exact", epsilon="1") > seen > 0  # the star that the README speaks of


@pytest.mark.slow
def test_wealth_reaches_the_threshold_of_the_broken_mechanism_only() -> None:
    """It must hold that the total is a mean of its paths, and ends the run at 1/alpha."""
    data = whole("wealth-paths")
    kept, broken = (data.where(target=name) for name in data.texts("target"))
    threshold = data.numbers("threshold")[0]
    assert np.exp(-threshold) == pytest.approx(0.045)
    assert kept.where(path="highest total at any look").numbers("log_wealth").max() < threshold
    assert broken.where(path="highest total at any look").numbers("log_wealth")[-1] >= threshold
    for one in (kept, broken):
        ends = {
            path: one.where(path=path).numbers("log_wealth")[-1]
            for path in one.texts("path")
            if not path.startswith("highest")
        }
        total = ends.pop("total")
        assert min(ends.values()) < total < max(ends.values())
        assert only(one, "log_wealth", path="total", samples="0") == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(IMAGES.glob("*.svg")), ids=lambda file: str(file.stem))
def test_stored_pictures_are_those_of_the_command(file: Path) -> None:
    """It must hold that verdicts, exact and claimed numbers are as drawn, and the file is small."""
    assert file.stat().st_size < 150_000
    stored, now = read_data(file.with_suffix(".csv")), whole(file.stem)
    for column in ("target", "verdict"):
        assert stored.texts(column) == now.texts(column)
    for column in ("epsilon", "exact", "claimed"):
        assert stored.numbers(column) == pytest.approx(now.numbers(column), nan_ok=True)


@pytest.mark.slow
def test_there_is_a_stored_picture() -> None:
    """It must hold that the README has one to show."""
    assert [file.stem for file in IMAGES.glob("*.svg")] == ["privacy-profile"]
