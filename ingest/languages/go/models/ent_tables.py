"""The tables of ent for the schemas in all files of a repository: https://entgo.io/docs/schema-edges.

The names in a generated package have precedence over the names that follow from the schemas.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of, nearest
from ....facts.data import DataFacts, ObjectName
from ....facts.mapped_tables import FieldKind, MappedField, ModelKind
from .ent_schemas import FRAMEWORK, FROM, LISTS
from .naming import plural, singular, snake_case

#: Prefix of the names of schemas, in lower case, in place of the ids of their classes: `ent:user`.
ENT: Final = "ent:"
_TYPES: Final = {
    "String": "varchar", "Text": "text", "Bool": "boolean", "Int": "bigint", "Int64": "bigint", "Uint": "bigint",
    "Uint64": "bigint", "Int32": "integer", "Uint32": "integer", "Int16": "smallint", "Uint16": "integer", "Int8": "smallint",
    "Uint8": "smallint", "Float": "double precision", "Float32": "real", "Time": "timestamptz", "Bytes": "bytea",
    "UUID": "uuid", "JSON": "jsonb", "Strings": "jsonb", "Ints": "jsonb", "Floats": "jsonb", "Any": "jsonb", "Enum": "varchar",
}  # fmt: skip
#: Fields of the mixins of the library.
_TIMES: Final = {"Time": ("create_time", "update_time"), "CreateTime": ("create_time",), "UpdateTime": ("update_time",)}
_LIBRARY_MIXIN: Final = "ent/schema/mixin."
_MAX_DEPTH: Final = 10


@dataclass(slots=True)
class _Edge:
    """An edge between the rows of two schemas."""

    name: str
    owner: int
    target: int
    is_many: bool
    #: The table with the foreign key, or the table that joins both sides.
    table: str
    columns: list[str]
    #: The declaration of the edge, and its file.
    field: MappedField
    path: str
    is_joined: bool


def key_of_name(name: str) -> str:
    """Return what the names of a field in the schema, the database and generated code have in common."""
    return name.replace("_", "").lower()


def ent_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases of all schemas."""
    every = declared_models(facts, FRAMEWORK)
    mixins: dict[str, list[Declared]] = defaultdict(list)
    generated: dict[str, list[Declared]] = defaultdict(list)
    for each in every:
        if each.model.kind == ModelKind.SETTING:
            generated[key_of_name(each.model.name)].append(each)
        else:
            mixins[each.model.name].append(each)
    schemas = [each for each in every if each.model.kind == ModelKind.TABLE]
    names = {id(each.model): nearest(generated[key_of_name(each.model.name)], each.path) for each in schemas}

    def table(declared: Declared) -> str:
        known = names[id(declared.model)]
        written = declared.model.table or plural(snake_case(declared.model.name))
        return known.model.table if known is not None else written

    found = []
    for part in databases(schemas, table):
        options = [known.model.options if (known := names[id(each.model)]) is not None else {} for each in part]
        found.append(_Schema(part, [table(each) for each in part], options, mixins).made())
    return found


