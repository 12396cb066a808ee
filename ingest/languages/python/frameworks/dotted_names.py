"""Dotted names in strings: settings that name classes, servers that name applications, patches of tests.

In `MIDDLEWARE = ["shop.middleware.Currency"]`, the string names the class `Currency` of the module `shop.middleware`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.cells import int_array
from ....facts.model import FileFacts
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import Op
from ...framework_rules.wiring import ImpliedImport, SymbolPlace, Wired, WiredFile

_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_]\w*)?|[A-Za-z_]\w*:[A-Za-z_]\w*")
_STRINGS: Final = any_of(Op.STRING)
#: Name of the routes in a module whose name `include` of Django has as a string.
_ROUTES: Final = "urlpatterns"
#: Maximum length of a string that is read as a name, in characters.
_MAX_LENGTH: Final = 200
#: Endings of file names and host names, which are not dotted names of Python.
_FILES: Final = re.compile("py|txt|md|rst|html|json|toml|ya?ml|cfg|ini|csv|xml|js|css|png|jpg|svg|gif|pdf|zip|gz|com|org|net|io")


def implied(facts: FileFacts) -> Iterator[ImpliedImport]:
    """Yield the modules that the strings of a file name, if they exist."""
    code = int_array(facts.code)
    texts = {facts.strings[code[node + 2]] for node in nodes_of(facts, _STRINGS)}
    for text in sorted(texts):
        for specifier, name in _splits(text):
            yield ImpliedImport(specifier, name)


def named(file: WiredFile) -> Iterator[Wired]:
    """Yield the functions and classes of the repository that strings of a file name, and the routes of named modules."""
    code, strings = file.code, file.facts.strings
    for node in nodes_of(file.facts, _STRINGS):
        text = strings[code[node + 2]]
        splits = _splits(text)
        found = next((place for each in splits if (place := _declaration(file, *each)) is not None), None)
        if found is not None:
            yield Wired(file.owner(node), found, "Python", "name", "text", text, code[node + 4])
        elif splits and (routes := _declaration(file, text, _ROUTES)) is not None:
            yield Wired(file.owner(node), routes, "Django", "route", "text", text, code[node + 4])


def _declaration(file: WiredFile, module: str, name: str) -> SymbolPlace | None:
    """Return the declaration of another file that a module and a name give; None if there is none."""
    found = file.module(module)
    declared = found.declared(name) if found is not None else None
    return declared.symbol if declared is not None and declared.file is not file else None


def _splits(text: str) -> list[tuple[str, str]]:
    """Return the possible pairs of a module and a name in a string. The name is a declaration, or a member of a class."""
    if len(text) > _MAX_LENGTH or _DOTTED.fullmatch(text) is None or _FILES.fullmatch(text.rpartition(".")[2]):
        return []
    module, colon, name = text.partition(":")
    if colon:
        return [(module, name)]
    parts = text.split(".")
    return [(".".join(parts[:end]), parts[end]) for end in range(len(parts) - 1, max(0, len(parts) - 3), -1)]
