"""Detect the dialect of SQL by syntax that only one dialect has, and by words that name a dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

#: Syntax that occurs in only one dialect. The dialects with a grave accent around names come first.
_SYNTAX: Final = (
    (
        "mysql",
        re.compile(
            r"\bENGINE\s*=|\bAUTO_INCREMENT\b|\bON\s+UPDATE\s+(?:CURRENT_TIMESTAMP|NOW)\b|\bCHARSET\s*=|\bCHARACTER\s+SET\b"
            r"|\b(?:MODIFY|CHANGE)\s+COLUMN\b|/\*!\d{5}|\bLOCK\s+TABLES\b|\bINT(?:\s*\(\d+\))?\s+UNSIGNED\b",
            re.IGNORECASE,
        ),
    ),
    (
        "sqlite",
        re.compile(
            r"\bAUTOINCREMENT\b|\bWITHOUT\s+ROWID\b|^[ \t]*PRAGMA\b|\bINSERT\s+OR\s+(?:IGNORE|REPLACE|ABORT|FAIL)\b"
            r"|`\w+`\s+(?:TEXT|INTEGER|BLOB|REAL)\s+PRIMARY\s+KEY\b|\bSQLITE_(?:MASTER|SEQUENCE|SCHEMA)\b|\bUNIXEPOCH\s*\(",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    ("bigquery", re.compile(r"`[\w-]+\.[\w-]+(?:\.[\w-]+)?`|\bSAFE_(?:CAST|DIVIDE)\s*\(", re.IGNORECASE)),
    ("tsql", re.compile(r"^[ \t]*GO[ \t;\r]*$|\[dbo\]|\bIDENTITY\s*\(\d|\bNVARCHAR\b", re.IGNORECASE | re.MULTILINE)),
    ("oracle", re.compile(r"\bVARCHAR2\b|\bNUMBER\s*\(", re.IGNORECASE)),
    ("postgres", re.compile(r"\$\w*\$|\bTIMESTAMPTZ\b|\b(?:BIG|SMALL)?SERIAL\b|\bJSONB\b|::\w|\bplpgsql\b", re.IGNORECASE)),
)
_LINE_COMMENT: Final = re.compile(r"--[^\n]*+")
#: A name in backticks, as several dialects allow.
_ACCENTED: Final = re.compile(r"`\w+`")
#: Text in which all strings are closed if a backslash is the escape character.
_ESCAPED: Final = re.compile(r"(?:[^'\"`-]++|'(?:[^'\\]++|''|\\.)*+'|\"[^\"]*+\"|`[^`]*+`|--[^\n]*+|-)*+", re.DOTALL)
#: Dialects in which a backslash is the escape character of strings.
_BACKSLASHED: Final = frozenset(("bigquery", "clickhouse", "databricks", "hive", "mysql", "snowflake", "spark"))
#: Dialects that turn names without quotes into lower case.
_FOLDING: Final = frozenset(("postgres", "redshift"))
#: The dialect for each word that may be in a path or in the database setting of an object mapper.
NAMED: Final = {
    "postgres": "postgres",
    "postgresql": "postgres",
    "pgsql": "postgres",
    "pg": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
    "sqlite": "sqlite",
    "sqlite3": "sqlite",
    "mssql": "tsql",
    "sqlserver": "tsql",
    "oracle": "oracle",
    "cockroach": "cockroach",
    "cockroachdb": "cockroach",
}


def dialect_of(text: str) -> str:
    """Return the dialect whose syntax occurs in a text, outside of line comments; "" if the text has no such syntax."""
    code = _LINE_COMMENT.sub("", text)
    return next((name for name, syntax in _SYNTAX if syntax.search(code)), "")


def has_backslashes(text: str, dialect: str) -> bool:
    """Return whether a backslash escapes a quote in the strings of a text. `dialect` is the known dialect of the text, or ""."""
    if dialect:
        return dialect in _BACKSLASHED
    return _has_accents(text) and ("\\'" not in text or _ESCAPED.fullmatch(text) is not None)


def folds_names(text: str, dialect: str) -> bool:
    """Return whether unquoted names are converted to lower case. `dialect` is the known dialect of the text, or ""."""
    return dialect in _FOLDING if dialect else not _has_accents(text)


def common_dialect(dialects: Iterable[str], words: Iterable[str]) -> str:
    """Return the most frequent known dialect of some files; without one, the dialect that `words` name; or ""."""
    shown = [NAMED.get(each, each) for each in dialects if each]
    if shown:
        return max(sorted(set(shown)), key=shown.count)
    return next((NAMED[word] for word in words if word in NAMED), "")


def _has_accents(text: str) -> bool:
    return _ACCENTED.search(_LINE_COMMENT.sub("", text)) is not None
