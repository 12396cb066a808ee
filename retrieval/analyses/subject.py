"""The subject of an analysis, the base class of all analyses, and the reasons for an empty answer."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Final, Literal

from ...graphdb.queries.calls import UnresolvedSites
from ...graphdb.queries.files import FileDetails
from ...schema.languages import DATA, DOCUMENTS, PARTLY_RESOLVED, WITH_KNOWN_USES, language_of_indexed
from ...schema.records import Symbol, SymbolRef

#: Why an answer is empty. none: there are no results, and all sites are resolved. unresolved: no results are known, but sites
#: with the symbol's name, or the whole language, are not resolved. notApplicable: symbols of this kind never have such results.
#: related: only members that override the same base members have results. ambiguous, notFound, notIndexed: the request does not
#: name exactly one indexed symbol or file.
EmptyReasonKind = Literal["none", "unresolved", "related", "notApplicable", "ambiguous", "notFound", "notIndexed"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A symbol that the request may mean, with a symbol path that names only this symbol."""

    symbol: SymbolRef
    path: str


@dataclass(frozen=True, slots=True)
class EmptyReason:
    """Why an answer is empty."""

    kind: EmptyReasonKind
    #: A sentence for users.
    message: str
    #: Symbols with an ambiguous name, symbols with names similar to an unknown name, or related members.
    candidates: tuple[Candidate, ...] = ()
    #: For the kind "unresolved": the unresolved sites, each of which may be a further result.
    unresolved: UnresolvedSites | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """The symbol that an analysis examines."""

    #: The symbol as the request names it.
    requested: str
    #: The declarations of the symbol, the main declaration first. There are several if TypeScript merges declarations, or if a
    #: type and a value share the name. There are none if `nothing` gives a reason.
    declarations: tuple[Symbol, ...]
    nothing: EmptyReason | None = None

    @property
    def ids(self) -> list[str]:
        """Ids of the declarations."""
        return [symbol.id for symbol in self.declarations]

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of the declarations."""
        return frozenset(symbol.kind for symbol in self.declarations)

    @property
    def label(self) -> str:
        """`Parent.name (path:line)`, or the requested name if there is no such symbol."""
        if not self.declarations:
            return self.requested
        main = self.declarations[0]
        return f"{main.qualified_name} ({main.relative_path}:{main.declaration_line})"

    @property
    def name(self) -> str:
        """The name of the symbol, or the requested name if there is no such symbol."""
        return self.declarations[0].name if self.declarations else self.requested


@dataclass(frozen=True, slots=True)
class FileSubject:
    """The file that an analysis examines."""

    #: The path as the request has it.
    requested: str
    #: None if there is no such file; `nothing` then gives the reason.
    file: FileDetails | None
    nothing: EmptyReason | None = None

    @property
    def paths(self) -> list[str]:
        """The path as a list for graph queries; empty if there is no such file."""
        return [self.file.relative_path] if self.file else []

    @property
    def label(self) -> str:
        """The path, or the requested path if there is no such file."""
        return self.file.relative_path if self.file else self.requested


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Base class of all analyses: a record with a text form and, if it is empty, the reason."""

    subject: Subject | FileSubject
    #: Why the analysis is empty; None if it has results.
    nothing: EmptyReason | None = None

    @property
    def text(self) -> str:
        """The answer as text for people and agents."""
        if self.nothing is not None:
            return "\n".join([f"{self.subject.label}:", *nothing_lines(self.nothing)])
        return "\n".join([self.title, *self.lines()])

    @property
    def title(self) -> str:
        """First line of the text: the subject, and usually the number of results."""
        return self.subject.label

    def lines(self) -> list[str]:
        """Return the lines below the title of an answer that is not empty."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Return the text as escaped HTML, because a repository may contain hostile text."""
        return f"<pre>{escape(self.text)}</pre>"


#: Note that a table or a column may have uses that the index does not contain.
UNKNOWN_OF_DATA: Final = (
    "Statements that are put together while a program runs, and mappers that Astrolabe does not read, may use it."
)


#: Kinds of symbols of databases, which files of other languages may declare, such as the YAML of dbt.
_OF_DATABASES: Final = frozenset(("table", "view", "column"))


def none_of(subject: Subject | FileSubject, message: str) -> EmptyReason:
    """Return why an answer from edges is empty: there are no edges, or the language is not resolved."""
    declared = () if isinstance(subject, FileSubject) else subject.declarations
    paths = subject.paths if isinstance(subject, FileSubject) else [symbol.relative_path for symbol in declared]
    languages = {language_of_indexed(path) or "" for path in paths} - WITH_KNOWN_USES - DOCUMENTS
    if not languages:
        return EmptyReason("none", message)
    if languages <= DATA or (declared and all(symbol.kind in _OF_DATABASES for symbol in declared)):
        return EmptyReason("unresolved", f"None is known. {UNKNOWN_OF_DATA}")
    named = " and ".join(sorted(languages))
    if languages <= PARTLY_RESOLVED:
        return EmptyReason("unresolved", f"None is known, but there may be some: not all code of {named} files is resolved.")
    return EmptyReason("unresolved", f"None is known: of {named} files the index has an outline, without calls, uses and types.")


def nothing_lines(nothing: EmptyReason) -> list[str]:
    """Return the lines that explain an empty answer."""
    lines = [f"  {nothing.message}"]
    for candidate in nothing.candidates:
        symbol = candidate.symbol
        lines.append(f"    {symbol.kind} {symbol.qualified_name} {symbol.relative_path}:{symbol.start_line}   {candidate.path}")
    return lines


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def unresolved_note(sites: UnresolvedSites | None) -> str:
    """Return a sentence about unresolved sites, each of which may be a further result; "" if all sites are resolved."""
    if sites is None:
        return ""
    return f"{counted(sites.sites, 'unresolved call site')} of the name {sites.name} may be more."
