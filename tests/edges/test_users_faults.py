"""What a user's class raises or states wrongly: one line that names it, and exit 2."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.cli import main
from audit.exact.exact_audit import MACHINE, STATEMENTS
from audit.faults import TargetFault, attribute, users_faults
from audit.targets.bind import BOUNDS
from audit.targets.wrap import READERS
from tests.slow import by_default, one_in
from tests.user_files import imports_restored

HEAD = """
import itertools
from fractions import Fraction
from pathlib import Path
from collections.abc import Mapping
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.laws import Moved
from mechanisms.utility_claims import Quantity, UtilityClaim

RELATION = Relation.{relation}

class Stop(BaseException):
    pass

def errors_of_success():
    return (UtilityClaim(Quantity.MSE, 1, Source("user", "toy"), given_success=True),)

def fail():
    Path("flag").touch()
    raise {raised}

class Mean:
    claim = PrivacyClaim(PureDP(1), RELATION, Source("user", "toy"))
    order, low, high = Order.FREE, 0, 1

    def sample(self, data, size, *, rng):
        return sum(data) + rng.laplace(scale=0.05, size=size)
"""
RAISED = {
    "ValueError": "ValueError('a\\nb')",
    "AttributeError": "AttributeError('gone')",
    "SystemExit": "SystemExit(0)",
    "Stop": "Stop()",
}
EXACT = ("--mode", "exact", "--multisets", "1,2")
LISTED = (*EXACT, "--epsilon", "1", "--relation", "listed", "--pair", "p.json")
COMMANDS = {
    "samples": ("audit", "m.py:Mean", "--ideal", "--budget-samples", "2000", "--seed", "1"),
    "exact": ("audit", "m.py:Mean", *EXACT),
    "listed": ("audit", "m.py:Mean", *LISTED),
    "machine": ("audit", "m.py:Mean", *LISTED, "--adversarial"),
    "counterexample": ("audit", "m.py:Mean", *EXACT, "--pair", "counterexample"),
    "utility": ("audit", "m.py:Mean", "--utility", "--budget-samples", "2000", "--seed", "1"),
    "utility of a law": ("audit", "m.py:Mean", "--utility", "--law", "uniform 0 1", "--n", "2"),
    "gate": ("gate", "--seed", "1", "--jobs", "1"),
    "init": ("init", "m.py", "--force"),
}
ALL = {
    **COMMANDS,
    "bound": ("audit", "m.py:Mean", "--mode", "bound", "--budget-samples", "2000", "--seed", "1"),
    "figure": ("figure", "privacy-profile", "--target", "m.py:Mean", "-o", "f.svg"),
}
"""With those that read what the others read, and take long where nothing raises."""

GATE = """
[[audit]]
target = "m.py:Mean"
mode = "exact"
multisets = "1,2"

[[audit]]
target = "m.py:Mean"
ideal = true
budget_samples = 2000
"""
ARGUMENTS = {
    "exact_law": "data",
    "threshold_laws": "data",
    "answer": "data",
    "epsilon_exact": "data, neighbor",
    "utility_claims": "data",
    "utility_claims_under": "law, count",
}
BESIDE = {
    "noise_values": "def answer(self, data): return 0.0",
    "answer": "def noise_values(self): return None",
    "failure_column": "def utility_claims(self, data): return errors_of_success()",
}
"""What goes with a statement."""

OTHERS = {"_rng", "delta", "dtype", "randomise"}
"""Of objects of a library, known by its class."""
NEVER = {"__annotations__", "__module__", "__qualname__", "noise", "pairs", "epsilon"}
"""Of classes, which Python gives; of mechanisms of ours."""


def reads() -> Iterator[str]:
    """Names of what is read of a user's object, as the sources have them."""
    asks = (
        "attribute",
        "has",
        "asked_for",
        "reading",
        "users_faults",
        "_stated",
        "getattr",
        "hasattr",
    )
    things = ("mechanism", "found", "kind", "self.mechanism", "asked.mechanism")
    home = Path(audit.__file__).parent
    folders = ("targets", "request", "exact", "utility", "scaffold", "runs")
    files = [file for name in folders for file in sorted((home / name).rglob("*.py"))]
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=call), args=[of, ast.Constant(str() as name), *_]):
                    if call in asks and (call not in asks[-2:] or ast.unparse(of) in things):
                        yield from name.split(" and ")
                case ast.Attribute(value=of, attr=name):
                    if ast.unparse(of).rpartition(".")[2] == "mechanism":
                        yield name


