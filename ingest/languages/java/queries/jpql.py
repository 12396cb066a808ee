"""Statements in the query language of JPA: https://jakarta.ee/specifications/persistence/3.1/, chapter 4."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ...framework_rules.queries import FoundUse
from ..models.queried import NAME

_STATEMENT: Final = re.compile(r"\s*(select|from|update|delete|insert)\b", re.IGNORECASE)
_TEXT: Final = re.compile(r"'(?:[^']|'')*'")
#: A path of names, or a sign that separates the entities of a list.
_TOKEN: Final = re.compile(r"[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*|[,()=]")
#: Words before an entity or a relation.
_BEFORE: Final = frozenset(("from", "update", "join", "into", "fetch"))
#: Words after an entity without an alias.
_AFTER: Final = frozenset(
    ("where", "set", "join", "left", "inner", "outer", "right", "cross", "on", "group", "order", "having", "fetch", "as", "with",
     "select", "values", "union", "limit", "offset", "in", "and", "or")
)  # fmt: skip
#: Maximum length of a statement in characters.
_MAX_LENGTH: Final = 20_000


class JpqlStatement(NamedTuple):
    """A statement, and the entities that it uses."""

    statement: str
    uses: list[FoundUse]


class _Named(NamedTuple):
    """The meaning of an alias: an entity and a path of relations."""

    entity: str
    path: tuple[str, ...]


def read_jpql(text: str) -> JpqlStatement | None:
    """Return the kind of a statement and the entities that it uses; None for other texts."""
    begins = _STATEMENT.match(text[:_MAX_LENGTH])
    if begins is None:
        return None
    statement = "select" if begins[1].lower() == "from" else begins[1].lower()
    tokens = [re.sub(r"\s", "", each) for each in _TOKEN.findall(_TEXT.sub("''", text[:_MAX_LENGTH]))]
    aliases, main = _aliases(tokens, statement)
    if not aliases:
        return None
    uses: list[FoundUse] = []
    fields = _fields(tokens, aliases, main)
    whole = _whole(tokens, aliases, main) if statement == "select" else []
    for alias, named in aliases.items():
        modifies = statement != "select" and alias == main
        written, read = fields.get((alias, True), ()), fields.get((alias, False), ())
        model = f"{NAME}{named.entity}"
        if modifies:
            uses.append(FoundUse(model, named.path, True, tuple(written)))
            if read:
                uses.append(FoundUse(model, named.path, False, tuple(read), True))
        else:
            uses.append(FoundUse(model, named.path, False, (*written, *read), is_whole=named in whole))
    known = {(aliases[alias].entity, aliases[alias].path) for alias in aliases}
    for named in whole:
        if (named.entity, named.path) not in known:
            uses.append(FoundUse(f"{NAME}{named.entity}", named.path, is_whole=True))
    return JpqlStatement(statement, uses)


def _whole(tokens: list[str], aliases: dict[str, _Named], main: str) -> list[_Named]:
    """Return the entities whose rows are results, and so are read with the relations that are loaded with each row."""
    found = [named for alias, named in aliases.items() if _is_fetched(tokens, alias, named)]
    if tokens[0].lower() != "select":
        return [*found, aliases[main]]
    end = next((place for place, token in enumerate(tokens) if token.lower() == "from"), 0)
    for place in range(1, end):
        first, *path = tokens[place].split(".")
        is_argument = tokens[place - 1] == "(" and tokens[place - 2].lower() != "object"
        if first in aliases and not is_argument:
            found.append(_Named(aliases[first].entity, (*aliases[first].path, *path)))
    return found


def _is_fetched(tokens: list[str], alias: str, named: _Named) -> bool:
    """Return whether a relation with an alias is joined by `fetch`: `left join fetch o.pets p`."""
    return bool(named.path) and any(
        before.lower() == "fetch" and alias in (token, following, after)
        for before, token, following, after in zip(tokens, tokens[1:], [*tokens[2:], ""], [*tokens[3:], "", ""], strict=False)
    )


def _aliases(tokens: list[str], statement: str) -> tuple[dict[str, _Named], str]:
    """Return the meaning of each alias, and the alias of the main entity."""
    found: dict[str, _Named] = {}
    main, is_list = "", False
    for place, token in enumerate(tokens):
        before = tokens[place - 1].lower() if place else ""
        is_list = (is_list or before == "from") and token.lower() not in _AFTER
        is_deleted = statement == "delete" and place == 1 and token.lower() != "from"
        starts = before in _BEFORE or is_deleted or (is_list and before == ",")
        if not starts or not token[0].isalpha() or token.lower() in _BEFORE:
            continue
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if following.lower() == "as" and place + 2 < len(tokens):
            following = tokens[place + 2]
        is_alias = following[:1].isalpha() and "." not in following and following.lower() not in _AFTER
        first, *path = token.split(".")
        alias = following if is_alias else token
        if path and first in found:
            found[alias] = _Named(found[first].entity, (*found[first].path, *path))
        elif token[:1].isupper() or path:
            found[alias] = _Named(token.rpartition(".")[2], ())
        main = main or (alias if alias in found else "")
    return found, main


def _fields(tokens: list[str], aliases: dict[str, _Named], main: str) -> dict[tuple[str, bool], dict[tuple[str, ...], None]]:
    """Return the paths of each alias, and whether the statement assigns each path."""
    found: dict[tuple[str, bool], dict[tuple[str, ...], None]] = {}
    is_set = False
    for place, token in enumerate(tokens):
        is_set = token.lower() == "set" or (is_set and token.lower() != "where")
        first, *path = token.split(".")
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        before = tokens[place - 1].lower() if place else ""
        is_assigned = is_set and following == "=" and before in ("set", ",")
        if first in aliases and path and before not in _BEFORE:
            found.setdefault((first, is_assigned), {})[tuple(path)] = None
        elif is_assigned and not path:
            found.setdefault((main, True), {})[(token,)] = None
    return found
