"""What is asked of an exact audit, what it answers, and how a refutation is put."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar, final

from audit.exact.cells.cell_divergences import Excess
from audit.exact.exact_numbers import Mass, as_ball
from audit.exact.grid_multisets import Multisets
from audit.exact.levels import Broken
from audit.faults import reading
from audit.levels import supporting_line
from audit.results.exact_result import MOVED, DivergenceWitness, ExactWitness, Proof
from audit.results.number_words import number_above, number_below, probability_words
from audit.results.refutation import Enclosure
from mechanisms.claims import Level, Order, PrivacyClaim
from mechanisms.errors import InvalidArgument
from mechanisms.validation import shown
from proofs_check.enclosure import Balls, endpoints

T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Proved:
    """The claim holds by the stated law; `reason` says how much is lost at worst."""

    proof: Proof
    reason: str
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Refuted:
    """The claim is false; the witness shows it in exact numbers."""

    witness: ExactWitness | DivergenceWitness
    reason: str
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class Undecided:
    """Neither was found; `reason` says what stands in the way."""

    reason: str
    notes: tuple[str, ...] = ()


Outcome: TypeAlias = Proved | Refuted | Undecided
"""Of one exact audit."""


LARGEST_STATED = 10**300
"""Of what a report shows as a number of double precision."""


def check_is_shown(level: Level) -> None:
    """Check that a report can show the claim's numbers."""
    for name, word in (("rho", "--rho"), ("mu", "--mu"), ("alpha", "--alpha-order")):
        stated = getattr(level, name, 0)
        if stated > LARGEST_STATED:
            msg = f"{word} must be at most 10^300, got {shown(stated)}"
            raise InvalidArgument(msg)


@final
@dataclass(frozen=True, slots=True)
class Question:
    """What is audited exactly."""

    name: str
    mechanism: Any
    """It states a noisy query, a weighted sum, its law on every data set, or the laws of two
    thresholds that enclose the release."""
    claim: PrivacyClaim
    """Of the levels that its statement has an auditor for."""
    order: Order
    floating_point: bool
    """Whether the mechanism computes in double precision, which the proof leaves out."""
    pairs: tuple[tuple[Any, Any], ...] = ()
    """Listed (data, neighbor); they replace all others."""
    multisets: Multisets | None = None
    """Data sets to go through where no lemma speaks of all."""
    information: Mapping[str, Any] = field(default_factory=dict)
    """For the certificate: versions."""
    users: tuple[int, ...] = ()
    """Of a personalized claim, whose record each listed pair changes."""
    placeholder: bool = False
    """Whether NaN is a record that is missing."""
    machine: bool = False
    """Whether the question is about machine numbers, and not about the law."""

    @property
    def level(self) -> tuple[Fraction, Fraction]:
        """Epsilon and delta, of a claim that is one line."""
        return supporting_line(self.claim.level)


def refuted(
    about: str,
    sides: list[Any],
    excess: Excess,
    likelier: str,
    level: tuple[Fraction, Fraction],
    user: tuple[int, Fraction] | None = None,
) -> Refuted:
    """Put an event that breaks a claim.

    `about`: which output the event is of. `sides`: the two data sets. `excess`: the event and its
    probabilities. `likelier`, {"data", "neighbor"}: where it is too likely. `level`, (Fraction,
    Fraction): epsilon and delta that are broken. `user`, (int, Fraction) or None: of a personalized
    claim: whose promise, as an index, and the budget.
    """
    epsilon, delta = level
    words = excess.event[0]
    if len(excess.event) > 1:
        words = (
            f"where the {likelier} is more than e^({epsilon}) times as likely: "
            f"{len(excess.event)} cells"
        )
    masses = _ends(excess.p), _ends(excess.q)
    return _by_event(about, sides, words, likelier, masses, _ends(excess.value, delta), user)


