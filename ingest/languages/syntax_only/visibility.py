"""Decide whether other files see a declaration, by modifiers before its name and by rules that several languages share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from ...symbols.states import SymbolState

#: Words that may precede the name in a declaration.
_WORDS: Final = re.compile(r"[A-Za-z]\w*(?!\w|\(set\))")
MODIFIERS: Final = frozenset(
    (
        "abstract", "async", "const", "extern", "final", "fileprivate", "inline", "internal", "local", "mutating", "native",
        "open", "operator", "override", "private", "private_class_method", "protected", "pub", "public", "sealed", "static",
        "suspend", "synchronized", "unsafe", "virtual", "volatile",
    )
)  # fmt: skip


class Declaration(NamedTuple):
    """The facts that decide whether other files may use a declaration, given that they may use the enclosing declaration."""

    name: str
    kind: str
    modifiers: frozenset[str]
    #: The enclosing declaration; None at the root.
    outer: SymbolState | None

    @property
    def outer_kind(self) -> str:
        """The kind of the enclosing declaration; "" at the root."""
        return self.outer.kind if self.outer is not None else ""


#: Returns whether other files may use a declaration.
VisibilityRule = Callable[[Declaration], bool]


def modifiers_of(before_name: str) -> list[str]:
    """Return the modifiers in the text before the name of a declaration, in order."""
    return [word for word in dict.fromkeys(_WORDS.findall(before_name)) if word in MODIFIERS]


def unless_hidden(declaration: Declaration) -> bool:
    """Return whether no modifier hides the declaration."""
    return declaration.modifiers.isdisjoint(("private", "fileprivate", "internal", "local"))


def if_public(declaration: Declaration) -> bool:
    """Return whether a modifier makes the declaration public, or it is a member of an interface or enum."""
    return not declaration.modifiers.isdisjoint(("public", "protected")) or declaration.outer_kind in ("interface", "enum")
