"""Programs in which each block of a document is nested in the block before it, after the imports of all blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .code_pieces import CodeLine
from .programs import MAX_DEPTH, MAX_PROGRAM, Implied, Program

#: Maximum number of programs of a document in one language.
MAX_PROGRAMS: Final = 3


class NestedBlock(NamedTuple):
    """The valid code of a block."""

    #: The local name of each import, the import without the word `import`, and its line.
    imports: list[tuple[str, str, int]]
    lines: list[CodeLine]
    #: The code before the lines, the code between the lines and the blocks after this one, and the code at the end.
    opening: str = "{"
    inner: str = ""
    closing: str = "}"


def nested_programs(
    blocks: Sequence[NestedBlock], implied: Implied, head: str, opening: str, closing: str, end_of_import: str
) -> Iterator[Program]:
    """Yield the programs of blocks: more than one if blocks import different things under one name.

    `head` comes before the imports, and `opening` and `closing` are around the blocks.
    """
    groups: list[list[NestedBlock]] = [[]]
    known: dict[str, str] = {}
    size = 0
    for block in blocks:
        size += sum(len(text) for text, _, _ in block.lines)
        if size > MAX_PROGRAM:
            break
        if any(known.get(local, code) != code for local, code, _ in block.imports):
            groups.append([])
            known = {}
        known.update((local, code) for local, code, _ in block.imports)
        groups[-1].append(block)
    for group in groups[:MAX_PROGRAMS] if blocks else ():
        yield _program(group, implied, head, opening, closing, end_of_import)


def _program(
    blocks: Sequence[NestedBlock], implied: Implied, head: str, opening: str, closing: str, end_of_import: str
) -> Program:
    lines: list[CodeLine] = [(head, 0, 0)]
    imports = dict.fromkeys(code for block in blocks for _, code, _ in block.imports)
    names = {local for block in blocks for local, _, _ in block.imports}
    lines += [(f"import {code}{end_of_import}", 0, 0) for code in imports]
    lines += [(each.code, 0, 0) for each in implied.named if each.name not in names]
    lines.append((opening, 0, 0))
    closings: list[str] = []
    for block in blocks:
        if len(closings) == MAX_DEPTH:
            lines += [(each, 0, 0) for each in reversed(closings)]
            closings = []
        lines += [(block.opening, 0, 0), *block.lines, (block.inner, 0, 0)]
        closings.append(block.closing)
    lines += [(f"{each.text}{end_of_import}", each.line, each.column - 1) for each in implied.expressions]
    lines += [(each, 0, 0) for each in (*reversed(closings), closing)]
    return Program("\n".join(text for text, _, _ in lines), [(number, indent) for _, number, indent in lines], {})
