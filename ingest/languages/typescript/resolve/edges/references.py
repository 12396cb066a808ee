"""REFERENCES edges: uses of names and members, in source order; OVERRIDES edges of members that literals and assignments declare.

Names are followed through their bindings. A member is looked up in the type of its receiver. Keys of object literals and JSX
attributes are looked up in the type that the context expects, and keys of patterns in the type of the value. There are no
references to members of unknown types.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from ......schema.edges import MentionEdge, OverrideEdge, ReferenceEdge, UnresolvedReferenceEdge
from .....facts.model import Decl, DeclKind, Member, MemberKind, ShapeKind
from .....facts.operations import MemberFlag, Op, Use
from ..call_targets import targets_of_handler
from ..contexts import chosen_parts
from ..expando_members import computed_name
from ..model.binder import Declared, Entity
from ..model.properties import Property
from ..model.type_model import STRING, External, Literal, Static, Type, parts_of
from ..model.unit import Unit
from .composed_names import possible_names
from .expected_types import ExpectedTypes
from .heritage import override_edge
from .intrinsic_elements import intrinsic_elements, intrinsic_tags
from .member_references import Declarations, Referred

if TYPE_CHECKING:
    from ..engine import Engine

_ROLES = {
    Use.READ: "read",
    Use.WRITE: "write",
    Use.TYPE: "type",
    Use.HERITAGE: "heritage",
    Use.EXPORT: "export",
    Use.DECORATOR: "decorator",
    Use.JSX: "jsx",
}
_NAME = Op.NAME
_T_NAME = Op.T_NAME
_MEMBER = Op.MEMBER
_T_QUALIFIED = Op.T_QUALIFIED
_OBJECT = Op.OBJECT
_JSX = Op.JSX
_INDEX = Op.INDEX
_T_INDEXED = Op.T_INDEXED
_REQUIRE = Op.REQUIRE
_DOTTED = frozenset((Op.MEMBER, Op.T_QUALIFIED))
_SITES = frozenset((Op.NAME, Op.T_NAME, Op.MEMBER, Op.T_QUALIFIED, Op.OBJECT, Op.JSX, Op.INDEX, Op.T_INDEXED))
#: Kinds of keys that may be names which code composes.
_COMPOSED = frozenset((Op.TEMPLATE, Op.BINARY, Op.NAME))
#: Kinds of nodes that are links in doc comments when their use is `Use.DOC`.
_LINKS = frozenset((Op.T_NAME, Op.T_QUALIFIED))
_DOC = Use.DOC
_CALLS = {Op.CALL: "call", Op.NEW: "call", Op.TAGGED: "call", Op.JSX: "jsx", Op.DECORATOR: "decorator"}
_IMPORTS = frozenset((DeclKind.IMPORT, DeclKind.IMPORT_ALIAS))

#: The symbols that a binding refers to in types, in values and in import or export statements, and the declaration that imports
#: it.
_BoundReferences = tuple[tuple[Referred, ...], tuple[Referred, ...], tuple[Referred, ...], Referred | None]

_WRITTEN, _NO_USE, _IMPLIED = MemberFlag.WRITTEN, MemberFlag.NO_USE, MemberFlag.IMPLIED


class FileUses(NamedTuple):
    """The edges that `ReferenceCollector` finds in a file."""

    references: list[ReferenceEdge]
    overrides: list[OverrideEdge]
    unresolved: list[UnresolvedReferenceEdge]
    #: The symbols to which doc comments link.
    mentions: list[MentionEdge]


class ReferenceCollector:
    """Collects the references of a program's files, one by one."""

    def __init__(self, engine: Engine, symbol_id: Callable[[Unit, int], str], member_names: Set[str]) -> None:
        """`member_names` are the names that may refer to a member of the repository. Receivers of other members are not typed."""
        self._engine = engine
        self._symbol_id = symbol_id
        self._declarations = Declarations(engine, symbol_id)
        self._expected = ExpectedTypes(engine)
        self._member_names = member_names

    def collect(self, unit: Unit) -> FileUses:
        """Return all references in a file, and the members that its object literals and assignments override."""
        engine, declarations = self._engine, self._declarations
        found = _FileReferences(unit, engine, self._symbol_id, declarations, self._expected, self._member_names)
        return FileUses(found.edges(), list(found.overrides), found.unresolved(), found.mentions())


