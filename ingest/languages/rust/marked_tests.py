"""Find the attributes that mark tests. In Rust, unit tests are in the files that they test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ...symbols.node_text import node_text
from ..syntax_only.rules import Span

if TYPE_CHECKING:
    from tree_sitter import Node

#: Attributes that mark a function as a test or a benchmark, for any test runner: `#[tokio::test]`.
_TESTS: Final = re.compile(
    r"#!?\[\s*(?:\w+\s*::\s*)*(?:test|bench|rstest|test_case|test_matrix|quickcheck|proptest|wasm_bindgen_test)\s*[\](]"
)
#: Attributes that include the next item only under a condition.
_CONDITION: Final = re.compile(r"#!?\[\s*cfg\s*\((.*)\)\s*\]", re.DOTALL)
_TOKEN: Final = re.compile(r"\w+(?:\s*=\s*\"[^\"]*\")?|[(),]")
#: Maximum length of a condition that is read, in characters. This also limits the depth of nested parentheses.
_MAX_CONDITION_LENGTH: Final = 300


def test_span(attribute: Node) -> Span | None:
    """Return the range that an attribute marks as tests: the next item, or the enclosing item for an attribute with `!`."""
    text = node_text(attribute)
    if _TESTS.match(text) is None and not ((found := _CONDITION.match(text)) and needs_test(found[1])):
        return None
    if attribute.type == "inner_attribute_item":
        return (attribute.parent.start_byte, attribute.parent.end_byte) if attribute.parent is not None else None
    marked = attribute.next_named_sibling
    while marked is not None and marked.type in ("attribute_item", "line_comment", "block_comment"):
        marked = marked.next_named_sibling
    return (attribute.start_byte, marked.end_byte) if marked is not None else None


def needs_test(condition: str) -> bool:
    """Return whether a condition of `cfg` is true only in tests: `test` and `all(test, unix)` are, `any(test, unix)` is not."""
    return len(condition) <= _MAX_CONDITION_LENGTH and any(_needs_test(iter(_TOKEN.findall(condition))))


def _needs_test(tokens: Iterator[str]) -> list[bool]:
    """Apply the same rule to each condition up to a closing bracket."""
    needs: list[bool] = []
    name = ""
    for token in tokens:
        if token == ")":
            break
        if token == "(":
            inner = _needs_test(tokens)
            needs[-1:] = [any(inner) if name == "all" else name == "any" and bool(inner) and all(inner)]
        elif token != ",":
            name = token
            needs.append(token == "test")
    return needs
