"""What ranking knows beyond a chunk: whole files, the graph around, and the kind that a description is about."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from astrolabe.retrieval.candidates.file_features import FileFit, file_features
from astrolabe.retrieval.candidates.graph_features import ALONE, GraphFeatures
from astrolabe.retrieval.candidates.recall import Candidate, gather_candidates
from astrolabe.retrieval.query.query import read_query
from astrolabe.retrieval.ranking.ranker.kind_words import CLASSES, CONSTANT, FIRST, class_of, read_kind_words
from astrolabe.schema.settings import Settings

from training.embedding.documented_symbols import DocumentedSymbol
from training.ranker.kinds import described
from training.ranker.questions import about_files

QUEUE, PARTS, USER, TESTS = "src/queue.ts", "src/parts.ts", "src/user.ts", "src/queue.test.ts"
NO_VECTOR = np.zeros(64, np.float32)


@pytest.fixture(scope="module")
def stores(new_project: Any, store: Callable[[Any], Any]) -> Any:
    project = new_project()
    for path, names in ((QUEUE, ("pause", "retry", "drain")), (PARTS, ("split", "join")), (TESTS, ("pause", "retry"))):
        text = "\n".join(f"export function {name}() {{\n  return 1;\n}}\n" for name in names)
        project.file(path, text, *(("function", name) for name in names), is_test=path == TESTS)
    project.file(USER, "export function start() {\n  retry();\n  split();\n}", ("function", "start"))
    project.import_file(USER, QUEUE)
    project.call(f"{USER}#start", f"{QUEUE}#retry")
    project.call(f"{USER}#start", f"{PARTS}#split")
    project.refer(f"{USER}#start", f"{QUEUE}#retry")
    return store(project)


def found(stores: Any, query: str, limit: int) -> dict[str, Candidate]:
    graph_features = GraphFeatures.read(stores.graph, stores.table.rows)
    question = read_query(query)
    candidates = gather_candidates(stores.table, graph_features, question, NO_VECTOR, Settings(), limit, None)
    return {f"{candidate.chunk.relative_path}#{candidate.chunk.name}": candidate for candidate in candidates}


def test_a_file_fits_by_the_words_that_its_chunks_share(stores: Any) -> None:
    rows = stores.table.rows
    similarity = np.linspace(0, 1, rows.limit, dtype=np.float32)
    signals = file_features(rows, stores.table.lexical, read_query("pause drain retry").terms, similarity)
    fits = {path: signals.of(number) for number, path in enumerate(rows.paths)}
    assert fits[QUEUE].coverage == pytest.approx(1.0)
    assert fits[QUEUE].lexical > fits[TESTS].lexical > fits[PARTS].lexical == 0
    for number, path in enumerate(rows.paths):
        own = similarity[rows.files == number]
        assert (fits[path].similarity, fits[path].mean_similarity) == pytest.approx((own.max(), own.mean()))


def test_a_question_without_terms_fits_no_file(stores: Any) -> None:
    rows = stores.table.rows
    assert file_features(rows, stores.table.lexical, (), np.zeros(rows.limit, np.float32)).of(0) == FileFit()


def test_a_fitting_file_brings_candidates_that_no_signal_found(stores: Any) -> None:
    assert f"{QUEUE}#retry" in found(stores, "pause drain", 1)
    assert f"{TESTS}#retry" not in found(stores, "pause drain", 1)


def test_candidates_know_what_is_around_them_in_the_graph(stores: Any) -> None:
    candidates = found(stores, "retry split start", 20)
    start, retry, split, drain = (
        candidates[key] for key in (f"{USER}#start", f"{QUEUE}#retry", f"{PARTS}#split", f"{QUEUE}#drain")
    )
    assert start.graph.called == pytest.approx(max(retry.blend, split.blend))
    assert retry.graph.caller == split.graph.caller == pytest.approx(start.blend)
    assert (drain.graph.caller, drain.graph.called, start.graph.caller) == (ALONE, ALONE, ALONE)
    assert retry.graph.importer == pytest.approx(start.blend)
    assert (split.graph.importer, retry.graph.imported) == (ALONE, ALONE)
    assert retry.graph.importance > drain.graph.importance > 0
    assert retry.graph.file_importance > split.graph.file_importance


def test_candidates_know_the_files_beside_theirs(stores: Any) -> None:
    candidates = found(stores, "retry split start", 20)
    start, retry, split, drain = (
        candidates[key] for key in (f"{USER}#start", f"{QUEUE}#retry", f"{PARTS}#split", f"{QUEUE}#drain")
    )
    assert sorted(start.files_called) == sorted((retry.file_number, split.file_number))
    assert retry.files_called == split.files_called == (start.file_number,)
    assert drain.files_called == ()
    assert start.files_imported == (retry.file_number,)
    assert retry.files_imported == drain.files_imported == (start.file_number,)
    assert split.files_imported == ()
    assert start.file_number != split.file_number != retry.file_number == drain.file_number


SPEAKING = [
    ("Options of the client", "interface"),
    ("Checks whether a value is a promise", "function"),
    ("Error thrown when a request times out", "class"),
]


@pytest.mark.parametrize(("sentence", "kind"), SPEAKING)
def test_words_tell_the_kind_that_is_meant(sentence: str, kind: str) -> None:
    fits = read_kind_words().fits(sentence)
    assert CLASSES[int(np.argmax(fits[: len(CLASSES)]))] == kind
    assert np.exp(fits[: len(CLASSES)]).sum() == pytest.approx(1.0, abs=1e-5)
    assert fits[class_of("import")] == fits.min()


def symbol(kind: str, sentence: str, head: str = "") -> DocumentedSymbol:
    return DocumentedSymbol("package", "src/a.ts", "", "name", kind, head, head, sentence, "")


DESCRIBED = [
    (symbol("function", "Returns it"), "function"),
    (symbol("type", "An option", "export interface Options "), "interface"),
    (symbol("type", "An option", "export enum Option "), "enum"),
    (symbol("type", "An option", "type Option = string"), "type"),
]


@pytest.mark.parametrize(("documented", "kind"), DESCRIBED)
def test_kinds_are_learnt_from_what_doc_comments_stand_on(documented: DocumentedSymbol, kind: str) -> None:
    ((words, number),) = described([documented, symbol("class", "")], 1)
    assert CLASSES[number] == kind
    assert words[0] == CONSTANT
    assert words[1].startswith(FIRST)


def test_questions_about_files_name_them_by_the_ends_of_their_paths(tmp_path: Path) -> None:
    table = tmp_path / "questions.tsv"
    table.write_text("repository\tquestion\tfiles\none\twhat waits\ta.ts;src/b.ts\nother\twhat runs\tc.ts\n", encoding="utf-8")
    (line,) = about_files(table, "one", ["lib/a.ts", "src/b.ts", "lib/src/bb.ts"])
    assert (line.kind, line.query, line.files) == ("file", "what waits", ["lib/a.ts", "src/b.ts"])
    for paths in (["lib/a.ts"], ["a.ts", "lib/a.ts", "src/b.ts"]):
        with pytest.raises(ValueError, match="unpack"):
            about_files(table, "one", paths)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("fix(query-core): drop the cache", ("querycore",)),
        ("query core: drop the cache", ("querycore",)),
        ("feat(react, vue-query): drop the cache", ("react", "vuequery")),
        ("fix(packages/server)!: drop the cache", ("server",)),
        ("drop the cache of the server", ()),
        ("TypeError: x is not a function", ("typeerror",)),
    ],
)
def test_a_change_names_its_part_of_the_repository(text: str, expected: tuple[str, ...]) -> None:
    assert read_query(text).scopes == expected


def test_what_lies_in_the_named_part_is_a_candidate(new_project: Any, store: Callable[[Any], Any]) -> None:
    project = new_project()
    for package in ("query-core", "vue-query"):
        text = "\n".join(f"export function part{number}() {{\n  return {number};\n}}\n" for number in range(3))
        project.file(f"packages/{package}/src/a.ts", text, *(("function", f"part{number}") for number in range(3)))
    stores = store(project)
    in_scope = {name: one.in_scope for name, one in found(stores, "query core: something else", 1).items()}
    assert sum(in_scope.values()) == 3
    assert all(name.startswith("packages/query-core/") == inside for name, inside in in_scope.items())
    assert not any(one.in_scope for one in found(stores, "docs: something else", 1).values())


def test_a_closer_look_knows_tests_folders_and_callers_that_are_no_candidates(stores: Any) -> None:
    candidates = found(stores, "pause drain", 1)
    drain = candidates[f"{QUEUE}#drain"].features
    retry = candidates[f"{QUEUE}#retry"].features
    assert drain.own_tests > 0
    assert drain.using_tests == ALONE
    assert retry.any_caller > ALONE
    assert drain.any_caller == ALONE
    # The file that imports it has none of the words. Its tests, which have them, stand in the same folder.
    assert drain.linked == pytest.approx(0.0)
    assert drain.folder == drain.own_tests


def test_a_test_belongs_to_the_files_of_its_name_that_share_the_most_folders(
    new_project: Any, store: Callable[[Any], Any]
) -> None:
    project = new_project()
    for path in ("app/src/user.ts", "web/src/user.ts", "app/test/user.test.ts", "web/src/user.test.ts", "tools/user.test.ts"):
        project.file(path, "export function one() {\n  return 1;\n}\n", ("function", "one"), is_test=".test." in path)
    stores = store(project)
    rows = stores.table.rows
    own = GraphFeatures.read(stores.graph, rows).own_tests
    named = {(rows.paths[start], rows.paths[end]) for start, end in zip(own.starts, own.ends, strict=True)}
    assert named == {
        ("app/src/user.ts", "app/test/user.test.ts"),
        ("web/src/user.ts", "web/src/user.test.ts"),
        ("app/src/user.ts", "tools/user.test.ts"),
        ("web/src/user.ts", "tools/user.test.ts"),
    }


def test_what_all_code_has_in_common_counts_less(stores: Any) -> None:
    rows = stores.table.rows
    to_mean, squared = rows.nearness_to_mean
    vectors = rows.vectors(np.arange(rows.limit))
    mean = vectors.mean(axis=0)
    assert to_mean == pytest.approx(vectors @ mean, abs=1e-5)
    assert squared == pytest.approx(float(mean @ mean), abs=1e-5)
