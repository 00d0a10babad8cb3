"""Bad inputs, made by a seeded generator from good ones; each is bad by how it was made."""

from __future__ import annotations

import functools
import hashlib
import json
import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from audit.cli import touchstone
from audit.draws.run_log import FRAME, MAGIC
from tests.bad_inputs.case import Case, Special
from tests.bad_inputs.junk import (
    BAD_COUNTS,
    BAD_NUMBERS,
    found_at,
    other_kind,
    places,
    replaced,
    spoiled,
)
from tests.bad_inputs.project import AUDIT, CLAIM, GATE, GOOD

__all__ = ["KINDS", "generate"]

FILES = {
    "pair": "pair.json",
    "data": "data.csv",
    "notebook": "n.ipynb",
    "resume": "run.saved",
    "resume of a result": "done.saved",
    "gate": "touchstone.toml",
    "carry": "wealth.json",
    "verify": "proof.json",
    "table": "variance.csv",
}
"""The file that a command of `GOOD` is about."""

Make = Callable[[random.Random, Path], Case]


def reading(kind: str, content: bytes | Special) -> Case:
    """A command that reads a file, and another file in its place."""
    allowed = frozenset({1, 2}) if kind == "verify" else frozenset({2, 3})
    return Case(f"{kind} file", GOOD[kind], {FILES[kind]: content}, allowed)


def special(rng: random.Random, project: Path) -> Case:
    """What is no file where one is read."""
    kind = rng.choice([name for name in FILES if name not in {"resume", "carry"}])
    what = list(Special)
    if kind == "resume of a result":  # they begin anew where there is none
        what = [Special.FOLDER, Special.PIPE, Special.ENDLESS, Special.ITSELF, Special.LARGE]
    return reading(kind, rng.choice(what))


def text_of_json(rng: random.Random, project: Path) -> Case:
    """A JSON file with another text."""
    kind = rng.choice(["pair", "notebook", "carry", "verify"])
    return reading(kind, spoiled(rng, (project / FILES[kind]).read_bytes()))


def text_of_baseline(rng: random.Random, project: Path) -> Case:
    """A baseline with another text."""
    return Case(
        "baseline file",
        GATE,
        {"baseline.json": spoiled(rng, (project / "baseline.json").read_bytes())},
    )


def baseline(rng: random.Random, project: Path) -> Case:
    """A baseline with one value of another kind, or one less, or one more."""
    whole = json.loads((project / "baseline.json").read_text())
    at = [p for p in places(whole) if p[:1] != ("versions",) and found_at(whole, p) is not None]
    place = rng.choice([p for p in at if p])
    if rng.random() < 0.2 and len(place) == 1:
        new: Any = ...
    else:
        new = other_kind(rng, found_at(whole, place))
    changed = replaced(whole, place, new)
    if rng.random() < 0.1:
        changed = whole | {"more": 1}
    return Case("baseline", GATE, {"baseline.json": json.dumps(changed).encode()})


def wealth(rng: random.Random, project: Path) -> Case:
    """A wealth file with one value of another kind; its digest may be right."""
    whole = json.loads((project / "wealth.json").read_text())
    place = rng.choice([p for p in places(whole) if p and p[:1] != ("digest",)])
    changed = replaced(whole, place, other_kind(rng, found_at(whole, place)))
    if isinstance(changed["audits"], dict) and rng.random() < 0.8:
        text = json.dumps(changed["audits"], sort_keys=True).encode()
        changed["digest"] = hashlib.sha256(text).hexdigest()
    return reading("carry", json.dumps(changed).encode())


def pair(rng: random.Random, project: Path) -> Case:
    """A pair file that holds no pair of neighbors."""
    long = "7" * 3_900
    contents: tuple[Any, ...] = (
        {"data": []},
        {"neighbor": []},
        {"data": [], "neighbor": [1], "user": 1},
        {"data": [], "neighbor": [1], "budgets": [1]},
        {"data": [], "neighbor": [1], "x" * 10_000: 1},
        {"data": [1], "neighbor": [1]},
        {"data": [[1, 2]], "neighbor": [[1, 2]]},
        {"data": [1], "neighbor": [2, 3]},
        {"data": list(range(1000)), "neighbor": list(range(500))},
        {"data": [int(long)], "neighbor": []},
        {"data": [[int(long), 1]], "neighbor": [[1, 1]]},
        {"data": "same", "neighbor": "same"},
        {"data": None, "neighbor": None},
        {"data": {"a": 1}, "neighbor": {"a": 1}},
        [[], [1]],
        "pair",
        7,
        None,
    )
    return reading("pair", json.dumps(rng.choice(contents)).encode())


