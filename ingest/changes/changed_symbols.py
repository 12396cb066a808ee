"""The result of comparing two states."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from ...schema.records import Symbol

#: Returns the paths of the files that contain at least one of the given words.
FilesWith = Callable[[Iterable[str]], list[str]]

#: The possible changes of a symbol, the most serious first.
KINDS_OF_CHANGE: Final = ("removed", "added", "moved", "renamed", "signature", "body", "layout")


class SymbolSide(NamedTuple):
    """A symbol in one of the states."""

    id: str
    name: str
    #: Names of the enclosing declarations and of the symbol itself, joined by ".".
    qualified_name: str
    kind: str
    path: str
    line: int
    end_line: int
    signature: str
    exported: bool

    @classmethod
    def of(cls, symbol: Symbol, qualified_name: str) -> SymbolSide:
        """Return a symbol of a file; the qualified name may omit enclosing groups."""
        return cls(
            symbol.id,
            symbol.name,
            qualified_name,
            symbol.kind,
            symbol.relative_path,
            symbol.declaration_line,
            symbol.end_line,
            symbol.signature,
            symbol.exported,
        )


class ChangedSymbol(NamedTuple):
    """A declaration that differs between the states."""

    #: None for an added symbol.
    old: SymbolSide | None
    #: None for a removed symbol.
    new: SymbolSide | None
    #: The changes of the symbol, in the order of `KINDS_OF_CHANGE`.
    changes: tuple[str, ...]
    #: Whether the enclosing declaration was also added or removed.
    with_parent: bool = False

    @property
    def shown(self) -> SymbolSide:
        """The symbol in the new state; in the old state for a removed symbol."""
        side = self.new or self.old
        assert side is not None  # at least one state has the symbol
        return side


class ChangedFile(NamedTuple):
    """A file that differs between the states."""

    path: str
    #: "added", "removed", "renamed" or "changed".
    status: str
    #: Path in the old state of a renamed file, else "".
    old_path: str
    #: "" for a file in an unsupported language.
    language: str
    is_test: bool = False
    #: Whether root-level code outside of all declarations changed, including imports.
    root_changed: bool = False
    #: The reason why the symbols were not compared; "" if they were compared.
    not_compared: str = ""
    #: Whether the contents are the same in both states, and only the mode of the file differs.
    is_same_content: bool = False


def is_abstract(symbol: Symbol) -> bool:
    """Return whether a symbol is declared as abstract."""
    return "abstract" in symbol.signature.partition("(")[0].split()
