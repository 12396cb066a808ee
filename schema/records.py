"""The records that pass between layers: ingest makes them, the stores keep them and retrieval shows them.

All are immutable `msgspec` structs. Those with `array_like` are encoded without the names of their fields.
Fields are snake_case here and camelCase in the stores (`camel_case`).
Paths are POSIX and relative to the workspace root. Lines and columns count from 1, and line ranges are inclusive.
Columns count characters (Unicode code points).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Problem(msgspec.Struct, frozen=True, gc=False):
    """A part of a file that could not be parsed, and why."""

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
    #: Id of the enclosing module; None for an outermost one.
    parent_id: str | None


class Dependency(msgspec.Struct, frozen=True, gc=False):
    """A package that a module's manifest names."""

    module_id: str
    package: str
    version_range: str
    #: "dependencies", "devDependencies", "peerDependencies" or "optionalDependencies".
    section: str


class SymbolRef(msgspec.Struct, frozen=True, gc=False):
    """The names and the place of a symbol. `graph.cypher` describes each property."""

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
    #: The import statements of the file that this chunk uses, as source text.
    relevant_imports: tuple[str, ...]
    #: The source lines `start_line` to `end_line`, with body-bearing children collapsed to signature stubs.
    embedding_text: str
    breadcrumb: str
    content_hash: str
    #: Nanoseconds since the epoch.
    last_modified: int
    exported: bool
    #: Whether the chunk belongs to a test file, or is itself marked as a test.
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
    """What search stores of a file: its text, and the chunks that are ranges of its lines."""

    relative_path: str
    #: UTF-8 without a byte order mark. Lines end with LF or CRLF.
    text: bytes
    chunks: tuple[Chunk, ...]


