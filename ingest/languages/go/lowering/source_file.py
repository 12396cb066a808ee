"""Lower a whole file: its imports, and the declarations of its package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from ....facts.model import DeclKind, Directive, Reach
from ....symbols.lowering_state import LoweringState
from ..modules.build_constraints import constraint_of
from ..modules.package_names import likely_names
from .context import GoContext, GoScope
from .declarations import lower_function, lower_method
from .digests import digest_declarations
from .grammar import kind_of, parts_of
from .statements import lower_statement

#: Beginnings of directives of the compiler (https://pkg.go.dev/cmd/compile#hdr-Compiler_Directives), cgo and `go generate`.
_DIRECTIVES: Final = (b"//go:generate ", b"//go:linkname ", b"//export ", b"//go:wasmexport ")
#: Maximum length of a directive that is kept, in characters.
_MAX_DIRECTIVE: Final = 500
#: Kinds of declarations that bind names of the package.
_FUNCTIONS: Final[dict[str, Callable[[GoContext, Node], None]]] = {
    "function_declaration": lower_function,
    "method_declaration": lower_method,
}


def lower_file(around: LoweringState, root: Node) -> GoContext:
    """Return the lowered code of a file. `around` is the lowering state that has the symbols of the file."""
    cx = GoContext(around)
    children = parts_of(root)
    imports = GoScope({}, None)
    package = GoScope(cx.scopes[0].names, imports)
    cx.visible = package
    for child in children:
        if kind_of(child) == "package_clause":
            names = parts_of(child)
            cx.package = cx.name_of(names[0]) if names else ""
            cx.constraint = constraint_of(cx.data, child.start_byte)
    digest_declarations(cx, root)
    _read_directives(cx, root)
    for child in children:
        _bind(cx, child)
    cx.visible = imports
    for child in children:
        if kind_of(child) == "import_declaration":
            _imports(cx, child, package)
    cx.visible = package
    roots = sorted(
        ((state.start, state.end, index) for index, state in enumerate(cx.symbols) if state.parent < 0),
        key=lambda each: (each[0], -each[1]),
    )
    place = 0
    for child in children:
        while place < len(roots) and roots[place][1] <= child.start_byte:
            place += 1
        if place < len(roots) and roots[place][0] <= child.start_byte:
            cx.own(roots[place][2])
        if kind_of(child) not in ("package_clause", "import_declaration"):
            lower = _FUNCTIONS.get(kind_of(child), lower_statement)
            lower(cx, child)
    cx.own(-1)
    return cx


def _read_directives(cx: GoContext, root: Node) -> None:
    """Record the comments between declarations that name functions for tools, the linker or C code."""
    for child in root.children:
        if kind_of(child) == "comment":
            text = cx.bytes_of(child)
            if text.startswith(_DIRECTIVES):
                words = text[2:].decode("utf-8", "replace").strip()
                cx.directives.append(Directive(words[:_MAX_DIRECTIVE], child.start_byte))


def _bind(cx: GoContext, node: Node) -> None:
    """Bind the names that a declaration adds to the package, so that earlier code finds these names."""
    kind = kind_of(node)
    if kind == "function_declaration":
        _bind_names(cx, node)
    elif kind in ("type_declaration", "const_declaration", "var_declaration"):
        for spec in parts_of(node):
            if kind_of(spec) == "var_spec_list":
                for inner in parts_of(spec):
                    _bind_names(cx, inner)
            else:
                _bind_names(cx, spec)


def _bind_names(cx: GoContext, node: Node) -> None:
    for name in node.children_by_field_name("name"):
        text = cx.name_of(name) if kind_of(name) != "," else "_"
        if text not in ("_", "init"):
            cx.bind(text)


def _imports(cx: GoContext, node: Node, package: GoScope) -> None:
    for child in parts_of(node):
        for spec in parts_of(child) if kind_of(child) == "import_spec_list" else [child]:
            _import(cx, spec, package)


def _import(cx: GoContext, node: Node, package: GoScope) -> None:
    """Bind the name of an imported package. Without an alias, bind the likely names for the path."""
    path, alias = node.child_by_field_name("path"), node.child_by_field_name("name")
    if path is None:
        return
    specifier = cx.text(path).strip('"`')
    module, position = cx.string(specifier.encode()), path.start_byte
    if alias is None:
        for text in likely_names(specifier):
            if text not in cx.visible.names:
                cx.declare(DeclKind.IMPORT, text, module, -1, Reach.LIKELY, position)
        return
    kind = kind_of(alias)
    if kind == "dot":
        star = package.names.get("*")
        if star is None:
            star = package.names["*"] = cx.new_binding("*")
        index = cx.add_declaration(DeclKind.IMPORT, "*", module, cx.string(b"*"), -1, position)
        cx.bindings[star].decls.append(index)
    elif kind != "blank_identifier":
        cx.declare(DeclKind.IMPORT, cx.name_of(alias), module, -1, -1, alias.start_byte)
