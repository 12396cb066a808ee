"""The records that pass between layers.

The records are immutable `msgspec` structs; structs with `array_like` are encoded without the names of their fields. Fields are
snake_case here and camelCase in the stores (`camel_case`). Paths are POSIX and relative to the workspace root. Lines and columns
count from 1, and line ranges are inclusive. Columns count characters (Unicode code points).
"""

from __future__ import annotations

import msgspec


class Problem(msgspec.Struct, frozen=True, gc=False):
    """A part of a file that could not be parsed, and the reason."""

    line: int
    reason: str


class FileRecord(msgspec.Struct, frozen=True, gc=False):
    """An indexed source file; `size` is in bytes."""

    relative_path: str
    language: str
    #: SHA-256 of the bytes, hexadecimal.
    content_hash: str
    #: Nanoseconds since the epoch.
    mtime: int
    size: int
    lines: int
    #: "ok", "recovered" (parsed with problems) or "failed" (nothing could be read).
    parse_status: str
    problems: tuple[Problem, ...]
    is_test: bool


class ModuleRecord(msgspec.Struct, frozen=True, gc=False):
    """A package boundary: a folder with a manifest. `id` is the folder, "." for the root."""

    id: str
    name: str
    #: Manifest family: "npm", "python", "maven", "gradle" or "go".
    kind: str
    manifest_path: str
    version: str
    #: Id of the enclosing module; None if no module encloses this one.
    parent_id: str | None


class Dependency(msgspec.Struct, frozen=True, gc=False):
    """A package that a module's manifest names."""

    module_id: str
    package: str
    version_range: str
    #: "dependencies", "devDependencies", "peerDependencies" or "optionalDependencies".
    section: str


class SymbolRef(msgspec.Struct, frozen=True, gc=False):
    """The names and the position of a symbol. `graph.cypher` describes each property."""

    id: str
    name: str
    qualified_name: str
    kind: str
    relative_path: str
    depth: int
    start_line: int
    end_line: int
    declaration_line: int
    name_line: int
    modifiers: tuple[str, ...]
    exported: bool

    @property
    def is_abstract(self) -> bool:
        """Whether the symbol is declared abstract."""
        return "abstract" in self.modifiers

    @property
    def place(self) -> str:
        """The path and the line of the declaration: `path:line`."""
        return f"{self.relative_path}:{self.declaration_line}"


class Symbol(SymbolRef, frozen=True, gc=False):
    """A symbol as it is stored, with its texts. Siblings come in source order."""

    ordinal: int
    signature: str
    doc: str
    breadcrumb: str
    is_chunk: bool
    #: None for depth 0, whose parent is the file.
    parent_id: str | None
    captures: tuple[int, ...] = ()
    comment_imports: tuple[str, ...] = ()

    @property
    def ref(self) -> SymbolRef:
        """The symbol without its texts."""
        return SymbolRef(*[getattr(self, field) for field in SymbolRef.__struct_fields__])


class Chunk(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A symbol that search can return: a row of the vector table, whose columns are these fields in camelCase."""

    id: str
    relative_path: str
    language: str
    node_kind: str
    name: str
    parent_name: str | None
    parent_chunk_id: str | None
    child_chunk_ids: tuple[str, ...]
    depth: int
    signature: str
    start_line: int
    end_line: int
    jsdoc: str | None
    #: The source text of the import statements that this chunk uses.
    relevant_imports: tuple[str, ...]
    #: The source lines `start_line` to `end_line`, with signatures in place of nested declarations with bodies.
    embedding_text: str
    breadcrumb: str
    content_hash: str
    #: Nanoseconds since the epoch.
    last_modified: int
    exported: bool
    #: Whether the chunk belongs to a test file, or is marked as a test.
    is_test: bool
    #: Offsets in characters that divide the embedding text into pieces that fit a model; empty for nearly all chunks.
    cuts: tuple[int, ...] = ()
    #: Whether the embedding text differs from the source lines, which are stored with the file.
    collapsed: bool = False

    @property
    def embedding_pieces(self) -> list[str]:
        """The embedding text in pieces of at most 32,000 tokens, cut between statements."""
        ends = [*self.cuts, len(self.embedding_text)]
        return [self.embedding_text[start:end] for start, end in zip([0, *self.cuts], ends, strict=True)]


class FileContent(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The stored content of a file for search: its text, and its chunks, which are ranges of lines."""

    relative_path: str
    #: UTF-8 without a byte order mark. Lines end with LF or CRLF.
    text: bytes
    chunks: tuple[Chunk, ...]


class External(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declaration outside the repository: id "npm:jsonwebtoken#verify" or "lib:Array.prototype.map"."""

    id: str
    package: str
    name: str


def camel_case(field: str) -> str:
    """Convert a field name to camelCase: `start_line` -> `startLine`."""
    head, *tail = field.split("_")
    return head + "".join(part.capitalize() for part in tail)
