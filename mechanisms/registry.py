"""Names of the reference mechanisms and noise laws, with import paths as strings.

Reading the registry imports no implementation; what an entry says of relation, order and claim is
what its class declares, which is imported when it is asked. To add a mechanism or a law: its file,
one entry here, and its own tests (the contracts in `tests/contracts` run over these registries).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, final

from mechanisms.claims import ApproxDP, Order, PersonalizedDP, PureDP, Relation
from mechanisms.errors import InvalidArgument

__all__ = ["MECHANISMS", "NOISES", "MechanismEntry", "NoiseEntry", "build_mechanism", "build_noise"]

Form = Literal["sound", "as printed", "mutant"]


@final
@dataclass(frozen=True, slots=True)
class MechanismEntry:
    """One registered mechanism."""

    path: str
    """The class, as "module:attribute"."""
    source: str
    """Paper and item."""
    claims: tuple[str, ...]
    """Ids of the ledger's claims about its promise; of a printed form, the erratum."""
    form: Form = "sound"
    """Whether it keeps its promise, is kept as the print has it, or has a slip that nobody printed
    and that auditors find hard to see."""
    floating_point: bool = True
    """Whether noise is plain double precision: only the real-number algorithm keeps the promise."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Defaults of this entry on top of the class's own (epsilon = 1, low = 0, high = 1)."""

    @property
    def relation(self) -> Relation:
        """Which data sets are neighbors."""
        relation: Relation = self._mechanism.claim.relation
        return relation

    @property
    def order(self) -> Order:
        """Whether the order of the records is part of the data."""
        order: Order = self._mechanism.order
        return order

    @property
    def claim(self) -> str:
        """The promise in words, in the mechanism's own parameters.

        A class whose level is no simple function of its parameters says it itself (`promise`).
        """
        mechanism = self._mechanism
        match mechanism.claim.level:
            case PersonalizedDP():
                return "budgets"
            case PureDP(epsilon):
                times = epsilon / mechanism.epsilon
                return "epsilon" if times == 1 else f"{times} epsilon"
            case ApproxDP(epsilon) if not hasattr(mechanism, "promise"):
                return "(epsilon, delta)" if epsilon else "(0, delta)"
        return str(mechanism.promise)

    @property
    def _mechanism(self) -> Any:
        return _default(self.path, tuple(self.arguments.items()))


@final
@dataclass(frozen=True, slots=True)
class NoiseEntry:
    """One registered noise law: import path of the class, its arguments, and its source."""

    path: str
    source: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


def _entry(
    path: str,
    source: str,
    claims: str,
    *,
    form: Form | None = None,
    floating_point: bool = True,
    **arguments: Any,
) -> MechanismEntry:
    """Return the entry of a class below `mechanisms`; ids of claims are joined by commas."""
    ids = tuple(claims.split(", "))
    form = form or ("as printed" if path.startswith("as_printed.") else "sound")
    return MechanismEntry(f"mechanisms.{path}", source, ids, form, floating_point, arguments)


