"""What belongs to the code of a symbol: itself and all that is nested in it."""

from __future__ import annotations

from ...graphdb.database import GraphDatabase
from ...graphdb.symbol_queries import SymbolDetails, SymbolRef, descendants
from .subject import Nothing, Subject

#: Kinds whose symbols hold nothing that runs.
_NO_CODE = frozenset(("interface", "type", "import", "re-export", "export", "comment", "enumMember"))


def with_nested(graph: GraphDatabase, subject: Subject) -> dict[str, SymbolRef]:
    """The declarations of a subject and every symbol inside them, by id."""
    own = {symbol.id: symbol_ref(symbol) for symbol in subject.declarations}
    return own | {found.descendant.id: found.descendant for found in descendants(graph, subject.ids)}


def symbol_ref(symbol: SymbolDetails) -> SymbolRef:
    """The part of a symbol that answers name it by."""
    return SymbolRef(
        symbol.id, symbol.name, symbol.qualified_name, symbol.kind, symbol.relative_path, symbol.start_line, symbol.end_line
    )


def no_code(subject: Subject) -> Nothing | None:
    """Why a subject has nothing that code would have; None when it has code."""
    if subject.kinds <= _NO_CODE:
        return Nothing("notApplicable", f"{what_it_is(subject)}: it holds no code that runs.")
    return None


def what_it_is(subject: Subject) -> str:
    """`Shelf is an interface`."""
    kind = subject.declarations[0].kind
    return f"{subject.name} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
