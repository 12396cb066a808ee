"""The facts of a Prisma schema: a symbol for each block and line, and the models that become tables."""

from __future__ import annotations

from typing import Final

from ...facts.data import DataFacts
from ...facts.mapped_tables import MappedField, MappedKey, MappedModel, ModelKind
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import facts_of_symbols, line_offsets, renumbered, symbols_of_gaps
from ...files.source_text import SourceText
from .syntax import Attribute, Block, Line, Value, read_prisma

#: Maximum number of characters of a signature.
_MAX_SIGNATURE: Final = 2_000
#: Maximum number of problems that are recorded for a file.
_MAX_PROBLEMS: Final = 20
_COMMENTS: Final = ("//", "/*")
#: Types of columns that Prisma knows.
SCALARS: Final = frozenset(("String", "Boolean", "Int", "BigInt", "Float", "Decimal", "DateTime", "Json", "Bytes", "Unsupported"))
_KINDS: Final = {"model": "table", "view": "view", "enum": "enum", "type": "type"}
_MODEL_KINDS: Final = {"model": ModelKind.TABLE, "view": ModelKind.VIEW, "enum": ModelKind.ENUM}
_KEYS: Final = {"id": "primary key", "unique": "unique", "index": "index", "fulltext": "index"}


def prisma_facts(source: SourceText, language: str) -> FileFacts:
    """Return the facts of a schema. An unreadable part is a problem with its line."""
    return _FileReading(source, language).facts()


class _FileReading:
    def __init__(self, source: SourceText, language: str) -> None:
        self._source = source
        self._language = language
        self._text = source.data.decode("utf-8", "replace")
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._file = read_prisma(self._text)
        self._names = {block.keyword: set[str]() for block in self._file.blocks}
        for block in self._file.blocks:
            self._names[block.keyword].add(block.name)
        self._symbols: list[SymbolFact] = []
        self._data = DataFacts()
        self._covered = 0
        #: The last symbol of depth 0.
        self._outermost = -1

    def facts(self) -> FileFacts:
        for block in self._file.blocks:
            self._block(block)
        self._symbols += symbols_of_gaps(self._text, self._starts, self._symbols, _COMMENTS)
        self._sort()
        problems = [*self._source.problems, *self._file.problems][:_MAX_PROBLEMS]
        lines = self._source.line_starts
        return facts_of_symbols(self._language, lines, self._text, self._starts, self._symbols, problems, data=self._data)

    # ------------------------------------------------------------------ blocks

    def _block(self, block: Block) -> None:
        kind = _KINDS.get(block.keyword, "expression")
        name = block.name if block.keyword in _KINDS else f"{block.keyword} {block.name}"
        first = max(block.first_line, self._covered + 1)
        is_inside = block.start.line <= self._covered
        if is_inside:  # a block on a line of the previous block is nested in that block
            outer = self._symbols[self._outermost]
            outer.end_line = max(outer.end_line, block.end.end_line)
        else:
            self._outermost = len(self._symbols)
        self._symbols.append(
            SymbolFact(
                name=name,
                kind=kind,
                parent=self._outermost if is_inside else -1,
                depth=1 if is_inside else 0,
                start_line=block.start.line if is_inside else first,
                end_line=block.end.end_line,
                declaration_line=block.start.line,
                name_line=block.name_token.line,
                signature=f"{block.keyword} {block.name}",
                doc=block.comment[:_MAX_SIGNATURE],
                modifiers=[],
                exported=block.keyword in _KINDS,
                is_chunk=not is_inside,
            )
        )
        self._covered = max(self._covered, block.end.end_line)
        place = len(self._symbols) - 1
        if block.keyword == "datasource":
            self._datasource(block)
        elif block.keyword in _KINDS:
            self._members(block, place)

    def _datasource(self, block: Block) -> None:
        for line in block.lines:
            if line.name == "provider" and line.value is not None:
                self._data.dialect = line.value.text
            elif line.name == "relationMode" and line.value is not None:
                self._data.is_without_foreign_keys = line.value.text == "prisma"

    def _members(self, block: Block, place: int) -> None:
        kind = _MODEL_KINDS.get(block.keyword)
        model = MappedModel("prisma", block.name, kind or "", place, block.start.line)
        for line in block.lines:
            if line.name:
                symbol = self._symbol(line, line.name, self._kind_of(line, block.keyword), place)
                if block.keyword in ("model", "view"):
                    model.fields.append(_field(line, symbol))
            for attribute in line.attributes if not line.name else ():
                if attribute.name == "map":
                    model.table = _text(attribute.argument("name", 0))
                elif attribute.name == "schema":
                    model.schema = _text(attribute.argument("name", 0) or attribute.argument("map"))
                elif attribute.name in _KEYS:
                    kind_of_key = _KEYS[attribute.name]
                    fields = _names(attribute.argument("fields", 0))
                    symbol_kind = "index" if kind_of_key == "index" else "constraint"
                    symbol = self._symbol(line, f"{attribute.name}({', '.join(fields)})", symbol_kind, place)
                    # Of an index, `name` is the older spelling of `map`; of other keys, it is a name in the client only.
                    own = attribute.argument("map") or (attribute.argument("name") if kind_of_key == "index" else None)
                    model.keys.append(MappedKey(kind_of_key, fields, symbol, line.start.line, _text(own)))
        if kind is not None:
            self._data.models.append(model)

    def _kind_of(self, line: Line, keyword: str) -> str:
        if keyword == "enum":
            return "enumMember"
        if keyword == "type":
            return "property"
        if line.type in SCALARS or line.type in self._names.get("enum", ()) or line.type in self._names.get("type", ()):
            return "column"
        # A type from another file is an enum or a model. A field with one of these attributes is a column, so its type is an
        # enum.
        names = {attribute.name.partition(".")[0] for attribute in line.attributes}
        return "column" if names & {"default", "db", "map", "id", "unique"} else "property"

    def _symbol(self, line: Line, name: str, kind: str, parent: int) -> int:
        signature = " ".join(self._text[line.start.start : min(line.end.end, line.start.start + _MAX_SIGNATURE)].split())
        own = SymbolFact(
            name,
            kind,
            parent,
            self._symbols[parent].depth + 1,
            line.start.line,
            line.end.end_line,
            line.start.line,
            line.start.line,
            signature,
            line.comment[:_MAX_SIGNATURE],
            [],
            True,
            False,
        )
        self._symbols.append(own)
        return len(self._symbols) - 1

    def _sort(self) -> None:
        """Sort all symbols in the order of the source, including the symbols of uncovered lines, and renumber them."""
        roots: list[int] = []
        for symbol in self._symbols:
            roots.append(roots[symbol.parent] if symbol.parent >= 0 else symbol.start_line)
        order = sorted(range(len(self._symbols)), key=lambda each: (roots[each], each))
        self._symbols, numbers = renumbered(self._symbols, order)
        for model in self._data.models:
            model.symbol = numbers[model.symbol]
            for field in model.fields:
                field.symbol = numbers[field.symbol]
            for key in model.keys:
                key.symbol = numbers[key.symbol]


