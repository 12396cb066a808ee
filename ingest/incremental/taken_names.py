"""Find the names that a file imports by each of its imports."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..facts.cells import int_array
from ..facts.model import DeclKind, FileFacts
from ..facts.operations import Op

#: Represents a whole module among its imported names.
WHOLE: Final = "*"

#: An imported name: the index of the import, and the name or WHOLE.
Taken = tuple[int, str]

_QUALIFIED: Final = frozenset((Op.MEMBER, Op.T_QUALIFIED))
_NAMES: Final = frozenset((Op.NAME, Op.T_NAME))
_IMPORTING: Final = frozenset((Op.IMPORT_CALL, Op.REQUIRE, Op.T_IMPORT))


class TakenImport(NamedTuple):
    """The imported names of one import of a file."""

    specifier: str
    names: frozenset[str]
    #: True if `export *` re-exports all of its names.
    is_passed_on: bool
    #: True if the file may export the module itself under a name, so that all names of the module are visible.
    is_held: bool = False


class ModuleImports:
    """The imported names behind declarations and nodes of a TypeScript file."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._code = int_array(facts.code)
        self._namespaces = namespaces(facts)

    def whole(self, binding: int) -> tuple[Taken, ...]:
        """Return the import whose whole module a binding represents."""
        source = self._namespaces.get(binding)
        return ((source, WHOLE),) if source is not None else ()

    def member(self, node: int) -> tuple[object, tuple[Taken, ...]] | None:
        """Return a text that identifies a member of a module, and the imported name behind it; None for any other node."""
        code = self._code
        if code[code[node + 1]] not in _NAMES or (source := self._namespaces.get(code[code[node + 1] + 1])) is None:
            return None
        name = self._facts.strings[code[node + 2]]
        return (self._facts.imports[source].specifier, name), ((source, name),)

    def free(self, node: int) -> tuple[Taken, ...]:
        """Return no imports, because no import provides a name that the file does not declare."""
        return ()

    def declared(self, decl: int) -> tuple[object, tuple[Taken, ...]]:
        """Return a text that identifies the declaration of an import, and the imported name."""
        entry = self._facts.decls[decl]
        name = self._facts.strings[entry.b]
        return (self._facts.imports[entry.a].specifier, name), ((entry.a, name),)


def taken_imports(facts: FileFacts) -> tuple[TakenImport, ...]:
    """Return the imported names of each import of a file, in the order of the imports."""
    taken, passed_on = taken_names(facts), {entry.source for entry in facts.exports if entry.name == WHOLE}
    return tuple(
        TakenImport(entry.specifier, frozenset(taken[index]), index in passed_on) for index, entry in enumerate(facts.imports)
    )


def taken_names(facts: FileFacts) -> dict[int, set[str]]:
    """Return the imported names of each import of a file, with WHOLE if the module is used in another way than by its names.

    `export *` imports no name, but re-exports all names.
    """
    return {index: set(places) for index, places in taken_places(facts).items()}


def taken_places(facts: FileFacts) -> dict[int, dict[str, int]]:
    """Return the imported names of each import of a file as `taken_names` does, with the first offset of each name."""
    found: dict[int, dict[str, int]] = {index: {} for index in range(len(facts.imports))}
    code, spaces = int_array(facts.code), namespaces(facts)
    for decl in facts.decls:
        if decl.kind == DeclKind.IMPORT and (name := facts.strings[decl.b]) != WHOLE:
            found[decl.a].setdefault(name, decl.position)
    for entry in (*facts.exports, *(entry for scope in facts.scopes.values() for entry in scope.exports)):
        if entry.source >= 0 and entry.name != WHOLE:
            found[entry.source].setdefault(entry.imported or WHOLE, entry.position)
    qualified: set[int] = set()
    for node in range(0, len(code), 5):
        op = code[node]
        if op in _QUALIFIED and code[code[node + 1]] in _NAMES and (source := spaces.get(code[code[node + 1] + 1])) is not None:
            found[source].setdefault(facts.strings[code[node + 2]], code[node + 4])
            qualified.add(code[node + 1])
        elif op in _IMPORTING:
            found[code[node + 1]].setdefault(WHOLE, code[node + 4])
    for node in range(0, len(code), 5):
        if code[node] in _NAMES and node not in qualified and (source := spaces.get(code[node + 1])) is not None:
            found[source].setdefault(WHOLE, code[node + 4])
    for entry in facts.exports:
        if entry.binding in spaces:
            found[spaces[entry.binding]].setdefault(WHOLE, entry.position)
    return found


def namespaces(facts: FileFacts) -> dict[int, int]:
    """Return the import of each binding that represents a whole module."""
    return {
        binding: facts.decls[index].a
        for binding, entry in enumerate(facts.bindings)
        for index in entry.decls
        if facts.decls[index].kind == DeclKind.IMPORT and facts.strings[facts.decls[index].b] == WHOLE
    }
