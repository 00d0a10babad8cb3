"""Private budgets in PDP: Algorithm 8, Theorem 13 and its informal copy, Theorem 4.

Users are grouped by budget, group i holding [2^(i-1) eps_min, 2^i eps_min); half of the left end pays
for the noisy count of the group, half for Algorithm 7 on a sample of that many users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.checks import checks_of, mutant, parts_of, proves, refutes
from proofs_check.claim import Claim, Finding, Method, Obligation, Status, exactly
from proofs_check.language import Domain, Private, Sentence, absolute, decided, real_symbols, solve
from proofs_check.papers.pdp.common import NUMBERS, PERCENT, ball
from proofs_check.printed_values import as_printed
from proofs_check.steps import ByCheck, ByClaim, ByDefinition, ByHand

__all__ = ["CLAIMS", "count_offset", "group_left_end", "group_of", "number_of_groups"]

SPANS = tuple(Fraction(t) for t in ("1", "3/2", "2", "3", "4", "10", "16", "33/2", "100", "1024"))

Sample = frozenset[int]
Coupling = Iterator[tuple[Sample, Fraction]]


def number_of_groups(span: Fraction) -> int:
    """J = floor(log2 T) + 1 for T = eps_max / eps_min."""
    count = 1
    while Fraction(2) ** count <= span:
        count += 1
    return count


def fewer_groups(span: Fraction) -> int:
    """floor(log2 T), as the text prints."""
    return number_of_groups(span) - 1


def group_left_end(i: int, least: Any) -> Any:
    """2^(i-1) eps_min."""
    return 2 ** (i - 1) * least


def group_of(budget: Fraction, least: Fraction) -> int:
    """The group of a budget, by exact comparison with the left ends."""
    group = 1
    while group_left_end(group + 1, least) <= budget:
        group += 1
    return group


def count_offset(left: Any, groups: Any, beta: Any, *, numbers: Any) -> Any:
    """(2 / left) ln(2 J / beta), subtracted from the noisy count."""
    return 2 / left * numbers.log(2 * groups / beta)


@proves("J groups cover all budgets, each within a factor 2 of its left end.", Method.EXACT)
@mutant("floor(log2 T), as the text prints", groups=fewer_groups)
def groups_cover(groups: Callable[[Fraction], int] = number_of_groups) -> Finding:
    """Every budget of [eps_min, eps_max] has one of the J groups, and left <= budget < 2 left."""
    least = Fraction(1, 10)
    for span in SPANS:
        for k in range(33):
            budget = least * (1 + (span - 1) * Fraction(k, 32))
            group = group_of(budget, least)
            left = group_left_end(group, least)
            if group > groups(span) or not left <= budget < 2 * left:
                return exactly(
                    False, f"T = {span}: budget {budget} is in group {group} of {groups(span)}"
                )
        if groups(span) > 1 and group_left_end(groups(span), least) > least * span:
            return exactly(False, f"T = {span}: the last group is empty")
    return exactly(groups(Fraction(16)) == 5, "T = 16 has 5 groups")


@proves("T = 16 has 5 groups; the print has 16 and 4.", Method.EXACT)
@mutant("T = 2", span=2)
def printed_groups(span: int = 16) -> Finding:
    """T = 16: five groups, where the loop prints 2^floor(log2 T) = 16 and the text floor(log2 T) = 4."""
    found = number_of_groups(Fraction(span))
    whole = found - 1
    return exactly(
        found not in (2**whole, whole), f"{found} groups; printed {2**whole} and {whole}"
    )


def exchange_uniformly(sample: Sample, gone: int, rest: Sample) -> Coupling:
    """Keep the sample if the user is not in it, else replace them by a uniform user not sampled."""
    spare = rest - sample
    if gone not in sample:
        yield sample, Fraction(1)
    elif not spare:
        yield sample - {gone}, Fraction(1)
    else:
        for user in spare:
            yield (sample - {gone}) | {user}, Fraction(1, len(spare))


def exchange_for_the_first(sample: Sample, gone: int, rest: Sample) -> Coupling:
    """A wrong rule: the first user who is not sampled."""
    spare = sorted(rest - sample)
    kept = sample - {gone}
    yield (kept | set(spare[:1]) if gone in sample else sample), Fraction(1)


@proves(
    "Samples with and without one user, coupled: uniform again, and one place changes (exact, m <= 7).",
    Method.EXACT,
    cases="groups of at most 7 users, counts of at most 2 more",
)
@mutant("the first user not sampled, not a uniform one", exchange=exchange_for_the_first)
def samples_are_coupled(
    exchange: Callable[[Sample, int, Sample], Coupling] = exchange_uniformly,
) -> Finding:
    """For m <= 7 users and every count c: the new sample is uniform, and one place of c changes.

    Samples have min(c, m) users and are padded with BOT to c places.
    """
    for m in range(1, 8):
        rest = frozenset(range(1, m))
        for c in range(m + 3):
            old = [frozenset(s) for s in combinations(range(m), min(c, m))]
            law: dict[Sample, Fraction] = {}
            for sample in old:
                for new, share in exchange(sample, 0, rest):
                    law[new] = law.get(new, Fraction(0)) + share / len(old)
                    kept = max(len(sample - new), len(new - sample))
                    if len(new) > c or kept > 1:
                        return exactly(False, f"m = {m}, c = {c}: {kept} places change")
            wanted = [frozenset(s) for s in combinations(range(1, m), min(c, m - 1))]
            if set(law) != set(wanted) or any(w != Fraction(1, len(wanted)) for w in law.values()):
                return exactly(False, f"m = {m}, c = {c}: the new sample is not uniform")
    return exactly(True, "all m <= 7 and c <= m + 2")


@proves(
    "left / 2 for the count and left / 2 for the mean make left, the least budget of the group.",
    Method.SMT,
)
@mutant("Lap(1.98 / left)", count_scale=Fraction(198, 100))
@mutant("0.505 left for the mean", later=PERCENT / 2)
@mutant("distance 2", distance=2)
@decided(solve)
def losses_of_a_user(
    count_scale: Fraction = Fraction(2), later: Fraction = Fraction(1, 2), distance: int = 1
) -> Private:
    """Count with Lap(scale / left) and Algorithm 7 at later * left on data at the distance: at most left."""
    left, budget = real_symbols("left eps")
    loss = left / count_scale + distance * later * left
    what = "Algorithm Eight, with the mean at left / 2,"
    return Private(what, "one user more or less", Domain((left > 0, left <= budget)), loss, budget)


@refutes("Printed: Lap(1 / left) and left / 4 at distance 2 make 1.5 left.", Method.EXACT)
@mutant("Lap(2 / left), as in the text", count_scale=Fraction(2))
def printed_losses(count_scale: Fraction = Fraction(1)) -> Finding:
    """Printed: Lap(1 / left), Algorithm 7 at left / 4 on data at distance 2: 1.5 left."""
    loss = 1 / count_scale + 2 * Fraction(1, 4)
    return exactly(loss > 1, f"{loss} times the left end, more than the budget of a user near it")


@proves("A noisy count of scale 2 / left loses at most left / 2.", Method.SMT)
@mutant("0.99 of it", scale=Fraction(198, 100))
@decided(solve)
def counts_are_private(scale: Fraction = Fraction(2)) -> Private:
    """Counts that differ by 1, with Laplace noise of scale 2 / left, lose at most left / 2."""
    z, count, left = real_symbols("z count left")
    loss = left * absolute(absolute(z - count) - absolute(z - count - 1)) / scale
    domain = Domain((left > 0,), free=(z, count))
    return Private("The noisy count of a group", "add-remove", domain, loss, left / 2)


@proves("Printed offset.", Method.ENCLOSURE)
@mutant("ln(2.02 J / beta)", scale=PERCENT)
def printed_offset(scale: Fraction = Fraction(1)) -> Finding:
    """(2 / left) ln(2 J / beta) for left = 0.1, J = 4, beta = 0.1."""
    value = count_offset(ball("0.1"), 4, ball("0.1") / scale, numbers=NUMBERS)
    return as_printed([("offset", "87.6405326934776", value)])


WHY = "The printed accounting spends 1.5 times the left end of a group (1.25 times at the true distance 1), more than the budget of users near the left end; the range stage uses wrong rates besides."

CLAIMS = (
    Claim(
        id="PDP-A8",
        source="Algorithm 8 (PDPMeanEstimationUnknownPrivacy)",
        says="The mean when budgets are private: group users by powers of 2 of their budgets, count each group privately, sample that many users, and run Algorithm 7 with the left ends.",
        latex=r"\tilde C_i = \left\lfloor |D_i| + \mathrm{Lap}\left(\tfrac{2}{l_i}\right) - \tfrac{2}{l_i} \ln\tfrac{2J}{\beta} \right\rfloor, \quad l_i = 2^{i-1} \varepsilon_{\min},\ J = \lfloor \log_2 T \rfloor + 1",
        domain="budgets in a public interval [eps_min, eps_max], T = eps_max / eps_min; samples padded with BOT (printed: Lap(1 / l_i), loop to 2^floor(log2 T), zeros)",
        status=Status.DEFINITION,
        assumes=("PDP-A7", "PDP-L4"),
        checks=checks_of(groups_cover, printed_groups, printed_offset),
    ),
    Claim(
        id="PDP-A8p",
        source="Algorithm 8, privacy",
        states=(counts_are_private, losses_of_a_user),
        domain="the noise of the count has scale 2 / left, left is the left end of the group of a user of budget eps; budgets in a public interval",
        status=Status.CORRECTED,
        ours=True,
        assumes=("PDP-A8", "PDP-T11"),
        errata=("PDP-E-06",),
        checks=checks_of(samples_are_coupled, counts_are_private, losses_of_a_user),
        why="As printed the count alone costs the whole left end.",
        right="Lap(2 / left) for the counts, Algorithm 7 at left / 2, BOT as padding.",
        obligations=(Obligation("the losses add up"),),
        steps=(
            ByCheck("samples_are_coupled"),
            ByCheck("counts_are_private"),
            ByCheck("losses_of_a_user"),
            ByDefinition("PDP-A8", "A user is in one group, so one count changes by 1."),
            ByHand(
                "Given the counts, the datasets for Algorithm 7 can be coupled to differ in one place of that group, whose budget is left / 2, also if a count is too large: given that u is sampled the other c - 1 are a uniform set of the others, and a uniform further one makes it a uniform set of c."
            ),
            ByHand("Algorithm 7 is private for such a pair, and so for its mixture."),
        ),
    ),
    Claim(
        id="PDP-T13",
        source="Theorem 13",
        states=(counts_are_private, losses_of_a_user),
        domain="the noise of the count has scale 2 / left, left is the left end of the group of a user of budget eps; surely (printed: with probability 1 - beta)",
        status=Status.CORRECTED,
        assumes=("PDP-A8p",),
        errata=("PDP-E-06",),
        checks=checks_of(losses_of_a_user, samples_are_coupled, counts_are_private),
        why=WHY,
        right="Lap(2 / left) for the counts and Algorithm 7 (with rates p*) at left / 2: private with the users' budgets, surely.",
        steps=(
            ByCheck("losses_of_a_user"),
            ByCheck("samples_are_coupled"),
            ByCheck("counts_are_private"),
            ByClaim("PDP-A8p", "As for PDP-A8p."),
        ),
        note="What it says of the error is PDP-T13u and PDP-T13o. The print promises privacy with probability 1 - beta only (PDP-E-07); the corrected algorithm has it surely, at distance 1 of the samples (PDP-E-29).",
    ),
    Claim(
        id="PDP-T4",
        source="Theorem 4 (informal copy of Theorem 13)",
        states=(
            counts_are_private,
            Sentence(
                "The paper's algorithm for private budgets is private with the users' budgets (and nearly optimal).",
                r"\text{Algorithm 8 is } \varepsilon(\cdot)\text{-PDP}",
            ),
        ),
        domain="the noise has scale 2 / left; unbounded neighbors",
        status=Status.CORRECTED,
        assumes=("PDP-A8p",),
        errata=("PDP-E-06",),
        checks=checks_of(printed_losses, losses_of_a_user, samples_are_coupled, counts_are_private),
        why=WHY,
        right="Lap(2 / left) for the counts and Algorithm 7 (with rates p*) at left / 2 make at most left <= eps(u). The order of the error is PDP-T13o.",
        steps=(
            ByCheck("losses_of_a_user"),
            ByCheck("samples_are_coupled"),
            ByCheck("counts_are_private"),
            ByClaim("PDP-A8p", "As for PDP-A8p."),
        ),
        obligations=parts_of(printed_losses),
        note="The refuting check is the printed accounting; that the printed mechanism itself exceeds the budget is the subject of Erratum 6.",
    ),
)