def data(rng: random.Random, project: Path) -> Case:
    """A data file with a cell, a line or a header that is none."""
    cell = rng.choice(BAD_NUMBERS).encode("utf-8", "surrogatepass")
    contents = (
        b"id,x\n1," + cell.replace(b"\n", b";").replace(b",", b";") + b"\n",
        b"id,x\n1,0.5,7\n",
        b"id,y\n1,2\n",
        b"id,x,x\n1,2,3\n",
        b"id,x\n",
        b"id,x\n1\n",
        b"",
        b"\n\n",
        b'id,x\n1,"2\n',
        b"\xff\xfei\x00d\x00",
        b"id,x\n1," + b"9" * 200_000 + b"\n",
        b"," * 100_000 + b"\n",
        b"id,x\n1,2\x00\n",
        b"id\tx\n1\t2\n",
        rng.randbytes(500),
        b"id;x\n1;2\n",
        b"id,x\n1,\xd9\xa3.\xc2\xbd\n",
        b"x" * 10**6,
    )
    return reading("data", rng.choice(contents))


TOML_KEYS = ("false_alarm", "budget_seconds", "proofs", "tables", "baseline", "carry")


def configuration(rng: random.Random, project: Path) -> Case:
    """A configuration with a key of another kind, unknown, twice, or without a meaning."""
    from audit.request.word_table import keys

    text = (project / "touchstone.toml").read_text()
    head, _, entry = text.partition("[[audit]]\n")
    free = [key for key in (word.name for word in keys()) if f"\n{key} =" not in f"\n{entry}"]
    numbers = ["epsilon", "delta", "rho", "mu", "alpha_order", "low", "high", "mse", "bias", "mae"]

    def headed(key: str, *values: str) -> str:
        return f"{key} = {rng.choice(values)}\n[[audit]]\n{entry}"

    def entry_with(key: str, what: str) -> str:
        kept = "".join(x for x in entry.splitlines(True) if not x.startswith(f"{key} ="))
        return f"{head}[[audit]]\n{kept}{key} = {what}\n"

    bad_text = json.dumps(rng.choice([x for x in BAD_NUMBERS if x.isascii() and "\x00" not in x]))
    choices = (
        lambda: entry_with(rng.choice(numbers), bad_text),
        lambda: entry_with(rng.choice(numbers), rng.choice(["true", "[[]]", "{}", "nan", "inf"])),
        lambda: entry_with("target", rng.choice(["3", "true", "{a = 1}", "[1]", '""', '"m.py"'])),
        lambda: entry_with("pair", rng.choice(["3", "true", "{}", "[1]", '"no.json"', '"m.py"'])),
        lambda: entry_with("relation", rng.choice(["3", "true", "[]", '"x"', '""'])),
        lambda: entry_with("order", rng.choice(["3", "true", "[]", '"x"', '""'])),
        lambda: entry_with("mode", rng.choice(["3", "true", "[]", '"x"', '""'])),
        lambda: entry_with("ideal", rng.choice(["3", "[]", '"x"', '""'])),
        lambda: entry_with("budget_samples", rng.choice(["0", "-1", "1.5", '"x"', "[]", "true"])),
        lambda: entry_with("resolution", rng.choice(["-1", "nan", '"x"', "[]", "true"])),
        lambda: entry_with("param", rng.choice(["3", '"x"', "[]", "{no = 1}", "{data = 1}"])),
        lambda: entry_with("expect", rng.choice(["3", '"proved"', "[]", "true"])),
        lambda: entry_with("slow", rng.choice(["3", '"x"', "[]"])),
        lambda: entry_with("columns", '"a"'),
        lambda: entry_with("epsilom", "1"),
        lambda: entry_with("command", rng.choice(["[]", '"./x"', "[1]", '["./no-such-program"]'])),
        lambda: entry_with(rng.choice(free), rng.choice(["{a = {}}", "[[[]]]", "1979-05-27"])),
        lambda: entry_with("epsilon", "7" * rng.choice([4_200, 10_000])),
        lambda: entry_with("epsilon", "0x" + "f" * 100_000),
        lambda: entry_with("epsilon", "[" * 50_000),
        lambda: entry_with(".".join("a" * 50_000), "1"),
        lambda: entry_with("multisets", '"99999,99999"'),
        lambda: entry_with("utility", rng.choice(["3", '"x"'])),
        lambda: entry_with("law", '"uniform 0 1"'),
        lambda: text + text,
        lambda: text + entry,
        lambda: head,
        lambda: "",
        lambda: "[tool.touchstone]\n",
        lambda: "[tool]\ntouchstone = 3\n",
        lambda: "tool = 3\n",
        lambda: "audit = 3\n",
        lambda: "audit = [3]\n",
        lambda: f"{rng.choice(TOML_KEYS)} = {{a = 1}}\n" + f"[[audit]]\n{entry}",
        lambda: headed("false_alarm", "0", "1", "-1", "nan", "inf"),
        lambda: headed("budget_seconds", "0", "-1", "nan"),
        lambda: headed("proofs", '"NO-T1"', "[1]", '""'),
        lambda: headed("tables", '"no.csv"', "[1]", '"m.py"'),
        lambda: headed("baseline", '"no.json"', '"m.py"', '"."'),
        lambda: f"[[audit]]\n{entry}\n[[audit]\n",
        lambda: "\ufeff" * 3 + text,
        lambda: text.replace("=", ":"),
        lambda: text + "\x00",
        lambda: text + "# \x07\n",
        lambda: "a = 1\n" * 100_000,
    )
    made = rng.choice(choices)().encode()
    if rng.random() < 0.05:
        at = rng.randrange(len(made) + 1)
        made = made[:at] + b"\xff" + made[at:]
    return reading("gate", made)


