"""Answers what values are: lazily, each question once, cut off in circles and after a number of steps."""

from __future__ import annotations

from typing import Final

from ..languages.typescript.resolve.model.program import Unit
from . import declared_values, expressions, written_types
from .program import NominalProgram
from .types import (
    UNKNOWN,
    ClassValue,
    Instance,
    Outside,
    Type,
    union,
)
from .wired_files import WiredFiles

#: Steps that the questions of one call site may take.
FUEL: Final = 30_000
#: Maximum depth of questions inside questions.
_MAX_DEPTH: Final = 120


class NominalEngine:
    """The types of one program."""

    def __init__(self, program: NominalProgram) -> None:
        self.program: Final = program
        self._fuel = FUEL
        #: Number of call sites whose questions needed too many steps, and questions that failed, each with its file.
        self.exhausted = 0
        self.faults: list[str] = []
        self._depth = 0
        #: Questions that are being answered, with the depth at which they began.
        self._open: dict[tuple[int, int, int], int] = {}
        #: The least depth of an open question that was met again: answers found inside it may change.
        self._cut = _MAX_DEPTH + 1
        self._known: dict[tuple[int, int, int], Type] = {}
        #: For each file, the class and declaration of each function that a class body declares.
        self.home_tables: dict[int, dict[int, tuple[int, int]]] = {}
        #: For each file, the annotated result of the function around each `yield`.
        self.result_tables: dict[int, dict[int, int]] = {}
        #: For each file, the nodes of lambdas that are arguments, by function.
        self.lambda_tables: dict[int, dict[int, int]] = {}
        #: For each file, the names that its `__all__` lists.
        self.public_names: dict[int, frozenset[str] | None] = {}
        #: The files as the rules of frameworks see them.
        self.wired: Final = WiredFiles(self)

    def refuel(self) -> None:
        """Begin the questions of another call site."""
        self.exhausted += self._fuel < 0
        self._fuel = FUEL

    def type_of(self, unit: Unit, node: int) -> Type:
        """Return the type of an expression."""
        return self._ask(0, unit, node) if node >= 0 else UNKNOWN

    def declared(self, unit: Unit, decl: int) -> Type:
        """Return what a declaration gives to its name."""
        return self._ask(1, unit, decl)

    def binding(self, unit: Unit, binding: int) -> Type:
        """Return what a name may hold anywhere in its scope."""
        return self._ask(2, unit, binding)

    def returned(self, unit: Unit, function: int) -> Type:
        """Return what a call of a function gives, before type variables are replaced."""
        return self._ask(3, unit, function)

    def annotation(self, unit: Unit, node: int) -> Type:
        """Return the type that an annotation means."""
        return self._ask(4, unit, node) if node >= 0 else UNKNOWN

    def _ask(self, kind: int, unit: Unit, index: int) -> Type:
        key = (kind, id(unit), index)
        known = self._known.get(key)
        if known is not None:
            return known
        begun = self._open.get(key)
        if begun is not None:
            self._cut = min(self._cut, begun)
            return UNKNOWN
        self._fuel -= 1
        if self._fuel < 0 or self._depth >= _MAX_DEPTH:
            self._cut = min(self._cut, 0)
            return UNKNOWN
        depth = self._depth
        self._open[key] = depth
        self._depth += 1
        outer, self._cut = self._cut, _MAX_DEPTH + 1
        try:
            if kind == 0:
                found = expressions.expression_type(self, unit, index)
            elif kind == 1:
                found = declared_values.declared_value(self, unit, index)
            elif kind == 2:
                found = declared_values.bound_value(self, unit, index)
            elif kind == 3:
                found = declared_values.returned_value(self, unit, index)
            else:
                found = written_types.annotated_type(self, unit, index)
        except Exception as fault:  # noqa: BLE001 - a bug costs one answer, not the index, and is reported
            self.faults.append(f"{unit.path}: {type(fault).__name__}: {fault}")
            found = UNKNOWN
        finally:
            self._depth = depth
            del self._open[key]
        if self._cut >= depth:  # what was met again, if anything, is this question itself
            self._known[key] = found
            self._cut = outer
        else:
            self._cut = min(self._cut, outer)
        return found

    def builtin_value(self, name: str) -> Type:
        unit = self.program.runtime("builtins")
        binding = unit.scopes[0].names.get(name) if unit is not None else None
        return self.binding(unit, binding) if unit is not None and binding is not None else Outside(f"builtins.{name}")

    def builtin(self, name: str, arguments: tuple[Type, ...] = (), module: str = "builtins") -> Type:
        """Return an instance of a class of the runtime."""
        unit = self.program.runtime(module)
        binding = unit.scopes[0].names.get(name) if unit is not None else None
        kind = self.binding(unit, binding) if unit is not None and binding is not None else UNKNOWN
        return Instance(kind.instance.cls, arguments) if isinstance(kind, ClassValue) else UNKNOWN

    def tuple_of(self, items: list[Type]) -> Type:
        """Return a tuple of known length."""
        made = self.builtin("tuple", (union(items),))
        return Instance(made.cls, made.arguments, tuple(items)) if isinstance(made, Instance) else UNKNOWN
