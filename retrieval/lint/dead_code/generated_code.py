"""Find generated files: by a comment at their top, by their names and folders, and by `.gitattributes`."""

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


def generated_files(texts: IndexedTexts, paths: Iterable[str], marked: Collection[str]) -> set[str]:
    """Return the generated files; `marked` are the files that `.gitattributes` marks as generated."""
    headed = texts.once(_headed)
    return {path for path in paths if path in marked or path in headed or _NAMED_SO.search(path)}


def _headed(texts: IndexedTexts) -> frozenset[str]:
    found = set()
    for path in texts:
        comment = _COMMENT.match(texts[path].text[:_HEADER])
        if comment and _SAYS.search(comment[1]):
            found.add(path)
    return frozenset(found)
