"""The GitHub action: its form, and its steps run as a runner would run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.audit.suite.changes.repository import commit, git, make_repository, write
from tests.reports import check_junit, check_sarif

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SCRIPTS = {step["name"]: step for step in STEPS if "run" in step}

TOP_KEYS = {"name", "description", "author", "branding", "inputs", "outputs", "runs"}
STEP_KEYS = {"name", "id", "if", "uses", "with", "run", "shell", "env", "working-directory"}
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def test_the_file_is_a_composite_action() -> None:
    """It must hold that it has the keys of one, and no other."""
    assert ACTION.keys() <= TOP_KEYS
    assert {"name", "description", "runs"} <= ACTION.keys()
    assert ACTION["runs"].keys() == {"using", "steps"}
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert step.keys() <= STEP_KEYS
        assert ("run" in step) != ("uses" in step)
        assert ("run" in step) == ("shell" in step)
    ids = [step["id"] for step in STEPS if "id" in step]
    assert len(set(ids)) == len(ids)


def test_every_input_and_output_is_described() -> None:
    """It must hold that each has a description, and inputs a default that is text."""
    for given in ACTION["inputs"].values():
        assert given.keys() <= {"description", "required", "default"}
        assert given["description"].strip().endswith(".")
        assert isinstance(given["default"], str)
    for told in ACTION["outputs"].values():
        assert told.keys() == {"description", "value"}


def test_what_is_used_is_there() -> None:
    """It must hold that expressions name inputs, steps and outputs that exist, and all inputs."""
    text = (ROOT / "action.yml").read_text()
    used = {name for e in EXPRESSION.findall(text) for name in re.findall(r"inputs\.([\w-]+)", e)}
    assert used == set(ACTION["inputs"])
    ids = {step["id"] for step in STEPS if "id" in step}
    assert set(re.findall(r"steps\.([\w-]+)\.", text)) == ids
    written = set(re.findall(r'echo "(\w+)=[^\n]*>>"\$GITHUB_OUTPUT"', text))
    assert set(re.findall(r"outputs\.([\w-]+)", text)) <= written


def test_actions_are_pinned_by_commit() -> None:
    """It must hold that no tag, which may move, decides what runs."""
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert len(used) >= 3
    assert all(PINNED.fullmatch(name) for name in used)


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_bash_and_take_nothing_but_variables(name: str) -> None:
    """It must hold that bash can read each script, and that no input is pasted into one."""
    step = SCRIPTS[name]
    assert step["shell"] == "bash"
    subprocess.run(["bash", "-n"], input=step["run"], text=True, check=True)
    assert EXPRESSION.search(step["run"]) is None
    variables = set(re.findall(r"\$\{?([A-Z_]{2,})", step["run"]))
    assert variables - {"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} <= step.get("env", {}).keys()


def played(
    name: str, given: Mapping[str, str], folder: Path
) -> tuple[int, dict[str, str], str, str]:
    """Run a script as a runner does: status, outputs, summary, and what it printed."""
    step = SCRIPTS[name]
    defaults = {f"inputs.{key}": value["default"] for key, value in ACTION["inputs"].items()}
    known = defaults | dict(given)

    def value(text: str) -> str:
        return EXPRESSION.sub(lambda match: known.get(match[1], ""), text)

    output, summary = folder.parent / "output", folder.parent / "summary"
    output.touch()
    summary.touch()
    environment = os.environ | {key: value(text) for key, text in step.get("env", {}).items()}
    environment |= {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
    tools = [str(Path(sys.executable).parent), given.get("tools", "")]
    environment["PATH"] = os.pathsep.join([*filter(None, tools[::-1]), environment["PATH"]])
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder / value(step.get("working-directory", ".")),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    pairs = (line.partition("=") for line in output.read_text().splitlines())
    outputs = {key: text for key, _, text in pairs}
    return done.returncode, outputs, summary.read_text(), done.stdout + done.stderr


QUICK = "--budget-samples 20000 --inconclusive=ok --seed 1 --jobs 1"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with two audits."""
    folder = tmp_path / "project"
    make_repository(folder)
    return folder


