"""The facts of one file: a pure function of the bytes of the file, and the only input of resolution."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

import msgspec

from ...schema.records import Problem
from .api import ApiFacts
from .constructs import EnumValue, SideEffect, TypePart, UnicodeName
from .data import DataFacts
from .document_facts import BlockFact, MentionFact, MessageFact, NextStepFact, StructureFact, TermFact


class Meaning:
    """The possible meanings of a name: a set of flags."""

    VALUE: Final = 1
    TYPE: Final = 2
    NAMESPACE: Final = 4


class Reach:
    """Reachability of a declaration in nominal languages: operand `c` of all declarations except parameters."""

    #: The declaration is unreachable: it is in a branch whose condition is never true, or after a `return`.
    NEVER: Final = 4
    #: The name is still bound to the declaration at the end of the scope.
    END: Final = 5
    #: The declaration is an import without an alias. Its name is only a guess, because files of the imported package declare it.
    LIKELY: Final = 6


class DeclKind:
    """Kinds of declarations, with the operands of `Decl` for each."""

    VARIABLE: Final = 1  #: (type, value, 1 const 2 let 3 var)
    PARAMETER: Final = 2  #: (type, value: a PARAMETER node or a part of it, function)
    FUNCTION: Final = 3  #: (function, -, -)
    CLASS: Final = 4  #: (shape, -, -)
    INTERFACE: Final = 5  #: (shape, -, -)
    ALIAS: Final = 6  #: (type, list of type parameter declarations, -)
    ENUM: Final = 7  #: (shape, -, -)
    NAMESPACE: Final = 8  #: (scope, -, -)
    #: (constraint, default, 1 with `const`). For a method outside of its type: (-1, shape of the method, index among the
    #: parameters of the type).
    TYPE_PARAMETER: Final = 9
    #: (import, string: the imported name, "default" or "*"; 1 for type only). In nominal languages: (string: the module, string:
    #: the imported name, or -1 for the module; -, or `Reach.LIKELY`).
    IMPORT: Final = 10
    #: (name node, -, -) for `import A = N.B`; (-, 1, -) for `export as namespace A`, which names the module itself.
    IMPORT_ALIAS: Final = 11
    ENUM_MEMBER: Final = 12  #: (shape, member, -)


class Decl(msgspec.Struct, array_like=True, gc=False):
    """A declaration. `symbol` is -1 for parameters, local variables and imports, which have no symbols."""

    kind: int
    name: str
    symbol: int
    a: int
    b: int
    c: int
    position: int


class Binding(msgspec.Struct, array_like=True, gc=False):
    """A name in a scope and its declarations, merged as TypeScript merges them."""

    name: str
    #: The meanings of the name, a set of `Meaning` flags.
    meaning: int
    decls: list[int]
    scope: int
    #: Nodes assigned to the name outside its declarations. In Python, also the nodes that add to an empty container in the
    #: name: calls such as `items.append(x)`, and ASSIGN nodes of items.
    assigned: list[int]


class MemberKind:
    """Kinds of members of shapes."""

    PROPERTY: Final = 0
    METHOD: Final = 1
    GETTER: Final = 2
    SETTER: Final = 3
    CONSTRUCTOR: Final = 4
    INDEX: Final = 5
    CALL: Final = 6
    CONSTRUCT: Final = 7
    TYPE: Final = 8  #: a type that is declared in another type
    DELEGATE: Final = 9  #: a value, named `DELEGATE`, whose methods the enclosing type also has


#: Name of the members of the kind `MemberKind.DELEGATE`.
DELEGATE: Final = "$delegate"


class Member(msgspec.Struct, array_like=True, gc=False):
    """A member of a class, interface, object type, object literal or enum."""

    name: str
    kind: int
    static: bool
    #: For a method or constructor in languages with overloads: whether it is private.
    optional: bool
    symbol: int
    #: Function of a method, accessor, constructor or signature; -1 for properties.
    function: int
    #: Annotation; for an index signature, the type of its values.
    type: int
    #: Initializer; for an index signature, the type of its keys.
    value: int
    position: int
    #: Declaration of a parameter property, or byte offset of the name in the key of an object literal; else -1.
    extra: int
    #: In Go, whether the receiver of a method or the embedded type of a struct is a pointer.
    is_pointer: bool = False


class ShapeKind:
    """The kinds of constructs with a shape."""

    CLASS: Final = 0
    INTERFACE: Final = 1
    OBJECT_TYPE: Final = 2
    OBJECT_LITERAL: Final = 3
    ENUM: Final = 4
    #: Methods that are declared outside of their type. The shape has the name of the type, which any file of the package may
    #: declare.
    EXTENSION: Final = 5


class Shape(msgspec.Struct, array_like=True, gc=False):
    """The members and heritage of a class, interface, object type, object literal or enum."""

    kind: int
    name: str
    symbol: int
    decl: int
    type_parameters: list[int]
    #: Class: at most one T_REFERENCE-like node whose name is an expression. Interface: type nodes.
    extends: list[int]
    implements: list[int]
    members: list[Member]
    position: int
    #: The enclosing type, in languages in which nested types see its members; else -1.
    outer: int = -1
    #: Qualified name of the type that all types of this kind derive from without naming it, such as
    #: `java.lang.annotation.Annotation` for annotation types; else empty.
    implicit_base: str = ""
    #: In Python, the nodes in methods that add to attributes with empty containers: calls such as `self.items.append(x)`, and
    #: ASSIGN nodes of items, by name of the attribute.
    added: dict[str, list[int]] = {}


class Parameter(msgspec.Struct, array_like=True, gc=False):
    """A parameter. `decl` is -1 for a pattern, whose names are separate declarations."""

    name: str
    decl: int
    type: int
    default: int
    optional: bool
    rest: bool


class Function(msgspec.Struct, array_like=True, gc=False):
    """A function, method, accessor, constructor or signature."""

    symbol: int
    parameters: list[Parameter]
    type_parameters: list[int]
    #: Annotation of the result; -1 if it is inferred.
    return_type: int
    #: Returned expressions, or the body of an arrow function without a block.
    returns: list[int]
    yields: list[int]
    #: Annotation of a `this` parameter, else -1.
    this_type: int
    is_async: bool
    is_generator: bool
    is_arrow: bool
    has_body: bool
    #: True if the end of the body can be reached, so that `undefined` is among the results.
    falls_through: bool
    position: int
    #: Of a method in Go, the types of its parameters and results as they are written, without packages: "int,*int;error". A
    #: pointer has the members of its target, so that only this text has the stars.
    written: str = ""


class Import(msgspec.Struct, array_like=True, gc=False):
    """An import or another use of a module specifier."""

    specifier: str
    #: "import", "export", "require", "dynamic", "importType", "reference" (a path in a directive), "glob" (a pattern) or,
    #: for types in doc comments, "jsdoc".
    form: str
    type_only: bool
    #: Imported names; "default", "*".
    names: list[str]
    position: int
    #: Symbol of the statement at the root, else -1.
    symbol: int
    #: True if the import runs only after the file is loaded: in a function, or by an `import()` that loading does not await.
    deferred: bool = False
    #: True if the specifier may be a module or a name in the module of another import. An existing file decides for the module.
    is_inner: bool = False


class Export(msgspec.Struct, array_like=True, gc=False):
    """One exported name. A re-export has an import. A local export has a binding or a node."""

    #: Name for importers, such as "default"; "*" for `export *`, "=" for `export =` and `module.exports =`.
    name: str
    #: Index of the import from which the name is re-exported, else -1.
    source: int
    #: Name in the source module ("*" for a namespace).
    imported: str
    #: Binding of a local export, else -1.
    binding: int
    #: Exported expression (`export default f(x)`), else -1.
    value: int
    type_only: bool
    position: int
    #: Symbol of the export statement itself (`export default () => …`), else -1.
    symbol: int


class Expando(msgspec.Struct, array_like=True, gc=False):
    """An assignment that adds a member (`f.x = …`, `C.prototype.m = …`, `this.x = …`, `this[k] = …`), or an assignment to a
    variable."""

    #: The MEMBER, INDEX or NAME node that is the target of the assignment.
    target: int
    value: int
    symbol: int
    #: True if the name belongs to a function around the function with the assignment.
    elsewhere: bool = False
    #: In JavaScript, for `self.x = …` after `const self = this` in the same block, the THIS node in that variable.
    this: int = -1


class SymbolFact(msgspec.Struct, array_like=True, gc=False):
    """A symbol as found in one file, without its path. `parent` is an index, -1 at the root."""

    name: str
    kind: str
    parent: int
    depth: int
    start_line: int
    end_line: int
    declaration_line: int
    name_line: int
    signature: str
    doc: str
    modifiers: list[str]
    exported: bool
    is_chunk: bool
    #: First and last lines of the enclosing statements that declare local variables which the symbol uses.
    captures: list[int] = []
    #: Local names of the imported types that only comments of the symbol use.
    comment_imports: list[str] = []
    #: The type to which the symbol belongs, if the symbol is declared outside of the type, as in Go.
    owner: str = ""


class ChunkFact(msgspec.Struct, array_like=True, gc=False):
    """A chunk. `embedding_text` is None if it equals the source lines of the symbol."""

    symbol: int
    #: Symbol of the enclosing chunk, -1 at the root.
    parent: int
    embedding_text: str | None
    #: Indices of root import symbols.
    imports: list[int]
    #: Offsets that cut the embedding text into pieces for the model; nearly always empty.
    cuts: list[int] = []
    #: Whether the chunk is marked as a test in a file that is not a test file.
    is_test: bool = False


class Scope(msgspec.Struct, array_like=True, gc=False):
    """The scope of a module, namespace or `declare module`, in which resolution looks for exports and qualified names."""

    names: dict[str, int]
    #: Exported names of a namespace; for the module, see `exports`.
    exported: list[str]
    #: "" for the file itself and for namespaces, "global" for `declare global`, else the ambient module's specifier.
    ambient: str
    #: `export` statements inside a `declare module` body.
    exports: list[Export]


#: The value of `FileFacts.owners` for code without symbols: no owner after offset 0.
_NO_OWNERS: Final = struct.pack("2i", 0, -1)


class Directive(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A comment that directs a tool: `go:generate go run ./gen`. `position` is its byte offset."""

    text: str
    position: int


