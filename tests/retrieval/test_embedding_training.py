"""The training program's parts that make examples out of sources."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astrolabe.retrieval.embedding import load_embedder
from astrolabe.retrieval.embedding.chunk_fields import chunk_fields
from astrolabe.retrieval.embedding.vocabulary import Vocabulary
from astrolabe.schema.settings import Settings

from training.embedding.corpus import Corpus, leaked_sentences
from training.embedding.doc_comments import comment_text, describes_code, first_sentence, rest_of_comment
from training.embedding.documented_symbols import DocumentedSymbol, package_symbols
from training.embedding.evaluation import as_chunk, document_search
from training.embedding.examples import build_examples, build_vocabulary, symbol_fields
from training.embedding.package_sources import read_projects
from training.embedding.packages import Package
from training.embedding.questions import base_form, gerund, participle, question


@pytest.mark.parametrize(
    ("comment", "sentence"),
    [
        ("/** Opens the door. Then waits. */", "Opens the door"),
        ("/**\n * Opens the\n * front door.\n *\n * Later.\n */", "Opens the front door"),
        ("/** @description Finds a {@link User} by `id`, e.g. 7. Throws. */", "Finds a User by id, e.g. 7"),
        ("/** See [the guide](guide.md) for <b>more</b> */", "See the guide for more"),
        ("/**\n * @param a the first\n */", ""),
        ("/** */", ""),
    ],
)
def test_first_sentence(comment: str, sentence: str) -> None:
    assert first_sentence(comment_text(comment)) == sentence


def test_rest_of_comment_leaves_out_sentence_and_examples() -> None:
    text = comment_text("/**\n * Opens it.\n *\n * Needs a key.\n * @param key what unlocks\n * @example\n * open(k)\n */")
    assert rest_of_comment(text) == "Needs a key. @param key what unlocks"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Opens the front door", True),
        ("Opens", False),
        ("Copyright the door company 2020", False),
        ("eslint-disable-next-line no-undef here", False),
        ("=> {} [] () :: && || a b c", False),
        ("打开 前门 并且 等待 一下", False),
    ],
)
def test_sentences_that_describe_code(sentence: str, expected: bool) -> None:
    assert describes_code(sentence) is expected


@pytest.mark.parametrize(
    ("third", "forms"),
    [
        ("applies", ("apply", "applied", "applying")),
        ("matches", ("match", "matched", "matching")),
        ("creates", ("create", "created", "creating")),
        ("stops", ("stop", "stopped", "stopping")),
        ("finds", ("find", "found", "finding")),
        ("validates", ("validate", "validated", "validating")),
    ],
)
def test_verb_forms(third: str, forms: tuple[str, str, str]) -> None:
    base = base_form(third)
    assert (base, participle(base), gerund(base)) == forms


@pytest.mark.parametrize(
    ("sentence", "possible"),
    [
        ("Validates the token", {"how do we validate the token", "where is token validated", "validating the token"}),
        ("Create a session", {"how to create a session", "where is a session created", "code that creates a session"}),
        ("Options of the parser", {"where is Options of the parser defined", "how does Options of the parser work"}),
    ],
)
def test_sentences_become_questions(sentence: str, possible: set[str]) -> None:
    asked = {question(sentence, random.Random(seed)) for seed in range(400)}
    assert possible <= asked
    assert len(asked) > 5


SOURCE = """
/** Keeps what was computed. */
export class Cache<T> {
  /** Number of entries that fit. */
  readonly capacity: number = 10
  /** Looks an entry up by its key. */
  get(key: string): T | undefined {
    function local() {}
    return this.map.get(key)
  }
  put(key: string, value: T) { this.map.set(key, value) }
}
/** Doubles a number or a text. */
export function double(x: number): number;
export function double(x: string): string;
export function double(x: any) { return x + x }
// A remark.
export const half = (x: number) => x / 2
const LIMIT = 10
namespace Inner { /** Waits for the given time. */ export function pause() {} }
"""


@pytest.fixture
def symbols(tmp_path: Path) -> list[DocumentedSymbol]:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/cache.ts").write_text(SOURCE)
    (tmp_path / "src/cache.test.ts").write_text(SOURCE)
    (tmp_path / "src/cache.d.ts").write_text(
        "/** Looks an entry up by its key. */\nexport declare function unrelated(): void;\n" * 2
    )
    return package_symbols("boxes", tmp_path)


def test_symbols_of_a_package(symbols: list[DocumentedSymbol]) -> None:
    found = [(symbol.kind, symbol.scope, symbol.name, symbol.sentence) for symbol in symbols if symbol.path == "src/cache.ts"]
    assert found == [
        ("class", "", "Cache", "Keeps what was computed"),
        ("property", "Cache", "capacity", "Number of entries that fit"),
        ("method", "Cache", "get", "Looks an entry up by its key"),
        ("method", "Cache", "put", ""),
        ("function", "", "double", "Doubles a number or a text"),
        ("function", "", "half", ""),
        ("function", "Inner", "pause", "Waits for the given time"),
    ]


def test_class_text_holds_members_without_bodies_or_comments(symbols: list[DocumentedSymbol]) -> None:
    body = symbols[[symbol.name for symbol in symbols].index("Cache")].body
    assert "get(key: string): T | undefined ;" in body
    assert "this.map" not in body
    assert "/**" not in body


def test_overloads_are_one_symbol(symbols: list[DocumentedSymbol]) -> None:
    (double,) = (symbol for symbol in symbols if symbol.name == "double")
    assert double.body.count("function double") == 3


def chosen(*projects: list[DocumentedSymbol], registry: str = "npm", leaks: set[str] | None = None) -> list[DocumentedSymbol]:
    """What is learnt from projects that are read one after the other."""
    corpus = Corpus(leaks or set(), 0)
    for project in projects:
        corpus.add(registry, project)
    return corpus.symbols


def made(count: int, kind: str = "function", sentence: str = "Opens door number {}") -> list[DocumentedSymbol]:
    """Symbols of which each has its own name, text and sentence."""
    return [
        DocumentedSymbol("doors", "d.ts", "", f"door{n}", kind, "", f"body {n}", sentence.format(n), "") for n in range(count)
    ]


def test_all_of_a_small_project_is_chosen_whatever_the_order(symbols: list[DocumentedSymbol]) -> None:
    assert set(chosen(symbols)) == set(symbols)
    assert chosen(symbols) == chosen(symbols)


def test_what_is_asked_is_left_out(symbols: list[DocumentedSymbol], tmp_path: Path) -> None:
    held_out = [symbol for symbol in symbols if symbol.name == "get"]
    (tmp_path / "queries.jsonl").write_text('{"query": "keeps what was computed", "file": "cache.py"}\n')
    leaks = leaked_sentences(held_out, [tmp_path / "queries.jsonl"])
    assert leaks == {"looks an entry up by its key", "keeps what was computed"}
    assert {symbol.name for symbol in symbols} - {symbol.name for symbol in chosen(symbols, leaks=leaks)} == {
        "Cache", "get", "unrelated",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("registry", "project", "expected"),
    [
        ("npm", made(5000), 3000),
        ("debian", made(5000), 1000),
        ("debian-source", made(5000), 1000),
        ("npm", made(2000, "property"), 300),
        ("npm", made(3000, sentence=""), 200),
    ],
    ids=["npm", "debian", "debian-source", "properties", "undocumented"],
)
def test_no_project_dominates(registry: str, project: list[DocumentedSymbol], expected: int) -> None:
    assert len(chosen(project, registry=registry)) == expected


def test_large_projects_bring_undocumented_symbols_as_well() -> None:
    project = made(900) + made(3000, sentence="")
    assert sum(not symbol.sentence for symbol in chosen(project)) == 900
    assert sum(not symbol.sentence for symbol in chosen(made(2500) + project)) == 1200


def test_sentences_that_are_said_everywhere() -> None:
    projects = [[DocumentedSymbol(str(n), "a.ts", "", f"f{n}", "function", "", f"b{n}", "Opens it.", "")] for n in range(20)]
    assert [symbol.origin for symbol in chosen(*projects)] == [str(n) for n in range(12)]
    again = made(1) * 20
    assert len(chosen(again)) == 1


def test_copies_in_debian_are_learnt_from_once() -> None:
    project = made(5)
    copy = [replace(symbol, origin="other", path="vendored.c") for symbol in project]
    assert {symbol.origin for symbol in chosen(project, copy, registry="debian")} == {"doors"}
    assert {symbol.origin for symbol in chosen(project, copy, registry="npm")} == {"doors", "other"}


def test_packages_of_a_project_are_read_together(tmp_path: Path) -> None:
    folders = []
    for name, path in (("b-core", "core.ts"), ("away", "main.py"), ("b-dom", "dom.ts")):
        (tmp_path / name).mkdir()
        text = f'def {name}():\n    """Opens the front door."""\n    return open_it()\n' if path.endswith("py") else SOURCE
        (tmp_path / name / path).write_text(text)
        folders.append(tmp_path / name)
    packages = [
        Package("npm", "b-core", "1", "MIT", "owner/b", False),
        Package("debian", "away", "1", "MIT", "away", False),
        Package("npm", "b-dom", "1", "MIT", "owner/b", False),
    ]
    read = list(read_projects(packages, folders, 1))
    assert [registry for registry, _ in read] == ["debian", "npm"]
    assert {(symbol.origin, symbol.path) for _, symbols in read for symbol in symbols} == {
        ("away", "main.py"), ("owner/b", "core.ts"), ("owner/b", "dom.ts"),
    }  # fmt: skip


def test_vocabulary_holds_pretrained_and_frequent_words(symbols: list[DocumentedSymbol]) -> None:
    words, counts = build_vocabulary(symbols, ["cache", "entry", "unseen", "zzz"], 100)
    assert {"cache", "entry", "unseen"} <= set(words)
    assert "zzz" not in words
    assert counts[words.index("unseen")] == 0
    assert counts[words.index("cache")] == len(symbols)
    assert build_vocabulary(symbols, ["cache", "entry", "unseen"], 2)[0] == words[:2]


def test_examples_hold_the_words_of_each_field(symbols: list[DocumentedSymbol]) -> None:
    vocabulary = Vocabulary(["cache", "key", "capacity"])
    examples = build_examples(symbols, vocabulary, 16, 0)
    index = [symbol.name for symbol in symbols].index("capacity")
    bags = examples.chunks.take(np.array([index]))
    known = {(int(field), vocabulary.words[row]) for field, row in zip(bags.fields, bags.rows, strict=True) if row < 3}
    assert known == {(0, "capacity"), (1, "cache"), (2, "cache"), (3, "capacity"), (4, "capacity")}
    kept = (bags.rows, bags.weights, bags.factors, bags.fields)
    assert [array.dtype.name for array in kept] == ["int32", "int32", "float32", "int8"]
    unknown = bags.rows >= 3
    assert set(bags.weights[unknown].tolist()) == {3}
    assert bags.rows.max() < 3 + 16
    assert len(examples.chunks.offsets) == len(symbols) + 1
    assert examples.documented.tolist() == [bool(symbol.sentence) for symbol in symbols]


def test_grams_of_an_unknown_word_share_its_factor(symbols: list[DocumentedSymbol]) -> None:
    examples = build_examples(symbols, Vocabulary(["cache"]), 1 << 20, 0)
    bags = examples.queries["name"].take(np.array([[symbol.name for symbol in symbols].index("double")]))
    assert len(bags.rows) == 4 + 3 + 2
    assert bags.factors.sum() == pytest.approx(1)


def test_training_reads_the_fields_that_search_does(symbols: list[DocumentedSymbol]) -> None:
    for symbol in symbols:
        assert chunk_fields(as_chunk(symbol))[:5] == symbol_fields(symbol)[:5]


def test_evaluation_finds_symbols_by_their_sentences(symbols: list[DocumentedSymbol]) -> None:
    quality = document_search(load_embedder(Settings()), symbols)
    assert quality.queries == 3
    assert quality.found == 1
    assert quality.mrr > 0.8
