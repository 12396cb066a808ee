"""The facts of one file: a pure function of its bytes, and the only input of resolution.

A file's expressions and types are lowered to a compact tree in one flat array of integers, `FileFacts.code`. A node is
an offset into it; five cells make a node:

    code[n]      operation, an `Op`
    code[n + 1]  a \
    code[n + 2]  b  } operands, by operation: nodes, or indices into the file's tables; -1 means absent
    code[n + 3]  c /
    code[n + 4]  position: byte offset of the node's name or start

Operand lists are in `FileFacts.lists`: at index i is the count, then come the items. Names are indices into
`FileFacts.strings`. The array costs 20 bytes a node, travels between processes as bytes, and is never re-parsed.
"""

from __future__ import annotations

import re
import struct
from array import array
from typing import Final

import msgspec

from ...schema.records import Problem
from .api import ApiFacts
from .constructs import EnumValue, SideEffect, TypePart, UnicodeName
from .data import DataFacts


class Op:
    """Operations of lowered nodes. Operands are listed as (a, b, c)."""

    # Names. binding: index into `bindings`, or -1 for a name that the file does not declare.
    NAME: Final = 1  #: (binding, string, use: a `Use`)
    MEMBER: Final = 2  #: (object, string, a set of `MemberFlag`)
    INDEX: Final = 3  #: (object, index expression, a set of `MemberFlag`)
    THIS: Final = 4  #: (a `ThisKind`, shape or function, function of a method of an object literal)
    SUPER: Final = 5  #: (a `ThisKind`, shape, -)
    # Calls.
    CALL: Final = 10  #: (callee, list of arguments, list of type arguments)
    NEW: Final = 11
    TAGGED: Final = 12
    JSX: Final = 13  #: (tag, list of PROP nodes, list of children)
    #: (callee, list of arguments or -1, -): a decorator that is applied without being called has no list. Of an annotation of
    #: Java the last operand is the place of the parameter that has it, or -1.
    DECORATOR: Final = 14
    # Literals and constructors of values.
    FUNCTION: Final = 20  #: (function, -, -)
    CLASS: Final = 21  #: (shape, -, -)
    OBJECT: Final = 22  #: (shape, list of SPREAD nodes, -)
    ARRAY: Final = 23  #: (list, -, -)
    STRING: Final = 24  #: (-, string, -)
    NUMBER: Final = 25  #: (-, string, -)
    BOOLEAN: Final = 26  #: (0 or 1, -, -)
    NULL: Final = 27
    UNDEFINED: Final = 28
    REGEX: Final = 29
    TEMPLATE: Final = 30  #: (list of substitutions, -, -)
    BIGINT: Final = 31
    PROP: Final = 32  #: (value, string, literal of Go or -): a JSX attribute, a keyword argument, a field that names something
    # Operators.
    SPREAD: Final = 40  #: (value, -, -)
    CONDITIONAL: Final = 41  #: (condition, consequence, alternative)
    LOGICAL: Final = 42  #: (left, right, a `Logic`)
    BINARY: Final = 43  #: (left, right, a `Result`)
    UNARY: Final = 44  #: (value, -, a `Result`)
    ASSIGN: Final = 45  #: (target, value, a `Logic` or -1)
    AWAIT: Final = 46
    YIELD: Final = 47  #: (value, -, 1 for yield*)
    AS: Final = 48  #: (value, type, a `Cast`)
    NON_NULL: Final = 49
    SEQUENCE: Final = 50  #: (list, -, -)
    EQUALITY: Final = 51  #: (left, right, 1 for equal and 0 for not equal)
    TYPEOF: Final = 52  #: (value, -, -)
    NOT: Final = 53
    INSTANCEOF: Final = 54  #: (value, class, -)
    IN: Final = 55  #: (key, object, -)
    INSTANTIATION: Final = 56  #: (value, list of type arguments, -)
    # Values that patterns and loops destructure.
    ELEMENT: Final = 60  #: (value, -, index): array pattern element
    REST_ELEMENT: Final = 61  #: (value, -, index)
    REST_PROPERTIES: Final = 62  #: (value, list of strings left out, -)
    PARAMETER: Final = 63  #: (function, -, index)
    ITERATED: Final = 64  #: (iterable, -, 1 for `for await`)
    KEY: Final = 65  #: a `for in` key: a string
    DEFAULTED: Final = 66  #: (value, default, -)
    CAUGHT: Final = 67
    # Modules.
    IMPORT_CALL: Final = 70  #: (import, -, -)
    REQUIRE: Final = 71  #: (import, -, -)
    META: Final = 72  #: (1 for import.meta, 0 for new.target, -, -)
    # Narrowing: the value of a reference where conditions hold.
    NARROW: Final = 80  #: (reference, list of condition and sense pairs, string of what is tested in nominal languages)
    CASE: Final = 81  #: (discriminant, list of case values, -): a condition: the discriminant equals one of the values
    # Languages whose values have classes (`ingest/nominal`).
    FLOW: Final = 84  #: (binding, list of DECLARED, NARROW and PHI nodes: the values that may reach this use; string)
    DECLARED: Final = 85  #: (declaration, -, -): the value that a declaration gives to its name
    PHI: Final = 86  #: (list as in FLOW, -, -): the values that meet at the start of a loop
    DICT: Final = 87  #: (list of keys, list of values, list of dictionaries that are unpacked)
    COMPREHENSION: Final = 88  #: (element, value of a dictionary's entry or -1, a `Display`)
    OPERATOR: Final = 89  #: (left, right or -1, string: name of the method that the operator calls)
    ENTERED: Final = 90  #: (context manager, -, 1 for `async with`): what `with … as` binds
    MATCHED: Final = 91  #: (subject, list of classes, -): the subject of a `match` in a case
    COMPARED: Final = 92  #: (left, right, 1 for `is` and 0 for `is not`)
    SLICE: Final = 93  #: (list of bounds, -, -)
    #: (innermost type around it, string, a `Use`): a name that the scopes inside of types do not declare: a member of a type
    #: around it, or something of another file
    LEXICAL: Final = 94
    REFERS: Final = 95  #: (type or value, string: name of a method or constructor, -): `Type::method`
    LABEL: Final = (
        96  #: (subject of a `switch`, string, innermost type around it): a constant, of the subject's enum if it is one
    )
    RAISED: Final = 97  #: (exception, -, -): what is raised where the source does not make it: an object or a class
    UNKNOWN: Final = 99  #: (list of children, -, -)

    # Types.
    T_NAME: Final = 100  #: (binding, string, use)
    T_QUALIFIED: Final = 101  #: (left name, string, `Use.DOC` for a link in a doc comment, else -1)
    T_REFERENCE: Final = 102  #: (name, list of type arguments, -)
    T_QUERY: Final = 103  #: (expression, list of type arguments, -)
    T_UNION: Final = 104
    T_INTERSECTION: Final = 105
    T_ARRAY: Final = 106  #: (element, -, -)
    T_TUPLE: Final = 107  #: (list of types, T_OPTIONAL or T_REST, -, -)
    T_FUNCTION: Final = 108  #: (function, -, -)
    T_CONSTRUCTOR: Final = 109
    T_OBJECT: Final = 110  #: (shape, -, -)
    T_STRING: Final = 111  #: (-, string, -)
    T_NUMBER: Final = 112
    T_BOOLEAN: Final = 113  #: (0 or 1, -, -)
    T_PRIMITIVE: Final = 114  #: (-, string, -): the keyword, such as string, any, never, null, undefined
    T_KEYOF: Final = 115
    T_INDEXED: Final = 116  #: (object, index, -)
    T_CONDITIONAL: Final = 117  #: (list of check, extends, true, false; -, -)
    T_MAPPED: Final = (
        118  #: (type parameter declaration, list of constraint, name type, value type; flags 1 optional, 2 -optional)
    )
    T_IMPORT: Final = 119  #: (import, -, -): the module itself; T_QUALIFIED takes names from it
    T_PREDICATE: Final = 120  #: (type, parameter name string, 1 for asserts)
    T_INFER: Final = 121  #: (type parameter declaration, -, -)
    T_THIS: Final = 122  #: (a `ThisKind`, shape, -)
    T_TEMPLATE: Final = 123  #: (list of types, list of strings: the texts around them, -)
    T_OPTIONAL: Final = 124
    T_REST: Final = 125
    T_READONLY: Final = 126
    T_UNKNOWN: Final = 199


