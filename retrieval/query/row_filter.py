"""Translate path and language filters to SQL predicates, so that the store never reads rows that a request excludes.

A path filter is a file (`src/a.ts`), a folder (`src/auth`, `src/auth/`) or a glob (`src/**/*.ts`). As in .gitignore, a glob
without a slash matches names at every depth (`*.tsx`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...schema.errors import UsageError
from ...schema.languages import names_of

#: Characters that distinguish a glob from the name of a file or folder.
GLOB_CHARACTERS = frozenset("*?[{")


def row_predicate(paths: Sequence[str], languages: Sequence[str], kinds: Sequence[str] = ()) -> str | None:
    """Return a SQL predicate over the chunk table, or None if there is no filter.

    A row must match one of the paths, one of the languages and one of the kinds; an empty filter admits all.
    Raises UsageError for an invalid glob.
    """
    alternatives = [_path_predicate(path) for path in paths if path.strip()]
    spoken = [stored for language in languages if language.strip() for stored in names_of(language)]
    conditions = []
    if alternatives:
        conditions.append("(" + " OR ".join(alternatives) + ")")
    if spoken:
        conditions.append(f"language IN ({quoted_list(spoken)})")
    if kinds:
        conditions.append(f"nodeKind IN ({quoted_list(kinds)})")
    return " AND ".join(conditions) or None


def quoted(text: str) -> str:
    """Return a text as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def quoted_list(texts: Iterable[str]) -> str:
    """Return texts as SQL string literals, separated by commas."""
    return ", ".join(quoted(text) for text in texts)


def _path_predicate(path: str) -> str:
    relative = normal_path(path)
    if relative in ("", "."):
        return "true"
    alternatives = [f"relativePath = {quoted(relative)}", f"starts_with(relativePath, {quoted(relative + '/')})"]
    if GLOB_CHARACTERS & set(relative):  # the name of a folder may look like a glob, as in `routes/[id]`
        alternatives.append(f"regexp_like(relativePath, {quoted(glob_pattern(relative))})")
    return f"({' OR '.join(alternatives)})"


def normal_path(path: str) -> str:
    """Return a path as the index spells it: with forward slashes, without a leading "./" and outer slashes."""
    cleaned = path.strip().replace("\\", "/")
    while cleaned.startswith("./"):
        cleaned = cleaned[2:]
    return cleaned.strip("/")


def glob_pattern(glob: str) -> str:
    """Return a regular expression over relative paths that matches what the glob matches, and all files below it.

    `*` and `?` stay within one folder, `**` crosses folders, `[a-z]`, `[!a]` and `{a,b}` are alternatives.
    Raises UsageError for an invalid glob.
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
