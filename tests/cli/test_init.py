"""`touchstone init`: what it finds in a module, what it writes, and that the gate runs it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit.cli import main
from audit.request.configuration import find_config
from audit.scaffold.audit_candidates import candidates_of
from audit.scaffold.configuration_text import Draft, configuration
from audit.suite.gate_run import plan_gate
from tests.user_files import imports_restored

MODULE = '''
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mechanisms.add_remove.shifted_mean import ShiftedMean
from mechanisms.claims import PrivacyClaim, PureDP, Relation, Source

LIMIT = 3


def mean(data, epsilon=0.5, low=-1, high=10, *, rng=None):
    records = np.clip(np.nan_to_num(data), low, high)
    return records.sum() + rng.laplace(0, (high - low) / epsilon)


def total(xs, eps, size, rng):
    return np.clip(np.nan_to_num(xs), 0, 1).sum() + rng.laplace(0, 1 / eps, size)


def approximate(values: "NDArray[np.float64]", delta=1e-6, size=1, rng=None):
    return rng.normal(size=size)


def clip(values, low, high):
    return np.clip(values, low, high)


def histogram(data: list[float], bins, rng):
    return np.histogram(data, bins)


def fails(data, rng):
    raise ValueError("on every input")


def of_one(x: float, rng):
    return x + rng.laplace()


def helper(scale, rng):
    return rng.laplace(0, scale)


def _private(data, rng):
    return rng.laplace()


class Summer:
    """A mechanism with parameters."""

    def __init__(self, epsilon, low=0, high=2):
        self.epsilon, self.low, self.high = Fraction(epsilon), low, high

    @property
    def claim(self):
        return PrivacyClaim(PureDP(self.epsilon), Relation.ADD_REMOVE, Source("me", "here"))

    def sample(self, data, size, *, rng):
        scale = self.high / float(self.epsilon)
        return np.clip(np.nan_to_num(data), self.low, self.high).sum() + rng.laplace(0, scale, size)


class NoMechanism:
    claim = "something"


summer = Summer(1)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a module, as the working folder."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "release.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    with imports_restored(tmp_path):
        yield tmp_path


def written() -> list[dict[str, Any]]:
    """The audits of the file that was written."""
    content = tomllib.loads(Path("touchstone.toml").read_text())
    audits: list[dict[str, Any]] = content["audit"]
    return audits


def not_audited(said: str) -> dict[str, str]:
    """Targets that are listed as not audited, with the reasons."""
    lines = said.partition("\n\nNext:")[0].splitlines()
    pairs = (line.split(maxsplit=1) for line in lines)
    return {line[0]: line[1] for line in pairs}


@pytest.mark.long
def test_mechanisms_are_found_and_filled_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that functions of data and mechanisms are entries, with their defaults."""
    assert main(["init", "src/release.py"]) == 0
    own = {"domain": "any", "ideal": True}
    of = {"relation": "add-remove", **own}
    assert written() == [
        {"target": "src/release.py:mean", "epsilon": 0.5, "low": -1, "high": 10, **of},
        {
            "target": "src/release.py:total",
            "epsilon": 1,
            "low": 0,
            "high": 1,
            "param": {"eps": 1},
            **of,
        },
        {
            "target": "src/release.py:approximate",
            "epsilon": 1,
            "delta": 1e-6,
            "low": 0,
            "high": 1,
            **of,
        },
        {
            "target": "src/release.py:Summer",
            "low": 0,
            "high": 2,
            "param": {"epsilon": 1},
            **own,
        },
        {"target": "src/release.py:summer", **own},
    ]
    out = capsys.readouterr().out
    listed, _, others = out.partition("Not audited:\n")
    mean = "epsilon = 0.5, records in [-1, 10] (its defaults); add-remove (a guess)"
    guesses = "epsilon = 1, add-remove, records in [0, 1] (guesses)"
    assert [" ".join(line.split()) for line in listed.splitlines()] == [
        "wrote touchstone.toml: 5 audits",
        "",
        f"src/release.py:mean {mean}",
        f"src/release.py:total {guesses}",
        f"src/release.py:approximate delta = 1e-06 (its default); {guesses}",
        "src/release.py:Summer its own claim",
        "src/release.py:summer its own claim",
    ]
    assert out.endswith(
        "\n\nNext: 1. check the guesses and `domain` in touchstone.toml   2. touchstone gate\n"
    )
    reasons = {
        "clip": "it gave the same output 62 times: there is no noise in it",
        "histogram": "fill in a value for bins, under param",
        "fails": "it raises ValueError: on every input",
        "of_one": "first argument `x: float`: is it data? Then uncomment its entry",
        "helper": "first argument `scale`: is it data? Then uncomment its entry",
        "NoMechanism": "a class needs an epsilon, and a method sample whose first argument is data",
    }
    assert not_audited(others) == {f"src/release.py:{name}": why for name, why in reasons.items()}
    text = (folder / "touchstone.toml").read_text()
    for name, why in reasons.items():
        entry = f'## Not audited: {why}.\n# [[audit]]\n# target = "src/release.py:{name}"\n'
        assert entry in text


