"""What a reader should check first, or do to get a verdict: one row for each thing that may hide.

The first two that hold are printed behind the sentence of a verdict, all of them in JSON. A row
says what a run has shown, and what that may mean as a question or a condition.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.documents.phrases import LATTICE
from audit.levels import kind_of
from audit.results.number_words import number, number_above, plural
from audit.results.refutation import Witness
from audit.results.sampled_result import AuditResult
from audit.results.verdict import FAILED, Hint, Verdict

__all__ = ["ADVICE", "RESOLUTION", "Advice", "Circumstances", "advised", "notes"]

LEADS = {Verdict.REFUTED: "Check first", Verdict.INCONCLUSIVE: "To get one"}
"""What the notes of a verdict begin with; those of others with "Warning"."""

WARNING = "Warning"

SHOWN = 2
"""Notes behind the sentence of a verdict."""

SMALL_DELTA = Fraction(1, 1000)


@final
@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of a run besides its result.

    Parameters
    ----------
    gets : str
        The form in which the target gets its data.
    takes : bool
        Whether `--takes` chooses it.
    command : tuple of str
        Words of an external command.
    strange : (str, str)
        Records of the witness's data and neighbor that no declared domain has, in words.
    made : bool
        Whether pairs are made, and not all given.
    reordered : bool
        Whether the witness's data sets are one without their order, and are so read.
    unmoved : int
        Pairs that changed no output, from equal random numbers; 0 where one did, or it is unknown.
    most : float
        Draws that an audit takes unless more are asked for.
    needed, of_pair, coarser : float
        Draws that CONSISTENT needs: on the pairs at hand, on one, and on one at `RESOLUTION`.
    resolution : float or None
        As it was asked for.
    """

    gets: str = "numpy array of numbers"
    takes: bool = False
    command: tuple[str, ...] = ()
    strange: tuple[str, str] = ("", "")
    made: bool = True
    reordered: bool = False
    unmoved: int = 0
    most: float = math.inf
    needed: float = 0.0
    of_pair: float = 0.0
    coarser: float = 0.0
    resolution: float | None = None

    @property
    def forms(self) -> str:
        """The options that change what the target gets."""
        return "--takes, --pair" if self.takes else "--schema, --takes, --pair"


RESOLUTION = 3
"""At which a slow target is asked about larger violations alone."""

Said = tuple[str, str] | None
"""Text and option; None where a row does not hold."""


@final
@dataclass(frozen=True, slots=True)
class Advice:
    """A row: its code, and what it says of a result where it holds."""

    code: str
    said: Callable[[AuditResult, Circumstances], Said]
    lead: str = ""
    """What it begins with, where that is not what the verdict's notes begin with."""


def advised(result: AuditResult, known: Circumstances) -> tuple[Hint, ...]:
    """All that holds of a result, the most important first."""
    each = ((row.code, row.said(result, known)) for row in ADVICE)
    return tuple(Hint(code, *said) for code, said in each if said is not None)


def notes(result: AuditResult) -> Iterator[str]:
    """The notes that stand behind the sentence of a verdict."""
    leads = {row.code: row.lead for row in ADVICE}
    for hint in result.warnings[:SHOWN]:
        lead = leads.get(hint.code) or LEADS.get(result.verdict, WARNING)
        yield f"{lead}: {hint.text}"


def _sides(witness: Witness) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("the data", witness.always[0]), ("the neighbor", witness.always[1])


def _outcome(words: str) -> str:
    for beginning in FAILED:
        words = words.removeprefix(beginning)
    return words


def _one_side_fails(result: AuditResult, known: Circumstances) -> Said:
    if result.witness is None:
        return None
    failing = [(side, w) for side, w in _sides(result.witness) if w.startswith(FAILED)]
    if not failing:
        return None
    where = "; ".join(f"on {side} every call failed: {_outcome(words)}" for side, words in failing)
    option = "--takes" if known.takes else "--schema, --takes"
    what = "command" if known.command else "function"
    return (
        (
            f"{where}. If the {what} expects its data in another form, the call is wrong, not the "
            f"{what}: see {option} (now: {known.gets})."
        ),
        option,
    )