class PackageName(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """The parts of the declarations of one name in a file that other files can see. A carrier is a type or a constant:
    declarations that contain the name of a carrier change with the carrier.
    """

    name: str
    is_carrier: bool
    digest: bytes
    #: The names in the declarations.
    names: list[str]
    #: In languages in which types implement interfaces without naming them: the type of a method or a field, and whether a
    #: carrier is a "type" that may embed others, a "plain" type, an "interface", an "alias" or a "value".
    owner: str = ""
    form: str = ""


class FileFacts(msgspec.Struct, array_like=True):
    """All facts of a file. The fields with defaults are for resolution, and empty for languages without them."""

    language: str
    lines: int
    #: Byte offset of each line, int32.
    line_starts: bytes
    symbols: list[SymbolFact]
    chunks: list[ChunkFact]
    problems: list[Problem]
    imports: list[Import] = []
    exports: list[Export] = []
    #: True if the file has imports or exports.
    is_module: bool = False

    # Lowered names, values and types.

    #: int32 cells; see the docstring of the module.
    code: bytes = b""
    lists: bytes = b""
    strings: list[str] = []
    #: Changes of owner: pairs of code offset and symbol, int32. Nodes from the offset to the next offset belong to the symbol.
    owners: bytes = _NO_OWNERS
    decls: list[Decl] = []
    bindings: list[Binding] = []
    scopes: dict[int, Scope] = {}
    shapes: list[Shape] = []
    functions: list[Function] = []
    expandos: list[Expando] = []
    #: Call-like nodes, in source order.
    calls: list[int] = []
    #: Context of nodes with an expected type: node -> (a `ContextKind`, operand, operand).
    contexts: dict[int, tuple[int, int, int]] = {}
    #: Conditions under which a function, loop or case is left: `if (!x) return`.
    exits: list[int] = []

    # Constructs that users query and that resolution does not read.

    type_parts: list[TypePart] = []
    enum_values: list[EnumValue] = []
    side_effects: list[SideEffect] = []
    unicode_names: list[UnicodeName] = []

    #: Pairs for the characters beyond ASCII, in order, as int32: the byte offset after the character, and the number of bytes
    #: minus characters up to this offset. Columns count characters.
    wide: bytes = b""
    #: Offset of the first node of a template, in which the name of a ref denotes its value; -1 without a template.
    template: int = -1

    #: Name of the package whose files share one scope; "" for a language without such packages.
    package: str = ""
    #: The build constraint: the condition on the platforms for which the file is compiled; "" for all platforms.
    constraint: str = ""
    #: Comments that direct the tools of Go: the text after `//`, and its position.
    directives: list[Directive] = []
    #: Digest of everything that may change the meaning of names in all files, such as the directives of a module.
    package_digest: bytes = b""
    #: Declarations that only matter to files that contain their names, or names that mention them.
    package_declared: list[PackageName] = []

    #: Mentions of code in a document.
    mentions: list[MentionFact] = []
    #: Anchors of a document, each with the symbol of its section.
    anchors: dict[str, int] = {}
    #: Connections in the diagrams of a document.
    messages: list[MessageFact] = []
    #: Transitions between the steps of workflows.
    next_steps: list[NextStepFact] = []
    #: Fields of the typed sections of a document.
    structures: list[StructureFact] = []
    #: Blocks of code of a document that the engine of their language resolves.
    blocks: list[BlockFact] = []

    #: The settings, flags and commands of the file's code.
    terms: list[TermFact] = []

    #: Facts about data; None for nearly all files.
    data: DataFacts | None = None
    #: Facts about APIs; None for most files.
    api: ApiFacts | None = None
    #: SQL dialect that the settings state for the file; "" if they state none.
    sql_dialect: str = ""

    def own_data(self) -> DataFacts:
        """Return the facts of the file about data; create them if there are none."""
        if self.data is None:
            self.data = DataFacts()
        return self.data

    @property
    def has_own_names(self) -> bool:
        """Whether the names at the root of the file are its own: in a module, and in JavaScript that requires modules."""
        if self.language in ("javascript", "jsx"):
            return self.is_module or any(entry.form == "require" for entry in self.imports)
        return self.is_module

    def symbols_around(self, symbol: int) -> Iterator[SymbolFact]:
        """Yield a symbol and the symbols around it, the innermost first; none for -1."""
        while symbol >= 0:
            found = self.symbols[symbol]
            yield found
            symbol = found.parent


def without_code(facts: FileFacts) -> FileFacts:
    """Return the facts of a file as if it had been read without lowering: symbols, chunks and imports."""
    return msgspec.structs.replace(
        facts,
        code=b"",
        lists=b"",
        strings=[],
        owners=_NO_OWNERS,
        decls=[],
        bindings=[],
        scopes={},
        shapes=[],
        functions=[],
        expandos=[],
        calls=[],
        contexts={},
        exits=[],
    )
