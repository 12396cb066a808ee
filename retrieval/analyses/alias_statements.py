"""Parse the import and export statements in the index: the names that they import and export."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = r"[\w$]+"
_STATEMENT = re.compile(
    r"""(?P<word>import|export)\s+(?P<type>type\s+(?!from\b|,))?
        (?P<clause>(?:\{.*?\}|[^'"{])*?)
        (?:\s*\bfrom\s*['"](?P<specifier>[^'"]*)['"].*)?;?\s*""",
    re.VERBOSE | re.DOTALL,
)
_EQUALS = re.compile(rf"(?:export\s+)?import\s+(?:type\s+)?(?P<local>{_NAME})\s*=\s*(?P<path>{_NAME}(?:\.{_NAME})*)\s*;?\s*")
_BRACES = re.compile(r"\{(.*?)\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NamedItem:
    """One name of a statement: `original as local`."""

    #: Name in the imported module, or in this file for a local export; may be "default" or "*".
    original: str
    #: Name in this file, or the name that importers of this file use.
    local: str
    type_only: bool


@dataclass(frozen=True, slots=True)
class NameStatement:
    """`import … from`, `export … from`, `export { … }` or `import A = B.C`."""

    #: import, export or equals.
    form: str
    #: None if the statement has no module, and its names are those of this file.
    specifier: str | None
    items: tuple[NamedItem, ...]


def read_statement(text: str) -> NameStatement | None:
    """Parse a statement; return None for one without names, such as `import './setup'`."""
    if match := _EQUALS.fullmatch(text):
        return NameStatement("equals", None, (NamedItem(match["path"], match["local"], type_only=False),))
    match = _STATEMENT.fullmatch(text)
    if match is None or not match["clause"].strip():
        return None
    if match["specifier"] is None and not match["clause"].lstrip().startswith("{"):
        return None
    braces = _BRACES.search(match["clause"])
    outside = _BRACES.sub("", match["clause"]).split(",")
    items = [_outside(part.strip(), is_type=bool(match["type"])) for part in outside if part.strip()]
    inside = braces[1].split(",") if braces else []
    items += [_inside(part.strip(), is_type=bool(match["type"])) for part in inside if part.strip()]
    return NameStatement(match["word"], match["specifier"], tuple(items))


def _outside(part: str, *, is_type: bool) -> NamedItem:
    """Parse the part outside of braces: `name` is the default import, `* as name` the whole module."""
    words = part.split()
    return NamedItem("*" if words[0] == "*" else "default", words[-1], is_type)


def _inside(part: str, *, is_type: bool) -> NamedItem:
    words = part.split()
    if words[0] == "type" and len(words) > 1 and not (words[1] == "as" and len(words) < 4):
        words, is_type = words[1:], True
    return NamedItem(words[0].strip("'\""), words[-1].strip("'\""), is_type)