def saved(rng: random.Random, project: Path) -> Case:
    """A saved run that is damaged, or whole and not what it should be."""
    kind = rng.choice(["resume", "resume of a result"])
    content = (project / FILES[kind]).read_bytes()
    at, places = len(MAGIC), []
    while at < len(content):
        end = at + FRAME.size + FRAME.unpack_from(content, at)[0]
        places.append((at, end))
        at = end
    begin, end = rng.choice(places[1:])
    line, _, arrays = zlib.decompress(content[begin + FRAME.size : end]).partition(b"\n")
    said = json.loads(line)

    def sealed(body: bytes, begin: int = begin, end: int = end) -> bytes:
        packed = zlib.compress(body)
        framed = FRAME.pack(len(packed), zlib.crc32(packed)) + packed
        return content[:begin] + framed + content[end:]

    i = rng.randrange(len(said))
    junk = [*said[:i], other_kind(rng, said[i]), *said[i + 1 :]]
    if isinstance(said[4], list) and said[4] and rng.random() < 0.7:
        j = rng.randrange(len(said[4]))
        junk = [*said[:4], [*said[4][:j], other_kind(rng, said[4][j]), *said[4][j + 1 :]]]
    at = rng.randrange(1, len(content) - 1)
    first = len(MAGIC), places[0][1]
    choices = (
        lambda: content[:at],
        lambda: content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :],
        lambda: content + b"x",
        lambda: b"",
        lambda: rng.randbytes(1000),
        lambda: MAGIC + rng.randbytes(1000),
        lambda: sealed(b"\x80\x04\x95" + rng.randbytes(100)),
        lambda: sealed(b"\x80\x04\x95" + rng.randbytes(100), *first),
        lambda: sealed(b"[]", *first),
        lambda: sealed(b"{}", *first),
        lambda: sealed(b'{"seed": "' + b"7" * 5_000 + b'"}', *first),
        lambda: sealed(b"[" * 100_000 + b"\n"),
        lambda: sealed(line + b"\n" + arrays + b"more"),
        lambda: sealed(json.dumps(junk).encode() + b"\n" + arrays),
        lambda: sealed(json.dumps(junk).encode() + b"\n" + arrays),
        lambda: sealed(json.dumps(junk).encode() + b"\n" + arrays),
        lambda: content[:begin] + content[end:],
        lambda: content[:end] + content[begin:],
    )
    # what is cut at its end, or says the same in other words, is gone on with
    case = reading(kind, rng.choice(choices)())
    return replace(case, allowed=case.allowed | {0})


