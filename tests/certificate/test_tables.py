"""Certificates that hold the laws themselves: of a user's class with a finite, rational law."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import pytest

from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import INFINITE, Certificate, sentence
from audit.certificate.rechecked_multisets import MOST_COMPARED, fits
from audit.cli import main
from audit.exact.exact_audit import audit
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.exact.recheck import rechecked
from audit.results.exact_result import ExactResult
from audit.results.verdict import Verdict
from mechanisms.claims import ApproxDP, Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import CertificateError, InvalidArgument

HALF = Fraction(1, 2)


class Parity:
    """Randomized response about whether the number of records of at least 1/2 is odd."""

    order, low, high = Order.FREE, Fraction(0), Fraction(1)

    def __init__(self, kept: Any = "3/4", labels: Any = ("odd", "even", "never")) -> None:
        self.kept, self.labels = Fraction(kept), labels

    def exact_law(self, data: Any) -> dict[Any, Fraction]:
        """State it, with an outcome that never comes."""
        is_odd = sum(x >= HALF for x in data) % 2
        p = self.kept if is_odd else 1 - self.kept
        return dict(zip(self.labels, (p, 1 - p, Fraction(0)), strict=False))


class Graded:
    """A coin that shows heads the more often the larger the sum of the records is."""

    def exact_law(self, data: Any) -> dict[Any, Fraction]:
        """State it."""
        heads = Fraction(8 + int(2 * sum(data)), 32)
        return {"heads": heads, "tails": 1 - heads}


class Count:
    """The parity of the number of records, which no record that is replaced changes."""

    def exact_law(self, data: Any) -> dict[Any, Fraction]:
        """State it."""
        heads = Fraction(1 + 2 * (len(data) % 2), 4)
        return {"heads": heads, "tails": 1 - heads}


def proved(
    epsilon: Any, delta: Any = 0, relation: Relation = Relation.SWAP, **own: Any
) -> ExactResult:
    """Audit it on multisets of at most 3 records among 3 points."""
    level = ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
    claim = PrivacyClaim(level, relation, Source("user", "a test"))
    multisets = Multisets(3, 3, Fraction(0), Fraction(1))
    name = own.pop("name", "m.py:Parity")
    mechanism = own.pop("mechanism", Parity)(**own)
    asked = Question(name, mechanism, claim, Order.FREE, False, (), multisets)
    return rechecked(audit(asked))


def certificate(*claim: Any, **own: Any) -> Certificate:
    """The certificate of a proof."""
    result = proved(*claim, **own)
    assert result.verdict is Verdict.PROVED, result.reason
    assert result.proof is not None
    assert isinstance(result.proof.certificate, Certificate)
    return result.proof.certificate


@pytest.mark.parametrize("relation", [Relation.SWAP, Relation.ADD_REMOVE])
@pytest.mark.parametrize(
    ("epsilon", "delta", "kept"),
    [
        ("11/10", 0, "3/4"),  # log 3 = 1.0986...
        (0, 0, HALF),  # equal laws, and e^0 is rational
        (0, HALF, "3/4"),  # exactly as much as is claimed
        (1, "1/8", "3/4"),  # 3/4 - e/4 = 0.070...
        (1, 1 - Fraction(1, 10**9), "999999/1000000"),
    ],
)
def test_what_is_proved_of_a_table_is_rechecked(
    epsilon: Any, delta: Any, kept: Any, relation: Relation
) -> None:
    """It must hold of pure and approximate claims; and just below them none is proved."""
    made = certificate(epsilon, delta, relation, kept=kept)
    said = verify(Certificate.read(made.text()))
    assert said.startswith("m.py:Parity with law = the table of this certificate keeps epsilon")
    assert f"({relation.value}) for multisets of at most 3 records among 0, 1/2, 1" in said
    assert len(made.evidence["laws"]) == 20


def test_a_loss_without_end_is_said() -> None:
    """It must hold that an outcome of one side alone is no finite loss, and that delta has it."""
    laws = {(): {"a": 1}, (0,): {"a": HALF, "b": HALF}, (1,): {"a": HALF, "b": HALF}}
    made = of_laws(laws, "0", "1/2", ["inf", "inf"])
    assert made.loss == INFINITE
    assert "delta = 1/2" in verify(made)
    with pytest.raises(CertificateError, match="an event loses more"):
        verify(of_laws(laws, "0", "1/3", ["inf", "inf"]))


def of_laws(
    laws: Any, epsilon: str, delta: str, loss: list[str], relation: str = "add-remove"
) -> Certificate:
    """A certificate of laws on at most one record of 0 or 1, sealed."""
    rows = [
        [list(map(str, data)), {z: str(p) for z, p in law.items()}] for data, law in laws.items()
    ]
    name, claim = "m.py:M", {"relation": relation, "epsilon": epsilon, "delta": delta}
    pairs = "multisets of at most 1 records among 0, 1"
    table = {"law": "the table of this certificate"}
    return Certificate(
        sentence(name, table, claim, pairs),
        name,
        table,
        claim,
        {"pairs": pairs, "size": 1, "points": ["0", "1"]},
        [],
        {"laws": rows, "pairs": 2 if relation == "add-remove" else 1},
        loss,
    ).sealed()


def row(document: Any, records: list[str]) -> Any:
    """The law of one data set."""
    return next(law for data, law in document["evidence"]["laws"] if data == records)


def probability(document: Any) -> None:
    """Another probability, and the law still adds up to 1."""
    row(document, ["1"]).update({"'heads'": "1/3", "'tails'": "2/3"})


def sum_of_law(document: Any) -> None:
    """A law that does not add up to 1."""
    row(document, ["1"])["'heads'"] = "4/5"


def negative(document: Any) -> None:
    """A negative probability, and the sum is 1."""
    row(document, ["1"]).update({"'heads'": "-1/4", "'tails'": "5/4"})


def outcome(document: Any) -> None:
    """An outcome that is missing."""
    del row(document, ["1"])["'tails'"]


def certain(document: Any) -> None:
    """An outcome that is missing, and the other one certain."""
    del row(document, ["1"])["'tails'"]
    row(document, ["1"])["'heads'"] = "1"


def renamed(document: Any) -> None:
    """An outcome under another name: no other data set has it."""
    law = row(document, ["1"])
    law["'HEADS'"] = law.pop("'heads'")


def epsilon(document: Any) -> None:
    """A smaller epsilon."""
    document["claim"]["epsilon"] = "11/50"


def delta(document: Any) -> None:
    """A delta in place of part of epsilon."""
    document["claim"].update({"epsilon": "1/5", "delta": "1/1000"})


def pair(document: Any) -> None:
    """Laws of two data sets exchanged."""
    first, last = row(document, ["0"] * 3), row(document, ["1"] * 3)
    first["'heads'"], last["'heads'"] = last["'heads'"], first["'heads'"]
    first["'tails'"], last["'tails'"] = last["'tails'"], first["'tails'"]


def fewer(document: Any) -> None:
    """A data set that is missing."""
    document["evidence"]["laws"].pop()


def other(document: Any) -> None:
    """A law under other records."""
    document["evidence"]["laws"][1][0] = ["1/3"]


def points(document: Any) -> None:
    """Other points, which the laws are not of."""
    document["covers"]["points"] = ["0", "1/3", "1"]


def larger(document: Any) -> None:
    """Larger data sets than there are laws of."""
    document["covers"]["size"] = 4


def relation(document: Any) -> None:
    """The other relation, under which a record that is added changes the law."""
    document.update(json.loads(certificate(0, mechanism=Count).text()))
    document["claim"]["relation"] = "add-remove"


def listed(document: Any) -> None:
    """A relation without pairs."""
    document["claim"]["relation"] = "listed"


def loss(document: Any) -> None:
    """A smaller loss than the laws have."""
    document["loss"] = ["1", "1"]


def registered(document: Any) -> None:
    """The name of a mechanism that is stated again."""
    document["mechanism"] = "ksw.swap-laplace"


def threshold(document: Any) -> None:
    """The name of another one, whose law is of this form."""
    document["mechanism"] = "sub.threshold"


def weighted(document: Any) -> None:
    """The name of a weighted sum."""
    document["mechanism"] = "pdp.adpm"


def parameters(document: Any) -> None:
    """Parameters, as if the law were derived from them."""
    document["parameters"] = {"epsilon": "1"}


def lemma(document: Any) -> None:
    """A lemma that nothing rests on."""
    document["lemmas"] = ["KSW-T2"]


def floats(document: Any) -> None:
    """Probabilities that are no exact numbers."""
    row(document, ["1"]).update({"'heads'": 0.3125, "'tails'": 0.6875})


WRONG: list[Callable[[Any], None]] = [
    *(probability, sum_of_law, negative, outcome, certain, renamed, epsilon, delta, pair, fewer),
    *(other, points, larger, relation, listed, loss, registered, threshold, weighted, parameters),
    *(lemma, floats),
]


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change.__name__)
def test_a_changed_certificate_is_rejected(change: Callable[[Any], None]) -> None:
    """It must hold although the sentence and the digest are made to fit."""
    made = certificate("1/4", mechanism=Graded)
    verify(made)
    document = json.loads(made.text())
    change(document)
    assert document != json.loads(made.text())
    covers = document["covers"]
    covers["pairs"] = (
        f"multisets of at most {covers['size']} records among {', '.join(covers['points'])}"
    )
    document["statement"] = sentence(
        document["mechanism"], document["parameters"], document["claim"], covers["pairs"]
    )
    with pytest.raises(CertificateError):
        verify(Certificate(**document).sealed())


def test_what_no_certificate_can_hold_has_none() -> None:
    """It must hold of outcomes of one name, of too many, and of a law that is not rational."""

    class Bare:
        """A mark, which nobody can tell from another one."""

    class Same:
        def __init__(self, mark: int) -> None:
            self.mark = mark

        def __repr__(self) -> str:
            return "same"

    owns: tuple[dict[str, Any], ...] = ({"labels": (Same(0), Same(1), "never")}, {})
    for own in owns:
        result = proved("11/10", **own)
        assert result.verdict is Verdict.PROVED
        assert result.proof is not None
        assert (result.proof.certificate is None) == bool(own)
    with pytest.raises(InvalidArgument, match="an outcome must be a number, a text or made of"):
        proved("11/10", labels=(Bare(), Bare(), "never"))
    assert fits(4, 5, 100)
    assert not fits(4, 5, MOST_COMPARED)


def test_the_number_of_pairs_is_bounded_above_what_there_is() -> None:
    """It must hold that `fits` counts no fewer pairs than either relation has."""
    for size, count in ((1, 2), (3, 3), (4, 5)):
        grid = Multisets(size, count, Fraction(0), Fraction(1))
        pairs = max(len(list(grid.pairs(r))) for r in (Relation.SWAP, Relation.ADD_REMOVE))
        assert fits(size, count, MOST_COMPARED // (2 * pairs))
        assert not fits(size, count, MOST_COMPARED // (2 * pairs) + 1)
        sets = sum(len(list(combinations_with_replacement(range(count), n))) for n in range(size))
        assert pairs == sets * max(count, count * (count - 1) // 2)


SOURCE = """
from fractions import Fraction
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source

class Coin:
    claim = PrivacyClaim(PureDP("11/10"), Relation.SWAP, Source("user", "toy"))
    order, low, high = Order.FREE, 0, 1

    def sample(self, data, size, *, rng):
        return rng.random(size) < self.exact_law(data)[1]

    def exact_law(self, data):
        p = Fraction(3 if sum(data) >= 1 else 1, 4)
        return {1: p, 0: 1 - p}
"""


@pytest.mark.long
def test_the_command_writes_and_rechecks_it(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a file of the user's: PROVED, rechecked, accepted; and a slip rejected."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "coin.py").write_text(SOURCE)
    assert main(["audit", "coin.py:Coin", "--mode", "exact", "--certificate", "c.json"]) == 0
    assert "a second program rechecked the proof" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", "c.json"]) == 0
    assert "coin.py:Coin with law = the table" in capsys.readouterr().out
    text = (tmp_path / "c.json").read_text().replace('"3/4"', '"4/5"').replace('"1/4"', '"1/5"')
    (tmp_path / "c.json").write_text(text)
    assert main(["verify", "c.json"]) == 1
    changed = Certificate.read(text)
    with pytest.raises(CertificateError):
        verify(changed.sealed())
