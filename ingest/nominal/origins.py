"""Where values come from, for rules of frameworks: `flask:Flask().route`, whether or not Flask is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..facts.model import DeclKind
from ..facts.operations import NAME_OPS, Op
from ..languages.typescript.resolve.model.unit import Unit
from . import class_order, imported_values
from .program import last_name
from .types import ClassInfo, ClassValue, FunctionValue, Instance, ModuleValue, Outside, Overloads, Type, Wrapped, parts

if TYPE_CHECKING:
    from .engine import NominalEngine

#: Maximum number of declarations and calls that are followed for one value.
_MAX_STEPS: Final = 12
#: Function whose results are called like its first argument.
_PARTIAL: Final = "functools:partial"
#: Folders around packages that are not packages themselves.
_AROUND_PACKAGES: Final = frozenset(("src", "lib", "python"))


class Origins:
    """Finds the origins of values. Each origin is computed only once."""

    def __init__(self, engine: NominalEngine) -> None:
        self._engine = engine
        self._known: dict[tuple[int, int], str] = {}

    def of(self, unit: Unit, node: int, steps: int = _MAX_STEPS) -> str:
        """Return the origin of an expression; "" if the origin is not known."""
        if node < 0 or steps <= 0:
            return ""
        key = (id(unit), node)
        found = self._known.get(key)
        if found is None:
            self._known[key] = ""  # this value is read if the origin depends on itself
            found = self._known[key] = self._find(unit, node, steps - 1)
        return found

    def of_bases(self, info: ClassInfo) -> list[str]:
        """Return the origins of all bases of a class, external ones and classes of the repository."""
        found: dict[str, None] = {}
        for ancestor in class_order.linear_order(self._engine, info).order:
            cls = ancestor.cls
            if cls is not info:
                found[self._origin_of_declaration(cls.unit, cls.name)] = None
            shape = cls.unit.shapes[cls.shape]
            for node in (*shape.extends, *shape.implements):
                base = class_order.base_name(cls.unit, node)
                for part in parts(self._engine.type_of(cls.unit, base)):
                    if isinstance(part, Outside):
                        found[self._external_origin(part.path)] = None
                made = self.of(cls.unit, base)
                if made:
                    found[made] = None
        found.pop("", None)
        return list(found)

    def _find(self, unit: Unit, node: int, steps: int) -> str:
        code = unit.code
        op = code[node]
        if op == Op.CALL:
            callee = self.of(unit, code[node + 1], steps)
            if callee == _PARTIAL:
                given = unit.items(code[node + 2])
                return self.of(unit, given[0], steps) if len(given) else ""
            return f"{callee}()" if callee else self._of_result(unit, code[node + 1], steps)
        if op == Op.PHI:
            return self.of(unit, code[node + 2], steps)
        if op == Op.AWAIT:
            return self.of(unit, code[node + 1], steps)
        if op == Op.ELEMENT and code[node + 3] == 0 and self._engine.program.rules.is_static:
            return self.of(unit, code[node + 1], steps)  # the other results of a function are errors in most cases
        if op not in NAME_OPS and op != Op.MEMBER:
            return ""
        for part in parts(self._engine.type_of(unit, node)):
            found = self._of_type(part)
            if found:
                return found
        if op == Op.MEMBER:
            inner = self.of(unit, code[node + 1], steps)
            if inner:
                return f"{inner}.{unit.strings[code[node + 2]]}"
        return self._of_declaration(unit, node, steps)

    def _of_declaration(self, unit: Unit, node: int, steps: int) -> str:
        declared = imported_values.origin_of(self._engine, unit, node)
        if declared is None:
            return ""
        facts = declared.facts
        if facts.kind == DeclKind.VARIABLE:
            value = self.of(declared.unit, facts.b, steps)
            if value or facts.a < 0:
                return value
        if facts.kind == DeclKind.FUNCTION and facts.b >= 0:
            # The origin of a decorated function is the result of its decorator: after `@click.group()`, `cli` is a click group.
            for decorator in declared.unit.items(facts.b):
                made = self.of(declared.unit, decorator, steps)
                if made:
                    return made if made.endswith("()") else f"{made}()"
        if facts.kind in (DeclKind.VARIABLE, DeclKind.PARAMETER) and facts.a >= 0:
            annotated = self.of(declared.unit, facts.a, steps)
            return f"{annotated}()" if annotated else ""
        return ""

    def _of_result(self, unit: Unit, callee: int, steps: int) -> str:
        for part in parts(self._engine.type_of(unit, callee)):
            if isinstance(part, FunctionValue):
                for node in part.unit.functions[part.function].returns:
                    found = self.of(part.unit, node, steps)
                    if found:
                        return found
        return ""

    def _of_type(self, kind: Type) -> str:
        if isinstance(kind, Outside):
            return self._external_origin(kind.path)
        if isinstance(kind, ModuleValue):
            return ""
        if isinstance(kind, ClassValue):
            return self._of_class(kind.instance.cls)
        if isinstance(kind, Instance):
            made = self._of_class(kind.cls)
            return f"{made}()" if made else ""
        if isinstance(kind, Wrapped):
            return self._of_type(kind.value)
        if isinstance(kind, Overloads):
            return self._of_type(kind.functions[0])
        if isinstance(kind, FunctionValue) and kind.declaration >= 0:
            name = kind.unit.decls[kind.declaration].name
            owner = kind.owner.cls if kind.owner is not None else None
            if owner is None:
                return self._origin_of_declaration(kind.unit, name) if kind.unit.external else ""
            made = self._of_class(owner)
            return f"{made}().{name}" if made else ""
        return ""

    def _of_class(self, info: ClassInfo) -> str:
        """Return the origin of a class: of its nearest external base class, else its own."""
        for ancestor in class_order.linear_order(self._engine, info).order:
            cls = ancestor.cls
            if cls.module == "builtins" and cls.name == "object":
                continue
            if cls.unit.external:
                return self._origin_of_declaration(cls.unit, cls.name)
            for node in cls.unit.shapes[cls.shape].extends:
                for part in parts(self._engine.type_of(cls.unit, class_order.base_name(cls.unit, node))):
                    if isinstance(part, Outside) and last_name(cls.unit, node) != "Generic":
                        return self._external_origin(part.path)
        return self._origin_of_declaration(info.unit, info.name)

    def _origin_of_declaration(self, unit: Unit, name: str) -> str:
        """Return the origin of a declaration in a file, with the package name that the path of the file suggests."""
        if unit.external:
            return f"{self._engine.program.rules.split_outside(f'{unit.external}.{name}')[0]}:{name}"
        folders = [part for part in unit.path.split("/")[:-1] if part not in _AROUND_PACKAGES]
        package = folders[0] if folders else unit.path.rpartition(".")[0]
        return f"{package}:{name}"

    def _external_origin(self, path: str) -> str:
        """Return the origin of a name in a module that is not read; "" for a missing module of the repository."""
        package, rest = self._engine.program.rules.split_outside(path)
        return f"{package}:{rest.rpartition('.')[2]}" if package and rest else ""
