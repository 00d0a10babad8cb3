"""Code of a user's that ends its process: every kind of it, every door, every way, as data.

A kind is a module with a hole where it ends; a door is how it is asked for; a way is what fills the
hole. A new kind is one row of `KINDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

WAYS = {
    "exit": "os._exit(0)",
    "c_exit": "ctypes.CDLL(None)._exit(0)",
    "kill": "os.kill(os.getpid(), signal.SIGKILL)",
    "sys_exit": "sys.exit(0)",
    "interrupt": "raise KeyboardInterrupt",
    "thread": "threading.Thread(target=ctypes.CDLL(None)._exit, args=(0,)).start(); time.sleep(5)",
}
"""How a process is ended."""


@final
@dataclass(frozen=True, slots=True)
class Kind:
    """Where code of the user's is called."""

    hole: str
    """What is replaced by the way."""
    words: tuple[str, ...]
    """Of the audit that calls it."""
    command: str = "audit"


ASKED = ("--epsilon", "1", "--relation", "add-remove", "--mode", "exact")
KINDS = {
    "import": Kind("import_", ASKED),
    "constructor": Kind("init", ASKED),
    "property": Kind("order", ASKED),
    "claim": Kind("claim", ("--mode", "exact")),
    "exact_law": Kind("law", ASKED),
    "breakpoints": Kind("breakpoints", ASKED),
    "density": Kind("density", ASKED),
    "sampled": Kind("claim", ("--ideal", "--budget-samples", "2000", "--seed", "1")),
    "utility_claims": Kind("utility", ("--utility", "--n", "4", "--seed", "1")),
    "query": Kind("import_", ("--norm", "l1", "--at-most", "1", *ASKED[2:4]), "sensitivity"),
    "plan": Kind("plan", ("--relation", "swap", "--delta", "1e-5"), "account"),
    "trial": Kind("claim", (), "init"),
    "survey": Kind("import_", (), "survey"),
}
"""Kinds of code that a door calls; draws, and calls of a query, have tests of their own."""

PLANNED = ("import", "constructor", "property", "claim", "utility_claims", "sampled")
"""Called before anything is run: a gate with one of them runs nothing."""
RUN = ("exact_law", "breakpoints", "density")
"""Called by an entry of a gate when it is run."""

MODULE = """
import ctypes, os, signal, sys, threading, time
from fractions import Fraction as F
from mechanisms.claims import Order, PrivacyClaim, PureDP, Relation, Source
from mechanisms.noise.laplace import LaplaceLaw

if True:
    {import_}

class Law(LaplaceLaw):
    def log_density(self, point, numbers):
        {density}
        return super().log_density(point, numbers)
    def breakpoints(self, lower, upper):
        {breakpoints}
        return super().breakpoints(lower, upper)

class M:
    low, high = F(0), F(1)
    def __init__(self):
        {init}
    @property
    def order(self):
        {order}
        return Order.FREE
    @property
    def claim(self):
        {claim}
        return PrivacyClaim(PureDP(1), Relation.ADD_REMOVE, Source("user", "toy"))
    def sample(self, data, size, *, rng):
        return rng.laplace(size=size)
    def exact_law(self, data):
        {law}
        return Law(F(1) + len(data))
    def utility_claims(self, data):
        {utility}
        return ()

def query(data):
    {query}
    return data.sum()

def plan():
    {plan}
    return {{"step": [{{"event": "gaussian", "sigma": 1, "sensitivity": 1}}]}}
"""

HOLES = ("import_", "density", "breakpoints", "init", "order", "claim", "law", "utility")


def keys(kind: str) -> str:
    """What an entry of a gate says of it."""
    if kind == "utility_claims":
        return "utility = true\nn = 4\n"
    return "ideal = true\nbudget_samples = 2000\n" if kind == "sampled" else 'mode = "exact"\n'


def module(hole: str, way: str) -> str:
    """The module that ends its process in one place, in one way; "" for one that does not."""
    holes = dict.fromkeys([*HOLES, "query", "plan"], "pass")
    return MODULE.format(**holes | ({hole: WAYS[way]} if hole else {}))


def command(kind: Kind, file: str) -> list[str]:
    """Words of the command that asks for it."""
    attribute = {"sensitivity": "query", "account": "plan"}.get(kind.command, "M")
    target = file if kind.command == "init" else f"{file}:{attribute}"
    if kind.command == "survey":
        target = file.removesuffix(".py")
    place = ["--from", target] if kind.command == "account" else [target]
    return [kind.command, *place, *kind.words]
