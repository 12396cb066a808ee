"""Files of a workspace that are not read with resolution, and the names in them: they may use code without an edge."""

from __future__ import annotations

import msgspec


class UnreadImport(msgspec.Struct, frozen=True, gc=False):
    """An import in the text of a file that is not read with resolution."""

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
    #: Names behind a dot or a colon in dotted names of settings: `serve` of `shop.main:serve`.
    members: frozenset[str] = frozenset()
