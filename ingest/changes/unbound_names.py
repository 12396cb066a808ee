"""Find names that a file uses, but does not declare or import."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...schema.languages import language_of
from ..facts.cells import int_array
from ..facts.model import DeclKind, FileFacts
from ..facts.operations import Op, Use
from ..incremental.tree_state import line_of
from ..languages.registry import is_nominal
from ..languages.registry import language as language_named

_ALL = "*"


class FreeName(NamedTuple):
    """A use of a name that no scope of the file declares. Lines count from 1."""

    name: str
    line: int


def free_names(facts: FileFacts) -> list[FreeName]:
    """Return the uses of names that the file does not declare, in order. Links in doc comments are left out."""
    code = int_array(facts.code)
    uses = [
        FreeName(facts.strings[code[node + 2]], line_of(facts, code[node + 4]))
        for node in range(0, len(code), 5)
        if code[node] in (Op.NAME, Op.T_NAME) and code[node + 1] < 0 and code[node + 3] != Use.DOC
    ]
    return sorted({*uses}, key=lambda use: (use.line, use.name))


def newly_free(before: FileFacts, after: FileFacts, is_global: Callable[[str], bool]) -> list[FreeName]:
    """Return the uses of names that a file declared or imported before a change, but no longer does.

    A name that the file already used without a declaration is left out, because other code, such as a test runner, defines it.
    `is_global` returns whether a name is known without a declaration. There are no such uses in a file that imports all names of
    a module, and in a script, which shares its names with all scripts.
    """
    if not (after.is_module or is_nominal(after)) or (0 in after.scopes and _ALL in after.scopes[0].names):
        return []
    declared = {binding.name for binding in before.bindings}
    known = {use.name for use in free_names(before)}
    return [use for use in free_names(after) if use.name in declared and use.name not in known and not is_global(use.name)]


def is_global(path: str, name: str) -> bool | None:
    """Return whether a name is a global of the nominal language of a file; None for a file of another language."""
    rules = language_named(language_of(path) or "").nominal
    if rules is None:
        return None
    builtins = rules.runtime(rules.runtime_name("builtins"), None)
    binding = builtins.scopes[0].names.get(name) if builtins is not None else None
    return builtins is not None and binding is not None and _is_declared(builtins, binding)


def _is_declared(builtins: FileFacts, binding: int) -> bool:
    """Return whether the runtime's stubs declare a name for users. Imports and type variables of the stubs do not count."""
    code = int_array(builtins.code)
    for index in builtins.bindings[binding].decls:
        decl = builtins.decls[index]
        if decl.kind == DeclKind.VARIABLE and (decl.b < 0 or code[decl.b] != Op.CALL):
            return True
        if decl.kind in (DeclKind.FUNCTION, DeclKind.CLASS):
            return True
    return False
