"""Find files that a program loads by path at run time, without an import: workers, URLs relative to a module, globs.

This module recognizes the forms that bundlers follow, paths relative to a module's folder, and every string in a configuration:
`new URL('./worker.js', import.meta.url)`, `require.resolve('./x')`, `import.meta.glob('./pages/*.ts')`, `from
'./x.ts?worker&inline'`, `path.join(__dirname, 'worker.js')`. Strings that are not paths of indexed files are ignored.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from itertools import islice, takewhile

from ....graphdb.queries.map import ImportLink
from ....schema.paths import folders_above
from ...query.path_filter import path_filter
from ...text.linear_regex import compile_regex
from ...text_search.indexed_text import IndexedTexts

_QUOTED = r"""['"`][^'"`\n]*['"`]"""
#: A call whose first argument is a path, or whose arguments are the folder of the module and the parts of a path.
_LOADING = compile_regex(
    rf"(?:URL|Worker|\.resolve|\bfork|\.register|importScripts|addModule|\.glob\w*|\.context|\bimport)(?:<[^'\"`]*>)?"
    rf"\((?:\s|\[|/\*[^*]*\*/)*{_QUOTED}(?:\s*,\s*{_QUOTED})*"
    r"|\bfrom\s*['\"]\.{1,2}/[^'\"\n?]*\?[^'\"\n]*['\"]"
    rf"|(?:\b__dirname|\bimport\.meta\.dirname)(?:\s*,\s*{_QUOTED})+"
)
_PIECE = re.compile(rb"""['"`]([^'"`\n]*)['"`]""")
_IN_TEMPLATE = re.compile(r"\$\{[^}]*\}")
#: A string in a configuration that may be a path; `<rootDir>` is the folder of the package in test runners.
_IN_CONFIGURATION = re.compile(rb"""['"`](?:<rootDir>/)?([\w@./-]*[/.][\w@./-]*)['"`]""")
#: A path or glob without nested braces.
_READABLE = re.compile(r"(?:[^${}'\"`()]|\{[^${}]*\})*")
_REFERENCE = re.compile(rb"""^[ \t]*///[ \t]*<reference[ \t]+path[ \t]*=[ \t]*["']([^"'\n]+)["']""", re.MULTILINE)
_RELATIVE = ("./", "../", "/")
#: Configurations of linters and formatters, which name files to check, not files to load.
OF_CHECKERS = re.compile(r"(^|/)\.?(eslint|prettier|stylelint|oxlint|biome|knip|lint-?staged|commitlint|cspell|depcheck|madge)")
_EXTENSIONS = ("", ".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cts", ".cjs")
_BUILT = re.compile(r"\.([cm]?)js(x?)$")


def loading_links(texts: IndexedTexts, files: Iterable[str], configurations: Collection[str]) -> list[ImportLink]:
    """Return the links from each file to the files that it loads by path, and from each configuration to all files that it names.

    `files` are all indexed files; files without code have no text.
    """
    known = _Files(files)
    links = [ImportLink(path, target) for path, named in texts.once(_named_by_calls) for target in known.meant(path, named)]
    for path in configurations:
        if path in texts and not OF_CHECKERS.search(path):
            names = {name.decode("utf-8", "replace") for name in _IN_CONFIGURATION.findall(texts[path].text)}
            links += [ImportLink(path, target) for name in sorted(names) for target in known.meant(path, name)]
    return links


def written_links(files: Collection[str], written: Iterable[tuple[str, str]]) -> list[ImportLink]:
    """Return links from each file to the files that its imports name literally. If `x.d.ts` is beside `x.js`, the graph has only
    an edge to `x.d.ts`.
    """
    named = ((path, posixpath.normpath(posixpath.join(posixpath.dirname(path), name))) for path, name in written)
    return [ImportLink(path, target) for path, target in named if target in files]


def reference_links(texts: IndexedTexts, files: Collection[str]) -> list[ImportLink]:
    """Return links from each file to the files in `/// <reference path="..." />` at its top."""
    named = (
        (path, posixpath.normpath(posixpath.join(posixpath.dirname(path), name.decode("utf-8", "replace"))))
        for path in texts
        if b"<reference" in texts[path].text
        for name in _REFERENCE.findall(texts[path].text)
    )
    return [ImportLink(path, target) for path, target in named if target in files]


def _named_by_calls(texts: IndexedTexts) -> list[tuple[str, str]]:
    """Return pairs of a file and the written path or glob of a file that it loads. All callers share the result."""
    named: list[tuple[str, str]] = []
    block, position = texts.block, 0
    while (found := _LOADING.find(block, position, len(block))) is not None:
        position = found.end
        call = block[found.start : found.end]
        pieces = [piece.decode("utf-8", "replace") for piece in _PIECE.findall(call)]
        path = texts.paths[texts.number_at(found.start)]
        if b"dirname" in call.partition(b"(")[0]:
            named.append((path, "./" + "/".join(pieces)))
        elif call.startswith(b"import") and "${" not in pieces[0]:
            continue  # the graph has its edge
        elif call.startswith(b".context"):
            # `require.context(folder, …)` loads the files of a folder, by default with its subfolders.
            named += [(path, f"{piece.rstrip('/')}/**") for piece in pieces[:1] if piece.startswith(_RELATIVE)]
        else:
            named += [(path, piece) for piece in pieces if piece.startswith(_RELATIVE)]
    return named


class _Files:
    """Resolves paths and globs to indexed files."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._ordered = sorted(paths)
        self._known = frozenset(self._ordered)

    def meant(self, path: str, name: str) -> Iterator[str]:
        """Yield the targets of a path in a file: a file, a source with another extension, the index of a folder, or the matches
        of a glob.

        An absolute path is relative to the folder of a package, which may be any folder above the file.
        """
        plain = _IN_TEMPLATE.sub("*", name).partition("?")[0]
        plain += "index.*" if plain.endswith("*/") else ""
        is_absolute = plain.startswith("/")
        if not _READABLE.fullmatch(plain) or (is_absolute and _is_glob(plain) and not _fixed_folder(plain).strip("/")):
            return
        folder = posixpath.dirname(path)
        for base in folders_above(folder) if is_absolute else (folder,):
            wanted = posixpath.normpath(posixpath.join(base, plain.lstrip("/")))
            found = [] if wanted.startswith("..") or wanted == "." else list(self._at(wanted))
            if found:
                yield from found
                return

    def _at(self, wanted: str) -> Iterator[str]:
        if _is_glob(wanted):
            folder = _fixed_folder(wanted)
            first = bisect_left(self._ordered, folder)
            below = takewhile(lambda path: path.startswith(folder), islice(self._ordered, first, None))
            deep, depth = "**" in wanted, wanted.count("/")
            admits, admits_source = path_filter(wanted), path_filter(_BUILT.sub(r".\1ts\2", wanted))
            yield from (path for path in below if (deep or path.count("/") == depth) and (admits(path) or admits_source(path)))
            return
        for stem in dict.fromkeys((wanted, _BUILT.sub(r".\1ts\2", wanted))):
            for candidate in (*(stem + each for each in _EXTENSIONS), *(f"{stem}/index{each}" for each in _EXTENSIONS[1:])):
                if candidate in self._known:
                    yield candidate
                    return


def _fixed_folder(glob: str) -> str:
    """Return the folder with which all matches of a glob begin."""
    return re.split(r"[*{]", glob, maxsplit=1)[0].rpartition("/")[0]


def _is_glob(path: str) -> bool:
    return "*" in path or "{" in path
