"""Lower calls that import a module by a constant name: `importlib.import_module("shop.cart")`."""

from __future__ import annotations

import re
from typing import Final

from ....facts.model import DeclKind, Import
from ....facts.operations import Op
from .context import PythonContext, ScopeKind, last_name

#: Functions that return the module that their first argument names.
IMPORTERS: Final = frozenset((b"import_module", b"__import__"))
_MODULE: Final = re.compile(r"\.*[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def imported_module(cx: PythonContext, importer: bytes, given: list[int], call: int) -> int:
    """Record the import in a call such as `import_module("shop.cart")`, and return the node of the module.

    Return -1 if the name of the module is not constant, or if the callee is an unrelated method with the name of such a function.
    """
    code = cx.code
    callee = code[call + 1]
    if code[callee] == Op.MEMBER and last_name(cx, code[callee + 1]) != "importlib":
        return -1
    written = cx.strings[code[given[0] + 2]] if given[0] >= 0 and code[given[0]] == Op.STRING else ""
    is_relative = written.startswith(".")
    if not _MODULE.fullmatch(written) or (is_relative and (len(given) < 2 or last_name(cx, given[1]) != "__package__")):
        return -1
    is_late = cx.function_scope().kind == ScopeKind.FUNCTION
    cx.imports.append(Import(written, "dynamic" if is_late else "import", False, [], code[call + 4], -1, is_late))
    name = written if importer == b"import_module" else written.partition(".")[0]
    binding = cx.new_binding(name)
    decl = cx.add_declaration(DeclKind.IMPORT, name, cx.string(name.encode()), -1, -1, code[given[0] + 4])
    cx.bindings[binding].decls.append(decl)
    module = cx.emit(Op.DECLARED, decl, -1, -1, code[call + 4])
    cx.declared_at.append(module)
    cx.of_binding.append(binding)
    return module
