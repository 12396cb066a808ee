"""Find the names that a file takes from each of its imports."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..facts.model import DeclKind, FileFacts, Op, int_array

#: Represents a whole module among the names taken from it.
WHOLE: Final = "*"

#: A name taken from an import: the index of the import, and the name or WHOLE.
Taken = tuple[int, str]

_QUALIFIED: Final = frozenset((Op.MEMBER, Op.T_QUALIFIED))
_NAMES: Final = frozenset((Op.NAME, Op.T_NAME))
_IMPORTING: Final = frozenset((Op.IMPORT_CALL, Op.REQUIRE, Op.T_IMPORT))


class TakenImport(NamedTuple):
    """What a file takes from one of its imports."""

    specifier: str
    names: frozenset[str]
    #: True if `export *` re-exports all of its names.
    is_passed_on: bool


def taken_imports(facts: FileFacts) -> tuple[TakenImport, ...]:
    """Return what a file takes from each of its imports, in the order of the imports."""
    taken, passed_on = taken_names(facts), {entry.source for entry in facts.exports if entry.name == WHOLE}
    return tuple(
        TakenImport(entry.specifier, frozenset(taken[index]), index in passed_on) for index, entry in enumerate(facts.imports)
    )


def taken_names(facts: FileFacts) -> dict[int, set[str]]:
    """Return the names that a file takes from each of its imports, with WHOLE if the module is used in another way.

    `export *` takes nothing: it re-exports all names.
    """
    found: dict[int, set[str]] = {index: set() for index in range(len(facts.imports))}
    code, spaces = int_array(facts.code), namespaces(facts)
    for decl in facts.decls:
        if decl.kind == DeclKind.IMPORT and (name := facts.strings[decl.b]) != WHOLE:
            found[decl.a].add(name)
    for entry in (*facts.exports, *(entry for scope in facts.scopes.values() for entry in scope.exports)):
        if entry.source >= 0 and entry.name != WHOLE:
            found[entry.source].add(entry.imported or WHOLE)
    qualified: set[int] = set()
    for node in range(0, len(code), 5):
        op = code[node]
        if op in _QUALIFIED and code[code[node + 1]] in _NAMES and (source := spaces.get(code[code[node + 1] + 1])) is not None:
            found[source].add(facts.strings[code[node + 2]])
            qualified.add(code[node + 1])
        elif op in _IMPORTING:
            found[code[node + 1]].add(WHOLE)
    for node in range(0, len(code), 5):
        if code[node] in _NAMES and node not in qualified and (source := spaces.get(code[node + 1])) is not None:
            found[source].add(WHOLE)
    for binding, source in spaces.items():
        if any(entry.binding == binding for entry in facts.exports):
            found[source].add(WHOLE)
    return found


def namespaces(facts: FileFacts) -> dict[int, int]:
    """Return the import of each binding that represents a whole module."""
    return {
        binding: facts.decls[index].a
        for binding, entry in enumerate(facts.bindings)
        for index in entry.decls
        if facts.decls[index].kind == DeclKind.IMPORT and facts.strings[facts.decls[index].b] == WHOLE
    }
