"""Find declarations and files that nothing uses, each with a reason and a confidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ....graphdb.database import GraphDatabase
from ....graphdb.queries.lint import (
    UnusedDeclaration,
    export_names,
    imports_for_effects,
    offering_nothing,
    passed_names,
    unresolved_names,
    unused_declarations,
    used_only_by,
    whole_exports,
    whole_imports,
)
from ....graphdb.queries.map import FileEntry, import_links
from ....schema.entry_reasons import HOSTED_SCRIPT, TYPE_TEST
from ....schema.languages import is_resolved_path
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import DeadCode, NotKnown
from ..model.request import DEAD_CODE_KINDS, LintRequest
from .companions import companions, with_companions
from .doubts import Doubts
from .generated_code import generated_files
from .go_code import go_dead_code
from .java_code import java_dead_code
from .namespaces import WholeImports
from .offered_exports import OutsideReaders, Twins, offered
from .python_code import python_dead_code
from .reachability import Reached, reached_files

UNREACHABLE = "no entry point reaches this file"
NOT_IMPORTED = "exported but never imported by any module"
ONLY_PASSED = "exported and re-exported, but never imported by any module"
OWN_FILE = "exported but used in its own file alone"
DESERTED = "exported but imported only by files that no entry point reaches"
PASSED_ON = "re-exported but imported from here by no module"
UNREFERENCED = "unexported and unreferenced within the file"
#: A comment, or the part of a comment that is on a single line.
_COMMENT = re.compile(rb"//.*|/\*.*?(?:\*/|$)|^\s*\*.*")
#: A decorator in the first lines of a class.
_DECORATOR = re.compile(rb"^[ \t]*@[\w(]|\bexport\s{1,9}(?:default\s{1,9})?@\w", re.MULTILINE)
#: A folder with files that tests of compilers or pages of documents read as text, such as `transforms/fixtures/`.
_OF_TEXTS = re.compile(r"(?:^|/)(?:[\w.-]{0,60}[-_])?(?:fixtures?|snippets?)(?:__)?/", re.IGNORECASE)
_TEXT_REASON = "its file is in a folder of fixtures or snippets, which tests or pages may read as text"
#: Comments that tell a linter that the declaration on the next line, or on the same line, is unused on purpose.
_NEXT_IS_KEPT = re.compile(
    rb"(?:eslint|oxlint)-disable-next-line\b.{0,200}\bno-unused-vars\b|biome-ignore\s.{0,200}\bnoUnusedVariables\b"
)
_IS_KEPT = re.compile(rb"(?:eslint|oxlint)-disable-line\b.{0,200}\bno-unused-vars\b")
#: A variable with a type, or the name of a type, that begins with an underscore.
_WITH_TYPE = re.compile(rb"\b(?:(?:const|let|var)[ \t]{1,9}_\w*[ \t]{0,9}:|type[ \t]{1,9}_\w)")
_ORDER = ("high", "medium", "low")


class DeadCodeFound(NamedTuple):
    """The result of the check."""

    dead: list[DeadCode]
    not_known: list[NotKnown]
    #: Number of findings in generated files and copies of other packages. These findings are in neither list.
    generated: int


def dead_code(
    graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, files: Collection[FileEntry], admits: Callable[[str], bool]
) -> DeadCodeFound:
    """Return all dead code in the admitted files, the most certain first, and code that may be dead.

    The declarations of a dead file have no separate findings.
    """
    tests = {file.path for file in files if file.is_test}
    python = {file.path for file in files if file.language == "python"}
    go = {file.path for file in files if file.language == "go"}
    java = {file.path for file in files if file.language == "java"}
    files = [file for file in files if is_resolved_path(file.path)]  # other languages have no resolved uses
    paths = {file.path for file in files}
    request = replace(request, entries=with_companions(request.entries, companions(paths)))
    reached = reached_files(graph, texts, request, paths)
    checked = paths | python | go | java
    generated = set() if request.include_generated else generated_files(texts, checked, request.marked_generated)
    wanted = _kind_filter(request.dead_code_kinds)
    found = [
        *_Check(graph, texts, request, files, reached).findings(),
        *python_dead_code(graph, texts, request, python, tests),
        *go_dead_code(graph, texts, request, go),
        *java_dead_code(graph, texts, request, java),
    ]
    kept = [each for each in found if admits(each.file) and wanted(each)]
    shown = [each for each in kept if each.file not in generated]
    dead = [each for each in shown if isinstance(each, DeadCode)]
    not_known = [each for each in shown if isinstance(each, NotKnown)]
    return DeadCodeFound(
        sorted(dead, key=lambda each: (_ORDER.index(each.confidence), each.file, each.line, each.symbol)),
        sorted(not_known, key=lambda each: (each.kind != "file", each.file, each.line, each.symbol)),
        sum(isinstance(each, DeadCode) for each in kept) - len(dead),
    )


class _Check:
    """The check of all files, with its data."""

    def __init__(
        self, graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, files: Sequence[FileEntry], reached: Reached
    ) -> None:
        self._graph = graph
        self._texts = texts
        #: Lines of files, and the same lines without comments, by path.
        self._whole_lines: dict[str, list[bytes]] = {}
        self._lines: dict[str, list[bytes]] = {}
        self._reached = reached
        self._paths = {file.path for file in files}
        self._dead_files = {path for path in self._paths if path not in reached.live and path not in reached.possible}
        self._readers = OutsideReaders(request, whole_exports(graph))
        self._twins = Twins(reached.companions, unused_declarations(graph), export_names(graph))
        self._doubts = Doubts(texts, reached, request.unread, offering_nothing(graph))
        tests = {file.path for file in files if file.is_test}
        #: Files whose declarations are not checked: dead files, and type tests and scripts, whose declarations need no uses.
        unchecked = {path for path, reason in request.entries.items() if reason in (TYPE_TEST, HOSTED_SCRIPT)}
        self._unchecked = self._dead_files | unchecked
        imported = {link.to_path for link in import_links(graph)}
        #: Files that a path loads. A test that names a file usually only checks it, unless nothing imports the file.
        self._by_path = {link.to_path for link in reached.loaded if link.from_path not in tests or link.to_path not in imported}
        self._for_effects = imports_for_effects(graph)
        self._whole = WholeImports(texts, whole_imports(graph), self._by_path)

    def findings(self) -> Iterator[DeadCode | NotKnown]:
        yield from map(_file, self._dead_files)
        for path, reason in self._reached.possible.items():
            if path in self._paths:
                yield NotKnown(path.rpartition("/")[2], "file", path, 1, reason)
        yield from self._unused()
        yield from self._deserted()
        yield from self._passed()

    def _counts(self, declaration: UnusedDeclaration) -> bool:
        if declaration.path not in self._paths or declaration.path in self._unchecked:
            return False
        return not any(self._readers.read(path, name) for path, name in offered(declaration))

    def _unused(self) -> Iterator[DeadCode | NotKnown]:
        candidates = [each for each in unused_declarations(self._graph) if self._counts(each) and not self._twins.use(each)]
        named, needed = unresolved_names(self._graph), _types_in_used_signatures(candidates)
        for each in candidates:
            if self._is_loaded_lazily(each) or self._is_used_by_own_value(each):
                continue
            is_named = each.name in named or (not each.exported and self._is_written_elsewhere(each))
            yield self._doubted(each) or _declaration(each, is_named, each.id in needed)

    def _whole_forms(self, declaration: UnusedDeclaration) -> list[str]:
        """Return the forms in which the files that export a declaration are imported as a whole.

        Such an import may use the declaration.
        """
        return sorted({form for path, name in offered(declaration) for form in self._whole.forms_of(path, name)})

    def _is_loaded_lazily(self, declaration: UnusedDeclaration) -> bool:
        """Return whether the declaration is the default export of a file that `import()` loads, as routers and `lazy` do."""
        return any(name == "default" and "dynamic" in self._whole.forms_of(path, name) for path, name in declaration.offered_as)

    def _is_used_by_name(self, declaration: UnusedDeclaration) -> bool:
        """Return whether other code of the same file calls, renders or spreads a value with the declaration's name."""
        name = re.escape(declaration.name.encode())
        use = re.compile(
            rb"<" + name + rb"(?:[\s/>]|$)|\.\.\." + name + rb"(?![\w$])"
            rb"|(?<![\w$.])(?<!function )" + name + rb"\((?![^()]*\)\s*\{)"
        )
        return any(map(use.search, self._lines_around(declaration)))

    def _is_used_by_own_value(self, declaration: UnusedDeclaration) -> bool:
        """Return whether only the value of a variable uses the variable: `const stop = on(() => stop())`."""
        if declaration.exported or declaration.kind not in ("const", "variable"):
            return False
        first, last = declaration.lines
        name = _written(declaration)
        return sum(len(name.findall(line)) for line in self._code_of(declaration.path)[first - 1 : last]) > 1

    def _is_decorated(self, declaration: UnusedDeclaration) -> bool:
        """Return whether the declaration is a class with a decorator, which may register the class."""
        first, _ = declaration.lines
        lines = self._lines_of(declaration.path)[first - 1 : declaration.line]
        return declaration.kind == "class" and _DECORATOR.search(b"\n".join(lines)) is not None

    def _is_kept(self, declaration: UnusedDeclaration) -> bool:
        """Return whether a comment on the line of a declaration, or above it, tells a linter that it is unused on purpose."""
        own = declaration.line - 1
        above = min(declaration.lines[0] - 1, max(0, own - 1))  # the lines of a declaration begin with its comment
        lines = self._lines_of(declaration.path)
        return any(map(_NEXT_IS_KEPT.search, lines[above:own])) or any(map(_IS_KEPT.search, lines[own : own + 1]))

    def _is_compiled(self, declaration: UnusedDeclaration) -> bool:
        """Return whether an unexported declaration may only be there for the compiler: `const _keys: Keys = table`."""
        if declaration.exported or not declaration.name.startswith("_"):
            return False
        own = declaration.line - 1
        return any(map(_WITH_TYPE.search, self._lines_of(declaration.path)[own : own + 1]))

    def _lines_of(self, path: str) -> list[bytes]:
        if path not in self._whole_lines:
            self._whole_lines[path] = self._texts[path].text.split(b"\n") if path in self._texts else []
        return self._whole_lines[path]

    def _code_of(self, path: str) -> list[bytes]:
        """Return the lines of a file without comments."""
        if path not in self._lines:
            self._lines[path] = [_COMMENT.sub(b"", line) for line in self._lines_of(path)]
        return self._lines[path]

    def _lines_around(self, declaration: UnusedDeclaration) -> list[bytes]:
        """Return the lines of the file outside of a declaration, without comments."""
        lines, (first, last) = self._code_of(declaration.path), declaration.lines
        return [*lines[: first - 1], *lines[last:]]

    def _is_written_elsewhere(self, declaration: UnusedDeclaration) -> bool:
        """Return whether the declaration's name occurs in the rest of its file, as a local name or in unresolved syntax."""
        return any(map(_written(declaration).search, self._lines_around(declaration)))

    def _deserted(self) -> Iterator[DeadCode | NotKnown]:
        for each in used_only_by(self._graph, self._dead_files) if self._dead_files else ():
            if self._counts(each):
                confidence = "low" if each.is_public else "medium"
                yield self._doubted(each) or DeadCode(each.name, each.kind, each.path, each.line, DESERTED, confidence)

    def _passed(self) -> Iterator[DeadCode | NotKnown]:
        for each in passed_names(self._graph):
            if (
                each.path not in self._paths
                or each.path in self._dead_files
                or each.path in self._by_path
                or self._readers.read(each.path, each.name)
            ):
                continue
            if reason := self._doubts.about_export(each.path, each.name):
                yield NotKnown(each.name, "re-export", each.path, each.line, reason)
            else:
                yield DeadCode(each.name, "re-export", each.path, each.line, PASSED_ON, "high")

    def _doubted(self, declaration: UnusedDeclaration) -> NotKnown | None:
        reason = self._doubts.about(declaration)
        if reason is None and not declaration.exported and self._is_used_by_name(declaration):
            reason = "its file uses a value of its name, which is not resolved to it"
        if reason is None and not declaration.exported and _OF_TEXTS.search(declaration.path):
            reason = _TEXT_REASON
        if reason is None and self._is_compiled(declaration):
            reason = "its name begins with an underscore, and the compiler may check its type"
        if reason is None and self._is_kept(declaration):
            reason = "a comment tells a linter that it is unused on purpose"
        if reason is None and declaration.exported and (forms := self._whole_forms(declaration)):
            reason = f"its file is imported as a whole ({', '.join(forms)}), and may be used through this import"
        if reason is None and declaration.path in self._for_effects and self._is_decorated(declaration):
            reason = f"its decorator may register it, and {self._for_effects[declaration.path]} imports its file without a name"
        if reason is None:
            return None
        return NotKnown(declaration.name, declaration.kind, declaration.path, declaration.line, reason)


