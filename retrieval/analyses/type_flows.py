"""Type flows: the types of the repository in the parameters and in the result of a function."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.types import AliasedType, aliased_types
from ...graphdb.queries.types import TypeFlow as FlowEdge
from ...graphdb.queries.types import type_flows as flow_edges
from ...graphdb.symbols.symbol_table import symbols_of
from ...ingest.languages.registry import states_types
from ...schema.languages import is_partly_resolved_path, is_resolved_path, language_of
from ...schema.records import Symbol, SymbolRef
from ...schema.signatures import SignatureParts
from ...schema.symbol_kinds import CALLABLE_KINDS
from ..source.written_signatures import written_parts
from .signature import declaration_signature
from .subject import Analysis, EmptyReason, Subject, counted, none_of
from .within import what_it_is

#: A pair of braces without braces inside.
_BRACES = re.compile(r"\{[^{}]*\}?")
_WORD = re.compile(r"[\w$]+")
#: The first parameters of methods in Python, which are not arguments.
_RECEIVERS = frozenset(("self", "cls"))
_VALUES = frozenset(("const", "variable", "property"))
#: Maximum length of a chain of aliases.
_MAX_CHAIN_LENGTH = 4


@dataclass(frozen=True, slots=True)
class FlowType:
    """A type of the repository in an annotation."""

    name: str
    kind: str
    file: str
    line: int
    symbol: SymbolRef
    #: The alias that resolves to the type; None if the annotation names the type directly.
    via: str | None = None


@dataclass(frozen=True, slots=True)
class FlowParameter:
    """A parameter, the result (with the name "return") or the type of a variable (with the name "type")."""

    name: str
    #: Text of the annotation; None without an annotation.
    type: str | None
    resolved_types: tuple[FlowType, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFlows(Analysis):
    """The types of the parameters and of the result of a function."""

    subject: Subject
    #: The callable: the subject, or the constructor of a class.
    symbol: SymbolRef | None = None
    parameters: tuple[FlowParameter, ...] = ()
    #: None for constructors, and without an annotation of the result.
    return_type: FlowParameter | None = None
    #: The annotation of a variable or property, whether or not its value is a function.
    declared_type: FlowParameter | None = None

    @property
    def referenced_types(self) -> tuple[FlowType, ...]:
        """The distinct types, by file and line."""
        flows = [*self.parameters, *(flow for flow in (self.return_type, self.declared_type) if flow is not None)]
        found = {resolved.symbol.id: resolved for flow in reversed(flows) for resolved in flow.resolved_types}
        return tuple(sorted(found.values(), key=lambda resolved: (resolved.file, resolved.line, resolved.name)))

    @property
    def title(self) -> str:
        return f"{self.subject.label}: {counted(len(self.referenced_types), 'type')} of the repository"

    def lines(self) -> list[str]:
        """Return lines for the parameters, then for the result."""
        lines = [f"  in {_text(flow)}" for flow in self.parameters]
        lines += [f"  out {_text(self.return_type)}"] if self.return_type else []
        return lines + ([f"  {_text(self.declared_type)}"] if self.declared_type else [])


def type_flows(graph: GraphDatabase, subject: Subject) -> TypeFlows:
    """Return parameters and result of a callable with the types of the repository in them. Aliases are resolved."""
    if subject.nothing is not None:
        return TypeFlows(subject=subject, nothing=subject.nothing)
    path = subject.declarations[0].relative_path
    if is_partly_resolved_path(path):
        return _known_flows(graph, subject)
    if not is_resolved_path(path):
        # In syntax-only languages, types are not resolved, and each language has its own syntax of parameters.
        return TypeFlows(subject=subject, nothing=none_of(subject, ""))
    symbol, nothing = _callable(graph, subject)
    if symbol is None:
        return TypeFlows(subject=subject, nothing=nothing)
    edges = flow_edges(graph, [symbol.id])
    behind = _behind_aliases(graph, edges)
    written = declaration_signature(symbol)
    # A `this` parameter comes first, but is not an argument, so its position is -1.
    first = -1 if written.parameters and written.parameters[0].name == "this" else 0
    parameters = tuple(
        FlowParameter(
            parameter.name,
            parameter.type,
            _resolved([edge for edge in edges if edge.role == "param" and edge.position == place], behind),
        )
        for place, parameter in enumerate(written.parameters, first)
    )
    result, declared = _flow("return", edges, behind), _flow("field", edges, behind)
    is_value = symbol.kind in _VALUES
    has_result = symbol.kind not in ("constructor", "setter") and not is_value and (written.type is not None or bool(result))
    flows = TypeFlows(
        subject=subject,
        symbol=symbol.ref,
        parameters=parameters,
        return_type=FlowParameter("return", written.type, result) if has_result else None,
        declared_type=FlowParameter("type", written.type if is_value else None, declared) if is_value or declared else None,
    )
    if parameters or flows.return_type or (flows.declared_type and (flows.declared_type.type or declared)):
        return flows
    return TypeFlows(subject=subject, symbol=flows.symbol, nothing=none_of(subject, "It has no parameters and no written types."))


def _known_flows(graph: GraphDatabase, subject: Subject) -> TypeFlows:
    """Return the known types of a symbol whose language is resolved in part; parameters are found by their names."""
    symbol, nothing = _callable(graph, subject)
    if symbol is None:
        return TypeFlows(subject=subject, nothing=nothing)
    edges = flow_edges(graph, [symbol.id])
    if not edges and symbol.kind in CALLABLE_KINDS and states_types(language_of(symbol.relative_path)):
        return TypeFlows(subject=subject, symbol=symbol.ref, nothing=EmptyReason("none", "It names no type of the repository."))
    if not edges:
        message = "No type of the repository is known in it, but values without annotations may have some."
        return TypeFlows(subject=subject, symbol=symbol.ref, nothing=EmptyReason("unresolved", message))
    behind = _behind_aliases(graph, edges)
    written = written_parts(symbol) or SignatureParts((), None)
    is_callable = symbol.kind in CALLABLE_KINDS
    annotations = [(parameter.name, parameter.type) for parameter in written.parameters]
    if annotations and annotations[0][0] in _RECEIVERS and not states_types(language_of(symbol.relative_path)):
        annotations.pop(0)
    named = {name for name, _ in annotations}
    unwritten = [edge.name for edge in edges if edge.role == "param" and edge.name not in named]
    annotations += [(name, None) for name in dict.fromkeys(unwritten)]
    parameters = tuple(
        FlowParameter(name, type, _resolved([edge for edge in edges if _is_of(edge, name, place)], behind))
        for place, (name, type) in enumerate(annotations)
    )
    result, declared = _flow("return", edges, behind), _flow("field", edges, behind)
    return TypeFlows(
        subject=subject,
        symbol=symbol.ref,
        parameters=parameters,
        return_type=FlowParameter("return", written.return_type, result) if result else None,
        declared_type=FlowParameter("type", None if is_callable else written.return_type, declared) if declared else None,
    )


def _is_of(edge: FlowEdge, name: str, place: int) -> bool:
    """Return whether an edge is about a parameter. Parameters without a name of their own are found by their position."""
    return edge.role == "param" and (edge.position == place if name in ("", "_") else edge.name == name)


def _callable(graph: GraphDatabase, subject: Subject) -> tuple[Symbol | None, EmptyReason | None]:
    for symbol in subject.declarations:
        if symbol.kind in CALLABLE_KINDS or symbol.kind in _VALUES:
            return symbol, None
    classes = sorted(symbol.id for symbol in subject.declarations if symbol.kind == "class")
    members = chain.from_iterable(symbols_of(graph).children(classes).values())
    constructor = next((member for member in members if member.kind == "constructor"), None)
    if constructor is not None:
        return constructor, None
    if classes:
        return None, EmptyReason("none", f"{subject.name} declares no constructor.")
    return None, EmptyReason("notApplicable", f"{what_it_is(subject)}: types flow through functions, classes and variables.")


def _behind_aliases(graph: GraphDatabase, edges: list[FlowEdge]) -> dict[str, list[tuple[str, SymbolRef]]]:
    """Return the types to which the aliases in `edges` resolve, by the id of the alias.

    Each type comes with the name of the last alias in the chain.
    """
    aliases = {edge.type.id: edge.type for edge in edges if edge.type.kind == "type"}
    direct: dict[str, list[SymbolRef]] = {}
    known, frontier = dict(aliases), list(aliases)
    for _ in range(_MAX_CHAIN_LENGTH):
        if not frontier:
            break
        found = [each for each in aliased_types(graph, frontier) if _is_named_outright(each)]
        for each in found:
            direct.setdefault(each.alias_id, []).append(each.type)
        frontier = [each.type.id for each in found if each.type.kind == "type" and each.type.id not in known]
        known |= {each.type.id: each.type for each in found}
    return {alias: _types_behind_alias(alias, direct, known) for alias in aliases}


def _is_named_outright(found: AliasedType) -> bool:
    """Return whether a type occurs in the definition of an alias outside of object types. Members of object types only describe
    the content of values.
    """
    text, before = found.signature, ""
    while text != before:
        text, before = _BRACES.sub(" ", text), text
    words = set(_WORD.findall(text.partition("=")[2]))
    return not words.isdisjoint((found.type.name, *found.names))


def _types_behind_alias(
    alias: str, direct: dict[str, list[SymbolRef]], known: dict[str, SymbolRef]
) -> list[tuple[str, SymbolRef]]:
    found: dict[str, tuple[str, SymbolRef]] = {}
    queue = [alias]
    while queue:
        at = queue.pop(0)
        for type in direct.get(at, ()):
            if type.id != alias and type.id not in found:
                found[type.id] = (known[at].name, type)
                queue.append(type.id)
    return list(found.values())


def _flow(role: str, edges: list[FlowEdge], behind: dict[str, list[tuple[str, SymbolRef]]]) -> tuple[FlowType, ...]:
    return _resolved([edge for edge in edges if edge.role == role], behind)


def _resolved(edges: list[FlowEdge], behind: dict[str, list[tuple[str, SymbolRef]]]) -> tuple[FlowType, ...]:
    found: dict[str, FlowType] = {edge.type.id: _flow_type(edge.type, None) for edge in edges}
    for edge in edges:
        for alias, type in behind.get(edge.type.id, ()):
            found.setdefault(type.id, _flow_type(type, alias))
    return tuple(sorted(found.values(), key=lambda flow: (flow.file, flow.line, flow.name)))


def _flow_type(type: SymbolRef, via: str | None) -> FlowType:
    return FlowType(type.name, type.kind, type.relative_path, type.start_line, type, via)


def _text(flow: FlowParameter) -> str:
    types = ", ".join(
        f"{found.name} ({found.file}:{found.line}{f', by {found.via}' if found.via else ''})" for found in flow.resolved_types
    )
    written = flow.type or ("" if types else "?")
    return f"{flow.name}: {written}{'   ' if written and types else ''}{types}"
