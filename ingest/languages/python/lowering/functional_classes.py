"""Lower calls that make a class of a literal list of fields or members.

Examples are `Point = NamedTuple("Point", [("x", int)])`, `Options = TypedDict("Options", {"depth": int})` and
`Color = Enum("Color", "RED BLUE")`. The fields or members become attributes of a class. The context `FIELDS` of the call names
this class.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from ....facts.model import Member, MemberKind, Shape, ShapeKind
from ....facts.operations import ContextKind, Display, Op
from ....symbols.byte_ranges import between
from .context import PythonContext
from .dispatch import lower_annotation, lower_expression
from .grammar import KINDS

#: Functions whose second argument maps names of fields to types.
TYPED: Final = frozenset((b"NamedTuple", b"TypedDict"))
#: Literals that may list fields or members.
_LISTS: Final = frozenset(("list", "tuple", "dictionary", "string"))
_DISPLAYS: Final = {"list": Display.LIST, "tuple": Display.TUPLE}
#: Minimum number of children of a list with two arguments: brackets, a comma and the arguments.
_MIN_CHILDREN: Final = 5


class _Fields:
    """Collects the fields or members of a class as its attributes."""

    def __init__(self) -> None:
        self.members: Final[list[Member]] = []

    def add(self, name: str, kind: int, value: int, position: int) -> None:
        """Add an attribute with the nodes of its type and of its value, -1 for none."""
        if name.isidentifier():
            self.members.append(Member(name, MemberKind.PROPERTY, True, False, -1, -1, kind, value, position, -1))


def makes_class(cx: PythonContext, node: Node, name: bytes, arguments: Node) -> bool:
    """Return whether a call may make a class of the fields or members in its second argument.

    The first argument must be the name to which the call is assigned, unless the function has a known name.
    """
    first = arguments.named_child(0) if arguments.child_count >= _MIN_CHILDREN else None
    if first is None or KINDS[first.kind_id] != "string":
        return False
    parts = _parts(arguments)
    if len(parts) < 2 or KINDS[parts[1].kind_id] not in _LISTS:
        return False
    if name in TYPED:
        return True
    parent = node.parent
    target = parent.child_by_field_name("left") if parent is not None and KINDS[parent.kind_id] == "assignment" else None
    if target is None or KINDS[target.kind_id] != "identifier":
        return False
    return between(cx.data, first.start_byte + 1, first.end_byte - 1) == cx.bytes_of(target)


def lower_fields(cx: PythonContext, name: bytes, arguments: Node) -> tuple[list[int], list[Member]]:
    """Lower the arguments of a call that makes a class. Return their nodes, and the members in the second argument."""
    fields = _Fields()
    given: list[int] = []
    for place, part in enumerate(_parts(arguments)):
        if place == 1:
            given.append(_typed(cx, part, fields) if name in TYPED else _named(cx, part, fields))
        else:
            given.append(lower_expression(cx, part))
    return given, fields.members


def note_class(cx: PythonContext, call: int, members: list[Member]) -> None:
    """Add the class that a call makes, and the context with the class."""
    code, first = cx.code, cx.items(cx.code[call + 2])[0]
    name = cx.strings[code[first + 2]] if code[first] == Op.STRING else ""
    shape = Shape(ShapeKind.CLASS, name, -1, -1, [], [code[call + 1]], [], members, code[first + 4])
    cx.contexts[call] = (ContextKind.FIELDS, len(cx.shapes), -1)
    cx.shapes.append(shape)


def _parts(node: Node) -> list[Node]:
    return [child for child in node.named_children if KINDS[child.kind_id] != "comment"]


def _typed(cx: PythonContext, node: Node, fields: _Fields) -> int:
    """Lower `[("name", type)]` or `{"name": type}`."""
    kind = KINDS[node.kind_id]
    if kind == "dictionary":
        return _entries(cx, node, fields, names_types=True)
    if kind not in _DISPLAYS:
        return lower_expression(cx, node)
    lowered: list[int] = []
    for part in _parts(node):
        pair = _parts(part) if KINDS[part.kind_id] in _DISPLAYS else []
        if len(pair) != 2:
            lowered.append(lower_expression(cx, part))
            continue
        key, written = lower_expression(cx, pair[0]), lower_annotation(cx, pair[1])
        fields.add(_string(cx, key), written, -1, pair[0].start_byte)
        lowered.append(cx.emit(Op.ARRAY, cx.list_of((key, written)), -1, Display.TUPLE, part.start_byte))
    return cx.emit(Op.ARRAY, cx.list_of(lowered), -1, _DISPLAYS[kind], node.start_byte)


def _named(cx: PythonContext, node: Node, fields: _Fields) -> int:
    """Lower `"A B"`, `["A", "B"]`, `[("A", 1)]` or `{"A": 1}`."""
    if KINDS[node.kind_id] == "dictionary":
        return _entries(cx, node, fields, names_types=False)
    lowered = lower_expression(cx, node)
    code = cx.code
    if code[lowered] == Op.STRING:
        for name in cx.strings[code[lowered + 2]].replace(",", " ").split():
            fields.add(name, -1, lowered, node.start_byte)
    elif code[lowered] == Op.ARRAY:
        for item in cx.items(code[lowered + 1]):
            pair = cx.items(code[item + 1]) if code[item] == Op.ARRAY else ()
            key = pair[0] if len(pair) == 2 else item
            fields.add(_string(cx, key), -1, pair[1] if len(pair) == 2 else item, code[key + 4])
    return lowered


def _entries(cx: PythonContext, node: Node, fields: _Fields, *, names_types: bool) -> int:
    keys: list[int] = []
    values: list[int] = []
    unpacked: list[int] = []
    for child in _parts(node):
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if KINDS[child.kind_id] != "pair" or key is None:
            unpacked.append(lower_expression(cx, child))
            continue
        keys.append(lower_expression(cx, key))
        values.append(lower_annotation(cx, value) if names_types else lower_expression(cx, value))
        written, given = (values[-1], -1) if names_types else (-1, values[-1])
        fields.add(_string(cx, keys[-1]), written, given, key.start_byte)
    return cx.emit(Op.DICT, cx.list_of(keys), cx.list_of(values), cx.list_of(unpacked), node.start_byte)


def _string(cx: PythonContext, node: int) -> str:
    return cx.strings[cx.code[node + 2]] if cx.code[node] == Op.STRING else ""
