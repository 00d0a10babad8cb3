"""Notes behind a verdict: what a run may hide, each with what would make the note false."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.documents.advice import ADVICE
from audit.report.rendering import audit_report
from audit.results.sampled_result import AuditResult
from audit.results.verdict import Verdict
from tests.audit.report.runs import outcome_of
from tests.slow import by_default, one_in

Release = Callable[..., Any]

PAIR = ([0.0, 1.0], [0.0, 1.0, 1.0])
WORDS = {"epsilon": 1, "relation": "add-remove", "ideal": True, "seed": 1}
OWN = np.random.default_rng(5)


def run(release: Release, **words: Any) -> AuditResult:
    """Audit a function on the usual pair, unless other words are given."""
    asked = WORDS | ({} if "low" in words else {"pair": PAIR}) | words
    return audit.audit(release, **asked)


def codes(result: AuditResult) -> list[str]:
    """Of its notes."""
    return [hint.code for hint in result.warnings]


def total(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A right release of a sum."""
    return np.clip(np.nan_to_num(data), 0, 1).sum() + rng.laplace(size=size)


def ignores(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Reads nothing."""
    return rng.laplace(size=size)


def ignores_with_its_own(data: Any) -> str:
    """Finds none of its labels, with a generator that no seed reaches."""
    counts = np.array([sum(1 for x in data if x == label) for label in "abc"], float)
    shares = np.exp(counts / 2)
    return "abc"[OWN.choice(3, p=shares / shares.sum())]


def ignores_and_sometimes_fails(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A call for many draws nearly always fails."""
    values = rng.random(size)
    if (values < 0.05).any():
        raise RuntimeError
    return values


def one_value(data: Any) -> int:
    """No randomness, and no data."""
    return 5


# -- nothing changes the output -----------------------------------------------------------------

UNCHANGED: dict[str, Release] = {
    "by its seed": ignores,
    "by a generator of its own": ignores_with_its_own,
    "one value": one_value,
    "fails now and then": ignores_and_sometimes_fails,
}


@pytest.mark.long
@pytest.mark.parametrize("name", one_in(3, UNCHANGED))
def test_what_no_data_change_is_inconclusive(name: str) -> None:
    """It must hold of a given pair: nothing was tested, so nothing is said."""
    few = {"budget_samples": 6_000} if "fails" in name else {}
    result = run(UNCHANGED[name], **few)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.reason.startswith("no pair of data sets changed the output: does ")
    assert codes(result) == ["unchanged"]
    assert "--constant ok" in result.warnings[0].option
    assert "the pair. Does" in result.warnings[0].text


@pytest.mark.long
def test_pairs_that_are_made_are_counted() -> None:
    """It must hold that all pairs of the screening are, and that few draws are no other reason."""
    result = run(ignores, low=0, high=1, budget_samples=40_000)
    assert codes(result)[0] == "unchanged"
    assert result.screening is not None
    assert result.screening.unchanged
    assert f"all {result.screening.pairs:,} pairs" in result.warnings[0].text


@pytest.mark.long
def test_a_release_that_is_meant_to_ignore_its_data_is_consistent() -> None:
    """It must hold with the word that says so, and with no other value of it."""
    result = run(ignores, constant="ok")
    assert (result.verdict, result.warnings) == (Verdict.CONSISTENT, ())
    with pytest.raises(audit.TouchstoneError, match="constant"):
        run(ignores, constant="yes")


def by_bits_beyond_doubles(data: Any) -> int:
    """Integers that one double stands for."""
    return 2**60 + len(data)


def by_the_sign_of_zero(data: Any) -> float:
    """Two zeros."""
    return -0.0 if len(data) == 3 else 0.0


def by_the_last_of_many(data: Any, rng: np.random.Generator) -> Any:
    """One coordinate of a hundred, of which screening reads the first 64."""
    return [0.0] * 99 + [len(data) + rng.laplace(scale=100)]


def by_an_exception(data: Any, rng: np.random.Generator) -> float:
    """Ignores its data, but for a failure on some."""
    if len(data) == 3:
        raise ValueError
    return float(rng.laplace())


def by_fresh_entropy(data: Any) -> float:
    """No two calls of it begin alike, so that nothing can be compared."""
    return float(np.random.default_rng().laplace())


CHANGED: dict[str, Release] = {
    "integers": by_bits_beyond_doubles,
    "zeros": by_the_sign_of_zero,
    "last of many": by_the_last_of_many,
    "exception": by_an_exception,
    "entropy": by_fresh_entropy,
    "right": total,
}


@pytest.mark.long
@pytest.mark.parametrize("name", CHANGED)
def test_what_changes_or_cannot_be_compared_is_not_called_unchanged(name: str) -> None:
    """It must hold however little changes."""
    result = run(CHANGED[name], budget_samples=20_000)
    assert "unchanged" not in codes(result)


@pytest.mark.long
@pytest.mark.parametrize("seed", one_in(5, range(1, 6)))
def test_a_choice_that_hardly_moves_is_not_called_unchanged(seed: int) -> None:
    """It must hold of an exponential mechanism whose outcome changes in one of 400 draws."""

    def choice(data: Any, size: int, rng: np.random.Generator) -> Any:
        high = np.sum(np.nan_to_num(data) > 0.5)
        shares = np.exp(0.005 * np.array([len(data) - high, high, 0.0]))
        return rng.choice(3, size=size, p=shares / shares.sum())

    words = {"epsilon": "1/100", "low": 0, "high": 1, "domain": "declared"}
    result = run(choice, **words, budget_samples=40_000, seed=seed)
    assert "unchanged" not in codes(result)


@pytest.mark.long
def test_all_doors_have_the_word(tmp_path: Path) -> None:
    """It must hold of the command and the gate: open without it, green with it, and in a page."""
    (tmp_path / "m.py").write_text("def f(data, size, rng):\n    return rng.laplace(size=size)\n")
    (tmp_path / "p.json").write_text(json.dumps({"data": [0, 1], "neighbor": [0, 1, 1]}))
    claim = "epsilon = 1\nrelation = 'add-remove'\npair = 'p.json'\nideal = true\n"
    entry = f"[[audit]]\ntarget = 'm.py:f'\n{claim}"
    plain = ["audit", "m.py:f", "--epsilon", "1", "--relation", "add-remove", "--pair", "p.json"]
    for ok in (False, True):
        (tmp_path / "touchstone.toml").write_text(entry + "constant = 'ok'\n" * ok)
        option = ["--constant", "ok"] * ok
        done = command(tmp_path, *plain, "--ideal", "--seed", "1", *option)
        assert done.returncode == (0 if ok else 3), done.stdout
        assert ("To get one: with equal random numbers" in done.stdout) == (not ok)
        gate = command(tmp_path, "gate", "--seed", "1", "--report", "html=r.html")
        assert gate.returncode == (0 if ok else 3), gate.stdout
        assert (
            "To get one: with equal random numbers" in gate.stdout.replace("\n      ", " ")
        ) == (not ok)
        assert ("With equal random" in (tmp_path / "r.html").read_text()) is False
        assert ("with equal random" in (tmp_path / "r.html").read_text()) == (not ok)


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own."""
    start = [sys.executable, "-c", "from audit.cli import main; raise SystemExit(main())"]
    return subprocess.run([*start, *words], cwd=folder, text=True, capture_output=True, check=False)


# -- what a side gave instead, and one answer -----------------------------------------------------


def fails_on_three(data: Any, rng: np.random.Generator) -> dict[str, float]:
    """Another message in each call, with a line break and an escape character."""
    if len(data) == 3:
        msg = f"bad \x1b[31mrow {rng.random()} " + "x" * 90 + "\nsecond line"
        raise TypeError(msg)
    return {}


@pytest.mark.long
def test_a_side_that_raises_is_named_with_what_it_said() -> None:
    """It must hold in JSON and in words; a message makes no outcome."""
    result = run(fails_on_three)
    witness = result.witness
    assert witness is not None
    (data, neighbor) = witness.instead if "keys" in witness.event else witness.instead[::-1]
    assert data == ()
    ((words, count),) = neighbor
    assert count == witness.draws
    assert words.startswith("raises TypeError: bad \\x1b[31mrow 0.")
    assert words.endswith("x...")
    assert "second" not in words
    assert codes(result)[0] == "one-side-fails"
    assert result.warnings[0].text.startswith(
        "on the neighbor every call failed: TypeError: bad \\x1b[31mrow"
    )
    text = str(result)
    assert "\x1b" not in text
    assert f"on the neighbor {count:,} times: raises TypeError" in " ".join(text.split())
    told = result.to_dict()["witness"]
    assert told["instead"]["neighbor"][0][1] == count  # type: ignore[index,call-overload]


def test_a_side_of_another_shape_is_named() -> None:
    """It must hold of forms, texts and discrete numbers, the two commonest alone."""

    def shapes(data: Any, rng: np.random.Generator) -> Any:
        return [1.0] * (1 + int(rng.integers(3))) if len(data) == 3 else {"a": 1.0}

    witness = run(shapes).witness
    assert witness is not None
    other = witness.instead[1] if witness.likelier == "data" else witness.instead[0]
    assert len(other) == 2 or witness.likelier == "neighbor"
    told = [words for side in witness.instead for words, _ in side]
    assert told
    assert all(words.startswith("has ") for words in told)


@pytest.mark.parametrize("shown", by_default([list], [list, dict]))
def test_other_values_of_the_same_shape_are_not_given_instead(shown: type) -> None:
    """It must hold that the shape of the event's own draws tells nothing about the others."""

    def shaped(data: Any, rng: np.random.Generator) -> Any:
        values = [float(rng.laplace(scale=0.5) + len(data)), float(rng.laplace())]
        return values if shown is list else {"a": values[0], "b": values[1]}

    result = run(shaped)
    assert result.witness is not None
    assert {words for side in result.witness.instead for words, _ in side} == {"other values"}
    assert "\n  instead " not in str(result)


@pytest.mark.long
def test_one_value_of_the_same_shape_is_given_instead() -> None:
    """It must hold where all that is not in the event is one answer, though of its shape."""

    def two(data: Any, rng: np.random.Generator) -> Any:
        return (
            [1.0, 2.0] if rng.random() < (0.95 if len(data) == 3 else 0.4) else [5.0, rng.random()]
        )

    result = run(two)
    assert result.witness is not None
    told = [[words for words, _ in side] for side in result.witness.instead]
    assert told == [["has length 2: 1.0, 2.0"]] * 2
    assert "times: has length 2: 1.0, 2.0" in " ".join(str(result).split())


@pytest.mark.long
def test_failures_are_given_instead_beside_other_values() -> None:
    """It must hold that values of the event's own shape, which tell nothing, are left out."""

    def failing(data: Any, rng: np.random.Generator) -> Any:
        if len(data) == 3:
            return [1.0, 2.0]
        if rng.random() < 0.25:
            raise KeyError
        return [5.0, float(rng.laplace())]

    result = run(failing)
    assert result.witness is not None
    told = {words for side in result.witness.instead for words, _ in side}
    text = " ".join(str(result).split())
    assert told == {"other values", "raises KeyError"}
    assert "instead on the " in text
    assert "times: other values" not in text


def hashed(data: Any) -> float:
    """Noise that is computed from the data."""
    own = np.random.default_rng(len(data))
    return float(np.sum(data) + own.laplace())


def test_a_release_without_randomness_says_so() -> None:
    """It must hold that both values stand in the note, and a row in the report."""
    result = run(hashed)
    assert result.verdict is Verdict.REFUTED
    assert codes(result) == ["constant-output"]
    assert result.witness is not None
    sides = (result.witness.data, result.witness.neighbor)
    values = [f"{hashed(side):.6g}" for side in sides]
    assert result.warnings[0].text.startswith(
        f"every draw on the data was {values[0]}, every draw on the neighbor was {values[1]}: "
    )
    text = " ".join(str(result).split())
    assert "of the data gave one answer, each of the neighbor one: a fixed seed" in text
    assert "own randomness cannot be seeded" not in text
    assert result.to_dict()["deterministic"] is True


@pytest.mark.long
def test_randomness_that_shows_is_no_constant() -> None:
    """It must hold of a release whose one side alone is constant, and of right noise."""

    def half(data: Any, rng: np.random.Generator) -> float:
        return float(rng.random()) if len(data) == 3 else -1.0

    result = run(half)
    assert result.verdict is Verdict.REFUTED
    assert codes(result) == []
    assert not result.deterministic
    assert not run(total, budget_samples=4_000).deterministic


@pytest.mark.long
def test_one_value_has_the_row_under_any_verdict() -> None:
    """It must hold of CONSISTENT and of INCONCLUSIVE."""
    for words in ({}, {"constant": "ok"}):
        result = run(one_value, **words)
        assert result.deterministic
        assert "each data set gave one answer in all of its draws" in " ".join(str(result).split())


# -- order, delta ----------------------------------------------------------------------------------


def share(data: Any, rng: np.random.Generator) -> list[float]:
    """Noise for each record in its place."""
    return list(np.clip(np.nan_to_num(data), 0, 1) + rng.laplace(size=len(data)))


ORDERS = {"relation": "swap", "pair": ([0.0] * 3 + [1.0] * 5, [1.0] * 5 + [0.0] * 3)}


@pytest.mark.long
def test_an_order_is_named_where_it_is_all_that_refutes() -> None:
    """It must hold with the option that reads it as data, first of all."""
    result = run(share, **ORDERS)
    assert result.verdict is Verdict.REFUTED
    assert codes(result)[0] == "order-only"
    assert "audit with --order fixed" in str(result)
    assert "is false for data sets without an order" in str(result)


@pytest.mark.long
def test_an_order_is_not_named_where_records_differ_or_it_is_data() -> None:
    """It must hold of listed pairs, whose neighbors are what the user says."""
    listed = run(share, **(ORDERS | {"relation": "listed"}))
    assert listed.verdict is Verdict.REFUTED
    assert "order-only" not in codes(listed)
    other = run(share, relation="swap", pair=([0.0] * 4, [0.0] * 3 + [9.0]), epsilon="1/4")
    assert other.verdict is Verdict.REFUTED
    assert "order-only" not in codes(other)


@pytest.mark.long
def test_a_refutation_names_what_leaves_it_out() -> None:
    """It must hold of orders and of empty data sets, where pairs are made; of a given one not."""

    def empty(data: Any, rng: np.random.Generator) -> float:
        return float(rng.laplace()) if len(data) else -9.0

    found = run(empty, low=0, high=1, budget_samples=20_000)
    assert "(--min-size 1 leaves it out)" in " ".join(found.not_tried)
    assert "leaves it out" not in " ".join(run(empty, pair=([], [1.0])).not_tried)
    local = run(share, relation="swap", low=0, high=1, budget_samples=60_000)
    assert codes(local)[0] == "order-only"
    assert "(--order fixed leaves it out)" in " ".join(local.not_tried)


def wide(data: Any, size: int, rng: np.random.Generator) -> Any:
    """Gaussian noise of scale 2.2, where (1, 1e-5) needs 3.73."""
    return np.sum(data) + rng.normal(scale=2.2, size=size)


@pytest.mark.long
def test_a_small_delta_names_the_gaussian_claim() -> None:
    """It must hold that the claim that is named decides what the first one could not."""
    result = run(wide, delta="1e-5")
    assert result.verdict is Verdict.CONSISTENT
    (hint,) = result.warnings
    assert hint.code == "small-delta"
    assert "mu <= 0.26805" in hint.text
    assert hint.option == "--mu 0.2681, touchstone account"
    assert "The rarest output that this run would have found has probability 0.0" in hint.text
    assert "Warning: draws cannot test a delta of 1e-05" in str(result)
    gaussian = {"epsilon": None, "mu": "0.2681"}
    assert run(wide, **gaussian).verdict is Verdict.REFUTED


@pytest.mark.parametrize("delta", by_default(["0"], ["0", "1e-3", "1/2"]))
def test_a_delta_that_draws_can_test_has_no_note(delta: str) -> None:
    """It must hold from a thousandth on, and of pure claims."""
    assert "small-delta" not in codes(run(total, delta=delta, budget_samples=6_000))


# -- few draws, and failures everywhere ------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    "words", one_in(2, [{}, {"low": 0, "high": 1, "domain": "declared"}]), ids=str
)
def test_too_few_draws_names_how_many_are_enough(words: dict[str, Any]) -> None:
    """It must hold that a run with so many is CONSISTENT, and one of that resolution too."""
    result = run(total, budget_samples=12_000, **words)
    assert result.verdict is Verdict.INCONCLUSIVE
    (hint,) = result.warnings
    assert hint.code == "too-few-draws"
    assert " draws are too few for " in result.reason
    options = dict(option.split(" ") for option in hint.option.split(", ") if " " in option)
    needed = int(options["--budget-samples"])
    assert run(total, budget_samples=needed, **words).verdict is Verdict.CONSISTENT
    if "--resolution" in options:
        coarse = {"resolution": float(options["--resolution"])}
        again = run(total, budget_samples=12_000, **words, **coarse)
        assert again.verdict is Verdict.CONSISTENT


