"""Many claims at once: chains, errata, and what is kept from earlier runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mechanisms.errors import InvalidArgument
from proofs_check import registry, store
from proofs_check.claim import Status
from proofs_check.decide import ClaimResult
from proofs_check.prove import conditions, needed, prove
from proofs_check.registry import claims, find, module_of, select
from proofs_check.store import Store, default_folder, digest
from tests.proofs_check.ledgers import HERE, fact, ledger, stated


def test_a_claim_needs_what_it_assumes_and_its_errata(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold near and far, each once and in the order of the ledger."""
    with ledger(
        monkeypatch,
        stated("KSW-A", assumes=("KSW-C",)),
        stated("KSW-B"),
        stated("KSW-C", Status.CORRECTED, errata=("KSW-D",), assumes=("KSW-E",)),
        stated("KSW-D", Status.REFUTED, corrected_by="KSW-C"),
        stated("KSW-E", Status.OPEN),
    ):
        assert [c.id for c in needed([find("KSW-A")])] == ["KSW-A", "KSW-C", "KSW-D", "KSW-E"]
        results = prove(needed([find("KSW-A")]))
        assert {name: r.status for name, r in results.items()} == {
            "KSW-A": Status.PROVED,
            "KSW-C": Status.CORRECTED,
            "KSW-D": Status.REFUTED,
            "KSW-E": Status.OPEN,
        }
        assert conditions("KSW-A", results) == ["KSW-E"]
        assert conditions("KSW-E", results) == []


@pytest.mark.parametrize("found", [None, False])
def test_a_correction_whose_erratum_is_not_refuted_is_open(
    monkeypatch: pytest.MonkeyPatch, found: bool | None
) -> None:
    """It must hold that the print must be shown false."""
    erratum = stated("KSW-D", Status.REFUTED, checks=(fact(holds=found, refutes=True),))
    with ledger(monkeypatch, stated("KSW-C", Status.CORRECTED, errata=("KSW-D",)), erratum):
        results = prove(list(claims().values()))
    assert results["KSW-C"].status is Status.UNKNOWN
    assert not results["KSW-C"].as_registered


def test_a_result_is_kept_until_its_source_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It must hold that nothing runs twice, and that another digest or `fresh` runs it again."""
    ran = []

    def look(wrong: bool = False) -> object:
        ran.append(wrong)
        return fact().decide(wrong=wrong)

    check = fact()
    object.__setattr__(check, "decide", look)
    with ledger(monkeypatch, stated("KSW-A'*", checks=(check, fact("other")))):
        chosen = list(claims().values())
        kept = Store(tmp_path / "deep" / "folder")
        first = prove(chosen, store=kept)
        assert prove(chosen, store=kept) == first
        assert ran == [False, True]
        prove(chosen, store=Store(kept.folder, fresh=True))
        assert ran == [False, True] * 2
        monkeypatch.setattr("proofs_check.prove.digest", lambda _: "another")
        prove(chosen, store=kept)
        assert ran == [False, True] * 3
        assert len(list(kept.folder.iterdir())) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"key": 3}', '{"holds": true}'])
def test_a_damaged_file_is_no_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    """It must hold that the check is run again, and the file mended."""
    with ledger(monkeypatch, stated("KSW-A")):
        chosen = list(claims().values())
        kept = Store(tmp_path)
        prove(chosen, store=kept)
        (path,) = tmp_path.iterdir()
        path.write_text(text)
        assert kept.read("KSW-A", 0, digest(HERE)) is None
        assert prove(chosen, store=kept)["KSW-A"].status is Status.PROVED
        assert kept.read("KSW-A", 0, digest(HERE)) is not None


EDITS: dict[str, dict[str, object]] = {
    "a verdict": {"holds": True},
    "a mutant": {"mutants": {}},
    "a number": {"detail": "gap 1"},
    "a digest of the code": {"key": "another"},
}


@pytest.mark.parametrize("name", EDITS)
def test_an_entry_that_was_edited_is_checked_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """It must hold that what is false is not made true by an editor."""
    with ledger(monkeypatch, stated("KSW-A", checks=(fact(holds=False),))):
        chosen = list(claims().values())
        kept = Store(tmp_path)
        before = prove(chosen, store=kept)["KSW-A"].status
        (path,) = tmp_path.iterdir()
        path.write_text(json.dumps(json.loads(path.read_text()) | EDITS[name]))
        assert kept.read("KSW-A", 0, digest(HERE)) is None
        assert prove(chosen, store=kept)["KSW-A"].status is before is not Status.PROVED


HOSTILE = ["[" * 100_000, "7" * 5_000, '{"key": NaN}', '"' + "x" * 2**20 + '"', "\ud800"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_an_entry_of_a_stranger_is_no_result(tmp_path: Path, text: str) -> None:
    """It must hold of nesting, numbers and lengths without end, of pipes and of devices."""
    path = tmp_path / "KSW-A.0.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert Store(tmp_path).read("KSW-A", 0, "key") is None
    path.unlink()
    os.mkfifo(path)
    assert Store(tmp_path).read("KSW-A", 0, "key") is None
    path.unlink()
    path.symlink_to("/dev/zero")
    assert Store(tmp_path).read("KSW-A", 0, "key") is None


@pytest.mark.parametrize("field", ["says", "refutes", "holds", "detail", "mutants", "seconds"])
def test_an_entry_of_other_kinds_is_no_result(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, field: str
) -> None:
    """It must hold though its seal is right."""
    kept = Store(tmp_path)
    with ledger(monkeypatch, stated("KSW-A")):
        prove(list(claims().values()), store=kept)
    (path,) = tmp_path.iterdir()
    content = json.loads(path.read_text()) | {field: [1]}
    del content["seal"]
    sealed = content | {"seal": store._seal("KSW-A", 0, content)}
    path.write_text(json.dumps(sealed))
    assert kept.read("KSW-A", 0, content["key"]) is None


def test_what_decides_is_part_of_every_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold: a claim's module need not import it."""
    asked: list[str] = []
    found = store._source
    monkeypatch.setattr(store, "_source", lambda name: asked.append(name) or found(name))
    digest.cache_clear()
    digest("proofs_check.papers.ksw.noise.hourglass")
    digest.cache_clear()
    assert set(store.DECIDING) <= set(asked)


