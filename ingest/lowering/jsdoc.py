"""Types that the doc comments of a JavaScript file give its functions, classes, variables and members."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tree_sitter import Node, Tree

from ..facts import (
    Cast,
    ContextKind,
    Decl,
    DeclKind,
    Expando,
    Export,
    Function,
    Meaning,
    Member,
    MemberKind,
    Op,
    Parameter,
    Shape,
    ShapeKind,
)
from .dispatch import inner_nodes, lower_expression, lower_type, lower_type_list
from .exports import clause_names
from .imports import add_import, specifier_of
from .jsdoc_hosts import Hosts, find_hosts
from .jsdoc_tags import Comment, Tag, find_comments, read_types

if TYPE_CHECKING:
    from .context import Context

_LANGUAGES: Final = frozenset(("javascript", "jsx"))
#: Types whose properties tags of their own may list, with what stands around one object.
_OBJECTS: Final = {b"Object": False, b"object": False, b"Object[]": True, b"object[]": True, b"Array<Object>": True}
#: Tags that belong to a `@callback` or `@overload` before them.
_SIGNATURE_TAGS: Final = frozenset(("param", "returns", "this"))


class Documentation:
    """The comments of one file, and what is known once the file is read."""

    def __init__(self, comments: list[Comment], types: Tree | None, hosts: Hosts) -> None:
        self._comments = comments
        self._types = types  # nodes are valid only as long as their tree is
        self._hosts = hosts
        #: Comments of the functions that are being read, by function.
        self._functions: dict[int, Comment] = {}
        #: Functions that a `@type` is for, and the type.
        self._typed: dict[int, int] = {}
        #: Type definitions, which every file can import from a module.
        self.exports: list[Export] = []

    # ------------------------------------------------------------------ functions and classes

    def enter_function(self, cx: Context, node: Node, index: int) -> None:
        """Give a function its type parameters, and keep its tags for its parameters."""
        comment = self._hosts.functions.get(node.id)
        if comment is None:
            return
        fact = cx.functions[index]
        tags = _own_tags(comment)
        self._functions[index] = comment
        fact.type_parameters = fact.type_parameters or _type_parameters(cx, tags)
        fact.this_type = _first_type(cx, tags, "this")
        if node.id in self._hosts.typed and not any(tag.name == "param" for tag in tags):
            kind = _first_type(cx, tags, "type")
            if kind >= 0:
                self._typed[index] = kind

    def parameter_type(self, cx: Context, index: int, node: Node, pattern: Node) -> int:
        """The type of a parameter: its own comment's, or that of the tag with its name; of a pattern, that of the tag at its place."""
        comment = self._hosts.values.get(node.id)
        own = comment.tag("type") if comment is not None else None
        if own is not None:
            return _lowered(cx, own)
        function = self._functions.get(index)
        if function is None:
            return -1
        tags = _own_tags(function)
        groups = _parameters(tags)
        if pattern.type == "identifier":
            name = cx.text(pattern)
            group = next((group for group in groups if group[0].label == name), None)
        else:
            position = len(cx.functions[index].parameters)
            group = groups[position] if position < len(groups) else None
        return _parameter_type(cx, group) if group is not None else -1

    def return_type(self, cx: Context, index: int) -> int:
        """The type of a function's result; -1 for none."""
        comment = self._functions.get(index)
        return _first_type(cx, _own_tags(comment), "returns") if comment is not None else -1

    def describe_class(self, cx: Context, node: Node, fact: Shape) -> None:
        """Give a class its type parameters, the type arguments of its base, and its interfaces."""
        comment = self._hosts.classes.get(node.id)
        if comment is None:
            return
        fact.type_parameters = fact.type_parameters or _type_parameters(cx, comment.tags)
        for tag in comment.tags:
            if tag.type is None:
                continue
            if tag.name == "implements":
                fact.implements.append(_lowered(cx, tag))
            elif tag.name == "extends" and fact.extends and cx.code[fact.extends[0] + 2] < 0:
                cx.code[fact.extends[0] + 2] = lower_type_list(cx, tag.type.child_by_field_name("type_arguments"))

    def overloads(self, cx: Context, node: Node, symbol: int) -> list[int]:
        """The functions that `@overload` tags declare above a function."""
        made = []
        for comment in self._hosts.overloads.get(node.id, ()):
            shared = [tag for tag in comment.tags if tag.name == "template"]
            for start, tag in enumerate(comment.tags):
                if tag.name == "overload":
                    made.append(_signature(cx, [*shared, *_following(comment.tags, start)], symbol, tag.position))
        return made

    # ------------------------------------------------------------------ values

    def declared_type(self, cx: Context, node: Node) -> int:
        """The type of a variable, field or property; -1 for none."""
        comment = self._hosts.values.get(node.id)
        tag = comment.tag("type") if comment is not None else None
        return _lowered(cx, tag) if tag is not None else -1

    def satisfy(self, cx: Context, node: Node, value: int) -> None:
        """Tell the value of a variable or export what `@satisfies` expects of it."""
        comment = self._hosts.values.get(node.id)
        tag = comment.tag("satisfies") if comment is not None else None
        if tag is not None and tag.type is not None:
            cx.expect(value, ContextKind.ANNOTATED, _lowered(cx, tag))

    def exported(self, cx: Context, node: Node, value: int) -> int:
        """The value of an `export default`, as its comment types it."""
        self.satisfy(cx, node, value)
        kind = self.declared_type(cx, node)
        return self._as(cx, value, kind, Cast.AS) if kind >= 0 else value

    def assigned(self, cx: Context, node: Node, value: int) -> int:
        """The value of an assignment, as its comment types it."""
        left = node.child_by_field_name("left")
        if left is None or left.type == "identifier":
            return value
        self.satisfy(cx, node, value)
        kind = self.declared_type(cx, node)
        return self._as(cx, value, kind, Cast.DECLARED) if kind >= 0 else value

    def cast(self, cx: Context, node: Node) -> int | None:
        """An expression in parentheses behind a `@type`; None for all others."""
        comment = self._hosts.casts.get(node.id)
        if comment is None:
            return None
        tag = comment.tag("type") or comment.tag("satisfies")
        inner = inner_nodes(node)
        if tag is None or len(inner) != 1:
            return None
        value = lower_expression(cx, inner[0])
        if tag.text == b"const":
            return cx.emit(Op.AS, value, -1, Cast.CONST, node.start_byte)
        kind = _lowered(cx, tag)
        if kind < 0:
            return value
        return self._as(cx, value, kind, Cast.AS if tag.name == "type" else Cast.SATISFIES)

    def declare_member(self, cx: Context, node: Node, target: int) -> None:
        """`this.x;` with a type declares a member."""
        comment = self._hosts.members.get(node.id)
        tag = comment.tag("type") if comment is not None else None
        if tag is not None and tag.type is not None and cx.code[target] == Op.MEMBER:
            value = cx.emit(Op.UNDEFINED, -1, -1, -1, node.start_byte)
            cx.expandos.append(Expando(target, self._as(cx, value, _lowered(cx, tag), Cast.DECLARED), -1))

    def _as(self, cx: Context, value: int, kind: int, cast: int) -> int:
        made = cx.emit(Op.AS, value, kind, cast, cx.code[value + 4])
        cx.expect(value, ContextKind.ANNOTATED, kind)
        return made

    # ------------------------------------------------------------------ what the file as a whole declares

    def finish(self, cx: Context) -> None:
        """Declare type definitions and imports, and tell functions what the `@type` above them expects."""
        for index, kind in self._typed.items():
            node = next((at for at in range(0, len(cx.code), 5) if cx.code[at] == Op.FUNCTION and cx.code[at + 1] == index), -1)
            made = node if node >= 0 else cx.emit_function(index, cx.functions[index].position)
            cx.expect(made, ContextKind.ANNOTATED, kind)
        for comment in self._comments:
            for position, tag in enumerate(comment.tags):
                if tag.name in ("typedef", "callback", "import"):
                    cx.symbol = _innermost_symbol(cx, tag.position)
                    cx.owners += (len(cx.code), cx.symbol)
                    self._declare(cx, comment, position)
        cx.symbol = -1
        cx.owners += (len(cx.code), -1)
        starts = [comment.start for comment in self._comments]
        for entry in cx.imports:
            place = bisect_right(starts, entry.position) - 1
            if place >= 0 and entry.position < self._comments[place].end:
                entry.form = "jsdoc"

    def _declare(self, cx: Context, comment: Comment, position: int) -> None:
        tag = comment.tags[position]
        if tag.name == "import":
            _import(cx, tag)
            return
        if not tag.label or "." in tag.label or "#" in tag.label:
            return
        decl = Decl(DeclKind.ALIAS, tag.label, -1, -1, -1, -1, tag.labels[0][1])
        cx.declare(tag.label, Meaning.TYPE, decl)
        self.exports.append(Export(tag.label, -1, "", cx.scopes[cx.scope].names[tag.label], -1, True, tag.labels[0][1], -1))
        outer = cx.open_scope()
        decl.b = cx.list_of(_type_parameters(cx, comment.tags))
        if tag.name == "callback":
            function = _signature(cx, _following(comment.tags, position), -1, tag.position)
            decl.a = cx.emit(Op.T_FUNCTION, function, -1, -1, tag.position)
        else:
            properties = [other for other in comment.tags[position + 1 :] if other.name == "property"]
            decl.a = _object_type(cx, tag, [other for other in properties if other.label], "")
        cx.scope = outer


