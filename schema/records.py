"""The records that pass between layers: what ingest finds, the stores keep and retrieval shows.

All are immutable `msgspec` structs, in numbers without their fields' names (`array_like`). Field names are snake_case here
and camelCase in the stores (`camel_case`). Paths are POSIX and relative to the workspace root, lines and columns are 1-based,
line ranges inclusive.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Problem(msgspec.Struct, frozen=True, gc=False):
    """Something about a file that the reader could not take as it stands."""

    line: int
    reason: str


class FileRecord(msgspec.Struct, frozen=True, gc=False):
    """A source file as it was indexed; `size` is in bytes."""

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
    #: Manifest family: "npm".
    kind: str
    manifest_path: str
    version: str
    #: Id of the module around it; None for the outermost.
    parent_id: str | None


class Dependency(msgspec.Struct, frozen=True, gc=False):
    """A package that a module's manifest names."""

    module_id: str
    package: str
    version_range: str
    #: "dependencies", "devDependencies", "peerDependencies" or "optionalDependencies".
    section: str


class SymbolRef(msgspec.Struct, frozen=True, gc=False):
    """What queries and answers say of a symbol: its names and where it is. See `graph.cypher` for each property."""

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
        """Whether it is declared abstract."""
        return "abstract" in self.modifiers

    @property
    def place(self) -> str:
        """`path:line`, with the line of the declaration."""
        return f"{self.relative_path}:{self.declaration_line}"


class Symbol(SymbolRef, frozen=True, gc=False):
    """A piece of source with a place and a name or a role, as it is stored: with its texts. Siblings come in source order."""

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
    #: The import statements of the file that this chunk uses, as source text.
    relevant_imports: tuple[str, ...]
    #: The source lines `start_line` to `end_line`, with body-bearing children collapsed to signature stubs.
    embedding_text: str
    breadcrumb: str
    content_hash: str
    #: Nanoseconds since the epoch.
    last_modified: int
    exported: bool
    #: Whether its file is one of tests, or it says of itself that it is one.
    is_test: bool
    #: Offsets in characters that part the embedding text into pieces that a model takes; empty for nearly all chunks.
    cuts: tuple[int, ...] = ()
    #: Whether the embedding text differs from the source lines, which are stored with the file.
    collapsed: bool = False

    @property
    def embedding_pieces(self) -> list[str]:
        """The embedding text in pieces of at most 32,000 tokens, cut between statements."""
        ends = [*self.cuts, len(self.embedding_text)]
        return [self.embedding_text[start:end] for start, end in zip([0, *self.cuts], ends, strict=True)]


