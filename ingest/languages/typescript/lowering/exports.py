"""Lower import and export statements."""

from __future__ import annotations

import re

from tree_sitter import Node

from ....facts.model import Binding, Decl, DeclKind, Export, Meaning
from ....facts.operations import ContextKind
from ....symbols.byte_ranges import between, decoded
from ....symbols.headers import MAX_NAME_LENGTH, first_words, header, place, value_header
from ....symbols.states import Placement, ScopeState, SymbolState
from .classes import CLASS_NODES, lower_class
from .context import Context
from .declarations import DECLARATIONS, lower_declaration, wrapped_component
from .dispatch import inner_nodes, lower_expression
from .functions import describe_function, inner_function, lower_inner_function
from .imports import add_import, specifier_of, statement_end, string_value
from .statement_names import expression_name

_ALL = Meaning.VALUE | Meaning.TYPE | Meaning.NAMESPACE


def lower_import(cx: Context, node: Node) -> None:
    """Lower `import …` to a symbol and a declaration for each local name."""
    _note_module(cx)
    comments, cx.comments = cx.comments, []
    clause = next((child for child in node.named_children if child.type in ("import_clause", "import_require_clause")), None)
    source = node.child_by_field_name("source")
    if source is None and clause is not None:
        source = clause.child_by_field_name("source")
    specifier = specifier_of(cx, source) or ""
    end = statement_end(cx, node)
    state = SymbolState(f"import:{specifier}", "import", -1, node.start_byte, end, node.start_byte, node.start_byte)
    is_require = clause is not None and clause.type == "import_require_clause"
    export = _omitted_export(cx, node) if is_require else -1
    place(cx, state, Placement(node, comments, export >= 0))
    if export >= 0:
        state.start = state.declaration = export
    # The signature is never cut, because chunks find the imports that they use by this text.
    state.signature = header(cx, node.start_byte, end, end - node.start_byte)
    symbol = cx.open_symbol(state)
    position = (source or node).start_byte
    type_only = any(child.type in ("type", "typeof") for child in node.children)
    form = "require" if is_require else "import"
    names: list[str] = []
    index = add_import(cx, specifier, form, names, position, type_only)
    if clause is not None:
        for local, imported, only_type in clause_names(cx, clause, type_only):
            text = cx.text(local)
            names.append(imported)
            decl = Decl(DeclKind.IMPORT, text, symbol, index, cx.string(imported.encode()), int(only_type), local.start_byte)
            cx.declare(text, _ALL, decl)
            if export >= 0:
                _add(cx, Export(text, -1, "", cx.scopes[cx.scope].names[text], -1, type_only, node.start_byte, -1))
    cx.close_symbol()


def _note_module(cx: Context) -> None:
    """Mark the file as a module, unless the import or export is in a namespace or in `declare module "x"`."""
    cx.is_module = cx.is_module or cx.scope == 0


def _omitted_export(cx: Context, node: Node) -> int:
    """Return the offset of the `export` before `import x = require("x")`, which was blanked for the grammar, or -1."""
    found = _EXPORT_BEFORE.search(cx.source, max(0, node.start_byte - 40), node.start_byte) if cx.is_repaired else None
    return found.start() if found is not None else -1


def clause_names(cx: Context, clause: Node, type_only: bool) -> list[tuple[Node, str, bool]]:
    """Return (local name, imported name, type only) for each name in an import clause."""
    found: list[tuple[Node, str, bool]] = []
    if clause.type == "import_require_clause":
        inner = inner_nodes(clause)
        return [(inner[0], "=", type_only)] if inner else []
    for child in inner_nodes(clause):
        if child.type == "identifier":
            found.append((child, "default", type_only))
        elif child.type == "namespace_import":
            inner = inner_nodes(child)
            if inner:
                found.append((inner[0], "*", type_only))
        elif child.type == "named_imports":
            for item in inner_nodes(child):
                name = item.child_by_field_name("name")
                if name is not None:
                    only_type = type_only or any(token.type in ("type", "typeof") for token in item.children)
                    found.append((item.child_by_field_name("alias") or name, _specifier_name(cx, name), only_type))
    return found


def _specifier_name(cx: Context, node: Node) -> str:
    return string_value(cx, node).decode("utf-8", "replace") if node.type == "string" else cx.text(node)


