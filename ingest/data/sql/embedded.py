"""Find statements of SQL in the strings of code in any language: strings that begin with a verb of SQL and parse completely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from ...facts.data import Query, TableUse
from ...facts.model import FileFacts
from ...facts.nested_symbols import symbols_of_lines
from .queries import DIALECTS, dialects_from, parse_query

#: A string that begins with a verb of SQL. Comments may come before the verb.
_BEGINNING: Final = re.compile(
    r"(?P<quote>(?<!\w)r\#{1,3}\"|\"\"\"|'''|[\"'`])(?:\s|\\n|--[^\n]*\n)*+(?P<verb>SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH|MERGE\s+INTO|TRUNCATE)\s",
    re.IGNORECASE,
)
#: The content of a string up to its closing quote, by the opening quote. Raw strings of Rust begin with `r#"`.
_CONTENT: Final = {
    'r#"': re.compile(r'(?:[^"]++|"(?!#))*+', re.DOTALL),
    'r##"': re.compile(r'(?:[^"]++|"(?!##))*+', re.DOTALL),
    'r###"': re.compile(r'(?:[^"]++|"(?!###))*+', re.DOTALL),
    '"': re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]++|\\.)*+", re.DOTALL),
    "`": re.compile(r"(?:[^`\\]++|\\.)*+", re.DOTALL),
    '"""': re.compile(r'(?:[^"\\]++|\\.|"(?!""))*+', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]++|\\.|'(?!''))*+", re.DOTALL),
}
_WITH: Final = re.compile(r"WITH\b", re.IGNORECASE)
#: The query of a table in front of a statement: `WITH totals AS (SELECT`. Every dialect that is tried without a setting needs it.
_TABLE_OF_WITH: Final = re.compile(r"\bAS(?:\s|--[^\n]{0,200}+\n|/\*[^*]{0,200}+\*/|NOT\b|MATERIALIZED\b)*+\(", re.IGNORECASE)
#: Verbs after the tables of a statement that begins with `WITH`.
_VERB_BEHIND_WITH: Final = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|FROM|VALUES|TABLE)\b", re.IGNORECASE)
#: The code between two joined strings: an operator or nothing, and the beginning of the second string.
_JOINT: Final = re.compile(r"\s*+(?:[+.\\]\s*+)?[rbfuRBFU]?(?P<quote>\"\"\"|'''|[\"'`])")
#: The code between a string and a value that is known only at run time.
_DYNAMIC: Final = re.compile(r"\s*+(?:[+.%]\s*+\w|\|\|)")
#: Values that code interpolates into a text.
_HOLE: Final = re.compile(r"\$\{[^{}]*+\}|#\{[^{}]*+\}|\{[\w.\[\]()!: ]*+\}|%\(\w++\)s|%[sdvq]|\?+\d*")
#: Values in a text that may be more than a parameter: a table, a list of columns, a condition.
_OPEN_HOLE: Final = re.compile(r"\$\{|#\{|\{\w|%[vq]")
#: A placeholder for a value, which is not a name.
_VALUE: Final = " __value "
_ESCAPES: Final = re.compile(r"\\(n|t|r|\n|[\"'`\\])")
#: Maximum number of statements of a file.
_MAX_STATEMENTS: Final = 2_000
#: Maximum length of a statement, in characters.
_MAX_LENGTH: Final = 20_000
#: Number of parse failures in a file after which no more texts are tried.
_MAX_FAILED: Final = 100
#: Number of texts whose parse is kept for the next version of their file.
_MAX_KNOWN: Final = 512
#: Maximum number of strings that are joined to one text.
_MAX_PARTS: Final = 200


class _Text(NamedTuple):
    """The text of several joined strings in code."""

    text: str
    #: Offset of the first character after the opening quote.
    start: int
    #: Offset after the last closing quote.
    end: int
    is_dynamic: bool


