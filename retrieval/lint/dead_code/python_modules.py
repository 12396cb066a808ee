"""Find modules of Python that code passes on as values, as `load_all(handlers)` does after `from shop import handlers`.

Whoever gets a module may use all that it declares, as `inspect.getmembers(module)` does.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from ....graphdb.database import GraphDatabase
from ...text_search.indexed_text import IndexedTexts

#: An import statement. The group is the imported names, perhaps in parentheses.
_IMPORT: Final = re.compile(rb"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import\b[ \t]*(\([^)]{0,5000}\)|[^\n(]*)", re.MULTILINE)
#: An imported name, and the name that the file gives to it.
_IMPORTED: Final = re.compile(rb"([\w.]+)(?:[ \t]+as[ \t]+(\w+))?")
#: A name that is a whole argument, an element of a list or an assigned value. A function such as `setattr`, which gets a string
#: next, uses the attribute that the string names.
_VALUE: Final = re.compile(
    rb"""(?:[(\[{,=]|\b(?:return|yield|in))\s{0,40}([A-Za-z_][\w.]{0,200})[ \t]{0,9}(?=[,)\]}\n#])(?!,\s{0,9}[rbf]?['"])"""
)


def modules_as_values(graph: GraphDatabase, texts: IndexedTexts, tests: Collection[str]) -> dict[str, str]:
    """Map the paths of modules that code outside of tests passes on as values to a file that does."""
    rows = graph.rows("""
        MATCH (f:File)-[r:IMPORTS]->(t:File)
        WHERE r.form = 'import' AND ends_with(t.relativePath, '.py')
        RETURN f.relativePath, r.specifier, r.names, t.relativePath""")
    imported: dict[str, list[tuple[str, str, str]]] = {}
    for path, specifier, names, module in rows:
        if path in texts and path not in tests:
            last = specifier.rpartition(".")[2]
            # After `from shop.retry import retry`, the name means the function.
            imported.setdefault(path, []).append((specifier, "" if last in names else last, module))
    found: dict[str, str] = {}
    for path, modules in sorted(imported.items()):
        passed = _passed(texts[path].text)
        for specifier, last, module in modules if passed else ():
            if specifier in passed or last in passed:
                found.setdefault(module, path)
    return found


def _passed(text: bytes) -> set[str]:
    """Return the imported names that a file passes on as values, as its imports write them."""
    bound = {alias or name: name for names in _IMPORT.findall(text) for name, alias in _IMPORTED.findall(names)}
    values = bound.keys() & _VALUE.findall(_IMPORT.sub(b"", text))
    return {bound[value].decode() for value in values}