def lower_export(cx: Context, node: Node) -> None:
    """Lower `export …` in all its forms."""
    _note_module(cx)
    comments, cx.comments = cx.comments, []
    declaration, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    tokens = [child.type for child in node.children]
    tokens += _omitted_keywords(cx, node, tokens)
    if declaration is None and value is None:
        declaration = next((child for child in node.named_children if child.type in DECLARATIONS), None)
    if declaration is not None:
        _exported_declaration(cx, node, declaration, Placement(node, comments, True, "default" in tokens))
    elif value is not None:
        _default_value(cx, node, value, comments)
    elif "=" in tokens:
        _assignment(cx, node, comments)
    elif "namespace" in tokens:
        _global_name(cx, node, comments)
    else:
        _clause(cx, node, tokens, comments)


def _global_name(cx: Context, node: Node, comments: list[Node]) -> None:
    """Lower `export as namespace A`, which gives the module a global name in scripts."""
    symbol = _statement_symbol(cx, node, comments, "export")
    cx.close_symbol()
    named = next((child for child in reversed(node.named_children) if child.type == "identifier"), None)
    if named is not None and cx.scope == 0:
        name = cx.text(named)
        cx.decls.append(Decl(DeclKind.IMPORT_ALIAS, name, symbol, -1, 1, -1, named.start_byte))
        cx.bindings.append(Binding(name, _ALL, [len(cx.decls) - 1], len(cx.scopes), []))
        cx.scopes.append(ScopeState(0, len(cx.scopes), names={name: len(cx.bindings) - 1}, ambient="global"))


_EXPORT_BEFORE = re.compile(rb"(?<![\w$.])export\s+\Z")
_EXPORT_TYPE = re.compile(rb"export\s+type\b")
_EXPORT_DEFAULT = re.compile(rb"export\s+default\b")


def _omitted_keywords(cx: Context, node: Node, tokens: list[str]) -> list[str]:
    """Return the keywords in the source that are missing in the tree, because the grammar does not allow them."""
    start = between(cx.source, node.start_byte, node.start_byte + 40)
    if "type" not in tokens and _EXPORT_TYPE.match(start):
        return ["type"]
    return ["default"] if "default" not in tokens and _EXPORT_DEFAULT.match(start) else []


def _exported_declaration(cx: Context, node: Node, declaration: Node, placement: Placement) -> None:
    outer, cx.exporting = cx.exporting, (cx.scope, [])
    made = lower_declaration(cx, declaration, placement)
    names = cx.exporting[1]
    cx.exporting = outer
    if placement.default:
        binding = cx.scopes[cx.scope].names.get(names[0], -1) if names else -1
        symbol = made[0] if made and binding < 0 else -1
        _add(cx, Export("default", -1, "", binding, -1, False, node.start_byte, symbol))
        return
    for name in dict.fromkeys(names):
        _add(cx, Export(name, -1, "", cx.scopes[cx.scope].names[name], -1, False, node.start_byte, -1))


def _add(cx: Context, export: Export) -> None:
    """Record an export of the module, ambient module or namespace that is being read."""
    scope = cx.scopes[cx.scope]
    if cx.scope == 0:
        cx.exports.append(export)
    elif scope.ambient:
        scope.exports.append(export)
    else:
        if export.name not in scope.exported:
            scope.exported.append(export.name)
        if export.value >= 0:  # for `export { a as b }`, whose `a` may be declared outside the namespace
            scope.exports.append(export)


def _statement_symbol(cx: Context, node: Node, comments: list[Node], kind: str) -> int:
    end = statement_end(cx, node)
    text = " ".join(decoded(cx.source, node.start_byte, end).split()).rstrip("; ")[:MAX_NAME_LENGTH]
    state = SymbolState(text, kind, -1, node.start_byte, end, node.start_byte, node.start_byte)
    place(cx, state, Placement(node, comments))
    # `header` would remove `export` as a modifier, but this `export` is the statement.
    state.signature = f"export {header(cx, node.start_byte + len('export'), end)}"
    return cx.open_symbol(state)


