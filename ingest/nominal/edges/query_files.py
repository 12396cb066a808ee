"""Files as the rules of object mappers see them (`ingest/languages/framework_rules/queries.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...facts.model import DeclKind
from ...facts.operations import Op
from ...languages.framework_rules.wiring import Declared, SymbolPlace, WiredFile
from ...languages.typescript.resolve.model.unit import Unit
from .. import class_order, imported_values
from ..call_sites.read_parameters import NO_READS
from ..types import UNKNOWN, ClassValue, Instance, Parent, Type, bounded, parts
from ..wired_files import NominalFile, WiredFiles, library_name

if TYPE_CHECKING:
    from ..call_sites.argument_types import ArgumentTypes


class NominalType:
    """A type of a value, in the form that rules of object mappers read."""

    def __init__(self, files: WiredFiles, kind: Instance, *, is_class: bool) -> None:
        self._files = files
        self._kind = kind
        self._is_class = is_class

    @property
    def is_class(self) -> bool:
        """Whether the value is the class itself."""
        return self._is_class

    @property
    def declared(self) -> SymbolPlace | None:
        """The class of the repository that the value is, or is an instance of; None for other values."""
        info = self._kind.cls
        symbol = info.unit.shapes[info.shape].symbol
        return SymbolPlace(self._files.file(info.unit), symbol) if not info.unit.external and symbol >= 0 else None

    @property
    def libraries(self) -> Sequence[str]:
        """Dotted names of the classes of libraries that the class is or derives from, the nearest first."""
        return self._files.libraries_of(self._kind.cls)

    @property
    def is_open(self) -> bool:
        """Return whether the class derives from an unknown class."""
        return not class_order.linear_order(self._files.engine, self._kind.cls).is_complete

    def argument(self, library: str) -> Sequence[NominalType]:
        """Return the first type argument of the type, seen as an instance of a class of a library; empty if there is none."""
        engine = self._files.engine
        for each in class_order.linear_order(engine, self._kind.cls).order:
            if each.cls.module and library_name(each.cls) == library:
                seen = class_order.as_class(engine, self._kind, each.cls)
                return known_types(self._files, seen.arguments[0]) if seen is not None and seen.arguments else []
        return []


def known_types(files: WiredFiles, kind: Type) -> list[NominalType]:
    """Return the types that a value may have, in the form that rules of object mappers read."""
    found: list[NominalType] = []
    for part in parts(bounded(kind)):
        if isinstance(part, Instance):
            found.append(NominalType(files, part, is_class=False))
        elif isinstance(part, ClassValue):
            found.append(NominalType(files, part.instance, is_class=True))
        elif isinstance(part, Parent):
            receiver = part.receiver
            if isinstance(receiver, Instance):
                found.append(NominalType(files, receiver, is_class=False))
    return found


class NominalQueryFile(NominalFile):
    """A file as the rules of object mappers see it."""

    def __init__(self, files: WiredFiles, unit: Unit, arguments: ArgumentTypes) -> None:
        super().__init__(files, unit)
        self._arguments = arguments
        self._is_inferred = False
        #: The types of expressions by node, and whether they depend on inferred types: the rules of several mappers ask for them.
        self._known: dict[int, tuple[list[NominalType], bool]] = {}
        #: The views of files by path, which all views share.
        self._views: dict[str, NominalQueryFile] = {unit.path: self}

    @property
    def is_inferred(self) -> bool:
        """Whether the last answer of `types` depends on types of parameters that were inferred from call sites."""
        return self._is_inferred

    def types(self, node: int) -> Sequence[NominalType]:
        """Return the known types that an expression may have."""
        known = self._known.get(node)
        if known is None:
            found = self._types(node)
            known = self._known[node] = (found, self._is_inferred)
        self._is_inferred = known[1]
        return known[0]

    def _types(self, node: int) -> list[NominalType]:
        engine = self._files.engine
        engine.refuel()
        engine.reads = NO_READS
        self._is_inferred = False
        kind = engine.type_of(self._unit, node)
        if kind is UNKNOWN and engine.reads and self._arguments.is_used:
            level = self._arguments.begin(self._unit)
            kind = engine.type_of(self._unit, node)
            engine.enter_level(level)
            self._is_inferred = kind is not UNKNOWN
        return known_types(self._files, kind)

    def values(self, node: int) -> Sequence[int]:
        """Return the expressions whose values a node may have: the values assigned to a name, or the branches of a condition."""
        unit, code = self._unit, self._unit.code
        op = code[node]
        found: list[int] = []
        if op == Op.FLOW:
            found = list(self.items(code[node + 2]))
        elif op == Op.PHI:
            found = list(self.items(code[node + 1]))
        elif op == Op.NAME and code[node + 1] >= 0:
            found = [
                unit.decls[index].b
                for index in unit.bindings[code[node + 1]].decls
                if unit.decls[index].kind == DeclKind.VARIABLE and unit.decls[index].b >= 0
            ]
        elif op == Op.DECLARED and code[node + 1] >= 0:
            declared = unit.decls[code[node + 1]]
            found = [declared.b] if declared.kind == DeclKind.VARIABLE and declared.b >= 0 else []
        elif op in (Op.NARROW, Op.AWAIT):
            found = [code[node + 1]]
        elif op == Op.ASSIGN:
            found = [code[node + 2]]
        elif op == Op.CONDITIONAL:
            found = [code[node + 2], code[node + 3]]
        return found

    def runs_own_code(self, callee: int) -> bool:
        """Return whether a callee is a function or a class of the repository."""
        return bool(self.declarations(callee))

    def constant(self, node: int) -> Declared | None:
        """Return the variable of a file of the repository that a name or a dotted name denotes, following imports."""
        found = imported_values.origin_of(self._files.engine, self._unit, node)
        if found is None or found.unit.external or found.facts.kind != DeclKind.VARIABLE:
            return None
        return Declared(self._files.file(found.unit), found.place)

    def view(self, file: WiredFile) -> NominalQueryFile:
        """Return another file of the repository, as the rules of object mappers see it."""
        found = self._views.get(file.path)
        if found is None:
            assert isinstance(file, NominalFile)
            found = self._views[file.path] = NominalQueryFile(self._files, file.unit, self._arguments)
            found._views = self._views
        return found
