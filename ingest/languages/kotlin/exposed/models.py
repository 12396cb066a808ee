"""The tables and entities that a file declares.

A table is an object: `object Users : IntIdTable("users")`. An entity is a class whose companion names its table.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from ....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.uncovered_lines import line_offsets
from ....symbols.code_groups import Groups
from .code_names import CodeNames

EXPOSED: Final = "exposed"
#: Ktorm declares tables in the same form: `object Users : Table<User>("users")`. See https://www.ktorm.org/en/schema-definition.html.
KTORM: Final = "ktorm"
#: The packages of the libraries.
LIBRARY: Final = "org.jetbrains.exposed"
KTORM_LIBRARY: Final = "org.ktorm"
#: Separates the qualified names that a written name may have.
OR: Final = "|"
#: A class or an object, up to its name.
_TYPE: Final = re.compile(r"\b(object|class)\s+([A-Z]\w*)\s*(?:<[^<>{}()]*(?:<[^<>{}()]*>[^<>{}()]*)*>)?\s*")
_CONSTRUCTOR: Final = re.compile(r"(?:(?:private|internal|protected)\s+)?(?:constructor\s*)?(?=\()")
_BASE: Final = re.compile(r"\s*:\s*([\w.]+)\s*(?:<\s*([\w.]*)[^{}()]*?>\s*)?(?=\()")
_BODY: Final = re.compile(r"[\s,\w.<>?()]{0,400}?\{")
#: The object of an entity that knows its table.
_ENTITY_CLASS: Final = re.compile(r"\bcompanion\s+object\s*\w*\s*:\s*[\w.]*EntityClass\s*<[^{}()]*>\s*\(\s*([\w.]+)")
_PROPERTY: Final = re.compile(r"\b(val|var)\s+(\w+)\s*(?::\s*[^=\n]+?)?\s*(=|\bby\b)\s*")
_NEXT: Final = re.compile(
    r"\n\s*(?:[a-z]+\s+|@[\w.]+(?:\([^()\n]*\))?\s*)*(?:val|var|fun|init|object|class|constructor)\b|\n\s*\}"
)
_CALL: Final = re.compile(r"\(*\s*(?:this\s*\.\s*)?(\w+)\s*(?:<[^()\n]*>\s*)?(?=\()")
_TEXT: Final = re.compile(r"\"((?:[^\"\\$\n]|\\.)*)\"")
_NUMBER: Final = re.compile(r"(?<![\w\"])(\d+)(?![\w\"])")
_REFERENCES: Final = re.compile(r"\breferences\s*\(?\s*([\w.]+)\.(\w+)")
_RULE: Final = re.compile(r"\bonDelete\s*=\s*(?:ReferenceOption\s*\.\s*)?(\w+)")
_UPDATE_RULE: Final = re.compile(r"\bonUpdate\s*=\s*(?:ReferenceOption\s*\.\s*)?(\w+)")
_DEFAULT: Final = re.compile(r"\.\s*(?:default|defaultExpression|clientDefault)\s*(?=[({])")
_INIT: Final = re.compile(r"\binit\s*(?=\{)")
_KEY: Final = re.compile(r"\b(uniqueIndex|index)\s*(?=\()")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
#: Relations of entities. A plain delegate is a column: `var name by Users.name`.
_RELATION: Final = re.compile(
    r"([\w.]+)\s+(referencedOn|optionalReferencedOn|referrersOn|optionalReferrersOn|backReferencedOn|optionalBackReferencedOn|via)"
    r"\s+([\w.]+)"
)
_COLUMN: Final = re.compile(r"([\w.]+)\.(\w+)")
_MANY: Final = frozenset(("referrersOn", "optionalReferrersOn", "via"))
_INVERSE: Final = frozenset((*_MANY, "backReferencedOn", "optionalBackReferencedOn"))
#: Types of PostgreSQL by the functions that add columns.
COLUMN_TYPES: Final[Mapping[str, str]] = {
    "integer": "integer", "uinteger": "bigint", "long": "bigint", "ulong": "bigint", "short": "smallint", "ushort": "integer",
    "byte": "smallint", "ubyte": "smallint", "float": "real", "double": "double precision", "decimal": "numeric",
    "bool": "boolean", "varchar": "varchar", "char": "char", "text": "text", "mediumText": "text", "largeText": "text",
    "uuid": "uuid", "date": "date", "time": "time", "datetime": "timestamp", "timestamp": "timestamp", "duration": "bigint",
    "timestampWithTimeZone": "timestamptz", "blob": "bytea", "binary": "bytea", "enumeration": "integer",
    "enumerationByName": "varchar", "customEnumeration": "", "json": "json", "jsonb": "jsonb", "array": "", "registerColumn": "",
    "entityId": "", "reference": "", "optReference": "",
}  # fmt: skip
#: The types of the functions of Ktorm with other names.
_KTORM_TYPES: Final[Mapping[str, str]] = {
    **COLUMN_TYPES, "int": "integer", "boolean": "boolean", "jdbcTimestamp": "timestamp", "jdbcDate": "date", "jdbcTime": "time",
    "bytes": "bytea", "enum": "", "year": "integer", "yearMonth": "varchar", "monthDay": "varchar", "pgEnum": "",
}  # fmt: skip
#: Functions whose numbers are lengths and precisions.
_SIZED: Final = frozenset(("varchar", "char", "decimal", "enumerationByName"))
_SEQUENCE: Final = re.compile(
    r"\bval\s+Database\s*\.\s*(?P<name>[a-z]\w*)\s*(?::[^=\n]{1,80})?(?:\bget\s*\(\s*\)\s*)?=\s*(?:this\s*\.\s*)?"
    r"sequenceOf\s*\(\s*(?P<table>[\w.]+)"
)
#: Maximum number of models of a file.
_MAX_MODELS: Final = 2_000


class _Type(NamedTuple):
    """A class or an object with a body, as offsets in the code."""

    word: str
    name: str
    #: Name of the base class as written, and its first type argument.
    base: str
    argument: str
    #: The arguments of the base class.
    arguments: tuple[int, int]
    start: int
    #: The text between the braces.
    body: tuple[int, int]


class Declarations:
    """The models of a file, and the ranges of code that declare them."""

    def __init__(self, facts: FileFacts, text: str, code: str) -> None:
        self._text = text
        self._code = code
        self._starts = line_offsets(code)
        self._symbols = {
            (symbol.declaration_line, symbol.name): place
            for place, symbol in reversed(list(enumerate(facts.symbols)))
            if symbol.kind in ("class", "property", "accessor")
        }
        self.names = CodeNames(code)
        self.groups = Groups(code)
        #: The mapper of the tables of the file.
        self.framework = KTORM if self.names.uses(KTORM_LIBRARY) else EXPOSED
        self._types_of_columns = _KTORM_TYPES if self.framework == KTORM else COLUMN_TYPES
        #: Ranges of code that declare tables and delegates, in which names of columns are no uses.
        self.declaring: list[tuple[int, int]] = []
        self._sorted: list[tuple[int, int]] = []

    def models(self) -> Iterator[MappedModel]:
        """Yield the tables and entities of the file."""
        types = list(self._types())
        around: list[_Type] = []
        qualified: list[str] = []
        for each in types:
            while around and around[-1].body[1] <= each.start:
                around.pop()
            owner = ".".join(part for part in (self.names.package, *(outer.name for outer in around)) if part)
            qualified.append(f"{owner}.{each.name}" if owner else each.name)
            self.names.nested[each.name] = qualified[-1]
            around.append(each)
        for each, name in zip(types, qualified, strict=True):
            entity = _ENTITY_CLASS.search(self._code, *each.body) if each.word == "class" else None
            if entity is not None:
                yield from self._entity(each, name, entity[1])
            elif each.base.endswith("Table") or self.names.uses(LIBRARY) or self.framework == KTORM:
                yield from self._table(each, name)
        if self.framework == KTORM:
            yield from self._sequences()

    def _types(self) -> Iterator[_Type]:
        code, count = self._code, 0
        for found in _TYPE.finditer(code):
            at = found.end()
            constructor = _CONSTRUCTOR.match(code, at)
            if constructor is not None:
                at = self.groups.end(constructor.end(), len(code))
            base = _BASE.match(code, at)
            if base is None or count >= _MAX_MODELS:
                continue
            end = self.groups.end(base.end(), len(code))
            opened = _BODY.match(code, end)
            arguments = (base.end() + 1, end - 1)
            body = (opened.end(), self.groups.end(opened.end() - 1, len(code)) - 1) if opened is not None else (end, end)
            count += 1
            yield _Type(found[1], found[2], base[1], base[2] or "", arguments, found.start(), body)

    def line(self, offset: int) -> int:
        """Return the line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def is_declaring(self, offset: int) -> bool:
        """Return whether code at an offset declares a table or a property. All models must have been read."""
        if len(self._sorted) != len(self.declaring):
            self._sorted = sorted(self.declaring)
        place = bisect_right(self._sorted, (offset, len(self._code))) - 1
        return place >= 0 and offset < self._sorted[place][1]

    def _texts(self, start: int, end: int) -> list[str]:
        return _TEXT.findall(self._text, start, end)

    # ------------------------------------------------------------------ tables

    def _table(self, declared: _Type, name: str) -> Iterator[MappedModel]:
        line = self.line(declared.start)
        symbol = self._symbols.get((line, declared.name), -1)
        if symbol < 0:
            return
        # In Ktorm, a table with aliases is a class whose companion extends it.
        companion = re.compile(rf"\bcompanion\s+object\s*:\s*{declared.name}\s*\(").search(self._code, *declared.body)
        kind = ModelKind.TABLE if declared.word == "object" or companion is not None else ModelKind.ABSTRACT
        made = MappedModel(self.framework, name, kind, symbol, line)
        texts = self._texts(*declared.arguments)
        made.table = texts[0].rpartition(".")[2] if texts else ""
        made.schema = texts[0].rpartition(".")[0] if texts else ""
        made.bases = list(self.names.candidates(declared.base))
        made.options = {"id": texts[1]} if len(texts) > 1 else {}
        start, end = declared.body
        made.fields = list(self._fields(start, end, made))
        for block in _INIT.finditer(self._code, start, end):
            last = self.groups.end(block.end(), end)
            self.declaring.append((block.end(), last))
            for key in _KEY.finditer(self._code, block.end(), last):
                closed = self.groups.end(key.end(), last)
                at, texts = self.line(key.start()), self._texts(key.end(), closed)
                fields = [each for each in _NAME.findall(self._code, key.end(), closed) if each in {f.name for f in made.fields}]
                is_unique = key[1] == "uniqueIndex" or re.search(
                    r"\(\s*(?:isUnique\s*=\s*)?true\b", self._code[key.end() : closed]
                )
                if fields:
                    made.keys.append(MappedKey("unique" if is_unique else "index", fields, symbol, at, texts[0] if texts else ""))
        if made.fields or declared.base.endswith("Table"):
            yield made

    def _properties(self, start: int, end: int) -> Iterator[tuple[re.Match[str], int]]:
        """Yield the properties directly in a body, each with the end of its value."""
        at = start
        while at < end:
            found = _PROPERTY.search(self._code, at, end)
            if found is None:
                return
            opened = self._code.find("{", at, found.start())
            if opened >= 0:  # a function or a block
                at = self.groups.end(opened, end)
                continue
            following = _NEXT.search(self._code, found.end(), end)
            last = following.start() if following is not None else end
            yield found, last
            at = max(last, found.end())

    def _fields(self, start: int, end: int, model: MappedModel) -> Iterator[MappedField]:
        for found, last in self._properties(start, end):
            call = _CALL.match(self._code, found.end(), last)
            if found[3] != "=" or call is None:
                continue
            line = self.line(found.start(2))
            closed = self.groups.end(call.end(), last)
            if call[1] == "PrimaryKey":
                self.declaring.append((found.start(), last))
                model.keys.append(
                    MappedKey(
                        "primary key", _NAME.findall(self._code[call.end() : closed].partition(" name")[0]), model.symbol, line
                    )
                )
            texts = self._texts(call.end(), closed)
            symbol = self._symbols.get((line, found[2]), -1)
            if call[1] not in self._types_of_columns or not texts or symbol < 0:
                continue
            self.declaring.append((found.start(), last))
            yield self._field(found[2], call, (closed, last), texts[0], (symbol, line))

    def _field(self, name: str, call: re.Match[str], rest: tuple[int, int], column: str, at: tuple[int, int]) -> MappedField:
        code, written = self._code, call[1]
        closed, last = rest
        tail, whole = code[closed:last], code[call.start() : last]
        sizes = _NUMBER.findall(code[call.end() : closed]) if written in _SIZED else []
        made = MappedField(name, at[0], at[1], written, column, self._types_of_columns[written])
        made.size = f"({','.join(sizes)})" if sizes else ""
        made.nullable = written == "optReference" or ".nullable" in "".join(tail.split())
        made.is_primary = ".primaryKey" in "".join(tail.split())
        made.is_unique = re.search(r"\.\s*uniqueIndex\b", tail) is not None
        made.is_indexed = re.search(r"\.\s*index\b", tail) is not None
        default = _DEFAULT.search(code, closed, last)
        if default is not None:
            made.default = self._text[default.end() + 1 : self.groups.end(default.end(), last) - 1].strip()
        referenced = _REFERENCES.search(tail)
        if written in ("reference", "optReference"):
            parts = code[call.end() + 1 : closed - 1].split(",")
            target = next((found[0] for part in parts[0:3] if (found := re.fullmatch(r"\s*([\w.]+)\s*", part)) is not None), "")
            target = target.strip()
            own, dot, field = target.rpartition(".")
            if dot and field[:1].islower():
                target, made.target_fields = own, [field]
            made.target = OR.join(self.names.candidates(target)) if target else ""
        elif referenced is not None:
            made.target, made.target_fields = OR.join(self.names.candidates(referenced[1])), [referenced[2]]
        if made.target:
            made.kind = FieldKind.MANY_TO_ONE
            for pattern, attribute in ((_RULE, "on_delete"), (_UPDATE_RULE, "on_update")):
                rule = pattern.search(whole)
                if rule is not None:
                    setattr(made, attribute, rule[1].replace("_", " ").upper())
        return made

    # ------------------------------------------------------------------ entities

    def _sequences(self) -> Iterator[MappedModel]:
        """Yield the properties of a database with the rows of a table: `val Database.users get() = this.sequenceOf(Users)`."""
        for found in _SEQUENCE.finditer(self._code):
            line = self.line(found.start("name"))
            symbol = self._symbols.get((line, found["name"]), -1)
            if symbol >= 0:
                name = f"{self.names.package}.{found['name']}" if self.names.package else found["name"]
                self.declaring.append(found.span())
                self.names.nested.setdefault(found["name"], name)
                made = MappedModel(self.framework, name, ModelKind.BOUND, symbol, line)
                made.bases = list(self.names.candidates(found["table"]))
                yield made

    def _entity(self, declared: _Type, name: str, table: str) -> Iterator[MappedModel]:
        line = self.line(declared.start)
        symbol = self._symbols.get((line, declared.name), -1)
        if symbol < 0:
            return
        made = MappedModel(self.framework, name, ModelKind.BOUND, symbol, line)
        made.bases = list(self.names.candidates(table))
        for found, last in self._properties(*declared.body):
            if found[3] != "by":
                continue
            self.declaring.append((found.start(), last))
            at = self.line(found.start(2))
            field = MappedField(found[2], self._symbols.get((at, found[2]), -1), at, found[3])
            relation = _RELATION.match(self._code, found.end(), last)
            column = _COLUMN.match(self._code, found.end(), last)
            if relation is not None:
                field.target = OR.join(self.names.candidates(relation[1]))
                field.kind = FieldKind.ONE_TO_MANY if relation[2] in _MANY else FieldKind.MANY_TO_ONE
                field.is_owner = relation[2] not in _INVERSE
                if relation[2] == "via":
                    field.through = OR.join(self.names.candidates(relation[3]))
                field.column = relation[3].rpartition(".")[2]
            elif column is not None:
                field.column = column[2]
            else:
                continue
            made.fields.append(field)
        yield made
