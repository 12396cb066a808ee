"""The program that the blocks of Java of a document form.

All blocks are in one method, each in the block before it, so a later block may use the variables of an earlier one and declare
them again. A block with members of a class is in a class, whose fields later blocks may use. Imports come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ....schema.blank_text import blanked
from ...facts.document_facts import BlockFact
from .nested_blocks import NestedBlock, nested_programs
from .programs import Implied, Program, dedented
from .repairs import repaired

_OPENING: Final = "class Page_ { void page_() {"
_CLOSING: Final = "}}"
_PACKAGE: Final = re.compile(r"^[ \t]*package[ \t]+[\w.]+[ \t]*;", re.MULTILINE)
_IMPORT: Final = re.compile(
    r"^[ \t]*import[ \t]+(?P<code>(?:static[ \t]+)?[A-Za-z_]\w*(?:\.\w+){1,20}(?P<all>\.\*)?)[ \t]{0,40};?(?=[ \t]{0,40}(?://[^\n]*)?$)",
    re.MULTILINE,
)


def java_programs(blocks: Sequence[BlockFact], implied: Implied, is_valid: Callable[[str], bool]) -> Iterator[Program]:
    """Yield the programs of the blocks of Java of a document; more than one if blocks import other types under one name."""

    def has_statements(text: str) -> bool:
        return is_valid(f"{_OPENING}{text}\n{_CLOSING}")

    def has_members(text: str) -> bool:
        return is_valid(f"class Page_ {{{text}\n}}")

    nested: list[NestedBlock] = []
    for block in blocks:
        text, indent = dedented(block.text)
        imports: list[tuple[str, str, int]] = []
        for found in _IMPORT.finditer(text):
            code = found["code"]
            imports.append((code if found["all"] else code.rpartition(".")[2], code, 0))
        text = _PACKAGE.sub(blanked, _IMPORT.sub(blanked, text))
        statements, members = (text, "") if has_statements(text) else ("", text if has_members(text) else "")
        if not statements and not members:
            statements = repaired(text, ".java", has_statements)
        lines = [(line, number, indent) for number, line in enumerate((statements or members).split("\n"), block.line)]
        if members.strip():
            nested.append(NestedBlock(imports, lines, f"class Block{len(nested)}_ {{", "void page_() {", "}}"))
        elif statements.strip() or imports:
            nested.append(NestedBlock(imports, lines))
    calls = [each for each in implied.expressions if each.text.endswith(")")]
    yield from nested_programs(nested, implied._replace(expressions=calls), "", _OPENING, _CLOSING, ";")
