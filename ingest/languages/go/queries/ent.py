"""Calls of the client that ent generates: `client.User.Query().Where(user.NameEQ("a")).WithPosts().All(ctx)`.

The types of the generated client name the schema: `UserQuery`, `UserCreate`. See https://entgo.io/docs/crud.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ....facts.model import ShapeKind
from ....facts.operations import NAME_OPS, Op
from ...framework_rules.queries import FoundQuery, FoundUse, QueryFile
from ..models.ent_tables import ENT, key_of_name
from .chains import ChainReading, Link

_SELECT: Final = "select"
#: The kinds of statements by the ends of the types that generated files declare, with the end of the file's name.
_ENDS: Final = (
    ("Query", "_query.go", _SELECT), ("Select", "_query.go", _SELECT), ("GroupBy", "_query.go", _SELECT),
    ("CreateBulk", "_create.go", "insert"), ("Create", "_create.go", "insert"),
    ("UpsertOne", "_create.go", "merge"), ("UpsertBulk", "_create.go", "merge"),
    ("UpdateOne", "_update.go", "update"), ("Update", "_update.go", "update"),
    ("DeleteOne", "_delete.go", "delete"), ("Delete", "_delete.go", "delete"), ("Client", "client.go", ""),
    ("Mutation", "mutation.go", ""),
)  # fmt: skip
#: Methods that run a statement. Each also exists with an X at its end.
_RUN: Final = {
    _SELECT: frozenset(
        ("All", "First", "Only", "IDs", "FirstID", "OnlyID", "Count", "Exist", "Scan", "Strings", "String", "Ints", "Int",
         "Float64s", "Float64", "Bools", "Bool")
    ),
    "": frozenset(("Get",)),
    **dict.fromkeys(("insert", "update", "delete"), frozenset(("Save", "Exec"))),
    "merge": frozenset(("Exec", "ID")),
}  # fmt: skip
_EVERY_RUN: Final = frozenset(f"{name}{end}" for names in _RUN.values() for name in names for end in ("", "X"))
_SETTER: Final = re.compile(r"(?:SetNillable|Set|Add|Remove|Clear|Append)([A-Z]\w*)")
_EAGER: Final = re.compile(r"With(?:Named)?([A-Z]\w*)")
_STEP: Final = re.compile(r"Query([A-Z]\w*)")
_PREDICATE: Final = re.compile(
    r"(?:Field|By)?(\w+?)(?:NEQ|EQ|NotIn|In|GTE?|LTE?|ContainsFold|Contains|HasPrefix|HasSuffix|EqualFold|IsNil|NotNil)?"
)
_RELATED: Final = re.compile(r"(?:Has|By)(\w+?)(?:With|Count|Field)?")
_MAX_NESTED: Final = 200


class _Generated(NamedTuple):
    """The schema of a generated type, and the statements that its methods run: "" for a client."""

    schema: str
    end: str
    statement: str


def ent_queries(file: QueryFile) -> Iterator[FoundQuery]:
    """Yield the database statements that calls of a generated client run."""
    reading = _Reading(file)
    if reading.is_generated:
        return
    for node in file.facts.calls:
        link = reading.link(node)
        if link is not None and link.name in _EVERY_RUN:
            yield from reading.statement(link)
        elif link is not None and link.name.startswith("With"):
            yield from reading.loaded(link)


class _Reading(ChainReading):
    changes_value = True

    def __init__(self, file: QueryFile) -> None:
        super().__init__(file)
        self.is_generated = any(
            shape.kind == ShapeKind.CLASS and _generated(shape.name, file.path) is not None for shape in file.facts.shapes
        )

    def statement(self, last: Link) -> Iterator[FoundQuery]:
        """Yield the statements that the last call of a chain runs."""
        file = self._file
        made = self._of(last.receiver)
        if made is None or made.end == "Mutation" or last.name.removesuffix("X") not in _RUN[made.statement]:
            return
        is_inferred = file.is_inferred
        model, statement = f"{ENT}{made.schema.lower()}", made.statement or _SELECT
        chain = self.chain(last)
        if made.statement == _SELECT:
            yield from self._selected(last, chain, model, is_inferred=is_inferred)
            return
        written = [found[1] for each in chain if (found := _SETTER.fullmatch(each.name)) is not None]
        names = dict.fromkeys(map(key_of_name, written))
        is_select = statement == _SELECT
        own = FoundUse(model, (), not is_select, tuple((name,) for name in names))
        yield FoundQuery(last.node, statement, [own], is_inferred)
        for name in names:
            yield FoundQuery(last.node, statement, [FoundUse(model, (name,), True, of_links=True)], is_inferred)
        read = self._conditions(chain, of_condition=not is_select, model=model)
        if read:
            yield FoundQuery(last.node, statement, read, is_inferred)
        if made.end == "UpdateOne":
            yield FoundQuery(last.node, _SELECT, [FoundUse(model)], is_inferred)

    def _selected(self, last: Link, chain: Sequence[Link], model: str, *, is_inferred: bool) -> Iterator[FoundQuery]:
        """Yield the statement of a query, with the tables of the steps that lead to it."""
        uses = self._conditions(chain, of_condition=False, model=model) or [FoundUse(model)]
        for each in chain:
            step = _STEP.fullmatch(each.name)
            if step is not None:
                uses += self._steps(each, key_of_name(step[1]))
        yield FoundQuery(last.node, _SELECT, uses, is_inferred)

    def _steps(self, link: Link, name: str) -> Iterator[FoundUse]:
        """Yield the tables of a step to related rows, from a query, a client or a row: `user.QueryPosts()`."""
        owner = self._of(link.receiver)
        if owner is None:
            for row in self.rows(link.receiver):
                schema = row.file.facts.symbols[row.symbol].name
                yield FoundUse(f"{ENT}{schema.lower()}", (name,))
        elif owner.statement == _SELECT:
            yield FoundUse(f"{ENT}{owner.schema.lower()}")
            yield FoundUse(f"{ENT}{owner.schema.lower()}", (name,), fields=(("id",),))
        else:  # a client has the row as argument
            yield FoundUse(f"{ENT}{owner.schema.lower()}", (name,))

    def loaded(self, link: Link) -> Iterator[FoundQuery]:
        """Yield the statement that loads the rows of a relation together with rows: `client.User.Query().WithPosts()`."""
        found = _EAGER.fullmatch(link.name)
        owner = self._of(link.receiver) if found is not None else None
        if found is not None and owner is not None and owner.end == "Query":
            use = FoundUse(f"{ENT}{owner.schema.lower()}", (key_of_name(found[1]),))
            yield FoundQuery(link.node, _SELECT, [use], self._file.is_inferred)

    def _conditions(self, chain: Sequence[Link], *, of_condition: bool, model: str) -> list[FoundUse]:
        """Return the columns and relations that the arguments of a chain name: `user.NameEQ("a")`, `user.FieldName`.

        The name of the package of a predicate is that of its schema in lower case.
        """
        fields: dict[str, dict[tuple[str, ...], None]] = {model: {}}
        waiting = [node for each in chain for node in each.arguments]
        seen = set[int]()
        while waiting and len(seen) < _MAX_NESTED:
            node = waiting.pop()
            if node < 0 or node in seen:
                continue
            seen.add(node)
            code = self._file.code
            callee = node
            if code[node] == Op.CALL:
                waiting += self._file.items(code[node + 2])
                callee = code[node + 1]
            if callee < 0 or code[callee] != Op.MEMBER or code[code[callee + 1]] not in NAME_OPS:
                continue
            named, name = fields.setdefault(f"{ENT}{self._file.name(code[callee + 1])}", {}), self._file.name(callee)
            relation, column = _RELATED.fullmatch(name), _PREDICATE.fullmatch(name)
            if relation is not None:
                # Only a condition on the related rows needs their table.
                path = (key_of_name(relation[1]),)
                named[(*path, "id") if name.endswith("With") else path] = None
            if column is not None:
                named[key_of_name(column[1]),] = None
        own = tuple(fields.pop(model))
        found = [FoundUse(model, (), of_condition, own, of_condition)] if own or not of_condition else []
        return found + [FoundUse(name, (), False, tuple(each), True) for name, each in fields.items()]

    def _of(self, node: int) -> _Generated | None:
        """Return the schema of a value of a generated type; None for other values."""
        for kind in self._file.types(node):
            place = kind.declared
            if place is not None:
                found = _generated(place.file.facts.symbols[place.symbol].name, place.file.path)
                if found is not None:
                    return found
        return None


def _generated(name: str, path: str) -> _Generated | None:
    """Return the schema of a generated type: `UserQuery` in `user_query.go`."""
    file = path.rpartition("/")[2]
    for end, ending, statement in _ENDS:
        schema = name.removesuffix(end)
        if schema and schema != name and (file == ending if ending[0] != "_" else file == f"{schema.lower()}{ending}"):
            return _Generated(schema, end, statement)
    return None
