"""The findings of the checks. As JSON, fields are in camelCase, and empty fields are absent."""

from __future__ import annotations

import msgspec


class Diagnostic(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A problem at a place, with the source that found the problem."""

    file: str
    line: int
    severity: str
    message: str
    #: "astrolabe" for problems of the parser, "typescript" for the compiler, "documents" for mentions of names and files that
    #: do not exist, and "data" for tables.
    source: str
    column: int = 0
    code: str = ""


class DeadCode(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A declaration or a file that nothing uses."""

    symbol: str
    kind: str
    file: str
    line: int
    reason: str
    #: high: every use is known. medium: a call of this name is not resolved, or a tool may load the file. low: users of an
    #: exported value may want to name this type, the doc comment contains @public, or a file imports the whole file. For Python
    #: see `python_code.py`.
    confidence: str


class NotKnown(msgspec.Struct, frozen=True, rename="camel"):
    """A declaration or a file without a known use, which unread or unresolved code may use."""

    symbol: str
    kind: str
    file: str
    line: int
    #: The possible use.
    reason: str


class Clone(msgspec.Struct, frozen=True, rename="camel"):
    """One of several similar declarations or fragments; for the kind "fragment", `symbol` is the enclosing declaration. `hash` is
    a hash of the structure, without names.
    """

    symbol: str
    kind: str
    file: str
    line: int
    end_line: int
    hash: str


class CloneGroup(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Code of similar structure. `similarity` is the lowest similarity of the pairs that form the group."""

    similarity: float
    members: tuple[Clone, ...]
    suggestion: str
    #: Number of members that are not listed.
    more_members: int = 0


class CircularDependency(msgspec.Struct, frozen=True, rename="camel"):
    """Files that import each other in a circle."""

    chain: tuple[str, ...]
    severity: str
    suggestion: str
    #: "load", "lazy" or "type", as in `ImportCycle`.
    kind: str


class BreakingImport(msgspec.Struct, frozen=True, rename="camel"):
    """An import, and the number of reported cycles that it closes or is part of."""

    importer: str
    imported: str
    circles: int
