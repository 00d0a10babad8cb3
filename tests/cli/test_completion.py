"""Completion by the shell, asked as the scripts of click ask: by variables."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
import pytest

from audit.cli import COMMANDS, touchstone
from audit.cli.completion import complete, give_completions
from audit.cli.listing import KINDS
from audit.figures.figure_registry import FIGURES
from audit.targets.libraries.adapters import ADAPTERS
from mechanisms.corpus.registry import CORPUS
from mechanisms.registry import MECHANISMS
from proofs_check.registry import PAPERS, claims, identifiers
from proofs_check.tables.registry import TABLES

COMMAND = Path(sys.executable).with_name("touchstone")
SHELLS = ("bash", "zsh", "fish")


def ask(shell: str, line: str, last: str, *, apart: bool) -> tuple[int, str, str]:
    """What the script of a shell asks when TAB is pressed behind `line` and the word `last`.

    `apart`: in a process, as the script does. Returns status, standard output and error.
    """
    words = f"touchstone {line}".split()
    place = last if shell == "fish" else str(len(words))
    variables = {"COMP_WORDS": " ".join([*words, last]), "COMP_CWORD": place}
    asked = f"{shell}_complete"
    if apart:
        environment = {**os.environ, **variables, "_TOUCHSTONE_COMPLETE": asked}
        done = subprocess.run(
            [COMMAND], env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2)]
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(streams[0]),
        redirect_stderr(streams[1]),
    ):
        for name, value in variables.items():
            patch.setenv(name, value)
        status = complete(touchstone, asked)
    for stream in streams:
        stream.seek(0)
    out, err = (stream.read() for stream in streams)
    return status, out, err


def completed(line: str, last: str = "", shell: str = "bash", *, apart: bool = False) -> list[str]:
    """Words and kinds of words that are offered; the status is 0 and nothing is said beside."""
    status, out, err = ask(shell, line, last, apart=apart)
    assert (status, err) == (0, "")
    if shell == "zsh":
        lines = out.splitlines()
        return [f"{lines[k]},{lines[k + 1]}" for k in range(0, len(lines) - 2, 3)]
    return [row.partition("\t")[0] for row in out.splitlines() if row]


def plain(names: object) -> list[str]:
    """Lines for words."""
    assert isinstance(names, list)
    return [f"plain,{name}" for name in names]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(shell: str) -> None:
    """It must hold that its script is printed, and names the command and its own question."""
    done = subprocess.run(
        [COMMAND],
        env={**os.environ, "_TOUCHSTONE_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"_TOUCHSTONE_COMPLETE={shell}_complete" in done.stdout
    assert "touchstone" in done.stdout


def test_another_shell_is_wrong_usage() -> None:
    """It must hold that a shell without a script is one line and exit 2."""
    done = subprocess.run(
        [COMMAND],
        env={**os.environ, "_TOUCHSTONE_COMPLETE": "ksh_source"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "bash_source, zsh_source, fish_source" in done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_and_names_are_completed(shell: str) -> None:
    """It must hold that each shell gets the commands, and the names that begin as typed."""
    assert completed("", shell=shell, apart=True) == plain(list(COMMANDS))
    names = [name for name in MECHANISMS if name.startswith("ksw.s")]
    assert completed("audit", "ksw.s", shell, apart=True) == ["file,ksw.s", *plain(names)]


def test_names_are_those_of_the_registries() -> None:
    """It must hold that every registered target, table, figure, kind and claim is offered."""
    targets = [*MECHANISMS, *ADAPTERS, *CORPUS]
    assert completed("audit") == ["file,", *plain(targets)]
    assert completed("figure x --target") == ["file,", *plain(targets)]
    assert completed("table") == plain([*TABLES, "all"])
    assert completed("figure") == plain(list(FIGURES))
    assert completed("list") == plain(list(KINDS))
    assert completed("prove KSW-T1") == plain([*PAPERS, *claims()])
    assert completed("audit ksw.release-mean", "--relat") == ["plain,--relation"]
    assert completed("audit x --relation", "s") == ["plain,swap"]
    assert completed("audit x --report", "h") == ["plain,html="]
    assert completed("audit x --pair", "c") == ["file,c", "plain,counterexample"]
    assert completed("audit x --mode", "e") == ["plain,exact"]


def test_ids_of_claims_need_no_import_of_the_claims() -> None:
    """It must hold that ids read from the text of the modules are those of the ledger, in order."""
    assert identifiers() == list(claims())


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("nothing", ""),
        ("audit --epsilon", "one"),
        ("audit --", "./r"),
        ("audit -- ./release", "x"),
        ("audit --report wrong --seed x", "--f"),
        ("audit 'open", "quo'te"),
        ("list", "\\"),
        ("--nothing", ""),
        ("audit --budget-samples -1", "'"),
    ],
)
def test_a_line_that_cannot_be_read_is_no_error(line: str, last: str) -> None:
    """It must hold that the status is 0 and nothing is printed on standard error."""
    assert all("," in word for word in completed(line, last, apart=line == "audit 'open"))


def test_variables_that_lack_are_no_error() -> None:
    """It must hold that a script of another version, which asks otherwise, breaks no line."""
    done = subprocess.run(
        [COMMAND],
        env={**os.environ, "_TOUCHSTONE_COMPLETE": "bash_complete", "COMP_CWORD": "x"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.long
def test_completing_loads_nothing_heavy() -> None:
    """It must hold that names of targets and claims come without numpy, sympy and flint."""
    code = (
        "import sys\nfrom audit.cli import main\nstatus = main()\n"
        "heavy = {'numpy', 'scipy', 'sympy', 'flint', 'z3', 'rich', 'joblib', 'matplotlib'}\n"
        "print(status, sorted(heavy & set(sys.modules)))"
    )
    for line in ("audit", "prove", "table", "figure", "list"):
        variables = {"COMP_WORDS": f"touchstone {line} ", "COMP_CWORD": "2"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **variables, "_TOUCHSTONE_COMPLETE": "bash_complete"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines()[-1] == "0 []", line


def test_every_file_is_completed_as_a_path() -> None:
    """It must hold that each option of each command whose value is a FILE completes paths."""
    files = 0
    context = click.Context(touchstone, resilient_parsing=True)
    for name in COMMANDS:
        command = touchstone.get_command(context, name)
        assert command is not None
        give_completions(command)
        for parameter in command.params:
            if re.match("FILE", parameter.metavar or ""):
                files += 1
                found = parameter.type.shell_complete(context, parameter, "a")
                assert found[0].type == "file", (name, parameter.name)
    assert files >= 10


def test_bash_completes_a_line() -> None:
    """It must hold that bash, with the script that is printed, fills in names."""
    script = f"""
        PATH={COMMAND.parent}:$PATH
        eval "$(_TOUCHSTONE_COMPLETE=bash_source touchstone)"
        COMP_WORDS=(touchstone table cr); COMP_CWORD=2
        _touchstone_completion touchstone
        echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("crossover\n", "")
