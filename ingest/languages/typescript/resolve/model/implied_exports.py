"""The exports of declaration files that are not written: in a module without a list of exports, all declarations are exported."""

from __future__ import annotations

from .....facts.model import DeclKind, Export, FileFacts
from .....files.path_roles import is_declaration_file

_IMPORTS = frozenset((DeclKind.IMPORT, DeclKind.IMPORT_ALIAS))


def implied_exports(path: str, facts: FileFacts) -> list[Export]:
    """Return the declarations of a declaration file that have no `export`, but are exported.

    The handbook of TypeScript: in an ambient module without `export { … }` or `export default`, every declaration is exported. A
    valid program imports no declaration that a list leaves out, so lists are not told apart.
    """
    root = facts.scopes.get(0)
    if root is None or not facts.is_module or not is_declaration_file(path):
        return []
    written = {entry.name for entry in facts.exports}
    if "=" in written:
        return []
    found = []
    for name, binding in root.names.items():
        decls = [facts.decls[index] for index in facts.bindings[binding].decls]
        if name not in written and decls and not any(decl.kind in _IMPORTS for decl in decls):
            found.append(Export(name, -1, "", binding, -1, False, decls[0].position, -1))
    return found