@pytest.mark.long
def test_a_number_that_is_beyond_all_is_not_named() -> None:
    """It must hold where no number of draws is enough, and where more are than are taken."""
    result = run(total, budget_samples=6_000, resolution=1e-9)
    assert "no number of draws is enough" in result.warnings[0].text
    assert "--budget-samples" not in result.warnings[0].option
    finer = run(total, budget_samples=6_000, resolution=0.005)
    assert "no number of draws up to 20,000,000 is enough" in finer.warnings[0].text


def always_fails(data: Any) -> float:
    """No answer, ever."""
    msg = "no column spend"
    raise KeyError(msg)


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        {},
        {"low": 0, "high": 1},
        {"low": 0, "high": 1, "budget_samples": 400},
        {"low": 0, "high": 1, "first_draws": 200},
        {"low": 0, "high": 1, "mode": "bound"},
        {"low": 0, "high": 1, "screen": 0, "in_process": True},
    ],
    ids=str,
)
def test_failing_everywhere_is_said_before_all_else(words: dict[str, Any]) -> None:
    """It must hold under all settings, few draws among them."""
    result = run(always_fails, **words)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert result.reason == (
        "the mechanism fails on every input tried (raises KeyError: 'no column spend')"
    )
    assert codes(result) == ["fails-everywhere"]
    if not words.keys() & {"first_draws", "mode"}:  # else those of the first pair show it
        assert result.samples == 0