#: Operations for the use of a name in nominal languages: `FLOW` also says which values may reach it.
NAME_OPS: Final = (Op.NAME, Op.FLOW)


#: Nodes whose type depends on their context.
TAKES_CONTEXT = frozenset(
    (
        Op.FUNCTION,
        Op.OBJECT,
        Op.ARRAY,
        Op.CONDITIONAL,
        Op.LOGICAL,
        Op.CALL,
        Op.NEW,
        Op.AWAIT,
        Op.AS,
        Op.SEQUENCE,
        Op.NON_NULL,
        Op.SPREAD,
        Op.ASSIGN,
        Op.CLASS,
        Op.JSX,
        Op.YIELD,
    )
)


class Use:
    """How a name is used."""

    READ: Final = 0
    WRITE: Final = 1
    TYPE: Final = 2
    HERITAGE: Final = 3
    EXPORT: Final = 4
    DECORATOR: Final = 5
    JSX: Final = 6  #: a closing tag
    DOC: Final = 7  #: a link in a doc comment
    CALL: Final = 8  #: the name of a method, where methods have names of their own


class ThisKind:
    """What `this` and `super` mean at a place. The other operand is the shape or function."""

    MODULE: Final = 0
    INSTANCE: Final = 1
    STATIC: Final = 2
    FUNCTION: Final = 3
    OBJECT: Final = 4


