"""Read the options of a component that exports an object: `data`, `computed`, `methods` and others are its members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...facts.model import DeclKind, Member, MemberKind, Shape
from ...facts.operations import Cast, MemberFlag, Op, ThisKind
from ..components.lowering import ComponentLowering
from ..components.markup import Span
from ..typescript.lowering.source_file.vue_provided import PROVIDED, injected, provided_member, provided_name
from ..typescript.lowering.source_file.vue_registrations import option_type
from .macros import MacroReader
from .mapped_members import MappedMembers

if TYPE_CHECKING:
    from .template import Template

#: Options with functions whose `this` is the component.
_HOLDERS: Final = ("methods", "computed", "watch", "props", "filters", "directives", "provide")
#: Options that hold members of a component.
_MIXED: Final = ("methods", "computed", "data")
ALL_OPTIONS: Final = (*_MIXED, "setup", "props")
_WRAPPERS: Final = frozenset((Op.AS, Op.NON_NULL, Op.NARROW, Op.INSTANTIATION))


def read_options(component: ComponentLowering, template: Template) -> bool:
    """Read the default export as options. Return False if it is something else."""
    cx = component.cx
    export = next((entry for entry in cx.exports if entry.name == "default"), None)
    if export is None:
        MacroReader(component).finish()
        return True
    literal = _literal(component, export.value)
    if literal < 0:
        return False
    _OptionsReader(component, template, literal).read()
    component.sees_scripts = False
    return True


def _literal(component: ComponentLowering, node: int) -> int:
    """Return the object literal of options, which may be in `defineComponent({…})`; -1 for other values."""
    cx = component.cx
    for _ in range(20):
        if node < 0:
            return -1
        op = cx.code[node]
        if op == Op.OBJECT:
            return node
        if op in _WRAPPERS:
            node = cx.code[node + 1]
        elif op == Op.CALL:
            arguments = cx.items(cx.code[node + 2])
            node = arguments[-1] if arguments else -1
        elif op == Op.NAME:
            node = _initializer(component, cx.strings[cx.code[node + 2]])
        else:
            return -1
    return -1


def _initializer(component: ComponentLowering, name: str) -> int:
    cx = component.cx
    binding = cx.scopes[0].names.get(name, -1)
    decls = cx.bindings[binding].decls if binding >= 0 else []
    return cx.decls[decls[0]].b if len(decls) == 1 and cx.decls[decls[0]].kind == 1 else -1


class _OptionsReader:
    def __init__(self, component: ComponentLowering, template: Template, literal: int) -> None:
        self._component = component
        self._template = template
        self._literal = literal
        self._macros = MacroReader(component)
        #: Scopes of the names in the script, by node; filled when they are asked for.
        self._scopes: dict[int, int] = {}
        #: Shapes of literals in whose functions `this` is the component.
        self._shapes = {component.cx.code[literal + 1]}

    def read(self) -> None:
        component, cx = self._component, self._component.cx
        self._macros.name(self._literal)
        for member in self._options.members:
            value = member.value
            if member.name in _HOLDERS and value >= 0 and cx.code[value] == Op.OBJECT:
                self._hold(value)
            if member.name == "props" and value >= 0:
                self._macros.runtime_props(value)
            elif member.name == "emits" and value >= 0:
                self._macros.runtime_events(value)
            elif member.name in ("data", "setup"):
                if member.name == "setup":
                    self._type_props(member)
                for returned in self._returned(member):
                    self._name_functions(returned)
                    self._state(returned)
            if member.name in ("computed", "methods") and self._is(value, Op.OBJECT):
                MappedMembers(component, self._macros).read(value)
            if member.name == "computed" and value >= 0 and cx.code[value] == Op.OBJECT:
                for each in cx.shapes[cx.code[value + 1]].members:
                    self._computed(each)
            elif member.name == "methods" and value >= 0 and cx.code[value] == Op.OBJECT:
                for each in cx.shapes[cx.code[value + 1]].members:
                    self._method(each)
            elif member.name == "filters" and value >= 0 and cx.code[value] == Op.OBJECT:
                for each in cx.shapes[cx.code[value + 1]].members:
                    self._method(each, self._template.register_filter(each.name))
            elif member.name == "watch" and value >= 0 and cx.code[value] == Op.OBJECT:
                self._watch(value)
            elif member.name == "inject" and value >= 0:
                self._inject(value)
            elif member.name == "provide":
                for returned in self._returned(member):
                    self._provide(returned)
            elif member.name == "components" and value >= 0 and cx.code[value] == Op.OBJECT:
                self._template.tags.register(cx.shapes[cx.code[value + 1]])
            elif member.name == "directives" and value >= 0 and cx.code[value] == Op.OBJECT:
                self._template.tags.register_directives(cx.shapes[cx.code[value + 1]])
            elif member.name == "extends" and value >= 0 and cx.code[value] == Op.NAME:
                self._extends(value)
            elif member.name == "mixins" and value >= 0 and cx.code[value] == Op.ARRAY:
                for item in cx.items(cx.code[value + 1]):
                    if cx.code[item] == Op.NAME:
                        self._extends(item)
        self._macros.finish()
        self._bind_this()

    def _type_props(self, setup: Member) -> None:
        """Let the first parameter of `setup(props)` have the type of the declared props."""
        component, cx = self._component, self._component.cx
        function = self._function(setup)
        first = cx.functions[function].parameters[0] if function >= 0 and cx.functions[function].parameters else None
        if first is not None and first.type < 0 and any(each.name == "props" for each in self._options.members):
            first.type = component.type_of_shape(component.props)
            if first.decl >= 0:
                cx.decls[first.decl].a = first.type

    def _inject(self, value: int) -> None:
        """Add the members that `inject: ["theme"]` or `inject: { look: "theme", size: { from: "size" } }` names."""
        component, cx = self._component, self._component.cx
        for name, span, given in self._macros.names(value):
            if self._is(given, Op.OBJECT):
                options = cx.shapes[cx.code[given + 1]].members
                given = next((each.value for each in options if each.name == "from"), -1)
            key, position = f"{PROVIDED}{name}", span.start
            if given >= 0 and (found := provided_name(cx, given)):
                key, position = found, cx.code[given + 4] + (cx.code[given] == Op.STRING)
            component.property(component.shape, name, value=injected(cx, key, position), position=span.start)

    def _provide(self, literal: int) -> None:
        """Record what the option `provide` gives to other components."""
        cx = self._component.cx
        for member in cx.shapes[cx.code[literal + 1]].members:
            name = member.name
            if name.startswith("[") and name.endswith("]"):  # `[KEY]: value`
                name = f"{{{name[1:-1].rpartition('.')[2]}}}"
            provided = provided_member(f"{PROVIDED}{name}", member.value, member.position)
            provided.symbol, provided.function = member.symbol, member.function
            self._component.provided.append(provided)

    def _watch(self, literal: int) -> None:
        """Add the uses of members that watchers name: the watched member in the key, and methods in strings."""
        cx = self._component.cx
        for member in cx.shapes[cx.code[literal + 1]].members:
            name = member.name.split(".")[0]
            quotes = self._component.source.data[member.position : member.position + 1] in (b"'", b'"')
            if name:
                self._member_use(name, member.position + quotes)
            values = cx.items(cx.code[member.value + 1]) if self._is(member.value, Op.ARRAY) else [member.value]
            for value in values:
                self._handler(value)

    def _handler(self, value: int) -> None:
        """Add the use of the method that a watcher names, `"load"` or `{ handler: "load" }`."""
        cx = self._component.cx
        if self._is(value, Op.OBJECT):
            members = cx.shapes[cx.code[value + 1]].members
            value = next((each.value for each in members if each.name == "handler"), -1)
        if self._is(value, Op.STRING):
            self._member_use(cx.strings[cx.code[value + 2]], cx.code[value + 4] + 1)

    def _is(self, node: int, op: int) -> bool:
        return node >= 0 and self._component.cx.code[node] == op

    def _member_use(self, name: str, position: int) -> None:
        cx = self._component.cx
        cx.emit(Op.MEMBER, self._component.instance(position), cx.string(name.encode()), 0, position)

    def _extends(self, value: int) -> None:
        """Give the component the members of another component, or of an object with options in a file of code."""
        cx = self._component.cx
        position = cx.code[value + 4]
        node = cx.emit(Op.NAME, cx.code[value + 1], cx.code[value + 2], cx.code[value + 3], position)
        cx.pending.append((node, 0, 1))
        extend_with(self._component, node, _MIXED)

    @property
    def _options(self) -> Shape:
        return self._component.cx.shapes[self._component.cx.code[self._literal + 1]]

    def _hold(self, literal: int) -> None:
        """Record a literal in whose functions `this` is the component. This includes the functions of literals
        directly inside.
        """
        cx = self._component.cx
        self._shapes.add(cx.code[literal + 1])
        for member in cx.shapes[cx.code[literal + 1]].members:
            if member.value >= 0 and cx.code[member.value] == Op.OBJECT:
                self._shapes.add(cx.code[member.value + 1])

    def _function(self, member: Member) -> int:
        """Return the index of the function that is the value of a member, or -1."""
        cx = self._component.cx
        if member.function >= 0:
            return member.function
        return cx.code[member.value + 1] if member.value >= 0 and cx.code[member.value] == Op.FUNCTION else -1

    def _returned(self, member: Member) -> list[int]:
        """Return the object literals that a function returns. For a member that is a literal, return the literal."""
        cx = self._component.cx
        function = self._function(member)
        values = cx.functions[function].returns if function >= 0 else [member.value]
        bare = []
        for value in values:
            while value >= 0 and cx.code[value] in _WRAPPERS:
                value = cx.code[value + 1]
            if value >= 0 and cx.code[value] == Op.OBJECT:
                bare.append(value)
        return bare

    def _name_functions(self, literal: int) -> None:
        """Give the members that only pass on a function, such as `save` of `return { save }`, the symbol of the function."""
        component, cx = self._component, self._component.cx
        self._scopes = self._scopes or {node: scope for node, scope, _ in cx.pending}
        for member in cx.shapes[cx.code[literal + 1]].members:
            scope = self._scopes.get(member.value, -1)
            if scope < 0 or not self._is(member.value, Op.NAME):
                continue
            binding = component.binding_at(cx.strings[cx.code[member.value + 2]], scope)
            for decl in [cx.decls[each] for each in cx.bindings[binding].decls] if binding >= 0 else ():
                if decl.kind == DeclKind.FUNCTION:
                    member.symbol = decl.symbol

    def _state(self, literal: int) -> None:
        """Add the members of a returned literal to the component."""
        component, cx = self._component, self._component.cx
        for member in cx.shapes[cx.code[literal + 1]].members:
            if member.symbol < 0:
                span = self._component.span_at(member.position)
                member.symbol = component.member_symbol(member.name, "state", span, self._component.text_of(span))
            self._add(member)

    def _computed(self, member: Member) -> None:
        cx = self._component.cx
        function = self._function(member)
        if function < 0 and member.value >= 0 and cx.code[member.value] == Op.OBJECT:
            getter = next((each for each in cx.shapes[cx.code[member.value + 1]].members if each.name == "get"), None)
            function = self._function(getter) if getter is not None else -1
            if member.symbol < 0:
                span = self._component.span_at(member.position)
                member.symbol = self._component.member_symbol(
                    member.name,
                    "computed",
                    span,
                    self._component.text_of(Span(span.start, span.start + len(member.name.encode()))),
                )
        if function < 0:
            self._add(member)
            return
        self._class.members.append(
            Member(member.name, MemberKind.GETTER, False, False, member.symbol, function, -1, -1, member.position, -1)
        )

    def _method(self, member: Member, name: str = "") -> None:
        """Add a method, perhaps under another name."""
        function = self._function(member)
        name = name or member.name
        if function >= 0:
            self._class.members.append(
                Member(name, MemberKind.METHOD, False, False, member.symbol, function, -1, -1, member.position, -1)
            )
        elif name == member.name:
            self._add(member)
        elif member.value >= 0:
            self._class.members.append(
                Member(name, MemberKind.PROPERTY, False, False, member.symbol, -1, -1, member.value, member.position, -1)
            )

    @property
    def _class(self) -> Shape:
        return self._component.members

    def _add(self, member: Member) -> None:
        if member.kind == MemberKind.PROPERTY:
            self._class.members.append(
                Member(member.name, member.kind, False, False, member.symbol, -1, -1, member.value, member.position, -1)
            )
        else:
            self._component.add_members([member])

    def _bind_this(self) -> None:
        """Make `this` in the functions of options refer to the component."""
        code = self._component.cx.code
        for node in range(0, self._component.template_code, 5):
            if code[node] == Op.THIS and code[node + 1] == ThisKind.OBJECT and code[node + 2] in self._shapes:
                code[node + 1] = ThisKind.INSTANCE
                code[node + 2] = self._component.shape
                code[node + 3] = -1


def extend_with(component: ComponentLowering, node: int, options: tuple[str, ...]) -> None:
    """Give the component the members of a value: a component, or an object with options in a file of code.

    The name of such an object stands for no type. The component extends the types of those of its options that hold members.
    """
    cx = component.cx
    position = cx.code[node + 4]
    component.members.extends.append(cx.emit(Op.T_REFERENCE, node, -1, -1, position))
    inner = _member(component, node, "mixins", position)
    first = cx.emit(Op.T_NUMBER, -1, cx.string(b"0"), -1, position)
    inner = cx.emit(Op.T_INDEXED, cx.emit(Op.T_QUERY, inner, -1, -1, position), first, -1, position)
    for mixed in (node, cx.emit(Op.AS, cx.emit(Op.UNDEFINED, -1, -1, -1, position), inner, Cast.AS, position)):
        for name in options:
            type_ = cx.emit(Op.T_QUERY, _member(component, mixed, name, position), -1, -1, position)
            component.members.extends.append(option_type(cx, name, type_))


def _member(component: ComponentLowering, mixed: int, name: str, position: int) -> int:
    cx = component.cx
    return cx.emit(Op.MEMBER, mixed, cx.string(name.encode()), MemberFlag.NO_USE, position)
