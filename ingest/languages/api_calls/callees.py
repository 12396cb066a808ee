"""The functions of the repository that calls name, and the classes of the objects that functions return."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ...facts.api import ApiFacts, ImportedName
from ...facts.model import DeclKind, ShapeKind
from ...facts.operations import Op
from .expressions import CALLS, Expressions


class Callees:
    """Finds the functions that the calls of a file name."""

    def __init__(self, expressions: Expressions) -> None:
        self._at = expressions

    def of(self, node: int) -> ImportedName | None:
        """Return the called function, with its class if it is a method; None if the file does not show it."""
        at = self._at
        callee = at.code[node + 1]
        if at.code[callee] != Op.MEMBER:
            found = at.handler(callee) if at.code[callee] in (Op.NAME, Op.FLOW, Op.LEXICAL) else None
            return None if found is None else at.name_of(found)
        receiver, name = at.code[callee + 1], at.string(at.code[callee + 2])
        if receiver < 0:
            return None
        own = at.own_class(receiver)
        is_super = at.code[receiver] == Op.SUPER
        return self._inherited(own, name, is_super=is_super) if own else self._of_value(receiver, name)

    def _inherited(self, owner: str, name: str, *, is_super: bool) -> ImportedName:
        """Return a method of a class of the file, or of its first ancestor that is declared elsewhere."""
        seen: set[str] = set()
        while (is_super or (owner, name) not in self._at.methods) and owner in self._bases and owner not in seen:
            seen.add(owner)
            base, is_super = self._bases[owner], False
            if base.module:
                return ImportedName(f"{base.name}.{name}", base.module)
            owner = base.name
        return ImportedName(f"{owner}.{name}")

    def _of_value(self, receiver: int, name: str) -> ImportedName | None:
        """Return a method of a value: a variable with a type, an import, or the result of a call."""
        at = self._at
        typed = at.type_of(receiver)
        if typed is not None:
            return ImportedName(f"{typed.name}.{name}", typed.module)
        decl = at.declaration(receiver)
        if decl is not None and decl.kind == DeclKind.IMPORT:
            imported = at.imported(decl)
            return ImportedName(f"{imported.name}.{name}" if imported.name else name, imported.module)
        if decl is None or decl.kind != DeclKind.VARIABLE or decl.b < 0 or at.code[decl.b] not in CALLS:
            return None
        maker = at.handler(at.code[decl.b + 1])
        made = at.name_of(maker) if maker is not None else None
        return ImportedName(f"{made.name}.{name}", made.module) if made is not None else None

    @cached_property
    def _bases(self) -> Mapping[str, ImportedName]:
        return _first_bases(self._at)


def made_classes(at: Expressions, api: ApiFacts) -> dict[str, str]:
    """Return the classes with routers or wrappers, by the functions that return an object, the variables that keep one, and the
    classes that derive from one.
    """
    wanted = {each.name.rpartition(".")[0] for each in api.routers if "." in each.name}
    wanted |= {each.function.rpartition(".")[0] for each in api.passed if "." in each.function}
    found: dict[str, str] = {}
    if not wanted:
        return found
    bases = {name: base.name for name, base in _first_bases(at).items() if not base.module}
    for name in bases:
        above, seen = bases[name], {name}
        while above not in wanted and above in bases and above not in seen:
            seen.add(above)
            above = bases[above]
        if above in wanted and name not in wanted:
            found[name] = above
    for function in at.facts.functions:
        made = at.result_type(function.return_type) if function.symbol >= 0 else None
        if made is not None and not made.module and (made.name in wanted or made.name in found):
            found[at.local_name(function.symbol)] = found.get(made.name, made.name)
    for decl in at.facts.decls:
        if decl.kind == DeclKind.VARIABLE and decl.symbol >= 0 and decl.b >= 0 and at.code[decl.b] in CALLS:
            maker = at.name(at.code[decl.b + 1])
            if maker in wanted or maker in found:
                found[decl.name] = found.get(maker, maker)
    return found


def _first_bases(at: Expressions) -> dict[str, ImportedName]:
    """Return the first base of each class of the file. In Go, it is the first embedded type."""
    found: dict[str, ImportedName] = {}
    for shape in at.facts.shapes:
        if shape.kind == ShapeKind.CLASS and shape.name and shape.extends:
            base = at.named_type(shape.extends[0])
            if base is not None:
                found[shape.name] = base
    return found
