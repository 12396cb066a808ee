"""References: where a symbol is used, site by site."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.calls import UnresolvedSites, unresolved_sites_named
from ...graphdb.queries.members import inheriting_classes
from ...graphdb.queries.references import ReferenceSites, ambiguous_mentions, constructor_calls, reference_sites
from ...schema.records import SymbolRef
from .subject import Analysis, EmptyReason, Subject, counted, none_of, unresolved_note
from .unseen_uses import unseen_uses

#: The head of `declare module "name"`.
_OF_MODULE = re.compile(r"""(?:declare\s+)?module\s*['"]""")
_ADDITIONS = "It declares a module, or adds to one: `ws.file(…)` lists the files that import a module."
#: Maximum number of documents, and of lines in each, that the note about ambiguous names lists.
_NOTED = 5
#: Roles of names in import and export statements.
STATEMENT_ROLES = frozenset(("import", "export"))


@dataclass(frozen=True, slots=True)
class ReferenceSite:
    """One use of the symbol."""

    line: int
    column: int
    #: call, read, write, type, import, export, heritage, jsx or decorator; doc for a link in a doc comment.
    role: str
    #: The symbol whose source contains the site.
    user: SymbolRef
    #: The local name if it differs from the name of the symbol; else "".
    alias: str = ""
    #: The platforms on which the use refers to this symbol, if other files declare the symbol for other platforms; else "".
    variant: str = ""


@dataclass(frozen=True, slots=True)
class FileReferences:
    """The uses in one file, in source order."""

    path: str
    sites: tuple[ReferenceSite, ...]

    @property
    def lines(self) -> tuple[int, ...]:
        """Distinct lines of the sites, in ascending order."""
        return tuple(sorted({site.line for site in self.sites}))

    @property
    def platforms(self) -> str:
        """The common platforms of all sites, in brackets; "" if the platforms differ or are not limited."""
        variants = {site.variant for site in self.sites}
        return f" [{variants.pop()}]" if len(variants) == 1 and "" not in variants else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class References(Analysis):
    """All uses of a symbol by file, without its own definition."""

    subject: Subject
    #: Number of sites in all roles.
    total: int = 0
    #: Number of sites outside of import and export statements.
    without_imports: int = 0
    #: Sorted by path. The file of the symbol is included if the symbol is used there.
    files: tuple[FileReferences, ...] = ()
    #: Number of sites by role, most frequent first.
    roles: tuple[tuple[str, int], ...] = ()
    #: Unresolved call sites of the symbol's name, each of which may be a further use.
    unresolved: UnresolvedSites | None = None
    #: Documents with a name that may mean the symbol or another one, with their lines.
    ambiguous: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(self.total, 'reference')} in {counted(len(self.files), 'file')}"

    def lines(self) -> list[str]:
        """Return a line with the roles, then a line for each file."""
        lines = [f"  {', '.join(f'{count} {role}' for role, count in self.roles)}"]
        for file in self.files:
            lines.append(f"  {file.path}: {', '.join(map(str, file.lines))}{file.platforms}")
        if note := unresolved_note(self.unresolved):
            lines.append(f"  {note}")
        if self.ambiguous:
            lines.append(f"  {self.ambiguous_note()}")
        return lines

    def ambiguous_note(self) -> str:
        """Return a sentence about the documents that may mean the symbol or another one."""
        places = "; ".join(f"{path}: {', '.join(map(str, lines[:_NOTED]))}" for path, lines in self.ambiguous[:_NOTED])
        more = len(self.ambiguous) - _NOTED
        left = f"; and {counted(more, 'more file')}" if more > 0 else ""
        return f"Documents and comments may mean this symbol or another one of its name: {places}{left}."


def references(graph: GraphDatabase, subject: Subject) -> References:
    """Return the sites where a symbol is used."""
    if subject.nothing is not None:
        return References(subject=subject, nothing=subject.nothing)
    if all(symbol.kind == "namespace" and _OF_MODULE.match(symbol.signature) for symbol in subject.declarations):
        return References(subject=subject, nothing=EmptyReason("notApplicable", _ADDITIONS))
    by_file = _by_file([*reference_sites(graph, subject.ids), *_constructions(graph, subject)])
    sites = [site for found in by_file.values() for site in found]
    roles = Counter(site.role for site in sites)
    unresolved = unresolved_sites_named(graph, [subject.name]).get(subject.name)
    return References(
        subject=subject,
        nothing=None if sites else _unused(graph, subject, unresolved),
        total=len(sites),
        without_imports=sum(site.role not in STATEMENT_ROLES for site in sites),
        files=tuple(FileReferences(path, tuple(by_file[path])) for path in sorted(by_file)),
        roles=tuple(roles.most_common()),
        unresolved=unresolved,
        ambiguous=tuple(ambiguous_mentions(graph, subject.ids, subject.name)),
    )


def _constructions(graph: GraphDatabase, subject: Subject) -> list[ReferenceSites]:
    """Return the sites of `new` and `super` that run the constructors among the declarations.

    These sites do not name the constructor, so they are not references.
    """
    constructors = [symbol.id for symbol in subject.declarations if symbol.kind == "constructor"]
    return constructor_calls(graph, [*constructors, *inheriting_classes(graph, constructors)]) if constructors else []


def _by_file(found: list[ReferenceSites]) -> dict[str, list[ReferenceSite]]:
    """Return the sites by path. A use of several merged declarations of a symbol counts as one site."""
    files: dict[str, dict[tuple[int, int], ReferenceSite]] = {}
    for use in found:
        alias = use.names[0] if len(use.names) == 1 else ""
        sites = files.setdefault(use.user.relative_path, {})
        for line, column in zip(use.lines, use.columns, strict=True):
            sites.setdefault((line, column), ReferenceSite(line, column, use.role, use.user, alias, use.variant))
    return {path: [sites[place] for place in sorted(sites)] for path, sites in files.items()}


def _unused(graph: GraphDatabase, subject: Subject, unresolved: UnresolvedSites | None) -> EmptyReason:
    if unresolved is None:
        if unseen := unseen_uses(graph, subject):
            return unseen
        return none_of(subject, "Nothing refers to it, and no call of its name is left unresolved.")
    where = f"{counted(unresolved.sites, 'call site')} of its name in {counted(unresolved.callers, 'symbol')}"
    return EmptyReason("unresolved", f"No reference is known, but {where} could not be resolved.", unresolved=unresolved)
