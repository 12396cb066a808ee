"""Find the component that a tag of a Vue template names."""

from __future__ import annotations

from typing import Final

from ...facts.model import DeclKind, Shape
from ...facts.operations import MemberFlag, Op
from ..components.lowering import ComponentLowering
from ..components.names import camel, pascal
from ..typescript.lowering.source_file.vue_registrations import directive_tag, lazy_import

#: Declarations that cannot be refs.
_CONSTANTS: Final = frozenset((DeclKind.IMPORT, DeclKind.IMPORT_ALIAS, DeclKind.CLASS, DeclKind.FUNCTION))
#: Functions of directives that Vue calls, of Vue 3 and of Vue 2.
_HOOK_NAMES: Final = (
    "created beforeMount mounted beforeUpdate updated beforeUnmount unmounted bind inserted update componentUpdated unbind"
)
_HOOKS: Final = tuple(_HOOK_NAMES.split())


class ComponentTags:
    """The components that one file names in its templates."""

    def __init__(self, component: ComponentLowering) -> None:
        self._component = component
        #: Bindings of the components that options register, by name in Pascal case.
        self._registered: dict[str, int] = {}
        #: Bindings of the directives that options register, by name in Pascal case.
        self._directives: dict[str, int] = {}

    def register(self, shape: Shape) -> None:
        """Record the components of an option `components`: names of the script, and functions that import a component."""
        component, cx = self._component, self._component.cx
        for member in shape.members:
            value = member.value
            if value < 0:
                continue
            binding = self._named(value)
            if binding >= 0 and len(cx.bindings[binding].decls) == 1:
                decl = cx.decls[cx.bindings[binding].decls[0]]
                value = decl.b if decl.kind == DeclKind.VARIABLE and decl.b >= 0 else value
            imported = lazy_import(cx, value)
            if imported >= 0:
                binding = component.imported_default(member.name, imported, cx.code[value + 4])
            if binding >= 0:
                self._registered[pascal(member.name)] = binding

    def register_directives(self, shape: Shape) -> None:
        """Record the directives of an option `directives` that are names of the script."""
        for member in shape.members:
            if member.value >= 0 and (binding := self._named(member.value)) >= 0:
                self._directives[pascal(member.name)] = binding

    def _named(self, value: int) -> int:
        cx = self._component.cx
        return self._component.lookup(cx.strings[cx.code[value + 2]]) if cx.code[value] == Op.NAME else -1

    def directive(self, name: str, position: int) -> None:
        """Add the use of a directive and of its hooks, which Vue calls.

        The directive is a variable `vFocus` of the script, an option, or registered for all files.
        """
        component, cx = self._component, self._component.cx
        binding = self._directives.get(pascal(name), -1)
        if binding < 0:
            binding = component.lookup(f"v{pascal(name)}")
        used = component.bound_name(name if binding >= 0 else directive_tag(name), binding, position)
        for hook in _HOOKS:
            cx.emit(Op.MEMBER, used, cx.string(hook.encode()), MemberFlag.IMPLIED, position)

    def node(self, name: str, position: int) -> int:
        """Return the node of the component that a tag names."""
        component = self._component
        binding = self._registered.get(pascal(name), -1)
        if binding < 0 and "." in name:
            return component.member_path(name, position)
        if binding < 0:
            binding = self.constant(name)
        if binding < 0 and pascal(name) == pascal(component.state.name) and not self._is_declared(name):
            binding = component.binding  # a component may use itself by the name in its options
        return component.bound_name(name, binding, position) if binding >= 0 else component.tag(name, position)

    def constant(self, name: str) -> int:
        """Return the binding of the import, class or function that a tag names, or -1.

        Vue prefers one of any spelling to a variable: `<side-bar>` is `SideBar`, also beside `const sideBar = computed(…)`.
        """
        component, cx = self._component, self._component.cx
        for spelling in _spellings(name):
            binding = component.lookup(spelling)
            decls = [cx.decls[decl] for decl in cx.bindings[binding].decls] if binding >= 0 else []
            if any(decl.kind in _CONSTANTS and not (decl.kind == DeclKind.IMPORT and decl.c == 1) for decl in decls):
                return binding
        return -1

    def _is_declared(self, name: str) -> bool:
        return any(self._component.lookup(spelling) >= 0 for spelling in _spellings(name))


def _spellings(name: str) -> dict[str, None]:
    return dict.fromkeys((name, camel(name), pascal(name)))
