"""Declarations and files that nothing uses, each with the reason and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.lint import (
    UnusedDeclaration,
    passed_names,
    unresolved_names,
    unused_declarations,
    used_only_by,
    whole_exports,
    whole_imports,
    written_imports,
)
from ...graphdb.queries.map import FileEntry, ImportLink, import_links
from ...schema.languages import is_resolved_path
from ..text_search.indexed_text import IndexedTexts
from .loaded_files import loading_links, written_links
from .namespaces import WholeImports
from .records import DEAD_CODE_KINDS, DeadCode, LintRequest

UNREACHABLE = "no entry point leads to this file"
NOT_IMPORTED = "exported but never imported by any module"
OWN_FILE = "exported but used in its own file alone"
DESERTED = "exported but imported only by files that no entry point leads to"
PASSED_ON = "re-exported but imported from here by no module"
UNREFERENCED = "unexported and unreferenced within the file"
#: The reason of entry points that are read by tools.
CONFIGURATION = "configuration"
_ORDER = ("high", "medium", "low")


def dead_code(
    graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, files: Collection[FileEntry], admits: Callable[[str], bool]
) -> list[DeadCode]:
    """Everything dead in the admitted files, the surest first. Declarations in a file that is dead are part of it."""
    configurations = [path for path, reason in request.entries.items() if reason == CONFIGURATION]
    files = [file for file in files if is_resolved_path(file.path)]  # of others no use is known
    paths = {file.path for file in files}
    loaded = [*loading_links(texts, paths, configurations), *written_links(paths, written_imports(graph))]
    live = reachable(request.entries, [*import_links(graph), *loaded])
    dead_files = {file.path for file in files if file.path not in live}
    found = [_file(path) for path in sorted(dead_files) if admits(path)]
    published = _published(request.entries, whole_exports(graph))
    tests = {file.path for file in files if file.is_test}
    by_path = {link.to_path for link in loaded if link.from_path not in tests}

    def counts(declaration: UnusedDeclaration) -> bool:
        if declaration.path not in paths:
            return False
        offers = (declaration.path, *declaration.offered_by) if declaration.exported else ()
        return admits(declaration.path) and declaration.path not in dead_files and not any(path in published for path in offers)

    candidates = [declaration for declaration in unused_declarations(graph) if counts(declaration)]
    deserted = [declaration for declaration in used_only_by(graph, dead_files) if counts(declaration)] if dead_files else []
    named, whole = unresolved_names(graph), WholeImports(texts, whole_imports(graph), by_path)
    needed = _needed(candidates)
    found += [
        _declaration(declaration, named, whole.forms_of(declaration.path, declaration.name), declaration.id in needed)
        for declaration in candidates
    ]
    found += [
        DeadCode(each.name, each.kind, each.path, each.line, DESERTED, "low" if is_unsure else "medium")
        for each in deserted
        for is_unsure in (each.is_public or bool(whole.forms_of(each.path, each.name)),)
    ]
    found += [
        DeadCode(passed.name, "re-export", passed.path, passed.line, PASSED_ON, "high")
        for passed in passed_names(graph)
        if passed.path not in published | by_path and passed.path not in dead_files and admits(passed.path)
    ]
    wanted = _wanted(request.dead_code_kinds)
    kept = [dead for dead in found if wanted(dead)]
    return sorted(kept, key=lambda dead: (_ORDER.index(dead.confidence), dead.file, dead.line, dead.symbol))


def reachable(entries: Iterable[str], links: Iterable[ImportLink]) -> set[str]:
    """The entries and every file that their imports lead to."""
    imports: dict[str, list[str]] = {}
    for link in links:
        imports.setdefault(link.from_path, []).append(link.to_path)
    found = set(entries)
    pending = list(found)
    while pending:
        for target in imports.get(pending.pop(), ()):
            if target not in found:
                found.add(target)
                pending.append(target)
    return found


def _published(entries: Iterable[str], whole: Mapping[str, Sequence[str]]) -> set[str]:
    """The entries and the files that they export as a whole, directly or through others."""
    found = set(entries)
    pending = list(found)
    while pending:
        new = [path for path in whole.get(pending.pop(), ()) if path not in found]
        found.update(new)
        pending += new
    return found


def kind_of(dead: DeadCode) -> str:
    """The key of `DEAD_CODE_KINDS` under which a finding is counted: an export as such, the rest by what it is."""
    if dead.reason.startswith((NOT_IMPORTED, OWN_FILE, DESERTED, PASSED_ON)):
        return "exports"
    return next(name for name, kinds in DEAD_CODE_KINDS.items() if dead.kind in kinds)


def _needed(unused: Collection[UnusedDeclaration]) -> set[str]:
    """Exported types that are part of the surface of a declaration that is used: whoever uses that may have to name them."""
    alone = {(declaration.path, declaration.name): declaration for declaration in unused}
    needed: set[str] = set()
    while True:
        more = {
            declaration.id
            for declaration in unused
            if declaration.exported
            and declaration.id not in needed
            and any((user := alone.get((declaration.path, name))) is None or user.id in needed for name in declaration.part_of)
        }
        if not more:
            return needed
        needed |= more


def _wanted(kinds: Collection[str]) -> Callable[[DeadCode], bool]:
    if "all" in kinds:
        return lambda _: True
    admitted = {kind for name in kinds for kind in DEAD_CODE_KINDS[name]}
    return lambda dead: dead.kind in admitted or ("exports" in kinds and kind_of(dead) == "exports")


def _file(path: str) -> DeadCode:
    return DeadCode(path.rpartition("/")[2], "file", path, 1, UNREACHABLE, "medium")


def _declaration(declaration: UnusedDeclaration, named: Collection[str], whole: Collection[str], is_needed: bool) -> DeadCode:
    reason = UNREFERENCED if not declaration.exported else OWN_FILE if declaration.used_within else NOT_IMPORTED
    confidence = "medium" if declaration.name in named else "high"
    if is_needed:
        reason, confidence = f"{OWN_FILE}, as part of what {', '.join(declaration.part_of[:3])} shows", "low"
    if declaration.exported and whole:
        reason, confidence = f"{reason}, but its file is imported as a whole ({', '.join(whole)})", "low"
    if declaration.exported and declaration.is_public:
        reason, confidence = f"{reason}, but its doc comment says that it is public", "low"
    return DeadCode(declaration.name, declaration.kind, declaration.path, declaration.line, reason, confidence)


def counts_by_kind(found: Iterable[DeadCode]) -> Mapping[str, int]:
    """Findings by kind."""
    counts: dict[str, int] = {}
    for dead in found:
        counts[kind_of(dead)] = counts.get(kind_of(dead), 0) + 1
    return counts