@pytest.mark.long
@pytest.mark.parametrize("least", one_in(3, [3, 11, 60]))
def test_what_needs_more_records_does_not_fail_everywhere(least: int) -> None:
    """It must hold of a release of so many records at least: some data sets have them."""

    def needs(data: Any, size: int, rng: np.random.Generator) -> Any:
        if len(data) < least:
            raise ValueError
        return total(data, size, rng)

    result = run(needs, low=0, high=1, budget_samples=20_000)
    assert "fails-everywhere" not in codes(result)


def fails_by_its_kind(data: Any) -> float:
    """Which exception comes tells whether a record is large."""
    raise ValueError if np.clip(np.nan_to_num(data), 0, 1).sum() > 0.5 else KeyError


def needs_two(data: Any, size: int, rng: np.random.Generator) -> Any:
    """A release of two records, no more and no fewer."""
    if len(data) != 2:
        raise ValueError
    return total(data, size, rng)


@pytest.mark.long
@pytest.mark.parametrize("release", [fails_by_its_kind, needs_two])
def test_what_fails_on_nearly_all_inputs_is_refuted_by_the_others(release: Release) -> None:
    """It must hold where the few data sets that are asked often are alike, and no pair is given."""
    result = run(release, low=0, high=1, budget_samples=20_000)
    assert result.verdict is Verdict.REFUTED


