"""A claim of the ledger: what a paper states, whether it is true, and the checks that decide it.

A check is a function without required arguments that returns a `Finding`. Its keywords are the
symbols and constants of the statement; a mutant replaces one of them by something slightly wrong,
and the same function must then find that the statement fails. A check that cannot tell its mutants
from the claim decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Protocol, final

from mechanisms.errors import InvalidArgument
from proofs_check.steps import ByCheck, Step

__all__ = [
    "HAS_EVIDENCE",
    "Check",
    "Claim",
    "Finding",
    "Method",
    "Obligation",
    "Role",
    "Spoken",
    "Stated",
    "Status",
    "every",
    "exactly",
    "is_prose",
]


@final
class Status(Enum):
    """What is known of a claim."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    """False as printed; its checks recompute a counterexample."""
    CORRECTED = "CORRECTED"
    """False as printed; its checks prove the right form."""
    CITED = "CITED"
    """Taken from other work; what the paper adds to it is checked."""
    ASYMPTOTIC = "ASYMPTOTIC"
    """An O-statement; its explicit form is checked where there is one."""
    OPEN = "OPEN"
    """Neither proved nor refuted; what is known is checked."""
    DEFINITION = "DEFINITION"
    """Nothing to prove; its examples are checked."""
    MEASURED = "MEASURED"
    """A running time or a simulation, shown by a benchmark."""
    REMARK = "REMARK"
    """The print is true, or silent: what could be sharper, or be read in two ways."""
    UNKNOWN = "UNKNOWN"
    """A check did not decide, or could not tell a mutant from the claim: never read as true."""


NOT_FALSE = (Status.DEFINITION, Status.ASYMPTOTIC, Status.OPEN, Status.CITED)
"""What is not known to be wrong, so that nothing says what is wrong with it."""

HAS_EVIDENCE = (
    Status.PROVED,
    Status.REFUTED,
    Status.CORRECTED,
    Status.CITED,
    Status.ASYMPTOTIC,
)
"""What is decided, so that there is a level of how; the others have nothing to argue for."""


@final
class Role(Enum):
    """What a check is for."""

    PROOF = "proof"
    """It decides a part of the statement, or a step of the argument."""
    VALUE = "value"
    """It encloses printed numbers: that never proves a statement about all of them."""
    EXAMPLE = "example"
    """It confirms what is proved otherwise, or shows more than the statement says."""


@final
class Method(Enum):
    """How a check decides."""

    SYMBOLIC = "symbolic identity"
    """The difference simplifies to zero, and is zero at random exact points (sympy)."""
    SMT = "quantified inequality"
    """No counterexample exists over the reals or integers (z3)."""
    ENCLOSURE = "rigorous enclosure"
    """Intervals that certainly contain the number (ball arithmetic, python-flint)."""
    COVER = "box proof"
    """An inequality on a box, by branch and bound over enclosures."""
    EXACT = "exact rationals"
    """An identity of fractions, or an enumeration of finitely many cases."""
    LINEAR_PROGRAM = "exact linear program"
    """The optimum over a polytope, over rationals (z3)."""
    STATISTICAL = "statistical test"
    """Seeded draws, with a stated error rate: shows, never proves."""


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Parameters
    ----------
    holds : bool or None
        None where the method did not decide.
    detail : str
        Numbers, counterexample or cases, for the reader.
    """

    holds: bool | None
    detail: str = ""


@final
@dataclass(frozen=True, slots=True)
class Check:
    """One machine check of a claim.

    Parameters
    ----------
    says : str
        What is decided, in words.
    method : Method
        How.
    decide : callable
        Without arguments: decides the check. Its keywords are what mutants replace.
    mutants : mapping of str to mapping
        By description, the keywords that make the statement slightly wrong; at least one.
    refutes : bool
        Whether it shows a counterexample to the printed statement: then `holds` means that the
        statement fails there.
    role : Role
        What it is for.
    cases : str
        Where it looks at a finite set that is not the domain of the statement: which, and how many.
    name : str
        By which steps and obligations name it; that of `decide` if empty, or its words.
    """

    says: str
    method: Method
    decide: Callable[..., Finding]
    mutants: Mapping[str, Mapping[str, Any]]
    refutes: bool = False
    role: Role = Role.PROOF
    cases: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            name = getattr(self.decide, "__name__", "")
            object.__setattr__(self, "name", name if name.isidentifier() else self.says)
        if not self.mutants:
            msg = f"a check must have at least one mutant, got none for {self.says!r}"
            raise InvalidArgument(msg)
        object.__setattr__(self, "mutants", MappingProxyType(dict(self.mutants)))


