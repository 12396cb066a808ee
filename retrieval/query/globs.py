"""Normalize path filters, and convert globs to regular expressions.

As in .gitignore, a glob without a slash, such as `*.tsx`, matches names at every depth.
"""

from __future__ import annotations

import re

from ...schema.errors import UsageError

#: Characters that distinguish a glob from the name of a file or folder.
GLOB_CHARACTERS = frozenset("*?[{")


def normal_path(path: str) -> str:
    """Return a path in the spelling of the index: with forward slashes, and without a leading "./" and outer slashes."""
    cleaned = path.strip().replace("\\", "/")
    while cleaned.startswith("./"):
        cleaned = cleaned[2:]
    return cleaned.strip("/")


def glob_pattern(glob: str) -> str:
    """Return a regular expression over relative paths that matches the paths of the glob, and all files below them.

    `*` and `?` stay within one folder, `**` crosses folders, `[a-z]`, `[!a]` and `{a,b}` are alternatives. Raises UsageError
    for an invalid glob.
    """
    body = _translate(glob)
    anywhere = "" if "/" in glob else "(.*/)?"
    pattern = f"^{anywhere}{body}(/.*)?$"
    try:
        re.compile(pattern)
    except re.error as error:
        raise UsageError(f"The path filter {glob!r} is not a valid glob. Write for example src/**/*.ts.") from error
    return pattern


#: Pieces of a glob: `**/`, `**`, `*`, `?`, a class, a brace, a comma, or any other character.
_GLOB_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|[{},]|.", re.DOTALL)
_FIXED_PIECES = {"**/": "(.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _translate(glob: str) -> str:
    depth = 0
    parts = []
    for piece in _GLOB_PIECE.findall(glob):
        if piece in _FIXED_PIECES:
            parts.append(_FIXED_PIECES[piece])
        elif piece == "{":
            depth += 1
            parts.append("(")
        elif piece == "}" and depth:
            depth -= 1
            parts.append(")")
        elif piece == "," and depth:
            parts.append("|")
        elif len(piece) > 1:
            parts.append(_character_class(piece))
        else:
            parts.append(re.escape(piece))
    return "".join(parts)


def _character_class(piece: str) -> str:
    inner = piece[1:-1]
    negated = inner[:1] in ("!", "^")
    members = inner[1:] if negated else inner
    escaped = "".join("\\" + character if character in "\\[]^&~|" else character for character in members)
    return f"[{'^/' if negated else ''}{escaped}]"