def _written(declaration: UnusedDeclaration) -> re.Pattern[bytes]:
    """Return the pattern of the declaration's name as a local name, also behind the dots of a spread."""
    name = re.escape(declaration.name.encode())
    return re.compile(rb"(?<![\w$.])" + name + rb"(?![\w$])|\.\.\." + name)


def kind_of(dead: DeadCode | NotKnown) -> str:
    """Return the key of `DEAD_CODE_KINDS` for a finding: "exports" for a needless export, otherwise the key of its kind."""
    if dead.reason.startswith((NOT_IMPORTED, ONLY_PASSED, OWN_FILE, DESERTED, PASSED_ON)):
        return "exports"
    return next(name for name, kinds in DEAD_CODE_KINDS.items() if dead.kind in kinds)


def _types_in_used_signatures(unused: Collection[UnusedDeclaration]) -> set[str]:
    """Return the ids of exported types in signatures of used declarations. Users of such a declaration may have to name the
    types.
    """
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


def _kind_filter(kinds: Collection[str]) -> Callable[[DeadCode | NotKnown], bool]:
    if "all" in kinds:
        return lambda _: True
    admitted = {kind for name in kinds for kind in DEAD_CODE_KINDS[name]}
    return lambda dead: dead.kind in admitted or ("exports" in kinds and kind_of(dead) == "exports")


