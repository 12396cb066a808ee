"""Members of enums with their values."""

from __future__ import annotations

from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.type_structure import enum_member_values
from .subject import Analysis, EmptyReason, Subject, counted
from .within import what_it_is


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of an enum."""

    name: str
    line: int
    #: Value as written, or derived from the previous member; None if the value is unknown.
    value: str | None
    #: Whether the initializer is not a literal.
    is_computed: bool
    #: Constant value, such as 3 for `1 + 2`; None if the value is computed at run time.
    constant: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumMembers(Analysis):
    """The members of an enum in source order, from all merged declarations."""

    subject: Subject
    members: tuple[EnumMember, ...] = ()
    is_const: bool = False
    #: Whether the enum is ambient: a `declare enum`, or an enum in an ambient block or a declaration file.
    is_declare: bool = False

    @property
    def title(self) -> str:
        words = ["const"] * self.is_const + ["declare"] * self.is_declare
        return f"{self.subject.label}: {' '.join([*words, 'enum'])}, {counted(len(self.members), 'member')}"

    def lines(self) -> list[str]:
        return [f"  {member.line}: {member.name}{_value(member)}" for member in self.members]


def enum_members(graph: GraphDatabase, subject: Subject) -> EnumMembers:
    """Return the members of an enum with their values."""
    if subject.nothing is not None:
        return EnumMembers(subject=subject, nothing=subject.nothing)
    declarations = [symbol for symbol in subject.declarations if symbol.kind == "enum"]
    if not declarations:
        return EnumMembers(subject=subject, nothing=EmptyReason("notApplicable", f"{what_it_is(subject)}, no enum."))
    values = enum_member_values(graph, [symbol.id for symbol in declarations])
    order = {symbol.id: place for place, symbol in enumerate(declarations)}
    values.sort(key=lambda value: order[value.symbol_id])
    members = tuple(
        EnumMember(value.member.name, value.member.name_line, value.text or None, value.computed, value.constant or None)
        for value in values
    )
    return EnumMembers(
        subject=subject,
        members=members,
        is_const=any("const" in symbol.modifiers for symbol in declarations),
        is_declare=any("declare" in symbol.modifiers or symbol.relative_path.endswith(_AMBIENT) for symbol in declarations),
        nothing=None if members else EmptyReason("none", "This enum has no members."),
    )


_AMBIENT = (".d.ts", ".d.mts", ".d.cts")


def _value(member: EnumMember) -> str:
    if member.value is None:
        return ""
    constant = f" → {member.constant}" if member.is_computed and member.constant is not None else ""
    return f" = {member.value}{constant}{' (computed)' if member.is_computed and not constant else ''}"
