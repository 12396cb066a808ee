"""The operations of lowered nodes.

A file's expressions and types are lowered to a compact tree in one flat array of integers, `FileFacts.code`. A node is an
offset into the array, and has five cells:

    code[n]      operation, an `Op`
    code[n + 1]  a \
    code[n + 2]  b  } operands, by operation: nodes, or indices into the file's tables; -1 means absent
    code[n + 3]  c /
    code[n + 4]  position: byte offset of the node's name or start

Operand lists are in `FileFacts.lists`: the count is at index i, before the items. Names are indices into `FileFacts.strings`. The
array costs 20 bytes a node, travels between processes as bytes, and is never re-parsed.
"""

from __future__ import annotations

from typing import Final


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
    #: (tag, list of PROP nodes, list of children). The tags of `<div></div>` are STRING nodes with `Use.JSX` behind the children.
    JSX: Final = 13
    #: (callee, list of arguments or -1, -): a decorator without a call has no list. For an annotation of Java, c is the index of
    #: the annotated parameter, or -1.
    DECORATOR: Final = 14
    # Literals and constructors of values.
    FUNCTION: Final = 20  #: (function, -, -)
    CLASS: Final = 21  #: (shape, -, -)
    OBJECT: Final = 22  #: (shape, list of SPREAD nodes, -)
    ARRAY: Final = 23  #: (list, -, a `Display`; in Go the literal with this content, or -)
    STRING: Final = 24  #: (-, string, `Use.JSX` for a tag of an element without a component, else -)
    NUMBER: Final = 25  #: (-, string, -)
    BOOLEAN: Final = 26  #: (0 or 1, -, -)
    NULL: Final = 27
    UNDEFINED: Final = 28
    REGEX: Final = 29
    #: (list of substitutions, string, -). If the text may be a URL or the name of a member, the string is the text with `{}` in
    #: place of each substitution; else -1.
    TEMPLATE: Final = 30
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
    ITERATED: Final = 64  #: (iterable, -, 1 for `for await`, 2 for `v-for`, which also iterates objects)
    KEY: Final = 65  #: a `for in` key: a string
    DEFAULTED: Final = 66  #: (value, default, -)
    CAUGHT: Final = 67
    # Modules.
    IMPORT_CALL: Final = 70  #: (import, -, -)
    REQUIRE: Final = 71  #: (import, -, -)
    META: Final = 72  #: (1 for import.meta, 0 for new.target, -, -)
    # Narrowing: the value of a reference where conditions are true.
    NARROW: Final = 80  #: (reference, list of condition and sense pairs, string of what is tested in nominal languages)
    CASE: Final = 81  #: (discriminant, list of case values, -): a condition: the discriminant equals one of the values
    # Languages whose values have classes (`ingest/nominal`).
    FLOW: Final = 84  #: (binding, list of DECLARED, NARROW and PHI nodes: the values that may reach this use; string)
    DECLARED: Final = 85  #: (declaration, -, -): the value that a declaration assigns to its name
    PHI: Final = 86  #: (list as in FLOW, -, -): the values that may reach the start of a loop
    DICT: Final = 87  #: (list of keys, list of values, list of dictionaries that are unpacked)
    COMPREHENSION: Final = 88  #: (element, value of a dictionary's entry or -1, a `Display`)
    OPERATOR: Final = 89  #: (left, right or -1, string: name of the method that the operator calls)
    ENTERED: Final = 90  #: (context manager, -, 1 for `async with`): what `with … as` binds
    MATCHED: Final = 91  #: (subject, list of classes, -): the subject of a `match` in a case
    COMPARED: Final = 92  #: (left, right, 1 for `is` and 0 for `is not`)
    SLICE: Final = 93  #: (list of bounds, -, -)
    #: (innermost type around it, string, a `Use`): a name that no scope inside a type declares. The name is a member of an
    #: enclosing type, or a declaration of another file.
    LEXICAL: Final = 94
    REFERS: Final = 95  #: (type or value, string: name of a method or constructor, -): `Type::method`
    LABEL: Final = (
        96  #: (subject of a `switch`, string, innermost type around it): a constant, of the subject's enum if it is one
    )
    RAISED: Final = 97  #: (exception, -, -): a raised value that the statement does not create: an object or a class
    #: (value, key or -1, index): the part of a value that a pattern binds, by the key of a mapping or by the index of an
    #: attribute
    FIELD: Final = 98
    UNKNOWN: Final = 99  #: (list of children, -, -)

    # Types.
    T_NAME: Final = 100  #: (binding, string, use)
    T_QUALIFIED: Final = 101  #: (left name, string, `Use.DOC` for a link in a doc comment, else -1)
    #: (name, list of type arguments, in Java the `Wildcard` of each argument, two bits each, the first in the lowest bits)
    T_REFERENCE: Final = 102
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
    T_IMPORT: Final = 119  #: (import, -, -): the module itself; T_QUALIFIED refers to names in it
    T_PREDICATE: Final = 120  #: (type, parameter name string, 1 for asserts)
    T_INFER: Final = 121  #: (type parameter declaration, -, -)
    T_THIS: Final = 122  #: (a `ThisKind`, shape, -)
    T_TEMPLATE: Final = 123  #: (list of types, list of strings: the texts around them, -)
    T_OPTIONAL: Final = 124
    T_REST: Final = 125
    T_READONLY: Final = 126
    T_UNKNOWN: Final = 199