def read_documentation(cx: Context, data: bytes, tree: Tree) -> Documentation | None:
    """The types in the doc comments of a JavaScript file; None where there are none."""
    if cx.language not in _LANGUAGES or b"/**" not in data:
        return None
    comments = find_comments(data, tree)
    if not comments:
        return None
    types = read_types(data, comments)
    return Documentation(comments, types, find_hosts(data, tree, comments))


# ---------------------------------------------------------------------- tags to types


def _lowered(cx: Context, tag: Tag) -> int:
    """The type node of a tag; -1 when it could not be read."""
    return lower_type(cx, tag.type) if tag.type is not None else -1


def _first_type(cx: Context, tags: Sequence[Tag], name: str) -> int:
    return next((_lowered(cx, tag) for tag in tags if tag.name == name and tag.text), -1)


def _own_tags(comment: Comment) -> list[Tag]:
    """The tags about the function itself, not about an overload, callback or type definition in the same comment."""
    own: list[Tag] = []
    other = False
    for tag in comment.tags:
        if tag.name in ("overload", "callback"):
            other = True
        elif tag.name not in _SIGNATURE_TAGS and tag.name != "template":
            other = False
        if not other:
            own.append(tag)
    return own


def _following(tags: Sequence[Tag], position: int) -> list[Tag]:
    """The tags that describe the signature begun by the tag at a position."""
    found = []
    for tag in tags[position + 1 :]:
        if tag.name not in _SIGNATURE_TAGS:
            break
        found.append(tag)
    return found