class Display:
    """Kinds of containers that expressions build."""

    LIST: Final = 0
    TUPLE: Final = 1
    SET: Final = 2
    DICT: Final = 3
    GENERATOR: Final = 4


class Logic:
    """Short-circuit operators."""

    AND: Final = 0
    OR: Final = 1
    NULLISH: Final = 2
    OTHER: Final = 3


class Result:
    """Type of the result of an operator that determines it alone."""

    NUMBER: Final = 0
    STRING: Final = 1
    BOOLEAN: Final = 2
    ADDITION: Final = 3
    UNDEFINED: Final = 4


class Cast:
    """Forms of type assertion."""

    AS: Final = 0
    SATISFIES: Final = 1
    CONST: Final = 2
    #: The type that a doc comment gives to the target of an assignment.
    DECLARED: Final = 3
    #: In Go: a call of `new` or `make`, whose first argument is the type, unless the package declares the name.
    MADE: Final = 4


class MemberFlag:
    """What a MEMBER or INDEX is besides a read: a set of flags."""

    OPTIONAL: Final = 1
    #: It represents a key of a pattern.
    OF_PATTERN: Final = 4
    #: An assignment writes it.
    WRITTEN: Final = 8
    #: It is no reference: it is not written in the source, or is a quoted key or an existing variable in a pattern.
    NO_USE: Final = 16


class Meaning:
    """What a name can mean: a set of flags."""

    VALUE: Final = 1
    TYPE: Final = 2
    NAMESPACE: Final = 4


class Reach:
    """What flow says of a declaration in nominal languages: operand `c` of all but parameters."""

    #: Code never gets there: it stands in a branch whose condition never holds, or behind a `return`.
    NEVER: Final = 4
    #: It is still what its name holds at the end of the scope.
    END: Final = 5
    #: It is an import without an alias, and the name of the package, which other files declare, is only likely.
    LIKELY: Final = 6


class DeclKind:
    """Kinds of declarations, with the operands of `Decl` for each."""

    VARIABLE: Final = 1  #: (type, value, 1 const 2 let 3 var)
    PARAMETER: Final = 2  #: (type, value: a PARAMETER node or a part of one, function)
    FUNCTION: Final = 3  #: (function, -, -)
    CLASS: Final = 4  #: (shape, -, -)
    INTERFACE: Final = 5  #: (shape, -, -)
    ALIAS: Final = 6  #: (type, list of type parameter declarations, -)
    ENUM: Final = 7  #: (shape, -, -)
    NAMESPACE: Final = 8  #: (scope, -, -)
    #: (constraint, default, 1 with `const`). Of a method outside of its type (-1, shape of the method, place among the
    #: parameters of the type).
    TYPE_PARAMETER: Final = 9
    #: (import, string: the imported name, "default" or "*"; 1 for type only).
    #: In nominal languages (string: the module, string: the imported name, or -1 for the module; -, or `Reach.LIKELY`).
    IMPORT: Final = 10
    IMPORT_ALIAS: Final = 11  #: (name node, -, -): import A = N.B
    ENUM_MEMBER: Final = 12  #: (shape, member, -)


class Decl(msgspec.Struct, array_like=True, gc=False):
    """A declaration. `symbol` is -1 if it has no symbol, as parameters, local variables and imports do."""

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
    #: `Meaning` flags.
    meaning: int
    decls: list[int]
    scope: int
    #: Nodes assigned to the name outside its declarations. In Python, what is added to an empty container that the name holds:
    #: calls such as `items.append(x)`, and ASSIGN nodes of items.
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
    TYPE: Final = 8  #: a type that is declared in another one


