"""A call of the API as a request: its words are checked, and its target is found or wrapped.

`audit.load(x, **a)` in a call with the words b is x with the words a and b: where the call has new
words about the target itself, it is loaded again with both. Two values of one word contradict each
other.
"""

from __future__ import annotations

import inspect
import os
import re
import shlex
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path, PurePath
from typing import Any, TypeVar, final

from audit.levels import kind_of
from audit.levels.claim_constructors import STATED_IN
from audit.levels.statement import read_budgets, stated_level
from audit.levels.word import Of, Word
from audit.pairs.arrays import pairs_of, records_of, schema_at_hand
from audit.request.privacy_plan import PrivacyPlan, plan_audit
from audit.request.request import Request, by_field
from audit.request.word_table import CLAIMS, WORDS, named
from audit.request.word_values import asks, file_seen_from
from audit.targets.load import load_target
from audit.targets.objects import made_by, name_of, origin_of
from audit.targets.recipe import LoadedDraw
from audit.targets.separation import now_at, separately
from audit.targets.target import Target
from audit.targets.wrap import can_draw, target_of
from mechanisms.claims import PrivacyClaim
from mechanisms.errors import InvalidArgument, TouchstoneError
from mechanisms.validation import exact, shown

__all__ = [
    "ACCURACY",
    "AUDIT",
    "GATE",
    "LOAD",
    "PROVE",
    "SENSITIVITY",
    "Call",
    "apart",
    "at_hand",
    "in_python",
    "loaded_with",
    "shows",
    "stated_words",
]

ELSEWHERE = ("command", "mode", "utility")
"""Words that the API has in its signatures, or not at all."""


def _words(words: Iterable[Word], *others: str) -> tuple[str, ...]:
    names = [word.name for word in words if word.name not in ELSEWHERE]
    return tuple(dict.fromkeys([*names, *others]))


PROVE = _words(named(Of.EXACT))
"""Names of the words of `audit.prove`."""
AUDIT = _words([*named(Of.SAMPLES), *named(Of.RUN)], "resume")
"""Of `audit.audit`, where samples are drawn."""
ACCURACY = _words(named(Of.ERRORS), "false_alarm", "budget_seconds", "seed")
"""Of `audit.accuracy`: those of its signature, too."""
SENSITIVITY = _words(named(Of.STABILITY))
"""Of `audit.sensitivity`."""
GATE = _words(named(Of.RUN))
"""Of `audit.gate`."""
LOAD = ("param", "order", "low", "high", "budgets", "timeout")
"""Of `audit.load`: what the target itself takes."""

OF_RUN = ("seed", "false_alarm", "budget_seconds", "jobs", "backend", "resume")
"""Words that say how it is run, not what is asked."""

ARGUMENTS = ("order", "low", "high", "budgets")
"""What `load_target` takes besides parameters."""

F = TypeVar("F", bound=Callable[..., Any])

OPTION = re.compile(r"--([a-z][a-z-]*)")


def shows(known: tuple[str, ...]) -> Callable[[F], F]:
    """Let the signature of a function show its words, so that a notebook completes them."""

    def attach(function: F) -> F:
        whole = inspect.signature(function)
        own = [p for p in whole.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = [name for name in known if name not in whole.parameters]
        words = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in names]
        function.__signature__ = whole.replace(parameters=[*own, *words])  # type: ignore[attr-defined]
        return function

    return attach


def apart(function: F) -> F:
    """Let a function of the API work in a process of its own, but for its first argument's name.

    Not where it is asked to draw in this one, or reaches the workers of dask by threads.
    """

    @wraps(function)
    def called(target: Any = None, *arguments: Any, **words: Any) -> Any:
        def work() -> Any:
            now_at(target)
            return function(target, *arguments, **words)

        here = asks(words, "in_process", True) or asks(words, "backend", "dask")
        return separately(work, forks=not here)

    return called  # type: ignore[return-value]


