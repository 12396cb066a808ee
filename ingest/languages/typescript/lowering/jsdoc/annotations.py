"""Apply the types in doc comments to the functions, classes, variables and members of a JavaScript file."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tree_sitter import Node, Tree

from .....facts.model import Decl, DeclKind, Expando, Export, Meaning, Shape
from .....facts.operations import Cast, ContextKind, Op
from .....symbols.byte_ranges import between
from .....symbols.headers import header
from .....symbols.states import ScopeState, SymbolState
from ...parsing.parse import ParsedSource
from ..dispatch import GrammarTables, grammar_tables, inner_nodes, lower_expression
from ..documented_types import DocumentedTypes
from ..exports import clause_names
from ..imports import add_import, specifier_of
from .hosts import Hosts, find_hosts
from .tags import Comment, Tag, find_comments, read_types
from .types import (
    declare_type_parameters,
    first_type,
    following_tags,
    lower_arguments,
    lowered_object,
    lowered_parameter,
    lowered_signature,
    lowered_type,
    own_tags,
    parameter_groups,
    property_tags,
)

if TYPE_CHECKING:
    from ..context import Context

_TYPES: Final = Meaning.TYPE | Meaning.NAMESPACE
_LANGUAGES: Final = frozenset(("javascript", "jsx"))


class Documentation(DocumentedTypes):
    """The JSDoc comments of one file, and their types."""

    def __init__(self, comments: list[Comment], types: ParsedSource | None, hosts: Hosts) -> None:
        self._comments = comments
        self._starts = [comment.start for comment in comments]
        self._types = types  # the tree keeps the nodes valid
        self._hosts = hosts
        #: Tags of functions, and the tags of their parameters in groups.
        self._functions: dict[int, tuple[list[Tag], list[list[Tag]]]] = {}
        #: Function -> type in the `@type` above the function.
        self._typed: dict[int, int] = {}
        #: Getters and setters with a `@type`.
        self._getters: dict[int, Tag] = {}
        self._setters: dict[int, Tag] = {}
        self._exports: list[Export] = []
        #: Scope of the names that comments import. It encloses the module's scope, which may have values with the same names.
        self._import_scope = -1

    @property
    def data(self) -> bytes:
        """The bytes from which the types are parsed."""
        return self._types.data if self._types is not None else b""

    @property
    def tables(self) -> GrammarTables | None:
        """The tables of the grammar of the types, or None if there are no types."""
        return grammar_tables(self._types.tree.language) if self._types is not None else None

    # ------------------------------------------------------------------ functions and classes

    def enter_function(self, cx: Context, node: Node, index: int) -> None:
        """Set the type parameters of a function, and keep its tags for its parameters."""
        comment = self._hosts.functions.get(node.id)
        if comment is None:
            return
        fact = cx.functions[index]
        tags = own_tags(comment)
        self._functions[index] = tags, parameter_groups(tags)
        fact.type_parameters = fact.type_parameters or declare_type_parameters(cx, tags)
        fact.this_type = first_type(cx, tags, "this")
        typed = comment.tag("type") if node.id in self._hosts.typed else None
        if typed is None or any(tag.name == "param" for tag in tags):
            return
        words = {child.type for child in node.children[:3]} if node.type == "method_definition" else set()
        if "set" in words:
            self._setters[index] = typed
        elif "get" in words:
            self._getters[index] = typed
        elif typed.type is not None:
            self._typed[index] = lowered_type(cx, typed)

    def parameter_type(self, cx: Context, index: int, node: Node, pattern: Node) -> int:
        """Return the type of a parameter.

        The type is in the comment of the parameter or in the tag with its name. The type of a pattern is in the tag at its
        position.
        """
        comment = self._hosts.values.get(node.id)
        own = comment.tag("type") if comment is not None else None
        if own is not None:
            return lowered_type(cx, own)
        function = self._functions.get(index)
        if function is None:
            return -1
        if index in self._setters:
            return lowered_type(cx, self._setters[index])
        groups = function[1]
        if pattern.type == "identifier":
            name = cx.text(pattern)
            group = next((group for group in groups if group[0].label == name), None)
        else:
            position = len(cx.functions[index].parameters)
            group = groups[position] if position < len(groups) else None
        return lowered_parameter(cx, group) if group is not None else -1

    def return_type(self, cx: Context, index: int) -> int:
        """Return the type of a function's result, or -1."""
        if index in self._getters:
            return lowered_type(cx, self._getters[index])
        function = self._functions.get(index)
        return first_type(cx, function[0], "returns") if function is not None else -1

    def describe_class(self, cx: Context, node: Node, fact: Shape) -> None:
        """Set the type parameters of a class, its interfaces, and the type arguments of its base."""
        comment = self._hosts.classes.get(node.id)
        if comment is None:
            return
        fact.type_parameters = fact.type_parameters or declare_type_parameters(cx, comment.tags)
        for tag in comment.tags:
            if tag.type is None:
                continue
            if tag.name == "implements":
                fact.implements.append(lowered_type(cx, tag))
            elif tag.name == "extends" and fact.extends and cx.code[fact.extends[0] + 2] < 0:
                cx.code[fact.extends[0] + 2] = lower_arguments(cx, tag.type.child_by_field_name("type_arguments"))

    def overloads(self, cx: Context, node: Node, symbol: int) -> list[int]:
        """Return the functions that `@overload` tags above a function declare."""
        made = []
        for comment in self._hosts.overloads.get(node.id, ()):
            shared = [tag for tag in comment.tags if tag.name == "template"]
            for start, tag in enumerate(comment.tags):
                if tag.name == "overload":
                    made.append(lowered_signature(cx, [*shared, *following_tags(comment.tags, start)], symbol, tag.position))
        return made

    # ------------------------------------------------------------------ values

    def declared_type(self, cx: Context, node: Node) -> int:
        """Return the type of a variable, field or property, or -1."""
        comment = self._hosts.values.get(node.id)
        tag = comment.tag("type") if comment is not None else None
        return lowered_type(cx, tag) if tag is not None else -1

    def satisfy(self, cx: Context, node: Node, value: int) -> None:
        """Make the type of `@satisfies` the expected type of the value of a variable or export."""
        comment = self._hosts.values.get(node.id)
        tag = comment.tag("satisfies") if comment is not None else None
        if tag is not None and tag.type is not None:
            cx.expect(value, ContextKind.ANNOTATED, lowered_type(cx, tag))
        enum = comment.tag("enum") if comment is not None else None
        if enum is not None and enum.type is not None:
            self._enumerate(cx, node, enum)

    def _enumerate(self, cx: Context, node: Node, tag: Tag) -> None:
        """Declare the name of an object with `@enum {T}` also as a name of the type T."""
        name = node.child_by_field_name("name") if node.type == "variable_declarator" else None
        if name is not None and name.type == "identifier":
            text = cx.text(name)
            decl = Decl(DeclKind.ALIAS, text, -1, lowered_type(cx, tag), cx.list_of([]), -1, name.start_byte)
            cx.declare(text, Meaning.TYPE, decl)

    def exported(self, cx: Context, node: Node, value: int) -> int:
        """Return the value of an `export default` with the type of its comment."""
        self.satisfy(cx, node, value)
        kind = self.declared_type(cx, node)
        return self._as(cx, value, kind, Cast.AS) if kind >= 0 else value

    def assigned(self, cx: Context, node: Node, value: int) -> int:
        """Return the value of an assignment with the type of its comment."""
        left = node.child_by_field_name("left")
        if left is None or left.type == "identifier":
            return value
        self.satisfy(cx, node, value)
        kind = self.declared_type(cx, node)
        return self._as(cx, value, kind, Cast.DECLARED) if kind >= 0 else value

    def cast(self, cx: Context, node: Node) -> int | None:
        """Lower an expression in parentheses after a `@type`; return None for other nodes."""
        comment = self._hosts.casts.get(node.id)
        if comment is None:
            return None
        tag = comment.tag("type") or comment.tag("satisfies")
        inner = inner_nodes(node)
        if tag is None or len(inner) != 1:
            return None
        value = lower_expression(cx, inner[0])
        if tag.text == b"const":
            made = cx.emit(Op.AS, value, -1, Cast.CONST, node.start_byte)
            cx.expect(value, ContextKind.SAME, made)
            return made
        kind = lowered_type(cx, tag)
        if kind < 0:
            return value
        return self._as(cx, value, kind, Cast.AS if tag.name == "type" else Cast.SATISFIES)

    def declare_member(self, cx: Context, node: Node, target: int) -> None:
        """Declare a member for `this.x;` with a type."""
        comment = self._hosts.members.get(node.id)
        tag = comment.tag("type") if comment is not None else None
        if tag is not None and tag.type is not None and cx.code[target] == Op.MEMBER:
            value = cx.emit(Op.UNDEFINED, -1, -1, -1, node.start_byte)
            cx.expandos.append(Expando(target, self._as(cx, value, lowered_type(cx, tag), Cast.DECLARED), -1))

    def _as(self, cx: Context, value: int, kind: int, cast: int) -> int:
        made = cx.emit(Op.AS, value, kind, cast, cx.code[value + 4])
        cx.expect(value, ContextKind.ANNOTATED, kind)
        return made

    # ------------------------------------------------------------------ declarations of the whole file

    def finish(self, cx: Context) -> None:
        """Declare type definitions and imports, and make the `@type` above functions their expected types."""
        self._expect_types(cx)
        around = cx.symbol  # in a file with a component, the component
        cx.scopes.append(ScopeState(-1, len(cx.scopes)))
        cx.scopes[0].parent = self._import_scope = len(cx.scopes) - 1
        by_start = sorted((state.start, -state.end, index) for index, state in enumerate(cx.symbols))
        for comment in self._comments:
            for position, tag in enumerate(comment.tags):
                if tag.name in ("typedef", "callback", "import"):
                    cx.symbol = _innermost_symbol(cx, by_start, tag.position)
                    cx.owners += (len(cx.code), cx.symbol)
                    self._declare(cx, comment, position)
        cx.symbol = around
        cx.owners += (len(cx.code), around)
        self._mark_imports(cx)
        self._widen_names(cx)

    def _expect_types(self, cx: Context) -> None:
        if not self._typed:
            return
        nodes = {cx.code[at + 1]: at for at in range(0, len(cx.code), 5) if cx.code[at] == Op.FUNCTION}
        for function, kind in self._typed.items():
            node = nodes.get(function)
            made = node if node is not None else cx.emit_function(function, cx.functions[function].position)
            cx.expect(made, ContextKind.ANNOTATED, kind)

    def exports_beside(self, exports: Sequence[Export]) -> list[Export]:
        """Return exports for the type definitions, except names that the module exports itself.

        Other files can import type definitions by name.
        """
        taken = {entry.name for entry in exports}
        return [entry for entry in self._exports if entry.name not in taken]

    def _mark_imports(self, cx: Context) -> None:
        """Mark the imports in comments, because they are not imports of the code."""
        for entry in cx.imports:
            if self.comment_at(entry.position):
                entry.form = "jsdoc"

    def comment_at(self, position: int) -> tuple[int, int] | None:
        """Return start and end of the comment around an offset, or None if the offset is in code."""
        place = bisect_right(self._starts, position) - 1
        if place < 0 or position >= self._comments[place].end:
            return None
        return self._starts[place], self._comments[place].end

    def _widen_names(self, cx: Context) -> None:
        """Let names of types also refer to values, as in `const Repo = require("./repo")`.

        In a `typeof`, an imported name is a value.
        """
        scopes, bindings = cx.scopes, cx.bindings
        for index, (node, start, meaning) in enumerate(cx.pending):
            if not self.comment_at(cx.code[node + 4]):
                continue
            name, scope = cx.strings[cx.code[node + 2]], start
            while scope >= 0:
                binding = scopes[scope].names.get(name)
                if binding is not None and bindings[binding].meaning & meaning:
                    break
                scope = scopes[scope].parent
            else:
                cx.pending[index] = (node, start, Meaning.VALUE | _TYPES)

    def _declare(self, cx: Context, comment: Comment, position: int) -> None:
        tag = comment.tags[position]
        if tag.name == "import":
            _import(cx, tag, self._import_scope)
            return
        if not tag.label or "." in tag.label or "#" in tag.label:
            return
        symbol = cx.open_symbol(_definition_state(cx, comment, position))
        decl = Decl(DeclKind.ALIAS, tag.label, symbol, -1, -1, -1, tag.labels[0][1])
        cx.declare(tag.label, Meaning.TYPE, decl)
        self._exports.append(Export(tag.label, -1, "", cx.scopes[cx.scope].names[tag.label], -1, True, tag.labels[0][1], -1))
        outer = cx.open_scope()
        decl.b = cx.list_of(declare_type_parameters(cx, comment.tags))
        if tag.name == "callback":
            function = lowered_signature(cx, following_tags(comment.tags, position), -1, tag.position)
            decl.a = cx.emit(Op.T_FUNCTION, function, -1, -1, tag.position)
        else:
            cx.members_have_symbols = True
            decl.a = lowered_object(cx, tag, property_tags(comment.tags[position + 1 :]), "")
            cx.members_have_symbols = False
        cx.scope = outer
        cx.close_symbol()


