"""Files as the rules of frameworks see them (`ingest/languages/framework_rules/wiring.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind, FileFacts
from ..facts.operations import NAME_OPS, Op
from ..languages.framework_rules.wiring import Declared
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, imported_values
from .origins import Origins
from .program import last_name
from .types import ClassInfo, ClassValue, FunctionValue, Type, Wrapped, parts

if TYPE_CHECKING:
    from .engine import NominalEngine


def library_name(info: ClassInfo) -> str:
    """Return the dotted name of a class outside of the repository."""
    return f"{info.module}.{info.name}"


class NominalFile:
    """A file as the rules of frameworks see it."""

    def __init__(self, files: WiredFiles, unit: Unit) -> None:
        self._files = files
        self._unit = unit
        self._memory: dict[str, object] = {}

    @property
    def memory(self) -> dict[str, object]:
        """Values that rules keep for the file."""
        return self._memory

    @property
    def path(self) -> str:
        """Path of the file."""
        return self._unit.path

    @property
    def facts(self) -> FileFacts:
        """The facts of the file."""
        return self._unit.facts

    @property
    def code(self) -> Sequence[int]:
        """The nodes of the file."""
        return self._unit.code

    @property
    def unit(self) -> Unit:
        """The file as the engine sees it."""
        return self._unit

    def items(self, at: int) -> Sequence[int]:
        """Return the operands in a list; empty for -1."""
        found: list[int] = self._unit.items(at).tolist() if at >= 0 else []
        return found

    def name(self, node: int) -> str:
        """Return the last name of a dotted name; "" for other expressions."""
        return last_name(self._unit, node)

    def owner(self, node: int) -> int:
        """Return the index of the symbol around a node; -1 if there is none."""
        return self._unit.named_owner(node)

    def origin(self, node: int) -> str:
        """Return the origin of a value; "" if the origin is not known."""
        return self._files.origins.of(self._unit, node)

    def base_origins(self, shape: int) -> list[str]:
        """Return the origins of all classes that a class derives from."""
        return self._files.origins.of_bases(self._files.engine.program.class_info(self._unit, shape))

    def declarations(self, node: int) -> list[Declared]:
        """Return the functions, classes and methods of the repository that an expression means."""
        return self._files.declarations(self._unit, node)

    def module(self, specifier: str) -> NominalFile | None:
        """Return the file of the repository that a specifier resolves to in this file."""
        unit = self._files.engine.program.module(specifier, self._unit.path)
        return self._files.file(unit) if unit is not None and not unit.external else None

    def names(self) -> list[str]:
        """Return the names of the module, including names from `from … import *`."""
        return self._files.names_of(self._unit)

    def declared(self, name: str) -> Declared | None:
        """Return the declaration of a name of the module, following imports."""
        return self._files.declared(self._unit, name)

    def ancestors(self, shape: int) -> Iterator[tuple[NominalFile, int]]:
        """Yield a class of the file and the classes of the repository that it derives from, each with its file."""
        engine = self._files.engine
        for each in class_order.linear_order(engine, engine.program.class_info(self._unit, shape)).order:
            if not each.cls.unit.external:
                yield self._files.file(each.cls.unit), each.cls.shape


class WiredFiles:
    """The files of a program as the rules of frameworks see them."""

    def __init__(self, engine: NominalEngine) -> None:
        self.engine: Final = engine
        self.origins: Final = Origins(engine)
        self._files: dict[int, NominalFile] = {}
        self._names: dict[int, list[str]] = {}
        self._libraries: dict[ClassInfo, tuple[str, ...]] = {}

    def release(self) -> None:
        """Free the views of all files, with everything that rules keep for them."""
        for file in self._files.values():
            file.memory.clear()
        self._files.clear()
        self._names.clear()
        self._libraries.clear()

    def file(self, unit: Unit) -> NominalFile:
        """Return the view of a file. All calls for one file return the same view."""
        found = self._files.get(id(unit))
        if found is None:
            found = self._files[id(unit)] = NominalFile(self, unit)
        return found

    def libraries_of(self, info: ClassInfo) -> tuple[str, ...]:
        """Return the dotted names of the classes of libraries that a class is or derives from, the nearest first."""
        found = self._libraries.get(info)
        if found is None:
            order = class_order.linear_order(self.engine, info).order
            found = self._libraries[info] = tuple([library_name(each.cls) for each in order if each.cls.module])
        return found

    def names_of(self, unit: Unit) -> list[str]:
        """Return the names of a module, including names from `from … import *`."""
        found = self._names.get(id(unit))
        if found is None:
            names = dict.fromkeys(unit.scopes[0].names) if unit.scopes else {}
            if "*" in names:
                for other in imported_values.starred(self.engine, unit):
                    names.update(dict.fromkeys(other.scopes[0].names if other.scopes else ()))
            names.pop("*", None)
            found = self._names[id(unit)] = list(names)
        return found

    def declared(self, unit: Unit, name: str) -> Declared | None:
        """Return the declaration of a name of a module, following imports."""
        place = imported_values.exported_value(self.engine, unit, name)
        found = imported_values.declaration_at(self.engine, place)
        if found is None or found.facts.kind == DeclKind.IMPORT or found.unit.external:
            return None
        return Declared(self.file(found.unit), found.place)

    def declarations(self, unit: Unit, node: int) -> list[Declared]:
        """Return the functions, classes and methods of the repository that an expression means."""
        found: dict[tuple[int, int], Declared] = {}
        if unit.code[node] == Op.REFERS:
            method = self.engine.selected(unit, node)
            if not isinstance(method, FunctionValue) or method.declaration < 0 or method.unit.external:
                return []
            return [Declared(self.file(method.unit), method.declaration)]
        if unit.code[node] in NAME_OPS or unit.code[node] == Op.MEMBER:
            origin = imported_values.origin_of(self.engine, unit, node)
            if origin is not None and not origin.unit.external and origin.facts.kind in (DeclKind.FUNCTION, DeclKind.CLASS):
                return [Declared(self.file(origin.unit), origin.place)]
        for part in parts(self.engine.type_of(unit, node)):
            made = self._declaration(part)
            if made is not None and not made[0].external:
                found[id(made[0]), made[1]] = Declared(self.file(made[0]), made[1])
        return list(found.values())

    def _declaration(self, kind: Type) -> tuple[Unit, int] | None:
        if isinstance(kind, Wrapped):
            return self._declaration(kind.value)
        if isinstance(kind, FunctionValue) and kind.declaration >= 0:
            return kind.unit, kind.declaration
        if isinstance(kind, ClassValue):
            info = kind.instance.cls
            decl = info.unit.shapes[info.shape].decl
            return (info.unit, decl) if decl >= 0 else None
        return None
