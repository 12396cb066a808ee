"""Types that a class fits without naming them: `class Disk { save() {} }` fits `interface Saver { save(): void }`.

Code may hold such a class as the interface, and a call of the interface's member may then run the member of the class.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from ...schema.records import Symbol
from ..symbols.id_batches import rows_for_ids
from ..symbols.symbol_table import SymbolTable
from .supertypes import supertypes

_MEMBERS = frozenset(("method", "property", "getter", "setter"))
_TYPES = frozenset(("interface", "type"))
_PROTOCOL = re.compile(r"class\b[^(]*\([^)]*\bProtocol\b")
_PYTHON = ".py"
#: Maximum number of types that are compared with a class.
_MAX_TYPES = 100


def fitted_members(table: SymbolTable, members: Sequence[Symbol]) -> dict[str, list[Symbol]]:
    """Map members of classes, by id, to used members of interfaces and protocols in whose place code may use them.

    The class of the member has all members of the type, by their names. A type with nothing but one property says too little.
    Members without such a type are left out.
    """
    owners = table.symbols(each.parent_id for each in members if each.parent_id is not None)
    asked = [
        each for each in members if each.kind in _MEMBERS and each.parent_id in owners and owners[each.parent_id].kind == "class"
    ]
    alike = _members_of_types(table, {each.name for each in asked})
    asked = [each for each in asked if each.name in alike]
    if not asked:
        return {}
    required = {id: _required(table, id) for id in dict.fromkeys(owner for found in alike.values() for owner, _ in found)}
    own = {owner: _names(table, owner) for owner in dict.fromkeys(each.parent_id for each in asked) if owner is not None}
    fitted: dict[str, list[Symbol]] = defaultdict(list)
    for each in asked:
        if each.parent_id is None or _PROTOCOL.match(owners[each.parent_id].signature):
            continue
        for owner, member in alike[each.name]:
            is_enough = len(required[owner]) > 1 or member.kind == "method"
            if is_enough and _is_python(member) == _is_python(each) and required[owner] <= own[each.parent_id]:
                fitted[each.id].append(member)
    used = _used(table, {member.id for found in fitted.values() for member in found})
    left = {id: [member for member in found if member.id in used] for id, found in fitted.items()}
    return {id: found for id, found in left.items() if found}


def _members_of_types(table: SymbolTable, names: Iterable[str]) -> dict[str, list[tuple[str, Symbol]]]:
    """Return the members of interfaces, type aliases and protocols with certain names, each with the id of its type."""
    found = [each for each in table.named(set(names)) if each.kind in _MEMBERS and each.parent_id is not None]
    types = table.symbols(each.parent_id for each in found if each.parent_id is not None)
    wanted = (id for id, each in types.items() if each.kind in _TYPES or _PROTOCOL.match(each.signature) is not None)
    chosen = frozenset(islice(wanted, _MAX_TYPES))
    kept: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
    for each in found:
        if each.parent_id in chosen:
            kept[each.name].append((each.parent_id, each))
    return kept


def _required(table: SymbolTable, owner: str) -> frozenset[str]:
    """Return the names of the members that a value of a type must have."""
    members = [member for listed in table.children(supertypes(table.graph, [owner])).values() for member in listed]
    return frozenset(each.name for each in members if each.kind in _MEMBERS and not _is_optional(each))


def _names(table: SymbolTable, owner: str) -> frozenset[str]:
    """Return the names of all members of a class, inherited ones included."""
    listed = table.children(supertypes(table.graph, [owner])).values()
    return frozenset(member.name for members in listed for member in members)


def _is_optional(member: Symbol) -> bool:
    return re.search(rf"(?<![\w$]){re.escape(member.name)}['\"\]]?\?", member.signature) is not None


def _is_python(member: Symbol) -> bool:
    return member.relative_path.endswith(_PYTHON)


def _used(table: SymbolTable, ids: Iterable[str]) -> frozenset[str]:
    statement = "MATCH (o:Symbol)<-[:CALLS|REFERENCES]-(:Symbol) WHERE o.id IN $ids RETURN DISTINCT o.id"
    return frozenset(id for (id,) in rows_for_ids(table.graph, statement, sorted(ids)))
