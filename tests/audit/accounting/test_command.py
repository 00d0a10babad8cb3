"""`touchstone account`: exit statuses, forms of the report, and plans that are wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from audit.cli import main
from audit.request import account_plan
from tests.audit.report.schema import FILE

GAUSSIAN = '[[step]]\nevent = "gaussian"\nsigma = 5\nsensitivity = 1\n'
HEAD = 'relation = "swap"\ndelta = "1e-5"\n'
ADD = 'relation = "add-remove"\ndelta = "1e-5"\n'
NOISE = '[[step]]\nevent = "{}"\n{} = {}\nsensitivity = 1\n'
PURE = '[[step]]\nevent = "pure-dp"\nepsilon = "1/10"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a plan."""
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(HEAD + GAUSSIAN)


STATUSES = {
    "no claim": ([], 0, "TOTAL"),
    "proved": (["--claim", "1.555"], 0, "PROVED"),
    "refuted": (["--claim", "1.5549"], 1, "REFUTED"),
    "another relation": (["--claim", "1.5549", "--relation", "add-remove"], 0, "PROVED"),
    "another delta": (["--claim", "1.555", "--delta", "1e-6"], 1, "REFUTED"),
    "no delta": (["--claim", "9999", "--delta", "0"], 1, "REFUTED"),
}