class _FileReferences:
    """Collects the references of one file."""

    def __init__(
        self,
        unit: Unit,
        engine: Engine,
        symbol_id: Callable[[Unit, int], str],
        declarations: Declarations,
        expected: ExpectedTypes,
        member_names: Set[str],
    ) -> None:
        self._unit = unit
        self._engine = engine
        self._symbol_id = symbol_id
        self._declarations = declarations
        self._expected = expected
        self._member_names = member_names
        self._globals: dict[str, _BoundReferences] = {}
        #: Symbols that assignments declare, by the MEMBER or NAME node that names them.
        self._declared = {entry.target: entry.symbol for entry in unit.facts.expandos if entry.symbol >= 0}
        #: Overridden members, without repetition, for members of object literals and for assigned members.
        self.overrides: dict[OverrideEdge, None] = {}
        #: Positions of the uses, by (user, used symbol, role).
        self._found: dict[tuple[str, str, str], list[int]] = {}
        #: Other names under which a symbol is used, by the same key.
        self._names: dict[tuple[str, str, str], set[str]] = {}
        #: Number of uses with a name in quotes, by the same key.
        self._quoted: dict[tuple[str, str, str], int] = {}
        #: Positions where members of unknown values are used, by (user, name of the member).
        self._unknown: dict[tuple[str, str], list[int]] = {}
        #: Positions of the uses of imported names, and of local variables to which functions are assigned, by (user, declaration
        #: that imports or is assigned, name).
        self._through_imports: dict[tuple[str, str, str], list[int]] = {}
        self._shapes: dict[int, int] | None = None
        #: Positions of links in doc comments, by (user, linked symbol).
        self._links: dict[tuple[str, str], list[int]] = {}

    def edges(self) -> list[ReferenceEdge]:
        """Return all references of the file."""
        unit = self._unit
        self._sites()
        self._import_statements()
        edges = []
        for key, positions in self._found.items():
            lines, columns = unit.places(positions)
            names = self._names.get(key)
            quoted = self._quoted.get(key, 0)
            edges.append(ReferenceEdge(*key, lines, columns, tuple(sorted(names)) if names else (), "", quoted))
        for (owner, target, name), positions in self._through_imports.items():
            edges.append(ReferenceEdge(owner, target, "binding", *unit.places(positions), (name,)))
        return edges

    def unresolved(self) -> list[UnresolvedReferenceEdge]:
        """Return the uses of members of values of unknown type; calls are left out."""
        return [UnresolvedReferenceEdge(*key, *self._unit.places(positions)) for key, positions in self._unknown.items()]

    def mentions(self) -> list[MentionEdge]:
        """Return the symbols to which the doc comments of the file link. `edges` finds the links."""
        return [MentionEdge(*ends, *self._unit.places(positions)) for ends, positions in self._links.items()]

    def _sites(self) -> None:
        """Collect the uses in the order of their nodes. Owners have the same order, so that no search for an owner is needed."""
        unit = self._unit
        code, strings = unit.code, unit.strings
        called = {unit.unwrapped(code[node + 1]): _CALLS[code[node]] for node in unit.facts.calls}
        bound = self._bind()
        assigned = self._assigned(bound)
        ends = [*unit.owner_offsets[1:], len(code)]
        place, end, owner = 0, ends[0], self._owner(0)
        for node in compress(range(0, len(code), 5), map(_SITES.__contains__, code[0::5])):
            while node >= end:
                place += 1
                end, owner = ends[place], self._owner(place)
            if not owner:
                continue
            op = code[node]
            if code[node + 3] == _DOC and op in _LINKS:
                self._linked(node, unit.owner_symbols[place])
            elif op in _DOTTED:
                self._member(node, owner, called.get(node))
            elif op == _OBJECT:
                self._keys(node, owner)
            elif op == _JSX:
                self._attributes(node, owner)
            elif op == _INDEX:
                self._computed(node, owner, called.get(node))
            elif op == _T_INDEXED:
                self._indexed(node, owner)
            else:
                binding = code[node + 1]
                known = bound.get(binding) if binding >= 0 else self._free(strings[code[node + 2]], unit.owner_symbols[place])
                if known is None:
                    for target in assigned.get(binding, ()):
                        if target.id != (self._symbol_id(unit, self._declared[node]) if node in self._declared else ""):
                            self._through_imports.setdefault((owner, target.id, target.name), []).append(code[node + 4])
                    continue
                in_types, in_values, in_modules, local = known
                use = code[node + 3]
                if use == Use.EXPORT:
                    targets = in_modules
                elif op == _T_NAME and not self._is_qualifier(node):
                    targets = in_types
                else:
                    targets = in_values
                role = called.get(node) or _ROLES[use]
                for target in targets:
                    self._put(owner, target, role, code[node + 4], strings[code[node + 2]])
                if local is not None and local not in targets:
                    self._through_imports.setdefault((owner, local.id, strings[code[node + 2]]), []).append(code[node + 4])

    def _is_qualifier(self, node: int) -> bool:
        """Return whether a node is the left side of a dotted name in a type; the dotted name follows it directly."""
        code = self._unit.code
        return node + 6 < len(code) and code[node + 5] == _T_QUALIFIED and code[node + 6] == node

    def _owner(self, place: int) -> str:
        symbol = self._unit.owner_symbols[place]
        return self._symbol_id(self._unit, symbol) if symbol >= 0 else ""

    def _free(self, name: str, symbol: int) -> _BoundReferences | None:
        """Return the symbols that a name means inside `symbol`; the file does not declare the name."""
        if not name.startswith("<") and self._unit.namespaces_around(symbol):
            return (*self._declarations.of_entity(self._engine.binder.free_name(self._unit, symbol, name)), None)
        return self._global(name)

    def _global(self, name: str) -> _BoundReferences | None:
        """Return the symbols that a name without a declaration in the file refers to; None if the name is not a global."""
        known = self._globals.get(name)
        if known is None and name.startswith("<"):
            entity = self._engine.binder.component(self._unit, name)
            known = self._globals[name] = (*self._declarations.of_entity(entity), None)
        if known is None and (entity := self._engine.binder.auto_imported(self._unit, name)) is not None:
            known = self._globals[name] = (*self._declarations.of_entity(entity), None)
        if known is None and self._engine.program.declares_global(name):
            entity = self._engine.binder.global_entity(self._unit, name)
            known = self._globals[name] = (*self._declarations.of_entity(entity), None)
        return known

    def _bind(self) -> dict[int, _BoundReferences]:
        """Return the symbols that each binding refers to; local variables, parameters and type parameters are left out."""
        unit = self._unit
        decls = unit.decls
        found = {}
        for binding, entry in enumerate(unit.bindings):
            for index in entry.decls:
                if decls[index].symbol >= 0 or decls[index].kind == DeclKind.IMPORT or self._is_alias(decls[index]):
                    entity = self._engine.binder.follow(unit, binding)
                    is_own = isinstance(entity, Declared) and entity.unit is unit and entity.binding == binding
                    local = None if is_own else self._importing_declaration(entry.decls)
                    found[binding] = *self._declarations.of_entity(entity), local
                    break
        return found

    def _assigned(self, bound: dict[int, _BoundReferences]) -> dict[int, list[Referred]]:
        """Return the functions and classes that are assigned to local variables: `let stop; start(() => { stop = () => {} })`."""
        code = self._unit.code
        found: dict[int, list[Referred]] = {}
        for node, symbol in self._declared.items():
            binding = code[node + 1]
            if code[node] == _NAME and binding >= 0 and binding not in bound:
                found.setdefault(binding, []).append(self._declarations.referred((self._unit, symbol)))
        return found

    def _is_alias(self, decl: Decl) -> bool:
        """Return whether a declaration is a variable whose value is a module or its export: `const x = require("x")`."""
        return decl.kind == DeclKind.VARIABLE and decl.a < 0 <= decl.b and self._unit.required(decl.b) >= 0

    def _importing_declaration(self, declared: list[int]) -> Referred | None:
        """Return the declaration in this file that imports a name: an import statement, or the variable of a `require`."""
        for index in declared:
            decl = self._unit.decls[index]
            if decl.symbol >= 0 and (decl.kind in _IMPORTS or decl.kind == DeclKind.VARIABLE):
                return self._declarations.referred((self._unit, decl.symbol))
        return None

    # ------------------------------------------------------------------ links in doc comments

    def _linked(self, node: int, owner: int) -> None:
        """Collect the targets of links in the doc comment of a symbol: declarations, or members of the class or interface around
        it.
        """
        unit = self._unit
        name, from_id = unit.strings[unit.code[node + 2]], self._symbol_id(unit, owner)
        self._engine.refuel()
        for target in self._linked_targets(node, name) or self._members_around(owner, name, node):
            self._links.setdefault((from_id, target.id), []).append(unit.code[node + 4])

    def _linked_targets(self, node: int, name: str) -> tuple[Referred, ...]:
        unit, binder = self._unit, self._engine.binder
        entity = binder.named(unit, node)
        if entity is not None or unit.code[node] != _T_QUALIFIED:
            return self._declarations.of_entity(entity).in_modules
        left = binder.named(unit, unit.code[node + 1])
        if not isinstance(left, Declared):
            return ()
        for other, index in binder.declarations(left):
            decl = other.decls[index]
            if decl.kind in (DeclKind.CLASS, DeclKind.INTERFACE):
                return self._members_of_shape(other, decl.a, name)
            if decl.kind == DeclKind.ENUM:
                return self._of_type(Static(left), name)
            if decl.kind == DeclKind.ALIAS:
                return self._of_type(self._engine.declared_type(other, decl.a), name)
        return ()

    def _members_around(self, owner: int, name: str, node: int) -> tuple[Referred, ...]:
        """Return the members called `name` of the innermost class or interface around a symbol, for a link without dots."""
        unit = self._unit
        if unit.code[node] != _T_NAME or unit.code[node + 1] >= 0:
            return ()
        while owner >= 0:
            shape = self._shapes_of_symbols().get(owner, -1)
            if shape >= 0:
                return self._members_of_shape(unit, shape, name)
            owner = unit.symbols[owner].parent
        return ()

    def _members_of_shape(self, unit: Unit, shape: int, name: str) -> tuple[Referred, ...]:
        engine = self._engine
        is_class = unit.shapes[shape].kind == ShapeKind.CLASS
        own = self._of_type(engine.class_value(unit, shape), name) if is_class else ()
        return own or self._of_type(engine.shape_instance(unit, shape), name)

    def _shapes_of_symbols(self) -> dict[int, int]:
        """Map the symbols of classes and interfaces to their shapes."""
        if self._shapes is None:
            self._shapes = {
                shape.symbol: index
                for index, shape in enumerate(self._unit.shapes)
                if shape.symbol >= 0 and shape.kind in (ShapeKind.CLASS, ShapeKind.INTERFACE)
            }
        return self._shapes

    # ------------------------------------------------------------------ members

    def _member(self, node: int, owner: str, role: str | None) -> None:
        code = self._unit.code
        flags = code[node + 3] if code[node] == _MEMBER else 0
        if flags & _NO_USE:
            return
        name = self._unit.strings[code[node + 2]]
        if node in self._declared and code[node] == _MEMBER:
            self._engine.refuel()
            kind = self._engine.type_of(self._unit, code[node + 1])
            if self._overridden(self._declared[node], kind, name):
                self._unknown.setdefault((owner, name), []).append(code[node + 4])
        default = "type" if code[node] != _MEMBER else "write" if flags & _WRITTEN else "read"
        targets = self._member_targets(node, name)
        self._put_members(node, owner, role or default, targets, name)
        if targets or role is not None or code[node] != _MEMBER or flags & _IMPLIED or name not in self._member_names:
            return
        if self._is_unknown(self._engine.type_of(self._unit, code[node + 1]), name):
            self._unknown.setdefault((owner, name), []).append(code[node + 4])

    def _is_unknown(self, kind: Type, name: str) -> bool:
        """Return whether a type may have an unknown member with the given name.

        The source is assumed to be correct, so a type without the member is not fully known.
        """
        parts = [part for part in parts_of(kind) if not part.nullish]
        if any(part.opaque and type(part) is not External for part in parts):
            return True
        return bool(parts) and not any(self._engine.properties(part, name) for part in parts)

    def _put_members(
        self,
        node: int,
        owner: str,
        role: str,
        targets: tuple[Referred, ...],
        name: str,
        position: int = -1,
        is_quoted: bool = False,
    ) -> None:
        if targets:
            declared = self._declared.get(node, -1)
            own = self._symbol_id(self._unit, declared) if declared >= 0 else ""
            for target in targets:
                if target.id != own:
                    self._put(owner, target, role, self._unit.code[node + 4] if position < 0 else position, name, is_quoted)

    def _computed(self, node: int, owner: str, role: str | None) -> None:
        """Collect the reference of `this[kState]`, `table["label"]` or `table[LABEL]` to the member with that key."""
        unit, code = self._unit, self._unit.code
        index = unit.unwrapped(code[node + 2])
        if index < 0:
            return
        name, position = computed_name(unit, index), -1
        if code[index] == Op.STRING:
            name, position = unit.strings[code[index + 2]], code[index + 4] + 1
        elif code[index] == Op.NUMBER:
            name, position = unit.strings[code[index + 2]], code[index + 4]
        elif name not in self._member_names and code[index] in (Op.NAME, Op.MEMBER):
            self._engine.refuel()
            key = self._engine.type_of(unit, index)
            name = key.value if isinstance(key, Literal) and key.base is STRING else ""
        if name not in self._member_names:
            if not name and code[index] in _COMPOSED:
                self._engine.refuel()
                for composed in possible_names(self._engine, unit, node):
                    self._unknown.setdefault((owner, composed), []).append(code[node + 4])
            return
        self._engine.refuel()
        targets = self._of_type(self._engine.type_of(unit, code[node + 1]), name)
        role = role or ("write" if code[node + 3] & _WRITTEN else "read")
        self._put_members(node, owner, role, targets, name, position, code[index] == Op.STRING)

    def _indexed(self, node: int, owner: str) -> None:
        """Collect the reference of `Row["id"]` to the member with that name."""
        unit, code = self._unit, self._unit.code
        index = code[node + 2]
        if index < 0 or code[index] != Op.T_STRING:
            return
        name = unit.strings[code[index + 2]]
        if name in self._member_names:
            self._engine.refuel()
            for target in self._of_type(self._engine.declared_type(unit, code[node + 1]), name):
                self._put(owner, target, "type", code[index + 4] + 1, name, True)

    def _member_targets(self, node: int, name: str) -> tuple[Referred, ...]:
        unit = self._unit
        code = unit.code
        left = code[node + 1]
        in_types = code[node] != _MEMBER and not self._is_qualifier(node)
        entity = self._engine.binder.dotted(unit, node)
        if entity is not None:
            known = self._declarations.of_entity(entity)
            return known.in_types if in_types else known.in_values
        if name not in self._member_names:
            return ()
        self._engine.refuel()
        if in_types:
            enum = self._engine.binder.named(unit, left)
            is_member = isinstance(enum, Declared) and self._engine.binder.is_enum(enum)
            return self._of_type(Static(enum), name) if is_member and isinstance(enum, Declared) else ()
        return self._of_type(self._engine.type_of(unit, left), name)

    def _of_type(self, kind: Type, name: str) -> tuple[Referred, ...]:
        if kind.opaque or type(kind) is External:
            return ()
        return self._declarations.of_member(kind, name)

    def _keys(self, node: int, owner: str) -> None:
        """Collect the references of an object literal's keys to members of the type that is expected of it."""
        unit, names = self._unit, self._member_names
        members = unit.shapes[unit.code[node + 1]].members
        keys = [member for member in members if member.symbol >= 0 or (member.extra >= 0 and member.name in names)]
        if not keys:
            return
        self._engine.refuel()
        whole = self._expected.of(unit, node)
        expected = chosen_parts(self._engine, unit, node, whole)
        for member in keys:
            is_unsure = member.symbol >= 0 and self._overridden(member.symbol, expected, member.name)
            if node in unit.contexts and (is_unsure or self._is_unknown(expected, member.name)):
                self._unknown.setdefault((owner, member.name), []).append(member.position)
            if member.extra < 0 or member.name not in names:
                continue
            own = self._symbol_id(unit, member.symbol) if member.symbol >= 0 else ""
            chosen = self._of_type(expected, member.name)
            for target in chosen:
                if target.id != own:
                    self._put(owner, target, "write", member.extra, member.name, _is_quoted(member))
            for target in self._of_type(whole, member.name) if expected is not whole else ():
                if target.id != own and target not in chosen:
                    self._put(owner, target, "alternative", member.extra, member.name, _is_quoted(member))

    def _overridden(self, symbol: int, kind: Type, name: str) -> bool:
        """Collect the members of a type that a declared member overrides.

        Return whether there may be other overridden members, in an unknown type or in a declaration that is not read.
        """
        parts = [part for part in parts_of(kind) if not part.nullish]
        is_unsure = any(part.opaque for part in parts)
        for part in parts:
            for found in self._engine.properties(part, name) if not part.opaque else ():
                is_unsure |= found.unit is None or (found.symbol < 0 and found.outside is None)
                edge = override_edge(self._symbol_id(self._unit, symbol), found, self._symbol_id)
                if edge is not None:
                    self.overrides[edge] = None
        return is_unsure

    def _attributes(self, node: int, owner: str) -> None:
        """Collect the references of JSX attributes to members of the component's props."""
        unit, names = self._unit, self._member_names
        code, strings = unit.code, unit.strings
        intrinsic = self._intrinsic(node, owner) if code[node + 1] < 0 else None
        items = [item for item in unit.items(code[node + 2]) if code[item] == Op.PROP]
        given = [item for item in items if strings[code[item + 2]] in names or code[code[item + 1]] == Op.FUNCTION]
        if not given:
            return
        if code[node + 1] < 0 and intrinsic is None:  # an element of the runtime, whose attributes are not resolved
            for item in given:
                self._unknown.setdefault((owner, strings[code[item + 2]]), []).append(code[item + 4])
            return
        self._engine.refuel()
        expected = self._expected.of_attributes(unit, node) if intrinsic is None else intrinsic
        for item in given:
            name = strings[code[item + 2]]
            if type(expected) is External or self._is_unknown(expected, name):  # a component may extend a component of a package
                self._unknown.setdefault((owner, name), []).append(code[item + 4])
            for target in self._of_type(expected, name):
                self._put(owner, target, "write", code[item + 4], name)
            self._handle(code[item + 1], expected, name)

    def _intrinsic(self, node: int, owner: str) -> Type | None:
        """Collect the references of tags such as `<stone>` to the repository's own `JSX.IntrinsicElements`.

        Return the type of the element's attributes; None if the repository does not declare the element.
        """
        code, tags = self._unit.code, intrinsic_tags(self._unit, node)
        name = self._unit.strings[code[tags[0] + 2]] if tags else ""
        elements = intrinsic_elements(self._engine, self._unit) if name in self._member_names else None
        if elements is None:
            return None
        self._engine.refuel()
        targets = self._of_type(elements, name)
        for tag in tags:
            for target in targets:
                self._put(owner, target, "jsx", code[tag + 4], name)
        return self._engine.property_type(elements, name) if targets else None

    def _handle(self, value: int, expected: Type, name: str) -> None:
        """Collect the override of a component's event by the function that an attribute names: `@save="onSave"`.

        The function runs when the component emits the event, as an override runs when code calls the base member. A function of
        another file is left out: edges belong to the file in which they begin, and that file does not change with this one.
        """
        value = self._unit.unwrapped(value)
        if value < 0 or self._unit.code[value] not in (Op.NAME, _MEMBER) or expected.opaque:
            return
        events = [found for part in parts_of(expected) for found in self._engine.properties(part, name) if _is_event(found)]
        for unit, symbol in targets_of_handler(self._engine, self._unit, value) if events else ():
            own = self._symbol_id(unit, symbol) if unit is self._unit else ""
            edges = [override_edge(own, event, self._symbol_id) for event in events] if own else []
            self.overrides.update((edge, None) for edge in edges if edge is not None)

    # ------------------------------------------------------------------ import and export statements

    def _import_statements(self) -> None:
        """Collect the references from import and export statements to the imported and exported symbols."""
        unit = self._unit
        for decl in unit.decls:
            if decl.kind == DeclKind.IMPORT and decl.symbol >= 0:
                self._imported(decl.a, unit.strings[decl.b], decl.symbol, "import", decl.position, decl.name)
            elif decl.kind == DeclKind.IMPORT_ALIAS and decl.a >= 0 and decl.symbol >= 0:
                self._stands_for(self._engine.binder.named(unit, decl.a), decl.symbol, "import", decl.position, decl.name)
            elif self._is_alias(decl) and (imported := self._required_name(decl)):
                symbol = decl.symbol if decl.symbol >= 0 else unit.named_owner(decl.b)
                if symbol >= 0:
                    self._imported(unit.required(decl.b), imported, symbol, "import", decl.position, decl.name)
        for export in unit.facts.exports:
            if export.source >= 0 and export.name != "*" and export.symbol >= 0:
                self._imported(export.source, export.imported, export.symbol, "export", export.position, export.name)

    def _required_name(self, decl: Decl) -> str:
        """Return the export in `require("x").y` or `{ y: z } = require("x")`, and "=" for `require("x")`.

        It is "" for `{ y } = require("x")`, whose key is already a use.
        """
        code, value = self._unit.code, decl.b
        if code[value] == _REQUIRE:
            return "="
        return "" if code[value + 4] == decl.position else self._unit.strings[code[value + 2]]

    def _imported(self, source: int, imported: str, symbol: int, role: str, position: int, name: str) -> None:
        self._stands_for(self._engine.binder.imported(self._unit, source, imported), symbol, role, position, name)

    def _stands_for(self, entity: Entity | None, symbol: int, role: str, position: int, name: str) -> None:
        for target in self._declarations.of_entity(entity).in_modules:
            self._put(self._symbol_id(self._unit, symbol), target, role, position, name)

    def _put(self, owner: str, target: Referred, role: str, position: int, name: str, is_quoted: bool = False) -> None:
        key = (owner, target.id, role)
        if is_quoted:
            self._quoted[key] = self._quoted.get(key, 0) + 1
        positions = self._found.get(key)
        if positions is None:
            self._found[key] = [position]
        else:
            positions.append(position)
        if name != target.name:
            self._names.setdefault(key, set()).add(name)


def _is_quoted(member: Member) -> bool:
    """Return whether the key of a pair in an object literal is in quotes. The pair begins at the quote."""
    return member.kind == MemberKind.PROPERTY and member.extra > member.position and not member.name.startswith("[")


def _is_event(found: Property) -> bool:
    """Return whether a property is an event of a single-file component of the repository."""
    return found.unit is not None and found.symbol >= 0 and "event" in found.unit.symbols[found.symbol].modifiers
