"""Find declared names beyond ASCII: their scripts, the names that look like them, and invisible characters.

Scripts and confusable characters follow Unicode Technical Standard 39, with the tables of the package
`confusable_homoglyphs`. The tables load slowly, so they are loaded only for files with such names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from .....facts.constructs import UnicodeName
from .....facts.model import DeclKind
from .....symbols.byte_ranges import between
from .....symbols.states import SymbolState
from ..context import Context

_ZERO_WIDTH = frozenset("\u200b\u200c\u200d\u2060\ufeff\u180e")
#: Characters that change the direction of text.
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DIRECTION_BYTES = re.compile(rb"\xe2\x80[\xaa-\xae]|\xe2\x81[\xa6-\xa9]")

_KINDS = {
    DeclKind.VARIABLE: "variable",
    DeclKind.PARAMETER: "parameter",
    DeclKind.FUNCTION: "function",
    DeclKind.CLASS: "class",
    DeclKind.INTERFACE: "interface",
    DeclKind.ALIAS: "type",
    DeclKind.ENUM: "enum",
    DeclKind.NAMESPACE: "namespace",
    DeclKind.TYPE_PARAMETER: "typeParameter",
    DeclKind.IMPORT: "import",
    DeclKind.IMPORT_ALIAS: "import",
    DeclKind.ENUM_MEMBER: "enumMember",
}
#: Common names of scripts whose Unicode name differs.
_SCRIPTS = {"HAN": "CJK"}
#: Scripts of characters that belong to all scripts or to no script.
_NEUTRAL = frozenset(("COMMON", "INHERITED", "Unknown"))
#: Scripts that are written together.
_TOGETHER = frozenset(("CJK", "Hiragana", "Katakana", "Hangul", "Bopomofo"))


def unicode_names(cx: Context) -> list[UnicodeName]:
    """Return the declared names beyond ASCII, and the places where text changes its direction, in source order."""
    if cx.source.isascii():
        return []
    found: list[UnicodeName] = []
    # Most files have such characters only in comments and strings. The check of one joined text is fast.
    if not "".join([decl.name for decl in cx.decls]).isascii() or not _members_are_ascii(cx):
        found = _beyond_ascii(cx)
    found += [_direction(cx, match) for match in _DIRECTION_BYTES.finditer(cx.source)]
    return sorted(found, key=lambda entry: entry.position)


def _members_are_ascii(cx: Context) -> bool:
    return "".join([member.name for shape in cx.shapes for member in shape.members]).isascii()


def _beyond_ascii(cx: Context) -> list[UnicodeName]:
    declared = list(dict.fromkeys(_declared(cx)))
    alike = _lookalikes({name for name, _, _ in declared})
    return [_described(cx, name, position, kind, alike.get(name, [])) for name, position, kind in declared if not name.isascii()]


def _declared(cx: Context) -> Iterator[tuple[str, int, str]]:
    """Yield every declared name with its position and kind.

    Members of shapes are included unless their names are quoted.
    """
    for decl in cx.decls:
        yield decl.name, decl.position, _kind(cx, decl.symbol, _KINDS[decl.kind])
    for shape in cx.shapes:
        for member in shape.members:
            name = member.name.encode()
            place = cx.source.find(name, member.position, member.position + 400) if name else -1
            if place >= 0 and not member.name.isascii() and between(cx.source, place - 1, place) not in (b'"', b"'", b"`"):
                yield member.name, place, _kind(cx, member.symbol, "property")


def _kind(cx: Context, symbol: int, otherwise: str) -> str:
    """Return the kind of the symbol with this name, or `otherwise` if there is none."""
    return cx.symbols[symbol].kind if symbol >= 0 and otherwise != "import" else otherwise


def _lookalikes(names: set[str]) -> dict[str, list[str]]:
    """Map each name to the other names that look the same."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        groups.setdefault(_skeleton(name), []).append(name)
    return {name: [other for other in group if other != name] for group in groups.values() if len(group) > 1 for name in group}


