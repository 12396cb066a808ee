"""Digests of the parts of a file that other files can see: of each type, constant and member by its name.

Comments, white space, bodies of methods, and imports of types that no declaration names are left out. A member has its own digest
if it can only matter to files that contain its name. All other members are part of their type: members that annotations may wire,
fields from which Lombok makes members, and the only abstract method of an interface, because lambdas implement it without its
name.

Beside each digest are the names in the declaration, because a type also changes with its bases, and a constant with the constants
in its value.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import msgspec
from tree_sitter import Node

from ....facts.model import PackageName
from .context import JavaContext
from .grammar import child_of_kind, kind_of, modifiers_of, parts_of

#: Length of a digest, in bytes.
_SIZE: Final = 12
_COMMENTS: Final = frozenset(("line_comment", "block_comment"))
_BODIES: Final = frozenset(("block", "constructor_body", "static_initializer"))
#: Nodes whose text counts as a whole.
_WHOLE: Final = frozenset(("string_literal", "character_literal"))
_NAMES: Final = frozenset(("identifier", "type_identifier"))
_METHODS: Final = frozenset(("method_declaration", "constructor_declaration", "compact_constructor_declaration"))
_FIELDS: Final = frozenset(("field_declaration", "constant_declaration"))
_TYPES: Final = frozenset(
    ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration")
)
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
        "Nullable",
        "NonNull",
        "Nonnull",
        "NotNull",
        "CheckForNull",
        "CheckReturnValue",
        "CanIgnoreReturnValue",
        "VisibleForTesting",
    )
)
_ANNOTATIONS: Final = frozenset(("annotation", "marker_annotation"))
#: Values of fields that are not constants in the sense of annotations: neither texts nor operations.
_CALCULATED: Final = frozenset(
    ("object_creation_expression", "method_invocation", "lambda_expression", "method_reference", "array_creation_expression")
)
#: Members that code uses without their name.
_UNNAMED: Final = frozenset(("close", "iterator", "hasNext", "next", "values", "valueOf"))
#: Methods of `Object`. An interface that declares them may still have a single abstract method.
_OF_OBJECT: Final = frozenset(("equals", "hashCode", "toString"))


def digest_declarations(cx: JavaContext, root: Node) -> None:
    """Compute the digests of a file, and the names in its declarations."""
    digests = _Digests(cx)
    imports: dict[str, list[bytes]] = {}
    for child in root.children:
        kind = kind_of(child)
        if kind in _TYPES:
            digests.add_type(child, "")
        elif kind == "module_declaration":
            cx.digest = _digest(_words(cx, child)[0])
        elif kind == "import_declaration":
            path = next((part for part in parts_of(child) if kind_of(part) in ("scoped_identifier", "identifier")), None)
            text = cx.bytes_of(child)
            is_whole = path is None or child_of_kind(child, "asterisk") is not None or b"lombok" in text
            name = "" if path is None or is_whole else cx.bytes_of(path).rpartition(b".")[2].strip().decode("utf-8", "replace")
            imports.setdefault(name, []).append(text)
        elif kind not in _COMMENTS:
            digests.common += _words(cx, child)[0]
    digests.common += imports.pop("", [])
    cx.package_declared = [digests.finished(each, imports) for each in digests.found.values()]


def _digest(texts: list[bytes]) -> bytes:
    return blake2b(b"\x00".join(texts), digest_size=_SIZE).digest()


class _Piece(msgspec.Struct):
    """The parts of all declarations of one name that other files can see."""

    name: str
    is_carrier: bool
    texts: list[bytes]
    names: set[str]


class _Digests:
    """The texts of a file from which digests are computed."""

    def __init__(self, cx: JavaContext) -> None:
        self._cx = cx
        #: Texts that may change the meaning of all declarations.
        self.common: list[bytes] = []
        #: By name, and whether the name belongs to a type or a constant.
        self.found: dict[tuple[str, bool], _Piece] = {}
        #: Whether Lombok may make members from fields.
        self._has_generated = b"lombok" in cx.data

    def add_type(self, declaration: Node, around: str) -> None:
        """Add a type, its members, and the types inside of it. `around` are the names of the types around it."""
        waiting = [(declaration, around)]
        while waiting:
            node, outer = waiting.pop()
            name = self._name(node)
            inner = f"{outer}.{name}"
            texts = [outer.encode()]
            names = {outer.rpartition(".")[2]} if outer else set[str]()
            is_functional = kind_of(node) == "interface_declaration" and self._is_functional(node)
            names |= self._add_inherited(node, name, is_functional)
            # Each node with the kind of the node around it, the last first.
            parts = [(child, "") for child in reversed(node.children)]
            while parts:
                at, parent = parts.pop()
                kind = kind_of(at)
                if kind in _COMMENTS or kind == "static_initializer" or (kind == "block" and parent == "class_body"):
                    continue
                if kind in _TYPES:
                    waiting.append((at, inner))
                elif kind.endswith("_body") or kind in ("enum_body_declarations", "ERROR"):
                    parts += [(child, kind) for child in reversed(at.children)]
                elif not parent or not self._add_member(at, parent, inner, is_functional):
                    self._add_place(at, parent, inner)
                    of_part, in_part = _words(self._cx, at)
                    texts += of_part
                    names |= in_part
            self._add(name, True, texts, names - {name})

    def finished(self, piece: _Piece, imports: dict[str, list[bytes]]) -> PackageName:
        """Return the facts of a name. The digest includes the imports of the names in its declarations."""
        imported = [text for name in sorted(piece.names & imports.keys()) for text in imports[name]]
        digest = _digest([*piece.texts, b"", *imported, *self.common])
        return PackageName(piece.name, piece.is_carrier, digest, sorted(piece.names))

    def _add(self, name: str, is_carrier: bool, texts: list[bytes], names: set[str]) -> None:
        piece = self.found.setdefault((name, is_carrier), _Piece(name, is_carrier, [], set()))
        piece.texts += (*texts, b"\n")
        piece.names |= names

    def _add_inherited(self, node: Node, name: str, is_functional: bool) -> set[str]:
        """Add what an interface gives to interfaces that extend it, and return the names on which its own lambdas depend.

        An interface that implements all but one of the inherited methods is functional, and its declaration does not contain the
        remaining method. Therefore, the abstract methods of an interface are also declared together, as `Name()`.
        """
        listed = child_of_kind(node, "extends_interfaces")
        bases = {f"{base}()" for base in _words(self._cx, listed, "type_identifier")[1]} if listed is not None else set[str]()
        if kind_of(node) != "interface_declaration" or (is_functional and not bases):
            return set()
        methods = [each for each in parts_of(node.child_by_field_name("body")) if kind_of(each) == "method_declaration"]
        texts, names = [b"()"], set(bases)
        for each in methods:
            if not is_functional and _is_abstract(each):
                of_method, in_method = _words(self._cx, each, "type_identifier")
                texts += of_method
                names |= in_method
        self._add(f"{name}()", True, texts, names)
        return bases if is_functional and not all(_is_abstract(each) for each in methods) else set()

    def _add_place(self, node: Node, parent: str, around: str) -> None:
        """Add the place of a member that is part of its type, because ids count the declarations of one name in order."""
        declared = [each for each in parts_of(node) if kind_of(each) == "variable_declarator"] or [node]
        for name in filter(None, map(self._name, declared)) if parent else ():
            self._add(name, False, [around.encode()], set())

    def _add_member(self, node: Node, parent: str, around: str, is_functional: bool) -> bool:
        """Add a member under its names, and return whether it only matters to files that contain them."""
        kind = kind_of(node)
        if self._is_wired(node):
            return False
        if kind in _FIELDS:
            return not self._has_generated and self._add_field(node, parent, around)
        name = self._name(node)
        if not name or name in _UNNAMED:
            return False
        if kind in _METHODS:
            if is_functional and parent == "interface_body" and _is_abstract(node):
                return False
            if any(self._is_wired(each) for each in parts_of(node.child_by_field_name("parameters"))):
                return False
        elif kind != "enum_constant":
            return False
        texts, names = _words(self._cx, node, "type_identifier")
        self._add(name, False, [around.encode(), *texts], names)
        return True

    def _add_field(self, node: Node, parent: str, around: str) -> bool:
        declared = [each for each in parts_of(node) if kind_of(each) == "variable_declarator"]
        listed = [self._name(each) for each in declared]
        if not listed or not _UNNAMED.isdisjoint(listed):
            return False
        values = [value for each in declared if (value := each.child_by_field_name("value")) is not None]
        is_fixed = parent == "interface_body" or not modifiers_of(node).isdisjoint(("static", "final"))
        if is_fixed and any(kind_of(value) not in _CALCULATED for value in values):
            texts, names = _words(self._cx, node)
            for name in listed:
                self._add(name, True, [around.encode(), *texts], names - {name})
            return True
        texts, names = [around.encode()], set[str]()
        for part in node.children:
            if kind_of(part) == "variable_declarator":
                texts += [self._cx.bytes_of(each) for each in part.children if kind_of(each) in ("identifier", "dimensions")]
            else:
                of_part, in_part = _words(self._cx, part, "type_identifier")
                texts += of_part
                names |= in_part
        for name in listed:
            self._add(name, False, texts, names)
        return True

    def _is_wired(self, node: Node) -> bool:
        """Return whether a declaration has annotations that may matter to other files."""
        return any(self._name(each) not in _INERT for each in _annotations_of(node))

    def _is_functional(self, node: Node) -> bool:
        """Return whether an interface may have a single abstract method: it declares none or one, and may inherit another."""
        body = parts_of(node.child_by_field_name("body"))
        names = {self._name(each) for each in body if kind_of(each) == "method_declaration" and _is_abstract(each)}
        return len(names - _OF_OBJECT) <= 1

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self._cx.name_of(name) if name is not None else ""


def _words(cx: JavaContext, node: Node, named: str = "") -> tuple[list[bytes], set[str]]:
    """Return the words of a node without bodies, and the names among them: all names, or only names of the kind `named`."""
    texts: list[bytes] = []
    names: set[str] = set()
    waiting = [node]
    while waiting:
        at = waiting.pop()
        kind = kind_of(at)
        if kind in _COMMENTS:
            continue
        if kind in _BODIES:
            texts.append(b"{}")
        elif kind in _WHOLE or not at.child_count:
            texts.append(cx.bytes_of(at))
            if kind == named or (not named and kind in _NAMES):
                names.add(cx.name_of(at))
        else:
            waiting += reversed(at.children)
    return texts, names


def _is_abstract(node: Node) -> bool:
    return node.child_by_field_name("body") is None


def _annotations_of(node: Node) -> list[Node]:
    """Return the annotations among the modifiers of a declaration."""
    return [each for each in parts_of(child_of_kind(node, "modifiers")) if kind_of(each) in _ANNOTATIONS]
