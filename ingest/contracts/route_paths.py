"""Normalizes paths of routes, so that parameters have the same form for all frameworks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

#: The normalized parameter for one segment.
PARAMETER: Final = "{}"
#: The normalized parameter for all remaining segments.
REST: Final = "{*}"
#: The end of a path in patterns of Go's `net/http`. A pattern without it also matches longer paths.
_END: Final = "{$}"
#: `{id}`, `{id:int}`, `{id?}`, `<id>`, `<int:id>`, `[id]`, and `:id`, optionally followed by a pattern in parentheses or by
#: `?`, `+` or `*`. `:pause` in `{id}:pause` and `goods:pause` is text.
_BRACED: Final = re.compile(r"\{(\*{0,2})([^{}]*)\}|<([^<>]*)>|\[(\.{3})?[^\[\]]*\]|(?<![\w}]):\w+(?:\([^()]*\))?[?+*]?|\*\w*")
#: Inner brackets of a pattern within a parameter: `{id:[0-9]{3}}`.
_INNER: Final = re.compile(r"(?<=[^/{])\{\d+(?:,\d*)?\}|(?<=:)[^{}/]*\{\d+(?:,\d*)?\}(?=[^{}]*\})")
#: The query of a URL. A question mark after a parameter marks it as optional.
_QUERY: Final = re.compile(r"\?\w.*$")

_HOST: Final = re.compile(r"^https?://[^/]+")


def without_host(url: str) -> str:
    """Return the path of a URL; a path is returned unchanged."""
    return _HOST.sub("", url)


@lru_cache(maxsize=8_192)
def segments_of(path: str) -> tuple[str, ...]:
    """Return the segments of a path: literals unchanged, and `{}` for parameters."""
    plain = _BRACED.sub(_parameter, _INNER.sub("", _QUERY.sub("", path)))
    return tuple(part for part in plain.split("/") if part)


def _parameter(found: re.Match[str]) -> str:
    text = found[0]
    if text == _END:
        return ""
    if text == "*" and found.string[found.end() :].startswith("/"):
        return PARAMETER  # `*` in the middle of a path matches one segment
    if text.startswith("*") or text.endswith(("*", "+")) or found[4]:
        return REST
    if text.startswith("{"):
        return REST if found[1] or found[2].endswith((":path", ":.*", ":.+", "...")) else PARAMETER
    if text.startswith("<"):
        return REST if found[3].startswith("path:") or found[3].endswith(":path") else PARAMETER
    return PARAMETER


def joined_path(*parts: str) -> str:
    """Return paths joined with one slash between them."""
    return "/" + "/".join(segment for part in parts for segment in part.split("/") if segment)


def has_literal(segments: tuple[str, ...]) -> bool:
    """Return whether at least one segment is not a parameter."""
    return any(segment not in (PARAMETER, REST) for segment in segments)