def _skeleton(name: str) -> str:
    """Return the skeleton of a name as the standard defines it: the name with each character replaced by its prototype."""
    if name.isascii():
        return name
    seen = (character for character in unicodedata.normalize("NFD", name) if character not in _ZERO_WIDTH)
    return unicodedata.normalize("NFD", "".join(map(_prototype, seen)))


@cache
def _prototype(character: str) -> str:
    """Return the character, preferably in ASCII, that looks like another character, or the character itself."""
    if character.isascii():
        return character
    from confusable_homoglyphs.confusables import confusables_data

    shapes = [entry["c"] for entry in confusables_data.get(character, ())]
    ascii_shapes = [shape for shape in shapes if shape.isascii()]
    return str(ascii_shapes[0]) if ascii_shapes else str(shapes[0]) if len(shapes) == 1 else character


@cache
def _script(character: str) -> str:
    from confusable_homoglyphs.categories import alias

    name = str(alias(character))  # type: ignore[no-untyped-call]  # the package has no types
    return "" if name in _NEUTRAL else _SCRIPTS.get(name, name.title())


def _described(cx: Context, name: str, position: int, kind: str, alike: list[str]) -> UnicodeName:
    scripts = sorted({script for script in map(_script, name) if script})
    is_mixed = len({"CJK" if script in _TOGETHER else script for script in scripts}) > 1
    zero_width, direction = not _ZERO_WIDTH.isdisjoint(name), not _DIRECTIONS.isdisjoint(name)
    normal = unicodedata.normalize("NFC", name)
    reasons = [_likeness(name, other) for other in alike]
    if zero_width:
        reasons.append("has invisible characters: " + _code_points(name, _ZERO_WIDTH))
    if direction:
        reasons.append("changes the direction of text: " + _code_points(name, _DIRECTIONS))
    if is_mixed:
        reasons.append("mixes scripts: " + ", ".join(scripts))
    severity = "critical" if alike or zero_width or direction else "warning" if is_mixed else "info"
    owner, scope = _scope(cx, position, name)
    return UnicodeName(
        name, position, kind, owner, scope, scripts, is_mixed, zero_width, direction, normal, alike, "; ".join(reasons), severity
    )


def _likeness(name: str, other: str) -> str:
    """Return why two names look the same."""
    if unicodedata.normalize("NFC", name) == unicodedata.normalize("NFC", other):
        return f"is {other} in another normal form"
    confusable = dict.fromkeys(character for text in (name, other) for character in text if not character.isascii())
    described = [
        f"{_script(character)} {character} for {_prototype(character)}"
        for character in confusable
        if _prototype(character) != character
    ]
    return f"looks like {other}" + (f": {', '.join(described)}" if described else "")


def _code_points(name: str, wanted: frozenset[str]) -> str:
    return ", ".join(dict.fromkeys(f"U+{ord(character):04X}" for character in name if character in wanted))


def _direction(cx: Context, match: re.Match[bytes]) -> UnicodeName:
    name = f"U+{ord(match[0].decode()):04X}"
    owner, scope = _scope(cx, match.start(), "")
    reason = "changes the direction of text: what is shown is not what runs"
    return UnicodeName(name, match.start(), "character", owner, scope, [], False, False, True, name, [], reason, "critical")


def _scope(cx: Context, position: int, name: str) -> tuple[int, str]:
    """Return the innermost symbol around a place, and the scope of a name there: `file`, `function:name` …"""
    around = [index for index, state in enumerate(cx.symbols) if state.start <= position < state.end]
    around.sort(key=lambda index: (cx.symbols[index].start, -cx.symbols[index].end))
    owner = around[-1] if around else -1
    holders = [cx.symbols[index] for index in around]
    if holders and _names(holders[-1], name, position):
        holders.pop()
    for holder in reversed(holders):
        if holder.kind in _HOLDERS:
            return owner, f"{_HOLDERS[holder.kind]}:{holder.name}"
    return owner, "file"


def _names(state: SymbolState, name: str, position: int) -> bool:
    return state.name == name and state.name_position == position


_HOLDERS = {
    "function": "function",
    "component": "function",
    "method": "function",
    "constructor": "function",
    "getter": "function",
    "setter": "function",
    "class": "class",
    "interface": "interface",
    "enum": "enum",
    "namespace": "namespace",
}
