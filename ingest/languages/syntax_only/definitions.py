"""Find the declarations of a tree with the query of its language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tree_sitter import Node, QueryCursor

from ...symbols.headers import MAX_NAME_LENGTH
from ...symbols.node_text import node_text
from ..comments import Lead
from .names import type_name
from .parsing import Parsed
from .rules import Span, SyntaxRules
from .sections import Section

#: Kinds with values. They are symbols in types, in namespaces and at the root, but not in functions.
VALUES: Final = frozenset(("const", "variable", "property", "enumMember"))
CALLABLE: Final = frozenset(("function", "method", "constructor", "getter", "setter"))
TYPES: Final = frozenset(("class", "interface", "enum", "extension"))
#: Name of a capture -> kind of the symbol.
_KINDS: Final = {
    **{kind: kind for kind in (*VALUES, *CALLABLE, *TYPES, "type", "namespace")},
    "getter": "getter",
    "setter": "setter",
    "macro": "function",
    "operator": "method",
    "accessor": "property",
    "field": "property",
}
_PATH: Final = re.compile(r"[\w.]+")


@dataclass(slots=True)
class Definition:
    """A declaration, with byte offsets."""

    kind: str
    name: str
    name_position: int
    #: Range of the declaration itself, without the code around it.
    own: Span
    #: Range including decorators, `template <…>`, and the keyword of a list.
    extent: Span
    #: Offset of the body; -1 for none.
    body: int
    #: Offset of a placeholder for the body, such as `...` in Python; -1 for none.
    stub: int = -1
    #: The type to which the declaration belongs, if the declaration is outside the body of the type.
    owner: str = ""
    doc: str = ""
    #: Whether this is a statement with several declarations.
    is_list: bool = False
    #: Whether this is a field. Inside a function, a field is the member of a type without a name, not a local variable.
    is_field: bool = False


@dataclass(slots=True)
class Found:
    """The results of a query."""

    definitions: list[Definition] = field(default_factory=list)
    imports: set[Span] = field(default_factory=set)
    #: The blocks whose imports only type checkers follow.
    type_imports: set[Span] = field(default_factory=set)
    groups: set[Span] = field(default_factory=set)
    leads: list[Lead] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    #: Ranges that attributes mark as tests.
    tests: list[Span] = field(default_factory=list)


class _Match(NamedTuple):
    pattern: int
    kind: str
    node: Node
    captures: Mapping[str, Sequence[Node]]


def find_definitions(parsed: Parsed, data: bytes, rules: SyntaxRules) -> Found:
    """Return all declarations of a tree in order, each before the declarations inside it, with imports and comments."""
    found = Found()
    matches: dict[Span, list[_Match]] = {}
    docs: dict[Span, str] = {}
    for pattern, captures in QueryCursor(parsed.query).matches(parsed.root):
        for capture, nodes in captures.items():
            node = nodes[0]
            span = (node.start_byte, node.end_byte)
            if capture in _KINDS:
                same = matches.setdefault(span, [])
                # The first pattern is the most specific. A pattern may match several times, for several names.
                if not same or pattern == same[0].pattern:
                    same.append(_Match(pattern, capture, node, captures))
                elif pattern < same[0].pattern:
                    matches[span] = [_Match(pattern, capture, node, captures)]
            elif capture == "import":
                found.imports.add(span)
            elif capture == "import.types":
                found.type_imports.update((each.start_byte, each.end_byte) for each in nodes)
            elif capture == "group":
                found.groups.update((each.start_byte, each.end_byte) for each in nodes)
            elif capture == "documented" and rules.docstring is not None:
                docs[span] = rules.docstring(node_text(captures["doc"][0]))
            elif capture == "section":
                if node.parent is not None:
                    found.sections.append(Section(*span, node.parent.start_byte, node.parent.end_byte, node_text(node)))
            elif capture in ("comment", "attribute"):
                found.leads.append(Lead(*span, capture == "comment"))
            if rules.test_span is not None and capture.startswith("attribute") and (marked := rules.test_span(node)) is not None:
                found.tests.append(marked)
    found.leads.sort()
    found.sections.sort()
    found.groups -= matches.keys()
    declared: dict[int, Definition] = {}  # by offset of the name; the first pattern is the most specific
    for match in sorted((match for same in matches.values() for match in same), key=lambda match: match.pattern):
        for each in _declared_by(match, docs, data, rules):
            declared.setdefault(each.name_position, each)
    definitions = _grouped(declared.values())
    if parsed.data != data:
        for each in definitions:
            each.extent = (_written_start(data, parsed.data, each.extent[0]), each.extent[1])
    found.definitions = _nested_once(definitions)
    return found


def _declared_by(match: _Match, docs: Mapping[Span, str], data: bytes, rules: SyntaxRules) -> Iterator[Definition]:
    """Yield a declaration for each name that a node declares."""
    for name in match.captures.get("name") or (None,):
        definition = _definition(match, name, docs, data, rules)
        if definition is not None:
            yield definition


def _definition(
    match: _Match, name_node: Node | None, docs: Mapping[Span, str], data: bytes, rules: SyntaxRules
) -> Definition | None:
    captures, node = match.captures, match.node
    own = (node.start_byte, node.end_byte)
    owners = [text if _PATH.fullmatch(text := node_text(owner)) else type_name(text) for owner in captures.get("owner", ())]
    body, stub = (captures[part][0].start_byte if part in captures else -1 for part in ("body", "stub"))
    if "declarator" in captures and rules.declarator is not None:
        name_node, scopes = rules.declarator(captures["declarator"][0])
        owners += scopes
        if name_node is None:
            return None
    name, position = _name(match, name_node, data[own[0] : body if body >= 0 else own[1]], rules)
    if not name:
        return None
    if match.kind == "accessor" and body >= 0 and b"\n" not in data[body : own[1]]:
        body = -1
    outer = captures.get("outer")
    extent = (outer[0].start_byte, outer[0].end_byte) if outer else own
    kind = _KINDS[match.kind]
    if outer and rules.decorated is not None and kind == "function":
        decorated = rules.decorated(outer[0])
        if decorated.kind or decorated.is_stub:
            kind = decorated.kind or kind
            begin = max(body, stub)
            body, stub = (-1, begin) if decorated.is_stub else (begin, -1)
    owner, doc = ".".join(owners), docs.get(own, "")
    return Definition(kind, name[:MAX_NAME_LENGTH], position, own, extent, body, stub, owner, doc, is_field=match.kind == "field")


def _name(match: _Match, node: Node | None, header: bytes, rules: SyntaxRules) -> tuple[str, int]:
    """Return the name of a declaration and its offset; "" for a declaration without a name."""
    declared = match.node
    if rules.name_of is not None and (special := rules.name_of(declared, node, header)) is not None:
        return special
    if node is None:
        return declared.type, declared.start_byte
    name = node_text(node).strip()
    return type_name(name) if _KINDS[match.kind] in TYPES else name, node.start_byte


def _written_start(data: bytes, read: bytes, start: int) -> int:
    """Return the offset at which the original text begins: the given offset, or the start of blanked text before it."""
    before = start
    while before > 0 and read[before - 1] in b" \t":
        before -= 1
    text = data[before:start]
    return before + len(text) - len(text.lstrip()) if text.strip() else start


def _grouped(definitions: Iterable[Definition]) -> list[Definition]:
    """For each statement with several declarations, add a declaration that encloses them."""
    definitions = list(definitions)
    shared = Counter(each.extent for each in definitions if each.extent != each.own)
    members: dict[Span, list[Definition]] = {}
    for each in definitions:
        if each.extent != each.own and shared[each.extent] > 1:
            members.setdefault(each.extent, []).append(each)
    for extent, inside in members.items():
        inside.sort(key=lambda each: each.own)
        kinds = {each.kind for each in inside}
        name = ", ".join(each.name for each in inside)[:MAX_NAME_LENGTH]
        kind = inside[0].kind if len(kinds) == 1 else "expression"
        definitions.append(Definition(kind, name, inside[0].name_position, extent, extent, -1, is_list=True))
        for each in inside:
            each.extent = each.own
    return definitions


def _nested_once(definitions: list[Definition]) -> list[Definition]:
    """Sort declarations, each before the declarations inside it.

    If two declarations have the same body, keep the outer declaration.

    `typedef struct node { … } node_t;` declares such a pair.
    """
    definitions.sort(key=lambda each: (each.extent[0], -each.extent[1], each.name_position))
    bodies: set[int] = set()
    kept = []
    for each in definitions:
        if each.body < 0 or each.body not in bodies:
            kept.append(each)
            bodies.add(each.body)
    return kept
