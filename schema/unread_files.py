"""Files of a workspace whose names are not resolved, such as templates. Such files may use code without an edge in the graph."""

from __future__ import annotations

import msgspec


class UnreadImport(msgspec.Struct, frozen=True, gc=False):
    """An import in the text of a file whose names are not resolved."""

    specifier: str
    #: Imported names; empty for the whole module.
    names: tuple[str, ...]


class UnreadFile(msgspec.Struct, frozen=True, gc=False):
    """A file that may use code, but whose uses are not resolved, such as a template or a settings file."""

    path: str
    #: "code", "page", "settings" or "prose".
    kind: str
    #: Texts that may be paths of files.
    named: tuple[str, ...] = ()
    imports: tuple[UnreadImport, ...] = ()
    #: Every identifier in the file, for files of code and pages.
    words: frozenset[str] = frozenset()
    #: Last parts of dotted names in settings, after a dot or a colon: `serve` of `shop.main:serve`.
    members: frozenset[str] = frozenset()
