"""Lower a whole file: its package, its imports and its types."""

from __future__ import annotations

from tree_sitter import Node

from ....facts.model import DeclKind
from ....facts.operations import Op
from ....symbols.lowering_state import LoweringState
from .annotations import lower_qualified_name
from .context import JavaContext
from .declarations import TYPE_DECLARATIONS, bind_type, lower_type_declaration
from .digests import digest_declarations
from .grammar import child_of_kind, kind_of, parts_of


def lower_file(around: LoweringState, root: Node) -> JavaContext:
    """Return the lowered code of a file. `around` is the lowering state that has the symbols of the file."""
    cx = JavaContext(around)
    digest_declarations(cx, root)
    children = parts_of(root)
    roots = sorted((state.start, state.end, index) for index, state in enumerate(cx.symbols) if state.parent < 0)
    place = 0
    for child in children:
        while place < len(roots) and roots[place][1] <= child.start_byte:
            place += 1
        is_inside = place < len(roots) and roots[place][0] <= child.start_byte
        cx.own(roots[place][2] if is_inside else -1)
        if kind_of(child) == "package_declaration":
            names = [each for each in parts_of(child) if kind_of(each) in ("identifier", "scoped_identifier")]
            cx.package = "".join(cx.name_of(names[-1]).split()) if names else ""
        elif kind_of(child) == "import_declaration":
            _import(cx, child)
        elif kind_of(child) == "module_declaration":
            _module(cx, child)
    if b"@lombok." in cx.data:
        cx.lombok.add("lombok")  # an annotation with a qualified name
    for child in children:
        bind_type(cx, child)
    cx.own(-1)
    cx.scopes[0].names = dict(cx.visible.types)
    for child in children:
        if kind_of(child) in TYPE_DECLARATIONS:
            lower_type_declaration(cx, child)
    cx.own(-1)
    return cx


def _module(cx: JavaContext, node: Node) -> None:
    """Lower the service directives of a module. Each directive becomes a list of the service and the types that provide it."""
    for each in parts_of(child_of_kind(node, "module_body")):
        if kind_of(each) in ("uses_module_directive", "provides_module_directive"):
            names = [lower_qualified_name(cx, name) for name in parts_of(each)]
            cx.emit(Op.ARRAY, cx.list_of(names), -1, -1, each.start_byte)


def _import(cx: JavaContext, node: Node) -> None:
    """Declare an import: the name before the last dot, the last name or `*`, and whether it is static."""
    path = next((each for each in parts_of(node) if kind_of(each) in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    text = "".join(cx.name_of(path).split())
    is_static = any(each.type == "static" for each in node.children)
    module, name = (
        (text, "*") if child_of_kind(node, "asterisk") is not None else text.rsplit(".", 1) if "." in text else ("", text)
    )
    if module.partition(".")[0] == "lombok" and (name == "*" or name not in cx.imported):
        cx.lombok.add(name)
    cx.imported.add(name)
    last = path.child_by_field_name("name") or path
    position = last.start_byte if name != "*" else path.end_byte + 1
    decl = cx.add_declaration(
        DeclKind.IMPORT, name, cx.string(module.encode()), cx.string(name.encode()), int(is_static), position
    )
    cx.emit(Op.DECLARED, decl, -1, -1, position)
