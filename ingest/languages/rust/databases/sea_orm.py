"""Entities of SeaORM and the statements that functions build with them.

An example is `cake::Entity::find().filter(cake::Column::Name.eq(name))`; see
https://www.sea-ql.org/SeaORM/docs/generate-entity/entity-structure/. Each entity is a module with the struct `Model`. Other code
names the module, or the alias of its entity: the name of the module in camel case.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ....data.schemas.mapped import MappedAttribute, MappedChanges, MappedEntity, MappedSchema
from ....data.schemas.model_names import Declared, databases, declared_models, folder_of
from ....facts.data import DataFacts, ObjectName, WrittenQuery, WrittenUse
from ....facts.mapped_tables import MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_by_name, symbols_of_lines
from ....facts.uncovered_lines import line_offsets
from ....symbols.code_groups import Groups
from .plain_code import plain_code

FRAMEWORK: Final = "sea-orm"
_NAME: Final = "sea-orm:"
#: The attributes of an entity, up to its struct.
_MODEL: Final = re.compile(
    r"#\[sea_orm\((?P<options>[^\]]{0,400})\)\]\s*(?:#\[[^\]]{0,400}\]\s*){0,8}(?:pub(?:\([^)]{0,40}\))?\s+)?struct\s+Model\s*(?=\{)"
)
_TABLE: Final = re.compile(r"\btable_name\s*=\s*\"([^\"\n]*)\"")
_SCHEMA: Final = re.compile(r"\bschema_name\s*=\s*\"([^\"\n]*)\"")
_COLUMN: Final = re.compile(r"\bcolumn_name\s*=\s*\"([^\"\n]*)\"")
_FIELD: Final = re.compile(
    r"(?P<attributes>(?:#\[[^\]]{0,400}\]\s*){0,8})(?:pub(?:\([^)]{0,40}\))?\s+)?(?P<name>(?:r#)?[a-z_]\w*)\s*:\s*"
    r"(?P<type>[\w:]+(?:<[^\n]*>)?)"
)
_MODULE: Final = re.compile(r"\bmod\s+([a-z_]\w*)\s*(?=\{)")
_RELATION: Final = re.compile(r"\b(?:HasOne|HasMany|BelongsTo)\s*<")
_TYPES: Final = {
    "i8": "smallint", "i16": "smallint", "i32": "integer", "i64": "bigint", "u32": "integer", "u64": "bigint", "f32": "real",
    "f64": "double precision", "bool": "boolean", "String": "varchar", "Uuid": "uuid", "Decimal": "decimal", "Json": "json",
    "Date": "date", "DateTime": "timestamp", "DateTimeUtc": "timestamptz", "DateTimeWithTimeZone": "timestamptz",
    "Time": "time",
}  # fmt: skip
_KINDS: Final = {
    **dict.fromkeys(("find", "find_by_id", "find_related", "find_with_related", "find_also_related", "find_linked"), "select"),
    **dict.fromkeys(("insert", "insert_many"), "insert"),
    **dict.fromkeys(("update", "update_many"), "update"),
    **dict.fromkeys(("delete", "delete_many", "delete_by_id"), "delete"),
}
#: A function of an entity: `cake::Entity::find(`, `Cake::find(`, `Entity::find(`.
_START: Final = re.compile(
    r"(?<![\w:])(?:(?:\w+\s*::\s*){0,6}?(?P<module>[a-z_]\w*)\s*::\s*Entity|(?:[a-z_]\w*\s*::\s*){0,6}(?P<alias>[A-Z]\w*))"
    r"\s*::\s*(?P<verb>" + "|".join(_KINDS) + r")\s*(?=\()"
)
#: Another entity in a statement, and a column.
_OTHER: Final = re.compile(
    r"\.\s*(?:find_related|find_with_related|find_also_related|join_rev|inner_join|left_join)\s*\(\s*"
    r"(?:(?:\w+\s*::\s*){0,6}?([a-z_]\w*)\s*::\s*Entity|([A-Z]\w*))\s*\)"
)
_USED: Final = re.compile(r"\b(?:([a-z_]\w*)\s*::\s*)?([A-Z]\w*)?Column\s*::\s*([A-Z]\w*)")
#: Another name of an entity: `pub use super::cake::Entity as Cake;`.
_ALIAS: Final = re.compile(r"\b([a-z_]\w*)\s*::\s*Entity\s+as\s+([A-Z]\w*)")
_ACTIVE: Final = re.compile(r"(?:\b(?P<module>[a-z_]\w*)\s*::\s*|(?<![\w:]))ActiveModel\b")
#: A call that gives a connection to a row.
_SAVING: Final = re.compile(
    r"\.\s*(insert|update|save|delete)\s*\(\s*(?:&\s*(?:mut\s+)?)?(?:self\s*\.\s*)?\w{0,40}?(?:db|conn|tx|ctx|pool|transaction)\w*"
)
_SAVED: Final = {"save": "merge"}


def add_sea_orm(facts: FileFacts, text: str) -> None:
    """Add the entities of a file and its statements to its facts about data."""
    reading = _Reading(facts, text)
    models = list(reading.models())
    if models:
        facts.own_data().models += models
    written = list(reading.statements([each.table for each in models if each.table]))
    if written:
        facts.own_data().written += written


class _Reading:
    def __init__(self, facts: FileFacts, text: str) -> None:
        self._facts = facts
        self._text = text
        self._code = plain_code(text)
        self._groups = Groups(self._code)
        self._starts = line_offsets(self._code)
        self._owners = symbols_of_lines(facts.symbols, facts.lines)

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def _owner(self, offset: int) -> int:
        line = self._line(offset)
        return self._owners[line] if line < len(self._owners) else -1

    def models(self) -> Iterator[MappedModel]:
        known = symbols_by_name(self._facts.symbols)
        modules = [
            (each.start(), self._groups.end(each.end(), len(self._code)), each[1]) for each in _MODULE.finditer(self._code)
        ]
        for found in _MODEL.finditer(self._text):
            table = _TABLE.search(found["options"])
            line = self._line(self._code.rfind("Model", 0, found.end()))
            symbol = known.get((line, "Model"), -1)
            if table is None or symbol < 0:
                continue
            schema = _SCHEMA.search(found["options"])
            model = MappedModel(FRAMEWORK, "Model", ModelKind.TABLE, symbol, line, table[1], schema[1] if schema else "")
            around = [name for start, end, name in modules if start < found.start() < end]
            model.entity = around[-1] if around else ""
            for each in _FIELD.finditer(self._text, found.end(), self._groups.end(found.end(), len(self._code))):
                field = self._field(each, known, symbol)
                if field is not None:
                    model.fields.append(field)
            yield model
        for alias in _ALIAS.finditer(self._code):
            symbol = self._owner(alias.start())
            yield MappedModel(FRAMEWORK, alias[2], ModelKind.PROXY, symbol, self._line(alias.start()), entity=alias[1])

    def _field(self, found: re.Match[str], known: Mapping[tuple[int, str], int], owner: int) -> MappedField | None:
        attributes, kind = found["attributes"], found["type"]
        if _RELATION.match(kind) is not None or re.search(r"\bignore\b", attributes):
            return None
        name = found["name"].removeprefix("r#")
        line = self._line(found.start("name"))
        inner = re.fullmatch(r"Option<(.*)>", kind)
        plain = inner[1] if inner is not None else kind
        made = MappedField(name, known.get((line, name), owner), line, plain.rpartition("::")[2], nullable=inner is not None)
        column = _COLUMN.search(attributes)
        made.column = column[1] if column is not None else name
        made.is_primary = "primary_key" in attributes
        return made

    # ------------------------------------------------------------------ statements

    def statements(self, tables: Sequence[str]) -> Iterator[WrittenQuery]:
        """Yield the statements of the functions of the file. `tables` are those of its own entities."""
        code, columns = self._code, self._columns()
        own = [f"{_NAME}table {table}" for table in tables[:1]]
        for found in _START.finditer(code):
            symbol, kind = self._owner(found.start()), _KINDS[found["verb"]]
            name = found["module"] or found["alias"]
            is_own = name in ("Entity", "self", "super")
            names = own if is_own else [f"{_NAME}{name}"]
            fields = [[each] for each in columns.get((symbol, "" if is_own else snake_case(name)), ())]
            uses = [WrittenUse(names, kind != "select", [], [] if kind != "select" else fields)]
            if kind in ("update", "delete") and fields:
                uses.append(WrittenUse(names, False, [], fields, True))
            if symbol >= 0 and names:
                yield WrittenQuery(symbol, self._line(found.start()), kind, uses)
        for other in _OTHER.finditer(code):
            symbol = self._owner(other.start())
            if symbol >= 0:
                use = WrittenUse([f"{_NAME}{other[1] or other[2]}"], False)
                yield WrittenQuery(symbol, self._line(other.start()), "select", [use])
        yield from self._active(own)

    def _columns(self) -> dict[tuple[int, str], dict[str, None]]:
        found: dict[tuple[int, str], dict[str, None]] = {}
        for each in _USED.finditer(self._code):
            name = snake_case(each[2]) if each[2] else each[1] or ""
            found.setdefault((self._owner(each.start()), name), {})[snake_case(each[3])] = None
        return found

    def _active(self, own: Sequence[str]) -> Iterator[WrittenQuery]:
        """Yield the statements that save rows: the function makes a row of an entity, and saves one."""
        last: dict[int, dict[str, int]] = {}  # the place of the last call of each kind in a function
        for saved in _SAVING.finditer(self._code):
            last.setdefault(self._owner(saved.start()), {})[_SAVED.get(saved[1], saved[1])] = saved.start()
        made: dict[tuple[int, str], int] = {}
        for active in _ACTIVE.finditer(self._code):
            made.setdefault((self._owner(active.start()), active["module"] or ""), active.start())
        for (symbol, module), start in made.items():
            names = [f"{_NAME}{module}"] if module and module not in ("self", "super") else list(own)
            for kind, at in last.get(symbol, {}).items() if symbol >= 0 and names else ():
                if at > start:
                    yield WrittenQuery(symbol, self._line(start), kind, [WrittenUse(names, True)])


def sea_orm_schemas(facts: Mapping[str, DataFacts]) -> list[MappedSchema]:
    """Return the databases that the entities of all files declare."""
    every = declared_models(facts, FRAMEWORK)
    models = [each for each in every if each.model.kind == ModelKind.TABLE]
    aliases = {each.model.name: each.model.entity for each in every if each.model.kind == ModelKind.PROXY}
    return [_schema(part, aliases) for part in databases(models, lambda each: f"{each.model.schema}.{each.model.table}".lower())]


def _schema(models: Sequence[Declared], aliases: Mapping[str, str]) -> MappedSchema:
    changes, entities, names = MappedChanges(), list[MappedEntity](), dict[str, int]()
    for number, (path, model) in enumerate(models):
        name = ObjectName(model.table, model.schema)
        changes.create(path, "table", name, model.symbol, model.line)
        for field in model.fields:
            kind = _TYPES.get(field.type, "")
            changes.column(path, name, field, field.column, kind, nullable=field.nullable and not field.is_primary)
        primary = [each.column for each in model.fields if each.is_primary]
        if primary:
            changes.constraint(path, name, model, "primary key", primary)
        attributes = {each.name: MappedAttribute(each.column) for each in model.fields}
        entities.append(MappedEntity(path, model.symbol, name, attributes))
        folder, _, file = path.removesuffix(".rs").rpartition("/")
        module = model.entity or (folder.rpartition("/")[2] if file == "mod" else file)
        for each in (module, "".join(part.capitalize() for part in module.split("_")), f"table {model.table}"):
            names.setdefault(f"{_NAME}{each}", number)
    for alias, module in aliases.items():
        if f"{_NAME}{module}" in names:
            names[f"{_NAME}{alias}"] = names[f"{_NAME}{module}"]
    return MappedSchema(FRAMEWORK, folder_of(models), list(changes.all()), entities, names)


def snake_case(name: str) -> str:
    """Return the name of a field or a module for a name in camel case: `BakeryId` -> `bakery_id`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
