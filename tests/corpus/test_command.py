"""The corpus on the command line: its own pairs, or the user's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit.cli import main
from audit.corpus.registry import CORPUS


def report(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    """Exit status and JSON report of a seeded audit."""
    common = ["--seed", "1", "--ideal", "--budget-samples", "40000", "--format", "json"]
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


@pytest.mark.slow
def test_the_list_has_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that `touchstone list corpus` shows each entry, its form and exact epsilons."""
    assert main(["list", "corpus"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split("  ")[0] for line in lines]
    assert names == list(CORPUS)
    assert [line.split()[1] for line in lines] == [entry.form for entry in CORPUS.values()]
    prefix_sum = next(line for line in lines if line.startswith("corpus.prefix-sum "))
    assert "exact on its pairs: 0.1 0.1 1 1 1 1 1 1 " in prefix_sum


def test_listed_needs_no_pair_where_the_corpus_has_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold that `--relation listed` on a name of the corpus audits its pairs."""
    status, document = report(["corpus.geometric", "--relation", "listed"], capsys)
    assert (status, document["pairs"]) == (0, 2)
