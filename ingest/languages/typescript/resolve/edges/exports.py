"""EXPORTS edges: the names that other files can import from a file, including re-exports."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ......schema.edges import ExportEdge
from ......schema.languages import PARTLY_RESOLVED, RESOLVED
from ..engine import Engine
from ..model.binder import Declared, Entity, Value
from ..model.star_exports import star_imports
from ..model.unit import Unit

#: The compiler's name for `export = …` and `module.exports = …`.
_AS_A_WHOLE = "export="
#: Separates the names in the name of a statement with several declarations.
_LIST = ", "


def export_edges(engine: Engine, unit: Unit, symbol_id: Callable[[Unit, int], str]) -> list[ExportEdge]:
    """Return one edge for each exported name that resolves to a symbol of the repository.

    Files of nominal languages are left out, because their engine has its own rules for exports.
    """
    if unit.facts.language in PARTLY_RESOLVED:
        return []
    if unit.facts.language not in RESOLVED:
        return [ExportEdge(unit.path, symbol_id(unit, index), name, False, ()) for index, name in offered(unit, ("namespace",))]
    found: list[ExportEdge] = []
    type_only = {entry.name for entry in unit.facts.exports if entry.type_only}
    for name in [*_names(engine, unit, set()), "="]:
        place = _symbol(engine, engine.binder.exported(unit, name)) or _added(engine, unit, name)
        if place is not None:
            owner, symbol = place
            via = () if owner is unit else (owner.path,)
            found.append(
                ExportEdge(unit.path, symbol_id(owner, symbol), _AS_A_WHOLE if name == "=" else name, name in type_only, via)
            )
    return found


def offered(unit: Unit, open_kinds: Collection[str]) -> list[tuple[int, str]]:
    """Return the (symbol, name) pairs of a file that other files may use, for languages without export statements.

    These symbols are at the root, in statements with several declarations, and in symbols of `open_kinds`, such as namespaces.
    """
    symbols = unit.facts.symbols
    opened = [symbol.parent < 0 for symbol in symbols]
    found = []
    for index in sorted(range(len(symbols)), key=lambda index: symbols[index].depth):
        symbol = symbols[index]
        if symbol.parent >= 0:
            outer = symbols[symbol.parent]
            opened[index] = opened[symbol.parent] and (outer.kind in open_kinds or _LIST in outer.name)
        if opened[index] and symbol.exported and not symbol.owner and symbol.kind != "extension" and _LIST not in symbol.name:
            found.append((index, symbol.name))
    return sorted(found)


def _names(engine: Engine, unit: Unit, seen: set[int]) -> list[str]:
    """Return every name that a file exports, also by `export *`, in order. `export *` does not export "default"."""
    if unit.index in seen:
        return []
    seen.add(unit.index)
    names = dict.fromkeys(entry.name for entry in unit.facts.exports if entry.name not in ("*", "="))
    names.update(dict.fromkeys(_names_of_whole(engine, unit)))
    for source in star_imports(unit):
        target = engine.program.imported_unit(unit, source)
        if target is not None:
            names.update(dict.fromkeys(name for name in _names(engine, target, seen) if name != "default"))
    return list(names)


def _names_of_whole(engine: Engine, unit: Unit) -> list[str]:
    """Return the names of the members of the object in `module.exports = …`, including added members, but not members
    of spreads.
    """
    whole = engine.binder.exported(unit, "=")
    literal = engine.binder.assigned_literal(whole) if isinstance(whole, Declared) else whole
    node = engine.binder.literal(literal) if isinstance(literal, Value) else -1
    names: list[str] = []
    if isinstance(literal, Value) and node >= 0:
        names += [member.name for member in literal.unit.shapes[literal.unit.code[node + 1]].members]
    if isinstance(whole, Declared):
        keys = engine.expando_index(whole.unit).by_key
        names += [name for role, binding, name in keys if role == "value" and binding == whole.binding and name != "prototype"]
    return names


def _added(engine: Engine, unit: Unit, name: str) -> tuple[Unit, int] | None:
    """Return the file and symbol of a property that assignments add to `module.exports = …`, or None."""
    whole = engine.binder.exported(unit, "=")
    found = engine.added_static(whole, name) if isinstance(whole, Declared) else None
    return (found.unit, found.symbol) if found is not None and found.unit is not None and found.symbol >= 0 else None


def _symbol(engine: Engine, entity: Entity | None) -> tuple[Unit, int] | None:
    if isinstance(entity, Declared):
        unit, symbol = engine.binder.symbol(entity)
        return (unit, symbol) if symbol >= 0 and not unit.external else None
    if isinstance(entity, Value) and entity.symbol >= 0:
        return entity.unit, entity.symbol
    return None
