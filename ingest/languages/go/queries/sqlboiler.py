"""Calls of the code that SQLBoiler generates: `models.Users(models.UserWhere.Name.EQ(name)).All(ctx, db)`.

A generated file has the struct `User`, the types `userQuery` and `UserSlice`, and variables with the names of the columns.
See https://github.com/aarondl/sqlboiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ....facts.data import TABLE_NAME
from ....facts.model import ShapeKind
from ....facts.operations import Op
from ...framework_rules.imported_modules import imported_modules
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from .chains import ChainReading, Link

_PACKAGE: Final = re.compile(r"github\.com/(?:volatiletech|aarondl)/sqlboiler(?:/v\d+)?/queries")
_CONDITION: Final = re.compile(rf"{_PACKAGE.pattern}/qm:(?P<name>\w+)")
#: Methods that run a statement, by the ends of the names of the types that have them.
_RUN: Final = {
    "Query": {
        **dict.fromkeys(("One", "All", "Count", "Exists", "Bind"), "select"), "UpdateAll": "update", "DeleteAll": "delete",
    },
    "Slice": {"UpdateAll": "update", "DeleteAll": "delete", "ReloadAll": "select"},
    "": {
        "Insert": "insert", "Update": "update", "Upsert": "merge", "Delete": "delete",
        **dict.fromkeys(("Reload", "Exists"), "select"),
    },
}  # fmt: skip
_EVERY_RUN: Final = frozenset(name for names in _RUN.values() for name in names)
#: Ends of the methods that use the global connection, or panic in place of errors.
_VARIANT: Final = re.compile(r"(?<=[a-z])(?:GP|G|P)\Z")
#: Functions for rows by their keys: `models.FindUser(ctx, db, id)`, `models.UserExists(ctx, db, id)`.
_BY_KEY: Final = re.compile(r"Find(\w+)|(\w+)Exists")
#: Variables that have the names of columns and relations as members: `models.UserColumns.Name`.
_MEMBERS: Final = re.compile(r"(\w+?)(Where|TableColumns|Columns|Rels)")
#: Functions whose texts name relations, and functions whose texts name tables.
_LOADED: Final = "Load"
_JOINED: Final = re.compile(r"\s*[`\"]?(\w+)[`\"]?(?:\s+(?:as\s+)?(?!on\b|using\b)[`\"]?(\w+))?", re.IGNORECASE)
_WRITTEN: Final = "Whitelist"
_MAX_NODES: Final = 300


class _Names:
    """The columns, relations and tables that the arguments of a statement name."""

    def __init__(self) -> None:
        #: Columns by the qualifier or "".
        self.columns: dict[tuple[str, str], None] = {}
        self.of_models: dict[SymbolPlace, dict[tuple[str, ...], None]] = {}
        self.relations: dict[tuple[str, ...], None] = {}
        #: Tables of joins by alias.
        self.tables: dict[str, str] = {}
        self.written: dict[tuple[str, ...], None] = {}


def sqlboiler_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that calls of generated functions run."""
    if _structs(file):
        return
    reading = _Reading(file)
    for node in file.facts.calls:
        link = reading.link(node)
        if link is None:
            continue
        if _VARIANT.sub("", link.name) in _EVERY_RUN:
            yield from reading.statement(link)
        elif _BY_KEY.fullmatch(link.name) is not None:
            yield from reading.by_key(link)