def _parameters(tags: Sequence[Tag]) -> list[list[Tag]]:
    """The `@param` tags: each with those that describe its properties, such as `options.name`, behind it."""
    groups: list[list[Tag]] = []
    for tag in tags:
        if tag.name != "param" or not tag.label:
            continue
        if groups and tag.label.startswith(f"{groups[-1][0].label}."):
            groups[-1].append(tag)
        else:
            groups.append([tag])
    return groups


def _parameter_type(cx: Context, group: list[Tag]) -> int:
    first = group[0]
    made = _object_type(cx, first, group[1:], f"{first.label}.")
    return cx.emit(Op.T_ARRAY, made, -1, -1, first.position) if made >= 0 and first.rest else made


def _object_type(cx: Context, tag: Tag, properties: Sequence[Tag], prefix: str) -> int:
    """The type of a tag; that of an object is made of the properties that further tags describe."""
    around = _OBJECTS.get(tag.text) if tag.text or not prefix else None
    if not properties or (tag.text and around is None):
        return _lowered(cx, tag)
    shape = len(cx.shapes)
    fact = Shape(ShapeKind.OBJECT_TYPE, "", cx.symbol, -1, [], [], [], [], tag.position)
    cx.shapes.append(fact)
    for part in properties:
        name = part.label.removeprefix(prefix)
        if "." in name:
            continue
        inner = [other for other in properties if other.label.startswith(f"{part.label}.")]
        kind = _object_type(cx, part, inner, f"{part.label}.")
        fact.members.append(Member(name, MemberKind.PROPERTY, False, part.optional, -1, -1, kind, -1, part.labels[0][1], -1))
    made = cx.emit(Op.T_OBJECT, shape, -1, -1, tag.position)
    return cx.emit(Op.T_ARRAY, made, -1, -1, tag.position) if around else made


