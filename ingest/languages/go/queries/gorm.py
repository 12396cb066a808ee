"""Chains of GORM: `db.Where("name = ?", name).Preload("Posts").First(&user)`. See https://gorm.io/docs/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from ....facts.data import TABLE_NAME
from ....facts.model import DeclKind, ShapeKind
from ....facts.node_scan import any_of, nodes_of
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace
from ..models.gorm_methods import RELATED, RUN
from ..models.naming import TABLE_METHOD
from ..models.tables import DEFAULTS
from .chains import MAX_VALUES, ChainReading, Link, default_table

_PACKAGE: Final = re.compile(r"(?:gorm\.io/gorm|github\.com/jinzhu/gorm):.*")
_FIRST: Final = "github.com/jinzhu/gorm:"
#: Methods whose first argument is not a model. Another call of the chain names the model.
_WITHOUT_MODEL: Final = frozenset(("Scan", "Pluck", "Count", "Row", "Rows", "ScanRows", "SubQuery", "Update", "UpdateColumn"))
#: Methods whose first argument is a part of a statement in SQL.
_CONDITIONS: Final = frozenset(("Where", "Or", "Not", "Having", "Order", "Group", "Select", "Pluck", "Distinct", "Joins"))
#: Methods of the association of a relation, with the kind of the statement.
_ASSOCIATED: Final = {
    **dict.fromkeys(("Find", "Count"), "select"),
    **dict.fromkeys(("Append", "Replace"), "merge"),
    **dict.fromkeys(("Delete", "Clear"), "delete"),
}
_JOINED: Final = re.compile(r"\bjoin\s+[`\"]?(\w+)", re.IGNORECASE)
_MEMBERS: Final = any_of(Op.MEMBER)

#: The method that passes a chain to functions, and the name of the type of chains.
_PASSING: Final = "Scopes"
_CHAIN_TYPE: Final = "DB"
#: Maximum number of functions that build the chain of one statement.
_MAX_HELPERS: Final = 10

_Fields = tuple[tuple[str, ...], ...]


def gorm_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that the chains of a file run."""
    reading = gorm_reading(file)
    for node in file.facts.calls:
        link = reading.link(node)
        if link is None or (link.name not in RUN and link.name not in _ASSOCIATED):
            continue
        if reading.is_own(node):
            yield from reading.statement(link)


def gorm_reading(file: QueryFile) -> GormReading:
    """Return the chains of a file."""
    return GormReading(file, _PACKAGE)


class _Chain(NamedTuple):
    """The calls of a chain in one function, from its end to its beginning."""

    reading: GormReading
    links: list[Link]


