"""The names that GORM gives to tables, columns and keys: its naming strategy, and the plurals of the package `inflection`."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from ....data.plural_rules import compiled, inflected

#: The method of a struct that returns the name of its table.
TABLE_METHOD: Final = "TableName"
#: Initialisms in the order in which GORM looks for them at each position of a name.
_INITIALISMS: Final = (
    "API", "ASCII", "CPU", "CSS", "DNS", "EOF", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "JSON", "LHS", "QPS", "RAM", "RHS",
    "RPC", "SLA", "SMTP", "SSH", "TLS", "TTL", "UID", "UI", "UUID", "URI", "URL", "UTF8", "VM", "XML", "XSRF", "XSS",
)  # fmt: skip
_INITIALISM: Final = re.compile("|".join(_INITIALISMS))
_UNCOUNTABLE: Final = re.compile("(?:equipment|information|rice|money|species|series|fish|sheep|jeans|police)", re.IGNORECASE)
_IRREGULAR: Final = (
    ("person", "people"), ("man", "men"), ("child", "children"), ("sex", "sexes"), ("move", "moves"), ("mombie", "mombies"),
)  # fmt: skip
_PLURALS: Final = compiled(
    (r"(quiz)$", r"\1zes"),
    (r"^(oxen)$", r"\1"),
    (r"^(ox)$", r"\1en"),
    (r"^(m|l)ice$", r"\1ice"),
    (r"^(m|l)ouse$", r"\1ice"),
    (r"(matr|vert|ind)(?:ix|ex)$", r"\1ices"),
    (r"(x|ch|ss|sh)$", r"\1es"),
    (r"([^aeiouy]|qu)y$", r"\1ies"),
    (r"(hive)$", r"\1s"),
    (r"(?:([^f])fe|([lr])f)$", r"\1\2ves"),
    (r"sis$", "ses"),
    (r"([ti])a$", r"\1a"),
    (r"([ti])um$", r"\1a"),
    (r"(buffal|tomat)o$", r"\1oes"),
    (r"(bu)s$", r"\1ses"),
    (r"(alias|status)$", r"\1es"),
    (r"(octop|vir)i$", r"\1i"),
    (r"(octop|vir)us$", r"\1i"),
    (r"^(ax|test)is$", r"\1es"),
    (r"s$", "s"),
    (r"([a-z])$", r"\1s"),
)
_SINGULARS: Final = compiled(
    (r"(database)s$", r"\1"),
    (r"(quiz)zes$", r"\1"),
    (r"(alias|status)(?:es)?$", r"\1"),
    (r"(bus)(?:es)?$", r"\1"),
    (r"(x|ch|ss|sh)es$", r"\1"),
    (r"([^aeiouy]|qu)ies$", r"\1y"),
    (r"([^f])ves$", r"\1fe"),
    (r"(ss)$", r"\1"),
    (r"s$", ""),
)
#: Maximum length of the name of a key.
_MAX_NAME: Final = 64


def snake_case(name: str) -> str:
    """Return the name that GORM derives for a column: `UserID` -> `user_id`, `HTTPServer` -> `http_server`."""
    value = _INITIALISM.sub(lambda found: found[0].capitalize(), name)
    if not value:
        return ""
    parts: list[str] = []
    is_after_capital = False
    is_capital = "A" <= value[0] <= "Z"
    for place, character in enumerate(value[:-1]):
        following = value[place + 1]
        next_capital, next_digit = "A" <= following <= "Z", "0" <= following <= "9"
        begins = is_capital and not (is_after_capital and (next_capital or next_digit))
        if begins and place > 0 and value[place - 1] != "_" and following != "_":
            parts.append("_")
        parts.append(character.lower() if is_capital else character)
        is_after_capital, is_capital = is_capital, next_capital
    if is_capital and not is_after_capital and len(value) > 1:
        parts.append("_")
    parts.append(value[-1].lower() if is_capital else value[-1])
    return "".join(parts)


def plural(word: str) -> str:
    """Return the plural of a word in snake case. Only the last part of the word changes."""
    if _UNCOUNTABLE.fullmatch(word):
        return word
    for single, many in _IRREGULAR:
        if word.endswith(single):
            return word.removesuffix(single) + many
    return inflected(_PLURALS, word)


def singular(word: str) -> str:
    """Return the singular of a word."""
    if _UNCOUNTABLE.fullmatch(word):
        return word
    for single, many in _IRREGULAR:
        for one, two in ((single, many), (single.capitalize(), many.capitalize())):
            if word.endswith(two):
                return word.removesuffix(two) + one
    return inflected(_SINGULARS, word)


def key_name(prefix: str, table: str, name: str) -> str:
    """Return the name of a key: `idx_users_name`. A long name ends in a digest."""
    made = f"{prefix}_{table}_{snake_case(name)}".replace(".", "_")
    if len(made) <= _MAX_NAME:
        return made
    digest = hashlib.sha1(made.encode(), usedforsecurity=False).hexdigest()[:8]
    return made[: _MAX_NAME - 8] + digest