def read_documentation(cx: Context, data: bytes, tree: Tree) -> Documentation | None:
    """Read the types in the doc comments of a JavaScript file; return None if there are none."""
    if cx.language not in _LANGUAGES or b"/**" not in data:
        return None
    comments = find_comments(data, tree)
    if not comments:
        return None
    types = read_types(data, comments)
    return Documentation(comments, types, find_hosts(data, tree, comments))


def _definition_state(cx: Context, comment: Comment, position: int) -> SymbolState:
    """Return the symbol of a type definition, which ends where the next definition in its comment begins."""
    tag = comment.tags[position]
    later = (other.position for other in comment.tags[position + 1 :] if other.name in ("typedef", "callback", "import"))
    end = next(later, comment.end - len(b"*/"))
    written = between(cx.source, tag.position, end).rstrip(b" \t\r\n*")
    state = SymbolState(tag.label, "type", -1, tag.position, tag.position + len(written), tag.position, tag.labels[0][1])
    state.signature = header(cx, tag.position, tag.position + len(written))
    state.exported = cx.is_module
    return state


def _import(cx: Context, tag: Tag, scope: int) -> None:
    """Declare the names of `@import { A, B as C } from "x"` as types."""
    if tag.type is None:
        return
    source = tag.type.child_by_field_name("source")
    clause = next((child for child in tag.type.named_children if child.type == "import_clause"), None)
    if source is None or clause is None:
        return
    names: list[str] = []
    index = add_import(cx, specifier_of(cx, source) or "", "import", names, source.start_byte, True)
    for local, imported, _ in clause_names(cx, clause, True):
        text = cx.text(local)
        names.append(imported)
        decl = Decl(DeclKind.IMPORT, text, -1, index, cx.string(imported.encode()), 1, local.start_byte)
        cx.declare(text, _TYPES, decl, scope)


def _innermost_symbol(cx: Context, by_start: list[tuple[int, int, int]], position: int) -> int:
    """Return the innermost symbol around an offset, or -1. `by_start` are symbols by start, outer ones first."""
    place = bisect_right(by_start, (position, 0, 0)) - 1
    symbol = by_start[place][2] if place >= 0 else -1
    while symbol >= 0 and cx.symbols[symbol].end <= position:
        symbol = cx.symbols[symbol].parent
    return symbol