@pytest.mark.long
def test_failures_of_two_kinds_by_chance_are_hopeless() -> None:
    """It must hold that no data set is told by the one that came on it."""

    def by_chance(data: Any, rng: np.random.Generator) -> float:
        raise (ValueError if rng.random() < 0.5 else KeyError)

    result = run(by_chance, low=0, high=1, budget_samples=20_000)
    assert codes(result) == ["fails-everywhere"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 21))
def test_a_program_that_prints_nothing_fails_everywhere(seed: int, tmp_path: Path) -> None:
    """It must hold of every seed, whatever time is left."""
    claim = ["--epsilon", "1", "--relation", "add-remove", "--low", "0", "--high", "1"]
    for seconds in ([], ["--budget-seconds", "20"]):
        done = command(tmp_path, "audit", *claim, "--seed", str(seed), *seconds, "--", "true")
        assert done.returncode == 3
        text = " ".join(done.stdout.split())
        assert "fails on every input tried (raises TooFewLines: wrote 0 lines" in text
        assert """try it: echo '{"data": [], "size": 2, "seed": 1}' | true""" in text


# -- the table -------------------------------------------------------------------------------------


@pytest.mark.long
def test_every_form_has_the_notes() -> None:
    """It must hold of one audit, and of a stored report that is read again."""
    result = run(ignores)
    said = "with equal random numbers there were equal outputs"
    outcome = outcome_of("x", result)
    for form in ("text", "markdown", "html", "sarif", "junit"):
        assert said in " ".join(audit_report(form, outcome).split()), form
    told = json.loads(audit_report("json", outcome))
    assert told["warnings"][0]["code"] == "unchanged"
    assert set(told["warnings"][0]) == {"code", "text", "option"}


def test_codes_are_those_of_the_schema() -> None:
    """It must hold that a reader knows all of them, in the order in which they are told."""
    schema = json.loads((Path(audit.__file__).parent / "report/schema.json").read_text())
    told = schema["$defs"]["Hint"]["properties"]["code"]
    assert told["enum"] == [row.code for row in ADVICE]
