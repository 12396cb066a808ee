"""Parse the import and export statements of the index, and return the names that they import and export."""

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
_FROM = re.compile(r"from\s+(?P<module>[.\w]+)\s+import\b\s*\(?(?P<names>[^)]*)\)?\s*;?\s*")
_MODULES = re.compile(r"import\s+(?P<names>[\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)\s*;?\s*")
_COMMENT = re.compile(r"#[^\n]*|\\\n")
_BRACES = re.compile(r"\{(.*?)\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NamedItem:
    """One name of a statement: `original as local`."""

    #: Name in the imported module, or in this file for a local export; may be "default" or "*".
    original: str
    #: Name in this file, or, for an export, the name for importers of this file.
    local: str
    type_only: bool


@dataclass(frozen=True, slots=True)
class NameStatement:
    """`import … from`, `export … from`, `export { … }` or `import A = B.C`."""

    #: import, export or equals.
    form: str
    #: None for names that this file declares.
    specifier: str | None
    items: tuple[NamedItem, ...]


def read_statement(text: str) -> NameStatement | None:
    """Parse a statement. Returns None for a statement without names, such as `import './setup'`."""
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


def read_python_statements(text: str) -> list[NameStatement]:
    """Parse a Python statement.

    Returns a statement for each module that it may import as a whole, and a statement for the names of `from`.
    """
    plain = _COMMENT.sub(" ", text).strip()
    if match := _FROM.fullmatch(plain):
        module, names = match["module"], [_named(part) for part in match["names"].split(",") if part.strip()]
        named = [each for each in names if each.original != "*"]
        around = module if module.endswith(".") else f"{module}."
        wholes = [_whole(f"{around}{each.original}", each.local) for each in named]
        return [NameStatement("import", module, tuple(named)), *wholes]
    if match := _MODULES.fullmatch(plain):
        names = [_named(part) for part in match["names"].split(",")]
        return [_whole(each.original, each.local) for each in names]
    return []


def _named(part: str) -> NamedItem:
    words = part.split()
    return NamedItem(words[0], words[-1], type_only=False)


def _whole(module: str, local: str) -> NameStatement:
    return NameStatement("import", module, (NamedItem("*", local, type_only=False),))


def _outside(part: str, *, is_type: bool) -> NamedItem:
    """Parse the text outside of braces: `name` is the default import, and `* as name` the whole module."""
    words = part.split()
    return NamedItem("*" if words[0] == "*" else "default", words[-1], is_type)


def _inside(part: str, *, is_type: bool) -> NamedItem:
    words = part.split()
    if words[0] == "type" and len(words) > 1 and not (words[1] == "as" and len(words) < 4):
        words, is_type = words[1:], True
    return NamedItem(words[0].strip("'\""), words[-1].strip("'\""), is_type)
