"""The corpus on the command line: its own pairs, or the user's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from audit.cli import main
from mechanisms.corpus.exact_values import EXACT_ON_PAIRS
from mechanisms.corpus.registry import CORPUS, build_corpus
from tests.corpus.exact import exact_of


def report(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    """Exit status and JSON report of a seeded audit."""
    common = ["--seed", "1", "--ideal", "--budget-samples", "120000", "--format", "json"]
    status = main(["audit", *words, *common])
    return status, json.loads(capsys.readouterr().out)


def test_without_a_pair_its_own_are_audited(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a broken entry is refuted by its name alone, with a pair in words."""
    status, document = report(["corpus.noisy-histogram-2"], capsys)
    assert (status, document["verdict"]) == (1, "REFUTED")
    witness = document["witness"]
    assert isinstance(witness, dict)
    assert witness["pair"] in (
        "(1, 1, 1, 1, 1) and (0, 1, 1, 1, 1)",
        "(1, 1, 1, 1, 1) and (2, 1, 1, 1, 1)",
    )


@pytest.mark.slow
def test_a_pair_file_replaces_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a pair file is the only pair, and a parameter changes the claim."""
    pair = tmp_path / "pair.json"
    pair.write_text('{"data": [0, 0], "neighbor": [0, 1]}')
    words = ["corpus.noisy-histogram-1", "--pair", str(pair), "--param", "epsilon=2"]
    status, document = report(words, capsys)
    assert status == 0
    claim = document["claim"]
    assert isinstance(claim, dict)
    assert (claim["epsilon"], claim["relation"]) == ("2", "listed")
    assert document["pairs"] == 1


def test_the_list_has_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that `touchstone list corpus` shows each entry, its form and exact epsilons."""
    assert main(["list", "corpus"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split("  ")[0] for line in lines]
    assert names == list(CORPUS)
    assert [line.split()[1] for line in lines] == [entry.form for entry in CORPUS.values()]
    prefix_sum = next(line for line in lines if line.startswith("corpus.prefix-sum "))
    assert "exact on its pairs: 0.1 0.1 1 1 1 1 1 1 " in prefix_sum


def test_the_list_computes_nothing() -> None:
    """It must hold that `touchstone list corpus` loads no numpy and no quadrature."""
    code = (
        "import sys\nfrom audit.cli import main\nmain(['list', 'corpus'])\n"
        "print([name for name in sys.modules if name in ('numpy', 'mechanisms.corpus.quadrature')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_each_entry_has_its_listed_values() -> None:
    """It must hold that no entry is without, that none is too much, and one value a pair."""
    assert list(EXACT_ON_PAIRS) == list(CORPUS)
    for name, values in EXACT_ON_PAIRS.items():
        assert len(values.split()) == len(build_corpus(name).pairs), name


@pytest.mark.slow
def test_listed_values_are_the_exact_ones() -> None:
    """It must hold that the stored values are what `exact_of_pairs` computes, to four digits."""
    found = {name: " ".join(f"{value:.4g}" for value in exact_of(name)) for name in CORPUS}
    assert found == EXACT_ON_PAIRS


@pytest.mark.slow
def test_listed_needs_no_pair_where_the_corpus_has_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that `--relation listed` on a name of the corpus audits its pairs."""
    status, document = report(["corpus.geometric", "--relation", "listed"], capsys)
    assert (status, document["pairs"]) == (0, 2)
