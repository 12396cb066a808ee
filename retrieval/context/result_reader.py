"""Read the graph data of each result into records, from which the connection graph is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.answers import SymbolEdge, referring_files
from ...graphdb.queries.calls import UnresolvedSites as NamedSites
from ...graphdb.queries.calls import callers, unresolved_sites_named
from ...graphdb.queries.files import file_places
from ...graphdb.queries.types import Base
from ...graphdb.queries.types import bases as bases_of
from ...graphdb.symbols.symbol_table import SymbolTable
from ...schema.import_clauses import ImportClause
from ...schema.languages import RUNTIMES, is_partly_resolved_path, is_resolved_path
from ...schema.notebook_cells import NOTEBOOK
from ...schema.records import Symbol, SymbolRef
from ...schema.symbol_kinds import CALLABLE_KINDS, MEMBER_KINDS
from ..lookup.notebook_places import place_by_cell
from ..lookup.schema_state import TableState, states_by_id
from ..source.signature_parts import signature_parts, type_names
from .call_trees import callee_tree, caller_tree, graph_symbol
from .neighbors import Neighbors, ids_of
from .result_context import ExternalUse, GraphSymbol, ResultStructure, TypeName, UnresolvedSites, Use

#: Modifiers that are left out, because another part of the text contains the same information.
_REDUNDANT_MODIFIERS = frozenset(("exported", "default", "get", "set"))
#: Kinds of symbols without a name. Their source text is shown instead.
_NAMELESS_KINDS = frozenset(("expression", "export"))
#: Maximum number of characters of a shown type whose declaration is not known.
_MAX_PLAIN_TYPE_LENGTH = 40
#: Kinds of symbols with a state after all migrations.
_OF_SCHEMAS = frozenset(("table", "view", "column"))
#: Maximum number of columns in the state of a table.
_MAX_COLUMNS = 30
_LITERAL = r"""-?[\d_.]+(?:e[+-]?\d+)?n?|'[^'\n]{0,60}'|"[^"\n]{0,60}"|`[^`$\n]{0,60}`|true|false|null"""