@contextmanager
def in_python() -> Iterator[None]:
    """Let messages name words as Python has them: `--min-size` is min_size."""

    def as_word(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        return name if name in WORDS else option[0]

    try:
        yield
    except TouchstoneError as exc:
        text = OPTION.sub(as_word, str(exc))
        if text == str(exc):
            raise
        raise type(exc)(text) from exc


@final
@dataclass(frozen=True, slots=True)
class Call:
    """What a call asks for."""

    request: Request
    """In the words of the command line."""
    load: Callable[..., Target]
    """Finds its target."""
    run: dict[str, Any]
    """Words that say how it is run."""
    claim: PrivacyClaim | None = None
    """That was given as a whole."""

    @classmethod
    def of(
        cls,
        function: str,
        target: Any,
        words: dict[str, Any],
        claim: PrivacyClaim | None = None,
        *,
        mode: str = "sequential",
    ) -> Call:
        """Make it of checked words.

        Raises InvalidArgument if a claim is stated twice, or a value cannot be read.
        """
        if isinstance(target, Target):
            given, words = words, _with_loaded(target, words, claim)
            if mode == "exact":  # of its draws, which are none here
                words.pop("timeout", None)
            of_privacy = "budgets" not in target.parameters and "budgets" not in given
            if function == "accuracy" and of_privacy:
                words.pop("budgets", None)
        words = {**words, **stated_words(claim, words)}
        if "budgets" in words:
            own = words["budgets"]
            words["budgets"] = read_budgets(own) if isinstance(own, str) else tuple(own)
            stated_level(budgets=words["budgets"])
        run = {name: words.pop(name) for name in OF_RUN if name in words}
        words |= at_hand(words)
        files = [words.get("data", ""), words.get("schema", ""), *words.get("pair", ())]
        fields = by_field(words, is_search=function == "sensitivity")
        request, load = _found(function, target)
        if not request.call and not all(isinstance(file, str) for file in files):
            request = replace(request, call=f"audit.{function}({_spelled(target)}")
        return cls(replace(request, mode=mode, **fields), load, run, claim)

    def plan(self) -> PrivacyPlan:
        """Find and check what there is to audit."""
        return plan_audit(self.request, stated_in=STATED_IN, load=self.load, claim=self.claim)


def at_hand(words: Mapping[str, Any], folder: Path = Path()) -> dict[str, Any]:
    """Data, pairs and a schema that were given in Python, as a request has them.

    `folder`: where names of files among them are seen from.
    """
    found: dict[str, Any] = {}
    if "schema" in words:
        found["schema"] = schema_at_hand(words["schema"])
    if "data" in words:
        of_table = "schema" in words
        found["data"] = records_of(words["data"], words.get("column"), of_table=of_table)
    for name, one in found.items():
        found[name] = file_seen_from(one, folder) if isinstance(one, str) else one
    if "pair" in words:
        pairs = pairs_of(words["pair"])
        found["pair"] = tuple(
            file_seen_from(one, folder) if isinstance(one, str) else one for one in pairs
        )
    return found


def stated_words(claim: object, words: Mapping[str, Any]) -> dict[str, Any]:
    """A claim as words, so that the command that repeats an audit states it."""
    if claim is None:
        return {}
    if not isinstance(claim, PrivacyClaim):
        msg = (
            "claim must be a PrivacyClaim, such as audit.pure(1, relation='swap'), got "
            f"{shown(claim)}"
        )
        raise InvalidArgument(msg)
    kinds = kind_of(claim.level).words
    names: tuple[str, ...] = type(claim.level).__match_args__
    values = (getattr(claim.level, name) for name in names)
    own = {word.name: word.kind.read(v) for word, v in zip(kinds, values, strict=True)}
    stated = [name for name in (*CLAIMS, "relation") if name in words]
    if stated:
        msg = f"the claim is stated twice: as {claim} and by {', '.join(stated)}"
        raise InvalidArgument(msg)
    return {**own, "relation": claim.relation.value}


def _found(function: str, target: Any) -> tuple[Request, Callable[..., Target]]:
    """A request that names a target, and what finds it."""
    if isinstance(target, str | PurePath):
        return Request(str(target)), load_target
    if isinstance(target, list | tuple) and all(isinstance(w, str | PurePath) for w in target):
        words = tuple(map(str, target))
        if not words or not words[0]:
            msg = f"target must name a program first to be a command, got target={shown(target)}"
            raise InvalidArgument(msg)
        if isinstance(target[0], PurePath) and len(target[0].parts) == 1:
            words = (os.path.join(os.curdir, words[0]), *words[1:])  # noqa: PTH118 - as a program
        return Request(shlex.join(words), command=words), load_target
    if isinstance(target, Target):
        return _loaded(function, target)
    name, here = name_of(target), Path.cwd()
    if not can_draw(target, name):
        msg = (
            "target must be callable, have a claim and sample(data, size, *, rng), or be the name "
            f"of such an object, got target={shown(target)} (type {type(target).__name__})"
        )
        raise InvalidArgument(msg)
    load = partial(target_of, target, made_by=made_by(target, "the call", here))
    origin = origin_of(target)
    known = [str(here), *sysconfig.get_paths().values()]
    if origin is not None and str(origin[2]) in known:
        return Request(f"{origin[0]}:{origin[1]}"), load
    return Request(name, call=f"audit.{function}({_spelled(target)}"), load


def _loaded(function: str, target: Target) -> tuple[Request, Callable[..., Target]]:
    """The same of what `audit.load` has found."""

    def load(_: Any, **words: Any) -> Target:
        """The target, loaded again where the call tells it what it was not loaded with."""
        told = {name: words[name] for name in ARGUMENTS if words.get(name) not in (None, ())}
        new = {name: value for name, value in told.items() if name not in target.given}
        if target.again is None or not new.keys() - {"order"}:
            return replace(target, order=new.get("order", target.order))
        again = target.again(parameters=target.given.get("param", {}), **told)
        return replace(again, name=target.name, given=target.given, again=target.again)

    if target.command:
        return Request(target.name, command=target.command), load
    if target.mechanism is not None:
        return Request(target.name, call=f"audit.{function}(target"), load
    param = target.parameters if target.again is None else target.given.get("param", {})
    return Request(target.name, param=dict(param)), load


def _spelled(target: Any) -> str:
    """A target in a call."""
    if isinstance(target, str | PurePath):
        return repr(str(target))
    if isinstance(target, list | tuple):
        return repr(list(map(str, target)))
    if isinstance(target, Target):
        return "target"
    own = str(getattr(target, "__name__", "mechanism"))
    return own if own.isidentifier() and not inspect.ismethod(target) else "mechanism"


def loaded_with(target: Target, load: Any, spec: str, words: Mapping[str, Any]) -> Target:
    """Keep the words that a target was loaded with, and how to load it again."""
    if isinstance(target.draw, LoadedDraw):  # another folder may be the current one then
        spec = target.draw.recipe.absolute
    return replace(target, given=dict(words), again=partial(load, spec))


def _with_loaded(target: Target, words: Mapping[str, Any], claim: object) -> dict[str, Any]:
    """Words of a call, with those that its target was loaded with.

    Raises InvalidArgument if a word has two values, or a parameter is given to what is made
    already.
    """
    if "param" in words:
        msg = "this target is loaded already: give param to the audit.load that loaded it"
        raise InvalidArgument(msg)
    kept = {name: value for name, value in target.given.items() if name != "param"}
    for name, value in kept.items():
        if name in words and not _same(name, value, words[name]):
            msg = (
                f"{name} contradicts the target, which was loaded with {name}={shown(value)}: got "
                f"{name}={shown(words[name])}; load another target with it"
            )
            raise InvalidArgument(msg)
    states = claim is not None or any(name in words for name in CLAIMS)
    own = getattr(getattr(claim, "level", None), "budgets", ())
    of_target = states and "budgets" in target.parameters  # they are the mechanism's, and stay
    if of_target or ("budgets" in kept and _same("budgets", kept["budgets"], own)):
        kept.pop("budgets", None)
    return {**kept, **words}


def _same(name: str, one: Any, other: Any) -> bool:
    if name in ("low", "high", "timeout"):
        return exact(one, name) == exact(other, name)
    if name == "budgets":
        return [exact(b, name) for b in _list(one)] == [exact(b, name) for b in _list(other)]
    return bool(one == other)


def _list(budgets: Any) -> Any:
    return read_budgets(budgets) if isinstance(budgets, str) else budgets