@pytest.mark.parametrize("case", STATUSES)
def test_the_verdict_is_the_exit_status(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold, and the first word of the report is the verdict."""
    words, status, verdict = STATUSES[case]
    assert main(["account", "plan.toml", *words]) == status
    out = capsys.readouterr().out
    assert out.startswith(f"{verdict}: plan.toml\n")
    assert "answers to neighbors are at most" in out


def test_a_claim_between_the_ends_is_left_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold where no more nodes are tried: exit 3, or 0 where that is let pass."""
    monkeypatch.setattr("proofs_check.composition.sums.MOST", 64)
    steps = '[[step]]\nevent = "laplace"\nscale = 10\nsensitivity = 1\ncount = 100\n'
    Path("near.toml").write_text(HEAD + steps)
    words = ["account", "near.toml", "--claim", "9.3819165"]
    assert main(words) == 3
    out = capsys.readouterr().out
    assert out.startswith("INCONCLUSIVE: near.toml")
    assert "no finer nodes are tried" in " ".join(out.split())
    assert main([*words, "--inconclusive", "ok"]) == 0


WRONG = {
    "no relation": ('delta = "1e-5"\n', "relation"),
    "no delta": ('relation = "swap"\n', "delta"),
    "relation unknown": ('relation = "swop"\ndelta = 0.1\n', "swop"),
    "delta of 1": ('relation = "swap"\ndelta = 1\n', "delta must be less than 1"),
    "delta below 0": ('relation = "swap"\ndelta = -1\n', "delta must be at least 0"),
    "claim below 0": (HEAD + 'claim = "-1"\n', "claim must be at least 0"),
    "claim is infinite": (HEAD + "claim = inf\n", "claim must be a finite number"),
    "claim is no number": (HEAD + "claim = nan\n", "claim must be a finite number"),
    "unknown word": (HEAD + "steps = 1\n", "unknown word 'steps'"),
    "no list": (HEAD + "step = 1\n", "step must be a list"),
    "no tables": (HEAD + "step = [1]\n", "step 1 must be a table"),
    "unknown part": (HEAD + '[[step]]\nevent = "gauss"\n', "event must be one of gaussian"),
    "no event": (HEAD + "[[step]]\ncount = 1\n", "event must be one of"),
    "no sensitivity": (HEAD + '[[step]]\nevent = "laplace"\nscale = 1\n', "needs sensitivity"),
    "sensitivity below 0": (HEAD + GAUSSIAN.replace("= 1", "= -1"), "sensitivity must be at least"),
    "no noise": (HEAD + GAUSSIAN.replace("5", "0"), "sigma must be greater than 0"),
    "count below 0": (HEAD + GAUSSIAN + "count = -1\n", "count must be an integer of at least 0"),
    "half a count": (HEAD + GAUSSIAN + "count = 0.5\n", "count must be an integer"),
    "count too large": (HEAD + GAUSSIAN + "count = 1_000_000_001\n", "count must be at most"),
    "not of the event": (HEAD + GAUSSIAN + "q = 1\n", "unknown word 'q' of gaussian"),
    "sampling under swap": (
        HEAD + '[[step]]\nevent = "poisson-laplace"\nscale = 1\nsensitivity = 1\nq = 0.1\n',
        "poisson-laplace has no stated law under swap, only under add-remove",
    ),
    "rate above 1": (
        (HEAD + GAUSSIAN).replace("swap", "add-remove").replace('"gauss', '"poisson-gauss')
        + "q = 1.5\n",
        "q must be at most 1",
    ),
    "delta of a part above 1": (
        HEAD + PURE.replace("pure", "approx") + "delta = 2\n",
        "step 1: delta must be at most 1",
    ),
    "half a shift": (
        HEAD + '[[step]]\nevent = "geometric"\nt = 1\nsensitivity = "1/3"\n',
        "sensitivity of geometric must be an integer",
    ),
    "masses of more than 1": (
        'relation = "listed"\ndelta = 0.1\n[[step]]\nevent = "law"\np = [1, 1]\nq = [1, 0]\n',
        "p must add up to 1",
    ),
    "no TOML": ("relation", "cannot be read"),
    "no scale": (HEAD + NOISE.format("laplace", "scale", "0"), "scale must be greater than 0"),
    "a scale below 0": (HEAD + NOISE.format("geometric", "t", "-1"), "t must be greater than 0"),
    "no variance": (
        HEAD + NOISE.format("discrete-gaussian", "sigma_squared", "0.0"),
        "sigma_squared must be greater than 0",
    ),
    "noise that is no number": (HEAD + NOISE.format("gaussian", "sigma", "nan"), "finite number"),
    "noise without end": (HEAD + NOISE.format("gaussian", "sigma", "inf"), "finite number"),
    "noise of an exponent": (
        HEAD + NOISE.format("gaussian", "sigma", '"1e1000000000"'),
        "at most 4000 digits",
    ),
    "rate below 0": (
        ADD + NOISE.format("poisson-gaussian", "sigma", "1") + "q = -0.1\n",
        "q must be at least 0",
    ),
    "replaced sample of Laplace noise": (
        HEAD + NOISE.format("poisson-laplace", "scale", "1") + "q = 0.1\n",
        "has no stated law under swap",
    ),
    "sampling without replacement": (
        HEAD + NOISE.format("without-replacement-gaussian", "sigma", "1") + "m = 3\nn = 2\n",
        "event must be one of",
    ),
    "zero-concentrated": (HEAD + '[[step]]\nevent = "zcdp"\nrho = 1\n', "event must be one of"),
    "Renyi": (HEAD + '[[step]]\nevent = "renyi"\nalpha = 2\n', "event must be one of"),
    "another distance below 0": (
        HEAD + GAUSSIAN + "swap_sensitivity = -1\n",
        "swap_sensitivity must be at least 0",
    ),
    "another distance above twice": (
        HEAD + GAUSSIAN + "swap_sensitivity = 2.1\n",
        "swap_sensitivity must be at most twice the sensitivity, got swap_sensitivity=21/10",
    ),
    "a count that is a truth": (HEAD + GAUSSIAN + "count = true\n", "count must be an integer"),
    "a count with a point": (HEAD + GAUSSIAN + "count = 3.0\n", "count must be an integer"),
    "answers without a person": (
        ADD + '[[step]]\nevent = "randomized-response"\nkeep = 0.5\n',
        "has no stated law under add-remove",
    ),
    "more than the truth": (
        HEAD + '[[step]]\nevent = "randomized-response"\nkeep = 1.5\n',
        "keep must be at most 1",
    ),
    "one answer": (
        HEAD + '[[step]]\nevent = "randomized-response"\nkeep = 0.5\ncategories = 1\n',
        "categories must be an integer of at least 2",
    ),
    "epsilon below 0": (HEAD + PURE.replace('"1/10"', "-1"), "epsilon must be at least 0"),
    "mu below 0": (HEAD + '[[step]]\nevent = "gdp"\nmu = -1\n', "mu must be at least 0"),
    "masses below 0": (
        'relation = "listed"\ndelta = 0.1\n[[step]]\nevent = "law"\np = [2, -1]\nq = [1, 0]\n',
        "p must be at least 0",
    ),
    "a claim that is no double": (HEAD + 'claim = "1e301"\n', "claim must be at most"),
    "a claim of letters": (HEAD + 'claim = "much"\n', "claim must be a finite number"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_plan_is_one_line(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold: exit 2, and the line names the key, the value and what is allowed."""
    text, words = WRONG[case]
    Path("wrong.toml").write_text(text)
    assert main(["account", "wrong.toml"]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert words in error
    assert error.count("\n") == 1
    assert "internal error" not in error


def test_numbers_are_read_as_typed(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold of decimals of more digits than a double has, without quotes and with."""
    totals = []
    for sigma in ("5", "5.00000000000000000000001", '"5.00000000000000000000001"', "5.000_1"):
        Path("near.toml").write_text(HEAD + GAUSSIAN.replace("5", sigma))
        assert main(["account", "near.toml", "--report", "json=o"]) == 0
        assert f"sigma {sigma.strip(chr(34)).replace('_', '')}, " in capsys.readouterr().out
        totals.append(json.loads(Path("o").read_text())["proof"]["certificate"]["parameters"])
    assert totals[1] == totals[2]
    assert len({json.dumps(total) for total in totals}) == 3


LARGEST = {
    "gaussian": (GAUSSIAN, "inf"),
    "laplace": (NOISE.format("laplace", "scale", "4") + "count = 3\n", "exactly 1.5"),
    "geometric": (NOISE.format("geometric", "t", "2") + "count = 2\n", "exactly 2"),
    "response": (
        '[[step]]\nevent = "randomized-response"\nkeep = 0.5\ncount = 2\n',
        "between 2.19722457733 and 2.19722457734",
    ),
}


@pytest.mark.parametrize("name", LARGEST)
def test_a_delta_of_zero_asks_for_the_largest_loss(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold: infinite of normal noise, the sum of largest losses of others."""
    step, words = LARGEST[name]
    Path("pure.toml").write_text(HEAD + step)
    assert main(["account", "pure.toml", "--delta", "0"]) == 0
    assert words in capsys.readouterr().out


def test_a_plan_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold."""
    assert main(["account", "nowhere.toml"]) == 2
    assert "nowhere.toml" in capsys.readouterr().err


def test_a_proved_total_has_a_certificate(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that it is written, and accepted; that a refuted one has none."""
    assert main(["account", "plan.toml", "--claim", "1.56", "--certificate", "c.json"]) == 0
    assert "certificate c.json; `touchstone verify c.json` rechecks it" in capsys.readouterr().out
    assert main(["verify", "c.json"]) == 0
    assert "1 of gaussian (sensitivity = 1, sigma = 5)" in capsys.readouterr().out
    Path("c.json").write_text(Path("c.json").read_text().replace("39/25", "38/25"))
    assert main(["verify", "c.json"]) == 1
    assert capsys.readouterr().out.startswith("REJECTED: c.json\nthe digest is not")
    assert main(["account", "plan.toml", "--claim", "1.5", "--certificate", "none.json"]) == 1
    assert not Path("none.json").exists()


LAPLACE = NOISE.format("laplace", "scale", "10") + "count = 100\n"
NO_CERTIFICATE = {
    "refuted": (GAUSSIAN, ["--claim", "1.5"], 1, "this claim is refuted"),
    "laplace": (LAPLACE, ["--claim", "9.383"], 0, "takes Laplace noise as the claim that it"),
    "infinite": (GAUSSIAN, ["--delta", "0"], 0, "the total is infinite"),
    "many losses": (PURE + "count = 9_000\n", [], 0, "a product of 9001 losses"),
    "sampled": (
        NOISE.format("poisson-gaussian", "sigma", "1") + "q = 0.1\n",
        ["--relation", "add-remove"],
        *(0, "adds up sampled steps"),
    ),
}


@pytest.mark.parametrize("case", NO_CERTIFICATE)
def test_why_no_certificate_was_written_is_said(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the reason is its own, and no other one."""
    steps, more, status, words = NO_CERTIFICATE[case]
    Path("none.toml").write_text(HEAD + steps)
    assert main(["account", "none.toml", "--certificate", "none.json", *more]) == status
    (line,) = re.findall(
        r"no certificate was written: .*", " ".join(capsys.readouterr().out.split())
    )
    assert words in line
    assert not any(row[-1] in line for name, row in NO_CERTIFICATE.items() if name != case)
    assert not Path("none.json").exists()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (GAUSSIAN, "recheck     a second program added up the steps again"),
        (PURE + "count = 9_000\n", "recheck     none: no second program"),
    ],
    ids=["rechecked", "not rechecked"],
)
def test_a_proved_total_says_whether_it_was_rechecked(
    step: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of every proved total, and not of a refuted one."""
    Path("one.toml").write_text(HEAD + step)
    assert main(["account", "one.toml"]) == 0
    assert words in capsys.readouterr().out
    assert main(["account", "one.toml", "--claim", "0.1"]) == 1
    assert "recheck" not in capsys.readouterr().out


@pytest.mark.long
def test_every_form_of_report_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold, and that the JSON report is that of the schema."""
    forms = {"html": "h", "markdown": "m", "junit": "j", "sarif": "s", "json": "o"}
    words = [word for form, file in forms.items() for word in ("--report", f"{form}={file}")]
    assert main(["account", "plan.toml", "--claim", "1", "--profile", *words]) == 1
    capsys.readouterr()
    report = json.loads(Path("o").read_text())
    schema = json.loads(FILE.read_text())
    jsonschema.validate(report, schema)
    assert report["kind"] == "account"
    assert report["command"] == "touchstone account plan.toml --claim 1 --profile"
    assert report["epsilon"]["lower"] < 1.5549816915322 < report["epsilon"]["upper"] + 1e-12
    assert len(report["profile"]) > 10
    assert all("REFUTED" in Path(file).read_text() for file in ("h", "m", "j"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report | {"epsilon": None}, schema)


def test_what_is_stated_alone_speaks_of_some_mechanism(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It must hold of claims of which no more is known, and not of noise."""
    Path("black.toml").write_text(HEAD + PURE + "count = 10\n")
    words = "for some mechanisms with these parts"
    assert main(["account", "black.toml", "--claim", "0.5"]) == 1
    assert words in " ".join(capsys.readouterr().out.split())
    assert main(["account", "plan.toml", "--claim", "0.5"]) == 1
    assert words not in " ".join(capsys.readouterr().out.split())


def test_engines_that_exclude_each_other_are_a_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold: exit 4, and no verdict."""
    from proofs_check.composition import closed_forms

    real = closed_forms.OneLoss.excess
    for name in ("excess", "near"):
        monkeypatch.setattr(
            closed_forms.OneLoss, name, lambda self, e: tuple(end / 2 for end in real(self, e))
        )
    assert main(["account", "plan.toml", "--claim", "1"]) == 4
    out, error = capsys.readouterr()
    assert out == ""
    assert "exclude each other" in error


def test_an_interrupt_gives_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold: exit 130."""

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("audit.accounting.enclosed_total.find_account", stopped)
    assert main(["account", "plan.toml"]) == 130
    assert "interrupted: plan.toml" in capsys.readouterr().err
    assert account_plan.plan_account("plan.toml").claim.epsilon is None
