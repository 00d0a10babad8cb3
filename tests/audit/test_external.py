"""External commands: what they are asked, what they may answer, and how they may fail."""

from __future__ import annotations

import json
import math
import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.cli import main
from audit.draws.blocks import BatchFailed, Block, OutOfTime, draw_block
from audit.draws.layers import flatten
from audit.draws.leaf_words import label_of
from audit.draws.settings import Settings
from audit.draws.streams import BatchPlace, Purpose
from audit.engine.identity import identity_of
from audit.request.configuration import read_config
from audit.targets.command import load_command, notes_of, seeded
from audit.targets.external_draw import CommandDraw, CommandFailed, _scalars
from audit.targets.outcomes import drawing_until
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.errors import InvalidArgument
from tests.reports import check_report
from tests.signals import ctrl_c_reaches_children
from tests.untimed import untimed

ROOT = Path(__file__).parents[2]
NOISY_SUM = str(ROOT / "examples" / "noisy_sum.awk")
SOUND, BROKEN = (["awk", "-v", f"scale={scale}", "-f", NOISY_SUM] for scale in (1, 0.5))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a pair."""
    (tmp_path / "p.json").write_text('{"data": [0], "neighbor": [0, 1]}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shell(script: str) -> list[str]:
    """A command that is a script of the shell."""
    return ["sh", "-c", script]


def drawn(script: str, size: int = 1, data: Any = 0.0, timeout: float | None = None) -> list[Any]:
    """Draws of a script."""
    target = load_command(shell(script), timeout=timeout)
    return list(target.draw(data, size, np.random.default_rng(1)))


def is_gone(process: int) -> bool:
    """Whether a process has ended, or ends within a minute; a dead one may wait to be reaped."""
    for _ in range(6_000):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.01)
    return False


def test_an_interrupt_amid_the_start_ends_the_program(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must hold that Ctrl-C right after the start, before it is known here, leaves nothing."""
    begun: list[int] = []

    class Interrupted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            begun.append(self.pid)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    with ctrl_c_reaches_children(), pytest.raises(KeyboardInterrupt):
        drawn("sleep 600")
    assert all(map(is_gone, begun))
    assert begun


def test_a_command_is_asked_for_draws(folder: Path) -> None:
    """It must hold that one line of JSON holds the data, the size and a seed."""
    data = np.array([0.0, math.nan, -math.inf])
    assert drawn("cat > asked; echo 1; echo 2; echo 3", 3, data) == [1, 2, 3]
    text = (folder / "asked").read_text()
    asked = json.loads(text)
    assert text.count("\n") == 1
    assert '"data": [0.0, NaN, -Infinity]' in text
    assert list(asked) == ["data", "size", "seed"]
    assert asked["size"] == 3
    assert 0 <= asked["seed"] < 2**31


def test_seeds_are_new_for_each_start(folder: Path) -> None:
    """It must hold that every start has a seed of its own, from the generator alone."""
    draw = load_command(shell("sed 's/.*seed\": //; s/}//'")).draw
    seeds = [draw(0, 1, rng)[0] for rng in [np.random.default_rng(3)] for _ in range(20)]
    again = [draw(0, 1, rng)[0] for rng in [np.random.default_rng(3)] for _ in range(20)]
    assert len(set(seeds)) == 20
    assert max(seeds) < 2**31
    assert seeds == again


def test_a_line_is_any_json_value(folder: Path) -> None:
    """It must hold that numbers, special values, words, lists and objects are draws."""
    lines = ["1", "-2.5e-3", "NaN", "-Infinity", "true", "null", '"a, b"', "[1, [2]]", '{"k": 0}']
    (folder / "lines").write_text("\n".join(lines))
    outputs = drawn("cat lines", len(lines))
    assert outputs[:2] == [1, -0.0025]
    assert math.isnan(outputs[2])
    assert outputs[3:] == [-math.inf, True, None, "a, b", [1, [2]], {"k": 0}]


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'),
        ('{"a": 1, "a": 2}', '{"a": 3, "a": 2}'),
        ('{"a": 1, "a": 2}', '{"a": 2}'),
        ("1e400", "1e500"),
        ("1e-400", "1e-500"),
        ("0.30000000000000001665", "0.30000000000000001666"),
        ("9007199254740993", "9007199254740992"),
        ("[1e400]", "[1e500]"),
        ("-0.0", "0.0"),
    ],
)
def test_what_a_program_writes_is_not_lost(line: str, other: str) -> None:
    """It must hold that two lines that say different things are two answers."""
    words = [_told(text) for text in (line, other)]
    assert words[0] != words[1]