def _unusual_record(result: AuditResult, known: Circumstances) -> Said:
    if result.witness is None or not any(known.strange):
        return None
    sides = [
        (verb, w)
        for verb, w in zip(("the data have", "the neighbor has"), known.strange, strict=True)
        if w
    ]
    words = " and ".join(f"{verb} {w}" for verb, w in sides)
    by = ", for example by numpy.nan_to_num" if "NaN" in words else ""
    replaced = f"If it can get them: replace them first{by}."
    if not known.made:
        return (
            f"{words}. If the mechanism never gets such records: give another pair. {replaced}",
            "",
        )
    never = "If the mechanism never gets such records: --domain declared."
    return f"{words}. {never} {replaced}", "--domain declared"


def _order_only(_: AuditResult, known: Circumstances) -> Said:
    if not known.reordered:
        return None
    return (
        (
            "the data and the neighbor hold the same records in another order. If every record "
            "keeps its place (local noise, a time series, a vector of weights), the order is "
            "part of the data: audit with --order fixed."
        ),
        "--order fixed",
    )


def _last_bits(result: AuditResult, _: Circumstances) -> Said:
    if result.witness is None or result.witness.feature != LATTICE:
        return None
    return (
        (
            "it is the last bits of the numbers that tell the data and the neighbor apart here; "
            "more noise does not help. To audit the algorithm in exact arithmetic: --ideal. To "
            "release: noise on a grid (opendp, ksw.release-mean). Why: "
            "docs/explanation/floating-point.md"
        ),
        "--ideal",
    )


def _constant_output(result: AuditResult, _: Circumstances) -> Said:
    if result.witness is None:
        return None
    answers = result.witness.always
    if not all(answers) or len(set(answers)) == 1 or any(w.startswith(FAILED) for w in answers):
        return None
    first, other = _told_apart(*answers)
    return (
        (
            f"every draw on the data was {first}, every draw on the neighbor was {other}: the "
            "output shows no fresh randomness. Look for a fixed seed, a cache, or noise that is "
            "computed from the data, or that is too little to show."
        ),
        "",
    )


def _told_apart(first: str, other: str) -> tuple[str, str]:
    """Two answers, with six digits where these tell them apart."""
    try:
        short = f"{float(first):.6g}", f"{float(other):.6g}"
    except ValueError:
        return first, other
    return short if short[0] != short[1] else (first, other)


def _unchanged(result: AuditResult, known: Circumstances) -> Said:
    if result.verdict is Verdict.REFUTED or not known.unmoved:
        return None
    pairs = "the pair" if known.unmoved == 1 else f"all {known.unmoved:,} pairs"
    gave = "outputs on both data sets of" if known.unmoved == 1 else "outputs on"
    return (
        (
            f"with equal random numbers there were equal {gave} {pairs}. Does {result.target} read "
            f"its data in the form that it gets here ({known.gets})? Other forms: {known.forms}. "
            "If the output is meant to ignore the data: --constant ok"
        ),
        f"{known.forms}, --constant ok",
    )


def _small_delta(result: AuditResult, _: Circumstances) -> Said:
    from audit.levels.gaussian_mu import gaussian_mu

    line = kind_of(result.claim.level).line
    if line is None or result.verdict is Verdict.REFUTED:
        return None
    epsilon, delta = line(result.claim.level)
    if not 0 < delta < SMALL_DELTA:
        return None
    seen, power = "", result.detectable
    if power is not None:
        found = zip(power.masses, power.epsilons, strict=True)
        mass, loss = min(((m, e) for m, e in found if math.isfinite(e)), default=(1.0, math.inf))
        if mass <= delta:
            return None
        if math.isfinite(loss):
            seen = (
                f" The rarest output that this run would have found has probability {number(mass)} "
                f"and a privacy loss of at least {number_above(loss)}."
            )
    below, above = gaussian_mu(epsilon, delta)
    return (
        (
            f"draws cannot test a delta of {number(float(delta))}: an event of that probability "
            f"comes once in {round(1 / delta):,} draws.{seen} If the noise is Gaussian of a fixed "
            f"scale, this claim is the same as mu <= {below}, which draws can test: --mu {above}. "
            "Or compute it from the scale of the noise: touchstone account."
        ),
        f"--mu {above}, touchstone account",
    )


