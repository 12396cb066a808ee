"""Broken code: what is told about it, and that the code around it is kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from astrolabe.ingest.languages.typescript.parsing.parse import parse_source
from astrolabe.ingest.languages.typescript.parsing.problems import MAX_PROBLEMS
from astrolabe.schema.records import Problem
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Node

PROBLEMS = [
    ("missing bracket", "typescript", "call(a, b;\nnext()\n", [(1, "missing `)`")]),
    ("missing name", "typescript", "const { a: } = b\nf()\n", [(1, None)]),
    ("stray bracket", "typescript", "const a = 1\n}\nconst b = 2\n", [(2, "syntax error near `}`")]),
    ("word that does not belong", "typescript", "const a = 1\nlet let 5 x\n", [(2, "syntax error near `let 5 x`")]),
    ("conflict marker", "javascript", "a()\n<<<<<<< HEAD\nb()\n=======\nc()\n>>>>>>> main\n", [(2, None), (4, None), (6, None)]),
    ("quotes are cut at sixty bytes", "typescript", "function (" + "x" * 100 + " y) {}\n", [(1, None)]),
    ("lines after CRLF", "typescript", "a()\r\nconst = \r\nb()\r\n", [(2, None)]),
    ("at sign typed by mistake", "javascript", "a@(b, {\n  c: 1,\n})\nd()\n", [(1, "syntax error near `@(b, {`")]),
    ("lone text", "javascript", "# a title\n", [(1, "syntax error near `# a title`")]),
]


@pytest.mark.parametrize(("language", "text", "expected"), [case[1:] for case in PROBLEMS], ids=[case[0] for case in PROBLEMS])
def test_problems_tell_line_and_place(language: str, text: str, expected: list[tuple[int, str | None]]) -> None:
    problems = parse_source(text.encode(), language).problems
    assert [problem.line for problem in problems] == [line for line, _ in expected]
    for problem, (_, reason) in zip(problems, expected, strict=True):
        assert reason in (None, problem.reason)
        assert "\n" not in problem.reason
        assert len(problem.reason) <= 90


def test_many_problems_are_counted() -> None:
    problems = parse_source(b"const a = ;\n" * 50, "typescript").problems
    assert len(problems) == MAX_PROBLEMS + 1
    assert problems[-1] == Problem(MAX_PROBLEMS + 1, f"and {50 - MAX_PROBLEMS} more lines with syntax errors, from here on")


BROKEN = [
    (
        "statement being written",
        "import a from 'a'\n\nexport function first() {\n  a.\n}\n\nexport function second() {\n  return 1\n}\n",
        ["function_declaration first", "function_declaration second"],
    ),
    (
        "function without its end",
        "function first() {\n  if (a) {\n    b()\n\nfunction second() {\n  return 1\n}\n\nclass Third {\n  go() {}\n}\n",
        ["function_declaration second", "class_declaration Third", "method_definition go"],
    ),
    (
        "one member of a class",
        "class Shop {\n  open() {}\n\n  sell(item {\n    if (item) {\n      item--\n  }\n\n  close() {\n    return 2\n  }\n}\n",
        ["class_declaration Shop", "method_definition open", "method_definition close"],
    ),
    (
        "open template",
        "const a = 1\n\nfunction first() {\n  const text = `abc\n}\n\nfunction second() {\n  return `d`\n}\n\nconst z = 2\n",
        ["variable_declarator a", "function_declaration second", "variable_declarator z"],
    ),
    (
        "open list of imports",
        "import { a, b\nimport { c } from 'c'\n\nexport const d = c()\n",
        ["import_specifier c", "variable_declarator d"],
    ),
    (
        "line left over between statements",
        "const a = 1\n  if (x\nconst b = 2\nfunction f() {\n  return b\n}\n",
        ["variable_declarator a", "variable_declarator b", "function_declaration f"],
    ),
    (
        "decorated class after broken code",
        "const a = {\n\n@Injectable()\nexport class Service {\n  run() {}\n}\n",
        ["class_declaration Service", "method_definition run"],
    ),
    (
        "gap next to broken code",
        "interface Ask {\n  (a: A): B\n  <T>(a: T): T\n}\n\nfunction broken() {\n  if (\n}\n\nfunction f() {}\n",
        ["interface_declaration Ask", "call_signature <T>(a: T): T", "function_declaration f"],
    ),
    (
        "both sides of a conflict",
        "function f() {\n  before()\n<<<<<<< HEAD\n  const a = 1\n=======\n  const b = 2\n>>>>>>> other\n}\n\nfunction g() {}\n",
        ["function_declaration f", "variable_declarator a", "variable_declarator b", "function_declaration g"],
    ),
    (
        "body on its own line",
        "function first()\n{\n  return (1\n}\n\nfunction second()\n{\n  return 2\n}\n",
        ["function_declaration second"],
    ),
]


def _nodes(root: Node) -> Iterator[Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.children


@pytest.mark.parametrize(("text", "kept"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_code_around_broken_code_is_kept(text: str, kept: list[str]) -> None:
    source = text.encode()
    parsed = parse_source(source, "typescript")
    found = set()
    for node in _nodes(parsed.tree.root_node):
        name = node.child_by_field_name("name") or node
        found.add(f"{node.type} {source[name.start_byte : name.end_byte].decode()}")
    assert parsed.problems
    assert [node for node in kept if node not in found] == []


def test_an_error_stays_inside_its_statement() -> None:
    source = b"function first() {\n  if (a) {\n}\n\nfunction second() {}\n\nfunction third() {}\n"
    errors = [node for node in parse_source(source, "typescript").tree.root_node.children if node.has_error]
    assert [(node.start_point.row, node.end_point.row) for node in errors] == [(0, 2)]


DEEP = [
    ("calls", "f(" * 5000 + "1" + ")" * 5000, True),
    ("calls without an end", "f(" * 5000, False),
    ("array", "x = [" + "1," * 20_000 + "]", True),
    ("array with an error", "x = [" + "1,\n" * 20_000 + "2 3]", False),
    ("templates", "x = " + "`${" * 1000 + "1" + "}`" * 1000, True),
    ("type arguments", "type A = " + "B<" * 2000 + "C" + ">" * 2000, True),
    ("blocks without an end", "{\n" * 3000, False),
    ("signatures", "interface A {\n" + "  <T>(x: T): T\n" * 3000 + "}", True),
    ("members", "interface A {\n" + "  in2: T\n" * 3000 + "}", True),
    ("lines of text", "* a line of text\n" * 3000, False),
    ("minified", "var a=1;" + "function f(a){return a?b(a):c`${a}`}" * 3000, True),
]


@pytest.mark.parametrize(("text", "is_valid"), [case[1:] for case in DEEP], ids=[case[0] for case in DEEP])
def test_deep_and_long_code(text: str, is_valid: bool) -> None:
    assert (parse_source(text.encode(), "typescript").problems == []) is is_valid


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ";",
        ",",
        ":",
        "=",
        "=>",
        "`",
        "${",
        "'",
        '"',
        "/",
        "//",
        "/*",
        "*/",
        "\\",
        "\n",
        "\r\n",
        "\x00",
        "&",
        "@",
        "#",
        "?",
        ".",
        "in",
        "out",
        "using",
        "as",
        "type",
        "class",
        "interface",
        "function",
        "if",
        "return",
        "import(",
        "export",
        "await",
        "<T>(",
        "x",
        "1",
        "é",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from(["typescript", "tsx", "javascript", "jsx"]))
def test_anything_parses_and_keeps_its_lines(text: str, language: str) -> None:
    source = text.encode()
    parsed = parse_source(source, language)
    assert [len(line) for line in parsed.data.split(b"\n")] == [len(line) for line in source.split(b"\n")]
    assert parsed.tree.root_node.end_byte <= len(source)
    assert parsed.tree.root_node.has_error is False or parsed.problems
    lines = [problem.line for problem in parsed.problems]
    assert lines == sorted(set(lines))
    assert all(1 <= line <= source.count(b"\n") + 1 for line in lines)
