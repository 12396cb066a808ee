"""The edges of single files of a state of a repository, as an index would have them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ...schema.graph_content import GraphContent
from ...schema.languages import has_calls, language_of
from ...schema.records import Problem, Symbol
from ..facts.data import ModelQuery
from ..facts.model import FileFacts
from ..files.path_roles import is_declaration_file
from ..incremental.tree_state import TreeState
from ..languages.extraction import unread_facts
from ..languages.installed_files import InstalledFiles
from ..languages.registry import language
from ..languages.typescript.installed_declarations import InstalledDeclarations
from ..languages.typescript.resolve.edges.edges import Edges
from ..languages.typescript.resolve.edges.known_names import KnownNames
from ..languages.typescript.resolve.engine import Engine
from ..languages.typescript.resolve.misfits import misfits
from ..languages.typescript.resolve.model.program import OtherFiles, Program
from ..languages.typescript.resolve.model.unit import Unit
from ..languages.typescript.runtime_facts import cached_runtime_facts
from ..nominal.class_order import linear_order
from ..nominal.misfits import misfits as nominal_misfits
from ..nominal.overloading import choice
from ..resolution.nominal_files import NominalFiles, outline_of
from ..resolution.repository_edges import RepositoryEdges
from .changed_parameters import Given, given_at
from .changed_symbols import is_abstract
from .converted_types import converted_types
from .refused_values import may_be_function, refused_values

#: Kinds of symbols that are not values.
TYPE_KINDS: Final = ("interface", "type")


class StateEdges:
    """The edges of single files of a state, as an index would have them."""

    def __init__(self, state: TreeState, root: str, names: Collection[str], *, has_tables: bool = False) -> None:
        """Uses of members are resolved only if the member has one of `names`.

        Queries of object mappers are read only if the state declares tables (`has_tables`).
        """
        self._state = state
        #: The symbols that edges of these files target, by id.
        self._declared: dict[str, Symbol] = {}
        paths = [path for path in state.files.sources if (language := language_of(path)) and has_calls(language)]
        places = {path: place for place, path in enumerate(sorted(paths))}
        eager = {path: outline_of(self._facts(path)) for path in places if is_declaration_file(path)}
        others = OtherFiles(places, lambda path: outline_of(self._facts(path)))
        declarations = InstalledDeclarations(InstalledFiles(Path(root)))
        self._program = Program(eager, state.resolve, cached_runtime_facts(state.stored), declarations.facts, others)
        self._engine = engine = Engine(self._program)
        known = KnownNames({}, frozenset(names), frozenset(names))
        self._nominal = NominalFiles(places, self._facts, state.resolve, self._symbol_id, state.stored)
        self._edges = RepositoryEdges(engine, Edges(engine, self._symbol_id, known), self._nominal, has_tables=has_tables)

    def of(self, path: str) -> GraphContent | None:
        """Return the heritage, calls and references of a file; None if the state has no such file."""
        unit = self._program.unit_at(path)
        if unit is None:
            return None
        named, called = self._edges.of_names([unit]), self._edges.of_calls([unit], lambda _: None)
        return GraphContent(
            calls=called.calls,
            external_calls=called.external_calls,
            unresolved_calls=called.unresolved_calls,
            unresolved_references=called.unresolved_references,
            references=called.references,
            heritage=named.heritage,
            overrides=named.overrides,
        )

    def arguments_of(self, path: str) -> Mapping[tuple[int, int], Given]:
        """Return the arguments of the calls of a file, by line and column."""
        unit = self._nominal.unit_at(path) or self._program.unit_at(path)
        return given_at(unit) if unit is not None else {}

    def refused_calls(self, path: str) -> frozenset[tuple[int, int]]:
        """Return the lines and columns of the calls in a file of a language with overloads whose arguments no overload takes."""
        engine, unit = self._nominal.engine_of(language_of(path) or ""), self._nominal.unit_at(path)
        if engine is None or unit is None:
            return frozenset()
        refused = (unit.code[node + 4] for node in unit.facts.calls if choice.is_refused(engine, unit, node))
        return frozenset((unit.line(position), unit.column(position)) for position in refused)

    def misfits_of(self, path: str, words: re.Pattern[bytes]) -> set[tuple[int, str]]:
        """Return the lines of a file with values and types that do not fit where they are used, each with the reason.

        Only lines with one of some words, and the functions that these lines call, are examined.
        """
        text = self._state.files.read(path) or b""
        lines = frozenset(number for number, line in enumerate(text.split(b"\n"), 1) if words.search(line))
        refused: set[tuple[int, str]] = set()
        engine, unit = self._nominal.engine_of(language_of(path) or ""), self._nominal.unit_at(path)
        if engine is not None and unit is not None:
            used = language(unit.facts.language).used_results
            found = nominal_misfits(engine, unit, lines, used(text) if used is not None else {})
            read = language(unit.facts.language).conversions
            if read is not None:
                refused = {*refused_values(engine, unit, read(text), lines)}
        elif (unit := self._program.unit_at(path)) is not None:
            found = misfits(self._engine, unit, lines)
        else:
            return set()
        return refused | {(unit.line(each.position), each.reason) for each in found}

    def implemented_by(self, path: str) -> set[tuple[str, str]]:
        """Return the types of a file and the interfaces that they implement by having their methods, as pairs of ids."""
        unit = self._program.unit_at(path)
        bases = self._edges.of_names([unit]).heritage if unit is not None else ()
        return {(edge.from_id, edge.to_id) for edge in bases if edge.method_set}

    def conversions_of(self, path: str) -> Iterator[tuple[int, tuple[str, str]]]:
        """Yield the places of a file where a value becomes a value of another type: the line, and the ids of both types."""
        engine, unit = self._nominal.engine_of(language_of(path) or ""), self._nominal.unit_at(path)
        read = language(unit.facts.language).conversions if unit is not None else None
        if engine is not None and unit is not None and read is not None:
            yield from converted_types(engine, unit, read(self._state.files.read(path) or b""), self._symbol_id)

    def queries_of(self, path: str) -> Sequence[ModelQuery]:
        """Return the uses of tables by calls of object mappers in a file."""
        unit = self._program.unit_at(path)
        if unit is None:
            return ()
        self._edges.of_calls([unit], lambda _: None)
        return self._edges.queries_of([unit]).get(path, ())

    def is_type(self, symbol_id: str) -> bool:
        """Return whether the target symbol of an edge is a type."""
        return symbol_id in self._declared and self._declared[symbol_id].kind in TYPE_KINDS

    def is_abstract(self, symbol_id: str) -> bool:
        """Return whether the target symbol of an edge is declared as abstract."""
        return symbol_id in self._declared and is_abstract(self._declared[symbol_id])

    def kind_of(self, symbol_id: str) -> str:
        """Return the kind of the target symbol of an edge; "" for a target outside of the repository."""
        return self._declared[symbol_id].kind if symbol_id in self._declared else ""

    def may_hold_function(self, symbol_id: str) -> bool:
        """Return whether the target of an edge is a field whose values may be functions. True if its type is not known."""
        symbol = self._declared[symbol_id]
        engine = self._nominal.engine_of(language_of(symbol.relative_path) or "")
        unit = self._nominal.unit_at(symbol.relative_path)
        if engine is None or unit is None:
            return True
        place = next(at for at, each in enumerate(self._state.symbols(unit.path)) if each.id == symbol_id)
        members = [each for shape in unit.shapes for each in shape.members if each.symbol == place]
        return not members or any(may_be_function(engine, engine.annotation(unit, each.type)) for each in members)

    def name_of(self, id: str) -> str:
        """Return the name of the target of an edge: a symbol, or an external such as `go:error`."""
        return self._declared[id].qualified_name if id in self._declared else id.partition(":")[2]

    def is_global(self, name: str) -> bool:
        """Return whether a name is a global of TypeScript and JavaScript."""
        return self._program.declares_global(name)

    def is_open(self, path: str, class_name: str) -> bool:
        """Return whether a class may have unknown members, because an ancestor is unknown or belongs to a package."""
        engine = self._nominal.engine_of(language_of(path) or "")
        unit = self._nominal.unit_at(path)
        if engine is not None and unit is not None:
            names = [symbol.qualified_name for symbol in self._state.symbols(path)]
            infos = (
                engine.program.class_info(unit, place)
                for place, shape in enumerate(unit.shapes)
                if shape.symbol >= 0 and names[shape.symbol] == class_name
            )
            return any(not linear_order(engine, info).is_complete for info in infos)
        return self._has_package_ancestor(path, class_name, set())

    def _has_package_ancestor(self, path: str, class_name: str, seen: set[tuple[str, str]]) -> bool:
        unit = self._program.unit_at(path)
        if unit is None or (path, class_name) in seen:
            return False
        seen.add((path, class_name))
        symbols = self._state.symbols(path)
        place = next((at for at, symbol in enumerate(symbols) if symbol.qualified_name == class_name), -1)
        written = sum(len(shape.extends) for shape in unit.shapes if shape.symbol == place >= 0)
        if not written:
            return False
        bases = [edge for edge in self._edges.of_names([unit]).heritage if edge.from_id == symbols[place].id]
        if sum(edge.kind == "extends" for edge in bases) < written:
            return True
        for edge in bases:
            if edge.to_external:
                if edge.to_id.startswith("npm:"):
                    return True
                continue
            base = self._declared[edge.to_id]
            if self._has_package_ancestor(base.relative_path, base.qualified_name, seen):
                return True
        return False

    def _facts(self, path: str) -> FileFacts:
        facts = self._state.facts(path)
        return facts if facts is not None else unread_facts(language_of(path) or "", [Problem(1, "not readable")])

    def _symbol_id(self, unit: Unit, symbol: int) -> str:
        found = self._state.symbols(unit.path)[symbol]
        self._declared[found.id] = found
        return found.id