class Spoken(Protocol):
    """What says a statement: an object of `proofs_check.statements.forms`."""

    def words(self) -> str:
        """As a sentence."""
        ...

    def latex(self) -> str:
        """As a formula."""
        ...

    def domain_words(self) -> str:
        """For which values."""
        ...


class Stated(Protocol):
    """A check's function that knows the statement which it decides, or a sentence of prose."""

    @property
    def statement(self) -> Spoken:
        """What is stated; of prose, itself."""
        ...


def is_prose(part: Stated) -> bool:
    """Whether a part of a statement is a sentence that no object says."""
    itself: object = part.statement
    return itself is part


@final
@dataclass(frozen=True, slots=True)
class Obligation:
    """A part of a statement, and the check that decides it whole, on the statement's domain.

    Parameters
    ----------
    what : str
        Which part.
    check : str
        Name of the check; empty where none does.
    """

    what: str
    check: str = ""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A numbered statement of a paper, or one of our own.

    Parameters
    ----------
    id : str
        Such as "KSW-T2"; never changes its meaning.
    source : str
        Number in the paper, such as "Theorem 2".
    says : str
        The statement in words; of an erratum, what is printed. Made of `states` if empty.
    latex : str
        The statement as a formula, without dollar signs. Made of `states` if empty.
    states : tuple of Stated
        Functions of the checks that decide the statement, part by part: sentence, formula and
        domain are read off the objects that these decide.
    status : Status
        What the checks must find.
    domain : str
        For which parameters and data; of `states`, what its domain does not say by itself.
    printed_domain : str
        What the domain of the print has besides, where the claim is decided on a part of it only.
    checks : tuple of Check
        All of them must hold.
    assumes : tuple of str
        Ids of the claims that it rests on.
    obligations : tuple of Obligation
        The parts of the statement that are to be decided whole.
    steps : tuple of Step
        How the checks add up to the statement, where they do not decide it whole.
    note : str
        What a reader may want to know besides; no part of the proof.
    why : str
        Of what is false as printed: what is wrong; of a remark, what could be sharper.
    right : str
        The right form, or the sharper one, in words or as a formula.
    corrected_by : str
        Id of the claim that proves the right form.
    errata : tuple of str
        Ids of the claims that refute the print, where `status` is CORRECTED.
    ours : bool
        Whether the statement is in none of the papers.
    """

    id: str
    source: str
    status: Status
    says: str = ""
    latex: str = ""
    states: tuple[Stated, ...] = ()
    domain: str = ""
    printed_domain: str = ""
    checks: tuple[Check, ...] = ()
    assumes: tuple[str, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    steps: tuple[Step, ...] = ()
    note: str = ""
    why: str = ""
    right: str = ""
    corrected_by: str = ""
    errata: tuple[str, ...] = ()
    ours: bool = False
    paper: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "paper", self.id.split("-")[0])
        self._read_statement()
        proofs = [check for check in self.checks if not check.refutes]
        refutations = [check for check in self.checks if check.refutes]
        wanted = {
            Status.PROVED: (bool(proofs) and not refutations, "checks, none of them refuting"),
            Status.REFUTED: (bool(refutations), "a check that refutes"),
            Status.CORRECTED: (
                bool(proofs) and bool(refutations or self.errata),
                "checks of the right form, and a check that refutes the print or its errata",
            ),
        }
        fits, needs = wanted.get(self.status, (self.status is not Status.UNKNOWN, "another status"))
        if not fits:
            msg = f"{self.id} with status {self.status.value} needs {needs}"
            raise InvalidArgument(msg)
        if self.is_erratum and not (self.why and self.right):
            msg = f"{self.id} is false as printed: it needs `why` and `right`"
            raise InvalidArgument(msg)
        if self.status in NOT_FALSE and self.why:
            msg = f"{self.id} with status {self.status.value} cannot have `why`: it is not false"
            raise InvalidArgument(msg)
        if self.status is Status.REMARK and refutations:
            msg = f"{self.id} is a remark: what refutes the print makes it REFUTED"
            raise InvalidArgument(msg)
        if self.status is Status.PROVED and all(c.method is Method.STATISTICAL for c in proofs):
            msg = f"{self.id} cannot be PROVED by statistical tests"
            raise InvalidArgument(msg)
        self._check_argument()

    def _read_statement(self) -> None:
        """Take sentence, formula and domain from the objects, which the named checks decide."""
        if not self.states:
            return
        known = {id(check.decide): check for check in self.checks}
        decided = [known.get(id(part)) for part in self.states if not is_prose(part)]
        if None in decided:
            msg = f"{self.id} states what none of its checks decides"
            raise InvalidArgument(msg)
        objects = [part.statement for part in self.states]
        read = {
            "says": " ".join(dict.fromkeys(made.words() for made in objects)),
            "latex": r";\qquad ".join(made.latex() for made in objects),
        }
        if {self.says, self.latex} - {"", *read.values()}:
            msg = f"{self.id} has `states`: neither its sentence nor its formula is written by hand"
            raise InvalidArgument(msg)
        domain = "; ".join(filter(None, dict.fromkeys(made.domain_words() for made in objects)))
        more = self.domain.removeprefix(domain).removeprefix("; ")
        read["domain"] = "; ".join(filter(None, [domain, more]))
        for name, text in read.items():
            object.__setattr__(self, name, text)
        if self.status in HAS_EVIDENCE:
            named = {part.check for part in self.obligations}
            names = [check.name for check in decided if check and check.role is Role.PROOF]
            parts = [Obligation(n.replace("_", " "), n) for n in names if n not in named]
            object.__setattr__(self, "obligations", (*parts, *self.obligations))

    def _check_argument(self) -> None:
        """Refuse a check for nothing, a step that stands on nothing, and what needs no argument."""
        by_name = {check.name: check for check in self.checks}
        named = [step.check for step in self.steps if isinstance(step, ByCheck)]
        used = {*named, *(part.check for part in self.obligations)} - {""}
        if len(by_name) < len(self.checks):
            msg = f"{self.id} has two checks of one name: {[c.name for c in self.checks]}"
            raise InvalidArgument(msg)
        if self.status not in HAS_EVIDENCE and (self.steps or self.obligations):
            msg = f"{self.id} with status {self.status.value} has nothing to argue for"
            raise InvalidArgument(msg)
        for name in sorted(used):
            if name not in by_name or by_name[name].role is not Role.PROOF:
                msg = f"{self.id} has no check {name!r} of role `proof` for a step or an obligation"
                raise InvalidArgument(msg)
        idle = [c.name for c in self.checks if c.role is Role.PROOF and c.name not in used]
        if idle and self.status in HAS_EVIDENCE:
            msg = f"{self.id}: no step and no obligation names {idle}"
            raise InvalidArgument(msg)
        said = [
            step.says or (by_name[step.check].says if isinstance(step, ByCheck) else "")
            for step in self.steps
        ]
        if len(set(said)) < len(said):
            msg = f"{self.id} has two steps of one text"
            raise InvalidArgument(msg)

    @property
    def is_erratum(self) -> bool:
        """Whether something in print is false; a remark is none."""
        return self.status in (Status.REFUTED, Status.CORRECTED)


def every(findings: Iterable[Finding], *, detail: str = "") -> Finding:
    """Join findings: all must hold; one that fails, then one that did not decide, stands for all.

    Parameters
    ----------
    findings : iterable of Finding
        Looked at until one fails.
    detail : str
        What to say if all hold; the details of each, joined, if empty.
    """
    details: list[str] = []
    undecided: Finding | None = None
    for finding in findings:
        if finding.holds is False:
            return finding
        if finding.holds is None and undecided is None:
            undecided = finding
        if finding.detail:
            details.append(finding.detail)
    return undecided or Finding(holds=True, detail=detail or "; ".join(details))


def exactly(holds: bool, detail: str = "") -> Finding:
    """Return the finding of a comparison of exact numbers, which always decides."""
    return Finding(holds=bool(holds), detail=detail)
