"""The names that people know the runtime's members by: `Array.isArray`, `Array.prototype.map`, `Math.max`, `console.log`."""

from __future__ import annotations

from .....facts.model import DeclKind, Op
from .program import Unit


def member_owners(lib: Unit) -> dict[str, tuple[str, ...]]:
    """Interface name -> path to its members, for the interfaces of values that exist once.

    `interface ArrayConstructor` is what `Array` is, and `interface Math` what `Math` is; `interface Console` what `console` is.
    Members of other interfaces are found on prototypes.
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
    """Path of a member of one of the runtime's interfaces."""
    return (*owners.get(interface, (interface, "prototype")), name)
