"""JSDoc that is cut off, torn, or has other line ends, and of which signature it counts.

What the tags mean is asked in `cases/resolve_carets/jsdoc.txt`.
"""

from __future__ import annotations

import pytest
from astrolabe.ingest.facts.cells import int_array
from astrolabe.ingest.facts.model import FileFacts
from astrolabe.ingest.facts.operations import Op
from astrolabe.ingest.languages.extraction import extract_facts

#: A comment with every tag, and code behind it.
COMMENT = """
 * @import { A, B as C } from './x'
 * @template {A} [T=import('./y').D]
 * @typedef {{ a: Array<T>, 'b}': `c` }} Shape
 * @property {A} a
 * @callback Handler
 * @param {(a: A) => a is B} first
 * @returns {asserts value is A}
 * @overload
 * @param {function(A, B=): C} [options.callback='x'] words
 * @type {?Object.<string, !A>}
 * @satisfies {A} @this {B} @extends {C<A>} @implements A
 * @param {Object} value
 * @param {...A} value.deep
"""
CODE = "\nexport function after(value) { return value.go() }\n/** @type {Repo} */\nlet held = after(1)\nclass Last { run() {} }\n"


def declared_type(facts: FileFacts, name: str) -> str | None:
    """The name of the type that a variable is annotated with."""
    code = int_array(facts.code)
    for decl in facts.decls:
        if decl.name == name and decl.a >= 0 and code[decl.a] == Op.T_NAME:
            return facts.strings[code[decl.a + 2]]
    return None


def cells(facts: FileFacts) -> list[int]:
    """The code without positions."""
    code = int_array(facts.code)
    return [cell for at, cell in enumerate(code) if at % 5 != 4]


@pytest.mark.parametrize("language", ["javascript", "jsx"])
def test_a_comment_cut_anywhere_costs_nothing_behind_it(language: str) -> None:
    for cut in range(len(COMMENT)):
        facts = extract_facts(f"/**{COMMENT[:cut]} */{CODE}".encode(), language)
        names = [symbol.name for symbol in facts.symbols if symbol.kind not in ("type", "property")]
        assert names == ["after", "held", "Last", "run"], cut
        assert declared_type(facts, "held") == "Repo", cut
        assert facts.problems == [], cut


def test_a_comment_torn_anywhere_costs_nothing_behind_it() -> None:
    for start in range(0, len(COMMENT), 3):
        facts = extract_facts(f"/**{COMMENT[:start]}{COMMENT[start + 5 :]} */{CODE}".encode(), "javascript")
        assert declared_type(facts, "held") == "Repo", start


def test_a_comment_that_never_ends() -> None:
    facts = extract_facts(b"function before() {}\n/** @param {A} a\nfunction inside(a) {}", "javascript")
    assert facts.symbols[0].name == "before"


@pytest.mark.parametrize("ends", ["\r\n", "\n\n"])
def test_line_ends(ends: str) -> None:
    source = f"/**{COMMENT} */{CODE}"
    plain, other = (extract_facts(text.encode(), "javascript") for text in (source, source.replace("\n", ends)))
    if ends == "\r\n":
        assert cells(other) == cells(plain)
        assert other.strings == plain.strings
    assert declared_type(other, "held") == "Repo"


def test_bytes_that_are_no_text() -> None:
    facts = extract_facts(b"/** @param {A\xff} a */" + CODE.encode(), "javascript")
    assert declared_type(facts, "held") == "Repo"


@pytest.mark.parametrize("language", ["typescript", "tsx"])
def test_typescript_takes_no_types_from_comments(language: str) -> None:
    facts = extract_facts(f"/**{COMMENT} */{CODE}".encode(), language)
    bare = extract_facts(f"/**{' ' * len(COMMENT)} */{CODE}".encode(), language)
    assert declared_type(facts, "held") is None
    assert (cells(facts), facts.imports, facts.exports) == (cells(bare), bare.imports, bare.exports)


def test_imports_in_comments_are_no_imports_of_the_code() -> None:
    facts = extract_facts(b"/** @import { A } from './a' */\n/** @type {import('./b').B} */\nlet b = import('./c')", "javascript")
    assert [(entry.specifier, entry.form, entry.type_only) for entry in facts.imports] == [
        ("./b", "jsdoc", True),
        ("./c", "dynamic", False),
        ("./a", "jsdoc", True),
    ]


@pytest.mark.parametrize(
    ("above", "said"),
    [
        (("", "", "/** Opens it. */"), "Opens it."),
        (("/** @deprecated */", "/** @deprecated use a path */", "/** Opens it.\n * @internal */"), "Opens it.\n@internal"),
        (("/** Opens a path. */", "/** Opens a handle. */", ""), "Opens a path."),
        (("", "/** @deprecated use a path */", ""), "@deprecated use a path"),
        (("/** {@inheritDoc} */", "/** @inheritdoc */", "/** Opens it. */"), "Opens it."),
        (
            ("/** @deprecated */", "/**\n * @internal\n * @description Opens it.\n */", "/** Opens. */"),
            "@internal\n@description Opens it.",
        ),
        (("", "", ""), ""),
    ],
)
def test_of_several_signatures_the_first_comment_counts_that_says_more_than_tags(above: tuple[str, str, str], said: str) -> None:
    signatures = ("open(path: string): void", "open(handle: number): void", "open(what: any): void {}")
    lines = [f"{comment}\n{signature}" for comment, signature in zip(above, signatures, strict=True)]
    (_, symbol) = extract_facts(f"class Door {{\n{chr(10).join(lines)}\n}}".encode(), "typescript").symbols
    assert (symbol.name, symbol.doc) == ("open", said)