def _too_few_draws(result: AuditResult, known: Circumstances) -> Said:
    if result.cause != "draws":
        return None
    ways, options = [], []
    if math.isinf(known.needed):
        ways.append("no number of draws is enough at this claim and resolution")
    else:
        if known.needed > known.most:
            ways.append(f"no number of draws up to {known.most:,} is enough")
        option = f"--budget-samples {known.needed:.0f}"
        ways.append(option)
        options.append(option)
    if known.of_pair < known.needed and math.isfinite(known.of_pair):
        ways.append(f"or one pair: --pair FILE.json ({known.of_pair:,.0f} draws)")
        options.append("--pair")
    if coarser := _coarser(result, known):
        ways.append(f"or leave larger violations unseen: {coarser}")
        options.append(coarser)
    return "; ".join(ways) + ".", ", ".join(options)


def _coarser(result: AuditResult, known: Circumstances) -> str:
    """The resolution at which as many draws would have been enough; empty where none is known."""
    power = result.detectable
    if power is None or not math.isfinite(power.at_tenth):
        return ""
    usual = 0.5 if power.limit <= 1.5 else power.limit / 3
    used = usual if known.resolution is None else known.resolution
    return f"--resolution {number_above(1.05 * (used + power.at_tenth - power.limit), 2)}"


def _time(result: AuditResult, known: Circumstances) -> Said:
    if result.cause != "time" or not result.samples or math.isinf(known.of_pair):
        return None
    each = result.seconds / result.samples
    whole, coarser = (each * draws for draws in (known.of_pair, known.coarser))
    options = f"--budget-seconds {number_above(1.1 * whole, 2)}".replace("e+0", "e")
    larger = ""
    if known.coarser < known.of_pair:
        larger = (
            f"; or leave larger violations unseen: --resolution {RESOLUTION} "
            f"({known.coarser:,.0f} draws, {duration(coarser)})"
        )
    return (
        (
            f"one draw takes {number(each)} s, so one pair (--pair FILE.json, {known.of_pair:,.0f} "
            f"draws) takes {duration(whole)}: {options}{larger}. For slow functions: --pair "
            "FILE.json --first-draws 8 --screen 0"
        ),
        f"{options}, --pair, --first-draws 8, --screen 0",
    )


def _fails_everywhere(result: AuditResult, known: Circumstances) -> Said:
    if result.cause != "fails":
        return None
    if known.command:
        request = '{"data": [], "size": 2, "seed": 1}'
        tried = f"echo '{request}' | {shlex.join(known.command)}"
        return f"try it: {tried}  The protocol: docs/how-to/targets.md", ""
    return (
        (
            f"does it read its data in the form that it gets here ({known.gets})? Other forms: "
            f"{known.forms}"
        ),
        known.forms,
    )


def duration(seconds: float) -> str:
    """About how long something takes, in words."""
    if seconds < 60:
        return "less than a minute"
    if seconds < 6000:
        return f"about {plural(math.ceil(seconds / 60), 'minute')}"
    return f"about {math.ceil(seconds / 3600):,} hours"


ADVICE: tuple[Advice, ...] = (
    Advice("one-side-fails", _one_side_fails),
    Advice("unusual-record", _unusual_record),
    Advice("order-only", _order_only),
    Advice("last-bits", _last_bits),
    Advice("constant-output", _constant_output),
    Advice("unchanged", _unchanged),
    Advice("small-delta", _small_delta, WARNING),
    Advice("too-few-draws", _too_few_draws),
    Advice("time", _time),
    Advice("fails-everywhere", _fails_everywhere),
)
"""In the order in which they are told."""
