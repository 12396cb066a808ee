"""The common names of the runtime's members: `Array.isArray`, `Array.prototype.map`, `Math.max`, `console.log`."""

from __future__ import annotations

from .....facts.model import DeclKind
from .....facts.operations import Op
from .unit import Unit


def member_owners(lib: Unit) -> dict[str, tuple[str, ...]]:
    """Return the path to the members of interfaces that describe a single value, by interface name.

    `interface ArrayConstructor` describes `Array`, `interface Math` describes `Math`, `interface Console` describes
    `console`. Members of other interfaces are on prototypes.
    """
    owners: dict[str, tuple[str, ...]] = {}
    for name, binding in lib.scopes[0].names.items():
        for index in lib.bindings[binding].decls:
            decl = lib.decls[index]
            if decl.kind != DeclKind.VARIABLE or decl.a < 0 or lib.code[decl.a] != Op.T_NAME:
                continue
            interface = lib.strings[lib.code[decl.a + 2]]
            if interface.removesuffix("Constructor").lower() == name.lower():
                owners[interface] = (name,)
    return owners


def member_path(owners: dict[str, tuple[str, ...]], interface: str, name: str) -> tuple[str, ...]:
    """Return the path of a member of a runtime interface."""
    return (*owners.get(interface, (interface, "prototype")), name)