@dataclass(frozen=True, slots=True)
class ResultReader:
    """Reads the graph data of the targets of one answer."""

    graph: GraphDatabase
    neighbors: Neighbors
    #: Symbol with all properties for each target, by id.
    details: Mapping[str, Symbol]
    #: Returns the source text of a target.
    source_of: Callable[[SymbolRef], str]
    #: Returns the clauses of an import statement.
    imports_of: Callable[[SymbolRef], Sequence[ImportClause]]
    #: Paths of the files that refer to each target or constructor, by id.
    referrers: Mapping[str, Sequence[str]]
    #: Unresolved call sites by name.
    unresolved: Mapping[str, NamedSites]
    #: Base types of classes and interfaces that are targets or have members that are targets, by id.
    bases: Mapping[str, Sequence[Base]]
    #: State of each target that is a table or a column, by id.
    states: Mapping[str, TableState]

    @classmethod
    def read(
        cls,
        table: SymbolTable,
        neighbors: Neighbors,
        details: Mapping[str, Symbol],
        source_of: Callable[[SymbolRef], str],
        imports_of: Callable[[SymbolRef], Sequence[ImportClause]],
    ) -> ResultReader:
        """Read the data of the targets that `neighbors` does not contain."""
        constructors = [symbol for target in neighbors.targets for symbol in _constructors(neighbors, target)]
        graph = table.graph
        referrers = referring_files(table, ids_of([*neighbors.targets, *constructors]))
        callable_names = [details[target.id].name for target in neighbors.targets if target.kind in CALLABLE_KINDS]
        holders = {holder.id for target in neighbors.targets if (holder := _type_holder(neighbors, target))}
        bases: dict[str, list[Base]] = {}
        for base in bases_of(graph, holders):
            bases.setdefault(base.symbol_id, []).append(base)
        unresolved = unresolved_sites_named(graph, callable_names)
        states = states_by_id(graph, [target.id for target in neighbors.targets if target.kind in _OF_SCHEMAS])
        return cls(graph, neighbors, details, source_of, imports_of, referrers, unresolved, bases, states)

    def restricted(self, ids: Collection[str]) -> ResultReader:
        """Return the same data for fewer targets."""
        return replace(self, neighbors=self.neighbors.restricted(ids))

    def structures(self, call_depth: int, known: Sequence[ResultStructure] = ()) -> list[ResultStructure]:
        """Return one record for each target, in order.

        `call_depth` is the number of hops in call trees; -1 for all. Callers are read only for a single target. For
        several targets, the connection graph shows the calls. `known` has records from an answer with more targets. These records
        are reused, except for their uses.
        """
        targets = self.neighbors.targets
        by_id = {structure.symbol.id: structure for structure in known} if len(targets) > 1 else {}
        structures = [
            replace(earlier, place="", uses=tuple(self._uses(target, self.neighbors.edges[target.id])))
            if (earlier := by_id.get(target.id))
            else self._structure(target, call_depth, with_callers=len(targets) == 1)
            for target in targets
        ]
        labels = Counter((found.symbol.label, found.symbol.path) for found in structures)
        return [
            replace(found, place=place_by_cell(self.graph, target.relative_path, target.start_line))
            if labels[found.symbol.label, found.symbol.path] > 1 or target.relative_path.endswith(NOTEBOOK)
            else found
            for target, found in zip(targets, structures, strict=True)
        ]

    def _structure(self, target: SymbolRef, call_depth: int, *, with_callers: bool) -> ResultStructure:
        details = self.details[target.id]
        edges = self.neighbors.edges[target.id]
        own = [edge for edge in edges if edge.id == target.id]
        types_in, types_out = self._type_flow(details, own, edges)
        extends, implements = self._heritage(target)
        deep = call_depth != 1
        return ResultStructure(
            symbol=graph_symbol(target),
            modifiers=tuple(modifier for modifier in details.modifiers if modifier not in _REDUNDANT_MODIFIERS),
            exported=details.exported and not _is_private(details),
            reference_files=len(self._referring(target)),
            signature=details.signature,
            extends=extends,
            implements=implements,
            uses=tuple(self._uses(target, edges)),
            external_uses=tuple(self._external_uses(target)),
            callers=tuple(self._callers(target)) if with_callers else (),
            call_tree=callee_tree(self.graph, target, call_depth) if deep else (),
            caller_tree=caller_tree(self.graph, target, call_depth) if deep and with_callers else (),
            types_in=types_in,
            types_out=types_out,
            members=tuple(self._members(target)),
            value=constant_value(details.name, self.source_of(target)) if target.kind in ("const", "variable") else "",
            state=_state_text(self.states[target.id]) if target.id in self.states else "",
            unresolved=self._unresolved_sites(details),
        )

    def _uses(self, target: SymbolRef, edges: Sequence[SymbolEdge]) -> Iterable[Use]:
        found: dict[str, Use] = {}
        innermost_targets = self.neighbors.innermost_targets
        around = {symbol.id for symbol in self.neighbors.around(target)}
        for edge in edges:
            used, containing = edge.target, innermost_targets.get(edge.target.id)
            # Uses by a nested result belong to that result. A member's uses of the enclosing class and its fields are trivial.
            if edge.role == "binding" or innermost_targets[edge.id] != target.id or containing == target.id or used.id in around:
                continue
            is_call = edge.label in ("CALLS", "WIRED") or edge.role in ("call", "jsx")
            if containing in around and not is_call:
                continue
            earlier = found.get(used.id)
            place = (edge.line, edge.column) if earlier is None else min((earlier.line, earlier.column), (edge.line, edge.column))
            named = graph_symbol(used) if earlier is None else earlier.target
            if used.kind in _NAMELESS_KINDS and edge.names:
                # A symbol such as `export default 1` has the name under which it is imported.
                named = replace(named, label=edge.names[0])
            found[used.id] = Use(named, containing, is_call or bool(earlier and earlier.is_call), *place)
        return found.values()

    def _external_uses(self, target: SymbolRef) -> Iterable[ExternalUse]:
        bindings = self._bindings(target)
        for call in self.neighbors.externals[target.id]:
            # Calls of the runtime are left out, because they do not characterize a result.
            if call.package not in RUNTIMES:
                package = _package(call.package)
                yield ExternalUse(_external_label(package, call.name, bindings.get(package, {})), call.line, call.column)

    def _bindings(self, target: SymbolRef) -> dict[str, dict[str, str]]:
        """Return the imported names by local name, for each package that a target uses."""
        bindings: dict[str, dict[str, str]] = {}
        found = (*self.neighbors.edges[target.id], *self.neighbors.heads[target.id])
        # Edges to a module that several files declare may point to import statements in other files.
        edges = [edge for edge in found if edge.target.relative_path == target.relative_path]
        imports = {edge.target.id: edge.target for edge in edges if edge.target.kind == "import"}
        for statement in imports.values():
            specifier = _package(statement.qualified_name.removeprefix("import:"))
            for clause in self.imports_of(statement):
                bindings.setdefault(specifier, {}).update(clause.names)
        filled = (edge.target for edge in edges if edge.role == "binding" and edge.target.kind != "import")
        for statement in {root.id: root for root in map(self.neighbors.root, filled)}.values():
            for clause in self.imports_of(statement):
                if clause.specifier:
                    bindings.setdefault(_package(clause.specifier), {}).update(clause.names)
        return bindings

    def _referring(self, target: SymbolRef) -> set[str]:
        symbols = [target, *_constructors(self.neighbors, target)]
        return {path for symbol in symbols for path in self.referrers.get(symbol.id, ())}

    def _callers(self, target: SymbolRef) -> Iterable[GraphSymbol]:
        found = callers(self.graph, [target.id, *(symbol.id for symbol in _constructors(self.neighbors, target))])
        symbols = dict.fromkeys(graph_symbol(call.neighbour) for call in found if call.neighbour.id != target.id)
        # Tests come last: they are many, and users want to know which other code depends on the symbol.
        tests = {file.path for file in file_places(self.graph, {symbol.path for symbol in symbols}) if file.is_test}
        return sorted(symbols, key=lambda symbol: symbol.path in tests)

    def _heritage(self, target: SymbolRef) -> tuple[tuple[TypeName, ...], tuple[TypeName, ...]]:
        """Return the types that a class or interface extends and implements; for a member, the types that its class extends."""
        holder = _type_holder(self.neighbors, target)
        found: dict[str, dict[TypeName, None]] = {"extends": {}, "implements": {}}
        for base in self.bases.get(holder.id, ()) if holder else ():
            if base.symbol is not None:
                named = TypeName(base.symbol.qualified_name, base.symbol.relative_path, base.symbol.id)
            else:
                package = _package(base.package)
                label = _external_label(package, base.name, self._bindings(target).get(package, {}))
                is_runtime = package in RUNTIMES
                named = TypeName(base.name, "") if is_runtime else TypeName(label.removeprefix(f"{package}."), package)
            if base.kind == "extends" or holder is target:
                found[base.kind][named] = None
        return tuple(found["extends"]), tuple(found["implements"])

    def _type_flow(
        self, details: Symbol, own: Sequence[SymbolEdge], edges: Sequence[SymbolEdge]
    ) -> tuple[tuple[TypeName, ...], tuple[TypeName, ...]]:
        if is_partly_resolved_path(details.relative_path):
            taken = sorted((edge for edge in own if edge.label == "PARAM_TYPE"), key=lambda edge: edge.position)
            given = [edge for edge in own if edge.label in ("RETURN_TYPE", "FIELD_TYPE")]
            types = [tuple(dict.fromkeys(_type_of(edge.target) for edge in side)) for side in (taken, given)]
            return types[0], types[1]
        if not is_resolved_path(details.relative_path):
            return (), ()  # the signature shows the types
        if details.kind not in CALLABLE_KINDS:
            return (), tuple(dict.fromkeys(_type_of(edge.target) for edge in own if edge.label == "FIELD_TYPE"))
        parts = signature_parts(details.signature)
        packages = _imported_types(edges)
        types_in: list[TypeName] = []
        plain: list[TypeName] = []
        named = [parameter.name for parameter in parts.parameters]
        type_parameters = {parameter.name for parameter in parts.type_parameters}
        # In the graph, the parameter after `this` has the position 0.
        first = 1 if named[:1] == ["this"] else 0
        for place, parameter in enumerate(parts.parameters, -first):
            type = parameter.type or ""
            known = [_type_of(edge.target) for edge in own if edge.label == "PARAM_TYPE" and edge.position == place]
            types_in += known or _packaged(type, packages)
            says_something = 0 < len(type) <= _MAX_PLAIN_TYPE_LENGTH and type not in type_parameters
            if parameter.name != "this" and parameter.name[:1] not in ("{", "[") and says_something:
                plain.append(TypeName(parameter.name, type))
        types_out = [_type_of(edge.target) for edge in own if edge.label == "RETURN_TYPE"]
        # Types whose declaration is in the repository are already in the list.
        known_out = {type.name.rpartition(".")[2] for type in types_out}
        types_out += [
            type for type in _packaged(parts.return_type or "", packages) if type.name.rpartition(".")[2] not in known_out
        ]
        # Parameter types without a known declaration are in the signature, so they are listed only if there are no other types.
        return tuple(dict.fromkeys(types_in or plain)), tuple(dict.fromkeys(types_out))

    def _members(self, target: SymbolRef) -> Iterable[str]:
        if target.kind not in MEMBER_KINDS:
            return
        for child in (*_children(self.neighbors, target), *self.neighbors.methods.get(target.id, ())):
            name = child.qualified_name.removeprefix(target.qualified_name + ".")
            yield f"{name}()" if child.kind in ("method", "constructor", "function", "component") else name

    def _unresolved_sites(self, details: Symbol) -> UnresolvedSites | None:
        may_be_called = details.kind in CALLABLE_KINDS and details.name != "default" and "private" not in details.modifiers
        found = self.unresolved.get(details.name) if may_be_called else None
        return UnresolvedSites(found.name, found.sites, found.callers) if found else None


