"""Compares two states of a repository: files, declarations, and the breakage that the change causes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from ...schema.languages import CONTRACTS, DOCUMENTS, language_of
from ..facts.model import FileFacts
from ..files.path_roles import is_test_path
from ..incremental.broken_imports import Breakage, broken_by_change, lost_names
from ..incremental.tree_state import TreeState, imported_names
from ..languages.extraction import indexed_text
from ..languages.registry import is_nominal
from .broken_uses import broken_uses, lost_declarations
from .changed_parameters import ChangedParameters
from .changed_symbols import ChangedFile, ChangedSymbol, FilesWith
from .declared_values import api_values, schema_values
from .lost_mentions import LostMention, lost_mentions
from .made_files import without_made_files
from .states import ReadFile, States
from .symbol_changes import FileSymbols, SymbolComparison, symbols_in

if TYPE_CHECKING:
    from .changed_statements import ChangedUse
    from .lost_data import DataComparison
    from .lost_endpoints import LostEndpoints

#: Seconds after which no more files are examined for breakage.
PATIENCE: Final = 20.0
#: Seconds after which the declarations of no further files are compared.
COMPARING: Final = 20.0
#: Share of the time for breakage in which the changed files are read. In the rest, what they may break is examined.
_READING: Final = 0.6
#: The reason for a file whose declarations were not compared because of `COMPARING` or `MAX_FILES`.
TOO_MANY: Final = "too many files changed"
#: Maximum number of files whose declarations are compared. For a larger change, only the files are listed.
MAX_FILES: Final = 2_000
#: Names of files that represent their folder.
_FOLDER_FILES: Final = frozenset(("index", "__init__", "main", "mod"))
#: Names of exports that an importing file need not contain, because the importer chooses a local name.
_UNNAMED: Final = frozenset(("default", "="))


@dataclass(slots=True)
class ChangeSet:
    """The differences between two states."""

    old_name: str
    new_name: str
    files: list[ChangedFile] = field(default_factory=list)
    symbols: list[ChangedSymbol] = field(default_factory=list)
    broken: list[Breakage] = field(default_factory=list)
    #: The names that each module exported before but no longer exports, by path of the module.
    lost_exports: dict[str, frozenset[str]] = field(default_factory=dict)
    #: Places where documents name lost declarations.
    mentions: list[LostMention] = field(default_factory=list)
    #: Tables and columns that the statements of a declaration use in one of the states only.
    uses: list[ChangedUse] = field(default_factory=list)
    #: Number of files that the change may break, but that were not examined because time ran out.
    skipped: int = 0
    notes: list[str] = field(default_factory=list)


class Broken(NamedTuple):
    """The breakage that a change causes."""

    places: list[Breakage]
    #: The names that each module exported before but no longer exports, by path of the module.
    lost_exports: dict[str, frozenset[str]]
    #: The texts by which documents may name lost declarations, each with the qualified name of the declaration.
    names: list[tuple[str, str]]
    #: Paths of the files that contain one of the lost names.
    naming: list[str]
    #: Number of files that were not examined because time ran out.
    skipped: int


def compare_states(states: States, root: str, seconds: float = PATIENCE) -> ChangeSet:
    """Return the differences between two states. `root` is the absolute path that configurations may name.

    Declarations are compared for at most `COMPARING` seconds. Then files are examined for breakage, for at most `seconds` and
    changed files first. Raises GitFailed.
    """
    deadline = time.monotonic() + COMPARING
    before, after = _trees(states, root)
    found = ChangeSet(states.old_name, states.new_name, notes=list(states.notes))
    comparison = SymbolComparison()
    pairs = _pairs(states)
    for place, (old_path, path) in enumerate(pairs):
        is_compared = place < MAX_FILES and time.monotonic() < deadline
        found.files.append(_compared(before, after, states, old_path, path, comparison if is_compared else None))
    if left := sum(file.not_compared == TOO_MANY for file in found.files):
        found.notes.append(f"The declarations of {left:,} of {len(pairs):,} changed files were not compared.")
    found.files.sort(key=lambda file: file.path)
    found.symbols = comparison.result()
    found.uses = _changed_statements(before, after, found.files)
    broken = _broken(before, after, states, root, time.monotonic() + seconds)
    found.broken, found.lost_exports, found.skipped = broken.places, broken.lost_exports, broken.skipped
    found.mentions = lost_mentions(after, broken.names, broken.naming)
    if found.skipped:
        found.notes.append(
            f"{found.skipped:,} files that mention what changed were not examined, because that took {seconds:g} seconds."
        )
    return found


def broken_between(states: States, root: str, seconds: float) -> Broken:
    """Return the breakage that the change between two states causes, as in `compare_states`, without comparing declarations."""
    deadline = time.monotonic() + seconds
    return _broken(*_trees(states, root), states, root, deadline)


def _trees(states: States, root: str) -> tuple[TreeState, TreeState]:
    before = TreeState(root, states.old_paths, states.read_old, None, states.dialects, states.stored)
    return before, TreeState(root, states.new_paths, states.read_new, before, states.dialects, states.stored)


def _broken(before: TreeState, after: TreeState, states: States, root: str, deadline: float) -> Broken:
    """Return the breakage that a change causes: first in imports and syntax, then uses of lost declarations."""
    touched = (*states.changed, *states.added, *states.removed)
    code = [path for path in touched if before.language(path) is not None or after.language(path) is not None]
    if not code or len(code) > MAX_FILES:
        return Broken([], {}, [], [], 0)
    code, unread = _read_in_time(before, after, code, deadline)
    lost_exports: dict[str, frozenset[str]] = {}
    for path in code:
        if time.monotonic() < deadline and (lost := lost_names(before, after, path)):
            lost_exports[path] = lost
    naming = files_naming(lost_exports, before, after, states.files_with)
    all_lost = frozenset[str]().union(*lost_exports.values())
    present = [path for path in code if path in after.files.sources]
    others = {path for path in naming if language_of(path) is not None and path in after.files.sources} - {*touched}
    pending = sorted(others, reverse=True) + present[::-1]
    changed = frozenset(present)
    broken: list[Breakage] = []
    while pending and time.monotonic() < deadline:
        path = pending.pop()
        of_change, of_others = ([path], ()) if path in changed else ((), [path])
        broken += broken_by_change(before, after, of_change, of_others, all_lost)
    places = without_made_files(sorted(set(broken)), states.every_path, states.ignored)
    lost_symbols = lost_declarations(before, after, code)
    parameters = ChangedParameters(before, after, code)
    named = states.files_with({side.name for side in lost_symbols.values()} | parameters.words())
    paths = {path for path in (*named, *present) if path in after.files.sources and path in before.files.sources}
    uses = broken_uses(before, after, root, lost_symbols, paths, present, places, parameters, states.files_with, deadline)
    found = sorted({*places, *uses.found})
    names = [(text, side.qualified_name) for side in lost_symbols.values() for text in (side.name, side.qualified_name)]
    skipped = max(len(pending), uses.skipped)
    data = _lost_data(before, after, code, states.files_with)
    if data is not None:
        statements, unread = data.broken(root, states.files_with, found, deadline)
        found, skipped = sorted({*found, *statements}), max(skipped, unread)
        names += [(each.qualified_name, each.qualified_name) for each in data.lost.values()]
        named = [*{*named, *states.files_with(data.words())}]
    endpoints = _lost_endpoints(before, after, code, states.files_with, deadline)
    if endpoints is not None:
        reported = {(each.path, each.line) for each in found}
        found = sorted({*found, *(each for each in endpoints.places if (each.path, each.line) not in reported)})
        names += endpoints.names
        named = [*{*named, *states.files_with(endpoints.words)}]
        skipped = max(skipped, endpoints.skipped)
    return Broken(found, lost_exports, names, named, skipped + unread)


def _read_in_time(before: TreeState, after: TreeState, paths: Sequence[str], deadline: float) -> tuple[list[str], int]:
    """Return the files whose both states are read in time, and the number of other files. Reading may use `_READING` of the time
    that is left.
    """
    now = time.monotonic()
    until = now + _READING * (deadline - now)
    read: list[str] = []
    for path in paths:
        if time.monotonic() >= until:
            break
        before.facts(path)
        after.facts(path)
        read.append(path)
    return read, len(paths) - len(read)


def _changed_statements(before: TreeState, after: TreeState, files: Iterable[ChangedFile]) -> list[ChangedUse]:
    """Return the changed uses of tables and columns by statements, in files whose declarations were compared."""
    compared = [each for each in files if each.status in ("changed", "renamed") and each.language and not each.not_compared]
    if not compared:
        return []
    from .changed_statements import changed_statements

    return list(changed_statements(before, after, ((each.old_path or each.path, each.path) for each in compared)))


def _lost_data(before: TreeState, after: TreeState, code: Iterable[str], files_with: FilesWith) -> DataComparison | None:
    """Return the tables and columns that a change removes. Most changes touch no database, so the reader is loaded only here."""
    touched = [path for path in code if schema_values(before, path) != schema_values(after, path)]
    if not touched:
        return None
    from .lost_data import lost_data

    return lost_data(before, after, touched, files_with)


def _lost_endpoints(
    before: TreeState, after: TreeState, code: Iterable[str], files_with: FilesWith, deadline: float
) -> LostEndpoints | None:
    """Return the breakage that changed endpoints and contracts cause.

    Most changes touch no endpoints, so the reader is loaded only here.
    """
    touched = [
        path
        for path in code
        if (before.language(path) or after.language(path)) in CONTRACTS or api_values(before, path) != api_values(after, path)
    ]
    if not touched:
        return None
    from .lost_endpoints import lost_endpoints

    return lost_endpoints(before, after, touched, files_with, deadline)


def files_naming(lost: Mapping[str, frozenset[str]], before: TreeState, after: TreeState, files_with: FilesWith) -> set[str]:
    """Return the paths of all files that may import a lost name or a removed file. `lost` maps changed files to lost names.

    `files_with` returns the paths of the files of the new state that contain at least one of the given words. A Python module may
    lose a name that it only imported. Many files may contain such a name, but few import it from this module. A file therefore
    counts only if it also contains the name of the module.
    """
    words: set[str] = set()
    passed: set[str] = set()
    modules: set[str] = set()
    for path, names in lost.items():
        own = names - _UNNAMED
        if path not in after.files.sources or names & _UNNAMED:
            words |= _module_words(path)
        facts = before.facts(path)
        if facts is not None and is_nominal(facts) and PurePosixPath(path).stem not in _FOLDER_FILES:
            imported = own & imported_names(facts)
            if imported:
                passed |= imported
                modules |= _module_words(path)
                own -= imported
        words |= own
    found = {*files_with(words)} if words else set()
    return found | ({*files_with(passed)} & {*files_with(modules)} if passed else set())


def _module_words(path: str) -> set[str]:
    """Return words that identify specifiers of a file: `src/cart/index.ts` -> {"cart", "index"}.

    Every specifier of the file contains at least one of these words.
    """
    pure = PurePosixPath(path)
    stem = pure.name.partition(".")[0]
    return {word for word in (stem, pure.parent.name if stem in _FOLDER_FILES else "") if word}


def _pairs(states: States) -> Sequence[tuple[str, str]]:
    """Return the paths of changed files in the old and the new state; "" if a state lacks the file."""
    renamed_from = set(states.renamed.values())
    pairs = [(path, path) for path in states.changed]
    pairs += [(states.renamed.get(path, ""), path) for path in states.added]
    pairs += [(path, "") for path in states.removed if path not in renamed_from]
    return sorted(pairs, key=lambda pair: pair[1] or pair[0])


def _compared(
    before: TreeState, after: TreeState, states: States, old_path: str, path: str, comparison: SymbolComparison | None
) -> ChangedFile:
    """Return the change of a file, and add its declarations to the comparison."""
    shown = path or old_path
    if path and path == old_path and states.read_old(path) == states.read_new(path):
        return ChangedFile(shown, "changed", "", after.language(path) or "", is_test_path(shown), is_same_content=True)
    status = "removed" if not path else "added" if not old_path else "renamed" if old_path != path else "changed"
    language = (after.language(path) if path else before.language(old_path)) or ""
    is_test = is_test_path(shown)
    moved_from = old_path if status == "renamed" else ""
    if not language:
        return ChangedFile(shown, status, moved_from, "", is_test, not_compared="no supported language")
    if language in DOCUMENTS:
        return ChangedFile(shown, status, moved_from, language, is_test)  # sections of a document are not code
    if comparison is None:
        return ChangedFile(shown, status, moved_from, language, is_test, not_compared=TOO_MANY)
    old_facts = before.facts(old_path) if old_path else None
    new_facts = after.facts(path) if path else None
    reason = _unreadable(old_facts, bool(old_path)) or _unreadable(new_facts, bool(path))
    if reason:
        return ChangedFile(shown, status, moved_from, language, is_test, not_compared=reason)
    old = _symbols(old_facts, states.read_old, old_path)
    new = _symbols(new_facts, states.read_new, path)
    comparison.compare(old, new)
    root_changed = old is not None and new is not None and old.rest != new.rest
    return ChangedFile(shown, status, moved_from, language, is_test or _marks_tests(new_facts or old_facts), root_changed)


def _marks_tests(facts: FileFacts | None) -> bool:
    return facts is not None and bool(facts.chunks) and all(chunk.is_test for chunk in facts.chunks)


def _unreadable(facts: FileFacts | None, is_expected: bool) -> str:
    if not is_expected:
        return ""
    if facts is None:
        return "larger than the setting max_file_size, or unreadable"
    return facts.problems[0].reason if not facts.symbols and facts.problems else ""


def _symbols(facts: FileFacts | None, read: ReadFile, path: str) -> FileSymbols | None:
    data = read(path) if facts is not None else None
    return symbols_in(facts, indexed_text(data, facts.language), path) if facts is not None and data is not None else None
