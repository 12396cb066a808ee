"""Find files that nobody edits in this repository: generated and built ones, and copies of other packages.

Comments at the top and at the end of a file, names, folders and `.gitattributes` tell them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from ...text_search.indexed_text import IndexedTexts

#: Number of bytes at the top of a file that may contain the note of a generator.
_HEADER = 1_500
_SAYS = re.compile(
    rb"@generated\b|\bauto-?generated\b|\bautomatically generated\b|\bcode generated\b"
    rb"|\bgenerated (?:by|from|with|using|file|code)\b"
    rb"|\b(?:do not|don't) (?:edit|modify|change)\b[^\n]{0,60}\b(?:by hand|manually|directly|generated|this file)"
    rb"|\bDO NOT EDIT\b",
    re.IGNORECASE,
)
_COMMENT = re.compile(rb"\s*(?:#![^\n]*\n\s*)?((?:(?://[^\n]*(?:\n|$)|/\*.{0,1500}?\*/)\s*)+)", re.DOTALL)
#: The runtime of a bundler at the top of a file, and the map to its sources at the end.
_BUNDLED = re.compile(rb"\b__webpack_(?:require|modules|exports)__\b|\bwebpackUniversalModuleDefinition\b")
_MAPPED = re.compile(rb"^/[/*][#@] source(?:Mapping)?URL=\S", re.MULTILINE)
#: Number of bytes at the end of a file that may contain the name of its map.
_END = 300
#: The head of a release of a package: its name and its version, such as `/*! Chart.js v3.9.1`.
_RELEASE = re.compile(rb"\s*/\*[*!]?\s*(?:\*\s*)?(?:@(?:license|preserve)\s+)?[\w.-]+(?: [\w.-]+){0,3},?(?: -)? v?\d+\.\d+\.\d+")
_NAMED_SO = re.compile(
    r"(^|/)(__generated__|generated|\.generated|autogen|codegen-output|gen-types)/"
    r"|[._-](generated|gen|g)\.(d\.)?[cm]?[jt]sx?$|_pb(\.d)?\.[jt]s$|_grpc_pb\.[jt]s$|_connect(web)?\.[jt]s$|\.graphql\.[jt]sx?$"
)
#: Scripts. Only they are bundled.
_SCRIPT = re.compile(r"\.[cm]?jsx?$")
#: Folders of files for pages, in which a head with a version tells a copy of a package. A library has such heads of its own.
_FOR_PAGES = re.compile(r"(^|/)(static|public|assets|javascripts?|www|htdocs|webroot|resources|vendors?|plugins|libs|js)/")
#: Copies of other packages. A folder `vendor` counts only among files for pages, because shops have modules of that name.
_COPIED = re.compile(
    r"(^|/)(third[-_]?party|3rd[-_]?party|bower_components)/"
    r"|(^|/)(static|public|assets|js|javascripts?|libs?|dist|www|htdocs|webroot|resources)/(.*/)?vendors?/.*\.[cm]?[jt]sx?$"
)


def generated_files(texts: IndexedTexts, paths: Iterable[str], marked: Collection[str]) -> set[str]:
    """Return the generated files and copies of other packages; `.gitattributes` marks the files `marked` as such."""
    headed = texts.once(_headed)
    return {path for path in paths if path in marked or path in headed or _NAMED_SO.search(path) or _COPIED.search(path)}


def _headed(texts: IndexedTexts) -> frozenset[str]:
    found = set()
    for path in texts:
        text = texts[path].text
        head = text[:_HEADER]
        comment = _COMMENT.match(head)
        if (comment and _SAYS.search(comment[1])) or (_SCRIPT.search(path) and _is_built(path, head, text[-_END:])):
            found.add(path)
    return frozenset(found)


def _is_built(path: str, head: bytes, end: bytes) -> bool:
    """Return whether a script is the output of a bundler or a compiler, or a release of a package."""
    if _BUNDLED.search(head) is not None or _MAPPED.search(end) is not None:
        return True
    return _FOR_PAGES.search(path) is not None and _RELEASE.match(head) is not None
