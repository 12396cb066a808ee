"""Run the requested checks, and return findings within limits and budget. Counts include findings that are not shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.files import file_problems
from ...graphdb.queries.map import FileEntry, all_files, import_links
from ...schema.errors import UsageError
from ...schema.languages import DOCUMENTS, WITH_KNOWN_USES, is_resolved_path
from ..lookup.notebook_places import places_by_cell
from ..lookup.path_hints import what_would_match
from ..query.path_filter import path_filter
from ..text.json_budget import fitting, json_length, measured
from ..text_search.indexed_text import IndexedTexts
from .clones import clone_groups, named_fragments
from .cycle_findings import circular_dependencies
from .data_findings import data_findings
from .dead_code import DeadCodeFound, counts_by_kind, dead_code
from .dead_code.generated_code import generated_files
from .document_findings import document_findings
from .drift.lost_components import lost_components
from .drift.lost_terms import lost_terms
from .drift.misspelled_terms import misspelled_terms
from .drift.undeclared_terms import undeclared_terms
from .drift.unmentioned_exports import unmentioned_exports
from .model.findings import CircularDependency, CloneGroup, DeadCode, Diagnostic, NotKnown
from .model.request import SEVERITIES, LintRequest
from .records import LintAnswer, LintSummary
from .schema_differences import schema_differences

#: Number of characters of a token.
_CHARACTERS = 4
#: JSON around the list of notebook cells. Only the length of this text is used.
_CELLS = '"cells":,'
#: The language of notebooks.
_NOTEBOOKS = "notebook"
#: JSON of the number of tokens. Only the length of this text is used.
_TOKENS = '"tokens":0000000,'
#: Last sentence of the note about omitted findings.
_ADVICE = ": give a scope, or raise the limit or the budget."
#: Maximum share of the room for findings that the list "imports to break first" may use.
_BREAK_FIRST = 0.2
#: Maximum number of listed members in a group of duplicates. Further members are only counted.
_MAX_MEMBERS = 8

Finding = TypeVar("Finding", Diagnostic, DeadCode, NotKnown, CloneGroup, CircularDependency)


def compose_lint(graph: GraphDatabase, texts: Callable[[], IndexedTexts], request: LintRequest, seconds: float) -> LintAnswer:
    """Return the findings. The search for duplicates takes at most `seconds`. Raises UsageError."""
    files = all_files(graph)
    admits = _admission(graph, request, files)
    notes: list[str] = []
    diagnostics = _diagnostics(graph, texts, request, files, notes) if request.wants("errors", "warnings", "hints") else None
    dead = _dead_code(graph, texts, request, admits, files, notes) if request.wants("dead-code") else None
    groups = _duplicates(graph, texts, request, admits, seconds, notes) if request.wants("duplicates") else None
    circles, proposed = circular_dependencies(import_links(graph), admits) if request.wants("circular-deps") else (None, [])
    summary = _summary(request, diagnostics, dead, groups, circles)
    empty = LintAnswer(summary, break_first=tuple(proposed))
    room = request.budget * _CHARACTERS
    answer = _Fitting(request, notes, room).answer(empty, diagnostics, dead, groups, circles)
    cells = places_by_cell(graph, answer)
    if cells and json_length(answer) + json_length(cells) + len(_CELLS) > room:
        # The second answer has fewer findings, so its cells fit the reserved room.
        room -= json_length(cells) + len(_CELLS)
        answer = _Fitting(request, notes, room).answer(empty, diagnostics, dead, groups, circles)
        cells = places_by_cell(graph, answer)
    return measured(msgspec.structs.replace(answer, cells=cells, tokens=0)) if cells else answer


def _summary(
    request: LintRequest,
    diagnostics: list[Diagnostic] | None,
    dead: DeadCodeFound | None,
    groups: list[CloneGroup] | None,
    circles: list[CircularDependency] | None,
) -> LintSummary:
    made = LintSummary(
        total_dead_code=None if dead is None else len(dead.dead),
        total_not_known=None if dead is None else len(dead.not_known),
        total_generated=None if dead is None else dead.generated,
        total_duplicate_groups=None if groups is None else len(groups),
        total_circular_deps=None if circles is None else len(circles),
        dead_code_by_kind=dict(counts_by_kind(dead.dead if dead else ())),
        entry_points=None if dead is None else len(request.entries),
    )
    if diagnostics is None:
        return made
    found = Counter(each.severity for each in diagnostics)
    return msgspec.structs.replace(
        made,
        total_errors=found["error"],
        total_warnings=found["warning"],
        total_hints=found["hint"] + found["info"],
        by_severity={severity: found[severity] for severity in SEVERITIES},
    )


def _admission(graph: GraphDatabase, request: LintRequest, files: Iterable[FileEntry]) -> Callable[[str], bool]:
    within = path_filter(request.scope)
    known = [file for file in files if within(file.path)]
    if request.scope and not known:
        raise UsageError(f'No indexed file matches the scope "{request.scope}".{what_would_match(graph, [request.scope])}')
    admitted = {file.path for file in known if not (request.exclude_tests and file.is_test)}
    return admitted.__contains__


def _dead_code(
    graph: GraphDatabase,
    texts: Callable[[], IndexedTexts],
    request: LintRequest,
    admits: Callable[[str], bool],
    files: Sequence[FileEntry],
    notes: list[str],
) -> DeadCodeFound | None:
    """Return the dead code.

    Returns None if no file of the request has a language whose uses are resolved. An empty list would mean that there is no dead
    code.
    """
    looked_at = {file.language for file in files if admits(file.path)} - DOCUMENTS
    if _NOTEBOOKS in looked_at:
        notes.append("Dead code is not looked for in notebooks, because people run their cells.")
    if unknown := sorted(looked_at - WITH_KNOWN_USES - {_NOTEBOOKS}):
        notes.append(f"Dead code is not looked for in {', '.join(unknown)}: the index has outlines of it, without uses.")
    return dead_code(graph, texts(), request, files, admits) if looked_at & WITH_KNOWN_USES or not looked_at else None


def _diagnostics(
    graph: GraphDatabase,
    texts: Callable[[], IndexedTexts],
    request: LintRequest,
    files: Iterable[FileEntry],
    notes: list[str],
) -> list[Diagnostic]:
    """Return problems of the parser, the compiler, documents and tables: errors first, by file and line.

    Problems in tests are included.
    """
    within = path_filter(request.scope)
    found = [
        # In a syntax-only language, code that the grammar cannot parse may be correct, such as macros of C.
        Diagnostic(each.file, each.line, "error" if is_resolved_path(each.file) else "info", each.reason, "astrolabe")
        for each in file_problems(graph)
    ]
    found += request.compiler
    lost = lost_terms(graph, texts(), request.terms) if request.terms is not None else []
    removed = [each.diagnostic() for each in lost]
    if request.checkout is not None:
        told = {(each.code.path, each.code.line, each.term.name) for each in lost}
        found += document_findings(graph, texts, request.checkout, request.terms, told)
    found += lost_components(graph, texts)
    found += unmentioned_exports(graph, texts)
    unknown = [*undeclared_terms(graph, texts, request.terms)]
    if request.terms is not None:
        unknown += misspelled_terms(texts(), request.terms)
    places = {(each.file, each.line, each.column) for each in removed}
    found += removed
    found += (each for each in unknown if (each.file, each.line, each.column) not in places)
    found += data_findings(graph, texts)
    found += schema_differences(graph)
    if request.compiler_note and any(is_resolved_path(file.path) for file in files):
        notes.append(request.compiler_note)
    wanted = set(SEVERITIES) if "all" in request.severity_filter else set(request.severity_filter)
    if "all" not in request.checks:
        named = {"errors": {"error"}, "warnings": {"warning"}, "hints": {"info", "hint"}}
        wanted &= {severity for check, severities in named.items() if check in request.checks for severity in severities}
    kept = [each for each in found if each.severity in wanted and within(each.file)]
    return sorted(kept, key=lambda each: (SEVERITIES.index(each.severity), each.file, each.line, each.column))


def _duplicates(
    graph: GraphDatabase,
    texts: Callable[[], IndexedTexts],
    request: LintRequest,
    admits: Callable[[str], bool],
    seconds: float,
    notes: list[str],
) -> list[CloneGroup]:
    """Return groups of code that repeats itself. Nobody edits generated files and copies of other packages by hand."""
    made = set() if request.include_generated else generated_files(texts(), texts(), request.marked_generated)

    def compares(path: str) -> bool:
        return path not in made and admits(path)

    groups, complete = clone_groups(graph, texts(), request.duplicate_kinds, request.duplicate_threshold, compares, seconds)
    if not complete:
        notes.append("The time for duplicates ran out: there may be more. Give a scope.")
    return [*named_fragments(graph, groups[: request.limit]), *groups[request.limit :]]


def _first_members(group: CloneGroup) -> CloneGroup:
    """Return a group with only its first members. A hundred copies would take the room of all other groups."""
    more = len(group.members) - _MAX_MEMBERS
    return msgspec.structs.replace(group, members=group.members[:_MAX_MEMBERS], more_members=more) if more > 0 else group


class _Fitting:
    """Divides the budget among the sections. The room that is left is shared equally by the sections that still follow."""

    def __init__(self, request: LintRequest, notes: Sequence[str], room: int) -> None:
        """`room` is the number of characters of the whole answer."""
        self._limit = request.limit
        self._room = room
        self._notes = list(notes)
        #: Omitted findings as phrases, such as `3 more circles`.
        self._left_out: list[str] = []

    def answer(
        self,
        empty: LintAnswer,
        diagnostics: list[Diagnostic] | None,
        dead: DeadCodeFound | None,
        groups: list[CloneGroup] | None,
        circles: list[CircularDependency] | None,
    ) -> LintAnswer:
        proposed = empty.break_first
        empty = msgspec.structs.replace(empty, break_first=(), notes=tuple(self._notes))
        without = msgspec.structs.replace(empty, diagnostics=(), dead_code=(), duplicates=(), circular_deps=(), not_known=())
        self._room -= json_length(without) + len(_TOKENS) + len(_ADVICE)
        kept, used = fitting(proposed, int(self._room * _BREAK_FIRST))
        self._room -= used
        empty = msgspec.structs.replace(empty, break_first=tuple(kept))
        self._sections = sum(section is not None for section in (diagnostics, dead, groups, circles)) + bool(
            dead and dead.not_known
        )
        made = msgspec.structs.replace(
            empty,
            diagnostics=self._within_share(diagnostics, "diagnostics"),
            dead_code=self._within_share(dead and dead.dead, "dead declarations"),
            duplicates=self._within_share(groups and [_first_members(group) for group in groups], "groups of duplicates"),
            circular_deps=self._within_share(circles, "circles"),
            not_known=self._within_share((dead and dead.not_known) or None, "declarations of which it is not known"),
        )
        told = [f"{', '.join(self._left_out)}{_ADVICE}"] if self._left_out else []
        return measured(msgspec.structs.replace(made, notes=(*self._notes, *told)))

    def _within_share(self, found: Sequence[Finding] | None, what: str) -> tuple[Finding, ...] | None:
        if found is None:
            return None
        share = self._room // self._sections
        self._sections -= 1
        shown, used = fitting(found[: self._limit], share)
        if len(shown) < len(found):
            told = len(_left_out(len(found), what)) + 2
            shown, used = fitting(found[: self._limit], share - told)
            self._left_out.append(_left_out(len(found) - len(shown), what))
            used += told
        self._room -= used
        return tuple(shown)


def _left_out(count: int, what: str) -> str:
    return f"{count:,} more {what}"
