"""The runner: requests and answers as its head says, through the row's own interpreter."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from bugs import run
from tests.bugs import fakes


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where the fake row is."""
    return fakes.write(tmp_path_factory.mktemp("bugs"))


def ask(variables: dict[str, str], *requests: object, words: tuple[str, ...] = ()) -> list[dict]:
    """Send requests, and read as many answers."""
    lines = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in requests) + "\n"
    done = subprocess.run(
        [sys.executable, run.__file__, *words],
        input=lines,
        capture_output=True,
        text=True,
        env=variables,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(requests), done.stderr
    return answers


def request(**words: object) -> dict:
    """A request for two draws of the left side."""
    return {"id": "fake", "seed": 1, "m": 2, "side": "left", **words}


def test_draws_follow_the_seed_and_the_side(variables):
    """The same request has the same draws, another seed or side has others; all is echoed."""
    first, again, seed, right = ask(
        variables, request(), request(), request(seed=2), request(side="right")
    )
    assert first["draws"] == again["draws"]
    assert first["draws"] != seed["draws"]
    assert [output[0] for output in right["draws"]] == ["[1, 1, 2]"] * 2
    assert {name: first[name] for name in request()} == request()
    assert first["seeded"] is True
    assert first["seconds"] >= 0


@pytest.mark.long
def test_the_interpreter_here_says_the_same(variables):
    """`--here` is what the child runs."""
    assert (
        ask(variables, request(), words=("--here",))[0]["draws"]
        == (ask(variables, request())[0]["draws"])
    )


def test_outputs_without_a_word_in_json(variables):
    """Keys are sorted, floats are exact, NaN stays, bytes are numbers, exceptions have a name."""
    whole, raised, printed = ask(
        variables, *(request(data=data, m=1) for data in ("all", "raise", "print"))
    )
    (a, mixed), (b, numbers) = whole["draws"][0]
    assert (a, mixed, b) == ("a", [True, None, [1]], "b")
    assert numbers[0] == 0.10000000149011612
    assert math.isnan(numbers[1])
    assert raised["draws"] == [{"raises": "ZeroDivisionError"}]
    assert printed["draws"][0][0] == "print"


def test_the_twin_answers(variables):
    """The twin is another function here: the side turns its coin over."""
    left, right = ask(variables, request(twin=True, m=50), request(twin=True, m=50, side="right"))
    assert left["draws"] == [1 - coin for coin in right["draws"]]
    assert set(left["draws"]) == {0, 1}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("no json", "JSONDecodeError"),
        (request(id="nobody"), "no row 'nobody'"),
        ({"id": "fake"}, "KeyError"),
    ],
)
def test_a_wrong_request_has_an_answer_and_the_next_one_too(variables, wrong, why):
    """Errors are lines, not ends."""
    said, right = ask(variables, wrong, request())
    assert why in said["error"]
    assert len(right["draws"]) == 2


def test_an_environment_that_is_not_made(variables, tmp_path: Path):
    """The answer says how to make it."""
    said = ask({**variables, "BUGS_ENVIRONMENTS": str(tmp_path)}, request())[0]
    assert "python -m bugs.environments fake" in said["error"]


def test_the_runner_needs_nothing_of_ours():
    """It imports the standard library and numpy alone."""
    import ast

    tree = ast.parse(Path(run.__file__).read_text(encoding="utf-8"))
    names = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names - set(sys.stdlib_module_names) - {"numpy", "__future__"} == set()
