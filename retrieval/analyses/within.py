"""Decide which symbols belong to a subject: its declarations, and all symbols nested in them."""

from __future__ import annotations

from ...schema.records import SymbolRef
from .subject import EmptyReason, Subject

#: Kinds of symbols without executable code.
_NO_CODE = frozenset(("interface", "type", "import", "re-export", "export", "comment", "enumMember"))


def belongs_to(subject: Subject, symbol: SymbolRef) -> bool:
    """Return whether a symbol is a declaration of the subject, or is nested in a declaration of the subject."""
    return any(
        symbol.id == own.id
        or (
            symbol.relative_path == own.relative_path
            and own.start_line <= symbol.start_line <= symbol.end_line <= own.end_line
            and symbol.qualified_name.startswith(f"{own.qualified_name}.")
        )
        for own in subject.declarations
    )


def no_code(subject: Subject) -> EmptyReason | None:
    """Return why a subject has no executable code; None if it has executable code."""
    if subject.kinds <= _NO_CODE:
        return EmptyReason("notApplicable", f"{what_it_is(subject)}: it holds no code that runs.")
    return None


def what_it_is(subject: Subject) -> str:
    """Return the name and kind of a subject: `Shelf is an interface`."""
    kind = subject.declarations[0].kind
    return f"{subject.name} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