def certificate(rng: random.Random, project: Path) -> Case:
    """A certificate with one value of another kind, or one less; its digest may be right."""
    from audit.certificate.certificate_form import Certificate

    whole = json.loads((project / "proof.json").read_text())
    kept = {"information", "digest"}
    place = rng.choice([p for p in places(whole) if p and p[0] not in kept])
    gone = isinstance(place[-1], str) and rng.random() < 0.2
    changed = replaced(whole, place, ... if gone else other_kind(rng, found_at(whole, place)))
    sealed = None
    with suppress(TypeError, ValueError, AttributeError):
        sealed = json.loads(Certificate(**changed).sealed().text())
    if sealed is not None and sealed != whole and rng.random() < 0.7:
        changed = sealed  # a field that is missing may have been filled in: then it is the good one
    return reading("verify", json.dumps(changed).encode())


def stored_table(rng: random.Random, project: Path) -> Case:
    """A stored table that is none."""
    text = (project / "variance.csv").read_text()
    lines = text.splitlines()
    contents = (
        b"",
        b"\n",
        lines[0].encode(),
        ("x" + text).encode(),
        (lines[0] + "\n" + lines[1] + ",1\n").encode(),
        (lines[0] + "\n" + lines[1].partition(",")[2] + "\n").encode(),
        text.replace(
            lines[1].partition(",")[0], rng.choice(["x", "nan", "-1", "1e1000000000"]), 1
        ).encode(),
        b"\xff\xfe" + text.encode(),
        rng.randbytes(300),
        b"," * 10**6,
        ("\n".join([lines[0], *lines[1:] * 2]) + '\n"').encode(),
    )
    made = rng.choice(contents)
    return Case("table file", GOOD["table"], {FILES["table"]: made}, frozenset({1, 2, 3}))


BAD_TARGETS = (
    *("", "-", ".", "/", ":", "noise", "m.py", "m.py:", ":noise", "m.py:no", "m.py:noise:noise"),
    *("no.py:noise", "no.ipynb:noise", "n.ipynb:no", "broken.py:f", "raising.py:f", "leaving.py:f"),
    *("m.py:CONSTANT", "ksw.no", "ksw", "corpus.no", "no.such.module:f", "math:no", "..:f", "m:no"),
    *("opendp.no", "x" * 5_000, "x" * 5_000 + ".py:f", "m.py:" + "x" * 5_000, "\x00", "m.py:\x00"),
    *(
        "\ud800",
        "m\x00.py:f",
        "🎲",
        "🎲.py:f",
        "m.py:n\u00f6ise",
        "data.csv:x",
        "pair.json",
        "m.py:1",
    ),
    *("touchstone.toml:x", "/dev/zero", "/dev/zero:f", "/dev/null:f", "1", "None", "m .py:noise"),
    *("m.py:noise.__call__.no", "m.py:__name__", "m.py:__builtins__", "json:decoder", "os:path"),
)

CONTRADICTIONS: tuple[tuple[str, ...], ...] = (
    *(("--rho", "1"), ("--mu", "1"), ("--budgets", "1"), ("--delta", "1"), ("--delta", "2")),
    *(("--alpha-order", "1"), ("--alpha-order", "2", "--delta", "0.1"), ("--epsilon", "-1")),
    *(("--column", "x"), ("--data", "data.csv", "--column", "no"), ("--data", "no.csv")),
    *(("--generate", "--relation", "listed"), ("--multisets", "1,1"), ("--certificate", "c.json")),
    *(("--mode", "exact"), ("--mode", "exact", "--domain", "any")),
    *(("--mode", "bound", "--resume", "x"),),
    *(("--mode", "exact", "--resume", "x"), ("--mode", "exact", "--profile")),
    *(("--bias", "1"), ("--unbiased",), ("--mse", "1"), ("--law", "uniform 0 1"), ("--n", "3")),
    *(("--utility",), ("--utility", "--resume", "x"), ("--timeout", "1"), ("--low", "0")),
    *(("--low", "1", "--high", "0"), ("--high", "1"), ("--low", "0", "--high", "1e400")),
    *(("--pair", "no.json"), ("--pair", "counterexample"), ("--pair", "."), ("--pair", "m.py")),
    *(("--param", "x=1"), ("--param", "=1"), ("--param", "x")),
    *(("--param", "x=" + "[" * 100_000), ("--param", "x=" + "[" * 101 + "]" * 101)),
    *(("--output", "no/such/file"), ("--output", "."), ("--report", "x=y"), ("--report", "json")),
    *(("--report", "json=no/such/file"), ("--report", "json=."), ("--report", "=")),
    *(("--resume", "."), ("--resume", "no/such/file"), ("--resume", "m.py"), ("--no-such-option",)),
    *(("more",), ("--seed",), ("--relation", "swap", "--relation", "x"), ("--backend", "threads")),
    *(("--profile", "--rho", "1"), ("--order", "none"), ("--format", "pdf"), ("--jobs", "0")),
)
"""Words that have no meaning after those of `AUDIT`, or contradict them."""