def context(folder: Path, **inputs: str) -> dict[str, str]:
    """What a runner knows."""
    told = {f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()}
    told |= {key: value for key, value in inputs.items() if key == "tools"}
    return {"runner.temp": str(folder.parent / "temp"), "github.event_name": "push", **told}


@pytest.mark.slow
def test_a_push_audits_everything_and_writes_all_reports(project: Path) -> None:
    """It must hold that the reports are whole, and the summary is the Markdown one."""
    given = context(project, arguments=QUICK)
    status, outputs, _, printed = played("Gate", given, project)
    assert (status, outputs["status"]) == (0, "0"), printed
    assert "2 audits" in printed
    reports = Path(outputs["reports"])
    assert {path.name for path in reports.iterdir()} == {
        "gate.json",
        "gate.xml",
        "gate.sarif",
        "gate.html",
        "gate.md",
    }
    check_junit((reports / "gate.xml").read_text())
    check_sarif((reports / "gate.sarif").read_text())
    given |= {f"steps.gate.outputs.{key}": text for key, text in outputs.items()}
    status, _, summary, _ = played("Summary", given, project)
    assert status == 0
    assert summary == (reports / "gate.md").read_text()
    assert played("Exit status of the gate", given, project)[0] == 0


@pytest.mark.slow
def test_a_pull_request_audits_what_it_changes(project: Path) -> None:
    """It must hold that the base is compared with, and fetched where a clone is shallow."""
    base = git(project, "rev-parse", "HEAD")
    write(project, "src/two.py", (project / "src" / "two.py").read_text() + "# changed\n")
    commit(project)
    clone = project.parent / "clone"
    git(project.parent, "clone", "--quiet", "--depth=1", f"file://{project}", str(clone))
    given = context(clone, arguments=QUICK)
    given |= {"github.event_name": "pull_request", "github.event.pull_request.base.sha": base}
    status, outputs, _, printed = played("Gate", given, clone)
    assert (status, outputs["status"]) == (0, "0"), printed
    assert f"changes since {base} ({base[:12]}): 1 of 2 audits run" in printed
    everything = played("Gate", {**given, "inputs.changed-since": ""}, clone)
    assert "changes since" not in everything[3]


@pytest.mark.long
def test_a_wrong_configuration_is_told_and_is_the_status_of_the_job(project: Path) -> None:
    """It must hold that reports and summary come before the job fails with the gate's status."""
    write(project, "touchstone.toml", "nonsense = 1\n")
    given = context(project, arguments="")
    status, outputs, _, printed = played("Gate", given, project)
    assert (status, outputs["status"]) == (0, "2"), printed
    given |= {f"steps.gate.outputs.{key}": text for key, text in outputs.items()}
    assert "nothing was audited (exit status 2)" in played("Summary", given, project)[2]
    assert played("Exit status of the gate", given, project)[0] == 2


def stubbed(tmp_path: Path, **inputs: str) -> tuple[dict[str, str], str]:
    """Outputs and words of the gate's step, with a `touchstone` and a `git` that only print."""
    tools, folder = tmp_path / "tools", tmp_path / "project"
    folder.mkdir()
    for name, status in {"touchstone": 3, "git": 1}.items():
        path = write(
            tools, name, f'#!/bin/sh\nprintf "{name}:"; printf " <%s>" "$@"; exit {status}\n'
        )
        path.chmod(0o755)
    status, outputs, _, printed = played(
        "Gate", context(folder, tools=str(tools), **inputs), folder
    )
    assert status == 0, printed
    return outputs, printed


def test_every_line_of_the_arguments_reaches_the_gate(tmp_path: Path) -> None:
    """It must hold that words on later lines count, that nothing is run in them, nor expanded."""
    told, printed = stubbed(tmp_path, arguments="--slow\n--seed  7\n$(touch no) `no` ; * \n")
    assert printed.endswith(" <--slow> <--seed> <7> <$(touch> <no)> <`no`> <;> <*>")
    assert told["status"] == "3"
    assert not list((tmp_path / "project").iterdir())