def _is_private(symbol: Symbol) -> bool:
    """Return whether a member is private, and thus inaccessible even if its class is exported."""
    return "private" in symbol.modifiers or symbol.name.startswith("#")


def _children(neighbors: Neighbors, target: SymbolRef) -> list[SymbolRef]:
    return [symbol for symbol in neighbors.nested[target.id] if symbol.depth == target.depth + 1]


def _type_holder(neighbors: Neighbors, target: SymbolRef) -> SymbolRef | None:
    """Return the target if it is a class or interface, or else the class or interface that has the target as a member."""
    around = neighbors.around(target)
    holder = around[-1] if around and target.kind in CALLABLE_KINDS else target
    return holder if holder.kind in ("class", "interface") else None


def _constructors(neighbors: Neighbors, target: SymbolRef) -> list[SymbolRef]:
    """Return the constructors of a class. Callers of a constructor count as callers of the class."""
    return [symbol for symbol in _children(neighbors, target) if symbol.kind == "constructor"]


def constant_value(name: str, source: str) -> str:
    """Return type and value of a constant, such as `number (value: 3600)`, or only its written type; "" if it has neither."""
    declared = re.search(
        rf"(?<![\w$.]){re.escape(name)}\s*(?::\s*(?P<type>[^=;]{{1,60}}?))?\s*=\s*(?P<value>[^=>].*)", source, re.DOTALL
    )
    if declared is None:
        return ""
    written = " ".join((declared["type"] or "").split())
    literal = re.match(rf"({_LITERAL})(?:\s+as\s+const)?[ \t]*(?:[;,\n]|//|/\*|$)", declared["value"])
    if literal is None:
        return written
    return f"{written or _literal_type(literal[1])} (value: {literal[1]})"


