"""From a lemma that was checked to a certificate (`audit.certificate` rechecks it on its own).

The evidence is found here by running what the lemma was checked with: losses at records and levels
at points, in exact numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from audit.certificate.certificate_form import INFINITE, TABLE, Certificate, decimals, sentence
from audit.exact.all_neighbors import AllNeighbors
from audit.exact.cells.finite_laws import Rationals
from audit.exact.exact_search import Searched
from audit.exact.grid_multisets import Multisets
from audit.exact.question import Question
from audit.exact.symbolic.log_numbers import hourglass_exponent, level
from mechanisms.claims import PersonalizedDP
from mechanisms.noisy_query import NoisyQuery
from mechanisms.protocols import FiniteLaw

RECHECKED = (
    "ksw.independent-laplace",
    "ksw.shifted-laplace",
    "ksw.transformed-laplace",
    "ksw.transformed-staircase",
    "ksw.transformed-hourglass",
    "ksw.release-mean",
    "ksw.swap-laplace",
    "ksw.swap-staircase",
    "ksw.transformed-laplace-as-printed",
    "sub.bounded-mean",
    "sub.threshold",
    "sub.threshold-grid",
    "sub.inverse-sensitivity",
    "tri.clipped-mean",
    "tri.tilted-sign",
    "pdp.weighted-mean",
    "pdp.adpm",
    "sub.subset-mean-public-size",
    "sub.subset-mean-noisy-size",
    "sub.monotone",
    "tri.combined",
    "tri.symmetric-mean",
    "tri.shuffled-mean",
    "pdp.find-quantile",
    "pdp.discretization",
    "pdp.radius",
    "pdp.diffused-quantile",
    "pdp.diffusion",
    "pdp.range",
    "pdp.mean",
    "pdp.unbounded-mean",
    "ksw.count-then-swap",
    "sub.histogram-mean",
    "sub.moment-mean",
    "sub.radius-mean",
    "pdp.above-threshold",
    "pdp.stretched-mean",
    "pdp.least-budget",
    "pdp.partitioned-mean",
    "pdp.sampled-mean",
)
"""Mechanisms that `audit.certificate` states again: only these have certificates."""

BY_MULTISETS = ("sub.threshold", "sub.threshold-grid", "sub.inverse-sensitivity")
"""Those of them whose law is stated again for every data set; of the others nothing is gone through
again, and a claim that the lemma does not reach, but the multisets do, has no certificate."""

MOST_WRITTEN = 20_000
"""Probabilities of a certificate of tables; what takes long to compare has none either."""

PAIRS = "all neighbors of all data sets"
"""What a lemma speaks of."""
POST_PROCESSING = "post-processing"
EIGHTHS = [Fraction(k, 8) for k in range(9)]
OFF = Fraction(1, 16)
LEVELS = 4
"""Signed levels of the evidence of an hourglass: those near 0 stand for all."""


def certificate_of_query(
    asked: Question, query: NoisyQuery, found: AllNeighbors
) -> Certificate | None:
    """Write down what was proved of a mechanism with a noisy query; None of one not in RECHECKED.

    `query`: what it states. `found`: the lemma, and that it holds.
    """
    if asked.name not in RECHECKED:
        return None
    evidence = _evidence(query, swap=len(query.moves) == 1)
    loss = [str(found.loss), str(found.loss)]
    return _certificate(asked, {"pairs": PAIRS}, evidence, loss, found.lemmas)


def certificate_of_multisets(
    asked: Question, multisets: Multisets, found: Searched
) -> Certificate | None:
    """Write down what was proved of all multisets of a grid; None of one not in BY_MULTISETS."""
    covers = _covered(multisets)
    if asked.name not in BY_MULTISETS or found.ratio is None or covers is None:
        return None
    likelier, other = ([str(x) for x in side] for side in found.worst)
    evidence = {"pairs": found.pairs, "worst": {"likelier on": likelier, "than on": other}}
    return _certificate(asked, covers, evidence, decimals(found.ratio))


def certificate_of_tables(
    asked: Question, multisets: Multisets, found: Searched, laws: Callable[[Any], Any]
) -> Certificate | None:
    """Write down rational laws of all multisets of a grid, where there are few outcomes.

    `laws` has the law of each data set. None of other laws.
    """
    covers = _covered(multisets)
    if covers is None:
        return None
    numbers: Any = Rationals()
    rows, written = [], 0
    names: dict[Any, str] = {}
    for count in range(multisets.size + 1):
        for data in combinations_with_replacement(multisets.grid, count):
            law = laws(data)
            if not (isinstance(law, FiniteLaw) and law.rational) or law.cuts:
                return None
            masses = law.masses(numbers)
            known = {z: Fraction(p) for z, p in masses.items() if p}
            for z in known:  # 1 and True are one outcome, and have one name
                names.setdefault(z, repr(z))
            table = {names[z]: str(p) for z, p in known.items()}
            written += len(table)
            if written > MOST_WRITTEN:
                return None
            rows.append([list(map(str, data)), table])
    if len(set(names.values())) < len(names):  # outcomes of one name
        return None
    loss = INFINITE if found.ratio is None else decimals(found.ratio)
    return _certificate(asked, covers, {"laws": rows, "pairs": found.pairs}, loss, parameters=TABLE)


def certificate_of_weights(
    asked: Question, lemma: str, losses: Sequence[Fraction]
) -> Certificate | None:
    """Write down what every user of a weighted sum loses; None of one not in RECHECKED."""
    if asked.name not in RECHECKED:
        return None
    evidence = {"loss of a user": list(map(str, losses))}
    loss = [str(max(losses))] * 2
    return _certificate(asked, {"pairs": PAIRS}, evidence, loss, (lemma, POST_PROCESSING))


def certificate_of_composition(
    asked: Question, lemmas: Sequence[str], losses: Sequence[tuple[Fraction, Fraction]]
) -> Certificate | None:
    """Write down what every user of a composition loses; None of one not in RECHECKED."""
    level = asked.claim.level
    empty = not isinstance(level, PersonalizedDP) and asked.level[1] >= 1  # says nothing
    if asked.name not in RECHECKED or empty:
        return None
    evidence = {"epsilon and delta of a user": [list(map(str, loss)) for loss in losses]}
    loss = [str(max(epsilon for epsilon, _ in losses))] * 2
    return _certificate(asked, {"pairs": PAIRS}, evidence, loss, (*lemmas, POST_PROCESSING))


def _covered(multisets: Multisets) -> dict[str, Any] | None:
    """What spans the pairs; None where bounds meet, and the check is about different points."""
    points = [str(x) for x in multisets.grid]
    if len(set(points)) < len(points):
        return None
    pairs = f"multisets of at most {multisets.size} records among {', '.join(points)}"
    return {"pairs": pairs, "size": multisets.size, "points": points}


def _certificate(
    asked: Question,
    covers: dict[str, Any],
    evidence: dict[str, Any],
    loss: list[str],
    lemmas: Sequence[str] = (),
    parameters: dict[str, Any] | None = None,
) -> Certificate:
    if parameters is None:
        parameters = parameters_of(asked.mechanism)
    claim: dict[str, Any] = {"relation": asked.claim.relation.value}
    if isinstance(asked.claim.level, PersonalizedDP):
        claim["budgets"] = list(map(str, asked.claim.level.budgets))
    else:
        claim["epsilon"], claim["delta"] = map(str, asked.level)
    return Certificate(
        statement=sentence(asked.name, parameters, claim, covers["pairs"]),
        mechanism=asked.name,
        parameters=parameters,
        claim=claim,
        covers=covers,
        lemmas=list(lemmas),
        evidence=evidence,
        loss=loss,
        information=dict(asked.information),
    ).sealed()


def parameters_of(mechanism: Any) -> dict[str, Any]:
    """Parameters of a mechanism: exact numbers as text.

    Sources of coins are left out, and what is made from the parameters and not compared.
    """
    given = [item.name for item in fields(mechanism) if item.compare]
    values = {name: getattr(mechanism, name) for name in given}
    return {name: _written(value) for name, value in values.items() if name != "bits"}


def _written(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    return str(value) if isinstance(value, Fraction) else value


def _evidence(query: NoisyQuery, *, swap: bool) -> dict[str, Any]:
    """What the lemma found: for a record that is replaced by another (swap), or added."""
    first: Any = query.noises[0]
    lower, upper = query.records
    if hasattr(first, "scale"):
        kinks = [] if swap else [-d / c for c, d in query.moves if c]
        places = [upper - lower] if swap else [lower, upper, *kinks]
        noises: Any = query.noises
        rows = []
        for x in sorted({x for x in places if swap or lower <= x <= upper}):
            moves = zip(_move(query, x, swap=swap), noises, strict=True)
            loss = sum((abs(m) * z.epsilon / z.sensitivity for m, z in moves), Fraction(0))
            rows.append([str(x), str(loss)])
        return {"loss of a record": rows}
    if hasattr(first, "sensitivity"):
        places = [upper - lower] if swap else [lower, upper]
        table = []
        for x in sorted(set(places)):
            norm = sum((abs(m) for m in _move(query, x, swap=swap)), Fraction(0))
            table.append([x, norm, first.epsilon * -((-norm / first.sensitivity) // 1)])
        return {"norm and loss of a record": [list(map(str, row)) for row in table]}
    return {"level, rise and losses": list(_rises(first.epsilon, getattr(first, "grid", None)))}


def _move(query: NoisyQuery, x: Fraction, *, swap: bool) -> tuple[Fraction, ...]:
    if swap:
        return tuple(slope * x for slope, _ in query.moves)
    return query.move(x)


def _rises(step: Fraction, grid: int | None) -> Iterable[list[str]]:
    """Rises of the signed level under records of 0 to 1, and losses, for every gamma that may be.

    These are (0, 1], and on a grid (r - 1/2) / grid with r = 1, ..., grid: levels of |j| < r. The
    places lie off the ends of the levels, which are met by no integer of the grid.
    """
    met: dict[tuple[Fraction, Fraction], set[Fraction]] = {}
    places = [n + f + OFF for n, f in product(range(-LEVELS - 2, LEVELS + 2), EIGHTHS[:-1])]
    gammas = EIGHTHS[1:]
    if grid is not None:
        ends = Fraction(1, 2 * grid), 1 - Fraction(1, 2 * grid)
        gammas = sorted({*ends, *(g for g in gammas if ends[0] <= g <= ends[1])})
    for z, x, gamma in product(places, EIGHTHS, gammas):
        s, moved = (Fraction(level(y, gamma)) for y in (z, z + x))  # type: ignore[arg-type]
        if abs(s) <= LEVELS and (s, moved - s) not in met:
            met[s, moved - s] = {
                step * Fraction(hourglass_exponent(moved, t + 1) - hourglass_exponent(s, t))  # type: ignore[arg-type]
                for t in range(-LEVELS - 4, LEVELS + 5)
            }
    for (s, rise), losses in sorted(met.items()):
        yield [str(s), str(rise), *map(str, sorted(losses))]