def test_a_folder_that_cannot_be_used_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It must hold that the run goes on without it."""
    (tmp_path / "file").write_text("")
    with ledger(monkeypatch, stated("KSW-A")):
        results = prove(list(claims().values()), store=Store(tmp_path / "file" / "below"))
    assert results["KSW-A"].status is Status.PROVED


def test_an_interrupted_run_keeps_what_was_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It must hold of each check that ended before."""

    def stop(wrong: bool = False) -> object:
        raise KeyboardInterrupt

    last = fact()
    object.__setattr__(last, "decide", stop)
    with ledger(monkeypatch, stated("KSW-A"), stated("KSW-B", checks=(last,))):
        told: list[ClaimResult] = []
        with pytest.raises(KeyboardInterrupt):
            prove(list(claims().values()), store=Store(tmp_path), on_result=told.append)
    assert [result.id for result in told] == ["KSW-A"]
    assert [path.name for path in tmp_path.iterdir()] == ["KSW-A.0.json"]


def test_the_digest_covers_near_and_far_sources_and_versions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must hold that a change anywhere below changes it, and one elsewhere does not."""
    near = store._near("proofs_check.papers.ksw.noise.hourglass")
    assert {
        "proofs_check.claim",
        "proofs_check.smt",
        "proofs_check.symbolic",
        "proofs_check.enclosure.ball",
        "proofs_check.rational",
    } <= near
    assert "proofs_check.registry" not in near
    before = digest("proofs_check.papers.ksw.noise.hourglass")
    read = Path.read_text

    def changed(path: Path, *args: str, **words: str) -> str:
        text = read(path, *args, **words)
        return text + "# new\n" if path.name == edited else text

    monkeypatch.setattr(Path, "read_text", changed)
    for edited, differs in [("ball.py", True), ("hourglass.py", True), ("registry.py", False)]:
        digest.cache_clear()
        assert (digest("proofs_check.papers.ksw.noise.hourglass") != before) is differs, edited
    edited = ""
    digest.cache_clear()
    monkeypatch.setattr(store, "versions", lambda: {"z3-solver": "0"})
    assert digest("proofs_check.papers.ksw.noise.hourglass") != before
    digest.cache_clear()


def test_the_folder_of_results_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the suite's own variable comes before the user's cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    monkeypatch.delenv("TOUCHSTONE_CACHE", raising=False)
    assert default_folder() == Path("/x/touchstone/prove")
    monkeypatch.setenv("TOUCHSTONE_CACHE", "/y")
    assert default_folder() == Path("/y/prove")


def test_names_are_ids_and_papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold that the order is the ledger's, each once, and a wrong name gets a hint."""
    with ledger(monkeypatch, stated("KSW-T1"), stated("KSW-T2"), stated("SUB-T1")):
        assert [c.id for c in select(["SUB-T1", "KSW", "KSW-T2"])] == ["KSW-T1", "KSW-T2", "SUB-T1"]
        assert len(select([])) == 3
        with pytest.raises(InvalidArgument, match="no claim has the id 'KSW-T3'; close: KSW-T"):
            select(["KSW-T3"])
        assert module_of("SUB-T1") == HERE
        with pytest.raises(InvalidArgument):
            module_of("SUB-T2")


def test_a_registry_with_a_fault_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It must hold of an id that is stated twice, and of one that is named but not stated."""
    with (
        ledger(monkeypatch, stated("KSW-A"), stated("KSW-A")),
        pytest.raises(InvalidArgument, match="two claims have the id 'KSW-A'"),
    ):
        registry.claims()
    with (
        ledger(monkeypatch, stated("KSW-A", assumes=("KSW-B",))),
        pytest.raises(InvalidArgument, match="KSW-A names 'KSW-B', which no module states"),
    ):
        registry.claims()
