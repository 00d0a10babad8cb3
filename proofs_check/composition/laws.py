"""Laws of the privacy loss of one mechanism in one direction.

A mechanism is dominated by a pair (P, Q) of laws: delta(e) of two neighbors in one direction is at
most the excess H(e) = sup over events S of P(S) - exp(e) Q(S). The loss is L = ln(dP/dQ). All that
an engine asks of a pair is which losses have mass of their own, and how much of P and of Q lies
above a loss otherwise; the excess is then P(L > e) - exp(e) Q(L > e).

Sources: Gaussian, Balle and Wang 2018, Theorem 8; pure claims, Kairouz, Oh and Viswanath 2015,
Theorem 3.3; Poisson sampling, Zhu, Dong and Wang 2022.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final

from proofs_check.enclosure import Ball, Balls, certainly_less, endpoints

__all__ = [
    "Atom",
    "DiscreteGaussian",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Law",
    "Loss",
    "LossTable",
    "Sampled",
]

FAR = 2**-400
"""Of a discrete Gaussian, integers of less mass are left out, which the upper end adds up."""


@final
@dataclass(frozen=True, slots=True, order=True)
class Loss:
    """A loss that is known exactly: a rational number times 1, or times the logarithm of `base`."""

    times: Fraction
    base: Fraction | None = None

    def ball(self, numbers: Balls) -> Ball:
        """Enclose it."""
        unit = 1 if self.base is None else numbers.log(numbers.rational(self.base))
        return numbers.rational(self.times) * unit


@final
@dataclass(frozen=True, slots=True)
class Atom:
    """Outcomes of one loss: its masses under P and Q, and the loss exactly where it is known so."""

    loss: Ball
    p: Ball
    q: Ball
    exact: Loss | None = None


class Law(Protocol):
    """The law of a loss; `hash` and `==` tell whether two are the same."""

    @property
    def lattice(self) -> tuple[Loss, ...] | None:
        """Losses whose integer multiples are the losses with mass; None where none are known."""
        ...

    def most(self, numbers: Balls) -> Ball | None:
        """The largest loss; None where there is none."""
        ...

    def atoms(self, numbers: Balls) -> Iterator[Atom]:
        """Losses with mass; left out are some of a mass below 2^-300 together."""
        ...

    def smooth(self, numbers: Balls) -> Ball:
        """P-mass of all else, which has a density."""
        ...

    def tails(self, loss: Ball, numbers: Balls) -> tuple[Ball, Ball]:
        """Mass under P and Q of what has a density, above a loss."""
        ...


class _Discrete:
    """Laws without a density."""

    __slots__ = ()

    def smooth(self, numbers: Balls) -> Ball:
        """Nothing."""
        return numbers.rational(Fraction(0))

    def tails(self, loss: Ball, numbers: Balls) -> tuple[Ball, Ball]:  # noqa: ARG002
        """Nothing."""
        zero = numbers.rational(Fraction(0))
        return zero, zero


@final
@dataclass(frozen=True, slots=True)
class Gaussian:
    """N(mu, 1) against N(0, 1): the loss is N(mu^2 / 2, mu^2) under P, N(-mu^2 / 2, mu^2) under Q.

    k of them are one, with the sum of the mu^2.
    """

    mu_squared: Fraction
    lattice = None

    def most(self, numbers: Balls) -> Ball | None:  # noqa: ARG002
        """None."""
        return None

    def atoms(self, numbers: Balls) -> Iterator[Atom]:  # noqa: ARG002
        """None."""
        return iter(())

    def smooth(self, numbers: Balls) -> Ball:
        """All of it."""
        return numbers.rational(Fraction(1))

    def tails(self, loss: Ball, numbers: Balls) -> tuple[Ball, Ball]:
        """By the complementary error function."""
        half, root = self.mu_squared / 2, numbers.sqrt(numbers.rational(2 * self.mu_squared))
        p, q = (numbers.erfc((loss + shift) / root) / 2 for shift in (-half, half))
        return p, q


@final
@dataclass(frozen=True, slots=True)
class Laplace:
    """Laplace noise of scale b at 0 and at d, with epsilon = d / b.

    Left of 0 the loss is epsilon, right of d it is -epsilon; between, at x, it is
    (d - 2 x) / b, so P(L > l) there is the mass of 0 < x < (d - b l) / 2.
    """

    epsilon: Fraction

    @property
    def lattice(self) -> tuple[Loss, ...]:
        """Its ends have mass; what lies between has a density."""
        return (Loss(self.epsilon),)

    def most(self, numbers: Balls) -> Ball:
        """Epsilon."""
        return numbers.rational(self.epsilon)

    def atoms(self, numbers: Balls) -> Iterator[Atom]:
        """Both ends."""
        half = numbers.rational(Fraction(1, 2))
        small = half * numbers.exp(numbers.rational(-self.epsilon))
        for sign, p, q in ((1, half, small), (-1, small, half)):
            loss = Loss(sign * self.epsilon)
            yield Atom(loss.ball(numbers), p, q, loss)

    def smooth(self, numbers: Balls) -> Ball:
        """What is left of one half."""
        return (1 - numbers.exp(numbers.rational(-self.epsilon))) / 2

    def tails(self, loss: Ball, numbers: Balls) -> tuple[Ball, Ball]:
        """Exponentials."""
        epsilon = self.epsilon
        if certainly_less(loss, -epsilon):
            whole = self.smooth(numbers)
            return whole, whole
        if certainly_less(epsilon, loss):
            zero = numbers.rational(Fraction(0))
            return zero, zero
        low = numbers.exp((loss - epsilon) / 2)
        return (1 - low) / 2, (
            numbers.exp(-(loss + epsilon) / 2) - numbers.exp(numbers.rational(-epsilon))
        ) / 2


@final
@dataclass(frozen=True, slots=True)
class Geometric(_Discrete):
    """Two-sided geometric noise of ratio exp(-1/t) at 0 and at the integer d.

    The loss is d / t at and left of 0, -d / t at and right of d, (d - 2 x) / t between.
    """

    shift: int
    t: Fraction

    @property
    def lattice(self) -> tuple[Loss, ...]:
        """Multiples of 1 / t, of 2 / t where d is even."""
        return (Loss((1 if self.shift % 2 else 2) / self.t),)

    def most(self, numbers: Balls) -> Ball:
        """At and left of 0."""
        return numbers.rational(self.shift / self.t)

    def atoms(self, numbers: Balls) -> Iterator[Atom]:
        """One for each integer from 0 to d; the ends stand for all beyond."""
        ratio = numbers.exp(numbers.rational(-1 / self.t))
        end, step = 1 / (1 + ratio), (1 - ratio) / (1 + ratio)
        for x in range(self.shift + 1):
            mass = end if x in (0, self.shift) else step
            loss = Loss((self.shift - 2 * x) / self.t)
            yield Atom(loss.ball(numbers), mass * ratio**x, mass * ratio ** (self.shift - x), loss)


@final
@dataclass(frozen=True, slots=True)
class DiscreteGaussian(_Discrete):
    """Discrete Gaussian noise, masses exp(-x^2 / (2 s^2)) / Theta, at 0 and at the integer d.

    The loss at x is d (d - 2 x) / (2 s^2).
    """

    shift: int
    variance: Fraction

    def most(self, numbers: Balls) -> Ball | None:  # noqa: ARG002
        """None."""
        return None

    @property
    def lattice(self) -> tuple[Loss, ...]:
        """Multiples of d / (2 s^2), of d / s^2 where d is even."""
        return (Loss(self.shift * (2 - self.shift % 2) / (2 * self.variance)),)

    def atoms(self, numbers: Balls) -> Iterator[Atom]:
        """All integers that have mass to speak of."""
        reach = 1
        while Fraction(reach * reach) / (2 * self.variance) < 280:  # e^-280 < 2^-400
            reach += 1 + reach // 64
        total = numbers.rational(Fraction(1))
        for x in range(1, reach):
            total = total + 2 * self._weight(x, numbers)
        # beyond `reach` each weight is at most the last times a ratio below 1
        last, ratio = self._weight(reach, numbers), Fraction(2 * reach + 1) / (2 * self.variance)
        rest = endpoints(2 * last / (1 - numbers.exp(numbers.rational(-ratio))))[1]
        total = total + numbers.between(Fraction(0), rest)
        for x in range(-reach, reach + self.shift + 1):
            loss = Loss(self.shift * (self.shift - 2 * x) / (2 * self.variance))
            p, q = (self._weight(at, numbers) / total for at in (x, x - self.shift))
            yield Atom(loss.ball(numbers), p, q, loss)

    def _weight(self, x: int, numbers: Balls) -> Ball:
        return numbers.exp(numbers.rational(-Fraction(x * x) / (2 * self.variance)))


@final
@dataclass(frozen=True, slots=True)
class LossTable(_Discrete):
    """Finitely many outcomes, each with a loss and a mass; Q has mass p exp(-loss).

    Two tables with the same losses and masses are one law: rows stand in the order of the losses.
    """

    rows: tuple[tuple[Loss, Fraction | tuple[Fraction, Fraction]], ...]
    """Loss and P-mass: a rational a, or (a, b) for the number a / (1 + exp(b))."""

    @property
    def lattice(self) -> tuple[Loss, ...]:
        """Its losses."""
        return tuple(loss for loss, _ in self.rows if loss.times)

    def most(self, numbers: Balls) -> Ball:
        """That of the last row."""
        return self.rows[-1][0].ball(numbers)

    def atoms(self, numbers: Balls) -> Iterator[Atom]:
        """Its rows."""
        for loss, mass in self.rows:
            at = loss.ball(numbers)
            if isinstance(mass, tuple):
                p = mass[0] / (1 + numbers.exp(numbers.rational(mass[1])))
            else:
                p = numbers.rational(mass)
            yield Atom(at, p, p * numbers.exp(-at), loss)


@final
@dataclass(frozen=True, slots=True)
class Sampled:
    """A symmetric law whose record takes part with probability q only.

    To remove the record: ((1 - q) Q + q P, Q), whose loss is ln(1 - q + q exp(l)) where that of
    (P, Q) is l. To add it: (P, (1 - q) P + q Q), whose loss is -ln(1 - q + q exp(-l)); it is the
    other pair with its two laws exchanged, since (P, Q) is symmetric.
    """

    inner: Law
    rate: Fraction
    """Above 0 and below 1."""
    adds: bool
    lattice = None

    def most(self, numbers: Balls) -> Ball | None:
        """That of the inner law, moved."""
        inner = self.inner.most(numbers)
        if inner is None and not self.adds:
            return None
        if self.adds:  # the largest inner loss is as large as the smallest is small
            least = numbers.rational(Fraction(0)) if inner is None else numbers.exp(-inner)
            return -numbers.log((1 - self.rate) + self.rate * least)
        assert inner is not None
        return numbers.log((1 - self.rate) + self.rate * numbers.exp(inner))

    def atoms(self, numbers: Balls) -> Iterator[Atom]:
        """Those of the inner law, moved."""
        for atom in self.inner.atoms(numbers):
            inner = -atom.loss if self.adds else atom.loss
            loss = numbers.log((1 - self.rate) + self.rate * numbers.exp(inner))
            p, q = self._mixed(atom.p, atom.q)
            is_even = atom.exact is not None and not atom.exact.times
            yield Atom(-loss if self.adds else loss, p, q, Loss(Fraction(0)) if is_even else None)

    def smooth(self, numbers: Balls) -> Ball:
        """As much: (P, Q) is symmetric, so both have the same."""
        return self.inner.smooth(numbers)

    def tails(self, loss: Ball, numbers: Balls) -> tuple[Ball, Ball]:
        """Those of the inner law above the loss that is moved there."""
        ratio = numbers.exp(-loss if self.adds else loss) - (1 - self.rate)
        if certainly_less(0, ratio) is not True:
            # no outcome has a ratio at most 1 - q: all lies above, or, to add, below it
            whole = numbers.rational(Fraction(0)) if self.adds else self.smooth(numbers)
            if certainly_less(ratio, 0) is None:
                whole = numbers.between(Fraction(0), endpoints(self.smooth(numbers))[1])
            return whole, whole
        inner = numbers.log(ratio / self.rate)
        return self._mixed(*self.inner.tails(-inner if self.adds else inner, numbers))

    def _mixed(self, p: Ball, q: Ball) -> tuple[Ball, Ball]:
        if self.adds:
            return p, (1 - self.rate) * p + self.rate * q
        return self.rate * p + (1 - self.rate) * q, q
