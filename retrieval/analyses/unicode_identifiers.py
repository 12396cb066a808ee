"""Names beyond ASCII: their scripts, names that look the same, and invisible characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.effects import unicode_names, unicode_names_in
from ...graphdb.queries.map import all_files
from ...schema import edges
from ...schema.languages import RESOLVED
from .subject import Analysis, EmptyReason, FileSubject, Subject, counted, none_of

_SEVERITIES = ("critical", "warning", "info")


@dataclass(frozen=True, slots=True)
class UnicodeIdentifier:
    """A declared name with characters beyond ASCII, or a character that changes the direction of text (kind "character")."""

    name: str
    kind: str
    file: str
    line: int
    column: int
    #: file, function:name, class:name, interface:name, enum:name or namespace:name.
    scope: str
    scripts: tuple[str, ...]
    #: Whether the name has several scripts that are not normally written together.
    is_mixed_script: bool
    has_zero_width: bool
    has_bidi: bool
    #: The name in normal form C.
    normalized: str
    #: Names of the same file that look the same.
    confusable_with: tuple[str, ...]
    #: Why the severity is above "info"; None for "info".
    reason: str | None
    severity: Literal["info", "warning", "critical"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnicodeIdentifiers(Analysis):
    """The names beyond ASCII of a file in source order, or of a workspace with the most severe first."""

    identifiers: tuple[UnicodeIdentifier, ...] = ()

    @property
    def title(self) -> str:
        counts = [(severity, sum(each.severity == severity for each in self.identifiers)) for severity in _SEVERITIES]
        shown = ", ".join(f"{count} {severity}" for severity, count in counts if count)
        return f"{self.subject.label}: {counted(len(self.identifiers), 'name')} beyond ASCII{f' ({shown})' if shown else ''}"

    def lines(self) -> list[str]:
        """Return one line for each name, with invisible characters as escapes."""
        return [_line(each) for each in self.identifiers]


def unicode_identifiers(graph: GraphDatabase) -> UnicodeIdentifiers:
    """Return all names beyond ASCII of the workspace."""
    found = sorted(_identifiers(unicode_names(graph)), key=lambda each: _SEVERITIES.index(each.severity))
    subject, unread = Subject("the workspace", ()), sorted({file.language for file in all_files(graph)} - RESOLVED)
    if unread and not found:
        message = f"None is known, but names in {' and '.join(unread)} files are not looked at."
        return UnicodeIdentifiers(subject=subject, nothing=EmptyReason("unresolved", message))
    return _answer(subject, found)


def file_unicode_identifiers(graph: GraphDatabase, subject: FileSubject) -> UnicodeIdentifiers:
    """Return the names beyond ASCII that a file declares."""
    if subject.nothing is not None:
        return UnicodeIdentifiers(subject=subject, nothing=subject.nothing)
    return _answer(subject, _identifiers(unicode_names_in(graph, subject.paths)))


def _answer(subject: Subject | FileSubject, found: Iterable[UnicodeIdentifier]) -> UnicodeIdentifiers:
    identifiers = tuple(found)
    empty = none_of(subject, "Every declared name is plain ASCII, and nothing changes the direction of text.")
    return UnicodeIdentifiers(subject=subject, identifiers=identifiers, nothing=None if identifiers else empty)


def _identifiers(names: Iterable[edges.UnicodeIdentifier]) -> list[UnicodeIdentifier]:
    return [
        UnicodeIdentifier(
            each.name,
            each.kind,
            each.from_path,
            each.line,
            each.start_column,
            each.scope,
            each.scripts,
            each.mixed_script,
            each.zero_width,
            each.bidi,
            each.normalized,
            each.confusable_with,
            each.reason or None,
            "critical" if each.severity == "critical" else "warning" if each.severity == "warning" else "info",
        )
        for each in names
    ]


def _line(each: UnicodeIdentifier) -> str:
    name = "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in each.name)
    where = f"{each.file}:{each.line}"
    why = each.reason or ", ".join(each.scripts)
    return f"  {each.severity} {where} {each.kind} {name} in {each.scope}: {why}"
