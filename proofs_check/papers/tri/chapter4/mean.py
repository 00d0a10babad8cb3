"""DPUMEAN: private, exactly unbiased, and its explicit error (Regehr, Theorem 4.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from proofs_check.arguments import by_checks, by_hand
from proofs_check.checks import checks_of, encloses, mutant, proves, reworded
from proofs_check.claim import Claim, Finding, Method, Status
from proofs_check.language import Condition, Sentence, all_of, for_all, implies, reals
from proofs_check.papers.tri.chapter4 import mean_steps as steps
from proofs_check.papers.tri.chapter4.mean_steps import explicit_bound, sharp_bound
from proofs_check.papers.tri.common import printed_table
from proofs_check.steps import ByCheck, ByClaim, ByDefinition, ByHand

__all__ = ["CLAIMS", "explicit_bound", "main_term", "sharp_bound"]

POINTS: Sequence[tuple[Any, ...]] = (
    (".5", "1e-6", 10**5, 1, 6, 0, 3626),
    (".5", "1e-3", 10**4, "1.5", 4, 2, 1858),
    (".1", "1e-6", 10**6, 1, 8, 0, 5808),
)
"""eps, delta, n2, psi, lam, mu and n1."""

VALUES = {
    (16, 8, 804): ("2.52116068060158e-5", "3.62899358533196", "2.46462413164802e-6"),
    (16, 8, 1200): ("2.91716068060158e-5", "4.02499358533196", "2.86062413164802e-6"),
    (8, 4, 600): ("2.04689544819182e-5", "2.01271604802299", "2.11965417608965e-6"),
}
SHARP = ("1.25286952241987e-5", ".567852033134021", "1.33090817479876e-6")


@proves(
    "On failure: gamma times the error of name-and-shame is at most delta (1 + mu^2) / n2.",
    Method.SMT,
)
@mutant("delta^2 for delta", power=2)
@for_all(reals("d variance m n2"), polynomial=True)
def fallback(d: Any, variance: Any, m: Any, n2: Any, *, power: int = 1) -> Condition:
    """Gamma (Var + (1 - delta) mu^2) / (delta n2) <= delta (1 + mu^2) / n2, gamma = delta^2."""
    given = all_of(0 < d, d <= 1, 0 <= variance, variance <= 1, n2 >= 1)
    left = d * d * (variance + (1 - d) * m * m) / (d * n2)
    return implies(given, left <= d**power * (1 + m * m) / n2)


@encloses("The bound with 804, 1200 and 600 at three points.", Method.ENCLOSURE)
@mutant("16.16 for 16", factor=Fraction(101, 100))
def values(factor: Fraction = Fraction(1)) -> Finding:
    """Evaluate the bound with (16, 8, 804), with (16, 8, 1200), and with our (8, 4, 600)."""
    rows = [
        ((*point, *last), printed)
        for last, column in VALUES.items()
        for point, printed in zip(POINTS, column, strict=True)
    ]

    def formula(*row: Any, numbers: Any) -> Any:
        *point, first, second, third = row
        return explicit_bound(*point, last=(factor * first, second, third), numbers=numbers)

    return printed_table(formula, rows)


@encloses("The sharp bound at three points.", Method.ENCLOSURE)
@mutant("sigma = 10.1 for 10", sigma=Fraction(101, 10))
def sharp_values(sigma: Fraction = Fraction(10)) -> Finding:
    """Evaluate the sharp bound."""
    return printed_table(
        lambda *point, numbers: sharp_bound(*point, sigma=sigma, numbers=numbers),
        list(zip(POINTS, SHARP, strict=True)),
    )


def main_term(eps: Any, n2: Any, fourth: Any, lam: Any = 4, *, numbers: Any) -> Any:
    """1/n2 + 8 c^2/(n2 eps)^2, c = 10 + (fourth n2 eps)^(1/4): what remains for small delta."""
    c = 10 + numbers.power(fourth * n2 * eps, 1 / Fraction(lam))
    return 1 / n2 + 8 * c**2 / (n2 * eps) ** 2


MAIN = (
    ((".9", 1000, 3), ".003925"),
    ((".9", 1000, 9), ".004750"),
    ((".9", 1000, 1), ".003366"),
)
"""(eps, n2, psi^4) and the main term: normal, unit-variance Student with 5 degrees, fair sign."""


@encloses("The main term for three laws.", Method.ENCLOSURE)
@mutant("1.01 eps for eps", factor=Fraction(101, 100))
def main_values(factor: Fraction = Fraction(1)) -> Finding:
    """Evaluate the main term for three laws with lam = 4."""
    return printed_table(
        lambda eps, n2, fourth, *, numbers: main_term(factor * eps, n2, fourth, numbers=numbers),
        MAIN,
    )


@proves("The noise counts with probability at most one: 1 + gamma covers it.", Method.SMT)
@mutant("a probability of up to 1.01", part=Fraction(101, 100))
@for_all(reals("c g p"), polynomial=True)
def settles(c: Any, g: Any, p: Any, *, part: Fraction = Fraction(1)) -> Condition:
    """What multiplies gamma in the sharp bound may be left out of its noise term: P <= 1."""
    return implies(all_of(0 <= p, p <= part, g >= 0), p * c * c <= c * c * (1 + g))


ERROR_STEPS = checks_of(
    *steps.CLIPPING,
    reworded(
        steps.hoelder,
        "Hoelder's inequality, from Bernoulli's: E[1_B Y^2] <= P[B]^(1-2/lam) E[|Y|^lam]^(2/lam).",
    ),
    fallback,
    steps.variance_of_the_scaled_data,
)

ERROR_ARGUMENT = (
    "Let B be the event that the coarse estimate fails or is more than sigma off; P[B] <= gamma by "
    "(4.1) for X/sigma. If it fails, the error is that of name-and-shame, and the halves are "
    "independent. If not, given mu~ the error is the noise 8 c^2/N^2, the variance of the clipped "
    "mean, at most 1/n2 because clipping is a contraction, and the squared bias: off B at most "
    "K(lam)^2 psi^2 N^(2/lam)/N^2 by Lemma B.1.2, on B at most (|mu~ - mu| + c)^2, whose mean is "
    "at most 2 gamma^(1-2/lam) (sigma^lam/2 + n1 2^(lam-1) psi^lam)^(2/lam) + 2 gamma c^2 by "
    "Hoelder's inequality and Proposition 4.1.3 for X/sigma, times sigma. "
)

CLAIMS = (
    Claim(
        id="TRI-T4.2.1",
        source="Theorem 4.2.1",
        states=(
            steps.pair_is_private,
            Sentence(
                "The pair that DPUMEAN returns is (eps, delta)-private; its second part is exactly "
                "unbiased for symmetric laws, also given that the coarse estimate exists; and its mean "
                "squared error has an explicit bound.",
                r"\mathbb{E}(\hat\mu - \mu)^2 \le \frac{1}{n_2} + \frac{33\psi^2 N^{2/\lambda} + 3200}{N^2} "
                r"+ \frac{\delta(1+\mu^2)}{n_2} + \delta^{2-4/\lambda}\bigl(16\psi^2 n_1^{2/\lambda} + "
                r"8\psi^2 N^{2/\lambda} + 804\bigr), \quad N = n_2\varepsilon",
            ),
        ),
        status=Status.CORRECTED,
        domain=(
            "eps, delta in (0, 1), n2 >= 1, psi >= 1, lam >= 2, sigma = 10, c = sigma + psi "
            "(n2 eps)^(1/lam), gamma = delta^2, n1 as in (4.1); Var <= 1, E|X - mu|^lam <= psi^lam"
        ),
        checks=checks_of(
            reworded(
                steps.pair_is_private,
                "A swap in the second half costs (eps, p delta), p the probability of failure.",
            ),
            steps.sensitivity,
            steps.released_mean,
            *ERROR_STEPS,
            steps.clipping_constant_falls,
            steps.noise_constants,
            steps.powers,
            steps.constants,
            values,
        ),
        assumes=(
            "TRI-P4.1.1",
            "TRI-P4.1.2",
            "TRI-P4.1.3",
            "TRI-E4.1",
            "TRI-LC.4.1",
            "TRI-LB.1.2",
            "TRI-LB.1.4",
            "TRI-P3.0.2",
        ),
        errata=("TRI-ER-07", "TRI-ER-08"),
        why="The print has an O-form for all n2 and eps, and the same for the conditional error (TRI-ER-08); its proof loses the factor sigma^lam (TRI-ER-07).",
        right="The explicit bound of the formula; the error given that the coarse estimate exists is at most this over 1 - delta^2.",
        steps=(
            ByCheck("sensitivity"),
            ByCheck("far_from_the_clip"),
            ByCheck("bias_is_small"),
            ByCheck("own_route"),
            *by_checks(
                steps.hoelder,
                fallback,
                steps.variance_of_the_scaled_data,
                steps.clipping_constant_falls,
                steps.noise_constants,
                steps.powers,
            ),
            ByDefinition("TRI-A.DPUM", "Privacy: each record lies in one half."),
            ByHand(
                "A swap in the first half changes the law of mu~ within (eps, delta), and mu^ is then drawn from the same other half."
            ),
            ByCheck(
                "pair_is_private",
                "A swap in the second half leaves mu~ alone; given mu~ the estimate has Laplace noise for the sensitivity 2c/n2, or is name-and-shame.",
            ),
            ByClaim(
                "TRI-P4.1.2",
                "Unbiased: name-and-shame is, and given mu~ != failure mu~ is symmetric about mu (Proposition 4.1.2) and independent of the second half, so a clipped record is symmetric about mu (Lemma C.4.1); the means exist, as the moment bound shows.",
            ),
            ByClaim(
                "TRI-E4.1",
                "Error: Let B be the event that the coarse estimate fails or is more than sigma off; P[B] <= gamma by (4.1) for X/sigma.",
            ),
            *by_hand(
                "If it fails, the error is that of name-and-shame, and the halves are independent.",
                "If not, given mu~ the error is the noise 8 c^2/N^2, the variance of the clipped mean, at most 1/n2 because clipping is a contraction, and the squared bias: off B at most K(lam)^2 psi^2 N^(2/lam)/N^2 by Lemma B.1.2, on B at most (|mu~ - mu| + c)^2, whose mean is at most 2 gamma^(1-2/lam) (sigma^lam/2 + n1 2^(lam-1) psi^lam)^(2/lam) + 2 gamma c^2 by Hoelder's inequality and Proposition 4.1.3 for X/sigma, times sigma.",
            ),
            ByCheck(
                "constants",
                "With gamma = delta^2 and (a + b)^(2/lam) <= a^(2/lam) + b^(2/lam) the last bracket is (8, 4, 600).",
            ),
        ),
        note="The printed proof loses sigma^lam and its route gives 1200 (TRI-ER-07); 804 is true. At lam = 2 the power of delta is 0. The conditional error is at most this over 1 - delta^2.",
    ),
    Claim(
        id="TRI-T4.2.1-sharp",
        source="our own (the proof of Theorem 4.2.1 without its last losses)",
        says="The mean squared error of DPUMEAN has a bound that keeps gamma and K(lam).",
        latex=(
            r"\mathbb{E}(\hat\mu-\mu)^2 \le \frac1{n_2} + \frac{8c^2(1+\gamma) + K(\lambda)^2\psi^2 "
            r"N^{2/\lambda}}{N^2} + \frac{\gamma(1+(1-\delta)\mu^2)}{n_2\delta} + 2\gamma^{1-2/\lambda}"
            r"\Bigl(\frac{\sigma^{\lambda}}{2} + n_1 2^{\lambda-1}\psi^{\lambda}\Bigr)^{2/\lambda} + 2\gamma c^2"
        ),
        status=Status.PROVED,
        domain="as Theorem 4.2.1, with any gamma in (0, 1] and n1 for it; values with gamma = delta^2",
        ours=True,
        checks=checks_of(*ERROR_STEPS, settles, main_values, sharp_values),
        assumes=("TRI-P4.1.3", "TRI-E4.1", "TRI-LB.1.2", "TRI-P3.0.2"),
        steps=(
            ByCheck("far_from_the_clip"),
            ByCheck("bias_is_small"),
            ByCheck("own_route"),
            *by_checks(steps.hoelder, fallback, steps.variance_of_the_scaled_data, settles),
            ByClaim(
                "TRI-E4.1",
                "Let B be the event that the coarse estimate fails or is more than sigma off; P[B] <= gamma by (4.1) for X/sigma.",
            ),
            *by_hand(
                "If it fails, the error is that of name-and-shame, and the halves are independent.",
                "If not, given mu~ the error is the noise 8 c^2/N^2, the variance of the clipped mean, at most 1/n2 because clipping is a contraction, and the squared bias: off B at most K(lam)^2 psi^2 N^(2/lam)/N^2 by Lemma B.1.2, on B at most (|mu~ - mu| + c)^2, whose mean is at most 2 gamma^(1-2/lam) (sigma^lam/2 + n1 2^(lam-1) psi^lam)^(2/lam) + 2 gamma c^2 by Hoelder's inequality and Proposition 4.1.3 for X/sigma, times sigma.",
            ),
        ),
        note="The factor 1 + gamma of the noise could be 1.",
    ),
)
