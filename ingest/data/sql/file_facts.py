"""Read a SQL file: its symbols, its changes of the schema, and the tables that it uses."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

from ....schema.blank_text import blank
from ....schema.records import Problem
from ...facts.data import LABELLED, DataFacts, Query, TableUse
from ...facts.model import FileFacts, SymbolFact
from ...facts.uncovered_lines import MAX_NAME, facts_of_symbols, line_offsets, renumbered, symbols_of_gaps
from ...files.source_text import SourceText
from .client_commands import without_commands
from .definition import Definition
from .definitions import SYMBOL_KINDS, inner_statements, read_definition
from .dialects import dialect_of, folds_names, without_placeholders
from .queries import DIALECTS, RARE_DIALECTS, dialects_from, parse_query
from .reader import TokenReader
from .routines import statements_of_routine
from .statements import Statement, statements_of
from .tokens import Kind, string_value, tokens_of
from .transact_statements import transact_statements

#: Maximum number of characters of a signature.
_MAX_SIGNATURE: Final = 2_000
#: Maximum number of problems that are recorded for a file.
_MAX_PROBLEMS: Final = 20
#: Maximum number of tokens from `INSERT` to the rows: the table and the columns.
_MAX_HEAD: Final = 100
_DEFINING: Final = frozenset(("CREATE", "ALTER", "DROP", "COMMENT", "RENAME", "EXEC", "EXECUTE"))
_USING: Final = frozenset(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "MERGE", "TRUNCATE", "REPLACE", "(", "FROM", "PIVOT"))
#: Words that begin a statement which loads files into a table: `COPY INTO` of Snowflake and `LOAD DATA` of MySQL.
_LOADING: Final = frozenset(("COPY", "LOAD"))
#: Words before the statements of a script in BigQuery or Snowflake, each of which ends with a semicolon.
_SCRIPTING: Final = frozenset(
    ("BEGIN", "DECLARE", "ELSE", "ELSEIF", "EXCEPTION", "EXPORT", "FOR", "IF", "LOOP", "REPEAT", "WHILE")
)
#: Comment that names a query, for sqlc, aiosql and others.
_QUERY_NAME: Final = re.compile(r"^[\s*]*(?:@name\b\s*:?|name\s*:|:name)\s*([A-Za-z_][\w-]*)", re.MULTILINE)

#: Label that names a query for SQLDelight: `findByName:` on a line of its own, perhaps with comments below.
_LABEL: Final = re.compile(
    r"^(?P<label>(?P<name>[A-Za-z_]\w*):)(?P<rest>[ \t]*+\r?\n\s*+(?:--[^\n]*+\n\s*+)*+)"
    r"(?=(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)\b)",
    re.IGNORECASE | re.MULTILINE,
)
#: The end of the line of a label, which few files have. It is found faster than the label.
_LABEL_END: Final = re.compile(r":[ \t]*+\r?\n")


class _Label(NamedTuple):
    start: int
    name: str


def query_name(comment: str) -> str:
    """Return the name that a comment gives to a query for sqlc, aiosql, PgTyped and others; "" if there is none."""
    found = _QUERY_NAME.search(comment)
    return found[1].replace("-", "_") if found is not None else ""


def _labels(text: str) -> dict[int, _Label]:
    """Return the labels of a file of SQLDelight by the offset of the statement behind each."""
    found = _LABEL.finditer(text) if _LABEL_END.search(text) is not None else ()
    return {each.end(): _Label(each.start("label"), each["name"]) for each in found}


def _without_label(found: re.Match[str]) -> str:
    return blank(found["label"]) + found["rest"]


def sql_facts(source: SourceText) -> FileFacts:
    """Return the facts of a SQL file. An unreadable part is a problem with its line."""
    return _FileReading(source).facts()


class _FileReading:
    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._written = source.data.decode("utf-8", "replace")
        text = without_placeholders(self._written)
        self._labels = _labels(text)
        if self._labels:
            text = _LABEL.sub(_without_label, text)
        self._text = without_commands(text)
        self._starts = line_offsets(self._text, len(source.line_starts))
        self._dialect = source.sql_dialect or dialect_of(text)
        self._dialects = dialects_from(self._dialect, (*DIALECTS, *RARE_DIALECTS))
        self._symbols: list[SymbolFact] = []
        self._data = DataFacts(dialect=self._dialect)
        self._problems = list(source.problems)
        self._folds = folds_names(self._text, self._dialect)
        #: Beginnings of the statements that insert rows, up to the rows.
        self._inserts: set[tuple[str, ...]] = set()

    def facts(self) -> FileFacts:
        for statement in statements_of(self._text, self._dialect):
            self._statement(statement)
        self._fill_gaps()
        self._sort()
        lines = self._source.line_starts
        return facts_of_symbols(
            "sql", lines, self._text, self._starts, self._symbols, self._problems[:_MAX_PROBLEMS], data=self._data
        )

    # ------------------------------------------------------------------ statements

    def _statement(self, statement: Statement) -> None:
        word = statement.tokens[0].word
        reader = TokenReader(self._text, statement.tokens, folds=self._folds)
        definition = read_definition(reader) if word in _DEFINING else None
        place = self._root(statement, definition)
        if definition is not None:
            self._define(definition, statement, place)
            self._use_of_definition(definition, statement, place)
        elif word in _USING and not self._repeats(statement):
            known = len(self._data.queries)
            text = self._query_text(statement)
            if self._dialect == "tsql":
                self._routine_body(statement.start, text, place)
            else:
                self._query(text, statement.start, place, "sql")
            for each in self._data.queries[known:]:
                each.name = self._query_name(statement)
        elif word == "DO":
            self._block(statement, place)
        elif word in _LOADING:
            self._load(reader, statement, place)
        elif word == "CREATE" and len(statement.tokens) > 1 and statement.tokens[1].word == "POLICY":
            self._policy(statement, place)
        elif word == "CREATE" and any(token.word == "RULE" for token in statement.tokens[1:4]):
            self._rule(statement, place)
        elif self._dialect == "tsql" or word in _SCRIPTING:
            self._routine_body(statement.start, self._text[statement.start : statement.end], place)
        self._check(statement)

    def _query_name(self, statement: Statement) -> str:
        label = self._labels.get(statement.start)
        return query_name(statement.comment) if label is None else f"{LABELLED}{label.name}"

    def _load(self, reader: TokenReader, statement: Statement, place: int) -> None:
        """Record the table into which a statement loads files. A stage, such as `@boats`, is no table."""
        tokens = statement.tokens
        into = next((at for at, token in enumerate(tokens[:_MAX_HEAD]) if token.word == "INTO"), -1)
        if into < 0 and tokens[0].word == "COPY":
            self._copy(reader, statement, place)
            return
        if into < 0:
            return
        reader.at = into + 1
        reader.skip("TABLE")
        name = reader.object_name() if reader.token.text[:1] not in ("@", "'") else None
        if name is not None:
            self._use(statement, place, "insert", TableUse(name, True))

    def _use(self, statement: Statement, place: int, kind: str, use: TableUse) -> None:
        self._data.queries.append(Query(place, self._line(statement.start), kind, [use], "sql", self._dialect))

    def _copy(self, reader: TokenReader, statement: Statement, place: int) -> None:
        """Read `COPY boats (name) FROM 'file'` and `COPY boats TO 'file'` of PostgreSQL and DuckDB, or `COPY (query) TO 'file'`.

        The rows of a dump, which follow `COPY … FROM stdin`, are not counted as a change of the table.
        """
        tokens = statement.tokens
        direction = next((at for at, token in enumerate(tokens) if token.word in ("FROM", "TO") and at > 1), -1)
        if len(tokens) > 1 and tokens[1].word == "(":
            end = next((at for at in range(len(tokens) - 1, 1, -1) if tokens[at].word == "TO"), -1)
            if end > 2:
                self._query(self._text[tokens[2].start : tokens[end - 1].start], tokens[2].start, place, "sql")
            return
        reader.at = 1
        name = reader.object_name()
        if name is None or direction < 0 or any(token.word == "STDIN" for token in tokens[direction : direction + 2]):
            return
        is_change = tokens[direction].word == "FROM"
        columns = reader.columns() if reader.word == "(" else []
        self._use(statement, place, "insert" if is_change else "select", TableUse(name, is_change, columns))

    def _rule(self, statement: Statement, place: int) -> None:
        """Read the statements that a rule of PostgreSQL runs: `CREATE RULE r AS ON INSERT TO v DO INSTEAD (…; …)`."""
        tokens = statement.tokens
        at = next((at for at, token in enumerate(tokens) if token.word == "DO"), len(tokens)) + 1
        at += at < len(tokens) and tokens[at].word in ("ALSO", "INSTEAD")
        if at >= len(tokens):
            return
        in_parentheses = tokens[at].word == "("
        end = tokens[-1].start if in_parentheses and tokens[-1].word == ")" else statement.end
        start = tokens[at].end if in_parentheses else tokens[at].start
        self._routine_body(start, self._text[start:end], place)

    def _policy(self, statement: Statement, place: int) -> None:
        """Read the queries in the conditions of a policy, which follow `FOR SELECT` and the names of roles."""
        start = next((token.start for token in statement.tokens if token.word in ("USING", "CHECK")), statement.end)
        self._routine_body(start, self._text[start : statement.end], place)

    def _repeats(self, statement: Statement) -> bool:
        """Return whether a statement inserts rows into the same table and columns as an earlier statement of the file."""
        if statement.tokens[0].word != "INSERT":
            return False
        head = tuple(token.text for token in statement.tokens[:_MAX_HEAD])
        for place, token in enumerate(statement.tokens[:_MAX_HEAD]):
            if token.word == "VALUES":
                head = head[:place]
                break
        is_known = head in self._inserts
        self._inserts.add(head)
        return is_known

    def _check(self, statement: Statement) -> None:
        """Report a statement whose parentheses or strings are not closed."""
        depth = sum((token.word == "(") - (token.word == ")") for token in statement.tokens)
        last = statement.tokens[-1]
        is_open = last.kind == Kind.STRING and last.text.count("'") == 1 and "$" not in last.text[:1]
        if depth or is_open:
            what = "a string" if is_open else "a parenthesis"
            self._problems.append(Problem(self._line(statement.start), f"{what} of this statement is not closed"))

    def _root(self, statement: Statement, definition: Definition | None) -> int:
        """Add the symbol of a statement, or extend the symbol that ends on the first line of the statement."""
        label = self._labels.get(statement.start)
        start = min(statement.comment_start, label.start) if label is not None else statement.comment_start
        first, last = self._line(start), self._line(statement.end - 1)
        code = self._line(statement.start)
        previous = next((place for place in range(len(self._symbols) - 1, -1, -1) if self._symbols[place].depth == 0), -1)
        if previous >= 0 and self._symbols[previous].end_line >= first:
            end = self._symbols[previous].end_line
            if end >= code and definition is not None and definition.kind in SYMBOL_KINDS:
                return self._add_nested(previous, statement, definition, last)
            if end >= code:
                self._symbols[previous].end_line = max(end, last)
                return previous
            first = end + 1
        signature = self._signature(statement.start, statement.end)
        kind = definition.kind if definition is not None else "expression"
        name = definition.name.name if definition is not None else ""
        name_line = self._line(definition.name_start) if definition is not None else code
        if definition is None and (named := self._query_name(statement).removeprefix(LABELLED)):
            kind, name = "query", named
        self._symbols.append(
            SymbolFact(
                name=name or signature[:MAX_NAME],
                kind=kind,
                parent=-1,
                depth=0,
                start_line=first,
                end_line=max(first, last),
                declaration_line=code,
                name_line=name_line,
                signature=signature,
                doc=statement.comment[:_MAX_SIGNATURE],
                modifiers=["down"] if statement.is_down else [],
                exported=kind in SYMBOL_KINDS,
                is_chunk=True,
            )
        )
        return len(self._symbols) - 1

    def _add_nested(self, outer: int, statement: Statement, definition: Definition, last: int) -> int:
        """Add the symbol of a definition that shares a line with another statement, nested in the symbol of that statement."""
        self._symbols[outer].end_line = max(self._symbols[outer].end_line, last)
        signature = self._signature(statement.start, statement.end)
        self._symbols.append(
            SymbolFact(
                definition.name.name,
                definition.kind,
                outer,
                1,
                self._line(statement.start),
                last,
                self._line(statement.start),
                self._line(definition.name_start),
                signature,
                "",
                [],
                True,
                False,
            )
        )
        return len(self._symbols) - 1

    def _define(self, definition: Definition, statement: Statement, place: int) -> None:
        depth = self._symbols[place].depth + 1
        places = [place]
        for member in definition.members:
            line = self._line(member.start)
            self._symbols.append(
                SymbolFact(
                    member.name,
                    member.kind,
                    place,
                    depth,
                    line,
                    self._line(member.end - 1),
                    line,
                    self._line(member.name_start),
                    self._signature(member.start, member.end),
                    "",
                    [],
                    True,
                    False,
                )
            )
            places.append(len(self._symbols) - 1)
        for change in definition.changes:
            change.symbol = places[change.symbol]
            change.line = self._line(change.line)
            change.is_down = statement.is_down
        self._data.changes += definition.changes

    def _block(self, statement: Statement, place: int) -> None:
        """Read the changes in an anonymous block of PostgreSQL. All changes are conditional."""
        for token in statement.tokens:
            if token.kind != Kind.STRING:
                continue
            for text in inner_statements(string_value(token)):
                tokens = [each for each in tokens_of(text) if each.kind != Kind.COMMENT]
                definition = read_definition(TokenReader(text, tokens, folds=self._folds))
                for change in definition.changes if definition is not None else ():
                    change.symbol, change.line, change.is_down = place, self._line(token.start), statement.is_down
                    change.is_conditional = True
                    self._data.changes.append(change)

    # ------------------------------------------------------------------ queries

    def _use_of_definition(self, definition: Definition, statement: Statement, place: int) -> None:
        if definition.body is not None:
            self._routine_body(*definition.body, place)
        elif definition.query is not None:
            start, end = definition.query
            if start < end <= len(statement.tokens):
                first, last = statement.tokens[start].start, statement.tokens[end - 1].end
                if definition.kind in ("view", "table"):
                    self._query(self._text[first:last], first, place, "sql")
                else:
                    self._routine_body(first, self._text[first:last], place)

    def _routine_body(self, offset: int, body: str, place: int) -> None:
        """Read the statements in the body of a function."""
        for start, text in transact_statements(body) if self._dialect == "tsql" else statements_of_routine(body):
            self._query(text, offset + start, place, "sql")

    def _query_text(self, statement: Statement) -> str:
        """Return the text of a statement. One row stands for rows of data whose tokens were not read."""
        last = statement.tokens[-1]
        if last.word == "VALUES" and statement.end > last.end:
            return f"{self._text[statement.start : last.end]} (NULL)"
        return self._text[statement.start : statement.end]

    def _query(self, text: str, offset: int, place: int, evidence: str) -> None:
        parsed = parse_query(text, self._dialects)
        if parsed is None or not parsed.uses:
            return
        if self._symbols[place].kind == "query":
            evidence = "name"
        self._data.queries.append(Query(place, self._line(offset), parsed.statement, parsed.uses, evidence, parsed.dialect))

    # ------------------------------------------------------------------ lines that are left

    def _fill_gaps(self) -> None:
        """Create a symbol for each run of lines that no statement covers: comments, commands of a client, rows of data."""
        self._symbols += symbols_of_gaps(self._text, self._starts, self._symbols, ("--", "/*", "#"))

    def _sort(self) -> None:
        """Sort the symbols by their place in the source, and renumber them."""
        key = [
            (self._symbols[_root_of(self._symbols, place)].start_line, symbol.depth > 0, symbol.start_line, place)
            for place, symbol in enumerate(self._symbols)
        ]
        order = sorted(range(len(self._symbols)), key=key.__getitem__)
        self._symbols, numbers = renumbered(self._symbols, order)
        for change in self._data.changes:
            change.symbol = numbers[change.symbol]
        for query in self._data.queries:
            query.symbol = numbers[query.symbol]

    # ------------------------------------------------------------------ places

    def _line(self, offset: int) -> int:
        return bisect_right(self._starts, max(offset, 0))

    def _signature(self, start: int, end: int) -> str:
        return " ".join(self._written[start : min(end, start + 2 * _MAX_SIGNATURE)].split())[:_MAX_SIGNATURE]


def _root_of(symbols: list[SymbolFact], place: int) -> int:
    while symbols[place].parent >= 0:
        place = symbols[place].parent
    return place
