"""Stages of PDP built on the sparse vector technique, against the ledger's formulas."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.all_pairs import pair_counts
from mechanisms.as_printed.discretization import PrintedDiscretization, draw_grid_as_printed
from mechanisms.as_printed.radius import PrintedRadius
from mechanisms.personalized.sparse.discretization import Discretization, draw_grid
from mechanisms.personalized.sparse.index_law import index_law
from mechanisms.personalized.sparse.octaves import octaves
from mechanisms.personalized.sparse.radius import Radius, outside_counts, threshold
from mechanisms.personalized.sparse.sparse_vector import above_threshold
from mechanisms.personalized.sparse.stage_laws import matched_octaves
from proofs_check.enclosure import Balls, certainly_less, contains, endpoints
from proofs_check.papers.pdp.common import NUMBERS as LEDGER
from proofs_check.papers.pdp.counterexamples.pairs import all_pairs, sorted_pairs, within
from proofs_check.papers.pdp.range.discretization import (
    MEDIAN,
    difference_probability,
    grid_width,
    printed_grid_width,
    scan_indices,
)
from proofs_check.papers.pdp.range.grid_accuracy import last_index, rank_error
from proofs_check.papers.pdp.range.matchings import matchings
from proofs_check.papers.pdp.range.range_estimation import half_normal_gap
from proofs_check.papers.pdp.range.range_law import grid_law
from proofs_check.papers.pdp.tools.radius import (
    count_within,
    estimated_radius,
    first_index,
    printed_radius,
)
from proofs_check.papers.pdp.tools.svt import (
    failure_bound,
    index_tail_on_ties,
    noise_gap_tail,
    svt_high,
    svt_low,
    svt_slack,
)
from tests.mechanisms.personalized.finite_masses import masses

F = Fraction
NUMBERS = Balls(256)
RECORDS = st.lists(
    st.one_of(st.none(), st.integers(-80, 80).map(lambda k: F(k, 8))), min_size=1, max_size=7
)


def middle(ball):
    """The middle of a ball."""
    return float(sum(endpoints(ball), F(0)) / 2)


def doubles(data):
    """Records as doubles, NaN for the placeholder."""
    return np.array([math.nan if x is None else float(x) for x in data])


@pytest.mark.parametrize("epsilon", [F(1, 3), F(2)])
def test_the_tail_on_ties_is_the_ledgers(epsilon):
    """The law of the index must be that of PDP-A1-TAIL, for every m up to the cap."""
    law = index_law((F(0),) * 64, epsilon, numbers=NUMBERS)
    for m in range(65):
        tail = sum(law[m:], start=NUMBERS.rational(F(0)))
        assert contains(tail, F(index_tail_on_ties(m, F(1, 2**m))))
        assert not contains(tail, F(index_tail_on_ties(m, F(1, 2 ** (m + 1)))))


@given(st.integers(0, 60).map(lambda k: F(k, 2)), st.sampled_from([F(1, 4), F(1), F(3)]))
def test_the_first_query_fires_as_in_the_ledger(below, epsilon):
    """A query x / epsilon below the threshold must fire with probability g(x)."""
    (fires, _) = index_law((-below / epsilon,), epsilon, numbers=NUMBERS)
    gap = fires - noise_gap_tail(NUMBERS.rational(below), numbers=NUMBERS)
    assert contains(gap, F(0))
    assert certainly_less(abs(gap), F(1, 10**40))


@pytest.mark.parametrize(("k1", "k2"), [(0, 1), (1, 2), (4, 9)])
@pytest.mark.parametrize("beta", [F(1, 10), F(1, 2), F(9, 10)])
def test_lemma_6_fails_with_at_most_the_ledgers_share(k1, k2, beta):
    """With queries as badly placed as Lemma 6 allows it must fail with at most 0.5131 beta."""
    numbers = LEDGER
    low, high, slack = (
        F(middle(x)).limit_denominator(10**6)
        for x in (
            svt_low(k1, numbers.rational(beta), numbers=numbers) if k1 else numbers.rational(F(0)),
            svt_high(numbers.rational(beta), numbers=numbers),
            svt_slack(k2, numbers.rational(beta), numbers=numbers),
        )
    )
    step = F(1, 1000)
    answers = [-low - step] * k1 + [-slack - step] * (k2 - k1 - 1) + [high + step]
    law = [middle(mass) for mass in index_law(tuple(answers), F(1), numbers=NUMBERS)]
    good = law[k2 - 1]
    bound = middle(failure_bound(numbers=numbers)) * float(beta)
    assert 1e-6 < 1 - good < bound


@given(st.sampled_from([0.05, 1.0, 3.0]), st.floats(1e-6, 0.99))
def test_the_threshold_of_the_radius_is_the_ledgers(epsilon, beta):
    """-(6 / epsilon) ln(2 / beta), as svt_high has it."""
    high = middle(svt_high(LEDGER.rational(F(beta)), numbers=LEDGER))
    assert threshold(epsilon, beta) == pytest.approx(-high / epsilon, rel=1e-13)


@given(RECORDS, st.integers(-3, 3))
def test_counts_within_are_the_ledgers(data, power):
    """Count(D, r) must leave out placeholders, at every radius 2^(i-1) b."""
    b = F(3) * F(2) ** power
    values = doubles(data)[np.newaxis]
    found = outside_counts(values, np.ones(values.shape, np.bool_), np.array([float(b)]))[0]
    survivors = sum(x is not None for x in data)
    for index in range(1, 65):
        covered = count_within(data, estimated_radius(index, b))
        assert found[index - 1] == survivors - covered


@settings(max_examples=20)
@given(RECORDS)
def test_radii_without_noise_are_the_ledgers(data):
    """500 copies of the records, hardly any noise: the radius that covers all, or half of it."""
    copies = np.repeat(doubles(data), 500)
    index = first_index(data, F(1))
    for kind, formula in ((Radius, estimated_radius), (PrintedRadius, printed_radius)):
        draws = kind(500, "1e-100").sample(copies, 10, rng=np.random.default_rng(1))
        assert set(draws.tolist()) == {float(formula(index, F(1)))}


def separated(difference):
    """Twenty records in pairs of one difference, far apart."""
    return [place * 2.0**20 + x for place in range(1, 11) for x in (0.0, float(difference))]


@pytest.mark.parametrize("power", [-9, -2, -1, 0, 1, 2, 7])
@pytest.mark.parametrize("part", [F(717, 1024), F(1)])
def test_widths_without_noise_are_the_ledgers(power, part):
    """Ten pairs of one difference, hardly any noise: each form must have its ledger's width."""
    difference = part * F(2) ** power
    i, j = scan_indices(difference)
    for slip, formula in (("E-08", grid_width), ("E-08, E-12", printed_grid_width)):
        law = masses(PrintedDiscretization(400, slip, "sorted").exact_law(separated(difference)))
        assert law[float(formula(i, j))] > 0.999999


