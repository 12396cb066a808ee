"""What belongs to the code of a symbol: itself and all that is nested in it."""

from __future__ import annotations

from ...schema.records import SymbolRef
from .subject import EmptyReason, Subject

#: Kinds whose symbols hold nothing that runs.
_NO_CODE = frozenset(("interface", "type", "import", "re-export", "export", "comment", "enumMember"))


def belongs_to(subject: Subject, symbol: SymbolRef) -> bool:
    """True for the declarations of a subject and for what is nested in one of them."""
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
    """Why a subject has nothing that code would have; None when it has code."""
    if subject.kinds <= _NO_CODE:
        return EmptyReason("notApplicable", f"{what_it_is(subject)}: it holds no code that runs.")
    return None


def what_it_is(subject: Subject) -> str:
    """`Shelf is an interface`."""
    kind = subject.declarations[0].kind
    return f"{subject.name} is {'an' if kind[0] in 'aeiou' else 'a'} {kind}"