class _Reading(ChainReading):
    def is_own(self, node: int) -> bool:
        """Return True: arguments of generated functions are conditions, and no chains with more conditions."""
        return True

    def statement(self, last: Link) -> Iterator[FoundQuery]:
        """Yield the statement that the last call of a chain runs."""
        found = self._generated(last.receiver)
        if found is None:
            return
        model, end = found
        statement = _RUN[end].get(_VARIANT.sub("", last.name), "")
        if not statement:
            return
        is_inferred = self._file.is_inferred
        names = self._names([each for link in self.chain(last) for each in link.arguments])
        fields = dict[tuple[str, ...], None]()
        fields.update(((name,), None) for qualifier, name in names.columns if qualifier not in names.tables)
        fields.update(names.of_models.pop(model, {}))
        own = FoundUse(model)
        if statement == "select":
            uses = [own._replace(fields=tuple(fields)), *(FoundUse(model, path) for path in names.relations)]
        else:
            uses = [own._replace(modifies=True, fields=tuple(names.written))]
            if fields and statement in ("update", "delete"):
                uses.append(own._replace(fields=tuple(fields), of_condition=True))
        yield FoundQuery(last.node, statement, uses, is_inferred)
        for alias, table in names.tables.items():
            columns = tuple((name,) for qualifier, name in names.columns if qualifier == alias)
            yield FoundQuery(last.node, "select", [FoundUse(f"{TABLE_NAME}{table}", fields=columns)], is_inferred)
        for other, paths in names.of_models.items():
            yield FoundQuery(last.node, "select", [FoundUse(other, fields=tuple(paths))], is_inferred)

    def by_key(self, link: Link) -> Iterator[FoundQuery]:
        """Yield the statement of a function for a row by its key."""
        found = _BY_KEY.fullmatch(_VARIANT.sub("", link.name))
        for declared in self._file.declarations(self._file.code[link.node + 1]) if found is not None else ():
            model = _structs(declared.file).get((found[1] or found[2]).lower()) if found is not None else None
            if model is not None:
                yield FoundQuery(link.node, "select", [FoundUse(model)])

    def _generated(self, node: int) -> tuple[SymbolPlace, str] | None:
        """Return the struct of a value of a generated type, and the end of the name of the type; None for other values."""
        for kind in self._file.types(node):
            place = kind.declared
            structs = _structs(place.file) if place is not None else {}
            name = place.file.facts.symbols[place.symbol].name if place is not None and structs else ""
            for end in _RUN:
                model = structs.get(name.removesuffix(end).lower()) if name.endswith(end) else None
                if model is not None:
                    return model, end
        return None

    def _names(self, waiting: list[int]) -> _Names:
        """Return what expressions name: the arguments of functions for conditions, and members of generated variables."""
        code, found, seen = self._file.code, _Names(), set[int]()
        while waiting and len(seen) < _MAX_NODES:
            node = waiting.pop()
            if node < 0 or node in seen:
                continue
            seen.add(node)
            member = self._member(node)
            if member is not None:
                model, name, is_relation = member
                if is_relation:
                    found.relations[name,] = None
                else:
                    found.of_models.setdefault(model, {})[name,] = None
            elif code[node] == Op.CALL:
                waiting += [code[node + 1], *self._add_call(found, node)]
            else:
                waiting += self.parts(node)
        return found

    def _add_call(self, found: _Names, node: int) -> Sequence[int]:
        """Add what the texts of a function for conditions name. Return the arguments that are no texts."""
        file, arguments = self._file, self._file.items(self._file.code[node + 2])
        callee = file.code[node + 1]
        name, text = file.name(callee), self.text(arguments[0]) if arguments else ""
        if name == _WRITTEN:
            for argument in arguments:
                member = self._member(argument)
                column = member[1] if member is not None else self.text(argument)
                found.written.update({(column,): None} if column else {})
            return ()
        if not text or _CONDITION.fullmatch(file.origin(callee)) is None:
            return arguments
        joined = _JOINED.match(text) if name.endswith("Join") else None
        if name == _LOADED:
            parts = text.split(".")
            found.relations.update((tuple(parts[: count + 1]), None) for count in range(len(parts)))
        else:
            for argument in arguments if name == "Select" else arguments[:1]:
                found.columns.update(dict.fromkeys(self.columns(argument)))
        if joined is not None:
            found.tables[joined[2] or joined[1]] = joined[1]
        return arguments

    def _member(self, node: int) -> tuple[SymbolPlace, str, bool] | None:
        """Return the struct and the member of a generated variable, and whether the member is a relation."""
        file, code = self._file, self._file.code
        of_variable = code[node + 1] if code[node] == Op.MEMBER else -1
        named = _MEMBERS.fullmatch(file.name(of_variable)) if of_variable >= 0 else None
        declared = file.constant(of_variable) if named is not None else None
        if named is None or declared is None:
            return None
        model = _structs(declared.file).get(named[1].lower())
        return (model, file.name(node), named[2] == "Rels") if model is not None else None


def _structs(file: WiredFile) -> dict[str, SymbolPlace]:
    """Return the structs of a generated file by their names in lower case; none for other files."""
    key = "sqlboiler"
    if key not in file.memory:
        file.memory[key] = dict(_named_structs(file))
    found = file.memory[key]
    assert isinstance(found, dict)
    return found


def _named_structs(file: WiredFile) -> Iterator[tuple[str, SymbolPlace]]:
    facts = file.facts
    if not any(_PACKAGE.fullmatch(each) is not None for each in imported_modules(file.facts)):
        return
    for shape in facts.shapes:
        members = {each.name for each in shape.members} if shape.kind == ShapeKind.CLASS and shape.symbol >= 0 else ()
        if "R" in members and "L" in members:
            yield shape.name.lower(), SymbolPlace(file, shape.symbol)
