"""CHECKS edges: code that checks the type of a value, and the functions that are type guards.

`isinstance`, `issubclass` and class patterns of `match` count as "instanceof", `type(x) is C` and `callable(x)` as "typeof",
`hasattr` as "in-operator", comparisons with `None` as "nullish", and `assert_never` as "exhaustive".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....schema.edges import TypeCheck
from ...facts.node_scan import any_of, nodes_of
from ...facts.operations import Logic, Op
from ...languages.typescript.resolve.edges.operator_checks import Check
from ...languages.typescript.resolve.model.unit import SymbolIds, Unit
from ..engine import NominalEngine
from ..program import last_name
from ..types import FunctionValue, parts
from .annotations import receivers, reference, written, written_parameters

_COMPARISONS: Final = any_of(Op.COMPARED, Op.EQUALITY)
_MATCHES: Final = any_of(Op.MATCHED)
_INSTANCE_CHECKS: Final = any_of(Op.INSTANCEOF)
_COMBINED: Final = any_of(Op.LOGICAL, Op.NOT)
_GUARDS: Final = ("TypeGuard", "TypeIs")
#: Maximum number of parts of one condition that are read.
_MAX_CONDITIONS: Final = 60


class TypeChecks:
    """Finds the type checks of code, file by file."""

    def __init__(self, engine: NominalEngine, symbol_id: SymbolIds) -> None:
        self._engine = engine
        self._symbol_id = symbol_id

    def of(self, unit: Unit) -> Iterator[TypeCheck]:
        """Yield all checks of a file in source order."""
        atoms = self._atoms(unit)
        found = self._guards(unit)
        negated = self._negated(unit)
        for node, check in atoms.items():
            turned = check._replace(negated=not check.negated) if node in negated else check
            found.append((unit.named_owner(node), turned))
        found += self._compounds(unit, atoms)
        found += self._early_returns(unit, atoms)
        for owner, check in sorted(found, key=lambda entry: (entry[1].position, entry[1].kind)):
            if owner >= 0:
                yield check.record(self._symbol_id(unit, owner), unit)

    # ------------------------------------------------------------------ single checks

    def _atoms(self, unit: Unit) -> dict[int, Check]:
        """Return the single checks of a file by their nodes."""
        found: dict[int, Check] = {}
        for node in unit.facts.calls:
            check = self._call(unit, node) if unit.code[node] == Op.CALL else None
            if check is not None:
                found[node] = check
        for node in nodes_of(unit.facts, _COMPARISONS):
            check = self._comparison(unit, node)
            if check is not None:
                found[node] = check
        for node in nodes_of(unit.facts, _INSTANCE_CHECKS):
            subject, wanted = reference(unit, unit.code[node + 1]), written(unit, unit.code[node + 2])
            if subject and wanted:
                found[node] = Check("instanceof", unit.code[node + 4], subject, wanted, wanted)
        parts_of_others: set[int] = set()
        for node in nodes_of(unit.facts, _MATCHES):
            classes = unit.items(unit.code[node + 2]).tolist()
            if len(classes) > 1:  # the parts of `case A() | B()` also have their own nodes
                parts_of_others.update(classes)
        for node in nodes_of(unit.facts, _MATCHES):
            classes = unit.items(unit.code[node + 2]).tolist()
            if len(classes) == 1 and classes[0] in parts_of_others:
                continue
            subject, wanted = reference(unit, unit.code[node + 1]), " | ".join([written(unit, each) for each in classes])
            if subject and wanted:
                found[node] = Check("instanceof", unit.code[node + 4], subject, wanted, wanted)
        return found

    def _call(self, unit: Unit, node: int) -> Check | None:
        """Return the type check that a call such as `isinstance(x, C)` performs, or None."""
        code = unit.code
        callee, given = code[node + 1], unit.items(code[node + 2]).tolist()
        subject = reference(unit, given[0]) if given else ""
        if callee < 0 or not subject:
            return None
        position = code[node + 4]
        name = last_name(unit, callee)
        if code[callee] == Op.NAME and code[callee + 1] < 0:
            if name in ("isinstance", "issubclass") and len(given) == 2:
                wanted = self._classes(unit, given[1])
                return Check("instanceof", position, subject, wanted, wanted)
            if name == "hasattr" and len(given) == 2:
                return Check("in-operator", position, subject, written(unit, given[1]))
            if name == "callable":
                return Check("typeof", position, subject, "callable", "Callable")
        if name == "assert_never":
            return Check("exhaustive", position, subject, name, "Never")
        self._engine.refuel()
        for part in parts(self._engine.type_of(unit, callee)):
            if isinstance(part, FunctionValue):
                narrowed = self._narrowed(part.unit, part.function)
                if narrowed:
                    return Check("user-defined", position, subject, name, narrowed)
        return None

    def _classes(self, unit: Unit, node: int) -> str:
        """Return the text of the classes that a value is checked against."""
        if unit.code[node] != Op.ARRAY:
            return written(unit, node)
        items = [written(unit, each) for each in unit.items(unit.code[node + 1]).tolist()]
        return " | ".join(items) if "" not in items else ""

    def _comparison(self, unit: Unit, node: int) -> Check | None:
        """Return the check of a comparison with no value (`None`, `nil`, `null`) or of a value's class; None for others."""
        code = unit.code
        left, right = code[node + 1], code[node + 2]
        position, negated = code[node + 4], code[node + 3] == 0
        for side, other in ((left, right), (right, left)):
            if side < 0 or other < 0:
                continue
            subject = reference(unit, side)
            if code[other] == Op.NULL and subject:
                null = self._engine.program.rules.null_literal
                return Check("nullish", position, subject, null, null, negated)
            if code[side] == Op.CALL and self._is_free(unit, code[side + 1], "type"):
                given = unit.items(code[side + 2]).tolist()
                checked, wanted = reference(unit, given[0]) if len(given) == 1 else "", written(unit, other)
                if checked and wanted:
                    return Check("typeof", position, checked, wanted, wanted, negated)
        return None

    def _is_free(self, unit: Unit, node: int, name: str) -> bool:
        code = unit.code
        return node >= 0 and code[node] == Op.NAME and code[node + 1] < 0 and unit.strings[code[node + 2]] == name

    # ------------------------------------------------------------------ guards

    def _narrowed(self, unit: Unit, function: int) -> str:
        """Return the text of the type to which a function with `TypeGuard[X]` or `TypeIs[X]` as its result narrows, or ""."""
        node = unit.functions[function].return_type
        if node < 0 or unit.code[node] != Op.INDEX or last_name(unit, unit.code[node + 1]) not in _GUARDS:
            return ""
        return written(unit, unit.code[node + 2])

    def _guards(self, unit: Unit) -> list[tuple[int, Check]]:
        found: list[tuple[int, Check]] = []
        for index, function in enumerate(unit.functions):
            narrowed = self._narrowed(unit, index) if function.symbol >= 0 else ""
            if not narrowed:
                continue
            names = [name for _, name, _, _ in written_parameters(unit, index, index in receivers(self._engine, unit))]
            subject = names[0] if names else ""
            found.append((function.symbol, Check("user-defined", function.position, subject, "", narrowed, declares=True)))
        return found

    # ------------------------------------------------------------------ combined checks

    def _negated(self, unit: Unit) -> set[int]:
        """Return the nodes directly inside a `not`."""
        code = unit.code
        return {code[node + 1] for node in nodes_of(unit.facts, _COMBINED) if code[node] == Op.NOT}

    def _compounds(self, unit: Unit, atoms: dict[int, Check]) -> list[tuple[int, Check]]:
        code = unit.code
        found: list[tuple[int, Check]] = []
        inner: set[int] = set()
        for node in reversed(list(nodes_of(unit.facts, _COMBINED))):
            if code[node] != Op.LOGICAL or node in inner:
                continue
            checks = [atoms[atom] for atom in self._combined_checks(unit, node, atoms, inner)]
            if len(checks) > 1:
                subjects = dict.fromkeys(check.subject for check in checks)
                sign = " && " if code[node + 3] == Logic.AND else " || "
                kinds = sign.join([check.kind for check in checks])
                position = min(code[node + 4], checks[0].position)
                found.append((unit.named_owner(node), Check("compound", position, ", ".join(subjects), kinds)))
        return found

    def _early_returns(self, unit: Unit, atoms: dict[int, Check]) -> list[tuple[int, Check]]:
        """Return the conditions under which a function or loop is left because a check failed: `if x is None: return`."""
        found: list[tuple[int, Check]] = []
        for test in unit.facts.exits:
            subject, why = self._failed(unit, test, atoms, 0)
            if subject:
                found.append((unit.named_owner(test), Check("early-return", unit.code[test + 4], subject, why)))
        return found

    def _failed(self, unit: Unit, test: int, atoms: dict[int, Check], depth: int) -> tuple[str, str]:
        """Return the subject and required type of a check, if the condition is true when the check fails; else ("", "")."""
        code = unit.code
        if test < 0 or depth > _MAX_CONDITIONS:
            return "", ""
        if code[test] == Op.NOT:
            inner = atoms.get(code[test + 1])
            if inner is None:
                return reference(unit, code[test + 1]), "truthy"
            return (inner.subject, inner.narrowed_to or inner.against) if not inner.negated else ("", "")
        if code[test] == Op.LOGICAL and code[test + 3] == Logic.OR:
            subject, why = self._failed(unit, code[test + 1], atoms, depth + 1)
            return (subject, why) if subject else self._failed(unit, code[test + 2], atoms, depth + 1)
        known = atoms.get(test)
        if known is None:
            return "", ""
        if known.kind == "nullish":
            return (known.subject, f"not {known.against}") if not known.negated else ("", "")
        return (known.subject, known.narrowed_to or known.against) if known.negated else ("", "")

    def _combined_checks(self, unit: Unit, node: int, atoms: dict[int, Check], inner: set[int]) -> list[int]:
        """Return the checks that a condition combines, and add the conditions inside it to `inner`."""
        code, found, waiting = unit.code, [], [node]
        for _ in range(_MAX_CONDITIONS):
            if not waiting:
                break
            at = waiting.pop()
            if at in atoms:
                found.append(at)
            elif at >= 0 and code[at] == Op.LOGICAL:
                inner.add(at)
                waiting += (code[at + 2], code[at + 1])
            elif at >= 0 and code[at] == Op.NOT:
                waiting.append(code[at + 1])
        return found