def _file(path: str) -> DeadCode | NotKnown:
    name = path.rpartition("/")[2]
    if _OF_TEXTS.search(path):
        return NotKnown(name, "file", path, 1, _TEXT_REASON)
    return DeadCode(name, "file", path, 1, UNREACHABLE, "medium")


def _declaration(declaration: UnusedDeclaration, is_named: bool, is_needed: bool) -> DeadCode:
    is_passed = any(path != declaration.path for path, _ in declaration.offered_as)
    not_imported = ONLY_PASSED if is_passed else NOT_IMPORTED
    reason = UNREFERENCED if not declaration.exported else OWN_FILE if declaration.used_within else not_imported
    confidence = "medium" if is_named else "high"
    if is_needed:
        reason, confidence = f"{OWN_FILE}, as part of what {', '.join(declaration.part_of[:3])} shows", "low"
    if declaration.exported and declaration.is_public:
        reason, confidence = f"{reason}, but its doc comment says that it is public", "low"
    return DeadCode(declaration.name, declaration.kind, declaration.path, declaration.line, reason, confidence)


def counts_by_kind(found: Iterable[DeadCode]) -> Mapping[str, int]:
    """Findings by kind."""
    counts: dict[str, int] = {}
    for dead in found:
        counts[kind_of(dead)] = counts.get(kind_of(dead), 0) + 1
    return counts
