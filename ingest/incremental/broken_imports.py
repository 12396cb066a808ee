"""Find unresolved imports, missing exports, missing implementations and syntax errors that a change causes.

Faults from before the change are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from ...schema.languages import language_of
from ...schema.paths import stem_of
from ..facts.model import DeclKind, FileFacts, Import
from ..languages.extraction import FAULT
from ..languages.import_targets import MissingTarget
from ..languages.registry import is_nominal
from ..languages.typescript.missing_bodies import missing_bodies, unlike_exports
from .taken_names import taken_places
from .tree_state import MODULES, TreeState, line_of

_ALL = "*"


class Breakage(NamedTuple):
    """Something that a change breaks."""

    path: str
    line: int
    #: A clause whose subject is the file, such as "imports './a', which is no file of the commit".
    reason: str
    #: The specifier of an added import that resolves to no file; "" for other breakage.
    missing: str = ""


class _Imported(NamedTuple):
    """The names that a file imports from a module."""

    #: The first import of the module.
    entry: Import
    #: The imported names, each with the offset of its first occurrence.
    names: dict[str, int]


def lost_names(before: TreeState, after: TreeState, path: str) -> frozenset[str]:
    """Return the names that a file exported before a change but no longer exports.

    For a removed file, its name in the package is also lost: `from . import models`.
    """
    if after.passes_all_of(before, path):
        return frozenset()
    old = before.names(path) or frozenset()
    if path not in after.files.sources:
        return old | {stem_of(path)}
    new = after.names(path)
    return old - new if new is not None else frozenset()


def broken_by_change(
    before: TreeState, after: TreeState, changed: Iterable[str], others: Iterable[str], lost: Collection[str]
) -> list[Breakage]:
    """Return the breakage that a change causes in changed and other files, sorted by path and line.

    `lost` contains the `lost_names` of all changed files.
    """
    found: list[Breakage] = []
    for path in sorted({*changed}):
        found += new_problems(before.facts(path), after.facts(path), path)
        found += _missing_implementations(before.facts(path), after.facts(path), path)
        found += _broken_imports(before, after, path, lost)
    for path in sorted({*others} - {*changed}):
        found += _broken_imports(before, after, path, lost)
    return sorted(set(found))


def new_problems(before: FileFacts | None, after: FileFacts | None, path: str) -> list[Breakage]:
    """Return the syntax errors of the new state of each kind that occurs more often than before."""
    known = Counter(problem.reason for problem in before.problems) if before is not None else Counter[str]()
    found = []
    for problem in after.problems if after is not None else ():
        if known[problem.reason] > 0:
            known[problem.reason] -= 1
        elif not problem.reason.startswith(FAULT):
            found.append(Breakage(path, problem.line, f"has a syntax error: {problem.reason}"))
    return found


def _missing_implementations(before: FileFacts | None, after: FileFacts | None, path: str) -> list[Breakage]:
    """Return the functions of TypeScript and JavaScript that have only signatures in the new state, and the signatures that are
    not exported together with their implementation.
    """
    if after is None or is_nominal(after):
        return []
    known = missing_bodies(before, path) if before is not None else {}
    now = missing_bodies(after, path)
    found = [
        Breakage(path, line, f"declares {name}, which has no implementation") for name, line in now.items() if name not in known
    ]
    had = unlike_exports(before, path) if before is not None else {}
    for name, places in unlike_exports(after, path).items():
        reason = f"declares overloads of {name} of which only some are exported"
        found += [Breakage(path, line_of(after, place), reason) for place in places if name not in had]
    return found


def _broken_imports(before: TreeState, after: TreeState, path: str, lost: Collection[str]) -> list[Breakage]:
    facts, earlier = after.facts(path), before.facts(path)
    if facts is None:
        return []
    known = _imported(earlier) if earlier is not None else {}
    found = []
    for specifier, imported in _imported(facts).items():
        line = line_of(facts, imported.entry.position)
        was_target = before.target(specifier, path)
        resolution = after.resolve(specifier, path)
        if isinstance(resolution, MissingTarget):
            reason = f"imports '{specifier}', which is no file of the commit"
            if was_target is not None:
                found.append(Breakage(path, line, reason))
            elif specifier not in known and _must_exist(after, path, imported.entry, line):
                found.append(Breakage(path, line, reason, specifier))
            continue
        target = after.target(specifier, path)
        if target is None:
            if was_target is not None and was_target not in after.files.sources:
                found.append(Breakage(path, line, f"imports '{specifier}', which was {was_target}"))
            continue
        had = known[specifier].names if specifier in known else {}
        for name, place in imported.names.items():
            is_new = name not in had and not is_nominal(facts)  # names of a Python module may be defined dynamically
            may_be_lost = name in lost or target != was_target
            if not (is_new or may_be_lost) or after.gives(specifier, path, name):
                continue
            if is_new or (was_target is not None and before.gives(specifier, path, name)):
                line = line_of(facts, place)
                found.append(Breakage(path, line, f"imports '{name}' from '{specifier}', which {target} does not export"))
    return found


def _imported(facts: FileFacts) -> dict[str, _Imported]:
    """Return the imports of a file, by specifier."""
    nominal = is_nominal(facts)
    taken = {} if nominal else taken_places(facts)
    written = _written_places(facts) if nominal else {}
    found: dict[str, _Imported] = {}
    for index, entry in enumerate(facts.imports):
        if not entry.is_inner:
            names = found.setdefault(entry.specifier, _Imported(entry, {})).names
            places = taken.get(index, {})
            if nominal:
                places = {name: written.get((entry.specifier, name), entry.position) for name in entry.names}
            for name in sorted(places):
                if name != _ALL:
                    names.setdefault(name, places[name])
    return found


def _written_places(facts: FileFacts) -> dict[tuple[str, str], int]:
    """Return the offset of the first import of each name in a file of a nominal language, by specifier and name."""
    found: dict[tuple[str, str], int] = {}
    for decl in facts.decls:
        if decl.kind == DeclKind.IMPORT and decl.a >= 0 and decl.b >= 0:
            found.setdefault((facts.strings[decl.a], facts.strings[decl.b]), decl.position)
    return found


def _must_exist(state: TreeState, path: str, entry: Import, line: int) -> bool:
    """Return whether the file of an import must exist. An import in an indented block may be optional, as in `try`."""
    if (
        language_of(path) not in MODULES
        or not entry.specifier.startswith(".")
        or entry.deferred
        or entry.form not in ("import", "export")
    ):
        return False
    lines = (state.files.read(path) or b"").split(b"\n")
    return line <= len(lines) and not lines[line - 1][:1].isspace()
