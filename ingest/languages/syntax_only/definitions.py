"""The declarations of a tree, as the query of its language finds them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tree_sitter import Node, QueryCursor

from ...symbols.headers import MAX_NAME_LENGTH
from .comments import Lead
from .names import text_of, type_name
from .parsing import Parsed
from .rules import Span, SyntaxRules
from .sections import Section

#: Kinds that hold values: they count in types, in namespaces and at the root, not in functions.
VALUES: Final = frozenset(("const", "variable", "property", "enumMember"))
CALLABLE: Final = frozenset(("function", "method", "constructor", "getter", "setter"))
TYPES: Final = frozenset(("class", "interface", "enum", "extension"))
#: What captures call a declaration -> the kind of its symbol.
_KINDS: Final = {
    **{kind: kind for kind in (*VALUES, *CALLABLE, *TYPES, "type", "namespace")},
    "getter": "getter",
    "setter": "setter",
    "macro": "function",
    "operator": "method",
    "accessor": "property",
}
_PATH: Final = re.compile(r"[\w.]+")


@dataclass(slots=True)
class Definition:
    """A declaration by byte offsets."""

    kind: str
    name: str
    name_position: int
    #: Of the declaration itself, without what stands around it.
    own: Span
    #: With what belongs to it: decorators, `template <…>`, the keyword of a list.
    extent: Span
    #: Where its body begins; -1 for none.
    body: int
    #: Where what stands in place of a body begins, such as `...` in Python; -1 for nothing.
    stub: int = -1
    #: The type that it belongs to without standing in it.
    owner: str = ""
    doc: str = ""
    #: Whether it is a statement that holds several.
    is_list: bool = False


@dataclass(slots=True)
class Found:
    """What a query finds."""

    definitions: list[Definition] = field(default_factory=list)
    imports: set[Span] = field(default_factory=set)
    #: Of them those that only checkers of types follow.
    type_imports: set[Span] = field(default_factory=set)
    groups: set[Span] = field(default_factory=set)
    leads: list[Lead] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    #: What is part of tests, as attributes say.
    tests: list[Span] = field(default_factory=list)


class _Match(NamedTuple):
    pattern: int
    kind: str
    node: Node
    captures: Mapping[str, Sequence[Node]]


def find_definitions(parsed: Parsed, data: bytes, rules: SyntaxRules) -> Found:
    """All declarations of a tree in the order of their places, those within others behind them; imports and comments."""
    found = Found()
    matches: dict[Span, list[_Match]] = {}
    docs: dict[Span, str] = {}
    for pattern, captures in QueryCursor(parsed.query).matches(parsed.root):
        for capture, nodes in captures.items():
            node = nodes[0]
            span = (node.start_byte, node.end_byte)
            if capture in _KINDS:
                same = matches.setdefault(span, [])
                # The first pattern knows most; of one pattern there may be several, for several names.
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
                docs[span] = rules.docstring(text_of(captures["doc"][0]))
            elif capture == "section":
                if node.parent is not None:
                    found.sections.append(Section(*span, node.parent.start_byte, node.parent.end_byte, text_of(node)))
            elif capture in ("comment", "attribute"):
                found.leads.append(Lead(*span, capture == "comment"))
            if rules.test_span is not None and capture.startswith("attribute") and (marked := rules.test_span(node)) is not None:
                found.tests.append(marked)
    found.leads.sort()
    found.sections.sort()
    found.groups -= matches.keys()
    declared: dict[int, Definition] = {}  # by where its name stands; the first pattern knows most
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
    """What a node declares: something for each of its names."""
    for name in match.captures.get("name") or (None,):
        definition = _definition(match, name, docs, data, rules)
        if definition is not None:
            yield definition


def _definition(
    match: _Match, name_node: Node | None, docs: Mapping[Span, str], data: bytes, rules: SyntaxRules
) -> Definition | None:
    captures, node = match.captures, match.node
    own = (node.start_byte, node.end_byte)
    owners = [text if _PATH.fullmatch(text := text_of(owner)) else type_name(text) for owner in captures.get("owner", ())]
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
    return Definition(
        _KINDS[match.kind], name[:MAX_NAME_LENGTH], position, own, extent, body, stub, ".".join(owners), docs.get(own, "")
    )


def _name(match: _Match, node: Node | None, header: bytes, rules: SyntaxRules) -> tuple[str, int]:
    """The name of a declaration and where that stands; "" for what has none."""
    declared = match.node
    if rules.name_of is not None and (special := rules.name_of(declared, node, header)) is not None:
        return special
    if node is None:
        return declared.type, declared.start_byte
    name = text_of(node).strip()
    return type_name(name) if _KINDS[match.kind] in TYPES else name, node.start_byte


def _written_start(data: bytes, read: bytes, start: int) -> int:
    """Where what starts at an offset begins as it is written: there, or at what was blanked before it in its line."""
    before = start
    while before > 0 and read[before - 1] in b" \t":
        before -= 1
    text = data[before:start]
    return before + len(text) - len(text.lstrip()) if text.strip() else start


def _grouped(definitions: Iterable[Definition]) -> list[Definition]:
    """With a declaration for each statement that holds several, which lie in it."""
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
    """In order, those within others behind them; of two with one body the outer alone: `typedef struct node { … } node_t;`."""
    definitions.sort(key=lambda each: (each.extent[0], -each.extent[1], each.name_position))
    bodies: set[int] = set()
    kept = []
    for each in definitions:
        if each.body < 0 or each.body not in bodies:
            kept.append(each)
            bodies.add(each.body)
    return kept