class GormReading(ChainReading):
    """The chains of GORM in a file."""

    def statement(self, last: Link) -> Iterator[FoundQuery]:
        """Yield the statements that the last call of a chain runs."""
        chains = self._chains(last)
        chain = chains[0].links
        associations = [each for each in chain if each.name == "Association"]
        if associations:
            yield from self._association(last, associations[0], chain)
            return
        if last.name not in RUN or any(each.name in ("Raw", "Exec") for each in chain):
            return  # a string contains the whole statement
        statement = RUN[last.name]
        is_inferred = self._file.is_inferred
        tables = list(self._tables_of_joins(chain))
        names = list(self._names(chain))
        fields = tuple(dict.fromkeys(name for each in chains for name in each.reading.fields(each.links)))
        joined = [path for each in chains for path in each.reading._joined(each.links)]
        written = self._written(chain)
        for model in self._models(last, chain):
            own = FoundUse(model, default_name=default_name_of(model))
            uses: list[FoundUse] = []
            if statement == "select":
                uses.append(own._replace(fields=fields))
                uses += [FoundUse(model, path) for path in joined]
                yield FoundQuery(last.node, statement, uses, is_inferred)
                continue
            uses.append(own._replace(modifies=True, fields=written))
            if fields and statement in ("update", "delete"):
                uses.append(own._replace(fields=fields, of_condition=True))
            yield FoundQuery(last.node, statement, uses, is_inferred)
            if statement in ("insert", "merge") and not any(each.name == "Omit" for each in chain):
                yield from self._saved_with(last, model, statement)
            if self._makes_row(last, statement):
                yield FoundQuery(last.node, "select", [FoundUse(model, (DEFAULTS,))], is_inferred)
            if last.name == "FirstOrCreate":
                yield FoundQuery(last.node, "select", [own._replace(fields=fields)], is_inferred)
        yield from self._nested(chain)
        for table in tables:
            columns = tuple(dict.fromkeys((name,) for qualifier, name in names if qualifier == table))
            yield FoundQuery(last.node, "select", [FoundUse(f"{TABLE_NAME}{table}", (), False, columns)], is_inferred)

    def _chains(self, last: Link) -> list[_Chain]:
        """Return a chain, and the chains in functions that return a part of it: `withPosts(db).Find(&users)`."""
        links, helpers = self.chain_and_helpers(last)
        found, waiting = [_Chain(self, links)], [(self, helper) for helper in (*helpers, *self._passed_to(links))]
        seen = set[tuple[str, int]]()
        while waiting and len(seen) < _MAX_HELPERS:
            reading, helper = waiting.pop()
            for inner, node in reading._returned(helper):
                link = inner.link(node)
                if link is not None and inner.is_own(node) and (inner._file.path, node) not in seen:
                    seen.add((inner._file.path, node))
                    links, helpers = inner.chain_and_helpers(link)
                    found.append(_Chain(inner, links))
                    waiting += [(inner, each) for each in (*helpers, *inner._passed_to(links))]
        return found

    def _passed_to(self, chain: Sequence[Link]) -> Iterator[int]:
        """Yield the functions to which a chain is passed: `db.Scopes(isOpen)`."""
        for each in chain:
            yield from each.arguments if each.name == _PASSING else ()

    def _returned(self, callee: int) -> Iterator[tuple[GormReading, int]]:
        """Yield the chains that a function of the repository returns. Only then is its body a part of the surface of its file."""
        for declared in self._file.declarations(callee):
            if declared.facts.kind == DeclKind.FUNCTION:
                function = declared.file.facts.functions[declared.facts.a]
                view = self._file.view(declared.file)
                if function.return_type >= 0 and view.name(function.return_type) == _CHAIN_TYPE:
                    known = self._others.get(view.path)
                    reading = self._others[view.path] = known if known is not None else GormReading(view, self._package)
                    yield from ((reading, node) for node in function.returns)

    @cached_property
    def _others(self) -> dict[str, GormReading]:
        """The readings of the files whose functions build chains, by path."""
        return {self._file.path: self}

    def _makes_row(self, last: Link, statement: str) -> bool:
        """Return whether the first version of GORM adds a row. Only a literal in `Save(&user)` is surely a new row."""
        if statement not in ("insert", "merge") or not self._file.origin(self._file.code[last.node + 1]).startswith(_FIRST):
            return False
        given = last.arguments[:1]
        values = [value for node in given for value in (node, *self._file.values(node)[:MAX_VALUES])]
        return statement == "insert" or any(self._file.code[value] == Op.AS for value in values)

    def _saved_with(self, last: Link, model: SymbolPlace | str, statement: str) -> Iterator[FoundQuery]:
        """Yield the statements that save the rows in the relations of a row together with the row.

        A function that fills a relation of the row, or reads it, has rows in the relation.
        """
        file, given = self._file, last.arguments[0] if last.arguments else -1
        if given < 0:
            return
        names = dict.fromkeys(self._fields_used.get((file.owner(last.node), file.name(given)), ()))
        for value in (given, *file.values(given)[:MAX_VALUES]):
            names |= dict.fromkeys(self._fields_set.get(value, ()))
        for name in names:
            yield FoundQuery(last.node, statement, [FoundUse(model, (name,), True)], True)

    @cached_property
    def _fields_used(self) -> dict[tuple[int, str], list[str]]:
        """The members of each variable in the code of each symbol."""
        file, code = self._file, self._file.code
        found = dict[tuple[int, str], list[str]]()
        for node in nodes_of(file.facts, _MEMBERS):
            if code[code[node + 1]] in NAME_OPS:
                found.setdefault((file.owner(node), file.name(code[node + 1])), []).append(file.facts.strings[code[node + 2]])
        return found

    @cached_property
    def _fields_set(self) -> dict[int, list[str]]:
        """The fields that each literal of a struct sets."""
        code, found = self._file.code, dict[int, list[str]]()
        for node in nodes_of(self._file.facts, _MEMBERS):
            if code[code[node + 1]] == Op.AS:
                found.setdefault(code[node + 1], []).append(self._file.facts.strings[code[node + 2]])
        return found

    def _nested(self, chain: Sequence[Link]) -> Iterator[FoundQuery]:
        """Yield the statements in conditions: `db.Where("id IN (?)", db.Model(&Post{}).Select("user_id"))`."""
        for each in chain:
            for argument in each.arguments if each.name in _CONDITIONS or each.name == "Table" else ():
                for node in (argument, *self._file.values(argument)[:MAX_VALUES]):
                    link = self.link(node)
                    if link is None or link.name in RUN or not self.is_own(node):
                        continue
                    inner = self.chain(link)
                    if any(part.name in ("Model", "Table") for part in inner):
                        fields = tuple(dict.fromkeys((name,) for _, name in self._names(inner)))
                        for model in self._models(link, inner):
                            yield FoundQuery(node, "select", [FoundUse(model, (), False, fields)], self._file.is_inferred)

    def _association(self, last: Link, association: Link, chain: Sequence[Link]) -> Iterator[FoundQuery]:
        """Yield the statement of a relation's association: `db.Model(&user).Association("Posts").Append(&post)`."""
        name = self.text(association.arguments[0]) if association.arguments else ""
        statement = _ASSOCIATED.get(last.name, "")
        for model in self._models(last, chain) if name and statement else ():
            # The mapper also saves the rows that code adds. Its first version saves only those without a key.
            is_first = self._file.origin(self._file.code[last.node + 1]).startswith(_FIRST)
            of_links = statement == "delete" or (is_first and statement != "select")
            use = FoundUse(model, (name,), statement != "select", of_links=of_links)
            yield FoundQuery(last.node, statement, [use], self._file.is_inferred)

    # ------------------------------------------------------------------ models

    def _models(self, last: Link, chain: Sequence[Link]) -> list[SymbolPlace | str]:
        """Return the models of a statement, from `Model` or `Table`, else from the argument of the last call."""
        for each in chain if last.name != RELATED else ():
            if each.name == "Table" and each.arguments and (text := self.text(each.arguments[0])):
                return [f"{TABLE_NAME}{text.split()[0]}"]
            if each.name == "Model" and each.arguments:
                break
        return [row for given in self.row_arguments(last, chain) for row in self.rows(given)]

    def row_arguments(self, last: Link, chain: Sequence[Link]) -> list[int]:
        """Return the arguments with the rows of a statement, from `Model` or the last call."""
        if last.name == RELATED:
            return list(last.arguments[:1])
        for each in chain:
            if each.name == "Table" and each.arguments and self.text(each.arguments[0]):
                return []
            if each.name == "Model" and each.arguments:
                return list(each.arguments[:1])
        is_model = last.name not in _WITHOUT_MODEL and last.name not in ("Append", "Replace", "Clear")
        return list(last.arguments[:1]) if is_model else []

    def fields(self, chain: Sequence[Link]) -> _Fields:
        """Return the columns that conditions name, other than those of joined tables."""
        tables = list(self._tables_of_joins(chain))
        return tuple(dict.fromkeys((name,) for table, name in self._names(chain) if table not in tables))

    # ------------------------------------------------------------------ conditions

    def _names(self, chain: Sequence[Link]) -> Iterator[tuple[str, str]]:
        """Yield the names in conditions and orders, each with the table before it.

        Names other than columns have no effect. A change of rows writes the columns that it selects.
        """
        is_read = RUN.get(chain[0].name, "select") == "select"
        for each in chain:
            texts = each.arguments if each.name in ("Select", "Distinct") else each.arguments[:1]
            if each.name in RUN and each.name != "Pluck":
                texts = each.arguments[1:2]  # conditions after the rows: `db.First(&user, "name = ?", name)`
            elif each.name not in _CONDITIONS or (each.name == "Select" and not is_read):
                continue
            for node in texts:
                yield from self.columns(node)

    def _joined(self, chain: Sequence[Link]) -> list[tuple[str, ...]]:
        """Return the relations whose rows a statement also reads."""
        found: list[tuple[str, ...]] = []
        for each in chain:
            text = self.text(each.arguments[0]) if each.name in ("Preload", "Joins", "InnerJoins") and each.arguments else ""
            path = tuple(text.split("."))
            if text and " " not in text:
                found += [path[: count + 1] for count in range(len(path))]
        return found

    def _tables_of_joins(self, chain: Sequence[Link]) -> Iterator[str]:
        """Yield the tables that joins in SQL name: `Joins("LEFT JOIN posts ON …")`."""
        for each in chain:
            if each.name == "Joins" and each.arguments:
                yield from _JOINED.findall(self.text(each.arguments[0]))

    def _written(self, chain: Sequence[Link]) -> _Fields:
        """Return the columns that a change names: `Update("name", value)`, `Select("name", "age").Updates(user)`."""
        texts = list(chain[0].arguments[:1]) if chain[0].name in ("Update", "UpdateColumn") else []
        if RUN.get(chain[0].name) != "delete":  # which selects the relations whose rows it deletes, too
            texts += [argument for each in chain if each.name == "Select" for argument in each.arguments]
        return tuple(dict.fromkeys((name,) for node in texts for _, name in self.columns(node)))


def default_name_of(model: SymbolPlace | str) -> str:
    """Return the name of the table that GORM reads for a struct of which no file says that it is a model."""
    if isinstance(model, str):
        return ""
    facts = model.file.facts
    name = facts.symbols[model.symbol].name
    has_own = any(
        shape.kind == ShapeKind.EXTENSION and shape.name == name and any(member.name == TABLE_METHOD for member in shape.members)
        for shape in facts.shapes
    )
    return "" if has_own else default_table(model)