@pytest.mark.parametrize("data", [[], [3.0], [-1.0, -5.0]])
def test_the_printed_width_of_one_record_is_the_ledgers(data):
    """P(b = 2^-k) without a pair, as the end-to-end counterexample uses it, with the cap."""
    law = masses(PrintedDiscretization(1).exact_law(data))
    for k in range(60):
        assert law[2.0**-k] == pytest.approx(float(grid_law(k)), rel=1e-12)
    sound = masses(Discretization(1).exact_law(data[:1]))
    assert sound[1 / 4] == pytest.approx(float(grid_law(3)), rel=1e-12)
    assert sound[1 / 4] != pytest.approx(float(grid_law(2)), rel=1e-3)


@pytest.mark.parametrize("count", range(7))
def test_matchings_are_the_ledgers(count):
    """The law of the octaves of G must be that over the ledger's near-perfect matchings."""
    values = [0.0, 0.3, 1.0, 2.5, 9.0, 40.0][:count]
    seen = Counter(
        tuple(
            sorted(
                int(octaves(np.array([abs(values[min(s)] - values[max(s)])]))[0])
                for s in matching
                if len(s) == 2
            )
        )
        for matching in matchings(range(count))
    )
    total = sum(seen.values())
    assert dict(matched_octaves(np.array(values))) == {k: F(n, total) for k, n in seen.items()}


