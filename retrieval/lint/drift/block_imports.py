"""Imports in blocks of code that take what a package of the repository does not have.

A name counts as absent only if no code at all has it as a word, and a module only if no file has its name: packages make names
in many ways.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from ...text_search.indexed_text import IndexedTexts
from ..records import Diagnostic
from .code_in_documents import CodeInDocument, code_in_documents
from .code_words import words_of_code

_PYTHON: Final = re.compile(r"(?:>>> )?from (?P<module>[A-Za-z_][\w.]*) import (?P<names>[\w ,]+?)\s*(?:#.*)?$")
_SCRIPT: Final = re.compile(
    r"import\s+(?:type\s+)?(?:\w+\s*,\s*)?\{(?P<names>[\w\s,$]+)\}\s*from\s*[\"'](?P<module>[^\"']+)[\"']"
)
_PYTHON_BLOCKS: Final = ("python", "py", "python3", "pycon")
_SCRIPT_BLOCKS: Final = ("js", "javascript", "ts", "typescript", "jsx", "tsx", "mjs")
#: Endings of files whose words may be names of a package of Python, or of JavaScript.
_PYTHON_CODE: Final = (".py", ".pyi", ".pyx", ".c", ".cpp", ".rs")
_SCRIPT_CODE: Final = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".mts", ".cts", ".cjs", ".vue", ".svelte")
#: Names that stand for any.
_PLACEHOLDER: Final = re.compile(r"(?:my|your|some|foo|bar|baz|example|xxx)", re.IGNORECASE)


def lost_imports(texts: IndexedTexts, packages: Mapping[str, str]) -> list[Diagnostic]:
    """Return a warning for each name that a block imports from the repository, and that no code has.

    `packages` has the folders of the packages of npm by their names.
    """
    blocks = [code for code in code_in_documents(texts) if code.language and not code.is_of_other_time]
    python = _python_packages(texts)
    found: list[Diagnostic] = []
    for code in blocks:
        if code.language in _PYTHON_BLOCKS and (match := _PYTHON.match(code.text)) is not None:
            top = match["module"].partition(".")[0]
            if top in python:
                found += _lost(code, match["module"], match["names"], texts.once(_python_words), texts.once(_python_stems))
        elif code.language in _SCRIPT_BLOCKS:
            match = _SCRIPT.match(code.text)
            if match is not None and _package_of(match["module"]) in packages:
                found += _lost(code, match["module"], match["names"], texts.once(_script_words), None)
    return found


def _lost(
    code: CodeInDocument, module: str, names: str, words: frozenset[str], stems: frozenset[str] | None
) -> Iterator[Diagnostic]:
    last = module.rpartition(".")[2]
    if stems is not None and last not in stems and last not in words and not last.startswith("_"):
        message = f'The block imports from "{module}", and the package has no such module. Correct or remove the import.'
        yield Diagnostic(code.path, code.line, "warning", message, "documents", code.column)
        return
    for each in names.split(","):
        name = each.split(" as ")[0].strip().removeprefix("type ")
        if name and name not in words and (stems is None or name not in stems) and not _PLACEHOLDER.match(name):
            message = f'The block imports "{name}" from "{module}", and no code has that name. Correct or remove the import.'
            yield Diagnostic(code.path, code.line, "warning", message, "documents", code.column)


def _package_of(module: str) -> str:
    parts = module.split("/")
    return "/".join(parts[:2]) if module.startswith("@") else parts[0]


def _python_packages(texts: IndexedTexts) -> set[str]:
    """Return the names of packages of Python at the top of a tree of packages, except those that other projects may extend."""
    found: set[str] = set()
    for path in texts:
        folder, _, file = path.rpartition("/")
        outer = folder.rpartition("/")[0]
        if file == "__init__.py" and folder and f"{outer}/__init__.py".lstrip("/") not in texts:
            text = texts[path].text
            if outer in ("", "src", "lib", "python") and b"extend_path" not in text and b"declare_namespace" not in text:
                found.add(folder.rpartition("/")[2])
    return found - {"tests", "test", "docs", "examples", "scripts", "tools"}


def _python_words(texts: IndexedTexts) -> frozenset[str]:
    return words_of_code(texts, _PYTHON_CODE)


def _script_words(texts: IndexedTexts) -> frozenset[str]:
    return words_of_code(texts, _SCRIPT_CODE)


def _python_stems(texts: IndexedTexts) -> frozenset[str]:
    """Return the names of modules and of folders with code of Python."""
    found: set[str] = set()
    for path in texts:
        if path.endswith(_PYTHON_CODE):
            *folders, file = path.split("/")
            found.update((*folders, file.partition(".")[0]))
    return frozenset(found)