def add_embedded_queries(facts: FileFacts, data: bytes, dialect: str = "") -> None:
    """Add the statements of SQL in the strings of a file to its facts. `dialect` is the stated dialect; "" if there is none."""
    dialects = dialects_from(dialect)
    text = data.decode("utf-8", "replace")
    found = list(_statements(text, dialects))
    if not found:
        return
    owners = symbols_of_lines(facts.symbols, facts.lines)
    line, at, failed = 1, 0, 0
    queries: list[Query] = []
    for each in found:
        line, at = line + text.count("\n", at, each.start), each.start
        symbol = owners[min(line, facts.lines)] if facts.lines else -1
        parsed = _parsed(each.text, each.is_dynamic, dialects) if failed < _MAX_FAILED else None
        if parsed is None or symbol < 0:
            failed += 1
            continue
        statement, uses, parsed_dialect = parsed
        if uses:
            queries.append(Query(symbol, line, statement, list(uses), "string", parsed_dialect, each.is_dynamic))
    if queries:
        own = facts.own_data()
        own.queries += queries
        own.dialect = own.dialect or dialect


def may_hold_queries(data: bytes) -> bool:
    """Return whether a file may have a string that begins with a verb of SQL. The check is fast."""
    return _HINT.search(data) is not None


_HINT: Final = re.compile(
    rb"[\"'`](?:\s|\\n|--[^\n]*\n)*+(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH|MERGE\s+INTO|TRUNCATE)\s", re.IGNORECASE
)


def _statements(text: str, dialects: tuple[str, ...]) -> Iterator[_Text]:
    at = count = rejected = 0
    while count < _MAX_STATEMENTS and (match := _BEGINNING.search(text, at)) is not None:
        at = match.end()
        is_with = _WITH.match(match["verb"]) is not None
        if is_with and match.start() < rejected:
            continue  # the end of a text that is no statement with tables is none, either
        found = _joined(text, match)
        if found is None:
            continue
        if is_with and not _may_begin_with_tables(found.text, dialects):
            rejected = found.end
            continue
        at = max(at, found.end)
        count += 1
        yield found


def _joined(text: str, match: re.Match[str]) -> _Text | None:
    """Return a string, with the following strings that are joined to it; None for a text that is unclosed or too long."""
    quote, start = match["quote"], match.end("quote")
    first = match.start("verb")
    parts: list[str] = []
    begin = start
    while True:
        content = _CONTENT[quote].match(text, begin, begin + _MAX_LENGTH)
        end = content.end() if content is not None else begin
        closing = f'"{quote[1:-1]}' if quote[0] == "r" else quote
        if not text.startswith(closing, end):
            if not parts:
                return None
            end = begin
            break
        parts.append(text[begin:end])
        end += len(closing)
        joint = _JOINT.match(text, end)
        if joint is None or len(parts) >= _MAX_PARTS:
            break
        quote, begin = joint["quote"], joint.end()
    whole = _ESCAPES.sub(_unescaped, "".join(parts))
    is_open = _DYNAMIC.match(text, end) is not None or _OPEN_HOLE.search(whole) is not None
    return _Text(whole, first, end, is_open)


def _may_begin_with_tables(text: str, dialects: tuple[str, ...]) -> bool:
    """Return whether a text that begins with `WITH` may be a statement: not a sentence, and not code such as
    `with open(path) as file:` after the end of a string.

    There are many such texts, and parsing one takes up to a tenth of a second.
    """
    if _VERB_BEHIND_WITH.search(text) is None:
        return False
    return dialects != DIALECTS or _TABLE_OF_WITH.search(text) is not None


def _unescaped(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r", "\n": "\n"}.get(match[1], match[1])


@lru_cache(maxsize=_MAX_KNOWN)
def _parsed(text: str, is_dynamic: bool, dialects: tuple[str, ...]) -> tuple[str, tuple[TableUse, ...], str] | None:
    """Return the statement, its uses and its dialect; None for a text that is no statement.

    Most statements of a changed file were in it before, and parsing one takes milliseconds.
    """
    if len(text) > _MAX_LENGTH:
        return None
    filled = _HOLE.sub(_VALUE, text).strip().rstrip(";")
    # A text that is extended at run time often ends with the beginning of a condition.
    for each in (filled, f"{filled} {_VALUE}") if is_dynamic else (filled,):
        parsed = parse_query(each, dialects)
        if parsed is not None:
            return parsed.statement, tuple(parsed.uses), parsed.dialect
    return None
