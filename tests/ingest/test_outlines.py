"""Outlines of files whose code is not resolved: those of `outline_fixtures` against the sidecars beside them, and odd texts.

A sidecar has a line for each symbol: nesting, kind, name behind its owner, first and last line; `at` the line of the declaration;
modifiers; `exported`; `chunk`; the first line of the doc comment; the signature. `UPDATE_GOLDENS=1 pytest …` writes
the sidecars again; review the difference.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from astrolabe.ingest.facts.model import FileFacts, SymbolFact
from astrolabe.ingest.languages.comments import comment_text
from astrolabe.ingest.languages.extraction import FAULT, extract_facts
from astrolabe.ingest.languages.python import docstring_text
from astrolabe.ingest.languages.rust.marked_tests import needs_test
from astrolabe.ingest.languages.syntax_only.visibility import modifiers_of
from astrolabe.schema.languages import LANGUAGES, language_of_indexed
from linear_time import is_linear, processor_seconds
from parser_report.reading import FileReading, read_source
from parser_report.rules import RULES

FOLDER = Path(__file__).parent / "outline_fixtures"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".txt")
#: The languages in which a file's text is its code; that of a notebook is made from it.
#: The project around files of dbt tells what they are, so the tests of such projects have them. The path of a workflow tells what
#: it is, so the tests of statements in commands have it. The content of a changelog tells what it is, so its tests have it.
OUTLINED = {
    each.name: (each.extensions or each.recognized_extensions)[0]
    for each in LANGUAGES
    if not each.is_resolved and each.name not in ("notebook", "dbt", "workflow", "liquibase")
}
each_language = pytest.mark.parametrize("language", OUTLINED)


def outline(facts: FileFacts) -> Iterator[str]:
    for symbol in facts.symbols:
        name = f"{symbol.owner}.{symbol.name}" if symbol.owner else symbol.name
        parts = [f"{'  ' * symbol.depth}{symbol.kind} {name} {symbol.start_line}-{symbol.end_line}"]
        parts += [f"at {symbol.declaration_line}"] if symbol.declaration_line != symbol.start_line else []
        written = [word for word in symbol.modifiers if word != "exported"]
        parts += [f"[{' '.join(written)}]"] if written else []
        parts += ["exported"] if symbol.exported else []
        parts += ["chunk"] if symbol.is_chunk else []
        parts += [f"doc {symbol.doc.splitlines()[0]!r}"] if symbol.doc else []
        yield " ".join([*parts, "|", " ".join(symbol.signature.split())]).rstrip(" |")
    for problem in facts.problems:
        yield f"problem {problem.line}: {problem.reason}"


def facts_of(source: Path) -> FileFacts:
    return extract_facts(source.read_bytes(), language_of_indexed(source.name) or "")


def symbols_of(language: str, text: str) -> list[SymbolFact]:
    return extract_facts(text.encode(), language).symbols


def broken_rules(file: FileReading) -> list[tuple[str, str]]:
    return [(name, broken) for name in RULES for broken in RULES[name](file)]


# -------------------------------------------------------------------- fixtures


def test_every_outlined_language_has_a_fixture() -> None:
    assert {language_of_indexed(source.name) for source in SOURCES} == set(OUTLINED)


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_fixture_is_as_its_sidecar_says(source: Path) -> None:
    found = "\n".join(outline(facts_of(source))) + "\n"
    sidecar = source.with_name(source.name + ".expected.txt")
    if os.environ.get("UPDATE_GOLDENS"):
        sidecar.write_text(found, "utf-8")
    assert found == sidecar.read_text("utf-8")


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_fixture_keeps_the_rules(source: Path) -> None:
    assert broken_rules(read_source(source.name, source.read_bytes())) == []


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_breadcrumbs_lead_from_the_file_to_the_symbol(source: Path) -> None:
    file = read_source(source.name, source.read_bytes())
    for fact, symbol in zip(facts_of(source).symbols, file.symbols, strict=True):
        above = file.by_id[symbol.parent_id].breadcrumb if symbol.parent_id else source.name
        name = fact.name or source.name.partition(".")[0]  # a table may be named after its file
        own = f"{fact.owner} > {name}" if fact.owner else name
        assert symbol.breadcrumb == f"{above} > {own}"


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_signatures_are_clean_lines(source: Path) -> None:
    for symbol in facts_of(source).symbols:
        if symbol.kind not in ("import", "expression"):
            assert "\n" not in symbol.signature
            assert not symbol.signature.endswith(("{", ":", ";", ",", "\\")), symbol.signature


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"], ids=["CRLF", "CR"])
def test_the_form_of_line_ends_changes_nothing(source: Path, line_end: bytes) -> None:
    data = source.read_bytes()
    assert list(outline(extract_facts(data.replace(b"\n", line_end), language_of_indexed(source.name) or ""))) == list(
        outline(facts_of(source))
    )


@pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
def test_what_is_cut_keeps_the_rules(source: Path) -> None:
    data = source.read_bytes()
    for step in range(1, 12, 4):
        place = len(data) * step // 12
        for text in (data[:place], data[place:], data[:place] + b"{(\"'" + data[place:], data[:place] + data[place + 40 :]):
            file = read_source(source.name, text)
            assert not [problem for problem in file.problems if problem.reason.startswith(FAULT)]
            assert broken_rules(file) == []


# -------------------------------------------------------------------- odd texts

#: What a file may hold that is not code, or hardly.
ODD = {
    "nothing": b"",
    "one blank": b" ",
    "blank lines": b"\n\n  \n\t\n",
    "a mark alone": b"\xef\xbb\xbf",
    "a mark and a word": b"\xef\xbb\xbfx",
    "no line end": b"x",
    "comments with slashes": b"// a\n\n// b\n",
    "comments with hashes": b"# a\n\n# b\n",
    "comments with dashes": b"-- a\n--[[ b\n]]\n",
    "a comment that does not end": b"/* a\nb\n",
    "closing brackets": b"}\n)\n]\n",
    "opening brackets": b"{\n(\n[\n",
    "a string that does not end": b"x = \"abc\nfoo('\n",
    "NUL": b"a\n\0\nb\n",
    "bytes that are no text": b"x = 1\n\xff\xfe\xe9\nclass A\n",
    "form feeds": b"\x0c\nx\n\x0c\n\x0b\ny\n",
    "emoji": "// 🙂\nclass Grüße { int ä; }\n".encode(),
    "nested parentheses": b"x = " + b"(" * 3_000 + b"1" + b")" * 3_000 + b"\n",
    "nested braces": b"{" * 2_000 + b"}" * 2_000,
    "nested types": b"class A { " * 300 + b"}" * 300,
    "nested functions": b"".join(b" " * depth + b"def f():\n" for depth in range(200)) + b" " * 200 + b"pass\n",
    "a long line": b"x = [" + b"1, " * 1_500 + b"]\n",
    "conflict marks": b"<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> other\n",
    "directives": b"#if A\n#elif B\n#else\n#endif\n",
    "another language": b"SELECT * FROM t WHERE a = 'b';\n",
}


@each_language
@pytest.mark.parametrize("odd", ODD)
def test_odd_texts_keep_the_rules(language: str, odd: str) -> None:
    file = read_source("a" + OUTLINED[language], ODD[odd])
    assert not [problem for problem in file.problems if problem.reason.startswith(FAULT)]
    assert broken_rules(file) == []


#: Files of many parts of one kind, by the part; `#` is its number.
LONG = [
    ("python", "def f#(a):\n    return a\n\n"),
    ("python", "f(#)  # said\n\n# alone\n\n"),
    ("makefile", "# Does.\ndefine f#\n# more\nall#: f#\n\techo\n\n"),
    ("dockerfile", "# Does.\nFROM a AS f#\n# more\n\n"),
    ("go", "// F# does.\nfunc F#(a int) int { return a }\n\n"),
    ("rust", "/// Does.\n#[inline]\npub fn f#(a: u32) -> u32 { a }\n\n"),
    ("java", "class A# { /** Does. */ int f(int a) { return a; } }\n"),
    ("c", "#ifdef A#\nint f#(int a);\n#endif\n\n"),
    ("cpp", "int a#, b#; /* said */ /* twice */\n"),
    ("csharp", "class A# { int P { get; set; } }\n"),
    ("ruby", "# Does.\ndef f#(a)\n  a\nend\n\n"),
    ("bash", "a#=1\necho #\n\n"),
    ("php", "<?php function f#($a) { return $a; } ?>\n"),
]


@pytest.mark.parametrize(("language", "part"), LONG)
def test_time_grows_with_the_text_and_no_faster(language: str, part: str) -> None:
    def seconds(parts: int) -> float:
        data = "".join(part.replace("#", str(number)) for number in range(parts)).encode()
        return processor_seconds(lambda: extract_facts(data, language))

    extract_facts(b"", language)
    assert is_linear(seconds, 250, times=8)


def test_declarations_within_declarations_are_told_up_to_a_depth() -> None:
    deepest = max(symbol.depth for symbol in symbols_of("java", "class A { " * 500 + "}" * 500))
    assert 40 < deepest < 100


# -------------------------------------------------------------------- languages


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("int add(int a);\n", ["function"]),
        ("class Shape { int area(); };\n", ["class", "method"]),
        ("namespace a {\nint b;\n}\n", ["namespace", "variable"]),
        ("struct a { int b; };\n", ["class", "property"]),
        ("#define A std::string\nA f();\n", ["const", "function"]),
        ("template <typename T>\nT f(T a);\n", ["function"]),
    ],
)
def test_a_header_is_read_as_what_it_holds(text: str, kind: list[str]) -> None:
    facts = extract_facts(text.encode(), language_of_indexed("a.h") or "")
    assert ([symbol.kind for symbol in facts.symbols], facts.problems) == (kind, [])


@pytest.mark.parametrize(
    ("language", "text", "owner", "name", "kind"),
    [
        ("go", "package a\nfunc (s *Server[K, V]) Run() {}\n", "Server", "Run", "method"),
        ("go", "package a\nfunc (Server) Run() {}\n", "Server", "Run", "method"),
        ("cpp", "void a::Table<K, V>::Get() {}\n", "a.Table", "Get", "method"),
        ("cpp", "Table::Table() : size_(0) {}\n", "Table", "Table", "constructor"),
        ("cpp", "Table::~Table() {}\n", "Table", "~Table", "method"),
        ("cpp", "Table::operator bool() const { return true; }\n", "Table", "operator bool", "method"),
        ("cpp", "bool Table::operator==(const Table& other) const { return true; }\n", "Table", "operator==", "method"),
        ("cpp", "const int Table::kSize = 1;\n", "Table", "kSize", "variable"),
        ("kotlin", "fun String?.orNone() = this ?: \"\"\n", "String", "orNone", "method"),
        ("kotlin", "fun <T> Map<String, T>.first(): T = values.first()\n", "Map", "first", "method"),
        ("kotlin", "val String.initial: Char get() = first()\n", "String", "initial", "property"),
        ("lua", "function Cache.codec.encode(value) end\n", "Cache.codec", "encode", "method"),
        ("lua", "function Cache:get(key) end\n", "Cache", "get", "method"),
        ("lua", "Cache.clear = function() end\n", "Cache", "clear", "method"),
    ],
)  # fmt: skip
def test_what_stands_outside_of_its_type_has_an_owner(language: str, text: str, owner: str, name: str, kind: str) -> None:
    symbol = symbols_of(language, text)[-1]
    assert (symbol.owner, symbol.name, symbol.kind) == (owner, name, kind)


@pytest.mark.parametrize(
    "macro",
    [
        "UV_EXTERN int run(int a);",
        "static UV_INLINE int run(int a);",
        "DEFINE_LIST(tasks)\nint run(int a);",
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint run(int a);\n#ifdef __cplusplus\n}\n#endif",
        "int run(int a) ATTR_PRINTF(1, 2);",
        "EXPORT Status run(const Env* env);",
        "int\nrun(__unused int a)\n{\n\treturn (1);\n}",
        "int run(struct list *l) {\n  LIST_FOREACH(a, &l->head, entry) {\n    go(a);\n  }\n}",
    ],
)  # fmt: skip
def test_macros_of_c_hide_no_declaration(macro: str) -> None:
    facts = extract_facts(macro.encode() + b"\n", "c")
    (found,) = (symbol for symbol in facts.symbols if symbol.kind == "function")
    assert (found.name, facts.problems) == ("run", [])


@pytest.mark.parametrize("base", ["", " : public Base"])
def test_a_macro_before_the_name_of_a_class_is_no_name(base: str) -> None:
    facts = extract_facts(f"/// Keeps.\nclass DB_EXPORT Table{base} {{\n public:\n  int size;\n}};\n".encode(), "cpp")
    table = facts.symbols[0]
    assert (table.kind, table.name, table.doc, facts.problems) == ("class", "Table", "Keeps.", [])
    assert table.signature == f"class DB_EXPORT Table{base}"


def test_a_function_without_an_end_is_told() -> None:
    facts = extract_facts(b"int a(void) {\n  if (b {\n\n\nint c(void) {\n  return 1;\n}\n", "c")
    assert facts.problems


def test_what_no_grammar_reads_is_told_and_found() -> None:
    facts = extract_facts(b"int a;\n)))) ???? ((\nint b(void) { return 1; }\n", "c")
    assert facts.problems
    assert {1, 2, 3} <= {line for symbol in facts.symbols for line in range(symbol.start_line, symbol.end_line + 1)}


@pytest.mark.parametrize(
    ("language", "text", "exported"),
    [
        ("python", "def a(): pass\ndef _b(): pass\nclass C:\n    def d(self): pass\n    def _e(self): pass\n", ["a", "C", "d"]),
        ("go", "package a\nfunc A() {}\nfunc b() {}\ntype C struct { D int; e int }\n", ["A", "C", "D"]),
        ("rust", "pub fn a() {}\nfn b() {}\nimpl X for C { fn d() {} }\nimpl C { fn e() {} pub fn f() {} }\n", ["a", "d", "f"]),
        (
            "java",
            "public class A { public int b; int c; protected void d() {} private void e() {} }\nclass F { }\n",
            ["A", "b", "d"],
        ),
        ("kotlin", "fun a() {}\nprivate fun b() {}\ninternal class C { fun d() {} }\n", ["a"]),
        ("c", "int a(void) { return 1; }\nstatic int b(void) { return 1; }\n", ["a"]),
        (
            "cpp",
            "class A { int b; public: int c; private: int d; };\nnamespace { int e; }\nstruct F { int g; };\n",
            ["A", "c", "F", "g"],
        ),
        ("csharp", "public class A { public int B; int c; }\ninternal class D { public int E; }\n", ["A", "B"]),
        ("swift", "public func a() {}\nfileprivate func b() {}\nprivate extension C { func d() {} }\n", ["a"]),
        (
            "ruby",
            "class A\n  def b; end\n  private\n  def c; end\n  public\n  def d; end\n  private def e; end\nend\n",
            ["A", "b", "d"],
        ),
        ("ruby", "class A\n  class << self\n    private\n    def b; end\n  end\n  def c; end\nend\n", ["A", "c"]),
        ("lua", "local a = 1\nlocal function b() end\nfunction c() end\n", ["c"]),
        ("php", "<?php class A { public $b; private $c; function d() {} protected function e() {} }\n", ["A", "b", "d", "e"]),
    ],
)
def test_what_other_files_may_use(language: str, text: str, exported: list[str]) -> None:
    assert [symbol.name for symbol in symbols_of(language, text) if symbol.exported] == exported


# -------------------------------------------------------------------- parts


@pytest.mark.parametrize(
    ("comments", "text"),
    [
        (["// one", "// two"], "one\ntwo"),
        (["/// <summary>", "/// Saves <see cref=\"T:User\"/> now.", "/// </summary>"], "Saves User now."),
        (["/**\n * One.\n *\n * @param a what\n */"], "One.\n\n@param a what"),
        (["/* one */"], "one"),
        (["# one", "#: two"], "one\ntwo"),
        (["--- one", "-- two"], "one\ntwo"),
        (["--[[\n  one\n]]"], "one"),
        (["--[==[ one ]==]"], "one"),
        (["//! one"], "one"),
        (["// Does.", "//go:noinline"], "Does."),
        (["// a < b"], "a < b"),
        (["//"], ""),
    ],
)  # fmt: skip
def test_comment_text(comments: list[str], text: str) -> None:
    assert comment_text(comments) == text


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ('"""One."""', "One."),
        ('"""One.\n\n    Two.\n    """', "One.\n\nTwo."),
        (r'r"""A \d."""', r"A \d."),
        ("'one'", "one"),
        ("'''one'''", "one"),
        ('"one', '"one'),
        ('""', ""),
    ],
)
def test_docstring_text(literal: str, text: str) -> None:
    assert docstring_text(literal) == text


@pytest.mark.parametrize(
    "text",
    [
        'class A { [Obsolete("x" void M() { } }',
        f'class A {{ [Suppress("{"x" * 20_000}")] void M() {{ }} }}',
    ],
    ids=["never closed", "longer than what is read of a head"],
)
def test_an_attribute_whose_end_is_not_seen_ends_the_reading_of_attributes(text: str) -> None:
    assert "A" in [symbol.name for symbol in symbols_of("csharp", text)]


@pytest.mark.parametrize(
    ("before", "modifiers"),
    [
        ("public static final int ", ["public", "static", "final"]),
        ("pub(crate) async unsafe fn ", ["pub", "async", "unsafe"]),
        ("private(set) public var ", ["public"]),
        ("@Override\n  protected abstract ", ["protected", "abstract"]),
        ("publicly stated ", []),
        ("static static ", ["static"]),
    ],
)
def test_modifiers_of(before: str, modifiers: list[str]) -> None:
    assert modifiers_of(before) == modifiers


# -------------------------------------------------------------------- comments and their declarations

#: A doc comment, annotations or directives below it, and a declaration.
ANNOTATED = [
    ("rust", "/// Keeps.\n#[derive(Debug)]\n#[cfg_attr(\n    unix,\n    derive(Serialize)\n)]\npub struct Store {}\n"),
    ("java", "/** Keeps. */\n@Entity\n@Table(name = \"store\")\npublic class Store {}\n"),
    ("kotlin", "package shop\n\n/** Keeps. */\n@Serializable\n@SinceKotlin(\"1.3\")\nclass Store {}\n"),
    ("kotlin", "/** Keeps. */\n@SinceKotlin(\"1.3\")\n@Serializable\nclass Store\n"),
    ("kotlin", "/** Keeps. */\n@Suppress(\"UNUSED\")\n@JvmName(\"store1\")\nfun Store() {}\n"),
    ("scala", "/** Keeps. */\n@deprecated(\"old\", \"1\")\nclass Store\n"),
    ("swift", "/// Keeps.\n@available(iOS 13, *)\n@MainActor\npublic final class Store {}\n"),
    ("php", "<?php\n/** Keeps. */\n#[Entity]\n#[Table('store')]\nfinal class Store {}\n"),
    ("python", "# Keeps.\n@dataclass\n@final\nclass Store:\n    pass\n"),
    ("cpp", "/// Keeps.\n[[nodiscard]]\nint Store(int a) { return a; }\n"),
    ("csharp", "/// <summary>Keeps.</summary>\n[Serializable]\n[Table(\"store\")]\npublic class Store {}\n"),
    ("csharp", "/// Keeps.\n#pragma warning disable CA1010 // Collections\npublic class Store {}\n"),
    ("csharp", "/// Keeps.\n#pragma warning disable CA1010\n#nullable enable\n[Serializable]\npublic class Store {}\n"),
    ("csharp", "namespace Shop\n{\n    /// Keeps.\n    #region Stores\n    public class Store {}\n    #endregion\n}\n"),
    ("csharp", "/// Keeps.\n#if !NETCOREAPP\n[Serializable]\n#endif\npublic class Store {}\n"),
    ("csharp", "class A\n{\n    /// Keeps.\n#pragma warning disable CS1591\n    public void Store() {}\n}\n"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text"), ANNOTATED)
def test_what_stands_between_does_not_part_a_comment_from_its_declaration(language: str, text: str) -> None:
    file = read_source("a" + OUTLINED[language], text.encode())
    (store,) = (symbol for symbol in file.symbols if symbol.name == "Store")
    comment = next(line for line, content in enumerate(text.split("\n"), 1) if "Keeps." in content)
    assert (store.doc, store.start_line, "#" in store.signature) == ("Keeps.", comment, False)
    assert broken_rules(file) == []


@pytest.mark.parametrize(
    "between", ["\n", "#endregion\n", "#pragma warning disable CS1591\n\n", "\n#pragma warning disable CS1591\n"]
)
def test_a_comment_above_something_else_is_not_of_the_next_declaration(between: str) -> None:
    text = f"class A\n{{\n    #region B\n    // Loose.\n{between}    public void Store() {{}}\n    #endregion\n}}\n"
    assert [symbol.doc for symbol in symbols_of("csharp", text) if symbol.name == "Store"] == [""]


_LICENCE = "// Copyright 2024 The Shop Authors. All rights reserved.\n// Use of this source code is governed by an MIT license.\n"


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("cpp", f"{_LICENCE}//\n// Carts hold goods.\n\n#include \"a.h\"\n", ["Carts hold goods."]),
        ("cpp", f"{_LICENCE}\n// Carts hold goods.\n\n#include \"a.h\"\n", ["license", "Carts hold goods."]),
        ("typescript", f"{_LICENCE}//\n// Carts hold goods.\n\nimport a from 'a'\n", ["Carts hold goods."]),
        ("typescript", f"{_LICENCE}\nimport a from 'a'\n", ["license"]),
        ("python", "#!/usr/bin/python\n# -*- coding: utf-8 -*-\n# (c) 2024 Ann\n#\n# Prices.\n\nimport a\n", ["Prices."]),
        ("python", "# -*- coding: utf-8 -*-\n\nimport a\n", ["coding: utf-8"]),
        ("bash", "#!/bin/sh\n\na=1\n", ["bin/sh"]),
    ],
)  # fmt: skip
def test_a_header_is_named_by_what_it_says_of_the_file(language: str, text: str, names: list[str]) -> None:
    assert [symbol.name for symbol in symbols_of(language, text) if symbol.kind == "comment"] == names


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("java", "/*\n * Copyright (C) 2024 Ann\n *\n * Licensed under the Apache License, Version 2.0\n */\npackage shop;\n"),
        ("php", "<?php\n\n/*\n * This file is part of Shop.\n *\n * (c) Ann <ann@example.org>\n */\n\nfunction a() {}\n"),
        ("typescript", "/**\n * @license MIT\n * Copyright (c) 2024 Ann\n */\nexport function a() {}\n"),
        ("typescript", "// Copyright (c) Microsoft Corporation.\n// Licensed under the MIT license.\nconst a = 1\n"),
    ],
)
def test_a_licence_is_no_doc_comment(language: str, text: str) -> None:
    assert [symbol.doc for symbol in symbols_of(language, text) if symbol.doc] == []


# -------------------------------------------------------------------- tests among other code

_RUST = """
/// Counts words.
pub fn count(text: &str) -> usize { text.split(' ').count() }

