"""Lower module specifiers in expressions and types: `import()`, `require()`, `import("x").T`."""

from __future__ import annotations

import re

from tree_sitter import Node

from ....facts.model import Import
from ....facts.operations import Op
from ....symbols.byte_ranges import between
from .context import Context
from .dispatch import inner_nodes, lower_expression

#: White space and comments.
_GAP = rb"(?:\s|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/|//[^\n]*\n)*+"
_FUNCTIONS = frozenset(("arrow_function", "function_expression", "function", "generator_function"))
_REFERENCE_PATH = re.compile(rb"""///\s*<reference\s[^>]*?\bpath\s*=\s*(?P<quote>["'])(?P<path>[^"'<>]+)(?P=quote)""")
_ATTRIBUTES = re.compile(_GAP + rb"(?:with|assert)" + _GAP + rb"\{[^{}]*\}[ \t]*;?")


def string_value(cx: Context, node: Node) -> bytes:
    """Return the value of a string literal. Escapes other than quotes stay as written."""
    return unquoted(cx.bytes_of(node))


def unquoted(written: bytes) -> bytes:
    """Return the text between the quotes of a literal, as `string_value` does."""
    text = between(written, 1, len(written) - 1)
    return text.replace(b"\\'", b"'").replace(b'\\"', b'"') if b"\\" in text else text


def specifier_of(cx: Context, node: Node | None) -> str | None:
    """Return the text of a plain string or of a template without substitutions, else None."""
    if node is None or node.type not in ("string", "template_string"):
        return None
    if any(child.type == "template_substitution" for child in node.named_children):
        return None
    return string_value(cx, node).decode("utf-8", "replace")


def _with_query(cx: Context, node: Node) -> str | None:
    """Return the path of a specifier whose query alone is computed, such as `./rules.js` for `import("./rules.js?" + time)`.

    Code adds such a query to load a module anew. Return None for other expressions.
    """
    first: Node | None = node
    while first is not None and first.type == "binary_expression":
        first = first.child_by_field_name("left")
    if first is None or first.type not in ("string", "template_string"):
        return None
    fixed = first.named_children[0] if first.type == "template_string" and first.named_child_count else first
    if fixed.type not in ("string", "string_fragment"):
        return None
    written = string_value(cx, fixed) if fixed.type == "string" else cx.bytes_of(fixed)
    path, query, _ = written.partition(b"?")
    return path.decode("utf-8", "replace") if query and path.startswith((b"./", b"../")) else None


def statement_end(cx: Context, node: Node) -> int:
    """Return the end of an import or re-export. The attributes before the end may be blank in `data`."""
    attributes = _ATTRIBUTES.match(cx.source, node.end_byte) if cx.is_repaired else None
    return attributes.end() if attributes else node.end_byte


def add_import(cx: Context, specifier: str, form: str, names: list[str], position: int, type_only: bool = False) -> int:
    """Record an import and return its index."""
    cx.imports.append(Import(specifier, form, type_only, names, position, cx.symbol, cx.frame.deferred))
    return len(cx.imports) - 1


def note_immediate(cx: Context, callee: Node, kind: str, arguments: Node) -> None:
    """Record a function that a call at the root runs at once.

    Examples: `(() => {})()`, `(function () {}).call(this)`, `define(() => {})`.
    """
    called: Node | None = callee
    if kind == "member_expression":
        name = callee.child_by_field_name("property")
        called = callee.child_by_field_name("object") if name is not None and cx.bytes_of(name) in (b"call", b"apply") else None
    if called is not None and called.type == "parenthesized_expression":
        called = next(iter(inner_nodes(called)), None)
    if called is not None and called.type in _FUNCTIONS:
        cx.immediate.add(called.start_byte)
    if kind == "identifier" and cx.bytes_of(callee) == b"define":
        cx.immediate.update(each.start_byte for each in inner_nodes(arguments) if each.type in _FUNCTIONS)


def note_reference_paths(cx: Context, root: Node) -> None:
    """Record the files that directives above the code add to the program: `/// <reference path="./globals.ts" />`."""
    for child in root.children:
        if child.type not in ("comment", "hash_bang_line"):
            break
        found = _REFERENCE_PATH.match(cx.bytes_of(child))
        if found is not None:
            path = found["path"].decode("utf-8", "replace")
            specifier = path if path.startswith((".", "/")) else f"./{path}"
            cx.imports.append(Import(specifier, "reference", False, [], child.start_byte + found.start("path"), -1))


def lower_dynamic_import(cx: Context, node: Node, arguments: Node) -> int:
    """Lower `import("x")`, whose value is a promise of the module."""
    given = inner_nodes(arguments)
    lowered = [lower_expression(cx, argument) for argument in given]
    specifier = specifier_of(cx, given[0]) if given else None
    if specifier is None and given:
        specifier = _with_query(cx, given[0])
    if specifier is None:
        return cx.emit(Op.UNKNOWN, cx.list_of(lowered), -1, -1, node.start_byte)
    index = add_import(cx, specifier, "dynamic", ["*"], given[0].start_byte)
    cx.imports[index].deferred |= node.start_byte not in cx.immediate
    return cx.emit(Op.IMPORT_CALL, index, -1, -1, node.start_byte)


def lower_require(cx: Context, node: Node, arguments: Node) -> int:
    """Lower `require("x")` with a literal argument, whose value is the module; return -1 for other arguments."""
    given = inner_nodes(arguments)
    specifier = specifier_of(cx, given[0]) if len(given) == 1 else None
    if specifier is None:
        return -1
    cx.is_module = True
    if cx.imports and cx.imports[0].form == "import":
        # In an ES module, the name may be a constant of the file: `const require = createRequire(import.meta.url)`.
        cx.name(b"require", node.start_byte)
    index = add_import(cx, specifier, "require", ["*"], given[0].start_byte)
    return cx.emit(Op.REQUIRE, index, -1, -1, node.start_byte)


def lower_import_type(cx: Context, node: Node, arguments: Node) -> int:
    """Lower `import("x")` in a type, where it denotes the module."""
    given = inner_nodes(arguments)
    specifier = specifier_of(cx, given[0]) if given else None
    if specifier is None:
        return cx.emit(Op.T_UNKNOWN, -1, -1, -1, node.start_byte)
    index = add_import(cx, specifier, "importType", ["*"], given[0].start_byte, True)
    return cx.emit(Op.T_IMPORT, index, -1, -1, node.start_byte)
