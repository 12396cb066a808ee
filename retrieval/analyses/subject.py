"""What an analysis is about, and the kinds of nothing that it may find."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

from ...graphdb.queries.calls import UnresolvedSites
from ...graphdb.queries.files import FileDetails
from ...schema.languages import RESOLVED, language_of
from ...schema.records import Symbol, SymbolRef

#: none: there is none, and every site is resolved. unresolved: none is known, but sites of that name are not resolved, or the
#: code of the language is not.
#: notApplicable: symbols of this kind have none. ambiguous, notFound, notIndexed: what was asked about is not one symbol.
EmptyReasonKind = Literal["none", "unresolved", "notApplicable", "ambiguous", "notFound", "notIndexed"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A symbol that may have been meant, and the path that names it alone."""

    symbol: SymbolRef
    path: str


@dataclass(frozen=True, slots=True)
class EmptyReason:
    """Why an answer is empty."""

    kind: EmptyReasonKind
    #: A sentence for people.
    message: str
    #: Of an ambiguous name all that it names, of an unknown one what is spelt like it.
    candidates: tuple[Candidate, ...] = ()
    #: Of "unresolved", the sites that may be what was looked for.
    unresolved: UnresolvedSites | None = None


@dataclass(frozen=True, slots=True)
class Subject:
    """The symbol that an analysis is about."""

    #: As it was asked for.
    requested: str
    #: Its declarations, the main one first: several where TypeScript merges them or a type and a value share the name.
    #: Empty when `nothing` says why there is no such symbol.
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
        """`Parent.name (path:line)`, or what was asked for."""
        if not self.declarations:
            return self.requested
        main = self.declarations[0]
        return f"{main.qualified_name} ({main.relative_path}:{main.declaration_line})"

    @property
    def name(self) -> str:
        """The symbol's name, or what was asked for."""
        return self.declarations[0].name if self.declarations else self.requested


@dataclass(frozen=True, slots=True)
class FileSubject:
    """The file that an analysis is about."""

    requested: str
    #: None when `nothing` says why there is no such file.
    file: FileDetails | None
    nothing: EmptyReason | None = None

    @property
    def paths(self) -> list[str]:
        """The path, in the form that queries take."""
        return [self.file.relative_path] if self.file else []

    @property
    def label(self) -> str:
        """The path, or what was asked for."""
        return self.file.relative_path if self.file else self.requested


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Base of all answers: a record that shows itself as text, and says why it is empty when it is."""

    subject: Subject | FileSubject
    #: None when something was found.
    nothing: EmptyReason | None = None

    @property
    def text(self) -> str:
        """The answer as people and agents read it."""
        if self.nothing is not None:
            return "\n".join([f"{self.subject.label}:", *nothing_lines(self.nothing)])
        return "\n".join([self.title, *self.lines()])

    @property
    def title(self) -> str:
        """First line of the text: what was asked of which symbol."""
        return self.subject.label

    def lines(self) -> list[str]:
        """The text below the title, of an answer that is not empty."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """Everything that comes from source code is escaped: a repository may hold hostile text."""
        return f"<pre>{escape(self.text)}</pre>"


def none_of(subject: Subject | FileSubject, message: str) -> EmptyReason:
    """Why an answer that rests on edges is empty: there are none, or the code was not resolved, so that nobody knows."""
    declared = () if isinstance(subject, FileSubject) else subject.declarations
    paths = subject.paths if isinstance(subject, FileSubject) else [symbol.relative_path for symbol in declared]
    languages = {language_of(path) or "" for path in paths} - RESOLVED
    if not languages:
        return EmptyReason("none", message)
    named = " and ".join(sorted(languages))
    return EmptyReason("unresolved", f"None is known: of {named} files the index has an outline, without calls, uses and types.")


def nothing_lines(nothing: EmptyReason) -> list[str]:
    """An empty answer in words."""
    lines = [f"  {nothing.message}"]
    for candidate in nothing.candidates:
        symbol = candidate.symbol
        lines.append(f"    {symbol.kind} {symbol.qualified_name} {symbol.relative_path}:{symbol.start_line}   {candidate.path}")
    return lines


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def unresolved_note(sites: UnresolvedSites | None) -> str:
    """What a count may miss, in words; "" when it misses nothing."""
    if sites is None:
        return ""
    return f"{counted(sites.sites, 'unresolved call site')} of the name {sites.name} may be more."
