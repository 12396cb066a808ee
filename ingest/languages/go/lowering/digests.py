"""Digests of the parts of a file that other files can see: of each type, method, field, function, variable and constant by name.

Comments, white space, bodies of functions, and imports of packages that no declaration names are left out. Methods and fields are
apart from their type, because a type may only change for files that contain the name of the member. The type changes with its
kind, its embedded types, its type parameters, names of columns in tags, and a method that names the table of its rows: the files
that query the rows need not name the method. The body of a function counts if it decides which tables callers use. Beside each
digest are the names in the declaration.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

from tree_sitter import Node

from ....facts.model import PackageName
from ....symbols.byte_ranges import between
from ..models.gorm_methods import RUN, USE_MODEL
from ..models.naming import TABLE_METHOD
from ..modules.package_names import likely_names
from .context import GoContext
from .grammar import kind_of, parts_of

#: Length of a digest, in bytes.
_SIZE: Final = 12
_FUNCTIONS: Final = frozenset(("function_declaration", "method_declaration"))
_TYPES: Final = frozenset(("type_spec", "type_alias"))
_VALUES: Final = frozenset(("var_spec", "const_spec"))
_PARAMETERS: Final = frozenset(("parameter_declaration", "variadic_parameter_declaration", "type_parameter_declaration"))
_NAMES: Final = frozenset(("identifier", "type_identifier", "field_identifier", "package_identifier"))
#: Forms of types by their definition. A type that is defined by another type has the methods of the types which the other embeds.
_FORMS: Final = {
    "interface_type": "interface",
    **dict.fromkeys(("struct_type", "type_identifier", "qualified_type", "generic_type", "parenthesized_type"), "type"),
}
#: Nodes whose text counts as a whole.
_WHOLE: Final = frozenset(("interpreted_string_literal", "raw_string_literal", "rune_literal"))
#: Types of which a function may get rows of any table: `any`, `interface{}` and type parameters.
_ANY_TYPE: Final = re.compile(rb"\b(?:any|interface)\b|\[")
#: Methods of GORM that run statements.
_RUNNING: Final = re.compile(rb"\.\s*(?:%b)\(" % "|".join(RUN).encode())
#: The result of a function that builds a part of a chain of GORM.
_CHAIN_RESULT: Final = re.compile(rb"\*\s*(?:\w+\s*\.\s*)?DB")
#: A call in the functions that GORM Gen writes.
_NAMING_MODEL: Final = b".%b(" % USE_MODEL.encode()
#: A tag with the name of a column.
_COLUMN_TAG: Final = b'db:"'
#: A declaration of a type inside of a function.
_LOCAL_TYPE: Final = re.compile(rb"\btype\s+\w")


def digest_declarations(cx: GoContext, root: Node) -> None:
    """Compute the digests of a file whose package is known, and the names in its declarations."""
    digests = _Digests(cx)
    for child in root.children:
        kind = kind_of(child)
        if kind == "import_declaration":
            digests.add_imports(child)
        elif kind in _FUNCTIONS:
            digests.add_function(child)
        elif kind == "type_declaration":
            for spec in parts_of(child):
                digests.add_type(spec)
        elif kind in ("var_declaration", "const_declaration"):
            digests.add_values(child)
        elif kind != "comment":
            digests.common += digests.read(child).texts
    cx.package_declared = [digests.finished(each) for each in digests.found.values()]


class _Piece:
    """The parts of the declarations of one name that other files can see."""

    def __init__(self, name: str = "", owner: str = "", is_carrier: bool = False, form: str = "") -> None:
        self.name = name
        self.owner = owner
        self.is_carrier = is_carrier
        self.form = form
        self.texts: list[bytes] = []
        self.names: set[str] = set()
        #: Names before dots, which may be names of packages.
        self.qualifiers: set[str] = set()

    def add(self, other: _Piece) -> None:
        """Add the texts and names of a part."""
        self.texts += other.texts
        self.names |= other.names
        self.qualifiers |= other.qualifiers


class _Digests:
    """The texts of a file from which digests are computed."""

    def __init__(self, cx: GoContext) -> None:
        self._cx = cx
        #: Texts that may change the meaning of all declarations.
        self.common: list[bytes] = [cx.constraint.encode()]
        #: By name, owner, and whether the name belongs to a type, a variable or a constant.
        self.found: dict[tuple[str, str, bool], _Piece] = {}
        #: The imports with the names that their packages probably have.
        self._imports: list[tuple[frozenset[str], bytes]] = []

    # ------------------------------------------------------------------ declarations

    def add_imports(self, declaration: Node) -> None:
        """Add the imports of a declaration. Names from a dot import are used without a dot, so any declaration may contain such a
        name."""
        waiting = list(declaration.named_children)
        while waiting:
            at = waiting.pop()
            if kind_of(at) != "import_spec":
                waiting += at.named_children
                continue
            path, alias, text = at.child_by_field_name("path"), at.child_by_field_name("name"), self._cx.bytes_of(at)
            if path is None or kind_of(path) not in _WHOLE or (alias is not None and kind_of(alias) == "dot"):
                self.common.append(text)
            elif alias is not None:
                self._imports.append((frozenset((self._cx.name_of(alias),)), text))
            else:
                self._imports.append((frozenset(likely_names(self._cx.name_of(path).strip('"`'))), text))

    def add_function(self, node: Node) -> None:
        """Add a function, or a method with the type of its receiver."""
        found, receiver = _Piece(), node.child_by_field_name("receiver")
        for child in node.children:
            found.add(self.read(child))
        owner = self._receiver(receiver) if receiver is not None else ""
        self._add_statements(node, found)
        self._add(self._name(node), owner, found)
        if owner and self._name(node) == TABLE_METHOD:
            method = _Piece()
            method.texts.append(TABLE_METHOD.encode())
            self._add(owner, "", method, "type")

    def _add_statements(self, node: Node, found: _Piece) -> None:
        """Add the body of a function that decides which tables its callers use.

        Such a function passes rows of any type to GORM, returns a part of a chain of GORM, or names the model of the type that it
        returns, as GORM Gen writes it.
        """
        body, result = node.child_by_field_name("body"), node.child_by_field_name("result")
        if body is None:
            return
        text = self._cx.bytes_of(body)
        signature = between(self._cx.data, node.start_byte, body.start_byte)
        is_chain = result is not None and _CHAIN_RESULT.fullmatch(self._cx.bytes_of(result)) is not None
        if is_chain or (_ANY_TYPE.search(signature) is not None and _RUNNING.search(text) is not None):
            found.texts.append(text)
        if _NAMING_MODEL in text and result is not None and kind_of(result) == "type_identifier":
            made = _Piece()
            made.texts.append(text)
            self._add(self._cx.name_of(result), "", made, "type")

    def add_values(self, node: Node) -> None:
        """Add the variables or constants of a declaration. A constant without a value has the type and the value before it."""
        waiting, before = list(reversed(node.named_children)), _Piece()
        while waiting:
            at = waiting.pop()
            if kind_of(at) not in _VALUES:
                waiting += reversed(at.named_children)
                continue
            found = self.read(at)
            if at.child_by_field_name("value") is not None:
                before = found
            elif kind_of(at) == "const_spec":
                found.add(before)
            for name in at.children_by_field_name("name"):
                self._add(self._cx.name_of(name), "", found, "value")

    def add_type(self, spec: Node) -> None:
        """Add a type, and its fields or methods."""
        if kind_of(spec) not in _TYPES:
            self.common += self.read(spec).texts
            return
        name, written = self._name(spec), spec.child_by_field_name("type")
        kind = kind_of(written) if written is not None else ""
        found = _Piece()
        has_columns = kind == "struct_type" and _COLUMN_TAG in self._cx.bytes_of(spec)
        waiting = [child for child in reversed(spec.children) if kind_of(child) != "comment"]
        while waiting:
            at = waiting.pop()
            is_body = kind in ("struct_type", "interface_type") and written is not None and at.id == written.id
            if is_body or kind_of(at) in ("field_declaration_list", "ERROR"):
                waiting += reversed(at.children)
            elif kind_of(at) == "field_declaration" and at.child_by_field_name("name") is not None:
                field = self.read(at)
                if has_columns:  # code that fills the struct by the names of columns need not name the fields
                    found.texts += field.texts
                for each in at.children_by_field_name("name"):
                    self._add(self._cx.name_of(each), name, field)
            elif kind_of(at) in ("method_elem", "method_spec"):
                self._add(self._name(at), name, self.read(at))
            else:
                found.add(self.read(at))
        self._add(name, "", found, "alias" if kind_of(spec) == "type_alias" else _FORMS.get(kind, "plain"))

    def _add_local(self, body: Node) -> None:
        """Add the types in the body of a function that may change edges of other types: interfaces, and structs with embedded
        types."""
        if _LOCAL_TYPE.search(self._cx.bytes_of(body)) is None:
            return
        waiting = [body]
        while waiting:
            at = waiting.pop()
            if kind_of(at) not in _TYPES:
                waiting += at.named_children
                continue
            written = at.child_by_field_name("type")
            if written is not None and kind_of(written) == "interface_type":
                self.add_type(at)
            elif written is not None and kind_of(written) == "struct_type":
                listed = [each for child in written.named_children for each in child.named_children]
                fields = [each for each in listed if kind_of(each) == "field_declaration"]
                if any(each.child_by_field_name("name") is None for each in fields):
                    self._add(self._name(at), "", self.read(written), "type")

    # ------------------------------------------------------------------ pieces

    def read(self, node: Node) -> _Piece:
        """Return the texts and the names of a node without bodies, names of parameters, and values in literals."""
        found = _Piece()
        # Each node, and whether its names count.
        waiting = [(node, True)]
        while waiting:
            at, counts = waiting.pop()
            kind = kind_of(at)
            if kind == "comment":
                continue
            if kind == "block":
                found.texts.append(b"{}")
                self._add_local(at)
            elif kind in _WHOLE or not at.child_count:
                found.texts.append(self._cx.bytes_of(at))
                if counts and kind in _NAMES:
                    found.names.add(self._cx.name_of(at))
                    if kind == "package_identifier":
                        found.qualifiers.add(self._cx.name_of(at))
            else:
                operand = at.child_by_field_name("operand") if kind == "selector_expression" and counts else None
                if operand is not None and kind_of(operand) == "identifier":
                    found.qualifiers.add(self._cx.name_of(operand))
                hidden = {each.id for each in at.children_by_field_name("name")} if kind in _PARAMETERS else set[int]()
                if kind == "composite_literal" and (body := at.child_by_field_name("body")) is not None:
                    hidden.add(body.id)
                waiting += [(child, counts and child.id not in hidden) for child in reversed(at.children)]
        return found

    def finished(self, piece: _Piece) -> PackageName:
        """Return the facts of a name. The digest includes the imports of the packages in its declarations.

        The name of a package may differ from its path. So a name before a dot that matches no import may belong to any import.
        """
        known = frozenset[str]().union(*[names for names, _ in self._imports])
        is_open = not piece.qualifiers <= known
        imported = [text for names, text in self._imports if is_open or not names.isdisjoint(piece.qualifiers)]
        digest = blake2b(b"\x00".join([*piece.texts, b"", *imported, b"", *self.common]), digest_size=_SIZE).digest()
        names = sorted(piece.names - {piece.name} if piece.is_carrier else piece.names)
        return PackageName(piece.name, piece.is_carrier, digest, names, piece.owner, piece.form)

    def _add(self, name: str, owner: str, part: _Piece, form: str = "") -> None:
        if not name:
            self.common += part.texts
            return
        piece = self.found.setdefault((name, owner, bool(form)), _Piece(name, owner, bool(form), form))
        piece.form = "interface" if form == "interface" else piece.form
        piece.add(part)
        piece.texts.append(b"\n")

    def _name(self, node: Node) -> str:
        name = node.child_by_field_name("name")
        return self._cx.name_of(name) if name is not None else ""

    def _receiver(self, node: Node) -> str:
        """Return the name of the type of a receiver; "" if the receiver has none."""
        waiting = [each for declared in parts_of(node) for each in declared.children_by_field_name("type")]
        while waiting:
            at = waiting.pop()
            if kind_of(at) == "type_identifier":
                return self._cx.name_of(at)
            inner = at.child_by_field_name("type")
            waiting += [inner] if inner is not None else parts_of(at)[:1]
        return ""
