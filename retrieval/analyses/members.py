"""Members of a class, interface, enum, namespace or object, in source order."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.members import outside_methods
from ...graphdb.symbols.symbol_table import symbols_of
from ...schema.records import Symbol
from .signature import DeclarationSignature, declaration_signature
from .subject import Analysis, EmptyReason, Subject, counted

_HOLDERS = frozenset(("class", "interface", "enum", "namespace", "type", "const", "variable", "property"))
#: Kinds of signatures without a name, by their names in the index.
_NAMELESS = frozenset(("indexSignature", "callSignature", "constructSignature"))
#: Kinds of nested symbols that are not members.
_NO_MEMBERS = frozenset(("comment", "expression", "export", "import", "re-export"))


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a symbol."""

    #: "" for index, call and construct signatures.
    name: str
    #: method, property, getter, setter, constructor, indexSignature, callSignature, constructSignature, enumMember …
    kind: str
    line: int
    #: Result of a method or getter, parameter type of a setter, parameters of a constructor, or a whole signature without a
    #: name; None without an annotation.
    type: str | None
    modifiers: tuple[str, ...]
    signature: str
    symbol: Symbol


@dataclass(frozen=True, slots=True, kw_only=True)
class Members(Analysis):
    """The members of a symbol, by declaration and in source order."""

    subject: Subject
    members: tuple[Member, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(len(self.members), 'member')}"

    def lines(self) -> list[str]:
        return [f"  {self._place(member)}: {_text_of_member(member)}" for member in self.members]

    def _place(self, member: Member) -> str:
        """Return the line of a member, with the path if it differs from the path in the title."""
        path = member.symbol.relative_path
        return f"{member.line}" if path == self.subject.declarations[0].relative_path else f"{path}:{member.line}"


def members(graph: GraphDatabase, subject: Subject) -> Members:
    """Return the members of a symbol, including methods that are declared outside of it.

    Both accessors of a name are members; consecutive overload signatures are one member.
    """
    if subject.nothing is not None:
        return Members(subject=subject, nothing=subject.nothing)
    # Nested symbols before the name of a declaration belong to its decorators.
    begins = {symbol.id: symbol.name_line for symbol in subject.declarations}
    found = [
        _member(symbol)
        for outer, inside in symbols_of(graph).children(sorted(begins)).items()
        for symbol in inside
        if symbol.kind not in _NO_MEMBERS and not _is_nameless(symbol) and symbol.name_line >= begins[outer]
    ]
    outside = [_member(method) for methods in outside_methods(symbols_of(graph), begins).values() for method in methods]
    found += outside
    homes = [symbol.relative_path for symbol in subject.declarations]
    files = list(dict.fromkeys([*homes, *(member.symbol.relative_path for member in outside)]))
    found.sort(key=lambda member: (files.index(member.symbol.relative_path), member.symbol.start_line, member.line))
    return Members(subject=subject, members=tuple(found), nothing=None if found else _no_members_reason(subject))


def _text_of_member(member: Member) -> str:
    """Return modifiers, kind and signature; the kind is left out if the signature begins with it, as for a constant."""
    words = [*member.modifiers, member.kind, member.signature]
    return " ".join(word for word in words if word != member.kind or not member.signature.startswith(f"{member.kind} "))


def _is_nameless(symbol: Symbol) -> bool:
    """Return whether a symbol is a callback or a static block, which no code can access by name."""
    return "callback" in symbol.modifiers or (symbol.kind == "method" and symbol.name == "static block")


def _no_members_reason(subject: Subject) -> EmptyReason:
    kind = subject.declarations[0].kind
    if subject.kinds & _HOLDERS:
        return EmptyReason("none", f"This {kind} has no members of its own.")
    return EmptyReason("notApplicable", f"A symbol of the kind {kind} has no members.")


def _member(symbol: Symbol) -> Member:
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
