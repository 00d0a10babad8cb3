"""What a release uses without noise is public, and a relation that makes it private is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.exact.all_neighbors import all_neighbors
from audit.exact.bounds import exact_bounds
from audit.exact.question import asked_for
from audit.results.verdict import Verdict
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from mechanisms.noise.laplace import Laplace
from mechanisms.noisy_query import NoisyQuery, PublicFact
from mechanisms.registry import build_mechanism

F = Fraction
PUBLIC_SIZE = ("ksw.swap-laplace", "ksw.swap-staircase", "tri.clipped-mean", "tri.tilted-sign")
SENTENCE = "the number of records is public for this release"
ADD_REMOVE = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "a test"))

OWN = """
from fractions import Fraction
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noisy_query import NoisyQuery

class Mean:
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "own"))
    order = Order.FREE
    low, high = Fraction(0), Fraction(1)

    def noisy_query(self):
        one, zero = Fraction(1), Fraction(0)
        return NoisyQuery("sum", ((one, zero),), (zero, one), (Laplace(1, 1),))

    def sample(self, data, size, *, rng):
        return (sum(data) + rng.laplace(size=size)) / len(data) if len(data) else [0.5] * size

class Sum(Mean):
    def noisy_query(self):
        import dataclasses
        return dataclasses.replace(super().noisy_query(), public=())

class Words(Mean):
    def noisy_query(self):
        import dataclasses
        return dataclasses.replace(super().noisy_query(), public=("count",))

class Other(Mean):
    def noisy_query(self):
        return "sum plus Laplace noise"
"""


@pytest.mark.parametrize("name", PUBLIC_SIZE)
def test_a_public_size_is_refused_under_add_remove(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold in one sentence; as swap the same release is proved."""
    words = ["audit", name, "--param", "epsilon=1/10", "--mode", "exact"]
    assert main([*words, "--epsilon", "1/10", "--relation", "add-remove"]) == 2
    assert f"touchstone: {SENTENCE}" in capsys.readouterr().err
    assert main(words) == 0


def test_a_class_of_ones_own_has_a_public_size_unless_it_says_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a sum without a count; one whose release is the sum itself says so."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN)
    for name, status, told in (
        ("Mean", 2, SENTENCE),
        ("Sum", 0, "PROVED: own.py:Sum"),
        ("Words", 2, "public must hold members of PublicFact"),
        ("Other", 2, "noisy_query() must return a NoisyQuery, got str"),
    ):
        assert main(["audit", f"own.py:{name}", "--mode", "exact"]) == status
        out, err = capsys.readouterr()
        assert told in out + err


@pytest.mark.parametrize(
    ("moves", "counts"),
    [
        (((1, 0),), False),
        (((1, -1),), False),
        (((0, 1),), True),
        (((0, 0),), False),
        (((1, 0), (0, 1)), True),
        (((1, 0), (-1, 1)), True),
        (((1, -1), (2, -2)), False),
        (((2, 1), (4, 3)), True),
        (((0, 0), (1, 0), (0, 2)), True),
    ],
)
def test_the_count_is_seen_in_the_moves(moves: Any, counts: bool) -> None:
    """It must hold that a combination of the sums is the number of records, or none is."""
    exact = tuple((F(c), F(d)) for c, d in moves)
    query = NoisyQuery("sums", exact, (F(0), F(1)), (Laplace(1, 1),) * len(exact))
    assert query.public_facts == (() if counts else (PublicFact.COUNT,))
    assert replace(query, public=(PublicFact.COUNT,)).public_facts == (PublicFact.COUNT,)


def test_a_stated_public_fact_counts_more_than_the_moves() -> None:
    """It must hold that (sum, count) with a release that uses the true count too is refused."""
    query = build_mechanism("ksw.transformed-laplace").noisy_query()
    assert all_neighbors(query, Relation.ADD_REMOVE, F(1)).check.verdict is Verdict.PROVED
    told = replace(query, public=(PublicFact.COUNT,))
    with pytest.raises(InvalidArgument, match=SENTENCE):
        all_neighbors(told, Relation.ADD_REMOVE, F(1))
    assert all_neighbors(told, Relation.SWAP, F(2)).check.verdict is Verdict.PROVED


@pytest.mark.parametrize("name", PUBLIC_SIZE)
def test_no_bound_stands_beside_samples_under_add_remove(name: str) -> None:
    """It must hold, else the loss that a known size brings is blamed on the sampler."""
    mechanism = build_mechanism(name)
    assert exact_bounds(mechanism, ADD_REMOVE) is None
    swap = PrivacyClaim(PureDP(1), Relation.SWAP, Source("user", "a test"))
    bounds = exact_bounds(mechanism, swap)
    assert bounds is not None
    assert bounds.proved == 1


def test_samples_that_refute_a_public_size_do_not_blame_the_sampler(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that {} against {0} is REFUTED for its own reason."""
    words = "audit ksw.swap-laplace --epsilon 1/10 --param epsilon=1/10 --relation add-remove"
    status = main([*words.split(), "--ideal", "--seed", "1", "--budget-samples", "20000"])
    out = capsys.readouterr().out
    assert (status, out.startswith("REFUTED")) == (1, True)
    assert "sampler does not do" not in out


def test_only_a_noisy_query_is_taken_for_one() -> None:
    """It must hold of an object that has the same fields but leaves out the public facts."""

    class Stated:
        def noisy_query(self) -> Any:
            return object()

    with pytest.raises(InvalidArgument, match="must return a NoisyQuery, got object"):
        asked_for(Stated(), "noisy_query", NoisyQuery)


def test_sequences_are_not_proved_by_multisets(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a mechanism that reads its records in order needs the pairs."""
    words = ["audit", "sub.threshold", "--mode", "exact", "--multisets", "2,2"]
    assert main([*words, "--order", "fixed"]) == 2
    assert "goes through multisets; give --pair" in capsys.readouterr().err
    assert main(words) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "besides the listed one and its reverse" in " ".join(text.split())