OTHER_WORDS: tuple[tuple[str, ...], ...] = (
    *(("no",), ("--no",), ("list",), ("list", "no"), ("list", "mechanisms", "x"), ("verify",)),
    *(("verify", "no.json"), ("verify", "."), ("verify", "/dev/zero"), ("verify", "/dev/null")),
    *(("verify", "m.py"), ("verify", "\x00"), ("verify", "x" * 5_000), ("verify", "a", "b")),
    *(("init", "m.py"), ("init", "no.py", "--force"), ("init", "broken.py", "--force")),
    *(("init", "raising.py", "--force"), ("init", "leaving.py", "--force"), ("init", "a", "b")),
    *(("init", "data.csv", "--force"), ("init", "\x00", "--force"), ("init", ".", "--force")),
    *(("prove", "NO-T1"), ("prove", ""), ("prove", "\x00"), ("prove", "--paper", "NO")),
    *(("prove", "KSW-T1", "--jobs", "0"), ("prove", "KSW-T1", "--format", "pdf")),
    *(("prove", "KSW-T1", "--output", "no/such"), ("prove", "x" * 5_000), ("prove", "\ud800")),
    *(("table", "no"), ("table",), ("table", "variance", "--n", "3"), ("table", "all", "--n", "1")),
    *(("table", "variance", "--seed", "1"), ("table", "variance", "--samples", "100")),
    *(("table", "variance", "--check", "no.csv"), ("table", "all", "--check", "m.py")),
    ("table", "variance", "--check", "variance.csv", "--epsilon", "1"),
    *(("table", "variance", "--column", "x"), ("table", "variance", "--data", "data.csv")),
    *(("table", "variance", "--output", "no/such"), ("table", "\x00"), ("table", "x" * 5_000)),
    *(("figure", "no", "-o", "x.png"), ("figure",), ("figure", "variance"), ("figure", "\x00")),
    *(("figure", "wealth-paths", "-o", "x.exe"), ("figure", "wealth-paths", "-o", "no/x.svg")),
    ("figure", "wealth-paths", "-o", "x.svg", "--epsilon", "1"),
    *(("gate", "--reference", "--changed-since", "HEAD"), ("gate", "--reference", "x")),
    *(("gate", "--reference", "--write-baseline"), ("gate", "--carry", "no/such/file")),
    *(("gate", "--carry", "."), ("gate", "--carry", "m.py"), ("gate", "--output", "no/such")),
    *(("gate", "--changed-since", "\x00"), ("gate", "--false-alarm", "0"), ("gate", "--jobs", "0")),
    *(("gate", "--no"), ("gate", "--seed", "-1"), ("gate", "--report", "json=no/such")),
    *(("audit",), ("audit", "--"), ("audit", "--", ""), ("audit", "m.py:noise")),
    *(("audit", "--", "./no-such-program"), ("audit", *CLAIM, "--", "./no-such-program")),
    ("audit", *CLAIM, "--pair", "pair.json", "--", "./no-such-program"),
    ("audit", "ksw.swap-laplace", "--relation", "add-remove", "--mode", "exact"),
    ("audit", "ksw.transformed-laplace", "--mode", "exact", "--budget-samples", "5"),
    ("audit", "ksw.transformed-laplace", "--mode", "exact", "--certificate", "no/such"),
    ("audit", "ksw.transformed-laplace", "--param", "epsilon=0"),
)


def target(rng: random.Random, project: Path) -> Case:
    """A target that is none."""
    name = rng.choice(BAD_TARGETS)
    if name and ":" not in name and name != "m.py" and rng.random() < 0.5:
        return Case("module", ("init", name, "--force"), allowed=frozenset({2}))
    return Case("target", ("audit", name, *AUDIT[2:]))


def contradiction(rng: random.Random, project: Path) -> Case:
    """Words that do not go together."""
    return Case("contradiction", (*AUDIT, *rng.choice(CONTRADICTIONS)))


def other_words(rng: random.Random, project: Path) -> Case:
    """Commands that are none."""
    return Case("words", rng.choice(OTHER_WORDS), allowed=frozenset({1, 2, 3}))


