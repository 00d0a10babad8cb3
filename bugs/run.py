"""Draws of a row of the board, for any auditor: JSON lines in, JSON lines out.

It needs the standard library, numpy and the row's library, and nothing of the auditor who asks:

    $ echo '{"id": "diffpriv_pure_count", "seed": 1, "m": 3, "side": "left"}' | python bugs/run.py
    {"id": "diffpriv_pure_count", "seed": 1, "m": 3, "side": "left", "draws": [...], ...}

A request names a row, a seed, how many draws `m`, and the data set: `side` is "left" or "right",
or `data` holds another one. With `"twin": true` the repaired twin answers. It is sent on to the
interpreter of the row's environment (`python -m bugs.environments`), which lives until the input
ends; `--here` answers in this interpreter, where the library is installed already.

In `draws` a number, a text, a truth value, null or a list is the output as it is (NaN and
Infinity as Python's json writes them, bytes as a list of numbers), and {"raises": NAME} an
exception, which is an output as well. `seeded` says whether the same seed gives the same draws. A
request that cannot be answered has `error` in place of `draws`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import time
import tomllib
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGETS = Path(os.environ.get("BUGS_TARGETS", HERE / "targets"))
DEFECTS = Path(os.environ.get("BUGS_DEFECTS", HERE / "defects"))


def find(name: str) -> dict:
    """Look up the table of a row."""
    for file in sorted(DEFECTS.glob("*.toml")):
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["defect"]:
            if row["id"] == name:
                return row
    message = f"no row {name!r}"
    raise LookupError(message)


def expand(data: object) -> object:
    """Write out what a row abbreviates: {runs = [[value, times], ...]} is a list."""
    if isinstance(data, dict) and set(data) == {"runs"}:
        return [value for value, times in data["runs"] for _ in range(times)]
    return data


def load(name: str) -> object:
    """Import the target of a row."""
    spec = importlib.util.spec_from_file_location(f"target_{name}", TARGETS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(output: object) -> object:
    """Turn an output into what JSON can say, without loss."""
    if isinstance(output, bytes | bytearray):
        return list(output)
    if hasattr(output, "tolist"):
        return plain(output.tolist())
    if isinstance(output, dict):
        return [[plain(key), plain(output[key])] for key in sorted(output)]
    if isinstance(output, list | tuple):
        return [plain(part) for part in output]
    if output is None or isinstance(output, bool | int | float | str):
        return output
    message = f"an output of type {type(output).__name__} has no JSON"
    raise TypeError(message)


def drawn(release, data: object, seed: int, m: int) -> list:
    """Draw m times; the library's own generators are seeded where there is a seed for them."""
    import numpy as np

    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002 - the generator that old libraries use
    rng = np.random.RandomState(seed % 2**32)
    draws = []
    for _ in range(m):
        try:
            draws.append(plain(release(data, rng)))
        except Exception as error:  # noqa: BLE001 - what a release raises is what its user sees
            draws.append({"raises": type(error).__name__})
    return draws


def answer(request: dict, modules: dict) -> dict:
    """Answer one request in this interpreter."""
    row, twin = find(request["id"]), bool(request.get("twin"))
    module = modules.setdefault(row["id"], None) or load(row["id"])
    modules[row["id"]] = module
    release = module.twin if twin and hasattr(module, "twin") else module.release
    data = expand(request["data"] if "data" in request else row.get(request["side"]))
    started = time.process_time()
    draws = drawn(release, data, int(request["seed"]), int(request["m"]))
    seconds = round(time.process_time() - started, 6)
    return {**request, "draws": draws, "seconds": seconds, "seeded": row.get("seeded", True)}


def interpreter(request: dict) -> str:
    """Return the path of the interpreter that has the row's library, or its twin's."""
    row = find(request["id"])
    name = row["environment"]
    if request.get("twin"):
        name = row["twin"].get("environment", name)
    folder = Path(os.environ.get("BUGS_ENVIRONMENTS", HERE.parent / ".bugs"))
    path = folder / name / "bin" / "python"
    if not path.exists():
        message = f"environment {name} is not made: python -m bugs.environments {name}"
        raise LookupError(message)
    return str(path)


def forward(line: str, request: dict, children: dict) -> str:
    """Send a request on to the child with the right interpreter, and return its answer."""
    path = interpreter(request)
    if path not in children:
        children[path] = subprocess.Popen(
            [path, __file__, "--here"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={name: os.environ[name] for name in os.environ if name != "PYTHONPATH"},
        )
    child = children[path]
    child.stdin.write(line.rstrip("\n") + "\n")
    child.stdin.flush()
    if not (answered := child.stdout.readline()):
        del children[path]
        message = f"the process ended with status {child.wait()}"
        raise LookupError(message)
    return answered.rstrip("\n")


def main(here: bool) -> None:
    """Answer requests until the input ends; what a library prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    children: dict = {}
    modules: dict = {}
    for line in sys.stdin:
        if not line.strip():
            continue
        request: dict = {}
        try:
            request = json.loads(line)
            said = (
                json.dumps(answer(request, modules)) if here else forward(line, request, children)
            )
        except Exception as error:  # noqa: BLE001 - every request has an answer
            said = json.dumps(
                {"id": request.get("id"), "error": f"{type(error).__name__}: {error}"}
            )
        out.write(said + "\n")
        out.flush()
    for child in children.values():
        child.stdin.close()
        child.wait()
    out.close()
    os._exit(0)  # old releases of OpenDP print destructor errors at the interpreter's end


if __name__ == "__main__":
    main("--here" in sys.argv[1:])