#: Operations for the use of a name in nominal languages. `FLOW` also lists the values that may reach the use.
NAME_OPS: Final = (Op.NAME, Op.FLOW)


#: Operations whose type depends on their context.
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
    """The ways in which a name is used."""

    READ: Final = 0
    WRITE: Final = 1
    TYPE: Final = 2
    HERITAGE: Final = 3
    EXPORT: Final = 4
    DECORATOR: Final = 5
    JSX: Final = 6  #: a closing tag
    DOC: Final = 7  #: a link in a doc comment
    CALL: Final = 8  #: the name of a method, in languages in which methods have a separate namespace


class Wildcard:
    """Wildcards among type arguments. Of `?` alone, the list of type arguments has -1."""

    NONE: Final = 0
    EXTENDS: Final = 1
    SUPER: Final = 2
    #: Maximum number of type arguments of one type whose wildcards are known.
    MAX_ARGUMENTS: Final = 15


class ThisKind:
    """The possible meanings of `this` and `super`. The other operand is the shape or function."""

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
    """Rules for the result type of an operator."""

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
    #: The type that a doc comment declares for the target of an assignment.
    DECLARED: Final = 3
    #: In Go, a call of `new` or `make`. Its first argument is the type, unless the package declares the name.
    MADE: Final = 4


class MemberFlag:
    """Properties of a MEMBER or INDEX node, as a set of flags."""

    OPTIONAL: Final = 1
    #: The node is a type, in languages in which fields and types have separate namespaces.
    TYPE: Final = 2
    #: The node represents a key of a pattern.
    OF_PATTERN: Final = 4
    #: The node is the target of an assignment.
    WRITTEN: Final = 8
    #: The node is not a reference: it is absent from the source, or is a quoted key or an existing variable in a pattern.
    NO_USE: Final = 16
    #: The source does not contain the name, and the type may have no such member: the slot that content between tags fills.
    IMPLIED: Final = 32


class ContextKind:
    """The contexts that determine the expected type of an expression."""

    ARGUMENT: Final = 1  #: (call, index)
    PROPERTY: Final = 2  #: (object node, string)
    ELEMENT: Final = 3  #: (array node, index)
    ANNOTATED: Final = 4  #: (type node, -)
    RETURN: Final = 5  #: (function, -)
    ASSIGNED: Final = 6  #: (target node, -)
    SAME: Final = 7  #: (enclosing node, which passes its context on, -)
    ATTRIBUTE: Final = 8  #: (JSX node, string)
    SPREAD: Final = 9
    CHILD: Final = 10  #: (JSX node, -)
    MEMBER: Final = 11  #: (shape, member)
    DEFAULT: Final = 12  #: (PARAMETER node, -)
    AWAITED: Final = 13  #: (await node, -)
    YIELDED: Final = 14  #: (function, -)
    SUPER: Final = 15  #: (shape around `super()`, 1 if its receiver is the class itself)
    FIELDS: Final = 16  #: (shape of the class that a call makes, -)
    CALLED: Final = 17  #: (call of a function literal where it is written, -)
    LOADED: Final = 18  #: (import of the class that a call loads by its name, or list of such imports, -)
