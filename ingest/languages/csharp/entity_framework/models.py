"""The contexts, entities and configurations that a C# file declares.

A context has sets of entities: `public DbSet<Order> Orders { get; set; }`. An entity is a plain class; only sets and
configurations say that it has a table, perhaps in another file. So every class with public properties that code can set counts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField, MappedModel, ModelKind
from ....facts.model import FileFacts
from ....facts.nested_symbols import symbols_by_name, symbols_of_lines
from .declarations import Declarations, Property, Type
from .names import GLOBAL_USINGS, SCHEMA, SNAKE_CASE, USINGS

FRAMEWORK: Final = "entity-framework"
#: Types of collections, whose elements are the rows of a relation.
_COLLECTIONS: Final = frozenset(
    ("ICollection", "IList", "List", "IEnumerable", "ISet", "HashSet", "Collection", "IReadOnlyCollection", "IReadOnlyList",
     "ObservableCollection")
)  # fmt: skip
_TEXT: Final = r"\"(?P<text>[^\"\n]*)\""
_TABLE: Final = re.compile(rf"\[\s*(?:[\w.]*\.)?Table(?:Attribute)?\s*\(\s*{_TEXT}")
_SCHEMA: Final = re.compile(rf"\bSchema\s*=\s*{_TEXT}")
_DEFAULT_SCHEMA: Final = re.compile(rf"\.\s*HasDefaultSchema\s*\(\s*(?:{_TEXT}|(?P<name>\w+)\s*\))")
_COLUMN: Final = re.compile(rf"\bColumn\s*\(\s*{_TEXT}")
_FOREIGN_KEY: Final = re.compile(r"\bForeignKey\s*\(\s*(?:nameof\s*\(\s*(?:\w+\s*\.\s*)?(?P<name>\w+)|\"(?P<text>[^\"\n]*)\")")
_LENGTH: Final = re.compile(r"\b(?:MaxLength|StringLength)\s*\(\s*(?P<length>\d+)")
_KEY: Final = re.compile(r"[\[,]\s*Key\s*[\],(]")
_REQUIRED: Final = re.compile(r"[\[,]\s*Required\b|\brequired\b")
_NOT_MAPPED: Final = re.compile(r"\bNotMapped\b")
#: Marks of a file that says of each reference whether it may be null.
_NULL_MARKS: Final = re.compile(r"#nullable\s+enable|\bstring\?|=\s*(?:null|default)!|\brequired\s")
#: A method of a builder that describes an entity: `modelBuilder.Entity<Order>(`.
_ENTITY: Final = re.compile(r"\.\s*Entity\s*<\s*(?:\w+\s*\.\s*)*(?P<name>\w+)\s*>\s*(?=\()")
_TO_TABLE: Final = re.compile(
    r"\.\s*To(?:Table|View)\s*\(\s*\"(?P<table>[^\"\n]*)\"(?:\s*,\s*(?:schema\s*:\s*)?\"(?P<schema>[^\"\n]*)\")?"
)
_IGNORED: Final = re.compile(r"\.\s*Ignore\s*\(\s*(?:\w+\s*=>\s*\w+\s*\.\s*(?P<name>\w+)|\"(?P<text>\w+)\")")
_OWNED: Final = re.compile(
    r"\.\s*Owns(?:One|Many)\s*(?:<[^<>()]{0,80}>\s*)?(?P<open>\()\s*(?:\w+\s*=>\s*\w+\s*\.\s*(?P<name>\w+)|\"(?P<text>\w+)\")"
)
#: A property in a configuration, up to the column that it names.
_CONFIGURED: Final = re.compile(
    r"\.\s*Property\s*(?:<[^()]{0,80}>\s*)?\(\s*(?:\w+\s*=>\s*\w+\s*\.\s*(?P<name>\w+)|\"(?P<text>\w+)\")\s*\)"
    r"(?P<calls>(?:\s*\.\s*\w+\s*(?:<[^()]{0,80}>\s*)?\([^()]*\)){0,12})"
)
_HAS_KEY: Final = re.compile(r"\.\s*HasKey\s*\((?P<parts>[^()]*)\)")
_KEY_PART: Final = re.compile(r"\.\s*(\w+)|\"(\w+)\"")
_COLUMN_NAME: Final = re.compile(r"\bHasColumnName\s*\(\s*\"([^\"\n]*)\"")
_CHAINED: Final = re.compile(r"\s*\.\s*\w+\s*(?:<[^()]{0,80}>\s*)?(?=\()")
_NAMESPACE: Final = re.compile(r"^[ \t]*namespace[ \t]+([\w.]+)", re.MULTILINE)
_USING: Final = re.compile(r"^[ \t]*(?:global[ \t]+)?using[ \t]+([\w.]+)[ \t]*;", re.MULTILINE)
_GLOBAL_USING: Final = re.compile(r"^[ \t]*global[ \t]+using[ \t]+([\w.]+)[ \t]*;", re.MULTILINE)
#: A call that puts the names of all tables and columns into snake case.
_SNAKE_CASE: Final = re.compile(r"\bUseSnakeCaseNamingConvention\b")


def add_models(facts: FileFacts, declared: Declarations) -> None:
    """Add the contexts, classes and configurations of a file to its facts about data."""
    models = list(_Reading(facts, declared).models())
    if models:
        facts.own_data().models += models


class _Reading:
    def __init__(self, facts: FileFacts, declared: Declarations) -> None:
        self._facts = facts
        self._declared = declared
        self._symbols: Mapping[tuple[int, str], int] = symbols_by_name(facts.symbols)
        namespace = _NAMESPACE.search(declared.code)
        self._namespace = namespace[1] if namespace is not None else ""
        self._has_null_marks = _NULL_MARKS.search(declared.text) is not None

    def models(self) -> Iterator[MappedModel]:
        for model in (*self._of_types(), *self._configured()):
            model.application = self._namespace
            yield model
        setting = _SNAKE_CASE.search(self._declared.code)
        if setting is not None:
            yield MappedModel(FRAMEWORK, SNAKE_CASE, ModelKind.SETTING, -1, self._declared.line(setting.start()))
        imported = _GLOBAL_USING.findall(self._declared.code)
        if imported:
            yield MappedModel(FRAMEWORK, GLOBAL_USINGS, ModelKind.SETTING, -1, 1, options={USINGS: " ".join(imported)})

    def _of_types(self) -> Iterator[MappedModel]:
        for each in self._declared.types:
            symbol = self._symbol(each.start, each.name)
            if symbol >= 0:
                yield from self._of_type(each, symbol)

    def _configured(self) -> Iterator[MappedModel]:
        """Yield the configurations that calls make: `modelBuilder.Entity<Order>().ToTable("orders")`."""
        code = self._declared.code
        for found in _ENTITY.finditer(code):
            line = self._declared.line(found.start())
            symbol = self._owners[line] if line < len(self._owners) else -1
            if symbol >= 0:
                yield self._configuration(found["name"], symbol, found.end(), self._statement_end(found.end()))

    @cached_property
    def _owners(self) -> list[int]:
        return symbols_of_lines(self._facts.symbols, self._facts.lines)

    @cached_property
    def _usings(self) -> str:
        """The namespaces whose types the file names, separated by spaces."""
        return " ".join(_USING.findall(self._declared.code))

    def _default_schema(self, start: int, end: int) -> str:
        """Return the schema that a context gives to its tables: a text, or a constant of the file; "" if there is none."""
        found = _DEFAULT_SCHEMA.search(self._declared.text, start, end)
        if found is None or found["name"] is None:
            return found["text"] if found is not None else ""
        constant = re.search(rf"\bconst\s+string\s+{found['name']}\s*=\s*{_TEXT}", self._declared.text)
        return constant["text"] if constant is not None else ""

    def _symbol(self, offset: int, name: str) -> int:
        return self._symbols.get((self._declared.line(offset), name), -1)

    def _of_type(self, each: Type, symbol: int) -> Iterator[MappedModel]:
        line = self._declared.line(each.start)
        if each.word == "enum":
            yield MappedModel(FRAMEWORK, each.name, ModelKind.ENUM, symbol, line)
            return
        sets = [self._set(own, symbol) for own in each.properties if own.type == "DbSet" and own.argument]
        is_context = each.word != "interface" and any(name.endswith("DbContext") for name, _ in each.bases)
        if sets or is_context:
            made = MappedModel(FRAMEWORK, each.name, ModelKind.BOUND, symbol, line, bases=[name for name, _ in each.bases])
            made.fields = sets
            made.options = {USINGS: self._usings, SCHEMA: self._default_schema(*each.body)}
            yield made
        for name, argument in each.bases:
            if name == "IEntityTypeConfiguration" and argument:
                yield self._configuration(argument, symbol, *each.body)
        if each.word != "interface" and not sets and not is_context:
            fields = [field for own in each.properties if (field := self._field(own, each, symbol)) is not None]
            if fields or each.bases:
                yield self._class(each, symbol, line, fields)

    def _set(self, each: Property, owner: int) -> MappedField:
        symbol = self._symbol(each.start, each.name)
        return MappedField(each.name, symbol if symbol >= 0 else owner, self._declared.line(each.start), each.argument)

    def _class(self, each: Type, symbol: int, line: int, fields: list[MappedField]) -> MappedModel:
        bases = [name for name, _ in each.bases]
        made = MappedModel(FRAMEWORK, each.name, ModelKind.ABSTRACT, symbol, line, bases=bases, fields=fields)
        table = _TABLE.search(each.attributes)
        if table is not None:
            schema = _SCHEMA.search(each.attributes)
            made.kind, made.table, made.schema = ModelKind.TABLE, table["text"], schema["text"] if schema is not None else ""
        return made

    def _field(self, each: Property, around: Type, owner: int) -> MappedField | None:
        if not (each.is_public and each.is_settable) or _NOT_MAPPED.search(each.attributes) is not None:
            return None
        symbol = self._symbol(each.start, each.name)
        is_list = each.type in _COLLECTIONS and bool(each.argument)
        kind = each.argument if is_list else f"{each.type}[]" if each.is_array else each.type
        field = MappedField(each.name, symbol if symbol >= 0 else owner, self._declared.line(each.start), kind)
        if each.type == "Nullable":
            field.type = each.argument
        column, key, length = (pattern.search(each.attributes) for pattern in (_COLUMN, _FOREIGN_KEY, _LENGTH))
        field.column = column["text"] if column is not None else ""
        field.fields = [key["name"] or key["text"]] if key is not None else []
        field.size = f"({length['length']})" if length is not None else ""
        field.is_list = is_list
        field.is_primary = _KEY.search(each.attributes) is not None
        is_required = _REQUIRED.search(each.attributes) is not None
        is_plain_text = kind in ("string", "byte[]") and not self._has_null_marks
        field.nullable = (each.is_nullable or each.type == "Nullable" or is_plain_text) and not is_required
        if kind in around.parameters:
            field.kind = FieldKind.COLUMN
        return field

    def _statement_end(self, start: int) -> int:
        """Return the end of a statement, from the arguments of its first call."""
        code, groups = self._declared.code, self._declared.groups
        at = groups.end(start, len(code))
        while (following := _CHAINED.match(code, at)) is not None:
            at = groups.end(following.end(), len(code))
        return at

    def _configuration(self, entity: str, symbol: int, start: int, end: int) -> MappedModel:
        """Return what a range of code says about an entity."""
        made = MappedModel(FRAMEWORK, entity, ModelKind.KEYS, symbol, self._declared.line(start))
        owned = list(self._calls(_OWNED, start, end, []))
        inner = [(each.start(), self._declared.groups.end(each.start("open"), end)) for each in owned]
        table = next(self._calls(_TO_TABLE, start, end, inner), None)
        if table is not None:
            made.table, made.schema = table["table"], table["schema"] or ""
        for found in self._calls(_CONFIGURED, start, end, inner):
            column = _COLUMN_NAME.search(found["calls"])
            name = found["name"] or found["text"]
            if column is not None or found["text"]:
                made.overrides[name] = column[1] if column is not None else name
        key = next(self._calls(_HAS_KEY, start, end, inner), None)
        options = {
            USINGS: self._usings,
            "key": " ".join(name or text for name, text in _KEY_PART.findall(key["parts"])) if key is not None else "",
            "ignored": " ".join(each["name"] or each["text"] for each in self._calls(_IGNORED, start, end, inner)),
            "owned": " ".join(each["name"] or each["text"] for each in owned),
        }
        made.options = {name: value for name, value in options.items() if value}
        return made

    def _calls(self, pattern: re.Pattern[str], start: int, end: int, inner: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
        """Yield the calls in a range, without those in comments and in the configurations of inner values."""
        for found in pattern.finditer(self._declared.text, start, end):
            at = found.start()
            place = bisect_right(inner, (at, end)) - 1
            if self._declared.code[at] == "." and (place < 0 or at >= inner[place][1]):
                yield found