MECHANISMS: dict[str, MechanismEntry] = {
    "ksw.independent-laplace": _entry(
        "add_remove.independent_mean:IndependentMean", "KSW, Algorithm 1", "KSW-A1, KSW-A1p"
    ),
    "ksw.shifted-laplace": _entry(
        "add_remove.shifted_mean:ShiftedMean", "KSW, Algorithm 2", "KSW-L2"
    ),
    "ksw.transformed-laplace": _entry(
        "add_remove.transformed_mean:TransformedMean",
        "KSW, Algorithm 3 and Theorem 1",
        "KSW-T1, KSW-T1'",
        noise="laplace",
    ),
    "ksw.transformed-staircase": _entry(
        "add_remove.transformed_mean:TransformedMean",
        "KSW, Algorithm 3 and Lemma 5",
        "KSW-D3, KSW-D3p, KSW-L5, KSW-X6",
        noise="l1-staircase",
    ),
    "ksw.transformed-hourglass": _entry(
        "add_remove.transformed_mean:TransformedMean",
        "KSW, Algorithm 3 and Theorem 3",
        "KSW-T2, KSW-T3",
        noise="hourglass",
    ),
    "ksw.release-mean": _entry(
        "add_remove.release:ReleaseMean",
        "KSW, Algorithm 3 with the discrete hourglass (KSW-D5), integers throughout",
        "KSW-D5, KSW-D5p",
        floating_point=False,
    ),
    "ksw.swap-laplace": _entry(
        "add_remove.swap_mean:SwapMean", "KSW, equation (3)", "KSW-E3, KSW-SWp", noise="laplace"
    ),
    "ksw.swap-staircase": _entry(
        "add_remove.swap_mean:SwapMean",
        "KSW, equation (1)",
        "KSW-E1, KSW-E2, KSW-SWSp",
        noise="staircase",
    ),
    "ksw.count-then-swap": _entry(
        "add_remove.count_then_swap:CountThenSwap",
        "KSW, comparator: count, then swap, after Kamath, Mouzakis and Singhal 2023; "
        "reconstruction, constants ours",
        "PDP-L4, PDP-A8p, KSW-CMP",
    ),
    "ksw.transformed-laplace-as-printed": _entry(
        "as_printed.transformed_scale:PrintedTransformedMean",
        "KSW v1, proof of Theorem 1 (erratum KSW-ER1: noise scale w/epsilon)",
        "KSW-ER1",
        low="0",
        high="1/2",
    ),
    "tri.clipped-mean": _entry(
        "trilemma.clipped_mean:ClippedMean",
        "TRI, Proposition 3.0.1",
        "TRI-A.CLIP, TRI-A.CLIPp, TRI-P3.0.1, TRI-P3.0.1-sharp",
    ),
    "tri.name-and-shame": _entry(
        "trilemma.name_and_shame:NameAndShame", "TRI, Proposition 3.0.2", "TRI-A.NS, TRI-P3.0.2"
    ),
    "tri.combined": _entry(
        "trilemma.combined_mean:CombinedMean",
        "TRI, Proposition 3.0.3",
        "TRI-A.COMB, TRI-P3.0.3, TRI-P3.0.3-exact, TRI-P3.0.3-delta",
    ),
    "tri.coarse": _entry(
        "trilemma.coarse.mean:CoarseMean",
        "TRI, Algorithm 1 and Proposition 4.1.1",
        "TRI-A.DPUC, TRI-P4.1.1, TRI-P4.1.1-exact",
    ),
    "tri.symmetric-mean": _entry(
        "trilemma.symmetric.mean:SymmetricMean",
        "TRI, Algorithm 2 and Theorem 4.2.1",
        "TRI-A.DPUM, TRI-T4.2.1, TRI-T4.2.1-given",
    ),
    "tri.shuffled-mean": _entry(
        "trilemma.shuffled_mean:ShuffledMean",
        "TRI, Theorems 2.2.2 and 2.2.3",
        "TRI-A.SHUF, TRI-A.AVG, TRI-T2.2.2, TRI-T2.2.2-clones",
    ),
    "tri.tilted-sign": _entry(
        "trilemma.tilted_sign:TiltedSign",
        "TRI, chapter 5 (erratum TRI-ER-10: in place of the printed example)",
        "TRI-A.TILT, TRI-A.TILTp, TRI-R5-bern",
    ),
    "tri.coarse-as-printed": _entry(
        "as_printed.coarse:PrintedCoarseMean",
        "TRI, Appendix C.2 (erratum TRI-ER-17: another threshold, private)",
        "TRI-ER-17",
    ),
    "tri.coarse-mutant": _entry(
        "as_printed.coarse_scale:MutantCoarseMean",
        "TRI, Algorithm 1 with noise Lap(1/epsilon) in place of Lap(2/epsilon)",
        "TRI-P4.1.1-exact",
        form="mutant",
    ),
    "sub.bounded-mean": _entry(
        "subset.bounded_mean:BoundedMean",
        "SUB, Algorithm 1 and Lemma 3.3",
        "SUB-A1, SUB-L3.3p, SUB-L3.3",
    ),
    "sub.threshold": _entry(
        "subset.threshold:Threshold",
        "SUB, Algorithm 2 and Theorem 3.7",
        "SUB-T3.7p, SUB-T3.7",
        rank=3,
    ),
    "sub.threshold-grid": _entry(
        "subset.threshold_grid:GridThreshold", "SUB, Corollary 3.8", "SUB-C3.8p, SUB-T3.7p", rank=3
    ),
    "sub.threshold-as-printed": _entry(
        "as_printed.threshold:PrintedThreshold",
        "SUB, Algorithm 3 (erratum SUB-E1: parameters from the private size)",
        "SUB-E1",
    ),
    "sub.subset-mean-public-size": _entry(
        "subset.subset_mean:PublicSizeMean",
        "SUB, Algorithm 3 with a public size (SUB-A3-A)",
        "SUB-A3, SUB-T3.1p, SUB-T3.1s",
    ),
    "sub.subset-mean-noisy-size": _entry(
        "subset.subset_mean_noisy:NoisySizeMean",
        "SUB, Algorithm 3 with one noisy size (SUB-A3-B)",
        "SUB-A3, SUB-T3.1p, SUB-T3.1b",
    ),
    "sub.subset-mean-as-printed": _entry(
        "as_printed.subset_mean:PrintedSubsetMean",
        "SUB, Algorithm 3 (erratum SUB-E1: parameters from the private size)",
        "SUB-E1",
    ),
    "sub.inverse-sensitivity": _entry(
        "subset.inverse_sensitivity:InverseSensitivity",
        "SUB, Algorithm 5 with the exponent epsilon / 2",
        "SUB-A5, SUB-A5p, SUB-A5u, SUB-C.len",
    ),
    "sub.inverse-sensitivity-as-printed": _entry(
        "as_printed.inverse_sensitivity:PrintedInverseSensitivity",
        "SUB, Algorithm 5 (erratum SUB-E2: no epsilon in the exponent)",
        "SUB-E2",
        low="0",
        high="4",
    ),
    "sub.monotone": _entry(
        "subset.monotone:MonotoneStatistic",
        "SUB, Algorithm 4, repaired (SUB-A4*)",
        "SUB-A4, SUB-T4.3s",
    ),
    "sub.monotone-as-printed": _entry(
        "as_printed.monotone:PrintedMonotoneStatistic",
        "SUB, Algorithm 4 (errata SUB-E4: moved ranks, SUB-E7: ranks)",
        "SUB-E4, SUB-E7",
    ),
    "sub.histogram-mean": _entry(
        "subset.rivals.histogram_mean:HistogramMean",
        "SUB, comparator of Table 1: histogram, then clip, after Karwa and Vadhan 2018; "
        "reconstruction, constants ours",
        "PDP-L4, SUB-CMP",
    ),
    "sub.moment-mean": _entry(
        "subset.rivals.moment_mean:MomentMean",
        "SUB, comparator of Table 1: clipped moments, after Kamath, Singhal and Ullman 2020; "
        "reconstruction, constants ours",
        "PDP-L4, SUB-CMP",
    ),
    "sub.radius-mean": _entry(
        "subset.rivals.radius_mean:RadiusMean",
        "SUB, comparator of Table 1: private radius, after Huang, Liang and Yi 2021; "
        "reconstruction, constants ours",
        "PDP-A2, PDP-L4, SUB-CMP",
    ),
    "pdp.weighted-mean": _entry(
        "personalized.weighted_mean:WeightedMean",
        "PDP, Lemma 11 with a public interval",
        "PDP-L4, PDP-L11",
    ),
    "pdp.adpm": _entry(
        "personalized.adpm:ADPM",
        "PDP, Algorithm 3 with the smallest k",
        "PDP-A3, PDP-A3p, PDP-E-SAT",
    ),
    "pdp.find-quantile": _entry(
        "personalized.quantile.find_quantile:FindQuantile",
        "PDP, Algorithm 2",
        "PDP-A2, PDP-A2p, PDP-L7",
    ),
    "pdp.discretization": _entry(
        "personalized.sparse.discretization:Discretization",
        "PDP, Algorithm 4, repaired",
        "PDP-A1, PDP-A4, PDP-A4p, PDP-L16",
    ),
    "pdp.radius": _entry(
        "personalized.sparse.radius:Radius",
        "PDP, Algorithm 5, repaired",
        "PDP-A1, PDP-A5, PDP-A5p, PDP-L6",
    ),
    "pdp.diffusion": _entry(
        "personalized.diffusion.answers:DiffusedAnswers",
        "PDP, Theorem 10 with the tightest answers",
        "PDP-A-DIFF, PDP-T10",
        floating_point=False,
    ),
    "pdp.diffused-quantile": _entry(
        "personalized.quantile.diffused_quantile:DiffusedQuantile",
        "PDP, Theorem 10 with Algorithm 2",
        "PDP-A-DIFF, PDP-T10, PDP-A2, PDP-A2p",
    ),
    "pdp.range": _entry(
        "personalized.range.interval:PersonalizedRange",
        "PDP, Algorithm 6, repaired, and Theorem 10",
        "PDP-A6, PDP-A6p, PDP-T10, PDP-E7, PDP-L17u",
    ),
    "pdp.mean": _entry(
        "personalized.range.mean:PersonalizedMean",
        "PDP, Algorithm 7 with the repaired Algorithm 6",
        "PDP-A7, PDP-T11, PDP-T11u",
    ),
    "pdp.unbounded-mean": _entry(
        "personalized.groups.unbounded_mean:UnboundedMean",
        "PDP, Algorithm 8, repaired, and Theorem 13",
        "PDP-A8, PDP-A8p, PDP-T13, PDP-T13u, PDP-E22, PDP-E23",
    ),
    "pdp.above-threshold": _entry(
        "personalized.sparse.above_threshold:AboveThreshold",
        "PDP, Algorithm 1, with counts of records",
        "PDP-A1, PDP-A1p",
    ),
    "pdp.stretched-mean": _entry(
        "personalized.baselines.stretched_mean:StretchedMean",
        "PDP, comparator: stretching, after Alaggan, Gambs and Kermarrec 2015; reconstruction, "
        "constants ours",
        "PDP-L4, PDP-CMP",
    ),
    "pdp.partitioned-mean": _entry(
        "personalized.baselines.partitioned_mean:PartitionedMean",
        "PDP, comparator: partitioning, after Li, Xiong, Ji and Jiang 2017; reconstruction, "
        "constants ours",
        "PDP-L4, PDP-CMP",
    ),
    "pdp.sampled-mean": _entry(
        "personalized.baselines.sampled_mean:SampledMean",
        "PDP, comparator: sampling, after Jorgensen, Yu and Cormode 2015; reconstruction, "
        "constants ours",
        "PDP-T10, PDP-L4, PDP-CMP",
    ),
    "pdp.least-budget": _entry(
        "personalized.baselines.least_budget:LeastBudgetMean",
        "PDP, comparator: everyone at the least budget",
        "PDP-L4, PDP-CMP",
    ),
    "pdp.weighted-mean-as-printed": _entry(
        "as_printed.weighted_mean:PrintedWeightedMean",
        "PDP, Lemma 11 (erratum PDP-E-04: the range of the data)",
        "PDP-E-04, PDP-CX5",
    ),
    "pdp.adpm-as-printed": _entry(
        "as_printed.adpm:PrintedADPM",
        "PDP, Algorithm 3 (errata PDP-E-03: budgets sorted alone, PDP-E-30)",
        "PDP-E-03, PDP-CX6, PDP-E-30",
    ),
    "pdp.parallel-counts-as-printed": _entry(
        "as_printed.parallel_counts:PrintedCounts",
        "PDP, Lemmas 3 and 10 (erratum PDP-E-05: parallel composition)",
        "PDP-L3, PDP-L10, PDP-E-05, PDP-CX4",
    ),
    "pdp.discretization-as-printed": _entry(
        "as_printed.discretization:PrintedDiscretization",
        "PDP, Algorithm 4 (errata PDP-E-08: all pairs, PDP-E-10, PDP-E-12)",
        "PDP-E-08, PDP-E-10, PDP-E-12, PDP-CX8",
    ),
    "pdp.radius-as-printed": _entry(
        "as_printed.radius:PrintedRadius",
        "PDP, Algorithm 5 (erratum PDP-E-11: half the radius, private)",
        "PDP-E-11",
    ),
    "pdp.diffusion-as-printed": _entry(
        "as_printed.diffusion:PrintedDiffusedAnswers",
        "PDP, Algorithm 6 and equation (7) (errata PDP-E-01, PDP-E-02: rates)",
        "PDP-E-01, PDP-E-02, PDP-CX2",
        floating_point=False,
    ),
    "pdp.diffused-quantile-as-printed": _entry(
        "as_printed.diffused_quantile:PrintedDiffusedQuantile",
        "PDP, Algorithm 6 and equation (7) (errata PDP-E-01, E-02, E-10, E-13)",
        "PDP-E-01, PDP-E-02, PDP-E-10, PDP-E-13, PDP-CX3",
    ),
    "pdp.range-as-printed": _entry(
        "as_printed.range:PrintedRange",
        "PDP, Algorithm 6 (errata PDP-E-01, E-02, E-08, E-10, E-11, E-12, E-13)",
        "PDP-CX1, PDP-E-01, PDP-E-02, PDP-E-08, PDP-E-10, PDP-E-11, PDP-E-12, PDP-E-13",
    ),
    "pdp.mean-as-printed": _entry(
        "as_printed.mean:PrintedMean",
        "PDP, Algorithm 7 (those of Algorithm 6, and PDP-E-03, PDP-E-30)",
        "PDP-CX1, PDP-E-01, PDP-E-03, PDP-E-30",
    ),
    "pdp.unbounded-mean-as-printed": _entry(
        "as_printed.unbounded_mean:PrintedUnboundedMean",
        "PDP, Algorithm 8 (errata PDP-E-06: the count's budget, E-28, E-29, E-32)",
        "PDP-E-06, PDP-CX7, PDP-E-28, PDP-E-29, PDP-E-32",
    ),
}
"""Reference mechanisms by name `paper.item`."""

