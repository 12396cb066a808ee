"""Type checks by operators: `typeof`, `instanceof`, `in`, comparisons, `switch`, and combinations of them.

The checks are found by their operations in the packed facts. The engine decides whether a comparison discriminates:
`shape.kind === "circle"` does if `shape` is a union whose parts differ in `kind`, and `list.length === 0` does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, NamedTuple

from ......schema.edges import TypeCheck
from .....facts.model import DeclKind, Member
from .....facts.node_scan import any_of, nodes_of
from .....facts.operations import Cast, Logic, Op
from ..model.type_model import EnumMember, Instance, Literal, Type, parts_of, union
from ..model.unit import NARROWING, Unit
from ..model.written_text import written_reference, written_type, written_value
from ..type_text import type_text

if TYPE_CHECKING:
    from ..engine import Engine

_CHECKS = any_of(Op.EQUALITY, Op.INSTANCEOF, Op.IN, Op.CASE)
_COMBINED = any_of(Op.LOGICAL, Op.NOT)
_CASTS = any_of(Op.AS)
_NULLISH = frozenset((Op.NULL, Op.UNDEFINED))
_LITERALS = frozenset((Op.STRING, Op.NUMBER, Op.BOOLEAN, Op.BIGINT))
_NO_VALUES: frozenset[str] = frozenset()
#: A qualified name may be a member of an enum.
_LITERAL_TYPES = frozenset((Op.T_STRING, Op.T_NUMBER, Op.T_BOOLEAN, Op.T_QUALIFIED))
_REFERENCES = frozenset((Op.NAME, Op.MEMBER, Op.THIS, Op.INDEX))


_VARIABLES = frozenset((DeclKind.VARIABLE, DeclKind.PARAMETER))


class Check(NamedTuple):
    """A check in a file, with a byte offset instead of a line. `schema/edges.py` documents the texts."""

    kind: str
    #: Byte offset.
    position: int
    subject: str
    against: str = ""
    narrowed_to: str = ""
    negated: bool = False
    declares: bool = False

    def record(self, from_id: str, unit: Unit) -> TypeCheck:
        """Return the check as it is stored, by the symbol whose code it is in."""
        return TypeCheck(
            from_id,
            unit.path,
            self.kind,
            unit.line(self.position),
            unit.column(self.position),
            self.subject,
            self.against,
            self.narrowed_to,
            self.negated,
            self.declares,
        )


#: Texts of the literals in the declared types of members, by name of the member.
Discriminants = Mapping[str, Set[str]]


def discriminants(units: Iterable[Unit]) -> Discriminants:
    """Return the members whose type is a literal or a member of an enum. Other members do not discriminate."""
    found: dict[str, set[str]] = {}
    for unit in units:
        for shape in unit.shapes:
            for member in shape.members:
                value = _literal(unit, member)
                if value:
                    found.setdefault(member.name, set()).add(value)
    return found


def _literal(unit: Unit, member: Member) -> str:
    code, node = unit.code, member.type
    if node >= 0 and code[node] == Op.T_REFERENCE:
        node = code[node + 1]
    return written_type(unit, node) if node >= 0 and code[node] in _LITERAL_TYPES else ""


def operator_checks(engine: Engine, unit: Unit, calls: Mapping[int, Check], names: Discriminants) -> Iterator[tuple[int, Check]]:
    """Yield the checks of a file, each with the symbol that makes it.

    `calls` are the checks that calls make, by node; `names` are the discriminants of the program.
    """
    checks = _FileScan(engine, unit, names)
    checks.atoms |= calls
    checks.find()
    for node, check in checks.atoms.items():
        owner = unit.named_owner(node)
        if owner >= 0:
            yield owner, check._replace(negated=not check.negated) if node in checks.negated else check
    for node, check in checks.compounds():
        owner = unit.named_owner(node)
        if owner >= 0:
            yield owner, check


class _FileScan:
    """Scans one file for checks."""

    def __init__(self, engine: Engine, unit: Unit, names: Discriminants) -> None:
        self._engine = engine
        self._unit = unit
        self._names = names
        #: Single checks, by node.
        self.atoms: dict[int, Check] = {}
        #: Nodes directly inside a `!`.
        self.negated: set[int] = set()
        self._logical: list[int] = []

    def find(self) -> None:
        unit, code = self._unit, self._unit.code
        for node in nodes_of(unit.facts, _CHECKS):
            found = self._check(node, code[node])
            if found is not None:
                self.atoms[node] = found
        for node in nodes_of(unit.facts, _COMBINED):
            if code[node] == Op.LOGICAL:
                self._logical.append(node)
            else:
                self.negated.add(self._unit.unnarrowed(code[node + 1]))
        self._exhaustive()

    # ------------------------------------------------------------------ single checks

    def _check(self, node: int, op: int) -> Check | None:
        unit, code = self._unit, self._unit.code
        if op == Op.EQUALITY:
            return self._equality(node)
        if op == Op.CASE:
            return self._case(node)
        if op == Op.INSTANCEOF:
            subject, wanted = written_reference(unit, code[node + 1]), written_reference(unit, code[node + 2])
            return Check("instanceof", code[node + 4], subject, wanted, wanted) if subject else None
        subject = written_reference(unit, code[node + 2])
        return self._in(node, subject) if subject else None

    def _in(self, node: int, subject: str) -> Check:
        unit, code = self._unit, self._unit.code
        key = unit.strings[code[code[node + 1] + 2]] if code[code[node + 1]] == Op.STRING else ""
        parts = self._parts(code[node + 2]) if key else ()
        having = [part for part in parts if not self._engine.lacks(part, key)]
        narrowed = type_text(self._engine, union(having)) if 0 < len(having) < len(parts) else ""
        return Check("in-operator", code[node + 4], subject, written_value(unit, code[node + 1]), narrowed)

    def _equality(self, node: int) -> Check | None:
        unit, code = self._unit, self._unit.code
        position, negated = code[node + 4], code[node + 3] == 0
        left, right = self._unit.unnarrowed(code[node + 1]), self._unit.unnarrowed(code[node + 2])
        for side, other in ((left, right), (right, left)):
            if code[side] == Op.TYPEOF:
                subject = written_reference(unit, code[side + 1])
                wanted = unit.strings[code[other + 2]] if code[other] == Op.STRING else ""
                return Check("typeof", position, subject, wanted, wanted, negated) if subject and wanted else None
        for side, other in ((left, right), (right, left)):
            if code[other] in _NULLISH and code[side] in _REFERENCES:
                nothing = written_value(unit, other)
                return Check("nullish", position, written_reference(unit, side), nothing, nothing, negated)
        if code[right] in _REFERENCES and code[left] in _LITERALS:
            left, right = right, left
        return self._compared(left, right, position, negated) if code[left] in _REFERENCES else None

    def _case(self, node: int) -> Check | None:
        """Return the check of a `case`; None for `default`, whose node starts after the preceding label."""
        unit, code = self._unit, self._unit.code
        label = unit.items(code[node + 2])[-1]
        discriminant, position = self._unit.unnarrowed(code[node + 1]), code[node + 4]
        if code[label + 4] < position:
            return None
        if code[discriminant] == Op.TYPEOF:
            subject = written_reference(unit, code[discriminant + 1])
            wanted = unit.strings[code[label + 2]] if code[label] == Op.STRING else ""
            return Check("typeof", position, subject, wanted, wanted) if subject and wanted else None
        if code[discriminant] in _REFERENCES:
            return self._compared(discriminant, self._unit.unnarrowed(label), position, False)
        return None

    def _compared(self, reference: int, value: int, position: int, negated: bool) -> Check | None:
        """Return the check of a reference that is compared with a value.

        The reference is a discriminant if it distinguishes union parts. For a union that is not declared, the reference is a
        discriminant if any member with the same name is declared with the value.
        """
        unit, code, engine = self._unit, self._unit.code, self._engine
        if code[value] not in _LITERALS and code[value] not in _REFERENCES:
            return None
        name = unit.strings[code[reference + 2]] if code[reference] == Op.MEMBER else ""
        declared = self._names.get(name, _NO_VALUES)
        if not self._is_typed(reference):
            # Numbers are counts and sizes far more often than discriminants.
            against = written_value(unit, value) if declared and code[value] != Op.NUMBER else ""
            subject = written_reference(unit, code[reference + 1]) if against in declared else ""
            return Check("discriminant", position, subject, f"{name}: {against}", "", negated) if subject else None
        engine.refuel()
        known = engine.type_of(unit, value)
        if not (isinstance(known, Literal | EnumMember) or engine.is_unit(known)):
            return self._equal_references(reference, value, position, negated)
        against = written_value(unit, value)
        if declared:
            # The union is read without narrowing, because earlier checks may have left only one part.
            parts = self._parts(self._unit.unnarrowed(code[reference + 1]))
            fitting = [part for part in parts if self._may_hold(part, name, known)]
            if 0 < len(fitting) < len(parts):
                subject = written_reference(unit, code[reference + 1])
                return Check("discriminant", position, subject, f"{name}: {against}", type_text(engine, union(fitting)), negated)
        if len(self._parts(reference)) > 1 or self._is_enumerated(engine.type_of(unit, reference)):
            return Check("equality", position, written_reference(unit, reference), against, against, negated)
        return None

    def _is_typed(self, node: int) -> bool:
        """Return whether a reference begins with `this` or with an annotated name; inferring other types takes too long."""
        code, decls = self._unit.code, self._unit.decls
        while code[node] == Op.MEMBER or code[node] in NARROWING:
            node = code[node + 1]
        if code[node] != Op.NAME:
            return code[node] == Op.THIS
        binding = code[node + 1]
        return binding >= 0 and any(
            decls[index].kind in _VARIABLES and decls[index].a >= 0 for index in self._unit.bindings[binding].decls
        )

    def _may_hold(self, part: Type, name: str, value: Type) -> bool:
        kind = self._engine.property_type(part, name)
        if kind.opaque:
            return not self._engine.lacks(part, name)
        return any(self._engine.overlaps(inner, value) for inner in parts_of(kind))

    def _equal_references(self, one: int, other: int, position: int, negated: bool) -> Check | None:
        """Return the check of two equal references, or None if both have a single type.

        After the check, both references have the common types of both.
        """
        unit = self._unit
        if unit.code[other] not in _REFERENCES or max(len(self._parts(one)), len(self._parts(other))) < 2:
            return None
        return Check("equality", position, written_reference(unit, one), written_reference(unit, other), "", negated)

    def _parts(self, node: int) -> tuple[Type, ...]:
        """Return the types that a reference may have, without null and undefined."""
        kind = self._engine.type_of(self._unit, node)
        return tuple(part for part in parts_of(kind) if not part.nullish)

    def _is_enumerated(self, kind: Type) -> bool:
        if not isinstance(kind, Instance):
            return False
        decls = kind.entity.unit.decls
        return any(decls[index].kind == DeclKind.ENUM for index in kind.entity.facts.decls)

    # ------------------------------------------------------------------ exhaustiveness

    def _exhaustive(self) -> None:
        """Find `const rest: never = value` and `value satisfies never`, which compile only if no type remains."""
        unit, code = self._unit, self._unit.code
        for decl in unit.decls:
            if decl.kind == DeclKind.VARIABLE and decl.a >= 0 and decl.b >= 0 and self._is_never(decl.a):
                subject = written_reference(unit, decl.b)
                if subject:
                    self.atoms[decl.b] = Check("exhaustive", decl.position, subject, decl.name, "never")
        for node in nodes_of(unit.facts, _CASTS):
            if code[node + 3] == Cast.SATISFIES and code[node + 2] >= 0 and self._is_never(code[node + 2]):
                subject = written_reference(unit, code[node + 1])
                self.atoms[node] = Check("exhaustive", code[node + 4], subject, "satisfies never", "never")

    def _is_never(self, node: int) -> bool:
        unit = self._unit
        return unit.code[node] == Op.T_PRIMITIVE and unit.strings[unit.code[node + 2]] == "never"

    # ------------------------------------------------------------------ combined checks

    def compounds(self) -> Iterator[tuple[int, Check]]:
        """Yield the conditions with several checks, and the conditions that leave a function or loop early if a check fails."""
        code = self._unit.code
        inner: set[int] = set()
        for node in reversed(self._logical):
            if node in inner:
                continue
            atoms = self._atoms_below(node, inner)
            if len(atoms) > 1:
                subjects = dict.fromkeys(self.atoms[atom].subject for atom in atoms)
                sign = "&&" if code[node + 3] == Logic.AND else "||"
                kinds = f" {sign} ".join(self.atoms[atom].kind for atom in atoms)
                yield node, Check("compound", code[node + 4], ", ".join(subjects), kinds)
        for test in self._unit.facts.exits:
            subject, why = self._failed_check(test)
            if subject:
                yield test, Check("early-return", code[test + 4], subject, why)

    def _atoms_below(self, node: int, inner: set[int]) -> list[int]:
        code, found, stack = self._unit.code, [], [node]
        while stack:
            at = self._unit.unnarrowed(stack.pop())
            if at in self.atoms:
                found.append(at)
            elif code[at] == Op.LOGICAL:
                inner.add(at)
                stack += (code[at + 2], code[at + 1])
            elif code[at] == Op.NOT:
                stack.append(code[at + 1])
        return found

    def _failed_check(self, test: int) -> tuple[str, str]:
        """Return the subject of a condition that is true if a check fails, and the expected type; ("", "") for other
        conditions.
        """
        unit, code = self._unit, self._unit.code
        test = self._unit.unnarrowed(test)
        op = code[test]
        if op == Op.NOT:
            inner = self._unit.unnarrowed(code[test + 1])
            known = self.atoms.get(inner)
            if known is not None:
                return (known.subject, known.narrowed_to or known.against) if not known.negated else ("", "")
            return written_reference(unit, inner), "truthy"
        if op == Op.LOGICAL and code[test + 3] == Logic.OR:
            left = self._failed_check(code[test + 1])
            return left if left[0] else self._failed_check(code[test + 2])
        known = self.atoms.get(test)
        if known is None:
            return "", ""
        if known.kind == "nullish":
            return (known.subject, f"not {known.against}") if not known.negated else ("", "")
        return (known.subject, known.narrowed_to or known.against) if known.negated else ("", "")