NAMES = sorted(
    {*READERS, *BOUNDS, *(row.attribute for row in (*STATEMENTS, MACHINE))}
    | {"__init__", "answer", "claim", "domain", "estimate_column", "failure_column", "sample"}
    | {"row_budgets", "utility_claims", "utility_claims_under"}
)
METHODS = sorted(name for name in NAMES if name in ARGUMENTS or name.endswith(("__", "_query")))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TOUCHSTONE_TRACEBACK", raising=False)
    (tmp_path / "p.json").write_text(json.dumps({"data": [0.0], "neighbor": [1.0]}))
    (tmp_path / "touchstone.toml").write_text(GATE)
    return tmp_path


def run(folder: Path, words: tuple[str, ...]) -> int:
    """Run a command on the user's file, which is imported anew."""
    with imports_restored(folder):
        return main(list(words))


def write(folder: Path, raised: str, body: str, relation: str = "ADD_REMOVE") -> None:
    """Write the user's file."""
    text = HEAD.format(raised=RAISED[raised], relation=relation) + body
    (folder / "m.py").write_text(text)


def judge(folder: Path, name: str, command: str, capsys: pytest.CaptureFixture[str]) -> bool:
    """Whether the command has read what raises; then it must say so and end with 2."""
    (folder / "flag").unlink(missing_ok=True)
    status = run(folder, ALL[command])
    out, err = capsys.readouterr()
    assert status in (0, 1, 2, 3), err
    assert "Traceback" not in out + err
    assert "internal error" not in out + err
    if not (folder / "flag").exists():
        return False
    told = rf"Mean\.{name} raised (ValueError: a b|AttributeError: gone|SystemExit: 0|Stop) "
    told += r"\(m\.py:\d+\)"
    if command == "init":
        assert re.search(told, " ".join(out.split())), (out, err)
    elif command in ("samples", "gate", "bound") and status != 2:  # behind the draws
        assert status == 1
        assert name == "exact_law"
        assert re.search(told, " ".join(out.split())), (out, err)
    else:
        assert status == 2, (out, err)
        said = " ".join(f"{out if command == 'gate' else ''}{err}".split())
        assert re.search(told, said), (out, err)
        assert err.count("\n") <= 1
    return True


@pytest.mark.long
def test_every_name_that_is_read_is_tried() -> None:
    """It must hold that no attribute of a user's object is read without these tests."""
    assert set(reads()) - OTHERS - NEVER == set(NAMES) - set(READERS) - set(BOUNDS) | {*BOUNDS}


