"""Find files that nobody edits in this repository: generated ones, by a comment at their top, and copies of other packages.

Names, folders and `.gitattributes` tell both, too.
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
_NAMED_SO = re.compile(
    r"(^|/)(__generated__|generated|\.generated|autogen|codegen-output|gen-types)/"
    r"|[._-](generated|gen|g)\.(d\.)?[cm]?[jt]sx?$|_pb(\.d)?\.[jt]s$|_grpc_pb\.[jt]s$|_connect(web)?\.[jt]s$|\.graphql\.[jt]sx?$"
)
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
        comment = _COMMENT.match(texts[path].text[:_HEADER])
        if comment and _SAYS.search(comment[1]):
            found.add(path)
    return frozenset(found)
