"""The conditional error of the symmetric mean against the ledger's closed form."""

import pytest

from mechanisms.trilemma.symmetric.error import conditional_error
from proofs_check.arithmetic import ENCLOSED
from proofs_check.enclosure import endpoints
from proofs_check.papers.tri.chapter4.conditional import POINTS, VALUES, conditional_bound


@pytest.mark.parametrize(("point", "printed"), list(zip(POINTS, VALUES, strict=True)))
def test_conditional_errors_are_those_of_the_ledger(point, printed):
    """TRI-T4.2.1-given: the printed values to 13 digits, and balls at the same points."""
    eps, delta, n2, psi, lam, n1 = (float(str(x)) for x in point)
    found = conditional_error(eps, delta, int(n2), psi, lam, int(n1))
    assert found == pytest.approx(float(printed), rel=1e-13, abs=0)
    assert found != pytest.approx(float(printed) * (1 + 1e-11), rel=1e-13, abs=0)
    exact = conditional_bound(*map(ENCLOSED.ball, map(str, point)), numbers=ENCLOSED)
    for end in endpoints(exact):
        assert float(end) == pytest.approx(found, rel=1e-12, abs=0)