@pytest.mark.parametrize(
    "line",
    [
        "0.1",
        "0.10000000000000001",
        "0.1000000000000000055511151231257827",
        "1e300",
        "-0",
        "NaN",
        "5e-324",
    ],
)
def test_doubles_of_any_number_of_digits_are_numbers(line: str) -> None:
    """It must hold however many digits of a double a program prints."""
    ((label, value),) = _told(line)[1]
    assert label in ("", "is NaN")
    assert value == float(line) or math.isnan(float(line))


def _told(line: str) -> tuple[str, list[tuple[str, float]]]:
    """What is looked at of a line of a program."""
    draw = CommandDraw(("true",), 1.0, ".")
    (found,) = (values := _scalars([line.encode()])) or [draw._value(line.encode())]
    assert values is None or len(values) == 1
    leaves, shape = flatten(found)
    told = [label_of(leaf) for leaf in leaves]
    return shape + str(told), told


def test_numbers_become_one_array(folder: Path) -> None:
    """It must hold that numbers are doubles in one array, and that no integer is rounded."""
    target = load_command(shell("echo 1; echo 2.5; echo NaN"))
    outputs = target.draw(0, 3, np.random.default_rng(1))
    assert outputs.dtype == np.float64
    assert drawn(f"echo 1; echo {2**53 + 1}", 2) == [1, 2**53 + 1]