@pytest.mark.long
def test_what_was_written_can_be_planned_and_reads_well(folder: Path) -> None:
    """It must hold that the gate understands every entry, and that no line is too long."""
    main(["init", "src/release.py"])
    assert len(plan_gate(find_config(Path()))) == 5
    lines = (folder / "touchstone.toml").read_text().splitlines()
    assert max(map(len, lines)) <= 100
    for key in ("false_alarm", "budget_seconds", "baseline", "carry"):
        assert any(line.startswith(f"# {key} = ") for line in lines)


@pytest.mark.long
@pytest.mark.parametrize("entry", [0, 3])
def test_the_gate_runs_at_once(entry: int, folder: Path) -> None:
    """It must hold that the gate right after it never ends with 2."""
    main(["init", "src/release.py"])
    path = folder / "touchstone.toml"
    parts = path.read_text().split("\n[[audit]]\n")
    path.write_text("\n[[audit]]\n".join([parts[0], parts[1 + entry]]))
    assert main(["gate", "--budget-samples", "1000", "--seed", "1", "--jobs", "1"]) in (0, 1, 3)


def test_a_module_by_name_is_its_target(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that package.module is found from the working folder."""
    (folder / "pkg").mkdir()
    (folder / "pkg" / "__init__.py").write_text("")
    (folder / "pkg" / "mod.py").write_text(
        "def mean(data, size, rng):\n    return data.sum() + rng.laplace(size=size)\n"
    )
    assert main(["init", "pkg.mod"]) == 0
    assert [entry["target"] for entry in written()] == ["pkg.mod:mean"]


def test_nothing_is_written_over(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that only --force replaces a configuration, in either place."""
    path = folder / "touchstone.toml"
    path.write_text("mine")
    assert main(["init", "src/release.py"]) == 2
    assert path.read_text() == "mine"
    assert "is there already; --force writes over it" in capsys.readouterr().err
    assert main(["init", "--force"]) == 0
    assert path.read_text() != "mine"
    path.unlink()
    (folder / "pyproject.toml").write_text("[tool.touchstone]\nfalse_alarm = 0.1\n")
    assert main(["init"]) == 2
    assert not path.exists()
    assert main(["init", "--force"]) == 0


def test_without_a_module_the_entry_says_what_to_fill_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the entry is commented out, and is one when the marks are taken away."""
    assert main(["init"]) == 0
    assert (
        "Next: 1. fill in an entry in touchstone.toml   2. touchstone gate"
        in capsys.readouterr().out
    )
    path = folder / "touchstone.toml"
    text = path.read_text()
    assert "audit" not in tomllib.loads(text)
    assert text.count("fill in") == 2
    start = text.index("# [[audit]]")
    uncommented = "\n".join(line.removeprefix("# ") for line in text[start:].splitlines())
    assert tomllib.loads(uncommented)["audit"][0]["target"] == "src/release.py:mean"
    path.write_text(text[:start] + uncommented)
    assert len(plan_gate(find_config(Path()))) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("init src/nope.py", "there is no file 'src/nope.py'"),
        ("init nope.mod", "there is no module 'nope.mod'"),
        ("init src", "MODULE must be file.py or package.module, got 'src'"),
        ("init src/empty.py", "src/empty.py has no public function, class or mechanism"),
        ("init src/broken.py", "src/broken.py cannot be imported: ZeroDivisionError"),
    ],
)
def test_what_is_no_module_writes_nothing(
    folder: Path, words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that it is exit 2, one line, and no file."""
    (folder / "src" / "empty.py").write_text("import numpy\nfrom math import exp\nLIMIT = 3\n")
    (folder / "src" / "broken.py").write_text("1 / 0\n")
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert not (folder / "touchstone.toml").exists()


HOSTILE = """
def lines(data, rng):
    raise ValueError("one\\ntwo = [\\x00 three")


def ends(data, rng):
    raise SystemExit(3)


def worded(data, epsilon="1", *, rng):
    return len(data) + rng.laplace(0, 1 / float(epsilon))


class Private:
    @property
    def claim(self):
        raise RuntimeError("not yet")

    def sample(self, data, size, *, rng):
        return 1


private = Private()
"""


@pytest.mark.long
def test_what_users_raise_is_a_comment(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that any message stays in its line, and that no exception ends the command."""
    (folder / "src" / "hostile.py").write_text(HOSTILE)
    assert main(["init", "src/hostile.py"]) == 0
    out = capsys.readouterr().out
    for why in (
        "it raises ValueError: one two = [? three",
        "it raises SystemExit: 3",
        "Private.claim raised RuntimeError: not yet (src/hostile.py:17)",
    ):
        assert why in not_audited(out.partition("Not audited:\n")[2]).values()
    assert [entry["target"] for entry in written()] == ["src/hostile.py:worded"]
    text = (folder / "touchstone.toml").read_text()
    assert "# a guess: its argument epsilon has a default that is no number\n" in text


def test_a_module_of_a_package_is_told_how_to_be_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that a relative import, which a file by path cannot make, says what to do."""
    (folder / "src" / "inner.py").write_text("from .release import mean\n")
    assert main(["init", "src/inner.py"]) == 2
    assert "is named as it is imported, package.module" in capsys.readouterr().err


def found(**content: Any) -> list[str]:
    """Names of what can be audited in a namespace."""
    for thing in content.values():
        if callable(thing):
            thing.__module__ = "m"
    candidates = candidates_of({"__name__": "m", **content})
    return [candidate.attribute for candidate in candidates if not candidate.reason]


def test_first_arguments_tell_functions_of_data() -> None:
    """It must hold that names and annotations decide; an async function is told why it is none."""

    def by_name(records: Any) -> None: ...
    def by_type(q: list[float]) -> None: ...
    def scalar(data: float) -> None: ...
    def other(q: Any) -> None: ...
    def none() -> None: ...
    def only_named(*, data: Any) -> None: ...
    async def later(data: Any) -> None: ...
    def stream(data: Any) -> Any:
        yield data

    functions = (by_name, by_type, scalar, other, none, only_named, later, stream)
    assert found(**{f.__name__: f for f in functions}) == ["by_name", "by_type", "later"]


def test_classes_with_epsilon_and_a_sampler_are_found() -> None:
    """It must hold that no claim is needed, that its epsilon is the claim, and others are none."""

    class Estimator:
        def __init__(self, epsilon: float = 2.0, n: int = 5) -> None: ...
        def sample(self, data: Any, size: int) -> None: ...

    class Needs:
        def __init__(self, epsilon: float) -> None: ...
        def sample(self, data: Any, size: int) -> None: ...

    class NoEpsilon:
        def sample(self, data: Any, size: int) -> None: ...

    class NoData:
        epsilon = 1

        def sample(self, count: int) -> None: ...

    kinds = {kind.__name__: kind for kind in (Estimator, Needs, NoEpsilon, NoData)}
    for kind in kinds.values():
        kind.__module__ = "m"
    found_of = {c.attribute: c for c in candidates_of({"__name__": "m", **kinds}) if not c.reason}
    assert list(found_of) == ["Estimator", "Needs"]
    assert found_of["Estimator"].keys["epsilon"] == 2.0
    assert found_of["Estimator"].keys["relation"] == "add-remove"
    assert found_of["Needs"].keys["param"] == {"epsilon": 1}


def test_what_is_asynchronous_is_commented_out_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that `init` says why, and lists the class without a claim beside it."""
    (tmp_path / "waits.py").write_text(
        "import numpy as np\n\n\nasync def later(data, size, rng):\n    return 1\n\n\n"
        "class Estimator:\n    def __init__(self, epsilon=1.0):\n        self.epsilon = epsilon\n\n"
        "    def sample(self, data, size, *, rng):\n"
        "        return np.sum(data) + rng.laplace(scale=1 / self.epsilon, size=size)\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["init", "waits.py"]) == 0
    said = capsys.readouterr().out
    assert "waits.py:later" in said.partition("Not audited:\n")[2]
    assert "wrap it in asyncio.run" in said
    (entry,) = tomllib.loads((tmp_path / "touchstone.toml").read_text())["audit"]
    assert entry["target"] == "waits.py:Estimator"
    assert entry["epsilon"] == 1.0


def test_stated_names_are_the_public_ones() -> None:
    """It must hold that __all__ decides where there is one, imported functions included."""

    def mean(data: Any) -> None: ...
    def total(data: Any) -> None: ...

    assert found(mean=mean, total=total) == ["mean", "total"]
    content = {"__name__": "other", "mean": mean, "total": total}
    assert [c.attribute for c in candidates_of(content)] == []
    named = [c.attribute for c in candidates_of({**content, "__all__": ["total"]})]
    assert named == ["total"]


def test_values_are_written_as_toml() -> None:
    """It must hold that any default comes back as it was."""
    table = {"target": 'a "b".py:mean\\é', "epsilon": "1/3", "low": -0.5, "high": 10**20}
    param = {"n": 3, "odd key": True, "x": 1e-300}
    text = configuration([Draft({**table, "param": param}, {"epsilon": "why"})])
    assert tomllib.loads(text)["audit"] == [{**table, "param": param}]


def test_exact_defaults_stay_exact() -> None:
    """It must hold that a Fraction is written as a quotient."""

    def mean(data: Any, epsilon: Any = Fraction(1, 3)) -> None: ...

    mean.__module__ = "m"
    (candidate,) = candidates_of({"__name__": "m", "mean": mean})
    assert candidate.keys["epsilon"] == "1/3"
