"""Names of the corpus: mechanisms of the auditing literature, with import paths as strings.

Reading the registry imports no implementation. To add one: its class, one entry here, and its
exact epsilon in `tests/corpus`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

from mechanisms.claims import ApproxDP, Level, PureDP, Relation
from mechanisms.errors import InvalidArgument

__all__ = ["CORPUS", "CorpusEntry", "build_corpus"]

Form = Literal["sound", "broken"]


@final
@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """One mechanism of the corpus.

    Parameters
    ----------
    path : str
        "module:attribute" of the class.
    source : str
        Where the literature has it.
    claim : Level
        What it promises at the entry's parameters (a test compares with the class).
    form : {"sound", "broken"}
        Whether the algorithm on real numbers keeps the promise.
    arguments : mapping
        Defaults of this entry on top of the class's own.
    relation : Relation
        The neighbors are the listed pairs.
    """

    path: str
    source: str
    claim: Level
    form: Form = "sound"
    arguments: Mapping[str, Any] = field(default_factory=dict)
    relation: Relation = Relation.LISTED


_NOISE = "audit.corpus.noise"
_SUMS = "audit.corpus.sums"
_MAX = "audit.corpus.noisy_max:NoisyMax"
_SVT = "audit.corpus.sparse_vector:SparseVector"
_LOCAL = "audit.corpus.local"
_RAPPOR = "audit.corpus.rappor:Rappor"
_TENTH = PureDP("1/10")

CORPUS: dict[str, CorpusEntry] = {
    "corpus.laplace": CorpusEntry(f"{_NOISE}:LaplaceNoise", "Dwork et al. 2006", _TENTH),
    "corpus.laplace-snapped": CorpusEntry(
        f"{_NOISE}:SnappedLaplace", "Mironov 2012, snapping; DP-Sniper's LaplaceFixed", _TENTH
    ),
    "corpus.geometric": CorpusEntry(f"{_NOISE}:GeometricNoise", "Ghosh et al. 2009", _TENTH),
    "corpus.gaussian": CorpusEntry(
        f"{_NOISE}:GaussianNoise", "Balle and Wang 2018, Theorem 8", ApproxDP(1, "1/100")
    ),
    "corpus.truncated-geometric": CorpusEntry(
        "audit.corpus.truncated_geometric:TruncatedGeometric",
        "Balcer and Vadhan 2018, Algorithm 4.8, as in DP-Sniper",
        _TENTH,
        form="broken",
    ),
    "corpus.noisy-histogram-1": CorpusEntry(
        f"{_NOISE}:NoisyHistogram", "StatDP's histogram", _TENTH
    ),
    "corpus.noisy-histogram-2": CorpusEntry(
        f"{_NOISE}:NoisyHistogram",
        "StatDP's histogram with scale epsilon",
        _TENTH,
        form="broken",
        arguments={"inverted": True},
    ),
    "corpus.laplace-parallel": CorpusEntry(
        f"{_NOISE}:ParallelLaplace", "DP-Sniper's LaplaceParallel", _TENTH
    ),
    "corpus.prefix-sum": CorpusEntry(
        f"{_SUMS}:PrefixSum", "DP-Sniper's PrefixSum, any entry differs", PureDP(1)
    ),
    "corpus.noisy-sum": CorpusEntry(f"{_SUMS}:NoisySum", "CheckDP's partialsum", _TENTH),
    "corpus.noisy-sum-halved": CorpusEntry(
        f"{_SUMS}:NoisySum",
        "CheckDP's badpartialsum",
        _TENTH,
        form="broken",
        arguments={"halved": True},
    ),
    "corpus.smart-sum": CorpusEntry(f"{_SUMS}:SmartSum", "CheckDP's smartsum", PureDP("1/5")),
    "corpus.smart-sum-bare": CorpusEntry(
        f"{_SUMS}:SmartSum",
        "CheckDP's badsmartsum",
        PureDP("1/5"),
        form="broken",
        arguments={"bare": True},
    ),
    "corpus.noisy-max-1": CorpusEntry(_MAX, "StatDP's noisy_max_v1a", _TENTH),
    "corpus.noisy-max-2": CorpusEntry(
        _MAX, "StatDP's noisy_max_v2a", _TENTH, arguments={"noise": "exponential"}
    ),
    "corpus.noisy-max-3": CorpusEntry(
        _MAX, "StatDP's noisy_max_v1b", _TENTH, form="broken", arguments={"value": True}
    ),
    "corpus.noisy-max-4": CorpusEntry(
        _MAX,
        "StatDP's noisy_max_v2b",
        _TENTH,
        form="broken",
        arguments={"noise": "exponential", "value": True},
    ),
    "corpus.noisy-max-gumbel": CorpusEntry(
        _MAX, "DP-Auditorium's NoisyMax", _TENTH, arguments={"noise": "gumbel"}
    ),
    "corpus.svt-1": CorpusEntry(
        _SVT,
        "Lyu, Su, Li 2017, Algorithm 1",
        _TENTH,
        arguments={"variant": "svt1", "threshold": "1/2"},
    ),
    "corpus.svt-2": CorpusEntry(
        _SVT, "Lyu, Su, Li 2017, Algorithm 2", _TENTH, arguments={"variant": "svt2"}
    ),
    "corpus.svt-3": CorpusEntry(
        _SVT, "Lyu, Su, Li 2017, Algorithm 3", _TENTH, form="broken", arguments={"variant": "svt3"}
    ),
    "corpus.svt-4": CorpusEntry(
        _SVT, "Lyu, Su, Li 2017, Algorithm 4", _TENTH, form="broken", arguments={"variant": "svt4"}
    ),
    "corpus.svt-5": CorpusEntry(
        _SVT, "Lyu, Su, Li 2017, Algorithm 5", _TENTH, form="broken", arguments={"variant": "svt5"}
    ),
    "corpus.svt-6": CorpusEntry(
        _SVT, "Lyu, Su, Li 2017, Algorithm 6", _TENTH, form="broken", arguments={"variant": "svt6"}
    ),
    "corpus.svt-34-parallel": CorpusEntry(
        "audit.corpus.svt_parallel:ParallelSparseVector",
        "DP-Sniper's SVT34Parallel",
        PureDP("1/5"),
        form="broken",
    ),
    "corpus.svt-gap": CorpusEntry(
        _SVT, "CheckDP's gapsparsevector", _TENTH, arguments={"variant": "gap"}
    ),
    "corpus.svt-bad-gap": CorpusEntry(
        _SVT,
        "CheckDP's badgapsparsevector",
        _TENTH,
        form="broken",
        arguments={"variant": "bad-gap"},
    ),
    "corpus.svt-numerical": CorpusEntry(
        _SVT, "Wang et al. 2019, NumericalSVT", _TENTH, arguments={"variant": "numerical", "c": 2}
    ),
    "corpus.auditorium-mean": CorpusEntry(
        "audit.corpus.auditorium_mean:AuditoriumMean",
        "DP-Auditorium's MeanMechanism with both flags",
        PureDP(1),
        form="broken",
    ),
    "corpus.randomized-response": CorpusEntry(
        f"{_LOCAL}:RandomizedResponse", "Warner 1965", PureDP(1)
    ),
    "corpus.generalized-randomized-response": CorpusEntry(
        f"{_LOCAL}:RandomizedResponse",
        "Kairouz, Oh, Viswanath 2016; ldp-audit's GRR",
        PureDP(1),
        arguments={"k": 5},
    ),
    "corpus.symmetric-unary": CorpusEntry(
        f"{_LOCAL}:UnaryEncoding", "Erlingsson et al. 2014; ldp-audit's SUE", PureDP(1)
    ),
    "corpus.optimized-unary": CorpusEntry(
        f"{_LOCAL}:UnaryEncoding",
        "Wang et al. 2017; ldp-audit's OUE",
        PureDP(1),
        arguments={"kind": "optimized"},
    ),
    "corpus.symmetric-unary-sticky": CorpusEntry(
        f"{_LOCAL}:UnaryEncoding",
        "UE of pure-ldp 1.1.2 (pure-LDP issue 11)",
        PureDP(1),
        form="broken",
        arguments={"sticky": True},
    ),
    "corpus.rappor": CorpusEntry(_RAPPOR, "Erlingsson et al. 2014", PureDP("0.4001")),
    "corpus.one-time-rappor": CorpusEntry(
        _RAPPOR,
        "Erlingsson et al. 2014, permanent step only",
        PureDP("0.8007"),
        arguments={"f": "0.95", "p": 0, "q": 1},
    ),
}
"""Mechanisms by name `corpus.NAME`."""


def build_corpus(name: str, **arguments: Any) -> Any:
    """Make a mechanism of the corpus; `arguments` override the entry's.

    Besides `claim`, `order` and `sample` it has `pairs` (the literature's, at the entry's sizes)
    and `epsilon_exact(data, neighbor)` (the least epsilon that holds for a pair).

    Raises
    ------
    InvalidArgument
        If the name is unknown, or an argument is not one of the class's or out of its domain.
    """
    import importlib
    import inspect

    if name not in CORPUS:
        msg = f"unknown mechanism of the corpus {name!r}; known: {', '.join(CORPUS)}"
        raise InvalidArgument(msg)
    entry = CORPUS[name]
    module, _, attribute = entry.path.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    known = inspect.signature(kind).parameters
    if unknown := sorted(set(arguments) - set(known)):
        msg = f"{name} has no parameter {', '.join(unknown)}; it has: {', '.join(known)}"
        raise InvalidArgument(msg)
    return kind(**{**entry.arguments, **arguments})