impl Counter {
    fn one(&self) {}
    #[cfg(test)]
    fn peek(&self) -> u8 { self.a }
    fn two(&self) {}
}

/// Only tests need it.
#[doc(hidden)]
#[cfg(all(test, feature = "std"))]
pub(crate) fn sample() -> String { String::new() }

#[cfg(any(test, feature = "testing"))]
pub fn offered() {}

#[cfg(not(test))]
fn real() {}

#[cfg_attr(test, derive(Debug))]
fn seen() {}

#[tokio::test(flavor = "multi_thread")]
async fn counts_later() {}

#[rstest]
#[case("a b", 2)]
fn counts_cases(#[case] text: &str) {}

#[bench]
fn counts_fast(b: &mut Bencher) {}

#[cfg(test)]
mod tests {
    use super::*;

    impl Fake {
        fn make() -> Self { Fake }
    }

    #[test]
    fn counts_words() {
        assert_eq!(count("a b"), 2);
    }
}

fn last() {}
"""


@pytest.mark.parametrize(
    ("language", "text", "tests", "others"),
    [
        (
            "rust",
            _RUST,
            ["peek", "sample", "counts_later", "counts_cases", "counts_fast", "tests", "Fake", "make", "counts_words"],
            ["count", "Counter", "one", "two", "offered", "real", "seen", "last"],
        ),
        ("rust", "#![cfg(test)]\n\nfn sample() {}\n", ["#![cfg(test)]", "sample"], []),
        ("rust", "mod a {\n    #![cfg(test)]\n    fn b() {}\n}\nfn c() {}\n", ["b"], ["a", "c"]),
        ("cpp", "int A() { return 1; }\nTEST_F(CartTest, Sums) {\n  A();\n}\n", ["TEST_F(CartTest, Sums)"], ["A"]),
    ],
)
def test_tests_among_other_code(language: str, text: str, tests: list[str], others: list[str]) -> None:
    facts = extract_facts(text.encode(), language)
    found = [(facts.symbols[chunk.symbol].name, chunk.is_test) for chunk in facts.chunks]
    assert ([name for name, is_test in found if is_test], [name for name, is_test in found if not is_test]) == (tests, others)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("test", True),
        ("all(test, unix)", True),
        ("all(unix, any(test, all(test, not(miri))))", True),
        ("any(test, unix)", False),
        ("not(test)", False),
        ('feature = "test"', False),
        ("any()", False),
        ("(" * 10_000, False),
    ],
)
def test_needs_test(condition: str, expected: bool) -> None:
    assert needs_test(condition) is expected


def test_many_decorators_take_linear_time() -> None:
    source = "".join(f"@a{number}\n" for number in range(2000)) + "@property\ndef f(self): pass\n"
    started = time.process_time()
    (symbol,) = extract_facts(source.encode(), "python").symbols
    assert (symbol.name, symbol.kind) == ("f", "getter")
    assert time.process_time() - started < 2  # 0.1 s; in a query with a pattern for each decorator, more than a minute
