"""Records of what import statements bind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportBinding:
    """A local name that an import statement binds."""

    #: As it is written, without comments: `a as b`.
    text: str
    local: str
    #: What the name stands for: a name of the module, "default", or "*" for the module itself.
    imported: str


@dataclass(frozen=True, slots=True)
class ImportClause:
    """An import statement, or a variable that `require` fills, with its parts as they are written."""

    text: str
    #: What the statement imports from, without quotes; "" where that is no plain text.
    specifier: str
    #: What stands before the names: `import type `, `const `.
    head: str
    #: Names outside of braces, and inside.
    outside: Sequence[ImportBinding]
    inside: Sequence[ImportBinding]
    #: What stands behind the names: `from "a"`, `= require("a")`.
    tail: str
    #: Whether the statement may bind fewer names and mean the same.
    is_reducible: bool
    is_require: bool = False

    @property
    def names(self) -> dict[str, str]:
        """What each local name stands for."""
        return {binding.local: binding.imported for binding in (*self.outside, *self.inside)}