def test_a_revision_is_never_an_option_of_git(tmp_path: Path) -> None:
    """It must hold that one that begins with a dash is asked for as a revision."""
    _, printed = stubbed(tmp_path, changed_since="--upload-pack=no")
    assert " <--end-of-options> <origin> <--upload-pack=no>touchstone:" in printed
    assert printed.endswith(" <--changed-since> <--upload-pack=no>")


@pytest.mark.long
def test_reports_of_an_earlier_step_are_none_of_this_one(project: Path) -> None:
    """It must hold that a gate that writes no report leaves none behind."""
    write(project, "touchstone.toml", "nonsense = 1\n")
    left = write(project.parent / "temp" / "touchstone-reports", "gate.md", "green")
    _, outputs, _, _ = played("Gate", context(project), project)
    assert (outputs["status"], left.exists()) == ("2", False)


def test_keys_of_the_cache_have_no_commas_and_are_their_own(tmp_path: Path) -> None:
    """It must hold of a workflow and a branch with commas, and that jobs and reports differ."""
    folder = tmp_path / "project"
    folder.mkdir()
    given = {"github.workflow": "Build, test", "github.job": "a", "github.ref": "refs/heads/a,b"}
    keys = []
    for change in ({}, {"github.job": "b"}, {"inputs.artifact-name": "of 3.13"}):
        (tmp_path / "output").unlink(missing_ok=True)
        status, outputs, _, printed = played("Name what is kept", given | change, folder)
        assert status == 0, printed
        keys.append(outputs["job"])
        assert re.fullmatch(r"touchstone-[0-9a-f]{16}", outputs["job"])
        assert re.fullmatch(r"[0-9a-f]{16}", outputs["branch"])
    assert len(set(keys)) == 3
    restored, saved = (step["with"] for step in STEPS if "cache" in step.get("uses", ""))
    assert restored["key"] == saved["key"]
    own, of_base = restored["restore-keys"].splitlines()
    assert restored["key"].startswith(own)
    assert own.startswith(of_base)


@pytest.mark.slow
def test_nights_are_carried_where_that_is_asked_for(project: Path) -> None:
    """It must hold that the wealth lies in the folder that is kept over runs."""
    given = context(project, arguments=QUICK, carry="true")
    assert played("Gate", given, project)[0] == 0
    kept = project.parent / "temp" / "touchstone-kept"
    assert (kept / "nights.json").is_file()
    paths = {step["with"]["path"] for step in STEPS if "cache" in step.get("uses", "")}
    assert paths == {"${{ runner.temp }}/touchstone-kept"}
    assert SCRIPTS["Gate"]["env"]["TOUCHSTONE_CACHE"] in paths


@pytest.mark.parametrize(
    ("inputs", "installed"),
    [
        ({}, ["/the/action"]),
        ({"inputs.install": "touchstone-dp[opendp]==0.1.0"}, ["touchstone-dp[opendp]==0.1.0"]),
        (
            {"inputs.requirements": "-r requirements.txt -e ."},
            ["/the/action", "-r requirements.txt -e ."],
        ),
        (
            {"inputs.requirements": "-e .\n-r requirements.txt\n"},
            ["/the/action", "-e . -r requirements.txt"],
        ),
        (
            {"inputs.install": "a; echo $(no)", "inputs.requirements": "`no` $HOME *"},
            ["a; echo $(no)", "`no` $HOME *"],
        ),
    ],
)
def test_pip_installs_what_is_asked_for(
    inputs: dict[str, str], installed: list[str], tmp_path: Path
) -> None:
    """It must hold that the words reach pip as they are, in one call each."""
    tools = tmp_path / "tools"
    python = write(tools, "python", '#!/bin/sh\nshift 4\necho "installed $*"\n')
    python.chmod(0o755)
    folder = tmp_path / "project"
    folder.mkdir()
    given = {"github.action_path": "/the/action", "tools": str(tools), **inputs}
    status, _, _, printed = played("Install", given, folder)
    assert status == 0, printed
    assert printed.splitlines() == [f"installed {words}" for words in installed]