def _literal_type(literal: str) -> str:
    if literal in ("true", "false"):
        return "boolean"
    if literal == "null":
        return "null"
    if literal[0] in "'\"`":
        return "string"
    return "bigint" if literal.endswith("n") else "number"


def _state_text(state: TableState) -> str:
    dropped = next((change for change in reversed(state.changes) if change.kind == "dropped"), None)
    if dropped is not None:
        return f"dropped in {dropped.file}:{dropped.line}"
    if state.kind == "column":
        return f"{state.table}.{', '.join(map(str, state.columns))}"
    more = len(state.columns) - _MAX_COLUMNS
    columns = ", ".join(map(str, state.columns[:_MAX_COLUMNS])) + (f", … {more} more" if more > 0 else "")
    return f"{state.table} ({columns})"


def _type_of(symbol: SymbolRef) -> TypeName:
    return TypeName(symbol.qualified_name, symbol.relative_path, symbol.id)


def _imported_types(edges: Iterable[SymbolEdge]) -> dict[str, str]:
    """Return the package of each local name that is imported from a package and not from a relative path."""
    packages = {}
    for edge in edges:
        specifier = edge.target.qualified_name.removeprefix("import:")
        if edge.target.kind == "import" and not specifier.startswith("."):
            packages.update(dict.fromkeys(edge.names, specifier))
    return packages


def _packaged(type_text: str, packages: Mapping[str, str]) -> list[TypeName]:
    return [TypeName(name, packages[root]) for name in type_names(type_text) if (root := name.split(".")[0]) in packages]


def _package(name: str) -> str:
    """Return the name of a package as in import statements, without the registry prefix of external ids."""
    return name.removeprefix("npm:").removeprefix("node:")


def _external_label(package: str, name: str, bindings: Mapping[str, str]) -> str:
    """Return the name of an external as the file writes it: `jwt.verify` if the package is imported as `jwt`."""
    for local, imported in bindings.items():
        rest = name.removeprefix(imported)
        if name == imported or (rest != name and rest[0] in ".("):
            return local + rest
    whole = next((local for local, imported in bindings.items() if imported in ("*", "default")), package)
    return f"{whole}.{name}" if name and name[0] != "(" else whole + name
