"""Find statements of SQL in the strings of code in any language: strings that begin with a verb of SQL and parse completely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ...facts.data import PLACEHOLDER, Query, TableUse
from ...facts.model import FileFacts
from ...facts.nested_symbols import symbols_of_lines
from .added_pieces import added_tables
from .code_strings import BLANK, MAX_LENGTH, QUOTE, CodeStrings, CodeText
from .given_names import GivenNames
from .here_documents import here_documents, statements_in
from .queries import DIALECTS, dialects_from, parse_query
from .statements import statements_of

_VERBS: Final = (
    r"(?P<verb>SELECT|INSERT\s+(?:OR\s+\w{5,8}\s+|IGNORE\s+|DELAYED\s+|(?:LOW|HIGH)_PRIORITY\s+)?INTO|REPLACE\s+INTO|UPDATE|WITH"
    r"|DELETE\s+(?:[\w.`]{1,64}\s+(?=FROM\s[^;\"']{1,400}?\sJOIN\s))?FROM|MERGE\s+INTO|TRUNCATE)\s"
)
#: A string that begins with a verb of SQL. Comments may come before the verb.
_BEGINNING: Final = re.compile(QUOTE + BLANK + _VERBS, re.IGNORECASE)
#: A statement of a here-document that begins with a verb of SQL. Commands of psql (`\\set`) and sqlite3 (`.mode`) may precede it.
_VERB: Final = re.compile(r"(?:\s|--[^\n]*+\n|[\\.][^\n]*+\n)*+" + _VERBS, re.IGNORECASE)
_WITH: Final = re.compile(r"WITH\b", re.IGNORECASE)
#: The query of a table in front of a statement: `WITH totals AS (SELECT`. Every dialect that is tried without a setting needs it.
_TABLE_OF_WITH: Final = re.compile(r"\bAS(?:\s|--[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/|NOT\b|MATERIALIZED\b)*+\(", re.IGNORECASE)
#: Verbs after the tables of a statement that begins with `WITH`.
_VERB_BEHIND_WITH: Final = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|FROM|VALUES|TABLE)\b", re.IGNORECASE)
#: Values that code interpolates into a text.
_HOLE: Final = re.compile(
    r"\$\{(?:[^{}]++|\{[^{}]*+\})*+\}|\$\(\w++\)|#\{[^{}]*+\}|\{[\w.\[\]()!: ]*+\}|%\(\w++\)s|%[sdvq]|\?+\d*"
)
#: The beginning of a line that is a comment. Lines such as `#define QUERY "…"` and `#[query("…")]` are code.
_COMMENT: Final = re.compile(r"[ \t]*(?://|\*[ \t]|#(?![ \t]*define\b|\[))")
#: Maximum number of characters from the beginning of a line to a text in it; what is farther away is no comment.
_MAX_LINE: Final = 300
#: A hole that is not at the beginning of a string of SQL, such as the default `'{}'`.
_UNQUOTED_HOLE: Final = re.compile(f"(?<!')(?:{_HOLE.pattern})")
#: A hole with the word, the quote or the bracket before it. Without a blank between them, the hole may be a part of a name, but
#: not behind a value or a bracket: `deleted_at IS NULL%s`.
_PART_HOLE: Final = re.compile(
    rf"(?P<before>(?:\b\w++|[)'\"])(?=\s)|(?:\b(?:NULL|TRUE|FALSE)|\$\d++|\))(?=[%$#{{]))?\s*+(?:{_HOLE.pattern})", re.IGNORECASE
)
#: A text that ends where a condition is missing, which code adds elsewhere.
_OPEN_CONDITION: Final = re.compile(r"\b(?:AND|OR|WHERE)\Z", re.IGNORECASE)
#: A value or a condition in a template of JDBI: `WHERE id IN (<ids>)`, `<if(name)> AND name = :name <endif>`.
_ANGLE_HOLE: Final = re.compile(r"<(?:(?P<sign>if\([^()<>]{1,80}\)|else(?:if\([^()<>]{1,80}\))?|endif)|\w++)>")
#: Words behind which a value stands.
_KEYWORD: Final = re.compile(
    r"SELECT|DISTINCT|FROM|JOIN|INTO|UPDATE|SET|VALUES|WHERE|AND|OR|NOT|IN|LIKE|BETWEEN|IS|ON|BY|HAVING|LIMIT|OFFSET|AS|CASE|WHEN"
    r"|THEN|ELSE|RETURNING|USING",
    re.IGNORECASE,
)
#: A value that is one of several texts, such as a clause that is there or not: `${all ? "" : "WHERE open"}`.
_CHOICE: Final = re.compile(r"\$\{[^?&|{}]{0,300}(?:\?|&&|\|\|).*\}", re.DOTALL)
_CHOSEN: Final = re.compile(r"`((?:[^`\\]++|\\.)*+)`|'([^'\\\n]*+)'|\"([^\"\\\n]*+)\"")
#: A name that a function of a library puts into a text: `${sql("users")}`, `${sql.identifier(["users"])}`.
_NAMED: Final = re.compile(
    r"\$\{\s*(?:sql|\w+\.(?:table|ref|id|identifier|name))\(\s*\[?\s*['\"`](?P<name>\w++(?:\.\w++)?)['\"`]\s*\]?\s*\)\s*\}"
)
#: Rows that a value puts into a statement: `INSERT INTO users ${sql(rows)}`.
_ROWS: Final = re.compile(r"(\bINTO\s+[\w.\"]+)\s+__value\b(?!\s*\()", re.IGNORECASE)
#: The place of a value that is a clause, in the text with placeholders: alone in a line, or behind a closing bracket.
_CLAUSE: Final = re.compile(r"(?<=\))[ \t]*__value\b(?![ \t]*[=<>.,(])|^[ \t]*__value[ \t]*$", re.MULTILINE)
#: A placeholder for a value, which is not a name.
_VALUE: Final = " __value "
#: What stands before a text in the value of a constant: a key, perhaps with a record and its field around the text, as in
#: `LIST: "SELECT …"` and `add(LIST, Statement{Sqlite: "SELECT …"})`.
_KEY: Final = re.compile(
    r"(?:\b(?P<name>[A-Za-z_]\w*+)|[\"'`](?P<text>[\w.:/-]{1,60}+)[\"'`])\]?\s*+[,:=]>?\s*+"
    r"(?:[\w.&]++\{\s*+(?:\w++\s*+[:=]\s*+)?)?[rbfuRBFU@$]?\Z"
)
#: What every statement with tables has that begins with these verbs. Titles in code often begin with them: `"Update your role"`.
_NEEDED: Final = {"SELECT": re.compile(r"\bFROM\b", re.IGNORECASE), "UPDATE": re.compile(r"\bSET\b", re.IGNORECASE)}
#: Number of characters in which the key is searched.
_MAX_BEFORE: Final = 120
#: Kinds of symbols with a value.
_VALUES: Final = frozenset(("const", "constant", "field", "property", "variable"))
#: Maximum number of statements of a file.
_MAX_STATEMENTS: Final = 2_000
#: Number of parse failures in a file after which no more texts are tried.
_MAX_FAILED: Final = 100
#: Number of texts whose parse is kept for the next version of their file.
_MAX_KNOWN: Final = 512


def add_embedded_queries(facts: FileFacts, data: bytes, dialect: str = "") -> None:
    """Add the statements of SQL in the strings of a file to its facts. `dialect` is the stated dialect; "" if there is none."""
    dialects = dialects_from(dialect)
    text = data.decode("utf-8", "replace")
    found = [each for each in _statements(text, dialects) if not _is_in_comment(text, each[0].start)]
    # The rules of calls that define tables, as in the schema of Rails, also read the queries of their views.
    if facts.data is None or not facts.data.changes:
        found += [(each, "") for each in _in_here_documents(text, dialects)]
    found.sort(key=lambda each: each[0].start)
    if not found:
        return
    owners = symbols_of_lines(facts.symbols, facts.lines)
    given = GivenNames(facts, text)
    line, at, failed = 1, 0, 0
    queries: list[Query] = []
    for each, key in found:
        line, at = line + text.count("\n", at, each.start), each.start
        symbol = owners[min(line, facts.lines)] if facts.lines else -1
        known = len(queries)
        for filled, is_inferred in given.filled(each, symbol, line) if symbol >= 0 and failed < _MAX_FAILED else ():
            parsed = parsed_text(filled.text, each.is_dynamic, dialects)
            if parsed is None:
                break
            statement, uses, parsed_dialect = parsed
            if uses:
                evidence = "inferred" if is_inferred else "string"
                query = Query(symbol, line, statement, list(uses), evidence, parsed_dialect, each.is_dynamic)
                inserted = {_value(hole).strip() for hole in _HOLE.finditer(filled.text)}
                query.inserted = [name for use in uses for name in use.columns if name in inserted]
                if facts.symbols[symbol].kind in _VALUES:
                    query.constant = facts.symbols[symbol].name
                    query.key = key if key != query.constant else ""
                queries.append(query)
        failed += len(queries) == known
    queries += added_tables(text, owners, dialects[0])
    if queries:
        own = facts.own_data()
        own.queries += queries
        own.dialect = own.dialect or dialect


def _is_in_comment(text: str, offset: int) -> bool:
    """Return whether an offset is in a line of a comment, such as code that a comment keeps: `// db.query("SELECT …")`."""
    start = text.rfind("\n", max(0, offset - _MAX_LINE), offset) + 1
    return bool(start) and _COMMENT.match(text, start, offset) is not None


def without_holes(code: CodeText) -> CodeText:
    """Return a text with the same placeholder for all values that code interpolates, which is part of the names around it."""
    return code.filled(_UNQUOTED_HOLE, PLACEHOLDER)


def may_hold_queries(data: bytes) -> bool:
    """Return whether a file may have a string that begins with a verb of SQL. The check is fast."""
    return _HINT.search(data) is not None or (b"<<" in data and _LINE_HINT.search(data) is not None)


_LINE_HINT: Final = re.compile(rb"^[ \t]*+" + _VERBS.encode(), re.IGNORECASE | re.MULTILINE)
_HINT: Final = re.compile(rb"[\"'`](?:\s|\\\r?\n|\\n|--[^\n]{0,200}+\n)*+" + _VERBS.encode(), re.IGNORECASE)


def _statements(text: str, dialects: tuple[str, ...]) -> Iterator[tuple[CodeText, str]]:
    """Yield the texts in strings that may be statements, each with the key that stands before it."""
    strings = CodeStrings(text)
    at = count = rejected = 0
    while count < _MAX_STATEMENTS and (match := _BEGINNING.search(text, at)) is not None:
        at = match.end()
        is_with = _WITH.match(match["verb"]) is not None
        if is_with and match.start() < rejected:
            continue  # the end of a text that is no statement with tables is none, either
        found = strings.joined(match, match.start("verb"))
        if found is None:
            continue
        if is_with and not _may_begin_with_tables(found.text, dialects):
            rejected = found.end
            continue
        at = max(at, found.end)
        count += 1
        before = _KEY.search(text, max(0, match.start() - _MAX_BEFORE), match.start())
        key = (before["name"] or before["text"]) if before is not None else ""
        yield from ((each, key) for each in _apart(found))


def _apart(found: CodeText) -> Iterator[CodeText]:
    """Yield the statements of a text that begin with a verb: `psql -c "DELETE FROM carts; DELETE FROM users"` has two."""
    if ";" not in found.text.rstrip().removesuffix(";") or len(found.text) > MAX_LENGTH:
        yield found
        return
    for statement in statements_of(found.text, ""):
        if _VERB.match(found.text, statement.start) is not None:
            yield found.behind(statement.start)._replace(text=found.text[statement.start : statement.end])


def _in_here_documents(text: str, dialects: tuple[str, ...]) -> Iterator[CodeText]:
    """Yield the statements in here-documents."""
    for document in here_documents(text):
        for each in statements_in(document):
            verb = _VERB.match(each.text)
            if verb is not None and (_WITH.match(verb["verb"]) is None or _may_begin_with_tables(each.text, dialects)):
                yield each.behind(verb.start("verb"))


def _may_begin_with_tables(text: str, dialects: tuple[str, ...]) -> bool:
    """Return whether a text that begins with `WITH` may be a statement: not a sentence, and not code such as
    `with open(path) as file:` after the end of a string.

    There are many such texts, and parsing one takes up to a tenth of a second.
    """
    if _VERB_BEHIND_WITH.search(text) is None:
        return False
    return dialects != DIALECTS or _TABLE_OF_WITH.search(text) is not None


@lru_cache(maxsize=_MAX_KNOWN)
def parsed_text(text: str, is_dynamic: bool, dialects: tuple[str, ...]) -> tuple[str, tuple[TableUse, ...], str] | None:
    """Return the statement, its uses and its dialect; None for a text that is no statement.

    Most statements of a changed file were in it before, and parsing one takes milliseconds.
    """
    if len(text) > MAX_LENGTH:
        return None
    filled = _HOLE.sub(_value, text).strip().rstrip(";")
    needed = _NEEDED.get(filled[:6].upper())
    if needed is not None and needed.search(filled) is None:
        return None
    texts = dict.fromkeys((filled, _PART_HOLE.sub(_without_part, text).strip().rstrip(";")))
    # Each failed attempt costs a parse for each dialect, and most values without a name are clauses in lines of their own.
    attempts = dict.fromkeys((filled, _CLAUSE.sub("", filled), *texts))
    for each in texts if is_dynamic or _OPEN_CONDITION.search(filled) is not None else ():
        # A text that is extended at run time often ends with the beginning of a condition, of an assignment or of a list.
        closing = ")" * (each.count("(") - each.count(")"))
        attempts |= dict.fromkeys((f"{each} {_VALUE}{closing}", f"{each} {_VALUE} = {_VALUE}"))
    attempts[_ROWS.sub(r"\1 VALUES (__value)", filled)] = None
    if "<" in filled:
        attempts[_ANGLE_HOLE.sub(lambda hole: "" if hole["sign"] else _VALUE, filled)] = None
    for each in attempts:
        parsed = parse_query(each, dialects)
        if parsed is not None:
            known = tuple(use for use in parsed.uses if use.name.name != PLACEHOLDER)
            return parsed.statement, known, parsed.dialect
    return None


def _without_part(match: re.Match[str]) -> str:
    """Return a placeholder for a value behind a keyword or a sign, and nothing for a part that code may leave out, such as a
    further condition: `WHERE name = ? {more}`.
    """
    before = match["before"] or ""
    is_part = before != "" and _KEYWORD.fullmatch(before) is None
    return f"{before} " if is_part else f"{before}{_VALUE}"


def _value(hole: re.Match[str]) -> str:
    """Return the text in place of a value: a name, the first text of a choice, or a placeholder."""
    named = _NAMED.fullmatch(hole[0])
    if named is not None:
        return named["name"]
    if _CHOICE.fullmatch(hole[0]) is None:
        return _VALUE
    texts = (text for found in _CHOSEN.finditer(hole[0]) for text in found.groups() if text and not text.isspace())
    return f" {_HOLE.sub(_VALUE, next(texts, _VALUE))} "
