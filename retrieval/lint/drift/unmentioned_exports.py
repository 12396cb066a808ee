"""Find names that a module exports and that no document mentions. Only modules that documents import are checked, and only if
documents name most of their exports. Modules with generated pages are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from ....graphdb.database import GraphDatabase
from ....schema.languages import is_document_path
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import Diagnostic

_WORD: Final = re.compile(rb"[A-Za-z_$][\w$]*")
#: Directives and tags that generate pages from code. The names on such pages are not in the documents.
_GENERATED: Final = re.compile(
    rb"\.\. auto(?:module|summary|package|class|api)|automodapi|^::: [\w.]+|<PropsTable|typedoc|apidoc", re.MULTILINE
)
#: Minimum number of a module's exports.
_MIN_EXPORTS: Final = 5
#: Minimum share of a module's exports that documents name.
_MIN_SHARE: Final = 0.7


class _Exported(NamedTuple):
    """A name that a module exports, and the exported symbol."""

    module: str
    name: str
    path: str
    line: int
    doc: str


def unmentioned_exports(graph: GraphDatabase, texts: Callable[[], IndexedTexts]) -> Iterator[Diagnostic]:
    """Yield a hint for each exported name that occurs in no document, at the declaration of the name."""
    modules = _documented_modules(graph)
    if not modules:
        return
    documents = [text.text for path, text in texts().items() if is_document_path(path)]
    if any(_GENERATED.search(text) for text in documents):
        return
    words = {word.decode("ascii") for text in documents for word in _WORD.findall(text)}
    for module in modules:
        exported = _exports(graph, module)
        unnamed = [each for each in exported if each.name not in words]
        if len(exported) < _MIN_EXPORTS or len(unnamed) > (1 - _MIN_SHARE) * len(exported):
            continue
        for each in unnamed:
            message = f'"{module}" exports "{each.name}", and no document mentions it.'
            yield Diagnostic(each.path, each.line, "hint", message, "documents")


def _documented_modules(graph: GraphDatabase) -> list[str]:
    statement = """
        MATCH (:Symbol)-[m:MENTIONS {evidence: 'import'}]->(f:File)
        RETURN DISTINCT f.relativePath ORDER BY f.relativePath"""
    return [path for (path,) in graph.rows(statement)]


def _exports(graph: GraphDatabase, module: str) -> list[_Exported]:
    """Return the functions, classes and values that a module exports, without private and deprecated exports.

    Names beyond ASCII, which `_WORD` does not find, are left out, too.
    """
    statement = """
        MATCH (f:File {relativePath: $module})-[e:EXPORTS]->(s:Symbol)
        WHERE NOT e.typeOnly AND s.kind IN ['function', 'class', 'variable', 'const', 'component']
        RETURN e.name, s.relativePath, s.nameLine, s.doc ORDER BY s.relativePath, s.nameLine, e.name"""
    found = [_Exported(module, *row) for row in graph.rows(statement, {"module": module})]
    return [
        each
        for each in found
        if each.name.isidentifier()
        and each.name.isascii()
        and not each.name.startswith("_")
        and each.name != "default"
        and "deprecated" not in each.doc.lower()
    ]
