"""Bindings of import statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportBinding:
    """A local name that an import statement binds."""

    #: The written binding without comments: `a as b`.
    text: str
    local: str
    #: Imported name: a name of the module, "default", or "*" for the whole module.
    imported: str


@dataclass(frozen=True, slots=True)
class ImportClause:
    """An import statement, or a variable that `require` initializes, in its written parts."""

    text: str
    #: Specifier of the statement, without quotes; "" if the specifier is not a plain string.
    specifier: str
    #: The text before the names: `import type `, `const `.
    head: str
    #: Names outside of braces.
    outside: Sequence[ImportBinding]
    #: Names inside of braces.
    inside: Sequence[ImportBinding]
    #: The text after the names: `from "a"`, `= require("a")`.
    tail: str
    #: Whether fewer names can be bound without other changes of the meaning.
    is_reducible: bool
    is_require: bool = False

    @property
    def names(self) -> dict[str, str]:
        """Map each local name to the imported name."""
        return {binding.local: binding.imported for binding in (*self.outside, *self.inside)}


def imported_names(clause: str) -> tuple[str, ...]:
    """Return the imported names in the text between `import` and `from`; none for a namespace import.

    `a, { type B, c as d }` imports `default`, `B` and `c`.
    """
    if "*" in clause:
        return ()
    before, _, inside = clause.partition("{")
    named = (each.split() for each in inside.partition("}")[0].split(","))
    return (
        *(("default",) if before.strip(" ,\n\t") else ()),
        *(words[1] if words[0] == "type" and len(words) > 1 and words[1] != "as" else words[0] for words in named if words),
    )