def _default_value(cx: Context, node: Node, value: Node, comments: list[Node]) -> None:
    """Lower `export default` with an expression, or an anonymous function or class."""
    placement = Placement(node, comments, True, True)
    function = inner_function(cx, value)
    bound = function if function is not None else value
    if function is not None or value.type in CLASS_NODES:
        name = bound.child_by_field_name("name")
        kind = "class" if function is None else "function"
        state = SymbolState(
            cx.text(name) if name is not None else "default",
            kind,
            -1,
            node.start_byte,
            node.end_byte,
            node.start_byte,
            (name or value).start_byte,
            has_body=True,
        )
        place(cx, state, placement)
        describe_function(cx, state, bound, value.start_byte)
        if function is None:
            shape, symbol = lower_class(cx, value, state, False)
            made = cx.emit_class(shape, value.start_byte)
        else:
            symbol = cx.open_symbol(state)
            made = lower_inner_function(cx, value, function, symbol)
            cx.close_symbol()
        _add(cx, Export("default", -1, "", -1, made, False, node.start_byte, symbol))
        return
    symbol = _statement_symbol(cx, node, comments, "export")
    state = cx.symbols[symbol]
    spans_lines = node.start_point.row < node.end_point.row
    state.name = f"export default {expression_name(cx, value)}".rstrip() if spans_lines else first_words(cx, node)
    state.signature = f"export {value_header(cx, node.start_byte + len('export'), value, node.end_byte)}"
    if component := wrapped_component(cx, value):
        state.name, state.kind = component, "component"
    made = _exported_value(cx, value)
    if cx.documented is not None:
        made = cx.documented.exported(cx, node, made)
    cx.close_symbol()
    _add(cx, Export("default", -1, "", -1, made, False, node.start_byte, symbol))


def _exported_value(cx: Context, value: Node) -> int:
    """Lower the value of `export default` or `export =`. A plain name may also refer to a type."""
    return cx.export_name(cx.bytes_of(value), value.start_byte) if value.type == "identifier" else lower_expression(cx, value)


def _assignment(cx: Context, node: Node, comments: list[Node]) -> None:
    """Lower `export = value`."""
    symbol = _statement_symbol(cx, node, comments, "export")
    inner = inner_nodes(node)
    made = _exported_value(cx, inner[0]) if inner else -1
    if made >= 0:
        cx.expect(made, ContextKind.SPREAD, made)
    cx.close_symbol()
    _add(cx, Export("=", -1, "", -1, made, False, node.start_byte, symbol))


def _clause(cx: Context, node: Node, tokens: list[str], comments: list[Node]) -> None:
    """Lower `export { a as b }`, `export * from` and `export * as ns from`."""
    source = node.child_by_field_name("source")
    specifier = specifier_of(cx, source)
    symbol = _statement_symbol(cx, node, comments, "re-export" if specifier is not None else "export")
    type_only = "type" in tokens
    names: list[str] = []
    index = -1
    if specifier is not None and source is not None:
        index = add_import(cx, specifier, "export", names, source.start_byte, type_only)
    for child in node.named_children:
        if child.type == "export_clause":
            for item in inner_nodes(child):
                _specifier(cx, item, index, type_only, names, symbol)
        elif child.type == "namespace_export":
            inner = inner_nodes(child)
            if inner:
                names.append("*")
                _add(cx, Export(_specifier_name(cx, inner[0]), index, "*", -1, -1, type_only, inner[0].start_byte, symbol))
    if "*" in tokens:
        names.append("*")
        _add(cx, Export("*", index, "*", -1, -1, type_only, node.start_byte, symbol))
    cx.close_symbol()


def _specifier(cx: Context, item: Node, index: int, type_only: bool, names: list[str], symbol: int) -> None:
    name = item.child_by_field_name("name")
    if name is None:
        return
    alias = item.child_by_field_name("alias") or name
    imported, exported = _specifier_name(cx, name), _specifier_name(cx, alias)
    only_type = type_only or any(token.type == "type" for token in item.children)
    if index >= 0:
        names.append(imported)
        _add(cx, Export(exported, index, imported, -1, -1, only_type, name.start_byte, symbol))
        return
    value = cx.export_name(cx.bytes_of(name), name.start_byte)
    _add(cx, Export(exported, -1, imported, -1, value, only_type, name.start_byte, symbol))