class FileContent(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What search keeps of a file: its text, and the chunks that are ranges of its lines."""

    relative_path: str
    #: UTF-8 without a byte order mark. Lines end with a line feed, before which a carriage return may stand.
    text: bytes
    chunks: tuple[Chunk, ...]


class External(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declaration outside the repository: id "npm:jsonwebtoken#verify" or "lib:Array.prototype.map"."""

    id: str
    package: str
    name: str


class ImportEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file imports from a file of the repository, from a data file, or (`IMPORTS_EXTERNAL`) from a package: `target` names
    it. With `built` that is the source of a built file, which the specifier names and which is not there."""

    from_path: str
    target: str
    specifier: str
    names: tuple[str, ...]
    #: "import", "export", "require", "dynamic" or "importType".
    form: str
    type_only: bool
    line: int
    built: bool = False


class ExportEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file offers a symbol under a name."""

    from_path: str
    symbol_id: str
    name: str
    type_only: bool
    via: tuple[str, ...]


class CallEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """All calls of one form and evidence from one symbol to another. `lines` and `columns` are parallel."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    form: str
    evidence: str


class ExternalCallEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Calls from a symbol to something outside the repository."""

    from_id: str
    external_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    form: str


class UnresolvedCallEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Calls whose declaration is not known. `reason`: receiver, local, global, module, dynamic or depth."""

    from_id: str
    name: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    form: str
    reason: str


class ReferenceEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Uses of a symbol by another in one role."""

    from_id: str
    to_id: str
    role: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    #: Local names that differ from the symbol's name.
    names: tuple[str, ...]


class HeritageEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """`class A extends B`. `to_id` is a symbol, or an external where `to_external` says so."""

    from_id: str
    to_id: str
    #: "extends" or "implements".
    kind: str
    line: int
    to_external: bool


class OverrideEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A member overrides or implements a member of a base class or interface."""

    from_id: str
    to_id: str


class TypeFlowEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A symbol's signature names a type of the repository."""

    from_id: str
    to_id: str
    #: "param", "return" or "field".
    role: str
    #: The parameter's name, else "".
    name: str
    #: The parameter's place from 0, else 0.
    position: int


class TypeCheck(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A symbol's code asks for the type of a value, or the symbol is a function made to be asked. See `graph.cypher`."""

    from_id: str
    to_path: str
    kind: str
    line: int
    start_column: int
    #: What is checked: "shape", "this.state".
    subject: str
    #: What it is checked against: "string", "kind: \"circle\"", the guard's name.
    against: str
    #: Type of the subject where the check holds; "" where nothing short says it.
    narrowed_to: str
    negated: bool
    #: True for the guard itself, whose result type is a predicate.
    declares: bool


class Passing(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function of the repository is passed by its name, as an argument or as an attribute of an element."""

    from_id: str
    #: The symbol that passes it.
    to_id: str
    #: Name of the function or component that takes it; "(element)" for an element of the platform.
    callee: str
    #: Place of the argument from 0; -1 for an attribute.
    position: int
    attribute: str
    line: int
    start_column: int
    #: True for `f.bind(…)`.
    bound: bool
    #: "is" or "asserts" for a type guard, else "".
    predicate: str
    #: For a type guard: the type of what it is applied to, and of what comes out; "" where that is not known.
    input_type: str
    output_type: str


class FunctionTaken(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function takes a function as a parameter, or gives one back."""

    from_id: str
    to_path: str
    #: Place of the parameter from 0; -1 for the result.
    position: int
    name: str
    type: str
    #: "is" or "asserts" where the function taken is a type guard, else "".
    predicate: str
    predicate_type: str


class AliasPart(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A part of the type that an alias stands for. See `graph.cypher`."""

    from_id: str
    to_path: str
    #: Place among the alias's parts, 0 for the type itself.
    place: int
    #: Place of what it is part of; -1 for the type itself.
    parent: int
    role: str
    kind: str
    text: str
    name: str
    readonly_modifier: str
    optional_modifier: str


class MemberValue(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The value of an enum member."""

    from_id: str
    to_id: str
    #: Place among the members, from 0.
    place: int
    text: str
    computed: bool
    constant: str


class CompilerProject(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A tsconfig or jsconfig file of the workspace. Paths are relative to its root."""

    path: str
    #: "project", "solution" (names other projects and has no files) or "base" (others extend it, nothing builds it).
    role: str
    composite: bool
    #: "" where an option is not set, "." for the root of the workspace.
    out_dir: str
    root_dir: str
    #: Configurations inside the workspace that it extends, nearest first.
    extends: tuple[str, ...]
    #: Configurations that it references, in order, also those that do not exist.
    references: tuple[str, ...]
    #: Ids of the repository node, which its edge joins with itself.
    from_id: str = "."
    to_id: str = "."


class ProjectFile(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file belongs to a compiler project."""

    project: str
    to_path: str
    from_id: str = "."


class Augmentation(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A `declare module "./x"` adds to a module of the repository."""

    from_id: str
    to_path: str


class LoadEffect(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Something that loading a file does. See `graph.cypher`."""

    from_path: str
    to_id: str
    kind: str
    line: int
    target: str
    text: str
    conditional: bool


class UnicodeIdentifier(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declared name beyond ASCII. See `graph.cypher`."""

    from_path: str
    to_id: str
    name: str
    kind: str
    line: int
    start_column: int
    scope: str
    scripts: tuple[str, ...]
    mixed_script: bool
    zero_width: bool
    bidi: bool
    normalized: str
    confusable_with: tuple[str, ...]
    reason: str
    severity: str


class GraphContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one generation of the graph holds, or a part of it: nodes may come before the edges between them."""

    #: "" in a part that does not bring the repository's own node.
    repository_name: str = ""
    git_head: str = ""
    modules: list[ModuleRecord] = []
    dependencies: list[Dependency] = []
    files: list[FileRecord] = []
    #: Id of the module that holds each file, parallel to `files`; None outside every module.
    file_modules: list[str | None] = []
    symbols: list[Symbol] = []
    externals: list[External] = []
    imports: list[ImportEdge] = []
    #: Their targets are paths of data files.
    data_imports: list[ImportEdge] = []
    external_imports: list[ImportEdge] = []
    exports: list[ExportEdge] = []
    calls: list[CallEdge] = []
    external_calls: list[ExternalCallEdge] = []
    unresolved_calls: list[UnresolvedCallEdge] = []
    references: list[ReferenceEdge] = []
    heritage: list[HeritageEdge] = []
    overrides: list[OverrideEdge] = []
    type_flows: list[TypeFlowEdge] = []
    checks: list[TypeCheck] = []
    passings: list[Passing] = []
    functions_taken: list[FunctionTaken] = []
    alias_parts: list[AliasPart] = []
    member_values: list[MemberValue] = []
    projects: list[CompilerProject] = []
    project_files: list[ProjectFile] = []
    augmentations: list[Augmentation] = []
    load_effects: list[LoadEffect] = []
    unicode_identifiers: list[UnicodeIdentifier] = []


#: A part of a content, or one as another process encoded it.
GraphPart = GraphContent | msgspec.Raw


def joined(parts: Sequence[GraphPart]) -> GraphContent:
    """Parts of a content as one: lists one after the other. An external that several parts bring comes once."""
    if len(parts) == 1 and isinstance(parts[0], GraphContent):
        return parts[0]
    contents = [part if isinstance(part, GraphContent) else msgspec.msgpack.decode(part, type=GraphContent) for part in parts]
    lists = {
        field: [record for content in contents for record in getattr(content, field)]
        for field in GraphContent.__struct_fields__
        if isinstance(getattr(contents[0], field), list)
    }
    lists["externals"] = list({external.id: external for external in lists["externals"]}.values())
    return msgspec.structs.replace(contents[0], **lists)


def camel_case(field: str) -> str:
    """`start_line` -> `startLine`."""
    head, *tail = field.split("_")
    return head + "".join(part.capitalize() for part in tail)
