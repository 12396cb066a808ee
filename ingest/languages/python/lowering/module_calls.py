"""Lower calls that import a module or load a class by a constant name: `import_module("shop.cart")`, `get_class("cart.forms",
"CartForm")`.
"""

from __future__ import annotations

import re
from typing import Final

from ....facts.model import DeclKind, Import
from ....facts.operations import NAME_OPS, ContextKind, Display, Op
from ..modules.module_endings import ending_specifier
from .context import PythonContext, ScopeKind, last_name

#: Functions that return the module that their first argument names.
IMPORTERS: Final = frozenset((b"import_module", b"__import__"))
#: Functions that return a class by its dotted name, of Django, Werkzeug, Celery and others.
_BY_NAME: Final = frozenset((b"import_string", b"cached_import_string", b"import_from_string", b"import_object", b"load_object"))
#: Functions that return classes by the end of the dotted name of their module and by their names, and a model by its
#: application: `get_class("cart.forms", "CartForm")`, `get_classes("cart.forms", ["CartForm"])`, `get_model("cart", "Line")`.
_BY_ENDING: Final = frozenset((b"get_class", b"load_class", b"import_class"))
_SEVERAL: Final = frozenset((b"get_classes", b"load_classes"))
_MODEL: Final = b"get_model"
LOADERS: Final = _BY_NAME | _BY_ENDING | _SEVERAL | {_MODEL}
_MODULE: Final = re.compile(r"\.*[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def imported_module(cx: PythonContext, importer: bytes, given: list[int], call: int) -> int:
    """Record the import in a call such as `import_module("shop.cart")`, and return the node of the module.

    Return -1 if the name of the module is not constant, or if the callee is an unrelated method with the name of such a function.
    """
    code = cx.code
    callee = code[call + 1]
    if code[callee] == Op.MEMBER and last_name(cx, code[callee + 1]) != "importlib":
        return -1
    written = _text(cx, given[0])
    is_relative = written.startswith(".")
    if not _MODULE.fullmatch(written) or (is_relative and (len(given) < 2 or last_name(cx, given[1]) != "__package__")):
        return -1
    is_late = cx.function_scope().kind == ScopeKind.FUNCTION
    cx.imports.append(Import(written, "dynamic" if is_late else "import", False, [], code[call + 4], -1, is_late))
    name = written if importer == b"import_module" else written.partition(".")[0]
    return _declared(cx, name, "", code[given[0] + 4])


def note_loaded(cx: PythonContext, loader: bytes, given: list[int], call: int) -> None:
    """Record the classes that a call such as `get_class("cart.forms", "CartForm")` loads by their names."""
    module, names = _loaded_names(cx, loader, given)
    if not names or not all(each.isidentifier() for each in names) or _is_of_parameter(cx, call):
        return
    position = cx.code[given[0] + 4]
    loaded = [_declared(cx, module, each, position) for each in names]
    is_list = loader in _SEVERAL
    node = cx.emit(Op.ARRAY, cx.list_of(loaded), -1, Display.TUPLE, position) if is_list else loaded[0]
    cx.contexts[call] = (ContextKind.LOADED, node, -1)


def _loaded_names(cx: PythonContext, loader: bytes, given: list[int]) -> tuple[str, list[str]]:
    """Return the specifier of the module and the names of the classes that a call loads; ("", []) if they are not constant."""
    first, names = _text(cx, _default(cx, given[0])), list[str]()
    if loader not in _BY_NAME and len(given) > 1:
        names = [_text(cx, each) for each in _items(cx, given[1])]
    else:
        first, _, last = first.replace(":", ".").rpartition(".")
        names.append(last)
    if loader == _MODEL and first.isidentifier():
        return ending_specifier(f"{first}.models"), names
    if loader == _MODEL or first.startswith(".") or not _MODULE.fullmatch(first):
        return "", []
    if loader in _BY_NAME or len(given) == 1:
        return first, names
    return (ending_specifier(first), names) if "." in first else ("", [])


def _is_of_parameter(cx: PythonContext, call: int) -> bool:
    """Return whether a call is of a method of a parameter: `apps.get_model` in a migration returns a model of the past."""
    code = cx.code
    callee = code[call + 1]
    owner = code[callee + 1] if callee >= 0 and code[callee] == Op.MEMBER else -1
    if owner < 0 or (code[owner] not in NAME_OPS and code[owner] != Op.DECLARED):
        return False
    decls = [code[owner + 1]] if code[owner] == Op.DECLARED else _declarations(cx, code[owner + 1])
    return any(cx.decls[each].kind == DeclKind.PARAMETER for each in decls)


def _declarations(cx: PythonContext, binding: int) -> list[int]:
    return cx.bindings[binding].decls if binding >= 0 else []


def _default(cx: PythonContext, node: int) -> int:
    """Return the default in `getattr(settings, "CART_FORM", "cart.forms.CartForm")`, and any other expression itself."""
    code = cx.code
    if node < 0 or code[node] != Op.CALL or last_name(cx, code[node + 1]) != "getattr":
        return node
    given = cx.items(code[node + 2])
    return given[-1] if given else node


def _items(cx: PythonContext, node: int) -> list[int]:
    return list(cx.items(cx.code[node + 1])) if node >= 0 and cx.code[node] == Op.ARRAY else [node]


def _text(cx: PythonContext, node: int) -> str:
    return cx.strings[cx.code[node + 2]] if node >= 0 and cx.code[node] == Op.STRING else ""


def _declared(cx: PythonContext, module: str, name: str, position: int) -> int:
    """Return a node for a module, or for a name of it, that no statement imports."""
    binding = cx.new_binding(name or module)
    member = cx.string(name.encode()) if name else -1
    decl = cx.add_declaration(DeclKind.IMPORT, name or module, cx.string(module.encode()), member, -1, position)
    cx.bindings[binding].decls.append(decl)
    node = cx.emit(Op.DECLARED, decl, -1, -1, position)
    cx.declared_at.append(node)
    cx.of_binding.append(binding)
    return node