class Member(msgspec.Struct, array_like=True, gc=False):
    """A member of a class, interface, object type, object literal or enum."""

    name: str
    kind: int
    static: bool
    #: Of a method in languages with overloads: whether it is private.
    optional: bool
    symbol: int
    #: Function of a method, accessor, constructor or signature; -1 for properties.
    function: int
    #: Annotation; for an index signature, the type of its values.
    type: int
    #: Initializer; for an index signature, the type of its keys.
    value: int
    position: int
    #: Decl of a parameter property; byte offset of the name in an object literal's key; else -1.
    extra: int
    #: In Go: whether the receiver of a method, or a type that a struct embeds, is a pointer.
    is_pointer: bool = False


class ShapeKind:
    """What a shape belongs to."""

    CLASS: Final = 0
    INTERFACE: Final = 1
    OBJECT_TYPE: Final = 2
    OBJECT_LITERAL: Final = 3
    ENUM: Final = 4
    #: Methods that are declared outside of the type that has the name of the shape, in any file of its package.
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
    #: The type around it, in languages whose nested types see its members; else -1.
    outer: int = -1
    #: In Python, what methods add to attributes that hold empty containers: calls such as `self.items.append(x)`, and ASSIGN
    #: nodes of items, by name of the attribute.
    added: dict[str, list[int]] = {}


class Parameter(msgspec.Struct, array_like=True, gc=False):
    """A parameter. `decl` is -1 for a pattern, whose names are declared one by one."""

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
    #: Returned expressions; the body of a concise arrow.
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


class ContextKind:
    """The contexts of expressions that give them an expected type."""

    ARGUMENT: Final = 1  #: (call, index)
    PROPERTY: Final = 2  #: (object node, string)
    ELEMENT: Final = 3  #: (array node, index)
    ANNOTATED: Final = 4  #: (type node, -)
    RETURN: Final = 5  #: (function, -)
    ASSIGNED: Final = 6  #: (target node, -)
    SAME: Final = 7  #: (node around it that passes its own context on, -)
    ATTRIBUTE: Final = 8  #: (JSX node, string)
    SPREAD: Final = 9
    CHILD: Final = 10  #: (JSX node, -)
    MEMBER: Final = 11  #: (shape, member)
    DEFAULT: Final = 12  #: (PARAMETER node, -)
    AWAITED: Final = 13  #: (await node, -)
    YIELDED: Final = 14  #: (function, -)
    SUPER: Final = 15  #: (shape around `super()`, 1 if its receiver is the class itself)


class Import(msgspec.Struct, array_like=True, gc=False):
    """One import-like occurrence of a module specifier."""

    specifier: str
    #: "import", "export", "require", "dynamic", "importType" or, for types in doc comments, "jsdoc".
    form: str
    type_only: bool
    #: Imported names; "default", "*".
    names: list[str]
    position: int
    #: Symbol of the statement at the root, else -1.
    symbol: int
    #: True if it runs only after the file is loaded: in a function, or by an `import()` that loading does not await.
    deferred: bool = False
    #: True if it is a module only where there is such a file, and else a name in the module of another import.
    is_inner: bool = False


class Export(msgspec.Struct, array_like=True, gc=False):
    """One exported name. A re-export has an import; a local export has a binding or a node."""

    #: Name for importers; "default"; "*" for `export *`; "=" for `export =` and `module.exports =`.
    name: str
    #: Index of the import it re-exports from, else -1.
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
    """An assignment that adds a member (`f.x = …`, `C.prototype.m = …`, `this.x = …`, `this[k] = …`), or one to a
    variable."""

    #: The MEMBER, INDEX or NAME node assigned to.
    target: int
    value: int
    symbol: int
    #: True if the name belongs to a function around the one with the assignment.
    elsewhere: bool = False
    #: In JavaScript, the THIS node in the variable of the same block whose member is the target: `self.x = …`.
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
    #: First and last line of each statement around the symbol that declares a local variable used in it.
    captures: list[int] = []
    #: Local names of the types that the symbol takes from imports in comments.
    comment_imports: list[str] = []
    #: The type that the symbol belongs to, if it is declared outside of that type, as Go's methods are.
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
    #: Whether the chunk says that it is a test in a file that is not one.
    is_test: bool = False


class MentionFact(msgspec.Struct, array_like=True, gc=False):
    """A place where a document names something. `symbol` is the section or step around it."""

    symbol: int
    #: "comment" (a link in a doc comment), "link", "image", "code" (a span of code), "import" (in a block of code), or what a
    #: diagram has: "diagram", "class"
    #: (a node of a diagram of classes) or "message".
    form: str
    #: The target of a link, the text of a span of code, the module that an import names, or the text of a node of a diagram.
    text: str
    line: int
    column: int
    #: Names that an import takes; of a diagram, the receiver of a message, or the group of a class.
    names: list[str] = []
    #: Extension of the files whose language an import is written in.
    extension: str = ""


