"""Names of the reference mechanisms and noise laws, with import paths as strings.

Reading the registry imports no implementation. To add a mechanism or a law: its file, one entry
here, and its own tests (the contracts in `tests/contracts` run over these registries).
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

from mechanisms.claims import Order, Relation
from mechanisms.errors import InvalidArgument

__all__ = ["MECHANISMS", "NOISES", "MechanismEntry", "NoiseEntry", "build_mechanism", "build_noise"]

Form = Literal["sound", "as printed", "mutant"]


@final
@dataclass(frozen=True, slots=True)
class MechanismEntry:
    """One registered mechanism.

    Parameters
    ----------
    path : str
        "module:attribute" of the class.
    relation, order : Relation, Order
        What the class declares (a test compares).
    source : str
        Paper and item.
    claim : str
        The promise, in the mechanism's own parameters (a test compares).
    form : {"sound", "as printed", "mutant"}
        Whether it keeps its promise, is kept as the print has it, or has a slip that nobody printed
        and that auditors find hard to see.
    arguments : mapping
        Defaults of this entry on top of the class's own (epsilon = 1, low = 0, high = 1).
    floating_point : bool
        Whether the noise is plain double precision, so that only the real-number algorithm keeps
        the promise.
    claims : tuple of str
        Ids of the ledger's claims about its promise; of a printed form, the erratum.
    """

    path: str
    relation: Relation
    source: str
    claim: str = "epsilon"
    form: Form = "sound"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    order: Order = Order.FREE
    floating_point: bool = True
    claims: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True)
class NoiseEntry:
    """One registered noise law: import path of the class, its arguments, and its source."""

    path: str
    source: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


_ADD_REMOVE = "mechanisms.add_remove"
_TRILEMMA = "mechanisms.trilemma"
_SUBSET = "mechanisms.subset"
_PERSONALIZED = "mechanisms.personalized"
_AS_PRINTED = "mechanisms.as_printed"

MECHANISMS: dict[str, MechanismEntry] = {
    "ksw.independent-laplace": MechanismEntry(
        f"{_ADD_REMOVE}.independent:IndependentMean",
        Relation.ADD_REMOVE,
        "KSW, Algorithm 1",
        claims=("KSW-A1",),
    ),
    "ksw.shifted-laplace": MechanismEntry(
        f"{_ADD_REMOVE}.shifted:ShiftedMean",
        Relation.ADD_REMOVE,
        "KSW, Algorithm 2",
        claims=("KSW-L2",),
    ),
    "ksw.transformed-laplace": MechanismEntry(
        f"{_ADD_REMOVE}.transformed:TransformedMean",
        Relation.ADD_REMOVE,
        "KSW, Algorithm 3 and Theorem 1",
        arguments={"noise": "laplace"},
        claims=("KSW-T1", "KSW-T1'"),
    ),
    "ksw.transformed-staircase": MechanismEntry(
        f"{_ADD_REMOVE}.transformed:TransformedMean",
        Relation.ADD_REMOVE,
        "KSW, Algorithm 3 and Lemma 5",
        arguments={"noise": "l1-staircase"},
        claims=("KSW-D3", "KSW-L5"),
    ),
    "ksw.transformed-hourglass": MechanismEntry(
        f"{_ADD_REMOVE}.transformed:TransformedMean",
        Relation.ADD_REMOVE,
        "KSW, Algorithm 3 and Theorem 3",
        arguments={"noise": "hourglass"},
        claims=("KSW-T2", "KSW-T3"),
    ),
    "ksw.release-mean": MechanismEntry(
        f"{_ADD_REMOVE}.release:ReleaseMean",
        Relation.ADD_REMOVE,
        "KSW, Algorithm 3 with the discrete hourglass (KSW-D5), integers throughout",
        floating_point=False,
        claims=("KSW-D5",),
    ),
    "ksw.swap-laplace": MechanismEntry(
        f"{_ADD_REMOVE}.swap_mean:SwapMean",
        Relation.SWAP,
        "KSW, equation (3)",
        arguments={"noise": "laplace"},
        claims=("KSW-E3",),
    ),
    "ksw.swap-staircase": MechanismEntry(
        f"{_ADD_REMOVE}.swap_mean:SwapMean",
        Relation.SWAP,
        "KSW, equation (1)",
        arguments={"noise": "staircase"},
        claims=("KSW-E1", "KSW-E2"),
    ),
    "ksw.transformed-laplace-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.transformed_scale:PrintedTransformedMean",
        Relation.ADD_REMOVE,
        "KSW v1, proof of Theorem 1 (erratum KSW-ER1: noise scale w/epsilon)",
        form="as printed",
        arguments={"low": "0", "high": "1/2"},
        claims=("KSW-ER1",),
    ),
    "tri.clipped-mean": MechanismEntry(
        f"{_TRILEMMA}.clipped_mean:ClippedMean",
        Relation.SWAP,
        "TRI, Proposition 3.0.1",
        claims=("TRI-A.CLIP", "TRI-P3.0.1", "TRI-P3.0.1-sharp"),
    ),
    "tri.name-and-shame": MechanismEntry(
        f"{_TRILEMMA}.name_and_shame:NameAndShame",
        Relation.SWAP,
        "TRI, Proposition 3.0.2",
        "(0, delta)",
        claims=("TRI-A.NS", "TRI-P3.0.2"),
    ),
    "tri.combined": MechanismEntry(
        f"{_TRILEMMA}.combined:CombinedMean",
        Relation.SWAP,
        "TRI, Proposition 3.0.3",
        "(epsilon, delta)",
        claims=("TRI-A.COMB", "TRI-P3.0.3", "TRI-P3.0.3-exact"),
    ),
    "tri.coarse": MechanismEntry(
        f"{_TRILEMMA}.coarse.mean:CoarseMean",
        Relation.SWAP,
        "TRI, Algorithm 1 and Proposition 4.1.1",
        "(epsilon, delta)",
        claims=("TRI-A.DPUC", "TRI-P4.1.1", "TRI-P4.1.1-exact"),
    ),
    "tri.symmetric-mean": MechanismEntry(
        f"{_TRILEMMA}.symmetric.mean:SymmetricMean",
        Relation.SWAP,
        "TRI, Algorithm 2 and Theorem 4.2.1",
        "(epsilon, delta)",
        order=Order.FIXED,
        claims=("TRI-A.DPUM", "TRI-T4.2.1"),
    ),
    "tri.shuffled-mean": MechanismEntry(
        f"{_TRILEMMA}.shuffled:ShuffledMean",
        Relation.SWAP,
        "TRI, Theorems 2.2.2 and 2.2.3",
        "(epsilon_1, delta) by equation (2.2)",
        order=Order.FIXED,
        claims=("TRI-A.SHUF", "TRI-A.AVG", "TRI-T2.2.2"),
    ),
    "tri.tilted-sign": MechanismEntry(
        f"{_TRILEMMA}.tilted_sign:TiltedSign",
        Relation.SWAP,
        "TRI, chapter 5 (erratum TRI-ER-10: in place of the printed example)",
        claims=("TRI-A.TILT", "TRI-R5-bern"),
    ),
    "tri.coarse-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.coarse:PrintedCoarseMean",
        Relation.SWAP,
        "TRI, Appendix C.2 (erratum TRI-ER-17: another threshold, private)",
        "(epsilon, delta)",
        form="as printed",
        claims=("TRI-ER-17",),
    ),
    "tri.coarse-mutant": MechanismEntry(
        f"{_AS_PRINTED}.coarse_scale:MutantCoarseMean",
        Relation.SWAP,
        "TRI, Algorithm 1 with noise Lap(1/epsilon) in place of Lap(2/epsilon)",
        "(epsilon, delta)",
        form="mutant",
        claims=("TRI-P4.1.1-exact",),
    ),
    "sub.bounded-mean": MechanismEntry(
        f"{_SUBSET}.bounded_mean:BoundedMean",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 1 and Lemma 3.3",
        claims=("SUB-A1", "SUB-L3.3p", "SUB-L3.3"),
    ),
    "sub.threshold": MechanismEntry(
        f"{_SUBSET}.threshold:Threshold",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 2 and Theorem 3.7",
        arguments={"rank": 3},
        claims=("SUB-T3.7p", "SUB-T3.7"),
    ),
    "sub.threshold-grid": MechanismEntry(
        f"{_SUBSET}.threshold_grid:GridThreshold",
        Relation.ADD_REMOVE,
        "SUB, Corollary 3.8",
        arguments={"rank": 3},
        claims=("SUB-C3.8p",),
    ),
    "sub.threshold-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.threshold:PrintedThreshold",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 3 (erratum SUB-E1: parameters from the private size)",
        form="as printed",
        claims=("SUB-E1",),
    ),
    "sub.subset-mean-public-size": MechanismEntry(
        f"{_SUBSET}.subset_mean:PublicSizeMean",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 3 with a public size (SUB-A3-A)",
        "3 epsilon",
        claims=("SUB-A3", "SUB-T3.1p", "SUB-T3.1s"),
    ),
    "sub.subset-mean-noisy-size": MechanismEntry(
        f"{_SUBSET}.subset_mean_noisy:NoisySizeMean",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 3 with one noisy size (SUB-A3-B)",
        "3 epsilon",
        claims=("SUB-A3", "SUB-T3.1p"),
    ),
    "sub.subset-mean-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.subset_mean:PrintedSubsetMean",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 3 (erratum SUB-E1: parameters from the private size)",
        "3 epsilon",
        form="as printed",
        claims=("SUB-E1",),
    ),
    "sub.inverse-sensitivity": MechanismEntry(
        f"{_SUBSET}.inverse_sensitivity:InverseSensitivity",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 5 with the exponent epsilon / 2",
        claims=("SUB-A5", "SUB-C.len"),
    ),
    "sub.inverse-sensitivity-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.inverse_sensitivity:PrintedInverseSensitivity",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 5 (erratum SUB-E2: no epsilon in the exponent)",
        form="as printed",
        arguments={"low": "0", "high": "4"},
        claims=("SUB-E2",),
    ),
    "sub.monotone": MechanismEntry(
        f"{_SUBSET}.monotone:MonotoneStatistic",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 4, repaired (SUB-A4*)",
        claims=("SUB-A4", "SUB-T4.3s"),
    ),
    "sub.monotone-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.monotone:PrintedMonotoneStatistic",
        Relation.ADD_REMOVE,
        "SUB, Algorithm 4 (errata SUB-E4: moved ranks, SUB-E7: ranks)",
        form="as printed",
        claims=("SUB-E4", "SUB-E7"),
    ),
    "pdp.weighted-mean": MechanismEntry(
        f"{_PERSONALIZED}.weighted_mean:WeightedMean",
        Relation.SWAP,
        "PDP, Lemma 11 with a public interval",
        order=Order.FIXED,
        claims=("PDP-L4", "PDP-L11"),
    ),
    "pdp.adpm": MechanismEntry(
        f"{_PERSONALIZED}.adpm:ADPM",
        Relation.SWAP,
        "PDP, Algorithm 3 with the smallest k",
        "budgets",
        order=Order.FIXED,
        claims=("PDP-A3", "PDP-E-SAT"),
    ),
    "pdp.find-quantile": MechanismEntry(
        f"{_PERSONALIZED}.quantile.find_quantile:FindQuantile",
        Relation.SWAP,
        "PDP, Algorithm 2",
        claims=("PDP-A2", "PDP-L7"),
    ),
    "pdp.discretization": MechanismEntry(
        f"{_PERSONALIZED}.sparse.discretization:Discretization",
        Relation.SWAP,
        "PDP, Algorithm 4, repaired",
        claims=("PDP-A1", "PDP-A4", "PDP-L16"),
    ),
    "pdp.radius": MechanismEntry(
        f"{_PERSONALIZED}.sparse.radius:Radius",
        Relation.SWAP,
        "PDP, Algorithm 5, repaired",
        claims=("PDP-A1", "PDP-A5", "PDP-L6"),
    ),
    "pdp.diffusion": MechanismEntry(
        f"{_PERSONALIZED}.diffusion.answers:DiffusedAnswers",
        Relation.SWAP,
        "PDP, Theorem 10 with the tightest answers",
        "budgets",
        order=Order.FIXED,
        floating_point=False,
        claims=("PDP-A-DIFF", "PDP-T10"),
    ),
    "pdp.diffused-quantile": MechanismEntry(
        f"{_PERSONALIZED}.quantile.diffused:DiffusedQuantile",
        Relation.SWAP,
        "PDP, Theorem 10 with Algorithm 2",
        "budgets",
        order=Order.FIXED,
        claims=("PDP-A-DIFF", "PDP-T10", "PDP-A2"),
    ),
    "pdp.range": MechanismEntry(
        f"{_PERSONALIZED}.range:PersonalizedRange",
        Relation.SWAP,
        "PDP, Algorithm 6, repaired, and Theorem 10",
        "budgets",
        order=Order.FIXED,
        claims=("PDP-A6", "PDP-T10", "PDP-E7"),
    ),
    "pdp.mean": MechanismEntry(
        f"{_PERSONALIZED}.mean:PersonalizedMean",
        Relation.SWAP,
        "PDP, Algorithm 7 with the repaired Algorithm 6",
        "budgets",
        order=Order.FIXED,
        claims=("PDP-A7",),
    ),
    "pdp.unbounded-mean": MechanismEntry(
        f"{_PERSONALIZED}.groups.unbounded:UnboundedMean",
        Relation.ADD_REMOVE,
        "PDP, Algorithm 8, repaired, and Theorem 13",
        "budgets",
        claims=("PDP-A8", "PDP-T13", "PDP-E22", "PDP-E23"),
    ),
    "pdp.weighted-mean-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.weighted_mean:PrintedWeightedMean",
        Relation.SWAP,
        "PDP, Lemma 11 (erratum PDP-E-04: the range of the data)",
        form="as printed",
        order=Order.FIXED,
        claims=("PDP-E-04", "PDP-CX5"),
    ),
    "pdp.adpm-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.adpm:PrintedADPM",
        Relation.SWAP,
        "PDP, Algorithm 3 (errata PDP-E-03: budgets sorted alone, PDP-E-30)",
        "budgets",
        form="as printed",
        order=Order.FIXED,
        claims=("PDP-E-03", "PDP-CX6", "PDP-E-30"),
    ),
    "pdp.parallel-counts-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.parallel:PrintedCounts",
        Relation.SWAP,
        "PDP, Lemmas 3 and 10 (erratum PDP-E-05: parallel composition)",
        form="as printed",
        claims=("PDP-L3", "PDP-L10", "PDP-E-05", "PDP-CX4"),
    ),
    "pdp.discretization-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.discretization:PrintedDiscretization",
        Relation.SWAP,
        "PDP, Algorithm 4 (errata PDP-E-08: all pairs, PDP-E-10, PDP-E-12)",
        form="as printed",
        claims=("PDP-E-08", "PDP-E-10", "PDP-E-12", "PDP-CX8"),
    ),
    "pdp.radius-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.radius:PrintedRadius",
        Relation.SWAP,
        "PDP, Algorithm 5 (erratum PDP-E-11: half the radius, private)",
        form="as printed",
        claims=("PDP-E-11",),
    ),
    "pdp.diffusion-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.diffusion:PrintedDiffusedAnswers",
        Relation.SWAP,
        "PDP, Algorithm 6 and equation (7) (errata PDP-E-01, PDP-E-02: rates)",
        "budgets",
        form="as printed",
        order=Order.FIXED,
        floating_point=False,
        claims=("PDP-E-01", "PDP-E-02", "PDP-CX2"),
    ),
    "pdp.diffused-quantile-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.diffused_quantile:PrintedDiffusedQuantile",
        Relation.SWAP,
        "PDP, Algorithm 6 and equation (7) (errata PDP-E-01, E-02, E-10, E-13)",
        "budgets",
        form="as printed",
        order=Order.FIXED,
        claims=("PDP-E-01", "PDP-E-02", "PDP-E-10", "PDP-E-13", "PDP-CX3"),
    ),
    "pdp.range-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.range:PrintedRange",
        Relation.SWAP,
        "PDP, Algorithm 6 (errata PDP-E-01, E-02, E-08, E-10, E-11, E-12, E-13)",
        "budgets",
        form="as printed",
        order=Order.FIXED,
        claims=(
            "PDP-CX1",
            "PDP-E-01",
            "PDP-E-02",
            "PDP-E-08",
            "PDP-E-10",
            "PDP-E-11",
            "PDP-E-12",
            "PDP-E-13",
        ),
    ),
    "pdp.mean-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.mean:PrintedMean",
        Relation.SWAP,
        "PDP, Algorithm 7 (those of Algorithm 6, and PDP-E-03, PDP-E-30)",
        "budgets",
        form="as printed",
        order=Order.FIXED,
        claims=("PDP-CX1", "PDP-E-01", "PDP-E-03", "PDP-E-30"),
    ),
    "pdp.unbounded-mean-as-printed": MechanismEntry(
        f"{_AS_PRINTED}.unbounded:PrintedUnboundedMean",
        Relation.ADD_REMOVE,
        "PDP, Algorithm 8 (errata PDP-E-06: the count's budget, E-28, E-29, E-32)",
        "budgets",
        form="as printed",
        claims=("PDP-E-06", "PDP-CX7", "PDP-E-28", "PDP-E-29", "PDP-E-32"),
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


def _lookup(registry: Mapping[str, Any], name: str, kind: str) -> Any:
    if name not in registry:
        msg = f"unknown {kind} {name!r}; known: {', '.join(registry)}"
        raise InvalidArgument(msg)
    return registry[name]


def _build(name: str, path: str, arguments: Mapping[str, Any]) -> Any:
    import inspect

    module, _, attribute = path.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    known = inspect.signature(kind).parameters
    unknown = sorted(set(arguments) - set(known))
    if unknown:
        msg = f"{name} has no parameter {', '.join(unknown)}; it has: {', '.join(known)}"
        raise InvalidArgument(msg)
    return kind(**arguments)
