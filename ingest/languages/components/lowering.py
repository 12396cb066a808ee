"""Lower the scripts and the template's expressions of a single-file component, with the lowering of TypeScript.

The scripts are parsed as one text of the file's length, in which everything else is blank. Offsets in this text are therefore
offsets in the file. The component is a symbol over the whole file, and a class for the type engine. The class has the members
that other components can access. The type of its member `$props` is the type of the attributes. A name in the template that the
file does not declare is a member of the class.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager
from copy import copy
from itertools import chain
from typing import Final

from tree_sitter import Node

from ....schema.records import Problem
from ...facts.cells import int_cells
from ...facts.model import Binding, Decl, DeclKind, Export, FileFacts, Meaning, Member, MemberKind, Shape, ShapeKind
from ...facts.operations import Cast, ContextKind, MemberFlag, Op, ThisKind, Use
from ...files.source_text import SourceText
from ...symbols.byte_ranges import blank
from ...symbols.chunks import chunk_facts
from ...symbols.states import ScopeState, SymbolState
from ...symbols.symbol_tree import SymbolTree
from ..typescript.lowering.context import Context
from ..typescript.lowering.dispatch import grammar_tables, inner_nodes, lower_expression, lower_statement
from ..typescript.lowering.functions import lower_type_parameters
from ..typescript.lowering.jsdoc.annotations import read_documentation
from ..typescript.lowering.patterns import bind_pattern, mark_written
from ..typescript.lowering.source_file.captured_variables import add_captures
from ..typescript.lowering.source_file.globs import note_globs
from ..typescript.lowering.source_file.mdx_components import note_mdx_components
from ..typescript.lowering.source_file.object_calls import note_object_calls, note_pushes
from ..typescript.lowering.source_file.program import lower_root, lower_statements
from ..typescript.lowering.source_file.returned_functions import note_returned_functions
from ..typescript.lowering.source_file.side_effects import side_effects
from ..typescript.lowering.source_file.tables import fill_tables
from ..typescript.lowering.source_file.unicode_names import unicode_names
from ..typescript.lowering.source_file.vue_provided import note_injections
from ..typescript.lowering.source_file.vue_registrations import note_instance_properties
from ..typescript.lowering.source_file.vuex_stores import note_store_calls
from ..typescript.parsing.parse import ParsedSource, parse_source
from .generics import construct_from_props
from .markup import Open, Span
from .names import camel, pascal, unbound_tag
from .placed_text import PlacedText, only

#: Modifiers of the symbols of members. They describe the role of a member for other components.
PROP: Final = "prop"
EVENT: Final = "event"
SLOT: Final = "slot"

#: Nodes with members.
_HOLDERS: Final = frozenset(("object", "object_type", "array", "program", "interface_body"))

_TYPES: Final = frozenset((DeclKind.INTERFACE, DeclKind.ALIAS, DeclKind.TYPE_PARAMETER))
_DIALECTS: Final = {"ts": "typescript", "typescript": "typescript", "tsx": "tsx", "jsx": "jsx"}
_JAVASCRIPT: Final = ("javascript", "jsx")


def dialect_of(lang: str | None) -> str:
    """Return the language of a script by its `lang` attribute."""
    return _DIALECTS.get((lang or "").lower(), "javascript")


class ComponentLowering:
    """The lowering of one component, used once. A language calls the steps in order and adds the facts of its template."""

    def __init__(
        self, source: SourceText, dialect: str, scripts: list[Span], outer: list[Span], generics: Iterable[Span] = ()
    ) -> None:
        """`scripts` are the contents of all scripts, and `generics` the type parameters that their tags declare.

        `outer` are the scripts that run once for all instances of the component. Other scripts may declare the names in `outer`
        again.
        """
        fill_tables()
        self._outer = outer if len(outer) < len(scripts) else []
        self.source = source
        self.dialect = dialect
        self.problems: list[Problem] = list(source.problems)
        self.parsed: ParsedSource = parse_source(only(source.data, scripts), dialect)
        self.problems += self.parsed.problems
        root = self.parsed.tree.root_node
        data = self.parsed.data
        is_repaired = bool(self.parsed.edits or self.parsed.problems)
        self.cx = Context(
            data if not is_repaired else only(source.data, scripts),
            data,
            dialect,
            is_repaired,
            grammar_tables(self.parsed.tree.language),
        )
        cx = self.cx
        cx.strict = True
        cx.documented = read_documentation(cx, data, self.parsed.tree)
        end = len(source.data.rstrip())
        start = min(len(source.data) - len(source.data.lstrip()), end)
        #: The symbol of the component. The reader of files sets its name, which is the name of the file.
        self.state = SymbolState("", "component", -1, start, end, start, start, signature="component", has_body=True)
        self.symbol = cx.open_symbol(self.state)
        #: Types that scripts declare for the attributes.
        self.typed_props: list[int] = []
        #: The global name of the component that a tag names if the file does not declare it.
        self.unbound_tag: Callable[[str], str] = unbound_tag
        #: Whether a name in the template refers to the value of a ref, not to the ref.
        self.unwraps = False
        #: Nodes of names that the compiler of components replaces, such as the rune `$props` in `{ ...props } = $props()`.
        self.keywords: set[int] = set()
        #: Whether a name in the template may refer to a declaration or import of a script.
        self.sees_scripts = True
        #: The class for the component.
        self.shape = len(cx.shapes)
        self.members = Shape(ShapeKind.CLASS, "", self.symbol, -1, [], [], [], [], start)
        cx.shapes.append(self.members)
        self.members.decl = len(cx.decls)
        cx.decls.append(Decl(DeclKind.CLASS, "", self.symbol, self.shape, -1, -1, start))
        self.binding = len(cx.bindings)
        cx.bindings.append(Binding("", Meaning.VALUE | Meaning.TYPE, [self.members.decl], 0, []))
        self._places: dict[int, int] = {}
        self._origins: dict[int, int] = {}
        #: The known bindings, by name and scope.
        self._bindings_of: dict[str, dict[int, int]] = {}
        self._known_bindings = 0
        #: What the options of a component of Vue provide to the components below it.
        self.provided: list[Member] = []
        #: The attributes that the component accepts.
        self.props: int = self.object_shape()
        for span in generics:
            self._declare_generics(span)
        self._statements = lower_root(cx, root)
        if cx.documented is not None:
            cx.documented.finish(cx)
            cx.documented = None
        #: Start of the template's code in the list of nodes, and in the list of names to bind.
        self.template_code = len(cx.code)
        self._template_pending = len(cx.pending)

    def _declare_generics(self, span: Span) -> None:
        """Declare the type parameters in an attribute, such as `generic="T extends Book"`, for all scripts."""
        data = bytearray(blank(self.source.data))
        before = b"type _<"
        if span.start < len(before) or span.end + 1 >= len(data):
            return
        data[span.start - len(before) : span.start] = before
        data[span.start : span.end] = self.source.data[span.start : span.end]
        data[span.end : span.end + 2] = b">="
        parsed = parse_source(bytes(data), "typescript")
        cx, root = self.cx, parsed.tree.root_node.descendant_for_byte_range(span.start, max(span.start, span.end - 1))
        while root is not None and root.type != "type_parameters":
            root = root.parent
        with self._reading(parsed.data, parsed, is_repaired=False):
            self.members.type_parameters += lower_type_parameters(cx, root)

    def lower_apart(self, groups: list[list[Span]]) -> None:
        """Lower scripts that share no names with the component. Only the scripts of a group share names."""
        scripts = sorted(chain.from_iterable(groups))
        if not scripts:
            return
        cx = self.cx
        starts = [script.start for script in scripts]
        group_of = {script.start: number for number, group in enumerate(groups) for script in group}
        parsed = parse_source(only(self.source.data, scripts), self.dialect)
        self.problems += parsed.problems
        scope = cx.scope
        is_repaired = bool(parsed.edits or parsed.problems)
        with self._reading(only(self.source.data, scripts), parsed, is_repaired=is_repaired):
            statements: list[list[Node]] = [[] for _ in groups]
            for node in parsed.tree.root_node.named_children:
                script = max(bisect_right(starts, node.start_byte) - 1, 0)
                statements[group_of[starts[script]]].append(node)
            for group in statements:
                cx.open_scope(True)
                lower_statements(cx, group)
                cx.scope = scope

    @contextmanager
    def _reading(self, source: bytes, parsed: ParsedSource, *, is_repaired: bool) -> Iterator[None]:
        """Lower another text of the file, with the grammar that parsed it."""
        cx = self.cx
        outer = (cx.source, cx.data, cx.is_repaired, cx.tables)
        cx.source, cx.data, cx.is_repaired = source, parsed.data, is_repaired
        cx.tables = grammar_tables(parsed.tree.language)
        yield
        cx.source, cx.data, cx.is_repaired, cx.tables = outer

    # ------------------------------------------------------------------ shapes and members

    def object_shape(self) -> int:
        """Add an object type and return its shape."""
        self.cx.shapes.append(Shape(ShapeKind.OBJECT_TYPE, "", self.symbol, -1, [], [], [], [], self.state.start))
        return len(self.cx.shapes) - 1

    def type_of_shape(self, shape: int) -> int:
        """Return a type node for a shape."""
        return self.cx.emit(Op.T_OBJECT, shape, -1, -1, self.state.start)

    def property(
        self,
        shape: int,
        name: str,
        *,
        symbol: int = -1,
        type_: int = -1,
        value: int = -1,
        optional: bool = False,
        position: int = 0,
    ) -> Member:
        """Add a property to a shape."""
        member = Member(name, MemberKind.PROPERTY, False, optional, symbol, -1, type_, value, position, -1)
        self.cx.shapes[shape].members.append(member)
        return member

    def add_members(self, members: Iterable[Member]) -> None:
        """Add copies of members to the component. Each copy has new symbols, so that no two members share a symbol."""
        self.members.members += [copy(member) for member in members]

    def member_symbol(self, name: str, role: str, span: Span, signature: str = "", doc: str = "") -> int:
        """Add the symbol of a prop, an event or a slot to the component."""
        text = signature or name
        state = SymbolState(
            name,
            "property",
            -1,
            span.start,
            span.end,
            span.start,
            span.start,
            signature=text,
            doc=doc,
            modifiers=[role],
            exported=True,
        )
        index = self.cx.leaf_symbol(state)
        state.parent = self.symbol
        return index

    def span_at(self, position: int) -> Span:
        """Return the range of a member of an object or type that begins at an offset of the scripts."""
        node = self.parsed.tree.root_node.descendant_for_byte_range(position, position + 1)
        while node is not None and (above := node.parent) is not None and above.start_byte == position:
            if above.type in _HOLDERS:
                break
            node = above
        return Span(node.start_byte, node.end_byte) if node is not None else Span(position, position + 1)

    def text_of(self, span: Span) -> str:
        """Return the beginning of a range of the file in one line."""
        text = self.source.data[span.start : min(span.end, span.start + 800)].decode("utf-8", "replace")
        return " ".join(text.split())[:200].rstrip(";, ")

    def instance(self, position: int) -> int:
        """Return a node for the component's own instance."""
        return self.cx.emit(Op.THIS, ThisKind.INSTANCE, self.shape, -1, position)

    def cast(self, node: int, type_: int) -> None:
        """Replace an existing node by a cast of it to a type: `node as type`."""
        code = self.cx.code
        moved = self.moved(node)
        code[node : node + 4] = [Op.AS, moved, type_, Cast.AS]

    def moved(self, node: int) -> int:
        """Move a node to the end of the code and return its new place.

        A new node can then take the old place, and existing references lead to the new node.
        """
        cx = self.cx
        owner = self.cx.owner_of(node)
        current = cx.owners[-1]
        cx.owners += (len(cx.code), owner)
        made = cx.emit(cx.code[node], cx.code[node + 1], cx.code[node + 2], cx.code[node + 3], cx.code[node + 4])
        cx.owners += (len(cx.code), current)
        index = self._call_places().get(node)
        if index is not None:
            cx.calls[index] = made
        self._origins[made] = node
        return made

    def origin(self, node: int) -> int:
        """Return the index at which a node was first lowered, before `moved` changed it."""
        return self._origins.get(node, node)

    def leave_out_calls(self, nodes: Set[int]) -> None:
        """Remove calls from the list, because the compiler replaces them. `nodes` are their places before `moved`."""
        self.cx.calls = [node for node in self.cx.calls if self.origin(node) not in nodes]
        self._places = {}

    def _call_places(self) -> dict[int, int]:
        """Return the index of each node in the list of calls. The mapping is cached, and built again when calls were added."""
        if len(self._places) != len(self.cx.calls):
            self._places = {node: index for index, node in enumerate(self.cx.calls)}
        return self._places

    # ------------------------------------------------------------------ names

    def lookup(self, name: str) -> int:
        """Return the binding of a name at the current place, or -1."""
        return self.binding_at(name, self.cx.scope)

    def bound_name(self, text: str, binding: int, position: int, use: int = Use.READ) -> int:
        """Return the node of a name that refers to a binding, with the spelling and the position in the file."""
        return self.cx.emit(Op.NAME, binding, self.cx.string(text.encode()), use, position)

    def imported_default(self, name: str, imported: int, position: int) -> int:
        """Return a new binding for the default export of an import. The binding has a name that no identifier has."""
        cx = self.cx
        cx.decls.append(Decl(DeclKind.IMPORT, name, -1, imported, cx.string(b"default"), 0, position))
        cx.bindings.append(Binding(f"<{name}>", Meaning.VALUE, [len(cx.decls) - 1], 0, []))
        return len(cx.bindings) - 1

    def tag(self, text: str, position: int) -> int:
        """Return the node of a component's tag: a name that the file binds, else a component that is declared for all files."""
        for spelling in dict.fromkeys((text, camel(text), pascal(text))):
            binding = self.lookup(spelling)
            if binding >= 0 and not self._is_type(binding):
                return self.bound_name(text, binding, position)
        return self.bound_name(self.unbound_tag(text), -1, position)

    def _is_type(self, binding: int) -> bool:
        """Return whether a binding has only types and imports of types, which no tag names."""
        decls = [self.cx.decls[each] for each in self.cx.bindings[binding].decls]
        return all(decl.kind in _TYPES or (decl.kind == DeclKind.IMPORT and decl.c == 1) for decl in decls)

    def closing_tag(self, tag: int, position: int) -> None:
        """Add the use of a component in its closing tag, `</Name>` or `</Name.Part>`; `tag` is the node of the opening tag."""
        cx = self.cx
        parts: list[str] = []
        while cx.code[tag] == Op.MEMBER:
            parts.append(cx.strings[cx.code[tag + 2]])
            tag = cx.code[tag + 1]
        if cx.code[tag] != Op.NAME:
            return
        name = cx.strings[cx.code[tag + 2]]
        node = self.bound_name(name, cx.code[tag + 1], position, Use.JSX)
        for part in reversed(parts):
            position += len(name.encode()) + 1
            node, name = cx.emit(Op.MEMBER, node, cx.string(part.encode()), 0, position), part

    def member_path(self, text: str, position: int) -> int:
        """Return the node for a dotted tag, such as `Form.Item`."""
        first, *others = text.split(".")
        node = self.tag(first, position)
        for name in others:
            position += 1 + len(first.encode())
            node = self.cx.emit(Op.MEMBER, node, self.cx.string(name.encode()), 0, position)
            first = name
        return node

    # ------------------------------------------------------------------ template

    def begin_template(self) -> None:
        """Mark all later nodes as nodes of the template."""
        self.template_code = len(self.cx.code)
        self._template_pending = len(self.cx.pending)

    def enter(self, text: PlacedText) -> None:
        """Lower the next nodes from the code of `text`, whose offsets are offsets in the file."""
        assert text.parsed is not None
        cx, parsed = self.cx, text.parsed
        cx.source = cx.data = parsed.data
        cx.is_repaired = False
        cx.tables = grammar_tables(parsed.tree.language)

    def expression(self, text: PlacedText, start: int) -> int:
        """Lower the expression whose statement begins at an offset of a placed text; -1 if there is none."""
        node = text.node(start)
        if node is None:
            return -1
        self.enter(text)
        inner = inner_nodes(node)
        if node.type == "expression_statement" and inner:
            return lower_expression(self.cx, inner[0])
        made = -1
        for child in inner:
            made = self._statement(child)
        return made

    def _statement(self, node: Node) -> int:
        """Lower a statement in a template and return the value of an expression, else -1."""
        if node.type == "expression_statement":
            inner = inner_nodes(node)
            return lower_expression(self.cx, inner[0]) if inner else -1
        lower_statement(self.cx, node)
        return -1

    def expression_statement(self, text: PlacedText, start: int) -> None:
        """Lower the statement that begins at an offset of a placed text."""
        node = text.node(start)
        if node is not None:
            self.enter(text)
            self._statement(node)

    def declare(self, node: Node, value: int) -> None:
        """Declare the names of a pattern in the current scope."""
        cx = self.cx

        def bind(name: Node, part: int) -> None:
            self.variable(cx.text(name), part, name.start_byte)

        bind_pattern(cx, node, value, bind)

    def variable(self, name: str, value: int, position: int, type_: int = -1) -> int:
        """Declare a name of the template in the current scope and return its declaration."""
        return self.cx.declare(name, Meaning.VALUE, Decl(DeclKind.VARIABLE, name, -1, type_, value, 1, position))

    def declare_patterns(self, text: PlacedText, start: int, value: int) -> None:
        """Declare the names of the pattern in `var pattern` at an offset of a placed text."""
        node = text.node(start)
        if node is None:
            return
        self.enter(text)
        for child in inner_nodes(node):
            name = child.child_by_field_name("name")
            if name is not None:
                self.declare(name, value)

    def written(self, node: int) -> None:
        """Mark a reference as a use that both reads and writes."""
        if node >= 0:
            mark_written(self.cx, node)

    def element(self, tag: int, attributes: list[int], position: int) -> int:
        """Return the node for a use of a component. `attributes` are PROP and SPREAD nodes."""
        cx = self.cx
        made = cx.emit(Op.JSX, tag, cx.list_of(attributes), cx.list_of([]), position)
        for attribute in attributes:
            if cx.code[attribute] == Op.PROP and cx.code[attribute + 1] >= 0:
                cx.expect(cx.code[attribute + 1], ContextKind.ATTRIBUTE, made, cx.code[attribute + 2])
        cx.calls.append(made)
        return made

    def attribute(self, name: str, value: int, position: int) -> int:
        """Return the node of an attribute."""
        if value < 0:
            value = self.cx.emit(Op.BOOLEAN, 1, -1, -1, position)
        return self.cx.emit(Op.PROP, value, self.cx.string(name.encode()), -1, position)

    # ------------------------------------------------------------------ the end

    def bind_members(self, declared_elsewhere: frozenset[str], type_: int = -1) -> None:
        """Make the undeclared names in the template members of the component.

        `declared_elsewhere` are names that are global in templates. `type_` is a type with further members, or -1.
        """
        cx = self.cx
        later: list[tuple[int, int, int]] = []
        for node, scope, meaning in cx.pending[self._template_pending :]:
            name = cx.strings[cx.code[node + 2]]
            if cx.code[node] != Op.NAME or name in declared_elsewhere or self._is_visible(name, scope):
                later.append((node, scope, meaning))
                continue
            use = cx.code[node + 3]
            owner = self.cx.owner_of(node)
            current = cx.owners[-1]
            cx.owners += (len(cx.code), owner)
            this = self.instance(cx.code[node + 4])
            if type_ >= 0 and not name.startswith("$"):
                this = cx.emit(Op.AS, this, type_, Cast.AS, cx.code[node + 4])
            cx.owners += (len(cx.code), current)
            cx.code[node] = Op.MEMBER
            cx.code[node + 1] = this
            cx.code[node + 3] = 8 if use == Use.WRITE else 0
        cx.pending[self._template_pending :] = later

    def _is_visible(self, name: str, scope: int) -> bool:
        """Return whether a name in the template refers to a declaration of the file."""
        binding = self.binding_at(name, scope)
        return binding >= 0 and (self.sees_scripts or self.cx.bindings[binding].scope != 0)

    def binding_at(self, name: str, scope: int) -> int:
        """Return the binding of a name in a scope, or -1."""
        bindings, scopes = self.cx.bindings, self.cx.scopes
        for binding in range(self._known_bindings, len(bindings)):
            self._bindings_of.setdefault(bindings[binding].name, {})[bindings[binding].scope] = binding
        self._known_bindings = len(bindings)
        places = self._bindings_of.get(name)
        if places is None:
            return -1
        if len(places) == 1 and 0 in places:  # deep markup has thousands of scopes
            return places[0]
        while scope >= 0 and scope not in places:
            scope = scopes[scope].parent
        return places[scope] if scope >= 0 else -1

    def _part_names(self) -> None:
        """Split the binding of each name that both an outer script and another script declare.

        The second binding is in an inner scope.
        """
        cx = self.cx
        inner: dict[str, int] = {}
        scope = len(cx.scopes)
        for name, binding in cx.scopes[0].names.items():
            entry = cx.bindings[binding]
            decls = [decl for decl in entry.decls if not self._is_outer(cx.decls[decl].position)]
            if 0 < len(decls) < len(entry.decls):
                entry.decls = [decl for decl in entry.decls if decl not in decls]
                inner[name] = len(cx.bindings)
                cx.bindings.append(Binding(name, entry.meaning, decls, scope, []))
        if not inner:
            return
        cx.scopes.append(ScopeState(0, scope, names=inner))
        strings, code = cx.strings, cx.code
        for place, (node, around, meaning) in enumerate(cx.pending):
            name = strings[code[node + 2]]
            if name in inner and not self._is_outer(code[node + 4]) and self.binding_at(name, around) == cx.scopes[0].names[name]:
                cx.pending[place] = (node, scope, meaning)

    def _is_outer(self, position: int) -> bool:
        return any(script.start <= position < script.end for script in self._outer)

    def slot_of(self, event: Open) -> tuple[str, Span]:
        """Return the name of the slot that a tag declares, and the range of the name."""
        named = event.attribute("name")
        at = named.value if named is not None and named.value is not None else None
        span = Span(at.start, at.end) if at is not None else Span(event.name_start, event.name_start + len(event.name))
        return event.text("name", self.source.data) or "default", span

    def type_of_attributes(self, attributes: list[int], position: int) -> int:
        """Lower the type of an object with the values of attributes, such as the values that a slot passes to its content."""
        return self.cx.emit(Op.T_QUERY, self._literal_of(attributes, position), -1, -1, position)

    def _literal_of(self, attributes: list[int], position: int) -> int:
        """Return an object literal with the values of attributes."""
        cx = self.cx
        shape = len(cx.shapes)
        cx.shapes.append(Shape(ShapeKind.OBJECT_LITERAL, "", self.symbol, -1, [], [], [], [], position))
        for node in attributes:
            if cx.code[node] == Op.PROP:
                self.property(shape, cx.strings[cx.code[node + 2]], value=cx.code[node + 1], position=cx.code[node + 4])
        spreads = [node for node in attributes if cx.code[node] == Op.SPREAD]
        return cx.emit(Op.OBJECT, shape, cx.list_of(spreads) if spreads else -1, -1, position)

    def instance_of(self, tag: int, attributes: list[int], position: int) -> int:
        """Return the instance of a component that an element makes. The attributes decide the component's type parameters."""
        given = [self._literal_of(attributes, position)] if attributes else []
        return self.cx.emit(Op.NEW, tag, self.cx.list_of(given), -1, position)

    def use_slot(self, instance: int, name: str, position: int, flags: int = 0) -> int:
        """Return the use of a slot of a component's instance."""
        cx = self.cx
        return cx.emit(Op.MEMBER, self.slots_of(instance, position), cx.string(name.encode()), flags, position)

    def slots_of(self, instance: int, position: int) -> int:
        """Return the object with the slots of a component's instance."""
        return self.cx.emit(Op.MEMBER, instance, self.cx.string(b"$slots"), MemberFlag.NO_USE, position)

    def fill_slot(self, tag: int, position: int) -> None:
        """Add the use of the default slot of a component, if it has one, by the content between its tags."""
        self.use_slot(self.instance_of(tag, [], position), "default", position, MemberFlag.IMPLIED)

    def export_component(self) -> None:
        """Make the component the default export of the file."""
        cx = self.cx
        construct_from_props(self)
        cx.is_module = True
        cx.exports = [entry for entry in cx.exports if entry.name != "default"]
        cx.exports.append(Export("default", -1, "", self.binding, -1, False, self.state.start, -1))

    def facts(self, placed: Iterable[PlacedText] = ()) -> FileFacts:
        """Return the facts of the file."""
        cx, source = self.cx, self.source
        cx.close_symbol()
        line_of = source.data.count
        self.problems += [
            Problem(line_of(b"\n", 0, start) + 1, "brackets do not match in an expression of the template")
            for text in placed
            for start in text.broken[:20]
        ]
        cx.source = source.data
        cx.data = source.data
        if self._outer:
            self._part_names()
        note_globs(cx)
        note_store_calls(cx)
        note_injections(cx)
        note_mdx_components(cx)
        cx.resolve_names()
        note_pushes(cx)
        if self.dialect in _JAVASCRIPT:
            note_object_calls(cx)
        note_instance_properties(cx, self.provided)
        note_returned_functions(cx)
        symbol_tree = SymbolTree(cx, source)
        symbols = symbol_tree.symbol_facts(cx.exports)
        add_captures(cx, symbols, source.line_starts)
        root = self.parsed.tree.root_node
        cx.data = self.parsed.data
        facts = FileFacts(
            language=self.dialect,
            lines=len(source.line_starts),
            line_starts=int_cells(source.line_starts),
            symbols=symbols,
            chunks=chunk_facts(cx, symbol_tree, source, root),
            problems=self.problems,
            imports=cx.imports,
            exports=cx.exports,
            is_module=True,
            type_parts=cx.type_parts,
            enum_values=cx.enum_values,
            side_effects=side_effects(cx, root, self._statements),
            unicode_names=unicode_names(cx),
            template=self.template_code if self.unwraps else -1,
        )
        cx.fill(facts)
        return facts