NUMBERS = {
    *("epsilon", "delta", "rho", "mu", "alpha_order", "low", "high", "bias", "mse", "mae", "truth"),
}
BAD_TEXTS = {
    "multisets": ("", "1", "x", "1,2,3", "-1,5", "1.5,2", "99999,99999", "7" * 5_000 + ",1"),
    "law": (
        "",
        "x",
        "uniform",
        "uniform 1 0",
        "normal 0 -1",
        "point x",
        "points 1:2",
        "bernoulli 2",
    ),
    "n": BAD_COUNTS,
    "budgets": ("", ",", "x", "1,,1", "1,-1", "1;1", "nan", "1e1000000000", "7" * 5_000),
    "report": ("", "x", "json", "=x", "json=", "pdf=x", "json=no/such", "json=\x00"),
    "data": ("", "no.csv", ".", "/dev/zero", "/dev/null", "\x00", "x" * 5_000, "statsmodels:no"),
    "column": ("", "no", "\x00"),
    "pair": ("", "no.json", ".", "/dev/zero", "/dev/null", "\x00", "x" * 5_000, "\ud800"),
    "output": (".", "no/such/file", "\x00", "x" * 5_000),
    "resume": (".", "no/such/file", "/dev/zero", "/dev/null", "\x00", "x" * 5_000, "m.py"),
    "certificate": (".", "no/such/file", "\x00", "x" * 5_000),
    "carry": (".", "no/such/file", "\x00", "x" * 5_000, "m.py", "/dev/zero"),
    "param": ("", "x", "=", "=1", "no=1", "data=1", "no=" + "[" * 100_000),
}


@functools.cache
def options(command: str) -> tuple[click.Option, ...]:
    """Options of a command that take a value."""
    found = touchstone.get_command(click.Context(touchstone), command)
    assert found is not None
    return tuple(
        p
        for p in found.params
        if isinstance(p, click.Option) and not p.is_flag and p.name is not None
    )


def bad_values(option: click.Option) -> tuple[str, ...]:
    """Values that an option does not take; none where any text may be one."""
    kind = option.type
    name = str(option.name).removeprefix("key_")
    if isinstance(kind, click.Choice):
        return ("", "no", "\x00", "7" * 5_000, "\ud800", "🎲")
    if isinstance(kind, click.IntRange | click.types.IntParamType):
        return BAD_COUNTS
    if isinstance(kind, click.FloatRange | click.types.FloatParamType):
        return (
            "",
            "x",
            "nan",
            "-1",
            "1,5",
            "0x1",
            "\ud800",
            "1 2",
            "½",
            "-inf",
            "7" * 100_000 + "x",
        )
    if name in NUMBERS or str(option.name).startswith("key_"):
        return BAD_NUMBERS
    return BAD_TEXTS.get(name, ())


def option_value(rng: random.Random, project: Path) -> Case:
    """A value that an option does not take."""
    bases = {"audit": AUDIT, "gate": GATE, "prove": ("prove", "KSW-T1"), "table": ("table", "mse")}
    bases["figure"] = ("figure", "wealth-paths", "-o", "x.svg")
    command = rng.choices(list(bases), [6, 2, 1, 1, 1])[0]
    option = rng.choice([o for o in options(command) if bad_values(o)])
    words = (rng.choice(option.opts), rng.choice(bad_values(option)))
    extra: tuple[str, ...] = ()
    if option.name in {"bias", "mse", "mae", "law", "n", "truth"}:
        extra = ("--utility",)
    return Case("option", (*bases[command], *extra, *words), allowed=frozenset({2, 3}))


KINDS: dict[str, tuple[Make, int]] = {
    "special": (special, 6),
    "text of JSON": (text_of_json, 12),
    "text of a baseline": (text_of_baseline, 6),
    "baseline": (baseline, 10),
    "wealth": (wealth, 14),
    "pair": (pair, 8),
    "data": (data, 8),
    "configuration": (configuration, 20),
    "saved": (saved, 14),
    "certificate": (certificate, 14),
    "stored table": (stored_table, 6),
    "target": (target, 12),
    "contradiction": (contradiction, 16),
    "words": (other_words, 16),
    "option": (option_value, 30),
}
"""How each kind is made, and its weight."""


def generate(project: Path, seed: int, count: int) -> Iterator[Case]:
    """So many bad inputs, the same for the same seed."""
    rng = random.Random(seed)
    makes, weights = zip(*KINDS.values(), strict=True)
    for _ in range(count):
        yield rng.choices(makes, weights)[0](rng, project)