EVERY = list(RAISED)
PROPERTIES = [name for name in NAMES if name != "__init__"]
CYCLE = [(name, EVERY[place % len(EVERY)]) for place, name in enumerate(PROPERTIES)]


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        *by_default(CYCLE[::5], CYCLE),
        *(
            pytest.param(name, raised, marks=pytest.mark.slow)
            for name in PROPERTIES
            for raised in EVERY
            if (name, raised) not in CYCLE
        ),
    ],
)
def test_no_property_that_raises_is_an_internal_error(
    name: str, raised: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of each attribute, in each command that reads it; and one command does."""
    body = f"\n    @property\n    def {name}(self):\n        fail()\n"
    write(folder, raised, f"    {BESIDE.get(name, '')}\n{body}")
    read = {command: judge(folder, name, command, capsys) for command in COMMANDS}
    assert any(read.values())


@pytest.mark.parametrize("raised", RAISED)
def test_a_claim_that_raises_is_told_in_every_command(
    raised: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of what each command reads."""
    write(folder, raised, "\n    @property\n    def claim(self):\n        fail()\n")
    read = {command: judge(folder, "claim", command, capsys) for command in ALL}
    assert all(read.values())


@pytest.mark.long
@pytest.mark.parametrize(("name", "raised"), one_in(3, zip(METHODS, EVERY * 9, strict=False)))
def test_no_method_that_raises_is_an_internal_error(
    name: str, raised: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of each method that is called for an answer."""
    relation = "SWAP" if name == "weighted_query" else "ADD_REMOVE"
    write(folder, raised, f"    {BESIDE.get(name, '')}\n{method(name, 'fail()')}", relation)
    read = {command: judge(folder, name, command, capsys) for command in COMMANDS}
    assert any(read.values())


def method(name: str, body: str) -> str:
    """A method of the user's class."""
    arguments = ", ".join(filter(None, ("self", ARGUMENTS.get(name, ""))))
    return f"\n    def {name}({arguments}):\n        {body}\n"


WRONG = {
    "None": "None",
    "text": "'text'",
    "nan": "float('nan')",
    "endless": "itertools.count()",
    "object": "object()",
}


KINDS = list(WRONG)
TURN = [(name, KINDS[place % len(KINDS)]) for place, name in enumerate(PROPERTIES)]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        *TURN,
        *(
            pytest.param(name, wrong, marks=pytest.mark.slow)
            for name in PROPERTIES
            for wrong in KINDS
            if (name, wrong) not in TURN
        ),
    ],
)
def test_no_wrong_type_is_an_internal_error(
    name: str, wrong: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of what an attribute is, and of what a method returns."""
    value = f"    {name} = {WRONG[wrong]}\n"
    if name in METHODS:
        value = method(name, f"return {WRONG[wrong]}")
    write(folder, "Stop", f"    {BESIDE.get(name, '')}\n{value}")
    for command in ("exact", "machine", "utility", "gate"):
        status = run(folder, COMMANDS[command])
        out, err = capsys.readouterr()
        assert status in (0, 1, 2, 3), err
        assert "Traceback" not in out + err
        assert "internal error" not in out + err


LAWS = {
    "sum": "{0: Fraction(1, 2), 1: Fraction(1, 3)}",
    "negative": "{0: Fraction(3, 2), 1: Fraction(-1, 2)}",
    "nan": "{0: float('nan'), 1: 1.0}",
    "text": "{0: 'x', 1: 1}",
    "nothing": "None",
    "generator": "itertools.count()",
    "no masses": "Law()",
    "endless cuts": "Law(cuts=itertools.count())",
    "endless masses": "Law(masses=lambda numbers, cuts=(): itertools.count())",
    "negative masses": "Law(masses=lambda n, cuts=(): {0: n.rational(Fraction(2)), "
    "1: n.rational(Fraction(-1))})",
    "sum of masses": "Law(masses=lambda n, cuts=(): {0: n.rational(Fraction(1, 2))})",
    "raises": "Law(masses=lambda n, cuts=(): fail())",
    "endless breakpoints": "Formula()",
    "cuts that say that they end": "Law(cuts=Endless())",
    "a mapping of masses without end": "Law(masses=lambda n, cuts=(): EndlessTable())",
    "a table without end": "EndlessTable()",
    "breakpoints that say that they end": "Formula(Endless())",
    "breakpoints of a move": "Moved(Formula(), 1)",
    "breakpoints of a move that say that they end": "Moved(Formula(Endless()), 1)",
    "endless pieces": "Pieces(pieces=Endless())",
    "endless weights": "Pieces(weights=Endless(), points=(0, 1))",
    "endless terms of a weight": "Pieces(weights=(Endless(), Endless()), points=(0, 1))",
    "endless points": "Pieces(weights=(((1, 0),),), points=Endless())",
}
LAW = """
class Law:
    rational, cuts = True, ()

    def __init__(self, **given):
        vars(self).update(given)

    def masses(self, numbers, cuts=()):
        return None

    def describe(self, outcome):
        return "z"

class Endless(set):
    def __len__(self):
        return 2

    def __iter__(self):
        return map(Fraction, itertools.count())

class EndlessTable(Mapping):
    def __len__(self):
        return 2

    def __iter__(self):
        return map(Fraction, itertools.count())

    def __getitem__(self, key):
        return Fraction(0)

class Pieces:
    epsilon, constant = Fraction(1), None

    def __init__(self, **given):
        vars(self).update(given)

class Formula:
    def __init__(self, points=itertools.count()):
        self.points = points

    def breakpoints(self, lower, upper):
        return self.points

    def atoms(self, numbers):
        return {}

    def log_density(self, point, numbers):
        return numbers.rational(Fraction(0))
"""


@pytest.mark.parametrize("law", LAWS)
def test_what_is_no_law_is_refused_by_name(
    law: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the line names class and attribute; a law that is one is audited."""
    for said in (LAWS[law], "{0: Fraction(1, 2), 1: Fraction(1, 2)}"):
        write(folder, "Stop", method("exact_law", f"return {said}") + LAW)
        status = run(folder, COMMANDS["exact"])
        err = capsys.readouterr().err
        if said is LAWS[law]:
            assert status == 2, err
            assert err.count("\n") == 1
            assert "exact_law" in err or "raised Stop" in err
            assert "m.py:" in err
    assert status == 0, err


UTILITY = """
    def utility_claims(self, data):
        return ()

    def exact_law(self, data):
        return {}
"""


@pytest.mark.parametrize(
    "law",
    [
        "Law(masses=lambda n, cuts=(): {Fraction(0): .5, Fraction(1): .3})",
        "Law(masses=lambda n, cuts=(): {Fraction(0): 1.5, Fraction(1): -.5})",
        "Law(masses=lambda n, cuts=(): {Fraction(0): float('nan')})",
        "Law(masses=lambda n, cuts=(): itertools.count())",
        "Law(masses=lambda n, cuts=(): EndlessTable())",
        "Law(atoms=lambda n: EndlessTable(), cdf=lambda z: z)",
        "Law(atoms=lambda n: {}, cdf=lambda z: None)",
        "Law(atoms=lambda n: {}, cdf=lambda z: z)",
        "Law(atoms=lambda n: {}, cdf=lambda z: 0 * z + float('nan'))",
    ],
)
def test_what_is_no_law_of_an_estimate_is_refused(
    law: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold of the law that the draws are compared with."""
    write(folder, "Stop", UTILITY.replace("return {}", f"return {law}") + LAW)
    assert run(folder, COMMANDS["utility"]) == 2
    err = capsys.readouterr().err
    assert re.fullmatch(r"touchstone: Mean\.exact_law \(m\.py:\d+\): its .*\n", err)


def test_a_bug_of_ours_stays_an_internal_error() -> None:
    """It must hold that only frames of the user's, or reading the user's, blame the user."""
    with pytest.raises(ZeroDivisionError):
        OURS["asked"](users_faults(), lambda: None, fails=True)
    with pytest.raises(KeyboardInterrupt):
        OURS["asked"](users_faults(Theirs(), "law"), interrupted)
    with pytest.raises(TargetFault, match=r"what Theirs\.law .* states cannot be read: TypeError"):
        OURS["asked"](users_faults(Theirs(), "law"), Theirs().law)


class Theirs:
    """Of a module that is not ours."""

    def law(self) -> None:
        """State nothing."""

    def __getattr__(self, name: str) -> object:
        raise AttributeError(name)


def interrupted() -> None:
    """Ctrl-C while the user's code runs."""
    raise KeyboardInterrupt


CODE = """
def asked(guard, state, fails=False):
    with guard:
        if fails:
            1 / 0
        state() + 1
"""
OURS: dict[str, Any] = {"__name__": "audit.made_up"}
exec(CODE, OURS)


def test_an_attribute_that_is_not_there_is_none_that_raises() -> None:
    """It must hold of `__getattr__`, which says so by AttributeError."""
    assert attribute(Theirs(), "order", 7) == 7