@given(st.lists(st.integers(0, 40).map(lambda k: F(k, 4)), min_size=2, max_size=8))
def test_pairs_are_the_ledgers(data):
    """Counts of all pairs and of sorted neighbors must be those of the counterexamples."""
    data = data[: len(data) // 2 * 2]
    for pairs, formula in (("all", all_pairs), ("sorted", sorted_pairs)):
        kept = np.ones((1, len(data)), np.bool_)
        counts, total = pair_counts(doubles(data), kept, pairs)
        gaps = formula(data)
        assert total[0] == len(gaps)
        for k in (-2, -1, 0, 1, 3):
            assert counts[0, 63 + k] == within(gaps, F(2) ** k)


@pytest.mark.parametrize(
    ("pairs", "data", "neighbor"),
    [
        ("all", [1.0] * 10, [10.0] + [1.0] * 9),
        (
            "sorted",
            [1.0 + 3 * (i // 2) for i in range(28)],
            [43.0] + [1.0 + 3 * (i // 2) for i in range(1, 28)],
        ),
    ],
)
def test_the_ledgers_counterexamples_break_the_print(pairs, data, neighbor):
    """CX8 at epsilon = 2: b >= 1/2 after the first query was silent, more than e^2 as likely.

    With E-12 the width 1/2 comes from the first scan alone, so that the event is i > 1.
    """
    mechanism = PrintedDiscretization(2, "all", pairs)
    chances = [
        sum(mass for z, mass in masses(mechanism.exact_law(side)).items() if z >= 1 / 2)
        for side in (data, neighbor)
    ]
    queries = (F(45, 2), F(27, 2)) if pairs == "all" else (F(7), F(-7))
    tails = [middle(noise_gap_tail(NUMBERS.rational(abs(q)), numbers=NUMBERS)) for q in queries]
    if pairs == "sorted":
        tails[1] = 1 - tails[1]
    assert chances == pytest.approx(tails, rel=1e-12)
    assert chances[1] > math.exp(2) * chances[0]


def binomial_share(sigma, count):
    """P(the second scan of E-12 stops by 2^-3) for Gaussian records at epsilon = 1."""
    from scipy import stats

    pairs = count // 2
    p = middle(difference_probability(LEDGER.rational(F(1, 8) / F(sigma)), numbers=LEDGER))
    hits = np.arange(pairs + 1)
    below = np.array([F(int(h)) - F(pairs, 2) for h in hits])
    g = np.array(
        [middle(noise_gap_tail(LEDGER.rational(abs(q) / 2), numbers=LEDGER)) for q in below]
    )
    return float(stats.binom.pmf(hits, pairs, p) @ np.where(below >= 0, g, 1 - g))


@pytest.mark.slow
@pytest.mark.parametrize(("sigma", "printed"), [("0.13", 0.3785), ("0.128", 0.1811)])
def test_the_printed_width_leaves_the_range_of_lemma_16(sigma, printed, dp_rng):
    """The share in [sigma / 8, sigma] must be that of the first query below the median."""
    exact = binomial_share(sigma, 5000)
    assert exact == pytest.approx(printed, abs=1e-3)
    scale, runs = float(sigma), 4000
    seen = 0
    for _ in range(runs // 100):
        data = scale * dp_rng.standard_normal((100, 5000))
        kept = np.ones(data.shape, np.bool_)
        late = draw_grid_as_printed(data, kept, 1.0, {"E-12"}, "all", rng=dp_rng)
        sound = draw_grid(data, kept, 1.0, rng=dp_rng)
        assert np.all((sound >= scale / 8) & (sound <= scale))
        seen += np.count_nonzero((late >= scale / 8) & (late <= scale))
    assert abs(seen / runs - exact) < 5 * math.sqrt(exact * (1 - exact) / runs)


@pytest.mark.parametrize("sigma", [F(1), F(128, 1000), F(44)])
def test_enough_pairs_keep_the_range_of_lemma_16(sigma, dp_rng):
    """Where the ledger's rank error is below 0.2236 the width must lie in [sigma / 8, sigma]."""
    pairs, epsilon, beta = 800, F(1), F(1, 10)
    error = rank_error(
        LEDGER.rational(F(pairs)),
        last_index(sigma),
        LEDGER.rational(epsilon),
        LEDGER.rational(beta),
        numbers=LEDGER,
    )
    assert certainly_less(error, F(2236, 10000))
    scale = float(sigma)
    data = scale * dp_rng.standard_normal((200, 2 * pairs))
    widths = draw_grid(data, np.ones(data.shape, np.bool_), float(epsilon), rng=dp_rng)
    outside = np.mean((widths < scale / 8) | (widths > scale))
    assert outside <= float(beta)


def test_the_width_is_a_quarter_to_a_half_of_the_median(dp_rng):
    """Large Gaussian data at a large budget: the width of the ledger's median, in both forms."""
    for power in (-6, 0, 3):
        sigma = 1.4 * 2.0**power
        i, j = scan_indices(F(sigma) * MEDIAN[0])
        data = sigma * dp_rng.standard_normal((20, 4000))
        kept = np.ones(data.shape, np.bool_)
        widths = draw_grid(data, kept, 100.0, rng=dp_rng)
        assert set(widths.tolist()) == {float(grid_width(i, j))}
        late = draw_grid_as_printed(data, kept, 100.0, {"E-12"}, "all", rng=dp_rng)
        assert set(late.tolist()) == {float(printed_grid_width(i, j))}


def test_positives_alone_have_the_ledgers_gap(dp_rng):
    """E-10 at mu = 0: half the records, and differences of median 0.5314 sigma."""
    for sigma, width in ((1.6, 1 / 4), (2.2, 1 / 2)):
        low, high = (
            middle(half_normal_gap(LEDGER.rational(F(r) / F(sigma)), numbers=LEDGER))
            for r in (width * 2, width * 4)
        )
        assert low < 0.46 < 0.54 < high
        data = sigma * dp_rng.standard_normal((10, 20_000))
        kept = np.ones(data.shape, np.bool_)
        found = draw_grid_as_printed(data, kept, 100.0, {"E-10"}, "all", rng=dp_rng)
        assert set(found.tolist()) == {width}
        assert not set(draw_grid(data, kept, 100.0, rng=dp_rng).tolist()) <= {width}


def test_draws_on_ties_have_the_ledgers_tail(dp_rng):
    """The sampler's shares of index > m must be the tail, within six standard errors."""
    size = 200_000
    index = above_threshold(np.zeros((1, 64)), 0.0, 1.0, rng=dp_rng, size=size)
    for m in range(1, 65):
        tail = float(index_tail_on_ties(m, F(1, 2**m)))
        assert abs(np.mean(index > m) - tail) < 6 * math.sqrt(tail / size)
