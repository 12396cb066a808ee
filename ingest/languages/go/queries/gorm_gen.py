"""Calls of the code that GORM Gen generates: `q.User.WithContext(ctx).Where(q.User.Name.Eq(name)).First()`.

A generated file has the types for one model, which its call of `UseModel` names. See https://gorm.io/gen/.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.operations import Op
from ...framework_rules.imported_modules import imported_modules
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ...framework_rules.wiring import SymbolPlace, WiredFile
from ..models.gorm_methods import USE_MODEL
from .chains import ChainReading, Link

_PACKAGE: Final = "gorm.io/gen"
#: Member of the type whose members are the columns of a table.
_EVERY_COLUMN: Final = "ALL"
#: Methods that run a statement, with its kind.
_RUN: Final = {
    **dict.fromkeys(
        ("Find", "First", "Last", "Take", "FindInBatch", "FindInBatches", "FindByPage", "ScanByPage", "Scan", "Pluck", "Count",
         "Row", "Rows", "FirstOrInit"),
        "select",
    ),
    **dict.fromkeys(("Create", "CreateInBatches"), "insert"),
    **dict.fromkeys(("Save", "FirstOrCreate"), "merge"),
    **dict.fromkeys(
        ("Update", "UpdateSimple", "Updates", "UpdateColumn", "UpdateColumnSimple", "UpdateColumns"), "update"
    ),
    "Delete": "delete",
}  # fmt: skip
#: Methods whose arguments are columns that the statement writes. The other arguments of a chain are columns that it reads.
_WRITING: Final = frozenset(("Update", "UpdateSimple", "UpdateColumn", "UpdateColumnSimple", "Assign", "Attrs"))
#: Methods whose arguments are relations.
_RELATIONS: Final = frozenset(("Preload", "Joins"))
_MAX_PATH: Final = 6
_MAX_NODES: Final = 200


class _Generated(NamedTuple):
    """A generated type: the struct of its model, and whether its members are the columns of the table."""

    model: SymbolPlace
    has_columns: bool


def gorm_gen_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that chains of generated methods run."""
    reading = _Reading(file)
    if _model_of_file(file, file) is not None:
        return
    for node in file.facts.calls:
        link = reading.link(node)
        if link is not None and link.name in _RUN:
            yield from reading.statement(link)


class _Reading(ChainReading):
    def is_own(self, node: int) -> bool:
        """Return whether a call is one of a generated method."""
        link = self.link(node)
        return link is not None and self._generated(link.receiver) is not None

    def statement(self, last: Link) -> Iterator[FoundQuery]:
        """Yield the statements that the last call of a chain runs."""
        generated = self._generated(last.receiver)
        if generated is None:
            return
        model, statement, is_inferred = generated.model, _RUN[last.name], self._file.is_inferred
        chain = self.chain(last)
        read = self._paths(each for each in chain if each.name not in _WRITING | _RELATIONS)
        written = self._paths(each for each in chain if each.name in _WRITING).get(model, {})
        related = [path for paths in self._paths(each for each in chain if each.name in _RELATIONS).values() for path in paths]
        own = FoundUse(model)
        fields = tuple(read.pop(model, {}))
        uses = [own._replace(fields=fields)]
        if statement != "select":
            uses = [own._replace(modifies=True, fields=tuple(written))]
            uses += [own._replace(fields=fields, of_condition=True)] if fields and statement != "insert" else []
        uses += [FoundUse(model, path) for path in related]
        yield FoundQuery(last.node, statement, uses, is_inferred)
        if last.name == "FirstOrCreate":
            yield FoundQuery(last.node, "select", [own._replace(fields=fields)], is_inferred)
        for other, paths in read.items():
            yield FoundQuery(last.node, "select", [FoundUse(other, fields=tuple(paths))], is_inferred)

    def _paths(self, links: Iterator[Link]) -> dict[SymbolPlace, dict[tuple[str, ...], None]]:
        """Return the members of generated types in the arguments of calls, by model. A table alone has no members."""
        found = dict[SymbolPlace, dict[tuple[str, ...], None]]()
        waiting = [node for each in links for node in each.arguments]
        seen = set[int]()
        while waiting and len(seen) < _MAX_NODES:
            node = waiting.pop()
            if node < 0 or node in seen:
                continue
            seen.add(node)
            member = self._member(node)
            if member is not None:
                found.setdefault(member[0], {}).update(dict.fromkeys([member[1]] if member[1] else ()))
            else:
                waiting += self.parts(node)
        return found

    def _member(self, node: int) -> tuple[SymbolPlace, tuple[str, ...]] | None:
        """Return the model and the path of a column or a relation (`q.User.Name`); of a table, an empty path."""
        code, names = self._file.code, list[str]()
        for _ in range(_MAX_PATH):
            generated = self._generated(node) if code[node] != Op.CALL else None
            if generated is not None and generated.has_columns:
                return generated.model, tuple(reversed(names))
            if code[node] != Op.MEMBER:
                return None
            names.append(self._file.name(node))
            node = code[node + 1]
        return None

    def _generated(self, node: int) -> _Generated | None:
        """Return the generated type of a value; None for other values."""
        for kind in self._file.types(node):
            place = kind.declared
            model = _model_of_file(self._file, place.file) if place is not None else None
            if place is not None and model is not None:
                shape = place.shape
                members: Sequence[str] = [each.name for each in place.file.facts.shapes[shape].members] if shape >= 0 else ()
                return _Generated(model, _EVERY_COLUMN in members)
        return None


def _model_of_file(file: QueryFile, declaring: WiredFile) -> SymbolPlace | None:
    """Return the struct of the model of a generated file; None for other files."""
    key = "gorm_gen"
    if key not in declaring.memory:
        declaring.memory[key] = _named_model(file.view(declaring)) if _PACKAGE in imported_modules(declaring.facts) else None
    found = declaring.memory[key]
    return found if isinstance(found, SymbolPlace) else None


def _named_model(file: QueryFile) -> SymbolPlace | None:
    reading = ChainReading(file)
    for node in file.facts.calls:
        link = reading.link(node)
        if link is not None and link.name == USE_MODEL and link.arguments:
            return next(reading.rows(link.arguments[0]), None)
    return None
