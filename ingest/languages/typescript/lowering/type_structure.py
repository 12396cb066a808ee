"""Describe the structure of type aliases, for answers that show the parts of a type to people.

Resolution reads the lowered types instead. Only aliases that need explanation are kept: conditional, mapped, template literal,
utility, union, intersection, indexed access, `keyof`, `typeof` and `infer` types. Other types are complete in the signature.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tree_sitter import Node

from ....facts.constructs import TypePart
from .context import Context
from .dispatch import inner_nodes
from .union_intersection import COMBINATIONS, operands

#: The utility types of the TypeScript handbook, and the read-only views of collections.
UTILITY_TYPES: Final = frozenset(
    (
        "Awaited",
        "Capitalize",
        "ConstructorParameters",
        "Exclude",
        "Extract",
        "InstanceType",
        "Lowercase",
        "NoInfer",
        "NonNullable",
        "Omit",
        "OmitThisParameter",
        "Parameters",
        "Partial",
        "Pick",
        "Readonly",
        "ReadonlyArray",
        "ReadonlyMap",
        "ReadonlySet",
        "Record",
        "Required",
        "ReturnType",
        "ThisParameterType",
        "ThisType",
        "Uncapitalize",
        "Uppercase",
        "ReadonlySetLike",
    )
)

#: Maximum number of parts of one alias.
_MAX_PARTS = 80
#: Maximum depth of the parts of one alias.
_MAX_DEPTH = 10
#: Maximum length of the text of a part, in characters.
_MAX_TEXT_LENGTH = 160

_TRANSPARENT = frozenset(("parenthesized_type", "type_annotation"))
_CONDITIONAL = (("left", "check"), ("right", "extends"), ("consequence", "true"), ("alternative", "false"))
_OPTIONAL = {"opting_type_annotation": "?", "adding_type_annotation": "+?", "omitting_type_annotation": "-?"}
#: Simple node types that contain other types.
_HOLDERS = frozenset(("array_type", "tuple_type", "readonly_type", "optional_type", "rest_type", "generic_type"))


class _Form(NamedTuple):
    """The kind of a type, and its inner types by role."""

    kind: str
    parts: list[tuple[str, Node]]
    name: str = ""
    readonly: str = ""
    optional: str = ""


#: Syntax of types that are not simple. Simple parts of simple types are not kept.
_MAY_INTEREST = re.compile(
    rb"[|&`\[?]|\b(?:keyof|typeof|infer|" + b"|".join(sorted(name.encode() for name in UTILITY_TYPES)) + rb")\b"
)
_LEAVES = frozenset(
    ("type_identifier", "predefined_type", "literal_type", "nested_type_identifier", "this_type", "constructor_type")
)
_LEAF = _Form("simple", [])
_MAY_BE_SIMPLE = _HOLDERS - {"generic_type"} | {"function_type"}


def type_structure(cx: Context, decl: int, value: Node) -> list[TypePart]:
    """Return the parts of the type of an alias, each after its parent; none for a type of simple parts only."""
    if not _MAY_INTEREST.search(cx.bytes_of(value)):
        return []
    found: list[TypePart] = []
    stack = [(value, -1, "", 0)]
    while stack and len(found) < _MAX_PARTS:
        node, parent, role, depth = stack.pop()
        node = _bare(node)
        form = _form(cx, node)
        index = len(found)
        found.append(TypePart(decl, parent, role, form.kind, _text(cx, node), form.name, form.readonly, form.optional))
        if depth < _MAX_DEPTH:
            stack += [(inner, index, inner_role, depth + 1) for inner_role, inner in reversed(form.parts)]
    return _without_simple_parts(found) if any(part.kind != "simple" for part in found) else []


def _without_simple_parts(parts: list[TypePart]) -> list[TypePart]:
    """Remove simple parts whose parent is simple, unless they contain a part that is kept."""
    kept = [part.kind != "simple" or part.parent < 0 or parts[part.parent].kind != "simple" for part in parts]
    for index in range(len(parts) - 1, 0, -1):
        if kept[index]:
            kept[parts[index].parent] = True
    places: dict[int, int] = {-1: -1}
    found: list[TypePart] = []
    for index, part in enumerate(parts):
        if kept[index]:
            places[index] = len(found)
            part.parent = places[part.parent]
            found.append(part)
    return found


def _bare(node: Node) -> Node:
    while node.type in _TRANSPARENT:
        inner = inner_nodes(node)
        if len(inner) != 1:
            break
        node = inner[0]
    return node


def _text(cx: Context, node: Node) -> str:
    text = cx.text(node)
    if "\n" in text or "  " in text:
        text = " ".join(text.split())
    text = text.lstrip("|& ")  # the lines of a union may begin with these signs
    return text if len(text) <= _MAX_TEXT_LENGTH else text[: _MAX_TEXT_LENGTH - 2].rstrip() + " …"


def _form(cx: Context, node: Node) -> _Form:
    kind = node.type
    if kind in _LEAVES or (kind in _MAY_BE_SIMPLE and not _MAY_INTEREST.search(cx.bytes_of(node))):
        return _LEAF
    if kind in COMBINATIONS:
        parts = operands(node)
        if len(parts) == 1:  # `| A`
            return _form(cx, _bare(parts[0]))
        return _Form(kind.removesuffix("_type"), [("part", part) for part in parts])
    if kind == "conditional_type":
        fields = ((role, node.child_by_field_name(field)) for field, role in _CONDITIONAL)
        return _Form("conditional", [(role, part) for role, part in fields if part is not None])
    if kind == "object_type":
        return _mapped(cx, node) or _Form("simple", [])
    if kind == "function_type":
        return _Form("simple", _signature(node))
    if kind == "generic_type":
        return _generic(cx, node)
    if kind == "template_literal_type":
        return _template(cx, node)
    inner = inner_nodes(node)
    if kind == "lookup_type" and len(inner) == 2:
        return _Form("indexedAccess", [("object", inner[0]), ("index", inner[1])])
    if kind == "index_type_query":
        return _Form("keyof", [("target", part) for part in inner[:1]])
    if kind == "type_query":
        return _Form("typeof", [], cx.text(inner[0]) if inner else "")
    if kind == "infer_type":
        return _Form("infer", [("constraint", part) for part in inner[1:2]], cx.text(inner[0]) if inner else "")
    return _Form("simple", [("element", part) for part in inner] if kind in _HOLDERS else [])


def _signature(node: Node) -> list[tuple[str, Node]]:
    parameters, result = node.child_by_field_name("parameters"), node.child_by_field_name("return_type")
    annotations = [child.child_by_field_name("type") for child in inner_nodes(parameters)] if parameters is not None else []
    parts = [("parameter", inner_nodes(found)[0]) for found in annotations if found is not None and inner_nodes(found)]
    return [*parts, *([("result", result)] if result is not None else [])]


def _generic(cx: Context, node: Node) -> _Form:
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
    text = cx.text(name) if name is not None else ""
    parts = [("argument", part) for part in inner_nodes(arguments)] if arguments is not None else []
    is_utility = text in UTILITY_TYPES and text not in cx.scopes[0].names
    return _Form("utility" if is_utility else "simple", parts, text)


def _mapped(cx: Context, node: Node) -> _Form | None:
    signature = next((child for child in node.named_children if child.type == "index_signature"), None)
    clause = (
        next((child for child in signature.named_children if child.type == "mapped_type_clause"), None) if signature else None
    )
    if signature is None or clause is None:
        return None
    sign, value = signature.child_by_field_name("sign"), signature.child_by_field_name("type")
    is_readonly = any(child.type == "readonly" for child in signature.children)
    name, constraint, alias = (clause.child_by_field_name(field) for field in ("name", "type", "alias"))
    parts = [("constraint", constraint), ("nameType", alias), ("value", inner_nodes(value)[0] if value is not None else None)]
    return _Form(
        "mapped",
        [(role, part) for role, part in parts if part is not None],
        cx.text(name) if name is not None else "",
        f"{cx.text(sign) if sign is not None else ''}readonly" if is_readonly else "",
        _OPTIONAL.get(value.type, "") if value is not None else "",
    )


def _template(cx: Context, node: Node) -> _Form:
    """Return the types in the spans of a template. The name is the template with "${}" in place of each span."""
    spans = [child for child in node.named_children if child.type == "template_type"]
    frame = "".join("${}" if child.type == "template_type" else cx.text(child) for child in node.children[1:-1])
    return _Form("templateLiteral", [("span", inner[0]) for span in spans if (inner := inner_nodes(span))], frame)
