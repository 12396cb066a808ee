"""The structure of a type alias: its kind, and its parts by role, to any depth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.type_structure import alias_parts
from ...schema.edges import AliasPart
from ...schema.errors import UsageError
from ...schema.signatures import TypeParameter
from .signature import declaration_signature
from .subject import Analysis, EmptyReason, Subject
from .within import what_it_is


@dataclass(frozen=True, slots=True)
class TypeNode:
    """A type and its parts. The kind decides which fields are set; types are texts from the source."""

    #: conditional, mapped, templateLiteral, utility, union, intersection, indexedAccess, keyof, typeof, infer or simple.
    kind: str
    text: str
    #: Role in the enclosing type: check, extends, true, false; constraint, nameType, value; part, argument, object, index,
    #: target, span, element, parameter, result; "" for the whole type.
    role: str = ""
    #: The parts; empty below the requested depth.
    children: tuple[TypeNode, ...] = ()
    #: Whether parts of the type are left out because of the depth.
    depth_limited: bool = False
    check_type: str | None = None
    extends_type: str | None = None
    true_type: str | None = None
    false_type: str | None = None
    #: Names that `infer` declares in the `extends` of a conditional type.
    infer_types: tuple[str, ...] = ()
    key_name: str | None = None
    constraint: str | None = None
    value_type: str | None = None
    #: The type after `as`.
    name_type: str | None = None
    #: readonly, +readonly or -readonly; None without a modifier.
    readonly_modifier: str | None = None
    #: ?, +? or -?; None without a modifier.
    optional_modifier: str | None = None
    #: Texts and types of a template literal in order, with types in "${}".
    spans: tuple[str, ...] = ()
    #: Name of a utility type, or of another type with type arguments.
    name: str | None = None
    type_arguments: tuple[str, ...] = ()
    #: Members of a union or intersection.
    types: tuple[str, ...] = ()
    object_type: str | None = None
    index_type: str | None = None
    #: Operand of keyof or typeof.
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancedType(Analysis):
    """The structure of a type alias."""

    subject: Subject
    type: TypeNode | None = None
    type_parameters: tuple[TypeParameter, ...] = ()
    #: Requested number of levels; -1 for all levels.
    depth: int = 1

    @property
    def kind(self) -> str:
        """Kind of the whole type; "" if the analysis has no type."""
        return self.type.kind if self.type else ""

    def lines(self) -> list[str]:
        """Return a line for the type, and below it the lines for its parts."""
        return list(_lines(self.type, 1)) if self.type else []


def advanced_type(graph: GraphDatabase, subject: Subject, depth: int = 1) -> AdvancedType:
    """Return the structure of a type alias.

    With `depth` 1, the parts are only texts. Each further level adds the structure of parts; -1 adds all levels. Raises
    UsageError for any other depth below 1.
    """
    if depth < 1 and depth != -1:
        raise UsageError(f"The depth counts levels of types from 1; -1 shows all of them. It cannot be {depth}.")
    if subject.nothing is not None:
        return AdvancedType(subject=subject, depth=depth, nothing=subject.nothing)
    aliases = [symbol for symbol in subject.declarations if symbol.kind == "type"]
    if not aliases:
        message = f"{what_it_is(subject)}: only type aliases are made of types in this sense."
        return AdvancedType(subject=subject, depth=depth, nothing=EmptyReason("notApplicable", message))
    written = declaration_signature(aliases[0])
    parts = alias_parts(graph, [aliases[0].id])
    whole = _grow(parts, depth) if parts else TypeNode("simple", _body(written.signature))
    return AdvancedType(subject=subject, type=whole, type_parameters=written.type_parameters, depth=depth)


def _body(signature: str) -> str:
    """Return the type after the `=` of an alias. An `=` in brackets is a default of a type parameter."""
    nesting = 0
    for place, character in enumerate(signature):
        nesting += (character in "<({[") - (character in ">)}]" and signature[place - 1] != "=")
        if character == "=" and nesting == 0:
            return signature[place + 1 :].strip()
    return signature


def _grow(parts: list[AliasPart], depth: int) -> TypeNode:
    below: dict[int, list[AliasPart]] = {}
    for part in parts:
        below.setdefault(part.parent, []).append(part)
    return _node(below[-1][0], below, depth)


def _node(part: AliasPart, below: dict[int, list[AliasPart]], depth: int) -> TypeNode:
    inner = below.get(part.place, [])
    shown = depth != 1
    by_role = {child.role: child.text for child in inner}
    kind = part.kind

    def of(role: str, *kinds: str) -> str | None:
        return by_role.get(role) if kind in kinds else None

    def all_of(role: str) -> tuple[str, ...]:
        return tuple(child.text for child in inner if child.role == role)

    return TypeNode(
        kind=kind,
        text=part.text,
        role=part.role,
        children=tuple(_node(child, below, depth - 1 if depth > 0 else depth) for child in inner) if shown else (),
        depth_limited=not shown and any(child.kind != "simple" or child.place in below for child in inner),
        check_type=of("check", "conditional"),
        extends_type=of("extends", "conditional"),
        true_type=of("true", "conditional"),
        false_type=of("false", "conditional"),
        infer_types=_inferred(inner, below) if kind == "conditional" else (),
        key_name=part.name if kind == "mapped" else None,
        constraint=of("constraint", "mapped", "infer"),
        value_type=of("value", "mapped"),
        name_type=of("nameType", "mapped"),
        readonly_modifier=part.readonly_modifier or None,
        optional_modifier=part.optional_modifier or None,
        spans=_spans(part.name, all_of("span")) if kind == "templateLiteral" else (),
        name=(part.name or None) if kind in ("utility", "simple", "infer") else None,
        type_arguments=all_of("argument"),
        types=all_of("part"),
        object_type=of("object", "indexedAccess"),
        index_type=of("index", "indexedAccess"),
        target=part.name if kind == "typeof" else of("target", "keyof"),
    )


def _inferred(inner: Iterable[AliasPart], below: dict[int, list[AliasPart]]) -> tuple[str, ...]:
    """Return the names that `infer` declares in the `extends` of a conditional type. Nested conditional types do not count."""
    found: dict[str, None] = {}
    stack = [part for part in inner if part.role == "extends"]
    while stack:
        part = stack.pop()
        if part.kind == "infer":
            found[part.name] = None
        stack += [child for child in reversed(below.get(part.place, [])) if child.role != "extends"]
    return tuple(found)


def _spans(frame: str, types: tuple[str, ...]) -> tuple[str, ...]:
    texts = frame.split("${}")
    spans = [texts[0]]
    for text, type_text in zip(texts[1:], types, strict=False):
        spans += [f"${{{type_text}}}", text]
    return tuple(span for span in spans if span)


def _lines(node: TypeNode, level: int) -> Iterable[str]:
    role = f"{node.role}: " if node.role else ""
    marks = [mark for mark in (node.readonly_modifier, node.optional_modifier) if mark]
    infers = f" infers {', '.join(node.infer_types)}" if node.infer_types else ""
    name = f" {node.name}" if node.kind == "utility" and node.name else ""
    more = " [depth limit]" if node.depth_limited else ""
    yield f"{'  ' * level}{role}{node.kind}{name}{''.join(f' {mark}' for mark in marks)}{infers}: {node.text}{more}"
    for child in node.children:
        yield from _lines(child, level + 1)
