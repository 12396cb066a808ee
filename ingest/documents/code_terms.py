"""The terms of code that users write: settings that code reads, flags and commands that code declares, and keys of its fields.

Each language has a pattern for the calls and annotations of its libraries. The patterns read the text, so they also apply to
languages without lowering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ...schema.symbol_kinds import CALLABLE_KINDS, STATEMENTS, TYPE_KINDS
from ..facts.document_facts import TermFact
from ..facts.model import FileFacts, SymbolFact

SETTING: Final = "setting"
FLAG: Final = "flag"
COMMAND: Final = "command"
#: The name of a field in data, which its tag or annotation states: `yaml:"page-size"`. A dash counts as an underscore.
KEY: Final = "key"
#: A string in code that is a name of several words; see `literals.py`.
LITERAL: Final = "literal"

_FLAG: Final = re.compile(r"--(?P<negated>\[no-?\])?(?P<name>[A-Za-z][\w.-]*)")
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAME: Final = re.compile(r"[A-Za-z_][\w.:-]*$")
#: End of the names of groups that contain the name of a constant.
_CONSTANT: Final = "_of_constant"
#: A constant whose value is a string: `const portFlag = "port"`, `static final String PORT = "port";`.
_STRING_CONSTANT: Final = re.compile(
    r"\b(?P<name>[A-Za-z_]\w{0,80})(?:[ \t]?:[\w&' ]{1,40}|[ \t]string)?[ \t]{0,40}=[ \t]{0,40}"
    r"[\"'](?P<value>[^\"'\n]{1,120})[\"']"
)
_PREFIX: Final = "prefix"
_CASE: Final = "case"
#: The notations of keys that join words by capitals.
_CAMEL: Final = ("camelCase", "PascalCase")
_FIELDS: Final = frozenset(("property", "field"))
_ENUM_MEMBER: Final = "enumMember"
#: The signs between words in the other notations of names of enum members, by the notation in lower case without signs. The
#: derive macro of clap for enumerations stands for its default notation.
_SIGNS: Final = {"kebabcase": "-", "screamingkebabcase": "-", "snakecase": "_", "screamingsnakecase": "_", "valueenum": "-"}
#: Maximum number of types inside of each other.
_MAX_DEPTH: Final = 10
#: Maximum number of terms of a file.
_MAX_TERMS: Final = 5_000


@dataclass(frozen=True, slots=True)
class TermRules:
    r"""The notation of settings, flags, commands and keys of fields in a language.

    The name of the matching group says what its text is. `setting`, `command` and `key` are names. `flags` contains flags with
    dashes, and `flag` is a flag without dashes. A `literal` is a key of several words. The name of a `member`, in kebab case, is
    a flag. The name of the function after a `decorator`, in kebab case, is a command, and so is the name of a `subcommand`. A
    `prefix` begins the names of the settings that the fields of the type around it declare. A `case` is the notation of the keys
    of these fields, or of the members of the enumeration: `camelCase`. Further groups with the same meaning have names such as
    `setting_of_field`.
    If such a name ends with `_of_constant`, the text is the name of a constant of the file, whose value is a string.

    A search is ten times as fast if the pattern begins with a literal text or a set of characters, as in
    `environ(?<=\benviron)`.
    """

    pattern: re.Pattern[str]
    #: Every file with a match of the pattern contains at least one of these texts, so most files are not searched.
    hints: tuple[bytes, ...]
    #: Rules for other terms of the language.
    further: tuple[TermRules, ...] = ()


def term_key(kind: str, name: str = "") -> str:
    """Return the key under which a file declares a term. If the name is empty, return the key of all terms of the kind."""
    return f"{kind} {name}"


def key_name(written: str) -> str:
    """Return the name under which a key of a field is declared and looked up."""
    return written.replace("-", "_")


def add_terms(facts: FileFacts, data: bytes, rules: TermRules) -> None:
    """Add the settings, flags and commands of a file."""
    patterns = [each.pattern for each in (rules, *rules.further) if any(hint in data for hint in each.hints)]
    if not patterns:
        return
    text = data.decode("utf-8", "replace")
    found = _with_constants(list(_matches(text, patterns))[:_MAX_TERMS], text)
    owners = owners_of(facts.symbols, [line for _, line, _ in found])
    terms: dict[tuple[str, str, int], TermFact] = {}
    for (group, line, written), owner in zip(found, owners, strict=True):
        if group == _PREFIX:
            for name, place in _settings_of_fields(written, owner, facts.symbols):
                terms.setdefault((SETTING, name, place), TermFact(SETTING, name, place, facts.symbols[place].declaration_line))
        for kind, name, place in _names_in_data(written, owner, facts.symbols) if group == _CASE else ():
            terms.setdefault((kind, name, place), TermFact(kind, name, place, facts.symbols[place].declaration_line))
        for kind, name in _terms(group, written, facts.symbols[owner].name if owner >= 0 else ""):
            terms.setdefault((kind, name, owner), TermFact(kind, name, owner, line))
    facts.terms = list(terms.values())[:_MAX_TERMS]


def _matches(text: str, patterns: Iterable[re.Pattern[str]]) -> Iterator[tuple[str, int, str]]:
    """Yield the group, the line and the text of each match, in the order of the text."""
    line, counted = 1, 0
    for found in sorted((found for each in patterns for found in each.finditer(text)), key=lambda found: found.start()):
        group = found.lastgroup or ""
        if not group:
            continue
        line += text.count("\n", counted, found.start())
        counted = found.start()
        yield group if group.endswith(_CONSTANT) else group.partition("_")[0], line, found[group]


def _with_constants(found: list[tuple[str, int, str]], text: str) -> list[tuple[str, int, str]]:
    """Replace the names of constants by the strings that are their values. Names of other values are left out."""
    if not any(group.endswith(_CONSTANT) for group, _, _ in found):
        return found
    values = {each["name"]: each["value"] for each in _STRING_CONSTANT.finditer(text)}
    known = [(group, line, values.get(name, "") if group.endswith(_CONSTANT) else name) for group, line, name in found]
    return [(group.partition("_")[0], line, name) for group, line, name in known if name]


def _settings_of_fields(prefix: str, owner: int, symbols: Sequence[SymbolFact]) -> Iterator[tuple[str, int]]:
    """Yield the settings that the fields of a type declare, each with its place.

    The fields of a type inside of the type belong to the field of that type: `shop.cart.size` for `Cart cart` and `Cart.size`.
    """
    names = {owner: prefix}
    inner = [(place, each) for place, each in enumerate(symbols) if owner >= 0 and _is_inside(place, owner, symbols)]
    for place, each in inner:
        if each.parent in names and each.kind in TYPE_KINDS:
            beside = (field for _, field in inner if field.parent == each.parent and field.kind in _FIELDS)
            holder = next(
                (field.name for field in beside if re.search(rf"\b{re.escape(each.name)}\b", field.signature)), each.name
            )
            names[place] = f"{names[each.parent]}.{_kebab(holder)}"
    for place, each in inner:
        if each.parent in names and each.kind in _FIELDS:
            yield f"{names[each.parent]}.{_kebab(each.name)}", place


def _names_in_data(case: str, owner: int, symbols: Sequence[SymbolFact]) -> Iterator[tuple[str, str, int]]:
    """Yield the names in data of the fields of a type in the notation of the type, and of the members of an enumeration, each
    with its kind and its place: `pageSize` for the field `page_size`, `page-size` for the member `PageSize`.

    The other notations have the words of a field in the same order with underscores or dashes between them. The name of a member
    with a single word may be any word.
    """
    for place in range(owner + 1, len(symbols)) if owner >= 0 else ():
        if symbols[place].depth <= symbols[owner].depth:
            return
        if symbols[place].parent != owner:
            continue
        if symbols[place].kind in _FIELDS and case in _CAMEL:
            first, *rest = symbols[place].name.strip("_").split("_")
            yield KEY, (first if case == _CAMEL[0] else first.capitalize()) + "".join(word.capitalize() for word in rest), place
        elif symbols[place].kind == _ENUM_MEMBER and (name := _name_of_member(symbols[place].name, case)):
            yield LITERAL, name, place


def _name_of_member(name: str, case: str) -> str:
    """Return the name in data of a member of an enumeration that has several words; else ""."""
    words = _kebab(name).split("-")
    if len(words) == 1:
        return ""
    if case == _CAMEL[0]:
        return words[0] + "".join(word.capitalize() for word in words[1:])
    sign = _SIGNS.get(case.lower().replace("-", "").replace("_", ""))
    return (sign.join(words).upper() if case.isupper() else sign.join(words)) if sign is not None else ""


def _is_inside(place: int, owner: int, symbols: Sequence[SymbolFact]) -> bool:
    """Return whether a symbol is inside of a type, or of a type inside of it."""
    for _ in range(_MAX_DEPTH):
        place = symbols[place].parent
        if place in (owner, -1):
            return place == owner
    return False


def _terms(group: str, written: str, owner: str) -> Iterator[tuple[str, str]]:
    if group == "flags":
        for flag in _FLAG.finditer(written):
            yield FLAG, f"--{flag['name'].rstrip('.-')}"
            if flag["negated"]:
                yield FLAG, f"--no-{flag['name']}"
    elif group == "flag":
        yield FLAG, f"--{written}"
    elif group == "member":
        yield FLAG, f"--{_kebab(written)}"
    elif group == "decorator":
        if owner:
            yield COMMAND, _kebab(owner)
    elif group == "subcommand":
        yield COMMAND, _kebab(written)
    elif group == LITERAL:
        yield LITERAL, written
    elif group in (SETTING, COMMAND) and _NAME.match(written):
        yield group, written
    elif group == KEY:
        yield KEY, key_name(written)


def _kebab(name: str) -> str:
    return _CAPITAL.sub("-", name.strip("_")).replace("_", "-").lower()


def owners_of(symbols: Sequence[SymbolFact], lines: Sequence[int]) -> list[int]:
    """Return the innermost declaration around each of some ascending lines, or the outermost function around it; -1 for none."""
    order = sorted(
        (place for place, symbol in enumerate(symbols) if symbol.kind not in STATEMENTS),
        key=lambda place: (symbols[place].start_line, symbols[place].depth),
    )
    owners: list[int] = []
    around: list[int] = []
    at = 0
    for line in lines:
        while at < len(order) and symbols[order[at]].start_line <= line:
            while around and symbols[around[-1]].end_line < symbols[order[at]].start_line:
                around.pop()
            around.append(order[at])
            at += 1
        while around and symbols[around[-1]].end_line < line:
            around.pop()
        inside = [place for place in around if symbols[place].end_line >= line]
        function = next((place for place in inside if symbols[place].kind in CALLABLE_KINDS), None)
        owners.append(function if function is not None else inside[-1] if inside else -1)
    return owners
