"""Laws of the thresholds of SUB against the ledger's: exact numbers on both sides."""

from collections import Counter
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.as_printed.threshold import PrintedThreshold
from mechanisms.claims import ApproxDP, PrivacyClaim, Relation, Source
from mechanisms.group_privacy import under_relation
from mechanisms.subset.threshold import Threshold
from mechanisms.subset.threshold_grid import GridThreshold
from proofs_check.enclosure import Balls, certainly_less, endpoints
from proofs_check.exponential import ExpSum
from proofs_check.papers.sub.thresholds.grid import grid_weights
from proofs_check.papers.sub.thresholds.laws import probability, threshold_cells, weight_of
from proofs_check.papers.tri.chapter4.coarse import group_delta

NUMBERS = Balls(200)
POINT = st.integers(0, 8).map(lambda k: Fraction(k, 8))
DATA = st.lists(POINT, max_size=6)
EPSILON = st.integers(1, 16).map(lambda k: Fraction(k, 4))
ALPHA = st.integers(1, 5).map(lambda k: Fraction(k, 16))
RANK = st.integers(1, 5)


def same(ball, exact, tolerance=Fraction(1, 10**40)):
    """Whether a ball and an exact number agree, closely."""
    lower, upper = endpoints(ball - exact.ball(200))
    return lower <= 0 <= upper and upper - lower < tolerance


@given(data=DATA, epsilon=EPSILON, alpha=ALPHA, rank=RANK)
def test_the_density_of_the_threshold_is_the_ledgers(data, epsilon, alpha, rank):
    """It must hold on every piece, and a rank that is one larger must show somewhere."""
    law = Threshold(epsilon, rank=rank, alpha=alpha).exact_law([float(x) for x in data])
    cells = threshold_cells(Counter(data), 0, 1, alpha)
    agree = []
    for wrong in (0, 1):
        weight = weight_of(rank + wrong, epsilon)
        found = []
        for piece in law.pieces:
            middle = (piece.lower + piece.upper) / 2
            density = NUMBERS.exp(law.log_density(middle, NUMBERS))
            mass = probability(cells, weight, piece.lower, piece.upper)
            found.append(same(density * (piece.upper - piece.lower), mass))
        agree.append(all(found))
    assert agree[0]
    if len(data) > rank and len(law.pieces) > 2:
        assert not agree[1]


@settings(max_examples=50)
@given(data=DATA, epsilon=EPSILON, rank=RANK)
def test_the_pmf_on_a_grid_is_the_ledgers(data, epsilon, rank):
    """It must hold of each of nine points."""
    grid = [Fraction(k, 8) for k in range(9)]
    mechanism = GridThreshold(epsilon, rank=rank, points=9)
    atoms = mechanism.exact_law([float(x) for x in data]).atoms(NUMBERS)
    weights = grid_weights(sorted(data), grid, rank, epsilon)
    total = sum(weights, ExpSum({}))
    assert all(same(atoms[z], w / total) for z, w in zip(grid, weights, strict=True))


@given(epsilon=EPSILON, delta=st.integers(1, 99).map(lambda k: Fraction(k, 10**6)))
def test_group_privacy_of_two_is_the_ledgers(epsilon, delta):
    """The delta of a swap from add-remove must be at least the ledger's, and hardly above it."""
    claim = PrivacyClaim(ApproxDP(epsilon, delta), Relation.ADD_REMOVE, Source("test", "here"))
    level = under_relation(claim, Relation.SWAP).level
    exact = group_delta(2, NUMBERS.rational(epsilon), delta, NUMBERS.exp)
    assert level.epsilon == 2 * epsilon
    assert level.delta == 1 or certainly_less(exact, level.delta * (1 + Fraction(1, 10**40)))
    assert certainly_less(level.delta, exact * (1 + Fraction(1, 10**9)))


@given(count=st.integers(1, 50), epsilon=EPSILON, gamma=st.integers(1, 9))
def test_the_printed_alpha_follows_the_count(count, epsilon, gamma):
    """Alpha = gamma / n, as erratum SUB-E1 has it: the reason why the print is not private."""
    mechanism = PrintedThreshold(epsilon, gamma=Fraction(gamma, 100))
    alpha, _ = mechanism.parameters(count)
    assert alpha * count == Fraction(gamma, 100)
