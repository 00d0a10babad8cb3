"""The certificate of a total: its steps in exact words, for a program that adds them up again.

What encloses totals (`proofs_check.composition`) and what rechecks them (`audit.certificate`) share
no code. A total that the recheck does not go through (sampled steps, many losses beside normal
laws, losses without a common unit, a claim nearer to the total than it is) has no certificate, and
it is said why.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from audit.accounting.account_sentences import EXACT_DIGITS, rounded
from audit.accounting.exact_steps import exact_step
from audit.accounting.release_plan import AccountClaim, Step
from audit.certificate.accounts import ACCOUNT, AS_STATED, LEMMAS_OF_ACCOUNTS, account_sentence
from audit.certificate.certificate_check import verify
from audit.certificate.certificate_form import Certificate, TooLarge
from audit.exact.recheck import Disagreement
from mechanisms.errors import CertificateError
from proofs_check.ends import Enclosed

__all__ = ["Uncertified", "certified"]

NOT_FINITE = "the total is infinite, and a certificate is of a finite one"
BEYOND = "the second program does not hold numbers so small or so large"
SAMPLED = "no second program adds up sampled steps"


@final
@dataclass(frozen=True, slots=True)
class Uncertified:
    """Why a total has no certificate."""

    why: str


def certified(
    steps: Sequence[Step], claim: AccountClaim, total: Enclosed, engine: str
) -> Certificate | Uncertified:
    """The certificate of a total that was proved, or why it is not gone through again.

    Raises Disagreement if it is rejected.
    """
    exact = [exact_step(step) for step in steps]
    epsilon = claim.epsilon
    if epsilon is None and total.upper is not None:
        epsilon = Fraction(rounded(total.upper, math.ceil, EXACT_DIGITS))
    if epsilon is None:
        return Uncertified(NOT_FINITE)
    if None in exact:
        return Uncertified(SAMPLED)
    parameters = {"steps": exact}
    claimed = {
        "epsilon": str(epsilon),
        "delta": str(claim.delta),
        "relation": claim.relation.value,
    }
    certificate = Certificate(
        statement=account_sentence(parameters, claimed),
        mechanism=ACCOUNT,
        parameters=parameters,
        claim=claimed,
        covers={"pairs": AS_STATED},
        lemmas=list(LEMMAS_OF_ACCOUNTS),
        evidence={},
        loss=[],
        information={"found by": engine},
    ).sealed()
    try:
        verify(certificate)
    except TooLarge as exc:
        return Uncertified(str(exc))
    except ArithmeticError:
        return Uncertified(BEYOND)
    except CertificateError as exc:
        msg = f"the total and its recheck disagree: proved by the {engine}; rejected, as {exc}"
        raise Disagreement(msg) from exc
    return certificate
