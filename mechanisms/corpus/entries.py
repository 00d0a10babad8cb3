"""Entries of the corpus whose data are query answers or records."""

from __future__ import annotations

from mechanisms.claims import (
    ApproxDP,
    GaussianDP,
    PersonalizedDP,
    PureDP,
    RenyiDP,
    TotalVariationDP,
    ZeroConcentratedDP,
)
from mechanisms.corpus.entry import CorpusEntry

__all__ = ["CENTRAL"]

_NOISE = "mechanisms.corpus.noise"
_SUMS = "mechanisms.corpus.sums"
_MAX = "mechanisms.corpus.noisy_max:NoisyMax"
_SVT = "mechanisms.corpus.sparse_vector:SparseVector"
_ADAPTIVE = "mechanisms.corpus.svt_adaptive:AdaptiveSparseVector"
_LEVEL = "mechanisms.corpus.nulls:GaussianLevel"
_TENTH = PureDP("1/10")

CENTRAL: dict[str, CorpusEntry] = {
    "corpus.laplace": CorpusEntry(f"{_NOISE}:LaplaceNoise", "Dwork et al. 2006", _TENTH),
    "corpus.laplace-snapped": CorpusEntry(
        f"{_NOISE}:SnappedLaplace", "Mironov 2012, snapping; DP-Sniper's LaplaceFixed", _TENTH
    ),
    "corpus.geometric": CorpusEntry(f"{_NOISE}:GeometricNoise", "Ghosh et al. 2009", _TENTH),
    "corpus.gaussian": CorpusEntry(
        "mechanisms.corpus.gaussian:GaussianNoise",
        "Balle and Wang 2018, Theorem 8",
        ApproxDP(1, "1/100"),
    ),
    "corpus.truncated-geometric": CorpusEntry(
        "mechanisms.corpus.truncated_geometric:TruncatedGeometric",
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
        "mechanisms.corpus.svt_parallel:ParallelSparseVector",
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
    "corpus.svt-adaptive": CorpusEntry(
        _ADAPTIVE,
        "Ding et al. 2019, which branch answers",
        _TENTH,
        arguments={"release": "branch", "c": 2},
    ),
    "corpus.svt-adaptive-gap": CorpusEntry(
        _ADAPTIVE, "Ding et al. 2019; CheckDP's adaptivesparsevector", _TENTH
    ),
    "corpus.svt-bad-adaptive": CorpusEntry(
        _ADAPTIVE,
        "CheckDP's badadaptivesparsevector",
        _TENTH,
        form="broken",
        arguments={"release": "value"},
    ),
    "corpus.svt-auditorium-2": CorpusEntry(
        _SVT, "DP-Auditorium's Algorithm 2", _TENTH, arguments={"variant": "auditorium-2"}
    ),
    "corpus.svt-auditorium-5": CorpusEntry(
        _SVT,
        "DP-Auditorium's Algorithm 5",
        _TENTH,
        form="broken",
        arguments={"variant": "auditorium-5"},
    ),
    "corpus.svt-auditorium-6": CorpusEntry(
        _SVT,
        "DP-Auditorium's Algorithm 6",
        _TENTH,
        form="broken",
        arguments={"variant": "auditorium-6"},
    ),
    "corpus.svt-numerical": CorpusEntry(
        _SVT, "Wang et al. 2019, NumericalSVT", _TENTH, arguments={"variant": "numerical", "c": 2}
    ),
    "corpus.auditorium-mean": CorpusEntry(
        "mechanisms.corpus.auditorium_mean:AuditoriumMean",
        "DP-Auditorium's MeanMechanism with both flags",
        PureDP(1),
        form="broken",
    ),
    "corpus.gaussian-zcdp": CorpusEntry(
        _LEVEL, "Bun and Steinke 2016, Proposition 1.6", ZeroConcentratedDP("1/2")
    ),
    "corpus.gaussian-gdp": CorpusEntry(
        _LEVEL, "Dong, Roth, Su 2022", GaussianDP(1), arguments={"level": "gdp"}
    ),
    "corpus.gaussian-renyi": CorpusEntry(
        _LEVEL, "Mironov 2017, Corollary 3", RenyiDP(2, 1), arguments={"level": "renyi"}
    ),
    "corpus.uniform-window": CorpusEntry(
        "mechanisms.corpus.nulls:UniformWindow",
        "Levin and Peres 2017, Proposition 4.2",
        TotalVariationDP("1/10"),
    ),
    "corpus.personalized-sum": CorpusEntry(
        "mechanisms.corpus.nulls:PersonalizedSum",
        "Laplace noise on a weighted sum",
        PersonalizedDP(("1/2", 1, 2)),
    ),
}
"""Noise, sums, noisy max, sparse vectors, and claims of other levels."""