def broken(
    about: str, sides: list[Any], found: Broken, user: tuple[int, Fraction] | None = None
) -> Refuted:
    """Put what breaks a claim of any level.

    `about`: which output the event or divergence is of. `sides`: the two data sets, in the order of
    the comparison. `found`: what was found. `user`: as in `refuted`.
    """
    likelier, other = ("data", "neighbor") if found.place == 0 else ("neighbor", "data")
    if found.gap is not None and found.excess is not None:
        masses = _ends(found.gap.p), _ends(found.gap.q)
        return _by_event(about, sides, found.gap.words, likelier, masses, found.excess, user)
    of = DivergenceWitness(
        sides[0], sides[1], about, found.measure, likelier, found.value, found.allowed
    )
    size = "is infinite"
    if found.value is not None:
        size = f"is at least {number_below(float(found.value[0]), 6)}"
    reason = (
        f"the {found.measure} of the law on the {likelier} from that on the {other} {size}, "
        f"and the claim allows {number_above(float(found.allowed), 6)}"
    )
    return Refuted(of, reason)


def _by_event(
    about: str,
    sides: list[Any],
    words: str,
    likelier: str,
    masses: tuple[Enclosure, Enclosure],
    excess: Enclosure,
    user: tuple[int, Fraction] | None = None,
) -> Refuted:
    (p, q), (index, budget) = masses, user or (None, None)
    witness = ExactWitness(
        sides[0],
        sides[1],
        about,
        words,
        likelier,
        p,
        q,
        excess,
        user=None if index is None else index + 1,
        budget=budget,
        loss=enclosed_log(p, q),
    )
    other = "neighbor" if likelier == "data" else "data"
    reason = (
        f"{about}{',' * about.endswith(MOVED)} lies in an event with probability "
        f"{probability_words(p[0])} on the {likelier} and {probability_words(q[1])} on the {other}"
    )
    return Refuted(witness, reason)


def check_no_pairs(asked: Question) -> None:
    """Refuse listed pairs where a lemma speaks of all neighbors at once.

    Raises InvalidArgument if there are any.
    """
    if asked.pairs:
        msg = f"mode 'exact' proves {asked.name} for all neighbors at once; leave out --pair"
        raise InvalidArgument(msg)


def asked_for(mechanism: Any, method: str, kind: type[T]) -> T:
    """What a mechanism states of itself.

    Raises InvalidArgument if it is something else: another object could leave out what the lemmas
    rest on.
    """
    with reading(mechanism, method):
        stated: object = getattr(mechanism, method)()
        if not isinstance(stated, kind):
            msg = f"{method}() must return a {kind.__name__}, got {type(stated).__name__}"
            raise InvalidArgument(msg)
    return stated


def worst_users(
    losses: Mapping[int, Enclosure], budgets: Sequence[Fraction]
) -> tuple[tuple[int, Fraction, Enclosure], ...]:
    """Of each budget the user with the largest loss, counted from 1, as `Proof.users` has them."""
    worst: dict[Fraction, tuple[int, Fraction, Enclosure]] = {}
    for user, loss in losses.items():
        budget = budgets[user]
        if budget not in worst or worst[budget][2][1] < loss[1]:
            worst[budget] = user + 1, budget, loss
    return tuple(worst.values())


def enclosed_log(p: Enclosure, q: Enclosure) -> Enclosure | None:
    """Enclose log(p / q); None where q may be 0."""
    if q[0] <= 0 or p[0] <= 0:
        return None
    numbers = Balls(128)
    ratio = numbers.between(*p) / numbers.between(*q)
    return endpoints(numbers.log(ratio))


def listed(data: Any) -> Any:
    """A data set with its exact records as doubles."""
    return [_plain(x) for x in data] if isinstance(data, tuple) else data


def _plain(record: Any) -> Any:
    """A record as a double, where it is one."""
    if not isinstance(record, Fraction):
        return record
    return float(record) if Fraction(float(record)) == record else str(record)


def _ends(value: Mass, less: Fraction = Fraction(0)) -> Enclosure:
    lower, upper = endpoints(as_ball(value))
    return lower - less, upper - less
