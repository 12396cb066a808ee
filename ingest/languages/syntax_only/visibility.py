"""What other files may use of a declaration: the modifiers before its name, and the rules that several languages share."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from ...symbols.states import SymbolState

#: Words that stand before a name in a declaration.
_WORDS: Final = re.compile(r"[A-Za-z]\w*(?!\w|\(set\))")
MODIFIERS: Final = frozenset(
    (
        "abstract", "async", "const", "extern", "final", "fileprivate", "inline", "internal", "local", "mutating", "native",
        "open", "operator", "override", "private", "private_class_method", "protected", "pub", "public", "sealed", "static",
        "suspend", "synchronized", "unsafe", "virtual", "volatile",
    )
)  # fmt: skip


class Declaration(NamedTuple):
    """What decides whether other files may use a declaration at the root, or in something that they may use."""

    name: str
    kind: str
    modifiers: frozenset[str]
    #: The declaration around it; None at the root.
    outer: SymbolState | None

    @property
    def outer_kind(self) -> str:
        """The kind of the declaration around it; "" at the root."""
        return self.outer.kind if self.outer is not None else ""


#: Tells whether other files may use a declaration.
VisibilityRule = Callable[[Declaration], bool]


def modifiers_of(before_name: str) -> list[str]:
    """Return the modifiers among what stands before the name of a declaration, in order."""
    return [word for word in dict.fromkeys(_WORDS.findall(before_name)) if word in MODIFIERS]


def unless_hidden(declaration: Declaration) -> bool:
    """Everything is public unless a modifier hides it."""
    return declaration.modifiers.isdisjoint(("private", "fileprivate", "internal", "local"))


def if_public(declaration: Declaration) -> bool:
    """What has a modifier that makes it public, and members of interfaces and enums."""
    return not declaration.modifiers.isdisjoint(("public", "protected")) or declaration.outer_kind in ("interface", "enum")
