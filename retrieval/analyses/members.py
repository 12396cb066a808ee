"""Members: what a class, interface, enum, namespace or object holds, in source order."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.symbol_queries import SymbolDetails, children
from .signature import DeclarationSignature, declaration_signature
from .subject import Analysis, Nothing, Subject, counted

_HOLDERS = frozenset(("class", "interface", "enum", "namespace", "type", "const", "variable", "property"))
#: Signatures without a name, by the names that the index gives them.
_NAMELESS = frozenset(("indexSignature", "callSignature", "constructSignature"))
#: Nested symbols that are no members.
_NO_MEMBERS = frozenset(("comment", "expression", "export", "import", "re-export"))


@dataclass(frozen=True, slots=True)
class Member:
    """A member as its declaration writes it."""

    #: "" for index, call and construct signatures.
    name: str
    #: method, property, getter, setter, constructor, indexSignature, callSignature, constructSignature, enumMember …
    kind: str
    line: int
    #: Result of a method or getter, parameter type of a setter, parameters of a constructor, the whole of a nameless
    #: signature; None where nothing is written.
    type: str | None
    modifiers: tuple[str, ...]
    signature: str
    symbol: SymbolDetails


@dataclass(frozen=True, slots=True, kw_only=True)
class Members(Analysis):
    """The members of a symbol, by declaration and in source order."""

    subject: Subject
    members: tuple[Member, ...] = ()

    @property
    def title(self) -> str:
        """What was asked, and how much there is."""
        return f"{self.subject.label}: {counted(len(self.members), 'member')}"

    def lines(self) -> list[str]:
        """One line for each member."""
        return [f"  {member.line}: {' '.join([*member.modifiers, member.kind])} {member.signature}" for member in self.members]


def members(graph: GraphDatabase, subject: Subject) -> Members:
    """What a symbol holds. Accessors and overloads of one name stand as they are declared."""
    if subject.nothing is not None:
        return Members(subject=subject, nothing=subject.nothing)
    found = [
        _member(child.symbol)
        for child in children(graph, subject.ids)
        if child.symbol.kind not in _NO_MEMBERS and not _is_nameless(child.symbol)
    ]
    found.sort(key=lambda member: (member.symbol.start_line, member.line))
    return Members(subject=subject, members=tuple(found), nothing=None if found else _none(subject))


def _is_nameless(symbol: SymbolDetails) -> bool:
    """Callbacks and static blocks: nobody reaches them by a name."""
    return "callback" in symbol.modifiers or (symbol.kind == "method" and symbol.name == "static block")


def _none(subject: Subject) -> Nothing:
    kind = subject.declarations[0].kind
    if subject.kinds & _HOLDERS:
        return Nothing("none", f"This {kind} has no members of its own.")
    return Nothing("notApplicable", f"A symbol of the kind {kind} has no members.")


def _member(symbol: SymbolDetails) -> Member:
    written = declaration_signature(symbol)
    name = "" if symbol.kind in _NAMELESS else symbol.name
    return Member(name, symbol.kind, symbol.name_line, _type(written), written.modifiers, written.signature, symbol)


def _type(written: DeclarationSignature) -> str | None:
    kind = written.symbol.kind
    if kind in _NAMELESS:
        return written.signature
    if kind == "constructor":
        return written.signature.removeprefix("constructor")
    if kind == "setter":
        return written.parameters[0].type if written.parameters else None
    return written.type