class MessageFact(msgspec.Struct, array_like=True, gc=False):
    """An edge or a message of a diagram. `source` and `target` are symbols; for the rest see MESSAGE in `graph.cypher`."""

    source: int
    target: int
    label: str
    style: str
    frame: str
    position: int
    line: int


class NextStepFact(msgspec.Struct, array_like=True, gc=False):
    """A step of a workflow leads to another one. `source` and `target` are symbols; see NEXT_STEP in `graph.cypher`."""

    source: int
    target: int
    condition: str
    line: int


class StructureFact(msgspec.Struct, array_like=True, gc=False):
    """What a section says in the form of a type. `symbol` is the section; for the rest see SECTION_FIELDS in `graph.cypher`."""

    symbol: int
    type: str
    form: str
    fields: str
    reason: str


class Scope(msgspec.Struct, array_like=True, gc=False):
    """The scope of a module, namespace or `declare module`, in which exports and qualified names are looked up."""

    names: dict[str, int]
    #: Exported names of a namespace; for the module, see `exports`.
    exported: list[str]
    #: "" for the file itself and for namespaces, "global" for `declare global`, else the ambient module's specifier.
    ambient: str
    #: `export` statements inside a `declare module` body.
    exports: list[Export]


#: The owners of code without symbols: none from offset 0 on.
_NO_OWNERS: Final = struct.pack("2i", 0, -1)


#: A character of UTF-8 that takes several bytes.
_WIDE: Final = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")


class Directive(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A comment that directs a tool: `go:generate go run ./gen`. `position` is its byte offset."""

    text: str
    position: int


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
    #: Changes of owner: pairs of code offset and symbol, int32. Nodes from the offset on belong to the symbol.
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
    #: Conditions under which control leaves a function, loop or case at once: `if (!x) return`.
    exits: list[int] = []

    # Constructs that people ask about and resolution does not read.

    type_parts: list[TypePart] = []
    enum_values: list[EnumValue] = []
    side_effects: list[SideEffect] = []
    unicode_names: list[UnicodeName] = []

    #: For each character beyond ASCII, in order: the byte offset after it, and the bytes by which all characters up to here
    #: exceed one byte each; int32. Columns count characters.
    wide: bytes = b""
    #: Offset of the first node of a template in which a name means the value of the ref that it names; -1 without one.
    template: int = -1

    #: Name of the package whose files share one scope; "" for a language without such packages.
    package: str = ""
    #: The condition in the file that says on which platforms it belongs to the program, "" for all.
    constraint: str = ""
    #: Comments that direct the tools of Go: what stands behind `//`, and where.
    directives: list[Directive] = []
    #: Digests of what the other files of such a package, and its importers, may see of the file: everything but function
    #: bodies, and of that the types and the signatures of methods.
    package_names: bytes = b""
    package_types: bytes = b""

    #: What a document names.
    mentions: list[MentionFact] = []
    #: Anchors of a document, with the symbol of the section that each leads to.
    anchors: dict[str, int] = {}
    #: What the diagrams of a document connect.
    messages: list[MessageFact] = []
    #: Which steps of workflows lead to which.
    next_steps: list[NextStepFact] = []
    #: What the sections of a document say in the forms of their types.
    structures: list[StructureFact] = []

    #: What the file says about data; None for nearly all files.
    data: DataFacts | None = None
    #: What the file says about APIs; None for most files.
    api: ApiFacts | None = None

    def own_data(self) -> DataFacts:
        """Return what the file says about data, which is there from now on."""
        if self.data is None:
            self.data = DataFacts()
        return self.data


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


def wide_cells(text: bytes) -> bytes:
    """Return the cells of `FileFacts.wide` for UTF-8 text."""
    if text.isascii():
        return b""
    cells: list[int] = []
    extra = 0
    for character in _WIDE.finditer(text):
        extra += character.end() - character.start() - 1
        cells += (character.end(), extra)
    return int_cells(cells)


def int_array(data: bytes) -> array[int]:
    """Return the int32 cells of a packed table."""
    cells: array[int] = array("i")
    cells.frombytes(data)
    return cells


def int_cells(values: list[int]) -> bytes:
    """Pack integers as int32 cells; `int_array` unpacks them."""
    return struct.pack(f"{len(values)}i", *values)  # four times as fast as an `array`
