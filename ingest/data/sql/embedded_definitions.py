"""Find statements of SQL in the strings of code that define tables: `db.exec("CREATE TABLE IF NOT EXISTS users (…)")`.

A text counts only if its form is certainly SQL, such as a list of columns with types. Names that code computes are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from ...facts.data import EMBEDDED, PLACEHOLDER, UNSURE, Action, EmbeddedSchema, ObjectName, Query, SchemaChange
from ...facts.model import FileFacts, SymbolFact
from ...facts.nested_symbols import symbols_of_lines
from ...facts.uncovered_lines import line_offsets
from .code_strings import BLANK, QUOTE, CodeStrings, CodeText
from .definition import Definition
from .definitions import SYMBOL_KINDS, read_definition
from .dialects import common_dialect, dialect_of, folds_names
from .embedded import without_holes
from .given_names import GivenNames
from .here_documents import here_documents
from .queries import dialects_from, parse_query
from .reader import TokenReader
from .routines import statements_of_routine
from .statements import Statement, statements_of
from .tokens import Kind

_OBJECTS: Final = (
    r"(?:CREATE|ALTER|DROP|RENAME)\s+(?:\w+\s+){0,4}?(?:TABLE|VIEW|INDEX|TYPE|SEQUENCE|TRIGGER|FUNCTION|PROCEDURE)\s"
)
#: A string that begins with the definition of an object. Statements about the connection may come before it.
_BEGINNING: Final = re.compile(
    QUOTE + BLANK + r"(?:(?:BEGIN|PRAGMA|SET|START|USE)\b[^;\"'`]{0,200}+;\s*+){0,20}+(?P<verb>" + _OBJECTS + ")", re.IGNORECASE
)
_HINT: Final = re.compile(_OBJECTS.encode())
#: The verbs with which a definition begins.
_VERBS: Final = (b"CREATE", b"ALTER", b"DROP", b"RENAME")
#: A line of a here-document that begins with the definition of an object.
_OBJECT: Final = re.compile(r"^[ \t]*+" + _OBJECTS, re.IGNORECASE | re.MULTILINE)
#: The name to which code assigns a string, or for which it passes the string: `Down: []string{"DROP TABLE users"}`.
_NAME_BEFORE: Final = re.compile(r"(\w+)[\"']?\s*(?:=>|:?=|:|\()\s*(?:\[\]\s*string\s*)?[\[{(]?\s*[rbfuRBFU@$]?$")
_BETWEEN: Final = re.compile(r"[\s,]*[rbfuRBFU@$]?")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
#: Words in the names of code that reverts a migration, without the "s" of a plural.
_REVERTING: Final = frozenset(("down", "undo", "revert", "rollback", "downgrade", "backward", "reverse", "reverted", "reversal"))
#: Words in the names of migrations, and of code that changes an existing database.
_MIGRATION: Final = re.compile("migrat", re.IGNORECASE)
_LATER: Final = re.compile("migrat|upgrade", re.IGNORECASE)
_DEFINING: Final = frozenset(("CREATE", "ALTER", "DROP", "RENAME"))
#: Words of which a definition has at least one, by its kind.
_NEEDED: Final = {
    "trigger": frozenset(("BEGIN", "EXECUTE", "CALL", "INSERT", "UPDATE", "DELETE", "SET")),
    "procedure": frozenset(("BEGIN", "RETURNS", "LANGUAGE", "RETURN", "AS")),
    "view": frozenset(("SELECT", "WITH", "VALUES", "TABLE")),
}
#: The beginning of a type of a column.
_TYPE: Final = re.compile(
    r"(?:var|long|medium|tiny)?(?:text|char|blob|binary)|n?varchar|character|string|(?:big|small|tiny|medium|u)?int|(?:big|small)?serial"
    r"|bool|date|time|real|double|float|decimal|numeric|number|uuid|json|bytea|money|citext|inet|enum|bit\b|geo",
    re.IGNORECASE,
)
#: Maximum number of texts of a file that define objects.
_MAX_TEXTS: Final = 5_000
#: Maximum length of a string with definitions, in characters.
_MAX_LENGTH: Final = 1_000_000
_MAX_SIGNATURE: Final = 2_000
#: Number of characters before a string in which the name that it has is searched.
_MAX_BEFORE: Final = 80


def may_define_tables(data: bytes) -> bool:
    """Return whether a file may have a string that defines tables. The check is fast.

    A search for the pattern in all letters takes ten times as long as one for the verbs.
    """
    capitals = data.upper()
    return any(_HINT.match(capitals, at) is not None for verb in _VERBS for at in _places(capitals, verb))


def _places(data: bytes, word: bytes) -> Iterator[int]:
    at = data.find(word)
    while at >= 0:
        yield at
        at = data.find(word, at + len(word))


def add_embedded_schema(facts: FileFacts, data: bytes, dialect: str = "") -> None:
    """Add the tables that strings in a file of code define to its symbols and to its facts about data.

    `dialect` is the stated dialect; "" if there is none. Files whose calls already define tables are left unchanged, because
    the rules of these calls also read the strings.
    """
    own = facts.data
    if facts.lines and (own is None or not (own.changes or own.migration or own.embedded)):
        _Reading(facts, data.decode("utf-8", "replace"), dialect).read()


class _Sequence(NamedTuple):
    """A change, and the symbol of the code around the string, whose other changes run in the same order."""

    owner: int
    change: SchemaChange


class _Reading:
    def __init__(self, facts: FileFacts, text: str, dialect: str) -> None:
        self._facts = facts
        self._text = text
        self._stated = dialect
        self._given = GivenNames(facts, text)
        self._starts = line_offsets(text, facts.lines)
        self._owners = symbols_of_lines(facts.symbols, facts.lines)
        self._tests = {each.symbol for each in facts.chunks if each.is_test}
        self._found: list[_Sequence] = []
        self._queries: list[Query] = []
        self._dialects: list[str] = []

    def read(self) -> None:
        found = [*self._strings(), *(each for each in here_documents(self._text) if _OBJECT.search(each.text) is not None)]
        for text in sorted(found, key=lambda each: each.start):
            self._read_text(text)
        self._finish()

    def _strings(self) -> Iterator[CodeText]:
        """Yield the strings that begin with the definition of an object, unless their names say that they revert others."""
        strings, at = CodeStrings(self._text), 0
        end, is_down = 0, False
        for _ in range(_MAX_TEXTS):
            match = _BEGINNING.search(self._text, at)
            if match is None:
                break
            at = match.end()
            found = strings.joined(match, match.start("verb"), _MAX_LENGTH)
            if found is not None:
                if not end or _BETWEEN.fullmatch(self._text, end, match.start()) is None:  # else the next string of a list
                    is_down = self._names_a_reversal(match.start())
                at = end = max(at, found.end)
                if not is_down:
                    yield found

    def _names_a_reversal(self, start: int) -> bool:
        named = _NAME_BEFORE.search(self._text, max(0, start - _MAX_BEFORE), start)
        return named is not None and _is_reverting(named[1])

    def _read_text(self, found: CodeText) -> None:
        owner = self._owners[min(self._line(found.start), self._facts.lines)]
        if owner < 0 or self._is_left_out(owner):
            return
        for filled in self._given.filled(found, owner, self._line(found.start)):
            self._read_definitions(filled.code, owner)

    def _read_definitions(self, found: CodeText, owner: int) -> None:
        code = without_holes(found)
        text = code.text
        dialect = self._stated or dialect_of(text)
        folds = folds_names(text, dialect or "sqlite")
        for statement in statements_of(text, dialect):
            if statement.is_down or statement.tokens[0].word not in _DEFINING:
                continue
            definition = read_definition(TokenReader(text, statement.tokens, folds=folds))
            if definition is not None and _is_certain(definition, statement, is_open=found.is_dynamic):
                if dialect:
                    self._dialects.append(dialect)
                self._define(definition, statement, code, owner)

    def _is_left_out(self, symbol: int) -> bool:
        """Return whether code is a test, or reverts a migration."""
        while symbol >= 0:
            fact = self._facts.symbols[symbol]
            if symbol in self._tests or (fact.kind not in ("expression", "import") and _is_reverting(fact.name)):
                return True
            symbol = fact.parent
        return False

    def _define(self, definition: Definition, statement: Statement, code: CodeText, owner: int) -> None:
        place = owner
        if definition.kind in SYMBOL_KINDS:
            span = (statement.start, statement.end, definition.name_start)
            place = self._add(definition.name.name, definition.kind, owner, span, code, statement.comment)
        places = [place]
        for each in definition.members:
            span = (each.start, each.end, each.name_start)
            places.append(self._add(each.name, each.kind, place, span, code) if _is_known(each.name) else place)
        for change in definition.changes:
            names = [change.name, *(each for each in (change.table, change.new_name) if each is not None)]
            if not all(_is_known(each.name) for each in names):
                continue
            change.symbol, change.line = places[change.symbol], self._line(code.offset(change.line))
            # Code that creates a table which exists is code for another dialect, or runs only if the table is missing.
            change.is_conditional = change.is_conditional or (change.action == Action.CREATE and change.kind == "table")
            if code.is_dynamic and change.action == Action.CREATE and change.kind == "table" and change.target is None:
                change.target = ObjectName(PLACEHOLDER)  # it may have more columns
            self._found.append(_Sequence(owner, change))
        if definition.kind == "view" and definition.query is not None:
            first, last = definition.query
            tokens = statement.tokens[first:last]
            self._query(code.text[tokens[0].start : tokens[-1].end], tokens[0].start, place, code)
        elif definition.kind == "trigger" and definition.query is not None:
            tokens = statement.tokens[definition.query[0] :]
            start = tokens[0].start if tokens else statement.end
            for offset, query in statements_of_routine(code.text[start : statement.end]):
                self._query(query, start + offset, place, code)

    def _query(self, text: str, offset: int, place: int, code: CodeText) -> None:
        parsed = parse_query(text, dialects_from(self._stated))
        if parsed is not None and parsed.uses:
            line = self._line(code.offset(offset))
            self._queries.append(Query(place, line, parsed.statement, parsed.uses, "string", parsed.dialect))

    def _add(self, name: str, kind: str, parent: int, span: tuple[int, int, int], code: CodeText, comment: str = "") -> int:
        """Add a symbol, and return its number. `span` has the offsets of the beginning, the end and the name in the text."""
        symbols = self._facts.symbols
        start, end, name_start = span
        first, last, named = (self._line(code.offset(each)) for each in (start, end - 1, name_start))
        written = code.text[start : min(end, start + 2 * _MAX_SIGNATURE)].replace(PLACEHOLDER, "…")
        signature = " ".join(written.split())[:_MAX_SIGNATURE]
        depth = symbols[parent].depth + 1
        made = SymbolFact(
            name, kind, parent, depth, first, max(first, last), first, named, signature, comment, [EMBEDDED], False, False
        )
        symbols.append(made)
        return len(symbols) - 1

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, max(offset, 0))

    # ------------------------------------------------------------------ the order of changes

    def _finish(self) -> None:
        changes = list(self._certain())
        if changes:
            dialect = common_dialect(self._dialects, ())
            later = [place for place, (owner, _) in enumerate(self._found) if self._is_named(owner, _LATER)]
            self._facts.own_data().embedded = EmbeddedSchema(changes, self._queries, dialect, later)

    def _certain(self) -> Iterator[SchemaChange]:
        """Yield the changes, and mark those that remove a table which other code creates.

        Such a statement may reset a database. It counts if it is in a migration, or if the same code makes the table again.
        """
        made = {
            (owner, change.kind, change.new_name if change.action == Action.RENAME else change.name)
            for owner, change in self._found
            if change.action in (Action.CREATE, Action.RENAME)
        }
        for owner, change in self._found:
            if change.default is not None:
                change.default = change.default.replace(PLACEHOLDER, "…")
            change.type = change.type.replace(PLACEHOLDER, "…")
            is_whole = change.action == Action.DROP and change.kind not in ("column", "constraint")
            if is_whole and (owner, change.kind, change.name) not in made and not self._is_named(owner, _MIGRATION):
                change.text = UNSURE
            yield change

    def _is_named(self, symbol: int, words: re.Pattern[str]) -> bool:
        """Return whether the name of the code, or of the code around it, has certain words."""
        while symbol >= 0:
            fact = self._facts.symbols[symbol]
            if fact.kind != "expression" and words.search(fact.name) is not None:
                return True
            symbol = fact.parent
        return False


def _is_certain(definition: Definition, statement: Statement, *, is_open: bool) -> bool:
    """Return whether a definition is SQL and not prose, such as "Create table failed (see the log)"."""
    first = definition.changes[0] if definition.changes else None
    if first is None or not _is_known(definition.name.name):
        return False
    words = {token.word for token in statement.tokens}
    if first.action != Action.CREATE or statement.tokens[0].word == "ALTER":
        return True  # has no effect on a table that nothing creates
    if first.kind == "table":
        columns = [each for each in definition.changes if each.kind == "column"]
        is_shouted = statement.tokens[0].text.isupper() and statement.tokens[0].kind == Kind.WORD
        is_typed = any(_TYPE.match(each.type) is not None for each in columns)
        is_made = "USING" in words or definition.query is not None or first.target is not None
        return is_typed or (is_shouted and (bool(columns) or is_made or (is_open and "(" in words)))
    if first.kind == "index":
        return bool(first.columns)
    if first.kind == "enum":
        return first.type == "enum" and bool(first.columns)
    if first.kind == "sequence":
        return statement.tokens[0].text.isupper()
    return not words.isdisjoint(_NEEDED.get(first.kind, words))


def _is_known(name: str) -> bool:
    return PLACEHOLDER not in name


def _is_reverting(name: str) -> bool:
    return any(word.lower().removesuffix("s") in _REVERTING for word in _WORD.findall(name))
