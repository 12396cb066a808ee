"""Detect the dialect of SQL by syntax that only one dialect has, and by words that name a dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

#: Directives to the compiler of Oracle, which share their first word with the settings of SQLite.
_PRAGMAS_OF_ORACLE: Final = "AUTONOMOUS_TRANSACTION|EXCEPTION_INIT|SERIALLY_REUSABLE|RESTRICT_REFERENCES|INLINE|UDF|DEPRECATE"
#: Syntax that occurs in only one dialect. The dialects with a grave accent around names come first.
_SYNTAX: Final = (
    (
        "mysql",
        re.compile(
            r"\bENGINE\s*=|\bAUTO_INCREMENT\b|\bON\s+UPDATE\s+(?:CURRENT_TIMESTAMP|NOW)\b|\bCHARSET\s*=|\bCHARACTER\s+SET\b"
            r"|\b(?:MODIFY|CHANGE)\s+COLUMN\b|/\*!\d{5}|\bLOCK\s+TABLES\b|\bINT(?:\s*\(\d+\))?\s+UNSIGNED\b"
            r"|^[ \t]*DELIMITER[ \t]+[^\s\w'\"=]{1,4}[ \t\r]*$",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "sqlite",
        re.compile(
            r"\bAUTOINCREMENT\b(?!\s+(?:START|INCREMENT|ORDER|NOORDER)\b)|\bWITHOUT\s+ROWID\b"
            rf"|^[ \t]*PRAGMA\b(?!\s+(?:{_PRAGMAS_OF_ORACLE})\b)|\bINSERT\s+OR\s+(?:IGNORE|REPLACE|ABORT|FAIL)\b"
            r"|`\w+`\s+(?:TEXT|INTEGER|BLOB|REAL)\s+PRIMARY\s+KEY\b|\bSQLITE_(?:MASTER|SEQUENCE|SCHEMA)\b|\bUNIXEPOCH\s*\(",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    ("bigquery", re.compile(r"`[\w-]+\.[\w-]+(?:\.[\w-]+)?`|\bSAFE_(?:CAST|DIVIDE)\s*\(", re.IGNORECASE)),
    ("tsql", re.compile(r"^[ \t]*GO[ \t;\r]*$|\[dbo\]|\bIDENTITY\s*\(\d|\bNVARCHAR\b", re.IGNORECASE | re.MULTILINE)),
    (
        "snowflake",
        re.compile(
            r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:TRANSIENT\s+TABLE|STAGE|WAREHOUSE|FILE\s+FORMAT|PIPE|STREAMLIT"
            r"|SECURE\s+VIEW|NETWORK\s+RULE|DYNAMIC\s+TABLE|TASK)\b|\bLATERAL\s+FLATTEN\b|\bTABLE\s*\(\s*FLATTEN\b"
            r"|\bAUTOINCREMENT\s+(?:START|INCREMENT|ORDER|NOORDER)\b|\bTIMESTAMP_(?:NTZ|LTZ|TZ)\b|\bSNOWFLAKE\.\w+"
            r"|\bRUNTIME_VERSION\s*=|::\s*VARIANT\b|\bAS\s+VARIANT\s*\)|\bEXECUTE\s+IMMEDIATE\s+\$\$"
            r"|^[ \t]*USE[ \t]+(?:ROLE|WAREHOUSE)\b"
            r"|\bMASKING\s+POLICY\b|\bLANGUAGE\s+(?:PYTHON|JAVASCRIPT|SCALA)\b",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    (
        "oracle",
        re.compile(
            rf"\bN?VARCHAR2\b|\bNUMBER\s*\(|^[ \t]*PRAGMA\s+(?:{_PRAGMAS_OF_ORACLE})\b|\bDBMS_\w+\.|\bSYS_GUID\s*\("
            r"|^[ \t]*SET\s+(?:DEFINE|SERVEROUTPUT|FEEDBACK|VERIFY|TERMOUT|HEADING|LINESIZE|PAGESIZE)\b"
            r"|^[ \t]*WHENEVER\s+SQLERROR\b",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    ("postgres", re.compile(r"\$\w*\$|\bTIMESTAMPTZ\b|\b(?:BIG|SMALL)?SERIAL\b|\bJSONB\b|::\w|\bplpgsql\b", re.IGNORECASE)),
)
_LINE_COMMENT: Final = re.compile(r"--[^\n]*+")
#: Text that is no code: comments, but not those that MySQL runs, and strings without a line break.
_NO_CODE: Final = re.compile(r"--[^\n]*+|/\*(?!!)(?:[^*]++|\*(?!/))*+(?:\*/)?|'[^'\n]*+'")
#: A placeholder in the place of a schema, with the dot behind it. `:new` and `:old` are rows of a trigger.
_PLACEHOLDER: Final = re.compile(
    r"(?<![\w@:'\"$}])(?:@\w++|:(?!(?:new|old|parent)\b)[A-Za-z_]\w*+|\$\{[\w.:-]++\}|\$\(\w++\)|\{\w++\}"
    r"|\{\{[ \w.-]++\}\}|<\w++>|&{1,2}\w++\.)\.(?=[\w\"`\[])",
    re.IGNORECASE,
)
#: A character that begins or ends placeholders, before or after the dot of a name.
_PLACED: Final = re.compile(r"[})>]\.|[@:&]\w++\.")
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
    """Return the dialect whose syntax occurs in a text, outside of comments and strings; "" if the text has no such syntax."""
    code = _NO_CODE.sub("''", text)
    found = next((name for name, syntax in _SYNTAX if syntax.search(code)), "")
    # SQL Server has no names in backticks, and MySQL has the type NVARCHAR, too.
    return "mysql" if found == "tsql" and _ACCENTED.search(code) else found


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


def without_placeholders(text: str) -> str:
    """Return SQL in which blanks replace placeholders of schemas, so that all offsets stay: `@schema.t`, `${schema}.t`.

    SqlRender, Flyway, SQL*Plus, psql, sqlcmd and many programs replace such names before the database sees the text.
    """
    return _PLACEHOLDER.sub(lambda match: " " * len(match[0]), text) if _PLACED.search(text) else text


def _has_accents(text: str) -> bool:
    return _ACCENTED.search(_LINE_COMMENT.sub("", text)) is not None
