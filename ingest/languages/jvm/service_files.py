"""Files that name implementations of a service, one on each line: files in `META-INF/services`, and Spring's `*.imports`.

`java.util.ServiceLoader` describes the format. A file has the name of its service. Facts depend only on the content of a file, so
the specifier of the service is `SERVICE` in the facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from ....schema.languages import language_of
from ...facts.model import FileFacts, Import
from ...facts.uncovered_lines import chunks_of_symbols, line_offsets, symbols_of_gaps
from ...files.source_text import SourceText

#: Specifier of the service of a file. During resolution, the name of the file replaces it.
SERVICE: Final = "META-INF"
_NAME: Final = re.compile(rb"[ \t]*(?P<name>[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)?[ \t]*(?:#.*)?\r?\n?")


class Named(NamedTuple):
    """A type in a file of implementations."""

    #: Qualified name; a dot separates a nested type.
    name: str
    #: Byte offset.
    position: int


def service_of(path: str) -> str:
    """Return the service whose implementations a file names; "" for other files."""
    if language_of(path) != "java" or path.endswith(".java"):
        return ""
    return path.rpartition("/")[2].removesuffix(".imports").replace("$", ".")


def names_in(data: bytes) -> list[Named] | None:
    """Return the types that a text names; None for a text in another format, such as Java."""
    found: list[Named] = []
    position = 0
    for line in data.splitlines(keepends=True):
        read = _NAME.fullmatch(line)
        if read is None:
            return None
        if read["name"]:
            found.append(Named(read["name"].decode("utf-8", "replace").replace("$", "."), position + read.start("name")))
        position += len(line)
    return found


def blank(source: SourceText) -> SourceText:
    """Return a text of blank lines with the same offsets."""
    return replace(source, data=re.sub(rb"[^\r\n]", b" ", source.data))


def add_lines(facts: FileFacts, source: SourceText) -> None:
    """Add a symbol for the lines of a file, and its chunk, so that a search finds the names."""
    text = source.data.decode("utf-8", "replace")
    starts = line_offsets(text, len(source.line_starts))
    facts.symbols = symbols_of_gaps(text, starts, [], ("#",))
    facts.chunks = chunks_of_symbols(text, starts, facts.symbols)


def imports_of(named: list[Named]) -> Iterator[Import]:
    """Yield the imports of a file: the service and its implementations."""
    if named:
        yield Import(SERVICE, "import", False, [], 0, -1)
    for each in named:
        yield Import(each.name, "import", False, [each.name.rpartition(".")[2]], each.position, -1)