class External(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declaration outside the repository: id "npm:jsonwebtoken#verify" or "lib:Array.prototype.map"."""

    id: str
    package: str
    name: str


class ImportEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file imports `target`: a file of the repository, a data file or, in `IMPORTS_EXTERNAL`, a package.

    If `built` is true, the specifier or the manifest of its package names a build output that is not indexed, and `target`
    is its source.
    """

    from_path: str
    target: str
    specifier: str
    names: tuple[str, ...]
    #: "import", "export", "require", "dynamic" or "importType".
    form: str
    type_only: bool
    line: int
    built: bool = False
    #: True if it runs only after the file is loaded.
    deferred: bool = False


class UnresolvedImport(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file imports something that is not known. `reason`: absent, alias or configuration."""

    from_path: str
    specifier: str
    names: tuple[str, ...]
    form: str
    type_only: bool
    line: int
    reason: str


class ExportEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file exports a symbol under a name."""

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
    #: On which platforms the callee is the one that is meant, "" for all.
    variant: str = ""


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


class UnresolvedReferenceEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Uses of a member, other than calls, of values whose type is not known."""

    from_id: str
    name: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]


class ReferenceEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Uses of one symbol by another in one role."""

    from_id: str
    to_id: str
    role: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    #: Local names that differ from the symbol's name.
    names: tuple[str, ...]


class MentionEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Links in the doc comments of one symbol to another one, or what a section of a document names. See `graph.cypher`."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    kind: str = "comment"
    evidence: str = "link"
    reason: str = ""


class FileMentionEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A section of a document names a file. `to_id` is its path."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    kind: str
    evidence: str
    reason: str = ""


class UnresolvedMentionEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A section of a document names what is not there, or what may be several things. `to_id` is the text."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    kind: str
    evidence: str
    reason: str


class MessageEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A diagram connects two of its nodes. See `graph.cypher`."""

    from_id: str
    to_id: str
    label: str
    style: str
    frame: str
    position: int
    line: int


class NextStepEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A step of a workflow leads to another one. See `graph.cypher`."""

    from_id: str
    to_id: str
    condition: str
    line: int


class SectionFields(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """What a section says in the form of a type. `to_path` is its file; for the rest see SECTION_FIELDS in `graph.cypher`."""

    from_id: str
    to_path: str
    type: str
    form: str
    fields: str
    reason: str


class HeritageEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """`class A extends B`. `to_id` is the id of a symbol, or of an external if `to_external` is true."""

    from_id: str
    to_id: str
    #: "extends" or "implements".
    kind: str
    line: int
    to_external: bool
    #: Of a type of Go that implements an interface: "value" if its values do, "pointer" if only pointers to it do; else "".
    method_set: str = ""


class OverrideEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A member overrides or implements a member of a base class or interface, or of the type that its object literal is for.

    `to_id` is the id of a symbol, or of an external if `to_external` is true.
    """

    from_id: str
    to_id: str
    to_external: bool = False


class TypeFlowEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A symbol's signature names a type of the repository."""

    from_id: str
    to_id: str
    #: "param", "return" or "field".
    role: str
    #: The parameter's name, else "".
    name: str
    #: Position of the parameter from 0, else 0.
    position: int


class TypeCheck(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Code of a symbol checks the type of a value, or the symbol itself is a type guard. See `graph.cypher`."""

    from_id: str
    to_path: str
    kind: str
    line: int
    start_column: int
    #: What is checked: "shape", "this.state".
    subject: str
    #: What it is checked against: "string", "kind: \"circle\"", the guard's name.
    against: str
    #: Type of the subject where the check holds; "" if the type has no short form.
    narrowed_to: str
    negated: bool
    #: True for the guard itself, whose result type is a predicate.
    declares: bool


class Passing(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function of the repository is passed by name, as an argument or as an attribute of an element."""

    from_id: str
    #: The symbol that passes it.
    to_id: str
    #: Name of the function or component that receives it; "(element)" for an element of the platform.
    callee: str
    #: Position of the argument from 0; -1 for an attribute.
    position: int
    attribute: str
    line: int
    start_column: int
    #: True for `f.bind(…)`.
    bound: bool
    #: "is" or "asserts" for a type guard, else "".
    predicate: str
    #: For a type guard: the type of its argument, and the type it narrows to; "" if unknown.
    input_type: str
    output_type: str


class Wiring(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A framework runs a symbol, or hands it to other code. See `graph.cypher`."""

    #: Id of the symbol that wires it, or the path of its file if `from_file` is true.
    from_id: str
    to_id: str
    framework: str
    role: str
    evidence: str
    text: str
    line: int
    start_column: int
    from_file: bool


class ColumnEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A column belongs to a table, in the state after all migrations. See `graph.cypher`."""

    from_id: str
    to_id: str
    name: str
    type: str
    nullable: bool
    default_value: str
    #: Position among the columns of the table, from 0; -1 for a column that was dropped.
    position: int
    comment: str


class ForeignKeyEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A column refers to a column of the same or another table."""

    from_id: str
    to_id: str
    name: str
    #: Position among the columns of the key, from 0.
    position: int
    on_delete: str
    on_update: str
    line: int


class IndexEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An index or a key covers a column."""

    from_id: str
    to_id: str
    name: str
    #: index, primary key or unique.
    kind: str
    position: int
    is_unique: bool


class DataUse(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A symbol reads or modifies a table or a column."""

    from_id: str
    to_id: str
    modifies: bool
    #: select, insert, update, delete, merge or truncate.
    statement: str
    lines: tuple[int, ...]
    evidence: str


class DataMapping(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declaration stands for a table or a column that is declared elsewhere."""

    from_id: str
    to_id: str
    #: What declares it: schema file, or the name of an object mapper.
    framework: str
    evidence: str


class ImplementationEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function or class takes an operation of a contract. `IMPLEMENTED_BY` in `graph.cypher` documents each property."""

    from_id: str
    to_id: str
    framework: str
    evidence: str
    text: str
    path: str
    line: int


class SchemaEvent(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A table or a column was created, altered, renamed or dropped in a file."""

    from_id: str
    to_path: str
    kind: str
    #: Name at the end of all migrations.
    name: str
    line: int
    #: Position among the events of the symbol, from 0.
    position: int


class FunctionTaken(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function has a parameter that is a function, or returns a function."""

    from_id: str
    to_path: str
    #: Position of the parameter from 0; -1 for the result.
    position: int
    name: str
    type: str
    #: "is" or "asserts" if the function passed or returned is a type guard, else "".
    predicate: str
    predicate_type: str


class AliasPart(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A part of the type that a type alias stands for. See `graph.cypher`."""

    from_id: str
    to_path: str
    #: Position among the parts of the alias, 0 for the whole type.
    place: int
    #: Position of the enclosing part; -1 for the whole type.
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
    #: Position among the members, from 0.
    place: int
    text: str
    computed: bool
    constant: str


class CompilerProject(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A tsconfig or jsconfig file of the workspace. Paths are relative to the workspace root."""

    path: str
    #: "project", "solution" (only references other projects) or "base" (other configurations extend it, nothing builds it).
    role: str
    composite: bool
    #: "" if an option is not set, "." for the root of the workspace.
    out_dir: str
    root_dir: str
    #: Configurations inside the workspace that this one extends, nearest first.
    extends: tuple[str, ...]
    #: Configurations that this one references, in order, including those that do not exist.
    references: tuple[str, ...]
    #: Both ends of the edge are the repository node.
    from_id: str = "."
    to_id: str = "."


class ProjectFile(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file belongs to a compiler project."""

    project: str
    to_path: str
    from_id: str = "."


class Augmentation(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A `declare module "./x"` that augments a module of the repository."""

    from_id: str
    to_path: str


class LoadEffect(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """An effect of loading a file. See `graph.cypher`."""

    from_path: str
    to_id: str
    kind: str
    line: int
    target: str
    text: str
    conditional: bool


class UnicodeIdentifier(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declared name with characters outside of ASCII. See `graph.cypher`."""

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
    """What one generation of the graph contains, or a part of it. Parts with nodes may come before those with their edges."""

    #: "" in a part without the repository node.
    repository_name: str = ""
    git_head: str = ""
    modules: list[ModuleRecord] = []
    dependencies: list[Dependency] = []
    files: list[FileRecord] = []
    #: Id of the module of each file, parallel to `files`; None for a file outside of every module.
    file_modules: list[str | None] = []
    symbols: list[Symbol] = []
    externals: list[External] = []
    imports: list[ImportEdge] = []
    #: Imports whose targets are paths of data files.
    data_imports: list[ImportEdge] = []
    external_imports: list[ImportEdge] = []
    unresolved_imports: list[UnresolvedImport] = []
    exports: list[ExportEdge] = []
    calls: list[CallEdge] = []
    external_calls: list[ExternalCallEdge] = []
    unresolved_calls: list[UnresolvedCallEdge] = []
    references: list[ReferenceEdge] = []
    unresolved_references: list[UnresolvedReferenceEdge] = []
    mentions: list[MentionEdge] = []
    file_mentions: list[FileMentionEdge] = []
    unresolved_mentions: list[UnresolvedMentionEdge] = []
    messages: list[MessageEdge] = []
    next_steps: list[NextStepEdge] = []
    section_fields: list[SectionFields] = []
    heritage: list[HeritageEdge] = []
    overrides: list[OverrideEdge] = []
    type_flows: list[TypeFlowEdge] = []
    checks: list[TypeCheck] = []
    passings: list[Passing] = []
    wirings: list[Wiring] = []
    columns: list[ColumnEdge] = []
    foreign_keys: list[ForeignKeyEdge] = []
    indexes: list[IndexEdge] = []
    data_uses: list[DataUse] = []
    data_mappings: list[DataMapping] = []
    schema_events: list[SchemaEvent] = []
    implementations: list[ImplementationEdge] = []
    functions_taken: list[FunctionTaken] = []
    alias_parts: list[AliasPart] = []
    member_values: list[MemberValue] = []
    projects: list[CompilerProject] = []
    project_files: list[ProjectFile] = []
    augmentations: list[Augmentation] = []
    load_effects: list[LoadEffect] = []
    unicode_identifiers: list[UnicodeIdentifier] = []


#: A part of a graph's content, decoded or as another process encoded it.
GraphPart = GraphContent | msgspec.Raw


def joined(parts: Sequence[GraphPart]) -> GraphContent:
    """Return the concatenated content of the parts. An external that several parts contain comes once."""
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
    """Convert a field name to camelCase: `start_line` -> `startLine`."""
    head, *tail = field.split("_")
    return head + "".join(part.capitalize() for part in tail)
