"""Compare declarations in languages with overloads, in which a function with other types of parameters is another function."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from ...schema.records import Symbol
from .records import SymbolSide

#: Languages with overloads whose compilers demand a function for each call.
OVERLOADED: Final = frozenset(("java",))
#: The annotation of a method that must override another method.
_OVERRIDE: Final = re.compile(rb"@Override\b")
_FUNCTIONS: Final = frozenset(("method", "constructor"))
#: Annotations and modifiers of parameters.
_MARKS: Final = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*|\bfinal\s+")


def lost_overloads(before: Sequence[Symbol], after: Sequence[Symbol], kinds: Collection[str]) -> dict[str, SymbolSide]:
    """Return the declarations of a file that the change removed, renamed, or gave other types of parameters, by id.

    Only declarations of some kinds and constructors count.
    """
    kept = Counter(_key(symbol) for symbol in after)
    found: dict[str, SymbolSide] = {}
    for symbol in before:
        key = _key(symbol)
        if kept[key] > 0:
            kept[key] -= 1
        elif symbol.kind in kinds or symbol.kind == "constructor":
            found[symbol.id] = SymbolSide.of(symbol, symbol.qualified_name)
    return found


def _key(symbol: Symbol) -> tuple[str, str, tuple[str, ...] | None]:
    is_record = symbol.kind == "class" and " record " in f" {symbol.signature}"
    types = parameter_types(symbol.signature, symbol.name) if symbol.kind in _FUNCTIONS or is_record else None
    return symbol.kind, symbol.qualified_name, types


def parameter_types(signature: str, name: str) -> tuple[str, ...]:
    """Return the types of the parameters of a function, as written: `void at(final int x, List<A> all)` -> ("int", "List<A>")."""
    found = re.search(rf"\b{re.escape(name)}\s*(?:<[^()]*>)?\(", signature)
    if found is None:
        return ()
    parameters, depth, start = [], 0, found.end()
    for at in range(start, len(signature)):
        letter = signature[at]
        if letter in "(<[":
            depth += 1
        elif letter in ")>]" and depth > 0:
            depth -= 1
        elif letter == ")":
            parameters.append(signature[start:at])
            break
        elif letter == "," and depth == 0:
            parameters.append(signature[start:at])
            start = at + 1
    types = (_MARKS.sub("", each).strip().rpartition(" ")[0] for each in parameters if each.strip())
    return tuple("".join(each.split()) for each in types)


def marked_line(symbol: Symbol, lines: Sequence[bytes]) -> int:
    """Return the line on which an annotation says that a method overrides another method; 0 if there is no such annotation."""
    end = min(symbol.name_line, len(lines))
    return next((line for line in range(symbol.declaration_line, end + 1) if _OVERRIDE.search(lines[line - 1])), 0)