def _type_parameters(cx: Context, tags: Sequence[Tag]) -> list[int]:
    """Declare the names of `@template` tags in the current scope; their declarations. A constraint is for the first name."""
    found = []
    for tag in tags:
        if tag.name != "template":
            continue
        parts = [tag.type] if tag.type is not None else []
        if tag.optional and tag.type is not None:  # a tuple of the constraint, if any, and the default
            parts = inner_nodes(tag.type)
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


def _signature(cx: Context, tags: Sequence[Tag], symbol: int, position: int) -> int:
    """A function of tags alone, as `@callback` and `@overload` declare it."""
    index = len(cx.functions)
    fact = Function(symbol, [], [], -1, [], [], -1, False, False, False, False, False, position)
    cx.functions.append(fact)
    outer = cx.open_scope(True)
    fact.type_parameters = _type_parameters(cx, tags)
    for place, group in enumerate(_parameters(tags)):
        first = group[0]
        kind = _parameter_type(cx, group)
        value = cx.emit(Op.PARAMETER, index, -1, place, first.labels[0][1])
        decl = Decl(DeclKind.PARAMETER, first.label, -1, kind, value, index, first.labels[0][1])
        parameter = Parameter(first.label, cx.declare(first.label, Meaning.VALUE, decl), kind, -1, first.optional, first.rest)
        fact.parameters.append(parameter)
    fact.this_type = _first_type(cx, tags, "this")
    fact.return_type = _first_type(cx, tags, "returns")
    cx.scope = outer
    return index


# ---------------------------------------------------------------------- imports and places


def _import(cx: Context, tag: Tag) -> None:
    """`@import { A, B as C } from "x"`: names for types."""
    if tag.type is None:
        return
    source = tag.type.child_by_field_name("source")
    clause = next((child for child in tag.type.named_children if child.type == "import_clause"), None)
    if source is None or clause is None:
        return
    names: list[str] = []
    index = add_import(cx, specifier_of(source) or "", "import", names, source.start_byte, True)
    for local, imported, _ in clause_names(cx, clause, True):
        text = cx.text(local)
        names.append(imported)
        decl = Decl(DeclKind.IMPORT, text, -1, index, cx.string(imported.encode()), 1, local.start_byte)
        cx.declare(text, Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE, decl)


def _innermost_symbol(cx: Context, position: int) -> int:
    """The symbol around an offset, -1 for none."""
    best = -1
    for index, state in enumerate(cx.symbols):
        if state.start <= position < state.end and (best < 0 or state.start >= cx.symbols[best].start):
            best = index
    return best
