"""Find import statements of TypeScript and JavaScript, and variables whose value comes from `require`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ....schema.import_clauses import ImportBinding, ImportClause

if TYPE_CHECKING:
    from tree_sitter import Node


def import_clauses(root: Node, data: bytes) -> Iterator[ImportClause]:
    """Yield, in order, the import statements at the root of a text and the root variables that `require` initializes."""
    for statement in root.children:
        if statement.type == "import_statement":
            yield _import(statement, data)
        elif statement.type in ("lexical_declaration", "variable_declaration"):
            variables = [child for child in statement.children if child.type == "variable_declarator"]
            for variable in variables:
                if clause := _required(statement, variable, data):
                    yield clause


def _import(statement: Node, data: bytes) -> ImportClause:
    clause = next((child for child in statement.children if child.type == "import_clause"), None)
    source = statement.child_by_field_name("source")
    specifier = _text(source, data)[1:-1] if source else ""
    text = _text(statement, data)
    if clause is None:
        return ImportClause(text, specifier, "", (), (), "", is_reducible=False)
    outside: list[ImportBinding] = []
    inside: list[ImportBinding] = []
    for child in clause.named_children:
        if child.type == "identifier":
            outside.append(ImportBinding(_text(child, data), _text(child, data), "default"))
        elif child.type == "namespace_import":
            outside.append(ImportBinding(_text(child, data), _text(child.named_children[-1], data), "*"))
        elif child.type == "named_imports":
            inside += [_specifier(item, data) for item in child.named_children if item.type == "import_specifier"]
    head = data[statement.start_byte : clause.start_byte].decode("utf-8", "replace")
    tail = data[clause.end_byte : statement.end_byte].decode("utf-8", "replace").strip()
    return ImportClause(text, specifier, head, outside, inside, tail, is_reducible=True)


def _specifier(node: Node, data: bytes) -> ImportBinding:
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    imported = _text(name, data) if name else ""
    return ImportBinding(_text(node, data), _text(alias, data) if alias else imported, imported)


def _required(statement: Node, variable: Node, data: bytes) -> ImportClause | None:
    """Return the names that a variable binds from `require("a")`, or from a call or member of that; None for other variables."""
    name, value = variable.child_by_field_name("name"), variable.child_by_field_name("value")
    call = _call_of_require(value, data)
    if name is None or value is None or call is None:
        return None
    arguments = call.child_by_field_name("arguments")
    argument = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    is_plain = call == value and argument is not None and argument.type == "string"
    specifier = _text(argument, data)[1:-1] if argument is not None and is_plain else ""
    items = [child for child in name.named_children if "comment" not in child.type] if name.type == "object_pattern" else []
    inside = [_binding_of_item(item, data) for item in items]
    outside = [ImportBinding(_text(name, data), _text(name, data), "*")] if name.type == "identifier" else []
    variables = [child for child in statement.children if child.type == "variable_declarator"]
    # A rest property contains all properties except the earlier properties of the pattern.
    is_reducible = bool(items) and len(variables) == 1 and not any(_is_nested(item) for item in items)
    head = data[statement.start_byte : name.start_byte].decode("utf-8", "replace")
    tail = "= " + data[value.start_byte : statement.end_byte].decode("utf-8", "replace").strip()
    return ImportClause(_text(statement, data), specifier, head, outside, inside, tail, is_reducible, is_require=True)


def _call_of_require(value: Node | None, data: bytes) -> Node | None:
    while value is not None:
        function = value.child_by_field_name("function")
        if value.type == "call_expression" and function is not None and _text(function, data) == "require":
            return value
        value = function or value.child_by_field_name("object")
    return None


def _binding_of_item(item: Node, data: bytes) -> ImportBinding:
    """Return the binding of an item of an object pattern: `a: b = 1` binds `b` to the property `a`."""
    text = _text(item, data)
    name, _, _ = text.partition("=")
    imported, _, local = name.partition(":")
    return ImportBinding(text, (local or imported).strip(), imported.strip())


def _is_nested(item: Node) -> bool:
    """Return whether an item of a pattern is a rest element, or contains another pattern or a value with braces or calls."""
    if item.type == "rest_pattern":
        return True
    return any(child.type.endswith("_pattern") or child.child_count > 1 for child in item.named_children)


def _text(node: Node, data: bytes) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")
