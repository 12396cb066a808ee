"""What other files may use of a declaration, by the habits of each language."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

#: Words that stand before a name in a declaration.
_WORDS: Final = re.compile(r"[A-Za-z]\w*(?!\w|\(set\))")
MODIFIERS: Final = frozenset(
    (
        "abstract", "async", "const", "extern", "final", "fileprivate", "inline", "internal", "local", "mutating", "native",
        "open", "operator", "override", "private", "private_class_method", "protected", "pub", "public", "sealed", "static",
        "suspend", "synchronized", "unsafe", "virtual", "volatile",
    )
)  # fmt: skip

Rule = Callable[[str, frozenset[str], str], bool]


def modifiers_of(before_name: str) -> list[str]:
    """The modifiers among what stands before the name of a declaration, in order."""
    return [word for word in dict.fromkeys(_WORDS.findall(before_name)) if word in MODIFIERS]


def is_visible(language: str, name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    """Whether a declaration at the root or in a visible type may be used by other files; `parent_kind` is "" at the root."""
    return _RULES.get(language, _unless_hidden)(name, modifiers, parent_kind)


def _unless_hidden(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return modifiers.isdisjoint(("private", "fileprivate", "internal", "local"))


def _if_public(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return "public" in modifiers or parent_kind in ("interface", "enum") or "protected" in modifiers


def _by_underscore(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return not name.startswith("_") or name.endswith("__")


def _unless_kept(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return not name.startswith("_") and modifiers.isdisjoint(("private", "private_class_method", "protected"))


def _by_capital(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return name[:1].isupper()


def _if_pub(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return "pub" in modifiers or parent_kind in ("interface", "enum")


def _unless_static(name: str, modifiers: frozenset[str], parent_kind: str) -> bool:
    return "private" not in modifiers and (parent_kind in ("class", "interface") or "static" not in modifiers)


_RULES: Final[dict[str, Rule]] = {
    "python": _by_underscore,
    "ruby": _unless_kept,
    "go": _by_capital,
    "rust": _if_pub,
    "java": _if_public,
    "csharp": _if_public,
    "c": _unless_static,
    "cpp": _unless_static,
}
