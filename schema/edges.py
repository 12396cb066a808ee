"""The edges of the graph as records, one class for each relationship. `graph.cypher` describes their properties.

Ids, paths, lines and columns have the same meaning as in `schema/records.py`.
"""

from __future__ import annotations

from typing import Final

import msgspec

#: Statement of a `DataUse` that leads to a function or procedure of a database.
ROUTINE_CALL: Final = "call"


class ImportEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file imports `target`: a file of the repository, a data file or, in `IMPORTS_EXTERNAL`, a package.

    If `built` is true, the specifier or the manifest of the imported package names a build output, and `target` is its source.
    """

    from_path: str
    target: str
    specifier: str
    names: tuple[str, ...]
    #: "import", "export", "require", "dynamic", "importType", "reference" (a path in a directive) or "glob".
    form: str
    type_only: bool
    line: int
    built: bool = False
    #: True if the import runs only after the file is loaded.
    deferred: bool = False


class UnresolvedImport(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A file has an import whose target is not known. `reason`: absent, alias or configuration."""

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
    """All calls from one symbol to another with the same form and the same evidence. `lines` and `columns` are parallel."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    form: str
    evidence: str
    #: Platforms on which the calls run this callee; "" for all platforms.
    variant: str = ""


class ExternalCallEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Calls from a symbol to a declaration outside of the repository."""

    from_id: str
    external_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    form: str


class UnresolvedCallEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Calls of a function whose declaration is not known. `reason`: receiver, local, global, module, dynamic or depth."""

    from_id: str
    name: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    form: str
    reason: str


class UnresolvedReferenceEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Uses of a member whose receiver has an unknown type. Calls of the member are an `UnresolvedCallEdge` instead."""

    from_id: str
    name: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]


class ReferenceEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """All uses of one symbol by another symbol in the same role, such as "read" or "type"."""

    from_id: str
    to_id: str
    role: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    #: Local names that differ from the symbol's name.
    names: tuple[str, ...]
    variant: str = ""
    #: Number of uses whose name is in quotes: `row["id"]`, `Row["id"]`, `{ "id": 1 }`.
    quoted: int = 0


class MentionEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A doc comment of a symbol links to another symbol, or a section of a document names a symbol. See `graph.cypher`."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    kind: str = "comment"
    evidence: str = "link"
    reason: str = ""
    candidates: tuple[str, ...] = ()


class FileMentionEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A section of a document names a file. `to_id` is the path of the file."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    kind: str
    evidence: str
    reason: str = ""
    candidates: tuple[str, ...] = ()


class UnresolvedMentionEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A section of a document contains a name that does not exist or is ambiguous. `to_id` is the name."""

    from_id: str
    to_id: str
    lines: tuple[int, ...]
    columns: tuple[int, ...]
    kind: str
    evidence: str
    reason: str
    candidates: tuple[str, ...] = ()


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
    """A step of a workflow precedes another step. See `graph.cypher`."""

    from_id: str
    to_id: str
    condition: str
    line: int


class SectionFields(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The fields of a section that has a type.

    `to_path` is the file of the section; SECTION_FIELDS in `graph.cypher` documents the other fields.
    """

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
    #: For a Go type that implements an interface: "value" if values of the type implement the interface, "pointer" if only
    #: pointers do; "" for other edges.
    method_set: str = ""


class OverrideEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A member overrides or implements a member of a base class or interface, or of the declared type of its object literal.

    `to_id` is the id of a symbol, or of an external if `to_external` is true.
    """

    from_id: str
    to_id: str
    to_external: bool = False


class MethodEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A type has a method that is declared outside of it. The edge belongs to the file of the method."""

    from_id: str
    to_id: str


class TypeFlowEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A symbol's signature names a type of the repository."""

    from_id: str
    to_id: str
    #: "param", "return" or "field".
    role: str
    #: Name of the parameter; "" for a result or a field.
    name: str
    #: Position of the parameter from 0; 0 for a result or a field.
    position: int


class TypeCheck(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Code of a symbol checks the type of a value, or the symbol is a type guard. See `graph.cypher`."""

    from_id: str
    to_path: str
    kind: str
    line: int
    start_column: int
    #: The checked value: "shape", "this.state".
    subject: str
    #: The other side of the check: "string", "kind: \"circle\"", the guard's name.
    against: str
    #: Type of the checked value if the check succeeds; "" if the type has no short form.
    narrowed_to: str
    negated: bool
    #: True for a type guard, whose result type is a predicate; False for a check in code.
    declares: bool


class Passing(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function of the repository is passed by name, as an argument or as an attribute of an element."""

    from_id: str
    #: Id of the symbol whose code passes the function.
    to_id: str
    #: Name of the function or component that receives the function; "(element)" for an element of the platform.
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
    #: For a type guard: the type of its argument; "" if unknown.
    input_type: str
    #: For a type guard: the type to which it narrows its argument; "" if unknown.
    output_type: str


class Wiring(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A framework runs a symbol, or passes it to other code. See `graph.cypher`."""

    #: Id of the symbol whose code registers the other symbol, or the path of its file if `from_file` is true.
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
    #: Position among the columns of the table, from 0; -1 for a dropped column.
    position: int
    comment: str


class ForeignKeyEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A column refers to a column of the same or another table."""

    from_id: str
    to_id: str
    name: str
    #: Position of the column in the foreign key, from 0.
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
    """A symbol reads or modifies a table or a column, or calls a routine of the database."""

    from_id: str
    to_id: str
    modifies: bool
    #: select, insert, update, delete, merge, truncate, or `ROUTINE_CALL` for the use of a function or procedure.
    statement: str
    lines: tuple[int, ...]
    evidence: str
    #: Dialect of SQL in which the statements were parsed; "" for calls of object mappers.
    dialect: str


class UnresolvedDataUse(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A statement in a symbol names a table or a column that no database of the repository has."""

    from_id: str
    #: Name of the table, or of the table and the column.
    name: str
    #: table, column, or dropped (a table that a migration dropped).
    reason: str
    lines: tuple[int, ...]


class DataMapping(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A declaration represents a table or a column with another declaration."""

    from_id: str
    to_id: str
    #: Kind of the declaration: schema file, or the name of an object mapper.
    framework: str
    evidence: str


class ImplementationEdge(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function or class implements an operation of a contract. `IMPLEMENTED_BY` in `graph.cypher` documents each property."""

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
    #: Name of the table or column after all migrations.
    name: str
    line: int
    #: Position of the event among all events of the symbol, from 0.
    position: int


class FunctionTaken(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A function takes a function as a parameter, or returns a function."""

    from_id: str
    to_path: str
    #: Position of the parameter from 0; -1 for the result.
    position: int
    name: str
    type: str
    #: "is" or "asserts" if the parameter or the result is a type guard, else "".
    predicate: str
    predicate_type: str


class AliasPart(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A part of the type that a type alias names. See `graph.cypher`."""

    from_id: str
    to_path: str
    #: Position among the parts of the alias; 0 for the type as a whole.
    place: int
    #: Position of the enclosing part; -1 for the type as a whole.
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
    #: "project", "solution" (a project that has only references to projects) or "base" (a configuration that only other
    #: configurations use).
    role: str
    composite: bool
    #: "" if an option is not set, "." for the root of the workspace.
    out_dir: str
    root_dir: str
    #: Configurations of the workspace that this configuration extends, nearest first.
    extends: tuple[str, ...]
    #: Configurations that this configuration references, in order, including missing configurations.
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
