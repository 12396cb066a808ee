"""Make types and signatures from the tags of a JSDoc comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from .....facts.model import Decl, DeclKind, Function, Meaning, Member, MemberKind, Parameter, Shape, ShapeKind
from .....facts.operations import Op
from .....symbols.headers import header
from .....symbols.states import SymbolState
from ..dispatch import inner_nodes, lower_type, lower_type_list
from .tags import Comment, Tag

if TYPE_CHECKING:
    from ..context import Context

#: Types whose properties may be in separate tags, and whether the type is an array.
_OBJECTS: Final = {b"Object": False, b"object": False, b"Object[]": True, b"object[]": True, b"Array<Object>": True}
#: Tags that belong to a preceding `@callback` or `@overload`.
_SIGNATURE_TAGS: Final = frozenset(("param", "returns", "this"))


@contextmanager
def _reading_comments(cx: Context) -> Iterator[None]:
    """Use the bytes and the grammar of the types in comments inside the block."""
    outer = cx.data, cx.tables
    if cx.documented is not None and (tables := cx.documented.tables) is not None:
        cx.data, cx.tables = cx.documented.data, tables
    try:
        yield
    finally:
        cx.data, cx.tables = outer


def lowered_type(cx: Context, tag: Tag) -> int:
    """Return the type node of a tag, or -1 if it could not be parsed."""
    if tag.type is None:
        return -1
    with _reading_comments(cx):
        return lower_type(cx, tag.type)


def lower_arguments(cx: Context, node: Node | None) -> int:
    """Return the list of the type arguments of a tag, or -1 for None."""
    with _reading_comments(cx):
        return lower_type_list(cx, node)


def first_type(cx: Context, tags: Sequence[Tag], name: str) -> int:
    """Return the type of the first tag with the name and a type, or -1."""
    return next((lowered_type(cx, tag) for tag in tags if tag.name == name and tag.text), -1)


def own_tags(comment: Comment) -> list[Tag]:
    """Return the tags about the function itself, not about an overload, callback or type definition in the same
    comment."""
    own: list[Tag] = []
    other = False
    for tag in comment.tags:
        if tag.name in ("overload", "callback"):
            other = True
        elif tag.name not in _SIGNATURE_TAGS and tag.name != "template":
            other = False
        if not other:
            own.append(tag)
        other = other and tag.name != "returns"
    return own


def following_tags(tags: Sequence[Tag], position: int) -> list[Tag]:
    """Return the tags that describe the signature that begins with the tag at a position. `@returns` ends it."""
    found = []
    for tag in tags[position + 1 :]:
        if tag.name not in _SIGNATURE_TAGS:
            break
        found.append(tag)
        if tag.name == "returns":
            break
    return found


def property_tags(tags: Sequence[Tag]) -> list[Tag]:
    """Return the `@property` tags before the next definition."""
    found = []
    for tag in tags:
        if tag.name in ("typedef", "callback"):
            break
        if tag.name == "property" and tag.label:
            found.append(tag)
    return found


def parameter_groups(tags: Sequence[Tag]) -> list[list[Tag]]:
    """Group the `@param` tags: a tag and the following tags of its properties, such as `options.name`."""
    groups: list[list[Tag]] = []
    for tag in tags:
        if tag.name != "param" or not tag.label:
            continue
        if groups and tag.label.startswith(f"{groups[-1][0].label}."):
            groups[-1].append(tag)
        else:
            groups.append([tag])
    return groups


def lowered_parameter(cx: Context, group: list[Tag]) -> int:
    """Return the type of a parameter from its tag and the tags of its properties, or -1."""
    first = group[0]
    made = lowered_object(cx, first, group[1:], f"{first.label}.")
    return cx.emit(Op.T_ARRAY, made, -1, -1, first.position) if made >= 0 and first.rest else made


def lowered_object(cx: Context, tag: Tag, properties: Sequence[Tag], prefix: str) -> int:
    """Return the type of a tag. An object type consists of the properties that further tags describe."""
    around = _OBJECTS.get(tag.text) if tag.text or not prefix else None
    if not properties or (tag.text and around is None):
        return lowered_type(cx, tag)
    shape = len(cx.shapes)
    fact = Shape(ShapeKind.OBJECT_TYPE, "", cx.symbol, -1, [], [], [], [], tag.position)
    cx.shapes.append(fact)
    for part in properties:
        name = part.label.removeprefix(prefix)
        if "." in name:
            continue
        inner = [other for other in properties if other.label.startswith(f"{part.label}.")]
        symbol = _open_property(cx, part, name) if cx.members_have_symbols else -1
        kind = lowered_object(cx, part, inner, f"{part.label}.")
        if symbol >= 0:
            cx.close_symbol()
        fact.members.append(Member(name, MemberKind.PROPERTY, False, part.optional, symbol, -1, kind, -1, part.labels[0][1], -1))
    made = cx.emit(Op.T_OBJECT, shape, -1, -1, tag.position)
    return cx.emit(Op.T_ARRAY, made, -1, -1, tag.position) if around else made


def _open_property(cx: Context, tag: Tag, name: str) -> int:
    """Open the symbol of a property that a `@property` tag describes."""
    offset = tag.labels[0][1]
    end = offset + len(tag.labels[0][0].encode())
    state = SymbolState(name, "property", -1, tag.position, max(end, tag.end), tag.position, offset)
    state.signature = header(cx, tag.position, state.end)
    return cx.open_symbol(state)


def declare_type_parameters(cx: Context, tags: Sequence[Tag]) -> list[int]:
    """Declare the names of `@template` tags in the current scope and return their declarations.

    A constraint applies to the first name.
    """
    found = []
    for tag in tags:
        if tag.name != "template":
            continue
        parts = [tag.type] if tag.type is not None else []
        if tag.optional and tag.type is not None:  # a tuple of the constraint, if any, and the default
            parts = inner_nodes(tag.type)
        with _reading_comments(cx):
            lowered = [lower_type(cx, part) for part in parts]
        for position, (name, offset) in enumerate(tag.labels):
            decl = Decl(DeclKind.TYPE_PARAMETER, name, -1, -1, -1, -1, offset)
            if tag.optional:
                decl.b = lowered[-1] if lowered else -1
                decl.a = lowered[0] if len(lowered) > 1 else -1
            elif lowered and position == 0:
                decl.a = lowered[0]
            found.append(cx.declare(name, Meaning.TYPE, decl))
    return found


def lowered_signature(cx: Context, tags: Sequence[Tag], symbol: int, position: int) -> int:
    """Lower a function that consists only of tags, as `@callback` and `@overload` declare it."""
    index = len(cx.functions)
    fact = Function(symbol, [], [], -1, [], [], -1, False, False, False, False, False, position)
    cx.functions.append(fact)
    outer = cx.open_scope(True)
    fact.type_parameters = declare_type_parameters(cx, tags)
    for place, group in enumerate(parameter_groups(tags)):
        first = group[0]
        kind = lowered_parameter(cx, group)
        value = cx.emit(Op.PARAMETER, index, -1, place, first.labels[0][1])
        decl = Decl(DeclKind.PARAMETER, first.label, -1, kind, value, index, first.labels[0][1])
        parameter = Parameter(first.label, cx.declare(first.label, Meaning.VALUE, decl), kind, -1, first.optional, first.rest)
        fact.parameters.append(parameter)
    fact.this_type = first_type(cx, tags, "this")
    fact.return_type = first_type(cx, tags, "returns")
    cx.scope = outer
    return index
