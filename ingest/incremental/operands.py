"""The meanings of the cells of a lowered node, by operation, for walks over facts."""

from __future__ import annotations

from typing import Final

from ..facts.operations import ContextKind, Op

#: Kinds of operands: node, list of nodes, function, shape, declaration, import, string, binding, pairs of condition and
#: sense, list of strings, plain number, nothing.
NODE, LIST, FUNCTION, SHAPE, DECL, IMPORT, STRING, BINDING, PAIRS, STRINGS, INT, NONE = range(12)

OPERANDS: Final[dict[int, tuple[int, int, int]]] = {
    Op.NAME: (BINDING, STRING, NONE),
    Op.MEMBER: (NODE, STRING, INT),
    Op.INDEX: (NODE, NODE, INT),
    **dict.fromkeys((Op.CALL, Op.NEW, Op.TAGGED, Op.JSX, Op.DECORATOR), (NODE, LIST, LIST)),
    Op.FUNCTION: (FUNCTION, NONE, NONE),
    Op.CLASS: (SHAPE, NONE, NONE),
    Op.OBJECT: (SHAPE, LIST, NONE),
    Op.ARRAY: (LIST, NONE, NONE),
    Op.STRING: (NONE, STRING, INT),
    **dict.fromkeys((Op.NUMBER, Op.REGEX, Op.BIGINT), (NONE, STRING, NONE)),
    **dict.fromkeys((Op.BOOLEAN, Op.META), (INT, NONE, NONE)),
    **dict.fromkeys((Op.NULL, Op.UNDEFINED), (NONE, NONE, NONE)),
    Op.TEMPLATE: (LIST, STRING, NONE),
    Op.PROP: (NODE, STRING, NONE),
    **dict.fromkeys((Op.SPREAD, Op.AWAIT, Op.NON_NULL, Op.TYPEOF, Op.NOT, Op.KEY, Op.CAUGHT, Op.RAISED), (NODE, NONE, NONE)),
    Op.CONDITIONAL: (NODE, NODE, NODE),
    **dict.fromkeys((Op.LOGICAL, Op.BINARY, Op.ASSIGN, Op.AS, Op.EQUALITY), (NODE, NODE, INT)),
    Op.UNARY: (NODE, NONE, INT),
    Op.YIELD: (NODE, NONE, INT),
    Op.SEQUENCE: (LIST, NONE, NONE),
    **dict.fromkeys((Op.INSTANCEOF, Op.IN, Op.DEFAULTED), (NODE, NODE, NONE)),
    Op.INSTANTIATION: (NODE, LIST, NONE),
    **dict.fromkeys((Op.ELEMENT, Op.REST_ELEMENT, Op.ITERATED), (NODE, NONE, INT)),
    Op.REST_PROPERTIES: (NODE, STRINGS, NONE),
    Op.PARAMETER: (FUNCTION, NONE, INT),
    **dict.fromkeys((Op.IMPORT_CALL, Op.REQUIRE), (IMPORT, NONE, NONE)),
    Op.NARROW: (NODE, PAIRS, NONE),
    Op.CASE: (NODE, LIST, NONE),
    Op.FLOW: (BINDING, LIST, STRING),
    Op.DECLARED: (DECL, BINDING, NONE),
    Op.PHI: (LIST, NODE, NONE),
    Op.DICT: (LIST, LIST, LIST),
    Op.COMPREHENSION: (NODE, NODE, INT),
    Op.OPERATOR: (NODE, NODE, STRING),
    Op.ENTERED: (NODE, NONE, INT),
    Op.MATCHED: (NODE, LIST, NONE),
    **dict.fromkeys((Op.COMPARED, Op.FIELD), (NODE, NODE, INT)),
    Op.SLICE: (LIST, NONE, NONE),
    Op.UNKNOWN: (LIST, NONE, NONE),
    Op.LEXICAL: (SHAPE, STRING, INT),
    Op.REFERS: (NODE, STRING, NONE),
    Op.LABEL: (NODE, STRING, SHAPE),
    Op.T_NAME: (BINDING, STRING, NONE),
    Op.T_QUALIFIED: (NODE, STRING, NONE),
    Op.T_REFERENCE: (NODE, LIST, INT),
    Op.T_QUERY: (NODE, LIST, NONE),
    **dict.fromkeys((Op.T_UNION, Op.T_INTERSECTION, Op.T_TUPLE, Op.T_CONDITIONAL), (LIST, NONE, NONE)),
    Op.T_TEMPLATE: (LIST, STRINGS, NONE),
    **dict.fromkeys((Op.T_ARRAY, Op.T_KEYOF, Op.T_OPTIONAL, Op.T_REST, Op.T_READONLY), (NODE, NONE, NONE)),
    **dict.fromkeys((Op.T_FUNCTION, Op.T_CONSTRUCTOR), (FUNCTION, NONE, NONE)),
    Op.T_OBJECT: (SHAPE, NONE, NONE),
    **dict.fromkeys((Op.T_STRING, Op.T_NUMBER, Op.T_PRIMITIVE), (NONE, STRING, NONE)),
    Op.T_BOOLEAN: (INT, NONE, NONE),
    Op.T_INDEXED: (NODE, NODE, NONE),
    Op.T_MAPPED: (DECL, LIST, INT),
    Op.T_IMPORT: (IMPORT, NONE, NONE),
    Op.T_PREDICATE: (NODE, STRING, INT),
    Op.T_INFER: (DECL, NONE, NONE),
    Op.T_UNKNOWN: (LIST, NONE, NONE),
}
#: The kind of the first operand of a context.
CONTEXTS: Final[dict[int, int]] = {
    **dict.fromkeys(
        (
            ContextKind.ARGUMENT,
            ContextKind.PROPERTY,
            ContextKind.ELEMENT,
            ContextKind.ANNOTATED,
            ContextKind.ASSIGNED,
            ContextKind.SAME,
            ContextKind.ATTRIBUTE,
            ContextKind.SPREAD,
            ContextKind.CHILD,
            ContextKind.DEFAULT,
            ContextKind.AWAITED,
            ContextKind.CALLED,
            ContextKind.LOADED,
        ),
        NODE,
    ),
    **dict.fromkeys((ContextKind.RETURN, ContextKind.YIELDED), FUNCTION),
    ContextKind.MEMBER: SHAPE,
    ContextKind.SUPER: SHAPE,
    ContextKind.FIELDS: SHAPE,
}
