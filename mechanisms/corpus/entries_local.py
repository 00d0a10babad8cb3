"""Entries of the corpus whose data are one value of a user."""

from __future__ import annotations

from mechanisms.claims import ApproxDP, PureDP
from mechanisms.corpus.entry import CorpusEntry

__all__ = ["LOCAL"]

_LOCAL = "mechanisms.corpus.local"
_SETS = "mechanisms.corpus.local_sets"
_HASHING = "mechanisms.corpus.local_hashing:LocalHashing"
_APPROXIMATE = "mechanisms.corpus.approximate_local"
_RAPPOR = "mechanisms.corpus.rappor:Rappor"
_APPROX = ApproxDP(1, "1e-5")

LOCAL: dict[str, CorpusEntry] = {
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
    "corpus.subset-selection": CorpusEntry(
        f"{_SETS}:SubsetSelection", "Ye and Barg 2018; ldp-audit's SS", PureDP(1)
    ),
    "corpus.summed-histogram": CorpusEntry(
        f"{_SETS}:HistogramEncoding", "Wang et al. 2017; ldp-audit's SHE", PureDP(1)
    ),
    "corpus.thresholded-histogram": CorpusEntry(
        f"{_SETS}:HistogramEncoding",
        "Wang et al. 2017; ldp-audit's THE",
        PureDP(1),
        arguments={"thresholded": True},
    ),
    "corpus.binary-hashing": CorpusEntry(
        _HASHING, "Wang et al. 2017; ldp-audit's BLH", PureDP(1), arguments={"g": 2}
    ),
    "corpus.optimized-hashing": CorpusEntry(
        _HASHING, "Wang et al. 2017; ldp-audit's OLH", PureDP(1)
    ),
    "corpus.approximate-response": CorpusEntry(
        f"{_APPROXIMATE}:ApproximateResponse", "ldp-audit's AGRR", _APPROX
    ),
    "corpus.approximate-unary": CorpusEntry(
        f"{_APPROXIMATE}:ApproximateUnary", "ldp-audit's ASUE", _APPROX
    ),
    "corpus.approximate-binary-hashing": CorpusEntry(
        _HASHING, "ldp-audit's ABLH", _APPROX, arguments={"g": 2, "delta": "1e-5"}
    ),
    "corpus.approximate-hashing": CorpusEntry(
        _HASHING, "ldp-audit's AOLH", _APPROX, arguments={"delta": "1e-5"}
    ),
    "corpus.gaussian-histogram": CorpusEntry(
        "mechanisms.corpus.gaussian:GaussianHistogram", "ldp-audit's AGM", _APPROX
    ),
    "corpus.classic-gaussian-histogram": CorpusEntry(
        "mechanisms.corpus.gaussian:GaussianHistogram",
        "ldp-audit's GM",
        _APPROX,
        arguments={"kind": "classic"},
    ),
}
"""Protocols that each user runs on one value."""