UNREADABLE = {
    "one of three": ("echo 1; echo nan; echo 2", ["1.0", "UnreadableLine", "2.0"]),
    "two values": ("echo 1,2; echo 3", ["UnreadableLine", "3"]),
    "an empty one": ("echo 1; echo; echo 2", ["1", "UnreadableLine", "2"]),
    "broken over two": ("echo [1; echo 2]", ["UnreadableLine", "UnreadableLine"]),
    "bad bytes": ("printf '1\\n\\377\\n'", ["1", "UnreadableLine"]),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_unreadable_line_is_the_outcome_of_its_draw(name: str, folder: Path) -> None:
    """It must hold that a line that is no JSON value fails alone, whatever stands around it."""
    script, expected = UNREADABLE[name]
    found = drawn(script, len(expected))
    kinds = [type(z).__name__ if isinstance(z, CommandFailed) else z for z in found]
    assert kinds == [k if k == "UnreadableLine" else float(k) for k in expected]


FAILURES = {
    "ExitStatus3": ("echo 1; echo boom >&2; exit 3", "ended with status 3; it said: boom"),
    "KilledBySIGSEGV": ("kill -SEGV $$", "was ended by SIGSEGV"),
    "TooFewLines": ("echo 1", "wrote 1 lines when asked for 2"),
    "TooManyLines": ("printf '1\\n2\\n3'", "wrote 3 lines when asked for 2"),
    "TimedOut": ("sleep 600", "took longer than 0.2 s for 64 draws"),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_failures_are_outcomes_by_their_kind(kind: str, folder: Path) -> None:
    """It must hold that each way to fail has a class of its own, a message, and a note."""
    script, message = FAILURES[kind]
    target = load_command(shell(script), timeout=0.2 if kind == "TimedOut" else None)
    with pytest.raises(CommandFailed, match=message) as failure:
        target.draw(0, 2, np.random.default_rng(1))
    assert type(failure.value).__name__ == kind
    assert notes_of(target) == (f"outcome {kind}: the command {message}",)


def test_after_a_failure_each_draw_is_a_start(folder: Path) -> None:
    """It must hold that a failed start is one outcome only where it made one draw."""
    target = load_command(shell("grep -q 'size\": 1,' && exit 4; exit 5"))
    place, block = BatchPlace(1, Purpose.RUN), Block(0, (0,), (3,))
    with pytest.raises(BatchFailed, match="ExitStatus5"):
        draw_block(target, [0], place, block)
    (outputs,) = draw_block(target, [0], place, block, single=True)
    assert [type(z).__name__ for z in outputs] == ["ExitStatus4"] * 3


def test_an_endless_command_is_stopped(folder: Path) -> None:
    """It must hold that what a command writes without end neither blocks nor fills the memory."""
    with pytest.raises(CommandFailed, match="wrote more lines when asked for 5"):
        drawn("yes 1", 5)
    assert drawn("head -c 3000000 /dev/zero >&2; echo 1") == [1]


def test_a_command_may_leave_its_input_unread(folder: Path) -> None:
    """It must hold that data larger than a pipe are no trouble, read or not."""
    data = np.zeros(100_000)
    assert drawn("echo 1", data=data) == [1]
    assert drawn("wc -c", data=data)[0] > 500_000


def test_a_time_out_ends_the_whole_group(folder: Path) -> None:
    """It must hold that what a command started is ended with it."""
    with pytest.raises(CommandFailed, match="took longer"):
        drawn("sleep 600 & echo $! > child; echo $$ > parent; wait", timeout=0.3)
    assert is_gone(int((folder / "child").read_text()))
    assert is_gone(int((folder / "parent").read_text()))


@pytest.mark.long
def test_more_draws_have_more_time(folder: Path) -> None:
    """It must hold that the time grows with the draws beyond 64, in proportion."""
    script = "sleep 0.4; yes 1 | head -n"
    assert len(drawn(f"{script} 19200", 19_200, timeout=0.2)) == 19_200  # in a minute
    with pytest.raises(CommandFailed, match="took longer"):
        drawn(f"{script} 64", 64, timeout=0.2)


def test_the_end_of_the_audit_is_no_outcome(folder: Path) -> None:
    """It must hold that a command that draws past the deadline is stopped, which is no outcome."""
    target = load_command(shell("sleep 600; touch awake"))
    place, block = BatchPlace(1, Purpose.RUN), Block(0, (0,), (2,))
    for single in (False, True):
        with pytest.raises(OutOfTime):
            draw_block(target, [0], place, block, single=single, deadline=time.monotonic() + 0.2)
    assert not (folder / "awake").exists()
    assert notes_of(target) == ()
    with pytest.raises(CommandFailed, match="took longer"), drawing_until(math.inf):
        drawn("sleep 600", timeout=0.2)


SEEDED = {
    "by the seed": (SOUND, True),
    "by the system": (shell("od -An -N256 -tu4 -w4 -v /dev/urandom"), False),
    "the same lines for all seeds": (shell("seq 64"), False),
    "one value": (shell("yes 1 | head -n 64"), False),
    "always failing": (shell("exit 1"), False),
}


@pytest.mark.parametrize("name", SEEDED)
def test_the_seed_is_tried(name: str, folder: Path) -> None:
    """It must hold that a command counts as seedable only where lines follow the seed."""
    words, expected = SEEDED[name]
    target = load_command(words)
    assert not target.seedable
    assert seeded(target, np.zeros(1), np.zeros(2)).seedable is expected


def test_the_second_data_set_is_tried_where_the_first_shows_nothing(folder: Path) -> None:
    """It must hold that a command that is constant on the data is tried on the neighbor."""
    script = "read line; case $line in *'[]'*) yes 0 | head -n 64;; *) echo $line | {};; esac"
    target = load_command(shell(script.format(shlex.join(SOUND))))
    assert seeded(target, np.zeros(0), np.zeros(1)).seedable
    assert not seeded(target, np.zeros(0), np.zeros(0)).seedable


def test_a_command_travels_to_other_processes(folder: Path) -> None:
    """It must hold that a pickled sampler draws the same, in the folder that it was made in."""
    (folder / "sum.awk").write_text(Path(NOISY_SUM).read_text())
    draw = load_command(["awk", "-v", "scale=1", "-f", "sum.awk"]).draw
    again = pickle.loads(pickle.dumps(draw))
    os.chdir(folder.parent)
    data = np.ones(2)
    first, second = (d(data, 5, np.random.default_rng(7)) for d in (draw, again))
    assert isinstance(again, CommandDraw)
    assert (first == second).all()


def test_a_target_is_told_by_its_words(folder: Path) -> None:
    """It must hold that a command has a readable name, no claim, and the order that is asked."""
    target = load_command(["sh", "-c", "echo 1"], order=Order.FIXED)
    assert target.name == "sh -c 'echo 1'"
    assert (target.claim, target.bounds, target.order) == (None, None, Order.FIXED)


def test_a_changed_script_is_another_audit(folder: Path) -> None:
    """It must hold that the contents of the files among the words are part of the identity."""
    claim = PrivacyClaim(PureDP(1), Relation.SWAP, Source("user", "here"))

    def identity() -> str:
        target = load_command(["awk", "-f", "s.awk"])
        return identity_of(target, claim, [], Settings(seed=1, false_alarm=0.05))[
            "source of the target"
        ]

    (folder / "s.awk").write_text("{print 1}")
    first = identity()
    (folder / "s.awk").write_text("{print 2}")
    assert identity() != first


def audit(command: list[str], *more: str, epsilon: str = "1") -> int:
    """Run `touchstone audit` on a command, on the folder's pair."""
    claim = ["--epsilon", epsilon, "--relation", "add-remove", "--pair", "p.json", "--seed", "1"]
    limits = ["--budget-samples", "40000", "--budget-seconds", "600"]
    return main(["audit", *claim, "--ideal", *limits, *more, "--", *command])


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The report that was printed."""
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    check_report(document, "audit")
    return untimed(document)


@pytest.mark.long
def test_the_sound_example_is_consistent(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a program that keeps its promise passes, and is named by its words."""
    assert audit(SOUND, "--budget-samples", "20000", "--resolution", "2") == 0
    assert capsys.readouterr().out.startswith(f"CONSISTENT: {shlex.join(SOUND)}\n")


@pytest.mark.slow
def test_the_broken_example_is_refuted_and_repeats(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the printed command gives the same report, and the script its counts."""
    assert audit(BROKEN, "--timeout", "20", "--format", "json") == 1
    first = told(capsys)
    assert first["reproducible"] is True
    words = shlex.split(first["command"])
    assert words[words.index("--") + 1 :] == BROKEN
    assert main([*words[1 : -len(BROKEN) - 1], "--format", "json", "--", *BROKEN]) == 1
    assert told(capsys) == first
    (folder / "witness.py").write_text(first["witness"]["rerun"])
    done = subprocess.run(
        [sys.executable, "witness.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    counts = [int(n) for n in re.findall(r"(\d+) of", done.stdout)]
    assert sorted(counts) == sorted([first["witness"]["hits"], first["witness"]["other_hits"]])


@pytest.mark.long
def test_a_command_that_always_fails_says_why(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that the report has the outcome, and what the command said."""
    script = shell("echo there is no such option >&2; exit 64")
    assert audit(script, "--budget-samples", "400", "--format", "json") == 3
    document = told(capsys)
    assert document["reason"] == (
        "the mechanism fails on every input tried "
        "(raises ExitStatus64: ended with status 64; it said: there is no such option)"
    )
    (hint,) = document["warnings"]
    assert hint["code"] == "fails-everywhere"
    assert """echo '{"data": [], "size": 2, "seed": 1}' | """ in hint["text"]
    said = (
        "outcome ExitStatus64: the command ended with status 64; it said: there is no such option"
    )
    assert said in document["notes"]


@pytest.mark.slow
def test_a_crash_that_tells_the_data_is_refuted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that an exit status that one data set alone has is an event like any other."""
    script = "{srand(); if (/1/ && /3[0-9]*}/) exit 3; print 0}"
    more = ("--budget-seconds", "30", "--format", "json")
    assert audit(["awk", script.replace("/1/", "/, 1.0]/")], *more) == 1
    witness = told(capsys)["witness"]
    assert witness["event"] == "output raises ExitStatus3"
    assert witness["likelier"] == "neighbor"


@pytest.mark.slow
def test_the_python_example_is_audited(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the example keeps its --epsilon, and no quarter of it."""
    program = [sys.executable, str(ROOT / "examples" / "noisy_mean.py"), "--epsilon", "1"]
    assert audit(program, "--budget-samples", "20000", "--resolution", "1.5") == 0
    assert audit(program, epsilon="1/8") == 1


@pytest.mark.slow
def test_workers_change_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that two processes give the same report as one."""
    reports = []
    for jobs in ("1", "2"):
        audit(SOUND, "--jobs", jobs, "--budget-samples", "3000000", "--format", "json")
        reports.append(told(capsys))
    assert reports[0] == reports[1]


WRONG = {
    "audit --": "after -- comes a command",
    "audit ksw.swap-laplace -- sh -c x": "unexpected extra argument",
    "audit -- sh": "makes no claim of its own",
    "audit --epsilon 1 --relation swap -- sh": "no bounds to make neighboring data sets from",
    "audit --epsilon 1 --relation swap --low 0 --high 1 -- ./nothing": "no program './nothing'",
    "audit --epsilon 1 --relation swap --param n=1 -- sh": "a command has its own arguments",
    "audit --epsilon 1 --relation swap --timeout 0 -- sh": "timeout must be positive",
    "audit --epsilon 1 --relation swap --low 0 --high 1 --mode exact -- true": "states its law",
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_words_are_named(
    words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It must hold that each is exit status 2, in one line."""
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert WRONG[words] in err


def test_what_cannot_be_started_is_an_error(folder: Path) -> None:
    """It must hold that a file that is no program is no outcome."""
    program = folder / "empty"
    program.write_bytes(b"\x00")
    program.chmod(0o755)
    with pytest.raises(InvalidArgument, match="cannot be started"):
        load_command(["./empty"]).draw(0, 1, np.random.default_rng(1))


def test_the_help_describes_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that the help names the form, the protocol and the time-out."""
    assert main(["audit", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "[OPTIONS] TARGET | -- COMMAND..." in text
    assert '{"data": ..., "size": ..., "seed": ...}' in text
    assert "--timeout SECONDS" in text


CONFIG = """
[[audit]]
command = ["awk", "-v", "scale=0.5", "-f", "{file}"]
timeout = 20
epsilon = 1
relation = "add-remove"
pair = "p.json"
ideal = true
expect = "refuted"
"""


def test_the_gate_audits_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must hold that a command of the configuration is audited as on the command line."""
    (folder / "touchstone.toml").write_text(CONFIG.format(file=NOISY_SUM))
    assert main(["gate", "--jobs", "1", "--seed", "1"]) == 0
    assert shlex.join(BROKEN[:3]) in capsys.readouterr().out  # long names are cut in the middle


def test_the_program_of_a_configuration_is_seen_from_its_folder(folder: Path) -> None:
    """It must hold that a relative program is that of the configuration's folder."""
    text = '[[audit]]\ncommand = ["./release", "./x"]\n'
    (folder / "touchstone.toml").write_text(text)
    (entry,) = read_config(folder / "touchstone.toml").entries
    assert entry.request.command == (str(folder / "release"), "./x")
    assert read_config(Path("touchstone.toml")).entries[0].request.command == ("./release", "./x")


def test_an_interrupt_ends_the_command(folder: Path) -> None:
    """It must hold that Ctrl-C ends the audit with 130, and the command with it."""
    run = "from audit.cli import main; raise SystemExit(main())"
    words = ["--epsilon", "1", "--relation", "add-remove", "--pair", "p.json"]
    with ctrl_c_reaches_children():
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                run,
                "audit",
                *words,
                "--",
                *shell("echo $$ > begun; sleep 600"),
            ],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
    begun = folder / "begun"
    while not (begun.is_file() and begun.read_text().strip()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, "\ntouchstone: interrupted\n")
    assert is_gone(int(begun.read_text()))
