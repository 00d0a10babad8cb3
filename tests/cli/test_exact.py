"""`--mode exact`, `--certificate` and `verify` from the command line and in the gate."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from audit.cli import main
from mechanisms.registry import NOISES
from tests.audit.results import REFUTED, fake_engine
from tests.reports import check_report

TOY = """
from fractions import Fraction
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import Laplace
from mechanisms.noisy_query import NoisyQuery

class Count:
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "toy"))
    order = Order.FREE
    low, high = Fraction(0), Fraction(1)

    def __init__(self, scale=1):
        self.scale = scale

    def noisy_query(self):
        one = Fraction(1)
        return NoisyQuery("count", ((Fraction(0), one),), (one, one), (Laplace(1, 1),))

    def sample(self, data, size, *, rng):
        return len(data) + rng.laplace(scale=float(self.scale), size=size)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.long
def test_a_proof_is_written_and_rechecked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of the acceptance commands: PROVED, accepted, and REFUTED at 9/10."""
    command = ["audit", "ksw.transformed-hourglass", "--mode", "exact", "--epsilon"]
    assert main([*command, "1", "--certificate", "h.json"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("PROVED: ksw.transformed-hourglass\n")
    assert "for all neighbors of all data sets" in out.replace("\n", " ")
    assert main(["verify", "h.json"]) == 0
    assert capsys.readouterr().out.startswith("ACCEPTED: h.json\n")
    assert main([*command, "0.9", "--certificate", "no.json"]) == 1
    assert "0.731058578630005 on the data, 0.268941421369995" in capsys.readouterr().out
    assert not (folder / "no.json").exists()


def test_a_class_of_ones_own_is_proved_without_a_certificate(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a class that states its noisy query; the report says why there is none."""
    (folder / "toy.py").write_text(TOY)
    command = ["audit", "toy.py:Count", "--mode", "exact", "--certificate", "c.json"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert out.startswith("PROVED: toy.py:Count\n")
    assert "no certificate was written" in out
    assert not (folder / "c.json").exists()


def test_a_changed_certificate_is_rejected(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold with exit 1 and the reason; a file that cannot be read is exit 2."""
    assert main(["audit", "ksw.swap-laplace", "--mode", "exact", "--certificate", "s.json"]) == 0
    text = (folder / "s.json").read_text()
    (folder / "s.json").write_text(text.replace('"1"', '"2"', 1))
    capsys.readouterr()
    assert main(["verify", "s.json"]) == 1
    assert "the digest is not that of the other fields" in capsys.readouterr().out
    assert main(["verify", "missing.json"]) == 2
    assert capsys.readouterr().err == "touchstone: there is no file 'missing.json'\n"
    (folder / "binary.json").write_bytes(b"\xff\xfe")
    assert main(["verify", "binary.json"]) == 2


def test_thresholds_are_gone_through(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of the sound one on multisets, and of the printed one on its printed pair."""
    sound = ["audit", "sub.threshold", "--mode", "exact", "--multisets", "2,3"]
    assert main([*sound, "--certificate", "t.json"]) == 0
    assert main(["verify", "t.json"]) == 0
    assert "multisets of at most 2 records among 0, 1/2, 1" in capsys.readouterr().out
    (folder / "p.json").write_text('{"data": [0, 0, 0], "neighbor": [0, 0, 0, 0]}')
    words = "audit sub.threshold-as-printed --mode exact --epsilon 1 --low -1 --high 1"
    pair = ["--param", "gamma=1/2", "--param", "rank=1", "--pair", "p.json"]
    assert main([*words.split(), *pair]) == 1
    out = capsys.readouterr().out
    assert "0.0363792436972327 on the data, 0.00952616359128164 on the neighbor" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ksw.swap-laplace --certificate c.json", "--certificate goes with --mode exact"),
        ("ksw.swap-laplace --multisets 2,3", "--multisets goes with --mode exact"),
        ("sub.threshold --mode exact --multisets 2", "multisets must be SIZE,POINTS"),
        ("ksw.swap-laplace --mode exact --domain any", "draws no samples; leave out --domain"),
        ("pdp.weighted-mean --mode exact --mu 1", "states its weighted sum, by which mode 'exact'"),
        ("ksw.swap-laplace --mode exact --adversarial", "does not state the values of its noise"),
        (
            "noise.gaussian --mode exact --adversarial",
            (
                "touchstone: noise.gaussian: the sampler must be a function of one uniform number "
                "(2 words of its generator), it drew 6 words; without --adversarial mode 'exact' "
                "audits the stated law, and --mode sequential draws samples\n"
            ),
        ),
        ("noise.cauchy --mode exact", "noise.cauchy"),
    ],
)
def test_what_does_not_go_together_is_exit_2(
    words: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold with one line that says what to leave out."""
    assert main(["audit", *words.split()]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert not list(folder.iterdir())


UNDECIDED = {
    "noise.geometric --adversarial": "of 598 outputs tried, all are reachable from both data",
    "corpus.approximate-response": "on the listed pairs, 6144 bits do not decide between delta",
}


@pytest.mark.parametrize(("words", "reason"), UNDECIDED.items())
def test_what_is_not_decided_is_one_sentence(
    words: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the reason says once what was tried, and reads behind its colon."""
    assert main(["audit", *words.split(), "--mode", "exact"]) == 3
    out = " ".join(capsys.readouterr().out.split())
    assert f"The run could not tell: {reason}" in out


@pytest.mark.long
def test_every_noise_is_a_target(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of each name of `touchstone list noises`: its own claim is proved."""
    for name in NOISES:
        small = ["--param", "grid=3"] if name == "discrete-hourglass" else []
        assert main(["audit", f"noise.{name}", *small, "--mode", "exact", "--format", "json"]) == 0
        document = json.loads(capsys.readouterr().out)
        check_report(document, document["kind"])
        assert document["verdict"] == "PROVED"
        assert document["proof"]["rechecked"] is False


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("noise.laplace --adversarial", 1),
        ("noise.laplace --adversarial --pair near.json", 1),
        ("noise.geometric --adversarial", 3),
        ("noise.laplace --adversarial --epsilon 1 --delta 1/2", 3),
        ("corpus.laplace", 0),
        ("corpus.laplace --epsilon 1/11", 1),
        ("corpus.geometric", 0),
        ("corpus.gaussian-zcdp", 0),
        ("corpus.gaussian-zcdp --rho 0.499", 1),
        ("corpus.gaussian-gdp", 0),
        ("corpus.gaussian-renyi", 0),
        ("corpus.uniform-window", 0),
        ("corpus.uniform-window --tv 0.099", 1),
        ("corpus.uniform-window --epsilon 1 --delta 1/10", 0),
        ("corpus.gaussian-gdp --tv 0.383", 0),
        ("corpus.gaussian-gdp --tv 0.382", 1),
        ("corpus.generalized-randomized-response", 0),
        ("corpus.generalized-randomized-response --epsilon 0.999", 1),
        ("corpus.generalized-randomized-response --rho 1/2", 0),
        ("corpus.svt-1", 3),
        ("corpus.laplace-parallel", 3),
    ],
)
def test_noise_and_corpus_have_an_exact_answer(
    words: str, status: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold with each verdict's exit, in a report that follows the schema."""
    (folder / "near.json").write_text('{"data": [101], "neighbor": [100]}')
    assert main(["audit", *words.split(), "--mode", "exact", "--format", "json"]) == status
    document = json.loads(capsys.readouterr().out)
    check_report(document, document["kind"])
    if "near" in words:
        assert document["witness"]["q"] == {"lower": "0", "upper": "0"}
        assert "lie in one binade" in document["witness"]["event"]
    if "svt" in words:
        assert "states no law" in document["reason"]


@pytest.mark.long
def test_reports_follow_the_schema(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of proofs, refutations, and sampled audits with a proved bound beside."""
    (folder / "pair.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    for words in (
        "ksw.shifted-laplace --mode exact",
        "ksw.shifted-laplace --mode exact --epsilon 1/2",
        "ksw.shifted-laplace --budget-samples 4000 --ideal --pair pair.json",
    ):
        main(["audit", *words.split(), "--format", "json"])
        document = json.loads(capsys.readouterr().out)
        check_report(document, document["kind"])
    assert document["exact"]["proved"] == document["exact"]["attained"] == "1"
    assert [file.name for file in folder.iterdir()] == ["pair.json"]


def test_the_gate_proves_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a proof takes no share of the false-alarm rate, and counts as any audit."""
    (folder / "touchstone.toml").write_text(
        '[[audit]]\ntarget = "ksw.swap-laplace"\nmode = "exact"\n'
        '[[audit]]\ntarget = "ksw.swap-laplace"\nepsilon = "9/10"\nmode = "exact"\n'
        'expect = "refuted"\n'
    )
    assert main(["gate", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    check_report(document, document["kind"])
    assert [audit["report"]["verdict"] for audit in document["audits"]] == ["PROVED", "REFUTED"]
    assert document["share"] == document["false_alarm"]
    assert main(["gate"]) == 0
    assert "proved <= 1" in capsys.readouterr().out


@pytest.mark.slow
def test_samples_beyond_a_proved_bound_are_a_contradiction(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a sampler whose noise is half of what is stated, at a claim it keeps.

    The claim 3 is kept by the samples (true loss 2), but they show more than the proved 1.
    """
    (folder / "toy.py").write_text(TOY)
    run = ["audit", "toy.py:Count", "--epsilon", "3", "--ideal", "--budget-samples", "400000"]
    assert main([*run, "--seed", "1", "--param", "scale=1"]) != 1
    assert "epsilon is at most 1" in capsys.readouterr().out
    assert main([*run, "--seed", "1", "--param", "scale=1/2"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "the stated law of the noisy count proves at most 1" in out


STATED = """
from fractions import Fraction
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.subset.levels import LevelLaw, LevelPiece

class Coin:
    claim = PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "toy"))
    order = Order.FREE
    low, high = Fraction(0), Fraction(1)

    def exact_law(self, data):
        return LevelLaw(Fraction(1), (LevelPiece(Fraction(0), Fraction(1), Fraction(0)),))

    def sample(self, data, size, *, rng):
        return rng.random(size) / (1 + len(data))
"""


@pytest.mark.long
def test_a_witness_that_the_stated_law_allows_is_a_contradiction(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of a sampler that follows the data, and a stated law that does not."""
    (folder / "stated.py").write_text(STATED)
    run = ["audit", "stated.py:Coin", "--ideal", "--budget-samples", "100000", "--seed", "1"]
    assert main(run) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "Contradiction:" in out
    assert "by the stated law: which the claim allows" in out


@pytest.mark.slow
def test_a_witness_has_exact_probabilities_where_the_law_is_known(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold of the printed mean, whose counts agree with them; and of reports as JSON."""
    name, high = "ksw.transformed-laplace-as-printed", "high=1/2"
    run = ["audit", name, "--param", high, "--high", "1/2", "--ideal", "--seed", "2"]
    assert main([*run, "--budget-samples", "100000", "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    check_report(report, "audit")
    witness = report["witness"]
    for hits, side in ((witness["hits"], "p"), (witness["other_hits"], "q")):
        chance, draws = float(Fraction(witness["exact"][side]["lower"])), witness["draws"]
        assert abs(hits / draws - chance) < 5 * (chance * (1 - chance) / draws) ** 0.5
    assert Fraction(witness["exact"]["excess"]["lower"]) > 0


def test_an_event_that_its_draws_do_not_show_contradicts_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that a violation stands whose readable event is not the one that breaks."""
    (folder / "stated.py").write_text(STATED)
    assert REFUTED.witness is not None
    for lower in (0.9, 1.1):
        witness = replace(
            REFUTED.witness,
            data=[],
            neighbor=[1.0],
            epsilon_lower=lower,
            intervals=((0.0, False, 0.5, True),),
        )
        fake_engine(monkeypatch, lambda *_, found=witness: replace(REFUTED, witness=found))
        assert main(["audit", "stated.py:Coin", "--ideal"]) == 1
        out = capsys.readouterr().out
        assert "by the stated law: which the claim allows" in " ".join(out.split())
        assert ("Contradiction:" in out) == (lower > 1)


FEW = """
from fractions import Fraction

class Few:
    def sample(self, data, size, *, rng):
        return rng.integers(0, 2, size) + (len(data) < 3) * 2 * len(data)

    def exact_law(self, data):
        count = len(data) if len(data) < 3 else 0
        return {2 * count: Fraction(1, 2), 2 * count + 1: Fraction(1, 2)}

few = Few()
"""


@pytest.mark.parametrize("relation", ["add-remove", "swap"])
def test_data_sets_below_the_fewest_records_are_no_counterexample(
    relation: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of --min-size, at its very edge; without enough records nothing is proved."""
    (folder / "few.py").write_text(FEW)
    words = "audit few.py:few --mode exact --epsilon 1 --low 0 --high 1 --relation"
    for fewest, status in ((3, 0), (2, int(relation == "add-remove")), (5, 2)):
        assert main([*words.split(), relation, "--min-size", str(fewest)]) == status
        said = capsys.readouterr()
        if status == 0:
            assert f"multisets of {fewest} to 4 records" in said.out.replace("\n", " ")
    assert "there are no pairs of neighbors" in said.err