NOISES: dict[str, NoiseEntry] = {
    "laplace": NoiseEntry("mechanisms.noise.laplace:Laplace", "Dwork et al. 2006"),
    "geometric": NoiseEntry("mechanisms.noise.geometric:Geometric", "Ghosh et al. 2009"),
    "gaussian": NoiseEntry("mechanisms.noise.gaussian:Gaussian", "Balle and Wang 2018"),
    "discrete-gaussian": NoiseEntry(
        "mechanisms.noise.discrete_gaussian:DiscreteGaussian", "Canonne, Kamath and Steinke 2020"
    ),
    "staircase": NoiseEntry("mechanisms.noise.staircase:Staircase", "KSW-D2, eq. (11)"),
    "l1-staircase": NoiseEntry("mechanisms.noise.l1_staircase:L1Staircase", "KSW-D3, eq. (12)"),
    "hourglass": NoiseEntry("mechanisms.noise.hourglass:Hourglass", "KSW-D4, eq. (7)"),
    "discrete-hourglass": NoiseEntry(
        "mechanisms.noise.discrete_hourglass:DiscreteHourglass", "KSW-D5"
    ),
}
"""Noise laws by name."""


def build_mechanism(name: str, **arguments: Any) -> Any:
    """Make a registered mechanism; `arguments` override the entry's.

    Raises
    ------
    InvalidArgument
        If the name is unknown, or an argument is not one of the mechanism's or out of its domain.
    """
    entry = _lookup(MECHANISMS, name, "mechanism")
    return _build(name, entry.path, {**entry.arguments, **arguments})


def build_noise(name: str, **arguments: Any) -> Any:
    """Make a registered noise law; `arguments` override the entry's."""
    entry = _lookup(NOISES, name, "noise law")
    return _build(name, entry.path, {**entry.arguments, **arguments})


@cache
def _default(path: str, arguments: tuple[tuple[str, Any], ...]) -> Any:
    """Make what an entry stands for, once."""
    return _class(path)(**dict(arguments))


def _lookup(registry: Mapping[str, Any], name: str, kind: str) -> Any:
    if name not in registry:
        msg = f"unknown {kind} {name!r}; known: {', '.join(registry)}"
        raise InvalidArgument(msg)
    return registry[name]


def _build(name: str, path: str, arguments: Mapping[str, Any]) -> Any:
    import inspect

    kind = _class(path)
    known = inspect.signature(kind).parameters
    unknown = sorted(set(arguments) - set(known))
    if unknown:
        msg = f"{name} has no parameter {', '.join(unknown)}; it has: {', '.join(known)}"
        raise InvalidArgument(msg)
    return kind(**arguments)


def _class(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(importlib.import_module(module), attribute)
