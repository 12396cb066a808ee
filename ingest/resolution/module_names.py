"""The names that a module imports and exports, for what documents say of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...schema.symbol_kinds import CALLABLE_KINDS
from ..facts.cells import int_array
from ..facts.expressions import Expressions
from ..facts.model import DeclKind, Export, FileFacts
from ..facts.operations import Op
from ..languages.registry import is_nominal

DEFAULT: Final = "default"
_RUST: Final = "rust"
#: Kinds of symbols of Rust whose lines may have a `use`, which other modules see only if the symbol is public.
_AROUND_USES: Final = CALLABLE_KINDS | {"import", "namespace"}
#: Names of exports that stand for a whole module: `module.exports = …`, `export * from …`.
_WHOLE: Final = ("=", "*")


class ModuleNames(NamedTuple):
    """The names that a module imports and exports."""

    #: Each imported name: the local name, the specifier, and the name in the other module. "*" imports all names. The name ""
    #: denotes the other module itself.
    imports: list[tuple[str, str, str]]
    #: The local names of each export: `export default cart`, `module.exports = cart`, `export {a as b}`.
    exports: dict[str, set[str]]
    #: The members of an object that is the module: `module.exports = {load, save() {}}`. Each has the place of the symbol that it
    #: declares among the symbols of the file; -1 for none.
    members: dict[str, int]
    #: Whether the module has no exports apart from `exports` and `members`.
    is_complete: bool

    def local_names(self, exported: str) -> set[str]:
        """Return the local names of an export, among them the exported name itself."""
        return {exported, *self.exports.get(exported, ())}


def module_names(facts: FileFacts) -> ModuleNames:
    """Return the names that a file imports and exports."""
    has_text = is_nominal(facts)
    values = None if has_text else _Values(facts)
    imports: list[tuple[str, str, str]] = []
    exports: dict[str, set[str]] = {}
    for binding in facts.bindings:
        if binding.scope != 0:
            continue
        for decl in (facts.decls[place] for place in binding.decls):
            if decl.kind == DeclKind.IMPORT and decl.a >= 0:
                module = facts.strings[decl.a] if has_text else facts.imports[decl.a].specifier
                imports.append((binding.name, module, facts.strings[decl.b] if decl.b >= 0 else ""))
            elif values is not None and decl.kind == DeclKind.VARIABLE and (required := values.required(decl.b)) is not None:
                imports.append((binding.name, *required))
    for export in facts.exports:
        local = exports.setdefault(DEFAULT if export.name == "=" else export.name, set())
        if export.source >= 0:
            imports.append((export.name, facts.imports[export.source].specifier, export.imported))
        elif export.binding >= 0:
            local.add(facts.bindings[export.binding].name)
        elif export.imported:
            local.add(export.imported)
        elif values is not None and (name := values.name(export.value)):
            local.add(name)
    if facts.language == _RUST:
        imports += _names_of_uses(facts)
    members: dict[str, int] = {}
    whole = [export for export in facts.exports if export.name in _WHOLE]
    objects = [export for export in whole if values is not None and values.add_members(export, members, exports, imports)]
    return ModuleNames(imports, exports, members, bool(objects) and objects == whole)


def _names_of_uses(facts: FileFacts) -> Iterator[tuple[str, str, str]]:
    """Yield what a module of Rust exports from others, each with the path: `pub use cart::Cart`, `pub use cart::*`."""
    private = {
        line
        for each in facts.symbols
        if each.kind in _AROUND_USES and not each.signature.startswith("pub")
        for line in range(each.start_line, each.end_line + 1)
    }
    starts = int_array(facts.line_starts)
    for used in facts.imports:
        if bisect_right(starts, used.position) not in private:
            yield from ((name, used.specifier, name) for name in used.names)


def forwarded(facts: FileFacts) -> str:
    """Return the names that a module of JavaScript exports from other modules or under another name, one per line.

    A line has the exported name, the specifier of the other module, and the name there, or "" and the local name. "*" are all
    names; the name "" denotes the other module itself.
    """
    if not facts.exports or is_nominal(facts):
        return ""
    names = module_names(facts)
    imports: dict[str, list[tuple[str, str]]] = {}
    for local, specifier, imported in names.imports:
        imports.setdefault(local, []).append((specifier, imported))
    lines = {("*", *target) for target in imports.get("*", ())}
    for exported, own in names.exports.items():
        locals_ = own or {exported}
        lines |= {(exported, *target) for local in locals_ for target in imports.get(local, ())}
        lines |= {(exported, "", local) for local in own if local != exported}
    return "\n".join(sorted("\t".join(line) for line in lines if not any(set(part) & {"\t", "\n"} for part in line)))


class _Values:
    """The values that a module of JavaScript exports."""

    def __init__(self, facts: FileFacts) -> None:
        self._at = Expressions(facts)

    def name(self, node: int) -> str:
        """Return the name of a variable or function that a value is; "" for other values."""
        code = self._at.code
        is_name = node >= 0 and code[node] == Op.NAME and code[node + 1] >= 0
        return self._at.facts.bindings[code[node + 1]].name if is_name else ""

    def required(self, node: int) -> tuple[str, str] | None:
        """Return the module and the name in it that a value is: `require("./cart")`, `require("./cart").total`."""
        code, name = self._at.code, ""
        if node >= 0 and code[node] == Op.MEMBER:
            name, node = self._at.string(code[node + 2]), code[node + 1]
        if node < 0 or code[node] != Op.REQUIRE or code[node + 1] < 0:
            return None
        return self._at.facts.imports[code[node + 1]].specifier, name

    def add_members(
        self, export: Export, members: dict[str, int], exports: dict[str, set[str]], imports: list[tuple[str, str, str]]
    ) -> bool:
        """Add what an object that is the module holds, and return whether it is such an object, and holds nothing else."""
        code, node = self._at.code, export.value
        if export.name != "=" or node < 0 or code[node] != Op.OBJECT:
            return False
        for member in self._at.facts.shapes[code[node + 1]].members:
            members[member.name] = member.symbol
            if name := self.name(member.value):
                exports.setdefault(member.name, set()).add(name)
            elif (required := self.required(member.value)) is not None:
                exports.setdefault(member.name, set())
                imports.append((member.name, *required))
        spread = [self.required(code[each + 1]) for each in self._at.items(code[node + 2]) if code[each] == Op.SPREAD]
        modules = [required[0] for required in spread if required is not None and not required[1]]
        imports.extend(("*", module, "*") for module in modules)  # `...require("./cart")`
        return len(modules) == len(spread)
