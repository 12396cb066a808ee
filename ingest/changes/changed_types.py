"""Find the code that no longer fits a declaration whose type changed: values, type arguments, overrides and comparisons.

The misfits of both states are compared. A misfit that is in both states is not reported, so a type that an engine infers wrongly
causes no false alarm.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from ...schema.languages import language_of
from ...schema.records import Symbol
from ..facts.model import DeclKind
from ..incremental.broken_imports import Breakage
from ..incremental.tree_state import TreeState
from ..languages.registry import change_rules
from .changed_symbols import FilesWith
from .same_lines import same_lines
from .written_types import WrittenType, WrittenTypes

if TYPE_CHECKING:
    from .state_edges import StateEdges

_SHAPED: Final = frozenset((DeclKind.CLASS, DeclKind.INTERFACE))
#: The kinds of symbols that are types without code.
_TYPES: Final = frozenset(("interface", "type"))
#: The kinds of symbols that may extend or implement others.
_HEIRS: Final = frozenset(("class", "enum", "interface"))
#: Number of steps from a type to the types that have it as a member.
_LEVELS: Final = 2
_WORD: Final = re.compile(r"\w+")


class ChangedTypes(NamedTuple):
    """The names of the declarations whose types changed."""

    #: Classes, interfaces and aliases with other members, type parameters or meanings.
    types: frozenset[str]
    #: Functions with other results or parameters, and variables with other annotations.
    values: frozenset[str]
    #: Classes that only gained methods. Only classes that extend these classes may stop fitting.
    extended: frozenset[str]
    #: The names of these methods.
    gained: frozenset[str]


def changed_types(before: TreeState, after: TreeState, paths: Iterable[str]) -> ChangedTypes:
    """Return the declarations of some files that both states have with different types."""
    types: set[str] = set()
    values: set[str] = set()
    extended: set[str] = set()
    gained: set[str] = set()
    for path in paths:
        rules = change_rules(language_of(path))
        if not rules.has_misfits or path not in before.files.sources or path not in after.files.sources:
            continue
        was, now = _written(before, path), _written(after, path)
        for key, texts in was.items():
            others = now.get(key, texts)
            if others == texts:
                continue
            is_type, name = key[0], key[1].rpartition(".")[2]
            is_demanding = any(not rules.demanding.isdisjoint(each.text.split()) for each in others)
            if not is_type:
                if not rules.demanding or _is_annotated(texts | others):
                    values.add(name)
            elif rules.demanding:
                if is_demanding or _lost_subjects(texts, others):
                    types.add(name)
            elif texts < others and all(each.is_given for each in others - texts):
                extended.add(name)
                gained |= {each.member for each in others - texts}
            else:
                types.add(name)
    return ChangedTypes(frozenset(types), frozenset(values), frozenset(extended), frozenset(gained))


def _is_annotated(written: set[WrittenType]) -> bool:
    """Return whether a function or variable has a written type."""
    return any(each.text.strip("0123456789(,?*) ") for each in written)


def _lost_subjects(was: set[WrittenType], now: set[WrittenType]) -> bool:
    """Return whether a class lost a base, or all members with a certain name."""
    return not {each.member or each.text for each in was} <= {each.member or each.text for each in now}


def _written(state: TreeState, path: str) -> dict[tuple[bool, str], set[WrittenType]]:
    """Return the types of the declarations of a file. A key tells whether the declaration is a type, and its qualified name.

    The members of a type belong to the type.
    """
    facts = state.facts(path)
    found: dict[tuple[bool, str], set[WrittenType]] = {}
    if facts is None:
        return found
    texts = WrittenTypes(facts)
    symbols = state.symbols(path)
    names = [symbol.qualified_name for symbol in symbols]
    for function in facts.functions:
        if function.symbol >= 0:
            name = names[function.symbol]
            called = name.rpartition(".")[0] if symbols[function.symbol].kind == "constructor" else name
            found.setdefault((False, called), set()).add(WrittenType("", texts.signature(function), False))
    for decl in facts.decls:
        if decl.symbol < 0:
            continue
        if decl.kind in _SHAPED:
            found.setdefault((True, names[decl.symbol]), set()).update(texts.shape(decl.a))
        elif decl.kind == DeclKind.FUNCTION and (around := names[decl.symbol].rpartition(".")[0]):
            found.setdefault((True, around), set()).add(WrittenType(decl.name, texts.decorators(decl), True))
        elif decl.kind == DeclKind.ALIAS:
            found.setdefault((True, names[decl.symbol]), set()).add(WrittenType("", texts.alias(decl), False))
        elif decl.kind == DeclKind.VARIABLE and decl.a >= 0:
            found.setdefault((False, names[decl.symbol]), set()).add(WrittenType("", texts.text(decl.a), False))
    return found


def misfits(
    before: TreeState,
    after: TreeState,
    old: Callable[[], StateEdges],
    new: Callable[[], StateEdges],
    changed: ChangedTypes,
    files_with: FilesWith,
    deadline: float,
) -> tuple[set[Breakage], int]:
    """Return the unchanged lines of the new state that no longer fit the changed declarations, and the number of files that were
    not read.

    Files that use a declaration whose signature has a changed type are read, too. No file is read after `deadline`, in seconds
    of the monotonic clock.
    """
    if not any(changed):
        return set(), 0
    types, users, naming = _spread(after, changed.types, files_with)
    inheriting, incomplete = _heirs(after, types | changed.extended, files_with, deadline)
    words = (changed.values | users | incomplete) - types - {""}
    named = {*types, *words, *changed.extended, *changed.gained}
    using = _files(after, files_with(words)) if words else []
    pattern = re.compile(rb"\b(?:%s)\b" % b"|".join(re.escape(word.encode()) for word in sorted(named)))
    found: set[Breakage] = set()
    pending = [*dict.fromkeys((*naming, *using, *inheriting))]
    for place, path in enumerate(pending):
        if time.monotonic() > deadline:
            return found, len(pending) - place
        now = new().misfits_of(path, pattern) if path in before.files.sources else set()
        if not now:
            continue
        lines = same_lines((before.files.read(path) or b"").split(b"\n"), (after.files.read(path) or b"").split(b"\n"))
        known = {lines.get(line, 0) for line, _ in old().misfits_of(path, pattern)}
        unchanged = {*lines.values()}
        found.update(Breakage(path, line, reason) for line, reason in now if line in unchanged and line not in known)
    return found, 0


def _spread(after: TreeState, types: Collection[str], files_with: FilesWith) -> tuple[set[str], set[str], list[str]]:
    """Return the names that changes of some types reach, and the files with these names. Changes reach the types that have a
    changed type as a member, and other declarations with these types in their signatures. The first result has the types, the
    second the other declarations.
    """
    known = {*types}
    users: set[str] = set()
    naming: dict[str, None] = {}
    new = known
    for _ in range(_LEVELS):
        found = _files(after, files_with(new)) if new else []
        naming.update(dict.fromkeys(found))
        declared = {each for path in found for each in _declared_with(after, path, new)}
        users |= {name for name, is_type in declared if not is_type}
        new = {name for name, is_type in declared if is_type} - known
        known |= new
    return known, users, [*naming]


def _heirs(after: TreeState, types: Collection[str], files_with: FilesWith, deadline: float) -> tuple[list[str], set[str]]:
    """Return the files with types that extend or implement some types, or extend such types.

    The second result has the names of these types in languages that report a missing member where an object is created. No file
    is read after `deadline`.
    """
    files: list[str] = []
    incomplete: set[str] = set()
    seen = {*types}
    pending = seen
    while pending:
        found: set[str] = set()
        for path in _files(after, files_with(pending)):
            if time.monotonic() > deadline:
                return files, incomplete
            heirs = {symbol.name for symbol in after.symbols(path) if symbol.kind in _HEIRS and _names_base(symbol, pending)}
            if heirs:
                files.append(path)
            if change_rules(language_of(path)).demanding:
                incomplete |= heirs
            found |= heirs
        pending = found - seen
        seen |= found
    return files, incomplete


def _names_base(symbol: Symbol, bases: Collection[str]) -> bool:
    """Return whether the signature of a type has one of some names apart from its own: `class Shelf extends lib.Shelf`."""
    words = _WORD.findall(symbol.signature)
    if symbol.name in words:
        words.remove(symbol.name)
    return any(word in bases for word in words)


def _declared_with(state: TreeState, path: str, names: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the names of the declarations of a file whose signatures have one of some names, and whether each is a type.

    For a member of an interface, the name is the name of the interface.
    """
    symbols = state.symbols(path)
    interfaces = {symbol.qualified_name for symbol in symbols if symbol.kind in _TYPES}
    for symbol in symbols:
        if symbol.name in names or {*_WORD.findall(symbol.signature)}.isdisjoint(names):
            continue
        around = symbol.qualified_name.rpartition(".")[0]
        if symbol.kind in _TYPES:
            yield symbol.name, True
        elif symbol.kind == "property" and around in interfaces:
            yield around.rpartition(".")[2], True
        else:
            yield around.rpartition(".")[2] if symbol.kind == "constructor" else symbol.name, False


def _files(after: TreeState, paths: Iterable[str]) -> list[str]:
    return sorted(path for path in paths if path in after.files.sources and change_rules(language_of(path)).has_misfits)