class _Schema:
    def __init__(
        self,
        models: Sequence[Declared],
        tables: Sequence[str],
        generated: Sequence[Mapping[str, str]],
        mixins: Mapping[str, Sequence[Declared]],
    ) -> None:
        self._models = models
        self._tables = tables
        self._generated = generated
        #: The generated names in lower case. Of several such names, the first one counts.
        self._columns = [{name.lower(): value for name, value in reversed(list(names.items()))} for names in generated]
        self._mixins = mixins
        self._numbers = {each.model.name: number for number, each in enumerate(models)}
        self._of_tables = {table: number for number, table in enumerate(tables)}
        self._fields = [list(self._fields_of(each)) for each in models]
        self._changes = MappedChanges()
        #: The tables and columns of the foreign keys so far.
        self._related = set[tuple[str, str]]()
        self._edges = [list(self._edges_of(number)) for number in range(len(models))]

    def made(self) -> MappedSchema:
        for number in range(len(self._models)):
            self._create(number)
        for number in range(len(self._models)):
            for edge in self._edges[number]:
                self._relate(edge)
        entities = [
            MappedEntity(each.path, each.model.symbol, ObjectName(table), self._attributes(number))
            for number, (each, table) in enumerate(zip(self._models, self._tables, strict=True))
        ]
        names = {f"{ENT}{each.model.name.lower()}": number for number, each in enumerate(self._models)}
        return MappedSchema(FRAMEWORK, folder_of(self._models), list(self._changes.all()), entities, names)

    # ------------------------------------------------------------------ fields

    def _fields_of(self, declared: Declared, depth: int = 0) -> Iterator[tuple[str, MappedField]]:
        """Yield the fields and edges of a schema and its mixins, each with its file. Those of mixins come first."""
        path, model = declared
        for base in model.bases:
            if _LIBRARY_MIXIN in base:
                for name in _TIMES.get(base.rpartition(".")[2], ()):
                    yield path, MappedField(name, model.symbol, model.line, "Time", kind=FieldKind.COLUMN)
                continue
            package, _, last = base.rpartition(".")
            mixin = nearest([each for each in self._mixins.get(last, ()) if each.path], path)
            if mixin is not None and depth < _MAX_DEPTH and (package or mixin.path):
                yield from self._fields_of(mixin, depth + 1)
        for field in model.fields:
            yield path, field

    def _column(self, number: int, field: MappedField) -> str:
        return self._columns[number].get(f"field{key_of_name(field.name)}") or field.column or field.name

    def _key_type(self, number: int) -> str:
        fields = {field.name: field for _, field in self._fields[number]}
        return _type(fields["id"]) if "id" in fields else "bigint"

    def _create(self, number: int) -> None:
        path, model = self._models[number]
        table = ObjectName(self._tables[number])
        self._changes.create(path, "table", table, model.symbol, model.line)
        columns = {field.name: (owner, field) for owner, field in self._fields[number] if field.kind == FieldKind.COLUMN}
        if "id" not in columns:
            key = MappedField("id", model.symbol, model.line, "Int", kind=FieldKind.COLUMN)
            self._changes.column(path, table, key, "id", "bigint", nullable=False)
        for owner, field in columns.values():
            name = self._column(number, field)
            self._changes.column(owner, table, field, name, _type(field), nullable=field.nullable, default=field.default)
            if field.is_unique and field.name != "id":
                self._changes.constraint(owner, table, field, "unique", [name], f"{table.name}_{name}_key")
        self._changes.constraint(path, table, model, "primary key", ["id"])
        # Mixins may compute the names of fields, which only the generated code then has.
        known = {self._column(number, field) for _, field in columns.values()} | {"id"}
        for name, value in self._generated[number].items():
            if _is_field(name) and value not in known:
                known.add(value)
                self._changes.column(path, table, model, value, "", nullable=True)
        self._indexes(number, table, known)

    def _indexes(self, number: int, table: ObjectName, known: set[str]) -> None:
        path, model = self._models[number]
        edges = {each.name: each for each in self._edges[number]}
        fields = {field.name: self._column(number, field) for _, field in self._fields[number]}
        for key in model.keys:
            names = [edges[each].columns[0] if each in edges else fields.get(each, each) for each in key.fields]
            if all(each in known or any(each in edge.columns for edge in edges.values()) for each in names) and names:
                name = key.name or "_".join((model.name.lower(), *names))
                self._changes.index(path, table, key, names, name, is_unique=key.kind == "unique")

    # ------------------------------------------------------------------ edges

    def _edges_of(self, number: int) -> Iterator[_Edge]:
        names = self._generated[number]
        every = [(path, field) for path, field in self._fields[number] if field.kind == FieldKind.MANY_TO_MANY]
        declared = {key_of_name(field.name): (path, field) for path, field in every}
        own_path, model = self._models[number]
        for name, value in names.items():
            if name.startswith("Edge") and f"{name[4:]}Table" in names:
                computed = (own_path, MappedField(value, model.symbol, model.line, "", nullable=True))
                path, field = declared.get(key_of_name(value), computed)
                yield self._generated_edge(number, name[4:], field, path)
        for path, field in declared.values() if not names else ():
            edge = self._declared_edge(number, field, path)
            if edge is not None:
                yield edge

    def _generated_edge(self, number: int, name: str, field: MappedField, path: str) -> _Edge:
        names, own = self._generated[number], self._tables[number]
        table = names[f"{name}Table"]
        target = self._of_tables.get(names.get(f"{name}InverseTable", own), -1)
        keys = [each for each in names.get(f"{name}PrimaryKey", "").split(LISTS) if each]
        column = names.get(f"{name}Column", "")
        is_many = not field.is_unique and (bool(keys) or table != own)
        return _Edge(field.name, number, target, is_many, table, keys or [column], field, path, bool(keys) or not column)

    def _declared_edge(self, number: int, field: MappedField, path: str) -> _Edge | None:
        """Return an edge by the rules of ent: the relation has the names of the side that declares it."""
        target = self._numbers.get(field.target, -1)
        if target < 0:
            return None
        if field.relation == FROM:
            owner, other = target, number
            first = next((each for _, each in self._fields[target] if each.name == field.inverse and each.relation), None)
            second: MappedField | None = field
        else:
            owner, other = number, target
            first, second = field, self._other_side(number, field, target)
        if first is None:
            return None
        label = snake_case(self._models[owner].model.name)
        is_self = owner == other
        is_list = not first.is_unique and (not second.is_unique if second is not None else is_self)
        if is_list:
            through = first.through or (second.through if second is not None else "")
            joined = self._tables[self._numbers[through]] if through in self._numbers else ""
            table = first.prefix or joined or f"{label}_{first.name}"
            last = singular(second.name if second is not None and not is_self else first.name)
            end = f"{last}_id" if is_self else f"{snake_case(self._models[other].model.name)}_id"
            columns = first.inverse_fields if len(first.inverse_fields) == 2 else [f"{label}_id", end]
            return _Edge(field.name, number, target, True, table, columns, field, path, True)
        is_here = first.is_unique and (second is None or not second.is_unique) and not (is_self and second is None)
        stated = [*first.fields, *(second.fields if second is not None else ())]
        column = stated[0] if stated else (first.inverse_fields or [f"{label}_{snake_case(first.name)}"])[0]
        table = self._tables[owner if is_here else other]
        return _Edge(field.name, number, target, not field.is_unique, table, [column], field, path, False)

    def _other_side(self, number: int, field: MappedField, target: int) -> MappedField | None:
        """Return the edge of another schema that refers to an edge."""
        name = self._models[number].model.name
        found = (each for _, each in self._fields[target] if each.relation == FROM and each.inverse == field.name)
        return next((each for each in found if each.target == name), None)

    def _relate(self, edge: _Edge) -> None:
        """Add the columns and the keys of an edge. Both sides of an edge give the same ones."""
        place = (edge.table, "" if edge.is_joined else edge.columns[0])
        is_second = edge.field.relation == FROM and self._is_declared_by_both(edge)
        if edge.target < 0 or is_second or place in self._related:
            return
        if edge.is_joined and edge.table not in self._of_tables and len(edge.columns) == 2:
            self._related.add(place)
            self._join(edge)
        elif not edge.is_joined and edge.table in self._of_tables:
            self._related.add(place)
            self._refer(edge, self._of_tables[edge.table])

    def _join(self, edge: _Edge) -> None:
        """Add the table that joins both sides of an edge."""
        table, changes = ObjectName(edge.table), self._changes
        changes.create(edge.path, "table", table, edge.field.symbol, edge.field.line)
        for side, column in zip((edge.owner, edge.target), edge.columns, strict=True):
            changes.column(edge.path, table, edge.field, column, self._key_type(side), nullable=False)
            end = ObjectName(self._tables[side])
            changes.foreign_key(edge.path, table, edge.field, [column], end, ["id"], "", ("CASCADE", ""))
        changes.constraint(edge.path, table, edge.field, "primary key", edge.columns)

    def _refer(self, edge: _Edge, holder: int) -> None:
        """Add the foreign key of an edge to the table that has it."""
        other = edge.target if holder == edge.owner else edge.owner
        same = (each for each in self._edges[edge.target] if each.table == edge.table and each.columns == edge.columns)
        back = next(same, edge)
        link = edge if holder == edge.owner and edge.field.is_unique else back
        known = {self._column(holder, field) for _, field in self._fields[holder] if field.kind == FieldKind.COLUMN}
        table, column, is_nullable = ObjectName(edge.table), edge.columns[0], link.field.nullable
        if column not in known:
            self._changes.column(link.path, table, link.field, column, self._key_type(other), nullable=is_nullable)
        rule = edge.field.on_delete or back.field.on_delete or ("SET NULL" if is_nullable else "")
        end = ObjectName(self._tables[other])
        self._changes.foreign_key(link.path, table, link.field, [column], end, ["id"], "", (rule, ""))

    def _is_declared_by_both(self, edge: _Edge) -> bool:
        return any(
            each.table == edge.table and each.columns == edge.columns and each.field.relation != FROM
            for each in self._edges[edge.target]
        )

    # ------------------------------------------------------------------ queries

    def _attributes(self, number: int) -> dict[str, MappedAttribute]:
        """Return the names that calls use: `SetOwnerID` names `ownerid`, `WithPosts` names `posts`."""
        found: dict[str, MappedAttribute] = {"id": MappedAttribute("id")}
        for edge in self._edges[number]:
            is_own = not edge.is_joined and edge.table == self._tables[number] and not edge.is_many
            join = ObjectName(edge.table) if edge.is_joined else None
            attribute = MappedAttribute(edge.columns[0] if is_own else "", edge.target, edge.is_many, join)
            one = key_of_name(singular(edge.name))
            for name in (key_of_name(edge.name), one, f"{one}id", f"{one}ids"):
                found.setdefault(name, attribute)
        for name, value in self._generated[number].items():
            if _is_field(name):
                found[name[5:].lower()] = MappedAttribute(value)
        for _, field in self._fields[number]:
            if field.kind == FieldKind.COLUMN:
                found[key_of_name(field.name)] = MappedAttribute(self._column(number, field))
        return found


def _type(field: MappedField) -> str:
    return field.column_type or _TYPES.get(field.type, "")


def _is_field(name: str) -> bool:
    """Return whether a generated constant has a column: `FieldName`, but not `FieldsTable` of an edge with the name `fields`."""
    return name.startswith("Field") and name[5:6].isupper()
