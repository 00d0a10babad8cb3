"""The examples of the README and its pages run as they stand, and print what they show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import audit
from audit.cli import main
from tests.shown import mask_of, updated

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
HOW_TO = ROOT / "docs" / "how-to"
CLAIMS, PROOFS, REPORTS = (HOW_TO / f"{name}.md" for name in ("claims", "proofs", "reports"))


def blocks(language: str, page: Path = README) -> list[str]:
    """Fenced code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)


Run = Callable[[str], tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a line of a page that begins with `touchstone`: exit status, standard output."""

    def call(command: str) -> tuple[int, str]:
        words = shlex.split(command)
        assert words[0] == "touchstone"
        return main(words[1:]), capsys.readouterr().out

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, with the README's mean and the class of the proofs in files."""
    (code,) = blocks("python")
    (tmp_path / "release.py").write_text(code)
    (tmp_path / "classic.py").write_text(blocks("python", PROOFS)[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def examples() -> dict[str, tuple[list[str], list[str]]]:
    """Examples that print: by target their commands, and the lines that the last one prints."""
    found = {}
    for block in (block for page in (README, CLAIMS, PROOFS) for block in blocks("console", page)):
        lines = block.splitlines()
        commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        printed = [line for line in lines if not line.startswith("$ ") and line != "..."]
        found[shlex.split(commands[-1])[2]] = (commands, printed)
    return found


EXAMPLES = examples()


def assert_shown(shown: list[str], printed: str, command: str = "") -> None:
    """Check that lines are printed, in their order; numbers that chance decides may differ."""
    mask = mask_of(command, printed)
    lines = iter(mask(line) for line in printed.splitlines())
    for line in shown:
        assert mask(line) in lines, line


@pytest.mark.long
@pytest.mark.parametrize("target", EXAMPLES)
def test_examples_print_what_the_page_shows(target: str, folder: Path, run: Run) -> None:
    """Each example has its verdict, and the lines below its command are among those printed."""
    commands, shown = EXAMPLES[target]
    for command in commands:
        if echo := re.fullmatch(r"echo '(.*)' > (\S+)", command):
            (folder / echo[2]).write_text(echo[1])
    status, printed = run(commands[-1])
    verdict = re.split("[:,]", shown[0])[0]
    assert status == {"REFUTED": 1, "PROVED": 0}[verdict]
    page = next(p for p in (README, CLAIMS, PROOFS) if f"$ {commands[-1]}\n" in p.read_text())
    assert_shown(updated(page, commands[-1], shown, printed), printed, commands[-1])


@pytest.mark.long
def test_the_certificate_of_the_page_is_accepted(folder: Path, run: Run) -> None:
    """It must hold of the file that the example writes, with the command that the text names."""
    (audit,) = EXAMPLES["ksw.transformed-hourglass"][0]
    (verify,) = re.findall("`(touchstone verify [^`]*)` answers `ACCEPTED`", PROOFS.read_text())
    assert run(audit)[0] == 0
    status, printed = run(verify)
    assert (status, printed.partition(":")[0]) == (0, "ACCEPTED")
    assert [path.name for path in folder.glob("*.json")] == ["hourglass.json"]


def test_the_class_of_the_page_is_proved_where_the_formula_is(folder: Path, run: Run) -> None:
    """It must hold at epsilon = 1/2, and that no larger delta than the true one is named."""
    status, printed = run(f"{EXAMPLES['classic.py:ClassicSum'][0][0]} --param epsilon=1/2")
    assert (status, printed.partition(":")[0]) == (0, "PROVED")
    assert folder.exists()


def test_all_examples_are_found() -> None:
    """The ten examples are among the blocks, and a line that is not printed is noticed."""
    assert list(EXAMPLES) == [
        "release.py:mean",
        "diffprivlib.laplace",
        "corpus.gaussian-gdp",
        "noise.gaussian",
        "ksw.transformed-hourglass",
        "sub.monotone-as-printed",
        "noise.discrete-gaussian",
        "noise.laplace",
        "classic.py:ClassicSum",
        "KSW-T2",
    ]
    assert_shown(["1 of 2"], "first\n3 of 4\n")
    for wrong in ("1 of them", "first\n3 of 4"):
        with pytest.raises(AssertionError):
            assert_shown(wrong.splitlines()[::-1], "first\n3 of 4\n")


@pytest.mark.slow
def test_the_whole_noise_is_consistent(folder: Path, run: Run) -> None:
    """With `scale=1.0` the same command finds nothing, and states its power for five events."""
    file = folder / "release.py"
    file.write_text(file.read_text().replace("scale=0.5", "scale=1.0"))
    status, printed = run(EXAMPLES["release.py:mean"][0][0])
    assert status == 0
    assert printed.startswith("CONSISTENT")
    (power,) = re.findall(r"^power .*?\n\n", printed, re.MULTILINE | re.DOTALL)
    masses = re.findall(r"^  ([01].[0-9]+)  ", power, re.MULTILINE)
    assert masses == ["0.5", "0.1", "0.01", "0.001", "0.0001"]


@pytest.mark.long
def test_the_real_library_passes_without_its_floats(folder: Path, run: Run) -> None:
    """With --ideal the algorithm of the example is audited, and not refuted."""
    (folder / "pair.json").write_text('{"data": 0.0, "neighbor": 1.0}')
    command = EXAMPLES["diffprivlib.laplace"][0][-1]
    status, _ = run(f"{command} --ideal --budget-samples 100000")
    assert status == 0


@pytest.mark.long
def test_the_validation_example_tells_reports_apart(folder: Path, run: Run) -> None:
    """The code of the page takes a report as it was written, and no other."""
    (code,) = blocks("py", REPORTS)
    words = "audit ksw.swap-laplace --budget-samples 1000 --format json --output report.json"
    run(f"touchstone {words} --seed 1")
    exec(code, {})
    report = folder / "report.json"
    report.write_text(report.read_text().replace('"audit"', '"gate"'))
    with pytest.raises(jsonschema.ValidationError):
        exec(code, {})


@pytest.mark.long
def test_the_gate_example_is_a_configuration(folder: Path, run: Run) -> None:
    """The configuration of the README is read, and its target, the broken mean, turns it red."""
    (config,) = blocks("toml")
    (folder / "src").mkdir()
    (folder / "src" / "release.py").write_text((folder / "release.py").read_text())
    (folder / "pyproject.toml").write_text(config)
    status, printed = run("touchstone gate --seed 1")
    assert status == 1
    assert "src/release.py:mean" in printed


def test_what_the_readme_points_to_is_there() -> None:
    """It must hold that each link to a file, and each module of the reading order, exists."""
    text = README.read_text()
    links = re.findall(r"\]\(([^)#]+)", text)
    assert len(links) >= 12
    assert [link for link in links if not (ROOT / link).exists()] == []


def row(name: str, section: str) -> list[str]:
    """Cells of the first row of a section of the benchmarks that has all of these."""
    text = (ROOT / "benchmarks" / "README.md").read_text().split(f"\n## {section}\n")[1]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return next(cells for cells in rows if all(part in cells for part in name.split("; ")))


def test_the_paragraph_on_speed_says_what_was_measured() -> None:
    """It must hold of each of its figures: they stand in the tables of the benchmarks."""
    text = " ".join(README.read_text().split("## How fast")[1].split("##")[0].split())
    for name in ("total leak / 1", "Laplace 1 / .8", "150 names, .724 / .579"):
        draws = int(row(name, "power")[3].split(" [")[0])
        assert f" {draws:,}" in text, name
    for name, said in (
        ("Laplace; one table (--ideal); 1e+06", "of 1e6 samples takes {} s"),
        ("Laplace, 83 pairs; 1e+06", "on 83 pairs {} s"),
    ):
        seconds = float(row(name, "throughput")[8])
        assert said.format(f"{seconds:.1f}") in text, name
    peers = (ROOT / "benchmarks" / "README.md").read_text().split("\n## peers\n")[1]
    lines = [line.split("|") for line in peers.split("\n## ")[0].splitlines()]
    cases = [cells for cells in lines if len(cells) == 15 and " [" in cells[3]][1:]
    ratios = [float(cells[8].split()[0]) for cells in cases]
    times = [(float(cells[10]), float(cells[11])) for cells in cases]
    said = (
        f"{min(ratios):.1f} to {max(ratios):.1f} times our draws in the {len(ratios)} of 14 cases"
    )
    assert said in text
    assert all(theirs <= ours / 10 for ours, theirs in times)


def test_modules_of_the_reading_order_are_there() -> None:
    """It must hold of each file and folder that it names."""
    text = README.read_text().split("## Where to read")[1]
    named = re.findall(r"`([a-z_]+(?:/[a-z_.]+)+)`", text)
    assert len(named) >= 4
    packages = Path(audit.__file__).parents[1]  # installed, or beside these tests
    assert [name for name in named if not (packages / name).exists()] == []


LINES, WIDTH = 140, 110
"""Two screens."""


def test_the_readme_is_two_screens_long_and_has_one_picture() -> None:
    """It must hold, so that what a newcomer reads first stays short."""
    lines = README.read_text().splitlines()
    assert len(lines) <= LINES
    assert [line for line in lines if len(line) > WIDTH and line[:1] not in ("|", "!")] == []
    assert sum(line.count("![") for line in lines) == 1


def test_commands_of_the_readme_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that every option that the README names is one of the commands it is for."""
    known = set()
    for command in (
        "audit",
        "sensitivity",
        "account",
        "gate",
        "prove",
        "table",
        "figure",
        "init",
        "evidence",
    ):
        assert main([command, "--help"]) == 0
        known |= set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"--[a-z][a-z-]+", README.read_text())) <= known
