"""Digests of what other files can see of a file: of each member by its name, and of everything else together.

Comments, white space, bodies of methods, and imports of types that no declaration names are left out. A member has its own digest
if it can only matter to files that contain its name. All others are part of the frame: members that annotations may wire;
abstract methods of interfaces, because lambdas implement them without a name; and constants, because other constants may contain
their values.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from tree_sitter import Node

from .context import JavaContext
from .grammar import child_of_kind, kind_of, modifiers_of, parts_of

#: Length of a digest, in bytes.
_SIZE: Final = 12
_COMMENTS: Final = frozenset(("line_comment", "block_comment"))
_BODIES: Final = frozenset(("block", "constructor_body", "static_initializer"))
#: Nodes whose text counts as a whole.
_WHOLE: Final = frozenset(("string_literal", "character_literal"))
_METHODS: Final = frozenset(("method_declaration", "constructor_declaration", "compact_constructor_declaration"))
_CLASSES: Final = frozenset(("class_body", "enum_body_declarations"))
#: Annotations that wire nothing in other files.
_INERT: Final = frozenset(
    (
        "Override",
        "Deprecated",
        "SuppressWarnings",
        "SafeVarargs",
        "Test",
        "ParameterizedTest",
        "RepeatedTest",
        "BeforeEach",
        "AfterEach",
        "BeforeAll",
        "AfterAll",
        "Before",
        "After",
        "BeforeClass",
        "AfterClass",
        "Disabled",
        "Ignore",
    )
)
_ANNOTATIONS: Final = frozenset(("annotation", "marker_annotation"))
#: Values of fields that are not constants in the sense of annotations: neither texts nor operations.
_CALCULATED: Final = frozenset(
    ("object_creation_expression", "method_invocation", "lambda_expression", "method_reference", "array_creation_expression")
)
#: Members that code uses without their name.
_UNNAMED: Final = frozenset(("close", "iterator", "hasNext", "next", "values", "valueOf"))


def digest_declarations(cx: JavaContext, root: Node) -> None:
    """Compute the digests of a file."""
    digests = _Digests(cx)
    imports = [child for child in root.children if kind_of(child) == "import_declaration"]
    for child in root.children:
        if kind_of(child) != "import_declaration":
            digests.add_to_frame(child)
    frame_words = set(digests.frame)
    of_members: dict[bytes, bytes] = {}
    for each in imports:
        path = next((part for part in parts_of(each) if kind_of(part) in ("scoped_identifier", "identifier")), None)
        name = cx.bytes_of(path).rpartition(b".")[2].strip() if path is not None else b""
        is_whole = child_of_kind(each, "asterisk") is not None or b"lombok" in cx.bytes_of(each)
        if is_whole or name in frame_words:
            digests.frame.append(cx.bytes_of(each))
        else:
            of_members[name] = of_members.get(name, b"") + cx.bytes_of(each)
    digests.add_imports(of_members)
    cx.digest = _digest(digests.frame)
    cx.member_digests = {
        name: _digest(sorted(b"\x00".join(texts) for texts in listed)) for name, listed in digests.members.items()
    }


def _digest(texts: list[bytes]) -> bytes:
    return blake2b(b"\x00".join(texts), digest_size=_SIZE).digest()


class _Digests:
    """The texts of a file from which digests are computed."""

    def __init__(self, cx: JavaContext) -> None:
        self._cx = cx
        self.frame: list[bytes] = []
        #: The texts of members with each name.
        self.members: dict[str, list[list[bytes]]] = {}
        #: Whether Lombok may make members from fields.
        self._has_generated = b"lombok" in cx.data

    def add_to_frame(self, node: Node) -> None:
        """Add the words of a node to the frame, without the words of members that have digests of their own."""
        # Each node with the kind of the node around it, and the names of the declarations around it.
        waiting = [(node, "", "")]
        while waiting:
            at, parent, around = waiting.pop()
            kind = kind_of(at)
            if kind in _COMMENTS or kind == "static_initializer":
                continue
            if kind in _BODIES and parent in _METHODS:
                self.frame.append(b"{}")
            elif kind in _BODIES and parent == "class_body":
                continue  # an initializer has no name
            elif parent in _CLASSES and self._add_member(at, around):
                continue
            elif kind in _WHOLE or not at.child_count:
                self.frame.append(self._cx.bytes_of(at))
            else:
                name = at.child_by_field_name("name") if kind.endswith("_declaration") else None
                inner = f"{around}.{self._cx.name_of(name)}" if name is not None else around
                waiting += [(child, kind, inner) for child in reversed(at.children)]

    def add_imports(self, imports: dict[bytes, bytes]) -> None:
        """Add imports, by the imported name, to the members that contain the name."""
        for listed in self.members.values():
            for texts in listed:
                texts += [imports[name] for name in sorted(imports.keys() & set(texts))]

    def _add_member(self, node: Node, around: str) -> bool:
        """Give a member a digest of its own if it may have one, and return whether that is so."""
        names = self._names_of(node)
        if not names or not _UNNAMED.isdisjoint(names):
            return False
        texts = [around.encode()]
        waiting = list(reversed(node.children))
        while waiting:
            at = waiting.pop()
            kind = kind_of(at)
            if kind in _COMMENTS:
                continue
            if kind in _BODIES:
                texts.append(b"{}")
            elif kind == "variable_declarator":
                waiting += [each for each in reversed(at.children) if kind_of(each) in ("identifier", "dimensions")]
            elif kind in _WHOLE or not at.child_count:
                texts.append(self._cx.bytes_of(at))
            else:
                waiting += reversed(at.children)
        for name in names:
            self.members.setdefault(name, []).append(list(texts))
        return True

    def _names_of(self, node: Node) -> list[str]:
        """Return the names of a member by which other files use it; empty if they may depend on it without a name."""
        kind = kind_of(node)
        if self._has_generated or any(self._name(each) not in _INERT for each in _annotations_of(node)):
            return []
        if kind in _METHODS:
            parameters = parts_of(node.child_by_field_name("parameters"))
            return [] if any(_annotations_of(each) for each in parameters) else [self._name(node)]
        if kind != "field_declaration":
            return []
        declared = [each for each in parts_of(node) if kind_of(each) == "variable_declarator"]
        values = [value for each in declared if (value := each.child_by_field_name("value")) is not None]
        is_constant = not modifiers_of(node).isdisjoint(("static", "final")) and any(
            kind_of(value) not in _CALCULATED for value in values
        )
        return [] if is_constant else [self._name(each) for each in declared]

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self._cx.name_of(name) if name is not None else ""


def _annotations_of(node: Node) -> list[Node]:
    """Return the annotations among the modifiers of a declaration."""
    return [each for each in parts_of(child_of_kind(node, "modifiers")) if kind_of(each) in _ANNOTATIONS]