def _field(line: Line, symbol: int) -> MappedField:
    found = MappedField(line.name, symbol, line.start.line, line.type, nullable=line.is_optional, is_list=line.is_list)
    if line.type == "Unsupported" and line.value is not None:
        found.column_type = line.value.text
    elif line.type not in SCALARS:
        found.target = line.type
    for attribute in line.attributes:
        if attribute.name == "map":
            found.column = _text(attribute.argument("name", 0))
        elif attribute.name.startswith("db."):
            found.column_type = _native_type(attribute)
        elif attribute.name == "default":
            found.default = _source_of(attribute.argument("value", 0))
        elif attribute.name == "id":
            found.is_primary, found.primary_name = True, _text(attribute.argument("map"))
        elif attribute.name == "unique":
            found.is_unique, found.unique_name = True, _text(attribute.argument("map"))
        elif attribute.name == "relation":
            _read_relation(found, attribute)
    return found


def _read_relation(found: MappedField, attribute: Attribute) -> None:
    found.relation = _text(attribute.argument("name", 0))
    found.fields = _names(attribute.argument("fields"))
    found.target_fields = _names(attribute.argument("references"))
    found.on_delete = _text(attribute.argument("onDelete"))
    found.on_update = _text(attribute.argument("onUpdate"))
    found.foreign_key_name = _text(attribute.argument("map"))


def _native_type(attribute: Attribute) -> str:
    sizes = ", ".join(each.value.text for each in attribute.arguments)
    name = attribute.name.removeprefix("db.")
    return f"{name}({sizes})" if sizes else name


def _text(value: Value | None) -> str:
    return value.text if value is not None else ""


def _names(value: Value | None) -> list[str]:
    """Return the names of the fields in a list. Options such as `sort: Desc` are left out."""
    return [each.value.text for each in value.items] if value is not None and value.kind == "list" else []


def _source_of(value: Value | None) -> str:
    """Return a value as the schema writes it: `autoincrement()`, `[]`, `"a"`."""
    if value is None:
        return ""
    inner = ", ".join(_source_of(each.value) for each in value.items)
    if value.kind == "list":
        return f"[{inner}]"
    if value.kind == "call":
        return f"{value.text}({inner})"
    return f'"{value.text}"' if value.kind == "text" else value.text
