"""Read the members that helpers of Vuex and Pinia spread into the options of a component: `...mapState("cart", ["rows"])`."""

from __future__ import annotations

from typing import Final, NamedTuple

from ...facts.model import DeclKind, Member, MemberKind
from ...facts.operations import MemberFlag, Op
from ..components.lowering import ComponentLowering
from ..components.markup import Span
from ..typescript.lowering.source_file.vue_registrations import result_type
from ..typescript.lowering.source_file.vuex_stores import constant_option, is_constant, store_option
from .macros import MacroReader

#: The options of a store that the helpers read.
_HELPERS: Final = {
    "mapState": "state",
    "mapWritableState": "state",
    "mapGetters": "getters",
    "mapActions": "actions",
    "mapMutations": "mutations",
}
#: Options whose functions run when the component reads a member.
_READ: Final = frozenset(("state", "getters"))
#: The function of Vuex that makes helpers for one module.
_NAMESPACED: Final = "createNamespacedHelpers"


class _Part(NamedTuple):
    """A member of a component, and the name that it has in the store."""

    name: str
    span: Span
    stored: str
    #: Offset of the name in the store.
    position: int
    #: Node of the constant that holds the name in the store; -1 for a string.
    constant: int = -1


class MappedMembers:
    """Adds the members that the spreads of one option bring to a component."""

    def __init__(self, component: ComponentLowering, macros: MacroReader) -> None:
        self._component = component
        self._macros = macros

    def read(self, literal: int) -> None:
        """Read the spreads in the literal of `computed` or `methods`."""
        cx = self._component.cx
        for spread in cx.items(cx.code[literal + 2]):
            call = cx.code[spread + 1]
            if call < 0 or cx.code[call] != Op.CALL:
                continue
            helper, namespace = self._helper(cx.code[call + 1])
            option, given = _HELPERS.get(helper), cx.items(cx.code[call + 2])
            if option is not None and given:
                self._read(option, namespace, given)

    def _helper(self, callee: int) -> tuple[str, str]:
        """Return the name of a called helper, and its namespace: `cart/` after `createNamespacedHelpers("cart")`."""
        cx = self._component.cx
        code, strings = cx.code, cx.strings
        value = self._value_of(callee)
        member = callee if code[callee] == Op.MEMBER else value
        if member >= 0 and code[member] == Op.MEMBER:  # of a pattern: `const { mapState } = …`, or after a dot
            made = self._value_of(code[member + 1])
            made = made if made >= 0 else code[member + 1]
            is_made = code[made] == Op.CALL and code[code[made + 1]] in (Op.NAME, Op.MEMBER)
            given = cx.items(code[made + 2]) if is_made and strings[code[code[made + 1] + 2]] == _NAMESPACED else []
            if given and code[given[0]] == Op.STRING:
                return strings[code[member + 2]], f"{strings[code[given[0] + 2]]}/"
        return (strings[code[callee + 2]], "") if code[callee] == Op.NAME else ("", "")

    def _value_of(self, node: int) -> int:
        """Return the value of the variable at the root of the script that a name denotes, or -1."""
        cx = self._component.cx
        binding = cx.scopes[0].names.get(cx.strings[cx.code[node + 2]], -1) if cx.code[node] == Op.NAME else -1
        decls = cx.bindings[binding].decls if binding >= 0 else []
        return cx.decls[decls[0]].b if len(decls) == 1 and cx.decls[decls[0]].kind == DeclKind.VARIABLE else -1

    def _read(self, option: str, namespace: str, given: list[int]) -> None:
        component, cx = self._component, self._component.cx
        *first, listed = given
        is_store = bool(first) and cx.code[first[0]] == Op.NAME
        if first and cx.code[first[0]] == Op.STRING:
            namespace = cx.strings[cx.code[first[0] + 2]] + "/"
        if first and not is_store and not namespace:
            return
        for part in self._parts(listed):
            if is_store:
                store = cx.emit(Op.CALL, first[0], cx.list_of([]), -1, part.position)
                value = cx.emit(Op.MEMBER, store, cx.string(part.stored.encode()), 0, part.position)
            elif part.constant >= 0:
                value = constant_option(cx, option, namespace, part.constant)
            elif option == "state":
                value = self._state(namespace + part.stored, part.position)
            else:
                value = store_option(cx, option, namespace + part.stored, part.position - len(namespace.encode()))
            symbol, type_ = -1, -1
            if option in _READ:
                symbol = component.member_symbol(part.name, "computed", part.span, part.name)
            if option == "getters" and not is_store:
                type_ = result_type(cx, cx.emit(Op.T_QUERY, value, -1, -1, part.position), part.position)
            component.property(component.shape, part.name, symbol=symbol, type_=type_, value=value, position=part.span.start)
        self._add_functions(listed)

    def _parts(self, node: int) -> list[_Part]:
        """Return the members that an array of names, or an object with names as values, lists."""
        cx = self._component.cx
        found: list[_Part] = []
        for name, span, value in self._macros.names(node):
            if value < 0:
                found.append(_Part(name, span, name, span.start))
            elif cx.code[value] == Op.STRING:
                found.append(_Part(name, span, cx.strings[cx.code[value + 2]], cx.code[value + 4] + 1))
            elif is_constant(cx, value):
                found.append(_Part(name, span, name, cx.code[value + 4], value))
        for item in cx.items(cx.code[node + 1]) if cx.code[node] == Op.ARRAY else ():
            if is_constant(cx, item):  # most constants are named as their values
                name, start = cx.strings[cx.code[item + 2]], cx.code[item + 4]
                text = self._constant_text(item) or name
                found.append(_Part(text, Span(start, start + len(name.encode())), text, start, item))
        return found

    def _constant_text(self, node: int) -> str:
        cx = self._component.cx
        value = self._value_of(node)
        return cx.strings[cx.code[value + 2]] if value >= 0 and cx.code[value] == Op.STRING else ""

    def _add_functions(self, node: int) -> None:
        """Add the members whose values are functions of the state: `mapState({ first: state => state.rows[0] })`."""
        cx = self._component.cx
        for member in cx.shapes[cx.code[node + 1]].members if cx.code[node] == Op.OBJECT else ():
            is_function = member.value >= 0 and cx.code[member.value] == Op.FUNCTION
            function = cx.code[member.value + 1] if is_function else member.function
            if function >= 0:
                self._component.members.members.append(
                    Member(member.name, MemberKind.GETTER, False, False, member.symbol, function, -1, -1, member.position, -1)
                )

    def _state(self, path: str, position: int) -> int:
        """Return the node of a part of the state: `this.$store.state.cart.rows`."""
        cx = self._component.cx
        *modules, last = path.split("/")
        node = self._component.instance(position)
        for part in ["$store", "state", *modules]:
            node = cx.emit(Op.MEMBER, node, cx.string(part.encode()), MemberFlag.NO_USE, position)
        return cx.emit(Op.MEMBER, node, cx.string(last.encode()), 0, position)
